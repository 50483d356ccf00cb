"""What must be proved is proved, through the words that chapters use; LOGPARTITION_AUDIT=full adds
the slow statements."""

from functools import cache

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    Ge,
    Gt,
    Integral,
    KroneckerDelta,
    Le,
    Limit,
    Lt,
    Max,
    Min,
    Mul,
    Ne,
    Product,
    Subs,
    Sum,
    Symbol,
    binomial,
    cos,
    cosh,
    exp,
    factorial,
    gamma,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    symbols,
    tanh,
)  # fmt: skip
from sympy.core.cache import clear_cache

from logpartition.proof import (
    Total,
    Unfalsifiable,
    along,
    array,
    average,
    by,
    covariance,
    derive,
    differentiate,
    function,
    grad,
    hessian,
    induction,
    induction_on,
    instance,
    integrate,
    inverse,
    mean,
    named,
    rearrange,
    sum_series,
    sum_states,
    take_limit,
    theorem,
    total,
)  # fmt: skip
from logpartition.proof.kernel.context import canonical
from logpartition.proof.kernel.terms import Bound, at_place, substitute
from logpartition.proof.tensors import tensor

from .symbols import (
    N,
    a,
    b,
    beta,
    c,
    d,
    i,
    j,
    k,
    l,
    n,
    p,
    partition,
    q,
    r,
    s,
    t,
    v,
    w,
    weight,
    x,
    y,
)  # fmt: skip

X, Y = Symbol("x", positive=True), Symbol("y", positive=True)
m, m0 = Symbol("m", integer=True, positive=True), Symbol("m", integer=True, nonnegative=True)
z = Symbol("z", nonnegative=True)
free = Symbol("tau", real=True)
low, high = Symbol("A", real=True), Symbol("B", real=True)
K, u, o = function("K"), array("u", d), array("o", d)
S, W, M = (
    array("S", d, d, domain="definite"),
    array("W", N, N, domain="symmetric"),
    array("M", d, d),
)
P = inverse(S, "P")
bits, gauss, e = array("h", N, domain=(0, 1)), array("g", d, domain="normal"), array("e", N + 1)
spins = array("h", N, domain=(-1, 1))
square = array("A", N, N)
below = Derivative(Integral(exp(-x * t**2), (t, 0, 1)), (x, n + 1))
ball, long = array("s", d, domain="sphere"), array("h", n**99)
far = inverse(array("M", n**99, n**99, domain="invertible"), "W")
Z = named("Z", total(exp(beta * (k[l] @ q)), l))
G = named("G", log(Z) / beta)
attention = tensor("p", (N,), lambda at: exp(beta * (k[at] @ q)) / Z)
tilted = lambda at: exp(beta * s[at]) / Sum(exp(beta * s[l]), (l, 1, N))
expect = lambda f: Sum(tilted(i) * f(i), (i, 1, N))
lse = log(Sum(exp(s[j]), (j, 1, N)))


# --- chains in several steps ----------------------------------------------------------------------


@cache
def softmax_gradient():
    return (derive("softmax-gradient", grad(G, q))
            .eq(grad(Z, q) / (beta * Z), differentiate("the chain rule"))
            .eq(total(exp(beta * (k[j] @ q)) * k[j], j) / Z, differentiate)
            .eq(mean(k[j], attention), rearrange))  # fmt: skip


def softmax_hessian():
    return derive("softmax-hessian", hessian(G, q)).eq(
        beta * covariance(k[j], k[j], attention), differentiate)  # fmt: skip


def along_a_direction():
    return derive("slopes", along(G, 1, q, u)).eq(mean(k[j] @ u, attention), differentiate)


