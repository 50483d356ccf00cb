"""Points of a statement's domain: one fixed set for each statement, simple points first.

Sizes are 1, 2, 3, some 6 and some 12, and rarely equal, so that no small polynomial in them
vanishes at all. Numbers coincide, vanish, are whole, generic, tiny and large. Every hypothesis
holds at every point, and not up to rounding: equations are solved, exactly or so that Newton's
method has a solution all but there, bounds are moved, the rest is found by trying. Where no generic
point is found, that is an error, because from hypotheses that cannot be met anything follows.
"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product as cartesian
from math import prod

import sympy
from mpmath import matrix, mp, mpc, mpf
from sympy import Add, Derivative, Indexed, Integral, Limit, Mul, Pow, Product, Sum, Symbol, sympify

from ..errors import IllFormed
from ..kernel.context import ASSUMED, KINDS, kind
from ..kernel.terms import BINDERS, RANGED, free, limits
from ..language import Array, Index, Named, Size, Total
from ..names import plain
from .arithmetic import Undefined, Unreachable, is_fraction
from .evaluate import _value, evaluate, exact, is_slow, sampled
from .polynomials import ends, everywhere, to_try

BUDGET, ATTEMPTS, WORK = 20_000, 30, 3_000  # operations a point; tries; evaluations to solve
DIGITS = 300  # of what is irrational at a point: more than expressions are ever computed to
UNKNOWNS, TOGETHER = 12, 12  # numbers and equations that Newton's method has to do with at once
ENTRIES, SIDE = 30_000, 26  # numbers that an array has at most; rows of one with an inverse
PATTERNS = {
    0: [()],
    1: [(1,), (2,), (3,), (4,), (6,), (13,)],
    2: [(1, 1), (2, 1), (1, 3), (3, 2), (2, 4), (7, 5), (6, 8), (13, 3), (4, 11)],
}
LACKING = 12  # rows that are added where the degree in a size asks for more than there are
MORE = [(1, 1, 1, 1), (2, 1, 3, 2), (1, 3, 2, 3), (3, 2, 1, 1), (2, 3, 4, 2), (4, 2, 3, 5),
        (7, 5, 6, 4), (11, 3, 2, 13), (3, 13, 4, 2), (2, 4, 11, 3)]  # fmt: skip
SIMPLE = ("zero", "one", "equal", "small", "minus")
GENERIC = ("generic", "positive", "negative", "twins", "tiny", "wide", "large", "-large", "chance")
WITH_SIZES = (("zero", "generic", "twins"), ("equal", "generic", "large"),
              ("one", "generic", "wide"), ("small", "generic", "-large"),
              ("minus", "generic", "tiny"),
              ("small", "generic", "positive"))  # fmt: skip
WITHOUT = ("zero", "one", "minus", "equal", "small", "generic", "small", "generic", "positive",
           "small", "negative", "equal", "generic", "wide", "tiny", "large", "-large", "wide",
           "generic", "small")  # fmt: skip
COSTLY = ("one", "equal", "small", "generic", "zero", "minus", "generic", "negative", "positive",
          "large", "wide")  # fmt: skip
MOVABLE = ("real", "positive", "nonnegative", "normal")
SCALES = (10**6, 10**3, 30, 3)


class Point(dict):
    """{symbol: number, array: {position: number}}, with fractions where they are exact. `smaller`
    is the same point with smaller numbers, to be tried where this one is out of reach. What is
    `rounded` is within the last of its digits of what the hypotheses ask for. It is `shown` where
    hypotheses that are meant for all values of a real variable are known to hold for all."""

    flavour, following, rounded, shown = "generic", None, (), True

    @cached_property
    def known(self):
        """Its values as numbers of the precisions that were asked for."""
        return {}

    @cached_property
    def values(self):
        """What expressions were found to be here: their values, or why they have none."""
        return {}

    @cached_property
    def smaller(self):
        return self.following() if self.following else None

    def entries(self):
        """The assignments, arrays entry by entry."""

        def order(key):
            return not isinstance(key, Size), isinstance(key, Array), str(key)

        for key in sorted(self, key=order):
            if isinstance(key, Array):
                yield from ((key[at], x) for at, x in sorted(self[key].items()))
            else:
                yield key, self[key]

    def lines(self):
        return [f"{plain(str(name))} = {readable(x)}" for name, x in self.entries()]

    def weight(self):
        entries = list(self.entries())
        return len(entries), sum(len(f"{name} = {readable(x)}") for name, x in entries)

    def __str__(self):
        return ", ".join(self.lines()) or "every point"


def readable(x):
    """A number as a fraction where it is one with a small denominator."""
    if isinstance(x, (int, Fraction)):
        return str(x) if len(str(x)) <= 40 else mp.nstr(mpf(x.numerator) / x.denominator, 8)
    if isinstance(x, mpc) and x.imag:
        sign = "-" if x.imag < 0 else "+"
        return f"{readable(x.real)} {sign} {readable(abs(x.imag))}i"
    x = mp.re(x)
    if not x:
        return "0"
    for q in (1, 2, 3, 4, 5, 6, 7, 8, 9):
        near = Fraction(int(mp.nint(x * q)), q) if abs(x) < 10**9 else 0
        if near and is_fraction(x, near):
            return str(near)
    return mp.nstr(x, 8)


def points(context, expressions, budget=BUDGET, chance=False):
    """Points at which every hypothesis holds, simple ones first; an error if there are none. With
    `chance`, also some with numbers that the statement itself draws, so that it cannot be made for
    them: fractions with long denominators, of another kind than all others."""
    return Sampler(context, expressions, budget, chance).points()


def degree(e, letters):
    """The degree of an expression in some letters, at most, where it is a polynomial in them; the
    sums over entries of arrays are none."""
    if isinstance(e, Symbol):
        return int(e in letters)
    if isinstance(e, Named):
        return degree(e.meaning, letters)
    if isinstance(e, Pow) and e.exp.is_Integer and e.exp > 0:
        return int(e.exp) * degree(e.base, letters)
    if isinstance(e, Sum):
        runs = {v for v, *ends in limits(e) if any(free(end) & letters for end in ends)}
        runs = set() if e.atoms(Indexed) else runs
        return degree(e.function, letters | runs) + len(runs)
    if isinstance(e, Product):
        counts = [high - low + 1 for _, low, high in limits(e)]
        known = all(n.is_Integer for n in counts)
        return degree(e.function, letters) * (prod(int(max(n, 0)) for n in counts) if known else 0)
    if not isinstance(e, (Add, Mul)):
        return 0
    return (max if isinstance(e, Add) else sum)(degree(part, letters) for part in e.args)


class Sampler:
    def __init__(self, context, expressions, budget=BUDGET, chance=False):
        self.seed = f"{expressions} {context.facts}" if chance else ""
        context = _with_lengths(_with_inverted(context))
        self.context, self.expressions, self.budget = context, list(expressions), budget
        self.facts = [f for f in context.facts if f.source]
        self.defined = context.defined
        self.matrices = [a for a in self.defined if _has_inverse(a)]
        self.failures, self.work, self.spent = 0, 1_500, 0  # evaluations left now, made in all
        bases = {x.base for e in self.expressions for x in e.atoms(Total)} | set(context.arrays)
        sizes = {*context.sizes, *(a.domain for a in bases if isinstance(a.domain, Size))}
        sizes |= {n for a in self.matrices for n in free(a.shape[0])}
        sizes |= {n for f in self.facts for n in self.lengths(f) if isinstance(n, Size)}
        self.sizes = sorted(sizes, key=str)
        self.about_sizes = [f for f in self.facts if f.free <= sizes and not f.variables]
        self.facts = [f for f in self.facts if f not in self.about_sizes]
        sides = [side for f in self.facts for side in (f.left, f.right)]
        self.slow = any(map(is_slow, (*self.expressions, *sides)))
        quantified = {v for f in context.facts for v in f.variables}
        loose = set().union(*map(free, self.expressions), *(f.free for f in self.facts))
        loose = loose.union(context.free_indices)
        self.indices = [i for i, _ in context.ranges if i in loose or i not in quantified]
        self.tried = {(f, v): to_try(f, v, allowed) for f in self.facts for v in f.variables
                      if not isinstance(v, Index)}  # fmt: skip
        self.for_all = [f for f in self.facts if f.source == ASSUMED
                        and any((f, v) in self.tried for v in f.variables)]  # fmt: skip
        self.taken = set()  # ends of bounds at which there is a point

    def points(self):
        found, patterns = [], self.patterns()
        for place, sizes in enumerate(patterns):
            for turn, flavour in enumerate(self.flavours(place)):
                point = self.point(sizes, flavour, 100 * place + turn)
                if point is not None:
                    found.append(point)
        said = [f"{f.left} {f.relation} {f.right}" for f in self.context.facts if f.source]
        said += [f"{a} is {a.domain}" for a in self.matrices]
        stated = "; ".join(said)
        if not found and not said:
            raise IllFormed("an array is too long for points to have numbers for all its entries")
        if not found:
            raise IllFormed(f"no point satisfies the hypotheses {stated}: they contradict each "
                            "other, or are too narrow to meet but for rounding")  # fmt: skip
        if self.facts and not any(p.flavour in GENERIC for p in found):
            raise IllFormed(f"only special points satisfy the hypotheses {stated}")
        for place, size in enumerate(self.sizes):
            if all(p[size] == 1 for p in found) and any(row[place] > 1 for row in patterns):
                raise IllFormed(f"no point with {size} > 1 satisfies the hypotheses {stated}")
        return sorted(found, key=lambda p: (p.flavour in GENERIC, prod(p[s] for s in self.sizes)))

    # --- sizes -------------------------------------------------------------------------

    def patterns(self):
        """The sizes to try: affordable ones that no hypothesis about sizes excludes."""
        n = len(self.sizes)
        wanted = PATTERNS.get(n) or [(row * n)[:n] for row in MORE]
        small = [row for row in cartesian(range(1, 9 if n < 3 else 5), repeat=min(n, 5))
                 if n <= 5]  # fmt: skip
        wanted = [row for row in wanted if self.admits(row)]
        if len(wanted) < 5 and n:
            extra = sorted((r for r in small if r not in wanted and self.admits(r)), key=sum)
            wanted += extra[: 6 - len(wanted)]
        wanted += self.beyond(wanted)
        costs = {row: self.cost(row) for row in wanted}
        cheap = [row for row in wanted if costs[row] <= self.budget]
        for place in range(n):  # where a size is always 1, no index is told from another
            larger = [row for row in wanted if row[place] > 1 and costs[row] <= 4 * self.budget]
            if all(row[place] == 1 for row in cheap) and larger:
                cheap.append(min(larger, key=costs.get))
        return cheap or sorted(wanted, key=costs.get)[:2]

    def beyond(self, rows):
        """More rows, larger in a size of which the expressions are polynomials that may vanish at
        all numbers tried: no polynomial of degree n has n + 1 zeros."""
        found = []
        for place, size in enumerate(self.sizes):
            met = {row[place] for row in rows}
            lacking = max((degree(e, {size}) for e in self.expressions), default=0) + 1 - len(met)
            if len(met) > 1 and 0 < lacking <= LACKING:
                others = next(row for row in rows if row[place] > 1)
                larger = range(max(met) + 1, max(met) + 1 + lacking)
                found += [(*others[:place], number, *others[place + 1 :]) for number in larger]
        return [row for row in found if self.admits(row)]

    def admits(self, row):
        sizes = Point(zip(self.sizes, row))
        try:
            return all(holds(f.relation, f.left, f.right, sizes) for f in self.about_sizes)
        except (Undefined, Unreachable):
            return False

    def flavours(self, place):
        more = ("chance",) * (1 if self.sizes else 3) if self.seed else ()
        return (*self.flavours_known(place), *more)

    def flavours_known(self, place):
        if self.sizes:
            chosen = WITH_SIZES[place % len(WITH_SIZES)]
            return chosen[:2] if self.slow else chosen
        if not (self.context.symbols or self.context.arrays or self.indices):
            return ("generic",)
        return COSTLY if self.slow else WITHOUT

    def cost(self, row):
        """How many operations the expressions take, each counted once for each value of the bound
        variables that it depends on, as the evaluator remembers values."""
        sizes, seen, total = Point(zip(self.sizes, row)), set(), 0

        def number(x, default=3):
            try:
                return int(evaluate(x, sizes).value)
            except (ArithmeticError, ValueError, TypeError):
                return default

        def visit(e, scope):
            nonlocal total
            if e in seen or isinstance(e, (Symbol, Array)):
                return
            seen.add(e)
            total += prod(scope[v] for v in free(e) if v in scope)
            if isinstance(e, RANGED):
                inner, factor = dict(scope), 400 if isinstance(e, Integral) else None
                for v, low, high in limits(e):
                    endless = low.is_infinite or high.is_infinite
                    span = 300 if endless else number(high) - number(low) + 1
                    inner[v] = factor or max(span, 0)
                return visit(e.function, inner)
            if isinstance(e, Total):
                count = prod(max(number(n), 0) for n in e.base.shape)
                values = (number(e.base.domain) if isinstance(e.base.domain, Size) else
                          37 if e.base.domain == "normal" else len(e.base.domain))  # fmt: skip
                return visit(e.function, {**scope, e.base: values**count})
            if isinstance(e, Limit):
                scope = {**scope, e.args[1]: 20}
            if isinstance(e, Derivative):
                orders = sum(number(n) for _, n in e.variable_count)
                scope = {**scope, **dict.fromkeys(free(e) & set(e._wrt_variables), 2 * orders)}
            for a in e.args:
                visit(a, scope)

        for e in self.expressions:
            visit(e, {})
        return total

    # --- one point ---------------------------------------------------------------------

    def point(self, sizes, flavour, seed):
        """A point of some flavour, or None where none is found that meets the hypotheses."""
        scales = SCALES if "large" in flavour else [Fraction(1, 8**k) for k in range(4)]
        scales = scales if flavour in ("large", "-large", "wide") else scales[:2]
        return self.at_scales(sizes, flavour, seed, scales)

    def at_scales(self, sizes, flavour, seed, scales):
        """The point at the first scale where there is one; the smaller ones are found on demand."""
        for n, scale in enumerate(scales, 1):
            point = self.attempt(sizes, flavour, seed, scale)
            if point is not None:
                if flavour in SIMPLE:  # one scale is all there is of these
                    flavour, scales, n = "generic", (Fraction(1, 8), Fraction(1, 32)), 0
                point.following = partial(self.at_scales, sizes, flavour, seed, scales[n:])
                return point
        return None

    def attempt(self, sizes, flavour, seed, scale):
        tries = (ATTEMPTS if flavour in GENERIC else 4) if self.facts or self.defined else 1
        self.work, self.spent = 1_500, self.spent + 1_500 - self.work
        for n in range(tries if self.spent < WORK and self.failures < 150 else 2):
            self.failures += 1
            if self.work < 0:
                return None
            drawn_from = 1000 * seed + n
            if flavour == "chance":
                drawn_from = f"{self.seed} {drawn_from}"
            draw = Draw(flavour, random.Random(drawn_from), scale, n)
            try:
                point = self.drawn(dict(zip(self.sizes, sizes)), draw)
                if point is not None and self.imposed(point, draw):
                    point.flavour, self.failures = flavour, -(10**6)
                    return point
            except (Undefined, Unreachable, ZeroDivisionError):
                continue
        return None

    def drawn(self, sizes, draw):
        point = Point(sizes)
        for s in self.context.symbols:
            if s not in self.defined:
                point[s] = draw.number(kind(s))
        for a in self.context.arrays:
            if a.of is None:
                shape = [int(evaluate(n, point).value) for n in a.shape]
                if min(shape) < 0 or prod(shape) > ENTRIES:
                    return None
                if _has_inverse(a) and shape[0] > SIDE:
                    return None
                point[a] = draw.entries(a, shape, point)
        taken = {}
        for i in self.indices:
            length = int(evaluate(self.context.length(i), point).value)
            if not 1 <= length <= ENTRIES:
                return None
            point[i] = draw.position(length, taken.setdefault(length, []))
        return point

    def imposed(self, point, draw):
        """Change the point so that the hypotheses hold; whether they do."""
        said = [a for a in self.context.arrays if a.of is not None
                if any(a in f.free for f in self.facts)]  # fmt: skip
        if not all(self.inverted(a, point) for a in said):
            return False
        equations = [f for f in self.facts if f.relation == "="]
        solved = set()
        if equations and not all(self.true(f, point) for f in equations):
            solve(self, equations, point, solved)
        for f in self.facts:
            if f.relation in "≤<" and not self.true(f, point):
                self.move(f, point, draw, solved)
        settled = () if all(self.true(f, point) for f in equations) else equations
        if settled and not settle(self, equations, point):
            return False
        if not self.met(point, settled):
            return False
        if draw.flavour in ("equal", "small") and not settled:
            self.at_ends(point)
        return True

    def met(self, point, settled=()):
        """Whether a point is in the domain of all that it has numbers for, and the hypotheses hold
        there, of which some are settled."""
        if not all(self.inside(a, point) for a in self.context.arrays if a.of is None):
            return False
        if not all(allowed(s, point[s]) for s in self.context.symbols if s in point):
            return False
        before = {a: point.get(a) for a in self.context.arrays if a.of is not None}
        if not all(self.inverted(a, point) for a in before):
            return False
        if settled and any(point[a] != x for a, x in before.items() if x is not None):
            return False  # what is settled was so for other numbers
        if any(self.reciprocal(a, point) is None for a in self.matrices):
            return False
        if not all(self.true(f, point) for f in self.facts if f not in settled):
            return False
        known = [self.known(f, point) for f in self.for_all]
        point.shown = all(known)
        return False not in known

    def known(self, fact, point):
        """Whether a hypothesis that holds at the values tried does for all; None if that is not
        decided."""
        tried = {v: len(x) for (f, v), x in self.tried.items() if f == fact}
        loose = set(tried)
        met = [everywhere(fact, {k: x for k, x in here.items() if k not in loose}, tried)
               for here in self.instances(fact, point, first=True)]  # fmt: skip
        return False if False in met else None if None in met else True

    def at_ends(self, point):
        """Move symbols to an end of what bounds leave them, to each end once, where all hypotheses
        hold there as well."""
        moved = set()
        for f in self.facts:
            symbols = () if f.relation != "≤" or f.variables else f.free & point.keys()
            for s in sorted((s for s in symbols if type(s) is Symbol), key=str):
                for n, x in enumerate(ends(f, s, point)):
                    if (f, s, n) in self.taken or s in moved and point[s] != x:
                        continue
                    there = Point(point)
                    there[s] = int(x) if s.is_integer and x == int(x) else x
                    if point[s] != x and not self.met(there):
                        continue
                    if point[s] != x:
                        point.update(there)
                        point.shown = there.shown
                    moved.add(s)
                    self.taken.add((f, s, n))

    def inside(self, array, point):
        """Whether entries that were solved for are still in their domain."""
        table = point[array].values()
        if array.domain in ("positive", "simplex"):
            return all(x > 0 for x in table)
        return array.domain != "nonnegative" or all(x >= 0 for x in table)

    def inverted(self, array, point):
        """Compute an inverse from its matrix, if that is in its domain."""
        found = self.reciprocal(array.of, point)
        if found is not None:
            rows = [enumerate(row, 1) for row in found]
            point[array] = {(i, j): x for i, row in enumerate(rows, 1) for j, x in row}
        return found is not None

    def reciprocal(self, matrix, point):
        """The rows of the inverse of a matrix; None where the matrix is not in its domain."""
        table = point.get(matrix) or self.table(matrix, point)
        n = max(i for i, _ in table)
        rows = [[table[i, j] for j in range(1, n + 1)] for i in range(1, n + 1)]
        if matrix.domain == "definite" and not definite(rows):
            return None
        return inverse(rows)

    def table(self, array, point):
        """The entries of an array that a hypothesis defines."""
        made = self.defined[array]
        shape = [int(evaluate(n, point).value) for n in array.shape]
        here, found = Point(point), {}
        for at in cartesian(*(range(1, n + 1) for n in shape)):
            here.update(zip(made.places, at))
            value = exact(made.meaning, here)
            digits = 110 if is_slow(made.meaning) else DIGITS
            found[at] = _value(made.meaning, here, digits, 0) if value is None else value
        return found

    def instances(self, fact, point, first=False):
        """The point with each value of the variables for which a hypothesis is meant; with `first`,
        with one alone of each that is no index."""
        spans = []
        for v in fact.variables:
            if isinstance(v, Index):
                length = int(evaluate(self.length(v, fact), point).value)
                spans.append(range(1, length + 1))
            else:
                spans.append(self.tried[fact, v][: 1 if first else None])
        for values in cartesian(*spans):
            here = Point(point)
            here.update(zip(fact.variables, values))
            yield here

    def lengths(self, fact):
        """What the lengths depend on that the indices of a hypothesis run to."""
        indices = (v for v in fact.variables if isinstance(v, Index))
        return set().union(*(free(sympify(self.length(i, fact))) for i in indices))

    def length(self, index, fact):
        """How far an index of a hypothesis runs."""
        known = self.context.length(index)
        if known is None:
            known = next(n for e in (fact.left, fact.right) for x in e.atoms(Indexed)
                         for i, n in zip(x.indices, x.base.shape) if i == index)  # fmt: skip
        return known

    def true(self, fact, point):
        return all(holds(fact.relation, fact.left, fact.right, here)
                   for here in self.instances(fact, point))  # fmt: skip

    def move(self, fact, point, draw, solved):
        """Meet a bound by moving the one symbol that stands alone on a side, or whose size or even
        power does, or else entries of arrays, the last ones first."""
        for symbol, other, sign in ((fact.right, fact.left, 1), (fact.left, fact.right, -1)):
            symbol, power = _of_power(symbol)
            movable = isinstance(symbol, Symbol) and symbol in point and symbol not in solved
            if movable and symbol not in free(other) and not isinstance(symbol, (Size, Index)):
                bounds = [_bound(exactly(other, here)) for here in self.instances(fact, point)]
                if not bounds:
                    return
                end = max((v * sign for v in bounds), key=_real) * sign
                rounded = not all(isinstance(v, (int, Fraction)) for v in bounds)
                if power:
                    end, inexact = _root(end, power, sign)
                    rounded = rounded or inexact
                step = draw.slack(fact.relation == "<" or rounded, symbol.is_integer)
                if power:
                    return _resize(point, symbol, end, sign, step)
                point[symbol] = end + sign * step
                if symbol.is_integer:
                    point[symbol] = int(mp.ceil(point[symbol]) if sign == 1 else
                                        mp.floor(point[symbol]))  # fmt: skip
                return
        slots = [(a, at) for a in self.context.arrays
                 if a in fact.free and a.of is None and a.domain in MOVABLE
                 for at in sorted(point[a], reverse=True)]  # fmt: skip
        for variables in [{v: here[v] for v in fact.variables}
                          for here in self.instances(fact, point)]:  # fmt: skip
            if slots and not holds(fact.relation, fact.left, fact.right, {**point, **variables}):
                edge = fact.left - fact.right + sympify(draw.slack(fact.relation == "<", False))
                for slot in slots:
                    self.work -= 1
                    if self.work < 0 or _linear(edge, point, variables, slot):
                        break


def _of_power(e):
    """The symbol of |s| or of an even power of it, and the power; (e, None) for others."""
    if isinstance(e, sympy.Abs) and e.args[0].is_real:
        return e.args[0], 1
    if e.is_Pow and e.base.is_real and e.exp.is_Integer and e.exp > 0 and e.exp % 2 == 0:
        return e.base, int(e.exp)
    return e, None


def _root(x, power, sign):
    """The root of a bound, and whether it is a number on the side that is meant, next to it."""
    if x <= 0:
        return Fraction(0), x < 0
    if isinstance(x, (int, Fraction)):
        roots = [sympy.integer_nthroot(n, power) for n in (x.numerator, x.denominator)]
        if all(whole for _, whole in roots):
            return Fraction(int(roots[0][0]), int(roots[1][0])), False
    near = mp.root(_decimal(x), power) * (1 + sign * mpf(2) ** -40)
    return Fraction(int(mp.nint(mp.ldexp(near, 64))), 2**64), True


def _resize(point, symbol, end, sign, step):
    """Give a number the size of an end: at least that, or (for the sign −1) at most."""
    if symbol.is_integer:
        size = int(mp.ceil(end)) + step if sign == 1 else max(0, int(mp.floor(end)) - step)
    else:
        size = end + step if sign == 1 else end / (1 + step)
    point[symbol] = -size if mp.re(point[symbol]) < 0 else size


def exactly(e, point):
    value = exact(e, point)
    return _value(e, point, 110, 0) if value is None else value


def _bound(x):
    """A number that another can be moved to: one that is real, but for rounding."""
    if abs(mp.im(x)) > mpf(10) ** -25:
        raise Undefined("a bound that is not real")
    return mp.re(x) if isinstance(x, mpc) else x


def holds(relation, left, right, point):
    """Whether a relation holds at a point for sure: sides that differ by less than their errors are
    equal where they are made of the same numbers in the same way."""
    difference = exact(left - right, point)
    if difference is not None:
        return {"=": difference == 0, "≠": difference != 0, "≤": difference <= 0,
                "<": difference < 0}[relation]  # fmt: skip
    a, b = evaluate(left, point), evaluate(right, point)
    gap, error = a.value - b.value, a.error + b.error
    error = error and error + mpf(10) ** -45 * (abs(a.value) + abs(b.value))
    if abs(gap) <= error:
        return relation in "=≤" and (error == 0 or _alike(left - right, point))
    if relation in "=≠":
        return relation == "≠"
    return max(abs(mp.im(a.value)), abs(mp.im(b.value))) <= error and mp.re(gap) < -error


def _alike(difference, point):
    """Whether the terms of a difference cancel, as they are the same where letters are numbers."""
    total = Counter()
    for term in sympy.Add.make_args(difference):
        factor, rest = term.as_coeff_Mul()
        if (shape := _shape(rest, point)) is None:
            return False
        total[shape] += factor
    return not any(total.values())


def _shape(e, point):
    """An expression with the numbers of a point for letters and entries; None where one of them is
    no fraction, or is not there."""
    if isinstance(e, Named):
        return _shape(e.meaning, point)
    if isinstance(e, Indexed):
        table, at = point.get(e.base, {}), tuple(_shape(i, point) for i in e.indices)
        found = table.get(at) if None not in at else None
    elif isinstance(e, Symbol):
        found = point.get(e)
    elif e.is_Rational:
        found = Fraction(int(e.p), int(e.q))
    elif e.args and not isinstance(e, (*BINDERS, Derivative)):
        parts = [_shape(a, point) for a in e.args]
        if None in parts:
            return None
        counted = isinstance(e, (sympy.Add, sympy.Mul))
        return type(e), frozenset(Counter(parts).items()) if counted else tuple(parts)
    else:
        return None if e.args else e
    return found if isinstance(found, (int, Fraction)) else None


def allowed(symbol, x):
    """Whether a number is of the kind of a symbol."""
    known = KINDS[kind(symbol)] if type(symbol) is Symbol else symbol._assumptions_orig
    real = not mp.im(x) if isinstance(x, mpc) else True
    if not real:
        return not known
    x = x.real if isinstance(x, mpc) else x
    whole = mp.isint(x) if isinstance(x, mpf) else x == int(x)  # of e^(10^9) no int is made
    return not (
        known.get("integer")
        and not whole
        or known.get("positive")
        and not x > 0
        or known.get("nonnegative")
        and not x >= 0
        or known.get("negative")
        and not x < 0
        or known.get("nonpositive")
        and not x <= 0
        or known.get("nonzero")
        and x == 0
    )


# --- solving equations -----------------------------------------------------------------


def solve(sampler, equations, point, solved):
    """Solve equations for single numbers, exactly where they are linear; else all at once."""
    slots = _unknowns(sampler, equations, point)
    for fact in equations:
        for variables in [{v: here[v] for v in fact.variables}
                          for here in sampler.instances(fact, point)]:  # fmt: skip
            difference = fact.left - fact.right
            if exact(difference, {**point, **variables}) == 0:
                continue
            for slot in slots:
                sampler.work -= 1
                if sampler.work < 0:
                    return
                if slot not in solved and _linear(difference, point, variables, slot):
                    solved.add(slot)
                    break
    solved |= {s for s, at in solved if at is None}
    if not all(sampler.true(f, point) for f in equations):
        _newton(sampler, equations, point, slots)
        solved |= {s for s, at in slots if at is None}


def _unknowns(sampler, equations, point):
    """The numbers that equations can be solved for, as places in a point."""
    arrays = set().union(*(f.free for f in equations)) & set(sampler.context.arrays)
    slots = [(a, at) for a in sorted(arrays, key=lambda a: (-len(a.shape), str(a)))
             if a.of is None and a.domain in MOVABLE
             for at in sorted(point[a], reverse=True)]  # fmt: skip
    names = set().union(*(f.free for f in equations)) & set(sampler.context.symbols)
    return slots + [(s, None) for s in sorted(names, key=str) if not s.is_integer and s in point]


def _has_inverse(x):
    return getattr(x, "domain", "") in ("definite", "invertible")


def _with_inverted(context):
    """The context with what a matrix is made of that has an inverse."""
    of = {a.of for a in context.arrays if a.of is not None}
    of |= {target for target in context.defined if _has_inverse(target)}
    made = (d.meaning for target, d in context.defined.items() if target in of)
    met = set().union(*map(free, made))
    symbols = {s for s in met if type(s) is Symbol} - {*context.symbols}
    arrays = {a for a in met if isinstance(a, Array)} - {*context.arrays}
    sizes = {n for n in met if isinstance(n, Size)} - {*context.sizes}
    if not symbols | arrays | sizes:
        return context
    return replace(
        context,
        sizes=tuple(sorted({*context.sizes, *sizes}, key=str)),
        symbols=(*context.symbols, *sorted(symbols, key=str)),
        arrays=(*sorted(arrays, key=str), *context.arrays),
    )


def _with_lengths(context):
    """The context with what the lengths depend on to which its indices run."""
    met = set().union(*(free(sympify(length)) for _, length in context.ranges))
    sizes = {n for n in met if isinstance(n, Size)} - {*context.sizes}
    symbols = {s for s in met if type(s) is Symbol} - {*context.symbols}
    if not sizes | symbols:
        return context
    return replace(context, sizes=tuple(sorted({*context.sizes, *sizes}, key=str)),
                   symbols=(*context.symbols, *sorted(symbols, key=str)))  # fmt: skip


def _put(point, slot, x):
    name, at = slot
    if at is None:
        point[name] = x
    else:
        point[name] = {**point[name], at: x}


def _get(point, slot):
    return point[slot[0]] if slot[1] is None else point[slot[0]][slot[1]]


def _linear(difference, point, variables, slot):
    """Solve a linear equation for one number, exactly; whether that was possible."""
    if slot[0] not in free(difference):
        return False
    before, values = _get(point, slot), []
    for x in (Fraction(1), Fraction(2), Fraction(3)):
        _put(point, slot, x)
        values.append(exact(difference, {**point, **variables}))
    _put(point, slot, before)
    a, b, c = values
    if None in values or a == b or a - 2 * b + c != 0:
        return False
    root = 1 + a / (a - b)
    _put(point, slot, root)
    name, at = slot
    good = root > 0 if getattr(name, "domain", "") == "positive" or name.is_positive else True
    if good and exact(difference, {**point, **variables}) == 0:
        return True
    _put(point, slot, before)
    return False


def _decimal(x):
    """A number at the working precision."""
    return +x if isinstance(x, (mpf, mpc)) else mpf(x.numerator) / x.denominator


def _newton(sampler, equations, point, slots):
    """Newton's method with the smallest steps, for all equations and all numbers at once."""
    places = _places(sampler, equations, point)
    slots = slots[:UNKNOWNS]
    if not slots or len(places) > TOGETHER or sampler.work < 0:
        return
    with mp.workdps(100):
        for slot in slots:
            x = _get(point, slot)
            _put(point, slot, _decimal(x))

        def residual():
            return [mp.re(x) for x in _residual(places, point, 100)]

        first, h = None, mpf(10) ** -40
        for turn in range(20):
            r = residual()
            worst = max(map(abs, r))
            first = first or worst
            sampler.work -= len(places) * (len(slots) + 1)
            if worst < mpf(10) ** -85 or turn > 8 and worst > first / 100 or sampler.work < 0:
                return
            jacobian = matrix(len(r), len(slots))
            for k, slot in enumerate(slots):
                x = _get(point, slot)
                _put(point, slot, x + h)
                for i, value in enumerate(residual()):
                    jacobian[i, k] = (value - r[i]) / h
                _put(point, slot, x)
            square = jacobian * jacobian.T
            ridge = mpf(10) ** -30 * (1 + mp.mnorm(square, 1))
            for i in range(len(r)):
                square[i, i] += ridge
            step = jacobian.T * mp.lu_solve(square, matrix(r))
            longest = max(abs(x) for x in step)
            for k, slot in enumerate(slots):
                _put(point, slot, _get(point, slot) - step[k] / max(1, longest / 2))


