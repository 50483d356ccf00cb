"""The normal form of terms with sums over symbolic ranges.

In normal form a sum has been taken apart as far as it goes: derivatives evaluated, Kronecker deltas
contracted, whatever does not depend on the summation index pulled out (of the sum, and of
exponentials inside it), products of sums merged and split into connected pieces, bound variables
renamed in a canonical way. What remains is a rational function of irreducible parts.
"""

from copy import copy
from dataclasses import replace
from itertools import permutations, product
from math import comb

from sympy import (
    Abs,
    Add,
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
    exp,
    expand,
    expand_mul,
    gammasimp,
    log,
    preorder_traversal,
)
from sympy.functions.combinatorial.factorials import (
    binomial,
    factorial,
)
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.functions.special.gamma_functions import gamma

from ..language import Array, Index, Smooth, Total
from . import calculus, laws, ring
from .defined import undefined
from .signs import Signs, _places
from .terms import (
    Bound,
    at_height,
    counted,
    endless,
    free,
    fresh,
    height,
    known_of,
    limits,
    says,
    substitute,
    tidy,
)

STEPS = 16  # of a falling power, and terms at the ends of a sum, that are written out at most
TERMS = 10_000  # into which a power of a sum is expanded at most
POWERS = frozenset({"derivatives", "integrals", "limits", "series", "laws"})
HEADS = (Sum, Product, Derivative, Integral, Smooth, Total, Subs, Limit)


