"""What must not be proved: what is false, what has no value, what says nothing.

CLAIMS go to the kernel alone, which answers with an error of its own kinds.
LINKS go through `derive`, and the message has to say what is wrong.
"""

import pytest
from mpmath import mp
from sympy import (
    Abs,
    Add,
    Derivative,
    Dummy,
    Eq,
    EulerGamma,
    Function,
    Ge,
    Gt,
    I,
    IndexedBase,
    Integer,
    Integral,
    KroneckerDelta,
    Lambda,
    LambertW,
    Le,
    Limit,
    Lt,
    Max,
    Min,
    Mul,
    Ne,
    Pow,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    UnevaluatedExpr,
    atan,
    besseli,
    binomial,
    cbrt,
    conjugate,
    cos,
    cosh,
    coth,
    erf,
    exp,
    factorial,
    gamma,
    im,
    log,
    oo,
    pi,
    rf,
    sech,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    zeta,
)  # fmt: skip

from logpartition.proof import (
    IllFormed,
    Index,
    ProofError,
    Refuted,
    Size,
    Total,
    Undecided,
    Unfalsifiable,
    array,
    by,
    definition,
    derive,
    differentiate,
    function,
    grad,
    induction,
    induction_on,
    instance,
    integrate,
    inverse,
    named,
    rearrange,
    refute,
    sizes,
    total,
)  # fmt: skip
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.kernel.theorem import certified, induct, prove
from logpartition.proof.language import Array
from logpartition.proof.numeric.evaluate import smooth, written
from logpartition.proof.printer import tex
from logpartition.proof.record import Number
from logpartition.proof.tensors import at, identity, norm2, outer, tensor

from .symbols import (
    N,
    a,
    b,
    beta,
    c,
    d,
    distributed,
    i,
    j,
    k,
    l,
    n,
    p,
    q,
    r,
    s,
    score,
    t,
    v,
    w,
    x,
    y,
    z,
)  # fmt: skip

X, Y, alpha = (Symbol(name, positive=True) for name in ("x", "y", "alpha"))
mz = Symbol("m", integer=True)
m, m0 = Symbol("m", integer=True, positive=True), Symbol("m", integer=True, nonnegative=True)
kz = Symbol("k", integer=True)
coin = array("B", N, domain=(0, 1))
gap = (Abs(kz) - kz) * Sum(1 / (m - 3), (m, 1, 5))  # SymPy takes it for 0 where k ≥ 1
holed = Sum(gap + y, (kz, 1, N))
l0, n0 = (Symbol(name, integer=True, nonnegative=True) for name in "ln")
k1, k2 = (Symbol(name, integer=True, positive=True) for name in ("k", "l"))
odd, apart = Symbol("m", odd=True, positive=True), Symbol("x", real=True, nonzero=True)
even_size = Size("N", integer=True, positive=True, even=True)
even_index = Index("i", integer=True, positive=True, even=True)
low, high, A = (Symbol(name, real=True) for name in "aBA")
K, L, M1, u = function("K"), function("L"), function("M"), array("u", d)
e, em = array("e", N + 1), array("e", N - 1)
M, D = array("S", d, d, domain="definite"), array("D", d, d)
P = inverse(M, "P")
minus = Symbol("x", negative=True)
at_t = tensor("f", (d,), lambda place: t**2 * q[place])
slope = tensor(r"\mathrm{D}_{t}", (d, d), lambda row, place: D[row, place] * t)
W = array("W", d, d, domain="invertible")
V = inverse(W, "V")
bits, spins = array("h", N, domain=(0, 1)), array("h", N, domain=(-1, 1))
by_t, complex_bits = array("h", N, domain=(0, t)), array("h", N, domain=(I, -I))
few, twice = array("h", N - 5, domain=(0, 1)), array("h", N, domain=(1, 1))
sampled = (N - 1) * (N - 2) * (N - 3) * (N - 5)  # vanishes at the smallest sizes

real_K = Subs(Derivative(K(I * x), x), x, 0)
modulus = Subs(Derivative(Abs(z) ** 2, z), z, 1)
to_five = array("e", Abs(N - 5))
wave = besseli(-Rational(1, 2), x - Rational(1, 97))
by_n = array("h", n, domain=(0, 1))
empty, none_left = array("h", N, domain=()), array("p", Abs(N - 9), domain="simplex")
by_name = Dummy("x", real=True)
spot = array("g", N, domain=d)
crossing, on_cut = sqrt(-X + I * x), sqrt(x + I * t)
before = log(Total(exp(Sum(spins[i] * v[j], (j, 1, i), (i, 1, N))), spins))
dot_rv = Sum(r[i] * v[i], (i, 1, N))
kinked = Derivative(KroneckerDelta(x, 1), x)
thin = x * atan((N - 5) ** 2) + y * atan((N - 5) ** 2)
wave_at_0 = Integral(K(x * t) * cos(x * t**3), (t, 0, 1))
gauss, roots = array("g", 1, domain="normal"), Mul(*(n - c for c in range(1, 31)))
y_j, letter_e = Symbol("y_j", real=True), Symbol("e", positive=True)
Gam, prime, euler = (Symbol(name, real=True) for name in ("Gamma", "f'", "x__n"))


circle, tail_of_exp = exp(I * x) + exp(-I * x), Sum(x**m0 / factorial(m0 + 2), (m0, 0, oo))


u_s, u_t = (Symbol(name, real=True) for name in ("rho", "tau"))


def cosines(e):
    return Sum((-1) ** n * cos(n * e) / n**2, (n, 1, oo))


def cauchy_mean(e):
    return Integral(cos(e * t) / (1 + t**2), (t, -oo, oo))


faint = Mul(*(1 / cosh(80 + r) for r in range(6)))  # too small for the numbers
million = array("h", 10**6 * n)
ball = array("s", d, domain="sphere")
edges = Product(x + m, (m, 1, binomial(N + 1, 2)))
sines = Sum(sin(n * x) / n, (n, 1, oo))


def tilted(f):
    return Sum(p[j] * f(j), (j, 1, N))


def wave_of(e):
    return Integral(K(e * t) * cos(x * e * t**3), (t, 0, 1))


# false for i = n > 30, and the next one is true for i ≤ n
growing = tensor("A", (n,), lambda at: roots**2 * (n - 1 - at) + y**2)


weighed, squared = (tensor("p", (N,), rule) for rule in (lambda at: w[at], lambda at: v[at] ** 2))


def turned(by):
    """by·q, under a name."""
    return tensor("h", (d,), lambda at: Sum(by[at, b] * q[b], (b, 1, d)))


def named_vector(name):
    return tensor(name, (d,), lambda at: Sum(D[at, b] * q[b], (b, 1, d)))


def squared_sum(f, g):
    """(f + g)² = f² + 2 f g + g², on the page."""
    return lambda: derive("q", (f + g) ** 2).eq(f**2 + 2 * f * g + g**2, "expand").record


f, real = function("f"), lambda name: Symbol(name, real=True)
TWO, LOOKS = "stands for two different things", "looks like"
ONE_LETTER = "does not look like one variable"
ENTRIES = "entries of one array"
at_least = Symbol("x", integer=True, positive=True)
nn = Symbol("c", integer=True, nonnegative=True)
definite = array("S", d, d, domain="definite")
frail = nn / (nn + Abs(n - 77))
frail_at_0 = KroneckerDelta(nn, 0) / (KroneckerDelta(nn, 0) + Abs(n - 77))
c1 = Symbol("k", integer=True)
triangular = Sum(Symbol("k", integer=True), (Symbol("k", integer=True), 0, nn))
ALIKE = [
    (function("f'")(x), f(x, order=1), TWO), (function("f''")(x), f(x, order=2), TWO),
    (function("f1")(x), function("f_1")(x), TWO), (function("I_0")(x), besseli(0, x), "Bessel"),
    (function("I0")(x), besseli(0, x), "Bessel"), (real("x1"), named("x_1", y * t), TWO),
    (real("xhat"), named(r"\hat x", y * t), TWO), (real("lamda"), real("lambda"), "alike"),
    (real("lamda"), named(r"\lambda", y * t), TWO), (real("omicron"), named("o", y * t), TWO),
    (real("Alpha"), x, ONE_LETTER), (Symbol("zbar"), z, "conjugate"),
    (named("x_{}", y * t), x, TWO), (named("f_{}(x)", y * t), f(x), LOOKS),
    (named("x(y+1)", t**2), x * (y + 1), LOOKS),
    (real("x__n"), x + n, ONE_LETTER), (named(r"\Gamma(y)", y * t), gamma(X), LOOKS),
    (named("I_{1}(y)", y * t), besseli(1, x), LOOKS),
    # above the line, and below it
    (v[j] ** n, array("v__n", N)[j], ONE_LETTER),
    (real("x_1__n"), real("x_1") ** n, ONE_LETTER),
    (real("x__n_1"), array("x", N)[1] ** n, ONE_LETTER),
    (array("u__*", N)[1], named("u_{1}^{*}", y * t), LOOKS),
    (named("x^{*}", y * t), named(r"x^{\ast}", y + t), TWO),
    (v[1], function("v_1")(x), "looks like an entry"), (v[j], function("v_j")(x), "like an entry"),
    (function("f__n")(x), f(x) ** n, ONE_LETTER),
    (f(x, order=2), named(r"f^{\prime\prime}(x)", y * t), LOOKS),
    (array("v'", N)[1], named(r"v_{1}^{\prime}", x * t), "looks like an entry"),
    # in other words or fonts
    (x, named(r"\mathit{x}", y * t), TWO),
    (named(r"\operatorname{attn}(y)", y * t), named(r"\mathrm{attn}(y)", y + t), TWO),
    (named("H(x)", x**2), named("H(y)", y**3), "values of one function"),
    (named("H(x, y)", x - y), named("H(y, x)", x - y), "values of one function"),
    (named("H(x)", x**2), named("H(2)", y), "values of one function"),
    # one that does not depend on its place, and places that are no letter
    (v[j] * named("m_{j}", x), v[l] * named("m_{l}", y), "entries of one array"),
    (v[j] * named("m_{j}", v[j]), v[l] * named("m_{l}", y), "entries of one array"),
    (v[l] * named("m_{l}", x), named("m_{1}", y), "entries of one array"),
    (v[j] * named("m_{j}", v[j]), x * named("m_{c}", y), "no sum of numbers"),
    (v[j] * named("m_{j}", v[j]), x * named("m_{j + 1}", y), "entries of one array"),
    (named("x_{ij}", v[i] * v[j]), named("x_{ji}", v[i]), "entries of one array"),
    (named("x_{i,j}", v[i] * v[j]), v[l] * named("x_{i,l}", v[i]), "entries of one array"),
    (named("x_{ii}", v[i]), named("x_{ij}", v[i] * v[j]), "entries of one array"),
    (named("H(x)_{i}", x * v[i]), y * named("H(y)_{i}", x * v[i]), "entries of one array"),
    (named("H(x)", x**2), y * named("H(y)", t), "values of one function"),
    (named("H(x)", x**2), named("H(x + 1)", x), "values of one function"),
    (named("H(x)", x**2), named("H(2 x - y)", y), "values of one function"),
    (named("H(x)", x**2), named("H(-x)", -(x**2)), "values of one function"),
    (named("H[x]", x**2), named("H[y]", y), "values of one function"),
    (named("H(x)", x**2), named("H(x^{2})", y), "no sum of numbers"),
    (named("H(q)", Sum(q[a], (a, 1, d))), named("H(2 q)", Sum(q[a], (a, 1, d))), "of one function"),
    (named("H(q)", Sum(q[a], (a, 1, d))), named("H(0)", x), "of one function"),
    # symbols like entries of names, entries of arrays with an index, derivatives, norms, conjugates
    (real("x_j"), named("x_{l}", v[l]), ENTRIES), (real("x_1"), named("x_{l}", v[l]), ENTRIES),
    (array("x_1", N)[j], named("{x_1}_{1}", y), "looks like an entry"),
    (named("h(x)", x**2), named("h'(x)", y), "looks like a derivative"),
    (f(x), named("f'(x)", y), "looks like a derivative"),
    (norm2(q), named(r"\lVert q \rVert", y), TWO),
    (z, named(r"\overline{z}", y), "looks like the conjugate"),
    (z, named(r"\bar z", y), "looks like the conjugate"),
    # square brackets, bars over products, constants before brackets, values of powers
    (named("x[y+1]", t**2), x * (y + 1), LOOKS), (named("f[x]", t**2), f(x), LOOKS),
    (named("v[1]", t**2), v[1], "looks like an entry"),
    (named(r"\overline{zt}", t**2), z * t, "looks like the conjugate"),
    (named(r"\pi(x+1)", t), pi * (x + 1), "looks like a number"),
    (named(r"h(\log x)", y) ** 2, named("h", t) * log(X) ** 2, "looks like the product"),
    (named("h(x+1)", y) ** 2, named("h", t) * (x + 1) ** 2, "looks like the product"),
    (named(r"\mathrm{d}", y), Integral(named(r"\mathrm{d}", y) * t, (t, 0, 1)), "like a number"),
    # of other forms: without braces, with marks, and with brackets in brackets
    (v[j] * named("m_j", v[j]), v[l] * named("m_l", y), "entries of one array"),
    (v[j] * named("m_{j}^{*}", v[j]), v[l] * named("m_{l}^{*}", y), "entries of one array"),
    (v[j] * named("m'_{j}", v[j]), v[l] * named("m_{l}^{\\prime}", y), "entries of one array"),
    (v[j] * named("m_{x,j}", v[j]), v[l] * named("m_{x,l}", y), "entries of one array"),
    (v[j] * named("m((j))", v[j]), v[l] * named("m((l))", y), "values of one function"),
    (v[j] * named("m_{j}(x)", v[j]), v[l] * named("m_{l}(x)", y), "values of one function"),
    (v[j] * named(r"\lVert m_{j}\rVert", v[j]), v[l] * named(r"\lVert m_{l}\rVert", y), ENTRIES),
    (v[j] * named("m_{j}", v[j]), named("m_{12}", y), ENTRIES),
    (named("{k_{j}}_{a}", v[j]) * v[j], v[l] * named("{k_{l}}_{a}", y), ENTRIES),
    (named("H(x)", x**2), named("H((y))", t), "values of one function"),
    (named("H(x)", x**2), named("H(2 (x + 1))", x), "values of one function"),
    (named("H(x)", x**2), named(r"H(-\left(x + 1\right) y)", x), "values of one function"),
    (named("H(2 x)", x**2), named("H(2 y)", y), "values of one function"),
    (named("H(2 x)", x**2), named("H(2 y)", t), "no sum of numbers"),
    (v[j] * named(r"\lVert m_{j}\rVert", v[j]), named(r"\lVert m_{c}\rVert", t), "no sum of"),
    # entries at sums, and the signs of functions with arguments
    (named("v_{n + 1}", y), n * v[1], "an entry"), (named("v_{j + 1}", y), v[j], "like an entry"),
    (named("v_{12}", y), v[j], "like an entry"), (named("D_{a, a + 1}", y), D[a, b], "an entry"),
    (named("I_{2}(y)", t), besseli(1, x), "the sign of the function"),
]  # fmt: skip


def no_zeros(f):
    """y times the exponential of a product over a range that may be empty."""
    return y * exp(Product(f, (m, 1, (n - 30) ** 2)))


def at_most_N():
    """t_j ≤ N for the N entries of a vector that no array is part of."""
    places, last = (tensor(*named, rule) for *named, rule in (
        ("t", (N,), lambda at: at), ("c", (N,), lambda at: N)))  # fmt: skip
    return derive("places", places).le(last, "the range")


def mass_to(n):
    """A sum of weights that is 1: its statement has a symbol for a length."""
    weights = array("p", n, domain="simplex")
    return derive("mass", x * Sum(weights[j], (j, 1, n)), given=[Ge(x, 0)]).eq(x, "why")


def hidden(f):
    """What no sampled size shows: an integral under a sum that is empty there."""
    return Sum(Integral(f, (x, -oo, oo)), (m, 1, (sampled * (N - 4) * (N - 6) * (N - 13)) ** 2))


# left, relation, right, hypotheses, certificate, results
g_k = named("g", k1)
whole, u0 = Symbol("g", integer=True), Symbol("u0", real=True)
turn = named("A", Integral(exp(I * m * t), (t, 0, 2 * pi)))  # 0, and its integrand never is
near_x = named("A", Limit(x * exp(t), t, 0))
power_at_0 = Subs(Derivative(t ** (m + 1), t), t, 0)
many = Max(n - 60, 0)  # 0 for all numbers that are tried


def same(e, *given):
    """A statement that says of e no more than that it has a value."""
    return e * (y + 1), "=", y * e + e, given


