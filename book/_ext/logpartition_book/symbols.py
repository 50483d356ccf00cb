"""What the notation page says of each symbol: a place to link to, for the search, and the data of
cards; and what the front page says of each badge.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import SphinxError

from . import plain
from .theme import plain as characters

PAGE = "notation"
FIRST = re.compile(  # the letter that a formula begins with, and a star that is a part of it
    r"(?:\\mathbb\{\w\}|\\operatorname\{(?P<name>\w+)\}|\\(?P<command>[a-zA-Z]+)|\w)(?:\^\*)?"
)
BADGE = re.compile(r"\[([^\]]+)\]\{\.lp-badge \.lp-([\w-]+)\}")


def rows(tree: nodes.document) -> list[nodes.row]:
    """The rows of the page's first table, a symbol or several in each."""
    return list(next(tree.findall(nodes.tbody), nodes.tbody()).children)


def places(app, tree: nodes.document) -> None:
    """A row's address is its first symbol."""
    if app.env.docname == PAGE:
        known = []
        for row in rows(tree):
            formula = next(row.findall(nodes.math), None)
            if not (found := formula and FIRST.match(formula.astext())):
                raise SphinxError(
                    f"{PAGE}.md: the row {row.astext()!r} begins with no letter in a formula, by"
                    " which one finds it"
                )
            known.append(re.sub(r"\W", "", re.sub(r"\\(?:mathbb|operatorname)", "", found[0])))
            again = known.count(known[-1])
            row["ids"].append(f"symbol-{known[-1]}{f'-{again}' if again > 1 else ''}")


def symbols(env) -> list[dict]:
    """Each row: its address, its symbols in TeX, its cells as HTML and in characters."""
    if PAGE not in env.all_docs:
        return []
    found = []
    for row in rows(env.get_doctree(PAGE)):
        said, means = row.children
        tex = [formula.astext() for formula in said.findall(nodes.math)]
        found.append(
            {
                "to": f"{PAGE}.html#{row['ids'][0]}",
                "letters": [letter(one) for one in tex],
                "tex": tex,
                "said": html(said),
                "means": html(means),
                "name": characters(said),
                "text": characters(means),
            }
        )
    return found


def letter(tex: str) -> str:
    """What a formula begins with, `\\beta`, `Z`, `Var`, `\\mathbb{E}` or `G^*`: cards-content.js
    reads the letters of a formula in the same way."""
    found = FIRST.match(tex)
    return found["name"] or found[0]


def queries(tex: list[str]) -> list[str]:
    """What a reader types who looks for one of these symbols: `G*`, `beta` or `β`, `k_j` or `k`."""
    forms = [form for one in tex for form in (letter(one), re.split(r"[ (]", one)[0])]
    forms += [form.replace("^", "") for form in forms]
    forms += [form.removeprefix("\\") for form in forms]
    forms += [re.sub(r"^mathbb\{(\w)\}$", r"\1", form) for form in forms]
    forms += [characters(nodes.math(form, form)) for form in map(letter, tex)]
    return list(dict.fromkeys(forms))


def html(cell: nodes.Node) -> str:
    """Words, and formulas as MathML."""
    return "".join(
        plain.mathml(leaf.astext()) if isinstance(leaf.parent, nodes.math) else escape(leaf)
        for leaf in cell.findall(nodes.Text)
    )


def badges(book: Path) -> list[tuple[str, str, str]]:
    """(words of a badge, its kind, what happened) of each badge in the front page's table."""
    found = []
    for line in (book / "index.md").read_text(encoding="utf-8").splitlines():
        if kinds := line.startswith("|") and BADGE.findall(line):
            said = plain.html(line.strip("| ").rpartition(" | ")[2])
            found += [(*kind, said) for kind in kinds]
    return found


def setup(app) -> dict:
    app.connect("doctree-read", places)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
