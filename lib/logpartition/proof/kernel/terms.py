"""Terms with explicit binders: what is free, what is bound, and substitution that captures nothing.

Sums, products, integrals, limits, `Subs` and `Total` bind. A bound variable is a symbol of the
class `Bound`, named by the height of what it binds, so that terms that differ only in the names of
their bound variables are the same term; what is known of it is what its limits say.
"""

from functools import lru_cache
from itertools import count

from sympy import (
    Abs,
    Add,
    Basic,
    Derivative,
    Dummy,
    Indexed,
    Integral,
    KroneckerDelta,
    Limit,
    Max,
    Min,
    Mul,
    Pow,
    Product,
    S,
    Subs,
    Sum,
    Symbol,
    Tuple,
    cos,
    cosh,
    erf,
    exp,
    expand,
    factorial,
    gamma,
    log,
    sin,
    sinh,
    tanh,
)

from ..errors import IllFormed
from ..language import Array, Size, Smooth, Total

RANGED = (Sum, Product, Integral)
BINDERS = (*RANGED, Limit, Subs, Total)
_fresh = count()


SIGNED = (  # functions whose signs SymPy gets right; not binomial or atan, for two
    Add, Mul, Pow, exp, log, Abs, Max, Min, KroneckerDelta, factorial, gamma, erf,
    sin, cos, sinh, cosh, tanh,
)  # fmt: skip


def says(e, quality):
    """Whether SymPy's assumptions say that a term of arithmetic and of a few functions is
    `positive`, `nonnegative`, …"""
    return bool(_arithmetic(e) and getattr(e, f"is_{quality}"))


@lru_cache(50_000)
def _arithmetic(e):
    """Whether no binder, no function symbol, and no function with signs of its own occurs in e."""
    if isinstance(e, (Symbol, Indexed)) or e.is_number:
        return True
    return isinstance(e, SIGNED) and all(map(_arithmetic, e.args))


class Bound(Symbol):
    """A bound variable in canonical form: the n-th of a binder at this height."""

    def __new__(cls, height, place, **assumptions):
        symbol = super().__new__(cls, f"_{height}_{place}", **assumptions)
        symbol.height, symbol.place = height, place
        return symbol

    def __getnewargs_ex__(self):
        return (self.height, self.place), dict(self._assumptions_orig)


def limits(e):
    """The limits of a sum, product or integral as triples, the innermost first."""
    return [tuple(limit.args) for limit in e.limits]


def bound_by(e):
    """The variables that a binder binds."""
    if isinstance(e, RANGED):
        return tuple(limit[0] for limit in limits(e))
    if isinstance(e, Subs):
        return tuple(e.variables)
    if isinstance(e, Limit):
        return (e.args[1],)
    return (e.base,) if isinstance(e, Total) else ()


@lru_cache(100_000)
def free(e):
    """The symbols and arrays on which the value of an expression depends."""
    if isinstance(e, Symbol):
        return frozenset({e})
    if isinstance(e, Array):
        mentioned = [*e.shape, *[x for x in (e.of, e.domain) if isinstance(x, (Array, Size))]]
        return frozenset({e}).union(*map(free, mentioned))
    if isinstance(e, Indexed):
        return free(e.base).union(*map(free, e.indices))
    if isinstance(e, RANGED):
        inner = free(e.function)
        for variable, *ends in limits(e):
            inner = (inner - {variable}).union(*map(free, ends))
        return inner
    if isinstance(e, Subs):
        return (free(e.expr) - set(e.variables)).union(*map(free, e.point))
    if isinstance(e, Limit):
        return (free(e.args[0]) - {e.args[1]}) | free(e.args[2])
    if isinstance(e, Total):
        return (free(e.function) | free(e.base)) - {e.base}
    if isinstance(e, Smooth):
        return free(e.order) | free(e.argument)
    if isinstance(e, Derivative):
        counts = (free(v) | free(n) for v, n in e.variable_count)
        return free(e.expr).union(*counts)
    return frozenset().union(*map(free, e.args)) if e.args else frozenset()