def cumulant(order):
    law = lambda at: exp(s[at]) / Sum(exp(s[l]), (l, 1, N))
    e1, e2, e3, e4 = (Sum(law(j) * r[j] ** power, (j, 1, N)) for power in (1, 2, 3, 4))
    of = {1: e1, 2: e2 - e1**2, 3: e3 - 3 * e2 * e1 + 2 * e1**3,
          4: e4 - 4 * e3 * e1 - 3 * e2**2 + 12 * e2 * e1**2 - 6 * e1**4}[order]  # fmt: skip
    start = Subs(Derivative(log(Sum(exp(s[j] + t * r[j]), (j, 1, N))), (t, order)), t, 0)
    return derive(f"cumulant-{order}", start).eq(of, differentiate)


def bregman():
    gap = log(partition(o)) / beta - log(partition()) / beta - Sum(
        (o[a] - q[a]) * Derivative(log(partition()) / beta, q[a]), (a, 1, d))  # fmt: skip
    return derive("bregman", gap).eq(
        Sum(weight(j) * log(weight(j) / weight(j, o)), (j, 1, N)) / beta,
        differentiate)  # fmt: skip


def fenchel():
    gap = Sum(p[j] * log(p[j]), (j, 1, N)) + lse - Sum(p[j] * s[j], (j, 1, N))
    ratio = p[j] * Sum(exp(s[l]), (l, 1, N)) / exp(s[j])
    return derive("fenchel", gap).eq(Sum(p[j] * log(ratio), (j, 1, N)), "the weights sum to 1")


@cache
def lagrange():
    variance = Sum(p[j] * r[j] ** 2, (j, 1, N)) - Sum(p[j] * r[j], (j, 1, N)) ** 2
    pairs = Sum(p[i] * p[j] * (r[i] - r[j]) ** 2, (i, 1, N), (j, 1, N)) / 2
    return derive("lagrange", variance).eq(pairs, rearrange).ge(0, "squares")


@cache
def popoviciu():
    at = Sum(p[j] * r[j], (j, 1, N))
    variance = Sum(p[j] * r[j] ** 2, (j, 1, N)) - at**2
    gaps = Sum(p[j] * (high - r[j]) * (r[j] - low), (j, 1, N))
    return (derive("popoviciu", variance, given=[Ge(r[j], low), Le(r[j], high)])
            .le((high - at) * (at - low), "Bhatia and Davis", certificate=gaps)
            .le((high - low) ** 2 / 4, "Popoviciu",
        certificate=(at - (low + high) / 2) ** 2))  # fmt: skip


def completed_square():
    form = lambda f: Sum(S[a, b] * f(a) * f(b), (a, 1, d), (b, 1, d))
    shifted = lambda at: u[at] - Sum(P[at, c] * o[c], (c, 1, d))
    rest = Sum(P[a, b] * o[a] * o[b], (a, 1, d), (b, 1, d)) / 2
    return derive("square", form(lambda at: u[at]) / 2 - Sum(o[a] * u[a], (a, 1, d))).eq(
        form(shifted) / 2 - rest, "complete the square")  # fmt: skip


def elbo():
    evidence = Sum(w[j], (j, 1, N))
    return derive("elbo", log(evidence)).eq(
        Sum(p[j] * log(w[j] / p[j]), (j, 1, N)) + Sum(p[j] * log(p[j] * evidence / w[j]),
        (j, 1, N)),
        "split each logarithm")  # fmt: skip


def cooled_entropy():
    return derive("cooling", Derivative(-expect(lambda at: log(tilted(at))), beta)).eq(
        -beta * (expect(lambda at: s[at] ** 2) - expect(lambda at: s[at]) ** 2),
        differentiate)  # fmt: skip


def bernoulli_recursion():
    power = log(1 - y + y * exp(t))
    once = Derivative(power, t)
    return derive("bernoulli", Derivative(power, (t, 2)), given=[Gt(y, 0), Lt(y, 1)]).eq(
        once * (1 - once), differentiate)  # fmt: skip


# --- results that use results ---------------------------------------------------------------------


def squared():
    """An instance of a result that rests on a certificate of its own."""
    taylor = Integral((z - t) ** 2 / 2 * exp(t), (t, 0, z))
    square = derive("square", exp(z)).ge(z**2 / 2, "Taylor", certificate=1 + z + taylor)
    return derive("fourth", 2 * exp(x**2)).ge(x**4, by(instance(square, {z: x**2})))


