"""One link: a statement `left (=, ≤, ≥) right`, decided by two routes that share nothing, and falsified on purpose."""

import time
from dataclasses import dataclass

import mpmath
from mpmath import mp
from sympy import Derivative, Eq, Integral, Pow, Product, Subs, Sum, Symbol, log, preorder_traversal

from .display import tex
from .errors import IllFormed, Refuted, Undecided, Unfalsifiable
from .evaluate import WORKING_DIGITS, Evaluator, Undefined, agree
from .language import Array, free, unfold
from .mutate import mutants
from .normal import Normal
from .sample import Domain

DIGITS = 30


@dataclass(frozen=True)
class Evidence:
    """What decided a link: the symbolic argument's name ("" if none did), the points tried, the mutants rejected."""

    symbolic: str
    points: int
    tried: int
    killed: int
    equivalent: int
    seconds: float
    certificate: object = None


@dataclass(frozen=True)
class Link:
    """`left relation right` under hypotheses; `certificate` is the manifestly nonnegative difference of an inequality."""

    name: str
    left: object
    relation: str
    right: object
    facts: tuple = ()
    certificate: object = None
    by_numbers: bool = False

    def decide(self):
        """The evidence, or an error that names the step, both sides, and a counterexample where there is one."""
        start = time.perf_counter()
        try:
            return self._decide(start)
        except NotImplementedError as error:
            raise IllFormed(f"{self}. This cannot be evaluated: {error}") from None

    def _decide(self, start):
        domain = self.domain()
        self.well_formed(domain)
        normal = Normal([*self.facts, *(f for a in domain.arrays for f in a.facts())], domain.ranges)
        self.defined(normal)
        with mp.workdps(WORKING_DIGITS):
            points = domain.points(self.name)
            self.unrefuted(points)
            symbolic = "" if self.by_numbers else self.prove(normal)
            tried, killed, equivalent = self.falsify(points, normal, domain)
        return Evidence(symbolic, len(points), tried, killed, equivalent, time.perf_counter() - start, self.certificate)

    def domain(self):
        return Domain([self.left, self.right] + [self.certificate] * (self.certificate is not None), self.facts)

    def __str__(self):
        return f"{self.name}: {_plain(self.left)} {self.relation} {_plain(self.right)}"

    # --- is it a statement at all? ----------------------------------------------------------------------------------

    def well_formed(self, domain):
        left, right = unfold(self.left), unfold(self.right)
        bound = {v for side in (left, right) for e in preorder_traversal(side) if isinstance(e, (Sum, Product, Integral, Subs)) for v in e.bound_symbols}
        for i in sorted((free(left) ^ free(right)) & bound, key=str):
            side = "left" if i in free(left) else "right"
            raise IllFormed(f"{self}. The index {i} is summed over in one place and free on the {side}, so the two sides depend on different things")
        if self.relation == "=" and _rename(left) == _rename(right):
            raise Unfalsifiable(f"{self}. Both sides are the same expression under other names, so the step says nothing; leave it out, or let one side be something else")

    def defined(self, normal):
        """Every denominator is known not to vanish, every logarithm to be taken of something positive."""
        for side in (self.left, self.right):
            for e in preorder_traversal(unfold(side)):
                if isinstance(e, Pow) and e.exp.could_extract_minus_sign() and not (normal.nonzero(e.base) or normal.nonzero(normal(e.base))):
                    raise IllFormed(f"{self}. Nothing says that the denominator {_plain(e.base)} is not 0; give it as a hypothesis")
                if isinstance(e, log) and not (normal.positive(e.args[0]) or normal.positive(normal(e.args[0]))):
                    raise IllFormed(f"{self}. Nothing says that {_plain(e.args[0])} is positive, where its logarithm is taken; give it as a hypothesis")

    # --- the two routes ---------------------------------------------------------------------------------------------

    def unrefuted(self, points):
        """The numeric route."""
        found = [c for c in (compare(self.left, self.relation, self.right, p) for p in points) if c]
        if found:
            simplest = min(found, key=Counterexample.weight)
            raise Refuted(f"{self}. This is false: {simplest}", simplest)

    def prove(self, normal):
        """The symbolic route: the name of the argument."""
        difference = self.left - self.right
        if self.relation == "=":
            route = normal.vanishes(difference)
            if route is None:
                raise Undecided(f"{self}. No counterexample was found and the symbolic route does not close. Make the step smaller, give the fact it "
                                f"needs, or say by=\"numbers\", and it is shown as checked, not proved")
            return route
        if self.relation == "≤":
            difference = -difference
        if self.certificate is None:
            if not (normal.nonnegative(difference) or normal.nonnegative(normal(difference))):
                raise Undecided(f"{self}. No counterexample was found, but the difference is not manifestly of one sign; give the certificate that it equals")
            return "sign"
        if not normal.nonnegative(self.certificate):
            raise Undecided(f"{self}. The certificate {_plain(self.certificate)} is not manifestly nonnegative")
        if normal.vanishes(difference - self.certificate) is None:
            raise Undecided(f"{self}. The difference of the two sides could not be shown to equal the certificate {_plain(self.certificate)}")
        return "certificate"

    # --- falsified on purpose ---------------------------------------------------------------------------------------

    def falsify(self, points, normal, domain):
        """Try false variants of the link; return how many were tried, rejected, and true after all."""
        values = {}
        hardest = sorted(range(len(points)), key=lambda n: -sum(points[n][s] for s in domain.sizes))
        if self.relation == "=":
            left, right = self.left, self.right
            tried = killed = equivalent = 0
        else:
            left = (self.right - self.left) if self.relation == "≤" else (self.left - self.right)
            right = self.certificate if self.certificate is not None else None
            tried, equivalent = 1, 0
            killed = int(any(_value(left, points[n], values, n) > mpmath.mpf(10) ** -DIGITS for n in hardest))
            if not killed:
                raise Unfalsifiable(f"{self}. The two sides agree at every point tried, so the reverse inequality is accepted as well: state an equality")
            if right is None:
                return tried, killed, equivalent
        for kind, mutant in mutants(right, domain.ranges, self.name):
            if any(not _same(_value(left, points[n], values, n), mutant, points[n]) for n in hardest):
                tried, killed = tried + 1, killed + 1
            elif normal.vanishes(left - mutant) is not None:
                equivalent += 1
            else:
                raise Unfalsifiable(f"{self}. The check also accepts the falsified right side {_plain(mutant)} ({kind}), so it does not decide anything")
        if not tried:
            raise Unfalsifiable(f"{self}. No false variant of this step could be made, so nothing shows that the check can fail")
        return tried, killed, equivalent


