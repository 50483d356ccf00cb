"""The book's own search: by result and by section, so that a hit is a place on a page and not a
page.

The index is a script, which a page opened from a folder may load too; only the page that searches
loads it.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

from . import katex, pages, plain
from .index import address, number, words
from .markup import element, printed


def entries(app) -> list[dict]:
    """A section is what stands under its own heading; a result is its number, label, title,
    formulas and words."""
    found = []
    for docname in pages.reading_order(app.env):
        tree, title = app.env.get_doctree(docname), app.env.titles[docname].astext()
        for section in tree.findall(nodes.section):
            if section["ids"] and isinstance(section[0], nodes.title):
                text, tex = _read(section, app.env)
                found.append(
                    {
                        "where": title,
                        "name": section[0].astext(),
                        "text": text,
                        "tex": tex,
                        "to": f"{docname}.html#{section['ids'][0]}",
                    }
                )
        for record in app.logpartition.results.values():
            if record["chapter"] == docname:
                found.append(result(app, record, title))
    return found


def result(app, record: dict, chapter: str) -> dict:
    """A result with its statement as MathML, which needs no stylesheet."""
    said = [
        record["text"],
        record.get("printed", ""),
        record.get("argument", ""),
        *(step[key] for step in record["steps"] for key in ("reason", "remark")),
        *record["assumptions"],
        *record["certifies"],
    ]
    said = list(filter(None, said))
    tex = [part for text in said for part, formula in plain.parts(text) if formula]
    return {
        "where": chapter,
        "name": record["title"],
        "number": number(app.env, record["label"]),
        "label": record["label"],
        "badge": words(record),
        "math": katex.mathml(record["statement"]) if record["statement"] else "",
        "text": "; ".join(map(plain.text, said)),
        "tex": " ".join([record["statement"], *tex]),
        "to": address(record["chapter"], record["label"]),
    }


def _read(section: nodes.section, env) -> tuple[str, str]:
    """Words and code under a section's own heading, formulas as they look, and their TeX; results
    have entries of their own."""
    parts, tex = [], []

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
    return " ".join("".join(parts).split()), " ".join(tex)


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
