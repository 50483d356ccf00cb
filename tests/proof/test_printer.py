"""What is printed parses back to what was decided, contexts are printed whole, and it looks right.

The parser is for the printer's own LaTeX. It reads a text without knowing what it was printed from,
so two expressions that print the same are the same.
"""

import re
from itertools import product

import pytest
import sympy
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Add,
    Derivative,
    E,
    Eq,
    Ge,
    I,
    Integral,
    KroneckerDelta,
    Limit,
    Lt,
    Mul,
    Ne,
    Pow,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    binomial,
    cos,
    exp,
    factorial,
    gamma,
    log,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
    tanh,
)  # fmt: skip
from whole import CASES

from logpartition.proof.errors import IllFormed
from logpartition.proof.kernel.context import ASSUMED, KINDS, canonical, elaborate
from logpartition.proof.language import (
    DOMAINS,
    Array,
    Named,
    Total,
    array,
    function,
    indices,
    inverse,
    named,
    sizes,
)  # fmt: skip
from logpartition.proof.printer import assumptions, demand_apart, relation, tex, text
from logpartition.proof.tensors import common, norm2

N, d, T = sizes("N d T")
i, j, l = indices("i j l")
a, b, c = indices("a b c")
x, y, t = symbols("x y t", real=True)
beta = Symbol("beta", positive=True)
z = Symbol("z")
n = Symbol("n", integer=True, positive=True)
s, q, k, A = array("s", N), array("q", d), array("k", N, d), array("A", d, d)
h, g, w = array("h", N, domain=(0, 1)), array("g", N, d, domain=T), array("w", d, domain="normal")
f = function("f")
Z = named("Z", Sum(exp(beta * s[j]), (j, 1, N)))
G = named("G", log(Z) / beta)

# --- how things look ------------------------------------------------------------------------------

LOOKS = [
    (Add(t, t, evaluate=False), "t + t", "t + t"),
    (Add(-x, -x, evaluate=False), "- x - x", "- x - x"),
    (k[j, b], "k_{jb}", "k[j, b]"),
    (s[1], "s_{1}", "s[1]"),
    (k[j + 1, b], "k_{j + 1,b}", "k[j + 1, b]"),
    (x / y, r"\frac{x}{y}", "x/y"),
    (x * (y + 1), r"x \, \left(y + 1\right)", "x*(y + 1)"),
    (-x, "- x", "- x"),
    (Rational(-1, 2), r"- \frac{1}{2}", "- 1/2"),
    (-x / 3 + y, r"y - \frac{x}{3}", "y - x/3"),
    (2 * 3**n, r"2 \cdot 3^{n}", "2*3^n"),
    (sqrt(x * y), r"\sqrt{x \, y}", "sqrt(x*y)"),
    (x / (y / (t + 1) + 1), r"\frac{x}{\frac{y}{t + 1} + 1}", "x/(y/(t + 1) + 1)"),
    (exp(-(x**2)), "e^{- x^{2}}", "exp(- x^2)"),
    (I * x + E, r"\mathrm{i} \, x + e", "I*x + e"),
    (log(Z), r"\log Z", "log(Z)"),
    (log(x) ** 2 * y, r"y \, \left(\log x\right)^{2}", "y*log(x)^2"),
    (log(x) / 2, r"\frac{\log x}{2}", "log(x)/2"),
    (sin(x) ** 2, r"\left(\sin\left(x\right)\right)^{2}", "sin(x)^2"),
    (KroneckerDelta(i, j), r"\delta_{ij}", "δ[i, j]"),
    (f(x), r"f\left(x\right)", "f(x)"),
    (f(x, order=1), r"f'\left(x\right)", "f'(x)"),
    (f(x, order=n) ** 2, r"\left(f^{(n)}\left(x\right)\right)^{2}", "f^(n)(x)^2"),
    (Derivative(G, q[b]), r"\frac{\partial G}{\partial q_{b}}", "∂G/∂q[b]"),
    (Derivative(x * log(x), x), r"\frac{\mathrm{d}}{\mathrm{d} x} \left(x \, \log x\right)",
     "d/dx (x*log(x))"),
    (inverse(array("S", d, d, domain="definite"), "S^{-1}")[a, b] ** 2,
     r"\left(S^{-1}_{ab}\right)^{2}", "S^{-1}[a, b]^2"),
    (array("q'", d)[a] ** 2, r"\left(q'_{a}\right)^{2}", "q'[a]^2"),
    (Symbol("x'_1") ** 2, r"\left(x'_{1}\right)^{2}", "(x'_1)^2"),
    (named("q'_a", x + y) ** 2, r"\left(q'_a\right)^{2}", "(q'_a)^2"),
    (Symbol("x'") ** 2, "x'^{2}", "x'^2"),
    (Derivative(exp(t), t), r"\frac{\mathrm{d}}{\mathrm{d} t} e^{t}", "d/dt exp(t)"),
    (Sum(s[j], (j, 1, N)), r"\sum_{j=1}^{N} s_{j}", "Σ_{j=1..N} s[j]"),
    (Sum(s[j], (j, 1, N)) / x, r"\frac{\sum_{j=1}^{N} s_{j}}{x}", "(Σ_{j=1..N} s[j])/x"),
    (Sum(s[j], (j, 1, N)) ** 2, r"\left(\sum_{j=1}^{N} s_{j}\right)^{2}", "(Σ_{j=1..N} s[j])^2"),
    (x * Sum(s[j] + 1, (j, 1, N)), r"x \, \sum_{j=1}^{N} \left(s_{j} + 1\right)",
     "x*Σ_{j=1..N} (s[j] + 1)"),
    (Sum(A[a, b], (a, 1, b), (b, 1, d)), r"\sum_{b=1}^{d} \sum_{a=1}^{b} A_{ab}",
     "Σ_{b=1..d} Σ_{a=1..b} A[a, b]"),
    (Subs(Derivative(f(t), t), t, 0) ** 2,
     r"\left(\left. \frac{\mathrm{d}}{\mathrm{d} t} f\left(t\right) \right|_{t=0}\right)^{2}",
     "((d/dt f(t))|_{t=0})^2"),
    (Integral(x * t, (t, 0, 1)), r"\int_{0}^{1} t \, x \, \mathrm{d} t", "∫_{0..1} t*x dt"),
    (Limit(1 / x, x, 0), r"\lim_{x \to 0^{+}} \frac{1}{x}", "lim_{x→0+} 1/x"),
    (Limit(1 / x, x, oo), r"\lim_{x \to \infty} \frac{1}{x}", "lim_{x→∞} 1/x"),
    (Total(h[j], h), r"\sum_{h \in \{0, 1\}^{N}} h_{j}", "Σ_{h in {0, 1}^N} h[j]"),
    (Total(q[g[1, 1]], g), r"\sum_{g \in \{1, \ldots, T\}^{N \times d}} q_{g_{1,1}}",
     "Σ_{g in {1..T}^(N×d)} q[g[1, 1]]"),
    (Total(w[a] ** 2, w), r"\mathbb{E}_{w \sim \mathcal{N}(0, 1)^{d}}\left[w_{a}^{2}\right]",
     "E_{w ~ N(0, 1)^d}[w[a]^2]"),
    (Product(s[j], (j, 1, N)), r"\prod_{j=1}^{N} s_{j}", "Π_{j=1..N} s[j]"),
    (Eq(x, y), "x = y", "x = y"),
    (Ge(x, y), r"x \ge y", "x ≥ y"),
    (named(r"\langle q, k_{j} \rangle", x) ** 2, r"\langle q, k_{j} \rangle^{2}", "⟨q, k_j⟩^2"),
    (named(r"\lVert x \rVert^{2}", x) ** 2, r"\left(\lVert x \rVert^{2}\right)^{2}", "(‖x‖²)^2"),
]  # fmt: skip


