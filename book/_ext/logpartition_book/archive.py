"""`python -m logpartition_book.archive`: what a journal takes as supplementary material, in a zip.

What is in it and how to check it, the book on paper, the executed notebooks, the results and the
ledger as data, licences, and a list of checksums. The same commit gives the same names and times;
the files are stored in order.
"""

import argparse
import csv
import io
import json
import os
import sys
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from string import Template

from . import build, gates, launch, paper, readings, records
from .addresses import git
from .files import ROOT, at_home, zipped
from .index import INSTEAD, SOURCES, Index, address, is_conditional
from .pages import STATUS

NAME = "attention-is-a-gradient.zip"
BESIDE = ("CITATION.cff", "LICENSE", "LICENSE-TEXT", "requirements.txt")

COLUMNS = "claim source where statement status conditions corrected results see".split()
LISTS = "results", "see"


def ledger(root: Path) -> list[dict]:
    """What the sources claim, in the chapters that are written: a claim's status in a word, what is
    true instead, or the answer to a question, the results that decide it, and those that one may
    see as well. The theorems beyond the sources have no source.
    """
    written, index = {path.stem for path in records.notebooks(root)}, Index(root / "book")

    def addresses(labels):
        return [address(index.results[label]["chapter"], label) for label in labels]

    return [
        {
            "claim": name,
            "source": SOURCES.get(claim.get("seed"), ""),
            "where": claim.get("where", ""),
            "statement": claim["statement"],
            "status": STATUS.get(claim.get("verdict"), ""),
            "conditions": claim["conditions"] if is_conditional(claim) else "",
            "corrected": claim.get("corrected", "") if claim.get("verdict") in INSTEAD else "",
            "results": addresses(index.answers[name]),
            "see": addresses(index.besides[name]),
        }
        for name, claim in sorted(index.claims.items())
        if claim["chapter"] in written
    ]


def table(rows: list[dict]) -> str:
    """The ledger as CSV; several results are separated by blanks."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, **{key: " ".join(row[key]) for key in LISTS}} for row in rows)
    return out.getvalue()


def readme(root: Path) -> str:
    """What is in the archive, of which version and commit it is, and how to check it."""
    template = Path(__file__).parent / "templates" / "archive.md"
    commit, at = git(root, "rev-parse", "HEAD").strip(), launch.repository(root)
    return Template(template.read_text(encoding="utf-8")).substitute(
        title=records.loaded(root / "_config.yml")["title"],
        edition=paper.edition(root)[0],
        paper=paper.NAME,
        repository=f"https://github.com/{at}" if at else "the book's repository",
        commit=f", commit {commit}" if commit else "",
    )


def files(root: Path, output: Path) -> dict[str, bytes]:
    """The contents of the archive, by name."""
    site, rows = output / "html", ledger(root)
    found = {name: (root / name).read_bytes() for name in BESIDE if (root / name).exists()}
    notebooks = (path.name for path in records.notebooks(root))  # as the site offers them
    found |= {f"notebooks/{name}": (site / name).read_bytes() for name in notebooks}
    found |= {name: (site / name).read_bytes() for name in ("results.json", "results.schema.json")}
    found |= {
        launch.SOURCES: (root / "book" / launch.SOURCES).read_bytes(),
        paper.NAME: (output / paper.NAME).read_bytes(),
        "ledger.json": (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode(),
        "ledger.csv": table(rows).encode(),
        "README.md": readme(root).encode(),
    }
    sums = "".join(f"{sha256(found[name]).hexdigest()}  {name}\n" for name in sorted(found))
    return {**found, "SHA256SUMS": sums.encode()}


def make(root: Path, output: Path, path: Path) -> int:
    """Write the archive to `path`, all of it or none, and return its number of files."""
    _, day = paper.edition(root)
    found, part = files(root, output), path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        zipped(found, part, day.astimezone(UTC).timetuple()[:6])
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Make the archive that a journal takes as supplementary material."
    )
    parser.add_argument("--output", type=Path, default=ROOT / "_build", help="the site's folder")
    options = parser.parse_args()
    at_home()
    for needed, command in (("html/results.json", "make book"), (paper.NAME, "make pdf")):
        if not (options.output / needed).exists():
            sys.exit(f"there is no {needed} in {options.output}: call {command}")
    gates.demand(gates.check_book(ROOT) or list(readings.listed(ROOT)))
    if paper.changed(ROOT):
        sys.exit("the archive names its commit, and there are changes since: commit them first")
    if not build.is_site(options.output, build.sources(ROOT)):
        sys.exit(f"the site in {options.output} is not that of the book as it is: call make pdf")
    if not paper.is_of(options.output / "html", ROOT, options.output / paper.NAME):
        sys.exit(f"{paper.NAME} in {options.output} is not of the site there: call make pdf")
    path = options.output / NAME
    print(f"{make(ROOT, options.output, path)} files.\nOpen {path}")


if __name__ == "__main__":
    main()
