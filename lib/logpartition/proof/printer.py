r"""How an expression looks: LaTeX for the page, one line of plain text for a terminal.

Both are the same walk over the expression; they differ in how pieces are joined. A `Piece` is a
text with the tightness of its outermost sign, and parentheses are put by comparing tightness:

    SUM       a + b                        NEGATIVE  - a
    OPEN      \sum_j a, \log a: nothing follows, since it reaches as far right as it can
    PRODUCT   a b                          FACTOR    a^2, \frac{a}{b}: no power without parentheses
    ATOM      x, k_{ja}, f(x)

Two different expressions (up to the names of bound variables) never look the same: bound variables
in canonical form, and others that would clash, get letters that nothing in sight has.
"""

import re
from functools import lru_cache
from string import ascii_letters
from typing import NamedTuple

import sympy
from sympy import (
    Add,
    Basic,
    Derivative,
    Dummy,
    Indexed,
    Integral,
    Limit,
    Mul,
    Pow,
    Product,
    S,
    Subs,
    Sum,
    Symbol,
    Tuple,
    default_sort_key,
    log,
    sympify,
)  # fmt: skip
from sympy.core.function import Application
from sympy.core.symbol import Str
from sympy.printing.pretty.pretty_symbology import greek_unicode

from .errors import IllFormed
from .kernel.context import ASSUMED, canonical, kind, named_in
from .kernel.demands import demand_ordered
from .kernel.terms import BINDERS, Bound, bound_by, free, height, limits
from .language import Array, Index, Named, Size, Smooth, Total, unfold
from .names import (
    LONE,
    PLACE,
    beside,
    demand_fonts,
    flat,
    grouped,
    held,
    lettered,
    plain,
    seen_as,
    spelled,
)

SUM, NEGATIVE, OPEN, PRODUCT, FACTOR, ATOM = range(6)
LETTERS = {"N": "j l i", "d": "a b c", "m": "o r", "H": "h g", "T": "s t"}  # of indices, by size
OTHER_LETTERS = {
    "index": "i j l a b c h r", "integer": "n m k l i j r s", "real": "t s r u x y z w v",
}  # fmt: skip
COUNTS = {*"ijklmnNMK"}  # letters that are whole numbers where nothing says so, as under a limit
SIGNS = {"=": "=", "≤": r"\le", "≥": r"\ge", "<": "<", ">": ">", "≠": r"\ne"}
TALL = (Sum, Product, Integral, Derivative, Subs, Limit, Total)


DIGITS = 1000  # of a number on a page
NAME = re.compile(  # a letter or a command, what is above it (in letters), and what is below
    r"(?:[A-Za-z]|\\(?!mathrm|operatorname|mathbb)[A-Za-z]+(?: *\{(?:[A-Za-z]|\\[A-Za-z]+)\})?)'*"
    r"(?:\^\{(?:[*+']|\\(?:ast|star|dagger|circ|prime) ?)+\})?(?:_\{[A-Za-z0-9,+* \\-]+\})?"
)


POWER = re.compile(r"([A-Za-z]+)\^(?!(?:star|dagger|circ|infty)$)[A-Za-z0-9].*")


class Piece(NamedTuple):
    """A text and the tightness of its outermost sign."""

    text: str
    level: int = ATOM


def letter(taken, length=None, role="index"):
    """The first letter not taken for a variable that runs to `length`, or plays a role."""
    usual = LETTERS.get(str(length), "").split() + OTHER_LETTERS[role].split()
    tries = usual + [f"{usual[0]}{n}" for n in range(1, 1000)]
    return next(name for name in tries if name not in taken and spelled(name) not in taken)


