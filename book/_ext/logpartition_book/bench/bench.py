"""What a reader's page runs: `check` decides a program with the verifier, and says what became of
it.

It is part of the site, not of the book's tools: it needs `logpartition.proof` and no more. A
program has the names of `WORDS` and `BUILTINS`, and may import what is in `OPEN` and `BOOK`. Of the
modules of the verifier it gets terms, functions and public classes, none of their lists and
dictionaries, and it sets no attribute. What is inside a result that it is given, or in a set that a
function gives it, it can change, and so what the next check says; and code that sets out to change
the verifier, or SymPy's settings, can.
"""

import ast
import builtins
import io
import json
import random
import re
from contextlib import redirect_stdout
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import ModuleType

import sympy

from logpartition import proof
from logpartition.proof.chain import Chain
from logpartition.proof.display import RELATIONS, failure
from logpartition.proof.errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from logpartition.proof.kernel.context import FUNCTIONS, elaborate
from logpartition.proof.language import Index, Size
from logpartition.proof.link import Link
from logpartition.proof.numeric.compare import _lasts, compare
from logpartition.proof.numeric.points import MOVABLE, Point, Sampler, allowed
from logpartition.proof.printer import with_letters
from logpartition.proof.record import Record, Result
from logpartition.proof.tensors import Tensor, words

SAID = {
    Refuted: "Refuted.",
    Undecided: "Undecided.",
    Unfalsifiable: "Unfalsifiable: a check that cannot fail.",
    IllFormed: "IllFormed: it has no definite meaning here.",
}
PLACES = ("the program", "what it needs")
SMALL, TRIES = (1, 0, -1, 2), 40  # numbers of a simple counterexample; how many are tried
LONGEST = 4_000  # characters of what is printed, or of an error, that a page shows

# --- what a program may say ---

OPEN = "collections fractions functools itertools math mpmath sympy".split()
BOOK = [f"logpartition.{name}" for name in ("notation", "proof", "proof.printer", "proof.tensors")]
OF_SYMPY = sorted(
    "Derivative Eq Ge Gt I Integral Le Limit Lt Product Rational Subs Sum Symbol oo pi sqrt".split()
    + [function.__name__ for function in FUNCTIONS]
)
OF_BOOK = [name for name in proof.__all__ if not isinstance(getattr(proof, name), type)]
WORDS = {name: getattr(sympy, name) for name in OF_SYMPY}
WORDS |= {name: getattr(proof, name) for name in OF_BOOK}
BUILTINS = {
    name: getattr(builtins, name)
    for name in (
        "abs all any bool complex dict divmod enumerate filter float frozenset int isinstance iter"
        " len list map max min next pow print range repr reversed round set slice sorted str sum"
        " tuple zip ArithmeticError AssertionError Exception KeyError StopIteration TypeError"
        " ValueError ZeroDivisionError"
    ).split()
}


GUARD = "."  # no name that a program can write
BOUNDS = (
    "a program has no class, assigns no attribute, asks for none that begins with an underscore or"
    " is a module that it may not import, and takes of the book terms, functions, Tensor"
    " and the classes that logpartition.proof names, none of its lists and dictionaries."
)


class Forbidden(Exception):
    """A program that reaches for what decides it."""


def offered(name, wanted):
    """Whether a program may import these names of a module, or the module where it names none."""
    if name == "logpartition":
        return set(wanted) == {"notation"}
    return bool(wanted) and name in BOOK or name.partition(".")[0] in OPEN


def imported(name, globals=None, locals=None, wanted=(), level=0):
    """What `import` does in a program."""
    if not offered(name, wanted or ()):
        there = ", ".join([*OPEN, *BOOK])
        raise ModuleNotFoundError(f"{name}: “from … import …” works for {there}")
    module = __import__(name, globals, locals, wanted, level)
    for one in wanted or ():
        found = getattr(module, one, None)
        hidden = one == "*" or one.startswith("_") or found is not None and not is_given(found)
        if name in BOOK and hidden:
            raise Forbidden(f"{name}.{one}")
        kept_apart(found)
    return module


def is_given(found):
    """Whether a program may have something of the book's modules: a term or a function, and no
    list or dictionary that it could change."""
    public = [getattr(proof, name) for name in proof.__all__] + [Tensor]
    if isinstance(found, type):
        return found in public or getattr(sympy, found.__name__, None) is found
    return callable(found) or isinstance(found, sympy.Basic)


def kept_apart(found):
    """What an attribute is, unless it is a module that a program may not import."""
    if isinstance(found, ModuleType) and not offered(found.__name__, ()):
        if found.__name__ not in BOOK:
            raise Forbidden(f"the module {found.__name__}")
    return found


