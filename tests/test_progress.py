"""How far a long work has come is said on a terminal, and nowhere else."""

import io
import os
import pty
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from logpartition._progress import Progress
from logpartition_book import gates, paper, run


class Terminal(io.StringIO):
    def isatty(self):
        return True


def lines(terminal):
    """What stood in its line, one after another; nothing where the line was empty."""
    return [line.strip() for line in terminal.getvalue().split("\r\033[K")[1:]]


def test_a_terminal_shows_what_is_done_and_how_long_it_takes(monkeypatch):
    seen, now = Terminal(), iter(range(0, 400, 40))
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    with Progress(8, seen) as progress:
        progress.at(0, "one")
        progress.at(6, "two" * 60)
        progress.hide()
    first, second, *gone = lines(seen)
    assert first == f"{'░' * 24} 0 of 8, 40 s  one"
    assert second.startswith(f"{'█' * 18}{'░' * 6} 6 of 8, 80 s  twotwo") and len(second) == 79
    assert gone == ["", ""]


def test_a_line_is_written_anew_while_nothing_comes():
    seen = Terminal()
    progress = Progress(2, seen)
    progress.ended.wait = lambda second: time.sleep(0.01) or progress.ended.is_set()
    with progress:
        progress.at(1, "slow")
        time.sleep(0.1)
        progress.hide()
        time.sleep(0.05)
    shown = lines(seen)
    assert shown.count("") > 1 and len([line for line in shown if line.endswith("slow")]) > 2
    assert not any(shown[shown.index("") :])


def test_what_is_no_terminal_gets_nothing(capfd):
    with Progress(2) as progress:
        progress.at(1, "x")
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def terminal(monkeypatch):
    seen = Terminal()
    monkeypatch.setattr("logpartition._progress.sys", SimpleNamespace(stderr=seen))
    return seen


def test_a_run_says_how_many_chapters_are_done(terminal, monkeypatch):
    paths = [Path(f"{name}.ipynb") for name in "ab"]
    monkeypatch.setattr(run, "run_all", lambda paths, work, jobs: ((path, 1.0) for path in paths))
    for _ in run.watched(paths, run.run):
        assert lines(terminal)[-1] == ""  # for what is printed
    assert [line.split(",")[0][-6:] for line in lines(terminal) if line] == [
        "0 of 2", "1 of 2", "2 of 2"
    ]  # fmt: skip


def test_the_gates_say_at_which_of_them_they_are(terminal, tmp_path):
    def looks_at_something(root):
        yield "a finding"

    assert list(gates.run([looks_at_something], tmp_path)) == ["a finding"]
    assert lines(terminal)[0].endswith("0 of 1, 0 s  gates: looks at something")


def test_paper_says_which_print_it_is_at(terminal, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "edition", lambda root: ("", paper.datetime.now(paper.UTC)))
    monkeypatch.setattr(paper, "document", lambda *_: "")
    monkeypatch.setattr(paper, "printed", lambda site, html, path: path.write_bytes(b""))
    for name, said in (
        ("numbers", lambda path: {}),
        ("stamp", lambda *_: ""),
        ("signed", lambda content, root: content),
    ):
        monkeypatch.setattr(paper, name, said)
    monkeypatch.setattr(paper, "PdfReader", lambda path: type("", (), {"pages": []}))
    paper.make(tmp_path, tmp_path, tmp_path / "x.pdf")
    assert [line.partition(" s  ")[2] for line in lines(terminal) if line] == [
        "first print",
        "the page numbers of the first print",
        "second print",
        "the page numbers of the second print",
    ]


def test_the_check_of_records_shows_a_line_on_a_pseudo_terminal(monkeypatch):
    from logpartition import __main__ as command

    ours, theirs = pty.openpty()
    monkeypatch.setattr(command, "differences", lambda record, book: [])
    monkeypatch.setattr(command, "decidable", lambda record: True)
    with os.fdopen(theirs, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert not command.check({"sum": {"verdict": "proved"}}, ["sum"])
    assert "0 of 1, 0 s  sum" in os.read(ours, 4096).decode()
    os.close(ours)
