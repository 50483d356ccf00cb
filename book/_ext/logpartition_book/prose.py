"""What a text in MyST calls for: directives with their options, and roles, by allowlist; no HTML,
and no dress of its own. What they set is read on the built page.

The parser is the one that builds the site. A name is compared as it is written: another case or a
blank makes another name.
"""

import re
from functools import cache, lru_cache

from markdown_it.renderer import RendererHTML
from markdown_it.rules_block.table import escapedSplit
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from .mistyped import mistyped
from .numbers import measures

FORMULAS = set("math_inline math_inline_double math_block math_block_label amsmath".split())
WORDS = set(  # what the words of a result are made of
    "paragraph_open paragraph_close bullet_list_open bullet_list_close ordered_list_open"
    " ordered_list_close list_item_open list_item_close inline math_block".split()
)
HOLDS = set("start style href src alt".split())  # attributes that say nothing and hide nothing
DIRECTIVES = set(
    "prf:definition prf:example prf:remark note tip hint seealso important warning admonition"
    " margin sidebar epigraph table list-table tab-set tab-item bibliography ledger errata"
    " dependency-graph trusted library try live".split()
)
HINT = ("<details><summary>Hint</summary>", "</details>")  # all the HTML that a text may have
OPTIONS = {"label", "header-rows", "all"}
ROLES = set("eq cite cite:t cite:p ref doc prf:ref".split())
EXTENSIONS = {"dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline", "attrs_block"}


@cache
def parser():
    return create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)


def parsed(markdown):
    """The tokens of a text, for those who only look."""
    return read(markdown)[0]


@lru_cache(maxsize=8192)
def read(markdown):
    """The tokens of a text, and what it defines beside them: footnotes, and targets of links."""
    beside = {}
    return tuple(parser().parse(markdown, beside)), beside


def maths(markdown):
    """(TeX, whether it is displayed) of each formula in the text."""
    for token in parsed(markdown):
        for found in (token, *(token.children or ())):
            if found.type in FORMULAS:
                yield found.content, found.type != "math_inline"


def words(markdown, inside=lambda found: "  "):
    """The text, with what is `inside` of its maths, code and roles: else a blank for each."""
    for token in parsed(markdown):
        for found in token.children or ():
            yield found.content if found.type in ("text", "text_special") else inside(found)
        yield "\n"


def seen(found):
    """A formula in a line, or code, as it stands on the page."""
    if found.type == "math_inline":
        return measures(found.content)
    return found.content if found.type == "code_inline" else "  "


def undressed(markdown):
    """What the words of a result may not have besides: a picture, a dress of their own, more than
    paragraphs and lists, or a formula in two lines, which an escape such as that of `\\neq` makes.
    """
    for token in parsed(markdown):
        if token.type not in WORDS:
            yield f"more than paragraphs and lists in the words: {token.content or token.type}"
        for found in (token, *(token.children or ())):
            if found.type in FORMULAS and "\n" in found.content.strip():
                yield f"a formula in two lines in the words: {found.content!r}"
            if found.type == "image":
                yield f"a picture in the words: {found.content}"
            elif dress := {"class", "id", "style"} & set(found.attrs):
                yield f"the words wear {', '.join(sorted(dress))}"


def strange(markdown):
    """What in the text is not on the lists, or is not set as it is typed, in words."""
    for token in parsed(markdown):
        yield from strange_token(token)
    yield from unseen(markdown)
    yield from cut(markdown)
    yield from broken(markdown)


def unseen(markdown):
    """What stands in the text and no page shows: a comment, a break between blocks, the name of a
    place that is a sentence, a footnote or the target of a link that nothing uses.
    """
    tokens, beside = read(markdown)
    for token in tokens:
        if token.type in UNSEEN or token.type == "myst_target" and " " in token.content:
            yield f"a line that no page shows: {(token.content or token.markup).strip()[:60]}"
    notes = [name[1:] for name, at in beside.get("footnotes", {}).get("refs", {}).items() if at < 0]
    links = {child.attrs.get("href") for token in tokens for child in token.children or ()}
    targets = beside.get("references", {}).items()
    unused = [name for name, target in targets if target["href"] not in links]
    again = [found["label"] for found in beside.get("duplicate_refs", ())]
    for name in (*notes, *unused, *again):
        yield f"a note or a link, [{name}], that no page shows: nothing refers to it"


def cut(markdown):
    """What of a text no page shows: the cells that a row of a table has more than its head, as by a
    stroke in a formula or in code, what is said of a result in a link to it, of which the page
    shows the number, and a comment among attributes.
    """
    lines, cells = markdown.splitlines(), 0
    for token in parsed(markdown):
        cells = 0 if token.type == "table_open" else cells + (token.type == "th_open")
        if token.type == "tr_open" and cells:
            row = lines[token.map[0]].strip(" \t>")
            if len(escapedSplit(row.removeprefix("|").removesuffix("|"))) > cells:
                yield f"a row of more cells than its head: {row[:60]}"
        children = token.children or ()
        for link, inside in zip(children, children[1:], strict=False):
            to_result = link.type == "link_open" and "#eq-" in link.attrs["href"]
            if to_result and inside.type != "link_close":
                yield f"a link to a result, with words that no page shows: {inside.content[:60]}"
    for found in re.finditer(r"\{(?:\s|[.#][\w-]+|\w+=\S+)*%", markdown):
        yield f"a comment among attributes: {found[0]}"


