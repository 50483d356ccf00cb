"""The book's own search: by result and by section, so that a hit is a place on a page and not a
page.

The index is a script, which a page opened from a folder may load too; only the page that searches
loads it.
"""

import json
from collections import defaultdict
from functools import partial
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

from . import katex, pages, plain, symbols
from .index import address, named, number, words
from .markup import element, printed
from .prose import maths
from .results import FORMULA, announced

NAMES = "notation", "other-names"  # the page and the section that list them


def entries(app) -> list[dict]:
    """A section is what stands under its own heading; a result is its number, label, title,
    formulas and words."""
    found, also = [], aliases(app.env)
    for docname in pages.reading_order(app.env):
        tree, title = app.env.get_doctree(docname), app.env.titles[docname].astext()
        for section in tree.findall(nodes.section):
            if section["ids"] and isinstance(section[0], nodes.title):
                text, tex, code = _read(section, app.env)
                found.append(
                    {
                        "where": title,
                        "name": section[0].astext(),
                        "text": text,
                        "tex": tex,
                        "code": code,
                        "to": f"{docname}.html#{section['ids'][0]}",
                    }
                )
        for record in app.logpartition.results.values():
            if record["chapter"] == docname:
                found.append(result(app, record, title))
                if record["label"] in also:
                    found[-1]["aliases"] = also[record["label"]]
        if docname == symbols.PAGE:
            found += [symbol(row, title) for row in symbols.symbols(app.env)]
    return found


def symbol(row: dict, page: str) -> dict:
    """A row of the notation."""
    return {
        "where": page,
        "name": row["name"],
        "symbols": symbols.queries(row["tex"]),
        "text": row["text"],
        "tex": " ".join(row["tex"]),
        "code": "",
        "to": row["to"],
    }


def aliases(env) -> dict[str, list[str]]:
    """What else a result is looked for as, by its label: from the notation's table of names."""
    found = defaultdict(list)
    tree = env.get_doctree(NAMES[0]) if NAMES[0] in env.all_docs else nodes.section()
    for section in tree.findall(nodes.section):
        bodies = section.findall(nodes.tbody) if NAMES[1] in section["ids"] else ()
        for names, where in (row.children for body in bodies for row in body):
            for reference in where.findall(addnodes.pending_xref):
                label = reference["reftarget"].removeprefix("eq-")
                found[label] += [name.strip() for name in names.astext().split(",")]
    return found


def result(app, record: dict, chapter: str) -> dict:
    """A result with its statement as MathML, which needs no stylesheet; the reasons of its chain
    are found, and are no part of the excerpt."""
    source = record.get("printed", "")
    said = [
        record["text"],
        f"${source}$" if source and announced(record) == FORMULA else source,
        record.get("argument", ""),
        *record["assumptions"],
    ]
    reasons = [step[key] for step in record["steps"] for key in ("reason", "remark")]
    tex = [formula for text in filter(None, said + reasons) for formula, _ in maths(text)]
    return {
        "where": chapter,
        "name": record["title"],
        "number": number(app.env, record["label"]),
        "label": record["label"],
        "badge": words(record),
        "math": katex.mathml(record["statement"]) if record["statement"] else "",
        "text": _told(app.env, said),
        "reasons": _told(app.env, reasons),
        "tex": " ".join([record["statement"], *tex]),
        "code": " ".join(record["certifies"]),
        "to": address(record["chapter"], record["label"]),
    }


def _told(env, said) -> str:
    """Texts in a row: a sentence has its own end, and anything else a semicolon."""
    texts = (plain.text(text, partial(named, env)) for text in said if text)
    parts = (text if text.endswith((".", "?", "!")) else f"{text};" for text in texts)
    return " ".join(parts).removesuffix(";")


def _read(section: nodes.section, env) -> tuple[str, str, str]:
    """Words under a section's own heading, formulas as characters, their TeX, and the code; results
    have entries of their own."""
    parts, tex, code = [], [], []

    def walk(node: nodes.Node) -> None:
        if (
            isinstance(node, (nodes.section, nodes.title, nodes.raw, nodes.comment, printed))
            or isinstance(node, element)
            and node["ids"]
        ):
            return
        if isinstance(node, addnodes.pending_xref) and node["reftype"] in ("eq", "numref"):
            parts.append(f"({number(env, node['reftarget'].removeprefix('eq-'))})")
        elif isinstance(node, (nodes.math, nodes.math_block)):
            parts.append(katex.text(katex.display_form(node.astext())))
            tex.append(node.astext())
        elif isinstance(node, nodes.literal_block) and "python" in node.get("language", ""):
            code.append(node.astext())
        elif isinstance(node, nodes.Text):
            parts.append(node.astext())
        else:
            for child in node.children:
                walk(child)
            if isinstance(
                node, (nodes.paragraph, nodes.literal_block, nodes.term, nodes.math_block)
            ):
                parts.append(" ")

    for child in section.children:
        walk(child)
    return " ".join("".join(parts).split()), " ".join(tex), " ".join(" ".join(code).split())


def own_search(app) -> None:
    """Sphinx makes no index: it knows pages only, and reads each formula thrice."""
    app.builder.search = False


def page(app):
    """The search page, and the index that it loads."""
    target = Path(app.outdir) / "_static" / "search-index.js"
    target.parent.mkdir(exist_ok=True)
    target.write_text(
        f"const BOOK = {json.dumps(entries(app), ensure_ascii=False, separators=(',', ':'))};\n",
        encoding="utf-8",
    )
    yield "search", {"title": "Search"}, "search.html"


def setup(app) -> dict:
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    app.connect("builder-inited", own_search)
    app.connect("html-collect-pages", page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
