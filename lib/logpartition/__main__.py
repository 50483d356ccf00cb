"""Decide the results of the book again, from the records in its notebooks alone.

One line a result; no code of a chapter is imported or run. The exit status is 1 where a record is
not what its own terms give, or, where it has none, not what follows from its parts and from the
other records of the book. Titles, texts and remarks, what a result claims to answer and to certify,
arguments, what their parts are for, and what was measured are taken as they stand.
"""

import argparse
import os
import sys
import time
from glob import glob
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from ._progress import Progress
from .proof.again import decidable, differences
from .proof.display import MIME, bundle
from .proof.earlier import outputs
from .proof.errors import ProofError
from .proof.record import problems

UNSEEN = ("_build", "_ext")  # of a book, what the site leaves out, beside what is hidden


def main():
    parser = argparse.ArgumentParser(prog="python -m logpartition", description=__doc__)
    parser.add_argument("command", choices=["check"])
    parser.add_argument("book", type=Path, help="the folder of the notebooks")
    parser.add_argument("labels", nargs="*", help="results to decide; all when none is named")
    arguments = parser.parse_args()
    os.environ.pop("LOGPARTITION_AUDIT", None)  # a record counts the mutants of a run
    try:
        book = records(arguments.book)
    except ProofError as error:
        parser.error(str(error))
    if unknown := sorted({*arguments.labels} - book.keys()):
        parser.error(f"no result in {arguments.book} is called {', '.join(unknown)}")
    sys.exit(check(book, arguments.labels or list(book)))


def records(folder):
    """The records of a book by label; none stands on itself, near or far."""
    book = {}
    for path in sorted(map(folder.joinpath, glob("**/*.ipynb", root_dir=folder, recursive=True))):
        if path.relative_to(folder).parts[0] in UNSEEN:
            continue
        for cell, shown in outputs(path):
            data = shown[MIME]
            if found := problems(data):
                raise ProofError(f"{path}, cell {cell}: {found[0]}")
            for form, words in bundle(data).items():
                if words != joined(shown.get(form, words)):
                    raise ProofError(f"{path}, cell {cell}: {form} is not what the record says")
            if other := sorted(shown.keys() - bundle(data)):
                raise ProofError(f"{path}, cell {cell}: {other[0]} stands beside the record")
            if book.setdefault(data["label"], data) != data:
                raise ProofError(f"two results of {folder} are called {data['label']}")
    if not book:
        raise ProofError(f"{folder} has no notebook with results")
    try:
        TopologicalSorter({label: data["uses"] for label, data in book.items()}).prepare()
    except CycleError as error:
        raise ProofError(f"these results stand on each other: {', '.join(error.args[1])}") from None
    return book


def joined(said):
    """What an output says, which may be a list of its lines."""
    lines = isinstance(said, list) and all(isinstance(part, str) for part in said)
    return "".join(said) if lines else said


def check(book, labels):
    """Whether a result differs: a line for each that its terms decide, then those without terms."""
    wrong, todo = [], [label for label in labels if decidable(book[label])]
    with Progress(len(labels)) as progress:
        for n, label in enumerate(todo + [label for label in labels if label not in todo]):
            progress.at(n, label)
            begun = time.perf_counter()
            found = differences(book[label], book)
            progress.hide()
            said = f"again in {time.perf_counter() - begun:.1f} s"
            if label not in todo:
                said = "in words or measured: no record decides it"
            if not found:
                print(f"{label}  {book[label]['verdict']}  {said}", flush=True)
            for place, was, anew in found:
                print(f"{label}  DIFFERS  {place}: {brief(was)} in the record, {brief(anew)} anew")
            wrong += [label] if found else []
    again = len(todo) - len([label for label in wrong if label in todo])
    others = len(labels) - len(todo)
    print(f"{again} of {len(todo)} decided again; {others} that no record decides")
    return bool(wrong)


def brief(x):
    said = str(x).replace("\n", " ")
    return f"{said[:300]}…" if len(said) > 300 else said


if __name__ == "__main__":
    main()