UNSEEN = {"myst_line_comment", "myst_block_break"}


def broken(markdown):
    """What a sign makes of a text that was meant to go on: a list, a quotation or a heading in the
    middle of a sentence, and italics from one product to the next.
    """
    tokens, lines = parsed(markdown), markdown.splitlines()
    for start, _, end, token in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        directly = end.type == "paragraph_close" and not end.level
        if directly and token.type in BREAKS and token.map[0] == start.map[1]:
            if not lines[token.map[0] - 1].rstrip().endswith(tuple(":.;!?")):
                line = lines[token.map[0]].strip()[:60]
                yield f"a sentence that a {token.tag} interrupts: {line}. Set a blank line before"
    for token in tokens:
        children = token.children or ()
        for before, found in zip(children, children[1:], strict=False):
            if found.type in ("em_open", "strong_open") and (
                re.search(r"[\w)\]]$", before.content) or before.type == "math_inline"
            ):
                yield f"a {found.markup} in a word, which begins italics: {before.content[-20:]}"


BREAKS = {"bullet_list_open", "ordered_list_open", "blockquote_open", "heading_open"}


def directive(token):
    """The name of the directive that a token is; nothing, if it is none."""
    if token.type in ("fence", "colon_fence") and token.info.strip().startswith("{"):
        return re.match(r"\{([^}]*)\}?", token.info.strip())[1]


def directives(markdown):
    """The names of the directives in a text, and in their own texts."""
    for token in parsed(markdown):
        if (name := directive(token)) is not None:
            yield name
            yield from directives(token.content)


def strange_token(token):
    if (name := directive(token)) is not None:
        if name not in DIRECTIVES:
            yield (
                f"the directive {{{name}}} is not one of those a text may have:"
                f" {', '.join(sorted(DIRECTIVES))}"
            )
        yield from options(token.content)
        if name.startswith("prf:") and not re.sub(r"(?m)^:.*", "", token.content).strip():
            yield f"the directive {{{name}}} is empty"
    elif token.type in FORMULAS:
        yield from mistyped(token.content)
    elif token.type in ("html_block", "html_inline") and token.content.strip() not in HINT:
        yield f"HTML in the text: {token.content.strip()[:60]}"
    elif token.type == "text" and (note := re.search(r"\b(TODO|FIXME|XXX|TBD)\b", token.content)):
        yield f"a note of the author's: {note[0]}"
    elif token.type == "front_matter":
        yield "metadata between two lines of dashes, which a cell does not have"
    elif token.type == "myst_role" and token.meta["name"] not in ROLES:
        yield (
            f"the role {{{token.meta['name']}}} is not one of those a text may have:"
            f" {', '.join(sorted(ROLES))}"
        )
    elif token.type == "myst_role" and not is_target(token):
        role, takes = token.meta["name"], "a label alone"
        takes = "keys and commas" if role.startswith("cite") else takes
        yield f"the role {{{role}}} of {token.content!r}: it takes {takes}"
    elif dress := [] if token.type.startswith("myst_") else sorted(filter(None, dressed(token))):
        yield f"a text with a dress of its own ({dress[0]})"
    for child in token.children or ():
        yield from strange_token(child)


def is_target(token):
    """Whether a role has what it takes: keys of sources, or the label of a result or a definition.
    The name of a page may have words with it."""
    role, keys = token.meta["name"], r"[^\s,{}]+(?:, *[^\s,{}]+)*"
    if role in ("eq", "prf:ref"):
        return re.fullmatch(r"[\w-]+", token.content)
    return not role.startswith("cite") or re.fullmatch(keys, token.content)


def options(content):
    """What is strange in a directive, whose lines of options come first, and then a text."""
    lines = content.split("\n")
    while lines and lines[0].lstrip().startswith(":") and not lines[0].startswith(":::"):
        name = lines.pop(0).lstrip()[1:].split(":")[0]
        if name not in OPTIONS:
            yield f"the option {name!r}: only {', '.join(sorted(OPTIONS))} are allowed"
    yield from strange("\n".join(lines))


def dressed(token):
    """Attributes by which a text hides or looks like what it is not; a class of the book's own is
    judged on the page.
    """
    for name, value in token.attrs.items():
        if name != "class" and name not in HOLDS:
            yield f"{name} {value}"
        elif name == "class":
            yield from (f"class {one}" for one in value.split() if not one.startswith("lp-"))
        elif name == "style" and not re.fullmatch(r"text-align: *\w+", value):
            yield f"style {value}"
