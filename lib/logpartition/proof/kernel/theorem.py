"""What a theorem is, and each way in which one is made: nothing but this module makes one."""

from dataclasses import replace

from sympy import S, sympify

from ..errors import IllFormed, Undecided
from ..language import Array
from .context import RELATIONS, REVERSED, Fact, open_letters
from .defined import undefined
from .normal import POWERS, Normal
from .terms import free, says, substitute

_SEAL = object()
ORDERED = ("≤", "<", "≥", ">")


class Theorem:
    """`left relation right` at every point of a context; `oracles`: the SymPy calls believed."""

    __slots__ = ("context", "left", "relation", "right", "oracles")

    def __init__(self, seal, context, left, relation, right, oracles):
        if seal is not _SEAL:
            raise TypeError("a theorem is made by the functions of kernel.theorem only")
        values = context, left, relation, right, frozenset(oracles)
        for name, value in zip(self.__slots__, values):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        raise TypeError("a theorem does not change")

    def __repr__(self):
        return f"⊢ {self.left} {self.relation} {self.right}"


def prove(context, left, relation, right, powers=POWERS):
    """left relation right by normal forms: the difference vanishes, or has a manifest sign."""
    _demand_relation(relation, RELATIONS.values())

    def attempt(context, left, right):
        full, normal = Normal(context), Normal(context, powers)
        if (missing := missing_of(full, left, right)) is not None:
            return full, missing
        if relation == "=":
            return normal, normal.vanishes(left - right)
        return normal, _real(normal, left, right) and _signed(normal, left - right, relation)

    oracles = _by_cases(attempt, context, left, right)
    if oracles is None:
        raise Undecided(f"no rule decides whether the left side is {relation} the right")
    return Theorem(_SEAL, context, left, relation, right, oracles)


def certified(context, left, relation, right, certificate, powers=POWERS):
    """An inequality by a manifestly signed expression that is the difference of its sides."""
    _demand_relation(relation, ORDERED)
    difference = right - left if relation in ("≤", "<") else left - right
    _demand_defined(context, left, right, certificate)
    normal = Normal(context, powers)
    sign = normal.signs.positive if relation in ("<", ">") else normal.signs.nonnegative
    if not (sign(certificate) or sign(normal.form(certificate))):
        raise Undecided("the certificate is not manifestly of one sign; write it so that "
                        "each of its terms is visibly at least 0")  # fmt: skip

    if not _real(normal, left, right):
        raise Undecided("nothing says that the sides of the inequality are real")

    def attempt(context, difference, certificate):
        normal = Normal(context, powers)
        return normal, normal.vanishes(difference - certificate)

    oracles = _by_cases(attempt, context, difference, certificate)
    if oracles is None:
        raise Undecided("the certificate is not shown to be the difference")
    return Theorem(_SEAL, context, left, relation, right, normal.oracles | oracles)


def _by_cases(attempt, context, *sides):
    """The oracles of an attempt that succeeds; where a rule asks whether a symbol is 0, of both its
    cases. An attempt gives the normal forms that it used, and True, False or what is missing."""
    normal, done = attempt(context, *sides)
    if done is True:
        return normal.oracles
    for x in sorted(normal.splits, key=str):
        if x not in context.symbols:
            continue
        apart = replace(context, facts=(*context.facts, Fact((), "≠", x, S.Zero)))
        generic, first = attempt(apart, *sides)
        at_zero = _at_zero(context, x)
        zero, second = attempt(at_zero, *(substitute(e, {x: S.Zero}) for e in sides))
        if first is True and second is True:
            at_zero = replace(at_zero, written=context.written)
            if (done := _missing_at(at_zero, {x: S.Zero}, *sides)) is None:
                return generic.oracles | zero.oracles
    if isinstance(done, str):
        raise IllFormed(done)
    return None


def _missing_at(context, point, *sides):
    """What sides lack at a point, also of what is gone when it is put in, as in 0 log 0."""
    normal = Normal(context)
    found = (undefined(side, normal, point) for side in sides)
    written = (undefined(e, normal, {**context.meanings, **point}) for e in context.written)
    return next(filter(None, (*found, *written)), None)


