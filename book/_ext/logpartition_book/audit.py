"""Try every mutant of every link: `python -m logpartition_book.audit`, which writes
book/audit.json.

A run of a chapter tries a bounded sample of the mutants; here the notebooks run once more with
LOGPARTITION_AUDIT=full, under which the verifier tries all. What they print is not stored, only the
counts, and the hash of what each chapter depends on, by which the gates notice that the audit is of
another one.
"""

import json
import sys

from . import files, gates
from .chapter_gates import records_of
from .files import ROOT
from .records import Unreadable, notebooks
from .run import ChapterFailed, execute, settle, watched
from .seal import digest, inputs

TARGET = ROOT / "book" / "audit.json"


def audit(path):
    """Mutants tried, killed and equivalent for each result of one notebook, and the hash of what
    the notebook depends on.
    """
    notebook = execute(path, LOGPARTITION_AUDIT="full")
    records = [record for _, record in records_of(notebook)]
    results = {
        record["label"]: dict(record["mutants"], chapter=path.stem)
        for record in records
        if record["mutants"]["tried"]
    }
    return inputs(notebook), results


def report(audited):
    """The contents of book/audit.json from what `audit` returned for each chapter."""
    results = {
        label: counts for _, chapter in audited.values() for label, counts in chapter.items()
    }
    return sealed(
        {
            "chapters": {slug: inputs for slug, (inputs, _) in audited.items()},
            "results": results,
            "tried": sum(counts["tried"] for counts in results.values()),
            "killed": sum(counts["killed"] for counts in results.values()),
        }
    )


def sealed(contents):
    """The contents with a digest, by which the gates notice an edit."""
    return {**contents, "digest": digest(contents)}


def living(contents):
    """The results of which a mutant was accepted."""
    return {
        label: counts
        for label, counts in contents["results"].items()
        if counts["killed"] != counts["tried"]
    }


def main():
    files.at_home()
    gates.demand(list(gates.run(gates.FILES, ROOT)))
    settle()
    audited = {}
    for path, outcome in watched(notebooks(ROOT), audit):
        if isinstance(outcome, (ChapterFailed, Unreadable)):
            sys.exit(f"{outcome}\nThe audit stops here, and {TARGET.name} is left as it was.")
        if isinstance(outcome, BaseException):
            raise outcome
        audited[path.stem] = outcome
        print(f"{path.stem}: {len(outcome[1])} results", flush=True)
    contents = report(audited)
    files.write(TARGET, json.dumps(contents, indent=1, sort_keys=True) + "\n")
    for label, counts in sorted(living(contents).items()):
        print(
            f"{label}: {counts['tried'] - counts['killed']} of {counts['tried']} mutants live",
            file=sys.stderr,
        )
    print(f"{contents['killed']} of {contents['tried']} mutants killed")
    sys.exit(contents["killed"] != contents["tried"])


if __name__ == "__main__":
    main()
