"""Values with errors that hold; no value where there is none."""

import random
from fractions import Fraction as F

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpc, mpf
from sympy import (
    Abs,
    Derivative,
    Float,
    I,
    Integral,
    KroneckerDelta,
    Limit,
    Max,
    Min,
    Product,
    Rational,
    Subs,
    Sum,
    atan,
    besseli,
    binomial,
    cos,
    cosh,
    erf,
    exp,
    factorial,
    gamma,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    sympify,
    tan,
    tanh,
)  # fmt: skip

from logpartition.proof.errors import IllFormed, Undecided
from logpartition.proof.language import Total, array
from logpartition.proof.numeric.evaluate import (
    Undefined,
    Unreachable,
    evaluate,
    exact,
    value_at,
)  # fmt: skip

from .words import N, T, X, b, d, f, half, i, j, n, q, symbol, t, v, x, y

AT = {x: F(3, 8), y: F(-5, 4), n: 3, N: 3, v: {(1,): F(1, 2), (2,): F(-1), (3,): F(2)}}
h = array("h", N, domain=(-1, 1))
g = array("g", d, domain="normal")
draw = array("draw", N, domain=T)
z = symbol("z")
lost = log(2) - 2 * x * log(2)  # 0 at 1/2, but for rounding
narrow = exp(-((x - Rational(7, 10)) ** 2) * 10**6 / 2)

with mp.workdps(45):
    ZETA = Rational(mpmath.nstr(mpmath.zeta(1 + mpf(10) ** -6), 45))
