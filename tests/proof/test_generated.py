"""The trusted kernel on generated expressions, against an evaluation that shares nothing with it.

Each property is checked at random points of the context, with sizes from 1 to 3.
LOGPARTITION_AUDIT=full runs many more examples.
"""

import itertools
import signal
from contextlib import contextmanager
from fractions import Fraction as Q
from random import Random

import mpmath as mpm
import pytest
import sympy as sp
from mpmath import mp, mpc, mpf
from sympy import (
    Abs,
    Add,
    Derivative,
    Eq,
    Ge,
    Heaviside,
    Indexed,
    Integer,
    Integral,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Ne,
    Pow,
    Product,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    cos,
    cosh,
    exp,
    gamma,
    log,
    oo,
    preorder_traversal,
    re,
    sign,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
)  # fmt: skip
from sympy.functions.combinatorial.factorials import binomial, factorial
from whole import CASES

from logpartition.proof.errors import ProofError
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.kernel.defined import undefined
from logpartition.proof.kernel.normal import Normal
from logpartition.proof.kernel.terms import bound_by, free, rename, substitute
from logpartition.proof.kernel.theorem import prove
from logpartition.proof.language import (
    Array,
    Index,
    Named,
    Size,
    Smooth,
    Total,
    array,
    function,
    indices,
    sizes,
)  # fmt: skip

# --- an evaluation of its own: fractions where it can, thirty digits where it cannot -----------


class NoValue(Exception):
    "no value there"


class Unsure(Exception):
    "too near to a singularity to tell"


def num(x):
    if isinstance(x, Q):
        return mpf(x.numerator) / x.denominator
    return x


def iszero(x):
    if isinstance(x, Q):
        return x == 0
    if abs(x) == 0:
        return True
    if abs(x) < mpf(10) ** (-22 if mp.dps >= 30 else -9) and mp.dps <= 31:
        raise Unsure
    return False


def integer(x):
    if isinstance(x, Q) and x.denominator == 1:
        return int(x)
    if not isinstance(x, Q) and abs(x - mpm.nint(x.real)) < 1e-20:
        return int(mpm.nint(x.real))
    raise NoValue(f"{x} is not an integer")


def real(x):
    if isinstance(x, Q):
        return x
    if isinstance(x, mpc):
        if abs(x.imag) > mpf(10) ** -18 * (1 + abs(x)):
            raise NoValue("not real")
        return x.real
    return x


class Env:
    def __init__(self, table):
        self.table = table

    def but(self, **_):
        pass

    def put(self, key, v):
        return Env({**self.table, key: v})

    def __getitem__(self, k):
        return self.table[k]


def smooth(name, n, x):
    c = {"f": Q(1, 3), "g": Q(2, 5)}.get(name, Q(1, 2))
    x = num(x)
    return num(c) ** n * mpm.exp(num(c) * x) + mpm.sin(x + 1 + n * mp.pi / 2)


