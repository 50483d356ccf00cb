"""The public names of the library with their docstrings, read from its sources, and the results
that a docstring names as those that derive what it describes."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from . import trees
from .files import ROOT
from .records import Unreadable, hint, text

LIB = ROOT / "lib" / "logpartition"
Definition = ast.FunctionDef | ast.ClassDef
_DERIVED = re.compile(r"\s*\bDerived in:(.*?)(?=\n[ \t]*\n|\Z)", re.DOTALL)


def modules(lib: Path = LIB) -> list[Path]:
    """The public modules, and the verifier's package, which says what it makes public."""
    return [*sorted(lib.glob("[!_]*.py")), *lib.glob("proof/__init__.py")]


def trusted(proof: Path) -> list[Path]:
    """The files of the verifier's kernel, and of what they import of the library, and so on."""
    found = sorted((proof / "kernel").glob("**/*.py"))
    for path in found:
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                files = imported(node, path, proof.parents[1])
                found += [file for file in files if file not in found]
    return found


def imported(node: ast.Import | ast.ImportFrom, path: Path, lib: Path) -> list[Path]:
    """The files of the folder `lib` that a statement in the file at `path` imports."""
    if isinstance(node, ast.Import):
        places = [lib.joinpath(*name.name.split(".")) for name in node.names]
    else:
        base = path.parents[node.level - 1] if node.level else lib
        base = base.joinpath(*(node.module or "").split("."))
        places = [base / name.name for name in node.names]
        if not all(map(files_of, places)):  # then a name is what a module defines
            places.append(base)
    return [file for place in places for file in files_of(place)]


def files_of(place: Path) -> list[Path]:
    """The file of the module or of the package there."""
    return [file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()]


def tree(path: Path) -> ast.Module:
    source = text(path)
    try:
        said, _ = tokenize.detect_encoding(io.BytesIO(source.encode()).readline)
        if said != "utf-8":
            raise ValueError(f"it says that it is {said}, and has to be UTF-8")
        return trees.tree(source)
    except (SyntaxError, ValueError) as error:  # the second for a byte that is zero
        said, line = getattr(error, "msg", error), getattr(error, "lineno", 1)
        raise Unreadable(f"{path.name} is not Python: {said} (line {line}){hint(path)}") from None


def definitions(path: Path) -> list[tuple[str, Definition]]:
    """The public functions and classes of a module, by their dotted names; of a package those that
    it imports, from the modules where they stand."""
    if path.stem != "__init__":
        return [(f"logpartition.{path.stem}.{node.name}", node) for node in defined(path)]
    return [
        (f"logpartition.{path.parent.stem}.{node.name}", node)
        for source in tree(path).body
        if isinstance(source, ast.ImportFrom)
        for node in defined(path.parent.joinpath(*source.module.split(".")).with_suffix(".py"))
        if node.name in {alias.name for alias in source.names}
    ]


def defined(path: Path) -> list[Definition]:
    """The public functions and classes of a module; and as a class without methods each name with
    a text below it."""
    body = tree(path).body
    found = public(body)
    for node, below in pairwise(body):
        if isinstance(node, ast.Assign) and isinstance(below, ast.Expr):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found += public([ast.ClassDef(name, [], [], [below], []) for name in names])
    return found


def public(body: list[ast.stmt]) -> list[Definition]:
    """The functions and classes there whose names have no underscore before them."""
    return [node for node in body if isinstance(node, Definition) and not node.name.startswith("_")]


def members(name: str, node: Definition) -> Iterator[tuple[str, Definition]]:
    """A definition, and those in it if it is a class."""
    yield name, node
    if isinstance(node, ast.ClassDef):
        for each in public(node.body):
            yield from members(f"{name}.{each.name}", each)


def split(node: Definition) -> tuple[str, list[str]]:
    """A docstring without its `Derived in:`, and the labels that this names."""
    text = ast.get_docstring(node) or ""
    named = " ".join(_DERIVED.findall(text))
    return _DERIVED.sub("", text), re.findall(r"[^\s,.`]+", named)


def signature(node: Definition) -> str:
    """How a function or a class is called; a property is not."""
    decorated = [getattr(one, "id", "") for one in node.decorator_list]
    if isinstance(node, ast.FunctionDef) and "property" not in decorated:
        return f"{node.name}({said(node.args)})"
    makers = [each for each in node.body if getattr(each, "name", "") == "__init__"]
    if isinstance(node, ast.ClassDef) and makers:
        return f"{node.name}({said(makers[0].args)})"
    return node.name


def said(arguments: ast.arguments) -> str:
    """The arguments as they are written, without `self`, types and what is private."""
    places = [*arguments.posonlyargs, *arguments.args]
    given = [None] * (len(places) - len(arguments.defaults)) + arguments.defaults
    first = [pair for pair in zip(places, given, strict=True) if shown(pair[0])]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    named = [pair for pair in named if shown(pair[0])]
    bare = ast.arguments(
        posonlyargs=[ast.arg(one.arg) for one, _ in first if one in arguments.posonlyargs],
        args=[ast.arg(one.arg) for one, _ in first if one in arguments.args],
        defaults=[default for _, default in first if default],
        vararg=arguments.vararg and ast.arg(arguments.vararg.arg),
        kwonlyargs=[ast.arg(one.arg) for one, _ in named],
        kw_defaults=[default for _, default in named],
        kwarg=arguments.kwarg and ast.arg(arguments.kwarg.arg),
    )
    return ast.unparse(bare)


def shown(argument: ast.arg) -> bool:
    return argument.arg != "self" and not argument.arg.startswith("_")
