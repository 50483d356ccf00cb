"""Running chapters: what is stored, what is not, and what a chapter's hash depends on."""

import os
import py_compile
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from logpartition_book import chapter_gates, files, readings, records, run, seal
from logpartition_book.audit import living, report
from logpartition_book.records import MIME


def write(path, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


def test_run_stores_one_clean_run(tmp_path):
    path = write(
        tmp_path / "chapter.ipynb", "import os", "print(os.environ['OMP_NUM_THREADS'], os.getcwd())"
    )
    run.run(path)
    notebook = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in notebook.cells] == [1, 2]
    assert notebook.cells[1].outputs[0].text == f"1 {tmp_path}\n"
    assert [
        *chapter_gates.stale(notebook, files.ROOT),
        *chapter_gates.edited(notebook, files.ROOT),
    ] == []
    assert notebook.metadata.language_info == {"name": "python"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)


def test_a_kernel_is_of_this_python_and_heeds_what_a_cell_asserts(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    kernel = tmp_path / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text('{"argv": ["false"], "display_name": "", "language": ""}')
    path = write(tmp_path / "chapter.ipynb", "import sys\nprint(sys.executable)", "assert False")
    with pytest.raises(run.ChapterFailed, match="cell 2:\n    assert False"):
        run.run(path)
    path = write(tmp_path / "chapter.ipynb", "import sys\nprint(sys.executable)")
    run.run(path)
    assert nbformat.read(path, 4).cells[0].outputs[0].text == f"{sys.executable}\n"


def test_a_kernel_is_told_nothing_that_changes_what_it_computes(monkeypatch):
    for name in (
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "NODE_OPTIONS",
        "SYMPY_USE_CACHE",
        "MPMATH_NOGMPY",
        "LOGPARTITION_AUDIT",
    ):
        monkeypatch.setenv(name, "/elsewhere")
    assert "/elsewhere" not in run.environment().values()
    assert run.environment().items() >= seal.ENVIRONMENT.items()


def test_an_audit_tells_its_kernels_to_try_all(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "import os\nprint(os.environ['LOGPARTITION_AUDIT'])")
    (made,) = run.execute(path, LOGPARTITION_AUDIT="full").cells[0].outputs
    assert made.text == "full\n"


def test_a_command_does_not_work_with_the_library_of_another_folder(tmp_path):
    (tmp_path / "logpartition").mkdir()
    (tmp_path / "logpartition" / "__init__.py").write_text("")
    paths = (tmp_path, files.ROOT / "lib", files.ROOT / "book" / "_ext")
    done = subprocess.run(
        [sys.executable, "-c", "from logpartition_book import files; files.at_home()"],
        cwd=files.ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"This Python imports logpartition from {tmp_path}")


def test_a_run_that_changes_nothing_writes_nothing(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "print(1)")
    run.run(path)
    before = path.stat().st_mtime_ns
    run.run(path)
    assert path.stat().st_mtime_ns == before


def test_a_text_cell_that_is_added_leaves_the_seal(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "print(1)")
    run.run(path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, new_markdown_cell("More."))
    assert list(chapter_gates.edited(notebook, files.ROOT)) == []
    notebook.metadata["logpartition"]["outputs"] = "0"
    run.store(notebook, path)
    run.run(path)
    assert list(chapter_gates.edited(nbformat.read(path, as_version=4), files.ROOT)) == []


@pytest.fixture
def unwatched(monkeypatch):
    """Cells that may open files, for the sake of a test."""
    monkeypatch.setattr(run, "LIMITS", [])


SHUT = [
    "open('other.ipynb').read()",
    "open('/tmp/new', 'w')",
    "import pathlib\npathlib.Path('other.ipynb').read_text()",
    "import sympy\nsympy.sympify(\"open('other.ipynb').read()\")",
    "import matplotlib.font_manager as m\nm.json_load('other.ipynb')",
    "import numpy as np\ngetattr(np, 'genfromtxt')('other.ipynb')",
    "import subprocess\nsubprocess.run('ls')",
    "import os\nos.system('ls')",
    "import socket\nsocket.create_connection(('localhost', 9))",
]
TRY = """
for source in {sources!r}:
    try:
        exec(source, {{}})
    except PermissionError as error:
        print("a chapter depends on its code, the library" in str(error))
    else:
        print(source)
"""


def test_what_no_hash_knows_stays_shut_while_a_chapter_runs(tmp_path):
    (tmp_path / "other.ipynb").write_text("1")
    path = write(tmp_path / "chapter.ipynb", TRY.format(sources=SHUT))
    run.run(path)
    (output,) = nbformat.read(path, as_version=4).cells[0].outputs
    assert output.text == "True\n" * len(SHUT)
    write(path, SHUT[0])
    with pytest.raises(run.ChapterFailed, match="a chapter depends on its code, the library"):
        run.run(path)


def test_what_runs_is_what_the_sources_say(tmp_path):
    """Bytecode that Python takes by time and size may be of another text."""
    tools, lib = tmp_path / readings.EXT, tmp_path / "lib"
    tools.mkdir(parents=True)
    lib.mkdir()
    shutil.copy(files.ROOT / readings.EXT / "__init__.py", tools)
    for path in (tools / "one.py", lib / "two.py"):
        path.write_text("A = 1\n")
        py_compile.compile(str(path), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
        made = path.stat().st_mtime_ns
        path.write_text("A = 2\n")
        os.utime(path, ns=(made, made))
    (lib / "broken.py").write_text("def\n")
    said = "import sys; sys.path[:0] = sys.argv[1:]; import logpartition_book.one as one, two;"
    said += "print(one.A, two.A)"
    command = [sys.executable, "-c", said, tools.parent, lib]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={})
    assert (done.stdout, done.stderr) == ("2 2\n", "")


def test_packages_and_results_of_chapters_are_open_to_a_chapter(tmp_path):
    """Also `earlier`, which says in its own words that there is no such result."""
    (tmp_path / "other.ipynb").write_text('{"cells": []}')
    source = "import torch, matplotlib.pyplot\nfrom logpartition.proof import earlier\n"
    path = write(tmp_path / "chapter.ipynb", source + 'earlier("a")')
    with pytest.raises(run.ChapterFailed, match="no chapter"):
        run.run(path)


def test_what_is_saved_during_a_run_stays(tmp_path, unwatched):
    path = write(tmp_path / "chapter.ipynb", "_ = open('chapter.ipynb', 'a').write(' ')")
    before = path.read_bytes()
    with pytest.raises(run.ChapterFailed, match="chapter.ipynb was saved while it ran"):
        run.run(path)
    assert path.read_bytes() == before + b" "


def test_a_library_that_changes_during_a_run_is_found(project, monkeypatch, unwatched):
    monkeypatch.setattr(run, "around", lambda: seal.around(project))
    source = "_ = open('../lib/logpartition/stats.py', 'a').write('# more')"
    path = write(project / "book" / "chapter.ipynb", source)
    before = path.read_bytes()
    with pytest.raises(run.ChapterFailed, match="lib/logpartition/stats.py changed while chapter"):
        run.run(path)
    assert path.read_bytes() == before


def test_a_library_that_changes_and_is_put_back_is_found(project, monkeypatch, unwatched):
    monkeypatch.setattr(run, "around", lambda: seal.around(project))
    monkeypatch.setattr(run, "touched", lambda: seal.touched(project))
    source = """from pathlib import Path
path = Path("../lib/logpartition/stats.py")
before = path.read_bytes()
_ = path.write_bytes(b"x"), path.write_bytes(before)"""
    path = write(project / "book" / "chapter.ipynb", source)
    with pytest.raises(run.ChapterFailed, match="lib/logpartition/stats.py changed while chapter"):
        run.run(path)


def test_a_result_that_changes_while_it_is_taken_is_found(tmp_path, monkeypatch):
    path = write(tmp_path / "chapter.ipynb", "taken = 1")
    monkeypatch.setattr(run, "lendable", lambda: {"gap 1", "slope 1"})
    monkeypatch.setattr(run, "foreign", lambda notebook: ["gap 2", "slope 1"])
    with pytest.raises(
        run.ChapterFailed, match="gap changed while chapter.ipynb ran: run it again"
    ):
        run.run(path)
    monkeypatch.setattr(run, "foreign", lambda notebook: ["slope 1"])
    run.run(path)


@pytest.fixture
def lender(tmp_path, monkeypatch):
    """A notebook with a result, as if of a chapter, which others take by a name that is not
    `earlier` itself."""
    monkeypatch.setattr(run, "around", list)
    monkeypatch.setattr(run, "touched", list)
    monkeypatch.setattr(run, "lendable", lambda: {"gap 1"})
    monkeypatch.setattr(run, "foreign", lambda notebook: ["gap 1"])
    record = nbformat.v4.new_output("display_data", {MIME: {"label": "gap", "uses": []}})
    cell = nbformat.v4.new_code_cell("", outputs=[record])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "lender.ipynb")
    return tmp_path / "lender.ipynb"


