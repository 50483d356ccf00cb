"""What is installed: every package pinned, and on Binder all that a chapter imports."""

import ast
import re
import sys
import tomllib

import nbformat
import yaml

from logpartition_book import launch, numbers
from logpartition_book.files import ROOT
from logpartition_book.seal import code

LOCK = (ROOT / ".ci" / "requirements.lock").read_text()


def pins(*path):
    lines = (line.split("#")[0].strip() for line in ROOT.joinpath(*path).read_text().splitlines())
    return [line for line in lines if line]


def imports(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


def test_every_requirement_is_pinned():
    assert [
        line
        for line in pins("requirements.txt")
        if not re.fullmatch(r"[a-z0-9-]+==[0-9.]+(post\d+)?(; .*)?", line)
    ] == []


def test_the_lock_is_of_the_requirements():
    """Each of them with its hashes, and nothing that names a place to fetch from."""
    locked = re.findall(
        r"^([a-z0-9-]+==[^ ;]+)(.*\\\n(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
        LOCK,
        re.MULTILINE,
    )
    assert {name for name, _ in locked} >= {
        line.split(";")[0] for line in pins("requirements.txt") if not line.startswith("torch==")
    }
    assert len(locked) == sum(line[0].isalpha() for line in LOCK.splitlines()) and "://" not in LOCK


def test_binder_and_colab_have_the_pins_of_the_book():
    index, *rest = pins(".binder", "requirements.txt")
    assert index == "--extra-index-url https://download.pytorch.org/whl/cpu"
    assert set(rest) <= set(pins("requirements.txt"))
    asked = re.findall(r"(\w+)(==\S+)", launch.preparation(ROOT, "someone/book"))
    assert [name for name, _ in asked] == ["sympy", "mpmath"]
    assert {"".join(one) for one in asked} <= set(pins("requirements.txt"))


def test_binder_has_a_python_that_the_package_takes():
    """The oldest one, which the pins and the pages name as well."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (binder,) = pins(".binder", "runtime.txt")
    oldest = project["requires-python"].removeprefix(">=")
    assert binder == f"python-{oldest}" and numbers.versions("python") == [oldest]
    assert f"Python {oldest} or newer" in (ROOT / "README.md").read_text()


def test_binder_has_what_chapters_import():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "lib").rglob("*.py")]
    for path in (ROOT / "book").glob("*.ipynb"):
        sources += code(nbformat.read(path, as_version=4))
    imported = {name for source in sources for name in imports(source)}
    installed = {line.split("==")[0] for line in pins(".binder", "requirements.txt")[1:]}
    brought = {"IPython", "matplotlib_inline", "contourpy"}  # by ipykernel and matplotlib
    assert imported - set(sys.stdlib_module_names) - installed - brought == {"logpartition"}


def test_the_package_asks_for_what_binder_has():
    """With which it is installed on Colab: nothing that makes a site of the book."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    there = {line.split("==")[0] for line in pins(".binder", "requirements.txt")[1:]}
    assert set(project["dependencies"]) - there == {"ipython"}  # which ipykernel brings


def test_the_version_is_that_of_the_changelog_and_of_the_package():
    """The next one, while that is in preparation, with `dev` behind it."""
    version = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    newest = re.search(r"(?m)^## (.*)", (ROOT / "CHANGELOG.md").read_text())[1]
    assert newest == re.sub(r"\.dev$", " (in preparation)", version)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == re.sub(r"dev$", "dev0", version)
