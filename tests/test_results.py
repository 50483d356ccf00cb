"""Results on the page, from a small book with every kind of record, built in a folder of its
own."""

import json
import platform
import re
import shutil
import subprocess
from functools import lru_cache
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from made import derivation, link
from notebooks import built, code, make_book, notebook, result, store
from sample import CHAPTERS, ROOT, make

from logpartition.proof import display
from logpartition.proof.record import refutation
from logpartition_book import (
    addresses,
    leaves,
    objects,
    reproduce,
    results,
    schema,
    seal,
    theme,
)
from logpartition_book.pages import Errata, Ledger
from logpartition_book.records import MIME, all_records


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Root and output folder of the sample, built."""
    root = tmp_path_factory.mktemp("book")
    make(root / "root")
    assert built(root / "root", root / "out") == (0, "")
    return root / "root", root / "out"


def box(book, slug, label):
    return tree(book, slug).find(id=f"eq-{label}")


def tree(book, name):
    return parsed((book[1] / "html" / f"{name}.html").read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def parsed(html):
    """A page, for those who only look."""
    return BeautifulSoup(html, "html.parser")


def pages(book):
    return {name: tree(book, name) for name in ("ledger", "errata", "graph")}


def facts(tree):
    """The evidence behind the badge: what stands beside each name."""
    return {dt.get_text(): dt.find_next_sibling("dd") for dt in tree.select(".lp-facts > dt")}


def edited(root, slug, change):
    """Apply `change` to the records of a chapter, by label, and store the notebook."""
    path = root / "book" / f"{slug}.ipynb"
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if MIME in output.data:
                change(output.data[MIME])
    nbformat.write(notebook, path)


@pytest.mark.parametrize("slug", CHAPTERS)
def test_the_sample_has_records_as_the_book_has(slug):
    for record in CHAPTERS[slug][1]:
        assert schema.wrong_record(record) == [], record["label"]


@pytest.mark.parametrize("slug", CHAPTERS)
def test_every_record_has_one_box_with_title_number_and_badge(book, slug):
    for place, expected in enumerate(CHAPTERS[slug][1], 1):
        found = box(book, slug, expected["label"])
        assert found.select_one(".lp-title").get_text() == (expected["title"] or expected["label"])
        assert (
            found.select_one(".lp-number").get_text()
            == f"({list(CHAPTERS).index(slug) + 1}.{place})"
        )
        assert len(found.select("summary .lp-badge")) == 1


@pytest.mark.parametrize(
    "label, words",
    [
        ("softmax-gradient", "proved for all sizes"),
        ("popoviciu", "proved for N ≥ 2"),
        ("sup-attained", "checked numerically at 11 of 14 points, N = 2; d = 1, 2, 3"),
        ("on-cited", "proved from what is not proved: pitman-koopman-darmois (cited)"),
        ("eq9-as-printed", "corrects draft notes, eq. (9)"),
        ("multinomial-as-printed", "corrects draft notes, section 3.1"),
        ("one-fixed-point", "argued in words"),
        ("bare", "proved"),
    ],
)
def test_the_badge_says_what_the_run_earned(book, label, words):
    assert (
        box(book, "softmax-gradient", label).select_one(".lp-evidence > summary").get_text()
        == words
    )


@pytest.mark.parametrize(
    "label, words",
    [
        ("softmax-gradient", "all sizes"),
        ("popoviciu", "N ≥ 2"),
        ("sup-attained", None),
        ("free-of-sizes", None),
        ("bare", None),
        ("one-fixed-point", None),
        ("eq9-as-printed", None),
    ],
)
def test_a_result_holds_for_what_was_shown(book, label, words):
    """Nothing that was only checked holds for all sizes, and where there are no sizes none are
    named."""
    found = facts(box(book, "softmax-gradient", label)).get("Holds for")
    assert (found and found.get_text()) == words
    row = pages(book)["ledger"].find("tr", {"data-label": label})
    assert (label == "softmax-gradient") == ("all sizes" in row.get_text())


@pytest.mark.parametrize(
    "label, words", [("sup-attained", "N = 2; d = 1, 2, 3"), ("free-of-sizes", "sampled points")]
)
def test_what_was_only_checked_says_where(book, label, words):
    assert facts(box(book, "softmax-gradient", label))["Tried at"].get_text() == words
    row = pages(book)["ledger"].find("tr", {"data-label": label}).get_text()
    assert "checked numerically at 1" in row and (words in row or label == "free-of-sizes")


def test_titles_are_headings_and_stay_out_of_the_contents(book):
    page = tree(book, "softmax-gradient")
    titles = page.select(".lp-result .lp-title")
    assert len(titles) == len(CHAPTERS["softmax-gradient"][1])
    assert {(title["role"], title["aria-level"]) for title in titles} == {
        ("heading", "3")
    }  # each is in a section of the chapter
    assert not page.select(
        ".bd-sidebar-primary [href*='#eq-'], .bd-sidebar-secondary [href*='#eq-']"
    )


def test_what_folds_code_is_named_after_what_the_code_makes(book):
    summaries = tree(book, "softmax-gradient").select("details.hide > summary")
    assert [summary.get_text() for summary in summaries[:3]] == [
        "Code for the figure",
        "Code for (2.1)",
        "Answer: (2.2)",
    ]
    assert not any(summary.get("aria-label") for summary in summaries)


def test_a_figure_and_its_caption_are_one(book):
    [figure] = tree(book, "cumulants").select("figure")
    assert figure.select_one(".lp-figure svg") and figure.figcaption.get_text().startswith(
        "A line, for "
    )
    assert "A line, for" not in "".join(
        p.get_text() for p in tree(book, "cumulants").select(".bd-article p")
    )


def test_a_chain_has_a_term_and_a_reason_a_line(book):
    found = box(book, "softmax-gradient", "softmax-gradient")
    assert len(found.select(".lp-start")) == 1
    assert [line.select_one(".lp-reason").get_text()[:13] for line in found.select(".lp-step")] == [
        "differentiate",
        "differentiate",
        "that is the m",
    ]
    assert [bool(line.select(".lp-remark")) for line in found.select(".lp-step")] == [
        False,
        False,
        True,
    ]
    assert found.select_one(".lp-step:nth-of-type(3) .lp-reason annotation").get_text() == "s_j"


def test_a_statement_is_not_said_twice(book):
    assert box(book, "exponential-families", "sigmoid-softmax").select(".lp-display") == []
    assert len(box(book, "softmax-gradient", "softmax-gradient").select(".lp-display")) == 1


def test_an_induction_begins_anew_for_its_step(book):
    assert len(box(book, "cumulants", "exponential-cumulants").select(".lp-start")) == 2


def test_evidence_tells_routes_mutants_and_neighbours(book):
    found = facts(box(book, "softmax-gradient", "softmax-gradient"))
    assert (
        found["Links"].select("tbody tr")[0].get_text("|")
        == "1|sums|14 of 14 points, 30 digits|9 of 9"
    )
    assert found["Mutants"].get_text().startswith("27 of 27 deliberate errors rejected")
    assert found["Time of the check"].get_text() == "0.4 s"
    assert [a["href"] for a in found["Rests on"].select("a")] == [
        "exponential-families.html#eq-normalised"
    ]
    assert "(2.2) The Hessian is the covariance of the keys" in found["Used by"].get_text()
    assert [a["href"] for a in found["Answers"].select("a")] == [
        "errata.html#erratum-s0-eq10",
        "ledger.html#claim-s0-eq11",
    ]
    assert found["Certifies"].get_text("|").split("|") == [
        "logpartition.attention.attention",
        "logpartition.attention.log_partition",
    ]


def test_a_theorem_in_words_shows_its_hypotheses_and_its_argument(book):
    found = box(book, "softmax-gradient", "one-fixed-point")
    assert "has exactly one fixed point" in found.select_one(".lp-words").get_text()
    rows = {dt.get_text(): dt.find_next_sibling("dd") for dt in found.select(".lp-argument > dt")}
    assert [item.get_text()[-18:] for item in rows["Given"].select("li")][1] == "finitely many keys"
    assert "shortens distances, by (2.3)" in rows["Argument"].get_text()
    assert [a["href"] for a in rows["From"].select("a")] == ["#eq-popoviciu", "#eq-hessian"]
    assert (
        rows["From"]
        .li.get_text()
        .endswith("a quarter of the squared range: a bound of the covariance")
    )


def test_a_remark_and_the_long_form_of_a_step(book):
    found = box(book, "softmax-gradient", "with-everything")
    reasons = found.select(".lp-chain")[0].select(".lp-reason")
    assert (
        reasons[0].get_text() == "definition of the meanthe keys may repeat"
        and reasons[0].select_one(".lp-remark").get_text() == "the keys may repeat"
        and reasons[1].get_text() == "compute"
    )
    entries = found.select_one("details.lp-entries")
    assert entries.summary.get_text() == "entries" and "open" not in entries.attrs
    assert r"\sum_{j=1}^{N} k_{j}" in entries.select_one("annotation").get_text()
    assert not box(book, "softmax-gradient", "hessian").select(".lp-entries")


def test_evidence_says_how_a_result_is_decided_from_its_record(tmp_path):
    root = make_book(
        tmp_path / "root", {"one": [result("alone", terms={"lines": []}), result("b")]}
    )
    assert built(root, tmp_path / "out") == (0, "")
    page = BeautifulSoup((tmp_path / "out/html/one.html").read_text(), "html.parser")
    command = ".venv/bin/python -m logpartition check book/ alone"
    assert command in page.find(id="eq-alone").text and "check" not in page.find(id="eq-b").text


def test_evidence_tells_which_hypotheses_are_needed_and_what_is_trusted(book):
    found = facts(box(book, "softmax-gradient", "with-everything"))
    needed, unknown = (item.get_text() for item in found["Hypotheses"].select("li"))
    assert needed.endswith(
        "needed: without it the statement fails at N = 0, the left side is undefined"
    )
    assert unknown.endswith("without it no failure was found at the points tried")
    assert found["Trusts"].get_text() == "SymPy’s limits"
    assert [row.get_text("|") for row in found["Links"].select("tbody tr")] == [
        "1|sums, trusting SymPy’s limits|14 of 14 points, 30 digits|9 of 9",
        "2|not asked|5 of 8 points, 30 digits|9 of 9",
        "whole|12 of 12 points, 30 digits",
    ]


def test_evidence_tells_what_below_is_not_proved(book):
    found = facts(box(book, "softmax-gradient", "with-everything"))
    assert [a["href"] for a in found["Rests on cited results"].select("a")] == [
        "exponential-families.html#eq-pitman-koopman-darmois"
    ]
    assert "Rests on cited results" not in facts(box(book, "softmax-gradient", "hessian"))


def test_a_measurement_says_what_was_expected_and_what_a_failure_would_show(book):
    def rows(label):
        found = box(book, "cumulants", label).select(".lp-measurement > dt")
        return {
            dt.get_text(): [a.get_text() for a in dt.find_next_sibling("dd").select("annotation")]
            for dt in found
        }, {dt.get_text(): dt.find_next_sibling("dd").get_text() for dt in found}

    tex, said = rows("linear-attention-rate")
    assert tex["Predicted"] == ["2"] and tex["Tolerance"] == ["0.01"] and len(tex["Errors"]) == 8
    assert "(chosen)" in said["Tolerance"] and tex["Standard error"]
    tex, said = rows("worst")
    assert said["Measured"].endswith("the worst of 2 runs") and tex["Measured"] == ["0.25"]
    assert said["Predicted"].startswith("at most ") and tex["A failure would show"] == ["1"]
    assert "Tolerance" not in tex
    assert rows("coin")[1]["Measured"].startswith("below ")


def test_a_citation_holds_in_every_edition(book):
    found = facts(box(book, "softmax-gradient", "popoviciu"))["Cite"]
    told = found.p.get_text()
    version = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1]
    for part in (
        "A variance is at most a quarter",
        "proved for N ≥ 2",
        f"version {version}",
        "softmax-gradient.html#eq-popoviciu",
    ):
        assert part in told
    assert "2.3" not in told
    page = tree(book, "softmax-gradient").find(id="reproduce")
    assert page["data-edition"] == f"version {version}"  # which a script makes entries of


@pytest.mark.parametrize(
    "version, commit, said",
    [
        ("1.0", "commit abc of 2026-01-01", "version 1.0"),
        ("1.0", "commit abc, changed since", "version 1.0, commit abc, changed since"),
        ("1.0.dev", "commit abc of 2026-01-01", "version 1.0.dev, commit abc of 2026-01-01"),
        ("1.0.dev", "", "version 1.0.dev"),
        ("", "commit abc", ""),
    ],
)
def test_before_its_release_a_version_is_cited_with_the_commit(version, commit, said):
    assert reproduce.edition(version, commit) == said


def test_the_evidence_says_how_to_have_the_result_again(book):
    """The cell, its notebook to download, commit, versions and commands."""
    page = tree(book, "softmax-gradient")
    found = facts(page.find(id="eq-popoviciu"))["Reproduce"]
    assert "make run CHAPTERS=softmax-gradient states it anew" in found.get_text()
    link, download = found.select("a")
    assert download["href"] == "softmax-gradient.ipynb" and "download" in download.attrs
    made = page.select_one(link["href"])
    assert made.find(id="eq-popoviciu") and 'derive("popoviciu"' in made.get_text()
    notebook = nbformat.read(book[0] / "book" / "softmax-gradient.ipynb", 4)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    number = re.fullmatch(r"Code cell (\d+)", found.a.get_text())[1]
    assert '"popoviciu"' in code[int(number) - 1]
    pins = re.findall(r"(?m)^(?:sympy|mpmath)==(\S+)", (ROOT / "requirements.txt").read_text())
    for part in ("softmax-gradient.ipynb", "version ", *pins):
        assert part in found.get_text() and part in page.find(id="reproduce").get_text()


def test_the_page_of_a_result_has_all_that_reproduces_it(book):
    leaf = tree(book, "result/popoviciu")
    (said,) = leaf.select('h2:-soup-contains("Reproduce") + ul')
    (record,) = (r for r in CHAPTERS["softmax-gradient"][1] if r["label"] == "popoviciu")
    parts = ["Code cell 4 of softmax-gradient.ipynb", "Version ", "The notebook runs with SymPy "]
    for part in (*parts, "make run CHAPTERS=softmax-gradient", record["fingerprint"]):
        assert part in said.get_text()
    assert [link["href"] for link in said.select("a")] == [
        "../softmax-gradient.html#cell-4",
        "../softmax-gradient.ipynb",
    ]


def test_the_page_of_a_result_has_its_numbers_and_a_citation(book):
    observed = next(r for r in all_records(book[0] / "book") if r["kind"] == "observation")
    page = tree(book, f"result/{observed['label']}")
    (lines,) = page.select('h2:-soup-contains("Measurement") + ul')
    assert "Predicted: " in lines.get_text() and "Measured: " in lines.get_text()
    (cited,) = page.select('h2:-soup-contains("Cite") + p')
    assert observed["title"] in cited.get_text() and observed["label"] in cited.get_text()
    (source,) = tree(book, "result/pitman-koopman-darmois").select(
        'h2:-soup-contains("Source") + p'
    )
    assert source.get_text() == "Koopman [1936], Theorem 1"
    name, _, place = source.a["href"].removeprefix("../").partition(".html#")
    assert "Koopman" in tree(book, name).find(id=place).get_text()
    assert tree(book, "result/with-everything").find("a", string="Bal [2020]")


def test_the_page_of_a_result_has_its_argument_who_uses_it_and_entries_to_copy(book):
    page = tree(book, "result/one-fixed-point")
    (argument,) = page.select('h2:-soup-contains("Argument") + p')
    assert argument.get_text().startswith("The map shortens distances")
    (rests,) = page.select('h2:-soup-contains("Rests on") + ul')
    assert "quarter of the squared range: a bound of the covariance" in rests.get_text()
    bibtex, ris = (one.get_text() for one in page.select("details pre"))
    assert bibtex.startswith("@misc{attention-is-a-gradient:one-fixed-point,\n  author = {{The")
    assert ris.startswith("TY  - GEN\nTI  - A contraction") and ris.endswith("\nER  - ")
    (users,) = tree(book, "result/hessian").select('h2:-soup-contains("Used by") + ul')
    assert users.find("a", string=re.compile(r"^\(\S+\) A contraction has one fixed point$"))


def test_the_page_of_a_result_leads_to_where_its_notebook_runs(book):
    (record,) = (r for r in CHAPTERS["softmax-gradient"][1] if r["label"] == "popoviciu")
    page = leaves.Leaf(None, {}, record, "one/two")
    said = parsed(page.cell(book[0] / "book" / "softmax-gradient.ipynb"))
    binder, colab = (said.find("a", string=name)["href"] for name in ("Binder", "Colab"))
    assert "/one/two/HEAD?" in binder and "/one/two/blob/" in colab
    assert binder.endswith("softmax-gradient.ipynb") and colab.endswith("softmax-gradient.ipynb")


def test_a_run_names_the_versions_that_it_needs_and_the_python_that_it_had(tmp_path):
    path = tmp_path / "book" / "one.ipynb"
    path.parent.mkdir()
    (tmp_path / "requirements.txt").write_text("sympy==1  # why\nmpmath==2\ntorch==3\nnumpy==4\n")
    cells = [nbformat.v4.new_code_cell(code) for code in ("import torch", "from sympy import Sum")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.write(notebook, path)
    said = reproduce.versions(path, reproduce.imported(path))
    assert said == "SymPy 1, mpmath 2 and torch 3" and reproduce.python(path) == ""
    nbformat.write(seal.seal(notebook, tmp_path), path)
    assert reproduce.python(path) == f", made with Python {platform.python_version()}"
    assert seal.holds(nbformat.read(path, 4))
    path.write_text(path.read_text().replace(platform.python_version(), "3.11, as is proved"))
    assert not seal.holds(nbformat.read(path, 4))


@pytest.mark.parametrize(
    "slug, label, said",
    [
        ("softmax-gradient", "one-fixed-point", "In words: no program decides it."),
        ("softmax-gradient", "multinomial-as-printed", "In words: no program decides it."),
        ("exponential-families", "pitman-koopman-darmois", "Cited: no program decides it."),
    ],
)
def test_a_result_without_a_program_says_why(book, slug, label, said):
    """Before its evidence, where others have a button."""
    box_ = box(book, slug, label)
    assert [small.get_text() for small in box_.find_all("small", recursive=False)] == [said]
    assert not box_.select("button[data-try]")
    assert box_.small.find_next_sibling().get("class") == ["lp-evidence"]


def test_what_needs_torch_says_so():
    said = reproduce.untried({"kind": "observation"}, {"torch", "numpy"})
    assert said == "Its program needs NumPy and torch, which the pages of this book do not load."
    assert reproduce.does({"kind": "observation"}) == "measures"
    assert reproduce.does({"kind": "derivation", "terms": {}}) == "decides"


def test_a_link_to_a_page_shows_a_picture_that_no_reader_loads(book):
    for name in ("softmax-gradient", "result/popoviciu", "result/former"):
        head = tree(book, name).head
        told = {meta.get("property", meta.get("name")): meta["content"]
                for meta in head.select("meta[content]")}  # fmt: skip
        assert told["og:type"] == "article" and told["twitter:card"] == "summary"
        picture = (book[1] / "html" / f"{name}.html").parent / told["og:image"]
        assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size < 20_000
        assert "og:url" not in told and not head.select("link[rel=canonical]")
    assert "picture.png" not in str(tree(book, "softmax-gradient").body)


def test_where_the_site_stands_is_told(book):
    config = SimpleNamespace(html_title="B", html_baseurl="https://a.example/b", version="1.0")
    page = parsed(leaves.framed(config, "T", "About", "result/one.html", "…"))
    assert page.find(property="og:url")["content"] == "https://a.example/b/result/one.html"
    assert page.find(rel="canonical")["href"] == "https://a.example/b/result/one.html"
    picture = "https://a.example/b/_static/picture.png"
    assert page.find(property="og:image")["content"] == picture
    moved = parsed(leaves.forward(config, "cumulants#coin"))
    assert moved.find(rel="canonical")["href"] == "https://a.example/b/result/coin.html"


def test_a_chapter_says_where_it_comes_from_and_can_be_had(book):
    link = tree(book, "cumulants").select_one(".lp-colophon a")
    offered = nbformat.read(book[1] / "html" / link["href"], as_version=4)
    stored = nbformat.read(book[0] / "book" / "cumulants.ipynb", as_version=4)
    assert seal.code(offered) == seal.code(stored)


def test_pages_tell_machines_what_they_are(book):
    for name in (*CHAPTERS, "index", "ledger", "search"):
        head = tree(book, name).head
        assert len(head.select("meta[name=viewport]")) == 1, name
        assert (
            10 < len(head.select_one("meta[name=description]")["content"]) <= 200
            or name == "search"
        ), name
    assert tree(book, "index").title.get_text() == "Attention Is a Gradient"
    assert (
        "the mean of the keys"
        in tree(book, "cumulants").select_one("meta[name=description]")["content"]
    )


def test_a_page_loads_what_it_uses(book):
    def loaded(name):
        return " ".join(
            tag.get("src") or tag.get("href")
            for tag in tree(book, name).select("script[src], link[rel=stylesheet]")
        )

    for name in (*CHAPTERS, "index", "ledger", "graph", "errata"):
        assert not re.search(
            "fontawesome|searchtools|language_data|searchindex|search-index|sphinx-design",
            loaded(name),
        ), name
    assert "search-index.js" in loaded("search") and "ledger.js" not in loaded("graph")
    assert "copybutton" in loaded("cumulants") and "copybutton" not in loaded("errata")
    style = (book[1] / "html" / "_static" / "style.css").read_text()
    assert 'html[data-theme="dark"] .highlight .k' in style and ".carousel" not in style
    assert not list((book[1] / "html").rglob("fa-*")) and "Font Awesome" not in "".join(
        re.findall(
            r"@font-face\{[^}]*\}",
            (book[1] / "html" / "_static" / "styles" / "pydata-sphinx-theme.css").read_text(),
        )
    )


def test_an_icon_that_is_not_drawn_is_an_error():
    with pytest.raises(KeyError, match="'anchor'"):
        theme.mend('<i class="fa-solid fa-anchor"></i>')


def test_the_search_index_has_every_result_and_section(book):
    text = (book[1] / "html" / "_static" / "search-index.js").read_text()
    found = json.loads(text.removeprefix("const BOOK = ").rstrip(";\n"))
    assert {entry["label"] for entry in found if "label" in entry} == {
        r["label"] for _, records in CHAPTERS.values() for r in records
    }
    [section] = [entry for entry in found if entry["to"] == "cumulants.html#cumulants-of-the-keys"]
    assert (
        section["text"].startswith("What does a query see? By (2.1), the mean of the keys")
        and r"\sum_j p_j k_j" in section["tex"]
    )


def test_the_search_index_has_what_pages_show(book):
    """Once, with sources by their names; and claims, sources and functions by themselves."""
    text = (book[1] / "html" / "_static" / "search-index.js").read_text()
    found = json.loads(text.removeprefix("const BOOK = ").rstrip(";\n"))
    said = " ".join(entry["text"] for entry in found)
    assert not re.search(r"application/vnd|deliberate errors? rejected|digits; N =", said)
    keys = re.findall(r"@\w+\{(\w+)", (book[0] / "book" / "references.bib").read_text())
    assert keys and not [key for key in keys if key in said]
    to = {entry["to"]: entry for entry in found}
    assert to["errata.html#erratum-s0-eq9"]["name"] == "draft notes, eq (9)"
    assert "fair" in to["ledger.html#claim-s0-asked"]["text"]
    codes = [entry["code"] for entry in found if entry["to"].startswith("references.html#")]
    assert sorted(filter(None, codes)) == sorted(keys)


def test_a_link_without_a_symbolic_route_says_so(book):
    assert "not asked" in facts(box(book, "softmax-gradient", "sup-attained"))["Links"].get_text()


def test_a_refutation_shows_the_point_and_the_correction(book):
    found = box(book, "softmax-gradient", "eq9-as-printed").select_one(".lp-erratum").get_text()
    assert (
        "draft notes, eq. (9), a misprint" in found
        and "the left side is " in found
        and "0.7310585786" in found
    )
    assert "(2.1) Attention is the gradient of the log-partition function" in found


def test_words_are_refuted_by_results(book):
    found = box(book, "cumulants", "marcinkiewicz-as-printed")
    assert "Contradicted by" in [dt.get_text() for dt in found.select(".lp-erratum dt")]


def test_a_citation_links_its_source(book):
    assert (
        box(book, "exponential-families", "pitman-koopman-darmois")
        .select_one(".lp-source a")["href"]
        .startswith("references.html#")
    )


def test_the_pages_of_records_hold_every_result_and_claim(book):
    found = pages(book)
    labels = {
        f"{slug}.html#eq-{r['label']}" for slug, (_, records) in CHAPTERS.items() for r in records
    }
    assert {a["href"] for a in found["ledger"].select(".lp-results tbody th a")} == labels
    assert {a["href"] for a in found["graph"].select(".lp-graph-text > ul > li > a")} == labels
    assert {a["href"] for a in found["graph"].select("svg a, .lp-alone a")} == labels
    for page in found.values():
        assert not re.search(r"\b00[0-4]\b", page.select_one("article").get_text()), (
            "a source goes by its name, not its number"
        )


@pytest.mark.parametrize(
    "claim, status",
    [
        ("s0-eq5", "true under a condition, proved"),
        ("s0-eq11", "true, proved"),
        ("s0-eq9", "misprint; corrected by what is proved"),
        ("s0-eq4", "not answered yet"),
        ("B01", "partly proved, partly proved for some sizes, partly argued"),
        ("s3-cgf", "true under a condition, observed"),
        ("s0-weights-multinomial", "imprecise; corrected by what is proved"),
        ("s0-pkd-theorem", "imprecise; see what is cited"),
        ("s0-asked", "a question, answered in part, observed"),
    ],
)
def test_a_claim_has_one_status(book, claim, status):
    row = pages(book)["ledger"].find(id=f"claim-{claim}")
    assert row.select("td")[0].get_text().startswith(status)


def test_a_claim_shows_the_condition_under_which_it_holds(book):
    found = pages(book)
    [condition] = found["ledger"].find(id="claim-s3-cgf").select(".lp-condition")
    said = condition.get_text().removeprefix("if: ")
    assert said != condition.get_text() and "below its radius of convergence" in said
    assert said in found["errata"].find(id="erratum-s3-cgf").get_text()


def test_the_ledger_counts_the_claims_that_have_results(book):
    intro = pages(book)["ledger"].select_one("#claims p").get_text()
    rows = pages(book)["ledger"].select(".lp-claims tbody tr")
    shown = sum(bool(row.details) for row in rows)
    assert 0 < shown < len(rows) and intro.startswith(
        f"Of the {len(rows)} claims of these chapters, {shown} have results beside them;"
        f" {len(rows) - shown} are not answered yet. A claim in quotation marks"
    )


def test_what_is_true_instead_is_said_in_words(book):
    """The answer to a question, and under which condition; the correction in a source's terms."""
    ledger, errata = pages(book)["ledger"], pages(book)["errata"]
    row = ledger.find(id="claim-s0-asked")
    said = [div.get_text() for div in row.select(".lp-condition")]
    assert said == ["answer: as far as it was tossed", "if: nobody bends it"]
    [said] = ledger.find(id="claim-s0-eq9").select(".lp-instead")
    assert said.get_text().startswith("correct: ")
    formula = said.annotation.get_text()
    entry = errata.find(id="erratum-s0-eq9")
    correct = entry.find("dt", string="Correct").find_next_sibling("dd")
    assert r"\sum_{j=1}^N" in formula and correct.annotation.get_text() == formula
    assert (
        ledger.find(id="claim-s0-pkd-theorem")
        .select_one(".lp-instead")
        .get_text()
        .startswith("better: that form is the definition")
    )
    assert not ledger.find(id="claim-s0-eq11").select(".lp-instead")


