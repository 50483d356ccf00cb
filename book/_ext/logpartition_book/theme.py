"""What the theme carries and the book does without.

The theme draws its icons twice, by a font and by a script of 1.5 MB that replaces what the font drew. The font is enough.
"""

from pathlib import Path


def lighten(app, error) -> None:
    """Empty the icon script, half the weight of a first visit."""
    script = Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"
    if error is None and app.builder.format == "html":
        if not script.exists():
            raise FileNotFoundError(f"the theme has no {script.name} any more; this module can go")
        script.write_text("// icons are drawn by the font\n", encoding="utf-8")


def setup(app) -> dict:
    app.connect("build-finished", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
