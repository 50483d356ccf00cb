"""Mends of what the book is built with.

The theme draws its icons twice, by a font and by a script of 1.5 MB that replaces what the font drew: the font is enough.
sphinx-proof gives the content of every definition and exercise of a page the same id: nothing refers to it.
"""

from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform


class DropRepeatedId(SphinxTransform):
    """Takes the id off the content of sphinx-proof's boxes."""

    default_priority = 900

    def apply(self, **kwargs) -> None:
        for section in self.document.findall(nodes.section):
            if section["ids"] == ["proof-content"]:
                section["ids"] = []


def lighten(app, error) -> None:
    """Empty the icon script, half the weight of a first visit."""
    script = Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"
    if error is None and app.builder.format == "html":
        if not script.exists():
            raise FileNotFoundError(f"the theme has no {script.name} any more; this module can go")
        script.write_text("// icons are drawn by the font\n", encoding="utf-8")


def setup(app) -> dict:
    app.add_transform(DropRepeatedId)
    app.connect("build-finished", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
