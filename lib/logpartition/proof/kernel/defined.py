"""Definedness: every denominator is known not to vanish, every logarithm to be taken of something
positive, every entry to be in its array, every derivative, integral, series and limit to exist."""

from sympy import (
    Abs,
    Derivative,
    Indexed,
    Integral,
    KroneckerDelta,
    Limit,
    Max,
    Min,
    Pow,
    S,
    Subs,
    Sum,
    Symbol,
    atan,
    besseli,
    binomial,
    cos,
    coth,
    exp,
    factorial,
    gamma,
    log,
    sech,
    sign,
    tan,
    tanh,
)

from ..language import Named, Size, Smooth, Total, unfold
from . import calculus
from .context import Fact, canonical
from .terms import (
    BINDERS,
    bound_by,
    endless,
    free,
    fresh,
    known_of,
    limits,
    mentioned,
    rename,
    says,
    substitute,
    tending,
)

# What the argument of a function has to satisfy. A function that is not listed has values at every
# complex number.
NEEDS = {
    log: [("positive", lambda x: x)],
    gamma: [("positive", lambda x: x)],
    factorial: [("nonnegative", lambda x: x)],
    binomial: [("nonnegative", lambda n, k: k)],
    tan: [("nonzero", cos)],
    coth: [("real", lambda x: x), ("nonzero", lambda x: x)],
    tanh: [("real", lambda x: x)],
    sech: [("real", lambda x: x)],
    atan: [("real", lambda x: x)],
    besseli: [("positive", lambda n, x: x)],
}
KINKED = (Abs, sign, Max, Min, Pow, KroneckerDelta)
SAID = {
    "positive": "is positive",
    "nonnegative": "is at least 0",
    "nonzero": "is not 0",
    "real": "is real",
}


def undefined(e, normal, point=None):
    """What is missing for e to have a value at every point, in words; None where nothing is.

    `point` says what symbols and arrays stand for.
    """
    return Definedness(normal, point).missing(e)


