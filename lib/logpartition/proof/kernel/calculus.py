"""Derivatives, integrals, limits and sums, evaluated inside normal forms.

Of what SymPy is believed to know here, a limit is an oracle with a name; its rules of
differentiation, and what it makes of Gamma functions where a series is asked whether it converges,
have none. Antiderivatives and closed forms of finite sums are only proposed by it: each of their
conditions has to follow from what is known, the derivative of an antiderivative has to be the
integrand, and a closed form has to be 0 where the sum is empty, and to grow with each further term
by that term.
"""

from sympy import (
    Abs,
    Add,
    And,
    Derivative,
    Dummy,
    Eq,
    Ge,
    Gt,
    Indexed,
    Integral,
    Le,
    Limit,
    Lt,
    Max,
    Min,
    Mul,
    Ne,
    Or,
    Piecewise,
    Pow,
    S,
    Subs,
    Sum,
    Symbol,
    arg,
    cos,
    cosh,
    exp,
    expand,
    expand_mul,
    gamma,
    gammasimp,
    integrate,
    pi,
    polar_lift,
    polygamma,
    sin,
    sinh,
    sqrt,
)
from sympy.core.function import Application
from sympy.logic.boolalg import BooleanAtom

from ..language import Index, Smooth, Total
from .context import FUNCTIONS
from .demands import demands
from .limits import bounded, degree, growth, speakable, tends
from .series import closed_form
from .signs import rename_apart
from .terms import (
    BINDERS,
    at_height,
    free,
    fresh,
    height,
    known_of,
    limits,
    moderate,
    says,
    substitute,
    tidy,
)


def value(normal, e):
    """The normal form of a derivative, an integral, a limit, or an expression at a point."""
    if isinstance(e, Derivative):
        return _derivative(normal, e)
    if isinstance(e, Subs):
        return _at_point(normal, e)
    if isinstance(e, Integral):
        return _integral(normal, e)
    return _limit(normal, e)


# --- derivatives -----------------------------------------------------------------------


def _derivative(normal, e):
    around = normal.under([v for v, _ in e.variable_count])
    inner = around.form(e.expr)
    pairs = [(v, n) for v, n in e.variable_count if n != 0]
    if not pairs:
        return inner
    if (known := normal.derived(Derivative(inner, *pairs))) is not None:
        return known
    if "derivatives" not in normal.powers:
        return Derivative(inner, *pairs)
    symbolic = [(v, n) for v, n in pairs if not n.is_Integer]
    for v, n in pairs:
        for _ in range(int(n) if n.is_Integer else 0):
            if (inner := _first(inner, v)) is None:
                return _kept(normal, e)
            inner = around.form(inner)
    for v, n in symbolic:
        inner = _of_symbolic_order(around, inner, v, n)
    return inner if inner.atoms(Derivative) else normal.form(inner)


def _first(e, v):
    """The first derivative, or None under a binder where differentiation is no matter of rules."""
    for x in e.atoms(Integral, Limit, Sum, Total):
        if v in free(x) or isinstance(v, Indexed) and v.base in free(x):
            infinite = isinstance(x, Sum) and any(h.is_infinite for _, _, h in limits(x))
            if infinite or isinstance(x, (Integral, Limit)):
                return None
            if isinstance(x, Total) and x.base.domain == "normal":
                return None
    found = e.diff(v)
    for f in found.atoms(Application) - e.atoms(Application):
        known = type(f) is polygamma and says(f.args[1], "positive")
        if type(f) not in {*FUNCTIONS, Smooth} and not known:
            return None  # a polygamma function has poles, and there a binomial may vanish
    return None if found.atoms(Derivative) - e.atoms(Derivative) else found


def _kept(normal, e):
    around = normal.under([v for v, _ in e.variable_count])
    return Derivative(around.form(e.expr), *e.variable_count)


def depends(e, v):
    """Whether an expression depends on a symbol, or on the array that an entry belongs to."""
    return (v.base if isinstance(v, Indexed) else v) in free(e)


