"""Results at particular values of their symbols, and inequalities between integrals that rest on them."""

import pytest
from sympy import Integral, Symbol, atan, exp, oo, pi

from logpartition.proof import IllFormed, Undecided, derive, instance, named

t, a, b = (Symbol(name, real=True) for name in "tab")
r, y, x = (Symbol(name, nonnegative=True) for name in "ryx")
R, eta = Symbol("R", positive=True), Symbol("eta", positive=True)
tangent = derive("tangent", exp(t)).ge(1 + t, "Taylor", certificate=Integral(t ** 2 * (1 - r) * exp(r * t), (r, 0, 1)))
square = derive("square", exp(y)).ge(y ** 2 / 2, "Taylor", certificate=1 + y + Integral((y - r) ** 2 / 2 * exp(r), (r, 0, y)))


def test_an_instance_is_a_fact_that_a_certificate_may_use_and_an_edge():
    chain = derive("shifted", exp(a)).ge(exp(b) * (1 + a - b), "tangent at b", using=instance(tangent, {t: a - b}),
                                         certificate=exp(b) * (exp(a - b) - 1 - (a - b)))
    assert chain.record["verdict"] == "proved" and chain.record["uses"] == ["tangent"]
    with pytest.raises(Undecided, match="not manifestly nonnegative"):
        derive("unsupported", exp(a)).ge(exp(b) * (1 + a - b), "tangent at b", certificate=exp(b) * (exp(a - b) - 1 - (a - b)))


def test_a_value_has_to_be_what_the_symbol_is():
    with pytest.raises(IllFormed, match="y is nonnegative there, and nothing says that a is"):
        instance(square, {y: a})


def test_an_instance_of_a_conditional_result_is_refused():
    conditional = derive("conditional", a, given=[a <= b]).le(b, "the hypothesis")
    with pytest.raises(IllFormed, match="holds under hypotheses"):
        instance(conditional, {a: t})


def test_integrals_compare_by_their_integrands():
    cauchy = 1 / (pi * (1 + x ** 2))
    chain = derive("cauchy", Integral(exp(eta * x) * cauchy, (x, 0, R))).ge(
        Integral((eta * x) ** 2 / 2 * cauchy, (x, 0, R)), "the integrands", using=instance(square, {y: eta * x}),
        certificate=Integral((exp(eta * x) - (eta * x) ** 2 / 2) * cauchy, (x, 0, R)))
    assert chain.record["steps"][0]["symbolic"] == "certificate"
    assert chain.eq(eta ** 2 * (R - atan(R)) / (2 * pi), "integrate").record["verdict"] == "proved"



def test_facts_are_recognised_behind_names():
    middle = named("m", (a + b) / 2)
    chain = derive("midpoint", exp(a)).ge(exp(middle) * (1 + a - middle), "tangent at the middle", using=instance(tangent, {t: a - middle}),
                                          certificate=exp(middle) * (exp(a - middle) - 1 - (a - middle)))
    assert chain.record["verdict"] == "proved"


def test_a_bounded_symbol_in_an_integral_meets_generic_values():
    """With special values alone a false variant of the right side would pass."""
    chain = derive("bounded", Integral(exp(-t * x) * exp(-x), (x, 0, oo)), given=[t > -1, t < 1]).eq(1 / (1 + t), "integrate")
    assert chain.record["mutants"]["killed"] == chain.record["mutants"]["tried"] > 0


def test_a_result_that_is_used_is_no_assumption_and_brings_its_own():
    conditional = derive("conditional", y, given=[y <= 1]).le(1, "the hypothesis")
    chain = derive("used", exp(a) * y).le(exp(a), "the bound on y", using=conditional, certificate=exp(a) * (1 - y))
    shifted = derive("shifted", exp(a)).ge(exp(b) * (1 + a - b), "tangent at b", using=instance(tangent, {t: a - b}),
                                           certificate=exp(b) * (exp(a - b) - 1 - (a - b)))
    assert chain.facts == (y <= 1,) and chain.record["uses"] == ["conditional"]
    assert shifted.facts == () and shifted.record["assumptions"] == ["$a$ real", "$b$ real"]
