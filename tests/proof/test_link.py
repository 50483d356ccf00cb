"""One link: the evidence that it leaves, and how a counterexample reads."""

import pytest
from mpmath import mp, mpc, mpf
from sympy import Derivative, Integral, Sum, exp, log, oo, sqrt

from logpartition.proof import IllFormed, Refuted, Unfalsifiable
from logpartition.proof.link import Counterexample, Link, compare, number
from logpartition.proof.normal import Normal

from .symbols import N, beta, i, j, p, r, v, x, y


def test_evidence():
    evidence = Link("q", Sum(x * v[j], (j, 1, N)), "=", x * Sum(v[j], (j, 1, N))).decide()
    assert evidence.symbolic == "sums" and evidence.points == 12 and evidence.tried == evidence.killed
    assert dict(evidence.sizes) == {N: (1, 2, 3, 5)}


def test_compare():
    assert compare(x, "=", y, {x: mpf(1), y: mpf(1)}) is None
    assert compare(x, "≤", y, {x: mpf(1), y: mpf(2)}) is None and compare(x, "≥", y, {x: mpf(1), y: mpf(2)})
    assert compare(x, "≤", y, {x: mpc(0, 1), y: mpf(2)}).reason == "a side is not real"
    missing = compare(1 / x, "=", y, {x: mpf(0), y: mpf(2)})
    assert missing.left is None and missing.right == 2 and "left side is undefined" in missing.reason
    both = compare(1 / x, "=", log(x), {x: mpf(0)})
    assert both.left is both.right is None and "left" in both.reason and "right" in both.reason


@pytest.mark.parametrize("value, text", [(mpf(2), "2"), (mpf(1) / 2, "1/2"), (mpf(-3) / 4, "-3/4"), (mpf("0.123456789"), "0.12345679"), (mpc(0, 1), "(0.0 + 1.0j)")])
def test_numbers_read_well(value, text):
    assert number(value) == text


def test_thirds():
    with mp.workdps(50):
        assert number(mpf(2) / 3) == "2/3"


def test_counterexample_reads_well():
    text = str(Counterexample({N: mpf(1), v: {(1,): mpf(2)}, x: mpf(1) / 2}, mpf(1), mpf(2)))
    assert text == "at N = 1, v[1] = 2, x = 1/2, the left side is 1 and the right side is 2"


def test_the_simplest_counterexample_is_shown():
    with pytest.raises(Refuted) as caught:
        Link("q", Sum(v[j] ** 2, (j, 1, N)), "=", Sum(v[j], (j, 1, N))).decide()
    assert len(caught.value.counterexample.point[v]) == 1


@pytest.mark.parametrize("left, right", [(sqrt(x), x), (1 / (x + y), x), (log(x), x), (Derivative(abs(x), x), x), (1 / Integral(exp(y), (y, 0, abs(x))), x)], ids=str)
def test_what_may_have_no_value_needs_a_hypothesis(left, right):
    with pytest.raises((IllFormed, Refuted)):
        Link("q", left, "=", right).decide()


def test_denominators_known_not_to_vanish():
    for e in (1 / beta, 1 / (1 + x ** 2), 1 / Sum(exp(v[j]), (j, 1, N)), 1 / p[i], 1 / N):
        assert Link("q", e * (y + 1), "=", e + e * y).decide().symbolic
    assert Normal().nonzero(Integral(exp(-x ** 2), (x, -oo, oo)))


@pytest.mark.parametrize("domain", ["symmetric", "definite", "simplex", "sphere"])
def test_no_derivative_in_entries_that_do_not_vary_alone(domain):
    from logpartition.proof import array
    A = array("A", *((N, N) if domain in ("symmetric", "definite") else (N,)), domain=domain)
    entry = A[i, j] if domain in ("symmetric", "definite") else A[i]
    with pytest.raises(IllFormed, match="one at a time"):
        Link("q", Derivative(entry ** 2, entry), "=", 2 * entry).decide()


def test_a_double_sum_with_its_indices_exchanged_says_nothing():
    one, other = (Sum(v[m] * r[n], (i, 1, N), (j, 1, N)) for m, n in ((i, j), (j, i)))
    with pytest.raises(Unfalsifiable, match="under other names"):
        Link("exchange", one, "=", other).decide()