def _of_symbolic_order(normal, inner, v, n):
    """The n-th derivative, n ≥ 1 a symbol: 0 of a constant; aⁿ f⁽ⁿ⁾(a v + b) of exp and of function
    symbols; term by term; and what goes beyond a symbol is taken first."""
    if isinstance(v, Indexed) and depends(inner, v):
        return Derivative(inner, (v, n))
    steps, rest = n.as_coeff_Add()
    if steps.is_Integer and steps > 0 and says(rest, "nonnegative"):
        for _ in range(int(steps)):
            if (slope := _first(inner, v)) is None:
                return Derivative(inner, (v, n))
            inner, n = normal.form(slope), n - 1
    if not depends(inner, v):
        return S.Zero if says(n, "positive") else Derivative(inner, (v, n))
    found = S.Zero
    for term in Add.make_args(expand_mul(inner)):
        outside, body = term.as_independent(v, as_Add=False)
        found += outside * _linear_chain(body, v, n)
    return found


def _linear_chain(body, v, n):
    if v not in free(body):
        return Derivative(body, (v, n)) if not says(n, "positive") else S.Zero
    argument = body.args[-1] if isinstance(body, (exp, Smooth)) else None
    if argument is not None and free(argument):
        slope = argument.diff(v)
        if v not in free(slope) and not slope.atoms(Derivative):
            if isinstance(body, exp):
                return slope**n * body
            if v not in free(body.order):
                return slope**n * Smooth(body.args[0], body.order + n, argument)
    return Derivative(body, (v, n))


def constants_gone(normal, e):
    """e without the combinations of n-th derivatives, n ≥ 1, of constants."""
    combined, rest = {}, []
    for term in Add.make_args(expand_mul(e)):
        found = [f for f in Mul.make_args(term) if isinstance(f, Derivative)]
        one = found[0] if len(found) == 1 and len(found[0].variable_count) == 1 else None
        v, n = one.variable_count[0] if one is not None else (None, None)
        if one is None or depends(term / one, v) or not says(n, "positive"):
            rest.append(term)
            continue
        combined[v, n] = combined.get((v, n), S.Zero) + term / one * one.expr
    for (v, n), whole in combined.items():
        around = normal.under([v])
        slope = _first(around.form(whole), v)
        if slope is None or not around.vanishes(slope):
            rest.append(Derivative(whole, (v, n)))
    return Add(*rest)


def by_rule(normal, e, variables, left, right):
    """A hypothesis about a derivative, under further derivatives in what it is stated for."""
    rest = left_over(e, variables, left)
    if rest is None:
        return None
    return normal.form(Derivative(right, *rest) if rest else right)


def left_over(e, variables, left):
    """The derivatives in e beyond those in the left side of a hypothesis, or None."""
    if left.expr != e.expr:
        return None
    more = dict(e.variable_count)
    for v, n in left.variable_count:
        if v not in more:
            return None
        more[v] -= n
        if not (more[v] == 0 or says(more[v], "positive")):
            return None
    rest = [(v, n) for v, n in more.items() if n != 0]
    for v, _ in rest:
        if (v.base if isinstance(v, Indexed) else v) not in variables:
            return None
    return rest


def _at_point(normal, e):
    e = rename_apart(e)
    if (known := _known_at(normal, e)) is not None:
        return known
    inner = normal.form(e.expr)
    point = [normal.form(x) for x in e.point]
    if inner.atoms(Derivative) and any(
        v in free(d) for d in inner.atoms(Derivative) for v in e.variables
    ):
        kept = Subs(inner, e.variables, tuple(point))
        return at_height(kept, height(kept))
    return normal.form(substitute(inner, dict(zip(e.variables, point))))


def _known_at(normal, e):
    """A result about a derivative at a point that meets its premises, or None."""
    if not isinstance(e.expr, Derivative) or len(e.variables) != 1:
        return None
    (x,), (value,) = e.variables, e.point
    for f in normal.context.facts:
        if f.relation != "=" or not isinstance(f.left, Derivative) or not f.premises:
            continue
        (v, n), *others = f.left.variable_count
        if others or v not in free(f.left.expr) or e.expr.variable_count != ((x, n),):
            continue
        if any(p.variables or any(isinstance(i, Index) for i in p.free) for p in f.premises):
            continue  # a premise for all values of an index, or of a letter
        if not normal.fits(value, v):
            continue
        if normal.form(substitute(f.left.expr, {v: x})) == normal.form(e.expr.expr):
            there = {v: value}
            if all(_meets(normal, p, there) for p in f.premises):
                return normal.form(substitute(f.right, there))
    return None