def one_place():
    """A result for all places at one of them."""
    bound = derive("small", v[i] ** 2, given=[Le(Abs(v[i]), 1)]).le(
        1, "both factors are at least 0", certificate=(1 - Abs(v[i])) * (1 + Abs(v[i]))
    )
    return derive("q", v[1] ** 2).le(1, by(bound))  # fmt: skip


def doubled():
    """A result with hypotheses, which the link that uses it inherits."""
    bound = popoviciu()
    variance = bound.statement.lhs
    chain = derive("doubled", 2 * variance).le((high - low) ** 2 / 2, by(bound))
    assert chain.facts == bound.facts
    return chain


def joined():
    return theorem("joined", "The gradient is a mean, and its spread is a variance.",
                   by={softmax_gradient(): "the mean", lagrange(): "the variance"},
                   argument="See {softmax-gradient} and {lagrange}.")  # fmt: skip


def exponential_orders():
    claim = Eq(Derivative(-log(1 - t), (t, n)), factorial(n - 1) * (1 - t) ** (-n))
    return induction("exponential", claim, n, advance=lambda f: Derivative(f, t), given=[Lt(t, 1)],
                     reason="differentiate once more")  # fmt: skip


AT = tensor("r", (N,), lambda j: x + j * y)
CHAINS = {
    "vectors whose length stands in no entry": lambda: derive("q", AT * AT).eq(
        tensor("s", (N,), lambda j: x**2 + 2 * x * j * y + j**2 * y**2), rearrange),
    "gradient of the log-partition": softmax_gradient, "its Hessian": softmax_hessian,
    "its slope": along_a_direction, "Fenchel's gap": fenchel, "Lagrange's identity": lagrange,
    "Popoviciu": popoviciu, "evidence": elbo, "completed square": completed_square,
    "cooling": cooled_entropy, "logistic equation": bernoulli_recursion,
    "an instance": squared, "a result with hypotheses": doubled, "all orders": exponential_orders,
        "Bregman": bregman, "a result at a place": one_place,
    "cumulant 1": lambda: cumulant(1), "cumulant 2": lambda: cumulant(2),
    "cumulant 3": lambda: cumulant(3), "cumulant 4": lambda: cumulant(4),
}  # fmt: skip

# --- statements in one step: left, relation, right, reason, hypotheses, certificate ---------------