def test_what_decides_a_claim_stands_apart_from_what_one_may_see_as_well(book):
    cell = pages(book)["ledger"].find(id="claim-s0-asked").select("td")[1]
    found = {
        details.summary.get_text(): [a["href"] for a in details.select("a")]
        for details in cell.select("details")
    }
    assert found == {
        "1 result": ["cumulants.html#eq-coin"],
        "see also: 1": ["cumulants.html#eq-worst"],
    }
    for label, here, elsewhere in (
        ("coin", "Answers", "See also"),
        ("worst", "See also", "Answers"),
    ):
        rows = facts(box(book, "cumulants", label))
        claim = "ledger.html#claim-s0-asked"
        assert claim in [a["href"] for a in rows[here].select("a")]
        assert claim not in [a["href"] for row in (rows.get(elsewhere) or []) for a in row("a")]


def test_what_decides_nothing_is_there_to_see():
    """The ways in which results are shown, of a claim that they don't decide."""
    page = SimpleNamespace(kinds=lambda labels: labels)
    for kinds, said in (
        (["proved"], "what is proved"),
        (["argued", "observed"], "what is argued and what is observed"),
        (["proved", "argued", "cited"], "what is proved, what is argued and what is cited"),
    ):
        assert Ledger.sorts(page, kinds) == said


