"""`{live} slug words`: a picture of a chapter with its controls, as the chapter's last run stored
it, on a page that is no notebook; its alt text begins with these words."""

from html import unescape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from logpartition._figure import BEGIN, live

from . import records
from .markup import around

FIGURE = '<figure class="lp-figure"'


def picture(notebook: Path, words: str) -> str:
    """The HTML of the picture that readers move whose alt text begins with these words, or
    nothing."""
    for cell in records.stored(notebook).cells:
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            drawn = html.startswith(FIGURE) and BEGIN.search(html)
            if drawn and unescape(drawn[4]).startswith(words):
                return live(html)
    return ""


class Live(SphinxDirective):
    required_arguments, final_argument_whitespace = 2, True

    def run(self) -> list[nodes.Node]:
        slug, words = self.arguments
        for notebook in records.notebooks(Path(self.env.srcdir).parent):
            if notebook.stem == slug and (html := picture(notebook, words)):
                self.env.note_dependency(notebook)
                drawn = nodes.raw(html, html, format="html")
                return [around("div", drawn, holds="cell", class_="lp-live")]
        raise self.error(f"no chapter {slug!r} has a picture that begins with {words!r}")


def setup(app) -> dict:
    app.add_directive("live", Live)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
