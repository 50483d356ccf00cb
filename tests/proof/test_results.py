"""What has to be proved is proved, for all sizes; what is false, vacuous or undecided is an error that says so."""

import json
import os
import subprocess
import sys

import pytest
from sympy import (Abs, Derivative, Eq, Function, Ge, Gt, Integral, Le, Limit, Lt, Max, Ne, Rational, S, Subs, Sum, Symbol, cos, coth, exp, factorial,
                   floor, log, oo, pi, sign, sin, sqrt, tan)

from logpartition.proof import (IllFormed, ProofError, Refuted, Undecided, Unfalsifiable, array, cite, derive, earlier, induction, inverse, named,
                                observe, observe_rate, refute, sizes)
from logpartition.proof.display import MIME

from .symbols import G, N, a, b, beta, c, d, distributed, i, j, k, l, mean, n, p, partition, q, r, s, score, t, v, w, weight, x, y, z

# --- what must be proved, with N and d symbolic -------------------------------------------------------------------------


def gradient():
    return derive("gradient", Derivative(G, q[b])).eq(mean(lambda i: k[i, b]), "differentiate")


def hessian():
    covariance = mean(lambda i: k[i, b] * k[i, c]) - mean(lambda i: k[i, b]) * mean(lambda i: k[i, c])
    return derive("hessian", Derivative(G, q[b], q[c])).eq(beta * covariance, "differentiate twice")


def directional(order):
    law = lambda j: exp(s[j]) / Sum(exp(s[l]), (l, 1, N))
    m = [Sum(law(j) * r[j] ** power, (j, 1, N)) for power in range(order + 1)]
    cumulant = {1: lambda: m[1], 2: lambda: m[2] - m[1] ** 2, 3: lambda: m[3] - 3 * m[2] * m[1] + 2 * m[1] ** 3,
                4: lambda: m[4] - 4 * m[3] * m[1] - 3 * m[2] ** 2 + 12 * m[2] * m[1] ** 2 - 6 * m[1] ** 4}[order]()
    return (derive(f"cumulant-{order}", Subs(Derivative(log(Sum(exp(s[j] + t * r[j]), (j, 1, N))), (t, order)), t, 0))
            .eq(cumulant, "the cumulants of the slopes"))


def bregman():
    o = array("o", d)
    divergence = log(partition(o)) / beta - log(partition()) / beta - Sum((o[a] - q[a]) * Derivative(log(partition()) / beta, q[a]), (a, 1, d))
    return (derive("bregman", divergence)
            .eq(Sum(weight(j) * log(weight(j) / weight(j, o)), (j, 1, N)) / beta, "the scores are linear in the query"))


def fenchel_gap():
    gap = Sum(p[j] * log(p[j]), (j, 1, N)) + log(Sum(exp(s[j]), (j, 1, N))) - Sum(p[j] * s[j], (j, 1, N))
    return derive("fenchel", gap).eq(Sum(p[j] * log(p[j] * Sum(exp(s[l]), (l, 1, N)) / exp(s[j])), (j, 1, N)), "the weights sum to 1")


def _at_temperature():
    law = lambda j: exp(beta * s[j]) / Sum(exp(beta * s[l]), (l, 1, N))
    return law, lambda f: Sum(law(i) * f(i), (i, 1, N))


def temperature_weights():
    law, expect = _at_temperature()
    return derive("cooling-weights", Derivative(law(j), beta)).eq(law(j) * (s[j] - expect(lambda i: s[i])), "differentiate the quotient")


def temperature_mean():
    law, expect = _at_temperature()
    return (derive("cooling-mean", Derivative(expect(lambda i: v[i]), beta))
            .eq(expect(lambda i: v[i] * s[i]) - expect(lambda i: v[i]) * expect(lambda i: s[i]), "a covariance"))


def temperature_entropy():
    law, expect = _at_temperature()
    return (derive("cooling-entropy", Derivative(-expect(lambda i: log(law(i))), beta))
            .eq(-beta * (expect(lambda i: s[i] ** 2) - expect(lambda i: s[i]) ** 2), "a variance"))


