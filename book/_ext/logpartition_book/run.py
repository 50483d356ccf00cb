"""Execute the notebooks in place: `python -m logpartition_book.run [slug ...]`.

A notebook is stored only when all of its cells ran, sealed with hashes of what its outputs depend
on and of the outputs.
"""

import argparse
import os
import re
import signal
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from importlib import metadata
from multiprocessing import active_children, connection, get_context, parent_process
from pathlib import Path

import nbformat
import psutil
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from packaging.markers import InvalidMarker, Marker
from packaging.utils import canonicalize_name

from logpartition._progress import Progress

from . import files, gates, records
from .chapter_gates import folded
from .files import ROOT
from .records import Unreadable, notebooks, read
from .seal import (
    ENVIRONMENT,
    KERNEL,
    around,
    called,
    code,
    foreign,
    holds,
    labelled,
    lendable,
    made_by,
    seal,
    taken,
    touched,
)
from .signs import shorten
from .trees import unparsed

SETTINGS = Path(sys.prefix) / "var"
LONGEST = 200_000  # letters that a chapter prints: of more no reader has any use
SELDOM = (200_000, 20, 100)  # to look for garbage more often takes 6 to 10 % of a chapter's time
LIMITS = [
    # a cell is Python alone: the name of a command, such as pwd, calls none
    "--InteractiveShell.automagic=False",
    "--IPKernelApp.exec_lines=__import__('logpartition_book.watch').watch.begin()",
]


class ChapterFailed(Exception):
    """A notebook did not run to its end, or could not be stored; says which cell, and why."""


def settle():
    """Give this process and the kernels that it starts the environment that results are made in."""
    os.environ.update(
        ENVIRONMENT, MPLCONFIGDIR=str(SETTINGS / "matplotlib"), IPYTHONDIR=str(SETTINGS / "ipython")
    )
    starts = SETTINGS / "ipython" / "profile_default" / "startup" / "garbage.py"
    starts.parent.mkdir(parents=True, exist_ok=True)
    files.write(starts, f"__import__('gc').set_threshold{SELDOM}\n")
    import matplotlib.font_manager  # noqa: F401  its cache is built, where stderr is free


def environment():
    """What a kernel is told: nothing that makes Python, Node, the packages or this library work in
    another way, and where the library is."""
    said = files.without("PYTHON", "NODE_", "SYMPY_", "MPMATH_", "LOGPARTITION_")
    here = os.pathsep.join(str(ROOT / part) for part in ("lib", "book/_ext"))
    return {**said, **ENVIRONMENT, "PYTHONPATH": here}


# one notebook


def execute(path, **told):
    """The notebook at `path`, executed in its folder by a kernel that is `told` this as well, and
    normalised; ChapterFailed where a cell fails, where what it may depend on changes meanwhile, or
    where it takes what no hash knows, as from a draft or from a book in a folder above.
    """
    notebook, before, others = read(path), (*around(), *touched()), lendable()
    lenders = lending(path, notebook)
    notebook.metadata["kernelspec"] = KERNEL
    go_through(path, notebook, environment() | told)
    changed = {name for name, *_ in {*before} ^ {*around(), *touched()}}
    changed |= {name for name, *_ in lenders ^ lending(path, notebook)}
    changed |= {one.split()[0] for one in {*foreign(notebook)} - others}
    if changed:
        raise ChapterFailed(f"{min(changed)} changed while {path.name} ran: run it again")
    if strange := taken(code(notebook)) - {one.split()[0] for one in foreign(notebook)}:
        raise ChapterFailed(
            f"{path.name} takes {min(strange)} by `earlier`, and no other chapter of _toc.yml has"
            " it: list the one that makes it, and run it first"
        )
    return normalise(notebook)


class Client(NotebookClient):
    """One that notes an output that no notebook can or should hold, with its cell, and goes on:
    where it is raised, what waits for the kernel is left behind."""

    strange, printed = (), 0

    def process_message(self, msg, cell, cell_index):
        self.printed += len(msg["content"].get("text", ""))
        if self.printed > LONGEST and msg["msg_type"] == "stream":
            said = f"its chapter prints more than {LONGEST} letters: print less"
            self.strange = self.strange or ((cell_index + 1, said),)
            return None
        try:
            return super().process_message(msg, cell, cell_index)
        except nbformat.ValidationError as error:
            said = f"puts out what is no output: {shorten(error.message)}"
            self.strange += ((cell_index + 1, said),)


