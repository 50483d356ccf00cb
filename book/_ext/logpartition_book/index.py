"""The book's results seen together: who uses what, which claims are answered, and where each result
stands.

A chapter's page shows facts of other chapters (numbers, titles, who rests on its results). They are
resolved when pages are written, and all pages are written again when any of them changes.
"""

import re
from collections import Counter, defaultdict
from functools import cached_property, partial
from pathlib import Path
from textwrap import shorten

import yaml
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from logpartition.proof import display

from . import katex, launch, plain, records, reproduce
from .markup import E, element

logger = logging.getLogger(__name__)

SOURCES = {  # the number that claims.yaml has of each, and the name by which a location begins
    "000": "draft notes",
    "001": "ICML draft",
    "002": "lecture notes",
    "003": "Bal (2020)",
    "004": "Zhang et al. (2022)",
}
BIBLIOGRAPHY = {"000": "shim2022", "001": "shim2022", "003": "bal2020", "004": "zhang2022"}
ERRATA = {
    "WRONG": "wrong",
    "TYPO": "misprint",
    "IMPRECISE": "imprecise",
    "CORRECT-COND": "true under a condition",
}
QUESTIONS = {
    "QUESTION": "a question, answered",
    "QUESTION-PART": "a question, answered in part",
}
INSTEAD = {  # what a claim's `corrected` is called beside it
    **dict.fromkeys(QUESTIONS, "answer"),
    "WRONG": "correct",
    "TYPO": "correct",
    "IMPRECISE": "better",
}
VERDICTS = {
    "proved": "proved",
    "proved-sizes": "proved for the sizes given",
    "argued": "argued in words",
    "checked": "checked numerically",
    "refuted": "corrects a source or a guess",
    "observed": "observed",
    "cited": "cited, not proved here",
}
BADGE = re.compile(  # what a badge alone says, in its words, and the beginning of a theorem
    r"(?i)\b(?:proved for (?:the sizes|(?:all|any|each|every)(?: sizes?)?)|argued in words"
    r"|checked numerically|cited, not proved)\b"
    r"|^\W*(?:theorem|lemma|proposition|corollary|proof)\s*[\d.:(]"
)
POSES = re.compile(  # a whole text that is a badge's, perhaps behind a word or two
    r"(?i)(?:[^:]{1,12}:)?\W*(?:proved for (?:all|the|any|each|every) sizes?\b.{0,40}|"
    rf"checked, not proved|{'|'.join(map(re.escape, VERDICTS.values()))})\W*"
)
KINDS = (
    r"theorem|thm|lemma|proposition|corollary"
    r"|(?:(?:sketch|idea|outline) of (?:(?:a|the) )?)?proof(?: (?:sketch|idea|outline))?"
)
NAMED = r"claim|result|fact|observation|conjecture|assertion"  # with a number, or before a stop
HEAD = re.compile(  # as a theorem begins in a text: with a number, a name, and a stop
    rf"(?i)\s*(?:(?:main|our|key)\s+)?(?:{KINDS}|{NAMED})\b\.?\s*(?:\d[\d.]*|[A-Z]\b)?"
    r"\s*(?:\([^)]*\))?\s*(?<=[\w.)])(?:[.:]|(?<=\.))(?!\w)"
)


EVERY_SIZE = ("", "all sizes", "all sizes that the hypotheses allow")


def verdict(record: dict) -> str:
    """The key of VERDICTS that the record's own verdict and scope earn."""
    if record["verdict"] == "proved" and record["scope"] not in EVERY_SIZE:
        return "proved-sizes"
    return record["verdict"]


def parted(location: str) -> tuple[str, str]:
    """The number of the source in a location, and the place there: `draft notes, equation (9)` is
    `000` and `equation (9)`. What names no source has no number, and is all place."""
    known = (seed for seed, name in SOURCES.items() if f"{location}, ".startswith(f"{name}, "))
    seed = next(known, "")
    return seed, location.removeprefix(SOURCES.get(seed, "")).removeprefix(", ")


def address(chapter: str, label: str) -> str:
    """Where a result stands in the site."""
    return f"{chapter}.html#eq-{label}"


def is_conditional(claim: dict) -> bool:
    """Whether a page says a condition of a claim: of one that holds under it, and not of one that
    is corrected, which has it in what is true instead."""
    return bool(claim.get("conditions")) and claim.get("verdict") in (
        "CORRECT-COND",
        None,
        *QUESTIONS,
    )


def origin(claim: dict) -> str:
    """Where a claim is made: the source by its name, and the place there."""
    if "seed" in claim:
        return f"{SOURCES[claim['seed']]}, {claim['where']}"
    return f"beyond the sources: {claim['title']}"


