"""Records: what they hold, and that their verdict follows from the evidence and nothing else."""

import dataclasses
import json
import os
import subprocess
import sys
from fractions import Fraction

import jsonschema
import pytest
from mpmath import mpf
from sympy import (
    Derivative,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Lt,
    Ne,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    symbols,
)  # fmt: skip

from logpartition.proof.errors import IllFormed, Unfalsifiable
from logpartition.proof.kernel.context import ASSUMED, RELATIONS, elaborate
from logpartition.proof.kernel.theorem import prove
from logpartition.proof.language import (
    Total,
    array,
    function,
    indices,
    inverse,
    named,
    sizes,
)  # fmt: skip
from logpartition.proof.observe import observe, observe_bound, observe_rate
from logpartition.proof.record import (
    SCHEMA,
    Claim,
    Finding,
    Hypothesis,
    Mutants,
    Numeric,
    Record,
    abbreviations,
    counterexample,
    from_chain,
    number,
    problems,
    refutation,
    step,
)  # fmt: skip
from logpartition.proof.refute import refute
from logpartition.proof.words import cite, theorem

N, d = sizes("N d")
i, j, l = indices("i j l")
x, y, t = symbols("x y t", real=True)
v, r = array("v", N), array("r", N)
ALL = Numeric(12, 12, 30)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def claim(statement, *given, ranges=()):
    given = [(g, ASSUMED) for g in given]
    context, (left, right) = elaborate(statement.args, given, ranges)
    return Claim(context, left, RELATIONS[type(statement)], right)


def derived(label="distributed", statement=Eq(x * (1 + y), x + x * y), given=(), sealed=True,
            numeric=ALL, whole=ALL, used=(), tried=3, **more):  # fmt: skip
    """A derivation in one step, as chain.py makes it."""
    c = claim(statement, *given)
    link = step(c.relation, statement.rhs, "multiply out", numeric=numeric,
                theorem=prove(c.context, c.left, c.relation, c.right) if sealed else None,
                mutants=Mutants(tried, tried))  # fmt: skip
    made = from_chain(label, c, start=statement.lhs, steps=[link], whole=whole, used=used,
                      expressions=statement.args, **more)  # fmt: skip
    return Finding(made, statement, tuple(given))


def refuted(**more):
    found = counterexample({x: 1, v[2]: Rational(-3, 2)}, 2, 0.1)
    return Finding(refutation("wrong", Eq(x * (1 + y), x + y), corrected=derived(), found=found,
                              location="000, eq. (1)", **more))  # fmt: skip


def everything():
    proved = derived()
    return [
        proved, derived("counted", Eq(Sum(x, (j, 1, N)), N * x), sizes={N: [1, 2, 3]}),
        derived("numbers", sealed=False), refuted(),
        observe("seen", "a coin", measured=0.51, predicted=0.5, standard_error=0.01, uses=[proved]),
        observe_rate("rate", "halving", [1, 2, 4], [1, 0.25, 0.0625], exponent=-2, tolerance=0.1),
        observe_bound("bound", "close", measured=[0.1, 0.2], bound=0.3, scale=1),
        cite("known", "a theorem", source="rockafellar1970", number="Theorem 12.2"),
        theorem("joined", "Words.", by={proved: "the algebra"}, argument="By {distributed}."),
    ]  # fmt: skip


# --- verdicts -----------------------------------------------------------------------------------

weak = lambda: derived("weak", sealed=False)
known = lambda: cite("known", "a theorem", source="brown1986", number="Theorem 2.7")
argued = lambda: theorem("joined", "Words.", by={derived(): "all"}, argument="By {distributed}.")
on_cited = lambda: theorem("joined", "Words.", by={known(): "all"}, argument="By {known}.")

