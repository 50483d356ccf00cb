"""What a stored notebook is tied to: a hash of all that its outputs depend on, and one of the
outputs themselves; and which Python made them.

`make run` writes both into the notebook's metadata. The gates compare them, and so notice a chapter
that a change elsewhere has made stale, and an output that was edited after the run.
"""

import ast
import json
from hashlib import sha256
from platform import python_version

from .files import ROOT
from .records import MIME, notebooks, stored
from .trees import nodes

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": (
        "1"
    ),  # one thread a sum, so that its order of addition and its last digit stay
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def seal(notebook, root=ROOT):
    """The notebook, which this Python has run, with the version of Python and the hashes of its
    inputs and of its outputs in its metadata."""
    notebook.metadata["logpartition"] = {"python": python_version()}
    notebook.metadata["logpartition"]["inputs"] = inputs(notebook, root)
    notebook.metadata["logpartition"]["outputs"] = outputs(notebook)
    return notebook


def inputs(notebook, root=ROOT):
    """Hash of the notebook's code, the files around it, the kernel's environment, and the results
    of other chapters that it uses.
    """
    return digest([code(notebook), around(root), ENVIRONMENT, KERNEL, foreign(notebook, root)])


def around(root=ROOT):
    """Path and hash of each file of the library, each Python file beside the notebooks, and the
    pins.
    """
    return [(name, sha256(path.read_bytes()).hexdigest()) for name, path in depended(root)]


def touched(root=ROOT):
    """When each of these files was touched: at another time, where it was changed and put back."""
    stats = ((name, path.stat()) for name, path in depended(root))
    return [(name, stat.st_ino, stat.st_ctime_ns) for name, stat in stats]


def depended(root):
    files = [
        path for path in sorted((root / "lib").rglob("*")) if path.is_file() and not made(path)
    ]
    files += [*sorted((root / "book").glob("*.py")), root / "requirements.txt"]
    return [(path.relative_to(root).as_posix(), path) for path in files]


def made(path):
    """Whether Python or pip made the file."""
    return any(
        part == "__pycache__" or part.endswith(".egg-info") or part.startswith(".")
        for part in path.parts[-3:]
    )


def outputs(notebook):
    """Hash of everything that the notebook's cells of code put out, pictures and the times of a run
    included, and of the Python that ran them.
    """
    ran = notebook.metadata.get("logpartition", {}).get("python")
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    return digest([ran, *(cell.get("outputs", []) for cell in code)])


def holds(notebook):
    """Whether the outputs are those that the notebook was sealed with."""
    return notebook.metadata.get("logpartition", {}).get("outputs") == outputs(notebook)


def digest(content):
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def code(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def foreign(notebook, root=ROOT):
    """What the notebook takes from other chapters: labels, and hashes of their records as they are
    stored, whatever time they took."""
    return sorted(f"{record['label']} {digest(bare(record))}" for record in lent(notebook, root))


def lendable(root=ROOT):
    """What a chapter may take from others, as `foreign` has it."""
    return {f"{one['label']} {digest(bare(one))}" for one in offered(root)}


def lent(notebook, root=ROOT):
    """The records of other chapters that the notebook uses, in its results or by `earlier` in its
    code."""
    own = made_by(notebook)
    used = {label for record in own for label in record.get("uses", ())} | taken(code(notebook))
    used -= {record["label"] for record in own}
    return [record for record in offered(root) if record["label"] in used] if used else []


def offered(root):
    """The records of all chapters, each with that where it is."""
    return [
        {**record, "chapter": path.stem}
        for path in notebooks(root)
        for record in made_by(stored(path))
    ]


def made_by(notebook):
    """The records that the notebook's cells put out."""
    return labelled(
        output.data[MIME]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if MIME in output.get("data", ())
    )


def labelled(records):
    """Those that another chapter can ask for. What is damaged the gates name, and a run mends it,
    which it therefore does not stop."""
    return [one for one in records if isinstance(one, dict) and isinstance(one.get("label"), str)]


def bare(record):
    """A record without what `offered` adds to it."""
    return {key: said for key, said in record.items() if key != "chapter"}


def taken(sources):
    """The labels in quotes that code calls `earlier` with."""
    calls = (call for source in sources for call in called(source))
    return {label for name, label in calls if name == "earlier"}


def called(source):
    """The name of the function and the first argument of each call, where that is a string."""
    for node in nodes(source):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            if isinstance(node.args[0].value, str):
                yield getattr(node.func, "id", getattr(node.func, "attr", "")), node.args[0].value
