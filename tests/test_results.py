"""Results on the page, from a small book with every kind of record, built in a folder of its own."""

import subprocess
import sys

import nbformat
import pytest
from bs4 import BeautifulSoup
from logpartition_book import build
from logpartition_book.records import MIME
from sample import CHAPTERS, ROOT, make, record, step


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Root and output folder of the sample, built."""
    build.install_katex(ROOT / "book" / "_ext")
    root = tmp_path_factory.mktemp("book")
    make(root / "root")
    build.build(root / "root", root / "out", quiet=True)
    return root / "root", root / "out"


def box(book, slug, label):
    tree = BeautifulSoup((book[1] / "html" / f"{slug}.html").read_text(encoding="utf-8"), "html.parser")
    return tree.find(id=f"eq-{label}")


def facts(tree):
    """The evidence behind the badge: what stands beside each name."""
    return {dt.get_text(): dt.find_next_sibling("dd") for dt in tree.select(".lp-facts > dt")}


def edited(root, slug, change):
    """Apply `change` to the records of a chapter, by label, and store the notebook."""
    path = root / "book" / f"{slug}.ipynb"
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            change(output.data[MIME])
    nbformat.write(notebook, path)


@pytest.mark.parametrize("slug", CHAPTERS)
def test_every_record_has_one_box_with_title_number_and_badge(book, slug):
    for place, expected in enumerate(CHAPTERS[slug][1], 1):
        found = box(book, slug, expected["label"])
        assert found.select_one(".lp-title").get_text() == expected["title"]
        assert found.select_one(".lp-number").get_text() == f"({list(CHAPTERS).index(slug) + 1}.{place})"
        assert len(found.select("summary .lp-badge")) == 1


@pytest.mark.parametrize("label, words", [
    ("softmax-gradient", "proved for all sizes"), ("popoviciu", "proved for the sizes given"), ("sup-attained", "checked numerically"),
    ("eq9-as-printed", "refuted")])
def test_the_badge_says_what_the_run_earned(book, label, words):
    assert box(book, "softmax-gradient", label).select_one("summary").get_text() == words


def test_a_chain_has_a_term_and_a_reason_a_line(book):
    found = box(book, "softmax-gradient", "softmax-gradient")
    assert len(found.select(".lp-start")) == 1
    assert [line.select_one(".lp-reason").get_text()[:13] for line in found.select(".lp-step")] == ["differentiate", "differentiate", "that is the m"]
    assert found.select_one(".lp-step:nth-of-type(3) .lp-reason annotation").get_text() == "s_j"


def test_a_statement_is_not_said_twice(book):
    assert box(book, "exponential-families", "sigmoid-softmax").select(".lp-display") == []
    assert len(box(book, "softmax-gradient", "softmax-gradient").select(".lp-display")) == 1


def test_an_induction_begins_anew_for_its_step(book):
    assert len(box(book, "cumulants", "exponential-cumulants").select(".lp-start")) == 2


def test_evidence_tells_routes_mutants_and_neighbours(book):
    found = facts(box(book, "softmax-gradient", "softmax-gradient"))
    assert found["Links"].select("tbody tr")[0].get_text("|") == "1|sums|14 points, 30 digits|9 of 9"
    assert found["Mutants"].get_text().startswith("27 of 27 deliberate errors rejected")
    assert found["Time"].get_text() == "0.4 s"
    assert [a["href"] for a in found["Rests on"].select("a")] == ["exponential-families.html#eq-normalised"]
    assert "(2.2) The Hessian is the covariance of the keys" in found["Used by"].get_text()
    assert [a["href"] for a in found["Answers"].select("a")] == ["ledger.html#claim-s0-eq10", "ledger.html#claim-s0-eq11"]
    assert found["Certifies"].get_text("|").split("|") == ["logpartition.attention.attention", "logpartition.attention.log_partition"]
    assert found["Cite"].a.get_text() == "softmax-gradient.html#eq-softmax-gradient"


def test_a_link_without_a_symbolic_route_says_so(book):
    assert "undecided" in facts(box(book, "softmax-gradient", "sup-attained"))["Links"].get_text()


def test_a_refutation_shows_the_point_and_the_correction(book):
    found = box(book, "softmax-gradient", "eq9-as-printed").select_one(".lp-erratum").get_text()
    assert "000, eq. (9)" in found and "the left side is 1/2, the right side 0.73105857863000…" in found
    assert "(2.1) Attention is the gradient of the log-partition function" in found


def test_words_are_refuted_by_results(book):
    found = box(book, "cumulants", "marcinkiewicz-as-printed")
    assert "Contradicted by" in [dt.get_text() for dt in found.select(".lp-erratum dt")]


def test_a_citation_links_its_source(book):
    assert box(book, "exponential-families", "pitman-koopman-darmois").select_one(".lp-source a")["href"].startswith("references.html#")


def test_the_pages_of_records_hold_every_result_and_claim(book):
    pages = {name: BeautifulSoup((book[1] / "html" / f"{name}.html").read_text(encoding="utf-8"), "html.parser") for name in ("ledger", "errata", "graph")}
    labels = {f"{slug}.html#eq-{r['label']}" for slug, (_, found) in CHAPTERS.items() for r in found}
    assert {a["href"] for a in pages["ledger"].select("#results tbody th a")} == labels
    assert {a["href"] for a in pages["graph"].select("svg a")} == labels == {a["href"] for a in pages["graph"].select(".lp-graph-text > details > ul > li > a")}
    assert pages["ledger"].find(id="claim-s0-eq4").select_one(".lp-open").get_text() == "not answered yet"
    assert "correct under" not in pages["errata"].get_text()
    assert pages["errata"].find(id="erratum-s0-eq9").select_one(".lp-judgement").get_text() == "misprint"
    assert pages["errata"].find(id="erratum-s0-eq4").select_one(".lp-judgement").get_text() == "under examination"


def test_who_uses_a_result_follows_the_other_chapters(book):
    root, output = book
    assert "(3.2)" not in facts(box(book, "softmax-gradient", "popoviciu"))["Used by"].get_text()
    edited(root, "cumulants", lambda r: r["uses"].append("popoviciu") if r["label"] == "linear-attention-rate" else None)
    build.build(root, output, quiet=True)
    assert "(3.2) The error of linear attention" in facts(box(book, "softmax-gradient", "popoviciu"))["Used by"].get_text()
    assert "(2.3)" in facts(box(book, "cumulants", "linear-attention-rate"))["Rests on"].get_text()


def test_nothing_is_written_when_nothing_changed(book):
    root, output = book

    def written():
        """When each page was written, after one more build; in a process of its own, since themes leave traces in Sphinx."""
        code = f"from logpartition_book.build import build; from pathlib import Path; build(Path({str(root)!r}), Path({str(output)!r}), quiet=True)"
        subprocess.run([sys.executable, "-c", code], check=True)
        return {path.name: path.stat().st_mtime_ns for path in (output / "html").glob("*.html")}

    assert written() == written()


def test_the_ledger_notices_that_an_audit_has_appeared(book):
    root, output = book
    (root / "book" / "audit.json").write_text('{"tried": 4321, "killed": 4321}')
    build.build(root, output, quiet=True)
    assert "The last full audit tried 4,321 mutants and rejected 4,321." in (output / "html" / "ledger.html").read_text()


@pytest.mark.parametrize("fault, told", [
    ({"uses": ["nowhere"]}, "no result has the label 'nowhere'"),
    ({"claims": ["s9-nothing"]}, "no claim has the id 's9-nothing'"),
    ({"steps": [step(r"\foo", "")]}, "Undefined control sequence"),
    ({"label": "hessian"}, "duplicate label of equation eq-hessian"),
    ({"steps": [step("1", "by {eq}`eq-nowhere`")]}, "equation not found"),
])
def test_a_broken_record_stops_the_build(tmp_path, capfd, monkeypatch, fault, told):
    monkeypatch.setattr("sample.CHAPTERS", {**CHAPTERS, "cumulants": ("Cumulants", [
        record(**{"label": "broken", "title": "A broken record", "steps": [step("1", "")], "start": "x", "statement": "x = 1", **fault})])})
    make(tmp_path / "root")
    with pytest.raises(SystemExit):
        build.build(tmp_path / "root", tmp_path / "out", quiet=True)
    assert told in capfd.readouterr().err


def test_a_changed_stylesheet_reaches_the_site(book):
    root, output = book
    style = root / "book" / "_static" / "book.css"
    style.write_text(style.read_text() + "\n.lp-new { color: red }\n")
    build.build(root, output, quiet=True)
    assert ".lp-new" in (output / "html" / "_static" / "book.css").read_text()
