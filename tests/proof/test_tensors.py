"""Vectors lower to sums over entries: shapes, letters, words, and the entries themselves."""

import pytest
from sympy import (
    Abs,
    Derivative,
    Dummy,
    Eq,
    IndexedBase,
    Integral,
    KroneckerDelta,
    Rational,
    Subs,
    Sum,
    Symbol,
    exp,
    log,
    symbols,
)  # fmt: skip

from logpartition.proof import derive, rearrange
from logpartition.proof.errors import IllFormed
from logpartition.proof.kernel.context import ASSUMED, canonical, elaborate
from logpartition.proof.kernel.terms import free
from logpartition.proof.language import (
    Index,
    Named,
    array,
    function,
    indices,
    named,
    sizes,
    unfold,
)  # fmt: skip
from logpartition.proof.printer import tex
from logpartition.proof.tensors import (
    Tensor,
    along,
    at,
    common,
    covariance,
    diag,
    entries,
    equation,
    grad,
    hessian,
    identity,
    mean,
    norm2,
    outer,
    ranges,
    scalar,
    shape,
    tensor,
    total,
    trace,
    words,
)  # fmt: skip

N, d, m, T = sizes("N d m T")
i, j, l = indices("i j l")
a, b, c = indices("a b c")
k, v = array("k", N, d), array("v", N, m)
q, x, y, u = (array(name, d) for name in "qxyu")
A, B = array("A", d, d), array("B", d, d)
p, s = array("p", N, domain="simplex"), array("s", N)
beta, t = Symbol("beta", positive=True), Symbol("t", real=True)
n = Symbol("n", integer=True, positive=True)
Z = named("Z", total(exp(beta * (k[l] @ q)), l))
G = named("G", log(Z) / beta)
weights = tensor("p", (N,), lambda j: exp(beta * (k[j] @ q)) / Z)


def same(left, right):
    """Equal up to the names of bound variables."""
    return canonical(unfold(left)) == canonical(unfold(right))