@lru_cache(100_000)
def endless(e):
    """Whether infinity, or what is no number at all, occurs elsewhere than at the end of a range or
    as the target of a limit."""
    if not e.args:
        return e is S.NaN or bool(e.is_infinite)
    ends = ()
    if isinstance(e, RANGED):
        ends = tuple(end for _, *pair in limits(e) for end in pair)
    if isinstance(e, Limit):
        ends = (e.args[2],)
    parts = [e.args[0], *(x for x in ends if not x.is_infinite)] if ends else e.args
    return any(map(endless, parts))


def fresh(variable, **assumptions):
    """A variable that occurs nowhere else, with the same assumptions unless others are given."""
    known = assumptions or variable._assumptions_orig
    return Dummy(variable.name, dummy_index=10**9 + next(_fresh), **known)


def substitute(e, table):
    """e with its free symbols replaced, all at once; bound variables are renamed where they are
    in the way. A key may be an array: its value is then a function of the indices."""
    table = {old: new for old, new in table.items() if old in free(e) and new != old}
    if not table:
        return e
    if isinstance(e, Symbol):
        return table[e]
    if isinstance(e, Indexed):
        places = [substitute(i, table) for i in e.indices]
        return table[e.base](*places) if e.base in table else e.base[tuple(places)]
    if isinstance(e, BINDERS):
        return _under_binder(e, table)
    if isinstance(e, Derivative):
        return _in_derivative(e, table)
    return e.func(*(substitute(a, table) for a in e.args))


def counted(e):
    """A product of zeros by its value, 1 where the range is empty: SymPy takes it for 0."""
    if not isinstance(e, Product) or not e.function.is_zero:
        return e
    (_, low, high), *outer = limits(e)
    empty = KroneckerDelta(high - low + 1, S.Zero)
    return counted(Product(empty, *outer)) if outer else empty


def _under_binder(e, table):
    mine = bound_by(e)
    coming = frozenset().union(*(mentioned(new) for new in table.values()))
    apart = isinstance(e, (Subs, Limit))  # of which SymPy asks it of bound variables as well
    clash = [v for v in mine if apart or v in coming]
    if clash and isinstance(e, Total):
        raise IllFormed(f"a value mentions {e.base}, over whose values {e} sums")
    names = {v: fresh(v) for v in clash}
    e = rename(e, names) if clash else e
    inner = {old: new for old, new in table.items() if old not in bound_by(e)}
    if isinstance(e, RANGED):
        ends, known = [], dict(table)
        for variable, *between in reversed(limits(e)):  # at its ends a letter is one from outside
            ends.insert(0, (variable, *(substitute(x, known) for x in between)))
            known.pop(variable, None)
        return counted(e.func(substitute(e.function, known), *ends))
    if isinstance(e, Subs):
        points = Tuple(*(substitute(x, table) for x in e.point))
        return _named(at_place(substitute(e.expr, inner), e.variables, points), names)
    if isinstance(e, Limit):
        body, variable, target, side = e.args
        found = Limit(substitute(body, inner), variable, substitute(target, table), side)
        return _named(found, names)
    return Total(substitute(e.function, inner), e.base)


def _named(e, names):
    """A binder whose variables have the names that they had, where nothing else in it has them."""
    inside = e.atoms(Symbol)
    return rename(e, {new: v for v, new in names.items() if v not in inside})


def mentioned(new):
    """What a value may mention: its free symbols, or everything in it if it is a function."""
    return free(new) if isinstance(new, Basic) else getattr(new, "mentions", frozenset())


def at_place(e, variables, point):
    """e at a place; SymPy makes one of a place within a place, and the inner takes the outer."""
    if not isinstance(e, Subs):
        return Subs(e, variables, point)
    outer = {v: p for v, p in zip(variables, point) if v not in e.variables}
    inner = (substitute(p, dict(zip(variables, point))) for p in e.point)
    return Subs(e.expr, (*e.variables, *outer), (*inner, *outer.values()))


