"""The commands around Python: make, what continuous integration runs, and the workflows."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from logpartition_book.files import ROOT

WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text())
    for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
CLEAN = {
    key: value
    for key, value in os.environ.items()
    if not key.startswith(("MAKE", "MFLAGS", "PYTHON"))
}


def make(folder, *arguments, **environment):
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**CLEAN, **environment},
    )


@pytest.fixture
def folder(tmp_path):
    """The Makefile in a folder of its own, whose name has a space in it."""
    (tmp_path / "a b" / ".ci").mkdir(parents=True)
    pins = "requirements.txt", ".ci/requirements.lock", ".ci/lab.txt"
    for name in ("Makefile", "pyproject.toml", *pins):
        shutil.copy(ROOT / name, tmp_path / "a b" / name)
    return tmp_path / "a b"


@pytest.mark.parametrize(
    "target", ["book", "test", "run", "audit", "addresses", "bench", "pdf", "archive", "lab"]
)
def test_an_environment_of_another_folder_is_refused(folder, target):
    (folder / ".venv").mkdir()
    (folder / ".venv" / "installed").write_text("/elsewhere\n")
    done = make(folder, target)
    assert (
        done.returncode == 2
        and ".venv was made in '/elsewhere', not in this folder" in done.stderr
        and "remove .venv" in done.stderr
    )


def test_an_environment_of_this_folder_is_taken(folder):
    (folder / ".venv").mkdir()
    (folder / ".venv" / "installed").write_text(f"{folder.resolve()}\n")
    assert make(folder, "environment").returncode == 0


@pytest.mark.parametrize("python", ["", "no-such-python"])
def test_a_missing_python_is_said(folder, python):
    done = make(folder, "environment", f"PYTHON={python}")
    assert (
        done.returncode == 2 and "no Python found: set PYTHON to one, 3.11 or newer" in done.stderr
    )


def test_an_old_python_is_said(folder):
    old = folder / "old"
    old.write_text(
        f"#!/bin/sh\nexec '{sys.executable}' -c "
        "'import sys; sys.version_info = (3, 9); exec(sys.argv[2])' \"$@\"\n"
    )
    old.chmod(0o755)
    assert (
        "PYTHON: got 3.9, needs 3.11 or newer" in make(folder, "environment", "PYTHON=./old").stderr
    )


@pytest.mark.parametrize("status", [0, 1, 5])
def test_ci_gives_the_status_of_the_tests_beneath_a_make(tmp_path, status):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    (tmp_path / "Makefile").write_text(
        "ci:\n\t+.ci/run; echo status $$?\nenvironment:\n\t@test 1 = 1\n"
        f"test: environment\n\tsh -c 'echo 1 passed; exit {status}'\n"
    )
    done = make(tmp_path, "-w", "-j2", "ci", PATH=f"{browser(tmp_path)}:{os.environ['PATH']}")
    assert done.stdout.splitlines()[-3:-1] == ["1 passed", f"status {status}"], (
        done.stdout + done.stderr
    )


def browser(folder):
    """A folder with something called chromium, so that .ci/run installs none."""
    (folder / "bin").mkdir()
    (folder / "bin" / "chromium").write_text("#!/bin/sh\n")
    (folder / "bin" / "chromium").chmod(0o755)
    return folder / "bin"


def test_skips_say_why(tmp_path):
    (tmp_path / "test_x.py").write_text(
        "import pytest\n\ndef test_x():\n    pytest.skip('for want of a browser')\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            ROOT / "pyproject.toml",
            "--rootdir",
            tmp_path,
            tmp_path,
        ],
        capture_output=True,
        text=True,
    )
    assert re.search(r"^SKIPPED .* for want of a browser", done.stdout, re.MULTILINE)


# workflows


def steps(workflow):
    return [step for job in WORKFLOWS[workflow]["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_actions_are_named_by_their_digest(workflow):
    assert [
        step["uses"]
        for step in steps(workflow)
        if "uses" in step and not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
    ] == []


def test_what_runs_code_may_not_publish():
    publish, release = WORKFLOWS["publish"], WORKFLOWS["release"]
    for workflow in (publish, release):
        assert workflow["permissions"] == {}
        assert workflow["jobs"]["build"]["permissions"] == {"contents": "read"}
    deploy, colab = publish["jobs"]["deploy"], publish["jobs"]["colab"]
    made = release["jobs"]["release"]
    assert deploy["permissions"] == {"pages": "write", "id-token": "write"}
    assert colab["permissions"] == made["permissions"] == {"contents": "write"}
    assert all(job["needs"] == "build" for job in (deploy, colab, made))
    assert not any("run" in step for step in deploy["steps"])
    assert publish["concurrency"]["cancel-in-progress"] is False
    assert all(
        WORKFLOWS[name]["permissions"] == {"contents": "read"} for name in ("test", "newest")
    )


def test_what_may_write_has_no_code_of_ours():
    """It takes files of the build, and runs git, tar and gh."""
    jobs = [WORKFLOWS["publish"]["jobs"]["colab"], WORKFLOWS["release"]["jobs"]["release"]]
    for job in jobs:
        fetched, done = job["steps"]
        assert fetched["uses"].startswith("actions/download-artifact@")
        lines = done["run"].replace("\\\n", "").splitlines()
        assert {line.split()[0] for line in lines} <= {"git", "tar", "gh"}


def test_the_branch_for_colab_has_the_notebooks(tmp_path):
    """Those of the newest site and of released ones, and nothing else; each time anew."""
    for name in ("colab/one.ipynb", "colab/v0.1.0/one.ipynb", "colab/.git/config", "one.html"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(name)
    there = {**os.environ, "RUNNER_TEMP": str(tmp_path), "GH_TOKEN": "x", "GITHUB_SHA": "a1b2"}
    subprocess.run(["git", "init", "--quiet", "--bare", tmp_path / "o.git"], check=True)
    subprocess.run(["tar", "-cf", tmp_path / "artifact.tar", "-C", tmp_path / "site", "."])
    step = WORKFLOWS["publish"]["jobs"]["colab"]["steps"][-1]
    place = "https://x-access-token:$GH_TOKEN@github.com/$GITHUB_REPOSITORY"
    assert step["run"].count(place) == 1
    given = {**step["env"], "GIT_DIR": str(tmp_path / "git")}
    for _ in range(2):
        command = ["bash", "-eo", "pipefail", "-c", step["run"].replace(place, "o.git")]
        subprocess.run(command, cwd=tmp_path, env=there | given, check=True)
        shutil.rmtree(tmp_path / "git")
        shutil.rmtree(tmp_path / "colab")
    listed = ["git", "-C", tmp_path / "o.git", "ls-tree", "-r", "--name-only", "colab"]
    found = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert found.split() == ["one.ipynb", "v0.1.0/one.ipynb"]


def test_the_last_release_is_there_to_compare_with():
    checkouts = [
        step["with"]
        for name in ("publish", "release", "test")
        for step in steps(name)
        if "checkout" in step.get("uses", "")
    ]
    assert checkouts and all(
        given == {"fetch-depth": 0, "persist-credentials": False} for given in checkouts
    )


def test_the_newest_dependencies_leave_out_what_asks_for_pins():
    """And nothing else; each test that it leaves out is there. A failure of the rest turns the
    workflow red.
    """
    test = next(step for step in steps("newest") if step.get("name") == "Test")
    assert not any("continue-on-error" in step for step in steps("newest"))
    left_out = re.findall(r"--deselect (\S+)", test["env"]["PYTEST_ADDOPTS"])
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *left_out],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0 and set(left_out) <= set(found.stdout.splitlines())
