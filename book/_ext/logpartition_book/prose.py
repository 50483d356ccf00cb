"""The text of a Markdown cell in pieces: words, inline and display maths, headings, pictures; code is left out.

The parser is the one that builds the site, so that a piece is here what it is on the page.
"""

import re
from functools import cache
from typing import NamedTuple

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

CODE = ("code", "code-block", "code-cell", "literalinclude", "raw", "eval-rst", "mermaid", "bibliography", "tableofcontents")


class Piece(NamedTuple):
    kind: str  # text, inline, display, heading or picture (whose text is its alt)
    text: str
    directives: tuple[str, ...]  # the directives around it, outermost first


@cache
def parser():
    extensions = {"dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline", "attrs_block"}
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)


def pieces(markdown, around=()):
    """The pieces of a text in MyST, in order."""
    heading = False
    for token in parser().parse(markdown):
        if token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield Piece("display", token.content, around)
        elif token.type in ("fence", "colon_fence"):
            yield from directive(token.info, token.content, around)
        elif token.type in ("html_block", "html_inline"):
            yield from pictures_of_html(token.content, around)
        elif token.type == "inline":
            yield from line(token, "heading" if heading else "text", around)


def directive(info, content, around):
    match = re.match(r"\{([\w:-]+)\}", info)
    if not match or match[1] in CODE:
        return
    name, options, body = match[1], *split_options(content)
    if name == "math":
        yield Piece("display", body, around)
        return
    if name in ("figure", "image"):
        yield Piece("picture", options.get("alt", ""), around)
    title = info[match.end() :]
    if name not in ("figure", "image"):
        yield from pieces(title, (*around, name))
    yield from pieces(body, (*around, name))


def split_options(content):
    """Options and body of a directive: `:key: value` lines, or a YAML block between two lines of dashes."""
    block = re.match(r"---\n(.*?)\n---\n?", content, re.DOTALL)
    head = block or re.match(r"(?::[\w-]+:.*(?:\n|$))*", content)
    return dict(re.findall(r"^:?([\w-]+):[ \t]*(.*)$", head[0], re.MULTILINE)), content[head.end() :]


def line(inline, kind, around):
    if kind == "heading":
        yield Piece("heading", inline.content, around)
        return
    # the parser takes these two for brackets and for dollars
    bare = re.sub(r"(`+).*?\1", "", inline.content, flags=re.DOTALL)
    for typed in re.findall(r"\\\[.*?\\\]|\$\$.*?\$\$", bare, re.DOTALL):
        yield Piece("display", typed, around)
    for token in inline.children:
        if token.type == "text" and token.content:
            yield Piece("text", token.content, around)
        elif token.type == "math_inline":
            yield Piece("inline", token.content, around)
        elif token.type == "image":
            yield Piece("picture", token.content, around)
        elif token.type == "html_inline":
            yield from pictures_of_html(token.content, around)


def pictures_of_html(html, around):
    for tag in re.findall(r"<img\b[^>]*>", html):
        alt = re.search(r"""\balt=(["'])(.*?)\1""", tag)
        yield Piece("picture", alt[2] if alt else "", around)
