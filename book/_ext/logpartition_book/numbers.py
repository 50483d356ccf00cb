"""Numbers in the text: each one is printed by a cell of its page, with the same digits and the same
sign. A formula is read as it is set.

Small whole numbers are free, unless a sign of percent or a bar makes a measurement of them: `43%`,
`17/43`, or forty percent in words. One of five digits or more, and a power of ten, is printed by a
cell or set in one. A page without cells has nothing to print a number with, so there every number
of two digits or more is refused.
"""

import ast
import re
import unicodedata
from decimal import Decimal
from functools import cache, lru_cache

from logpartition.proof.display import number_tex

from . import katex
from .files import ROOT
from .records import MIME
from .shares import PERCENT, TRIES, figures
from .signs import visible
from .trees import nodes

PLACE = r"chapter|definition|eqs?\.?|equations?|figure|lemma|proposition|section|table|theorem"
REFERENCE = re.compile(  # what is named by its number has no article
    rf"(?i)(?:\b(?P<article>this|that|the|an?|each|every|our)\s+)?(?:\b(?:{PLACE})|§)[\s(]*$"
)
PACKAGE = re.compile(
    r"(?i)\b(version|cc by|python|pytorch|torch|sympy|numpy|mpmath|matplotlib)[\s(]*$"
)
ARXIV = re.compile(r"(?i)\barxiv[\s:]*$")
MINUS = r"−\s?|[-–—‐‑‒]|(?i:minus|negative)\s+"
TIMES = r"\s*[×·⋅]\s*"
TEN = rf"{TIMES}10\s*\^[\s(]*"
SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "mn": 6, "bn": 9}
LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "G": 9}  # without a blank
SCALE = rf"(?:\s+(?=[a-z]{{2}})|(?=[kKMBGmb]))({'|'.join((*SCALES, *LETTERS))})s?\b"
NUMBER = re.compile(  # sign, digits, power of ten in any notation, percent
    rf"(?:(?<![\w.])({MINUS}))?(?<!\d)(?<!\d\.)"
    rf"(\d*\.\d+|\d+(?={TEN}[-−+]?\d|{SCALE}|{PERCENT})|(?<!\w)\d+(?=[eE][-+]?\d))"
    rf"(?:[eE]([-+]?\d+)|{TEN}([-−+]?\s*\d+)\)*|{SCALE}|{TIMES}1(0{{2,}})\b)?"
    rf"(?!\.?\d)({PERCENT})?"
)
FRACTION = re.compile(
    r"(?<![\w./^])(\d+)(?:\s*[/÷]\s*|:|\s+:\s+"
    rf"|\s+(?:{TRIES}\s+)?\(?(?:(?:out\s+)?of|among)\s+"
    r"(?:[^\W\d]+\s+)?(?:(?:first|last|next|best|other|same)\s+)?"
    rf"|\s+{TRIES}\s+from\s+"
    rf"|\s+(?:{TRIES}\s+)?(?:per|in)\s+(?=10{{2,}}(?!,\d)\s*(?:{TRIES}\b|[^\w\s]|$)))"
    r"(\d+)(?!\d|/|\.\d)"
)
PARTS = re.compile(r"(?<![\d.,‚])\d+(?:(?:[,‚]\d+)+|(?:\.\d+){2,})(?!\w|[.,‚]\d)")
WHOLE = re.compile(r"(?<![\w.,/])\d{2,}(?![\w.,/]*\d)")
POWER = re.compile(  # the small ones are small whole numbers
    r"(?<![\d.])10\s*\^[\s(]*([-−]\s*\d+|\+?\s*(?:[4-9]|\d{2,}))\)*"
)
LARGE = re.compile(r"(?<![\d.,/])(?:\d{1,3}(?:[\s'’_,]\d{3})+|\d{5,})(?!\w*\d|[.,/]\d)")
PERIOD = re.compile(r"\d\.\d*\s*(?:[a-z]+\(\d|\d[\u0300-\u036f])")  # 0.overline(37)
LINE = [  # what a line of a formula says of numbers, as text says it
    (r"(?<=\d) ?e ?(?:(−) ?)?(?=\d)", lambda found: "e-" if found[1] else "e"),
    (r"(?<=[\w)\]}⟩|‖′!])(?: − |−)", " ; "),  # what is subtracted has no sign
    (r"(\.\d+) (?=\d+(?![\d.]))", r"\1"),
    (r"(?<=\d)(?=[kKMBG]\b)", " "),  # a factor
    (r"_\([^()]*\)", lambda found: found[0].replace(",", ", ")),
]
YEAR = re.compile(r"(19|20)\d\d|00\d")  # and a source
NEAR = 60  # letters before a number, among which is what it is the number of
PAPER = re.compile(r"\d\d(?:0[1-9]|1[0-2])\.\d{4,5}")


@cache
def formula(tex, display=False):
    """A formula as a reader sees its numbers, in one line."""
    text = "".join(
        unicodedata.normalize("NFKC", char) if char.isdigit() else char
        for char in visible(katex.text(tex, display))
    )
    for pattern, tidy in LINE:
        text = re.sub(pattern, tidy, text)
    return text


def measures(tex, display=False):
    """The same without the fractions that have one digit above or below: these are constants."""
    return FRACTION.sub(
        lambda found: " " if min(map(len, found.groups())) == 1 else found[0],
        formula(tex, display),
    )


