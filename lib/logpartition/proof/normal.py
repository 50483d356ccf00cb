"""The symbolic route: a normal form for expressions with sums over symbolic ranges.

In normal form a sum has been taken apart as far as it goes: derivatives evaluated, Kronecker deltas contracted, whatever
does not depend on the summation index pulled out (of the sum, and of exponentials inside it), products of sums merged
and split into connected pieces, dummy indices renamed in a canonical way. What remains is a rational function of
irreducible sums, exponentials and symbols, whose vanishing SymPy's polynomial arithmetic decides.
"""

from itertools import permutations

from sympy import (Add, Derivative, Dummy, Eq, Function, Ge, Gt, Indexed, Integral, KroneckerDelta, Limit, Lt, Mul, Ne, Piecewise, Pow, Product,
                   S, Subs, Sum, Symbol, exp, expand, expand_mul, factor, gammasimp, log, together)
from sympy.functions.combinatorial.factorials import CombinatorialFunction
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.functions.special.gamma_functions import gamma

from .language import Index, apart, free, unfold
from .rational import vanishes_rationally
from .signs import Signs


class Normal(Signs):
    """Normal forms under stated hypotheses; `ranges` says how far each index runs."""

    def __init__(self, facts=(), ranges=None):
        self.ranges = dict(ranges or {})
        self.definitions, self.equations, self.order, self.nonzeros, self.forms = {}, [], [], [], {}
        for f in facts:
            left, right = unfold(f.lhs), unfold(f.rhs)
            if isinstance(f, Eq) and (isinstance(left, Symbol) or _every_entry(left)):
                self.definitions[left] = right
            elif isinstance(f, Eq):
                self.equations.append((left, right))
            elif isinstance(f, Ne):
                self.nonzeros.append(left - right)
            else:
                greater = left - right if isinstance(f, (Ge, Gt)) else right - left
                self.order.append((greater, isinstance(f, (Gt, Lt))))
        self.rules = [(self(left), self(right)) for left, right in self.equations]
        self.order = [(self(e), strict) for e, strict in self.order]
        self.nonzeros = [self(e) for e in self.nonzeros]
        self.forms = {}                     # what was found before all hypotheses were known is found again

    def __call__(self, e):
        return self.form(self.define(unfold(e)))

    def define(self, e):
        """Replace what a hypothesis defines: a symbol, or every entry of an array."""
        for _ in range(len(self.definitions) + 1):
            changed = e.replace(lambda x: isinstance(x, (Symbol, Indexed)), self._definition)
            if changed == e:
                return e
            e = changed
        return e

    def _definition(self, x):
        if x in self.definitions:
            return self.definitions[x]
        for left, right in self.definitions.items():
            if isinstance(x, Indexed) and isinstance(left, Indexed) and x.base == left.base:
                return apart(right).xreplace(dict(zip(left.indices, x.indices)))
        return x

    # --- the normal form of each kind of node -------------------------------------------------------------------

    def form(self, e):
        if not e.args or isinstance(e, Indexed):
            return _sorted_indices(e)
        if e not in self.forms:
            self.forms[e] = self._form(e)
        return self.forms[e]

    def _form(self, e):
        if isinstance(e, (Derivative, Subs, Integral, Limit)):
            return self._calculus(e)
        if isinstance(e, Sum):
            return self._sums(e)
        if isinstance(e, Product):
            logs = [Sum(log(e.function), *e.limits)]
            return self.form(exp(logs[0])) if self.positive(e.function) else e
        args = [self.form(a) for a in e.args]
        if isinstance(e, exp):
            return self._exp(args[0])
        if isinstance(e, log):
            return self._log(args[0])
        if isinstance(e, Pow):
            return self._power(*args)
        if isinstance(e, (Add, Mul)):
            return expand_mul(e.func(*args))
        return e.func(*args)

    def _calculus(self, e):
        if isinstance(e, Derivative):
            inner, counts = self.form(e.expr), e.variable_count
            if all(c.is_Integer for _, c in counts):
                for v, c in counts:
                    for _ in range(int(c)):
                        inner = self.form(inner.diff(v))
                return inner
            return self._symbolic_order(e, inner)
        if isinstance(e, Subs):
            return self.form(self.form(e.expr).subs(list(zip(e.variables, e.point))))
        if isinstance(e, Integral) and self.form(e.function) == 0:
            return S.Zero
        done = e.doit(conds="none") if isinstance(e, Integral) else e.doit()
        return e if done.has(Integral, Limit) else self.form(done)

    def _symbolic_order(self, e, inner):
        """The n-th derivative: by a hypothesis, or 0 for a constant, or that of a function differentiated as far as goes."""
        for v, c in e.variable_count:
            if c.is_Integer:
                inner = self.form(Derivative(inner, (v, c)))
        (v, c), = ((v, c) for v, c in e.variable_count if not c.is_Integer)
        steps, rest = c.as_coeff_Add()
        if not steps.is_Integer or steps < 0:
            return self.define_derivative(e)
        for last in range(steps + 1):       # the (n+1)-th derivative is the derivative of the n-th
            known = self.define_derivative(Derivative(e.expr, (v, c - last)))
            if not known.has(Derivative) and len(e.variable_count) == 1:
                return self.form(Derivative(self(known), (v, last))) if last else known
        for _ in range(steps):
            inner = self.form(inner.diff(v))
        return S.Zero if rest.is_positive and not inner.has(v) else Derivative(inner, (v, rest))

    def define_derivative(self, e):
        """A derivative of symbolic order, replaced where a hypothesis says what it is."""
        for left, right in self.equations:
            if isinstance(left, Derivative) and e == left:
                return right
        return e

    def _exp(self, argument):
        """exp(a + log b) = b exp(a), so that no logarithm stands alone in an exponent."""
        factors, rest = [], []
        for term in Add.make_args(expand(argument)):
            coefficient, body = term.as_independent(log, as_Add=False) if isinstance(term, Mul) else (S.One, term)
            if isinstance(body, log) and not coefficient.has(log):
                factors.append(self._power(body.args[0], coefficient))
            else:
                rest.append(term)
        return Mul(exp(Add(*rest)), *factors)

    def _log(self, argument):
        """The logarithm of each positive factor by itself; what is not known to be positive stays together."""
        argument = self._factored(argument)
        terms, rest = [], []
        for f in Mul.make_args(argument):
            base, power = f.as_base_exp() if not isinstance(f, exp) else (f, S.One)
            if isinstance(f, exp):
                terms.append(f.args[0]) if self.real(f.args[0]) else rest.append(f)
            elif self.positive(base) and self.real(power) and base is not S.One:
                terms.append(power * (log(base) if not base.is_Rational else self._log_number(base)))
            elif f is not S.One:
                rest.append(f)
        return expand_mul(Add(*terms)) + (log(Mul(*rest)) if rest else 0)

    @staticmethod
    def _log_number(number):
        return log(number.p) - log(number.q)

    def _factored(self, e):
        return factor(e) if isinstance(e, Add) and not e.has(Sum, Integral) else together(e) if isinstance(e, Add) else e

    def _power(self, base, exponent):
        if isinstance(base, exp) and (exponent.is_integer or self.real(base.args[0])):
            return exp(expand(base.args[0] * exponent))
        if isinstance(base, Mul) and (exponent.is_integer or all(map(self.positive, base.args))):
            return expand_mul(Mul(*(self._power(f, exponent) for f in base.args)))
        if exponent.is_Integer and exponent > 0:
            return expand(base ** exponent, power_exp=False) if isinstance(base, Add) else base ** exponent
        if isinstance(base, Pow) and exponent.is_integer:
            return self._power(base.base, base.exp * exponent)
        return Pow(base, exponent)

    # --- sums -----------------------------------------------------------------------------------------------------

    def _sums(self, e):
        """Linear in the summand: each term of it becomes a coefficient times irreducible sums."""
        if any(len(limit) != 3 or limit[1].is_infinite or limit[2].is_infinite for limit in e.limits):
            done = e.doit()
            return e.func(self.form(e.function), *e.limits) if done.has(Sum, Piecewise) else self.form(done)
        if _nested(e):
            return e.func(self.form(e.function), *e.limits)
        if len(e.limits) == 1 and (whole := self._whole_range(e)) is not None:
            return whole
        body, *limits = e.function, *e.limits
        fresh = {i: Dummy(str(i), **_sign(low)) for i, low, _ in (l.args for l in limits)}
        limits = [(fresh[i], low, high) for i, low, high in (l.args if hasattr(l, "args") else l for l in limits)]
        body = self.form(body.xreplace(fresh))
        if isinstance(body, Pow) or not isinstance(body, (Add, Mul)):
            body = expand_mul(body)
        return Add(*(self._term(t, limits) for t in Add.make_args(body)))

    def _whole_range(self, e):
        """A sum up to n + c as the sum up to n and c terms more or fewer, where neither range is shorter than empty."""
        (i, low, high), = e.limits
        if low.is_Integer and high.is_Integer and -1 <= high - low < 8:
            return sum((self.form(e.function.subs(i, n)) for n in range(int(low), int(high) + 1)), S.Zero)
        shift, end = high.as_coeff_Add()
        if not shift.is_Integer or shift == 0 or not end.free_symbols:
            return None
        if not all(self.nonnegative(last - low + 1) for last in (high, end)):
            return None
        more = [end + c for c in range(1, int(shift) + 1)]
        fewer = [end - c for c in range(int(-shift))]
        return self.form(Sum(e.function, (i, low, end))) + sum(self.form(e.function.subs(i, n)) for n in more) - sum(self.form(e.function.subs(i, n)) for n in fewer)

    def _term(self, term, limits):
        """One product under nested sums: flatten, contract deltas, pull out, split into connected pieces."""
        factors, limits = self._flatten(Mul.make_args(term), list(limits))
        factors, limits = self._contract(*self._cancel(*self._total(factors, limits)))
        dummies = {l[0] for l in limits}
        outside = Mul(*(f for f in factors if not f.free_symbols & dummies))
        inside = [f for f in factors if f.free_symbols & dummies]
        result = outside
        while limits:
            reach, pieces = {limits[0][0]}, []
            grown = True
            while grown:            # everything connected to the first remaining dummy
                pieces = [f for f in inside if f.free_symbols & reach]
                wider = reach.union(*((f.free_symbols & dummies) for f in pieces))
                grown, reach = wider != reach, wider
            mine = [l for l in limits if l[0] in reach]
            limits = [l for l in limits if l[0] not in reach]
            inside = [f for f in inside if f not in pieces]
            length = mine[0][2] - mine[0][1] + 1
            # a range that may be empty keeps its sum: there are no fewer than 0 terms
            result *= length if not pieces and length.is_nonnegative else self._canonical(Mul(*pieces), mine)
        return expand_mul(result)

    def _flatten(self, factors, limits):
        """Split exponentials into independent pieces, and open inner sums that depend on an outer index."""
        dummies = {l[0] for l in limits}
        flat, pending = [], list(factors)
        while pending:
            f = pending.pop()
            base, power = f.as_base_exp() if not isinstance(f, exp) else (f, S.One)
            if isinstance(f, exp):
                flat.extend(self._exponential_pieces(f, dummies))
            elif isinstance(base, Sum) and power.is_Integer and power > 0 and base.function.free_symbols & dummies and not _nested(base, dummies):
                for _ in range(int(power)):
                    fresh = {l[0]: Dummy(str(l[0]), **_sign(l[1])) for l in base.limits}
                    limits.extend((fresh[i], low, high) for i, low, high in (l.args for l in base.limits))
                    dummies |= set(fresh.values())
                    pending.extend(Mul.make_args(base.function.xreplace(fresh)))
            else:
                flat.append(f)
        return flat, limits

    @staticmethod
    def _exponential_pieces(f, dummies):
        """exp(a + b + …) split by which summation indices each term of the exponent depends on."""
        groups = {}
        for term in Add.make_args(f.args[0]):
            key = frozenset(term.free_symbols & dummies)
            groups[key] = groups.get(key, S.Zero) + term
        return [exp(g) for g in groups.values()]

    @staticmethod
    def _total(factors, limits):
        """A row of a simplex sums to 1, and so do the squares of a row of a sphere."""
        for limit in limits:
            mine = [f for f in factors if f.has(limit[0])]
            if len(mine) != 1:
                continue
            entry, power = mine[0].as_base_exp()
            domain = getattr(entry.base, "domain", None) if isinstance(entry, Indexed) else None
            if (domain, power) in (("simplex", 1), ("sphere", 2)) and entry.indices[-1] == limit[0] and limit[1:] == (1, entry.base.shape[-1]) \
                    and limit[0] not in entry.indices[:-1]:
                return Normal._total([f for f in factors if f is not mine[0]], [l for l in limits if l is not limit])
        return factors, limits

    @staticmethod
    def _cancel(factors, limits):
        """Sum_b S[a, b] P[b, c] = KroneckerDelta(a, c) for a matrix S and its inverse P."""
        matrices = [f for f in factors if isinstance(f, Indexed) and f.base.symmetric]
        for first, second in permutations(matrices, 2):
            for b in set(first.indices) & set(second.indices) if second.base.of == first.base else ():
                rest = [f for f in factors if f is not first and f is not second]
                if (b, S.One, first.base.shape[0]) in map(tuple, limits) and not any(f.has(b) for f in rest) and first.indices[0] != first.indices[1] and second.indices[0] != second.indices[1]:
                    a, c = (next(i for i in m.indices if i != b) for m in (first, second))
                    return Normal._cancel([*rest, KroneckerDelta(a, c)], [l for l in limits if l[0] != b])
        return factors, limits

    def _contract(self, factors, limits):
        """Sum_a KroneckerDelta(a, b) f(a) = f(b), where b runs over the same range as a."""
        for f in factors:
            if not isinstance(f, KroneckerDelta):
                continue
            for a, b in (f.args, f.args[::-1]):
                mine = [l for l in limits if l[0] == a]
                same = [l for l in limits if l[0] == b]
                if mine and b.is_Symbol and (same and same[0][1:] == mine[0][1:] or self.ranges.get(b) == mine[0][2] and mine[0][1] == 1):
                    rest = [g.xreplace({a: b}) for g in factors if g is not f]
                    return self._contract(rest, [l for l in limits if l[0] != a])
        return factors, limits

    def _canonical(self, body, limits):
        """Name the dummies by height and by the order that prints first, so that equal sums become identical."""
        height = 1 + max([_height(s) for s in body.atoms(Symbol)], default=0)
        best = None
        for order in permutations(limits):
            names = {l[0]: Bound(height, m, l[1]) for m, l in enumerate(order)}
            candidate = Sum(self._tidy(body.xreplace(names)), *((names[l[0]], *l[1:]) for l in order))
            key = (tuple(str(l[2]) for l in order), str(candidate))
            if best is None or key < best[0]:
                best = key, candidate
        return best[1]

    @staticmethod
    def _tidy(body):
        """One exponential, its exponent expanded."""
        body = body.replace(lambda x: isinstance(x, Indexed), _sorted_indices)
        exponentials = [f for f in Mul.make_args(body) if isinstance(f, exp)]
        rest = [f for f in Mul.make_args(body) if not isinstance(f, exp)]
        return Mul(exp(expand(Add(*(f.args[0] for f in exponentials)))), *rest)

    # --- deciding -------------------------------------------------------------------------------------------------

    def vanishes(self, e):
        """The name of the argument that shows e = 0, or None."""
        e = self.form(_joined(self.define(unfold(e))))
        e = self._apply_rules(e)
        kind = "sums" if e.has(Sum) or e == 0 else "algebra"
        if e == 0:
            return kind
        if vanishes_rationally(self, e, self.rules):
            return kind
        if e.has(Derivative) and self._constant_before_differentiation(e):
            return "derivatives"
        for name, rewrite in (("gamma functions", lambda x: gammasimp(x.rewrite(gamma))),
                              ("exponentials", lambda x: self.form(x.rewrite(exp)))):
            if e.has(CombinatorialFunction, gamma) if name == "gamma functions" else e.has(HyperbolicFunction, TrigonometricFunction):
                changed = rewrite(e)
                if changed == 0 or vanishes_rationally(self, changed, self.rules):
                    return name
        return None

    def _constant_before_differentiation(self, e):
        """Whether a combination of n-th derivatives, n ≥ 1, is the n-th derivative of a constant."""
        combined = {}
        for term in Add.make_args(expand_mul(e)):
            found = [f for f in Mul.make_args(term) if isinstance(f, Derivative)]
            if len(found) != 1:
                return False
            (v, c), = found[0].variable_count
            coefficient = term / found[0]
            if coefficient.has(v) or not c.is_positive:
                return False
            combined[v, c] = combined.get((v, c), S.Zero) + coefficient * found[0].expr
        return all(self.vanishes(Derivative(f, v)) is not None for (v, _), f in combined.items())

    def _apply_rules(self, e):
        """Rewrite with the hypotheses; one with an index is meant for all its values, so for those that occur in e."""
        for left, right in self.rules:
            if not isinstance(left, (Sum, Derivative, Function)):
                continue
            table = {left: right}
            universal = [s for s in free(left) if isinstance(s, Index)]
            if len(universal) == 1:
                for candidate in e.atoms(type(left)):
                    for index in free(candidate) - free(left):
                        if left.xreplace({universal[0]: index}) == candidate:
                            table[candidate] = apart(right).xreplace({universal[0]: index})
            changed = e.xreplace(table)
            e = self.form(changed) if changed != e else e
        return e


