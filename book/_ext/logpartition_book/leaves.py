"""A page for each result, `result/<label>.html`: an address that stays when the result moves to
another chapter, light enough to be opened from a citation; former labels lead on."""

from html import escape
from pathlib import Path
from textwrap import shorten

from . import katex, plain
from .addresses import redirects
from .index import address, number, verdict, words
from .objects import chain
from .results import FORMULA, WORDS, announced

FOLDER = "result"
STYLE = """
:root { --text: #111; --ground: #fff; --link: #0b4f8a; --line: #8886; }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --text: #e6e6e6; --ground: #14181e; --link: #8ab8f0; }
}
html { color: var(--text); background: var(--ground); } a { color: var(--link); }
body { max-width: 44rem; margin: 0 auto; padding: 1rem; font: 1.05rem/1.55 Georgia, serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.1rem; margin-bottom: 0; }
nav, footer, .verdict { font: .9rem/1.5 system-ui, sans-serif; }
.display { overflow-x: auto; padding: .3rem 0; }
.lp-wide {
  display: inline-block; max-width: 100%; overflow: auto hidden; padding: .3rem 0;
  vertical-align: middle;
}
blockquote { margin: 0; padding-left: .8rem; border-left: 3px solid var(--line); }
ol { list-style: none; padding: 0; } li > small { font-family: system-ui, sans-serif; }
footer { margin-top: 2rem; padding-top: .6rem; border-top: 1px solid var(--line); }
"""


def page(env, results: dict, record: dict, book: str, edition: str) -> str:
    """The page of a result: what it says, under which conditions, and where it is derived."""
    title = plain.text(record["title"])
    said = f"{record['text']}\n\n{record.get('correction', '').replace('$$', '$')}"
    about = katex.text(record["statement"]) or plain.text(said)
    about = shorten(f"{words(record)}: {about}", 200, placeholder=" …")
    place = f"{env.titles[record['chapter']].astext()} ({number(env, record['label'])})"
    to, shown = address(record["chapter"], record["label"]), record.get("corrected")

    def link(label):
        return f'<a href="{label}.html">{plain.html(results[label]["title"])}</a>'

    content = [
        f"<h1>{plain.html(record['title'])}</h1>",
        f'<p class="verdict" data-verdict="{verdict(record)}">{escape(words(record))}</p>',
        formula(record["statement"]),
        links(chain(record)) if len(record["steps"]) > 1 else "",
        *(
            (printed(record), under("Why", plain.paragraphs(record["text"])), instead(record, link))
            if record["kind"] == "refutation"
            else (plain.paragraphs(record["text"]),)
        ),
        listed("Assumes", map(plain.html, record["assumptions"])),
        listed("Where", map(plain.html, record["where"])),
        listed("Rests on", [link(used) for used in record["uses"] if used != shown]),
        f'<p>It stands in <a href="../{to}">{escape(place)}</a>, with code and evidence.</p>',
    ]
    return framed(title, about, book, edition, "\n".join(filter(None, content)))


def printed(record: dict) -> str:
    """What a source says that is not so: its words, or its formula."""
    kind, says = announced(record), record["printed"]
    if kind == FORMULA:
        return under(kind, formula(says))
    said = plain.paragraphs(says)
    return under(kind, f"<blockquote>{said}</blockquote>" if kind == WORDS else said)


def instead(record: dict, link) -> str:
    """What is so, with a link to the result that says it."""
    said = record["correction"]
    shown = formula(said[2:-2]) if said.startswith("$$") else plain.paragraphs(said)
    return under("True instead", f"{shown}<p>{link(record['corrected'])}</p>")


def formula(tex: str) -> str:
    return f'<div class="display" tabindex="0">{katex.mathml(tex)}</div>' if tex else ""


def links(steps: list[dict]) -> str:
    """The terms of a chain, one below the other."""
    rows = [steps[0]["left"], *(f"{step['relation']} {step['right']}" for step in steps)]
    rows = [row.replace("≤", r"\le").replace("≥", r"\ge") for row in rows]
    return "<ol>" + "".join(f"<li>{formula(row)}</li>" for row in rows) + "</ol>"


def listed(name: str, items) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    return under(name, f"<ul>{rows}</ul>" if rows else "")


def under(name: str, content: str) -> str:
    """The content under a heading; neither where there is none."""
    return content and f"<h2>{name}</h2>{content}"


def framed(title: str, about: str, book: str, edition: str, content: str, head: str = "") -> str:
    tags = {"og:title": title, "og:description": about, "og:type": "article", "og:site_name": book}
    meta = "".join(f'<meta property="{key}" content="{escape(tags[key])}">' for key in tags)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} — {escape(book)}</title>"
        f'<meta name="description" content="{escape(about)}">{meta}{head}'
        '<link rel="icon" href="../_static/favicon.svg">'
        f"<style>{STYLE}</style></head><body>"
        f'<nav><a href="../index.html">{escape(book)}</a></nav><main>{content}</main>'
        f"<footer>{escape(edition)}</footer></body></html>\n"
    )


def forward(target: str, book: str, edition: str) -> str:
    """The page of a former label: it leads to the result, or to the page, that took its place."""
    page, _, label = target.partition("#")
    to = f"{label}.html" if label else f"../{page}.html"
    content = f'<h1>This result has moved</h1><p><a href="{to}">It is here.</a></p>'
    head = f'<meta http-equiv="refresh" content="0; url={to}">'
    return framed("This result has moved", "A former address", book, edition, content, head)


def written(app, error) -> None:
    """The pages, beside those of the chapters."""
    if error is not None or app.builder.format != "html":
        return
    folder, book = Path(app.outdir) / FOLDER, app.config.html_title
    edition = f"{book}, version {app.config.version}" if app.config.version else book
    results = app.logpartition.results
    pages = {
        label: page(app.env, results, record, book, edition) for label, record in results.items()
    }
    for old, new in redirects(Path(app.srcdir).parent).items():
        label = old.partition("#")[2]
        if label and label not in pages:
            pages[label] = forward(new, book, edition)
    folder.mkdir(exist_ok=True)
    for label, content in pages.items():
        (folder / f"{label}.html").write_text(content, encoding="utf-8")


def setup(app) -> dict:
    app.connect("build-finished", written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
