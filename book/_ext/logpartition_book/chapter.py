"""What a chapter's page has besides its results: how long it takes and what it rests on, names for
its folded code, captions, and where to run it."""

import re
from hashlib import sha256
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

from logpartition._figure import live

from . import addresses, katex, launch, reproduce
from .index import deferred, number
from .launch import NOTEBOOKS, SOURCES
from .markup import E, around, element, printed
from .prose import HINT

_ALONE = re.compile(r"[,.;:!?)\]’”]+")
_LONG = 12  # characters: a longer formula may break across lines
WORDS, SECONDS = 200, 20  # words read in a minute, and seconds for a displayed formula
START = "first-steps"  # the chapter to read before any other


class Before(SphinxPostTransform):
    """Under a chapter's title: how long reading it takes, and which chapters its boxes use results
    of."""

    default_priority = 4  # before results from elsewhere stand in it, and before folds
    formats = ("html",)

    def run(self, **kwargs) -> None:
        title = self.document.next_node(nodes.title)
        if title and self.env.doc2path(self.env.docname).endswith(".ipynb"):
            said = E("p", *self.prerequisites(), self.reading(), class_="lp-before")
            title.parent.insert(title.parent.index(title) + 1, said)

    def prerequisites(self) -> list[nodes.Node | str]:
        slug, results = self.env.docname, self.app.logpartition.results
        used = {
            results[label]["chapter"]
            for record in results.values()
            if record["chapter"] == slug
            for label in record["uses"]
            if label in results
        }
        order = [one for one in self.app.logpartition.chapters() if one in used - {slug, START}]
        first = START in self.env.found_docs and slug != START
        parts = ["Before it: ", self.link(START), ". "] if first else []
        if order:
            listed = [part for one in order for part in ("; ", self.link(one))][1:]
            parts += ["Its boxes use results of: ", *listed, ". "]
        return parts

    def link(self, slug: str) -> element:
        number = ".".join(map(str, self.env.toc_secnumbers.get(slug, {}).get("", ())))
        name = [f"{number}. "] if number else []
        return E("a", *name, deferred(what="title", of=slug), href=f"{slug}.html")

    def reading(self) -> str:
        """The minutes, and what they were reckoned from."""
        words, formulas = counted(self.document, self.app.logpartition.results)
        minutes = max(1, round(words / WORDS + formulas * SECONDS / 60))
        several, each = "s" * (formulas != 1), ", each link of a chain for one," * (formulas > 1)
        return (
            f"About {minutes} minutes: some {round(words, -2):,} words at {WORDS} a minute, and"
            f" {formulas} displayed formula{several}{each} at {SECONDS} seconds; code, what it"
            " prints, evidence and answers are left out, hints are not."
        )


def counted(node: nodes.Node, results: dict) -> tuple[int, int]:
    """The words, of which a formula among them is one, and the displayed formulas, of which a link
    of a chain is one, of what is seen before anything is unfolded, and of hints."""
    if isinstance(node, nodes.math | nodes.math_block):
        display = isinstance(node, nodes.math_block) or node.get("display")
        return (0, 1) if display else (1, 0)
    if isinstance(node, nodes.Text):
        return sum(any(map(str.isalnum, word)) for word in node.split()), 0
    if isinstance(node, deferred):  # results by number and title
        if node["what"] == "number":  # the title beside it is text
            return 1, 0
        of = node["of"] if isinstance(node["of"], list) else [node["of"]]
        titles = (results[label]["title"] for label in of if label in results)
        return sum(1 + len(title.split()) for title in titles), 0
    if unseen(node):
        return 0, 0
    found = [counted(child, results) for child in node.children]
    return sum(words for words, _ in found), sum(formulas for _, formulas in found)


def unseen(node: nodes.Node) -> bool:
    """Whether a reader's time is not reckoned with it."""
    if isinstance(node, element):  # the first term of a chain is read with its first link
        apart = node["given"].get("class") in ("lp-start", "lp-imprint")
        return apart or node["name"] in ("details", "button", "small")
    return node.get("hide_mode") == "all" or isinstance(
        node, nodes.literal_block | nodes.raw | nodes.comment | printed
    )


