"""What SymPy takes for granted of a term, mended where it is wrong.

Its constructors decide by it: sign(a) is 1 where a is positive for SymPy, δ(a, b) is 0 where a − b
is not an integer. A term is built anew whenever something is put in the place of a name, so that a
wrong fact would become a wrong value, in every route at once. The facts are mended where SymPy
looks them up, for everything that is built after this module is imported.
"""

from sympy import Derivative, Expr, Integral, Limit, Mul, Pow, Product, Subs, Sum, binomial
from sympy.core.function import Application

# SymPy says that atan(r) is irrational for a rational r, and forgets that r may be 0; and what is
# no integer, or not rational, or not real, is not 0 to it, or anything else that is one.
DENIED = ("integer", "even", "composite", "prime", "rational", "algebraic",
          "real", "extended_real", "imaginary", "complex")  # fmt: skip


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
    for kind in _subclasses(Application):
        for fact in DENIED:
            _believe(kind, fact, False)
    # C(n, 3) is negative for some n, and is not for others
    _believe(binomial, "nonnegative", False)
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


def silent(binder):
    """The class of a binder, of whose terms SymPy assumes nothing but that they commute.

    SymPy takes an integral for nonzero where its integrand is, and a limit for a matrix, and
    computes what has no free symbol; |x|, max, δ and roots are then decided by it.
    """
    binder._prop_handler = {"commutative": lambda self: True}
    binder.is_number = False
    return binder


_mend()
for binder in (Sum, Product, Integral, Limit, Derivative, Subs):
    silent(binder)

# SymPy takes two `Subs` for one where they differ in the bound letter, or in what is assumed of the
# letters of the place, and its caches would give the one for the other: an expression would depend
# on what was built before it. They are equal where their parts are, as sums and integrals are.
Subs._hashable_content = Expr._hashable_content
