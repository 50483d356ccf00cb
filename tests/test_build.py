"""Builds that can be trusted: fresh or nothing after a warning, whole or not at all, one at a time,
of the book that one stands in.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from notebooks import built, code, make_book, notebook, printed, store

import logpartition_book
from logpartition_book import addresses, build, files, katex, workbench
from logpartition_book.files import ROOT


def contents(site):
    """Every file of a site with its contents."""
    return {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.fixture
def book(tmp_path):
    """Root, output and front page's words of a book of two pages."""
    return make_book(
        tmp_path / "root", {"one": ["Text.", code(outputs=[printed("1\n")])], "two": ["More."]}
    ), tmp_path / "out"


def test_a_fault_fails_until_it_is_mended(book):
    """What was read for a build that failed is not read again; meanwhile the last site stays."""
    root, output = book
    assert built(root, output) == (0, "")
    site = contents(output / "html")
    store(
        notebook(
            "# one", "See {eq}`eq-nowhere`, {ref}`nowhere`.\n\n```{nosuch}\nx\n```\n\n$$x = 1$$"
        ),
        root / "book" / "one.ipynb",
    )
    for _ in range(2):
        status, said = built(root, output)
        assert status == 1 and said.count("one.ipynb") == 4 and "the site was not built" in said
        assert contents(output / "html") == site
    store(notebook("# one", "Mended."), root / "book" / "one.ipynb")
    assert built(root, output) == (0, "")
    assert "Mended." in (output / "html" / "one.html").read_text()


def test_a_build_that_is_killed_leaves_the_last_site(book):
    root, output = book
    assert built(root, output) == (0, "")
    site = contents(output / "html")
    store(notebook("# one", "Changed."), root / "book" / "one.ipynb")
    assert built(root, output, KILLED) == (-signal.SIGKILL, "")
    assert (output / ".building" / "html" / "one.html").exists()
    assert contents(output / "html") == site
    assert built(root, output) == (0, "")
    assert "Changed." in (output / "html" / "one.html").read_text()
    assert not (output / ".building").exists()


# when its pages are written and its search index is not
KILLED = """
import signal
from sphinx.builders.html import StandaloneHTMLBuilder
StandaloneHTMLBuilder.handle_finish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
"""


def test_two_builds_at_once_are_one_and_a_sentence(book):
    root, output = book
    with files.alone(output, "make book"):
        status, said = built(root, output)
    assert status == 1 and re.fullmatch(
        r"Another `make book` is at work in .*: wait until it has ended\.\n", said
    )


def test_a_site_is_made_again_where_something_changed(book):
    root, output = book
    assert built(root, output) == (0, "")
    written = (output / "html" / "one.html").stat().st_mtime_ns
    assert built(root, output) == (0, "")
    assert (output / "html" / "one.html").stat().st_mtime_ns == written
    (root / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters:\n- file: one\n")
    assert built(root, output) == (0, "")
    assert not list((output / "html").glob("two.*"))


def test_an_older_source_and_a_page_that_was_edited_are_made_again(book):
    root, output = book
    assert built(root, output) == (0, "")
    store(notebook("# one", "Restored."), root / "book" / "one.ipynb")
    os.utime(root / "book" / "one.ipynb", (1e9, 1e9))
    (output / "html" / "two.html").write_text("P is NP.")
    assert built(root, output) == (0, "")
    assert "Restored." in (output / "html" / "one.html").read_text()
    assert "More." in (output / "html" / "two.html").read_text()
    (output / "html" / "two.html").rename(root / "two.html")
    (output / "html" / "two.html").symlink_to(root / "two.html")
    assert built(root, output) == (0, "")
    assert not (output / "html" / "two.html").is_symlink()
    (output / "html" / "two.html").unlink()
    assert built(root, output) == (0, "")
    assert "More." in (output / "html" / "two.html").read_text()


def test_an_older_file_that_is_no_page_makes_the_pages_again(book):
    """As `mv x.orig x` and `rsync -a` leave it: with the time that it had."""
    root, output = book
    claim = {"id": "c1", "seed": "000", "where": "p. 1", "statement": "Before.", "proof": "p"}
    claim |= {"verdict": "CORRECT", "chapter": "two"}
    said = "```{ledger}\n```\n\n{cite}`a`\n\n```{bibliography}\n```"
    store(notebook("# two", said), root / "book" / "two.ipynb")
    texts = {
        "claims.yaml": json.dumps({"chapters": ["two"], "claims": [claim], "beyond": []}),
        "references.bib": "@misc{a, author={An Author}, title={Before.}, year={2020}}",
    }
    for path in map((root / "book").joinpath, texts):
        path.write_text(texts[path.name])
        os.utime(path, (1e9, 1e9))
    assert built(root, output) == (0, "")
    for changed in texts:
        for path in map((root / "book").joinpath, texts):
            text = texts[path.name]
            path.write_text(text.replace("Before", "After") if path.name == changed else text)
            os.utime(path, (1e9, 1e9))
        assert built(root, output) == (0, "")
        page = (output / "html" / "two.html").read_text()
        assert "After" in page and "Before" in page


def test_another_python_or_package_makes_the_pages_again(book, monkeypatch):
    root, _ = book
    before = build.sources(root), logpartition_book._fingerprint(root / "book")
    for module in (build, files):
        monkeypatch.setattr(module, "packages", lambda: ["another"])
    after = build.sources(root), logpartition_book._fingerprint(root / "book")
    assert not {*before} & {*after}


def test_node_is_told_nothing_of_the_caller(monkeypatch):
    for name in ("NODE_OPTIONS", "NODE_PATH", files.CERTIFICATES):
        monkeypatch.setenv(name, "/elsewhere")
    told = []
    done = SimpleNamespace(returncode=0, stdin=None)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, env, **__: told.append(env) or done)
    monkeypatch.setattr(subprocess, "run", lambda *_, env, **__: told.append(env) or done)
    monkeypatch.setattr(katex.atexit, "register", lambda *_: None)
    katex._node.__wrapped__()
    build.npm_ci(ROOT)
    names = [{name for name in env if name.startswith("NODE")} for env in told]
    assert names == [{files.CERTIFICATES}] * 2


