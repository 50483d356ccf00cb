"""The page of the library: every public name is on it, in the words of its docstring."""

import ast
import inspect

import pytest

import logpartition.hopfield
import logpartition.proof
from logpartition_book import book_gates, library
from logpartition_book.files import ROOT

LISTED = {name: node for path in library.modules() for name, node in library.definitions(path)}


def test_every_function_that_a_result_may_certify_has_an_address():
    names = set(book_gates.derivations(ROOT))
    assert names and {name for name in names if name.count(".") == 2} <= set(LISTED)


def test_the_verifier_is_all_there():
    said = {name.split(".")[-1] for name in LISTED if name.startswith("logpartition.proof.")}
    assert said == set(logpartition.proof.__all__)


@pytest.mark.parametrize("name", LISTED)
def test_it_says_what_it_does(name):
    assert ast.get_docstring(LISTED[name])


def test_a_signature_is_the_functions_own():
    made = library.signature(LISTED["logpartition.hopfield.retrieve"])
    assert list(inspect.signature(logpartition.hopfield.retrieve).parameters) == [
        "state", "patterns", "beta", "tolerance", "max_steps",
    ]  # fmt: skip
    assert made == "retrieve(state, patterns, *, beta=1.0, tolerance, max_steps)"


def test_paragraphs_formulas_and_names():
    found = library.prose("One `name`.\n\n    x = 1\n      y\n\nTwo.\nSource: here.")
    assert [node["name"] for node in found] == ["p", "pre", "p", "p"]
    assert found[1].astext() == "x = 1\n  y" and found[0][1]["name"] == "code"