@pytest.mark.parametrize("e, latex, plain", LOOKS, ids=[look[1] for look in LOOKS])
def test_looks(e, latex, plain):
    assert tex(e) == latex
    assert text(e) == plain


@pytest.mark.parametrize("e", [
    Subs(Derivative(exp(t), t), t, 0), Derivative(exp(t), t), Sum(s[j], (j, 1, N)), log(x), exp(x),
    Integral(x, (x, 0, y)), Limit(f(x), x, 0), Total(h[j], h), Product(s[j], (j, 1, N)), x / y,
    x * y, x + y, -x, f(x, order=1), factorial(n), binomial(n, 2), sqrt(x),
], ids=str)  # fmt: skip
def test_a_power_never_reads_as_something_else(e):
    assert tex(Pow(e, 3, evaluate=False)) == rf"\left({tex(e)}\right)^{{3}}"


def test_bound_letters_clash_with_nothing():
    inner = canonical(Sum(s[j] * Sum(s[l], (l, 1, N)), (j, 1, N)))
    assert tex(inner) == r"\sum_{j=1}^{N} s_{j} \, \sum_{l=1}^{N} s_{l}"
    clash = canonical(Sum(s[i] * k[j, 1], (i, 1, N)))
    assert tex(clash) == r"\sum_{l=1}^{N} k_{j1} \, s_{l}"
    assert tex(canonical(Sum(s[j], (j, 1, N))), avoid=("j",)) == r"\sum_{l=1}^{N} s_{l}"
    other = sympy.Dummy("j", integer=True, positive=True)
    assert tex(Sum(s[j] * s[other], (other, 1, N))) == r"\sum_{l=1}^{N} s_{l} \, s_{j}"


def test_a_letter_is_free_at_the_ends_of_its_own_range():
    for e, shown in (
        (Sum(n * x, (n, 1, n)), r"\sum_{m=1}^{n} m \, x"),
        (Integral(t * x, (t, 0, t)), r"\int_{0}^{t} s \, x \, \mathrm{d} s"),
        (
            Subs(Derivative(t**2, t), t, t),
            r"\left. \frac{\mathrm{d}}{\mathrm{d} s} s^{2} \right|_{s=t}",
        ),
    ):
        assert tex(e) == shown


def test_names_that_look_alike_are_refused():
    for e in (
        k[j, a] + array("k_j", d)[a],
        Symbol("x1") + Symbol("x_1"),
        Symbol("pi") + x,
        Symbol("s_j") * s[j],
    ):
        with pytest.raises(IllFormed):
            tex(e)


@pytest.mark.parametrize("name", ["0", "2x", "x+y", "x^2", "x^{-1}", "β", "exp", "xy"])
def test_names_that_do_not_look_like_one_variable_are_refused(name):
    with pytest.raises(IllFormed, match="does not look like one variable"):
        tex(Symbol(name, real=True) + y)
    with pytest.raises(IllFormed):
        tex(function("exp")(x, 1))