class NameToggles(SphinxPostTransform):
    """Names what folds a cell after what the cell makes; myst-nb's own words are the same for
    all."""

    default_priority = 6  # after numbers are known, before myst-nb folds
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in self.document.findall(
            lambda node: isinstance(node, nodes.container) and node.get("hide_mode")
        ):
            cell["prompt_show"] = cell["prompt_hide"] = self.name(cell)

    def name(self, cell: nodes.container) -> str:
        labels = [
            node["ids"][0].removeprefix("eq-")
            for node in cell.findall(element)
            if "lp-result" in node["given"].get("class", "")
        ]
        made = " and ".join(f"({number(self.env, label)})" for label in labels) or (
            "the figure" if _figure(cell) else ""
        )
        what = "Answer" if cell["hide_mode"] == "all" else "Code"
        if what == "Answer":
            return f"Answer: {made}" if made else what
        return (
            f"Code for {made}"
            if made
            else "Code for the output below"
            if len(cell.children) > 1
            else "Code"
        )


def _figure(cell: nodes.Node) -> bool:
    return any(cell.findall(nodes.image)) or any(
        '<figure class="lp-figure"' in raw.astext() for raw in cell.findall(nodes.raw)
    )


def visit_fold(self, node: HideCodeCellNode) -> None:
    classes = " ".join(node["classes"])
    self.body.append(
        f'<details class="hide {classes}"><summary>{self.encode(node["prompt_show"])}</summary>\n'
    )


def depart_fold(self, node: HideCodeCellNode) -> None:
    self.body.append("</details>\n")


class AnswersFirst(SphinxPostTransform):
    """In a folded answer the answer comes first, and then its code in a fold of its own."""

    default_priority = 200  # after myst-nb has folded the cell
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in self.document.findall(nodes.container):
            fold = cell.children[0] if cell.get("hide_mode") == "all" and cell.children else None
            if isinstance(fold, HideCodeCellNode) and len(fold.children) == 2:
                source, output = fold.children
                code = HideCodeCellNode("", source, prompt_show="Code", prompt_hide="Code")
                code["classes"].append("above-input")
                fold.children = []
                fold.extend([output, code])


class LiveFigures(SphinxPostTransform):
    """A figure in the form for a page, whose sheet has its style."""

    default_priority = 3
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for raw in list(self.document.findall(nodes.raw)):
            raw[:] = [nodes.Text(live(raw.astext()))]


class CaptionFigures(SphinxPostTransform):
    """A figure and the paragraph in italics below it belong together."""

    default_priority = 6
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in list(
            self.document.findall(
                lambda node: (
                    isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"
                )
            )
        ):
            caption = cell.next_node(siblings=True, descend=False)
            if _figure(cell) and _in_italics(caption):
                output = cell.children[-1]
                for raw in output.findall(nodes.raw):  # one figure, not one inside another
                    html = (
                        raw.astext()
                        .replace('<figure class="lp-figure"', '<div class="lp-figure"')
                        .replace("</figure>", "</div>")
                    )
                    raw.children, raw["classes"] = [nodes.Text(html)], []
                caption.parent.remove(caption)
                shown, output.children = output.children, []
                said = around("figcaption", *caption[0].children, holds="typed")
                output.append(around("figure", *shown, said))


class FoldHints(SphinxPostTransform):
    """What stands between the two lines that open and close a hint is folded; either line alone
    stays, and is refused as HTML in the text."""

    default_priority = 6
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for line in [raw for raw in self.document.findall(nodes.raw) if _says(raw, HINT[0])]:
            parent, at = line.parent, line.parent.index(line)
            ends = (n for n, node in enumerate(parent[at:], at) if _says(node, HINT[1]))
            if end := next(ends, None):
                summary, said = E("summary", "Hint"), parent[at + 1 : end]
                folded = around("details", summary, *said, holds="typed", class_="lp-hint")
                parent[at : end + 1] = [folded]


def _says(node: nodes.Node, html: str) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == html


def _in_italics(node: nodes.Node | None) -> bool:
    return (
        isinstance(node, nodes.paragraph) and len(node) == 1 and isinstance(node[0], nodes.emphasis)
    )


class BindPunctuation(SphinxPostTransform):
    """Keeps a comma on the line of the short formula before it."""

    default_priority = 7
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for formula in list(self.document.findall(nodes.math)):
            after = formula.next_node(siblings=True, descend=False)
            sign = _ALONE.match(after.astext()) if isinstance(after, nodes.Text) else None
            if sign and katex.width(formula.astext()) <= _LONG:
                parent, at = formula.parent, formula.parent.index(formula)
                parent[at : at + 2] = [
                    around("span", formula.deepcopy(), sign[0], class_="lp-tight"),
                    nodes.Text(after.astext()[sign.end() :]),
                ]


