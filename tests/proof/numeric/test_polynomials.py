"""What holds for all values of a variable, and where it just does, decided exactly."""

import pytest
from sympy import Derivative, Eq, Ge, Gt, Le, Ne, Sum, exp, symbols

from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.numeric.points import Sampler
from logpartition.proof.numeric.polynomials import ends, everywhere

from .words import N, X, j, n, v, x, y

low = symbols("x", negative=True)
SIGNED = [  # (hypothesis about the slope of f in some variable, f, whether it holds for all)
    (Ge, x**3 / 3 - x**2 + x, x, True), (Gt, x**3 / 3 - x**2 + x, x, False),
    (Ne, x**3 / 3 - x**2 + x, x, False), (Ge, x**3 - x, x, False), (Ge, X**3, X, True),
    (Gt, X**3, X, True), (Gt, X**2 - X, X, False), (Le, low**2, low, True),
    (Ne, X**2 + X, X, True), (Ge, (x**2 - 1) ** 2, x, False), (Gt, x**5 + x, x, True),
    (Ge, x**5 / 5 - 4 * x**3 / 3 + 4 * x, x, True), (Ge, exp(x), x, None),
    (Ge, x**5 / 5 - 4 * x**3 / 3 + 3 * x, x, False), (Gt, x, x, True), (Eq, 3 * x, x, False),
]  # fmt: skip


@pytest.mark.parametrize("relation, f, variable, holds", SIGNED, ids=str)
def test_for_all_values(relation, f, variable, holds):
    slope = Derivative(f + y * variable, variable)
    claim = relation(slope, 0, evaluate=False)
    context, bodies = elaborate([y], [(claim, ASSUMED)])
    (fact,) = Sampler(context, bodies).for_all
    assert everywhere(fact, {y: 0}, {variable: 1}) == holds


def test_sums_and_numbers_that_are_no_fractions():
    claim = Eq(Derivative(Sum(v[j] * x**2, (j, 1, N)), x), 2 * y * x, evaluate=False)
    context, bodies = elaborate([y * v[1]], [(claim, ASSUMED)])
    sampler = Sampler(context, bodies)
    (fact,) = sampler.for_all
    table = {(1,): 1, (2,): 3}
    assert everywhere(fact, {N: 2, v: table, y: 4}, {x: 1}) is True
    assert everywhere(fact, {N: 2, v: table, y: 5}, {x: 9}) is False
    assert everywhere(fact, {N: 2, v: table, y: 4.5}, {x: 1}) is None
    assert everywhere(fact, {N: 2, v: table, y: 4.5}, {x: 2}) is True


def test_ends():
    for claim, at, found in [
        (Le(x**2, 4), {}, [-2, 2]), (Le(abs(x), y), {y: 3}, [-3, 3]), (Le(x**2, 2), {}, []),
        (Ge(x * (1 - x), 0), {}, [0, 1]), (Le(abs(x) + x, 4), {}, [2]), (Le(exp(x), 1), {}, []),
        (Le(2 * n, 7 + x), {x: 1}, [4]),
    ]:  # fmt: skip
        context, _ = elaborate([x * y * n], [(claim, ASSUMED)])
        symbol = n if claim.has(n) else x
        assert ends(context.facts[-1], symbol, at) == found
