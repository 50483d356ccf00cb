"""Induction over an integer as a result of its own: base, step, and the theorem for all n."""

import time
from dataclasses import replace

from sympy import Expr, Ge, Symbol, expand, sympify

from .chain import (
    STATEMENT,
    Chain,
    Line,
    demand_replaced,
    demand_total,
    evidence_of,
    known,
    ranges_of,
    relations,
    results,
    sizes_met,
)
from .errors import IllFormed, Unfalsifiable
from .kernel.context import RELATIONS
from .kernel.terms import free, substitute
from .language import Array, unfold
from .link import Link
from .printer import tex
from .record import Finding, from_chain, several, step
from .recorded import of_induction
from .tactics.reasons import by, induction_on, remark


def induction(label, claim, n, *, reason, first=None, advance=None, title="", given=(), claims=(),
              certifies=()):  # fmt: skip
    """`claim` (a relation between two expressions in n) for all n from its least value on.

    The base is the claim at that value. The step is a chain from left(n+1) to right(n+1), by way of
    advance(right(n)) where an `advance` is given: the recursion, and the claim for n.
    """
    begun = time.perf_counter()
    if not isinstance(n, Symbol) or not n.is_integer or not n.is_nonnegative:
        raise IllFormed(f"{label}: induction is over an integer symbol that is positive or "
                        f"nonnegative; {n} is not")  # fmt: skip
    least = 1 if n.is_positive else 0
    if first not in (None, least):
        raise IllFormed(f"{label}: the claim is for all {n} ≥ {least}, so that is where the "
                        f"induction has to begin, not at {first}")  # fmt: skip
    if RELATIONS.get(type(claim), "≠") == "≠":
        raise IllFormed(f"{label}: claim: got {claim}, needs an equation or an inequality")
    if n not in free(unfold(claim.lhs)) | free(unfold(claim.rhs)):
        raise IllFormed(f"{label}: {n} stands nowhere in the claim, so there is no step")
    if not isinstance(reason, str) or not reason.strip():
        raise IllFormed(f"{label}: reason: got {reason!r}, needs the words for the step")
    given, relation = several(given), RELATIONS[type(claim)]
    if any(n in free(unfold(side)) for r in relations(given) for side in r.args):
        raise IllFormed(f"{label}: a hypothesis mentions {n}, so it is another one for {n} + 1")
    why = remark("") + induction_on(n)
    why += by(*used) if (used := results(given)) else ""
    whole = Link(
        label, claim.lhs, relation, claim.rhs, known(given), why, ranges=ranges_of(given)
    ).decide()
    chain = Chain(label, claim.lhs, (), given, "", (), (), (),
                  (Line(relation, claim.rhs, why, whole),))  # fmt: skip
    middle = None if advance is None else _advanced(label, advance, claim.rhs)
    between = [] if middle is None else [sympify(middle)]
    demand_replaced(label, between, chain._core[0])
    demand_total(label, between, chain._core[0])
    rows = list(_rows(chain, claim, n, least, middle, reason))
    record = from_chain(
        label, chain.claim, start=rows[0][0], title=title, theorem=whole.theorem,
        steps=[_step(*row) for row in rows], whole=whole.numeric, used=results(given),
        hypotheses=evidence_of(chain), sizes=sizes_met([row[-1].sizes for row in rows]),
        mutants=whole.mutants, claims=claims,
        expressions=[*claim.args, *between, *(side for f in chain.facts for side in f.args)],
        shown=f"{tex(claim.lhs)} {SIGNS[relation]} {tex(claim.rhs)}", certifies=certifies,
        text=f"By induction over ${tex(n)} \\ge {least}$.",
        terms=of_induction(claim, n, given, middle, reason),
    )  # fmt: skip
    return Finding(record, claim, chain.facts, time.perf_counter() - begun)


SIGNS = {"=": "=", "≤": r"\le", "≥": r"\ge", "<": "<", ">": ">"}


def _advanced(label, advance, side):
    """What a recursion makes of a side."""
    made = sympify(advance(side)) if callable(advance) else advance
    if not isinstance(made, Expr) or isinstance(made, Array):
        raise IllFormed(f"{label}: advance: got {made}, needs a function that makes an expression "
                        "of the right side")  # fmt: skip
    return made


def _step(left, relation, term, words, anew, evidence):
    return step(
        relation, term, words, theorem=evidence.theorem, method=words, numeric=evidence.numeric,
        mutants=evidence.mutants, left=left if anew else None,
    )  # fmt: skip


def _rows(chain, claim, n, least, middle, words):
    """(left, relation, term, words, whether it begins anew, evidence) of the base and each line of
    the step."""
    relation = chain.relation

    def at(side, value):
        return substitute(sympify(side), {n: sympify(value)})

    def row(left, right, said, anew, *extra):
        facts = (*known(chain.given), *extra)
        link = Link(f"{chain.label}, {said}", left, relation, right, facts, remark(said),
                    ranges=ranges_of(chain.given))  # fmt: skip
        try:
            return left, relation, right, said, anew, link.decide()
        except Unfalsifiable:  # a base where both sides of an inequality are equal
            if relation == "=":
                raise
            equal = replace(link, relation="=")
            return left, "=", right, said, anew, equal.decide()

    hypothesis = STATEMENT[relation](claim.lhs, claim.rhs, evaluate=False)
    premises = (*chain.facts, Ge(n, least, evaluate=False))
    for_n = (hypothesis, f"the claim for {n}", premises)
    first = at(claim.lhs, least), at(claim.rhs, least)
    if expand(first[0] - first[1]) != 0:  # a base that is one expression says nothing
        yield row(*first, f"base: ${tex(n)} = {least}$", False)
    said = f"step: by the hypothesis for ${tex(n)}$, {words}"
    if middle is None:
        yield row(at(claim.lhs, n + 1), at(claim.rhs, n + 1), said, True, for_n)
        return
    yield row(at(claim.lhs, n + 1), middle, said, True, for_n)
    yield row(middle, at(claim.rhs, n + 1), f"which is the claim for ${tex(n)} + 1$", False)