class Normal:
    """Normal forms in a context. `powers` say which nodes may be evaluated; `oracles` collects the
    names of the SymPy calls that were believed."""

    def __init__(self, context, powers=POWERS):
        self.context, self.powers, self.oracles, self.splits = context, powers, set(), set()
        self.forms, self.above, self.rules, self.equations = {}, None, [], []
        stated = list(context.order)
        apart = [(f.left - f.right, f.variables) for f in context.facts if f.relation == "≠"]
        self.signs = Signs(context, stated, apart)
        formed = [(self.form(e), strict, variables) for e, strict, variables in stated]
        different = [(self.form(e), variables) for e, variables in apart]
        self.signs = Signs(context, [*stated, *formed], [*apart, *different])
        equal = [f for f in context.facts if f.relation == "="]
        self.equations = [(f.variables, self.form(f.left), self.form(f.right)) for f in equal]
        for near, rule in list(map(self._rewriting, equal)):
            self._rule(near, rule)
        self.forms = {}  # what was found before all hypotheses were known is found again

    def inside(self, variable, low, high, strict=False):
        """The normal forms inside a binder."""
        inner = copy(self)
        inner.context = self.context.open(variable, low, high, strict)
        inner.signs = self.signs.inside(variable, low, high, strict)
        inner.forms, inner.above = {}, self
        return inner

    def given(self, fact):
        """The normal forms under one more hypothesis."""
        return self._in(replace(self.context, facts=(*self.context.facts, fact)))

    def _in(self, context):
        inner = Normal(context, self.powers)
        for opened in self.context.inside:
            inner.signs = inner.signs.inside(*opened)
        inner.oracles, inner.splits = self.oracles, self.splits
        return inner

    def under(self, variables):
        """The normal forms under a derivative: what holds in a neighbourhood may be used there."""
        bases = {v.base if isinstance(v, Indexed) else v for v in variables}
        context = self.context.without(bases)
        return self if context == self.context else self._in(context)

    def form(self, e):
        if isinstance(e, Indexed):
            return self._entry(e)
        if not e.args or isinstance(e, (Symbol, Array)):
            return e
        scope = self
        while scope is not None:
            if e in scope.forms:
                return scope.forms[e]
            scope = scope.above
        if endless(found := self._form(e)):
            found = e  # no number, as 0/0 is none: so nothing is made of it
        self.forms[e] = found
        self.forms.setdefault(found, found)
        return found

    def _form(self, e):
        if isinstance(e, (Derivative, Subs, Integral, Limit)):
            return self._ruled(calculus.value(self, e))
        if isinstance(e, Total):
            return laws.total(self, e)
        if isinstance(e, Sum):
            return self._ruled(self._sum(e))
        if isinstance(e, Product):
            return self._product(e)
        if isinstance(e, Smooth):
            name, order, argument = e.args
            return self._ruled(Smooth(name, self.form(order), self.form(argument)))
        args = [self.form(a) for a in e.args]
        if isinstance(e, exp):
            return self._exp(args[0])
        if isinstance(e, log):
            return self._log(args[0])
        if isinstance(e, Pow):
            return self._power(*args)
        if isinstance(e, (Add, Mul)):
            return expand_mul(e.func(*args))
        if isinstance(e, (Abs, Max, Min)):
            return self._piece(e.func(*args))
        if isinstance(e, KroneckerDelta):
            return KroneckerDelta(*sorted(args, key=str))
        if isinstance(e, binomial):
            return self._stepped(e.func(*args))
        return e.func(*args)

    # --- nodes without binders ---------------------------------------------------------

    def _entry(self, e):
        """The entries of a symmetric matrix, each in one form."""
        places = [self.form(i) for i in e.indices]
        if e.base.symmetric:
            return e.base[tuple(sorted(places, key=str))]
        if e.base.domain == "antisymmetric":
            first, second = sorted(places, key=str)
            if first == second:
                return S.Zero
            return e.base[first, second] * (1 if [first, second] == places else -1)
        return e.base[tuple(places)]

    def _exp(self, argument):
        """exp(a + c log b) = bᶜ exp(a), so that no logarithm stands alone in an exponent."""
        factors, rest = [], []
        for term in Add.make_args(expand(argument, power_exp=False)):
            coefficient, body = _split(term, log)
            if isinstance(body, log) and self.signs.nonzero(body.args[0]):
                if coefficient.is_integer or self.signs.positive(body.args[0]):
                    factors.append(self._power(body.args[0], coefficient))
                    continue
            rest.append(term)
        return Mul(exp(Add(*rest)), *factors)

    def _log(self, argument):
        """The logarithm of each positive factor by itself; the rest stays together."""
        terms, rest = [], []
        for f in _with_content(self.factored(argument)):
            base, power = (f, S.One) if isinstance(f, exp) else f.as_base_exp()
            if isinstance(f, exp) and self.signs.real(f.args[0]):
                terms.append(f.args[0])
            elif base != 1 and self.signs.positive(base) and self.signs.real(power):
                number = base.is_Rational
                terms.append(power * (log(base.p) - log(base.q) if number else log(base)))
            elif f != 1:
                rest.append(f)
        return expand_mul(Add(*terms)) + (log(Mul(*rest)) if rest else 0)

    def factored(self, e):
        """e as a product, its irreducible parts taken for symbols."""
        return ring.Generators(self.signs).factored(e) if isinstance(e, Add) else e

    def _power(self, base, exponent):
        signs = self.signs
        if isinstance(base, exp) and (
            exponent.is_integer or signs.real(base.args[0]) and signs.real(exponent)
        ):
            return exp(expand(base.args[0] * exponent, power_exp=False))
        if isinstance(base, Mul) and (exponent.is_integer or all(map(signs.positive, base.args))):
            return expand_mul(Mul(*(self._power(f, exponent) for f in base.args)))
        if exponent.is_Integer and exponent > 0:
            if isinstance(base, Add) and comb(len(base.args) + exponent - 1, exponent) <= TERMS:
                return expand(base**exponent, power_exp=False)
            return base**exponent
        if isinstance(base, Pow) and exponent.is_integer:
            return self._power(base.base, base.exp * exponent)
        if isinstance(base, Pow) and signs.positive(base.base) and signs.real(base.exp):
            return self._power(base.base, expand_mul(base.exp * exponent))
        if isinstance(base, Abs) and exponent.is_even and signs.real(base.args[0]):
            return self._power(base.args[0], exponent)
        if exponent == S.Half and isinstance(base, Pow) and base.exp == 2 and signs.real(base.base):
            return self._piece(Abs(base.base))
        if isinstance(base, Add) and exponent.is_Integer:
            factored = self.factored(base)
            if isinstance(factored, (Mul, Pow)) and factored != base:
                parts = (f.as_base_exp() for f in Mul.make_args(factored))
                return Mul(*(Pow(b, n * exponent) for b, n in parts))
        return Pow(base, exponent)

    def _piece(self, e):
        """|x|, Max, Min, real and imaginary parts where signs or realness decide them."""
        signs = self.signs
        if isinstance(e, Abs):
            x = e.args[0]
            if signs.nonnegative(x):
                return x
            if signs.nonnegative(expand_mul(-x)):
                return expand_mul(-x)
            if isinstance(x, Mul):
                return Mul(*(self._piece(Abs(f)) for f in x.args))
            return e
        if isinstance(e, (Max, Min)) and len(e.args) == 2 and all(map(signs.real, e.args)):
            a, b = e.args
            sign = 1 if isinstance(e, Max) else -1
            return (a + b + sign * self._piece(Abs(expand_mul(a - b)))) / 2
        return e

    def _stepped(self, e):
        """C(x, n+k) (n+1) … (n+k) = C(x, n) (x−n) … (x−n−k+1), for n, k ≥ 0."""
        if not isinstance(e, binomial):  # SymPy knows its value
            return e
        top, bottom = e.args
        shift, order = bottom.as_coeff_Add()
        many = not shift.is_Integer or not 0 < shift <= STEPS
        if many or not says(order, "nonnegative") or order == 0:
            return e
        wide = len(Add.make_args(top - order)) + 1
        if comb(wide + int(shift), int(shift)) > TERMS:
            return e
        steps = range(int(shift))
        falling = Mul(*(top - order - c for c in steps))
        rest = e.func(top, order)
        return expand_mul(rest * falling / Mul(*(order + c + 1 for c in steps)))

    def _product(self, e):
        """A product of positive factors is the exponential of a sum of logarithms."""
        body, opened, here = self.opened(e)
        body = here.form(body)
        if here.signs.positive(body):
            return self.form(exp(Sum(log(body), *opened)))
        if len(opened) == 1 and opened[0][2].is_Integer and opened[0][1].is_Integer:
            ((variable, low, high),) = opened
            if high - low < 8:
                values = range(int(low), int(high) + 1)
                return self.form(Mul(*(substitute(body, {variable: S(n)}) for n in values)))
        found = counted(Product(body, *opened))
        return at_height(found, height(found)) if isinstance(found, Product) else self.form(found)

    # --- sums --------------------------------------------------------------------------

    def opened(self, e):
        """Body, limits with fresh variables (the innermost first), and the normal forms inside."""
        here, opened, table = self, [], {}
        for variable, low, high in reversed(limits(e)):
            low, high = (here.form(substitute(x, table)) for x in (low, high))
            new = fresh(variable, **known_of(low, high, "sum"))
            table = {**table, variable: new}
            opened.insert(0, (new, low, high))
            here = here.inside(new, low, high)
        return substitute(e.function, table), opened, here

    def _sum(self, e):
        """Linear in the summand: each term becomes a coefficient times irreducible sums."""
        if any(low.is_infinite or high.is_infinite for _, low, high in limits(e)):
            return calculus.series(self, e) if "series" in self.powers else self._kept(e)
        if len(limits(e)) == 1 and (changed := self._range(e)) is not None:
            return changed
        body, opened, here = self.opened(e)
        for place, (variable, low, high) in enumerate(opened):
            if _few(low, high) and len(opened) > 1 and not _inner(variable, opened):
                rest = [limit for n, limit in enumerate(opened) if n != place]
                values = range(int(low), int(high) + 1)
                return Add(
                    *(self.form(Sum(substitute(body, {variable: S(n)}), *rest)) for n in values)
                )
        body = here.form(body)
        if not isinstance(body, (Add, Mul)):
            body = expand_mul(body)
        return Add(*(self._term(t, opened, here) for t in Add.make_args(body)))

    def _kept(self, e):
        body, opened, here = self.opened(e)
        found = e.func(here.form(body), *opened)
        return at_height(found, height(found))

    def _range(self, e):
        """One range as the range that the others have: explicit terms where there are few, the
        index shifted to where it stands alone, and terms at the ends taken apart."""
        ((variable, low, high),) = limits(e)
        if _few(low, high):
            values = range(int(low), int(high) + 1)
            return Add(*(self.form(substitute(e.function, {variable: S(n)})) for n in values))
        if not self.signs.nonnegative(high - low + 1):
            return None
        if shift := _common_shift(e.function, variable):
            ends = low + shift, high + shift
            new = fresh(variable, **known_of(*ends, "sum"))
            return self.form(Sum(substitute(e.function, {variable: new - shift}), (new, *ends)))
        if (
            low.is_Integer
            and 1 < low <= STEPS
            and (extra := self._ends(e, [S(n) for n in range(1, int(low))]))
        ):
            if self._may_be_read(extra):
                return self.form(Sum(e.function, (variable, 1, high))) - self.form(extra)
        end = _axis(e.function, variable) or high.as_coeff_Add()[1]
        shift = high - end
        if not shift.is_Integer or not 0 < abs(shift) <= STEPS or end.is_number:
            return None
        if not self.signs.nonnegative(end - low + 1):
            return None
        more = self._ends(e, [end + c for c in range(1, int(shift) + 1)])
        fewer = self._ends(e, [end - c for c in range(int(-shift))])
        if not self._may_be_read(fewer) or not self._may_be_read(more):
            return None
        whole = self.form(Sum(e.function, (variable, low, end)))
        return whole + self.form(more) - self.form(fewer)

    @staticmethod
    def _ends(e, values):
        ((variable, _, _),) = limits(e)
        return Add(*(substitute(e.function, {variable: n}) for n in values))

    def _may_be_read(self, e):
        """Whether e is defined outside the range that it comes from."""
        return undefined(e, self) is None

    def _term(self, term, opened, here):
        """One product under nested sums: flatten, contract deltas, pull out, split into pieces."""
        factors, opened = self._flatten(Mul.make_args(term), list(opened), here)
        before = None
        while before != len(opened):
            before = len(opened)
            factors, opened = self._contract(factors, opened)
            factors, opened = _cancel(*_whole_rows(factors, opened))
        dummies = {limit[0] for limit in opened}
        result = Mul(*(f for f in factors if not free(f) & dummies))
        if not self._may_leave(result, opened):
            return canonical_sum(Mul(*factors), opened)
        pending = [f for f in factors if free(f) & dummies]
        remaining = list(opened)
        while remaining:
            reach = _connected(remaining, pending)
            pieces = [f for f in pending if free(f) & reach]
            mine = [limit for limit in remaining if limit[0] in reach]
            remaining = [limit for limit in remaining if limit[0] not in reach]
            pending = [f for f in pending if f not in pieces]
            result *= self._piece_of_sum(Mul(*pieces), mine)
        return expand_mul(result)

    def fits(self, value, variable):
        """Whether a value is all that is assumed of a variable."""
        signs, value = self.signs, self.form(value)
        tests = {
            "real": signs.real,
            "positive": signs.positive,
            "nonnegative": signs.nonnegative,
            "negative": lambda x: signs.positive(-x),
            "nonpositive": lambda x: signs.nonnegative(-x),
            "nonzero": signs.nonzero,
            "integer": lambda x: x.is_integer,
        }
        return all(test(value) for name, test in tests.items() if getattr(variable, f"is_{name}"))

    def _may_leave(self, factor, opened):
        """Whether a factor has a value where the ranges that it leaves are empty."""
        if not factor.args or not opened:
            return True
        ends = ((low, high) for _, low, high in opened)
        return all(self.signs.nonnegative(high - low) for low, high in ends) or (
            undefined(factor, self) is None
        )

    def readable(self, e, here):
        """Whether e has a value inside a binder that was opened."""
        return undefined(e, here) is None

    def _piece_of_sum(self, body, opened):
        (_, low, high), *others = opened
        if body == 1 and not others and self.signs.nonnegative(high - low + 1):
            return high - low + 1
        if (half := self._triangle(body, opened)) is not None:
            return half
        if not others and (changed := self._range(Sum(body, opened[0]))) is not None:
            return changed
        return self._ruled(canonical_sum(body, opened))

    def _triangle(self, body, opened):
        """Sum_{i ≤ n, j < i} f(i, j) is half of what is off the diagonal, for a symmetric f."""
        if len(opened) != 2:
            return None
        (j, low, top), (i, first, last) = opened
        if low != first or top != i - 1 or self.form(substitute(body, {i: j, j: i}) - body) != 0:
            return None
        whole = Sum(body, (j, low, last), (i, first, last))
        diagonal = Sum(substitute(body, {j: i}), (i, first, last))
        if not (self._may_be_read(whole) and self._may_be_read(diagonal)):
            return None
        return (self.form(whole) - self.form(diagonal)) / 2

    def _flatten(self, factors, opened, here):
        """Split exponentials into independent pieces, open inner sums that depend on an outer
        index."""
        flat, pending = [], list(factors)
        while pending:
            f = pending.pop()
            dummies = {limit[0] for limit in opened}
            base, power = (f, S.One) if isinstance(f, exp) else f.as_base_exp()
            finite = isinstance(base, Sum) and not any(
                x.is_infinite for _, *ends in limits(base) for x in ends
            )
            if isinstance(f, exp):
                flat.extend(_exponential_pieces(f, dummies))
            elif finite and power.is_Integer and power > 0 and free(base) & dummies:
                for _ in range(int(power)):
                    body, inner, here = here.opened(base)
                    opened = [*inner, *opened]
                    pending.extend(Mul.make_args(body))
            else:
                flat.append(f)
        return flat, opened

    def _contract(self, factors, opened):
        """Sum_a δ(a, b) f(a) = f(b), where b lies in the range of a, which may be empty: so the
        range itself says nothing of b."""
        for delta in sorted((f for f in factors if isinstance(f, KroneckerDelta)), key=str):
            rest = [g for g in factors if g is not delta]
            for a, b in (delta.args, delta.args[::-1]):
                mine = next((limit for limit in opened if limit[0] == a), None)
                if mine is None or a in free(b) or _inner(a, opened):
                    continue
                others = [limit for limit in opened if limit is not mine]
                around = self._among(others)
                if around.signs.within(b, mine[1], mine[2]):
                    rest = [substitute(g, {a: b}) for g in rest]
                    rest = [x for g in rest for x in Mul.make_args(around.form(g))]
                    return self._contract(rest, others)
            a, b = sorted(delta.args, key=str)
            if self._same_range(a, b, opened) and any(b in free(g) for g in rest):
                rest = [substitute(g, {b: a}) for g in rest]
                return self._contract([*rest, delta], opened)
        return factors, opened

    def _among(self, opened):
        """The normal forms inside some ranges, the innermost of which comes first."""
        here = self
        for limit in reversed(opened):
            here = here.inside(*limit)
        return here

    def _same_range(self, a, b, opened):
        """Whether two symbols run over the same range."""
        ranges = {variable: (low, high) for variable, low, high in opened}
        for x in (a, b):
            if isinstance(x, Index) and self.context.length(x) is not None:
                ranges[x] = (S.One, self.context.length(x))
        for variable, low, high, _ in self.context.inside:
            ranges[variable] = (low, high)
        return a in ranges and ranges.get(a) == ranges.get(b)

    # --- hypotheses --------------------------------------------------------------------

    def _ruled(self, e):
        """e rewritten by a hypothesis, or by a result that is used."""
        for variables, left, right in self.rules:
            if type(left) is not type(e) or not isinstance(e, HEADS):
                continue
            for table in self._choices(variables, e):
                if substitute(left, table) == e:
                    return self.form(substitute(right, table))
        return e

    def _rewriting(self, f):
        """An equation for rewriting, and the normal forms that it is written in: what it says of a
        derivative may be used under further ones, in all letters for which it holds."""
        near, variables = self, (*f.variables, *f.around)
        if isinstance(f.left, Derivative):
            letters = [v for v in variables if not isinstance(v, Index)]
            near = self.under([*letters, *(v for v, _ in f.left.variable_count)])
        return near, (variables, near._head(f.left), near.form(f.right))

    def _rule(self, near, rule):
        """An equation for rewriting, unless its right side, rewritten by those before it, holds a
        term that it rewrites: as in S = tanh(S), that would go on for ever. It stays an equation
        that is solved for nothing."""
        self.forms, right = {}, rule[2]
        if any(self._reaches(other, right) for other in self.rules):
            right = near.form(right)
        if not (self._reaches(rule, rule[2]) or self._reaches(rule, right)):
            self.rules = [*self.rules, rule]

    def _reaches(self, rule, e):
        """Whether an equation rewrites a term in e, at indices in their ranges or bound in e."""
        variables, left, _ = rule
        for x in preorder_traversal(e) if isinstance(left, HEADS) else ():
            if type(left) is not type(x):
                continue
            for table in self._choices(variables, x, free(x) - free(e)):
                here = substitute(left, table)
                if (
                    here == x
                    or isinstance(x, Derivative)
                    and (calculus.left_over(x, variables, here) is not None)
                ):
                    return True
        return False

    def _head(self, left):
        """The left side of a hypothesis, in the form in which it is looked for."""
        if isinstance(left, Derivative):
            return Derivative(self.form(left.expr), *left.variable_count)
        return self.form(left)

    def derived(self, e):
        """A derivative rewritten by a hypothesis, or None."""
        for variables, left, right in self.rules:
            if not isinstance(left, Derivative):
                continue
            for table in self._choices(variables, e):
                here, there = substitute(left, table), substitute(right, table)
                if (found := calculus.by_rule(self, e, variables, here, there)) is not None:
                    return found
        return None

    def _choices(self, variables, e, bound=frozenset()):
        """Values for the quantified indices of a hypothesis that occur in e, each in range, as
        what is bound may be."""
        indices = [v for v in variables if isinstance(v, Index)]
        places = sorted(_places(e), key=str)
        lengths = [self.context.length(v) for v in indices]
        allowed = [
            [p for p in places if free(p) & bound or self.signs.within(p, S.One, n)]
            if n is not None
            else []
            for n in lengths
        ]
        for chosen in product(*allowed):
            yield dict(zip(indices, chosen))

    def relations(self, e):
        """Every hypothesis that is an equation, at the indices that are free in e."""
        found = []
        for variables, left, right in self.equations:
            for table in self._choices(variables, e):
                found.append(
                    self.form(substitute(left, table)) - self.form(substitute(right, table))
                )
        return [r for r in dict.fromkeys(found) if r != 0]

    # --- deciding ----------------------------------------------------------------------

    def vanishes(self, e):
        """Whether e = 0."""
        e = self.form(e)
        if e == 0 or ring.vanishes(e, self.relations(e), self.signs):
            return True
        return any(rewritten != e and self._vanishes_as(rewritten) for rewritten in self._others(e))

    def _vanishes_as(self, e):
        e = self.form(e)
        return e == 0 or ring.vanishes(e, self.relations(e), self.signs)

    def _others(self, e):
        """The same in other words: closed forms of sums, gamma functions, exponentials."""
        if "series" in self.powers and e.has(Sum):
            yield calculus.closed(self, e)
        # Γ(n − 9)/Γ(−9) is 0 for SymPy, also where both have a pole, as C(n − 10, n) has a value
        plain = all(self.signs.nonnegative(b.args[0]) for b in e.atoms(binomial))
        if e.has(gamma, factorial) and plain and not e.has(Smooth, Product):
            self.oracles.add("SymPy: gammasimp")
            yield gammasimp(e.rewrite(gamma))
        if e.has(HyperbolicFunction, TrigonometricFunction) and not e.has(Product):
            yield in_exponentials(e)
        if "integrals" in self.powers and e.has(Integral):
            yield calculus.joined(self, e)
        if "derivatives" in self.powers and e.has(Derivative):
            yield calculus.constants_gone(self, e)


