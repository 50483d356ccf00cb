"""The project's folder, and how its files are written: all of a file or none of it, and by one
writer at a time.
"""

import fcntl
import os
import sys
import sysconfig
import zipfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def at_home(root: Path = ROOT) -> None:
    """Refuse to work for a folder that this code, or the library that it imports, does not belong
    to: a copied environment runs the code it was made with.
    """
    found = find_spec("logpartition")
    library = Path(found.origin).resolve() if found and found.origin else "no file"
    if library != root / "lib" / "logpartition" / "__init__.py":
        sys.exit(
            f"This Python imports logpartition from {library}, and the book in {root} has its own:"
            " unset PYTHONPATH, and call make."
        )
    try:
        here = Path.cwd().resolve()
    except FileNotFoundError:
        here = "a folder that is gone"
    if here != root:
        sys.exit(
            f"This Python works on the book in {root}, and you are in {here}: "
            "go there, or remove .venv here and call make, which makes another."
        )
    sys.excepthook = told


def told(kind, error, trace) -> None:
    """How a program ends that was interrupted; whatever else ends it is shown as Python does."""
    if issubclass(kind, KeyboardInterrupt):
        print("Interrupted.", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


CERTIFICATES = "NODE_EXTRA_CA_CERTS"  # of a network that signs what passes: npm needs it there


def without(*prefixes: str) -> dict[str, str]:
    """The environment, but for what sets another program to work in another way."""
    return {
        name: said
        for name, said in os.environ.items()
        if name == CERTIFICATES or not name.startswith(prefixes)
    }


def packages() -> list[str]:
    """The Python that runs, and what is installed beside it, with versions."""
    installed = Path(sysconfig.get_path("purelib")).glob("*.dist-info")
    return [sys.version, *sorted(path.name for path in installed)]


def say(*lines: object) -> None:
    """Print them, with what the encoding of the output lacks as an escape; ends the program where
    they cannot be written."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(*lines, sep="\n", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is left in it
        sys.exit(f"what was found could not be written: {error}")


def write(path: Path, text: str) -> None:
    """Put `text` into the file at `path`; when that fails on the way, what was there stays."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def zipped(found: dict[str, bytes], path: Path, when: tuple = (1980, 1, 1, 0, 0, 0)) -> None:
    """Put these files into a zip, in order; the same contents give the same zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(found):
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, found[name])


@contextmanager
def alone(folder: Path, command: str):
    """Hold `folder` for one `command` at a time; the system lets go of it when the process ends,
    however it ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Another `{command}` is at work in {folder}: wait until it has ended.")
        yield


@contextmanager
def in_turn(path: Path):
    """Wait until no other process holds the file at `path`, and hold it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