class Bound(Symbol):
    """A dummy index in normal form, named by how deep the sums below it are nested."""

    def __new__(cls, height, place, low=S.One):
        symbol = super().__new__(cls, f"_{height}_{place}", **_sign(low))
        symbol.height, symbol.place, symbol.low = height, place, low
        return symbol

    def __getnewargs_ex__(self):
        return (self.height, self.place, self.low), {}


def _sign(low):
    """What is known of an index that begins at `low`."""
    return {"integer": True, **({"positive": True} if low.is_positive else {"nonnegative": True} if low.is_nonnegative else {})}


def _nested(e, indices=()):
    """Whether a range of the sum depends on an index: one of its own, or one of those given."""
    bound = {*indices, *(l.args[0] for l in e.limits)}
    return any(end.free_symbols & bound for l in e.limits for end in l.args[1:])


def _every_entry(e):
    """Whether e stands for all entries of an array: a[i, j], but not a[i, i] or a[1, j]."""
    return isinstance(e, Indexed) and all(isinstance(i, Index) for i in e.indices) and len(set(e.indices)) == len(e.indices)


def _joined(e):
    """Integrals over one finite range as the integral of their sum, which may have a closed form where they have none."""
    groups, rest = {}, []
    for term in Add.make_args(e):
        coefficient, body = term.as_coeff_Mul()
        if isinstance(body, Integral) and len(body.limits) == 1 and all(end.is_finite for end in body.limits[0].args[1:]):
            groups.setdefault(body.limits[0].args[1:], []).append((coefficient, body))
        else:
            rest.append(term)
    for (low, high), group in groups.items():
        variable = group[0][1].variables[0]
        x = Dummy(variable.name, **variable.assumptions0)
        rest.append(Integral(Add(*(c * body.function.xreplace({body.variables[0]: x}) for c, body in group)), (x, low, high)))
    return Add(*rest)


def _sorted_indices(e):
    """The entries of a symmetric matrix, each in one form."""
    if isinstance(e, Indexed) and getattr(e.base, "symmetric", False):
        return e.base[tuple(sorted(e.indices, key=str))]
    return e


def _height(symbol):
    return getattr(symbol, "height", 0)