VALUES = [
    (Sum(v[j], (j, 1, N)), {}, half * 3),
    (Sum(v[j] * v[i], (i, 1, N), (j, 1, N)), {}, Rational(9, 4)),
    (Sum(v[j], (j, 1, i), (i, 1, N)), {}, Rational(3, 2)),
    (Product(v[j], (j, 1, N)), {}, -1),
    (Sum(x, (j, 4, N)), {}, 0),
    (Product(x, (j, 4, N)), {}, 1),
    (Sum(KroneckerDelta(i, j), (i, 1, N), (j, 1, N)), {}, 3),
    (x**0 + (x - x) ** 0, {}, 2),
    (x**y, {x: 0, y: 0}, 1),
    (sqrt(x), {x: -4}, 2 * I),
    (Max(x, y) + Min(x, y) + sign(y), {}, -Rational(15, 8)),
    (binomial(x, 2) + binomial(n, 2) + factorial(n), {}, Rational(3, 8) * -Rational(5, 16) + 9),
    (Derivative(x**3, (x, 2)), {}, Rational(9, 4)),
    (Derivative(x**2 * y**2, x, y), {}, 4 * Rational(3, 8) * -Rational(5, 4)),
    (Derivative(x**n, (x, n)), {}, 6),
    (Derivative(Sum(v[j] ** 2, (j, 1, N)), v[2]), {}, -2),
    (Derivative(Derivative(x**4, x) * x, x), {}, 16 * Rational(3, 8) ** 3),
    (Derivative(Abs(x) * x, x), {x: 0}, 0),
    (Derivative(Abs(x**3), (x, 2)), {x: -2}, 12),
    (Derivative(besseli(0, x), x) - besseli(1, x), {}, 0),
    (Derivative(log((1 + tanh(x)) / (1 - tanh(x))) / 2, x), {x: 50}, 1),
    (Subs(Derivative(exp(2 * x), x), x, 0), {}, 2),
    (Derivative(f(x * y), x, y) - f(x * y, 1) - x * y * f(x * y, 2), {}, 0),
    (Derivative(f(y * x), (x, n)) - y**n * f(x * y, n), {}, 0),
    (log(exp(x)) * 10**50, {x: F(1, 10**50)}, 1),
    (exp(40) * log(1 + exp(-x)), {x: 1000}, 0),
    (Integral(exp(-(x**2)), (x, -oo, oo)), {}, sqrt(pi)),
    (Integral(x * exp(-(x**2)), (x, -oo, oo)), {}, 0),
    (Integral(narrow, (x, -oo, oo)), {}, sqrt(2 * pi) / 1000),
    (Integral(exp(-((x - 7) ** 2) / 2 / 10**6), (x, -oo, oo)), {}, sqrt(2 * pi) * 1000),
    (Integral(1 + exp(-((x - Rational(1, 3)) ** 2) * 10**12), (x, 0, 1)), {}, 1 + sqrt(pi) / 10**6),
    (Integral(Abs(x) * exp(-(x**2) / 2), (x, -oo, oo)), {}, 2),
    (Integral(X ** Rational(-3, 2), (X, 1, oo)), {}, 2),
    (Integral(1 / sqrt(1 - x**2), (x, -1, 1)), {}, pi),
    (Integral(exp(I * n * t), (t, 0, 2 * pi)), {}, 0),
    (Derivative(Integral(exp(-x * t), (x, 0, t)), t), {t: 1}, 3 * exp(-1) - 1),
    (Integral(Sum(x**j, (j, 1, N)) / 2, (x, 0, 1)), {}, Rational(13, 24)),
    (
        Integral(Sum(Abs(x - j) + exp(-j * x), (j, 5, 6)), (x, 0, 1)),
        {},
        10 + (1 - exp(-5)) / 5 + (1 - exp(-6)) / 6,
    ),
    (Integral(tanh(x * t), (t, 0, 1)), {x: 10**6}, 1 - log(2) / 10**6),
    (Integral(Max(0, t - x), (t, 0, x + 1)), {x: 10**7}, half),
    (
        Integral(1 + 1 / (1 + 10**16 * (t - half / 2) ** 2) ** 4, (t, 0, 1)),
        {},
        1 + 5 * pi / 16 / 10**8,
    ),
    (Sum((exp(-2) * 2**n + exp(-500) * 500**n) / factorial(n), (n, 0, oo)), {}, 2),
    (
        Integral(1 / cosh(10**4 * t - 10) + exp(-Abs(t - 1000) / 10), (t, 0, oo)),
        {},
        (pi - 2 * atan(exp(-10))) / 10**4 + 20 - 10 * exp(-100),
    ),
    (Sum(exp(-((n - 200) ** 2) / 50) + 1 / (n * (n + 1)), (n, 1, oo)), {}, 1 + sqrt(50 * pi)),
    (Sum((-1) ** n / n + n**2 / 2**n, (n, 1, oo)), {}, 6 - log(2)),
    (Sum(1 / n**2, (n, 1, oo)), {}, pi**2 / 6),
    (Sum(n ** (-1 - x), (n, 1, oo)), {x: F(1, 10**6)}, ZETA),
    (Sum((-1) ** n / n, (n, 1, oo)), {}, -log(2)),
    (Sum((x**n + (-x) ** n) / factorial(n), (n, 0, oo)), {}, 2 * cosh(Rational(3, 8))),
    (Sum(x**n, (n, 0, oo)), {x: F(9, 10)}, 10),
    (Sum(exp(-x) * x**n / factorial(n), (n, 0, oo)), {x: 2000}, 1),
    (Limit(log(n) / n, n, oo), {}, 0),
    (Limit(n ** Rational(-1, 3), n, oo), {}, 0),
    (Limit((1 + 1 / n) ** n, n, oo), {}, exp(1)),
    (Limit(sin(x) / x, x, 0), {}, 1),
    (Limit(1 / (1 + exp(X * y)), X, oo), {y: F(24, 10000)}, 0),
    (Max(Abs(z) ** 2, 0), {z: mpc(2, 1)}, 5),
    *(
        (Integral(1 + n * x**n, (x, 0, 1)), {n: 10**k}, 1 + Rational(10**k, 10**k + 1))
        for k in (3, 5, 6, 9)
    ),
]


@pytest.mark.parametrize("e, at, value", VALUES, ids=lambda x: str(x)[:40])
def test_value(e, at, value):
    found = evaluate(e, {**AT, **at})
    wanted = evaluate(sympify(value), {})
    with mp.workdps(60):
        assert abs(found.value - wanted.value) <= found.error + wanted.error
        assert found.error <= 1e-9 * (1 + abs(found.value))


def bell(x):
    return mpmath.exp(-(x**2) / 2) / mpmath.sqrt(2 * mp.pi)