SOFTMAX = r"\frac{\sum_{j} e^{\beta \, \langle k_{j}, q \rangle} \, k_{j}}{Z}"
# what is written, its words, its shape, and its entry at (i, …)
TABLE = [
    (lambda: q, "q", (d,), lambda b: q[b]),
    (lambda: k[j], "k_{j}", (d,), lambda b: k[j, b]),
    (lambda: k.T, r"k^{\top}", (d, N), lambda b, i: k[i, b]),
    (lambda: k.T.T, "k", (N, d), lambda i, b: k[i, b]),
    (lambda: k.T[b], r"\left(k^{\top}\right)_{b}", (N,), lambda i: k[i, b]),
    (lambda: q + x - 2 * y, r"q + x - 2 \, y", (d,), lambda b: q[b] + x[b] - 2 * y[b]),
    (lambda: q - (x - y), r"q - \left(x - y\right)", (d,), lambda b: q[b] - x[b] + y[b]),
    (lambda: -q / 2, r"- \frac{q}{2}", (d,), lambda b: -q[b] / 2),
    (lambda: Rational(-1, 2) * q, r"- \frac{q}{2}", (d,), lambda b: -q[b] / 2),
    (lambda: (t + 1) * q, r"\left(t + 1\right) \, q", (d,), lambda b: (t + 1) * q[b]),
    (lambda: x * y, r"x \odot y", (d,), lambda b: x[b] * y[b]),
    (lambda: x / y, r"x \oslash y", (d,), lambda b: x[b] / y[b]),
    (lambda: A @ (x * y), r"A \, \left(x \odot y\right)", (d,),
     lambda b: Sum(A[b, a] * x[a] * y[a], (a, 1, d))),
    (lambda: (A @ x) * y, r"\left(A \, x\right) \odot y", (d,),
     lambda b: Sum(A[b, a] * x[a], (a, 1, d)) * y[b]),
    (lambda: A @ (2 * (x / y)), r"A \, \left(2 \, x \oslash y\right)", (d,),
     lambda b: Sum(A[b, a] * (2 * x[a] / y[a]), (a, 1, d))),
    (lambda: k @ q, r"k \, q", (N,), lambda i: Sum(k[i, a] * q[a], (a, 1, d))),
    (lambda: p @ k, r"k^{\top} \, p", (d,), lambda b: Sum(p[j] * k[j, b], (j, 1, N))),
    (lambda: A @ B, r"A \, B", (d, d), lambda b, c: Sum(A[b, a] * B[a, c], (a, 1, d))),
    (lambda: A @ (x + y), r"A \, \left(x + y\right)", (d,),
     lambda b: Sum(A[b, a] * (x[a] + y[a]), (a, 1, d))),
    (lambda: outer(x, p), r"x \, p^{\top}", (d, N), lambda b, i: x[b] * p[i]),
    (lambda: identity(d), "I_{d}", (d, d), KroneckerDelta),
    (lambda: diag(p), r"\mathrm{diag}(p)", (N, N), lambda i, j: KroneckerDelta(i, j) * p[i]),
    (lambda: grad(G, q), r"\nabla_{q} G", (d,), lambda b: Derivative(G, q[b])),
    (lambda: grad(Z, k[j]), r"\nabla_{k_{j}} Z", (d,), lambda b: Derivative(Z, k[j, b])),
    (lambda: grad(t * G, q), r"\nabla_{q} \left(t \, G\right)", (d,),
     lambda b: Derivative(t * G, q[b])),
    (lambda: hessian(G, q), r"\nabla_{q}^{2} G", (d, d), lambda b, c: Derivative(G, q[b], q[c])),
    (lambda: grad(k @ q, q), r"\mathrm{D}_{q} \left(k \, q\right)", (N, d),
     lambda i, b: Derivative(Sum(k[i, a] * q[a], (a, 1, d)), q[b])),
    (lambda: total(k[j], j), r"\sum_{j} k_{j}", (d,), lambda b: Sum(k[j, b], (j, 1, N))),
    (lambda: total(p[j] * k[j], (j, 1, T)), r"\sum_{j=1}^{T} p_{j} \, k_{j}", (d,),
     lambda b: Sum(p[j] * k[j, b], (j, 1, T))),
    (lambda: total(exp(beta * (k[j] @ q)) * k[j], j) / Z, SOFTMAX, (d,),
     lambda b: Sum(exp(beta * Sum(k[j, a] * q[a], (a, 1, d))) * k[j, b], (j, 1, N)) / Z),
    (lambda: mean(k[j], p), r"\mathbb{E}_{j \sim p}[k_{j}]", (d,),
     lambda b: Sum(p[j] * k[j, b], (j, 1, N))),
    (lambda: mean(k[j], p[j]), r"\mathbb{E}_{j \sim p}[k_{j}]", (d,),
     lambda b: Sum(p[j] * k[j, b], (j, 1, N))),
    (lambda: covariance(v[j], k[j], p), r"\mathrm{Cov}_{j \sim p}(v_{j}, k_{j})", (m, d),
     lambda o, b: Sum(p[j] * v[j, o] * k[j, b], (j, 1, N))
     - Sum(p[j] * v[j, o], (j, 1, N)) * Sum(p[j] * k[j, b], (j, 1, N))),
    (lambda: weights, "p", (N,), lambda i: exp(beta * (k[i] @ q)) / Z),
    (lambda: at(A @ q, q, q + t * u), r"\left. A \, q \right|_{q=q + t \, u}", (d,),
     lambda b: Sum(A[b, a] * (q[a] + t * u[a]), (a, 1, d))),
]  # fmt: skip


@pytest.mark.parametrize("written, shown, axes, rule", TABLE, ids=[row[1] for row in TABLE])
def test_words_shape_and_entries(written, shown, axes, rule):
    made = written()
    assert (words(made), shape(made)) == (shown, axes)
    places = common(made)
    assert same(scalar(made, places), rule(*places))


