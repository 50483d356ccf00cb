"""Results decided again from their records alone."""

import copy
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from sympy import (
    Add,
    Basic,
    Derivative,
    Dummy,
    Eq,
    Ge,
    GoldenRatio,
    Gt,
    I,
    Integral,
    KroneckerDelta,
    Le,
    Limit,
    Lt,
    Mul,
    Piecewise,
    Rational,
    Subs,
    Sum,
    Symbol,
    atan,
    exp,
    log,
    oo,
    pi,
    sin,
    sinh,
    tanh,
)  # fmt: skip

from logpartition.__main__ import decidable, main
from logpartition.proof import (
    IllFormed,
    Refuted,
    Total,
    array,
    by,
    cite,
    covariance,
    definition,
    derive,
    differentiate,
    function,
    grad,
    hessian,
    induction,
    instance,
    integrate,
    inverse,
    named,
    observe,
    observe_bound,
    observe_rate,
    rearrange,
    refute,
    sizes,
    tensors,
    theorem,
)  # fmt: skip
from logpartition.proof.again import again, differences
from logpartition.proof.display import MIME, markdown
from logpartition.proof.earlier import Earlier, Stored, fingerprint_of
from logpartition.proof.earlier import stored as in_a_notebook
from logpartition.proof.language import Array
from logpartition.proof.record import problems
from logpartition.proof.recorded import operations
from logpartition.proof.tensors import at, norm2, tensor
from logpartition.proof.terms import Reader, Writer

from .symbols import G, N, Z, a, beta, d, distributed, i, j, k, l, n, p, q, t, v, w, weight, x, y, z

Y = Symbol("y", nonnegative=True)
ROOT = Path(__file__).resolve().parents[2]
S = array("S", d, d, domain="definite")
A, M = array("A", d, d), sizes("M")
M_, u = array("B", d, d), array("u", d)


def turned(name="h"):
    return tensor(name, (d,), lambda at: Sum(A[at, a] * q[a], (a, 1, d)))


o, scales = array("o", d), array("s", d)
FORM = named("G", Sum(scales[a] * q[a], (a, 1, d)))
SQUARED = [Eq(scales[a], o[a] ** 2)]

TERMS = [
    x + 2 * y - Rational(1, 3), exp(-beta * x) * I * pi, z**-2, log(weight(j)), G / Z,
    Mul(2, x + y, evaluate=False), Add(x, x, evaluate=False), Derivative(exp(t * x), (t, n)),
    Integral(exp(-(x**2)), (x, -oo, oo)), Limit(sin(x) / x, x, 0, "+"), Limit(1 / t, t, oo),
    Subs(Derivative(x**2, x), x, 1), function("f")(x, order=2), KroneckerDelta(i, j),
    Sum(S[a, l] * inverse(S, "P")[l, a], (l, 1, d)), Symbol(r"\beta_{1}") + Symbol("lambda"),
    Total(array("s", M, domain=(-1, 1))[j], array("s", M, domain=(-1, 1))),
    Array("g", (N,), M)[j] + Symbol("c", complex=True), Le(x, y, evaluate=False), Eq(p[j], w[j]),
]  # fmt: skip


@pytest.mark.parametrize("e", TERMS, ids=str)
def test_a_term_comes_back(e):
    write = Writer()
    text = write(e)
    assert Reader(write.let)(text, object) == e


def test_what_no_record_can_hold_is_not_written():
    for e in (Piecewise((x, x > 0), (0, True)), Dummy("x"), Symbol("x", prime=True)):
        with pytest.raises(IllFormed, match="record can hold|can hold it"):
            Writer()(e)


