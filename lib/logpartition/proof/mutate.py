"""Small falsehoods made from a true statement: a sign, a factor, an exponent, an index, a constant, a dropped term.

A check that accepts one of them checks nothing, so each link of each chain has to reject its own.
"""

import os
import random
from hashlib import sha256

from sympy import Add, Derivative, Indexed, Integer, Integral, Mul, Pow, Product, Rational, Subs, Sum, Tuple, exp

from .language import Index, Named, free

SAMPLE = 12


def mutants(expression, ranges, seed):
    """Mutants of an expression as pairs (kind, expression): a sample that visits every kind, or all of them in an audit."""
    seen, kinds = {expression}, {}
    scope = {i: ranges[i] for i in sorted(free(expression), key=str) if i in ranges}
    for kind, mutant in _everywhere(expression, scope, top=True):
        if mutant not in seen:
            seen.add(mutant)
            kinds.setdefault(kind, []).append(mutant)
    generator = random.Random(int(sha256(seed.encode()).hexdigest()[:16], 16))
    for kind in sorted(kinds):
        generator.shuffle(kinds[kind])
    queue = [(kind, kinds[kind].pop()) for _ in range(max(map(len, kinds.values()), default=0)) for kind in sorted(kinds) if kinds[kind]]
    return queue if os.environ.get("LOGPARTITION_AUDIT") == "full" else queue[:SAMPLE]


def _everywhere(e, scope, top=False):
    """The mutants of a node and, node by node, of everything below it; `scope` has the indices that mean something there."""
    yield from _here(e, scope, top)
    if isinstance(e, Named):
        yield from _everywhere(e.meaning, scope, top)
    elif isinstance(e, (Sum, Product, Integral, Derivative, Subs)):
        inner_scope = {**scope, **{i: high for i, _, high in e.limits}} if isinstance(e, (Sum, Product)) else scope
        for kind, inner in _everywhere(e.args[0], inner_scope, top=True):
            yield kind, e.func(inner, *e.args[1:])
    elif not isinstance(e, Indexed):
        for place, argument in enumerate(e.args):
            for kind, inner in _everywhere(argument, scope, top=isinstance(e, (Add, exp))):
                yield kind, e.func(*e.args[:place], inner, *e.args[place + 1:])


def _here(e, scope, top):
    if top:
        yield "sign", -e
        yield "factor", 2 * e
    if isinstance(e, Rational):
        yield "constant", e + 1
    elif isinstance(e, (Add, Mul)):
        for place in range(len(e.args)):
            yield "dropped term", e.func(*e.args[:place], *e.args[place + 1:])
    elif isinstance(e, Pow):
        yield "exponent", Pow(e.base, e.exp + 1)
    elif isinstance(e, Indexed):
        for place, i in enumerate(e.indices):
            for other in [Integer(1), *(r for r in scope if isinstance(r, Index) and r != i and scope[r] == e.base.shape[place])]:
                yield "index", e.base[(*e.indices[:place], other, *e.indices[place + 1:])]
    elif isinstance(e, (Sum, Product)):
        (i, low, high), *rest = e.limits
        yield "range", e.func(e.function, Tuple(i, low + 1, high), *rest)
