"""The words in which results are stated: sizes, indices, arrays with a domain, and names for expressions.

Everything is a SymPy expression. What SymPy does not know, and both routes need, is kept on the symbols themselves:
which symbol is a size, how long each axis of an array is, and where its entries may lie.
"""

from sympy import Derivative, Dummy, Eq, Expr, Indexed, IndexedBase, Integral, Limit, Product, Subs, Sum, Symbol, sympify
from sympy.core.symbol import Str

DOMAINS = ("real", "positive", "simplex", "sphere", "symmetric", "definite", "inverse")


class Size(Symbol):
    """A number of keys, of dimensions, of anything that is counted: an integer, at least 1, symbolic in every proof."""


class Index(Symbol):
    """A position in an array, from 1 to the length of the axis that it stands in."""


class Array(IndexedBase):
    """Numbers with indices, such as the keys k[j, a] with j up to N and a up to d, and the set in which they lie."""

    def __new__(cls, label, shape, domain="real", of=None, **assumptions):
        if domain not in DOMAINS:
            raise ValueError(f"domain: got {domain!r}, needs one of {', '.join(DOMAINS)}")
        if domain in ("symmetric", "definite", "inverse") and (len(shape) != 2 or shape[0] != shape[1]):
            raise ValueError(f"shape: got {shape}, needs two equal axes in the domain {domain}")
        assumptions.setdefault("real", True)
        if domain in ("positive", "simplex"):
            assumptions["positive"] = True
        array = super().__new__(cls, label, shape=shape, **assumptions)
        array.domain, array.of = domain, of
        return array

    def _hashable_content(self):
        return super()._hashable_content() + (self.domain, str(self.of))

    @property
    def symmetric(self):
        return self.domain in ("symmetric", "definite", "inverse")

    def facts(self):
        """The equation that membership in the domain amounts to: of the array, or of each of its rows."""
        if self.domain not in ("simplex", "sphere"):
            return []
        row = [Index(f"row{n}", integer=True, positive=True) for n in range(len(self.shape) - 1)]
        i = Index("i", integer=True, positive=True)
        power = 1 if self.domain == "simplex" else 2
        return [Eq(Sum(self[(*row, i)] ** power, (i, 1, self.shape[-1])), 1)]


class Named(Expr):
    """An expression that has a name: the name on the page, the expression in every proof."""

    def __new__(cls, name, meaning):
        return Expr.__new__(cls, Str(str(name)), sympify(meaning))

    name = property(lambda self: self.args[0].name)
    meaning = property(lambda self: self.args[1])
    is_commutative = True
    is_extended_real = property(lambda self: self.meaning.is_extended_real)
    is_real = property(lambda self: self.meaning.is_real)

    def _eval_derivative(self, symbol):
        return self.meaning.diff(symbol)

    def doit(self, **hints):
        return self.meaning.doit(**hints)

    # A name stands for one expression: after a substitution that changes the expression, the name goes.
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


def sizes(names):
    """Sizes by name: `N, d = sizes("N d")`."""
    return _symbols(Size, names)


def indices(names):
    """Indices by name: `i, j = indices("i j")`."""
    return _symbols(Index, names)


def _symbols(kind, names):
    made = tuple(kind(name, integer=True, positive=True) for name in names.replace(",", " ").split())
    return made if len(made) > 1 else made[0]


def array(name, *shape, domain="real"):
    """Numbers with indices: `k = array("k", N, d)`; `p = array("p", N, domain="simplex")`."""
    return Array(name, shape, domain)


def inverse(matrix, name):
    """The inverse of a matrix that is symmetric and positive definite: `P = inverse(S, "P")`."""
    if getattr(matrix, "domain", None) != "definite":
        raise ValueError(f"matrix: got {matrix}, needs an array with the domain 'definite'")
    return Array(name, matrix.shape, "inverse", matrix)


def named(name, meaning):
    """A name (LaTeX) for an expression; the page lists what it stands for."""
    return Named(name, meaning)


def unfold(expression):
    """The expression with every name replaced by what it stands for."""
    expression = sympify(expression)
    while True:
        names = expression.atoms(Named)
        if not names:
            return expression
        expression = expression.xreplace({n: n.meaning for n in names})


def free(e):
    """The symbols on which the value of an expression depends, the index in `Derivative(G, q[b])` among them."""
    if isinstance(e, Symbol):
        return {e}
    if isinstance(e, (Sum, Product, Integral)):
        variables = {limit.args[0] for limit in e.limits}
        ends = [end for limit in e.limits for end in limit.args[1:]]
        return (free(e.function) - variables).union(*map(free, ends))
    if isinstance(e, Subs):
        return (free(e.expr) - set(e.variables)).union(*map(free, e.point))
    if isinstance(e, Limit):
        return (free(e.args[0]) - {e.args[1]}) | free(e.args[2])
    if isinstance(e, Derivative):
        return free(e.expr).union(*(free(v) | free(count) for v, count in e.variable_count))
    parts = e.indices if isinstance(e, Indexed) else e.args
    return set().union(*map(free, parts))


def apart(e):
    """The expression with a new name for each bound variable, so that nothing put into it is captured."""
    if not e.args or isinstance(e, Indexed):
        return e
    e = e.func(*map(apart, e.args))
    if not isinstance(e, (Sum, Product, Integral)):
        return e
    return e.xreplace({limit.args[0]: Dummy(str(limit.args[0]), **limit.args[0].assumptions0) for limit in e.limits})


def ambiguous(expressions):
    """A name that stands for two different things in some expressions, or None."""
    meanings, pending = {}, list(expressions)
    while pending:
        for n in pending.pop().atoms(Named):
            if meanings.setdefault(n.name, n.meaning) != n.meaning:
                return n.name
            pending.append(n.meaning)
    return None


def differentiated(fact):
    """The variables in which a hypothesis takes derivatives: it is meant for all their values, so it may be differentiated again."""
    return sorted({v for e in fact.atoms(Derivative) for v, _ in e.variable_count if isinstance(v, Symbol)}, key=str)