OTHERS = [
    "Piecewise(x)", "__import__('os')", "x.args", "lambda: x", "[x]", "1.5", "x + x", "True", "y",
    "exp('x')", "Sum(x, ('x', 1, 2))", "exp(x, evaluate=True)", "Derivative(x, ('x', 1))", "'x'",
    "(x, x)", "x[1]", "grad('x', x)", "tensor('p', ('N',), ((1,), x))", "add(x, 'x')", "exp(",
    "Array('k', ('N',))", "Named('n', 'x')", "Named('1 + 1', x)", "Symbol('y', 'odd')", "()()",
    "exp(" * 3000 + "x" + ")" * 3000, "Pow(9, Pow(9, 9))", "Pow(2, -3000)", "factorial(3000000)",
    "binomial(x, 10000)", "mul(identity(2))", "tensor()", "add(identity(2), x, x)",
    "Array('P', (2, 2), 'inverse')", "Array('P', (2, 2), 'inverse', x)",
    "Array('P', (2, 2), 'inverse', Array('S', (2, 2), 'real'))",
    "Array('P', (2, 2), 'inverse', Array('S', (2, 2), 'antisymmetric'))",
    "Array('P', (2, 2), 'inverse', Array('S', (3, 3), 'definite'))",
    "Array('P', (2, 2), 'real', Array('S', (2, 2), 'definite'))",
]  # fmt: skip


@pytest.mark.parametrize("text", OTHERS, ids=lambda text: text[:20])
def test_a_text_that_is_no_term_is_refused(text):
    with pytest.raises(IllFormed, match=r"record|term|stand|made of|declares|looks like"):
        Reader(["x = Symbol('x', 'real')"], operations())(text)


# --- results ----------------------------------------------------------------------------------


def squared():
    return derive("squared", atan(sinh(Y))).eq(2 * atan(tanh(Y / 2)), "Gudermann", by="numbers")


def fourth():
    return derive("fourth", 2 * atan(sinh(x**2 / 4))).eq(
        4 * atan(tanh(x**2 / 8)), by(instance(squared(), {Y: x**2 / 4}))
    )


def bounded():
    return derive("bounded", Sum(p[j] * (1 + v[j] ** 2), (j, 1, N))).ge(
        1, rearrange, certificate=Sum(p[j] * v[j] ** 2, (j, 1, N))
    )


def mean_angle():
    left, right = (Sum(p[j] * atan(e), (j, 1, N)) for e in (sinh(v[j]), tanh(v[j] / 2)))
    return derive("mean-angle", left).eq(2 * right, "Gudermann", by="numbers")


def total_weight():
    return Sum(w[l], (l, 1, N))


def at_weights(f):
    return Sum(w[j] / total_weight() * f, (j, 1, N))