def test_an_erratum_says_what_the_symbols_of_a_correction_are(book):
    entry = pages(book)["errata"].find(id="erratum-s0-eq9")
    rows = {dt.get_text(): dt.find_next_sibling("dd") for dt in entry.select("dt")}
    [record] = [r for r in CHAPTERS["softmax-gradient"][1] if r["label"] == "softmax-gradient"]
    tex = lambda row: [one.get_text() for one in row.select("annotation")]
    assert [f"${one}$" for one in tex(rows["Where"])] == [
        said for said in record["where"] if not said.startswith(r"$\langle")
    ]
    for_true = tex(rows["For what is correct"])
    assert all(f"${one}$" in " ".join(record["assumptions"]) for one in for_true)


def test_an_erratum_says_first_what_the_symbols_of_its_formula_are():
    page = SimpleNamespace(markdown=lambda said: [said])
    printed = {"statement": "", "counterexample": {"why": ""}, "where": [], "assumptions": ["$u$"]}
    true = {"statement": "a", "where": ["$b = 1$"], "assumptions": ["$u$", "$v$"]}
    [(name, said), _] = Errata.symbols(page, "For", printed)
    assert name == "For" and said[0].astext() == "$u$"
    [(_, said), (_, where)] = Errata.symbols(page, "For what is correct", true)
    assert said[0].astext() == "$u$; $v$" and where[0].astext() == "$b = 1$"
    assert Errata.symbols(page, "For", {"statement": "", "counterexample": None}) == []


