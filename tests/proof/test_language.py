"""Words that know their domain, and names that are only names."""

import pytest

from logpartition.proof import Index, Size, array, function, indices, inverse, named, sizes, unfold
from logpartition.proof.language import Array

from .symbols import N, d, i, t, x, y


def test_sizes_and_indices():
    assert isinstance(sizes("M"), Size) and isinstance(indices("o"), Index)
    assert len(sizes("A, B C")) == 3 and sizes("M") == sizes("M") != indices("M")


@pytest.mark.parametrize("domain, shape", [
    ("definite", (N,)), ("definite", (N, d)), ("symmetric", (N, d)), ("inverse", (N, d)),
    ("odd", (N,)), ("real", ()),
])  # fmt: skip
def test_domains_that_do_not_fit(domain, shape):
    with pytest.raises(ValueError, match="domain|shape"):
        array("A", *shape, domain=domain)


def test_an_inverse_is_of_one_matrix():
    with pytest.raises(ValueError, match="definite"):
        inverse(array("A", N, N), "P")
    A, B = (array(name, N, N, domain="definite") for name in "AB")
    assert inverse(A, "P") != inverse(B, "P")
    of_invertible = inverse(array("A", N, N, domain="invertible"), "P")
    assert inverse(A, "P") != of_invertible and inverse(A, "P")[i, i] != of_invertible[i, i]


@pytest.mark.parametrize("domain", ["real", "symmetric", "antisymmetric", "positive", "simplex"])
def test_a_matrix_without_an_inverse_has_none(domain):
    with pytest.raises(ValueError, match="definite"):
        Array("P", (N, N), "inverse", array("A", N, N, domain=domain))
    with pytest.raises(ValueError, match="nothing else"):
        Array("P", (N, N), domain, array("A", N, N, domain="definite"))


def test_an_inverse_has_a_matrix():
    for of in (None, x, N):
        with pytest.raises(ValueError, match="an inverse"):
            Array("P", (N, N), "inverse", of)


def test_arrays_differ_by_domain():
    assert array("p", N) != array("p", N, domain="simplex")
    assert array("p", N, domain="simplex")[i].is_positive and array("p", N)[i].is_real


def test_a_name_goes_when_what_it_names_changes():
    G = named("G", x**2)
    assert unfold(named("H", G + 1)) == x**2 + 1 and G.diff(x) == 2 * x
    assert (G + y).subs(y, 1) == G + 1 and G.subs(x, 3) == 9


def test_derivatives_of_a_smooth_function():
    f = function("f")
    assert f(t**2).diff(t) == 2 * t * f(t**2, 1) and f(x).is_real