# what bends or turns between the places that are looked at, and what mpmath finds where it does so
HIDDEN = [
    (Integral(Max(0, 1 - (x - 20) ** 2), (x, 0, oo)), lambda: mpf(4) / 3),
    (Integral(exp(-x) + Max(0, 1 - (x - 1000) ** 2), (x, 0, oo)), lambda: mpf(7) / 3),
    (Integral(Min(1, 90000 * (x - Rational(1, 3)) ** 2), (x, 0, 1)), lambda: mpf(224) / 225),
    (Integral(erf(10**10 * (x - Rational(1, 3)) ** 2), (x, 0, 1)),
     lambda: 1 - 2 * mpmath.quad(lambda v: mpmath.erfc(v**2), [0, 1, 2, 8]) / 10**5),
    (Integral(sqrt((x - Rational(1, 9)) ** 2 + Rational(1, 10**8)), (x, 0, 1)),
     lambda: mpmath.quad(lambda v: mpmath.sqrt(v**2 + mpf(10) ** -8),
                         [mpf(-1) / 9, -0.01, -0.001, 0, 0.001, 0.01, mpf(8) / 9])),
    (Total(Abs(g[1]), g), lambda: mpmath.sqrt(2 / mp.pi)),
    (Total(1600 * Max(0, Rational(1, 1600) - (g[1] + half) ** 2), g),
     lambda: mpmath.quad(lambda v: (1 - 1600 * (v + 0.5) ** 2) * bell(v), [-0.525, -0.475])),
    (Integral(Sum(exp(-(10**6) * (x - j / 7) ** 2), (j, 1, 5)), (x, -oo, oo)),
     lambda: 5 * mpmath.sqrt(mp.pi) / 1000),
    (Integral(Sum(n * Sum(exp(-((y - j) ** 2)), (j, 1, n)), (n, 1, 3)), (y, 0, 1)),
     lambda: sum(m * mpmath.quad(lambda t: mpmath.exp(-((t - k) ** 2)), [0, 1])
                 for m in (1, 2, 3) for k in range(1, m + 1))),
    (Integral(1 + Sum(exp(-(10**8) * (x - j / 7) ** 2), (j, 1, 5)), (x, 0, 1)),
     lambda: 1 + 5 * mpmath.sqrt(mp.pi) / 10**4),
    *((Sum(2 ** (-n) + exp(-((n - k) ** 2)), (n, 1, oo)),
       lambda: 1 + mpmath.jtheta(3, 0, mp.exp(-1)))
      for k in (256, 312, 3000)),
]  # fmt: skip


@pytest.mark.parametrize("e, true", HIDDEN, ids=[str(e)[:40] for e, _ in HIDDEN])
def test_what_is_hidden_is_found(e, true):
    with mp.workdps(30):
        assert float(evaluate(e, {d: 1}).value) == pytest.approx(float(true()), rel=1e-10)


UNDEFINED = [
    (1 / (x - y), {y: F(3, 8)}),
    (1 / (v[1] + v[2] / 2), {}),
    (log(n - 3), {}),
    (v[i], {i: 4}),
    (gamma(x), {x: -2}),
    (factorial(n - 5), {}),
    (Sum(x, (j, 5, N)), {}),
    (Derivative(Abs(x), x), {x: 0}),
    (Derivative(sqrt(Sum(q[b] ** 2, (b, 1, d))), q[1]), {d: 2, q: {(1,): 0, (2,): 0}}),
    (Derivative(Max(x, y), x), {y: F(3, 8)}),
    (Integral(1 / X, (X, 1, oo)), {}),
    (Integral(exp(x), (x, 0, oo)), {}),
    (Integral(1 / x**2, (x, y, y + 1)), {y: F(-1, 2)}),
    (Integral(1 / x, (x, -1, 1)), {}),
    (Integral(1 / (1 - x) ** 2, (x, 0, t)), {t: 2}),
    (Sum((-1) ** n, (n, 1, oo)), {}),
    (Sum(2**n, (n, 1, oo)), {}),
    (Sum(1 / n, (n, 1, oo)), {}),
    (Limit(X, X, oo), {}),
    (Limit(sign(x), x, 0, "+-"), {}),
    (Max(1, sqrt(x)), {x: -1}),
    (Derivative(Abs(x) + exp(30 * x), x), {x: 0}),
]


@pytest.mark.parametrize("e, at", UNDEFINED, ids=lambda x: str(x)[:40])
def test_no_value(e, at):
    with pytest.raises((Undefined, Unreachable)) as caught:
        evaluate(e, {**AT, **at})
    assert caught.type is Undefined


