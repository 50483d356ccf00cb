"""Reasons: the rules that close a link. A reason prints its own words, and refuses a link that
closes without it; free text is a remark, and every rule may be tried for it."""

import re
from dataclasses import dataclass, replace

from sympy import Symbol

from ..errors import IllFormed
from ..kernel.normal import POWERS
from ..kernel.theorem import certified, induct, prove


@dataclass(frozen=True)
class Part:
    """One thing that a reason says: words, and the powers, results or names that they are about."""

    words: str
    powers: frozenset = frozenset()
    results: tuple = ()
    variable: object = None
    names: tuple = ()

    @property
    def said(self):
        """The words in a message, which has no links."""
        return re.sub(r"\[\]\(([\w-]+)\)", r"\1", self.words)


@dataclass(frozen=True)
class Reason:
    """What may be used to close a link; `a + b` uses both."""

    parts: tuple
    remark: str = ""
    automatic: bool = False

    def __add__(self, other):
        other = reason(other)
        ruled = any(p.powers for p in self.parts + other.parts)
        if ruled and (self.automatic or other.automatic):
            raise IllFormed(
                "a text by itself allows all rules, and is added to none: "
                'write it with a rule, as in differentiate("the logarithm")'
            )
        if self.remark and other.remark:
            raise IllFormed(f"two remarks, {self.remark!r} and {other.remark!r}: write one")
        return Reason(self.parts + other.parts, self.remark or other.remark,
                      self.automatic or other.automatic)  # fmt: skip

    def __call__(self, remark):
        """The same with a remark of the author."""
        return replace(self, remark=_worded(remark))

    @property
    def words(self):
        return " and ".join(p.words for p in self.parts)

    @property
    def said(self):
        """The words in a message; a remark is what an author wrote in place of a rule."""
        return (
            self.remark or self.words
            if self.automatic
            else " and ".join(p.said for p in self.parts)
        )

    @property
    def results(self):
        return tuple(r for p in self.parts for r in p.results)

    @property
    def powers(self):
        return POWERS if self.automatic else frozenset().union(*(p.powers for p in self.parts))

    @property
    def variable(self):
        """The variable of an induction, if it is one."""
        return next((p.variable for p in self.parts if p.variable is not None), None)

    def without(self):
        """What claims to do something: each part, or each result of one, with the reason that is
        left."""
        for n, part in enumerate(self.parts):
            rest = replace(self, parts=self.parts[:n] + self.parts[n + 1 :])
            for one in part.results:
                yield _using(one), rest if len(part.results) == 1 else self
            if part.powers or part.variable is not None and not self.automatic:
                yield part, rest

    def prove(self, context, left, relation, right, certificate=None):
        """The theorem, by what the reason allows and nothing else."""
        if (n := self.variable) is not None:
            return induct(context, left, relation, right, n, 1 if n.is_positive else 0, self.powers)
        if certificate is not None:
            return certified(context, left, relation, right, certificate, self.powers)
        return prove(context, left, relation, right, self.powers)


def _rule(words, *powers):
    return Reason((Part(words, frozenset(powers)),))


rearrange = _rule("rearrange")
"""Algebra, and what follows from the hypotheses: a link that needs more is refused."""

differentiate = _rule("differentiate", "derivatives")
"""Derivatives are carried out."""

integrate = _rule("integrate", "integrals")
"""Integrals are carried out."""

take_limit = _rule("take the limit", "limits")
"""Limits are taken."""

sum_series = _rule("sum the series", "series")
"""Infinite series are summed."""

sum_states = _rule("sum over all states", "laws")
"""Sums over all values of an array are carried out."""

average = _rule("average", "laws", "integrals")
"""Expectations are carried out."""


def by(*results):
    """A result, or several: the link follows from them, and does not close without them."""
    if not results:
        raise IllFormed("by: names no result")
    for r in results:
        if not hasattr(r, "record"):
            raise TypeError(f"by: got {type(r).__name__}, needs results")
    return Reason((_using(*results),))


def _using(*results):
    words = ", ".join(f"[]({r.label})" for r in results)
    return Part(f"by {words}", results=results)


def definition(*names):
    """What a name stands for."""
    if not names:
        raise IllFormed("definition: names nothing")
    for n in names:
        if not hasattr(n, "name"):
            raise TypeError(f"definition: got {type(n).__name__}, needs what has a name")
    known = tuple(str(n.name) for n in names)
    shown = ", ".join(f"${name}$" for name in known)
    return Reason((Part(f"definition of {shown}", names=known),))


def induction_on(n):
    """Induction over an integer symbol: the case of its least value, and the step to the next."""
    if not isinstance(n, Symbol):
        raise TypeError(f"induction_on: got {type(n).__name__}, needs a symbol")
    return Reason((Part(f"induction over ${n}$", variable=n),))


def remark(text):
    """Free text: every rule may be tried."""
    return Reason((Part("compute"),), _worded(text), automatic=True)


def _worded(text):
    """Words on one line, with formulas between dollar signs."""
    if not isinstance(text, str):
        raise TypeError(f"a remark: got {text!r}, needs words")
    if "\n" in text.strip():
        raise IllFormed(f"a remark is one line: {text!r}")
    if len(re.findall(r"(?<!\\)\$", text)) % 2:
        raise IllFormed(f"the remark {text!r} has a dollar sign that no other one closes")
    return text


def reason(said):
    """A reason from what an author wrote: a reason, or free text."""
    if isinstance(said, Reason):
        return said
    if isinstance(said, str):
        return remark(said)
    raise IllFormed(
        f"reason: got {type(said).__name__}, needs a rule such as differentiate or text"
    )