def test_a_config_that_is_none_is_no_traceback_where_a_site_is_published(book, monkeypatch):
    root, _ = book
    monkeypatch.delenv("LOGPARTITION_PUBLISHED", raising=False)
    before = build.sources(root)
    monkeypatch.setenv("LOGPARTITION_PUBLISHED", "1")
    assert build.sources(root) != before
    (root / "_config.yml").write_text("{")
    assert build.sources(root)


def test_what_git_says_in_another_encoding_is_read(book):
    root, _ = book
    for command in (["init", "-q"], ["remote", "add", "origin", b"https://\xff"]):
        subprocess.run(["git", "-C", root, *command], check=True)
    assert build.sources(root)


def test_a_commit_is_compared_by_bytes(tmp_path):
    """Whatever a filter of git makes of a file."""
    git = ["git", "-C", tmp_path, "-c", "user.name=A", "-c", "user.email=a@example.org"]
    (tmp_path / "a.txt").write_text("one\nout\n")
    (tmp_path / ".gitattributes").write_text("*.txt filter=strip\n")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "config", "filter.strip.clean", "grep -v out"], check=True)
    for command in (["add", "."], ["commit", "-qm", "One"]):
        subprocess.run([*git, *command], check=True)
    assert addresses.changed(tmp_path, "a.txt")
    assert not addresses.changed(tmp_path, ".gitattributes")


SAY = "from logpartition_book.files import say; say('First → \\udcff', 2)"


@pytest.mark.parametrize(
    "given, output, status, said, error",
    [
        ({"PYTHONIOENCODING": "ascii"}, subprocess.PIPE, 0, "First \\u2192 \\udcff\n2\n", ""),
        ({"PYTHONIOENCODING": "utf-8"}, subprocess.PIPE, 0, "First → \\udcff\n2\n", ""),
        ({}, "/dev/full", 1, None, "what was found could not be written: .*No space.*\n"),
    ],
)
def test_what_is_found_is_said_whatever_the_output_is(given, output, status, said, error):
    command = [sys.executable, "-c", SAY]
    with open(output if isinstance(output, str) else os.devnull, "w") as file:
        to = file if isinstance(output, str) else output
        done = subprocess.run(
            command, env=os.environ | given, stdout=to, stderr=subprocess.PIPE, encoding="utf-8"
        )
    assert (done.returncode, done.stdout) == (status, said)
    assert re.fullmatch(error, done.stderr)


def test_a_folder_that_is_gone_is_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SystemExit, match="you are in a folder that is gone: go there"):
        files.at_home()


