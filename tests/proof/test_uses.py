"""What a result says is what every use of it has: how far its indices run, for which values of its
letters its hypotheses are meant, and what these define."""

import pytest
from sympy import (
    Derivative,
    Eq,
    Gt,
    Integral,
    KroneckerDelta,
    Le,
    Lt,
    Rational,
    Sum,
    Symbol,
    exp,
)  # fmt: skip

from logpartition.proof import (
    IllFormed,
    Undecided,
    array,
    by,
    derive,
    differentiate,
    instance,
    inverse,
    named,
    rearrange,
    refute,
)  # fmt: skip
from logpartition.proof.tensors import along, at, norm2, tensor

from .symbols import N, a, b, d, distributed, i, j, l, n, q, t, v, x, y

s, u, z = (Symbol(name, real=True) for name in "suz")
X, m = Symbol("X", positive=True), Symbol("m", integer=True, positive=True)
far = 10**30  # so that no point that is tried tells
c, e, f = array("c", 20), array("e", N - 1), array("f", N - 1)
zero_sum, many = array("z", d), array("q", d)
S, W = array("S", d, d, domain="definite"), array("W", N, domain="positive")
ud, o, P = array("u", d), array("o", d), inverse(S, "P")
G = named("G", Sum(zero_sum[a] * q[a], (a, 1, d)))
h = tensor("h", (d,), lambda at_: zero_sum[at_] * q[at_])
Z_IS = [Eq(zero_sum[a], q[a] ** 2)]
cubes = Sum(q[a] ** 2 * ud[a], (a, 1, d))


def entries():
    """v_i + x ≤ Σ v_j² + 1 + x, for i ≤ N."""
    rest = (v[i] - Rational(1, 2)) ** 2 + Rational(3, 4)
    return (
        derive("entries", v[i] + x)
        .le(v[i] ** 2 + 1 + x, "a square", certificate=rest)
        .le(Sum(v[j] ** 2, (j, 1, N)) + 1 + x, "one of them")
    )


def above():
    """x N > Σ v_j where each v_i < x."""
    start = x * N - Sum(v[j], (j, 1, N))
    return (
        derive("above", start, given=[Lt(v[i], x)])
        .eq(Sum(x - v[j], (j, 1, N)), rearrange)
        .gt(0, "term by term")
    )


def positive():
    return derive("positive", Sum(W[j], (j, 1, N))).gt(0, "term by term")


def squares():
    """One square is at most all, of N − 1, which may be none."""
    return derive("squares", e[i] ** 2).le(Sum(e[j] ** 2, (j, 1, N - 1)) + far, "one of them")


def between():
    chain = derive("between", y, given=[Lt(y, x), Lt(x, z)])
    return chain.lt(x, "why").lt(z, "why").lt(z + far, "why")


def for_all_x():
    """y = 1, where ∂(y x² + z x)/∂x = 2x for all x."""
    curve, more = y * x**2 + z * x, u**2 + 1
    slope = Eq(Derivative(curve, x), 2 * x, evaluate=False)
    return (
        derive("for-all-x", y * more)
        .eq(Derivative(curve, (x, 2)) * more / 2, differentiate)
        .eq(more, "why", using=[slope])
        .lt(far * more, "why")
    )


def slope():
    """∂(y X²)/∂X = 2 y X, of a number y."""
    return derive("slope", Derivative(y * X**2, X) - 2 * X * y).lt(far, "why")


def slope_of_a_square():
    chain = derive("slope", Derivative(z * t, x), given=[Eq(z, x**2)])
    return chain.lt(2 * x * t + far, "why")


def use(left, relation, right, *given, by_=(), **options):
    chain = derive("use", left, given=given)
    return getattr(chain, relation)(right, by(by_) if by_ else "why", **options)


def bare(**how):
    """i + c_i is used with what is known of i ≤ N, where c has 20 entries."""
    known = instance(instance(entries(), {v: lambda at_: at_ + x}), {x: 2})
    right = Sum((m + 2) ** 2, (m, 1, N)) + 3 + c[i]
    if how.get("given"):
        return use(i + 4 + c[i], "le", right, known)
    if how.get("using"):
        return use(i + 4 + c[i], "le", right, using=[known])
    return use(i + 4 + c[i], "le", right, by_=known)