@pytest.mark.parametrize("e, at", [
    (exp(exp(x)), {x: 10**6}), (Limit(1 / log(X), X, oo), {}), (Limit(sin(X), X, oo), {}),
    (1 / (exp(x) - exp(y)), {y: F(3, 8)}),
    (Limit(tanh(log(X) - 300), X, oo), {}),
    (Limit(log(X) + 200 + Abs(log(X) - 200), X, oo), {}), (Limit(sin(pi / X), X, 0), {}),
    (Sum(exp(-n) + exp(-((n - 10**4) ** 2)), (n, 1, oo)), {}),
    (Limit(X**half / (1 + X**half / 10**38), X, oo), {}),
    (Integral((1 - t) ** (x - 1), (t, 0, 1)), {x: F(1, 10**6)}),
    (Derivative(Abs(x) ** 3, (x, 2)), {x: 0}),
    (Integral(exp(-(x**2) - t**2), (x, -oo, oo), (t, -oo, oo)), {}),
    (Sum(x, (j, 1, n)), {n: 10**9}),
    (Sum((1 + (-1) ** n) * exp(-n / 10**5), (n, 0, oo)), {}),
    (exp(1000) * log(1 + exp(-x)), {x: 1000}),
    (Max(0, sqrt(lost)), {x: F(1, 2)}),
    (Min(0, lost ** Rational(1, 5)), {x: F(1, 2)}),
    (Max(1, sqrt(1 - tanh(x) ** 2)), {x: -9750}),
    (v[1 + sqrt(lost)], {x: F(1, 2)}),
    (Derivative(Abs(x) ** Rational(5, 4), x), {x: 0}),
    (Derivative(sign(x + I), x), {x: 1}),
    (Limit(sign(x) / log(Abs(x)) ** 2, x, 0, "+-"), {}),
    # a part of a mean under a normal law beyond the nodes, or between two of them
    (Total(1 + exp(20 * g[1] - 200), g), {d: 1}),
    (Total(1 + exp(20 * g[1] + 20 * g[2] - 400), g), {d: 2}),
    (Total((1 + exp(10 * g[1] - 100)) ** 2, g), {d: 1}),
    (Total(Product(1 + exp(20 * g[b] - 200), (b, 1, d)), g), {d: 2}),
    (Total(1 + 10**6 * exp(-(10**12) * (g[1] - Rational(1, 3)) ** 2), g), {d: 1}),
    (Total(cos(Rational(4612424306923870413518537261, 10**25) * g[1]), g), {d: 1}),
    (Total(Max(g[1], g[2]), g), {d: 2}),
    (Total(Sum(exp(-(10 ** (6 * n)) * (g[1] - n) ** 2), (n, 0, 2)), g), {d: 1}),
    (Integral(x * y, (x, 0, y), (y, 0, 2)), {}),
    # terms that turn where none is looked at
    (Sum(2 ** (-n) + KroneckerDelta(n, 300), (n, 1, oo)), {}),
    (Sum((3 + tanh(n - 300)) / n**2, (n, 1, oo)), {}),
    (Sum(sign(n - Rational(201, 2)) / n**2, (n, 1, oo)), {}),
], ids=str)  # fmt: skip
def test_out_of_reach(e, at):
    with pytest.raises(Unreachable):
        evaluate(e, {**AT, **at})


def test_totals():
    assert evaluate(Total(exp(Sum(v[j] * h[j], (j, 1, N))), h), AT).value == pytest.approx(
        float(evaluate(Product(2 * cosh(v[j]), (j, 1, N)), AT).value)
    )
    at = {d: 2, q: {(1,): F(1, 2), (2,): 1}}
    found = evaluate(Total(exp(Sum(q[b] * g[b], (b, 1, d))), g), at)
    with mp.workdps(40):
        assert abs(found.value - mp.exp(mpf(5) / 8)) <= found.error < 1e-8
    third = evaluate(Total(v[draw[1]], draw), {**AT, T: 3}).value
    assert float(third) == pytest.approx(9 * 1.5)
    with pytest.raises(Unreachable):
        evaluate(Total(Sum(h[j], (j, 1, N)), h), {N: 13})


def test_two_runs_show_what_an_integral_has_lost():
    e = 2 * x**2 + sin(17 * x) / (cos(17 * x) + 2)
    for end in (-1, F(-7, 8)):
        found = evaluate(Integral(e.diff(x), (x, 1, y)), {y: end})
        right = evaluate(e.subs(x, y) - e.subs(x, 1), {y: end}).value
        with mp.workdps(40):
            assert abs(found.value - right) <= found.error


numbers = st.fractions(-3, 3, max_denominator=9)


UNARY = [
    (exp, mpmath.exp), (sin, mpmath.sin), (tanh, mpmath.tanh), (sqrt, mpmath.sqrt),
    (lambda e: log(1 + e**2), lambda e: mpmath.log(1 + e**2)),
    (lambda e: 1 / (2 + cos(e)), lambda e: 1 / (2 + mpmath.cos(e))),
]  # fmt: skip
BINARY = [lambda e, g: e + g, lambda e, g: e - g, lambda e, g: e * g]


