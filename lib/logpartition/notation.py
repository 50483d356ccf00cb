"""The book's notation as objects: keys, queries, scores, weights and their moments, for every
number of keys and dimension.

As a rule `a, b, c` run over the d coordinates of queries and keys, `i, j, l` over the N keys, `o`
over the m coordinates of a value. A score is ⟨x, k_j⟩ and the inverse temperature β multiplies it;
everything is a function of the query x, which is q unless said.
"""

from sympy import Sum, Symbol, exp, log, sympify

from .proof.language import Named, array, indices, named, sizes
from .proof.printer import tex

N, d, m = sizes("N d m")
i, j, l = indices("i j l")
a, b, c = indices("a b c")
o = indices("o")
beta = Symbol("beta", positive=True)
q, x, y, u = (array(name, d) for name in "qxyu")
k = array("k", N, d)
v = array("v", N, m)


def _of(name, query):
    return name if query == q else f"{name}({tex(query.label)})"


def inner(left, right, index=a):
    """⟨left, right⟩, for functions of a coordinate: `inner(lambda a: k[j, a], lambda a: q[a])`.

    >>> inner(lambda a: q[a], lambda a: x[a])
    Sum(q[a]*x[a], (a, 1, d))
    """
    return Sum(left(index) * right(index), (index, 1, d))


def score(j, query=q):
    """s_j = ⟨q, k_j⟩.

    >>> from logpartition.proof import unfold
    >>> unfold(score(j, x))
    Sum(k[j, a]*x[a], (a, 1, d))
    """
    coordinate = next(index for index in (a, b, c) if index not in sympify(j).free_symbols)
    dot = inner(lambda at: k[j, at], lambda at: query[at], coordinate)
    return named(_of(f"s_{{{tex(j)}}}", query), dot)


def partition(query=q):
    """Z = Σ_j exp(β s_j).

    >>> from logpartition.proof import unfold
    >>> unfold(partition())
    Sum(exp(beta*Sum(k[j, a]*q[a], (a, 1, d))), (j, 1, N))
    """
    return named(_of("Z", query), Sum(exp(beta * score(j, query)), (j, 1, N)))


def log_partition(query=q):
    """G = β⁻¹ log Z.

    >>> from logpartition.proof import unfold
    >>> unfold(log_partition(x))
    log(Sum(exp(beta*Sum(k[j, a]*x[a], (a, 1, d))), (j, 1, N)))/beta
    """
    return named(_of("G", query), log(partition(query)) / beta)


def weight(j, query=q):
    """p_j = exp(β s_j) / Z.

    >>> from logpartition.proof import unfold
    >>> unfold(weight(j)) == exp(beta * unfold(score(j))) / unfold(partition())
    True
    """
    return named(_of(f"p_{{{tex(j)}}}", query), exp(beta * score(j, query)) / partition(query))


def mean(f, query=q):
    """E_{j∼p}[f] = Σ_j p_j f, for an expression f in the index j.

    >>> from logpartition.proof import unfold
    >>> unfold(mean(k[j, b])) == Sum(unfold(weight(j)) * k[j, b], (j, 1, N))
    True
    """
    law = "p" if query == q else f"p({tex(query.label)})"
    return Named(rf"\mathbb{{E}}_{{j \sim {law}}}[{tex(f)}]", Sum(weight(j, query) * f, (j, 1, N)))


def covariance(f, g, query=q):
    """Cov_{j∼p}(f, g) = E[f g] − E[f] E[g].

    >>> from logpartition.proof import unfold
    >>> f, g = k[j, b], k[j, c]
    >>> unfold(covariance(f, g)) == unfold(mean(f * g) - mean(f) * mean(g))
    True
    """
    law = "p" if query == q else f"p({tex(query.label)})"
    return Named(
        rf"\mathrm{{Cov}}_{{j \sim {law}}}({tex(f)}, {tex(g)})",
        mean(f * g, query) - mean(f, query) * mean(g, query),
    )
