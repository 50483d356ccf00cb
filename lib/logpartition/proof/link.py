"""One link: a statement `left (=, ≤, ≥) right`, decided by two routes that share nothing, and falsified on purpose."""

import operator
import time
from dataclasses import dataclass
from itertools import permutations

import mpmath
from mpmath import mp
from sympy import Abs, Derivative, Eq, Indexed, Integral, Max, Min, Piecewise, Pow, Product, Subs, Sum, Symbol, cos, floor, preorder_traversal, sign, sin

from .errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from .evaluate import WORKING_DIGITS, Evaluator, Inaccurate, Undefined, agree
from .language import Array, ambiguous, free, unfold
from .mutate import mutants
from .normal import Normal
from .sample import Domain

DIGITS = 30

__tracebackhide__ = operator.methodcaller("errisinstance", ProofError)     # pytest shows the line that states the step

# What an argument has to be for a function to have a (real) value. A function that is not listed has one everywhere.
NEEDS = {
    "log": ("positive", lambda x: x), "gamma": ("positive", lambda x: x), "loggamma": ("positive", lambda x: x), "factorial": ("nonnegative", lambda x: x),
    "tan": ("nonzero", cos), "sec": ("nonzero", cos), "cot": ("nonzero", sin), "csc": ("nonzero", sin),
    "coth": ("nonzero", lambda x: x), "csch": ("nonzero", lambda x: x), "zeta": ("nonzero", lambda x: x - 1), "LambertW": ("nonnegative", lambda x: x),
    "atanh": ("positive", lambda x: 1 - x ** 2), "acosh": ("nonnegative", lambda x: x - 1),
    "asin": ("nonnegative", lambda x: 1 - x ** 2), "acos": ("nonnegative", lambda x: 1 - x ** 2),
}
SAID = {"positive": "is positive", "nonnegative": "is at least 0", "nonzero": "is not 0"}


@dataclass(frozen=True)
class Evidence:
    """What decided a link: the symbolic argument's name ("" if none did), the points tried, the mutants rejected."""

    symbolic: str
    points: int
    tried: int
    killed: int
    equivalent: int
    seconds: float
    sizes: tuple
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
            if unfold(self.left - self.right).has(Integral):
                points = points[1::2] or points      # all sizes and kinds; quadrature, twice a point, is what takes time
            values = self.unrefuted(points, domain)
            symbolic = "" if self.by_numbers else self.prove(normal)
            tried, killed, equivalent = self.falsify(values, normal, domain)
        return Evidence(symbolic, len(values), tried, killed, equivalent, time.perf_counter() - start, sizes_met(domain, values), self.certificate)

    def domain(self):
        return Domain([self.left, self.right] + [self.certificate] * (self.certificate is not None), self.facts)

    def __str__(self):
        return f"{self.name}: {self.left} {self.relation} {self.right}"

    # --- is it a statement at all? ----------------------------------------------------------------------------------

    def well_formed(self, domain):
        left, right = unfold(self.left), unfold(self.right)
        bound = {v for side in (left, right) for e in preorder_traversal(side) if isinstance(e, (Sum, Product, Integral, Subs)) for v in e.bound_symbols}
        for i in sorted((free(left) ^ free(right)) & bound, key=str):
            side = "left" if i in free(left) else "right"
            raise IllFormed(f"{self}. The index {i} is summed over in one place and free on the {side}, so the two sides depend on different things")
        if name := ambiguous([self.left, self.right]):
            raise IllFormed(f"{self}. The name {name} stands for two different things")
        fixed = {_whole(f.lhs) for f in self.facts if isinstance(f, Eq)}
        for variable in (_whole(v) for side in (left, right) for e in side.atoms(Derivative) for v, _ in e.variable_count):
            if variable in fixed or getattr(variable, "domain", "real") not in ("real", "positive"):
                raise IllFormed(f"{self}. A derivative in {variable} is taken, and {'a hypothesis fixes its value' if variable in fixed else 'its entries do not vary one at a time'}")
        if self.relation == "=" and renamed(left) == renamed(right):
            raise Unfalsifiable(f"{self}. Both sides are the same expression under other names, so the step says nothing; leave it out, or let one side be something else")

    def defined(self, normal):
        """Every denominator is known not to vanish, every logarithm to be taken of something positive, every derivative to exist."""
        def demand(need, what, where):
            holds = getattr(normal, need)
            if not (holds(what) or holds(normal(what))):
                raise IllFormed(f"{self}. Nothing says that {where} {SAID[need]}; give it as a hypothesis")

        for side in (self.left, self.right):
            for e in preorder_traversal(unfold(side)):
                if isinstance(e, Pow) and not e.exp.is_nonnegative:
                    demand("nonzero", e.base, f"the denominator {e.base}" if e.exp.could_extract_minus_sign() else f"{e.base}, to the power {e.exp},")
                elif type(e).__name__ in NEEDS:
                    need, of = NEEDS[type(e).__name__]
                    demand(need, of(e.args[0]), f"{of(e.args[0])} in {e}")
                elif isinstance(e, Derivative):
                    for kink in e.expr.atoms(Abs, sign, floor, Max, Min, Piecewise):
                        if not isinstance(kink, Abs):
                            raise IllFormed(f"{self}. Nothing says that {kink} has a derivative")
                        demand("nonzero", kink.args[0], f"{kink.args[0]}, whose absolute value is differentiated,")

    # --- the two routes ---------------------------------------------------------------------------------------------

    def unrefuted(self, points, domain):
        """The numeric route: the points at which both sides have values, with those values."""
        if self.by_numbers and not domain.generic:
            raise Undecided(f"{self}. Only special points satisfy the hypotheses, and numbers decide nothing there")
        found, values = [], []
        for point in points:
            try:
                found += filter(None, [compare(self.left, self.relation, self.right, point, values)])
            except Inaccurate as error:
                reason = error
        if found:
            simplest = min(found, key=Counterexample.weight)
            raise Refuted(f"{self}. This is false: {simplest}", simplest)
        if 2 * len(values) < len(points):
            raise IllFormed(f"{self}. At most points no value is found to {DIGITS} digits: {reason}")
        if self.certificate is not None:
            self.certified(values)
        return values

    def certified(self, values):
        """The certificate is the difference of the two sides, at every point."""
        for point, left, right in values:
            try:
                given, difference = Evaluator(point)(self.certificate), right - left if self.relation == "≤" else left - right
            except Undefined as error:
                raise Refuted(f"{self}. The certificate {self.certificate} is undefined at {Counterexample(point, left, right).where()} ({error})") from None
            if abs(given - difference) > mpmath.mpf(10) ** -DIGITS * max(1, abs(left), abs(right)):
                raise Refuted(f"{self}. The certificate {self.certificate} is not the difference of the two sides: at "
                              f"{Counterexample(point, left, right).where()}, it is {number(given)} and the difference is {number(difference)}")

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
            raise Undecided(f"{self}. The certificate {self.certificate} is not manifestly nonnegative")
        if normal.vanishes(difference - self.certificate) is None:
            raise Undecided(f"{self}. The difference of the two sides could not be shown to equal the certificate {self.certificate}")
        return "certificate"

    # --- falsified on purpose ---------------------------------------------------------------------------------------

    def falsify(self, values, normal, domain):
        """Try false variants of the link; return how many were tried, rejected, and true after all."""
        hardest = sorted(values, key=lambda v: -sum(v[0][s] for s in domain.sizes))
        tried = killed = equivalent = 0
        left, right = self.left, self.right
        if self.relation != "=":
            if all(agree(a, b, DIGITS) for _, a, b in values):
                raise Unfalsifiable(f"{self}. The two sides agree at every point tried, so the reverse inequality is accepted as well: state an equality")
            tried = killed = 1
            left, right = self.right - self.left if self.relation == "≤" else self.left - self.right, self.certificate
            hardest = [(p, b - a if self.relation == "≤" else a - b, None) for p, a, b in hardest]
            if right is None:
                return tried, killed, equivalent
        for kind, mutant in mutants(right, domain.ranges, self.name):
            verdicts = (_same(value, mutant, point) for point, value, _ in hardest)
            defined = [verdict for verdict in _until_false(verdicts) if verdict is not None]
            if False in defined:
                tried, killed = tried + 1, killed + 1
            elif not defined:       # undefined everywhere: no statement at all, so no test of the check
                continue
            elif normal.vanishes(left - mutant) is not None:
                equivalent += 1
            else:
                raise Unfalsifiable(f"{self}. The check also accepts the falsified right side {mutant} ({kind}), so it does not decide anything")
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

    def where(self):
        return ", ".join(self.lines()) or "every point"

    def __str__(self):
        sides = self.reason or f"the left side is {number(self.left)} and the right side is {number(self.right)}"
        return f"at {self.where()}, {sides}"