class Printer:
    """The walk. What is left to the two kinds of text: how names look and how pieces are joined."""

    def __init__(self, avoid=(), loose=()):
        self.bound, self.avoid = {}, frozenset(avoid)
        self.loose = frozenset(loose)  # the free letters of the whole, which no binder takes

    def show(self, e):
        """The piece for an expression (or for anything that brings its own)."""
        if hasattr(e, "words"):
            return self.own_words(e.words)
        e = sympify(e)
        for known in type(e).__mro__:
            if method := getattr(self, f"_{known.__name__}", None):
                return method(e)
        if hasattr(e, "rel_op"):
            return Piece(f"{self.show(e.lhs).text} {self.relation(e.rel_op)} "
                         f"{self.show(e.rhs).text}", SUM)  # fmt: skip
        if not e.args:
            return Piece(str(e))
        return self.call(type(e).__name__, [self.show(a) for a in e.args])

    def group(self, e, least):
        """The text of an expression or piece, in parentheses where it is not tight enough."""
        piece = e if isinstance(e, Piece) else self.show(e)
        return piece.text if piece.level >= least else self.parentheses(piece.text)

    # --- sums, products, powers --------------------------------------------------------

    def _Add(self, e):
        terms = e.as_ordered_terms()  # SymPy's order, but without a minus sign in front
        first = next((n for n, t in enumerate(terms) if not _leads_with_minus(t)), 0)
        return self.sum([self.show(t) for t in [terms.pop(first), *terms]])

    def sum(self, pieces):
        """Pieces with plus and minus signs between them."""
        text = pieces[0].text
        for piece in pieces[1:]:
            if piece.level == NEGATIVE:
                text += f" - {piece.text.removeprefix('- ')}"
            else:
                text += f" + {self.group(piece, OPEN)}"
        return Piece(text, SUM)

    def negative(self, piece):
        return Piece(f"- {self.group(piece, OPEN)}", NEGATIVE)

    def _Mul(self, e):
        """A sign, numbers, symbols, entries, functions; then sums and the like."""
        number = Mul(*(f for f in e.args if f.is_Rational))
        above = [abs(number.p)] if abs(number.p) != 1 else []
        below = [number.q] if number.q != 1 else []
        above, below = [self.show(n) for n in above], [self.show(n) for n in below]
        tall = []
        for f in sorted((f for f in e.args if not f.is_Rational), key=_place_in_product):
            if isinstance(f, Pow) and _leads_with_minus(f.exp):
                below.append(self.power(f.base, -f.exp))
            elif isinstance(f, TALL):
                tall.append(f)
            else:
                above.append(self.show(f))
        inside = not above and len(tall) == 1 and isinstance(tall[0], (Sum, Product))
        piece = self._layout(above, below, [self.show(f) for f in tall], inside and number.q == 1)
        return self.negative(piece) if number < 0 else piece

    def _layout(self, above, below, tall, inside):
        """A fraction, with what is tall beside it unless it is all that stands above the line."""
        if not below:
            return self.product(above + tall)
        if not tall or inside:
            return self.fraction(self.product(above + tall), self.product(below))
        return self.product([self.fraction(self.product(above), self.product(below)), *tall])

    def product(self, pieces):
        """Pieces side by side; only the last may be open on its right."""
        if len(pieces) < 2:
            return pieces[0] if pieces else Piece("1")
        texts = [self.group(p, PRODUCT) for p in pieces[:-1]] + [self.group(pieces[-1], OPEN)]
        open_end = pieces[-1].level == OPEN
        return Piece(self.side_by_side(texts), OPEN if open_end else PRODUCT)

    def _Pow(self, e):
        if _leads_with_minus(e.exp):
            return self.fraction(Piece("1"), self.power(e.base, -e.exp))
        return self.power(e.base, e.exp)

    def _NumberSymbol(self, e):
        return Piece(self.constants.get(e, str(e)))

    _ImaginaryUnit = _Infinity = _NumberSymbol

    def _NegativeInfinity(self, e):
        return self.negative(self.show(-e))

    def _Rational(self, e):
        if max(abs(e.p), e.q) > 10**DIGITS:
            raise IllFormed(f"a number of more than {DIGITS} digits, which no page can show")
        whole = Piece(str(abs(e.p)))
        value = whole if e.q == 1 else self.fraction(whole, Piece(str(e.q)))
        return self.negative(value) if e.p < 0 else value

    # --- names -------------------------------------------------------------------------

    def own(self, look, e):
        """The look of a name, where none of its letters is another's on the page."""
        return look

    def numeral(self, look):
        """Whether a name looks like a number, or like a power of one."""
        signs = {"mathrme", "mathrmd"}  # the d is that of an integral
        numbers, look = {*map(flat, self.constants.values()), *signs}, flat(look)
        power = POWER.fullmatch(look)
        powers = power is not None and power[1] in numbers | {"e"}
        return powers or look.partition("(")[0] in numbers

    def _Symbol(self, e):
        text = self.own(self.name(e), e)
        return Piece(text, _above(text))

    def name(self, symbol):
        return self.bound[symbol] if symbol in self.bound else self.spelled(symbol)

    def _IndexedBase(self, e):
        head = self.head(e)
        return Piece(head, _above(head))

    def head(self, array):
        return self.own(self.label(array), array)

    def label(self, array):
        """The name of an array; an inverse may have that of its matrix, to the power −1."""
        own = (
            getattr(array, "of", None) is not None
            and str(array.label) == f"{array.of.label}^{{-1}}"
        )
        return str(array.label) if own else self.spelled(array.label)

    def called(self, letter):
        """How a variable looks, be it a symbol or a whole array."""
        return self.label(letter) if isinstance(letter, Array) else self.name(letter)

    def _Indexed(self, e):
        text = self.indexed(self.head(e.base), self.places(e.indices))
        return Piece(text, _above(text.rpartition("_{")[0] + "_"))

    def _Named(self, e):
        if self.numeral(e.name):
            raise IllFormed(f"the name {e.name} looks like a number; take another")
        return self.own_words(self.own(e.name, e))

    # --- binders -----------------------------------------------------------------------

    def bind(self, e, variables):
        """Texts for the variables of a binder, put in force until the dictionary is set back."""
        before = dict(self.bound)
        inside = [e.args[0], *(x for limit in e.args[1:] for x in sympify(limit).args)]
        inside = [x for x in inside if isinstance(x, sympy.Expr)]
        seen = set().union(*map(_variables, inside)) - set(variables)
        near = {self.called(s) for s in seen}
        near |= {self.name(v) for v in variables if v in free(e)}  # as in its own limits
        for v in variables:
            text = self.spelled(v)
            # "_" begins the names that SymPy makes up for Subs
            # a name that has the letter in it can take no other
            loose = self.loose if not any(v in free(n) for n in e.atoms(Named)) else ()
            strange = isinstance(e, Limit) and v.is_integer and text not in COUNTS
            made = isinstance(v, (Bound, Dummy)) or text.startswith("_")
            if made or strange or text in {*near, *loose}:
                taken = near | self.avoid | set(self.bound.values())
                taken = taken.union(*map(beside, near))
                text = self.spelled(Symbol(letter(taken, *_role(v, e))))
            self.bound[v] = text
            near.add(text)
        spans = [x for span in e.args[1:] if isinstance(span, Tuple) for x in span[1:]]
        for s in set().union(*map(free, spans)) - set(variables):  # as sizes at the ends of a range
            self.own(self.called(s), s)
        return before

    def _Sum(self, e):
        return self._ranged(e, "sum")

    def _Product(self, e):
        return self._ranged(e, "product")

    def _Integral(self, e):
        return self._ranged(e, "integral")

    def _ranged(self, e, sign):
        """The outermost sum first: SymPy lists the innermost first."""
        before, ranges = self.bind(e, bound_by(e)), []
        inside, self.bound = self.bound, dict(before)
        for v, *ends in reversed(limits(e)):  # its own letter is free at the ends of a range
            if len(ends) != 2:
                raise IllFormed(f"{e} has no ends, so it is not a number: write "
                                "Integral(f, (x, low, high))")  # fmt: skip
            shown = [self.show(x).text for x in ends]
            self.bound[v] = inside[v]
            ranges.insert(0, (inside[v], *shown))
        text = " ".join([*(self.big(sign, *r) for r in ranges[::-1]), self.group(e.function, OPEN)])
        if sign == "integral":
            text = self.thin.join([text, *(self.differential(v) for v, *_ in ranges)])
        self.bound = before
        return Piece(text, OPEN)

    def _Subs(self, e):
        points = [self.show(x).text for x in e.point]
        before = self.bind(e, e.variables)
        values = ", ".join(f"{self.name(v)}={x}" for v, x in zip(e.variables, points))
        body = self.show(e.expr)
        self.bound = before
        return self.at(body, values)

    def _Limit(self, e):
        body, variable, target, side = e.args
        where = self.show(target)
        before = self.bind(e, [variable])
        side = "" if target.is_infinite else str(side).removesuffix("+-")
        text = self.limit(self.name(variable), where, side) + " " + self.group(body, OPEN)
        self.bound = before
        return Piece(text, OPEN)

    def _Derivative(self, e):
        order = sum(n for _, n in e.variable_count)
        sign = self.sign_of_derivative(len([s for s in free(e.expr) if _varies(s)]) < 2)
        above = sign if order == 1 else self.power(Piece(sign), order).text
        below = []
        for v, n in e.variable_count:
            power = self.show(v) if n == 1 else self.power(v, n)
            below.append(self.apply(sign, power.text))
        below = Piece(self.thin.join(below))
        before, varied = self.bound, [getattr(v, "base", v) for v, _ in e.variable_count]
        self.bound = {**before, **{v: self.called(v) for v in varied}}
        body = self.show(e.expr)
        self.bound = before
        if isinstance(e.expr, (Named, Symbol, Indexed)):
            return self.fraction(Piece(self.apply(above, body.text)), below)
        tight = FACTOR if isinstance(e.expr, Mul) else OPEN
        return Piece(f"{self.fraction(Piece(above), below).text} {self.group(body, tight)}", OPEN)

    def _Total(self, e):
        before = self.bound
        self.bound = {**before, e.base: self.label(e.base)}
        body = self.show(e.function)
        for s in free(e.base) - {e.base}:  # the sizes in its shape
            self.own(self.called(s), s)
        self.bound = before
        return self.total(self.label(e.base), e.base, body)

    def _values(self, base):
        """The set of the values of an array: its symbol, and the exponent that is its shape."""
        domain = base.domain
        values = [self.show(x).text for x in domain] if isinstance(domain, (tuple, Tuple)) else None
        shape = [self.group(n, ATOM) for n in base.shape]
        return values, self.show(domain).text if isinstance(domain, Size) else "", shape