SCALARS = [
    (lambda: k[j] @ q, r"\langle k_{j}, q \rangle", lambda: Sum(k[j, a] * q[a], (a, 1, d))),
    (lambda: x @ (A @ y), r"\langle x, A \, y \rangle",
     lambda: Sum(x[a] * Sum(A[a, b] * y[b], (b, 1, d)), (a, 1, d))),
    (lambda: x @ A @ y, r"\langle A^{\top} \, x, y \rangle",
     lambda: Sum(Sum(x[b] * A[b, a], (b, 1, d)) * y[a], (a, 1, d))),
    (lambda: u @ hessian(G, q) @ u, r"\langle \left(\nabla_{q}^{2} G\right) \, u, u \rangle",
     lambda: Sum(u[b] * Sum(u[a] * Derivative(G, q[a], q[b]), (a, 1, d)), (b, 1, d))),
    (lambda: trace(A @ B), r"\mathrm{tr}(A \, B)",
     lambda: Sum(Sum(A[b, a] * B[a, b], (a, 1, d)), (b, 1, d))),
    (lambda: norm2(x - y), r"\lVert x - y \rVert^{2}", lambda: Sum((x[a] - y[a]) ** 2, (a, 1, d))),
    (lambda: mean(s[j] ** 2, p), r"\mathbb{E}_{j \sim p}[s_{j}^{2}]",
     lambda: Sum(p[j] * s[j] ** 2, (j, 1, N))),
    (lambda: covariance(s[j], s[j], p), r"\mathrm{Cov}_{j \sim p}(s_{j}, s_{j})",
     lambda: Sum(p[j] * s[j] ** 2, (j, 1, N)) - Sum(p[j] * s[j], (j, 1, N)) ** 2),
    (lambda: total(A[a, b] * x[a], a, b), r"\sum_{a=1}^{d} \sum_{b=1}^{d} A_{ab} \, x_{a}",
     lambda: Sum(A[a, b] * x[a], (b, 1, d), (a, 1, d))),
    (lambda: grad(G, q)[b], r"\frac{\partial G}{\partial q_{b}}", lambda: Derivative(G, q[b])),
    (lambda: along(norm2(q), n, q, u),
     r"\left. \frac{\partial^{n}}{\partial t^{n}} \sum_{a=1}^{d} \left(t \, u_{a} + q_{a}"
     r"\right)^{2} \right|_{t=0}",
     lambda: Subs(Derivative(Sum((q[a] + t * u[a]) ** 2, (a, 1, d)), (t, n)), t, 0)),
    (lambda: along(G, 3, q, u),
     r"\left. \frac{\partial^{3} G(q + t \, u)}{\partial t^{3}} \right|_{t=0}",
     lambda: Subs(Derivative(log(Sum(exp(beta * Sum(k[l, a] * (q[a] + t * u[a]), (a, 1, d))),
                                     (l, 1, N))) / beta, (t, 3)), t, 0)),
]  # fmt: skip


@pytest.mark.parametrize("written, shown, meaning", SCALARS, ids=[row[1] for row in SCALARS])
def test_scalars(written, shown, meaning):
    assert words(written()) == shown
    assert common(written()) == ()
    assert same(written(), meaning())


def test_one_entry_is_replaced():
    assert same(at(t * q[1], q, x), t * x[1])
    assert same(along(q[1] ** 2, 1, q, u), Subs(Derivative((q[1] + t * u[1]) ** 2, t), t, 0))


