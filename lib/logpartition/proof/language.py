"""The words in which results are stated: sizes, indices, arrays with a domain or a law, functions,
names for expressions.

Everything is a SymPy expression. What SymPy does not know, and both routes need, is kept on the
symbols themselves: which symbol is a size, how long each axis of an array is, and where its entries
may lie.
"""

from functools import lru_cache

from sympy import Basic, Expr, Function, IndexedBase, Integer, Symbol, SympifyError, Tuple, sympify
from sympy.core.symbol import Str

from .assumed import silent
from .errors import IllFormed
from .names import own_name

DOMAINS = (
    "real",
    "positive",
    "nonnegative",
    "simplex",
    "sphere",
    "symmetric",
    "antisymmetric",
    "definite",
    "invertible",
    "inverse",
    "normal",
)
MATRICES = ("symmetric", "antisymmetric", "definite", "invertible", "inverse")


class Size(Symbol):
    """A number of keys, of dimensions, of anything that is counted: an integer, at least 1."""


class Index(Symbol):
    """A position in an array, from 1 to the length of the axis that it stands in."""


class Array(IndexedBase):
    """Numbers with indices, such as the keys k[j, a] with j up to N and a up to d.

    `domain` says where the entries lie: a word of DOMAINS, a tuple of numbers, or a size T for
    positions 1 … T. An inverse is `of` another matrix.
    """

    def __new__(cls, label, shape, domain="real", of=None, **assumptions):
        if not isinstance(domain, (tuple, Tuple, Size)) and domain not in DOMAINS:
            words = ", ".join(DOMAINS)
            raise ValueError(
                f"domain: got {domain!r}, needs one of {words}, a tuple of numbers, or a size"
            )
        if not shape:
            raise ValueError(f"shape: got none for {label}, needs the length of each axis")
        if domain in MATRICES and (len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(f"shape: got {shape}, needs two equal axes in the domain {domain}")
        if (domain == "inverse") != (of is not None) or of is not None and not invertible(of):
            raise ValueError(f"of: got {of}; an inverse, and nothing else, is of a matrix of the "
                             "domain 'definite' or 'invertible'")  # fmt: skip
        if isinstance(domain, (tuple, Tuple)):
            domain = tuple(map(sympify, domain))
        assumptions.setdefault("real", True)
        if domain in ("positive", "simplex"):
            assumptions["positive"] = True
        if domain == "nonnegative":
            assumptions["nonnegative"] = True
        if isinstance(domain, Size):
            assumptions.update(integer=True, positive=True)
        array = super().__new__(cls, label, shape=shape, **assumptions)
        array.domain, array.of = domain, of
        return array

    def _hashable_content(self):
        of = "" if self.of is None else f"{self.of}{self.of.shape} {self.of.domain}"
        return super()._hashable_content() + (str(self.domain), of)

    @property
    def func(self):
        return lambda *args: self if args == self.args else Array(*args, self.domain, self.of)

    @property
    def name(self):
        return str(self.label)

    @property
    def symmetric(self):
        of = self.of.domain if self.of is not None else ""
        return self.domain in ("symmetric", "definite") or of in ("symmetric", "definite")

    @property
    def has_law(self):
        """Whether a `Total` over its values is defined."""
        return self.domain == "normal" or isinstance(self.domain, (tuple, Size))


def invertible(matrix):
    """Whether a matrix is assumed to have an inverse."""
    return getattr(matrix, "domain", None) in ("definite", "invertible")


@silent
class Named(Expr):
    """An expression that has a name: the name on the page, the expression in every proof.

    `below` is what the page shows in its place where entries are asked for.
    """

    def __new__(cls, name, meaning):
        return Expr.__new__(cls, Str(str(name)), sympify(meaning))

    name = property(lambda self: self.args[0].name)
    meaning = property(lambda self: self.args[1])

    def _eval_derivative(self, symbol):
        return self.meaning.diff(symbol)

    def doit(self, **hints):
        return self.meaning.doit(**hints)

    # A name stands for one expression: after a substitution that changes it, the name goes.
    def _eval_subs(self, old, new):
        changed = self.meaning._subs(old, new)
        return self if changed == self.meaning else changed

    def _xreplace(self, rule):
        if self in rule:
            return rule[self], True
        changed, hit = self.meaning._xreplace(rule)
        return (changed, True) if hit else (self, False)

    def _latex(self, printer):
        return self.name

    def _sympystr(self, printer):
        return self.name


@silent
class Total(Expr):
    """The sum of an expression over all values of an array; its mean for a normal array."""

    def __new__(cls, function, base):
        if not getattr(base, "has_law", False):
            raise ValueError(
                f"base: got {base}, needs an array of finitely many values or a normal one"
            )
        return Expr.__new__(cls, sympify(function), base)

    function = property(lambda self: self.args[0])
    base = property(lambda self: self.args[1])


class Smooth(Function):
    """f⁽ⁿ⁾(x), for a real function f that has all derivatives; n may be a symbol."""

    nargs = 3

    @classmethod
    def eval(cls, name, order, argument):
        return None

    def fdiff(self, argindex=3):
        name, order, argument = self.args
        return Smooth(name, order + 1, argument)

    def _eval_derivative(self, symbol):
        return self.fdiff() * self.args[2].diff(symbol)

    def _eval_is_extended_real(self):
        return self.args[2].is_extended_real or None

    def _eval_is_real(self):
        return self.args[2].is_real or None

    name = property(lambda self: self.args[0].name)
    order = property(lambda self: self.args[1])
    argument = property(lambda self: self.args[2])


def sizes(names):
    """Sizes by name: `N, d = sizes("N d")`."""
    return _symbols(Size, names)


def indices(names):
    """Indices by name: `i, j = indices("i j")`."""
    return _symbols(Index, names)


def _symbols(kind, names):
    if not isinstance(names, str):
        raise TypeError(f"names: got {names!r}, needs a text such as 'N d'")
    made = tuple(
        kind(name, integer=True, positive=True) for name in names.replace(",", " ").split()
    )
    return made if len(made) != 1 else made[0]


def array(name, *shape, domain="real"):
    """Numbers with indices: `k = array("k", N, d)`; `p = array("p", N, domain="simplex")`.

    The domain is real, positive, nonnegative, simplex (positive entries, whose sum over the last
    index is 1), sphere, symmetric, antisymmetric, definite, invertible or normal; a tuple of the
    numbers that entries may be; or a size, for positions.
    """
    return Array(name, tuple(map(sympify, shape)), domain)


def inverse(matrix, name):
    """The inverse of a matrix that has one: `P = inverse(S, "P")`."""
    if not invertible(matrix):
        raise ValueError(f"matrix: got {matrix}, needs the domain 'definite' or 'invertible'")
    return Array(name, matrix.shape, "inverse", matrix)


def function(name):
    """A real function with all derivatives: `f = function("f")`, then `f(x)`, `f(x, order=n)`."""

    def apply(argument, order=0):
        for place, given in (("argument", argument), ("order", order)):
            if as_expression(given) is None:
                raise TypeError(f"{name}, {place}: got {given!r}, needs an expression")
        return Smooth(Str(name), sympify(order), sympify(argument))

    apply.__name__ = name
    return apply


def named(name, meaning):
    """A name (LaTeX) for an expression; the page lists what it stands for."""
    if as_expression(meaning) is None:
        raise TypeError(f"meaning: got {meaning!r}, needs an expression")
    return Named(own_name(str(name)), meaning)


def as_expression(x):
    """The expression that an author passes, or None for anything else."""
    try:
        e = None if isinstance(x, str) else sympify(x)
    except SympifyError as error:
        if isinstance(error, IllFormed):  # something whole, which says so itself
            raise
        return None
    return e if isinstance(e, Expr) else None


def unfold(expression):
    """The expression with every name replaced by what it stands for."""
    if not isinstance(expression := sympify(expression), Basic):
        raise TypeError(f"expression: got {expression!r}, needs an expression")
    return _unfolded(expression)


@lru_cache(50_000)
def _unfolded(expression):
    while names := expression.atoms(Named):
        expression = expression.xreplace({n: n.meaning for n in names})
    return expression


ONE = Integer(1)
