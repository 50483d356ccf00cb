"""Notebooks for tests, in few words."""

import nbformat
from logpartition_book import files, seal
from logpartition_book.records import MIME
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

KINDS = {"plain": "text/plain", "markdown": "text/markdown", "latex": "text/latex", "html": "text/html",
         "png": "image/png", "svg": "image/svg+xml", "record": MIME}  # fmt: skip


def notebook(*cells):
    """A notebook of these cells; a string is a cell of text."""
    made = new_notebook(cells=[cell if isinstance(cell, dict) else new_markdown_cell(cell) for cell in cells],
                        metadata={"language_info": {"name": "python"}})
    for number, cell in enumerate(made.cells, 1):
        cell.id = f"cell-{number}"
    return made


def code(source="x = 1", count=1, outputs=(), **metadata):
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata=metadata)


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(**data):
    return new_output("display_data", data={KINDS[key]: value for key, value in data.items()})


def record(label, **keys):
    """A derivation in one step, as the verifier would record it."""
    mutants = {"tried": 3, "killed": 3}
    step = {"latex": "b", "relation": "=", "reason": "", "symbolic": "sums", "numeric": {"points": 12, "digits": 30}, "mutants": mutants,
            "certificate": ""}  # fmt: skip
    return {
        "label": label, "title": f"On {label}", "kind": "derivation", "verdict": "proved", "statement": "a = b", "start": "a",
        "scope": "all sizes", "sizes": "N = 1, 2", "assumptions": [], "where": [], "text": "", "steps": [step], "mutants": mutants,
        "uses": [], "claims": [], "certifies": [], "fingerprint": label,
    } | keys  # fmt: skip


def bundle(record):
    """The output of a cell whose value is this result."""
    title = record.get("title") or record["label"]
    data = {MIME: record, "text/plain": f"{record['label']}: proved", "text/markdown": f"**{title}** $$a = b$$"}
    return new_output("execute_result", data=data, execution_count=1)


def result(label, count=1, **keys):
    """The cell of a result."""
    return code(f'derive("{label}", a)', count, [bundle(record(label, **keys))])


def store(notebook, path, root=None):
    """Write a notebook, sealed for the book in `root`."""
    if root:
        seal.seal(notebook, root)
    files.write(path, nbformat.writes(notebook) + "\n")