def test_an_erratum_shows_words_reason_failure_and_correction(book):
    page = pages(book)["errata"]

    def rows(id):
        entry = page.find(id=f"erratum-{id}")
        return entry.select_one(".lp-judgement").get_text(), {
            dt.get_text(): dt.find_next_sibling("dd") for dt in entry.select("dt")
        }

    judgement, found = rows("s0-eq9")
    assert judgement == "misprint" and list(found) == [
        "Its formula",
        "Its formula, as read here",
        "Why",
        "Fails",
        "Correct",
        "For what is correct",
        "Where",
    ]
    assert (
        found["Why"].get_text()
        == "The normaliser of equation (9) sums over the wrong index. The sum runs over jjj."
    )  # MathML, TeX, HTML
    assert found["Correct"].a["href"] == "softmax-gradient.html#eq-softmax-gradient"
    judgement, found = rows("s0-weights-multinomial")
    assert (
        judgement == "imprecise"
        and found["In its words"].blockquote.get_text().strip()
        == "“can be described by a multinomial distribution”"
    )
    judgement, found = rows("s3-marcinkiewicz")
    assert (
        found["In its words"].blockquote.get_text().strip().startswith("“the normal distribution")
    )
    judgement, found = rows("s0-pkd-theorem")  # a quotation within a sentence of ours
    assert not found["What it says, in our words"].select("blockquote")
    assert rows("s0-eq4")[0] == "under examination"


