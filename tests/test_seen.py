"""What the pages say is seen, on a screen and on paper, in both themes; and every way to hide it
with a rule of a stylesheet is found."""

import pytest
from browser import on_the_book, on_the_sample
from seen import EXCEPT, UNSEEN, unseen
from walk import DESKTOP, PAPER, PHONE, RENDERED, opened, settled, unfolded
from whole import PAGES

# of a chapter, the ledger and the errata what tells, once of each kind, on one short page
SHORT = """async () => {
    const fetched = async (name) => new DOMParser().parseFromString(
        await (await fetch(name)).text(), 'text/html').querySelector('.bd-article');
    const first = (root, selector) => {
        const kinds = new Map([...root.querySelectorAll(selector)].map(e => [e.className, e]));
        return [...kinds.values()];
    };
    const [ledger, errata] = [await fetched('ledger.html'), await fetched('errata.html')];
    ledger.querySelectorAll('.lp-claims tr').forEach(tr =>
        tr.querySelector('.lp-condition, .lp-open, .lp-instead, th') || tr.remove());
    ledger.querySelectorAll('.lp-claims').forEach(table =>
        [...table.rows].slice(6).forEach(tr => tr.remove()));
    const article = document.querySelector('.bd-article section');
    article.replaceChildren(...[
        ...first(article, ':scope > h1, :scope > .lp-unread-note, :scope > .lp-before'),
        ...first(article, '.lp-unread:not(:has(.lp-result, .lp-figure))'),
        ...first(article, '.lp-result'),
        ...first(ledger, '.lp-claims'),
        ...first(errata, '.lp-entry:has(.lp-judgement), .lp-entry:has(.lp-quote)'),
    ]);
    article.querySelectorAll('.lp-screen').forEach(list => list.remove());
}"""
TELLS = "unread-note unread-label badge facts erratum words quote judgement condition location"
PRINTED = {"width": PAPER, "height": PHONE["height"]}
DEVICES = [("screen", each, size) for each in ("light", "dark") for size in (DESKTOP, PHONE)]


@pytest.fixture(scope="module")
def chapter(running, address):
    page = opened(running, address, viewport=DESKTOP, reduced_motion="reduce")
    page.goto(f"{address}/softmax-gradient.html")
    page.evaluate("document.fonts.ready.then(() => 0)")
    yield page
    page.context.close()


@pytest.fixture(scope="module")
def short(chapter):
    """Much shorter, and all of it laid out and unfolded."""
    chapter.evaluate(SHORT)
    assert all(chapter.locator(f".lp-{name}").count() for name in TELLS.split())
    return chapter


