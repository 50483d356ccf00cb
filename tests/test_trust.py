"""The page of what is trusted lists it."""

from logpartition_book.docstrings import trusted
from logpartition_book.trust import PROOF, modules


def test_the_table_has_the_kernel_and_all_that_it_imports():
    names = {name for name, *_ in modules()}
    kernel = {f"kernel/{path.stem}" for path in (PROOF / "kernel").glob("*.py")}
    assert names == kernel - {"kernel/__init__"} | {"assumed", "errors", "language", "names"}


def test_the_table_counts_all_lines():
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in trusted(PROOF))
    assert sum(n for *_, n in modules()) == lines
