"""Chains: what a link may use, what a result says of itself, and how a failure reads."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    Ge,
    Gt,
    Integral,
    Le,
    Limit,
    Lt,
    Max,
    Ne,
    Rational,
    Sum,
    Symbol,
    atan,
    cos,
    exp,
    factorial,
    log,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)  # fmt: skip

from logpartition.proof import (
    IllFormed,
    ProofError,
    Refuted,
    Undecided,
    Unfalsifiable,
    array,
    by,
    cite,
    definition,
    derive,
    differentiate,
    grad,
    indices,
    induction,
    induction_on,
    instance,
    integrate,
    mean,
    named,
    observe,
    rearrange,
    refute,
    theorem,
    total,
)  # fmt: skip
from logpartition.proof.display import MIME, markdown
from logpartition.proof.kernel.context import ASSUMED
from logpartition.proof.printer import tex
from logpartition.proof.tactics.reasons import reason
from logpartition.proof.tensors import tensor

from .symbols import N, a, b, beta, d, distributed, j, k, l, n, p, q, r, s, t, v, w, x, y, z

Y = Symbol("y", nonnegative=True)
u = array("u", d)
Z = named("Z", total(exp(beta * (k[l] @ q)), l))
G = named("G", log(Z) / beta)
attention = tensor("p", (N,), lambda at: exp(beta * (k[at] @ q)) / Z)


@cache
def gradient():
    return (derive("softmax-gradient", grad(G, q), title="The gradient")
            .eq(grad(Z, q) / (beta * Z), differentiate("the chain rule"))
            .eq(mean(k[j], attention), differentiate))  # fmt: skip


@cache
def squared():
    """y²/2 ≤ exp(y) for y ≥ 0."""
    rest = Integral((Y - t) ** 2 / 2 * exp(t), (t, 0, Y))
    return derive("square", exp(Y)).ge(Y**2 / 2, "Taylor", certificate=1 + Y + rest)


@cache
def bounded():
    low, high = Symbol("A", real=True), Symbol("B", real=True)
    at = Sum(p[j] * r[j], (j, 1, N))
    gaps = Sum(p[j] * (high - r[j]) * (r[j] - low), (j, 1, N))
    return derive("spread", Sum(p[j] * r[j] ** 2, (j, 1, N)) - at**2,
                  given=[Ge(r[j], low), Le(r[j], high)]).le(
        (high - at) * (at - low), "Bhatia and Davis", certificate=gaps)  # fmt: skip


def data(result):
    return result.record.json()


# --- what a chain says ----------------------------------------------------------------------------


def test_a_chain_of_vectors():
    record = data(gradient())
    first, second = record["steps"]
    assert record["verdict"] == "proved" and record["scope"] == "all sizes"
    assert first["reason"] == "differentiate" and first["remark"] == "the chain rule"
    assert "nabla" in record["start"] + first["latex"] and first["entries"] != first["latex"]
    assert second["numeric"]["digits"] >= 20 and second["mutants"]["killed"] > 0


USES = {
    "its statement": lambda chain: chain.statement,
    "its record": lambda chain: chain.record,
    "in a terminal": repr,
    "in a sentence": str,
    "in a notebook": lambda chain: chain._repr_mimebundle_(),
    "as a rule": lambda chain: derive("next", (t + 1) ** 2).eq(t**2 + 2 * t + 1, by(chain)),
    "as a hypothesis": lambda chain: derive("next", t, given=[chain]).eq(2 * t - t, rearrange),
    "in words": lambda chain: derive("next", (t + 1) ** 2, rests_on=[chain]).eq(
        t**2 + 2 * t + 1, rearrange).record,
    "under a theorem": lambda chain: theorem("all", "So.", by={chain: "it"}, argument="{alone}"),
    "beside a number": lambda chain: observe(
        "seen", "", measured=1, predicted=1, tolerance=0.1, uses=[chain]),
    "in place of a wrong formula": lambda chain: refute(
        "wrong", Eq(x, 2 * x), corrected=chain, location="a guess"),
}  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_a_chain_without_a_link_states_nothing(use):
    """It is told by its label, however it is looked at or used."""
    with pytest.raises(IllFormed, match="alone. A chain without a link states nothing"):
        USES[use](derive("alone", (t + 1) ** 3))


def test_the_statement_takes_the_strongest_relation():
    chain = derive("bound", x**2).le(x**2 + y**2, "a square").eq((x + y) ** 2 - 2 * x * y, "expand")
    assert chain.statement == Le(x**2, (x + y) ** 2 - 2 * x * y)
    strict = derive("strict", x).le(x + y**2, "a square").lt(x + y**2 + 1, "one more")
    assert isinstance(strict.statement, Lt)


def test_the_whole_is_tried_end_to_end():
    """Points of the whole statement, not those of a link."""
    record = data(gradient())
    assert record["whole"]["points"] == record["whole"]["of"] > 0


def test_numbers_make_a_chain_checked():
    chain = distributed().eq(x * (y + 2) - x, "subtract", by="numbers")
    assert data(chain)["verdict"] == "checked" and data(chain)["steps"][1]["symbolic"] == ""
    assert "proved" not in repr(chain)
    with pytest.raises(ValueError, match="needs None or"):
        distributed().eq(x * (y + 2) - x, "subtract", by="luck")


def test_what_rests_on_numbers_is_checked():
    left, right = atan(sinh(x)), 2 * atan(tanh(x / 2))
    weak = derive("weak", left).eq(right, "by trying", by="numbers")
    assert data(derive("next", 2 * left).eq(2 * right, by(weak)))["verdict"] == "checked"
    told = derive("told", (t - 1) ** 2, rests_on=[weak]).eq(t**2 - 2 * t + 1, rearrange)
    assert data(told)["verdict"] == "checked" and data(told)["uses"] == ["weak"]


def test_scope_of_numbers_is_the_sizes_tried():
    chain = derive("sizes", Sum(v[j], (j, 1, N)) * x).eq(
        Sum(x * v[j], (j, 1, N)), "by trying", by="numbers")  # fmt: skip
    record = data(chain)
    assert record["scope"] == "N = " + ", ".join(map(str, record["sizes"]["N"]))
    two = data(derive("two", N * x * y, given=[Eq(N, 2)]).eq(2 * x * y, "two of them"))
    assert two["scope"] == "N = 2"


@pytest.mark.parametrize("given, result, scope", [
    (Eq(Sum(p[j] * x, (j, 1, N)), x * y), 0, "all sizes"),
    (Eq(Sum(p[j] + 1, (j, 1, N)), 3), 2 * x, "all sizes that the hypotheses allow"),
])  # fmt: skip
def test_scope_of_hypotheses_that_leave_few_sizes(given, result, scope):
    start = N * x * (y + 1) if result else N * x * (y - 1)
    chain = derive("few", start, given=[given]).eq(result * (y + 1), "the same")
    assert data(chain)["scope"] == scope


# --- hypotheses and results that are used ---------------------------------------------------------


def test_a_result_that_is_used_is_an_edge_and_is_needed():
    chain = derive("fourth", 2 * exp(x**2)).ge(x**4, by(instance(squared(), {Y: x**2})))
    assert data(chain)["uses"] == ["square"] and chain.facts == ()
    with pytest.raises(ProofError):
        derive("fourth", 2 * exp(x**2)).ge(x**4, "alone")
    using = derive("fourth", 2 * exp(x**2)).ge(x**4, "Taylor", using=instance(squared(), {Y: x**2}))
    assert data(using)["uses"] == ["square"]


@pytest.mark.parametrize("why", [
    by(distributed()), differentiate, differentiate + integrate, induction_on(n),
], ids=lambda why: why.words)  # fmt: skip
def test_a_reason_that_does_nothing_is_refused(why):
    with pytest.raises(Unfalsifiable, match="closes without"):
        derive("q", n * (x + y)).eq(n * x + n * y, why)


def test_a_label_is_no_hypothesis():
    """A result is no assumption of an author's, whatever it is called."""
    larger = derive("hypothesis", x).eq(Max(x, t), "larger", using=[Ge(x, t)])
    same = larger.eq(t, "smaller", using=[Le(x, t)])
    chain = derive("q", 2 * t * Abs(y) + Abs(y), given=[Gt(y, 0)])
    with pytest.raises(Refuted, match="This is false: at"):
        chain.eq(y * Derivative(x * t, t) + Abs(y), differentiate + by(same))
    for label in (ASSUMED, "", "two words", None):
        with pytest.raises(ValueError, match="label: got .*, needs a name"):
            derive(label, x)


