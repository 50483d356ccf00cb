"""What chapters will say is proved as they will say it: for each claim of the ledger whose formula
needs sums over states or draws, means over normal vectors, sequences, functions, instances,
monotonicity, absolute values, inverses or equations as hypotheses, a statement for all sizes.

The tables map the name of a claim and what is said of it to a derivation. What takes longer than a
few seconds runs with LOGPARTITION_AUDIT=full.
"""

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
    Max,
    Product,
    Subs,
    Sum,
    cos,
    cosh,
    coth,
    exp,
    gamma,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from logpartition.proof import (
    Total,
    array,
    average,
    by,
    derive,
    differentiate,
    function,
    indices,
    instance,
    integrate,
    inverse,
    rearrange,
    sizes,
    sum_states,
    take_limit,
)

from .symbols import N, a, b, beta, c, d, i, j, l, n, p, q, r, s, t, w
from .test_proved import proved

H, M, T, V, L = sizes("H M T V L")
mu, nu, at, other = indices("u z e y")
X, Y = symbols("X Y", positive=True)
A, B, s0 = symbols("A B S", real=True)
z, rho, margin, sigma, turn = symbols("z r delta sigma g", positive=True)
least, most = symbols("m k", integer=True, nonnegative=True)
o, u = array("o", d), array("u", d)
K, F = function("K"), function("F")

bits, spins = array("h", H, domain=(0, 1)), array("h", H, domain=(-1, 1))
hidden, gauss = array("g", H, domain="normal"), array("g", d, domain="normal")
W, bias, visible, other_bias = array("W", V, H), array("b", H), array("v", V), array("a", V)
field = lambda m: Sum(W[i, m] * visible[i], (i, 1, V))
pre = lambda m: bias[m] + field(m)
weighed = lambda h: exp(
    Sum(other_bias[i] * visible[i], (i, 1, V))
    + Sum(bias[mu] * h[mu], (mu, 1, H))
    + Sum(W[i, mu] * visible[i] * h[mu], (i, 1, V), (mu, 1, H))
)
apart = lambda h: exp(Sum(bias[mu] * h[mu], (mu, 1, H)))
on = lambda m: 1 / (1 + exp(-bias[m]))

draws = array("D", H, domain=T)
law, f, g = array("p", T, domain="simplex"), array("f", T, domain="positive"), array("g", T)
drawn = Product(law[draws[mu]], (mu, 1, H))
expect = lambda body: Sum(law[at] * body(at), (at, 1, T))
mean = expect(lambda k: g[k])

dot = lambda e, f: Sum(e[a] * f[a], (a, 1, d))
points, weights = array("P", N, d), array("v", N)
row = lambda k: Sum(points[k, a] * gauss[a], (a, 1, d))
gram = lambda k, m: Sum(points[k, a] * points[m, a], (a, 1, d))
feature = lambda k: exp(row(k) - gram(k, k) / 2)

second, energies = array("z", N, domain="simplex"), array("e", N)
softmax = lambda k: exp(s[k]) / Sum(exp(s[l]), (l, 1, N))
boltzmann = lambda k: exp(-beta * energies[k]) / Sum(exp(-beta * energies[l]), (l, 1, N))
steps, tall = array("e", N + 1), array("e", N + 1, domain="positive")
chain, x_ = derive, array("x", d)
gram_with = lambda k: Sum(points[k, a] * x_[a], (a, 1, d))
ratio = lambda k: gamma(z + k) * gamma(z + most) / (gamma(z) * gamma(z + k + most))


def gibbs():
    ratio = second[j] / p[j]
    return derive("gibbs", Sum(p[j] * log(p[j] / second[j]), (j, 1, N))).ge(
        0, "below the tangent", certificate=Sum(p[j] * (ratio - 1 - log(ratio)), (j, 1, N))
    )


def others():
    scores = array("t", M)
    return derive("others", Sum(exp(beta * scores[j]), (j, 1, M)), given=[
        Le(scores[j], s0 - margin)]).le(M * exp(beta * (s0 - margin)), "each of them",
        certificate=Sum(exp(beta * (s0 - margin)) - exp(beta * scores[j]), (j, 1, M)))  # fmt: skip