def compare(left, relation, right, point, held=None):
    """The counterexample at this point, or None where the statement holds; then its values there are added to `held`."""
    sides, reasons = [], []
    for name, side in (("left", left), ("right", right)):
        try:
            sides.append(Evaluator(point)(side))
        except Undefined as error:
            sides.append(None)
            reasons.append(f"the {name} side is undefined ({error})")
    if reasons:
        return Counterexample(point, *sides, " and ".join(reasons))
    a, b = sides
    if held is not None:
        held.append((point, a, b))
    if agree(a, b, DIGITS):
        return None
    if relation != "=":
        if any(abs(mpmath.im(v)) > mpmath.mpf(10) ** -DIGITS for v in (a, b)):
            return Counterexample(point, a, b, "a side is not real")
        a, b = mpmath.re(a), mpmath.re(b)
        if (a < b) == (relation == "≤"):
            return None
    return Counterexample(point, a, b)


def _same(value, mutant, point):
    """Whether a mutant has this value; None where it has none."""
    try:
        return agree(value, Evaluator(point)(mutant), DIGITS)
    except (Undefined, Inaccurate):
        return None


def renamed(e):
    """The expression up to the names of its bound variables, and up to the order of independent ranges of a sum."""
    def ordered(x):
        orders = [x.func(x.function, *order) for order in permutations(x.limits)]
        return min(orders, key=lambda one: str(one.as_dummy()))

    def independent(x):
        return isinstance(x, (Sum, Product)) and len(x.limits) in (2, 3) and not any(free(end) & set(x.variables) for _, *ends in x.limits for end in ends)
    return e.replace(independent, ordered).as_dummy()


def _whole(e):
    """The array that an entry belongs to."""
    return e.base if isinstance(e, Indexed) else e


def _until_false(verdicts):
    for verdict in verdicts:
        yield verdict
        if verdict is False:
            return


def sizes_met(domain, values):
    """Each size with the numbers that stood for it at the points tried."""
    return tuple((s, tuple(sorted({int(point[s]) for point, *_ in values}))) for s in domain.sizes)


def number(value):
    if abs(mpmath.im(value)) > 0:
        return mpmath.nstr(value, 8)
    value = mpmath.re(value)
    for denominator in (1, 2, 3, 4, 6, 8):
        if agree(value * denominator, mpmath.nint(value * denominator)):
            whole = int(mpmath.nint(value * denominator))
            return str(whole) if denominator == 1 else f"{whole}/{denominator}"
    return mpmath.nstr(value, 8)
