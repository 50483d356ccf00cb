"""What a name of an author's looks like: one letter or command, with what is above and below it and
its arguments. Everything else that stands on the page is printed from what was decided."""

import re
from functools import lru_cache
from string import ascii_letters

from sympy import Symbol
from sympy.printing.latex import LatexPrinter
from sympy.printing.pretty.pretty_symbology import greek_unicode

from .errors import IllFormed

GROUPS = (  # what belongs together, the innermost first
    (re.compile(r"\{[^{}]*\}"), "<>"),
    (re.compile(r"\\left\s*\(|\\bigl?\s*\("), "("),
    (re.compile(r"\\right\s*\)|\\bigr?\s*\)"), ")"),
    (re.compile(r"\([^()\[\]]*\)|\[[^()\[\]]*\]"), "«»"),
    (re.compile(r"\\l(angle|Vert|vert)(?:(?!\\[lr](?:angle|Vert|vert)).)*\\r\1(?![a-zA-Z])"), "«»"),
)
DRESSED = re.compile(  # a letter with an accent or in another font, or a word in upright type
    r"\\(?:bar|dot|hat|tilde|vec|overline|widehat|widetilde|math[a-z]+|operatorname)"
    r"(?: *\{\\?[A-Za-z]+\}| +\\?[A-Za-z](?![A-Za-z]))"
)
LONE = re.compile(
    r"(?:[A-Za-z]|\\[A-Za-z]+|«»)'*(?:«»)?(?:_(?:<>|\w|\\[a-z]+))?(\^(?:<>|\w))?(?:«»)?"
)
RANGE = re.compile(r"\\(?:sum|prod)_\{[^{}]*\}")
BRACKET = re.compile(
    r"(?:\\left|\\bigl?)?\s*(?:[(\[]|\\l(?:angle|[vV]ert))(.*?)(?:[)\]]|\\r(?:angle|[vV]ert))"
)
SIGNED = re.compile(r"[=<>$&%#~@!;?\"`]|\\\\")
ROW = re.compile(r"\{(.+)\}(_\{[^{}]*\})")
LETTERS = frozenset(  # the commands that are letters; others are signs, or change what follows
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda "
    "mu nu xi omicron pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar imath jmath wp aleph beth "
    "digamma eth".split()
)
WRITTEN = LETTERS | frozenset(  # what stands in a name: an author's, or one made of other words
    "bar dot hat tilde vec overline underline widehat widetilde mathrm mathbf mathbb mathcal mathsf"
    " mathfrak mathit operatorname left right bigl bigr big langle rangle lVert rVert lvert rvert "
    "top intercal prime star ast dagger circ infty nabla partial sum prod int lim to in times cdot"
    " odot oslash otimes sim mid ldots frac sqrt binom max min log exp sin cos tan sec csc cot sinh"
    " cosh tanh coth arcsin arccos arctan".split()
)
COMMAND = re.compile(r"(?<!_)\\([A-Za-z]+)")
TRANSPOSED = re.compile(r"\\(?:top|intercal)(?![a-zA-Z])")
RELATED = re.compile(r"[=<>]|\\(?:n?eq|[lgn]eq?|[lg]t|in|sim|approx|equiv|to|mapsto)(?![a-zA-Z])")


def grouped(words):
    """The words of a name with what stands in brackets left out."""
    words = DRESSED.sub("X", words)
    while True:
        shorter = words
        for group, sign in GROUPS:
            shorter = group.sub(sign, shorter)
        if shorter == words:
            return words
        words = shorter


