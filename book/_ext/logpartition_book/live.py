"""`{live}`: the first picture of a chapter with its controls, as the chapter's last run stored it,
on a page that is no notebook."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from logpartition._figure import live

from . import records
from .markup import around

FIGURE = '<figure class="lp-figure"'


def picture(notebook: Path) -> str:
    """The HTML of the first picture that readers move, or nothing."""
    for cell in records.stored(notebook).cells:
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            if html.startswith(FIGURE):
                return live(html)
    return ""


class Live(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (slug,) = self.arguments
        for notebook in records.notebooks(Path(self.env.srcdir).parent):
            if notebook.stem == slug and (html := picture(notebook)):
                self.env.note_dependency(notebook)
                drawn = nodes.raw(html, html, format="html")
                return [around("div", drawn, holds="cell", class_="lp-live")]
        raise self.error(f"no chapter {slug!r} has a picture that readers move")


def setup(app) -> dict:
    app.add_directive("live", Live)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
