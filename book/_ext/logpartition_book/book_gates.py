"""Checks of the book as a whole: its files, its records together, and what it promised to keep.
Each yields findings.
"""

import json
import re
import sys
import sysconfig
from collections import Counter
from contextlib import suppress
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import yaml
from pybtex.database import parse_string
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text
from pybtex.style.formatting.plain import Style

from logpartition.proof.record import ESTABLISHED

from . import addresses, docstrings
from .chapter_gates import CONDITION, cells, measured
from .index import BADGE, BIBLIOGRAPHY, INSTEAD, origin, parted
from .numbers import PAPER, numbers_in, numbers_set, printed_numbers, unprinted
from .prose import directives, parsed, seen, strange, undressed, words
from .records import Unreadable, all_records, claims, hint, loaded, notebooks, slugs, stored, text
from .schema import SLUG, wrong_audit, wrong_claims
from .seal import code, inputs, taken
from .signs import shorten, signed, visible

CONTENTS = {"format", "root", "parts", "caption", "numbered", "chapters", "sections", "file"}
TELLS = re.compile(  # words of a verdict, or of what has one
    r"(?i)\b(?:prove[dn]|theorem|lemma|proposition|corollar|checked|observed|argued|cited"
    r"|verified|certified|q\.?e\.?d\b)"
)
NAME = rf"(?!.*{TELLS.pattern.replace('(?i)', '(?i:')}))[A-Za-zÀ-ÖØ-öø-ÿ ,.:’“”-]{{1,99}}"
TOOLS = "book/_ext/logpartition_book"
PLACES = re.compile(  # of the files of the library, the book and its tools
    r"lib/logpartition/(?:[a-z]\w*/)*\w+\.py"
    r"|book/(?:[^/]+\.(?:ipynb|md)|claims\.yaml|references\.bib|(?:addresses|redirects)\.txt"
    r"|(?:audit|readings)\.json|_static/(?:book\.(?:css|js)|favicon\.svg)"
    r"|_ext/(?:package(?:-lock)?\.json|\.npmrc)"
    r"|_ext/logpartition_book/(?:\w+\.(?:py|mjs|png)"
    r"|(?:bench|static|templates)/[\w-]+\.(?:py|js|mjs|html|md|toml)))"
)
SETTINGS = {
    "": "title author copyright logo only_build_toc_files exclude_patterns execute parse html"
    " repository sphinx",
    "execute": "execute_notebooks stderr_output",
    "parse": "myst_enable_extensions",
    "html": "home_page_in_navbar use_multitoc_numbering",
    "repository": "url",
    "sphinx": "recursive_update config",
    "sphinx.config": "language extensions html_math_renderer html_show_copyright html_show_sphinx"
    " html_copy_source html_use_index html_domain_indices html_favicon html_context"
    " html_permalinks_icon nb_render_markdown_format numfig numfig_secnum_depth math_numfig"
    " bibtex_bibfiles bibtex_default_style bibtex_reference_style copybutton_exclude"
    " html_theme_options",
    "sphinx.config.html_context": "default_mode",
    "sphinx.config.html_theme_options": "navbar_start navbar_center navbar_end navbar_persistent"
    " primary_sidebar_end shorten_urls use_download_button use_fullscreen_button show_toc_level"
    " footer_content_items pygments_light_style pygments_dark_style",
}
VALUES = {  # of settings by which a page shows something, or is read in another way
    "title": NAME,
    "author": NAME,
    "copyright": rf"20\d\d, {NAME}\. Text under CC BY 4\.0, code under BSD-3-Clause",
    "logo": "",
    "only_build_toc_files": "True",
    "exclude_patterns": re.escape("['.*', '**/.*', '_ext/**', '**/node_modules/**']"),
    "execute.stderr_output": "error",
    "html.use_multitoc_numbering": "True",
    "repository.url": r"(?:https://[\w.-]+(?:/[\w.-]+)+)?",
    "parse.myst_enable_extensions": r"\['dollarmath', 'colon_fence', 'deflist', 'attrs_inline',"
    r" 'attrs_block', 'smartquotes'\]",
    "sphinx.config.extensions": r"\['myst_nb', 'jupyter_book', 'sphinx_external_toc',"
    r" 'sphinx_multitoc_numbering', 'sphinx_book_theme', 'sphinx_comments', 'sphinx_copybutton',"
    r" 'sphinx_design', 'sphinx_proof', 'sphinx_togglebutton', 'sphinxcontrib.bibtex',"
    r" 'logpartition_book'\]",
    "sphinx.config.language": "en",
    "sphinx.config.html_math_renderer": "katex",
    "sphinx.config.html_context.default_mode": "auto|light|dark",
    "sphinx.config.html_permalinks_icon": "¶",
    "sphinx.config.html_favicon": "_static/favicon.svg",
    "sphinx.config.nb_render_markdown_format": "myst",
    "sphinx.config.bibtex_bibfiles": r"\['references.bib'\]",
    "sphinx.config.numfig": "True",
    "sphinx.config.numfig_secnum_depth": "1",
    "sphinx.config.math_numfig": "True",
    "sphinx.config.html_show_copyright": "True",
    "sphinx.config.html_show_sphinx": "False",
    "sphinx.config.html_copy_source": "False",
    "sphinx.config.html_use_index": "False",
    "sphinx.config.html_domain_indices": "False",
    "sphinx.config.html_theme_options.footer_content_items": r"\['copyright.html'\]",
    **{
        f"sphinx.config.html_theme_options.{place}": r"\[\]"
        for place in (
            "navbar_start navbar_center navbar_end navbar_persistent primary_sidebar_end".split()
        )
    },
}
TAKEN = {"search", "genindex", "404", "result"}
FRONT_MATTER = {"html_theme.sidebar_secondary.remove: true"}


class Finding(NamedTuple):
    path: Path
    cell: int | None
    message: str

    def __str__(self):
        return (
            f"{'/'.join(self.path.parts[-2:])}{f', cell {self.cell}' if self.cell else ''}:"
            f" {self.message}"
        )


# files that can be read


