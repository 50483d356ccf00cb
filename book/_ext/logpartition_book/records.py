"""Results as the notebooks store them: read, never computed here.

A chapter's cell outputs carry one record a result under the MIME type `MIME`. The site reads them
with this module; the gates and the audit read those of a notebook that they hold by
`chapter_gates.records_of`.
"""

import json
import os
import re
from functools import lru_cache
from pathlib import Path

import nbformat
import yaml

os.environ.pop("NBFORMAT_VALIDATOR", None)  # which nbformat would ask for another one
MIME = "application/vnd.logpartition.result+json"


class Unreadable(ValueError):
    """A file of the book that cannot be read; says which one, where, and why."""


def slugs(root: Path) -> list[str]:
    """Slugs of the pages of `root/_toc.yml`, in reading order, the front page left out."""
    return _listed(loaded(Path(root) / "_toc.yml"))


def _listed(entry: dict) -> list[str]:
    """Every `file:` of a table of contents, depth first."""
    found = [entry["file"]] if "file" in entry else []
    for key in ("parts", "chapters", "sections"):
        for child in entry.get(key, []):
            found += _listed(child)
    return found


def notebooks(root: Path) -> list[Path]:
    """The chapters that are notebooks, in the order of the table of contents."""
    paths = (Path(root) / "book" / f"{slug}.ipynb" for slug in slugs(root))
    return [path for path in paths if path.exists()]


def read(path: Path) -> nbformat.NotebookNode:
    """The notebook at `path`, of the form that nbformat 4.5 prescribes: of a later one nbformat
    lets through what it does not know."""
    path = Path(path)
    try:
        notebook = nbformat.reader.reads(text(path))
        form = notebook.nbformat, notebook.get("nbformat_minor")
        if form != (4, 5):
            raise ValueError(f"of nbformat 4.5, but of {'.'.join(map(str, form))}")
        nbformat.validate(notebook)
        json.dumps(notebook, ensure_ascii=False).encode()  # half a character is in no file
        return notebook
    except Unreadable:
        raise
    except Exception as error:  # nbformat lets through what its parts raise
        raise Unreadable(
            f"{path.name} is not a notebook: {_first_line(error)}{hint(path)}"
        ) from None


def stored(path: Path) -> nbformat.NotebookNode:
    """The notebook at `path`, for those who only look: read again when the file has changed."""
    try:
        return _stored(Path(path), Path(path).stat().st_mtime_ns)
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error}") from None


@lru_cache(maxsize=64)
def _stored(path: Path, mtime: int) -> nbformat.NotebookNode:
    return read(path)


def records(notebook: Path) -> list[dict]:
    """The records stored in one notebook, in order.

    Each has two keys more than the stored record: `chapter`, the notebook's slug, and `seconds`,
    the time the verification took when the notebook was last run (None where the output does not
    say).
    """
    notebook = Path(notebook)
    return list(_read(notebook, notebook.stat().st_mtime_ns))


@lru_cache(maxsize=256)
def _read(notebook: Path, mtime: int) -> tuple[dict, ...]:
    try:
        outputs = [
            output
            for cell in json.loads(text(notebook))["cells"]
            if cell["cell_type"] == "code"
            for output in cell.get("outputs", ())
        ]
        return tuple(
            {
                **output["data"][MIME],
                "chapter": notebook.stem,
                "seconds": output.get("metadata", {}).get(MIME, {}).get("seconds"),
            }
            for output in outputs
            if MIME in output.get("data", ())
        )
    except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise Unreadable(f"{notebook.name} is not a notebook: {error!r}{hint(notebook)}") from None


def all_records(book: Path) -> list[dict]:
    """The records of every chapter of the book in folder `book`, in reading order."""
    return [record for notebook in notebooks(Path(book).parent) for record in records(notebook)]


def claims(book: Path) -> dict[str, dict]:
    """The entries of `claims.yaml` by id: what the sources state, then the theorems beyond them
    (B01, …).
    """
    listed = loaded(Path(book) / "claims.yaml")
    return {entry["id"]: entry for part in ("claims", "beyond") for entry in listed[part]}


class Strict(yaml.CSafeLoader):
    """YAML in which a key that is given twice is an error, and not overwritten in silence."""

    def construct_mapping(self, node, deep=False):
        seen = []
        for key, _ in node.value:
            seen.append(self.construct_object(key))
            if seen.count(seen[-1]) > 1:
                raise yaml.YAMLError(
                    f"the key {seen[-1]!r} is given twice in one entry, line"
                    f" {key.start_mark.line + 1}"
                )
        return super().construct_mapping(node, deep)


def loaded(path: Path):
    """The contents of a YAML file."""
    try:
        return yaml.load(text(path), Loader=Strict)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(
            f"{path.name} is not YAML: {' '.join(str(error).split())}{hint(path)}"
        ) from None


def text(path: Path) -> str:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe, which never ends
            raise OSError("it is no file")
        found = path.read_text(encoding="utf-8")
        if found.startswith("\ufeff"):
            raise OSError("it begins with a byte order mark")
        return found
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path.name} cannot be read: {error}") from None


def hint(path: Path) -> str:
    """Where a merge left its marks, if it did."""
    marked = merged(text(path))
    return f" (a merge left its marks in line {marked[0]})" if marked else ""


def merged(source: str) -> list[int]:
    """The lines that are the marks of a merge."""
    lines = enumerate(source.splitlines(), 1)
    return [number for number, line in lines if re.match(r"(?:([<>|])\1{6}(?: |$)|={7}$)", line)]


def _first_line(error: Exception) -> str:
    return (str(error).strip() or repr(error)).splitlines()[0]
