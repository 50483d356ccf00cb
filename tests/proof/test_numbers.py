"""The numeric route: errors cover what they stand for, and points meet hypotheses at every size."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf
from sympy import (
    Derivative,
    Ge,
    Integral,
    KroneckerDelta,
    Sum,
    Symbol,
    cos,
    cosh,
    exp,
    factorial,
    oo,
    pi,
    sqrt,
)  # fmt: skip

from logpartition.proof import Total, array, function, value_at
from logpartition.proof.kernel.context import elaborate
from logpartition.proof.numeric.arithmetic import Undefined, Unreachable
from logpartition.proof.numeric.evaluate import evaluate
from logpartition.proof.numeric.points import points

from .symbols import N, d, j, q, s, t, x

g, c = array("g", d, domain="normal"), Symbol("c", real=True)
margin = Symbol("delta", positive=True)


@pytest.mark.parametrize("speed", [Fraction(27, 10), Fraction(27, 80), Fraction(-3, 7)])
def test_error_of_a_normal_mean(speed):
    spread = Total(exp(c * g[1]), g) - Total(exp(c * g[1] / 2), g) ** 2
    wave = Total(cos(c * g[1]) ** 2, g) - Total(cos(c * g[1]), g) ** 2
    with mp.workdps(60):
        square = mpf(speed.numerator) ** 2 / speed.denominator**2
        exact = mp.exp(square / 2) - mp.exp(square / 4), (1 - mp.exp(-square)) ** 2 / 2
        for found, true in zip((evaluate(e, {d: 1, c: speed}) for e in (spread, wave)), exact):
            assert abs(found.value - true) <= found.error


@pytest.mark.parametrize("name", ["K", "F", "f", "g", "h"])
def test_a_sampled_function_has_its_derivative(name):
    f = function(name)
    for at in (-1.5, 0.25, 2.0):
        left, right = f(x, order=1), Derivative(f(t), t).subs(t, x)
        slope = (value_at(f(x), {x: at + 1e-6}) - value_at(f(x), {x: at - 1e-6})) / 2e-6
        assert value_at(left, {x: at}) == value_at(right, {x: at}) == pytest.approx(slope)


K = Symbol("k", integer=True, nonnegative=True)


@pytest.mark.parametrize(
    "term, at, error",
    [
        (exp(K * x) / factorial(K), 25 * 10**11, Unreachable),  # falls from e^x on
        (x**K / factorial(K), 3100000, Unreachable),
        (3 * K**5 * x**K, Fraction(11, 10), Undefined),
        (factorial(K) * x**K, Fraction(1, 10), Undefined),
        (K**2 * x, 3, Undefined),
    ],
)
def test_a_series_diverges_where_its_terms_keep_their_pace(term, at, error):
    _, (series,) = elaborate([Sum(term, (K, 0, oo))], ())
    with pytest.raises(error):
        evaluate(series, {x: Fraction(at)})


@pytest.mark.parametrize("rate", [Fraction(5000, 7), Fraction(-40), Fraction(2, 3)])
def test_both_peaks_of_an_integrand_are_found(rate):
    bumps = cosh(x * t) ** 2 * exp(-(t**2) / 2)
    _, sides = elaborate([Integral(bumps, (t, -oo, oo)), sqrt(pi / 2) * (1 + exp(2 * x**2))], ())
    left, right = (evaluate(side, {x: rate}) for side in sides)
    assert abs(left.value - right.value) <= left.error + right.error < right.value * 1e-10


def test_points_meet_a_margin_at_every_size():
    hypothesis = Ge(s[1] - s[j], margin * (1 - KroneckerDelta(j, 1)))
    sides = [Sum(s[j], (j, 1, N)) * margin, N * margin]
    context, (left, right) = elaborate(sides, [(hypothesis, "hypothesis")])
    met = {(p[N], p.flavour) for p in points(context, [left, right])}
    assert {(size, "generic") for size in (1, 2, 3, 4, 6, 13)} <= met


def test_two_numbers_of_a_normal_vector_are_told_apart():
    context, sides = elaborate([Total(exp(Sum(g[j] * q[j], (j, 1, d))), g), x], ())
    assert any(p[d] > 1 for p in points(context, sides))