TAKES = 'earlier = lambda label: open("lender.ipynb").read()\n_ = earlier("gap")'


def test_a_result_that_two_notebooks_have_is_not_taken(lender, unwatched):
    shutil.copy(lender, lender.with_name("copy.ipynb"))
    path = write(lender.with_name("chapter.ipynb"), TAKES)
    with pytest.raises(run.ChapterFailed, match="copy.ipynb has it as well as lender.ipynb"):
        run.run(path)


def test_what_no_chapter_has_is_not_taken(lender, unwatched, monkeypatch):
    """Such as a result of a draft, or of a book in a folder above, which may be gone tomorrow."""
    monkeypatch.setattr(run, "foreign", lambda notebook: [])
    path = write(lender.with_name("chapter.ipynb"), TAKES)
    with pytest.raises(run.ChapterFailed, match="takes gap by `earlier`, and no other chapter of"):
        run.run(path)


def test_a_notebook_does_not_take_its_own_result(lender, unwatched):
    source = TAKES + f"\ndisplay({{{MIME!r}: {{'label': 'gap', 'uses': []}}}}, raw=True)"
    path = write(lender.with_name("chapter.ipynb"), source)
    with pytest.raises(run.ChapterFailed, match="takes gap by `earlier`, and has it among its own"):
        run.run(path)


