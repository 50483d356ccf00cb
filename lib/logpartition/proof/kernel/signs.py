"""What sign a term has on the domain: manifestly, by a hypothesis, or by an axiom about a function.

Never by looking at numbers. SymPy's assumptions are asked about terms without binders only.
"""

from functools import lru_cache
from itertools import product

from sympy import (
    Abs,
    Add,
    Derivative,
    Indexed,
    Integer,
    Integral,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Pow,
    Product,
    S,
    Subs,
    Sum,
    Symbol,
    besseli,
    cos,
    cosh,
    erf,
    exp,
    expand_mul,
    factor,
    log,
    sin,
    tanh,
)

from ..language import Index, Smooth, Total
from .terms import (
    BINDERS,
    RANGED,
    bound_by,
    free,
    fresh,
    known_of,
    limits,
    moderate,
    rename,
    says,
    substitute,
)


@lru_cache(50_000)
def plain(e):
    """Whether no binder, function symbol or derivative occurs in e, so that SymPy knows it all."""
    return not isinstance(e, (*BINDERS, Smooth, Derivative)) and all(map(plain, e.args))


RESTS = 600  # that are tried for one question


class Signs:
    """Signs in a context. `known` are pairs (what is ≥ 0, whether > 0, its quantified indices), and
    `nonzeros` pairs (what is not 0, its quantified indices), each as stated and in normal form."""

    def __init__(self, context, known=(), nonzeros=()):
        self.context, self.known, self.nonzeros = context, tuple(known), tuple(nonzeros)
        self.memo, self.asked, self.circles, self.rests = {}, set(), set(), 0
        self.linear = [
            f - 1 if strict and f.is_integer else f
            for f, strict, variables in self.known
            if not variables and plain(f) and all(x.is_integer for x in free(f))
        ]

    def inside(self, variable, low, high, strict=False):
        """Signs inside a binder, where low ≤ variable ≤ high."""
        context = self.context.open(variable, low, high, strict)
        new = context.order[len(self.context.order) :]
        return Signs(context, (*self.known, *new), self.nonzeros)

    # --- the four questions ------------------------------------------------------------

    def positive(self, e):
        """e > 0."""
        return self._ask("positive", e)

    def nonnegative(self, e):
        """e ≥ 0."""
        return self._ask("nonnegative", e)

    def nonzero(self, e):
        """e ≠ 0."""
        return self._ask("nonzero", e)

    def real(self, e):
        """e is a real number."""
        return self._ask("real", e)

    def _ask(self, question, e):
        key = question, e
        if key in self.memo:
            return self.memo[key]
        if key in self.asked:  # a question that leads back to itself is not answered by it
            self.circles.add(key)
            return False
        if e.has(S.NaN, S.ComplexInfinity):  # no number
            return False
        self.rests = self.rests if self.asked else 0
        self.asked.add(key)
        answer = bool(getattr(self, f"_{question}")(e))
        self.asked.discard(key)
        self.circles.discard(key)
        if answer or not self.circles:
            self.memo[key] = answer
        return answer

    def _positive(self, e):
        if says(e, "positive"):
            return True
        if isinstance(e, exp):
            return self.real(e.args[0])
        if isinstance(e, cosh):
            return self.real(e.args[0])
        if isinstance(e, Mul):
            return all(map(self.positive, e.args)) or self._multiple(e, True)
        if isinstance(e, Pow):
            return self._power_positive(e) or self._multiple(e, True)
        if isinstance(e, Abs):
            return self.nonzero(e.args[0])
        if isinstance(e, besseli):
            return all(map(self.positive, e.args)) or e.args[0] == 0 and self.real(e.args[1])
        if isinstance(e, Max):
            return any(map(self.positive, e.args)) and all(map(self.real, e.args))
        if isinstance(e, Min):
            return all(map(self.positive, e.args))
        if isinstance(e, (*RANGED, Total)):
            return self._ranged(e, strict=True) or self._multiple(e, True)
        if isinstance(e, Add):
            return (
                all(map(self.nonnegative, e.args))
                and any(map(self.positive, e.args))
                or self._multiple(e, True)
                or self._remainder(e, True)
                or self._factors(e)
                or self._monotone(e, True)
                or self._either_way(e, True)
            )
        return self._multiple(e, True) or isinstance(e, Symbol) and self._remainder(e, True)

    def _power_positive(self, e):
        if self.positive(e.base):
            return self.real(e.exp)
        return e.exp.is_even and self.real(e.base) and self.nonzero(e.base)

    def _nonnegative(self, e):
        if says(e, "nonnegative"):
            return True
        if not isinstance(e, (Add, Mul, *RANGED, Total)) and self.positive(e):
            return True
        if isinstance(e, KroneckerDelta):
            return True
        if isinstance(e, Mul):
            rest = Mul(*(a for a in e.args if not self.nonnegative(a)))
            return (
                rest == 1
                or self._square(rest)
                or self._log_below_1(rest)
                or self._sum_of_multiples(rest)
                or self._multiple(e, False)
            )
        if isinstance(e, Pow):
            if e.exp.is_even and self.real(e.base):
                return self.nonnegative(e.exp) or self.nonzero(e.base)
            return self.nonnegative(e.base) and self.nonnegative(e.exp) or self._multiple(e, False)
        if isinstance(e, Abs):
            return True
        if isinstance(e, Max):
            return any(map(self.nonnegative, e.args)) and all(map(self.real, e.args))
        if isinstance(e, Min):
            return all(map(self.nonnegative, e.args))
        if isinstance(e, (*RANGED, Total)):
            return self._ranged(e, False) or self._quadratic(e) or self._multiple(e, False)
        if isinstance(e, Add):
            return (
                all(map(self.nonnegative, e.args))
                or self._multiple(e, False)
                or self._remainder(e, False)
                or self._factors(e, strict=False)
                or self._monotone(e, False)
                or self._either_way(e, False)
            )
        return self._multiple(e, False) or isinstance(e, Symbol) and self._remainder(e, False)

    def _sum_of_multiples(self, e):
        """c Σ f ≥ 0 for a number c with c f ≥ 0."""
        c, inner = e.as_coeff_Mul()
        return (
            isinstance(inner, Sum)
            and c != 1
            and self.nonnegative(Sum(expand_mul(c * inner.function), *inner.limits))
        )

    def _log_below_1(self, e):
        """−c log(a) ≥ 0 for c ≥ 0 and 0 < a ≤ 1."""
        split = _one_function(e, (log,))
        if split is None or not self.positive(a := split[1]):
            return False
        return self.nonnegative(expand_mul(-split[0])) and self.nonnegative(expand_mul(1 - a))

    def _nonzero(self, e):
        if says(e, "nonzero") or isinstance(e, exp):
            return True
        if isinstance(e, Mul):
            return all(map(self.nonzero, e.args))
        if isinstance(e, Pow):
            return self.nonzero(e.base)
        if self.positive(e) or self.positive(expand_mul(-e)):
            return True
        for fact, variables in self.nonzeros:
            for candidate in self._instances(fact, variables, e):
                ratio = self._ratio(e, candidate)
                if ratio is not None and says(ratio, "nonzero"):
                    return True
        factored = factor(e) if isinstance(e, Add) and plain(e) and moderate(e) else e
        return factored != e and isinstance(factored, (Mul, Pow)) and self.nonzero(factored)

    def _real(self, e):
        if plain(e) and e.is_real:
            return True
        if isinstance(e, (Add, Mul)):
            return all(map(self.real, e.args))
        if isinstance(e, log):
            return self.positive(e.args[0])
        if isinstance(e, Pow):
            whole = self.real(e.base) and e.exp.is_integer
            return whole or self.nonnegative(e.base) and self.real(e.exp)
        if isinstance(e, RANGED):
            ends = [x for _, *ends in limits(e) for x in ends if not x.is_infinite]
            inner, body = self.opened(e)
            return all(map(self.real, ends)) and inner.real(body)
        if isinstance(e, Total):
            return self.real(e.function)
        if isinstance(e, Subs):
            return all(map(self.real, e.point)) and self.real(rename_apart(e).expr)
        if isinstance(e, Derivative):
            return self.real(e.expr) and all(self.real(v) for v, _ in e.variable_count)
        if isinstance(e, Smooth):
            return self.real(e.argument)
        whole_line = (exp, cosh, cos, sin, tanh, erf, Abs, Max, Min, KroneckerDelta)
        return isinstance(e, whole_line) and all(map(self.real, e.args))

    # --- binders -----------------------------------------------------------------------

    def opened(self, e):
        """The signs inside a sum, product or integral, and its body, with fresh variables."""
        integral, e, inner = isinstance(e, Integral), rename_apart(e), self
        for variable, low, high in reversed(limits(e)):
            inner = inner.inside(variable, *(inner.span(low, high) if integral else (low, high)))
        return inner, e.function

    def span(self, low, high):
        """Between which ends the variable of an integral lies: the limits in order, where their
        order is known, and the whole line where it is not."""
        if low.is_infinite or high.is_infinite or self.nonnegative(high - low):
            return low, high
        if self.nonnegative(low - high):
            return high, low
        return -S.Infinity, S.Infinity

    def _ranged(self, e, strict):
        if isinstance(e, Total):
            return (self.positive if strict else self.nonnegative)(e.function)
        inner, body = self.opened(e)
        if isinstance(e, Product):
            return inner.positive(body) if strict else inner.nonnegative(body)
        if not strict and isinstance(e, Sum):
            return inner.nonnegative(body)
        for _, low, high in limits(e):  # neither empty nor turned round
            extent = self.positive if strict and isinstance(e, Integral) else self.nonnegative
            if not (high.is_infinite or low.is_infinite or extent(high - low)):
                return False
        return inner.positive(body) if strict else inner.nonnegative(body)

    def _quadratic(self, e):
        """Sum_ab A[a, b] f(a) f(b) ≥ 0 for a positive definite A, or the inverse of one."""
        if not isinstance(e, Sum):
            return False
        e = rename_apart(e)
        ranges = {variable: ends for variable, *ends in limits(e)}
        for A in Mul.make_args(e.function):
            if not isinstance(A, Indexed) or not _is_definite(A.base) or len(set(A.indices)) != 2:
                continue
            a, b = A.indices
            if any({a, b} & (free(low) | free(high)) for low, high in ranges.values()):
                continue
            if a in ranges and b in ranges and ranges[a] == ranges[b] == [1, A.base.shape[0]]:
                rest = [f for f in Mul.make_args(e.function) if f != A]
                left = Mul(*(f for f in rest if a in free(f)))
                right = Mul(*(f for f in rest if b in free(f) and a not in free(f)))
                other = Mul(*(f for f in rest if not free(f) & {a, b}))
                if b not in free(left) and substitute(left, {a: b}) == right:
                    return self.real(left) and self.nonnegative(other)
        return False

    # --- hypotheses and axioms ---------------------------------------------------------

    def _multiple(self, e, strict):
        """Whether e is a positive multiple of what a hypothesis says is ≥ 0 (> 0)."""
        for fact, is_strict, variables in self.known:
            if strict and not is_strict:
                continue
            for candidate in self._instances(fact, variables, e):
                if e == candidate:
                    return True
                ratio = self._ratio(e, candidate)
                if ratio is not None and says(ratio, "positive"):
                    return True
        return False

    @staticmethod
    def _ratio(e, candidate):
        """e over a candidate, where both are polynomials that share a variable."""
        if candidate == 0 or not free(e) & free(candidate):
            return None
        first = _leading(candidate)
        ratio = _coefficient(e, first) / _coefficient(candidate, first)
        if ratio != 0 and expand_mul(e - ratio * candidate) == 0:
            return ratio
        return None

    def _remainder(self, e, strict):
        """e = c·known + rest, with c ≥ 0, where the rest has fewer terms and the sign as well.
        Facts can be taken away in any order, so that of a question only so many rests are tried."""
        e = expand_mul(e)
        size = len(Add.make_args(e))
        for fact, is_strict in self._candidates(e):
            for term in Add.make_args(fact):
                if term.is_number:
                    continue
                ratio = _coefficient(e, _monomial(term)) / _coefficient(fact, _monomial(term))
                if ratio == 0 or not self.positive(ratio):
                    continue
                self.rests += 1
                if self.rests > RESTS:
                    return False
                rest = expand_mul(e - ratio * fact)
                if rest == 0:
                    if is_strict or not strict:
                        return True
                elif (
                    rest.is_number
                    or len(Add.make_args(rest)) < size
                    or (isinstance(e, Symbol) and e not in free(rest))
                ):
                    if (self.positive if strict and not is_strict else self.nonnegative)(rest):
                        return True
        return False

    def _monotone(self, e, strict):
        """c (F(a) − F(b)) for an increasing F and a ≥ b, and c log(a) + b where a ≥ exp(−b/c)."""
        sign = self.positive if strict else self.nonnegative
        logs = [t for t in Add.make_args(e) if any(isinstance(f, log) for f in Mul.make_args(t))]
        if len(logs) == 1 and (split := _one_function(logs[0], (log,))):
            c, a = split[:2]
            if (
                says(c, "positive")
                and self.positive(a)
                and self.real(rest := expand_mul(e - logs[0]))
            ):
                return sign(expand_mul(a - exp(expand_mul(-rest / c))))
        if len(e.args) != 2:
            return False
        for up, down in (e.args, e.args[::-1]):
            first, second = _one_function(up, INCREASING), _one_function(-down, INCREASING)
            if first and second and first[0] == second[0] and first[2:] == second[2:]:
                (c, a, kind), (_, b, _) = first, second
                inside = {log: self.positive, S.Half: self.nonnegative}.get(kind, self.real)
                if self.nonnegative(c) and (not strict or self.positive(c)):
                    return self.real(a) and inside(b) and sign(expand_mul(a - b))
        return False

    def _either_way(self, e, strict):
        """What holds with x and with −x in the place of |x| holds for |x|."""
        moduli = sorted((x for x in e.atoms(Abs) if self.real(x.args[0])), key=str)
        for x in moduli:
            if says(_coefficient(e, x), "negative"):
                sign = self.positive if strict else self.nonnegative
                ways = (expand_mul(e.xreplace({x: s * x.args[0]})) for s in (1, -1))
                return all(sign(way) for way in ways)
        return False

    def _candidates(self, e):
        """What is known to be ≥ 0 and might be part of e: hypotheses, and axioms about the
        functions that occur in e."""
        for fact, strict, variables in self.known:
            for candidate in self._instances(fact, variables, e):
                yield expand_mul(candidate), strict
        for x in sorted(e.atoms(exp, log, cos, sin, tanh, erf, Abs, Max, Min, Sum), key=str):
            argument = x.args[0]
            if not self.real(argument):
                continue
            if isinstance(x, exp):
                yield x - 1 - argument, False
            elif isinstance(x, log) and self.positive(argument):
                yield expand_mul(argument - 1 - x), False
            elif isinstance(x, (cos, sin)):
                yield from [(1 - x, False), (1 + x, False)]
            elif isinstance(x, (tanh, erf)):
                yield from [(1 - x, True), (1 + x, True)]
            elif isinstance(x, Abs):
                yield from [(x - argument, False), (x + argument, False)]
            elif isinstance(x, (Max, Min)) and all(map(self.real, x.args)):
                sign = 1 if isinstance(x, Max) else -1
                yield from [(sign * (x - a), False) for a in x.args]
            elif isinstance(x, Sum):
                yield from self._terms_of_sum(x, e)
        for x in sorted(e.atoms(Indexed), key=str):
            if x.base.domain == "simplex":
                yield 1 - x, False

    def _terms_of_sum(self, x, e):
        """A term is at most the sum of nonnegative terms that it belongs to."""
        inner, body = self.opened(x)
        if len(x.limits) != 1 or not inner.nonnegative(body):
            return
        opened = rename_apart(x)
        ((variable, low, high),) = limits(opened)
        for place in sorted(_places(e), key=str):
            if variable not in free(place) and self.within(place, low, high):
                yield x - substitute(opened.function, {variable: place}), False

    def _instances(self, fact, variables, e):
        """A hypothesis at the indices that occur in e, each in the range that it is meant for; and
        as it stands, for some index, where no range is empty."""
        indices = [v for v in variables if isinstance(v, Index)]
        lengths = [self.context.length(v) for v in indices]
        bare = [fact] if all(self.within(S.One, S.One, length) for length in lengths) else []
        if not indices or not (free(fact) - set(indices)) & free(e) and not plain(fact):
            return bare
        choices = []
        for length in lengths:
            choices.append(
                [p for p in sorted(_places(e), key=str) if self.within(p, S.One, length)]
            )
        return bare + [substitute(fact, dict(zip(indices, chosen))) for chosen in product(*choices)]

    def within(self, place, low, high):
        """low ≤ place ≤ high, for an integer place."""
        if isinstance(place, Index) and low == 1 and self.context.length(place) == high:
            return True
        if not place.is_integer:
            return False
        key = place, low, high
        if key not in self.memo:
            ends = (place - low, high - place)
            self.memo[key] = all(end.has(S.Infinity) or self._at_least_0(end, 3) for end in ends)
        return self.memo[key]

    def _at_least_0(self, e, depth):
        """e ≥ 0, for what is linear in sizes and indices: by SymPy, or by adding known facts."""
        if says(e, "nonnegative"):
            return True
        if depth == 0 or e.is_number:
            return False
        return any(
            self._at_least_0(e - fact, depth - 1) for fact in self.linear if _shares_a_term(e, fact)
        )

    def _factors(self, e, strict=True):
        """Whether a polynomial is a product of known signs, such as 1 − t² for |t| < 1."""
        if not plain(e) or len(e.args) > 12 or not moderate(e):
            return False
        factored = factor(e)
        if isinstance(factored, Pow) or factored == e:
            return isinstance(factored, Pow) and self.nonnegative(factored) and not strict
        if not isinstance(factored, Mul):
            return False
        signed, sign = self.positive if strict else self.nonnegative, 1
        for f in factored.args:
            if signed(f):
                continue
            if not signed(expand_mul(-f)):
                return False
            sign = -sign
        return sign > 0

    def _square(self, e):
        """Whether a product is a square: every factor a real number to an even power."""
        pairs = [f.as_base_exp() for f in Mul.make_args(e)]
        return all(power.is_even and self.real(base) for base, power in pairs)


