"""How the code is written: one format, 100 columns, and no finding of the linter, in the library,
the book's tools, the tests and the chapters."""

import subprocess
import sys

import pytest

from logpartition_book.files import ROOT


@pytest.mark.parametrize("command", [("format", "--check", "--diff"), ("check",)], ids=" ".join)
def test_ruff_finds_nothing(command):
    places = ["lib", "book", "tests"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", *places],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