def is_name(words):
    """Whether words look like a name: no number, no statement, and no terms beside each other."""
    if row := ROW.fullmatch(words):  # an entry of what has an index below already
        return is_name(row[1]) and is_name(f"x{row[2]}")
    bare, first = RANGE.sub("", words), BRACKET.match(words.strip())
    if SIGNED.search(bare) or not {*re.findall(r"\\([A-Za-z]+)", words)} <= WRITTEN:
        return False
    if first and not {*PLACE.findall(first[1])} & {*ascii_letters, *(f"\\{x}" for x in LETTERS)}:
        return False
    rest = grouped(words.strip())
    alone = LONE.fullmatch(rest) and lettered(rest)
    return bool(alone) and not RELATED.search(rest.replace("<>", ""))


def lettered(words):
    """Whether the commands in some words are letters, but for those below the line."""
    return set(COMMAND.findall(grouped(words))) <= LETTERS


GREEK = r"\\(?:Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega)"
FONTS = {  # what looks in each font as in no other
    **dict.fromkeys(("mathcal", "mathscr", "mathbb"), "[A-Z]+"),
    **dict.fromkeys(("mathfrak", "mathtt"), r"[A-Za-z\d]+"),
    **dict.fromkeys(("mathbf", "mathsf", "mathit"), rf"(?:[A-Za-z\d]|{GREEK})+"),
    **dict.fromkeys(("mathrm", "operatorname"), r"[A-Za-z][A-Za-z\d]*"),
}
IN_FONT = re.compile(  # a font, and what is in it
    r"\\(math[a-z]+|operatorname)(?: *\{((?:[^{}]|\{[^{}]*\})*)\}| *(\\[A-Za-z]+|.))"
)
IN_ALL = re.compile(r"\\(?:bar|dot|hat|tilde|vec|overline|widehat|widetilde)(?![a-zA-Z])|[^\w\\]|_")


def demand_fonts(words):
    """What is in a font has letters of that font, but for accents; others look as without it."""
    for font, group, alone in IN_FONT.findall(words):
        inside = IN_ALL.sub("", IN_FONT.sub("", group or alone))
        if font not in FONTS or not re.fullmatch(FONTS[font], inside):
            raise IllFormed(f"the page has no letters {group or alone} in the font \\{font}, and "
                            "shows them as they are without: take a letter that the font has, or "
                            "another name")  # fmt: skip
        demand_fonts(group)


def checked(words, transposed=False):
    """The words of a name, if they are one; only those of a vector may have a transpose."""
    if not (words.isascii() and words.isprintable()):
        strange = next(sign for sign in words if not (sign.isascii() and sign.isprintable()))
        raise IllFormed(f"the name {ascii(words)} has the sign {ascii(strange)}: take letters that "
                        "are on every keyboard, and commands such as \\beta")  # fmt: skip
    demand_fonts(words)
    if not is_name(words) or TRANSPOSED.search(words) and not transposed:
        raise IllFormed(
            f"the name “{words}” looks like a number, a statement, or more than one thing"
        )
    demand_form(words)
    return words


MARKS = re.compile(  # what may stand above the line
    r"(?:[*+'-]|\\(?:ast|star|dagger|circ|infty|top|intercal|prime)(?![a-zA-Z]) ?"
    r"|\\(?:mathrm|operatorname) *\{[A-Za-z]{2,}\})+"
)


def demand_form(words):
    """A name is a letter with marks, with places below the line and arguments in round or square
    brackets; or an inner product or a norm, which may be squared. Above the line there is nothing
    that looks like a power or an index."""
    if row := ROW.fullmatch(words):
        return demand_form(row[1])
    head, parts = around(words)
    above = [inside for sign, inside in parts if sign == "^"]
    if head[:1] == "⟦" and above == ["2"]:
        above = []
    if found := [x for x in above if not MARKS.fullmatch(x)]:
        raise IllFormed(
            f"the name “{words}” looks like a power, or like an entry, by its {found[0]} above the "
            "line, where a mark such as *, + or ' may stand: write an index below the line, and a "
            "power outside of the name, as in named(…)**2"
        )
    signs = [sign for sign, _ in parts]
    if head[:1] in ("(", "["):
        raise IllFormed(f"the name “{words}” begins with a bracket, as a sum or a product may: "
                        "write a letter before it")  # fmt: skip
    if head[:1] == "⟬" or {*signs} & {*"⟨⟦⟬"} or sum(sign in OPENING for sign in signs) > 1:
        raise IllFormed(
            f"the name “{words}” looks like a modulus or like a product of brackets: write a "
            "letter, what is below it, and its arguments in one pair of round or square brackets"
        )


