"""What numbers alone are asked for: equalities in which nothing can jump.

Where all hypotheses are affine, what varies is a convex set. The difference of two sides that are
analytic on it is 0 everywhere or almost nowhere, for each choice of sizes. So one point would tell
equal sides from others, if it were drawn by chance and all digits of the sides were known. Some
points of a survey are drawn by a generator that begins with the text of the statement, and at these
300 digits are compared: the sides are equal but for a chance that nobody can arrange, or for a
difference that is less than that at all of these points. Of other sizes than the tried ones, which
the box names, nothing is known; no letter of a side but a size is a whole number, and none is an
index. Limits, signs, deltas and infinite sums may have another value at one point, so that even
chance would say nothing; and an inequality may fail in a small region, so that no few points would.
"""

import sympy
from sympy import Derivative, Indexed, Poly, Pow, Product, Sum, Symbol

from .errors import Undecided
from .kernel.defined import Definedness
from .kernel.normal import Normal
from .kernel.terms import free, limits, says
from .kernel.theorem import missing_of
from .language import Array, Index, Named, Size
from .printer import text

CONVEX = ("real", "positive", "nonnegative", "simplex", "normal", "symmetric", "antisymmetric",
          "definite")  # fmt: skip
ANALYTIC = (sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.sinh, sympy.cosh,
            sympy.tanh, sympy.coth, sympy.sech, sympy.atan, sympy.erf, sympy.gamma,
            sympy.besseli)  # fmt: skip
SAID = "Numbers alone do not decide"


def demand_steady(context, left, right):
    """Undecided, with what stands in the way, unless all that varies does so in a convex set, and
    the two sides have values there that depend on it analytically."""
    for f in context.facts:
        if not _affine(f.left - f.right):
            raise Undecided(f"{SAID} under {text(f.left)} {f.relation} {text(f.right)}: of "
                            "hypotheses they take linear ones, which leave no gap")  # fmt: skip
        if f.relation == "≠":
            raise Undecided(f"{SAID} under {text(f.left)} ≠ {text(f.right)}, which leaves a gap: "
                            "state < or >, each for itself")  # fmt: skip
    for letter in sorted(free(left) | free(right), key=str):
        if isinstance(letter, Array) and (letter.domain not in CONVEX or letter.of is not None):
            raise Undecided(f"{SAID} for all {text(letter)}, which are not a convex set")
        if type(letter) is Symbol and letter.is_nonzero and letter.is_positive is None:
            raise Undecided(f"{SAID} for all {text(letter)} but 0, which leaves a gap")
    around = Definedness(Normal(context), varying=free(left) | free(right))
    for side in (left, right):
        if (sudden := _sudden(side)) is not None:
            raise Undecided(f"{SAID} where {text(sudden)} stands: its value may be another one at "
                            "points that they do not meet")  # fmt: skip
    for letter in sorted(free(left) | free(right), key=str):
        if type(letter) is Symbol and letter.is_integer:
            raise Undecided(f"{SAID} for all whole numbers {text(letter)}: try an induction")
        if isinstance(letter, Index):
            raise Undecided(f"{SAID} for all places {text(letter)}: state it of a sum over them")
    missing = missing_of(Normal(context), left, right)
    for side in (left, right):
        if (missing := missing or around.missing(side)) is not None:
            raise Undecided(f"{SAID} unless both sides have values all around. {missing}")
        for root in sorted(side.atoms(Pow), key=str):
            if not (root.exp.is_integer or around.holds("positive", root.base)):
                raise Undecided(
                    f"{SAID} unless {text(root.base)}, of which {text(side)} has a root or a power "
                    "that is not whole, is positive all around; give it as a hypothesis"
                )


def _affine(e):
    """Whether a term is a sum of letters and entries with numbers before them."""
    letters = [x for x in e.atoms(Symbol, Indexed) if not isinstance(x, (Array, Index))]
    try:
        return not letters or Poly(e, *letters).total_degree() < 2
    except sympy.PolynomialError:
        return False


def _sudden(e):
    """A part of e that may jump; None where all of it is analytic."""
    if isinstance(e, (Symbol, Size, Index, Indexed)) or e.is_number and not e.args:
        return None
    if isinstance(e, Named):
        return _sudden(e.meaning)
    if isinstance(e, (Sum, Product)):
        finite = all(not x.is_infinite and _affine(x) for _, *ends in limits(e) for x in ends)
        return _sudden(e.function) if finite else e
    if isinstance(e, Derivative):
        return _sudden(e.expr) if all(type(v) is Symbol for v, _ in e.variable_count) else e
    if isinstance(e, Pow) and not (e.exp.is_number or says(e.base, "positive")
                                   or e.exp.is_integer and says(e.exp, "positive")):  # fmt: skip
        return e  # 0 to the power 0 is 1
    if not isinstance(e, (sympy.Add, sympy.Mul, Pow, *ANALYTIC)):
        return e
    return next((found for a in e.args if (found := _sudden(a)) is not None), None)
