"""Checks of the book as it is stored: `python -m logpartition_book.gates [notebook ...]`. What its
pages show in the end is checked where they are built (`provenance`).

A gate is a function that yields what is wrong. Those of a chapter read one notebook, those of the
book all of it. The files come first, then what records and claims look like, then all the rest,
since each relies on what is before it.
"""

import argparse
import gc
import sys
from pathlib import Path

from logpartition._progress import Progress

from . import book_gates, chapter_gates, readings, text_gates
from .book_gates import Finding
from .files import ROOT, at_home, say
from .records import Unreadable, read, stored


def on_chapters(gate):
    """The gate of a chapter as a gate of the book."""

    def on_book(root):
        for path in sorted((root / "book").glob("*.ipynb")):
            yield from on_chapter(gate, path, root)

    on_book.__name__ = gate.__name__
    return on_book


def on_chapter(gate, path, root):
    """Findings of the gate of a chapter on one notebook."""
    try:
        yield from (Finding(path, cell, message) for cell, message in gate(stored(path), root))
    except Exception as error:  # what a file may hold has no end, and a gate that falls is closed
        yield fallen(gate, path, error)


def fallen(gate, path, error):
    return Finding(
        path,
        None,
        f"the gate `{gate.__name__}` fell over it: {type(error).__name__}: {error}: it is not what"
        " such a file is; see what was changed in it",
    )


FILES = (*book_gates.FILES, readings.form)
FORM = tuple(map(on_chapters, chapter_gates.FORM))
OF_CHAPTERS = (*chapter_gates.GATES, *text_gates.OF_CHAPTERS)
PERMANENCE = book_gates.permanence
GATES = (*map(on_chapters, OF_CHAPTERS), *book_gates.GATES, *text_gates.GATES)


def unreadable(root=ROOT):
    """Findings of the gates that the others rely on, and the build as well."""
    return list(run(FILES, root)) or list(run(FORM, root))


def check_book(root=ROOT):
    """Findings of every gate on the book in folder `root`."""
    return unreadable(root) or list(run(GATES, root))


def before_addresses(root=ROOT):
    """Findings of the gates that a book passes before its addresses are noted: all but those on the
    list of these, and on the audit.
    """
    later = (PERMANENCE, book_gates.audited)
    return unreadable(root) or run([gate for gate in GATES if gate not in later], root)


def check_chapter(path, root=ROOT):
    """Findings of every chapter gate on one notebook."""
    try:
        read(path)
    except Unreadable as error:
        return [Finding(path, None, str(error))]
    form = [found for gate in chapter_gates.FORM for found in on_chapter(gate, path, root)]
    return form or [found for gate in OF_CHAPTERS for found in on_chapter(gate, path, root)]


def run(gates, root):
    with Progress(len(gates)) as progress:
        for done, gate in enumerate(gates):
            progress.at(done, f"gates: {gate.__name__.replace('_', ' ')}")
            try:
                yield from gate(root)
            except Exception as error:
                yield fallen(gate, root / "book", error)


def demand(findings):
    """Print the findings; ends the program when there are any."""
    if findings:
        say(*findings)
        sys.exit(f"{len(findings)} finding{'s' * (len(findings) > 1)}")


def main():
    parser = argparse.ArgumentParser(
        prog="python -m logpartition_book.gates", description="Check the stored notebooks."
    )
    parser.add_argument(
        "notebooks",
        nargs="*",
        type=Path,
        help="these notebooks alone; the whole book when none is named",
    )
    named = parser.parse_args().notebooks
    at_home()
    gc.disable()  # what is read stays until the end, and looking for garbage takes a quarter
    demand(
        [finding for path in named for finding in check_chapter(path)] if named else check_book()
    )
    if not named:
        readings.tell(ROOT)


if __name__ == "__main__":
    main()