def test_a_result_that_moved_is_cleared_from_the_outputs_where_it_was(lender, unwatched):
    """`earlier` would read them, and nobody makes them any more."""
    path = shutil.copy(lender, lender.with_name("chapter.ipynb"))
    moved = nbformat.read(path, 4)
    moved.cells.append(new_code_cell(TAKES))
    nbformat.write(moved, path)
    with pytest.raises(run.ChapterFailed, match="clear them if its code makes it no more"):
        run.run(path)
    moved.cells[0].outputs = []
    nbformat.write(moved, path)
    run.run(path)


DAMAGED = [{}, {"label": 1}, [], "gap"]


@pytest.mark.parametrize("record", DAMAGED, ids=repr)
def test_a_run_mends_a_record_that_is_damaged(lender, unwatched, record):
    made = nbformat.read(write(lender.with_name("chapter.ipynb"), TAKES), 4)
    made.cells[0].outputs = [new_output("display_data", {MIME: record})]
    nbformat.write(made, lender.with_name("chapter.ipynb"))
    nbformat.write(made, lender.with_name("other.ipynb"))
    run.run(lender.with_name("chapter.ipynb"))
    assert not nbformat.read(lender.with_name("chapter.ipynb"), 4).cells[0].outputs


@pytest.mark.parametrize("record", DAMAGED, ids=repr)
def test_a_record_that_is_damaged_lends_nothing(project, record):
    cells = [new_code_cell("1", outputs=[new_output("display_data", {MIME: record})])]
    cells += [new_code_cell("2", outputs=[new_output("display_data", {MIME: {"label": "gap"}})])]
    nbformat.write(new_notebook(cells=cells), project / "book" / "first.ipynb")
    (lent,) = seal.lendable(project)
    assert seal.foreign(new_notebook(cells=[new_code_cell("earlier('gap')")]), project) == [lent]