@lru_cache(10_000)
def _variables(e):
    """The variables and functions that stand in e, and in what its names stand for."""
    if isinstance(e, (Symbol, Array)):
        return frozenset({e})
    whole = unfold(e)
    return free(whole) | {Symbol(f.name) for f in whole.atoms(Smooth)}


def _above(text):
    """How tight a name is: with something above the line (or a prime, and an index) it is none that
    takes a power."""
    return FACTOR if "^" in text or "'" in text and "_" in text else ATOM


def _varies(s):
    return isinstance(s, (Symbol, Array)) and not isinstance(s, (Size, Index))


def _leads_with_minus(term):
    number = term.args[0] if isinstance(term, Mul) else term
    return bool(number.is_Rational and number < 0)


def _place_in_product(f):
    base = f.base if isinstance(f, Pow) else f
    kinds = (sympy.Number, sympy.NumberSymbol, type(S.ImaginaryUnit), Symbol, Named, Indexed, Add)
    place = next((n for n, kind in enumerate(kinds) if isinstance(base, kind)), len(kinds))
    return place + 2 * isinstance(f, TALL) + isinstance(f, log), default_sort_key(f)


def _role(variable, e):
    """What a bound variable is: the length of an axis that it runs along, or its kind."""
    for x in sympy.preorder_traversal(e):
        if isinstance(x, Indexed):
            for i, length in zip(x.indices, x.base.shape or ()):
                if i == variable:
                    return length, "index"
    return None, "integer" if variable.is_integer else "real"


