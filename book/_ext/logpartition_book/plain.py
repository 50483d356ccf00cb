"""A text of a result where nothing resolves its Markdown: formulas between dollar signs, and words
that lose their emphasis and their links."""

import re
from collections.abc import Iterator
from html import escape

from . import katex

_DRESS = re.compile(r"\{[\w:]+\}`([^`]*)`|[*`]")  # a role, of which the target stays, or a mark

NARROW = 20  # characters that fit on a line of the narrowest phone, set by the browser


def parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces: words as they are read, and TeX, of which it says so."""
    for i, part in enumerate(markdown.split("$")):
        yield (part, True) if i % 2 else (_DRESS.sub(r"\1", part), False)


def text(markdown: str) -> str:
    """As characters in a row."""
    found = (katex.text(part) if tex else part for part, tex in parts(markdown))
    return " ".join("".join(found).split())


def html(markdown: str) -> str:
    """As HTML, with formulas in MathML."""
    return "".join(formula(part) if tex else escape(part) for part, tex in parts(markdown))


def formula(tex: str) -> str:
    """A formula in a line as MathML, which breaks no lines: a wide one is marked."""
    found = katex.mathml(tex, inline=True)
    return f'<span class="lp-wide">{found}</span>' if katex.width(tex) > NARROW else found


def paragraphs(markdown: str) -> str:
    """As HTML, each paragraph in an element of its own."""
    found = (part for part in re.split(r"\n\s*\n", markdown) if part.strip())
    return "".join(f"<p>{html(part.strip())}</p>" for part in found)
