"""Records: what a result says and what it stands on, as data.

A record is immutable, and nobody passes a verdict in: it follows from the evidence, which for a
derivation is one sealed theorem of the kernel for each step, points at which both sides have been
computed, and the verdicts of the results that it uses. `.json()` is what a notebook stores, in the
form that `SCHEMA` describes.
"""

import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import InitVar, asdict, dataclass, field, replace
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from hashlib import sha256

from mpmath import mp, mpc, mpf
from sympy import Add, Basic, Rational, Sum, Symbol, expand_mul, srepr, sympify

from .display import DOLLAR, MIME, bundle, inline, line, linked, number_tex, whole, words
from .errors import IllFormed, Unfalsifiable
from .kernel.context import ASSUMED, REVERSED, kind
from .kernel.terms import BINDERS, bound_by, free, says, substitute
from .kernel.theorem import Theorem
from .language import Array, Index, Named, Size, Total, unfold
from .numeric.arithmetic import is_fraction
from .numeric.compare import close
from .printer import SIGNS, assumptions, demand_apart, tex
from .printer import text as plain
from .tensors import lengths

VERSION, LONGEST = 2, 40  # of the form of a record; digits of a fraction of a point
LABEL = r"^[\w:.+-]+$"
VERDICTS = {
    "derivation": ("proved", "checked"),
    "theorem": ("argued",),
    "refutation": ("refuted",),
    "observation": ("observed",),
    "citation": ("cited",),
}
ESTABLISHED = ("proved", "argued")
CHAINED = ("=", "≤", "≥", "<", ">")
_SEAL = object()


def demand_label(label):
    """A label is a word, so that it is no source of facts that is none of a result."""
    if not isinstance(label, str) or not re.fullmatch(LABEL, label):
        raise ValueError(f"label: got {label!r}, needs a name: letters, digits, hyphens")


# --- evidence --------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number for the page, and as a number: a pair for a complex one, none where none exists."""

    latex: str
    value: object


@dataclass(frozen=True)
class Numeric:
    """Both sides had values, and the right ones, at `points` of the `of` points tried."""

    points: int = 0
    of: int = 0
    digits: int = 0

    def __post_init__(self):
        if not 0 <= self.points <= self.of:
            raise ValueError(f"points: got {self.points} of {self.of}")

    @property
    def known(self):
        return self.points == self.of > 0


@dataclass(frozen=True)
class Mutants:
    """False variants tried and rejected; `equivalent` ones turned out to say the same. What has no
    value is no variant, and is in neither number."""

    tried: int = 0
    killed: int = 0
    equivalent: int = 0

    def __add__(self, other):
        return Mutants(*(getattr(self, k) + getattr(other, k) for k in asdict(self)))


@dataclass(frozen=True)
class Step:
    """One link of a chain: the relation to the term before it, and what decided it."""

    relation: str
    latex: str
    reason: str
    theorem: object = None
    method: str = ""
    numeric: Numeric = Numeric()
    mutants: Mutants = Mutants()
    remark: str = ""
    certificate: str = ""
    entries: str = ""
    left: str = ""  # where the chain begins anew

    @property
    def sealed(self):
        return isinstance(self.theorem, Theorem)

    @property
    def symbolic(self):
        """What closed the link in symbols, in a word or two; empty where nothing did."""
        return (self.method or "proved") if self.sealed else ""

    @property
    def oracles(self):
        return tuple(sorted(map(str, self.theorem.oracles))) if self.sealed else ()

    def json(self):
        return {
            "latex": self.latex, "relation": self.relation, "reason": self.reason,
            "remark": self.remark, "symbolic": self.symbolic, "numeric": asdict(self.numeric),
            "certificate": self.certificate, "entries": self.entries, "oracles": self.oracles,
            "mutants": asdict(self.mutants), **({"left": self.left} if self.left else {}),
        }  # fmt: skip


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis, and what became of the statement without it: it fails (a witness in words), or
    this is not known. `valued` is false where nothing says without it that both sides have
    values."""

    latex: str
    witness: str | None = None
    valued: bool = True

    def json(self):
        needed = True if self.witness else None
        said = {"latex": self.latex, "needed": needed, "witness": self.witness or None}
        return said if self.valued else said | {"valued": False}


@dataclass(frozen=True)
class Counterexample:
    """A point, as pairs of a name in LaTeX and a number, and what the two sides are there."""

    point: tuple
    left: Number
    right: Number
    why: str = ""

    def json(self):
        point = [{"name": name, **asdict(value)} for name, value in self.point]
        return {"point": point, "left": asdict(self.left), "right": asdict(self.right),
                "why": self.why}  # fmt: skip


@dataclass(frozen=True)
class Measurement:
    """A measured number beside the predicted one, the deviation allowed, and what it could have
    been: `scale` is the size of a value if the claim were false."""

    form: str  # "value", "rate" or "bound"
    relation: str  # "=", "≤" or "≥"
    measured: float
    predicted: float
    tolerance: float
    allowance: str  # "4 standard errors", "stated", "roundings" or "bound"
    standard_error: float | None = None
    scale: float | None = None
    runs: int | None = None
    sizes: tuple = ()
    errors: tuple = ()

    def json(self):
        data = asdict(self)
        top = {k: data.pop(k) for k in ("measured", "predicted", "tolerance")}
        return {**top, "measurement": data}


@dataclass(frozen=True)
class Use:
    """A result that another one rests on, with its verdict, and what it is used for."""

    label: str
    verdict: str
    purpose: str = ""
    below: tuple = ()

    @classmethod
    def of(cls, result, purpose=""):
        if not isinstance(result, Result):
            raise TypeError(f"got {type(result).__name__}, needs a result of this package")
        record = result.record
        if record.verdict == "refuted":
            raise IllFormed(f"{result.label} is refuted, so nothing rests on it")
        return cls(result.label, record.verdict, purpose, tuple(record.rests))

    @property
    def rests(self):
        """This one if it is not proved, and those below it that are not, as (label, verdict)."""
        own = () if self.verdict == "proved" else ((self.label, self.verdict),)
        return (*own, *self.below)


def several(x):
    """One thing, or those of a list."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def listed(name, words):
    """The texts of a list."""
    if not isinstance(words, (list, tuple)) or not all(isinstance(w, str) for w in words):
        raise TypeError(f"{name}: got {words!r}, needs a list of texts")
    return tuple(words)


