"""The pages made of records: the ledger, the errata, the dependency graph.

They are read again when a chapter, the claims or the audit changes, so no verdict of a
result and no count on them is typed.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from logpartition.proof.display import FORMULA, IN_OURS, WORDS, quoted

from . import graph, records
from .index import (
    ERRATA,
    INSTEAD,
    QUESTIONS,
    SOURCES,
    VERDICTS,
    badge,
    deferred,
    is_conditional,
    number,
    verdict,
)
from .markup import E, element
from .results import correction, definitions, quotation

# what a claim's verdict in claims.yaml means to a reader
STATUS = {
    "CORRECT": "true",
    **ERRATA,
    **QUESTIONS,
    "EMPIRICAL": "not decided here",
    "PROSE": "no statement of mathematics",
}
HOW_TO_READ = (
    "A claim in quotation marks from end to end is in its source's words, with dots for what is"
    " left out; a formula may be abbreviated; all else is in ours, with words of theirs in"
    " quotation marks. The status word, the condition, and what is called answer, correct or"
    " better are a judgement. The words after the status say how the results beside the claim are"
    " shown; these may be special cases of it. Of a correction they say how the result is shown"
    " that is true instead. Results that one may see as well, and that do not decide the claim, are"
    " listed apart."
)
MEANING = "the-page-is-what-was-checked"  # where the front page says what a badge means
NOTES = {
    "000": "A draft of {cite:t}`shim2022`, in the form of notes. Places and numbers are the"
    " draft's.",
    "001": "A draft of {cite:t}`shim2022`, in the form of a paper. Places and numbers are the"
    " draft's.",
    "002": "Lecture notes on attention and on random features.",
    "003": "The post {cite:t}`bal2020`.",
    "004": "The paper {cite:t}`zhang2022`.",
}


def reading_order(env) -> list[str]:
    """Every page of the table of contents, the front page first."""
    return [
        "index",
        *(slug for slug in records.slugs(Path(env.srcdir).parent) if slug in env.found_docs),
    ]


def sources(book: Path) -> list[str]:
    """The files that the pages of records are made of, those of them that exist."""
    root = book.parent
    found = [*records.notebooks(root), book / "claims.yaml", book / "audit.json", root / "_toc.yml"]
    return [str(path) for path in found if path.exists()]


def outdated(app, env, added, changed, removed) -> list[str]:
    """Pages of records that were made when there were other files: Sphinx itself notices only
    changes to those noted."""
    found = sources(Path(app.srcdir))
    return [
        docname
        for docname, metadata in env.metadata.items()
        if metadata.get("sources", found) != found
    ]


class PageOfRecords(SphinxDirective):
    """A directive over all records, with the files that they come from noted as dependencies."""

    def run(self) -> list[nodes.Node]:
        self.index = self.env.app.logpartition
        self.book = Path(self.env.srcdir)
        self.env.metadata[self.env.docname]["sources"] = sources(self.book)
        for path in sources(self.book):
            self.env.note_dependency(path)
        self.written = {path.stem for path in records.notebooks(self.book.parent)}
        return self.content_nodes()

    def markdown(self, text: str) -> list[nodes.Node]:
        found, _ = self.state.inline_text(text, self.lineno)
        return found

    def claims(self) -> list[dict]:
        """The claims of the chapters that exist, in reading order."""
        order = records.slugs(self.book.parent)
        found = [claim for claim in self.index.claims.values() if claim["chapter"] in self.written]
        return sorted(found, key=lambda claim: order.index(claim["chapter"]))

    def answers(self, claim: dict) -> list[str]:
        """The results that decide a claim."""
        return self.index.answers[claim["id"]]

    def besides(self, claim: dict) -> list[str]:
        """Those that name it as well, and don't."""
        return self.index.besides[claim["id"]]


