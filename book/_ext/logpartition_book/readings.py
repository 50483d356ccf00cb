"""Which passages of the book somebody has read since they changed:
`python -m logpartition_book.readings` lists the others, and `… record` says that they were read.

A reading is what people say that they did, and no proof: what a passage states may be false all the
same. book/readings.json has a hash for each passage that was read, source by source, in order. A
passage that is not there at its place is unread; so is the one before which something went.

A passage is a cell of a chapter, with its tags and the alt text of its picture, and, where it has
words, with what the cells of the chapter print, which sentences are about; a block of another page;
of both, with the badges of the results that they name, and of a cell also of those that it and the
cells beside it make, and of what these rest on, where the badges are others than proved; the
signature and the docstring of a name on the library's page, and the text of a module that is
trusted; an entry of references.bib or of claims.yaml, as it is written, with such badges; a
definition in a module that makes pages, such as that of the library which has the words of badges,
but for its comments and docstrings; and each of the files that are on pages as they are, that say
what every page is called, or what is installed for them. Where each line of a paragraph begins like
a word, the ends of its lines are blanks.

It does not know the words of the library's other output; what the packages put on a page; what a
run draws, and what it decides but for these badges; and what is on no page: the repository's
README, the comments and docstrings of its tools.
"""

import argparse
import ast
import json
import re
import sys
from collections import defaultdict
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from logpartition.proof.record import problems

from . import docstrings, files
from .book_gates import complaint
from .chapter_gates import records_of
from .index import words
from .records import MIME, Unreadable, hint, stored, text
from .schema import every, wrong
from .seal import digest

LIST, EXT = "book/readings.json", "book/_ext/logpartition_book"
HASH = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
FORM = {"type": "object", "additionalProperties": every(HASH)}
LONG = 80  # letters of how a passage begins
CELL = 10000  # lines: myst-nb counts those of cell n from n times as many
WHOLE = "_config.yml _toc.yml CITATION.cff book/redirects.txt book/_static/*.*"
WHOLE += " LICENSE LICENSE-TEXT book/_ext/package.json book/_ext/package-lock.json book/_ext/.npmrc"
WHOLE += "".join(
    f" {EXT}/{kind}" for kind in ("*.mjs", "*.png", "static/**/*", "templates/**/*", "bench/**/*")
)
OF_LIB = "proof/display.py", "_figure.py", "figures.py", "notation.py"  # which make pages, too
CHECKS = (  # modules that put nothing on a page but what a notebook or audit.json holds
    "audit book_gates chapter_gates drawings gates inline_maths measured pasted provenance run"
    " redrawn text_gates watch"
).split()
IMPORTS = (ast.Import, ast.ImportFrom)
FENCE = re.compile(r"\s*(`{3,}(?!.*`)|~{3,}|:{3,})")
NAMED = re.compile(r"(?:\b(?:eq|program)-|\{try\} |\{|\]\(#?)([\w-]+)")
PROVED = "proved", "proved for all sizes"
FLOWS = re.compile(r"[^\W\d_]|\$[^$]|\{[\w:]+\}`")  # as a line begins that may end the one before


class Passage(NamedTuple):
    """On which page it is, there at which line or address, how it begins, and its hash."""

    page: str
    place: int | str
    begins: str
    hash: str


def passages(root):
    """The passages of each source, in order. A source that is on every page is the front page's."""
    found, badges = {}, dict(told_by_badges(root))
    for path in sorted((root / "book").glob("[!.]*.ipynb")):
        cells, told = stored(path).cells, printed(stored(path).cells)
        marks = {key: said for key, said in stored(path).metadata.items() if key != "logpartition"}
        found[path] = [made(path.stem, CELL, "what the notebook says of itself", marks)]
        for n, cell in enumerate(cells, 1):
            others = near(cells[max(n - 2, 0) : n + 1])
            content = beside(looks(cell, told), cell.source, badges, others)
            prose = cell.cell_type == "markdown"
            found[path].append(made(path.stem, n * CELL, cell.source, content, prose))
    for path in sorted((root / "book").glob("[!.]*.md")):
        found[path] = [
            made(path.stem, n, said, beside(flown(said), said, badges))
            for n, said in blocks(text(path))
        ]
    for page, name, entry, key in (
        ("references", "references.bib", r"(?m)^(?=@)", r"@\w+\{()([^,\s]+)"),
        ("ledger", "claims.yaml", r"(?m)^(?=- )", r"- id: (([\w-]+))"),
    ):
        if (path := root / "book" / name).exists():
            for said in filter(None, map(str.strip, re.split(entry, text(path)))):
                at = re.match(key, said) or ["", "", said]
                content = beside(said, "", badges, set(re.findall(r"[\w-]+", said)))
                found.setdefault(path, []).append(
                    made(page, at[1] and f"claim-{at[1]}", at[2], content)
                )
    lib = root / "lib" / "logpartition"
    for path in docstrings.modules(lib):
        found[path] = [made("library", name, name, said) for name, said in documented(path)]
    for path in docstrings.trusted(lib / "proof"):
        said = ast.get_docstring(docstrings.tree(path))
        found[path] = [made("trust", "", path.stem, said), *found.get(path, [])]
    for path in (path for pattern in WHOLE.split() for path in sorted(root.glob(pattern))):
        if path.is_file() and path.name != ".DS_Store" and "__pycache__" not in path.parts:
            said = sha256(path.read_bytes()).hexdigest()
            found[path] = [made("index", "", f"{path.name}, of every page", said)]
    makers = sorted((root / EXT).rglob("*.py"))
    for path in (*makers, *filter(Path.exists, map(lib.joinpath, OF_LIB))):
        apart = path in found and lib not in path.parents
        apart = apart or path.stem in CHECKS or "node_modules" in path.parts
        if path.is_file() and not apart:
            found[path] = found.get(path, []) + [
                made("index", "", f"{path.name}, {name}, of pages", said)
                for name, said in defined(path)
            ]
    return {path.relative_to(root).as_posix(): each for path, each in found.items()}


