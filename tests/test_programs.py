"""The programs that a page can run: what they hold, and that they make the results of the book."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

from logpartition_book import records
from logpartition_book.bench import bench
from logpartition_book.breaks import breaks, without
from logpartition_book.programs import Chapter, in_a_page
from logpartition_book.workbench import FORM, NAMES_SAID, UNUSED, archive, unused

ROOT = Path(__file__).parents[1]
NOTEBOOKS = records.notebooks(ROOT)
WHOLE = os.environ.get("LOGPARTITION_AUDIT") == "full"


def program(*sources, label="r"):
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return Chapter(cells).program(label, len(cells) - 1)


@pytest.mark.parametrize(
    "sources, setup",
    [
        (("x = 1\ny = 2", "f('r', x)"), "x = 1"),
        (("x = 1", "x = 2", "f('r', x)"), "x = 2"),
        (("x = 1", "f('r', x)\nx = 2"), "x = 1"),
        (("x = []", "x.append(1)", "f('r', x)"), "x = []\nx.append(1)"),
        (("x = [2, 1]", "x.sort()", "f('r', x)"), "x = [2, 1]\nx.sort()"),
        (("x = [2, 1]", "x.reverse(); x.remove(1)", "f('r', x)"),
         "x = [2, 1]\nx.reverse()\nx.remove(1)"),
        (("x = {1}", "x.discard(1)", "x.clear()", "f('r', x)"), "x = {1}\nx.discard(1)\nx.clear()"),
        (("x = {1: 2}", "k = x.popitem()", "f('r', x)"), "x = {1: 2}\nk = x.popitem()"),
        (("import a", "y = a.sort(1)", "f('r', a)"), "import a"),
        (("x = {}", "x[1] = 2", "y = x[1]", "f('r', x)"), "x = {}\nx[1] = 2"),
        (("x = 1", "x += 1", "f('r', x)"), "x = 1\nx += 1"),
        (("from a import b, c", "f('r', c)"), "from a import c"),
        (("import a.b\nimport c as d", "f('r', d)"), "import c as d"),
        (("a = 1", "g = lambda t: a * t", "f('r', g)"), "a = 1\ng = lambda t: a * t"),
        (("g = lambda t: a * t", "a = 1", "f('r', g)"), "g = lambda t: a * t\na = 1"),
        (("t = 1", "g = lambda t: t", "f('r', g)"), "g = lambda t: t"),
        (("t = 1", "def g(s):\n    t = s\n    return t", "f('r', g)"),
         "def g(s):\n    t = s\n    return t"),
        (("t = 1", "f('r', [t for t in (1, 2)])"), ""),
        (("t = (1,)", "f('r', [t for t in t])"), "t = (1,)"),
        (("best = 0", "for n in (1, 2):\n    best = max(best, n)", "f('r', best)"),
         "best = 0\nfor n in (1, 2):\n    best = max(best, n)"),
        (("d = 1", "@d\ndef g():\n    pass", "f('r', g)"), "d = 1\n@d\ndef g():\n    pass"),
        (("x = 1  # why; so", "f('r', x)"), "x = 1  # why; so"),
        (("y = 0; x = 'é'", "f('r', x)"), "x = 'é'"),
        (("note('r', x)\ny = 1\nf('r', y)",), "y = 1"),
        (("a = 1", "g = lambda t: a * t", "h = g", "a = 2", "f('r', h)"),
         "a = 1\ng = lambda t: a * t\nh = g\na = 2"),
        (("g = lambda t: a * t", "h = [partial(g)]", "a = 2", "f('r', h)"),
         "g = lambda t: a * t\nh = [partial(g)]\na = 2"),
        (("a = 1", "g = lambda t: a * t", "y = g(3)", "a = 2", "f('r', y)"),
         "a = 1\ng = lambda t: a * t\ny = g(3)"),
        (("def g(a):\n    a[0] = 1", "x = [0]", "g(x)", "g(0)", "f('r', x)"),
         "def g(a):\n    a[0] = 1\nx = [0]\ng(x)"),
        (("def g(b, a):\n    a.append(b)", "def h(c):\n    g(1, c)", "k = h", "x = []", "k(x)",
          "f('r', x)"),
         "def g(b, a):\n    a.append(b)\ndef h(c):\n    g(1, c)\nk = h\nx = []\nk(x)"),
        (("def g(b, a):\n    a.append(b)", "k = partial(g, 1)", "x = []", "k(x)", "f('r', x)"),
         "def g(b, a):\n    a.append(b)\nk = partial(g, 1)\nx = []\nk(x)"),
        (("def g(a):\n    a = [*a]\n    a[0] = 1", "x = [0]", "g(x)", "f('r', x)"), "x = [0]"),
        (("x = 1", "if c:\n    x = 2", "f('r', x)"), "x = 1\nif c:\n    x = 2"),
        (("x = 0", "x = 1", "for x in c:\n    pass", "f('r', x)"),
         "x = 1\nfor x in c:\n    pass"),
        (("x = 1", "with c:\n    x = d()", "f('r', x)"), "x = 1\nwith c:\n    x = d()"),
        (("x = 1", "b = 0 or (x := 2)", "f('r', x)"), "x = 1\nb = 0 or (x := 2)"),
        (("x = 1", "y = [x := t for t in c]", "f('r', x)"), "x = 1\ny = [x := t for t in c]"),
        (("x = 1", "g = lambda t: (x := t)", "f('r', x)"), "x = 1"),
        (("x = 1", "x: int", "f('r', x)"), "x = 1\nx: int"),
        (("x = 0", "x = 1", "match c:\n    case [0, *x] | {**x} | x:\n        pass", "f('r', x)"),
         "x = 1\nmatch c:\n    case [0, *x] | {**x} | x:\n        pass"),
        (("x = 1", "def g(t):\n    match t:\n        case x:\n            return x", "f('r', g)"),
         "def g(t):\n    match t:\n        case x:\n            return x"),
    ],
)  # fmt: skip
def test_a_program_has_what_it_needs_and_no_more(sources, setup):
    found = program(*sources)
    assert found.setup == setup
    assert found.text.startswith("f('r'")


def test_a_cell_is_needed_where_another_may_bind_its_name_again():
    sources = "x = 1", "try:\n    x = g()\nexcept ValueError:\n    pass", "f('r', x)"
    cells = [{"cell_type": "code", "source": source} for source in sources]
    assert Chapter(cells).users() == {1: {3}, 2: {3}}


def test_a_program_names_what_no_browser_has():
    sources = "import math\nimport torch\nfrom logpartition import attention", "x = torch.ones(1)"
    assert program(*sources, "f('r', x, math.pi, attention)").heavy == (
        "logpartition.attention",
        "torch",
    )
    assert program(*sources, "f('r', math.pi)").heavy == ()
    assert program("f('s')") is None
    assert program("NAMES = ['r']\nf('r')").text == "f('r')"


@pytest.mark.parametrize("change", ["np.put(xs, 0, 1)", "xs.fill(2)", "np.exp(1, out=xs)"])
def test_a_program_has_what_changes_what_it_needs(change):
    assert change in program(f"import numpy as np\nxs = np.ones(2)\n{change}", "f('r', xs)").setup


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Each program of the book that a browser can run, as a file."""
    folder = tmp_path_factory.mktemp("programs")
    for notebook in NOTEBOOKS:
        for label, found in in_a_page(notebook).items():
            path = folder / f"{notebook.stem}.{label}.py"
            path.write_text(f"{found.setup}\n{found.text}\n", encoding="utf-8")
    return folder


