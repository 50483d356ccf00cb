"""A page for each result, `result/<label>.html`: an address that stays when the result moves to
another chapter, light enough to be opened from a citation; former labels lead on."""

import re
from functools import partial
from html import escape
from pathlib import Path
from textwrap import shorten

from docutils import nodes

from logpartition.proof.display import (
    FORMULA,
    RELATIONS,
    WORDS,
    announced,
    assumed,
    failure,
    rule,
)

from . import katex, launch, plain, reproduce, theme, unread
from .addresses import redirects
from .index import address, named, number, permanent, source, too_long, verdict, words
from .results import alone, in_tex, measurement, remark

FOLDER = "result"
KATEX = '<link rel="stylesheet" href="../_static/katex/katex.min.css">'
THEME = """
try {
  const mode = localStorage.getItem("mode");
  if (["light", "dark"].includes(mode)) document.documentElement.style.colorScheme = mode;
} catch {}
"""  # what the site's button chose; without a script the page follows the system
STYLE = """
:root {
  color-scheme: light dark; --line: #8886;
  --text: light-dark(#222832, #ced6dd); --ground: light-dark(#fff, #121212);
  --link: light-dark(#24527a, #8fbce6); --quiet: light-dark(#5d5a54, #a9adb5);
}
html { color: var(--text); background: var(--ground); } a { color: var(--link); }
body {
  max-width: 46rem; margin: 0 auto; padding: 1rem;
  font: 1.05rem/1.55 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif;
}
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.1rem; margin-bottom: 0; }
code { font-size: .9em; overflow-wrap: anywhere; }
nav, footer, .verdict { font: .9rem/1.5 system-ui, sans-serif; }
.katex { font-size: 1.08em; }
.display, .start, .term { overflow: auto hidden; padding: .4rem .15em .4rem 0; }
:is(.display, .start, .term) .katex-base { margin-block: .5em; }
.chain { display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: baseline; }
.step {
  grid-column: 2; display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 1.5rem;
  min-width: 0; padding-left: .3rem;
}
.term { max-width: 100%; }
.display + .chain { border-top: 1px solid var(--line); padding-top: .6rem; margin-top: .6rem; }
.reason {
  flex: 0 0 13rem; box-sizing: border-box; margin-left: auto; color: var(--quiet);
  font-size: .9rem; line-height: 1.4; overflow-wrap: anywhere;
}
.reason:empty { display: none; }
.remark { display: block; font-style: italic; }
.remark::before { content: "remark: "; font-style: normal; }
.long { grid-template-columns: 1.6rem minmax(0, 1fr); } .long > .start { grid-column: 1 / -1; }
.lp-wide {
  display: inline-block; max-width: 100%; overflow: auto hidden; padding: .3rem 0;
  vertical-align: middle;
}
pre { user-select: all; font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { font: .9rem/1.8 system-ui, sans-serif; cursor: pointer; }
blockquote { margin: 0; padding-left: .8rem; border-left: 3px solid var(--line); }
.lp-unread-note { padding: .3rem .8rem; border: 1px solid var(--quiet); }
footer { margin-top: 2rem; padding-top: .6rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  .chain { grid-template-columns: .6rem minmax(0, 1fr); } .start { grid-column: 1 / -1; }
  .reason { flex-basis: 100%; padding: 0 0 .5rem 1.4rem; margin: 0; }
}
@media print { :root { color-scheme: light !important; } }
"""