line = (x, -oo, oo)
normal = exp(-(x**2) / 2) / sqrt(2 * pi)
form = lambda f, g: Sum(W[i, j] * f[i] * g[j], (i, 1, N), (j, 1, N))
tokens = lambda at: Sum(k[at, a] * q[a], (a, 1, d))
dot = lambda f, g: Sum(f[a] * g[a], (a, 1, d))
power_at_0 = Subs(Derivative(t ** (m + 1), t), t, 0)
small = sqrt(1 - tanh(x) ** 2)  # of what may be less than 0, after rounding
STATEMENTS = {
    "a minimum with a small root": (Min(y, small), "≤", y, rearrange),
    "a maximum with one": (2 * Max(1, small), "=", 1 + small + Abs(small - 1), rearrange),
    "large powers of an exponential": (y / (1 + exp(900 * t - 1000 * x)) + y, "=",
        y * (1 + 1 / (1 + exp(900 * t - 1000 * x))), rearrange),
    "a common factor of large powers": (log(X**901 + X**900), "=", 900 * log(X) + log(1 + X),
        rearrange),
    "an entry of an inverse": (P[1, 1] * t + t, "=", t * (x + 1), rearrange, [Eq(P[1, 1], x)]),
    "a bound on one": (t * (P[1, 1] + x), "=", t * P[1, 1] + t * x, rearrange,
        [Le(P[1, 1], x)]),
    "0/0 as it stands": (x * power_at_0 + x * t, "=", x * t, rearrange, [Eq(power_at_0, 0)]),
    "a modulus over what is positive": (Sum(Abs(m) * y, (m, 1, N)), "=", y * Sum(m, (m, 1, N)),
        rearrange),
    "the same between two ends": ((t + 1) * Integral(sqrt(Y), (Y, x**2, 0)), "=",
        t * Integral(sqrt(Y), (Y, x**2, 0)) + Integral(sqrt(Y), (Y, x**2, 0)), rearrange),
    "a power under an integral": (Derivative(Integral(t**X, (t, 0, 1)), X) * (y + 1), "=",
        y * Derivative(Integral(t**X, (t, 0, 1)), X) + Derivative(Integral(t**X, (t, 0, 1)), X),
        rearrange),
    "a slope of a gamma function": (Derivative(gamma(X), X), "=",
        gamma(X) * Derivative(log(gamma(X)), X), differentiate),
    "a limit at a constraint": (Limit((1 - Sum(ball[a] ** 2, (a, 1, d)) + t * x) / t, t, 0), "=", x,
        take_limit),
    "an entry of a long array": (long[1] * (x + 1), "=", long[1] * x + long[1], rearrange),
    "an entry of a large inverse": (far[1, 1] * (x + 1), "=", far[1, 1] * x + far[1, 1], rearrange),
    "the chain rule at an exponential": (
        Derivative(K(exp(x)), x), "=", exp(x) * K(exp(x), order=1), differentiate),
    "a bound beyond all numbers": (x * (y + 1), "=", x * y + x, rearrange, [Ge(x, exp(exp(t)))]),
    "an order above that of a rule": (below * (x + 1), "=", below * x + below, rearrange),
    "a sign of what is real": (t + y * sign(x) ** 2, "=", t + y, rearrange, [Eq(x, exp(t))]),
    "a root of what is known": (t * y + t, "=", sqrt(x) * y + t, rearrange,
        [Eq(t, sqrt(x)), Ge(x, 0)]),
    "a letter for a modulus": (t * y + t, "=", Abs(z) * y + t, rearrange, [Eq(t, Abs(z))]),
    "a term as it is written": ((y + 1) * Mul(x, 1 / x, 1 / x, evaluate=False), "=",
        y / x + 1 / x, rearrange, [Ne(x, 0)]),
    "an inverse held, of what else varies": (Derivative(x * P[a, b], x), "=", P[a, b],
        differentiate, [Eq(S[a, b], (1 + t**2) * KroneckerDelta(a, b))]),
    "an inverse of a sum over what nothing else counts": (x * Sum(P[a, b] * u[b], (b, 1, d)), "=",
        Sum(x * P[a, b] * u[b], (b, 1, d)), rearrange,
        [Eq(S[a, b], Sum(k[i, a] * k[i, b], (i, 1, N)) + beta * KroneckerDelta(a, b))]),
    "an inverse of rounded numbers": (P[a, b] * (x + 1), "=", P[a, b] * x + P[a, b], rearrange,
        [Eq(S[a, b], exp(x) * KroneckerDelta(a, b))]),
    "a matrix by a letter, defined later": (x * P[a, b] + x, "=", x * (P[a, b] + 1), rearrange,
        [Eq(S[a, b], t * KroneckerDelta(a, b)), Eq(t, 1 + y**2)]),
    "a power of a power": (2 ** (X**Y) * t + t, "=", t * (1 + 2 ** (X**Y)), rearrange),
    "the kind of an array that a hypothesis alone names": (Abs(x) * y, "=", x * y, rearrange,
        [Eq(array("w", N, domain="positive")[j], x)]),
    "weights up to a symbol": (x * Sum(array("p", n, domain="simplex")[j], (j, 1, n)), "=", x,
        rearrange),
    "a tail of the exponential": (X**2 * Sum(X**m0 / factorial(m0 + 2), (m0, 0, oo)), "=",
        exp(X) - X - 1, sum_series),
    "a number that is not evaluated": (
        x**2 + log(2) + Subs(Derivative(exp(t), t), t, 0), "≥", 0, "a sign"),
    "a denominator that is not evaluated": (x / (log(2) + Integral(exp(-(t**2)), (t, 0, 1))) + y,
        "=", (x + y * log(2) + y * Integral(exp(-(t**2)), (t, 0, 1)))
        / (log(2) + Integral(exp(-(t**2)), (t, 0, 1))), rearrange),
    "a value of a function": (x**2 + log(2) + 3 * K(0), "≥", 0, "a sign", [Ge(K(0), 0)]),
    "a sum that is a function of itself": (x * Sum(s[j], (j, 1, N)) + x, "=",
        x * (1 + exp(-y * Sum(s[j], (j, 1, N)))), rearrange,
        [Eq(Sum(s[j], (j, 1, N)), exp(-y * Sum(s[j], (j, 1, N))))]),
    "values by the sum of all of them": (x * K(r[i]) + x, "=",
        x * (1 + Sum(square[i, j] * K(r[j]), (j, 1, N))), rearrange,
        [Eq(K(r[i]), Sum(square[i, j] * K(r[j]), (j, 1, N)))]),
    "two sums, each by the other": (x * Sum(s[j], (j, 1, N)) + x, "=",
        x * (1 + Sum(r[j], (j, 1, N))), rearrange,
        [Eq(Sum(s[j], (j, 1, N)), Sum(r[j], (j, 1, N))),
        Eq(Sum(r[j], (j, 1, N)), Sum(s[j], (j, 1, N)))]),
    "a sum by what comes out of another": (x * Sum(s[j], (j, 1, N)) + x, "=",
        x * (1 + exp(-(y**2) * Sum(s[j], (j, 1, N)))), rearrange,
        [Eq(Sum(s[j], (j, 1, N)), exp(-Sum(y**2 * s[j], (j, 1, N))))]),
    "two names": (N * d * (x + y), "=", N * d * x + N * d * y, rearrange),
    "weights": (Derivative(tilted(j), beta), "=", tilted(j) * (s[j] - expect(lambda at: s[at])),
                differentiate),
    "means": (Derivative(expect(lambda at: v[at]), beta), "=",
              expect(lambda at: v[at] * s[at])
              - expect(lambda at: v[at]) * expect(lambda at: s[at]), differentiate),
    "chain rule": (Derivative(lse, q[b]), "=",
                   Sum(exp(s[j]) * k[j, b], (j, 1, N)) / Sum(exp(s[j]), (j, 1, N)), differentiate,
                   [Eq(s[j], tokens(j))]),
    "a place, and what is defined under a binder": (
        Subs(t * Integral(free * t, (free, 0, y)), t, x), "=", x**2 * Sum(v[i], (i, 1, N)) ** 2 / 2,
        integrate, [Eq(y, Sum(v[i], (i, 1, N)))]),
    "product rule": (Derivative(K(t) * cos(t), t), "=", K(t, 1) * cos(t) - K(t) * sin(t),
                     differentiate),
    "rate of a scaling": (Subs(Derivative(K(t * x), (t, n)), t, 0), "=", x**n * K(0, n),
                          differentiate),
    "constants": (Derivative(3 * t + 5 * t**2, (t, n + 2)), "=", 0, differentiate),
    "a recursion of orders": (
        Derivative(log(1 - X + X * exp(t)), (t, n + 1)), "=",
        X * (1 - X) * Derivative(log(1 - X + X * exp(t)), (t, n), X), differentiate, [X < 1]),
    "a binomial that is a number": (
        X * binomial((X + 1) ** 2 - X**2 - 2 * X - 1, n) + X**2, "=", X**2, rearrange),
    "binomial coefficients": (Derivative(X**m / factorial(m), (X, n)), "=",
                           binomial(m, n) * factorial(n) * X ** (m - n) / factorial(m),
                           differentiate + induction_on(n)),
    "fundamental theorem": (Integral(K(t, 1), (t, x, y)), "=", K(y) - K(x), integrate),
    "normal moments": (Integral(exp(y * x) * normal, line), "=", exp(y**2 / 2), integrate),
    "half-normal mean": (Integral(Abs(x) * normal, line), "=", sqrt(2 / pi), integrate),
    "logarithm": (y * Integral(1 / (1 + x), (x, 0, 1)), "=", y * log(2), integrate),
    "Pareto mean": (Integral(t * X * t ** (-X - 1), (t, 1, oo)), "=", X / (X - 1), integrate,
                    [Gt(X, 1)]),
    "Laplace transform": (
        Integral(exp(t * x + x) / 2, (x, -oo, 0)) + Integral(exp(t * x - x) / 2, (x, 0, oo)), "=",
        1 / (1 - t**2), integrate, [t < 1, t > -1]),
    "Gamma's integral": (Integral(t ** (X - 1) * exp(-Y * t), (t, 0, oo)), "=", gamma(X) / Y**X,
        integrate),
    "a half of Gauss's": (Integral(x**2 * exp(-Y * x**2), (x, 0, oo)), "=",
        sqrt(pi) / (4 * Y * sqrt(Y)), integrate),
    "a tail of Laplace": (Integral(exp(-Y * t), (t, X, oo)), "=", exp(-X * Y) / Y, integrate),
    "the logistic density": (Integral(exp(-x) / (1 + exp(-x)) ** 2, (x, -oo, oo)), "=", 1,
        integrate),
    "the mean of a ReLU": (Integral(Max(x, 0) * normal, line), "=", 1 / sqrt(2 * pi), integrate),
    "Poisson's mass": (Sum(beta**m0 / factorial(m0), (m0, 0, oo)), "=", exp(beta), sum_series),
    "Poisson's mean": (Sum(m0 * beta**m0 / factorial(m0), (m0, 0, oo)), "=", beta * exp(beta),
                       sum_series),
    "a sum from above": (Sum(exp(t * v[j]), (j, 1, N)), "≤", N * exp(t * x), rearrange,
        [Le(v[j], x), Ge(t, 0)], Sum(exp(t * x) - exp(t * v[j]), (j, 1, N))),
    "a sum from below": (Sum(exp(t * v[j]), (j, 1, N)), "≥", N * exp(t * x), rearrange,
        [Ge(v[j], x), Ge(t, 0)], Sum(exp(t * v[j]) - exp(t * x), (j, 1, N))),
    "one with two factors below 0": ((x - 1) * (y - 2), "≥", 0, rearrange, [Le(x, 1), Le(y, 2)]),
    "geometric series": (Sum(x**m0, (m0, 0, oo)), "=", 1 / (1 - x), sum_series, [x < 1, x > -1]),
    "a geometric mean square": (Sum(m0**2 * x**m0, (m0, 0, oo)), "=", x * (1 + x) / (1 - x) ** 3,
        sum_series, [x < 1, x > -1]),
    "a tail of the geometric series": (Sum(x**m0, (m0, N, oo)), "=", x**N / (1 - x), sum_series,
        [x < 1, x > -1]),
    "a series of exponentials": (Sum(exp(-m0 * X), (m0, 0, oo)), "=", 1 / (1 - exp(-X)),
        sum_series),
    "a series that Raabe's test finds to converge": (y * Sum((m0 + 1) ** -2, (m0, 0, oo)) + y, "=",
        y * (1 + Sum((m0 + 1) ** -2, (m0, 0, oo))), rearrange),
    "sum of numbers": (Sum(m, (m, 1, n)), "=", n * (n + 1) / 2, "count"),
    "sum of squares": (Sum(m**2, (m, 1, n)), "=", n * (n + 1) * (2 * n + 1) / 6, induction_on(n)),
    "telescope": (Sum(e[j + 1] - e[j], (j, 1, N)), "=", e[N + 1] - e[1], rearrange),
    "triangle of a square": (Sum(v[i] * v[j], (j, 1, i - 1), (i, 1, N)), "=",
                             (Sum(v[i], (i, 1, N)) ** 2 - Sum(v[i] ** 2, (i, 1, N))) / 2,
        rearrange),
    "one-hot": (Sum(r[j] * v[j], (j, 1, N)), "=", v[i], rearrange,
        [Eq(r[j], KroneckerDelta(j, i))]),
    "inverse": (Sum(S[a, b] * P[b, c], (b, 1, d)) * x, "=", x * KroneckerDelta(a, c), rearrange),
    "symmetric": (form(v, r), "=", form(r, v), rearrange),
    "Gram": (Sum(v[i] * v[j] * Sum(k[i, a] * k[j, a], (a, 1, d)), (i, 1, N), (j, 1, N)), "=",
             Sum(Sum(k[i, a] * v[i], (i, 1, N)) ** 2, (a, 1, d)), rearrange),
    "definite form": (Sum(S[a, b] * u[a] * u[b], (a, 1, d), (b, 1, d)), "≥", 0, rearrange),
    "Max and Min": (Max(x, y) + Min(x, y), "=", x + y, rearrange),
    "triangle inequality": (Abs(x + y), "≤", Abs(x) + Abs(y), rearrange),
    "square below the line": (2 * x * y, "≤", x**2 + y**2, rearrange, [], (x - y) ** 2),
    "exp is monotone": (exp(x), "≤", exp(y), rearrange, [Le(x, y)]),
    "sqrt is monotone": (sqrt(X), "≤", sqrt(Y), rearrange, [Le(X, Y)]),
    "log below its tangent": (log(X), "≤", X - 1, rearrange),
    "soft maximum": (lse, "≥", s[i], rearrange),
    "Bernoulli's inequality": ((1 + t**2) ** n, "≥", 1 + n * t**2, induction_on(n)),
    "entropy": (-Sum(p[j] * log(p[j]), (j, 1, N)), "≤", log(N), rearrange, [],
                Sum(p[j] * (1 / (N * p[j]) - 1 - log(1 / (N * p[j]))), (j, 1, N))),
    "logistic below 1": (1 / (1 + exp(-x)), "<", 1, rearrange),
    "compound interest": (Limit((1 + x / n) ** n, n, oo), "=", exp(x), take_limit),
    "a quotient of growths": (Limit((X * n + 1) / (Y * n + 2), n, oo), "=", X / Y, take_limit),
    "hot": (Limit(log(exp(X * t) / 2 + exp(Y * t) / 2) / t, t, 0), "=", (X + Y) / 2, take_limit),
    "slow growth": (x + Limit(log(n) / n, n, oo), "=", x, take_limit),
    "a logistic limit": (Limit(t / (X + exp(-Y * n)), n, oo), "=", t / X, take_limit),
    "a root of a limit": (Limit(sqrt(X + exp(-Y * n)), n, oo) + t, "=", sqrt(X) + t, take_limit),
    "a hypothesis over what is not 0": (x + z / exp(y), "=", (x**2 + x * exp(y)) / exp(y),
        rearrange, [Eq(x**2, z)]),
    "deltas over ranges alike": (Sum(x * KroneckerDelta(i, j), (i, 1, N), (j, 1, N)), "=", N * x,
        rearrange),
    "an integral from 0 on": (Integral(1 / sqrt(t), (t, 0, X)), "=", 2 * sqrt(X), integrate),
    "states of hidden units": (
        Total(exp(Sum(s[j] * bits[j], (j, 1, N))), bits), "=", Product(1 + exp(s[j]), (j, 1, N)),
        sum_states),
    "states that meet the entries before theirs": (
        log(Total(exp(Sum(spins[i] * v[j], (j, 1, i), (i, 1, N))), spins)), "=",
        Sum(log(2 * cosh(Sum(v[j], (j, 1, i)))), (i, 1, N)), sum_states),
    "log of a product": (log(Product(1 + exp(s[j]), (j, 1, N))), "=",
                         Sum(log(1 + exp(s[j])), (j, 1, N)), rearrange),
    "normal vectors": (Total(exp(dot(gauss, q)), gauss), "=", exp(dot(q, q) / 2), average),
    "random features": (
        Total(cos(Sum(gauss[a] * (q[a] - u[a]), (a, 1, d))), gauss), "=",
        exp(-Sum((q[a] - u[a]) ** 2, (a, 1, d)) / 2), average),
}  # fmt: skip