def test_an_erratum_that_nothing_refutes_says_what_would_be_better(book):
    entry = pages(book)["errata"].find(id="erratum-s0-pkd-theorem")
    rows = {dt.get_text(): dt.find_next_sibling("dd").get_text() for dt in entry.select("dt")}
    assert list(rows) == ["What it says, in our words", "Better", "See"]
    assert rows["Better"].startswith("that form is the definition")


def test_counts_of_one_are_no_plurals():
    record = {"kind": "observation", "mutants": {"killed": 3, "tried": 3, "equivalent": 0}}
    assert results._mutants(record) == "3 of 3 other predictions rejected"
    record = {"kind": "derivation", "mutants": {"killed": 1, "tried": 1, "equivalent": 0}}
    assert results._mutants(record) == "1 of 1 deliberate error rejected"
    assert results._points({"points": 1, "of": 1, "digits": 30}) == "1 of 1 point, 30 digits"


@pytest.mark.parametrize(
    "latex, shown",
    [(r"n \ge 2", r"2 \le n"), ("a > 0", "0 < a"), (r"x \ge 1", r"x \ge 1"), ("a = b", "a = b")],
)
def test_a_hypothesis_stands_as_it_is_assumed(latex, shown):
    assumed = [r"$2 \le n$", "$0 < a$ for all $j$", r"$x \ge 1$", "$a = b$"]
    assert results.as_assumed(latex, assumed) == shown