class Former(SphinxPostTransform):
    """At the end of a page: what has the addresses of results that were on it, where that is on
    another page: the result itself, or another that has taken its place."""

    default_priority = 4  # before links are resolved
    formats = ("html",)

    def run(self, **kwargs) -> None:
        here, lines = f"{self.env.docname}#", []
        for old, new in self.env.logpartition_redirects.items():
            page, _, label = new.partition("#")
            if old.startswith(here) and (not label or f"{page}#" != here):
                name = old.removeprefix(here)
                place = (
                    deferred(what="link", of=label) if label else E("a", page, href=f"{page}.html")
                )
                said = " is at " if label == name else ": in its place there is "
                lines.append(E("p", E("code", name), said, place, id=f"eq-{name}"))
        if lines:
            title = E("summary", "Former addresses on this page")
            folded = E("details", title, *lines, class_="lp-entries")
            self.document.append(
                E("section", folded, class_="lp-moved", aria_label="Former addresses")
            )


class Imprint(SphinxPostTransform):
    """At a chapter's end: the notebook that it is, and how to run it."""

    default_priority = 8
    formats = ("html",)

    def run(self, **kwargs) -> None:
        source = Path(self.env.doc2path(self.env.docname))
        if source.suffix != ".ipynb":
            return
        config, slug = self.env.config, self.env.docname
        commit = self.env.logpartition_commits[slug]
        made = reproduce.made_of(config.version, commit)
        at = launch.repository(source.parents[1])
        self.document.append(
            E(
                "section",
                E(
                    "p",
                    "This page is a notebook, ",
                    E("a", f"{slug}.ipynb", href=f"{slug}.ipynb", download=""),
                    f" ({made})" if made else "",
                    f", shown with the outputs that its last run stored{reproduce.python(source)}. "
                    "In the file, references in the text are written out; the boxes name "
                    "results by their labels, and sources by their keys in ",
                    E("a", SOURCES, href=SOURCES, download=""),
                    ". In a copy of the repository, ",
                    E("code", f"make run CHAPTERS={slug}"),
                    " decides every link of its chains anew, with "
                    f"{reproduce.versions(source, reproduce.imported(source))}. "
                    "Break a step, and the run names the step. "
                    "All notebooks, written in the same way, are in ",
                    E("a", NOTEBOOKS, href=NOTEBOOKS, download=""),
                    ", with the library.",
                    *([" This one runs in ", *launch.links(at, slug), "."] if at else []),
                ),
                id="reproduce",
                class_="lp-colophon",
                aria_label="About this page",
                data_book=config.html_title,
                data_edition=reproduce.edition(config.version, commit),
                data_year=config.copyright[:4],
            )
        )


class NumberCells(SphinxPostTransform):
    """Gives the cells that make results an address, as `Reproduce` names them."""

    default_priority = 6  # before myst-nb folds
    formats = ("html",)

    def run(self, **kwargs) -> None:
        cells = self.document.findall(
            lambda node: isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"
        )
        for count, cell in enumerate(list(cells), 1):
            if any("lp-result" in node["given"].get("class", "") for node in cell.findall(element)):
                cell["ids"].append(f"cell-{count}")


def redirected(app, env, docnames) -> None:
    env.logpartition_redirects = addresses.redirects(Path(app.srcdir).parent)


def outdated(app, env) -> list[str]:
    """Chapters committed since their pages were written."""
    found = {
        docname: reproduce.commit(path)
        for docname in env.found_docs
        if (path := Path(env.doc2path(docname))).suffix == ".ipynb"
    }
    before, env.logpartition_commits = getattr(env, "logpartition_commits", {}), found
    return [docname for docname in found if before.get(docname) != found[docname]]


def restored(app, env, added, changed, removed) -> list[str]:
    """Pages whose source is another one, also where it is older than the page; and with them those
    that read this source.
    """
    found = {
        docname: sha256(Path(env.doc2path(docname)).read_bytes()).hexdigest()
        for docname in env.found_docs
    }
    before, env.logpartition_sources = getattr(env, "logpartition_sources", {}), found
    others = {docname for docname in before if before[docname] != found.get(docname)}
    paths = {env.doc2path(docname) for docname in others}
    others |= {docname for docname, read in env.dependencies.items() if paths & {*map(str, read)}}
    return sorted(others & found.keys())


def setup(app) -> dict:
    for transform in (
        Before,
        LiveFigures,
        NameToggles,
        NumberCells,
        AnswersFirst,
        CaptionFigures,
        FoldHints,
        BindPunctuation,
        Former,
        Imprint,
    ):
        app.add_post_transform(transform)
    app.connect(
        "config-inited",
        lambda app, config: app.add_node(
            HideCodeCellNode, override=True, html=(visit_fold, depart_fold)
        ),
        priority=900,
    )
    app.connect("env-before-read-docs", redirected)
    app.connect("env-get-outdated", restored)
    app.connect("env-get-updated", outdated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