def completed_square():
    A = array("S", d, d, domain="definite")
    P, u, m = inverse(A, "P"), array("u", d), array("m", d)
    shifted = lambda a: u[a] - Sum(P[a, c] * m[c], (c, 1, d))
    quadratic = lambda f: Sum(A[a, b] * f(a) * f(b), (a, 1, d), (b, 1, d))
    return (derive("square", quadratic(lambda a: u[a]) / 2 - Sum(m[a] * u[a], (a, 1, d)))
            .eq(quadratic(shifted) / 2 - Sum(P[a, b] * m[a] * m[b], (a, 1, d), (b, 1, d)) / 2, "complete the square"))


def exponential_cumulants():
    claim = Eq(Derivative(-log(1 - t), (t, n)), factorial(n - 1) * (1 - t) ** (-n))
    return induction("exponential", claim, n, first=1, advance=lambda e: Derivative(e, t), reason="differentiate once more", given=[Lt(t, 1)])


def bernoulli_recursion():
    K = log(1 - y + y * exp(t))
    tilted = Derivative(K, t)
    return derive("bernoulli", Derivative(K, (t, 2)), given=[Gt(y, 0), Lt(y, 1), Gt(1 - y, 0), Gt(1 - y + y * exp(t), 0)]).eq(tilted * (1 - tilted), "the logistic equation")


def lagrange():
    variance = Sum(p[j] * r[j] ** 2, (j, 1, N)) - Sum(p[j] * r[j], (j, 1, N)) ** 2
    return derive("lagrange", variance).eq(Sum(p[i] * p[j] * (r[i] - r[j]) ** 2, (i, 1, N), (j, 1, N)) / 2, "Lagrange's identity").ge(0, "squares")


def popoviciu():
    low, high = Symbol("A", real=True), Symbol("B", real=True)
    m = Sum(p[j] * r[j], (j, 1, N))
    return (derive("popoviciu", Sum(p[j] * r[j] ** 2, (j, 1, N)) - m ** 2, given=[Ge(r[j], low), Le(r[j], high)])
            .le((high - m) * (m - low), "Bhatia and Davis", certificate=Sum(p[j] * (high - r[j]) * (r[j] - low), (j, 1, N)))
            .le((high - low) ** 2 / 4, "Popoviciu", certificate=(m - (low + high) / 2) ** 2))


def elbo():
    evidence = Sum(w[j], (j, 1, N))
    return (derive("elbo", log(evidence))
            .eq(Sum(p[j] * log(w[j] / p[j]), (j, 1, N)) + Sum(p[j] * log(p[j] * evidence / w[j]), (j, 1, N)), "split each logarithm"))


PROVED = [gradient, hessian, *(lambda order=order: directional(order) for order in (1, 2, 3, 4)), bregman, fenchel_gap, temperature_weights, temperature_mean,
          temperature_entropy, completed_square, exponential_cumulants, bernoulli_recursion, lagrange, popoviciu, elbo]


@pytest.mark.parametrize("statement", PROVED, ids=lambda f: getattr(f, "__name__", "").replace("<lambda>", "directional"))
def test_proved_for_all_sizes(statement):
    record = statement().record
    assert record["verdict"] == "proved" and record["scope"] == "all sizes"
    assert all(step["symbolic"] for step in record["steps"])
    assert record["mutants"]["tried"] == record["mutants"]["killed"] > 0


def test_binary_temperature_bound():
    law, _ = _at_temperature()
    top = Symbol("M", real=True)
    lower = derive("lse", log(Sum(exp(beta * (s[j] - top)), (j, 1, N))), given=[Le(s[j], top)])
    with pytest.raises(Undecided):
        lower.le(log(N), "each term is at most 1")     # monotonicity of log is not manifest: it has to be shown another way


# --- what must be rejected ----------------------------------------------------------------------------------------------