def _at_zero(context, x):
    facts = (
        replace(f, left=substitute(f.left, {x: S.Zero}), right=substitute(f.right, {x: S.Zero}))
        for f in context.facts
    )
    left = tuple(s for s in context.symbols if s != x)
    return replace(context, facts=tuple(facts), symbols=left, written=())


def induct(context, left, relation, right, n, first, powers=POWERS):
    """left relation right for all n ≥ first, from the case n = first and the step from n to n + 1.

    The hypothesis of the step is the claim at n, for all values of its other variables.
    """
    arrays = {*context.arrays, *left.atoms(Array), *right.atoms(Array)}  # those summed over, too
    if n in context.sizes or any(n in free(a) for a in arrays):
        raise IllFormed(f"{n} is the length of an array, which has no entry after its last")
    if any(n in free(length) for _, length in context.ranges):
        raise IllFormed(f"an index runs to a length that has {n} in it, so it runs on")
    if any(n in f.free or n in f.variables for f in context.facts):
        raise IllFormed(f"a hypothesis mentions {n}, so it is not known to hold for {n} + 1")
    least = 1 if says(n, "positive") else 0
    if not (n.is_integer and says(n, "nonnegative")) or first != least:
        raise IllFormed(
            f"the claim is for all {n} ≥ {least}, an integer; the induction has to begin there"
        )
    for point in ({n: sympify(first)}, {}):
        if (missing := _missing_at(context, point, left, right)) is not None:
            raise IllFormed(missing)
    at_first = [substitute(side, {n: sympify(first)}) for side in (left, right)]
    base = prove(context, at_first[0], relation, at_first[1], powers)
    named = (free(left) | free(right)) - set(context.sizes)
    fixed = set().union({n}, *(f.free for f in context.facts))
    near = (named & fixed & open_letters(context.facts)) - {n}
    others, around = sorted(named - fixed, key=str), sorted(near, key=str)
    sides = (right, left) if relation in ("≥", ">") else (left, right)
    claim = Fact(
        tuple(others), REVERSED.get(relation, relation), *sides, f"the claim for {n}", tuple(around)
    )
    above = replace(context, facts=(*context.facts, claim))
    step = prove(
        above, substitute(left, {n: n + 1}), relation, substitute(right, {n: n + 1}), powers
    )
    return Theorem(_SEAL, context, left, relation, right, base.oracles | step.oracles)


def _real(normal, *sides):
    """Whether the sides of an inequality are real numbers."""
    return all(normal.signs.real(e) or normal.signs.real(normal.form(e)) for e in sides)


def _signed(normal, difference, relation):
    if relation in ("≤", "<"):
        difference = -difference
    strict = normal.signs.positive if relation in ("<", ">") else normal.signs.nonnegative
    sign = normal.signs.nonzero if relation == "≠" else strict
    return sign(difference) or sign(normal.form(difference)) or sign(normal.factored(difference))


def _demand_relation(relation, known):
    if relation not in known:
        raise IllFormed(f"relation: got {relation}, needs one of {', '.join(known)}")


def _demand_defined(context, *sides):
    if (missing := missing_of(Normal(context), *sides)) is not None:
        raise IllFormed(missing)


def missing_of(normal, *sides):
    """What is missing for all sides, and all terms as they were written, to have values. A
    hypothesis may ask for more than is known, but for nothing that is gone in how it is used."""
    meanings = normal.context.meanings
    for d in normal.context.definitions:
        inner = normal
        for place, length in zip(d.places, d.target.shape if d.places else ()):
            inner = inner.inside(place, S.One, length)
        if (missing := undefined(d.written, inner, meanings)) is not None:
            return missing
    for side in sides:
        if (missing := undefined(side, normal)) is not None:
            return missing
    for term in normal.context.written:
        if (missing := undefined(term, normal, meanings)) is not None:
            return missing
    return cancelled(normal)


def cancelled(normal):
    """What is missing for a hypothesis to have values as it is written, and is gone in how it is
    used; None where nothing is."""
    for f in normal.context.facts:
        found = (undefined(side, normal, normal.context.meanings) for side in f.written)
        if (missing := next(filter(None, found), None)) is not None:
            if undefined(f.left, normal) is None and undefined(f.right, normal) is None:
                return f"In a hypothesis something cancels that has no value. {missing}"
    return None