class Ledger(PageOfRecords):
    """Every result, then every claim with the results that answer it."""

    def content_nodes(self) -> list[nodes.Node]:
        claims = self.claims()
        return [
            self.controls(),
            _section("results", "Results", E("p", self.tally()), self.results()),
            _section(
                "claims",
                "Claims",
                E(
                    "p",
                    f"{self.count(claims)} {HOW_TO_READ}",
                ),
                self.claim_table(claims),
            ),
        ]

    def count(self, claims: list[dict]) -> str:
        """Of how many claims there are results, and what becomes of the rest."""
        shown = [claim for claim in claims if self.answers(claim) or self.besides(claim)]
        rest = [claim for claim in claims if claim not in shown]
        said = (
            f"Of the {len(claims)} claims of these chapters, {len(shown)} have results beside them"
        )
        undecided, prose, waiting = (
            sum(claim.get("verdict") == "EMPIRICAL" for claim in shown),
            sum(claim.get("verdict") == "PROSE" for claim in rest),
            sum(claim.get("verdict") != "PROSE" for claim in rest),
        )
        parts = [
            f"{how_many(count)} {is_ if count == 1 else are}"
            for count, is_, are in (
                (undecided, "of these is not decided by them", "of these are not decided by them"),
                (prose, "states no mathematics", "state no mathematics"),
                (waiting, "is not answered yet", "are not answered yet"),
            )
            if count
        ]
        return "; ".join([said, *parts]) + "."

    def tally(self) -> str:
        """How many results, of which kind, and how many deliberate errors they survived."""
        found = list(self.index.results.values())
        killed, same = (
            sum(record["mutants"][key] for record in found) for key in ("killed", "equivalent")
        )
        counts = {kind: sum(verdict(record) == kind for record in found) for kind in VERDICTS}
        parts = ", ".join(
            f"{count} {VERDICTS[kind] if kind != 'refuted' else corrects(count)}"
            for kind, count in counts.items()
            if count
        )
        text = (
            f"{how_many(len(found), 'result')}: {parts}. {killed:,} mutants, which are links with a"
            " deliberate error in them and measurements beside another prediction, were rejected,"
            f" and {same:,} more say the same as the original."
        )
        audit = self.book / "audit.json"
        if audit.exists():
            run = json.loads(audit.read_text(encoding="utf-8"))
            text += (
                " A run tries a sample of the mutants; the last audit, which tries all, rejected"
                f" {run['killed']:,} of {run['tried']:,}."
            )
        return text

    def controls(self) -> element:
        """A search and two filters, shown by the script that serves them."""

        def choice(name: str, options: list) -> element:
            select = E(
                "select", E("option", "all", value=""), *options, id=f"filter-{name}", name=name
            )
            return E("div", E("label", name.capitalize(), for_=f"filter-{name}"), select)

        kinds = set(map(verdict, self.index.results.values()))
        return E(
            "form",
            E(
                "div",
                E("label", "Find", for_="filter-q"),
                E("input", type="search", id="filter-q", name="q", autocomplete="off"),
            ),
            choice(
                "chapter",
                [
                    E("option", deferred(what="title", of=slug), value=slug)
                    for slug in self.index.chapters()
                ],
            ),
            choice(
                "verdict",
                [E("option", VERDICTS[kind], value=kind) for kind in VERDICTS if kind in kinds],
            ),
            E("output", aria_live="polite"),
            class_="lp-filters",
            role="search",
            aria_label="Results and claims",
            hidden=True,
        )

    def results(self) -> element:
        head = E("thead", E("tr", *(E("th", name, scope="col") for name in ("Result", "Verdict"))))
        bodies = []
        for slug in self.index.chapters():
            title = E(
                "tr",
                E("th", deferred(what="title", of=slug), scope="rowgroup", colspan="2"),
                class_="lp-group",
            )
            own = [record for record in self.index.results.values() if record["chapter"] == slug]
            bodies.append(E("tbody", title, *map(self.result_row, own)))
        return E("table", head, *bodies, class_="lp-table lp-results")

    def result_row(self, record: dict) -> element:
        return E(
            "tr",
            E("th", deferred(what="link", of=record["label"]), scope="row"),
            E("td", badge(record)),
            data_chapter=record["chapter"],
            data_verdict=verdict(record),
            data_label=record["label"],
        )

    def claim_table(self, claims: list[dict]) -> element:
        head = E(
            "thead",
            E("tr", *(E("th", name, scope="col") for name in ("Claim", "Status", "Results"))),
        )
        return E(
            "table", head, E("tbody", *map(self.claim_row, claims)), class_="lp-table lp-claims"
        )

    def claim_row(self, claim: dict) -> element:
        answers, besides = self.answers(claim), self.besides(claim)
        origin = (
            f"{SOURCES[claim['seed']]}, {claim['where']}"
            if "seed" in claim
            else "beyond the sources"
        )
        title = [E("strong", claim["title"], ". ")] if "title" in claim else []
        heads = f"{len(answers)} result{'s' * (len(answers) > 1)}", f"see also: {len(besides)}"
        shown = [
            E("details", E("summary", head), self.answered(labels))
            for head, labels in zip(heads, (answers, besides))
            if labels
        ]
        return E(
            "tr",
            E(
                "th",
                E("span", origin, class_="lp-location"),
                E("div", *title, *self.markdown(claim["statement"])),
                *self.instead(claim),
                scope="row",
            ),
            E("td", *self.status(claim, answers or besides)),
            E("td", *shown),
            id=f"claim-{claim['id']}",
            data_chapter=claim["chapter"],
            data_verdicts=" ".join(
                kind
                for kind in VERDICTS
                if kind in {verdict(self.index.results[label]) for label in (*answers, *besides)}
            ),
        )

    def instead(self, claim: dict) -> list[nodes.Node]:
        """The answer to a question, and what is true instead of what is not."""
        name = INSTEAD.get(claim.get("verdict"))
        if not name or not claim.get("corrected"):
            return []
        said = f"{name}: ", *self.markdown(claim["corrected"])
        return [E("div", *said, class_="lp-condition lp-instead")]

    def status(self, claim: dict, answers: list[str]) -> list[nodes.Node]:
        """One word for the claim, how it is shown, and the condition under which it holds."""
        if claim.get("verdict") == "PROSE":
            return [E("strong", STATUS["PROSE"], class_="lp-status")]
        if not answers:
            return [E("span", "not answered yet", class_="lp-open")]
        word, means = STATUS.get(claim.get("verdict"), ""), self.means(answers)
        condition = (
            [E("div", "if: ", *self.markdown(claim["conditions"]), class_="lp-condition")]
            if is_conditional(claim)
            else []
        )
        how = f", {means}"
        if claim.get("verdict") in ("WRONG", "TYPO", "IMPRECISE", "EMPIRICAL"):
            right = self.corrections(answers)
            how = f"; {'corrected by' if right else 'see'} {self.sorts(right or answers)}"
        return [
            E("strong", word or means, class_="lp-status"),
            *([how] if word else []),
            *condition,
        ]

    def corrections(self, labels: list[str]) -> list[str]:
        """What is true instead of what the refutations among the results refute."""
        found = [self.index.results[label] for label in labels]
        return [record["corrected"] for record in found if record["kind"] == "refutation"]

    def kinds(self, labels: list[str]) -> list[str]:
        """How the results are shown, each way once; a refutation by the result that is true
        instead."""
        known = [*labels, *self.corrections(labels)]
        found = {verdict(self.index.results[label]) for label in known}
        kinds = [kind for kind in VERDICTS if kind != "refuted" and kind in found]
        return ["proved for some sizes" if kind == "proved-sizes" else kind for kind in kinds]

    def means(self, labels: list[str]) -> str:
        """How the results show what they show, in a few words."""
        names = self.kinds(labels)
        return names[0] if len(names) == 1 else ", ".join(f"partly {name}" for name in names)

    def sorts(self, labels: list[str]) -> str:
        """The same of results that decide nothing: `what is proved and what is argued`."""
        *rest, last = (f"what is {name}" for name in self.kinds(labels))
        return f"{', '.join(rest)} and {last}" if rest else last

    def answered(self, labels: list[str]) -> element:
        return E(
            "ul",
            *(
                E("li", deferred(what="link", of=label), " ", badge(self.index.results[label]))
                for label in labels
            ),
        )


