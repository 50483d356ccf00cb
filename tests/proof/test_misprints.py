"""Every misprint of the ledger that is a formula is refuted, and what is true instead is proved."""

import pytest
from sympy import (
    Derivative,
    Eq,
    Gt,
    Integral,
    Lt,
    Rational,
    Subs,
    Sum,
    cos,
    exp,
    factorial,
    log,
    oo,
    pi,
    sin,
    sqrt,
)

from logpartition.proof import array, derive, induction, refute

from .symbols import G, N, a, b, beta, c, d, i, j, k, l, mean, n, p, q, r, s, t, v, w, x, y

values = array("v", N, d)
f, scores = array("f", N), Sum(exp(s[l]), (l, 1, N))
Wk, Wv, u = array("K", d, d), array("V", d, d), array("u", d)
tokens = array("x", N, d)
square = array("W", N, N)
pair = lambda n, o: exp(Sum(tokens[n, a] * tokens[o, a], (a, 1, d)))
attention = Sum(exp(s[j]) * values[j, c], (j, 1, N)) / scores
gauss = lambda e, var: Integral(e * exp(-(var**2) / 2) / sqrt(2 * pi), (var, -oo, oo))
centre = lambda n: Sum(tokens[n, a], (a, 1, d)) / d
energy = array("e", N)
boltzmann = lambda j: exp(-beta * energy[j]) / Sum(exp(-beta * energy[l]), (l, 1, N))
free_energy = (
    Sum(boltzmann(j) * energy[j], (j, 1, N))
    + Sum(boltzmann(j) * log(boltzmann(j)), (j, 1, N)) / beta
)

