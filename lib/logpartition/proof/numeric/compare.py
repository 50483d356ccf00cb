"""Two sides at a point: a counterexample, an agreement to some digits, or nothing to be said."""

from dataclasses import dataclass

from mpmath import mp, mpc, mpf

from .arithmetic import Mode, Undefined, Unreachable
from .evaluate import evaluate, exact, sampled, steady
from .points import BUDGET, points, readable

number = readable
ORDER = {"≤": (1, False), "<": (1, True), "≥": (-1, False), ">": (-1, True)}


@dataclass(frozen=True)
class Agreement:
    """The relation holds at a point, to so many digits; `left`, `right` are the values."""

    digits: int
    left: object
    right: object
    equal: bool


@dataclass(frozen=True)
class Unknown:
    """The point says nothing, and why."""

    reason: str


@dataclass(frozen=True)
class Counterexample:
    """A point where the relation fails; a side is None where it has no value."""

    point: dict
    left: object
    right: object
    reason: str = ""

    def weight(self):
        """How simple it is: best are two numbers that differ, and one is better than none."""
        return (sum(side is None for side in (self.left, self.right)), *self.point.weight())

    def lines(self):
        return self.point.lines()

    def __str__(self):
        if self.reason:
            return f"at {self.point}, {self.reason}"
        left, right = number(self.left), number(self.right)
        if close(self.left, self.right):  # in digits of which the reader sees that they differ
            told = ([mp.nstr(x, n) for x in (self.left, self.right)] for n in range(8, 160, 4))
            left, right = next((pair for pair in told if pair[0] != pair[1]), (left, right))
        return f"at {self.point}, the left side is {left} and the right side is {right}"


def close(a, b):
    """Whether two numbers have many digits in common."""
    return None not in (a, b) and abs(a - b) <= max(abs(a), abs(b)) / 10**6


def compare(left, relation, right, point):
    """Whether `left relation right` holds at a point, as far as the errors of the values allow."""
    sides, reasons = [], []
    for name, side in (("left", left), ("right", right)):
        try:
            sides.append(_recalled(side, point))
        except Undefined as error:
            sides.append(None)
            reasons.append(f"the {name} side is undefined ({error})")
        except Unreachable as error:
            return Unknown(f"the {name} side is not found: {error}")
    values = [side and side.value for side in sides]
    if reasons and getattr(point, "rounded", ()):
        return Unknown("a side has no value, where the hypotheses hold up to rounding only")
    if reasons:
        return Counterexample(point, *values, " and ".join(reasons))
    return _related(left, relation, right, point, sides)


def _related(left, relation, right, point, sides):
    """Whether values with errors are in a relation."""
    (a, b), error = (side.value for side in sides), sides[0].error + sides[1].error
    with mp.workdps(160):
        gap = abs(a - b)
        scale = max(abs(a), abs(b))
        digits = _digits(gap + error, scale)
    if relation != "=":
        digits = digits if gap <= error else _digits(error, scale)
        return _ordered(left, relation, right, point, sides, gap, error, digits)
    if gap > error:
        return Counterexample(point, *map(_shown, sides)) if gap > FAR * error else Unknown(CLOSE)
    if digits < 6 and error > mpf(10) ** -12:
        return Unknown(f"the values agree to {digits} digits only")
    return Agreement(digits, a, b, True)


def _recalled(side, point):
    """The value of a side, computed once at a point: variants of one side leave the other alone."""
    if side not in point.values:
        try:
            point.values[side] = evaluate(side, point)
        except (Undefined, Unreachable) as error:
            point.values[side] = error
    found = point.values[side]
    if isinstance(found, Exception):
        raise found.with_traceback(None)
    return found


def _shown(side):
    """A value; what is below its error is 0."""
    return mpf(0) if abs(side.value) <= side.error else side.value


def _digits(error, scale):
    """To how many digits numbers of a size are known; below 1, absolutely if nothing else."""
    if not error:
        return 999
    return max(0, int(mp.log10(max(scale, 1) / error if scale < error else scale / error)))


