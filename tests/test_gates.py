"""The gates: the book passes them, the canaries do not, and each gate finds the fault planted for it."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from logpartition_book import addresses, gates
from logpartition_book.inline_maths import states_equation
from logpartition_book.records import MIME
from logpartition_book.run import ROOT, inputs

CANARIES = Path(__file__).parent / "canaries"


def test_the_book_passes():
    found = [str(finding) for finding in gates.check_book()]
    assert not found, "\n" + "\n".join(found)


# canaries: the commands of `make test` and `make book`, on notebooks with one fault each


@pytest.fixture(scope="module")
def caught(tmp_path_factory):
    """Which canaries pytest turns red with the flags of `make test`, and which the gates do."""
    folder = tmp_path_factory.mktemp("canaries")
    for path in CANARIES.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata["logpartition"] = {"inputs": inputs(notebook)}
        nbformat.write(notebook, folder / path.name)
    flags = re.search(r"-m pytest tests \$\(notebooks\) (.*)", (ROOT / "Makefile").read_text())[1].split()
    paths = sorted(str(path) for path in folder.glob("*.ipynb"))
    tests = subprocess.run([sys.executable, "-m", "pytest", *paths, *flags, "--junitxml=report.xml"], cwd=folder, capture_output=True)
    checks = subprocess.run([sys.executable, "-m", "logpartition_book.gates", *paths], cwd=folder, capture_output=True, text=True)
    assert tests.returncode == 1 and checks.returncode == 1
    failures = {}
    for case in xml.parse(folder / "report.xml").iter("testcase"):
        for failure in case.iter("failure"):
            failures[re.search(r"[\w-]+(?=\.ipynb)", case.get("classname") + failure.text)[0]] = failure.text
    return failures, dict(re.findall(r"^([\w-]+)\.ipynb, cell \d+: (.*)$", checks.stdout, re.MULTILINE))


def test_canaries_turn_the_suite_red(caught):
    by_nbval, by_gates = caught
    assert set(by_nbval) == {"wrong-output", "failing-cell", "false-equation"}
    assert "mismatch 'stdout'" in by_nbval["wrong-output"]
    assert "ZeroDivisionError" in by_nbval["failing-cell"]
    assert "Refuted: log-derivative" in by_nbval["false-equation"]
    assert by_gates == {"unrun-cell": "was never run"}


# a fault for each gate


def notebook(*cells):
    return new_notebook(cells=[cell if isinstance(cell, dict) else new_markdown_cell(cell) for cell in cells])


def code(source="x = 1", count=1, outputs=(), **metadata):
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata=metadata)


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(**data):
    kinds = {"plain": "text/plain", "markdown": "text/markdown", "latex": "text/latex", "html": "text/html", "png": "image/png", "record": MIME}
    return new_output("display_data", data={kinds[key]: value for key, value in data.items()})


def record(label, **keys):
    return {"label": label, "title": f"On {label}", "uses": [], "claims": [], "certifies": [], "fingerprint": "0"} | keys


def result(label, **keys):
    made = record(label, **keys)
    return shown(record=made, plain=f"{label}: proved", markdown=f"**{made['title']}** $$a = b$$")


def messages(gate, *cells):
    return [message for _, message in gate(notebook(*cells), ROOT)]


HEALTHY = ("# A heading\n\nThe mean is 2.25.", code("print(2.25)", 1, [printed("2.25\n")]), code("show()", 2, [result("a-result")]))


@pytest.mark.parametrize("gate", [gate for gate in gates.CHAPTER_GATES if gate is not gates.stale], ids=lambda gate: gate.__name__)
def test_a_healthy_notebook_passes(gate):
    assert messages(gate, *HEALTHY) == []


@pytest.mark.parametrize(
    "gate, cells, message",
    [
        (gates.unrun, [code(count=None)], "was never run"),
        (gates.unrun, [code("", count=None)], "is empty"),
        (gates.out_of_order, [code(count=2)], "has count 2, and is code cell 1"),
        (gates.out_of_order, [code(count=1), code(count=3)], "has count 3, and is code cell 2"),
        (gates.complaints, [code(outputs=[printed("careful\n", "stderr")])], "wrote to stderr: careful"),
        (gates.complaints, [code(outputs=[new_output("error", ename="E", evalue="no", traceback=[])])], "holds an error: E: no"),
        (gates.volatile, [code(outputs=[shown(plain="<logpartition.figures.Slider at 0x7f4347d130d0>")])], "prints a place in memory"),
        (gates.uncompared, [code("# NBVAL_SKIP\nx")], "keeps nbval from comparing"),
        (gates.uncompared, [code("# NBVAL_IGNORE_OUTPUT and more\nx")], "keeps nbval from comparing"),
        (gates.uncompared, [code(tags=["raises-exception"])], "keeps nbval from comparing"),
        (gates.uncompared, [code(outputs=[shown(png="", plain="f"), printed("0.5")], tags=["nbval-ignore-output"])], "is not compared"),
        (gates.typed_equations, ["Then\n\n$$x = 1$$"], "display maths typed outside a definition: x = 1"),
        (gates.typed_equations, ["Then $$x = 1$$ so"], "display maths"),
        (gates.typed_equations, [r"Then \[x = 1\] so"], "display maths"),
        (gates.typed_equations, ["```{math}\n:label: l\nx = 1\n```"], "display maths"),
        (gates.typed_equations, [r"\begin{align} x &= 1 \end{align}"], "display maths"),
        (gates.typed_equations, ["::::{note}\n:::{tip}\n$$x = 1$$\n:::\n::::"], "display maths"),
        (gates.typed_equations, [r"So $\nabla G(q) = \sum_j p_j k_j$."], "an equation typed in the text"),
        (gates.unverified_outputs, [code(outputs=[shown(latex="$a = b$")])], "displays an equation"),
        (gates.unverified_outputs, [code(outputs=[shown(markdown="so\n\n$$a \\le b$$")])], "displays an equation"),
        (gates.bundles, [code(outputs=[shown(record=record("a"), markdown="**On a**")])], "its text/plain is missing"),
        (gates.bundles, [code(outputs=[shown(record=record("a"), plain="a: proved", markdown="**On b**")])], "its text/markdown is missing"),
        (gates.unprinted_numbers, ["The mean is 2.26.", code(outputs=[printed("2.25")])], "the number 2.26 is printed by no cell"),
        (gates.unprinted_numbers, ["It is $x = 0.807$.", code(outputs=[printed("0.80607")])], "the number 0.807"),
        (gates.unprinted_numbers, ["It is 0.806070.", code(outputs=[printed("0.80607")])], "the number 0.806070"),
        (gates.headings, ["## The limit $d \\to \\infty$"], "maths in the heading"),
        (gates.figures, [code(outputs=[shown(png="")])], "its picture has no alt text"),
        (gates.figures, [code(outputs=[shown(png="")], mystnb={"image": {"alt": " "}})], "its picture has no alt text"),
        (gates.figures, [code(outputs=[shown(html="<svg></svg>")])], "its drawing has no aria-label"),
        (gates.figures, [code(outputs=[shown(html="<svg aria-label=''></svg>")])], "its drawing has no aria-label"),
        (gates.figures, ["![](picture.png)"], "a picture without alt text"),
        (gates.figures, ["```{figure} picture.png\nA caption.\n```"], "a picture without alt text"),
        (gates.figures, ["<img src='picture.png'>"], "a picture without alt text"),
    ],
)
def test_a_fault_is_found(gate, cells, message):
    assert any(message in found for found in messages(gate, *cells))


@pytest.mark.parametrize(
    "gate, cells",
    [
        (gates.typed_equations, [":::{prf:definition} G\n:label: def-g\n$$G = \\log Z$$\n:::", "```\n$$x = 1$$\n```", "`$$x = 1$$`"]),
        (gates.uncompared, [code(outputs=[shown(png="", plain="f")], tags=["nbval-ignore-output"])]),
        (gates.uncompared, [code(outputs=[shown(html="<svg></svg>", plain="Slider")], tags=["nbval-ignore-output"])]),
        (gates.figures, [code(outputs=[shown(html="<svg role='img' aria-label='Arrows.'></svg>")])]),
        (gates.unverified_outputs, [code(outputs=[shown(latex="$\\sqrt{2}$")])]),
        (gates.unprinted_numbers, ["In 2205.01080, by PyTorch 2.13, Theorem 5.12, {cite}`a2.34`, `2.345` and [x](http://x.y/1.23)."]),
        (gates.unprinted_numbers, ["It is 0.806, 0.8061 or $8.06 \\times 10^{-1}$.", code(outputs=[printed("0.80607")])]),
        (gates.figures, [code(outputs=[shown(png="")], mystnb={"image": {"alt": "The gradient points at the nearest key."}})]),
    ],
)
def test_what_is_allowed_passes(gate, cells):
    assert messages(gate, *cells) == []


@pytest.mark.parametrize(
    "printed, written, agrees",
    [("0.80607", "0.806", True), ("0.80607", "0.807", False), ("0.125", "0.12", True), ("0.125", "0.13", True),
     ("0.8", "0.80", False), ("1.2e-7", "1.2e-7", True), ("0.00123", "1.2e-3", True)],
)  # fmt: skip
def test_rounding(printed, written, agrees):
    assert gates.rounds_to(Decimal(printed), Decimal(written)) is agrees


@pytest.mark.parametrize(
    "maths",
    [r"Z = \sum_j e^{s_j}", r"d \ge 2", "0 < t < 1", "N = 1, 2, 3", r"q \in \mathbb{R}^d", r"\|k_j\| \le R", r"x = -1/2", r"G(q) = \log\sum_{j=1}^{N} e^{q \cdot k_j}",
     r"\sum_j p_j = 1", r"\operatorname{Var}(X) > 0", r"P(X = x) = p", r"p(x \mid \eta) = h(x)\, e^{\langle u(x), \eta \rangle - G(\eta)}", r"\nabla G", r"p = \operatorname{softmax}(s)"],
)  # fmt: skip
def test_names_and_conditions_stay_in_the_text(maths):
    assert not states_equation(maths)


@pytest.mark.parametrize(
    "maths",
    [r"\nabla G(q) = \sum_j p_j k_j", r"\mathbb{E}_p[k] = \nabla G(q)", "a + b = b + a", r"\log(1 + x) \le x - x^2/2", r"p^\top q = q^\top p",
     r"\partial_t \log Z(t) = \langle r \rangle", r"Z = \sum_{j=1}^N e^{s_j} + \sum_{j=1}^N e^{-s_j} + \prod_j (1 + e^{s_j} u_j)"],
)  # fmt: skip
def test_equations_do_not_stay_in_the_text(maths):
    assert states_equation(maths)


# the book as a whole, as a small book of two chapters


@pytest.fixture
def small_book(tmp_path):
    """Writes a book of these chapters, each a list of records, and this library module."""

    def write(chapters, module='def mean(x):\n    """m. Derived in: mean"""\n', claims=()):
        book, library = tmp_path / "book", tmp_path / "lib" / "logpartition"
        book.mkdir()
        library.mkdir(parents=True)
        (library / "stats.py").write_text(module)
        (tmp_path / "_toc.yml").write_text("root: index\nchapters:\n" + "".join(f"- file: {slug}\n" for slug in chapters))
        (book / "claims.yaml").write_text(json.dumps({"claims": list(claims), "beyond": []}))
        for slug, records in chapters.items():
            nbformat.write(notebook(code(outputs=[result(r.pop("label"), **r) for r in records])), book / f"{slug}.ipynb")
        (book / "addresses.txt").write_text("\n".join(addresses.current(tmp_path)))
        return tmp_path

    return write


MEAN = dict(label="mean", certifies=["logpartition.stats.mean"])


def findings(gate, root):
    return [str(finding) for finding in gate(root)]


def test_a_small_book_passes(small_book):
    claims = [{"id": "c1", "chapter": "one"}]
    root = small_book({"one": [MEAN | {"claims": ["c1"]}], "two": [dict(label="b", uses=["mean"])]}, claims=claims)
    assert [finding for gate in gates.BOOK_GATES for finding in findings(gate, root)] == []


@pytest.mark.parametrize(
    "gate, chapters, message",
    [
        (gates.labels, {"one": [dict(label="a")], "two": [dict(label="a")]}, "two.ipynb: result a: its label is given to more than one"),
        (gates.labels, {"one": [dict(label="a", uses=["gone"])]}, "one.ipynb: result a: uses 'gone', a label that no result has"),
        (gates.labels, {"one": [dict(label="a", uses=["b"])], "two": [dict(label="b", uses=["a"])]}, "rests on itself: "),
        (gates.answers, {"one": [dict(label="a", claims=["c9"])]}, "answers 'c9', which is not in claims.yaml"),
        (gates.answers, {"one": [dict(label="a")]}, "one.ipynb: claim c1 is answered by no result"),
        (gates.certificates, {"one": [dict(label="a")]}, "logpartition.stats.mean says that it is derived in 'mean'"),
        (gates.certificates, {"one": [dict(label="mean")]}, "logpartition.stats.mean says that it is derived in 'mean'"),
        (gates.certificates, {"one": [dict(label="a", certifies=["logpartition.stats.median"])]}, "which is no public function"),
        (gates.certificates, {"one": [dict(label="a", certifies=["logpartition.stats.mean"])]}, "whose docstring does not say"),
    ],
)
def test_a_fault_between_chapters_is_found(gate, chapters, message, small_book):
    chapters = {slug: [dict(keys) for keys in records] for slug, records in chapters.items()}
    root = small_book(chapters, claims=[{"id": "c1", "chapter": "one"}])
    assert any(message in finding for finding in findings(gate, root))


def test_a_notebook_outside_the_table_of_contents_is_found(small_book):
    root = small_book({"one": []})
    nbformat.write(notebook(code()), root / "book" / "stray.ipynb")
    assert findings(gates.unlisted, root) == ["stray.ipynb: is not in _toc.yml, so no reader gets to see it"]


def test_an_address_that_is_gone_or_not_listed_is_found(small_book):
    root = small_book({"one": [dict(label="a")]})
    assert addresses.current(root) == {"one", "one#a"}
    (root / "book" / "addresses.txt").write_text("one\none#b\n")
    gone, new = findings(gates.permanence, root)
    assert "one#b is gone" in gone and "1 addresses are not on the list" in new


def test_pages_are_checked_too(small_book):
    root = small_book({"one": []})
    (root / "book" / "page.md").write_text("# On $x$\n\n$$x = 1$$\n\n![](p.png)\n")
    assert len(findings(gates.pages, root)) == 3
    (root / "book" / "page.md").rename(root / "book" / "notation.md")
    assert len(findings(gates.pages, root)) == 2


def test_a_stale_notebook_is_found(tmp_path):
    stamped = notebook(code("from logpartition.stats import mean"))
    library = tmp_path / "lib" / "logpartition"
    library.mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("numpy==1.0  # a pin\n")
    module = library / "stats.py"
    module.write_text('def mean(x):\n    """m"""\n    return sum(x) / len(x)\n')
    stamped.metadata["logpartition"] = {"inputs": inputs(stamped, tmp_path)}
    assert list(gates.stale(stamped, tmp_path)) == []
    module.write_text("def mean(x):\n    return sum(x) / (len(x) - 1)\n")
    assert [message for _, message in gates.stale(stamped, tmp_path)]
