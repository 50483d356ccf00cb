"""A page for each result, `result/<label>.html`: an address that stays when the result moves to
another chapter, light enough to be opened from a citation; former labels lead on."""

import re
from html import escape
from pathlib import Path
from textwrap import shorten

from . import katex
from .addresses import redirects
from .index import address, number, verdict, words
from .objects import chain, html

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
ol { list-style: none; padding: 0; } li > small { font-family: system-ui, sans-serif; }
footer { margin-top: 2rem; padding-top: .6rem; border-top: 1px solid var(--line); }
"""


def plain(text: str) -> str:
    """Markdown with TeX between dollar signs, as characters in a row."""
    parts = (katex.text(part) if i % 2 else part for i, part in enumerate(text.split("$")))
    return " ".join(re.sub(r"\{[\w:]+\}`([^`]*)`|[*`]", r"\1", "".join(parts)).split())


def page(env, results: dict, record: dict, book: str, edition: str) -> str:
    """The page of a result: what it says, under which conditions, and where it is derived."""
    title = plain(record["title"])
    said = f"{record['text']}\n\n{record.get('correction', '').replace('$$', '$')}"
    about = shorten(
        f"{words(record)}: {katex.text(record['statement']) or plain(said)}", 200, placeholder=" …"
    )
    place = f"{env.titles[record['chapter']].astext()} ({number(env, record['label'])})"
    to = address(record["chapter"], record["label"])
    corrected = record.get("corrected")

    def link(label):
        return f'<a href="{label}.html">{html(results[label]["title"])}</a>'

    content = [
        f"<h1>{html(record['title'])}</h1>",
        f'<p class="verdict" data-verdict="{verdict(record)}">{escape(words(record))}</p>',
        formula(record["statement"]),
        links(chain(record)) if len(record["steps"]) > 1 else "",
        *(f"<p>{html(part)}</p>" for part in re.split(r"\n\s*\n", said) if part.strip()),
        listed("True instead", [link(corrected)] if corrected else []),
        listed("Assumes", map(html, record["assumptions"])),
        listed("Where", map(html, record["where"])),
        listed("Rests on", map(link, record["uses"])),
        f'<p>It stands in <a href="../{to}">{escape(place)}</a>, with code and evidence.</p>',
    ]
    return framed(title, about, book, edition, "\n".join(filter(None, content)))


def formula(tex: str) -> str:
    return f'<div class="display" tabindex="0">{katex.mathml(tex)}</div>' if tex else ""


def links(steps: list[dict]) -> str:
    """The terms of a chain, one below the other."""
    rows = [steps[0]["left"], *(f"{step['relation']} {step['right']}" for step in steps)]
    rows = [row.replace("≤", r"\le").replace("≥", r"\ge") for row in rows]
    return "<ol>" + "".join(f"<li>{formula(row)}</li>" for row in rows) + "</ol>"


def listed(name: str, items) -> str:
    rows = "".join(f"<li>{item}</li>" for item in items)
    return f"<h2>{name}</h2><ul>{rows}</ul>" if rows else ""


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
