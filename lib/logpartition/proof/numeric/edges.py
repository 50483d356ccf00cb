"""Where an expression may not be analytic in what it is integrated over, read off its tree.

A derivative of an integral, or of a mean under a normal law, is computed under the integral sign.
That is right only where nothing that is integrated jumps, bends or has no value at a place that
moves; so each such place is the zero of a term that is listed here.
"""

from itertools import combinations

import sympy
from sympy import Integral, Limit, Pow, Product, Subs, Symbol

from ..kernel.terms import RANGED, free, limits, says, substitute
from ..language import Named, Total

ZERO, POSITIVE, REAL, ALL, PROBE = "zero", "positive", "real", "all", "probe"
"""What is asked of a term that moves: to have no zero; to be positive; to be real; not to be there
at all; nothing, but its zeros are looked at, for others may have zeros there in a narrow dip."""

OF = {
    sympy.log: lambda x: [(POSITIVE, x)],
    sympy.sign: lambda x: [(ZERO, x)],
    sympy.Abs: lambda x: [(ZERO, x), (REAL, x)],
    sympy.tan: lambda x: [(ZERO, sympy.cos(x))],
    sympy.coth: lambda x: [(ZERO, sympy.sinh(x))],
    sympy.tanh: lambda x: [(REAL, x)],
    sympy.sech: lambda x: [(REAL, x)],
    sympy.atan: lambda x: [(REAL, x)],
    sympy.gamma: lambda x: [(POSITIVE, x)],
    sympy.factorial: lambda x: [(POSITIVE, x + 1)],
    sympy.binomial: lambda x, n: [] if n.is_integer else [(POSITIVE, x + 1)],
    sympy.besseli: lambda n, x: [] if n.is_integer else [(POSITIVE, x)],
    sympy.Max: lambda *xs: [(ZERO, a - b) for a, b in combinations(xs, 2)],
    sympy.Min: lambda *xs: [(ZERO, a - b) for a, b in combinations(xs, 2)],
    sympy.Add: lambda *xs: [(PROBE, sympy.Add(*xs))],
}


def edges(e, letter):
    """The terms, each with what is asked of it, on which it depends whether e is analytic in a
    letter, or in the entries of an array."""
    return sorted(((kind, x) for kind, x in _edges(e) if letter in free(x)), key=str)


def _edges(e):
    if isinstance(e, Named):
        return _edges(e.meaning)
    if isinstance(e, (Total, Limit, *RANGED)):
        return _bound(e)
    if isinstance(e, Subs) and not all(isinstance(v, Symbol) for v in e.variables):
        return {(ALL, e)}
    if isinstance(e, Subs):
        there = dict(zip(e.variables, e.point))
        inside = {(kind, substitute(x, there)) for kind, x in _edges(e.expr)}
        return inside.union(*map(_edges, e.point))
    more = _power(e) if isinstance(e, Pow) else OF[type(e)](*e.args) if type(e) in OF else ()
    return (
        set()
        .union(*map(_edges, e.args))
        .union((kind, x) for kind, x in more if kind != REAL or not x.is_extended_real)
    )


def _power(e):
    """Of powers those are analytic everywhere whose exponents are integers from 0 on."""
    whole = e.exp.is_integer
    return [] if whole and says(e.exp, "nonnegative") else [(ZERO if whole else POSITIVE, e.base)]


def _bound(e):
    """Under a binder: a product of what may vanish in each term of a finite sum vanishes where one
    of them does. What is infinite, or goes over something else, may be anything."""
    ranges = limits(e) if isinstance(e, RANGED) else ()
    normal = isinstance(e, Total) and e.base.domain == "normal"
    if normal or isinstance(e, Limit) or any(x.is_infinite for _, *ends in ranges for x in ends):
        return {(ALL, e)}
    inside, letters = _edges(e.function), {e.base} if not ranges else {v for v, *_ in ranges}
    bound = {(kind, x) for kind, x in inside if letters & free(x)}
    found = (inside - bound).union(*(_edges(end) for _, *ends in ranges for end in ends))
    asked = {kind for kind, _ in bound} - {PROBE}
    if isinstance(e, (Total, Integral)) or asked & {ALL, REAL}:
        return found | ({(ALL, e)} if asked else set())
    if not all(x.is_extended_real for kind, x in bound if kind == POSITIVE):
        return found | {(ALL, e)}
    return found.union((ZERO if kind == POSITIVE else kind, Product(x, *ranges))
                       for kind, x in bound)  # fmt: skip
