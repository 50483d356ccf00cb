"""The built site in a browser: the book itself, and a sample that has a result of every kind."""

import json
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from browser import serving
from bs4 import BeautifulSoup
from logpartition_book import build, records
from sample import make

ROOT = Path(__file__).parents[1]
AXE = ROOT / "book" / "_ext" / "node_modules" / "axe-core" / "axe.min.js"
# docutils gives bibliographies roles that ARIA has since dropped
DOCUTILS = {"aria-deprecated-role": {"enabled": False}, "aria-required-children": {"enabled": False}}
DESKTOP, PHONE = {"width": 1400, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="session", params=["book", "sample"])
def site(request, tmp_path_factory):
    """Folder of a site, built once; the book's own build is the one that `make book` keeps."""
    build.install_katex(ROOT / "book" / "_ext")
    if request.param == "book":
        return build.build(ROOT, ROOT / "_build", quiet=True).parent
    folder = tmp_path_factory.mktemp("sample")
    make(folder / "root")
    return build.build(folder / "root", folder / "_build", quiet=True).parent


@pytest.fixture(scope="session")
def pages(site):
    return sorted(path.name for path in site.glob("*.html"))


@pytest.fixture(scope="session")
def address(site):
    with serving(site) as found:
        yield found


@pytest.fixture(scope="session")
def trees(site, pages):
    return {name: BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser") for name in pages}


def opened(browser, url, **context):
    """A page that records what goes wrong on it: console errors and warnings, exceptions, requests to other hosts."""
    page = browser.new_context(**context).new_page()
    page.troubles = []
    page.on("console", lambda message: page.troubles.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("request", lambda request: page.troubles.append(f"asks {request.url}") if not request.url.startswith((url, "data:")) else None)
    return page


def test_every_page_of_the_contents_is_there(site, pages):
    root = ROOT if site.is_relative_to(ROOT) else site.parents[1] / "root"
    assert {f"{slug}.html" for slug in ["index", *records.slugs(root)]} <= set(pages)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pages_render_in_silence_and_do_not_scroll_sideways(browser, address, pages, size):
    page = opened(browser, address, viewport=size)
    for name in pages:
        page.goto(f"{address}/{name}")
        assert page.locator("main h1:visible").count(), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways with its evidence open"
    assert page.troubles == []


def test_what_scrolls_can_be_reached_with_the_keyboard(browser, address, pages):
    page = opened(browser, address, viewport=PHONE)
    for name in pages:
        page.goto(f"{address}/{name}")
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.wait_for_timeout(100)
        stuck = page.evaluate("""() => [...document.querySelectorAll('.bd-article *')].filter(e =>
            ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1
            && e.tabIndex < 0 && !e.querySelector('a, button')).map(e => e.outerHTML.slice(0, 200))""")
        assert stuck == [], name


def test_maths_needs_no_script(browser, address, pages, trees):
    page = browser.new_context(java_script_enabled=False).new_page()
    for name in pages:
        page.goto(f"{address}/{name}")
        formulas = trees[name].select(".math")
        assert page.locator(".math .katex-html").count() == len(formulas), name
        assert all(formula.select_one("math annotation") for formula in formulas), f"{name}: MathML is missing"
        assert not trees[name].select(".katex-error"), name
    page.goto(f"{address}/softmax-gradient.html")
    formula = page.locator(".lp-display .katex-html, .lp-term .katex-html").first
    assert formula.is_visible() and formula.bounding_box()["height"] > 15


def test_fonts_of_the_formulas_arrive(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    assert page.evaluate("document.fonts.check('16px KaTeX_Math') && [...document.fonts].some(f => f.family.includes('KaTeX') && f.status == 'loaded')")


def test_the_badge_opens_with_the_keyboard(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    evidence = page.locator(".lp-evidence").first
    assert not evidence.locator("dl").is_visible()
    evidence.locator("summary").focus()
    page.keyboard.press("Enter")
    assert evidence.locator("dl").is_visible()
    assert {"Rests on", "Used by", "Cite"} <= set(evidence.locator("dt").all_inner_texts())


def test_links_and_anchors_resolve(site, pages, trees):
    anchors = {name: {tag["id"] for tag in tree.select("[id]")} for name, tree in trees.items()}
    broken = []
    for name, tree in trees.items():
        for tag in tree.select("[href], [src]"):
            target, anchor = urldefrag(urljoin(name, tag.get("href") or tag.get("src")))
            if urlsplit(target).scheme:
                continue
            target = urlsplit(target).path or name
            if not (site / target).is_file():
                broken.append(f"{name}: no file {target}")
            elif anchor and target in anchors and anchor not in anchors[target]:
                broken.append(f"{name}: no anchor {target}#{anchor}")
    assert broken == []


def test_ids_are_unique(trees):
    for name, tree in trees.items():
        ids = [tag["id"] for tag in tree.select(".bd-article [id]")]
        assert len(ids) == len(set(ids)), f"{name}: {[i for i in ids if ids.count(i) > 1]}"


def test_the_ledger_filters(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/ledger.html")
    rows = page.locator("#results tbody tr")
    total = rows.count()
    verdict = page.locator("#filter-verdict")
    chosen = verdict.locator("option").nth(1).get_attribute("value")
    verdict.focus()
    page.keyboard.press("ArrowDown")
    expected = page.locator(f"#results tbody tr[data-verdict='{chosen}']").count()
    shown = page.locator("#results tbody tr:visible").count()
    assert 0 < shown == expected < total
    assert page.locator(".lp-filters output").inner_text() == f"{shown} of {total} results"
    chapter = page.locator("#filter-chapter")
    chapter.select_option(index=1)
    slug = chapter.input_value()
    assert page.locator(f".lp-claims tbody tr:visible:not([data-chapter='{slug}'])").count() == 0
    assert page.locator(".lp-claims tbody tr:visible").count() > 0


def test_the_ledger_is_whole_without_its_script(browser, address, trees):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/ledger.html")
    assert page.locator("#results tbody tr:visible").count() == len(trees["ledger.html"].select("#results tbody tr")) > 0
    assert not page.locator(".lp-filters").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_and_names_pass_axe(browser, address, pages, theme):
    page = opened(browser, address, viewport=DESKTOP, color_scheme=theme)
    for name in pages:
        page.goto(f"{address}/{name}")
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        # formulas take the colour of their text, and code cells are alike: axe need not look at every glyph
        page.evaluate("document.querySelectorAll('.katex').forEach(e => e.replaceChildren('x'))")
        page.evaluate("[...document.querySelectorAll('div.cell')].slice(6).forEach(e => e.querySelector('pre')?.remove())")
        page.add_script_tag(path=AXE)
        # what is not a colour is the same in both themes
        options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa"], "rules": DOCUTILS} if theme == "light" else {"runOnly": ["color-contrast"]}
        found = page.evaluate("options => axe.run('main', options).then(r => r.violations)", options)
        told = [(rule["id"], rule["help"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in found]
        assert told == [], f"{name}: {json.dumps(told, indent=1)}"
