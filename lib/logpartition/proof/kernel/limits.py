"""Limits that hold for all values of the symbols in them.

SymPy takes a symbol for a generic number: it may find that exp(a n)/(exp(a n) + exp(b n)) tends to
0. So it is asked about one variable alone, and where no value of the other symbols is special; else
the limits of parts are put together.
"""

import sys

from sympy import (
    Abs,
    Add,
    Derivative,
    Dummy,
    Float,
    Function,
    Max,
    Min,
    Mul,
    Poly,
    Pow,
    Rational,
    S,
    Subs,
    Symbol,
    cos,
    cosh,
    erf,
    exp,
    expand,
    expand_mul,
    gruntz,
    log,
    sin,
    sinh,
    tanh,
)
from sympy.core.numbers import ImaginaryUnit

from .context import FUNCTIONS
from .terms import free, moderate

ENTIRE = (exp, cos, sin, cosh, sinh, erf)
CONTINUOUS = (*ENTIRE, tanh, Abs, Max, Min)
ELEMENTARY = (*ENTIRE, tanh, log)
ENDLESS = (S.Infinity, S.NegativeInfinity)
UNBOUNDED = (S.NaN, S.ComplexInfinity, *ENDLESS)


CALLS = 500_000  # of functions, in which SymPy has to come to an answer


class _Enough(BaseException):
    """Too many calls. No Exception, so that SymPy does not catch it and try something else."""


def _gruntz(e, x, target, side):
    """The limit by Gruntz's algorithm, as a letter without a sign of its own tends to ∞, of powers
    written by logarithms; from both sides where that is asked. SymPy's other ways forget the side;
    its expansions are asked of the functions named here alone, and have to be borne out."""
    if side == "+-" and not target.is_infinite:
        left, right = (_gruntz(e, x, target, one) for one in "-+")
        return left if left == right else S.NaN
    y = Dummy("y", positive=True)
    ends = {S.Infinity: y, -S.Infinity: -y}
    e = e.xreplace({x: ends.get(target, target + (1 if side == "+" else -1) / y)})
    above = [p for p in e.atoms(Pow) if not isinstance(p, exp) and y in free(p.exp)]
    if len({p.base for p in above if p.base.is_number}) > 1:
        return S.NaN  # log 6 is log 2 + log 3, and may not look so
    e = e.xreplace({p: exp(p.exp * log(p.base), evaluate=False) for p in above})
    if any(y in free(f) and not isinstance(f, ELEMENTARY) for f in e.atoms(Function)):
        return S.NaN
    if len([f for f in e.atoms(Function, Pow) if _makes_a_number(f, y)]) > 1:
        return S.NaN
    found = bounded(lambda: gruntz(e, y, S.Infinity))
    known = not found.has(y, S.ImaginaryUnit) and bounded(lambda: _borne_out(e, y, found)) is True
    return found if known else S.NaN


def _makes_a_number(f, y):
    """Whether the expansion of a function or of a root of y at ∞ begins with a number that is not
    rational, perhaps: two of these may cancel, and not look so, as log 6 and log 2 + log 3 do."""
    root = isinstance(f, Pow) and not isinstance(f, exp)
    if y not in free(f) or f.args[0] == y or root and f.exp.is_Integer:
        return False
    inner = _gruntz(f.args[0], y, S.Infinity, "-")
    return inner != 1 if root or isinstance(f, log) else inner not in (S.Zero, *ENDLESS)


PLACES, DIGITS = (2**5, 2**7, 2**9), 150