class Leaf:
    """The page of one result: what it says, under which conditions, and where it is derived."""

    def __init__(self, env, results: dict, record: dict, at: str = ""):
        self.env, self.results, self.record, self.at = env, results, record, at

    def about(self) -> str:
        """The result in a line, with what it assumes, for machines."""
        record, name = self.record, partial(named, self.env)
        true = record.get("correction", "").replace("$$", "$")
        said = katex.text(record["statement"]) or plain.text(record["text"], name)
        said = shorten(said, 150, placeholder=" …") if true else said
        said += f" True instead: {plain.text(true, name)}" if true else ""
        true = self.results[record["corrected"]] if record["kind"] == "refutation" else record
        given = "; ".join(plain.text(one, name) for one in true["assumptions"])
        given = f". Assumes {given}" if given else ""
        said = said.rstrip(".") if given else said
        return shorten(f"{words(record)}: {said}{given}", 300, placeholder=" …")

    def content(self) -> str:
        record = self.record
        shown = [record.get("corrected"), *record.get("against", ())]  # as a correction has them
        place = (
            f"{self.env.titles[record['chapter']].astext()} ({number(self.env, record['label'])})"
        )
        to = address(record["chapter"], record["label"])
        steps, wrong = record["steps"], record["kind"] == "refutation"
        true = self.results[record["corrected"]] if wrong else {"assumptions": [], "where": []}
        beside = "" if record["kind"] == "citation" else ", with its evidence"
        content = [
            f"<h1>{escape(record['title'])}</h1>",
            f'<p class="verdict" data-verdict="{verdict(record)}">{escape(words(record))}</p>',
            "" if steps and alone(record) else formula(record["statement"]),
            self.chain() if steps else "",
            *(self.erratum() if wrong else [self.said(record["text"])]),
            under("Argument", self.said(record.get("argument", ""))),
            under("Source", self.source()),
            listed("Measurement", self.measured() if record["kind"] == "observation" else ()),
            listed(assumed(record), map(self.html, record["assumptions"])),
            listed("Where", map(self.html, record["where"])),
            listed("For what is correct", map(self.html, true["assumptions"] + true["where"])),
            listed("Rests on", [self.used(used) for used in record["uses"] if used not in shown]),
            listed("Used by", map(self.titled, self.users())),
            f'<p>It stands in <a href="../{to}">{escape(place)}</a>{beside}.</p>',
            under("Reproduce", self.reproduced()),
            under("Cite", self.cited()),
        ]
        return "\n".join(filter(None, content))

    def source(self) -> str:
        """What a theorem of others is cited from, and where it stands there."""
        if self.record["kind"] != "citation":
            return ""
        said = f"{{cite:t}}`{self.record['source']}`, {self.record['number']}"
        return f"<p>{self.html(said)}</p>"

    def measured(self) -> list[str]:
        """A line for each number of a measurement."""
        return [f"{name}: {self.html(said)}" for name, said in measurement(self.record) if said]

    def cited(self) -> str:
        """A sentence to cite by, with the address of this page."""
        record, config = self.record, self.env.config
        at = reproduce.edition(config.version, self.env.logpartition_commits[record["chapter"]])
        said = ", ".join(filter(None, [f"“{record['title']}”", words(record)]))
        book, page = config.html_title, permanent(config, f"{FOLDER}/{record['label']}.html")
        sentence = f"{escape(said)}, <cite>{escape(book)}</cite>, {escape(f'{at}, {page}')}"
        forms = {"BibTeX": self.bibtex(at, page), "RIS": self.ris(at, page)}
        folded = (
            f"<details><summary>{name}</summary><pre>{escape(form)}</pre></details>"
            for name, form in forms.items()
        )
        return f"<p>{sentence}</p>{''.join(folded)}"

    def bibtex(self, at: str, page: str) -> str:
        """An entry of a bibliography, as the box has it but for the address, which is this page's,
        where the settings say at which one the site stands."""
        record, config = self.record, self.env.config
        book = config.html_title
        key = re.sub(r"\W+", "-", book.lower())
        where = ", ".join(filter(None, [book, at, words(record)]))
        fields = {
            "author": f"{{The authors of ``{book}''}}",
            "title": f"{{{''.join(map(in_tex, record['title']))}}}",
            "howpublished": f"In: {''.join(map(in_tex, where))}",
            "year": config.copyright[:4],
            "url": page if config.html_baseurl else "",
        }
        lines = ",\n".join(f"  {name} = {{{said}}}" for name, said in fields.items() if said)
        return f"@misc{{{key}:{record['label']},\n{lines}\n}}"

    def ris(self, at: str, page: str) -> str:
        record, config = self.record, self.env.config
        rows = {
            "TY": "GEN",
            "TI": record["title"],
            "AU": f"The authors of “{config.html_title}”",
            "T2": config.html_title,
            "PY": config.copyright[:4],
            "N1": ", ".join(filter(None, [at, words(record)])),
            "UR": page if config.html_baseurl else "",
        }
        lines = [f"{name}  - {said}" for name, said in rows.items() if said]
        return "\n".join([*lines, "ER  - "])

    def reproduced(self) -> str:
        """What it takes to have the result again, a line each."""
        record, config = self.record, self.env.config
        slug, label, mark = record["chapter"], record["label"], record["fingerprint"]
        notebook = Path(self.env.doc2path(slug))
        needed = reproduce.heavy(notebook, label)
        alone = f"<code>{reproduce.CHECK} {label}</code>"
        by_record = f", and {alone} from its record alone" if "terms" in record else ""
        made = reproduce.made_of(config.version, self.env.logpartition_commits[slug])
        lines = [
            reproduce.untried(record, needed),
            self.cell(notebook),
            escape(made[:1].upper() + made[1:]),
            f"The notebook runs with {reproduce.versions(notebook, reproduce.imported(notebook))};"
            f" its outputs are stored{reproduce.python(notebook)}",
            f"In the repository, <code>make run CHAPTERS={slug}</code> {reproduce.does(record)} it"
            f" anew{by_record}",
            f"Fingerprint <code>{mark}</code>" if mark else "",
        ]
        return f"<ul>{''.join(f'<li>{line}</li>' for line in lines if line)}</ul>"

    def cell(self, notebook: Path) -> str:
        """Which cell of the notebook makes the result, and where that can be had and run."""
        slug, number = notebook.stem, reproduce.cell(notebook, self.record["label"])
        places = launch.places(self.at, slug).items() if self.at else ()
        runs = " or ".join(f'<a href="{to}">{name}</a>' for name, to in places)
        runs = (
            runs and f", to run in {runs} (in Colab after a first cell, which fetches the library)"
        )
        return (
            f'<a href="../{slug}.html#cell-{number}">Code cell {number}</a> of'
            f' <a href="../{slug}.ipynb" download>{slug}.ipynb</a>{runs}'
        )

    # texts

    def html(self, markdown: str) -> str:
        return plain.html(markdown, inline, self.role)

    def said(self, markdown: str) -> str:
        return plain.paragraphs(markdown, inline, self.role)

    def role(self, name: str, target: str) -> str:
        """A reference in a text: to a result, or to a source."""
        said, to = escape(named(self.env, name, target)), ""
        if name == "eq":
            to = f"{target.removeprefix('eq-')}.html"
        elif name.startswith("cite") and (found := source(self.env, name, target)):
            to = f"../{found.next_node(nodes.reference)['refuri']}"
        return f'<a href="{to}">{said}</a>' if to else said

    def used(self, label: str) -> str:
        """A result that it rests on, with what for, where the argument says it."""
        purposes = {part["label"]: part["purpose"] for part in self.record.get("parts", ())}
        purpose = f": {self.html(purposes[label])}" if purposes.get(label) else ""
        return f"{self.titled(label)}{purpose}"

    def users(self) -> list[str]:
        mine = self.record["label"]
        return [label for label, record in self.results.items() if mine in record["uses"]]

    def titled(self, label: str) -> str:
        said = f"({number(self.env, label)}) {self.results[label]['title']}"
        return f'<a href="{label}.html">{escape(said)}</a>'

    # a chain

    def chain(self) -> str:
        """The terms, aligned at the relation signs, the reason beside each."""
        record = self.record
        starts = [record["start"], *(step["left"] for step in record["steps"] if step.get("left"))]
        rows = [] if record["steps"][0].get("left") else [_term(record["start"], "start")]
        for step in record["steps"]:
            rows += [_term(step["left"], "start")] if step.get("left") else []
            term = _term(f"{{}}{RELATIONS[step['relation']]} {step['latex']}", "term")
            reason = f'<div class="reason">{self.reason(step)}</div>'
            rows.append(f'<div class="step">{term}{reason}</div>')
        long = " long" if too_long(starts) else ""
        return f'<div class="chain{long}">{"".join(rows)}</div>'

    def reason(self, step: dict) -> str:
        remarks = (f'<span class="remark">{self.html(one)}</span>' for one in remark(step))
        return self.html(rule(step)) + "".join(remarks)

    # a correction

    def erratum(self) -> list[str]:
        """What is printed, why and where it is false, and what is so instead."""
        record = self.record
        return [
            self.printed(),
            self.fails(),
            listed("Contradicted by", map(self.titled, record["against"])),
            under("Why", self.said(record["text"])),
            self.instead(),
        ]

    def printed(self) -> str:
        """What a source says that is not so: its words, or its formula."""
        kind, says = announced(self.record), self.record["printed"]
        said = formula(says) if kind == FORMULA else self.said(says)
        said = f"<blockquote>{said}</blockquote>" if kind == WORDS else said
        return under(kind, said + "<p>A misprint.</p>" * self.record["misprint"])

    def fails(self) -> str:
        """The point at which a formula is false, with its two sides there."""
        found = self.record["counterexample"]
        return under("Fails", self.said(failure(found))) if found else ""

    def instead(self) -> str:
        """What is so, with a link to the result that says it."""
        said = self.record["correction"]
        shown = formula(said[2:-2]) if said.startswith("$$") else self.said(said)
        return under("True instead", f"{shown}<p>{self.titled(self.record['corrected'])}</p>")