def in_exponentials(e):
    """Circular and hyperbolic functions by exponentials, and nothing else: x^n is e^(n log x) only
    where x is not 0."""
    waves = (HyperbolicFunction, TrigonometricFunction)
    return e.replace(lambda f: isinstance(f, waves), lambda f: f.rewrite(exp, deep=False))


def canonical_sum(body, opened):
    """The sum with its bound variables named by height, in the order that prints first."""
    body = tidy(body)
    if any(_inner(limit[0], opened) for limit in opened):
        found = Sum(body, *opened)
        return at_height(found, height(found))
    level, best = 1 + height(body), None
    for order in permutations(opened) if len(opened) < 5 else [opened]:
        names = {v: Bound(level, n, **v._assumptions_orig) for n, (v, _, _) in enumerate(order)}
        renamed = tidy(substitute(body, names))
        candidate = Sum(renamed, *((names[v], low, high) for v, low, high in order))
        key = (tuple(str(high) for _, _, high in order), str(candidate))
        if best is None or key < best[0]:
            best = key, candidate
    return best[1]


def _exponential_pieces(f, dummies):
    """exp(a + b + …) split by which summation indices each term of the exponent depends on."""
    groups = {}
    for term in Add.make_args(f.args[0]):
        key = frozenset(free(term) & dummies)
        groups[key] = groups.get(key, S.Zero) + term
    return [exp(g) for g in groups.values()]


