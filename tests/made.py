"""Results as the verifier makes them, of steps that are LaTeX of a test: behind each stands the
same small theorem.
"""

from functools import cache

from sympy import Ge, Limit, S, Sum, Symbol, exp, log, sin

from logpartition.proof import array, indices, named, sizes
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.kernel.theorem import prove
from logpartition.proof.record import Claim, Finding, Mutants, Numeric, from_chain
from logpartition.proof.record import step as made_step

N, d = sizes("N d")
j, b = indices("j b")
q, k = array("q", d), array("k", N, d)
s = named("s_j", Sum(k[j, b] * q[b], (b, 1, d)))
Z = named("Z", Sum(exp(s), (j, 1, N)))
NAMES = (named("G", log(Z)), named("p_j", exp(s) / Z))
u, v = Symbol("u", real=True), Symbol("v", real=True)
ABOUT = {  # two sides that are equal, and the hypotheses under which they are compared
    "keys": (Sum(2 * k[j, b] * q[b], (j, 1, N)), 2 * Sum(k[j, b] * q[b], (j, 1, N)), ()),
    "two keys": (
        Sum(2 * k[j, b] * q[b], (j, 1, N)),
        2 * Sum(k[j, b] * q[b], (j, 1, N)),
        (Ge(N, 2),),
    ),
    "numbers": (u * (u + v), u**2 + u * v, ()),
    "an oracle": (Limit(sin(v) / v, v, 0), S.One, ()),
}


@cache
def claimed(about):
    """A claim and its theorem."""
    left, right, given = ABOUT[about]
    context, sides = elaborate([left, right], [(g, ASSUMED) for g in given])
    return Claim(context, sides[0], "=", sides[1]), prove(context, sides[0], "=", sides[1])


def link(latex, reason="compute", relation="=", *, points=12, of=None, tried=3, symbolic="sums",
         about="keys", **more):  # fmt: skip
    """A step of a derivation; proved where a `symbolic` route is named."""
    theorem = claimed(about)[1] if symbolic else None
    numeric = Numeric(points, points if of is None else of, 30)
    return made_step(relation, latex, reason, theorem=theorem, method=symbolic, numeric=numeric,
                     mutants=Mutants(tried, tried), **more)  # fmt: skip


def derivation(label, start="a", *steps, statement="a = b", about="keys", proved=True, uses=(),
               sizes={"N": (1, 2)}, given=(), **more):  # fmt: skip
    """A derivation from `start` through `steps`, one step where none are given; only checked where
    not `proved`."""
    claim, theorem = claimed(about)
    steps = steps or (link("b", about=about),)
    return Finding(from_chain(
        label, claim, start=start, steps=steps, shown=statement,
        theorem=theorem if proved else None, whole=Numeric(12, 12, 30), used=uses,
        sizes=sizes if about != "numbers" else {}, hypotheses=given, **more,
    ))  # fmt: skip