@dataclass(frozen=True)
class Claim:
    """A statement in the core language: `left relation right` in a context."""

    context: object
    left: Basic
    relation: str
    right: Basic

    @property
    def hypotheses(self):
        """The facts that an author states."""
        return [f for f in self.context.facts if f.source == ASSUMED]

    @property
    def fingerprint(self):
        """The same for the same statement under all the same hypotheses, whatever names its parts
        have."""
        left, relation, right = self.left, self.relation, self.right
        if relation in REVERSED:
            left, relation, right = right, REVERSED[relation], left
        facts, made = self.hypotheses, self.context.defined.values()
        sides = [left, right, *(side for f in facts for side in (f.left, f.right))]
        about = free(left) | free(right) | set().union(*(f.free for f in facts))
        running = about.union(*(f.variables for f in facts))
        about |= set().union(*(free(d.meaning) - {*d.places} | {d.target} for d in made))
        about |= {x.base for e in (*sides, *(d.meaning for d in made)) for x in e.atoms(Total)}
        about |= {n for v in running if self._ranges(v) for n in free(self.context.length(v))}
        return digest({
            "statement": [srepr(left), relation, srepr(right)],
            "context": [self._type(v) for v in sorted(about, key=str)],
            "hypotheses": sorted(_quantified(f, self.context) for f in facts),
            **({"definitions": sorted(map(_said, made))} if made else {}),
        })  # fmt: skip

    def _ranges(self, v):
        return isinstance(v, Index) and self.context.length(v) is not None

    def _type(self, v):
        if isinstance(v, Array):
            return [str(v), "array", list(map(srepr, v.shape)), str(v.domain), str(v.of)]
        if isinstance(v, Size):
            return [str(v), "size"]
        if isinstance(v, Index):
            return [str(v), "index", srepr(sympify(self.context.length(v) or 0))]
        return [str(v), kind(v)]

    def sizes_left(self, met):
        """For which sizes the statement is made: what its hypotheses leave of all sizes, which were
        `met` at points of some."""
        about = [
            f for f in self.hypotheses
            if not f.variables and f.free and all(isinstance(v, Size) for v in f.free)
        ]  # fmt: skip
        if not self.context.sizes:
            return ""
        rest = [f for f in self.hypotheses if f not in about]
        others, tried = any(map(_about_sizes, rest)), dict(met)
        few = any(not _small(n, about) <= {*tried.get(str(n), ())} for n in self.context.sizes)
        left = others or rest and few
        if about and not left:
            return ", ".join(map(_in_words, about))
        return "all sizes that the hypotheses allow" if left else "all sizes"


HOLDS = {"=": "zero", "≤": "nonnegative", "<": "positive", "≠": "nonzero"}


def _small(size, facts):
    """Which of 1, 2 and 3 a size may be under those of some facts that are about no other."""
    mine = [(f.right - f.left, HOLDS[f.relation]) for f in facts if f.free == {size}]
    return {v for v in (1, 2, 3) if all(says(e.subs(size, v), sign) for e, sign in mine)}


def _about_sizes(fact):
    """Whether a size stands in a hypothesis as a number: not as a length, or the end of a sum of
    terms with the index in them."""

    def found(e):
        inside = e.args[:1] if isinstance(e, BINDERS) else e.args
        if isinstance(e, Sum):
            terms = Add.make_args(expand_mul(e.function))
            inside = e.args if any(not {*bound_by(e)} <= free(x) for x in terms) else inside
        return isinstance(e, Size) or not isinstance(e, Array) and any(map(found, inside))

    return found(fact.left) or found(fact.right)