CLAIMS = {
    "a delta of a name in a sum from 0": (Sum(y * KroneckerDelta(g_k, 0), (k1, 0, N)), "=", 0),
    "a maximum of one": (Sum(Max(named("g", 1 - k1), 0), (k1, 0, N)), "=", 0),
    "a product of others": (Product(1 - KroneckerDelta(g_k, 0), (k1, 0, N)), "=", 1),
    "a series of them": (Sum(KroneckerDelta(g_k, 0) / 2**k1, (k1, 0, oo)), "=", 0),
    "a modulus of a sum below 0": (Abs(named("A", Sum(n * exp(y), (n, -3, 1)))), "=", -5 * exp(y)),
    "a sum over an integral's letter": (Integral(Sum(Max(t + k1, 0), (k1, -3, 1)), (t, 0, 1)), "=",
        Sum(k1, (k1, -3, 1)) + S(5) / 2),
    "a delta of an integral": (KroneckerDelta(named("A", Integral(X, (X, -1, 1))), 0), "=", 0),
    "of a product": (KroneckerDelta(named("A", Product(k1 * X, (k1, 0, N))), 0), "=", 0),
    "a limit of a modulus": (Limit(Abs(named("A", X)), X, -1), "=", -1),
    "a modulus at a place": (Subs(Abs(named("A", X)), X, -2), "=", -2),
    "a delta of an integral in waves": (y * KroneckerDelta(turn, 0), "=", 0),
    "the same defined": (y * KroneckerDelta(z, 0), "=", 0, [Eq(z, turn.meaning)]),
    "below a line": (y / (1 - KroneckerDelta(turn, 0)), "=", y),
    "a delta of a limit": (y * KroneckerDelta(near_x, x), "=", 0),
    "0/0 in a hypothesis": (x * power_at_0, "=", x * many, [Eq(power_at_0, 0)]),
    "the same in a multiple": (x * power_at_0, "=", 17 * x, [Eq(x * power_at_0, 0)]),
    "the same at a letter": (x * Subs(Derivative((t - y) ** (m + 1), t), t, y), "=", x * many,
        [Eq(Subs(Derivative((t - y) ** (m + 1), t), t, y), 0)]),
    "its sign": (y**2 * (power_at_0 + 1), "≥", y**2 * many, [Ge(power_at_0, 0)]),
    "the first of some weights": (x * Subs(Derivative(Sum(p[j] * t**j, (j, 1, N)), t), t, 0), "=",
        x * p[1] + x * many, [Eq(Subs(Derivative(Sum(p[j] * t**j, (j, 1, N)), t), t, 0), p[1])]),
    "a slope of a binomial": (Subs(Derivative(binomial(x, n), x), x, 0), "=", 0),
    "its second": (Subs(Derivative(binomial(x, n), (x, 2)), x, 0), "=", 0),
    "at an integer": (Subs(Derivative(binomial(x, n + m), x), x, m), "=", 0),
    "where a hypothesis has a zero": (Subs(Derivative(binomial(x, n), x), x, m), "=", 0,
        [Eq(binomial(m, n), 0)]),
    "in an exponential": (Subs(Derivative(exp(binomial(x, n + 2)), x), x, 0), "=", 0),
    "in a sum": (Subs(Derivative(Sum(v[j] * binomial(x, j), (j, 1, N)), x), x, 0), "=", 0),
    "a kink at an end": same(
        Derivative(Integral((t**4 + (x - 7) ** 2) ** (S(1) / 4), (t, 0, 1)), x)),
    "a kink at a place that moves": same(
        Subs(Derivative(Subs(Abs(t), t, x), x), x, 0)),
    "a kink that an end meets": same(
        Derivative(Integral(Abs(t - 1), (t, 0, x)), (x, 2)), Gt(x, 0)),
    "a jump that an end meets": same(Derivative(Integral(sign(t - 1), (t, 0, x)), x), Gt(x, 0)),
    "an integral on one side of a place": same(
        Subs(Derivative(Integral(exp(-x * t) / t**2, (t, 1, oo)), x), x, 0)),
    "a series on one side of a place": same(
        Subs(Derivative(Sum(exp(-x * m) / m**2, (m, 1, oo)), x), x, 0)),
    "a delta over a range that may be empty": (
        Sum(x * KroneckerDelta(m, 1), (m, 1, (n - 30) ** 2)), "=", x),
    "the same for each of a range": (Sum(v[j] * Sum(KroneckerDelta(m, 1), (m, 1, Abs(j - 25))),
        (j, 1, N)), "=", Sum(v[j], (j, 1, N))),
    "a delta from 0": (Sum(KroneckerDelta(m, 1), (m, 1, n0)), "=", 1),
    "a delta in a sum from 2": (Sum(KroneckerDelta(2, j), (j, 2, N)), "=", 1),
    "two deltas over a range that may be empty": (Sum(x * KroneckerDelta(m, k1)
        * KroneckerDelta(m, 1), (k1, 1, (n - 30) ** 2), (m, 1, (n - 30) ** 2)), "=", x),
    "a hypothesis over a denominator": (
        Subs(Derivative(((t - 7) ** m + 1) ** n, t), t, y) + x, "=",
        n * m * (y - 7) ** (m - 1) * ((y - 7) ** m + 1) ** (n - 1), [Eq(x * (y - 7), 0)]),
    "the same with an entry": (Subs(Derivative(v[1] * (t - 7) ** m, t), t, y) + x, "=",
        v[1] * m * (y - 7) ** (m - 1), [Eq(x * (y - 7), 0)]),
    "a product of zeros": (no_zeros(x * (t + 1) - x * t - x), "=", y),
    "a product of what is 0 on a simplex": (no_zeros(Sum(p[j], (j, 1, N)) - 1), "=", y),
    "a product of derivatives of constants": (no_zeros(Derivative(t, x)), "=", y),
    "a product of zeros in other words": (no_zeros(cosh(x) + sinh(x) - exp(x)), "=", y),
    "a product of zeros in gammas": (no_zeros(factorial(l0) - gamma(l0 + 1)), "=", y),
    "a product of zeros at a point": (Subs(no_zeros(x * t), x, 0), "=", y),
    "a product of what is defined as 0": (no_zeros(x * t), "=", y, [Eq(x, 0)]),
    "a product of the entries that are 0": (Total(no_zeros(bits[j]), bits), "=",
        2 ** (N - 1) * y * (1 + exp(1))),
    "a product of zeros as it stands": (
        y + exp(Product(S(0), (m, 1, (n - 30) ** 2)), evaluate=False), "=", y + 1),
    "a name for 0, in a product": (no_zeros(named("c", 0 * t)), "=", y),
    "an integral from a point to itself": (Integral(z / (x**2 + y**2), (t, 0, x**2 + y**2)), "=",
        z),
    "an integral turned into a point": (Integral(z / x, (t, -x, x)), "=", 2 * z),
    "the local sum is 0": (Total(spins[i] * exp(I * x * Sum(spins[j], (j, 1, N))), spins), "=", 5,
        [Eq(circle, 0), Eq(circle**N, 0)]),
    "SymPy's series divides by 0": (tail_of_exp, "=", 7,
        [Eq(0, x, evaluate=False), Eq(exp(x), 1)]),
    "what a definition brings, generalised": (Derivative(wave_of(x), x), "=", 0,
        [Eq(y, x), Ge(y, 0), Le(y, 0)], None,
        [(Eq(wave_of(y), K(0)), "result", [Ge(y, 0), Le(y, 0)])]),
    "the same beside a strict bound": (Derivative(wave_of(x), x), "=", 0,
        [Eq(y, x), Ge(y, 0), Le(y, 0), Gt(x, -1)], None,
        [(Eq(wave_of(y), K(0)), "result", [Ge(y, 0), Le(y, 0), Gt(x, -1)])]),
    "SymPy's sign of a ratio": ((t + 1) / thin, "=", t / thin + 1 / thin, [Ne(x + y, 0)]),
    "a derivative at one point": (Derivative(wave_at_0, x), "=", 0, [Ge(x, 0), Le(x, 0)], None,
        [(Eq(wave_at_0, K(0)), "result", [Ge(x, 0), Le(x, 0)])]),
    "a site that leaves its sum": (
        Derivative(before, v[i]) * Derivative(before, v[j], v[l]), "=",
        Derivative(before, v[j]) * Derivative(before, v[i], v[l])),
    "what a name stands for, held": (Derivative(x * y, t), "=", 0, [Eq(x, t * y)]),
    "a row held while it varies": (Derivative(dot_rv, v[j]), "=", r[j], [Eq(r[i], v[i])]),
    "a bound for all of none": (x * y**2, "≥", S(0), [Ge(x, em[i] ** 2)]),
    "a norm for all of none": (sqrt(x**2) + y, "=", x + y, [Ge(x, Abs(em[i]))]),
    "a gap between none": (x + 1, "≥", S(1), [Ge(x, Abs(em[i] - em[l]))]),
    "none at five": (x, "≥", N, [Ge(x, to_five[j] ** 2 + N)]),
    "SymPy's sign of a binomial": (binomial(mz - 40, 3), "<", S(0)),
    "its product": (x**2 * binomial(N - 20, 3), "≤", S(0)),
    "SymPy's sign of an arctangent": (atan((N - 5) ** 2), ">", S(0)),
    "tanh has poles": (tanh(z) * cosh(z), "=", sinh(z)),
    "and on a line": (cosh(x + I * t) * tanh(x + I * t), "=", sinh(x + I * t)),
    "coth has more": (coth(z) * sinh(z), "=", cosh(z), [Ne(z, 0)]),
    "so has the arctangent": ((x + y) * atan(z - I), "=", x * atan(z - I) + y * atan(z - I)),
    "Bessel at no value": ((y + 1) * wave, "=", y * wave + wave),
    "a real function off the line": (real_K, "=", I * K(0, 1)),
    "no complex derivative": ((y + 1) * modulus, "=", y * modulus + modulus),
    "an oscillating integral": (t + hidden(cos(X * x)), "=", t),
    "another": (t + hidden(sin(X * x + 1)), "=", t),
    "a third": (t + hidden(x * sin(X * x**2)), "=", t),
    "states of a bound number": (Sum(Total(S(1), by_n), (n, 1, m)), "=", m * Total(S(1), by_n)),
    "a vector of a bound length": (Sum(array("v", n)[1], (n, 1, m)), "=", m * array("v", n)[1]),
    "states without values": (Total(S(1), empty), ">", 0),
    "a simplex of length 0": (Sum(none_left[j], (j, 1, Abs(N - 9))), "=", S(1)),
    "no greatest complex number": (Max(z, 1) * (x + 1), "=", Max(z, 1) * x + Max(z, 1)),
    "a root on its cut": (Derivative(sqrt(z), z), "=", 1 / (2 * sqrt(z)), [Ne(z, 0)]),
    "a path over a cut": (Derivative(on_cut, t), "=", I / (2 * on_cut), [Ne(x + I * t, 0)]),
    "an integral over a cut": (Integral(crossing, (x, -1, 1)), "=",
        -I * Rational(2, 3) * ((I - X) ** Rational(3, 2) - (-X - I) ** Rational(3, 2))),
    "a jump is differentiated": ((y + 1) * kinked, "=", y * kinked + kinked),
    "SymPy's integral of 1/quadratic": (Integral(1 / (x**2 + X * x + Y), (x, 0, oo)), "=", 0),
    "SymPy's x/quadratic²": (Integral(x / (x**2 + X * x + Y) ** 2, (x, 0, oo)), "=",
        2 / (4 * Y - X**2), [Ne(4 * Y, X**2)]),
    "convergence at coincidence": (Integral(1 / (1 + (X - Y) ** 2 * x**2), (x, 0, oo)), ">", 0),
    "limit at an essential singularity": (y * Limit(exp(cosh(X / x) - cosh(2 / x)), x, 0), "=", 0,
        [Le(X, 2)]),
    "the same for a size": (y * Limit(exp(cosh(N / x) - cosh(77 / x)), x, 0), "=", 0),
    "limit of the softmax": (Limit(exp(X * n) / (exp(X * n) + exp(Y * n)), n, oo), "=", 0),
    "limit of its logarithm": (Limit(log(exp(X * n) + exp(Y * n)) / n, n, oo), "=", Y),
    "limit of the cold mean": (Limit((X * exp(X * beta) + Y * exp(Y * beta))
        / (exp(X * beta) + exp(Y * beta)), beta, oo), "=", Y),
    "limit of equals": (Limit((X - Y) ** 2 * n / ((X - Y) ** 2 * n + 1), n, oo), "=", 1),
    "limit at a threshold": (Limit(exp(X * n) / (exp(X * n) + exp(n)), n, oo), "=", 1),
    "limit with log 1": (Limit(n * log(X + 1 / n), n, oo), "=", 1),
    "half-int linear entry": (s[N - 2 * m - 1] - s[N - 2 * m - 1] + Sum(s[N - 2 * m - 1],
        (i, 1, 1)), "=", s[N - 2 * m - 1], [m < Rational(1, 2) * N]),
    "sqrt mono neg": (sqrt(x), "≤", sqrt(y), [Le(x, y)]),
    "complex order": (I * x, "≤", I * x + 1),
    "complex order z": (z, "<", z + 1),
    "x**(1/3) order": (cbrt(x), "<", cbrt(x) + 1),
    "certificate complex": (sqrt(x), "≤", sqrt(x) + 1, (), S(1)),
    "abs int 0..t": (Integral(Abs(x), (x, 0, t)), "=", t ** 2 / 2),
    "abs int 1..-2": (Integral(Abs(x), (x, 1, -2)), "=", Rational(3, 2)),
    "max int 0..t": (Integral(Max(x, 0), (x, 0, t)), "=", t ** 2 / 2),
    "nested reversed2": (Integral(Abs(y - 1), (y, 1, x), (x, 0, 1)), "=",
        Integral(y - 1, (y, 1, x), (x, 0, 1))),
    "reversed 2..1": (Integral(Abs(x - 2), (x, 2, 1)), "=", Integral(x - 2, (x, 2, 1))),
    "1/(1+x) 0..t self": (Integral(1 / (1 + x), (x, 0, t)), "=", Integral(1 / (1 + y), (y, 0, t))),
    "1/(1+x)^2 0..t": (Integral(1 / (1 + x) ** 2, (x, 0, t)), "=", t / (1 + t), [Ne(t, -1)]),
    "flow": (Integral(1 / (1 - x) ** 2, (x, 0, t)), "=", t / (1 - t), [Ne(t, 1)]),
    "interior pole": (Integral(1 / x ** 2, (x, low, high)), "=", 1 / low - 1 / high,
        [Ne(low, 0), Ne(high, 0)]),
    "y<t pole": (Integral(1 / (t - y) ** 2, (t, 0, 1)), "=", 1 / (y * (y - 1)),
        [Ne(y, 0), Ne(y, 1)]),
    "tan pole": (Integral(1 / cos(t) ** 2, (t, 0, y)), "=", tan(y), [Ne(cos(y), 0)]),
    "tan pole 2": (Integral(1 / cos(t) ** 2, (t, 0, X)), "=", tan(X), [Ne(cos(X), 0)]),
    "circ par below": (Integral(1 / (X + cos(t)), (t, 0, 2 * pi)), "=", 0, [X < 1]),
    "1/x 0..1 self": (Integral(1 / x, (x, 0, 1)), "=", Integral(1 / y, (y, 0, 1))),
    "1/x 0..1 >0": (Integral(1 / x, (x, 0, 1)), ">", 0),
    "double pole": (Integral(1 / (x + y) ** 2, (x, 0, 1), (y, 0, 1)), ">", 0),
    "1/y swallowed": (Integral(2 * x / y, (x, 0, 1)) * y, "=", 1),
    "1/y inner swallowed": (Integral(1 / y * x * t, (x, 0, 1), (t, 0, 1)) * y, "=", Rational(1, 4)),
    "v[N+1] swallowed": (Integral(2 * x * s[N + 1], (x, 0, 1)) - Integral(3 * x ** 2 * s[N + 1],
        (x, 0, 1)), "=", 0),
    "log(y) swallowed": (Integral(2 * x * log(y), (x, 0, 1)) - Integral(3 * x ** 2 * log(y),
        (x, 0, 1)), "=", 0),
    "reversed infinite": (Integral(exp(-x), (x, oo, 0)), "≥", 0),
    "reversed infinite2": (Integral(exp(x), (x, 0, -oo)), "≥", 0),
    "reversed infinite3": (Integral(exp(-x ** 2), (x, oo, -oo)), ">", 0),
    "shift abs": (Sum(Abs(m - 2), (m, 1, N)), "=", Sum(m - 2, (m, 1, N))),
    "shift abs2": (Sum(Abs(m - 2), (m, 1, N)), "=", N * (N - 3) / 2),
    "shift 0**": (Sum(0 ** (m - 1), (m, 1, N)), "=", 0),
    "shift delta": (Sum(KroneckerDelta(m - 1, 0), (m, 1, N)), "=", 0),
    "cancel inner": (Sum(M[a, b] * P[b, c], (j, 1, b), (b, 1, d)), "≥", 0),
    "quadratic inner": (Sum(M[a, b] * u[a] * u[b], (j, 1, a), (a, 1, d), (b, 1, d)), "≥", 0),
    "total bound hyp": (Total(Abs(bits[1] - 1), bits) + bits[1], "=",
        Total(bits[1] - 1, bits) + bits[1], [Ge(bits[j], 1)]),
    "total bound rule": (Total(Sum(bits[j], (j, 1, N)), bits) + bits[1], "=", 2 ** N + bits[1],
        [Eq(Sum(bits[j], (j, 1, N)), 1)]),
    "unaveraged": (Total(Abs(Sum(bits[j], (j, 1, N))), bits), "=",
        2 ** N * Abs(Sum(bits[j], (j, 1, N)))),
    "unavg 1/(1+sum^2)": (Total(1 / (1 + Sum(bits[j], (j, 1, N)) ** 2), bits), "=",
        2 ** N / (1 + Sum(bits[j], (j, 1, N)) ** 2)),
    "unavg cosh": (Total(cosh(Sum(bits[j], (j, 1, N))), bits), "=",
        2 ** N * cosh(Sum(bits[j], (j, 1, N)))),
    "unavg delta": (Total(KroneckerDelta(Sum(bits[j], (j, 1, N)), 1), bits), "=",
        2 ** N * KroneckerDelta(Sum(bits[j], (j, 1, N)), 1)),
    "unavg sign only": (Total(Abs(Sum(spins[j], (j, 1, N))), spins), "=",
        2 ** N * Abs(Sum(spins[j], (j, 1, N)))),
    "complex domain": (complex_bits[i] ** 2, "≥", 0),
    "negative length": (Total(S(1), few), "=", 2 ** (N - 5)),
    "duplicate values": (Total(S(1), twice), "=", 2 ** N),
    "total param domain deriv": (Derivative(Total(by_t[1], by_t), t), "=", 0),
    "total param domain int": (Integral(Total(by_t[1], by_t), (t, 0, 1)), "=",
        Total(by_t[1], by_t)),
    "y=x, y/x": (y / x, "=", 1, [Eq(y, x)]),
    "0/x": (y / x, "=", 0, [Eq(y, 0)]),
    "0*log x": (y * log(x), "=", 0, [Eq(y, 0)]),
    "named quotient": (named("A", x) / named("C", x), "=", 1),
    "even size": (x ** even_size, "≥", 0),
    "even index": (x ** even_index * s[even_index] ** 2, "≥", 0),
    "array hidden positive": (Array("v", (N,), "real", None, positive=True)[i], ">", 0),
    "array label positive": (array(Symbol("v", positive=True), N)[i], ">", 0),
    "em[1] at N=1": (em[1], ">", 0, [Gt(em[i], 0)]),
    "limit sign coincidence": (Limit(sign(x - y), x, y, "+"), "=", 0),
    "limit undefined body": (Limit(1 / (y * n), n, oo), "=", 0),
    "limit log param": (Limit(log(y) / n, n, oo), "=", 0),
    "limit v[N+1]": (Limit(s[N + 1] / n, n, oo), "=", 0),
    "limit x log x from left": (Limit(x * log(x), x, 0, "-"), "=", 0),
    "limit positive var, |x*y|": (Limit(Abs(X * y ** 2), X, -1), "=", -y ** 2),
    "limit int var half": (Limit(m, m, Rational(1, 2)), "=", Rational(1, 2)),
    "limit x^2*n/(1+x^2*n)": (Limit(x ** 2 * n / (1 + x ** 2 * n), n, oo), "=", 1),
    "limit (x+1/n)^0.. coincidence": (Limit((x - y) * n / ((x - y) * n + 1), n, oo), "=", 1),
    "Subs nonzero": (Subs(Limit(1 - exp(-apart ** 2 * n), n, oo), apart, 0), "=", 1),
    "Subs int half": (Subs(Sum(1, (j, 1, m)), m, Rational(1, 2)), "=", Rational(1, 2)),
    "Subs even": (Subs((x ** 2) ** m, m, Rational(1, 2)), "=", x),
    "Subs size": (Subs(Sum(p[j], (j, 1, N)), N, 1), "=", p[1]),
    "binomial pole": (binomial(x, y), "=", binomial(x, y), [Ge(y, 0)]),
    "K order -1": (Derivative(K(x, -1), x), "=", K(x)),
    "K order half int": (Integral(K(t, Rational(1, 2)), (t, 0, 1)), "=",
        K(1, -Rational(1, 2)) - K(0, -Rational(1, 2))),
    "K complex arg": (K(z), "=", K(z)),
    "a conjugate": (conjugate(z), "=", conjugate(z)), "a part": (im(z), "=", im(z)),
    "a rising power": (rf(X, n), "=", rf(X, n)),
    # a letter that a definition would bring under a binder of the same name
    **{f"under a binder, {k}": (e, "=", false, [Eq(y, Sum(v[i], (i, 1, N)))])
       for k, (e, false) in enumerate([
           (Subs(Integral(u_t + u_s * y, (u_s, -1, 1)), u_t, x), 0),
           (Subs(Derivative(Integral(exp(u_t * u_s) * y, (u_s, -1, 1)), u_t), u_t, x), 0),
           (Subs(u_t * Integral(u_s * u_t, (u_s, 0, y)), u_t, x),
            x * Sum(v[i], (i, 1, N)) ** 3 / 3),
           (Subs(m * Sum(m + n * y, (n, -1, 2)), m, 7), 14 * Sum(v[i], (i, 1, N)) + 14),
       ])},
    "a result with a derivative in what is defined": (x, "=", 0, [Eq(v[i], t)], None,
        [(Eq(Derivative(x * v[1], v[1]), x), "result", [])]),
    "a premise that cancels at a place": (
        Subs(Derivative(Abs(t), t), t, y), "=", 1, [Ne(y, 0), Lt(log(x) * (x - y), 1)], None,
        [(Eq(Derivative(Abs(x), x), 1), "result", [Lt(log(x) * (x - y), 1)])]),
    "const gone K'": (Derivative(K(x) ** 2, (x, n)), "=", 0, [Ge(x, 0), Le(x, 0)], None,
        [(Eq(Derivative(K(x), x), 0), "result", [Ge(x, 0), Le(x, 0)])]),
    # strict hypotheses that hold at a point, and nowhere near it
    **{f"not open: {h}": (Derivative(K(x), x), "=", sign(x) * K(Abs(x), 1), [h], None,
        [(Eq(K(x), K(Abs(x))), "result", [h])])
       for h in (
           Lt(sqrt(x), 1), Ne(0 ** (x**2), 0), Gt(0 ** (x**2), S.Half), Lt(sign(x) ** 2, 1),
           Gt(Limit(exp(-n * x**2), n, oo), S.Half),
           Gt(Limit(exp(-n * x**2), n, oo) + Limit((exp(x * t) - 1) / t, t, 0),
              S.Half + exp(1 / y)),
       )},
    "not open: for all t": (Derivative(K(y), y), "=", sign(y) * K(Abs(y), 1),
        [Gt(Derivative(y * t**3 / 3 + exp(t), t), 0, evaluate=False)], None,
        [(Eq(K(y), K(Abs(y))), "result",
          [Gt(Derivative(y * t**3 / 3 + exp(t), t), 0, evaluate=False)])]),
    # what is < 1 is real, and a function of real numbers has values at these alone
    **{f"not open, complex: {h}": (Derivative(K(x), x), "=", sign(x) * K(Abs(x), 1), [h], None,
        [(Eq(K(x), K(Abs(x))), "result", [h])])
       for h in (
           Lt(I * x, 1, evaluate=False), Ne(K(I * x), K(0) + 1), Ne(tanh(1 + I * x), 5),
           Ne(log(1 + I * x), 5), Ne(Max(1 + I * x, 0), 5),
       )},
    "a modulus where its argument is real": (
        Derivative(Abs(log(1 - I * x) + 2), x) * (1 - I * x) * I, "=", 1,
        [Lt(I * x, 1, evaluate=False), Gt(log(1 - I * x) + 2, 0, evaluate=False)]),
    # real at some values of another letter alone
    **{f"a modulus where {h} is real": (
        Derivative(Abs(2 - log(1 - h)), y), "=", -Derivative(log(1 - h), y),
        [Lt(h, 1, evaluate=False)])
       for h in (sqrt(x) * (y**2 - 2), x ** Rational(3, 2) * y, sqrt(1 - t) * (y - x),
                 sqrt(minus) * (y**2 - 2), (-1) ** Rational(1, 3) * y, sqrt(1 - sqrt(2)) * y,
                 Sum(sqrt(v[i]) * y, (i, 1, N)))},
    "a modulus of a shifted logarithm": (
        Derivative(Abs(1 + log(3 + sqrt(x) * (y - t))), y), "=",
        sqrt(x) / (3 + sqrt(x) * (y - t)),
        [Gt(log(3 + sqrt(x) * (y - t)) + 1, 0), Gt(sqrt(x) * (y - t) + 3, 0)]),
    "a function that has a value at a point": (
        Derivative(K(log(1 - sqrt(x) * (y - t))), y), "=",
        -sqrt(x) * K(log(1 - sqrt(x) * (y - t)), 1) / (1 - sqrt(x) * (y - t)),
        [Lt(sqrt(x) * (y - t), 1)]),
    "a premise for all x": (Derivative(Integral(exp(t**2), (t, 0, y)), y), "=", 0,
        [Lt(Derivative(x**2, x) * y, 1)], None,
        [(Eq(Integral(exp(t**2), (t, 0, y)), 0), "result", [Lt(Derivative(x**2, x) * y, 1)])]),
    "one that is met at one x": (Subs(Derivative(sin(y), y), y, t), "=", 1, [Lt(2 * x * t, 1)],
        None, [(Eq(Derivative(sin(y), y), 1), "result", [Lt(Derivative(x**2, x) * y, 1)])]),
    # under a derivative a hypothesis is simplified by what holds nearby alone
    "a slope of what is simplified at a point": (Derivative(K(x) + M1(x), (x, 2)), "=", 0,
        [Ge(K(x), 0), Eq(Derivative(Abs(K(x)) + M1(x), x), 0)]),
    "a slope of what is simplified at 0": (Derivative(2 * x - y, x), "=", 0,
        [Ge(x, 0), Le(x, y), Le(exp(y), 1), Eq(Derivative(Abs(x) - Abs(x - y), x), 0)]),
    "a value that is simplified at a point": (Derivative(M1(x), (x, 3)), "=", K(x, 2),
        [Ge(K(x), 0), Eq(Derivative(M1(x), x), Abs(K(x)))]),
    "a value in two letters": (Derivative(M1(x), (x, 3)), "=", -2,
        [Ge(t - x**2, 0), Eq(Derivative(M1(x), x), Abs(x**2 - t))]),
    "a mixed derivative at a point": (Derivative(x * K(y), x, y), "=", L(y, 1),
        [Ge(y, 0), Le(y, 0)], None, [(Eq(K(y), L(y)), "result", [Ge(y, 0), Le(y, 0)])]),
    "one of any order": (Derivative(exp(x * t) * K(y), x, (y, n)), "=", t * exp(x * t) * L(y, n),
        [Ge(y, 0), Le(y, 0)], None, [(Eq(K(y), L(y)), "result", [Ge(y, 0), Le(y, 0)])]),
    "one in an entry": (Derivative(t * K(v[1]), t, v[1]), "=", L(v[1], 1),
        [Ge(v[1], 0), Le(v[1], 0)], None,
        [(Eq(K(v[1]), L(v[1])), "result", [Ge(v[1], 0), Le(v[1], 0)])]),
    "an order beyond a letter": (Derivative(K(x), (x, n + 1)), "=", L(x, n),
        [Ge(x, 0), Le(x, 0)], None, [(Eq(K(x, 1), L(x)), "result", [Ge(x, 0), Le(x, 0)])]),
    "a square that is 0": (x**2, "=", 0, [], x**2),
    "an exponential that is": (exp(x), "=", 0, [], exp(x)),
    "a square that is not": (x**2, "≠", 0, [], x**2),
    "no relation": (x**2, "foo", 0),
    "an entry as a bound letter": (Integral(v[1], (v[1], 0, 1)), "=", S.Half),
    "one that is summed over": (Sum(spot[1], (spot[1], 1, 3)), "=", 6),
    "sum (-1)^m binom from 0": (Sum((-1) ** l0 * binomial(m0, l0), (l0, 0, m0)), "=", 0),
    "sum binom (-1) weighted": (Sum((-1) ** l0 * l0 * binomial(m0, l0), (l0, 0, m0)), "=", 0),
    "binom alt squares": (Sum((-1) ** l0 * binomial(n0, l0) * l0 ** 2, (l0, 0, n0)), "=", 0),
    "binom partial alt": (Sum((-1) ** l0 * binomial(n0, l0), (l0, 1, n0)), "=", -1),
    "zeta2": (zeta(x, y), "=", zeta(x, y) + 0),
    "lambertw -1": (LambertW(X, -1), "=", LambertW(X, -1)),
    "delta 3": (KroneckerDelta(i, j, (1, 3)) * s[i] * s[j], "=", 0),
    # integrals over a pole, beyond convergence, for some integers only
    "pole inside": (beta / (A * (A + beta)), "=", Integral(1 / x**2, (x, A, A + beta)),
        [Ne(A, 0), Ne(A + beta, 0)]),
    "pole inside, sign": (beta / (A * (A + beta)), "≥", 0, [Ne(A, 0), Ne(A + beta, 0)]),
    "Student's mean": (Integral(x * (1 + x**2 / X) ** (-(X + 1) / 2), (x, -oo, oo)), "=", 0),
    "Gamma recursion": (Integral(t ** (alpha - 2) * exp(-t), (t, 0, oo)) * (alpha - 1), "=",
        gamma(alpha)),
    "Pareto mass": (Integral(t ** (-x - 1), (t, 1, oo)), "=", 1 / x, [Ne(x, 0)]),
    "Pareto second moment": (Integral(t**2 * X * t ** (-X - 1), (t, 1, oo)), "=", X / (X - 2),
        [Ne(X, 2)]),
    "exponential mass": (Integral(n0 * exp(-n0 * x), (x, 0, oo)), "=", 1),
    "exponential moments": (Integral(12 * exp(t * X) * exp(-12 * X), (X, 0, oo)), "=",
        12 / (12 - t), [Ne(t, 12)]),
    "sign beyond convergence": (1 / (20 - t), "≥", 0, [Ne(t, 20)]),
    "Fourier, coincident orders": (Integral(exp(I * (k1 - k2) * t), (t, 0, 2 * pi)), "=", 0),
    "odd moments of any order": (Integral(x**m * exp(-(x**2) / 2), (x, -oo, oo)), "=", 0),
    # bound variables, and hypotheses about them
    "sum below 1": (Sum(m, (m, 6 - N, 6)), "≥", 0),
    "integral below 0": (Integral(X, (X, 2 - N, 4)), "≥", 0),
    "a hypothesis on a bound variable": (Integral(x, (x, -40, 1)) * y, "≥", -30 * 41 * y,
        [Ge(x, -30)]),
    "a pole that a bound variable's name hides": (Integral(1 / (1 + x), (x, -2, 1)), ">", 0,
        [Gt(x, -1)]),
    "Subs in sequence": (Subs(x + 2 * y, (x, y), (y, x)), "=", 3 * x),
    "the integrand's sign": (Integral(Abs(y), (y, -1, 1)), "=", Integral(y, (y, -1, 1))),
    "an order fact at any index": (v[i], "≤", r[j], [Le(v[l], r[l])]),
    "a function by its name": (Function("erf", positive=True)(x), ">", 0),
    "the trick of the sampled sizes": (sampled * Sum(v[j] * r[j], (j, 1, N)), "=",
        sampled * Sum(v[j], (j, 1, N)) * Sum(r[j], (j, 1, N))),
    "a name across facts": (x * named("A", y) ** 2 + t, "≥", t, [Ge(named("A", x), 0)]),
    "a name beside a symbol": (named("x", y) + x, "=", 2 * x),
    # algebra at special places
    "a root of a square": (sqrt(x**2), "=", x),
    "a product of roots": (sqrt(x) * sqrt(y), "=", sqrt(x * y)),
    "a branch of a root": (sqrt(exp(I * t)), "=", exp(I * t / 2)),
    "a logarithm's branch": (log(exp(z)), "=", z),
    "a denominator": ((x**2 - x) / (x - 1), "=", x),
    "a power below 0": (x ** (n - 3) * x**3, "=", x**n),
    "the logarithm of a square": (log(x**2), "=", 2 * log(x), [Ne(x, 0)]),
    "a pole of coth": (coth(x) * (exp(x) - exp(-x)), "=", exp(x) + exp(-x)),
    "a pole of the tangent": (tan(x) * cos(x), "=", sin(x)),
    "a kink": (Derivative(Abs(x), x), "=", sign(x)),
    "a hypothesis that divides by 0": (x - y, "=", 0, [Eq(x * y, y**2)]),
    "the diagonal for the matrix": (D[a, b], "=", 1, [Eq(D[i, i], 1)]),
    "a derivative of what is fixed": (Derivative(beta * x, beta), "=", x, [Eq(beta, 1)]),
    "a derivative of a fixed path": (Derivative(t * y, t), "=", t**2, [Eq(t**2, y)]),
    "a function that is not smooth": (Function("f", real=True)(x), "=",
        Function("f", real=True)(-x)),
    "a series that alternates": (Sum((-1) ** n, (n, 1, oo)), "=", -Rational(1, 2)),
    "a series beyond its radius": (Sum(x**n, (n, 1, oo)), "=", x / (1 - x), [Ne(x, 1)]),
    "a sum that may be empty": (log(x**2 * Sum(w[j], (j, 2, N))), "=",
        log(x**2) + log(Sum(w[j], (j, 2, N)))),
    "a range shorter than empty": (Sum(x, (i, d, N)), "=", (N - d + 1) * x),
    "monotone of less": (exp(x), "≤", exp(y), [Le(x, y + 1)]),
    "a wrong certificate": (x, "≤", x**2 + 1, (), (x - 1) ** 2),
    "a certificate that large numbers break": (Abs(x), "≤", 17, (), 17 - Abs(x)),
    "states, one weight doubled": (Total(exp(Sum(v[j] * bits[j], (j, 1, N))), bits), "=",
        Total(exp(2 * Sum(v[j] * bits[j], (j, 1, N))), bits)),
    "a site for its mean": (Total(spins[1], spins), "=", 2**N * spins[1]),
    "two sites that may coincide": (Total(spins[1] * spins[N], spins), "=", 0),
    "an entry for a vector": (Derivative(exp(t * q[a]), (q[a], n)), "=", 0),
    "a decayed weight": (exp(-80 - y**2), "=", exp(-90 - y**2)),
    "a plain array": (IndexedBase("o")[i], "=", IndexedBase("o")[i] + 0),
    "a hypothesis with an index of no array": (x, "≥", j, [Ge(x, j)]),
    "an entry beyond the last": (array("o", d - 1)[d], "=", array("o", d - 1)[d]),
    "‖q‖ at 0": (sqrt(Sum(q[a] ** 2, (a, 1, d))) * Derivative(sqrt(Sum(q[a] ** 2, (a, 1, d))),
        q[b]), "=", q[b]),
}  # fmt: skip


