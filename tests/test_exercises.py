"""Each exercise of the book has a folded hint, and an answer that is hidden."""

import re

import pytest

from logpartition_book.files import ROOT
from logpartition_book.prose import HINT
from logpartition_book.records import notebooks, read

PARTS = re.compile(r"^## (?:Exercises|Your own result)$", re.MULTILINE)
FOLDED = re.compile(rf"^{HINT[0]}\n\n(.+?)\n\n{HINT[1]}$", re.MULTILINE | re.DOTALL)


def exercises(path):
    """The text of each exercise of a chapter, and whether its answer, the cell of code after it, is
    hidden."""
    cells, inside = read(path).cells, False
    for cell, after in zip(cells, [*cells[1:], None]):
        if cell.cell_type == "markdown":
            text = cell.source
            if found := PARTS.search(text):
                inside, text = True, text[found.end() :]
            elif re.search(r"^## ", text, re.MULTILINE):
                inside = False
            if inside and (found := re.search(r"^### ", text, re.MULTILINE)):
                assert text.count("\n### ") + text.startswith("### ") == 1
                yield text[found.start() :], "hide-cell" in after.metadata.get("tags", ())


@pytest.mark.parametrize("path", notebooks(ROOT), ids=lambda path: path.stem)
def test_each_has_a_folded_hint_and_a_hidden_answer(path):
    found = list(exercises(path))
    assert len(found) > 1
    for text, hidden in found:
        (hint,) = FOLDED.findall(text)
        assert hidden and 20 < len(hint), text
        assert "Hint" not in FOLDED.sub("", text) and "<" not in hint