def test_each_result_of_a_reason_is_needed():
    idle = derive("idle", (x + 1) ** 2).eq(x**2 + 2 * x + 1, rearrange)
    with pytest.raises(Unfalsifiable, match="closes without “by idle”; leave it out"):
        derive("q", bounded().statement.lhs).le(bounded().statement.rhs, by(bounded(), idle))


def test_a_text_is_added_to_no_rule_and_two_remarks_are_too_many():
    for added in (lambda: differentiate + "the logarithm", lambda: reason("why") + differentiate):
        with pytest.raises(IllFormed, match="a text by itself allows all rules, and is added to"):
            added()
    with pytest.raises(IllFormed, match="two remarks, 'one' and 'two': write one"):
        rearrange("one") + differentiate("two")


def test_a_link_without_a_reason_says_what_to_write():
    for relation in ("eq", "le", "ge", "lt", "gt"):
        with pytest.raises(TypeError, match=r"^r, step 1\. A link needs a reason.*rearrange"):
            getattr(derive("r", Symbol("x")), relation)(Symbol("x"))


def test_a_reason_that_is_not_enough_is_refused():
    with pytest.raises(Undecided, match="does not close"):
        derive("q", Derivative(exp(2 * t), t)).eq(2 * exp(2 * t), rearrange)
    with pytest.raises(IllFormed, match="reason: got int"):
        derive("q", x).eq(y, 1)


