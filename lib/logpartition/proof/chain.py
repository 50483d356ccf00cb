"""Chains of terms joined by =, ≤ or ≥, one a line, each link decided when it is written.

derive(label, start).eq(term, reason).le(bound, reason)    a chain; a result once it has a link
induction(label, claim, n, …)                              base and step, for all n
instance(result, values)                                   a result at particular values
"""

import operator
import time
from dataclasses import dataclass, replace
from functools import cached_property

from sympy import Basic, Derivative, Eq, Ge, Gt, Integral, Le, Lt, S, Symbol, sympify
from sympy.core.relational import Relational

from . import tensors
from .display import failure
from .errors import IllFormed, ProofError, Unfalsifiable
from .kernel.context import (
    ASSUMED,
    demand_kept,
    demand_open,
    elaborate,
    in_place,
    named_in,
    names_in,
)
from .kernel.normal import Normal
from .kernel.places import arguments
from .kernel.signs import Signs
from .kernel.terms import free
from .kernel.theorem import missing_of
from .language import Index, Named, unfold
from .link import Link, failing, numeric_of, surveyed
from .names import flat, held, seen_as
from .numeric.compare import search
from .printer import tex, with_letters
from .record import (
    Claim,
    Hypothesis,
    Result,
    counterexample,
    demand_label,
    from_chain,
    listed,
    several,
    step,
    strongest,
)
from .recorded import of_chain
from .tactics import reasons
from .tactics.reasons import Reason, reason

STATEMENT = {"=": Eq, "≤": Le, "≥": Ge, "<": Lt, ">": Gt}

__tracebackhide__ = operator.methodcaller("errisinstance", ProofError)  # pytest shows the step


def derive(label, start, *, title="", given=(), rests_on=(), claims=(), certifies=()):
    """A chain that begins with `start`, under the hypotheses `given` (relations, or results whose
    statement is used in every link).

    `rests_on` names results that lead to the start by the text around it: edges of the graph, and
    no facts for the links.
    """
    _demand_ends(label, start)
    indices = tensors.common(start)
    if len(results(rests_on)) < len(several(rests_on)):
        raise TypeError("rests_on: needs results; relations go into given")
    return Chain(
        label,
        start,
        indices,
        several(given),
        title,
        several(rests_on),
        listed("claims", claims),
        listed("certifies", certifies),
    )


def _demand_ends(label, e):
    """An integral in a term has two ends; without them the page has no form for it."""
    found = e.atoms(Integral) if isinstance(e, Basic) else ()
    for integral in sorted(found, key=str):
        if any(len(limit) < 3 for limit in integral.limits):
            raise IllFormed(
                f"{label}. {integral} has no ends, so it is not a number: write "
                "Integral(f, (x, low, high))"
            )


@dataclass(frozen=True)
class Line:
    """A link as it was decided."""

    relation: str
    term: object
    reason: Reason
    evidence: object
    certificate: object = None
    given: tuple = ()
    asked: tuple = ()  # the reason, what it uses and by what, as the author has them


