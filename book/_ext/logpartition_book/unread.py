"""What a page shows of passages that nobody has read since they changed: at its top a note that
names them, and at each of them a mark. It is put there after all that a page's author writes."""

import re
from bisect import bisect
from html import escape
from itertools import groupby
from pathlib import Path

from docutils import nodes

from . import live, programs, readings
from .markup import E, around
from .records import MIME, stored

TRUST = "trust"  # the page that says what readings are
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


def topped(html, own, led=(), means=""):
    """A page with the note below its title, where there is something to note: passages of its own,
    and of what it has words of; `means` is where a page says what that is."""
    found = [*own, *led]
    if not found:
        return html
    means = means and f'<p><a href="{means}">What this means</a></p>'
    items = "".join(f"<li>{link(passage, html)}</li>" for passage in found)
    several = len(found) > 1
    since = "have not been read since they" if several else "has not been read since it"
    shared = any(passage.page == "index" and not passage.place for passage in found)
    wheres = ["this page", *["what is on every page"] * shared, *["what it leads to"] * bool(led)]
    *first, last = wheres
    where = f"{', of '.join(first)}, or of {last}," if first else last
    note = (
        f'<div class="lp-unread-note" role="note" aria-label="{SAID}">'
        f"<details><summary>{len(found)} passage{'s' * several} of"
        f" {where} {since} changed</summary>"
        f"<ul>{items}</ul>{means}</details></div>"
    )
    head, title, rest = html.partition("</h1>")
    return f"{head}{title}{note}{rest}" if title else f"{note}{html}"


def link(passage, html):
    """The beginning of a passage, which leads to it where the page has its address."""
    to, said = escape(address(passage.place)), escape(passage.begins) or "without words"
    return f'<a href="#{to}">{said}</a>' if f'id="{to}"' in html else said


def note(app, pagename, templatename, context, doctree):
    if body := context.get("body"):
        own = app.logpartition_unread.get(pagename, ())
        context["body"] = topped(body, own, led_to(app, body, own), meaning(app))


def meaning(app, above=""):
    return f"{above}{TRUST}.html" if TRUST in app.env.found_docs else ""


def led_to(app, html, own, there=()):
    """The unread passages, but for the page's `own`, that it has words of, or a card: those of the
    ids that are `there`, or to which its links lead."""
    there = {*there, *NAMED.findall(html)}
    return [
        passage._replace(place=min(ids & there, key=lambda one: f'id="{one}"' not in html))
        for passage, ids in told_elsewhere(app)
        if passage not in own and ids & there
    ]


NAMED = re.compile(r'(?:href="[^"#]*#(?:equation-)?|\bid=")([\w-]+)"')
BESIDE = re.compile(r'href="([\w-]+)\.html"')  # as single results lead to each other


def told_elsewhere(app):
    """Each unread passage that other pages lead to, or show, and the names by which they do: cells
    that make results, or pictures, claims, and entries of the bibliography."""
    if not hasattr(app, "logpartition_elsewhere"):
        unread = (passage for each in app.logpartition_unread.values() for passage in each)
        cited = {one.key: one.citation_id for one in app.env.get_domain("cite").citations}
        found = ((passage, names(app, passage, cited)) for passage in unread)
        app.logpartition_elsewhere = [(passage, ids) for passage, ids in found if ids]
    return app.logpartition_elsewhere


def names(app, passage, cited):
    """The ids of what a passage makes on the pages of the site."""
    if isinstance(passage.place, str) and passage.place.startswith("claim-"):
        claim = passage.place.removeprefix("claim-")  # which may be an erratum no more
        return {passage.place, f"erratum-{claim}", f"errata-00{claim[1:2]}"}
    if passage.page == "references":
        return {cited[key] for key in {passage.begins} & {*cited}}
    chapter = Path(app.srcdir) / f"{passage.page}.ipynb"
    number = passage.place // readings.CELL if isinstance(passage.place, int) else 0
    return of_cell(chapter, number) if number and chapter.exists() else set()


def of_cell(chapter, number):
    """The ids of the results that a cell makes, of their programs, of the errata that they are, and
    of its picture; and of those of the cells that compute with what it makes."""
    found = set()
    for one in {number, *programs.users(chapter).get(number, ())}:
        outputs = stored(chapter).cells[one - 1].get("outputs", ())
        made = [output["data"][MIME] for output in outputs if MIME in output.get("data", ())]
        found |= {f"{kind}-{record['label']}" for record in made for kind in ("eq", "program")}
        refutations = [record for record in made if record["kind"] == "refutation"]
        found |= {f"erratum-{claim}" for record in refutations for claim in record["claims"]}
        found |= {live.address(chapter.stem, one)} if outputs else set()
    return found


def of_result(app, record, html):
    """The page of a result with a note on the cell that made it, and on what it leads to."""
    label = f"eq-{record['label']}"
    own = [passage for passage, ids in told_elsewhere(app) if label in ids]
    besides = {f"eq-{label}" for label in BESIDE.findall(html)}
    return topped(html, own, led_to(app, html, own, besides), meaning(app, "../"))


def setup(app):
    app.connect("builder-inited", begin)
    app.connect("doctree-resolved", mark, priority=950)  # after `provenance`
    app.connect("html-page-context", note, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