def test_a_result_that_gives_no_fact_is_refused():
    with pytest.raises(IllFormed, match="gives no fact"):
        derive("q", x**2 - y**2).eq((x - y) * (x + y), by(
            cite("known", "It is convex.", source="brown1986", number="Theorem 1")))  # fmt: skip


def test_a_result_brings_its_hypotheses():
    bound = bounded()
    chain = derive("doubled", 2 * bound.statement.lhs).le(2 * bound.statement.rhs, by(bound))
    assert set(chain.facts) == set(bound.facts) and data(chain)["uses"] == ["spread"]


def test_names_of_hypotheses_and_certificates_are_listed():
    over, under = named("A", x - 1), named("D", x - y)
    chain = derive("q", x * y, given=[Ge(over, 0), Ge(y, 1)])
    made = chain.ge(x + y - 1, rearrange, certificate=(x - 1) * (y - 1))
    assert made.record.where == ("$A = x - 1$",)
    made = derive("q", x**2 + y**2).ge(2 * x * y, rearrange, certificate=under**2)
    assert made.record.where == ("$D = x - y$",)


def test_a_hypothesis_about_sizes_among_others_is_in_the_scope():
    square = Sum(s[j] ** 2, (j, 1, N))
    for given, scope in (
        ([Ge(x, N), Lt(x, 3)], "all sizes that the hypotheses allow"),
        ([Lt(x, 3), Ge(s[3], 0), Ge(N, 2)], "all sizes that the hypotheses allow"),
        ([Lt(x, 3), Ge(s[j], 0)], "all sizes"),
        ([Lt(x, 3), Ge(square, 1)], "all sizes"),
        ([Lt(x, 3), Ge(N, 2)], "N ≥ 2"),
    ):
        made = derive("q", 3 - x + square, given=given).gt(
            0, rearrange, certificate=3 - x + square)  # fmt: skip
        assert made.record.scope == scope


