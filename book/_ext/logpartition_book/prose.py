"""What a text in MyST calls for: directives and roles, by allowlist, and no HTML. What they set is
read on the built page.

The parser is the one that builds the site. A name is compared as it is written: another case or a
blank makes another name.
"""

import re
from functools import cache

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

DIRECTIVES = set(
    "prf:definition prf:example prf:remark note tip hint seealso important warning admonition"
    " margin sidebar epigraph table list-table tab-set tab-item bibliography ledger errata"
    " dependency-graph trusted try".split()
)
ROLES = set("eq cite cite:t cite:p ref doc prf:ref".split())
EXTENSIONS = {"dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline", "attrs_block"}


@cache
def parser():
    return create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)


def maths(markdown):
    """(TeX, whether it is displayed) of each formula in the text."""
    for token in parser().parse(markdown):
        for found in (token, *(token.children or ())):
            if found.type.startswith("math_inline") or found.type in (
                "math_block",
                "math_block_label",
                "amsmath",
            ):
                yield found.content, found.type != "math_inline"


def words(markdown):
    """The text without its maths, code and roles, a blank for each."""
    for token in parser().parse(markdown):
        for found in token.children or ():
            yield found.content if found.type == "text" else "  "
        yield "\n"


def undressed(markdown):
    """What the words of a result may not have besides: a picture, or a dress of their own."""
    for token in parser().parse(markdown):
        for found in (token, *(token.children or ())):
            if found.type == "image":
                yield f"a picture in the words: {found.content}"
            elif dress := {"class", "id", "style"} & set(found.attrs):
                yield f"the words wear {', '.join(sorted(dress))}"


def strange(markdown):
    """What in the text is not on the lists, in words."""
    for token in parser().parse(markdown):
        yield from strange_token(token)


def strange_token(token):
    if token.type in ("fence", "colon_fence") and token.info.strip().startswith("{"):
        name = re.match(r"\{([^}]*)\}?", token.info.strip())[1]
        if name not in DIRECTIVES:
            yield (
                f"the directive {{{name}}} is not one of those a text may have:"
                f" {', '.join(sorted(DIRECTIVES))}"
            )
        yield from strange(re.sub(r"\A(?::[\w-]+:.*\n)*", "", token.content))
    elif token.type in ("html_block", "html_inline"):
        yield f"HTML in the text: {token.content.strip()[:60]}"
    elif token.type == "front_matter":
        yield "metadata between two lines of dashes, which a cell does not have"
    elif token.type == "myst_role" and token.meta["name"] not in ROLES:
        yield (
            f"the role {{{token.meta['name']}}} is not one of those a text may have:"
            f" {', '.join(sorted(ROLES))}"
        )
    for child in token.children or ():
        yield from strange_token(child)
