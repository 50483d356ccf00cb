"""The book on paper and the archive, of a book of two pages."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256

import pytest
import yaml
from browser import FLAGS, installed
from made import derivation
from notebooks import built, bundle, code, make_book, printed, record, result, shown
from pypdf import PdfReader

from logpartition.proof import theorem
from logpartition_book import archive, paper, redrawn

DAY = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WIDE = r"\left(" + 90 * "x+" + r"y\right)=0"  # no line ends within brackets
SUM = derivation("sum", title="On sum")
QUESTIONS = range(36)
LONG = (13, 25, 35)  # of these the answers are longer than a page
PICTURE = """<figure class="lp-figure"><svg viewBox="0 0 40 10"><path d="M0 5h40"/></svg>
<div class="controls"><label>start <select><option>at rest</option></select></label>
<label>speed <input type="range"> <output>v = 3</output></label><button>play</button></div></figure>
"""
HIDDEN = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}
ANSWER = {"tags": ["hide-cell"], "jupyter": {"source_hidden": True, "outputs_hidden": True}}
PROGRAM = "\n".join(f"line_{number} = 0" for number in range(70))


def exercise(k):
    """A question and its answer, a box that once had another label, anywhere on a page."""
    asked = f"## Question {k}" + "\n\nA line." * (3 + k % 7)
    if k % 2:
        said = f"Beginning {k}. {15 * 'It goes on and on, and on. '}Ending{k}."
        why = (15 * k if k in LONG else 3 * (1 + k)) * "By this and by that. " + "See {sum}."
        made = theorem(f"answer-{k}", said, by={SUM: "all"}, argument=why, title=f"Box {k}")
        return [asked, code(outputs=[bundle(made.record.json())], **ANSWER)]
    shown = [bundle(record(f"answer-{k}", title=f"Box {k}"))]
    return [asked, code(outputs=shown, **ANSWER)]


PAGES = {
    "one": [
        "## A section\n\nSee [the other](two.ipynb), {eq}`eq-sum` and <https://example.org/x>.",
        code("hidden = 'code'", outputs=[printed("the answer is 42\n")], **ANSWER),
        code(outputs=[shown(html=PICTURE)], **HIDDEN),
        code(PROGRAM),
    ],
    "two": [
        "## Another section",
        code(outputs=[bundle(SUM.record.json())]),
        result("wide", statement=WIDE),
    ],
    "three": [cell for k in QUESTIONS for cell in exercise(k)],
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Root and output of a book that is built and printed, and its PDF once more."""
    folder = tmp_path_factory.mktemp("paper")
    root, output = make_book(folder / "root", PAGES), folder / "out"
    (root / "book" / "redirects.txt").write_text(
        "".join(f"three#old-{k} three#answer-{k}\n" for k in QUESTIONS)
    )
    assert built(root, output) == (0, "")
    installed()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "edition", lambda root: ("Version 9, 2 January 2026", DAY))
        patch.setattr(paper, "FLAGS", FLAGS)
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


@pytest.fixture(scope="module")
def texts(pdf):
    """What stands on each page."""
    return [page.extract_text() for page in pdf.pages]


def links(pdf):
    for page in pdf.pages:
        for annotation in page.get("/Annots", []):
            yield annotation.get_object().get("/A", {}).get("/URI", "within")


def test_the_contents_name_the_pages_on_which_chapters_begin(texts):
    assert "Version 9, 2 January 2026" in texts[0]
    listed = re.findall(r"^(one|two) (\d+)$", texts[0], re.MULTILINE)
    assert [title for title, _ in listed] == ["one", "two"]
    for title, page in listed:
        assert texts[int(page) - 1].startswith(f"{title}\n{page}\n{title}\n")


def test_above_a_page_stands_what_it_is_a_page_of(texts):
    heads = [text.split("\n")[0] for text in texts[1:]]
    assert list(dict.fromkeys(heads)) == ["Front", "one", "two", "three"]
    assert heads.count("three") > 5


def test_answers_are_shown_and_code_that_is_folded_is_not(texts):
    text = "".join(texts)
    assert "the answer is 42" in text and "hidden = " not in text


@pytest.mark.parametrize(
    "said", ["Answer: (1)", "Hint", "In words", "1 result", "12 results", "see also: 2"]
)
def test_what_is_folded_on_the_site_is_open_on_paper(said):
    folded = f'<details class="x">\n<summary>{said}</summary>'
    assert paper.unfolded(folded) == folded.replace("<details", "<details open")


def test_code_and_lists_that_others_repeat_stay_folded():
    for said in ("Code", "On their own in this chapter: 3"):
        folded = f"<details><summary>{said}</summary>"
        assert paper.unfolded(folded) == folded