def test_a_hypothesis_is_needed_where_a_point_breaks_the_statement_without_it():
    chain = derive("conditional", sqrt(x**2) * (y + 1), given=[Ge(x, 0)]).eq(x * y + x, rearrange)
    (hypothesis,) = data(chain)["hypotheses"]
    assert hypothesis["needed"] and "x = -" in hypothesis["witness"]
    (idle,) = data(derive("idle", x * (y + 1), given=[Ge(x, 0)]).eq(x * y + x, "expand"))[
        "hypotheses"
    ]
    assert not idle["needed"] and not idle["witness"]
    far = derive("far", Abs(x) + y, given=[Ge(x, t**2)]).eq(x + y, "the sign")
    (hypothesis,) = data(far)["hypotheses"]
    assert "t = " in hypothesis["witness"]


def test_a_hypothesis_without_which_a_side_may_have_no_value_is_told_from_others():
    """No point at which tan has no value is among those that are tried."""
    steep = derive("steep", tan(t) * cos(t), given=[cos(t) > 0]).eq(sin(t), rearrange)
    (hypothesis,) = data(steep)["hypotheses"]
    assert hypothesis["needed"] is None and hypothesis["valued"] is False
    idle = derive("idle", x * (y + 1), given=[x > 0]).eq(x * y + x, "expand")
    (hypothesis,) = data(idle)["hypotheses"]
    assert hypothesis["needed"] is None and "valued" not in hypothesis


def test_facts_of_one_link_are_facts_of_the_result():
    chain = derive("used", sqrt(x**2) * (y + 1)).eq(x * y + x, "the sign", using=[Ge(x, 0)])
    assert chain.facts == (Ge(x, 0),) and len(data(chain)["hypotheses"]) == 1
    with pytest.raises(Refuted, match="x = -"):
        derive("unused", sqrt(x**2) * (y + 1)).eq(x * y + x, "the sign")


def test_a_definition_enters_both_routes():
    lse = log(Sum(exp(s[j]), (j, 1, N)))
    a, o = indices("a o")
    scores = Eq(s[j], Sum(k[j, a] * q[a], (a, 1, d)))
    weights = Sum(exp(s[j]) * k[j, o], (j, 1, N)) / Sum(exp(s[j]), (j, 1, N))
    record = data(derive("chain-rule", Derivative(lse, q[o]), given=[scores]).eq(
        weights, differentiate + definition(s)))  # fmt: skip
    assert record["steps"][0]["reason"] == "differentiate and definition of $s$"
    with pytest.raises(IllFormed, match="stands nowhere in it"):
        derive("no-name", x * (1 + y)).eq(x + x * y, definition(G))


def test_a_derivative_is_one_of_all_that_a_name_stands_for():
    product, given = Derivative(x * y, t), [Eq(x, t * y)]
    derive("along", product, given=given).eq(y**2, differentiate + definition(x))
    with pytest.raises(Refuted):
        derive("held", product + y, given=given).eq(y, differentiate)


def test_a_result_rests_on_another_in_words():
    first = derive("first", (t + 1) ** 2).eq(t**2 + 2 * t + 1, rearrange)
    second = derive("second", (t - 1) ** 2, rests_on=[first]).eq(t**2 - 2 * t + 1, rearrange)
    assert data(second)["uses"] == ["first"] and second.facts == ()
    with pytest.raises(IllFormed, match="cannot rest on itself"):
        derive("first", (t - 1) ** 2, rests_on=[first]).eq(t**2 - 2 * t + 1, rearrange)


def test_a_result_among_the_hypotheses_is_needed():
    with pytest.raises(Unfalsifiable, match="leave it out"):
        derive("q", t * (1 + y), given=[distributed()]).eq(t + t * y, "multiply out")


def test_hypotheses_are_relations_or_results():
    with pytest.raises(TypeError, match="given"):
        derive("q", x, given=[x]).eq(x + 0 * y, "why")


MISUSED = {
    "a label for a result": lambda: by("distributed"),
    "a relation to rest on": lambda: derive("q", x, rests_on=[Ge(x, 0)]),
    "a text for a list": lambda: derive("q", x, claims="B01"),
    "a text for a name": lambda: definition("x"),
    "a text for a symbol": lambda: induction_on("n"),
    "nothing for what is true": lambda: refute("q", Eq(x, y), corrected=None, location="(1)"),
    "an array for its entries": lambda: sum(q),
}


