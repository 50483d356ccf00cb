"""The program of a result: the statement of its chapter that makes it, and of the statements before
this the ones that it needs.

A name is what the last statement that binds it makes it, or changes it into. What a function reads
counts both where the function is written and where it is used. What a call changes in something
that it only reads, as `backward` does, is not seen.
"""

import ast
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .bench.bench import BOOK, OPEN
from .breaks import without
from .records import MIME, stored
from .trees import tree

LIGHT = (*OPEN, *BOOK)  # what runs in a browser
BOOKKEEPING = "claims", "certifies"  # what a program says to the book, and no reader has to read
CHANGES = set("add append appendleft extend insert pop popitem popleft setdefault update".split())
# as statements: np.sort(x) changes nothing, x.sort() does, and np.put(x, …) what comes first
ORDERS = set("clear discard fill partition remove resize reverse sort".split())
FILLS = set("copyto fill_diagonal place put put_along_axis putmask shuffle".split())
BINDS = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Program:
    """`text` makes the result, after `setup`; it needs `heavy`, modules that no page loads."""

    setup: str
    text: str
    heavy: tuple[str, ...]


@dataclass
class Names(ast.NodeVisitor):
    """The names that a statement binds, of these those that it may leave as they were, those that
    it reads at once, of these those that it gives another name, and those that a function in it
    reads when it is called. `fills` has, by the name of a function, the places of the arguments
    that it changes."""

    fills: dict = field(default_factory=dict)
    bound: set = field(default_factory=set)
    perhaps: set = field(default_factory=set)
    read: set = field(default_factory=set)
    passed: set = field(default_factory=set)
    later: set = field(default_factory=set)
    altered: set = field(default_factory=set)
    scopes: list = field(default_factory=list)
    functions: int = 0

    def statement(self, node):
        """All of a statement; what it binds on some way through it alone, it binds perhaps."""
        self.visit(node)
        if not isinstance(node, BINDS) or getattr(node, "value", node) is None:
            self.perhaps |= self.bound
        return self

    def visit_Name(self, node):
        if any(node.id in scope for scope in self.scopes):
            return
        if not isinstance(node.ctx, ast.Load):
            (self.scopes[-1] if self.scopes else self.bound).add(node.id)
        else:
            (self.later if self.functions else self.read).add(node.id)

    def visit_alias(self, node):
        self.bound.add((node.asname or node.name).split(".")[0])

    def visit_NamedExpr(self, node):
        """A name that is bound where the expression is reached, in a comprehension as well."""
        if not self.functions:
            self.bound.add(node.target.id)
            self.perhaps.add(node.target.id)
        self.generic_visit(node)

    def visit_MatchAs(self, node):
        """A name that a pattern binds."""
        if name := getattr(node, "rest", None) or getattr(node, "name", None):
            (self.scopes[-1] if self.scopes else self.bound).add(name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def visit_AugAssign(self, node):
        self._changed(node.target)
        self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            self._changed(node.func.value)
        for place in self.fills.get(getattr(node.func, "id", None), ()):
            self._changed(*node.args[place : place + 1])
        self.generic_visit(node)

    def visit_Assign(self, node):
        """Another name of a function, or of one whose first arguments are given."""
        self.passed |= set(_held(node.value))
        value, given = node.value, 0
        if _is_partial(value):
            value, given = value.args[0], len(value.args) - 1
        for name in (one.id for one in node.targets if isinstance(one, ast.Name)):
            places = self.fills.get(getattr(value, "id", None), ())
            self.fills[name] = {place - given for place in places if place >= given}
        self.generic_visit(node)

    def visit_Expr(self, node):
        called = getattr(node.value, "func", None)
        if isinstance(called, ast.Attribute):
            if called.attr in ORDERS or called.attr.endswith("_") and called.attr[:1] != "_":
                self._changed(called.value)
            for given in node.value.args[:1] if called.attr in FILLS else ():
                self._changed(given)
        for given in getattr(node.value, "keywords", ()):
            if given.arg == "out":
                self._changed(given.value)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._changed(node)
        self.generic_visit(node)

    visit_Attribute = visit_Subscript

    def visit_Lambda(self, node):
        self._function(node, [node.body])

    def visit_FunctionDef(self, node):
        if not self.scopes:
            self.bound.add(node.name)
        self.altered = set()
        self._function(node, node.body, node.decorator_list)
        bound = {name for one in ast.walk(node) for name in getattr(one, "targets", ())}
        kept = self.altered - {getattr(name, "id", None) for name in bound}
        given = [*node.args.posonlyargs, *node.args.args]
        self.fills[node.name] = {n for n, one in enumerate(given) if one.arg in kept}

    def visit_ClassDef(self, node):
        if not self.scopes:
            self.bound.add(node.name)
        self._each([*node.bases, *node.decorator_list])
        self._within(set(), node.body)

    def visit_ListComp(self, node):
        targets = {
            name.id
            for generator in node.generators
            for name in ast.walk(generator.target)
            if isinstance(name, ast.Name)
        }
        self.visit(node.generators[0].iter)
        inner = [part for g in node.generators for part in (g.iter, *g.ifs)][1:]
        elements = [value for key, value in ast.iter_fields(node) if key != "generators"]
        self._within(targets, [*inner, *elements])

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def _changed(self, node=None):
        while isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        if isinstance(node, ast.Name):
            self.altered.add(node.id)
            if not self.scopes:
                self.bound.add(node.id)
                self.read.add(node.id)

    def _function(self, node, body, decorators=()):
        given = node.args
        parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        parameters += [one for one in (given.vararg, given.kwarg) if one]
        self._each([*decorators, *given.defaults, *filter(None, given.kw_defaults)])
        inside = [one for part in body for one in ast.walk(part)]
        local = {one.arg for one in parameters}
        local |= {one.id for one in inside if isinstance(getattr(one, "ctx", 0), ast.Store)
                  and isinstance(one, ast.Name)}  # fmt: skip
        local |= {one.name for one in inside if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
        self.functions += 1
        self._within(local, body)
        self.functions -= 1

    def _within(self, scope, parts):
        self.scopes.append(scope)
        self._each(parts)
        self.scopes.pop()

    def _each(self, parts):
        for part in parts:
            self.visit(part)


def _held(value):
    """The names of what a value is, or holds."""
    if isinstance(value, ast.Name):
        yield value.id
    elif _is_partial(value) or isinstance(value, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
        for part in ast.iter_child_nodes(value):
            yield from _held(part)


def _is_partial(value):
    called = getattr(value, "func", None)
    return getattr(called, "attr", getattr(called, "id", "")) == "partial" and bool(value.args)


class Chapter:
    """The statements of a notebook's cells, in order."""

    @staticmethod
    def of(cells) -> "Chapter":
        """The chapter of these cells, read once."""
        return _chapter(tuple((cell["cell_type"], cell["source"]) for cell in cells))

    def __init__(self, cells):
        self.statements = [
            (node, _text(cell["source"].splitlines(), node), number)
            for number, cell in enumerate(cells)
            if cell["cell_type"] == "code"
            for node in tree(cell["source"]).body
        ]
        self.names = []
        for node, *_ in self.statements:
            known = self.names[-1].fills if self.names else {}
            self.names.append(Names(known).statement(node))

    def program(self, label: str, cell: int) -> Program | None:
        """The program of the result with this label, which the cell of this number shows; None
        where no statement of the cell spells the label."""
        target = self._maker(label, cell)
        if target is None:
            return None
        needed = self.needed(target)
        imports, others = [], []
        for number in sorted(needed):
            node, text, _ = self.statements[number]
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                imports.append(_chosen(node, needed[number]))
            else:
                others.append(text)
        heavy = {name for line in imports for name in _modules(line) if not _light(name)}
        setup = "\n".join([*map(ast.unparse, imports), *others])
        texts = [without(text, *BOOKKEEPING) for text in (setup, self.statements[target][1])]
        return Program(*texts, tuple(sorted(heavy)))

    def needed(self, target: int) -> dict[int, set]:
        """The numbers of the statements that a statement needs, with the names that it needs each
        for."""
        needed = {}
        todo = [(name, target, target) for name in self._reads(target)]
        seen = set(todo)
        while (
            todo
        ):  # a name, where it is read, and where what it stands for is called at the latest
            name, end, call = todo.pop()
            for number in self._binders(name, end):
                needed.setdefault(number, set()).add(name)
                mine = self.names[number]
                more = {(read, number, number) for read in mine.read | mine.later}
                more |= {(read, number, call) for read in mine.passed & mine.read}
                more |= {(read, call, call) for read in mine.later}
                todo += more - seen
                seen |= more
        return needed

    def users(self) -> dict[int, set]:
        """For each cell the other cells with a statement that needs one of its statements; both are
        numbers from 1 on."""
        found = {}
        for target, (_, _, user) in enumerate(self.statements):
            for number in self.needed(target):
                if (made := self.statements[number][2]) != user:
                    found.setdefault(made + 1, set()).add(user + 1)
        return found

    def _maker(self, label, cell):
        """The number of the last statement, whose value a cell shows, that calls something with the
        label before all else, or else spells the label."""
        here = [(n, node) for n, (node, _, place) in enumerate(self.statements) if place == cell]
        for firsts in (True, False):
            for number, node in reversed(here):
                parts = [one for one in ast.walk(node) if isinstance(one, ast.Call) or not firsts]
                parts = [one.args[0] for one in parts if one.args] if firsts else parts
                if any(isinstance(one, ast.Constant) and one.value == label for one in parts):
                    return number
        return None

    def _reads(self, number):
        return self.names[number].read | self.names[number].later

    def _binders(self, name, end):
        """The numbers, before `end`, of the statement that binds the name last, and of those that
        have changed it since, or may have bound it."""
        for number in range(end - 1, -1, -1):
            found = self.names[number]
            if name in found.bound:
                yield number
                if name not in found.read | found.perhaps:
                    return


@lru_cache(maxsize=32)
def _chapter(cells):
    return Chapter([{"cell_type": kind, "source": source} for kind, source in cells])


def users(notebook: Path) -> dict[int, set]:
    """For each cell of a notebook, by its number, the cells that need what it makes."""
    return _users(Path(notebook), Path(notebook).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _users(path, mtime):
    return Chapter.of(stored(path).cells).users()


def in_a_page(notebook: Path) -> dict[str, Program]:
    """The programs of a notebook that a browser can decide, by label."""
    return {label: found for label, found in programs(notebook).items() if not found.heavy}


def programs(notebook: Path) -> dict[str, Program]:
    """The programs of the results of a notebook, by label."""
    return _programs(Path(notebook), Path(notebook).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _programs(path, mtime):
    cells = stored(path).cells
    chapter, found = Chapter.of(cells), {}
    for number, cell in enumerate(cells):
        for output in cell.get("outputs", ()):
            if MIME in output.get("data", ()):
                label = output.data[MIME]["label"]
                found[label] = chapter.program(label, number)
    return {label: program for label, program in found.items() if program}


def _text(lines, node):
    """The lines of a statement, a decorator's too; a statement that shares its line is spelled."""
    rest = lines[node.end_lineno - 1].encode()[node.end_col_offset :]
    if node.col_offset or b";" in rest.partition(b"#")[0]:
        return ast.unparse(node)
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return "\n".join(lines[first - 1 : node.end_lineno])


def _chosen(node, names):
    """An import of these names alone."""
    kept = [one for one in node.names if (one.asname or one.name).split(".")[0] in names]
    rest = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return type(node)(names=kept, **rest)


def _modules(node):
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    if node.module == "logpartition":
        return [f"logpartition.{one.name}" for one in node.names]
    return [node.module]


def _light(module):
    return any(module == name or module.startswith(f"{name}.") for name in LIGHT)
