"""The built site in a browser: the book itself, and a sample that has a result of every kind."""

import json
import re
from pathlib import Path

import pytest
from browser import on_the_book, on_the_sample
from walk import (
    AXE,
    CONTRAST,
    DESKTOP,
    PAPER,
    PHONE,
    SIDEWAYS,
    STRUCTURE,
    STUCK,
    opened,
    told_by_axe,
    unfolded,
)
from whole import PAGES

from logpartition_book import readings, unread

ROOT = Path(__file__).parents[1]


@on_the_sample
def test_the_page_of_a_result_obeys_the_theme_that_was_chosen(browser, address, site):
    [path, *_] = sorted((site / "result").glob("*.html"))
    page = opened(browser, address)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    seen = {}
    for mode in ("", "dark", "light", "auto"):
        page.goto(f"{address}/result/{path.name}")
        page.evaluate("mode => localStorage.setItem('mode', mode)", mode)
        for system in ("light", "dark"):
            page.emulate_media(color_scheme=system)
            page.reload()
            seen[mode, system] = page.evaluate(ground)
    dark, light = seen["dark", "dark"], seen["light", "light"]
    assert dark != light == seen["light", "dark"] and dark == seen["dark", "light"]
    assert [seen[mode, "dark"] for mode in ("", "auto")] == [dark, dark]
    assert [seen[mode, "light"] for mode in ("", "auto")] == [light, light]
    page.goto(f"{address}/index.html")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