def value(e, env):
    f = value
    if e.is_Rational:
        return Q(int(e.p), int(e.q))
    if isinstance(e, sp.core.numbers.NumberSymbol):
        return mpm.mpf(e._to_mpmath(mp.prec + 10) if hasattr(e, "_to_mpmath") else mp.pi)
    if e is S.ImaginaryUnit:
        return mpc(0, 1)
    if e in (S.Infinity, S.NegativeInfinity, S.NaN, S.ComplexInfinity):
        raise NoValue(str(e))
    if isinstance(e, Symbol):
        return env[e]
    if isinstance(e, Indexed):
        at = tuple(integer(f(i, env)) for i in e.indices)
        for a, length in zip(at, e.base.shape):
            if not 1 <= a <= integer(f(length, env)):
                raise NoValue(f"{e} at {at}")
        return env[e.base][at]
    if isinstance(e, Add):
        t = Q(0)
        for a in e.args:
            t = plus(t, f(a, env))
        return t
    if isinstance(e, Mul):
        t = Q(1)
        for a in e.args:
            t = times(t, f(a, env))
        return t
    if isinstance(e, exp):
        x = f(e.args[0], env)
        return Q(1) if isinstance(x, Q) and x == 0 else mpm.exp(num(x))
    if isinstance(e, Pow):
        return power(f(e.base, env), f(e.exp, env))
    if isinstance(e, log):
        x = f(e.args[0], env)
        if iszero(x):
            raise NoValue("log 0")
        return mpm.log(num(x))
    if isinstance(e, Abs):
        return abs(f(e.args[0], env))
    if isinstance(e, sign):
        x = real(f(e.args[0], env))
        return Q(0) if iszero(x) else Q(1 if x > 0 else -1)
    if isinstance(e, Heaviside):
        x = real(f(e.args[0], env))
        if iszero(x):
            return Q(1, 2)
        return Q(1 if x > 0 else 0)
    if isinstance(e, (Max, Min)):
        return (max if isinstance(e, Max) else min)((real(f(a, env)) for a in e.args), key=num)
    if isinstance(e, KroneckerDelta):
        x, y = (f(a, env) for a in e.args)
        return Q(int(iszero(plus(x, times(Q(-1), y)))))
    if isinstance(e, factorial):
        x = f(e.args[0], env)
        if isinstance(x, Q) and x.denominator == 1:
            if x < 0:
                raise NoValue("factorial")
            return Q(int(mpm.factorial(int(x))))
        return mpm.gamma(num(x) + 1)
    if isinstance(e, binomial):
        x, n = f(e.args[0], env), integer(f(e.args[1], env))
        if n < 0:
            raise NoValue("falling by less than 0")
        t = Q(1)
        for c in range(n):
            t = times(times(t, plus(x, Q(-c))), Q(1, c + 1))
        return t
    if isinstance(e, gamma):
        x = f(e.args[0], env)
        if isinstance(x, Q) and x.denominator == 1 and x <= 0:
            raise NoValue("gamma")
        return mpm.gamma(num(x))
    if isinstance(e, (Sum, Product)):
        return ranged(e.function, list(e.limits), env, isinstance(e, Sum))
    if isinstance(e, Integral):
        return integral(e.function, list(e.limits), env)
    if isinstance(e, Subs):
        new = dict(env.table)
        new.update({v: f(x, env) for v, x in zip(e.variables, e.point)})
        return f(e.expr, Env(new))
    if isinstance(e, Total):
        return total(e, env)
    if isinstance(e, Smooth):
        return smooth(e.name, integer(f(e.order, env)), f(e.argument, env))
    if isinstance(e, Derivative):
        return derivative(e, env)
    if isinstance(e, re):
        return real_part(f(e.args[0], env))
    if isinstance(e, (sin, cos, sinh, cosh, tanh)):
        return getattr(mpm, type(e).__name__)(num(f(e.args[0], env)))
    if isinstance(e, Named):
        return f(e.meaning, env)
    raise NotImplementedError(type(e).__name__)


def real_part(x):
    return x.real if isinstance(x, mpc) else x


def plus(x, y):
    return x + y if isinstance(x, Q) and isinstance(y, Q) else num(x) + num(y)


def times(x, y):
    return x * y if isinstance(x, Q) and isinstance(y, Q) else num(x) * num(y)


def power(b, n):
    if isinstance(n, Q) and n.denominator == 1:
        if n < 0 and iszero(b):
            raise NoValue("1/0")
        if n == 0:
            return Q(1)
        return b ** int(n) if isinstance(b, Q) else b ** int(n)
    if iszero(b):
        if (n if isinstance(n, Q) else n.real) > 0:
            return Q(0)
        raise NoValue("0 to a power")
    return mpm.power(num(b), num(n))


def ranged(body, lims, env, add):
    if not lims:
        return value(body, env)
    v, low, high = lims[-1].args
    low, high = integer(value(low, env)), integer(value(high, env))
    if high < low - 1:
        raise NoValue(f"range from {low} to {high}")
    t = Q(int(not add))
    for n in range(low, high + 1):
        t = (plus if add else times)(t, ranged(body, lims[:-1], env.put(v, Q(n)), add))
    return t


def integral(body, lims, env):
    if not lims:
        return value(body, env)
    v, low, high = lims[-1].args
    rough = body.has(Abs, Max, Min)
    g = lambda x: num(integral(body, lims[:-1], env.put(v, x)))
    if low.is_infinite and high.is_infinite:
        with mp.workdps(15):
            return mpm.quad(g, [-mpm.inf, -3, 0, 3, mpm.inf], maxdegree=5)
    low, high = (num(real(value(x, env))) for x in (low, high))
    if low == high:
        return Q(0)
    cuts = {x for k, x in env.table.items() if isinstance(x, (Q, mpf))} | {Q(0)} if rough else set()
    cuts |= {-c for c in cuts}
    cuts = sorted(num(c) for c in cuts if min(low, high) < num(c) < max(low, high))
    if low > high:
        cuts.reverse()

    with mp.workdps(15):
        return mpm.quad(g, [low, *cuts, high], maxdegree=5)