class Latex(Printer):
    """LaTeX as KaTeX reads it, in the book's notation."""

    signs = {"sum": r"\sum", "product": r"\prod", "integral": r"\int"}
    functions = {
        "gamma": r"\Gamma", "Max": r"\max", "Min": r"\min", "log": r"\log",
        **{f: rf"\{f}" for f in "sin cos tan sinh cosh tanh coth".split()},
        "atan": r"\arctan",
    }  # fmt: skip
    patterns = {
        "Abs": (ATOM, r"\left|{0}\right|"),
        "factorial": (FACTOR, "{base}!"), "binomial": (FACTOR, r"\binom{{{0}}}{{{1}}}"),
        "besseli": (ATOM, r"I_{{{0}}}\left({1}\right)"),
    }  # fmt: skip
    thin = r" \, "
    constants = {
        S.Pi: r"\pi", S.ImaginaryUnit: r"\mathrm{i}", S.Infinity: r"\infty",
        S.EulerGamma: r"\gamma_{\mathrm{E}}", S.GoldenRatio: r"\varphi_{\mathrm{golden}}",
        S.Catalan: r"\mathrm{Catalan}",
    }  # fmt: skip
    relations = {"==": "=", "!=": r"\ne", "<=": r"\le", ">=": r"\ge"}

    def own_words(self, words):
        return words if isinstance(words, Piece) else Piece(words, _tightness(words))

    def own(self, look, e):
        """A name that depends on a letter that varies there has that very letter; a variable that
        shows one varies with it, there and in what a name stands for. (What else a name shows and
        does not depend on, its meaning tells.)"""
        for v in self.bound.keys() - {e}:
            here, letters = self.bound[v], {*PLACE.findall(self.bound[v])}
            depends = v in free(unfold(e) if isinstance(e, Named) else e)
            if isinstance(e, Named) and depends and here != spelled(v.name):
                raise IllFormed(f"{look} depends on {v}, for which the page writes {here} "
                                "there: take another letter for one of the two")  # fmt: skip
            for s in _variables(e):
                if letters <= beside(spelled(s.name)) and v not in free(s):
                    within = f" in {look}" if isinstance(e, Named) else ""
                    raise IllFormed(f"{spelled(s.name)}{within} shows the letter {here}, which "
                                    "varies there, and does not depend on it: take another "
                                    "letter")  # fmt: skip
            for n in named_in(e) if isinstance(e, Named) else ():
                if letters <= held(n.name) and v not in free(unfold(n)):
                    raise IllFormed(f"{n.name} shows the letter {here}, which varies there, and "
                                    "does not depend on it: take another name")  # fmt: skip
        return look

    def relation(self, sign):
        return self.relations.get(sign, sign)

    def parentheses(self, text):
        return rf"\left({text}\right)"

    def spelled(self, symbol):
        look = spelled(symbol.name)
        demand_fonts(look)
        if self.numeral(look):
            raise IllFormed(f"the name {symbol.name} looks like a number; take another")
        own = isinstance(symbol, (Bound, Dummy))
        if not own and not (NAME.fullmatch(look) and lettered(look)):
            raise IllFormed(
                f"the name {symbol.name} is printed as {look}, which does not look like one "
                "variable: take a letter or the name of a Greek one, with what is below after _"
            )
        return look

    def side_by_side(self, texts):
        text = texts[0]
        for t in texts[1:]:
            text += (r" \cdot " if text[-1].isdigit() and t[0].isdigit() else r" \, ") + t
        return text

    def fraction(self, above, below):
        return Piece(rf"\frac{{{above.text}}}{{{below.text}}}", FACTOR)

    def power(self, base, exponent):
        if exponent == 1:
            return self.show(base)
        if exponent == S.Half:
            return Piece(rf"\sqrt{{{self.group(base, OPEN)}}}", FACTOR)
        return Piece(f"{self.group(base, ATOM)}^{{{self.show(exponent).text}}}", FACTOR)

    def places(self, indices):
        texts = [self.show(i).text for i in indices]
        if all(len(t) == 1 for t in texts) and sum(t.isdigit() for t in texts) < 2:
            return "".join(texts)
        short = all(len(t) == 1 and t.isalpha() or t[0] == "\\" and t[1:].isalpha() for t in texts)
        return (" " if short else ",").join(texts)

    def indexed(self, label, places):
        return f"{{{label}}}_{{{places}}}" if "_" in label else f"{label}_{{{places}}}"

    # --- functions and constants -------------------------------------------------------

    def call(self, name, arguments):
        texts = [a.text for a in arguments]
        if name in self.patterns:
            level, pattern = self.patterns[name]
            return Piece(pattern.format(*texts, base=self.group(arguments[0], ATOM)), level)
        name = self.functions.get(name, rf"\operatorname{{{name}}}")
        return Piece(rf"{name}{self.parentheses(', '.join(texts))}", FACTOR)

    @property
    def e(self):
        """Euler's number: upright where an index has the letter."""
        return r"\mathrm{e}" if "e" in self.avoid else "e"

    def _Exp1(self, e):
        return Piece(self.e)

    def _exp(self, e):
        return Piece(rf"{self.e}^{{{self.show(e.args[0]).text}}}", FACTOR)

    def _log(self, e):
        argument = self.show(e.args[0])
        if isinstance(e.args[0], (Named, Symbol, Indexed)):
            return Piece(rf"\log {self.group(argument, ATOM)}", OPEN)
        return self.call("log", [argument])

    def _KroneckerDelta(self, e):
        return Piece(self.indexed(r"\delta", self.places(e.args)))

    def _Smooth(self, e):
        name, at = (
            self.own(self.spelled(Symbol(e.name)), Symbol(e.name)),
            self.parentheses(self.show(e.argument).text),
        )
        primes = "'" * int(e.order) if e.order.is_Integer and e.order < 4 else None
        order = rf"^{{({self.show(e.order).text})}}" if primes is None else primes
        return Piece(f"{name}{order}{at}", ATOM if order == "" else FACTOR)

    # --- binders -----------------------------------------------------------------------

    def big(self, sign, variable, low, high):
        start = low if sign == "integral" else f"{variable}={low}"
        return f"{self.signs[sign]}_{{{start}}}^{{{high}}}"

    def differential(self, variable):
        return rf"\mathrm{{d}} {variable}"

    def apply(self, sign, text):
        return f"{sign} {text}"

    def sign_of_derivative(self, alone):
        return r"\mathrm{d}" if alone else r"\partial"

    def at(self, body, values):
        """The bar is over all that stands before it."""
        return Piece(rf"\left. {body.text} \right|_{{{values}}}", SUM)

    def limit(self, variable, where, side):
        target = where.text
        if side:
            target = f"{self.group(where, ATOM)}^{{{side}}}"
        return rf"\lim_{{{variable} \to {target}}}"

    def total(self, name, base, body):
        values, length, shape = self._values(base)
        power = "^{" + r" \times ".join(shape) + "}"
        if base.domain == "normal":
            return Piece(rf"\mathbb{{E}}_{{{name} \sim \mathcal{{N}}(0, 1){power}}}"
                         rf"\left[{body.text}\right]")  # fmt: skip
        inside = ", ".join(values) if values else rf"1, \ldots, {length}"
        sign = rf"\sum_{{{name} \in \{{{inside}\}}{power}}}"
        return Piece(f"{sign} {self.group(body, OPEN)}", OPEN)


