"""A text of a result where nothing resolves its Markdown: formulas between dollar signs, and words
that lose their emphasis and their links."""

import re
from collections.abc import Callable, Iterator
from html import escape

from . import katex

_REFERENCE = re.compile(r"\{eq\}`eq-([^`]*)`")  # to a result
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


def referred(markdown: str, number: Callable[[str], str]) -> str:
    """The text with the numbers of the results that it refers to."""
    return _REFERENCE.sub(lambda found: f"({number(found[1])})", markdown)


def html(markdown: str, formula: Callable | None = None, link: Callable | None = None) -> str:
    """As HTML: formulas in MathML, or as `formula` sets them; references as `link` makes them of a
    label, where it is given."""
    found = _REFERENCE.split(markdown) if link else [markdown]
    return "".join(
        link(part) if i % 2 else _html(part, formula or mathml) for i, part in enumerate(found)
    )


def _html(markdown: str, formula: Callable) -> str:
    return "".join(formula(part) if tex else escape(part) for part, tex in parts(markdown))


def mathml(tex: str) -> str:
    """A formula in a line as MathML, which breaks no lines: a wide one is marked."""
    found = katex.mathml(tex, inline=True)
    return f'<span class="lp-wide">{found}</span>' if katex.width(tex) > NARROW else found


def paragraphs(markdown: str, html: Callable[[str], str] = html) -> str:
    """As HTML, each paragraph in an element of its own."""
    found = (part for part in re.split(r"\n\s*\n", markdown) if part.strip())
    return "".join(f"<p>{html(part.strip())}</p>" for part in found)
