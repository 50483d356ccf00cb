"""One link: a statement decided by two routes, and falsified on purpose."""

import operator
from dataclasses import dataclass, replace
from itertools import product

from sympy import S, Symbol, sympify

from .errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from .kernel.context import ASSUMED, Fact, canonical, demand_kept, elaborate, names_in
from .kernel.defined import undefined
from .kernel.normal import Normal
from .kernel.terms import free
from .kernel.theorem import cancelled
from .language import Array, Index
from .names import flat
from .numeric.compare import (
    SAMPLES,
    Agreement,
    Counterexample,
    compare,
    of_samples,
    search,
)
from .numeric.evaluate import evaluate
from .numeric.far import farther
from .numeric.modular import refutes
from .numeric.mutate import mutants
from .numeric.points import Point
from .printer import text, with_letters
from .record import Mutants, Numeric
from .steady import demand_steady
from .tactics.reasons import Reason

__tracebackhide__ = operator.methodcaller("errisinstance", ProofError)  # pytest shows the step
OPPOSITE = {"≤": "≥", "≥": "≤", "<": "≥", ">": "≤"}
CERTIFICATE = "the certificate"  # so begins what the kernel says against one


@dataclass(frozen=True)
class Evidence:
    """What decided a link: the theorem of the kernel (None if numbers alone did), the points at
    which both sides were computed, the mutants, the numbers that stood for each size."""

    theorem: object
    numeric: Numeric
    mutants: Mutants
    sizes: dict


