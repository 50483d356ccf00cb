"""Readings: each kind of change to a passage is noticed, and nothing else is."""

import json
import re
import sys
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from notebooks import bundle, code, notebook, printed, record, shown, store
from test_commands import steps

from logpartition_book import archive, gates, readings, records, unread
from logpartition_book.files import ROOT

CELLS = (
    "# One\n\nIt is true\nfor all $N$.",
    new_code_cell("# a sum\nprint(1)", metadata={"mystnb": {"image": {"alt": "A line."}}}),
    "*A caption.*",
    new_code_cell("print(2)"),
    "The end.",
)
LIB, EXT = "lib/logpartition/", readings.EXT
FILES = {
    "_config.yml": "title: A Book\n",
    "_toc.yml": "root: index\n",
    "CITATION.cff": "version: 1.0\n",
    "book/page.md": "---\na: b\n---\n\n# Page\n\nIt is so\nfor ever.\n\n"
    "```python\nx = 1\n\ny = 2\n```\n\nLast.\n",
    "book/references.bib": "% head\n\n@misc{a1,\n author={A, B}}\n\n@misc{b2,\n author={C, D}}\n",
    "book/claims.yaml": "# head\nclaims:\n- id: s0-a\n  statement: It is.\n"
    "- id: s0-b\n  statement: No.\n",
    "book/redirects.txt": "a#b c#d\n",
    "book/_static/book.css": "p { color: red }\n",
    f"{LIB}stats.py": '"""Means."""\n\n\ndef mean(x, y=1):\n    """The mean."""\n    return x\n\n\n'
    'class Law:\n    """A law."""\n\n    def draw(self):\n        """A draw."""\n\n'
    '    def _hidden(self):\n        """Hidden."""\n',
    f"{LIB}proof/kernel/ring.py": '"""A normal form."""\n\nfrom ..words import words\n',
    f"{LIB}proof/words.py": '"""What is said."""\n',
    f"{LIB}figures.py": '"""Pictures."""\n\n\ndef dot():\n    """A dot."""\n    return "r=2"\n',
    f"{LIB}proof/display.py": '"""Badges."""\n\nBADGE = "proved"\n',
    f"{EXT}/static/try.js": "say('It ran.')\n",
    f"{EXT}/templates/404.html": "<p>Nothing.</p>\n",
    f"{EXT}/templates/sections/footer.html": "<p>The end.</p>\n",
    f"{EXT}/static/katex/katex.css": "p { color: red }\n",
    f"{EXT}/bench/bench.py": "SAID = 1  # what a page loads\n",
    f"{EXT}/run.py": 'HELP = "to run"\n',
    f"{EXT}/pages.py": '"""A tool."""\n\nSAID = {"TRUE": "true"}  # a word\n'
    'TOLD = lambda n, m: f"{n} of {m}"\n\n\n@cache\ndef heads(a, b):\n    """Of both."""\n'
    "    return zip(a, b)\n",
    f"{EXT}/katex.mjs": "// le\n",
    "LICENSE": "You may.\n",
    "book/_ext/package-lock.json": "{}\n",
    "book/_ext/.npmrc": "a\n",
}


