"""The dependency graph as SVG: a band a chapter, what is used left of what uses it.

A result's column is the longest path below it within its chapter, so every arrow inside a band runs to the right, and
arrows between bands run downwards, since a chapter rests on earlier ones.
"""

from html import escape
from textwrap import shorten, wrap
from typing import NamedTuple

WIDTH, HEIGHT, GAP_X, GAP_Y, HEAD = 158, 52, 54, 12, 30


class Node(NamedTuple):
    label: str
    number: str
    title: str
    verdict: str
    chapter: str
    uses: list[str]
    href: str


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


def place(nodes: list[Node]) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]], float, float]:
    """Top left corner of each node, top and height of each chapter's band, width and height of the drawing."""
    column = columns(nodes)
    users = {node.label: [other.label for other in nodes if node.label in other.uses] for node in nodes}
    at: dict[str, tuple[float, float]] = {}
    bands: dict[str, tuple[float, float]] = {}
    across = max(max(column.values(), default=0) + 1, 4)
    top = 0.0
    for chapter in dict.fromkeys(node.chapter for node in nodes):
        own = [node for node in nodes if node.chapter == chapter]
        linked = [node for node in own if node.uses or users[node.label]]
        alone = [node for node in own if not (node.uses or users[node.label])]
        stacks: list[list[Node]] = [[] for _ in range(across)]
        for node in linked:
            stacks[column[node.label]].append(node)
        rows: dict[str, float] = {}
        for stack in stacks:  # near the mean height of what it uses, then without overlap
            stack.sort(key=lambda node: _mean([rows[used] for used in node.uses if used in rows]))
            for row, node in enumerate(stack):
                rows[node.label] = row
        depth = max(map(len, stacks), default=0)
        for i, node in enumerate(alone):
            rows[node.label] = depth + i // across
        spots = {node.label: i % across for i, node in enumerate(alone)}
        for node in own:
            x = spots.get(node.label, column[node.label]) * (WIDTH + GAP_X)
            at[node.label] = (x + GAP_Y, top + HEAD + rows[node.label] * (HEIGHT + GAP_Y))
        height = HEAD + (depth + -(-len(alone) // across)) * (HEIGHT + GAP_Y)
        bands[chapter] = (top, height)
        top += height + GAP_Y
    return at, bands, across * (WIDTH + GAP_X) - GAP_X + 2 * GAP_Y, top - GAP_Y


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def draw(nodes: list[Node], titles: dict[str, str]) -> str:
    """The SVG element; its list of links is the text alternative's business."""
    if not nodes:
        return "<p>No chapter holds a result.</p>"
    at, bands, width, height = place(nodes)
    chapter = {node.label: node.chapter for node in nodes}
    parts = [f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" xmlns="http://www.w3.org/2000/svg">',
             '<defs><marker id="lp-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path d="M0 0L8 4L0 8z"/></marker></defs>']
    for slug, (y, tall) in bands.items():
        parts.append(f'<rect class="lp-band" x="0" y="{y:g}" width="{width:g}" height="{tall:g}" rx="6"/>'
                     f'<text class="lp-band-title" x="{GAP_Y}" y="{y + 20:g}">{escape(titles[slug])}</text>')
    for node in nodes:
        for used in node.uses:
            parts.append(_edge(at[used], at[node.label], chapter[used] == node.chapter))
    parts += [_box(node, *at[node.label]) for node in nodes]
    return "".join(parts) + "</svg>"


def _edge(source: tuple[float, float], target: tuple[float, float], inside: bool) -> str:
    """From right to left side within a band; from the bottom to the top between bands."""
    if inside:
        x1, y1, x2, y2 = source[0] + WIDTH, source[1] + HEIGHT / 2, target[0], target[1] + HEIGHT / 2
        bend = f"C{x1 + GAP_X / 2:g} {y1:g} {x2 - GAP_X / 2:g} {y2:g}"
    else:
        x1, y1, x2, y2 = source[0] + WIDTH / 2, source[1] + HEIGHT, target[0] + WIDTH / 2, target[1]
        bend = f"C{x1:g} {(y1 + y2) / 2:g} {x2:g} {(y1 + y2) / 2:g}"
    return f'<path class="lp-edge" d="M{x1:g} {y1:g}{bend} {x2:g} {y2:g}" marker-end="url(#lp-arrow)"/>'


def _box(node: Node, x: float, y: float) -> str:
    lines = wrap(f"({node.number}) {node.title}", 26)
    lines = lines if len(lines) <= 3 else [*lines[:2], shorten(" ".join(lines[2:]), 26, placeholder=" …")]
    start = y + HEIGHT / 2 + 4 - (len(lines) - 1) * 7
    text = "".join(f'<text x="{x + 10:g}" y="{start + 14 * i:g}">{escape(line)}</text>' for i, line in enumerate(lines))
    return (f'<a href="{escape(node.href)}" class="lp-node lp-{node.verdict}"><title>({node.number}) {escape(node.title)}</title>'
            f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
            f'<path class="lp-flag" d="M{x + 2:g} {y + 5:g}v{HEIGHT - 10}"/>{text}</a>')