class Guarded(ast.NodeTransformer):
    """Has each attribute that a program asks for pass through `kept_apart`."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        call = ast.Call(ast.Name(GUARD, ast.Load()), [node], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


def _parsed(text, place):
    """The statements of a text that leaves everything but its own names as it is."""
    tree = ast.parse(text, place)
    for node in ast.walk(tree):
        attribute = isinstance(node, ast.Attribute)
        changes = attribute and (node.attr.startswith("_") or not isinstance(node.ctx, ast.Load))
        if changes or isinstance(node, ast.ClassDef):
            said = ast.unparse(node).partition("\n")[0]
            raise Forbidden(f"{said} (line {node.lineno} of {place})")
    return Guarded().visit(tree).body


# --- running it ---

_results = {}  # those of what programs need, by the text that makes them


class Said(io.StringIO):
    """What is printed, as far as a page shows it."""

    def write(self, text):
        room = LONGEST - self.tell()
        super().write(text if len(text) <= room else text[:room])
        return len(text)


def check(setup: str, text: str) -> str:
    """Run `text` after `setup`, and return what became of it as JSON: the results that it shows or
    makes, what it prints, and what went wrong."""
    said = Said()
    answer = {"results": [], "trouble": None}
    try:
        with redirect_stdout(said):
            value = _run(_parsed(text, PLACES[0]), _made(setup), PLACES[0])
            answer["results"] = [shown(value)] if _decided(value) else []
    except BaseException as error:  # exit(), too, ends a program and not the bench
        answer["trouble"] = trouble(error)
    answer["printed"] = said.getvalue() + " …" * (said.tell() == LONGEST)
    return json.dumps(answer)


def _decided(value):
    """Whether a value is a result, and not one that was read from a chapter's notebook."""
    return isinstance(value, Result) and type(value.record) is Record


def _made(setup):
    """The names that a setup makes, anew each time but for its results, which nothing changes and
    which take long."""
    names = {**WORDS, "__name__": "__main__"}
    names["__builtins__"] = {**BUILTINS, "__import__": imported, GUARD: kept_apart}
    done = ""
    for node in _parsed(setup, PLACES[1]):
        done += f"{ast.unparse(node)}\n"
        if done in _results:
            names[node.targets[0].id] = _results[done]
            continue
        value = _run([node], names, PLACES[1])
        if isinstance(value, Result) and isinstance(node, ast.Assign) and len(node.targets) == 1:
            _results[done] = value
    return names