@on_the_sample
def test_search_tells_a_sign_from_the_sign_crossed_out(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/search.html")
    told = page.evaluate("""() => ["a ≠ b", "k̄ = Ä", "ℝ^N", "a-b"].map(plain)""")
    assert told == ["a ≠ b", "k = a", "r^n", "a b"]


@on_the_sample
def test_a_formula_is_found_however_it_is_typed(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/search.html")
    same = page.evaluate("texts => texts.map(formula)", [
        r"K^{\top} \, p", "K^T p", "K^⊤ p", "K⊤ p", r"K^\top p",
    ])  # fmt: skip
    assert set(same) == {" K ^ top p "}
    pairs = [
        (r"\cos{\left(\beta t \right)}", "cos(beta t)"),
        (r"\beta^{-1} \log Z", r"\frac{1}{β} ln Z"),
        (r"\operatorname{Var}_p(r) \le m", "Var_p(r) ≤ m"),
        (r"\mathbb{E}[k] \ne \varepsilon", "E[k] ≠ ε"),
        (r"\partial G / \partial q_b", "∂G/∂q_b"),
    ]
    for tex, typed in pairs:
        assert page.evaluate("texts => texts.map(formula)", [tex, tex]) == page.evaluate(
            "texts => texts.map(formula)", [typed, tex]
        ), typed
    hits = page.locator("#lp-hits a")
    for typed, label in (("Var_p(r)", "popoviciu"), ("I_0(beta)", "free-of-sizes")):
        page.locator("#lp-query").fill(typed)
        assert hits.first.get_attribute("href").endswith(f"#eq-{label}"), typed
    for words in ("in the mean", "log-partition", "softmax", "Z"):
        assert page.evaluate("inSigns", words) == "", words
    assert page.troubles == []


@on_the_sample
def test_definitions_chapters_and_claims_are_found_by_their_names(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/search.html")
    hits, instead = page.locator("#lp-hits a"), page.locator("#lp-instead")
    where = "softmax-gradient.html"
    places = {
        **dict.fromkeys(("Definition 2.1", "def. (2.1)"), f"{where}#def-softmax-gradient"),
        **dict.fromkeys(("Chapter 2", "ch. 2"), f"{where}#attention-is-a-gradient"),
        "s0-eq10": "errata.html#erratum-s0-eq10",
    }
    for query, place in places.items():
        page.locator("#lp-query").fill(query)
        assert hits.first.get_attribute("href") == place, query
        assert not instead.is_visible()
    assert hits.nth(1).get_attribute("href") == f"{where}#eq-softmax-gradient", "which answers it"
    page.locator("#lp-query").fill("Definition 2.1")
    assert "log" in page.locator("#lp-hits p").first.inner_text()
    page.locator("#lp-query").fill("softmx")
    assert page.locator("#lp-found").inner_text() == "no places found"
    assert instead.locator("a").all_inner_texts() == ["ledger", "notation"]
    page.locator("#lp-query").fill("")
    assert not instead.is_visible() and page.troubles == []


@on_the_book
def test_the_page_of_a_result_fits_a_phone_and_passes_axe(browser, address, site):
    results = json.loads((site / "results.json").read_text())["results"]
    longest = max(results, key=lambda result: len(result["statement"]))
    page = opened(browser, address, viewport=PHONE)
    for result in (max(results, key=lambda result: len(result["chain"])), longest):
        page.goto(f"{address}/{result['page']}")
        assert not page.evaluate(SIDEWAYS) and page.locator("main h1").count() == 1
    page.add_script_tag(path=AXE)
    assert told_by_axe(page, STRUCTURE) == []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert told_by_axe(page, CONTRAST) == []
    assert page.troubles == []


@on_the_sample
def test_maths_needs_no_script(browser, address):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/softmax-gradient.html")
    formula = page.locator(".lp-display .katex-html, .lp-term .katex-html").first
    assert formula.is_visible() and formula.bounding_box()["height"] > 15


@on_the_sample
def test_fonts_of_the_formulas_arrive(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    assert page.evaluate(
        "document.fonts.check('16px KaTeX_Math') && [...document.fonts].some("
        "f => f.family.includes('KaTeX') && f.status == 'loaded')"
    )


@on_the_sample
def test_the_badge_opens_with_the_keyboard(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    evidence = page.locator(".lp-evidence").first
    assert not evidence.locator("dl").first.is_visible()
    evidence.locator("summary").focus()
    page.keyboard.press("Enter")
    assert evidence.locator("dl").first.is_visible()
    assert {"Rests on", "Used by", "Cite"} <= set(evidence.locator("dt").all_inner_texts())


@on_the_sample
def test_the_ledger_filters(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/ledger.html")
    rows, claims = page.locator(".lp-results tr[data-label]"), page.locator(".lp-claims tbody tr")
    total = rows.count()
    verdict = page.locator("#filter-verdict")
    chosen = verdict.locator("option").nth(1).get_attribute("value")
    verdict.focus()
    page.keyboard.press("ArrowDown")
    expected = page.locator(f".lp-results tr[data-verdict='{chosen}']").count()
    shown = page.locator(".lp-results tr[data-label]:visible").count()
    assert 0 < shown == expected < total
    answered = page.locator(f".lp-claims tbody tr[data-verdicts~='{chosen}']").count()
    assert page.locator(".lp-claims tbody tr:visible").count() == answered
    assert (
        page.locator(".lp-filters output").inner_text()
        == f"{shown} of {total} results, {answered} of {claims.count()} claims"
    )
    for words in ("no result says this", "zzz"):
        page.locator("#filter-q").fill(words)
        assert page.locator(".lp-none:visible").count() == 2
    assert not page.locator(".lp-results").is_visible()
    for words in ("β", r"\beta"):
        page.locator("#filter-q").fill(words)
        assert page.locator(".lp-claims tbody tr:visible").count() > 0
    page.locator("#filter-q").fill("")
    verdict.select_option("")
    assert not page.locator(".lp-none").first.is_visible()
    slug = claims.first.get_attribute("data-chapter")
    page.locator("#filter-chapter").select_option(slug)
    assert page.locator(f".lp-claims tbody tr:visible:not([data-chapter='{slug}'])").count() == 0
    assert page.locator(".lp-claims tbody tr:visible").count() > 0


@on_the_sample
def test_the_ledger_finds_words_and_keeps_them_in_its_address(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/ledger.html")
    page.locator("#filter-q").press_sequentially("gradient log-partition")
    found = page.locator(".lp-results tr[data-label]:visible").all_inner_texts()
    assert found and all(
        "gradient" in row.lower() and "log-partition" in row.lower() for row in found
    )
    assert page.url.endswith("?q=gradient+log-partition")
    page.reload()
    assert page.locator("#filter-q").input_value() == "gradient log-partition"
    assert page.locator(".lp-results tr[data-label]:visible").all_inner_texts() == found
    # a claim that is linked to is shown, whatever the filters say
    claim = page.locator(".lp-claims tbody tr:not(:visible)").first.get_attribute("id")
    page.goto(f"{address}/ledger.html?q=gradient+log-partition#{claim}")
    assert page.locator(f"#{claim}").is_visible()


@on_the_book
def test_search_leads_to_results(browser, address, trees):
    box = trees["softmax-gradient.html"].select(".lp-result")[0]
    number, title, label = (
        box.select_one(".lp-number").get_text(),
        box.select_one(".lp-title").get_text(),
        box["id"].removeprefix("eq-"),
    )
    page = opened(browser, address)
    for query in (number.strip("()"), number, label, title):
        page.goto(f"{address}/index.html")
        page.keyboard.press("Control+K")
        page.keyboard.type(query)
        page.keyboard.press("Enter")
        first = page.locator("#lp-hits a").first
        first.wait_for()
        assert first.inner_text() == f"{number} {title}", query
    page.locator("#lp-query").fill("no such word anywhere")
    assert page.locator("#lp-found").inner_text() == "no places found"
    page.locator("#lp-query").fill(r"\nabla_q  G")
    first = page.locator("#lp-hits a").first.get_attribute("href")
    assert first == "softmax-gradient.html#eq-softmax-gradient"
    page.set_viewport_size(PHONE)
    page.locator("#lp-query").fill(r"\frac")
    page.wait_for_function("document.querySelectorAll('#lp-hits div[tabindex]').length")
    assert page.evaluate(STUCK) == []
    assert page.locator("#lp-hits li").count() > 0 and page.url.endswith("?q=%5Cfrac")
    page.locator("#lp-hits a").first.click()
    assert page.url.partition("#")[2] and page.troubles == []


FORMS = (
    "equation {0}", "Eq. ({0})", "Theorem {0}", "result ({0})", "eq-{1}", "{{eq}}`eq-{1}`",
    "`{1}`", "#eq-{1}", "page.html#equation-eq-{1}", "{1}",
)  # fmt: skip


@on_the_book
def test_search_knows_numbers_labels_and_other_names(browser, address, trees):
    """However they are written; then titles, then whole words, then parts of words."""
    box = trees["softmax-gradient.html"].find(id="eq-softmax-gradient")
    number = box.select_one(".lp-number").get_text().strip("()")
    page = opened(browser, address)
    page.goto(f"{address}/search.html")
    links = page.locator("#lp-hits a")

    def asked(query):
        page.locator("#lp-query").fill(query)
        return [
            link.partition("#")[2] for link in links.evaluate_all("all => all.map(a => a.href)")
        ]

    for form in FORMS:
        assert asked(form.format(number, "softmax-gradient"))[0] == "eq-softmax-gradient", form
    for row in trees["notation.html"].select("#other-names tbody tr"):
        names, where = row.select("td")
        there = {link["href"].partition("#equation-")[2] for link in where.select("a")}
        for name in map(str.strip, names.get_text().split(",")):
            found = asked(name)
            titled = [link for link in found[:6] if link in there]
            assert titled and there <= set(found), name
    assert asked("Two keys on a line")[0] == "eq-two-keys"
    assert asked("spike")
    whole = page.evaluate("""[...document.querySelectorAll("#lp-hits a")].map(
        (a) => / spike /.test(BOOK.find((entry) => a.href.endsWith(`/${entry.to}`)).all))""")
    assert whole == sorted(whole, reverse=True) and len(set(whole)) == 2
    assert asked("no such word anywhere") == [] and page.troubles == []


@on_the_sample
def test_search_for_a_symbol_begins_with_the_notation(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/search.html")
    places = {
        **{"Z": "Z", "z": "Z", "G": "G", "G*": "G-2", "k_j": "k", "k": "k", "K": "K", "Var": "Var"},
        **dict.fromkeys(("β", "beta", r"\beta"), "beta"),
        "W_Q": "x",
    }
    for query, place in places.items():
        page.locator("#lp-query").fill(query)
        first = page.locator("#lp-hits a").first.get_attribute("href")
        assert first == f"notation.html#symbol-{place}", query
    page.locator("#lp-hits a").first.click()
    assert "in a transformer block" in page.locator(":target").inner_text()
    assert page.troubles == []


@on_the_sample
def test_the_reasons_of_a_chain_are_found_and_in_no_excerpt(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/search.html?q=definition+keys+may+repeat")
    found = page.locator('#lp-hits li:has(a[href$="#eq-with-everything"])')
    found.wait_for()
    said = found.locator("p").inner_text()
    assert said.startswith("A few words, after") and "repeat" not in said and not page.troubles


@on_the_sample
def test_search_works_from_a_folder(browser, site):
    page = opened(browser, "file:")
    page.goto(f"{(site / 'search.html').as_uri()}?q=gradient")
    assert page.locator("#lp-hits li").count() > 0 and page.troubles == []


@on_the_sample
def test_a_reference_shows_a_card(browser, address, trees):
    """To a pointer, which may move onto it, to the focus, and to a tap; Escape closes it."""
    found = [
        (name, link["href"].split("#")[1].removeprefix("equation-eq-"))
        for name, tree in trees.items()
        for link in tree.select('p a.reference.internal[href^="#equation-eq-"]')
    ]
    name, label = found[0]
    title = trees[name].find(id=f"eq-{label}").find(class_="lp-title").get_text()
    page = opened(browser, address)
    page.goto(f"{address}/{name}")
    link, card = page.locator(f'p a[href="#equation-eq-{label}"]').first, page.locator("#lp-card")
    unfolded(page)
    assert not card.is_visible()
    link.hover()
    card.wait_for()
    assert title in card.inner_text() and card.locator(".lp-badge").count() == 1
    assert link.get_attribute("aria-describedby") == "lp-card"
    card.hover()
    page.wait_for_timeout(400)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert not card.is_visible() and link.get_attribute("aria-describedby") is None
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")
    link.focus()
    card.wait_for()
    page.keyboard.press("Enter")
    assert page.url.endswith(f"#equation-eq-{label}") and not card.is_visible()
    assert page.troubles == []


@on_the_sample
def test_a_tap_shows_the_card_and_another_follows(browser, address, trees):
    name = next(name for name, tree in trees.items() if tree.select('p a[href^="#equation-eq-"]'))
    page = opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{address}/{name}")
    unfolded(page)
    link, card = page.locator('p a[href^="#equation-eq-"]').first, page.locator("#lp-card")
    link.tap()
    card.wait_for()
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] and "#" not in page.url
    foot, at = PHONE["height"] - box["height"] - 8, link.bounding_box()
    ends = foot if at["y"] + at["height"] < foot else 8
    assert box["y"] == pytest.approx(ends, abs=1), "at an end of the screen, and not on the link"
    link.tap()
    page.wait_for_url("**#equation-eq-*")
    assert page.troubles == []


def rested(page, formula):
    """Let the pointer rest on a formula, which is drawn of boxes that overlap."""
    formula.scroll_into_view_if_needed()
    box = formula.locator(".mathnormal").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@on_the_sample
def test_a_badge_shows_what_it_means(browser, address, trees):
    """To a pointer and to the focus, in the words of the front page; and beside a reference."""
    table = trees["index.html"].find(class_="lp-badge").find_parent("table")
    means = {row.find(class_="lp-badge").get_text(): row("td")[1] for row in table("tr")[1:]}
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    card, summary = (
        page.locator("#lp-card"),
        page.locator("#eq-softmax-gradient > details > summary"),
    )
    summary.locator(".lp-badge").hover()
    card.wait_for()
    said = means["proved for all sizes"].get_text()
    assert said[:80] in card.inner_text() and said[-30:] in card.inner_text()
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    assert not card.is_visible()
    page.locator("#eq-one-fixed-point a").last.focus()
    page.keyboard.press("Shift+Tab")
    argued = page.locator("#eq-one-fixed-point > details > summary")
    argued.focus()
    card.wait_for()
    assert means["argued in words"].get_text() in card.inner_text()
    assert argued.get_attribute("aria-describedby") == "lp-card"
    page.keyboard.press("Escape")
    badge = page.locator("#eq-hessian > details > summary .lp-badge")
    badge.scroll_into_view_if_needed()
    place = badge.bounding_box()
    page.mouse.move(place["x"] + 20, place["y"] + 150)
    page.evaluate("scrollBy({ top: -143, behavior: 'instant' })")
    page.wait_for_timeout(400)
    assert not card.is_visible(), "it was scrolled there"
    page.goto(f"{address}/graph.html")
    page.keyboard.press("Tab")
    legend = page.locator("a.lp-badge.lp-cited").first
    legend.focus()
    card.wait_for()
    assert means["cited, not proved here"].get_text() in card.inner_text()
    assert page.troubles == []


ASSUMED = r"""(assumed) => {
  const tex = (said) => `<span class="katex"><annotation>${said}</annotation></span>`;
  const box = document.createElement("div");
  const items = assumed.map((one) => `<li>${tex(one)}</li>`).join("");
  box.className = "lp-result";
  box.innerHTML = `${tex("\\frac{3 n}{n + m}")}<dl><dt>Assumes</dt><dd><ul>${items}</ul></dd></dl>`;
  const [, own] = cardContent(box.querySelector(".katex"));
  return [...own.querySelectorAll("annotation")].map((one) => one.textContent);
}"""  # what the card of a formula in n and m keeps of these


@on_the_sample
def test_symbols_have_cards(browser, address):
    """Of a formula to a pointer that rests on it, unless it selects, and to a tap; of a box to the
    keyboard; what the box itself says comes first."""
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    card, box = page.locator("#lp-card"), page.locator("#eq-with-everything")
    rested(page, page.locator(".bd-article p:not(.lp-before) .katex").first)
    card.wait_for()
    assert "weight of key" in card.inner_text() and "number of keys" not in card.inner_text()
    kept = [r"n \ge 1", r"2 \le n"]
    assert page.evaluate(ASSUMED, [*kept, r"0 < \frac{a}{b}", "m = k", "0 < m", "q = n"]) == [
        *kept, "m = k", "0 < m",
    ]  # fmt: skip
    page.mouse.down()
    page.mouse.move(5, 5)
    assert not page.evaluate("getSelection().isCollapsed") and not card.is_visible()
    page.mouse.up()
    rested(page, page.locator(".bd-article p:not(.lp-before) .katex").first)
    page.wait_for_timeout(800)
    assert not card.is_visible()
    page.evaluate("getSelection().removeAllRanges()")
    box.locator(".lp-number").focus()
    page.keyboard.press("Tab")
    button = box.get_by_role("button", name="Symbols in (2.9)", exact=True)
    assert button.evaluate("e => e === document.activeElement && e.offsetWidth > 50")
    card.wait_for()
    page.keyboard.press("Enter")
    assert card.is_visible(), "who presses the button keeps what the focus has shown"
    ends = card.bounding_box()
    assert 0 <= ends["y"] and ends["y"] + ends["height"] <= page.viewport_size["height"]
    page.set_viewport_size({"width": 700, "height": 250})
    page.keyboard.press("ArrowDown")
    page.wait_for_function("document.getElementById('lp-card').scrollTop > 0")
    listed = card.locator("ul").first.locator("li").count()
    assert 0 < listed <= box.locator(".lp-facts li").count() and card.locator("ul").count() == 2
    page.keyboard.press("Escape")
    assert not card.is_visible()
    page.keyboard.press("Enter")
    card.wait_for()
    assert page.troubles == []
    phone = opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    phone.goto(f"{address}/softmax-gradient.html")
    formula = phone.locator(".bd-article p:not(.lp-before) .katex .mathnormal").first
    formula.tap(force=True)
    phone.get_by_text("weight of key").wait_for()
    phone.goto(f"{address}/cumulants.html")
    phone.locator("#eq-all-orders .lp-display .mathnormal").first.tap(force=True)
    phone.get_by_text("cumulant").last.wait_for()
    said = phone.locator("#lp-card").inner_text()
    assert "dimension" not in said, "d differentiates"
    assert "log-partition function" in said
    phone.keyboard.press("Escape")
    phone.evaluate("""() => document.querySelectorAll('#eq-all-orders annotation').forEach(e => {
        e.textContent = e.textContent.replace('G = ', 'G(x) = ') })""")
    phone.locator("#eq-all-orders .lp-display .mathnormal").first.tap(force=True)
    phone.get_by_text("cumulant").last.wait_for()
    assert "log-partition function" not in phone.locator("#lp-card").inner_text()
    phone.goto(f"{address}/softmax-gradient.html")
    phone.locator("#eq-softmax-gradient > details > summary").tap()
    phone.get_by_text("one normal form").wait_for()
    assert phone.locator("#eq-softmax-gradient > details[open]").count() == 1
    assert not phone.evaluate(SIDEWAYS) and phone.troubles == []


@on_the_sample
def test_there_is_a_way_back_from_where_a_reference_led(browser, address):
    """On the page and from another, with the keyboard and without; the browser's own button gives
    the focus back as well."""
    page = opened(browser, address)
    back, top = page.locator("#lp-back"), "e => Math.round(e.getBoundingClientRect().top)"
    page.goto(f"{address}/cumulants.html")
    link = page.locator("#eq-all-orders > details a[href*='#eq-hessian']").first
    link.evaluate("e => { e.closest('details').open = true }")
    link.scroll_into_view_if_needed()
    link.focus()
    before = link.evaluate(top)
    page.keyboard.press("Enter")
    back.wait_for()
    assert page.url.endswith("softmax-gradient.html#eq-hessian")
    assert back.inner_text() == "Back to (3.1)"
    page.keyboard.press("Tab")
    assert back.evaluate("e => e === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_function("history.state === null && document.activeElement.matches('a')")
    assert page.url == f"{address}/cumulants.html" and back.count() == 0
    assert link.evaluate("e => e === document.activeElement")
    page.wait_for_function("([e, y]) => Math.abs(e.getBoundingClientRect().top - y) < 3",
                           arg=[link.element_handle(), before])  # fmt: skip

    page.goto(f"{address}/softmax-gradient.html")
    link = page.locator(".bd-article p a[href='#equation-eq-softmax-gradient']").first
    for leaving in ("click", "Escape", "scroll", "browser"):
        link.click()
        back.wait_for()
        assert back.inner_text() == "Back to 2. Attention is a gradient"
        if leaving == "click":
            back.click()
        elif leaving == "browser":
            page.go_back()
        elif leaving == "Escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.move(600, 400)
            page.mouse.wheel(0, 100)
            page.wait_for_timeout(100)
            assert back.is_visible()
            page.mouse.wheel(0, 2000)
        back.wait_for(state="detached")
        if leaving in ("click", "browser"):
            page.wait_for_function("e => e === document.activeElement", arg=link.element_handle())
        else:
            page.go_back()
    assert page.troubles == []


@on_the_sample
def test_a_source_shows_its_reference(browser, address, site, trees):
    found = [
        (name, link["href"], link["title"])
        for name, tree in trees.items()
        for link in tree.select('p a.reference.internal[href*="references.html#"][title]')
    ]
    name, href, words = found[0]
    page = opened(browser, address)
    page.goto(f"{address}/{name}")
    unfolded(page)
    page.locator(f'p a[href="{href}"]').first.hover()
    page.locator("#lp-card").wait_for()
    assert page.locator("#lp-card").inner_text() == words
    assert page.troubles == []


@on_the_book
def test_a_result_is_proved_broken_and_mended_in_the_page(browser, address, trees):
    """The front page's program, in the Python that the site brings."""
    place = trees["index.html"].select_one(".lp-try-here")
    assert "derive(" in place.get_text(), "without scripts it is there to be read"
    assert len(trees["index.html"].select(".lp-decided .lp-step")) == 2
    boxed = trees["first-steps.html"]
    assert boxed.select(".lp-try-here") and not boxed.select(".lp-decided"), "its boxes have them"
    page = opened(browser, address, viewport={"width": 320, "height": 740})
    page.set_default_timeout(180_000)  # the first check compiles SymPy
    page.route("**/katex.min.js", lambda route: route.abort())
    page.goto(f"{address}/index.html")
    group = page.get_by_role("group", name="Try to break two-keys")
    text, answer = group.get_by_label("Program"), group.locator(".lp-try-answer")
    check = group.get_by_role("button", name="Check", exact=True)
    original = text.input_value()
    said = group.get_by_text("The first check fetches").inner_text()
    size, minutes = map(int, re.findall(r"at most (\d+) MB.* (\d+) minutes", said)[0])
    assert size <= 21 and minutes == -(-size * 8 // 96), "a slow line's 1.6 Mbit/s are 96 a minute"
    assert group.get_by_text("waits until your connection has fetched the verifier").is_visible()
    check.click()
    answer.get_by_text("Nothing was decided: katex.min.js did not come.").wait_for()
    page.unroute("**/katex.min.js")
    page.troubles.clear()
    text.press("Control+Enter")
    text.press("End")
    answer.get_by_text("Fetching").wait_for()
    group.get_by_text(re.compile(r"\b\d+ s$")).wait_for()
    text.fill(original.replace("+", "-", 1))
    assert answer.inner_text(), "a key clears no note while a program is being decided"
    answer.get_by_text("The program has changed since.").wait_for()
    text.fill(original)
    check.press("Enter")
    answer.locator(".lp-badge.lp-proved").wait_for()
    assert check.evaluate("button => button === document.activeElement")
    assert re.search(r"proved; (\d+) of \1 deliberate errors rejected", answer.inner_text())
    assert "Assumes" in answer.inner_text()
    assert answer.locator(".lp-step .katex").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    group.get_by_role("button", name="Break it").click()
    assert text.input_value() != original
    assert "became" in answer.inner_text() and not answer.locator(".lp-badge").count()
    check.press("Enter")
    answer.locator(".lp-try-trouble").wait_for()
    assert re.search(r"Refuted\. .*at .*t\u00a0=\u00a0.*, the left side is", answer.inner_text())
    assert "this step: differentiate" in answer.locator(".lp-broken").inner_text()
    text.fill(f"{original}\n1 / 0")
    check.click()
    answer.get_by_text("ZeroDivisionError in line").wait_for()
    group.get_by_role("button", name="Break it").click()
    assert "Undo brings back what you wrote." in answer.inner_text()
    group.get_by_role("button", name="Undo").press("Enter")
    assert text.input_value() == f"{original}\n1 / 0"
    assert not group.get_by_role("button", name="Undo").is_visible()
    group.get_by_role("button", name="Restore").click()
    assert text.input_value() == original and answer.inner_text() == ""
    assert group.get_by_role("button", name="Undo").is_visible()
    page.reload()
    group.get_by_text("Python is here").wait_for()
    assert page.troubles == []


@pytest.mark.skipif(not PAGES, reason="before a site is published: LOGPARTITION_WALK=all")
@on_the_book
def test_two_programs_of_a_page_are_decided_in_turn(browser, address, trees):
    """Each gets its own answer; one that is stopped, or that breaks Python, leaves the others."""
    page = opened(browser, address)
    page.set_default_timeout(180_000)
    page.goto(f"{address}/softmax-gradient.html")
    groups = []
    for label in ("popoviciu", "weights", "softmax-gradient"):
        button = page.locator(f"#eq-{label}").get_by_role("button", name="Try to break it")
        for shown in ("true", "false"):
            button.click()
            assert button.get_attribute("aria-expanded") == shown
        button.press("Enter")
        groups.append(page.get_by_role("group", name=f"Try to break {label}"))
        groups[-1].get_by_label("Program").wait_for()
    endless, wrong, right = groups
    endless.get_by_label("Program").fill("while True: pass")
    wrong.get_by_label("Program").fill('derive("weights", log(2)).eq(log(3), rearrange)')
    for group in groups:
        group.get_by_role("button", name="Check", exact=True).click()
    right.get_by_text("Waiting for another program").wait_for()
    endless.get_by_role("button", name="Stop").click()
    wrong.get_by_text("Refuted.").wait_for()
    assert not wrong.locator(".lp-badge").count()
    right.locator(".lp-badge.lp-proved").wait_for()
    assert endless.locator(".lp-try-answer").inner_text() == "Stopped."
    assert page.troubles == []
    wrong.get_by_label("Program").fill("(" * 500 + "1" + ")" * 500)
    wrong.get_by_role("button", name="Check", exact=True).click()
    wrong.get_by_text("The next check begins anew").wait_for()
    with page.expect_worker():
        right.get_by_role("button", name="Check", exact=True).click()


@on_the_sample
def test_a_page_from_a_folder_says_that_it_cannot_run_programs(browser, site, trees):
    name = next(name for name, tree in trees.items() if tree.select("button[data-try]"))
    page = opened(browser, "file:")
    page.goto((site / name).as_uri())
    page.locator("button[data-try]").first.click()
    assert "python -m http.server" in page.locator(".lp-try-note").first.inner_text()


def test_the_graph_shows_what_a_result_rests_on_near_and_far(browser, address, trees):
    lines = {
        line["data-label"]: line
        for line in trees["graph.html"].select(".lp-graph-text li[data-label]")
    }
    uses = {
        label: {a["href"].partition("#eq-")[2] for a in line.select(":scope ul a")}
        for label, line in lines.items()
    }

    def below(label):
        return uses[label].union(*map(below, uses[label]))

    chosen = max(uses, key=lambda label: len(below(label)))
    users = {label for label in uses if chosen in below(label)}
    page = opened(browser, address, viewport=PHONE)
    page.goto(f"{address}/graph.html")
    page.locator("#lp-choose").select_option(chosen)
    told = [
        {
            href.partition("#eq-")[2]
            for href in part.locator("a").evaluate_all(
                "links => links.map(a => a.getAttribute('href'))"
            )
        }
        for part in page.locator("#lp-chosen > div").all()
    ]
    assert told == [below(chosen), users] and len(told[0]) > 1
    bright = set(
        page.locator(".lp-node:not(.lp-faint)").evaluate_all(
            "boxes => boxes.map(b => b.dataset.label)"
        )
    )
    assert chosen in bright and bright <= {chosen} | below(chosen) | users
    assert page.url.endswith(f"#{chosen}")
    page.reload()
    assert page.locator(".lp-node.lp-chosen").first.get_attribute("data-label") == chosen
    page.keyboard.press("Escape")
    assert not page.locator("#lp-chosen").is_visible() and page.locator(".lp-faint").count() == 0
    page.locator(f".lp-node[data-label='{chosen}']").first.focus()
    page.keyboard.press("Enter")
    panel = page.locator("#lp-chosen")
    box = panel.bounding_box()  # in the window, wherever on the page the choice was made
    assert 0 <= box["y"] < box["y"] + box["height"] <= PHONE["height"]
    few = f"It rests on {len(below(chosen))} results; {len(users) or 'no'} result"
    assert few in panel.inner_text()
    panel.get_by_role("button", name="Close", exact=True).click()
    assert not panel.is_visible() and page.troubles == []
    assert page.evaluate("document.activeElement.dataset.label") == chosen
    boxed = {box["data-label"] for box in trees["graph.html"].select(".lp-node")}
    alone = next(label for label in lines if label not in boxed)
    page.locator("#lp-choose").select_option(alone)
    listed = page.locator(f'.lp-alone a[href$="#eq-{alone}"]')
    assert listed.is_visible() and "lp-chosen" in listed.get_attribute("class")
    assert page.locator(".lp-faint").count() == 0


@on_the_sample
def test_the_graph_is_links_without_its_script(browser, address):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/graph.html")
    assert not page.locator(".lp-chooser").is_visible()
    page.locator(".lp-node").first.click()
    assert "#eq-" in page.url


@on_the_sample
def test_copying_a_formula_gives_its_tex(browser, address, trees):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    copied = page.evaluate("""() => new Promise((resolve) => {
        document.addEventListener("copy",
            (event) => resolve(event.clipboardData.getData("text/plain")));
        const glyph = document.querySelector(".bd-article p .katex-html .mord");
        const range = document.createRange();
        range.setStart(glyph.closest("p").firstChild, 0);
        range.setEnd(glyph.firstChild ?? glyph, 0);
        getSelection().removeAllRanges(); getSelection().addRange(range);
        document.execCommand("copy");
    })""")
    paragraph = next(
        p for p in trees["softmax-gradient.html"].select(".bd-article p") if p.select_one(".katex")
    )
    assert copied.endswith(f"${paragraph.select_one('annotation').get_text()}$")
    assert copied.count("$") == 2 and copied.startswith(paragraph.get_text()[:20])


@on_the_sample
def test_a_result_can_be_copied_as_bibtex_ris_and_tex(browser, address):
    page = opened(browser, address, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/softmax-gradient.html")
    box = page.locator(".lp-result").first
    box.locator(".lp-evidence > summary").click()
    box.get_by_role("button", name="Copy BibTeX").click()
    entry = page.evaluate("navigator.clipboard.readText()")
    assert entry.startswith(f"@misc{{attention-is-a-gradient:{box.get_attribute('id')[3:]},")
    assert f"url = {{{address}/softmax-gradient.html#{box.get_attribute('id')}}}" in entry
    assert (
        f"title = {{{{{box.locator('.lp-title').inner_text()}}}}}," in entry
    )  # keeps its capitals
    box.get_by_role("button", name="Copy RIS").click()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert [line[:6] for line in lines] == [
        f"{key}  - " for key in ("TY", "TI", "AU", "T2", "PY", "N1", "UR", "ER")
    ]
    assert lines[6] == f"UR  - {address}/softmax-gradient.html#{box.get_attribute('id')}"


@on_the_sample
def test_tex_is_the_statement_the_chain_or_an_align(browser, address):
    page = opened(browser, address, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/softmax-gradient.html")

    def copied(label):
        box = page.locator(f"#eq-{label}")
        box.locator(".lp-evidence > summary").click()
        box.get_by_role("button", name="Copy RIS").wait_for()
        found = {}
        for name in box.get_by_role("button", name="Copy TeX").all_inner_texts():
            box.get_by_role("button", name=name).click()
            kind = name.removeprefix("Copy TeX: ")
            found[kind] = page.evaluate("navigator.clipboard.readText()")
        return found

    last = r"\frac{(M - m)^{2}}{4}"
    assert copied("popoviciu") == {
        "statement": rf"\operatorname{{Var}}_p(r) \le {last}",
        "chain": "\\[ \\operatorname{Var}_p(r) \\le (M - \\bar r)(\\bar r - m) \\]\n"
        f"\\[ \\le {last} \\]",
        "align": "\\begin{align*}\n  \\operatorname{Var}_p(r)"
        " &\\le (M - \\bar r)(\\bar r - m) \\\\\n"
        f"  &\\le {last}\n\\end{{align*}}",
    }
    assert copied("sup-attained").keys() == {"statement", "align"}, "one link, the statement"
    assert copied("one-fixed-point") == {}, "words"


@on_the_sample
def test_on_paper_a_result_is_whole(browser, address):
    page = opened(browser, address, viewport={"width": PAPER, "height": 900})
    page.goto(f"{address}/softmax-gradient.html")
    assert page.locator(".lp-evidence[open]").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    box = page.locator(".lp-result").first
    assert (
        box.locator(".lp-facts:visible").count() == 1
        and not box.locator(".lp-copiers").is_visible()
    )
    assert (
        box.locator(".lp-imprint")
        .inner_text()
        .endswith(f"{address}/softmax-gradient.html#{box.get_attribute('id')}")
    )
    assert box.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    assert page.locator("article h1").inner_text()[0].isdigit()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".lp-evidence[open]").count() == 0


@on_the_book
def test_on_paper_nothing_is_dark_or_cut(browser, address):
    page = opened(browser, address, color_scheme="dark", viewport={"width": PAPER, "height": 900})
    page.goto(f"{address}/softmax-gradient.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    dark = page.evaluate("""() => [
        ...document.querySelectorAll("article :not(.katex *, svg, svg *)")
      ].filter((e) => e.checkVisibility()).filter((e) => {
        const { backgroundColor: b, color: c } = getComputedStyle(e);
        const parts = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3);
        return (!/, 0\\)/.test(b) && Math.max(...parts(b)) < 200) || Math.min(...parts(c)) > 130;
      }).map((e) => e.outerHTML.slice(0, 120))""")
    assert dark == []
    cut = page.evaluate(
        "[...document.querySelectorAll('article pre')].filter("
        "e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).length"
    )
    assert cut == 0


@on_the_sample
def test_a_hint_is_folded_opens_by_keyboard_and_is_printed(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/softmax-gradient.html")
    hint = page.locator(".lp-hint").first
    assert hint.inner_text() == "Hint" and not hint.locator(".katex").is_visible()
    hint.locator("summary").focus()
    page.keyboard.press("Enter")
    assert hint.locator(".katex").is_visible()
    page.keyboard.press("Enter")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert hint.locator(".katex").is_visible()


@on_the_sample
def test_paper_has_the_lists_of_the_graph_and_wide_columns_in_the_ledger(browser, address):
    page = opened(browser, address, viewport={"width": PAPER, "height": 900})
    page.emulate_media(media="print")
    page.goto(f"{address}/graph.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".lp-graph:visible").count() == 0
    assert page.locator(".lp-graph-text li:visible").count() > 5
    page.goto(f"{address}/ledger.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    widths = "row => [...row.cells].map(cell => cell.offsetWidth / row.offsetWidth)"
    assert min(page.locator(".lp-claims tbody tr").first.evaluate(widths)) > 0.3
    assert page.locator(".lp-claims td li").first.is_visible()


@on_the_sample
def test_an_address_that_leads_nowhere_leads_on(browser, address, site):
    """From the folder of results as well, and from folders that nobody knows."""
    lost = (site / "404.html").read_text(encoding="utf-8")
    page = opened(browser, address)
    lost = re.sub("<base[^>]*>", "", lost)  # a copy whose origin says where the site stands
    for place in ("first-word.html", "result/first-word.html", "a/b/first-word.html", "404.html"):
        page.route(
            f"{address}/{place}", lambda route: route.fulfill(body=lost, content_type="text/html")
        )
        page.goto(f"{address}/{place}")
        assert page.get_by_role("link", name="front page").evaluate("a => a.href") == (
            f"{address}/index.html"
        )
        weight = "getComputedStyle(document.querySelector('h1')).fontWeight"
        assert page.evaluate(weight) == "600"  # the book's stylesheet has come
        # what a browser asks for before it has read where addresses start from does no harm
        assert [found for found in page.troubles if "Failed to load" not in found] == []
        skip = page.locator("#pst-skip-link a").evaluate("a => a.href")
        assert skip == f"{address}/{place}#main-content"
        offered = page.locator("#lp-lost a")
        assert offered.is_visible() == (place != "404.html")
        if offered.is_visible():
            assert offered.evaluate("a => a.href") == f"{address}/search.html?q=first+word"


@on_the_book
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("size", [(1360, 900), (1280, 720), (390, 844), (360, 740)])
def test_the_first_screen_claims_shows_leads_and_breaks(browser, address, size, scripts):
    """What the book claims, a picture that moves, three ways in, and a chain with its program, or
    on a phone with a button that breaks the program and leads to it."""
    width, height = size
    viewport = {"width": width, "height": height}
    page = browser.new_context(viewport=viewport, java_script_enabled=scripts).new_page()
    page.goto(f"{address}/index.html")
    page.evaluate(AS_READ)
    top = page.locator("section:has(.lp-live)")
    ways = top.locator("> ul li, > .lp-unread > ul li")
    assert ways.count() == 3 and ways.locator("a").count() >= 3
    shown = [top.locator(".lp-subtitle"), ways.last, top.locator(".lp-live svg")]
    shown += [top.locator(".lp-decided .lp-step").last, top.locator(".lp-decided .lp-badge")]
    check = page.get_by_role("button", name="Check", exact=True)
    broken = page.get_by_role("button", name="Break it")
    if scripts:
        check.wait_for()
        shown += [top.locator(".lp-live input"), broken.first, *([check] if width > 500 else [])]
        assert broken.count() == (1 if width > 500 else 2)
    for part in shown:
        assert within(part, height), part
    page.evaluate(AS_UNREAD, unread.topped("</h1>", [readings.Passage("index", 1, "It", "")]))
    for part in (*shown, top.locator(".lp-unread-note")):
        assert within(part, height), f"unread: {part}"
    assert ways.last.bounding_box()["x"] < 50 + top.bounding_box()["x"]
    assert not page.evaluate(SIDEWAYS)
    if scripts:
        broken.first.click()
        assert within(check, height)
        assert width > 500 or within(page.get_by_text("Check it."), height)
    page.get_by_role("link", name="a program").click()
    assert page.url.endswith("#program-two-keys")
    assert within(check if scripts else page.locator(".lp-try-here pre"), height)


@on_the_book
def test_what_follows_the_program_is_as_wide_as_the_page(browser, address):
    page = opened(browser, address, viewport=DESKTOP)
    page.goto(f"{address}/index.html")
    page.evaluate(AS_READ)
    prose, definition = page.locator(".lp-try-here + p"), page.locator(".proof").first
    assert prose.bounding_box()["width"] == definition.bounding_box()["width"] > 900


@on_the_book
def test_without_scripts_a_picture_has_no_controls_and_says_where_it_stands(browser, address):
    page = browser.new_context(java_script_enabled=False).new_page()
    for name in ("index", "clusters"):
        page.goto(f"{address}/{name}.html")
        figures = page.locator(".lp-figure .controls")
        assert figures.first.is_visible() and figures.locator(":is(input, button)").count() > 0
        assert figures.locator(":is(input, button):visible").count() == 0
    choice = figures.locator("select").first
    choice.evaluate("e => e.focus()")
    assert choice.is_visible() and not choice.evaluate("e => e === document.activeElement")
    page.goto(f"{address}/index.html")
    assert figures.inner_text().split() == ["query", "t", "=", "0.5"]


# what nobody has read since it changed is marked as long as it is, and not published
AS_READ = """() => {
    document.querySelectorAll('.lp-unread-note, .lp-unread-label').forEach(e => e.remove());
    document.querySelectorAll('.lp-unread').forEach(e => e.replaceWith(...e.childNodes));
}"""
# and so would the top of the front page be, if nobody had read any of it
AS_UNREAD = """note => {
    const [title, ...parts] = document.querySelector('section:has(> .lp-live)').children;
    for (const part of parts.filter(e => !e.matches('section, .lp-decided, .lp-try-here'))) {
        part.insertAdjacentHTML('beforebegin',
            '<div class="lp-unread"><p class="lp-unread-label">Not read:</p></div>');
        part.previousElementSibling.append(part);
    }
    title.insertAdjacentHTML('afterend', note.slice(5));
}"""


def within(part, height):
    """Whether all of it is on the screen, from top to bottom."""
    box = part.bounding_box()
    return 0 <= box["y"] and box["y"] + box["height"] <= height


@on_the_book
def test_the_front_page_is_walked_with_the_keyboard(browser, address):
    """The ways in, the picture, the program and its buttons, in the order in which they stand."""
    page = opened(browser, address)
    page.goto(f"{address}/index.html")
    page.evaluate(AS_READ)
    page.get_by_role("button", name="Break it").wait_for()
    said = page.locator(".lp-live .frame:not([display])")
    before = said.inner_html()
    page.locator(".lp-subtitle + ul a").last.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert said.inner_html() != before
    passed = []
    for _ in range(4):
        page.keyboard.press("Tab")
        passed.append(
            page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText")
        )
    assert passed == ["a program", "Program", "Check", "Break it"] and page.troubles == []


@on_the_book
def test_the_menu_is_reached_without_scripts(browser, address):
    """By a link on a phone; where it is on the page there are no buttons for it."""
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    for name in ("index", "first-steps", "search"):
        page.goto(f"{address}/{name}.html")
        assert page.locator(".sidebar-toggle:visible").count() == 0
        assert not page.evaluate(SIDEWAYS)
        page.get_by_role("link", name="Menu").click()
        last = page.locator("#pst-primary-sidebar a").last
        assert page.url.endswith("#pst-primary-sidebar") and last.is_visible()
    last.click()
    assert page.url == f"{address}/references.html"
    page.set_viewport_size({"width": 1360, "height": 900})
    assert not page.get_by_role("link", name="Menu").is_visible()
    assert page.locator("#pst-primary-sidebar").is_visible()


@on_the_sample
def test_the_button_for_the_colours_names_their_state(browser, address):
    page = opened(browser, address, color_scheme="light")
    page.goto(f"{address}/index.html")
    button = page.locator(".theme-switch-button:visible").first
    for state in ("as your system has them", "dark", "light", "as your system has them"):
        page.wait_for_function(
            "name => document.querySelector('.theme-switch-button').title === name",
            arg=f"Change the colours, now {state}",
        )
        assert button.get_attribute("aria-label") == f"Change the colours, now {state}"
        button.click()
    assert page.troubles == []


@on_the_sample
def test_what_stands_beside_a_badge_has_a_line_of_its_own_on_a_phone(browser, address, trees):
    name = next(name for name, tree in trees.items() if tree.select("button[data-try]"))
    page = opened(browser, address, viewport=PHONE)
    page.goto(f"{address}/{name}")
    box = page.locator(".lp-result:has(button[data-try])").first
    button, badge = (box.locator(part).first.bounding_box() for part in ("button", ".lp-badge"))
    assert button["y"] + button["height"] <= badge["y"] and badge["height"] < 30


@on_the_sample
def test_on_paper_links_are_black_and_an_erratum_is_whole(browser, address):
    page = opened(browser, address, viewport={"width": PAPER, "height": 900})
    page.emulate_media(media="print")
    page.goto(f"{address}/index.html")
    colours = "all => all.map(e => getComputedStyle(e).color)"
    assert set(page.locator("table a").evaluate_all(colours)) == {"rgb(0, 0, 0)"}
    page.goto(f"{address}/errata.html")
    breaks = "all => all.map(e => getComputedStyle(e).breakInside)"
    assert set(page.locator(".lp-entry").evaluate_all(breaks)) == {"avoid"}


@on_the_book
def test_an_address_of_the_graph_shows_its_result(browser, address):
    page = opened(browser, address)
    page.goto(f"{address}/graph.html#retrieval-converges")
    box = page.locator(".lp-chosen.lp-node").bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"] and page.troubles == []


@on_the_sample
def test_the_ledger_is_whole_without_its_script(browser, address, trees):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}/ledger.html")
    assert (
        page.locator(".lp-results tbody tr:visible").count()
        == len(trees["ledger.html"].select(".lp-results tbody tr"))
        > 0
    )
    assert not page.locator(".lp-filters").is_visible()


def programs(trees):
    """The first page with a program in a box, and the label of that program."""
    found = [(name, b) for name, tree in trees.items() for b in tree.select("button[data-try]")]
    if not found:
        pytest.skip("the sample's results have no programs")
    return found[0][0], found[0][1]["data-try"]


@on_the_sample
def test_a_link_keeps_a_changed_program_and_runs_nothing(browser, address, trees):
    """Made with the keyboard on a desktop, followed on a phone."""
    name, label = programs(trees)
    page = opened(browser, address, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/{name}")
    page.locator(f"button[data-try='{label}']").first.press("Enter")
    group = page.get_by_role("group", name=f"Try to break {label}", exact=True)
    text, link = group.get_by_label("Program"), group.get_by_role("button", name="Copy link")
    original = text.input_value()
    link.press("Enter")
    group.get_by_text("A link to this program is copied").wait_for()
    plain = page.url
    changed = f"# <b>é 𝔼 ≤\n{original}"
    text.fill(changed)
    assert not group.get_by_text("A link to this program is copied").is_visible()
    link.press("Enter")
    group.get_by_text("A link to this program is copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url != plain and copied.startswith(f"{address}/{name}#try-{label}=")
    text.fill("x" * 8000)
    link.press("Enter")
    assert group.get_by_text("too long for a link, which has at most 8000").is_visible()
    assert page.url == copied and page.troubles == []

    phone = opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    phone.goto(copied)
    group = phone.get_by_role("group", name=f"Try to break {label}", exact=True)
    text, came = group.get_by_label("Program"), group.get_by_text("came with the link")
    came.wait_for()
    assert text.input_value() == changed and not phone.evaluate(SIDEWAYS)
    assert group.locator(".lp-try-answer").inner_text() == ""
    assert [url for url in phone.asked if "worker.js" in url or ".wasm" in url] == []
    group.get_by_role("button", name="Restore").tap()
    assert text.input_value() == original and not came.is_visible()
    for data, said in (("%", True), ("bm8", True), ("WzFd", True), (plain.split("=")[1], False)):
        phone.evaluate("data => { location.hash = data }", f"#try-{label}={data}")
        unread = group.get_by_text("no program that can be read")
        unread.wait_for(state="visible" if said else "hidden")
        assert text.input_value() == original and not came.is_visible()
    assert phone.troubles == []


@on_the_sample
def test_a_program_is_shown_to_a_touch_and_that_of_a_correction_says_what_it_is(
    browser, address, trees
):
    name, label = programs(trees)
    phone = opened(browser, address, viewport=PHONE, has_touch=True, is_mobile=True)
    phone.goto(f"{address}/{name}")
    phone.emulate_media(reduced_motion="reduce")
    box = phone.locator(f"#eq-{label}")
    box.locator(".lp-evidence > summary").tap()
    box.locator("button[data-try]").tap()
    panel = phone.get_by_role("group", name=f"Try to break {label}", exact=True)
    panel.wait_for()
    top = panel.get_by_label("Program").bounding_box()["y"]
    assert 0 < top < PHONE["height"] / 2, "it is brought into view"
    assert phone.evaluate("document.activeElement.matches('textarea')") is False
    panel.get_by_text("What may be written").tap()
    assert "derive(" in panel.locator("details pre").inner_text()
    wrong = next(
        (page, one["data-try"])
        for page, tree in trees.items()
        for one in tree.select(".lp-refuted button[data-try]")
    )
    phone.goto(f"{address}/{wrong[0]}")
    phone.locator(f"#eq-{wrong[1]}").get_by_role("button", name="Open its program").tap()
    panel = phone.get_by_role("group", name=f"Program of {wrong[1]}")
    panel.get_by_text("What this program refutes is false already").wait_for()
    assert not phone.evaluate(SIDEWAYS) and phone.troubles == []


@on_the_sample
def test_a_program_that_came_with_a_link_is_one_until_it_is_restored(browser, address, trees):
    name, label = programs(trees)
    page = opened(browser, address)
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject()")
    data = "WyJwcmludCgxKSJd"  # ["print(1)"]
    page.goto(f"{address}/{name}#try-{label}={data}")
    group = page.get_by_role("group", name=f"Try to break {label}", exact=True)
    came = group.get_by_text("came with the link")
    came.wait_for()
    group.get_by_label("Program").fill("print(2)")
    group.get_by_role("button", name="Copy link").click()
    group.get_by_text("Not allowed to copy").wait_for()
    assert came.is_visible() and page.url.endswith("WyJwcmludCgyKSJd")
    page.goto(f"{address}/{name}#try-no-such-result={data}")
    page.reload()
    assert page.locator(".lp-try").count() == 0 and page.troubles == []


@on_the_book
@pytest.mark.parametrize(
    "name, place", [("hopfield", "one-valley"), ("first-steps", "first-shift")]
)
def test_an_address_leads_to_its_place(browser, address, name, place):
    """From elsewhere and from the top of the page, though what is far is not laid out before."""
    page = opened(browser, address, viewport=PHONE)
    page.goto(f"{address}/{name}.html#eq-{place}")
    at = f"document.getElementById('eq-{place}').getBoundingClientRect().top"
    page.wait_for_function(f"0 <= {at} && {at} < 130")
    page.goto("about:blank")
    page.goto(f"{address}/{name}.html")
    assert page.evaluate("document.documentElement.classList.contains('lp-far')")
    page.evaluate("place => { location.hash = `eq-${place}` }", place)
    page.wait_for_function(f"0 <= {at} && {at} < 130")