def total(e, env):
    A = e.base
    shape = [integer(value(n, env)) for n in A.shape]
    cells = list(itertools.product(*(range(1, n + 1) for n in shape)))
    if A.domain == "normal":
        if len(cells) > 2:
            raise Unsure

        def go(cs, have):
            if not cs:
                return num(value(e.function, env.put(A, have)))
            return mpm.quad(
                lambda x: go(cs[1:], {**have, cs[0]: x}) * mpm.exp(-x * x / 2),
                [-12, -4, 0, 4, 12],
                maxdegree=4,
            ) / mpm.sqrt(2 * mp.pi)

        with mp.workdps(15):
            return +go(cells, {})
    if isinstance(A.domain, tuple):
        vals = [value(x, env) for x in A.domain]
    else:
        vals = [Q(n) for n in range(1, integer(value(A.domain, env)) + 1)]
    t = Q(0)
    if len(vals) ** len(cells) > 300:
        raise Unsure
    for c in itertools.product(vals, repeat=len(cells)):
        t = plus(t, value(e.function, env.put(A, dict(zip(cells, c)))))
    return t


def derivative(e, env):
    orders = {}
    for v, n in e.variable_count:
        key = (
            v
            if isinstance(v, Symbol)
            else (v.base, tuple(integer(value(i, env)) for i in v.indices))
        )
        n = integer(value(n, env))
        if n < 0:
            raise NoValue("order")
        orders[key] = orders.get(key, 0) + n
    orders = {k: n for k, n in orders.items() if n}
    if sum(orders.values()) > 5 or orders and e.expr.has(Integral):  # of which 15 digits are known
        raise Unsure
    if not orders:
        return value(e.expr, env)
    keys = list(orders)

    def at(*xs):
        new = dict(env.table)
        for k, x in zip(keys, xs):
            if isinstance(k, tuple):
                new[k[0]] = {**new[k[0]], k[1]: x}
            else:
                new[k] = x
        return num(value(e.expr, Env(new)))

    x0 = tuple(num(env[k[0]][k[1]]) if isinstance(k, tuple) else num(env[k]) for k in keys)
    value(e.expr, env)
    if len(keys) == 1:
        return mpm.diff(at, x0[0], orders[keys[0]])
    return mpm.diff(at, x0, tuple(orders[k] for k in keys))


# ---- points
VALUES = [Q(0), Q(1), Q(-1), Q(1, 2), Q(2), Q(-3, 2), Q(2, 3), Q(-1, 3), Q(3)]
POS = [Q(1), Q(1, 2), Q(2), Q(3, 2), Q(2, 3), Q(1, 3)]


def pick_value(kind, pick):
    if kind.is_integer:
        if kind.is_positive:
            return Q(pick(3) + 1)
        if kind.is_nonnegative:
            return Q(pick(4))
        return Q(pick(6) - 2)
    if kind.is_positive:
        return POS[pick(len(POS))]
    if kind.is_negative:
        return -POS[pick(len(POS))]
    if kind.is_nonnegative:
        return [Q(0), *POS][pick(7)]
    if kind.is_nonzero:
        return VALUES[1:][pick(len(VALUES) - 1)]
    return VALUES[pick(len(VALUES))]


