"""Terms as text, and back: what a record holds of a statement.

A `let` names each symbol, each array and each abbreviation once: `k = Array('k', (N, d), 'real')`.
A term is written with these names, whole numbers, and calls of the constructors of the language, in
Python's syntax. The reader knows these and nothing else; no text is ever run.

    write = Writer(); text = write(e)       the text of e; write.let is the list that it needs
    Reader(write.let)(text) == e            the same term, or the writer refuses it
"""

import ast
import re
from functools import lru_cache
from keyword import iskeyword

import sympy
from sympy import Basic, Expr, Indexed, Integer, Pow, Rational, S, Symbol, Tuple
from sympy.core.symbol import Str

from .errors import IllFormed
from .kernel.context import FUNCTIONS, KINDS, RELATIONS, STRUCTURE
from .language import DOMAINS, Array, Index, Named, Size, Smooth
from .names import checked
from .printer import DIGITS

SHORT = {getattr(sympy, name): name for name in ("Eq", "Ne", "Le", "Ge", "Lt", "Gt")}
WORDS = (*STRUCTURE, *FUNCTIONS, *RELATIONS, Rational)
CALLS = {SHORT.get(c, c.__name__): c for c in WORDS if c not in (Indexed, Named)}
FIXED = {"pi": S.Pi, "E": S.Exp1, "I": S.ImaginaryUnit, "oo": S.Infinity, "Catalan": S.Catalan,
         "EulerGamma": S.EulerGamma, "GoldenRatio": S.GoldenRatio}  # fmt: skip
KNOWN = {**KINDS, "complex number": {"complex": True}}
COUNTED = {"integer": True, "positive": True}
FONT = re.compile(r"\\(?:math[a-z]+|operatorname|[lr](?:angle|Vert)|left|right)(?![a-zA-Z])")


class Writer:
    """The text of terms; `let` names what stands in them."""

    def __init__(self):
        self.let, self._names = [], {}

    def __call__(self, e):
        if isinstance(e, tuple):
            return f"({self.each(e)}{',' if len(e) == 1 else ''})"
        if isinstance(e, (str, Str)):
            return repr(str(e))
        if e in _FIXED:
            return _FIXED[e]
        if isinstance(e, (int, Integer)):
            return str(e)
        if isinstance(e, (Symbol, Array, Named)):
            return self._named(e)
        if isinstance(e, Tuple):
            return self(tuple(e))
        if isinstance(e, Rational):
            return f"Rational({e.p}, {e.q})"
        if isinstance(e, Indexed):
            return f"{self(e.base)}[{self.each(e.indices)}]"
        return self._call(e)

    def each(self, parts):
        return ", ".join(map(self, parts))

    def _call(self, e):
        name, parts = SHORT.get(type(e), type(e).__name__), getattr(e, "args", ())
        if CALLS.get(name) is not type(e):
            raise IllFormed(f"{e} is a {name}, which no record can hold")
        if isinstance(e, sympy.Limit):
            parts = (*e.args[:3], str(e.args[3]))
        for as_written in ((), (("evaluate", False),)):
            try:
                same = made(CALLS[name], parts, dict(as_written)) == e
            except IllFormed:
                same = False
            if same:
                return f"{name}({self.each(parts)}{', evaluate=False' if as_written else ''})"
        raise IllFormed(f"{e} is not what its parts make, so no record can hold it")

    def _named(self, e):
        if e not in self._names:
            text = self._declared(e)  # what it needs is named first
            plain = "_".join(re.findall("[A-Za-z0-9]+", FONT.sub("", e.name)))[:12] or "name"
            name = plain = plain if plain[0].isalpha() else f"x{plain}"
            taken, n = {*self._names.values(), *CALLS, *FIXED, *DECLARED}, 1
            while name in taken or iskeyword(name):
                name, n = f"{plain}_{n}", n + 1
            self._names[e] = name
            self.let.append(f"{name} = {text}")
        return self._names[e]

    def _declared(self, e):
        if isinstance(e, Named):
            parts = (e.name, e.meaning)
        elif isinstance(e, Array):
            parts = (e.name, tuple(e.shape), e.domain, *([] if e.of is None else [e.of]))
        elif type(e) in (Size, Index):
            parts = (e.name,)
        else:
            parts = (e.name, *(k for k, known in KNOWN.items() if Symbol(e.name, **known) == e))
        if not parts[1:] and type(e) not in (Size, Index) or declared(type(e).__name__, parts) != e:
            raise IllFormed(f"{e} is assumed to be more than a record can hold")
        return f"{type(e).__name__}({self.each(parts)})"