SLOPE = named("m", Derivative(x**3, x))
RESULTS = {
    "a remark": distributed,
    "a name": lambda: derive("d", SLOPE * y).eq(3 * x**2 * y, differentiate + definition(SLOPE)),
    "numbers and a sign": squared,
    "a certificate": bounded,
    "an instance": fourth,
    "an instance of an array": lambda: derive("at-weights", at_weights(atan(sinh(v[j])))).eq(
        2 * at_weights(atan(tanh(v[j] / 2))),
        by(instance(mean_angle(), {p: lambda at: w[at] / total_weight()}))),
    "a hypothesis": lambda: derive("under", x * y, given=[Ge(x, 1), Ge(y, 1)]).ge(
        x + y - 1, rearrange, certificate=(x - 1) * (y - 1)
    ),
    "a result as a hypothesis": lambda: derive("given", atan(sinh(Y)) + 1, given=[squared()]).eq(
        2 * atan(tanh(Y / 2)) + 1, "add 1"),
    "a result around it": lambda: derive("rests", x * (2 + y), rests_on=[distributed()]).eq(
        2 * x + x * y, "multiply out"),
    "an integral": lambda: derive("gauss", Integral(exp(-(x**2)), (x, 0, 1)) * 2 * y).eq(
        y * Integral(exp(-(x**2)), (x, -1, 1)), integrate),
    "a covariance": lambda: derive("hessian", hessian(G, q)).eq(
        beta * covariance(k[j], k[j], tensor("p", (N,), weight)), differentiate),
    "rows and columns": lambda: derive("rows", A @ (k[j] + 2 * q) / x, given=[Gt(x, 0)]).eq(
        k[j] @ A.T / x + at(A @ q, q, 2 * q) / x, "row by row"),
    "a name at a value": lambda: derive("at", at(turned(), q, x * u)).eq(
        x * (A @ u), "row by row"),
    "at the value of a name": lambda: derive("at", at(M_ @ q + u, q, turned()) * (x + y)).eq(
        (x + y) * (M_ @ A @ q) + x * u + y * u, "row by row"),
    "a name at a value, named": lambda: derive("at", tensor(
        r"\mathrm{h}(u)", (d,), lambda at_: at(turned(r"\mathrm{h}"), q, u)[at_]) * (x + y)
        ).eq(x * (A @ u) + y * (A @ u), "row by row"),
    "scalars at a vector": lambda: derive(
        "at", norm2(at(turned(), q, u)) + at(FORM, q, q + t * u), given=SQUARED).eq(
            norm2(at(turned(), q, u)) + Sum(o[a] ** 2 * (q[a] + t * u[a]), (a, 1, d)), "weights"),
    "an entry at a number": lambda: derive("at", turned()[1] * (x + 1)).eq(
        x * (A @ q)[1] + (A @ q)[1], "row by row"),
    "a number of its own": lambda: derive("golden", GoldenRatio * (x + y)).eq(
        GoldenRatio * x + GoldenRatio * y, "expand"),
    "vectors": lambda: derive("gradient", grad((q @ q) / 2, q)).eq(1 * q, differentiate),
    "an induction": lambda: induction(
        "orders", Eq(Derivative(exp(2 * t), (t, n)), 2**n * exp(2 * t)), n, reason="once more",
        advance=lambda e: Derivative(e, t)),
    "a refutation": lambda: refute("wrong", Eq(x * (1 + y), x + y), corrected=distributed(),
                                   location="(1)"),
}  # fmt: skip
USED = (distributed, squared, mean_angle)


def stored(result):
    return json.loads(json.dumps(result.record.json()))


@cache
def recorded(name):
    return stored(RESULTS[name]())


@pytest.fixture(scope="module")
def book():
    return {r.label: stored(r) for r in (make() for make in USED)}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_decided_again_from_its_record(name, book):
    record = recorded(name)
    assert "terms" in record and differences(record, book) == []


def test_the_book_holds_the_terms_of_its_results():
    """Of two chapters, read and written again; `python -m logpartition check` decides them."""
    read = 0
    for slug in ("first-steps", "duality"):
        for _, record in in_a_notebook(ROOT / "book" / f"{slug}.ipynb"):
            if not decidable(record):
                continue
            terms = record["terms"]
            texts = [s.get(key) for s in terms.get("steps", ()) for key in ("term", "certificate")]
            for text in filter(None, [*texts, *terms.get("given", ()), terms.get("start")]):
                e, write = Reader(terms["let"], operations())(text, object), Writer()
                if isinstance(e, Basic) and not isinstance(e, Array):
                    again = write(e)
                    assert Reader(write.let)(again, object) == e
                    read += 1
    assert read > 40


# --- a record that was changed by hand ----------------------------------------------------------


def changed(record, path, old, new):
    """A record in which `old` is `new` at a place."""
    record = copy.deepcopy(record)
    *outer, last = path
    inside = record
    for key in outer:
        inside = inside[key]
    assert old in str(inside[last]), inside[last]
    inside[last] = inside[last].replace(old, new) if isinstance(new, str) else new
    return record


