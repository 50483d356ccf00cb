r"""Vectors and matrices: authors write `grad(G, q)` and `k[j] @ q`, the verifier sees entries.

A `Tensor` is a shape, a function from indices to a scalar SymPy expression (the entry), and the
short words that the page shows. Every operation lowers to sums over entries at once. Bound indices
get letters that occur nowhere in what they bind, so nothing is captured.

For the classes that take statements apart, an equation between tensors is an equation for each
entry, at free indices that occur in neither side:

    shape(x)                    () for a scalar expression
    entries(left, right)        (scalar left, scalar right, indices)
    common(*terms)              such indices for all terms of a chain
    scalar(x, indices)          x at these indices; a scalar stays, in a chain of scalars
    ranges(x, indices)          how far these indices run, as pairs (index, length)
    words(x)                    the LaTeX that the page shows
    equation(left, right)       the SymPy equation of the entries, for `given=`
"""

import re
from contextlib import contextmanager
from functools import lru_cache, wraps

from sympy import (
    Basic,
    Derivative,
    Dummy,
    Eq,
    Expr,
    Indexed,
    IndexedBase,
    KroneckerDelta,
    Lambda,
    S,
    Subs,
    Sum,
    Symbol,
    SympifyError,
    Tuple,
    preorder_traversal,
    sqrt,
    sympify,
)  # fmt: skip
from sympy.core.symbol import Str

from .errors import IllFormed
from .kernel.context import alike, canonical, demand_length, elaborate, named_in, names_in
from .kernel.demands import demands
from .kernel.normal import Normal
from .kernel.terms import bound_by, demand_honest, free, says, substitute
from .language import Array, Index, Named, Size, Smooth, as_expression, unfold
from .names import DRESSED, beside, flat, own_name, seen_as, spelled
from .printer import (
    ATOM,
    FACTOR,
    NEGATIVE,
    OPEN,
    PRODUCT,
    Latex,
    Piece,
    demand_no_second_e,
    demand_own,
    letter,
    piece,
    tex,
    text,
)

LATEX = Latex()
OF_ARGUMENTS = re.compile(rf"(?:{DRESSED.pattern}|\\?[A-Za-z]+)'*(_\{{\w+\}})?")  # such as G
RUNS = Dummy("i", integer=True, positive=True)  # stands for every index that is bound, or a place
ENTRYWISE = (
    OPEN + PRODUCT
) / 2  # x ⊙ y: in a product of matrices it needs parentheses at the end too


REPLACED = {}  # names in which `at` replaced arrays, with what `replaced` says of them
LOOKS = {}  # names of scalars, with the words of the vectors that they are made of
CALLED = {}  # the calls that made those of scalars, which know no call


@contextmanager
def own_names():
    """Inside, what is noted of names is noted of those that are made inside."""
    kept = [(noted, dict(noted)) for noted in (REPLACED, LOOKS, CALLED)]
    try:
        for noted, _ in kept:
            noted.clear()
        yield
    finally:
        for noted, before in kept:
            noted.clear()
            noted.update(before)


def remembered(make):
    """The function, of whose tensors each knows the call that made it: a record keeps that."""

    @wraps(make)
    def call(*args, **more):
        made = make(*args, **more)
        if isinstance(made, Tensor) and made.call is None:
            given = (x for x in (*args, *more.values()) if x is not None)
            made.call = (make.__name__.strip("_"), tuple(given))
        elif isinstance(made, Named) and (found := _replaced_by(make.__name__, args)):
            _note(made, found)
            CALLED.setdefault(made, (make.__name__.strip("_"), args))
        _demand_kept(make.__name__.strip("_"), made, args)
        return made

    return call


def _note(made, found):
    """What is replaced in a name, by whichever call made it."""
    REPLACED[made] = [*dict.fromkeys([*REPLACED.get(made, ()), *found])]


def _demand_kept(name, made, parts):
    """Nothing that the words of the parts show is gone in the entries of what is made of them:
    no letter, no name, no denominator, no logarithm."""
    if name in ("getitem", "T", "identity"):
        return
    over = name in ("total", "mean", "covariance")  # which bind an index
    told = parts[: 1 if name == "total" else 3]
    before = _of_places(*parts) if name == "at" else set().union(*(_shown(p, over) for p in told))
    if name == "truediv":
        below = Tensor.of(parts[1])
        before |= _shown(Tensor(below.shape, lambda *i: 1 / below.entry(*i), below.words))
    lost = before - _shown(made, over, within=True)
    if name == "grad":  # derivatives of derivatives are one
        lost = {x for x in lost if not isinstance(x, Derivative)}
    if lost:
        gone = min(lost, key=lambda x: (isinstance(x, Size), str(x)))
        raise IllFormed(f"nothing is left of {text(gone)} in the entries of {text(made)}, and its "
                        "words show it: write the term without it, or give a name to the part "
                        "that has it, by tensor(…)")  # fmt: skip


