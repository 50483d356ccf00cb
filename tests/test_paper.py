"""The book on paper and the archive, of a book of two pages."""

import csv
import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from browser import installed
from notebooks import built, code, make_book, printed, result
from pypdf import PdfReader

from logpartition_book import archive, paper

DAY = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PAGES = {
    "one": [
        "## A section\n\nSee [the other](two.ipynb), {eq}`eq-sum` and <https://example.org/x>.",
        code("hidden = 'code'", outputs=[printed("the answer is 42\n")], tags=["hide-cell"]),
    ],
    "two": ["## Another section", result("sum")],
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Root and output of a book that is built and printed, and its PDF once more."""
    folder = tmp_path_factory.mktemp("paper")
    root, output = make_book(folder / "root", PAGES), folder / "out"
    assert built(root, output) == (0, "")
    installed()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "edition", lambda root: ("Version 9, 2 January 2026", DAY))
        for name in (paper.NAME, "again.pdf"):
            # in a thread of its own, since another test of this process may have a browser
            with ThreadPoolExecutor(1) as thread:
                thread.submit(paper.make, output / "html", root, output / name).result()
        archive.make(root, output, output / archive.NAME)
        archive.make(root, output, output / "again.zip")
    return root, output


@pytest.fixture(scope="module")
def pdf(book):
    return PdfReader(book[1] / paper.NAME)


def links(pdf):
    for page in pdf.pages:
        for annotation in page.get("/Annots", []):
            yield annotation.get_object().get("/A", {}).get("/URI", "within")


def test_the_contents_name_the_pages_on_which_chapters_begin(pdf):
    texts = [page.extract_text() for page in pdf.pages]
    assert "Version 9, 2 January 2026" in texts[0]
    listed = re.findall(r"^(one|two) (\d+)$", texts[0], re.MULTILINE)
    assert [title for title, _ in listed] == ["one", "two"]
    for title, page in listed:
        assert texts[int(page) - 1].startswith(f"{page}\n{title}\n")


def test_answers_are_shown_and_code_that_is_folded_is_not(pdf):
    text = "".join(page.extract_text() for page in pdf.pages)
    assert "the answer is 42" in text and "hidden = " not in text


def test_links_lead_within_or_to_an_address_that_is_everybodys(pdf):
    assert set(links(pdf)) == {"within", "https://example.org/x"}


def test_bookmarks_are_those_of_the_chapters(pdf):
    names = [entry.title for entry in pdf.outline if not isinstance(entry, list)]
    assert {"one", "two"} <= set(names)


def test_the_same_commit_gives_the_same_files(book):
    _, output = book
    assert (output / paper.NAME).read_bytes() == (output / "again.pdf").read_bytes()
    assert (output / archive.NAME).read_bytes() == (output / "again.zip").read_bytes()


def test_the_archive_has_everything_with_its_checksum(book):
    with zipfile.ZipFile(book[1] / archive.NAME) as found:
        names = set(found.namelist())
        sums = found.read("SHA256SUMS").decode().splitlines()
        assert {"notebooks/one.ipynb", "results.json", "ledger.csv", paper.NAME} <= names
        for line in sums:
            digest, name = line.split("  ")
            assert sha256(found.read(name)).hexdigest() == digest
            names.remove(name)
        assert names == {"SHA256SUMS"}


def test_the_ledger_says_of_each_claim_what_answers_it():
    """Of the book itself, as JSON and as a table."""
    rows = archive.ledger(archive.ROOT)
    assert len({row["claim"] for row in rows}) == len(rows) > 100
    assert all(row["results"] for row in rows if row["status"] == "true")
    read = list(csv.DictReader(io.StringIO(archive.table(rows))))
    assert [row["results"].split() for row in read] == [row["results"] for row in rows]
    json.dumps(rows)
