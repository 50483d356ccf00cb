"""The numeric route: the value of an expression at a point, to many digits.

SymPy's tree is read as syntax and nothing of SymPy is asked to compute: sums are loops, derivatives are central
differences at raised precision, integrals are quadrature, functions are mpmath's. So an error in the symbolic route
and an error here have no common cause.
"""

from functools import singledispatchmethod

import mpmath
from mpmath import mp, mpc, mpf
from sympy import (Add, Derivative, Dummy, Float, Indexed, Integral, KroneckerDelta, Limit, Max, Min, Mul, Piecewise,
                   Pow, Product, Rational, Subs, Sum, Symbol, exp)
from sympy.core.function import Application
from sympy.core.numbers import ComplexInfinity, ImaginaryUnit, Infinity, NaN, NegativeInfinity, NumberSymbol
from sympy.core.relational import Relational

from .language import Array, Named, Size

WORKING_DIGITS = 50
FAR = 10 ** 4
FUNCTIONS = {
    "Abs": abs, "re": mpmath.re, "im": mpmath.im, "conjugate": mpmath.conj, "sign": mpmath.sign, "loggamma": mpmath.loggamma,
    "besseli": mpmath.besseli, "LambertW": mpmath.lambertw, "polylog": mpmath.polylog, "zeta": mpmath.zeta, "erf": mpmath.erf,
    "factorial": mpmath.factorial, "gamma": mpmath.gamma, "binomial": mpmath.binomial, "FallingFactorial": mpmath.ff, "floor": mpmath.floor,
    **{name: getattr(mpmath, name) for name in (
        "exp", "sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "sech", "csch", "coth",
        "asin", "acos", "atan", "asinh", "acosh", "atanh")},
}


class Undefined(ArithmeticError):
    """The expression has no value at this point."""


class Inaccurate(ArithmeticError):
    """The value could not be found to enough digits, so this point says nothing for or against a statement."""


