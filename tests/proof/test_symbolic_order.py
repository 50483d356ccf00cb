"""Derivatives of symbolic order: linear, 0 on constants, and replaced by what a hypothesis says they are."""

import pytest
from sympy import Derivative, Eq, Symbol, exp, factorial, ff, log

from logpartition.proof import Refuted, Undecided, derive, induction

n, m = (Symbol(name, integer=True, positive=True) for name in "nm")
t, x = Symbol("t", real=True), Symbol("x", positive=True)
p = Symbol("p", positive=True)
K = log(1 - p + p * exp(t))


def test_constants_and_polynomials():
    assert derive("constant", Derivative(3 * t + 5 * t ** 2, (t, n + 2))).eq(0, "two derivatives leave a constant").record["verdict"] == "proved"


def test_a_polynomial_of_too_high_degree_is_refuted():
    with pytest.raises(Refuted):
        derive("cubic", Derivative(t ** 3, (t, n + 2))).eq(0, "three derivatives are needed")


def test_equal_up_to_a_constant_before_differentiation():
    chain = derive("recursion", Derivative(K, (t, n + 1)), given=[p < 1]).eq(p * (1 - p) * Derivative(K, (t, n), p), "differentiate once, then n times")
    assert chain.record["steps"][0]["symbolic"] == "derivatives"


def test_a_constant_counts_at_order_zero():
    z = Symbol("z", integer=True, nonnegative=True)
    with pytest.raises((Refuted, Undecided)):
        derive("order-zero", Derivative(K, (t, z + 1)), given=[p < 1]).eq(p * (1 - p) * Derivative(K, (t, z), p), "fails without a derivative")


def test_hypothesis_of_an_order_in_between():
    claim = Eq(Derivative(-log(1 - t), (t, n + 1)), factorial(n) * (1 - t) ** (-n - 1))
    assert induction("shifted", claim, n, first=1, advance=lambda e: Derivative(e, t), reason="differentiate", given=[t < 1]).record["verdict"] == "proved"


def test_falling_factorials():
    claim = Eq(Derivative(x ** m / factorial(m), (x, n)), ff(m, n) * x ** (m - n) / factorial(m))
    assert induction("monomial", claim, n, first=1, advance=lambda e: Derivative(e, x), reason="differentiate").record["verdict"] == "proved"