OPERATORS = (  # signs and words with a meaning of their own, which no name of an author's has
    r"\\(?:frac|sqrt|binom|sum|prod|int|lim|max|min|log|exp|(?:arc)?(?:sin|cos|tan)h?|sec|csc|coth?"
    r"|partial|nabla|infty|ldots|times|to|in|sim|odot|oslash|otimes|cdot|omicron)(?![a-zA-Z])|\.\."
)
OPEN_COMMAND = re.compile(r"\\(?:frac|sqrt|binom)(?! *\{)")  # which would take what follows
IN_BRACKETS = re.compile(r"\(.*\)|\[.*\]")
WORDS = (
    "sin cos tan cot sec csc sinh cosh tanh coth sech csch arcsin arccos arctan arsinh arcosh "
    "artanh log ln lg exp max min sup inf lim argmax argmin arg sign sgn erf erfc erfi Li Re Im "
    "tr det diag rank dim ker span vec grad div curl adj gcd mod pr var cov arctanh arcsinh "
    "arccosh acos asin atan cosec sinc abs std mean sum prod floor ceil expm logit id"
).split()
MEANT = re.compile(
    rf"{OPERATORS}|^\\(?:math[a-z]+|operatorname) *\{{(?i:{'|'.join(WORDS)})\}}|^ *\\mathbb"
    r"|^\\(?:mathrm|operatorname) *\{[EP]\}|^ *[Oo] *\("
    r"|\} *\\(?:mathrm|operatorname)(?![a-zA-Z])|'.*\^|\^.*'|_(?:\w|\{[^{}]*\}) *_"
)


def own_name(words, transposed=False):
    """The words of an author's name: no sign, and no word, that has a meaning of its own; marks
    above the line are primes or others."""
    checked(words, transposed)
    if found := MEANT.search(IN_BRACKETS.sub("()", words)) or OPEN_COMMAND.search(words):
        raise IllFormed(
            f"the name “{words}” has {found[0]} in it, which reads as more than a name: take "
            "letters, upright words of your own, and primes without other marks"
        )
    return words


UNSEEN = re.compile(r"\\(?:left|right|bigl?|bigr?)(?![a-zA-Z])|\\[,;:! ]|[\\{}\s]")


ALIKE = [
    (re.compile(pattern + "(?![a-zA-Z])" * pattern[-1].isalpha()), sign)
    for pattern, sign in (
        (r"[_^] *\{ *\}", ""), (r"\\bar", r"\\overline"), (r"\\widehat", r"\\hat"),
        (r"\\widetilde", r"\\tilde"), (r"\\[lr]?vert", "|"), (r"\\mid", "|"),
        (r"\\(?:[lr]Vert|\|)", "‖"), (r"\\ast", "*"),
        (r"\\(?:top|intercal)", "T"), (r"\\operatorname", r"\\mathrm"), (r"\\mathit", ""),
    )
]  # fmt: skip
PRIMES = re.compile(r"\^ *(?:\{(?: *\\prime| *')+ *\}|\\prime(?![a-zA-Z]))")
GROUP = r" *(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[^{}\s])"
PRIMED_LAST = re.compile(rf"(_{GROUP}) *('+)")
ROUND = str.maketrans("[]", "()")  # f[x] is f(x)
BELOW_FIRST = re.compile(rf"(_{GROUP}) *(\^{GROUP})")