def _run(body, names, place):
    """The value of the last statement, of an expression or of what it is assigned to."""
    if not body:
        return None
    *first, last = body
    exec(compile(ast.Module(first, []), place, "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), place, "eval"), names)
    exec(compile(ast.Module([last], []), place, "exec"), names)
    if not isinstance(last, (ast.Assign, ast.AnnAssign)):
        return None
    target = last.targets[-1] if isinstance(last, ast.Assign) else last.target
    return names.get(target.id) if isinstance(target, ast.Name) else None


# --- what became of it ---


def shown(result) -> dict:
    """A result for the page: formulas in TeX, words in Markdown."""
    record = result.record.json()
    return {
        "title": record["title"],
        "verdict": record["verdict"],
        "statement": record["statement"],
        "text": record["text"],
        "given": record["assumptions"],
        "where": record["where"],
        "erratum": _erratum(record) if record["kind"] == "refutation" else None,
        "start": record.get("start", ""),
        "steps": [
            {
                "relation": RELATIONS[step["relation"]],
                "tex": step["latex"],
                "left": step.get("left", ""),
                "reason": _reason(step["reason"], step["remark"]),
            }
            for step in record["steps"]
        ],
        "evidence": repr(result),
    }


def _erratum(record):
    """What is refuted, the point at which it fails or the results that contradict it, and what is
    true instead: words in Markdown, formulas between two dollars."""
    found, says = record["counterexample"], record["printed"]
    if not found:
        return {"printed": says, "against": record["against"], "correction": record["correction"]}
    shown = {"printed": f"$${says}$$", "fails": failure(found)}
    return {**shown, "correction": record["correction"]}


def trouble(error: BaseException) -> dict:
    """An error in words, with the line of the reader's that it comes from, and the chain as far as
    it goes."""
    at, chain, link = _where(error)
    said = str(error)[:LONGEST]
    if isinstance(error, ProofError):
        said = _simply(link, error, said) if link else said
        broken, said = _broken(chain, link, said) if link else (None, said)
        return {"head": SAID.get(type(error), "Refused."), "said": said, "broken": broken}
    if isinstance(error, Forbidden):
        return {"head": f"Refused: {BOUNDS}", "said": said}
    if isinstance(error, SyntaxError) and error.lineno:
        head = f"Python cannot read line {error.lineno} of {error.filename}."
        return {"head": head, "said": error.msg}
    if isinstance(error, NameError) and error.name:
        said += how_named(error.name)
    return {"head": f"{type(error).__name__}{at}.", "said": said}


def how_named(name: str) -> str:
    """What to write before a name that a program has not made."""
    said = f': write {name} = Symbol("{name}", real=True) before it, if it is a variable'
    return f"{said}, or from sympy import {name}" if hasattr(sympy, name) else said


def _where(error):
    """The last line of the reader's on the way to an error; the terms with the relations and the
    reasons of the chain that was being written, and the link that was being decided."""
    at, chain, link = "", [], None
    trace = error.__traceback__
    while trace:
        code, names = trace.tb_frame.f_code, trace.tb_frame.f_locals
        if code.co_filename in PLACES:
            at = f" in line {trace.tb_lineno} of {code.co_filename}"
        if code is Chain._link.__code__:
            lines = [(line.term, line.relation, line.reason) for line in names["self"].lines]
            last = names["term"], names["relation"], names["why"]
            chain, link = [(names["self"].start, "", ""), *lines, last], None
        if code is Link.decide.__code__:
            link = names["self"]
        trace = trace.tb_next
    return at, chain, link


def _simply(link, error, said):
    """What is said of a false link, with small whole numbers for its counterexample where these
    refute it too: a reader can follow them by hand."""
    found = getattr(error, "counterexample", None)
    plainly = f"This is false: {with_letters(found)}"
    if found is None or plainly not in said:
        return said
    try:
        better = _by_hand(link, found)
    except Exception:  # what was found refutes the link, whatever else is tried
        better = None
    return said.replace(plainly, f"This is false: {with_letters(better)}") if better else said


def _by_hand(link, found):
    """The first simple counterexample that meets the hypotheses, with the same sizes as `found`."""
    context, (left, right) = elaborate([link.left, link.right], link.given, link.ranges)
    stated = tuple(f for f in context.facts if f.source in ("", "hypothesis"))
    sampler = Sampler(replace(context, facts=stated), [left, right])
    if sampler.slow or sampler.matrices or any(a.of is not None for a in context.arrays):
        return None
    slots = list(_slots(found.point))
    if all(_number(found.point, slot) in SMALL for slot in slots):
        return None  # it is simple as it is
    for numbers in _small(len(slots)):
        point = _with(found.point, numbers)
        if point is None or not _meets(sampler, point):
            continue
        other = compare(left, link.relation, right, point)
        seen = getattr(other, "left", None), getattr(other, "right", None)
        if isinstance(other, type(found)) and None not in seen and not other.reason:
            if abs(seen[0] - seen[1]) > max(map(abs, seen)) / 100 and _lasts(other, left, right):
                return other
    return None


def _slots(point):
    """The numbers of a point that may be others: no sizes, no places, no entries of arrays whose
    domain ties them to each other."""
    for name, value in point.items():
        if isinstance(value, dict):
            if name.domain in MOVABLE:
                yield from ((name, at) for at in value)
        elif not isinstance(name, (Size, Index)):
            yield name, None


def _number(point, slot):
    name, at = slot
    return point[name] if at is None else point[name][at]


def _small(count):
    """Small whole numbers for so many slots, the simplest first."""
    if count <= 3:
        yield from product(SMALL, repeat=count)
    else:
        draw = random.Random(count)
        yield from ((x,) * count for x in SMALL)
        yield from (draw.choices(SMALL, k=count) for _ in range(TRIES))


def _with(point, numbers):
    """The point with these numbers in its slots; None where one is not of its symbol's kind."""
    new = Point({name: dict(v) if isinstance(v, dict) else v for name, v in point.items()})
    for (name, at), x in zip(list(_slots(point)), numbers):
        if at is not None:
            new[name][at] = Fraction(x)
        elif allowed(name, x):
            new[name] = x if name.is_integer else Fraction(x)
        else:
            return None
    return new


def _meets(sampler, point):
    """Whether a point is in the domain of a statement."""
    return all(sampler.inside(a, point) for a in sampler.context.arrays) and all(
        sampler.true(fact, point) for fact in sampler.facts + sampler.about_sizes
    )


def _broken(chain, link, said):
    """The steps that were decided, in TeX, and the one that was not; and what is said of that."""
    chain = chain or [(link.left, "", ""), (link.right, link.relation, link.reason)]
    try:
        start, *terms = [words(term) for term, *_ in chain]
        said = said.removeprefix(f"{link}. ")
    except ProofError:  # a name that has no form
        return None, said
    steps = [
        {"relation": RELATIONS[sign], "tex": term, "reason": _reason(why.words, why.remark)}
        for term, (_, sign, why) in zip(terms, chain[1:])
    ]
    return {"start": start, "steps": steps}, said


def _reason(words, remark):
    """As the box has it, with the labels of results for their numbers."""
    rule = "remark" if remark and words == "compute" else re.sub(r"\[\]\(([\w-]+)\)", r"\1", words)
    return ": ".join(filter(None, (rule, remark)))
