"""LaTeX in the book's notation, and what a reader without the renderer sees."""

import pytest
from sympy import Derivative, Eq, Ge, Rational, Sum, Symbol, exp, log

from logpartition.proof import array, cite, derive, named, observe, refute
from logpartition.proof.display import abbreviations, assumptions, badge, line, markdown, tex
from logpartition.proof.sample import Domain

from .symbols import G, N, Z, b, beta, d, distributed, j, k, n, p, q, r, t, v, x, y


@pytest.mark.parametrize("e, text", [
    (k[j, b], "k_{jb}"), (v[1], "v_{1}"), (Derivative(G, q[b]), r"\frac{\partial G}{\partial q_{b}}"), (Derivative(exp(t), t), r"\frac{d}{d t} e^{t}"),
    (x / y, r"\frac{x}{y}"), (x * (y + 1), r"x \, \left(y + 1\right)"), (-x, "- x"), (log(Z), r"\log Z"), (Rational(1, 2) * x, r"\frac{x}{2}"),
    (Sum(v[j], (j, 1, N)), r"\sum_{j=1}^{N} v_{j}")], ids=str)
def test_tex(e, text):
    assert tex(e) == text


def test_assumptions_name_everything_that_varies():
    S = array("S", d, d, domain="symmetric")
    lines = assumptions(Domain([k[j, b] * q[b] * p[j] * beta * x * n * S[b, b] * Symbol("z")]), [Ge(r[j], x), Eq(Derivative(exp(t), (t, n)), exp(t))])
    text = " ".join(lines)
    for words in (r"N, d \ge 1", r"k \in", r"q \in", r"p \in", "sums to 1", r"\beta > 0", "$x$ real", r"$n \ge 1$ an integer", "symmetric", "$z$ complex", "for all $j$", "for all $t$"):
        assert words in text, words


def test_abbreviations_come_after_those_that_they_use():
    assert [text.split(" = ")[0] for text in abbreviations([G])] == ["$Z", "$G"]


def test_badges():
    assert badge(distributed().record) == "proved"
    assert badge(derive("q", Sum(x, (j, 1, N))).eq(N * x, "count").record) == "proved for all sizes"
    assert badge(derive("q", N * x, given=[Eq(N, 2)]).eq(2 * x, "two").record) == "proved for N = 2"
    assert badge(derive("q", Sum(x, (j, 1, N))).eq(N * x, "count", by="numbers").record) == "checked numerically, N = 1, 2, 3, 5"


def test_markdown_and_line():
    true = distributed()
    text = markdown(true.record)
    assert text.startswith("**distributed** (proved)") and "\\begin{aligned}" in text and "\\text{multiply out}" in text
    assert line(true.record).startswith("distributed: proved; ") and "\n" not in line(true.record)
    wrong = markdown(refute("wrong", Eq(x * (1 + y), x + y), corrected=true, location="000, eq. (1)").record)
    assert "As printed (000, eq. (1))" in wrong and "False at $x = " in wrong
    assert "tolerance" in markdown(observe("seen", "a coin", measured=0.51, predicted=0.5, standard_error=0.01).record)
    assert "a theorem" in markdown(cite("known", "a theorem", source="rockafellar1970").record)


def test_names_stay_on_the_page():
    assert tex(named("A", x + y) * x) == r"x \, A"


def test_words_as_printed_are_not_maths():
    true = derive("true", (t + 1) ** 2).eq(t**2 + 2 * t + 1, "expand")
    shown = markdown(refute("words", "“squares are linear”", corrected=true, by=[true], location="000").record)
    assert "As printed (000):\n\n“squares are linear”" in shown and "$$" not in shown
    shown = markdown(refute("formula", Eq((t + 1) ** 2, t**2 + 1), corrected=true, location="000").record)
    assert "As printed (000):\n\n$$" in shown