def rename_apart(e):
    """A binder with variables that occur nowhere else, of which their limits say what is known."""
    if isinstance(e, Subs):
        return rename(e, {v: fresh(v) for v in bound_by(e)})
    kind = "integral" if isinstance(e, Integral) else "sum"
    table = {}
    for variable, low, high in limits(e):
        table[variable] = fresh(variable, **known_of(low, high, kind))
    return rename(e, table)


def _is_definite(array):
    of = array.of if getattr(array, "of", None) is not None else array
    return getattr(of, "domain", "") == "definite"


def _places(e):
    """The indices at which arrays are read in e, and the free integers."""
    found = {i for x in e.atoms(Indexed) for i in x.indices}
    found |= {s for s in free(e) if isinstance(s, Symbol) and s.is_integer}
    return {i for i in found if free(i) <= free(e) or not free(i)} | {Integer(1)}


INCREASING = (exp, log, tanh, erf, Pow)


def _one_function(term, kinds):
    """(c, a, …) for a term c F(a), with what tells F apart."""
    bodies = [f for f in Mul.make_args(term) if isinstance(f, kinds)]
    if len(bodies) != 1:
        return None
    (f,) = bodies
    c = Mul(*(g for g in Mul.make_args(term) if g is not f))
    if isinstance(f, Pow) and not isinstance(f, exp):
        return (c, f.base, f.exp) if f.exp == S.Half else None
    return c, f.args[0], type(f)


def _shares_a_term(e, fact):
    """Whether a fact has a term that occurs in e with the same sign."""
    mine = {_monomial(t): t.as_coeff_Mul()[0] for t in Add.make_args(e)}
    for t in Add.make_args(fact):
        if not t.is_number and mine.get(_monomial(t), 0) * t.as_coeff_Mul()[0] > 0:
            return True
    return False


def _monomial(term):
    return term.as_coeff_Mul()[1]


def _leading(e):
    return _monomial(sorted(Add.make_args(e), key=lambda t: (t.is_number, str(t)))[0])


def _coefficient(e, monomial):
    """The number that multiplies a monomial in a sum of terms; what else does, where none does."""
    ratios = [term / monomial for term in Add.make_args(e)]
    numbers = [r for r in ratios if r.is_number]
    if numbers:
        return Add(*numbers)
    pairs = zip(ratios, Add.make_args(e))
    if not free(monomial):  # a constant, such as f(0), is a factor where it leaves less
        return Add(*(r for r, term in pairs if r.count_ops() < term.count_ops()))
    return Add(*(r for r, term in pairs if not free(r) & free(monomial) and r * monomial == term))