@pytest.mark.parametrize(
    "name",
    [
        "0",
        "2 N",
        r"0 \le x",
        "u^3 + 7",
        "1 = 2",
        r"\beta G",
        "a b",
        r"\frac{a}{b}",
        r"\mathrm{one = two}",
        r"\text{so } x",
        r"\underbrace{x}_{y}",
        r"A^{\top}",
        "(2)",
        "[2]",
        "(-1)",
        "(0=1)",
        r"\langle 2 \rangle",
        "x_{= 1}",
        r"x_{\text{so } 1}",
        r"x_{\\ 0}",
        "x_{$ 0 $}",
        "x_{&}",
        r"x_{\phantom{a}}",
        r"x_\displaystyle",
    ],
)
def test_names_that_state_something_are_refused(name):
    with pytest.raises(IllFormed, match="more than one thing"):
        tex(named(name, x + 1) ** 2)


@pytest.mark.parametrize(
    "name",
    ["x^{2}", "A^{-1}", "e^{x}", "u_{1}^{n}", "m^j", "m_{j}^{2}", "m[j]^{2}", "Z(x)^{2}",
     "f^{(4)}(y)", "{x^{2}}_{j}", r"\lVert x\rVert^{3}", r"\langle x, y\rangle^{2}"],
)  # fmt: skip
def test_names_with_a_power_are_refused(name):
    with pytest.raises(IllFormed, match=r"looks like a power.* outside of the name"):
        named(name, x + 1)


@pytest.mark.parametrize("name", [r"\lvert x\rvert", r"m\langle j\rangle", r"m_{j}\lVert x\rVert"])
def test_names_with_brackets_of_other_kinds_are_refused(name):
    with pytest.raises(IllFormed, match="round or square brackets"):
        named(name, x + 1)


@pytest.mark.parametrize("name", [
    r"\operatorname{Li}_n", r"\mathrm{sin}", r"\mathrm{tr}(D)", r"\mathbb{E}", r"x_{\max}",
    "x'^{*}", r"x_{1,\ldots,n}", r"x_{\mathrm{a}\mathrm{b}}", r"\omicron",
    r"x(\frac)", r"x(\sqrt)", "x_{a_b_c}", r"x_\max",
])  # fmt: skip
def test_names_with_a_meaning_of_their_own_are_refused(name):
    with pytest.raises(IllFormed, match="reads as more than a name"):
        named(name, x + 1)


@pytest.mark.parametrize("name", ["j__n", r"\operatorname{sin}", r"\mathrm{log}", r"\mathbb{E}"])
def test_symbols_are_one_letter(name):
    with pytest.raises(IllFormed, match="does not look like one variable"):
        tex(Symbol(name, real=True) * y)


def test_a_bar_is_over_all_before_it():
    at_0 = Subs(x * t + 1, x, 0)
    assert tex(at_0) == r"\left. t \, x + 1 \right|_{x=0}"
    assert tex(y * at_0) == r"y \, \left(\left. t \, x + 1 \right|_{x=0}\right)"


NAMED = ["x^{*}", r"x_{j}^{\prime}", r"\lVert W\rVert_{F}^{2}", r"\lVert x\rVert^{2}", "p(x)_{j}",
         "G(2(u+v))", r"K_{j}(\langle w, v\rangle)", "{k_{j}}_{a}", "m_{j'}", "B^{*}"]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_names_of_other_forms(name):
    assert named(name, x + 1).name == name


def test_a_name_that_is_a_number_is_refused():
    for name in (r"\pi", r"\operatorname{e}", r"\mathrm{i}"):
        with pytest.raises(IllFormed, match="looks like a number"):
            tex(named(name, x + 1) ** 2)
    for name in ("pi", "e__x", "pi__x", r"\mathrm{e}"):
        with pytest.raises(IllFormed, match="looks like a number"):
            tex(Symbol(name, real=True) + y)
    assert tex(Symbol("e__*") + y) == "e^{*} + y"


LOST = ["xcal", "xscr", "Gammacal", r"\mathbf{\theta}", r"\mathfrak{\pi}", r"\mathnormal{x}",
        r"\mathrm{\Gamma}", r"x_{\mathcal{n}}", r"x_{\mathrm{1}}", r"\mathbb{1}"]  # fmt: skip


@pytest.mark.parametrize("name", LOST)
def test_a_font_has_the_letters_that_are_in_it(name):
    with pytest.raises(IllFormed, match="no letters .* in the font|one variable"):
        tex(Symbol(name, real=True) + y)
    with pytest.raises(IllFormed, match="no letters .* in the font|one thing"):
        named(name, x + 1)


def test_fonts_that_the_page_has():
    for name in (r"\mathcal{L}(x)", r"\mathbf{e}", r"\mathbf{\Gamma}",
                 r"D_{\mathrm{KL}}", r"\operatorname{softmax}(x)", r"\mathfrak{g}"):  # fmt: skip
        assert tex(named(name, x + 1)) == name
    assert tex(Symbol("Lcal")) == r"\mathcal{L}"


def test_a_name_is_an_atom_if_it_reads_as_one():
    for name in (r"\bar r", r"\hat x_j", r"\langle q, k_j\rangle", "G(u + v)", r"D_{\mathrm{KL}}"):
        assert tex(named(name, x + 1) ** 2) == f"{name}^{{2}}"
    for name in (r"\lVert x\rVert^2", "u^{*}"):
        assert tex(named(name, x + 1) ** 2) == rf"\left({name}\right)^{{2}}"


def test_a_hypothesis_has_letters_that_are_no_names():
    given = [(Ge(Sum(s[i], (i, 1, N)), x), ASSUMED)]
    context, _ = elaborate([named("j", x * y) + Sum(s[i], (i, 1, N))], given)
    assert r"$x \le \sum_{l=1}^{N} s_{l}$" in assumptions(context)


