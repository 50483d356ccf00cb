"""What SymPy takes for granted of a term, mended where it is wrong.

Its constructors decide by it: sign(a) is 1 where a is positive for SymPy, δ(a, b) is 0 where a − b
is not an integer. A term is built anew whenever something is put in the place of a name, so that a
wrong fact would become a wrong value, in every route at once. The facts are mended where SymPy
looks them up, for everything that is built after this module is imported.
"""

from functools import wraps

from sympy import (
    Add,
    Derivative,
    Expr,
    Integral,
    Limit,
    Mul,
    Pow,
    Product,
    S,
    Subs,
    Sum,
    binomial,
)  # fmt: skip
from sympy.core import exprtools
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
    # (1 + i)⁴ is −4
    for fact in ("even", "odd"):
        _believe(Pow, fact, False, lambda e: e.base.is_rational)
    # (−2)^(n/2) is real for an even n
    _believe(Pow, "imaginary", True, lambda e: not e.base.is_real or e.exp.is_integer is False)
    # 2^(it) goes around the circle; so does e^(it), and its powers with it
    for fact in ("extended_real", "imaginary", "extended_positive"):
        _believe(Pow, fact, False,
                 lambda e: e.base is S.Exp1 or e.exp.is_real and _known(e.base))  # fmt: skip
    # n!/3 is an integer from n = 3 on, and 2ⁿ/6 is none
    _believe(Mul, "integer", False, lambda e: e.is_number)
    _believe(Mul, "integer", True, lambda e: all(map(_integral, e.args)))
    # 2/(6ⁿ x) may be 2
    _believe(Mul, "even", False, lambda e: all(x.is_rational for x in e.args))
    # n w is real where n is 0
    _believe(Mul, "extended_real", False, lambda e: all(x.is_zero is False for x in e.args))
    exprtools._monotonic_sign = _least_value
    # what is irrational is real: a sum of two numbers that are not may be
    _believe(Add, "irrational", False, lambda e: all(x.is_real for x in e.args))


@wraps(exprtools._monotonic_sign)
def _least_value(e, least=exprtools._monotonic_sign):
    """SymPy puts the least values of letters in the place of these below a line as well: 1/(mn)
    would be 1 at least."""
    above = all(p.exp.is_nonnegative for p in e.atoms(Pow))
    return least(e) if above else None


def _known(e):
    """Whether a term is known to be real, imaginary, or neither."""
    return None not in (e.is_extended_real, e.is_imaginary)


def _integral(e):
    """Whether a factor is an integer, or a fraction over a power of 2: of others SymPy forgets the
    odd part of what is below the line."""
    return e.is_integer or e.is_Rational and not e.q & (e.q - 1)


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