def retrieved():
    bound = others()
    rest, at_most = bound.start, M * exp(beta * (s0 - margin))
    whole = exp(beta * s0) + rest
    error = M * exp(-beta * margin)
    return derive("retrieved", rest / whole).le(
        error / (1 + error), by(bound),
        certificate=exp(beta * s0) * (at_most - rest) / whole
        / (exp(beta * s0) + at_most))  # fmt: skip


def log_partition_of_bits():
    return (derive("marginal", -log(Total(weighed(bits), bits)))
            .eq(-log(exp(Sum(other_bias[i] * visible[i], (i, 1, V)))
                     * Product(1 + exp(pre(mu)), (mu, 1, H))), sum_states)
            .eq(-Sum(other_bias[i] * visible[i], (i, 1, V))
                - Sum(log(1 + exp(pre(mu))), (mu, 1, H)), rearrange))  # fmt: skip


def hopfield_from_normal_units():
    return (derive("couplings", Total(exp(Sum(hidden[mu] * field(mu), (mu, 1, H))), hidden))
            .eq(exp(Sum(field(mu) ** 2, (mu, 1, H)) / 2), average)
            .eq(exp(Sum(Sum(W[i, mu] * W[j, mu], (mu, 1, H)) * visible[i] * visible[j],
                        (i, 1, V), (j, 1, V)) / 2), rearrange))  # fmt: skip


def coupled_shards():
    scores, values = array("s", M, H), array("v", M, H)
    part = lambda k: Sum(exp(scores[k, l]), (l, 1, H))
    out = lambda k: Sum(values[k, j] * exp(scores[k, j]), (j, 1, H)) / part(k)
    whole = Sum(values[i, j] * exp(scores[i, j]), (i, 1, M), (j, 1, H))
    return derive("shards", whole / Sum(exp(scores[i, j]), (i, 1, M), (j, 1, H))).eq(
        Sum(exp(log(part(i))) * out(i), (i, 1, M)) / Sum(exp(log(part(nu))), (nu, 1, M)),
        rearrange)  # fmt: skip


def shares():
    shard = array("c", N, H, domain="simplex")
    split = lambda body: Sum(Sum(shard[j, mu] * body, (j, 1, N)), (mu, 1, H))
    return derive("shares", Sum(r[j] * exp(s[j]), (j, 1, N)) / Sum(exp(s[j]), (j, 1, N))).eq(
        split(r[j] * exp(s[j])) / split(exp(s[j])), rearrange)  # fmt: skip


def merged_with_maximum():
    O1, O2, O3, S1, S2, S3 = symbols("O1:4 S1:4", real=True)
    L1, L2, L3 = symbols("L1:4", positive=True)

    def merge(one, two):
        top = Max(one[0], two[0])
        return top, *(one[k] * exp(one[0] - top) + two[k] * exp(two[0] - top) for k in (1, 2))

    one, two, three = (S1, L1, O1), (S2, L2, O2), (S3, L3, O3)
    left, right = merge(merge(one, two), three), merge(one, merge(two, three))
    return derive("merged", left[2] / left[1]).eq(right[2] / right[1], rearrange)


def implicit_gradient():
    I_J = array("I", d, d, domain="invertible")
    P, seed, speed, force = inverse(I_J, "P"), array("g", d), array("w", d), array("f", d)
    return derive("implicit", dot(seed, speed), given=[
        Eq(force[a], Sum(I_J[a, b] * speed[b], (b, 1, d)))]).eq(
        Sum(seed[a] * P[a, b] * force[b], (a, 1, d), (b, 1, d)), rearrange)  # fmt: skip


def adjoint_gradient():
    J, seed, speed, force = array("J", d, d), array("g", d), array("w", d), array("f", d)
    return derive("adjoint", dot(seed, speed), given=[
        Eq(seed[a], u[a] - Sum(J[c, a] * u[c], (c, 1, d))),
        Eq(force[a], speed[a] - Sum(J[a, b] * speed[b], (b, 1, d)))]).eq(
        dot(u, force), rearrange)  # fmt: skip