def test_what_a_picture_shows_is_said_and_controls_are_left_out(texts):
    text = "".join(texts)
    assert "at rest" in text and "v = 3" in text and "play" not in text


def test_code_goes_on_overleaf(texts):
    (first,) = (text for text in texts if "A section" in text)
    assert "line_9 =" in first and "line_69 =" not in first


def test_a_box_has_its_evidence_in_short(texts):
    text = "".join(texts)
    assert text.count("Assumes") == text.count("compute") > 10
    assert "∈ R" in text and "Cite" not in text and "Mutants" not in text


@pytest.mark.parametrize("k", QUESTIONS)
def test_a_box_is_with_its_answer_and_whole_where_a_page_can_hold_it(texts, k):
    (found,) = (text for text in texts if f"\nBox {k} (" in text)
    above, _, below = found.partition(f"\nBox {k} (")
    assert above.split("\n")[-1].startswith("Answer: (")
    assert (f"#eq-answer-{k}\n" in f"{below}\n") == (k not in LONG)
    (end,) = (text for text in texts if f"#eq-answer-{k}\n" in f"{text}\n")
    last = end.partition(f"#eq-answer-{k}")[0].split("html#eq-")[-1]
    assert last.count("\n") > 6 and ("On sum: all" in last or not k % 2)
    assert k not in LONG or f"Ending{k}." in below and last.count("By this") > 6


def test_a_formula_too_wide_for_the_page_is_smaller(texts):
    """What is cut at the margin is not in the file, and all the rest would be smaller for it."""
    (text,) = (text for text in texts if "On wide" in text)
    assert len(re.findall(r"x\s*\+", text)) == 90


def test_the_cover_says_what_the_addresses_are(texts):
    assert "Under each result stands its address within the book’s site" in texts[0]


def test_links_lead_within_or_to_an_address_that_is_everybodys(pdf):
    assert set(links(pdf)) == {"within", "https://example.org/x"}


def test_bookmarks_are_those_of_the_chapters(pdf):
    names = [entry.title for entry in pdf.outline if not isinstance(entry, list)]
    assert {"one", "two"} <= set(names)


def test_the_pdf_says_whose_it_is(book, pdf):
    """As the citation file does; what a reader opens it with finds the rest as it was."""
    card = yaml.safe_load((book[0] / "CITATION.cff").read_text())
    said = pdf.metadata
    assert (said.title, said.author) == (card["title"], card["authors"][0]["name"])
    assert said.creation_date == said.modification_date == DAY and said.producer


def test_the_same_commit_gives_the_same_files(book):
    _, output = book
    assert (output / paper.NAME).read_bytes() == (output / "again.pdf").read_bytes()
    assert (output / archive.NAME).read_bytes() == (output / "again.zip").read_bytes()


def test_a_pdf_is_of_the_site_that_it_was_printed_from(book, monkeypatch, tmp_path):
    root, output = book
    site, path = tmp_path / "html", output / paper.NAME
    monkeypatch.setattr(paper, "edition", lambda root: ("Version 9, 2 January 2026", DAY))
    assert paper.is_of(output / "html", root, path)
    shutil.copytree(output / "html", site)
    assert paper.is_of(site, root, path)
    (site / "one.html").write_text("Another.")
    assert not paper.is_of(site, root, path)
    monkeypatch.setattr(paper, "edition", lambda root: ("Version 9, 3 January 2026", DAY))
    assert not paper.is_of(output / "html", root, path)


def test_a_site_is_printed_once(book, monkeypatch, capsys):
    root, output = book
    monkeypatch.setattr(paper, "edition", lambda root: ("Version 9, 2 January 2026", DAY))
    monkeypatch.setattr(paper.build, "is_site", lambda output, made_of: True)
    monkeypatch.setattr(paper, "make", lambda site, root, path: 7)
    monkeypatch.setattr(sys, "argv", ["paper", "--output", str(output)])
    monkeypatch.chdir(paper.ROOT)
    paper.main()
    assert "was printed from this site before" in capsys.readouterr().out
    (output / paper.NAME).rename(output / "another.pdf")
    paper.main()
    assert "7 pages." in capsys.readouterr().out
    (output / "another.pdf").rename(output / paper.NAME)


def test_an_archive_of_an_older_pdf_is_refused(tmp_path, monkeypatch):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "results.json").write_text("{}")
    (tmp_path / paper.NAME).write_text("A PDF.")
    monkeypatch.setattr(archive.gates, "check_book", lambda root: [])
    monkeypatch.setattr(archive.readings, "listed", lambda root: [])
    monkeypatch.setattr(archive.build, "is_site", lambda output, made_of: True)
    monkeypatch.setattr(paper, "changed", lambda root: False)
    monkeypatch.setattr(sys, "argv", ["archive", "--output", str(tmp_path)])
    monkeypatch.chdir(archive.ROOT)
    with pytest.raises(SystemExit, match="is not of the site there: call make pdf"):
        archive.main()
    assert not (tmp_path / archive.NAME).exists()


