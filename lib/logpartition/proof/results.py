"""Results: a statement together with its evidence. Making one either succeeds or raises.

    derive(label, start).eq(term, reason).le(bound, reason)    a chain, each link decided when it is written
    induction(label, claim, n, …)                              base and step, for all n
    refute(label, printed, corrected=…)                        a statement as printed, and the counterexample found
    observe(label, …), observe_rate(label, …)                  a measured number against a predicted one
    cite(label, text, source=…)                                a theorem used and not proved here
    earlier(label, statement)                                  a result of another chapter
    instance(result, values)                                   a result at particular values of its symbols
"""

import json
import math
import operator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from mpmath import mp
from sympy import Eq, Ge, Integral, Le, Product, Sum, Symbol, sympify
from sympy.core.relational import Relational

from .display import MIME, abbreviations, assumptions, line, markdown, tex
from .errors import IllFormed, ProofError, Refuted, Unfalsifiable
from .evaluate import WORKING_DIGITS, Inaccurate
from .language import Index, Size, ambiguous, apart, unfold
from .link import DIGITS, Link, compare, number, sizes_met
from .sample import Domain

STATEMENT = {"=": Eq, "≤": Le, "≥": Ge}
RELATION = {"==": "=", "<=": "≤", ">=": "≥"}
SIGNS = {**RELATION, "!=": "≠", "<": "<", ">": ">"}

__tracebackhide__ = operator.methodcaller("errisinstance", ProofError)     # pytest shows the line that states the step


@dataclass(frozen=True)
class Result:
    """A label, a statement (a SymPy relation, or none for a purely verbal one), and the record of its evidence."""

    label: str
    statement: object
    record: dict
    seconds: float = 0.0
    facts: tuple = ()

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {MIME: self.record, "text/markdown": markdown(self.record), "text/plain": line(self.record)}
        return data, {MIME: {"seconds": round(self.seconds, 1)}}

    def __repr__(self):
        return line(self.record)


def derive(label, start, *, title="", given=(), rests_on=(), claims=(), certifies=()):
    """A chain that begins with `start`, under the hypotheses `given` (relations, or results whose statement is used).

    `rests_on` names results that lead to the start by the text around it: edges of the graph, and no facts for the links.
    """
    return Chain(label, title, sympify(start), tuple(given), tuple(claims), tuple(certifies), rests_on=_tuple(rests_on))


@dataclass(frozen=True)
class Step:
    relation: str
    term: object
    reason: str
    evidence: object
    facts: tuple = ()
    checked: tuple = ()


