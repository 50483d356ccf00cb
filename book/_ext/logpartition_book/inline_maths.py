"""Whether maths in the text states an equation, which a result should print, or introduces a name
or a condition, which it may.

The rule: relations with more than one expression among their sides, or with nothing on one side,
state an equation; and so, outside a definition, does one with a side of more than LONG symbols.
With a symbol or a number on one side it stays in the text: `$Z = \\sum_j e^{s_j}$`, `$d \\ge 2$`,
`$0 < t < 1$`. It holds within each pair of brackets and each index as well. LaTeX is read as
tokens for this, never as mathematics: what the rule lets pass is not thereby checked. A sign that
is not listed here, and words between two sides, are taken for a relation; one that neither names
nor is a condition, as ≈ and what `\\text` says, has symbols and numbers on both sides.
"""

import re

LONG = 16
PRIMITIVE = re.compile(  # of TeX: what gives a command another meaning, a fraction or a number
    r"\\(?:[gex]?def|(?:future)?let|global|(?:re)?newcommand|providecommand|over|above\w*|atop|tag"
    r"|ldotp|cdotp|char|verb|(?:text)?color(?:box)?|fcolorbox|[hv]?phantom|[bx]?cancel|sout|smash"
    r"|(?:math)?[lrc]lap|raisebox|[mh]?kern|mskip|hskip|hspace)(?![A-Za-z])"
    r"|\\(?:bar|hat|tilde|dot|ddot|vec|over\w+|under\w+|wide\w+|substack|[td]?frac|[td]?binom)"
    r"(?:\s*[-+−]|[\s{}]*[-+−]\s*(?:\}|\\\\))"  # a sign that is drawn of signs
    r"|\\begin\s*\{(?:small)?(?:matrix|array)\}(?:\{\w*\})?[\s{}]*[-+−]\s*\\\\"
)
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S", re.DOTALL)
OPENING, CLOSING = (
    set("{ ( [ \\{ \\lbrace \\langle".split()),
    set("} ) ] \\} \\rbrace \\rangle".split()),
)
SEPARATORS = set("\\\\ \\quad \\qquad ; \\mid".split())
BARS = set("| \\| \\lvert \\rvert \\lVert \\rVert \\vert \\Vert".split())
IGNORED = {"\\ ", "\\\n"} | set(
    "\\, \\: \\! \\; ~ & \\left \\right \\big \\bigl \\bigr \\Big \\Bigl \\Bigr \\limits"
    " \\displaystyle ' . : \\ldots \\dots \\cdots \\vdots \\ddots \\prime".split()
)
DECORATIONS = set(
    "\\hat \\widehat \\bar \\tilde \\widetilde \\vec \\dot \\ddot \\overline \\underline \\mathbf"
    " \\boldsymbol \\mathcal \\mathsf \\mathfrak \\mathrm \\mathit \\mathbb \\operatorname".split()
)
SYMBOLS = set(
    "\\alpha \\beta \\gamma \\delta \\epsilon \\varepsilon \\zeta \\eta \\theta \\vartheta \\iota"
    " \\kappa \\lambda \\mu \\nu \\xi \\pi \\rho \\sigma \\tau \\upsilon \\phi \\varphi \\chi \\psi"
    " \\omega \\Gamma \\Delta \\Theta \\Lambda \\Xi \\Pi \\Sigma \\Phi \\Psi \\Omega \\ell \\infty"
    " \\emptyset \\top \\ast \\star".split()
)
FONTS = set(
    "\\mathbf \\boldsymbol \\mathcal \\mathsf \\mathfrak \\mathrm \\mathit \\mathbb"
    " \\operatorname".split()
)
NAMES = set(  # of functions; other words that are set as maths are taken for a relation
    "KL Cov Var Corr Pr diag tr det rank span ker dim dom vec sign sgn softmax sparsemax attn"
    " logit sigmoid relu ReLU softplus supp conv cl int eff id erf erfc Ent JS TV LN MLP FFN Law"
    " Re Im Arg arg grad div curl Hess Tr Unif Exp Poisson Normal Bernoulli opt".split()
)
OPERATORS = set("+ - · × * / ! , ^ _ % \\% @".split()) | set(
    "\\pm \\mp \\cdot \\times \\otimes \\oplus \\odot \\circ \\cup \\cap \\setminus \\wedge \\vee"
    " \\nabla \\partial \\sum \\prod \\int \\oint \\lim \\limsup \\liminf \\sup \\inf \\max \\min"
    " \\arg \\det \\dim \\exp \\log \\ln \\sin \\cos \\tan \\cot \\sinh \\cosh \\tanh \\arcsin"
    " \\arccos \\arctan \\sqrt \\frac \\tfrac \\dfrac \\binom \\tbinom \\Pr \\Re \\Im \\lfloor"
    " \\rfloor \\lceil \\rceil \\forall \\exists \\neg \\land \\lor \\begin \\end"
    " \\substack".split()
)
NUMBERS = re.compile(r"\\mathbb\{?[NZQRC]\}?")
CONSTANTS = {"e", "\\pi", "\\infty"}  # a letter of these may name a law, and no number
NAMING = {"=", "\\coloneqq"}
DEFINING = NAMING | {"\\in", "\\sim"}
CONDITIONS = DEFINING | set(
    "< > \\le \\leq \\ge \\geq \\ne \\neq \\notin \\subset \\subseteq".split()
)
FOLLOWS = set(
    "\\implies \\impliedby \\iff \\Rightarrow \\Leftarrow \\Leftrightarrow \\Longrightarrow"
    " \\Longleftarrow \\Longleftrightarrow \\therefore \\vdash \\models".split()
)
TURNED = ("-", "T", "\\top", "\\intercal", "\\dagger")  # a power that makes another matrix
PRIMED = re.compile(  # a derivative where a name stands
    r"(?:'|\\prime\s*\}?)\s*(?:\([^()=]*\)\s*&?:?=|&?=\s*[-+]?\d+(?![\w.]))"
)
FRACTIONS = {"\\frac", "\\tfrac", "\\dfrac"}
PLAIN = OPENING | CLOSING | DECORATIONS | SYMBOLS | OPERATORS
NO_RELATION = PLAIN | SEPARATORS


