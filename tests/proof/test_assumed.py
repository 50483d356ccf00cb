"""What SymPy takes for granted is so for all values of the letters."""

import pytest
from sympy import (
    Add,
    I,
    Integral,
    KroneckerDelta,
    Max,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    acos,
    acosh,
    asin,
    atan,
    binomial,
    cos,
    exp,
    factorial,
    log,
    pi,
    rf,
    sign,
    sin,
    sqrt,
)  # fmt: skip

from logpartition.proof.language import Total, array, function

from .symbols import N, n, t, x, z

X, w = Symbol("X", positive=True), Symbol("w", negative=True)
n0, m = Symbol("n", integer=True, nonnegative=True), Symbol("m", integer=True)
bits = array("h", N, domain=(-1, 1))
spike = Integral(exp(-(10**8) * (t - S(1) / 3) ** 2) - Rational(1, 10**5), (t, 0, 1))

# a term, a property that it has for some values of its letters, and has not for others
EITHER = [
    (atan(N - 1), "zero"), (atan(n0), "zero"), (atan((n - 30) ** 2), "positive"),
    (acos((-1) ** n), "zero"), (asin(((-1) ** n + 1) / 2), "zero"), (acos(n), "rational"),
    (binomial(m, 3), "nonnegative"), (binomial(m, 2 * n + 1), "negative"),
    (rf(Rational(1, 2), n0), "integer"), (factorial(n + 1) / 3, "integer"),
    (Rational(3, 2) ** X, "integer"), ((-1) ** (n / 2), "real"), (w ** (n / 2), "imaginary"),
    ((N - 1) * acosh(Rational(1, 3)), "real"), ((N - 1) * acosh(Rational(1, 3)), "zero"),
    (Sum(I * (-1) ** m, (m, 1, n)), "real"), (Product(I, (m, 1, n)), "real"),
    (Integral(2 * sign(X - 1) - 1, (X, 0, 4)), "zero"),
    (Integral(exp(I * t), (t, 0, n * pi)), "zero"),
    (Total(I * bits[1], bits), "real"), (function("f")(z), "real"),
    (spike, "positive"), (spike, "negative"), (spike + 1, "positive"),
    ((1 + I) ** n, "even"), ((1 + I) ** n, "odd"), ((x + I) ** 2, "even"), ((x + I) ** n, "odd"),
    ((x - Rational(1, 2) + sqrt(3) * I / 2) ** 3, "odd"),
    (2**n / 6, "integer"), (6**n / 10, "integer"), (2 ** (n + 1) / 12, "odd"),
    (2**n * n / 6, "integer"), (2 / (6**n * X), "even"),
    (2 ** (I * X), "imaginary"), ((2 * I) ** (I * X), "positive"), (exp(I * X) ** x, "real"),
    ((1 + I) ** (1 + I * X), "imaginary"), ((-2) ** (I * pi / log(2)), "real"),
    (Add((-1) ** Rational(1, 4), -((-1) ** Rational(3, 4))), "irrational"),
    (1 / (N * n) - Rational(1, 2), "positive"), (1 / (n * (N + 1)) - Rational(1, 5), "positive"),
    (Rational(1, 9) - 1 / (N * n), "negative"), (Rational(1, 9) - 1 / (N * n), "zero"),
]  # fmt: skip
SO = [
    (atan(n), "positive"), (atan(n0), "nonnegative"), (atan(x), "real"),
    (acos(S(1) / 3), "positive"),
    (binomial(n, 3), "nonnegative"), (binomial(m, 2), "nonnegative"), (factorial(n), "integer"),
    (2**n, "integer"), (Rational(3, 2) ** X, "positive"), (sqrt(2), "irrational"),
    (n + S(1) / 2, "nonzero"), (log(2), "positive"), (Max(n, 2), "integer"),
    (2 ** (n + 1) / 4, "integer"), ((2 * n + 1) ** n, "odd"), (2**n, "even"),
    (2**n / 6, "rational"),
    ((-2) ** Rational(1, 2), "imaginary"), (x**2, "nonnegative"), (exp(x), "positive"),
]  # fmt: skip


@pytest.mark.parametrize("term, property", EITHER, ids=str)
def test_what_depends_on_the_letters_is_not_assumed(term, property):
    assert getattr(term, f"is_{property}") is None


@pytest.mark.parametrize("term, property", SO, ids=str)
def test_what_holds_for_all_of_them_is(term, property):
    assert getattr(term, f"is_{property}") is True


def test_constructors_leave_open_what_is_open():
    for e in (atan(N - 1), acos((-1) ** n), binomial(m, 3), spike):
        assert KroneckerDelta(e, 0) != 0 and sign(e).func is sign
    assert Max(binomial(m, 3), 0).func is Max and Max(spike, 0).func is Max
    for fraction in (2**n / 6, 6**n / 10, n * 2**n / 6):  # 1/3, 3/5, 1/3 at n = 1
        assert sin(pi * fraction) != 0 and KroneckerDelta(fraction, S(1) / 3) != 0
        assert cos(pi * fraction).func is cos and fraction % 1 != 0
    assert sin(pi * 2 ** (n + 1) / 4) == 0
    assert sqrt(spike**2) not in (spike, -spike)