@dataclass(frozen=True)
class Link:
    """`left relation right` under hypotheses (pairs as for `elaborate`), for a reason."""

    name: str
    left: object
    relation: str
    right: object
    given: tuple
    reason: Reason
    certificate: object = None
    by_numbers: bool = False
    ranges: tuple = ()

    def __str__(self):
        try:
            return f"{self.name}: {text(self.left)} {self.relation} {text(self.right)}"
        except TypeError:  # a term that has no form: the error says what of it is no term
            return self.name

    def decide(self):
        """The evidence, or an error that names the step, both sides, and a counterexample."""
        try:
            return self._decide()
        except Refuted as error:
            raise Refuted(self._said(error), error.counterexample) from None
        except ProofError as error:
            raise type(error)(self._said(error)) from None

    def _said(self, error):
        return f"{self}. {with_letters(error, (self.left, self.right))}"

    def _decide(self):
        extra = () if self.certificate is None else (self.certificate,)
        context, core = elaborate([self.left, self.right, *extra], self.given, self.ranges)
        left, right, *certificate = core
        written = {canonical(e) for e in context.written[:2]} if context.definitions else ()
        if left == right and self.relation == "=" and len(written) < 2:
            raise Unfalsifiable(
                "Both sides are the same expression under other names, so the step says nothing"
            )
        survey = surveyed(context, left, self.relation, right, self.by_numbers)
        if self.relation == "=" and refutes(context, left, right, survey.points):
            raise Refuted("This is false: the sides differ modulo a prime, at large integers")
        theorem = None
        if self.by_numbers:
            demand_steady(context, left, right)
            _demand_chance(survey, left, right)
        else:
            theorem = self._prove(context, left, right, *certificate)
            self._needed(context, left, right, *certificate)
            _demand_one(survey)
        killed = self._falsified(context, survey, left, right, *certificate)
        if theorem is not None and survey.unknown:
            point, why = survey.unknown[0]
            raise Undecided(
                f"At {len(survey.unknown)} of {len(survey.points)} points numbers say "
                f"nothing, such as at {point}: {why}"
            )
        return Evidence(theorem, numeric_of(survey), killed, sizes_of(survey))

    def _prove(self, context, left, right, *certificate):
        try:
            return self.reason.prove(context, left, self.relation, right, *certificate)
        except Undecided as error:
            raise Undecided(
                f"No counterexample was found, and {self._advice(context, left, right, error)}"
            ) from None

    def _advice(self, context, left, right, error):
        if certificate_is_wrong(error):
            found = str(error).removeprefix(CERTIFICATE)
            return f"{CERTIFICATE} {text(sympify(self.certificate))}{found}"
        words = self.reason.said
        symbols = sorted(
            (
                s
                for s in left.free_symbols & right.free_symbols
                if s.is_integer and s.is_nonnegative and type(s) is Symbol
            ),
            key=str,
        )
        by_it = {part.variable for part in self.reason.parts}
        symbols = [] if by_it & {*symbols} else symbols
        hint = f", or try induction_on({symbols[0]})" if symbols else ""
        if self.relation != "=":
            return (
                f"“{words}” does not show the sign of the difference; give the certificate that "
                f"it equals, or an earlier inequality with by(…){hint}"
            )
        said = f"“{words}” does not close it. Make the step smaller, or allow another rule{hint}"
        try:
            demand_steady(context, left, right)
        except Undecided:
            return said
        return f'{said}, or say by="numbers", and it is shown as checked, not proved'

    def _needed(self, context, left, right, *certificate):
        """The link does not close without what its reason names."""
        sides = self.left, self.right, *(x for r, *_ in self.given for x in r.args)
        found = {name for x in sides for name, _ in names_in(sympify(x))}
        for part in self.reason.parts:
            for name in map(flat, part.names):
                if not any(name in other for other in found):
                    raise IllFormed(f"“{part.said}” is about a name that stands nowhere in it")
        for part, rest in self.reason.without():
            labels = {r.label for r in part.results}
            facts = tuple(f for f in context.facts if f.source not in labels)
            if part.results and len(facts) == len(context.facts):
                raise IllFormed(f"“{part.said}” gives no fact that the link could use")
            try:
                rest.prove(replace(context, facts=facts), left, self.relation, right, *certificate)
            except ProofError:
                continue
            raise Unfalsifiable(f"The link closes without “{part.said}”; leave it out")

    def _falsified(self, context, survey, left, right, *certificate):
        """False variants of the link, and how many the check rejected. One of which the numbers say
        nothing at any point, and one that they accept and that is not known to have a value, are
        not counted."""
        points = [point for point, _ in reversed(survey.agreements)]
        tried = killed = equivalent = 0
        if self.relation != "=":
            opposite = OPPOSITE[self.relation]
            if not any(differs(compare(left, opposite, right, p)) for p in points):
                raise Unfalsifiable(
                    "The two sides agree at every point tried, so the reverse "
                    "inequality is accepted as well: state an equality"
                )
            tried = killed = 1
            if not certificate:
                return Mutants(tried, killed, equivalent)
            left, right = (right - left if self.relation in "≤<" else left - right), certificate[0]
        for kind, mutant in mutants(right, context):
            verdict = self._rejected(context, left, mutant, points)
            if verdict is None:
                continue
            if verdict is True:
                tried, killed = tried + 1, killed + 1
            elif self._equal(context, left, mutant):
                equivalent += 1
            elif undefined(mutant, Normal(context)) is not None:
                continue  # no statement at all, so no test of the check
            else:
                raise Unfalsifiable(
                    f"The check also accepts the falsified side {text(mutant)} "
                    f"({kind}), so it does not decide anything"
                )
        if not tried:
            raise Unfalsifiable(
                "No false variant of this step could be made, so nothing shows "
                "that the check can fail"
            )
        return Mutants(tried, killed, equivalent)

    @staticmethod
    def _rejected(context, left, mutant, points):
        """Whether a mutant is rejected at some point; None where the numbers say nothing of it at
        any point, as of an integral that diverges."""
        seen = False
        for point in points:
            found = compare(left, "=", mutant, point)
            if differs(found):
                return True
            seen = seen or isinstance(found, Agreement)
        return False if seen else None

    def _equal(self, context, left, mutant):
        try:
            return Reason(self.reason.parts, automatic=True).prove(context, left, "=", mutant)
        except ProofError:
            return False


def _holds(context, f, points):
    """A used result holds at the points of the statement; where it is about more than these say, at
    points of its own."""
    mentioned = (free(f.left) | free(f.right)) - set(context.defined)
    more = [
        v
        for v in mentioned
        if isinstance(v, (Symbol, Array))
        and v not in (*context.sizes, *context.symbols, *context.arrays)
        and context.length(v) is None
    ]
    if more:
        symbols = sorted({*context.symbols, *(v for v in more if type(v) is Symbol)}, key=str)
        arrays = (*context.arrays, *sorted((v for v in more if isinstance(v, Array)), key=str))
        wider = replace(context, symbols=tuple(symbols), arrays=arrays)
        survey = search(wider, f.left, f.relation, f.right)
        failures = [survey.counterexample or survey.seeming]
    else:
        failures = (
            compare(f.left, f.relation, f.right, here)
            for point in points
            for here in _placed(context, f, point)
        )
    for found in failures:
        if differs(found) and of_samples(context, f.left, f.right):
            raise Undecided(f"The result {f.source} that is used seems to fail {found}; {SAMPLES}")
        if differs(found):
            raise Refuted(f"The result {f.source} that is used fails {found}", found)


