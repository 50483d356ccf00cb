"""The symbols that these tests share."""

from sympy import Rational, Sum, Symbol, exp, log, symbols

from logpartition.proof.language import array, function, indices, sizes

N, d, T = sizes("N d T")
i, j, l, a, b, c = indices("i j l a b c")
x, y, t, A = symbols("x y t A", real=True)
X, beta = symbols("X beta", positive=True)
m, n = symbols("m n", integer=True, positive=True)
k, q, v, e = array("k", N, d), array("q", d), array("v", N), array("e", N)
p, r = array("p", N, domain="simplex"), array("r", N, domain="simplex")
f = function("f")
half = Rational(1, 2)


def score(place):
    return Sum(q[a] * k[place, a], (a, 1, d))


Z = Sum(exp(beta * score(l)), (l, 1, N))
G = log(Z) / beta


def mean(of):
    return Sum(exp(beta * score(j)) / Z * of(j), (j, 1, N))


def symbol(name, **known):
    return Symbol(name, **known)
