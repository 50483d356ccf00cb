"""Whether a rational function of irreducible parts vanishes: sums, exponentials, roots and symbolic
powers become generators of a polynomial ring, and SymPy's polynomial arithmetic decides."""

from sympy import (
    Add,
    Mul,
    Pow,
    S,
    Symbol,
    exp,
    expand,
    factor,
    factor_terms,
    factorial,
    floor,
    groebner,
    lcm,
    log,
    numer,
    reduced,
    together,
)
from sympy.polys.orderings import grevlex

from .terms import endless, moderate, says

WORK = 2_000_000  # monomials that are looked at, where a proof needs some hundred thousand at most
DEGREE = 1000  # of one letter: SymPy writes out all powers below it, and nobody looks at these


def vanishes(e, relations, signs):
    """Whether e = 0, where each of the relations is 0 as well.

    e is a rational function of its irreducible parts. Where its denominators are not known not to
    vanish, as of a derivative of x**n that is written n x**n/x, it has to be 0 at every point.
    Exponentials of different arguments are powers of common ones, so that exp(2x) = exp(x)².
    What is no number, as 1/0, is equal to nothing, and nothing follows from it; neither does what
    takes too long to find.
    """
    table = Generators(signs)
    numerator = table.numerator(e)
    if endless(e) or endless(numerator):
        return False
    if numerator == 0:
        return True
    ideal = [table.numerator(r) for r in relations if not endless(r)]
    ideal = [r for r in ideal if r != 0 and not endless(r)]
    if ideal and not all(map(signs.nonzero, denominators(e))):
        ideal = []  # a numerator may be 0 by a hypothesis at a point where the denominator is
    ideal += [r for r in table.roots.values() if r != 0]
    if not ideal:
        return False
    generators = sorted(
        set().union(numerator.free_symbols, *(r.free_symbols for r in ideal)), key=str
    )
    order = Bounded()
    if any(x.exp > DEGREE for p in (numerator, *ideal) for x in p.atoms(Pow) if x.exp.is_Integer):
        return False
    try:
        basis = groebner(ideal, *generators, order=order)
        return reduced(numerator, list(basis.exprs), *generators, order=order)[1] == 0
    except TooLong:
        return False


class TooLong(Exception):
    """More monomials are looked at than a proof needs."""


class Bounded:
    """The order of monomials by degree, which counts how often it is asked."""

    def __init__(self):
        self.left = WORK

    def __call__(self, monomial):
        self.left -= 1
        if self.left < 0:
            raise TooLong
        return grevlex(monomial)


def denominators(e):
    """What stands below the line in a rational function of irreducible parts."""
    if isinstance(e, (Add, Mul)):
        return set().union(*map(denominators, e.args))
    if not isinstance(e, Pow) or isinstance(e, exp) or not e.exp.is_Integer:
        return set()
    return denominators(e.base) | ({e.base} if e.exp < 0 else set())


class Generators:
    """Independent symbols for the irreducible parts of an expression."""

    def __init__(self, signs):
        self.signs, self.names, self.grids, self.lowest, self.roots = signs, {}, {}, {}, {}

    def symbol(self, e):
        return self.names.setdefault(e, Symbol(f"g{len(self.names)}"))

    def factored(self, e):
        """e as a product of factors that are irreducible over the generators; with large powers of
        these, only what all terms have in common is taken out."""
        self._measure(e)
        inside = self._rewrite(e)
        back = factor(inside) if moderate(inside) else factor_terms(inside)
        return back.xreplace({symbol: part for part, symbol in self.names.items()})

    def numerator(self, e):
        self._measure(e)
        return expand(numer(together(self._rewrite(e))))

    def _measure(self, e):
        """For each monomial in an exponent the common denominator of its coefficients, and for
        each symbolic power and factorial the least offset that occurs."""
        for monomial, coefficient in (pair for x in self._exponents(e) for pair in x):
            self.grids[monomial] = lcm(self.grids.get(monomial, 1), coefficient.q)
        for x in e.atoms(Pow, factorial):
            if (split := self._stepped(x)) is not None:
                head, order, shift = split
                self.lowest[head, order] = min(shift, self.lowest.get((head, order), shift))

    @staticmethod
    def _stepped(e):
        """(head, n, c) for b**(n + c), whose base may be 0 or negative, and for (n + c)!."""
        if isinstance(e, factorial) and not e.args[0].is_number:
            shift, order = e.args[0].as_coeff_Add()
            return ("!", order, shift) if shift.is_Integer else None
        if isinstance(e, Pow) and not e.exp.is_number and e.exp.is_integer:
            if says(e.exp, "nonnegative"):
                shift, order = e.exp.as_coeff_Add()
                return e.base, order, shift
        return None

    def _exponents(self, e):
        if isinstance(e, (Add, Mul)):
            for a in e.args:
                yield from self._exponents(a)
        elif (exponent := self._exponent(e)) is not None:
            yield _monomials(exponent)
        elif isinstance(e, Pow) and e.exp.is_Rational:
            yield from self._exponents(e.base)

    def _exponent(self, e):
        """a, if e is exp(a) or a symbolic power b**c = exp(c log b) of a positive base."""
        if isinstance(e, exp):
            return e.args[0]
        if isinstance(e, Pow) and not e.exp.is_Integer and self.signs.positive(e.base):
            return expand(e.exp * log(e.base))
        return None

    def _rewrite(self, e):
        if e.is_Rational:
            return e
        if isinstance(e, (Add, Mul)):
            return e.func(*map(self._rewrite, e.args))
        if isinstance(e, Pow) and e.exp.is_Integer:
            return self._rewrite(e.base) ** e.exp
        if (exponent := self._exponent(e)) is not None:
            return Mul(*(self._power(m, c) for m, c in _monomials(exponent)))
        if (split := self._stepped(e)) is not None:
            return self._step(e, *split)
        return self.symbol(e)

    def _power(self, monomial, coefficient):
        """exp(coefficient · monomial) as a power of one generator; roots keep their relation."""
        grid, result = self.grids.get(monomial, coefficient.q), S.One
        if isinstance(monomial, log):  # b**(n + c) = b**n b**c, with 0 ≤ c < 1 for the root
            whole = floor(coefficient)
            result = self._rewrite(monomial.args[0]) ** whole
            coefficient -= whole
            if grid > 1 and monomial not in self.roots:
                root = self.symbol(exp(monomial / grid)) ** grid
                self.roots[monomial] = numer(together(root - self._rewrite(monomial.args[0])))
        return result * self.symbol(exp(monomial / grid)) ** (coefficient * grid)

    def _step(self, e, head, order, shift):
        """b**(n + c) and (n + c)! from the least of their kind, by multiplication."""
        least = self.lowest.get((head, order), shift)
        steps = range(int(least), int(shift))
        if head == "!":
            factors = [self._rewrite(order + c + 1) for c in steps]
            return self.symbol(factorial(order + least)) * Mul(*factors)
        return self.symbol(head ** (order + least)) * self._rewrite(head) ** (shift - least)


def _monomials(exponent):
    pairs = (t.as_coeff_Mul() for t in Add.make_args(expand(exponent)))
    return [(m, c) if c.is_Rational else (c * m, S.One) for c, m in pairs]