REJECTED = {
    "holds only at N = 1": (Refuted, "N = ", lambda: derive("q", Sum(v[j] * r[j], (j, 1, N))).eq(Sum(v[j], (j, 1, N)) * Sum(r[j], (j, 1, N)), "why")),
    "holds only for d = 1": (Refuted, "d = ", lambda: derive("q", score(j) ** 2).eq(Sum(q[a] ** 2 * k[j, a] ** 2, (a, 1, d)), "why")),
    "holds only where N ≥ d": (Refuted, "d = 3", lambda: derive("q", Sum(x, (i, d, N))).eq((N - d + 1) * x, "count the terms")),
    "holds only where N ≥ d, numerically": (Refuted, "d = 3", lambda: derive("q", Max(N, d) * x).eq(N * x, "why", by="numbers")),
    "only for positive reals": (Refuted, "x = -", lambda: derive("q", sqrt(x ** 2)).eq(x, "why")),
    "only for positive reals, product": (Refuted, "left side is", lambda: derive("q", sqrt(x) * sqrt(y)).eq(sqrt(x * y), "why")),
    "only for small numbers": (Refuted, "x = ", lambda: derive("q", Abs(x - 7)).eq(7 - x, "why", by="numbers")),
    "the wrong branch of a root": (Refuted, "t = ", lambda: derive("q", sqrt(exp(S.ImaginaryUnit * t))).eq(exp(S.ImaginaryUnit * t / 2), "why")),
    "the wrong branch of a complex root": (Refuted, "z = ", lambda: derive("q", sqrt(exp(z))).eq(exp(z / 2), "why")),
    "a denominator that may be 0": (IllFormed, "x - 1 is not 0", lambda: derive("q", (x ** 2 - x) / (x - 1)).eq(x, "why")),
    "a power that may be negative": (IllFormed, "x, to the power n - 3, is not 0", lambda: derive("q", x ** (n - 3) * x ** 3).eq(x ** n, "why")),
    "the logarithm of what may be negative": (IllFormed, "is positive", lambda: derive("q", log(x ** 2), given=[Ne(x, 0)]).eq(2 * log(x), "why")),
    "the complex logarithm": (IllFormed, "exp(z)", lambda: derive("q", log(exp(z))).eq(z, "why")),
    "a hidden pole": (IllFormed, "x in coth(x)", lambda: derive("q", coth(x) * (exp(x) - exp(-x))).eq(exp(x) + exp(-x), "why")),
    "a hidden pole of the tangent": (IllFormed, "cos(x)", lambda: derive("q", tan(x) * cos(x)).eq(sin(x), "why")),
    "a derivative at a kink": (IllFormed, "absolute value", lambda: derive("q", Derivative(Abs(x), x)).eq(sign(x), "why")),
    "a pole inside an integral": (IllFormed, "x is not 0", lambda: derive("q", y * Integral(1 / x ** 2, (x, -1, 1))).eq(-2 * y, "why")),
    "an integral over an empty interval": (IllFormed, "is positive", lambda: derive("q", log(Integral(exp(x), (x, 0, Abs(y))))).eq(log(exp(Abs(y)) - 1), "why")),
    "an integral that diverges for some parameters": (Refuted, "diverges", lambda: derive("q", Integral(exp((t - 3) * x), (x, 0, oo)), given=[Ne(t, 3)]).eq(1 / (3 - t), "why")),
    "a series that alternates for ever": (Refuted, "diverges", lambda: derive("q", Sum((-1) ** n, (n, 1, oo))).eq(-Rational(1, 2), "why", by="numbers")),
    "a series beyond its radius": (Refuted, "diverges", lambda: derive("q", Sum(x ** n, (n, 1, oo)), given=[Ne(x, 1)]).eq(x / (1 - x), "why", by="numbers")),
    "the harmonic series": (ProofError, "", lambda: derive("q", Sum(1 / n, (n, 1, oo))).eq(14, "why", by="numbers")),
    "one object under two names": (Unfalsifiable, "under other names", lambda: derive("q", Sum(v[j], (j, 1, N))).eq(Sum(v[l], (l, 1, N)), "rename")),
    "one integral under two names": (Unfalsifiable, "under other names", lambda: derive("q", Integral(exp(-x ** 2), (x, 0, 1)) * z).eq(z * Integral(exp(-y ** 2), (y, 0, 1)), "rename")),
    "a name for the same thing": (Unfalsifiable, "under other names", lambda: derive("q", named("A", x + y)).eq(x + y, "by definition")),
    "one name for two things": (IllFormed, "two different things", lambda: derive("q", named("A", x + y)).eq(named("A", x) + y, "why")),
    "one name for two things, links apart": (IllFormed, "two different things",
                                             lambda: derive("q", named("A", x * y + x)).eq(x * (y + 1), "why").eq(named("A", x) * y + x, "why")),
    "a summation index free on one side": (IllFormed, "free on the right", lambda: derive("q", Sum(v[i], (i, 1, N))).eq(N * v[i], "why")),
    "a middle that differs": (Refuted, "step 1", lambda: derive("q", x * (x + 1)).eq(x ** 2 - x, "first").eq(x + x ** 2, "second")),
    "a chain that comes back": (Unfalsifiable, "back where it began", lambda: derive("q", x * (x + 1)).eq(x ** 2 + x, "first").eq(x * (x + 1), "second")),
    "up and down": (IllFormed, "not both", lambda: derive("q", x ** 2).le(x ** 2 + y ** 2, "first").ge(x ** 2 - 1, "second")),
    "inconsistent hypotheses": (IllFormed, "inconsistent", lambda: derive("q", x, given=[Eq(y, 0), Eq(y, 1)]).eq(5, "from nothing")),
    "inconsistent order": (IllFormed, "inconsistent", lambda: derive("q", x, given=[Gt(y, 0), Lt(y, 0)]).eq(5, "from nothing")),
    "consistent only at N = 1": (IllFormed, "inconsistent", lambda: derive("q", N * x, given=[Eq(p[j], 1)]).eq(x, "from too little")),
    "against what is assumed of a symbol": (IllFormed, "inconsistent", lambda: derive("q", x + beta, given=[Eq(beta, y - 20)]).eq(x + y - 20, "why")),
    "hypotheses that sampling cannot meet": (IllFormed, "by sampling", lambda: derive("q", x * y + x ** 5, given=[Eq(x ** 5 + x, 1)]).eq(x * y + 1 - x, "why")),
    "numbers at special points only": (Undecided, "special points", lambda: derive("q", x ** 4 - 2 * x ** 3 - x ** 2 + 2 * x, given=[Eq(floor(x), x)]).eq(0, "why", by="numbers")),
    "the diagonal taken for the matrix": (ProofError, "", lambda: derive("q", array("W", N, N)[a, b], given=[Eq(array("W", N, N)[i, i], 1)]).eq(1, "why")),
    "a zero divisor": (ProofError, "", lambda: derive("q", x - y, given=[Eq(x * y, y ** 2)]).eq(0, "divide by y")),
    "an order fact about another index": (Refuted, "r[2]", lambda: derive("q", v[i], given=[Le(v[l], r[l])]).le(r[j], "why")),
    "a derivative in what is fixed": (IllFormed, "fixes its value", lambda: derive("q", Derivative(beta * x, beta), given=[Eq(beta, 1)]).eq(x, "why")),
    "a pointwise derivative, differentiated": (ProofError, "", lambda: derive("q", Derivative(t * exp(t) + x, (t, n + 1)), given=[Eq(Derivative(t * exp(t) + x, (t, n)), 0)]).eq(0, "why")),
    "an undecided link": (Undecided, "No counterexample", lambda: derive("q", Abs(x) * Abs(y + Abs(x * y))).eq(Abs(x * y + x * Abs(x) * Abs(y)), "why")),
    "a rounded number": (IllFormed, "fraction", lambda: derive("q", 0.5 * x).eq(x / 2, "why")),
    "a function without a rule": (IllFormed, "no rule", lambda: derive("q", Function("f", real=True)(x) * y).eq(y * Function("f", real=True)(-x), "why")),
    "an index from 0": (IllFormed, "begins at 0", lambda: derive("q", Sum(x, (i, 0, N))).eq((N + 1) * x, "why")),
    "a free index without a range": (IllFormed, "how far it runs", lambda: derive("q", i * x + i).eq(i * (x + 1), "why")),
    "two ranges for an index": (IllFormed, "runs to", lambda: derive("q", Sum(v[a] * q[a], (a, 1, d))).eq(0, "why")),
    "a result that rests on itself": (IllFormed, "itself", lambda: derive("distributed", x + x * y, given=[distributed()]).eq(x * (1 + y), "why")),
    "inequality, false": (Refuted, "right side is", lambda: derive("q", x).le(x ** 2, "why")),
    "inequality of equals": (Unfalsifiable, "state an equality", lambda: derive("q", x * (y + 1)).le(x * y + x, "why")),
    "inequality without certificate": (Undecided, "certificate", lambda: derive("q", 2 * x * y).le(x ** 2 + y ** 2, "why")),
    "a certificate that is not the difference": (Refuted, "not the difference", lambda: derive("q", x).le(x ** 2 + 1, "why", certificate=(x - 1) ** 2)),
    "a certificate that is not manifestly nonnegative": (Undecided, "not manifestly", lambda: derive("q", 2 * x * y).le(x ** 2 + y ** 2, "why", certificate=x * (x - 2 * y) + y ** 2)),
    "a bound that only large numbers break": (Undecided, "not manifestly", lambda: derive("q", Abs(x)).le(17, "why", certificate=17 - Abs(x))),
    "a positive sum that may be empty": (IllFormed, "is positive", lambda: derive("q", log(x ** 2 * Sum(w[j], (j, 2, N)))).eq(log(x ** 2) + log(Sum(w[j], (j, 2, N))), "why")),
}


