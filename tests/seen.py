"""Whether a reader sees what the article of a page says: asked of the browser, and of the pixels of
the page, whatever rule of a stylesheet hides it."""

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

UNSEEN = (Path(__file__).parent / "unseen.js").read_text(encoding="utf-8")
INK = 2.5  # contrast of the thin strokes of small letters, whose colours have 4.5 (axe)
# what is read aloud or shown by a script alone, and what is said for the other medium
NEVER = (
    'script, style, template, noscript, option, textarea, title, desc, [hidden], [display="none"],'
    " .katex-mathml, .vlist-s, .headerlink, .lp-symbols, .lp-figure .controls, .lp-table thead"
)
EXCEPT = {
    "screen": f"{NEVER}, .lp-imprint",
    "print": f"{NEVER}, .lp-copiers, .lp-before, .lp-launch, .lp-filters, .lp-screen, .lp-untried,"
    " .lp-try-open, details.hide > summary, .lp-argument > dt",
}


def unseen(page, medium="screen", pixels=True, enough=False):
    """The texts on a page that are hidden, with how; else, by its pixels, those that leave no ink.
    The first of them alone where one is enough."""
    found = page.evaluate(UNSEEN, [EXCEPT[medium], enough])
    return found["unseen"] or (pale(page, found["inked"]) if pixels else [])


def pale(page, lines):
    """The lines, each a text with its place on the page, whose pixels are nearly all alike."""
    places = np.array([place for _, *place in lines])
    (left, top), (right, bottom) = (
        np.floor(places[:, :2].min(0)),
        np.ceil((places[:, :2] + places[:, 2:]).max(0)),
    )
    column = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    picture = Image.open(BytesIO(page.screenshot(full_page=True, clip=column))).convert("RGB")
    light = lightness(np.asarray(picture))
    found = []
    for text, x, y, width, height in lines:
        part = light[round(y - top) : round(y - top + height), round(x - left) :][:, : round(width)]
        if not part.size or (part.max() + 0.05) / (part.min() + 0.05) < INK:
            found.append(f"{text.strip()}: leaves no ink")
    return found


def lightness(pixels):
    """The relative luminance of pixels of sRGB."""
    linear = ((np.arange(256, dtype=np.float32) / 255 + 0.055) / 1.055) ** 2.4
    return linear[pixels] @ np.float32([0.2126, 0.7152, 0.0722])