def tokens(maths, ignored=BARS | IGNORED):
    return [
        token
        for token in TOKEN.findall(
            re.sub(r"\\(begin|end)\{[a-z*]+\}", " ", maths.replace("−", "-"))
        )
        if token not in ignored
    ]


def is_relation(token):
    return token not in NO_RELATION and not token[0].isdigit() and not token.isalpha()


def states_equation(maths, long=LONG):
    """Whether `maths` states something; `long` is None where a side may be of any length, as in a
    definition.
    """
    return states(tokens(maths), long)


def states(found, long):
    if found[:1] == ["\\text"] and group(found, 1) == len(found):  # an index in words
        return states(found[2:-1], long)
    return any(states(inner, long) for inner in groups(found)) or any(
        is_statement(clause, long) for clause in clauses(found)
    )


def defines(maths):
    """Whether each clause gives one name, on its left, to what has none yet, or is a condition on
    symbols and numbers; one of them does.
    """
    named = []
    if PRIMED.search(maths) or not DEFINING & set(tokens(maths)):
        return False
    for barred in clauses(tokens(maths.replace("'", "_{}"), IGNORED)):
        clause = [token for token in barred if token not in BARS]
        sides, relations = split(clause), {*filter(is_relation, clause)}
        if relations & NAMING and len(sides) > 1:
            named.append(sides[0])
        atoms = len(sides) > 1 and all(map(is_atom, sides))
        condition = atoms and not relations & NAMING and relations <= CONDITIONS
        naming = len(sides) == 2 and relations <= DEFINING and barred[0] not in BARS
        alone = not relations and len(sides) == 1
        if not (alone or condition or naming and is_name(*sides)):
            return False
    return all(name not in named[:position] for position, name in enumerate(named))


def is_name(side, of):
    """Whether a side is a name of what stands on the other: a symbol or a function, with indices
    and arguments, and not a part of it; a number is only named by a symbol, and a letter with a
    prime names what comes of the letter.
    """
    first = side[0] if side else ""
    if is_atom(of) and letters(side) == letters(of):
        return False
    if NUMBERS.match("".join(side)) or first in CONSTANTS and is_count(of):
        return False
    if first in DECORATIONS or first == "\\langle":
        position = group(side, first in DECORATIONS)
        dressed = side[1:position] if first in DECORATIONS else []
        if not (is_atom(dressed) or all(one in "{}" or one.isalpha() for one in dressed)):
            return False
    elif (first in SYMBOLS or len(first) == 1 and first.isalpha()) and side[:2] != ["e", "^"]:
        position = 1
    else:
        return False
    bare, head = first != "\\langle", position
    while position < len(side):
        token = side[position]
        if token not in OPENING | {"_", "^"} or side[position + 1 : position + 2] == ["-"]:
            return False
        inside = "".join(side[position + 1 : group(side, position + 1)])
        if token == "^" and inside.strip("{").startswith(TURNED):
            return False
        prime = token in "_^" and inside in ("", "{}")
        if prime and not {*letters(side)} <= {*letters(of)}:
            return False
        head = head if token in OPENING or head < position else group(side, position + 1)
        bare, position = bare and token == "_", group(side, position + (token in "_^"))
    return not holds(of, side[:head]) and (bare or not is_count(of))


def letters(side):
    """The letters of a side outside of its brackets and indices."""
    found, position = [], 0
    while position < len(side):
        token, dressed = side[position], side[position] in DECORATIONS
        end = group(side, position + (dressed or token in ("_", "^")))
        if dressed or token not in OPENING | {"_", "^"}:
            found += (one for one in side[position:end] if one in SYMBOLS or one.isalpha())
        position = end
    return found


