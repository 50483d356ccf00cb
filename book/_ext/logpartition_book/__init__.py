"""The book's own tools: with these it reads results from notebooks, and makes a site of them.

As a Sphinx extension, it sets maths with KaTeX, draws result boxes, and makes the pages that are
made of records.
"""

from pathlib import Path


def setup(app) -> dict:
    for module in (
        "markup", "katex", "index", "pages", "search", "objects", "leaves", "chapter", "theme",
        "trust", "library", "lost", "launch", "provenance", "workbench", "live",
        "unread", "symbols",
    ):  # fmt: skip
        app.setup_extension(f"logpartition_book.{module}")
    return {
        "env_version": _fingerprint(Path(app.srcdir)),
        "parallel_read_safe": True,
        "parallel_write_safe": False,
    }


def _fingerprint(book: Path) -> str:
    """Changes when anything but a page does: of other files Sphinx asks for the time at most, and
    would keep pages that were made of an earlier one.
    """
    from hashlib import sha256

    from .launch import published

    here = Path(__file__).parent
    files = [
        *here.glob("*.*"),
        *here.glob("static/*"),
        *here.glob("bench/*"),
        *here.glob("templates/*"),
        here.parent / "package-lock.json",
        *book.glob("_static/*"),
        *(path for path in book.glob("*.*") if path.suffix not in (".ipynb", ".md")),
        *(book.parent / "lib").rglob("*.py"),
        book.parent / "_toc.yml",
        book.parent / "_config.yml",
    ]
    content = b"".join(path.read_bytes() for path in sorted(files) if path.is_file())
    return sha256(content + published(book.parent).encode()).hexdigest()