def answered_at(id: str, claim: dict) -> tuple[str, str]:
    """The page and the place on it that tell what became of a claim."""
    wrong = claim.get("verdict") in ERRATA
    return ("errata", f"erratum-{id}") if wrong else ("ledger", f"claim-{id}")


def permanent(config, path: str) -> str:
    """An address in the site, absolute where the settings say at which one it stands."""
    return f"{config.html_baseurl.rstrip('/')}/{path}" if config.html_baseurl else path


def words(record: dict) -> str:
    """The verdict in words; of a correction, what it corrects, so that nobody reads it as a verdict
    on the title."""
    if record["kind"] == "refutation":
        return f"corrects {record['location']}"
    return display.badge(record) if record["kind"] == "derivation" else VERDICTS[verdict(record)]


def badge(record: dict) -> element:
    """The verdict in words, with a shape and a colour of its own."""
    return E("span", words(record), class_=f"lp-badge lp-{verdict(record)}")


def titled(record: dict) -> dict:
    """The record; a result without a title goes by its label."""
    return {**record, "title": record["title"] or record["label"]}


class Index:
    """All records by label, and their relations read backwards; of the results that name a claim,
    those that decide it apart from those that one may see as well: its `see`, and all where the
    book decides nothing."""

    def __init__(self, book: Path):
        self.results = {record["label"]: titled(record) for record in records.all_records(book)}
        self.claims = records.claims(book)
        self.users, self.answers, self.besides = (defaultdict(list) for _ in range(3))
        for label, record in self.results.items():
            for used in record["uses"]:
                self.users[used].append(label)
            for claim in record["claims"]:
                said = self.claims.get(claim, {})
                beside = label in said.get("see", ()) or said.get("verdict") == "EMPIRICAL"
                (self.besides if beside else self.answers)[claim].append(label)

    def chapters(self) -> list[str]:
        """Slugs of the chapters that hold results, in reading order."""
        return list(dict.fromkeys(record["chapter"] for record in self.results.values()))


def number(env, label: str) -> str:
    """The result's number as the math domain gives it, `2.3`; empty where its chapter has none."""
    docname, _ = env.get_domain("math").equations.get(f"eq-{label}", ("", 0))
    numbers = (
        env.toc_fignumbers.get(docname, {})
        .get("displaymath", {})
        .get(nodes.make_id(f"equation-eq-{label}"), ())
    )
    return ".".join(map(str, numbers))


def named(env, role: str, target: str) -> str:
    """What a role says in characters: a result's number, or a source as the page shows it."""
    if role == "eq":
        return f"({number(env, target.removeprefix('eq-'))})"
    if role.startswith("cite"):
        found = source(env, role, target)
        return found.astext() if found else target
    return target


def source(env, role: str, key: str) -> nodes.Element | None:
    """A citation as the front page would show it, with its link to the references."""
    sources, kind, none = env.get_domain("cite"), role[5:] or "p", nodes.Element()
    return sources.resolve_xref(env, "index", env.app.builder, kind, key, none, none)


class deferred(nodes.General, nodes.Element):
    """Stands for something known only when pages are written: `what` names a function of this
    module, `of` its argument."""


