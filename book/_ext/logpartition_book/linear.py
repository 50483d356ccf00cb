"""A formula in one line of characters, for places that show no mathematics: `a/(b c)`, `√(x_j)`,
`∑_(j=1)^N x_j`, `a ≠ b`.

It says what the formula says: what a bar, a root or a small size holds together is held together
by parentheses where the line alone would not.
"""

import re
import unicodedata
from dataclasses import dataclass
from xml.etree import ElementTree

SIGNS, SLASH, COLON = set("+−±∓"), "/", ":"
OPEN, CLOSE, BARS = set("([{⟨⌊⌈"), set(")]}⟩⌋⌉"), {"∣": "|", "|": "|", "∥": "‖", "‖": "‖"}
BIG = set("∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂")
PREFIX = set("∂∇¬")
MARKS = {"ˉ": "\u0304", "‾": "\u0304", "^": "\u0302", "~": "\u0303", "˙": "\u0307",
         "¨": "\u0308", "⃗": "\u20d7", "ˇ": "\u030c"}  # fmt: skip
ACCENTS = {"ˉ": "overline", "‾": "overline", "^": "hat", "~": "tilde"}
ROOTS = {"3": "∛", "4": "∜"}

# how tightly a text holds together
ATOM, PARTIAL, PRODUCT, LOOSE = range(4)


@dataclass
class Piece:
    """A part of a line. Its kind is one of atom, name, big, fraction (these are operands), prefix,
    open, close, sign, relation, comma, slash, space and words."""

    text: str
    kind: str = "atom"
    script: bool = False  # ends in an index or an exponent, or in a stroke
    bare: bool = False  # a root without parentheses

    def begins(self) -> bool:
        """Whether it may be the right factor of a product."""
        return self.kind in ("atom", "name", "big", "fraction", "prefix", "open")

    def ends(self) -> bool:
        """Whether it may be the left factor of a product."""
        return self.kind in ("atom", "name", "big", "fraction", "close")


def line(mathml: str) -> str:
    """The characters of a formula that is given as MathML."""
    found = " ".join(joined(pieces(ElementTree.fromstring(mathml))).split())
    return unicodedata.normalize("NFC", found)


# --- from elements to pieces ---


def pieces(node, tight: bool = False) -> list[Piece]:
    """What an element says, in a row."""
    tag = node.tag.rpartition("}")[2]
    if tag in ("annotation", "mphantom"):
        return []
    if tag in ("mi", "mo", "mn"):
        return symbol("".join(node.itertext()), node)
    if tag == "mspace":
        return [] if node.get("width", "").startswith("-") else [Piece(" ", "space")]
    if tag == "mtext":
        return words("".join(node.itertext()))
    special = {"mfrac": fraction, "msqrt": root, "mroot": root, "mtable": table}
    if tag in special:
        return special[tag](node, tight)
    if tag in ("msub", "msup", "msubsup"):
        return scripted(node, tag, tight)
    if tag in ("munder", "mover", "munderover"):
        return limits(node, tag, tight)
    return row(list(node), tight)


def symbol(text: str, node) -> list[Piece]:
    """The piece of a letter, a number or a sign."""
    text = text.replace("\u2009", " ").strip("\u2061\u200b ")
    if not text:
        return []
    if text in BARS:
        relates = node.tag.endswith("mo") and not {"fence", "stretchy"} & set(node.attrib)
        relates |= node.get("fence") == "false"
        return [Piece(BARS[text], "relation" if relates else "bar")]
    if text == "d" and node.get("mathvariant") == "normal":
        return [Piece(text, "prefix")]
    for kind, signs in (("sign", SIGNS), ("open", OPEN), ("close", CLOSE), ("big", BIG),
                        ("prefix", PREFIX), ("comma", ",;."), ("slash", SLASH)):  # fmt: skip
        if text in signs:
            return [Piece(text, kind)]
    if text in "′!":
        return [Piece(text, "stroke")]
    if node.tag.endswith("mo") and text not in "…⋯⋮.∞":
        return [Piece(text, "relation")]
    return [Piece(text, "name" if len(text) > 1 and text.replace(" ", "").isalpha() else "atom")]