FAR = 64  # errors, by which values differ that refute: an error is estimated, and may be larger
CLOSE = "the sides differ by little more than the errors of their values"
TIED = "the sides are equal within the errors of their values"


def _ordered(left, relation, right, point, sides, gap, error, digits):
    a, b = sides[0].value, sides[1].value
    for side in sides:
        if isinstance(side.value, mpc) and abs(side.value.imag) > side.error:
            return Counterexample(point, a, b, "a side of the inequality is not real: "
                                  f"{number(a)} and {number(b)}")  # fmt: skip
    sign, strict = ORDER[relation]
    if gap > error:
        if sign * mp.re(b - a) > 0:
            return Agreement(digits, a, b, False)
        return Counterexample(point, *map(_shown, sides)) if gap > FAR * error else Unknown(CLOSE)
    if strict:
        if exact(left - right, point) == 0:
            return Counterexample(point, a, b, f"both sides are {number(a)}")
        return Unknown(TIED)
    return Agreement(digits, a, b, True)


def _lasts(found, left, right):
    """Whether the values at a counterexample are those of other roundings as well."""
    sides = ((left, found.left), (right, found.right))
    return all(value is None or steady(side, found.point, value) for side, value in sides)


@dataclass(frozen=True)
class Survey:
    """What all points of a statement say. `digits` is the least to which two sides were equal.
    `seeming` is a point at which it fails as far as samples tell."""

    points: tuple
    agreements: tuple
    unknown: tuple  # of pairs (point, reason)
    counterexample: object
    digits: int
    sizes: tuple  # of pairs (size, numbers that stood for it)
    left_out: tuple = ()  # points at which it fails, if a hypothesis for all x holds there
    seeming: object = None


VAIN = 100_000  # evaluations of integrands after which points are given up, if none says anything


def search(context, left, relation, right, budget=BUDGET, chance=False):
    """Compare two sides at every point of a statement, at some of `chance` if asked for; the
    simplest counterexample is kept; none is a point at which a hypothesis for all values of a real
    variable is known to hold at some only, nor one at which it fails as far as samples tell. If the
    first points take long and say nothing, the others are left out."""
    tried, agreements, unknown, found, left_out = [], [], [], [], []
    Mode.work = 0

    def vain():
        return Mode.work > VAIN and not (agreements or found)

    for point in points(context, [left, right], budget, chance):
        if unknown and vain():
            break
        verdict = compare(left, relation, right, point)
        while isinstance(verdict, Unknown) and not vain() and point.smaller is not None:
            point = point.smaller
            verdict = compare(left, relation, right, point)
        if isinstance(verdict, Counterexample) and not point.shown:
            left_out.append(point)
            continue
        tried.append(point)
        if isinstance(verdict, Counterexample):
            found.append(verdict)
        elif isinstance(verdict, Unknown):
            unknown.append((point, verdict.reason))
        else:
            agreements.append((point, verdict))
    found.sort(key=Counterexample.weight)
    while found and not _lasts(found[0], left, right):
        unknown.append((found.pop(0).point, "other roundings give another value"))
    met = [p for p, _ in agreements]
    sizes = tuple((s, tuple(sorted({p[s] for p in met}))) for s in context.sizes)
    simplest = found[0] if found else None
    seeming = simplest if of_samples(context, left, right) else None
    return Survey(tuple(tried), tuple(agreements), tuple(unknown),
                  None if seeming else simplest,
                  min((v.digits for _, v in agreements), default=0), sizes,
                  tuple(left_out), seeming)  # fmt: skip


def of_samples(context, *sides):
    """Whether what numbers say of a statement rests on samples, of an integral for instance: what
    is narrow may stand between them, so that they refute nothing."""
    said = (side for f in context.facts for side in (f.left, f.right))
    return any(map(sampled, (*sides, *said)))


SAMPLES = (
    "of an integral, a mean under a normal law, a limit, an endless sum or product numbers see "
    "samples only"
)
