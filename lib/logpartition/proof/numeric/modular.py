"""Identities between polynomials in sums, exactly, modulo large primes, at large integers and
unequal sizes.

A polynomial that vanishes at all small sizes does not vanish here. exp(x) is g^x for a number g:
the variables are random integers, read modulo p outside of exponents and modulo p − 1 inside,
and as e is transcendental, an identity in e^x holds for every base.
"""

import random
from itertools import product as cartesian
from math import prod

import sympy

from ..kernel.context import KINDS, kind
from ..kernel.terms import free
from ..language import Size
from .points import BUDGET, Sampler, holds

TRIALS, LARGEST, LONGEST = 3, 10 * BUDGET, 1_000


class NotApplicable(Exception):
    """The expression is no polynomial in sums and exponentials."""


def refutes(context, left, right, points=()):
    """Whether the equation fails modulo a prime; None where this does not apply."""
    if not _open([f for f in context.facts if f.source], points):
        return None
    sampler = Sampler(context, [left, right])
    for trial in range(TRIALS):
        draw = random.Random(trial)
        sizes = _sizes(context, sampler, draw)
        if sizes is None:
            return None
        if (differ := _differ(context, sizes, draw, left, right)) is not False:
            return differ
    return False


CONTINUOUS = (sympy.Add, sympy.Mul, sympy.Abs, sympy.exp, sympy.log)


def _open(facts, points):
    """Whether hypotheses leave a neighbourhood of one of some points, so that a polynomial which
    vanishes under them is 0: bounds, and what differs, said of real symbols in continuous terms."""

    def known(e):
        if isinstance(e, sympy.Symbol):
            return e.is_real and not e.is_integer
        return isinstance(e, CONTINUOUS) or e.is_number or e.is_Pow and e.exp.is_Rational

    def strict(f, point):
        return holds("<" if f.relation == "≤" else f.relation, f.left, f.right, point)

    sides = [x for f in facts for side in (f.left, f.right) for x in sympy.preorder_traversal(side)]
    bounds = all(f.relation != "=" and not f.variables for f in facts) and all(map(known, sides))
    return not facts or bounds and any(all(strict(f, p) for f in facts) for p in points)


def _differ(context, sizes, draw, left, right):
    """Whether the sides differ at one point, if possible with large integers."""
    for largest in (10**9, 9):
        try:
            numbers = Numbers(context, sizes, draw, largest)
            return numbers(left) != numbers(right)
        except (NotApplicable, ZeroDivisionError, KeyError):
            continue
    return None


def _sizes(context, sampler, draw):
    """Unequal sizes from 7 on, smaller where the expressions are too long for those."""
    n = len(context.sizes)
    for lowest in (7, 4, 2):
        choices = list(range(lowest, lowest + max(7, n)))
        row = tuple(draw.sample(choices, n))
        if sampler.cost(row) <= LARGEST:
            return row
    return None


def prime(draw):
    """A random prime of 61 bits."""
    while True:
        p = draw.getrandbits(61) | 1 << 60 | 1
        if all(pow(a, p - 1, p) == 1 for a in (2, 3, 5, 7, 11, 13)):
            return p


class Residue(int):
    """A number that is known modulo p only, so that it cannot stand in an exponent."""


