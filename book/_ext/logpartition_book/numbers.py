"""Numbers in the text: each one is printed by a cell of its page, with the same digits and the same
sign.

Small whole numbers are free, unless a sign of percent or a bar makes a measurement of them: `43%`,
`17/43`. A page without cells has nothing to print a number with, so there every number of two
digits or more is refused.
"""

import re
from decimal import Decimal

from logpartition.proof.display import number_tex

from .records import MIME

REFERENCE = re.compile(
    r"(?i)(?:\b(?:arxiv|chapter|definition|eqs?\.?|equations?|figure|lemma|proposition|section"
    r"|table|theorem"
    r"|version|cc by|python|pytorch|torch|sympy|numpy|mpmath|matplotlib)|§)[\s(]*$"
)
TIMES = r"\s*(?:\\times|\\cdot|×|·)\s*10\s?\^"
PERCENT = r"\s?(?:\\?%|per\s?cent\b)"
NUMBER = re.compile(  # sign, digits, power of ten in either notation, percent
    rf"(?<![\w.])([-−–‐‑‒]|minus )?(\d*\.\d+|\d+(?=e[-+]?\d|{TIMES}|{PERCENT}))"
    rf"(?:e([-+]?\d+)|{TIMES}\{{?(-?\d+)\}}?)?(?!\.?\d)({PERCENT})?"
)
FRACTION = re.compile(r"(?<![\w./])(\d+)(?:/|\}\{|\s(?:out\s)?of\s(?:the\s)?)(\d+)(?![\w/]|\.\d)")
PARTS = re.compile(r"(?<![\w.,])\d+(?:(?:,\d+)+|(?:\.\d+){2,})(?!\w|[.,]\d)")
WHOLE = re.compile(r"(?<![\w.,/-])\d{2,}(?![\w.,/-]*\d)")
GAP = re.compile(r"(?<=[\d.,])\s*(?:\\[,:;! ]|~)\s*(?=[\d.,%]|\\%)")  # in TeX, in a number
NAME = re.compile(
    r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|(19|20)\d\d|00\d"
)  # of arXiv, of a year, a source


def unprinted(text, printed, maths=False):
    """The numbers in `text`, which is TeX where `maths`, that are not among the printed ones;
    `printed` is None without cells.
    """
    if maths:
        text = GAP.sub("", re.sub(r"(?<=\d)\{([.,])\}(?=\d)", r"\1", text))
    for match in NUMBER.finditer(text):
        if not named(match, text) and value(match) not in (printed or ()):
            yield match[0].strip()
    for match in FRACTION.finditer(text):
        constant = maths and min(len(match[1]), len(match[2])) == 1
        if not constant and match.groups() not in (printed or ()):
            yield match[0]
    for match in () if maths else PARTS.finditer(text):
        if not REFERENCE.search(text[: match.start()].rstrip(", ")) and (
            match[0] not in (printed or ())
        ):
            yield match[0]
    for match in WHOLE.finditer(text) if printed is None and not maths else ():
        if not named(match, text):
            yield match[0]


def named(match, text):
    return NAME.fullmatch(match[0]) or REFERENCE.search(text[: match.start()])


def value(match):
    """Sign, digits and exponent as written, and whether it is a percentage."""
    sign, digits, power, raised, percent = match.groups()
    return Decimal(f"{'-' if sign else ''}{digits}e{power or raised or 0}").as_tuple(), bool(
        percent
    )


def printed_numbers(notebook):
    """What the cells of a notebook printed, and what its results measured, in the form that
    `unprinted` looks up.
    """
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            texts.append(
                output.get("text", "")
                + (measured(data[MIME]) if MIME in data else data.get("text/plain", ""))
            )
    return numbers_in(texts)


def numbers_in(texts):
    """The numbers in these texts, in the form that `unprinted` looks up."""
    numbers = {value(match) for text in texts for match in NUMBER.finditer(text)}
    fractions = {match.groups() for text in texts for match in FRACTION.finditer(text)}
    return numbers | fractions | {match[0] for text in texts for match in PARTS.finditer(text)}


def measured(record):
    """The numbers that a result shows: of a counterexample, of a measurement."""
    if found := record.get("counterexample"):
        return " ".join(side["latex"] for side in (*found["point"], found["left"], found["right"]))
    m = record.get("measurement", {})
    shown = [record.get(key) for key in ("measured", "predicted", "tolerance")]
    shown += [m.get("standard_error"), m.get("scale"), *m.get("sizes", ()), *m.get("errors", ())]
    return " ".join(number_tex(number) for number in shown if number is not None)
