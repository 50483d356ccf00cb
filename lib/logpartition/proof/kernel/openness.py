"""Which hypotheses hold about each point at which they hold, so that they may be used under a
derivative: ≠, and < where both sides are seen to be real wherever they have values, for all values
of no letter but indices, in letters in which both sides are seen to be continuous where they have
values, and to have these in an open set.

For a real x, √x < 1 is none, as √x is not real below 0, nor √x y < 1 in y; nor is 0^(x²) ≠ 0 in x,
which holds at x = 0 alone.
"""

from sympy import (
    Abs,
    Add,
    Indexed,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Pow,
    Product,
    Sum,
    atan,
    cos,
    cosh,
    coth,
    erf,
    exp,
    gamma,
    log,
    sech,
    sin,
    sinh,
    tan,
    tanh,
)

from ..language import Index, Smooth
from .terms import free, limits, says

CONTINUOUS = (Add, Mul, exp, sin, cos, sinh, cosh, Abs)
# with values at real numbers alone, or at some of them
OF_REALS = (*CONTINUOUS, tan, tanh, coth, sech, atan, erf, log, gamma, Max, Min, Smooth)


def open_in(fact, letters):
    """Whether a fact that holds at a point holds for all values of some letters near theirs: for
    all values of a quantified letter a fact may hold at a point, and nowhere near it."""
    finite = all(isinstance(v, Index) for v in fact.variables)
    sides = fact.left, fact.right
    strict = fact.relation == "≠" or fact.relation == "<" and all(map(_real, sides))
    return strict and finite and all(continuous(e, letters) for e in sides)


def continuous(e, letters):
    """Whether e has values in an open set of values of some letters, and is continuous there."""
    if not free(e) & letters or e in letters:
        return True
    if isinstance(e, Indexed):
        return not letters & set().union(*map(free, e.indices))
    if isinstance(e, (Sum, Product)):
        ends = [end for _, *pair in limits(e) for end in pair]
        fixed = not any(end.is_infinite or free(end) & letters for end in ends)
        return fixed and continuous(e.function, letters)
    if isinstance(e, Pow) and not isinstance(e, exp):
        return _power(e, letters) and all(continuous(a, letters) for a in e.args)
    known = OF_REALS if _real(e) else CONTINUOUS
    return isinstance(e, known) and all(continuous(a, letters) for a in e.args)


def _power(e, letters):
    if free(e.exp) & letters:
        return says(e.base, "positive")
    return bool(e.exp.is_integer) or _never_negative(e.base)


def _never_negative(e):
    if isinstance(e, (Add, Mul)):
        return all(map(_never_negative, e.args))
    if isinstance(e, Sum):
        return _never_negative(e.function)
    square = isinstance(e, Pow) and e.exp.is_even and e.base.is_real
    return bool(square) or says(e, "nonnegative")


def _real(e):
    """Whether e is real wherever it has a value, by how it is made: I x < 1 where x is 0, and at a
    real x below 0 √x y < 1 where y is 0."""
    if isinstance(e, (Abs, Indexed)):
        return True
    if not e.args:
        return bool(e.is_real)
    if isinstance(e, (Sum, Product)):
        return _real(e.function)
    if isinstance(e, Smooth):
        return _real(e.argument)
    if isinstance(e, Pow) and not isinstance(e, exp):
        whole = e.exp.is_integer or _never_negative(e.base)
        return bool(whole) and all(map(_real, e.args))
    return isinstance(e, (*OF_REALS, KroneckerDelta)) and all(map(_real, e.args))