def go_through(path, notebook, told):
    """Have a kernel that is `told` this run the cells of the notebook, one after the other."""
    client = Client(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR", *LIMITS],
    )
    kernel = client.create_kernel_manager()  # of this Python, whatever others are installed
    kernel.kernel_spec_manager = KernelSpecManager(kernel_dirs=[])
    try:
        client.execute(env=told)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise ChapterFailed(failure(path, notebook, error)) from None
    for number, said in client.strange:
        raise ChapterFailed(f"{path.name}, cell {number}: {said}")


def lending(path, notebook):
    """The notebooks beside this one that have the results which its code takes by `earlier`, and
    when each was touched: at another time, where one was changed and put back."""
    labels, makers = taken(code(notebook)), {}
    if own := labels & {record["label"] for record in made_by(notebook)}:
        raise ChapterFailed(
            f"{path.name} takes {min(own)} by `earlier`, and has it among its own outputs: clear"
            " them if its code makes it no more; else take it or make it, and not both"
        )
    for other in sorted(path.parent.glob("*.ipynb")) if labels else ():
        with suppress(Unreadable):
            for label in labels & {one["label"] for one in labelled(records.records(other))}:
                if label in makers:
                    raise ChapterFailed(
                        f"{path.name} takes {label} by `earlier`, and {makers[label].name} has it"
                        f" as well as {other.name}: move one of them away"
                    )
                makers[label] = other
    stats = ((other.name, other.stat()) for other in makers.values())
    return {(name, stat.st_ino, stat.st_ctime_ns) for name, stat in stats}


def failure(path, notebook, error):
    """The failing cell and its error, for a person to read."""
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                source = "\n".join(f"    {line}" for line in cell.source.splitlines())
                return f"{path.name}, cell {number}:\n{source}\n{output.ename}: {output.evalue}"
    return f"{path.name}: {error}"


def normalise(notebook):
    """The same notebook without what differs between machines and runs; every cell has an id of its
    own, and is folded in an editor where the site folds it.
    """
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.nbformat_minor = max(5, notebook.nbformat_minor)
    seen = set()
    for number, cell in enumerate(notebook.cells):
        cell.metadata.pop("execution", None)
        cell.metadata.pop("jupyter", None)
        cell.metadata |= folded(cell)
        if cell.get("id") in seen | {None}:
            cell.id = f"cell-{number}"
        seen.add(cell.id)
    return notebook


def untimed(notebook):
    """The notebook without the metadata of its outputs, where the seconds of a run are, and the
    hash that they enter.
    """
    bare = deepcopy(notebook)
    bare.metadata.get("logpartition", {}).pop("outputs", None)
    for cell in bare.cells:
        for output in cell.get("outputs", ()):
            output.pop("metadata", None)
    return bare


def run(path):
    """Execute one notebook in place; the seconds it took. A run that changes nothing leaves the
    file as it is.
    """
    start, stored = time.monotonic(), path.read_bytes()
    notebook = seal(execute(path))
    nbformat.validate(notebook)
    if path.read_bytes() != stored:
        raise ChapterFailed(f"{path.name} was saved while it ran: run it again")
    before = read(path)
    if untimed(notebook) != untimed(before) or not holds(before):
        store(notebook, path)
    return time.monotonic() - start


def store(notebook, path):
    try:
        files.write(path, nbformat.writes(notebook) + "\n")
    except OSError as error:
        raise ChapterFailed(f"{path.name} could not be stored: {error}") from None


def unpinned(root=ROOT):
    """Where the packages that are installed are others than requirements.txt pins, or a line of it
    pins none, in words."""
    seen = set()
    for line in records.text(root / "requirements.txt").splitlines():
        said = line.partition("#")[0].strip()
        pin = PIN.fullmatch(said)
        if said and not pin:
            yield f"requirements.txt has {said!r}, which pins no version: write name==version"
        elif said and SHOWN.match(said) and not PLAIN.match(line):
            yield f"requirements.txt has {said!r}, whose version pages name: begin a line with it,"
            " in small letters, and give it no condition"
        elif said and canonicalize_name(pin["name"]) in seen:  # pages name one version of each
            yield f"requirements.txt pins {pin['name']} twice: write one line for a package"
        elif said and applies(pin["marker"]) is None:
            yield f"requirements.txt has {said!r}, whose condition after ; is none that pip knows"
        elif said and applies(pin["marker"]):
            yield from differs(pin["name"], pin["version"])
        seen |= {canonicalize_name(pin["name"])} if pin else set()