CHANGES = {  # a result, the place, what stands there, and what is put there
    "a term": ("a hypothesis", ["terms", "steps", 0, "term"], "-1", "-2"),
    "a term that is equal": ("a remark", ["terms", "start"], "Add(1, y)", "Add(2, y, -1)"),
    "its formula": ("a hypothesis", ["steps", 0, "latex"], "1", "2"),
    "the statement": ("a remark", ["statement"], "y", "x"),
    "a hypothesis": ("a hypothesis", ["terms", "given", 0], "Ge(x, 1)", "Ge(x, 2)"),
    "what is assumed": ("a hypothesis", ["assumptions", 0], "x", "z"),
    "a kind": ("a hypothesis", ["terms", "let", 0], "real", "positive"),
    "a certificate": ("a certificate", ["terms", "steps", 0, "certificate"], "p[j]", "1"),
    "a reason": ("an integral", ["steps", 0, "reason"], "integrate", "rearrange"),
    "a rule": ("an integral", ["terms", "steps", 0, "why", 0], "integrate", "rearrange"),
    "the verdict": ("numbers and a sign", ["verdict"], "checked", "proved"),
    "points": ("a remark", ["whole", "points"], "", 999),
    "a value": ("an instance", ["terms", "uses", 0, "at", 0], "Pow(x, 2)", "Pow(x, 4)"),
    "what is used": ("an instance", ["terms", "uses", 0, "statement"], "atan(sinh", "sin(sinh"),
    "whose it is": ("an instance", ["terms", "uses", 0, "label"], "squared", "distributed"),
    "the words of a vector": ("vectors", ["steps", 0, "latex"], "q", "k"),
    "the statement of vectors": ("a covariance", ["statement"], "k", "q"),
    "a vector": ("a covariance", ["terms", "start"], "grad(G, q)", "grad(Z, q)"),
    "an entry": ("a covariance", ["terms", "steps", 0, "term"], "p_j)", "p_l)"),
    "a name": ("a name", ["where", 0], "m", "M"),
    "a point": ("a refutation", ["terms", "printed"], "Add(x, y)", "Add(x, 1)"),
    "the formula in its place": ("a refutation", ["correction"], "y", "x"),
    "code": ("a remark", ["terms", "start"], "x", "open('x')"),
    "one index for two": ("a covariance", ["terms", "indices"], "b", ["b", "b"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_by_hand_is_found(change, book):
    name, path, old, new = CHANGES[change]
    assert differences(changed(recorded(name), path, old, new), book)


def replaced_by_hand():
    """What G is at q + u, and what is said of G's weights put beside it in the record: a
    hypothesis by which they depend on q."""
    there = derive("there", at(FORM, q, q + u) * x).eq(
        Sum(x * scales[a] * (q[a] + u[a]), (a, 1, d)), "why"
    )
    record = stored(there)
    terms = record["terms"] | {"given": ["Eq(s[a], Pow(q[a], 2))"]}
    terms["steps"][0]["term"] = terms["steps"][0]["term"].replace("s[a]", "Pow(q[a], 2)")
    return {**record, "terms": terms}


@pytest.mark.parametrize("known", [True, False])
def test_what_is_replaced_is_said_in_the_record(known, monkeypatch):
    record = replaced_by_hand()
    if not known:
        monkeypatch.setattr(tensors, "REPLACED", {})
    with pytest.raises(IllFormed, match=r"at\(…\) replaces q" if known else r"make it by at\(…\)"):
        again(record, {}).record.json()
    let = recorded("scalars at a vector")["terms"]["let"]
    assert any(" = at(G, q, " in line for line in let) and any(" = norm2(at(" in x for x in let)


def test_the_entries_of_a_vector_are_made_by_one_rule():
    let = ["N = Size('N')", "v = Array('v', (N,), 'real')", "j = Index('j')", "l = Index('l')",
           "m_j = Named('m_{j}', 2)", "m_l = Named('m_{l}', v[l])"]  # fmt: skip
    made = Reader(let, operations())("tensor('m', (N,), ((l,), m_l), ((j,), m_j))", object)
    assert made.entry(l).meaning == v[l]
    with pytest.raises(IllFormed, match="which is not what its rule gives"):
        made.entry(j)


def test_names_that_unfold_without_end_are_refused():
    let = ["x = Symbol('x', 'real')", "n_0 = Named('a', x)"]
    let += [f"n_{n} = Named('a', Add(n_{n - 1}, exp(n_{n - 1})))" for n in range(1, 60)]
    with pytest.raises(IllFormed, match="larger than a record can hold"):
        Reader(let)


def test_numbers_of_a_record_have_many_digits():
    for text in (
        "Pow(10, 400)",
        "Pow(2, 900)",
        "Pow(x, 5000)",
        "Pow(1, Pow(10, 9))",
        "factorial(60)",
    ):
        assert Reader(["x = Symbol('x', 'real')"])(text)


FALSE = Lt(x, 10**40, evaluate=False)


def anchored():
    """A theorem in words with the fingerprint of a formula, and what follows from the formula."""
    words = theorem("anchor", "It is so.", by={distributed(): "all"}, argument="By {distributed}.")
    record = {**stored(words), "fingerprint": fingerprint_of(FALSE, ())}
    anchor = Earlier(Stored(json.dumps(record)), FALSE, ())
    return record, stored(derive("bad", y).lt(10**40 + exp(t), by(instance(anchor, {x: y}))))


def test_nothing_follows_from_words_as_from_a_formula(book):
    anchor, bad = anchored()
    assert differences(anchor, {**book, "anchor": anchor})[0][0] == "fingerprint"
    assert "what it uses of anchor" in differences(bad, {**book, "anchor": anchor})[0][2]


def in_words():
    """A citation, a theorem, and a refutation in words."""
    cited = cite("tolle", "It is so.", source="t", number="Theorem 1")
    said = theorem("said", "It holds.", by={cited: "all"}, argument="By {tolle}.", given=["$x>0$"])
    wrong = refute("words", "It fails.", corrected=said, by=cited, location="page 1")
    seen = observe("seen", "It is so.", measured=1.13, predicted=1.004, tolerance=0.13, scale=2)
    rate = observe_rate("rate", "It is so.", [1, 2, 4], [1, 0.52, 0.25], exponent=-1, tolerance=0.1)
    worst = observe_bound("worst", "It is so.", measured=[1, 2], bound=3, scale=9)
    return {r.label: stored(r) for r in (cited, said, wrong, seen, rate, worst)}


@pytest.mark.parametrize("label, key, value", [
    ("tolle", "text", "It is not so."), ("said", "text", "It holds, and 0 = 1."),
    ("said", "uses", []), ("said", "rests", []), ("words", "uses", ["said"]),
    ("said", "parts", [{"label": "nowhere", "purpose": "all"}]), ("words", "against", []),
    ("said", "parts", [{"label": "words", "purpose": "all"}]), ("tolle", "uses", ["said"]),
    ("words", "terms", {"let": []}), ("said", "assumptions", []), ("tolle", "assumptions", ["so"]),
    ("words", "correction", "$$0 = 1$$"), ("said", "statement", "0 = 1"),
    ("said", "oracles", ["SymPy: limit"]),
    ("tolle", "where", ["$x = 1$"]), ("words", "sizes", {"N": [1]}), ("seen", "scope", "all sizes"),
    ("said", "hypotheses", [{"latex": "x", "needed": True, "witness": "x"}]),
    ("seen", "mutants", {"tried": 99, "killed": 99, "equivalent": 0}), ("seen", "predicted", 101.1),
    ("seen", "tolerance", 0.047), ("seen", "tolerance", 300), ("rate", "measured", -2),
    ("rate", "mutants", {"tried": 5, "killed": 5, "equivalent": 0}), ("worst", "measured", 3.5),
    ("worst", "predicted", 10),
    ("said", "parts", []), ("said", "parts", [{"label": "tolle", "purpose": "all"}] * 2),
    ("said", "parts", [{"label": "seen", "purpose": "all"}]), ("said", "argument", "By {seen}."),
    ("said", "parts", [{"label": "tolle", "purpose": " "}]), ("said", "text", " "),
    ("words", "against", ["tolle", "tolle"]), ("words", "corrected", "words"),
    ("tolle", "number", "so"), ("tolle", "source", "a b"), ("words", "location", " $$x$$"),
    ("seen", "tolerance", 0), ("worst", "predicted", 8.5), ("rate", "predicted", -0.93),
])  # fmt: skip
def test_what_no_terms_decide_is_made_anew(label, key, value):
    book = in_words()
    assert not any(differences(record, book) for record in book.values())
    assert differences({**book[label], key: value}, book)


@pytest.mark.parametrize("label, key, value", [
    ("noisy", "standard_error", 1.012), ("noisy", "standard_error", -0.012),
    ("noisy", "standard_error", None), ("noisy", "runs", 1), ("noisy", "allowance", "bound"),
    ("noisy", "allowance", "stated"), ("worst", "runs", None), ("worst", "runs", 1),
    ("worst", "allowance", "stated"), ("seen", "standard_error", 0.01), ("seen", "runs", 5),
    ("rate", "standard_error", 0.09), ("rate", "standard_error", None), ("rate", "runs", 2),
    # of another form
    ("seen", "relation", "≤"), ("seen", "relation", "≥"), ("rate", "relation", "≤"),
    ("worst", "relation", "="), ("worst", "relation", "≥"), ("noisy", "allowance", "roundings"),
    ("seen", "allowance", "roundings"), ("rate", "allowance", "roundings"),
    ("seen", "form", "rate"),
    ("seen", "sizes", [1, 2, 4]), ("seen", "errors", [1, 1, 1]), ("worst", "errors", [1]),
    ("rate", "scale", 0), ("rate", "scale", 9), ("worst", "scale", None), ("rate", "form", "value"),
    # numbers that do not make it
    ("rate", "standard_error", 0), ("rate", "errors", [1, 1, 1]), ("rate", "errors", [1, 2, 4]),
    ("rate", "errors", [1, 0.52]), ("rate", "errors", [1, 0.52, 0]), ("rate", "sizes", []),
    ("rate", "sizes", [1, 2, 3]), ("rate", "sizes", [1, 2, 5]), ("rate", "sizes", [1, 2, -4]),
    ("rate", "errors", [1, 0.6, 0.25]), ("seen", "scale", 0), ("seen", "scale", -1),
    ("seen", "scale", 1), ("seen", "scale", None), ("worst", "scale", 3.0000001),
])  # fmt: skip
def test_an_uncertainty_fits_its_tolerance(label, key, value):
    book = in_words()
    noisy = observe("noisy", "It is so.", measured=1.02, predicted=1.004, standard_error=0.0118)
    book["noisy"] = stored(noisy)
    assert not differences(book[label], book)
    forged = {**book[label]["measurement"], key: value}
    assert differences({**book[label], "measurement": forged}, book)


def test_a_prediction_0_needs_a_scale_in_its_record_too():
    zero = stored(observe("zero", "So.", measured=0.001, predicted=0, tolerance=0.01, scale=5))
    assert not differences(zero, {})
    for scale, tried in ((None, 0), (0.012, 2), (0.02, 2)):
        m, mutants = {**zero["measurement"], "scale": scale}, {**zero["mutants"], "tried": tried}
        forged = {**zero, "measurement": m, "mutants": {**mutants, "killed": tried}}
        assert differences(forged, {})


@pytest.mark.parametrize("exponent, factors, tolerance", [
    (-1, (1, 1, 1, 1), None), (-1, (1, 1, 1, 1), 0.1), (0.5, (1, 1.02, 0.99, 1.01), None),
    (-2, (1, 1.02, 0.98, 1), 0.1), (-3, (1.004, 0.9951, 1.0149, 1), 0.02), (0, (3, 3, 3, 3), None),
    (7, (1, 1, 1, 1.005), None), (-0.25, (1.1, 1.104, 1.1, 1.1), 0.01),
])  # fmt: skip
def test_a_rate_is_the_slope_of_its_rounded_errors(exponent, factors, tolerance):
    for grid in ([1, 2, 4, 8], [10, 30, 100, 1000], [3, 6, 12, 13]):
        errors = [f * s**exponent for f, s in zip(factors, grid)]
        try:
            made = observe_rate("rate", "So.", grid, errors, exponent=exponent, tolerance=tolerance)
        except Refuted:
            continue
        assert not differences(stored(made), {})


def test_what_stands_in_place_of_nothing_is_found(book):
    record = recorded("a remark")
    assert differences({**record, "terms": {**record["terms"], "more": None}}, book)


def test_a_used_record_that_says_something_else_is_found(book):
    record = stored(fourth())
    other = {**book["squared"], "fingerprint": "0" * 64}
    assert "squared" in differences(record, {**book, "squared": other})[0][2]
    assert "no record" in differences(record, {})[0][2]
    weaker = {**book["squared"], "verdict": "proved", "rests": []}
    assert differences(record, {**book, "squared": weaker})


# --- the command --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, book):
    def written(*records):
        outputs = [{"data": {MIME: data}} for data in (*book.values(), *records)]
        cells = [{"cell_type": "code", "source": "raise SystemExit(7)", "outputs": outputs}]
        (tmp_path / "chapter.ipynb").write_text(json.dumps({"cells": cells}))
        return tmp_path

    return written


def run(capsys, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["logpartition", "check", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, capsys.readouterr()


def test_each_result_has_a_line(folder, capsys, monkeypatch):
    record = stored(fourth())
    there = folder(record, stored(cite("tolle", "It is so.", source="t", number="Theorem 1")))
    code, said = run(capsys, monkeypatch, there)
    lines = said.out.splitlines()
    assert not code and re.fullmatch(r"fourth  checked  again in \d+\.\d s", lines[3])
    assert lines[4].startswith("tolle  cited  in words") and lines[5].startswith("4 of 4 ")
    assert not said.err
    code, said = run(capsys, monkeypatch, there, "distributed")
    assert not code and said.out.count("\n") == 2


def test_a_difference_is_said_and_ends_with_1(folder, capsys, monkeypatch):
    bare = {k: v for k, v in stored(bounded()).items() if k != "terms"}
    for bad in (changed(stored(fourth()), ["statement"], "4", "3"), bare):
        code, said = run(capsys, monkeypatch, folder(bad))
        assert code == 1 and f"{bad['label']}  DIFFERS" in said.out


def test_what_cannot_be_checked_at_all_is_refused(folder, capsys, monkeypatch, tmp_path):
    book = stored(fourth()), {**stored(bounded()), "label": "fourth"}
    round_about = {**stored(bounded()), "uses": ["fourth"]}, {**book[0], "uses": ["bounded"]}
    for records, words in ((book, "two results"), (round_about, "stand on each other"),
                           (({"kind": "proof"},), "no kind among")):  # fmt: skip
        code, said = run(capsys, monkeypatch, folder(*records))
        assert code == 2 and words in " ".join(said.err.split())
    assert "is called nil" in run(capsys, monkeypatch, folder(), "nil")[1].err
    assert "no notebook" in run(capsys, monkeypatch, tmp_path / "none")[1].err


def test_other_forms_say_what_the_record_says(tmp_path, capsys, monkeypatch):
    record = stored(distributed())
    for form, words, code in (("text/markdown", "$$0 = 1$$", 2), ("text/html", "<p>", 2),
                              ("text/markdown", markdown(record).splitlines(True), 0)):  # fmt: skip
        cells = [{"outputs": [{"data": {MIME: record, form: words}}]}]
        (tmp_path / "one").mkdir(exist_ok=True)
        (tmp_path / "one" / "chapter.ipynb").write_text(json.dumps({"cells": cells}))
        found, said = run(capsys, monkeypatch, tmp_path)
        assert found == code and (not code or form in said.err)


ODD = [
    "[]", '"cells"', '{"cells": null}', '{"cells": 5}', '{"cells": [null]}',
    '{"cells": [{"outputs": 5}]}', '{"cells": [{"outputs": [{"data": ["%s"]}]}]}',
    '{"cells": [{"outputs": [{"data": "%s"}]}]}',
    '{"cells": [{"outputs": [{"data": {"%s": 5}}]}]}',
    '{"cells": ' + "[" * 10**5 + "]" * 10**5 + "}",
    '{"cells": [{"outputs": [{"data": {"%s": {"x": ' + "[" * 400 + "]" * 400 + "}}}]}]}",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_a_notebook_that_is_none_is_refused(text, tmp_path, capsys, monkeypatch):
    (tmp_path / "chapter.ipynb").write_text(text.replace("%s", MIME))
    code, said = run(capsys, monkeypatch, tmp_path)
    assert code == 2 and ("is not a" in said.err or "no outputs" in said.err or "half" in said.err)


@pytest.mark.parametrize("key, value", [
    ("measured", float("inf")), ("predicted", float("nan")), ("tolerance", 10**400),
    ("tolerance", -(10**400)), ("sizes", {"N": 5}), ("sizes", {"N": None}), ("sizes", {"N": [1.5]}),
    ("title", "\ud800"), ("text", "so \udfff"),
])  # fmt: skip
def test_what_cannot_be_shown_is_no_record(key, value, folder, capsys, monkeypatch):
    seen = in_words()["seen"]
    code, said = run(capsys, monkeypatch, folder({**seen, key: value}))
    assert code == 2 and "cell 1" in said.err
    forged = {**seen, "measurement": {**seen["measurement"], "scale": value}}
    code, said = run(capsys, monkeypatch, folder(forged))
    assert code == 2 and "cell 1" in said.err


def test_whatever_the_site_may_show_is_read(folder, capsys, monkeypatch):
    there, hidden = folder(), ("_build/a", "_ext/a", ".saved/a", ".a")
    for name in (*hidden, "_first", "_more/a", "more/_ext/a"):
        path = there / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("no notebook")
        code, said = run(capsys, monkeypatch, there)
        assert code == 2 * (name not in hidden) and (name in hidden or path.name in said.err)
        path.unlink()


def test_a_label_is_one_word():
    for name in ("a b", "a\nb  proved", "", "(a)"):
        with pytest.raises(ValueError, match="needs a name"):
            derive(name, x * (y + 1)).eq(x * y + x, "why").record
    assert problems({**stored(distributed()), "label": "a\nb"})


def test_nothing_of_a_chapter_is_imported(folder):
    watch = """
import sys
from logpartition.__main__ import check, records
assert not check(records(__import__("pathlib").Path(sys.argv[1])), ["distributed"])
found = {name for name in sys.modules if ".proof" not in name}
ours = {name for name in found if name.startswith(("logpartition.", "logpartition_", "torch"))}
print(sorted(ours))
"""
    done = subprocess.run([sys.executable, "-c", watch, folder()], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == str(
        ["logpartition.__main__", "logpartition._progress"]
    ), done.stderr


def test_a_name_that_is_like_another_is_its_own():
    q, r, u = (array(name, d) for name in "qru")
    written = named("G(r)", Sum(u[a] * r[a], (a, 1, d)) + x)
    right = (r @ u) * (t + 1) + x * (y**2 + 1)
    record = (
        derive("alone", written * (t + 1), given=[Eq(t, y**2)]).eq(right, rearrange).record.json()
    )
    called = at(named("G", q @ u + x), q, r)
    assert called == written
    assert derive("made", called * (t + 1), given=[Eq(t, y**2)]).eq(right, rearrange).record
    assert differences(record, {}) == []
