"""A failure in a notebook is one paragraph that names the step."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sympy import Ge, Le, Sum, Symbol, exp

from logpartition.proof import derive, rearrange
from logpartition.proof.errors import IllFormed, Refuted, Undecided
from logpartition.proof.printer import text, with_letters

from .symbols import N, d, j, l, t, v

SLIP = """
from sympy import symbols
from logpartition.proof import derive
x, y = symbols("x y", real=True)
derive("slip", (x + y)**2).eq(x**2 + y**2, "expand")
"""


def test_in_a_notebook():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SLIP)])
    with pytest.raises(CellExecutionError):
        NotebookClient(notebook, kernel_name="python3").execute()
    (error,) = notebook.cells[0].outputs
    assert error.output_type == "error" and error.ename == "Refuted"
    (line,) = error.traceback
    assert "\n" not in line
    start = "Refuted: slip, step 1 (expand): (x + y)^2 = x^2 + y^2. This is false: at "
    assert line.startswith(start)


def test_a_chain_without_a_link_ends_a_notebook():
    source = SLIP.partition(".eq")[0]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    with pytest.raises(CellExecutionError, match="IllFormed: slip. A chain without a link"):
        NotebookClient(notebook, kernel_name="python3").execute()
    said = {error.evalue for error in notebook.cells[0].outputs}
    assert said == {"slip. A chain without a link states nothing"}


def test_a_certificate_is_shown_as_its_author_wrote_it():
    high = Symbol("B", real=True)
    chain = derive("bound", Sum(exp(v[j]), (j, 1, N)), given=[Le(v[j], high)])
    for certificate, said in (
        (Sum(exp(high), (j, 1, N)) - Sum(exp(v[j]), (j, 1, N)), r"is not manifestly of one sign"),
        (Sum(exp(high) + exp(v[j]), (j, 1, N)), r"is not shown to be the difference"),
    ):
        with pytest.raises(Undecided, match=said) as error:
            chain.le(N * exp(high), rearrange, certificate=certificate)
        assert f"the certificate {text(certificate)} {said}" in str(error.value)


def test_no_message_shows_a_letter_of_the_core_language():
    squares = Sum(v[j] ** 2, (j, 1, N))
    chain = derive("narrow", Sum(2 * v[j], (j, 1, N)), given=[Ge(squares, 3), Le(squares, 2)])
    with pytest.raises(IllFormed, match=r"3 ≤ Sum\(v\[j\]\*\*2, \(j, 1, N\)\); Sum"):
        chain.eq(2 * Sum(v[j], (j, 1, N)), rearrange)


MESSAGES = {
    "no inner letter": ("x_1_0 and p}_1_0 and _1", "x_1_0 and p}_1_0 and _1"),
    "one letter for one variable": ("_1_0 + x[_1_0]", "j + x[j]"),
    "another letter for another": ("_2_0 + _1_0 + _1_1", "j + l + m"),
    "a copy of one": ("__1_0 in v[__1_0]", "j in v[j]"),
    "none that is there": ("j*_1_0 + l + m_a", "j*m + l + m_a"),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_letters(case):
    inner, said = MESSAGES[case]
    assert with_letters(inner) == said


def test_letters_are_those_of_the_author():
    within, known = Sum(v[l], (l, 1, d)), [Le(d**3 + d, N**3 + N)]
    with pytest.raises(IllFormed, match=r"that l in v\[l\] lies between 1 and N"):
        derive("slip", within * (t + 1), given=known).eq(within * t + within, rearrange)


def test_a_counterexample_names_letters_as_a_terminal_can_show_them():
    eta = Symbol(r"\eta", real=True)
    with pytest.raises(Refuted, match=r"at η = 1, the left side is 2 and the right side is 3"):
        derive("slip", 2 * eta).eq(3 * eta, rearrange)