def test_names_like_kronecker_s_are_refused():
    for e in (named(r"\delta_{ji}", x * y), Symbol("delta_ji")):
        with pytest.raises(IllFormed, match="looks like an entry of delta"):
            demand_apart([e * (x + 1), KroneckerDelta(i, j) * s[i]])


def test_an_inverse_named_so_stands_under_a_sum():
    S = array("S", d, d, domain="definite")
    e = Sum(inverse(S, "S^{-1}")[a, b] * q[b], (b, 1, d))
    assert tex(e) == r"\sum_{b=1}^{d} S^{-1}_{ab} \, q_{b}"


def test_the_letter_e():
    assert tex(Symbol("e") * exp(x)) == r"e \, \mathrm{e}^{x}"


def test_equal_terms_of_a_sum_all_stand_there():
    assert tex(Add(x, x, evaluate=False)) == "x + x"
    assert tex(Add(-x, -x, y, evaluate=False)) == "y - x - x"


j_1, v_1 = indices("j_1"), array("v_1", N, domain="normal")
bits = array("v", sizes("M_v"), domain=(0, 1))


@pytest.mark.parametrize("e, words", [
    (Sum(named("u_n", 2 * n), (n, 1, n)), "for which the page writes m"),
    (Integral(named("u_t", t**2), (t, 0, t)), "for which the page writes s"),
    (Subs(named("u(t)", t**2) * y, t, t + 1), "for which the page writes s"),
    (Sum(Symbol("y_j") * s[j], (j, 1, N)), "shows the letter j"),
    (Sum(array("y_j", d)[a] * s[j], (j, 1, N)), "shows the letter j"),
    (Sum(function("f_j")(x) * s[j], (j, 1, N)), "shows the letter j"),
    (Integral(Symbol("y_t", real=True), (t, 0, 1)), "shows the letter t"),
    (Derivative(Symbol("y_t", real=True) * t, t), "shows the letter t"),
    (Sum(x, (n, 1, sizes("M_n"))), "shows the letter n"),
    (Total(Symbol("y_w", real=True) * w[1], w), "y_{w} shows the letter w"),
    (Total(Symbol("yhat_h", real=True) * h[1], h), "shows the letter h"),
    (Total(function("f_w")(x) * w[1], w), "shows the letter w"),
    (Total(array("y'_w", d)[1] * w[1], w), "shows the letter w"),
    (Total(named("u", Symbol("y_w", real=True) * x) * w[1], w), "y_{w} in u shows the letter w"),
    (Total(bits[1], bits), "shows the letter v"),
    (Total(v_1[1] * Symbol("y_v1", real=True), v_1), "shows the letter v_{1}"),
    (Derivative(Symbol("y_q", real=True) * q[a], q[a]), "shows the letter q"),
    (Derivative(function("f_q")(x) * q[a], q[a]), "shows the letter q"),
    (Derivative(array("K_q", d)[a] * q[a], q[a]), "shows the letter q"),
    (Derivative(named("u", Symbol("y_q", real=True) * q[a]), q[a]), "shows the letter q"),
    (Sum(Symbol("y_j1") * s[j_1], (j_1, 1, N)), "shows the letter j_{1}"),
    (Sum(named("u", Symbol("y_j") * x) * s[j], (j, 1, N)), "y_{j} in u shows the letter j"),
], ids=str)  # fmt: skip
def test_a_letter_that_varies_is_in_what_depends_on_it(e, words):
    with pytest.raises(IllFormed, match=words):
        tex(e)


def test_a_letter_of_a_hypothesis_is_in_what_depends_on_it():
    fixed, u, e = Symbol("y_j", real=True), array("u", N), Sum(s[i], (i, 1, N))
    for fact in (Ge(fixed, s[j]), Eq(u[j], fixed + s[j])):
        context, _ = elaborate([e + Sum(u[i], (i, 1, N))], [(fact, ASSUMED)])
        with pytest.raises(IllFormed, match="shows the letter j"):
            assumptions(context)
    context, _ = elaborate([e], [(Ge(Symbol("y_l", real=True), s[j]), ASSUMED)])
    assert r"$s_{j} \le y_{l}$ for all $j$" in assumptions(context)


def test_letters_of_the_verifier_s_are_none_that_a_name_shows():
    for name in ("q_a", "q_1a", "q_ca"):
        (found,) = norm2(array(name, d)).atoms(Sum)
        assert found.variables[0].name == "b"
    assert [i.name for i in common(array("x_l", N), array("x_i", N))] == ["j"]


def test_letters_that_vary_elsewhere_are_let_be():
    for e in (
        Sum(named("u_n", 2 * n), (n, 1, N)),
        Symbol("y_j") * Sum(s[j], (j, 1, N)),
        Sum(Named(r"\mathbb{E}_{j \sim p}[s_j]", x) * s[j], (j, 1, N)),
        Sum(named(r"x_{\mathrm{jam}}", x + 1) * s[j], (j, 1, N)),
        Derivative(named("y_t", t**2), t),
        Symbol("y_w") * Total(w[1], w),
        Total(Symbol("y_W") * w[1], w),
        Total(Symbol("y_v") * v_1[1], v_1),
        Derivative(Symbol("y_a") * q[a], q[a]),
        Sum(named(r"\mathbf{e}_j", S(1)) * s[j], (j, 1, N)),
    ):
        assert tex(e)
    for other in (Symbol("y_j"), function("f_j")(x), named("u", Symbol("y_j") * x)):
        assert tex(canonical(Sum(other * s[j], (j, 1, N)))).startswith(r"\sum_{l=1}")


SIGNS_OF_FUNCTIONS = [
    (Symbol("I_n", real=True) * (x + 1), sympy.besseli(n, x + 1)),
    (named("I_n", y * t) * (x + 1), sympy.besseli(n, x + 1)),
]