def test_nearly_every_result_has_a_program_that_a_browser_runs():
    without = [
        record["label"]
        for notebook in NOTEBOOKS
        for record in records.records(notebook)
        if record["label"] not in in_a_page(notebook)
    ]
    assert len(without) < 0.06 * len(records.all_records(ROOT / "book")), without


def test_no_program_lacks_a_name(written):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", written],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_bench_lets_every_program_of_the_book_be_read():
    """It imports what the bench offers, changes nothing that is not its own, and says nothing to
    the book that a reader would have to read."""
    for notebook in NOTEBOOKS:
        for label, found in in_a_page(notebook).items():
            assert "claims=" not in found.text + found.setup, label
            for node in bench._parsed(found.setup, label) + bench._parsed(found.text, label):
                if isinstance(node, ast.ImportFrom):
                    names = [one.name for one in node.names]
                    bench.imported(node.module, wanted=names)


CHECK = (
    f"UNUSED = {sorted(part.replace('/', '.') for part in UNUSED)}"
    + """
import json, sys
class Heavy:
    def find_spec(self, name, path=None, target=None):
        heavy = name.split(".")[0] in ("torch", "numpy", "scipy", "matplotlib", "IPython")
        if heavy or name in UNUSED:
            raise ImportError(f"no browser has {name}")
sys.meta_path.insert(0, Heavy())
import bench
for path in sys.argv[1:]:
    print(bench.check("", open(path, encoding="utf-8").read()))
"""
)