def _borne_out(e, y, found):
    """Whether e comes ever nearer to its limit along three places: a number that is 0 and does not
    look so, to which Gruntz's algorithm is blind, would hold it back."""
    others = sorted(free(e) - {y}, key=str)
    at = {v: _sample(v, Rational(2 * k + 3, 7)) for k, v in enumerate(others)}
    values = [e.xreplace({**at, y: Float(place, DIGITS)}).evalf(30) for place in PLACES]
    if found in ENDLESS:
        first, second, third = (v * (1 if found == S.Infinity else -1) for v in values)
        return bool(third - second > (second - first) / 4 and second > first)
    first, _, third = (abs(v - found.xreplace(at).evalf(30)) for v in values)
    return bool(third < Rational(1, 10**15)) or bool(third < first * Rational(19, 20))


def _sample(v, value):
    number = Float(value.p if v.is_integer else value, DIGITS)
    return -number if v.is_negative else number


def bounded(question):
    """What SymPy answers; NaN where it fails, or takes too many calls of functions, which are as
    many on every machine."""
    before, left = sys.gettrace(), CALLS

    def counted(*_):
        nonlocal left
        left -= 1
        if left < 0:
            raise _Enough

    sys.settrace(counted)
    try:
        return question()
    except (Exception, _Enough):
        return S.NaN
    finally:
        sys.settrace(before)


def speakable(e):
    """Whether an answer of SymPy's is a number in the words of the language, evaluated."""
    if e in UNBOUNDED:
        return False
    known = isinstance(e, (Add, Mul, Pow, Symbol)) or e.is_number and not e.args
    return (known or type(e) in FUNCTIONS) and all(map(speakable, e.args))


def tends(e, x, target, side="-"):
    """What e tends to, ±∞ included, for all values of its other symbols and of its irrational
    numbers, whose relations nobody may know; NaN where it is not known, or where a letter may be no
    real number."""
    letters = e.atoms(Symbol, ImaginaryUnit)
    if e.has(Derivative, Subs) or not all(a.is_real for a in letters):
        return S.NaN
    numbers = {}
    found = _tends(_lettered(e, numbers), x, target, side)
    return found.xreplace({letter: number for number, letter in numbers.items()})


def _lettered(e, letters):
    """e with a letter of its sign for each irrational number in it."""
    if e.is_Rational or e.is_infinite or not e.args and not e.is_number:
        return e
    if e.is_number:
        signs = {"positive": True} if e.is_positive else {"negative": True} if e.is_negative else {}
        return letters.setdefault(e, Dummy(f"c{len(letters)}", real=e.is_real, **signs))
    if isinstance(e, exp):
        return exp(_lettered(e.args[0], letters))
    return e.func(*(_lettered(a, letters) for a in e.args))


def _tends(e, x, target, side):
    if x not in free(e):
        return e
    if free(e) == {x} or _regular(e, x, target):
        return _gruntz(e, x, target, side)
    if target == S.Infinity and (found := _grown(e, x)) is not None:
        return found
    parts = [_tends(a, x, target, side) for a in e.args]
    if isinstance(e, Add):
        return _sum(e, parts, x, target)
    if isinstance(e, Mul):
        return _product(e, parts, x, target, side)
    if isinstance(e, exp):
        return S.Zero if parts[0] == -S.Infinity else _if_finite(exp, parts)
    if isinstance(e, Pow):
        base, power = parts
        if power.is_Integer and power > 0:
            return _if_finite(Pow, parts)
        if not (base.is_positive and speakable(base)):
            return S.NaN
        if x not in free(e.exp):
            return base**power
        return _tends(exp(e.exp * log(e.base)), x, target, side)
    if isinstance(e, log):
        return log(parts[0]) if parts[0].is_positive and speakable(parts[0]) else S.NaN
    return _if_finite(e.func, parts) if isinstance(e, CONTINUOUS) else S.NaN


def _if_finite(f, parts):
    return f(*parts) if all(map(speakable, parts)) else S.NaN


