"""The book's own tools: with these it reads results from notebooks, and makes a site of them.

As a Sphinx extension, it sets maths with KaTeX, draws result boxes, and makes the pages that are
made of records.
"""

import py_compile
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

HERE = Path(__file__).parent


def by_source() -> None:
    """Have Python know by its text what it compiled of the library and of these tools: by time and
    size alone it takes a file for the one that it compiled before."""
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    for path in (*HERE.rglob("*.py"), *(HERE.parents[2] / "lib").rglob("*.py")):
        with suppress(OSError, py_compile.PyCompileError):
            compiled = Path(cache_from_source(path))
            if compiled.exists():
                with compiled.open("rb") as file:
                    if file.read(8)[4:] == b"\3\0\0\0":
                        continue
            py_compile.compile(str(path), doraise=True, invalidation_mode=mode)


by_source()


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

    from .files import packages
    from .launch import published

    files = [
        *(path for path in HERE.rglob("*") if "__pycache__" not in path.parts),
        HERE.parent / "package-lock.json",
        *book.glob("_static/*"),
        *(path for path in book.glob("*.*") if path.suffix not in (".ipynb", ".md")),
        *(book.parent / "lib").rglob("*.py"),
        book.parent / "_toc.yml",
        book.parent / "_config.yml",
    ]
    content = b"".join(path.read_bytes() for path in sorted(files) if path.is_file())
    said = [*packages(), published(book.parent)]
    return sha256(content + repr(said).encode()).hexdigest()
