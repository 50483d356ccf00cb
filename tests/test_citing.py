"""CITATION.cff is what its format, version 1.2.0, says it is, and gives the book the title of the
page on citing."""

import re

import yaml
from jsonschema import Draft202012Validator

from logpartition_book.files import ROOT
from logpartition_book.schema import WORDS, either, entry, every

# of each key of the format that the file may have
OWNERS = entry({"name": WORDS}, {"website": WORDS, "orcid": WORDS, "email": WORDS}, closed=True)
CARD = entry(
    {
        "cff-version": either("1.2.0"),
        "message": WORDS,
        "title": WORDS,
        "authors": {**every(OWNERS), "minItems": 1},
    },
    {
        "abstract": WORDS,
        "date-released": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
        "doi": {"type": "string", "pattern": r"^10\.\d{4,9}/"},
        "keywords": {**every(WORDS), "minItems": 1, "uniqueItems": True},
        "license": {**every(either("BSD-3-Clause", "CC-BY-4.0")), "uniqueItems": True},
        "repository-code": {"type": "string", "pattern": "^https://"},
        "type": either("software", "dataset"),
        "url": {"type": "string", "pattern": "^https://"},
        "version": WORDS,
    },
    closed=True,
)


def test_the_citation_file_is_of_its_format_and_has_the_title_of_the_page_on_citing():
    card = yaml.load((ROOT / "CITATION.cff").read_text(encoding="utf-8"), yaml.BaseLoader)
    assert [error.message for error in Draft202012Validator(CARD).iter_errors(card)] == []
    page = (ROOT / "book" / "citing.md").read_text(encoding="utf-8")
    assert re.search(r"title *= \{\{(.*)\}\}", page)[1] == card["title"]
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
    assert card["title"].startswith(f"{book}: ")
    for wrong in ({**card, "authors": []}, {**card, "titel": "x"}, {**card, "type": "book"}):
        assert list(Draft202012Validator(CARD).iter_errors(wrong))