def push_through():
    keys, C = array("k", L, d), array("C", L, L, domain="definite")
    D = array("D", d, d, domain="definite")
    return derive("pushed", Sum(C[i, j] * keys[j, b], (j, 1, L)), given=[
        Eq(C[i, j], Sum(keys[i, a] * keys[j, a], (a, 1, d)) + z * KroneckerDelta(i, j)),
        Eq(D[a, b], Sum(keys[i, a] * keys[i, b], (i, 1, L)) + z * KroneckerDelta(a, b))]).eq(
        Sum(keys[i, a] * D[a, b], (a, 1, d)), rearrange)  # fmt: skip


def woodbury():
    C = array("S", d, d, domain="definite")
    P = inverse(C, "P")
    form = Sum(u[a] * P[a, b] * u[b], (a, 1, d), (b, 1, d))
    moved = lambda k: Sum(P[k, c] * u[c], (c, 1, d))
    return derive("woodbury", Sum((C[a, at] + u[a] * u[at])
                                  * (P[at, b] - moved(at) * moved(b) / (1 + form)),
                                  (at, 1, d))).eq(KroneckerDelta(a, b), rearrange)  # fmt: skip


def inverse_form():
    P = inverse(array("S", d, d, domain="definite"), "P")
    return derive("form", Sum(u[a] * P[a, b] * u[b], (a, 1, d), (b, 1, d))).ge(0, rearrange)


def polarised():
    C = array("S", d, d, domain="definite")
    form = lambda e, f: Sum(C[a, b] * e(a) * f(b), (a, 1, d), (b, 1, d))
    gap = lambda k: u[k] - x_[k]
    return derive("polarised", 2 * Sum(C[a, b] * u[a] * x_[b], (a, 1, d), (b, 1, d))).le(
        form(lambda k: u[k], lambda k: u[k]) + form(lambda k: x_[k], lambda k: x_[k]), "a square",
        certificate=form(gap, gap))  # fmt: skip


def relu_is_firm():
    part = lambda k: Max(k, 0)
    jump = lambda k: part(o[k]) - part(u[k])
    return derive("relu", Sum(jump(a) ** 2, (a, 1, d))).le(
        Sum(jump(a) * (o[a] - u[a]), (a, 1, d)), "where one is kept the other is cut",
        certificate=Sum(part(o[a]) * part(-u[a]) + part(u[a]) * part(-o[a]),
                        (a, 1, d)))  # fmt: skip


def unique_fixed_point():
    gap = Sum((o[a] - u[a]) ** 2, (a, 1, d))
    return derive("unique", (1 - A) * gap, given=[Le(gap, A * gap)]).le(0, rearrange)


def norms_grow():
    step = Sum((o[a] - u[a]) * u[a], (a, 1, d))
    return derive("growing", dot(o, o), given=[Ge(step, 0)]).ge(
        dot(u, u), "the step",
        certificate=Sum((o[a] - u[a]) ** 2, (a, 1, d)) + 2 * step)  # fmt: skip


def largest_entropy():
    entropy = lambda law: -Sum(law(j) * log(law(j)), (j, 1, N))
    energy = lambda law: Sum(law(j) * energies[j], (j, 1, N))
    here = lambda k: p[k]
    return derive("maxent", entropy(boltzmann) - entropy(here), given=[
        Eq(energy(here), energy(boltzmann))]).eq(
        Sum(p[j] * log(p[j] / boltzmann(j)), (j, 1, N)), rearrange)  # fmt: skip


def bounded_log_sum():
    share = lambda k: exp(beta * s[k]) / Sum(exp(beta * s[i]), (i, 1, N))
    gap = 1 / (N * share(j))
    return derive("bounded", log(Sum(exp(beta * s[j]), (j, 1, N))) / beta, given=[
        Le(s[j], A)]).le(A + log(N) / beta, "the mean and the entropy",
        certificate=Sum(share(j) * (A - s[j]), (j, 1, N))
        + Sum(share(j) * (gap - 1 - log(gap)), (j, 1, N)) / beta)  # fmt: skip


def below_its_slope():
    return (derive("unique", tanh(turn * z), given=[Le(turn, 1)])
            .le(turn * z, "its slope",
                certificate=Integral(tanh(rho) ** 2, (rho, 0, turn * z)))
            .le(z, rearrange))  # fmt: skip