def made(page, place, begins, content, prose=True):
    begins = re.sub(r"\$[^$]*\$?", "…", begins[:300])  # no formula is set where this stands
    begins = re.sub(r"[`*#{}\\]+|-{3,}" if prose else r"\\+", " ", begins)
    return Passage(page, place, shorten(begins, LONG, placeholder=" …"), digest(content))


def told_by_badges(root):
    """The labels of the results that are not simply proved, and their badges."""
    for path in sorted((root / "book").glob("[!.]*.ipynb")):
        for _, record in records_of(stored(path)):
            damaged = [*problems(record)]  # which stops each build
            if not damaged and (said := words(record)) not in PROVED:
                yield record["label"], said


def near(cells):
    """The labels of what some cells make, and of what that rests on: their sentences may speak of
    it without a name."""
    shown = (out.get("data", {}).get(MIME) for cell in cells for out in cell.get("outputs", ()))
    records = [one for one in shown if one]
    found = {label for one in records for label in (one.get("label"), *one.get("uses", ()))}
    return found | {rest.get("label") for one in records for rest in one.get("rests", ())}


def beside(content, source, badges, others=()):
    """A text, with the badges of the results that it names, and of `others`, which its sentences
    may speak of: but for the best ones, which nobody has to look up."""
    named = sorted(badges.keys() & {*NAMED.findall(source), *others})
    return [content, [[label, badges[label]] for label in named]] if named else content


def printed(cells):
    """What the cells of a chapter print, of which its sentences speak."""
    found = [out for cell in cells for out in cell.get("outputs", ())]
    bundles = [out.get("data", {}) for out in found]
    plain = [data.get("text/plain") for data in bundles if MIME not in data]
    return digest([[out.get("text") for out in found if "text" in out], list(filter(None, plain))])


def looks(cell, told):
    """What of a cell gets onto the page, and what was `told` on it when its words were read."""
    prose = cell.cell_type == "markdown"
    source = [flown(said) for _, said in blocks(cell.source)] if prose else cell.source
    metadata = {key: said for key, said in cell.metadata.items() if key != "jupyter"}
    kinds = {kind for out in cell.get("outputs", ()) for kind in out.get("data", ())}
    worded = prose or kinds & {MIME, "text/html"} or "mystnb" in metadata  # typed, or an alt text
    return [cell.cell_type, source, metadata, cell.get("attachments"), *([told] if worded else ())]


def blocks(source):
    """The line and the text of each block of Markdown, as blank lines part them; a fence is one."""
    found, fence, apart = [], "", True
    for number, line in enumerate(source.split("\n"), 1):
        if fence or line.strip(" \t"):
            found += [(number, [])] if apart else []
            found[-1][1].append(line)
            mark = FENCE.match(line)
            if not fence:
                fence = mark[1] if mark else ""
            elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        apart = not fence and not line.strip(" \t")
    return [(number, "\n".join(lines)) for number, lines in found]


def flown(block):
    """A paragraph without the ends of its lines; what is not plainly one, as it is written."""
    if all(map(FLOWS.match, block.split("\n"))):
        block = re.sub(r"(?<=[^\s\\])\n", " ", re.sub(r"(?<=\S)[ \t]+(?=\S)", " ", block))
    return block


def documented(path):
    """The text of a module, and what its public names are called and say, where they stand."""
    yield path.stem, ast.get_docstring(docstrings.tree(path))
    for listed in docstrings.definitions(path):
        for name, node in docstrings.members(*listed):
            yield name, [docstrings.signature(node), ast.get_docstring(node)]


