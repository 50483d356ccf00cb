"""Refutations: what a source prints, the point at which it fails, and what is true instead."""

import time

from sympy import Symbol
from sympy.core.relational import Relational

from .chain import (
    demand_replaced,
    demand_total,
    known,
    ranges_of,
    relations,
    results,
)
from .errors import IllFormed, ProofError, Refuted
from .kernel.context import ASSUMED, RELATIONS, demand_kept, elaborate
from .kernel.terms import free
from .language import Smooth, function
from .link import as_assumed, failing
from .numeric.compare import SAMPLES, search
from .numeric.evaluate import written
from .printer import letter
from .record import Claim, Finding, counterexample, refutation, several
from .recorded import of_refutation


def refute(
    label,
    printed,
    *,
    corrected,
    location,
    text="",
    by=(),
    title="",
    given=(),
    claims=(),
    misprint=False,
):
    """A statement as printed, false at a point of its domain; `corrected` is the result that
    replaces it.

    `printed` is a relation, and the verifier finds the counterexample; or it is words, letter by
    letter, and `by` names the results that contradict them. Where both are relations, the same
    search must leave the corrected statement standing.
    """
    begun = time.perf_counter()
    if not hasattr(corrected, "record"):
        raise TypeError(f"corrected: got {type(corrected).__name__}, needs the result that is true")
    by = tuple(by) if isinstance(by, (tuple, list)) else (by,)
    given = several(given)
    evidence = {} if isinstance(printed, str) else _failing(label, printed, corrected, given)
    record = refutation(
        label,
        printed,
        corrected=corrected,
        location=location,
        by=by,
        misprint=misprint,
        text=text,
        title=title,
        claims=claims,
        terms=of_refutation(printed, corrected, by, given) if evidence else "",
        **evidence,
    )
    return Finding(record, seconds=time.perf_counter() - begun)


def _failing(label, printed, corrected, given):
    """The point at which a formula fails, and what it is about."""
    if not isinstance(printed, Relational) or RELATIONS.get(type(printed), "≠") == "≠":
        raise IllFormed(
            f"{label}: printed: got {printed}, needs an equation, ≤ or ≥ between two "
            "expressions (evaluate=False keeps SymPy from deciding it)"
        )
    context, (left, right) = elaborate(printed.args, known(given), ranges_of(given))
    sides = [side for r in (printed, *relations(given)) for side in r.args]
    demand_replaced(label, sides, context)
    demand_total(label, sides, context)
    relation = RELATIONS[type(printed)]
    for side in printed.args:
        demand_kept(side)
    assumed = as_assumed(context)
    survey = search(assumed, left, relation, right)
    found = failing(survey, assumed, left, relation, right)
    if found is None or None in (found.left, found.right):
        raise ProofError(f"{label}: {_unfailing(survey)}, so it is not refuted")
    _stands(label, corrected)
    point = dict(found.point.entries()) | _functions((left, right))
    return {
        "found": counterexample(point, found.left, found.right, found.reason),
        "claim": Claim(context, left, relation, right),
        "sizes": {str(s): tuple(sorted({int(p[s]) for p in survey.points})) for s in context.sizes},
        "expressions": sides,
        "given": results(given),
    }


def _unfailing(survey):
    """Why no point that was tried refutes a statement."""
    if survey.seeming:
        return (f"the statement as printed seems to fail {survey.seeming}, and {SAMPLES}: write "
                "what it is in its place")  # fmt: skip
    if survey.left_out:
        return (f"the statement as printed fails at {survey.left_out[0]}, and a hypothesis for all "
                "values of a real variable is not known to hold for all of them there: write one "
                "that is a polynomial in it, or what it says of the others")  # fmt: skip
    if survey.agreements:
        return (f"the statement as printed holds at all {len(survey.agreements)} points where it "
                "has values")  # fmt: skip
    if survey.unknown:
        point, why = survey.unknown[0]
        return f"numbers say nothing of the statement as printed, such as at {point}: {why}"
    return "the statement as printed has values at no point that was tried"


def _functions(sides):
    """What the functions of some expressions are at every point that is tried."""
    names = sorted({f.name for side in sides for f in side.atoms(Smooth)})
    x = Symbol(letter({*names, *map(str, set().union(*map(free, sides)))}, role="real"), real=True)
    return {function(name)(x): written(name, x) for name in names}


def _stands(label, corrected):
    """The corrected statement holds at the points where the printed one is tried."""
    if corrected.statement is None:
        return
    given = [(f, ASSUMED) for f in corrected.facts]
    context, (left, right) = elaborate(corrected.statement.args, given, corrected.ranges)
    relation = RELATIONS[type(corrected.statement)]
    survey = search(context, left, relation, right)
    if (found := failing(survey, context, left, relation, right)) is not None:
        raise Refuted(
            f"{label}: the corrected statement {corrected.label} fails as well: {found}", found
        )
    if survey.seeming is not None:
        raise ProofError(
            f"{label}: the corrected statement {corrected.label} seems to fail as well: "
            f"{survey.seeming}; {SAMPLES}"
        )