def grown(seed, depth):
    """An expression in x and y, and the same computed by mpmath."""
    draw = random.Random(seed) if isinstance(seed, int) else seed
    if depth == 0:
        constant = F(draw.randint(-20, 20), draw.randint(1, 9))
        return draw.choice(
            [
                (x, lambda s, t: s),
                (y, lambda s, t: t),
                (Rational(constant), lambda s, t: mpf(constant.numerator) / constant.denominator),
            ]
        )
    e, first = grown(draw, depth - 1)
    if draw.random() < 0.5:
        symbolic, number = draw.choice(UNARY)
        return symbolic(e), lambda s, t: number(first(s, t))
    (g, second), both = grown(draw, depth - 1), draw.choice(BINARY)
    return both(e, g), lambda s, t: both(first(s, t), second(s, t))


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.integers(0, 10**9), numbers, numbers)
def test_errors_hold(seed, first, second):
    e, independent = grown(seed, 4)
    try:
        found = evaluate(e, {x: first, y: second})
    except (Undefined, Unreachable):
        return
    with mp.workdps(250):
        s, t = (mpf(z.numerator) / z.denominator for z in (first, second))
        assert abs(found.value - independent(s, t)) <= found.error


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**9), numbers, numbers, st.integers(1, 3))
def test_derivatives(seed, first, second, order):
    e, independent = grown(seed, 3)
    try:
        found = evaluate(Derivative(e, (x, order), evaluate=False), {x: first, y: second})
    except (Undefined, Unreachable):
        return
    with mp.workdps(80):
        s, t = (mpf(z.numerator) / z.denominator for z in (first, second))
        other = mp.diff(lambda u: independent(u, t), s, order)
        assert abs(found.value - other) <= found.error + mpf(10) ** -40 * (1 + abs(other))


def test_exact():
    assert exact(Derivative(x**3 / y, x), AT) == 3 * F(3, 8) ** 2 / F(-5, 4)
    assert exact(exp(x), AT) is None and exact(exp(x - x) + sqrt(x), {x: F(1, 4)}) == F(3, 2)


def test_value_at():
    assert value_at(Sum(v[j] * x, (j, 1, N)), {v: [1, 2, 3], x: 0.5}) == 3
    assert type(value_at(1 + sqrt(lost), {x: 0.5})) is float and value_at(sqrt(x), {x: -1}) == 1j
    with pytest.raises(ValueError, match="got 2 axes, needs 1"):
        value_at(Sum(v[j], (j, 1, N)), {v: [[1, 2], [3, 4]]})
    with pytest.raises(ValueError, match="got 2 for N, which is 3 elsewhere"):
        value_at(Sum(v[j], (j, 1, N)), {v: [1, 2, 3], array("u", N): [1, 2]})
    with pytest.raises(ValueError, match="no value for x"):
        value_at(x + y, {y: 1})
    for bad in ("a", "1.5", None, [1], float("nan"), float("inf"), y):
        with pytest.raises(ValueError, match="x: got .*, needs a number"):
            value_at(x, {x: bad})
    with pytest.raises(ValueError, match="v: got 'a', needs a number"):
        value_at(v[1], {v: [1, "a"]})
    with pytest.raises(IllFormed, match="rounded"):
        value_at(Float(0.5), {})
    with pytest.raises(IllFormed, match="no value there: division by 0"):
        value_at(1 / x, {x: 0})
    with pytest.raises(IllFormed, match="v has no entry 7"):
        value_at(v[j], {j: 7, N: 2, v: [1, 2]})
    with pytest.raises(IllFormed, match="no rule for Array: v"):
        value_at(v, {v: [1, 2], N: 2})
    with pytest.raises(Undecided, match="out of reach"):
        value_at(exp(exp(exp(x))), {x: 9})
    with pytest.raises(TypeError, match="values: got a NoneType, needs a dict"):
        value_at(x, None)
    with pytest.raises(TypeError, match="expression: got None, needs a term"):
        value_at(None, {})
    with pytest.raises(IllFormed, match="a value of any function f"):
        value_at(f(x), {x: 1})


def test_a_number_of_sympy_has_all_its_digits():
    assert value_at(x**2 - 2, {x: sqrt(2)}) == value_at(sign(sin(x)), {x: pi}) == 0
    for e in (tan(x), 1 / (2 - x**2)):
        with pytest.raises(IllFormed, match="There is no value there"):
            value_at(e, {x: pi / 2 if e.has(tan) else sqrt(2)})
    with mp.workdps(50):
        near = 1 + mpf(10) ** -30
    assert value_at((x - 1) * 10**30, {x: near}) == pytest.approx(1)
    assert value_at(v[1], {v: [Float("0.1", 30)]}) == 0.1
    with pytest.raises(ValueError, match=r"v: got sqrt\(2\), needs a number"):
        value_at(v[1], {v: [sqrt(2)]})
