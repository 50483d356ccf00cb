"""The signs that words are made of: letters, digits, and the punctuation of prose. Whatever else
stands between words relates its sides, points, or draws, and belongs into maths.
"""

import re
import unicodedata
from functools import cache

FREE = set("+−×÷±∓|∞√∑∏∫∂∇")  # signs of operations, which relate nothing
PUNCTUATION = set("!\"#$%&'()*,-./:;?@[\\]^_`{}‐‑‒–—‘’‚“”„«»‹›…§¶†‡′″°©⟨⟩‖")
TEX = re.compile(r"\$|\\[a-zA-Z(\[]")


def visible(pieces):
    """The text of these pieces in one form, without what has no width and turns nothing round."""
    text = "".join(pieces)
    if text.isascii():
        return text
    return unicodedata.normalize(
        "NFC", "".join(char for char in text if unicodedata.category(char) != "Cf" or turns(char))
    )


@cache
def turns(char):
    """Whether a character has others read from right to left: 62.2 for 2.26."""
    return unicodedata.bidirectional(char) not in ("BN", "L")


@cache
def is_sign(char):
    """Whether a character is a relation, an arrow, a rule, a number raised or drawn as a fraction,
    a letter that looks like one of these (ǂ), or none that is seen.
    """
    if char in FREE | PUNCTUATION or char.isspace():
        return False
    kind, plain = unicodedata.category(char), unicodedata.normalize("NFKC", char)
    letter = kind in ("Lu", "Ll", "Lt", "Lm") and unicodedata.name(plain[0], "").startswith(
        ("LATIN", "GREEK")
    )
    return not (letter or kind == "Nd")


def signed(text):
    """What is wrong with the signs in a text, in words."""
    if sign := next(filter(is_sign, text), None):
        around = shorten(text[max(0, text.index(sign) - 30) : text.index(sign) + 30])
        name = sign if sign.isprintable() else unicodedata.name(sign, repr(sign))
        yield (
            f"the sign {name} between words: {around}. Set it as maths, in one piece with its sides"
        )
    if tex := TEX.search(text):
        yield f"TeX that the page does not set: {shorten(text[tex.start() :])}"


def shorten(text, width=90):
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"