VERBS = {"=": "eq", "≤": "le", "≥": "ge", "<": "lt", ">": "gt"}
run = pytest.mark.parametrize


def proved(result):
    """A derivation in which every link is a theorem, computed at every point, and falsified."""
    record = result.record.json()
    assert record["verdict"] == "proved" and record["scope"] in ("all sizes", "")
    for step in record["steps"]:
        assert step["symbolic"] and step["numeric"]["points"] == step["numeric"]["of"] > 0
        assert step["mutants"]["tried"] == step["mutants"]["killed"] > 0


@run("name", CHAINS)
def test_chain(name):
    proved(CHAINS[name]())


@run("name", STATEMENTS)
def test_statement(name):
    proved(stated(*STATEMENTS[name]))


def stated(left, relation, right, why, given=(), certificate=None):
    chain = derive("q", left, given=given)
    options = {} if certificate is None else {"certificate": certificate}
    return getattr(chain, VERBS[relation])(right, why, **options)


def test_a_result_about_an_inverse_is_not_refuted_where_it_is_used():
    half = derive("half", P[a, b] * x, given=[Eq(S[a, b], 2 * KroneckerDelta(a, b))]).eq(
        x * KroneckerDelta(a, b) / 2, "what the inverse is")  # fmt: skip
    for options in ({"why": by(half)}, {"why": "half", "using": half}):
        with pytest.raises(Unfalsifiable, match="closes without"):
            derive("use", x * y * P[a, b]).eq(x * y * KroneckerDelta(a, b) / 2, **options)


