"""Coincidences: points where something in a statement is 0, in pairs equal, or 1, and nothing else
is special. There an equality may fail that holds around them: lim tanh(t (x − 3))² is not 1 at 3.

SymPy only proposes what may vanish; whether it does is a hypothesis, met as all others are.
"""

from dataclasses import replace
from itertools import combinations, islice, product
from math import prod

import sympy
from mpmath import mpf
from sympy import Derivative, Indexed, Integral, Limit, Poly, Pow, Sum, Symbol

from ..errors import IllFormed, Undecided
from ..kernel.context import Fact
from ..kernel.terms import RANGED, Bound, free, limits, substitute
from ..language import Array, Index, Named, Size, Total
from .arithmetic import Undefined, Unreachable
from .evaluate import evaluate
from .points import Sampler

MANY, LONG, FACTORED = 60, 400, 60  # coincidences; operations of one; of one that is factored
WIDEST, EDGE = 200, 30  # the largest size at which something is 0; digits of what is not 0
SUDDEN = (sympy.log, sympy.sign, sympy.Abs, sympy.gamma, sympy.loggamma, sympy.cot, sympy.csc,
          sympy.coth, sympy.csch, sympy.factorial)  # fmt: skip


def coincidences(context, left, relation, right):
    """Points of a statement's domain, each with the terms that are 0 there."""
    assumed = replace(
        context, facts=tuple(f for f in context.facts if f.source in ("", "hypothesis"))
    )
    for zeros in islice(_candidates(assumed, left, relation, right), MANY):
        facts = [f for e in zeros for f in _vanishes(e)]
        try:
            sampler = Sampler(replace(assumed, facts=(*assumed.facts, *facts)), [left, right])
            for point in islice(_met(sampler, zeros[0]), 1 if sampler.slow else 2):
                yield zeros, point
        except (IllFormed, Undefined, Unreachable, ArithmeticError, ValueError, KeyError):
            continue  # no point of the domain that can be found


def _met(sampler, e):
    """The points of a few sizes, not all of them 1, or of those at which e is 0."""
    patterns = sampler.patterns()
    patterns = patterns[1:4] if len(patterns) > 3 else patterns
    if not isinstance(e, tuple) and free(e) <= {*sampler.sizes}:
        patterns = [row for row in _sized(sampler, e, patterns) if sampler.admits(row)]
    for seed, (sizes, flavour) in enumerate(product(patterns, ("generic", "small"))):
        point = sampler.point(sizes, flavour, seed)
        if point is not None and _inside(sampler, point):
            yield point


def meetings(context, left, right):
    """A generic point for each way in which free indices of one kind are equal or not, where there
    are more ways than all together and all apart; None for a way that no point was found for."""
    assumed = replace(
        context, facts=tuple(f for f in context.facts if f.source in ("", "hypothesis"))
    )
    sampler, families = Sampler(assumed, [left, right]), {}
    for i in sampler.indices:
        sizes = frozenset(free(sympy.sympify(assumed.length(i))))
        families.setdefault(sizes, []).append(i)
    ways = [list(islice(_blocks(len(family)), MANY + 1)) for family in families.values()]
    if prod(map(len, ways)) < 3:
        return
    if prod(map(len, ways)) > MANY:
        raise Undecided("Numbers alone do not decide for so many free indices: fix some of them")
    rows = sorted(sampler.patterns(), key=sampler.cost)
    for seed, chosen in enumerate(product(*ways)):
        sampler.blocks = {i: (n, b) for n, (family, blocks) in
                          enumerate(zip(families.values(), chosen))
                          for i, b in zip(family, blocks)}  # fmt: skip
        found = (sampler.point(row, "generic", seed) for row in rows)
        yield next((point for point in found if point is not None), None)


def _blocks(n):
    """The partitions of n things, each as the number of the block for each of them."""
    if n == 0:
        yield ()
        return
    for rest in _blocks(n - 1):
        yield from ((*rest, b) for b in range(max(rest, default=-1) + 2))


def _inside(sampler, point):
    """Whether a point that is known up to rounding is not at the edge of what is asked of it: the
    zero of x is no place where x > 0."""
    if not point.rounded:
        return True
    strict = [f.left - f.right for f in sampler.facts if f.relation in "<≠" and not f.variables]
    strict += [s for s, at in point.rounded if at is None and (s.is_positive or s.is_nonzero)]
    strict += [a[at] for a, at in point.rounded if at is not None and a.domain == "positive"]
    return all(abs(evaluate(e, point).value) > mpf(10) ** -EDGE for e in strict)


