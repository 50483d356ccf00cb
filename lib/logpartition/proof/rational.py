"""Whether a rational function of irreducible parts vanishes: sums, exponentials, roots and symbolic powers become generators
of a polynomial ring, and SymPy's polynomial arithmetic decides."""

from sympy import Add, Mul, Pow, S, Symbol, exp, expand, floor, groebner, lcm, log, numer, reduced, together


def vanishes_rationally(normal, e, rules):
    """Whether e = 0 as a rational function of its irreducible parts, modulo the hypotheses.

    Exponentials of different arguments are first written as powers of common ones, so that exp(2x) = exp(x)².
    """
    table = Generators(normal)
    numerator = expand(numer(together(table.rational(e))))
    if numerator == 0:
        return True
    differences = [table.rational(left - right) for left, right in rules]
    relations = [expand(numer(together(r))) for r in (*differences, *table.roots.values())]
    relations = [r for r in relations if r != 0]
    if not relations:
        return False
    generators = sorted(set().union(numerator.free_symbols, *(r.free_symbols for r in relations)), key=str)
    basis = groebner(relations, *generators, order="grevlex")
    return reduced(numerator, list(basis.exprs), *generators, order="grevlex")[1] == 0


class Generators:
    """Independent symbols for the irreducible parts of an expression."""

    def __init__(self, normal):
        self.normal, self.names, self.grids, self.lowest, self.roots = normal, {}, {}, {}, {}

    def symbol(self, e):
        return self.names.setdefault(e, Symbol(f"g{len(self.names)}"))

    def rational(self, e):
        self._measure(e)
        return self._rewrite(e)

    def _measure(self, e):
        """For each monomial in an exponent, the common denominator of its coefficients."""
        for monomial, coefficient in (pair for x in self._exponentials(e) for pair in x):
            self.grids[monomial] = lcm(self.grids.get(monomial, 1), coefficient.q)
        for x in e.atoms(Pow):
            if self._is_integer_power(x):
                shift, order = x.exp.as_coeff_Add()
                self.lowest[x.base, order] = min(shift, self.lowest.get((x.base, order), shift))

    @staticmethod
    def _is_integer_power(e):
        """b**n with n >= 0 a symbol: its base may be 0 or negative, so it has no logarithm."""
        return isinstance(e, Pow) and not e.exp.is_number and e.exp.is_integer and e.exp.is_nonnegative

    def _exponentials(self, e):
        if isinstance(e, (Add, Mul)):
            for a in e.args:
                yield from self._exponentials(a)
        elif (exponent := self._exponent(e)) is not None:
            yield self._monomials(exponent)
        elif isinstance(e, Pow) and e.exp.is_Rational:
            yield from self._exponentials(e.base)

    def _exponent(self, e):
        """a, if e is exp(a) or a symbolic power b**c = exp(c log b) of a positive base."""
        if isinstance(e, exp):
            return e.args[0]
        if isinstance(e, Pow) and not e.exp.is_Integer and self.normal.positive(e.base):
            return expand(e.exp * log(e.base))
        return None

    @staticmethod
    def _monomials(exponent):
        return [(m, c) for c, m in (t.as_coeff_Mul() for t in Add.make_args(expand(exponent)))
                for c, m in ([(c, m)] if c.is_Rational else [(S.One, c * m)])]

    def _rewrite(self, e):
        if e.is_Rational:
            return e
        if isinstance(e, (Add, Mul)):
            return e.func(*map(self._rewrite, e.args))
        if isinstance(e, Pow) and e.exp.is_Integer:
            return self._rewrite(e.base) ** e.exp
        if (exponent := self._exponent(e)) is not None:
            result = S.One
            for monomial, coefficient in self._monomials(exponent):
                grid = self.grids.get(monomial, coefficient.q)
                if isinstance(monomial, log):       # b**(n + c) = b**n b**c, with 0 <= c < 1 for the root
                    whole = floor(coefficient)
                    result *= self._rewrite(monomial.args[0]) ** whole
                    coefficient -= whole
                    if grid > 1 and monomial not in self.roots:
                        self.roots[monomial] = self.symbol(exp(monomial / grid)) ** grid - self._rewrite(monomial.args[0])
                result *= self.symbol(exp(monomial / grid)) ** (coefficient * grid)
            return result
        if self._is_integer_power(e):
            shift, order = e.exp.as_coeff_Add()
            least = self.lowest.get((e.base, order), shift)
            return self.symbol(e.base ** (order + least)) * self._rewrite(e.base) ** (shift - least)
        return self.symbol(e)