@dataclass(frozen=True)
class Chain:
    """Terms joined by =, ≤ or ≥, one a line, with the reason and the evidence of each; a result once it has a link."""

    label: str
    title: str
    start: object
    given: tuple
    claims: tuple
    certifies: tuple
    steps: tuple = ()
    uses: tuple = ()
    rests_on: tuple = ()

    def eq(self, term, reason, *, using=(), by=None):
        """`= term`. With by="numbers" only the numeric route decides, and the link is shown as checked, not proved."""
        return self._link("=", term, reason, using, by)

    def le(self, term, reason, *, certificate=None, using=(), by=None):
        """`≤ term`, where term minus the last one equals the certificate, which is manifestly nonnegative."""
        return self._link("≤", term, reason, using, by, certificate)

    def ge(self, term, reason, *, certificate=None, using=(), by=None):
        """`≥ term`, where the last term minus this one equals the certificate, which is manifestly nonnegative."""
        return self._link("≥", term, reason, using, by, certificate)

    def _link(self, relation, term, reason, using, by, certificate=None):
        if by not in (None, "numbers"):
            raise ValueError(f'by: got {by!r}, needs None or "numbers"')
        directions = {s.relation for s in self.steps} | {relation}
        name = f"{self.label}, step {len(self.steps) + 1} ({reason})"
        if {"≤", "≥"} <= directions:
            raise IllFormed(f"{name}. A chain goes up or down, not both")
        given = (*self.given, *_tuple(using))
        facts, labels = hypotheses(given)
        if self.label in (*labels, *(r.label for r in self.rests_on)):
            raise IllFormed(f"{name}. A result cannot rest on itself")
        last, term = self.terms[-1], sympify(term)
        evidence = Link(name, last, relation, term, facts, certificate, by == "numbers").decide()
        if twice := ambiguous([*self.terms, term]):
            raise IllFormed(f"{name}. The name {twice} stands for two different things")
        if term == self.start:
            raise Unfalsifiable(f"{name}. The chain is back where it began, so it states nothing")
        step = Step(relation, term, reason, evidence, premises(given), checked(given))
        return replace(self, steps=(*self.steps, step), uses=_union(self.uses, labels))

    @property
    def terms(self):
        return (self.start, *(s.term for s in self.steps))

    @property
    def facts(self):
        """What the statement rests on and no result proves: the statement holds under all of it together."""
        return _union(premises(self.given), *(s.facts for s in self.steps))

    @property
    def statement(self):
        """First term, strongest relation that the links give, last term."""
        if not self.steps:
            raise IllFormed(f"{self.label}: a chain without a link states nothing")
        relation = next((s.relation for s in self.steps if s.relation != "="), "=")
        return STATEMENT[relation](self.start, self.steps[-1].term, evaluate=False)

    @property
    def seconds(self):
        return sum(s.evidence.seconds for s in self.steps)

    @property
    def record(self):
        """What the page, the ledger and the graph are built from."""
        facts, labels = self.facts, hypotheses(self.given)[1]
        terms = [*self.terms, *(s.evidence.certificate for s in self.steps if s.evidence.certificate is not None)]
        domain = Domain(terms, facts)
        proved = all(s.evidence.symbolic and not s.checked for s in self.steps) and not checked(self.rests_on)
        tried = sizes_tried([s.evidence.sizes for s in self.steps])
        return record(
            self.label, "derivation", "proved" if proved else "checked", title=self.title, statement=self.statement, facts=facts, domain=domain,
            expressions=terms, scope=scope(facts) if proved or not domain.sizes else tried, sizes=tried,
            start=tex(self.start), steps=[_step(s) for s in self.steps], mutants=_totals(s.evidence for s in self.steps),
            uses=_union(labels, self.uses, (r.label for r in self.rests_on)), claims=self.claims, certifies=self.certifies)

    _repr_mimebundle_ = Result._repr_mimebundle_
    __repr__ = Result.__repr__


def _step(s):
    e = s.evidence
    return {"latex": tex(s.term), "relation": s.relation, "reason": s.reason, "symbolic": e.symbolic,
            "numeric": {"points": e.points, "digits": DIGITS}, "certificate": "" if e.certificate is None else tex(e.certificate),
            "mutants": {"tried": e.tried, "killed": e.killed, "equivalent": e.equivalent}}


def _totals(evidences):
    evidences = list(evidences)
    return {key: sum(getattr(e, key) for e in evidences) for key in ("tried", "killed", "equivalent")}


def induction(label, claim, n, *, first, advance, reason, title="", given=(), claims=(), certifies=()):
    """`claim` (an equation in n) for all n ≥ first, from the base and from left(n+1) = advance(left(n)).

    The step is a chain from left(n+1): by the recursion and the claim for n it is advance(right(n)), and that is right(n+1).
    """
    if isinstance(n, Index) or not (n.is_integer and n.is_nonnegative):
        raise IllFormed(f"{label}: induction is over an integer symbol that is positive or nonnegative; {n} is not")
    if first != (1 if n.is_positive else 0):
        raise IllFormed(f"{label}: the claim is for all {n} ≥ {1 if n.is_positive else 0}, so that is where the induction has to begin, not at {first}")
    base = derive(label, claim.lhs.subs(n, first), title=title, given=given).eq(claim.rhs.subs(n, first), f"base: ${tex(n)} = {first}$")
    step = (derive(label, claim.lhs.subs(n, n + 1), given=given)
            .eq(advance(claim.rhs), "step: by the hypothesis for $" + tex(n) + "$, " + reason, using=[claim])
            .eq(claim.rhs.subs(n, n + 1), f"which is the claim for ${tex(n)} + 1$"))
    facts, labels = hypotheses(given)
    steps = [_step(s) for s in (*base.steps, *step.steps)]
    evidences = [s.evidence for s in (*base.steps, *step.steps)]
    terms = [claim.lhs, claim.rhs]
    rows = [steps[0], {**steps[1], "left": tex(step.start)}, steps[2]]
    return Result(label, claim, record(
        label, "derivation", "checked" if checked(given) else "proved", title=title, statement=claim, facts=facts, domain=Domain(terms, facts), expressions=terms,
        scope=scope(facts), sizes=sizes_tried([e.sizes for e in evidences]), start=tex(base.start), steps=rows, mutants=_totals(evidences), uses=labels, claims=claims, certifies=certifies,
        text=f"By induction over ${tex(n)} \\ge {first}$."), sum(e.seconds for e in evidences), facts)