def link(left, relation, right, given=(), certificate=None, **options):
    """A step that is tried through the words of a chapter."""

    def attempt():
        verb = {"=": "eq", "≤": "le", "≥": "ge", "<": "lt", ">": "gt"}[relation]
        more = {} if certificate is None else {"certificate": certificate}
        return getattr(derive("q", left, given=given), verb)(right, "why", **more, **options)

    return attempt


def recorded(*args, **options):
    """A step, and its page."""
    return lambda: link(*args, **options)().record


def two(start, *links):
    def attempt():
        chain = derive("q", start)
        for verb, term in links:
            chain = getattr(chain, verb)(term, "why")
        return chain

    return attempt


def middle(start, first, last):
    return two(start, ("eq", first), ("eq", last))


kept = {"evaluate": False}
plus, times = (lambda *args, of=of: of(*args, evaluate=False) for of in (Add, Mul))
over = lambda f, g: times(f, Pow(g, -1, **kept))
waved, e_d = Symbol("w"), array("e", d)
called_e = tensor("e", (d,), lambda at: x * u[at] + q[at])
in_R_e = array("A", Size("e", integer=True, positive=True))
E_TWICE = {
    "a vector": lambda: derive("q", exp(1) * (e_d + u)).eq(exp(1) * e_d + exp(1) * u, "why").record,
    "a matrix": lambda: derive("q", exp(x) * (array("e", d, d) @ q + u)).eq(
        exp(x) * (array("e", d, d) @ q) + exp(x) * u, "why").record,
    "in a product": recorded(exp(x) * (e_d @ q + y), "=", exp(x) * (e_d @ q) + exp(x) * y),
    "in a norm": recorded(exp(x) * (norm2(e_d) + y), "=", exp(x) * norm2(e_d) + exp(x) * y),
    "by a rule": lambda: derive("q", exp(x) * (y + 1) * called_e).eq(
        exp(x) * (y * q + q + x * u * (y + 1)), "why").record,
    "a length": recorded(exp(x) * (in_R_e[1] + y), "=", exp(x) * in_R_e[1] + exp(x) * y),
    "a function": recorded(exp(x) * (function("e")(x) + y), "=",
                           exp(x) * function("e")(x) + exp(x) * y),
}  # fmt: skip


