"""Notebooks and small books for tests, in few words."""

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from copy import deepcopy
from functools import cache
from pathlib import Path

import nbformat
import yaml
from made import derivation
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from logpartition.proof import display
from logpartition_book import build, files, readings, seal
from logpartition_book.records import MIME

KINDS = {
    "plain": "text/plain",
    "markdown": "text/markdown",
    "latex": "text/latex",
    "html": "text/html",
    "png": "image/png",
    "svg": "image/svg+xml",
    "record": MIME,
}


def notebook(*cells):
    """A notebook of these cells; a string is a cell of text."""
    made = new_notebook(
        cells=[
            deepcopy(cell) if isinstance(cell, dict) else new_markdown_cell(cell) for cell in cells
        ],
        metadata={"language_info": {"name": "python"}},
    )
    for number, cell in enumerate(made.cells, 1):
        cell.id = f"cell-{number}"
    return made


def code(source="x = 1", count=1, outputs=(), **metadata):
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata=metadata)


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(**data):
    return new_output("display_data", data={KINDS[key]: value for key, value in data.items()})


def record(label, **keys):
    """A derivation in one step, as the verifier records it, but for these keys."""
    return derivation(label, title=f"On {label}").record.json() | keys


def bundle(record):
    """The output of a cell whose value is this result."""
    return new_output("execute_result", data=display.bundle(record), execution_count=1)


def result(label, count=1, **keys):
    """The cell of a result."""
    return code(f'derive("{label}", a)', count, [bundle(record(label, **keys))])


def store(notebook, path, root=None):
    """Write a notebook, sealed for the book in `root`."""
    if root:
        seal.seal(notebook, root)
    files.write(path, nbformat.writes(notebook) + "\n")


def make_book(root, pages, index="# Front\n"):
    """A book in folder `root` of these pages by slug, each a list of cells, ready to be built."""
    build.install(files.ROOT / "book" / "_ext")
    book = root / "book"
    book.mkdir(parents=True)
    shutil.copy(files.ROOT / "_config.yml", root)
    shutil.copy(files.ROOT / "CITATION.cff", root)
    shutil.copytree(files.ROOT / "book" / "_static", book / "_static")
    (book / "claims.yaml").write_text("{chapters: [page-0], claims: [], beyond: []}")
    (root / "requirements.txt").write_text("")
    (book / "index.md").write_text(index)
    contents = {
        "format": "jb-book",
        "root": "index",
        "chapters": [{"file": slug} for slug in pages],
    }
    (root / "_toc.yml").write_text(yaml.safe_dump(contents, sort_keys=False))
    for slug, cells in pages.items():
        store(notebook(f"# {slug}", *cells), book / f"{slug}.ipynb")
    copy_sources(book)
    readings.record(root)
    return root


def copy_sources(book):
    """What the files of a small book name of the bibliography, all of which would take longer to
    set than its pages."""
    said = "".join(path.read_text(encoding="utf-8") for path in book.glob("*.[imy]*"))
    text = (files.ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    entries = re.finditer(r"^@\w+\{(\w+),.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    kept = "".join(entry[0] for entry in entries if entry[1] in said)
    (book / "references.bib").write_text(kept, encoding="utf-8")


BUILDER = """
import functools, gc, importlib, json, os, sys
from pathlib import Path
import jinja2, yaml
import jupyter_book.sphinx
from logpartition_book import light
from logpartition_book.build import build
from logpartition_book.files import ROOT

codes, compile = {}, jinja2.Environment.compile
def compiled(self, *template):  # each build compiles the templates of the theme, a quarter of it
    if template not in codes:
        codes[template] = compile(self, *template)
    return codes[template]
jinja2.Environment.compile = compiled
light.selectors, light.asked = map(functools.cache, (light.selectors, light.asked))
settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
for name in (*settings["sphinx"]["config"]["extensions"], "myst_nb.sphinx_ext"):
    importlib.import_module(name)
answers = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
build(Path(sys.argv[1], "root"), Path(sys.argv[1], "out"), quiet=True)
gc.freeze()
for line in sys.stdin:
    root, output, folder, environment, told, first = json.loads(line)
    if not (child := os.fork()):
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        os.dup2(os.open(told, os.O_WRONLY), 2)
        status = 1
        try:
            exec(first)
            build(Path(root), Path(output), quiet=True)
            status = 0
        except SystemExit as end:
            print(end, file=sys.stderr)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(status)  # to forget all that was imported takes as long as a build
    os.write(answers, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@cache
def builder():
    """A process that has built a book, and so has imported and read what every build does, which
    takes longer than a small build; it makes a new process of itself for each line of its input."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make_book(Path(folder, "root"), {"one": ["$x$", code(outputs=[printed("1\n")])]})
    return subprocess.Popen(
        [sys.executable, "-c", BUILDER, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def built(root, output, first=""):
    """`make book` for the book in folder `root`: its exit status and what it says. Its process does
    what `first` says before."""
    process = builder()
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as told:
        line = [str(root), str(output), os.getcwd(), dict(os.environ), told.name, first]
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        return int(process.stdout.readline()), told.read()