ruled = tensor("h", (d,), lambda a: t * q[a])
REFUSED = [
    (lambda: q @ p, ["q", "(d)", "p", "(N)"]),
    (lambda: q + p, ["(d)", "(N)", "same shape"]),
    (lambda: p - q, ["(d)", "(N)"]),
    (lambda: q * p, ["(d)", "(N)"]),
    (lambda: A + q, ["(d, d)", "(d)"]),
    (lambda: q + 1, ["(d)", "scalar"]),
    (lambda: 1 / q, ["divisor", "(d)"]),
    (lambda: q**2, ["norm2"]),
    (lambda: k @ k, ["(N, d)"]),
    (lambda: trace(k), ["(N, d)", "square"]),
    (lambda: q.T, ["(d)", "matrix"]),
    (lambda: norm2(k), ["(N, d)", "vector"]),
    (lambda: diag(k), ["vector"]),
    (lambda: grad(G, q + x), ["array"]),
    (lambda: total(s[j], l), ["l", "no array"]),
    (lambda: total(s[j], (1, 2)), ["(1, 2)", "no index"]),
    (lambda: total(IndexedBase("B")[j], j), ["B", "no array"]),
    (lambda: q * Integral(t, t), ["no ends"]),
    (lambda: along(norm2(q), -1, q, u), ["n: got -1"]),
    (lambda: total(s[j] * q[j], j), ["to N", "to d"]),
    (lambda: total(identity(d)[a, b], a), ["a", "write the range"]),
    (lambda: mean(k[j] @ k[i], p), ["i or j", "over="]),
    (lambda: mean(q, p), ["index"]),
    (lambda: mean(x[a], p), ["index"]),
    (lambda: entries(q, p), ["(d)", "(N)", "equation"]),
    (lambda: entries(grad(G, q), G), ["(d)", "scalar"]),
    (lambda: scalar(x[a] * q, (a,)), ["depends on a"]),
    (lambda: scalar(A, (a,)), ["(d, d)"]),
    (lambda: at(Derivative(G, q[b]), q, x), ["derivative"]),
    (lambda: at(G, q, p), ["(d)", "(N)"]),
    (lambda: Tensor.of([1]), ["neither"]),
    (lambda: A[a, b, c], ["3"]),
    (lambda: grad(G, q)[a, b], ["2", "1"]),
    (lambda: identity(N)[N + 1, N + 1], ["no entry N + 1", "N long"]),
    (lambda: (2 * q)[d + 1], ["no entry d + 1"]),
    (lambda: (q + x)[0], ["no entry 0"]),
    (lambda: Derivative(G, q), ["write grad(…, q)"]),
    (lambda: G.diff(q), ["write grad(…, q)"]),
    # what the entries lose and the words keep
    (lambda: (q / norm2(q)) * norm2(q), ["1/(Σ", "write the term without it"]),
    (lambda: (q * q) / q, ["1/q"]),
    (lambda: (q / x) * x, ["1/x"]),
    (lambda: (t * q) / t, ["1/t", "tensor(…)"]),
    (lambda: x + log(t) * q - log(t) * q, ["log(t)"]),
    (lambda: q / t - q / t, ["1/t"]),
    (lambda: 0 * (q / t), ["1/t"]),
    (lambda: q - q, ["left of q"]),
    (lambda: (q + n * q) - n * q, ["left of n"]),
    (lambda: (q / t) @ (t * x), ["1/t"]),
    (lambda: (q / x) @ (x * x), ["1/x"]),
    (lambda: outer(q / t, t * x), ["1/t"]),
    (lambda: trace(outer(q / x, x)), ["1/x"]),
    (lambda: total(s[j] * q / s[j], j), ["1/s"]),
    (lambda: mean(v[j], s), ["simplex"]),
    (lambda: mean(v[j], array(r"\mu", N)), ["simplex"]),
    (lambda: mean(v[j], s[j] / total(s[j], j), j), ["simplex"]),
    (lambda: covariance(q / t, t * q, p[j], j), ["1/t"]),
    (lambda: at(q / x, q, t * x), ["1/x"]),
    (lambda: (q * named("B", t)) / named("B", t), ["1/B"]),
    (lambda: q + named("B", t) * x - named("B", t) * x, ["left of B"]),
    (lambda: (q - ruled) + ruled, ["left of h"]),
    (lambda: total(k[j], (j,)), ["got the range (j,)"]),
    # what is whole, in a scalar
    (lambda: exp(k[j]), ["k_j", "stands in a scalar"]),
    (lambda: Abs(q * x[1]), ["stands in a scalar"]),
    (lambda: named("B", total(k[j], j) / N), ["stands in a scalar"]),
    (lambda: Derivative(t, k[1]), ["k_1", "stands in a scalar"]),
    (lambda: 2 ** k[1], ["k_1", "stands in a scalar"]),
    (lambda: k[j] > 0, ["k_j", "compared as a whole"]),
]