# claim: what is printed, where, and a derivation of what is true
MISPRINTS = {
    "s0-attn-eq1": (
        Eq(
            attention,
            exp(Sum(s[j] * values[j, c], (j, 1, N)))
            / Sum(exp(Sum(s[j] * values[j, b], (j, 1, N))), (b, 1, d)),
        ),
        lambda: derive(
            "true", Subs(Derivative(log(Sum(exp(s[j] + t * values[j, c]), (j, 1, N))), t), t, 0)
        ).eq(attention, "differentiate"),
    ),
    "s0-qkv-projections": (
        Eq(Sum(Wv[a, b] * u[b], (b, 1, d)), Sum(Wk[a, b] * u[b], (b, 1, d))),
        lambda: derive(
            "true", Sum(Wv[a, b] * u[b], (b, 1, d)) - Sum(Wk[a, b] * u[b], (b, 1, d))
        ).eq(Sum((Wv[a, b] - Wk[a, b]) * u[b], (b, 1, d)), "what the slip costs"),
    ),
    "s2-attn-unnormalised": (
        Eq(attention, Sum(exp(s[j]) * values[j, c], (j, 1, N))),
        lambda: derive("true", attention).eq(
            Sum(exp(s[j]) / scores * values[j, c], (j, 1, N)), "divide each row by its sum"
        ),
    ),
    "s2-layernorm-formula": (
        Eq(Sum(tokens[i, b] - tokens[i, b] / d, (b, 1, d)), 0),
        lambda: derive("true", Sum(tokens[i, b] - centre(i), (b, 1, d))).eq(
            0, "the entries are centred"
        ),
    ),
    "s2-layernorm-formula, deviation of the first token": (
        Eq(
            Sum((tokens[i, b] - centre(i)) ** 2, (b, 1, d)),
            Sum((tokens[1, b] - centre(1)) ** 2, (b, 1, d)),
        ),
        lambda: derive("true", Sum((tokens[i, b] - centre(i)) ** 2, (b, 1, d)) / d).eq(
            Sum(tokens[i, b] ** 2, (b, 1, d)) / d - centre(i) ** 2, "expand"
        ),
    ),
    "s0-eq2-missing-exp": (
        Eq(exp(s[i]) / scores, s[i] / Sum(s[l], (l, 1, N))),
        lambda: derive("true", Sum(exp(s[i]) / scores, (i, 1, N))).eq(1, "probabilities sum to 1"),
    ),
    "s0-eq4": (
        Eq(exp(f[i]) / Sum(exp(f[l]), (l, 1, N)), exp(f[i]) / Sum(exp(f[j]), (i, 1, N))),
        lambda: derive("true", Sum(exp(f[i]) / Sum(exp(f[l]), (l, 1, N)), (i, 1, N))).eq(
            1, "probabilities sum to 1"
        ),
    ),
    "s0-weights-multinomial": (
        Eq(Subs(Derivative((1 - p[l] + p[l] * exp(t)) ** n, t), t, 0), p[l]),
        lambda: derive("true", Subs(Derivative((1 - p[l] + p[l] * exp(t)) ** n, t), t, 0)).eq(
            n * p[l], "n draws"
        ),
    ),
    "s0-eq8, second line": (
        Eq(
            exp(u[b] * tokens[i, b]) / Sum(exp(Sum(u[a] * tokens[l, a], (a, 1, d))), (l, 1, N)),
            exp(u[b] * tokens[i, b]) / Sum(exp(Sum(u[a] * y * tokens[l, a], (a, 1, d))), (l, 1, N)),
        ),
        lambda: _tilted(),
    ),
    "s0-eq8, third line": (
        Eq(
            exp(Sum(u[a] * tokens[i, a], (a, 1, d)))
            / Sum(exp(Sum(u[a] * tokens[l, a], (a, 1, d))), (l, 1, N)),
            exp(Sum(u[a] * tokens[i, a], (a, 1, d)))
            / Sum(exp(Sum(u[a] * tokens[i, a], (a, 1, d))), (l, 1, N)),
        ),
        lambda: _tilted(),
    ),
    "s0-eq9": (
        Eq(pair(l, i) / Sum(pair(j, i), (j, 1, N)), pair(l, i) / Sum(pair(j, i), (i, 1, N))),
        lambda: derive("true", Sum(pair(l, i) / Sum(pair(j, i), (j, 1, N)), (l, 1, N))).eq(
            1, "probabilities sum to 1"
        ),
    ),
    "s3-exp-laplace-cumulants": (
        Eq(Subs(Derivative(-log(1 - t**2), (t, 3)), t, 0), factorial(2)),
        lambda: _laplace(),
    ),
    "s1-partition-def": (
        Eq(Sum(energy[j], (j, 1, N)) / Sum(exp(-beta * energy[l]), (l, 1, N)), 1),
        lambda: derive("true", Sum(boltzmann(j), (j, 1, N))).eq(
            1, "it normalises the Boltzmann weights"
        ),
    ),
    "s1-logZ-free-energy": (
        Eq(free_energy, log(Sum(exp(-beta * energy[l]), (l, 1, N)))),
        lambda: derive("true", free_energy).eq(
            -log(Sum(exp(-beta * energy[l]), (l, 1, N))) / beta, "the logarithm of each weight"
        ),
    ),
    "s1-elbo": (
        Eq(log(Sum(w[j], (j, 1, N))), Sum(p[j] * log(w[j] / p[j]), (j, 1, N))),
        lambda: derive("true", log(Sum(w[j], (j, 1, N)))).eq(
            Sum(p[j] * log(w[j] / p[j]), (j, 1, N))
            + Sum(p[j] * log(p[j] * Sum(w[l], (l, 1, N)) / w[j]), (j, 1, N)),
            "what is missing is a divergence",
        ),
    ),
    "s0-eq3-rbm-conditional": (
        Eq(y * Sum(r[i] * v[i] + x, (i, 1, N)), y * (Sum(r[i] * v[i], (i, 1, N)) + x)),
        lambda: derive(
            "true", y * Sum(r[i] * v[i] + x, (i, 1, N)) - y * (Sum(r[i] * v[i], (i, 1, N)) + x)
        ).eq((N - 1) * x * y, "the bias, n − 1 times too often"),
    ),
    "s0-eq3-rbm-conditional, second form": (
        Eq(
            Sum(square[j, i] * r[j] * v[i], (i, 1, N), (j, 1, N)) + Sum(w[j] * r[j], (j, 1, N)),
            Sum(square[i, j] * (r[j] * v[i] + w[i] * r[i]), (i, 1, N), (j, 1, N)),
        ),
        lambda: derive(
            "true", Sum(r[j] * (Sum(square[j, i] * v[i], (i, 1, N)) + w[j]), (j, 1, N))
        ).eq(
            Sum(square[j, i] * r[j] * v[i], (i, 1, N), (j, 1, N)) + Sum(w[j] * r[j], (j, 1, N)),
            "the joint exponent",
        ),
    ),
    "s0-rbm-gp-resemblance": (
        Eq(square[i, j], square[j, i]),
        lambda: (
            derive(
                "true",
                Sum(
                    v[i] * v[j] * Sum(square[i, l] * square[j, l], (l, 1, N)), (i, 1, N), (j, 1, N)
                ),
            )
            .eq(Sum(Sum(square[i, l] * v[i], (i, 1, N)) ** 2, (l, 1, N)), "collect a square")
            .ge(0, "a Gram matrix is positive semidefinite")
        ),
    ),
    "s3-prior-q": (
        Eq(Sum(exp(r[j]), (j, 1, N)) / Sum(exp(r[j] + v[i] * s[j]), (i, 1, N), (j, 1, N)), 1),
        lambda: derive("true", Sum(exp(r[j]) / Sum(exp(r[l]), (l, 1, N)), (j, 1, N))).eq(
            1, "its own normaliser"
        ),
    ),
    "s3-Z-gaussian": (
        Eq(gauss(exp(square[1, 2] * x), x), exp(square[1, 2] * square[2, 1] / 2)),
        lambda: derive("true", gauss(exp(t * x), x)).eq(exp(t**2 / 2), "complete the square"),
    ),
    "s3-weights-normalisation": (
        Eq(Sum(w[j], (j, 1, N)), (2 * pi) ** Rational(1, 2) * Sum(w[l], (l, 1, N))),
        lambda: derive("true", Sum(w[j] / Sum(w[l], (l, 1, N)), (j, 1, N))).eq(
            1, "divide by the sum of the weights"
        ),
    ),
    "s0-gradient-ascent-step": (
        Eq(q[b] + Derivative(G, q[b]), mean(lambda i: k[i, b])),
        lambda: derive("true", q[b] + Derivative(G, q[b])).eq(
            q[b] + mean(lambda i: k[i, b]), "the residual"
        ),
    ),
    "s2-sm-expectation": (
        Eq(exp(1) * gauss(cos(t) * sin(t), t), exp(1), evaluate=False),
        lambda: derive("true", gauss(exp(t * x - x**2 / 2) * exp(t * y - y**2 / 2), t)).eq(
            exp(x * y), "complete the square"
        ),
    ),
    "s2-pos-estimator": (
        Eq(Sum(exp(r[i] * x) * exp(r[i] * y), (i, 1, N)) / N, exp(r[j] * x) * exp(r[l] * y)),
        lambda: derive("true", Sum(exp(r[i] * x) * exp(r[i] * y), (i, 1, N)) / N).eq(
            Sum(exp(r[i] * (x + y)), (i, 1, N)) / N, "one number, not a matrix"
        ),
    ),
    "s0-layernorm-gaussian": (
        Eq(Sum((tokens[i, b] - centre(i)) ** 2, (b, 1, d)), Sum(tokens[i, b] ** 2, (b, 1, d))),
        lambda: derive("true", Sum(tokens[i, b] - centre(i), (b, 1, d))).eq(
            0, "a token is normalised over its features"
        ),
    ),
}


