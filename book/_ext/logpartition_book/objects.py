"""Results as objects: `results.json` beside the pages, with its schema, for programs; and the data
of the cards that a reference shows to readers.
"""

import json
import re
from html import escape
from pathlib import Path

from logpartition.proof.display import FORMULA, announced

from . import katex, plain, symbols
from .index import BIBLIOGRAPHY, address, named, number, origin, parted, verdict, words
from .schema import COUNT, SLUG, WORDS, either, entry, every

TEXT = {"type": "string"}
TEXTS = every(TEXT)
LABELS = every(SLUG)
KINDS = ("derivation", "theorem", "refutation", "observation", "citation")
LINK = entry(
    {"left": TEXT, "relation": either("=", "≤", "≥", "<", ">"), "right": TEXT}, closed=True
)
USED = entry({"label": SLUG, "fingerprint": TEXT}, {"statement": TEXT, "facts": TEXTS, "at": TEXTS})
STEP = entry(
    {"relation": TEXT, "term": TEXT, "why": TEXTS},
    {"certificate": TEXT, "using": TEXTS, "by": TEXT},
    closed=True,
)
TERMS = entry(  # see logpartition.proof.recorded
    {"let": TEXTS},
    {
        **dict.fromkeys("start claim over middle reason printed corrected".split(), TEXT),
        **dict.fromkeys("indices given rests_on by".split(), TEXTS),
        "steps": every(STEP),
        "uses": every(USED),
    },
    closed=True,
)
RESULT = entry(
    {
        "label": SLUG,
        "title": WORDS,
        "number": TEXT,
        "address": {"type": "string", "pattern": "#eq-"},
        "page": {"type": "string", "pattern": "^result/"},
        "chapter": SLUG,
        "kind": either(*KINDS),
        "verdict": WORDS,
        "scope": TEXT,
        "statement": TEXT,
        "chain": every(LINK),
        "terms": {"anyOf": [TERMS, {"type": "null"}]},
        "text": TEXT,
        "printed": TEXT,
        "correction": TEXT,
        "assumptions": TEXTS,
        "where": TEXTS,
        "uses": LABELS,
        "sources": every(entry({"key": WORDS, "place": TEXT}, closed=True)),
        "claims": TEXTS,
        "certifies": TEXTS,
        "oracles": TEXTS,
        "mutants": entry({"tried": COUNT, "killed": COUNT, "equivalent": COUNT}, closed=True),
        "fingerprint": TEXT,
    },
    closed=True,
)
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "The results of the book",
    "description": "Formulas are TeX; texts are MyST Markdown, with TeX between dollar signs,"
    " {eq}`eq-LABEL` for the result of a label, and {cite}`KEY` and the like for a key of"
    " references.bib. What a"
    " correction corrects is `printed`, and what is true instead is `correction`: texts, which are"
    " empty for all other results. `terms` is the SymPy form, from which a result is decided again:"
    " calls that logpartition.proof.terms reads, of SymPy's functions and the book's own, with the"
    " names that `let` makes, in this order. A chain is its `start` and the `term` of each of its"
    " `steps`, an induction its `claim`, a correction what is `printed`; null where no program"
    " decides the result. `sources` are keys of references.bib, each with the place that a result"
    " cites, corrects or is about, where there is one in particular. An address is that of the"
    " result's box, relative to the site.",
    **entry({"title": WORDS, "version": TEXT, "results": every(RESULT)}, closed=True),
}
CITED = re.compile(r"\{cite:?\w*\}`([^`]+)`")
KEPT = (
    "label title chapter kind scope statement text assumptions where uses claims certifies oracles"
)


def published(env, record: dict, claims: dict) -> dict:
    """What a program is given of a result."""
    return {
        **{key: record[key] for key in KEPT.split()},
        "number": number(env, record["label"]),
        "address": address(record["chapter"], record["label"]),
        "page": f"result/{record['label']}.html",
        "verdict": words(record),
        "chain": chain(record),
        "terms": record.get("terms"),
        "sources": sources(record, claims),
        "printed": source(record),
        "correction": record.get("correction", ""),
        "mutants": record["mutants"],
        "fingerprint": record["fingerprint"],
    }


def chain(record: dict) -> list[dict]:
    """The links of a chain, each with both of its sides."""
    found, left = [], record.get("start", "")
    for step in record["steps"]:
        left = step.get("left") or left
        found.append({"left": left, "relation": step["relation"], "right": step["latex"]})
        left = step["latex"]
    return found


def sources(record: dict, claims: dict) -> list[dict]:
    """What it cites, what it corrects or else what its claims are of, and the sources that its
    words name."""
    found = [(record.get("source"), record.get("number"))]
    decided = [claims[one] for one in record["claims"] if "seed" in claims.get(one, ())]
    places = [record["location"]] if "location" in record else map(origin, decided)
    found += [(BIBLIOGRAPHY.get(parted(place)[0]), place) for place in places]
    cited = CITED.findall(json.dumps(record, ensure_ascii=False))
    named = (key.strip() for keys in cited for key in keys.split(","))
    known = {key for key, _ in found}
    found += [(key, "") for key in dict.fromkeys(named) if key not in known]
    return [{"key": key, "place": place} for key, place in dict.fromkeys(found) if key]


def source(record: dict) -> str:
    """What a correction corrects, as a text: a formula between dollar signs, or words."""
    if record["kind"] != "refutation":
        return ""
    printed = record["printed"]
    return f"$${printed}$$" if announced(record) == FORMULA else printed


def card(env, record: dict, found: dict) -> dict:
    """What a reader is shown of a result: its statement as MathML, or its words; of a correction,
    what is true, with what the result assumes that says so.
    """

    def role(name, target):
        return escape(named(env, name, target))

    said = record.get("correction", "").replace("$$", "$") or record["text"]
    true = found.get(record.get("corrected"), {"where": [], **record})
    return {
        "number": number(env, record["label"]),
        "title": record["title"],
        "verdict": verdict(record),
        "badge": words(record),
        "math": katex.mathml(record["statement"]) if record["statement"] else "",
        "text": "" if record["statement"] else plain.paragraphs(said, role=role),
        "given": [plain.html(one, role=role) for one in true["assumptions"]],
        "where": [plain.html(one, role=role) for one in true["where"]],
    }


def notation(env) -> list[dict]:
    """What a reader is shown of symbols."""
    kept = "letters said means".split()
    return [{key: row[key] for key in kept} for row in symbols.symbols(env)]


def written(app, error) -> None:
    """The files, beside the pages that are there."""
    if error is not None or app.builder.format != "html":
        return
    out, env, found = Path(app.outdir), app.env, app.logpartition.results
    claims = app.logpartition.claims
    book = {
        "title": app.config.html_title,
        "version": app.config.version,
        "results": [published(env, record, claims) for record in found.values()],
    }
    cards = {label: card(env, record, found) for label, record in found.items()}
    data = {"CARDS": cards, "SYMBOLS": notation(env), "BADGES": symbols.badges(Path(app.srcdir))}
    for name, content in {
        "results.json": json.dumps(book, ensure_ascii=False, indent=1),
        "results.schema.json": json.dumps(SCHEMA, indent=1),
        "_static/cards-data.js": "\n".join(
            f"const {key} = {json.dumps(one, ensure_ascii=False, separators=(',', ':'))};"
            for key, one in data.items()
        ),
    }.items():
        (out / name).write_text(content + "\n", encoding="utf-8")


def setup(app) -> dict:
    app.add_js_file("cards.js", loading_method="defer")
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
