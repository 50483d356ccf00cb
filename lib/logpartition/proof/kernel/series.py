"""Σ P(n) yⁿ and Σ P(n) yⁿ/(n + s)! over n = 0, 1, …, for a polynomial P and a whole number s ≥ 0,
summed by rules of its own.

With falling powers (n)_j = n(n − 1)…(n − j + 1), Σ (n)_j yⁿ = j! yʲ/(1 − y)^(j + 1) for |y| < 1,
and Σ (n)_j yⁿ/n! = yʲ e^y.
"""

from sympy import Add, Dummy, Integer, Mul, Poly, Pow, S, exp, expand, factorial

from .terms import free, substitute

STEPS = 100  # terms that are taken off a series of exponentials at most


def closed_form(normal, body, variable, low, high):
    """What all terms from `low` on add up to, or None where that, or that they converge, is not
    known."""
    if not low.is_finite or high != S.Infinity:
        return None
    n = Dummy("n", integer=True, nonnegative=True)
    parts = _parts(normal, substitute(body, {variable: n + low}), n)
    if parts is None:
        return None
    factor, y, falling, shift = parts
    if shift is None:
        inside = normal.signs.positive(1 - y) and normal.signs.positive(1 + y)
        return factor * _geometric(falling, y) if inside else None
    if shift and (shift > STEPS or not normal.signs.nonzero(y)):
        return None
    return factor * _exponential(falling, y, shift)


def _parts(normal, term, n):
    """A term as c yⁿ P(n)/(n + s)!: c, y, the coefficients of P in falling powers of n + s, and s,
    which is None where there is no factorial."""
    factor, y, polynomial, shift = S.One, S.One, S.One, None
    for f in Mul.make_args(term):
        base, exponent = f.as_base_exp()
        if n not in free(f):
            factor *= f
        elif f.is_polynomial(n):
            polynomial *= f
        elif isinstance(base, factorial) and exponent == -1 and shift is None:
            shift = base.args[0] - n
            if not (shift.is_Integer and shift >= 0):
                return None
        elif n not in free(base) and (line := _line(exponent, n)) is not None:
            slope, start = line
            natural = slope.is_positive and start.is_integer and normal.signs.nonnegative(start)
            whole = slope.is_Integer and (natural or normal.signs.nonzero(base))
            if not (whole or base is S.Exp1):
                return None
            factor, y = factor * base**start, y * base**slope
        else:
            return None
    falling = _falling(polynomial, n, shift or 0)
    return None if falling is None else (factor, y, falling, shift)


def _line(e, n):
    """The slope and the start of a linear function of n."""
    e = expand(e)
    slope, start = e.coeff(n, 1), e.coeff(n, 0)
    return (slope, start) if n not in free(slope) and expand(slope * n + start - e) == 0 else None


def _falling(polynomial, n, shift):
    """The coefficients of a polynomial of n = m − s in falling powers of m."""
    polynomial = expand(polynomial.xreplace({n: n - shift}))
    powers = [polynomial.coeff(n, k) for k in range(max(Poly(polynomial, n).degree(), 0) + 1)]
    if expand(polynomial - Add(*(c * n**k for k, c in enumerate(powers)))) != 0:
        return None
    values, found = [polynomial.xreplace({n: Integer(m)}) for m in range(len(powers))], []
    for j in range(len(powers)):
        found.append(expand(values[0] / factorial(j)))
        values = [b - a for a, b in zip(values, values[1:])]
    return found


def _geometric(falling, y):
    return Add(*(c * factorial(j) * y**j / (1 - y) ** (j + 1) for j, c in enumerate(falling)))


def _exponential(falling, y, shift):
    """With m = n + s, all terms but those with m < s, over yˢ."""
    return Add(*(
        c * Pow(y, -shift) * (y**j * exp(y) - Add(*(y**m / factorial(m - j)
                                                    for m in range(j, shift))))
        for j, c in enumerate(falling)
    ))  # fmt: skip