def _meets(normal, premise, there):
    left, right = (substitute(side, there) for side in (premise.left, premise.right))
    if demands(premise.left) | demands(premise.right):
        return False  # what has no value at the place may cancel to what meets it
    difference = normal.form(right - left)
    test = {"<": normal.signs.positive, "≤": normal.signs.nonnegative, "≠": normal.signs.nonzero}
    return premise.relation in test and test[premise.relation](difference)


# --- integrals -------------------------------------------------------------------------


def _opened(normal, e):
    """A single integral with a fresh variable, and the normal forms inside it."""
    ((variable, low, high),) = limits(e)
    low, high = normal.form(low), normal.form(high)
    new = fresh(variable, **known_of(low, high, "integral"))
    body = substitute(e.function, {variable: new})
    return body, new, low, high, normal.inside(new, *normal.signs.span(low, high))


def _integral(normal, e):
    if len(e.limits) > 1:
        return _iterated(normal, e)
    body, x, low, high, here = _opened(normal, e)
    body = here.form(body)
    if body == 0:
        return S.Zero
    if "integrals" not in normal.powers:
        return _kept_integral(body, x, low, high)
    if x not in free(body) and low.is_finite is not False and high.is_finite is not False:
        if normal.readable(body, normal) or normal.signs.nonzero(high - low):
            return normal.form(body * (high - low))
    for rule in (_fundamental, _gaussian, _gamma, _by_antiderivative):
        if (found := rule(normal, body, x, low, high)) is not None:
            return normal.form(found)
    return _kept_integral(body, x, low, high)


def _iterated(normal, e):
    """The inner integrals first, for each value of the outer variable."""
    *inner, (variable, low, high) = limits(e)
    new = fresh(variable, **known_of(low, high, "integral"))
    first = substitute(Integral(e.function, *inner), {variable: new})
    body = normal.inside(new, *normal.signs.span(low, high)).form(first)
    kept = _kept_integral(body, new, normal.form(low), normal.form(high))
    return normal.form(kept) if len(kept.limits) == 1 else kept


def _kept_integral(body, x, low, high):
    kept = Integral(body, (x, low, high))
    return at_height(kept, height(kept))


def _fundamental(normal, body, x, low, high):
    """The integral of f′ from a to b is f(b) − f(a), term by term, on a finite interval."""
    if any(end.is_finite is False or end.is_infinite for end in (low, high)):
        return None
    whole, rest = S.Zero, S.Zero
    for term in Add.make_args(expand_mul(body)):
        outside, inner = term.as_independent(x, as_Add=False)
        if isinstance(inner, Smooth) and says(inner.order, "positive"):
            slope = inner.argument.diff(x)
            if slope != 0 and x not in free(slope) and normal.signs.nonzero(slope):
                before = Smooth(inner.args[0], inner.order - 1, inner.argument) / slope
                whole += outside * (substitute(before, {x: high}) - substitute(before, {x: low}))
                continue
        rest += term
    if whole == 0:
        return None
    return whole + (Integral(rest, (x, low, high)) if rest != 0 else 0)


def _gaussian(normal, body, x, low, high):
    """∫ P(x) exp(A x² + B x + C) dx over the line, for a polynomial P and A < 0."""
    if (low, high) != (-S.Infinity, S.Infinity):
        return None
    total = S.Zero
    in_exp = body.replace(
        lambda f: isinstance(f, (cos, sin, cosh, sinh)) and x in free(f),
        lambda f: f.rewrite(exp, deep=False),
    )
    for term in Add.make_args(expand_mul(normal.form(in_exp))):
        outside, inner = term.as_independent(x, as_Add=False)
        powers = [f for f in Mul.make_args(inner) if isinstance(f, exp)]
        rest = Mul(*(f for f in Mul.make_args(inner) if not isinstance(f, exp)))
        exponent = expand(_linear_sums(Add(*(f.args[0] for f in powers)), x), power_exp=False)
        C, B, A = (exponent.coeff(x, n) for n in range(3))
        if expand(exponent - A * x**2 - B * x - C) != 0 or any(x in free(y) for y in (A, B, C)):
            return None
        if not normal.signs.positive(expand_mul(-A)):
            return None
        if not (rest.is_polynomial(x) and moderate(rest)):
            return None
        b = Dummy("b")
        master = sqrt(pi / -A) * exp(C - b**2 / (4 * A))
        coefficients = reversed(rest.as_poly(x).all_coeffs()) if x in free(rest) else [rest]
        for n, coefficient in enumerate(coefficients):
            moment = master.diff(b, n) if n else master
            total += outside * coefficient * moment.xreplace({b: B})
    return total