def _placed(context, f, point):
    """The point with all positions of the indices of a result that the statement leaves out."""
    missing = [i for i in f.variables if isinstance(i, Index) and i not in point]
    spans = (range(1, int(evaluate(context.length(i), point).value) + 1) for i in missing)
    for positions in product(*spans):
        here = Point(point)
        here.update(zip(missing, positions))
        yield here


def _demand_one(survey):
    """A step has a point at which numbers say something of it: else nothing tests its proof."""
    if survey.unknown and not survey.agreements:
        point, why = survey.unknown[0]
        raise Undecided(
            f"Numbers say nothing at any point tried, such as at {point}: {why}. Write a letter "
            "for what is not found, and state the step for all values of it"
        )


def _demand_chance(survey, left, right):
    """Numbers alone reach points at which no number is special, and tell nothing there to many more
    digits either."""
    drawn = [point for point, _ in survey.agreements if point.flavour == "chance"]
    if not drawn:
        silent = [(point, why) for point, why in survey.unknown if point.flavour == "chance"]
        where = "".join(f", and none such as {point}: {why}" for point, why in silent[:1])
        raise Undecided(f"Numbers reach special points only, so they do not decide{where}")
    for point in drawn:
        farther(left, right, point)


def differs(found):
    """Whether two sides have values that differ."""
    return isinstance(found, Counterexample) and None not in (found.left, found.right)


def numeric_of(survey):
    return Numeric(len(survey.agreements), len(survey.points), min(survey.digits, 99))


def sizes_of(survey):
    """For each size the numbers that stood for it, by its name."""
    return {str(size): tuple(int(n) for n in numbers) for size, numbers in survey.sizes}


def certificate_is_wrong(error):
    return str(error).startswith(CERTIFICATE)


def as_assumed(context):
    """The context without used results, which hold at every point that meets the hypotheses."""
    facts = tuple(f for f in context.facts if f.source in ("", ASSUMED))
    return replace(context, facts=facts)


def failing(survey, context, left, relation, right):
    """A point at which a statement fails; where numbers see samples only, one at which it does with
    the kernel's values in place of what they sample, with which the samples agree."""
    if survey.seeming is None:
        return survey.counterexample
    normal = Normal(context)
    sides = [normal.form(side) for side in (left, right)]
    apart = (Fact((), "≠", x, S.Zero, ASSUMED) for x in sorted(normal.splits, key=str))
    generic = replace(context, facts=(*context.facts, *apart))
    if of_samples(generic, *sides):
        return None
    found = search(generic, sides[0], relation, sides[1]).counterexample
    pairs = zip((left, right), sides)
    agree = found and all(
        isinstance(compare(side, "=", form, found.point), Agreement) for side, form in pairs
    )
    return found if agree else None


def surveyed(context, left, relation, right, chance=False):
    """Both sides at all points of the domain, and every used result tested there."""
    assumed = as_assumed(context)
    survey = search(assumed, left, relation, right, chance=chance)
    if (found := failing(survey, assumed, left, relation, right)) is not None:
        if (missing := cancelled(Normal(context))) is not None:
            raise IllFormed(missing)
        for e in context.written:
            demand_kept(e)
        raise Refuted(f"This is false: {found}", found)
    if survey.seeming is not None:
        raise Undecided(f"This seems false: {survey.seeming}; but {SAMPLES}, which refute nothing")
    if survey.left_out:
        raise Undecided(
            f"This fails at {survey.left_out[0]}, where a hypothesis for all values of a real "
            "variable is not known to hold for all of them: write one that is a polynomial in it, "
            "or what it says of the others"
        )
    for f in context.facts:
        if f.source not in ("", ASSUMED):
            _holds(assumed, f, [point for point, _ in survey.agreements if point.shown])
    return survey
