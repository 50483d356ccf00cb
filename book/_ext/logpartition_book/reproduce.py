"""What a reader needs to have a result again: the cell that makes it, the commit and the versions
of its chapter, and what decides it anew, or why a page cannot."""

import ast
import re
from functools import cache
from pathlib import Path

from . import records
from .addresses import changed, git
from .programs import programs
from .seal import lent

PINS = {"SymPy": "sympy", "mpmath": "mpmath", "NumPy": "numpy", "SciPy": "scipy", "torch": "torch"}
VERIFIER = {"sympy", "mpmath"}
CHECK = ".venv/bin/python -m logpartition check book/"  # in the repository, after `make book`


def cell(notebook: Path, label: str) -> int:
    """The number of the cell that makes a result, among the notebook's cells of code, as Jupyter
    counts them."""
    code = (one for one in records.stored(notebook).cells if one.cell_type == "code")
    made = (
        number
        for number, one in enumerate(code, 1)
        for output in one.outputs
        if output.get("data", {}).get(records.MIME, {}).get("label") == label
    )
    return next(made)


def commit(notebook: Path) -> str:
    """The commit that last changed what `notebook` was made from, or itself, with its date; nothing
    where there is no repository."""
    root, paths = notebook.parents[1], made_from(notebook)
    if not git(root, "rev-parse", "HEAD"):
        return ""
    if not git(root, "ls-tree", "HEAD", "--", paths[0]):
        return "not committed"
    last = git(root, "log", "-1", "--format=commit %h of %cs", "--", *paths).strip()
    parents = git(root, "log", "-1", "--format=%P", "--", *paths).split()
    shallow = git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    if shallow and not parents:  # here the history was cut off
        last = "commit not known, in a shallow clone"
    return f"{last}{', changed since' if changed(root, *paths) else ''}"


def made_from(notebook: Path) -> list[str]:
    """The notebook, and what its seal depends on beside it: the library, the modules and pins
    around it, and the chapters whose results it uses."""
    used = {record["chapter"] for record in lent(records.stored(notebook), notebook.parents[1])}
    names = [notebook.name, *sorted(f"{slug}.ipynb" for slug in used)]
    names += sorted(path.name for path in notebook.parent.glob("*.py"))
    return [*(f"book/{name}" for name in names), "lib", "requirements.txt"]


def made_of(version: str, made: str) -> str:
    """Version and commit in a line."""
    return ", ".join(filter(None, [version and f"version {version}", made]))


def edition(version: str, made: str) -> str:
    """What is cited: the commit as well, before the release of a version, and where something has
    changed since."""
    return made_of(version, made if "dev" in version or made.endswith("since") else "")


def versions(notebook: Path, used: set) -> str:
    """The packages among the `used` that a run has to find in the versions that are pinned."""
    pinned = records.text(notebook.parents[1] / "requirements.txt")
    pins = dict(re.findall(r"(?m)^([\w.-]+)==([^\s;]+)", pinned))  # `run.unpinned`: one a package
    names = [f"{name} {pins[pin]}" for name, pin in PINS.items() if pin in used & pins.keys()]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def imported(notebook: Path) -> set:
    """What the verifier and the notebook import."""
    cells = (one.source for one in records.stored(notebook).cells if one.cell_type == "code")
    found, todo = set(), [name for cell in cells for name in _modules(cell)]
    while todo:
        if (name := todo.pop()) not in found:
            found.add(name)
            path = notebook.parents[1] / "lib" / f"{name.replace('.', '/')}.py"
            todo += _modules(records.text(path)) if path.exists() else []
    return VERIFIER | {name.partition(".")[0] for name in found}


@cache  # each result asks for those of the same library
def _modules(source: str) -> list[str]:
    """The modules that a program imports; those of the library by their whole names."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "logpartition" * bool(node.level) + f".{node.module or ''}" * bool(node.level)
            module = module.strip(".") or node.module
            found += [module, *(f"{module}.{one.name}" for one in node.names)]
    return found


def python(notebook: Path) -> str:
    """The Python that the stored outputs were made with, where the notebook says so."""
    found = records.stored(notebook).metadata.get("logpartition", {}).get("python")
    return f", made with Python {found}" if found else ""


def heavy(notebook: Path, label: str) -> set:
    """The packages that the program of a result needs and no page has."""
    program = programs(notebook).get(label)
    return {name.split(".")[0] for name in program.heavy} if program else set()


def does(record: dict) -> str:
    """What a run does with the result."""
    if "terms" in record:
        return "decides"
    return "measures" if record["kind"] == "observation" else "states"


def untried(record: dict, needed: set) -> str:
    """Why no button tries to break the result in the page; nothing where there is one."""
    if record["kind"] == "citation":
        return "Cited: no program decides it."
    if record["kind"] == "theorem" or record.get("against"):
        return "In words: no program decides it."
    if needed:
        proper = {module: name for name, module in PINS.items()}
        said = " and ".join(proper.get(module, module) for module in sorted(needed))
        return f"Its program needs {said}, which the pages of this book do not load."
    return ""