@pytest.mark.parametrize("case", REJECTED)
def test_rejected(case):
    kind, words, attempt = REJECTED[case]
    with pytest.raises(kind) as caught:
        attempt()
    assert words in str(caught.value)


def test_refutation_names_step_sides_and_counterexample():
    with pytest.raises(Refuted) as caught:
        derive("slip", (x + y) ** 2).eq(x ** 2 + 2 * x * y + y ** 2, "expand").eq(x ** 2 + x * y + y ** 2, "collect")
    text = str(caught.value)
    assert text.startswith("slip, step 2 (collect): ")
    assert "x**2 + 2*x*y + y**2 = x**2 + x*y + y**2" in text
    assert "x = " in text and "the left side is" in text and "the right side is" in text and "\n" not in text
    left = {str(key): value for key, value in caught.value.counterexample.point.items()}
    assert (left["x"] + left["y"]) ** 2 == caught.value.counterexample.left != caught.value.counterexample.right


# --- what a result says of itself ---------------------------------------------------------------------------------------

KEYS = {"label", "title", "kind", "verdict", "statement", "text", "scope", "sizes", "assumptions", "where", "mutants", "uses", "claims", "certifies", "fingerprint"}
MORE = {"derivation": {"start", "steps"}, "refutation": {"printed", "location", "counterexample", "corrected"},
        "observation": {"measured", "predicted", "tolerance"}, "citation": {"source"}}