def _whole_rows(factors, opened):
    """A row of a simplex sums to 1, and so do the squares of a row of a sphere."""
    for limit in opened:
        mine = [f for f in factors if limit[0] in free(f)]
        if len(mine) != 1 or _inner(limit[0], opened):
            continue
        entry, power = mine[0].as_base_exp()
        if not isinstance(entry, Indexed):
            continue
        last, domain = entry.base.shape[-1], entry.base.domain
        whole = entry.indices[-1] == limit[0] and limit[1:] == (1, last)
        if (domain, power) in (("simplex", 1), ("sphere", 2)) and whole:
            if not any(limit[0] in free(i) for i in entry.indices[:-1]):
                left = [f for f in factors if f is not mine[0]]
                return _whole_rows(left, [other for other in opened if other is not limit])
    return factors, opened


def _cancel(factors, opened):
    """Sum_b S[a, b] P[b, c] = δ(a, c), in either order, for a matrix S and its inverse P."""
    matrices = [f for f in factors if isinstance(f, Indexed) and len(f.indices) == 2]
    for first, second in permutations(matrices, 2):
        if second.base.of != first.base and first.base.of != second.base:
            continue
        for b in set(first.indices) & set(second.indices):
            a_place, c_place = _meet(first, second, b)
            if (
                a_place is None
                or (b, S.One, first.base.shape[0]) not in opened
                or _inner(b, opened)
            ):
                continue
            rest = [f for f in factors if f is not first and f is not second]
            if not any(b in free(f) for f in (*rest, a_place, c_place)):
                delta = KroneckerDelta(*sorted((a_place, c_place), key=str))
                return _cancel([*rest, delta], [other for other in opened if other[0] != b])
    return factors, opened