def tables(name, *rows):
    return {f"{name}: {said}": made for said, made in rows}


CLAIMS = {
    **tables("s2-sigmoid-range",
        ("above 0", lambda: chain("q", 1 / (1 + exp(-A))).gt(0, rearrange)),
        ("below 1", lambda: chain("q", 1 / (1 + exp(-A))).eq(1 - 1 / (1 + exp(A)), rearrange)
            .lt(1, rearrange))),
    **tables("s2-relu",
        ("a maximum", lambda: chain("q", Max(0, A)).eq((A + Abs(A)) / 2, rearrange)),
        ("of two", lambda: chain("q", Max(A, B)).eq((A + B + Abs(A - B)) / 2, rearrange)),
        ("to the left", lambda: chain("q", Max(A, 0), given=[Le(A, 0)]).eq(0, rearrange)),
        ("products", lambda: chain("q", Abs(A * B)).eq(Abs(A) * Abs(B), rearrange))),
    **tables("s0-prenorm-better",
        ("a layer", lambda: chain("q", Derivative(A + F(A), A)).eq(1 + F(A, 1), differentiate)),
        ("two layers", lambda: chain("q", Derivative(A + F(A) + K(A + F(A)), A)).eq(
            (1 + F(A, 1)) * (1 + K(A + F(A), 1)), differentiate)),
        ("shifted", lambda: chain("q", Sum(r[j + 1], (j, 1, N - 1))).eq(
            Sum(r[j], (j, 1, N)) - r[1], rearrange))),
    **tables("s1-boltzmann-maxent", ("at one energy", largest_entropy)),
    **tables("s1-adaboost-genkl", ("a constraint", lambda: chain(
        "q", Sum(w[j] * log(w[j] / exp(-A * s[j])) - w[j] + exp(-A * s[j]), (j, 1, N)),
        given=[Eq(Sum(w[i] * s[i], (i, 1, N)), 0)]).eq(
        Sum(w[j] * log(w[j]) - w[j] + exp(-A * s[j]), (j, 1, N)), rearrange))),
    **tables("s3-cond-indep",
        ("a unit", lambda: chain("q", Total(bits[nu] * weighed(bits), bits)
            / Total(weighed(bits), bits)).eq(1 / (1 + exp(-pre(nu))), sum_states)),
        ("two units", lambda: chain("q", (1 - KroneckerDelta(nu, other))
            * Total(bits[nu] * bits[other] * apart(bits), bits) / Total(apart(bits), bits)).eq(
            (1 - KroneckerDelta(nu, other)) * on(nu) * on(other), sum_states)),
        ("how many are on", lambda: chain("q", Total(Sum(bits[nu], (nu, 1, H)) * apart(bits), bits)
            / Total(apart(bits), bits)).eq(Sum(on(mu), (mu, 1, H)), sum_states)),
        ("the gradient", lambda: chain("q", Derivative(log(Total(apart(bits), bits)),
            bias[nu])).eq(on(nu), sum_states + differentiate))),
    **tables("s3-marginal", ("in two steps", log_partition_of_bits)),
    **tables("s3-eff-energy",
        ("spins", lambda: chain("q", Total(weighed(spins), spins)).eq(
            exp(Sum(other_bias[i] * visible[i], (i, 1, V)))
            * Product(2 * cosh(pre(mu)), (mu, 1, H)), sum_states)),
        ("their logarithm", lambda: chain("q", log(Total(apart(spins), spins))).eq(
            Sum(log(2 * cosh(bias[mu])), (mu, 1, H)), sum_states))),
    **tables("s3-energy-cumulants", ("the units' priors", lambda: chain(
        "q", Sum(log(1 + exp(pre(mu))), (mu, 1, H))).eq(
        Sum(log(1 + exp(bias[mu])), (mu, 1, H))
        + Sum(log(1 / (1 + exp(bias[mu])) + exp(field(mu)) * on(mu)), (mu, 1, H)), rearrange))),
    **tables("s3-hopfield-gaussian", ("couplings", hopfield_from_normal_units)),
    **tables("s3-hubbard-stratonovich",
        ("a factored matrix", lambda: chain("q", Total(exp(Sum(u[a] * points[j, a] * gauss[a],
            (a, 1, d))), gauss)).eq(exp(Sum(u[a] ** 2 * points[j, a] ** 2, (a, 1, d)) / 2),
            average)),
        ("an imaginary field", lambda: chain("q", Total(cos(Sum(bias[mu] * hidden[mu],
            (mu, 1, H))), hidden)).eq(exp(-Sum(bias[mu] ** 2, (mu, 1, H)) / 2), average))),
    **tables("s3-energy-families",
        ("a potential", lambda: chain("q", Derivative(Sum(K(gram_with(j)), (j, 1, N)), x_[b])).eq(
            Sum(points[j, b] * K(gram_with(j), 1), (j, 1, N)), differentiate)),
        ("its Jacobian", lambda: chain("q", Derivative(
            Sum(points[j, b] * K(gram_with(j), 1), (j, 1, N)), x_[c])).eq(
            Sum(points[j, b] * points[j, c] * K(gram_with(j), 2), (j, 1, N)), differentiate))),
    **tables("s3-one-step", ("the others", others), ("their share", retrieved)),
    **tables("B11", ("uniqueness", below_its_slope),
        ("its slope", lambda: chain("q", Subs(Derivative(A - tanh(turn * A), A), A, 0)).eq(
            1 - turn, differentiate)),
        ("hyperbolic", lambda: chain("q", z * cosh(z)).ge(sinh(z), "slopes",
            certificate=Integral(rho * sinh(rho), (rho, 0, z))))),
    **tables("B14", ("a bound by the largest", bounded_log_sum),
        ("each term", lambda: chain("q", exp(s[i])).le(Sum(exp(s[j]), (j, 1, N)), rearrange)),
        ("each weight", lambda: chain("q", softmax(i)).le(1, rearrange))),
    **tables("B18",
        ("one-hot units", lambda: chain("q", Sum(exp(Sum(KroneckerDelta(j, l) * s[l],
            (l, 1, N))), (j, 1, N))).eq(Sum(exp(s[l]), (l, 1, N)), rearrange)),
        ("their energy", lambda: chain("q", -log(Sum(exp(-dot(u, u) / 2
            + Sum(KroneckerDelta(j, l) * s[l], (l, 1, N))) / N, (j, 1, N)))).eq(
            dot(u, u) / 2 - log(Sum(exp(s[l]), (l, 1, N))) + log(N), rearrange)),
        ("Stein", lambda: chain("q", Total(gauss[b] * exp(dot(gauss, q)), gauss)).eq(
            q[b] * exp(dot(q, q) / 2), average))),
    **tables("s0-cosine-projection",
        ("unit length", lambda: chain("q", Sum((u[c] / sqrt(dot(u, u))) ** 2, (c, 1, d)),
            given=[Gt(dot(u, u), 0)]).eq(1, rearrange)),
        ("the cosine", lambda: chain("q", dot(u, o) / (sqrt(dot(u, u)) * sqrt(dot(o, o))),
            given=[Gt(dot(u, u), 0), Gt(dot(o, o), 0)]).eq(
            Sum(u[c] / sqrt(dot(u, u)) * (o[c] / sqrt(dot(o, o))), (c, 1, d)), rearrange)),
        ("at most 1", lambda: chain("q", (dot(u, o) / (sqrt(dot(u, u)) * sqrt(dot(o, o)))) ** 2,
            given=[Gt(dot(u, u), 0), Gt(dot(o, o), 0)]).le(1, "Lagrange's identity", certificate=
            Sum((u[a] * o[b] - u[b] * o[a]) ** 2, (a, 1, d), (b, 1, d)) / 2
            / (dot(u, u) * dot(o, o))))),
    **tables("B21",
        ("three dimensions", lambda: chain("q", Integral(A * exp(z * A), (A, -1, 1))
            / Integral(exp(z * A), (A, -1, 1))).eq(coth(z) - 1 / z, integrate)),
        ("shares of draws", lambda: chain("q", Total(drawn * Sum(f[draws[nu]], (nu, 1, H))
            / Sum(f[draws[mu]], (mu, 1, H)), draws)).eq(1, sum_states))),
    **tables("B16",
        ("a law of draws", lambda: chain("q", Total(drawn, draws)).eq(1, sum_states)),
        ("their mean", lambda: chain("q", Total(drawn * Sum(g[draws[nu]], (nu, 1, H)) / H,
            draws)).eq(mean, sum_states)),
        ("its variance", lambda: chain("q", Total(drawn * (Sum(g[draws[nu]], (nu, 1, H)) / H
            - mean) ** 2, draws)).eq((expect(lambda k: g[k] ** 2) - mean**2) / H, sum_states)),
        ("two sums", lambda: chain("q", Total(drawn * Sum(f[draws[nu]] * g[draws[nu]], (nu, 1, H))
            * Sum(f[draws[other]], (other, 1, H)), draws)).eq(
            H * expect(lambda k: f[k] ** 2 * g[k])
            + H * (H - 1) * expect(lambda k: f[k] * g[k]) * expect(lambda k: f[k]),
            sum_states))),
    **tables("s2-trig-mse",
        ("independent features", lambda: chain("q",
            Total(drawn * Sum(g[draws[nu]], (nu, 1, H)) ** 2, draws)
            - Total(drawn * Sum(g[draws[nu]], (nu, 1, H)), draws) ** 2).eq(
            H * (expect(lambda k: g[k] ** 2) - mean**2), sum_states)),
        ("one feature", lambda: chain("q", Total(cos(dot(gauss, q)) ** 2, gauss)
            - Total(cos(dot(gauss, q)), gauss) ** 2).eq((1 - exp(-dot(q, q))) ** 2 / 2, average))),
    **tables("s2-sm-expectation", ("positive features", lambda: chain("q", Total(
        exp(dot(gauss, q) - dot(q, q) / 2) * exp(dot(gauss, u) - dot(u, u) / 2), gauss)).eq(
        exp(dot(q, u)), average))),
    **tables("s2-trig-features", ("waves", lambda: chain("q", exp((dot(q, q) + dot(u, u)) / 2)
        * Total(cos(dot(gauss, q)) * cos(dot(gauss, u)) + sin(dot(gauss, q)) * sin(dot(gauss, u)),
        gauss)).eq(exp(dot(q, u)), average))),
    **tables("s2-pos-estimator", ("its variance", lambda: chain("q", Total(exp(2 * dot(gauss, q)),
        gauss) - Total(exp(dot(gauss, q)), gauss) ** 2).eq(
        exp(2 * dot(q, q)) - exp(dot(q, q)), average))),
    **tables("B03", ("a monotone step", norms_grow)),
    **tables("B04",
        ("features", lambda: chain("q", Total(Sum(weights[i] * feature(i), (i, 1, N)) ** 2,
            gauss)).eq(Sum(weights[i] * weights[j] * exp(gram(i, j)), (i, 1, N), (j, 1, N)),
            average)),
        ("without their linear part", lambda: chain("q", Total(Sum(weights[i] * (feature(i)
            - row(i)), (i, 1, N)) ** 2, gauss)).eq(Sum(weights[i] * weights[j]
            * (exp(gram(i, j)) - gram(i, j)), (i, 1, N), (j, 1, N)), average)),
        ("squares", lambda: chain("q", Total(Sum(weights[i] * feature(i), (i, 1, N)) ** 2,
            gauss)).ge(0, rearrange))),
    **tables("s0-contraction-criterion",
        ("mean value", lambda: chain("q", K(1) - K(0)).eq(Integral(K(t, 1), (t, 0, 1)),
            integrate)),
        ("convex", lambda: chain("q", A * (exp(A) - 1)).ge(0, "slopes",
            certificate=A**2 * Integral(exp(rho * A), (rho, 0, 1))))),
    **tables("B12",
        ("at most one fixed point", unique_fixed_point),
        ("telescoped ratios", lambda: chain("q", Sum(tall[j + 1] / X**j - tall[j] / X ** (j - 1),
            (j, 1, N))).eq(tall[N + 1] / X**N - tall[1], rearrange))),
    **tables("s1-resnet-euler",
        ("along a solution", lambda: chain("q", Derivative(F(t) ** 2 / 2, t)).eq(
            F(t) * F(t, 1), differentiate)),
        ("Taylor's remainder", lambda: chain("q", Derivative((z - t) * F(t, 1) + F(t), t)).eq(
            (z - t) * F(t, 2), differentiate)),
        ("a step", lambda: chain("q", 1 + A / n).le(exp(A / n), rearrange))),
    **tables("s1-rnn-discretised", ("a leaky step", lambda: chain("q", Subs(Derivative(
        A + t * (K(A) - A), t), t, 0)).eq(K(A) - A, differentiate))),
    **tables("s1-gating-time-warp", ("chain rule", lambda: chain("q", Derivative(K(F(t)), t)).eq(
        F(t, 1) * K(F(t), 1), differentiate))),
    **tables("s1-equilibrium-implicit", ("by the inverse", implicit_gradient),
        ("by the adjoint", adjoint_gradient)),
    **tables("s1-monotone-operator", ("the rectifier", relu_is_firm)),
    **tables("B23", ("push-through", push_through), ("Woodbury", woodbury),
        ("a positive form", inverse_form), ("a mixed form", polarised)),
    **tables("B24", ("shards", coupled_shards), ("shares", shares),
        ("running maximum", merged_with_maximum),
        ("an empty shard", lambda: chain("q", Limit(log(exp(B) + exp(-A)), A, oo)).eq(
            B, take_limit))),
    **tables("B17",
        ("at most N", lambda: chain("q", Sum(w[j], (j, 1, N)) ** 2 / Sum(w[j] ** 2, (j, 1, N))).le(
            N, "Cauchy", certificate=Sum((w[i] - w[j]) ** 2, (i, 1, N), (j, 1, N))
            / (2 * Sum(w[j] ** 2, (j, 1, N))))),
        ("at least 1", lambda: chain("q", Sum(w[j], (j, 1, N)) ** 2
            / Sum(w[j] ** 2, (j, 1, N))).ge(1, "cross terms", certificate=Sum(w[i] * w[j]
            * (1 - KroneckerDelta(i, j)) ** 2, (i, 1, N), (j, 1, N))
            / Sum(w[j] ** 2, (j, 1, N))))),
    **tables("B22",
        ("a ratio", lambda: chain("q", ratio(n + 1)).eq(ratio(n) * (z + n) / (z + n + most),
            rearrange)),
        ("it falls", lambda: chain("q", ratio(n + 1)).le(ratio(n), "a factor below 1",
            certificate=ratio(n) * most / (z + n + most))),
        ("completed square", lambda: chain("q", Integral(exp(A * B - sigma * B**2 / 2),
            (B, -oo, oo))).eq(sqrt(2 * pi / sigma) * exp(A**2 / (2 * sigma)), integrate))),
    **tables("monotone",
        ("reciprocal", lambda: chain("q", 1 / Y, given=[Le(X, Y)]).le(1 / X, rearrange)),
        ("logarithm", lambda: chain("q", log(X), given=[Le(X, Y)]).le(log(Y), rearrange)),
        ("powers", lambda: chain("q", X**n, given=[Le(X, Y)]).le(Y**n, rearrange)),
        ("tanh", lambda: chain("q", tanh(A), given=[Le(A, B)]).le(tanh(B), rearrange))),
    **tables("s1-elbo",
        ("an instance", lambda: chain("q", log(Sum(w[j], (j, 1, N)))).ge(
            Sum(p[j] * log(w[j] / p[j]), (j, 1, N)), by(instance(gibbs(), {
            second: lambda k: w[k] / Sum(w[l], (l, 1, N))})))),
        ("entropy", lambda: chain("q", -Sum(p[j] * log(p[j]), (j, 1, N))).le(log(N), by(instance(
            gibbs(), {second: lambda k: 1 / N})))),
        ("scores", lambda: chain("q", log(Sum(exp(s[j]), (j, 1, N))) - Sum(p[j] * s[j], (j, 1, N))
            + Sum(p[j] * log(p[j]), (j, 1, N))).ge(0, by(instance(gibbs(), {second: softmax}))))),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_claim(claim):
    proved(CLAIMS[claim]())