def refute(label, printed, *, corrected, location, text="", by=(), title="", given=(), claims=()):
    """A statement as printed, false at a point of its domain; `corrected` is the result that replaces it.

    `printed` is a relation, and the verifier finds the counterexample; or it is words (Markdown), and `by` names the
    results that contradict them. The same search must leave the corrected statement standing.
    """
    uses = _union((corrected.label,), tuple(r.label for r in _tuple(by)))
    if isinstance(printed, str):
        if not by:
            raise IllFormed(f"{label}: words are refuted by results; name them with by=[…]")
        return Result(label, None, record(label, "refutation", "refuted", title=title, text=text, printed=printed, location=location,
                                          corrected=corrected.label, uses=uses, claims=claims))
    if getattr(printed, "rel_op", None) not in RELATION:
        raise IllFormed(f"{label}: printed: got {printed}, needs an equation, ≤ or ≥ between two expressions (evaluate=False keeps SymPy from deciding it)")
    facts, labels = hypotheses(given)
    found, domain, tried = counterexample(label, printed, facts)
    if found is None:
        raise ProofError(f"{label}: the statement as printed holds at all {len(tried)} points tried, so it is not refuted")
    if corrected.statement is not None:
        right, _, _ = counterexample(label, corrected.statement, corrected.facts)
        if right is not None:
            raise Refuted(f"{label}: the corrected statement {corrected.label} fails as well: {right}", right)
    point = [f"${tex(key)} = {number(value)}$" for key, value in found.entries()]
    sides = ["undefined" if v is None else number(v) for v in (found.left, found.right)]
    return Result(label, None, record(
        label, "refutation", "refuted", title=title, text=text, statement=None, facts=facts, domain=domain, expressions=[printed.lhs, printed.rhs],
        sizes=sizes_tried([sizes_met(domain, tried)]),
        printed=tex(printed), location=location, counterexample={"point": point, "left": sides[0], "right": sides[1]},
        corrected=corrected.label, mutants={"tried": 0, "killed": 0, "equivalent": 0}, uses=_union(uses, labels), claims=claims))


def counterexample(label, statement, facts):
    """The simplest counterexample among some points of the domain, the domain, and the points at which the two sides have values or one has none.

    Where neither side has a value the statement is not false, and a point where a value is hard to find proves nothing. Two
    different values count for more than one that is missing.
    """
    left, right = statement.args
    domain, found, tried = Domain([left, right], facts), [], []
    with mp.workdps(WORKING_DIGITS):
        for point in domain.points(label, ("simple",) * 4 + ("generic",)):
            try:
                c = compare(left, RELATION[statement.rel_op], right, point, tried)
            except Inaccurate:
                continue
            except NotImplementedError as error:
                raise IllFormed(f"{label}: {statement} cannot be evaluated: {error}") from None
            if c and (c.left, c.right) != (None, None):
                found.append(c)
    return min(found, key=lambda c: (None in (c.left, c.right), c.weight()), default=None), domain, tried


