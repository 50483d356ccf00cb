"""Checks of the stored notebooks: what running them again does not notice. `python -m logpartition_book.gates [notebook ...]`.

A gate is a function that yields what is wrong. The gates of a chapter read one notebook and yield (cell, message); the
gates of the book read all of its records. Cells are counted from 1.
"""

import argparse
import ast
import json
import re
import sys
from collections import Counter
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import nbformat

from . import addresses
from .inline_maths import has_relation, states_equation
from .prose import pieces
from .records import MIME, all_records, claims, notebooks
from .run import ROOT, inputs


class Finding(NamedTuple):
    path: Path
    cell: int | None
    message: str

    def __str__(self):
        return f"{self.path.name}{f', cell {self.cell}' if self.cell else ''}: {self.message}"


def cells(notebook, kind):
    return ((number, cell) for number, cell in enumerate(notebook.cells, 1) if cell.cell_type == kind)


def outputs(notebook):
    return ((number, output) for number, cell in cells(notebook, "code") for output in cell.outputs)


# one clean run, from the first cell to the last


def unrun(notebook, root):
    """nbval passes a cell that has neither a count nor outputs, and compares nothing."""
    for number, cell in cells(notebook, "code"):
        if cell.execution_count is None:
            yield number, "was never run" if cell.source.strip() else "is empty"


def out_of_order(notebook, root):
    for expected, (number, cell) in enumerate(cells(notebook, "code"), 1):
        if cell.execution_count not in (None, expected):
            yield number, f"has count {cell.execution_count}, and is code cell {expected}: not one run from top to bottom"


def complaints(notebook, root):
    for number, output in outputs(notebook):
        if output.output_type == "error":
            yield number, f"holds an error: {output.ename}: {output.evalue}"
        elif output.get("name") == "stderr":
            yield number, f"wrote to stderr: {output.text.strip().splitlines()[0]}"


def volatile(notebook, root):
    for number, output in outputs(notebook):
        text = "".join(output.get("text", "")) + "".join(output.get("data", {}).get("text/plain", ""))
        if address := re.search(r"<[\w.]+ [^<>]*at 0x[0-9a-f]+>", text):
            yield number, f"prints a place in memory, another one in each run: {address[0]}"


def stale(notebook, root):
    stored = notebook.metadata.get("logpartition", {}).get("inputs")
    if stored != inputs(notebook, root):
        yield None, "is stale: its code, the library or a pin has changed since its outputs were made (`make run`)"


def uncompared(notebook, root):
    """Only a picture may go uncompared; the numbers behind it stand in a cell that is compared."""
    for number, cell in cells(notebook, "code"):
        marks = {tag for tag in cell.metadata.get("tags", ()) if tag.startswith(("nbval-", "raises-exception"))}
        marks |= {f"# {mark}" for mark in re.findall(r"^\s*#+\s*((?:NBVAL|PYTEST_VALIDATE)_\w+)", cell.source, re.MULTILINE)}
        if extra := marks - {"nbval-ignore-output"}:
            yield number, f"keeps nbval from comparing ({', '.join(sorted(extra))}): only the tag nbval-ignore-output is allowed"
        elif marks and any(not is_picture(output) for output in cell.outputs):
            yield number, "is not compared (nbval-ignore-output), and has more outputs than pictures"


def is_picture(output):
    data = output.get("data", {})
    return any(kind.startswith("image/") for kind in data) or is_drawing(data)


def is_drawing(data):
    return "<svg" in "".join(data.get("text/html", ""))


# every displayed equation is printed by a result


def typed_equations(notebook, root):
    """Display maths is typed in definitions only, and inline maths states nothing long: equations come from results."""
    for number, cell in cells(notebook, "markdown"):
        yield from ((number, message) for message in equations_in(cell.source))


def equations_in(markdown):
    for piece in pieces(markdown):
        if piece.kind == "display" and "prf:definition" not in piece.directives:
            yield f"display maths typed outside a definition: {shorten(piece.text)}"
        elif piece.kind == "inline" and "prf:definition" not in piece.directives and states_equation(piece.text):
            yield f"an equation typed in the text, which a result should print: {shorten(piece.text)}"


def unverified_outputs(notebook, root):
    """Maths that code displays by itself has a relation in it, and no record beside it."""
    for number, output in outputs(notebook):
        data = output.get("data", {})
        maths = "".join(data.get("text/latex", "")) + "".join(re.findall(r"\$\$.*?\$\$", "".join(data.get("text/markdown", "")), re.DOTALL))
        if MIME not in data and has_relation(maths):
            yield number, f"displays an equation that no result stands behind: {shorten(maths)}"


