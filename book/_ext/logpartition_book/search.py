"""The book's own search: by result and by section, so that a hit is a place on a page and not a
page.

The index is a script, which a page opened from a folder may load too; only the page that searches
loads it.
"""

import json
import re
from collections import defaultdict
from functools import partial
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import get_mime_priority
from sphinx import addnodes
from sphinx_proof.nodes import definition_node

from logpartition.proof.display import FORMULA, announced

from . import katex, library, pages, plain, symbols
from .index import INSTEAD, address, answered_at, is_conditional, named, number, origin, words
from .markup import element, printed
from .prose import maths
from .records import claims, notebooks

NAMES = "notation", "other-names"  # the page and the section that list them
REFERENCES = "references"
INLINE = set("a cite code em small span strong sub sup".split())
CONTROLS = {"form", "details"}  # what is in them is made of results, which have entries
LINK = "headerlink"  # the sign beside a heading


def entries(app) -> list[dict]:
    """A section is what stands under its own heading; a result is its number, label, title,
    formulas and words; and so are a symbol, a function of the library, a claim and a source."""
    found, also = [], aliases(app.env)
    claimed = claims_by_page(app)
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
                if section.parent is tree and (place := chapter(app.env, docname)):
                    found[-1]["place"] = place
        found += [definition(app.env, one, docname, title) for one in tree.findall(definition_node)]
        for record in app.logpartition.results.values():
            if record["chapter"] == docname:
                found.append(result(app, record, title))
                if record["label"] in also:
                    found[-1]["aliases"] = also[record["label"]]
        if docname == symbols.PAGE:
            found += [symbol(row, title) for row in symbols.symbols(app.env)]
        if docname == REFERENCES:
            found += sources(app.env, title)
        for function in filter(library.is_entry, tree.findall(element)):
            found.append(described(function, app.env, docname, title))
        found += [claim(app.env, *one, title) for one in claimed[docname]]
    return found


def chapter(env, docname: str) -> str:
    """A chapter by its number, as `Chapter 3`; nothing for a page that has none."""
    at = env.toc_secnumbers.get(docname, {}).get("")
    return f"Chapter {'.'.join(map(str, at))}" if at else ""


def definition(env, node: definition_node, docname: str, page: str) -> dict:
    """A definition by its number, as its page has it."""
    text, tex, code = _read(node[-1], env)  # behind its title
    numbers = env.toc_fignumbers.get(docname, {}).get(node["countertype"], {})
    place = ".".join(map(str, numbers.get(node["ids"][0], ())))
    place = f"Definition {place}".strip()
    return {
        "where": page,
        "name": " ".join(filter(None, [place, plain.text(node["title"])])),
        "place": place,
        "text": text,
        "tex": tex,
        "code": code,
        "to": f"{docname}.html#{node['ids'][0]}",
    }


def described(function: element, env, docname: str, page: str) -> dict:
    """A function or a class of the library, by its dotted name, with its signature and text."""
    text, tex, code = _read(function, env)
    name = function["ids"][0]
    return {
        "where": page,
        "name": name,
        "text": text,
        "tex": tex,
        "code": code,
        "to": f"{docname}.html#{name}",
    }


def claims_by_page(app) -> dict[str, list]:
    """The claims of the chapters that are written, by the page that has them."""
    book, found = Path(app.srcdir), defaultdict(list)
    written = {path.stem for path in notebooks(book.parent)}
    for name, one in claims(book).items():
        if one["chapter"] in written:
            page, anchor = answered_at(name, one)
            found[page].append((name, one, f"{page}.html#{anchor}"))
    return found


def claim(env, name: str, said: dict, to: str, page: str) -> dict:
    """What a source says, by its place there, or a theorem beyond the sources; with what is true
    instead, and under which condition."""
    instead = INSTEAD.get(said.get("verdict"))
    texts = [said["statement"]]
    texts += [f"{instead}: {said['corrected']}"] if instead and "corrected" in said else []
    texts += [f"if: {said['conditions']}"] if is_conditional(said) else []
    return {
        "where": page,
        "name": origin(said),
        "text": _told(env, texts),
        "tex": " ".join(formula for text in filter(None, texts) for formula, _ in maths(text)),
        "code": name,
        "claim": name,
        "to": to,
    }


