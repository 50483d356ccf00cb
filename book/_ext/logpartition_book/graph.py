"""The dependency graph as SVG: a band a chapter, what is used left of what uses it.

A result's column is the longest path below it within its chapter. Edges run in the gutters between columns and in the
gaps between rows, so that none passes behind a box; those that leave one result share a line until they part.
"""

from html import escape
from textwrap import shorten, wrap
from typing import NamedTuple

WIDTH, HEIGHT, GUTTER, GAP, HEAD, CORNER = 178, 52, 56, 18, 40, 5


class Node(NamedTuple):
    label: str
    number: str
    title: str
    verdict: str
    chapter: str
    uses: list[str]
    href: str


class Spot(NamedTuple):
    """Top left corner of a node, with the offset that keeps its edges apart from those of its neighbours."""

    x: float
    y: float
    lane: int


def columns(nodes: list[Node]) -> dict[str, int]:
    """Column of each result: 0 where it uses nothing of its own chapter, else one more than the furthest it uses."""
    by_label = {node.label: node for node in nodes}
    found: dict[str, int] = {}

    def column(label: str, above: tuple[str, ...] = ()) -> int:
        if label in above:
            raise ValueError("the results rest on each other in a circle: " + " → ".join((*above, label)))
        if label not in found:
            node = by_label[label]
            own = [used for used in node.uses if by_label[used].chapter == node.chapter]
            found[label] = max((column(used, (*above, label)) + 1 for used in own), default=0)
        return found[label]

    for node in nodes:
        column(node.label)
    return found


def rows(nodes: list[Node], used: set[str], column: dict[str, int], across: int) -> dict[str, tuple[int, int]]:
    """(column, row) of each result of one chapter: the linked ones stacked near what they use, the others below."""
    linked = [node for node in nodes if node.uses or node.label in used]
    alone = [node for node in nodes if node not in linked]
    found: dict[str, tuple[int, int]] = {}
    for c in range(across):
        stack = [node for node in linked if column[node.label] == c]
        heights = {node.label: [found[label][1] for label in node.uses if label in found] for node in stack}
        stack.sort(key=lambda node: sum(heights[node.label]) / max(len(heights[node.label]), 1))
        found.update({node.label: (c, r) for r, node in enumerate(stack)})
    depth = max((r + 1 for _, r in found.values()), default=0)
    found.update({node.label: (i % across, depth + i // across) for i, node in enumerate(alone)})
    return found


def place(nodes: list[Node]) -> tuple[dict[str, Spot], dict[str, tuple[float, float]], float, float]:
    """The spot of each node, top and height of each chapter's band, width and height of the drawing."""
    column, used = columns(nodes), {label for node in nodes for label in node.uses}
    across = max(max(column.values(), default=0) + 1, 4)
    spots: dict[str, Spot] = {}
    bands: dict[str, tuple[float, float]] = {}
    top = 0.0
    for chapter in dict.fromkeys(node.chapter for node in nodes):
        found = rows([node for node in nodes if node.chapter == chapter], used, column, across)
        for label, (c, r) in found.items():
            spots[label] = Spot(GUTTER / 2 + c * (WIDTH + GUTTER), top + HEAD + r * (HEIGHT + GAP), len(spots) % 5)
        height = HEAD + (1 + max(r for _, r in found.values())) * (HEIGHT + GAP)
        bands[chapter] = (top, height)
        top += height + GAP
    return spots, bands, across * (WIDTH + GUTTER), top - GAP


def draw(nodes: list[Node], titles: dict[str, str]) -> str:
    """The SVG element. A result's incoming edges are inside its link, so that pointing at it shows what it rests on."""
    if not nodes:
        return "<p>No chapter holds a result.</p>"
    spots, bands, width, height = place(nodes)
    parts = [f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" xmlns="http://www.w3.org/2000/svg">']
    for slug, (y, tall) in bands.items():
        parts.append(f'<rect class="lp-band" x=".5" y="{y + .5:g}" width="{width - 1:g}" height="{tall - 1:g}" rx="5"/>'
                     f'<text class="lp-band-title" x="{GUTTER / 2:g}" y="{y + 22:g}">{escape(titles[slug])}</text>')
    for node in nodes:
        edges = "".join(_edge(spots[used], spots[node.label]) for used in node.uses)
        parts.append(_box(node, spots[node.label], edges))
    return "".join(parts) + "</svg>"


def route(source: Spot, target: Spot) -> list[tuple[float, float]]:
    """Corners of an edge, from the right side of what is used, through gutters and gaps, to the left side of what uses it."""
    x1, y1, x2, y2 = source.x + WIDTH, source.y + HEIGHT / 2, target.x, target.y + HEIGHT / 2
    out = x1 + 8 + 6 * source.lane
    if x2 - x1 == GUTTER:
        return [(x1, y1), (out, y1), (out, y2), (x2, y2)] if y1 != y2 else [(x1, y1), (x2, y2)]
    gap, into = target.y - 4 - 2 * source.lane, x2 - 14
    return [(x1, y1), (out, y1), (out, gap), (into, gap), (into, y2), (x2, y2)]


def _edge(source: Spot, target: Spot) -> str:
    x, y = target.x, target.y + HEIGHT / 2
    return f'<path class="lp-edge" d="{_rounded(route(source, target))}"/><path class="lp-tip" d="M{x:g} {y:g}l-6 -3v6z"/>'


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


def _box(node: Node, spot: Spot, edges: str) -> str:
    lines = wrap(f"({node.number}) {node.title}", 26)
    lines = lines if len(lines) <= 3 else [*lines[:2], shorten(" ".join(lines[2:]), 26, placeholder=" …")]
    start = spot.y + HEIGHT / 2 + 4 - (len(lines) - 1) * 7
    text = "".join(f'<text x="{spot.x + 11:g}" y="{start + 14 * i:g}">{escape(line)}</text>' for i, line in enumerate(lines))
    return (f'<a href="{escape(node.href)}" class="lp-node lp-{node.verdict}"><title>({node.number}) {escape(node.title)}</title>{edges}'
            f'<rect x="{spot.x:g}" y="{spot.y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
            f'<path class="lp-flag" d="M{spot.x + 2:g} {spot.y + 4:g}v{HEIGHT - 8}"/>{text}</a>')