@dataclass(frozen=True, eq=False, repr=False)
class Chain(Result):
    """Terms joined by relations, with the reason and the evidence of each link."""

    label: str
    start: object
    indices: tuple
    given: tuple
    title: str
    rests_on: tuple
    claims: tuple
    certifies: tuple
    lines: tuple = ()
    seconds: float = 0.0

    def __post_init__(self):
        demand_label(self.label)

    def eq(self, term, why=None, *, using=(), by=None):
        """`= term`, for a reason: a rule, or a remark. With by="numbers" only the numeric route
        decides, which it may of an equality in which nothing can jump; the link is shown as
        checked, not proved."""
        return self._link("=", term, why, using, by)

    def le(self, term, why=None, *, certificate=None, using=(), by=None):
        """`≤ term`; term minus the one before equals the certificate, which is ≥ 0."""
        return self._link("≤", term, why, using, by, certificate)

    def ge(self, term, why=None, *, certificate=None, using=(), by=None):
        """`≥ term`; the one before minus term equals the certificate, which is ≥ 0."""
        return self._link("≥", term, why, using, by, certificate)

    def lt(self, term, why=None, *, certificate=None, using=(), by=None):
        """`< term`; term minus the one before equals the certificate, which is > 0."""
        return self._link("<", term, why, using, by, certificate)

    def gt(self, term, why=None, *, certificate=None, using=(), by=None):
        """`> term`; the one before minus term equals the certificate, which is > 0."""
        return self._link(">", term, why, using, by, certificate)

    def _link(self, relation, term, why, using, by, certificate=None):
        if by not in (None, "numbers"):
            raise ValueError(f'by: got {by!r}, needs None or "numbers"')
        if by and relation != "=":
            raise IllFormed(
                f"{self.label}, step {len(self.lines) + 1}. by: got {by!r}, and numbers alone "
                f"decide no {relation}, since it may fail where no point is tried: give a "
                "certificate"
            )
        if why is None:
            raise TypeError(
                f"{self.label}, step {len(self.lines) + 1}. A link needs a reason, which follows"
                ' its term: a rule, as in .eq(x, rearrange), or words, as in .eq(x, "why")'
            )
        begun = time.perf_counter()
        why = asked = reason(why)
        name = f"{self.label}, step {len(self.lines) + 1} ({why.remark or why.words})"
        strongest(name, {relation, *(s.relation for s in self.lines)})
        given = (*self.given, *several(using), *why.results)
        if self.label in (*(r.label for r in results(given)), *(r.label for r in self.rests_on)):
            raise IllFormed(f"{name}. A result cannot rest on itself")
        if used := results((*self.given, *several(using))):
            why += reasons.by(*used)
        _demand_ends(name, term)
        if relation != "=" and len(self.indices) > 1:
            raise IllFormed(
                f"{name}. {relation} between matrices would read as one of quadratic forms: state "
                "it of the entries"
            )
        certificate = None if certificate is None else tensors.scalar(certificate, ())
        last, scalar = self.scalars[-1], tensors.scalar(term, self.indices)
        link = Link(
            name,
            last,
            relation,
            scalar,
            known(given),
            why,
            certificate,
            by == "numbers",
            (*self.axes, *ranges_of(given)),
        )
        asked = asked, several(using), by
        given = relations(several(using))
        line = Line(relation, term, why, link.decide(), certificate, given, asked)
        if scalar == self.scalars[0]:
            raise Unfalsifiable(f"{name}. The chain is back where it began, so it states nothing")
        seconds = self.seconds + time.perf_counter() - begun
        return replace(self, lines=(*self.lines, line), seconds=seconds)._with_full_ranges()

    def _with_full_ranges(self):
        """The chain. An index that its ends do not mention has to have a value: else the statement
        holds where its inner terms say nothing, and the hypotheses about the index neither."""
        self._demand_ranges()
        inner, ends = self.scalars[1:-1] + self.certificates, (self.scalars[0], self.scalars[-1])
        defined = any(isinstance(f, Eq) for f in self.facts)  # which may take an index out
        if _indices(inner) - (set() if defined else _indices(ends)):
            context, core = self._core
            said = _indices(core[:2])
            context = replace(context, free_indices=tuple(said))
            signs = Signs(context, context.order)
            for i in sorted(_indices(core[2:]) - said, key=str):
                if not signs.within(S.One, S.One, context.length(i)):
                    raise IllFormed(
                        f"{self.label}. The index {i}, of which the ends of the chain say nothing, "
                        f"runs to {context.length(i)}, which may be 0: keep it in the statement"
                    )
        return self

    def _demand_ranges(self):
        """How far an index of the statement or of a hypothesis runs is said in one of them, and not
        by an inner term or a result that is used."""
        sides = [self.scalars[0], self.scalars[-1], *(side for f in self.facts for side in f.args)]
        for i in sorted(_indices(sides) - set(dict(self.ranges)), key=str):
            raise IllFormed(
                f"{self.label}. Only inner terms of the chain, or results that it uses, say how "
                f"far the index {i} runs: let an array that it is an index of stand in the "
                "statement or in a hypothesis"
            )

    def _demand_a_link(self):
        if not self.lines:
            raise IllFormed(f"{self.label}. A chain without a link states nothing")

    @property
    def axes(self):
        """How far the indices of the chain run."""
        return tensors.ranges(self.start, self.indices)

    @cached_property
    def ranges(self):
        return (*self.axes, *super().ranges)

    @property
    def certificates(self):
        return tuple(s.certificate for s in self.lines if s.certificate is not None)

    @property
    def used(self):
        """The results among the hypotheses and the reasons."""
        return results([*self.given, *(r for s in self.lines for r in s.reason.results)])

    @property
    def terms(self):
        """The terms as the author wrote them."""
        return (self.start, *(s.term for s in self.lines))

    @cached_property
    def scalars(self):
        """The terms at the indices of the chain."""
        return tuple(tensors.scalar(t, self.indices) for t in self.terms)

    @property
    def relation(self):
        return strongest(self.label, {s.relation for s in self.lines})

    @cached_property
    def facts(self):
        """The relations under which the statement holds."""
        stated = relations(self.given), *(s.given for s in self.lines)
        return _union(*stated, *(r.facts for r in self.used))

    @property
    def statement(self):
        """First term, strongest relation that the links give, last term."""
        self._demand_a_link()
        ends = sympify(self.scalars[0]), sympify(self.scalars[-1])
        return STATEMENT[self.relation](*ends, evaluate=False)

    @cached_property
    def survey(self):
        """The statement as a whole at all its points."""
        claim = self.claim
        if claim.left == claim.right:
            raise Unfalsifiable(
                f"{self.label}. The chain is back where it began, so it states nothing"
            )
        try:
            return surveyed(claim.context, claim.left, claim.relation, claim.right)
        except ProofError as error:
            raise type(error)(f"{self.label}. As a whole, {with_letters(error)}") from None

    @cached_property
    def claim(self):
        """The statement in the core language."""
        self._demand_ranges()
        context, core = self._core
        demand_own_indices(self.label, self.indices, context)
        sides = [side for f in self.facts for side in f.args]
        terms = [*self.terms, *self.scalars, *self.certificates, *sides]
        demand_total(self.label, terms, context)
        demand_replaced(self.label, terms, context)
        return Claim(context, core[0], self.relation, core[1])

    @cached_property
    def _core(self):
        """The context of all terms, where an index runs as far as in the results that are used; and
        in the core language the ends of the chain, its inner terms and its certificates."""
        terms = [self.scalars[0], self.scalars[-1], *self.scalars[1:-1], *self.certificates]
        given = [(f, ASSUMED) for f in self.facts]
        return elaborate(terms, given, (*self.ranges, *ranges_of(self.used)))

    @cached_property
    def record(self):
        """What the page, the ledger and the graph are built from."""
        self._demand_a_link()
        first = self.lines[0].evidence.numeric
        whole = first if len(self.lines) == 1 else numeric_of(self.survey)
        sides = [side for f in self.facts for side in f.args]
        expressions = [*map(sympify, self.scalars), *map(sympify, self.certificates), *sides]
        tensors.demand_apart(self.terms, expressions)
        return from_chain(
            self.label,
            self.claim,
            start=tensors.words(self.start),
            title=self.title,
            steps=[self._step(n, s) for n, s in enumerate(self.lines, 1)],
            whole=whole,
            used=_union(self.used, self.rests_on),
            hypotheses=evidence_of(self),
            sizes=sizes_met([s.evidence.sizes for s in self.lines]),
            expressions=expressions,
            indices=self.indices,
            claims=self.claims,
            certifies=self.certifies,
            terms=of_chain(self),
        )

    def _step(self, n, line):
        evidence, short = line.evidence, tensors.words(line.term)
        long = tex(self.scalars[n])
        return step(
            line.relation,
            short,
            line.reason.words,
            theorem=evidence.theorem,
            method=line.reason.words,
            numeric=evidence.numeric,
            mutants=evidence.mutants,
            remark=line.reason.remark,
            certificate=line.certificate,
            entries=long if long != short else None,
        )