def everything():
    true = distributed()
    return [true, gradient(), popoviciu(), exponential_cumulants(),
            refute("wrong", Eq(x * (1 + y), x + y), corrected=true, location="000, eq. (1)", claims=["s0-eq1"]),
            observe("seen", "a coin", measured=0.51, predicted=0.5, standard_error=0.01, uses=[true]),
            observe_rate("rate", "halving", [1, 2, 4], [1, 0.25, 0.0625], exponent=-2, tolerance=0.1), cite("known", "a theorem", source="rockafellar1970")]


def test_records_are_complete_json():
    for result in everything():
        record = result.record
        assert KEYS | MORE[record["kind"]] <= set(record), record["label"]
        assert json.loads(json.dumps(record)) == record
        data, metadata = result._repr_mimebundle_()
        assert set(data) == {MIME, "text/markdown", "text/plain"} and set(metadata[MIME]) == {"seconds"}


def test_steps_of_the_record():
    first, second = popoviciu().record["steps"]
    assert first["relation"] == "≤" and first["symbolic"] == "certificate" and first["certificate"]
    assert first["numeric"]["digits"] == 30 and first["numeric"]["points"] >= 10


def test_bundles_do_not_depend_on_the_hash_seed():
    code = ("import json; from proof.test_results import everything, hessian, elbo, directional; "
            "print(json.dumps([r._repr_mimebundle_()[0] for r in [*everything(), hessian(), elbo(), directional(3)]]))")
    here = os.path.dirname(os.path.dirname(__file__))
    run = lambda seed: subprocess.run([sys.executable, "-c", code], cwd=here, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
    assert run("1") == run("20")


def test_numbers_are_shown_as_checked():
    chain = derive("checked", Abs(x) * Abs(y + Abs(x * y))).eq(Abs(x * y + x * Abs(x * y)), "by trying", by="numbers")
    record = chain.record
    assert record["verdict"] == "checked" and record["steps"][0]["symbolic"] == ""
    assert "checked numerically" in repr(chain) and "proved" not in repr(chain)


def test_one_numeric_link_makes_the_chain_checked():
    chain = distributed().eq(x * (y + 2) - x, "subtract", by="numbers")
    assert chain.record["verdict"] == "checked"


def test_checked_scope_is_the_sizes_tried():
    record = derive("sizes", Sum(v[j], (j, 1, N)) * x).eq(Sum(x * v[j], (j, 1, N)), "by trying", by="numbers").record
    assert record["scope"] == record["sizes"] == "N = 1, 2, 3, 5"


def test_sizes_are_those_that_every_link_met():
    record = derive("sizes", Sum(x, (j, 1, N))).eq(N * x, "count").eq(x * Sum(d * N, (i, 1, 3)) / (3 * d), "write it with d").record
    assert record["sizes"] == "N = 1, 2, 3; d = 1, 2, 3"        # the first link met N = 5 as well, the second N = 4


def test_a_hypothesis_on_sizes_limits_the_scope():
    record = derive("two", N * x, given=[Eq(N, 2)]).eq(2 * x, "two of them").record
    assert record["scope"] == "N = 2" and record["sizes"] == "N = 2"


def test_facts_used_by_one_link_are_listed():
    record = derive("used", x * y + y).eq(y, "no x", using=[Eq(x, 0)]).record
    assert "$x = 0$" in record["assumptions"]


def test_hypotheses_of_the_corrected_result_are_kept_when_it_is_tried():
    true = derive("conditional", x * y + y).eq(y, "no x", using=[Eq(x, 0)])
    assert refute("wrong", Eq(x * y + y, 2 * y), given=[Eq(x, 0)], corrected=true, location="here").record["verdict"] == "refuted"


def test_statement_takes_the_strongest_relation_of_the_links():
    chain = derive("bound", x ** 2).le(x ** 2 + y ** 2, "add a square").eq((x + y) ** 2 - 2 * x * y, "rewrite")
    assert chain.statement == Le(x ** 2, (x + y) ** 2 - 2 * x * y)


def test_edges_come_from_the_run():
    true = distributed()
    record = derive("next", x + x * y + 1, given=[true]).eq(1 + x * (1 + y), "use it").record
    assert record["uses"] == ["distributed"]


# --- induction ----------------------------------------------------------------------------------------------------------


def by_induction(claim, n=n, first=1, advance=lambda e: Derivative(e, t), **more):
    return induction("all-orders", claim, n, first=first, advance=advance, reason="differentiate", **more)


def test_induction_states_base_and_step():
    record = by_induction(Eq(Derivative(exp(2 * t), (t, n)), 2 ** n * exp(2 * t))).record
    assert [s["reason"].split(":")[0] for s in record["steps"]] == ["base", "step", "which is the claim for $n + 1$"]
    assert "induction" in record["text"] and record["verdict"] == "proved"


@pytest.mark.parametrize("claim", [Eq(Derivative(exp(2 * t), (t, n)), 3 * 2 ** n * exp(2 * t)), Eq(Derivative(exp(2 * t), (t, n)), 2 * n * exp(2 * t)),
                                   Eq(Derivative(-log(1 - t), (t, n)), factorial(n) * (1 - t) ** (-n))], ids=["base", "step", "base true, second false"])
def test_induction_false(claim):
    with pytest.raises(ProofError):
        by_induction(claim, given=[Lt(t, 1)])


def test_induction_with_a_recursion_that_is_not_the_left_sides():
    with pytest.raises(ProofError):
        by_induction(Eq(Derivative(exp(2 * t), (t, n)), 2 ** n * exp(2 * t)), advance=lambda e: 2 * Derivative(e, t))


def test_induction_begins_where_the_claim_does():
    claim = Eq(Derivative(exp(2 * t), (t, n)), 2 ** n * exp(2 * t))
    with pytest.raises(IllFormed, match="begin"):
        by_induction(claim, first=0)
    with pytest.raises(IllFormed, match="begin"):
        m = Symbol("m", integer=True, nonnegative=True)
        by_induction(claim.subs(n, m), m, first=1)
    with pytest.raises(IllFormed, match="integer symbol"):      # a fact about v[i] is one about every entry: circular
        by_induction(Eq(v[i], 0), i, advance=lambda e: e, given=[Eq(v[1], 0)])


# --- refutations, observations, citations, other chapters ---------------------------------------------------------------


def test_refuting_a_true_statement_fails():
    true = distributed()
    for statement in (Eq(x * (1 + y), x + x * y), Le(2 * x * y, x ** 2 + y ** 2), Eq(x / y, x ** 2 / (x * y), evaluate=False), Eq(tan(x), sin(x) / cos(x))):
        with pytest.raises(ProofError, match="not refuted"):
            refute("not-wrong", statement, corrected=true, location="here")


def test_what_is_hard_to_compute_is_not_refuted():
    with pytest.raises(ProofError):
        refute("airy", Eq(Integral(sin(y ** 3) / y, (y, 0, oo)), pi / 6), corrected=distributed(), location="here")


def test_rounded_numbers_are_not_refuted():
    with pytest.raises(IllFormed):
        refute("float", Eq(0.1 * x + 0.2 * x, 3 * x / 10), corrected=distributed(), location="here")


def test_both_sides_undefined_is_no_counterexample():
    with pytest.raises(ProofError, match="not refuted"):
        refute("no-value", Eq(1 / x, x / x ** 2, evaluate=False), corrected=distributed(), location="here")


def test_a_value_is_preferred_to_an_undefined_side():
    record = refute("pole", Eq(1 / x, x), corrected=distributed(), location="here").record
    assert "undefined" not in record["counterexample"]["left"] + record["counterexample"]["right"]


def test_printed_has_to_be_a_relation():
    for printed in (Eq(x, x), Gt(x, y), Ne(x, y)):
        with pytest.raises(IllFormed, match="needs an equation"):
            refute("shape", printed, corrected=distributed(), location="here")


def test_words_need_results_that_contradict_them():
    with pytest.raises(IllFormed, match="by="):
        refute("words", "The normal is the only such law.", corrected=distributed(), location="003")
    record = refute("words", "The normal is the only such law.", corrected=distributed(), by=[distributed()], location="003").record
    assert record["verdict"] == "refuted" and record["uses"] == ["distributed"]


@pytest.mark.parametrize("measured, predicted, more, error", [
    (1.0, 1.5, {"tolerance": 0.1}, Refuted), (1.0, 1.0, {"tolerance": 0.6}, Unfalsifiable), (1.0, 1.0, {"tolerance": 5}, Unfalsifiable),
    (0.0, 0.0, {"tolerance": 1.5}, Unfalsifiable), (1.0, 1.0, {"standard_error": 0.3}, Unfalsifiable), (1.0, 1.0, {"tolerance": 0}, ProofError),
    (float("nan"), 1.0, {"tolerance": 0.1}, ProofError), (1.0, 1.0, {"tolerance": float("inf")}, ProofError), (1.0, 1.0, {"tolerance": -1}, ProofError),
    (1.0, 1.0, {}, ValueError), (1.0, 1.0, {"tolerance": 0.1, "standard_error": 0.1}, ValueError)])
def test_observations_that_are_refused(measured, predicted, more, error):
    with pytest.raises(error):
        observe("seen", "text", measured=measured, predicted=predicted, **more)


@pytest.mark.parametrize("grid, errors", [([1, 2], [1, .5]), ([1, 1, 1], [1, 1, 1]), ([1, 2, 4], [1, 0, .1]), ([1, 2, 4], [1, float("nan"), .1]), ([1, 2, 4], [1, .5])])
def test_rates_that_cannot_be_fitted(grid, errors):
    with pytest.raises(ProofError, match="three different sizes"):
        observe_rate("rate", "text", grid, errors, exponent=-1, tolerance=0.1)


def test_rate_with_the_wrong_exponent():
    with pytest.raises(Refuted):
        observe_rate("rate", "text", [1, 2, 4], [1, 0.5, 0.25], exponent=-2, tolerance=0.1)


def test_earlier_results(tmp_path):
    true = distributed()
    bundle = json.loads(json.dumps(true._repr_mimebundle_()[0]))
    (tmp_path / "chapter.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": [{"data": bundle}]}, {"cell_type": "markdown"}]}))
    assert earlier("distributed", true.statement, tmp_path).label == "distributed"
    assert earlier("distributed", Eq(named("A", x * (1 + y)), x + x * y), tmp_path).label == "distributed"
    with pytest.raises(IllFormed, match="no chapter"):
        earlier("nowhere", folder=tmp_path)
    with pytest.raises(IllFormed, match="not the one"):
        earlier("distributed", Eq(x * (1 + y), x + 2 * x * y), tmp_path)
    with pytest.raises(IllFormed, match="not the one"):
        earlier("distributed", Le(x * (1 + y), x + x * y), tmp_path)


