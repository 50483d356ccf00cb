"""The page of the library: every public name is on it, in the words of its docstring."""

import ast
import doctest
import inspect
from importlib import import_module

import pytest

import logpartition.hopfield
import logpartition.proof
from logpartition_book import book_gates, docstrings, library
from logpartition_book.files import ROOT

LISTED = {
    name: node for path in docstrings.modules() for name, node in docstrings.definitions(path)
}


def test_every_function_that_a_result_may_certify_has_an_address():
    names = set(book_gates.derivations(ROOT))
    assert {name for name in names if name.count(".") == 2} == {
        name for name in LISTED if name.count(".") == 2
    }


def test_the_verifier_is_all_there():
    said = {name.split(".")[-1] for name in LISTED if name.startswith("logpartition.proof.")}
    assert said == set(logpartition.proof.__all__)


@pytest.mark.parametrize("name", LISTED)
def test_it_says_what_it_does(name):
    assert ast.get_docstring(LISTED[name])


@pytest.mark.parametrize("name", [n for n in LISTED if ".proof." not in n])
def test_its_example_prints_what_it_says(name):
    """Of a tuple of results the function that returns it has one."""
    module, name = name.rsplit(".", 1)
    names = vars(import_module(module))
    tuples = hasattr(names[name], "_fields")
    text = inspect.getdoc(names[name])
    example = doctest.DocTestParser().get_doctest(text, {**names}, name, module, 0)
    done = doctest.DocTestRunner(verbose=False).run(example)
    assert not done.failed and (done.attempted or tuples)


OTHERS = {  # examples in what else the page shows: modules, what is in classes, the verifier
    f"{path.stem}: {name}": (import_module(docstrings.called(path)), said)
    for path in docstrings.modules()
    for name, said in [
        ("", ast.get_docstring(docstrings.tree(path)) or ""),
        *(
            (name, ast.get_docstring(each) or "")
            for listed in docstrings.definitions(path)
            for name, each in docstrings.members(*listed)
            if name.count(".") > 2 or ".proof." in name
        ),
    ]
    if ">>>" in said
}


def failures(said, known):
    example = doctest.DocTestParser().get_doctest(said, {**known}, "example", "example", 0)
    return doctest.DocTestRunner(verbose=False).run(example).failed


def test_other_examples_print_what_they_say():
    assert failures(">>> 1 + 1\n3", {})
    assert {
        case for case, (module, said) in OTHERS.items() if failures(said, vars(module))
    } == set()


@pytest.mark.parametrize(
    "written, shown",
    [
        ("self, x: int, shape=(1, _N, 2), _seen=f(a, _b)", "x, shape=(1, _N, 2)"),
        ("x, /, y=2, *, z=', _a', _w=None", "x, /, y=2, *, z=', _a'"),
        ("*terms: Term, _memo=None, **names", "*terms, **names"),
    ],
)
def test_a_signature_has_its_defaults_whole(written, shown):
    assert docstrings.said(ast.parse(f"def f({written}): pass").body[0].args) == shown


def test_a_signature_is_the_functions_own():
    made = docstrings.signature(LISTED["logpartition.hopfield.retrieve"])
    assert list(inspect.signature(logpartition.hopfield.retrieve).parameters) == [
        "state", "patterns", "beta", "tolerance", "max_steps",
    ]  # fmt: skip
    assert made == "retrieve(state, patterns, *, beta=1.0, tolerance, max_steps)"


SOURCE = '''
class Law:
    """A law.

    Source: somebody. Derived in: first-law, second-law,
        third-law.

    More.
    """

    def mean(self):
        """m. Derived in: `a-mean`"""

    def _own(self):
        """Derived in: nothing"""

def _own():
    """Derived in: nothing"""

limit = 3
"""Of the terms."""
_own_limit = 3
"""Of others."""
'''


def test_public_names_and_the_results_that_derive_them(tmp_path):
    path = tmp_path / "laws.py"
    path.write_text(SOURCE)
    found = [
        (name, *docstrings.split(node))
        for listed in docstrings.definitions(path)
        for name, node in docstrings.members(*listed)
    ]
    assert found == [
        (
            "logpartition.laws.Law",
            "A law.\n\nSource: somebody.\n\nMore.",
            ["first-law", "second-law", "third-law"],
        ),
        ("logpartition.laws.Law.mean", "m.", ["a-mean"]),
        ("logpartition.laws.limit", "Of the terms.", []),
    ]


def test_paragraphs_formulas_and_names():
    said = "One `name`.\n\n    x = 1\n      y\n\nTwo.\nSource: here.\n\n>>> f(`)\n1"
    found = library.prose(said)
    assert [node["name"] for node in found] == ["p", "pre", "p", "p", "pre"]
    assert found[4].astext() == ">>> f(`)\n1"
    assert found[1].astext() == "x = 1\n  y" and found[0][1]["name"] == "code"
