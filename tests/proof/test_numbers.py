"""The numeric route: errors cover what they stand for, and points meet hypotheses at every size."""

from fractions import Fraction

import pytest
from mpmath import mp, mpf
from sympy import (
    Abs,
    Derivative,
    Ge,
    I,
    Integral,
    KroneckerDelta,
    Max,
    Sum,
    Symbol,
    atan,
    cos,
    cosh,
    coth,
    exp,
    factorial,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
)  # fmt: skip

from logpartition.proof import Total, array, function
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.numeric.arithmetic import Undefined, Unreachable
from logpartition.proof.numeric.evaluate import evaluate
from logpartition.proof.numeric.points import points

from .symbols import N, d, j, q, s, t, x, y

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
        near = (mpf(at) + mpf(2) ** -20, mpf(at) - mpf(2) ** -20)
        above, below = (evaluate(f(x), {x: place}).value for place in near)
        values = [float(evaluate(side, {x: mpf(at)}).value) for side in (left, right)]
        assert values[0] == values[1] == pytest.approx(float((above - below) * 2**19))


K = Symbol("k", integer=True, nonnegative=True)


@pytest.mark.parametrize(
    "term, at, error",
    [
        (exp(K * x) / factorial(K), 25 * 10**11, Unreachable),  # falls from e^x on
        (x**K / factorial(K), 3100000, Unreachable),
        (3 * K**5 * x**K, Fraction(11, 10), Undefined),
        (factorial(K) * x**K, Fraction(1, 10), Undefined),
        (factorial(K) * x**K, Fraction(9, 4 * 10**12), Unreachable),  # and rises from 1/x on
        ((K + 1) ** (-1 - x**3), Fraction(3, 2000000), Unreachable),
        ((1 - exp(-x)) ** K, 500, Unreachable),
        ((1 - exp(-x)) ** K, 5000, Unreachable),
        (1 / (K + x), 3, Undefined),
        (K / (K + x), 3, Undefined),
        (K**2 * x, 3, Undefined),
    ],
)
def test_a_series_diverges_where_its_terms_keep_their_pace(term, at, error):
    _, (series,) = elaborate([Sum(term, (K, 0, oo))], ())
    with pytest.raises(error):
        evaluate(series, {x: Fraction(at)})


late, later = Fraction(3, 2000000), Fraction(7, 128000000)


@pytest.mark.parametrize(
    "integrand, ends, at, error",
    [
        (1 / t, (1, oo), 1, Undefined),
        (1 / t, (-1, 0), 1, Undefined),
        (log(t) / t, (1, oo), 1, Undefined),
        (1 / (x - t) ** 2, (0, 1), 1, Undefined),
        (t ** (-1 - x**4), (1, oo), late, Unreachable),
        (log(t) * t ** (-1 - x**4), (1, oo), late, Unreachable),
        (t ** (x**4 - 1), (0, 1), late, Unreachable),
        ((1 - t) ** (x - 1), (0, 1), later, Unreachable),
        (log(1 - t) * (1 - t) ** (x - 1), (0, 1), later, Unreachable),
    ],
)
def test_an_integral_diverges_where_that_is_sure(integrand, ends, at, error):
    _, (e,) = elaborate([Integral(integrand, (t, *ends))], ())
    with pytest.raises(error):
        evaluate(e, {x: Fraction(at)})


u = t - x
narrow = 1 - exp(-(10**8) * u**2)
over = lambda e, *ends: Integral(e, (t, *(ends or (0, 1))))
mean = lambda f: Total(f(g[1] - x), g)