def _meet(first, second, b):
    """The outer indices where two matrices are multiplied over b; transposes count only where
    both matrices are symmetric."""
    free_first = [i for i in first.indices if i != b]
    free_second = [i for i in second.indices if i != b]
    if len(free_first) != 1 or len(free_second) != 1:
        return None, None
    if first.base.symmetric and second.base.symmetric:
        return free_first[0], free_second[0]
    straight = first.indices[1] == b and second.indices[0] == b
    return (free_first[0], free_second[0]) if straight else (None, None)


def _connected(opened, factors):
    """The summation variables that hang together with the first one."""
    dummies = {limit[0] for limit in opened}
    reach = {opened[0][0]}
    while True:
        wider = set(reach)
        for f in factors:
            if free(f) & reach:
                wider |= free(f) & dummies
        for variable, *ends in opened:
            mentioned = set().union(*map(free, ends)) & dummies
            if mentioned & reach or variable in reach:
                wider |= {variable, *mentioned}
        if wider == reach:
            return reach
        reach = wider


def _axis(body, variable):
    """The length of the axis that an index stands alone on."""
    for x in sorted(body.atoms(Indexed), key=str):
        for i, length in zip(x.indices, x.base.shape):
            if i == variable:
                return length
    return None


def _inner(variable, opened):
    """Whether some other range depends on a variable."""
    return any(variable in free(end) for _, *ends in opened for end in ends)


