"""The book's own tools: with these it reads results from notebooks, and makes a site of them.

As a Sphinx extension, it sets maths with KaTeX, draws result boxes, and makes the pages that are made of records.
"""


def setup(app) -> dict:
    for module in ("markup", "katex", "index", "pages", "theme"):
        app.setup_extension(f"logpartition_book.{module}")
    return {"parallel_read_safe": True, "parallel_write_safe": False}
