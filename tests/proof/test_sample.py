"""Points: inside every domain, at every size, the same on every machine."""

import pytest
from mpmath import mp, mpf
from sympy import Eq, Ge, Gt, Le, Ne, Sum, Symbol

from logpartition.proof import IllFormed, array, inverse
from logpartition.proof.evaluate import Evaluator, agree
from logpartition.proof.sample import Domain

from .symbols import N, b, beta, d, i, j, k, l, p, q, r, s, v, w, x, y


def points(*expressions, facts=()):
    with mp.workdps(50):
        return Domain(expressions, facts).points("seed")


def test_every_size_and_more_keys_than_dimensions_and_fewer():
    met = {(int(point[N]), int(point[d])) for point in points(k[i, b])}
    assert (1, 1) in met and any(n > m + 1 for n, m in met | {(4, 2)}) and any(m > n + 1 for n, m in met)


def test_domains():
    A = array("A", N, N, domain="definite")
    P, S = inverse(A, "P"), array("S", N, N, domain="symmetric")
    u = array("u", N, domain="sphere")
    with mp.workdps(50):
        for point in points(p[i] * w[i] * u[i] * A[i, j] * P[i, j] * S[i, j] * beta):
            n = int(point[N])
            assert agree(sum(point[p].values()), 1) and agree(sum(value ** 2 for value in point[u].values()), 1)
            assert all(value > 0 for value in (*point[w].values(), *point[p].values(), point[beta]))
            assert all(point[S][a, c] == point[S][c, a] and agree(sum(point[A][a, o] * point[P][o, c] for o in range(1, n + 1)), a == c)
                       for a in range(1, n + 1) for c in range(1, n + 1))


@pytest.mark.parametrize("assumptions", [{"integer": True}, {"positive": True}, {"negative": True}, {"nonnegative": True}, {"real": True, "nonzero": True},
                                         {"integer": True, "negative": True}, {"even": True}, {"odd": True, "positive": True}, {}], ids=str)
def test_numbers_meet_what_is_assumed(assumptions):
    e = Symbol("e", **assumptions)
    for point in points(e):
        value = point[e]
        assert not e.is_integer or value == int(value)
        assert not (e.is_even or e.is_odd) or int(value) % 2 == bool(e.is_odd)
        assert not e.is_positive or value > 0
        assert not e.is_negative or value < 0
        assert not e.is_nonzero or value != 0
    if not assumptions:
        assert any(mp.im(point[e]) != 0 for point in points(e))


def test_large_numbers_and_zero_are_among_them():
    values = [point[x] for point in points(x)]
    assert any(value > 8 for value in values[1::2]) and any(value < -8 for value in values[1::2]) and any(value in (0, 1, -1, 2) for value in values) and any(abs(value) < 1 for value in values)


def test_unknown_assumptions_are_not_guessed():
    with pytest.raises(IllFormed, match="assumed"):
        points(Symbol("e", zero=False, real=True, rational=True, even=True, positive=True, integer=True) * 0 + Symbol("f", integer=True, positive=True, odd=True, even=None) * 0
               + Symbol("g", imaginary=True))


def test_free_indices_coincide_and_differ():
    pairs = [(point[i], point[j]) for point in points(v[i] * v[j]) if point[N] > 1]
    assert any(a != c for a, c in pairs)
    with mp.workdps(50):
        assert any(point[i] == point[j] for point in points(v[i] * v[j]))


def test_hypotheses_hold():
    low = Symbol("m", real=True)
    facts = [Eq(y, x ** 2), Eq(s[j], v[j] * x), Le(low, r[j]), Ne(x, 0), Gt(beta, 1)]
    with mp.workdps(50):
        for point in points(x * y * s[i] * r[i] * low * beta * v[i], facts=facts):
            assert agree(point[y], point[x] ** 2) and point[x] != 0 and point[beta] > 1
            assert all(agree(value, point[v][at] * point[x]) for at, value in point[s].items()) and point[low] <= min(point[r].values())


def test_bounds_are_attained_at_some_point():
    low = Symbol("m", real=True)
    found = points(r[i] * low, facts=[Le(low, r[j])])
    assert any(point[low] == min(point[r].values()) for point in found) and any(point[low] < min(point[r].values()) for point in found)


def test_hypotheses_about_sizes_choose_sizes():
    assert {int(point[N]) for point in points(v[i], facts=[Ge(N, 2)])} == {2, 3, 5}
    with pytest.raises(IllFormed):
        points(v[i], facts=[Eq(N, 50)])


def test_what_a_hypothesis_sets_stays_in_its_domain():
    for point in points(beta * x, facts=[Eq(beta, x)]):
        assert point[beta] == point[x] > 0
    with pytest.raises(IllFormed):
        points(p[i] * w[i], facts=[Eq(p[j], w[j] + 1)])


def test_reproducible():
    assert points(k[i, b] * q[b] * x) == points(k[i, b] * q[b] * x)


def test_ranges():
    domain = Domain([Sum(v[j], (j, 1, N)) * k[l, b]])
    assert domain.ranges[j] == N and domain.ranges[b] == d and domain.indices == [b, l]
    assert isinstance(Evaluator({N: mpf(2)})(domain.ranges[j]), mpf)