def _places(sampler, equations, point):
    """The differences of sides that have to be 0, with values of the letters that they are meant
    for: k_i · k_j and k_j · k_i are one."""
    found = {}
    for f in equations:
        for here in sampler.instances(f, point):
            variables = {v: here[v] for v in f.variables}
            difference = f.left - f.right
            said = difference.xreplace({v: sympify(x) for v, x in variables.items()
                                        if isinstance(v, Index)})  # fmt: skip
            rest = tuple(x for v, x in variables.items() if not isinstance(v, Index))
            if said and (-said, rest) not in found:
                found.setdefault((said, rest), (difference, variables))
    return list(found.values())


def _residual(places, point, digits):
    return [mpf(1) * _value(e, {**point, **v}, digits, 0) for e, v in places]


def settle(sampler, equations, point):
    """Bring a point that nearly solves equations next to a solution; whether there is one. Newton's
    method finds it where the equations depend on numbers, each in its own way: if both sides are 1
    but for 10^-1000, or the point is where a square is least, they do not. What is computed by
    quadrature or along a sequence has too few digits for it."""
    if any(sampled(side) for f in equations for side in (f.left, f.right)):
        return False
    slots = _unknowns(sampler, equations, point)[:UNKNOWNS]
    places = _places(sampler, equations, point)
    sampler.work -= len(places) * (2 * len(slots) + 4)
    if not slots or len(places) > TOGETHER or sampler.work < 0:
        return False
    with mp.workdps(DIGITS):
        for slot in slots:
            _put(point, slot, _decimal(_get(point, slot)))
        point.rounded = tuple(slots)
        rows = _slopes(places, slots, point)
        if rows is None or not _polished(places, slots, point, rows):
            return False
        if all(abs(_get(point, slot)) > mpf(10) ** -100 for slot in slots):
            return True
        for slot in slots:  # is what is next to 0, 0?
            x = _bound(_get(point, slot))
            _put(point, slot, Fraction(int(mp.nint(mp.ldexp(x, 64))), 2**64))
        point.rounded = ()
        return all(sampler.true(f, point) for f in equations)