def words(text: str) -> list[Piece]:
    text = re.sub(r"\s+", " ", text)
    return [Piece(text, "words" if text.strip() else "space")] if text else []


def row(nodes: list, tight: bool) -> list[Piece]:
    """The pieces of elements that stand side by side; upright letters are one name."""
    texts = ["".join(node.itertext()) for node in nodes]
    upright = [node.get("mathvariant") == "normal" and text.isalpha() and text.isascii()
               for node, text in zip(nodes, texts)]  # fmt: skip
    if len(nodes) > 1 and all(upright):
        return [Piece("".join(texts), "name")]
    fences = [node.get("fence") == "true" for node in nodes]
    if fences and fences[-1] and not fences[0]:  # a bar at which a value is taken
        inner = row(nodes[:-1], tight)
        return [Piece(wrapped(inner, ATOM, tight) + joined(pieces(nodes[-1])))]
    found = [piece for node in nodes for piece in pieces(node, tight)]
    if fences and fences[0] and not fences[-1] and found[0].text == "{":  # of cases
        found.append(Piece("}", "close"))
    if fences and fences[0]:
        for i, kind in ((0, "open"), (-1, "close")):
            found[i].kind = kind if found[i].kind == "bar" else found[i].kind
    return bars(found)


def bars(found: list[Piece]) -> list[Piece]:
    """Of bars without a side the first opens and the next closes, within the same brackets; one
    that nothing closes there stands between what is on its sides."""
    groups, last = [{}], None  # in each bracket, the bars that are open
    for piece in found:
        before, last = last, piece
        if piece.kind == "bar":
            ahead = groups[-1].setdefault(piece.text[0], [])
            closes = bool(ahead) and before.kind not in ("open", "sign", "relation", "comma")
            piece.kind = "close" if closes or piece.script else "open"
            if closes:
                ahead.pop()
            elif not piece.script:
                ahead.append(piece)
        elif piece.kind == "open":
            groups.append({})
        elif piece.kind == "close":
            _between_sides(groups.pop())
            groups = groups or [{}]
    for group in groups:
        _between_sides(group)
    return found


def _between_sides(left: dict) -> None:
    for piece in (one for ahead in left.values() for one in ahead):
        piece.kind = "relation"


def fraction(node, tight: bool) -> list[Piece]:
    above, below = (pieces(part, tight) for part in node)
    if node.get("linethickness") == "0px":
        return [Piece(f"{wrapped(above, ATOM)} choose {wrapped(below, ATOM)}", "fraction")]
    said = f"{wrapped(above, PRODUCT, tight)}/{wrapped(below, PARTIAL, tight)}"
    return [Piece(said, "fraction")]


def root(node, tight: bool) -> list[Piece]:
    if node.tag.endswith("msqrt"):
        inner = row(list(node), tight)
        simple = len(inner) == 1 and len(inner[0].text) == 1
        return [Piece("√" + (joined(inner) if simple else held(joined(inner, tight))), bare=simple)]
    inner, degree = pieces(node[0], tight), joined(pieces(node[1], True), True)
    if degree in ROOTS:
        return [Piece(ROOTS[degree] + held(joined(inner, tight)))]
    degree = degree if degree.isdigit() or len(degree) == 1 else held(degree)
    return [Piece(f"{wrapped(inner, ATOM, tight)}^(1/{degree})", script=True)]