def _with_content(e):
    """The factors of a product, rational content apart."""
    for f in Mul.make_args(e):
        content, rest = f.primitive() if isinstance(f, Add) else (S.One, f)
        yield from (content, rest) if content != 1 else (rest,)


def _few(low, high):
    return low.is_Integer and high.is_Integer and -1 <= high - low < 8


def _common_shift(body, variable):
    """The least c of the places i + c at which an index occurs, where it occurs so only."""
    offsets = set()
    for x in body.atoms(Indexed):
        offsets |= {i for i in x.indices if variable in free(i)}
    if not offsets:
        offsets = {x for x in body.atoms(Add) if variable in free(x) and x.is_integer}
        alone = body.xreplace({x: Dummy() for x in offsets})
        if variable in free(alone):
            return None
    shifts = {i - variable for i in offsets}
    if not shifts or not all(c.is_Integer for c in shifts):
        return None
    least = min(shifts)
    return least if least != 0 else None


def _split(term, kind):
    """A term as a coefficient without functions of a kind, and one such function."""
    if not isinstance(term, Mul):
        return S.One, term
    bodies = [f for f in term.args if isinstance(f, kind)]
    rest = Mul(*(f for f in term.args if not isinstance(f, kind)))
    if len(bodies) != 1 or rest.has(kind):
        return S.One, term
    return rest, bodies[0]