def test_a_notebook_that_is_changed_and_put_back_is_found(lender, unwatched):
    source = (
        TAKES
        + """
from pathlib import Path
lender = Path("lender.ipynb")
before = lender.read_bytes()
_ = lender.write_bytes(b"1"), lender.write_bytes(before)"""
    )
    path = write(lender.with_name("chapter.ipynb"), source)
    with pytest.raises(run.ChapterFailed, match="lender.ipynb changed while chapter.ipynb ran"):
        run.run(path)
    run.run(write(path, TAKES))


def test_a_failing_cell_is_named_and_nothing_is_stored(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "x = 0", "1 / x")
    before = path.read_bytes()
    with pytest.raises(
        run.ChapterFailed,
        match=r"chapter.ipynb, cell 2:\n    1 / x\nZeroDivisionError: division by zero",
    ):
        run.run(path)
    assert path.read_bytes() == before


def test_an_output_that_is_none_is_named(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "x = 0", "display({'text/plain': 3}, raw=True)", "x")
    with pytest.raises(run.ChapterFailed, match="cell 2: puts out what is no output: 3 is not"):
        run.run(path)


def test_what_no_reader_would_read_is_not_printed(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "print('x' * 3_000_000)", "y = 1")
    with pytest.raises(run.ChapterFailed, match="cell 1: its chapter prints more than 200000 lett"):
        run.run(path)


def test_the_name_of_a_command_is_a_name(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "pwd")
    with pytest.raises(run.ChapterFailed, match="NameError: name 'pwd' is not defined"):
        run.run(path)


def test_cells_get_ids_of_their_own():
    notebook = new_notebook(cells=[new_code_cell(source) for source in "123"])
    notebook.cells[0].id = notebook.cells[1].id = "same"
    del notebook.cells[2]["id"]
    ids = [cell.id for cell in run.normalise(notebook).cells]
    assert ids[0] == "same" and len(set(ids)) == 3


def test_an_editor_folds_what_the_site_folds():
    """By metadata made of the tags, which no page shows, and so no reading is of."""
    tags = {"hide-input": {"source_hidden": True}, "nbval-ignore-output": None}
    tags["hide-cell"] = {"source_hidden": True, "outputs_hidden": True}
    cells = [new_code_cell("1", metadata={"tags": [tag], "jupyter": {}}) for tag in tags]
    before = [readings.looks(cell, "") for cell in cells]
    made = run.normalise(new_notebook(cells=cells)).cells
    assert [cell.metadata.get("jupyter") for cell in made] == [*tags.values()]
    assert [readings.looks(cell, "") for cell in made] == before


def test_a_chapter_runs_after_those_that_it_needs(tmp_path):
    first = write(tmp_path / "first.ipynb", 'earlier("late")')
    second = write(
        tmp_path / "second.ipynb", '(derive("late", 1))', 'earlier("own")', 'derive("own", 2)'
    )
    assert run.needs([first, second]) == {first: {second}, second: set()}
    assert [path for path, _ in run.run_all([first, second], work=str)] == [second, first]


def test_chapters_that_need_each_other_are_refused(tmp_path):
    first = write(tmp_path / "first.ipynb", 'derive("a", earlier("b"))')
    second = write(tmp_path / "second.ipynb", 'derive("b", earlier("a"))')
    with pytest.raises(SystemExit, match="these chapters need each other: "):
        list(run.run_all([first, second], work=str))


@pytest.mark.parametrize(
    "source", ["%%bash\nls", "x = (", "!ls", pytest.param(f"x = {'-' * 200_000}1", id="deep")]
)
def test_a_cell_that_is_no_python_is_named(tmp_path, source):
    path = write(tmp_path / "first.ipynb", "x = 1", source)
    with pytest.raises(SystemExit, match="first.ipynb, cell 2: is not Python: "):
        list(run.run_all([path], work=str))


