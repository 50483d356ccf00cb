"""Mends of what the book is built with.

The theme draws its icons twice, by a font and by a script of 1.5 MB that replaces what the font drew: the font is enough.
sphinx-proof gives the content of every definition and exercise of a page the same id.
"""

from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform


class NumberRepeatedIds(SphinxTransform):
    """Makes the ids of the contents of sphinx-proof's boxes differ."""

    default_priority = 900

    def apply(self, **kwargs) -> None:
        contents = [section for section in self.document.findall(nodes.section) if section["ids"] == ["proof-content"]]
        for place, section in enumerate(contents, 1):
            section["ids"] = [f"proof-content-{place}"]


def lighten(app, error) -> None:
    """Empty the icon script, half the weight of a first visit."""
    script = Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"
    if error is None and app.builder.format == "html":
        if not script.exists():
            raise FileNotFoundError(f"the theme has no {script.name} any more; this module can go")
        script.write_text("// icons are drawn by the font\n", encoding="utf-8")


def setup(app) -> dict:
    app.add_transform(NumberRepeatedIds)
    app.connect("build-finished", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