def test_errors_of_the_whole_statement_are_those_that_no_link_has():
    links = [{"mutants": {"tried": 11, "killed": 11}}, {"mutants": {"tried": 12, "killed": 12}}]
    made = {"steps": links, "mutants": {"tried": 35, "killed": 35}}
    assert results._own_mutants(made) == "12 of 12"
    assert results._own_mutants(made | {"mutants": {"tried": 23, "killed": 23}}) == ""


@pytest.mark.parametrize(
    "text, is_one",
    [
        ("“a sentence”", True),
        ('"a sentence"', True),
        ("“one” and “another”", False),
        ('"one" and "another"', False),
        ("It is “a sentence”", False),
        ("“a sentence", False),
    ],
)
def test_what_is_quoted_is_one_quotation(text, is_one):
    assert display.quoted(text) is is_one


def leaf(book, label):
    """The headings of a result's own page, each with what is under it."""
    main = tree(book, f"result/{label}").main
    return main, {
        heading.get_text(): heading.find_next_sibling(lambda tag: tag.name != "h2")
        for heading in main.select("h2")
    }


def test_the_page_of_a_correction_has_what_is_printed_above_what_is_true(book):
    main, found = leaf(book, "eq9-as-printed")
    assert list(found)[:4] == ["Its formula, as read here", "Fails", "Why", "True instead"]
    assert "the left side is " in found["Fails"].get_text()
    assert found["Its formula, as read here"].math and found["True instead"].math
    assert main.select("a[href='softmax-gradient.html']")
    _, found = leaf(book, "multinomial-as-printed")
    assert list(found)[:4] == ["In its words", "Contradicted by", "Why", "True instead"]
    assert found["Contradicted by"].a["href"] == "normalised.html" and "Rests on" not in found
    words = found["In its words"]
    assert words.name == "blockquote" and words.get_text().startswith("“can be described by")


def test_the_page_of_another_result_has_nothing_to_correct(book):
    _, found = leaf(book, "softmax-gradient")
    assert not {"Its formula, as read here", "Why", "True instead"} & set(found)