def test_hypotheses_are_relations_or_results():
    with pytest.raises(TypeError, match="given"):
        derive("q", x, given=[x]).eq(x, "why")


def test_symmetric_matrices():
    W = array("W", N, N, domain="symmetric")
    form = lambda f, g: Sum(W[i, j] * f[i] * g[j], (i, 1, N), (j, 1, N))
    assert derive("symmetric", form(v, r)).eq(form(r, v), "W is symmetric").record["verdict"] == "proved"
    M = array("M", N, N)
    with pytest.raises(Refuted):
        derive("general", Sum(M[i, j] * v[i] * r[j], (i, 1, N), (j, 1, N))).eq(Sum(M[i, j] * r[i] * v[j], (i, 1, N), (j, 1, N)), "no")


def test_limits_series_and_integrals():
    assert derive("e", Limit((1 + x / n) ** n, n, oo)).eq(exp(x), "compound interest").record["assumptions"] == ["$x$ real"]
    m = Symbol("m", integer=True, nonnegative=True)
    assert derive("poisson", Sum(beta ** m / factorial(m), (m, 0, oo))).eq(exp(beta), "the exponential series").record["verdict"] == "proved"
    assert derive("gauss", Integral(exp(y * x - x ** 2 / 2) / sqrt(2 * pi), (x, -oo, oo))).eq(exp(y ** 2 / 2), "complete the square").record["verdict"] == "proved"


