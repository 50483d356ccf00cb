"""The library, function by function: signatures and docstrings, read from the sources, with links
to the results that derive what a function computes."""

import ast
import re
from itertools import groupby
from pathlib import Path
from textwrap import dedent

from docutils import nodes

from .docstrings import LIB, Definition, definitions, modules, public, signature, split, tree
from .index import deferred
from .markup import E, element
from .pages import PageOfRecords

FUNCTION = "lp-function"


def prose(text: str) -> list[nodes.Node]:
    """The paragraphs of a docstring; examples and what is indented stay as they are, and names
    stand in code."""
    found = []
    for block in re.split(r"\n\s*\n|\n(?=Source: )", text.strip()):
        if block.startswith(">>> "):
            found.append(E("pre", block, class_="lp-example"))
            continue
        for indented, lines in groupby(block.split("\n"), lambda line: line.startswith("    ")):
            part = "\n".join(lines)
            found.append(E("pre", dedent(part)) if indented else E("p", *coded(part)))
    return found


def coded(text: str) -> list:
    parts = re.split(r"`([^`]+)`", text)
    return [E("code", part) if i % 2 else part for i, part in enumerate(parts) if part]


def is_entry(node: element) -> bool:
    """Whether it is what the page says of a function, of a class or of a method."""
    return FUNCTION in node["given"].get("class", "").split()


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
            class_=FUNCTION,
        )


def setup(app) -> dict:
    app.add_directive("library", Library)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
