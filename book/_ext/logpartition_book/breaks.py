"""What a reader may break in a program with one click: changes of its text that make a statement
of the same kind, and most often a false one.

The terms of a chain are changed and not its certificates, and no operation is exchanged for one
that wants other shapes: what a reader is to see is a counterexample.
"""

import ast
from itertools import accumulate

FLIPPED = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
TURNED = {"le": "ge", "ge": "le", "lt": "gt", "gt": "lt"}


class Source:
    """A text, and where in it the parts of its tree stand."""

    def __init__(self, text):
        self.text, self.tree = text, ast.parse(text)
        self.lines = text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]

    def start(self, node):
        return self._at(node.lineno, node.col_offset)

    def end(self, node):
        return self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line, column):
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def calls(self):
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    def keywords(self, *names):
        """From where to where the keywords of these names stand in the calls, with the comma before
        each."""
        for call in self.calls():
            given = sorted([*call.args, *call.keywords], key=self.start)
            for before, one in zip(given, given[1:]):
                if isinstance(one, ast.keyword) and one.arg in names:
                    yield self.end(before), self.end(one)


def without(text, *names):
    """A text whose calls lack the keywords of these names."""
    for start, end in sorted(Source(text).keywords(*names), reverse=True):
        text = text[:start] + text[end:]
    return text


def breaks(text, needs: bool) -> list[tuple[int, int, str]]:
    """Changes of a program, the likeliest to be refuted first: from where to where, and what stands
    there then. Hypotheses go where the statement `needs` one."""
    source = Source(text)
    inside = [node for term in _terms(source) for node in ast.walk(term)]
    if not inside:
        return []
    given = [(*span, "") for span in source.keywords("given") if needs]
    groups = _signs(source, inside), given, _turned(source), _dropped(source, inside)
    return [one for group in groups for one in sorted(group)]


def _terms(source):
    """The terms of chains, and what inductions claim."""
    for call in source.calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("eq", *TURNED):
            yield from call.args[:1]
        if isinstance(call.func, ast.Name) and call.func.id in ("derive", "induction"):
            yield from call.args[1:2]


def _signs(source, nodes):
    """Plus for minus, minus for plus, and no minus."""
    for node in nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in FLIPPED:
            old, new = FLIPPED[type(node.op)]
            at = source.text.index(old, source.end(node.left), source.start(node.right))
            yield at, at + 1, new
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _endless(node):
            yield source.start(node), source.start(node) + 1, ""


def _endless(node):
    """Minus infinity, an end of an integral, is no number that another one may stand for."""
    return isinstance(node.operand, ast.Name) and node.operand.id == "oo"


def _turned(source):
    """At least for at most."""
    for call in source.calls():
        if isinstance(call.func, ast.Attribute) and call.func.attr in TURNED:
            yield source.end(call.func) - 2, source.end(call.func), TURNED[call.func.attr]


def _dropped(source, nodes):
    """A divisor less, a first factor less where it has no parts, and another exponent."""
    for node in nodes:
        if not isinstance(node, ast.BinOp):
            continue
        if isinstance(node.op, ast.Div):
            at = source.text.index("/", source.end(node.left))
            yield len(source.text[:at].rstrip()), source.end(node), ""
        if isinstance(node.op, ast.Mult) and isinstance(node.left, (ast.Constant, ast.Name)):
            at = source.text.index("*", source.end(node.left)) + 1
            yield source.start(node), at + (source.text[at] == " "), ""
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
            yield source.start(node.right), source.end(node.right), f"{node.right.value + 1}"