def _in_words(fact):
    """2 ≤ N as N ≥ 2."""
    left, relation, right = fact.left, fact.relation, fact.right
    if left.is_number:
        left, right = right, left
        relation = {"≤": "≥", "<": ">"}.get(relation, relation)
    return f"{plain(left)} {relation} {plain(right)}"


def _quantified(fact, context):
    """A fact with its quantified variables numbered, as canonical text, and how far those run of
    which no array in it says so."""
    said = set().union(*(lengths(side) for side in (fact.left, fact.right)))
    runs = {n: srepr(sympify(context.length(v))) for n, v in enumerate(fact.variables)
            if isinstance(v, Index) and v not in said}  # fmt: skip
    return json.dumps([len(fact.variables), fact.relation,
                       *_numbered(fact.variables, fact.left, fact.right),
                       *([runs] if runs else [])])  # fmt: skip


def _said(definition):
    """A definition with its places numbered, as canonical text."""
    return json.dumps([str(definition.target), *_numbered(definition.places, definition.meaning)])


def _numbered(variables, *sides):
    table = {v: type(v)(f"_{n}", **v._assumptions_orig) for n, v in enumerate(variables)}
    return [srepr(substitute(side, table)) for side in sides]


def digest(data):
    """SHA-256 of the canonical JSON of some data."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


# --- the record ------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """What a result says and what it stands on. Only the functions of this module make one."""

    seal: InitVar[object]
    label: str
    kind: str
    title: str = ""
    statement: str = ""
    text: str = ""
    assumptions: tuple = ()
    hypotheses: tuple = ()
    where: tuple = ()
    start: str = ""
    steps: tuple = ()
    theorem: object = None
    whole: Numeric = Numeric()
    sizes: tuple = ()  # of pairs (name, numbers tried)
    sizes_left: str = ""
    used: tuple = ()
    claims: tuple = ()
    certifies: tuple = ()
    fingerprint: str = ""
    argument: str = ""
    source: str = ""
    number: str = ""
    printed: str = ""
    location: str = ""
    misprint: bool = False
    counterexample: Counterexample | None = None
    corrected: str = ""
    correction: str = ""
    against: tuple = ()
    measurement: Measurement | None = None
    own_mutants: Mutants = field(default=Mutants())
    terms: str = ""  # what it is decided from, as JSON

    def __post_init__(self, seal):
        if seal is not _SEAL:
            raise TypeError("A record is made from evidence, by derive, theorem, refute, observe "
                            "or cite")  # fmt: skip
        demand_label(self.label)
        for name in ("title", "location", "number"):
            if not isinstance(got := getattr(self, name), str):
                raise TypeError(f"{self.label}. {name}: got {got!r}, needs a text")
        said = [x for s in self.steps for x in (s.reason, s.remark)]
        said += [self.title, self.location, self.number, *(u.purpose for u in self.used)]
        for text in (*said, *self.assumptions):
            if len(text.splitlines()) > 1:  # a line of its own looks like another part of the box
                raise IllFormed(f"{self.label}. “{' '.join(text.split())}” has several lines: "
                                "write one")  # fmt: skip
            if len(DOLLAR.findall(text)) % 2:
                raise IllFormed(f"{self.label}. “{text}” has a dollar sign that no other one "
                                "closes: write \\$ for one that is no maths")  # fmt: skip
            if not inline(text):
                raise IllFormed(f"{self.label}. “{text}” has a formula of its own lines: put it "
                                "into the text around the result")  # fmt: skip
            if not whole(text):
                raise IllFormed(f"{self.label}. “{text}” has maths with a lone brace or %: close "
                                "the one, and write \\% for the other")  # fmt: skip
        if "`" in self.title or "**" in self.title:  # the headline's own marks would end before it
            raise IllFormed(f"{self.label}. A title has neither ` nor **: {self.title}")
        if self.label in self.uses:
            raise IllFormed(f"{self.label}. A result cannot rest on itself")

    @property
    def verdict(self):
        if self.kind == "derivation":
            return "proved" if self._proved else "checked"
        return VERDICTS[self.kind][0]

    @property
    def _proved(self):
        sealed = isinstance(self.theorem, Theorem) or all(s.sealed for s in self.steps)
        known = self.whole.known and all(s.numeric.known for s in self.steps)
        return sealed and known and all(u.verdict in ESTABLISHED for u in self.used)

    @property
    def scope(self):
        """The sizes for which the result holds; empty where there are no sizes."""
        if self.kind != "derivation" or not self.sizes_left:
            return ""
        return self.sizes_left if self.verdict == "proved" else _tried(self.sizes)

    @property
    def uses(self):
        return tuple(dict.fromkeys(u.label for u in self.used))

    @property
    def rests(self):
        """What it rests on, near or far, that is not proved, as pairs (label, verdict)."""
        return tuple(dict.fromkeys(pair for u in self.used for pair in u.rests))

    @property
    def oracles(self):
        sealed = (self.theorem, *(s.theorem for s in self.steps))
        found = (t.oracles for t in sealed if isinstance(t, Theorem))
        return tuple(sorted({str(oracle) for oracles in found for oracle in oracles}))

    @property
    def mutants(self):
        return sum((s.mutants for s in self.steps), self.own_mutants)

    def json(self):
        """The record as JSON data, with every key that its kind has."""
        return _plain({
            "version": VERSION, "label": self.label, "title": self.title, "kind": self.kind,
            "verdict": self.verdict, "statement": self.statement, "text": self.text,
            "scope": self.scope, "sizes": dict(self.sizes), "assumptions": self.assumptions,
            "hypotheses": [h.json() for h in self.hypotheses], "where": self.where,
            "steps": [s.json() for s in self.steps], "mutants": asdict(self.mutants),
            "uses": self.uses, "rests": [dict(zip(("label", "verdict"), r)) for r in self.rests],
            "oracles": self.oracles, "claims": self.claims, "certifies": self.certifies,
            "fingerprint": self.fingerprint, **self._own(),
            **({"terms": json.loads(self.terms)} if self.terms else {}),
        })  # fmt: skip

    def _own(self):
        """The keys that only this kind of result has."""
        if self.kind == "derivation":
            return {"start": self.start, "whole": asdict(self.whole)}
        if self.kind == "theorem":
            parts = [{"label": u.label, "purpose": u.purpose} for u in self.used]
            return {"argument": self.argument, "parts": parts}
        if self.kind == "refutation":
            found = self.counterexample and self.counterexample.json()
            return {"printed": self.printed, "location": self.location, "misprint": self.misprint,
                    "counterexample": found, "corrected": self.corrected,
                    "correction": self.correction, "against": self.against}  # fmt: skip
        if self.kind == "observation":
            return self.measurement.json()
        return {"source": self.source, "number": self.number}


def _tried(sizes):
    said = (f"{name} = {', '.join(map(str, numbers))}" for name, numbers in sizes if numbers)
    return "; ".join(said)


def _plain(x):
    """JSON data: lists for tuples, and whole numbers without a point, as other programs write."""
    if isinstance(x, Mapping):
        return {str(k): _plain(v) for k, v in x.items()}
    if isinstance(x, (tuple, list)):
        return [_plain(v) for v in x]
    if isinstance(x, float):
        if not math.isfinite(x):
            raise ValueError(f"{x} is not a number that JSON can hold")
        return int(x) if x.is_integer() and abs(x) < 1e15 else x
    return x


# --- results ---------------------------------------------------------------------------


class Result:
    """Something with a label, a statement (a relation, or none), facts (the relations under which
    it holds), a record and the seconds that it took. Chains and findings are results."""

    @property
    def ranges(self):
        """How far the indices run that are free in the statement or in a fact, as pairs of an index
        and a length: so far the result is meant, whatever a use of it says."""
        relations = () if self.statement is None else (self.statement, *self.facts)
        return tuple(dict.fromkeys(
            (i, n) for r in relations for side in r.args
            for i, ends in sorted(lengths(side).items(), key=str) for n in sorted(ends, key=str)
        ))  # fmt: skip

    def _repr_mimebundle_(self, include=None, exclude=None):
        seconds = _plain(round(float(self.seconds), 1))
        return bundle(self.record.json()), {MIME: {"seconds": seconds}}

    def __repr__(self):
        return line(self.record.json())


@dataclass(frozen=True, eq=False, repr=False)
class Finding(Result):
    """A result that is finished when it is made: all but chains."""

    record: object
    statement: object = None
    facts: tuple = ()
    seconds: float = 0.0

    @property
    def label(self):
        return self.record.label


# --- making records --------------------------------------------------------------------


def number(x, digits=10):
    """A number from SymPy, mpmath or Python, for the page and as a number; none is `undefined`."""
    if x is None:
        return Number(r"\text{undefined}", None)
    if isinstance(x, Basic) and free(x):  # what a function is
        return Number(tex(x), None)
    if isinstance(x, Basic) and x.is_Rational:
        too_large = abs(x) > sys.float_info.max
        shown = tex(x).replace("- ", "-")
        return Number(shown, int(x) if x.is_Integer else None if too_large else float(x))
    if isinstance(x, (int, Fraction)):
        with mp.workdps(160):
            x = mpf(x.numerator) / x.denominator
    z = complex(x)
    real, imaginary = (x.real, x.imag) if hasattr(x, "imag") else (x, 0)
    if not (math.isfinite(z.real) and math.isfinite(z.imag)):
        far = mp.isfinite(x) and not imaginary
        return Number(_shown(real, max(11, digits)) if far else rf"\text{{{x}}}", None)
    if z.imag == 0:
        return Number(_shown(real, digits), z.real)
    sign = "-" if z.imag < 0 else "+"
    imaginary = _shown(imaginary, digits).removeprefix("-")
    shown = rf"{_shown(real, digits)} {sign} {imaginary} \, \mathrm{{i}}"
    return Number(shown, (z.real, z.imag))


def _shown(x, digits):
    """A real number: a fraction where it is a simple one, or else so many digits, and more where
    these would be a whole number."""
    v = float(x)
    if digits > 10 or x and abs(v) < sys.float_info.min:
        return number_tex(re.sub(r"\.0(?=e|$)", "", mp.nstr(mp.mpmathify(x), digits)))
    simple = Fraction(v).limit_denominator(12)
    if abs(v) <= 10**9 and float(simple) == v and is_fraction(x, simple):
        sign = "-" if simple < 0 else ""
        over = rf"\frac{{{abs(simple.numerator)}}}{{{simple.denominator}}}"
        return str(simple) if simple.denominator == 1 else sign + over
    texts = (f"{v:.{n}g}" for n in range(10, 18))
    return number_tex(next(t for t in texts if v.is_integer() or not re.fullmatch(r"-?\d+", t)))


def _coordinate(x):
    """A number of a point: a fraction as it is, and of another number ten digits, with dots where
    it has more."""
    if isinstance(x, Basic) or isinstance(x, mpc) and x.imag:
        return number(x)
    if isinstance(x, (int, Fraction)) and len(str(x)) <= LONGEST:
        return number(Rational(x.numerator, x.denominator))
    exact = isinstance(x, (int, Fraction))
    if exact:
        top, below = Decimal(x.numerator), Decimal(x.denominator)
    else:
        top, below = Decimal(mp.nstr(mp.re(x), 50, strip_zeros=False)), Decimal(1)
    near = Context(prec=10).divide(top, below)
    short = Fraction(str(near))
    if short == x if exact else is_fraction(mp.re(x), short):
        return Number(_plain_digits(near.normalize()), number(x).value)
    cut = Context(prec=10, rounding=ROUND_DOWN).divide(top, below)
    return Number(_plain_digits(cut, r"\ldots"), number(x).value)


def _plain_digits(x, more=""):
    digits, *power = f"{x:g}".split("e")
    return number_tex("e".join((digits + more, *power)))


def counterexample(point, left, right, why=""):
    """A counterexample from a mapping of symbols or entries to numbers, and two numbers, with as
    many digits as tell these apart."""
    pairs = tuple((_tex(name), _coordinate(value)) for name, value in dict(point).items())
    sides = number(left), number(right)
    if close(left, right):
        told = ([number(x, n) for x in (left, right)] for n in range(12, 160, 4))
        sides = next((pair for pair in told if pair[0].latex != pair[1].latex), sides)
    return Counterexample(pairs, *sides, why)


def step(relation, term, reason, *, theorem=None, method="", numeric=Numeric(), mutants=Mutants(),
         remark="", certificate=None, entries=None, left=None):  # fmt: skip
    """A step from SymPy's objects (or from LaTeX, where the term has a form of its own); the reason
    and the remark are Markdown. A chain begins anew where there is a `left`."""
    said, remark, method = linked(reason), linked(remark), words(method)
    shown = [_tex(x) for x in (term, certificate, entries, left)]
    return Step(relation, shown[0], said, theorem, method, numeric, mutants, remark, *shown[1:])


def from_chain(label, claim, *, start, steps, whole, theorem=None, used=(), hypotheses=(), sizes=(),
               mutants=Mutants(), shown="", expressions=(), indices=(), text="", title="",
               claims=(), certifies=(), terms=""):  # fmt: skip
    """The record of a derivation: of the claim (in core terms), from `start` through `steps`.

    The verdict is "proved" if each step carries a theorem of the kernel (or `theorem` is the claim
    itself, as an induction gives it), both sides have a value at every point of each step and of
    the `whole` statement, and every used result is itself established. `indices` are those of the
    entries of vectors, which the chain is shown without.
    """
    steps, uses = tuple(steps), tuple(map(Use.of, several(used)))
    if not steps:
        raise IllFormed(f"{label}. A chain without a link states nothing")
    for n, s in enumerate(steps, 1):
        if not (s.sealed or s.numeric.points):
            raise IllFormed(f"{label}, step {n} ({s.reason}). Nothing decides it")
        if s.mutants.killed < s.mutants.tried:
            raise Unfalsifiable(f"{label}, step {n} ({s.reason}). It accepts a false variant")
    if theorem is None:
        _joined(label, claim, steps)
    elif not _says(theorem, claim):
        raise IllFormed(f"{label}. The theorem does not state what the record says")
    for t in [s.theorem for s in steps if s.sealed] if theorem is None else [theorem]:
        _declared(label, t, claim, uses)
    begin = _tex(start)
    return Record(
        _SEAL, label, "derivation", title=title, text=text, start=begin, steps=steps,
        statement=_tex(shown) or f"{begin} {SIGNS[claim.relation]} {steps[-1].latex}",
        assumptions=_assumed(claim.context, expressions, indices), hypotheses=tuple(hypotheses),
        where=tuple(abbreviations(expressions)), theorem=theorem, whole=whole, sizes=_pairs(sizes),
        sizes_left=claim.sizes_left(_pairs(sizes)), own_mutants=mutants, used=uses,
        claims=listed("claims", claims), certifies=listed("certifies", certifies),
        fingerprint=claim.fingerprint, terms=terms,
    )  # fmt: skip


def _says(theorem, claim):
    """The theorem states the claim."""
    said = claim.left, claim.relation, claim.right
    made = isinstance(theorem, Theorem)
    return made and (theorem.left, theorem.relation, theorem.right) == said


def _joined(label, claim, steps):
    """The theorems of the steps lead from the left side of the claim to its right side."""
    at = claim.left
    for n, s in enumerate(steps, 1):
        if s.left:
            raise IllFormed(f"{label}. A chain that begins anew needs a theorem for the whole")
        left, right = _ends(s)
        if None not in (left, at) and left != at:
            raise IllFormed(f"{label}, step {n} ({s.reason}). Its theorem is about something else")
        at = right
    if at is not None and at != claim.right:
        raise IllFormed(f"{label}. The last step does not end at the right side of the claim")
    if strongest(label, {s.relation for s in steps}) != claim.relation:
        raise IllFormed(f"{label}. The steps do not give {claim.relation}")


def _ends(s):
    """The left and right side of a step in core terms; unknown where no theorem says them."""
    if not s.sealed:
        return None, None
    left, relation, right = s.theorem.left, s.theorem.relation, s.theorem.right
    if relation == s.relation:
        return left, right
    if REVERSED.get(s.relation) == relation:
        return right, left
    raise IllFormed(f"The theorem of the step ({s.reason}) says {relation}, not {s.relation}")


def strongest(label, relations):
    """The relation that links of some relations give together."""
    order = set(relations) - {"="}
    if order & {"≤", "<"} and order & {"≥", ">"}:
        raise IllFormed(f"{label}. A chain goes up or down, not both")
    return next((r for r in ("<", ">", "≤", "≥") if r in order), "=")


def _declared(label, theorem, claim, uses, inductive=False):
    """A theorem holds under the hypotheses of the claim and the statements of used results; a step
    of an induction, which has a theorem of the whole, under the claim for n as well."""
    stated = {f for f in claim.context.facts if f.source == ASSUMED}
    sources = {"", *(u.label for u in uses)}
    for f in theorem.context.facts:
        if inductive and f.source.startswith("the claim for "):
            continue
        if f.source not in sources and f not in stated:
            raise IllFormed(f"{label}. A step uses {f.left} {f.relation} {f.right}, "
                            "which the record does not declare")  # fmt: skip


def refutation(label, printed, *, corrected, location, found=None, by=(), claim=None, sizes=(),
               given=(), expressions=(), misprint=False, text="", title="", claims=(),
               terms=""):  # fmt: skip
    """The record of a statement that is false as printed: a formula at a point (`found`), or words,
    which the results `by` contradict."""
    verbal, by = isinstance(printed, str), tuple(by)
    if verbal and not by:
        raise IllFormed(f"{label}. Words are refuted by results; name them with by=[…]")
    if not verbal and not isinstance(found, Counterexample):
        raise IllFormed(f"{label}. A formula is refuted by a point at which it is false")
    if not location:
        raise IllFormed(f"{label}. Where is it printed? Say location=…")
    if not isinstance(text, str):
        raise TypeError(f"{label}. text: got {text!r}, needs words")
    uses = tuple(map(Use.of, dict.fromkeys((corrected, *by, *given))))
    record = corrected.record.json()
    return Record(
        _SEAL, label, "refutation", title=title, text=text, printed=_tex(printed),
        location=location, counterexample=found, corrected=corrected.label, misprint=misprint,
        correction=correction(record),
        assumptions=_assumed(claim.context, expressions) if claim else (), sizes=_pairs(sizes),
        where=tuple(abbreviations(expressions)), used=uses, claims=listed("claims", claims),
        against=tuple(dict.fromkeys(r.label for r in by)), terms=terms,
    )  # fmt: skip


def correction(record):
    """What stands in the place of a statement that is false: a formula, or words."""
    return f"$${record['statement']}$$" if record["statement"] else record["text"]


def observation(label, text, measurement, mutants, *, used=(), title="", claims=(), certifies=()):
    """The record of a measurement that agrees with what was predicted."""
    if not isinstance(text, str):
        raise TypeError(f"{label}. text: got {text!r}, needs words")
    return Record(
        _SEAL, label, "observation", text=text, title=title, measurement=measurement,
        own_mutants=mutants, used=tuple(map(Use.of, several(used))),
        claims=listed("claims", claims), certifies=listed("certifies", certifies),
    )  # fmt: skip


def citation(label, text, source, number, *, title="", claims=()):
    """The record of somebody's theorem."""
    return Record(_SEAL, label, "citation", text=text, source=source, number=number, title=title,
                  claims=listed("claims", claims), fingerprint=said_in_words(text))  # fmt: skip