@pytest.fixture(scope="module")
def answers(written):
    """What the bench says of programs of the book, one after the other as on a page: of each
    chapter of the first, or of all where LOGPARTITION_AUDIT is full."""
    paths = [
        path
        for notebook in NOTEBOOKS
        for path in sorted(written.glob(f"{notebook.stem}.*.py"))[: None if WHOLE else 1]
    ]
    done = subprocess.run(
        [sys.executable, "-c", CHECK, *paths],
        capture_output=True,
        text=True,
        cwd=ROOT / "book",
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'lib'}:{Path(bench.__file__).parent}"},
    )
    assert done.returncode == 0, done.stderr
    said = map(json.loads, done.stdout.splitlines())
    return {tuple(path.stem.split(".")): answer for path, answer in zip(paths, said, strict=True)}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_program_makes_the_result_that_the_book_has(notebook, answers):
    stored = {record["label"]: record for record in records.records(notebook)}
    tried = {label: answer for (slug, label), answer in answers.items() if slug == notebook.stem}
    assert tried
    for label, answer in tried.items():
        assert answer["trouble"] is None, (label, answer)
        (result,) = answer["results"]
        for key in ("title", "verdict", "statement", "text"):
            assert result[key] == stored[label][key], label


def test_what_pages_have_of_sympy_imports_nothing_of_what_they_lack():
    """Not even in a function."""
    root, lacking = Path(sympy.__file__).parents[1], set()
    imports = re.compile(r"(?m)^\s*(?:from|import)\s+(\.*)([\w.]*)(?: import \(?(\w+(?:, \w+)*))?")
    for path in (root / "sympy").rglob("*.py"):
        if {"tests", "benchmarks"} & set(path.parts) or unused(path, root):
            continue
        found = imports.findall(path.read_text(encoding="utf-8"))
        for dots, name, names in (one for one in found if any(one[:2])):
            start = path.parents[len(dots) - 1] if dots else root
            module = start.joinpath(*filter(None, name.split(".")))
            lacking |= {
                (path.name, f"{dots}{name} {one}")
                for one in names.split(", ")
                if unused(module / one, root)
            }
    assert lacking == set()
    assert all(
        [*root.glob(f"{part}*")] and part.replace("/", ".") in NAMES_SAID[1] for part in UNUSED
    )


def checked(setup, text):
    return json.loads(bench.check(setup, text))


CHAIN = """derive("r", (x + 1) ** 2, title="T").eq(x**2 + 2 * x + 1, rearrange)"""
SETUP = """from sympy import Symbol
from logpartition.proof import derive, rearrange
x = Symbol("x", real=True)"""


def test_the_bench_shows_what_was_decided():
    answer = checked(SETUP, CHAIN)
    assert answer["trouble"] is None and answer["printed"] == ""
    (result,) = answer["results"]
    assert result["verdict"] == "proved" and result["title"] == "T"
    assert result["steps"][0]["relation"] == "=" and "rejected" in result["evidence"]
    assert checked(SETUP, f"y = {CHAIN}\nprint(1)")["results"] == []
    assert checked(SETUP, f"print(1)\ny = {CHAIN}")["printed"] == "1\n"
    assert len(checked(SETUP, f"y = {CHAIN}")["results"]) == 1


@pytest.mark.parametrize(
    "setup, text, head, said",
    [
        (SETUP, CHAIN.replace("+ 2", "- 2"), "Refuted.", "at x = 1, the left side is 4"),
        (SETUP, CHAIN.replace("2 * x", "2 * i"), "NameError in line 1 of the program.", "'i'"),
        (SETUP, f"y = 1\n\nz = y.z\n{CHAIN}", "AttributeError in line 3 of the program.", "'z'"),
        ("import torch_", CHAIN, "ModuleNotFoundError in line 1 of what it needs.", "torch_"),
        (SETUP, "y = (", "Python cannot read line 1 of the program.", "never closed"),
        (SETUP, CHAIN.partition(".eq")[0], "IllFormed: it has no definite meaning here.",
         "without a"),
        (SETUP, f"{CHAIN}.eq((x + 1) ** 2, rearrange)", "Unfalsifiable: a check that cannot fail.",
         "back where it began"),
        (SETUP, "x = 1\ny z", "Python cannot read line 2 of the program.", "syntax"),
    ],
)  # fmt: skip
def test_the_bench_says_what_went_wrong_and_where(setup, text, head, said):
    trouble = checked(setup, text)["trouble"]
    assert trouble["head"] == head and said in trouble["said"]


