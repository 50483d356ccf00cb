"""What SymPy takes for granted of a term, mended where it is wrong.

Its constructors decide by it: sign(a) is 1 where a is positive for SymPy, δ(a, b) is 0 where a − b
is not an integer. A term is built anew whenever something is put in the place of a name, so that a
wrong fact would become a wrong value, in every route at once. The facts are mended where SymPy
looks them up, for everything that is built after this module is imported.
"""

from functools import lru_cache

from sympy import Derivative, Expr, Integral, Limit, Mul, Pow, Product, Subs, Sum, binomial
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core import relational
from sympy.core.function import Application

# SymPy says that atan(r) is irrational for a rational r, and forgets that r may be 0; and what is
# no integer, or not rational, or not real, is not 0 to it, or anything else that is one.
DENIED = ("integer", "even", "composite", "prime", "rational", "algebraic",
          "real", "extended_real", "imaginary", "complex")  # fmt: skip
COMPUTED = (Sum, Product, Integral, Limit, Derivative, Subs)


def _believe(kind, fact, answer, where=lambda e: False):
    """SymPy's answer, False or True, to whether a term of a kind has a property stands only where
    something is known of the term."""
    said = kind._prop_handler.get(fact)

    def mended(e):
        found = said(e)
        return None if found is answer and not where(e) else found

    if said is not None:
        kind._prop_handler[fact] = mended


def _subclasses(kind):
    return {kind}.union(*map(_subclasses, kind.__subclasses__()))


def _mend():
    for kind in (*_subclasses(Application), Sum, Product, Integral):
        for fact in DENIED:
            _believe(kind, fact, False)
    # C(n, 3) is negative for some n, and is not for others
    _believe(binomial, "nonnegative", False)
    # what is nowhere 0 may have the integral 0
    _believe(Integral, "zero", False)
    # an irrational number may have rational powers; those of a fraction by a fraction are computed
    _believe(Pow, "rational", False,
             lambda e: not e.base.is_irrational or e.base.is_transcendental)  # fmt: skip
    # (3/2)^x takes all positive values
    _believe(Pow, "integer", False,
             lambda e: e.base.is_integer or e.exp.is_integer or e.is_number)  # fmt: skip
    # (−2)^(n/2) is real for an even n
    _believe(Pow, "imaginary", True, lambda e: not e.base.is_real or e.exp.is_integer is False)
    # n!/3 is an integer from n = 3 on
    _believe(Mul, "integer", False, lambda e: e.is_number)
    # n w is real where n is 0
    _believe(Mul, "extended_real", False, lambda e: all(x.is_zero is False for x in e.args))


def _sign(e, positive, computed=Expr._eval_is_extended_positive_negative):
    """The sign of a number, by its first digits: not of what has a sum or an integral in it, whose
    first digits SymPy may get wrong."""
    return None if e.has(*COMPUTED) else computed(e, positive)


def _difference(a, b, computed=relational._n2):
    """The first digits of a difference of numbers, from which SymPy reads which one is larger."""
    return None if a.has(*COMPUTED) or b.has(*COMPUTED) else computed(a, b)


def _power(e, exponent, computed=Pow._eval_power):
    """(bᵉ)^exponent as a power of b, for which SymPy computes the angle of a number."""
    if e.is_number and e.has(*COMPUTED) and not exponent.is_integer:
        return None
    return computed(e, exponent)


_mend()
Pow._eval_power = _power
Expr._eval_is_extended_positive_negative = _sign
relational._n2 = _difference

# SymPy takes two `Subs` for one where they differ in the bound letter, or in what is assumed of the
# letters of the place, and its caches would give the one for the other: an expression would depend
# on what was built before it. They are equal where their parts are, as sums and integrals are.
Subs._hashable_content = Expr._hashable_content

# asked for whenever a product is built, and worked out by building the sum anew
ExprWithLimits.free_symbols = property(lru_cache(20_000)(ExprWithLimits.free_symbols.fget))