def growth(e, x):
    """c, and real p and f, a polynomial, of a product c xᵖ exp(f(x)); None where e is none."""
    constant, power, exponent = S.One, S.Zero, S.Zero
    for f in Mul.make_args(e):
        base, n = f.as_base_exp()
        if x not in free(f):
            constant *= f
        elif base == x and x not in free(n):
            power += n
        elif isinstance(f, exp):
            exponent += expand(f.args[0], power_exp=False)
        else:
            return None
    known = exponent.is_polynomial(x) and moderate(exponent) and exponent.is_real and power.is_real
    return (constant, power, exponent) if known else None


def degree(polynomial, x):
    return Poly(polynomial, x).degree() if x in free(polynomial) else 0


def _grown(e, x):
    """The limit at ∞ of c xᵖ exp(a xᵏ + …): of the exponential, if there is one, else of the power;
    None where e is no such product, or a sign is not known."""
    if (parts := growth(e, x)) is None:
        return None
    constant, power, exponent = parts
    k = degree(exponent, x)
    leading = exponent.coeff(x, k) if k else power
    if leading.is_negative:
        return S.Zero
    if leading.is_positive and constant.is_nonzero and constant.is_real:
        sign = S.One if constant.is_positive else _if(constant.is_negative, -S.One)
        return sign * S.Infinity
    return None


def _sum(e, parts, x, target):
    endless = set(parts) & set(ENDLESS)
    if all(speakable(a) or a in ENDLESS for a in parts) and len(endless) < 2:
        return endless.pop() if endless else Add(*parts)
    if target == S.Infinity and e.is_real and e.is_polynomial(x) and moderate(e):
        leading = e.as_poly(x).LC()
        return S.Infinity if leading.is_positive else _if(leading.is_negative, -S.Infinity)
    return S.NaN


def _product(e, parts, x, target, side):
    """log a is a − 1, up to a factor that tends to 1, where a tends to 1."""
    near = [isinstance(f, log) and _tends(f.args[0], x, target, side) == 1 for f in e.args]
    if any(near):
        args = (f.args[0] - 1 if one else f for f, one in zip(e.args, near))
        return _tends(expand_mul(Mul(*args)), x, target, side)
    endless = [a for a in parts if a in ENDLESS]
    rest = Mul(*(a for a in parts if a not in ENDLESS))
    if not speakable(rest) or not endless:
        return rest if speakable(rest) else S.NaN
    sign = Mul(*endless)
    return sign if rest.is_positive else _if(rest.is_negative, -sign)


def _if(known, found):
    return found if known else S.NaN


def _regular(e, x, target):
    """Whether no value of the other symbols is special: e is a quotient of polynomials all of whose
    terms are positive; or, at a number, analytic apart from a pole, so that the powers below 0
    vanish for all values if they do for generic ones."""
    if target.is_infinite:
        sums = [f for f in e.atoms(Add) if x in free(f)]
        positive = all(a.is_positive for f in sums for a in f.args)
        return bool(x.is_positive and positive and e.is_rational_function(x))
    return _analytic(e, x, target) and speakable(_gruntz(e, x, target, "+"))


def _analytic(e, x, target, pole=True):
    """Whether e is analytic in x about a number, apart from powers of x − target, unless it is to
    have no `pole`: a function of what has one is not, as exp(1/x) at 0."""
    if x not in free(e) or e in (x, x - target):
        return True
    if isinstance(e, Pow) and not isinstance(e, exp):
        if x in free(e.exp):
            return False
        if e.exp.is_Integer and (e.exp > 0 or pole and e.base == x - target):
            return _analytic(e.base, x, target, pole)
        return _analytic_and_positive(e.base, x, target)
    if isinstance(e, log):
        return _analytic_and_positive(e.args[0], x, target)
    if isinstance(e, ENTIRE):
        return all(_analytic(a, x, target, pole=False) for a in e.args)
    return isinstance(e, (Add, Mul)) and all(_analytic(a, x, target, pole) for a in e.args)


def _analytic_and_positive(e, x, target):
    there = e.xreplace({x: target})
    return bool(there.is_positive) and speakable(there) and _analytic(e, x, target, pole=False)
