"""Formulas that TeX reads in another way than they are typed: `2^10` is 2¹0, `log Z` a product of
four letters, and `%` ends the line; and what an escape in Python or YAML makes of a backslash.
"""

import re

from .signs import shorten

HELD = re.compile(  # names and words, which are set as they are typed
    r"\\(?:begin|end|label|tag|ref|eqref|htmlClass|(?:text|math)(?!(?:color|choice)\b)\w*|operatorname\*?"
    r"|(?:text)?color)\s*\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+"
)
LETTERS = re.compile(r"[A-Za-z]*[a-z][A-Za-z]{2,}|[A-Za-z]{2,}[a-z]")  # MSE is a name
ARGUMENT = re.compile(  # of one sign, and what was meant to be a part of it behind it
    r"[_^]\s*\d\d|[_^][-−+]\s*\d|[_^][-−](?=[A-Za-z\\])|\\sqrt\s*(?:\[\w+\])?\s*\d\d"
    r"|\\[td]?(?:frac|binom)\s*(?:\d\s*|\{[^{}]*\}\s*)\d\d"
)
STACKED = re.compile(r"\\(?:(?:over|under)(?:brace|set)|stackrel)(?![A-Za-z])")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")


def mistyped(tex):
    """What in a formula is not set as it is typed, in words."""
    for pattern, what in (
        (CONTROL, "has the sign {!r}, which an escape without r before the text makes"),
        (STACKED, "has {!r}, which in a line of characters is a power or a product"),
        (COMMENT, "has {!r}, behind which nothing is set"),
        (ARGUMENT, "has {!r}, of which one sign is raised or lowered: set braces"),
    ):
        if found := pattern.search(tex):
            yield f"the formula {shorten(tex)} {what.format(found[0])}"
    if found := LETTERS.search(HELD.sub(" ", tex)):
        yield f"the formula {shorten(tex)} has the word {found[0]!r} as letters: set \\text, \\log"
