"""What a browser finds on a page of the site: each page is opened twice, on a desktop and on a
phone, and everything is looked at while it is open."""

from pathlib import Path

from browser import CLIPPED

AXE = Path(__file__).parents[1] / "book/_ext/node_modules/axe-core/axe.min.js"
DESKTOP, PHONE = {"width": 1360, "height": 900}, {"width": 360, "height": 740}
PAPER = 672  # what A4 leaves between its margins, in pixels
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
# what is not a colour is the same in both themes
RULES = {
    "light": {
        "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"],
        "rules": {"label-content-name-mismatch": {"enabled": True}},
    },
    "dark": {"runOnly": ["color-contrast"]},
}
STUCK = """() => [...document.querySelectorAll('.bd-article *')].filter(e =>
    ['auto', 'scroll'].includes(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0
    && !e.querySelector('a, button')).map(e => e.outerHTML.slice(0, 200))"""
BOXES = r"""() => [...document.querySelectorAll(":not(.katex *)")]
    .flatMap((e) => ["::before", "::after"].filter((part) => {
        const { content, fontFamily, display } = getComputedStyle(e, part);
        return /[\ue000-\uf8ff]/.test(content) && display !== "none" && e.checkVisibility();
      }).map(() => e.outerHTML.slice(0, 120)))"""
MOVING = """[...document.querySelectorAll(':not(.katex *)')].filter(
    e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"""
# formulas take the colour of their text, and of what is alike axe need not look at every one
THINNED = """() => {
    const few = (selector, count) =>
        [...document.querySelectorAll(selector)].slice(count).forEach(e => e.remove());
    document.querySelectorAll('.katex').forEach(e => e.replaceChildren('x'));
    for (const kind of new Set([...document.querySelectorAll('.lp-result')].map(e => e.className)))
        few(`[class="${kind}"]`, 2);
    few('g[hidden]', 0);
    few('.lp-graph', 2);
    few('.lp-entry', 12);
    few('.lp-results tr', 30);
    few('.lp-claims tr', 30);
    few('div.cell_input', 4);
}"""


def opened(browser, url, **context):
    """A page that records what goes wrong on it: console errors and warnings, exceptions, requests
    to other hosts."""
    page = browser.new_context(**context).new_page()
    page.troubles = []
    page.on(
        "console",
        lambda message: (
            page.troubles.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on(
        "request",
        lambda request: (
            page.troubles.append(f"asks {request.url}")
            if not request.url.startswith((url, "data:"))
            else None
        ),
    )
    return page


def unfolded(page):
    """Everything on the page that can be folded away, shown, its formulas with their fonts."""
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(100)


def settled(page):
    """The sidebar slides when the width or the medium changes, and colours fade in: what is
    measured on its way is not what a reader sees."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")


def clipped(page, width, medium="screen"):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media=medium)
    settled(page)
    return page.evaluate(CLIPPED, medium == "print")


def looked(page, at):
    """What both walks find: the page as it opens, and with everything unfolded."""
    page.goto(at)
    found = {
        "title": page.locator("main h1:visible").count(),
        "sideways": page.evaluate(SIDEWAYS),
        "buttons": page.locator(".lp-figure button").count(),
        "buttons shown": page.locator(".lp-figure button:visible").count(),
        "moving": page.evaluate(MOVING),
    }
    unfolded(page)
    return {**found, "sideways unfolded": page.evaluate(SIDEWAYS)}


def on_desktop(page, at):
    found = looked(page, at)
    found["icon letters"] = page.evaluate(BOXES)
    found["clipped"] = {
        "1360 px": clipped(page, 1360),
        "paper": clipped(page, PAPER, "print"),
    }
    found["troubles"] = list(page.troubles)  # axe asks for stylesheets at addresses of its own
    page.emulate_media(media="screen")
    page.set_viewport_size(DESKTOP)
    page.evaluate(THINNED)
    page.add_script_tag(path=AXE)
    found["axe"] = {theme: contrast_and_names(page, theme) for theme in RULES}
    return found


def contrast_and_names(page, theme):
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
    settled(page)
    return told_by_axe(page, theme)


def told_by_axe(page, theme):
    found = page.evaluate(
        "options => axe.run(document, options).then(r => r.violations)", RULES[theme]
    )
    return [
        (rule["id"], rule["help"], [node["html"][:160] for node in rule["nodes"][:3]])
        for rule in found
    ]


def on_phone(page, at):
    found = looked(page, at)
    found["stuck"] = page.evaluate(STUCK)
    found["clipped"] = {f"{width} px": clipped(page, width) for width in (390, 320)}
    found["troubles"] = page.troubles
    return found


def walked(browser, address, names):
    """{(page, device): what is found there}, the troubles of the page among it."""
    found = {}
    for device, look, size, motion in (
        ("desktop", on_desktop, DESKTOP, "no-preference"),
        ("phone", on_phone, PHONE, "reduce"),
    ):
        for name in names:
            page = opened(browser, address, viewport=size, reduced_motion=motion)
            found[name, device] = look(page, f"{address}/{name}")
            page.context.close()
    return found
