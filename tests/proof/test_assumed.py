"""What SymPy takes for granted is so for all values of the letters."""

import pytest
from sympy import (
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
    exp,
    factorial,
    log,
    pi,
    rf,
    sign,
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
]  # fmt: skip
SO = [
    (atan(n), "positive"), (atan(n0), "nonnegative"), (atan(x), "real"),
    (acos(S(1) / 3), "positive"),
    (binomial(n, 3), "nonnegative"), (binomial(m, 2), "nonnegative"), (factorial(n), "integer"),
    (2**n, "integer"), (Rational(3, 2) ** X, "positive"), (sqrt(2), "irrational"),
    (n + S(1) / 2, "nonzero"), (log(2), "positive"), (Max(n, 2), "integer"),
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
    assert sqrt(spike**2) not in (spike, -spike)