class Evaluator:
    """The values of expressions at one point: a number for each symbol, a table {indices: number} for each array."""

    def __init__(self, point):
        self.point = dict(point)

    def __call__(self, expression):
        try:
            value = self.value(expression)
        except mpmath.libmp.NoConvergence as error:
            raise Inaccurate(str(error)) from None
        except (ZeroDivisionError, ValueError, OverflowError) as error:
            raise Undefined(str(error) or type(error).__name__) from None
        if not mpmath.isfinite(value):
            raise Undefined(f"the value is {mpmath.nstr(value, 3)}")
        return value

    @singledispatchmethod
    def value(self, e):
        raise NotImplementedError(f"the numeric route has no rule for {type(e).__name__}: {e}")

    @value.register
    def _(self, e: Rational):
        return mpf(e.p) / e.q

    @value.register(ComplexInfinity)
    @value.register(NaN)
    def _(self, e):
        raise Undefined("division by 0")

    @value.register
    def _(self, e: Float):
        raise NotImplementedError(f"{e} is a rounded number; write it as a fraction")

    @value.register
    def _(self, e: NumberSymbol):
        return getattr(mp, {"Pi": "pi", "Exp1": "e", "EulerGamma": "euler"}[type(e).__name__]) * mpf(1)

    @value.register
    def _(self, e: ImaginaryUnit):
        return mpc(0, 1)

    @value.register(Infinity)
    @value.register(NegativeInfinity)
    def _(self, e):
        return mp.inf if isinstance(e, Infinity) else -mp.inf

    @value.register
    def _(self, e: Named):
        return self.value(e.meaning)

    @value.register
    def _(self, e: Symbol):
        return self.point[e]

    @value.register
    def _(self, e: Indexed):
        return self.point[e.base][self.position(e)]

    @value.register
    def _(self, e: Add):
        return mpmath.fsum(map(self.value, e.args))

    @value.register
    def _(self, e: Mul):
        return mpmath.fprod(map(self.value, e.args))

    @value.register
    def _(self, e: Pow):
        base, exponent = self.value(e.base), self.value(e.exp)
        if base == 0 and mpmath.re(exponent) < 0:
            raise ZeroDivisionError("division by 0")
        return base ** (int(exponent) if mpmath.isint(exponent) else exponent)

    @value.register
    def _(self, e: Application):
        name = type(e).__name__
        if name == "log":
            argument = self.value(e.args[0])
            if argument == 0:
                raise ZeroDivisionError("the logarithm of 0")
            return mpmath.log(argument)
        if name not in FUNCTIONS:
            raise NotImplementedError(f"the numeric route has no rule for the function {name}")
        return FUNCTIONS[name](*map(self.value, e.args))

    @value.register(Max)
    @value.register(Min)
    def _(self, e):
        return (max if isinstance(e, Max) else min)(map(self.value, e.args))

    @value.register
    def _(self, e: KroneckerDelta):
        return mpf(self.value(e.args[0]) == self.value(e.args[1]))

    @value.register
    def _(self, e: Piecewise):
        for branch, condition in e.args:
            if self.holds(condition):
                return self.value(branch)
        raise Undefined("no branch applies")

    @value.register
    def _(self, e: Sum):
        return self.accumulate(e, mpmath.fsum, mpmath.nsum)

    @value.register
    def _(self, e: Product):
        return self.accumulate(e, mpmath.fprod, mpmath.nprod)

    @value.register
    def _(self, e: Derivative):
        orders = {}
        for variable, count in e.variable_count:
            slot = (variable.base, self.position(variable)) if isinstance(variable, Indexed) else (variable, None)
            orders[slot] = orders.get(slot, 0) + int(self.value(count))
        slots = list(orders)
        start = tuple(self.point[s] if at is None else self.point[s][at] for s, at in slots)

        def function(*values):
            return self.at(dict(zip(slots, values)))(e.expr)
        if sum(orders.values()) == 0:
            return self.value(e.expr)
        if len(slots) == 1:
            value, finer = (self.difference(function, start[0], orders[slots[0]], finer) for finer in (1, 2))
        else:
            value, finer = (self.difference(function, start, tuple(orders.values()), finer) for finer in (1, 2))
        if not agree(value, finer):     # a step that is large for this function
            raise Inaccurate("two difference quotients differ")
        return value

    @staticmethod
    def difference(function, start, order, finer):
        """A central difference; its step is a rounding of the precision, which may be raised."""
        with mp.workprec(finer * mp.prec):
            return mpmath.diff(function, start, order)

    @value.register
    def _(self, e: Subs):
        if any(isinstance(v, Indexed) for v in e.variables):
            raise NotImplementedError(f"{e} puts a value in place of one entry of an array; differentiate along a direction instead")
        return self.at({(v, None): self.value(x) for v, x in zip(e.variables, e.point)}).value(e.expr)

    @value.register
    def _(self, e: Integral):
        if any(len(limit) != 3 for limit in e.limits):
            raise Undefined("an integral without limits is not a number")
        *rest, (variable, low, high) = e.limits
        inner = e.func(e.function, *rest) if rest else e.function
        low, high = self.value(low), self.value(high)

        here = Evaluator(self.point)
        inner = here.hoisted(inner, variable)

        def integrand(x):
            here.point[variable] = x
            return here.value(inner)
        for end in filter(mpmath.isinf, (low, high)):       # an integrand that keeps its sign and does not get small
            far = [mpmath.re(integrand(mpmath.sign(end) * FAR * (1 + mpf(n) / 7))) for n in range(8)]
            if min(far) > 0.5 or max(far) < -0.5:
                raise Undefined("the integral diverges")
        # An estimate of its own error misses a peak that all nodes miss; two sets of nodes do not agree by chance, if
        # they are asked to agree relative to what they see: between two peaks everything is nearly 0.
        seen = []
        mpmath.quad(lambda x: seen.append(abs(integrand(x))) or 0, self.pieces(low, high, mpf(5) / 7), maxdegree=4)
        scale = min(1, max(seen, default=0)) or 1
        value, other = (self.quadrature(lambda x: integrand(x) / scale, low, high, split) for split in (mpf(0), mpf(5) / 7))
        if not abs(value - other) <= mpf(10) ** -28 * (1 + abs(value)):
            raise Inaccurate("two quadratures differ")
        return scale * value

    def hoisted(self, e, variable):
        """The expression with what does not vary with a variable evaluated once, and kept at the point under a new symbol."""
        if not e.has(variable):
            constant = Dummy()
            self.point[constant] = self.value(e)
            return constant
        if e == variable or not isinstance(e, (Add, Mul, Pow, exp)):
            return e
        if isinstance(e, (Add, Mul)):
            fixed, varying = e.as_independent(variable, as_Add=isinstance(e, Add))
            parts = [self.hoisted(x, variable) for x in e.func.make_args(varying)]
            return e.func(*parts) if fixed == e.identity else e.func(self.hoisted(fixed, variable), *parts)
        return e.func(*(self.hoisted(x, variable) for x in e.args))

    @staticmethod
    def pieces(low, high, split):
        if mpmath.isfinite(low) and mpmath.isfinite(high):
            split = low + (high - low) * (split + 1) / 3
        return [low, split, high] if low < split < high else [low, high]

    def quadrature(self, integrand, low, high, split):
        value, error = mpmath.quad(integrand, self.pieces(low, high, split), error=True)
        if not error <= mpf(10) ** -25 * (1 + abs(value)):
            raise Inaccurate("the quadrature does not settle")
        return value

    @value.register
    def _(self, e: Limit):
        variable, target, side = e.args[1], self.value(e.args[2]), str(e.args[3])
        if mpmath.isinf(target):
            return mpmath.limit(lambda n: self.at({(variable, None): mpmath.sign(target) * n}).value(e.args[0]), mp.inf)
        step = -1 if side == "-" else 1
        return mpmath.limit(lambda n: self.at({(variable, None): target + step / mpf(n)}).value(e.args[0]), mp.inf)

    def accumulate(self, e, finite, infinite):
        """Loop over finite ranges; sum a single infinite one with acceleration."""
        (variable, low, high), *inner = reversed(e.limits)
        body = e.func(e.function, *e.limits[:-1]) if inner else e.function
        low, high = self.value(low), self.value(high)
        if not (mpmath.isint(low) and (mpmath.isint(high) or high == mp.inf)):
            raise Undefined("a range that does not begin and end at integers")

        def term(i):
            return self.at({(variable, None): mpf(i)}).value(body)
        if mpmath.isinf(high):      # extrapolation finds "sums" of divergent series as well
            far = FAR if body.has(Sum, Product) else FAR ** 2       # a loop so long would not end
            if not abs(term(int(low) + far) - (infinite == mpmath.nprod)) < 0.1:
                raise Undefined("the series diverges")
            return infinite(term, [int(low), mp.inf], strict=True, tol=mpf(10) ** -35, maxterms=500)
        if high < low - 1:
            raise Undefined(f"the range from {int(low)} to {int(high)} is shorter than empty")
        return finite(term(i) for i in range(int(low), int(high) + 1))

    def at(self, changes):
        """An evaluator at the point with some numbers replaced: {(symbol, None): x} or {(array, position): x}."""
        point = dict(self.point)
        for (symbol, position), value in changes.items():
            point[symbol] = value if position is None else {**point[symbol], position: value}
        return Evaluator(point)

    def position(self, indexed):
        position = tuple(int(self.value(i)) for i in indexed.indices)
        if indexed.base in self.point and position not in self.point[indexed.base]:
            raise Undefined(f"{indexed.base} has no entry {position}")
        return position

    def holds(self, condition):
        """The truth of a relation, to within the working precision."""
        if condition in (True, False):
            return bool(condition)
        if not isinstance(condition, Relational):
            raise NotImplementedError(f"the numeric route has no rule for the condition {condition}")
        left, right = self(condition.lhs), self(condition.rhs)
        equal = agree(left, right)
        return {"==": equal, "!=": not equal, "<": not equal and left < right, ">": not equal and left > right,
                "<=": equal or left < right, ">=": equal or left > right}[condition.rel_op]