@pytest.mark.parametrize("e, other", SIGNS_OF_FUNCTIONS, ids=str)
def test_names_that_are_the_sign_of_a_function_are_refused(e, other):
    demand_apart([e])
    with pytest.raises(IllFormed, match="looks like the sign of the function"):
        demand_apart([e, other])


def test_names_that_look_like_a_mean_are_refused():
    mean = Named(r"\mathbb{E}_{w \sim \mathcal{N}(0, 1)^d}[w_1]", y * t)
    demand_apart([mean * x, Total(w[2], w)])
    with pytest.raises(IllFormed, match="looks like E_"):
        demand_apart([mean * x, Total(w[1], w)])


# --- a parser for the printer's LaTeX -------------------------------------------------------------

TOKEN = re.compile(r"\\(?:left|right)(?:\\?[\[\](){}|.])|\\[A-Za-z]+|\\[,{}]|\d+|[A-Za-z]|\S")
BY_NAME = {e.name: e for e in (N, d, T, i, j, l, a, b, c, x, y, t, n, z)} | {r"\beta": beta}
ARRAYS = {e.name: e for e in (s, q, k, A, h, g, w)}
CALLS = {r"\sin": sin, r"\cos": cos, r"\tanh": tanh, r"\Gamma": gamma, r"\log": log,
         r"\max": sympy.Max, r"\sinh": sympy.sinh, r"\cosh": sympy.cosh,
         r"\tan": sympy.tan}  # fmt: skip