def of_at(term, right, *given, **options):
    return lambda: use(term * x, "eq", right * x, *Z_IS, *given, **options).record


RUNS, EMPTY, MEANT = "write another letter", "which may be 0", "is meant for all x"
AT, VALUE = "replaces q where z stands", "make it by at(…)"
MOVED, ABSENT = "is displaced in", "nothing is replaced"
REFUSED = {
    "how far an index runs, in a statement": (IllFormed, RUNS, bare),
    "in a result that is given": (IllFormed, RUNS, lambda: bare(given=True)),
    "in one that a link uses": (IllFormed, RUNS, lambda: bare(using=True)),
    "in a hypothesis": (IllFormed, RUNS, lambda: use(
        x * N + c[i], "gt", Sum(j, (j, 1, N)) + c[i],
        by_=instance(above(), {v: lambda at_: at_}))),
    "in what a type says of a value": (IllFormed, RUNS, lambda: use(
        N * x + c[l], "gt", Sum(m, (m, 1, N)) + c[l],
        by_=instance(positive(), {W: lambda at_: x - at_}))),
    "a value without one, by the letter of its sum": (IllFormed, "the denominator e[l] is not 0",
        lambda: instance(entries(), {x: Sum(1 / e[l], (l, 1, N - 1))})),
    "in a value": (IllFormed, "runs to N there, and to d in a value",
        lambda: instance(entries(), {x: q[i]})),
    "in an inner term alone": (IllFormed, "Only inner terms", lambda: derive(
        "q", x, given=[Gt(x, i)]).eq(x * (exp(v[i]) + 1) - x * exp(v[i]), rearrange).gt(N, "w")),
    "in another link": (IllFormed, RUNS, lambda: derive("q", 2 * above().start).gt(
        0, by(above())).gt(-exp(c[i]), "why").record),
    "by a length with an index": (IllFormed, "depends on an index", lambda: use(
        Sum(array("e", i)[j] * (x + y), (j, 1, i)) + v[i], "eq",
        Sum(array("e", i)[j], (j, 1, i)) * (x + y) + v[i])),
    "a derivative for all x, at a number": (IllFormed, MEANT,
        lambda: instance(for_all_x(), {x: 0})),
    "at another letter": (IllFormed, MEANT, lambda: instance(for_all_x(), {x: s + 1})),
    "at values that depend on x": (IllFormed, MEANT, lambda: instance(for_all_x(), {y: x})),
    "in a sum": (IllFormed, MEANT, lambda: instance(for_all_x(), {z: x + s})),
    "beside it": (IllFormed, MEANT, lambda: instance(for_all_x(), {u: x})),
    "where x is defined": (IllFormed, "varies x", lambda: use(
        y * (u**2 + 1) + t, "lt", far * (u**2 + 1) + t, Eq(x, s), by_=for_all_x())),
    "a letter that is defined, under a derivative": (IllFormed, "of what a hypothesis defines",
        lambda: instance(slope_of_a_square(), {z: 5})),
    "the letter by which it is": (IllFormed, "of what a hypothesis defines",
        lambda: instance(slope_of_a_square(), {x: 5})),
    "a value that mentions it": (IllFormed, "of what a hypothesis defines",
        lambda: instance(slope_of_a_square(), {t: z})),
    "a number that is defined by X": (IllFormed, "in one of the two places only", lambda: use(
        Derivative(y * X**2, X) * (u**2 + 1), "le", (2 * X * y + far) * (u**2 + 1), Eq(y, s / X),
        by_=slope())),
    "the same of a result that is given": (IllFormed, "in one of the two places only",
        lambda: use(Derivative(y * X**2, X) * (u**2 + 1), "le", (2 * X * y + far) * (u**2 + 1),
                    Eq(y, s / X), slope())),
    "another definition of it": (IllFormed, "in one of the two places only", lambda: use(
        -2 * x * t, "lt", far, Eq(z, s), by_=slope_of_a_square())),
    "an index of inner terms and hypotheses": (IllFormed, EMPTY, lambda: derive(
        "q", x, given=[Gt(x, e[i]), Gt(e[i], y)]).gt(e[i], "w").gt(y, "w").gt(y - far, "w")),
    "of a link's own hypotheses": (IllFormed, EMPTY, lambda: derive("q", x).gt(
        e[i], "w", using=[Gt(x, e[i])]).gt(y, "w", using=[Gt(e[i], y)])),
    "of ends that a definition takes it out of": (IllFormed, EMPTY, lambda: derive(
        "q", e[i], given=[Eq(e[i], x), Gt(x, f[i]), Gt(f[i], y)]).gt(f[i], "w").gt(y, "w")),
    "a hypothesis that a definition takes it out of": (Undecided, "does not show", lambda: use(
        x, "gt", y - far, Eq(e[i], x), Gt(e[i], y))),
    "a result that a definition takes it out of": (Undecided, "does not show", lambda: use(
        x**2 * z**2, "le", z**2 * ((N - 1) * x**2 + far), Eq(e[i], x), by_=squares())),
    "a definition at an index": (Undecided, "does not show", lambda: use(
        x, "gt", y - far, Eq(x, e[i]), Gt(e[i], y))),
    "values that take it out of a statement": (IllFormed, "is left out of the statement",
        lambda: instance(squares(), {e: lambda at_: x})),
    "a value that brings it to hypotheses alone": (IllFormed, "is left out of the statement",
        lambda: instance(between(), {x: e[i]})),
    "a scalar at a vector": (IllFormed, AT, of_at(at(G, q, ud), cubes)),
    "along a vector": (IllFormed, MOVED, of_at(along(G, 1, q, ud), cubes)),
    "along one, of a plain scalar": (IllFormed, MOVED, of_at(
        along(norm2(q) / 2 - zero_sum[1], 1, q, ud), q @ ud)),
    "along one, as an integral": (IllFormed, MOVED, of_at(
        Integral((q[1] + 2 * t * ud[1]) * zero_sum[1], (t, 0, 1)), (q[1] + ud[1]) * q[1] ** 2)),
    "along one, by numbers": (IllFormed, MOVED, of_at(
        along(norm2(q) * zero_sum[1], 1, q, ud), 2 * (q @ ud) * zero_sum[1], by="numbers")),
    "along one, in a hypothesis": (IllFormed, MOVED, of_at(
        t, t + y, Eq(s, along(norm2(q) * zero_sum[1], 1, q, ud)), Eq(t, s))),
    "at a vector, a letter alone": (IllFormed, ABSENT, lambda: at(y, q, ud)),
    "along one, a letter alone": (IllFormed, ABSENT, lambda: along(y, 1, q, ud) * x + y),
    "a vector without what is replaced": (IllFormed, ABSENT, lambda: at(o, q, ud)),
    "a norm of what is at a vector": (IllFormed, AT, of_at(
        norm2(at(h, q, ud)), Sum((q[a] ** 2 * ud[a]) ** 2, (a, 1, d)))),
    "an entry of it": (IllFormed, AT, of_at(at(h, q, ud)[1], q[1] ** 2 * ud[1])),
    "a scalar product": (IllFormed, AT, of_at(
        at(h, q, ud) @ ud, Sum((q[a] * ud[a]) ** 2, (a, 1, d)))),
    "by hand": (IllFormed, VALUE, of_at(named(
        r"F(q + t \, u)", at(G, q, q + t * ud).meaning), cubes * t + Sum(q[a] ** 3, (a, 1, d)))),
    "at another vector": (IllFormed, VALUE, of_at(named("F(u)", at(G, q, ud).meaning), cubes)),
    **{f"at {words}, by hand": (IllFormed, VALUE, of_at(
        named(f"F({words})", at(G, q, t * ud).meaning), t * cubes))
       for words in (r"t (u)", r"\left(t\right) \, u", r"\mathrm{diag}(u) \, t", r"\frac{u}{(t)}")},
    "a vector by hand": (IllFormed, VALUE, of_at(
        tensor("F(u)", (d,), lambda at_: zero_sum[at_] * ud[at_]) @ ud,
        Sum(q[a] ** 2 * ud[a] ** 2, (a, 1, d)))),
    "two of one name": (IllFormed, "two different things", of_at(
        at(named("G", Sum(zero_sum[a] * o[a], (a, 1, d))), o, 2 * ud) + G,
        2 * cubes + Sum(q[a] ** 3, (a, 1, d)))),
    "it in a hypothesis": (IllFormed, AT, of_at(s, cubes, Eq(s, at(G, q, ud)))),
    "it in what is refuted": (IllFormed, AT, lambda: refute(
        "r", Eq(at(G, q, ud) * x, x, evaluate=False), given=Z_IS, corrected=distributed(),
        location="(1)")),
    "a basis that takes too long": (Undecided, "does not close it", lambda: use(
        Sum(S[a, l] * P[l, b], (l, 1, d)) * (y + 1), "eq", KroneckerDelta(a, b) * (y + 1),
        Eq(S[a, b], KroneckerDelta(a, b) * exp(x) + q[a] * q[b]))),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    kind, words, attempt = REFUSED[case]
    with pytest.raises(kind) as caught:
        attempt()
    assert words in str(caught.value) and "\n" not in str(caught.value)


PROVED = {
    "an index that runs as far": lambda: use(
        x * N + v[i], "gt", Sum(m, (m, 1, N)) + v[i], by_=instance(above(), {v: lambda at_: at_})),
    "a derivative for all x": lambda: use(
        s * (u**2 + 1), "lt", far * (u**2 + 1), by_=instance(for_all_x(), {y: s})),
    "the same definition": lambda: use(
        Derivative(z * t, x) * (y**2 + 1), "lt", (2 * x * t + far) * (y**2 + 1), Eq(z, x**2),
        by_=slope_of_a_square()),
    "an index that has a value": lambda: derive(
        "q", x, given=[Gt(x, v[i]), Gt(v[i], y)]).gt(v[i], "w").gt(y, "w"),
    "one by a hypothesis": lambda: derive(
        "q", x, given=[Gt(x, e[i]), Gt(e[i], y), Le(2, N)]).gt(e[i], "w").gt(y, "w"),
    "a definition at one": lambda: use(x, "gt", y - 1, Eq(x, v[i]), Gt(v[i], y)),
    "a value of what a hypothesis defines by it": lambda: use(
        x * named("F(q)", G.meaning), "eq", x * Sum(q[a] ** 3, (a, 1, d)), *Z_IS),
    "a value of that": lambda: use(
        x * named("F(z, u)", at(G, q, ud).meaning), "eq", x * cubes, *Z_IS),
    "what another array defines": lambda: use(
        x * at(G, q, ud), "eq", x * Sum(o[a] * ud[a], (a, 1, d)), Eq(zero_sum[a], o[a])),
    "labels of names": lambda: derive("q", (
        named(r"u_{\mathrm{in}}", x * t) + named(r"u_{\mathrm{is}}", s)) * (y + n**2)).eq(
            x * t * (y + n**2) + s * y + s * n**2, "w"),
    "a norm of what a hypothesis defines": lambda: derive(
        "q", x * norm2(q - ud), given=[Eq(q[a], ud[a] ** 2)]).eq(
            x * Sum((ud[a] ** 2 - ud[a]) ** 2, (a, 1, d)), "w"),
    "values that leave no index": lambda: instance(entries(), {v: lambda at_: s}),
}  # fmt: skip


@pytest.mark.parametrize("case", PROVED)
def test_proved(case):
    assert PROVED[case]().record.json()["statement"]


def test_an_instance_says_how_far_its_indices_run():
    known = instance(entries(), {v: lambda at_: at_ + x})
    assert known.ranges == instance(known, {x: 2}).ranges == ((i, N),)
    assert dict(instance(entries(), {x: q[b]}).ranges) == {i: N, b: d}
    rows = array("p", N, d, domain="simplex")
    whole = derive("rows", Sum(rows[j, a] * x, (a, 1, d)) + y).eq(x + y, "why")
    at_places = instance(whole, {rows: lambda row, column: row / d})
    assert {n for _, n in at_places.ranges} == {N}