@lru_cache(10_000)
def flat(name):
    """A name without what the page does not show, so that what looks alike is one name."""
    name = PRIMES.sub(lambda found: "'" * len(re.findall(r"prime|'", found[0])), name)
    for pattern, sign in ALIKE:
        name = pattern.sub(sign, name)
    name = PRIMED_LAST.sub(r"\2\1", BELOW_FIRST.sub(r"\2\1", name))
    return UNSEEN.sub("", name).translate(ROUND)


def seen_as(thing):
    """How a variable or function looks on the page, as `flat` has it."""
    return flat(spelled(thing.name))


@lru_cache(10_000)
def spelled(name):
    """The LaTeX of a name: Greek letters, what follows _ below and what follows __ above."""
    return LatexPrinter()._print(Symbol(str(name)))


PLACE = re.compile(r"\\[A-Za-z]+|[A-Za-z0-9]")
PLACES = re.compile(rf"(?:{PLACE.pattern}|[{{}}, ])+")
PRIMED = re.compile(rf"(?:{PLACE.pattern})'*")
LISTED = re.compile(rf"(?:{PRIMED.pattern}|[{{}}, ])+")
UPRIGHT = re.compile(r"\\(?:math[a-z]+|operatorname|text) *\{[^{}]*\}")
ALPHABET = {*ascii_letters, *LETTERS}  # of a name that is flat


def tokens(text, letters):
    """The numbers, letters and signs of a place of a name that is flat."""
    looks = sorted(filter(None, letters), key=len, reverse=True)
    return re.findall("|".join([*map(re.escape, looks), r"\d+", "."]), text)


OPENING, CLOSING = "([{⟨⟦⟬", ")]}⟩⟧⟭"
SIGNS = {"langle": "⟨", "rangle": "⟩", "lVert": "⟦", "rVert": "⟧", "lvert": "⟬", "rvert": "⟭"}
IN_SIGNS = re.compile(rf"\\({'|'.join(SIGNS)})(?![a-zA-Z])")
SPACES = re.compile(r"(?:\\(?:left|right|bigl?|bigr?)(?![a-zA-Z])|\\[,;:! ]|\s)+")
ITEM = re.compile(r"\\[A-Za-z]+|\\?.", re.DOTALL)


def after(text, at):
    """Where the bracket, the command or the sign ends that begins at a place of a text."""
    depth = 0
    for n in range(at, len(text)):
        depth += (text[n] in OPENING) - (text[n] in CLOSING)
        if depth <= 0:
            break
    return n + 1 if text[at] in OPENING else ITEM.match(text, at).end()


@lru_cache(10_000)
def around(name):
    """The letter of a name, or the brackets at its beginning, and what stands around it: pairs of
    a sign, which is _, ^, ' or a bracket, and a text."""
    text = PRIMES.sub(lambda found: "'" * len(re.findall(r"prime|'", found[0])), name)
    text = SPACES.sub(" ", text.replace(r"\|", "|").replace(r"\mid", "|")).strip()
    text = IN_SIGNS.sub(lambda found: SIGNS[found[1]], text)
    end, parts = after(text, 0) if text else 0, []
    while end < len(text) and text[end] not in "_^'([⟨⟦⟬":
        end = after(text, end)
    head = text[:end]
    while end < len(text):
        sign, begin = text[end], end
        while begin < len(text) and text[begin] in "_^ ":
            begin += 1
        if begin == len(text):
            break
        end = after(text, begin)
        inside = text[begin:end]
        parts.append((sign, inside[1:-1] if inside[0] in OPENING else inside))
    return head, tuple((sign, inside.strip()) for sign, inside in parts if inside.strip())


def separated(text):
    """The parts of a text between commas, semicolons and bars, without brackets around them."""
    parts, at = [""], 0
    while at < len(text):
        end = after(text, at)
        parts = [*parts, ""] if text[at] in ",;|" else [*parts[:-1], parts[-1] + text[at:end]]
        at = end
    return tuple(bare(part.strip()) for part in parts if part.strip())