def test_an_edition_says_that_there_are_changes_since_its_commit(tmp_path):
    def git(*arguments):
        told = ("-c", "user.name=x", "-c", "user.email=x@book.invalid")
        subprocess.run(["git", *told, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "CITATION.cff").write_text("version: 1.0.0")
    assert paper.edition(tmp_path)[0] == "Version 1.0.0"
    git("init")
    git("add", ".")
    git("commit", "-m", "One")
    assert re.search(r", commit \w+$", paper.edition(tmp_path)[0])
    (tmp_path / "CITATION.cff").write_text("version: 1.0.1")
    assert re.search(r", commit \w+, changed since$", paper.edition(tmp_path)[0])
    git("commit", "-am", "Two")
    (tmp_path / "more.md").write_text("More.")
    assert paper.changed(tmp_path)


def test_an_archive_of_a_changed_book_is_refused(tmp_path, monkeypatch):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "results.json").write_text("{}")
    (tmp_path / paper.NAME).write_text("A PDF.")
    monkeypatch.setattr(archive.gates, "check_book", lambda root: [])
    monkeypatch.setattr(archive.readings, "listed", lambda root: [])
    monkeypatch.setattr(paper, "changed", lambda root: True)
    monkeypatch.setattr(sys, "argv", ["archive", "--output", str(tmp_path)])
    monkeypatch.chdir(archive.ROOT)
    with pytest.raises(SystemExit, match="there are changes since: commit them first"):
        archive.main()


def test_the_book_is_not_printed_from_the_site_of_another(tmp_path, monkeypatch):
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("A page.")
    monkeypatch.setattr(paper, "chromium", lambda: "chromium")
    monkeypatch.setattr(sys, "argv", ["paper", "--output", str(tmp_path)])
    monkeypatch.chdir(paper.ROOT)
    with pytest.raises(SystemExit, match="is not that of the book as it is: call make book"):
        paper.main()


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


def test_the_archive_says_what_is_in_it_and_how_to_check_it(book, tmp_path):
    """The files that it names are there, and its commands read them."""
    with zipfile.ZipFile(book[1] / archive.NAME) as found:
        said, names = found.read("README.md").decode(), set(found.namelist())
        found.extractall(tmp_path)
    assert "Version 9, 2 January 2026.\n" in said and "$" not in said
    named = set(re.findall(r"`([\w.-]+/?)`", said.partition("## To check")[0]))
    kept = {name for name in named if any(n == name or n.startswith(name) for n in names)}
    assert named - kept <= {"LICENSE", "LICENSE-TEXT", "requirements.txt"}  # which this book lacks
    assert {name.partition("/")[0] for name in names} == {one.strip("/") for one in kept} | {
        "README.md"
    }
    (notebook,) = (name for name in names if name.endswith("/two.ipynb"))
    offered = (book[1] / "html" / "two.ipynb").read_bytes()
    assert (tmp_path / notebook).read_bytes() == offered and b'"**(' in offered
    commands = re.findall(r"```sh\n(.*)\n```", said)
    assert commands == ["sha256sum --check SHA256SUMS", "python -m logpartition check notebooks/"]
    compared = (
        f"up to {redrawn.UNIT:g} unit of a drawing, {redrawn.SHARE:.0%} of a shape's size,"
        f" {redrawn.PIXELS} pixels and {redrawn.LEVELS} of 256 levels of a color"
    ).replace("%", " %")
    assert compared in said, "what `make test` compares"
    done = subprocess.run(commands[0].split(), cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "README.md: OK" in done.stdout
    again = [sys.executable, *commands[1].split()[1:], "sum"]
    done = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # made by hand, its record need not follow


def test_the_ledger_says_of_each_claim_what_answers_it():
    """Of the book itself, as JSON and as a table."""
    rows = archive.ledger(archive.ROOT)
    assert len({row["claim"] for row in rows}) == len(rows) > 100
    assert all(row["results"] for row in rows if row["status"] == "true")
    read = list(csv.DictReader(io.StringIO(archive.table(rows))))
    for key in archive.LISTS:
        assert [row[key].split() for row in read] == [row[key] for row in rows]
    assert any(row["see"] for row in rows)
    assert not [row["claim"] for row in rows if {*row["results"]} & {*row["see"]}]
    json.dumps(rows)