def _tightness(words):
    """How tight the words of a name are: an atom if they are one letter or command, with what is
    below it and its arguments."""
    words = grouped(words)
    if re.search(r"[+\-]", words):
        return SUM
    if re.match(r"\\(sum|int|prod|lim)(?![a-zA-Z])", words):
        return OPEN
    lone = LONE.fullmatch(words.strip())
    if lone is None:
        return OPEN
    return FACTOR if lone[1] or words.startswith(r"\frac") else _above(words)


class Text(Printer):
    """One line for a terminal."""

    signs = {"sum": "Σ", "product": "Π", "integral": "∫"}
    constants = {
        S.Pi: "π", S.Exp1: "e", S.ImaginaryUnit: "I", S.Infinity: "∞", S.EulerGamma: "EulerGamma",
        S.GoldenRatio: "GoldenRatio", S.Catalan: "Catalan",
    }  # fmt: skip
    relations = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
    thin = " "

    def own_words(self, words):
        words = words.text if isinstance(words, Piece) else words
        return Piece(plain(words), _tightness(words))

    def relation(self, sign):
        return self.relations.get(sign, sign)

    def parentheses(self, text):
        return f"({text})"

    def spelled(self, symbol):
        head, *tail = symbol.name.split("_", 1)
        return "_".join([greek_unicode.get(head, plain(head)), *map(plain, tail)])

    def side_by_side(self, texts):
        return "*".join(texts)

    def fraction(self, above, below):
        return Piece(f"{self.group(above, PRODUCT)}/{self.group(below, FACTOR)}", PRODUCT)

    def power(self, base, exponent):
        if exponent == 1:
            return self.show(base)
        if exponent == S.Half:
            return self.call("sqrt", [Piece(self.group(base, OPEN))])
        return Piece(f"{self.group(base, ATOM)}^{self.group(exponent, ATOM)}", FACTOR)

    def places(self, indices):
        return ", ".join(self.show(i).text for i in indices)

    def indexed(self, label, places):
        return f"{label}[{places}]"

    def call(self, name, arguments):
        return Piece(f"{name}({', '.join(a.text for a in arguments)})")

    def _KroneckerDelta(self, e):
        return Piece(self.indexed("δ", self.places(e.args)))

    def _Smooth(self, e):
        primes = "'" * int(e.order) if e.order.is_Integer and e.order < 4 else None
        order = f"^({self.show(e.order).text})" if primes is None else primes
        return self.call(e.name + order, [self.show(e.argument)])

    def _Exp1(self, e):
        return Piece("e")

    def big(self, sign, variable, low, high):
        start = low if sign == "integral" else f"{variable}={low}"
        return f"{self.signs[sign]}_{{{start}..{high}}}"

    def differential(self, variable):
        return f"d{variable}"

    def apply(self, sign, text):
        return f"{sign}{text}"

    def sign_of_derivative(self, alone):
        return "d" if alone else "∂"

    def at(self, body, values):
        return Piece(f"({body.text})|_{{{values}}}", FACTOR)

    def limit(self, variable, where, side):
        return f"lim_{{{variable}→{where.text}{side}}}"

    def total(self, name, base, body):
        values, length, shape = self._values(base)
        power = "^" + shape[0] if len(shape) == 1 else f"^({'×'.join(shape)})"
        if base.domain == "normal":
            return Piece(f"E_{{{name} ~ N(0, 1){power}}}[{body.text}]")
        inside = ", ".join(values) if values else f"1..{length}"
        return Piece(f"Σ_{{{name} in {{{inside}}}{power}}} {self.group(body, OPEN)}", OPEN)


