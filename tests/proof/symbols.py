"""The symbols that the verifier's tests share."""

from sympy import Sum, Symbol, exp, log, symbols

from logpartition.proof import array, derive, indices, named, sizes

N, d = sizes("N d")
i, j, l, a, b, c = indices("i j l a b c")
x, y, t = symbols("x y t", real=True)
beta = Symbol("beta", positive=True)
n = Symbol("n", integer=True, positive=True)
z = Symbol("z")
k, q = array("k", N, d), array("q", d)
r, s, v, w = array("r", N), array("s", N), array("v", N), array("w", N, domain="positive")
p = array("p", N, domain="simplex")


def score(j, query=q):
    return Sum(query[a] * k[j, a], (a, 1, d))


def partition(query=q):
    return Sum(exp(beta * score(l, query)), (l, 1, N))


def weight(j, query=q):
    return exp(beta * score(j, query)) / partition(query)


def mean(f, query=q):
    """E over j of f(j)."""
    return Sum(weight(i, query) * f(i), (i, 1, N))


Z = named("Z", partition())
G = named("G", log(Z) / beta)


def distributed():
    """A small true result."""
    return derive("distributed", x * (1 + y)).eq(x + x * y, "multiply out")