def test_sources_of_errata_are_named_and_linked(book):
    section = pages(book)["errata"].find(id="errata-000")
    assert section.h2.get_text().startswith("Draft notes")
    assert section.select_one("p a")["href"].startswith("references.html#")
    references = tree(book, "references")
    assert references.select_one("a[href='https://arxiv.org/abs/2205.01080']")


def test_the_graph_draws_what_is_connected_and_lists_the_rest(book):
    page = pages(book)["graph"]
    drawn = {a["data-label"] for a in page.select("svg a:not(.lp-foreign)")}
    assert {"normalised", "hessian", "one-fixed-point"} - drawn == {
        "normalised"
    }  # used by other chapters only: drawn there
    assert page.select("svg a.lp-foreign[data-label=normalised]")
    assert "free-of-sizes" not in drawn and any(
        a["href"].endswith("#eq-free-of-sizes") for a in page.select(".lp-alone a")
    )


@pytest.fixture(scope="module")
def changed(book):
    """The same book, built again with a use, an audit and a rule of style that are new."""
    root, output = book
    assert "(3.2)" not in facts(box(book, "softmax-gradient", "popoviciu"))["Used by"].get_text()
    assert "The last full audit" not in (output / "html" / "ledger.html").read_text()
    edited(
        root,
        "cumulants",
        lambda r: r["uses"].append("popoviciu") if r["label"] == "linear-attention-rate" else None,
    )
    (root / "book" / "audit.json").write_text('{"tried": 4321, "killed": 4321}')
    style = root / "book" / "_static" / "book.css"
    style.write_text(style.read_text() + "\n.lp-new { color: red }\n")
    assert built(root, output) == (0, "")
    return book


def test_who_uses_a_result_follows_the_other_chapters(changed):
    assert (
        "(3.2) The error of linear attention"
        in facts(box(changed, "softmax-gradient", "popoviciu"))["Used by"].get_text()
    )
    rests = facts(box(changed, "cumulants", "linear-attention-rate"))["Rests on"]
    assert "(2.3)" in rests.get_text()


def test_nothing_is_written_when_nothing_changed(book):
    root, output = book

    def written():
        """When each page was written, after one more build."""
        assert built(root, output) == (0, "")
        return {path.name: path.stat().st_mtime_ns for path in (output / "html").glob("*.html")}

    assert written() == written()


def test_the_ledger_notices_that_an_audit_has_appeared(changed):
    ledger = (changed[1] / "html" / "ledger.html").read_text()
    assert "the last audit, which tries all, rejected 4,321 of 4,321." in ledger


def steps(*made):
    return {"steps": derivation("a", "a", *made).record.json()["steps"]}


@pytest.mark.parametrize(
    "faults",
    [
        {
            "no result has the label 'nowhere'": {"uses": ["nowhere"]},
            "no claim has the id 's9-nothing'": {"claims": ["s9-nothing"]},
        },
        {
            "Undefined control sequence": steps(link(r"\foo")),
            "duplicate label of equation eq-hessian": {"label": "hessian"},
            "equation not found: eq-nowhere": steps(link("1", "by {eq}`eq-nowhere`")),
            "equation not found: eq-remarked": steps(link("1", remark="by {remarked}")),
        },
        {"record.version: 1 is none of [2]": {"version": 1}},
    ],
)
def test_a_broken_record_stops_the_build(tmp_path, monkeypatch, faults):
    broken = [
        derivation(f"broken-{k}", "x", title=f"Broken record {k}", statement="x = 1").record.json()
        | fault
        for k, fault in enumerate(faults.values())
    ]
    monkeypatch.setattr("sample.CHAPTERS", {**CHAPTERS, "cumulants": ("Cumulants", broken)})
    make(tmp_path / "root")
    status, said = built(tmp_path / "root", tmp_path / "out")
    assert status == 1 and [told for told in faults if told not in said] == []


def test_a_changed_stylesheet_reaches_the_site(changed):
    assert ".lp-new" in (changed[1] / "html" / "_static" / "style.css").read_text()


def test_a_correction_is_data_with_what_it_corrects(book):
    results = json.loads((book[1] / "html" / "results.json").read_text())["results"]
    found = {result["label"]: result for result in results}
    eq9, words = found["eq9-as-printed"], found["multinomial-as-printed"]
    assert eq9["printed"].startswith("$$p(x_k") and eq9["correction"].startswith(
        r"$$\frac{\partial G}"
    )
    assert words["printed"] == "“can be described by a multinomial distribution”"
    assert {(r["printed"], r["correction"]) for r in results if "as-printed" not in r["label"]} == {
        ("", "")
    }


def test_results_as_data_have_their_terms_and_sources(book):
    """As the schema says, also of the terms of the book's own records."""
    results = json.loads((book[1] / "html" / "results.json").read_text())["results"]
    sources = {result["label"]: result["sources"] for result in results}
    assert sources["pitman-koopman-darmois"][0] == {"key": "koopman1936", "place": "Theorem 1"}
    assert sources["eq2-as-printed"] == [{"key": "shim2022", "place": "draft notes, eq. (2)"}]
    assert sources["normalised"][0] == {"key": "shim2022", "place": "draft notes, eq (5)"}
    assert sources["with-everything"] == [{"key": "bal2020", "place": ""}]
    assert {result["terms"] for result in results} == {None}  # as they are made here
    terms = [r["terms"] for r in all_records(ROOT / "book") if "terms" in r]
    assert len(terms) > 100 and not [*schema.wrong(terms, schema.every(objects.TERMS))]


def test_the_card_of_a_correction_says_what_is_true(monkeypatch):
    monkeypatch.setattr(objects, "number", lambda env, label: "1.1")
    by = derivation("b", statement="x = y")
    record = refutation("a", r"\alpha = y", text="Words.", corrected=by, location="p. 1", by=[by])
    true = {**by.record.json(), "assumptions": ["So."], "where": ["And so."]}
    card = objects.card(None, record.json(), {"b": true})
    assert card["text"].startswith("<p><math") and "<mi>y</mi>" in card["text"]
    assert "alpha" not in card["text"] and "Words." not in card["text"]
    assert [re.sub("<.*?>", "", one) for one in card["given"] + card["where"]] == ["So.", "And so."]