class WholeInScalar(IllFormed, SympifyError):
    """Something whole in a scalar. SymPy lets an operator that meets one go on to the other side's
    method, and passes it on from elsewhere."""

    __str__ = Exception.__str__


class Tensor:
    """Numbers with indices, given by a rule for each entry and shown by short words."""

    __iter__ = None

    def __init__(self, shape, entry, words, transposed=None):
        self.shape, self._entry = tuple(map(sympify, shape)), entry
        self.words = words if isinstance(words, Piece) else Piece(words)
        self._transposed, self.gradient, self.call = transposed, {}, None
        demand_honest(entry := sympify(self.entry(*_probes(self))))
        self.mentions = mentioned(entry)

    @classmethod
    def of(cls, x):
        """Anything as a tensor: a whole array, a scalar expression, a number."""
        if isinstance(x, Tensor):
            return x
        if isinstance(x, Array):
            made = cls(x.shape, lambda *places: IndexedBase.__getitem__(x, places), LATEX.show(x))
            made.call = ("of", (x,))
            return made
        e = as_expression(x)
        if e is None or isinstance(e, Lambda):
            raise IllFormed(f"{x!r} is neither a number nor a vector or matrix")
        return cls((), lambda: e, piece(e))

    def __repr__(self):
        return text(self)

    @property
    def is_zero(self):
        """SymPy asks for it, and for the next, to compare two whole arrays."""
        raise IllFormed(f"{text(self)} is compared as a whole; say it of entries, with an index, "
                        "or use equation(left, right)")  # fmt: skip

    is_extended_nonnegative = is_zero

    def __lt__(self, other):
        return self.is_zero

    __gt__ = __le__ = __ge__ = __lt__

    @property
    def args(self):
        """SymPy's functions and sums ask for it, or for the next, and are about scalars."""
        raise WholeInScalar(
            f"{text(self)} stands in a scalar as a whole; write its entries, or use the operations "
            "of vectors"
        )

    def _sympy_(self):
        return self.args

    def __rpow__(self, other):
        return self.args

    def _repr_latex_(self):
        return f"${self.words.text}$"

    def entry(self, *places):
        """The scalar at an index for each axis."""
        if len(places) != len(self.shape):
            raise IllFormed(f"{text(self)} got {len(places)} indices; it needs {len(self.shape)}")
        places = tuple(map(sympify, places))
        for place, length in zip(places, self.shape):
            if says(place - length, "positive") or says(place, "nonpositive"):
                raise IllFormed(f"{text(self)} has no entry {place}: that axis is {length} long")
        return self._entry(*places)

    @remembered
    def __getitem__(self, places):
        places = tuple(places) if isinstance(places, (tuple, Tuple)) else (places,)
        if any(isinstance(p, slice) or p is Ellipsis for p in places):
            raise IllFormed(f"{text(self)} has no slices: the whole of it is its name, and an "
                            "entry has an index for each axis")  # fmt: skip
        places = tuple(map(sympify, places))
        rest = len(self.shape) - len(places)
        if rest <= 0:
            return self.entry(*places)
        name = LATEX.group(self.words, ATOM)
        words = Piece(LATEX.indexed(name, LATEX.places(places)))
        return Tensor(self.shape[-rest:], lambda *others: self.entry(*places, *others), words)

    # --- sums and multiples ------------------------------------------------------------

    def _like(self, other, sign):
        other = Tensor.of(other)
        if self.shape != other.shape:
            raise _misfit(f"{sign} needs two of the same shape", self, other)
        return other

    @remembered
    def __add__(self, other):
        other = self._like(other, "+")
        words = LATEX.sum([self.words, other.words])
        return Tensor(self.shape, lambda *i: self.entry(*i) + other.entry(*i), words)

    def __radd__(self, other):
        return Tensor.of(other) + self

    def __sub__(self, other):
        return self + -self._like(other, "-")

    def __rsub__(self, other):
        return Tensor.of(other) - self

    def __neg__(self):
        return self * -1

    @remembered
    def __mul__(self, other):
        """A multiple; entry by entry for two tensors of one shape."""
        other = Tensor.of(other)
        if not other.shape:
            number = other.entry()
            words = _multiple(number, self.words)
            return Tensor(self.shape, lambda *i: number * self.entry(*i), words)
        other = self._like(other, "*")
        words = _between(r"\odot", self.words, other.words)
        return Tensor(self.shape, lambda *i: self.entry(*i) * other.entry(*i), words)

    def __rmul__(self, other):
        return self * other

    @remembered
    def __truediv__(self, other):
        other = Tensor.of(other)
        if not other.shape:
            below = other.entry()
            words = _multiple(S.One, self.words, other.words)
            return Tensor(self.shape, lambda *i: self.entry(*i) / below, words)
        other = self._like(other, "/")
        words = _between(r"\oslash", self.words, other.words)
        return Tensor(self.shape, lambda *i: self.entry(*i) / other.entry(*i), words)

    def __rtruediv__(self, other):
        raise _misfit("a divisor needs to be a scalar", self)

    def __pow__(self, other):
        raise _misfit("a power needs a scalar; for a vector there are norm2(x) and x * x", self)

    # --- products ----------------------------------------------------------------------

    @remembered
    def __matmul__(self, other):
        """The product over the last axis of one and the first of the other; ⟨x, y⟩ for vectors."""
        other = Tensor.of(other)
        if not self.shape or not other.shape or self.shape[-1] != other.shape[0]:
            needs = "@ needs the last length of one to be the first of the other"
            raise _misfit(needs, self, other)
        n, length = len(self.shape) - 1, self.shape[-1]

        def entry(*places):
            a = fresh_index(length, self.mentions, other.mentions, *map(mentioned, places))
            return Sum(self.entry(*places[:n], a) * other.entry(a, *places[n:]), (a, 1, length))

        product = Tensor(self.shape[:-1] + other.shape[1:], entry, _product_words(self, other))
        if product.shape:
            return product
        return _scalar(product.words.text, product.entry(), self, other)

    def __rmatmul__(self, other):
        return Tensor.of(other) @ self

    @property
    @remembered
    def T(self):
        if len(self.shape) != 2:
            raise _misfit(".T needs a matrix; for two vectors there are @ and outer", self)
        if self._transposed is not None:
            return self._transposed
        words = Piece(rf"{LATEX.group(self.words, ATOM)}^{{\top}}", FACTOR)
        return Tensor(self.shape[::-1], lambda a, b: self.entry(b, a), words, transposed=self)