class Definedness:
    """A term is asked for a value as it is written: nothing in it is known of a bound letter but by
    the letter of `letters` that stands for it where a condition is asked, or SymPy would cancel
    |k| − k with what stands beside it.

    `point` holds the values at which an expression under `Subs` is meant; a condition on what is
    `varying` under a derivative has to hold in a neighbourhood, so it has to be strict.
    """

    def __init__(self, normal, point=None, varying=frozenset(), letters=None):
        self.normal, self.point, self.varying = normal, point or {}, frozenset(varying)
        self.letters = letters or {}

    def _inside(self, normal, letter, known, moves=False):
        """Inside a binder, by what is known of a letter of it, which may vary with its ends."""
        varying = self.varying | {letter, known} if moves else self.varying
        return Definedness(normal, self.point, varying, {**self.letters, letter: known})

    def _known(self, e):
        """e with what is known of its bound letters."""
        return substitute(e, self.letters)

    def _there(self, e):
        """e at the point, with what is known of its bound letters."""
        return canonical(substitute(self._known(e), self.point))

    def _varies(self, e):
        """Whether a term depends on what varies, also by what its letters stand for."""
        found, more = set(), set(free(e))
        while more:
            found |= more
            stands = (self.point[v] for v in more if v in self.point)
            more = set().union(*map(mentioned, stands)) - found
        return bool(found & self.varying)

    def missing(self, e):
        if isinstance(e, (Symbol, Size)) or not e.args:
            if e in self.point and self._varies(e):
                return self.missing(self.point[e])
            return f"{e} is no number" if endless(e) else None
        if isinstance(e, Named):
            return self.missing(e.meaning)
        if isinstance(e, Indexed):
            return self._entry(e)
        if isinstance(e, BINDERS):
            return self._binder(e)
        if isinstance(e, Derivative):
            return self._derivative(e)
        for a in e.args:
            if (found := self.missing(a)) is not None:
                return found
        if isinstance(e, KINKED) and self._varies(e) and (found := self._smooth(e)):
            return found
        return self._node(e)

    def holds(self, need, what):
        point = self.point
        if self._varies(what):
            need = "positive" if need == "nonnegative" else need
            if need == "real":  # at real points nearby, whatever is real at this one
                point = {x: value for x, value in point.items() if x not in self.varying}
        what = canonical(unfold(substitute(self._known(unfold(what)), point)))
        test = getattr(self.normal.signs, need)
        return test(what) or test(self.normal.form(what))

    def _nearby(self, e):
        """e at the point; of what varies, at all points."""
        point = {x: value for x, value in self.point.items() if x not in self.varying}
        return canonical(unfold(substitute(self._known(unfold(e)), point)))

    def _formed(self, e, head):
        """What is missing for e to be free of a kind of node in normal form, so that it has a value
        at the point; of what varies, at all points nearby, where the form has to be smooth."""
        form = self.normal.form(self._nearby(e))
        if form.has(head):
            return "form"
        return self.missing(form) if self._varies(form) else None

    def _demand(self, need, what, where):
        if self.holds(need, what):
            return None
        return f"Nothing says that {where} {SAID[need]}; give it as a hypothesis"

    def _node(self, e):
        if isinstance(e, Pow) and not says(self._known(e.exp), "nonnegative"):
            if e.base.is_number and says(e.base, "nonzero") or isinstance(e, exp):
                return None
            inverse = e.exp.could_extract_minus_sign()
            where = f"the denominator {e.base}" if inverse else f"{e.base}, to the power {e.exp},"
            return self._demand("nonzero", e.base, where)
        if isinstance(e, Smooth):
            return self._demand("real", e.argument, f"{e.argument} in {e.name}")
        if isinstance(e, besseli) and e.args[0].is_integer:
            if says(self._known(e.args[0]), "nonnegative"):
                return None  # entire
        if isinstance(e, (Max, Min)):
            missing = (self._demand("real", a, f"{a} in {e}") for a in e.args)
            return next(filter(None, missing), None)
        for need, of in NEEDS.get(type(e), ()):
            if (found := self._demand(need, of(*e.args), f"{of(*e.args)} in {e}")) is not None:
                return found
        return None

    def _entry(self, e):
        for i, length in zip(e.indices, e.base.shape):
            if (found := self.missing(i)) is not None:
                return found
            if isinstance(i, Indexed):
                if i.base.domain != length:
                    return f"Nothing says that {i} in {e} lies between 1 and {length}"
            elif not self.normal.signs.within(self._there(i), S.One, length):
                return f"Nothing says that {i} in {e} lies between 1 and {length}"
        if e.base in self.point and self._varies(e):
            return self.missing(self.point[e.base](*e.indices))
        return None

    def _derivative(self, e):
        """The expression is defined and smooth in a neighbourhood."""
        bases = [v for v, _ in e.variable_count]
        loose = {v.base if isinstance(v, Indexed) else v for v in bases}
        loose |= {self._known(v) for v in loose if v in self.letters}
        near = self.normal.under(bases)
        around = Definedness(near, self.point, self.varying | loose, self.letters)
        for v in bases:
            if isinstance(v, Indexed) and (found := self._entry(v)) is not None:
                return found
        return around.missing(e.expr)

    def _smooth(self, kink):
        """What is missing for a modulus, a root, … of what varies to have derivatives."""
        line = self._on_a_line(kink)
        if line is not None and not self.holds("real", line):
            return f"Nothing says that {line} in {kink}, which is differentiated, is real"
        power = isinstance(kink, Pow) and not self._varies(kink.base)
        if power and self.holds("positive", kink.exp):
            return None  # as 0 to the power x, x > 0, is 0 nearby
        inside = _kink(kink)
        if inside is not None and not self.holds("nonzero", inside):
            return (
                f"Nothing says that {inside}, where {kink} is differentiated, is not 0; "
                "give it as a hypothesis"
            )
        return None

    def _on_a_line(self, e):
        """What must stay real for a modulus, or a root with its branch cut, to have derivatives."""
        if isinstance(e, Abs):
            return e.args[0]
        root = isinstance(e, Pow) and not isinstance(e, exp) and not e.exp.is_integer
        return e.base if root and self._varies(e.base) else None

    # --- binders -----------------------------------------------------------------------

    def _binder(self, e):
        if isinstance(e, Subs):
            return self._subs(e)
        if isinstance(e, Total):
            return self._total(e)
        if isinstance(e, Limit):
            return self._limit(e)
        if isinstance(e, Integral):
            return self._integral(e)
        opened, here, infinite = _apart(e), self, False
        for variable, low, high in reversed(limits(opened)):
            for end in (low, high):
                if not end.is_infinite and (found := here.missing(end)) is not None:
                    return found
            low, high = here._there(low), here._there(high)
            infinite = infinite or bool(high.is_infinite or low.is_infinite)
            if not high.is_infinite and not here.normal.signs.nonnegative(high - low + 1):
                return (
                    f"Nothing says that the range of {variable} in {e}, from {low} to "
                    f"{high}, is not shorter than empty"
                )
            known = fresh(variable, **known_of(low, high, "sum"))
            here = here._inside(here.normal.inside(known, low, high), variable, known)
        found = here.missing(opened.function)
        if found is not None or not infinite:
            return found
        near = self._nearby(e)
        if isinstance(e, Sum) and (not near.has(Sum) or calculus.converges(self.normal, near)):
            return None
        kind = "series" if isinstance(e, Sum) else "infinite product"
        return f"Nothing shows that the {kind} {near} converges"

    def _integral(self, e):
        """The integrand has a value between the ends, which settles a finite interval if it has one
        at the ends as well; else the integral has a closed form."""
        finite = not any(end.is_infinite for _, *ends in limits(e) for end in ends)
        if finite and (closed := self._integrand(e, strict=False)) is None:
            return None
        if finite and (found := self._extent(e)) is not None:
            return found
        if (found := self._integrand(e, strict=True)) is not None:
            return found
        if self._formed(e, Integral) is not None:
            if finite and self._varies(e):
                return closed
            return f"Nothing shows that the integral {e} converges"
        return None

    def _real(self, end, e):
        """What is missing for an end of an integral, or a target, to be a real number."""
        if (found := self.missing(end)) is not None:
            return found
        return None if self.holds("real", end) else f"Nothing says that {end} in {e} is real"

    def _extent(self, e):
        """What is missing for the ends of each range to be apart: of what is strictly between two
        ends that may meet, nothing is known."""
        opened, here = _apart(e), self
        for variable, *ends in reversed(limits(opened)):
            low, high = map(here._there, ends)
            if not here.normal.signs.nonzero(high - low):
                return (
                    f"Nothing says that {low} and {high}, between which {e} is taken, differ; give "
                    "it as a hypothesis"
                )
            here = here._between(variable, *ends, strict=True)
        return None

    def _integrand(self, e, strict):
        """What is missing for the integrand, and the ends of inner ranges, to have a value between
        the ends, or at them too."""
        opened, here = _apart(e), self
        for variable, *ends in reversed(limits(opened)):
            for end in ends:
                if not end.is_infinite and (found := here._real(end, e)) is not None:
                    return found
            here = here._between(variable, *ends, strict)
        return here.missing(opened.function)

    def _between(self, variable, low, high, strict):
        """Inside one range of an integral."""
        moves = self._varies(low) or self._varies(high)
        low, high = self._there(low), self._there(high)
        sure = strict or says(low, "positive") or says(high, "negative")
        known = fresh(variable, **(known_of(low, high, "integral") if sure else {"real": True}))
        inner = self.normal.inside(known, *self.normal.signs.span(low, high), strict)
        return self._inside(inner, variable, known, moves)

    def _limit(self, e):
        """What is in a limit has values on the way, wherever the variable is not at its target."""
        body, variable, target, _ = e.args
        new, known = fresh(variable), fresh(variable, **tending(variable, target))
        inner = self.normal
        if not target.is_infinite:
            if (found := self._real(target, e)) is not None:
                return found
            inner = self.normal.given(Fact((), "≠", known, self._there(target)))
        here = self._inside(inner, new, known)
        found = here.missing(substitute(body, {variable: new}))
        if found is not None:
            return found
        if self._formed(e, Limit) is not None:
            return f"Nothing shows that the limit {e} exists"
        return None

    def _subs(self, e):
        opened = _apart(e)
        point = dict(self.point)
        for variable, value in zip(opened.variables, opened.point):
            if (found := self.missing(value)) is not None:
                return found
            if variable.is_integer and not unfold(self._there(value)).is_integer:
                return f"Nothing says that {value} in {e} is an integer"
            for quality in (
                "positive",
                "nonnegative",
                "negative",
                "nonpositive",
                "nonzero",
                "real",
            ):
                if getattr(variable, f"is_{quality}"):
                    turned = quality in ("negative", "nonpositive")
                    need = {"negative": "positive", "nonpositive": "nonnegative"}.get(
                        quality, quality
                    )
                    if not self.holds(need, -value if turned else value):
                        return f"Nothing says that {value} in {e} is {quality}"
            point[variable] = self._there(value)
        pairs = zip(opened.variables, opened.point)
        moved = {v for v, value in pairs if self._varies(value)}
        inside = Definedness(self.normal, point, self.varying | moved, self.letters)
        return inside.missing(opened.expr)

    def _total(self, e):
        point = {x: value for x, value in self.point.items() if x != e.base}
        inside = Definedness(self.normal, point, self.varying, self.letters)
        if (found := inside.missing(e.function)) is not None:
            return found
        if e.base.domain == "normal" and self._formed(e, Total) is not None:
            return f"Nothing shows that the mean {e} exists"
        return None


def _apart(e):
    """A binder with letters that occur nowhere else, of which no more is known."""
    return rename(e, {v: fresh(v) for v in bound_by(e)})


def _kink(e):
    """What must not vanish for a function with a kink, or a root, to have derivatives."""
    if isinstance(e, Pow):
        whole = e.exp.is_integer or isinstance(e, exp)
        return None if whole else e.base
    if isinstance(e, (Max, Min, KroneckerDelta)):
        first, second, *others = e.args
        return S.Zero if others else first - second
    return e.args[0]