def make_point(things, pick):
    """Values for symbols and arrays (a set of free things), sizes first."""
    t = {}
    everything = set(things)
    for a in list(everything):
        if isinstance(a, Array):
            everything |= free(a)
    lengths = dict(RANGE)
    for s_ in sorted((x for x in everything if isinstance(x, Size)), key=str):
        t[s_] = Q([1, 2, 3, 1][pick(4)])
    for s_ in [N, d]:
        t.setdefault(s_, Q([2, 1, 3][pick(3)]))
    for s_ in sorted(
        (x for x in everything if isinstance(x, Symbol) and not isinstance(x, Size)), key=str
    ):
        if isinstance(s_, Index):
            t[s_] = Q(1 + pick(int(t[lengths[s_.name]])))
        else:
            t[s_] = pick_value(s_, pick)
    env = Env(t)
    for a in sorted((x for x in everything if isinstance(x, Array)), key=str):
        shape = [integer(value(n, env)) for n in a.shape]
        cells = list(itertools.product(*(range(1, n + 1) for n in shape)))
        if a.domain == "positive":
            c = {x: POS[pick(len(POS))] for x in cells}
        elif a.domain == "simplex":
            raw = [Q(1 + pick(3)) for x in cells]
            c = {x: r / sum(raw) for x, r in zip(cells, raw)}
        elif isinstance(a.domain, tuple):
            c = {x: value(a.domain[pick(len(a.domain))], env) for x in cells}
        elif isinstance(a.domain, Size):
            c = {x: Q(1 + pick(int(t.setdefault(a.domain, Q(2))))) for x in cells}
        else:
            c = {x: VALUES[pick(len(VALUES))] for x in cells}
        if a.symmetric:
            c = {x: c[tuple(sorted(x))] for x in cells}
        t[a] = c
    return Env(t)


# ---- expressions
N, d = sizes("N d")
T, H = sizes("T H")
i, j, l = indices("i j l")
a, b, c = indices("a b c")
RANGE = {"i": N, "j": N, "l": N, "a": d, "b": d, "c": d}
x, y, t = symbols("x y t", real=True)
beta = Symbol("beta", positive=True)
z0 = Symbol("z0", nonzero=True, real=True)
n = Symbol("n", integer=True, positive=True)
m = Symbol("m", integer=True, nonnegative=True)
k = array("k", N, d)
q = array("q", d)
s = array("s", N)
w = array("w", N, domain="positive")
p = array("p", N, domain="simplex")
A = array("A", d, d, domain="symmetric")
r = array("r", N + 1)
W = array("W", d, domain="positive")
bits = array("bits", d, domain=(0, 1))
spin = array("spin", N, domain=(-1, 1))
draw = array("draw", d, domain=N)
g = array("g", d, domain="normal")
F = function("f")
u = Symbol("u", real=True)
mm = Symbol("mm", integer=True)


