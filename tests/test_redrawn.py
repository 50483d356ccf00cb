"""Pictures that are not those that their cells draw: what a reader would see is found, what another
processor rounds is not."""

from base64 import b64encode
from io import BytesIO

import numpy as np
import pytest
from notebooks import printed, shown
from PIL import Image

from logpartition import _figure
from logpartition_book.redrawn import different


def plot(end="9", name="m0123456789", words="time", style="stroke: #0072b2", at="4", dot="0.75"):
    return (
        f'<svg><defs><path id="dot" d="M 0 {dot} C {dot} 0 0 -{dot} -{dot} 0 z"/></defs>'
        f'<path id="{name}" d="M 1 2 \nL 8.5 {end} \n" style="{style}"/>'
        f'<g transform="translate({at} 5) scale(0.1)"><use xlink:href="#{name}"/></g>'
        f"<text>{words}</text></svg>"
    )


def explorer(y="3.0", label="key", shown=0, r="5"):
    frames = "".join(
        f'<g class="frame" data-at="{n}"{"" if n == shown else _figure.OUT}>'
        f'<circle class="dot" cx="{n}" cy="{y}" r="{r}"/></g>'
        for n in range(2)
    )
    svg = f'<svg viewBox="0 0 40 20" role="img" aria-label="A dot.">{frames}</svg>'
    return _figure.stored(svg, _figure.control(label, ["one", "two"], "range", shown))


def png(row=20, size=64, grey=0):
    pixels = np.full((size, size), 255, dtype=np.uint8)
    pixels[row : row + 2] = grey
    file = BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return b64encode(file.getvalue()).decode()


STORED = [shown(svg=plot(), png=png(), plain="f"), shown(html=explorer(), plain="an explorer")]
IMAGES = [
    *(
        ({"svg": svg, "png": png()}, "image/svg")
        for svg in (
            plot(end="10.5"),
            plot(style="stroke: #0072b3"),
            plot(style="stroke: #0072b2; stroke-opacity: 0.1"),
            plot(words="space"),
            plot(at="7"),
            plot(dot="0"),
            plot(dot="0.6"),
            plot().replace("scale(0.1)", "scale(0.9)"),
            plot().replace("<text>", '<path d="M 1 2"/><text>'),
            plot().replace("L 8.5", "M 8.5"),
            plot().replace("8.5", "8.5 8.5"),
            "<svg></svg>",
        )
    ),
    *(
        ({"svg": plot(), "png": picture}, "image/png")
        for picture in (png(row=24), png(size=72), png(grey=90), png(row=64), "iVBORw0KGgoAAAA")
    ),
    *(({"svg": plot(), **more}, "other kinds") for more in ({}, {"png": png(), "html": "<svg>"})),
]


@pytest.mark.parametrize("data, said", IMAGES)
def test_another_plot_is_found(data, said):
    assert said in different(STORED, [shown(plain="f", **data), STORED[1]])


@pytest.mark.parametrize(
    "other", [explorer("4.2"), explorer(label="query"), explorer(shown=1), explorer(r="4.5")]
)
def test_another_picture_with_controls_is_found(other):
    drawn = [STORED[0], shown(html=other, plain="an explorer")]
    assert "text/html" in different(STORED, drawn)


def test_other_words_for_a_picture_are_found():
    drawn = [shown(svg=plot(), png=png(), plain="g"), STORED[1]]
    assert "text/plain" in different(STORED, drawn)


def test_as_many_pictures_are_drawn_as_are_stored():
    assert different(STORED, STORED[:1]) and different([], STORED)


def test_what_is_rounded_otherwise_and_what_is_no_picture_passes():
    """With the names that matplotlib makes of the numbers of a shape."""
    drawn = [
        printed("a table\n"),
        shown(svg=plot("9.02", "m9876543210", dot="0.750001"), png=png(row=21, grey=6), plain="f"),
        shown(html=explorer("3.1", r="5.01"), plain="an explorer"),
    ]
    assert different(STORED, drawn) is None
