"""`python -m logpartition_book.paper`: the book as one PDF of A4 pages, printed by Chromium.

The pages of the site become one document, with the numbers that they have there: ids get their
page's name in front, links lead within the document, answers and evidence are unfolded, code stays
folded, and the size of wide formulas is that of a page that a reader prints.
It is printed twice, since the contents name pages that only the first print knows.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from hashlib import sha256
from html import escape, unescape
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pypdf import PdfReader

from logpartition._progress import Progress

from . import build, records
from .addresses import changed, git
from .files import ROOT, at_home, write

NAME = "attention-is-a-gradient.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
HOST = "http://book.invalid/"  # the site's files are handed out under it, and nothing else
STYLE = """
body, .bd-main, .bd-main .bd-content, .bd-main .bd-content .bd-article-container { display: block; }
.lp-leaf { break-before: page; }
.lp-cover h1 { margin: 40mm 0 4mm; font-size: 2.4rem; }
.lp-cover .lp-edition { margin: 0 0 20mm; }
.lp-contents { list-style: none; padding: 0; }
.lp-contents li { display: flex; gap: 1ch; align-items: baseline; margin: .15rem 0; }
.lp-contents li.lp-part { margin-top: .9rem; font-weight: 600; }
.lp-contents a { text-decoration: none; }
.lp-contents i { flex: 1; border-bottom: 1px dotted #999; }
"""
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ID = re.compile(r'(?<=\s)(id|for|aria-labelledby|aria-describedby|aria-controls)="([^"]*)"')
_LINK = re.compile(r'(?<=\s)((?:xlink:)?href)="([^"]*)"')
_URL = re.compile(r"url\(#([^)\"']+)\)")
_FOLDED = re.compile(
    r"<details\b(?=[^>]*>\s*<summary[^>]*>\s*(?:Answer|Hint|In words|\d+ result|see also))"
)
_DATE = re.compile(rb"\(D:\d{14}[^)]*\)")


def chromium() -> str | None:
    """The path of a Chromium, or none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def article(page: str) -> str:
    """The article of a page of the site; no picture waits until it is near."""
    found = re.search(r'<article class="bd-article".*</article>', page, re.DOTALL)
    html = re.sub(r"<script\b.*?</script>", "", found[0], flags=re.DOTALL)
    return html.replace('<img loading="lazy" ', "<img ")


def placed(html: str, slug: str, slugs: list[str]) -> str:
    """An article as a part of the document: each id is its own, each link leads to a part of the
    document or out of it by an address; others are links no more."""

    def name(found):
        return f'{found[1]}="{" ".join(f"{slug}--{each}" for each in found[2].split())}"'

    def link(found):
        kind, target = found.groups()
        page, _, anchor = target.partition("#")
        at = page.removesuffix(".html") if page else slug
        if at in slugs and (not page or page.endswith(".html")):
            return f'{kind}="#{at}{f"--{anchor}" if anchor else ""}"'
        return found[0] if urlsplit(target).scheme in ("https", "http", "mailto") else ""

    def mended(tag):
        return _URL.sub(rf"url(#{slug}--\1)", _LINK.sub(link, _ID.sub(name, tag[0])))

    return f'<section id="{slug}" class="lp-leaf">{_TAG.sub(mended, html)}</section>'


def unfolded(html: str) -> str:
    """Answers, hints and lists open; the code inside them stays closed."""
    return _FOLDED.sub("<details open", html)


def contents(root: Path) -> list[tuple[str, str]]:
    """The lines of the list of contents: of a part its caption, of a page its slug."""
    listed = records.loaded(root / "_toc.yml")
    rows = [("", listed["root"])]
    for part in [listed, *listed.get("parts", [])]:
        rows += [(part["caption"], "")] if "caption" in part else []
        rows += [("", chapter["file"]) for chapter in part.get("chapters", [])]
    return rows


def title(article: str) -> str:
    """The title of an article, with its number, as HTML."""
    found = re.search(r"<h1>(.*?)<a class=\"headerlink\"", article, re.DOTALL)
    return found[1].strip()


def cover(rows, titles: dict, book: str, words: str, at: dict) -> str:
    """The first page: what this is, and where what stands."""
    items = "".join(
        f'<li class="lp-part">{escape(caption)}</li>'
        if caption
        else f'<li><a href="#{slug}">{titles[slug]}</a><i></i><span>{at.get(slug, "")}</span></li>'
        for caption, slug in rows
    )
    return (
        f'<section class="lp-cover"><h1>{escape(book)}</h1><p class="lp-edition">{escape(words)}'
        f'</p><ul class="lp-contents">{items}</ul></section>'
    )


def running(titles: dict) -> str:
    """Above each page the title of what it is a page of, as a style sheet."""
    rules = []
    for number, (slug, html) in enumerate(titles.items()):
        words = unescape(re.sub(r"<[^>]+>", "", html)).replace("\\", r"\\").replace('"', r"\"")
        head = f'@top-right {{ content: "{words}"; font: italic 9pt serif; }}'
        rules.append(f"@page leaf-{number} {{ {head} }} [id='{slug}'] {{ page: leaf-{number}; }}")
    return "\n".join(rules)


def document(site: Path, root: Path, words: str, at: dict) -> str:
    """The book as one page of HTML; `at` has the page numbers, once they are known."""
    rows = contents(root)
    slugs = [slug for _, slug in rows if slug]
    pages = {slug: (site / f"{slug}.html").read_text(encoding="utf-8") for slug in slugs}
    articles = {slug: article(page) for slug, page in pages.items()}
    titles = {slug: title(found) for slug, found in articles.items()}
    book = re.sub(r"<[^>]+>", "", titles[slugs[0]])
    styles = {}
    for page in pages.values():
        styles |= dict.fromkeys(re.findall(r"<link\b[^>]*\brel=\"stylesheet\"[^>]*>", page))
    links = "".join(sorted(styles, key=lambda link: "/book.css" in link))  # as on a page: ours last
    if 'class="lp-address">http' not in "".join(articles.values()):
        words += ". Under each result stands its address within the book’s site"
    parts = (placed(unfolded(found), slug, slugs) for slug, found in articles.items())
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head>'
        f'<meta charset="utf-8"><title>{escape(book)}</title>{links}'
        f'<style>{STYLE}{running(titles)}</style></head><body><main class="bd-main">'
        '<div class="bd-content">'
        f'<div class="bd-article-container">{cover(rows, titles, book, words, at)}'
        f"{''.join(parts)}</div></div></main></body></html>"
    )