def agree(left, right, digits=30):
    """Whether two numbers are the same to so many digits (absolutely below 1)."""
    return abs(left - right) <= mpf(10) ** -digits * max(1, abs(left), abs(right))


def value_at(expression, values):
    """The value of an expression at given numbers, tensors or nested lists: `value_at(rhs, {k: keys, q: query, b: 1})`."""
    def table(rows, at=()):
        if hasattr(rows, "tolist"):
            rows = rows.tolist()
        if not isinstance(rows, (list, tuple)):
            return {at: mpf(rows)}
        return {position: x for n, row in enumerate(rows, 1) for position, x in table(row, (*at, n)).items()}

    point = {}
    for symbol, value in values.items():
        point[symbol] = table(value) if isinstance(symbol, Array) else mpf(value)
        if isinstance(symbol, Array):
            lengths = [max(axis) for axis in zip(*point[symbol])]
            if len(lengths) != len(symbol.shape):
                raise ValueError(f"{symbol}: got {len(lengths)} axes, needs {len(symbol.shape)}")
            for size, length in zip(symbol.shape, lengths):
                if isinstance(size, Size) and point.setdefault(size, mpf(length)) != length:
                    raise ValueError(f"{symbol}: got {length} for {size}, which is {int(point[size])} elsewhere")
    with mp.workdps(WORKING_DIGITS):
        return float(Evaluator(point)(expression))
