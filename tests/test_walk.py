"""The pages of the built site in a browser: of the chapters two on a phone, every other page on a
phone and those with controls on a desktop too, where the sample stands for the chapters and the
long lists, which take long. Before a site is published, all pages on both."""

from urllib.parse import urlsplit

import pytest
from browser import CLIPPED, on_the_sample, sent
from sample import CHAPTERS
from walk import (
    AXE,
    ONE_OF_A_COLOUR,
    PHONE,
    RENDERED,
    THINNED,
    contrast,
    opened,
    unfolded,
    walked,
)
from whole import PAGES

from logpartition_book.files import ROOT

# the chapters load the same scripts; of these two, one has the most results, and one pictures that
# play
FEW = {"softmax-gradient.html", "clusters.html"}
LISTS = ["ledger", "errata"]  # which are long
WITH_CONTROLS = ["index.html", "graph.html"]


@pytest.fixture(scope="session")
def walk(running, address, site, pages):
    """Of the book every page, of the sample, which has records of every kind, its chapters and its
    lists, of which one is opened on a desktop too; before a site is published, all are."""
    sample = ROOT not in site.parents
    if sample:
        pages = [f"{slug}.html" for slug in (*CHAPTERS, *LISTS)]
    if PAGES or sample:
        return walked(running, address, pages, pages if PAGES else ["softmax-gradient.html"])
    chapters = {f"{path.stem}.html" for path in (ROOT / "book").glob("*.ipynb")}
    left_out = chapters | {f"{name}.html" for name in LISTS}
    return walked(running, address, sorted({*pages} - left_out | FEW), WITH_CONTROLS)


def amiss(walk, *keys):
    """What was found under a key on each page and device that has it, where it is not empty."""
    return {
        f"{name}, {device}, {key}": found[key]
        for (name, device), found in walk.items()
        for key in keys
        if found.get(key)
    }


def test_pages_render_in_silence_and_do_not_scroll_sideways(walk):
    assert all(found["title"] for found in walk.values())
    ways = ("sideways", "sideways unfolded", "sideways on the last width")
    assert amiss(walk, "troubles", *ways) == {}


def test_a_first_visit_to_a_chapter_fetches_less_than_350_kb(walk, site):
    """Text as gzip has it; what comes later, when a reader scrolls or asks, is not counted."""
    fetched = {
        (name, device): sum(
            len(sent(site / urlsplit(url).path.lstrip("/")))
            for url in set(found["asked"])
            if not url.startswith("data:")
        )
        for (name, device), found in walk.items()
        if (site / name).with_suffix(".ipynb").exists()
    }
    assert fetched and {page: size for page, size in fetched.items() if size >= 350_000} == {}


def test_no_glyph_of_a_formula_is_cut_off(walk):
    clipped = {name: found["clipped"] for (name, _), found in walk.items() if "clipped" in found}
    assert clipped.keys() == {name for name, _ in walk}
    assert {len(widths) for widths in clipped.values()} <= {2, 3}
    found = {
        (name, width): formulas
        for (name, _), found in walk.items()
        for width, formulas in found.get("clipped", {}).items()
        if formulas
    }
    assert found == {}


def test_what_scrolls_can_be_reached_with_the_keyboard(walk):
    assert amiss(walk, "stuck", "untold") == {}


def test_reduced_motion_is_respected(walk):
    """On the desktop nobody asked for it, on the phone somebody did."""
    assert any(found["buttons"] for found in walk.values())
    for (name, device), found in walk.items():
        shown = found["buttons"] if device == "desktop" else 0
        assert found["buttons shown"] == shown, (name, device)
        assert found["sliders shown"] == found["sliders"], (name, device)
        assert bool(found["moving"]) == (device == "desktop"), (name, device)


def test_no_letter_of_an_icon_font_is_asked_for(walk):
    assert amiss(walk, "icon letters") == {}


@pytest.mark.parametrize("part", ["structure", "light", "dark"])
def test_names_and_contrast_pass_axe(walk, part):
    told = {name: found["axe"][part] for (name, _), found in walk.items() if "axe" in found}
    assert told and {name: rules for name, rules in told.items() if rules} == {}


@on_the_sample
def test_a_formula_that_is_cut_off_is_found(browser, address):
    """The theme's own rule for formulas, put back, must be caught; so must a page that is too
    narrow."""
    page = opened(browser, address, viewport=PHONE)
    page.goto(f"{address}/softmax-gradient.html")
    assert page.evaluate(RENDERED)
    unfolded(page)
    page.add_style_tag(
        content=".bd-article span.math { display: inline-flex; max-width: 100%; overflow: hidden }"
        " .bd-article span.math .katex { white-space: nowrap }"
    )
    assert page.evaluate(CLIPPED, False)


@on_the_sample
def test_one_pale_word_among_many_paragraphs_is_found(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/index.html")
    page.evaluate("""document.querySelector('.bd-article section section p').insertAdjacentHTML(
        'beforeend', '<em class="pale" style="color: #888; background: #999">word</em>')""")
    page.evaluate(THINNED)
    page.evaluate(ONE_OF_A_COLOUR)
    page.add_script_tag(path=AXE)
    for theme in ("light", "dark"):
        (found,) = contrast(page, theme)
        assert found[0] == "color-contrast" and "pale" in found[2][0]
