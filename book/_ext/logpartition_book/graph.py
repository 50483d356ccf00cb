"""The dependency graph as SVG: a picture a chapter, what is used left of what uses it.

A picture shows what is connected, piece by piece: the results of a chapter that rest on something
or carry something in the same chapter, and beside them, fainter, those of other chapters that they
rest on. All stand on one grid; edges run in the gutters between columns and in the gaps between
rows, so that none passes behind a box.
"""

from html import escape
from textwrap import shorten, wrap
from typing import NamedTuple

WIDTH, HEIGHT, GUTTER, GAP, CORNER, ACROSS = 212, 78, 52, 18, 5, 4
LETTERS, LINES = 26, 4  # in a line of a box, and in a box
GLYPHS = {
    "proved": "●",
    "proved-sizes": "◐",
    "argued": "¶",
    "checked": "○",
    "refuted": "✎",
    "observed": "≈",
    "cited": "❞",
}  # the badges'


class Node(NamedTuple):
    label: str
    number: str
    title: str
    verdict: str
    chapter: str
    uses: list[str]
    href: str


class Spot(NamedTuple):
    """Top left corner of a node, with the offset that keeps its edges apart from those of its
    neighbours."""

    x: float
    y: float
    lane: int


def columns(nodes: list[Node]) -> dict[str, int]:
    """Column of each result: 0 where it uses nothing among `nodes`, else one more than the furthest
    it uses."""
    by_label = {node.label: node for node in nodes}
    found: dict[str, int] = {}

    def column(label: str, above: tuple[str, ...] = ()) -> int:
        if label in above:
            raise ValueError(
                "the results rest on each other in a circle: " + " → ".join((*above, label))
            )
        if label not in found:
            own = [used for used in by_label[label].uses if used in by_label]
            found[label] = max((column(used, (*above, label)) + 1 for used in own), default=0)
        return found[label]

    for node in nodes:
        column(node.label)
    return found


def pieces(nodes: list[Node]) -> list[list[Node]]:
    """The connected pieces, largest first."""
    piece = {node.label: {node.label} for node in nodes}
    for node in nodes:
        for used in node.uses:
            if used in piece and piece[used] is not piece[node.label]:
                joined = piece[used] | piece[node.label]
                piece.update(dict.fromkeys(joined, joined))
    distinct = {id(found): found for found in piece.values()}.values()
    return sorted(
        ([node for node in nodes if node.label in found] for found in distinct),
        key=len,
        reverse=True,
    )


def arrange(piece: list[Node]) -> dict[str, tuple[int, int]]:
    """(column, row) of each result of a piece, stacked near what it uses."""
    column = columns(piece)
    found: dict[str, tuple[int, int]] = {}
    for c in range(max(column.values()) + 1):
        stack = [node for node in piece if column[node.label] == c]
        heights = {
            node.label: [found[used][1] for used in node.uses if used in found] for node in stack
        }
        stack.sort(key=lambda node: sum(heights[node.label]) / max(len(heights[node.label]), 1))
        found.update({node.label: (c, r) for r, node in enumerate(stack)})
    return found