@pytest.mark.parametrize(
    "e",
    [
        over(atan(1 / u)), over(atan(sin(u) / (1 - cos(u)))), over(atan(sin(u) / u**2)),
        over(1 / (1 + exp(-sin(u) / u**2))), over(atan(sin(u) / (cosh(u) - 1))),
        over(atan(sin(u) / narrow)), over(sign(u)), over(Abs(u)), over(atan(tan(4 * u))),
        over(sign(t - 1), 0, 4 * x), over(Sum(atan(1 / (t - x * j) ** 2) * u, (j, 1, 2))),
        over(sign(t - 10**12 * x) * exp(-(t**2)), -oo, oo), over(log(exp(6 * I * u))),
        Integral(atan(1 / (u + y)), (y, 0, 1), (t, 0, 1)),
        Integral(u / (u**2 + y**2), (y, -oo, oo), (t, 0, 1)), over(Total(sign(g[1] - u), g)),
        mean(lambda z: atan(coth(z))), mean(lambda z: atan(tan(z) / 2)), mean(lambda z: Max(z, 0)),
        mean(sign), mean(lambda z: atan(sin(z) / (1 - cos(z)))),
    ],
)  # fmt: skip
def test_a_derivative_does_not_pass_a_place_that_moves(e):
    _, (slope,) = elaborate([Derivative(e, x)], ())
    with pytest.raises(Unreachable, match="moves a place"):
        evaluate(slope, {x: Fraction(3, 8), d: 1})


@pytest.mark.parametrize("x0", [0, 1])
def test_nor_one_that_enters_at_an_end(x0):
    _, (slope,) = elaborate([Derivative(over(atan(1 / u**2)), x)], ())
    with pytest.raises(Unreachable, match="moves a place"):
        evaluate(slope, {x: Fraction(x0)})


@pytest.mark.parametrize(
    "e, slope",
    [
        (over(log(1 + exp(t * x))), over(t / (1 + exp(-t * x)))),
        (over(1 / (1 + t**2 * x**2)), over(-2 * t**2 * x / (1 + t**2 * x**2) ** 2)),
        (over(sqrt(u), x, 1), -sqrt(1 - x)),
        (over(sqrt(t) * t**x), over(sqrt(t) * t**x * log(t))),
        (over(Sum(log(1 + exp(t * x * j)), (j, 1, 2))),
            over(Sum(t * j / (1 + exp(-t * x * j)), (j, 1, 2)))),
        (mean(lambda z: 1 / (1 + exp(z))), mean(lambda z: 1 / (2 + exp(z) + exp(-z)))),
        (mean(tanh), mean(lambda z: -1 / cosh(z) ** 2)),
    ],
)  # fmt: skip
def test_it_passes_what_stands_still(e, slope):
    _, sides = elaborate([Derivative(e, x), slope], ())
    left, right = (evaluate(side, {x: Fraction(3, 8), d: 1}) for side in sides)
    assert abs(left.value - right.value) <= left.error + right.error < 1e-9


@pytest.mark.parametrize("rate", [Fraction(5000, 7), Fraction(-40), Fraction(2, 3)])
def test_both_peaks_of_an_integrand_are_found(rate):
    bumps = cosh(x * t) ** 2 * exp(-(t**2) / 2)
    _, sides = elaborate([Integral(bumps, (t, -oo, oo)), sqrt(pi / 2) * (1 + exp(2 * x**2))], ())
    left, right = (evaluate(side, {x: rate}) for side in sides)
    assert abs(left.value - right.value) <= left.error + right.error < right.value * 1e-10


def test_points_meet_a_margin_at_every_size():
    hypothesis = Ge(s[1] - s[j], margin * (1 - KroneckerDelta(j, 1)))
    sides = [Sum(s[j], (j, 1, N)) * margin, N * margin]
    context, (left, right) = elaborate(sides, [(hypothesis, ASSUMED)])
    met = {(p[N], p.flavour) for p in points(context, [left, right])}
    assert {(size, "generic") for size in (1, 2, 3, 4, 6, 13)} <= met


def test_two_numbers_of_a_normal_vector_are_told_apart():
    context, sides = elaborate([Total(exp(Sum(g[j] * q[j], (j, 1, d))), g), x], ())
    assert any(p[d] > 1 for p in points(context, sides))