class Parser:
    """Recursive descent: a sum of terms, each a product of factors, each an atom with powers.
    What comes out is a function from the meanings of bound letters to an expression."""

    def __init__(self, latex):
        self.tokens, self.at = TOKEN.findall(latex), 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def take(self, *expected):
        token = self.peek()
        assert not expected or token in expected, (token, expected, "".join(self.tokens))
        self.at += 1
        return token

    def has(self, *tokens):
        found = all(self.peek(ahead) == token for ahead, token in enumerate(tokens))
        self.at += len(tokens) * found
        return found

    def whole(self):
        e = self.sum()
        assert self.peek() is None, self.tokens[self.at :]
        return e({})

    def sum(self):
        terms = [self.signed()]
        while self.peek() in ("+", "-"):
            terms.append(self.signed())
        return lambda env: Add(*(term(env) for term in terms))

    def signed(self):
        if self.has("-"):
            term = self.product()
            return lambda env: -term(env)
        self.has("+")
        return self.product()

    def product(self):
        factors = [self.factor()]
        while (
            self.peek() == r"\cdot"
            or self.peek() == r"\,"
            and self.peek(1) != r"\mathrm"
            or (self.peek() == r"\," and self.peek(3) != "d")
        ):
            self.take()
            factors.append(self.factor())
        return lambda env: Mul(*(factor(env) for factor in factors))

    def braced(self, inside=None):
        self.take("{")
        e = (inside or self.sum)()
        self.take("}")
        return e

    def factor(self):
        base = self.atom()
        while True:
            if self.has("^"):
                base = self.applied(Pow, base, self.braced())
            elif self.has("!"):
                base = self.applied(factorial, base)
            else:
                return base

    @staticmethod
    def applied(build, *parts):
        return lambda env: build(*(part(env) for part in parts))

    def parenthesised(self, close=r"\right)"):
        parts = [self.sum()]
        while self.has(","):
            parts.append(self.sum())
        self.take(close)
        return parts

    def atom(self):
        token = self.take()
        if token.isdigit():
            return lambda env: S(int(token))
        if token == r"\left(":
            (inner,) = self.parenthesised()
            return inner
        if token == r"\left|":
            return self.applied(Abs, *self.parenthesised(r"\right|"))
        if token == r"\left.":
            return self.substituted()
        if token == r"\sqrt":
            return self.applied(sqrt, self.braced())
        if token == r"\binom":
            return self.applied(binomial, self.braced(), self.braced())
        if token == r"\mathrm":
            self.take("{"), self.take("i"), self.take("}")
            return lambda env: I
        if token == r"\frac":
            return self.fraction()
        if token in (r"\sum", r"\prod", r"\int", r"\lim", r"\mathbb"):
            return getattr(self, "binder_" + token[1:])()
        if token == "e":
            return self.applied(exp, self.braced()) if self.has("^") else lambda env: E
        if token == r"\log" and self.peek() != r"\left(":
            return self.applied(log, self.atom())
        if token in CALLS:
            self.take(r"\left(")
            return self.applied(CALLS[token], *self.parenthesised())
        return self.name(token)

    def name(self, token):
        if token == "f":
            return self.smooth()
        if token == r"\delta" or token in ARRAYS and self.peek() == "_":
            self.take("_")
            places = self.braced(self.places)
            build = KroneckerDelta if token == r"\delta" else lambda *at: ARRAYS[token][at]
            return self.applied(build, *places)
        if token in (r"\pi", r"\infty"):
            return lambda env: pi if token == r"\pi" else oo
        self.at -= 1
        name = self.letter()
        return lambda env: env[name] if name in env else BY_NAME[name]

    def letter(self):
        token = self.take()
        if self.has("_", "{"):
            token += self.take()
            self.take("}")
        return token

    def places(self):
        places = [self.sum()]
        while self.peek() != "}":
            self.has(",")
            places.append(self.sum())
        return places

    def smooth(self):
        order = lambda env: S.Zero
        if self.has("^", "{", "("):
            order = self.sum()
            self.take(")"), self.take("}")
        primes = 0
        while self.has("'"):
            primes += 1
        self.take(r"\left(")
        (argument,) = self.parenthesised()
        return lambda env: f(argument(env), order=order(env) + primes)

    # --- binders ---

    def limits(self):
        self.take("_"), self.take("{")
        variable = self.letter()
        self.take("=")
        low = self.sum()
        self.take("}"), self.take("^")
        return variable, low, self.braced()

    def binder_sum(self, build=Sum):
        if self.peek(3) == r"\in":
            return self.total()
        variable, low, high = self.limits()
        body = self.product()

        def made(env):
            v = Symbol(variable + "'", integer=True)
            return build(body({**env, variable: v}), (v, low(env), high(env)))

        return made

    def binder_prod(self):
        return self.binder_sum(Product)

    def binder_int(self):
        self.take("_")
        low = self.braced()
        self.take("^")
        high, body = self.braced(), self.product()
        self.take(r"\,"), self.take(r"\mathrm"), self.take("{"), self.take("d"), self.take("}")
        variable = self.letter()

        def made(env):
            v = Symbol(variable + "'", real=True)
            return Integral(body({**env, variable: v}), (v, low(env), high(env)))

        return made

    def binder_lim(self):
        self.take("_"), self.take("{")
        variable = self.letter()
        self.take(r"\to")
        inner, side = Parser(""), "+-"
        inner.tokens = self.tokens[self.at : self.closing()]
        self.at += len(inner.tokens) + 1
        if inner.tokens[-4:-2] == ["^", "{"] and inner.tokens[-2] in "+-":
            side, inner.tokens = inner.tokens[-2], inner.tokens[:-4]
        target = inner.sum()
        body = self.product()

        def made(env):
            v = Symbol(variable + "'", real=True)
            return Limit(body({**env, variable: v}), v, target(env), side)

        return made

    def closing(self):
        """Where the brace closes that is open here."""
        depth, at = 1, self.at
        while depth:
            depth += (self.tokens[at] == "{") - (self.tokens[at] == "}")
            at += 1
        return at - 1

    def total(self):
        self.take("_"), self.take("{")
        base = ARRAYS[self.take()]
        while self.peek() != "^":
            self.take()
        self.take("^"), self.braced(self.shape), self.take("}")
        body = self.product()
        return lambda env: Total(body(env), base)

    def shape(self):
        while self.peek() != "}":
            self.take()

    def binder_mathbb(self):
        self.braced(self.take), self.take("_"), self.take("{")
        base = ARRAYS[self.take()]
        while self.peek() != "^":
            self.take()
        self.take("^"), self.braced(self.shape), self.take("}"), self.take(r"\left[")
        (body,) = self.parenthesised(r"\right]")
        return lambda env: Total(body(env), base)

    def substituted(self):
        body = self.sum()
        self.take(r"\right|"), self.take("_"), self.take("{")
        pairs = [self.pair()]
        while self.has(","):
            pairs.append(self.pair())
        self.take("}")

        def made(env):
            names = [Symbol(v + "'", real=True) for v, _ in pairs]
            inner = {**env, **{v: name for (v, _), name in zip(pairs, names)}}
            return Subs(body(inner), tuple(names), tuple(point(env) for _, point in pairs))

        return made

    def pair(self):
        variable = self.letter()
        self.take("=")
        return variable, self.sum()

    # --- fractions and derivatives ---

    def fraction(self):
        if self.tokens[self.at + 1] == r"\partial" or self.tokens[self.at + 1 : self.at + 4] == [
            r"\mathrm", "{", "d"
        ]:  # fmt: skip
            return self.derivative()
        above, below = self.braced(), self.braced()
        return lambda env: above(env) / below(env)

    def curly(self):
        if not self.has(r"\partial"):
            self.take(r"\mathrm"), self.take("{"), self.take("d"), self.take("}")

    def derivative(self):
        self.take("{"), self.curly()
        if self.has("^"):
            self.braced()
        body = None if self.peek() == "}" else self.atom()
        self.take("}"), self.take("{")
        pairs = []
        while not self.has("}"):
            self.has(r"\,"), self.curly()
            variable, order = self.atom(), lambda env: S.One
            if self.has("^"):
                order = self.braced()
            pairs.append((variable, order))
        body = body or self.product()
        return lambda env: Derivative(body(env), *((v(env), m(env)) for v, m in pairs))


def rebuilt(e):
    """The expression as SymPy's constructors make it, with canonical bound variables."""
    for _ in range(3):
        e = canonical(_again(e))
    return e


def _again(e):
    if not e.args or isinstance(e, (Symbol, Array)):
        return e
    parts = [_again(x) if isinstance(x, sympy.Basic) else x for x in e.args]
    return e.func(*parts)


def key(e, names=None):
    """The expression as a text, with products, sums and derivatives in any order. SymPy takes two
    Subs for equal that differ in the names of their variables, and its cache exchanges them."""
    names = names or {}
    if isinstance(e, Symbol):
        return names.get(e, e.name)
    if isinstance(e, Subs):
        inner = {**names, **{v: f"#{len(names)}.{n}" for n, v in enumerate(e.variables)}}
        return f"Subs({key(e.expr, inner)};{[key(x, names) for x in e.point]})"
    if not e.args:
        return str(e)
    if isinstance(e, Derivative):
        variables = sorted(f"{key(v, names)}^{key(n, names)}" for v, n in e.variable_count)
        return f"Derivative({key(e.expr, names)};{variables})"
    parts = [key(x, names) for x in e.args]
    return f"{type(e).__name__}{sorted(parts) if isinstance(e, (Add, Mul)) else parts}"