def formula(tex: str) -> str:
    return _term(tex, "display") if tex else ""


def _term(tex: str, name: str) -> str:
    """A formula on a line of its own, which breaks where the site breaks it."""
    shown = katex.html(rf"\displaystyle {tex}")
    return f'<div class="{name}" tabindex="0">{shown}</div>'


def inline(tex: str) -> str:
    """A formula in a line; a wide one that cannot break is marked."""
    found = katex.html(tex)
    wide = katex.widest(tex) > katex.NARROW
    return f'<span class="lp-wide" tabindex="0">{found}</span>' if wide else found


def listed(name: str, items) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    return under(name, f"<ul>{rows}</ul>" if rows else "")


def under(name: str, content: str) -> str:
    """The content under a heading; neither where there is none."""
    return content and f"<h2>{name}</h2>{content}"


def page(leaf: Leaf, config) -> str:
    at = f"{FOLDER}/{leaf.record['label']}.html"
    return framed(config, leaf.record["title"], leaf.about(), at, leaf.content(), KATEX)


def framed(config, title: str, about: str, at: str, content: str, head: str = "") -> str:
    """A page of the folder; `at` is the address of what it shows or leads to."""
    book = escape(config.html_title)
    whole = f'<link rel="canonical" href="{permanent(config, at)}">' if config.html_baseurl else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} — {book}</title>"
        f"{theme.tags(config, title, about, at, '../')}{whole}{head}"
        '<link rel="icon" href="../_static/favicon.svg">'
        f"<style>{STYLE}</style><script>{THEME}</script></head><body>"
        f'<nav><a href="../index.html">{book}</a></nav><main>{content}</main>'
        f"<footer>{', '.join([book, *version(config)])}</footer></body></html>\n"
    )