def replaced_one():
    """An integral over X > 0 by its letter, from −1, with another vector in the place of q."""
    ones = tensor("c", (d,), lambda place: S(1))
    return derive("q", x * at(u * Integral(Max(X * q[1], 0), (X, -1, 1)), q, ones))


peak = lambda at: exp(-((x - at) ** 2))
# the kind of error, words that the message has, and the attempt
LINKS = {
    "a product with what has none": (IllFormed, "the denominator x - 7",
        lambda: instance(derive("r", t * (y * x + 1)).eq(t * y * x + t, "why"), {y: 1 / (x - 7)})),
    "a meaning that has none": (IllFormed, "the denominator x - 7",
        link(t * (y * (x - 7) + 1) * (x + 1), "=", 2 * t * (x + 1), [Eq(y, 1 / (x - 7))])),
    "one for entries": (IllFormed, "the denominator", link(
        t * Sum(v[j] * (w[j] - 7), (j, 1, N)) * (x + 1), "=", t * N + t * N * x,
        [Eq(v[j], 1 / (w[j] - 7))])),
    "exponentials that are both nearly 0": (Undecided, "does not close it",
        link(t * (x - y), "=", 0, [Eq(exp(x), exp(y))])),
    "a far peak below the line": (IllFormed, "the denominator 2 - exp",
        link(y / (2 - peak(30)) + y, "=", y * (1 + 1 / (2 - peak(30))))),
    "one that is 1 at its top": (IllFormed, "the denominator 1 - exp",
        link(y / (1 - peak(20)) + y, "=", y * (1 + 1 / (1 - peak(20))), [Ne(x, 20)])),
    "two in a logarithm": (Undecided, "does not close it",
        link(log(1 + peak(30) + peak(31)), "=",
             log(1 / peak(30) + 1 + peak(31) / peak(30)) - (x - 30) ** 2)),
    "a large power below the line": (IllFormed, "the denominator x**900 - 1",
        link(y / (X**900 - 1) + y, "=", y * (1 + 1 / (X**900 - 1)), [Gt(X, 1)])),
    "a kink of another order": (IllFormed, "is differentiated, is not 0",
        link(x * Derivative(Abs(x) ** Rational(5, 4), x), "=", Abs(x) ** Rational(5, 4) * 5 / 4)),
    "a letter that is positive by itself": (IllFormed, "k is assumed to be positive",
        link(x * (Sum(y * KroneckerDelta(g_k, 0), (k1, 0, N)) + t), "=", t * x)),
    "the same by numbers": (IllFormed, "take an integer symbol for it",
        link(y * Sum(Abs(k1 - 1), (k1, -1, 2)), "=", 4 * y, by="numbers")),
    "a letter of an integral": (IllFormed, "take a real symbol for it",
        link(y * Integral(Abs(named("A", X)), (X, -1, 1)), "=", 0)),
    "a letter at a place": (IllFormed, "is assumed to be positive",
        link(y * Subs(Abs(named("A", X)), X, -2), "=", -2 * y, by="numbers")),
    "a bound letter that is not 0": (IllFormed, "is assumed to be nonzero",
        link(y * Integral(KroneckerDelta(apart, 0), (apart, -1, 1)), "=", 0)),
    "a letter where a vector is replaced": (IllFormed, "is assumed to be positive", replaced_one),
    "a letter in a value": (IllFormed, "is assumed to be positive",
        lambda: instance(distributed(), {y: Sum(Max(named("g", 1 - k1), 0), (k1, 0, 3))})),
    "a positive vector replaced": (IllFormed, "nothing says that q is",
        lambda: at(x * total(w[j], j), w, array("q", N))),
    "numbers of a delta of an integral": (IllFormed, "not known to be an integer",
        link(y * KroneckerDelta(turn, 0) + x * (y + 1), "=", x * y + x, by="numbers")),
    "a ratio that SymPy gives a sign": (IllFormed, "not 0",
        link((t + 1) / thin, "=", t / thin + 1 / thin, [Ne(x + y, 0)])),
    "an inverse held": (IllFormed, "the inverse of S",
        link(Derivative(x * P[a, b], x), "=", P[a, b],
             [Eq(M[a, b], (1 + x**2) * KroneckerDelta(a, b))])),
    "one held by a name": (IllFormed, "the inverse of S",
        link(Derivative(x * y, x), "=", y,
             [Eq(y, P[1, 1]), Eq(M[a, b], t * KroneckerDelta(a, b)), Eq(t, 1 + x**2)])),
    "a gradient of an inverse": (IllFormed, "the inverse of S",
        lambda: derive("q", grad(P @ u, u), given=[Eq(M[a, b], u[a] * u[b] + KroneckerDelta(a, b))])
        .eq(P, "why")),
    "a vector replaced beside an inverse": (IllFormed, "stands, which a hypothesis defines by q",
        lambda: derive("q", at(P @ q, q, u) * (x + 1),
                       given=[Eq(M[a, b], q[a] * q[b] + KroneckerDelta(a, b))])
        .eq(x * (P @ u) + P @ u, "why").record),
    "an inverse under an integral, by a name": (IllFormed, "another letter",
        link(Integral(x * y, (t, 0, 1)), "=", x * y,
             [Eq(y, P[1, 1]), Eq(M[a, b], (1 + t**2) * KroneckerDelta(a, b))])),
    "an inverse of an inverse's multiple": (IllFormed, "an inverse: write",
        link(P[a, b] * (x + 1), "=", P[a, b] * x + P[a, b], [Eq(M[a, b], 2 * V[a, b])])),
    "an inverse for an index": (IllFormed, "an index: write",
        link(P[a, b] * (x + 1), "=", P[a, b] * x + P[a, b],
             [Eq(M[a, b], (1 + v[i] ** 2) * KroneckerDelta(a, b))])),
    "a length that a hypothesis defines": (IllFormed, "stands in the length",
        link(Sum(array("v", n)[j], (j, 1, n)) * x, "=", x * Sum(array("v", n)[j], (j, 1, 5)),
             [Eq(n, 5)])),
    "a series divided by 0": (IllFormed, "converges",
        link(y * roots * tail_of_exp, "=", 7 * y * roots,
             [Eq(0, x, evaluate=False), Eq(exp(x), 1)])),
    "zeros at all small integers, under a bound": (Refuted, "modulo a prime",
        link(x * roots + y, "=", y, [Ge(x, 0)], by="numbers")),
    "under what differs": (Refuted, "modulo a prime",
        link(x * roots + y, "=", y, [Ne(x, 1), Lt(x, y)], by="numbers")),
    "a length for a value": (IllFormed, "the length of p depends on n",
        lambda: instance(mass_to(n), {n: Integer(1)})),
    "a length for the next": (IllFormed, "the length of p depends on n",
        lambda: instance(mass_to(n), {n: n + 1})),
    "a range for a value": (IllFormed, "how far i runs depends on n",
        lambda: instance(derive("q", tensor("t", (n,), lambda at: at)).le(
            tensor("c", (n,), lambda at: n), "the range"), {n: Integer(1)})),
    "a narrow bump": (Undecided, "1.00002",
        link(y * Integral(1 + 1 / cosh(10**5 * (x - Rational(1, 3))) ** 2, (x, 0, 1)), "=", y,
             by="numbers")),
    "zeros at all small integers": (Refuted, "modulo a prime",
        link(x * roots + y, "=", y, by="numbers")),
    "a name like an entry": (IllFormed, "looks like an entry",
        recorded(named("v_{1}", y) * (v[j] + 1), "=", y * v[j] + y)),
    "a name like a row": (IllFormed, "two different things",
        lambda: derive("q", tensor("k_{j}", (d,), lambda at: u[at] * (x + 1)) + k[j]).eq(
            x * u + u + k[j], "why").record),
    "two rules under one name": (IllFormed, "entries of one array",
        lambda: derive("q", weighed * total(squared[l] * (x + 1), l)).eq(
            Sum(v[l] ** 2, (l, 1, N)) * (x * w + w), "why")),
    "two rules, at a number": (IllFormed, "entries of one array",
        link(weighed[1] * squared[i] * (x + 1), "=", w[1] * v[i] ** 2 * (x + 1))),
    "a symbol like a power": (IllFormed, ONE_LETTER,
        recorded(euler * (x**n + 1), "=", euler * x**n + euler)),
    "the letter of Euler's number": (IllFormed, "Euler's number",
        lambda: derive("q", exp(x)).lt(exp(x) + letter_e, "one more").record),
    "a letter that varies, in words": (IllFormed, "shows the letter j",
        lambda: derive("q", total(y_j * k[j] * (x + 1), j)).eq(
            total(k[j], j) * (x * y_j + y_j), "why").record),
    "a letter that varies, and another": (IllFormed, "for which the page writes",
        recorded(Sum(named("u_n", 2 * n), (n, 1, n)), "=", n * (n + 1))),
    **{f"two that look the same: {f} and {g}": (IllFormed, words, squared_sum(f, g))
       for f, g, words in ALIKE},
    "a matrix like the identity": (IllFormed, "the page writes the identity",
        lambda: derive("q", (array("I_d", d, d) + identity(d)) @ (x * u)).eq(
            x * (array("I_d", d, d) @ u) + x * u, "why").record),
    "a matrix like a transpose": (IllFormed, ONE_LETTER,
        lambda: derive("q", (array("D__T", d, d) + D.T) @ (x * u)).eq(
            x * (array("D__T", d, d) @ u) + x * (D.T @ u), "why").record),
    "a name like a diagonal": (IllFormed, "reads as more than a name",
        lambda: named(r"\mathrm{diag}(q)", x * y)),
    "a vector like a number": (IllFormed, "stands for two different things",
        lambda: derive("q", x * named_vector("x") + x * q).eq(x * (D @ q + q), "why").record),
    "a vector like an array": (IllFormed, "stands for two different things",
        lambda: derive("q", x * named_vector("q") + x * q).eq(x * (D @ q + q), "why").record),
    "rows in a remark": (IllFormed, "formula of its own lines",
        lambda: derive("q", x * (1 + y)).eq(x + x * y, r"$\\ 0 &= 1 &&$ so").record),
    "an end in a remark": (IllFormed, "formula of its own lines",
        lambda: derive("q", x * (1 + y)).eq(x + x * y, r"so $\end{aligned} 0 = 1$").record),
    "a comment after a dollar": (IllFormed, "has maths with a lone brace or %",
        lambda: derive("q", x * (1 + y)).eq(x + x * y, r"x $a$ \$ $%$ x").record),
    "a comment in a remark": (IllFormed, "has maths with a lone brace or %",
        lambda: derive("q", x * (1 + y)).eq(x + x * y, r"$%$ x").record),
    "a lone brace in a remark": (IllFormed, "has maths with a lone brace or %",
        lambda: derive("q", x * (1 + y)).eq(x + x * y, "$}$").record),
    "a lone dollar in a title": (IllFormed, "a dollar sign that no other one closes",
        lambda: derive("q", x * (1 + y), title="costs $5 or $x$").eq(x + x * y, "so").record),
    "a formula in a title": (IllFormed, "formula of its own lines",
        lambda: derive("q", x * (1 + y), title="So $$0 = 1$$").eq(x + x * y, "so").record),
    "two vectors of one name at a value": (IllFormed, "stands for two different things",
        lambda: derive("q", at(turned(D), q, u) + at(turned(M), q, u)).eq((D + M) @ u, "why")),
    "a product of a name at a value": (IllFormed, "no longer stand for",
        lambda: at(M @ turned(D), q, x * u)),
    "a matrix like the sign of a slope": (IllFormed, "one of them the sign",
        lambda: derive("q", (grad(at_t, t) + slope @ at_t) * x).eq(
            x * (slope @ at_t) + x * grad(at_t, t), "why").record),
    "a number like it": (IllFormed, "one of them the sign",
        lambda: derive("q", (grad(at_t, t) + u) * named(r"\mathrm{D}_{t}", x * y)).eq(
            x * y * grad(at_t, t) + x * y * u, "why").record),
    "a product like a value": (IllFormed, "looks like the product",
        recorded(t * named("h(x + 1)", x + y) + t * named("h", y) * (x + 1), "=",
                 t * (x + y + y * (x + 1)))),
    "a name like a value": (IllFormed, "looks like a value",
        recorded(named("K(x)", x + y) * K(y), "=", x * K(y) + y * K(y))),
    "one name, spaced in two ways": (IllFormed, "two different things",
        link(named("Z(x)", x * y + x) + named(r"Z\left( x \right)", t), "=", x * (y + 1) + t)),
    "a symbol like Euler's function": (IllFormed, "two different things",
        link(Gam * (t + 1) + gamma(X), "=", Gam * t + Gam + gamma(X))),
    "an array like Bessel's function": (IllFormed, "two different things",
        link(array("I", N)[1] * (t + 1) + besseli(1, X), "=",
             array("I", N)[1] * t + array("I", N)[1] + besseli(1, X))),
    "a symbol like a derivative": (IllFormed, "two different things",
        link(prime * (x + 1) + function("f")(x), "=", prime * x + prime + function("f")(x))),
    "a name with a letter, bound and free": (IllFormed, "bound in one place and free in another",
        link(named("B", x**2) + Integral(named("B", x**2), (x, 0, 1)), "=",
             x**2 + Rational(1, 3))),
    "a meaning with what is summed over": (IllFormed, "mentions h",
        link(Total(x * bits[1], bits), "=", x * 2 ** (N - 1), [Eq(x, bits[1])])),
    "an index of the middle": (IllFormed, "runs to N - 1, which may be 0",
        two(S(1), ("eq", (em[i] + 1) ** 2 - em[i] ** 2 - 2 * em[i]), ("lt", N))),
    "an index whose range is lost": (IllFormed, "Only inner terms",
        two(j, ("eq", j * (1 + v[j] ** 2) - j * v[j] ** 2), ("le", N))),
    "an index whose range grows": (IllFormed, "runs to a length",
        lambda: derive("q", growing).ge(0, induction_on(n))),
    "the range of a result that is used": (IllFormed, "j runs to N in one place and to d",
        lambda: derive("q", j * u[j] ** 2).le(N * u[j] ** 2, by(at_most_N()))),
    "the index of the entries in a definition": (IllFormed, "the index of the equation's entries",
        lambda: derive("q", x * q, given=[Eq(x, u[a])]).eq(u * q, "why").record),
    "the index of the entries in a rule": (IllFormed, "the index of the equation's entries",
        lambda: derive("q", x * array("o", d), given=[Eq(array("o", d)[b], u[a] * q[b])]).eq(
            x * u * q, "why").record),
    "a limit over integers under another letter": (IllFormed, "for which the page writes n",
        recorded(y * Limit(sin(pi * named("A", at_least)), at_least, oo) + t * (y + 1), "=",
                 t * y + t)),
    "a derivative in what is defined, in a result": (IllFormed, "and a hypothesis fixes its value",
        lambda: derive("q", (q @ u) * (x + 1), given=[
            Eq(q[a], x * u[a]), derive("r", grad(q @ q, q)).eq(2 * q, differentiate)]).eq(
                (q @ u) * x + q @ u, "expand").record),
    "a letter with itself in its place": (IllFormed, "stands for two different things",
        lambda: derive("q", y * t + y + x * (1 + sign(x - 9)), given=[
            instance(derive("r", Derivative(x * y, x)).eq(y, differentiate),
                     {x: x, y: Max(x - 9, 0)})]).eq(y * (t + 1), "why").record),
    "what fails where a hypothesis may not hold": (Undecided, "This fails at",
        link(y * t + y + x, "=", y * (t + 1),
             [Gt(Derivative(exp(t) + y**2 * t, t), 0, evaluate=False)])),
    "a function of SymPy's": (IllFormed, "is neither a number nor", link(Lambda(x, x), "=", x)),
    "and with a vector": (IllFormed, "is neither a number nor", lambda: outer(Lambda(x, x), q)),
    "a number as long as a page": (IllFormed, "a number of more than 1000 digits",
        link(x * factorial(10**4), "=", x)),
    "a limit over complex numbers": (IllFormed, "may be any complex number",
        link(y * Limit(z - sin(z) + 1, z, oo), "=", y)),
    "a slope of what depends on the variable twice": (IllFormed, "looks as if y were held",
        lambda: derive("q", Derivative(x * y, x) * t, given=[Eq(y, x**2)]).eq(
            3 * x**2 * t, "why").record),
    "an inequality of matrices": (IllFormed, "state it of the entries",
        lambda: derive("q", outer(q * q, u * u)).ge(0, "why")),
    "an inverse under the name of its matrix": (IllFormed, "two different things",
        link(inverse(definite, "S")[a, b] * (x + 1), "=",
             inverse(definite, "S")[a, b] * x + inverse(definite, "S")[a, b])),
    "a tensor without axes": (IllFormed, "is not how the page writes",
        lambda: derive("q", tensor("c", (), lambda: x) * (t + 1)).eq(x * t + x, "why").record),
    "a title of two lines": (IllFormed, "has several lines", lambda: derive(
        "q", x * (y + 1), title="A\n\n**B** (proved for all sizes)").eq(x * y + x, "why").record),
    "a certificate that is text": (IllFormed, "neither a number nor a vector",
        lambda: derive("q", x).le(x + 1, "why", certificate="1 # = 0")),
    "a vector as long as a number": (IllFormed, "not known to be an integer",
        lambda: tensor("E", (x,), lambda at: at)),
    "a letter of another alphabet": (IllFormed, "has the sign",
        lambda: named("x_{\u0430}", y + t)),
    "a sign that is not seen": (IllFormed, "has the sign", lambda: named("x_{a\u200b}", y + t)),
    "a name that begins with a bracket": (IllFormed, "begins with a bracket",
        lambda: named("(2x)", t)),
    # no value at 0, or at the first of an induction
    "0/0 where a rule splits": (IllFormed, "the denominator",
        link(Limit((exp(x * t) - 1) / t, t, 0), "≤", x + x**2 / (x**2 + Abs(n - 77)))),
    "0/0 at the base of an induction": (IllFormed, "the denominator",
        lambda: derive("q", triangular + frail).eq(nn * (nn + 1) / 2 + frail, induction_on(nn))),
    # ends and targets that are not real
    "an end that becomes imaginary": (IllFormed, "differ",
        link(Integral(sqrt(1 + t), (t, -2, -1 - sqrt(60 - n))), "=",
             Rational(2, 3) * ((-sqrt(60 - n)) ** Rational(3, 2) + I))),
    "a square of what becomes imaginary": (IllFormed, "differ",
        link(Integral(exp(-(t**2)), (t, 0, sqrt(60 - n))) ** 2 + y**2, "≥", y**2)),
    "a complex end": (Undecided, "not real", link(Integral(exp(t), (t, 0, z)), "=", exp(z) - 1)),
    "a target off the line": (Undecided, "not real",
        link(Limit(t**2 * y, t, I) + x * y, "=", x * y - y)),
    "sixty slopes": (IllFormed, "of an order above",
        link(Derivative(sin(x**2) * exp(y * x), (x, 60)) * 2, "=", 0)),
    # no value for what SymPy cancels where a letter runs, or at the next step of an induction
    "0/0 at a step of an induction": (IllFormed, "the denominator",
        lambda: derive("q", triangular + frail_at_0).eq(
            nn * (nn + 1) / 2 + frail_at_0, induction_on(nn))),
    "0/0 in a sum over numbers from 1": (IllFormed, "the denominator",
        link(Sum(c1 + (Abs(c1) - c1) / Abs(n - 77), (c1, 1, n)), "=", n * (n + 1) / 2)),
    "0/0 in an integral from 0": (IllFormed, "the denominator",
        link(Integral(2 * t + (Abs(t) - t) / Abs(n - 77), (t, 0, 1)), "=", 1)),
    "0/0 in a limit": (IllFormed, "the denominator",
        link(Limit((Abs(t) - t) / Abs(n - 77) + 1 / t, t, oo) + y, "=", y)),
    # lengths, letters and words of what a chain is made of
    "an identity as long as a number": (IllFormed, "an integer with a value",
        lambda: identity(x)),
    "one that may be shorter than nothing": (IllFormed, "not known to be ≥ 0",
        lambda: identity(N - 2)),
    "one as long as an index": (IllFormed, "depends on an index", lambda: identity(i)),
    "a number named as a length": (IllFormed, "two different things",
        lambda: derive("q", identity(N) * Symbol("N", real=True)).eq(
            identity(N) * (Symbol("N", real=True) + 1) - identity(N), "why")),
    "an entry of I beside the identity": (IllFormed, "the sign I",
        lambda: derive("q", identity(N) @ v * array("I", N)[N]).eq(
            array("I", N)[N] * v, "why").record),
    "a function of Bessel beside it": (IllFormed, "the sign I",
        lambda: derive("q", X * (identity(N) @ v) * besseli(N, X)).eq(
            besseli(N, X) * X * v, "why").record),
    "an entry after the last": (IllFormed, "has no entry N + 1",
        lambda: tensor("h", (N,), lambda s: s * x)[N + 1]),
    "a rule that is none": (TypeError, "needs a function of 1 places",
        lambda: tensor("h", (N,), x)),
    "a rule of two places": (TypeError, "needs a function of 1 places",
        lambda: tensor("h", (N,), lambda j, a: x)),
    "a rule that gives nothing": (TypeError, "gives None",
        lambda: tensor("h", (N,), lambda j: None)),
    "a name for a relation": (TypeError, "needs an expression",
        lambda: named("h", Eq(x, y))),
    "a slice": (IllFormed, "has no slices", lambda: v[:]),
    "an induction over another letter": (IllFormed, "stands nowhere in the claim",
        lambda: induction("q", Eq(Sum(m, (m, 1, n)), n * (n + 1) / 2), k1, reason="why")),
    "an induction for no reason": (IllFormed, "needs the words for the step",
        lambda: induction("q", Eq(Sum(m, (m, 1, n)), n * (n + 1) / 2), n, reason="")),
    "a recursion that makes no number": (IllFormed, "needs a function that makes an expression",
        lambda: induction("q", Eq(Sum(m, (m, 1, n)), n * (n + 1) / 2), n, reason="why",
                          advance=lambda side: v)),
    "a definition of nothing": (IllFormed, "names nothing", lambda: definition()),
    "half of a formula in a remark": (IllFormed, "dollar sign",
        lambda: derive("q", x * (y + 1)).eq(x * y + x, "cost 5$ or")),
    "a remark of two lines": (IllFormed, "one line", lambda: rearrange("so\nit is")),
    "claims in one word": (TypeError, "needs a list of texts",
        lambda: induction("q", Eq(Sum(m, (m, 1, n)), n * (n + 1) / 2), n, reason="why",
                          claims="abc")),
    "a matrix like the identity's own": (IllFormed, "the page writes the identity",
        link(array("I_d", d, d)[a, b] * 2, "=", 1)),
    "a matrix like an adjoint": (IllFormed, "looks like something made of D",
        recorded(array("D__*", d, d)[a, b] * (D[a, b] + 1), "=",
                 array("D__*", d, d)[a, b] * D[a, b] + array("D__*", d, d)[a, b])),
    "a number like a conjugate": (IllFormed, "looks like something made of z",
        recorded(Symbol("z__*") * (z + 1), "=", Symbol("z__*") * z + Symbol("z__*"))),
    "a size in a domain like a number": (IllFormed, "two different things",
        link(array("g", N, domain=Size("x", integer=True, positive=True))[1] * (x + 1), "=",
             array("g", N, domain=Size("x", integer=True, positive=True))[1] * x + 1)),
    "the letter e alone": (IllFormed, "the letter e",
        recorded(letter_e * (x + 1), "=", letter_e * x + letter_e)),
    # what varies, shown by a name inside a name; an inner term of an induction; bars
    "a norm inside a name": (IllFormed, "does not depend on it",
        lambda: derive("q", grad(named("A", named(r"\lVert q \rVert", t) * (q @ u)), q)).eq(
            t * u, "why").record),
    "a limit of a complex power": (IllFormed, "exists", link(
        t + Limit(exp(-x) * exp(-exp(alpha * faint * x**2 + I * x)), x, oo), "=", t)),
    "a delta of numbers": (IllFormed, "an integer with a value", link(
        KroneckerDelta(x, 0) * y + t, "=", t, [Eq(x, 1 / (N * d))])),
    "as many terms as subsets": (IllFormed, "an integer with a value", link(
        Sum(x, (m, 1, binomial(2 * n, n))), "=", x * binomial(2 * n, n))),
    "as many terms as an entry that may be a half": (IllFormed, "an integer with a value", link(
        y + Sum(x, (m, 1, array("h", N, domain=(0, S(1) / 2, 1))[1])), "=", y)),
    "as many as an entry": (IllFormed, "an integer with a value", link(
        y + Sum(x, (m, 1, w[1])), "=", y + x * w[1], [Eq(w[1], 2 + KroneckerDelta(n, 77) / 2)])),
    "an order that is an entry": (IllFormed, "an integer with a value", link(
        y + Derivative(exp(t), (t, w[1])), "=", y + exp(t))),
    "a delta of an entry": (IllFormed, "an integer with a value", link(
        y * KroneckerDelta(v[1], 0) + t, "=", t)),
    "what cancels beside another of its kind": (IllFormed, "where Abs(x) is differentiated", link(
        y + Sum((Abs(mz) - mz) * Derivative(Abs(x), x) + Derivative(x**2, x), (mz, 1, N)), "=",
        y + 2 * N * x)),
    "an entry that cancels beside another": (IllFormed, "between 1 and N", link(
        y + Sum((Abs(mz) - mz) * v[N + 1] + v[1], (mz, 1, N)), "=", y + N * v[1])),
    "sums that cancel but for their letters": (IllFormed, "the denominator", link(
        (x + 1) ** 2 + Sum(v[i], (i, 1, N)) / Sum(v[j], (j, 1, N)), "=", x**2 + 2 * x + 2)),
    "a difference of two": (IllFormed, "the denominator", link(
        (x + 1) ** 2 + Sum(1 / (m - 3), (m, 1, 5)) - Sum(1 / (n - 3), (n, 1, 5)), "=",
        x**2 + 2 * x + 1)),
    "an end of an inner integral": (IllFormed, "the integral", link(
        y * (Integral(1, (z, 0, 1 / (X + m0)), (X, 0, 1)) + t), "=",
        y * Integral(1, (z, 0, 1 / (X + m0)), (X, 0, 1)) + y * t)),
    "one that cancels": (IllFormed, "the integral", link(
        x * Integral(1, (z, 0, 1 / alpha), (alpha, 0, 1)) + y * t + y, "=", y * (t + 1),
        [Eq(x, 0)])),
    "one under what is held of another letter": (IllFormed, "differ", link(
        x * Integral(1, (z, 0, 1 / t), (t, -1, 1)) + y * t + y, "=", y * (t + 1),
        [Eq(x, 0), Gt(t, 1)])),
    "a denominator under what is held of another letter": (IllFormed, "is not 0", link(
        x / Integral(1, (z, 0, t), (t, -1, 1)) + y * t + y, "=", y * (t + 1),
        [Eq(x, 0), Gt(t, 0)])),
    "a logarithm so": (IllFormed, "is positive", link(
        x * log(Integral(1, (z, 0, t), (t, -2, 1))) + y * t + y, "=", y * (t + 1),
        [Eq(x, 0), Gt(t, 0)])),
    "a sum so": (IllFormed, "is not 0", link(
        x / Sum(1, (mz, 1, kz), (kz, 0, 0)) + y * kz + y, "=", y * (kz + 1),
        [Eq(x, 0), Ge(kz, 1)])),
    "a hypothesis without a value where it refutes": (IllFormed, "SymPy cancels a log", link(
        Abs(x) * y, "=", x * y,
        [Eq(x * y + Sum((Abs(kz) - kz) * log(x), (kz, 1, N)), 1 + Sum(1 / alpha, (kz, 1, N)))])),
    "a hypothesis that cancels by another": (IllFormed, "In a hypothesis something cancels", link(
        y * 2, "≤", 2 * z, [Eq(x, 0), Le(y + x * log(t), z)])),
    "what is printed cancels": (IllFormed, "SymPy cancels a log",
        lambda: refute("wrong", Eq(Abs(x) * y + Sum((Abs(kz) - kz) * log(x), (kz, 1, N)), x * y),
                       corrected=distributed(), location="here")),
    **{f"a derivative of {letter} that cancels": (IllFormed, words, link(
        x * term + y * alpha + y, "=", y * (alpha + 1), [Eq(x, 0), said]))
       for letter, term, said, words in (
           ("a modulus", Derivative(Abs(z), t), Eq(z, t), "differentiated"),
           ("what is one", Derivative(z, t), Eq(z, Abs(t)), "differentiated"),
           ("an entry that is one", Derivative(v[1], t), Eq(v[i], Abs(t)), "differentiated"),
           ("an end", Derivative(Integral(sign(y), (y, z, 1)), t), Eq(z, t), "differ"),
           ("a larger one", Derivative(Max(z, alpha), t), Eq(z, t), "differentiated"),
       )},
    "a place in a place under a name": (IllFormed, "one within another", link(
        Subs(named("H", Subs(x**2, x, y)), y, t) * z + 1, "=", y**2 * z + 1)),
    "a place in a place": (IllFormed, "stands in a place of it", link(
        Subs(Subs(x**2 * t, x, y), y, 3) + z, "=", 9 * t + z)),
    "sizes that are no names": (TypeError, "needs a text", lambda: sizes(3)),
    "a value of which a part cancels": (IllFormed, "the denominator",
        lambda: instance(derive("q", x * (1 + y)).eq(x + x * y, "why"), {x: holed})),
    "a mean that cancels, of what is held outside": (IllFormed, "summed over in one place", link(
        Sum((Abs(kz) - kz) * Total(1 / coin[1], coin) + y, (kz, 1, N)) + x, "=", N * y + x,
        [Eq(coin[i], 1)])),
    "a sum that cancels in a sum": (IllFormed, "the denominator", link(holed, "=", N * y)),
    "one that cancels in what a letter is": (IllFormed, "cancels a denominator", link(
        x + 0, "=", N * y, [Eq(x, holed)])),
    "one that cancels in a hypothesis": (IllFormed, "cancels a denominator", link(
        x + 0, "=", y, [Eq(x + Sum(gap, (kz, 1, N)), y)])),
    "one that numbers do not see": (Undecided, "the denominator", link(
        holed + exp(x), "=", N * y + exp(x), by="numbers")),
    "one that cancels in a product": (IllFormed, "the denominator", link(
        y + Product(1 + gap, (kz, 1, N)), "=", 1 + y)),
    "a logarithm times what a letter is": (IllFormed, "y in log(y)", link(
        x * log(y) + t, "=", t, [Eq(x, 0)])),
    "an order of a half": (IllFormed, "an integer with a value", link(
        x * Derivative(t**2 * y, (t, Rational(1, 2))), "=", x)),
    "an order without a value": (IllFormed, "an integer with a value", link(
        x * Derivative(exp(t), (t, Abs(KroneckerDelta(1 / (n - 77), y)))), "=", x * exp(t))),
    "a length without a value": (IllFormed, "an integer with a value", link(
        x * array("h", Abs(KroneckerDelta(1 / (n - 77), y)) + 1)[1], "=", x)),
    "an index without a value": (IllFormed, "an integer with a value",
        link(v[1 + 0 ** ((n - 77) ** 2)], "=", v[2])),
    "a function of Landau's": (IllFormed, "Landau", link(
        function("O")(x) * (t + 1), "=", function("O")(x) * t + function("O")(x))),
    "a name of Landau's": (IllFormed, "O(", lambda: named("O(x^{2})", x * t)),
    "a name of what a hypothesis defines": (IllFormed, "does not depend on it",
        lambda: derive("q", Derivative(y * x, x) * (t + 1), given=[Eq(y, named("h(x)", t))]).eq(
            t * (t + 1), "why").record),
    "a name in the recursion of an induction": (IllFormed, "looks like a value",
        lambda: induction("q", Eq(Sum(c1, (c1, 1, n)) * x, n * (n + 1) / 2 * x, evaluate=False), n,
                          reason="so", advance=lambda e: e + named("x(n+1)", (n + 1) * x + y) - y)),
    "a word in another font": (IllFormed, ONE_LETTER,
        recorded(Symbol(r"\mathbf{sin}", real=True) * (x + y), "=", x)),
    "a name that is no letter": (IllFormed, "looks like",
        lambda: named(r"\not", x + y)),
    "a symbol that is no letter": (IllFormed, "does not look like one variable",
        lambda: derive("q", Symbol(r"\over") * (x + 1)).eq(Symbol(r"\over") * x + Symbol(r"\over"),
        "why").record),
    "only at N = 1": (Refuted, "N = ",
        link(Sum(v[j] * r[j], (j, 1, N)), "=", Sum(v[j], (j, 1, N)) * Sum(r[j], (j, 1, N)))),
    "only for d = 1": (Refuted, "d = ",
        link(score(j) ** 2, "=", Sum(q[a] ** 2 * k[j, a] ** 2, (a, 1, d)))),
    "only for N ≥ d": (Refuted, "", link(Max(N, d) * x, "=", N * x, by="numbers")),
    "only for positive x": (Refuted, "x = -", link(sqrt(x**2), "=", x)),
    "only for small x": (Refuted, "x = ", link(Abs(x - 7), "=", 7 - x, by="numbers")),
    "the wrong branch": (Refuted, "z = ", link(sqrt(exp(z)), "=", exp(z / 2))),
    "a denominator": (Refuted, "x = 1, the left side is undefined",
        link((x**2 - x) / (x - 1), "=", x)),
    "a power below 0": (Refuted, "x = 0, the left side is undefined",
        link(x ** (n - 3) * x**3, "=", x**n)),
    "a pole of the tangent": (IllFormed, "cos(x)", link(tan(x) * cos(x), "=", sin(x))),
    "a kink": (ProofError, "", link(Derivative(Abs(x), x), "=", sign(x))),
    "a pole in an integral": (ProofError, "",
        link(y * Integral(1 / x**2, (x, -1, 1)), "=", -2 * y)),
    "an integral that diverges": (Undecided, "diverges",
        link(Integral(exp((t - 3) * x), (x, 0, oo)), "=", 1 / (3 - t), [Ne(t, 3)])),
    "an integral that hardly converges": (Undecided, "too slowly, if at all",
        link(Integral(t ** (-1 - X**4), (t, 1, oo)), "=", X**-4)),
    "a series that hardly does": (Undecided, "seems false",
        link(Sum(n ** (-1 - X**3), (n, 1, oo)), "=", 1 + X**3)),
    "flow past its pole": (ProofError, "",
        link(Integral(1 / (1 - x) ** 2, (x, 0, t)), "=", t / (1 - t), [Ne(x, 1), Ne(t, 1)])),
    "one object under two names": (Unfalsifiable, "under other names",
        link(Sum(v[j], (j, 1, N)), "=", Sum(v[l], (l, 1, N)))),
    "a name for the same thing": (Unfalsifiable, "under other names",
        link(named("A", x + y), "=", x + y)),
    "one name for two things": (IllFormed, "two", link(named("A", x + y), "=", named("A", x) + y)),
    "one rule, but for what a hypothesis defines": (IllFormed, "values of one function",
        lambda: derive("q", (named("H(x)", t * x) + named("H(2)", 2 * t)) * y, given=[
            Eq(t, x**2)]).eq(named("H(x)", t * x) * y + 2 * y * t, "expand")),
    "a rule that knows a letter": (IllFormed, "which is not what its rule gives",
        lambda: tensor("m", (N,), lambda at: S(2) if at == l else v[at])[l]),
    "one name for two things, links apart": (IllFormed, "two",
        lambda: middle(named("A", x * y + x), x * (y + 1), named("A", x) * y + x)().record),
    "an index free on one side": (ProofError, "", link(Sum(v[i], (i, 1, N)), "=", N * v[i])),
    "a middle that differs": (Refuted, "step 1", middle(x * (x + 1), x**2 - x, x + x**2)),
    "back where it began": (Unfalsifiable, "back where it began",
        middle(x * (x + 1), x**2 + x, x * (x + 1))),
    "up and down": (IllFormed, "", two(x**2, ("le", x**2 + y**2), ("ge", x**2 - 1))),
    "inconsistent values": (IllFormed, "contradict each other",
        link(x, "=", 5, [Eq(y, 0), Eq(y, 1)])),
    "inconsistent order": (IllFormed, "contradict each other",
        link(x + y, "=", 5, [Gt(y, 0), Lt(y, 0)])),
    "definitions in a circle": (IllFormed, "", link(x, "=", 0, [Eq(x, y + 1), Eq(y, x + 1)])),
    "a definite matrix that is 0": (ProofError, "",
        link(Sum(M[a, b] * P[b, c], (b, 1, d)) * x, "=", 0, [Eq(M[a, b], 0)])),
    "an invertible matrix of rank 1": (IllFormed, "d > 1",
        link(Sum(W[a, b] * V[b, c], (b, 1, d)), "=", KroneckerDelta(a, c),
             [Eq(W[a, b], u[a] * u[b])])),
    "a definite matrix that is negative": (IllFormed, "S is definite",
        link(Sum(M[a, a], (a, 1, d)), "=", -d, [Eq(M[a, b], -KroneckerDelta(a, b))])),
    "a spin that is 2": (IllFormed, "nothing says that 2 is",
        link(Sum(spins[j], (j, 1, N)) * x, "=", 2 * N * x, [Eq(spins[j], 2)])),
    "a meaning with the index of a sum": (IllFormed, "another letter",
        link(Sum(x * v[j], (j, 1, N)), "=", r[j] * Sum(v[i], (i, 1, N)), [Eq(x, r[j])])),
    "a meaning with the variable of an integral": (IllFormed, "another letter",
        link(Integral(x * t, (t, 0, 1)), "=", (y + t) / 2, [Eq(x, y + t)])),
    "a meaning with the letter of a point": (IllFormed, "another letter",
        link(Subs(Derivative(x * t, t), t, 1) + t, "=", y + 2 * t, [Eq(x, y + t)])),
    "a function that looks like Euler's": (IllFormed, "take another letter",
        link(function("Gamma")(x) * (1 + y), "=", function("Gamma")(x) * y + function("Gamma")(x))),
    "a matrix that looks like Kronecker's": (IllFormed, "take another letter",
        link(array("delta", N, N)[i, j] * (1 + y), "=", array("delta", N, N)[i, j] * y + 1)),
    "a diagonal for a matrix": (ProofError, "", link(D[a, b], "=", 1, [Eq(D[i, i], 1)])),
    "another index": (Refuted, "", link(v[i], "≤", r[j], [Le(v[l], r[l])])),
    "a wave of large numbers": (Undecided, "does not close it", link(
        y * cos(10**6 * (1 - x**2 - t**2)), "=", y, [Eq(x**2 + t**2, 1)])),
    "not closed": (Undecided, "No counterexample",
        link(Abs(x) * Abs(y + Abs(x * y)), "=", Abs(x * y + x * Abs(x) * Abs(y)))),
    "a whole array in a hypothesis": (IllFormed, "compared as a whole",
        lambda: link(x, "=", 0, [Eq(q, u)])()),
    "a whole array in a bound": (IllFormed, "compared as a whole",
        lambda: link(x, "=", 0, [Le(q, u)])()),
    "a whole array in a sum": (IllFormed, "as a whole", lambda: derive("q", Sum(q, (a, 1, d)))),
    "a node that the language lacks": (IllFormed, "has no rule",
        link(UnevaluatedExpr(x) * 2 + y, "=", 2 * x + y)),
    "an integral without ends": (IllFormed, "has no ends",
        lambda: derive("q", x + Integral(x, x))),
    "one with one end, on the right": (IllFormed, "has no ends",
        link(x**2 / 2, "=", Integral(x, (x, y)))),
    "an integral that SymPy does not come to an end with": (Undecided, "does not close it",
        lambda: derive("q", y * Integral(log(1 + x) / (1 + x**2), (x, 0, 1))).eq(
            y * pi * log(2) / 8, integrate)),
    "a factorial beyond the machine": (Undecided, "too large for the machine",
        link(factorial(factorial(factorial(n))) * (t + 1), "=",
             factorial(factorial(factorial(n))) * t + factorial(factorial(factorial(n))))),
    "a number that the page lacks": (IllFormed, "has no rule",
        link(S.TribonacciConstant * (x + 1), "=", S.TribonacciConstant * x + x)),
    "a symbol without a name": (IllFormed, "take a Symbol", link(by_name, "=", by_name**2)),
    "infinity as a number": (IllFormed, "as if it were a number", link(oo * x + y, "=", oo * x)),
    "a rounded number": (IllFormed, "fraction", link(0.5 * x, "=", x / 2)),
    "a plain array": (IllFormed, "",
        link(IndexedBase("o")[i] * (x + 1), "=", IndexedBase("o")[i])),
    "an index of no array": (IllFormed, "how far it runs", link(i * x + i, "=", i * (x + 1))),
    "false order": (Refuted, "right side is", link(x, "≤", x**2)),
    "an order of equals": (Unfalsifiable, "state an equality", link(x * (y + 1), "≤", x * y + x)),
    "strict, equal somewhere": (Refuted, "", link(2 * x * y, "<", x**2 + y**2)),
    "a wrong certificate": (ProofError, "certificate", link(x, "≤", x**2 + 1, (), (x - 1) ** 2)),
    "no certificate": (Undecided, "give the certificate",
        link(2 * x * y, "≤", x**4 + y**4 + S.Half)),
    "a certificate broken at 17": (ProofError, "", link(Abs(x), "≤", 17, (), 17 - Abs(x))),
    "hidden oddness": (ProofError, "",
        link(Integral(x**odd * exp(-(x**2) / 2), (x, -oo, oo)), "=", 0)),
    "Fourier, coincident orders": (Undecided, "seems false",
        link(Integral(exp(I * (k1 - k2) * t), (t, 0, 2 * pi)) * x, "=", 0)),
    "the trick of the sampled sizes": (Refuted, "",
        link(sampled * Sum(v[j] * r[j], (j, 1, N)), "=",
        sampled * Sum(v[j], (j, 1, N)) * Sum(r[j], (j, 1, N)))),
}  # fmt: skip