def sources(env, page: str) -> list[dict]:
    """The entries of the bibliography, as the book names them."""
    return [
        {
            "where": page,
            "name": named(env, "cite:p", one.key),
            "text": one.formatted_entry.text.render_as("text"),
            "tex": "",
            "code": one.key,
            "to": f"{REFERENCES}.html#{one.citation_id}",
        }
        for one in env.get_domain("cite").citations
    ]


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
    wrong, true = _corrected(record)
    said = [record["text"], wrong, record.get("argument", ""), *record["assumptions"], true]
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
        "answers": [
            claim
            for claim in record["claims"]
            if record["label"] in app.logpartition.answers[claim]
        ],
        "to": address(record["chapter"], record["label"]),
    }


def _corrected(record):
    """What a correction is of, under the name that its box has for it, and what is true instead."""
    if record["kind"] != "refutation":
        return "", ""
    printed, kind = record["printed"], announced(record)
    printed = f"${printed}$" if kind == FORMULA else printed
    place = record["location"] + ", a misprint" * record["misprint"]
    true = record["correction"].replace("$$", "$")
    return f"{kind} ({place}): {printed}", f"true instead: {true}"


def _told(env, said) -> str:
    """Texts in a row: a sentence has its own end, and anything else a semicolon."""
    texts = (plain.text(text, partial(named, env)) for text in said if text)
    texts = (re.sub("[\u2061-\u2064]", "", text) for text in texts)  # signs that are not seen
    parts = (text if text.endswith((".", "?")) else f"{text};" for text in texts)
    return " ".join(parts).removesuffix(";")


def _read(part: nodes.Element, env) -> tuple[str, str, str]:
    """Words of a section under its own heading, or of another part of a page, as the page has
    them: formulas as characters, with their TeX, and the code. What has an entry of its own, such
    as a result, is left out."""
    parts, tex, code = [], [], []
    priority = get_mime_priority(env.app.builder.name, env.config.nb_mime_priority_overrides)

    def walk(node: nodes.Node) -> None:
        if isinstance(node, (nodes.section, nodes.title, nodes.raw, nodes.comment, printed)):
            return
        if isinstance(node, element) and (
            node["ids"] or node["name"] in CONTROLS or node["given"].get("class") == LINK
        ):
            return
        if isinstance(node, addnodes.pending_xref) and node["reftype"] in ("eq", "numref"):
            parts.append(f"({number(env, node['reftarget'].removeprefix('eq-'))})")
        elif isinstance(node, addnodes.pending_xref) and node["refdomain"] == "cite":
            parts.append(named(env, f"cite:{node['reftype']}", node["reftarget"]))
        elif isinstance(node, (nodes.math, nodes.math_block)):
            parts.append(katex.text(katex.display_form(node.astext())))
            tex.append(node.astext())
            parts.append(" " * isinstance(node, nodes.math_block))
        elif isinstance(node, nodes.literal_block) and "python" in node.get("language", ""):
            code.append(node.astext())
        elif isinstance(node, nodes.Text):
            parts.append(node.astext())
        else:
            for child in shown(node):
                walk(child)
            block = element, nodes.paragraph, nodes.literal_block, nodes.term, nodes.math_block
            if isinstance(node, block) and node.get("name") not in INLINE:
                parts.append(" ")

    def shown(node: nodes.Element) -> list[nodes.Node]:
        """What is in it; of the forms of one output the one that the page shows."""
        if node.get("nb_element") != "mime_bundle":
            return node.children
        known = [form for form in node.children if form["mime_type"] in priority]
        return sorted(known, key=lambda form: priority.index(form["mime_type"]))[:1]

    for child in part.children:
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