@pytest.mark.parametrize("written, said", REFUSED, ids=range(len(REFUSED)))
def test_refusals_say_what_is_needed(written, said):
    with pytest.raises(IllFormed) as refusal:
        written()
    for word in said:
        assert word in str(refusal.value)


def test_what_stands_under_a_name_is_not_gone():
    made = t * tensor("h", (d,), lambda a: q[a] / t)
    assert made[a] == t * named("h_{a}", q[a] / t)
    assert repr(beta * (q / beta**2)) == "β (q)/(β²)" and (x / beta + q)[a] == x[a] / beta + q[a]


def test_over_says_which_index():
    made = mean(k[j] @ k[i], p, over=i)
    assert same(made, Sum(p[i] * Sum(k[j, a] * k[i, a], (a, 1, d)), (i, 1, N)))


# --- letters --------------------------------------------------------------------------------------


def test_a_place_never_meets_a_bound_letter():
    mine = total(k[j], j)
    square = total(array("S", N, N)[j], j)  # Σ_j S_j, whose place may be j again
    assert same(mine[j], Sum(k[l, j], (l, 1, N)))
    assert square[j].free_symbols >= {j} and same(square[j], Sum(array("S", N, N)[l, j], (l, 1, N)))
    assert same((A @ B)[a, b], Sum(A[a, c] * B[c, b], (c, 1, d)))
    assert same((A @ A @ A)[a, a], Sum(Sum(A[a, b] * A[b, c], (b, 1, d)) * A[c, a], (c, 1, d)))


def test_the_rule_of_a_tensor_may_bind():
    S = array("S", N, N)
    rows = tensor("r", (N,), lambda i: Sum(S[i, l], (l, 1, N)))
    assert same(rows[l], Sum(S[l, j], (j, 1, N)))
    assert words(rows) == "r" and tex(rows[i]) == "r_{i}"


def test_means_at_their_own_index():
    S = array("S", N, N)
    assert same(mean(S[j], p)[j], Sum(p[l] * S[l, j], (l, 1, N)))
    at_j = Sum(p[l] * S[l, j] * s[l], (l, 1, N))
    at_j -= Sum(p[l] * S[l, j], (l, 1, N)) * Sum(p[l] * s[l], (l, 1, N))
    assert same(covariance(S[j], s[j], p)[j], at_j)


def test_letters_of_an_equation_are_free_in_neither_side():
    left, right, places = entries(A @ q, b * x)
    assert len(places) == 1 and places[0] not in (a, b)
    assert places[0] in free(left) and places[0] in free(right)
    assert all(isinstance(i, Index) for i in places)


def test_letters_do_not_run_out():
    product = A
    for _ in range(8):
        product = product @ B
    left, right, places = entries(product, product)
    assert left == right and len(set(places)) == 2
    context, (core,) = elaborate([left])
    assert {str(s) for s in context.sizes} == {"d"} and tex(core).count(r"\sum") == 8


def test_moving_captures_nothing():
    moved = at(total(k[j] @ q, j), q, k[j])  # Σ_j ⟨k_j, q⟩ at q = k_j, with another j
    assert same(moved, Sum(Sum(k[l, a] * k[j, a], (a, 1, d)), (l, 1, N)))
    assert j in free(unfold(moved))


# --- statements -----------------------------------------------------------------------------------