# what comes into the place of a letter in a term that SymPy builds anew, of which its assumptions
# are wrong: which letter, what, the term, and what SymPy would make of it
spike = lambda end: Integral(exp(-(10**8) * (t - S(1) / 3) ** 2) - Rational(1, 10**5), (t, 0, end))
third = Symbol("m", integer=True, positive=True)
PUT_IN = {
    "an arctangent of 0": (x, N - 1, sign(atan(x)), S(1)),
    "a binomial coefficient": (third, S(3), Max(binomial(n + k1 - third, third), 0), S(0)),
    "its modulus": (third, S(3), Abs(binomial(n, third)), -binomial(n, 3)),
    "an integral of a narrow peak": (x, S(1), Max(spike(x), 0), S(0)),
}  # fmt: skip
LINKS |= {f"put in its place, {name}": (Undecided if "narrow" in name else Refuted, "",
              link(term * y + t, "=", made * y + t, [Eq(letter, value)]))
          for name, (letter, value, term, made) in PUT_IN.items()}  # fmt: skip
arctan_at = Subs(KroneckerDelta(atan(x), 0), x, (n - 30) ** 2)
LINKS |= {
    "put in its place, an integral of a step": (IllFormed, "an integer", link(
        KroneckerDelta(x, 0) * y + t, "=", t,
        [Eq(x, Integral(2 * sign(alpha - 1) - 1, (alpha, 0, w[1])))])),
}  # fmt: skip

