"""Whether inline maths states an equation, which a result should print, or introduces a name or a condition, which it may.

The rule: a relation with an expression on both sides states an equation, and so does one with a side of more than LONG
symbols. With a symbol or a number on one side it stays in the text: `$Z = \\sum_j e^{s_j}$`, `$d \\ge 2$`, `$0 < t < 1$`.
LaTeX is read as tokens for this, never as mathematics: what the rule lets pass is not thereby checked.
"""

import re

LONG = 16
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S")
RELATIONS = set("= < > \\le \\leq \\leqslant \\ge \\geq \\geqslant \\lt \\gt \\approx \\simeq \\cong \\equiv \\propto \\ll \\gg".split())
OPENING, CLOSING = set("{ ( [ \\{ \\lbrace \\langle".split()), set("} ) ] \\} \\rbrace \\rangle".split())
IGNORED = set(
    "\\, \\; \\: \\! \\quad \\qquad \\ ~ & \\\\ \\left \\right \\big \\bigl \\bigr \\Big \\Bigl \\Bigr \\limits \\displaystyle"
    " ' . ; : | \\| \\lvert \\rvert \\lVert \\rVert \\ldots \\dots \\cdots \\prime".split()
)
DECORATIONS = set(
    "\\hat \\widehat \\bar \\tilde \\widetilde \\vec \\dot \\ddot \\overline \\underline \\text \\mathbf \\boldsymbol \\mathcal"
    " \\mathsf \\mathfrak \\mathrm \\mathbb \\operatorname".split()
)
SYMBOLS = set(
    "\\alpha \\beta \\gamma \\delta \\epsilon \\varepsilon \\zeta \\eta \\theta \\vartheta \\iota \\kappa \\lambda \\mu \\nu \\xi \\pi"
    " \\rho \\sigma \\tau \\upsilon \\phi \\varphi \\chi \\psi \\omega \\Gamma \\Delta \\Theta \\Lambda \\Xi \\Pi \\Sigma \\Phi \\Psi"
    " \\Omega \\ell \\infty \\emptyset \\top \\ast \\star".split()
)


def tokens(maths):
    return [token for token in TOKEN.findall(maths) if token not in IGNORED]


def has_relation(maths):
    return any(token in RELATIONS for token in tokens(maths))


def states_equation(maths):
    sides = split(tokens(maths))
    compound = [not is_atom(side) for side in sides]
    return any(a and b for a, b in zip(compound, compound[1:])) or (len(sides) > 1 and any(length(side) > LONG for side in sides))


def split(found):
    """The sides of the relations that stand outside all brackets."""
    sides, depth = [[]], 0
    for token in found:
        depth = max(0, depth + (token in OPENING) - (token in CLOSING))
        if depth == 0 and token in RELATIONS:
            sides.append([])
        else:
            sides[-1].append(token)
    return sides


def length(side):
    return sum(token not in OPENING | CLOSING | set("_^,") for token in side)


def is_atom(side):
    """A number, a symbol with its indices and arguments and perhaps a sign and a number before it, or a list of these."""
    symbols, numbers, position = 0, 0, 0
    while position < len(side):
        token, position = side[position], position + 1
        if token == ",":
            symbols = numbers = 0
        elif token in "_^":
            start, position = position, group(side, position)
            if token == "^" and length(side[start:position]) > 2:
                return False
        elif token in DECORATIONS:
            start, position = position, group(side, position)
            name = "".join(side[start:position]).strip("{}")
            if token == "\\operatorname" or name in ("E", "P", "V") and token == "\\mathbb" or token == "\\mathrm" and len(name) > 1:
                return False
            symbols += 1
        elif token in OPENING and token != "\\langle":  # angles are a mean or an inner product
            inside, position = side[position : group(side, position - 1) - 1], group(side, position - 1)
            if not symbols and not is_atom(inside):
                return False
            symbols = symbols or 1
        elif token[0].isdigit():
            numbers += 1
        elif token in SYMBOLS or token.isalpha() and len(token) == 1:
            symbols += 1
        elif not (token in "+-" and not symbols + numbers or token == "/" and numbers and not symbols or token == "\\pm"):
            return False
        if symbols > 1:
            return False
    return True


def group(found, start):
    """Where the group or the single token at `start` ends."""
    depth = 0
    for position in range(start, len(found)):
        depth += (found[position] in OPENING) - (found[position] in CLOSING)
        if depth <= 0:
            return position + 1
    return len(found)
