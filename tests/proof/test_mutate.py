"""Mutants are false, and a check that accepts one is refused."""

import pytest
from mpmath import mp
from sympy import Derivative, Integral, KroneckerDelta, Rational, Sum, exp

from logpartition.proof import Unfalsifiable, derive
from logpartition.proof.evaluate import Evaluator, agree
from logpartition.proof.mutate import mutants
from logpartition.proof.sample import Domain

from .symbols import N, b, beta, i, j, k, mean, score, t, v, weight, x, y

TERMS = [x ** 2 * y + 1, Sum(v[j] * exp(beta * v[j]), (j, 1, N)), weight(j), mean(lambda o: k[o, b]), Derivative(exp(2 * x), x), Integral(exp(-x * t ** 2), (t, 0, 1)),
         Rational(3, 2) * x, score(j) ** 2]


@pytest.mark.parametrize("e", TERMS, ids=str)
def test_most_mutants_differ_somewhere(e):
    domain = Domain([e])
    with mp.workdps(50):
        points = domain.points("mutants")[-3:]
        value = [Evaluator(point)(e) for point in points]
        made = list(mutants(e, domain.ranges, "seed"))
        assert made and all(mutant != e for _, mutant in made)
        differ = [any(not agree(was, _try(mutant, point)) for was, point in zip(value, points)) for _, mutant in made]
    assert sum(differ) >= 0.8 * len(made)


def _try(mutant, point):
    try:
        return Evaluator(point)(mutant)
    except ArithmeticError:
        return mp.inf


def test_every_kind_is_among_a_dozen():
    kinds = {kind for kind, _ in mutants(mean(lambda o: k[o, b]) ** 2 / 2 + k[j, b], Domain([mean(lambda o: k[o, b]) * k[j, b]]).ranges, "seed")}
    assert {"sign", "factor", "exponent", "index", "dropped term", "constant", "range"} <= kinds


def test_audit_tries_them_all(monkeypatch):
    e = mean(lambda o: k[o, b])
    few = len(list(mutants(e, Domain([e]).ranges, "seed")))
    monkeypatch.setenv("LOGPARTITION_AUDIT", "full")
    assert len(list(mutants(e, Domain([e]).ranges, "seed"))) > few


def test_a_check_that_accepts_a_mutant_is_refused():
    with pytest.raises(Unfalsifiable, match="falsified"):
        derive("tiny", exp(-99 * beta - 99)).eq(exp(-100 * beta - 100), "both are nearly 0", by="numbers")


def test_mutants_that_are_true_after_all_are_counted_apart():
    record = derive("delta", Sum(KroneckerDelta(i, j) * v[j], (j, 1, N)) * x ** 2).eq(x ** 2 * v[i], "contract").record
    assert record["mutants"]["killed"] == record["mutants"]["tried"]