plane = Integral(exp(-(low**2) - high**2), (low, -oo, oo), (high, -oo, oo))
powers = Sum(x**m0 / factorial(m0), (m0, 0, oo))
LINKS |= {
    "an integral over the plane": (Undecided, "within another",
        link(y * plane + y, "=", y * (plane + 1))),
    "a high derivative of a series": (Undecided, "a high order",
        link(y * Derivative(powers, (x, 20)) + y, "=", y * (Derivative(powers, (x, 20)) + 1))),
    "a Bessel function of a large order": (Undecided, "a very large order",
        link(besseli(X**5, Y**5) * t + t, "=", t * (1 + besseli(X**5, Y**5)))),
}  # fmt: skip

# numbers that SymPy computes where it puts terms in order, by derivatives of the terms
ENDLESS = {
    "turns": Sum((-1) ** n / log(n + 1), (n, 1, oo)), "waves": Sum(sin(n**2) / n**2, (n, 1, oo)),
    "logarithms": Sum(1 / ((n + 1) * log(n + 1) ** 2), (n, 1, oo)),
    "roots": Sum((-1) ** n / sqrt(n), (n, 1, oo)), "circles": Sum(exp(I * n) / n**2, (n, 1, oo)),
    "factors": Product(1 + (-1) ** n / n**2, (n, 2, oo)),
    "a long sum": Sum(cos(n) / n, (n, 1, 5000)),
    "an inner series": Sum(Sum((-1) ** n / log(n + m), (n, 1, oo)) / 2**m, (m, 1, oo)),
    "an integral of one": Integral(Sum((-1) ** n / log(n + X), (n, 1, oo)), (X, 0, 1)),
}  # fmt: skip
LINKS |= {f"a number that takes for ever, of {name}": (IllFormed, "write a letter for it",
              link(y * e + y, "=", y * (e + 1), by="numbers"))
          for name, e in ENDLESS.items()}  # fmt: skip
