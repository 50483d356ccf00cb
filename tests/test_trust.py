"""The page of what is trusted lists it."""

import ast

import pytest

from logpartition_book import trust
from logpartition_book.docstrings import trusted
from logpartition_book.trust import PROOF, modules


def test_the_table_has_the_kernel_and_all_that_it_imports():
    names = {name for name, *_ in modules()}
    kernel = {f"kernel/{path.stem}" for path in (PROOF / "kernel").glob("*.py")}
    assert names == kernel - {"kernel/__init__"} | {"assumed", "errors", "language", "names"}


@pytest.mark.parametrize(
    "line, name",
    [
        ("from logpartition.proof.fresh import f", "fresh"),
        ("import logpartition.proof.fresh as f", "fresh"),
        ("import os, logpartition.proof.fresh", "fresh"),
        ("from logpartition.proof import fresh", "fresh"),
        ("from logpartition import other", "logpartition/other"),
        ("def f():\n    from ..fresh import f", "fresh"),
        ("from .. import fresh", "fresh"),
        ("from ... import other", "logpartition/other"),
        ("from ...other import f", "logpartition/other"),
        ("from ..pack import f", "pack/__init__"),
        ("from .. import pack", "pack/__init__"),
        ("from .. import f", "__init__"),
        ("from logpartition.proof import f", "__init__"),
        ("from ..pack import inner", "pack/inner"),
        ("from ..pack.inner import f", "pack/inner"),
        ("import logpartition.proof.pack", "pack/__init__"),
        ("import sympy.core", ""),
    ],
)
def test_what_the_kernel_imports_is_in_the_table(tmp_path, monkeypatch, line, name):
    proof = tmp_path / "logpartition" / "proof"
    for path in (
        "proof/fresh",
        "proof/__init__",
        "other",
        "proof/pack/__init__",
        "proof/pack/inner",
    ):
        (proof.parent / f"{path}.py").parent.mkdir(parents=True, exist_ok=True)
        (proof.parent / f"{path}.py").write_text("f = 1\n")
    (proof / "kernel").mkdir()
    (proof / "kernel" / "ring.py").write_text(f'"""A ring."""\n{line}\n')
    monkeypatch.setattr(trust, "PROOF", proof)
    found = {found for found, *_ in modules()}
    assert found == {"kernel/ring", name} - {""}


def test_what_is_trusted_imports_nothing_by_a_name_that_it_makes():
    """The table could not tell what."""
    for path in trusted(PROOF):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said = [alias.name for alias in getattr(node, "names", []) if hasattr(alias, "name")]
            said += [getattr(node, "module", None) or "", getattr(node, "id", "")]
            parts = {part for one in said for part in one.split(".")}
            assert not parts & {"importlib", "runpy", "pkgutil", "__import__", "exec", "eval"}, path


def test_the_table_counts_all_lines():
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in trusted(PROOF))
    assert sum(n for *_, n in modules()) == lines