def _product_words(left, right):
    if len(left.shape) == len(right.shape) == 1:
        return Piece(rf"\langle {left.words.text}, {right.words.text} \rangle")
    if len(left.shape) == 1 and len(right.shape) == 2:
        return _of_matrices(right.T.words, left.words)
    return _of_matrices(left.words, right.words)


def _of_matrices(*words):
    return LATEX.product(
        [Piece(LATEX.parentheses(w.text)) if w.level == ENTRYWISE else w for w in words]
    )


def _multiple(number, words, below=None):
    """A number in front: signs first, fractions around what they divide."""
    if words.level == NEGATIVE:
        number, words = -number, Piece(words.text.removeprefix("- "), OPEN)
    if number.is_Rational and number < 0:
        return LATEX.negative(_multiple(-number, words, below))
    if number.is_Rational and number.q != 1:
        number, below = S(number.p), piece(S(number.q))
    product = words if number == 1 else LATEX.product([piece(number), words])
    if words.level == ENTRYWISE:
        product = Piece(product.text, ENTRYWISE)
    return product if below is None else LATEX.fraction(product, below)


def _between(sign, left, right):
    return Piece(f"{LATEX.group(left, FACTOR)} {sign} {LATEX.group(right, FACTOR)}", ENTRYWISE)


def _misfit(needs, *tensors):
    """The refusal of shapes that do not fit."""
    shapes = [f"({', '.join(map(str, x.shape))})" if x.shape else "() of a scalar" for x in tensors]
    have = " and ".join(f"{text(x)} has the shape {s}" for x, s in zip(tensors, shapes))
    return IllFormed(f"{have}; {needs}")


# --- names, letters and lengths --------------------------------------------------------


def mentioned(e):
    """Every name that occurs in an expression, free or bound, and the letters that variables show
    beside their own."""
    e = sympify(e)
    names = {x.name for x in e.atoms(Symbol, Str, Array)}
    return names.union(*(beside(spelled(x.name)) for x in e.atoms(Symbol, Array, Smooth)))


def fresh_index(length, *taken):
    """An index that runs to `length` under a letter that is not taken."""
    name = letter(frozenset().union(*taken), length)
    return Index(name, integer=True, positive=True)


def _with_letters(e):
    """An expression without names, whose bound variables are letters as an author writes them."""
    taken, table = mentioned(e), {}
    for v in sorted(e.atoms(Dummy) - free(e), key=str):
        name = letter(taken, role="integer" if v.is_integer else "real")
        table[v] = Symbol(name, **v._assumptions_orig)
        taken.add(name)
    return e.xreplace(table)


def _probes(tensor):
    """Places that no author writes: to look at the entries as they are for every index."""
    return [Dummy(integer=True, positive=True) for _ in tensor.shape]