LINKS |= {
    "such a number under a name": (IllFormed, "write a letter for it",
        link(y * named("A", ENDLESS["turns"]) + y, "=", y * (named("A", ENDLESS["turns"]) + 1))),
    "such a number in a hypothesis": (IllFormed, "write a letter for it",
        link(x * y + y, "=", y * (x + 1), [Eq(x, ENDLESS["turns"])])),
    "a million entries": (IllFormed, "an array is too long",
        link(million[1] * (x + 1), "=", million[1] * x + million[1])),
    "a hypothesis that SymPy denies": (IllFormed, "is False for every value",
        link(x + y, "=", 2 * x + y - x, [Eq(x**2, -1)])),
    "a hypothesis before what defines its letter": (IllFormed, "let that one come first",
        link(3 * x, "=", Rational(3, 2), [Eq(x * y, 1), Eq(y, 2)])),
}  # fmt: skip

# as an author writes them, with evaluate=False, and what is gone when they are evaluated
KEPT = {
    "a quotient": (over(x, x), "1/x"), "of logarithms": (over(log(x), log(x)), "1/log(x)"),
    "a difference": (plus(1 / x, -1 / x), "1/x"),
    "none of a logarithm": (times(0, log(x)), "log(x)"),
    "none of a quotient": (times(0, 1 / x), "1/x"), "its power 0": (Pow(1 / x, 0, **kept), "1/x"),
    "roots": (times(sqrt(x), 1 / sqrt(x)), "1/x"), "a power": (exp(log(x), **kept), "log(x)"),
    "a logarithm": (log(over(x, x), **kept), "1/x"),
    "under a name": (named("A", over(x, x)), "1/x"),
    "in a sum": (Sum(over(v[l], v[l]), (l, 1, N)), "1/v[l]"),
    "in a limit": (Limit(over(x, x), x, 0), "1/x"),
    "in a derivative": (Derivative(over(x, x), x), "1/x"),
    "at a point": (Subs(over(x, x), x, 0), "1/x"), "an entry": (plus(v[i], -v[i]), "i"),
    "an entry that is none": (plus(v[i + 1], -v[i + 1], v[i]), "v[i + 1]"),
    "an index": (plus(i, -i), "i"), "a derivative": (times(0, Derivative(Abs(x), x)), "Derivative"),
    "an integral": (times(0, Integral(cos(x), (x, 0, oo))), "Integral"),
    "in two steps": (over(x, plus(x, y, -y)), "1/x"),
}  # fmt: skip
LINKS |= {f"{name}, as it is written": (IllFormed, f"nothing is left of {gone}",
              link(plus(e, y * (t + 1)), "=", plus(y * t, y, e.doit())))
          for name, (e, gone) in KEPT.items()}  # fmt: skip
LINKS |= {
    "a hypothesis that is no more": (IllFormed, "write 1 in its place",
        link(y * (x + 1), "=", x * y + y, [Gt(over(x, x), 0)])),
    "a meaning that is no more": (IllFormed, "write 1 in its place",
        link(y * (x + 1), "=", x * y + t * y, [Eq(t, over(x, x))])),
    "a certificate that is no more": (IllFormed, "write x**2 in its place",
        link(y * (t + 1), "≤", t * y + y + x**2, (), plus(x**2, 1 / t, -1 / t))),
    "the sign of what is complex": (IllFormed, "sign(w) is real: write it over its modulus",
        link(t + y * sign(waved) ** 2, "=", t + y, [Eq(waved, exp(z))])),
    "under a name": (IllFormed, "sign(A) is real",
        link((t + y) * sign(named("A", exp(z))) ** 2, "=", t + y, by="numbers")),
    "refuted by such a sign": (IllFormed, "sign(A) is real",
        lambda: refute("q", Eq(sign(named("A", exp(z))) ** 2 * y, 2 * y), corrected=distributed(),
                       location="1")),
    "a real letter for a complex one": (IllFormed, "x is real, and nothing says that z",
        link(Abs(z) * y + z, "=", z * y + z, [Eq(x, z)])),
    "refuted so": (IllFormed, "take real symbols there, or a complex one for x",
        lambda: refute("q", Eq(z * y, 2 * z * y), given=[Eq(x, z)], corrected=distributed(),
                       location="1")),
    "a letter that is not 0": (IllFormed, "x is real, and nothing says that z",
        link(Abs(z) * y + z, "=", z * y + z, [Eq(apart, z)])),
    "real entries for a complex letter": (IllFormed, "v is real, and nothing says that z",
        link(Abs(z) * y + z, "=", z * y + z, [Eq(v[j], z)])),
    "by way of another": (IllFormed, "t is real, and nothing says that z",
        link(t * y + t, "=", z * y + t, [Eq(t, x), Eq(x, z)])),
    "a root of any number": (IllFormed, "t is real, and nothing says that sqrt(x)",
        link(t * y + t, "=", sqrt(x) * y + t, [Eq(t, sqrt(x))])),
    **{f"the letter of Euler's number, {name}": (IllFormed, "Euler's number", attempt)
       for name, attempt in E_TWICE.items()},
}  # fmt: skip

across = Sum(W[d + 1 - b, b] * V[b, 1], (b, 1, d))
late = Max(n - 60, 0)
nested_ends = lambda end: instance(
    derive("r", Sum(y, (n, 1, 3), (m, 1, n)) + t).eq(3 * n * y + t, "m"), {n: end}
)
LINKS |= {
    "an index whose range a certificate alone says": (IllFormed, "let an array that it is an index",
        link(x, ">", N, [Gt(x, i)], (x - N) * (exp(v[i]) + 1) - (x - N) * exp(v[i]))),
    "an array in a hypothesis before the one that says what it is": (IllFormed, "stands before",
        link(x * (t + 1), "=", Sum(exp(v[j]), (j, 1, N)) * (t + 1),
             [Eq(Sum(w[j], (j, 1, N)), x), Eq(w[j], exp(v[j]))])),
    "a series from where its terms end": (IllFormed, "converges",
        link(y * late * Sum(binomial(n, m), (m, n, oo)) + t * (y + 1), "=", t * y + t)),
    "a limit at −∞ of a power": (Undecided, "does not close it",
        link(y * late * (Limit(exp(-X / 2**u0), u0, -oo) - 1) + t * (y + 1), "=", t * y + t)),
    "one from the left": (Undecided, "does not close it",
        link(y * late * (Limit(exp(-X * 2 ** (-1 / u0)), u0, 0, "-") - 1) + t * (y + 1), "=",
             t * y + t)),
    "a limit of a Bessel function": (IllFormed, "exists",
        link(y * late * Limit(besseli(0, 1 / n) ** (n**2), n, oo) + t * (y + 1), "=", t * y + t)),
    "a series that telescopes to ∞⁰": (IllFormed, "come to an end",
        link(y * late * (Sum((1 - erf(m0 + 2)) ** (1 / (m0 + 2))
                             - (1 - erf(m0 + 1)) ** (1 / (m0 + 1)), (m0, 0, oo)) - erf(1))
             + t * (y + 1), "=", t * y + t)),
    "a series over all integers in a hypothesis": (Undecided, "does not close it",
        link(Abs(y) * (t + 1), "=", -y * (t + 1),
             [Gt(Sum(exp(-(whole**2)), (whole, -oo, oo)) / 10**90, y)])),
    "an integral of waves that cancel": (ProofError, "",
        link(y * late * Integral((sin(x) - cos(x)) / sqrt(x), (x, 1, oo)) + t * (y + 1), "=",
             t * y + t)),
    "a hypothesis about what stands for one entry": (IllFormed, "be one for all of them",
        link(v[i] + t, "<", v[j] + t + 1, [Le(v[l], x), Eq(x, v[j])])),
    "a limit in which numbers cancel": (ProofError, "",
        link(y * Sum(m * Limit(1 / (1 + ((log(6 + 1 / n) - log(2 + 1 / n) - log(3 + 1 / n)) * n)
                                    ** 2) + 100 / n, n, oo), (m, 1, late)) + t, "=", t)),
    "a limit of a delta": (ProofError, "",
        link(t + Integral((1 - KroneckerDelta(x, 1)) * exp(-x), (x, 0, oo)), "=", t + 1)),
    "a limit with a number that is 0": (ProofError, "",
        link(y * late * Limit(n / ((sin(1) ** 2 + cos(1) ** 2 - 1) ** 2 * n**2 + n), n, oo)
             + t * (y + 1), "=", t * y + t)),
    "a difference from 1 over two sizes": (Undecided, "does not show the sign",
        link(1 / (N * d), ">", Rational(1, 10000))),
    "its modulus": (Refuted, "This is false",
        link(t + y * Abs(named("A", 1 / (N * d)) - S(1) / 2), "=", t - y / 2 + y / (N * d))),
    "a matrix beside its inverse, turned": (Undecided, "does not close it",
        link(y * late * (across**2 - across) + t * (y + 1), "=", t * y + t)),
    "an end outside the sum that has its letter": (IllFormed, "is a bound variable of Sum",
        lambda: derive("q", y * (n - k1) + t, given=[Eq(k1, Min(n, 60))]).eq(
            t, by(nested_ends(k1)))),
    "a series of binomial coefficients, some of which are 0": (IllFormed, "converges",
        link(y * late * (Sum(binomial(m0 - 3, 2) / 2**m0, (m0, 0, oo)) - Rational(31, 4))
             + t * (y + 1), "=", t * y + t)),
    "a binomial coefficient of a negative number": (Undecided, "does not close it",
        link(y * factorial(n) * binomial(n - 100, n) * late + t * (y + 1), "=", t * y + t)),
    "the same in a sum": (Undecided, "does not close it",
        link(y * gamma(n) * KroneckerDelta(n, 77) * Sum(binomial(n - 200, n) * v[j], (j, 1, N))
             + t * (y + 1), "=", t * y + t)),
}  # fmt: skip

line = (x, -oo, oo)
sq = Sum(q[a] ** 2, (a, 1, d))
poisson = lambda mean: exp(-mean) * mean**m0 / factorial(m0)
unit = cosh(x) ** 2 - sinh(x) ** 2
jump = lambda e: 1 / (1 + exp(1 / e))
third_of_them = Sum(1 / (m + Rational(1, 3)), (m, 1, 91))
# what is true: it may be out of reach, but there is no counterexample
SATURATED = {"tanh": tanh, "the error function": erf, "arctan e^x": lambda x: atan(exp(x)),
             "the sigmoid": lambda x: 1 / (1 + exp(-x))}  # fmt: skip
