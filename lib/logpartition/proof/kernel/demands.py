"""What a term asks for so as to have a value, read off the term as it is written.

SymPy cancels: x/x is 1 to it, and 0·log x is 0. What a page shows and what is decided are the same
statement only where nothing of what is asked for is gone.
"""

from functools import lru_cache

from sympy import (
    Abs,
    Derivative,
    Indexed,
    KroneckerDelta,
    Mul,
    Pow,
    Product,
    Sum,
    Symbol,
    conjugate,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    im,
    re,
    sign,
    sin,
    sinh,
)
from sympy.core.function import Application
from sympy.core.symbol import Str

from ..errors import IllFormed
from ..language import Array, Index
from .terms import BINDERS, free, limits, says

EVERYWHERE = (  # functions with a value at every number, or at every real one
    Abs, KroneckerDelta, conjugate, cos, cosh, erf, erfc, exp, im, re, sign, sin, sinh,
)  # fmt: skip


@lru_cache(100_000)
def demands(e):
    """What e asks for: denominators not to be 0, entries to be in their arrays, and functions,
    derivatives, integrals, series and limits to have values."""
    if not e.args or isinstance(e, (Symbol, Array)):
        return frozenset()
    return _own(e).union(*map(demands, e.indices if isinstance(e, Indexed) else e.args))


def _own(e):
    """What the outermost node asks for."""
    if isinstance(e, Pow) and not isinstance(e, exp):
        return frozenset() if says(e.exp, "nonnegative") else denominators(e.base)
    if isinstance(e, (Sum, Product)):
        finite = all(not x.is_infinite for _, *ends in limits(e) for x in ends)
        return frozenset() if finite else frozenset({e})
    function = isinstance(e, Application) and not isinstance(e, EVERYWHERE)
    return frozenset({e} if function or isinstance(e, (Indexed, Derivative, *BINDERS)) else ())


def denominators(e):
    """One over each factor of e, without its power, that is not known not to be 0."""
    bases = (f.base if isinstance(f, Pow) else f for f in Mul.make_args(e))
    return frozenset(Pow(f, -1, evaluate=False) for f in bases if not says(f, "nonzero"))


def demand_evaluated(e):
    """Nothing that e asks for as it is written is gone in what SymPy makes of it."""
    _evaluated(e)


@lru_cache(50_000)
def _evaluated(e):
    """e, built anew from its parts."""
    if not e.args or isinstance(e, (Symbol, Indexed, Array, Str)):
        return e
    parts = [_evaluated(a) for a in e.args]
    try:
        made = e.func(*parts)
    except ValueError as error:
        raise IllFormed(f"{e} cannot be taken apart: {error}") from None
    if made == e:
        return e
    own = frozenset() if isinstance(made, type(e)) else _own(e)
    if isinstance(e, Pow) and not isinstance(e, exp):
        own = frozenset() if says(parts[1], "nonnegative") else denominators(parts[0])
    before = own.union(*(demands(a) for a in parts if not isinstance(a, Str)))
    indices = frozenset(i for i in free(e) - free(made) if isinstance(i, Index))
    if gone := sorted((before - demands(made)) | indices, key=str):
        raise IllFormed(
            f"{e} stands there as it is written, and SymPy makes {made} of it, where nothing is "
            f"left of {gone[0]}: write {made} in its place"
        )
    return made