def _tilted():
    tilt = lambda n: exp(Sum(u[a] * tokens[n, a], (a, 1, d)))
    return derive("true", tilt(i) / N / Sum(tilt(l) / N, (l, 1, N))).eq(
        tilt(i) / Sum(tilt(l), (l, 1, N)), "1/N cancels"
    )


def _laplace():
    claim = Eq(
        Derivative(-log(1 - t) - log(1 + t), (t, n)),
        factorial(n - 1) * ((1 - t) ** (-n) + (-1) ** n * (1 + t) ** (-n)),
    )
    return induction(
        "true",
        claim,
        n,
        first=1,
        advance=lambda e: Derivative(e, t),
        reason="differentiate",
        given=[Lt(t, 1), Gt(t, -1)],
    )


@pytest.mark.parametrize("claim", MISPRINTS)
def test_printed_is_refuted_and_corrected_is_proved(claim):
    printed, correction = MISPRINTS[claim]
    corrected = correction()
    true = corrected.record.json()
    assert true["verdict"] == "proved" and true["scope"] in ("all sizes", "")
    record = refute("misprint", printed, corrected=corrected, location="printed", claims=[claim])
    false = record.record.json()
    assert false["verdict"] == "refuted"
    assert false["counterexample"]["left"] != false["counterexample"]["right"]
