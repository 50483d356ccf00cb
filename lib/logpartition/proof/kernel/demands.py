"""What a term asks for so as to have a value, read off the term as it is written.

SymPy cancels: x/x is 1 to it, and 0·log x is 0. What a page shows and what is decided are the same
statement only where nothing of what is asked for is gone.
"""

from collections import Counter
from functools import lru_cache

from sympy import (
    Abs,
    Derivative,
    Expr,
    Indexed,
    KroneckerDelta,
    Mul,
    Pow,
    Product,
    Rational,
    Sum,
    Symbol,
    cos,
    cosh,
    erf,
    exp,
    log,
    preorder_traversal,
    sign,
    sin,
    sinh,
    tan,
)
from sympy.core.function import Application
from sympy.core.symbol import Str
from sympy.simplify.simplify import hypersimp

from ..errors import IllFormed
from ..language import Array, Index
from .terms import BINDERS, RANGED, free, limits, says

EVERYWHERE = (  # functions with a value at every number, or at every real one
    Abs, KroneckerDelta, cos, cosh, erf, exp, sign, sin, sinh,
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


@lru_cache(50_000)
def demand_ordered(e):
    """SymPy computes what is a number wherever it puts terms in order, a series by the derivatives
    of its terms: for ever, where these come in waves or have a logarithm in a denominator."""
    for whole in e.atoms(*RANGED):
        for x in whole.atoms(Sum, Product) if not free(whole) else ():
            if any(map(_long, limits(x))) and _turning(x.function) and not _settled(x):
                raise IllFormed(
                    f"SymPy would not come to an end with the number {whole}: write a letter for "
                    "it, as what holds of any number holds of this one"
                )


def _long(span):
    """Whether a range has very many places."""
    return any(x.is_infinite for x in span[1:]) or (span[2] - span[1] - 200).is_positive


def _turning(f):
    """Whether terms come in waves, or have a logarithm in a denominator."""
    for x in f.atoms(sin, cos, tan, Pow, exp):
        if isinstance(x, exp) and x.args[0].is_real or x.is_number:
            continue
        root = isinstance(x, Pow) and not isinstance(x, exp)
        if not root or free(x.exp) and not says(x.base, "nonnegative"):
            return True
        if x.exp.could_extract_minus_sign() and x.base.has(log):
            return True
    return False


def _settled(x):
    """Whether a series is one of ratios of polynomials, or its terms are soon lost."""
    (variable, *_), *inner = limits(x)
    if inner or free(x) or x.function.has(*RANGED):
        return False
    if hypersimp(x.function, variable) is not None:
        return True
    far = abs(x.function.subs(variable, 200) - int(isinstance(x, Product))).n(3)
    return bool(far.is_comparable and far < Rational(1, 2**60))


def denominators(e):
    """One over each factor of e, without its power, that is not known not to be 0."""
    bases = (f.base if isinstance(f, Pow) else f for f in Mul.make_args(e))
    return frozenset(Pow(f, -1, evaluate=False) for f in bases if not says(f, "nonzero"))


def lost(e, made):
    """The kind of something that asks for a value in e, of which there is less in what is made of
    it; None where nothing of it is gone."""
    gone = Counter(_kinds(e)) - Counter(_kinds(made))
    return min(gone, default=None)


def _kinds(e):
    for x in preorder_traversal(e):
        inverse = isinstance(x, Pow) and not isinstance(x, exp) and x.exp.could_extract_minus_sign()
        if inverse or not isinstance(x, Pow) and isinstance(x, Expr) and x.args and _own(x):
            yield "denominator" if inverse else type(x).__name__


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