def test_a_chain_of_vectors():
    terms = [
        grad(G, q),
        grad(Z, q) / (beta * Z),
        total(exp(beta * (k[j] @ q)) * k[j], j) / Z,
        mean(k[j], weights),
    ]
    places = common(*terms)
    for term in terms:
        context, _ = elaborate([scalar(term, places)])
        assert dict(context.ranges) == {places[0]: d}
        assert context.arrays == (k, q)


def test_zero_is_the_zero_of_every_shape():
    left, right, places = entries(A - A.T, 0)
    assert ranges(A, places) == tuple((i, d) for i in places)
    assert right == 0 and len(places) == 2
    assert entries(G, G)[2] == ()


def test_hypotheses():
    given = equation(s, k @ q)
    assert isinstance(given, Eq)
    context, _ = elaborate([total(p[j] * s[j], j)], [(given, ASSUMED)])
    assert [(d.target, len(d.places)) for d in context.definitions] == [(s, 1)]


def test_the_page_keeps_the_short_form():
    assert isinstance(k[j] @ q, Named) and isinstance(trace(A), Named)
    assert tex(scalar(mean(k[j], weights), (b,))) == r"\mathbb{E}_{j \sim p}[k_{jb}]"
    made = beta * covariance(k[j], k[j], weights)
    assert tex(made) == r"\beta \, \mathrm{Cov}_{j \sim p}(k_{j}, k_{j})"


def test_messages_are_plain_text():
    made = total(exp(beta * (k[j] @ q)) * k[j], j) / Z
    assert repr(made) == "(Σ_j e^(β ⟨k_j, q⟩) k_j)/(Z)"
    assert repr(hessian(G, q)) == "∇_q² G" and repr(k.T @ p) == "kᵀ p"
    assert repr(Tensor.of(mean(k[j], p))) == "E_(j ~ p)[k_j]"


def test_dummies_and_numbers_as_places():
    place = Dummy(integer=True, positive=True)
    assert k[j][place] == k[j, place] and k[1][2] == k[1, 2]
    x0, x1 = symbols("x0 x1")
    assert q[a].subs(a, 1) == q[1] and x0 * x1 == x1 * x0


def test_a_letter_that_varies_is_in_what_depends_on_it():
    number, numbers, f = Symbol("y_q", real=True), array("y_q", d), function("f_q")
    for made in (lambda: number * (q @ q), lambda: numbers @ q, lambda: f(t) * (q @ q)):
        with pytest.raises(IllFormed, match=r"_\{q\}.* shows the letter q"):
            tex(grad(made(), q)[a])
        with pytest.raises(IllFormed, match=r"_\{q\}.* shows the letter q"):
            at(made() * t, q, u)
    assert words(at(number * (x @ x) * t, x, u)) and tex(grad(number * (x @ x), x)[a])
    (found,) = Tensor.of(x * function("f_a")(t) @ x).entry().atoms(Sum)
    assert found.variables[0].name == "b"


def test_a_bar_stands_apart_from_what_is_before_it():
    assert words(q * (at(diag(q), q, u) @ x)).count(r"\left(\left. \mathrm{diag}(q) \right|") == 1
    G = named("G", q @ q)
    assert words(t * along(G, 1, q, u)).startswith(r"t \, \left(\left. ")


def test_a_row_is_one_thing():
    """Beside another vector, or a number, of its look."""
    z, v = Symbol("z", real=True), array("v", N)
    row = tensor("x", (N, d), lambda i, a: v[i] * q[a] * z)[1]
    other = tensor("x_{1}", (d,), lambda a: q[a])
    for start in (row @ other, (row @ q) * Symbol("x_1", real=True), row @ q * named("x_{1}", z)):
        with pytest.raises(IllFormed, match="two different things|looks like"):
            derive("q", start * (z + 1)).eq(start * z + start, rearrange).record


def test_a_shape_is_a_list_of_lengths():
    with pytest.raises(TypeError, match=r"shape: got N, needs its lengths, such as \(N,\)"):
        tensor("m", N, lambda j: q[j])