def _sized(sampler, e, patterns):
    """Sizes at which e is 0, with one of those of a pattern changed."""
    for row, (place, size) in product(patterns, enumerate(sampler.sizes)):
        if (slope := e.diff(size)) in (1, -1):
            found = (size - e / slope).subs(dict(zip(sampler.sizes, row)))
            if found.is_Integer and 1 <= found <= WIDEST:
                yield (*row[:place], int(found), *row[place + 1 :])


def _vanishes(e):
    """That a term is 0, as hypotheses; an integer is met between two bounds."""
    if isinstance(e, tuple):
        return [Fact(e[1:], "=", e[0], sympy.S.Zero, "hypothesis")]
    if all(isinstance(s, Size) for s in free(e)):
        return []
    whole = sorted((s for s in e.free_symbols if type(s) is Symbol and s.is_integer), key=str)
    for s in whole:
        if (slope := e.diff(s)) in (1, -1):
            other = s - e / slope
            if not s.is_positive or other.subs(dict.fromkeys(whole, 2)).is_positive:
                return [Fact((), "≤", *pair, "hypothesis") for pair in ((s, other), (other, s))]
    return [Fact((), "=", e, sympy.S.Zero, "hypothesis")]


def _candidates(context, left, relation, right):
    """Tuples of terms that may be 0 together, each once."""
    seen = set()
    whole = _differences(left - right) if relation in "<>" else []
    said = [e for side in (left, right) for e in _critical(side)]
    for e in [*whole, *said, *_letters(context)]:
        for zeros in _zeros(e):
            known = {s for z in zeros for s in free(z[0] if isinstance(z, tuple) else z)}
            known = {s for s in known if not isinstance(s, Index)}
            bound = any(isinstance(s, (Bound, sympy.Dummy)) for s in known)
            if known and not bound and zeros not in seen:
                seen.add(zeros)
                yield zeros


def _differences(e):
    """Where a strict inequality may be an equality: where the difference is 0, or as small as it
    gets, and its slopes are 0."""
    letters = sorted((s for s in free(e) if type(s) is Symbol and not s.is_integer), key=str)
    if not 0 < len(letters) < 4 or e.atoms(*RANGED, Limit, Derivative, Total, Named):
        return [e]
    return [e, tuple((e.diff(s),) for s in letters)]


def _letters(context):
    """Each number alone and each array alone; two numbers, and a number and an entry."""
    numbers = [s for s in context.symbols if s not in context.defined]
    arrays = [a for a in context.arrays if a.of is None]
    firsts = [a[(1,) * len(a.shape)] for a in arrays]
    seconds = [a[(2, *(1,) * (len(a.shape) - 1))] for a in arrays]
    found = [*numbers, *firsts, *(a - b for a, b in zip(firsts, seconds))]
    for a in arrays:
        places = [Index(f"i{k}", integer=True, positive=True) for k in range(len(a.shape))]
        found.append((a[tuple(places)], *places))
    found += [a - b for a, b in combinations([*numbers[:4], *firsts[:2]], 2)]
    found += [x + k for x in numbers[:4] for k in (-1, 1)]
    return found


def _zeros(e):
    """The ways in which a term may be 0, each as a tuple of terms that are 0 together: factors, and
    what is squared in a sum of squares."""
    if isinstance(e, tuple):
        yield e if isinstance(e[0], tuple) else (e,)
        return
    if sympy.count_ops(e) > LONG:
        return
    for f in sympy.Mul.make_args(e if _together(e) else _factored(e)):
        f = f.base if isinstance(f, Pow) and f.exp.is_positive else f
        if isinstance(f, sympy.log):
            f = f.args[0] - 1
        together = _together(f)
        if together:
            yield together
        elif not f.is_number:
            yield (f,)


def _zeros_of(parts):
    return tuple(z for p in parts for z in p)