def version(config) -> list[str]:
    return [f"version {escape(config.version)}"] if config.version else []


def forward(config, target: str) -> str:
    """The page of a former label: it leads to the result, or to the page, that has taken its
    place."""
    page, _, label = target.partition("#")
    at = f"{FOLDER}/{label}.html" if label else f"{page}.html"
    to = f"{label}.html" if label else f"../{page}.html"
    content = f'<h1>A former address</h1><p><a href="{to}">What has taken its place</a></p>'
    head = f'<meta http-equiv="refresh" content="0; url={to}">'
    return framed(config, "A former address", "Of a former result", at, content, head)


def written(app, error) -> None:
    """The pages, beside those of the chapters."""
    if error is not None or app.builder.format != "html":
        return
    folder, results = Path(app.outdir) / FOLDER, app.logpartition.results
    repository = launch.repository(Path(app.srcdir).parent)
    pages = {
        label: unread.of_result(
            app, record, page(Leaf(app.env, results, record, repository), app.config)
        )
        for label, record in results.items()
    }
    for old, new in redirects(Path(app.srcdir).parent).items():
        label = old.partition("#")[2]
        if label and label not in pages:
            pages[label] = forward(app.config, new)
    folder.mkdir(exist_ok=True)
    for label, content in pages.items():
        (folder / f"{label}.html").write_text(content, encoding="utf-8")


def setup(app) -> dict:
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
