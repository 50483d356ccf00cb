"""Numbers in the text: each one is printed by a cell of its page, with the same digits and the same
sign.

Small whole numbers are free, unless a sign of percent or a bar makes a measurement of them: `43%`,
`17/43`. One of five digits or more, and a power of ten, is printed by a cell or set in one. A page
without cells has nothing to print a number with, so there every number of two digits or more is
refused.
"""

import ast
import re
from decimal import Decimal
from functools import lru_cache

from logpartition.proof.display import number_tex

from .inline_maths import is_relation
from .records import MIME

EDITION = r"version|cc by|python|pytorch|torch|sympy|numpy|mpmath|matplotlib"
PLACE = (
    r"arxiv|chapter|definition|eqs?\.?|equations?|figure|lemma|proposition|section|table|theorem"
)
REFERENCE = re.compile(rf"(?i)(?:\b(?:{PLACE}|{EDITION})|§)[\s(]*$")
VERSION = re.compile(rf"(?i)\b(?:{EDITION})[\s(]*$")
MINUS = r"−\s?|[-–—‐‑‒]|(?i:minus|negative)\s+"
TIMES = r"\s*(?:\\times|\\cdot|×|·)\s*\{?10\}?\s*\^\s*"
SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
SCALE = rf"\s+({'|'.join(SCALES)})\b"
PERCENT = r"\s*(?:\\?%|per\s?cent(?:age)?\b|pct\b)"
NUMBER = re.compile(  # sign, digits, power of ten in any notation, percent
    rf"(?<![\w.])({MINUS})?(\d*\.\d+|\d+(?=[eE][-+]?\d|{TIMES}|{SCALE}|{PERCENT}))"
    rf"(?:[eE]([-+]?\d+)|{TIMES}\{{?\s*([-+]?\d+)\s*\}}?|{SCALE})?(?!\.?\d)({PERCENT})?"
)
FRACTION = re.compile(
    r"(?<![\w./])(\d+)(?:\s?/\s?|:|\s*\}\s*\{\s*|\s*\\div\s*"
    r"|\s(?:(?:case|draw|point|run|sample|seed|start|time|trial)s?\s)?(?:(?:out\s)?of|among)\s"
    r"(?:[^\W\d]+\s)?)"
    r"(\d+)(?![\w/]|\.\d)"
)
PARTS = re.compile(r"(?<![\w.,‚])\d+(?:(?:[,‚]\d+)+|(?:\.\d+){2,})(?!\w|[.,‚]\d)")
WHOLE = re.compile(r"(?<![\w.,/-])\d{2,}(?![\w.,/-]*\d)")
POWER = re.compile(  # the small ones are small whole numbers
    r"(?<![\w.])\{?10\}?\s*\^\s*\{?\s*(-\s*\d+|\+?\s*(?:[4-9]|\d{2,}))\}?"
)
LARGE = re.compile(r"(?<![\w.,/:])(?<!\w-)(?:\d{1,3}(?:[\s'’_]\d{3})+|\d{5,})(?![\w.,/-]*\d)")
PIECES = re.compile(  # 2.2{6}, 2.\bar 6
    r"\.\d*\s*(?:\{|\}|\\(?:over\w+|bar|dot|text\w*|math\w+)(?![A-Za-z]))[\s{}]*\d"
)
SPACE = r"(?:\s|\\[,:;! ]|~)"
TIDY = [  # what TeX sets as one number, as one number
    (r"(?!(?<=\d)[eE])[A-Za-z](?=\.?\d)", r"\g<0> "),
    (r"\\(?:text|math)[a-z]*\s*\{([-.\deE]+)\}|\{([-+.])\}", r"\1\2"),
    (r"(?<=\d[eE])\s*\{([-+]?\d+)\}", r"\1"),
    (rf"(?<=[\d.,])\s*(?:\\[,:;! ]|~)\s*(?=[\d.,%]|\\%)|(?<=[{{}}]){SPACE}+(?=\d)", ""),
    (r"\{,\}(?=\d{3}(?!\d))", ""),
    (r"(?<=\d)(?:\{,\}|\s*\.\s*)(?=\d)", "."),
    (rf"-{SPACE}+(?=[\d.{{])", "- "),
    (r"(-\s?)\{\s*([\d.]+)\s*\}", r"\1\2"),
    (r"(^|[=({<>,]|\\[A-Za-z]+)\s*-\s(?=[\d.])", lambda found: minus(found)),
]
NAME = re.compile(
    r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|(19|20)\d\d|00\d"
)  # of arXiv, of a year, a source


