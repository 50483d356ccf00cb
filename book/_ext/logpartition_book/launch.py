"""Where a chapter can be run: on Binder, on Colab, and from a file.

The repository is named in one place, `repository: url:` of _config.yml; where that is empty, it is
git's `origin`. Only one at github.com can be launched; for any other, pages have no such line.
Colab knows neither the library nor the other chapters, so it gets notebooks of its own, in the
site's folder `colab`: their first cell fetches both.
"""

import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from . import copies, records
from .addresses import git
from .files import zipped
from .markup import E, element

NOTEBOOKS = "notebooks.zip"  # of the site: all of them, and what they need
SOURCES = "references.bib"  # of which boxes name the keys
FOLDER = "colab"  # of the site; and the branch that Colab reads
BINDER = "https://mybinder.org/v2/gh/{}/HEAD?urlpath=lab/tree/book/{}.ipynb"
COLAB = f"https://colab.research.google.com/github/{{}}/blob/{FOLDER}/{{}}.ipynb"
GITHUB = re.compile(
    r"(?:https://(?:[^/@]+@)?|ssh://git@|git@)github\.com[/:]([\w-]+/[\w.-]+?)(?:\.git)?/?"
)
NEEDED = "torch|numpy|sympy|mpmath|matplotlib|scipy|ipython|ipykernel"  # by the chapters
PINNED = re.compile(r"^(?:sympy|mpmath)==\S+", re.MULTILINE)  # what the verifier computes with


def repository(root: Path) -> str:
    """`owner/name` at github.com, or nothing."""
    url = records.loaded(root / "_config.yml")["repository"]["url"]
    found = GITHUB.fullmatch(url or git(root, "remote", "get-url", "origin").strip())
    return found[1] if found else ""


def prefix(app) -> str:
    """The folder of a server under which readers find the site, as far as that is known: by its
    address in the settings, or as GitHub serves the pages of a repository."""
    return urlsplit(site(app)).path


def places(at: str, slug: str) -> dict[str, str]:
    """Where it runs without an installation, by name."""
    return {"Binder": BINDER.format(at, slug), "Colab": COLAB.format(at, slug)}


def links(at: str, slug: str) -> list:
    binder, colab = (E("a", name, href=to) for name, to in places(at, slug).items())
    return [binder, " or ", colab]


def site(app) -> str:
    """The address of the site, as far as that is known."""
    base = app.config.html_baseurl
    return f"{base.rstrip('/')}/" if base else pages(Path(app.srcdir).parent)


def pages(root: Path) -> str:
    """The address at which GitHub serves the pages of the repository."""
    owner, _, name = repository(root).partition("/")
    host = f"{owner.lower()}.github.io"
    folder = "" if name.lower().endswith(".github.io") else f"{name}/"
    return f"https://{host}/{folder}" if name else ""


def published(root: Path) -> str:
    """The address that a site which is built to be published is given, where the settings give
    none."""
    return pages(root) if is_published() else ""


def is_published() -> bool:
    """Whether the site is built to be published."""
    return os.environ.get("LOGPARTITION_PUBLISHED", "0") not in ("", "0")


def addressed(app, config) -> None:
    config.html_baseurl = config.html_baseurl or published(Path(app.srcdir).parent)


def line(at: str, slug: str) -> element:
    """The links, in a line."""
    return E(
        "p",
        "Run in ",
        *links(at, slug),
        ", or download ",
        E("a", "this notebook", href=f"{slug}.ipynb", download=""),
        " or ",
        E("a", "all, with the library", href=NOTEBOOKS, download=""),
        ".",
        class_="lp-launch",
    )


class Launch(SphinxPostTransform):
    """Under a chapter's title: where to run it."""

    default_priority = 8
    formats = ("html",)

    def run(self, **kwargs) -> None:
        slug, at = self.env.docname, repository(Path(self.env.srcdir).parent)
        title = self.document.next_node(nodes.title)
        if at and title and self.env.doc2path(slug).endswith(".ipynb"):
            title.parent.insert(title.parent.index(title) + 1, line(at, slug))


