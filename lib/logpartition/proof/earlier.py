"""Results of other chapters, read from the notebooks that hold them."""

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from sympy import Expr, Tuple, sympify
from sympy.core.relational import Relational

from .display import MIME
from .errors import IllFormed, ProofError
from .kernel.context import ASSUMED, RELATIONS, elaborate
from .language import Index
from .record import VERSION, Claim, Result, problems, said_in_words, several

HERE = Path(__file__).resolve()
DEPTH, HALF = 30, re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Stored:
    """A record that a notebook holds, made when that notebook was run; it is read only."""

    text: str

    @property
    def label(self):
        return self.json()["label"]

    @property
    def verdict(self):
        return self.json()["verdict"]

    @property
    def rests(self):
        return tuple((r["label"], r["verdict"]) for r in self.json()["rests"])

    def json(self):
        return json.loads(self.text)


@dataclass(frozen=True, eq=False, repr=False)
class Earlier(Result):
    """A result of another chapter: its statement, and the facts under which it holds."""

    record: Stored
    statement: object = None
    facts: tuple = ()
    seconds: float = 0.0
    axes: tuple = ()  # pairs of a free index and a length, where no array says how far it runs

    @property
    def label(self):
        return self.record.label

    @property
    def ranges(self):
        return tuple(dict.fromkeys((*self.axes, *super().ranges)))


def earlier(label, statement=None, folder=None, *, given=(), ranges=()):
    """A result of another chapter.

    A `statement` that is a relation has to be the one that was established there, under the
    hypotheses `given`; one in words has to be what is said there. With words, or without a
    `statement`, the result can be named, as by a theorem or a correction, and closes no link. Where
    no array says how far an index of the statement runs, `ranges` does, as pairs (index, length).
    The chapters are sought in `folder`, or else in the book that the current directory or this
    package belongs to.
    """
    if not isinstance(label, str):
        raise TypeError(f"label: got {label!r}, needs the label of a result")
    given = several(given)
    ranges = _pairs(label, ranges)
    folders = [Path(folder)] if folder is not None else book_folders()
    labels = []
    for path in [p for where in folders for p in sorted(where.glob("*.ipynb"))]:
        for cell, data in stored(path):
            labels.append(data.get("label"))
            if labels[-1] == label:
                place = f"{path}, cell {cell}"
                return _checked(label, data, statement, given, ranges, place)
    searched = ", ".join(map(str, folders)) or "no folder with notebooks"
    near = get_close_matches(label, [x for x in labels if isinstance(x, str)], 3, 0.5)
    hint = f"; it has {', '.join(dict.fromkeys(near))}" if near else ""
    raise IllFormed(f"{label}: no chapter in {searched} has a result with this label{hint}")


def _pairs(label, ranges):
    """The pairs of an index and a length, of terms."""
    if isinstance(ranges, (list, tuple)):
        pairs = [tuple(p) if isinstance(p, (list, tuple, Tuple)) else () for p in ranges]
        if all([*map(type, p[:1])] == [Index] and isinstance(p[-1], (int, Expr)) for p in pairs):
            if {*map(len, pairs)} <= {2}:
                return tuple((i, sympify(length)) for i, length in pairs)
    raise TypeError(f"{label}: ranges: got {ranges}, needs a list of pairs of an index and a "
                    "length, such as [(j, N)]")  # fmt: skip


def book_folders():
    """Where the chapters may be: here, in a folder `book` here or above, beside this package."""
    here = Path.cwd()
    around = [here, *(parent / "book" for parent in (here, *here.parents, *HERE.parents))]
    return [folder for folder in dict.fromkeys(around) if any(folder.glob("*.ipynb"))]


def stored(path):
    """The records in a notebook, each with the number of its cell, from 1."""
    for number, shown in outputs(path):
        yield number, shown[MIME]


def outputs(path):
    """The outputs in a notebook that have a record, in all their forms, with the numbers of their
    cells."""
    try:
        cells = list(enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProofError(f"{path} is not a notebook: {error!r}") from None
    for number, cell in cells:
        try:
            made = cell.get("outputs", ()) if cell.get("cell_type", "code") == "code" else ()
            found = [o["data"] for o in made if MIME in o.get("data", ())]
        except (AttributeError, KeyError, TypeError) as error:
            raise ProofError(f"{path}, cell {number}: no outputs to read: {error!r}") from None
        for shown in found:
            if not isinstance(shown, dict) or not isinstance(shown[MIME], dict):
                raise ProofError(f"{path}, cell {number}: {str(shown)[:300]} is not a record")
            if not readable(shown):
                raise ProofError(f"{path}, cell {number}: a record has half a character, or more "
                                 f"than {DEPTH} brackets in each other")  # fmt: skip
            yield number, shown


def readable(data):
    """Whether JSON data can be shown: whole characters, and not too many brackets in each other."""
    deep = [data]
    for _ in range(DEPTH):
        inside = [x.values() if isinstance(x, dict) else x for x in deep]
        deep = [x for parts in inside for x in parts if isinstance(x, (dict, list))]
    return not deep and not HALF.search(json.dumps(data, ensure_ascii=False))


def _checked(label, data, statement, given, ranges, place):
    if data.get("version") != VERSION:
        raise ProofError(f"{place}: {label} was stored by another version of the verifier; run "
                         "that chapter again")  # fmt: skip
    if found := problems(data):
        raise ProofError(f"{place}: {label} is not a record: {found[0]}")
    for g in given:
        if not isinstance(g, Relational):
            raise TypeError("given: needs the relations under which the result holds there")
    if given and not isinstance(statement, Relational):
        raise TypeError("given: goes with a relation; what is said in words has its own hypotheses")
    in_words = isinstance(statement, Relational) and data["kind"] != "derivation"
    same = statement is None or data["fingerprint"] == (
        said_in_words(statement, data["assumptions"])
        if isinstance(statement, str)
        else fingerprint_of(statement, given, ranges)
    )
    if in_words or not same:
        under = "; ".join(data["assumptions"]) or "no hypotheses"
        said = data["statement"] or data["text"]
        raise IllFormed(f"{label}: the statement given, {statement}, is not the one that {place} "
                        f"establishes, which is {said}, under {under}")  # fmt: skip
    relation = statement if isinstance(statement, Relational) else None
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    if relation is None:
        return Earlier(Stored(text))
    return Earlier(Stored(text), relation, given, axes=ranges)


def fingerprint_of(statement, given, ranges=()):
    """The fingerprint of a relation under some relations, whose indices run as far as is said."""
    if type(statement) not in RELATIONS:
        raise IllFormed(f"the statement is a relation such as Eq(…), not {statement}")
    sides = (statement.lhs, statement.rhs)
    context, (left, right) = elaborate(sides, [(g, ASSUMED) for g in given], ranges)
    return Claim(context, left, RELATIONS[type(statement)], right).fingerprint