def contents(root):
    """The table of contents names flat pages, each of them one notebook or one Markdown file."""
    path = root / "_toc.yml"
    try:
        listed = loaded(path)
        names = Counter(["index", *slugs(root)])
        strangers = sorted(map(str, keys(listed) - CONTENTS))
    except (Unreadable, TypeError, AttributeError, KeyError, RecursionError) as error:
        yield Finding(
            path,
            None,
            str(error) if isinstance(error, Unreadable) else f"is no table of contents: {error!r}",
        )
        return
    if listed.get("root") != "index":
        yield Finding(path, None, f"its root is {listed.get('root')!r}: it has to be index")
    for key in strangers:
        yield Finding(
            path, None, f"has the key {key!r}: only {', '.join(sorted(CONTENTS))} are allowed"
        )
    for caption in values(listed, "caption"):
        if not (isinstance(caption, str) and re.fullmatch(NAME, caption)):
            yield Finding(path, None, f"has the caption {caption!r}: a caption is a few words")
    for number in values(listed, "numbered"):
        if number != 1:
            yield Finding(path, None, f"has numbered: {number!r}, which has to be 1 where it is")
    for name, count in names.items():
        if name in TAKEN:
            yield Finding(path, None, f"lists {name}, and Sphinx makes a page of that name")
        pages = (f"{name}.ipynb", f"{name}.md")
        there = " and ".join(page for page in pages if (root / "book" / page).exists())
        if not isinstance(name, str) or not re.match(SLUG["pattern"], name):
            yield Finding(
                path,
                None,
                f"lists {name!r}: a page is named by its slug, small letters and hyphens, without"
                " folder or ending",
            )
        elif " and " in there or not there:
            there = there or "neither a notebook nor a .md file"
            yield Finding(path, None, f"lists {name}: book/ has {there} of that name")
        elif count > 1:
            yield Finding(path, None, f"lists {name} {count} times")


def settings(root):
    """_config.yml sets what it is known to set, and runs nothing while the site is built."""
    path = root / "_config.yml"
    try:
        config = loaded(path)
        for place, allowed in SETTINGS.items():
            part = config
            for key in place.split(".") if place else ():
                part = part.get(key, {})
            for key in sorted(map(str, set(part) - set(allowed.split()))):
                yield Finding(
                    path, None, f"sets {f'{place}.{key}'.strip('.')}, which no gate knows"
                )
        for place, allowed in VALUES.items():
            found = reduce(lambda part, key: part.get(key, {}), place.split("."), config)
            if found == {}:
                yield Finding(path, None, f"does not set {place}: it has to be {allowed}")
            elif not re.fullmatch(allowed, str(found)):
                yield Finding(path, None, f"sets {place} to {found!r}: it has to be {allowed}")
        if config["execute"]["execute_notebooks"] != "off":
            yield Finding(path, None, "execute.execute_notebooks is not off")
    except (Unreadable, TypeError, AttributeError, KeyError, RecursionError) as error:
        yield Finding(path, None, f"is no configuration of the book: {error!r}")


def keys(listed):
    if isinstance(listed, dict):
        return set(listed).union(*map(keys, listed.values()))
    return set().union(*map(keys, listed)) if isinstance(listed, list) else set()


def values(listed, wanted):
    """Every value of a key in a table of contents, as it is read."""
    if isinstance(listed, dict):
        yield from (listed[key] for key in (wanted,) if key in listed)
    for child in listed.values() if isinstance(listed, dict) else listed:
        if isinstance(child, (dict, list)):
            yield from values(child, wanted)


def chapters(root):
    for path in sorted((root / "book").glob("*.ipynb")):
        yield from complaint(path, stored)


def statements(root):
    """claims.yaml, as its schema says, in words and formulas in a line."""
    path = root / "book" / "claims.yaml"
    found = list(complaint(path, loaded))
    found = found or [Finding(path, None, message) for message in wrong_claims(loaded(path))]
    known = {} if found else claims(root / "book")
    found += [Finding(path, None, message) for message in (misread(path, known) if known else ())]
    found += [Finding(path, None, message) for message in twice(known)]
    yield from found
    for name, claim in known.items():
        for key in ("statement", "corrected", "conditions", "title", "where"):
            said = claim.get(key, "")
            marks = visible(words(said)).translate(CONDITION)
            for message in (*strange(said), *undressed(said), *signed(marks)):
                yield Finding(path, None, f"{key} of {name}: {message}")


def twice(known):
    """Where two claims state the same, or one is corrected to what it states."""
    first = {}
    for name, claim in known.items():
        said = " ".join(claim["statement"].split())
        if first.setdefault(said, name) != name:
            yield f"{name} states what {first[said]} states"
        if claim.get("verdict") in REFUTABLE and said == " ".join(claim["corrected"].split()):
            yield f"{name} is {claim['verdict']}, and corrected to what it states"


def misread(path, known):
    """Where YAML takes a part of what a claim says for a comment, or the quotation marks of its
    source for its own.
    """
    said = " ".join(" ".join(map(str, claim.values())) for claim in known.values())
    said = " ".join(said.replace("''", "'").split())
    for number, line in enumerate(text(path).splitlines(), 1):
        note = re.search(r"\S\s+(#.*)", line)
        if note and " ".join(note[1].rstrip(" '\"").replace("''", "'").split()) not in said:
            yield f"has a comment behind a value, in line {number}: set the value in quotes"
        if re.match(r'\s+statement:\s*"', line):
            yield (
                f"has a statement in the quotes of YAML, in line {number}: set '\"…\"' where it"
                " is in the source's words, and else none"
            )


def claimed(root):
    """What the book says of a claim, beside its source's words, has numbers that the claim's
    chapter prints, and no badge.
    """
    path = root / "book" / "claims.yaml"
    known = claims(root / "book")
    for page in notebooks(root):
        numbers = printed_numbers(stored(page)) | numbers_set(stored(page))
        for name, claim in known.items():
            if claim["chapter"] == page.stem:
                for message in added(claim, numbers):
                    yield Finding(path, None, f"{name} says {message}")


def added(claim, numbers):
    """What in a claim is neither of its source nor of its chapter, in words."""
    if "seed" in claim:
        numbers = numbers | numbers_in([visible(words(claim["statement"], seen))])
    for key in ("corrected", "conditions", "title", *(() if "seed" in claim else ("statement",))):
        said = claim.get(key, "")
        if badge := BADGE.search("".join(words(said))):
            yield f"{badge[0]!r}, which a badge says"
        if key != "corrected" or claim.get("verdict") in INSTEAD:
            yield from (f"{one}, printed or set by no cell" for one in measured([said], numbers))
    where = PLACE.sub(" ", claim.get("where", ""))
    if said := VERDICT.search(where):
        yield f"{said[0]!r}, which a badge says"
    yield from (f"{one}, which is no place" for one in measured([where], ()))