class Gen:
    """Expressions from a source of choices. axes: index name -> axis it may stand on."""

    def __init__(self, pick):
        self.pick = pick

    def of(self, xs):
        return xs[self.pick(len(xs))]

    def idx(self, axis, sc):
        own = [v for v, ax in sc if ax == axis]
        free_ = [i, j] if axis == N else [a, b]
        return self.of(own[::-1] * 3 + free_ + ([Integer(1), axis] if self.pick(3) == 0 else []))

    def leaf(self, sc):
        o = self.pick(15)
        own = [v for v, ax in sc if ax != "array"]
        if o == 0:
            return Integer(self.of([1, 2, -1, 3, 0]))
        if o == 1:
            return self.of([x, t, y])
        if o == 2:
            return beta
        if o == 3:
            return q[self.idx(d, sc)]
        if o == 4:
            return s[self.idx(N, sc)]
        if o == 5:
            return k[self.idx(N, sc), self.idx(d, sc)]
        if o == 6:
            return w[self.idx(N, sc)]
        if o == 7:
            return p[self.idx(N, sc)]
        if o == 8:
            return A[self.idx(d, sc), self.idx(d, sc)]
        if o == 9:
            return r[self.idx(N, sc) + self.pick(2)]
        if o == 10:
            return self.of([n, m, N, z0, Rational(1, 2)])
        if o >= 11 and own:
            v = self.of(own)
            return v
        extra = [X for X, ax in sc if ax == "array"]
        if extra:
            X = self.of(extra)
            return X[self.idx(X.shape[0], sc)]
        return self.of([x, q[self.idx(d, sc)], s[self.idx(N, sc)], w[self.idx(N, sc)]])

    def pos(self, depth, sc):
        o = self.pick(9 if depth > 0 else 4)
        if o == 0:
            return beta
        if o == 1:
            return w[self.idx(N, sc)]
        if o == 2:
            return p[self.idx(N, sc)]
        if o == 3:
            return self.of([N, n, Integer(2), Rational(1, 2), W[self.idx(d, sc)]])
        if o == 4:
            return exp(self.real(depth - 1, sc))
        if o == 5:
            return self.real(depth - 1, sc) ** 2 + 1
        if o == 6:
            return self.pos(depth - 1, sc) + self.pos(depth - 1, sc)
        if o == 7:
            return self.pos(depth - 1, sc) * self.pos(depth - 1, sc)
        return self.ranged(depth - 1, sc, Sum, self.pos)

    def whole(self, sc):
        own = [v for v, ax in sc if ax != "array" and ax != "real"]
        return self.of([n, m, Integer(2), Integer(3), N, m + 1, n - 1] + own)

    def limit(self, sc):
        o = self.pick(12)
        names = [i, j, l]
        v = self.of(names)
        on = [w_ for w_, ax in sc if ax == N] + [i]
        if o in (0, 1):
            return v, Integer(1), N, N
        if o in (2, 3):
            v = self.of([a, b, c])
            return v, Integer(1), d, d
        if o == 4:
            return v, Integer(2), N, N
        if o == 5:
            return v, Integer(1), N - 1, N
        if o == 6:
            return mm, Integer(0), self.of([n, m]), "int"
        if o == 7:
            return mm, Integer(1), self.of([n, m, N]), "int"
        if o == 8:
            return mm, Integer(self.pick(2)), Integer(self.pick(4)), "int"
        outer = self.of(on)
        v = self.of([z for z in names if z != outer])
        if o == 9:
            return v, Integer(1), outer - 1, N
        if o == 10:
            return v, Integer(1), outer, N
        return v, outer + 1, N, N

    def ranged(self, depth, sc, kind, body):
        v, low, high, ax = self.limit(sc)
        inner = [(z, az) for z, az in sc if z != v] + [(v, ax)]
        if self.pick(4) == 0:
            v2, low2, high2, ax2 = self.limit(inner)
            if v2 != v and v2 not in free(low) | free(high):
                inner2 = [(z, az) for z, az in inner if z != v2] + [(v2, ax2)]
                return kind(body(depth, inner2), (v2, low2, high2), (v, low, high))
        return kind(body(depth, inner), (v, low, high))

    def real(self, depth, sc):
        if depth <= 0:
            return self.leaf(sc)
        R = lambda: self.real(depth - 1, sc)
        o = self.pick(34)
        if o < 4:
            return R() + R()
        if o < 8:
            return R() * R()
        if o < 9:
            return R() - R()
        if o == 9:
            return R() ** self.of([2, 3, m, n, m + 1, n - 1, 2 * m])
        if o == 10:
            return R() / self.pos(depth - 1, sc)
        if o == 11:
            return self.pos(depth - 1, sc) ** self.of(
                [S.Half, x, Rational(3, 2), -n, m, Rational(-1, 2), beta]
            )
        if o == 12:
            return exp(R())
        if o == 13:
            return log(self.pos(depth - 1, sc))
        if o < 19:
            return self.ranged(depth - 1, sc, Sum, self.real)
        if o == 19:
            return self.ranged(depth - 1, sc, Product, self.of([self.real, self.pos]))
        if o == 20:
            ax = self.of([N, d])
            return KroneckerDelta(self.idx(ax, sc), self.idx(ax, sc)) * R()
        if o == 21:
            return Abs(R())
        if o == 22:
            return self.of([Max, Min])(R(), R())
        if o in (23, 24):
            return self.derivative(depth, sc)
        if o == 25:
            return Subs(self.real(depth - 1, sc + [(u, "real")]), u, R())
        if o == 26:
            return self.integral(depth, sc)
        if o == 27:
            return self.total(depth, sc)
        if o == 28:
            return F(R(), order=self.of([0, 1, m]))
        if o == 29:
            return factorial(self.whole(sc))
        if o == 30:
            return binomial(self.of([self.whole(sc), x, N]), self.whole(sc))
        if o == 31:
            return sqrt(self.real(depth - 1, sc) ** 2)
        if o == 32:
            own = [v for v, ax in sc if ax == N]
            return R() / self.of(
                [x - y, z0, x**2 + 1, (self.of(own + [i]) + 1), self.of(own + [i])]
            )
        D = self.of([x, t])
        return Subs(Derivative(self.real(depth - 1, sc), D), D, R())

    def derivative(self, depth, sc):
        v = self.of(
            [
                x,
                t,
                beta,
                q[self.idx(d, sc)],
                s[self.idx(N, sc)],
                w[self.idx(N, sc)],
                k[self.idx(N, sc), self.idx(d, sc)],
            ]
        )
        body = self.of(
            [
                lambda: self.real(depth - 1, sc),
                lambda: exp(v * self.leaf(sc)) * self.real(depth - 1, sc),
                lambda: exp(v * self.leaf(sc)),
                lambda: F(v * self.leaf(sc)),
                lambda: log(1 + exp(self.real(depth - 1, sc))),
            ]
        )()
        if self.pick(4) == 0:
            v2 = self.of([x, t, beta, q[self.idx(d, sc)], s[self.idx(N, sc)]])
            return Derivative(body, v, v2)
        return Derivative(body, (v, self.of([1, 1, 2, 3, n, m])))

    def integral(self, depth, sc):
        sc2 = sc + [(u, "real")]
        body = self.of(
            [
                lambda: self.real(1, sc2),
                lambda: u ** self.pick(3) * self.leaf(sc),
                lambda: exp(u * self.leaf(sc)),
                lambda: Abs(u - self.leaf(sc)),
                lambda: self.real(depth - 1, sc2),
                lambda: F(u * self.leaf(sc), order=1),
            ]
        )()
        if self.pick(4) == 0:
            return Integral(u ** self.pick(3) * exp(-beta * u**2 + self.leaf(sc) * u), (u, -oo, oo))
        low, high = self.of(
            [(0, 1), (0, t), (x, y), (1, t), (0, beta), (-1, 1), (1, -2), (-beta, 0)]
        )
        return Integral(body, (u, low, high))

    def total(self, depth, sc):
        X = self.of([bits, spin, draw, g])
        sc2 = sc + [(X, "array")]
        v = self.of([a, b] if X.shape[0] == d else [i, j])
        f = self.of(
            [
                lambda: exp(Sum(X[v] * self.leaf([(v, X.shape[0])]), (v, 1, X.shape[0]))),
                lambda: Sum(X[v] * self.leaf(sc + [(v, X.shape[0])]), (v, 1, X.shape[0])) ** 2,
                lambda: self.real(depth - 1, sc2),
                lambda: (
                    Product(1 + X[v] ** 2 * self.pos(0, [(v, X.shape[0])]), (v, 1, X.shape[0]))
                    * X[self.idx(X.shape[0], sc)]
                ),
                lambda: exp(x * Sum(X[v], (v, 1, X.shape[0]))) * self.real(depth - 1, sc2),
            ]
        )()
        if X is draw and self.pick(2):
            f = f * s[draw[self.idx(d, sc)]]
        return Total(f, X)

    def hypotheses(self):
        out = []
        for _ in range(self.pick(3)):
            out.append(
                self.of(
                    [
                        x <= y,
                        x < y,
                        x > 0,
                        Abs(x) < 1,
                        x >= -1,
                        t >= 1,
                        Ne(x, y),
                        Eq(x, y + 1),
                        Eq(t, 2 * x),
                        q[a] >= 0,
                        s[i] <= w[i],
                        s[i] < 1,
                        Eq(Sum(s[i], (i, 1, N)), 0),
                        Eq(s[i], w[i] ** 2),
                        Eq(q[a], x * W[a]),
                        Ne(q[a], 0),
                        Ge(N, 2),
                        x <= Sum(w[i], (i, 1, N)),
                        Eq(Sum(q[a] ** 2, (a, 1, d)), 1),
                        k[i, a] >= 0,
                        Eq(Sum(k[i, a] * q[a], (a, 1, d)), s[i]),
                        Ge(m, 1),
                        x >= sqrt(beta),
                    ]
                )
            )
        return out