def shelve(blocks: list[dict[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """All pieces on one grid, side by side while there is room, then below."""
    room = max([ACROSS, *(_extent(block, 0) for block in blocks)])
    found: dict[str, tuple[int, int]] = {}
    left = top = tall = 0
    for block in blocks:
        if left + _extent(block, 0) > room:
            left, top, tall = 0, top + tall, 0
        found.update({label: (left + c, top + r) for label, (c, r) in block.items()})
        left, tall = left + _extent(block, 0), max(tall, _extent(block, 1))
    return found


def _extent(block: dict[str, tuple[int, int]], axis: int) -> int:
    return 1 + max(spot[axis] for spot in block.values())


def picture(nodes: list[Node], chapter: str) -> list[Node]:
    """What the picture of `chapter` shows: its linked results, and those of other chapters that
    they use."""
    own = [node for node in nodes if node.chapter == chapter]
    used = {label for node in own for label in node.uses}
    foreign = [
        node._replace(uses=[]) for node in nodes if node.label in used and node.chapter != chapter
    ]
    return foreign + [node for node in own if node.uses or node.label in used]


def place(shown: list[Node]) -> tuple[dict[str, Spot], float, float]:
    """The spot of each node of a picture, and the picture's width and height."""
    grid = shelve([arrange(piece) for piece in pieces(shown)])
    spots = {
        label: Spot(GUTTER / 2 + c * (WIDTH + GUTTER), GAP + r * (HEIGHT + GAP), n % 5)
        for n, (label, (c, r)) in enumerate(grid.items())
    }
    return spots, _extent(grid, 0) * (WIDTH + GUTTER), GAP + _extent(grid, 1) * (HEIGHT + GAP)


def draw(nodes: list[Node], chapter: str) -> str:
    """The SVG element of a chapter, empty where nothing is linked.

    A result's incoming edges are inside its link, so that pointing at it shows what it rests on.
    """
    shown = picture(nodes, chapter)
    if not shown:
        return ""
    spots, width, height = place(shown)
    parts = [
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        ' xmlns="http://www.w3.org/2000/svg">'
    ]
    for node in shown:
        edges = "".join(_edge(used, spots[used], spots[node.label]) for used in node.uses)
        parts.append(_box(node, spots[node.label], edges, node.chapter != chapter))
    return "".join(parts) + "</svg>"


def route(source: Spot, target: Spot) -> list[tuple[float, float]]:
    """Corners of an edge, from the right side of what is used, through gutters and gaps, to the
    left side of what uses it."""
    x1, y1, x2, y2 = source.x + WIDTH, source.y + HEIGHT / 2, target.x, target.y + HEIGHT / 2
    out = x1 + 8 + 6 * source.lane
    if x2 - x1 == GUTTER:
        return [(x1, y1), (out, y1), (out, y2), (x2, y2)] if y1 != y2 else [(x1, y1), (x2, y2)]
    gap, into = target.y - 4 - 2 * source.lane, x2 - 14
    return [(x1, y1), (out, y1), (out, gap), (into, gap), (into, y2), (x2, y2)]


def _edge(used: str, source: Spot, target: Spot) -> str:
    x, y = target.x, target.y + HEIGHT / 2
    return (
        f'<g class="lp-edge" data-from="{escape(used)}">'
        f'<path d="{_rounded(route(source, target))}"/>'
        f'<path class="lp-tip" d="M{x:g} {y:g}l-6 -3v6z"/></g>'
    )


def _rounded(points: list[tuple[float, float]]) -> str:
    """A path along horizontal and vertical runs, its corners rounded."""
    path = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for (xa, ya), (x, y), (xb, yb) in zip(points, points[1:], points[2:]):
        r = min(CORNER, (abs(x - xa) + abs(y - ya)) / 2, (abs(xb - x) + abs(yb - y)) / 2)
        before = (x - r * _sign(x - xa), y - r * _sign(y - ya))
        after = (x + r * _sign(xb - x), y + r * _sign(yb - y))
        path.append(f"L{before[0]:g} {before[1]:g}Q{x:g} {y:g} {after[0]:g} {after[1]:g}")
    return "".join(path) + f"L{points[-1][0]:g} {points[-1][1]:g}"


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _box(node: Node, spot: Spot, edges: str, foreign: bool) -> str:
    lines = wrap(f"({node.number}) {node.title}", LETTERS)
    if len(lines) > LINES:
        rest = " ".join(lines[LINES - 1 :])
        lines = [*lines[: LINES - 1], shorten(rest, LETTERS, placeholder=" …")]
    start = spot.y + HEIGHT / 2 + 4.5 - (len(lines) - 1) * 8
    text = "".join(
        f'<text x="{spot.x + 12:g}" y="{start + 16 * i:g}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<a href="{escape(node.href)}" data-label="{escape(node.label)}"'
        f' class="lp-node lp-{node.verdict}{" lp-foreign" if foreign else ""}">'
        f"<title>({node.number}) {escape(node.title)}</title>{edges}"
        f'<rect x="{spot.x:g}" y="{spot.y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
        f'<path class="lp-flag" d="M{spot.x + 2:g} {spot.y + 4:g}v{HEIGHT - 8}"/>'
        f'<text class="lp-glyph" x="{spot.x + WIDTH - 11:g}" y="{spot.y + 17:g}">'
        f"{GLYPHS[node.verdict]}\ufe0e</text>{text}</a>"
    )