def bundles(notebook, root):
    """A result is stored as record, Markdown and plain text, and the three are of the same result."""
    for number, output in outputs(notebook):
        record = output.get("data", {}).get(MIME)
        if record is None:
            continue
        for kind, name in (("text/plain", record["label"]), ("text/markdown", record["title"] or record["label"])):
            if name not in "".join(output.data.get(kind, "")):
                yield number, f"result {record['label']}: its {kind} is missing or does not say {name!r}"


# the rest of the page

REFERENCE = re.compile(
    r"(?i)\b(?:arxiv|chapter|definition|eqs?\.?|equations?|figure|lemma|proposition|section|table|theorem|§"
    r"|v|version|python|pytorch|torch|sympy|numpy|mpmath|matplotlib)[\s(:]*$"
)
DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d{2,})(?:e([-+]?\d+)|\s*(?:\\times|\\cdot|×|·)\s*10\^\{?(-?\d+)\}?)?(?!\.?\d)")
ARXIV = re.compile(r"\d{4}\.\d{4,5}")


def unprinted_numbers(notebook, root):
    """A number with two decimals or more in the text is one that a cell of the notebook printed, correctly rounded."""
    printed = printed_numbers(notebook)
    for number, cell in cells(notebook, "markdown"):
        for piece in pieces(cell.source):
            if piece.kind not in ("text", "inline", "heading"):
                continue
            for match in DECIMAL.finditer(piece.text):
                if REFERENCE.search(piece.text[: match.start()]) or ARXIV.fullmatch(match[0]):
                    continue
                value = Decimal(f"{match[1]}e{match[2] or match[3] or 0}")
                if not any(rounds_to(other, value) for other in printed):
                    yield number, f"the number {match[0]} is printed by no cell"


def printed_numbers(notebook):
    texts = []
    for _, output in outputs(notebook):
        data = output.get("data", {})
        texts += ["".join(output.get("text", ""))] + ["".join(data.get(kind, "")) for kind in ("text/plain", "text/markdown")]
        texts.append(re.sub(r"<(svg|script|style)\b.*?</\1>|<[^>]*>", " ", "".join(data.get("text/html", "")), flags=re.DOTALL))
        texts.append(json.dumps(data.get(MIME, "")))
    return {Decimal(match) for text in texts for match in re.findall(r"\d+\.\d+(?:[eE][-+]?\d+)?", text)}


def rounds_to(printed, written):
    """Whether `written` is `printed` rounded to as many digits as `written` has."""
    unit = written.as_tuple().exponent
    if printed.as_tuple().exponent > unit:
        return False
    wide = Context(prec=200)
    return any(printed.quantize(Decimal(1).scaleb(unit), rounding, wide) == written for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN))


def headings(notebook, root):
    for number, cell in cells(notebook, "markdown"):
        yield from ((number, message) for message in maths_in_headings(cell.source))


def maths_in_headings(markdown):
    for piece in pieces(markdown):
        if piece.kind == "heading" and re.search(r"[$\\]", piece.text):
            yield f"maths in the heading {piece.text!r}"


def figures(notebook, root):
    """Every picture says in words what it shows."""
    for number, cell in cells(notebook, "code"):
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        for output in filter(is_picture, cell.outputs):
            if not is_drawing(output.data):
                if not alt.strip():
                    yield number, "its picture has no alt text (metadata mystnb.image.alt)"
            elif not re.search(r"""(aria-label|aria-labelledby|alt)=["'][^"']|<title>\s*\S""", "".join(output.data["text/html"])):
                yield number, "its drawing has no aria-label or title"
    for number, cell in cells(notebook, "markdown"):
        yield from ((number, message) for message in mute_pictures(cell.source))


def mute_pictures(markdown):
    for piece in pieces(markdown):
        if piece.kind == "picture" and not piece.text.strip():
            yield "a picture without alt text"


CHAPTER_GATES = (
    unrun, out_of_order, complaints, volatile, stale, uncompared, typed_equations, unverified_outputs, bundles, unprinted_numbers, headings, figures,
)  # fmt: skip
PAGE_GATES = (equations_in, maths_in_headings, mute_pictures)


# the book as a whole


def pages(root):
    """What holds of the chapters' text holds of the pages beside them; all of notation.md is definitions."""
    for path in sorted((root / "book").glob("*.md")):
        for gate in PAGE_GATES[path.stem == "notation" :]:
            yield from (Finding(path, None, message) for message in gate(path.read_text(encoding="utf-8")))