VERDICT = re.compile(r"(?i)\b(?:prove[dn]|checked|observed|argued|cited)\b")
PLACE = re.compile(r"\b(?:[1-9]|[^\W\d][\w-]*)(?:\.\d{1,2})+\b")  # 2.1, or app.1


def card(root):
    """CITATION.cff, whose version the pages print."""
    path = root / "CITATION.cff"
    try:
        version = loaded(path)["version"]
    except (Unreadable, TypeError, KeyError) as error:
        yield Finding(path, None, f"has no version: {error}")
        return
    if not (isinstance(version, str) and re.fullmatch(r"\d+\.\d+\.\d+(\.dev)?", version)):
        yield Finding(path, None, f"has the version {version!r}: it has to be like 1.0.0")
    if not isinstance(title := loaded(path).get("title", ""), str):
        yield Finding(path, None, f"has the title {title!r}: it has to be words")
    for author in loaded(path).get("authors") or [None]:
        if not (isinstance(author, dict) and isinstance(author.get("name"), str)):
            yield Finding(path, None, "needs `authors`, each with a `name`, which pages print")


def bibliography(root):
    """references.bib, in entries of kinds that the bibliography can print."""
    path = root / "book" / "references.bib"
    try:
        entries = sources(root)
    except (PybtexError, Unreadable) as error:
        yield Finding(path, None, " ".join(f"is no bibliography: {error}".split()))
        return
    for key, entry in entries.items():
        if not hasattr(Style, f"get_{entry.type}_template"):
            yield Finding(path, None, f"{key} is of the kind {entry.type!r}, which is not printed")


def entered(root):
    """The entries of claims.yaml and of references.bib are written so that each is one passage to
    be read: nothing of one stands in another."""
    path = root / "book" / "claims.yaml"
    if path.exists():
        said = re.findall(r"(?m)^- id: ([\w-]+)$", text(path))
        if said != [*map(str, claims(root / "book"))]:
            yield Finding(path, None, "has an entry that does not begin with `- id: …` on its line")
        for marked in sorted({event.anchor for event in events(path)} - {None}):
            yield Finding(path, None, f"has {marked}, by which one entry says what another does")
    path = root / "book" / "references.bib"
    if path.exists():
        said = re.findall(r"(?m)^@\w+\{([^,\s]+),", text(path))
        if said != [*sources(root)] or re.search(r"(?i)@(?:string|preamble)\b", text(path)):
            yield Finding(path, None, "has an entry that does not begin with `@kind{key,`, or text"
                          " outside of entries")  # fmt: skip


def events(path):
    """What a file of YAML is made of, which may have a name for others to refer to."""
    with suppress(yaml.YAMLError):  # of which another gate tells
        for event in yaml.parse(text(path)):
            if isinstance(event, yaml.events.NodeEvent):
                yield event


WORDLESS = re.compile(r"\[\s*\]\((?!<?[\w-]+\.(?:ipynb|md)>?\))[^)]*\)|\{ref\}`[^`<]*`")


def worded(root):
    """A link to a part of a page has words of its own: those of a heading may change, and would not
    be read again where the link shows them."""
    for path in sorted((root / "book").glob("[!.]*.md")):
        for found in WORDLESS.findall(text(path)):
            yield Finding(path, None, f"{found} has no words: write [what it leads to](…)")
    for path in notebooks(root):
        for number, cell in enumerate(stored(path).cells, 1):
            for found in WORDLESS.findall(cell.source) if cell.cell_type == "markdown" else ():
                yield Finding(path, number, f"{found} has no words: write [what it leads to](…)")


def sources(root):
    """The entries of references.bib by key."""
    path = root / "book" / "references.bib"
    return parse_string(text(path), "bibtex").entries if path.exists() else {}


