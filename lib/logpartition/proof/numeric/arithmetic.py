"""Numbers whose last digits are uncertain and say so, and truncated power series of them.

A value is computed twice, at two precisions. So that no rounding hides (1 + 10⁻⁹⁰ is 1 at 40
digits and at 60), every sum and every function changes its last bits at random: what is lost by
rounding differs between the two computations, and their difference shows the error. Integers are
exact. A sum of which rounding leaves nothing may have been anything smaller: with `bare` it is next
to nothing, and a value that then differs is not known.

A derivative is a coefficient of a power series: x becomes x + ε, with εⁿ⁺¹ = 0. Series are
nested, one level for each variable, so that mixed and repeated derivatives need nothing more.
"""

import math
from contextlib import contextmanager
from fractions import Fraction

import mpmath
from mpmath import mp, mpc, mpf
from mpmath.libmp import from_man_exp, mpf_add, mpf_sum

HUGE = 1500  # bits of an exponent; a function is not evaluated beyond
LOST = 48  # binary digits to which a sum is known, below which nothing is left of it
BARE = 100_000  # binary digits by which next to nothing is below all else
LARGE = 64  # from this exponent on, powers of series are not multiplied out


class Undefined(ArithmeticError):
    """The expression has no value at this point."""


class Unreachable(ArithmeticError):
    """The value is not found to enough digits: this point says nothing for or against."""


class Kink(ArithmeticError):
    """A function was differentiated where it may have no derivative."""


class Inexact(ArithmeticError):
    """The value is not a rational number that exact arithmetic finds."""


class Mode:
    """How numbers are computed now: `exact` with fractions only; `noise` makes the last bits;
    `work` counts how often integrands were evaluated; `lost` is whether nothing was left of a sum,
    to the `bits` asked for, where such are `watched`; with `bare` they are next to nothing."""

    exact, noise, work = False, 1, 0
    bits, watched, lost, bare = 0, True, False, False


@contextmanager
def watching(watched):
    """Whether sums of which nothing is left are noticed; not while a sequence settles, or nodes of
    an integral: what is left of their differences shows how far they are."""
    before, Mode.watched = Mode.watched, watched
    try:
        yield
    finally:
        Mode.watched = before


def wobble(magnitude, bits=None):
    """A number of random sign, some 2^(magnitude − bits); bits is the precision, if not given."""
    Mode.noise = (Mode.noise * 1103515245 + 12345) & 0x7FFFFFFF
    mantissa = ((Mode.noise >> 12) & 0x3FFF) | 0x4001
    shift = magnitude - (mp._prec if bits is None else bits) - 14
    return from_man_exp(-mantissa if Mode.noise & 0x800 else mantissa, shift)


def magnitude(x):
    """The exponent e of |x| < 2^e; None for 0."""
    if type(x) is mpf:
        _, man, exp, bc = x._mpf_
        return exp + bc if man else None
    if type(x) is mpc:
        parts = [m for m in map(magnitude, (x.real, x.imag)) if m is not None]
        return max(parts) + 1 if parts else None
    if type(x) is Series:
        return max((m for m in map(magnitude, x.c) if m is not None), default=None)
    if type(x) is Fraction:
        return x.numerator.bit_length() - x.denominator.bit_length() + 1 if x else None
    return x.bit_length() if x else None


def rough(x, bits=None):
    """x with its last bits changed; with `bits`, known to that many bits only."""
    if type(x) is mpf:
        m = magnitude(x)
        return x if m is None else mp.make_mpf(mpf_add(x._mpf_, wobble(m, bits), mp._prec, "n"))
    if type(x) is mpc:
        return mpc(rough(x.real, bits), rough(x.imag, bits))
    if type(x) is Series:
        return Series(x.level, [rough(c, bits) for c in x.c])
    return x


class Series:
    """c[0] + c[1] ε + … + c[n] εⁿ. The coefficients may be series of lower levels."""

    __slots__ = ("level", "c")

    def __init__(self, level, c):
        self.level, self.c = level, c


def level(x):
    return x.level if type(x) is Series else 0


def head(x):
    """The number that a series begins with."""
    while type(x) is Series:
        x = x.c[0]
    return x


def norm(x):
    return max(map(norm, x.c)) if type(x) is Series else abs(x)