def _shown(x, over=False, within=False):
    """What the page shows where the words of x stand: letters, names, and what is asked for, with
    one letter for all that runs; with `over`, any index does; with `within`, the names in what
    names stand for as well, which have lines of their own."""
    if not isinstance(x, (Tensor, Array)):
        return _shown_of(sympify(x), (), over, within)
    probes = tuple(_probes(x))
    return _shown_of(Tensor.of(x).entry(*probes), probes, over, within)


@lru_cache(10_000)
def _shown_of(e, probes, over, within):
    places = {*probes, *e.atoms(Dummy), *(e.atoms(Index) if over else ())}
    runs = places | bound_in(e)
    found = named_in(e) if within else _outer_names(e)
    names = {n for n in found if within or not free(n) & runs and "Dummy" not in n.name}
    names |= {Str(n.name.partition("_")[0]) for n in found}  # of entries at any place
    # a letter may be bound in one part and free in another
    letters = {v for v in runs if isinstance(v, Symbol)}
    here, there = (dict.fromkeys(some, RUNS) for some in (letters, letters - free(e) | places))
    asked = {need.xreplace(table) for need in demands(e) for table in (here, there)}
    return frozenset((free(e) - places) | names | asked)


@lru_cache(50_000)
def _outer_names(e):
    """The names in an expression, without those in what they stand for."""
    if isinstance(e, Named):
        return frozenset({e})
    return frozenset().union(*map(_outer_names, e.args))


@lru_cache(50_000)
def bound_in(e):
    """The variables that are bound somewhere in an expression."""
    return frozenset(bound_by(e)).union(*map(bound_in, e.args))


def _of_places(f, x, value):
    """What the page shows of f with a value in the place of x."""
    value = Tensor.of(value)

    def place(*places):
        return value.entry(*places)

    place.mentions, before = _free(value), _shown(f) - {x}
    kept = {e for e in before if not (isinstance(e, Str) or isinstance(e, Named) and x in free(e))}
    moved = {e for e in kept if not isinstance(e, (Array, Named)) and x in free(e)}
    asked = (_shown(substitute(e, {x: place})) for e in moved)
    given = {e for e in _shown(value) if not isinstance(e, Indexed)}  # f may have entries of some
    return (kept - moved).union(given, *asked)


def _free(tensor):
    """What the entries depend on, apart from their place."""
    tensor = Tensor.of(tensor)
    probes = _probes(tensor)
    return free(unfold(tensor.entry(*probes))) - set(probes)


def lengths(e):
    """How far each free index runs: the lengths of the axes on which it stands, as a set."""
    found = {}

    def visit(x, hidden):
        if isinstance(x, Indexed):
            for i, length in zip(x.indices, x.base.shape or ()):
                if isinstance(i, Index) and i not in hidden:
                    found.setdefault(i, set()).add(length)
        for part in x.args:
            visit(part, hidden | set(bound_by(x)))

    visit(unfold(e), frozenset())
    return found


def _range(over, f):
    """The range of an index in the entries of f: (index, low, high, whether it was written)."""
    if isinstance(over, (tuple, Tuple)):
        if len(over) not in (2, 3):
            raise IllFormed(f"the sum of {text(f)}: got the range {over}, needs an index with one "
                            "end or two, as (j, N) or (j, 0, N)")  # fmt: skip
        index, *ends = over
        if not isinstance(index, Symbol):
            raise IllFormed(f"the sum of {text(f)}: got the range {over}, and its first part is "
                            "no index, as in (j, N)")  # fmt: skip
        return index, *(map(sympify, ends if len(ends) == 2 else (1, *ends))), True
    known = lengths(f.entry(*_probes(f))).get(over, set())
    if len(known) != 1:
        runs = " and to ".join(sorted(map(str, known)))
        found = f"it runs to {runs}" if known else "it stands in no array there"
        raise IllFormed(f"the sum of {text(f)} over {over}: {found}; "
                        f"write the range, ({over}, N)")  # fmt: skip
    return over, S.One, *known, False


# --- what vectors and matrices are made of ---------------------------------------------


