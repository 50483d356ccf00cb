"""Mends of what the book is built with, applied to each page as it is written.

The theme draws some ten icons with a font of 156 kB; here they are drawn in the page. It loads a
search of its own on every page, and stylesheets and scripts whether or not a page has what they
serve. It says thrice how wide a page is, and never what it is about. sphinx-proof gives the content
of every definition and exercise of a page the same id, docutils gives bibliographies roles that
ARIA has dropped.
"""

import re
import shutil
from html import escape
from pathlib import Path
from textwrap import shorten

from docutils import nodes
from sphinx.transforms import SphinxTransform

from . import katex, light
from .index import permanent

PICTURE = Path(__file__).parent / "picture.png"  # of the book, where its address is shown
ICONS = {
    "angle-left": '<path d="M10 3L5 8l5 5"/>',
    "angle-right": '<path d="M6 3l5 5-5 5"/>',
    "arrow-up": '<path d="M8 14V2M3 7l5-5 5 5"/>',
    "bars": '<path d="M2 4h12M2 8h12M2 12h12"/>',
    "circle-half-stroke": '<circle cx="8" cy="8" r="6.2"/>'
    '<path d="M8 2v12a6 6 0 0 0 0-12z" fill="currentColor"/>',
    "list": '<path d="M2 4h1M2 8h1M2 12h1M6 4h8M6 8h8M6 12h8"/>',
    "magnifying-glass": '<circle cx="7" cy="7" r="4.6"/><path d="M10.5 10.5L15 15"/>',
    "moon": '<path d="M13.5 9.7A6 6 0 1 1 6.6 2.4a5 5 0 0 0 6.9 7.3z"/>',
    "sun": '<circle cx="8" cy="8" r="3"/>'
    '<path d="M8 .8v1.7M8 13.5v1.7M.8 8h1.7M13.5 8h1.7M2.9 2.9l1.2 1.2'
    'M11.9 11.9l1.2 1.2M2.9 13.1l1.2-1.2M11.9 4.1l1.2-1.2"/>',
}
_ICON = re.compile(r'<(i|span) class="([^"]*\bfa-solid\b[^"]*)"([^>]*)></\1>')

# Stylesheets and scripts, and what a page has where it needs them; the book has its own search.
ASSETS = {
    r"searchtools|language_data|searchindex|sphinx_highlight|doctools|fontawesome": None,
    r"sphinx-design|design-tabs": r'class="[^"]*\bsd-',
    r"togglebutton": r'class="[^"]*\b(?:toggle|dropdown)\b',
    r"mystnb": r'class="[^"]*\bcell\b',
    r"copybutton|clipboard|pygments": r'class="highlight',
    r"proof\.css": r'class="proof',
    r"katex\.min": r'class="katex',
}
_TAG = (
    r'[ ]*<(?:script[^>]*\bsrc="[^"]*/?(?:{0})[^"]*"[^>]*></script>'
    r'|link[^>]*\bhref="[^"]*/(?:{0})[^"]*"[^>]*>)\n?'
)
_VIEWPORT = re.compile(r'[ ]*<meta name="viewport"[^>]*>\n?')
STATIC = Path(__file__).parent / "static"
ON_A_PHONE = 40  # signs a line, in a size that is easily read
# The theme's menu needs a script; without one it stands below the page, and a link leads there. Nor
# do pictures move: what would move them is not there, but for what it says of the picture.
WITHOUT_SCRIPTS = """<style>
      .sidebar-toggle, .lp-figure .controls :is(input, button) { display: none !important; }
      .lp-figure .controls select { border: 0; background: none; appearance: none;
        pointer-events: none; interactivity: inert; }
      @media (max-width: 959.98px) {
        body .bd-container__inner { flex-wrap: wrap; }
        body .bd-main { flex-basis: 100%; }
        body .bd-sidebar-primary { order: 1; position: static; visibility: visible; width: 100%;
          max-width: none; height: auto; max-height: none; margin: 0; }
      }
    </style>
  """
MENU = '<noscript><a class="lp-menu" href="#pst-primary-sidebar">Menu</a></noscript>'
_MENU = re.compile(r'<button class="sidebar-toggle primary-toggle')
_CONTENTS = re.compile(r'<button class="sidebar-toggle secondary-toggle.*?</button>', re.S)
_COLUMNS = re.compile(r"\S {2,}\S")
_TOOLTIP = re.compile(
    r"(<button[^>]*\btheme-switch-button\b[^>]*?)( data-bs-[^>]*)>(.*?)</button>", re.S
)
_ICON_FONT = re.compile(
    r"@font-face\{[^{}]*Font Awesome[^{}]*\}|(?:\.fa[\w-]*(?:::?before)?,?)+\{[^{}]*\}"
)


class NumberRepeatedIds(SphinxTransform):
    """Makes the ids of the contents of sphinx-proof's boxes differ."""

    default_priority = 900

    def apply(self, **kwargs) -> None:
        contents = [
            section
            for section in self.document.findall(nodes.section)
            if section["ids"] == ["proof-content"]
        ]
        for place, section in enumerate(contents, 1):
            section["ids"] = [f"proof-content-{place}"]


class TellSentencesFromTables(SphinxTransform):
    """Output without columns may be broken anywhere; where there are columns, it must not be, and a
    table of many is set smaller on a phone."""

    default_priority = 900

    def apply(self, **kwargs) -> None:
        for output in self.document.findall(nodes.container):
            if output.get("nb_element") != "cell_code_output":
                continue
            for block in output.findall(nodes.literal_block):
                text = block.astext()
                if not _COLUMNS.search(text):
                    block["classes"].append("sentences")
                elif max(map(len, text.splitlines())) > ON_A_PHONE:
                    block["classes"].append("many-columns")


