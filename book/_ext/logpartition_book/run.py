"""Execute the notebooks in place: `python -m logpartition_book.run [slug ...]`.

A notebook is stored only when all of its cells ran. With it goes a hash of everything that its outputs depend on, by
which the gates notice a chapter that a change elsewhere has made stale.
"""

import argparse
import ast
import io
import os
import re
import sys
import time
import tokenize
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from .records import MIME, all_records, notebooks

ROOT = Path(__file__).parents[3]
SETTINGS = Path(sys.prefix) / "var"
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",  # one thread a sum, so that its order of addition and its last digit stay
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLCONFIGDIR": str(SETTINGS / "matplotlib"),  # no settings of the user's own
    "IPYTHONDIR": str(SETTINGS / "ipython"),
}
PINS = ("numpy", "sympy", "mpmath", "torch", "matplotlib")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class ChapterFailed(Exception):
    """A notebook did not run to its end; says which cell, and why."""


def settle():
    """Give this process and the kernels that it starts the environment that results are made in."""
    os.environ.update(ENVIRONMENT)
    SETTINGS.mkdir(exist_ok=True)
    import matplotlib.font_manager  # noqa: F401  builds its cache here, where it may write to stderr


# what the outputs of a notebook depend on


def code(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def inputs(notebook, root=ROOT):
    """Hash of the notebook's code, the library code that it imports, the pins, and the results of other chapters that it uses."""
    parts = code(notebook)
    parts += [essence(path.read_text(encoding="utf-8")) for path in imported(parts, root)]
    parts += [line.split("#")[0].strip() for line in (root / "requirements.txt").read_text().splitlines() if line.split("==")[0] in PINS]
    parts += foreign(notebook, root)
    digest = sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def imported(sources, root=ROOT):
    """Files of the logpartition modules that the sources import, and that those import in their turn."""
    found, pending = set(), set().union(*map(modules, sources))
    while pending:
        name = pending.pop()
        path = module_file(name, root)
        if path and path not in found:
            found.add(path)
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            pending |= modules(path.read_text(encoding="utf-8"), package)
    return sorted(found)


def modules(source, package=""):
    """Dotted names below logpartition that the source may import; names in a module count, as they may be modules."""
    names = set()
    for node in ast.walk(ast.parse(plain(source))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *filter(None, [base])])
            names |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    ours = {name for name in names if name.split(".")[0] == "logpartition"}
    return ours | {".".join(name.split(".")[:n]) for name in ours for n in range(1, name.count(".") + 1)}


def module_file(name, root):
    stem = root.joinpath("lib", *name.split("."))
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.exists()), None)


def plain(source):
    """The source without IPython's magics, which are no Python."""
    return re.sub(r"^(\s*)[%!].*$", r"\1pass", source, flags=re.MULTILINE)


def essence(source):
    """The source without comments, docstrings and empty lines: what can change an output."""
    lines = source.encode().splitlines()

    def blank(start, end):
        (first, left), (last, right) = start, end
        for number in range(first, last + 1):
            line = lines[number - 1]
            lines[number - 1] = line[: left if number == first else 0] + (line[right:] if number == last else b"")

    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1].decode()[:column].encode()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None:
            text = node.body[0]
            blank((text.lineno, text.col_offset), (text.end_lineno, text.end_col_offset))
    return "\n".join(line.decode().rstrip() for line in lines if line.strip())


def foreign(notebook, root=ROOT):
    """What the notebook's results take from other chapters: label and statement, as stored there."""
    own = [output.data[MIME] for cell in notebook.cells for output in cell.get("outputs", ()) if MIME in output.get("data", ())]
    used = {label for record in own for label in record["uses"]} - {record["label"] for record in own}
    return sorted(
        f"{record['label']} {record.get('fingerprint') or record['statement']}"
        for record in (all_records(root / "book") if used else ())
        if record["label"] in used
    )


# execution


def execute(path):
    """The notebook at `path`, executed in its folder and normalised; ChapterFailed where a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["kernelspec"] = KERNEL
    client = NotebookClient(
        notebook,
        timeout=600,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise ChapterFailed(failure(path, notebook, error)) from None
    return normalise(notebook)


def failure(path, notebook, error):
    """The failing cell and its error, for a person to read."""
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                source = "\n".join(f"    {line}" for line in cell.source.splitlines())
                return f"{path.name}, cell {number}:\n{source}\n{output.ename}: {output.evalue}"
    return f"{path.name}: {error}"


def normalise(notebook):
    """The same notebook without what differs between machines and runs; every cell has an id of its own."""
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.nbformat_minor = max(5, notebook.nbformat_minor)
    seen = set()
    for number, cell in enumerate(notebook.cells):
        cell.metadata.pop("execution", None)
        if cell.get("id") in seen | {None}:
            cell.id = f"cell-{number}"
        seen.add(cell.id)
    return notebook


def untimed(notebook):
    """The notebook without the metadata of its outputs, where the seconds of a run are."""
    bare = deepcopy(notebook)
    for cell in bare.cells:
        for output in cell.get("outputs", ()):
            output.pop("metadata", None)
    return bare


def run(path):
    """Execute one notebook in place; the seconds it took. A run that changes nothing leaves the file as it is."""
    start = time.monotonic()
    notebook = execute(path)
    notebook.metadata["logpartition"] = {"inputs": inputs(notebook)}
    nbformat.validate(notebook)
    if untimed(notebook) != untimed(nbformat.read(path, as_version=4)):
        nbformat.write(notebook, path)
    return time.monotonic() - start


def needs(paths):
    """For each notebook, those among `paths` whose results it takes with `earlier("label")`."""
    makes, takes = {}, {}
    for path in paths:
        takes[path] = set()
        for source in code(nbformat.read(path, as_version=4)):
            for call in ast.walk(ast.parse(plain(source))):
                if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
                    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                    if name == "earlier":
                        takes[path].add(call.args[0].value)
                    else:
                        makes.setdefault(call.args[0].value, path)
    return {path: {makes[label] for label in labels & makes.keys()} - {path} for path, labels in takes.items()}


def run_all(paths, work=run, jobs=2):
    """Do `work` on each notebook, after those that it needs; yields path and result or exception, as they come."""
    order = TopologicalSorter(needs(paths))
    try:
        order.prepare()
    except CycleError as error:
        raise SystemExit("these chapters need each other: " + ", ".join(path.stem for path in error.args[1])) from None
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        pending = {}
        while order.is_active():
            pending |= {pool.submit(work, path): path for path in order.get_ready()}
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                path = pending.pop(future)
                yield path, future.exception() or future.result()
                order.done(path)


def main():
    parser = argparse.ArgumentParser(prog="python -m logpartition_book.run", description="Execute chapters in place.")
    parser.add_argument("slugs", nargs="*", help="chapters, all when none is named")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks at a time (default 2)")
    arguments = parser.parse_args()
    known = {path.stem: path for path in notebooks(ROOT)}
    if unknown := set(arguments.slugs) - known.keys():
        parser.error(f"no such notebook in _toc.yml: {', '.join(sorted(unknown))}")
    settle()
    failed = 0
    for path, result in run_all([known[slug] for slug in arguments.slugs or known], jobs=arguments.jobs):
        if isinstance(result, ChapterFailed):
            failed += 1
            print(f"\n{result}\n{path.name} is left as it was.\n", file=sys.stderr)
        elif isinstance(result, BaseException):
            raise result
        else:
            print(f"{path.stem}  {result:.1f} s", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