def tensor(name, shape, rule):
    """A vector or matrix by a rule for its entries, under a name: `tensor("p", (N,), weight)`."""
    own_name(name)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"{name}. shape: got {shape}, needs its lengths, such as (N,) or (N, d)")
    lengths = [sympify(length) for length in shape]
    for length in lengths:
        demand_length(length, name)
    probes = [Dummy(integer=True, positive=True) for _ in shape]
    everywhere = unfold(_by_rule(name, rule, probes))
    bound = {v for e in preorder_traversal(everywhere) for v in bound_by(e)}
    met = {}

    def entry(*places):
        if places in met:
            return met[places]
        inside = any(bound & free(p) for p in places)  # the rule would bind what the place means
        at = dict(zip(probes, places))
        general = substitute(everywhere, at)
        e = _with_letters(general) if inside else _by_rule(name, rule, places)
        if not inside and not alike(unfold(e), general):
            raise IllFormed(f"{name} is {text(e)} at {', '.join(map(text, places))}, which is not "
                            "what its rule gives at any place: let it have one rule")  # fmt: skip
        shown = LATEX.indexed(name, LATEX.places(places))
        while isinstance(e, Named) and flat(e.name) == flat(shown):  # what has that name already
            e = e.meaning
        met[places] = Named(shown, e)
        return met[places]

    made = Tensor(shape, entry, name)
    made.call = ("tensor", (name, made.shape, met))
    return made


def _by_rule(name, rule, places):
    """The entry at some places, as a rule gives it."""
    needs = f"needs a function of {len(places)} places that gives an expression"
    if not callable(rule):
        raise TypeError(f"{name}. rule: got {rule}, {needs}")
    try:
        e = rule(*places)
    except TypeError as error:
        raise TypeError(f"{name}. rule: {error}; it {needs}") from None
    if not isinstance(e, (Expr, int)):
        raise TypeError(f"{name}. rule: gives {e}, {needs}")
    return sympify(e)


@remembered
def identity(n):
    """The identity matrix: δ_ab."""
    demand_length(sympify(n), "the identity")
    return Tensor((n, n), KroneckerDelta, LATEX.indexed("I", LATEX.places([sympify(n)])))


@remembered
def diag(p):
    """The diagonal matrix of a vector: δ_ab p_a."""
    p = _vector("diag", p)
    words = Piece(rf"\mathrm{{diag}}({p.words.text})")
    return Tensor(p.shape * 2, lambda a, b: KroneckerDelta(a, b) * p.entry(a), words)


@remembered
def outer(x, y):
    """x yᵀ: the products of the entries of one with the entries of the other."""
    x, y = Tensor.of(x), Tensor.of(y)
    n = len(x.shape)
    if len(x.shape) == len(y.shape) == 1:
        transposed = Piece(rf"{LATEX.group(y.words, ATOM)}^{{\top}}", FACTOR)
        words = _of_matrices(x.words, transposed)
    else:
        words = _between(r"\otimes", x.words, y.words)
    return Tensor(x.shape + y.shape, lambda *i: x.entry(*i[:n]) * y.entry(*i[n:]), words)


@remembered
def trace(M):
    """tr M = Σ_a M_aa."""
    M = Tensor.of(M)
    if len(M.shape) != 2 or M.shape[0] != M.shape[1]:
        raise _misfit("trace needs a square matrix", M)
    a = fresh_index(M.shape[0], M.mentions)
    whole = Sum(M.entry(a, a), (a, 1, M.shape[0]))
    return _scalar(rf"\mathrm{{tr}}({M.words.text})", whole, M)


@remembered
def norm2(x):
    """‖x‖² = ⟨x, x⟩."""
    x = _vector("norm2", x)
    a = fresh_index(x.shape[0], x.mentions)
    meaning = Sum(x.entry(a) ** 2, (a, 1, x.shape[0]))
    norm = rf"\lVert {x.words.text} \rVert"
    made = _scalar(rf"{norm}^{{2}}", meaning, x)
    LOOKS[made] += ((flat(norm), sqrt(made)),)
    return made


def _vector(operation, x):
    x = Tensor.of(x)
    if len(x.shape) != 1:
        raise _misfit(f"{operation} needs a vector", x)
    return x


# --- derivatives -----------------------------------------------------------------------


@remembered
def grad(f, x):
    """∇_x f: the derivative in each entry of x; the Jacobian of a vector. Shape: f's, then x's."""
    f, x = Tensor.of(f), Tensor.of(x)
    n = len(f.shape)
    if not isinstance(x.entry(*_probes(x)), (Indexed, Symbol)):
        raise IllFormed(f"the derivative in {text(x)}: needs an array, or a row of one")

    def entry(*places):
        return Derivative(f.entry(*places[:n]), x.entry(*places[n:]))

    base, order = f.gradient.get(x.words.text, (f.words, 0))
    sign = r"\mathrm{D}" if f.shape and not order else r"\nabla"
    power = f"^{{{order + 1}}}" if order else ""
    words = Piece(rf"{sign}_{{{x.words.text}}}{power} {LATEX.group(base, FACTOR)}", OPEN)
    if not f.shape + x.shape:
        return entry()
    made = Tensor(f.shape + x.shape, entry, words)
    if sign == r"\nabla":
        made.gradient = {x.words.text: (base, order + 1)}
    if sign == r"\nabla" and order == 1:
        made._transposed = made  # derivatives commute
    return made