def _linear_sums(exponent, x):
    """Sums in an exponent with the powers of x taken out of them."""
    found = S.Zero
    for term in Add.make_args(expand(exponent, power_exp=False)):
        outside, inner = term.as_independent(Sum, as_Add=False)
        if isinstance(inner, Sum) and x in free(inner):
            body = expand(inner.function)
            parts = [body.coeff(x, n) for n in range(3)]
            if expand(body - Add(*(c * x**n for n, c in enumerate(parts)))) != 0:
                return exponent
            found += outside * Add(
                *(x**n * Sum(c, *inner.limits) for n, c in enumerate(parts) if c != 0)
            )
        else:
            found += term
    return found


def _believed(normal, oracle, found):
    """An answer of SymPy's that has a value at every point, with the oracle noted; else None."""
    if found is None or not normal.readable(found, normal):
        return None
    normal.oracles.add(f"SymPy: {oracle}")
    return found


def _integrable(normal, f, x, end, inwards, names):
    """Whether |f| has an integral near an end of the range: with y = |x − end|, or y = |x| for an
    infinite end, y f′/f has a limit above −1 there, or below; for f, or for each of its terms."""
    y = Dummy("y", positive=True)
    place = -inwards * y if end.is_infinite else end + inwards * y
    target, side = (S.Infinity, 1) if end.is_infinite else (S.Zero, -1)

    def vanishes_fast(term):
        term = _without_waves(term)
        if term is None or term.has(Sum, Integral) or not (term := term.subs(x, place)):
            return term == 0
        slope = tends(expand_mul(y * term.diff(y) / term), y, target, "+")
        if slope.is_infinite:
            return bool((slope * side).is_extended_negative)
        margin = expand_mul(-side * (slope + 1)).xreplace(names)
        return speakable(margin) and normal.signs.positive(margin)

    return vanishes_fast(f) or all(map(vanishes_fast, Add.make_args(expand_mul(f))))


def _without_waves(term):
    """A product with 1 for each factor sin or cos, and with their modulus for powers of e; None
    where waves stand in it elsewhere."""
    factors = []
    for f in Mul.make_args(term):
        base, exponent = f.as_base_exp()
        if isinstance(f, exp) and f.has(S.ImaginaryUnit):
            factors.append(exp(expand(f.args[0]).as_real_imag()[0]))
        elif isinstance(base, (sin, cos)) and exponent.is_Integer and exponent > 0:
            if not base.args[0].is_real:
                return None
        else:
            factors.append(f)
    bound = Mul(*factors)
    return None if bound.has(sin, cos, S.ImaginaryUnit) else bound


def _gamma(normal, body, x, low, high):
    """∫ xᵖ exp(−b xᵏ) dx = Γ((p + 1)/k)/(k b^((p + 1)/k)) from 0 to ∞, for p > −1, b > 0 and a
    whole number k ≥ 1, of each term."""
    if low != 0 or high != S.Infinity:
        return None
    total = S.Zero
    for term in Add.make_args(expand_mul(body)):
        if (parts := growth(term, x)) is None:
            return None
        factor, power, exponent = parts
        k = degree(exponent, x)
        b, c = -exponent.coeff(x, k), exponent.coeff(x, 0)
        if not k or expand(exponent + b * x**k - c) != 0:
            return None
        if not all(map(normal.signs.positive, (b, power + 1))):
            return None
        order = (power + 1) / k
        total += factor * exp(c) * gamma(order) / (k * b**order)
    return total