def test_many_sizes():
    A, B = sizes("A B")
    assert derive("four", N * d * (A + B)).eq(N * d * A + N * d * B, "multiply out").record["sizes"].startswith("A = 1, 2, 3")


def test_what_rests_on_numbers_is_not_proved():
    weak = derive("weak", x * (1 + y)).eq(x + x * y, "by trying", by="numbers")
    chain = derive("strong", x * (1 + y) + 1, given=[weak]).eq(1 + x + x * y, "use it")
    assert chain.record["steps"][0]["symbolic"] and chain.record["verdict"] == "checked"
    claim = Eq(Derivative(exp(2 * t), (t, n)), 2 ** n * exp(2 * t))
    assert by_induction(claim, given=[weak]).record["verdict"] == "checked"


def test_a_result_may_rest_on_another_in_words():
    first = derive("first", (t + 1) ** 2).eq(t**2 + 2 * t + 1, "expand")
    second = derive("second", (t - 1) ** 2, rests_on=[first]).eq(t**2 - 2 * t + 1, "expand")
    assert second.record["uses"] == ["first"] and second.record["assumptions"] == ["$t$ real"]
    numbers = derive("numbers", (t + 1) ** 2).eq(t**2 + 2 * t + 1, "expand", by="numbers")
    assert derive("third", (t - 1) ** 2, rests_on=[numbers]).eq(t**2 - 2 * t + 1, "expand").record["verdict"] == "checked"
    with pytest.raises(IllFormed, match="cannot rest on itself"):
        derive("first", (t - 1) ** 2, rests_on=[first]).eq(t**2 - 2 * t + 1, "expand")


def test_what_is_below_the_tolerance_is_not_called_zero():
    said = lambda measured: observe("small", "", measured=measured, predicted=0, tolerance=1e-14).record["measured"]
    assert said(2.2e-16) == "below 1e-14 in size" and said(0) == "0"
