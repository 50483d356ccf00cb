"""Exact refutation modulo primes, and mutants."""

import pytest
from sympy import Eq, Integral, KroneckerDelta, Sum, exp, log

from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.language import Total, array, inverse
from logpartition.proof.numeric.compare import compare
from logpartition.proof.numeric.modular import refutes
from logpartition.proof.numeric.mutate import mutants, weakened
from logpartition.proof.numeric.points import points

from .words import N, a, b, beta, c, d, f, i, j, k, mean, p, score, t, v, x, y

S = array("S", d, d, domain="definite")
T = inverse(S, "T")
P = (N - 1) * (N - 2) * (N - 3) * (N - 5)


@pytest.mark.parametrize("left, right, verdict", [
    (Sum(v[j], (j, 1, N)) ** 2, Sum(v[j] * v[i], (i, 1, N), (j, 1, N)), False),
    (Sum(v[j], (j, 1, N)) ** 2, Sum(v[j] * v[i], (i, 1, N), (j, 1, N)) + P, True),
    (Sum(p[j], (j, 1, N)), 1 + 0 * x, False), (mean(lambda i: 1), 1 + 0 * x, False),
    (mean(lambda i: k[i, a]), mean(lambda i: k[i, b]), True),
    (exp(x) * exp(y), exp(x + y), False), (exp(x * y), exp(x) * exp(y), True),
    (Sum(S[a, b] * T[b, c], (b, 1, d)), KroneckerDelta(a, c), False),
    (log(x), x, None), (exp(x / 2), exp(x), None),
], ids=str)  # fmt: skip
def test_modular(left, right, verdict):
    context, sides = elaborate([left, right])
    assert refutes(context, *sides) is verdict


def test_hypotheses_make_it_silent():
    context, sides = elaborate([x * y, 1 + 0 * x], [(Eq(x * y, 1), ASSUMED)])
    assert refutes(context, *sides) is None


h = array("h", N, domain=(0, 1))


@pytest.mark.parametrize("e", [
    x**2 * y + 1, Sum(v[j] * exp(beta * v[j]), (j, 1, N)), mean(lambda o: k[o, b]),
    Total(exp(Sum(v[j] * h[j], (j, 1, N))), h) * f(x, order=2), score(j) ** 3,
    Integral(x**2, (x, 0, t)),
], ids=str)  # fmt: skip
def test_mutants_are_false(e):
    context, (body,) = elaborate([e])
    found = mutants(body, context)
    where = [z for z in points(context, [body]) if z.flavour in ("generic", "small")][-4:]
    agree = [
        kind
        for kind, z in found
        if all(type(compare(body, "=", z, point)).__name__ == "Agreement" for point in where)
    ]
    assert found and not agree


def test_kinds(monkeypatch):
    e = Total(exp(Sum(v[j] * h[j], (j, 1, N))), h) * f(x, order=2) ** 2 / 2 + Sum(v[j], (j, 1, N))
    context, (body,) = elaborate([e])
    few = mutants(body, context)
    assert few == mutants(body, context)
    monkeypatch.setenv("LOGPARTITION_AUDIT", "full")
    every = mutants(body, context)
    kinds = "sign,factor,exponent,index,dropped term,order,constant,range,values".split(",")
    assert len(every) > len(few) and {kind for kind, _ in every} == set(kinds)


def test_weakened():
    context, _ = elaborate([x * y], [(x <= y, ASSUMED)])
    ((kind, fact, dropped),) = weakened(context)
    assert kind == "dropped hypothesis" and not dropped.facts
    ((_, _, turned),) = weakened(context, reverse=True)
    assert turned.facts[0].left == y and turned.facts[0].relation == "<"
