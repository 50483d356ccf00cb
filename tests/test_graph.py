"""The layout of the dependency graph."""

from pathlib import Path

import pytest

from logpartition_book import graph
from logpartition_book.index import VERDICTS


def node(label, *uses, chapter="one"):
    return graph.Node(
        label, "1.1", label.upper(), "proved", chapter, list(uses), f"{chapter}.html#eq-{label}"
    )


NODES = [
    node("a"),
    node("b", "a"),
    node("c", "a", "b"),
    node("lonely"),
    node("d", "c", "a", chapter="two"),
    node("e", "d", chapter="two"),
]


PICTURES = [graph.picture(NODES, chapter) for chapter in ("one", "two")]


def labels(nodes):
    return [n.label for n in nodes]


def test_a_picture_shows_what_is_connected_and_what_it_rests_on_elsewhere():
    assert labels(PICTURES[0]) == ["a", "b", "c"]
    assert labels(PICTURES[1]) == ["a", "c", "d", "e"] and PICTURES[1][1].uses == []


def test_pieces_are_connected_and_apart():
    assert [labels(piece) for piece in graph.pieces([*NODES[:4], node("x"), node("y", "x")])] == [
        ["a", "b", "c"],
        ["x", "y"],
        ["lonely"],
    ]


def test_what_is_used_stands_left_of_what_uses_it():
    assert graph.columns(PICTURES[0]) == {"a": 0, "b": 1, "c": 2}
    for shown in PICTURES:
        spots, *_ = graph.place(shown)
        assert all(spots[used].x + graph.WIDTH < spots[n.label].x for n in shown for used in n.uses)


def test_boxes_do_not_overlap_and_lie_in_the_picture():
    many = [n for i in range(6) for n in (node(f"p{i}"), node(f"q{i}", f"p{i}"))]
    for shown in (*PICTURES, many):
        spots, width, height = graph.place(shown)
        assert all(
            0 < spot.x
            and spot.x + graph.WIDTH < width
            and 0 < spot.y
            and spot.y + graph.HEIGHT < height
            for spot in spots.values()
        )
        assert len({(spot.x, spot.y) for spot in spots.values()}) == len(shown)
        assert width <= graph.ACROSS * (graph.WIDTH + graph.GUTTER)


def test_no_edge_passes_behind_a_box():
    for shown in (
        *PICTURES,
        [
            node("a"),
            node("b", "a"),
            node("c", "b", "a"),
            node("d", "c", "a", "b"),
            node("e", "d", "a"),
            node("f", "a"),
        ],
    ):
        spots, *_ = graph.place(shown)
        for n in shown:
            for used in n.uses:
                points = graph.route(spots[used], spots[n.label])
                for (x1, y1), (x2, y2) in zip(points, points[1:]):
                    assert x1 == x2 or y1 == y2
                    crossed = [
                        label
                        for label, spot in spots.items()
                        if min(x1, x2) < spot.x + graph.WIDTH
                        and max(x1, x2) > spot.x
                        and min(y1, y2) < spot.y + graph.HEIGHT
                        and max(y1, y2) > spot.y
                    ]
                    assert crossed == [], (used, n.label)


def test_a_circle_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="a → b → a"):
        graph.columns([node("a", "b"), node("b", "a")])


def test_titles_are_escaped():
    assert "&lt;x&gt;" in graph.draw([node("<x>"), node("y", "<x>")], "one").lower()


def test_a_chapter_without_links_has_no_picture():
    assert graph.draw([node("x"), node("y")], "one") == ""


def test_every_verdict_has_the_glyph_of_its_badge():
    assert set(graph.GLYPHS) == set(VERDICTS)
    style = (Path(__file__).parents[1] / "book" / "_static" / "book.css").read_text(
        encoding="utf-8"
    )
    for kind, glyph in graph.GLYPHS.items():
        assert f'.lp-badge.lp-{kind}::before {{ content: "{glyph}' in style
