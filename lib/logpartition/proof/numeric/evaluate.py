"""The numeric route: the value of an expression at a point, with an error that holds.

SymPy's tree is read as syntax and nothing of SymPy is asked to compute: sums are loops, derivatives
are power series, integrals are quadrature, functions are mpmath's. So an error in the symbolic
route and an error here have no common cause.
"""

import math
import random
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, singledispatch
from hashlib import sha256
from itertools import count, product

import mpmath
import sympy
from mpmath import mp, mpc, mpf
from mpmath.libmp import to_rational
from sympy.core.numbers import ComplexInfinity, ImaginaryUnit, Infinity, NaN, NegativeInfinity

from ..errors import IllFormed, Undecided
from ..kernel.terms import RANGED, bound_by, free, limits, substitute
from ..language import Array, Named, Size, Smooth, Total
from .arithmetic import (
    Inexact,
    Kink,
    Mode,
    Series,
    Undefined,
    Unreachable,
    add,
    expand,
    finite,
    head,
    inexact,
    level,
    magnitude,
    mul,
    neg,
    norm,
    power,
    ratio,
    rough,
    too_large,
    watching,
    wobble,
)  # fmt: skip
from .edges import ALL, PROBE, edges
from .infinite import (
    BITS,
    NESTED_BITS,
    WORK,
    coefficients,
    demand_still,
    integral,
    limit,
    series,
    size,
)

LADDER, SLOW_LADDER = (40, 60, 100, 160), (50, 66)
LOOP, STATES = 20_000, 5_000
NUMBERS = {
    sympy.core.numbers.Pi: lambda: +mp.pi, sympy.core.numbers.Exp1: lambda: +mp.e,
    sympy.core.numbers.EulerGamma: lambda: +mp.euler,
    sympy.core.numbers.GoldenRatio: lambda: +mp.phi,
    sympy.core.numbers.Catalan: lambda: +mp.catalan,
}  # fmt: skip
FUNCTIONS = {
    getattr(sympy, name): getattr(mpmath, name)
    for name in "sin cos tan sinh cosh tanh sech coth atan gamma besseli erf".split()
}
NONE_AT_0 = (sympy.coth, sympy.gamma)
ZERO_AT_0 = {sympy.sin, sympy.tan, sympy.sinh, sympy.tanh, sympy.atan, sympy.erf}
ONE_AT_0 = {sympy.cos, sympy.cosh, sympy.sech}
_ids = count()


@dataclass(frozen=True)
class Value:
    """A number and a bound on its error."""

    value: object
    error: object


class Table(dict):
    """The entries of an array by position, converted to the precision at work when they are first
    looked at; told apart by identity, so that it can be a key."""

    __hash__ = object.__hash__

    def __init__(self, entries=(), given=()):
        super().__init__(entries)
        self.given, self.mode = given, (mp.prec, Mode.exact)

    def __eq__(self, other):
        return self is other

    def __contains__(self, at):
        return super().__contains__(at) or at in self.given

    def __missing__(self, at):
        before = Mode.exact
        with mp.workprec(self.mode[0]):
            Mode.exact = self.mode[1]
            try:
                self[at] = _converted(self.given[at])
            finally:
                Mode.exact = before
        return self[at]

    def changed(self, at, x):
        """The table with another entry."""
        other = Table(self, self.given)
        other.mode = self.mode
        other[at] = x
        return other


class Run:
    """One computation at a point: values of symbols (numbers) and arrays (tables)."""

    def __init__(self, point, variant=0, known=None):
        self.exact_values, self.variant = point, variant
        known = {} if known is None else known  # what was converted for this point before
        self.known = known
        self.values = self.converted()
        self.local, self.memo, self.level, self.nested = {}, {}, 0, False
        self.work = self.terms = self.endless = 0

    def converted(self):
        """The values of the point as numbers of the precision at work."""
        found = {}
        for key, value in self.exact_values.items():
            place = key, mp.prec, Mode.exact
            if place not in self.known or self.known[place][0] is not value:
                self.known[place] = value, _converted(value)
            found[key] = self.known[place][1]
        return found

    @contextmanager
    def refined(self):
        """The values of the point to the precision at work, and nothing that was computed before;
        afterwards the former ones."""
        values, memo = self.values, self.memo
        self.values, self.memo = {**self.converted(), **self.local}, {}
        try:
            yield
        finally:
            self.values, self.memo = values, memo

    @contextmanager
    def bound(self, changes):
        """Other values for some variables, and the former ones afterwards."""
        before = [(k, self.values.get(k, self), self.local.get(k, self)) for k in changes]
        self.values.update(changes)
        self.local.update(changes)
        try:
            yield
        finally:
            for key, value, local in before:
                for table, old in ((self.values, value), (self.local, local)):
                    table.pop(key, None) if old is self else table.__setitem__(key, old)


def _converted(value):
    if isinstance(value, dict):
        return Table(given=value)
    if isinstance(value, Fraction) or isinstance(value, int):
        return ratio(int(value.numerator), int(value.denominator))
    if Mode.exact:
        raise Inexact
    return value


def evaluate(expression, point):
    """The value at a point {symbol: number, array: {position: number}}, and its error."""
    expression, known = sympy.sympify(expression), getattr(point, "known", None)
    point = _needed(expression, point)
    slow, before, last = is_slow(expression), None, 0
    for n, digits in enumerate(SLOW_LADDER if slow else LADDER):
        Mode.lost = False
        try:
            now = _value(expression, point, digits, n % 2, known)
        except Undefined:
            _demand_undefined(expression, point, digits)
            raise
        if type(now) is int:
            with mp.workprec(max(53, now.bit_length())):
                return Value(mpf(now), mpf(0))
        error = None
        if before is not None:
            with mp.workdps(digits):
                error = 4 * abs(now - before) + abs(now) * mpf(10) ** (2 - min(last, digits))
                error += mpf(10) ** -35 if slow else 0  # what sampling leaves
                good = error <= abs(now) * mpf(10) ** -25
                good = good or error <= mpf(10) ** -34 and abs(now) <= error
            if good and _bare(expression, point, digits, n % 2, known, now, error):
                return Value(now, error)
        before, last = now, digits
    with mp.workdps(digits):
        if error <= mpf(10) ** -9 * abs(now) or error <= mpf(10) ** -14:
            if _bare(expression, point, digits, n % 2, known, now, error):
                return Value(now, error)
    raise Unreachable(f"two computations give {mp.nstr(before, 5)} ± {mp.nstr(error, 2)}")


def _bare(expression, point, digits, variant, known, found, error):
    """Whether a value is the same with next to nothing for each sum of which rounding left nothing:
    1/(cosh² x − sinh² x) may be found to be 0 at any precision."""
    if not Mode.lost:
        return True
    Mode.bare = True
    try:
        other = _value(expression, point, digits, variant, known)
    except (Undefined, Unreachable):
        return False
    finally:
        Mode.bare = False
    with mp.workdps(digits):
        return abs(other - found) <= 1000 * error + mpf(10) ** -9 * abs(found)


def steady(expression, point, found):
    """Whether other roundings give a value again: a bounded function of what rounding left of 0 may
    have one value at two precisions by luck."""
    if is_slow(expression):
        return True
    point = _needed(expression, point)
    try:
        others = [_value(expression, point, n, n % 2) for n in range(170, 178)]
    except (Undefined, Unreachable):
        return False
    with mp.workdps(170):
        return all(abs(x - found) <= mpf(10) ** -9 * (1 + abs(found)) for x in others)


