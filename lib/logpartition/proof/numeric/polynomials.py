"""Hypotheses that are polynomials in one of their numbers, decided exactly: whether they hold for
all its values, and at which they just do."""

from fractions import Fraction
from itertools import count

import sympy
from sympy import Abs, Dummy, Indexed, Integer, Integral, Limit, Poly, Rational, Symbol

from ..kernel.context import ASSUMED, KINDS, kind
from ..kernel.terms import RANGED
from ..language import Array, Index, Size, Total, unfold

TRIED = tuple(map(Fraction, "1/3 -7/5 5/2 -3/7 4 -6 7/6 -1/4 9 -11/3 2/9 -15".split()))
HIGHEST = 8  # the degree of a polynomial whose zeros are looked for
NEVER = (NotImplementedError, sympy.PolynomialError, ValueError, TypeError, KeyError,
         RecursionError)  # fmt: skip


def to_try(fact, variable, allowed):
    """Numbers at which a hypothesis is tried that is meant for all of a variable: an equation that
    is a polynomial in it holds for all if it does at these. (A result does so anyway.)"""
    if fact.source != ASSUMED:
        return [x for x in TRIED[:3] if allowed(variable, x)]
    found = [x for x in TRIED if allowed(variable, x)]
    e = unfold(fact.left - fact.right)
    try:
        poly = None if e.atoms(*RANGED, Total, Limit) else Poly(e.doit(), variable)
    except NEVER:
        poly = None
    if poly is None:
        return found[:3]
    return found[: poly.degree() + 1 if fact.relation == "=" and poly else 4]


def everywhere(fact, here, tried):
    """Whether a hypothesis holds for all values of its variables that are no indices, if it does at
    those that were tried (so many of each variable); None where that is not decided. `here` gives
    numbers for all else."""
    over = [v for v in fact.variables if not isinstance(v, Index)]
    try:
        poly = Poly(_with_numbers(fact.left - fact.right, here, over), *over)
    except NEVER:
        return None
    if fact.relation != "=":
        return _signed(poly, fact.relation, over)
    if all(c.is_Rational for c in poly.coeffs()):
        return poly.is_zero
    few = all(poly.degree(v) < tried[v] for v in over)
    return True if few else None


def ends(fact, symbol, here):
    """The fractions for a symbol at which both sides of a bound are equal."""
    try:
        e = _with_numbers(fact.left - fact.right, here, [symbol])
        polys = [Poly(e.xreplace({Abs(symbol): s}), symbol) for s in (symbol, -symbol)]
        found = {r for p in polys if 0 < p.degree() <= HIGHEST for r in p.ground_roots()
                 if r.is_Rational and e.xreplace({symbol: r}) == 0}  # fmt: skip
    except NEVER:
        return []
    return [Fraction(int(r.p), int(r.q)) for r in sorted(found)]


def _with_numbers(e, here, but):
    """An expression with the numbers of a point; for one that is no fraction stands a letter."""
    counts = {k: Integer(n) for k, n in here.items() if isinstance(k, (Size, Index))}
    e = unfold(e).xreplace(counts)
    if e.has(sympy.oo, Integral, Limit, Total):
        raise NotImplementedError
    e = e.doit()

    def number(x):
        return Rational(x.numerator, x.denominator) if isinstance(x, (int, Fraction)) else Dummy()

    tables = {str(a): numbers for a, numbers in here.items() if isinstance(a, Array)}
    table = {x: number(tables[str(x.base)][tuple(map(int, x.indices))]) for x in e.atoms(Indexed)
             if str(x.base) in tables}  # fmt: skip
    table |= {s: number(n) for s, n in here.items()
              if isinstance(s, Symbol) and not isinstance(s, Array) and s not in but}  # fmt: skip
    return e.xreplace(table).doit()


def _signed(poly, relation, over):
    """Whether a polynomial is ≤ 0, < 0 or never 0 for all values of its variables; None where that
    is not decided."""
    if not all(c.is_Rational for c in poly.coeffs()):
        return None
    if poly.is_ground:
        return _has_sign(poly.LC(), relation)
    if len(over) > 1 or not KINDS[kind(over[0])]:
        return None
    known = KINDS[kind(over[0])]
    low = 0 if known.get("positive") else -sympy.oo
    high = 0 if known.get("negative") else sympy.oo
    zeros, between = _partition(poly)
    inside = [(a, b) for a, b in zeros if low < b and a < high]
    if known.get("positive") or known.get("negative") or known.get("nonzero"):
        inside = [(a, b) for a, b in inside if a or b]
    holds = all(_has_sign(poly.eval(x), relation) for x in between if low < x < high)
    return holds and (relation == "≤" or not inside)


def _has_sign(x, relation):
    return {"≤": x <= 0, "<": x < 0, "≠": x != 0}[relation]


def _partition(poly):
    """Intervals, each around one zero, on one side of 0 unless they are 0; and a number in each of
    the gaps between them, and between them and 0."""
    core = Poly(poly.sqf_part() * Poly(poly.gen, poly.gen), poly.gen, domain="QQ").sqf_part()
    for n in count(1):
        found = [ends for ends, _ in core.intervals(eps=Rational(1, 10**n))]
        if all(b < c for (_, b), (c, _) in zip(found, found[1:])):
            break
    gaps = [(b + c) / 2 for (_, b), (c, _) in zip(found, found[1:])]
    gaps = [found[0][0] - 1, *gaps, found[-1][1] + 1]
    zeros = [(a, b) for a, b in found if not (a <= 0 <= b) or poly.eval(0) == 0]
    return [(Integer(0), Integer(0)) if a <= 0 <= b else (a, b) for a, b in zeros], gaps