SHOWN = re.compile(r"(?i)(?:sympy|mpmath|numpy|scipy|torch|matplotlib|ipython|ipykernel)\b(?!-)")
PLAIN = re.compile(r"[a-z]+==[\w.]+(?:\s+#.*)?\s*$")
PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[^\s;,*]+)(?:\s*;\s*(?P<marker>.+))?")


def applies(marker):
    """Whether a condition holds of this machine; None where it is none."""
    try:
        return not marker or Marker(marker).evaluate()
    except InvalidMarker:
        return None


def differs(name, pin):
    """What is installed of a package, where it is not what is pinned, in words."""
    try:
        found = metadata.version(name).split("+")[0]
    except metadata.PackageNotFoundError:
        found = "none"
    if found != pin:
        what = f"requirements.txt pins {name} {pin}, and {found} is installed"
        yield f"{what}: remove .venv, then call make again"


# many notebooks


def needs(paths):
    """For each notebook, those among `paths` whose results it takes with `earlier("label")`."""
    makes, takes = {}, {}
    for path in paths:
        takes[path] = set()
        for name, label in calls(path):
            if name == "earlier":
                takes[path].add(label)
            else:
                makes.setdefault(label, path)
    return {
        path: {makes[label] for label in labels & makes.keys()} - {path}
        for path, labels in takes.items()
    }


def calls(path):
    """Every call with a string in the code of the notebook at `path`."""
    for number, cell in enumerate(read(path).cells, 1):
        if cell.cell_type == "code":
            try:
                yield from called(cell.source)
            except SyntaxError as error:
                raise SystemExit(
                    f"{path.name}, cell {number}: is not Python: {unparsed(error)}"
                ) from None


def run_all(paths, work=run, jobs=2):
    """Do `work` on each notebook, after those that it needs; yields path and result or exception,
    as they come.
    """
    order = TopologicalSorter(needs(paths))
    try:
        order.prepare()
    except CycleError as error:
        raise SystemExit(
            "these chapters need each other: " + ", ".join(path.stem for path in error.args[1])
        ) from None
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=end_with_parent
    ) as pool:
        pending = {}
        while order.is_active():
            pending |= {pool.submit(work, path): path for path in order.get_ready()}
            try:
                done, _ = wait(pending, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt:
                stop()
                raise
            for future in done:
                path = pending.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    raise SystemExit(
                        f"{path.name}: the process that ran it was killed, perhaps for want of"
                        " memory; it is left as it was"
                    )
                yield path, future.exception() or future.result()
                order.done(path)


def watched(paths, work, jobs=2):
    """`run_all`, and on a terminal how many are done."""
    with Progress(len(paths)) as progress:
        progress.at(0, "chapters")
        for done, found in enumerate(run_all(paths, work, jobs), 1):
            progress.hide()
            yield found
            progress.at(done, "chapters")


def stop():
    """End the workers and their kernels, so that nothing waits for a chapter."""
    for worker in active_children():
        for child in psutil.Process(worker.pid).children(recursive=True):
            child.kill()
        worker.kill()


def end_with_parent():
    """When the process that started this worker ends, end it and its kernels, which would run on
    for nobody; an interruption, which a terminal sends to both, is the parent's.
    """
    signal.signal(signal.SIGINT, lambda *_: None)  # which no kernel inherits, as SIG_IGN would be

    def watch():
        connection.wait([parent_process().sentinel])
        for child in psutil.Process().children(recursive=True):
            child.kill()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main():
    parser = argparse.ArgumentParser(
        prog="python -m logpartition_book.run", description="Execute chapters in place."
    )
    parser.add_argument("slugs", nargs="*", help="chapters, all when none is named")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (default 2)")
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error(f"--jobs: got {arguments.jobs}, needs at least 1")
    files.at_home()
    gates.demand(list(gates.run(gates.FILES, ROOT)))
    known = {path.stem: path for path in notebooks(ROOT)}
    if unknown := set(arguments.slugs) - known.keys():
        parser.error(f"no such notebook in _toc.yml: {', '.join(sorted(unknown))}")
    if wrong := list(unpinned()):
        sys.exit("\n".join(wrong))
    settle()
    failed = 0
    for path, result in watched(
        [known[slug] for slug in arguments.slugs or known], run, arguments.jobs
    ):
        if isinstance(result, (ChapterFailed, Unreadable)):
            failed += 1
            print(f"\n{result}\n{path.name} is left as it was.\n", file=sys.stderr)
        elif isinstance(result, BaseException):
            raise result
        else:
            print(f"{path.stem}  {result:.1f} s", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
