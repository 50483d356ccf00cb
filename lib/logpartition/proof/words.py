"""Results in words: somebody's theorem, and a theorem whose parts are results and whose joint is an
argument for people to read."""

import re
from collections.abc import Iterable

from sympy.core.relational import Relational

from .display import MATHS, linked
from .errors import IllFormed
from .kernel.context import ASSUMED, elaborate
from .printer import assumptions
from .record import Finding, Result, citation, in_words, several

PLACE = re.compile(  # a number with digits, or a letter or a Roman number of something numbered
    r"\d|(?i:\b(?:theorem|lemma|proposition|corollary|definition|equation|formula|example|remark"
    r"|section|chapter|part|appendix|table|figure|algorithm)) +(?:[IVXLC]+|[A-Z])\b"
)
ROLE = re.compile(r"\{([\w:.+-]+)\}`(?:[^`<]*<)?([^`>]*)>?`")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|^%[^\n]*$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`]*`")
ELSEWHERE = r"(?!\w+://|mailto:)"
LINKS = [
    re.compile(found)
    for found in (
        rf"\]\(<?{ELSEWHERE}([^)\s>]+)",
        r"\]\[([^\]]+)\]",
        rf"(?m)^ {{0,3}}\[[^\[\]^]+\]: *<?{ELSEWHERE}([^\s>]+)",
        r"<(?:\w+:)?(#[^<>\s]+)>",
        rf"href *= *[\"']?{ELSEWHERE}([^\"'>\s]+)",
    )
]


def cite(label, text, *, source, number, title="", claims=()):
    """Somebody's theorem, as it stands at `number` of `source` (a key of references.bib).

    What follows from it is not cited: it is a `theorem` that rests on this one.
    """
    for name, words in (("text", text), ("source", source), ("number", number)):
        if not isinstance(words, str):
            raise TypeError(f"{label}. {name}: got {words!r}, needs a text")
    if not text.strip():
        raise IllFormed(f"{label}. What does the theorem say?")
    if not re.fullmatch(r"[\w:.+-]+", source):
        raise IllFormed(f"{label}. source: got {source!r}, needs a key of references.bib")
    if not PLACE.search(number):
        raise IllFormed(f"{label}. number: got {number!r}, needs the theorem's number there, such "
                        "as Theorem 2.7, section 3.1 or equation (4)")  # fmt: skip
    return Finding(citation(label, text, source, number, title=title, claims=claims))


def theorem(label, says, *, by, argument, given=(), title="", claims=(), certifies=()):
    """A statement in words under hypotheses in words or relations.

    `by` maps each result that it rests on to what it is used for (or is a list of such pairs); the
    `argument` joins them, and refers to every one of them, as [](#label) or {label}, and to no
    other. The verdict is "argued": the parts have verdicts of their own, the joint is for people to
    read.
    """
    for name, words in (("says", says), ("argument", argument)):
        if not isinstance(words, str) or not words.strip():
            raise IllFormed(f"{label}. {name}: nothing is said")
    parts = _parts(label, by)
    argument, given = linked(argument), several(given)
    referred(label, argument, [(result.label, purpose) for result, purpose in parts])
    return Finding(in_words(
        label, says, argument, parts=parts, assumed=_assumed(label, given), title=title,
        claims=claims, certifies=certifies,
    ))  # fmt: skip


def _parts(label, by):
    pairs = by.items() if hasattr(by, "items") else by
    pairs = list(pairs) if isinstance(pairs, Iterable) else [pairs]
    for pair in pairs:
        pair = pair if isinstance(pair, (tuple, list)) else ()
        if len(pair) != 2 or not isinstance(pair[0], Result):
            raise TypeError("by: needs results of this package, each with what it is used for: "
                            "{result: 'a sentence', …}")  # fmt: skip
        result, purpose = pair
        if not isinstance(purpose, str) or not purpose.strip():
            raise IllFormed(f"{label}. What is {result.label} used for?")
    return pairs


def referred(label, argument, parts):
    """There are parts, pairs of a label and what it is used for, and none twice. The argument
    refers to each; it and what the parts are used for, to nothing else. (What the theorem says may
    refer to where its words are explained.)"""
    if not parts:
        raise IllFormed(f"{label}. A theorem rests on results; name them in by, each with what it "
                        "is used for")  # fmt: skip
    labels, found = [name for name, _ in parts], _targets(argument)
    if twice := [name for name in labels if labels.count(name) > 1]:
        raise IllFormed(f"{label}. {twice[0]} is named twice")
    if missing := [name for name in labels if name not in found]:
        raise IllFormed(f"{label}. The argument does not say where {missing[0]} comes in; refer to "
                        f"it as {{{missing[0]}}}")  # fmt: skip
    said = [("The argument", argument)]
    said += [(f"What {name} is used for", linked(purpose)) for name, purpose in parts]
    for name, words in said:
        if other := sorted(_targets(words) - set(labels)):
            raise IllFormed(f"{label}. {name} refers to {other[0]}, which is none of its parts; "
                            "add it to by, with what it is used for")  # fmt: skip


def _targets(words):
    """What some Markdown refers to, in the book or among its sources."""
    words = COMMENT.sub("", "".join(MATHS.split(words)[::2]))
    found = {target for role, target in ROLE.findall(words) if role != "math"}
    rest = CODE.sub("", ROLE.sub("", words))
    found = found.union(*(link.findall(rest) for link in LINKS))
    return {target.rpartition("#")[2].removeprefix("eq-") for target in found}


def _assumed(label, given):
    """Hypotheses as lines of Markdown: words as they are, relations with the types of what they
    are about."""
    relations = [g for g in given if isinstance(g, Relational)]
    words = [g for g in given if isinstance(g, str) and g.strip()]
    if len(relations) + len(words) != len(given):
        raise TypeError("given: needs relations or words; results go into by")
    if not relations:
        return words
    sides = [side for r in relations for side in (r.lhs, r.rhs)]
    context, _ = elaborate(sides, [(r, ASSUMED) for r in relations])
    return [*assumptions(context), *words]