def references(root):
    """What the bibliography prints is a source, and a page or a result cites it."""
    path = root / "book" / "references.bib"
    pages = [page for page in (root / "book").iterdir() if page.suffix in (".ipynb", ".md")]
    roles = [re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", text(page)) for page in pages]
    cited = {key.strip() for found in roles for role in found for key in role.split(",")}
    cited |= {record.get("source") for record in all_records(root / "book")}
    entries = sources(root)
    for key, entry in entries.items():
        yield from (Finding(path, None, f"{key} {said}") for said in misprinted(entry))
        if key not in cited | {*BIBLIOGRAPHY.values()}:
            yield Finding(path, None, f"{key} is cited by no page")
    yield from (Finding(path, None, said) for said in listed_twice(entries))


def listed_twice(entries):
    """Where two entries are one source: by an address, or by the title and the people."""
    known = {}
    for key, entry in entries.items():
        title, year = entry.fields.get("title", ""), entry.fields.get("year", "")
        persons = (person for found in entry.persons.values() for person in found)
        people = [" ".join(person.last_names).strip("{}") for person in persons]
        names = [entry.fields.get(name, "").lower() for name in ("doi", "eprint", "url")]
        names.append(f"{''.join(LETTERS.findall(title.lower()))} by {'; '.join(people)}")
        for name in filter(None, names):
            other, when = known.setdefault(name, (key, year))
            if other != key and (name != names[-1] or near(year, when)):
                yield f"{key} is {other} a second time: {shorten(name)}"


LETTERS = re.compile(r"[^\W_]+")


def near(year, other):
    """Whether a paper may be the print of the other's preprint; later it is another one."""
    return not (year.isdigit() and other.isdigit()) or abs(int(year) - int(other)) <= 2


def misprinted(entry):
    """What a reader would not take for a source."""
    fields = {name.lower(): said for name, said in entry.fields.items()}
    for name in ("title", "year"):
        if not fields.get(name):
            yield f"has no {name}"
    persons = [str(person) for found in entry.persons.values() for person in found]
    if not persons:
        yield "has neither an author nor an editor"
    for person in persons:
        if not PERSON.fullmatch(plain(person)):
            yield f"has the person {shorten(person)}"
    for name, said in fields.items():
        allowed = FIELDS.get(name, PLAIN if name in PRINTED else "")
        boast = boasts(name, said) if name in PRINTED else TELLS.search(said)
        if not re.fullmatch(allowed, said, re.DOTALL) or boast:
            yield f"has the {name} {shorten(said)}"
    yield from misdated(entry, fields)


def misdated(entry, fields):
    """Where the numbers of arXiv in an entry are several, or its year is not theirs."""
    papers = {one for said in fields.values() for one in ARXIV.findall(said)}
    if len(papers) > 1:
        yield f"is more than one paper: {', '.join(sorted(papers))}"
    for held in re.findall(r"\b(?:19|20)\d\d\b", fields.get("booktitle", "")):
        if not near(fields.get("year", ""), held):
            yield f"has the year {fields['year']}, in {fields['booktitle']}"
    preprint = entry.type == "misc" or re.search(r"(?i)arxiv|\bcorr\b", fields.get("journal", ""))
    for paper in papers if preprint else ():
        when = int(f"20{paper[:2]}")  # it may have been revised in the year after
        if fields.get("year", "").isdigit() and int(fields["year"]) not in (when, when + 1):
            yield f"has the year {fields['year']}, and {paper} is of {when}"


def boasts(name, said):
    """Whether a field states or measures something; a title is as its source has it."""
    said = plain(said)
    told = [*signed(said), TELLS.search(said), *unprinted(said, ())] if name != "title" else ()
    return COMMAND.search(said) or any(told)


def plain(field):
    """A field as it is printed, but for the commands that are no accents."""
    return visible(Text.from_latex(field).__str__())


ARXIV = re.compile(
    rf"(?i)(?:\barxiv(?:\.org/(?:abs|pdf)/|[:.\s]+)|\babs/|^)({PAPER.pattern})(?![\d.])"
)
PRINTED = set("address booktitle howpublished journal note publisher series title".split())
PLAIN = r"(?:\\=|[^$%=<>])*"  # \= is an accent
PERSON = re.compile(r"(?:[^\W\d_]|[ .,'’‐-]){2,60}")
COMMAND = re.compile(r"\\[A-Za-z]{2,}")
FIELDS = {
    "year": r"(?:1[5-9]|20)\d\d",
    "archiveprefix": "arXiv",
    "eprint": rf"{PAPER.pattern}|[a-z-]+/\d{{7}}",
    "edition": r"\d{1,2}(?:st|nd|rd|th)?|[^\W\d_]+",
    "pages": r"\w*\d+(?:--\w*\d+)?",
    "number": r"\w+(?:--\w+)?",
    "volume": r"\w+(?:--\w+)?",
    "doi": r"10\.\d{4,9}/\S+",
    "url": r"https://[\w.-]+(?:/[^\s$\\]*)?",
}


def library(root):
    for folder, kind in (("lib", "**/*.py"), ("book", "*.py"), (TOOLS, "**/*.py")):
        for path in sorted((root / folder).glob(kind)):
            yield from complaint(path, docstrings.tree)


def texts(root):
    """The files that the book has besides, the pages, and what stands on every page."""
    for path in [
        *(root / name for name in ("requirements.txt", "_config.yml", "_toc.yml", "CITATION.cff")),
        *sorted((root / "book").glob("[!.]*")),
        *sorted((root / "book" / "_static").glob("[!.]*")),
        *sorted((root / TOOLS).glob("*/**/[!.]*")),
    ]:
        if path.suffix in TEXTS and (path.exists() or path.name == "requirements.txt"):
            yield from complaint(path, whole)


TEXTS = set(".md .bib .txt .yml .yaml .cff .css .svg .html .js .mjs".split())


def whole(path):
    """The text of a file that has no remains of a merge in it."""
    if found := hint(path):
        raise Unreadable(f"is not one text{found}")
    return text(path)


def complaint(path, reading):
    try:
        reading(path)
    except Unreadable as error:
        yield Finding(path, None, str(error).removeprefix(f"{path.name} "))


# pages and results together


def editions(root):
    """The book has one title, a page that says which version it is of says that of CITATION.cff,
    and a version that was released is what its tag has.
    """
    card = loaded(root / "CITATION.cff")
    version, title = card["version"], loaded(root / "_config.yml")["title"]
    if not str(card.get("title", title)).startswith(title):
        yield Finding(root / "_config.yml", None, f"has the title {title!r}, and CITATION.cff not")
    author = re.sub("[“”]", '"', loaded(root / "_config.yml").get("author", ""))
    if author not in [one.get("name", author) for one in card.get("authors", [{}])]:
        yield Finding(
            root / "_config.yml", None, f"has the author {author!r}, and CITATION.cff not"
        )
    if addresses.git(root, "rev-list", "-1", f"refs/tags/v{version}..HEAD"):
        yield Finding(
            root / "CITATION.cff",
            None,
            f"says version {version}, which v{version} released, and there are commits since: set"
            " the next one, with .dev",
        )
    yield from unreleased(root, version)
    yield from years(root, str(card.get("date-released", "")))
    yield from (Finding(root / "book" / "citing.md", None, said) for said in miscited(root, card))
    for path in sorted((root / "book").glob("*.md")):
        for said in re.findall(
            r"(?i)\b(?:version|release)\W+v?(\d+(?:\.(?:\d+|dev\b))+)", text(path)
        ):
            if said != version:
                yield Finding(path, None, f"says version {said}, and CITATION.cff {version}")


def unreleased(root, version):
    """A version is not below those that were released, as 0.3.0.dev is below 0.3.0; one without
    .dev is tagged at the commit that says so."""
    path = root / "CITATION.cff"
    tags = addresses.git(root, "tag", "--list", "v[0-9]*").split()
    released = (tag for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+", tag))  # v1.2.0-rc1 is none
    newest = max(map(numbered, released), default=())
    if numbered(version) < newest:
        said = ".".join(map(str, newest[:3]))
        yield Finding(
            path, None, f"says version {version}, and {said} was released: set a later one"
        )
    log = "log", "-1", "--format=%H", "-G^version:", "--", "CITATION.cff"
    said = addresses.git(root, *log).strip()
    since = addresses.git(root, "rev-list", "-1", f"{said}..HEAD") if said else ""
    if since and f"v{version}" not in tags and not version.endswith(".dev"):
        yield Finding(
            path,
            None,
            f"says version {version}, which no tag v{version} released, and there are commits"
            " since: tag it, or set the next one, with .dev",
        )


def numbered(version):
    """What versions are in order by: their numbers, and a release comes after its .dev."""
    return *map(int, re.findall(r"\d+", version)), not version.endswith(".dev")


def miscited(root, card):
    """Where the page on citing gives the book another title, other authors, or another year."""
    path, rights = root / "book" / "citing.md", str(loaded(root / "_config.yml").get("copyright"))
    authors = " and ".join(one.get("name", "") for one in card.get("authors", ()))
    right = {"title": card.get("title", ""), "author": authors, "year": rights[:4]}
    for block in re.findall(r"```bibtex\n(.*?)```", text(path) if path.exists() else "", re.DOTALL):
        try:
            entries = parse_string(block, "bibtex").entries.values()
        except PybtexError as error:
            yield " ".join(f"has BibTeX that cannot be read: {error}".split())
            continue
        for entry in entries:
            people = [" ".join(map(str, found)) for found in entry.persons.values()]
            said = {**entry.fields, "author": " and ".join(people)}
            for name, wanted in right.items():
                own = re.sub(r'[{}“”"]|``|\'\'', "", said.get(name, ""))
                if wanted and own and own != wanted.replace('"', ""):
                    yield f"has the {name} {own!r}, and the book has {wanted!r}"


def years(root, released):
    """The year of the copyright is that of the release and of the licence, where they have one."""
    path = root / "_config.yml"
    said = re.match(r"\d{4}", str(loaded(path).get("copyright", "")))
    licence = text(root / "LICENSE") if (root / "LICENSE").exists() else ""
    others = {
        "CITATION.cff": released[:4],
        "LICENSE": "".join(re.findall(r"(?m)^Copyright \(c\) (?:\d{4}-)?(\d{4})", licence)[:1]),
    }
    for name, year in others.items():
        if said and year and year != said[0]:
            yield Finding(path, None, f"has the copyright of {said[0]}, and {name} says {year}")


def pages(root):
    """The pages beside the chapters call for nothing that is not on the lists."""
    for path in sorted((root / "book").glob("*.md")):
        source = re.sub(r"\A---\n(.*?)\n---\n", "", text(path), flags=re.DOTALL)
        head = text(path)[: len(text(path)) - len(source)].strip("-\n").splitlines()
        yield from (
            Finding(path, None, f"its metadata says {line!r}")
            for line in head
            if line not in FRONT_MATTER
        )
        yield from (Finding(path, None, message) for message in strange(source))


def tables(root):
    """A table of the book's results stands on the page that is named for it, once, and on no other;
    the front page has an example, and a result to try.
    """
    for path, texts in sorted(texts_of(root).items()):
        count = Counter(name for said in texts for name in directives(said))
        own = TABLES.get(path.stem, ())
        for name in own:
            if count[name] != 1:
                yield Finding(path, None, f"has the directive {{{name}}} {count[name]} times")
        for name in sorted(ELSEWHERE.intersection(count) - {*own}):
            yield Finding(path, None, f"has the directive {{{name}}}, which is of another page")


TABLES = {
    "index": ("live", "try"),
    "ledger": ("ledger",),
    "graph": ("dependency-graph",),
    "errata": ("errata",),
    "library": ("library",),
    "trust": ("trusted",),
    "references": ("bibliography",),
}
ELSEWHERE = {name for names in TABLES.values() for name in names} - {"try"}


def legend(root):
    """The front page says what each badge is: once, in this order, in the first column of a table
    of badges, and shows none beside.
    """
    path = root / "book" / "index.md"
    said = text(path)
    table = re.search(r"(?m)^\| badge \|.*\n\|[-| ]+\n((?:\|.*\n)*)", said)
    column = [row.split("|")[1] for row in table[1].splitlines()] if table else ()
    shown = tuple(re.findall(r"\[([^]]*)\]\{\.lp-badge", " ".join(column)))
    if shown != LEGEND or said.count("lp-badge") != len(LEGEND):
        yield Finding(path, None, f"has not each badge once, in its place: {'; '.join(LEGEND)}")


LEGEND = (
    "proved for all sizes",
    "proved",
    "proved for all sizes that the hypotheses allow",
    "argued in words",
    "checked numerically",
    "observed",
    "corrects a source or a guess",
    "cited, not proved here",
)


def headed(root):
    """A page has one title, and one of its own: that of the front page is the book's."""
    known = {}
    for path, texts in sorted(texts_of(root).items()):
        tokens = [token for said in texts for token in parsed(said)]
        pairs = zip(tokens, tokens[1:], strict=False)
        heads = [line.content for token, line in pairs if token.tag == "h1" and token.nesting > 0]
        for title in heads[1:]:
            yield Finding(path, None, f"has a second title: {shorten(title)}")
        for title in heads[:1] if path.stem != "index" else ():
            first = known.setdefault(" ".join(title.lower().split()), path.stem)
            if first != path.stem:
                yield Finding(path, None, f"has the title of {first}: {shorten(title)}")


def texts_of(root):
    """The texts of each page by its path."""
    texts = {path: [text(path)] for path in (root / "book").glob("*.md")}
    for path in notebooks(root):
        texts[path] = [cell.source for _, cell in cells(stored(path), "markdown")]
    return texts


def unlisted(root):
    """Nothing is there that no page shows, or that a page may read and no hash knows."""
    listed = {"index", *slugs(root)}
    for path in sorted((*(root / "lib").rglob("*"), *(root / "book").rglob("*"))):
        name = path.relative_to(root).as_posix()
        if path.is_symlink() and not name.startswith("book/_ext/node_modules/"):
            yield Finding(path, None, "is a link, and what is behind it may change unseen")
        elif not (path.is_dir() or PLACES.fullmatch(name) or addresses.LEFT.fullmatch(name)):
            yield Finding(path, None, "is none of the book's files, PLACES of book_gates.py")
        elif path.suffix in (".ipynb", ".md") and path.parent.name == "book":
            if path.stem not in listed:
                yield Finding(path, None, "is not in _toc.yml, so no reader gets to see it")
    for path in shadows(root):
        yield Finding(path, None, "is imported in place of what is installed by that name")
    yield from (Finding(root / LOCK, None, said) for said in unlocked(root))
    for name in filter(addresses.LEFT.fullmatch, addresses.git(root, "ls-files", "-z").split("\0")):
        yield Finding(root / name, None, "is in a commit, and no file of the book")


LOCK = "book/_ext/package-lock.json"


def unlocked(root):
    """What npm would install and no hash knows."""
    try:
        found = json.loads(text(root / LOCK))["packages"] if (root / LOCK).exists() else {}
        for name, package in found.items():
            if name and not ("integrity" in package and {*package} <= OF_PACKAGE):
                yield f"{name} has to have its hash, and neither an address nor a script"
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        yield f"is no lock of packages: {error!r}"


OF_PACKAGE = set(
    "version integrity license dev engines funding dependencies bin peerDependencies"
    " peerDependenciesMeta optional".split()
)


def shadows(root):
    """What stands where Python looks before it looks at what is installed."""
    installed = Path(sysconfig.get_path("purelib"))
    own = {*sys.stdlib_module_names, "logpartition", "logpartition_book"}
    places = "[!.]*.py*", "[!.]*.so", "[!.]*/__init__.*"
    for path in sorted(path for place in places for path in root.glob(place)):
        path = path.parent if path.parent != root else path
        name = path.name.split(".")[0]
        if name in own or (installed / name).is_dir() or any(installed.glob(f"{name}.*")):
            yield path


def looks(root):
    """The style of the site says nothing, and has no rule that a browser, which looks for what a
    sample of its pages says, would not come across; its icon is a drawing.
    """
    static = root / "book" / "_static"
    style = text(static / "book.css") if (static / "book.css").exists() else ""
    for said in wrong_style(COMMENT.sub(lambda part: part[1] or " ", style)):
        yield Finding(
            static / "book.css", None, f"hides or says something: {' '.join(said.split())}"
        )
    for path in sorted(static.glob("**/*.js")):
        if "unread" in text(path):
            yield Finding(path, None, "has to do with what is unread, which no script changes")
    icon = text(static / "favicon.svg") if (static / "favicon.svg").exists() else ""
    for name in sorted(set(re.findall(r"<\s*([^\s/>]+)", icon)) - SHAPES):
        yield Finding(static / "favicon.svg", None, f"is no icon, but has <{name}> in it")


def wrong_style(style):
    """What in a style, without its comments, says something, or holds where no browser is asked."""
    yield from said_in_style(style)
    style = re.sub(STRING, '""', style)
    for asked in re.findall(r"@[^{;]*", style):
        if " ".join(asked.split()) not in WHERE:
            yield asked
    for block in re.findall(r"@media \((?:pointer|scripting)[^{]*\{((?:[^{}]*\{[^{}]*\})*)", style):
        yield from (one for one in re.findall(r"([^{}]*)\{", block) if not TRIED.fullmatch(one))
    for selectors, rules in re.findall(r"([^{};]*)\{(?=([^{}]*))", style):
        if SINGLED.search(selectors) or not PSEUDO.issuperset(
            re.findall(r"::?[a-zA-Z-]+", selectors)
        ):
            yield selectors
        elif MEANWHILE.search(selectors) and not QUIET.fullmatch(rules):
            yield selectors


def said_in_style(style):
    """Its texts but those of SHOWN, of selectors and of fonts; and what may make others."""
    shown = CONTENT.findall(style)
    yield from (one for one in shown if not PLAIN_CONTENT.fullmatch(one))
    yield from texts_in(" ".join(shown)) - SHOWN
    yield from texts_in(NAMED.sub("", CONTENT.sub("", style)))
    yield from re.findall(SAYS, style)
    bare = re.sub(STRING, "", style)
    yield from re.findall(r"[\"'][^\n]*", bare)
    yield from re.findall(r"[^\s{};]*\\[^{};]*", bare)  # an escape, by which a name looks like none
    yield from {*re.findall(r"(?<![:\w-])[\w-]+(?=\()", bare)} - FUNCTIONS


def texts_in(style):
    return {text[1:-1] for text in re.findall(STRING, style)}


STRING = r"""(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*')"""
COMMENT = re.compile(rf"({STRING})|/\*.*?\*/", re.DOTALL)  # and texts, in which none begins
CONTENT = re.compile(rf"(?i)(?<![\w-])content\s*:((?:{STRING}|[^;{{}}\"'])*)")
PLAIN_CONTENT = re.compile(
    rf"\s*(?:none|counter\(page\)|{STRING}(?:\s*/\s*{STRING})?)\s*(?:!important\s*)?"
)
NAMED = re.compile(rf"\[[\w-]+[*^$|~]?={STRING}\]|(?:font-family[\w-]*|--lp-sans)\s*:[^;{{}}]*")
SAYS = re.compile(  # beside `content`
    r"(?i)(?<![\w-])(?:(?:quotes|counter-[\w-]+|hyphenate-character|text-emphasis[\w-]*)\s*:"
    r"|(?:animation|transition)[\w-]*\s*:(?!\s*none\s*(?:!important\s*)?[;}])"
    r"|(?:text-overflow|list-style[\w-]*)\s*:(?!\s*(?:none|ellipsis)\s*[;}])[^;}]*)"
)
FUNCTIONS = set("calc counter inset linear-gradient max min minmax repeat rgb var".split())
PSEUDO = set(  # :hover and the like by QUIET
    ":empty :first-child :first-of-type :focus-visible :has :hover :is :last-child :not :nth-child"
    " :root :target ::-webkit-details-marker ::after ::before".split()
)
WHERE = {  # what a browser is asked on: both sides of each width, a screen and paper
    "@page", "@bottom-center", "@media print", "@media screen", "@media (max-width: 44rem)",
    "@media screen and (max-width: 44rem)", "@media (min-width: 60rem)",
    "@container (max-width: 34rem)", "@container (max-width: 25rem)",
    "@media (prefers-reduced-motion: reduce)", "@media (pointer: coarse)",
    "@media (scripting: none)",
}  # fmt: skip
TRIED = re.compile(  # what alone is other where fingers point, or without scripts
    r"(?:(?:^|,)\s*\.lp-(?:try|try-here|decided) (?:button|textarea|pre)\s*)+"
)
SINGLED = re.compile(  # some elements of their kind, which a sample may not have
    r"#(?!lp-|pst-|jb-)|\[(?!(?:aria-disabled|class|data-(?:mode|more|theme)|hidden|open|type)\b)"
    r"|:nth-[a-z-]+\((?!n\))|\\"
)
MEANWHILE = re.compile(  # while a reader does something, or has done it
    r"(?<!\.lp-symbols:not\():(?:target|hover|focus-visible)"
)
QUIET = re.compile(
    r"\s*(?:(?:(?:outline|outline-offset|text-decoration|stroke|stroke-width)\s*:[^;{}]*"
    r"|background: var\(--lp-soft\)|fill: var\(--pst-color-link\)|opacity: 1);?\s*)*"
)
SHOWN = {"✎\\FE0E", "remark: ", "evidence ▸", "evidence ▾", "evidence", "", "← ", "¶", "; ", "❞"}
SHOWN |= {"○", "◐", "●", "≈", "▸ ", "▾ "}
SHAPES = set("svg g path circle ellipse rect line polyline polygon".split())


def labels(root):
    """A label is one result's address, a title names one, a result used is a result that exists,
    and one that code takes by `earlier` is another chapter's.
    """
    records = all_records(root / "book")
    for path in notebooks(root):
        others = {record["label"] for record in records if record["chapter"] != path.stem}
        for label in sorted(taken(code(stored(path))) - others):
            yield Finding(path, None, f"takes {label!r} by `earlier`, which no other chapter has")
    count = Counter(record["label"] for record in records)
    titles = Counter(record["title"] for record in records if record["title"])
    for record in records:
        if titles[record["title"]] > 1:
            yield found(root, record, "its title is given to more than one result")
        if count[record["label"]] > 1:
            yield found(root, record, "its label is given to more than one result")
        for used in record["uses"]:
            if used not in count:
                yield found(root, record, f"uses {used!r}, a label that no result has")
    try:
        TopologicalSorter({record["label"]: record["uses"] for record in records}).prepare()
    except CycleError as error:
        loop = error.args[1]
        record = next(record for record in records if record["label"] == loop[0])
        yield found(root, record, f"rests on itself: {' → '.join(reversed(loop))}")


def foundations(root):
    """A record says of those that it uses what they say themselves: what in them is not proved, and
    what is true instead of what it refutes.
    """
    records = {record["label"]: record for record in all_records(root / "book")}
    for record in records.values():
        used = [records[label] for label in record["uses"] if label in records]
        if strange := below(used) ^ pairs(record["rests"]):
            label, verdict = sorted(strange)[0]
            says = "says" if (label, verdict) in pairs(record["rests"]) else "does not say"
            yield found(root, record, f"{says} that it rests on {label} ({verdict})")
        weak = [one["label"] for one in used if one["verdict"] not in ESTABLISHED]
        if weak and record["verdict"] == "proved":
            yield found(root, record, f"says proved, and uses {weak[0]}, which is not")
        right = records.get(record.get("corrected"))
        if right and record["correction"] != correction(right):
            yield found(root, record, f"its correction is not what {right['label']} says")


def below(used):
    """What results rest on that is not proved, themselves among it, as (label, verdict)."""
    own = {(one["label"], one["verdict"]) for one in used if one["verdict"] != "proved"}
    return own.union(*(pairs(one["rests"]) for one in used))


def pairs(rests):
    return {(one["label"], one["verdict"]) for one in rests}


def correction(record):
    return f"$${record['statement']}$$" if record["statement"] else record["text"]


def answers(root):
    """A result answers claims of claims.yaml, and a chapter that is there answers all of its claims
    that state some mathematics.
    """
    known, records = claims(root / "book"), all_records(root / "book")
    for record in records:
        for claim in record["claims"]:
            if claim not in known:
                yield found(root, record, f"answers {claim!r}, which is not in claims.yaml")
    answered = {claim for record in records for claim in record["claims"]}
    for path in notebooks(root):
        for name, claim in known.items():
            if claim["chapter"] == path.stem and name not in answered:
                if claim.get("verdict") != "PROSE":
                    yield Finding(path, None, f"claim {name} is answered by no result")
    path = root / "book" / "claims.yaml"
    for name, claim in known.items():
        if given := [record for record in records if name in record["claims"]]:
            yield from (Finding(path, None, said) for said in at_odds(name, claim, given))
        for message in aside(claim, given):
            yield Finding(path, None, f"see of {name}: {message}")


def aside(claim, given):
    """What is wrong with the results that a claim sets aside, as those that one may see as well:
    each is one of those that name the claim, none refutes it, and one is left that decides what can
    be decided.
    """
    see, labels = claim.get("see", ()), [record["label"] for record in given]
    for label in see:
        if label not in labels:
            yield f"{label!r} is no result that names the claim"
    for record in given:
        if record["label"] in see and record["kind"] == "refutation":
            yield f"{record['label']!r} refutes the claim, and so decides it"
    if see and set(labels) <= set(see) and claim.get("verdict") not in ("EMPIRICAL", "IMPRECISE"):
        yield "no result is left that decides the claim"


REFUTED = ("WRONG", "TYPO")
REFUTABLE = (*REFUTED, "IMPRECISE")


def at_odds(name, claim, given):
    """Where the verdict on a claim and the results that answer it say different things."""
    verdict = claim.get("verdict", "CORRECT")
    given = [record for record in given if record["label"] not in claim.get("see", ())]
    against = [record for record in given if record["kind"] == "refutation"]
    if verdict in REFUTED and not against:
        yield f"claim {name} is {verdict}, and no refutation answers it"
    kinds = {record["kind"] for record in given}
    if verdict in ("CORRECT", "CORRECT-COND") and kinds == {"observation"}:
        yield f"claim {name} is {verdict}, and only an observation answers it"
    if verdict == "EMPIRICAL" and not {"observation", "citation"} & kinds:
        yield f"claim {name} is {verdict}, and neither an observation nor a citation answers it"
    for one in against:
        if verdict not in REFUTABLE:
            yield f"claim {name} is {verdict}, and {one['label']} refutes it"
        if (verdict == "TYPO") != one["misprint"]:
            says = "says" if one["misprint"] else "does not say"
            yield f"claim {name} is {verdict}, and {one['label']} {says} that it is a misprint"
        source, there = parted(one["location"])
        if source != claim.get("seed", ""):
            yield f"claim {name} is of {origin(claim)}, and {one['label']} of {one['location']}"
        if place := elsewhere(claim.get("where", ""), there):
            yield f"claim {name} is at {claim['where']}, and {one['label']} at {place}"


def elsewhere(where, location):
    """A location of which a place, as an equation or a paragraph, is none of those of a claim's."""
    for pattern in NUMBERED:
        ours, theirs = (places(pattern, said.lower()) for said in (where, location))
        if ours and not all(any(within(one, place) for one in ours) for place in theirs):
            return location
    return ""


def within(one, other):
    """Whether one of two numbered places is the other, or a part of it."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def places(pattern, said):
    """The numbers of places in what is said, each of a list or a range, those in words as well."""
    found = set()
    for listed in filter(None, sum(pattern.findall(said), ())):
        numbers = [COUNTED.get(one, one) for one in re.findall(rf"{NUMBER}|{UP_TO}", listed)]
        found.update(one for one in numbers if one[0].isdigit())
        for first, sign, last in zip(numbers, numbers[1:], numbers[2:]):
            found.update(() if sign[0].isdigit() else between(first, last))
    return found


def between(first, last):
    """The numbers of a range, whose last parts count on."""
    (head, low), (other, high) = (one.rpartition(".")[::2] for one in (first, last))
    return {f"{head}.{n}".strip(".") for n in range(int(low), int(high) + 1) if head == other}


CARDINALS = "one two three four five six seven eight nine ten eleven".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh".split()
COUNTED = {word: str(n) for words in (CARDINALS, ORDINALS) for n, word in enumerate(words, 1)}
NUMBER = rf"\b(?:\d+(?:\.\d+)*|{'|'.join(COUNTED)})"
UP_TO = r"[-–—]|\b(?:to|through)\b"
JOINED = rf"\s*(?:,\s*and\b|,|\band\b|&|{UP_TO})\s*"
ONE = rf"{NUMBER}[a-z]?\b(?!\s+(?:line|sentence|word|term)s?\b)"
BARE = rf"{ONE}(?:{JOINED}{ONE})*"
LISTED = rf"\({BARE}\)(?:{JOINED}\({BARE}\))*|{BARE}"
ORDINAL = rf"\b(?:{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))\b"
NUMBERED = [
    re.compile(rf"(?:{kind})[\s~]*({LISTED}){others}")
    for kind, others in (
        (r"\beq(?:uation)?s?\.?", "()"),
        (r"(?:^|;)(?=\s*\d)|§|\bsec(?:tion)?s?\.?", "()"),
        (r"\bpara(?:graph)?s?\.?", rf"|({ORDINAL}(?:{JOINED}{ORDINAL})*)\s+para"),
        (r"\b(?:theorem|thm|lemma)s?\.?", "()"),
        (r"\b(?:fig(?:ure)?|table)s?\.?", "()"),
        (r"\bp(?:age|p)?s?\.?", "()"),
    )
]


def permanence(root):
    """What a reader may have noted down stays: what was released is on the list, and what is on the
    list is there.
    """
    path = root / "book" / "addresses.txt"
    there, noted = addresses.current(root), addresses.listed(root)
    try:
        moved = addresses.redirects(root)
    except Unreadable as error:
        yield Finding(root / addresses.REDIRECTS, None, str(error))
        return
    for address in sorted(noted - there - set(moved)):
        yield Finding(path, None, f"{address} is gone, and readers may hold it")
    yield from redirections(root, moved, there, noted)
    for address in sorted(addresses.released(root) - noted):
        yield Finding(path, None, f"{address} was on the list of a release, and is on it no more")
    if new := there - noted:
        yield Finding(
            path,
            None,
            f"{len(new)} addresses are not on the list, {sorted(new)[0]} for one (`make"
            " addresses`)",
        )


def redirections(root, moved, there, noted):
    """What leads on was published on a page that is there, is gone, and leads to what is there."""
    path = root / addresses.REDIRECTS
    for old, new in moved.items():
        for name in filter(None, (*old.split("#"), *new.split("#"))):
            if not re.match(SLUG["pattern"], name):
                yield Finding(path, None, f"{name} is no name of a page or of a result")
        if old in there:
            yield Finding(path, None, f"{old} is there: nothing leads away from it")
        if old not in noted:
            yield Finding(path, None, f"{old} was never published")
        label = old.partition("#")[2]
        if again := [one for one in there if label and one.endswith(f"#{label}") and one != new]:
            yield Finding(path, None, f"{label} was a label on {old}, and is another's: {again[0]}")
        if "#" not in old or old.split("#")[0] not in there:
            yield Finding(path, None, f"{old} is no result of a page of the book")
        if new == old.split("#")[0]:
            yield Finding(path, None, f"{old} leads to its own page, and to no result there")
        if new not in there:
            yield Finding(path, None, f"{old} leads to {new}, which is not there")


def audited(root):
    """audit.json is of the chapters as they are, of every result that has mutants, adds up, and
    says that none lives. How many mutants a result has beyond those that its chapter tried, only
    another audit tells.
    """
    path = root / "book" / "audit.json"
    try:
        content = json.loads(text(path))
    except (ValueError, RecursionError) as error:
        yield Finding(path, None, f"cannot be read: {error} (`make audit`)")
        return
    if wrong := list(wrong_audit(content)):
        yield from (Finding(path, None, f"{message} (`make audit`)") for message in wrong)
        return
    now = {path.stem: inputs(stored(path), root) for path in notebooks(root)}
    for slug in sorted(now.keys() | content["chapters"]):
        if now.get(slug) != content["chapters"].get(slug):
            yield Finding(path, None, f"is not of {slug} as it is (`make audit`)")
    mutated = {
        record["label"]: record
        for record in all_records(root / "book")
        if record["mutants"]["tried"]
    }
    for label in sorted(mutated.keys() ^ content["results"]):
        yield Finding(
            path,
            None,
            f"{'lacks' if label in mutated else 'has'} {label},"
            f" {'which has' if label in mutated else 'of which no chapter stores'} mutants (`make"
            " audit`)",
        )
    for label in mutated.keys() & content["results"]:
        record, counts = mutated[label], content["results"][label]
        if counts["tried"] < record["mutants"]["tried"] or counts["chapter"] != record["chapter"]:
            yield Finding(
                path,
                None,
                f"tried {counts['tried']} mutants of {label} in {counts['chapter']}, and"
                f" {record['chapter']} itself tried {record['mutants']['tried']} (`make audit`)",
            )


def certificates(root):
    """A function names the results that derive it, and these name the function."""
    derived, records = derivations(root), all_records(root / "book")
    certified = {(name, record["label"]) for record in records for name in record["certifies"]}
    for name, (path, named) in derived.items():
        for label in sorted(named):
            if (name, label) not in certified:
                yield Finding(
                    path,
                    None,
                    f"{name} says that it is derived in {label!r}, and no such result certifies it",
                )
    for record in records:
        for name in record["certifies"]:
            if name not in derived:
                yield found(
                    root, record, f"certifies {name}, which is no public function of the library"
                )
            elif record["label"] not in derived[name][1]:
                yield found(
                    root,
                    record,
                    f"certifies {name}, whose docstring does not say `Derived in:"
                    f" {record['label']}`",
                )


def derivations(root):
    """Each public function and method of the library by its dotted name: its file, and the labels
    its docstring names.
    """
    return {
        name: (path, set(docstrings.split(node)[1]))
        for path in docstrings.modules(root / "lib" / "logpartition")
        for listed in docstrings.definitions(path)
        for name, node in docstrings.members(*listed)
    }


def found(root, record, message):
    return Finding(
        root / "book" / f"{record['chapter']}.ipynb", None, f"result {record['label']}: {message}"
    )


FILES = (contents, settings, chapters, statements, card, bibliography, library, texts)
GATES = (
    pages,
    tables,
    legend,
    headed,
    editions,
    entered,
    worded,
    unlisted,
    looks,
    references,
    claimed,
    labels,
    foundations,
    answers,
    permanence,
    audited,
    certificates,
)
