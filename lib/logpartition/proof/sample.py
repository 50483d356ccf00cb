"""Points of a statement's domain: several sizes, simple points first (they make readable counterexamples), then generic ones.

A point satisfies every stated hypothesis. If none can be found the hypotheses are taken to be inconsistent, and that is an
error: from them anything would follow.
"""

import random
from hashlib import sha256
from itertools import product as cartesian

import mpmath
from mpmath import matrix, mpf, sqrt as root
from sympy import Eq, Gt, Indexed, Lt, Ne, Product, Sum, Symbol, preorder_traversal

from .errors import IllFormed
from .evaluate import Evaluator, Inaccurate, Undefined
from .language import Index, Size, differentiated, free, unfold

SIZES = {1: [(1,), (2,), (3,), (5,)], 2: [(1, 1), (2, 1), (1, 3), (3, 2), (4, 3)], 3: [(1, 1, 1), (3, 1, 2), (1, 3, 2), (2, 1, 3), (3, 3, 3)]}
KINDS = ("simple", "generic", "generic")
LARGE = ("high", "low", "wide")     # large numbers, all positive, all negative, or mixed
# The points with an odd place have to be a good sample on their own: integrals are evaluated at those only.
WITHOUT_SIZES = ("simple", "high", "generic", "low", "simple", "generic", "wide", "simple", "wide", "generic", "generic", "simple")
ATTEMPTS = 200