def tex(e, avoid=()):
    """LaTeX of an expression in the book's notation; bound letters differ from those to avoid."""
    return piece(e, avoid).text


def piece(e, avoid=()):
    """LaTeX of an expression with the tightness of its outermost sign."""
    if isinstance(e, Basic):
        demand_ordered(e)
    about = free(e) if isinstance(e, Basic) else ()
    loose = {spelled(x.name) for x in about if not isinstance(x, (Bound, Dummy))}
    return Latex({*avoid, *spellings([e])}, loose).show(e)


def demand_own(terms, variables):
    """Nothing in some terms shows the letter of a variable, of which they are said for all values
    or in whose place a value is put, and does not depend on it."""
    printer = Latex()
    printer.bound = {v: printer.called(v) for v in variables}
    for s in set().union(*map(_variables, terms)).difference(variables):
        printer.own(printer.called(s), s)


def text(e):
    """One line of plain text, for messages in a terminal."""
    return Text().show(e).text


INNER = re.compile(r"(?<![A-Za-z0-9_}])__?(\d+)_(\d+)(?!\w)")  # of a `Bound`, or a copy of one
ANY_LETTER = (*"jlmnabcruvwk", *ascii_letters)


def with_letters(message, terms=()):
    """A message whose bound variables have letters: those of some terms, as the author wrote them,
    where a binder at the same height has one that nothing else is called."""
    message = str(message)
    taken, table = set(re.findall(r"[A-Za-z]\w*", message)), {}
    for found in INNER.finditer(message):
        wanted = [*_written(terms, *map(int, found.groups())), *ANY_LETTER]
        free_ones = [name for name in wanted if name not in taken]
        if found[0] not in table and free_ones:
            table[found[0]] = free_ones[0]
            taken.add(free_ones[0])
    return INNER.sub(lambda found: table.get(found[0], found[0]), message)


def _written(terms, level, place):
    """The letters that variables of binders at some height have in terms."""
    binders = [x for e in terms if isinstance(e, Basic) for x in sympy.preorder_traversal(e)
               if isinstance(x, BINDERS) and height(x) == level]  # fmt: skip
    names = [v.name for x in binders for v in bound_by(x)[place : place + 1] if v.is_Symbol]
    return [plain(name) for name in names if not INNER.fullmatch(name)]


def relation(left, sign, right, avoid=()):
    """LaTeX of `left sign right`, for a sign of =, ≤, ≥, <, >, ≠."""
    return f"{tex(left, avoid)} {SIGNS[sign]} {tex(right, avoid)}"


def spellings(expressions):
    """How the free names of expressions look; two that look alike are refused."""
    seen, expressions = {}, [e for e in expressions if isinstance(e, Basic)]
    for e in expressions:
        for x in free(e):
            if isinstance(x, (Bound, Dummy)):
                continue
            look = spelled(x.name)
            if seen.setdefault(look, x.name) != x.name:
                raise IllFormed(f"the names {seen[look]} and {x.name} look alike; change one")
    heads = {spelled(x.name) for e in expressions for x in free(e) if isinstance(x, Array)}
    for look, name in seen.items():
        if look.split("_{")[0] in heads - {look}:
            raise IllFormed(f"the symbol {name} looks like an entry of {look.split('_')[0]}; "
                            "change one of the names")  # fmt: skip
    inside = {x for e in expressions for x in e.atoms(Symbol, Str)}
    return frozenset(seen) | {spelled(x.name) for x in inside if not isinstance(x, (Bound, Dummy))}


# what makes a letter a power, or a function a value
VALUE = re.compile(r"'*(?:\^(?:\(.*?\)|\w+)(?:\(.*\))?|\(.*\))$")


ABOVE = re.compile(r"\^(?:\(.*?\)|[A-Za-z0-9]+)(?=_)")
WHOLE = re.compile(r"(?<![\\A-Za-z])e(?![A-Za-z_'])")  # in words: e that is no entry


def demand_no_second_e(expressions, shown=()):
    """The letter e does not stand for a number, a function, or a whole vector (which is in `shown`,
    or in the words of a product) where Euler's number is on the page."""
    nodes = {x for e in expressions for x in sympy.preorder_traversal(sympify(e))}
    placed = (Indexed, sympy.KroneckerDelta, Array)  # e_i, or an index e below the line
    numbers = {a for x in nodes if not isinstance(x, placed) for a in x.args
               if not (isinstance(x, Tuple) and isinstance(a, Index))}  # fmt: skip
    numbers |= {*expressions, *(x for x in nodes if isinstance(x, (Size, Smooth)))}
    letters = {flat(x.name) for x in numbers if isinstance(x, (Symbol, Named, Smooth))}
    names = [x.name for x in nodes if isinstance(x, Named)]
    if any(map(WHOLE.search, names)):
        letters |= {seen_as(x) for x in nodes if isinstance(x, Array)}
        letters |= {name.partition("_")[0] for name in names}
    power = any(isinstance(x, (sympy.exp, type(S.Exp1))) for x in nodes)
    if "e" in letters or "e" in shown and power:
        raise IllFormed("the letter e stands for a variable and for Euler's number: take another")


UPRIGHT = ("mathrm", "text")  # of words that are flat
UPRIGHT_SIGN = re.compile(r"\\([a-z]{2,})(?![a-z{])")