TRUE = {
    "a logarithm on its cut": (log(exp(I * pi * x - third_of_them)), I * pi * x - third_of_them,
        [Gt(x, 0), Le(x, 1)]),
    "triangles at entries": (
        Integral(Sum(Max(0, 1 - 1000 * Abs(t - w[j])), (j, 1, N)), (t, -oo, oo)), N / S(1000)),
    "a peak beside four others": (
        Integral(sum(1 / ((t + m) ** 2 + 1) for m in (1, 2, 3, 4))
                 + Max(0, 1 - 10**12 * (t - Rational(5, 7)) ** 2), (t, 0, 1)),
        sum(atan(1 + m) - atan(m) for m in (1, 2, 3, 4)) + Rational(4, 3 * 10**6)),
    "a term that returns": (Sum((S.Half + exp(-((m - 500) ** 2)) / 2) ** m, (m, 1, oo)),
        Sum((S.Half + exp(-((m - 500) ** 2)) / 2) ** m, (m, 501, oo))
        + Sum((S.Half + exp(-((m - 500) ** 2)) / 2) ** m, (m, 1, 500))),
    "a multiple of an integral that is 0": (
        Sum(k1 * Integral(sin(z) * cos(z * x), (z, -1, 1)) + 1 / (k1 * (k1 + 1)), (k1, 1, oo)), 1),
    "one in a limit": (
        Limit(1 + X * Integral(sin(z) * cos(z * t), (z, -1, 1)), X, oo), 1),
    "one in an integral": (
        Integral(exp(-z) + z * Integral(sin(t) * cos(t * x), (t, -1, 1)), (z, 0, oo)), 1),
    "a limit that turns late": (y + Limit(exp(X * t - t * log(t)), t, oo), y),
    "a limit of a power that is late": (y + Limit(t**X * exp(-(t**alpha)), t, oo), y),
    "what rounding leaves, integrated": (
        y + Integral((exp(x) * exp(t) - exp(x + t)) * exp(alpha), (alpha, 1, oo)), y),
    "beside what falls": (
        y + Integral(1 / alpha**2 + alpha * (exp(x) * exp(t) - exp(x + t)), (alpha, 1, oo)), y + 1),
    "in a sum": (y + Sum(m * (1 / (1 + exp(x)) + 1 / (1 + exp(-x)) - 1), (m, 1, oo)), y),
    "on the way to a limit": (y + Limit((exp(x) * exp(t) - exp(x + t)) * alpha, alpha, oo), y),
    "a series that cancels": (
        (y + 1) * Sum((m0 + t) ** 60 * x**m0 / factorial(m0), (m0, 0, oo)),
        y * Sum((m0 + t) ** 60 * x**m0 / factorial(m0), (m0, 0, oo))
        + Sum((m0 + t) ** 60 * x**m0 / factorial(m0), (m0, 0, oo))),
    "an inner integral that is 0": (y + Integral(x * Integral(t, (t, -1, 1)), (x, 0, oo)), y),
    "a series": (y + Integral(x * Sum(2**-m, (m, 1, oo)) - x, (x, 0, oo)), y),
    "a limit": (y + Integral(x * Limit(t, t, 0), (x, -oo, oo)), y),
    "a mean": (y + Integral(x * Total(gauss[1], gauss), (x, 0, oo)), y),
    "in a limit": (y + Limit(x * (Integral(exp(-t), (t, 0, oo)) - 1), x, oo), y),
    "in a series": (y + Sum(m * Integral(t, (t, -1, 1)), (m, 1, oo)), y),
    "a limit at a place that moves": (y + Derivative(Limit(t, t, x), x), y + 1),
    "an n-th derivative in a sum": (y + Sum(Derivative(sin(m * x), (x, n)), (m, 1, N)),
        y + Derivative(Sum(sin(m * x), (m, 1, N)), (x, n))),
    "in an integral": (y + Integral(Derivative(cos(t * x), (x, n)), (t, 0, 1)),
        y + Derivative(sin(x) / x, (x, n)), [Gt(x, 0)]),
    "a denominator of which nothing is left": (y / unit, y),
    "its square beside 1": (y / (1 + unit**2), y / 2),
    "an exponential of it": (y * exp(-(unit**2)), y * exp(-1)),
    "a sum in its place": (x / (1 + Sum(exp(v[j]), (j, 1, N)) * exp(-v[1])
        - Sum(exp(v[j] - v[1]), (j, 1, N))), x),
    "the same beside an integral": (y / unit + Integral(exp(-(t**2)), (t, 0, 1)),
        y + Integral(exp(-(t**2)), (t, 0, 1))),
    "a slope of a maximum at a tie": (t * Subs(Derivative(Max(x, y) + Min(x, y), y), y, x), t),
    "of a product of two": (t * Subs(Derivative(Max(x, y) * Min(x, y), y), y, x), t * x),
    "0 to a power that is 0": (norm2(q) ** ((d - 1) / S(2)) * (x + 1),
        x * norm2(q) ** ((d - 1) / S(2)) + norm2(q) ** ((d - 1) / S(2))),
    "the same in thirds": (Abs(t) ** ((n - 1) / S(3)) * (x + 1),
        x * Abs(t) ** ((n - 1) / S(3)) + Abs(t) ** ((n - 1) / S(3))),
    "an empty power": (0 ** (N / S(2) - N / S(2) * n) * y, 0 ** ((1 - n) * N / 2) * y, [Eq(n, 1)]),
    "in the terms of a series": (Sum(y / (unit * 2**m0), (m0, 0, oo)), 2 * y),
    "two bumps, far apart": (Integral((exp(-((x - y) ** 2)) + exp(-((x - t) ** 2))) / 2, line),
        sqrt(pi)),
    "two of Laplace": (Integral(exp(-Abs(x - y)) + exp(-Abs(x - t)), line), S(4)),
    "two of the logistic law": (Integral(sech(x - y) ** 2 + sech(x - t) ** 2, line), S(4)),
    "one beyond all grids": (Integral(exp(-((x - exp(t)) ** 2)) + exp(-(x**2)), line),
        2 * sqrt(pi)),
    "chain rule": (Derivative(log(Sum(exp(s[j]), (j, 1, N))), q[b]),
        Sum(exp(s[j]) * k[j, b], (j, 1, N)) / Sum(exp(s[j]), (j, 1, N)), [Eq(s[j], score(j))]),
    "all digits lost": (Derivative(tanh(X), (X, 2)), -2 * sinh(X) / cosh(X) ** 3),
    "all digits of erf lost": (Derivative(erf(x), x), 2 * exp(-(x**2)) / sqrt(pi)),
    "a sign that rounding makes": (sign(sin(x) ** 2 + cos(x) ** 2 - 1) * t, S.Zero),
    "a limit approached late": (Limit(1 + n / (n + exp(X)), n, oo), S(2)),
    "later": (Limit(y + n / (n + exp(x**2)), n, oo), y + 1),
    "waves as fast as the nodes": (Total(cos(67 * x * gauss[1]), gauss), exp(-(67 * x) ** 2 / 2)),
    "a slow integral": (Integral(x ** Rational(-3, 2), (x, 1, oo)), S(2)),
    "a slow limit": (Limit(log(n) / n, n, oo), S.Zero),
    "a slower limit": (Limit(n ** Rational(-1, 3), n, oo), S.Zero),
    "the mass of a large mean": (Sum(exp(-2000) * Integer(2000) ** m0 / factorial(m0),
        (m0, 0, oo)), S.One),
    "a step at the end of a range": (Integral(tanh(alpha * x), (x, 0, 1)),
        log(cosh(alpha)) / alpha),
    "a narrow dip": (Integral(tanh(alpha * x) ** 2, (x, -1, 1)), 2 - 2 * tanh(alpha) / alpha),
    "a steep power": (Integral(1 - x**alpha, (x, 0, 1)), 1 - 1 / (alpha + 1)),
    "a steep exponential": (Integral(1 - exp(-alpha * x), (x, 0, 1)),
        1 - (1 - exp(-alpha)) / alpha),
    "a piece that is 0": (Integral(Max(0, x - Rational(1, 3)), (x, 0, 1)), Rational(2, 9)),
    "a short piece that is not": (Integral(Max(0, x - alpha), (x, 0, alpha + 1)), S.Half),
    "a mixture of Poisson's laws": (Sum((poisson(X) + poisson(Y)) / 2, (m0, 0, oo)), S.One),
    "waves that no node sees": (Integral(x**2 + sin(2 * x + 1), (x, -t, t)),
        2 * t**3 / 3 + sin(1) * sin(2 * t)),
    "the slope of such an integral": (Derivative(Integral(K(x), (x, 0, t)), t), K(t)),
    "waves of a complex exponential": (Integral(x**2 + exp(I * x), (x, 0, t)),
        t**3 / 3 + (exp(I * t) - 1) / I),
    "waves beside what falls off": (Integral((alpha**2 * x + cos(t * x)) * exp(-alpha * x),
        (x, 0, oo)), 1 + alpha / (alpha**2 + t**2)),
    "a root of what is 0 by a hypothesis": (y + sqrt(1 - sq), y, [Eq(sq, 1)]),
    "a small root of it, where its slope is small": (y * Abs(x - y) ** Rational(1, 10), S.Zero,
        [Eq(x**3, y**3)]),
    "a smaller root": (y * Abs(x - y) ** Rational(1, 60), S.Zero, [Eq(x**5 + x, y**5 + y)]),
    "a large multiple of it": (y + 10**60 * (exp(x) + t - 3), y, [Eq(exp(x) + t, 3)]),
    "a limit that a logarithm reaches late": (y * Limit(tanh(log(X) - 300), X, oo), y),
    "half-normal mean": (Integral(Abs(x) * exp(-(x**2) / 2) / sqrt(2 * pi), line), sqrt(2 / pi)),
    "Pareto's mean": (Integral(t * X * t ** (-X - 1), (t, 1, oo)), X / (X - 1), [Gt(X, 1)]),
    "triangle": (Sum(v[i] * v[j], (j, 1, i - 1), (i, 1, N)),
        (Sum(v[i], (i, 1, N)) ** 2 - Sum(v[i] ** 2, (i, 1, N))) / 2),
    "a slope at a simplex": (Limit(log(tilted(lambda j: exp(t * v[j]))) / t, t, 0),
        tilted(lambda j: v[j])),
    "from both sides": (Limit(log(tilted(lambda j: exp(t * v[j]))) / t, t, 0, "+-"),
        tilted(lambda j: v[j])),
    "entropy as a limit": (Limit(log(Sum(p[j] ** X, (j, 1, N))) / (1 - X), X, 1),
        -tilted(lambda j: log(p[j]))),
    "a slope on a sphere": (Limit((1 - Sum(ball[a] ** 2, (a, 1, d)) + t * x) / t, t, 0), x),
    "powers of what is 1": (y * Limit(Sum(ball[a] ** 2, (a, 1, d)) ** n, n, oo), y),
    "a slope where a hypothesis holds but for rounding": (Limit((1 - sq + t * x) / t, t, 0), x,
        [Eq(sq, 1)]),
    "a series of sines": (y * sines + y, y * (sines + 1)),
    "a sawtooth": (sines, (pi - x) / 2, [Gt(x, 0), Lt(x, 2 * pi)]),
    "a square wave": (Sum(sin((2 * n - 1) * x) / (2 * n - 1), (n, 1, oo)), pi / 4,
        [Gt(x, 0), Lt(x, pi)]),
    "waves that fall very slowly": (y * Sum(sin(n * x) / log(n + 1), (n, 1, oo)) + y,
        y * (Sum(sin(n * x) / log(n + 1), (n, 1, oo)) + 1)),
    "a series that falls after 2³⁶ terms": (y * Sum(x**2 / (1 + x**2) ** n, (n, 1, oo)), y,
        [Ne(x, 0)]),
    "one with 1 + x⁶ rounded to 1": (y * x**6 * Sum((1 + x**6) ** -n, (n, 1, oo)), y, [Ne(x, 0)]),
    "one that telescopes": (
        y * Sum(alpha * beta / ((1 + alpha * beta * n0) * (1 + alpha * beta * (n0 + 1))),
                (n0, 0, oo)), y),
    "a normal mean of a logarithm": (y * Total(log(Abs(gauss[1])), gauss),
        -y * (EulerGamma + log(2)) / 2),
    "of a power": (y * Total(1 / sqrt(Abs(gauss[1])), gauss),
        y * 2 ** Rational(-1, 4) * gamma(Rational(1, 4)) / sqrt(pi)),
    "a derivative of an integral with a jump that moves": (
        y * Derivative(Integral(jump(t - x), (t, 0, 1)), x) + y,
        y * (1 + jump(-x) - jump(1 - x)), [Gt(x, 0), Lt(x, 1)]),
    "of an arctangent with one": (y * Derivative(Integral(atan(1 / (t - x)), (t, 0, 1)), x) + y,
        y * (1 - atan(1 / (1 - x)) - atan(1 / x)), [Gt(x, 0), Lt(x, 1)]),
    "of the arctangent of a tangent": (
        y * Derivative(Integral(atan(tan(t - x)), (t, 0, 3)), x) + y,
        y * (1 - atan(tan(x)) - atan(tan(3 - x))), [Gt(x, 0), Lt(x, 1)]),
    "of one with a double zero": (
        y * Derivative(Integral(atan(sin(t - x) / (1 - cos(t - x))), (t, 0, 1)), x) + y,
        y * (1 - atan(sin(x) / (1 - cos(x))) - atan(sin(1 - x) / (1 - cos(1 - x)))),
        [Gt(x, 0), Lt(x, 1)]),
    "of one in an exponent": (
        y * Derivative(Integral(1 / (1 + exp(-sin(t - x) / (t - x) ** 2)), (t, 0, 1)), x) + y,
        y * (1 + 1 / (1 + exp(sin(x) / x**2)) - 1 / (1 + exp(-sin(1 - x) / (1 - x) ** 2))),
        [Gt(x, 0), Lt(x, 1)]),
    "two derivatives of a normal mean with a kink": (
        y * Derivative(Total(Max(gauss[1] - x, 0), gauss), (x, 2)),
        y * exp(-(x**2) / 2) / sqrt(2 * pi)),
    "a modulus of a binomial coefficient": (Abs(binomial(n, third)) * y, binomial(n, 3) * y,
        [Eq(third, 3)]),
    "a sign of an arctangent": (sign(atan(x)) * y, sign(x) * y, [Eq(x, N - 1)]),
    "a one-hot array": (Sum(r[j] * v[j], (j, 1, N)), v[i], [Eq(r[j], KroneckerDelta(j, i))]),
    **{f"equal values of {name}, which are 1 far out": (t * x, t * y, [Eq(f(x), f(y))])
       for name, f in SATURATED.items()},
    "those at two entries": (t * v[1], t * v[2], [Eq(tanh(v[1]), tanh(v[2])), Ge(N, 2)]),
    "those for all entries": (t * Sum(v[j], (j, 1, N)), t * N * x, [Eq(tanh(v[j]), tanh(x))]),
    "those at integers": (t * n, t * m, [Eq(tanh(n**20), tanh(m**20))]),
    "those beside letters that are equal": (
        (x - y) * sign(1 - sign(r[1] - r[2]) ** 2), S.Zero,
        [Eq(tanh(x) + r[1], tanh(y) + r[2]), Ge(N, 2)]),
    "a product that is 0, found as 10^-97": (t * x * tanh(y * exp(1000)), S.Zero,
        [Eq(exp(x * y) + x * y, 1)]),
    "an exponent that is 0": (t * (X - 1) * tanh(y * exp(1000)), S.Zero, [Eq(X**y, 1)]),
    "what a root leaves, made large": (t * tanh(Abs(y**2 - 2) * exp(1000)), S.Zero, [Eq(y**2, 2)]),
}  # fmt: skip
UNMET = {  # hypotheses that hold at numbers only as far as rounding tells
    "a hyperbolic tangent that is 1": (Eq(tanh(x), 1), t),
    "one that is 1 or more": (Ge(tanh(x), 1), t),
    "an error function that is 1": (Eq(erf(x), 1), x + t),
    "an entry": (Eq(tanh(v[j]), 1), Sum(v[j], (j, 1, N))),
    "integers": (Eq(tanh(10**6 * n), 1), t),
    "a slope below all digits": (Eq(tanh(x) * exp(400), exp(400)), t),
}
MET = {  # hypotheses with irrational solutions: statements that fail there
    "a circle": (x + y, 1, Eq(x**2 + y**2, 1)),
    "a hyperbola": (x, y, Eq(x**2, y**2 + 1)),
    "an even function": (t * (x - y), 0, Eq(cosh(x), cosh(y))),
    "zeros of the sine": (x, 0, Eq(sin(x), 0)),
    "zeros of the cosine": (x * sin(x), x, Eq(cos(x), 0)),
    "a vector": (v[1] ** 3, v[1], Eq(Sum(v[j] ** 2, (j, 1, N)), 1)),
    "equal values of a hyperbolic tangent": (t * x, t, Eq(tanh(x), tanh(y))),
    "a zero that is small": (t * (s[1] + 1), 2 * t, Eq(s[1] * exp(-(x**2)), 0)),
}


LINE = y * x**3 / 3 + t * x
FOR_ALL = {  # what holds as a hypothesis does for all x, but not if it does at some only
    "a slope that is never negative": (Ge(t, 0), Ge(Derivative(LINE, x), 0, evaluate=False)),
    "one that is positive": (Ge(t, 0), Gt(Derivative(LINE, x), 0, evaluate=False)),
    "one that is never 0": (Ge(t * y, 0), Ne(Derivative(LINE, x), 0, evaluate=False)),
    "one along a half line": (Ge(t, 0),
        Ge(Derivative(y * X**3 / 3 + t * X, X), 0, evaluate=False)),
    "negative numbers": (Eq(y, 1), Eq(Derivative(y * minus**2 + t * minus, minus), 2 * minus,
        evaluate=False)),
    "as many coefficients as were tried": (Eq(y, 1), Eq(
        Derivative(y * X**3 + t * X**2 + r[1] * X, X), 3 * X**2, evaluate=False)),
    "entries": (Ge(r[1], 0), Ge(Derivative(y * x**3 + r[i] * x, x), 0, evaluate=False)),
    "a slope that waves": (Ge(y, 1), Ge(Derivative(y * x + sin(100 * x) / 100, x), 0,
        evaluate=False)),
}  # fmt: skip
FAILING = {  # what such hypotheses leave open, at a point where they hold for all x
    "a slope that is never negative": (Ge(t, 1), Ge(Derivative(LINE, x), 0, evaluate=False)),
    "two variables": (
        Eq(y, 2),
        Eq(Derivative(y * x**2 * t**3, x, t), 6 * x * t**2, evaluate=False),
    ),
    "a sum": (
        Eq(Sum(v[j], (j, 1, N)), 5),
        Ge(Derivative(Sum(v[j] * x**2, (j, 1, N)), x, x), 0, evaluate=False),
    ),
    "an end of a modulus": (Lt(x, 10), Le(Abs(x), 10)),
    "the other end of it": (Gt(x, -10), Le(Abs(x), 10)),
    "ends of a square": (Gt(x, -7), Le(x**2, 49)),
    "ends of an interval": (Lt(x, 50), Le(x, 50), Ge(x, -50)),
    "ends of a product": (Lt(x, 1), Ge(x * (1 - x), 0)),
    "an inverse and a bound": (Lt(y, 3), Le(P[1, 1], y)),
}


@pytest.mark.parametrize("case", FOR_ALL)
def test_what_holds_for_all_values_is_not_refuted(case):
    claim, *given = FOR_ALL[case]
    with pytest.raises(ProofError, match="not refuted"):
        refute("wrong", claim, given=given, corrected=distributed(), location="here")


@pytest.mark.parametrize("case", FAILING)
def test_ends_and_hypotheses_for_all_values_refute(case):
    claim, *given = FAILING[case]
    refute("wrong", claim, given=given, corrected=distributed(), location="here")


def test_a_result_for_all_values_lets_refute():
    law = derive("law", exp(x + y) * t).eq(exp(x) * exp(y) * t, "exp")
    refute("wrong", Eq(x * y, 1), given=[law], corrected=distributed(), location="here")


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_theorem(claim):
    left, relation, right, *more = CLAIMS[claim]
    given, certificate, used = (*more, *((), None, ())[len(more) :])
    ends = [left, right] if certificate is None else [left, right, certificate]
    with pytest.raises(ProofError):
        context, core = elaborate(ends, [*((g, ASSUMED) for g in given), *used])
        if certificate is None:
            prove(context, core[0], relation, core[1])
        else:
            certified(context, core[0], relation, core[1], core[2])


@pytest.mark.parametrize("case", LINKS)
def test_refused(case):
    kind, words, attempt = LINKS[case]
    with pytest.raises(kind) as caught:
        attempt()
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("case", TRUE)
def test_true_statements_are_not_refuted(case):
    left, right, *given = TRUE[case]
    with pytest.raises(ProofError, match="not refuted"):
        refute(
            "wrong",
            Eq(left, right, evaluate=False),
            given=given[0] if given else (),
            corrected=distributed(),
            location="here",
        )


@pytest.mark.parametrize("case", UNMET)
def test_hypotheses_that_hold_only_up_to_rounding_are_refused(case):
    """From what no number meets, anything would follow."""
    hypothesis, e = UNMET[case]
    more = y * x if x in hypothesis.free_symbols else y * n
    with pytest.raises(IllFormed, match="no point satisfies|only special points"):
        derive("q", e * (more + 1), given=[hypothesis]).eq(e * more + e, "why")


@pytest.mark.parametrize("case", MET)
def test_irrational_solutions_of_hypotheses_refute(case):
    left, right, hypothesis = MET[case]
    claim = Eq(left, right, evaluate=False)
    refute("wrong", claim, given=[hypothesis], corrected=distributed(), location="here")


def test_a_counterexample_says_what_its_functions_are():
    made = refute("wrong", Eq(f(x), f(x, order=1)), corrected=distributed(), location="here")
    at_0, meant = made.record.counterexample.point
    e = written("f", t)
    assert meant == (r"f\left(t\right)", Number(tex(e), None)) and at_0[1].value == 0
    with mp.workdps(30):
        for order in range(3):
            assert abs(smooth("f")(order, mp.mpf(3)) - e.diff(t, order).subs(t, 3)) < 1e-25


def test_a_hypothesis_about_the_number_of_an_induction():
    total = Sum(m**2, (m, 1, n))
    with pytest.raises(IllFormed, match="hypothesis mentions n"):
        derive("q", total, given=[Le(n, 5)]).eq(n * (n + 1) * (2 * n + 1) / 6, induction_on(n))


def test_an_induction_over_the_number_of_states():
    claim = (n - 1) * (Total(S(1), by_n) - 2 ** (n - 1))
    with pytest.raises(IllFormed, match="length of an array"):
        context, (left, right) = elaborate([claim, S.Zero])
        induct(context, left, "=", right, n, 1)


def test_a_refutation_names_the_step_both_sides_and_the_point():
    with pytest.raises(Refuted) as caught:
        derive("slip", (x + y) ** 2).eq(x**2 + 2 * x * y + y**2, "expand").eq(
            x**2 + x * y + y**2, "collect")  # fmt: skip
    text = str(caught.value)
    assert text.startswith("slip, step 2 (collect): ") and "\n" not in text
    assert all(part in text for part in ("x = ", "y = ", "the left side is", "the right side is"))
