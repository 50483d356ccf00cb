"""True statements hold and false ones fail: among them those that got past the old verifier."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    I,
    Integral,
    KroneckerDelta,
    Max,
    Min,
    Ne,
    Sum,
    Symbol,
    cosh,
    exp,
    factorial,
    log,
    oo,
    pi,
    sqrt,
    tanh,
)  # fmt: skip

from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.language import array, inverse
from logpartition.proof.numeric.compare import search

from .words import A, G, N, X, a, b, beta, c, d, e, j, k, m, mean, n, p, q, r, t, v, x, y

z = Symbol("z", integer=True)
P = (N - 1) * (N - 2) * (N - 3) * (N - 5)
norm = sqrt(Sum(q[a] ** 2, (a, 1, d)))
S = array("S", d, d, domain="definite")
T = inverse(S, "T")
M = array("M", d, d, domain="invertible")
R = inverse(M, "R")
moment = Eq(Sum(p[j] * e[j], (j, 1, N)), Sum(r[j] * e[j], (j, 1, N)))


def survey(left, relation, right, given=()):
    context, sides = elaborate([left, right], [(g, ASSUMED) for g in given])
    return search(context, sides[0], relation, sides[1])


TRUE = [
    (Derivative(G, q[b]), "=", mean(lambda i: k[i, b]), ()),
    (
        Derivative(G, q[b], q[b]),
        "=",
        beta * (mean(lambda i: k[i, b] ** 2) - mean(lambda i: k[i, b]) ** 2),
        (),
    ),
    ((x + y) ** 2, "=", x**2 + 2 * x * y + y**2, ()),
    (Sum(S[a, c] * T[c, b], (c, 1, d)), "=", KroneckerDelta(a, b), ()),
    (
        Sum(M[a, c] * R[c, b], (c, 1, d)),
        "=",
        KroneckerDelta(a, b),
        (Eq(M[a, b], beta * KroneckerDelta(a, b)),),
    ),
    (Sum(v[j] * e[j], (j, 1, N)) ** 2, "=", 0 * x, (Eq(Sum(v[j] * e[j], (j, 1, N)), 0),)),
    (Sum((p[j] - r[j]) * e[j], (j, 1, N)), "=", 0 * x, (moment,)),
    (Max(x, y) + Min(x, y), "=", x + y, ()),
    (log(X), "≤", X - 1, ()),
    (exp(x), ">", 0, ()),
    (Sum(p[j] * log(p[j]), (j, 1, N)), "≤", 0, ()),
    (-log(1 / (1 + exp(-x))), "=", log(1 + exp(x)) - x, ()),
]


@pytest.mark.parametrize("left, relation, right, given", TRUE, ids=lambda z: str(z)[:40])
def test_true(left, relation, right, given):
    found = survey(left, relation, right, given)
    assert found.counterexample is None and len(found.agreements) >= len(found.points) - 2
    assert found.digits >= 20


def test_the_sign_of_what_rounding_left_refutes_nothing():
    apart = log(exp(X) + exp(beta)) - Max(X, beta)
    assert survey(tanh(1 / apart), ">", 0).counterexample is None


FALSE = [
    (Derivative(G, q[b]), "=", mean(lambda i: k[i, b]) * (1 + P), ()),
    (exp(-80 - y**2), "=", exp(-90 - y**2), ()),
    (x, "≤", 17 + 0 * x, ()),
    (Abs(x), "≤", 17 + 0 * x, ()),
    (
        Integral(1 / x**2, (x, A, A + beta)),
        "=",
        beta / (A * (A + beta)),
        (Ne(A, 0), Ne(A + beta, 0)),
    ),
    (Integral(1 / (1 - x) ** 2, (x, 0, t)), "=", t / (1 - t), (Ne(t, 1),)),
    (Integral(exp(I * (m - n) * t), (t, 0, 2 * pi)), "=", 0 * x, ()),
    (norm * Derivative(norm, q[b]), "=", q[b], ()),
    (Derivative(t * y, t), "=", t**2, ()),
    (sqrt(x), "≥", 0, ()),
    (x**2, ">", 0, ()),
    (Sum(z, (z, 6 - N, 6)), "≥", 0, ()),
]


@pytest.mark.parametrize("left, relation, right, given", FALSE, ids=lambda z: str(z)[:40])
def test_false(left, relation, right, given):
    """Of an integral it is seen, and refutes nothing."""
    found = survey(left, relation, right, given)
    seen, other = found.counterexample, found.seeming
    seen, other = (other, seen) if left.has(Integral) else (seen, other)
    assert other is None and str(seen).startswith("at ")


def test_vanishing_odd_terms():
    series = Sum((x**z + (-x) ** z) / factorial(z), (z, 0, oo))
    assert survey(series, "=", 2 * cosh(x)).counterexample is None


def test_says_where_and_how_well():
    found = survey(exp(x) * exp(y), "=", exp(x + y))
    assert len(found.agreements) == len(found.points) and found.digits >= 24
    assert str(survey(x, "=", 2 * x).counterexample) == (
        "at x = 1, the left side is 1 and the right side is 2"
    )
    assert dict(survey(5 * p[j], "≥", 1, [5 * p[j] >= 1]).sizes)[N] == (1, 2, 3, 4)