VERDICTS = {
    "every step sealed, every point known": ({}, "proved", []),
    "no theorem": ({"sealed": False}, "checked", []),
    "a point without a value": ({"numeric": Numeric(11, 12, 30)}, "checked", []),
    "a point of the whole without a value": ({"whole": Numeric(3, 4, 30)}, "checked", []),
    "no point at all": ({"numeric": Numeric()}, "checked", []),
    "no point of the whole at all": ({"whole": Numeric()}, "checked", []),
    "on what is proved": ({"label": "next", "used": [derived()]}, "proved", []),
    "on what is checked": ({"used": [weak()]}, "checked", ["weak checked"]),
    "on what is cited": ({"used": [known()]}, "checked", ["known cited"]),
    "on what is argued": ({"used": [argued()]}, "proved", ["joined argued"]),
    "on what is argued from what is cited": (
        {"used": [on_cited()]}, "proved", ["joined argued", "known cited"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", VERDICTS)
def test_verdict_of_a_derivation(case):
    evidence, verdict, rests = VERDICTS[case]
    record = derived(**evidence).record
    assert record.verdict == record.json()["verdict"] == verdict
    assert [" ".join(r.values()) for r in record.json()["rests"]] == rests


def other(c):
    """A theorem about something else."""
    return prove(c.context, x + y, "=", y + x)


BROKEN = {
    "no link": (IllFormed, "states nothing", lambda c, s: dict(steps=[])),
    "neither theorem nor numbers": (IllFormed, "Nothing decides", lambda c, s: dict(
        steps=[dataclasses.replace(s, theorem=None, numeric=Numeric(0, 12, 30))])),
    "a mutant accepted": (Unfalsifiable, "a false variant", lambda c, s: dict(
        steps=[dataclasses.replace(s, mutants=Mutants(3, 2))])),
    "a theorem of something else": (IllFormed, "something else", lambda c, s: dict(
        steps=[dataclasses.replace(s, theorem=other(c))])),
    "a whole that says something else": (IllFormed, "does not state", lambda c, s: dict(
        steps=[s], theorem=other(c))),
    "no theorem of the whole": (IllFormed, "does not state", lambda c, s: dict(
        steps=[s], theorem="proved")),
    "a chain that begins anew": (IllFormed, "for the whole", lambda c, s: dict(
        steps=[s, dataclasses.replace(s, left="x")])),
    "another relation": (IllFormed, "says =", lambda c, s: dict(
        steps=[dataclasses.replace(s, relation="≤")])),
    "a hypothesis that is not declared": (IllFormed, "does not declare", lambda c, s: dict(
        steps=[dataclasses.replace(s, theorem=derived(
            "given", given=[Gt(x, 0)]).record.steps[0].theorem)])),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_evidence(case):
    error, words, change = BROKEN[case]
    c, good = claim(Eq(x * (1 + y), x + x * y)), derived().record.steps[0]
    with pytest.raises(error, match=words):
        from_chain("q", c, **{"start": x * (1 + y), "whole": ALL, **change(c, good)})


def test_a_theorem_of_the_whole_allows_the_steps_to_begin_anew():
    c, s = claim(Eq(x * (1 + y), x + x * y)), derived().record.steps[0]
    base = step("=", 0, "base", numeric=ALL, mutants=Mutants(1, 1))
    anew = dataclasses.replace(base, left="f(n + 1)", reason="step")
    made = lambda t: from_chain("q", c, start="f(0)", steps=[base, anew], whole=ALL, theorem=t,
                                shown="f(n) = 0")  # fmt: skip
    assert made(s.theorem).verdict == "proved" and made(s.theorem).statement == "f(n) = 0"
    assert made(s.theorem).json()["steps"][1]["left"] == "f(n + 1)"
    with pytest.raises(IllFormed, match="for the whole"):
        made(None)


def test_a_verdict_is_sealed():
    record = derived(sealed=False).record
    for attempt in (
        lambda: setattr(record, "kind", "citation"),
        lambda: setattr(record, "verdict", "proved"),
        lambda: dataclasses.replace(record, label="other"),
        lambda: Record(object(), "q", "derivation"),
        lambda: Record(label="q", kind="derivation"),
    ):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            attempt()
    data = record.json()
    data["verdict"], data["uses"] = "proved", ["x"]
    assert record.json()["verdict"] == "checked" and record.json()["uses"] == []


def test_only_a_theorem_of_the_kernel_seals_a_step():
    for no_theorem in (True, "proved", object()):
        assert dataclasses.replace(derived().record.steps[0], theorem=no_theorem).symbolic == ""


def test_nothing_rests_on_itself_or_on_what_is_refuted():
    with pytest.raises(IllFormed, match="itself"):
        derived("distributed", used=[derived()])
    with pytest.raises(IllFormed, match="refuted"):
        derived("q", used=[refuted()])


@pytest.mark.parametrize("relations, strongest", [
    ("==", "="), ("=≤", "≤"), ("≤<=", "<"), ("≥", "≥"), ("=>≥", ">"), ("≤≥", None), ("<>", None),
])  # fmt: skip
def test_relation_of_a_chain(relations, strongest):
    from logpartition.proof.record import strongest as found

    if strongest is None:
        with pytest.raises(IllFormed, match="not both"):
            found("q", relations)
    else:
        assert found("q", relations) == strongest


# --- scope and fingerprint ----------------------------------------------------------------------

count = Eq(Sum(x, (j, 1, N)), N * x)
SCOPES = {
    "no sizes": (dict(), ""),
    "all sizes": (dict(statement=count, sizes={N: [1, 2, 5]}), "all sizes"),
    "some sizes": (dict(statement=count, given=[Ge(N, 2)], sizes={N: [2, 3]}), "N ≥ 2"),
    "two sizes": (dict(statement=count, given=[Ge(N, d)], sizes={N: [2], d: [1]}), "d ≤ N"),
    "checked": (
        dict(statement=count, sealed=False, sizes={N: [3, 1], d: [2]}), "N = 1, 3; d = 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SCOPES)
def test_scope(case):
    evidence, scope = SCOPES[case]
    if "d" in scope and "≤" in scope:
        evidence = {**evidence, "statement": Eq(d * count.lhs, d * N * x)}
    assert derived("q", **evidence).record.scope == scope


A = named("A", x + y)


def summed(*values):
    """A statement about the sum over all values of an array."""
    h = array("h", N, domain=values)
    return Eq(Total(h[1] ** 2, h), 2 ** (N - 1))


SAME = {
    "other bound variables": (
        claim(Eq(Sum(v[j], (j, 1, N)), x)), claim(Eq(Sum(v[l], (l, 1, N)), x)),
    ),
    "a name for a part": (claim(Eq(A * x, y)), claim(Eq((x + y) * x, y))),
    "turned round": (claim(Le(x, y**2)), claim(Ge(y**2, x))),
    "other quantified indices": (claim(Le(v[i], x), Le(v[j], x)), claim(Le(v[i], x), Le(v[l], x))),
    "hypotheses in another order": (
        claim(Eq(x, y), Gt(x, 0), Gt(y, 0)), claim(Eq(x, y), Gt(y, 0), Gt(x, 0)),
    ),
}  # fmt: skip
MATRIX = array("S", N, N, domain="definite")
INVERSE = inverse(MATRIX, "P")


def averaged(law):
    drawn = array("g", N, domain=law)
    mean = Total(drawn[1] ** 2, drawn)
    return Eq(INVERSE[j, l], x), Eq(MATRIX[j, l], KroneckerDelta(j, l) * (1 + mean))


DIFFERENT = {
    "another relation": (claim(Le(x, y)), claim(Eq(x, y))),
    "another right side": (claim(Eq(x, y)), claim(Eq(x, 2 * y))),
    "a hypothesis": (claim(Eq(x, y)), claim(Eq(x, y), Gt(x, 0))),
    "another hypothesis": (claim(Eq(x, y), Ne(x, 0)), claim(Eq(x, y), Gt(x, 0))),
    "another type": (claim(Eq(x, y)), claim(Eq(Symbol("x", positive=True), y))),
    "another domain": (claim(Eq(v[j], x)), claim(Eq(array("v", N, domain="positive")[j], x))),
    "another length": (claim(Eq(v[j], x)), claim(Eq(array("v", d)[j], x))),
    "other values of what is summed over": (claim(summed(0, 1)), claim(summed(-1, 1))),
    "another range of an index": (
        claim(Le(N, x), Gt(x, l), ranges=[(l, N)]),
        claim(Le(N, x), Gt(x, l), ranges=[(l, d)]),
    ),
    "what a matrix with an inverse is": (
        claim(Eq(x, y), Eq(MATRIX[j, l], KroneckerDelta(j, l) * (x - 7))),
        claim(Eq(x, y)),
    ),
    "a law in what a definition says": (claim(*averaged("normal")), claim(*averaged((-1, 1)))),
    "a definition": (claim(Eq(t, x), Eq(t, x * y)), claim(Eq(x * y, x))),
    "a value of a function": (
        claim(Gt(function("f")(0) + x, x - 1), Gt(function("f")(0), x)),
        claim(Gt(function("f")(0) + x, x - 1)),
    ),
    "another kind of matrix that a definition restricts": (
        claim(Eq(x, y), Eq(MATRIX[j, l], KroneckerDelta(j, l) * x)),
        claim(Eq(x, y), Eq(array("S", N, N, domain="invertible")[j, l], KroneckerDelta(j, l) * x)),
    ),
    "no index": (claim(Le(y, x), Eq(v[j], x), Lt(y, v[j])), claim(Le(y, x), Lt(y, x))),
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_statement_has_the_same_fingerprint(case):
    one, two = SAME[case]
    assert one.fingerprint == two.fingerprint and len(one.fingerprint) == 64


@pytest.mark.parametrize("case", DIFFERENT)
def test_another_statement_has_another_fingerprint(case):
    one, two = DIFFERENT[case]
    assert one.fingerprint != two.fingerprint


def test_records_do_not_depend_on_the_hash_seed():
    code = (
        "from proof.test_record import everything, SAME; import json;"
        "print(json.dumps([r._repr_mimebundle_()[0] for r in everything()]), SAME['turned round'])"
    )
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = set()
    for seed in "12":
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", code]
        found.add(subprocess.run(command, cwd=tests, env=env, capture_output=True, text=True,
                                 check=True).stdout)  # fmt: skip
    assert len(found) == 1


# --- JSON ---------------------------------------------------------------------------------------

REQUIRED = {
    "label", "kind", "verdict", "statement", "scope", "assumptions", "steps", "mutants", "uses",
    "claims", "certifies", "title", "text", "sizes", "where", "fingerprint", "hypotheses",
    "oracles", "version",
}  # fmt: skip
OF_A_STEP = {
    "latex", "relation", "reason", "remark", "symbolic", "numeric", "oracles", "entries",
    "certificate", "mutants",
}  # fmt: skip


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("result", everything(), ids=lambda result: result.label)
def test_records_are_json_that_the_schema_admits(result):
    data = result.record.json()
    VALIDATOR.validate(data)
    assert problems(data) == [] and REQUIRED <= set(data)
    assert json.loads(json.dumps(data)) == data and result.record.json() is not data
    assert all(set(s) == OF_A_STEP for s in data["steps"])


def without(key):
    return lambda data: data.pop(key)


def put(*path):
    *path, key, value = path

    def change(data):
        for part in path:
            data = data[part]
        data[key] = value

    return change


MISSHAPEN = {
    "a key is missing": without("uses"),
    "a key too many": put("proved", True),
    "another version": put("version", 1),
    "no label": put("label", ""),
    "a verdict of another kind": put("verdict", "observed"),
    "an unknown kind": put("kind", "lemma"),
    "points in words": put("steps", 0, "numeric", "points", "12"),
    "points that are not counted": put("steps", 0, "numeric", "points", 1.5),
    "a negative number": put("mutants", "tried", -1),
    "no relation": put("steps", 0, "relation", "<="),
    "a list that is none": put("uses", "distributed"),
    "true for a number": put("whole", "of", True),
    "not a record": lambda data: data.clear(),
}


@pytest.mark.parametrize("case", MISSHAPEN)
def test_what_the_schema_rejects(case):
    data = derived().record.json()
    MISSHAPEN[case](data)
    assert problems(data)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(data)


@pytest.mark.parametrize("value, latex, data", [
    (2, "2", 2), (2.0, "2", 2.0), (Rational(-3, 2), r"- \frac{3}{2}", -1.5),
    (-1.5, r"-\frac{3}{2}", -1.5), (1 / 3, r"\frac{1}{3}", 1 / 3), (0.1234, "0.1234", 0.1234),
    (2.5e-7, r"2.5 \times 10^{-7}", 2.5e-7),
    (1 - 2j, r"1 - 2 \, \mathrm{i}", (1.0, -2.0)),
    (None, r"\text{undefined}", None), (1e300, r"10^{300}", 1e300),
])  # fmt: skip
def test_numbers(value, latex, data):
    found = number(value)
    assert (found.latex.replace("- \\", "-\\"), found.value) == (latex.replace("- \\", "-\\"), data)


def test_a_counterexample_keeps_numbers():
    found = refuted().record.json()["counterexample"]
    assert [(c["name"], c["value"]) for c in found["point"]] == [("x", 1), ("v_{2}", -1.5)]
    assert found["left"]["value"] == 2 and found["right"]["value"] == 0.1


def test_hypotheses_say_whether_they_are_needed():
    told = [Hypothesis("x > 0", "it fails at $x = -1$"), Hypothesis("z > 0")]
    data = derived(hypotheses=told).record.json()["hypotheses"]
    assert [h["needed"] for h in data] == [True, None]
    assert [h["witness"] for h in data] == ["it fails at $x = -1$", None]


def test_names_are_listed_after_those_that_they_use():
    Z = named("Z", Sum(exp(v[j]), (j, 1, N)))
    G = named("G", log(Z))
    found = abbreviations([Derivative(G, v[i]), G * x])
    assert [line.split(" = ")[0] for line in found] == ["$Z", "$G"]


def test_times_are_written_as_other_programs_write_them():
    for seconds, said in ((0.0, "0"), (2.04, "2"), (0.25, "0.2")):
        finding = dataclasses.replace(derived(), seconds=seconds)
        (metadata,) = finding._repr_mimebundle_()[1].values()
        assert json.dumps(metadata["seconds"]) == said


@pytest.mark.parametrize("v, shown", [
    (1 / 3, r"\frac{1}{3}"), (-0.25, r"-\frac{1}{4}"), (2.0, "2"), (3e15, r"3 \times 10^{15}"),
    (-409667707.1431077, "-409667707.1"), (123456789.00000142, "123456789.000001"),
    (mpf(5000000) / 7, r"\frac{5000000}{7}"), (1.0000000000001, "1.0000000000001"),
])  # fmt: skip
def test_numbers_of_a_counterexample_are_themselves(v, shown):
    assert number(v).latex == shown


def test_digits_that_go_on_are_those_of_the_number():
    said = (2 - Fraction(1, 10**66), r"1.999999999\ldots"), (Fraction(1, 10**66), "10^{-66}")
    for x, shown in said:
        assert counterexample({x: x}, 0, 1).point[0][1].latex == shown


def test_the_sides_of_a_counterexample_are_told_apart():
    for small in (Fraction(1, 10**14), Fraction(1, 10**30)):
        printed = Eq(exp(x), exp(x) * (1 + Rational(small)), evaluate=False)
        found = refute("w", printed, corrected=derived(), location="1").record.counterexample
        assert (found.left.latex, found.right.latex[:4]) == ("1", "1.00") and not found.why
