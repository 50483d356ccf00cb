"""Whether what an observation measured was computed: it depends on a call that does more than hold,
convert, add up or average what stands in the code.

What is not known to compute does not. A function of the chapter computes where each value that it
returns does, and a number where a loop over a range makes it of itself, step by step.
"""

import ast
import builtins
import collections
import dataclasses
import fractions
import functools
import itertools
import math
import operator

import numpy

from .programs import CHANGES

HOLD = (builtins, collections, dataclasses, fractions, functools, itertools, math, operator, numpy)
HOLD += (str, list, dict, set, tuple, float, fractions.Fraction, numpy.ndarray)
PLAIN = {name for each in HOLD for name in dir(each)} | set(  # and of PyTorch, SymPy and mpmath
    "as_tensor cat clone cpu detach div double evalf from_numpy mpf mul norm numel numpy reciprocal"
    " rsqrt sub tensor to unsqueeze view Float Integer N Rational S".split()
)
FITS = set(  # what gives back of typed numbers no more than a line through them
    "polyfit linregress curve_fit theilslopes siegelslopes pearsonr spearmanr kendalltau corrcoef"
    " interp1d CubicSpline UnivariateSpline make_interp_spline LinearRegression fit".split()
)
PLAIN |= FITS


def typed_numbers(call, tree):
    """Whether a number that a call takes for measured is typed in the code of the tree; None where
    it takes none.
    """
    given = {word.arg: word.value for word in call.keywords}
    numbers = [given[key] for key in ("measured", "errors") if key in given] + call.args[3:4]
    stars = [one for one in call.args if isinstance(one, ast.Starred)]
    numbers = numbers or stars or [given[None]] * (None in given)
    names, methods = computed(tree)
    each = [one for node in numbers for one in getattr(node, "elts", [node])]
    return not all(computes(node, names, methods) for node in each) if each else None


def computed(tree):
    """The names that the code binds to what it computes, and its methods."""
    nodes = list(ast.walk(tree))
    classes = (node for node in nodes if isinstance(node, ast.ClassDef))
    methods = {part.name for one in classes for part in one.body if hasattr(part, "name")}
    bound = [pair for node in nodes for pair in bindings(node)]
    names, before = {name for node in nodes for name in stepped(node)}, None
    while names != before:
        before = names
        names = before | {name for name, value in bound if computes(value, before, methods)}
    return names, methods


def bindings(node):
    """The names that a piece of code binds, or puts something into, each with the value."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name, node
    elif isinstance(node, ast.ImportFrom):
        yield from ((alias.asname or alias.name, alias) for alias in node.names)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from ((root(part), node.iter) for part in ast.walk(node.target))
    elif isinstance(node, ast.withitem) and node.optional_vars:
        yield root(node.optional_vars), node.context_expr
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) in CHANGES:
        yield from ((root(node.func), value) for value in node.args)
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value:
        for target in getattr(node, "targets", None) or [node.target]:
            yield from pairs(target, node.value)


def pairs(target, value):
    """The names in a target, each with the part of the value that is put there."""
    parts, values = getattr(target, "elts", None), getattr(value, "elts", ())
    if parts is None:
        yield root(target), value
        return
    for part, own in zip(parts, values if len(values) == len(parts) else [value] * len(parts)):
        yield from pairs(part, own)


def root(node):
    """The name `x` of `x[0].y`."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return getattr(node, "id", None)


def stepped(loop):
    """The names that a loop over a range makes of themselves; a sum is no step."""
    if isinstance(loop, ast.For) and getattr(getattr(loop.iter, "func", 0), "id", 0) == "range":
        lines = (node for node in ast.walk(loop) if isinstance(node, (ast.Assign, ast.AugAssign)))
        for name, value in (pair for line in lines for pair in bindings(line)):
            if name in {getattr(part, "id", None) for part in ast.walk(value)}:
                yield name


def computes(node, names, methods):
    """Whether a value depends on a call that computes, or on one of these names, which do."""

    def each(parts):
        return (computes(part, names, methods) for part in parts)

    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.alias):
        return node.name not in PLAIN
    if isinstance(node, ast.FunctionDef):
        kinds = (ast.Return, ast.Yield, ast.YieldFrom)
        returned = [part.value for part in ast.walk(node) if isinstance(part, kinds)]
        return bool(returned) and all(each(filter(None, returned)))
    if isinstance(node, ast.ClassDef):
        return any(each(part for part in ast.walk(node) if isinstance(part, ast.Call)))
    if isinstance(node, ast.IfExp):
        return any(each([node.test])) or all(each([node.body, node.orelse]))
    if isinstance(node, ast.BoolOp):
        return all(each(node.values))
    if isinstance(node, ast.comprehension):
        return any(each(node.ifs))
    if isinstance(node, ast.Attribute) and node.attr == "grad":
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name in names if name in methods else name not in PLAIN:
            return True
    return any(each(ast.iter_child_nodes(node)))
