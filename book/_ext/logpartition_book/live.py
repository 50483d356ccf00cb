"""`{live} slug words`: a picture of a chapter with its controls, as the chapter's last run stored
it, on a page that is no notebook; its alt text begins with these words. It has the address
`live-slug-n` there, where cell n of the chapter puts it out."""

from html import unescape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from logpartition._figure import BEGIN, live

from . import records
from .markup import around

FIGURE = '<figure class="lp-figure"'


def picture(notebook: Path, words: str) -> tuple[int, str]:
    """The number of the cell that puts out the picture that readers move whose alt text begins with
    these words, and its HTML; 0 and nothing where none does."""
    for number, cell in enumerate(records.stored(notebook).cells, 1):
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            drawn = html.startswith(FIGURE) and BEGIN.search(html)
            if drawn and unescape(drawn[4]).startswith(words):
                return number, live(html)
    return 0, ""


def address(slug: str, number: int) -> str:
    """Where a page shows the picture of a chapter's cell."""
    return f"live-{slug}-{number}"


class Live(SphinxDirective):
    required_arguments, final_argument_whitespace = 2, True

    def run(self) -> list[nodes.Node]:
        slug, words = self.arguments
        for notebook in records.notebooks(Path(self.env.srcdir).parent):
            number, html = picture(notebook, words) if notebook.stem == slug else (0, "")
            if html:
                self.env.note_dependency(notebook)
                drawn, place = nodes.raw(html, html, format="html"), address(slug, number)
                return [around("div", drawn, holds="cell", class_="lp-live", id=place)]
        raise self.error(f"no chapter {slug!r} has a picture that begins with {words!r}")


def setup(app) -> dict:
    app.add_directive("live", Live)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
