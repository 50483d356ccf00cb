"""What a cell may draw. A drawing shows shapes and words; its script is that of the library's
figures, and its attributes place, name and colour.
"""

import re
from base64 import b64decode
from html.parser import HTMLParser
from io import BytesIO

from bs4 import BeautifulSoup
from bs4.element import PreformattedString
from PIL import Image

from logpartition._figure import SCRIPT

from .index import BADGE
from .inline_maths import states_equation
from .signs import TEX, is_sign, shorten

DRAWING = set(
    "figure figcaption svg g path circle ellipse rect line polyline polygon text tspan title"
    " desc defs clippath use marker lineargradient stop div span label input select option button"
    " output script".split()
)
ATTRIBUTES = set(
    "id class role type min max step value display selected x y cx cy r rx ry x1 y1 x2 y2 dx dy d"
    " points width height viewbox transform fill stroke stroke-width opacity text-anchor offset"
    " clip-path href xlink:href xmlns xmlns:xlink version aria-label aria-labelledby aria-hidden"
    " aria-valuetext aria-pressed data-at data-names"
    " data-lm-suppress-shortcuts".split()
)
CLASSES = set(  # of logpartition.figures
    "lp-figure controls frame axis label dot outside line curve contour hull shade band"
    " arrow".split()
)
WORDS = ("value", "aria-label", "aria-valuetext", "data-names")
ALONE = {"input"}  # has no end
OURS = re.compile(re.escape(SCRIPT).replace("%s", r"[\w-]+"))
PLOT = re.compile(r"\*\{stroke-linejoin: round; stroke-linecap: butt\}")  # by matplotlib
INK = re.compile(r" *(?!content)[a-z-]+: *(?:url\(#\w+\)|[\w ,.#%+-]*)| *")
BETWEEN = re.compile(r"[^\W\d_]{2,}|\|")  # words, and the bar between the names of a control


def drawing(html):
    """What in the HTML of a cell is no drawing."""
    tree = BeautifulSoup(html, "html.parser")
    if tree.svg is None:
        yield "puts out HTML without a drawing"
    if not balanced(html):
        yield "puts out HTML whose tags do not match"
    for tag in tree.find_all(True):
        yield from strange(tag)
    for text in tree.find_all(string=True):
        if text.parent.name != "script":
            yield from says(text)
    for text in tree.find_all("text"):
        yield from says(text.get_text()) if text.find(True) else ()


def strange(tag):
    """What is wrong with one tag and its attributes."""
    if tag.name not in DRAWING:
        yield f"puts out HTML that is no drawing (<{tag.name}>)"
    elif tag.name == "script" and not OURS.fullmatch(tag.get_text()):
        yield "puts out a script that is not the one of logpartition.figures"
    elif wrong := [name for name in tag.attrs if name not in ATTRIBUTES or leads_out(tag, name)]:
        yield f"puts out a drawing with {wrong[0]} in it"
    elif "display" in tag.attrs and tag.name != "g":
        yield f"puts out a drawing that hides its <{tag.name}>"
    elif not CLASSES.issuperset(tag.get("class", ())):
        yield f"puts out a drawing in the dress of a result (class {' '.join(tag['class'])})"
    for name in WORDS:
        if wordy(tag.get(name, "")):
            yield f"a drawing with an equation in it: {shorten(tag[name])}"
        if BADGE.search(tag.get(name, "")):
            yield f"a drawing that speaks as a result does: {shorten(tag[name])}"


def leads_out(tag, name):
    """To another file, or to where a result is."""
    return (
        tag[name].startswith(("eq-", "equation-"))
        if name == "id"
        else (name.endswith("href") and not tag[name].startswith("#"))
    )


def wordy(text):
    """Whether an equation stands among the words of a text."""
    return TEX.search(text) or any(
        states_equation(part, None) for part in BETWEEN.split(text) if any(map(is_sign, part))
    )


def says(text):
    if TEX.search(text) or states_equation(text, None):
        yield f"a drawing with an equation in it: {shorten(text)}"
    if BADGE.search(text):
        yield f"a drawing that speaks as a result does: {shorten(text)}"


def plot(svg):
    """What in the file of a picture is no plot."""
    tree = BeautifulSoup(svg.split("?>", 1)[-1], "html.parser")
    for about in tree.find_all("metadata"):
        about.decompose()
    for tag in tree.find_all(True):
        ink = tag.attrs.pop("style", "")
        if not all(map(INK.fullmatch, ink.split(";"))):
            yield f"puts out a picture with the style {shorten(ink)}"
        if tag.name == "image" and tag.get("xlink:href", "").startswith("data:image/png;base64,"):
            continue
        if tag.name == "style" and PLOT.fullmatch(tag.get_text()):
            continue
        yield from strange(tag)
    for text in tree.find_all(string=True):
        if not isinstance(text, PreformattedString) and text.parent.name != "style":
            yield from says(text)


def pixels(said):
    """What in a stored PNG, in base 64, is none that a cell draws. Another part than these may turn
    the picture, give it other colours, or show one that a comparison of pixels does not see.
    """
    try:
        data = b64decode("".join(said.split()), validate=True)
        parts = " ".join(chunks(data))
        Image.open(BytesIO(data), formats=["PNG"]).load()
    except (ValueError, OSError, SyntaxError):
        yield "puts out a picture that is no PNG"
    else:
        if not PARTS.fullmatch(parts):
            yield f"puts out a PNG of the parts {shorten(parts)}, which no cell draws"


PARTS = re.compile(r"IHDR( tEXt)?( pHYs)?( IDAT)+ IEND")


def chunks(data):
    """The names of the parts of a PNG."""
    at = 8
    while at < len(data):
        yield data[at + 4 : at + 8].decode("ascii")
        at += 12 + int.from_bytes(data[at : at + 4])


class Tags(HTMLParser):
    """Whether each tag that begins has its end, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.matched = [], True

    def handle_starttag(self, tag, attrs):
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        self.matched &= bool(self.open) and self.open.pop() == tag


def balanced(html):
    tags = Tags()
    tags.feed(html)
    tags.close()
    return tags.matched and not tags.open
