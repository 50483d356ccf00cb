"""What a page shows of passages that nobody has read since they changed: at its top a note that
names them, and at each of them a mark. It is put there after all that a page's author writes."""

from bisect import bisect
from html import escape
from itertools import groupby
from pathlib import Path

from docutils import nodes

from . import readings
from .markup import E, around
from .records import MIME, stored

SAID = "Not read since it changed"


def begin(app):
    root = Path(app.srcdir).parent
    known = readings.passages(root)
    app.logpartition_unread = readings.by_page(readings.unread(root, known))
    app.logpartition_lines = {  # at which the passages of a page begin
        Path(source).stem: [passage.place for passage in found]
        for source, found in known.items()
        if source.endswith((".ipynb", ".md"))
    }


def mark(app, doctree, docname):
    """Set the unread passages of a page apart."""
    found, lines = app.logpartition_unread.get(docname, ()), app.logpartition_lines.get(docname, [])
    places = {passage.place for passage in found}

    def place(node):
        """The place of the unread passage that a node is of, or has in it, as a figure its caption;
        else 0."""
        inner = () if isinstance(node, (nodes.section, nodes.Invisible)) else node.findall()
        known = (bisect(lines, getattr(one, "line", None) or 0) for one in inner)
        return next((lines[at - 1] for at in known if at and lines[at - 1] in places), 0)

    if app.builder.format == "html" and places & set(lines):
        apart(doctree, place, set())


def apart(parent, place, seen):
    children = []
    for at, group in groupby(parent.children, place):
        first, *rest = group
        whole = [] if isinstance(first, nodes.title) else [first]
        if at:
            said = E("p", f"{SAID}:", class_="lp-unread-label", id=at not in seen and address(at))
            children += [] if whole else [first]
            children.append(around("div", said, *whole, *rest, holds="typed", class_="lp-unread"))
            seen.add(at)
        else:
            children += [first, *rest]
    parent.children = []
    parent.extend(children)
    for child in children:
        if isinstance(child, nodes.section):
            apart(child, place, seen)


def address(place):
    return f"unread-{place}" if isinstance(place, int) else place


def topped(html, found):
    """A page with the note below its title, where there is something to note."""
    if not found:
        return html
    items = "".join(f"<li>{link(passage, html)}</li>" for passage in found)
    several = len(found) > 1
    shared = any(passage.page == "index" and not passage.place for passage in found)
    where = "this or every page" if shared else "this page"
    note = (
        f'<div class="lp-unread-note" role="note" aria-label="{SAID}">'
        f"<details><summary>{len(found)} passage{'s' * several} of"
        f" {where} {'have' if several else 'has'} not been read since the last change</summary>"
        f"<ul>{items}</ul></details></div>"
    )
    head, title, rest = html.partition("</h1>")
    return f"{head}{title}{note}{rest}" if title else f"{note}{html}"


def link(passage, html):
    """The beginning of a passage, which leads to it where the page has its address."""
    to, said = escape(address(passage.place)), escape(passage.begins) or "without words"
    return f'<a href="#{to}">{said}</a>' if f'id="{to}"' in html else said


def note(app, pagename, templatename, context, doctree):
    found, body = list(app.logpartition_unread.get(pagename, ())), context.get("body")
    if pagename == "errata":  # which shows some of the claims
        claims = (
            passage._replace(place=passage.place.replace("claim-", "erratum-"))
            for passage in app.logpartition_unread.get("ledger", ())
            if isinstance(passage.place, str)
        )
        found += [claim for claim in claims if f'id="{claim.place}"' in body]
    if body:
        context["body"] = topped(body, found)


def of_result(app, record):
    """The unread passages that a result's own page shows: the cell that made it."""
    chapter = Path(app.srcdir) / f"{record['chapter']}.ipynb"
    found = app.logpartition_unread.get(chapter.stem)
    cells = stored(chapter).cells if found else ()
    return [
        passage
        for passage in found or ()
        for output in cells[passage.place // readings.CELL - 1].get("outputs", ())
        if output.get("data", {}).get(MIME, {}).get("label") == record["label"]
    ]


def setup(app):
    app.connect("builder-inited", begin)
    app.connect("doctree-resolved", mark, priority=950)  # after `provenance`
    app.connect("html-page-context", note, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
