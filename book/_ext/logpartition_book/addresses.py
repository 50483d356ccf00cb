"""Addresses that readers may hold: `slug` for a page, `slug#label` for a result, `ledger#claim-id`
for a claim that a result has to answer. `python -m logpartition_book.addresses` adds those of the
book as it is to book/addresses.txt; a gate keeps the book from losing one, and the list from
missing one. A result whose place another has taken is a
line of book/redirects.txt, `slug#old slug#new`, and its address leads to the other.
"""

import re
import subprocess
import sys
from collections import Counter

from . import files
from .files import ROOT
from .records import Unreadable, all_records, claims, slugs, text

LIST = "book/addresses.txt"
REDIRECTS = "book/redirects.txt"
LEFT = re.compile(  # by Python, pip, npm, editors and systems; no commit has them
    r"(?:.*/)?(?:__pycache__(?:/\w+\.[\w-]+-\d+[\w.-]*\.pyc(?:\.\d+)?)?"
    r"|\.ipynb_checkpoints(?:/.*)?|\.DS_Store|[^/]+\.(?:part|swp))"
    r"|lib/[\w.-]+\.egg-info(?:/.*)?|book/_ext/node_modules(?:/.*)?|(?:_build|\.venv)/.*"
)
AS_IS = (  # whatever is replaced, or set up
    *("-c", "log.showSignature=false", "--no-replace-objects", "--work-tree=."),
)


def current(root=ROOT):
    pages = slugs(root)
    results = {f"{record['chapter']}#{record['label']}" for record in all_records(root / "book")}
    to_answer = {
        f"ledger#claim-{name}"
        for name, claim in claims(root / "book").items()
        if claim["chapter"] in pages and claim.get("verdict") != "PROSE"
    }
    there = {
        slug
        for slug in pages
        if any((root / "book" / f"{slug}{kind}").exists() for kind in (".ipynb", ".md"))
    }
    return results | to_answer | there


def listed(root=ROOT):
    path = root / LIST
    return set(path.read_text(encoding="utf-8").split()) if path.exists() else set()


def redirects(root=ROOT):
    """{old address: new address}."""
    path = root / REDIRECTS
    lines = text(path).rstrip("\n").split("\n") if path.exists() else []
    pairs = [line.split() for line in lines if lines != [""]]
    if wrong := [number for number, pair in enumerate(pairs, 1) if len(pair) != 2]:
        raise Unreadable(f"{REDIRECTS}, line {wrong[0]}: needs two addresses, `old new`")
    if twice := [old for old, count in Counter(old for old, _ in pairs).items() if count > 1]:
        raise Unreadable(f"{REDIRECTS} leads away from {twice[0]} twice")
    return dict(pairs)


def released(root=ROOT):
    """The lists of the releases, which are the tags that git knows behind the present state; empty
    without git or a tag.
    """
    tags = git(root, "tag", "--merged", "HEAD").split()
    return set().union(*(git(root, "show", f"{tag}:{LIST}").split() for tag in tags))


def git(root, *arguments):
    """What git says of the folder, whatever repository a hook is at work in; nothing where none is
    there.
    """
    if not (root / ".git").exists():
        return ""
    try:
        return subprocess.run(
            ["git", "-c", f"safe.directory={root}", "-C", root, *AS_IS, *arguments],
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            env=files.without("GIT_"),
        ).stdout
    except FileNotFoundError:  # no git on this machine
        return ""


def changed(root, *paths):
    """Whether a file there, or anywhere, is new, or has other bytes than in the last commit,
    whatever git was told to overlook or to filter.
    """
    told = git(root, "ls-tree", "-r", "-z", "HEAD", "--", *paths).split("\0")
    listed = [line.split("\t", 1) for line in told if line]
    names = [name for _, name in listed]
    if added(root, names, paths) or not all((root / name).is_file() for name in names):
        return True
    hashes = git(root, "hash-object", "--no-filters", "--", *names).split()
    return hashes != [line.split()[2] for line, _ in listed]


def added(root, known, paths):
    """The files there that are not among the `known`, nor left behind; where no path is named, nor
    what the book's .gitignore names.
    """
    overlooked = [] if paths else ["--exclude-per-directory=.gitignore"]
    there = git(root, "ls-files", "-z", "--cached", "--others", *overlooked, "--", *paths)
    names = set(filter(None, there.split("\0"))) - {*known}
    return [one for one in names if (root / one).exists() and not LEFT.fullmatch(one)]


def main():
    from . import build, gates  # which read this module

    files.at_home()
    build.install(ROOT / "book" / "_ext")  # gates read formulas as they are set
    gates.demand(list(gates.before_addresses(ROOT)))
    try:
        known = listed()
        now = current()
    except Unreadable as error:
        sys.exit(str(error))
    files.write(ROOT / LIST, "\n".join(sorted(known | now)) + "\n")
    print(f"{len(now - known)} new addresses, {len(known | now)} in all")
    gates.demand(list(gates.run([gates.PERMANENCE], ROOT)))


if __name__ == "__main__":
    main()