@pytest.mark.parametrize("case", MISUSED)
def test_what_is_asked_for_is_named(case):
    with pytest.raises(TypeError, match="needs|not iterable"):
        MISUSED[case]()


def test_a_chain_without_a_link_has_no_record():
    with pytest.raises(IllFormed, match="states nothing"):
        derive("q", x).record


# --- instances ------------------------------------------------------------------------------------


def test_an_instance_owes_what_the_type_says():
    assert instance(squared(), {Y: x**2}).facts == ()
    assert instance(squared(), {Y: x}).facts == (Le(0, x),)
    with pytest.raises(IllFormed, match="y is real there, and nothing says that z is"):
        instance(squared(), {Y: z})
    with pytest.raises(IllFormed, match="varies by itself"):
        instance(bounded(), {N: 3})


def test_an_instance_owes_that_a_value_is_not_0():
    inverse_square = derive("square", x**2, given=[Ne(x, 0)]).gt(0, "a square")
    assert instance(inverse_square, {x: (n - 777) ** 2}).facts == (Ne((n - 777) ** 2, 0),)
    assert instance(inverse_square, {x: exp(t)}).facts == ()


def test_an_instance_is_at_values_of_what_occurs():
    with pytest.raises(IllFormed, match="t does not occur"):
        instance(squared(), {t: 1})


def test_an_instance_at_an_array_owes_its_domain():
    loose = instance(bounded(), {p: lambda at: v[at]})
    assert any(isinstance(f, Eq) for f in loose.facts)
    with pytest.raises(IllFormed, match="give its entries"):
        instance(bounded(), {p: w})


def test_an_instance_under_a_derivative_renames():
    slope = derive("slope", Derivative(Sum(q[a] ** 2, (a, 1, d)), q[b])).eq(2 * q[b], differentiate)
    assert instance(slope, {q: lambda at: u[at]}).statement.rhs == 2 * u[b]
    for entries in (lambda at: u[1], lambda at: 2 * u[at]):
        with pytest.raises(IllFormed, match="derivative is taken in the entries of q"):
            instance(slope, {q: entries})


def test_an_instance_under_a_derivative_captures_nothing():
    whole = Derivative(Sum(r[j] * s[j], (j, 1, N)), s[l])
    slope = derive("slope", whole).eq(r[l], differentiate)
    both = dict.fromkeys((r, s), w.__getitem__)
    for values in ({r: s.__getitem__}, {s: r.__getitem__}, both):
        with pytest.raises(IllFormed, match="held while"):
            instance(slope, values)
    swapped = instance(slope, {r: s.__getitem__, s: r.__getitem__})
    assert swapped.statement == Eq(whole.xreplace({s[l]: r[l]}), s[l], evaluate=False)


# --- induction ------------------------------------------------------------------------------------


def by_induction(claim, given=(), advance=lambda e: Derivative(e, t)):
    return induction("all-orders", claim, n, advance=advance, reason="differentiate", given=given)


EXPONENTIAL = Eq(Derivative(exp(2 * t), (t, n)), 2**n * exp(2 * t))


def test_induction_states_base_and_step():
    record = data(by_induction(EXPONENTIAL))
    words = [s["reason"].split(":")[0] for s in record["steps"]]
    assert words == ["base", "step", "which is the claim for $n + 1$"]
    assert "induction" in record["text"].lower() and record["verdict"] == "proved"


def test_induction_in_one_step():
    claim = Eq(Sum(Symbol("m", integer=True) ** 3, (Symbol("m", integer=True), 1, n)),
               n**2 * (n + 1) ** 2 / 4)  # fmt: skip
    record = data(induction("cubes", claim, n, reason="add the next cube"))
    assert len(record["steps"]) == 2 and record["verdict"] == "proved"
    chain = derive("cubes", claim.lhs).eq(claim.rhs, induction_on(n))
    assert data(chain)["steps"][0]["reason"] == "induction over $n$"


