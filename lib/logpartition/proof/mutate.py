"""Small falsehoods made from a true statement: a sign, a factor, an exponent, an index, a constant, a dropped term.

A check that accepts one of them checks nothing, so each link of each chain has to reject its own.
"""

import os
import random
from functools import partial
from hashlib import sha256
from itertools import zip_longest

from sympy import Add, Derivative, Indexed, Integer, Integral, Mul, Pow, Product, Rational, Subs, Sum, Tuple, exp

from .language import Index, Named, free

SAMPLE = 12


def mutants(expression, ranges, seed):
    """Mutants of an expression as pairs (kind, expression): a sample that visits every kind, or all of them in an audit."""
    scope = {i: ranges[i] for i in sorted(free(expression), key=str) if i in ranges}
    kinds = {}
    for kind, make in _everywhere(expression, scope, top=True):
        kinds.setdefault(kind, []).append(make)
    generator = random.Random(int(sha256(seed.encode()).hexdigest()[:16], 16))
    for makers in kinds.values():
        generator.shuffle(makers)
    found = {}
    limit = None if os.environ.get("LOGPARTITION_AUDIT") == "full" else SAMPLE
    for makers in zip_longest(*(kinds[kind] for kind in sorted(kinds))):
        for kind, make in zip(sorted(kinds), makers):
            mutant = make() if make and len(found) != limit else expression
            if mutant != expression:
                found.setdefault(mutant, kind)
    return [(kind, mutant) for mutant, kind in found.items()]


def _everywhere(e, scope, top=False):
    """The mutants of a node and, node by node, of everything below it, each as (kind, what makes it).

    `scope` has the indices that mean something at the node.
    """
    yield from _here(e, scope, top)
    if isinstance(e, Named):
        yield from _everywhere(e.meaning, scope, top)
    elif isinstance(e, (Sum, Product, Integral, Derivative, Subs)):
        inner_scope = {**scope, **{i: high for i, _, high in e.limits}} if isinstance(e, (Sum, Product)) else scope
        for kind, make in _everywhere(e.args[0], inner_scope, top=True):
            yield kind, partial(_rebuilt, e, 0, make)
    elif not isinstance(e, Indexed):
        for place, argument in enumerate(e.args):
            for kind, make in _everywhere(argument, scope, top=isinstance(e, (Add, exp))):
                yield kind, partial(_rebuilt, e, place, make)


def _rebuilt(e, place, make):
    return e.func(*e.args[:place], make(), *e.args[place + 1:])


def _here(e, scope, top):
    if top:
        yield "sign", lambda: -e
        yield "factor", lambda: 2 * e
    if isinstance(e, Rational):
        yield "constant", lambda: e + 1
    elif isinstance(e, (Add, Mul)):
        for place in range(len(e.args)):
            yield "dropped term", partial(e.func, *e.args[:place], *e.args[place + 1:])
    elif isinstance(e, Pow):
        yield "exponent", lambda: Pow(e.base, e.exp + 1)
    elif isinstance(e, Indexed):
        for place, i in enumerate(e.indices):
            for other in [Integer(1), *(r for r in scope if isinstance(r, Index) and r != i and scope[r] == e.base.shape[place])]:
                yield "index", partial(e.base.__getitem__, (*e.indices[:place], other, *e.indices[place + 1:]))
    elif isinstance(e, (Sum, Product)):
        (i, low, high), *rest = e.limits
        yield "range", partial(e.func, e.function, Tuple(i, low + 1, high), *rest)