def _by_antiderivative(normal, body, x, low, high):
    """F(b) − F(a) for an antiderivative that SymPy proposes, whose derivative is the integrand, and
    which has values between the ends; at an infinite end, where |f| has an integral, its limit."""
    body = Add(*map(tidy, Add.make_args(expand_mul(body))))
    if body.has(*BENT) and _around_0(normal, low, high):
        return Integral(body, (x, low, S.Zero)) + Integral(body, (x, S.Zero, high))
    y, (masked, *ends), names = _masked(normal, (body, low, high), x)
    if low.is_infinite or high.is_infinite:
        sides = zip(ends, (1, -1))
        if not all(_integrable(normal, masked, y, end, side, names) for end, side in sides):
            return None
    if (F := _proposed(normal, masked, y, names)) is None:
        return None
    new = fresh(x, real=True)
    here = normal.inside(new, *normal.signs.span(low, high))
    F, body = (substitute(e, {y: new}) for e in (F, masked.xreplace(names)))
    F = here.form(F)
    if not normal.readable(F, here) or not _continuous(F, new, here):
        return None
    if not here.vanishes(F.diff(new) - body):
        return None
    bottom, top = (_at_end(normal, F, new, end) for end in (low, high))
    return None if None in (bottom, top) else top - bottom


BENT = Abs, Max, Min


def _around_0(normal, low, high):
    """Whether a range with an infinite end has 0 inside."""
    below = low == -S.Infinity or normal.signs.positive(-low)
    above = high == S.Infinity or normal.signs.positive(high)
    return below and above and (low.is_infinite or high.is_infinite)


def _at_end(normal, F, x, end):
    if not end.is_infinite:
        return substitute(F, {x: end})
    if end == -S.Infinity:
        new = fresh(x, positive=True)
        F, x, end = substitute(F, {x: -new}), new, S.Infinity
    x, (masked,), names = _masked(normal, (expand_mul(F),), x)
    found = tends(masked, x, end)
    return _believed(normal, "limit", found.xreplace(names)) if speakable(found) else None


def _proposed(normal, masked, x, names):
    """An antiderivative of powers, or the one that SymPy proposes, in the words of the language."""
    terms = [growth(term, x) for term in Add.make_args(masked)]
    if all(term is not None and term[2] == 0 for term in terms):
        powers = [(c.xreplace(names), p.xreplace(names) + 1) for c, p, _ in terms]
        if all(normal.signs.nonzero(p) for _, p in powers):
            return Add(*(c * x**p / p for c, p in powers))
    try:
        return chosen(normal, bounded(lambda: integrate(masked, x)), names)
    except Exception:
        return None


def _continuous(F, x, here):
    """Whether no root in F meets its branch cut."""
    roots = (f for f in F.atoms(Pow) if not isinstance(f, exp) and not f.exp.is_integer)
    return all(here.signs.real(f.base) for f in roots if x in free(f.base))


def chosen(normal, e, names):
    """e with its cases decided, and names put back; None where a condition does not follow."""
    for cases in sorted(e.atoms(Piecewise), key=str):
        for branch, condition in cases.args:
            if follows(normal, condition, names):
                return chosen(normal, e.xreplace({cases: branch}), names)
            if not contradicted(normal, condition, names):
                normal.splits |= _zero_or_not(condition, names)
                return None
        return None
    return e.xreplace(names) if speakable(e) else None


def _zero_or_not(condition, names):
    """The symbols of which a condition asks whether they are 0."""
    if isinstance(condition, (Eq, Ne)):
        asked = (condition.lhs - condition.rhs).xreplace(names)
        bases = (f.as_base_exp()[0] for f in Mul.make_args(asked))
        return {b for b in bases if isinstance(b, Symbol)}
    return set().union(
        *(_zero_or_not(c, names) for c in condition.args if isinstance(condition, (And, Or)))
    )