def unprinted(text, printed, maths=False, cites=True):
    """The numbers in `text`, which is TeX where `maths`, that are not among the printed ones;
    `printed` is None without cells. The numbers of theorems and pages are free in a text that
    `cites`.
    """
    reference = REFERENCE if cites else VERSION
    if maths:
        for pattern, tidy in TIDY:
            text = re.sub(pattern, tidy, text)
        yield from (match[0] for match in PIECES.finditer(text))
    for match in NUMBER.finditer(text):
        if not named(match, text, reference) and value(match) not in (printed or ()):
            yield " ".join(match[0].split())
    for match in FRACTION.finditer(text):
        constant = maths and min(len(match[1]), len(match[2])) == 1
        if not constant and match.groups() not in (printed or ()):
            yield match[0]
    rest = NUMBER.sub(" ", text)  # without powers that belong to a number before them
    for found, form in ((POWER.finditer(rest), power), (LARGE.finditer(text), whole)):
        yield from (match[0] for match in found if form(match) not in (printed or ()))
    for match in () if maths else PARTS.finditer(text):
        if not reference.search(text[: match.start()].rstrip(", ")) and (
            match[0] not in (printed or ())
        ):
            yield match[0]
    for match in WHOLE.finditer(text) if printed is None and not maths else ():
        if not named(match, text, reference):
            yield match[0]


def named(match, text, reference):
    return NAME.fullmatch(match[0]) or reference.search(text[: match.start()])


def minus(found):
    """A minus with its number, where it does not subtract."""
    subtracts = found[1].startswith("\\") and not is_relation(found[1])
    return found[0] if subtracts else f"{found[1]} -"


def value(match):
    """Sign, digits and exponent as written, and whether it is a percentage."""
    sign, digits, _, power, raised, scale, percent = match.groups()
    exponent = power or raised or SCALES.get(scale, 0)
    return Decimal(f"{'-' if sign else ''}{digits}e{exponent}").as_tuple(), bool(percent)


def power(match):
    return f"10^{''.join(match[1].split()).lstrip('+')}"


def whole(match):
    return re.sub(r"\D", "", match[0])


def printed_numbers(notebook):
    """What the cells of a notebook printed, and what its results measured, in the form that
    `unprinted` looks up; with the powers of ten and the large whole numbers that its code sets. A
    line that stands in the code as it is printed counts for what the code sets besides.
    """
    texts, headings, typed = [], [], set(typed_lines(notebook))
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            for line in output.get("text", "").splitlines():
                (headings if line.strip() in typed else texts).append(line)
            texts.append(measured(data[MIME]) if MIME in data else shown(data))
    return (
        numbers_in(texts)
        | numbers_in(headings) & numbers_set(notebook)
        | round_numbers(wordless(notebook))
    )


def typed_lines(notebook):
    """The lines of the texts in the code of a notebook."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield from _typed_lines(cell.source)


@lru_cache(maxsize=1024)
def _typed_lines(source):
    texts = (getattr(node, "value", None) for node in ast.walk(ast.parse(source)))
    lines = (text.splitlines() for text in texts if isinstance(text, str))
    return [line.strip() for found in lines for line in found]


def shown(data):
    """The text of an output, where the page shows that and no picture."""
    return data.get("text/plain", "") if data.keys() <= {"text/plain"} else ""


def numbers_set(notebook):
    """The numbers that the code of a notebook computes with."""
    return numbers_in(wordless(notebook).splitlines())


def wordless(notebook):
    """The code of a notebook without its comments and strings."""
    return "\n".join(_wordless(cell.source) for cell in notebook.cells if cell.cell_type == "code")


@lru_cache(maxsize=1024)
def _wordless(source):
    return ast.unparse(Wordless().visit(ast.parse(source)))


class Wordless(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node):
        return ast.Constant("")


def numbers_in(texts):
    """The numbers in these texts, in the form that `unprinted` looks up."""
    numbers = {value(match) for text in texts for match in NUMBER.finditer(text)}
    fractions = {match.groups() for text in texts for match in FRACTION.finditer(text)}
    parts = {match[0] for text in texts for match in PARTS.finditer(text)}
    return numbers | fractions | parts | set().union(*map(round_numbers, texts))


def round_numbers(text):
    """The powers of ten and the large whole numbers in a text."""
    values = (value(match)[0] for match in NUMBER.finditer(text))
    tens = {f"10^{exponent}" for sign, digits, exponent in values if (sign, digits) == (0, (1,))}
    tens |= {power(match) for match in POWER.finditer(text)}
    large = {whole(match) for match in LARGE.finditer(text)}
    return tens | large | {f"10^{len(one) - 1}" for one in large if one.strip("0") == "1"}


def measured(record):
    """The numbers that a result shows: of a counterexample, of a measurement."""
    if found := record.get("counterexample"):
        return " ".join(side["latex"] for side in (*found["point"], found["left"], found["right"]))
    m = record.get("measurement", {})
    shown = [record.get(key) for key in ("measured", "predicted", "tolerance")]
    shown += [m.get("standard_error"), m.get("scale"), *m.get("sizes", ()), *m.get("errors", ())]
    return " ".join(number_tex(number) for number in shown if number is not None)
