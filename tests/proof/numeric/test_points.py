"""Points: inside every domain, at small and large sizes, with coincidences, and always the same."""

import math
from fractions import Fraction

import pytest
from sympy import Abs, Eq, Ge, Gt, KroneckerDelta, Le, Lt, Ne, Rational, Sum, exp, sqrt, tanh

from logpartition.proof.errors import IllFormed
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.language import array, inverse
from logpartition.proof.numeric.evaluate import _value, evaluate
from logpartition.proof.numeric.points import Sampler, points

from .words import N, a, b, beta, c, d, e, i, j, k, m, n, p, r, symbol, v, x, y


def made(*expressions, given=()):
    context, bodies = elaborate(expressions, [(g, ASSUMED) for g in given])
    return points(context, bodies)


def meet(expressions, given):
    """Every point meets every hypothesis, or is next to one that does."""
    context, bodies = elaborate(expressions, [(g, ASSUMED) for g in given])
    sampler, found = Sampler(context, bodies), points(context, bodies)
    for point in found:
        for fact in sampler.facts:
            assert sampler.true(fact, point) or point.rounded and near(fact, point)
    return found


def near(fact, point):
    return abs(_value(fact.left - fact.right, point, 250, 0)) < 1e-200


def test_sizes():
    found = made(k[i, b])
    met = {(z[N], z[d]) for z in found}
    assert {1, 2, 3} <= {s for s, _ in met} and max(s for s, _ in met) > 10
    assert all(any((s - 1) * (s - 2) * (s - 3) * (s - 5) for s in row) for row in zip(*met))
    assert any(s != t for s, t in met)


@pytest.mark.parametrize("others", [(), (d,)])
def test_no_polynomial_in_a_size_vanishes_at_all_its_numbers(others):
    plain = made(x * N, *(x * other for other in others))
    zeros = {point[N] for point in plain}
    vanishing = math.prod(N - number for number in zeros)
    for written in (vanishing, vanishing.expand(), Sum(vanishing.expand(), (m, 1, N))):
        met = made(x * written, *(x * other for other in others))
        assert any(point[N] not in zeros for point in met)
    sums = made(Sum(v[j], (j, 1, N)) ** 9, *(x * other for other in others))
    assert {point[N] for point in sums} == zeros  # which are no polynomials


def test_coincidences_and_magnitudes():
    found = made(x * y * m * n * v[i] * v[j])
    assert any(z[x] == z[y] for z in found) and any(z[m] == z[n] for z in found)
    assert any(z[i] == z[j] for z in found if z[N] > 1) and any(z[i] != z[j] for z in found)
    alone = made(x)
    for test in (lambda z: z == 0, lambda z: z == -1, lambda z: abs(z) > 10**6,
                 lambda z: 0 < abs(z) < 1e-4):  # fmt: skip
        assert any(test(z[x]) for z in alone)
    assert any(z[m] == z[n] for z in made(m * n)) and any(z[n] >= 12 for z in made(m * n))
    large = next(z for z in alone if abs(z[x]) > 10**6)
    assert abs(large.smaller.smaller[x]) < abs(large.smaller[x]) < abs(large[x])


def test_domains():
    S = array("S", N, N, domain="definite")
    P, u = inverse(S, "P"), array("u", N, domain="sphere")
    W, s = array("W", N, N, domain="antisymmetric"), array("s", N, domain=(0, 1))
    for z in made(p[i] * u[i] * P[i, j] * S[i, j] * W[i, j] * s[i] * beta):
        assert sum(z[p].values()) == 1 == sum(x**2 for x in z[u].values())
        assert all(z[W][g, h] == -z[W][h, g] for g, h in z[W])
        assert all(sum(z[S][g, o] * z[P][o, h] for o in range(1, z[N] + 1)) == (g == h)
                   for g, h in z[S])  # fmt: skip
        assert min(z[p].values()) > 0 and set(z[s].values()) <= {0, 1} and z[beta] > 0


def test_hypotheses_hold():
    moment = Eq(Sum(p[j] * e[j], (j, 1, N)), Sum(r[j] * e[j], (j, 1, N)))
    low = symbol("low", real=True)
    for expressions, given in [
        ([x * y], [Eq(x * y, 1)]), ([p[j] * r[j] * e[j]], [moment]),
        ([v[j] * e[j]], [Eq(Sum(v[j] * e[j], (j, 1, N)), 0)]),
        ([low * v[i]], [Le(low, v[j])]), ([x * y], [Lt(x, y), Gt(x, 1)]), ([x], [Ne(x, 1)]),
        ([x], [Gt(x, 100)]), ([x * y], [Eq(x**2 + y**2, 1)]), ([x * y], [Eq(exp(x) + y, 3)]),
        ([v[i]], [Ge(N, 2)]), ([x * y], [Ge(x, sqrt(y))]),
        ([x * y], [Ge(x, sqrt(1 - tanh(y) ** 2))]),
    ]:  # fmt: skip
        assert any(z.flavour == "generic" for z in meet(expressions, given))
    assert {z[N] for z in made(v[i], given=[Ge(N, 9)])} >= {13}


@pytest.mark.parametrize("bound, low, high", [
    ([Le(Abs(x), 10)], -10, 10), ([Le(x**2, 49)], -7, 7), ([Le(x, 50), Ge(x, -50)], -50, 50),
    ([Ge((x + 8) * (9 - x), 0)], -8, 9),
    ([Le(Abs(x), Rational(1, 8000))], Fraction(-1, 8000), Fraction(1, 8000)),
], ids=str)  # fmt: skip
def test_ends_of_bounds(bound, low, high):
    found = meet([x], bound)
    assert {low, high} <= {z[x] for z in found}
    assert any(z.flavour == "generic" and low < z[x] < high for z in found)


def test_sizes_and_powers_are_bounded():
    for bound in (Lt(x**2, 2), Ge(x**2, 10), Gt(Abs(x), 1000), Le(n**2, 50), Ge(n**2, 500)):
        assert any(z.flavour == "generic" for z in meet([x * n], [bound]))


def test_hypotheses_about_an_inverse():
    S = array("S", d, d, domain="definite")
    P = inverse(S, "P")
    for given in ([Eq(P[1, 1], y)], [Lt(P[1, 1], 1)], [Eq(P[1, 1] ** 2 + S[1, 1], y**2)]):
        assert any(z.flavour == "generic" for z in meet([P[1, 1] * x + y], given))


def test_an_inverse_of_a_defined_matrix():
    S = array("S", d, d, domain="invertible")
    P = inverse(S, "P")
    for z in made(P[a, b] * beta, given=[Eq(S[a, c], beta * KroneckerDelta(a, c))]):
        assert all(value * z[beta] == (g == h) for (g, h), value in z[P].items())


@pytest.mark.parametrize("given, says", [
    ([x > 0, x < 0], "no point satisfies"), ([Eq(x**2, 0)], "special points|no point"),
    ([Eq(p[j], v[j]), Lt(v[j], 0)], "no point satisfies"), ([Eq(N, 50)], "no point"),
], ids=str)  # fmt: skip
def test_hypotheses_that_cannot_be_met(given, says):
    with pytest.raises(IllFormed, match=says):
        made(x * p[i] * v[i], given=given)


def test_the_same_points_always():
    assert made(k[i, b] * x) == made(k[i, b] * x)


def test_readable():
    z = made(x * v[i])[0]
    assert str(z).startswith("N = 1, i = 1, x = 0, v[1] = 0")
    assert evaluate(x, z).value == 0