def observe(label, text, *, measured, predicted, standard_error=None, tolerance=None, title="", uses=(), claims=(), certifies=()):
    """|measured − predicted| ≤ 4 standard errors, or ≤ a tolerance that the text accounts for; the record keeps all three."""
    if (standard_error is None) == (tolerance is None):
        raise ValueError("give either standard_error or tolerance")
    allowed = 4 * standard_error if tolerance is None else tolerance
    measured, predicted, allowed = float(measured), float(predicted), float(allowed)
    if not all(map(math.isfinite, (measured, predicted, allowed))) or allowed <= 0:
        raise ProofError(f"{label}: measured {measured}, predicted {predicted} and tolerance {allowed} must be finite, and the tolerance positive")
    if abs(measured - predicted) > allowed:
        raise Refuted(f"{label}: measured {measured:.6g}, predicted {predicted:.6g}; they differ by more than {allowed:.2g}")
    others = [-predicted, 2 * predicted, predicted / 2] if predicted else [1.0]
    killed = sum(abs(measured - other) > allowed for other in others)
    if killed < len(others):
        raise Unfalsifiable(f"{label}: the tolerance {allowed:.2g} also accepts another prediction among {others}, so the measurement decides nothing")
    shown = "{:.2g} ({})".format(allowed, "4 standard errors" if tolerance is None else "stated")
    places = 1 - math.floor(math.log10(allowed))        # what lies below the tolerance is noise, and differs between machines
    rounded = round(measured, places)
    said = f"below {allowed:.2g} in size" if rounded == 0 != measured else f"{rounded:.10g}"
    return Result(label, None, record(
        label, "observation", "observed", title=title, text=text, measured=said, predicted=f"{predicted:.10g}", tolerance=shown,
        mutants={"tried": len(others), "killed": killed, "equivalent": 0}, uses=tuple(u.label for u in uses), claims=claims, certifies=certifies))


def observe_rate(label, text, sizes, errors, *, exponent, tolerance, title="", uses=(), claims=(), certifies=()):
    """errors ~ C · sizes^exponent: the slope of log errors over log sizes, fitted by least squares."""
    if len(set(sizes)) < 3 or len(sizes) != len(errors) or not all(z > 0 and math.isfinite(z) for z in (*sizes, *errors)):
        raise ProofError(f"{label}: got sizes {list(sizes)} and errors {list(errors)}; a rate needs three different sizes, and sizes and errors that are positive")
    x, y = [math.log(s) for s in sizes], [math.log(e) for e in errors]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return observe(label, text, measured=slope, predicted=exponent, tolerance=tolerance, title=title, uses=uses, claims=claims, certifies=certifies)


def cite(label, text, *, source, title="", using=(), claims=()):
    """A theorem that is not proved here, or one that follows in words from such a theorem and the results in `using`.

    `source` is a key of references.bib.
    """
    return Result(label, None, record(label, "citation", "cited", title=title, text=text, source=source, uses=tuple(r.label for r in _tuple(using)), claims=claims))


def earlier(label, statement=None, folder=".", *, given=()):
    """A result of another chapter, read from its notebook; a statement and its hypotheses must be the ones that were proved there."""
    for path in sorted(Path(folder).glob("*.ipynb")):
        for cell in json.loads(path.read_text())["cells"]:
            for output in cell.get("outputs", ()):
                stored = output.get("data", {}).get(MIME)
                if stored and stored["label"] == label:
                    if statement is not None and fingerprint(statement, hypotheses(given)[0]) != stored["fingerprint"]:
                        raise IllFormed(f"{label}: the statement given is not the one that {path.name} establishes, which is {stored['statement']}, under {'; '.join(stored['assumptions'])}")
                    return Result(label, statement, stored, facts=hypotheses(given)[0])
    raise IllFormed(f"{label}: no chapter has a result with this label")