def test_theorem():
    record = joined().record
    assert record.verdict == "argued" and record.rests == ()


def test_letters_that_are_equal_are_one_letter():
    """Whether a derivative's variable can change its name does not depend on what was cached."""
    first = Bound(2, 0, real=True)
    clear_cache()
    second, new = Bound(2, 0, real=True), Symbol("y", real=True)
    assert first == second and first is not second
    e = Derivative(exp(second), second)
    assert substitute(e, {first: new}) == Derivative(exp(new), new)


def test_a_bound_letter_does_not_depend_on_what_was_written_before():
    """Two expressions at a place that differ in the letter alone, or in what is assumed of the
    place, are two expressions: neither is given for the other."""
    at = lambda letter, place: t + Subs(Derivative(t * exp(letter), letter), letter, place)
    first, second, third = at(beta, x), at(y, x), at(y, X)
    written = [next(iter(e.atoms(Subs))) for e in (first, second, third)]
    assert [(e.variables[0], e.point[0]) for e in written] == [(beta, x), (y, x), (y, X)]
    assert x != X and canonical(at(z, x)) == canonical(at(Symbol("h", nonnegative=True), x))
    v1 = v[1]
    kept = derive("p", t * v1 + v1 * Subs(Derivative(t * exp(x), x), x, N)).eq(
        t * v1 + t * v1 * exp(N), "the slope")  # fmt: skip
    other = derive("q", x * v1 + Subs(Derivative(t * exp(y), y), y, N) + 1, given=[Eq(x, t**2)]).eq(
        t**2 * v1 + 1 + t * exp(N), "the slope")  # fmt: skip
    for chain, letter in ((kept, "x"), (other, "y")):
        assert f"partial {letter}}}" in chain.record.json()["statement"]


def test_a_place_within_a_place():
    """What stands at an inner place takes the outer one."""
    x, y, z = symbols("x y z", real=True)
    inner = Subs(Derivative(x**2 * y, x), x, y)
    assert at_place(inner, (y,), (z,)).doit() == 2 * z**2
    assert at_place(inner, (x,), (z,)) == inner
