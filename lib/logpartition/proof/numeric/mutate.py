"""Small falsehoods made from a true statement: a sign, a factor, an exponent, an index, an end of a
range, a dropped term, another set of values, a dropped hypothesis.

A check that accepts one of them checks nothing, so each link of each chain has to reject its own.
"""

import os
import random
from dataclasses import replace
from functools import partial
from itertools import zip_longest

from sympy import (
    Add,
    Derivative,
    Indexed,
    Integer,
    Integral,
    Limit,
    Mul,
    Pow,
    Product,
    Rational,
    Subs,
    Sum,
    exp,
)  # fmt: skip

from ..kernel.context import ASSUMED
from ..kernel.terms import free, limits, substitute
from ..language import Array, Size, Smooth, Total

SAMPLE = 12
NEGATED = {"≤": "<", "<": "≤"}


def mutants(expression, context):
    """Mutants as pairs (kind, expression): a sample that visits every kind, or all in an audit."""
    ranges = dict(getattr(context, "ranges", context))
    scope = {i: ranges[i] for i in sorted(free(expression), key=str) if i in ranges}
    kinds = {}
    for kind, make in _everywhere(expression, scope, top=True):
        kinds.setdefault(kind, []).append(make)
    generator = random.Random(0)
    for kind in sorted(kinds):
        generator.shuffle(kinds[kind])
    limit = None if os.environ.get("LOGPARTITION_AUDIT") == "full" else SAMPLE
    found = {}
    for makers in zip_longest(*(kinds[kind] for kind in sorted(kinds))):
        for kind, make in zip(sorted(kinds), makers):
            mutant = make() if make and len(found) != limit else expression
            if mutant != expression:
                found.setdefault(mutant, kind)
    return [(kind, mutant) for mutant, kind in found.items()]


def weakened(context, reverse=False):
    """Contexts without one hypothesis, or with one reversed, as triples (kind, fact, context)."""
    for fact in context.facts:
        if fact.source != ASSUMED:
            continue
        others = tuple(f for f in context.facts if f is not fact)
        if not reverse:
            yield "dropped hypothesis", fact, replace(context, facts=others)
        elif fact.relation in NEGATED and not fact.variables:
            turned = replace(fact, relation=NEGATED[fact.relation], left=fact.right,
                             right=fact.left)  # fmt: skip
            yield "reversed hypothesis", fact, replace(context, facts=(*others, turned))


def _everywhere(e, scope, top=False):
    """The mutants of a node and of everything below it, each as (kind, what makes it). `scope` has
    the indices that mean something at the node, with their lengths."""
    yield from _here(e, scope, top)
    if isinstance(e, (Sum, Product, Integral, Derivative, Subs, Limit, Total)):
        if isinstance(e, (Sum, Product)):
            scope = {**scope, **{i: high for i, _, high in limits(e)}}
        for kind, make in _everywhere(e.args[0], scope, top=True):
            yield kind, partial(_rebuilt, e, 0, make)
    elif not isinstance(e, Indexed):
        for place, argument in enumerate(e.args):
            if isinstance(e, Smooth) and place < 2:
                continue
            for kind, make in _everywhere(argument, scope, top=isinstance(e, (Add, exp))):
                yield kind, partial(_rebuilt, e, place, make)


def _rebuilt(e, place, make):
    return e.func(*e.args[:place], make(), *e.args[place + 1 :])


def _here(e, scope, top):
    """The mutants of the node itself."""
    if top:
        yield "sign", lambda: -e
        yield "factor", lambda: 2 * e
    if isinstance(e, Rational):
        yield "constant", lambda: e + 1
    elif isinstance(e, (Add, Mul)):
        for place in range(len(e.args)):
            yield "dropped term", partial(e.func, *e.args[:place], *e.args[place + 1 :])
    elif isinstance(e, Pow):
        yield "exponent", lambda: Pow(e.base, e.exp + 1)
    elif isinstance(e, Smooth):
        yield "order", lambda: Smooth(e.args[0], e.order + 1, e.argument)
    elif isinstance(e, Indexed):
        yield from _indices(e, scope)
    elif isinstance(e, (Sum, Product)):
        (i, low, high), *rest = limits(e)
        yield "range", partial(e.func, e.function, (i, low + 1, high), *rest)
        if high.is_finite is not False:
            yield "range", partial(e.func, e.function, (i, low, high - 1), *rest)
    elif isinstance(e, Integral):
        yield from _ends(e)
    elif isinstance(e, Total):
        yield from _values(e)


def _indices(e, scope):
    for place, i in enumerate(e.indices):
        length = e.base.shape[place]
        others = [r for r in scope if r.is_integer and r != i and scope[r] == length]
        for other in [Integer(1), *others]:
            changed = (*e.indices[:place], other, *e.indices[place + 1 :])
            yield "index", partial(e.base.__getitem__, changed)


def _ends(e):
    """Another domain of integration."""
    (x, low, high), *rest = limits(e)
    ends = [(low + 1, high)] if low.is_finite is not False else [(Integer(0), high)]
    ends += [(low, high + 1)] if high.is_finite is not False else [(low, Integer(1))]
    for changed in ends:
        if changed[0] != changed[1]:
            yield "range", partial(Integral, e.function, (x, *changed), *rest)


def _values(e):
    """Another set of values, or one value less."""
    base, domain = e.base, e.base.domain
    if isinstance(domain, Size):
        yield "values", partial(_over, e, Array(base.label, base.shape, (1,)))
    elif domain == "normal":
        yield "values", partial(_over, e, Array(base.label, base.shape, (-1, 1)))
    else:
        changed = (*domain[:-1], domain[-1] + 1)
        yield "values", partial(_over, e, Array(base.label, base.shape, changed))
        if len(domain) > 1:
            yield "values", partial(_over, e, Array(base.label, base.shape, tuple(domain[:-1])))


def _over(e, other):
    """The total over the values of another array."""

    def entry(*places):
        return other[places]

    entry.mentions = frozenset({other})
    return Total(substitute(e.function, {e.base: entry}), other)