def printed(site: Path, html: str, path: Path) -> None:
    """Print a document that refers to the files of a site."""
    from playwright.sync_api import sync_playwright

    def answer(route):
        name = unquote(urlsplit(route.request.url).path).lstrip("/")
        if name == "":
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif (site / name).is_file():
            route.fulfill(path=site / name, content_type=guess_type(name)[0])
        else:
            route.abort()

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        page.set_default_timeout(0)
        page.route("**/*", answer)
        page.goto(HOST)
        page.add_script_tag(url=f"{HOST}_static/book.js")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")  # which unfolds the evidence
        page.evaluate("document.body.offsetWidth && document.fonts.ready.then(() => 0)")
        page.evaluate("size([...document.querySelectorAll('.katex')])")
        page.pdf(path=path, prefer_css_page_size=True, outline=True, tagged=True)
        browser.close()


def numbers(path: Path) -> dict[str, int]:
    """The page of each id that something refers to, counted from 1."""
    reader = PdfReader(path)
    return {
        name.lstrip("/"): 1 + reader.get_destination_page_number(destination)
        for name, destination in reader.named_destinations.items()
    }


def dated(content: bytes, when: datetime) -> bytes:
    """A PDF whose dates are those of its sources: all dates have one length."""
    stamp = when.astimezone(UTC).strftime("(D:%Y%m%d%H%M%S+00'00')").encode()
    return _DATE.sub(lambda found: stamp if len(found[0]) == len(stamp) else found[0], content)