def rename(e, table):
    """A binder with other names for its own variables."""
    if isinstance(e, RANGED):
        changed, outer = [], {}
        for variable, *ends in reversed(limits(e)):  # a range is in the scope of the outer ones
            changed.insert(0, (table.get(variable, variable), *(_swap(x, outer) for x in ends)))
            outer.update({variable: table[variable]} if variable in table else {})
        return e.func(_swap(e.function, table), *changed)
    if isinstance(e, Subs):
        names = Tuple(*(table.get(v, v) for v in e.variables))
        return at_place(_swap(e.expr, table), names, e.point)
    if isinstance(e, Limit):
        body, variable, target, side = e.args
        return Limit(_swap(body, table), table.get(variable, variable), target, side)
    ((old, new),) = table.items()
    return Total(substitute(e.function, {old: _entries(new)}), new)


def _entries(array):
    def entry(*places):
        return array[places]

    entry.mentions = frozenset({array})
    return entry


def _swap(e, table):
    return substitute(e, {old: new for old, new in table.items() if isinstance(old, Symbol)})


def _in_derivative(e, table):
    """Names may change in place; at a value, the derivative is taken first and then evaluated."""
    pairs, point = [], {}
    for variable, n in e.variable_count:
        if isinstance(variable, Indexed):
            _demand_uncaptured(e, variable, table)
        new = substitute(variable, table) if isinstance(variable, Indexed) else table.get(variable)
        others = free(e) - {variable}
        if new is None and any(variable in mentioned(x) for x in table.values()):
            new = variable  # what comes in is constant under this derivative
        elif new is None:
            pairs.append((variable, substitute(n, table)))
            continue
        if isinstance(variable, Indexed) or _renames(variable, new, others, table):
            pairs.append((new, substitute(n, table)))
        else:
            stand_in = _at_least(variable, new)
            point[stand_in] = new
            table = {**table, variable: stand_in}
            pairs.append((stand_in, substitute(n, table)))
    whole = Derivative(substitute(e.expr, table), *pairs)
    return Subs(whole, tuple(point), tuple(point.values())) if point else whole


def _at_least(variable, place):
    """A letter for a variable at a place, of which no more is assumed than of the place."""
    known = _known_at(place) if isinstance(place, Basic) else set()
    if any(getattr(variable, f"is_{q}") and q not in known for q in ASSUMED):
        return fresh(variable, **{"integer" if variable.is_integer else "real": True})
    return fresh(variable)


def _demand_uncaptured(e, variable, table):
    """What is held while an entry of an array varies does not come to depend on that array."""
    base = getattr(substitute(variable, table), "base", None)
    held = free(e) - {variable.base}
    if base in held - set(table) or any(base in mentioned(table[x]) for x in held & set(table)):
        raise IllFormed(
            f"in {e}, a value that depends on {base} cannot take the place of what is held while "
            f"{variable} varies"
        )


def _renames(variable, new, others, table):
    """Whether a variable only changes its name."""
    if not isinstance(new, Symbol) or new._assumptions_orig != variable._assumptions_orig:
        return False
    values = (x for old, x in table.items() if old != variable)
    return new not in others and not any(new in mentioned(x) for x in values)


@lru_cache(100_000)
def height(e):
    """How deep binders are nested in an expression."""
    inner = max(map(height, e.args), default=0)
    return inner + isinstance(e, BINDERS)


def known_of(low, high, kind):
    """What the limits say of a variable of a sum ("sum") or an integral ("integral")."""
    whole = {"integer": True} if kind == "sum" else {"real": True}
    if kind == "integral" and not oriented(low, high):
        return whole
    if says(low, "positive"):
        return {**whole, "positive": True}
    if says(low, "nonnegative"):
        return {**whole, **({"nonnegative": True} if kind == "sum" else {"positive": True})}
    if kind == "integral" and says(high, "nonpositive"):
        return {**whole, "negative": True}
    return whole


def tending(variable, target):
    """What is known of the letter of a limit: it is a number beyond all bounds, or any."""
    known = {"integer": True} if variable.is_integer else {"real": True}
    return {**known, "positive": True} if target == S.Infinity else known


ASSUMED = ("positive", "nonnegative", "negative", "nonpositive", "nonzero")