# --- properties ---------------------------------------------------------------------------------


class Nothing(Exception):
    "The example says nothing: it is not of the kind, or takes too long."


def assume(condition):
    if not condition:
        raise Nothing


@contextmanager
def at_most(seconds):
    """Of this process's own time, so that a busy machine sees the same examples."""

    def late(*_):
        raise Nothing

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def holds(f, env):
    """Whether a fact holds at a point, for all values of its indices."""
    ranges = [
        range(1, int(env[RANGE[v.name]]) + 1) if isinstance(v, Index) else [env[v]]
        for v in f.variables
    ]
    for values in itertools.product(*ranges):
        here = Env({**env.table, **dict(zip(f.variables, map(num, values)))})
        gap = num(value(f.right, here)) - num(value(f.left, here))
        if not {"=": abs(gap) < 1e-15, "≤": gap >= 0, "<": gap > 0, "≠": gap != 0}[f.relation]:
            return False
    return True


def points(pick, context, expressions, wanted=3):
    """Points of the context."""
    things = set().union(*map(free, expressions), *(f.free for f in context.facts))
    found = []
    for _ in range(12):
        env = make_point(things, pick)
        try:
            if all(holds(f, env) for f in context.facts):
                found.append(env)
        except (NoValue, Unsure, KeyError):
            continue
        if len(found) == wanted:
            break
    return found


