"""Sums over all values of an array, and means over normal arrays: per term, the weight of a state
is a product over sites, and so is the sum; a factor at a site becomes its local mean."""

from sympy import (
    Add,
    Dummy,
    I,
    Indexed,
    Integral,
    KroneckerDelta,
    Mul,
    Pow,
    Product,
    S,
    Sum,
    cos,
    exp,
    expand,
    expand_mul,
    log,
    pi,
    sin,
    sqrt,
)  # fmt: skip

from ..language import Size, Total
from .terms import free, fresh, substitute


def total(normal, e):
    """The normal form of a sum over the values of an array."""
    array = e.base
    body = _without_circular(e.function, array)
    body = normal.form(body)
    kept = Total(body, array)
    if "laws" not in normal.powers or len(array.shape) != 1:
        return kept
    found = S.Zero
    for term in Add.make_args(expand_mul(body)):
        summed = States(normal, array).summed(term)
        if summed is None:
            return kept
        found += summed
    return normal.form(found)


def _without_circular(e, array):
    """cos and sin of entries of the array as exponentials."""

    def circular(f):
        return isinstance(f, (cos, sin)) and array in free(f)

    def rewritten(f):
        x = f.args[0]
        up, down = exp(I * x), exp(-I * x)
        return (up + down) / 2 if isinstance(f, cos) else (up - down) / (2 * I)

    return e.replace(circular, rewritten)


class States:
    """The sum of one product over the values of an array with one axis."""

    def __init__(self, normal, array):
        self.normal, self.array, (self.length,) = normal, array, array.shape
        self.site = Dummy("mu", integer=True, positive=True)
        self.inner = normal.inside(self.site, S.One, self.length)

    def summed(self, term):
        flat = self._factors(term)
        if flat is None:
            return None
        factors, outer, exponent = flat
        split = self._weight(exponent)
        if split is None:
            return None
        weight, outside = split
        local = exp(weight)
        if (z := self._at_site(local)) is None:
            return None
        inside = self._means(factors, local, z)
        if inside is None:
            return None
        whole = self._power_of(z)
        rest = Mul(*(f for f in factors if not self._sites(f)))
        body = inside * rest * exp(outside) * whole
        if self.array in free(body):
            return None
        return Sum(body, *outer) if outer else body

    def _sites(self, e):
        return sorted({x.indices[0] for x in e.atoms(Indexed) if x.base == self.array}, key=str)

    def _factors(self, term):
        """Flat factors, the limits of sums that were opened, and one exponent."""
        flat, outer, exponent, pending = [], [], S.Zero, list(Mul.make_args(term))
        normal = self.normal
        while pending:
            f = pending.pop()
            base, power = (f, S.One) if isinstance(f, exp) else f.as_base_exp()
            if isinstance(f, exp):
                exponent += f.args[0]
            elif isinstance(base, Product) and power == 1 and self._sites(base):
                if (found := self._product(base)) is None:
                    return None
                exponent += found
            elif isinstance(base, Sum) and self._sites(base):
                if not (power.is_Integer and power > 0):
                    return None
                for _ in range(int(power)):
                    body, inner, normal = normal.opened(base)
                    outer = [*inner, *outer]
                    pending.extend(Mul.make_args(body))
            else:
                flat.append(f)
        return flat, outer, exponent

    def _product(self, e):
        """A product over all sites of a positive factor, as an exponent."""
        body, opened, here = self.normal.opened(e)
        if not here.signs.positive(body):
            return None
        return Sum(log(body), *opened)

    def _weight(self, exponent):
        """The exponent at one site, and what does not depend on the array."""
        weight, outside = S.Zero, S.Zero
        for part in Add.make_args(expand(exponent, power_exp=False)):
            if not self._sites(part):
                outside += part
                continue
            sums = [f for f in Mul.make_args(part) if isinstance(f, Sum) and self._sites(f)]
            fixed = Mul(*(f for f in Mul.make_args(part) if f not in sums))
            if len(sums) != 1 or self._sites(fixed):
                return None
            if (inner := self._one_site(sums[0])) is None:
                return None
            weight += fixed * inner
        return weight, outside

    def _one_site(self, e):
        """The summand of a sum over all sites, at the site."""
        body, opened, _ = self.normal.opened(e)
        places = self._sites(body)
        if len(places) != 1:
            return None
        mine = [limit for limit in opened if limit[0] == places[0]]
        if not mine or mine[0][1:] != (S.One, self.length):
            return None
        others = [limit for limit in opened if limit[0] != places[0]]
        return substitute(Sum(body, *others) if others else body, {places[0]: self.site})

    def _at_site(self, f):
        """The sum of an expression over the values at the site, or its mean."""
        domain = self.array.domain
        if domain == "normal":
            x = fresh(Dummy("x", real=True))
            density = exp(-(x**2) / 2) / sqrt(2 * pi)
            body = self._with_entry(f, x) * density
            found = self.inner.form(Integral(body, (x, -S.Infinity, S.Infinity)))
            return None if found.has(Integral) else found
        if isinstance(domain, Size):
            t = fresh(Dummy("t", integer=True, positive=True))
            return self.inner.form(Sum(self._with_entry(f, t), (t, S.One, domain)))
        return self.inner.form(Add(*(self._with_entry(f, value) for value in domain)))

    def _with_entry(self, f, value):
        if value != 0:
            return f.xreplace({self.array[self.site]: value})
        x = fresh(Dummy("x", real=True))
        return substitute(f.xreplace({self.array[self.site]: x}), {x: value})

    def _means(self, factors, local, z):
        """Factors at one or two sites as means under the local law."""
        groups = {}
        for f in factors:
            places = self._sites(f)
            if len(places) > 1 or any(not free(p) <= free(f) for p in places):
                return None  # several sites in one factor, or a site under a binder
            if places:
                groups.setdefault(places[0], []).append(f)
        if len(groups) > 2 or groups and not self.inner.signs.nonzero(z):
            return None

        def mean(place, fs):
            here = Mul(*(self._moved(f, place, self.site) for f in fs))
            found = self._at_site(here * local)
            return None if found is None else substitute(found / z, {self.site: place})

        single = [mean(place, fs) for place, fs in groups.items()]
        if None in single:
            return None
        if len(groups) < 2:
            return Mul(*single)
        (one, first), (other, second) = groups.items()
        moved = [self._moved(f, other, one) for f in second]
        same, alone = mean(one, [*first, *moved]), mean(one, moved)
        if same is None or alone is None:
            return None
        together = KroneckerDelta(one, other) * (same - single[0] * alone)
        return single[0] * single[1] + together

    def _moved(self, f, place, other):
        """f with the entry at one place read at another."""
        return f.xreplace({self.array[place]: self.array[other]})

    def _power_of(self, z):
        """The product over all sites of the local sum."""
        if self.site not in free(z):
            return Pow(z, self.length)
        if self.inner.signs.positive(z):
            return exp(Sum(log(z), (self.site, S.One, self.length)))
        return Product(z, (self.site, S.One, self.length))
