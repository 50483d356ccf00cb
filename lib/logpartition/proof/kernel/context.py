"""What a statement is about: every variable with its type, every hypothesis with its quantifiers.

SymPy's input is elaborated once: names are unfolded, what a hypothesis defines is put in its place,
bound variables get canonical names and only the assumptions that their limits justify. The page
prints this context, and both routes read it. What could not be printed is refused.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import count

import sympy
from sympy import (
    Derivative,
    Dummy,
    Eq,
    Expr,
    Float,
    Ge,
    Gt,
    Indexed,
    Integral,
    KroneckerDelta,
    Le,
    Limit,
    Lt,
    Ne,
    Product,
    S,
    Subs,
    Sum,
    Symbol,
    expand_mul,
    factor_terms,
    preorder_traversal,
    sympify,
)
from sympy.core.function import Application, AppliedUndef
from sympy.core.relational import Relational
from sympy.core.symbol import Str
from sympy.logic.boolalg import BooleanAtom

from ..errors import IllFormed
from ..language import Array, Index, Named, Size, Smooth, Total, unfold
from ..names import entry, flat, seen_as, spelled
from .demands import demand_evaluated, demand_ordered, lost
from .openness import open_in
from .places import shown_in, table_of
from .signs import Signs, plain
from .terms import (
    BINDERS,
    RANGED,
    Bound,
    at_height,
    at_place,
    bound_by,
    counted,
    demand_honest,
    endless,
    free,
    fresh,
    height,
    known_of,
    limits,
    mentioned,
    rename,
    says,
    substitute,
    tending,
)

ASSUMED = "a hypothesis"  # the source of what an author assumes, as no label has a blank
KINDS = {
    "complex": {},
    "real": {"real": True},
    "real, not 0": {"real": True, "nonzero": True},
    "positive": {"positive": True},
    "nonnegative": {"nonnegative": True},
    "negative": {"negative": True},
    "nonpositive": {"nonpositive": True},
    "integer": {"integer": True},
    "integer ≥ 1": {"integer": True, "positive": True},
    "integer ≥ 0": {"integer": True, "nonnegative": True},
}
_KIND_OF = {tuple(sorted(Symbol("x", **a).assumptions0.items())): k for k, a in KINDS.items()}
_KIND_OF[tuple(sorted(Symbol("x", complex=True).assumptions0.items()))] = "complex"
OPEN_KINDS = ("complex", "real", "real, not 0", "positive", "negative")

FUNCTIONS = {
    getattr(sympy, name)
    for name in (
        "exp log Abs sign sin cos tan sinh cosh tanh sech coth atan erf gamma "
        "factorial binomial besseli Max Min KroneckerDelta"
    ).split()
}
STRUCTURE = (
    sympy.Add,
    sympy.Mul,
    sympy.Pow,
    Indexed,
    Derivative,
    Sum,
    Product,
    Integral,
    Subs,
    Limit,
    Named,
    Total,
    Smooth,
)
ARGUMENTS = {KroneckerDelta: 2, sympy.log: 1}
CONSTANTS = {S.Pi, S.Exp1, S.EulerGamma, S.GoldenRatio, S.Catalan, S.ImaginaryUnit,
             S.Infinity, S.NegativeInfinity}  # fmt: skip
WORDS = (Symbol, sympy.IndexedBase, sympy.Rational, sympy.Tuple, Str, *STRUCTURE)
RELATIONS = {Eq: "=", Le: "≤", Ge: "≥", Lt: "<", Gt: ">", Ne: "≠"}
REVERSED = {"≥": "≤", ">": "<"}


@dataclass(frozen=True)
class Fact:
    """`left relation right` (=, ≤, < or ≠) for all values of `variables`, and in a neighbourhood of
    the values of those in `around`."""

    variables: tuple
    relation: str
    left: Expr
    right: Expr
    source: str = ""
    around: tuple = ()
    premises: tuple = ()  # facts under which a result holds, for other values of its variables too
    written: tuple = ()  # the sides of a hypothesis before anything is put in its place

    @property
    def free(self):
        return (free(self.left) | free(self.right)) - set(self.variables)


@dataclass(frozen=True)
class Definition:
    """A symbol, or every entry of an array at `places`, that stands for `meaning`, or for what is
    `written` before anything is put in its place, or cancelled."""

    target: object
    places: tuple
    meaning: Expr
    written: Expr


@dataclass(frozen=True)
class Context:
    """Variables and their types, hypotheses, and the ranges of the binders that were opened."""

    sizes: tuple = ()
    symbols: tuple = ()
    arrays: tuple = ()
    functions: tuple = ()
    ranges: tuple = ()  # of pairs (free index, length)
    facts: tuple = ()
    definitions: tuple = ()
    free_indices: tuple = ()  # those of `ranges` that the statement depends on
    written: tuple = ()  # the terms as they are: nothing is put in its place, or cancelled
    inside: tuple = ()  # of opened variables with their ends, and whether these are excluded

    def open(self, variable, low, high, strict=False):
        """The context inside a binder: low ≤ variable ≤ high, or < where that is said."""
        return replace(self, inside=(*self.inside, (variable, low, high, strict)))

    def without(self, variables):
        """The context without the hypotheses that fix one of some variables to a closed set:
        what is left holds in a neighbourhood, so it may be used under a derivative."""
        moved = frozenset(variables)
        kept = [f for f in self.facts if not (f.free - {*f.around}) & moved or open_in(f, moved)]
        return replace(self, facts=tuple(kept))

    def length(self, index):
        return self._lengths.get(index)

    @cached_property
    def _lengths(self):
        return dict(self.ranges)

    @cached_property
    def defined(self):
        """The definitions by their targets, with what other definitions say put in its place."""
        return {
            d.target: replace(d, meaning=canonical(in_place(self.definitions, d.meaning)))
            for d in self.definitions
        }

    @cached_property
    def meanings(self):
        """What stands in the place of the target of each definition."""
        return {d.target: value_of(d) for d in self.definitions}

    @cached_property
    def order(self):
        """What is known to be ≥ 0, as pairs (expression, whether > 0), with quantified indices."""
        known = [
            (f.right - f.left, f.relation == "<", f.variables)
            for f in self.facts
            if f.relation in ("≤", "<")
        ]
        for index, length in self.ranges:
            if index in self.free_indices:
                known.append((length - index, False, ()))
        for variable, low, high, strict in self.inside:
            known += [(variable - low, strict, ())] if low.is_finite is not False else []
            known += [(high - variable, strict, ())] if high.is_finite is not False else []
        return known


def kind(symbol):
    """The kind of a symbol in words, or a refusal where the page could not print it."""
    found = _KIND_OF.get(tuple(sorted(symbol.assumptions0.items())))
    if found is None:
        extra = ", ".join(sorted(k for k, v in symbol._assumptions_orig.items() if v))
        raise IllFormed(
            f"{symbol} is assumed to be {extra or 'something'}, which the page does not print. "
            f"Use one of: {', '.join(KINDS)}; state the rest as a hypothesis"
        )
    return found


def elaborate(expressions, given=(), ranges=()):
    """The context of some expressions under hypotheses, and the expressions in canonical form.

    A hypothesis is a pair of a relation and its source: ASSUMED, or the label of a result. A
    result is a triple, whose last entry are the relations under which it holds: it is meant for all
    values of every variable that they leave alone. `ranges` are pairs of a free index and the
    length that it runs to, where no array says so.
    """
    return Elaborator(expressions, given, ranges).result()


def demand_open(r):
    """Complain of a hypothesis that SymPy has decided."""
    if isinstance(r, (BooleanAtom, bool)):
        raise IllFormed(
            f"a hypothesis is {r} for every value of its variables as SymPy sees it; "
            "leave it out, or build the relation with evaluate=False"
        )


class Elaborator:
    def __init__(self, expressions, given, ranges=()):
        self.ranges, self.definitions, self.facts = {}, [], []
        for i, length in ranges:
            demand_length(length, i)
            self._note_range(i, length, "the statement or in a result that it uses")
        self.expressions = [self.checked(e) for e in expressions]
        self.given = [(self.checked_relation(r), *rest) for r, *rest in given]
        lengths = [length for _, length in ranges]
        self._one_namespace([*expressions, *lengths], [r for r, *_ in given])

    def result(self):
        bodies = [canonical(unfold(e)) for e in self.expressions]
        self._no_derivative_in({_target(r.lhs) for r, *_ in self.given if isinstance(r, Eq)})
        relations = [
            (
                RELATIONS[type(r)],
                *(canonical(unfold(side)) for side in r.args),
                source,
                r.args,
                *premises,
            )
            for r, source, *premises in self.given
        ]
        for r, source, *_ in self.given:
            for side in r.args if source == ASSUMED else ():
                demand_kept(side)
        for e in [*bodies, *(side for r in relations for side in r[1:3])]:
            self._note_ranges(e)
        for relation, left, right, source, written, *premises in self._definitions_first(relations):
            held = self._defining(left, right) if premises else set()
            loose = general(left, right, *premises) - held
            loose |= {i for i in free(left) | free(right) if isinstance(i, Index)}
            under = tuple(map(self._premise, premises[0])) if premises else ()
            around = open_letters(under) - held
            sides = self.defined(left), self.defined(right)
            self._take(
                relation,
                *sides,
                source,
                (left, right),
                written,
                loose,
                around - loose,
                under,
            )
        bodies = [self.defined(e) for e in bodies]
        self._one_rule()
        self._derivatives_allowed()
        self._derivatives_kept()
        self._inverses_held(bodies)
        self._meanings_uncaptured()
        self._meanings_moved()
        self._letters_apart()
        context = self._context(bodies)
        self._about_something(context, bodies)
        self._apart_from_totals(context)
        self._demand_real(context)
        return context, tuple(bodies)

    # --- what may be written -----------------------------------------------------------

    def checked(self, e):
        """The expression, if it is written in words that both routes and the page know."""
        e = sympify(e)
        if not isinstance(e, Expr):
            raise IllFormed(f"{e} is not an expression but a {type(e).__name__}")
        demand_honest(e)
        for x in sorted(e.atoms(Product), key=str):
            if unfold(x.function).is_zero:
                raise IllFormed(f"SymPy takes {x} for 0, and it is 1 where the range is empty: "
                                "write 0 or 1 in its place")  # fmt: skip
        for x in preorder_traversal(e):
            if isinstance(x, Subs) and isinstance(x.expr, Named):
                if isinstance(unfold(x.expr), Subs):
                    raise IllFormed(
                        f"{x.expr} is a value at a place already, so {x} is one within another: "
                        "give a name to what it is a value of"
                    )
        demand_ordered(unfold(e))
        for x in preorder_traversal(unfold(e)):
            self._check(x, e)
        for x in sorted(free(unfold(e)), key=str):
            if isinstance(x, Symbol) and type(x) not in (Symbol, Size, Index):
                raise IllFormed(f"{x} is a {type(x).__name__}; take a Symbol for it")
        if endless(unfold(e)):
            raise IllFormed(f"infinity stands in {e} as if it were a number")
        demand_evaluated(e)
        return e

    def checked_relation(self, r):
        demand_open(r)
        if not isinstance(r, Relational) or type(r) not in RELATIONS:
            raise IllFormed(f"a hypothesis is a relation such as Eq(…) or x < y, not {r}")
        self.checked(r.lhs), self.checked(r.rhs)
        return r

    def _check(self, x, whole):
        if isinstance(x, Float):
            raise IllFormed(f"{x} is a rounded number; write it as a fraction")
        if any(isinstance(a, Array) for a in x.args) and not isinstance(x, (Indexed, Total, Array)):
            raise IllFormed(
                f"a whole array stands in {x}; write its entries, or use the operations of vectors"
            )
        if isinstance(x, AppliedUndef):
            raise IllFormed(f'{x} has no rule; write f = function("{x.func.__name__}")')
        if isinstance(x, sympy.IndexedBase) and not isinstance(x, Array):
            raise IllFormed(f'{x} has no shape; write {x} = array("{x}", N) with its lengths')
        if isinstance(x, Indexed) and len(x.indices) != len(x.base.shape or ()):
            if isinstance(x.base, Array):
                raise IllFormed(
                    f"{x} has {len(x.indices)} indices; {x.base} needs {len(x.base.shape)}"
                )
        if isinstance(x, (Index, Size)) and kind(x) != "integer ≥ 1":
            raise IllFormed(f"{x} is assumed to be more than an integer, at least 1")
        if isinstance(x, Symbol) and not isinstance(x, (Index, Size)):
            kind(x)
        if isinstance(x, Array):
            self._check_array(x)
        for number in _numbers_of_things(x):
            demand_counted(number, x)
        if isinstance(x, (*RANGED, Subs, Limit)):
            self._check_lengths(x)
        if isinstance(x, (Subs, Limit)):
            self._check_variables(x)
        if isinstance(x, Subs) and (shared := {*x.variables} & set().union(*map(free, x.point))):
            raise IllFormed(
                f"{min(shared, key=str)} is bound in {x}, and stands in a place of it: write "
                "another letter in one of them"
            )
        if isinstance(x, Limit) and _plain(x.args[1]) and kind(x.args[1]) == "complex":
            raise IllFormed(f"{x.args[1]} in {x} may be any complex number: take a real symbol")
        if sign := _taken_by_the_page(x):
            raise IllFormed(f"the page writes {sign}: take another letter for it")
        if isinstance(x, Smooth) and not says(x.order, "nonnegative"):
            raise IllFormed(f"the order {x.order} of {x.name} is not known to be ≥ 0")
        if type(x) in ARGUMENTS and len(x.args) != ARGUMENTS[type(x)]:
            raise IllFormed(f"{x} has {len(x.args)} arguments; it needs {ARGUMENTS[type(x)]}")
        if isinstance(x, (Sum, Product)):
            self._check_range(x)
        if isinstance(x, Integral):
            self._check_integral(x)
        if isinstance(x, Derivative):
            self._check_derivative(x)
        if isinstance(x, Application) and type(x) not in FUNCTIONS | {Smooth}:
            raise IllFormed(f"the function {type(x).__name__} in {whole} has no rule")
        known = isinstance(x, WORDS) or type(x) in FUNCTIONS or x in CONSTANTS
        if not known or isinstance(x, (sympy.MatrixSymbol, sympy.MatrixExpr, sympy.Piecewise)):
            raise IllFormed(f"{type(x).__name__} in {whole} has no rule")

    @staticmethod
    def _check_array(x):
        """An array knows of its entries what its domain says, and nothing else."""
        plain = Array(str(x.label), x.shape, x.domain, x.of)
        if x.label.assumptions0 != plain.label.assumptions0:
            raise IllFormed(f"{x} is assumed to be more than its domain {x.domain} says")
        if isinstance(x.domain, tuple):
            rational = all(v.is_Rational for v in x.domain)
            if not rational or not x.domain or len(set(x.domain)) < len(x.domain):
                raise IllFormed(
                    f"the entries of {x} are in {x.domain}, which are not different whole numbers "
                    "or fractions of such"
                )
        for length in x.shape:
            demand_length(length, x)
        if x.domain in ("simplex", "sphere") and not says(x.shape[-1], "positive"):
            raise IllFormed(f"nothing of length 0 is on a {x.domain}: {x.shape[-1]} may be 0")

    @staticmethod
    def _check_lengths(x):
        """No array has a bound variable for its length, or for anything else that it is made of."""
        for array in sorted(x.atoms(Array), key=str):
            for variable in free(array) & set(bound_by(x)):
                raise IllFormed(f"{variable}, on which the array {array} depends, varies in {x}")

    @staticmethod
    def _check_variables(x):
        for variable in bound_by(x):
            if isinstance(variable, (Size, Index)) or not isinstance(variable, Symbol):
                raise IllFormed(f"{variable} does not take the values that {x} gives it")
            if isinstance(x, Limit) and not x.args[2].is_infinite and variable.is_integer:
                raise IllFormed(f"{variable} is an integer, and {x} lets it tend to {x.args[2]}")

    @staticmethod
    def _check_range(x):
        for variable, *ends in limits(x):
            if not isinstance(variable, Symbol):
                raise IllFormed(f"{variable} does not take the values that {x} gives it")
            if len(ends) != 2:
                raise IllFormed(f"the range of {variable} in {x} needs two ends")
            low, _ = ends
            if not variable.is_integer:
                raise IllFormed(f"{variable} is summed over in {x}, so it has to be an integer")
            if isinstance(variable, Index) and not says(low, "positive"):
                raise IllFormed(
                    f"the index {variable} begins at {low} in {x}; an index is at "
                    "least 1, so take an integer symbol instead"
                )

    @staticmethod
    def _check_integral(x):
        for variable, *ends in limits(x):
            if not isinstance(variable, Symbol):
                raise IllFormed(f"{variable} does not take the values that {x} gives it")
            if len(ends) != 2:
                raise IllFormed(f"the integral {x} without limits is not a number")
            if variable.is_integer:
                raise IllFormed(f"{variable} is an integer, so {x} does not integrate over it")
            if ends[0] == S.Infinity or ends[1] == -S.Infinity:
                raise IllFormed(f"the infinite end of {x} is on the wrong side")

    @staticmethod
    def _check_derivative(x):
        for variable, n in x.variable_count:
            base = variable.base if isinstance(variable, Indexed) else variable
            if isinstance(base, (Size, Index)) or variable.is_integer:
                raise IllFormed(f"{x} differentiates in {variable}, which is an integer")
            if isinstance(base, Array) and base.domain not in ("real", "positive"):
                raise IllFormed(
                    f"a derivative in {variable} is taken, and its entries do not "
                    "vary one at a time"
                )
            if isinstance(variable, Symbol) and kind(variable) not in OPEN_KINDS:
                raise IllFormed(
                    f"a derivative in {variable} is taken, and {variable} is "
                    f"{kind(variable)}, which has an end"
                )
            if n.is_Integer and n > ORDER:
                raise IllFormed(f"{x} is of an order above {ORDER}, which nothing here writes out")
            if not says(n, "nonnegative"):
                raise IllFormed(
                    f"the order {n} of the derivative in {variable} is not known to be ≥ 0"
                )

    # --- one meaning for each name -----------------------------------------------------

    def _one_namespace(self, expressions, relations):
        """A name is one object: variables, arrays, functions and abbreviations together."""
        meanings = {}
        for e in [*map(sympify, expressions), *(s for r in relations for s in r.args)]:
            for name, thing in names_in(e):
                if meanings.setdefault(name, thing) != thing:
                    name = name.rstrip("'")
                    raise IllFormed(f"The name {name} stands for two different things")
        self.names = set(meanings)

    def _one_rule(self):
        """Names that look like the entries of one array, or like the values of one function, are
        made by one rule; a symbol that looks like such an entry is one."""
        sides = [*self.expressions, *(side for r, *_ in self.given for side in r.args)]
        found, names = {}, frozenset().union(*map(named_in, sides))
        symbols = frozenset().union(*map(free, map(unfold, sides))) if names else ()
        own = [Named(spelled(s.name), s) for s in symbols if isinstance(s, Symbol)]
        for x in sorted({*names, *own}, key=str):
            if (look := entry(x.name)) is not None:
                found.setdefault((look[0], len(look[1])), []).append((x, *look[1:]))
        self._no_derivative_by_name(found, sides)
        if not any(len(group) > 1 for group in found.values()):
            return
        heads = {look.removesuffix("_") for look, _ in found}
        letters = {look: Str(look) for look in heads}  # of vectors that have a name
        letters |= {look: e for side in sides for look, e in names_in(side) if isinstance(e, Expr)}
        for group in found.values():
            for x, y in ((x, y) for x in group for y in group if x is not y and x[0] in names):
                table = table_of(x[1:], y[1:], letters)
                shown = shown_in(x[0].name, letters) | shown_in(y[0].name, letters)
                if (
                    table is False
                    or table is not None
                    and not self._by_one_rule(x[0], y[0], table, shown)
                ):
                    why = (
                        "what stands in a place of one is no sum of numbers and of letters of the "
                        "statement: take such a sum, or another name"
                        if table is False
                        else "stand for different things: take another name for one of them"
                    )
                    raise IllFormed(
                        f"the names {x[0].name} and {y[0].name} look like entries of one array, or "
                        f"values of one function, and {why}"
                    )

    @staticmethod
    def _no_derivative_by_name(found, sides):
        """No name looks like a derivative of a function, or of what has a name like a value."""
        smooth = set().union(*(unfold(side).atoms(Smooth) for side in sides))
        values = {f"{seen_as(f)}()" for f in smooth} | {look for look, _ in found}
        for (look, _), group in sorted(found.items()):
            if "'" in look and "()" in look and look.replace("'", "") in values:
                raise IllFormed(
                    f"the name {group[0][0].name} looks like a derivative: take another letter, or "
                    "the derivative itself"
                )

    def _by_one_rule(self, one, other, table, shown):
        """Whether a name is what another one says at its places, also when what a hypothesis
        defines is put in its place, unless that is a letter that the names show."""
        meanings = [unfold(one.meaning), unfold(other.meaning)]
        pairs = [meanings]
        taken = shown.union(table, *map(mentioned, table.values()))
        if not taken & {d.target for d in self.definitions}:
            pairs.append([self.defined(canonical(m)) for m in meanings])
        return all(alike(substitute(a, table), b) for a, b in pairs)

    # --- ranges, definitions, facts ----------------------------------------------------

    def _note_ranges(self, e):
        """How far each free index runs, read off the arrays that carry it."""
        bound = {v for x in preorder_traversal(e) for v in bound_by(x)}
        for x in preorder_traversal(e):
            if isinstance(x, Indexed):
                for i, length in zip(x.indices, x.base.shape):
                    if isinstance(i, Index) and i not in bound:
                        self._note_range(i, length, x)

    def _note_range(self, i, length, place):
        if self.ranges.setdefault(i, length) != length:
            raise IllFormed(
                f"the index {i} runs to {self.ranges[i]} in one place and to {length} in {place}: "
                "write another letter in one of them"
            )

    def defined(self, e):
        return canonical(in_place(self.definitions, e))

    def _definitions_first(self, relations):
        """What is known of a symbol is known of what it stands for, said before or after."""
        rest = [r for r in relations if r[0] != "=" or r[3] != ASSUMED]
        return [r for r in relations if r not in rest] + rest

    def _take(self, relation, left, right, source, said, written, loose, around, premises):
        """A hypothesis becomes a definition, or a fact for all values of its indices: of those too
        that definitions take out of it, as it says nothing where they have no value."""
        hypothesis = source == ASSUMED
        if relation == "=" and hypothesis:
            if made := self._definition(said[0], right, written[1]):
                self.definitions.append(made)
                self._membership(made, source)
                return
        if relation in REVERSED:
            relation, left, right = REVERSED[relation], right, left
        self._no_index_brought(*said)
        loose = {i for i in loose if isinstance(i, Index) or i in free(left) | free(right)}
        variables = loose | {i for i in free(left) | free(right) if isinstance(i, Index)}
        self._no_loose_index(variables)
        variables, around = (tuple(sorted(v, key=str)) for v in (variables, around))
        written = written if hypothesis else ()
        made = Fact(variables, relation, left, right, source, around, premises, written)
        self.facts.append(made)

    def _premise(self, r):
        relation, left, right = RELATIONS[type(r)], *(canonical(unfold(x)) for x in r.args)
        if relation in REVERSED:
            relation, left, right = REVERSED[relation], right, left
        self._no_index_brought(left, right)
        for_all = tuple(sorted(general(left, right), key=str))
        return Fact(for_all, relation, self.defined(left), self.defined(right))

    def _no_index_brought(self, *sides):
        """What is said for all values of its indices gets none from a definition for one of them,
        such as x = v[j]."""
        named = set().union(*map(free, sides))
        for d in self.definitions:
            meaning = self.defined(d.meaning)
            indices = sorted((i for i in free(meaning) - {*d.places} if type(i) is Index), key=str)
            if d.target in named and indices:
                raise IllFormed(
                    f"{d.target} stands for {meaning} at one {indices[0]}, and a hypothesis about "
                    f"it would be one for all of them: say it of {meaning}, or give {d.target} no "
                    "meaning"
                )

    def _definition(self, left, right, written):
        """What an equation defines; one at an index that is no place of its left side, and that may
        have no value, says nothing then, so it defines nothing."""
        known = {d.target for d in self.definitions}
        for i in free(right) - free(left):
            if isinstance(i, Index) and not says(self.ranges.get(i, S.Zero) - 1, "nonnegative"):
                return None
        if isinstance(left, Symbol) and not isinstance(left, (Size, Index)):
            if left not in free(right) and left not in known:
                return Definition(left, (), right, written)
        if isinstance(left, Indexed) and left.base not in free(right) and left.base not in known:
            places = left.indices
            if all(isinstance(i, Index) for i in places) and len(set(places)) == len(places):
                return Definition(left.base, places, right, written)
        return None

    def _membership(self, made, source):
        """What the type of a defined variable says of what it stands for."""
        meaning, variables = made.meaning, made.places
        kinds = KINDS[kind(made.target)] if isinstance(made.target, Symbol) else {}
        domain = getattr(made.target, "domain", "")
        if kinds.get("integer") and not meaning.is_integer:
            raise IllFormed(f"{made.target} is an integer, and nothing says that {meaning} is one")
        strict = kinds.get("positive") or domain in ("positive", "simplex")
        if strict and not says(meaning, "positive"):
            self.facts.append(Fact(variables, "<", S.Zero, meaning, source))
        weak = kinds.get("nonnegative") or domain == "nonnegative"
        if weak and not says(meaning, "nonnegative"):
            self.facts.append(Fact(variables, "≤", S.Zero, meaning, source))
        if kinds.get("negative"):
            self.facts.append(Fact(variables, "<", meaning, S.Zero, source))
        if kinds.get("nonpositive"):
            self.facts.append(Fact(variables, "≤", meaning, S.Zero, source))
        if kinds.get("nonzero"):
            self.facts.append(Fact(variables, "≠", meaning, S.Zero, source))
        if isinstance(domain, (tuple, Size)) and not _among(meaning, domain):
            raise IllFormed(
                f"the entries of {made.target} are among {domain}, and nothing says that "
                f"{meaning} is"
            )
        if isinstance(made.target, Array):
            for relation, rest in self._domain_facts(made.target):
                left, right = (self.defined(side) for side in relation.args)
                if left != right:
                    self.facts.append(Fact(rest, "=", left, right, source))

    def _domain_facts(self, array):
        """What membership in the domain amounts to, for indices of letters that nothing has."""
        found = domain_facts(array, self.names)
        for _, indices in found:
            self.names |= {i.name for i in indices}
            self.ranges.update(zip(indices, array.shape))
        return found

    def _no_loose_index(self, indices):
        for i in indices:
            if isinstance(i, Index) and i not in self.ranges:
                raise IllFormed(
                    f"the index {i} is free and stands in no array, so nothing says how far it runs"
                )

    def _context(self, bodies):
        everything = set().union(
            *map(free, bodies), *(f.free | set(f.variables) for f in self.facts)
        )
        arrays = {a for a in everything if isinstance(a, Array)}
        arrays |= {a.of for a in arrays if a.of is not None}
        everything |= set().union(*(free(n) for a in arrays for n in a.shape))
        targets = {d.target for d in self.definitions}
        facts = list(self.facts)
        for a in sorted(arrays, key=str):
            if a.domain == "inverse":
                self._demand_plain(a)
                for relation, rest in self._domain_facts(a):
                    sides = (self.defined(side) for side in relation.args)
                    facts.append(Fact(rest, "=", *sides, ""))
        quantified = {v for f in facts for v in f.variables}
        indices = {i for i in everything | quantified if isinstance(i, Index)}
        self._no_loose_index(indices)
        self._no_length_defined(everything.union(*(free(self.ranges[i]) for i in indices)))
        loose = set().union(*map(free, bodies), *(f.free for f in self.facts))
        lengths = set().union(*(free(self.ranges[i]) for i in indices & (loose | quantified)))
        everything, loose = everything | lengths, loose | lengths
        by_name = lambda things: tuple(sorted(things, key=str))
        return Context(
            sizes=by_name(s for s in everything if isinstance(s, Size)),
            symbols=by_name(s for s in loose if type(s) is Symbol),
            arrays=tuple(sorted(arrays - targets, key=lambda a: (a.of is not None, str(a)))),
            functions=by_name({x.name for e in bodies for x in e.atoms(Smooth)}),
            ranges=tuple((i, self.ranges[i]) for i in by_name(indices & (loose | quantified))),
            free_indices=by_name(indices & loose),
            written=tuple(self.expressions),
            facts=tuple(facts),
            definitions=tuple(self.definitions),
        )

    def _demand_plain(self, inverse):
        """The matrix of an inverse is defined for no index but its own, and by no other inverse."""
        for v in sorted(self._depends(inverse) - {inverse}, key=str):
            if isinstance(v, Index) or getattr(v, "of", None) is not None:
                raise IllFormed(
                    f"{inverse} is the inverse of {inverse.of}, which a hypothesis defines by {v}, "
                    f"{'an index' if isinstance(v, Index) else 'an inverse'}: write a symbol or an "
                    "array in its place"
                )

    def _no_length_defined(self, everything):
        """What stands in a length stays there, whatever a hypothesis says it is; and what is said
        of what a hypothesis defines before it does is said of something else."""
        for d in self.definitions:
            said = (f for f in self.facts if f.source == ASSUMED)
            if any(d.target in f.free for f in said):
                raise IllFormed(
                    f"a hypothesis about {d.target} stands before the one that says it is "
                    f"{d.meaning}: let that one come first"
                )
            if isinstance(d.target, Symbol) and d.target in everything:
                meant = any(d.target in f.variables for f in self.facts)
                raise IllFormed(
                    f"a hypothesis is meant for all {d.target}, and another one says that it is "
                    f"{d.meaning}: write another letter in one of them"
                    if meant
                    else f"{d.target} stands in the length of an array, so a hypothesis does not "
                    f"define it: write {d.meaning} in its place"
                )

    def _about_something(self, context, bodies):
        """Each hypothesis is about something that varies in the statement."""
        bound = {
            v.name
            for e in self.expressions
            for x in preorder_traversal(unfold(e))
            for v in bound_by(x)
            if isinstance(v, Symbol)
        }
        loose = set().union(*map(free, bodies))
        loose |= set().union(*(free(d.meaning) | {d.target} for d in self.definitions))
        pending = [f for f in context.facts if f.source == ASSUMED]
        grown = True
        while grown:
            near = [f for f in pending if f.free & loose or not f.free]
            grown = bool(near)
            pending = [f for f in pending if f not in near]
            loose = loose.union(*(f.free for f in near))
        for f in pending:
            name = next((str(v) for v in f.free if v.name in bound), None)
            why = (
                f"{name} is a bound variable there, and what is known of it comes from its limits"
                if name
                else "none of its variables occurs in the statement"
            )
            raise IllFormed(f"The hypothesis {f.left} {f.relation} {f.right} says nothing: {why}")

    def _derivatives_allowed(self):
        """No derivative in what a hypothesis fixes."""
        self._no_derivative_in(
            set().union(*(f.free for f in self.facts if f.relation == "=" and f.source == ASSUMED))
        )

    def _depends(self, e):
        """What an expression depends on, by definitions too: an inverse on what its matrix does."""
        found, grown = free(e), None
        while found != grown:
            grown = found
            for d in self.definitions:
                found |= free(d.meaning) - set(d.places) if d.target in grown else set()
        return found

    def _defining(self, *sides):
        """What comes into a result by the definitions: it is not meant for all values of that."""
        about = set().union(*map(free, sides))
        return set().union(
            *(self._depends(d.meaning) for d in self.definitions if d.target in about)
        )

    def _derivatives_kept(self):
        """What a result takes a derivative of depends on the variable as it does in the result: no
        definition, or the same one, makes it do so."""
        here = {d.target: (d.places, self.defined(d.meaning)) for d in self.definitions}
        for r, source, premises in (g for g in self.given if len(g) == 3):
            there, meanings = self._own_definitions(premises)
            sides = [unfold(side) for f in (r, *premises) for side in f.args]
            for x in sorted(set().union(*(e.atoms(Derivative) for e in sides)), key=str):
                varies = {_target(v) for v, _ in x.variable_count}
                about = set(free(x.expr))
                for _ in meanings:
                    about = about.union(*(free(m) for t, m in meanings.items() if t in about))
                for t in sorted(about & {*here, *there}, key=str):
                    said = [meanings[t]] if t in there else []
                    said += [here[t][1]] if t in here else []
                    depends = set().union(*map(self._depends, said)) & varies
                    if depends and here.get(t) != there.get(t):
                        raise IllFormed(
                            f"{source} has a derivative in {min(depends, key=str)} of {t}, and "
                            f"that {t} is {said[-1]} is said in one of the two places only: write "
                            "another letter there, or derive the result anew"
                        )

    def _own_definitions(self, premises):
        """What the premises of a result say that something is: its places and its meaning with what
        is defined here put into it, and the meaning as it is written."""
        there, meanings = {}, {}
        for f in premises:
            left, right = (canonical(unfold(side)) for side in f.args)
            if isinstance(f, Eq) and _target(left) not in there:
                places = left.indices if isinstance(left, Indexed) else ()
                there[_target(left)] = (places, self.defined(right))
                meanings[_target(left)] = right
        return there, meanings

    def _inverses_held(self, bodies):
        """No derivative of an inverse in what its matrix is defined by: the definition says what
        the matrix is, and not what its inverse is for other values."""
        sides = [*bodies, *(side for f in self.facts for g in (f, *f.premises)
                            for side in (g.left, g.right))]  # fmt: skip
        for x in set().union(*(e.atoms(Derivative) for e in sides)):
            for P in sorted(free(x.expr), key=str):
                about = self._depends(P) if getattr(P, "of", None) is not None else ()
                for v, _ in x.variable_count:
                    if (v.base if isinstance(v, Indexed) else v) in about:
                        raise IllFormed(
                            f"A derivative in {v} is taken of {P}, the inverse of {P.of}, which a "
                            f"hypothesis defines by {v}: write what it is of an array that stands "
                            "for the derivative"
                        )

    def _meanings_uncaptured(self):
        """No letter in what a name stands for is the bound variable of something that the name
        stands in: the page would show one letter for two things."""
        sides = [*self.expressions, *(side for r, *_ in self.given for side in r.args)]
        binders = {x for e in sides for x in preorder_traversal(unfold(e)) if bound_by(x)}
        for d in self.definitions:
            mentioned = self._depends(d.meaning) - set(d.places)
            for x in sorted((x for x in binders if d.target in free(x)), key=str):
                for v in mentioned & set(bound_by(x)):
                    raise IllFormed(
                        f"{d.target} stands for {d.meaning}, and {v} is a bound variable of {x}: "
                        "write another letter there"
                    )

    def _meanings_moved(self):
        """No array is displaced along a letter, as x to x + t u, where something else stands that a
        hypothesis defines by the array, which would stay."""
        sides = [*self.expressions, *(side for r, *_ in self.given for side in r.args)]
        binders = {
            x
            for e in sides
            for x in preorder_traversal(unfold(e))
            if isinstance(x, (Derivative, Integral, Limit, Subs))
        }
        for x in sorted(binders, key=str):
            along = (
                {v for v, _ in x.variable_count} if isinstance(x, Derivative) else {*bound_by(x)}
            )
            moved, inside = displaced(x.args[0], along), free(x.args[0])
            for d in (d for d in self.definitions if d.target in inside and moved):
                for array in sorted(moved & self._depends(d.meaning) - {d.target}, key=str):
                    raise IllFormed(
                        f"{array} is displaced in {x}, and {d.target} there, which a hypothesis "
                        f"defines by {array}, is not: write what {d.target} stands for"
                    )

    def _letters_apart(self):
        """No name hides a letter that is free where the name stands in one place, and bound in
        another: the page would show one name for two things."""
        places = {}

        def visit(e, bound):
            if isinstance(e, Named):
                for v in free(unfold(e)):
                    if isinstance(v, Symbol) and seen_as(v) not in flat(e.name):
                        places.setdefault((e.name, v), set()).add(v in bound)
            for place, part in enumerate(e.args):
                visit(part, bound | {*bound_by(e)} if place == 0 or isinstance(e, Named) else bound)

        for e in [*self.expressions, *(side for r, *_ in self.given for side in r.args)]:
            visit(e, frozenset())
        for (name, v), found in sorted(places.items(), key=str):
            if len(found) > 1:
                raise IllFormed(
                    f"{name} stands for something that depends on {v}, which is bound in one place "
                    "and free in another: write another letter in one of them, or put it in the "
                    "name"
                )

    def _demand_real(self, context):
        """What is real by its type stands for something real, and what has a sign is real: SymPy
        takes sign(w)² for 1 at any complex w that is not 0."""
        signs, placed = Signs(context, context.order), lambda e: self.defined(unfold(e))
        for d in self.definitions:
            real = getattr(d.target, "domain", None) or d.target.is_real
            meaning = placed(d.meaning)
            if real and not (signs.real(meaning) or plain(meaning) and meaning.is_extended_real):
                raise IllFormed(
                    f"{d.target} is real, and nothing says that {meaning}, which it stands for, "
                    f"is: take real symbols there, or a complex one for {d.target}"
                )
        sides = [*self.expressions, *(side for r, *_ in self.given for side in r.args)]
        for x in sorted(set().union(*(e.atoms(sympy.sign) for e in sides)), key=str):
            if not signs.real(placed(x.args[0])):
                raise IllFormed(
                    f"nothing says that {x.args[0]} in {x} is real: write it over its modulus"
                )

    def _apart_from_totals(self, context):
        """An array that is summed over is not at the same time a variable of the statement."""
        sides = [*self.expressions, *(side for r, *_ in self.given for side in r.args)]
        sides = [unfold(side) for side in sides]
        facts = [side for f in context.facts for side in (f.left, f.right)]
        totals = {x.base for e in (*sides, *facts) for x in e.atoms(Total)}
        for array in sorted(totals & set(context.arrays).union(*map(free, sides)), key=str):
            raise IllFormed(f"{array} is summed over in one place and free in another")

    def _no_derivative_in(self, fixed):
        for x in set().union(*(unfold(e).atoms(Derivative) for e in self.expressions)):
            for v, _ in x.variable_count:
                if (v.base if isinstance(v, Indexed) else v) in fixed:
                    raise IllFormed(
                        f"A derivative in {v} is taken, and a hypothesis fixes its value"
                    )


def _numbers_of_things(x):
    """The parts of a term that are an index, an order, or an end of a sum."""
    if isinstance(x, Indexed):
        return x.indices
    if isinstance(x, Derivative):
        return [n for _, n in x.variable_count]
    if isinstance(x, Smooth):
        return [x.order]
    if isinstance(x, KroneckerDelta):
        return x.args[:2]
    if isinstance(x, (Sum, Product)):
        return [end for _, *ends in limits(x) for end in ends if not end.is_infinite]
    return x.args[1:2] if isinstance(x, sympy.binomial) else ()


def demand_counted(number, of):
    """An index, a length, an order, or an end of a sum has a value wherever its letters have."""
    if not _counts(number):
        raise IllFormed(
            f"{number} in {of} is an index, a length, an order or an end of a sum, and is not "
            "known to be an integer with a value: make it of integers and of letters for integers, "
            "by sums and products"
        )


def _counts(number):
    """Whether a number is made of integers, and of letters for integers, by sums and products."""
    if isinstance(number, (sympy.Add, sympy.Mul)):
        return all(map(_counts, number.args))
    if isinstance(number, sympy.Pow):
        return _counts(number.base) and number.exp.is_Integer and number.exp > 0
    if isinstance(number, Indexed):
        return isinstance(number.base, Array) and _of_integers(number.base.domain)
    letter = isinstance(number, Symbol) and number.is_integer
    return letter or isinstance(number, sympy.Integer)


def _of_integers(domain):
    """Whether what is in a domain of an array is 1, …, n, or one of some integers."""
    listed = isinstance(domain, (tuple, sympy.Tuple))
    return isinstance(domain, Size) or listed and all(sympify(v).is_Integer for v in domain)


def demand_length(length, of):
    """An axis of an array or a tensor has a length."""
    demand_counted(length, of)
    if not says(length, "nonnegative"):
        raise IllFormed(f"the length {length} of {of} is not known to be ≥ 0")
    if any(isinstance(v, (Index, Array)) for v in free(length)):
        raise IllFormed(
            f"the length {length} of {of} depends on an index or an entry: let it have the length "
            "of the longest, and sum over a part of it"
        )


def displaced(e, letters):
    """The arrays whose entries stand in a sum, as x_a in x_a + t u_a, with one of some letters in
    another term of it."""
    found = set()
    for x in e.atoms(sympy.Add):
        for part in x.args:
            entries = {f.base for f in sympy.Mul.make_args(part) if isinstance(f, Indexed)}
            if entries and any(free(other) & letters for other in x.args if other is not part):
                found |= entries
    return found


def _plain(v):
    """Whether a variable is a number that its author declared."""
    return isinstance(v, Symbol) and not isinstance(v, (Index, Size, Bound, Dummy))


def _target(left):
    return left.base if isinstance(left, Indexed) else left


def general(left, right, premises=None):
    """The variables of a result that its premises leave alone; of a hypothesis those in which it
    takes derivatives, since it is meant for all their values."""
    if premises is None:
        pairs = (p for e in (left, right) for x in e.atoms(Derivative) for p in x.variable_count)
        return frozenset(v for v, _ in pairs if isinstance(v, Symbol)) & (free(left) | free(right))
    fixed = set().union(*(free(unfold(side)) for r in premises for side in r.args))
    return frozenset(v for v in free(left) | free(right) if v not in fixed and type(v) is not Size)


def open_letters(facts):
    """The letters of some facts about whose values all of these hold if they hold at them."""
    found = frozenset().union(*(f.free for f in facts))
    return frozenset(v for v in found if all(v not in f.free or open_in(f, {v}) for f in facts))


@lru_cache(20_000)
def named_in(e):
    """The names in an expression, and in what they stand for."""
    found = frozenset().union(*map(named_in, e.args)) if e.args else frozenset()
    return found | {e} if isinstance(e, Named) else found


ORDER = 20  # of a derivative, at most
PRIMES = 20  # that a name may have, and look like a derivative


@lru_cache(20_000)
def names_in(e):
    """The names in an expression, as pairs of the name and what it stands for."""
    found = frozenset().union(*map(names_in, e.args)) if e.args else frozenset()
    if isinstance(e, Named):
        return names_in(e.meaning) | {(flat(e.name), e.meaning)}
    if isinstance(e, Array):
        values = e.domain if isinstance(e.domain, (tuple, sympy.Tuple)) else (e.domain,)
        parts = (*e.shape, *(x for x in (e.of, *values) if isinstance(x, sympy.Basic)))
        return frozenset().union(*map(names_in, parts)) | {(seen_as(e), e)}
    if isinstance(e, Symbol):
        return frozenset({(seen_as(e), e)})
    if isinstance(e, Smooth):
        return found | {(seen_as(e) + "'" * n, (e.name, n)) for n in range(PRIMES)}
    return found | {(APPLIED[type(e)], "function")} if type(e) in APPLIED else found


APPLIED = {sympy.gamma: "Gamma", sympy.besseli: "I"}
FUNCTION_SIGNS = {
    "Gamma": "the gamma function",
    "O": "Landau's symbol",
    "o": "Landau's symbol",
}


def _taken_by_the_page(x):
    """What else the page writes as it would write x, in words; None where nothing is."""
    if isinstance(x, Smooth) and seen_as(x) in FUNCTION_SIGNS:
        return f"{FUNCTION_SIGNS[seen_as(x)]} as {x.name}"
    if isinstance(x, Smooth) and seen_as(x).startswith("I_"):
        return f"the functions of Bessel as {x.name}"
    if isinstance(x, Array) and seen_as(x) == "delta" and len(x.shape) == 2:
        return "Kronecker's symbol as delta with two indices"
    if isinstance(x, Array) and seen_as(x).startswith("I_") and len(x.shape) == 2:
        return f"the identity as {x.label}"
    return None


def alike(one, other):
    """Whether two terms are one, but for their letters, their brackets and constant factors."""
    one, other = canonical(one), canonical(other)
    return one == other or factor_terms(expand_mul(one)) == factor_terms(expand_mul(other))


def in_place(definitions, e):
    """e with what definitions say, each of which may mention the targets of later ones."""
    for d in definitions:
        e = _standing(e, {d.target: value_of(d)})
    return e


def _standing(e, table):
    """e, canonical, with what its names stand for; a derivative is one of all that they are."""
    if not e.atoms(Derivative):
        return substitute(e, table)
    if isinstance(e, Derivative):
        for v, _ in e.variable_count:
            if _target(v) in table:
                raise IllFormed(f"{e} varies {v}, and a hypothesis fixes its value")
        pairs = ((v, substitute(n, table)) for v, n in e.variable_count)
        return Derivative(_standing(e.expr, table), *pairs)
    if isinstance(e, (Subs, Limit)):
        e = rename(e, {v: fresh(v) for v in bound_by(e)})
    parts = (a if isinstance(a, (Array, Str)) else _standing(a, table) for a in e.args)
    return at_place(*parts) if isinstance(e, Subs) else counted(e.func(*parts))


def value_of(definition):
    if not definition.places:
        return definition.meaning

    def entry(*places):
        return substitute(definition.meaning, dict(zip(definition.places, places)))

    entry.mentions = free(definition.meaning)
    return entry


@lru_cache(20_000)
def canonical(e):
    """The expression with canonical bound variables, of which only their limits say anything."""
    if not e.args or isinstance(e, (Indexed, Symbol)):
        return e
    if isinstance(e, RANGED):
        typed = _typed(e)
        return at_height(typed, height(typed)) if isinstance(typed, RANGED) else typed
    if isinstance(e, Limit):
        e = _limit_typed(e)
    if isinstance(e, Subs):  # the name that it has is one that a binder in it may take
        e = rename(e, {v: fresh(v) for v in e.variables})
    if isinstance(e, Derivative):
        pairs = sorted(((canonical(v), canonical(n)) for v, n in e.variable_count), key=str)
        return Derivative(canonical(e.expr), *pairs)
    try:
        e = e.func(*(a if isinstance(a, (Array, Str)) else canonical(a) for a in e.args))
    except ValueError as error:
        raise IllFormed(f"{e} cannot be taken apart: {error}") from None
    return at_height(e, height(e)) if isinstance(e, BINDERS) else e


def _limit_typed(e):
    """A limit whose variable is what its target says."""
    body, variable, target, side = e.args
    new = fresh(variable, **tending(variable, target))
    return Limit(substitute(body, {variable: new}), new, target, side)


def _typed(e):
    kind_of = "integral" if isinstance(e, Integral) else "sum"
    body, ranges, table = e.function, [], {}
    for variable, low, high in reversed(limits(e)):
        low, high = (canonical(substitute(x, table)) for x in (low, high))
        typed = fresh(variable, **known_of(low, high, kind_of))
        table = {**table, variable: typed}
        ranges.insert(0, (typed, low, high))
    return counted(e.func(canonical(substitute(body, table)), *ranges))


def demand_kept(e):
    """Nothing that asks for a value cancels in what is made of a term."""
    if (kind := lost(unfold(e), canonical(unfold(e)))) is not None:
        raise IllFormed(
            f"SymPy cancels a {kind} in {e}, so that nothing is left of what it asks for: write "
            "the term without it"
        )


def _among(meaning, domain):
    """Whether a meaning is one of the values of a domain, or an entry of an array that has it."""
    if isinstance(meaning, Indexed):
        return getattr(meaning.base, "domain", None) == domain
    return isinstance(domain, tuple) and meaning in domain


def domain_facts(array, taken=frozenset()):
    """The equations that membership in the domain amounts to, as pairs (relation, its indices),
    whose letters are not taken."""
    lengths = array.shape
    letters = (name + str(n or "") for n in count() for name in "ijlabcor")
    free_ones = (name for name in letters if name not in taken)
    rows = [Index(next(free_ones), integer=True, positive=True) for _ in range(len(lengths) + 1)]
    i = rows.pop()
    if array.domain in ("simplex", "sphere"):
        power = 1 if array.domain == "simplex" else 2
        before = tuple(rows[:-1])
        whole = Sum(array[(*before, i)] ** power, (i, 1, lengths[-1]))
        return [(Eq(whole, 1, evaluate=False), before)]
    if array.domain in ("symmetric", "antisymmetric", "definite"):
        a, b = rows
        sign = -1 if array.domain == "antisymmetric" else 1
        return [(Eq(array[a, b], sign * array[b, a], evaluate=False), (a, b))]
    if array.domain == "inverse":
        (a, b), of = rows, array.of
        left = Sum(of[a, i] * array[i, b], (i, 1, lengths[0]))
        right = Sum(array[a, i] * of[i, b], (i, 1, lengths[0]))
        return [(Eq(side, KroneckerDelta(a, b), evaluate=False), (a, b)) for side in (left, right)]
    return []
