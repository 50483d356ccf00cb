"""Two sides at a point to many more digits: y tanh 100 is y to the first 86."""

from fractions import Fraction

from mpmath import mp, mpf
from sympy import Add, Derivative, Indexed, Pow, erf, exp, log

from ..errors import Refuted, Undecided
from ..kernel.terms import RANGED, limits
from ..language import Array, Named
from .arithmetic import Undefined, Unreachable
from .evaluate import FUNCTIONS, KNOWN, _value
from .points import Point

FAR, LARGEST = 400, 300  # digits; also the largest argument of a function: tanh of it is not yet 1
LARGEST_OF_ERF, LEAST = 20, mpf(10) ** -6  # erf of the first is not yet 1, nor cos of the second
TERMS = 200  # of a sum, of which each is looked at


def farther(left, right, point):
    """An error unless the sides are equal at a point to many digits."""
    try:
        for side in (left, right):
            _demand_moderate(side, point)
        gaps = [_gap(left, right, point, FAR + 60 * turn, turn) for turn in (0, 1)]
    except (Undefined, Unreachable, ValueError) as error:
        raise Undecided(f"Numbers do not decide to {FAR} digits: at {point}, {error}") from None
    with mp.workdps(FAR):
        (gap, scale), (again, _) = gaps
        if abs(gap) <= scale * mpf(10) ** -LARGEST or abs(again) <= abs(gap) * mpf(10) ** -20:
            return
        if abs(gap - again) > abs(gap) * mpf(10) ** -6:
            raise Undecided(
                f"Numbers do not decide: at {point}, the sides are not known to {LARGEST} digits"
            )
        less = mp.nstr(gap, 5)
        raise Refuted(f"This is false: at {point}, the left side less the right side is {less}")


def _gap(left, right, point, digits, turn):
    """The difference of the sides, and how large they are."""
    with mp.workdps(digits):
        a, b = (mpf(1) * _value(side, point, digits, turn) for side in (left, right))
        return a - b, max(abs(a), abs(b))


def _demand_moderate(e, point):
    """Complain where a part of a sum is next to nothing beside another, or a function has a large
    argument, so that more digits would be needed."""
    if isinstance(e, RANGED):
        return _demand_moderate_terms(e, point)
    if isinstance(e, (Indexed, Array)):
        return
    meant = e.meaning if isinstance(e, Named) else e.expr if isinstance(e, Derivative) else None
    parts = e.args if meant is None else [meant]
    for part in parts:
        _demand_moderate(part, point)
    if isinstance(e, Add):
        _demand_beside([_value(part, point, 40, 0) for part in parts], _value(e, point, 40, 0))
    if isinstance(e, Pow) and not (isinstance(e, exp) or e.exp.is_Integer):
        _demand_moderate_power(*(_value(part, point, 40, 0) for part in e.as_base_exp()))
    if type(e) in FUNCTIONS or type(e) in KNOWN and not isinstance(e, log):
        sizes = [abs(_value(part, point, 40, 0)) for part in parts]
        if max(sizes) > (LARGEST_OF_ERF if isinstance(e, erf) else LARGEST):
            raise Unreachable(f"{type(e).__name__} of such a large number is out of reach")
        if any(0 < size < LEAST for size in sizes):
            raise Unreachable(f"{type(e).__name__} of such a small number is out of reach")


def _demand_moderate_terms(e, point):
    """The same of each term of a sum, and of the terms beside each other."""
    (variable, *ends), inner = limits(e)[-1], e.limits[:-1]
    low, high = (int(_value(end, point, 40, 0)) for end in ends)
    if high - low >= TERMS:
        raise Unreachable(f"a sum of more than {TERMS} terms is out of reach")
    body, sizes = e.func(e.function, *inner) if inner else e.function, []
    for n in range(low, high + 1):
        here = Point(point)
        here[variable] = n
        _demand_moderate(body, here)
        sizes.append(_value(body, here, 40, 0))
    _demand_beside(sizes, _value(e, point, 40, 0))


def _demand_moderate_power(base, exponent):
    """Complain of a power of e that is large, or next to nothing."""
    if base in (0, 1) and isinstance(base, (int, Fraction)) or not exponent:
        return
    with mp.workdps(40):
        size = abs(exponent * mp.log(mpf(1) * base))
    if not LEAST < size < LARGEST:
        raise Unreachable("a power of a number that is out of reach")


def _demand_beside(terms, whole):
    """Complain where a term of a sum, or all of it, is next to nothing beside another term."""
    sizes = [abs(x) for x in terms if x]
    if sizes and not isinstance(whole, (int, Fraction)) and abs(whole) < max(sizes) * LEAST:
        raise Unreachable("a sum whose terms cancel is out of reach")
    if sizes and min(sizes) < max(sizes) * mpf(10) ** -LARGEST:
        raise Unreachable("a term of a sum is next to nothing beside another")