@dataclass(frozen=True)
class Counterexample:
    """A point and the values of both sides there (None where a side is undefined)."""

    point: dict
    left: object
    right: object
    reason: str = ""

    def weight(self):
        """How much there is to read."""
        return len(self.lines()), len(str(self))

    def lines(self):
        """The point, one assignment of a value a string, in plain text."""
        return [f"{name} = {number(value)}" for name, value in self.entries()]

    def entries(self):
        for key in sorted(self.point, key=str):
            value = self.point[key]
            if isinstance(key, Array):
                for at, number in sorted(value.items()):
                    yield key[at], number
            elif isinstance(key, Symbol):
                yield key, value

    def __str__(self):
        sides = self.reason or f"the left side is {number(self.left)} and the right side is {number(self.right)}"
        return f"at {', '.join(self.lines()) or 'every point'}, {sides}"


def compare(left, relation, right, point):
    """The counterexample at this point, or None where the statement holds."""
    values = []
    for name, side in (("left", left), ("right", right)):
        try:
            values.append(Evaluator(point)(side))
        except Undefined as error:
            return Counterexample(point, None, None, f"the {name} side is undefined ({error})")
    a, b = values
    if agree(a, b, DIGITS):
        return None
    if relation != "=":
        if any(abs(mpmath.im(v)) > mpmath.mpf(10) ** -DIGITS for v in values):
            return Counterexample(point, a, b, "a side is not real")
        a, b = mpmath.re(a), mpmath.re(b)
        if (a < b) == (relation == "≤"):
            return None
    return Counterexample(point, a, b)


def _value(expression, point, cache, key):
    if key not in cache:
        cache[key] = Evaluator(point)(expression)
    return cache[key]


def _same(value, mutant, point):
    try:
        return agree(value, Evaluator(point)(mutant), DIGITS)
    except Undefined:
        return False


def _rename(e):
    """Up to the names of bound variables."""
    return e.as_dummy()


def number(value):
    if abs(mpmath.im(value)) > 0:
        return mpmath.nstr(value, 8)
    value = mpmath.re(value)
    for denominator in (1, 2, 3, 4, 6, 8):
        if agree(value * denominator, mpmath.nint(value * denominator)):
            whole = int(mpmath.nint(value * denominator))
            return str(whole) if denominator == 1 else f"{whole}/{denominator}"
    return mpmath.nstr(value, 8)


def _plain(e):
    return str(e)