def test_what_one_program_makes_no_other_sees():
    assert checked(SETUP, f"w = 1\n{CHAIN}")["trouble"] is None
    assert checked(SETUP, f"w\n{CHAIN}")["trouble"]["head"].startswith("NameError")

    assert checked(f"{SETUP}\nlow = []", f"low.append(x >= 5)\n{BOUND}")["results"]
    assert checked(f"{SETUP}\nlow = []", BOUND)["trouble"]["head"] == "Refuted."


BOUND = """derive("b", x, given=low).ge(4, rearrange, certificate=x - 4)"""


@pytest.mark.parametrize(
    "text",
    [
        "from logpartition.proof.record import Record",
        "from logpartition.proof import chain",
        "import logpartition.proof as proof\nproof.chain.Link",
        "import os\nos.chdir('/')",
        "from sympy import Add\nAdd.__eq__",
        "derive.code = 1",
        "for derive.code in (1, 2): pass",
        "class Fake: pass",
        "exec('1')",
        "setattr(derive, 'code', 1)",
        "raise SystemExit",
        "import sympy\nsympy.external.importtools.sys.modules",
        "from fractions import sys",
        "import collections as c\n[s.argv for s in [c.abc.sys]]",
    ],
)
def test_no_program_reaches_what_decides_it(text):
    answer = checked(SETUP, f"{text}\n{CHAIN}")
    assert answer["trouble"] and not answer["results"]


def test_a_page_says_what_a_program_may_have():
    assert all(name in NAMES_SAID[2] for name in bench.OPEN)
    assert all(name in NAMES_SAID[3] for name in bench.BUILTINS)
    text = (
        "import math, sympy.core.numbers\nfrom mpmath import libmp\nsympy.core.numbers.Integer(2)"
    )
    assert checked("", text)["trouble"] is None
    head = checked("", "class A: pass")["trouble"]["head"]
    assert head.startswith("Refused: a program has no class")


def test_the_example_of_what_may_be_written_is_decided():
    (result,) = checked("", FORM["example"])["results"]
    assert result["verdict"] == "proved"


@pytest.mark.parametrize(
    "text, said",
    [
        (CHAIN.replace(", rearrange", ""), "A link needs a reason"),
        (CHAIN.replace("rearrange", "expand"), "or from sympy import expand"),
        ("w + 1", 'write w = Symbol("w", real=True) before it'),
    ],
)
def test_what_lacks_is_said_with_what_to_write(text, said):
    assert said in checked(SETUP, text)["trouble"]["said"]


def test_what_another_chapter_holds_is_not_decided_here(monkeypatch):
    monkeypatch.chdir(ROOT / "book")
    label = records.all_records(ROOT / "book")[0]["label"]
    answer = checked("", f"earlier({label!r})")
    assert answer["results"] == [] and answer["trouble"] is None
    assert checked("", """derive("r", 1)""")["trouble"]["said"].endswith("states nothing")


def test_the_bench_knows_names_without_an_import_and_shows_hypotheses():
    text = """t = Symbol("t", real=True)
r: None = derive("r", t * cosh(t), given=[t > 1]).gt(0, rearrange, certificate=t * cosh(t))"""
    (result,) = checked("", text)["results"]
    assert result["given"] == ["$t$ real", "$1 < t$"]
    assert len(checked("", "print('x' * 10**6)")["printed"]) == bench.LONGEST + 2
    assert checked("", "x = 1\0")["trouble"]["head"] == "SyntaxError."


def test_the_bench_shows_what_it_refutes_and_where():
    """A formula at a point, words by the results that contradict them."""
    true = """true = derive("true", (x + 1) ** 2).eq(x**2 + 2 * x + 1, rearrange)"""
    text = "refute('guess', printed=Eq((x + 1) ** 2, x**2 + 1), corrected=true, location='a guess')"
    (result,) = checked(f"{SETUP}\n{true}", text)["results"]
    erratum = result["erratum"]
    assert erratum["printed"] == r"$$\left(x + 1\right)^{2} = x^{2} + 1$$"
    assert erratum["fails"] == "At $x = 1$: the left side is $4$, the right side $2$"
    assert erratum["correction"] == r"$$\left(x + 1\right)^{2} = x^{2} + 2 \, x + 1$$"
    words = text.replace("Eq((x + 1) ** 2, x**2 + 1)", "'It is $x^2$.', by=[true]")
    (result,) = checked(f"{SETUP}\n{true}", words)["results"]
    assert result["erratum"]["printed"] == "It is $x^2$."
    assert result["erratum"]["against"] == ["true"]
    assert checked(SETUP, CHAIN)["results"][0]["erratum"] is None