def _slopes(places, slots, point):
    """How each difference depends on each number; None where rounding hides it."""
    first, rows = _residual(places, point, DIGITS), {}
    for h in (mpf(10) ** -110, mpf(10) ** -109):
        columns = []
        for slot in slots:
            x = _get(point, slot)
            _put(point, slot, x + h)
            columns.append([(b - a) / h for a, b in zip(first, _residual(places, point, DIGITS))])
            _put(point, slot, x)
        rows[h] = list(zip(*columns))
    for row, again in zip(*rows.values()):
        largest = max(map(abs, row))
        if not largest or any(abs(a - b) > mpf(10) ** -30 * largest for a, b in zip(row, again)):
            return None
    return list(rows.values())[0]


def _polished(places, slots, point, rows):
    """Take the steps of Newton's method to a solution; whether they get short, and fast."""
    norms = [mp.norm(row) for row in rows]
    slopes = matrix([[x / n for x in row] for row, n in zip(rows, norms)])
    gram = inverse((slopes * slopes.T).tolist())
    if gram is None:
        return False
    longest = mpf(10) ** -25
    for _ in range(9):
        residual = [r / n for r, n in zip(_residual(places, point, DIGITS), norms)]
        step = slopes.T * (matrix(gram) * matrix(residual))
        length = max(abs(step[k]) / (1 + abs(_get(point, s))) for k, s in enumerate(slots))
        if not length <= longest or any(mp.im(r) for r in residual):
            return False
        for k, slot in enumerate(slots):
            _put(point, slot, _get(point, slot) - step[k])
        if length < mpf(10) ** -220:
            return True
        longest = length * mpf(10) ** -25
    return False