def hessian(f, x):
    """∇²_x f."""
    return grad(grad(f, x), x)


@remembered
def at(f, x, value):
    """f with another vector in the place of the array x; a name gets its argument: G(q + t u)."""
    f, value, given = Tensor.of(f), Tensor.of(value), value
    if not isinstance(x, Array):
        raise IllFormed(f"{words(x)}: needs a whole array, such as q, to be replaced")
    Tensor.of(x)._like(value, "a replacement")
    if x.domain != "real" and getattr(given, "domain", None) != x.domain:
        raise IllFormed(f"{words(x)} is {x.domain}, and nothing says that {text(value)} is: take a "
                        "real array for it, or an instance(…) of a result")  # fmt: skip

    def place(*places):
        return value.entry(*places)

    place.mentions = _free(value)
    if x not in _free(f):
        raise IllFormed(f"{words(x)} does not stand in {text(f)}, so nothing is replaced: where a "
                        f"letter there stands for what depends on {words(x)}, write what it stands "
                        "for")  # fmt: skip
    shown = f.words.text.removesuffix(f"({words(x)})")
    own = (f.call or ("",))[0] == "tensor" or isinstance(f.entry(*_probes(f)), Named)
    own = own and bool(OF_ARGUMENTS.fullmatch(shown))
    if own:
        shown = Piece(f"{shown}({words(value)})")
    else:
        demand_own([f.entry(*_probes(f))], [x])
        shown = LATEX.at(f.words, f"{words(x)}={words(value)}")
        lost = [n for n in _dependent(f.entry(*_probes(f)), x) if f.shape]
        if lost:
            raise IllFormed(f"{text(f)} at {words(x)} = {text(value)} shows names for what they "
                            "no longer stand for: give it one name, by tensor(…)")  # fmt: skip

    def entry(*places):
        probes = _probes(f) if any(x in free(p) for p in places) else places
        e = f.entry(*probes)
        while names := _dependent(e, x):
            e = e.xreplace({n: n.meaning for n in names})
        for derivative in e.atoms(Derivative):
            if any(isinstance(v, Indexed) and v.base == x for v, _ in derivative.variable_count):
                raise IllFormed(f"{text(f)} contains a derivative in {x}; "
                                "differentiate first, then replace")  # fmt: skip
        e = substitute(substitute(e, {x: place}), dict(zip(probes, places)))
        name = LATEX.indexed(shown.text, LATEX.places(places)) if places else shown.text
        e = Named(name, e) if own else e
        if own and places:
            _note(e, _replaced_by("at", (f, x, value)))
        return e

    return Tensor(f.shape, entry, shown) if f.shape else entry()


def _dependent(e, x):
    """The names in an expression for what depends on x."""
    return [n for n in sympify(e).atoms(Named) if x in free(unfold(n))]


def along(f, n, x, u):
    """The n-th derivative of f(x + t u) at t = 0."""
    if says(sympify(n), "negative") or sympify(n).is_integer is False:
        raise IllFormed(f"n: got {n}, needs a whole number, at least 0")
    taken = Tensor.of(f).mentions | Tensor.of(x).mentions | Tensor.of(u).mentions
    t = Symbol(letter(taken, role="real"), real=True)
    return Subs(Derivative(at(f, x, x + t * Tensor.of(u)), (t, n)), t, 0)


def replaced(x):
    """Where `at` made a tensor or a named scalar, or what it is made of: the arrays that it
    replaced, each with what they were replaced in depends on, and with the scalar that was."""
    if isinstance(x, Basic) and not isinstance(x, Array):
        names = (n for n in preorder_traversal(x) if isinstance(n, Named))
        return [found for n in names for found in REPLACED.get(n, ())]
    if isinstance(x, dict):  # the entries that the rule of a tensor made
        return [found for entry in x.values() for found in replaced(entry)]
    return _replaced_by(*(getattr(x, "call", None) or ("", ())))


def _replaced_by(name, given):
    """The same of what a call makes of what it was given."""
    found = []
    if name == "at":
        f = Tensor.of(given[0])
        found.append((given[1], frozenset(_free(f)), S.Zero if f.shape else f.entry()))
    return found + [more for part in given for more in replaced(part)]


# --- sums, means, covariances ----------------------------------------------------------


@remembered
def total(f, *over):
    """Σ f over indices whose ranges the arrays in f give; `(j, n)`, `(j, 0, n)` write one out."""
    f = Tensor.of(f)
    for one in reversed(over):
        index, low, high, written = _range(one, f)
        ends = f"={tex(low)}}}^{{{tex(high)}" if written else ""
        shown = Piece(rf"\sum_{{{tex(index)}{ends}}} {LATEX.group(f.words, OPEN)}", OPEN)
        f = Tensor(f.shape, _sum(f, index, low, high), shown)
    return f if f.shape else f.entry()