def demand_replaced(label, terms, context):
    """What `at` replaces does not stand in what a hypothesis defines, where it would stay; and what
    it is replaced in is what has its name on the page."""
    scalars = [t for t in terms if isinstance(t, Basic)]
    names = dict(pair for e in scalars for pair in names_in(e))
    defined = {target: free(made.meaning) for target, made in context.defined.items()}
    for array, about, f in (found for t in terms for found in tensors.replaced(t)):
        for target in sorted((t for t in about if array in defined.get(t, ())), key=str):
            raise IllFormed(
                f"{label}. at(…) replaces {array} where {target} stands, which a hypothesis "
                f"defines by {array}: write the entries of {target} out there"
            )
        if isinstance(f, Named) and names.get(flat(f.name), f.meaning) != f.meaning:
            raise IllFormed(f"{label}. The name {f.name}, in which at(…) replaces {array}, stands "
                            "for two different things")  # fmt: skip
    letters = {look: e for look, e in names.items() if isinstance(e, Basic)}
    for n in sorted(set().union(*map(named_in, scalars)) - {*tensors.REPLACED}, key=str):
        _demand_no_value(label, n, letters, defined)


def _demand_no_value(label, name, letters, defined):
    """A name that looks like the value at an array of what may depend on it by a hypothesis has to
    be made by `at`, which says where it depends on it."""
    alone, shapes = arguments(name.name, letters)
    for target in sorted(free(unfold(name.meaning)) & {*defined} - alone, key=str):
        for x in sorted(defined[target] - alone, key=str):
            if getattr(x, "shape", None) in shapes:
                raise IllFormed(
                    f"{label}. {name.name} looks like a value, and {target} in it, which a "
                    f"hypothesis defines by {x}, may depend on what it is a value at: write the "
                    f"entries of {target} out there, or make it by at(…)"
                )


