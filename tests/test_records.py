"""Records: what the notebooks store, in the order of the table of contents."""

import json

import pytest

from logpartition_book import records


def notebook(*labels, **metadata):
    outputs = [
        {
            "output_type": "execute_result",
            "data": {records.MIME: {"label": label}, "text/plain": label},
            "metadata": metadata,
        }
        for label in labels
    ]
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ""},
                {"cell_type": "code", "outputs": outputs},
            ]
        }
    )


@pytest.fixture
def root(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text(
        "root: index\nparts:\n- chapters:\n  - file: second\n    sections:\n    - file: inner\n"
        "- chapters:\n  - file: first\n  - file: page\n"
    )
    (tmp_path / "book/first.ipynb").write_text(notebook("a", "b"))
    (tmp_path / "book/inner.ipynb").write_text(notebook())
    (tmp_path / "book/second.ipynb").write_text(notebook("c", **{records.MIME: {"seconds": 0.4}}))
    (tmp_path / "book/page.md").write_text("# A page")
    (tmp_path / "book/unlisted.ipynb").write_text(notebook("x"))
    return tmp_path


def test_notebooks_come_in_reading_order(root):
    assert [path.name for path in records.notebooks(root)] == [
        "second.ipynb",
        "inner.ipynb",
        "first.ipynb",
    ]


def test_records_know_their_chapter_and_time(root):
    found = records.all_records(root / "book")
    assert [(r["label"], r["chapter"], r["seconds"]) for r in found] == [
        ("c", "second", 0.4),
        ("a", "first", None),
        ("b", "first", None),
    ]


def test_a_changed_notebook_is_read_again(root):
    path = root / "book/first.ipynb"
    assert len(records.records(path)) == 2
    path.write_text(notebook("a"))
    assert [r["label"] for r in records.records(path)] == ["a"]


def test_a_file_that_is_no_notebook_is_named(tmp_path):
    (tmp_path / "broken.ipynb").write_text("{}")
    with pytest.raises(ValueError, match="broken.ipynb"):
        records.records(tmp_path / "broken.ipynb")


def test_claims_are_found_by_id(tmp_path):
    (tmp_path / "claims.yaml").write_text(
        "claims: [{id: s0-x, seed: '000'}]\nbeyond: [{id: B01, title: T}]\n"
    )
    assert list(records.claims(tmp_path)) == ["s0-x", "B01"]
