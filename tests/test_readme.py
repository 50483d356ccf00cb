"""The README does what it says: its examples print what stands below them, its commands exist."""

import re
import subprocess
import sys

import pytest

from logpartition_book.files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)


def test_every_example_has_its_output():
    assert len(EXAMPLES) == README.count("```python") == 2


@pytest.mark.parametrize("code, output", EXAMPLES)
def test_example(code, output):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (output, 0), done.stderr


@pytest.mark.parametrize(
    "target", sorted(set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)))
)
def test_command(target):
    done = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_torch_is_the_version_that_is_pinned():
    pin = re.search(r"^torch==\S+", (ROOT / "requirements.txt").read_text(), re.MULTILINE)[0]
    assert set(re.findall(r"torch==\S+", README)) == {pin}