@pytest.fixture
def committed(tmp_path):
    """A notebook in a repository; `git(*arguments)` is git there."""

    def git(*arguments):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-C", tmp_path]
        done = subprocess.run(["git", *who, *arguments], check=True, capture_output=True)
        return done.stdout.decode().strip()

    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text("root: index\nchapters:\n- file: one\n- file: two\n")
    store(notebook("# One"), tmp_path / "book" / "one.ipynb")
    git("init", "-q")
    git("commit", "-qm", "Start", "--allow-empty")
    return tmp_path / "book" / "one.ipynb", git


def test_a_page_names_the_commit_of_its_chapter(committed, monkeypatch):
    path, git = committed
    root, content = path.parents[1], path.read_text()
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))  # as in a hook of another repository
    assert reproduce.commit(path) == "not committed"
    monkeypatch.delenv("GIT_DIR")
    git("add", ".")
    git("commit", "-qm", "One")
    assert re.fullmatch(r"commit \w+ of \d{4}-\d\d-\d\d", reproduce.commit(path))
    for flag in ("assume-unchanged", "skip-worktree"):
        git("update-index", f"--{flag}", "book/one.ipynb")
        assert "changed since" not in reproduce.commit(path) and not addresses.changed(root)
        path.write_text(f"{content}\n")
        assert reproduce.commit(path).endswith(", changed since")
        assert addresses.changed(root)
        git("update-index", f"--no-{flag}", "book/one.ipynb")
        assert reproduce.commit(path).endswith(", changed since")
        path.write_text(content)


def test_without_a_repository_a_page_names_no_commit(tmp_path):
    (tmp_path / "book").mkdir()
    store(notebook("# One"), tmp_path / "book" / "one.ipynb")
    assert reproduce.commit(tmp_path / "book" / "one.ipynb") == ""


@pytest.mark.parametrize(
    "name", ["lib/a.py", "requirements.txt", "book/a.py", "book/two.ipynb", "book/index.md"]
)
def test_a_page_names_the_commit_of_what_made_it(committed, name):
    """The library, the pins, and a chapter whose result it uses; not a page beside it."""
    path, git = committed
    root = path.parents[1]
    store(notebook(result("mean")), root / "book" / "two.ipynb")
    store(notebook(code("earlier('mean')", 1)), path)
    for each in ("lib/a.py", "requirements.txt", "book/a.py", "book/index.md"):
        (root / each).parent.mkdir(exist_ok=True)
        (root / each).write_text("# one\n")
    git("add", ".")
    git("commit", "-qm", "One")
    first = reproduce.commit(path)
    (root / name).write_text(f"{(root / name).read_text()}\n")
    uses = name != "book/index.md"
    assert reproduce.commit(path) == first + ", changed since" * uses
    git("commit", "-qam", "Another")
    assert git("rev-parse", "--short", "HEAD" if uses else "HEAD^") in reproduce.commit(path)
    (root / "lib" / "new.py").write_text("")
    assert reproduce.commit(path).endswith(", changed since")


@pytest.mark.parametrize(
    "name, new",
    [
        ("lib/local_a.py", True),  # which a person's own settings hide, or a change to .gitignore
        ("lib/build_a.py", True),
        ("lib/scratch_a.py", True),
        ("lib/.DS_Store", False),  # which systems and editors leave behind
        ("lib/.a.py.swp", False),
        ("lib/__pycache__/a.cpython-311.pyc", False),
    ],
)
def test_a_new_file_is_a_change_where_a_person_has_git_ignore_it(committed, name, new):
    path, git = committed
    root = path.parents[1]
    (root / "lib").mkdir()
    for each in ("lib/a.py", ".gitignore"):
        (root / each).write_text("")
    git("add", ".")
    git("commit", "-qm", "One")
    (root / ".git" / "info" / "exclude").write_text("local_*\n")
    (root / ".git" / "own").write_text("build_*\n")
    git("config", "core.excludesFile", str(root / ".git" / "own"))
    (root / ".gitignore").write_text("scratch_*\n")
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("")
    assert reproduce.commit(path).endswith(", changed since") is new
    git("add", "-f", name)
    assert reproduce.commit(path).endswith(", changed since") is new


def test_a_file_with_other_permissions_is_as_it_was(committed):
    path, git = committed
    git("add", ".")
    git("commit", "-qm", "One")
    path.chmod(0o755)
    assert "changed since" not in reproduce.commit(path)
    assert not addresses.changed(path.parents[1])
    (path.parents[1] / "_build").mkdir()
    (path.parents[1] / "_build" / "a").write_text("")
    assert not addresses.changed(path.parents[1])


def test_a_shallow_clone_names_no_commit_that_it_does_not_know(committed, tmp_path):
    path, git = committed
    for name in ("one", "two", "three"):
        store(notebook(f"# {name}"), path.with_stem(name))
        git("add", ".")
        git("commit", "-qm", name)
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth", "2", f"file://{tmp_path}", str(clone))
    said = {name: reproduce.commit(clone / "book" / f"{name}.ipynb") for name in ("one", "three")}
    assert said["one"] == "commit not known, in a shallow clone"
    assert said["three"] == reproduce.commit(path.with_stem("three"))


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="nothing signs a commit here")
def test_a_commit_that_is_signed_has_nothing_before_it(committed, tmp_path):
    """Where git is set up to show who signed it."""
    path, git = committed
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signed = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={key}"]
    git("add", "book")
    git(*signed, "commit", "-S", "-qm", "One")
    git("config", "log.showSignature", "true")
    git("config", "gpg.format", "ssh")
    assert re.fullmatch(r"commit \w+ of \d{4}-\d\d-\d\d", reproduce.commit(path))


def test_a_title_in_bibtex_has_what_tex_sets():
    said = "".join(map(results.in_tex, "βD²/4 & ‖x−λ‖, 5 %: é"))
    assert said == r"$\beta$D$^2$/4 \& $\Vert$x$-$$\lambda$$\Vert$, 5 \%: é"