def inverse(rows):
    """The inverse of a square matrix of fractions or numbers, or None."""
    n = len(rows)
    whole = [[x if isinstance(x, (mpf, mpc)) else Fraction(x) for x in row] +
             [Fraction(i == k) for k in range(n)] for i, row in enumerate(rows)]  # fmt: skip
    tiny = Fraction(0)
    with mp.workdps(DIGITS):
        if any(isinstance(x, (mpf, mpc)) for row in rows for x in row):
            tiny = mpf(10) ** -60
            whole = [[_decimal(x) for x in row] for row in whole]
        for c in range(n):
            best = max(range(c, n), key=lambda r: abs(whole[r][c]))
            if abs(whole[best][c]) <= tiny:
                return None
            whole[c], whole[best] = whole[best], whole[c]
            pivot = whole[c][c]
            whole[c] = [x / pivot for x in whole[c]]
            for r in range(n):
                if r != c and whole[r][c]:
                    factor = whole[r][c]
                    whole[r] = [x - factor * y for x, y in zip(whole[r], whole[c])]
    return [row[n:] for row in whole]


def definite(rows):
    """Whether a symmetric matrix is positive definite: all pivots are positive."""
    n, rows = len(rows), [[Fraction(x) if isinstance(x, int) else x for x in row]
                               for row in rows]  # fmt: skip
    with mp.workdps(DIGITS):
        if any(isinstance(x, (mpf, mpc)) for row in rows for x in row):
            rows = [[_decimal(x) for x in row] for row in rows]
        for c in range(n):
            pivot = rows[c][c]
            if not (pivot > 0 if isinstance(pivot, Fraction) else mp.re(pivot) > mpf(10) ** -60):
                return False
            for r in range(c + 1, n):
                factor = rows[r][c] / rows[c][c]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[c])]
    return True