def holds(side, head):
    """Whether a symbol with its indices is a part of a side."""
    ends = range(len(head), len(side) + 1)
    return any(
        side[end - len(head) : end] == head and side[end : end + 1] not in (["_"], ["^"])
        for end in ends
    )


def is_count(side):
    return all(token[0].isdigit() or token in "+-/,{}" or token in FRACTIONS for token in side)


def is_statement(clause, long):
    sides = split(clause)
    relations = set(filter(is_relation, clause))
    if relations & FOLLOWS and len(relations) > 1:
        return True
    if {"\\forall", "\\exists"} & set(clause) and relations & NAMING:
        return True
    compound = [not side or not is_atom(side) for side in sides]
    if {*filter(is_relation, outside(clause))} - CONDITIONS and not all(map(is_atom, sides)):
        return True
    return sum(compound) > 1 or (
        long is not None and len(sides) > 1 and any(length(side) > long for side in sides)
    )


def groups(found):
    """What stands within each pair of brackets of this level."""
    position = 0
    while position < len(found):
        end = group(found, position)
        if found[position] in OPENING:
            yield found[position + 1 : end - (found[end - 1] in CLOSING)]
        position = end


def clauses(found):
    """What stands between separators outside all brackets, without the braces that only hold things
    together.
    """
    clause, position = [], 0
    while position < len(found):
        token = found[position]
        end = group(found, position + (token == "\\text"))
        if token in SEPARATORS:
            yield clause
            clause = []
        elif token == "{" and (not clause or clause[-1] not in {"_", "^"} | DECORATIONS):
            clause += (piece for inner in clauses(found[position + 1 : end - 1]) for piece in inner)
        else:
            clause += found[position:end]
        position = end
    yield clause


def outside(clause):
    """The signs that stand outside all brackets and indices."""
    position = 0
    while position < len(clause):
        token = clause[position]
        yield token
        position = group(clause, position + (token in ("_", "^", "\\text")))


def split(clause):
    """The sides of the relations that stand outside all brackets."""
    sides, position = [[]], 0
    while position < len(clause):
        end = group(clause, position + (clause[position] == "\\text"))
        dressed = group(clause, position + 1) if clause[position] in DECORATIONS else end
        if is_relation(clause[position]):
            sides.append([])
        elif clause[position - 1 : position] not in (["_"], ["^"]) and (
            is_word(clause[position:dressed])
        ):
            sides.append([])
            end = dressed
        else:
            sides[-1] += clause[position:end]
        position = end
    return sides


def is_word(found):
    """Whether a decorated group is no symbol: nothing at all, or words set in a font."""
    if found[0] not in DECORATIONS:
        return False
    name = "".join(token for token in found if token not in DECORATIONS | OPENING | CLOSING)
    words = len(name) > 1 and name.isalpha() and not FONTS.isdisjoint(found)
    return not name or words and name not in NAMES


def length(side):
    return sum(token not in OPENING | CLOSING | set("_^,") for token in side)


def is_atom(side):
    """A number, a symbol with its indices and perhaps a sign and a number before it, such a symbol
    of arguments that are atoms, or a list of these.
    """
    symbols, numbers, position = 0, 0, 0
    while position < len(side):
        token, position = side[position], position + 1
        if token == "," or token in SEPARATORS:
            symbols = numbers = 0
        elif token in "_^":
            start, position = position, group(side, position)
            if token == "^" and length(side[start:position]) > 2:
                return False
        elif token in DECORATIONS:
            start, position = position, group(side, position)
            name = "".join(side[start:position]).strip("{}")
            if (
                token == "\\operatorname"
                or name in ("E", "P", "V")
                and token == "\\mathbb"
                or token == "\\mathrm"
                and len(name) > 1
            ):
                return False
            symbols += 1
        elif token in OPENING and token != "\\langle":  # angles are a mean or an inner product
            inside, position = (
                side[position : group(side, position - 1) - 1],
                group(side, position - 1),
            )
            if not is_atom(inside):
                return False
            symbols = symbols or 1
        elif token in FRACTIONS and (end := numeric(side, position)):
            numbers, position = numbers + 1, end
        elif token[0].isdigit():
            numbers += 1
        elif token in SYMBOLS or token.isalpha() and len(token) == 1:
            symbols += 1
        elif not (
            token in "+-"
            and not symbols + numbers
            or token == "/"
            and numbers
            and not symbols
            or token == "\\pm"
        ):
            return False
        if symbols > 1:
            return False
    return True


def numeric(side, start):
    """Where the two numbers of a fraction end, `12` or `{1}{20}`; None where it has others."""
    middle = group(side, start)
    end = middle if side[start:] and len(side[start]) > 1 else group(side, middle)
    return end if "".join(side[start:end]).strip("{}").replace("}{", "").isdigit() else None


def group(found, start):
    """Where the group or the single token at `start` ends."""
    depth = 0
    for position in range(start, len(found)):
        depth += (found[position] in OPENING) - (found[position] in CLOSING)
        if depth <= 0:
            return position + 1
    return len(found)