@pytest.fixture
def root(tmp_path):
    """A small book of which every passage was read."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    store(notebook(*CELLS), tmp_path / "book" / "one.ipynb")
    readings.record(tmp_path)
    assert not list(readings.listed(tmp_path))
    return tmp_path


def cell(number, old, new):
    def change(cells):
        assert old in cells[number].source
        cells[number].source = cells[number].source.replace(old, new)

    return change


def moved(cells):
    cells.insert(0, cells.pop(2))


def alt(cells):
    cells[1].metadata["mystnb"]["image"]["alt"] = "A circle."


def folded(cells):
    cells[3].metadata["tags"] = ["hide-cell"]


def attached(cells):
    cells[0]["attachments"] = {"a.png": {"image/png": "iVBORw0KGgo="}}


def retyped(cells):
    cells[3] = new_markdown_cell(cells[3].source)


def prints(said):
    def change(cells):
        cells[3].outputs = [printed(f"{said}\n")]

    return change


def draws(cells):
    """A figure with words of its own."""
    cells[3].outputs = [shown(html="<svg></svg>")]


def decides(cells):
    cells[3].outputs = [bundle(record("sum"))]


@pytest.mark.parametrize(
    "change, numbers",
    [
        (cell(0, "true", "false"), [1]),
        (cell(0, "$N$", "$M$"), [1]),
        (cell(0, "true\nfor", "true for"), []),
        (cell(0, "# One\n\n", "# One\n"), [1]),
        (cell(0, "true\nfor", "true\n- for"), [1]),
        (cell(0, "true\nfor", "true\\\nfor"), [1]),
        (cell(1, "a sum", "a product"), [2]),
        (cell(1, "print(1)", "print( 1)"), [2]),
        (lambda cells: cells.insert(2, new_markdown_cell("New.")), [3]),
        (lambda cells: cells.pop(2), [3]),
        (lambda cells: cells.pop(), [4]),
        (lambda cells: cells.clear(), [1]),
        (lambda cells: cells.append(new_markdown_cell(cells[0].source)), [6]),
        (moved, [1, 4]),
        (alt, [2]),
        (folded, [4]),
        (attached, [1]),
        (retyped, [4]),
        (prints("2"), [1, 2, 3, 5]),
        (draws, [4]),
        (decides, [4]),
    ],
)
def test_a_cell_that_changed_is_unread(root, change, numbers):
    """Behind one that went, the next is; or the last."""
    made = notebook(*CELLS)
    change(made.cells)
    store(made, root / "book" / "one.ipynb")
    found = readings.unread(root)
    assert [one.place // readings.CELL for one in found.get("book/one.ipynb", [])] == numbers
    assert not {*found} - {"book/one.ipynb"}


def test_a_sentence_was_read_beside_what_was_printed(root):
    """Two branches, in each of which all was read: on one a sentence about a table is new, on the
    other the table."""
    path, lists = root / "book" / "one.ipynb", []
    sentence, table = cell(4, "The end.", "It takes one step."), prints("2")
    for changes in ((sentence,), (table,), (sentence, table)):
        made = notebook(*CELLS)
        for change in changes:
            change(made.cells)
        store(made, path)
        if len(changes) == 1:
            readings.record(root)
            lists.append(json.loads((root / readings.LIST).read_text())["book/one.ipynb"])
    first, second = lists
    for kept in (first, second, [*second[:-1], first[-1]]):
        whole = json.loads((root / readings.LIST).read_text()) | {"book/one.ipynb": kept}
        (root / readings.LIST).write_text(readings.written(whole))
        assert 5 in [one.place // readings.CELL for one in readings.unread(root)["book/one.ipynb"]]


@pytest.mark.parametrize(
    "label, keys, numbers",
    [
        ("sum", {"verdict": "checked"}, [1, 2]),
        ("sum", {"scope": "N = 2"}, [1, 2]),
        ("sum", {"title": "The sum"}, []),
        ("mean", {"verdict": "checked"}, [3, 4]),
    ],
)
def test_a_sentence_was_read_beside_the_badge_of_what_it_names(root, label, keys, numbers):
    """On other pages as well; where the badge is the best that there is, by its words alone."""
    texts = "It is {eq}`eq-sum`: proved.", "As [the sum](two.ipynb#eq-summed)."
    (root / "book" / "page.md").write_text("A page.\n\nBy [it](one.ipynb#eq-sum).\n")
    cells = [code('derive("sum", a)'), *texts, code('derive("mean", a)')]
    cells[0].outputs, cells[-1].outputs = [bundle(record("sum"))], [bundle(record("mean"))]
    store(notebook(*cells), root / "book" / "one.ipynb")
    before = readings.passages(root)
    assert before["book/page.md"][1].hash == readings.digest("By [it](one.ipynb#eq-sum).")
    readings.record(root)
    at = 0 if label == "sum" else -1
    cells[at].outputs[0].data[records.MIME] |= keys
    store(notebook(*cells), root / "book" / "one.ipynb")
    found = readings.by_page(readings.unread(root))
    assert [one.place // readings.CELL for one in found.get("one", [])] == numbers
    assert [one.place for one in found.get("page", [])] == [3] * (numbers == [1, 2])


@pytest.mark.parametrize(
    "said",
    [
        "{eq}`eq-sum`",
        "[it](one.ipynb#eq-sum)",
        "{sum}",
        "[](#sum)",
        "[](sum)",
        "(#program-sum)",
        "{try} sum",
    ],
)
def test_a_result_is_named_as_authors_name_it(said):
    """In the words that a program has, too."""
    badges = {"sum": "argued in words"}
    assert readings.beside("", f'theorem("By {said}.")', badges) == ["", [["sum", badges["sum"]]]]
    assert readings.beside("", said.replace("sum", "summed"), badges) == ""


def test_a_text_is_read_beside_the_badges_of_what_is_made_near_it():
    cells = [
        code("x = 1"),
        code(
            outputs=[
                bundle(record("gap", uses=["sum"], rests=[{"label": "far", "verdict": "checked"}]))
            ]
        ),
    ]
    assert readings.near(cells) == {"gap", "sum", "far"} and readings.near(cells[:1]) == set()
    assert readings.beside("", "no name", {"sum": "argued in words"}, {"gap", "sum"}) != ""


def test_a_damaged_result_is_left_to_the_gates(root):
    made = notebook(code(outputs=[bundle(record("sum"))]))
    del made.cells[0].outputs[0].data[records.MIME]["verdict"]
    store(made, root / "book" / "one.ipynb")
    assert not dict(readings.told_by_badges(root))
    assert any("verdict" in str(one) for one in gates.run(gates.FILES, root))


def test_what_a_notebook_says_of_itself_is_a_passage(root):
    path = root / "book" / "one.ipynb"
    path.write_text(path.read_text().replace('"name": "python"', '"name": "proof"'))
    (found,) = readings.unread(root).values()
    assert [one.begins for one in found] == ["what the notebook says of itself"]


def test_a_source_that_is_gone_is_told_until_it_is_named(root, monkeypatch):
    (root / EXT / "templates" / "404.html").unlink()
    called(monkeypatch, root, "record", "book/page.md")
    assert [*readings.unread(root)] == [f"{EXT}/templates/404.html"]
    called(monkeypatch, root, "record", f"{EXT}/templates/404.html")
    assert not readings.unread(root)


def test_a_source_that_no_page_has_any_more_is_told(root, monkeypatch):
    monkeypatch.setattr(readings, "CHECKS", ["pages", *readings.CHECKS])
    ((found,),) = readings.unread(root).values()
    assert found.begins == "pages.py, of which nothing is on a page any more"


def test_a_page_that_is_emptied_is_told(root):
    (root / "book" / "page.md").write_text("")
    ((found,),) = readings.unread(root).values()
    assert found.begins == "page.md, of which nothing is on a page any more"


@pytest.mark.parametrize(
    "place, where",
    [
        ("", "1 passage of this page, or of what is on every page, has not"),
        (3, "1 passage of this page has not"),
    ],
)
def test_a_note_says_of_what_its_passages_are(place, where):
    note = unread.topped("<h1>A</h1>", [readings.Passage("index", place, "B", "")])
    assert where in note and note.startswith("<h1>A</h1>")


@pytest.mark.parametrize("seed, told", [("000", True), ("001", False)])
def test_errata_tell_of_a_claim_that_is_none_of_them_any_more(root, seed, told):
    claim = readings.Passage("ledger", "claim-s0-a", "s0-a", "")
    cites = SimpleNamespace(found_docs=[], get_domain=lambda name: SimpleNamespace(citations=[]))
    app = SimpleNamespace(srcdir=root / "book", env=cites, logpartition_unread={"ledger": [claim]})
    page = {"body": f'<h1>Errata</h1><section id="errata-{seed}">54 entries</section>'}
    unread.note(app, "errata", "page.html", page, None)
    assert ("lp-unread-note" in page["body"]) is told


def test_a_cell_tells_of_what_others_compute_from_it(root):
    cells = [CELLS[0], code("xs = [1, 2]"), code("ys = sum(xs)")]
    cells += [code("f('a', ys)", outputs=[bundle(record("a"))]), code("f('b', 3)")]
    cells[-1].outputs = [bundle(record("b"))]
    store(notebook(*cells), root / "book" / "one.ipynb")
    assert unread.of_cell(root / "book" / "one.ipynb", 2) == {"eq-a", "program-a", "live-one-4"}


@pytest.mark.parametrize(
    "id_, told",
    [
        ("live-one-2", True),  # the picture of the second cell, which puts something out
        ("live-one-3", False),
        ("eq-a", True),
        ("erratum-c1", True),  # what the refutation of the cell says is there
        ("erratum-c2", False),
        ("claim-c1", False),
    ],
)
def test_a_page_tells_of_what_an_unread_cell_shows_there(root, id_, told):
    made = code("draw()", outputs=[bundle(record("b", claims=["c2"]))])
    made.outputs += (bundle(record("a", claims=["c1"])),)
    made.outputs[1].data[records.MIME]["kind"] = "refutation"
    store(notebook(CELLS[0], made, code()), root / "book" / "one.ipynb")
    cell = readings.Passage("one", 2 * readings.CELL, "draw()", "")
    cites = SimpleNamespace(found_docs=[], get_domain=lambda name: SimpleNamespace(citations=[]))
    known = {"one": [cell]}
    app = SimpleNamespace(srcdir=root / "book", env=cites, logpartition_unread=known)
    page = {"body": f'<h1>A</h1><div id="{id_}">The keys</div>'}
    unread.note(app, "index", "page.html", page, None)
    assert (f'<li><a href="#{id_}">draw()</a></li>' in page["body"]) is told
    assert ("lp-unread-note" in page["body"]) is told


def test_what_is_no_text_stands_in_no_way(root):
    """Such as a file manager leaves behind."""
    (root / EXT / "static" / ".DS_Store").write_bytes(b"\xff")
    (root / EXT / "static" / "a.b").mkdir()
    (root / EXT / "y.py").mkdir()
    (root / EXT / "bench" / "__pycache__").mkdir()
    (root / EXT / "bench" / "__pycache__" / "bench.pyc").write_bytes(b"\xff")
    assert not readings.unread(root)


@pytest.mark.parametrize(
    "path, old, new, page, begins",
    [
        ("book/page.md", "so\nfor", "so, for", "page", ["It is so, for ever."]),
        ("book/page.md", "so\nfor", "so  for", "page", []),
        ("book/page.md", "so\nfor", "so\n\nfor", "page", ["It is so", "for ever."]),
        ("book/page.md", "a: b", "a: c", "page", ["a: c"]),
        ("book/page.md", "\n\ny", "\ny", "page", ["python x = 1 y = 2"]),
        ("book/page.md", "It is so\nfor ever.\n\n", "", "page", ["python x = 1 y = 2"]),
        ("book/page.md", "# Page\n", "# A page\n", "page", ["A page"]),
        ("book/references.bib", "A, B", "B, A", "references", ["a1"]),
        ("book/references.bib", "@misc{a1,\n author={A, B}}\n\n", "", "references", ["b2"]),
        ("book/references.bib", "% head", "@misc{c,}", "references", ["c"]),
        ("book/claims.yaml", "No.", "Yes.", "ledger", ["s0-b"]),
        ("book/redirects.txt", "c#d", "c#e", "index", ["redirects.txt, of every page"]),
        ("_config.yml", "A Book", "The Book", "index", ["_config.yml, of every page"]),
        ("CITATION.cff", "1.0", "1.1", "index", ["CITATION.cff, of every page"]),
        ("book/_static/book.css", "red", "blue", "index", ["book.css, of every page"]),
        (f"{EXT}/static/try.js", "ran", "fell", "index", ["try.js, of every page"]),
        (f"{EXT}/templates/404.html", "Nothing", "All", "index", ["404.html, of every page"]),
        (f"{EXT}/pages.py", '"true"', '"false"', "index", ["pages.py, SAID, of pages"]),
        (f"{EXT}/pages.py", "a word", "two words", "index", []),
        (f"{EXT}/pages.py", "zip(a, b)", "zip(b, a)", "index", ["pages.py, heads, of pages"]),
        (f"{EXT}/pages.py", "@cache\n", "", "index", ["pages.py, heads, of pages"]),
        (f"{EXT}/pages.py", "Of both.", "Of none.", "index", []),
        (f"{EXT}/pages.py", "SAID", "import a\n\nSAID", "index", ["pages.py, imports, of pages"]),
        (f"{EXT}/run.py", "to run", "to walk", "index", []),
        (f"{EXT}/bench/bench.py", "a page", "no page", "index", ["bench.py, of every page"]),
        (
            f"{EXT}/templates/sections/footer.html",
            "end",
            "start",
            "index",
            ["footer.html, of every page"],
        ),
        (f"{EXT}/static/katex/katex.css", "red", "blue", "index", ["katex.css, of every page"]),
        (f"{LIB}stats.py", "The mean", "A mean", "library", ["logpartition.stats.mean"]),
        (f"{LIB}stats.py", "y=1", "y=2", "library", ["logpartition.stats.mean"]),
        (f"{LIB}stats.py", "return x", "return y", "library", []),
        (f"{LIB}stats.py", "A draw", "One", "library", ["logpartition.stats.Law.draw"]),
        (f"{LIB}stats.py", "Hidden.", "Seen.", "library", []),
        (f"{LIB}stats.py", "Means.", "Sums.", "library", ["stats"]),
        (f"{LIB}proof/kernel/ring.py", "A normal", "No", "trust", ["ring"]),
        (f"{LIB}proof/words.py", "What", "All that", "trust", ["words"]),
        (f"{LIB}stats.py", "_hidden", "proved", "library", ["logpartition.stats.Law.proved"]),
        (f"{EXT}/pages.py", "{n} of {m}", "{m} of {n}", "index", ["pages.py, TOLD, of pages"]),
        (f"{EXT}/katex.mjs", "le", "ge", "index", ["katex.mjs, of every page"]),
        (f"{LIB}proof/display.py", '"pr', '"im', "index", ["display.py, BADGE, of pages"]),
        (f"{LIB}figures.py", "r=2", "r=4", "index", ["figures.py, dot, of pages"]),
        ("book/_ext/package-lock.json", "{}", "[]", "index", ["package-lock.json, of every page"]),
        ("book/_ext/.npmrc", "a", "b", "index", [".npmrc, of every page"]),
        ("LICENSE", "may", "may not", "index", ["LICENSE, of every page"]),
        ("book/claims.yaml", "- id: s0-a\n  statement: It is.\n", "", "ledger", ["s0-b"]),
        (
            "book/page.md",
            "# Page\n\nIt",
            "# Page\n\N{NO-BREAK SPACE}\nIt",
            "page",
            ["Page It is so for ever."],
        ),
    ],
)
def test_a_passage_that_changed_is_unread(root, path, old, new, page, begins, capsys):
    source = (root / path).read_text()
    assert old in source
    (root / path).write_text(source.replace(old, new, 1))
    found = readings.by_page(readings.unread(root))
    assert {name: [one.begins for one in each] for name, each in found.items()} == (
        {page: begins} if begins else {}
    )
    readings.tell(root)
    told = capsys.readouterr().out
    assert told.startswith(f"{page}: {len(begins)} passage") if begins else not told
    readings.record(root, [path])
    assert not readings.unread(root)


def test_what_was_never_read_is_unread(root):
    (root / readings.LIST).unlink()
    assert readings.unread(root).keys() == readings.passages(root).keys()
    readings.record(root, ["book/page.md"])
    assert list(readings.kept(root)) == ["book/page.md"]
    assert not list(readings.form(root))


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("<<<<<<< one\n", "a merge left its marks in line 1"),
        ("[]", "is no list of readings"),
        (f'{{"a": {"1" * 5000}}}', "is not JSON"),
        ('{"a": "b"}', "is no list of readings"),
        ('{"a": ["true"]}', "is no list of readings"),
        ('{"a": [1]}', "is no list of readings"),
        ('{"a": ["0123456789abcdef"]}', "is not as `record` writes it"),
        (readings.written({"b": [], "a": []}).replace('"a"', '"c"'), "is not as `record`"),
        ("\ufeff{}", "cannot be read"),
    ],
)
def test_a_list_that_is_none_is_a_finding(root, content, message):
    (root / readings.LIST).write_text(content)
    (found,) = gates.run([readings.form], root)
    assert message in str(found) and "\n" not in str(found)
    assert readings.form in gates.FILES


def called(monkeypatch, root, *arguments):
    monkeypatch.setattr(readings.files, "ROOT", root)
    monkeypatch.setattr(readings.files, "at_home", lambda: None)
    monkeypatch.setattr(sys, "argv", ["readings", *arguments])
    readings.main()


def test_the_command_fails_until_all_is_read(root, monkeypatch, capsys):
    called(monkeypatch, root)
    page = root / "book" / "page.md"
    page.write_text(page.read_text().replace("Last.", "First."))
    with pytest.raises(SystemExit, match="book/page.md: line 16, not read .*: First."):
        called(monkeypatch, root)
    for wrong in ([], ["--all", "book/page.md"], ["book/none.md"]):
        with pytest.raises(SystemExit, match="2"):
            called(monkeypatch, root, "record", *wrong)
    called(monkeypatch, root, "record", "book/page.md")
    called(monkeypatch, root)
    (root / readings.LIST).write_text("{")
    with pytest.raises(SystemExit, match="readings.json is not JSON"):
        called(monkeypatch, root)
    called(monkeypatch, root, "record", "--all")
    called(monkeypatch, root)
    assert json.loads((root / readings.LIST).read_text())


@pytest.mark.parametrize(
    "path, content, message",
    [
        (f"{EXT}/pages_1.py", b"<<<<<<< ours\n", "pages_1.py is not Python: .* in line 1"),
        (f"{EXT}/zero.py", b"x = 1\0\n", "zero.py is not Python: .* null bytes"),
        (f"{EXT}/notes.py", b"# \xe9\n", "notes.py cannot be read: "),
        (f"{LIB}stats.py", b"def\n", "stats.py is not Python: "),
        (f"{LIB}proof/words.py", b"def\n", "words.py is not Python: "),
    ],
)
def test_a_module_that_is_none_is_a_sentence(root, path, content, message, monkeypatch):
    (root / path).write_bytes(content)
    with pytest.raises(SystemExit, match=f"^{message}"):
        readings.tell(root)
    with pytest.raises(SystemExit, match=f"^{message}"):
        called(monkeypatch, root)


def test_what_only_checks_makes_no_page():
    """No module that makes pages takes its words or its numbers from one that checks."""
    assert all((ROOT / EXT / f"{name}.py").is_file() for name in readings.CHECKS)
    for path in (ROOT / EXT).glob("*.py"):
        imports = re.findall(r"(?m)^from \.(\w*) import (.*)$", path.read_text(encoding="utf-8"))
        taken = {name or one for name, names in imports for one in names.split(", ")}
        assert path.stem in {*readings.CHECKS, *TOOLS} or not taken & {*readings.CHECKS}, path


TOOLS = {"addresses", "archive", "build", "readings"}


@pytest.mark.parametrize("workflow", ["publish", "release"])
def test_what_is_unread_or_not_decided_again_is_not_published(workflow):
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    for command in ("logpartition_book.readings", "logpartition check book/"):
        made = commands.index("make book PYTHON=python")
        assert commands.index(f".venv/bin/python -m {command}") < made
    assert not any("continue-on-error" in step or "if" in step for step in steps(workflow))


def test_what_is_unread_is_not_archived(monkeypatch, tmp_path, capsys):
    (tmp_path / "html").mkdir()
    for name in ("html/results.json", archive.paper.NAME):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr(archive.gates, "check_book", lambda root: [])
    monkeypatch.setattr(archive.readings, "listed", lambda root: ["page.md: not read"])
    monkeypatch.setattr(sys, "argv", ["archive", "--output", str(tmp_path)])
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit, match="1 finding"):
        archive.main()
    assert capsys.readouterr().out == "page.md: not read\n"
