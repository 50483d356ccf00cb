"""Chapters without what is MyST's own, for JupyterLab, Colab and GitHub."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
from notebooks import code, notebook, store

from logpartition import __main__ as again
from logpartition_book import copies, index, launch
from logpartition_book.files import ROOT
from logpartition_book.records import MIME

MYST = re.compile(r"\{[a-z:]+\}`|^(?:`{3,}|:{3,})\{|^\([\w-]+\)=$|\]\(#", re.MULTILINE)


def texts(found):
    return "\n\n".join(cell.source for cell in found.cells if cell.cell_type == "markdown")


@pytest.mark.parametrize(
    "source, expected",
    [
        ("By {eq}`eq-sum`, *so*.", "By (`sum`), *so*."),
        ("Of {cite:t}`bal2020`.", "Of [bal2020](references.bib)."),
        ("{cite}`a, b`", "[a](references.bib), [b](references.bib)"),
        ("(sec-x)=\n## Title", "## Title"),
        ("Text.\n\n(sec-x)=", "Text.\n\n"),
        ("```{prf:definition}\n:label: def-x\n\nLet $x$.\n```", "**Definition `def-x`.** Let $x$."),
        ("See {prf:ref}`def-x`.", "See the definition `def-x`."),
        ("[a](#sec-x), [b](errata.md), [c](two.ipynb)", "a, [b](errata.md), [c](two.ipynb)"),
        ("Above.\n\n```{try} sum\n```", "Above.\n\n"),
        ("$x_{i}$, `f(x)`, $(a)=b$", "$x_{i}$, `f(x)`, $(a)=b$"),
    ],
)
def test_what_plain_markdown_lacks_is_written_out(source, expected):
    assert copies.plain(source, copies.Labels()) == expected


def test_no_chapter_keeps_any_of_it():
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        found = copies.written_out(nbformat.read(path, as_version=4), copies.Labels())
        assert not MYST.search(texts(found)), path.name


def test_binder_rewrites_its_own(tmp_path):
    """By the command, which imports what Python brings."""
    (tmp_path / "book").mkdir()
    path = tmp_path / "book" / "one.ipynb"
    store(notebook("By {eq}`eq-sum`.", code()), path)
    command = "import sys; sys.modules |= dict.fromkeys(('nbformat', 'docutils', 'sphinx', 'yaml'))"
    command += "; from logpartition_book import copies; copies.main()"
    subprocess.run([sys.executable, "-c", command], cwd=tmp_path, check=True)
    found = nbformat.read(path, as_version=4)
    nbformat.validate(found)
    assert [cell.source for cell in found.cells] == ["By (`sum`).", "x = 1"]
    assert "-m logpartition_book.copies" in (ROOT / ".binder" / "postBuild").read_text()


@pytest.mark.parametrize("site", ["sample"], indirect=True)
def test_what_the_site_offers_has_its_numbers(site):
    found = nbformat.read(site / "cumulants.ipynb", as_version=4)
    nbformat.validate(found)
    assert not MYST.search(texts(found)) and "logpartition" not in found.metadata
    assert "By [(2.1)](softmax-gradient.ipynb), the mean" in texts(found)
    assert "\n\n**Definition 3.1.** $$\nG(q)" in texts(found)
    shown = [output.data for cell in found.cells for output in cell.get("outputs", ())]
    first = next(place for place, data in enumerate(shown) if MIME in data)
    assert shown[first - 1] == {"text/markdown": "**(3.1)**", "text/plain": "(3.1)"}
    head = shown[first]["text/markdown"].split("\n")[0]
    assert head.startswith("**Derivatives along a direction are cumulants** `all-orders`")
    labels = [data[MIME]["label"] for data in shown if MIME in data]
    assert {*labels} <= again.records(site).keys()  # which finds them as their records say


def test_copies_in_a_folder_are_made_once(tmp_path, monkeypatch, capsys):
    """Of the chapters and what they lead to; what a reader changed there stays."""
    (tmp_path / "book").mkdir()
    store(notebook("By {eq}`eq-sum` and {cite:t}`bal2020`.", code()), tmp_path / "book/one.ipynb")
    store(notebook("More."), tmp_path / "book/two.ipynb")
    (tmp_path / "book/references.bib").write_text("@misc{bal2020}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["copies", "_build/notebooks"])
    copies.main()
    folder = tmp_path / "_build" / "notebooks"
    assert {path.name for path in folder.iterdir()} == {"one.ipynb", "two.ipynb", "references.bib"}
    made = (folder / "one.ipynb").read_text()
    assert "By (`sum`) and [bal2020](references.bib)." in made
    (folder / "one.ipynb").write_text("changed")
    (folder / "two.ipynb").unlink()
    copies.main()
    assert (folder / "one.ipynb").read_text() == "changed" and (folder / "two.ipynb").exists()
    for refused in ("book", "./book"):
        monkeypatch.setattr(sys, "argv", ["copies", refused])
        with pytest.raises(SystemExit, match="has the chapters themselves: name another folder"):
            copies.main()
    monkeypatch.chdir(tmp_path / "_build")
    with pytest.raises(SystemExit, match="no chapters in book/: go to the folder of the reposit"):
        copies.main()
    (line, again) = capsys.readouterr().out.splitlines()
    assert line == again and line.startswith("The chapters are in _build/notebooks, ")


def commands(*words):
    said = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return said.stdout.splitlines()


def test_the_editor_opens_copies_for_readers_and_the_chapters_for_authors():
    *_, copied, opened = commands("lab")
    assert copied.endswith("-m logpartition_book.copies _build/notebooks")
    assert opened.endswith("jupyter lab _build/notebooks")
    authors = commands("lab", "FOLDER=book")
    assert authors[-1].endswith("jupyter lab book")
    assert not any("logpartition_book.copies" in line for line in authors)


def test_copies_of_readers_outlive_a_clean(tmp_path):
    for name in ("notebooks/one.ipynb", "html/one.html", ".kept/stamp"):
        (tmp_path / "_build" / name).parent.mkdir(parents=True)
        (tmp_path / "_build" / name).write_text("")
    subprocess.run(["make", "--silent", "--file", ROOT / "Makefile", "clean"], cwd=tmp_path)
    assert [path.name for path in (tmp_path / "_build").iterdir()] == ["notebooks"]


def test_where_the_site_stands_copies_lead_there(monkeypatch):
    result = {"chapter": "two"}
    app = SimpleNamespace(logpartition=SimpleNamespace(results={"sum": result}), env=None)
    by = copies.Numbers(app, "https://example.org/", "one")
    assert by.leading("(2.1)", "two", "eq-sum") == "[(2.1)](https://example.org/two.html#eq-sum)"
    monkeypatch.setattr(index, "named", lambda env, role, target: "Bal [2020]")
    assert copies.plain("{cite:t}`bal2020`", by) == (
        "[Bal [2020]](https://example.org/references.html)"
    )
    assert copies.plain("[a](#sec-x), [b](errata.md)", by) == (
        "[a](https://example.org/one.html#sec-x), [b](https://example.org/errata.html)"
    )


@pytest.mark.parametrize(
    "baseurl, url, expected",
    [
        ("", "", ""),
        ("", "https://github.com/Someone/a.book", "https://someone.github.io/a.book/"),
        ("https://example.org/a", "https://github.com/Someone/a.book", "https://example.org/a/"),
    ],
)
def test_the_address_of_the_site(tmp_path, baseurl, url, expected):
    (tmp_path / "_config.yml").write_text(json.dumps({"repository": {"url": url}}))
    config = SimpleNamespace(html_baseurl=baseurl)
    assert launch.site(SimpleNamespace(config=config, srcdir=tmp_path / "book")) == expected


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"null", b"[]", b"\xff\xfe{", b"<<<<<<< HEAD\n{}\n=======\n", b'{"cells": []}'],
    ids=repr,
)
def test_what_is_no_notebook_is_named(tmp_path, broken):
    path = tmp_path / "chapter.ipynb"
    path.write_bytes(broken)
    with pytest.raises(SystemExit, match="chapter.ipynb is not a notebook"):
        copies.put(path, tmp_path / "there")


def test_a_copy_leads_to_what_is_there(tmp_path):
    """What is missing the gates name, and is missing in the copy as well."""
    store(notebook("[a](page.md), [b](missing.md)"), tmp_path / "chapter.ipynb")
    (tmp_path / "page.md").touch()
    (tmp_path / "there").mkdir()
    copies.put(tmp_path / "chapter.ipynb", tmp_path / "there")
    assert {one.name for one in (tmp_path / "there").iterdir()} == {"chapter.ipynb", "page.md"}


@pytest.mark.parametrize("source, place", [("[a](page.md)", "none"), ("half \\ud800", "there")])
def test_a_copy_that_cannot_be_written_is_a_sentence(tmp_path, source, place):
    """And is not there, so that a second call makes it."""
    made = json.dumps({"metadata": {}, "cells": [{"cell_type": "markdown", "source": source}]})
    (tmp_path / "chapter.ipynb").write_text(made.replace("\\\\", "\\"))
    (tmp_path / "page.md").touch()
    (tmp_path / "there").mkdir()
    with pytest.raises(SystemExit, match="chapter.ipynb could not be copied to .*: "):
        copies.put(tmp_path / "chapter.ipynb", tmp_path / place)
    assert not [*(tmp_path / "there").iterdir()]


def test_what_is_no_file_is_no_copy(tmp_path, monkeypatch):
    """A link that leads nowhere gives way to one; a folder does not, and it is said."""
    for name in ("book", "there"):
        (tmp_path / name).mkdir()
    store(notebook("More."), tmp_path / "book" / "one.ipynb")
    copy = tmp_path / "there" / "one.ipynb"
    copy.symlink_to(tmp_path / "gone")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["copies", "there"])
    copies.main()
    assert copy.is_file() and not copy.is_symlink()
    copy.unlink()
    store(notebook("By {cite:t}`bal2020`."), tmp_path / "book" / "one.ipynb")
    (tmp_path / "book" / "references.bib").touch()
    (tmp_path / "there" / "references.bib" / "references.bib").mkdir(parents=True)
    with pytest.raises(SystemExit, match="one.ipynb could not be copied to there"):
        copies.main()
    copy.mkdir()
    with pytest.raises(SystemExit, match="one.ipynb could not be copied to there"):
        copies.main()


def test_a_file_is_no_folder_for_copies(tmp_path):
    (tmp_path / "there").touch()
    command = [sys.executable, "-m", "logpartition_book.copies", tmp_path / "there"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode and done.stderr.endswith("is no folder for copies: File exists\n")