FALSE = {
    "base": (Eq(Derivative(exp(2 * t), (t, n)), 3 * 2**n * exp(2 * t)), ()),
    "step": (Eq(Derivative(exp(2 * t), (t, n)), 2 * n * exp(2 * t)), ()),
    "second": (Eq(Derivative(-log(1 - t), (t, n)), factorial(n) * (1 - t) ** (-n)), [Lt(t, 1)]),
}


@pytest.mark.parametrize("case", FALSE)
def test_induction_false(case):
    with pytest.raises(Refuted, match="all-orders"):
        by_induction(*FALSE[case])


def test_induction_by_another_recursion():
    with pytest.raises(Refuted, match="step"):
        by_induction(EXPONENTIAL, advance=lambda e: 2 * Derivative(e, t))


def test_induction_under_hypotheses():
    m = Symbol("m", integer=True)
    claim = Eq(Sum(m, (m, 1, n)), n * (n + 1) / 2)
    with pytest.raises(IllFormed, match="mentions n"):
        induction(
            "q", Eq(Sum(x * m, (m, 1, n)), (n + 1) / 2), n, given=[Eq(x, 1 / n)], reason="why"
        )
    with pytest.raises(Unfalsifiable, match="leave it out"):
        induction("q", claim, n, given=[distributed()], reason="why")


def test_induction_begins_where_the_claim_does():
    with pytest.raises(IllFormed, match="begin"):
        induction("q", EXPONENTIAL, n, first=0, reason="why")
    with pytest.raises(IllFormed, match="integer symbol"):
        induction("q", Eq(x, 0), x, reason="why")


# --- refutations ----------------------------------------------------------------------------------


def test_a_formula_is_refuted_at_a_point():
    record = data(refute("wrong", Eq(x * (1 + y), x + y), corrected=distributed(), location="(1)"))
    assert record["verdict"] == "refuted" and record["counterexample"]["point"]
    assert record["counterexample"]["left"] != record["counterexample"]["right"]
    noise = Eq(sin(x) ** 2 + cos(x) ** 2 - 1, 1, evaluate=False)
    record = data(refute("noise", noise, corrected=distributed(), location="(2)"))
    assert record["counterexample"]["left"]["value"] == 0


def test_words_need_results_that_contradict_them():
    words = "The normal is the only such law."
    with pytest.raises(IllFormed):
        refute("words", words, corrected=distributed(), location="003")
    other = derive("other", (x + y) ** 2).eq(x**2 + 2 * x * y + y**2, rearrange)
    record = data(refute("words", words, corrected=distributed(), by=[other], location="003"))
    assert record["verdict"] == "refuted" and "other" in record["uses"]


TRUE = [
    Eq(x * (1 + y), x + x * y), Le(2 * x * y, x**2 + y**2),
    Eq(x / y, x**2 / (x * y), evaluate=False), Eq(x**2, x * Abs(x) ** 2 / x, evaluate=False),
]  # fmt: skip


@pytest.mark.parametrize("statement", TRUE, ids=str)
def test_what_is_true_is_not_refuted(statement):
    with pytest.raises(ProofError, match="not refuted"):
        refute("not-wrong", statement, corrected=distributed(), location="here")


@pytest.mark.parametrize("printed", [Eq(x, x), x], ids=str)
def test_what_is_printed_is_a_relation(printed):
    with pytest.raises(IllFormed, match="needs an equation"):
        refute("shape", printed, corrected=distributed(), location="here")


def test_the_corrected_statement_is_tried_under_its_own_hypotheses():
    under = derive("under", sqrt(x**2) * y, given=[Ge(x, 0)]).eq(x * y, rearrange)
    wrong = Eq(sqrt(x**2) * y, -x * y)
    assert data(refute("wrong", wrong, corrected=under, location="here"))["verdict"] == "refuted"


# --- what every result is -------------------------------------------------------------------------


def everything():
    return [
        distributed(), gradient(),
        refute("wrong", Eq(x * (1 + y), x + y), corrected=distributed(), location="(1)"),
    ]  # fmt: skip