def of_version(page: str, tag: str) -> str:
    """A page whose links run what was released as `tag`."""
    binder, colab = (link.partition("{}")[0] for link in (BINDER, COLAB))
    page = re.sub(rf'({re.escape(binder)}[^/"]+/[^/"]+)/HEAD\?', rf"\1/{tag}?", page)
    return re.sub(rf'({re.escape(colab)}[^/"]+/[^/"]+/blob/{FOLDER})/', rf"\1/{tag}/", page)


def preparation(root: Path, at: str) -> str:
    """The first cell on Colab: the library and the chapters of the site's commit. Run again, in the
    folder in which it ended or after a restart, it comes to the same."""
    commit, name = git(root, "rev-parse", "HEAD").strip() or "HEAD", at.split("/")[1]
    pins = PINNED.findall((root / "requirements.txt").read_text(encoding="utf-8"))
    return (
        "# the library, and the chapters, from which `earlier` takes results\n"
        "import os\n"
        f"if os.getcwd().endswith('/{name}/book'):\n"
        "    %cd -q ../..\n"
        f"if not os.path.isdir('{name}'):\n"
        f"    !git clone --quiet https://github.com/{at}\n"
        f"!git -C {name} checkout --quiet {commit}\n"
        f"%pip install --quiet {' '.join([f'./{name}', 'scipy', *pins])}\n"
        f"%cd {name}/book"
    )


def together(root: Path, notebooks: dict[str, bytes]) -> dict[str, bytes]:
    """These notebooks with the library, which pip installs from there, and how to open them."""
    templates = Path(__file__).parent / "templates"
    library = [path for path in (root / "lib").rglob("*.py") if path.is_file()]
    kept = [*library, root / "LICENSE", root / "LICENSE-TEXT", root / "book" / SOURCES]
    pins = (root / "requirements.txt").read_text(encoding="utf-8")
    needs = sorted(set(re.findall(rf"^(?:{NEEDED})==[^\s;]+", pins, re.MULTILINE)))
    project = Template((templates / "notebooks.toml").read_text(encoding="utf-8"))
    opened = Template((templates / "notebooks.md").read_text(encoding="utf-8"))
    return {
        **{path.relative_to(root).as_posix(): path.read_bytes() for path in kept if path.exists()},
        **{f"book/{name}": content for name, content in notebooks.items()},
        "pyproject.toml": project.substitute(needs=json.dumps(needs)).encode(),
        "README.md": opened.substitute(python=python_of(root)).encode(),
    }


def python_of(root: Path) -> str:
    """The Python that most chapters were run with, without its last number; or else 3.11."""
    kept = (
        records.stored(path).metadata.get("logpartition", {}) for path in records.notebooks(root)
    )
    found = Counter(str(one.get("python", "3.11.")).rpartition(".")[0] for one in kept)
    return max(found, key=found.get, default="3.11")


def written(app, error) -> None:
    """All notebooks in one zip; each to download, and for Colab with a cell more; beside the
    pages."""
    if error is not None or app._warncount or app.builder.format != "html":
        return
    root, out = Path(app.srcdir).parent, Path(app.outdir)
    kinds, paths = {out: []}, records.notebooks(root)
    if at := repository(root):
        cell = nbformat.v4.new_code_cell(preparation(root, at), id="preparation")
        kinds[out / FOLDER] = [cell]
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        copies.written_out(notebook, copies.Numbers(app, site(app), path.stem))
        for folder, first in kinds.items():
            folder.mkdir(exist_ok=True)
            notebook.cells[:0] = first
            nbformat.write(notebook, folder / path.name)
    copied = {path.name: (out / path.name).read_bytes() for path in paths}
    zipped(together(root, copied), out / NOTEBOOKS)
    if (sources := root / "book" / SOURCES).exists():
        shutil.copy(sources, out)


def setup(app) -> dict:
    app.add_post_transform(Launch)
    app.connect("config-inited", addressed)
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