def demand_apart(expressions):
    """No name looks like an entry, a power or a function that is on the page as well; and each
    expression can be printed, entry by entry, where the page shows words for it."""
    for e in expressions:
        tex(e)
    demand_no_second_e(expressions)
    nodes = {x for e in expressions for x in sympy.preorder_traversal(sympify(e))}
    axes = {seen_as(x): len(x.shape) for x in nodes if isinstance(x, Array)}
    axes |= {"delta": 2} if any(isinstance(x, sympy.KroneckerDelta) for x in nodes) else {}
    symbols = {seen_as(x): x.name for x in nodes if type(x) in (Symbol, Size, Smooth)}
    symbols = {look: name for look, name in symbols.items() if look not in axes}  # but for labels
    names = {flat(x.name): x.name for x in nodes if isinstance(x, Named)}
    complexes = {seen_as(x) for x in nodes if type(x) is Symbol and x.is_real is None}
    called = {flat(tex(x)).split("(")[0] for x in nodes if isinstance(x, Application)}
    called |= symbols.keys()
    heads = {flat(tex(x)).split("(")[0]: x for x in nodes
             if isinstance(x, Application) and not isinstance(x, Smooth)}  # fmt: skip
    upright = ((UPRIGHT_SIGN.match(tex(x)), x) for x in heads.values())  # \sin is \mathrm{sin}
    heads |= {f"mathrm{found[1]}": x for found, x in upright if found}
    limited = next((x for x in nodes if isinstance(x, Limit)), None)
    heads |= {look: limited for look in names if limited and look.startswith("mathrmlim")}
    entries = {flat(tex(x)): text(x) for x in nodes if isinstance(x, Indexed)} if heads else {}
    for look, name in sorted((names | symbols | entries).items()):
        if sign := _sign_of(look, heads):
            raise IllFormed(f"the name {name} looks like the sign of the function in "
                            f"{text(heads[sign])}; take another")  # fmt: skip
    _demand_unmarked({*names, *symbols, *axes}, complexes | {k for k, n in axes.items() if n == 2})
    for look, name in (names | symbols).items():
        for n in (n for n, sign in enumerate(look) if sign in "_("):
            if look[:n] in axes and look[n + 1 :] and not look[n + 1 :].startswith(UPRIGHT):
                raise IllFormed(f"the name {name} looks like an entry of {look[:n]}; take another")
        if look.startswith("overline") and any(z in look[8:] for z in complexes):
            raise IllFormed(f"the name {name} looks like the conjugate of a number that is on the "
                            "page; take another")  # fmt: skip
        if {VALUE.sub("", look), ABOVE.sub("", look)} & (called - {look}):
            raise IllFormed(f"the name {name} looks like a value of a function, or like a product "
                            "or a power; take another")  # fmt: skip
    _demand_no_value(nodes, names)
    looks = {k: (name, None) for k, name in (names | symbols).items()
             if re.search(r"\W|_", k)}  # fmt: skip
    raised = [x for x in nodes if isinstance(x, Indexed) and "^" in seen_as(x.base)]
    looks |= {flat(tex(x)): (text(x), x) for x in raised}  # x^n_j beside the power of x_j
    kinds = (Indexed, Pow, Application, Derivative, *BINDERS)
    for x in sorted((x for x in nodes if isinstance(x, kinds) and not _made(x)), key=str):
        name, own = looks.setdefault(flat(tex(x)), (text(x), x))
        if own != x and (own is None or canonical(own) != canonical(x)):
            raise IllFormed(f"the name {name} looks like {text(x)}; take another")


def _made(e):
    """Whether an expression is a part of a binder, whose letter has no name of its own."""
    return any(isinstance(v, (Bound, Dummy)) for v in free(e))


def _demand_unmarked(looks, values):
    """No name looks like the conjugate, the adjoint or the inverse of a number or a matrix."""
    for look in sorted(looks):
        marked = re.fullmatch(r"(.*)\^(?:[*+]|star|dagger)", look)
        if marked and marked[1] in values:
            raise IllFormed(f"the name {look} looks like something made of {marked[1]}, which is "
                            "on the page as well; take another")  # fmt: skip


def _sign_of(look, heads):
    """The sign of a function that a name begins with, alone or with places or arguments."""
    head = re.split(r"[(\[]", look)[0]
    called = head != look or head.startswith(UPRIGHT)
    same = (h for h in sorted(heads) if h.partition("_")[0] == head.partition("_")[0])
    return head if head in heads else next(same, None) if called else None


def _demand_no_value(nodes, names):
    """No name before what is in parentheses is, with it, another name: h (x + 1) is not
    h(x + 1), and h (log x)^2 is not h(log x)^2."""
    values = {look for look in names if look.endswith(")")}
    for x in sorted((x for x in nodes if values and isinstance(x, Mul)), key=str):
        before = [f for f in x.args if isinstance(f, (Named, Symbol))]
        inside = [f for f in x.args if isinstance(f, Add) or "(" in flat(tex(f))]
        for f in before if inside else ():
            look = next((v for v in sorted(values) if v.startswith(f"{seen_as(f)}(")), None)
            if look:
                raise IllFormed(f"the name {names[look]} looks like the product {text(x)}; "
                                "take another")  # fmt: skip


# --- what is assumed -------------------------------------------------------------------