def unprinted(text, printed, maths=False, cites=True):
    """The numbers in `text`, which is TeX where `maths`, that are not among the printed ones;
    `printed` is None without cells. The numbers of theorems and pages are free in a text that
    `cites`.
    """
    text = measures(text) if maths else figures(text)
    if not re.search(r"\d", text):
        return
    known = printed or ()
    yield from (match[0] for match in PERIOD.finditer(text))
    for match in NUMBER.finditer(text):
        if not named(match, text, cites) and value(match) not in known:
            yield " ".join(match[0].split())
    for match in FRACTION.finditer(text):
        if match.groups() not in known:
            yield match[0]
    rest = NUMBER.sub(" ", text)  # without powers that belong to a number before them
    for found, form in ((POWER.finditer(rest), power), (LARGE.finditer(text), whole)):
        yield from (match[0] for match in found if form(match) not in known)
    for match in PARTS.finditer(text):
        if not named(match, text, cites) and match[0] not in known:
            yield match[0]
    for match in WHOLE.finditer(text) if printed is None else ():
        if not named(match, text, cites):
            yield match[0]


def named(match, text, cites):
    """Whether a number is the name of a year, of a source, of a place in one, or of a version."""
    said = text[max(match.start() - NEAR, 0) : match.start()]
    number, before = match[0], said.rstrip(", ")
    if package := PACKAGE.search(said):
        return any(f"{one}.".startswith(f"{number}.") for one in versions(package[1].lower()))
    if YEAR.fullmatch(number) or PAPER.fullmatch(number) and ARXIV.search(before):
        return True
    place = cites and re.fullmatch(r"[1-9][\d.]*", number) and REFERENCE.search(before)
    return bool(place) and not place["article"]


@cache
def versions(package):
    """The version of a package that is pinned, and of the book itself."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    card = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.findall(r"(?m)^(\w+)(?:==|: )([\d.]+)", f"{pins}\n{card}")
    return [
        version
        for name, version in (*found, ("cc by", "4.0"), ("python", "3.11"))
        if name == {"pytorch": "torch"}.get(package, package)
    ]


def value(match):
    """Sign, digits and exponent as written, and whether it is a percentage."""
    sign, digits, _, power, raised, scale, zeros, percent = match.groups()
    exponent = power or raised or (SCALES | LETTERS).get(scale) or len(zeros or "")
    exponent = "".join(str(exponent).replace("−", "-").split())
    return Decimal(f"{'-' if sign else ''}{digits}e{exponent}").as_tuple(), bool(percent)


def power(match):
    return f"10^{''.join(match[1].split()).lstrip('+').replace('−', '-')}"


def whole(match):
    return re.sub(r"\D", "", match[0])


def printed_numbers(notebook):
    """What the cells of a notebook printed, and what its results measured, in the form that
    `unprinted` looks up; with the powers of ten and the large whole numbers that its code sets. A
    number that a text in the code has, as a line that is printed has it, counts where the code sets
    it besides.
    """
    return _printed(tuple((cell.source, *map(said, cell.outputs)) for cell in code(notebook)))


@lru_cache(maxsize=32)
def _printed(cells):
    sources = [source for source, *_ in cells]
    numbers, typed = set(round_numbers(bare(sources))), numbers_in(bare(sources).splitlines())
    lines = {line for source in sources for line in typed_lines(source)}
    for source, *outputs in cells:
        own = typed_lines(source)
        for result, text in outputs:
            numbers |= numbers_of(result)
            for line in text.splitlines():
                parts = [line] if line.strip() in lines else [part for part in own if part in line]
                numbers |= numbers_of(line) - (numbers_in(parts) - typed)
    return frozenset(numbers)


def said(output):
    """What a result in an output measured, and the text of the output."""
    data = output.get("data", {})
    result = measured(data[MIME]) if MIME in data else ""
    return result, output.get("text", "") + shown(data)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@lru_cache(maxsize=1024)
def typed_lines(source):
    """The lines of the texts in the code, without those that say how a value is printed."""
    found = nodes(source)
    forms = [node.format_spec for node in found if isinstance(node, ast.FormattedValue)]
    forms = {id(node) for form in filter(None, forms) for node in ast.walk(form)}
    texts = [node for node in found if isinstance(getattr(node, "value", None), str)]
    lines = (node.value.splitlines() for node in texts if id(node) not in forms)
    return tuple(dict.fromkeys(filter(None, (line.strip() for found in lines for line in found))))


def shown(data):
    """The text of an output, where the page shows that and no picture."""
    return data.get("text/plain", "") if data.keys() <= {"text/plain"} else ""


def numbers_set(notebook):
    """The numbers that the code of a notebook computes with."""
    return numbers_in(bare(cell.source for cell in code(notebook)).splitlines())


def bare(sources):
    """The code of cells without its comments and strings."""
    return "\n".join(map(wordless, sources))


@lru_cache(maxsize=1024)
def wordless(source):
    return ast.unparse(Wordless().visit(ast.parse(source)))


class Wordless(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node):
        return ast.Constant("")


def numbers_in(texts):
    """The numbers in these texts, in the form that `unprinted` looks up."""
    return set().union(*map(numbers_of, texts))


@lru_cache(maxsize=2**16)
def numbers_of(text):
    """Those in one text."""
    fractions = {match.groups() for match in FRACTION.finditer(text)}
    parts = {match[0] for match in PARTS.finditer(text)}
    return decimals(text) | fractions | parts | round_numbers(text)


def decimals(text):
    return frozenset(value(match) for match in NUMBER.finditer(text))


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
        sides = (*found["point"], found["left"], found["right"])
        return " ".join(formula(side["latex"]) for side in sides)
    m = record.get("measurement", {})
    shown = [record.get(key) for key in ("measured", "predicted", "tolerance")]
    shown += [m.get("standard_error"), m.get("scale"), *m.get("sizes", ()), *m.get("errors", ())]
    return " ".join(formula(number_tex(number)) for number in shown if number is not None)
