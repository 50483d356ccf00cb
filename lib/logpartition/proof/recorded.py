"""What a record holds of how its result is decided: the terms, the hypotheses, the reasons and the
results that are used, as text that `terms` reads. `again` decides it from this.

    {"let": […], "given": […], "start": …, "steps": [{"term": …, "why": […]}], "uses": […]}
"""

import json
from functools import lru_cache

from sympy import Basic, Eq, Symbol

from . import tensors
from .errors import IllFormed
from .kernel.terms import substitute
from .language import Array, Named
from .printer import text as plain
from .record import Result
from .tensors import Tensor, common, words
from .terms import Reader, Writer, of_terms


class Words(Writer):
    """The text of what an author passes to the verifier. Results are numbers of `uses`. Where a
    hypothesis may define something, a scalar in which `at` replaced an array is the call of it."""

    def __init__(self, facts, indices=()):
        super().__init__()
        self.indices, self.uses, self._used = tuple(indices), [], []
        self.calls = any(isinstance(f, Eq) for f in facts)

    def term(self, x):
        """A term of a chain; one with axes as the calls that make it, words and entries."""
        x = Tensor.of(x)
        if not x.shape:
            if words(x) != words(x.entry()):
                raise IllFormed(f"{words(x)} is not how the page writes {plain(x.entry())}: pass "
                                "the number itself, or named(…)")  # fmt: skip
            return self(x.entry())
        entry = x.entry(*self.indices)
        text = self._made(x, entry.atoms(Named))
        made = Tensor.of(Reader(self.let, operations())(text, (Tensor, Array)))
        if (words(made), made.entry(*self.indices)) != (words(x), entry):
            raise IllFormed(f"{words(x)} is not what the calls that make it give")
        return text

    def _made(self, x, met):
        """The call that made a tensor; of an entry by a rule, what was `met` of it."""
        if isinstance(x, Tensor) and x.shape:
            name, parts = x.call or ("", ())
            if name == "tensor":
                *parts, entries = parts
                places = common(x)
                x.entry(*places)
                parts += sorted(((at, e) for at, e in entries.items() if e in met), key=_rank)
                if not any(_general(at) for at, _ in parts[2:]):
                    parts.insert(2, (places, entries[places]))
            elif not name:
                raise IllFormed(f"nothing says how {words(x)} is made")
            elif name == "of":
                return self(*parts)
            return f"{name}({', '.join(self._made(part, met) for part in parts)})"
        return self(x.entry() if isinstance(x, Tensor) else x)

    def _declared(self, e):
        if self.calls and e in tensors.CALLED:
            name, parts = tensors.CALLED[e]
            text = f"{name}({', '.join(self._made(part, ()) for part in parts)})"
            if Reader(self.let, operations())(text) == e:
                return text
        return super()._declared(e)

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
            axes = [self(pair) for pair in result.ranges if pair not in Result.ranges.fget(result)]
            found |= {"ranges": axes} if axes else {}
        found |= {"at": values} if values else {}
        return f"used({n})"

    def data(self, **more):
        """The whole as canonical JSON."""
        said = {key: value for key, value in more.items() if value}
        return json.dumps({"let": self.let, **said, **({"uses": self.uses} if self.uses else {})})


def _operation(name, by_rule):
    """An operation of `tensors`, for terms alone: SymPy would run a text that it is given."""

    def call(*parts):
        named = name == "tensor" and isinstance(next(iter(parts), None), str)
        if not parts or not of_terms(parts[named:], (Basic, Tensor)):
            raise IllFormed(f"{name} is of terms, and not of {parts}")
        try:
            if name == "tensor":
                return by_rule(*parts)
            if name in MAKERS:
                return getattr(tensors, name)(*parts)
            first = Tensor.of(parts[0])
            return first.T if name == "T" else getattr(first, f"__{name}__")(*parts[1:])
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise IllFormed(f"{name} is not made of {parts}: {error!r}") from None

    return call


def _by_rule(name, shape, *entries):
    """A tensor of which some entries are known, and the others follow from the first of them."""
    known = {places: e.meaning for places, e in entries}
    (first, body), *_ = known.items()

    def rule(*places):
        return known[places] if places in known else substitute(body, dict(zip(first, places)))

    return tensors.tensor(name, shape, rule)


SIGNS = ("getitem", "add", "mul", "truediv", "matmul")
MAKERS = ("identity", "diag", "outer", "grad", "at", "total", "mean", "covariance", "trace",
          "norm2")  # fmt: skip


def operations():
    """What a term with axes may call. The same rule twice is one tensor, as it was."""
    by_rule = lru_cache(_by_rule)
    return {name: _operation(name, by_rule) for name in (*SIGNS, *MAKERS, "T", "tensor")}


def _rank(placed):
    """Entries at letters come first, since the others follow from the first; then by name, as the
    order in which they were asked for differs from run to run."""
    places, _ = placed
    return not _general(places), str(places)


def _general(places):
    """Whether an entry at some places says what the others are."""
    return all(isinstance(p, Symbol) for p in places) and len({*places}) == len(places)


def _value(pair):
    old, new = pair
    return (old, new.probes, new(*new.probes)) if callable(new) else pair


def _facts(given):
    """The relations among some hypotheses, and those under which the results among them hold."""
    given = given if isinstance(given, (tuple, list)) else (given,)
    return [f for g in given for f in (g.facts if isinstance(g, Result) else (g,))]


def of_chain(chain):
    """What a chain is made of."""
    write = Words(chain.facts, chain.indices)
    return write.data(
        indices=[write(i) for i in chain.indices],
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


def of_induction(claim, n, given, middle, reason):
    """What an induction is made of."""
    write = Words(_facts(given))
    middle = "" if middle is None else write(middle)
    return write.data(claim=write(claim), over=write(n), middle=middle, given=write.given(given),
                      reason=reason)  # fmt: skip


def of_refutation(printed, corrected, by, given):
    """What the refutation of a formula is made of."""
    write = Words(_facts(given))
    return write.data(printed=write(printed), corrected=write.used(corrected),
                      by=write.given(by), given=write.given(given))  # fmt: skip
