"""What numbers alone may decide, and what not: most of the statements that are not theirs fail
at a few points or have no value there, and a survey might meet none of them; a few others are true,
of a kind that might be false."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    Ge,
    Gt,
    I,
    Integral,
    KroneckerDelta,
    Le,
    Limit,
    Max,
    Mul,
    Ne,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    atan,
    besseli,
    binomial,
    cos,
    cosh,
    erf,
    exp,
    gamma,
    log,
    oo,
    pi,
    sech,
    sign,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
)

from logpartition.proof import Total, array, derive, named
from logpartition.proof.errors import IllFormed, ProofError, Refuted, Undecided
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.numeric.compare import search
from logpartition.proof.numeric.far import farther
from logpartition.proof.steady import demand_steady

from .symbols import N, d, i, j, k, l, n, p, t, v, w, x, y

X = Symbol("X", positive=True)
m = symbols("m", integer=True, positive=True)
m0 = symbols("m0", integer=True, nonnegative=True)
apart = Symbol("u", nonzero=True)
on_sphere, D = array("s", d, domain="sphere"), array("D", d, d, domain="definite")
spins, g = array("z", N, domain=(-1, 1)), array("g", d, domain="normal")
bump = lambda e: Limit(1 / cosh(t * e) ** 2, t, oo)
cosines = Sum((-1) ** n * cos(n * x) / n**2, (n, 1, oo))
spread = Limit(exp(-t * (Sum(p[j] ** 2, (j, 1, N)) - 1 / N)), t, oo)

STANDS = {  # left, right, and hypotheses: a part of it may jump
    "a limit at 3": (bump(x - 3), 0),
    "a limit at equal shares": (y * spread, 0, [Gt(N, 1)]),
    "a limit along every third": (y * Limit(cos(2 * pi * n / 3), n, oo), -y / 2),
    "a limit along a lattice": (y * Limit(cos(14 * pi * X), X, oo), y),
    "a large deviation": (y * Limit(exp(-t * (X * log(X / 5) - X + 5)), t, oo), 0),
    "a sign": (sign(Sum((v[j] - x) ** 2, (j, 1, N))) ** 2 * y, y),
    "a far integer": (y * sign(n - 777) ** 2, y),
    "two integers": (y * sign(2 * m - 3 * n - 1) ** 2, y),
    "an entry of a matrix": (y * sign(D[1, 1] - 3) ** 2, y),
    "a maximum": (Max(n, 60) * x, 60 * x),
    "a kink": (y * Abs(x - Rational(3, 2)), y * (Rational(3, 2) - x), [Le(x, Rational(8, 5))]),
    "a delta": (x * KroneckerDelta(n, 777) + y, y),
    "deltas of three indices": (Derivative(k[i, 1] * k[l, 1], k[j, 1]), 0),
    "the slope of an entry": (x * Derivative(k[i, 1], k[j, 1]) + x, x),
    "0 to the power 0": (y * S(0) ** ((x - 7) ** 2), 0),
    "that of a letter": (y * x ** ((n - 30) ** 2) * x, y * x ** ((n - 30) ** 2 + 1)),
    "orders that coincide": (Integral(cos(n * t) * cos(2 * m * t), (t, -pi, pi)), 0),
    "an integral at 5": (Integral(exp(-t * (x - 5) ** 2) * (x - 5) ** 2, (t, 0, oo)), 1),
    "a series": (cosines, -(pi**2) / 12),
    "a series of powers": (Sum((x - 5) ** 2 * exp(-m0 * (x - 5) ** 2), (m0, 0, oo)), 1),
    "the root of a square": (x * sqrt((x - 7) ** 2), x * (7 - x)),
    "a range that may be empty": (
        y * exp(Product(x * (t + 1) - x * t - x, (m, 1, (n - 30) ** 2))), y),
    "a binomial": (y * binomial(N, 40), 0),
    "a mean": (y * Total(Abs(g[1]), g), y * sqrt(2 / pi)),
}  # fmt: skip
AROUND = {  # a side has no value somewhere, or two branches meet
    "a zero of the cosine": (y / cos(x) + y, y * (1 + 1 / cos(x))),
    "a tangent": (y * tan(x) + y, y * (tan(x) + 1)),
    "its logarithm": (y * log(cos(x) ** 2) + y, y * (log(cos(x) ** 2) + 1)),
    "a meaning": (t * (y * (x - 7) + 1), 2 * t, [Eq(y, 1 / (x - 7))]),
    "a double zero": (y / (exp(x - 7) - x + 6), y / (exp(x - 7) + 6 - x)),
    "a root": (y * sqrt(x**2 - 4 * x + 4), y * (x - 2), [Ge(x, 2)]),
    "another root": (y * sqrt(1 - sin(x) ** 2), y * cos(x), [Ge(x, 0), Le(x, Rational(8, 5))]),
    "an inverse": (y * atan(tan(x)), y * x, [Ge(x, 0), Le(x, Rational(8, 5))]),
    "a factor of a gamma": (y * gamma(x), y * gamma(x + 1) / x),
}  # fmt: skip
VARIES = {  # hypotheses and domains that leave gaps
    "two sides of 3": (1 / (x - 3), (x + 3) / (x**2 - 9), [Ne(x, 3)]),
    "two half-lines": (sqrt(x**2 - 4 * x + 4), x - 2, [Gt((x - 2) ** 2, 1)]),
    "points of a curve": (y * sin(x) ** 2, y, [Eq(cos(x), 0)]),
    "a letter that is not 0": (atan(apart) + atan(1 / apart), pi / 2),
    "a sphere": (y * on_sphere[1] ** 3, y * on_sphere[1]),
    "spins": (y * spins[1] ** 3, y * spins[1]),
    "an integer": (y * x**n * x, y * x ** (n + 1)),
    "a theorem that was cut off": (
        pi * (1 + X) ** n,
        pi * Sum(X**m0 * Product((n - m0 + j) / j, (j, 1, m0)), (m0, 0, 15)),
    ),
    "a place that is left out": (
        v[j] + atan(v[j]) * Product(j - m0, (m0, 1, 5)) * Product(j - m0, (m0, 7, 13)),
        v[j],
    ),
    "zeros at fifteen integers": (y * cosh(y) * Product(n - j, (j, 1, 15)), 0),
}
REFUSED = {
    **{(case, "stands"): sides for case, sides in STANDS.items()},
    **{(case, "all around"): sides for case, sides in AROUND.items()},
    **{(case, "leave"): sides for case, sides in VARIES.items() if len(sides) > 2},
    **{(case, "for all"): sides for case, sides in VARIES.items() if len(sides) == 2},
}
STEADY = {
    "polynomials": (x * (y + 2), x * y + 2 * x),
    "Gudermann": (atan(sinh(x)), 2 * atan(tanh(x / 2))),
    "a mean under a law": (Sum(p[j] * (v[j] + x), (j, 1, N)), Sum(p[j] * v[j], (j, 1, N)) + x),
    "under linear hypotheses": (Sum(exp(t * v[j]) + x, (j, 1, N)),
        Sum(exp(t * v[j]), (j, 1, N)) + N * x, [Le(v[j], x), Ge(t, 0)]),
    "a product": (x * Product(w[j], (j, 1, N)), x * exp(Sum(log(w[j]), (j, 1, N)))),
    "Bessel": (besseli(1, X) * 2 / X + y, besseli(0, X) - besseli(2, X) + y),
    "a gamma function": (gamma(X + 1) * y, y * X * gamma(X)),
    "a slope": (Derivative(tanh(x), x) + x, 1 - tanh(x) ** 2 + x),
    "a quotient": (y / (x - 3), y * (x + 3) / (x**2 - 9), [Gt(x, 3)]),
    "a definition": (x * y, t**2 * y, [Eq(x, t**2)]),
    "a name": (named("A", exp(x)) * (y + 1), y * exp(x) + exp(x)),
}  # fmt: skip


def statement(left, right, given=()):
    context, sides = elaborate([left, S(right)], [(f, ASSUMED) for f in given])
    return context, *sides


@pytest.mark.parametrize("case, words", REFUSED)
def test_numbers_alone_do_not_decide(case, words):
    with pytest.raises(Undecided, match=f"Numbers alone do not decide .*{words}"):
        demand_steady(*statement(*REFUSED[case, words]))


@pytest.mark.parametrize("case", STEADY)
def test_numbers_alone_may_decide(case):
    demand_steady(*statement(*STEADY[case]))


TURNS = 65520 * 10**6  # a whole number times every number with a small denominator that is tried
BEYOND = {  # false statements that short fractions or few digits accept, and what is said of them
    "a sine of whole turns": (y * sin(pi * TURNS * x), 0, Refuted, "This is false"),
    "those of entries": (Sum(sin(pi * TURNS * v[j]), (j, 1, N)) * y, 0, Refuted, "is false"),
    "those of positive numbers": (y * cos(2 * pi * TURNS * X), y, Refuted, "This is false"),
    "cosines of which much cancels": (
        y * Mul(*[cos(x / 10**29 * exp(I * pi * m / 8)) for m in range(8)]),
        y,
        Undecided,
        "small",
    ),
    "nearly 1": (y * tanh(100), y, Refuted, "e-87"),
    "nearer to 1": (y * tanh(10**6 * (1 + x**2)), y, Undecided, "out of reach"),
    "a term in the middle": (
        Sum((1 + X) * exp(900 * (j - 1) * (3 - j)) + sin(y), (j, 1, 3)),
        (1 + X) * Product(exp(100), (j, 1, 9)),
        Undecided,
        "out of reach",
    ),
    "so at all entries": (Sum(tanh(10**6 * j) * y, (j, 1, N)), N * y, Undecided, "reach"),
    "an error function that is nearly 1": (y * erf(27), y, Undecided, "large number"),
    "one that is so at a letter": (y * erf(x**2 + 30), y, Undecided, "large number"),
    "a cosine that is nearly 1": (y * cos(1 / (x**2 + 2) ** 1000), y, Undecided, "small"),
    "an exponential that is": (y * exp(Rational(1, 10) ** (N + 400)), y, Undecided, "reach"),
    "a power that is": (y * X ** Rational(1, 2**2000), y, Undecided, "out of reach"),
    "one of what is nearly 1": ((1 + y**2) ** (sech(200) ** 5), 1, Undecided, "out of reach"),
    "its base is": (y * (1 + sech(300) ** 2) ** Rational(1, 10**100), y, Undecided, "reach"),
    "what rounds to 0": (y + (tanh(250 + x**2) - 1) ** 2, y, Undecided, "cancel"),
    "the same beside what is small": (
        y + (tanh(290) - 1) * sech(290),
        y,
        Undecided,
        "cancel",
    ),
    "a cosine less 1": (y + (cos(exp(-60)) - 1) ** 7, y, Undecided, "cancel|small"),
    "next to nothing": (y + exp(x) / 10**500, y, ProofError, "numbers|false"),
}


@pytest.mark.parametrize("case", BEYOND)
def test_numbers_reach_beyond_short_fractions_and_few_digits(case):
    left, right, kind, words = BEYOND[case]
    with pytest.raises(kind, match=words):
        derive("q", left).eq(right, "why", by="numbers")


def test_numbers_alone_decide_no_inequality():
    """What fails between x = 0.58 and 0.74 alone may hold wherever it is tried."""
    chain = derive("third-cumulant", tanh(x) * (1 - tanh(x) ** 2))
    with pytest.raises(IllFormed, match="numbers alone decide no ≤, since it may fail"):
        chain.le(Rational(38, 100), "the largest slope", by="numbers")


@pytest.mark.parametrize("case", STEADY)
def test_true_statements_stay_checked_to_many_digits(case):
    context, left, right = statement(*STEADY[case])
    survey = search(context, left, "=", right, chance=True)
    drawn = [point for point, _ in survey.agreements if point.flavour == "chance"]
    assert drawn
    for point in drawn:
        farther(left, right, point)


def test_a_refusal_by_numbers_comes_after_a_counterexample():
    with pytest.raises(Exception, match="This is false"):
        derive("q", Abs(x - 7)).eq(7 - x, "why", by="numbers")
    with pytest.raises(Undecided, match="stands"):
        derive("q", bump(x - 3) * (y + 1)).eq(0, "why", by="numbers")


def test_numbers_are_advised_only_where_they_decide():
    with pytest.raises(Undecided, match='by="numbers"'):
        derive("q", atan(sinh(x))).eq(2 * atan(tanh(x / 2)), "why")
    with pytest.raises(Undecided) as caught:
        derive("q", Abs(x) * Abs(y + Abs(x * y))).eq(Abs(x * y + x * Abs(x) * Abs(y)), "why")
    assert "numbers" not in str(caught.value)