class Resolve(SphinxPostTransform):
    """Puts numbers, titles and links where `deferred` nodes stand."""

    default_priority = 5

    def run(self, **kwargs) -> None:
        for node in list(self.document.findall(deferred)):
            resolver = {
                "number": self.number,
                "title": self.title,
                "name": self.name,
                "link": self.link,
                "links": self.links,
                "users": self.users,
                "claims": self.claims,
                "besides": self.besides,
                "edition": self.edition,
                "origin": self.origin,
            }[node["what"]]
            found = resolver(node["of"], node)
            if found:
                node.replace_self(found)
            else:  # a row with nothing to say
                row = node.parent
                row.parent.remove(row.parent[row.parent.index(row) - 1])
                row.parent.remove(row)
        for node in self.document.findall(element):
            if node.get("starts") and too_long(node["starts"]):
                node["given"]["class"] += " lp-long"
            if node["given"].get("role") == "heading":
                node["given"]["aria-level"] = str(1 + _depth(node))

    def _href(self, docname: str, anchor: str) -> str:
        return self.app.builder.get_relative_uri(self.env.docname, docname) + f"#{anchor}"

    def number(self, label: str, node) -> nodes.Node:
        return nodes.Text(f"({number(self.env, label)})")

    def title(self, docname: str, node) -> nodes.Node:
        """A chapter's title, as text."""
        return nodes.Text(self.env.titles[docname].astext())

    def link(self, label: str, node) -> nodes.Node:
        """A result's number and title, linked to its box."""
        record = self.app.logpartition.results.get(label)
        if record is None:
            logger.warning("no result has the label %r", label, location=node, type="logpartition")
            return nodes.Text(label)
        return E(
            "a",
            E("span", f"({number(self.env, label)})", class_="lp-no"),
            " ",
            record["title"],
            href=self._href(record["chapter"], f"eq-{label}"),
            class_="reference internal",
        )

    def name(self, label: str, node) -> nodes.Node:
        """A result's number and title, as text."""
        return nodes.Text(
            f"({number(self.env, label)}) {self.app.logpartition.results[label]['title']}"
        )

    def links(self, labels: list[str], node) -> nodes.Node:
        return (
            E("ul", *(E("li", self.link(label, node)) for label in labels))
            if labels
            else nodes.Text("no other result")
        )

    def users(self, label: str, node) -> nodes.Node:
        return self.links(self.app.logpartition.users[label], node)

    def claims(self, label: str, node) -> nodes.Node | None:
        """The claims that a result decides."""
        return self._claims(label, node, decided=True)

    def besides(self, label: str, node) -> nodes.Node | None:
        """Those beside which one may see it as well, and that it doesn't decide."""
        return self._claims(label, node, decided=False)

    def _claims(self, label: str, node, decided: bool) -> nodes.Node | None:
        book = self.app.logpartition
        ids = [
            claim
            for claim in book.results[label]["claims"]
            if decided == (label in book.answers.get(claim, ()))
        ]
        named = (book.claims.get(claim) for claim in book.results[label]["claims"])
        places = Counter(origin(claim) for claim in named if claim)
        twice = {place for place, count in places.items() if count > 1}
        return (
            E("ul", *(E("li", self._claim(claim, node, twice)) for claim in ids)) if ids else None
        )

    def edition(self, slug: str, node) -> nodes.Node:
        """What stands before an address: the version, and the commit where it is of none yet."""
        commit = self.env.logpartition_commits[slug]
        said = reproduce.edition(self.env.config.version, commit)
        return nodes.Text(f"{said}, " if said else "")

    def origin(self, slug: str, node) -> nodes.Node:
        return self._origin.deepcopy()

    @cached_property
    def _origin(self) -> element:
        """The page's notebook, where it runs, and of which commit it is; and what a run needs."""
        slug, config = self.env.docname, self.env.config
        source = Path(self.env.doc2path(slug))
        made = reproduce.made_of(config.version, self.env.logpartition_commits[slug])
        needed = reproduce.versions(source, reproduce.imported(source))
        at = launch.repository(source.parents[1])
        return E(
            "span",
            E("a", source.name, href=source.name, download=""),
            *([", to run in ", *launch.links(at, slug)] if at else []),
            f" ({made}{reproduce.python(source)})" if made else "",
            f". In the repository, with {needed}, " if needed else ". In the repository, ",
        )

    def _claim(self, id: str, node, twice: set[str]) -> nodes.Node:
        """A link to a claim, by its place; with how it begins, where others have that place."""
        claim = self.app.logpartition.claims.get(id)
        if claim is None:
            logger.warning("no claim has the id %r", id, location=node, type="logpartition")
            return nodes.Text(id)
        place = origin(claim)
        said = plain.text(claim["statement"], partial(named, self.env)) if place in twice else ""
        begins = shorten(said, 50, placeholder=" …")
        return E(
            "a",
            f"{place}: {begins}" if begins else place,
            href=self._href(*answered_at(id, claim)),
            class_="reference internal",
        )


def too_long(starts: list[str]) -> bool:
    """Whether one of these first terms would push its whole chain to the right."""
    return max(map(katex.width, starts)) > 14


def _depth(node: nodes.Node) -> int:
    """How many sections `node` is in."""
    return 0 if node.parent is None else _depth(node.parent) + isinstance(node, nodes.section)


def edition(app, config) -> None:
    """The version is that of CITATION.cff."""
    card = Path(app.srcdir).parent / "CITATION.cff"
    if card.exists():
        config.version = config.release = str(
            yaml.safe_load(card.read_text(encoding="utf-8"))["version"]
        )


def read(app) -> None:
    app.logpartition = Index(Path(app.srcdir))


def outdated(app, env) -> list[str]:
    """Every page, when a number, a title, a verdict or an edge of the book has changed since pages
    were written."""
    kept = ("label", "title", "verdict", "statement", "uses", "claims", "chapter")
    facts = repr(
        [app.config.version, sorted(app.logpartition.besides.items())]
        + [
            (number(env, label), words(record), *map(record.get, kept))
            for label, record in app.logpartition.results.items()
        ]
    )
    if getattr(env, "logpartition_facts", None) == facts:
        return []
    env.logpartition_facts = facts
    return list(env.found_docs)


def setup(app) -> dict:
    app.add_node(deferred)
    app.add_post_transform(Resolve)
    app.connect("config-inited", edition)
    app.connect("builder-inited", read)
    app.connect("env-get-updated", outdated, priority=900)  # after Sphinx has numbered equations
    return {"parallel_read_safe": True, "parallel_write_safe": True}
