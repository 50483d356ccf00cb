"""The programs that a page can run: what they hold, and that they make the results of the book."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from logpartition_book import records
from logpartition_book.bench import bench
from logpartition_book.programs import Chapter, programs
from logpartition_book.workbench import archive, hindrance

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
    ],
)  # fmt: skip
def test_a_program_has_what_it_needs_and_no_more(sources, setup):
    found = program(*sources)
    assert found.setup == setup
    assert found.text.startswith("f('r'")


def test_a_program_names_what_no_browser_has():
    sources = "import math\nimport torch\nfrom logpartition import attention", "x = torch.ones(1)"
    assert program(*sources, "f('r', x, math.pi, attention)").heavy == (
        "logpartition.attention",
        "torch",
    )
    assert program(*sources, "f('r', math.pi)").heavy == ()
    assert program("f('s')") is None


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Each program of the book that a browser can run, as a file."""
    folder = tmp_path_factory.mktemp("programs")
    for notebook in NOTEBOOKS:
        for label, found in programs(notebook).items():
            if not found.heavy:
                path = folder / f"{notebook.stem}.{label}.py"
                path.write_text(f"{found.setup}\n{found.text}\n", encoding="utf-8")
    return folder


def test_nearly_every_result_has_a_program_that_a_browser_runs():
    without = [
        record["label"]
        for notebook in NOTEBOOKS
        for record in records.records(notebook)
        if hindrance(notebook, record["label"])
    ]
    assert len(without) < 0.05 * len(records.all_records(ROOT / "book")), without


def test_no_program_lacks_a_name(written):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", written],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


CHECK = """
import json, sys
class Heavy:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "numpy", "scipy", "matplotlib", "IPython"):
            raise ImportError(f"no browser has {name}")
sys.meta_path.insert(0, Heavy())
import bench
print(bench.check("", open(sys.argv[1], encoding="utf-8").read()))
"""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_program_makes_the_result_that_the_book_has(notebook, written):
    """Of each chapter the first two, or all where LOGPARTITION_AUDIT is full."""
    stored = {record["label"]: record for record in records.records(notebook)}
    light = [label for label in stored if (written / f"{notebook.stem}.{label}.py").exists()]
    for label in light if WHOLE else light[:2]:
        done = subprocess.run(
            [sys.executable, "-c", CHECK, written / f"{notebook.stem}.{label}.py"],
            capture_output=True,
            text=True,
            cwd=ROOT / "book",
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'lib'}:{Path(bench.__file__).parent}"},
        )
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["trouble"] is None, (label, answer)
        (result,) = answer["results"]
        for key in ("title", "verdict", "statement", "text"):
            assert result[key] == stored[label][key], label


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
        (SETUP, "x = 1\ny z", "Python cannot read line 2 of the program.", "syntax"),
    ],
)  # fmt: skip
def test_the_bench_says_what_went_wrong_and_where(setup, text, head, said):
    trouble = checked(setup, text)["trouble"]
    assert trouble["head"] == head and said in trouble["said"]


def test_what_one_program_makes_no_other_sees():
    assert checked(SETUP, f"w = 1\n{CHAIN}")["trouble"] is None
    assert checked(SETUP, f"w\n{CHAIN}")["trouble"]["head"].startswith("NameError")


def test_an_archive_is_the_same_whenever_it_is_made(tmp_path):
    files = {"b.py": b"2", Path("a.py"): b"1"}
    archive(tmp_path / "one.zip", files)
    archive(tmp_path / "two.zip", dict(reversed(files.items())))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