class Reader:
    """The term that a text says; `calls` is what it may call besides."""

    def __init__(self, let, calls=()):
        self.names, self.calls = dict(FIXED), dict(calls)
        for line in let:
            name, _, text = line.partition(" = ")
            if not name.isidentifier() or name in self.names:
                raise IllFormed(f"{name} is no name, or is given twice")
            self.names[name] = self(text, DECLARED_AS)

    def __call__(self, text, kinds=Expr):
        """The term, which is of one of some kinds."""
        try:
            found = self._read(ast.parse(text, mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise IllFormed(f"{text[:80]} is not the text of a term") from None
        if not isinstance(found, kinds):
            raise IllFormed(f"{text[:80]} is a {type(found).__name__}, which cannot stand there")
        return found

    def _read(self, node):
        match node:
            case ast.Constant(value=int() | str()) if not isinstance(node.value, bool):
                return Integer(node.value) if isinstance(node.value, int) else node.value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int()) | ast.Name(id="oo")):
                return -self._read(node.operand)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Tuple(elts=parts):
                return tuple(map(self._read, parts))
            case ast.Subscript(value=ast.Name(), slice=where):
                places = self._read(where)
                places = places if isinstance(places, tuple) else (places,)
                array = self._read(node.value)
                if isinstance(array, Array) and all(isinstance(p, Basic) for p in places):
                    return Indexed(array, *places)
            case ast.Call(func=ast.Name(id=name), args=parts, keywords=more):
                options = {k.arg: getattr(k.value, "value", None) for k in more}
                if options in ({}, {"evaluate": False}):
                    return self._called(name, tuple(map(self._read, parts)), options)
        raise IllFormed(f"{ast.unparse(node)[:80]} is nothing that a term in a record is made of")

    def _called(self, name, parts, options):
        if name in DECLARED:
            return declared(name, parts)
        if name in CALLS:
            return made(CALLS[name], parts, options)
        if name in self.calls:
            return self.calls[name](*parts)
        raise IllFormed(f"{name} is nothing that a term in a record is made of")


NODES = 200_000  # of a term with what its names stand for
GROWING = {sympy.factorial, sympy.binomial, sympy.gamma, sympy.besseli}


def _demand_small(constructor, parts):
    """Nothing that a computer would not come to the end of: numbers of too many digits, and terms
    that are too large when their names are replaced."""
    numbers, most = [x for x in parts if isinstance(x, Rational)], 10**DIGITS
    if constructor in GROWING:
        most = 100
    if constructor is Pow and len(numbers) == 2:
        base, exponent = numbers
        numbers = [] if base in (0, 1, -1) else [base]
        most = 10 ** (DIGITS // max(1, abs(int(exponent))))
    if any(abs(x.p) > most or x.q > most for x in numbers):
        raise IllFormed(f"{constructor.__name__} of such numbers is more than a record can hold")
    if sum(map(nodes, filter(lambda x: isinstance(x, Basic), parts))) > NODES:
        raise IllFormed(f"a {constructor.__name__} is larger than a record can hold")


@lru_cache(100_000)
def nodes(e):
    """How many nodes a term has, with what its names stand for."""
    return 1 + sum(map(nodes, e.args))


def made(constructor, parts, options):
    """A node of these parts; a relation is left as it is written. SymPy would run a text that it is
    given, so it is given none."""
    if constructor in RELATIONS:
        options = {"evaluate": False}
    if constructor is Smooth and parts and isinstance(parts[0], str):
        parts = (Str(parts[0]), *parts[1:])
    sided = constructor is sympy.Limit and parts[3:] in (("+",), ("-",), ("+-",))
    bare = parts[:3] if sided else parts
    if not of_terms(bare):
        raise IllFormed(f"{constructor.__name__} is made of terms, and not of {parts}")
    _demand_small(constructor, parts)
    try:
        return constructor(*parts, **options)
    except (TypeError, ValueError, AttributeError) as error:
        raise IllFormed(f"{constructor.__name__} is not made of {parts}: {error}") from None


def of_terms(x, kinds=Basic):
    """Whether x is a term, or a tuple of terms."""
    return all(of_terms(y, kinds) for y in x) if isinstance(x, tuple) else isinstance(x, kinds)


def declared(name, parts):
    """A symbol, an array or an abbreviation: a name, and what is said of it."""
    first, *rest = parts or ("",)
    words = KNOWN if name == "Symbol" else DOMAINS if name == "Array" else ()
    terms = [part for part in rest if not (isinstance(part, str) and part in words)]
    _demand_small(DECLARED.get(name), terms)
    if not isinstance(first, str) or not of_terms(tuple(terms)):
        raise IllFormed(f"{name} has a name and is made of terms, and not of {parts}")
    try:
        if name in ("Size", "Index"):
            return DECLARED[name](*parts, **COUNTED)
        if name == "Symbol":
            return Symbol(parts[0], **KNOWN[parts[1]])
        if name == "Named":
            checked(first, transposed=True)
        if name == "Array" and parts[3:] and parts[3].shape != parts[1]:
            raise ValueError("an inverse is as large as its matrix")
        return DECLARED[name](*parts)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise IllFormed(f"{name}{parts} is nothing that a record declares: {error!r}") from None


DECLARED_AS = (Symbol, Array, Named)
DECLARED = {c.__name__: c for c in (Size, Index, *DECLARED_AS)}
_FIXED = {value: name for name, value in FIXED.items()} | {S.NegativeInfinity: "-oo"}