def how_many(count: int, what: str = "") -> str:
    return (
        f"{'one' if count == 1 else f'{count:,}'} {what}{'s' * (bool(what) and count != 1)}".strip()
    )


def corrects(count: int) -> str:
    return f"that correct{'s' * (count == 1)} a source or a guess"


def _section(id: str, title: str, *content: nodes.Node) -> nodes.section:
    return nodes.section("", nodes.title("", title), *content, ids=[id], names=[id])


class Errata(PageOfRecords):
    """What the sources print that is wrong, misprinted, imprecise or conditional, source by
    source."""

    def content_nodes(self) -> list[nodes.Node]:
        found = [claim for claim in self.claims() if claim.get("verdict") in ERRATA]
        sections = [self.tally(found)] if found else []
        for seed, name in SOURCES.items():
            entries = [claim for claim in found if claim["seed"] == seed]
            if entries:
                title = name[0].upper() + name[1:]
                sections.append(
                    _section(
                        f"errata-{seed}",
                        title,
                        E("p", *self.markdown(NOTES[seed])),
                        *map(self.entry, entries),
                    )
                )
        return sections

    def tally(self, found: list[dict]) -> element:
        """How many there are of each kind, with links to what is wrong."""
        words = [ERRATA[claim["verdict"]] for claim in found]
        counts = [f"{word}: {words.count(word)}" for word in ERRATA.values() if word in words]
        wrong = [claim for claim in found if claim["verdict"] == "WRONG"]
        links = [
            E("a", f"{SOURCES[claim['seed']]}, {claim['where']}", href=f"#erratum-{claim['id']}")
            for claim in wrong
        ]
        listed = [part for link in links for part in ("; ", link)][1:]
        named = [f". Wrong {'is' if len(wrong) == 1 else 'are'}: ", *listed] if wrong else []
        these = "This is one entry. " if len(found) == 1 else f"These are {len(found)} entries. "
        return E("p", these, ", ".join(counts).capitalize(), *named, ".")

    def entry(self, claim: dict) -> element:
        results = [self.index.results[label] for label in self.answers(claim)]
        corrections = [record for record in results if record["kind"] == "refutation"]
        rows = [self.source(claim, corrections)]
        for record in corrections:
            reason = E(
                "p",
                E("strong", record["title"], "."),
                *([" ", *self.markdown(record["text"])] if record["text"] else []),
            )
            found = self.evidence(record, claim.get("corrected", ""))
            read = sum(name == FORMULA for name, _ in found)  # of which the reason may speak
            rows += [*found[:read], ("Why", [reason]), *found[read:]]
        if not corrections and claim["verdict"] == "IMPRECISE" and claim.get("corrected"):
            rows.append(("Better", [E("p", *self.markdown(claim["corrected"]))]))
        if not corrections and claim.get("conditions"):
            rows.append(("Holds if", [E("p", *self.markdown(claim["conditions"]))]))
        named = {
            label for record in corrections for label in (record["corrected"], *record["uses"])
        }
        others = [
            record["label"]
            for record in results
            if record not in corrections and record["label"] not in named
        ]
        besides = [label for label in self.besides(claim) if label not in named]
        rows += [
            (name, [deferred(what="links", of=labels)])
            for name, labels in (("See", others), ("See also", besides))
            if labels
        ]
        if not results and not besides:
            rows.append(("See", [E("p", E("span", "not answered yet", class_="lp-open"))]))
        judgement = ERRATA[claim["verdict"]] if results or besides else "under examination"
        where = claim["where"]
        return E(
            "div",
            E(
                "p",
                E("strong", f"{SOURCES[claim['seed']]}, {where}"),
                E("span", judgement, class_="lp-judgement"),
                class_="lp-erratum-head",
            ),
            definitions(rows, "lp-erratum"),
            id=f"erratum-{claim['id']}",
            class_="lp-entry",
        )

    def source(self, claim: dict, corrections: list[dict]) -> tuple[str, list[nodes.Node]]:
        """The sentence or formula concerned: letter by letter where we have it so, else said to be
        in our words."""
        said = claim["statement"]
        quotes = list(filter(quoted, (record["printed"] for record in corrections)))
        if quotes := quotes or list(filter(quoted, [said])):
            return WORDS, [quotation(self.markdown(words)) for words in quotes]
        formula = re.fullmatch(r"\$[^$]+\$", said)
        return "Its formula" if formula else IN_OURS, [E("p", *self.markdown(said))]

    def evidence(self, record: dict, said: str) -> list[tuple]:
        """The formula as the verifier read it, where it fails, and what is true instead: as `said`
        in the terms of the source, and as a result of the book; each with the meaning of its
        symbols."""
        rows, true = (
            dict(correction(record, self.markdown)),
            self.index.results[record["corrected"]],
        )
        if said:
            rows["Correct"] = [E("p", *self.markdown(said)), *rows["Correct"]]
        kept = [row for row in rows.items() if row[0] not in ("Place", WORDS, IN_OURS)]
        if not record["counterexample"]:
            return [*kept, *self.symbols("For what is correct", true)]
        formula, *others = kept
        told = {*record["assumptions"], *record["where"]}
        more = {*true["assumptions"], *true["where"]} - told
        return [
            formula,
            *self.symbols("For", record),
            *others,
            *(self.symbols("For what is correct", true) if more else []),
        ]

    def symbols(self, name: str, record: dict) -> list[tuple]:
        """What the symbols of a formula are, but for inner products and norms."""
        if not record["statement"] and not record.get("counterexample"):
            return []
        assumed = self.markdown("; ".join(record["assumptions"]))
        products = re.compile(r"\$\\(langle|lVert)\b")
        where = [one for one in record["where"] if not products.match(one)]
        items = [E("li", *self.markdown(said)) for said in where]
        return [
            (name, [E("p", *assumed)] if assumed else []),
            ("Where", [E("ul", *items)] if items else []),
        ]