def in_words(label, says, argument, *, parts, assumed=(), title="", claims=(), certifies=()):
    """The record of a theorem in words; `parts` are pairs of a result and what it is used for."""
    return Record(
        _SEAL, label, "theorem", text=says, argument=argument, assumptions=tuple(assumed),
        used=tuple(Use.of(result, purpose) for result, purpose in parts), title=title,
        claims=listed("claims", claims), certifies=listed("certifies", certifies),
        fingerprint=said_in_words(says, assumed),
    )  # fmt: skip


def said_in_words(text, assumed=()):
    """The fingerprint of what is said in words, under hypotheses as the page has them."""
    return digest({"words": text, **({"assumptions": list(assumed)} if assumed else {})})


def _assumed(context, expressions, indices=()):
    """What the context knows, of letters too that cancel in it and stand on the page; and of
    indices of entries those that names on it have."""
    names = set().union(*(sympify(e).atoms(Named) for e in expressions))
    hidden = set(indices).difference(*(free(unfold(n)) for n in names))
    seen = tuple(i for i in context.free_indices if i not in hidden)
    context = replace(context, free_indices=seen)
    shown = set().union(*(free(sympify(e)) for e in expressions))
    shown -= {d.target for d in context.definitions}
    kinds = {
        "sizes": lambda v: isinstance(v, Size),
        "symbols": lambda v: type(v) is Symbol,
        "arrays": lambda v: isinstance(v, Array),
    }
    for name, belongs in kinds.items():
        every = {*getattr(context, name), *filter(belongs, shown)}
        by_name = sorted(every, key=lambda v: (getattr(v, "of", None) is not None, str(v)))
        context = replace(context, **{name: tuple(by_name)})
    return tuple(assumptions(context))


