"""The library, function by function: signatures and docstrings, read from the sources, with links
to the results that derive what a function computes."""

import ast
import re
from itertools import groupby, pairwise
from pathlib import Path
from textwrap import dedent

from docutils import nodes

import logpartition

from .index import deferred
from .markup import E, element
from .pages import PageOfRecords

LIB = Path(logpartition.__file__).parent
DERIVED = re.compile(r"\s*Derived in:\s*([\w, \n-]+?)\.?$")
Definition = ast.FunctionDef | ast.ClassDef


def modules() -> list[Path]:
    """The public modules, and the verifier's package, which says what it makes public."""
    return [*sorted(LIB.glob("[!_]*.py")), LIB / "proof" / "__init__.py"]


def definitions(path: Path) -> list[tuple[str, Definition]]:
    """The public functions and classes of a module, by their dotted names; of a package those that
    it imports, from the modules where they stand."""
    if path.stem != "__init__":
        return [
            (f"logpartition.{path.stem}.{node.name}", node)
            for node in defined(path)
            if not node.name.startswith("_")
        ]
    return [
        (f"logpartition.{path.parent.stem}.{node.name}", node)
        for source in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(source, ast.ImportFrom)
        for node in defined(path.parent.joinpath(*source.module.split(".")).with_suffix(".py"))
        if node.name in {alias.name for alias in source.names}
    ]


def defined(path: Path) -> list[Definition]:
    """The functions and classes of a module; and as a class without methods each name with a text
    below it."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = [node for node in body if isinstance(node, Definition)]
    for node, below in pairwise(body):
        if isinstance(node, ast.Assign) and isinstance(below, ast.Expr):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found += [ast.ClassDef(name, [], [], [below], []) for name in names]
    return found


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
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    parts = re.sub(r"^self(, )?", "", ast.unparse(arguments)).split(", ")
    return ", ".join(part for part in parts if not part.startswith("_"))


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
        section += prose(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        section += [self.entry("h3", *found) for found in definitions(path)]
        return section

    def entry(self, heading: str, name: str, node: Definition) -> element:
        """A function, or a class with those of its methods that have a docstring."""
        text = ast.get_docstring(node) or ""
        derived = DERIVED.search(text)
        labels = [
            label
            for label in re.findall(r"[\w-]+", derived[1] if derived else "")
            if label in self.index.results
        ]
        methods = [
            self.entry("h4", f"{name}.{each.name}", each)
            for each in node.body
            if isinstance(node, ast.ClassDef)
            and isinstance(each, ast.FunctionDef)
            and not each.name.startswith("_")
            and ast.get_docstring(each)
        ]
        link = E("a", "¶", href=f"#{name}", title="Link to this definition", class_="headerlink")
        return E(
            "section",
            E(heading, E("code", signature(node)), link),
            *prose(DERIVED.sub("", text)),
            *([E("div", "Derived in", deferred(what="links", of=labels))] if labels else []),
            *methods,
            id=name,
            class_="lp-function",
        )


def setup(app) -> dict:
    app.add_directive("library", Library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