@lru_cache(50_000)
def demand_honest(e):
    """Nothing is assumed of a bound variable but what its limits, or its place, say of it: as SymPy
    decides |k|, δ and roots by it wherever a term is built anew, also where the page shows k in a
    name."""
    for part in e.args:
        demand_honest(part)
    for variable, said in _said(e) if isinstance(e, BINDERS) else ():
        if more := [q for q in ASSUMED if getattr(variable, f"is_{q}") and q not in said]:
            whole = "an integer" if variable.is_integer else "a real"
            raise IllFormed(
                f"{variable} is assumed to be {more[0]}, and in {e} nothing says that it is: take "
                f"{whole} symbol for it of which no more is assumed"
            )


def _said(e):
    """The variables that a binder binds, each with what is known of its sign."""
    if isinstance(e, Subs):
        return [(v, _known_at(p)) for v, p in zip(e.variables, e.point)]
    if isinstance(e, Limit):
        _, variable, target, side = e.args
        return [(variable, _known_near(target, str(side)))]
    if isinstance(e, Total):
        return []
    between = _known_between if isinstance(e, Integral) else _known_from
    return [(v, between(*ends)) for v, *ends in limits(e) if len(ends) == 2]


def _known_at(place):
    return {q for q in ASSUMED if says(place, q)}


def _known_from(low, high):
    return _signs(says(low, "positive"), says(high, "negative"), says(low, "nonnegative"))


def _known_between(low, high):
    """Of what is strictly between two ends, in either order."""
    ordered = oriented(low, high)
    above = [end is S.Infinity or says(end, "nonnegative") for end in (low, high)]
    below = [end is S.NegativeInfinity or says(end, "nonpositive") for end in (low, high)]
    return _signs(all(above) or ordered and above[0], all(below) or ordered and below[1])


def _known_near(target, side):
    """Of what is not a target itself, but near it, on one side of it or on both."""
    up = target is S.Infinity or says(target, "positive")
    down = target is S.NegativeInfinity or says(target, "negative")
    up = up or side == "+" and says(target, "nonnegative")
    down = down or side == "-" and says(target, "nonpositive")
    return _signs(up, down) | ({"nonzero"} if target == 0 or says(target, "nonzero") else set())


def _signs(positive, negative, nonnegative=False):
    found = {"positive", "nonnegative", "nonzero"} if positive else set()
    found |= {"negative", "nonpositive", "nonzero"} if negative else set()
    return found | ({"nonnegative"} if nonnegative else set())


def oriented(low, high):
    """Whether the lower end of an integral is known to be the lower one."""
    return bool(low.is_infinite or high.is_infinite or says(high - low, "nonnegative"))


def at_height(e, level):
    """A binder whose variables carry the canonical names of a level, or of the next at which none
    of them stands free in it."""
    if isinstance(e, Total):
        return e
    table, taken = {}, {v.height for v in free(e) if isinstance(v, Bound)}
    level = next(n for n in count(level) if n not in taken)
    for place, variable in enumerate(bound_by(e)):
        table[variable] = Bound(level, place, **variable._assumptions_orig)
    return rename(e, table)


LARGE = 32  # up to this exponent, polynomials are factored in a short time


@lru_cache(20_000)
def moderate(e):
    """Whether SymPy's polynomials are short for a term: no letter, exponential or number in it is
    raised to a large power, as e is in exp(60 x − 900), which is exp(x)⁶⁰/e⁹⁰⁰ to them."""
    if isinstance(e, (Add, Mul)):
        return all(map(moderate, e.args))
    if not isinstance(e, (Pow, exp)):
        return True
    base, exponent = (S.One, e.args[0]) if isinstance(e, exp) else e.args
    if not (moderate(base) and moderate(exponent)):
        return False
    terms = Add.make_args(expand(exponent, power_exp=False))
    return all(abs(term.as_coeff_Mul()[0].p) <= LARGE for term in terms)


def tidy(body):
    """A product with one exponential, its exponent expanded, and the entries of a symmetric matrix
    in one form."""

    def ordered(x):
        return x.base[tuple(sorted(x.indices, key=str))]

    body = body.replace(lambda x: isinstance(x, Indexed) and x.base.symmetric, ordered)
    powers = [f for f in Mul.make_args(body) if isinstance(f, exp)]
    rest = [f for f in Mul.make_args(body) if not isinstance(f, exp)]
    whole = expand(Add(*(f.args[0] for f in powers)), power_exp=False)
    return Mul(exp(whole), *rest)