class Domain:
    """Everything that varies in some expressions, with the ranges of the indices, read off the arrays that carry them."""

    def __init__(self, expressions, facts=()):
        trees = [unfold(e) for e in expressions]
        self.facts = [f.func(unfold(f.lhs), unfold(f.rhs)) for f in facts]
        everything = trees + [side for f in self.facts for side in f.args]
        self.ranges = {}
        for tree in everything:
            self._collect(tree)
        universal = set().union(*map(self._universal, self.facts))
        symbols = set().union(*map(free, trees), *({*free(f.lhs), *free(f.rhs)} - universal for f in self.facts))
        arrays = {e.base for tree in everything for e in tree.atoms(Indexed)}
        self.arrays = sorted(arrays | {a.of for a in arrays if a.of is not None}, key=lambda a: (a.of is not None, str(a)))
        dimensions = set().union(*(free(size) for a in self.arrays for size in a.shape))
        self.sizes = sorted({s for s in symbols | dimensions if isinstance(s, Size)}, key=str)
        self.indices = sorted((s for s in symbols if isinstance(s, Index)), key=str)
        self.symbols = sorted((s for s in symbols if not isinstance(s, (Size, Index))), key=str)
        for i in self.indices:
            if i not in self.ranges:
                raise IllFormed(f"the index {i} is free and stands in no array, so nothing says how far it runs")

    def _collect(self, tree):
        """Note how far each index runs; complain where an index runs past its axis."""
        for e in preorder_traversal(tree):
            if isinstance(e, Indexed):
                if len(e.indices) != len(e.base.shape):
                    raise IllFormed(f"{e} has {len(e.indices)} indices; {e.base} needs {len(e.base.shape)}")
                for i, length in zip(e.indices, e.base.shape):
                    if self.ranges.setdefault(i, length) != length:
                        raise IllFormed(f"the index {i} runs to {self.ranges[i]} in one place and to {length} in {e}")
            elif isinstance(e, (Sum, Product)):
                for i, low, high in e.limits:
                    if isinstance(i, Index) and not low.is_positive:
                        raise IllFormed(f"the index {i} begins at {low} in {e}; an index is at least 1, so take an integer symbol instead")
                    if isinstance(i, Index) and self.ranges.setdefault(i, high) != high:
                        raise IllFormed(f"the index {i} is summed to {high}, but runs to {self.ranges[i]} elsewhere")

    @staticmethod
    def _universal(fact):
        """The free indices of a hypothesis: it is meant for all their values."""
        return {i for side in fact.args for i in free(side) if isinstance(i, Index)}

    def points(self, seed, per_size=KINDS):
        """Points of the domain, the same ones for the same seed on every machine."""
        generator = random.Random(int(sha256(seed.encode()).hexdigest()[:16], 16))
        found, reached, self.generic = [], [], 0
        for values in self._tuples():
            sizes = dict(zip(self.sizes, (mpf(v) for v in values)))
            for kind in per_size if self.sizes else WITHOUT_SIZES if self.symbols or self.arrays or self.indices else ("generic",):
                point = self._point(sizes, kind, generator)
                if point is not None:
                    found.append(point)
                    self.generic += kind != "simple"
            reached.append((values, bool(found) and all(found[-1].get(s) == x for s, x in sizes.items())))
        missed = [sizes for sizes, met in reached if not met]
        if not found or self.sizes and (len(missed) > len(reached) // 2 or not reached[-1][1]):
            raise IllFormed("no point satisfies the hypotheses " + "; ".join(map(str, self.facts)) + ": they are inconsistent, or too narrow to meet by sampling")
        return found

    def _tuples(self):
        """The sizes to try, those that some hypothesis about sizes excludes left out."""
        n = len(self.sizes)
        wanted = SIZES.get(n) or [(1,) * n, (2,) * n, *([(1, 3) * n, (3, 1) * n, (2, 1, 3) * n])]
        about = [f for f in self.facts if f.free_symbols and f.free_symbols <= set(self.sizes)]
        tried = [values[:n] for values in (wanted if n else [()])]
        return [values for values in tried if all(Evaluator(dict(zip(self.sizes, map(mpf, values)))).holds(f) for f in about)]

    def _point(self, sizes, kind, generator):
        for _ in range(ATTEMPTS if self.facts else 1):
            point = dict(sizes)
            for s in self.symbols:
                point[s] = _number(s, kind, generator)
            for a in self.arrays:
                point[a] = _entries(a, sizes, kind, generator) if a.of is None else _inverse(point[a.of])
            for i in self.indices:      # different indices coincide at simple points only, where there is room
                places = set(range(1, int(Evaluator(point)(self.ranges[i])) + 1))
                others = {int(point[o]) for o in self.indices if o in point and self.ranges[o] == self.ranges[i]} if kind != "simple" else set()
                point[i] = mpf(generator.choice(sorted(places - others or places)))
            point = self._impose(point, generator, kind)
            if point is not None:
                return point
        return None

    def _impose(self, point, generator, kind):
        """Give what a hypothesis defines or bounds a value that meets it; None where some hypothesis still fails."""
        try:
            for f in self.facts:
                left, right = f.args
                if isinstance(f, Eq) and isinstance(left, Symbol) and not isinstance(left, Size):
                    point[left] = Evaluator(point)(right)
                elif isinstance(f, Eq) and isinstance(left, Indexed) and set(left.indices) == self._universal(f) and len(set(left.indices)) == len(left.indices):
                    here = [(position, self._instance(point, left.indices, position)) for position in point[left.base]]
                    point[left.base] = {position: at(right) for position, at in here}
                elif not isinstance(f, (Eq, Ne)) and self._universal(f):
                    for bound, other in ((left, right), (right, left)):
                        if isinstance(bound, Symbol) and not isinstance(bound, (Size, Index)):
                            values = [at(other) for at in self._instances(point, f)]
                            above = (bound == f.gts)
                            slack = 0 if kind == "simple" and not isinstance(f, (Lt, Gt)) else mpf(generator.randint(1, 2 ** 20)) / 2 ** 20
                            point[bound] = max(values) + slack if above else min(values) - slack
            return point if all(at.holds(f) for f in self.facts for at in self._instances(point, f)) and self._inside(point) else None
        except (Undefined, Inaccurate):
            return None

    def _inside(self, point):
        """Whether what a hypothesis set is still what is assumed of it."""
        entries = [(a[at], x) for a in self.arrays for at, x in point[a].items()]
        rows = [f for a in self.arrays if a.of is None for f in a.facts() if len(a.shape) == 1]
        return all(_allowed(s, point[s]) for s in self.symbols) and all(_allowed(s, x) for s, x in entries) and all(map(Evaluator(point).holds, rows))

    def _instances(self, point, fact):
        """The point with each choice of the indices for which the hypothesis is meant."""
        indices = sorted(self._universal(fact), key=str)
        lengths = [range(1, int(Evaluator(point)(self.ranges[i])) + 1) for i in indices]
        return [self._instance(point, indices, position) for position in cartesian(*lengths)] + [
            Evaluator(point).at({(v, None): x}) for v in differentiated(fact) for x in (mpf(1) / 3, -mpf(7) / 5) if _allowed(v, x)]

    @staticmethod
    def _instance(point, indices, position):
        return Evaluator(point).at({(i, None): mpf(x) for i, x in zip(indices, position)})


def _number(symbol, kind, generator):
    for _ in range(ATTEMPTS):
        value = _draw(symbol, kind, generator)
        if _allowed(symbol, value):
            return value
    raise IllFormed(f"no number tried meets what is assumed of {symbol}")


def _allowed(symbol, value):
    """Whether a value meets what is assumed of a symbol."""
    real = mpmath.im(value) == 0
    whole = real and mpmath.isint(value)
    truths = {"real": real, "integer": whole, "even": whole and value % 2 == 0, "odd": whole and value % 2 == 1, "zero": value == 0,
              "positive": real and value > 0, "negative": real and value < 0}
    return all(getattr(symbol, f"is_{name}") in (None, truth) for name, truth in truths.items())


def _draw(symbol, kind, generator):
    if symbol.is_integer:
        low = 1 if symbol.is_positive else 0 if symbol.is_nonnegative else -3
        return mpf(generator.randint(low, 9 if kind in LARGE else 5))
    if kind == "simple":
        choices = [1, 2, 3] if symbol.is_positive else [0, 1, 2] if symbol.is_nonnegative else [-1, -2] if symbol.is_negative else [0, 1, -1, 2]
        return mpf(generator.choice(choices)) / (generator.choice([1, 2]) if symbol.is_positive else 1)
    size = mpf(generator.randint(1, 2 ** 20)) / 2 ** 19 * generator.choice([1, 1, mpf(1) / 4]) + (8 if kind in LARGE else 0)
    if symbol.is_positive or symbol.is_nonnegative:
        return size
    if symbol.is_negative:
        return -size
    side = {"high": 1, "low": -1}.get(kind) or generator.choice([-1, 1])
    if symbol.is_real:
        return side * size
    return side * (size + 1j * size * mpf(generator.randint(-2 ** 20, 2 ** 20)) / 2 ** 20)


def _entries(array, sizes, kind, generator):
    """A table {position: value}. Simple points repeat values, so that coincident keys and zeros are met."""
    lengths = [int(Evaluator(sizes)(n)) for n in array.shape]
    positions = list(cartesian(*(range(1, n + 1) for n in lengths)))
    sign = Symbol("x", real=True, positive=True if array.domain in ("positive", "simplex") else None)
    table = {at: _number(sign, "generic" if kind in LARGE else kind, generator) for at in positions}
    if array.domain == "symmetric":
        return {(i, j): table[min(i, j), max(i, j)] for i, j in table}
    if array.domain == "definite":
        return _definite(table, lengths[0])
    if array.domain in ("simplex", "sphere"):
        for row in cartesian(*(range(1, n + 1) for n in lengths[:-1])):
            mine = [(*row, i) for i in range(1, lengths[-1] + 1)]
            if not any(table[at] for at in mine):
                table[mine[0]] = mpf(generator.choice([-1, 1]))
            scale = sum(table[at] for at in mine) if array.domain == "simplex" else root(sum(table[at] ** 2 for at in mine))
            table.update({at: table[at] / scale for at in mine})
    return table


def _definite(table, n):
    """A Aᵀ + I."""
    row = lambda i: [table[i, j] for j in range(1, n + 1)]
    return {(i, j): sum(x * y for x, y in zip(row(i), row(j))) + (i == j) for i, j in table}


def _inverse(table):
    n = max(i for i, _ in table)
    found = matrix([[table[i, j] for j in range(1, n + 1)] for i in range(1, n + 1)]) ** -1
    return {(i, j): found[i - 1, j - 1] for i, j in table}