def add(terms):
    """The sum, with uncertain last bits unless it is one of integers or fractions."""
    whole, rest, kinds = 0, [], set()
    for x in terms:
        if type(x) is int or type(x) is Fraction:
            whole += x
        else:
            rest.append(x)
            kinds.add(type(x))
    if not rest:
        return whole
    if Series in kinds:
        return _add_series([*rest, whole])
    if whole:
        rest.append(mpf(whole.numerator) / whole.denominator)
    if len(rest) == 1:
        return rest[0]
    if mpc in kinds:
        rest = [mpc(x) for x in rest]
        return mpc(add([x.real for x in rest]), add([x.imag for x in rest]))
    raw = [x._mpf_ for x in rest]
    largest = max((r[2] + r[3] for r in raw if r[1]), default=None)
    if largest is None:
        return mpf(0)
    total = mpf_sum([*raw, wobble(largest)], mp._prec, "n")
    if total[2] + total[3] < largest - Mode.bits + LOST and Mode.watched:
        Mode.lost = True
        if Mode.bare:
            total = wobble(-2 * abs(largest), BARE)
    return mp.make_mpf(total)


def _add_series(terms):
    top = max(map(level, terms))
    size = max(len(x.c) for x in terms if level(x) == top)
    columns = [[x.c[k] if k < len(x.c) else 0 for x in terms if level(x) == top]
               for k in range(size)]  # fmt: skip
    columns[0] += [x for x in terms if level(x) < top]
    return Series(top, [add(column) for column in columns])


def mul(x, y):
    if type(x) is not Series and type(y) is not Series:
        if type(x) is int and x == 0 or type(y) is int and y == 0:
            return 0
        return x * y
    a, b = level(x), level(y)
    if a < b:
        x, y, a, b = y, x, b, a
    if b < a:
        return Series(a, [mul(c, y) for c in x.c])
    return Series(a, [add([mul(x.c[i], y.c[k - i]) for i in range(k + 1)])
                      for k in range(len(x.c))])  # fmt: skip


def neg(x):
    return mul(-1, x)


def ratio(p, q):
    """p/q for integers."""
    if p % q == 0:
        return p // q
    return Fraction(p, q) if Mode.exact else mpf(p) / q


def expand(derivatives, x, n):
    """[f(x), f′(x), …, f⁽ⁿ⁾(x)], where `derivatives(x, n)` gives them for a number x."""
    if type(x) is not Series:
        return [rough(v) for v in derivatives(x, n)]
    order = len(x.c) - 1
    at_head = expand(derivatives, x.c[0], n + order)
    step, powers = Series(x.level, [0, *x.c[1:]]), [1]
    for _ in range(order):
        powers.append(mul(powers[-1], step))
    powers = [mul(ratio(1, math.factorial(i)), p) for i, p in enumerate(powers)]
    return [add([mul(at_head[m + i], p) for i, p in enumerate(powers)]) for m in range(n + 1)]


def power(x, n):
    """xⁿ for an integer n; the base is not 0 where n < 0."""
    if n < 0:
        return power(reciprocal(x), -n)
    if type(x) is Series and n > LARGE:

        def falling(a, m):
            return [math.perm(n, k) * power(a, n - k) for k in range(m + 1)]

        return expand(falling, x, 0)[0]
    if type(x) is Series:
        result = 1
        for bit in bin(n)[2:]:
            result = mul(result, result)
            result = mul(result, x) if bit == "1" else result
        return result
    if type(x) is int and n * x.bit_length() > 5000 or type(x) is Fraction and n > 400:
        x = inexact(x)
    return _far_power(x, n) if type(x) is mpf and n.bit_length() > STEPS else x**n


STEPS = 64  # squarings, which take longer than a logarithm of as many digits


def _far_power(x, n):
    """xⁿ for a large n, by a logarithm that has the digits of n besides."""
    if x == 0 or abs(x) == 1 or not mp.isfinite(x):
        return x**n
    with mp.extraprec(n.bit_length() + 20):
        found = mp.exp(n * mp.log(abs(x)))
    return -found if x < 0 and n % 2 else +found


def inexact(x):
    if Mode.exact:
        raise Inexact
    return mpf(x) if type(x) is int else x


def reciprocal(x):
    if type(x) is Series:

        def derivatives(a, n):
            found = [reciprocal(a)]
            for k in range(1, n + 1):
                found.append(-k * found[-1] * found[0])
            return found

        return expand(derivatives, x, 0)[0]
    if x == 0:
        raise Undefined("division by 0")
    if type(x) in (int, Fraction):
        return Fraction(1) / x if Mode.exact else mpf(1) / x
    return 1 / x


def too_large(x):
    m = magnitude(x)
    return m is not None and m > HUGE


def finite(x):
    if type(x) is Series:
        return all(map(finite, x.c))
    return type(x) in (int, Fraction) or mpmath.isfinite(x)


def is_fraction(x, fraction):
    """Whether a real number is a fraction, but for the last of the digits that it has."""
    digits = max(53, x._mpf_[3]) if isinstance(x, mpf) else 53
    with mp.workprec(2 * digits + 60):
        return abs(x - mpf(fraction.numerator) / fraction.denominator) <= mp.ldexp(
            abs(x), 6 - digits
        )
