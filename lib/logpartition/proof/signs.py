"""What sign an expression has on the domain, manifestly or by a hypothesis: never by looking at numbers."""

from copy import copy
from math import prod

from sympy import Add, Derivative, Indexed, Integral, Mul, Pow, Product, S, Sum, cosh, exp, expand_mul, factor, log, together

from .language import Index, Named


class Signs:
    """The part of a `Normal` that knows signs. It has `order`, the hypotheses as pairs (what is nonnegative, whether strictly),
    `nonzeros`, what hypotheses say is not 0, and `form`, the normal form."""

    def positive(self, e):
        """Provably > 0 on the domain."""
        if e.is_extended_positive or isinstance(e, (exp, cosh)) and e.args[0].is_real or (isinstance(e, exp) and self.real(e.args[0])):
            return True
        if isinstance(e, Named):
            return self.positive(e.meaning)
        if isinstance(e, Mul):
            return all(map(self.positive, e.args)) or self._known(e, True)
        if isinstance(e, Add):
            return (all(map(self.nonnegative, e.args)) and any(map(self.positive, e.args))
                    or self._known(e, True) or self._remainder(e, strict=True) or self._factors_positive(e))
        if isinstance(e, Pow):
            return self.positive(e.base) and self.real(e.exp) or e.exp.is_even and self.real(e.base) and self.nonzero(e.base) or False
        if isinstance(e, (Sum, Product)):
            return self._nonempty(e) and self.positive(e.function)
        if isinstance(e, Integral):
            return self._ordered(e, self.positive) and self.positive(e.function)
        return self._known(e, True)

    def nonnegative(self, e):
        """Provably >= 0 on the domain: manifestly so, as a square, a sum of such, or by a hypothesis."""
        if e.is_extended_nonnegative or self.positive(e):
            return True
        if isinstance(e, Named):
            return self.nonnegative(e.meaning)
        if isinstance(e, Mul):
            signs = [a for a in e.args if not self.nonnegative(a)]
            return not signs or self._known(e, False) or bool(_square(Mul(*signs), self.real))
        if isinstance(e, Add):
            return all(map(self.nonnegative, e.args)) or self._known(e, False) or self._remainder(e)
        if isinstance(e, Pow):
            return bool(e.exp.is_even and self.real(e.base)) or self.nonnegative(e.base) and bool(e.exp.is_real) and not e.exp.is_negative
        if isinstance(e, (Sum, Product)):
            return self.nonnegative(e.function) or self._known(e, False)
        if isinstance(e, Integral):
            return self._ordered(e, self.nonnegative) and self._inside(e).nonnegative(e.function) or self._known(e, False)
        return self._known(e, False)

    def nonzero(self, e):
        """Provably different from 0 on the domain."""
        if e.is_nonzero or isinstance(e, exp) or self.positive(e) or self.positive(expand_mul(-e)):
            return True
        if isinstance(e, Named):
            return self.nonzero(e.meaning)
        if isinstance(e, Mul):
            return all(map(self.nonzero, e.args))
        if isinstance(e, Pow):
            return self.nonzero(e.base)
        if any(self._multiple(e, x) for x in self.nonzeros):
            return True
        factored = factor(e) if isinstance(e, Add) and not e.has(Sum, Integral) else e
        return factored != e and isinstance(factored, (Mul, Pow)) and self.nonzero(factored)

    def real(self, e):
        if e.is_real or e.is_extended_real:
            return True
        if isinstance(e, Named):
            return self.real(e.meaning)
        if isinstance(e, log):
            return self.positive(e.args[0])
        if isinstance(e, Pow):
            return self.real(e.base) and bool(e.exp.is_integer) or self.positive(e.base) and self.real(e.exp)
        if isinstance(e, (Sum, Product, Integral)):
            return self.real(e.function)
        if isinstance(e, Derivative):
            return self.real(e.expr)
        return bool(e.args) and not isinstance(e, Indexed) and all(map(self.real, e.args)) and isinstance(e, (Add, Mul, exp))

    def _known(self, e, strict):
        """Whether a hypothesis says that e, or a multiple of it by something positive, has the sign wanted."""
        target = None
        for fact, is_strict in self.order:
            if strict and not is_strict:
                continue
            target = self(e) if target is None else target
            if self._multiple(target, fact, positive=True):
                return True
        return False

    def _factors_positive(self, e):
        """Whether a polynomial is a product of things that are positive, such as 1 - t² for |t| < 1."""
        factored = factor(e) if not e.has(Sum, Integral) else e
        if not isinstance(factored, Mul):
            return False
        signs = [1 if self.positive(f) else -1 if self.positive(expand_mul(-f)) else 0 for f in factored.args]
        return prod(signs) > 0

    def _remainder(self, e, strict=False):
        """Whether e is something that a hypothesis says is nonnegative plus fewer terms that are nonnegative as well."""
        for fact, is_strict in self.order:
            sign = self.positive if strict and not is_strict else self.nonnegative
            for known in (fact, *self._instances(e, fact)):
                rest = e - known
                if len(Add.make_args(rest)) < len(Add.make_args(e)) and sign(rest):
                    return True
        return False

    def _multiple(self, e, fact, positive=False):
        e = self.form(e)
        for candidate in (fact, *self._instances(e, fact)):
            if e == candidate:
                return True
            ratio = together(e / candidate).cancel() if not e.has(Sum) else S.NaN
            if ratio.is_Rational and (ratio > 0 or not positive and ratio != 0):
                return True
        return False

    @staticmethod
    def _instances(e, fact):
        """A hypothesis about r[j] holds for each index: its instances at the indices of e."""
        universal = [i for i in fact.free_symbols if isinstance(i, Index)]
        if len(universal) != 1:
            return []
        return [fact.xreplace({universal[0]: i}) for x in e.atoms(Indexed) for i in x.indices if i != universal[0]]

    def _nonempty(self, e):
        return all((high - low).is_nonnegative or high.is_infinite for _, low, high in (l.args for l in e.limits))

    def _ordered(self, e, sign):
        return all(len(l.args) == 3 and sign(l.args[2] - l.args[1]) for l in e.limits)

    def _inside(self, e):
        """The hypotheses, and that each integration variable lies between its limits."""
        inner = copy(self)
        inner.order, inner.forms = list(self.order), {}
        for variable, low, high in (l.args for l in e.limits):
            inner.order += [(variable - low, False)] * (low.is_finite is True) + [(high - variable, False)] * (high.is_finite is True)
        return inner


def _square(e, real):
    """Whether a product is a square: every factor to an even power."""
    return all(f.as_base_exp()[1].is_even and real(f.as_base_exp()[0]) for f in Mul.make_args(e))