def _demand_undefined(expression, point, digits):
    """Complain where other roundings give a value: the maximum of a root is one of a complex number
    where the radicand, which is 0, is less after rounding, and 1 − x of nearly 1 is 0."""
    slow = is_slow(expression)
    for n in SLOW_LADDER if slow else range(170, 172 if sampled(expression) else 178):
        try:
            if n != digits:
                _value(expression, point, n, n % 2)
                raise Unreachable("whether there is a value is lost in rounding")
        except Undefined:
            continue
        except Unreachable:
            if not slow:
                raise


@lru_cache(20_000)
def is_slow(expression):
    """Whether an expression has a node that takes long."""
    return any(map(takes_long, sympy.preorder_traversal(expression)))


def takes_long(x):
    """Whether a node is computed by quadrature or along a sequence."""
    normal = isinstance(x, Total) and x.base.domain == "normal"
    return normal or isinstance(x, (sympy.Integral, sympy.Limit))


@lru_cache(20_000)
def sampled(e):
    """Whether a value comes of quadrature or along a sequence, so that of 0 more may be left than
    what rounding leaves."""
    if takes_long(e) or isinstance(e, RANGED) and any(x.is_infinite for _, *ends in e.limits
                                                      for x in ends):  # fmt: skip
        return True
    return any(map(sampled, e.args))


def _needed(expression, point):
    known = free(expression)
    return {one(k): v for k, v in point.items() if k in known or isinstance(k, Size)}


_letters = {}


def one(letter):
    """One object for all equal letters or arrays: tables find it without a comparison."""
    return _letters.setdefault(letter, letter)


def exact(expression, point):
    """The value as a fraction, or None where only rational operations on rationals would do."""
    try:
        with _exactly():
            found = code(expression)(Run(_needed(expression, point)))
    except (Inexact, Kink, Unreachable):
        return None
    return Fraction(found) if isinstance(found, (int, Fraction)) else None


@contextmanager
def _exactly():
    before, Mode.exact = Mode.exact, True
    try:
        yield
    finally:
        Mode.exact = before


def _value(expression, point, digits, variant, known=None):
    with mp.workdps(digits):
        Mode.noise, Mode.bits = 1 + 12345 * digits, mp.prec
        try:
            found = code(expression)(Run(point, variant, known))
        except KeyError as missing:
            raise ValueError(f"no value for {missing}") from None
        except Kink as kink:  # of a higher order: a derivative may exist all the same
            raise Unreachable(str(kink)) from None
        except mpmath.libmp.NoConvergence as error:
            raise Unreachable(str(error)) from None
        except (ZeroDivisionError, ValueError) as error:
            raise Undefined(str(error)) from None
        except (OverflowError, MemoryError, RecursionError) as error:
            raise Unreachable(str(error)) from None
        if type(found) is Series:
            raise Unreachable("a derivative is left over")
        if type(found) is not int and not mpmath.isfinite(found):
            raise Undefined(f"the value is {mpmath.nstr(found, 3)}")
        return found


# --- the tree, node by node ------------------------------------------------------------


@lru_cache(20_000)
def code(e):
    """A function of a run that computes the expression."""
    found = compiled(e)
    found.sampled = sampled(e)
    return found


def remembered(e, run_once):
    """The same function, which computes once for each value of what it depends on."""
    name, depends = next(_ids), [one(x) for x in sorted(free(e), key=str)]

    def run_or_recall(run):
        get = run.local.get
        key = (name, *[get(v) for v in depends])
        found = run.memo.get(key)
        if found is None:
            if len(run.memo) > 50_000:
                run.memo.clear()
            found = run.memo[key] = run_once(run)
        return found

    return run_or_recall


def zero(part, x, run, sure=False):
    """Whether x, the value of `part`, is exactly 0: decided with fractions where it is small. What
    rounding may have left of 0 is taken for another number, unless one has to be `sure`."""
    x = head(x)
    if type(x) is int or type(x) is Fraction:
        return x == 0
    m = magnitude(x)
    if m is not None and m > (-30 if sure and part.sampled else -0.4 * mp._prec):
        return False
    try:
        return _fraction(part, run) == 0
    except (Inexact, Kink, KeyError):
        if sure and m is not None:
            raise Unreachable("whether a number is 0 is lost in its rounding") from None
        return m is None


def _fraction(part, run):
    """The value of `part` in exact arithmetic."""
    with _exactly():
        again = Run(run.exact_values)
        for key, value in run.local.items():
            if type(value) is int:
                again.values[key] = value
            elif type(value) is not Series and not isinstance(value, Table):
                raise Inexact
        return head(part(again))


@singledispatch
def compiled(e):
    raise NotImplementedError(f"the numeric route has no rule for {type(e).__name__}: {e}")


@compiled.register
def _(e: sympy.Rational):
    p, q = int(e.p), int(e.q)
    return (lambda run: p) if q == 1 else (lambda run: ratio(p, q))


@compiled.register
def _(e: sympy.Float):
    raise NotImplementedError(f"{e} is a rounded number; write it as a fraction")


@compiled.register(ComplexInfinity)
@compiled.register(NaN)
def _(e):
    def undefined(run):
        raise Undefined("1/0, log 0, or the like")

    return undefined


@compiled.register
def _(e: Infinity):
    return lambda run: mp.inf


@compiled.register
def _(e: NegativeInfinity):
    return lambda run: -mp.inf


@compiled.register
def _(e: sympy.core.numbers.NumberSymbol):
    number = NUMBERS[type(e)]
    return lambda run: inexact(rough(number()))


@compiled.register
def _(e: ImaginaryUnit):
    return lambda run: inexact(mpc(0, 1))


@compiled.register
def _(e: Named):
    return code(e.meaning)


@compiled.register
def _(e: sympy.Symbol):
    e = one(e)
    return lambda run: run.values[e]


@compiled.register
def _(e: sympy.Indexed):
    base, places = one(e.base), [code(i) for i in e.indices]

    def entry(run):
        at = tuple([_whole(place(run)) for place in places])
        table = run.values[base]
        if at not in table:
            raise Undefined(f"{base} has no entry {', '.join(map(str, at))}")
        return table[at]

    return entry


def _whole(x):
    """A number as an integer."""
    if type(x) is int:
        return x
    if type(x) is Series or type(x) is mpc:
        _demand_apart(x)
        raise Undefined(f"{mpmath.nstr(head(x), 5)} is no position")
    if mpmath.isint(x) and not too_large(x):
        return int(x)
    _demand_apart(x)
    raise Undefined(f"{mpmath.nstr(x, 5)} is no position")