class dependency_graph(nodes.General, nodes.Element):
    """Drawn when the page is written, since it shows numbers of results."""


class Graph(PageOfRecords):
    """A picture a chapter of what is connected; what stands alone, by name; and the same in
    words."""

    def content_nodes(self) -> list[nodes.Node]:
        kinds = set(map(verdict, self.index.results.values()))
        legend = E(
            "p",
            *(
                E("a", VERDICTS[kind], class_=f"lp-badge lp-{kind}", href=f"index.html#{MEANING}")
                for kind in VERDICTS
                if kind in kinds
            ),
            class_="lp-legend",
        )
        names = [
            E("option", deferred(what="name", of=label), value=label)
            for label in self.index.results
        ]
        chooser = E(
            "form",
            E("label", "Show what a result rests on, and what rests on it", for_="lp-choose"),
            E("select", E("option", "none", value=""), *names, id="lp-choose"),
            class_="lp-chooser",
            hidden=True,
        )
        panel = E("div", id="lp-chosen", class_="lp-chosen", role="status", hidden=True)
        return [
            legend,
            chooser,
            *(part for slug in self.index.chapters() for part in self.chapter(slug)),
            panel,  # last, so that it can stand at the foot of the window
        ]

    def own(self, slug: str) -> list[dict]:
        return [record for record in self.index.results.values() if record["chapter"] == slug]

    def chapter(self, slug: str) -> list[nodes.Node]:
        used = {label for record in self.own(slug) for label in record["uses"]}
        alone = [
            record["label"]
            for record in self.own(slug)
            if not record["uses"] and record["label"] not in used
        ]
        heading = E("h2", deferred(what="title", of=slug), id=f"graph-{slug}")
        drawing = E(
            "div",
            dependency_graph(chapter=slug),
            class_="lp-graph",
            tabindex="0",
            role="region",
            aria_labelledby=f"graph-{slug}",
        )
        stand = E(
            "details",
            E("summary", f"On their own in this chapter: {len(alone)}"),
            deferred(what="links", of=alone),
            class_="lp-alone",
        )
        words = E(
            "details",
            E("summary", "In words"),
            E("ul", *map(self.line, self.own(slug))),
            class_="lp-graph-text",
        )
        return [heading, drawing, *([stand] if alone else []), words]

    def line(self, record: dict) -> element:
        rests = (
            [" rests on ", deferred(what="links", of=record["uses"])]
            if record["uses"]
            else [" rests on no other result"]
        )
        return E(
            "li",
            deferred(what="link", of=record["label"]),
            " ",
            badge(record),
            *rests,
            data_label=record["label"],
        )