def table(node, tight: bool) -> list[Piece]:
    """Rows apart by semicolons and cells by commas; the sides of an alignment are one formula, and
    a row that begins with a relation, or with a sign on its right side, goes on with the one above.
    """
    aligned = node.get("columnspacing") == "0em"
    lines = []
    for one in node:
        cells = [row(list(cell), tight) for cell in one]
        further = aligned and not cells[0] and len(cells) > 1 and cells[1]
        further = further and cells[1][0].kind == "sign"
        if aligned:
            cells = [[piece for cell in cells for piece in cell]]
        said = ", ".join(filter(None, (joined(cell, tight).strip() for cell in cells)))
        if aligned and lines and cells[0] and cells[0][0].kind == "relation":
            lines[-1] += f" {said}"
        elif further and lines:
            lines[-1] += f" {said[0]} {said[1:].strip()}"
        else:
            lines.append(said)
    return [Piece("; ".join(line.rstrip(",;") for line in lines), "words")]


def scripted(node, tag: str, tight: bool) -> list[Piece]:
    first, *scripts = node
    base = pieces(first, tight)
    marks = dict(zip({"msub": "_", "msup": "^"}.get(tag, "_^"), scripts))
    return base[:-1] + [attached(base, marks)] if outer(base) else [attached(base, marks)]


def outer(base: list[Piece]) -> bool:
    """Whether what carries the scripts is the last of some pieces that need no parentheses."""
    return len(base) > 1 and level(base) == ATOM


def attached(base: list[Piece], marks: dict) -> Piece:
    """A base with its index and its exponent; strokes stand next to the base."""
    if not base or outer(base) or len(base) == 1 and base[0].kind != "fraction":
        last = base[-1] if base else Piece("")
    else:
        last = Piece(held(joined(base)))
    text, kind, strokes, rest = last.text, last.kind, "", ""
    if last.bare or last.script and any(mark in text for mark in marks):
        text = held(text)
    for mark, node in marks.items():
        inner = pieces(node, True)
        while inner and inner[0].kind == "stroke" and inner[0].text != "!":
            strokes += inner.pop(0).text
        rest += mark + script(inner, mark) if inner else ""
    kind = "atom" if kind in ("sign", "words", "prefix", "space") else kind
    return Piece(text + strokes + rest, kind, script=True)


def script(inner: list[Piece], mark: str) -> str:
    """An index or an exponent: in parentheses, but for one sign, and for letters in a row below."""
    plain = all(piece.kind in ("atom", "name") and not piece.script and piece.text.isalnum()
                for piece in inner)  # fmt: skip
    said = joined(inner, True)
    if len(inner) == 1 and (len(said) == 1 or plain) or plain and mark == "_" and " " not in said:
        return said
    return held(said)


def limits(node, tag: str, tight: bool) -> list[Piece]:
    """A sign with something above or below it: an accent, or limits."""
    first, *others = node
    base = pieces(first, tight)
    over = "".join(others[-1].itertext())
    if over in ("⏟", "⏞"):
        return base
    if node.get("accent") == "true":
        said = joined(base, tight)
        if len(said) == 1 and over in MARKS:
            return [Piece(said + MARKS[over])]
        return [Piece(f"{ACCENTS.get(over, over)}({said})")]
    marks = dict(zip({"munder": "_", "mover": "^"}.get(tag, "_^"), others))
    found = attached(base, marks)
    found.kind = "big" if found.kind in ("big", "name", "atom") else found.kind
    return [found]


# --- from pieces to a line ---


def held(text: str) -> str:
    return f"({text})"


def wrapped(found: list[Piece], most: int, tight: bool = False) -> str:
    """In parentheses where it holds together less than is asked for."""
    text = joined(found, tight)
    return text if level(found) <= most else held(text)


def level(found: list[Piece]) -> int:
    """How tightly pieces hold together, outside of their brackets."""
    free, depth, groups = [], 0, 0
    for piece in found:
        depth -= piece.kind == "close"
        if depth == 0 and piece.kind not in ("open", "close", "space"):
            free.append(piece)
        groups += piece.kind == "open" and depth == 0
        depth += piece.kind == "open"
    kinds = [piece.kind for piece in free]
    if {"sign", "relation", "comma", "slash", "words", "fraction", "big"} & set(kinds):
        return LOOSE
    called = kinds == ["name"] and [piece.kind for piece in found[:2]] == ["name", "open"]
    if len(free) + groups <= 1 or called and groups == 1:
        return ATOM
    if "name" in kinds:
        return LOOSE
    return PARTIAL if kinds[:1] == ["prefix"] and len(free) + groups == 2 else PRODUCT