def defined(path):
    """What a module imports, and each other statement: its name or first word, and its code."""
    lines, body = text(path).split("\n"), docstrings.tree(path).body
    yield "imports", [shape(node) for node in body if isinstance(node, IMPORTS)]
    for node in body:
        if not isinstance(node, IMPORTS) and not said(node):
            first = re.match(r"\w*", lines[node.lineno - 1])[0]
            yield getattr(node, "name", first), shape(node)


def shape(node):
    """A tree of code as lists, the same for every Python, without texts that nothing reads."""
    if isinstance(node, list):
        return [shape(one) for one in node if not said(one)]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = ((name, getattr(node, name, None)) for name in node._fields)
    return [
        type(node).__name__,
        *([name, shape(of)] for name, of in fields if of not in (None, [])),
    ]


def said(node):
    """Whether a statement is a text and no more, as a docstring is."""
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def kept(root):
    """The hashes of what was read, by source; none where there is no list."""
    path = root / LIST
    if not path.exists():
        return {}
    said = text(path)
    try:
        found = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path.name} is not JSON: {error}{hint(path)}") from None
    for message in wrong(found, FORM):
        raise Unreadable(f"{path.name} is no list of readings: {message}")
    if said != written(found):
        raise Unreadable(
            f"{path.name} is not as `record` writes it: sorted by source, one hash a line"
        )
    return found


def written(found):
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def form(root):
    """readings.json can be read."""
    yield from complaint(root / LIST, lambda path: kept(root))


def unread(root, known=None):
    """The passages of each source that were not read as they are and where they are."""
    read, known = kept(root), known or passages(root)
    gone = {source: [Passage("index", "", left(root / source), "")] for source in read}
    known = {**gone, **{source: each for source, each in known.items() if each}}
    new = {source: changed(read.get(source, []), each) for source, each in known.items()}
    return {
        source: [known[source][n] for n in sorted(found)] for source, found in new.items() if found
    }


def left(path):
    """What is left of a source that has no passages any more."""
    there = f"{path.name}, of which nothing is on a page any more"
    return there if path.exists() else "a source that is gone"


def changed(read, known):
    """The numbers of passages that are new, and of those behind a gap."""
    found, now = set(), [passage.hash for passage in known]
    for kind, *_, first, end in SequenceMatcher(None, read, now, False).get_opcodes():
        if kind != "equal":
            found |= {*range(first, end)}
        if kind == "delete" and now:
            found.add(min(first, len(now) - 1))
    return found


def by_page(found):
    """Unread passages by the page that they are on."""
    pages = defaultdict(list)
    for passage in (passage for each in found.values() for passage in each):
        pages[passage.page].append(passage)
    return pages


def listed(root):
    """A line for each passage that is unread."""
    for source, found in unread(root).items():
        for _, place, begins, _ in found:
            at = ""
            if isinstance(place, int):
                at = f"line {place}, " if place < CELL else f"cell {place // CELL}, "
            yield f"{source}: {at}not read since it changed: {begins}"


def tell(root):
    """A line for each page with unread passages; ends the program where one cannot be read."""
    try:
        pages = by_page(unread(root))
    except Unreadable as error:
        sys.exit(str(error))
    for page, found in pages.items():
        files.say(
            f"{page}: {len(found)} passage{'s' * (len(found) > 1)} not read since the last change"
        )


def record(root, sources=None):
    """Note that these sources were read as they are, or that they are gone; all where none is
    named."""
    now = {source: [each.hash for each in found] for source, found in passages(root).items()}
    found = {**kept(root), **{source: now.get(source) for source in sources}} if sources else now
    files.write(root / LIST, written({source: found[source] for source in found if found[source]}))


def main():
    parser = argparse.ArgumentParser(
        prog="python -m logpartition_book.readings",
        description="List the passages that nobody has read since they changed.",
    )
    commands = parser.add_subparsers(dest="command")
    reading = commands.add_parser("record", help="note that sources were read")
    reading.add_argument("sources", nargs="*", help="files of the book, such as book/trust.md")
    reading.add_argument("--all", action="store_true", help="all of them")
    options = parser.parse_args()
    files.at_home()
    try:
        if options.command:
            unknown = set(options.sources) - set(passages(files.ROOT))
            if unknown and (unknown := unknown - set(kept(files.ROOT))):
                parser.error(f"no source of the book: {', '.join(sorted(unknown))}")
            if bool(options.sources) == options.all:
                parser.error("name the sources that were read, or --all")
            record(files.ROOT, options.sources)
        elif found := list(listed(files.ROOT)):
            sys.exit("\n".join(found))
    except Unreadable as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