def _demand_apart(x):
    """Complain of a number that its rounding does not tell from an integer."""
    if type(x) in (mpf, mpc) and mp.isfinite(x):
        if abs(x - mp.nint(mp.re(x))) <= mp.ldexp(1 + abs(x), -mp._prec // 5):
            raise Unreachable("whether a number is an integer is lost in its rounding")


def _demand_whole(ends):
    """Complain of a range with an end, not infinite, that is not an integer."""
    for x in ends:
        if type(x) is not int and not (type(x) is mpf and mp.isinf(x)):
            _demand_apart(x)
            raise Undefined("a range that does not begin and end at integers")


@compiled.register
def _(e: sympy.Add):
    parts = [code(a) for a in e.args]
    return lambda run: add([part(run) for part in parts])


@compiled.register
def _(e: sympy.Mul):
    first, *rest = [code(a) for a in e.args]

    def multiply(run):
        result = first(run)
        for part in rest:
            result = mul(result, part(run))
        return result

    return multiply


@compiled.register
def _(e: sympy.Pow):
    base, exponent = code(e.base), code(e.exp)

    def raised(run):
        n = _exponent(exponent, run)
        if type(n) is int and not too_large(n):
            x = base(run)
            if n < 0 and zero(base, x, run):
                raise Undefined("division by 0")
            return power(x, n)
        return _power(base(run), mpf(n) if type(n) is int else n, base, run)

    return raised


def _exponent(part, run):
    """An exponent, as an integer where it is one: N/2 − 1/2 at N = 1 is 0, not nearly 0."""
    n = part(run)
    if type(n) is Fraction and n.denominator == 1:
        return int(n)
    if type(n) is not mpf or Mode.exact or not mp.isfinite(n) or too_large(n):
        return n
    if abs(n - mp.nint(n)) > mp.ldexp(1 + abs(n), -mp._prec // 2):
        return n
    try:
        found = _fraction(part, run)
    except (Inexact, Kink, KeyError):
        return n
    return int(found) if found == int(found) else n


def _power(x, y, base, run):
    """x^y for an exponent that is not an integer: the principal value."""
    if Mode.exact:
        return _exact_root(x, y)
    _demand_off_the_cut(head(x))
    if zero(base, x, run):
        if type(x) is Series or type(y) is Series:
            raise Kink("a power of 0 is differentiated")
        m = magnitude(y)
        if m is None or m < -0.4 * mp._prec:
            raise Unreachable("whether an exponent is 0 is lost in its rounding")
        if not mp.re(y) > 0:
            divides = mp.re(y) < 0
            raise Undefined("division by 0" if divides else "0 to a power that is not positive")
        return 0
    x = mpf(x) if type(x) is int else x
    if type(y) is Series or level(x) and type(y) is mpc or too_large(y):
        return expand(_exponentials, mul(y, expand(_logarithms, x, 0)[0]), 0)[0]
    if type(x) is not Series and (magnitude(x) or 0) * (magnitude(y) or 0) > 10**6:
        if (magnitude(y) or 0) > 200:
            raise Unreachable("a power that is too large")

    def derivatives(a, n):
        found, factor = [], 1
        for k in range(n + 1):
            found.append(factor * a ** (y - k))
            factor *= y - k
        return found

    return expand(derivatives, x, 0)[0]


def _demand_off_the_cut(x):
    """Complain of a number that rounding may have put on the other side of the negative numbers,
    where logarithms and roots jump."""
    if type(x) is mpc and x.real < 0 and x.imag:
        if magnitude(x.imag) < magnitude(x.real) - 0.4 * mp._prec:
            raise Unreachable("on which side of a cut a number is, is lost in its rounding")


def _exact_root(x, y):
    if type(x) is Series or type(y) is Series or y.denominator != 2 or x < 0:
        raise Inexact
    x = Fraction(x)
    p, q = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if p * p != x.numerator or q * q != x.denominator:
        raise Inexact
    return Fraction(p, q) ** y.numerator


# --- functions -------------------------------------------------------------------------


def _exponentials(x, n):
    if too_large(x):
        if mp.re(x) > 0 or not too_large(mp.re(x)):
            raise Unreachable("a number too large for the machine")
        return [mp.ldexp(1, -(2**1400) * (1 + mp.prec % 5))] * (n + 1)
    return [mp.exp(x)] * (n + 1)


def _logarithms(x, n):
    return [mp.log(x)] + [(-1) ** (k + 1) * math.factorial(k - 1) / mpmath.mpmathify(x) ** k
                          for k in range(1, n + 1)]  # fmt: skip


KNOWN = {
    sympy.exp: _exponentials,
    sympy.log: _logarithms,
    sympy.sin: lambda x, n: [mp.sin(x + k * mp.pi / 2) if k > 1 else (mp.sin, mp.cos)[k](x)
                             for k in range(n + 1)],
    sympy.cos: lambda x, n: [mp.cos(x) if k == 0 else -mp.sin(x + (k - 1) * mp.pi / 2)
                             for k in range(n + 1)],
    sympy.sinh: lambda x, n: [(mp.sinh, mp.cosh)[k % 2](x) for k in range(n + 1)],
    sympy.cosh: lambda x, n: [(mp.cosh, mp.sinh)[k % 2](x) for k in range(n + 1)],
}  # fmt: skip


@compiled.register
def _(e: sympy.core.function.Application):
    kind = type(e)
    if kind in KNOWN:
        return remembered(e, _known(e, KNOWN[kind]))
    if kind not in FUNCTIONS:
        raise NotImplementedError(f"the numeric route has no rule for the function {kind.__name__}")
    return remembered(e, _known(e, _numerically(FUNCTIONS[kind], len(e.args))))


def _known(e, derivatives):
    """A function of its last argument; the others are constants."""
    *first, argument = map(code, e.args)
    kind = type(e)

    def run_once(run):
        x = argument(run)
        if kind in (sympy.log, *NONE_AT_0) and zero(argument, x, run):
            raise Undefined(f"{kind.__name__} of 0")
        if kind is sympy.log:
            _demand_off_the_cut(head(x))
        if type(x) is int or type(x) is Fraction:
            if not first and x == 0 and (kind in ZERO_AT_0 or kind in ONE_AT_0 | {sympy.exp}):
                return int(kind not in ZERO_AT_0)
            if x == 1 and kind is sympy.log:
                return 0
            x = inexact(x)
        if kind is not sympy.exp and too_large(x):
            if kind is not sympy.log:
                _moderate(e, x)
        others = [part(run) for part in first]
        if any(type(o) is Series for o in others):
            raise Unreachable("a derivative in a parameter of a function")
        others = [_order(kind, o) for o in others]
        return expand(lambda a, n: _within_reach(derivatives, a, n, *others), x, 0)[0]

    return run_once


ORDER = 1000  # the largest of a Bessel function


def _order(kind, x):
    """The order of a function of two arguments, if its value can be had in a short time."""
    whole = type(x) is int or type(x) is mpf and mpmath.isint(x)
    if kind is sympy.besseli and abs(x) > ORDER:
        raise Unreachable("a Bessel function of a very large order")
    return abs(x) if kind is sympy.besseli and whole else x  # I of −n is that of n


def _moderate(e, x):
    """The argument of a function of e, inexact, if it is not too large for the machine."""
    if too_large(x):
        raise Unreachable(f"{type(e).__name__} of a number too large for the machine")
    return inexact(x)


def _within_reach(derivatives, *numbers):
    try:
        return derivatives(*numbers)
    except TypeError as error:  # mpmath shifts an integer by what is too large to be one
        raise Unreachable(f"mpmath: {error}") from None


def _numerically(function, arity):
    """Derivatives by mpmath's differences, which are known to the last digits of the values."""

    def derivatives(x, n, *others):
        def f(t):
            return function(*others, t)

        value = f(x)
        m = magnitude(value)
        lost = [] if m is None else [mp.make_mpf(wobble(m))]
        return [value if k == 0 else add([mp.diff(f, x, k), *lost]) for k in range(n + 1)]

    return derivatives


@compiled.register
def _(e: Smooth):
    order, argument, f = code(e.order), code(e.argument), smooth(e.name)

    def run_once(run):
        n, x = _whole(order(run)), argument(run)
        if run.work and norm(head(x)) > 1000:
            raise Unreachable("more waves than the nodes of an integral can see")
        if too_large(head(x)):
            raise Unreachable("a function is taken too far out")
        x = inexact(x) if not isinstance(x, Series) else x
        return expand(lambda a, m: [f(n + k, a) for k in range(m + 1)], x, 0)[0]

    return remembered(e, run_once)


def _drawn(name):
    """The coefficients of a cubic; heights, speeds and phases of two waves."""
    draw = random.Random(int(sha256(name.encode()).hexdigest()[:16], 16))
    cubic = [Fraction(draw.randint(-12, 12) * 2 + 1, 8) for _ in range(4)]
    return cubic, [[Fraction(draw.randint(2, 15), 8) for _ in range(3)] for _ in range(2)]


def written(name, x):
    """What the function of a name is at x, as `smooth` computes it."""
    cubic, waves = _drawn(name)
    terms = [sympy.Rational(c) * x**k for k, c in enumerate(cubic)]
    for height, speed, phase in (map(sympy.Rational, wave) for wave in waves):
        terms.append(height * sympy.sin(speed * x + phase))
    return sympy.Add(*terms)


@lru_cache(None)
def smooth(name):
    """A fixed entire function for each name, as a function of (order, x): a cubic and two sines."""
    cubic, waves = _drawn(name)

    def value(order, x):
        terms = [mpf(math.perm(k, order) * c.numerator) / c.denominator * x ** (k - order)
                 for k, c in enumerate(cubic) if k >= order]  # fmt: skip
        for height, speed, phase in waves:
            w = mpf(speed.numerator) / speed.denominator
            angle = w * x + mpf(phase.numerator) / phase.denominator + order * mp.pi / 2
            terms.append(mpf(height.numerator) / height.denominator * w**order * mp.sin(angle))
        return add(terms)

    return value


def unary(*kinds):
    def register(rule):
        def compile_one(e):
            argument = code(e.args[0])
            return lambda run: rule(argument(run), argument, run)

        for kind in kinds:
            compiled.register(kind, compile_one)
        return rule

    return register


def _apart(x, part, run):
    """The sign of a real number whose kink at 0 is differentiated."""
    if zero(part, x, run, sure=True):
        raise Kink("a function is differentiated where it may have no derivative")
    if type(head(x)) is mpc:
        raise Unreachable("a derivative of the sign of a complex number")
    return 1 if head(x) > 0 else -1


@unary(sympy.Abs)
def _(x, part, run):
    if type(head(x)) is mpc:
        if type(x) is Series:
            square = add([power(_part(x, 0), 2), power(_part(x, 1), 2)])
            return _power(square, mpf(1) / 2, part, run)
        return rough(abs(x))
    if type(x) is Series:
        return mul(_apart(x, part, run), x)
    return abs(x)


@unary(sympy.sign)
def _(x, part, run):
    if type(x) is Series:
        return _apart(x, part, run)
    if zero(part, x, run, sure=True):
        return 0
    return x / abs(x) if type(x) is mpc else 1 if x > 0 else -1


def _part(x, which):
    if type(x) is Series:
        return Series(x.level, [_part(c, which) for c in x.c])
    if type(x) is mpc:
        return x.imag if which else x.real
    return 0 if which else x


def _in_order(x):
    """A number that has an order, without an imaginary part that is 0."""
    if type(head(x)) is not mpc:
        return x
    off = _part(x, 1)
    if norm(off) == 0:
        return _part(x, 0)
    if norm(off) <= mp.ldexp(1 + norm(head(x)), -mp._prec // 5):
        raise Unreachable("whether a number is real is lost in its rounding")
    raise Undefined("complex numbers have no order")


def _on_line(x):
    """An end of an integral, or the target of a limit."""
    try:
        return _in_order(x)
    except Undefined:
        raise Undefined("an end or a target that is not real") from None


@compiled.register(sympy.Max)
@compiled.register(sympy.Min)
def _(e):
    parts, sign = [code(a) for a in e.args], 1 if isinstance(e, sympy.Max) else -1

    def extreme(run):
        values = [_in_order(part(run)) for part in parts]
        best = max(values, key=lambda v: sign * head(v))
        for a, v in zip(e.args, values):
            if (type(v) is Series or type(best) is Series) and v is not best:
                difference = code(a - e.args[[x is best for x in values].index(True)])
                if zero(difference, add([v, neg(best)]), run, sure=True):
                    raise Kink("two arguments of a maximum are equal where it is differentiated")
        return best

    return extreme


@compiled.register
def _(e: sympy.KroneckerDelta):
    a, b, difference = code(e.args[0]), code(e.args[1]), code(e.args[0] - e.args[1])

    def equal(run):
        x, y = a(run), b(run)
        if type(x) is int and type(y) is int:
            return int(x == y)
        return int(zero(difference, add([x, neg(y)]), run, sure=True))

    return equal


@compiled.register
def _(e: sympy.binomial):
    base, number = code(e.args[0]), code(e.args[-1])

    def run_once(run):
        x, k = base(run), number(run)
        if type(k) is not int or k > 500:
            return rough(mpmath.binomial(_moderate(e, x), _moderate(e, k)))
        if k < 0:
            return 0
        result = 1
        for i in range(k):
            result = mul(result, add([x, -i]))
        if type(result) is int:
            return ratio(result, math.factorial(k))
        return mul(result, ratio(1, math.factorial(k)))

    return remembered(e, run_once)


@compiled.register
def _(e: sympy.factorial):
    argument, gamma = code(e.args[0]), _numerically(mpmath.factorial, 1)

    def run_once(run):
        n = argument(run)
        if type(n) is int:
            if n < 0:
                raise Undefined("the factorial of a negative integer")
            if n < 60:
                return math.factorial(n)
        return expand(gamma, _moderate(e, n), 0)[0]

    return remembered(e, run_once)


# --- binders ---------------------------------------------------------------------------


@compiled.register(sympy.Sum)
@compiled.register(sympy.Product)
def _(e):
    (variable, low, high), inner = tuple(e.limits[-1]), e.limits[:-1]
    variable = one(variable)
    whole = e.func(e.function, *inner) if inner else e.function
    body, parts = code(whole), [] if inner else [code(x) for x in _parts(e.function, variable)]
    endless = low.is_infinite or high.is_infinite
    waves = endless and any(variable in free(x) for x in _phases(whole))
    low, high = code(low), code(high)
    collect = add if isinstance(e, sympy.Sum) else _multiplied

    def loop(run):
        ends = low(run), high(run)
        if any(type(x) is mpf and mp.isinf(x) for x in ends):
            return _endless(e, whole, ends, variable, body, parts, waves, run)
        _demand_whole(ends)
        if ends[1] < ends[0] - 1:
            raise Undefined(f"the range from {ends[0]} to {ends[1]} is shorter than empty")
        if ends[1] - ends[0] > LOOP:
            raise Unreachable("a loop that is too long")
        values, local, found = run.values, run.local, []
        with run.bound({variable: ends[0]}):
            for i in range(ends[0], ends[1] + 1):
                values[variable] = local[variable] = i
                found.append(body(run))
        return collect(found)

    return remembered(e, loop)


@contextmanager
def decided(run, inner, body, variable, place, farther=None):
    """Where a part that is 0 is found as a tiny number, it may seem to grow without bound. So of
    what has something approached in it nobody knows here that there is no value, nor of what is
    not the same at a place, or farther on, with more digits."""
    try:
        yield
    except Undefined:
        later = farther is None or _unrounded(run, body, variable, farther)
        if sampled(inner) or not _unrounded(run, body, variable, place) or later is False:
            raise Unreachable("what may be 0 decides whether there is a value") from None
        raise


def _unrounded(run, body, variable, place):
    """Whether a value is the same with more digits, so that it is not what rounding left of 0; None
    where it is out of reach."""
    found, variant = [], run.variant
    try:
        for more, run.variant in ((0, variant), (64, 1 - variant)):
            with mp.workprec(mp.prec + more), run.refined(), run.bound({variable: place}):
                found.append(head(body(run)))
    except Undefined:
        return True
    except Unreachable:
        return None
    finally:
        run.variant = variant
    apart = norm(add([found[0], mul(-1, found[1])]))
    return apart <= mp.ldexp(norm(found[1]), -20)


def _multiplied(factors):
    result = 1
    for x in factors:
        result = mul(result, x)
    return result


def _parts(e, variable):
    """What an expression is the sum of, where a sum is all of it or one of its factors."""
    for whole in sympy.Mul.make_args(e):
        if isinstance(whole, sympy.Add) and variable in free(whole):
            return [sympy.Mul(*(a if f is whole else f for f in sympy.Mul.make_args(e)))
                    for a in whole.args]  # fmt: skip
    return []


SERIES = 15_000  # multiplications for the terms of infinite sums under derivatives or in others


def _count(run, term):
    """Complain where series under derivatives, or one inside another, take too long."""
    cost = coefficients(term) ** 2 if isinstance(term, Series) else int(run.endless > 1)
    run.terms, Mode.work = run.terms + cost, Mode.work + cost
    if run.terms > SERIES:
        raise Unreachable("series, under a derivative or in each other, that take too long")


TURNING = (sympy.KroneckerDelta, sympy.sign, sympy.Abs, sympy.Max, sympy.Min, sympy.tanh,
           sympy.coth, sympy.sech, sympy.erf, sympy.atan)  # fmt: skip


def _endless(e, whole, ends, variable, body, parts, waves, run):
    if Mode.exact:
        raise Inexact
    for turning in whole.atoms(*TURNING):
        if variable in free(turning):
            raise Unreachable(f"an endless sum whose terms may turn far out, as {turning} does")
    product_of, watched = isinstance(e, sympy.Product), Mode.watched

    def term(n, body):
        with run.bound({variable: n}), watching(watched):
            value = body(run)
        _count(run, value)
        if not product_of:
            return value
        if head(value) == 0:
            raise Unreachable("a factor of an infinite product is 0")
        return expand(_logarithms, mpf(value) if type(value) is int else value, 0)[0]

    _demand_whole(ends)
    if ends[0] == -mp.inf and ends[1] == mp.inf:
        sides = [(1, 0), (-1, 1)]
    elif ends[1] == mp.inf and type(ends[0]) is int:
        sides = [(1, ends[0])]
    elif ends[0] == -mp.inf and type(ends[1]) is int:
        sides = [(-1, -ends[1])]
    else:
        raise Undefined("a range that does not begin and end at integers")

    def along(side, body):
        return lambda n: term(side * n, body)

    @contextmanager
    def finer():
        with mp.workprec(8 * mp.prec), run.refined():
            yield

    alone = [] if product_of else parts
    far = ends[0] + 2**10 if ends[1] == mp.inf and ends[0] != -mp.inf else -(2**10)
    run.endless += 1
    try:
        with watching(False), decided(run, whole, body, variable, far):
            found = [series(along(side, body), start, run.variant, [along(side, p) for p in alone],
                            waves, finer) for side, start in sides]  # fmt: skip
    finally:
        run.endless -= 1
    total = add(found)
    return expand(_exponentials, total, 0)[0] if product_of else total


@compiled.register
def _(e: sympy.Subs):
    body, variables, points = code(e.expr), e.variables, [code(x) for x in e.point]

    def substituted(run):
        changes, values = {}, [x(run) for x in points]
        for variable, x in zip(variables, values):
            changes.update(_changed(run, variable, x, changes))
        with run.bound(changes):
            return body(run)

    return remembered(e, substituted)


def _changed(run, variable, x, changes=()):
    """What to bind, for a symbol or an entry of an array to have another value."""
    if not isinstance(variable, sympy.Indexed):
        return {one(variable): x}
    at, base = tuple(_whole(code(i)(run)) for i in variable.indices), one(variable.base)
    table = changes[base] if base in changes else run.values[base]
    if at not in table:
        raise Undefined(f"{base} has no entry {', '.join(map(str, at))}")
    return {base: table.changed(at, x)}


@compiled.register
def _(e: sympy.Derivative):
    body, pairs = code(e.expr), [(v, code(v), code(n)) for v, n in e.variable_count]

    def differentiated(run):
        orders = [(v, value, _whole(n(run))) for v, value, n in pairs]
        if any(n < 0 for *_, n in orders):
            raise Undefined("a derivative of negative order")
        try:
            return _coefficient(run, body, [o for o in orders if o[2]])
        except Kink:
            if sum(n for *_, n in orders) != 1 or run.level or Mode.exact:
                raise
            return _quotients(run, body, *next((v, value) for v, value, n in orders if n))

    return remembered(e, differentiated)


def _coefficient(run, body, orders):
    if not orders:
        return body(run)
    (variable, value, n), *rest = orders
    run.level += 1
    mine = run.level
    try:
        with run.bound(_changed(run, variable, Series(mine, [value(run), 1] + [0] * (n - 1)))):
            found = _coefficient(run, body, rest)
    finally:
        run.level -= 1
    if level(found) < mine:
        return 0
    return mul(math.factorial(n), found.c[n])


def _quotients(run, body, variable, value):
    """A first derivative at a kink: the quotients from the left and the right, if they agree."""
    x = inexact(value(run))

    def quotients(h):
        found = []
        for shift in (0, h, -h):
            with run.bound(_changed(run, variable, add([x, shift]) if shift else x)):
                found.append(body(run))
        return [add([f, neg(found[0])]) / s for f, s in zip(found[1:], (h, -h))]

    with mp.workprec(3 * mp.prec):
        h = mpf(2) ** -(mp.prec // 6 + 5 * run.variant)
        right, left = quotients(h)
        gap = abs(right - left)
        if gap > mpf(10) ** -8 * (1 + abs(right) + abs(left)):
            farther, other = quotients(mp.sqrt(h))
            if abs(abs(farther - other) - gap) > gap / 1000:  # as of |x|^(5/4) at 0
                raise Unreachable("the quotients at a kink have not settled")
            raise Undefined("the derivatives from the left and from the right differ")
        return rough((left + right) / 2, mp.prec // 6 - 10)


def _critical(e, variable):
    """The subexpressions at whose zeros an integrand may have a kink or a pole."""
    found = set()
    for x in sympy.preorder_traversal(e):
        if isinstance(x, sympy.Pow) and not (x.exp.is_Integer and x.exp.is_positive):
            found.add(x.base)
        elif isinstance(x, (sympy.Abs, sympy.sign, sympy.log)):
            found.add(x.args[0])
        elif isinstance(x, (sympy.Max, sympy.Min)):
            found |= {a - b for a, b in zip(x.args, x.args[1:])}
    found = {x for x in found if variable in free(x) <= free(e)}
    return [code(x) for x in sorted(found, key=str)[:4]]


MANY = 30  # a power of so many factors has a narrow peak, or is steep at an end


def _bump(e):
    """Whether something may have a narrow peak: exponentials, 1/cosh, and powers below 0, with a
    large exponent, or with one that varies."""
    if not isinstance(e, sympy.Pow) or isinstance(e, sympy.exp):
        return isinstance(e, (sympy.exp, sympy.sech))
    large = e.exp.is_Rational and e.exp > MANY
    return bool(large or e.exp.could_extract_minus_sign() or free(e.exp))


def _bumps(e):
    return {x for x in e.atoms(sympy.Pow, sympy.exp, sympy.sech) if _bump(x)}


def _bumps_of(e, variable):
    """The parts of e that may have a narrow peak and depend on a variable, as pairs of the code of
    one and of the ranges of what is bound around it in e; None for ranges where these are no finite
    ones of a sum or a product."""
    found = sorted(set(_bumps_within(e, variable)), key=str)
    return [(code(x), ranges and [(one(v), code(low), code(high)) for v, low, high in ranges])
            for x, ranges in found]  # fmt: skip


def _bumps_within(e, variable):
    if _bump(e) and variable in free(e):
        yield e, ()
    bound = {e.base} if isinstance(e, Total) else set(bound_by(e))
    counted = isinstance(e, (sympy.Sum, sympy.Product)) and not any(
        end.is_infinite for _, *ends in limits(e) for end in ends
    )
    for part in e.args:
        for x, ranges in _bumps_within(part, variable):
            about = free(x).union(*(free(end) for _, *ends in ranges or () for end in ends))
            mine = bound & about
            if mine and (ranges is None or not counted):
                yield x, None
            else:
                yield x, (*limits(e)[::-1], *ranges) if mine else ranges


SPREAD = 60  # bumps in sums and products, each of which is looked at


def _spread(run, bumps):
    """For each bump the values of what is bound around it, a dict each."""
    found = []
    for part, ranges in bumps:
        if ranges is None:
            raise Unreachable("narrow parts in an integral, a limit or a mean within another")
        states = [{}]
        for variable, low, high in ranges:
            wider = []
            for state in states:
                with run.bound(state):
                    places = range(_whole(low(run)), _whole(high(run)) + 1)
                wider += [{**state, variable: n} for n in places[: SPREAD + 1]]
            states = wider
        found += [(part, state) for state in states]
        if len(found) > SPREAD:
            raise Unreachable("more narrow parts than are looked at")
    return found


def _at_ends(e, found):
    for variable, *ends in e.limits if isinstance(e, RANGED) else ():
        bound = {x for x in found if variable in free(x)}
        found = found - bound | {substitute(x, {variable: end}) for x in bound
                                 for end in ends if not end.is_infinite}  # fmt: skip
    return found


SUDDEN = (sympy.tanh, sympy.erf, sympy.atan, sympy.cosh, sympy.sech, sympy.coth)


def _turns(e, variable, finite):
    """What functions are taken of that are nearly constant but where it is small: tanh, powers with
    large exponents, and exponentials that stand beside something else."""
    beside = [x.args[0] for x in e.atoms(sympy.Pow, sympy.log)] + [e] * finite
    found = {x.args[0] for x in e.atoms(*SUDDEN)}
    found |= {x.args[0] for b in beside for x in b.atoms(sympy.exp)}
    powers = (x for x in e.atoms(sympy.Pow) if not (x.exp.is_Rational or x.base.is_zero))
    found |= {x.exp * sympy.log(x.base) for x in powers}
    found = {x for x in found if variable in free(x) <= free(e)}
    return [code(x) for x in sorted(found, key=str)[:6]]


SINES = (sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc, Smooth)
CIRCLING = (sympy.exp, sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch,
            sympy.erf, sympy.besseli)  # fmt: skip


def _phases(e):
    """Numbers whose change, or that of their real parts, counts the waves of e: the arguments of
    sines, and of exponentials of complex numbers; at either end of what is bound inside."""
    found = set().union(*map(_phases, e.args))
    if isinstance(e, SINES):
        found.add(e.args[-1])
    elif isinstance(e, CIRCLING) and not e.args[-1].is_extended_real:
        found.add(-sympy.I * e.args[-1])
    elif isinstance(e, sympy.Pow) and not (e.exp.is_Rational or e.is_extended_real):
        found.add(-sympy.I * e.exp * sympy.log(e.base))
    return _at_ends(e, found)


TOO_LONG = (
    "an integral that takes too long",
    "an integral over several variables that takes too long: take one at a time",
)


@compiled.register
def _(e: sympy.Integral):
    (variable, low, high), inner = tuple(e.limits[-1]), e.limits[:-1]
    variable = one(variable)
    whole = sympy.Integral(e.function, *inner) if inner else e.function
    body, critical = code(whole), _critical(whole, variable)
    still = [(asked, code(x)) for asked, x in edges(whole, variable)]
    bumps = _bumps_of(whole, variable)
    turns = _turns(whole, variable, not (low.is_infinite or high.is_infinite))
    waves = [code(x) for x in sorted(_phases(whole), key=str)
             if variable in free(x) <= free(whole)]  # fmt: skip
    low, high = code(low), code(high)
    single = isinstance(whole, sympy.Mul) or isinstance(whole, sympy.exp)
    nested = len(e.atoms(sympy.Integral)) > 1 or bool(inner)

    def quadrature(run):
        if Mode.exact:
            raise Inexact
        a, b = _on_line(low(run)), _on_line(high(run))
        start, stretch = 0, 1
        if type(a) is Series or type(b) is Series:  # x = a + (b − a) u
            if any(mp.isinf(head(x)) for x in (a, b)):
                start, stretch, a, b = (a, 1, 0, b) if type(a) is Series else (b, 1, a, 0)
            else:
                start, stretch, a, b = a, add([b, neg(a)]), 0, 1

        def at(function, cost=1, state=()):
            def value(u):
                run.work += cost
                Mode.work += cost
                if run.work > WORK:
                    raise Unreachable(TOO_LONG[nested or run.nested])
                x = u if type(start) is int and stretch == 1 else add([start, mul(u, stretch)])
                with run.bound({variable: x, **dict(state)}):
                    return function(run)

            return value

        a, b = (mpf(x) if type(x) is int else x for x in (a, b))
        bits = (NESTED_BITS if nested or run.nested else BITS)[run.variant]
        before, run.nested = run.nested, nested or run.nested
        places = _between(head(a), head(b), 10), _between(head(a), head(b), 60)
        with watching(False), decided(run, whole, body, variable, *places):
            if run.level and a != b:
                demand_still([(asked, at(c, cost=0)) for asked, c in still], a, b, run.variant)
            narrow = _spread(run, bumps)
            result = integral(
                at(body),
                a,
                b,
                [at(c) for c in critical],
                run.variant,
                bits,
                [at(c, state=s) for c, s in narrow] if len(narrow) > 1 or not single else [],
                [at(c) for c in turns],
                [at(c, cost=0) for c in waves],
            )
        run.nested = before
        return result if type(stretch) is int else mul(stretch, result)

    return remembered(e, quadrature)


def _between(low, high, digits):
    """A place in a range, so many binary digits out where it is endless."""
    if mp.isinf(low) or mp.isinf(high):
        far = mp.ldexp(1, digits)
        return low + far if mp.isinf(high) and not mp.isinf(low) else min(high, 0) - far
    return low + (high - low) * mpf(5) / 7


LONG = 80  # binary digits of a number that stands for one with infinitely many


def _numbers(e, point):
    """What stands for the letters and entries of e."""
    given = [point[v] for v in free(e) if v in point]
    return [x for v in given for x in (v.values() if isinstance(v, dict) else (v,))]


def rounded(e, point):
    """Whether something in e is known to some digits only."""
    parts = [
        p
        for x in _numbers(e, point)
        for p in (x._mpc_ if type(x) is mpc else (getattr(x, "_mpf_", ()),))
    ]
    return any(p and p[3] > LONG for p in parts)


NEAR = 8  # binary digits of letters with which a limit says on its sequence whether it is finite
REACH = 128  # binary digits of a number that the sequence of a limit leaves behind


def _beside(e):
    """The terms in a limit that do not vary: a sequence must come to be beyond all of them."""
    inside = {x for x in sympy.preorder_traversal(e.args[0]) if isinstance(x, sympy.Expr)}
    inside |= {x.as_independent(e.args[1])[0] for x in inside if isinstance(x, sympy.Mul)}
    fixed = (x for x in inside if e.args[1] not in free(x) <= free(e))
    return sorted(
        (x for x in fixed if x.args and not isinstance(x, Array) or x.is_Rational), key=str
    )


def _near_to(goal, side, whole):
    """A place on the way to the goal of a limit."""
    if mp.isinf(goal):
        return int(mp.sign(goal)) * (2**20 if whole else mpf(2) ** 20)
    return goal + side * mpf(2) ** -20


@compiled.register
def _(e: sympy.Limit):
    body, variable, target = code(e.args[0]), one(e.args[1]), code(e.args[2])
    sides = {"+": (1,), "-": (-1,), "+-": (1, -1)}[str(e.args[3])]
    whole, beside = bool(variable.is_integer), [code(x) for x in _beside(e)]

    def approached(run):
        if Mode.exact:
            raise Inexact
        if any(REACH < abs(size(head(x(run)))) < math.inf for x in beside):
            raise Unreachable("a limit that comes after numbers beyond its sequence")

        if rounded(e, run.exact_values):
            raise Unreachable("a limit at numbers that are known up to rounding only")

        def f(x):
            with run.refined(), run.bound({variable: x}):
                return body(run)

        def goal():
            with run.refined():
                found = _on_line(target(run))
            if type(found) is Series:
                raise Unreachable("a limit at a place that a derivative moves")
            return found

        try:
            far = _near_to(head(goal()), sides[0], whole)
            with watching(False), decided(run, e.args[0], body, variable, far):
                found = [limit(f, goal, side, whole, run.variant) for side in sides]
                if len(found) == 2:
                    _demand_one(found, [limit(f, goal, s, whole, 1 - run.variant) for s in sides])
        except Undefined:
            if any(type(x) is not int for x in run.local.values()):
                raise Unreachable("a limit at numbers that were computed") from None
            if any(abs(size(x)) > NEAR for x in _numbers(e, run.exact_values) if x):
                raise Unreachable("a limit that may turn beyond what is looked at") from None
            raise
        return found[0]

    return remembered(e, approached)


def _demand_one(found, again):
    """Complain of limits from two sides that differ, or may do so: a second computation of each
    shows how far they are known."""
    apart = norm(add([found[0], neg(found[1])]))
    if apart > mpf(10) ** -8:
        if apart <= 2 * sum(norm(add([x, neg(y)])) for x, y in zip(found, again)):
            raise Unreachable("limits from two sides that are approached slowly")
        raise Undefined("the limits from the two sides differ")


@compiled.register
def _(e: Total):
    body, base, lengths = code(e.function), one(e.base), [code(n) for n in e.base.shape]
    domain = base.domain
    parts = _parts_of_mean(e.function, base) if domain == "normal" else None

    def total(run):
        spans = [range(1, _whole(n(run)) + 1) for n in lengths]
        if math.prod(map(len, spans)) > STATES:
            raise Unreachable("too many states to enumerate")
        places = list(product(*spans))
        if domain == "normal":
            with watching(False):
                return _gaussian(run, body, base, places, parts)
        if isinstance(domain, Size):
            choices = range(1, run.values[domain] + 1)
        else:
            choices = [code(x)(run) for x in domain]
        if len(choices) ** len(places) > STATES:
            raise Unreachable("too many states to enumerate")
        found = []
        for state in product(choices, repeat=len(places)):
            with run.bound({base: Table(zip(places, state))}):
                found.append(body(run))
        return add(found)

    return remembered(e, total)


SINGULAR = (
    "a mean under a normal law of what has no value at single places: write it as an Integral"
)


def _defined_beside(f, where, step):
    """Whether f has a value on one side of a place or on the other: where it has none on a set that
    no node misses, it has none on either side."""
    for side in (1, -1):
        try:
            f([x + side * step * (n + 2) / 7 for n, x in enumerate(where)])
            return True
        except Undefined:
            continue
    return False


FARTHER = [mpf(x) for x in (1, 1.2, 1.5, 2, 3, 5, 9, 20, 50)]
NARROW = 16  # binary digits by which a part that is seen falls from a node to the next


def _parts_of_mean(e, base):
    """What is looked at of something whose mean is taken: what may not move under a derivative,
    bumps, phases; and what bends or turns, with where it does so, or None where nothing does."""

    def of(found):
        return [code(x) for x in sorted(found, key=str) if base in free(x) <= free(e)]

    still = [(asked, code(x)) for asked, x in edges(e, base)]
    turns = any(base in free(x) for x in e.atoms(*TURNING))
    bends = (_critical(e, base), _turns(e, base, False)) if turns else None
    return still, _bumps_of(e, base), of(_phases(e)), bends


def _demand_slow(phases, nodes, count):
    """Complain of waves so short that their values at the nodes are those of longer ones."""
    for phase, way in product(phases, product((-1, 0, 1), repeat=count)):
        line = [mp.re(mp.mpmathify(head(phase([side * x for side in way])))) for x in nodes]
        if any(abs(a - b) > 2 for a, b in zip(line, line[1:])):
            raise Unreachable("a mean under a normal law of more waves than the nodes can see")


def _demand_seen(parts, nodes, count):
    """Complain where a part of what a mean is taken of, times the law, rises beyond the nodes, or
    has a peak that fits between two of them: what lies there is small beside the rest that is seen,
    and may be all of the part."""

    def at(part, where):
        return size(part(where)) - float(sum(x * x for x in where)) / math.log(4)

    def beside(part, way, x):
        """At a node, or beside it where the part is 0 at it, as an odd one is at 0."""
        found = at(part, [side * x for side in way])
        return found if found > -math.inf else at(part, [side * (x + near) for side in way])

    near = (nodes[1] - nodes[0]) / 8
    ways = [way for way in product((-1, 0, 1), repeat=count) if any(way)]
    for part, way in product(parts, ways):
        try:
            out = [at(part, [side * nodes[-1] * k for side in way]) for k in FARTHER]
            line = [beside(part, way, x) for x in nodes]
        except (Undefined, Unreachable):
            continue
        top = line.index(max(line))
        rises = any(b > a for a, b in zip(out, out[1:]))
        if rises or min(line[max(0, top - 1) : top + 2]) < line[top] - NARROW:
            raise Unreachable("a mean under a normal law with a part that the nodes do not see")


def _gaussian(run, body, base, places, parts):
    """The mean under independent standard normals, by the trapezoidal rule, which converges
    exponentially for a smooth function times a Gaussian; of what turns, as an integral."""
    if Mode.exact:
        raise Inexact
    still, bumps, phases, bends = parts
    bumps = _spread(run, bumps)
    if len(places) > (2 if bends is None else 1):
        raise Unreachable("a mean over more than two normal numbers, or of what turns over two")
    step = mpf((0, 3, 12)[len(places)]) / 20 / mp.sqrt(1 + mpf(run.variant) / 2)
    reach = int(mpf(12 + run.variant) / step)
    nodes = [(k + mpf(run.variant) / 3) * step for k in range(-reach, reach + 1)]
    weights = [step * mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi) for x in nodes]
    found, edge = [], mpf(0)

    def at(state, part=body, bound=()):
        with run.bound({base: Table(zip(places, state)), **dict(bound)}):
            return part(run)

    if run.level and places:
        one = len(places) == 1
        parts = [(asked if one or asked == PROBE else ALL, lambda x, c=c: at([x] * len(places), c))
                 for asked, c in still]  # fmt: skip
        demand_still(parts, -mp.inf, mp.inf, run.variant)
    if places and bends is not None:
        return _bent(lambda x, *part: at([x], *part), body, bumps, phases, bends, run.variant)
    if places:
        seen = [lambda where, c=c: at(where, *c) for c in ((body,), *bumps)]
        _demand_seen(seen, nodes, len(places))
        _demand_slow([lambda where, c=c: at(where, c) for c in phases], nodes, len(places))
    for state in product(range(len(nodes)), repeat=len(places)):
        where = [nodes[k] for k in state]
        try:
            value = at(where)
        except Undefined:
            if _defined_beside(at, where, step):
                raise Unreachable(SINGULAR) from None
            raise
        for k in state:
            value = mul(weights[k], value)
        found.append(value)
        if any(k in (0, len(nodes) - 1) for k in state):
            edge = max(edge, norm(value))
    result, known = add(found), mp.ldexp(1, -(75, 75, 60)[len(places)])
    sides = 2 * len(places) * len(nodes) ** (len(places) - 1)
    lost = edge * sides * 10 + known * max(map(norm, found))
    if not finite(result) or lost > mpf(10) ** -9 * max(map(norm, found)):
        raise Unreachable("a mean under a normal law that the nodes do not reach")
    # what may be lost is in one of the two runs, so that their difference shows it
    return result if run.variant else add([result, rough(lost, 2)])


def _bent(at, body, bumps, phases, bends, variant):
    """The mean of what bends or turns under the law of one normal number, as an integral."""

    def weighed(*part):
        return lambda x: mul(mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi), at(x, *part))

    critical, turns, waves = ([lambda x, c=c: at(x, c) for c in kind] for kind in (*bends, phases))
    return integral(weighed(body), -mp.inf, mp.inf, critical, variant, BITS[variant],
                    [weighed(*c) for c in bumps], turns, waves)  # fmt: skip


# --- values at given numbers -----------------------------------------------------------


def value_at(expression, values):
    """The value at given numbers, tensors or nested lists: `value_at(rhs, {k: keys, q: query})`.

    A float, or a complex number; of an integral, a mean under a normal law, a limit and an endless
    sum or product samples are taken, and what is narrow may stand between them. Inf or 0 beyond the
    range of floats, and what is below some 1e-50, or some 1e-15 where one of these or a root of
    what vanishes stands, may be what is left of 0. `IllFormed` where it is seen that there is none,
    or where the numeric route has no rule; `Undecided` where none is found to enough digits, as of
    a limit that does not settle; ValueError for values that are missing, are no numbers, or do not
    fit the axes of an array (whether they are of a letter's kind is not asked); TypeError where
    `values` is no mapping or `expression` no term. A number of SymPy's, such as √2, stands for the
    letter with all its digits; in an array it has to be a fraction or a Float.
    """
    if not isinstance(values, Mapping):
        raise TypeError(f"values: got a {type(values).__name__}, needs a dict {{symbol: value}}")
    if not isinstance(expression, sympy.Expr):
        raise TypeError(f"expression: got {expression!r}, needs a term")
    for f in sorted(expression.atoms(Smooth), key=str):
        raise IllFormed(f"There is no value there: {f} is a value of any function {f.name}")
    point = {x: _read(x, value) for x, value in values.items() if not isinstance(x, Array)}
    written = {x: value for x, value in point.items() if isinstance(value, sympy.Basic)}
    expression = substitute(expression, written)
    for symbol, value in values.items():
        if not isinstance(symbol, Array):
            continue
        point[symbol] = _rows(symbol, value)
        lengths = [max(axis) for axis in zip(*point[symbol])]
        if len(lengths) != len(symbol.shape):
            raise ValueError(f"{symbol}: got {len(lengths)} axes, needs {len(symbol.shape)}")
        for length, got in zip(symbol.shape, lengths):
            if isinstance(length, Size) and point.setdefault(length, got) != got:
                raise ValueError(f"{symbol}: got {got} for {length}, which is {point[length]} "
                                 "elsewhere")  # fmt: skip
            if length.is_Integer and length != got:
                raise ValueError(f"{symbol}: got {got} entries on an axis of length {length}")
    try:
        found = evaluate(expression, point)
    except Undefined as error:
        raise IllFormed(f"There is no value there: {error}") from None
    except NotImplementedError as error:
        raise IllFormed(f"The value is not computed: {error}") from None
    except Unreachable as error:
        raise Undecided(f"The value is out of reach: {error}") from None
    real = abs(mp.im(found.value)) <= found.error
    return float(mp.re(found.value)) if real else complex(found.value)


def _read(symbol, given):
    """The number that is given for a symbol or an entry."""
    try:
        x = given.item() if hasattr(given, "item") else given
        if isinstance(x, str):
            raise ValueError
        if isinstance(x, complex):
            return mpc(x)
        if isinstance(x, sympy.Float):
            return _read(symbol, x._to_mpmath(x._prec))
        if isinstance(x, sympy.Basic) and not x.is_Rational:
            if not (x.is_number and x.is_finite) or isinstance(symbol, Array):
                raise ValueError
            return x  # with as many digits as are asked for
        if isinstance(x, sympy.Basic):
            return Fraction(int(x.p), int(x.q))
        return Fraction(*map(int, to_rational(x._mpf_))) if isinstance(x, mpf) else Fraction(x)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        raise ValueError(f"{symbol}: got {given!r}, needs a number") from None


def _rows(symbol, rows, at=()):
    """A table {position: number} of nested lists, whose rows are all of one length."""
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if not isinstance(rows, (list, tuple)):
        return {at: _read(symbol, rows)}
    found = [_rows(symbol, row, (*at, n)) for n, row in enumerate(rows, 1)]
    if len({len(part) for part in found}) > 1:
        raise ValueError("the rows are of different lengths")
    return {place: x for part in found for place, x in part.items()}