def abbreviations(expressions):
    """What the names on the page stand for, a line of Markdown each, after those that it uses."""
    demand_apart(expressions)
    meanings = {}

    def visit(e):
        for n in sorted(sympify(e).atoms(Named), key=lambda n: n.name):
            if n.name not in meanings:
                visit(n.meaning)
                meanings[n.name] = f"${n.name} = {tex(n.meaning)}$"

    for e in expressions:
        visit(e)
    return list(meanings.values())


def _tex(x):
    if x is None:
        return ""
    return x if isinstance(x, str) else tex(sympify(x))


def _pairs(sizes):
    tried = {str(name): {int(n) for n in numbers} for name, numbers in dict(sizes).items()}
    return tuple((name, tuple(sorted(tried[name]))) for name in sorted(tried))


# --- the schema ------------------------------------------------------------------------


def _object(required, **optional):
    """An object with these keys and no others."""
    return {"type": "object", "properties": required | optional, "required": list(required),
            "additionalProperties": False}  # fmt: skip


def _list(items):
    return {"type": "array", "items": items}


_TEXT, _NAME = {"type": "string"}, {"type": "string", "minLength": 1}
_TEXTS, _COUNT = _list(_TEXT), {"type": "integer", "minimum": 0}
_FINITE = {"minimum": -sys.float_info.max, "maximum": sys.float_info.max}
_REAL, _REAL_OR_NOT = ({"type": t, **_FINITE} for t in ("number", ["number", "null"]))
_VERDICT = {"enum": [v for verdicts in VERDICTS.values() for v in verdicts]}
_NUMERIC = _object({"points": _COUNT, "of": _COUNT, "digits": _COUNT})
_MUTANTS = _object({"tried": _COUNT, "killed": _COUNT, "equivalent": _COUNT})
_NUMBER = {"latex": _NAME, "value": {"type": ["number", "array", "null"], "items": _REAL}}
_STEP = _object(
    {
        "latex": _NAME, "relation": {"enum": list(CHAINED)}, "reason": _TEXT, "remark": _TEXT,
        "symbolic": _TEXT, "numeric": _NUMERIC, "certificate": _TEXT, "entries": _TEXT,
        "oracles": _TEXTS, "mutants": _MUTANTS,
    },
    left=_NAME,
)  # fmt: skip
_HYPOTHESIS = _object(
    {
        "latex": _NAME, "needed": {"enum": [True, None]},
        "witness": {"type": ["string", "null"]},
    },
    valued={"const": False},
)  # fmt: skip
_POINT = _object({
    "point": _list(_object({"name": _NAME, **_NUMBER})), "left": _object(_NUMBER),
    "right": _object(_NUMBER), "why": _TEXT,
})  # fmt: skip
_MEASUREMENT = _object({
    "form": {"enum": ["value", "rate", "bound"]}, "relation": {"enum": ["=", "≤", "≥"]},
    "allowance": {"enum": ["4 standard errors", "stated", "roundings", "bound"]},
    "standard_error": _REAL_OR_NOT, "scale": _REAL_OR_NOT, "runs": {"type": ["integer", "null"]},
    "sizes": _list(_REAL), "errors": _list(_REAL),
})  # fmt: skip
_COMMON = {
    "version": {"const": VERSION}, "label": {"type": "string", "pattern": LABEL},
    "title": _TEXT, "kind": {"enum": list(VERDICTS)}, "verdict": _VERDICT, "statement": _TEXT,
    "text": _TEXT, "scope": _TEXT,
    "sizes": {"type": "object", "additionalProperties": _list(_COUNT)}, "assumptions": _TEXTS,
    "hypotheses": _list(_HYPOTHESIS), "where": _TEXTS, "steps": _list(_STEP), "mutants": _MUTANTS,
    "uses": _TEXTS, "rests": _list(_object({"label": _NAME, "verdict": _VERDICT})),
    "oracles": _TEXTS, "claims": _TEXTS, "certifies": _TEXTS, "fingerprint": _TEXT,
}  # fmt: skip
_OWN = {
    "derivation": {"start": _NAME, "whole": _NUMERIC},
    "theorem": {
        "argument": _NAME, "parts": _list(_object({"label": _NAME, "purpose": _NAME})),
    },
    "refutation": {
        "printed": _NAME, "location": _NAME, "misprint": {"type": "boolean"},
        "counterexample": {"anyOf": [{"type": "null"}, _POINT]}, "corrected": _NAME,
        "correction": _TEXT, "against": _TEXTS,
    },
    "observation": {
        "measured": _REAL, "predicted": _REAL, "tolerance": _REAL, "measurement": _MEASUREMENT,
    },
    "citation": {"source": _NAME, "number": _NAME},
}  # fmt: skip
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A result of the book Attention Is a Gradient",
    "oneOf": [
        _object(
            _COMMON | {"kind": {"const": one}, "verdict": {"enum": list(v)}} | _OWN[one],
            **({"terms": {"type": "object"}} if one in ("derivation", "refutation") else {}),
        )
        for one, v in VERDICTS.items()
    ],
}