def instance(result, values):
    """A result at particular values of its symbols: `instance(tangent, {t: x - y})`. The values are what the symbols are assumed to be."""
    if getattr(result, "facts", ()):
        raise IllFormed(f"{result.label}: it holds under hypotheses, and an instance would lose them")
    kinds = ("complex", "real", "integer", "even", "odd", "positive", "nonnegative", "negative", "nonpositive", "nonzero")
    for symbol, value in values.items():
        if not isinstance(symbol, Symbol) or isinstance(symbol, (Index, Size)):
            raise IllFormed(f"{result.label}: {symbol} is not a number that varies by itself, so it has no value to take")
        for kind in kinds:
            if getattr(symbol, f"is_{kind}") and not getattr(unfold(value), f"is_{kind}"):
                raise IllFormed(f"{result.label}: {symbol} is {kind} there, and nothing says that {value} is")
    taken = set().union(*(unfold(value).free_symbols for value in values.values()))
    bound = {v for side in result.statement.args for e in unfold(side).atoms(Sum, Product, Integral) for v in e.bound_symbols}
    sides = [apart(unfold(side)) if taken & bound else side for side in result.statement.args]      # so that nothing is captured
    left, right = (side.subs(values, simultaneous=True) for side in sides)
    return Result(result.label, result.statement.func(left, right, evaluate=False), result.record)


def hypotheses(given):
    """The relations among some hypotheses, and the labels of the results among them."""
    facts, labels = [], []
    for g in _tuple(given):
        if isinstance(g, Relational):
            facts.append(g)
        elif isinstance(g, (Result, Chain)):
            labels.append(g.label)
            if g.statement is not None:
                facts.append(g.statement)
        else:
            raise TypeError(f"given: got {type(g).__name__}, needs a relation such as Eq(…) or a result")
    return tuple(facts), tuple(labels)


def premises(given):
    """The relations among some hypotheses, and those under which the results among them hold."""
    return _union(*((g,) if isinstance(g, Relational) else g.facts for g in _tuple(given)))


def checked(given):
    """The labels of the results among some hypotheses that numbers alone support: what rests on them is not proved either."""
    return tuple(g.label for g in _tuple(given) if not isinstance(g, Relational) and g.statement is not None and g.record["verdict"] != "proved")


def fingerprint(statement, facts=()):
    """The same for the same statement under the same hypotheses, whatever names its parts have on the page."""
    said = [f"{unfold(f.lhs).as_dummy()} {f.rel_op} {unfold(f.rhs).as_dummy()}" for f in (statement, *facts)]
    return sha256("|".join([said[0], *sorted(said[1:]), *assumptions(Domain(statement.args, facts))]).encode()).hexdigest()[:16]


def sizes_tried(met):
    """The numbers that stood for each size in every link that it occurs in."""
    common = {}
    for s, numbers in (pair for link in met for pair in link):
        common[s] = common.get(s, set(numbers)) & set(numbers)
    return "; ".join(f"{s} = {', '.join(map(str, sorted(common[s])))}" for s in sorted(common, key=str))


def scope(facts):
    """All sizes, or those that the hypotheses leave."""
    about = [f for f in facts if f.free_symbols and all(isinstance(s, Size) for s in f.free_symbols)]
    return ", ".join(f"{f.lhs} {SIGNS[f.rel_op]} {f.rhs}" for f in about) or "all sizes"


def record(label, kind, verdict, *, title="", statement=None, text="", facts=(), domain=None, expressions=(), scope="all sizes", sizes="", uses=(), claims=(),
           certifies=(), mutants=None, **more):
    """The record of a result, every key that its kind has."""
    return {"label": label, "title": title, "kind": kind, "verdict": verdict, "statement": "" if statement is None else tex(statement), "text": text,
            "scope": scope, "sizes": sizes,
            "assumptions": assumptions(domain, facts) if domain else [], "where": abbreviations(expressions),
            "mutants": mutants or {"tried": 0, "killed": 0, "equivalent": 0}, "uses": list(uses), "claims": list(claims),
            "certifies": list(certifies), "fingerprint": "" if statement is None else fingerprint(statement, facts), **more}


def _tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _union(*groups):
    return tuple(dict.fromkeys(label for group in groups for label in group))