def mend(html: str) -> str:
    """A page as the templates wrote it, without what it does not need."""
    html = _ICON.sub(_drawn, html)
    for asset, sign in ASSETS.items():
        if sign is None or not re.search(sign, html):
            html = re.sub(_TAG.format(asset), "", html)
    html = html.replace('data-theme="auto"', 'data-theme="light"', 1)  # until a script knows better
    html = html.replace('role="doc-biblioentry"', 'role="listitem"')
    html = html.replace(
        '<div id="pst-primary-sidebar" ',
        '<div id="pst-primary-sidebar" role="complementary" aria-label="The book" ',
    )
    html = re.sub(r'(<button class="btn search-button-field[^>]*) aria-label="Search"', r"\1", html)
    html = _TOOLTIP.sub(_quiet, html)
    html = re.sub(r"<title>(.+?) &#8212; \1</title>", r"<title>\1</title>", html)
    html = html.replace("</noscript>", f"{WITHOUT_SCRIPTS}</noscript>", 1)
    html = _MENU.sub(rf"{MENU}\g<0>", html, count=1)
    if 'id="pst-secondary-sidebar"' not in html:
        html = _CONTENTS.sub("", html)  # of a page that has no contents
    first, *others = _VIEWPORT.split(html)
    html = first + _VIEWPORT.search(html)[0] + "".join(others) if others else html
    return light.lightened(html)


def _quiet(found: re.Match) -> str:
    """The button for the colours without its tooltip: book.js names the state that it is in."""
    button, _, icons = found.groups()
    unnamed = re.sub(r' title="[^"]*"', "", icons)
    return f"{button}>{unnamed}</button>"


def _drawn(found: re.Match) -> str:
    """The icon as SVG, inside the element that the theme's stylesheet and scripts know."""
    tag, classes, attributes = found.groups()
    name = next(
        part[3:]
        for part in classes.split()
        if part.startswith("fa-") and part not in ("fa-solid", "fa-lg")
    )
    if name not in ICONS:
        raise KeyError(f"the theme shows an icon {name!r} that theme.ICONS does not have")
    others = " ".join(part for part in classes.split() if not part.startswith("fa-"))
    drawing = f'<svg viewBox="0 0 16 16" aria-hidden="true">{ICONS[name]}</svg>'
    return f'<{tag} class="{f"lp-icon {others}".strip()}"{attributes}>{drawing}</{tag}>'


def watch_pages(app) -> None:
    """Have every page pass through `mend`."""
    if app.builder.format != "html":
        return
    render = app.builder.templates.render
    app.builder.templates.render = lambda template, context: mend(render(template, context))


def describe(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Tell machines what a page is about: its title and its first sentences."""
    title = re.sub(r"<[^>]+>", "", context.get("title", "")) or app.config.html_title
    paragraph = next(doctree.findall(nodes.paragraph), None) if doctree else None
    words = shorten(plain(paragraph), 200, placeholder=" …") if paragraph else title
    context["metatags"] = tags(app.config, title, words, f"{pagename}.html")


def tags(config, title: str, about: str, page: str, root: str = "") -> str:
    """What machines are told of a page, and what those see to whom its address is sent: a picture,
    which the page itself does not load. Where the settings say where the site stands, so do they.
    """
    picture = f"_static/{PICTURE.name}"
    found = {
        "description": about,
        "og:title": title,
        "og:description": about,
        "og:type": "article",
        "og:site_name": config.html_title,
        "og:image": root + picture,
        "twitter:card": "summary",
    }
    if config.html_baseurl:
        found |= {"og:url": permanent(config, page), "og:image": permanent(config, picture)}
    return "".join(
        f'\n    <meta {"property" if name.startswith("og:") else "name"}="{name}"'
        f' content="{escape(text)}" />'
        for name, text in found.items()
    )


def plain(node: nodes.Node) -> str:
    """The words of a paragraph, its formulas as they look."""
    parts = (
        katex.text(leaf.astext()) if isinstance(leaf.parent, nodes.math) else leaf.astext()
        for leaf in node.findall(nodes.Text)
    )
    return " ".join("".join(parts).split())


def lighten(app, error) -> None:
    """Take the icon font, its classes and its script out of the site."""
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    style = static / "styles" / "pydata-sphinx-theme.css"
    style.write_text(_ICON_FONT.sub("", style.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.rmtree(static / "vendor", ignore_errors=True)
    shutil.copy(PICTURE, static)
    for left in (*static.glob("*/fontawesome.js*"), *static.glob("*/*.map")):
        left.unlink(missing_ok=True)
    for ours in ("book.js", *(path.name for path in STATIC.glob("*.js"))):
        light.without_comments(static / ours)
    light.without_tabs(static / "scripts" / "pydata-sphinx-theme.js")
    light.one_sheet(Path(app.outdir))


def setup(app) -> dict:
    app.add_transform(NumberRepeatedIds)
    app.add_transform(TellSentencesFromTables)
    app.connect("builder-inited", watch_pages)
    app.connect("html-page-context", describe)
    app.connect("build-finished", lighten, priority=900)  # after the theme's own changes
    return {"parallel_read_safe": True, "parallel_write_safe": True}
