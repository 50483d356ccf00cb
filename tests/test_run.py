"""Running chapters: what is stored, what is not, and what a chapter's hash depends on."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from logpartition_book import run
from logpartition_book.audit import living, report
from logpartition_book.records import MIME


def write(path, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


def test_run_stores_one_clean_run(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "import os", "print(os.environ['OMP_NUM_THREADS'], os.getcwd())")
    run.run(path)
    notebook = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in notebook.cells] == [1, 2]
    assert notebook.cells[1].outputs[0].text == f"1 {tmp_path}\n"
    assert notebook.metadata.logpartition.inputs == run.inputs(notebook)
    assert notebook.metadata.language_info == {"name": "python"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)


def test_a_run_that_changes_nothing_writes_nothing(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "print(1)")
    run.run(path)
    before = path.stat().st_mtime_ns
    run.run(path)
    assert path.stat().st_mtime_ns == before


def test_a_failing_cell_is_named_and_nothing_is_stored(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "x = 0", "1 / x")
    before = path.read_bytes()
    with pytest.raises(run.ChapterFailed, match=r"chapter.ipynb, cell 2:\n    1 / x\nZeroDivisionError: division by zero"):
        run.run(path)
    assert path.read_bytes() == before


def test_cells_get_ids_of_their_own():
    notebook = new_notebook(cells=[new_code_cell(source) for source in "123"])
    notebook.cells[0].id = notebook.cells[1].id = "same"
    del notebook.cells[2]["id"]
    ids = [cell.id for cell in run.normalise(notebook).cells]
    assert ids[0] == "same" and len(set(ids)) == 3


def test_a_chapter_runs_after_those_that_it_needs(tmp_path):
    first = write(tmp_path / "first.ipynb", 'earlier("late")')
    second = write(tmp_path / "second.ipynb", '(derive("late", 1))', 'earlier("own")', 'derive("own", 2)')
    assert run.needs([first, second]) == {first: {second}, second: set()}
    assert [path for path, _ in run.run_all([first, second], work=str)] == [second, first]


def test_chapters_that_need_each_other_are_refused(tmp_path):
    first = write(tmp_path / "first.ipynb", 'derive("a", earlier("b"))')
    second = write(tmp_path / "second.ipynb", 'derive("b", earlier("a"))')
    with pytest.raises(SystemExit, match="these chapters need each other: "):
        list(run.run_all([first, second], work=str))


def test_an_unknown_chapter_is_refused():
    done = subprocess.run([sys.executable, "-m", "logpartition_book.run", "no-such-chapter"], capture_output=True, text=True)
    assert done.returncode == 2 and "no-such-chapter" in done.stderr


# the hash


@pytest.fixture
def library(tmp_path):
    """A library of three modules: stats imports moments, nothing imports other."""
    folder = tmp_path / "lib" / "logpartition"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "stats.py").write_text('"""Means."""\n\nfrom .moments import moment  # the work\n\n\ndef mean(x):\n    """m"""\n    return moment(x, 1)\n')
    (folder / "moments.py").write_text("def moment(x, n):\n    return sum(v**n for v in x) / len(x)\n")
    (folder / "other.py").write_text("x = 1\n")
    (tmp_path / "requirements.txt").write_text("numpy==2.0  # arrays\nsphinx==7.0\n")
    (tmp_path / "_toc.yml").write_text("root: index\nchapters:\n- file: first\n- file: second\n")
    (tmp_path / "book").mkdir()
    return tmp_path


CHAPTER = new_notebook(cells=[new_code_cell("%matplotlib inline\nfrom logpartition import stats\nstats.mean([1, 2])")])


def test_imports_are_followed(library):
    names = [path.stem for path in run.imported(run.code(CHAPTER), library)]
    assert names == ["__init__", "moments", "stats"]
    assert [path.stem for path in run.imported(["import logpartition.other as o"], library)] == ["__init__", "other"]


@pytest.mark.parametrize(
    "file, old, new, changes",
    [
        ("lib/logpartition/moments.py", "/ len(x)", "/ (len(x) - 1)", True),
        ("lib/logpartition/stats.py", "moment(x, 1)", "moment(x, 2)", True),
        ("requirements.txt", "numpy==2.0", "numpy==2.1", True),
        ("lib/logpartition/stats.py", "# the work", "# another comment", False),
        ("lib/logpartition/stats.py", '"""m"""', '"""The mean.\n\n    Of numbers.\n    """', False),
        ("lib/logpartition/other.py", "x = 1", "x = 2", False),
        ("requirements.txt", "# arrays", "# another reason", False),
        ("requirements.txt", "sphinx==7.0", "sphinx==7.1", False),
    ],
)
def test_what_the_hash_depends_on(library, file, old, new, changes):
    before = run.inputs(CHAPTER, library)
    text = (library / file).read_text()
    assert old in text
    (library / file).write_text(text.replace(old, new))
    assert (run.inputs(CHAPTER, library) != before) is changes


def test_the_hash_depends_on_the_results_of_other_chapters(library):
    def chapter(label, statement, uses=()):
        data = {MIME: {"label": label, "statement": statement, "fingerprint": statement, "uses": list(uses)}}
        return new_notebook(cells=[new_code_cell("1", outputs=[new_output("display_data", data=data)])])

    second = chapter("b", "y", uses=["a"])
    hashes = []
    for statement in ("x = 1", "x = 22"):
        nbformat.write(chapter("a", statement), library / "book" / "first.ipynb")
        hashes.append(run.inputs(second, library))
    assert hashes[0] != hashes[1]


def test_essence_keeps_what_is_in_strings():
    source = 'def f(x):\n    """é, doc"""; y = "# no comment"  # é\n    return y\n'
    assert run.essence(source) == 'def f(x):\n    ; y = "# no comment"\n    return y'


# the audit


def test_the_audit_counts_and_names_what_lives():
    audited = {"one": ("0f", {"a": {"tried": 3, "killed": 3, "chapter": "one"}}), "two": ("1f", {"b": {"tried": 2, "killed": 1, "chapter": "two"}})}
    contents = report(audited)
    assert (contents["tried"], contents["killed"]) == (5, 4)
    assert contents["chapters"] == {"one": "0f", "two": "1f"}
    assert list(living(contents)) == ["b"]
