"""What a record holds of how its result is decided: the terms, the hypotheses, the reasons and the
results that are used, as text that `terms` reads. `again` decides it from this.

    {"let": […], "given": […], "start": …, "steps": [{"term": …, "why": […]}], "uses": […]}
"""

import json
from functools import wraps

from .errors import IllFormed
from .record import Result
from .tensors import Tensor, words
from .terms import Writer


class Words(Writer):
    """The text of what an author passes to the verifier. Results are numbers of `uses`."""

    def __init__(self, indices=()):
        super().__init__()
        self.indices, self.uses, self._used = tuple(indices), [], []

    def term(self, x):
        """A term of a chain; one with axes as its entry, and the words that show it."""
        shape = Tensor.of(x).shape
        if not shape:
            return self(Tensor.of(x).entry())
        return f"vector({words(x)!r}, {self(Tensor.of(x).entry(*self.indices))})"

    def given(self, facts):
        return [self.used(f) if isinstance(f, Result) else self(f) for f in facts]

    def why(self, reason):
        return [self._part(p) for p in reason.parts]

    def _part(self, part):
        if part.results:
            return f"by({', '.join(map(self.used, part.results))})"
        if part.names:
            return f"definition({self.each(part.names)})"
        if part.variable is not None:
            return f"induction_on({self(part.variable)})"
        return repr(part.words)

    def used(self, result):
        """The place of a result among those used. An instance is kept as what it is of, and the
        values at which."""
        for n, other in enumerate(self._used):
            if other is result:
                return f"used({n})"
        self._used.append(result)
        self.uses.append(found := {})
        n, values = len(self._used) - 1, []
        while (of := getattr(result, "of", None)) is not None:
            values.insert(0, self(tuple(map(_value, result.values.items()))))
            result = of
        stored = result.record.json()
        found |= {"label": stored["label"], "fingerprint": stored["fingerprint"]}
        if result.statement is not None:
            found |= {"statement": self(result.statement)}
            found |= {"facts": self.given(result.facts)} if result.facts else {}
        found |= {"at": values} if values else {}
        return f"used({n})"

    def data(self, **more):
        """The whole as canonical JSON."""
        said = {key: value for key, value in more.items() if value}
        return json.dumps({"let": self.let, **said, **({"uses": self.uses} if self.uses else {})})


def _value(pair):
    old, new = pair
    return (old, new.probes, new(*new.probes)) if callable(new) else pair


def written(make):
    """A function whose result is the text for a record; empty where a record cannot hold it, of
    which `logpartition check` complains."""

    @wraps(make)
    def text(*args):
        try:
            return make(*args)
        except IllFormed:
            return ""

    return text


@written
def of_chain(chain):
    """What a chain is made of."""
    write = Words(chain.indices)
    return write.data(
        indices=[write(pair) for pair in chain.ranges],
        given=write.given(chain.given),
        start=write.term(chain.start),
        steps=[_step(write, s) for s in chain.lines],
        rests_on=[write.used(r) for r in chain.rests_on],
    )


def _step(write, line):
    why, using, by = line.asked
    said = {
        "relation": line.relation,
        "term": write.term(line.term),
        "why": write.why(why),
        "certificate": "" if line.certificate is None else write(line.certificate),
        "using": write.given(using),
        "by": by or "",
    }
    return {key: value for key, value in said.items() if value}


@written
def of_induction(claim, n, given, advance, reason):
    """What an induction is made of."""
    write = Words()
    middle = "" if advance is None else write(advance(claim.rhs))
    return write.data(claim=write(claim), over=write(n), middle=middle, given=write.given(given),
                      reason=reason)  # fmt: skip


@written
def of_refutation(printed, corrected, by, given):
    """What the refutation of a formula is made of."""
    write = Words()
    return write.data(printed=write(printed), corrected=write.used(corrected),
                      by=write.given(by), given=write.given(given))  # fmt: skip