KIND_LINES = {
    "complex": "${}$ complex", "real": "${}$ real", "real, not 0": r"${} \ne 0$ real",
    "positive": "${} > 0$", "nonnegative": r"${} \ge 0$", "negative": "${} < 0$",
    "nonpositive": r"${} \le 0$", "integer": "${}$ an integer",
    "integer ≥ 1": r"${} \ge 1$ an integer", "integer ≥ 0": r"${} \ge 0$ an integer",
}  # fmt: skip
DOMAIN_LINES = {
    "real": r"${a} \in \mathbb{{R}}^{{{n}}}$",
    "positive": r"${a} \in \mathbb{{R}}_{{>0}}^{{{n}}}$",
    "nonnegative": r"${a} \in \mathbb{{R}}_{{\ge 0}}^{{{n}}}$",
    "simplex": r"{rows}${a} \in \mathbb{{R}}_{{>0}}^{{{n}}}$ sums to 1",
    "sphere": r"{rows}${a} \in \mathbb{{R}}^{{{n}}}$ has norm 1",
    "symmetric": r"${a} \in \mathbb{{R}}^{{{n}}}$ symmetric",
    "antisymmetric": r"${a} \in \mathbb{{R}}^{{{n}}}$ antisymmetric",
    "definite": r"${a} \in \mathbb{{R}}^{{{n}}}$ symmetric and positive definite",
    "invertible": r"${a} \in \mathbb{{R}}^{{{n}}}$ invertible",
    "inverse": r"${a} = {of}^{{-1}}$",
    "normal": r"${a} \in \mathbb{{R}}^{{{n}}}$ with independent standard normal entries",
}


def assumptions(context):
    """Everything that the context knows, a line of Markdown each."""
    targets = [d.target for d in context.definitions]
    things = [*context.sizes, *context.symbols, *context.arrays, *targets]
    avoid = spellings([*things, *(i for i, _ in context.ranges)])
    avoid |= {n.name for e in context.written for n in e.atoms(Named)} | {*context.functions}
    lines = []
    if context.sizes:
        several = "integers" if len(context.sizes) > 1 else "an integer"
        lines.append(rf"${', '.join(map(tex, context.sizes))} \ge 1$ {several}")
    lines += map(_array_line, context.arrays)
    lines += map(_symbol_line, context.symbols)
    lines += [f"${spelled(f)}$ a real function with all derivatives" for f in context.functions]
    ranges = [(i, length) for i, length in context.ranges if i in context.free_indices]
    for length in dict.fromkeys(length for _, length in ranges):
        along = ", ".join(tex(i) for i, n in ranges if n == length)
        lines.append(rf"${along} = 1, \ldots, {tex(length)}$")
    for variable, low, high, _ in context.inside:
        lines.append(rf"${tex(low)} \le {tex(variable)} \le {tex(high)}$")
    lines += [_fact_line(f, avoid, dict(context.ranges)) for f in context.facts if f.source]
    return lines + [_definition_line(d, avoid) for d in context.definitions]


def _symbol_line(symbol):
    return KIND_LINES[kind(symbol)].format(tex(symbol))


def _array_line(array):
    same = Array(array.label, array.shape, array.domain, array.of)
    if same.assumptions0 != array.assumptions0:
        raise IllFormed(f"{array} has assumptions that its domain does not say; state them as a "
                        "hypothesis")  # fmt: skip
    name, power = tex(array), r" \times ".join(Latex().group(n, ATOM) for n in array.shape)
    if isinstance(array.domain, (tuple, Tuple)):
        values = ", ".join(map(tex, array.domain))
        return rf"${name} \in \{{{values}\}}^{{{power}}}$"
    if isinstance(array.domain, Size):
        return rf"${name} \in \{{1, \ldots, {tex(array.domain)}\}}^{{{power}}}$"
    rows = "" if len(array.shape) == 1 else "each row of "
    of = "" if array.of is None else tex(array.of)
    return DOMAIN_LINES[array.domain].format(a=name, n=power, rows=rows, of=of)


def _fact_line(fact, avoid, lengths):
    """A hypothesis with its quantifiers; the label of the result that it comes from, if any. How
    far an index runs is seen from the arrays that have it, or is said."""
    avoid = avoid | spellings(fact.variables)
    demand_own((fact.left, fact.right), fact.variables)
    line = f"${relation(fact.left, fact.relation, fact.right, avoid)}$"
    entries = fact.left.atoms(Indexed) | fact.right.atoms(Indexed)
    seen = {i for x in entries for i in x.indices}
    plain = [f"${tex(v)}$" if v in seen or v not in lengths else
             rf"${tex(v)} = 1, \ldots, {tex(lengths[v])}$"
             for v in fact.variables if isinstance(v, Index)]  # fmt: skip
    others = [_symbol_line(v) for v in fact.variables if not isinstance(v, Index)]
    every = f" for all {', '.join(plain + others)}" if fact.variables else ""
    return line + every + ("" if fact.source == ASSUMED else f" ({fact.source})")


def _definition_line(definition, avoid):
    target, places = definition.target, definition.places
    avoid = avoid | spellings(places)
    demand_own((definition.meaning,), places)
    left = target[places] if places else target
    line = f"where ${relation(left, '=', definition.meaning, avoid)}$"
    if places:
        ends = zip(places, target.shape)
        runs = ", ".join(rf"${tex(i)} = 1, \ldots, {tex(n)}$" for i, n in ends)
        line += f" for {runs}"
    if isinstance(target, Array):
        return line + ("" if target.domain == "real" else f", {_array_line(target)}")
    return line + ("" if kind(target) == "real" else f", {_symbol_line(target)}")