def visit_dependency_graph(self, node: dependency_graph) -> None:
    env = self.builder.env
    index = env.app.logpartition
    found = [
        graph.Node(
            label,
            number(env, label),
            record["title"],
            verdict(record),
            record["chapter"],
            [used for used in record["uses"] if used in index.results],
            self.builder.get_relative_uri(self.builder.current_docname, record["chapter"])
            + f"#eq-{label}",
        )
        for label, record in index.results.items()
    ]
    graph.columns(found)  # a circle through several chapters is an error, too
    self.body.append(
        graph.draw(found, node["chapter"]) or "<p>Every result of this chapter stands alone.</p>"
    )
    raise nodes.SkipNode


def add_static(app) -> None:
    app.config.html_static_path = [
        *app.config.html_static_path,
        str(Path(__file__).parent / "static"),
    ]


def add_script(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """The ledger's filter and the graph's highlighting are loaded by their pages alone."""
    if pagename in ("ledger", "graph"):
        app.add_js_file(f"{pagename}.js", loading_method="defer")


def setup(app) -> dict:
    for name, directive in (("ledger", Ledger), ("errata", Errata), ("dependency-graph", Graph)):
        app.add_directive(name, directive)
    app.add_node(dependency_graph, html=(visit_dependency_graph, None))
    app.connect("builder-inited", add_static)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
