"""A text of a result where Sphinx does not set it: on pages of its own, on cards and in search. The
parser is that of the chapters; links lose their addresses, and roles say what they are given.
"""

from collections.abc import Callable
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from . import katex
from .prose import parser, words

NARROW = 20  # characters that fit on a line of the narrowest phone, set by the browser


def text(markdown: str, role: Callable | None = None) -> str:
    """As characters in a row; `role` gives what a role of a name says of its content."""

    def inside(found: Token) -> str:
        if found.type == "math_inline":
            return katex.text(found.content)
        if found.type == "myst_role":
            return role(found.meta["name"], found.content) if role else found.content
        return " " if found.type.endswith("break") else found.content

    return " ".join("".join(words(markdown, inside)).split())


class Setting(RendererHTML):
    """Sets formulas and roles by the functions that it is given, and no HTML that is typed."""

    def math_inline(self, tokens, at, options, given) -> str:
        return given["formula"](tokens[at].content)

    math_block = math_inline

    def myst_role(self, tokens, at, options, given) -> str:
        return given["role"](tokens[at].meta["name"], tokens[at].content)

    def link_open(self, tokens, at, options, given) -> str:
        return ""

    link_close = link_open
    html_inline = html_block = RendererHTML.text


def html(markdown: str, formula: Callable | None = None, role: Callable | None = None) -> str:
    """As HTML in a line: formulas in MathML or as `formula` sets them, roles as `role` does."""
    return _html(parser().parseInline(markdown, {}), formula, role)


def paragraphs(markdown: str, formula: Callable | None = None, role: Callable | None = None) -> str:
    """As HTML in paragraphs and lists."""
    return _html(parser().parse(markdown, {}), formula, role)


def _html(tokens: list[Token], formula: Callable | None, role: Callable | None) -> str:
    given = {"formula": formula or mathml, "role": role or (lambda name, said: escape(said))}
    return Setting().render(tokens, parser().options, given).strip()


def mathml(tex: str) -> str:
    """A formula in a line as MathML, which breaks no lines: a wide one is marked."""
    found = katex.mathml(tex, inline=True)
    return f'<span class="lp-wide">{found}</span>' if katex.width(tex) > NARROW else found