_TYPES = {
    "object": lambda x: isinstance(x, Mapping),
    "array": lambda x: isinstance(x, (list, tuple)),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
    "number": lambda x: isinstance(x, (int, float)) and not isinstance(x, bool),
    "null": lambda x: x is None,
}


def problems(data, schema=None, where="record"):
    """What keeps JSON data from being a record, in words: jsonschema's judgement, without it."""
    if schema is None:
        named = isinstance(data, Mapping) and isinstance(data.get("kind"), str)
        if not named or data["kind"] not in VERDICTS:
            return [f"{where}: no kind among {', '.join(VERDICTS)}"]
        schema = SCHEMA["oneOf"][list(VERDICTS).index(data["kind"])]
    if "anyOf" in schema:
        tried = [problems(data, one, where) for one in schema["anyOf"]]
        return [] if [] in tried else tried[-1]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[t](data) for t in types):
        return [f"{where}: {data!r} is not {' or '.join(types)}"]
    allowed = [schema["const"]] if "const" in schema else schema.get("enum", [data])
    if not any(type(a) is type(data) and a == data for a in allowed):
        return [f"{where}: {data!r} is none of {allowed}"]
    if "pattern" in schema and not re.fullmatch(schema["pattern"], data):
        return [f"{where}: {data!r} is no name"]
    if len(data if isinstance(data, str) else "x") < schema.get("minLength", 0):
        return [f"{where}: empty"]
    least, most = schema.get("minimum", data), schema.get("maximum", data)
    if _TYPES["number"](data) and not least <= data <= most:
        return [f"{where}: {data} is too small, too large, or no number"]
    return _inside(data, schema, where)


def _inside(data, schema, where):
    found = []
    if isinstance(data, (list, tuple)) and "items" in schema:
        for n, item in enumerate(data):
            found += problems(item, schema["items"], f"{where}[{n}]")
    if isinstance(data, Mapping) and "additionalProperties" in schema:
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        found += [f"{where}: no {key}" for key in schema.get("required", ()) if key not in data]
        for key in data:
            if key in known or others:
                found += problems(data[key], known.get(key, others), f"{where}.{key}")
            else:
                found.append(f"{where}: {key} is not a key of it")
    return found