# --- expressions of every kind --------------------------------------------------------------------

NUMBERS = st.sampled_from([S(0), S(1), S(2), S(3), S(-1), S(-2), Rational(1, 2), Rational(-2, 3)])
POSITIONS = st.sampled_from([i, j, l, S(1), S(2)])
COORDINATES = st.sampled_from([a, b, c, S(1)])
LEAVES = st.one_of(
    NUMBERS,
    st.sampled_from([x, y, t, beta, z, n, N, d, T, pi, I, E]),
    POSITIONS.map(lambda i: s[i]),
    POSITIONS.map(lambda i: h[i]),
    COORDINATES.map(lambda a: q[a]),
    COORDINATES.map(lambda a: w[a]),
    st.tuples(POSITIONS, COORDINATES).map(lambda p: k[p]),
    st.tuples(COORDINATES, COORDINATES).map(lambda p: A[p]),
    st.tuples(POSITIONS, COORDINATES).map(lambda p: q[g[p]]),
    st.tuples(POSITIONS, POSITIONS).map(lambda p: KroneckerDelta(*p)),
    POSITIONS.map(lambda i: s[i + 1]),
)
VARIABLES = st.one_of(
    st.sampled_from([x, y, t]), COORDINATES.map(lambda a: q[a]), POSITIONS.map(lambda i: s[i])
)
ORDERS = st.sampled_from([S(1), S(2), S(3), S(4), n, n + 1])
CALLED = st.sampled_from([exp, log, sin, cos, tanh, Abs, gamma, factorial, sqrt, f])
RANGES = st.sampled_from([(j, 1, N), (i, 1, N), (l, 1, j), (a, 1, d), (b, 1, d), (n, 0, oo),
                          (n, 1, N - 1), (i, 1, l)])  # fmt: skip
ENDS = st.sampled_from([(S(0), S(1)), (-oo, oo), (S(0), x), (x, oo), (-x, y)])
TARGETS = st.sampled_from([(S(0), "+"), (x + 1, "-"), (oo, "-"), (-oo, "+"), (y, "+-"),
                           (x**2, "+"), (x**2 + 1, "+-")])  # fmt: skip


POINTS = st.sampled_from([S(0), S(1), x, y + 1, t, s[j]])
BUILDERS = [
    lambda draw, e: Add(e(), e()),
    lambda draw, e: Add(e(), e(), e()),
    lambda draw, e: Mul(e(), e()),
    lambda draw, e: Mul(e(), e(), e()),
    lambda draw, e: e() / e(),
    lambda draw, e: Pow(e(), draw(NUMBERS)),
    lambda draw, e: Pow(e(), e()),
    lambda draw, e: draw(CALLED)(e()),
    lambda draw, e: f(e(), order=draw(ORDERS)),
    lambda draw, e: binomial(e(), e()),
    lambda draw, e: sympy.Max(draw(VARIABLES), draw(VARIABLES)),
    lambda draw, e: Derivative(e(), (draw(VARIABLES), draw(ORDERS))),
    lambda draw, e: Derivative(e(), draw(VARIABLES), draw(VARIABLES)),
    lambda draw, e: Subs(e(), t, draw(POINTS)),
    lambda draw, e: Subs(Derivative(e(), (t, draw(ORDERS))), t, draw(POINTS)),
    lambda draw, e: Subs(e(), (t, x), (draw(POINTS), draw(POINTS))),
    lambda draw, e: Sum(e(), draw(RANGES)),
    lambda draw, e: Sum(e(), draw(RANGES), draw(RANGES)),
    lambda draw, e: Product(e(), draw(RANGES)),
    lambda draw, e: Integral(e(), (t, *draw(ENDS))),
    lambda draw, e: Integral(e(), (t, *draw(ENDS)), (x, 0, 1)),
    lambda draw, e: Limit(e(), t, *draw(TARGETS)),
    lambda draw, e: Total(e(), draw(st.sampled_from([h, g, w]))),
]