class Numbers:
    """Values modulo a prime at one random point."""

    def __init__(self, context, sizes, draw, largest=9):
        self.p, self.draw, self.largest = prime(draw), draw, largest
        self.base = draw.randrange(2, self.p)
        self.values = dict(zip(context.sizes, sizes))
        lengths = [n for a in context.arrays for n in a.shape] + [n for _, n in context.ranges]
        within = set().union(*map(free, lengths))
        for s in context.symbols:
            if s not in context.defined:
                known = KINDS[kind(s)]
                self.values[s] = draw.randint(2, 13) if s in within else self.symbol(known)
        for a in context.arrays:
            self.values[a] = self.array(a)
        for i, length in context.ranges:
            high = self.whole(length)
            if high < 1:
                raise NotApplicable
            self.values[i] = draw.randint(1, high)
        self.memo, self.local = {}, {}

    def __call__(self, e):
        return self.value(e, self.p)

    def symbol(self, known):
        if known.get("integer"):
            return self.draw.randint(2, self.largest)
        return self.draw.randrange(2, self.p * (self.p - 1))

    def array(self, a):
        shape = [self.whole(n) for n in a.shape]
        if prod(max(n, 0) for n in shape) > BUDGET:
            raise NotApplicable
        places = list(cartesian(*(range(1, n + 1) for n in shape)))
        table = {at: self.symbol({}) for at in places}
        if isinstance(a.domain, Size):
            return {at: self.draw.randint(1, self.values[a.domain]) for at in places}
        if isinstance(a.domain, (tuple, sympy.Tuple)):
            return {at: self.value(self.draw.choice(a.domain), self.p) for at in places}
        if a.domain in ("symmetric", "definite"):
            return {(i, j): table[min(i, j), max(i, j)] for i, j in table}
        if a.domain == "antisymmetric":
            sign = {(i, j): (i < j) - (i > j) for i, j in table}
            return {(i, j): s * table[min(i, j), max(i, j)] for (i, j), s in sign.items()}
        if a.domain == "simplex":
            for row in {at[:-1] for at in places}:
                rest = sum(table[(*row, i)] for i in range(1, shape[-1]))
                table[(*row, shape[-1])] = Residue((1 - rest) % self.p)
                if shape[-1] == 1:
                    table[(*row, 1)] = 1
            return table
        if a.domain == "inverse":
            return self.inverse(a.of)
        if a.domain == "sphere":
            raise NotApplicable
        return table

    def inverse(self, of):
        if of not in self.values:
            raise NotApplicable
        table, p = self.values[of], self.p
        n = max(i for i, _ in table)
        rows = [[table[i, j] % p for j in range(1, n + 1)] + [int(i == k) for k in range(1, n + 1)]
                for i in range(1, n + 1)]  # fmt: skip
        for c in range(n):
            pivot = next((r for r in range(c, n) if rows[r][c]), None)
            if pivot is None:
                raise ZeroDivisionError
            rows[c], rows[pivot] = rows[pivot], rows[c]
            scale = pow(rows[c][c], -1, p)
            rows[c] = [x * scale % p for x in rows[c]]
            for r in range(n):
                if r != c:
                    rows[r] = [(x - rows[r][c] * y) % p for x, y in zip(rows[r], rows[c])]
        return {(i, j): Residue(rows[i - 1][n + j - 1]) for i, j in table}

    def whole(self, e):
        """The value of an integer expression in sizes, indices and integers."""
        if e.is_Integer:
            return int(e)
        if isinstance(e, sympy.Symbol) and e.is_integer:
            return self.values[e]
        if isinstance(e, sympy.Add):
            return sum(map(self.whole, e.args))
        if isinstance(e, sympy.Mul):
            result = 1
            for a in e.args:
                result *= self.whole(a)
            return result
        if isinstance(e, sympy.Indexed) and isinstance(e.base.domain, Size):
            return self.values[e.base][tuple(map(self.whole, e.indices))]
        raise NotApplicable

    def value(self, e, m):
        """The value modulo m, which is p, or p − 1 in an exponent."""
        if not isinstance(e, (sympy.Sum, sympy.Product, sympy.exp, sympy.Pow)):
            return self.computed(e, m)
        key = (e, m, *[self.local.get(v) for v in sorted(free(e), key=str)])
        if key not in self.memo:
            self.memo[key] = self.computed(e, m)
        return self.memo[key]

    def computed(self, e, m):
        if isinstance(e, sympy.Rational):
            return int(e.p) * self.inverted(int(e.q), m) % m
        if isinstance(e, sympy.Symbol):
            return self.values[e] % m
        if isinstance(e, sympy.Indexed):
            at = tuple(map(self.whole, e.indices))
            if at not in self.values[e.base]:
                raise NotApplicable
            x = self.values[e.base][at]
            if m != self.p and isinstance(x, Residue):
                raise NotApplicable
            return int(x) % m
        if isinstance(e, sympy.Add):
            return sum(self.value(a, m) for a in e.args) % m
        if isinstance(e, sympy.Mul):
            result = 1
            for a in e.args:
                result = result * self.value(a, m) % m
            return result
        if isinstance(e, sympy.Pow):
            n, x = self.whole(e.exp), self.value(e.base, m)
            return pow(self.inverted(x, m), -n, m) if n < 0 else pow(x, n, m)
        if isinstance(e, sympy.exp) and m == self.p:
            return pow(self.base, self.value(e.args[0], m - 1), m)
        if isinstance(e, sympy.KroneckerDelta):
            return int(self.whole(e.args[0]) == self.whole(e.args[1]))
        if isinstance(e, (sympy.Sum, sympy.Product)):
            return self.loop(e, m)
        raise NotApplicable

    def inverted(self, x, m):
        if x == 1:
            return 1
        if m != self.p:
            raise NotApplicable
        if x % m == 0:
            raise ZeroDivisionError
        return pow(x, -1, m)

    def loop(self, e, m):
        (variable, low, high), inner = tuple(e.limits[-1]), e.limits[:-1]
        body = e.func(e.function, *inner) if inner else e.function
        if low.is_infinite or high.is_infinite:
            raise NotApplicable
        low, high = self.whole(low), self.whole(high)
        if not low - 1 <= high < low + LONGEST:
            raise NotApplicable
        result, summed = int(isinstance(e, sympy.Product)), isinstance(e, sympy.Sum)
        before = self.values.get(variable), self.local.get(variable)
        for i in range(low, high + 1):
            self.values[variable] = self.local[variable] = i
            x = self.value(body, m)
            result = (result + x if summed else result * x) % m
        self.values[variable], self.local[variable] = before
        return result % m