def follows(normal, condition, names):
    """Whether a condition of SymPy's follows from what is known."""
    if isinstance(condition, BooleanAtom):
        return bool(condition)
    if isinstance(condition, And):
        return all(follows(normal, c, names) for c in condition.args)
    if isinstance(condition, Or):
        return any(follows(normal, c, names) for c in condition.args)
    if not isinstance(condition, (Lt, Le, Gt, Ge, Ne)):
        return False
    if isinstance(condition, Ne):
        difference = (condition.lhs - condition.rhs).xreplace(names)
        return normal.signs.nonzero(difference) or normal.signs.nonzero(normal.form(difference))
    angle = _angle(condition, names)
    if angle is not None:
        return normal.signs.positive(angle) or normal.signs.positive(normal.form(angle))
    greater = (condition.gts - condition.lts).replace(polar_lift, lambda a: a).xreplace(names)
    greater = normal.form(greater)
    sign = normal.signs.positive if isinstance(condition, (Lt, Gt)) else normal.signs.nonnegative
    return sign(greater)


def contradicted(normal, condition, names):
    """Whether the opposite of a condition follows."""
    if isinstance(condition, And):
        return any(contradicted(normal, c, names) for c in condition.args)
    if isinstance(condition, Or):
        return all(contradicted(normal, c, names) for c in condition.args)
    if isinstance(condition, Eq):
        return follows(normal, Ne(condition.lhs, condition.rhs), names)
    return not isinstance(condition, BooleanAtom) and follows(normal, condition.negated, names)


def _angle(condition, names):
    """x, for the condition |arg x| < π/2 on a real x, which says that x > 0."""
    if isinstance(condition, Lt) and condition.rhs == pi / 2 and isinstance(condition.lhs, Abs):
        inside = condition.lhs.args[0]
        if isinstance(inside, arg):
            return inside.args[0].replace(polar_lift, lambda a: a).xreplace(names)
    return None


def _masked(normal, expressions, variable):
    """Some expressions with x for a variable, and with everything that does not depend on it
    replaced by symbols of the same sign, so that SymPy need not see into sums and entries."""
    names, x = {}, Dummy("x", **variable._assumptions_orig)

    def visit(e):
        if e == variable:
            return x
        if e.is_number or e.is_infinite:
            return e
        if variable not in free(e):
            return stand_in(e)
        if isinstance(e, exp):
            return exp(collected(e.args[0]))
        if isinstance(e, Mul):
            outside, inner = e.as_independent(variable, as_Add=False)
            return visit(outside) * Mul(*map(visit, Mul.make_args(inner)))
        if isinstance(e, (Indexed, Derivative, *BINDERS, Smooth)):
            return S.NaN
        parts = [visit(a) for a in e.args]
        return S.NaN if S.NaN in parts else e.func(*parts)

    def collected(exponent):
        """An exponent by powers of the variable, each coefficient one symbol."""
        groups = {}
        for term in Add.make_args(expand(exponent, power_exp=False)):
            outside, inner = term.as_independent(variable, as_Add=False)
            groups[inner] = groups.get(inner, S.Zero) + outside
        return Add(*(visit(c) * Mul(*map(visit, Mul.make_args(m))) for m, c in groups.items()))

    def stand_in(e):
        known = next((d for d, meaning in names.items() if meaning == e), None)
        if known is None:
            known = Dummy(f"m{len(names)}", **_sign_of(normal.signs, e))
            names[known] = e
        return known

    return x, tuple(map(visit, expressions)), names


def _sign_of(signs, e):
    known = {"integer": True} if e.is_integer else {}
    if signs.positive(e):
        return {**known, "positive": True}
    if signs.positive(expand_mul(-e)):
        return {**known, "negative": True}
    if signs.nonnegative(e):
        return {**known, "nonnegative": True}
    return known or ({"real": True} if signs.real(e) else {})


def joined(normal, e):
    """Integrals over one finite range as the integral of their sum."""
    groups, rest = {}, []
    for term in Add.make_args(expand_mul(e)):
        outside, body = term.as_independent(Integral, as_Add=False)
        single = isinstance(body, Integral) and len(body.limits) == 1
        if single and all(end.is_finite for end in limits(body)[0][1:]):
            groups.setdefault(limits(body)[0][1:], []).append((outside, body))
        else:
            rest.append(term)
    for (low, high), group in groups.items():
        x = fresh(limits(group[0][1])[0][0], **known_of(low, high, "integral"))
        parts = (c * substitute(b.function, {limits(b)[0][0]: x}) for c, b in group)
        rest.append(Integral(Add(*parts), (x, low, high)))
    return Add(*rest)