def test_the_bench_shows_the_step_that_broke_after_those_that_were_decided():
    wrong = f"{CHAIN}.eq(x**2 + 2 * x + 2, rearrange('$x$ by hand'))"
    trouble = checked(SETUP, wrong)["trouble"]
    assert trouble["said"].startswith("This is false: at x = 0")
    assert [step["tex"] for step in trouble["broken"]["steps"]] == [
        r"x^{2} + 2 \, x + 1",
        r"x^{2} + 2 \, x + 2",
    ]
    assert checked(SETUP, """derive("r", Symbol("1")).eq(2, rearrange)""")["trouble"]["said"]


@pytest.mark.parametrize(
    "text, at",
    [  # the last fails between 0 and 1 only
        ("""derive("r", exp(a)).eq(exp(2 * a), rearrange)""", "a = 1, the left side is 2.7"),
        ("""derive("r", exp(a), given=[a < 0]).eq(exp(2 * a), rearrange)""", "a = -1, "),
        ("""derive("r", total(x[j], j)).eq(2 * total(x[j], j), rearrange)""", "N = 1, x[1] = 1"),
        ("""derive("r", a * exp(b), given=[a > 1]).eq(a * exp(2 * b), rearrange)""",
         "a = 2, b = 1, the left side is 5.4365637"),
        ("""derive("r", p).le(p**2, rearrange, certificate=p)""", "p = "),
    ],
)  # fmt: skip
def test_a_counterexample_can_be_followed_by_hand(text, at):
    setup = """a, b = Symbol("a", real=True), Symbol("b", real=True)
p = Symbol("p", positive=True)
N = sizes("N")
x, j = array("x", N), indices("j")"""
    trouble = checked(setup, text)["trouble"]
    assert f"This is false: at {at}" in trouble["said"], trouble["said"]


def broken(text):
    return [text[:start] + new + text[end:] for start, end, new in breaks(text, needs=True)]


def test_what_is_broken_first_is_a_sign_of_a_term():
    text = """derive("r-1", a - b, given=[a > -b],
    title="1 + 1").ge(c / (2 * d), f, certificate=a - c)"""
    assert broken(text) == [
        text.replace("a - b", "a + b"),
        text.replace(", given=[a > -b]", ""),
        text.replace(".ge", ".le"),
        text.replace(" / (2 * d)", ""),
        text.replace("2 * d", "d"),
    ]
    assert broken("x = derive('r', -(é) + Integral(f, (t, -oo, oo))).eq(x**2, f)") == [
        "x = derive('r', (é) + Integral(f, (t, -oo, oo))).eq(x**2, f)",
        "x = derive('r', -(é) - Integral(f, (t, -oo, oo))).eq(x**2, f)",
        "x = derive('r', -(é) + Integral(f, (t, -oo, oo))).eq(x**3, f)",
    ]
    assert breaks("theorem('r', 'a + b', argument='c - d')", needs=True) == []
    assert breaks("refute('r', Eq(a + b, c), given=[a > b])", needs=True) == []


def test_a_hypothesis_that_nobody_is_known_to_need_stays():
    text = "derive('r', a, given=[a > b]).ge(b, f)"
    assert [new for _, _, new in breaks(text, needs=True)] == ["", "le"]
    assert [new for _, _, new in breaks(text, needs=False)] == ["le"]


@pytest.mark.parametrize("module", ["printer", "tensors"])
def test_no_star_brings_the_lists_that_the_verifier_works_with(module):
    trouble = checked("", f"from logpartition.proof.{module} import *\n")["trouble"]
    assert f"logpartition.proof.{module}.*" in trouble["said"]


def test_every_break_of_the_book_is_a_program():
    for notebook in NOTEBOOKS:
        for label, found in in_a_page(notebook).items():
            assert max(found.text) < "\U00010000", "JavaScript counts other characters"
            for text in broken(found.text):
                assert text != found.text and ast.parse(text), label


@pytest.mark.parametrize(
    "text, left",
    [
        ("f(1, claims=[2], b=3)", "f(1, b=3)"),
        ("f(\n    1,\n    claims=[\n        2,\n    ],\n)", "f(\n    1,\n)"),
        ("f('é', certifies='x').g(2, claims=[1])", "f('é').g(2)"),
        ("f(1, b='claims=2')", "f(1, b='claims=2')"),
    ],
)
def test_a_keyword_is_left_out_of_calls(text, left):
    assert without(text, "claims", "certifies") == left


def test_an_archive_is_the_same_whenever_it_is_made(tmp_path):
    files = {"b.py": b"2", Path("a.py"): b"1"}
    archive(tmp_path / "one.zip", files)
    archive(tmp_path / "two.zip", dict(reversed(files.items())))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