def test_an_interruption_is_a_word(capsys):
    files.told(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert capsys.readouterr().err == "Interrupted.\n"


@pytest.mark.parametrize("folder", [".", "book/_static", "", ".."])
def test_a_site_is_not_made_among_the_sources(folder, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["build", "--output", folder])
    with pytest.raises(SystemExit, match="2"):
        build.main()
    assert "is a folder of the repository" in capsys.readouterr().err


def test_no_command_needs_its_docstring():
    """Which `python -OO` leaves out."""
    tools = Path(build.__file__).parent
    assert not [path for path in tools.glob("*.py") if "__doc__" in path.read_text()]


def test_a_year_that_is_set_for_builds_stays_out_of_the_page(book, monkeypatch):
    root, output = book
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert built(root, output) == (0, "")
    page = (output / "html" / "one.html").read_text()
    assert "2026, the authors" in page and "1970" not in page


def test_settings_of_the_user_silence_no_warning(book, monkeypatch):
    root, output = book
    store(notebook("# one", ":::{note}\n:::"), root / "book" / "one.ipynb")
    (root / "docutils.conf").write_text("[general]\nreport_level: 5\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("DOCUTILSCONFIG", str(root / "docutils.conf"))
    for _ in range(2):
        status, said = built(root, output)
        assert status == 1 and "Content block expected" in said
        monkeypatch.delenv("DOCUTILSCONFIG", raising=False)


@pytest.mark.parametrize("name", [".lock/x", "html/notes.txt", "html"])
def test_an_output_folder_that_holds_other_things_is_a_sentence(book, name):
    root, output = book
    (output / name).parent.mkdir(parents=True)
    (output / name).write_text("x")
    with pytest.raises(SystemExit, match=f"^the site was not built: .*/{name.split('/')[0]}"):
        build.build(root, output)
    assert (output / name).read_text() == "x"


@pytest.mark.parametrize(
    "name, kind",
    [
        *product((".kept", ".kept/stamp", ".kept/.doctrees", ".kept/html"), ("file", "folder")),
        *product((".kept", ".kept/stamp", ".kept/.doctrees", ".kept/html", "html"), ("link",)),
    ],
)
def test_what_stands_in_the_place_of_what_is_kept_is_replaced(book, monkeypatch, name, kind):
    root, output = book

    def make(root, work, quiet):
        (work / "html").mkdir()
        (work / "html" / ".buildinfo").write_text("A site.")
        (work / ".doctrees").mkdir(exist_ok=True)

    monkeypatch.setattr(build, "make", make)
    build.build(root, output)
    build.remove(output / name)
    if kind == "folder":
        (output / name / "old").mkdir(parents=True)
    elif kind == "file":
        (output / name).write_text("x")
    else:
        (output / name).symlink_to("nowhere")
    build.build(root, output)
    assert os.listdir(output / "html") == [".buildinfo"] and not (output / "html").is_symlink()
    assert build.is_site(output, build.sources(root))


def test_what_is_installed_is_what_was_installed(monkeypatch, tmp_path):
    """Where a file of KaTeX is changed, it is installed anew."""
    done, katex = [], tmp_path / "node_modules" / "katex"
    (tmp_path / "package-lock.json").write_text("{}")
    files = [katex / name for name in ("dist/katex.mjs", "dist/fonts/a.woff2", "package.json")]

    def npm_ci(folder):
        for path in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("le")
        done.append("npm ci")

    monkeypatch.setattr(build, "npm_ci", npm_ci)
    monkeypatch.setattr(build.workbench, "pack", lambda: None)
    for times, changed in enumerate(files, 1):
        for _ in range(2):
            build.install(tmp_path)
            assert {path.read_text() for path in files} == {"le"} and len(done) == times
        changed.write_text("ge")


def test_an_archive_of_sympy_that_was_changed_is_packed_again(monkeypatch, tmp_path):
    """By a stand-in of the compiler."""
    packages, done = tmp_path / "a.zip", []
    monkeypatch.setattr(workbench, "PACKAGES", packages)
    monkeypatch.setattr(workbench, "NAMES", ())
    run = lambda command, **_: done.append(command) or subprocess.CompletedProcess(command, 0)
    monkeypatch.setattr(workbench.subprocess, "run", run)
    for times in (1, 2):
        for _ in range(2):
            workbench.pack()
            assert len(done) == times and packages.read_bytes() != b"another"
        packages.write_bytes(b"another")


def test_a_site_that_is_a_link_and_a_stamp_that_is_no_text_are_replaced(book, tmp_path):
    root, output = book
    (tmp_path / "elsewhere").mkdir()
    output.mkdir()
    (output / ".building").write_text("x")
    (output / "html").symlink_to(tmp_path / "elsewhere")
    assert built(root, output) == (0, "")
    assert not (output / "html").is_symlink() and not (output / ".last").is_symlink()
    (output / ".kept" / "stamp").write_bytes(b"\xff")
    assert built(root, output) == (0, "")


def test_a_site_that_a_build_moved_aside_is_put_back(tmp_path):
    (tmp_path / ".last").mkdir()
    (tmp_path / ".last" / "index.html").write_text("Whole.")
    build.begun(tmp_path)
    assert (tmp_path / "html" / "index.html").read_text() == "Whole."


def test_a_book_that_changes_meanwhile_is_not_built(book, monkeypatch):
    root, output = book

    def make(root, work, quiet):
        (work / "html").mkdir()
        (root / "book" / "index.md").write_text("# Another\n")

    monkeypatch.setattr(build, "make", make)
    with pytest.raises(SystemExit, match="the book changed while its site was built"):
        build.build(root, output)
    assert not (output / "html").exists()


def test_a_book_that_changes_and_changes_back_is_not_built(book, monkeypatch):
    root, output = book
    page = root / "book" / "index.md"
    stored = page.read_text()

    def make(root, work, quiet):
        (work / "html").mkdir()
        page.write_text("# Another\n")
        page.write_text(stored)

    monkeypatch.setattr(build, "make", make)
    with pytest.raises(SystemExit, match="the book changed while its site was built"):
        build.build(root, output)


def test_a_book_that_changes_before_a_site_is_kept_is_not_shown(book):
    root, output = book
    assert built(root, output) == (0, "")
    now = build.State.of(root)
    assert build.is_site(output, now.sources) and not build.is_site(output, "another")
    with pytest.raises(SystemExit, match="the book changed while its site was built"):
        build.build(root, output, now=now._replace(touched=""))


def test_a_draft_has_a_folder_of_its_own(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(build, "build", lambda root, output, **_: made.append(output))
    monkeypatch.setattr(build, "install", lambda folder: None)
    monkeypatch.setattr(build.gates, "check_book", lambda root: [])
    monkeypatch.setattr(build.readings, "tell", lambda root: None)
    monkeypatch.setattr(build.State, "of", lambda root: None)
    monkeypatch.chdir(ROOT)
    for arguments in ([], ["--draft"], ["--draft", "--output", str(tmp_path)]):
        monkeypatch.setattr(sys, "argv", ["build", *arguments])
        build.main()
    assert made == [ROOT / "_build", ROOT / "_build" / "draft", tmp_path]
    monkeypatch.setattr(sys, "argv", ["build", "--draft", "--output", "_build"])
    with pytest.raises(SystemExit):
        build.main()
    assert len(made) == 3


@pytest.mark.parametrize(
    "error, where",
    [
        (build.records.Unreadable("requirements.txt is not UTF-8"), "unpinned"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), "install"),
        (PermissionError(13, "Permission denied", "book/access.md"), "of"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(monkeypatch, error, where):
    def fail(*_):
        raise error

    for owner, name in ((build.run, "unpinned"), (build, "install"), (build.State, "of")):
        monkeypatch.setattr(owner, name, fail if name == where else lambda *_: [])
    monkeypatch.setattr(build.gates, "check_book", lambda root: [])
    monkeypatch.setattr(sys, "argv", ["build"])
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as end:
        build.main()
    assert str(error) in str(end.value)


def test_packages_that_are_not_the_pins_make_no_site(monkeypatch):
    """Pages name the pins, and what runs in them is packed from what is installed."""
    monkeypatch.setattr(build.run.metadata, "version", lambda name: "9.9")
    monkeypatch.setattr(build, "install", lambda folder: pytest.fail("the site was begun"))
    monkeypatch.setattr(sys, "argv", ["build"])
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit, match="pins sympy .*, and 9.9 is installed: remove .venv"):
        build.main()


def test_a_clone_has_katex_before_a_gate_reads_a_formula(monkeypatch, tmp_path):
    """Of a folder without node_modules, which a stand-in of npm fills, once."""
    done, folder = [], tmp_path / "book" / "_ext"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "book" / "_ext" / "package-lock.json", folder)

    def npm_ci(folder):
        (folder / "node_modules").mkdir()
        done.append("npm ci")

    for target, name, stand_in in (
        (build, "ROOT", tmp_path),
        (build, "npm_ci", npm_ci),
        (build.workbench, "pack", lambda: done.append("pack")),
        (build, "at_home", lambda: None),
        (build.State, "of", lambda root: None),
        (build.gates, "check_book", lambda root: done.append("gates") or []),
        (build, "build", lambda *_, **__: done.append("build")),
        (build.records, "slugs", lambda root: []),
        (build.records, "all_records", lambda book: []),
        (sys, "argv", ["build"]),
    ):
        monkeypatch.setattr(target, name, stand_in)
    build.main()
    assert done == ["npm ci", "pack", "gates", "build"]
    build.main()
    assert done[4:] == ["pack", "gates", "build"]


def test_a_setting_reaches_pages_that_were_read_before(book):
    root, output = book
    assert built(root, output) == (0, "")
    config = root / "_config.yml"
    stored = (output / ".kept" / ".doctrees" / "one.doctree").stat().st_mtime_ns
    config.write_text(config.read_text().replace("title: Attention", "title: More Attention"))
    assert built(root, output) == (0, "")
    assert (output / ".kept" / ".doctrees" / "one.doctree").stat().st_mtime_ns > stored


def test_a_folder_in_a_site_that_no_build_made_is_gone_after_the_next(book):
    root, output = book
    assert built(root, output) == (0, "")
    (output / "html" / "behind").symlink_to(root, target_is_directory=True)
    assert built(root, output) == (0, "")
    assert not (output / "html" / "behind").exists()


def renamed(root):
    (root / "book").rename(root / "kept")
    shutil.copytree(root / "kept", root / "book")
    shutil.rmtree(root / "book")
    (root / "kept").rename(root / "book")


def came_and_went(root):
    (root / "book" / "_static" / "more.css").write_text("p { color: red }")
    (root / "book" / "_static" / "more.css").unlink()


def linked(root):
    (root / "book").rename(root / "kept")
    (root / "book").symlink_to("kept")
    (root / "book").unlink()
    (root / "kept").rename(root / "book")


@pytest.mark.parametrize("change", [renamed, came_and_went, linked])
def test_a_folder_that_was_another_meanwhile_is_told(book, change):
    root, _ = book
    (root / "book" / "__pycache__").mkdir()
    before = build.State.of(root)
    (root / "book" / "__pycache__" / "made.pyc").write_bytes(b"x")
    assert build.State.of(root) == before
    time.sleep(0.02)  # the clock of a file system goes in steps
    change(root)
    now = build.State.of(root)
    assert now.sources == before.sources and now != before


def test_a_file_that_comes_and_goes_meanwhile_stops_no_build(book, monkeypatch):
    """Such as an editor's, or those that a run of the chapters puts in place."""
    root, _ = book
    listed, brief = build.files_of, root / "book" / "brief"
    found = iter([[*listed(root), brief]])
    monkeypatch.setattr(build, "files_of", lambda root: next(found, None) or listed(root))
    assert build.State.of(root).sources == build.sources(root)


@pytest.mark.parametrize("path", ["CITATION.cff", "lib/logpartition/stats.py", "_toc.yml"])
def test_a_site_is_made_of_more_than_its_pages(book, path):
    root, _ = book
    before = build.sources(root)
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text("x: 1\n")
    assert build.sources(root) != before


def test_a_book_in_a_folder_of_any_name_is_read(tmp_path):
    root = tmp_path / "node_modules" / "root"
    (root / "book").mkdir(parents=True)
    before = build.sources(root)
    (root / "book" / "one.md").write_text("# One\n")
    assert build.sources(root) != before


def test_a_book_that_cannot_be_read_is_not_built(book):
    root, output = book
    (root / "book" / "one.ipynb").write_text('{"cells": [')
    status, said = built(root, output)
    assert (
        status == 1
        and said.startswith("book/one.ipynb: is not a notebook")
        and "Traceback" not in said
    )


COMMANDS = "addresses archive audit build gates paper readings run".split()


@pytest.mark.parametrize("module", COMMANDS)
def test_the_code_of_another_folder_refuses(tmp_path, monkeypatch, module):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [module])
    with pytest.raises(SystemExit) as end:
        import_module(f"logpartition_book.{module}").main()
    assert f"This Python works on the book in {ROOT}, and you are in {tmp_path}" in end.value.code


def test_a_command_that_refuses_says_so_and_fails(tmp_path):
    command = [sys.executable, "-m", "logpartition_book.readings"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("This Python works on") and done.stderr.count("\n") == 1


def test_every_command_of_this_repository_asks_where_it_is():
    texts = {path.stem: path.read_text() for path in Path(build.__file__).parent.glob("*.py")}
    asking = {name for name, text in texts.items() if "at_home()" in text} - {"files"}
    assert asking == {*COMMANDS}
    assert all(texts[name].endswith('if __name__ == "__main__":\n    main()\n') for name in asking)