def joined(found: list[Piece], tight: bool = False) -> str:
    """The pieces in one line; `tight` leaves out the spaces around signs."""
    said, last, gap = "", None, False
    found = applied(found, tight)
    for i, piece in enumerate(found):
        if piece.kind == "space":
            gap = True
            continue
        text = piece.text
        ahead = next((one for one in found[i + 1 :] if one.kind != "space"), None)
        if piece.kind == "fraction" and _in_product(last, ahead):
            text = held(text)
            gap |= _called(last) and ahead is not None and ahead.begins()
        said += _between(last, piece, gap, tight) + text
        last, gap = _seen(last, piece), False
    return said


def applied(found: list[Piece], tight: bool) -> list[Piece]:
    """A name before a fraction and an opening bracket is applied to the product of both."""
    found, at = list(found), 1
    while at + 1 < len(found):
        if [one.kind for one in found[at - 1 : at + 2]] == ["name", "fraction", "open"]:
            end = _closed(found, at + 1)
            found[at:end] = [Piece(joined(found[at:end], tight), "fraction")]
        at += 1
    return found


def _closed(found: list[Piece], start: int) -> int:
    """Behind the bracket that closes the one at `start`, or the end."""
    depth = 0
    for at in range(start, len(found)):
        depth += (found[at].kind == "open") - (found[at].kind == "close")
        if depth == 0:
            return at + 1
    return len(found)


def _in_product(last: Piece | None, ahead: Piece | None) -> bool:
    before = last and (last.ends() or last.kind in ("prefix", "slash") and last.text not in SIGNS)
    after = ahead and (ahead.begins() or ahead.kind in ("slash", "stroke"))
    return bool(before or after)


def _called(last: Piece | None) -> bool:
    """Whether parentheses that follow at once would be read as all that a name is applied to."""
    return last is not None and last.kind == "name"


def _seen(last: Piece | None, piece: Piece) -> Piece:
    """A sign with nothing on its left belongs to what follows."""
    if piece.kind == "sign" and not (last and (last.ends() or last.kind in ("stroke", "words"))):
        return Piece(piece.text, "prefix")
    if piece.kind == "stroke":
        return Piece(piece.text, "atom", script=True)
    return piece


def _between(last: Piece | None, piece: Piece, gap: bool, tight: bool) -> str:
    """What stands between two pieces: a space, or nothing."""
    if last is None or last.kind == "open" or piece.kind in ("close", "comma", "stroke"):
        return ""
    kinds = {last.kind, piece.kind}
    if "words" in kinds:
        return " " if gap else ""
    if last.text == COLON and piece.text == "=":
        return ""
    if "relation" in kinds:
        alphabetic = any(one.kind == "relation" and one.text.isalpha() for one in (last, piece))
        return "" if tight and not alphabetic else " "
    if last.kind == "comma":
        return "" if tight else " "
    if piece.kind == "sign":
        binary = last.ends()
        return " " if binary and not tight else ""
    if last.kind == "sign":
        return "" if tight else " "
    if "slash" in kinds or last.kind == "prefix":
        return ""
    return " " if gap or _apart(last, piece) else ""


def _apart(last: Piece, piece: Piece) -> bool:
    """Whether two factors would be read as something else without a space."""
    bar = piece.kind == "open" and piece.text in BARS.values()
    if piece.kind == "open" and not bar:
        return last.bare or last.kind in ("big", "fraction")
    if _called(last) and piece.kind == "fraction":
        return False
    if {last.kind, piece.kind} & {"name", "big", "fraction"} or bar or last.bare:
        return True
    if last.kind == "close":
        return last.script or last.text in BARS.values()
    return last.script or piece.text[:1].isdigit()