def bare(text):
    """A text without the brackets that are around all of it."""
    while text[0] in "([" and after(text, 0) == len(text) and text[1:-1].strip():
        text = text[1:-1].strip()
    return text


def below(text):
    """The places that a text below the line names: letters and numbers side by side, or what
    stands between commas, as j + 1; words in upright type are one."""
    if LISTED.fullmatch(text) and not UPRIGHT.search(text):
        return tuple(place.removeprefix("\\") for place in PRIMED.findall(text))
    return separated(text)


@lru_cache(10_000)
def entry(name):
    """What a name such as x_{ja}, f(x + 1), p(x)_{j} or ‖x_{j}‖ looks like an entry or a value of,
    in which arguments, and at which places; None for others, and for what binds a letter, as
    E_{j ~ p}."""
    if r"\sim" in name:
        return None
    if row := ROW.fullmatch(name):
        look, arguments, places = entry(row[1]) or (flat(row[1]), (), ())
        return f"{look}_", arguments, places + below(row[2][2:-1])
    head, parts = around(name)
    look = flat(head + "".join(inside for sign, inside in parts if sign in "^' "))
    arguments, places = (), ()
    if head[:1] in ("⟨", "⟦", "("):
        look, arguments = f"{head[0]}{look[len(flat(head)) :]}", separated(head[1:-1])
    for sign, inside in parts:
        look += {"_": "_"}.get(sign, "()" if sign in OPENING else "")
        places += below(inside) if sign == "_" else ()
        arguments += separated(inside) if sign in OPENING else ()
    return (look, arguments, places) if arguments or places else None


BESIDE = re.compile(r"[_^](?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\?\w))|\(([^()]*)\)|\[([^\[\]]*)\]")


@lru_cache(10_000)
def beside(name):
    """The letters that a name shows below or above the line or as its arguments, but for one that
    it binds itself, as j in E_{j ~ p}."""
    found = " ".join("".join(parts) for parts in BESIDE.findall(UPRIGHT.sub("", str(name))))
    return {*PLACE.findall(found)} - own_letters(found)


def own_letters(name):
    """The letters that a name binds itself, as j in E_{j ~ p}."""
    return {*re.findall(r"(\\?\w+) *\\sim", name)}


@lru_cache(10_000)
def held(name):
    """The letters in the brackets of a name, be they arguments or of a norm or a product."""
    head, parts = around(name)
    inside = [text for sign, text in parts if sign in OPENING] + [head] * (head[:1] in OPENING)
    return {*PLACE.findall(UPRIGHT.sub("", " ".join(inside)))} - own_letters(name)


PLAIN = {
    r"\langle ": "⟨", r" \rangle": "⟩", r"\lVert ": "‖", r" \rVert": "‖", r"\mathbb{E}": "E",
    r"^{\top}": "ᵀ", r"^{2}": "²", r"\nabla": "∇", r"\sum": "Σ", r"\sim": "~", r"\odot": "⊙",
    r"\oslash": "⊘", r"\otimes": "⊗", r"\left": "", r"\right": "", r"\,": "", r"\cdot": "·",
    r"\partial": "∂",
}  # fmt: skip


def plain(words):
    """LaTeX words (of names and tensors) for a terminal: what can be read without a renderer."""
    for old, new in PLAIN.items():
        words = words.replace(old, new)
    words = re.sub(r"\\(?:mathrm|mathbb|operatorname)\{([^{}]*)\}", r"\1", words)
    before = None
    while words != before:  # from the inside out
        before = words
        words = re.sub(r"([_^])\{(\w+)\}", r"\1\2", words)
        words = re.sub(r"([_^])\{([^{}]*)\}", r"\1(\2)", words)
        words = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", words)
    words = re.sub(r"\\([A-Za-z]+) ?", lambda m: greek_unicode.get(m[1], m[1]), words)
    return re.sub(r"  +", " ", words)