def on(page, medium="screen", theme="light", size=DESKTOP):
    """The page on a device, laid out and unfolded."""
    page.set_viewport_size(size)
    page.emulate_media(media=medium, color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
    page.evaluate(RENDERED)
    unfolded(page)
    settled(page)
    return page


@on_the_sample
@pytest.mark.parametrize("medium, size", [("screen", DESKTOP), ("print", PRINTED)])
def test_a_chapter_hides_nothing_that_it_says(chapter, medium, size):
    assert unseen(on(chapter, medium, size=size), medium, pixels=False) == []


@on_the_sample
@pytest.mark.parametrize("medium, theme, size", [*DEVICES, ("print", "light", PRINTED)])
def test_what_tells_is_seen(short, medium, theme, size):
    assert unseen(on(short, medium, theme, size), medium) == []


NOTED = """() => {
    document.querySelector('.lp-unread-note')?.remove();
    document.querySelector('.bd-article h1').insertAdjacentHTML('afterend',
        '<div class="lp-unread-note" role="note"><details><summary>Two passages of this page' +
        ' have not been read</summary><ul><li>The first</li></ul></details></div>');
}"""
# the front page has its labels for those who listen, and the second button on a phone
FOLDED = "details:not([open]) > :not(summary), .lp-unread-label, .lp-decided button"


@on_the_book
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_front_page_shows_a_note(browser, address, size):
    """Whose place is its own there."""
    page = opened(browser, address, viewport=size, reduced_motion="reduce")
    page.goto(f"{address}/index.html")
    page.evaluate(NOTED)
    page.evaluate(RENDERED)
    settled(page)
    asked = [f"{EXCEPT['screen']}, {FOLDED}", False]
    assert page.evaluate(UNSEEN, asked)["unseen"] == []
    page.add_style_tag(content="section:has(.lp-live) > .lp-unread-note { display: none }")
    assert page.evaluate(UNSEEN, asked)["unseen"]


NOTE, COVER = ".lp-unread-note", "content: ''; position: absolute; inset: 0; background: #fff"
RULES = [
    *(
        f"{NOTE} {{ {how} }}"
        for how in (
            "display: none",
            "display: none !important",
            "visibility: collapse",
            "opacity: 0",
            "opacity: .05",
            "max-height: 0; overflow: hidden; padding: 0; border: 0",
            "height: 1px; overflow: clip",
            "max-width: 2px; overflow: hidden",
            "block-size: 0; overflow: hidden",
            "clip-path: inset(100%)",
            "clip-path: circle(1px at 0 0)",
            "position: absolute; clip: rect(0 0 0 0)",
            "position: absolute; left: -9999px",
            "position: fixed; top: 200vh",
            "margin-left: -9999px",
            "text-indent: -9999px",
            "transform: scale(0)",
            "transform: translateX(-200vw)",
            "transform: rotateY(90deg)",
            "translate: -9999px",
            "scale: .01",
            "zoom: .1",
            "font-size: 0",
            "font-size: 1px",
            "filter: opacity(0)",
            "filter: blur(30px)",
            "mask-image: linear-gradient(transparent, transparent)",
            "mask: linear-gradient(transparent, transparent)",
            "content-visibility: hidden",
            "mix-blend-mode: screen; background: #fff",
            "line-height: 0; overflow: hidden; padding: 0; border: 0",
            "rotate: 180deg",
            "letter-spacing: -1em",
            "contain: strict",
            "writing-mode: vertical-rl",
        )
    ),
    f"{NOTE} *, {NOTE} {{ color: transparent !important }}",
    f"{NOTE}, {NOTE} * {{ color: #fff !important }}",
    f"{NOTE} * {{ color: var(--pst-color-background) !important }}",
    f"{NOTE} *, {NOTE} {{ -webkit-text-fill-color: transparent }}",
    f"{NOTE} *, {NOTE} {{ -webkit-text-security: disc }}",
    f"{NOTE} summary::first-line {{ color: #fff }}",
    f"{NOTE} {{ position: relative }} {NOTE}::after {{ {COVER} }}",
    f"{NOTE} summary {{ position: relative }} {NOTE} summary::after {{ {COVER} }}",
    f"{NOTE} {{ position: relative }} {NOTE}::before {{ {COVER}; pointer-events: none }}",
    f".bd-article {{ & {NOTE} {{ display: none }} }}",
    "h1 + div { display: none }",
    "[role=note] { display: none }",
    "[class*=unread-n] { display: none }",
    "section > :nth-child(2) { display: none }",
    "div:has(> details > summary) { display: none }",
    "h1 { margin-bottom: -8rem; padding-bottom: 8rem; position: relative; background: #fff }",
    "article { counter-reset: a; transform: translateY(-300px); overflow: hidden }",
    ".bd-article > section { height: 3rem; overflow: hidden }",
    ".bd-main { opacity: 0 }",
    "html { filter: brightness(9) }",
    "* { color: #fff !important; background: #fff !important }",
    "body::after { content: ''; position: fixed; inset: 0; background: #fff; z-index: 9999 }",
    ".lp-badge { color: var(--lp-soft) }",
    ".lp-evidence > summary > * { font-size: 0 }",
    ".lp-evidence > summary { height: 0; overflow: hidden; display: block }",
    ".lp-badge { margin-left: -90rem }",
    ".lp-badge.lp-argued { display: inline-block; width: 0; overflow: hidden }",
    ".lp-evidence { float: left; margin-left: -200% }",
    ".lp-result { --lp-verdict: #faf9f6; --lp-refuted: #faf9f6 }",
    ".lp-facts dd { display: none }",
    ".lp-facts dt + dd { max-height: .2rem }",
    ".lp-condition { opacity: .1 }",
    ".lp-claims td:last-child { display: none }",
    ".lp-erratum dd { position: absolute; top: -500px }",
    ".lp-judgement { clip-path: polygon(0 0) }",
    ".lp-quote { text-indent: -100em; white-space: nowrap; overflow: hidden }",
    ".lp-words { height: 2px; overflow: hidden }",
    ".lp-unread-label { position: absolute; z-index: -1 }",
    "@supports (display: grid) { .lp-unread-label { display: none } }",
    "@layer a { .lp-unread-label { display: none !important } }",
    "@media (min-width: 1px) { .lp-unread-label { position: relative; left: -99rem } }",
]
ON_PAPER = [
    f"@media print {{ {rule} }}"
    for rule in (
        f"{NOTE} {{ display: none }}",
        ".lp-badge { color: #fff !important }",
        ".lp-facts { height: 0; overflow: hidden }",
        ".lp-erratum { position: absolute; left: -99in }",
    )
]


EACH = 1 if PAGES else 6  # before a site is published, each of them


@on_the_sample
@pytest.mark.parametrize(
    "medium, rules", [("screen", RULES[::EACH]), ("print", ON_PAPER)], ids=["screen", "print"]
)
def test_whatever_hides_something_is_found(short, medium, rules):
    page = on(short, medium, size=PRINTED if medium == "print" else DESKTOP)
    missed = []
    for rule in rules:
        page.evaluate(TRIED, rule)
        missed += [] if unseen(page, medium, enough=True) else [rule]
    page.evaluate(TRIED, "")
    assert missed == []
    assert unseen(page, medium) == []


TRIED = """rule => {
    const style = document.getElementById('tried') ?? document.createElement('style');
    style.id = 'tried';
    style.textContent = rule;
    document.head.append(style);
}"""
