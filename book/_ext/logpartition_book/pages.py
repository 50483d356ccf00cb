"""The pages made of records: the ledger, the errata, the dependency graph.

They are read again when a chapter, the claims or the audit changes, so nothing on them is typed.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import graph, records
from .index import ERRATA, SOURCES, VERDICTS, badge, deferred, number, scope, verdict
from .markup import E, element
from .results import counterexample, definitions

def sources(book: Path) -> list[str]:
    """The files that the pages of records are made of, those of them that exist."""
    root = book.parent
    found = [*records.notebooks(root), book / "claims.yaml", book / "audit.json", root / "_toc.yml"]
    return [str(path) for path in found if path.exists()]


def outdated(app, env, added, changed, removed) -> list[str]:
    """Pages of records that were made when there were other files: Sphinx itself notices only changes to those noted."""
    found = sources(Path(app.srcdir))
    return [docname for docname, metadata in env.metadata.items() if metadata.get("sources", found) != found]


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
        return self.index.answers[claim["id"]]


class Ledger(PageOfRecords):
    """Every result, then every claim with the results that answer it."""

    def content_nodes(self) -> list[nodes.Node]:
        claims = self.claims()
        unanswered = [claim for claim in claims if not self.answers(claim)]
        return [
            E("p", *self.tally()),
            self.controls(),
            self.results(),
            E("p", f"{len(claims) - len(unanswered)} of the {len(claims)} claims of these chapters are answered by a result.",
              id="claims", class_="lp-count"),
            self.claim_table(claims),
        ]

    def tally(self) -> list[nodes.Node]:
        """How many results, of which kind, and how many deliberate errors they survived."""
        found = list(self.index.results.values())
        tried, killed = (sum(record["mutants"][key] for record in found) for key in ("tried", "killed"))
        counts = {kind: sum(verdict(record) == kind for record in found) for kind in VERDICTS}
        parts = ", ".join(f"{count} {VERDICTS[kind]}" for kind, count in counts.items() if count)
        text = f"{len(found)} results: {parts}. Their links were mutated {tried:,} times, and {killed:,} of the mutants were rejected."
        audit = self.book / "audit.json"
        if audit.exists():
            run = json.loads(audit.read_text(encoding="utf-8"))
            text += f" The last full audit tried {run['tried']:,} mutants and rejected {run['killed']:,}."
        return [nodes.Text(text)]

    def controls(self) -> element:
        """Three filters, shown by the script that serves them."""
        def choice(name: str, options: list) -> element:
            select = E("select", E("option", "all", value=""), *options, id=f"filter-{name}", data_filter=name)
            return E("div", E("label", name.capitalize(), for_=f"filter-{name}"), select)

        kinds = list(dict.fromkeys(map(verdict, self.index.results.values())))
        scopes = list(dict.fromkeys(filter(None, map(scope, self.index.results.values()))))
        return E("form",
                 choice("chapter", [E("option", deferred(what="title", of=slug), value=slug) for slug in self.index.chapters()]),
                 choice("verdict", [E("option", VERDICTS[kind], value=kind) for kind in VERDICTS if kind in kinds]),
                 choice("scope", [E("option", scope, value=scope) for scope in scopes]),
                 E("output", aria_live="polite"), class_="lp-filters", hidden=True)

    def results(self) -> element:
        rows = [
            E("tr",
              E("th", deferred(what="link", of=label), scope="row"),
              E("td", badge(record)), E("td", scope(record), data_label="scope" if scope(record) else None),
              E("td", _killed(record["mutants"]), data_label="mutants rejected" if record["mutants"]["tried"] else None),
              data_chapter=record["chapter"], data_verdict=verdict(record), data_scope=scope(record))
            for label, record in self.index.results.items()
        ]
        head = E("thead", E("tr", *(E("th", name, scope="col") for name in ("Result", "Verdict", "Scope", "Mutants rejected"))))
        return E("table", E("caption", "Results"), head, E("tbody", *rows), class_="lp-table", id="results")

    def claim_table(self, claims: list[dict]) -> element:
        head = E("thead", E("tr", *(E("th", name, scope="col") for name in ("Where", "What it says", "Answered by"))))
        return E("table", E("caption", "Claims"), head, E("tbody", *map(self.claim_row, claims)), class_="lp-table lp-claims")

    def claim_row(self, claim: dict) -> element:
        answers = self.answers(claim)
        place = [E("strong", SOURCES[claim["seed"]]), ", ", claim["where"]] if "seed" in claim else [E("strong", "beyond the sources")]
        title = [E("strong", claim["title"], ". ")] if "title" in claim else []
        return E("tr",
                 E("th", *place, scope="row"),
                 E("td", *title, *self.markdown(claim["statement"])),
                 E("td", *([self.answered(answers)] if answers else [E("span", "not answered yet", class_="lp-open")]), data_label="answered by"),
                 id=f"claim-{claim['id']}", data_chapter=claim["chapter"])


    def answered(self, labels: list[str]) -> element:
        """The results with their verdicts: what a claim is worth is what they say, and nothing else."""
        return E("ul", *(E("li", deferred(what="link", of=label), " ", badge(self.index.results[label])) for label in labels))


def _killed(mutants: dict) -> str:
    return f"{mutants['killed']} of {mutants['tried']}" if mutants["tried"] else ""


class Errata(PageOfRecords):
    """What the sources print that is wrong, misprinted, imprecise or conditional, source by source."""

    def content_nodes(self) -> list[nodes.Node]:
        found = [claim for claim in self.claims() if claim.get("verdict") in ERRATA]
        sections = []
        for seed, name in SOURCES.items():
            entries = [claim for claim in found if claim["seed"] == seed]
            if entries:
                section = nodes.section("", nodes.title("", f"{seed}, {name}"), *map(self.entry, entries), ids=[f"errata-{seed}"], names=[f"errata-{seed}"])
                sections.append(section)
        return sections

    def entry(self, claim: dict) -> element:
        results = [self.index.results[label] for label in self.answers(claim)]
        rows = [("As printed", [E("p", *self.markdown(claim["statement"]))])]
        if results:
            rows += [row for record in results for row in self.evidence(record)]
            rows.append(("Checked in", [deferred(what="links", of=[record["label"] for record in results])]))
        else:
            rows.append(("Checked in", [E("p", E("span", "not answered yet", class_="lp-open"))]))
        judgement = ERRATA[claim["verdict"]] if results else "under examination"
        return E("div",
                 E("p", E("strong", claim["where"][0].upper() + claim["where"][1:]), E("span", judgement, class_="lp-judgement"), class_="lp-erratum-head"),
                 definitions(rows, "lp-erratum"),
                 id=f"erratum-{claim['id']}", class_="lp-entry")

    def evidence(self, record: dict) -> list[tuple]:
        """What contradicts the printed statement, and the result that replaces it; nothing where `record` is no refutation."""
        if record["kind"] != "refutation":
            return []
        found, corrected = record.get("counterexample"), record["corrected"]
        against = ("Counterexample", [counterexample(found, self.markdown)]) if found else ("Contradicted by", [deferred(what="links", of=record["uses"])])
        return [against, ("As it is", [deferred(what="statement", of=corrected), E("p", deferred(what="link", of=corrected))])]


class dependency_graph(nodes.General, nodes.Element):
    """Drawn when the page is written, since it shows numbers of results."""


class Graph(PageOfRecords):
    """The results as a drawing, and the same as a list."""

    def content_nodes(self) -> list[nodes.Node]:
        drawing = E("div", dependency_graph(), class_="lp-graph", tabindex="0", role="region", aria_label="Dependency graph of the results")
        legend = E("p", *(E("span", words, class_=f"lp-badge lp-{kind}") for kind, words in VERDICTS.items()
                          if any(verdict(record) == kind for record in self.index.results.values())), class_="lp-legend")
        lists = []
        for slug in self.index.chapters():
            own = [record for record in self.index.results.values() if record["chapter"] == slug]
            lists.append(E("details", E("summary", deferred(what="title", of=slug), f", {len(own)} results"), E("ul", *map(self.line, own))))
        return [legend, drawing, E("div", E("p", "The same in words."), *lists, class_="lp-graph-text")]

    def line(self, record: dict) -> element:
        rests = [" rests on ", deferred(what="links", of=record["uses"])] if record["uses"] else [" rests on no other result"]
        return E("li", deferred(what="link", of=record["label"]), *rests)


def visit_dependency_graph(self, node: dependency_graph) -> None:
    env = self.builder.env
    index = env.app.logpartition
    found = [graph.Node(label, number(env, label), record["title"], verdict(record), record["chapter"],
                        [used for used in record["uses"] if used in index.results],
                        self.builder.get_relative_uri(self.builder.current_docname, record["chapter"]) + f"#eq-{label}")
             for label, record in index.results.items()]
    titles = {slug: env.titles[slug].astext() for slug in index.chapters()}
    self.body.append(graph.draw(found, titles))
    raise nodes.SkipNode


def add_static(app) -> None:
    app.config.html_static_path = [*app.config.html_static_path, str(Path(__file__).parent / "static")]


def add_script(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """The ledger's filter is loaded by the ledger alone."""
    if pagename == "ledger":
        app.add_js_file("ledger.js", loading_method="defer")


def setup(app) -> dict:
    for name, directive in (("ledger", Ledger), ("errata", Errata), ("dependency-graph", Graph)):
        app.add_directive(name, directive)
    app.add_node(dependency_graph, html=(visit_dependency_graph, None))
    app.connect("builder-inited", add_static)
    app.connect("env-get-outdated", outdated)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