def signed(content: bytes, root: Path) -> bytes:
    """A PDF that says of itself the book's title and authors as well: behind all that it has comes
    what takes the place of what it said."""
    card, reader = records.loaded(root / "CITATION.cff"), PdfReader(BytesIO(content))
    names = "; ".join(author["name"] for author in card["authors"])
    said = {**reader.metadata, "/Title": card["title"], "/Author": names}
    about, top = (reader.trailer.raw_get(name).idnum for name in ("/Info", "/Root"))
    entries = "\n".join(f"{name} <{_text(str(value)).hex()}>" for name, value in said.items())
    entry = f"\n{about} 0 obj\n<<{entries}>>\nendobj\n"
    place, last = len(content) + 1, re.findall(rb"startxref\s+(\d+)", content)[-1].decode()
    end = (
        f"xref\n{about} 1\n{place:010} 00000 n \ntrailer\n<</Size {reader.trailer['/Size']}\n"
        f"/Root {top} 0 R\n/Info {about} 0 R\n/Prev {last}>>\n"
        f"startxref\n{len(content) + len(entry)}\n%%EOF\n"
    )
    return content + (entry + end).encode()


def _text(words: str) -> bytes:
    """Characters as a PDF has them."""
    return words.encode() if words.isascii() else b"\xfe\xff" + words.encode("utf-16-be")


def edition(root: Path) -> tuple[str, datetime]:
    """Which edition this is, in words, and when it was committed; the present moment where that is
    not known, which no words name."""
    version = records.loaded(root / "CITATION.cff")["version"]
    commit, when = (git(root, "log", "-1", "--format=%h %cI").split() + ["", ""])[:2]
    day = datetime.fromisoformat(when) if when else datetime.now(UTC)
    made = [f"{day.day} {day:%B %Y}", f"commit {commit}"] if commit else []
    words = [f"Version {version}", *made]
    return ", ".join(words + ["changed since"] * changed(root)), day


def make(site: Path, root: Path, path: Path) -> int:
    """Print the book of `site` to `path`, all of it or none, and return its number of pages."""
    words, day = edition(root)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, Progress(4) as progress:
        draft, at = Path(folder) / path.name, {}
        for done, which in ((0, "first"), (2, "second")):
            progress.at(done, f"{which} print")
            printed(site, document(site, root, words, at), draft)
            progress.at(done + 1, f"the page numbers of the {which} print")
            at = numbers(draft)
        draft.write_bytes(signed(dated(draft.read_bytes(), day), root))
        pages = len(PdfReader(draft).pages)
        os.replace(draft, path)
    write(path.with_suffix(".stamp"), stamp(site, root, path))
    return pages


def stamp(site: Path, root: Path, path: Path) -> str:
    """What a PDF is, how it is printed, of which site and of which edition."""
    words, _ = edition(root)
    printer, book = (sha256(file.read_bytes()).hexdigest() for file in (Path(__file__), path))
    return f"{book} {printer} {build.contents(site)} {words}"


def is_of(site: Path, root: Path, path: Path) -> bool:
    """Whether there is a PDF, printed from this site as it is."""
    kept = path.with_suffix(".stamp")
    there = kept.is_file() and path.is_file()
    return there and kept.read_bytes() == stamp(site, root, path).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the book as one PDF.")
    parser.add_argument("--output", type=Path, default=ROOT / "_build", help="the site's folder")
    options = parser.parse_args()
    at_home()
    if not (options.output / "html" / "index.html").exists():
        sys.exit(f"there is no site in {options.output}: call make book")
    if not build.is_site(options.output, build.sources(ROOT)):
        sys.exit(f"the site in {options.output} is not that of the book as it is: call make book")
    site, path = options.output / "html", options.output / NAME
    if is_of(site, ROOT, path):
        print(f"The book was printed from this site before.\nOpen {path}")
        return
    if chromium() is None:
        sys.exit("the book is printed by Chromium, and there is none (Debian: chromium)")
    print(f"{make(site, ROOT, path)} pages.\nOpen {path}")


if __name__ == "__main__":
    main()
