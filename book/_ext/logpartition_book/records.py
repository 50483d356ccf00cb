"""Results as the notebooks store them: read, never computed here.

A chapter's cell outputs carry one record a result under the MIME type `MIME`. The site, the gates and the audit all
read them with this module, so that they agree on what the book holds.
"""

import json
from functools import lru_cache
from pathlib import Path

import yaml

MIME = "application/vnd.logpartition.result+json"


def _listed(entry: dict) -> list[str]:
    """Every `file:` of a table of contents, depth first."""
    found = [entry["file"]] if "file" in entry else []
    for key in ("parts", "chapters", "sections"):
        for child in entry.get(key, []):
            found += _listed(child)
    return found


def slugs(root: Path) -> list[str]:
    """Slugs of the pages of `root/_toc.yml`, in reading order, the front page left out."""
    return _listed(yaml.safe_load((Path(root) / "_toc.yml").read_text(encoding="utf-8")))


def notebooks(root: Path) -> list[Path]:
    """The chapters that are notebooks, in the order of the table of contents."""
    paths = (Path(root) / "book" / f"{slug}.ipynb" for slug in slugs(root))
    return [path for path in paths if path.exists()]


def records(notebook: Path) -> list[dict]:
    """The records stored in one notebook, in order.

    Each has two keys more than the stored record: `chapter`, the notebook's slug, and `seconds`, the time the
    verification took when the notebook was last run (None where the output does not say).
    """
    notebook = Path(notebook)
    return list(_read(notebook, notebook.stat().st_mtime_ns))


@lru_cache(maxsize=256)
def _read(notebook: Path, mtime: int) -> tuple[dict, ...]:
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{notebook.name} is not a notebook: {error!r}") from error
    outputs = (output for cell in cells for output in cell.get("outputs", ()))
    return tuple(
        {**output["data"][MIME], "chapter": notebook.stem, "seconds": output.get("metadata", {}).get(MIME, {}).get("seconds")}
        for output in outputs
        if MIME in output.get("data", ())
    )


def all_records(book: Path) -> list[dict]:
    """The records of every chapter of the book in folder `book`, in reading order."""
    return [record for notebook in notebooks(Path(book).parent) for record in records(notebook)]


def claims(book: Path) -> dict[str, dict]:
    """The entries of `claims.yaml` by id: what the sources state, then the theorems beyond them (B01, …)."""
    listed = yaml.load((Path(book) / "claims.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {entry["id"]: entry for part in ("claims", "beyond") for entry in listed[part]}