def evidence_of(chain):
    """For each hypothesis a point at which the statement fails without it, where there is one; or
    that nothing says without it that both sides have values."""
    found = []
    for f in chain.facts:
        others = [(g, ASSUMED) for g in chain.facts if g is not f]
        witness, valued = None, True
        try:
            ends = [chain.scalars[0], chain.scalars[-1]]
            letters = [s for s in sorted(free(unfold(f.lhs - f.rhs)), key=str) if type(s) is Symbol]
            context, (left, right, *_) = elaborate([*ends, *letters], others, chain.ranges)
            for end in ends:
                demand_kept(end)
            survey = search(context, left, chain.relation, right)
            if point := failing(survey, context, left, chain.relation, right):
                witness = _failure(point)
            elif _valued(chain.claim.context, chain.claim.left, chain.claim.right):
                valued = _valued(context, left, right)
        except ProofError:
            pass
        found.append(Hypothesis(tex(f), witness, valued=valued))
    return found


def _failure(found):
    """At which point a statement fails, and how, in words."""
    point = dict(found.point.entries())
    said = failure(counterexample(point, found.left, found.right, found.reason).json())
    return f"at{said.removeprefix('At')}" if point else f"at every point: {said}"


def _valued(context, *sides):
    """Whether the kernel knows that some terms have values wherever the hypotheses hold."""
    return missing_of(Normal(context), *sides) is None


def sizes_met(met):
    """For each size the numbers that stood for it in every link that it occurs in."""
    common = {}
    for sizes in met:
        for name, numbers in sizes.items():
            common[name] = common.get(name, set(numbers)) & set(numbers)
    return {name: tuple(sorted(numbers)) for name, numbers in common.items()}


def _indices(expressions):
    """The free indices of some expressions."""
    found = set().union(*(free(unfold(sympify(e))) for e in expressions))
    return {i for i in found if isinstance(i, Index)}


# --- hypotheses ------------------------------------------------------------------------


def known(given):
    """What a link may use, as `elaborate` takes it: hypotheses, and results with what they need."""
    facts = [(f, ASSUMED) for f in _union(relations(given), *(r.facts for r in results(given)))]
    stated = [r for r in results(given) if r.statement is not None]
    return (*facts, *((r.statement, r.label, tuple(r.facts)) for r in stated))


def ranges_of(given):
    """How far the indices run that are free in the results among some hypotheses."""
    return tuple(pair for r in results(given) for pair in r.ranges)


def relations(given):
    return tuple(g for g in several(given) if isinstance(g, Relational))


def results(given):
    """The results among some hypotheses."""
    found = []
    for g in several(given):
        if isinstance(g, Result):
            found.append(g)
        elif not isinstance(g, Relational):
            demand_open(g)
            raise TypeError(
                f"given: got {type(g).__name__}, needs a relation such as Eq(…) or a result"
            )
    return tuple(found)


def demand_own_indices(label, indices, context):
    """The indices of the entries of a chain are its own: no definition is for one of them."""
    for d in context.definitions:
        brought = free(in_place(context.definitions, d.meaning)) - {*d.places}
        for i in sorted(brought.intersection(indices), key=str):
            raise IllFormed(
                f"{label}. {d.target} depends on {i}, the index of the equation's entries; write "
                "another letter in the hypothesis"
            )


def demand_total(label, terms, context):
    """No ∂ in a variable is taken of what has the variable and a letter that is defined by it,
    which the page would show as held."""
    scalars = [e for e in terms if isinstance(e, Basic)]
    names = sorted(set().union(*map(named_in, scalars)), key=str)
    for x in sorted(set().union(*(e.atoms(Derivative) for e in scalars)), key=str):
        inside, bases = free(x.expr), {getattr(v, "base", v) for v, _ in x.variable_count}
        for d in (d for d in context.definitions if d.target in inside):
            for n in names:  # also those in what a hypothesis defines
                if any(seen_as(v) in held(n.name) and v not in free(unfold(n)) for v in bases):
                    raise IllFormed(
                        f"{label}. {n.name} shows the variable of {x}, and does not depend on it: "
                        "take another name"
                    )
            if bases & inside & free(in_place(context.definitions, d.meaning)):
                raise IllFormed(
                    f"{label}. {x} is of a term with {d.target}, which depends on the variable "
                    f"too, and looks as if {d.target} were held: write what it stands for"
                )


def _union(*groups):
    found = []
    for group in groups:
        found += [x for x in group if not any(x is y or _same(x, y) for y in found)]
    return tuple(found)


def _same(x, y):
    return isinstance(x, Relational) and x == y