def _sum(f, index, low, high):
    """The rule for the entries of a sum. Where a place mentions the index, the index is renamed."""

    def entry(*places):
        if not any(index in free(p) for p in places):
            return Sum(f.entry(*places), (index, low, high))
        probes, other = _probes(f), fresh_index(high, f.mentions, *map(mentioned, places))
        renamed = substitute(unfold(f.entry(*probes)), {index: other})
        return Sum(substitute(renamed, dict(zip(probes, places))), (other, low, high))

    return entry


@remembered
def mean(f, law, over=None):
    """E_{j∼p} f = Σ_j p_j f, for weights p, or p[j], that are seen to be ≥ 0 and to sum to 1: on
    the simplex, or written as terms divided by their sum. `over` is the index j, which is inferred
    where only one fits."""
    f = Tensor.of(f)
    index, length, weight, sign = _law(law, [f], over)
    rule = _sum(Tensor(f.shape, lambda *i: weight * f.entry(*i), f.words), index, 1, length)

    def shown(x):
        return rf"\mathbb{{E}}_{{{sign}}}[{x}]"

    def entry(*places):
        if any(index in free(p) for p in places):
            return rule(*places)
        return Named(shown(tex(f.entry(*places))), rule(*places))

    return Tensor(f.shape, entry, shown(f.words.text)) if f.shape else entry()


@remembered
def covariance(f, g, law, over=None):
    """Cov_{j∼p}(f, g) = E[f gᵀ] − E[f] E[g]ᵀ."""
    f, g = Tensor.of(f), Tensor.of(g)
    index, _, weight, sign = _law(law, [f, g], over)
    both, n = outer(f, g), len(f.shape)
    parts = [Tensor.of(mean(x, weight, index)) for x in (both, f, g)]

    def shown(x, y):
        return rf"\mathrm{{Cov}}_{{{sign}}}({x}, {y})"

    def entry(*places):
        first, second = places[:n], places[n:]
        meaning = parts[0].entry(*places) - parts[1].entry(*first) * parts[2].entry(*second)
        if any(index in free(p) for p in places):
            return meaning
        return Named(shown(tex(f.entry(*first)), tex(g.entry(*second))), meaning)

    made = shown(f.words.text, g.words.text)
    return Tensor(both.shape, entry, made) if both.shape else entry()


def _law(law, terms, over):
    """The index of a mean, how far it runs, its weight, and how the page shows the law."""
    law = Tensor.of(law)
    known = lengths(law.entry(*_probes(law)))
    if law.shape:
        known = {}
        for f in terms:
            for i, ends in lengths(f.entry(*_probes(f))).items():
                known.setdefault(i, set()).update(ends)
        fits = [i for i, ends in known.items() if ends == {law.shape[0]}]
    else:
        fits = [i for i, ends in known.items() if len(ends) == 1]
    fits = [over] if over is not None else sorted(fits, key=str)
    if len(law.shape) > 1 or len(fits) != 1 or fits[0] not in known:
        inside = ", ".join(map(text, terms))
        raise IllFormed(
            f"the mean of {inside} under {law.words.text}: "
            + (f"its index may be {' or '.join(map(str, fits))}; say which by over="
               if len(fits) > 1 else "needs one index, along the law")
        )  # fmt: skip
    (index,), name = fits, law.words.text
    weight = law.entry(index) if law.shape else law.entry()
    name = name if law.shape else name.replace(f"_{{{tex(index)}}}", "")
    length = law.shape[0] if law.shape else next(iter(known[index]))
    _demand_law(weight, (index, 1, length), law)
    return index, length, weight, rf"{tex(index)} \sim {name}"


def _demand_law(weight, ends, law):
    """A mean is under weights that are ≥ 0 and sum to 1 without any hypothesis."""
    context, (each, whole) = elaborate([weight, Sum(weight, ends)], ranges=(ends[::2],))
    normal = Normal(context)
    if not (normal.signs.nonnegative(each) and normal.vanishes(whole - 1)):
        raise IllFormed(
            f"{text(law)} is not seen, without hypotheses, to be ≥ 0 and to sum to 1: "
            "take weights on the simplex or divided by their sum, or write the sum with total(…)"
        )


