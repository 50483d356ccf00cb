"""What a reader waits for before a page can be read, made less.

A page of the theme asks for ten stylesheets, one of which asks for another, and most of what they
say is of things that no page has: here they are one, without those rules. Its scripts hold up what
stands below them, and one changes the colours of everything: here the colours are there from the
start, and scripts come after the page. A line of a drawing says where each of its points is, to a
tenth of a pixel: here it says how far each is from the last, and leaves out a point that is within
a tenth of a pixel of the line without it. Pictures come when they are near.
"""

import re
from hashlib import sha256
from itertools import accumulate
from math import hypot
from pathlib import Path

from logpartition._figure import STYLE

SHEET = "_static/style.css"
# in the order of a page; those of the last two serve what scripts make as well
SHEETS = (
    "basic", "pydata-sphinx-theme", "pygments", "sphinx-book-theme", "mystnb", "copybutton",
    "proof", "togglebutton", "sphinx-design", "katex", "book",
)  # fmt: skip
OURS = SHEETS[-2:]
FONTS = ("Main-Regular", "Math-Italic")  # of every formula, nearly
_SHEET = re.compile(r'[ ]*<link[^>]*\bhref="([^"]*?)_static/[^"]*\.css[^"]*"[^>]*>\n?')
_VERSION = re.compile(rf'"([^"]*{re.escape(SHEET)})[^"]*"')
_SCRIPT = re.compile(r'[ ]*<script( [^>]*)?( src="[^>]*></script>)\n?')
_THEME = 'localStorage.getItem("theme") || "auto"'
NOW = (  # as the theme's script will have it, which comes last
    "{ light: 'light', dark: 'dark' }[document.documentElement.dataset.mode]"
    " ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')"
)
# a reader who comes to a place of the page, or back to one, has all of it laid out; see book.css
FAR = (
    '<script>if (!location.hash && performance.getEntriesByType("navigation")[0]?.type'
    ' === "navigate") document.documentElement.classList.add("lp-far");</script>'
)
_PRELOAD = re.compile(r'[ ]*<link rel="preload" as="script"[^>]*>\n?')
_BOOTSTRAP = re.compile(
    r'[ ]*<script[^>]*/bootstrap\.js[^>]*></script>\n?|\sdata-bs-[a-z]+="[^"]*"'
)
_OPTIONS = re.compile(r'<script src="[^"]*documentation_options\.js[^"]*"></script>')
# puts a tab stop on what scrolls, one element after the other, each after a layout; book.js does it
_TABS = re.compile(
    r',"complete"===document\.readyState\?(\w+)\(\):window\.addEventListener\("load",\1\)'
)
_COMMENT = re.compile(r"^[ ]*//.*\n", re.MULTILINE)
_PATH = re.compile(r'(?<= d=")(?:[ML]-?\d+\.\d -?\d+\.\d)+(?=")')
_PIECE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[{};]', re.DOTALL)
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NAME = re.compile(r"[.#]((?:\\.|[\w-])+)")


def lightened(html: str) -> str:
    """A page with one stylesheet, the fonts of its formulas asked for at once, scripts that wait,
    and shorter drawings."""
    html = _PRELOAD.sub("", html)
    if not re.search(r'data-bs-toggle="(?!tooltip")', html):  # the browser has tooltips of its own
        html = _BOOTSTRAP.sub("", html)
    html = _OPTIONS.sub('<script>const DOCUMENTATION_OPTIONS = { BUILDER: "html" };</script>', html)
    scripts = "".join(f"  <script defer{script[2]}\n" for script in _SCRIPT.finditer(html))
    html = _SCRIPT.sub("", html).replace("</body>", f"{scripts}</body>").replace(_THEME, NOW)
    html = html.replace("<img alt=", '<img loading="lazy" alt=')
    if found := _SHEET.search(html):
        up = found[1]
        fonts = FONTS if 'class="katex' in html else ()
        links = [FAR, f'<link rel="stylesheet" href="{up}{SHEET}" />'] + [
            f'<link rel="preload" as="font" type="font/woff2" crossorigin'
            f' href="{up}_static/katex/fonts/KaTeX_{font}.woff2" />'
            for font in fonts
        ]
        before, after = html[: found.start()], _SHEET.sub("", html[found.end() :])
        html = before + "".join(f"    {link}\n" for link in links) + after
    return _PATH.sub(lambda path: shorter(path[0]), html)


def shorter(path: str) -> str:
    """Polygonal lines, each from one point to the next; a number is in tenths until it is
    written."""
    lines = [
        [tuple(round(10 * float(number)) for number in point.split()) for point in line.split("L")]
        for line in path.split("M")[1:]
    ]
    parts, at = [], (0, 0)
    for line in lines:
        for n, (x, y) in enumerate(kept(line)):
            right, down = written(x - at[0]), written(y - at[1])
            before = "m" if n == 0 else "" if right.startswith("-") else " "
            parts += [before, right, "" if down.startswith("-") else " ", down]
            at = x, y
    return "".join(parts)


def written(tenths: int) -> str:
    """-0.5 as -.5, and 3.0 as 3."""
    text = f"{abs(tenths) / 10:.1f}".removesuffix(".0")
    return "-" * (tenths < 0) + (text.removeprefix("0") or "0")


