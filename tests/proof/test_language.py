"""Symbols that know their domain, names that are only names, and binding."""

import pytest
from sympy import Derivative, Integral, Limit, Subs, Sum, exp, oo, symbols

from logpartition.proof import Index, Size, array, indices, inverse, named, sizes, unfold
from logpartition.proof.language import ambiguous, apart, differentiated, free

from .symbols import N, a, b, d, i, j, k, q, t, v, x, y


def test_sizes_and_indices():
    assert isinstance(sizes("M"), Size) and isinstance(indices("o"), Index) and len(sizes("A, B C")) == 3
    assert sizes("M") == sizes("M") != indices("M")


@pytest.mark.parametrize("domain, shape", [("definite", (N,)), ("definite", (N, d)), ("symmetric", (N, d)), ("inverse", (N, d)), ("odd", (N,))])
def test_domains_that_do_not_fit(domain, shape):
    with pytest.raises(ValueError, match="domain|shape"):
        array("A", *shape, domain=domain)


def test_inverse_needs_a_definite_matrix():
    with pytest.raises(ValueError, match="definite"):
        inverse(array("A", N, N), "P")
    A, B = (array(name, N, N, domain="definite") for name in "AB")
    assert inverse(A, "P") != inverse(B, "P")


def test_arrays_differ_by_domain():
    assert array("p", N) != array("p", N, domain="simplex")
    assert array("p", N, domain="simplex")[i].is_positive and array("p", N)[i].is_real


def test_names():
    G = named("G", x ** 2)
    assert unfold(named("H", G + 1)) == x ** 2 + 1
    assert G.diff(x) == 2 * x
    assert (G + y).subs(y, 1) == G + 1 and G.subs(x, 3) == 9        # a name does not survive a change of what it names
    assert ambiguous([G, named("H", named("G", y))]) == "G" and ambiguous([G, named("H", G)]) is None


@pytest.mark.parametrize("e, symbols_", [
    (Sum(v[i] * x, (i, 1, N)), {x, N}), (Sum(v[i], (i, 1, N)) * v[i], {i, N}), (Integral(x * y, (x, 0, t)), {y, t}), (Subs(Derivative(x * t, t), t, 0), {x}),
    (Derivative(x ** 2 * y, x), {x, y}), (Limit(x * y, x, 0), {y}), (k[j, a], {j, a}), (Derivative(exp(q[a]), q[b]), {a, b})], ids=str)
def test_free(e, symbols_):
    assert free(e) == symbols_


def test_apart():
    e = Sum(v[i] * Sum(v[i], (i, 1, N)), (i, 1, N)) + v[i]
    renamed = apart(e)
    assert free(renamed) == free(e) and renamed.xreplace({i: j}).as_dummy() == Sum(v[a] * Sum(v[b], (b, 1, N)), (a, 1, N)).as_dummy() + v[j]


def test_differentiated():
    n = symbols("n", integer=True)
    from sympy import Eq
    assert differentiated(Eq(Derivative(exp(t), (t, n)), exp(t))) == [t] and differentiated(Eq(x, 1)) == []
    assert oo not in free(Integral(exp(-x), (x, 0, oo)))