def demand_apart(terms, expressions):
    """The words of vectors and matrices, and what stands in their entries, are one thing each."""
    meanings = {}
    pairs = [pair for e in expressions for pair in names_in(sympify(e))]
    looks = [pair for x in terms for pair in _looks(x)]
    scalars = sorted(set().union(*(named_in(sympify(e)) for e in expressions)), key=str)
    looks += [pair for name in scalars for pair in LOOKS.get(name, ())]
    demand_no_second_e(expressions, dict(looks))
    for shown, thing in pairs + looks:
        other = meanings.setdefault(shown, thing)
        if other != thing:
            sign = next((f", one of them the sign {x.name}" for x in (thing, other)
                         if isinstance(x, Str)), "")  # fmt: skip
            raise IllFormed(f"The name {shown} stands for two different things{sign}")


def _scalar(name, meaning, *parts):
    """A scalar that is made of vectors or matrices, under a name that has their words."""
    made = Named(name, meaning)
    LOOKS[made] = tuple(pair for x in parts for pair in _looks(x))
    return made


def _looks(x):
    """The words of a tensor and of what it is made of, as pairs of them and what they are for."""
    name, parts = (x.call if isinstance(x, Tensor) else None) or ("", ())
    if name == "of":
        return [(seen_as(*parts), *parts)]
    found = [pair for part in parts for pair in _looks(part)]
    if not name or not x.shape:
        return found
    thing = (name in ("identity", "tensor"), x.shape)
    if name == "tensor":
        places = [Index(f"Q_{n}", integer=True, positive=True) for n, _ in enumerate(x.shape)]
        thing = (*thing, canonical(unfold(x.entry(*places))))
    sign = {"diag": r"\mathrm{diag}", "identity": "I"}.get(name, "")
    if name == "grad" and x.words.text.startswith(r"\mathrm{D}_"):
        sign = rf"\mathrm{{D}}_{{{words(parts[1])}}}"
    found += [(flat(sign), Str(sign))] if sign else []
    shown = flat(x.words.text)  # of 1·q it is that of q
    return found if shown in dict(found) else [(shown, thing), *found]


# --- statements ------------------------------------------------------------------------


def shape(x):
    return Tensor.of(x).shape


def words(x):
    """The LaTeX that the page shows for a term."""
    return Tensor.of(x).words.text


def common(*terms):
    """Indices for the entries of all terms, one for each axis, that occur in none of them."""
    tensors = [t for t in map(Tensor.of, terms) if t.shape or t.entry() != 0]
    taken, indices = set(), []
    for t in tensors[1:]:
        tensors[0]._like(t, "an equation")
    for t in tensors:
        taken |= t.mentions
    for length in tensors[0].shape if tensors else ():
        indices.append(fresh_index(length, taken))
        taken.add(indices[-1].name)
    return tuple(indices)


def scalar(x, indices):
    """A term of a chain at the chain's indices; the number 0 is the zero of every shape."""
    x = Tensor.of(x)
    if not x.shape and (not indices or x.entry() == 0):
        return x.entry()
    if len(x.shape) != len(indices):
        raise _misfit(f"the equation needs {len(indices)} axes", x)
    for i in set(indices) & _free(x):
        raise IllFormed(f"{text(x)} depends on {i}, the index of the equation's entries; "
                        "write another letter")  # fmt: skip
    return x.entry(*indices)


def entries(left, right):
    """Both sides at the same free indices, and these indices."""
    indices = common(left, right)
    return scalar(left, indices), scalar(right, indices), indices


def ranges(x, indices):
    """How far the indices run at which x is taken: pairs for a context."""
    return tuple(zip(indices, Tensor.of(x).shape))


def equation(left, right):
    """left = right for each entry, as a hypothesis."""
    one, other, _ = entries(left, right)
    return Eq(one, other, evaluate=False)


# --- whole arrays are tensors ----------------------------------------------------------


def _by_tensor(operation):
    def apply(array, *others):
        return getattr(Tensor.of(array), operation)(*others)

    return apply


def _row(array, places, **hints):
    given = places if isinstance(places, (tuple, Tuple)) else (places,)
    if len(given) == len(array.shape) and not any(isinstance(p, slice) for p in given):
        return IndexedBase.__getitem__(array, places, **hints)
    return Tensor.of(array)[given]


def _no_derivative(array):
    """SymPy asks whether a derivative is taken in it."""
    raise IllFormed(f"a derivative in the whole of {array}: write grad(…, {array}), or take it in "
                    f"an entry")  # fmt: skip


Array.__getitem__ = _row
Array.__iter__ = None
Array._diff_wrt = property(_no_derivative)
Array.T = property(lambda array: Tensor.of(array).T)
Array._op_priority = 20.0  # so that SymPy leaves t * q to the array
for _operation in "add radd sub rsub neg mul rmul truediv rtruediv pow matmul rmatmul".split():
    setattr(Array, f"__{_operation}__", _by_tensor(f"__{_operation}__"))