def test_an_unknown_chapter_is_refused(monkeypatch, capsys):
    monkeypatch.chdir(files.ROOT)
    monkeypatch.setattr(sys, "argv", ["run", "no-such-chapter"])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # which the command sets
    with pytest.raises(SystemExit) as end:
        run.main()
    assert end.value.code == 2 and "no-such-chapter" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_a_sentence(monkeypatch, capsys):
    ended = [(files.ROOT / "book" / "one.ipynb", records.Unreadable("two.ipynb cannot be read"))]
    monkeypatch.chdir(files.ROOT)
    monkeypatch.setattr(sys, "argv", ["run"])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(run, "watched", lambda *given: ended)
    monkeypatch.setattr(run, "settle", lambda: None)
    with pytest.raises(SystemExit, match="True"):
        run.main()
    assert capsys.readouterr().err == "\ntwo.ipynb cannot be read\none.ipynb is left as it was.\n\n"


# what a notebook is tied to


@pytest.fixture
def project(tmp_path):
    """A library, a file beside the chapters, and pins."""
    for path, text in {
        "lib/logpartition/stats.py": "def mean(x):\n    return sum(x) / len(x)\n",
        "lib/logpartition/proof/core.py": "x = 1\n",
        "book/helper.py": "y = 1\n",
        "book/page.md": "# A page\n",
        "requirements.txt": "numpy==2.0\n",
        "_toc.yml": "root: index\nchapters:\n- file: first\n- file: second\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


CHAPTER = new_notebook(
    cells=[new_code_cell("print(1)", outputs=[new_output("stream", text="1\n")])]
)


@pytest.mark.parametrize(
    "file, changes",
    [
        ("lib/logpartition/stats.py", True),
        ("lib/logpartition/proof/core.py", True),
        ("book/helper.py", True),
        ("requirements.txt", True),
        ("book/page.md", False),
    ],
)
def test_the_hash_depends_on_files(project, file, changes):
    before = seal.inputs(CHAPTER, project)
    with (project / file).open("a") as text:
        text.write("# more\n")
    assert (seal.inputs(CHAPTER, project) != before) is changes


def test_packages_that_are_not_the_pins_are_named(project):
    pins = "numpy==2.0  # numbers\nno-such-package==1.0\nappnope==1.0; sys_platform == 'x'\n"
    (project / "requirements.txt").write_text(pins)
    numbers, none = run.unpinned(project)
    assert "pins numpy 2.0, and " in numbers and "no-such-package 1.0, and none" in none
    assert list(run.unpinned()) == []


@pytest.mark.parametrize(
    "line, said",
    [
        ("numpy>=1.0", "has 'numpy>=1.0', which pins no version"),
        ("numpy ~= 1.0  # numbers", "has 'numpy ~= 1.0', which pins no version"),
        ("numpy", "has 'numpy', which pins no version"),
        ("numpy==2.*", "has 'numpy==2.*', which pins no version"),
        ("numpy == 2.0", "has 'numpy == 2.0', which pins no version"),
        ("jsonschema==2.0 ; python_version >= '3.11'", "pins jsonschema 2.0, and "),
        ("jsonschema==2.0 ; python_version < '3.11'", ""),
        ("numpy==2.0 ; python_version >= '3.11'", "whose version pages name"),
        ("  numpy==2.0", "whose version pages name"),
        ("SymPy==2.0", "whose version pages name"),
        ("numpy==2.0#x", "whose version pages name"),
        ("mpmath==0.1  # numbers", "pins mpmath 0.1, and "),
        ("no-such==1.0 ; python_version < '3'\nNo_such==2.0 ; python_version < '3'", "twice"),
        ("jsonschema==2.0 ; python_versoin > '3'", "whose condition after ; is none"),
        ("# numpy>=1.0", ""),
    ],
)
def test_a_line_of_the_requirements_pins_a_version(line, said, project):
    (project / "requirements.txt").write_text(f"{line}\n")
    found = list(run.unpinned(project))
    assert [said in one for one in found] == [True] * bool(said)


def test_the_hash_depends_on_a_new_file_and_on_the_kernel(project, monkeypatch):
    before = seal.inputs(CHAPTER, project)
    (project / "lib/logpartition/new.py").write_text("")
    new = seal.inputs(CHAPTER, project)
    monkeypatch.setitem(seal.ENVIRONMENT, "OMP_NUM_THREADS", "2")
    assert len({before, new, seal.inputs(CHAPTER, project)}) == 3


def test_the_hash_depends_on_the_results_of_other_chapters(project):
    """And not on the time that these took."""

    def chapter(label, statement, uses=(), seconds=1.0):
        data = {
            MIME: {
                "label": label,
                "statement": statement,
                "fingerprint": statement,
                "uses": list(uses),
            }
        }
        shown = new_output("display_data", data=data, metadata={MIME: {"seconds": seconds}})
        return new_notebook(cells=[new_code_cell("1", outputs=[shown])])

    by_result, by_code = chapter("b", "y", uses=["a"]), chapter("b", "y")
    by_code.cells[0].source = 'print(earlier("a").record.text)'
    hashes = []
    for said in (("x = 1",), ("x = 22",), ("x = 22", (), 1.5)):
        nbformat.write(chapter("a", *said), project / "book" / "first.ipynb")
        hashes.append([seal.inputs(second, project) for second in (by_result, by_code)])
    assert all(one != other for one, other in zip(*hashes[:2]))
    assert hashes[1] == hashes[2]


# runs that are cut off


def test_a_disk_that_fills_leaves_the_notebook(tmp_path, monkeypatch):
    path = write(tmp_path / "chapter.ipynb", "print(1)")
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(
        run.ChapterFailed, match="chapter.ipynb could not be stored: .*No space left on device"
    ):
        run.run(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "path",
    sorted((files.ROOT / "book/_ext/logpartition_book").glob("*.py")),
    ids=lambda path: path.stem,
)
def test_files_of_the_project_are_written_by_one_function(path):
    """Everything else that writes, writes into the folder of the site that is being built."""
    assert len(re.findall(r"\.write_text|nbformat\.write\(|\.write_bytes", path.read_text())) == {
        "katex": 1,
        "launch": 1,
        "light": 4,
        "leaves": 1,
        "objects": 1,
        "paper": 1,
        "workbench": 2,
        "search": 1,
        "theme": 1,
        "versions": 1,
    }.get(path.stem, 0)


@pytest.mark.parametrize("ending, said", [(signal.SIGKILL, ""), (signal.SIGINT, "Interrupted.\n")])
def test_workers_end_with_their_parent(tmp_path, ending, said):
    """Killed, or interrupted at a terminal, from which a worker has the signal too: nobody waits
    for a chapter, and the workers and their kernels go."""
    mark = tmp_path / "kernel"
    chapter = write(
        tmp_path / "chapter.ipynb",
        f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(300)",
    )
    main = tmp_path / "main.py"
    main.write_text(
        "import sys\nfrom pathlib import Path\nfrom logpartition_book import files, run\n\n"
        "run.LIMITS, sys.excepthook = [], files.told\n"
        "if __name__ == '__main__':\n    list(run.run_all([Path(sys.argv[1])]))\n"
    )
    before = chapter.read_bytes()
    command = [sys.executable, main, chapter]
    parent = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    until(lambda: mark.exists() and mark.read_text())
    children = psutil.Process(parent.pid).children(recursive=True)
    assert int(mark.read_text()) in {child.pid for child in children}
    send = parent.send_signal if ending == signal.SIGKILL else partial(os.killpg, parent.pid)
    send(ending)
    told = parent.communicate(timeout=60)[1]
    assert said in told and "Traceback" not in told
    until(
        lambda: (
            not any(
                child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children
            )
        )
    )
    assert chapter.read_bytes() == before


def die(path):
    os._exit(9)


def test_a_process_that_is_killed_is_a_sentence(tmp_path):
    path = write(tmp_path / "chapter.ipynb", "x = 1")
    with pytest.raises(SystemExit, match="chapter.ipynb: the process that ran it was killed"):
        list(run.run_all([path], work=die))


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


# the audit


def test_the_audit_counts_and_names_what_lives():
    audited = {
        "one": ("0f", {"a": {"tried": 3, "killed": 3, "chapter": "one"}}),
        "two": ("1f", {"b": {"tried": 2, "killed": 1, "chapter": "two"}}),
    }
    contents = report(audited)
    assert (contents["tried"], contents["killed"]) == (5, 4)
    assert contents["chapters"] == {"one": "0f", "two": "1f"}
    assert list(living(contents)) == ["b"]