def unlisted(root):
    for path in sorted(set((root / "book").glob("*.ipynb")) - set(notebooks(root))):
        yield Finding(path, None, "is not in _toc.yml, so no reader gets to see it")


def labels(root):
    """A label is one result's address, and a result used is a result that exists."""
    records = all_records(root / "book")
    count = Counter(record["label"] for record in records)
    for record in records:
        if count[record["label"]] > 1:
            yield found(root, record, "its label is given to more than one result")
        for used in record["uses"]:
            if used not in count:
                yield found(root, record, f"uses {used!r}, a label that no result has")
    try:
        TopologicalSorter({record["label"]: record["uses"] for record in records}).prepare()
    except CycleError as error:
        loop = error.args[1]
        record = next(record for record in records if record["label"] == loop[0])
        yield found(root, record, f"rests on itself: {' → '.join(reversed(loop))}")


def answers(root):
    """A result answers claims of claims.yaml, and a chapter that is there answers all of its claims."""
    known, records = claims(root / "book"), all_records(root / "book")
    for record in records:
        for claim in record["claims"]:
            if claim not in known:
                yield found(root, record, f"answers {claim!r}, which is not in claims.yaml")
    answered = {claim for record in records for claim in record["claims"]}
    for path in notebooks(root):
        for name, claim in known.items():
            if claim["chapter"] == path.stem and name not in answered:
                yield Finding(path, None, f"claim {name} is answered by no result")


def permanence(root):
    """What a reader may have noted down stays, and is on the list of what has to stay."""
    path, there, noted = root / "book" / "addresses.txt", addresses.current(root), addresses.listed(root)
    yield from (Finding(path, None, f"{address} is gone, and readers may hold it") for address in sorted(noted - there))
    if new := there - noted:
        yield Finding(path, None, f"{len(new)} addresses are not on the list (`make addresses`)")


def certificates(root):
    """A function names the results that derive it, and these name the function."""
    derived, records = derivations(root), all_records(root / "book")
    certified = {(name, record["label"]) for record in records for name in record["certifies"]}
    for name, (path, named) in derived.items():
        for label in sorted(named):
            if (name, label) not in certified:
                yield Finding(path, None, f"{name} says that it is derived in {label!r}, and no such result certifies it")
    for record in records:
        for name in record["certifies"]:
            if name not in derived:
                yield found(root, record, f"certifies {name}, which is no public function of the library")
            elif record["label"] not in derived[name][1]:
                yield found(root, record, f"certifies {name}, whose docstring does not say `Derived in: {record['label']}`")


def derivations(root):
    """Each public function and method of the library by its dotted name: its file, and the labels its docstring names."""
    found = {}
    for path in sorted((root / "lib" / "logpartition").glob("[!_]*.py")):
        for name, node in public(ast.parse(path.read_text(encoding="utf-8")), f"logpartition.{path.stem}"):
            lines = re.findall(r"Derived in:\s*(.+?)\.?$", ast.get_docstring(node) or "", re.MULTILINE)
            found[name] = path, {label.strip(" `") for line in lines for label in line.split(",")}
    return found


def public(tree, prefix):
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield f"{prefix}.{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public(node, f"{prefix}.{node.name}")


def found(root, record, message):
    return Finding(root / "book" / f"{record['chapter']}.ipynb", None, f"result {record['label']}: {message}")


BOOK_GATES = (pages, unlisted, labels, answers, permanence, certificates)


# all of them


def check_chapter(path, root=ROOT):
    """Findings of every chapter gate on one notebook."""
    notebook = nbformat.read(path, as_version=4)
    for gate in CHAPTER_GATES:
        yield from (Finding(path, cell, message) for cell, message in gate(notebook, root))


def check_book(root=ROOT):
    """Findings of every gate on every notebook of the book."""
    for path in sorted((root / "book").glob("*.ipynb")):
        yield from check_chapter(path, root)
    for gate in BOOK_GATES:
        yield from gate(root)


def shorten(text, width=90):
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def main():
    parser = argparse.ArgumentParser(prog="python -m logpartition_book.gates", description="Check the stored notebooks.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="these notebooks alone; the whole book when none is named")
    named = parser.parse_args().notebooks
    findings = [finding for path in named for finding in check_chapter(path)] if named else list(check_book())
    for finding in findings:
        print(finding)
    sys.exit(f"{len(findings)} findings" if findings else 0)


if __name__ == "__main__":
    main()
