"""The symbolic route: what it says vanishes vanishes, and rewriting an expression does not change what it says."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from mpmath import mp
from sympy import (Abs, Derivative, Dummy, Eq, Gt, I, KroneckerDelta, Product, Rational, S, Sum, Symbol, cosh, exp, expand, factorial, log, oo, sinh,
                   sqrt, together)

from logpartition.proof import array, inverse
from logpartition.proof.evaluate import Evaluator, Inaccurate, Undefined, agree
from logpartition.proof.language import apart
from logpartition.proof.normal import Normal
from logpartition.proof.sample import Domain

from .symbols import N, a, b, beta, c, d, i, j, k, l, p, q, r, v, w, x, y

RANGES = {i: N, j: N, l: N, a: d, b: d, c: d}
SETTINGS = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def expressions(draw, depth=3, free=()):
    """Random expressions of sums, products and exponentials over N keys; `free` are the indices in scope."""
    leaves = [x, y, beta, N, Rational(draw(st.integers(-3, 3)), draw(st.integers(1, 3)))] + [f[o] for o in free for f in (r, v, w)]
    if depth == 0:
        return draw(st.sampled_from(leaves))
    kind = draw(st.sampled_from(["leaf", "add", "add", "mul", "mul", "sum", "sum", "exp", "square"]))
    below = lambda more=free: draw(expressions(depth - 1, more))
    if kind == "leaf":
        return draw(st.sampled_from(leaves))
    if kind == "add":
        return below() + below()
    if kind == "mul":
        return below() * below()
    if kind == "square":
        return below() ** 2
    if kind == "exp":
        return exp(draw(expressions(0, free)) * draw(expressions(0, free)))
    fresh = next((o for o in (i, j, l) if o not in free), None)
    return below() if fresh is None else Sum(below((*free, fresh)), (fresh, 1, N))


def rewritten(e, how):
    """The same expression, written otherwise."""
    if how == "expand":
        return expand(e)
    if how == "rename":
        return apart(e)
    if how == "together":
        return together(e)
    if how == "swap":
        return e.replace(lambda s: isinstance(s, Sum) and len(s.limits) == 2, lambda s: Sum(s.function, *reversed(s.limits)))
    return e.replace(lambda s: isinstance(s, Sum) and len(s.limits) == 1, lambda s: Sum(s.function + x, *s.limits) - x * N)


@SETTINGS
@given(expressions(), st.sampled_from(["expand", "rename", "together", "swap", "shift"]))
def test_rewriting_leaves_the_difference_zero(e, how):
    assert Normal((), RANGES).vanishes(e - rewritten(e, how)) is not None


@SETTINGS
@given(expressions(), expressions(), st.integers(0, 3))
def test_what_vanishes_is_zero_at_every_size(e, f, how):
    f = [f, rewritten(e, "expand") + f * 0, e + x * f - f * x, e * (1 + f) - e * f][how]
    vanishes = Normal((), RANGES).vanishes(e - f) is not None
    with mp.workdps(50):
        for point in Domain([e, f, x + y + beta + r[i] + v[i] + w[i]]).points("vanish"):
            try:
                same = agree(Evaluator(point)(e), Evaluator(point)(f), 25)
            except (Undefined, Inaccurate):
                continue
            assert same or not vanishes
            assert vanishes or how == 0


def vanishes(e, facts=(), ranges=RANGES):
    return Normal(facts, ranges).vanishes(e) is not None


def test_deltas_are_contracted_over_their_own_range_only():
    delta = KroneckerDelta(j, b)
    assert vanishes(Sum(KroneckerDelta(i, j) * v[j], (j, 1, N)) - v[i])
    assert not vanishes(Sum(delta * v[j], (j, 1, N)) - v[b])                # b runs to d, j to N
    assert not vanishes(Sum(KroneckerDelta(i, j) * v[j], (j, 2, N)) - v[i])
    assert vanishes(Sum(KroneckerDelta(i, j) * v[i] * r[j], (i, 1, N), (j, 1, N)) - Sum(v[i] * r[i], (i, 1, N)))


def test_ranges_that_may_be_empty_are_not_counted():
    assert vanishes(Sum(x, (i, 1, N)) - N * x)
    assert vanishes(Sum(x, (i, 2, N)) - (N - 1) * x)
    assert not vanishes(Sum(x, (i, 3, N)) - (N - 2) * x)
    assert not vanishes(Sum(x, (i, d, N)) - (N - d + 1) * x)


def test_ranges_that_depend_on_an_index_stay_whole():
    m, n = (Symbol(name, integer=True, positive=True) for name in "mn")
    triangle = Sum(m ** 2, (m, 1, n), (n, 1, N))
    assert not vanishes(triangle - N * Sum(m ** 2, (m, 1, n)))
    assert not vanishes(Sum(x * Sum(m ** 2, (m, 1, n)) * n, (n, 1, N)) - x * Sum(m ** 2, (m, 1, n)) * Sum(n, (n, 1, N)))


def test_an_index_from_0_is_not_taken_for_positive():
    m = Symbol("m", integer=True, nonnegative=True)
    assert not vanishes(Sum(KroneckerDelta(m, 0) * x, (m, 0, N)))
    assert not vanishes(Sum(x * log(m + 1) * Abs(m - 1), (m, 0, N)) - Sum(x * log(m + 1) * (m - 1), (m, 0, N)))


def test_an_inverse_needs_the_whole_range():
    A = array("A", N, N, domain="definite")
    P = inverse(A, "P")
    assert vanishes(Sum(A[i, j] * P[j, l], (j, 1, N)) - KroneckerDelta(i, l))
    assert not vanishes(Sum(A[i, j] * P[j, l], (j, 2, N)) - KroneckerDelta(i, l))
    B = array("B", N, N, domain="definite")
    assert not vanishes(Sum(B[i, j] * P[j, l], (j, 1, N)) - KroneckerDelta(i, l))


def test_roots_keep_their_branch():
    z, u = Symbol("z"), Symbol("u", positive=True)
    assert not vanishes(sqrt(exp(z)) - exp(z / 2))
    assert not vanishes(sqrt(exp(I * x)) - exp(I * x / 2))
    assert vanishes(sqrt(exp(x)) - exp(x / 2))
    assert vanishes(sqrt(u) * sqrt(u * beta) - u * sqrt(beta))
    assert not vanishes(sqrt(x) * sqrt(y) - sqrt(x * y))
    assert not vanishes((x * y) ** Rational(1, 3) - x ** Rational(1, 3) * y ** Rational(1, 3))


def test_logarithms_split_over_what_is_positive():
    assert vanishes(log(beta * exp(x)) - log(beta) - x)
    assert not vanishes(log(x * y) - log(x) - log(y))
    assert not vanishes(log(exp(Symbol("z"))) - Symbol("z"))
    assert not vanishes(log(x ** 2) - 2 * log(x))
    assert vanishes(log(Product(w[j], (j, 1, N))) - Sum(log(w[j]), (j, 1, N)))
    assert not vanishes(log(Product(v[j], (j, 1, N))) - Sum(log(v[j]), (j, 1, N)))


def test_definitions_hold_for_entries_as_stated():
    M, u = array("M", N, N), array("u", N)
    assert not vanishes(M[a, b] - 1, [Eq(M[i, i], 1)], {**RANGES, a: N, b: N})
    assert not vanishes(M[2, 1] - 1, [Eq(M[1, j], 1)])
    assert vanishes(M[2, 1] - r[2] * v[1], [Eq(M[i, j], r[i] * v[j])])
    rows = [Eq(u[j], Sum(M[j, l], (l, 1, N)))]
    assert not vanishes(u[l] - Sum(M[l, l], (l, 1, N)), rows)               # the l of the fact is not the l asked for
    assert vanishes(u[l] - Sum(M[l, i], (i, 1, N)), rows)
    assert not vanishes(Sum(u[l], (l, 1, N)) - N * Sum(M[l, l], (l, 1, N)), rows)


def test_hypotheses_as_ideals():
    assert vanishes(x ** 2 * y - y ** 3, [Eq(x ** 2, y ** 2)])
    assert not vanishes(x - y, [Eq(x ** 2, y ** 2)])
    assert not vanishes(x, [Eq(x * y, 0)])
    assert vanishes(Sum(p[j], (j, 1, N)) ** 2 - 1, p.facts())
    assert not vanishes(Sum(p[j] ** 2, (j, 1, N)) - 1, p.facts())


def test_functions():
    n = Symbol("n", integer=True, positive=True)
    assert vanishes(factorial(n + 1) - (n + 1) * factorial(n))
    assert vanishes(cosh(x) ** 2 - sinh(x) ** 2 - 1)
    assert not vanishes(factorial(n + 1) - n * factorial(n))
    assert not vanishes(cosh(x) - exp(x) / 2)
    assert not vanishes(2 ** n * 3 ** n - 5 ** n)


@pytest.mark.parametrize("e", [x, x * y, x ** 3, x - y, N - 2, N - d, Sum(v[j], (j, 1, N)), Sum(w[j], (j, 1, N)) - 1, log(beta), x ** 2 - 2 * x * y + y ** 2 - 1,
                               sqrt(x), I * x ** 2, Symbol("z") ** 2, Derivative(x ** 3, x), Sum(w[j] * v[j], (j, 1, N))], ids=str)
def test_what_is_not_nonnegative(e):
    assert not Normal((), RANGES).nonnegative(e)


@pytest.mark.parametrize("e", [Sum(w[j], (j, 2, N)), x ** 2, exp(x) - 1, Sum(v[j] ** 2, (j, 1, N)), Abs(x), S.Zero, Product(v[j], (j, 1, N)), log(beta)], ids=str)
def test_what_is_not_positive(e):
    assert not Normal((), RANGES).positive(e)


def test_signs():
    normal = Normal([Gt(x, 0), Gt(1 - r[j], 0)], RANGES)
    assert normal.positive(x * exp(y)) and normal.positive(Sum(w[j] * (1 - r[j]), (j, 1, N))) and normal.nonnegative(x * y ** 2)
    assert not normal.positive(y) and not normal.positive(1 + r[i]) and not normal.positive(r[i]) and not normal.nonzero(x - 1)


def test_forms_do_not_capture():
    inner = Sum(r[j], (j, 1, N))
    assert vanishes(Sum(v[i] * inner, (i, 1, N)) - Sum(v[j] * Sum(r[i], (i, 1, N)), (j, 1, N)))
    assert vanishes(Derivative(Sum(q[b] ** 2, (b, 1, d)), q[b]) - 2 * q[b])
    assert vanishes(Sum(Derivative(Sum(k[j, a] * q[a], (a, 1, d)), q[b]) * q[b], (b, 1, d)) - Sum(k[j, c] * q[c], (c, 1, d)))
    assert not vanishes(Sum(v[i] * r[j], (i, 1, N), (j, 1, N)) - Sum(v[i] * r[i], (i, 1, N)))
    assert not vanishes(Sum(v[i], (i, 1, N)) - Sum(v[i], (i, 1, d)), ranges={})


def test_infinite_sums_have_no_length():
    m = Dummy(integer=True, positive=True)
    assert not vanishes(Sum(x, (m, 1, oo)) - Sum(2 * x, (m, 1, oo)) + x)