def at(e, env):
    """The value, or None where there is none."""
    try:
        return num(value(e, env))
    except (NoValue, ZeroDivisionError):
        return None


def close(u, v, e):
    loose = e.has(Integral, Total, Derivative)
    return (
        u is not None
        and v is not None
        and abs(u - v) <= mpf(10) ** (-6 if loose else -11) * (1 + abs(u) + abs(v))
    )


def told(e, given_, env, *values):
    where = {
        str(key): v if not isinstance(v, dict) else {c: str(x) for c, x in v.items()}
        for key, v in env.table.items()
    }
    return f"{e} given {given_} at {where}: {values}"


class Case:
    """A generated expression in its context, with hypotheses, and points."""

    def __init__(self, seed, depth=3):
        draw = Random(seed)
        self.pick = lambda n: draw.randrange(n) if n > 1 else 0
        self.gen = Gen(self.pick)
        self.given = self.gen.hypotheses() if self.pick(2) else []
        self.raw = self.gen.real(1 + self.pick(depth), [])
        self.context, (self.core,) = elaborate([self.raw], [(h, ASSUMED) for h in self.given])
        self.normal = Normal(self.context)
        self.defined = undefined(self.core, self.normal) is None

    def points(self, *more):
        return points(self.pick, self.context, [self.core, *more])


def checked(count):
    """A property of a case, on generated cases; at least half of them have to say something."""

    def wrap(prop):
        def test():
            said, cases = 0, count * (40 if CASES else 1)
            for number in range(cases):
                try:
                    with at_most(2):
                        prop(Case(f"{prop.__name__} {number}"))
                    said += 1
                except (ProofError, Unsure, Nothing):
                    continue
            assert said >= cases / 2

        test.__name__, test.__doc__ = prop.__name__, prop.__doc__
        return test

    return wrap


@checked(30)
def test_normal_form_keeps_the_value(case):
    assume(case.defined)
    form = case.normal.form(case.core)
    again = case.normal.form(form)
    for env in case.points():
        v = at(case.core, env)
        assert v is not None, told(case.raw, case.given, env)
        assert close(v, at(form, env), case.core), told(
            case.raw, case.given, env, v, form, at(form, env)
        )
        assert close(v, at(again, env), case.core), told(case.raw, case.given, env, v, again)


@checked(30)
def test_signs_are_those_of_the_value(case):
    assume(case.defined)
    signs, form = case.normal.signs, case.normal.form(case.core)
    known = [q_ for q_ in ("positive", "nonnegative", "nonzero", "real")
             if getattr(signs, q_)(case.core) or getattr(signs, q_)(form)]  # fmt: skip
    slack = 1e-9 if case.core.has(Integral, Total, Derivative) else 1e-22
    for env in case.points():
        v = mpc(at(case.core, env))
        for quality in known:
            true = {"positive": v.real > -slack * (slack > 1e-20), "nonnegative": v.real >= -slack,
                    "nonzero": abs(v) > 0, "real": True}[quality]  # fmt: skip
            if quality != "nonzero":
                true = true and abs(v.imag) < 1e-15 * (1 + abs(v))
            assert true, told(case.raw, case.given, env, quality, v)


@checked(30)
def test_elaboration_keeps_the_value(case):
    assume(not case.context.definitions)
    for env in case.points():
        v = at(case.raw, env)
        if v is not None:
            assert close(v, at(case.core, env), case.raw), told(
                case.raw, case.given, env, v, case.core
            )


