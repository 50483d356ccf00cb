"""The library, function by function: signatures and docstrings, read from the sources, with links
to the results that derive what a function computes."""

import ast
import re
from itertools import groupby
from pathlib import Path
from textwrap import dedent

from docutils import nodes

from .docstrings import LIB, Definition, definitions, modules, public, split, tree
from .index import deferred
from .markup import E, element
from .pages import PageOfRecords


def signature(node: Definition) -> str:
    """How a function or a class is called."""
    if isinstance(node, ast.FunctionDef):
        return f"{node.name}({said(node.args)})"
    makers = [each for each in node.body if getattr(each, "name", "") == "__init__"]
    if makers:
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


def prose(text: str) -> list[nodes.Node]:
    """The paragraphs of a docstring; what is indented stays as it is, and names stand in code."""
    found = []
    for block in re.split(r"\n\s*\n|\n(?=Source: )", text.strip()):
        for indented, lines in groupby(block.split("\n"), lambda line: line.startswith("    ")):
            part = "\n".join(lines)
            found.append(E("pre", dedent(part)) if indented else E("p", *coded(part)))
    return found


def coded(text: str) -> list:
    parts = re.split(r"`([^`]+)`", text)
    return [E("code", part) if i % 2 else part for i, part in enumerate(parts) if part]


class Library(PageOfRecords):
    """Every public module with its functions."""

    def content_nodes(self) -> list[nodes.Node]:
        for path in LIB.rglob("*.py"):
            self.env.note_dependency(str(path))
        return [self.module(path) for path in modules()]

    def module(self, path: Path) -> nodes.section:
        name = f"logpartition.{path.parent.stem if path.stem == '__init__' else path.stem}"
        section = nodes.section(ids=[name.replace(".", "-")], names=[name])
        section += nodes.title(name, name)
        section += prose(ast.get_docstring(tree(path)) or "")
        section += [self.entry("h3", *found) for found in definitions(path)]
        return section

    def entry(self, heading: str, name: str, node: Definition) -> element:
        """A function, or a class with those of its methods that have a docstring."""
        text, named = split(node)
        labels = [label for label in named if label in self.index.results]
        methods = [
            self.entry("h4", f"{name}.{each.name}", each)
            for each in public(node.body)
            if isinstance(node, ast.ClassDef) and ast.get_docstring(each)
        ]
        link = E("a", "¶", href=f"#{name}", title="Link to this definition", class_="headerlink")
        return E(
            "section",
            E(heading, E("code", signature(node)), link),
            *prose(text),
            *([E("div", "Derived in", deferred(what="links", of=labels))] if labels else []),
            *methods,
            id=name,
            class_="lp-function",
        )


def setup(app) -> dict:
    app.add_directive("library", Library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