# --- limits and series -----------------------------------------------------------------


def _limit(normal, e):
    body, variable, target, side = e.args
    new = fresh(variable)
    body = substitute(body, {variable: new})
    inner = normal.form(body)
    if "limits" in normal.powers and (target.is_number or target.is_infinite):
        for written in (inner, body):
            if (found := _tended(normal, written, new, target, str(side))) is not None:
                return normal.form(found)
    kept = Limit(inner, new, normal.form(target), side)
    return at_height(kept, height(kept))


def _tended(normal, body, variable, target, side):
    """What a body tends to, or None; a parameter that may be 0 is a case of its own."""
    x, (masked,), names = _masked(normal, (body,), variable)
    doubtful = [v for v in names.values() if not normal.signs.nonzero(v)]
    normal.splits |= {v for v in doubtful if isinstance(v, Symbol)}
    if doubtful or not speakable(found := tends(masked, x, target, side)):
        return None
    return _believed(normal, "limit", found.xreplace(names))


def series(normal, e):
    """An infinite sum in closed form, where one is known and the sum converges."""
    body, opened, here = normal.opened(e)
    body = here.form(body)
    kept = Sum(body, *opened)
    kept = at_height(kept, height(kept))
    if len(opened) > 1:
        return kept
    found = _summed(normal, body, opened[0])
    if found is None and isinstance(body, Add):
        parts = [_summed(normal, term, opened[0]) for term in body.args]
        found = Add(*parts) if None not in parts else None
    return kept if found is None else normal.form(found)


def _summed(normal, body, limit):
    variable, low, high = limit
    if not high.is_infinite:
        return _by_difference(normal, body, variable, low, high)
    found = closed_form(normal, body, variable, low, high)
    return found if found is not None and normal.readable(found, normal) else None


def _by_difference(normal, body, variable, low, high):
    """F(b) for a closed form that SymPy proposes of the sum from a to h, where F(a − 1) = 0 and
    F(h) − F(h − 1) is the last term."""
    top = fresh(variable, **known_of(low, high, "sum"))
    x, (masked, low_, top_), names = _masked(normal, (body, low, top), variable)
    F = chosen(normal, bounded(Sum(masked, (x, low_, top_)).doit), names)
    if F is None or not low.is_Integer:
        return None
    here = normal.inside(top, low, S.Infinity)
    if not normal.readable(F, here):
        return None
    before, at_top = substitute(F, {top: top - 1}), substitute(body, {variable: top})
    nothing = substitute(F, {top: low - 1})
    if not normal.readable(nothing, normal) or not normal.vanishes(nothing):
        return None
    if not here.vanishes(F - before - at_top):
        return None
    return substitute(F, {top: high})


def closed(normal, e):
    """Finite sums of plain terms in closed form, where SymPy knows one."""
    table = {}
    for x in sorted(e.atoms(Sum), key=str):
        if len(x.limits) != 1 or x.function.atoms(Indexed, Sum):
            continue
        body, opened, _ = normal.opened(x)
        if (found := _summed(normal, body, opened[0])) is not None:
            table[x] = found
    return e.xreplace(table)


def converges(normal, e):
    """Whether an infinite sum converges: it has a closed form, or the ratio r of its terms tends to
    less than 1 in size, or to 1 so slowly that n (1 − |r|) tends to more than 1."""
    body, opened, here = normal.opened(e)
    if len(opened) > 1:
        return False
    x, low, high = opened[0]
    if not low.is_finite or high != S.Infinity:
        return False
    if not normal.form(e).has(Sum):
        return True
    x, (masked,), names = _masked(normal, (here.form(body),), x)
    ratio = gammasimp((masked.xreplace({x: x + 1}) / masked).rewrite(exp))
    bound = tends(Abs(ratio), x, S.Infinity)
    if bound == 1:
        bound = 2 - tends(x * (1 - Abs(ratio)), x, S.Infinity)
    if not speakable(bound):
        return False
    normal.oracles.add("SymPy: limit")
    return normal.signs.positive(normal.form((1 - bound).xreplace(names)))
