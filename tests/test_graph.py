"""The layout of the dependency graph."""

import pytest
from logpartition_book import graph


def node(label, *uses, chapter="one"):
    return graph.Node(label, "1.1", label.upper(), "proved", chapter, list(uses), f"{chapter}.html#eq-{label}")


NODES = [node("a"), node("b", "a"), node("c", "a", "b"), node("lonely"), node("d", "c", "a", chapter="two"), node("e", "d", chapter="two")]


def test_what_is_used_stands_left_of_what_uses_it():
    assert graph.columns(NODES) == {"a": 0, "b": 1, "c": 2, "lonely": 0, "d": 0, "e": 1}


def test_boxes_do_not_overlap_and_lie_in_their_band():
    spots, bands, width, height = graph.place(NODES)
    for n in NODES:
        top, tall = bands[n.chapter]
        assert top < spots[n.label].y and spots[n.label].y + graph.HEIGHT < top + tall <= height
        assert 0 < spots[n.label].x and spots[n.label].x + graph.WIDTH < width
    corners = [(spot.x, spot.y) for spot in spots.values()]
    assert len(set(corners)) == len(NODES)


def test_no_edge_passes_behind_a_box():
    spots, *_ = graph.place(NODES)
    for n in NODES:
        for used in n.uses:
            points = graph.route(spots[used], spots[n.label])
            for (x1, y1), (x2, y2) in zip(points, points[1:]):
                assert x1 == x2 or y1 == y2
                crossed = [label for label, spot in spots.items()
                           if min(x1, x2) < spot.x + graph.WIDTH and max(x1, x2) > spot.x
                           and min(y1, y2) < spot.y + graph.HEIGHT and max(y1, y2) > spot.y]
                assert crossed == [], (used, n.label)


def test_a_circle_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="a → b → a"):
        graph.columns([node("a", "b"), node("b", "a")])


def test_titles_are_escaped():
    assert "&lt;x&gt;" in graph.draw([node("<x>")], {"one": "One"}).lower()
