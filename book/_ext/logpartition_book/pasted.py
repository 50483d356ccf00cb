"""Numbers that were typed into a cell and are drawn, printed or fitted as if they were measured.

A list of numbers is data where three of them are no round ones, as parameters are. It stays data in
what holds, converts or scales it, and is none where something is computed of it. What is scaled of
places is a curve over them.
"""

import ast
import builtins
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import filterfalse

from .measured import FITS, pairs, root
from .programs import CHANGES

KEEP = set(  # calls that hold and convert
    "array asarray tensor as_tensor list tuple dict zip sorted reversed enumerate values keys items"
    " float map split splitlines numpy double tolist flatten ravel column_stack stack vstack hstack"
    " transpose squeeze reshape round fromstring strip join str format detach cpu copy astype"
    " range".split()
)
DRAWS = set(
    "plot semilogx semilogy loglog errorbar bar barh step stem scatter hist boxplot fill_between"
    " line".split()
)
SCALE = set("abs absolute cumsum log log10 log1p log2 negative".split())
ROUND = re.compile(r"0*(?:\d?|\d?5|[137]25|[68]75|9+)0*")  # its digits
WHOLE = re.compile(r"\d+5|\d*0|12|16|24|32|48|64|96|128|256|512|1024|2048|4096|8192")
NUMBERS = re.compile(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?")
TABLE = re.compile(r"[-+\d.,;|eE\s]+")
DECIMAL = re.compile(r"\d*\.\d+|\d\d+")


def is_data(node):
    """Whether a list, or a text of numbers, is one of data."""
    if isinstance(node, ast.Constant):
        typed = isinstance(node.value, str) and TABLE.fullmatch(node.value)
        numbers = NUMBERS.findall(node.value) if typed else ()
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
        inside = (getattr(one, "value", None) for one in ast.walk(node))
        numbers = [repr(one) for one in inside if type(one) in (int, float)]
    else:
        return False
    return len({*filterfalse(is_round, numbers)}) > 2


def is_round(number):
    digits, _, power = number.lower().lstrip("+-").partition("e")
    return ROUND.fullmatch(digits.replace(".", "")) or WHOLE.fullmatch(digits)


@dataclass
class Carried:
    """What a value carries of typed data: the lists, whether as they are, and whether something is
    computed beside."""

    of: frozenset = frozenset()
    bare: bool = True
    computed: bool = False

    def __or__(self, other):
        computed = self.computed or other.computed
        of = frozenset() if computed else self.of | other.of
        return Carried(of, self.bare and other.bare, computed)


COMPUTED = Carried(computed=True)


@dataclass
class Flow(ast.NodeVisitor):
    """Follows typed data through the statements of a chapter; `found` has the calls that draw,
    print or fit them."""

    names: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    found: list = field(default_factory=list)

    def reads(self, names):
        """Whether one of these names holds typed data."""
        return any(self.names[name].of for name in names if name in self.names)

    @contextmanager
    def scope(self):
        """What is bound within a function, or for the parts of a list, is bound there alone."""
        outside, self.names = self.names, dict(self.names)
        yield
        self.names = outside

    def carried(self, node):
        """What the value of an expression carries."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, Carried() if hasattr(builtins, node.id) else COMPUTED)
        if isinstance(node, (ast.Lambda, ast.Constant)) and not is_data(node):
            return Carried()
        if isinstance(node, ast.Subscript):
            return self.carried(node.value)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            with self.scope():
                for part in node.generators:
                    self.bind(part.target, part.iter)
                return self.each([getattr(node, key) for key in node._fields[:-1]])
        own = Carried(frozenset({id(node)}) if is_data(node) else frozenset())
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if getattr(node.func, "id", "") in self.functions:
                return self.names.get(name, COMPUTED)
            own = Carried(bare=name in KEEP, computed=name not in KEEP | SCALE)
            inner = getattr(node.func, "value", None)  # a method's; a module holds nothing
            held = inner and not (isinstance(inner, ast.Name) and inner.id not in self.names)
            parts = [*node.args, *(one.value for one in node.keywords), *([inner] if held else ())]
            return own | self.each(parts)
        if isinstance(node, ast.BinOp):
            sides = [self.carried(side) for side in (node.left, node.right)]
            scaled = any(map(is_number, (node.left, node.right))) or sides[0].of == sides[1].of
            own = Carried(bare=False, computed=not scaled)
        return own | self.each(ast.iter_child_nodes(node))

    def each(self, nodes):
        whole = Carried()
        for node in nodes:
            whole |= self.carried(node)
        return whole

    def bind(self, target, value):
        """Give the names of a target what the value carries, each of a `zip` its own."""
        name = getattr(getattr(value, "func", None), "id", "")
        if name == "enumerate" and len(getattr(target, "elts", ())) == 2:
            value = ast.Tuple([ast.Constant(0), value.args[0]])
        elif name == "zip" and len(getattr(target, "elts", ())) == len(value.args):
            value = ast.Tuple(value.args)
        for part, own in pairs(target, value):
            self.names[part] = self.carried(own)

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in getattr(node, "targets", None) or [node.target]:
            self.bind(target, node.value) if node.value else None

    visit_AnnAssign = visit_NamedExpr = visit_Assign

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        name = root(node.target)
        self.names[name] = self.names.get(name, COMPUTED) | self.carried(node.value)

    def visit_For(self, node):
        self.bind(node.target, node.iter)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        self.functions[node.name] = node
        with self.scope():
            self.names |= {one.arg: COMPUTED for one in node.args.args}
            self.generic_visit(node)
            given = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
            value = self.each(filter(None, given)) if given else COMPUTED
        self.names[node.name] = value

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in CHANGES and (changed := root(node.func)) in self.names:
            self.names[changed] |= self.each(node.args)
        elif name in DRAWS and isinstance(node.func, ast.Attribute) and node.args:
            self.drawn(node)
        elif name == "print" and (parts := [*map(self.carried, printed(node))]):
            if any(one.of for one in parts) and all(one.bare and not one.computed for one in parts):
                self.found.append(("prints", node))
        elif name in FITS:
            heights = [one.value for one in node.keywords if one.arg in HIGH]
            heights += node.args[2 if name == "curve_fit" else 1 :][:1] or node.args
            self.found += [("fits", node)] * any(self.carried(one).of for one in heights)
        elif name in self.functions:
            self.handed(node, self.functions[name])

    def drawn(self, node):
        """A call that draws: heights are typed where nothing makes them of the places. Corners and
        points in a plane are placed, not measured.
        """
        if node.func.attr == "line" and CORNERS & {getattr(one, "value", 0) for one in node.args}:
            return
        if isinstance(node.args[0], ast.Starred) and not isinstance(node.args[0].value, ast.Call):
            return
        places = [one for one in node.args if not is_word(one)]
        across = self.carried(places[0]) if places[1:] else Carried()
        heights = [
            *(places[1:2] or places),
            *(one.value for one in node.keywords if one.arg in HIGH),
        ]
        for held in map(self.carried, heights):
            if held.of and (held.bare or not held.of <= across.of):
                self.found.append(("draws", node))

    def handed(self, call, function):
        """A call of a function of the chapter that draws what it is given."""
        given = dict(zip([one.arg for one in function.args.args], call.args))
        given |= {one.arg: one.value for one in call.keywords}
        held = {name: self.carried(value) for name, value in given.items()}
        held = {name: own for name, own in held.items() if own.of}
        if held:
            inner = Flow({**self.names, **held})
            inner.functions = {key: one for key, one in self.functions.items() if one != function}
            for line in function.body:
                inner.visit(line)
            self.found += [(what, call) for what, _ in inner.found]


CORNERS = {"hull", "axis"}
HIGH = {"y", "ydata", "height", "width", "values"}


def is_number(node):
    return isinstance(getattr(getattr(node, "operand", node), "value", None), (int, float))


def is_word(node):
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def printed(call):
    """The values that a call prints."""
    for node in call.args:
        if isinstance(node, ast.JoinedStr):
            yield from (one.value for one in node.values if isinstance(one, ast.FormattedValue))
        elif isinstance(node, ast.BinOp) and is_word(node.left):
            yield node.right
        elif not is_word(node):
            yield node


def pasted(chapter):
    """(cell, what is done, code) where a chapter draws, prints or fits typed data."""
    flow, ends = Flow(), {cell: node for node, _, cell in chapter.statements}
    for (node, text, cell), names in zip(chapter.statements, chapter.names):
        before = len(flow.found)
        if len({*DECIMAL.findall(text)}) > 2 or flow.reads(names.read | names.later):
            flow.visit(node)
            if isinstance(node, ast.Expr) and ends[cell] is node:
                held = flow.carried(node.value)
                flow.found += [("prints", node)] * bool(held.of and held.bare)
        elif isinstance(node, ast.Assign) and isinstance(node.value, PLACES):
            flow.visit(node)
        else:
            module = isinstance(node, ast.Import)
            flow.names |= dict.fromkeys(names.bound, Carried() if module else COMPUTED)
            flow.functions |= {node.name: node} if isinstance(node, ast.FunctionDef) else {}
        yield from ((cell, what, ast.unparse(call)) for what, call in flow.found[before:])


PLACES = (ast.List, ast.Tuple, ast.Dict, ast.Constant)
