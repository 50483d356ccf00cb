"""A picture is the one that its cell draws: a plugin of pytest, which compares the pictures that a
chapter draws when nbval runs it with those that it stores.

Another processor rounds otherwise: where a plot shows rounding errors on a logarithmic scale, this
moves points by up to a third of a unit. What a reader could see is more: a unit is less than the
width of most lines. A shape as small as a dot keeps its size, and the letters of an SVG are those
that are stored; in a PNG, which a notebook has beside it, a small letter may pass for another.
"""

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from nbval.plugin import IPyNbCell
from PIL import Image
from PIL.ImageFilter import MaxFilter, MinFilter

from logpartition._figure import STORED

UNIT = 1.0  # by which a point of a drawing may be elsewhere
SHARE = 0.02  # of its size, by which a shape may be another one: a dot is smaller than a unit
LEAST = 0.001  # which a shape of no size may have
PIXELS, LEVELS = 2, 32  # by which the same of a picture may be elsewhere, and paler or darker
PLACE = re.compile(r'(?:(?<= )(d|points|[cr]?[xy][12]?|r|width|height)="|translate\()([^")]*)')
SIZES = {"r", "rx", "ry", "width", "height"}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
NAME = re.compile(r"\b[mp][0-9a-f]{10}\b")  # matplotlib's of a shape, made of its numbers


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    yield
    if isinstance(item, IPyNbCell):
        if said := different(item.cell.outputs, item.test_outputs):
            item.raise_cell_error(said)


def different(stored, drawn):
    """In which way pictures are others than those that are stored, in words; else None."""
    stored, drawn = pictures(stored), pictures(drawn)
    if [kind for kind, _ in stored] != [kind for kind, _ in drawn]:
        return "the cell draws other kinds of pictures than are stored, or more, or fewer"
    for (kind, old), (_, new) in zip(stored, drawn):
        same = same_pixels if kind == "image/png" else same_shapes
        if old != new and not same(old, new):
            return f"the picture that is stored as {kind} is not the one that the cell draws"


def pictures(outputs):
    """The pictures among the outputs of a cell, in all of their kinds, a text's among them."""
    found = [output.get("data", {}) for output in outputs]
    shown = [data for data in found if any(map(is_picture, data.items()))]
    return [pair for data in shown for pair in sorted(data.items())]


def is_picture(pair):
    kind, said = pair
    return kind.startswith("image/") or kind == "text/html" and "<svg" in said


def same_pixels(old, new):
    try:
        old, new = (Image.open(BytesIO(b64decode(one))).convert("RGBA") for one in (old, new))
    except (ValueError, OSError, SyntaxError):  # the stored one is no picture
        return False
    return old.size == new.size and near(old, new) and near(new, old)


def near(one, other):
    """Whether each pixel of one picture is like those around its place in the other."""
    least, most = (other.filter(each(2 * PIXELS + 1)) for each in (MinFilter, MaxFilter))
    least, one, most = (np.asarray(each, dtype=int) for each in (least, one, most))
    return (least - LEVELS <= one).all() and (one <= most + LEVELS).all()


def same_shapes(old, new):
    old, new = map(bare, (old, new))
    return apart(old) == apart(new) and all(map(same_place, places(old), places(new)))


def same_place(old, new):
    """Whether a shape is where it was, to a unit, and as large and as bent, to a share of its
    size."""
    (name, old), (_, new) = old, new
    moved, bent, size = new - old, 0, 0
    if name in SIZES:
        bent, size = moved, np.abs(old).max(initial=0)
    elif name in ("d", "points") and len(old):
        bent, size = moved - moved[0], np.ptp(old, axis=0).max()
    return (np.abs(moved) <= UNIT).all() and (np.abs(bent) <= SHARE * size + LEAST).all()


def bare(drawing):
    """A drawing without what is made of its numbers: the names of its shapes, and of a figure with
    controls its own and the image of its beginning, which a gate looks at."""
    if found := STORED.fullmatch(drawing):
        drawing = found["svg"] + found["controls"]
    names = {}
    return NAME.sub(lambda name: f"n{names.setdefault(name[0], len(names))}", drawing)


def apart(drawing):
    """What in a drawing is no place."""
    return PLACE.sub(lambda place: NUMBER.sub("0", place[0]), drawing)


def places(drawing):
    """The name and the points of each shape, and of each other place in a drawing."""
    for name, said in PLACE.findall(drawing):
        numbers = np.array(NUMBER.findall(said), dtype=float)
        yield name, numbers.reshape(-1, 1 if len(numbers) % 2 else 2)