def test_bundles_do_not_depend_on_the_hash_seed():
    code = ("import json; from proof.test_chain import everything;"
            "print(json.dumps([r._repr_mimebundle_()[0] for r in everything()]))")  # fmt: skip

    def run(seed):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=Path(__file__).parents[1], text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True)  # fmt: skip
        return done.stdout

    first = run("1")
    assert MIME in first and first == run("20")


# --- how a failure reads --------------------------------------------------------------------------

SLIP = """
from sympy import symbols
from logpartition.proof import derive
x, y = symbols("x y", real=True)
def test_slip():
    derive("slip", (x + y)**2).eq(x**2 + y**2, "expand")
"""


whole = Symbol("n", integer=True, positive=True)
place = Symbol(r"x_\infty", real=True)
POINTS = {  # what is false, under what, and what the point and its sides read
    "a large whole number": (
        Eq((-1) ** whole, 1), [Ge(whole, 10**12 + 1)], "$n = 1000000000001$: $-1$ on the left"),
    "a fraction": (Eq(sign(x - 10**12), 0), [Gt(x, 10**12), Lt(x, 10**12 + Rational(1, 2))],
                   r"$x = \frac{4000000000001}{4}$: $1$ on the left"),
    "digits that go on": (Eq(x * y, 0), [Eq(x**2, 2)], r"$x = 1.414213562\ldots$, $y = 1$"),
    "beyond what a computer counts to": (Eq(x, 0), [Gt(x, 10**320)], "on the left, $0$"),
    "more than ten digits": (Le(x, 10**50), [Gt(x, 10**50)],
                             r"$x = 1.000000000\ldots \times 10^{50}$"),
    "a root beside 1": (Eq(x, 1), [Eq(x**2, 1 + Rational(1, 10**30)), Gt(x, 0)],
                        r"$x = 1.000000000\ldots$"),
    "a root that is a number": (Eq(x, 1), [Eq(x**3, 8)], "$x = 2$: $2$ on the left"),
    "a side beside a fraction": (Eq(exp(-x) + Rational(1, 3), 5 + 0 * x), [Eq(x, 50)],
                                 "$0.3333333333$ on the left"),
    "less than any float": (Eq(1 / (1 + exp(1000 + x**2)), 0, evaluate=False), [],
                            r"$5.075958898 \times 10^{-435}$ on the left, $0$ on the right"),
    "two such": (Le(exp(-800 - x**2), exp(-900 - x**2), evaluate=False), [],
                 r"$3.667874584 \times 10^{-348}$ on the left, $1.364477212 \times 10^{-391}$"),
    "more than any": (Eq(exp(1000 + x**2), 0, evaluate=False), [],
                      r"$1.970071114 \times 10^{434}$ on the left"),
    "the sizes that were tried": (Eq(Sum(s[j], (j, 1, N)), s[1]), [],
                                  "looked for at N = 1, 2, 3, 4, 6, 13"),
}  # fmt: skip


@pytest.mark.parametrize("case", POINTS)
def test_a_point_is_shown_as_it_is(case):
    false, given, said = POINTS[case]
    found = refute("w", false, given=given, corrected=distributed(), location="1")
    assert said in markdown(found.record)


def test_the_side_of_a_limit_is_shown():
    limits = [Limit(Abs(x - place) / (x - place), x, place, side) for side in "+-"]
    assert [tex(e).partition(r"\frac")[0].strip() for e in limits] == [
        rf"\lim_{{x \to x_{{\infty}}^{{{side}}}}}" for side in "+-"
    ]


def test_pytest_shows_the_step(tmp_path):
    (tmp_path / "test_slip.py").write_text(SLIP)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True).stdout
    assert "slip, step 1 (expand): (x + y)^2 = x^2 + y^2. This is false: at " in shown
    assert "chain.py:" not in shown


@pytest.mark.parametrize("kind", [IllFormed, Refuted, Undecided, Unfalsifiable])
def test_every_failure_is_of_one_family(kind):
    assert issubclass(kind, ProofError)