def kept(points: list, near: float = 1) -> list:
    """The points without those that are no farther than `near` from the line through the others:
    that farthest from the chord stays, if it is farther, and so on, on either side of it."""
    stay, open_ = {0, len(points) - 1}, [(0, len(points) - 1)]
    while open_:
        a, b = open_.pop()
        far, at = max(
            ((apart(points[n], points[a], points[b]), n) for n in range(a + 1, b)),
            default=(0, 0),
        )
        if far > near:
            stay.add(at)
            open_ += [(a, at), (at, b)]
    return [points[n] for n in sorted(stay)]


def apart(point, a, b) -> float:
    """From a point to the nearest of the segment from a to b."""
    (x, y), (u, v) = (point[0] - a[0], point[1] - a[1]), (b[0] - a[0], b[1] - a[1])
    t = max(0, min(1, (x * u + y * v) / (u * u + v * v))) if (u, v) != (0, 0) else 0
    return hypot(x - t * u, y - t * v)


def rules(css: str):
    """(what stands before the braces, what stands in them) of each rule; of a statement without
    braces the latter is None."""
    start, depth, head = 0, 0, ""
    for piece in _PIECE.finditer(css):
        sign = piece[0]
        if sign == "{":
            if depth == 0:
                head, start = css[start : piece.start()], piece.end()
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield head.strip(), css[start : piece.start()]
                start = piece.end()
        elif sign == ";" and depth == 0:
            yield css[start : piece.start()].strip(), None
            start = piece.end()


def pruned(css: str, names: set) -> str:
    """A stylesheet without the selectors of classes and ids that are not among `names`."""
    out = []
    for head, body in rules(css):
        if body is None:
            out.append(f"{head};")
        elif head.startswith(("@media", "@supports", "@container", "@layer")):
            inner = pruned(body, names)
            out += [f"{head}{{{inner}}}"] if inner else []
        elif head.startswith("@"):
            out.append(f"{head}{{{body}}}")
        elif left := [one for one in selectors(head) if set(asked(one)) <= names]:
            out.append(f"{','.join(left)}{{{body}}}")
    return "".join(out)


def selectors(head: str) -> list[str]:
    """Those of a list, at the commas that are in no brackets."""
    depths = accumulate((char in "([") - (char in ")]") for char in head)
    cut = "".join("\0" if char == "," and not d else char for char, d in zip(head, depths))
    return [one.strip() for one in cut.split("\0")]


def asked(selector: str) -> list[str]:
    """The classes and ids that an element must have, or one above it or before it; what stands in
    brackets may be a choice, and is not counted."""
    while (bare := _IN_BRACKETS.sub("", selector)) != selector:
        selector = bare
    return [re.sub(r"\\(.)", r"\1", name) for name in _NAME.findall(selector)]


def named(site: Path) -> set:
    """Every class and id of a page, and every word of a script that a page asks for."""
    found, scripts = set(), set()
    for page in site.glob("*.html"):
        html = page.read_text(encoding="utf-8")
        for names in re.findall(r'\b(?:class|id)="([^"]*)"', html):
            found.update(names.split())
        scripts.update(re.findall(r'<script[^>]*\ssrc="[^"]*?(_static/[^"?]*)', html))
    for script in scripts - {"_static/search-index.js"}:
        found.update(re.findall(r"[\w-]+", (site / script).read_text(encoding="utf-8")))
    return found


def one_sheet(site: Path) -> None:
    """Make the stylesheet of the site of those that it was built with, and have pages ask for it by
    what it holds."""
    static, names = site / "_static", named(site)
    found = {
        path.name.split(".")[0]: path for path in static.rglob("*.css") if path.stem != "style"
    }
    found.pop("theme", None)  # no more than an import of basic
    if unknown := set(found) - set(SHEETS):
        raise KeyError(f"light.SHEETS does not name the stylesheets {sorted(unknown)}")
    parts = []
    for name in filter(found.get, SHEETS):
        css = re.sub(r"/\*.*?\*/", "", found[name].read_text(encoding="utf-8"), flags=re.DOTALL)
        css = css.replace("url(fonts/", "url(katex/fonts/").replace('@charset "UTF-8";', "")
        parts.append(css if name in OURS else pruned(css, names))
    content = "\n".join([*parts, STYLE])
    (site / SHEET).write_text(content, encoding="utf-8")
    digest = sha256(content.encode()).hexdigest()[:8]
    for page in site.glob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(_VERSION.sub(rf'"\1?v={digest}"', html), encoding="utf-8")


def without_comments(script: Path) -> None:
    """A script of ours without its lines of comment, about a tenth of what is sent of all."""
    text = script.read_text(encoding="utf-8")
    script.write_text(_COMMENT.sub("", text), encoding="utf-8")


def without_tabs(script: Path) -> None:
    """The theme's script without what holds a page up most."""
    text, count = _TABS.subn("", script.read_text(encoding="utf-8"))
    if count != 1:
        raise KeyError(f"{script.name} sets its tab stops otherwise than light._TABS has it")
    script.write_text(text, encoding="utf-8")