@checked(25)
def test_substitution_is_evaluation_at_a_value(case):
    """The term that is put in mentions names that are bound, and in two places at once."""
    term, other = case.gen.real(1, []), case.gen.real(0, [])
    assume(not term.has(Total))
    new = substitute(case.core, {x: term, t: other})
    env = make_point(free(case.core) | free(term) | free(other) | {x, t}, case.pick)
    try:
        inside = Env({**env.table, x: value(term, env), t: value(other, env)})
    except (NoValue, ZeroDivisionError):
        return
    if (
        isinstance(inside[x], Q)
        and isinstance(inside[t], Q)
        and (v := at(case.core, inside)) is not None
    ):
        assert close(v, at(new, env), case.core), told(case.core, term, env, new, v)


@checked(25)
def test_names_of_bound_variables_do_not_matter(case):
    new = case.raw.replace(
        lambda e: isinstance(e, (Sum, Product)) and len(e.limits) == 1,
        lambda e: rename(e, {v: type(v)(f"{v}o", **v._assumptions_orig) for v in bound_by(e)}),
    )
    context, (core,) = elaborate([new], [(h, ASSUMED) for h in case.given])
    assert core == case.core


@checked(30)
def test_nothing_false_is_proved(case):
    """The expression against its normal form with one part changed, in every relation."""
    assume(case.defined)
    form = case.normal.form(case.core)
    right = mutated(form, case.pick)
    relation = ["=", "≤", "<", "≥", ">"][case.pick(5)]
    right = [right, S.Zero, S.One][case.pick(3)] if relation != "=" else right
    try:
        prove(case.context, case.core, relation, right)
    except ProofError:
        return
    for env in case.points(right):
        u_, v_ = at(case.core, env), at(right, env)
        assert u_ is not None and v_ is not None, told(case.raw, case.given, env, relation, right)
        if relation == "=":
            assert close(u_, v_, case.core), told(
                case.raw, case.given, env, relation, right, u_, v_
            )
            continue
        gap = mpc(v_ - u_ if relation in "≤<" else u_ - v_)
        assert abs(gap.imag) < 1e-12 and gap.real > -1e-9 * (1 + abs(u_)), told(
            case.raw, case.given, env, relation, right, u_, v_)  # fmt: skip


def mutated(e, pick):
    parts = [
        z
        for z in preorder_traversal(e)
        if z.is_Rational or isinstance(z, (Add, Mul, Pow, Sum, Indexed))
    ]
    if not parts:
        return e + 1
    part = parts[pick(len(parts))]
    if part.is_Rational:
        new = [part + 1, -part, 2 * part][pick(3)]
    elif isinstance(part, (Add, Mul)):
        new = part.func(*part.args[1:])
    else:
        new = part.base if isinstance(part, Pow) else 2 * part
    try:
        return elaborate([e.xreplace({part: new})])[1][0]
    except (ProofError, ValueError, TypeError):
        return e + 1


def _found():
    """What generated expressions have found, each false at some point."""
    u_ = Symbol("u", real=True)
    yield Total(spin[1], spin), "=", 2**N * spin[1]
    yield Total(spin[1] * spin[N], spin), "=", S.Zero
    yield Derivative(exp(t * q[a]), (q[a], n)), "=", S.Zero
    yield Integral(Abs(u_), (u_, 1, -3)), "=", Integer(4)
    yield Integral(Abs(u_), (u_, 1, t)), "=", (t**2 - 1) / 2
    yield Integral(Abs(u_ - x), (u_, x, y)), "=", (x - y) ** 2 / 2
    yield Sum(Sum(1 / (i - 1), (j, 1, i - 1)) * w[i], (i, 1, N)), "=", Sum(w[i], (i, 1, N))
    yield sqrt(x), "≤", sqrt(x + 1)
    yield Integral(1 / ((u_ - t) ** 2 + 1), (u_, 0, 1)), "=", S.Zero
    yield Integral(1 / (u_ - x) ** 2, (u_, -1, 1)), "=", 1 / (x - 1) - 1 / (x + 1), Abs(x) < 1
    yield Sum(Abs(c - 2), (c, 1, d)), "=", Sum(mm, (mm, -1, d)) - 2 * d + 1


@pytest.mark.parametrize("claim", list(_found()), ids=str)
def test_what_was_found_is_not_proved(claim):
    left, relation, right, *hypotheses = claim
    with pytest.raises(ProofError):
        context, (left, right) = elaborate([left, right], [(h, ASSUMED) for h in hypotheses])
        prove(context, left, relation, right)