def _together(e):
    """What is 0 where a sum of even powers and absolute values is 0; None for other terms."""
    if isinstance(e, sympy.Add):
        parts = [_together(a) for a in e.args]
        return _zeros_of(parts) if all(parts) else None
    if isinstance(e, sympy.Mul):
        number, rest = e.as_coeff_Mul()
        return _together(rest) if number.is_positive and number != 1 else None
    if isinstance(e, Sum):
        inner = _together(e.function)
        if not inner or any(isinstance(z, tuple) for z in inner):
            return None
        table = {v: Index(f"i{k}", integer=True, positive=True)
                 for k, (v, low, high) in enumerate(limits(e)) if low == 1}  # fmt: skip
        return tuple((substitute(z, table), *table.values()) for z in inner)
    if isinstance(e, Pow) and e.exp.is_even and e.exp.is_positive:
        return _together(e.base) or (e.base,)
    return (e.args[0],) if isinstance(e, sympy.Abs) else None


def _factored(e):
    try:
        return sympy.factor(e) if sympy.count_ops(e) < FACTORED and _rational(e) else e
    except (sympy.PolynomialError, NotImplementedError, RecursionError, TypeError):
        return e


def _rational(e):
    """Whether a term is made of letters and entries by sums, products and whole powers."""
    if isinstance(e, (Symbol, Indexed)) or e.is_Rational:
        return True
    if isinstance(e, Pow):
        return e.exp.is_Integer and abs(e.exp) < 7 and _rational(e.base)
    return isinstance(e, (sympy.Add, sympy.Mul)) and all(map(_rational, e.args))


def _critical(e):
    """Terms at whose zeros the value of e may jump or be lost; what binders bind has its first or
    last value in them."""
    e = e.meaning if isinstance(e, Named) else e
    if isinstance(e, (Array, Indexed)) or not e.args:
        return []
    found = [x for a in e.args if isinstance(a, sympy.Expr) for x in _critical(a)]
    if isinstance(e, Pow) and not (e.exp.is_Integer and e.exp.is_positive):
        found.append(e.base)
    elif isinstance(e, SUDDEN):
        found.append(e.args[0])
    elif isinstance(e, (sympy.zeta, sympy.polylog, sympy.LambertW)):
        found.append(e.args[-1] - 1)
    elif isinstance(e, (sympy.Max, sympy.Min, sympy.KroneckerDelta)):
        found += [a - b for a, b in combinations(e.args, 2)]
    elif isinstance(e, (Limit, *RANGED)):
        return _bound(e)
    elif isinstance(e, (Derivative, sympy.Subs, Total)):
        found = _critical(e.args[0])
    return found


def _bound(e):
    """Of a binder: the coefficients of its variable, their sums and differences, its length, and
    what is critical inside."""
    inside, found = _critical(e.args[0]), []
    triples = [(e.args[1], e.args[2], e.args[2])] if isinstance(e, Limit) else limits(e)
    for variable, low, high in triples:
        endless = low.is_infinite or high.is_infinite
        if isinstance(e, (Limit, Integral)) or endless:
            rates = list(dict.fromkeys(_rates(e.args[0], variable)))[:12]
            inside += rates + [r for a, b in combinations(rates[:6], 2) for r in (a - b, a + b)]
        if not endless:
            found.append(high - low)
        ends = [x for x in (low, high) if not x.is_infinite]
        if isinstance(e, Integral):  # what is lost at one number alone does not count
            ends = []
        inside = [y for x in inside for y in
                  ([substitute(x, {variable: end}) for end in ends] if variable in free(x)
                   else [x])]  # fmt: skip
    return [*inside, *found]


def _rates(e, variable):
    """The largest parts of e that do not vary, and how fast other parts do: 3 − x in t (3 − x), and
    x − 1 in x^t."""
    if variable not in free(e):
        return [e] if free(e) else []
    e = e.meaning if isinstance(e, Named) else e
    if isinstance(e, Indexed) or not e.args:
        return []
    found = []
    if isinstance(e, Pow) and variable in free(e.exp) and free(e.base):
        found = [e.base - 1, e.base + 1]
    if isinstance(e, sympy.Mul) and (rate := e.as_independent(variable)[0]) and free(rate):
        found.append(rate)
    for x in (e, *e.args):
        if isinstance(x, sympy.Add) and x.is_polynomial(variable) and not x.has(Derivative):
            found += [c for c in Poly(x, variable).coeffs() if free(c)]
    return found + [x for a in e.args if isinstance(a, sympy.Expr) for x in _rates(a, variable)]