@st.composite
def written(draw, depth):
    """An expression as an author may write it, at most so deep."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(LEAVES)
    return draw(st.sampled_from(BUILDERS))(draw, lambda: draw(written(depth - 1)))


@st.composite
def cores(draw):
    """A canonical expression, as both routes see it."""
    try:
        e = rebuilt(draw(written(4)))
    except (ValueError, TypeError, AttributeError, NotImplementedError):
        reject()
    assume(not e.has(S.NaN, S.ComplexInfinity, sympy.AccumBounds))
    return e


@settings(max_examples=300 if CASES else 80, deadline=None, derandomize=True,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(cores())
def test_what_is_printed_parses_back(e):
    assert key(rebuilt(Parser(tex(e)).whole())) == key(e), tex(e)


def family():
    """All expressions of two operations on a few leaves."""
    unary = [
        lambda e: -e, lambda e: 1 / e, sqrt, exp, log, sin, f, Abs, lambda e: e**2,
        lambda e: e**n, lambda e: 2 * e, lambda e: f(e, order=2), lambda e: f(e, order=n),
        lambda e: Derivative(e, t), lambda e: Derivative(e, (t, n)), lambda e: Derivative(e, s[j]),
        lambda e: Subs(e, t, 0), lambda e: Sum(e, (j, 1, N)), lambda e: Sum(e, (l, 1, N)),
        lambda e: Product(e, (j, 1, N)), lambda e: Integral(e, (t, 0, 1)),
        lambda e: Limit(e, t, 0), lambda e: Limit(e, t, 0, "-"), lambda e: Total(e, h),
        lambda e: Total(e, w), lambda e: e * KroneckerDelta(j, l), factorial,
    ]  # fmt: skip
    binary = [Add, Mul, Pow, lambda e, o: e / o, lambda e, o: e - o]
    found = {t, s[j], s[l], x, h[j] * w[a]}
    for _ in range(2):
        near = sorted(found, key=str)[: 150 if CASES else 60]
        few = near[: 25 if CASES else 15]
        for build, parts in [
            *product(unary, ([e] for e in near)),
            *product(binary, product(few, few)),
        ]:
            try:
                found.add(canonical(build(*parts)))
            except ValueError:  # SymPy refuses two Subs in the same variable
                continue
    return {e for e in found if not e.has(S.NaN, S.ComplexInfinity)}


def test_different_expressions_print_differently():
    seen = {}
    for e in sorted(family(), key=sympy.default_sort_key):
        assert seen.setdefault(tex(e), e) == e, tex(e)
    assert len(seen) > (2500 if CASES else 1000)


# --- contexts -------------------------------------------------------------------------------------

B = array("B", d, d, domain="definite")


def contexts():
    """A context for each kind of thing that a context may know, and for each thing it may say."""
    for known in KINDS.values():
        yield [Symbol("y", **known) * x], []
    for domain in [*DOMAINS, (0, 1), (-1, 1), T]:
        if domain == "inverse":
            continue
        yield [array("v", d, d, domain=domain)[a, b]], []
        if domain in ("real", "positive", "nonnegative", "simplex", "sphere", "normal", (0, 1), T):
            yield [array("v", N, domain=domain)[j]], []
            yield [array("v", N, d, domain=domain)[j, b]], []
    yield [inverse(B, "v")[a, b]], []
    yield [inverse(array("B", d, d, domain="invertible"), "v")[a, b]], []
    yield [f(x)], []
    yield [function("g")(x)], []
    yield [s[j] * s[l]], []
    yield [s[j]], []
    yield [s[l]], []
    yield [s[l] * x], []
    for fact in (Eq(s[j], x), Ge(s[j], x), Lt(s[j], x), Lt(x, s[j]), Ne(s[j], x), Ge(s[1], x),
                 Ge(s[j], s[l]), Ge(x, 0), Lt(0, x), Eq(Sum(s[j], (j, 1, N)), 1)):  # fmt: skip
        yield [Sum(s[j], (j, 1, N)) * x], [(fact, ASSUMED)]
    yield [Sum(s[j], (j, 1, N)) * x], [(Ge(s[j], x), "an-earlier-result")]
    for real in ({"real": True}, {"positive": True}):
        u = Symbol("u", **real)
        yield [f(x)], [(Eq(Derivative(f(u), u), f(u)), ASSUMED)]
    for meaning in (x * s[j], x + s[j]):
        for domain in ("real", "positive", "simplex"):
            v = array("v", N, domain=domain)
            yield [Sum(v[j] * s[j], (j, 1, N)) * x], [(Eq(v[j], meaning), ASSUMED)]
    for known in ({"real": True}, {"positive": True}):
        yield [Symbol("y", **known) * x], [(Eq(Symbol("y", **known), x**2 + 1), ASSUMED)]


def test_different_contexts_print_differently():
    found = {}
    for expressions, hypotheses in contexts():
        context, _ = elaborate(expressions, hypotheses)
        opened = context.open(Symbol("m", integer=True), S(0), N)
        for one in (context, opened):
            lines = "\n".join(assumptions(one))
            assert found.setdefault(lines, one) == one, lines
    assert len(found) > 100


def test_the_words_of_assumptions():
    p, v = array("p", N, domain="simplex"), array("v", N, domain="positive")
    P, u = inverse(B, "P"), Symbol("u", positive=True)
    context, _ = elaborate(
        [p[j] * P[a, b] * k[l, a] * f(beta * z) * v[1] * g[1, 1] * h[1] * x * T],
        [(Ge(p[j], x), ASSUMED), (Eq(Derivative(f(u), u), f(u)), "flow"),
         (Eq(v[j], exp(s[j])), ASSUMED)],
    )  # fmt: skip
    lines = assumptions(context)
    assert lines == [
        r"$N, T, d \ge 1$ integers",
        r"$B \in \mathbb{R}^{d \times d}$ symmetric and positive definite",
        r"$g \in \{1, \ldots, T\}^{N \times d}$",
        r"$h \in \{0, 1\}^{N}$",
        r"$k \in \mathbb{R}^{N \times d}$",
        r"$p \in \mathbb{R}_{>0}^{N}$ sums to 1",
        r"$s \in \mathbb{R}^{N}$",
        r"$P = B^{-1}$",
        r"$\beta > 0$",
        r"$x$ real",
        r"$z$ complex",
        r"$f$ a real function with all derivatives",
        r"$a, b = 1, \ldots, d$",
        r"$j, l = 1, \ldots, N$",
        r"$x \le p_{j}$ for all $j$",
        r"$\frac{\mathrm{d}}{\mathrm{d} u} f\left(u\right) = f\left(u\right)$"
        " for all $u > 0$ (flow)",
        r"where $v_{j} = e^{s_{j}}$ for $j = 1, \ldots, N$, $v \in \mathbb{R}_{>0}^{N}$",
    ]


def test_names_that_look_alike_in_a_context_are_refused():
    with pytest.raises(IllFormed, match="two different things"):
        elaborate([Symbol("x1", real=True) * Symbol("x_1", real=True)])


def test_relations():
    assert relation(x, "≤", y) == r"x \le y"
    assert relation(x, "≠", y) == r"x \ne y"