# --- numbers ---------------------------------------------------------------------------


class Draw:
    """Numbers of one flavour; `attempt` widens what is drawn, where hypotheses are hard to meet."""

    def __init__(self, flavour, generator, scale, attempt):
        self.flavour, self.generator, self.scale = flavour, generator, scale
        self.widen = (1, 1, Fraction(1, 3), 3, Fraction(1, 10), 10)[attempt % 6]
        self.shared = Fraction(generator.choice([1, 2, 3, 1]), generator.choice([1, 2, 2, 3]))

    def number(self, kind_of):
        known = KINDS[kind_of]
        if known.get("integer"):
            return self.integer(known)
        x = self.real(any(known.get(k) for k in ("nonzero", "positive", "negative")))
        if known.get("positive") or known.get("nonnegative"):
            return abs(x)
        if known.get("negative") or known.get("nonpositive"):
            return -abs(x)
        if not known and self.flavour not in ("zero", "one", "equal", "positive"):
            return mpc(_dyadic(x), _dyadic(self.real(False)))
        return x

    def integer(self, known):
        low = 1 if known.get("positive") else 0 if known.get("nonnegative") else -4
        x = {"zero": 0, "one": 1, "minus": -1 if low < 0 else 2, "equal": int(self.shared) + 1}.get(
            self.flavour
        )
        if x is None:
            large = self.flavour in ("wide", "large", "-large")
            span = (max(low, 5), 14) if large else (low, 4 if self.flavour == "small" else 7)
            x = self.generator.randint(*span)
            x = -x if self.flavour == "-large" and low < 0 else x
        return max(x, low)

    def real(self, nonzero=True):
        g, flavour = self.generator, self.flavour
        fixed = {"zero": 0, "one": 1, "minus": -1, "equal": self.shared}.get(flavour)
        if fixed is not None:
            return Fraction(fixed) if fixed or not nonzero else Fraction(1)
        if flavour == "small":
            return Fraction(g.choice([x for x in (0, 1, -1, 2, -2, 3) if x or not nonzero]))
        x = Fraction(g.randint(1, 19) * 2 + 1, g.choice([4, 5, 7, 8, 9, 10, 13, 16])) * self.widen
        if flavour == "chance":  # an odd denominator that stands in no statement
            below = 1 << 127 | g.getrandbits(127) | 1
            x = Fraction(g.randint(1, 8), 4) + Fraction(g.getrandbits(128), below)
        sign = {"positive": 1, "negative": -1, "large": 1, "-large": -1}.get(flavour)
        sign = sign or g.choice([1, -1])
        if flavour == "wide":
            x *= Fraction(10) ** g.choice([-6, -3, -1, 0, 1, 3])
        if flavour == "tiny":
            x /= 10**6
        return sign * x * self.scale

    def slack(self, strict, whole):
        if whole:
            return int(strict) + (self.generator.randint(0, 4) if self.flavour in GENERIC else 0)
        if self.flavour in GENERIC:
            return Fraction(self.generator.randint(1, 30), 16) * self.widen
        return int(strict)

    def position(self, length, taken):
        """A position; different free indices coincide at some points, simple and other ones."""
        free_places = [p for p in range(1, length + 1) if p not in taken]
        together = ("zero", "one", "equal", "twins", "wide", "positive")
        if self.flavour in together or not free_places:
            first = [min(length, 1 + (self.flavour == "equal"))]
            later = range(min(2, length), length + 1)
            free_places = taken or (first if self.flavour in SIMPLE else later)
        place = self.generator.choice(free_places)
        taken.append(place)
        return place

    def entries(self, array, shape, point):
        """A table {position: number} in the domain of an array."""
        domain, places = array.domain, list(cartesian(*(range(1, n + 1) for n in shape)))
        g = self.generator
        if isinstance(domain, (tuple, sympy.Tuple)):
            numbers = [_constant(x) for x in domain]
            return {at: g.choice(numbers) for at in places}
        if isinstance(domain, Size):
            whole = self.flavour in ("zero", "one")
            return {at: 1 if whole else g.randint(1, point[domain]) for at in places}
        if domain in ("definite", "invertible", "symmetric", "antisymmetric"):
            return self.matrix(domain, shape[0])
        if domain == "sphere":
            return self.sphere(shape)
        signed = domain in ("real", "normal")
        table = {at: self.real(domain in ("positive", "simplex")) for at in places}
        if not signed:
            table = {at: abs(x) for at, x in table.items()}
        if self.flavour == "twins" and shape[0] > 1:  # equal rows
            table = {at: table[(1, *at[1:])] if at[0] == 2 else x for at, x in table.items()}
        if domain == "simplex":
            for row in cartesian(*(range(1, n + 1) for n in shape[:-1])):
                mine = [(*row, i) for i in range(1, shape[-1] + 1)]
                whole = sum(table[at] for at in mine)
                table.update({at: table[at] / whole for at in mine})
        return table

    def matrix(self, domain, n):
        x = [[self.real(False) for _ in range(n)] for _ in range(n)]
        if domain == "definite":
            x = [[sum(p * q for p, q in zip(x[i], x[k])) + (i == k) for k in range(n)]
                 for i in range(n)]  # fmt: skip
        elif domain == "invertible":
            while inverse(x) is None:
                for i in range(n):
                    x[i][i] += 1
        elif domain == "symmetric":
            x = [[x[min(i, k)][max(i, k)] for k in range(n)] for i in range(n)]
        else:
            x = [[(i < k) * x[i][k] - (i > k) * x[k][i] for k in range(n)] for i in range(n)]
        return {(i + 1, k + 1): x[i][k] for i in range(n) for k in range(n)}

    def sphere(self, shape):
        """Rational unit vectors, by stereographic projection."""
        table = {}
        for row in cartesian(*(range(1, n + 1) for n in shape[:-1])):
            t = [self.real(False) for _ in range(shape[-1] - 1)]
            square = sum(x * x for x in t)
            unit = [2 * x / (square + 1) for x in t] + [(square - 1) / (square + 1)]
            if not t:
                unit = [Fraction(self.generator.choice([1, -1]))]
            table.update({(*row, i): x for i, x in enumerate(unit, 1)})
        return table


def _constant(x):
    if x.is_Rational:
        return Fraction(int(x.p), int(x.q))
    return _value(x, {}, DIGITS, 0)


def _dyadic(x):
    """A nearby number that is exact in binary."""
    return mpf(round(x * 256)) / 256


def _real(x):
    """A number that compares with numbers of every kind."""
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)
