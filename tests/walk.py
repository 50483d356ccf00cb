"""What a browser finds on a page of the site, which is opened on a phone, where it has least room,
and everything is looked at while it is open: as it opens, with everything unfolded, and on paper. A
page of each kind is opened on a desktop too, where it gets the widest width, the narrowest and
axe."""

from pathlib import Path

from browser import CLIPPED

AXE = Path(__file__).parents[1] / "book/_ext/node_modules/axe-core/axe.min.js"
DESKTOP, PHONE = {"width": 1360, "height": 900}, {"width": 360, "height": 740}
NARROW = 320  # pixels, to which 1280 are narrowed by a zoom of 400 %
PAPER = 672  # what A4 leaves between its margins, in pixels
# what is far from the screen has a guess of its height, until it is laid out with the rest
RENDERED = """() => {
    const far = [...document.querySelectorAll(':not(.katex *)')]
        .filter(e => getComputedStyle(e).contentVisibility === 'auto');
    far.forEach(e => e.classList.add('rendered'));
    document.head.insertAdjacentHTML('beforeend', '<style>@media screen { ' +
        '.rendered { content-visibility: visible !important; contain: content } }</style>');
    return far.length;
}"""
SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
STRUCTURE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {
        "label-content-name-mismatch": {"enabled": True},
        "color-contrast": {"enabled": False},
    },
}
CONTRAST = {"runOnly": ["color-contrast"]}
STUCK = """() => [...document.querySelectorAll('.bd-article *')].filter(e =>
    ['auto', 'scroll'].includes(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0
    && !e.querySelector('a, button')).map(e => e.outerHTML.slice(0, 200))"""
# of programs, before what is far is laid out
UNTOLD = """[...document.querySelectorAll('pre')].filter(
    e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0).length"""
BOXES = r"""() => [...document.querySelectorAll(":not(.katex *)")]
    .flatMap((e) => ["::before", "::after"].filter((part) => {
        const { content, fontFamily, display } = getComputedStyle(e, part);
        return /[\ue000-\uf8ff]/.test(content) && display !== "none" && e.checkVisibility();
      }).map(() => e.outerHTML.slice(0, 120)))"""
MOVING = """[...document.querySelectorAll(':not(.katex *)')].filter(
    e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"""
# of what is alike axe need not look at every one, and formulas are one kind
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
# what is only read aloud takes a quarter of the time that a page is laid out in
UNHEARD = """document.querySelectorAll('.katex-mathml').forEach(
    e => e.replaceChildren(e.querySelector('annotation')))"""
UNFOLDED = "document.querySelectorAll('details').forEach(d => d.open = true)"
# nor has it to measure a colour again: an element goes when two before it have its path of tags,
# classes and colours, and so do all that are in it
ONE_OF_A_COLOUR = """() => {
    const seen = new Map();
    const kind = e => [e.tagName, ...['class', 'style', 'fill', 'stroke', 'role', 'aria-pressed',
        'disabled'].map(name => e.getAttribute(name))].join();
    const stays = (e, above) => {
        const path = e.matches('section') ? above : above + '/' + kind(e);
        const count = (seen.get(path) ?? 0) + 1;
        seen.set(path, count);
        const held = [...e.children].map(child => stays(child, path));
        if (count <= 2 || held.includes(true)) return true;
        e.remove();
        return false;
    };
    stays(document.querySelector('.bd-article'), '');
}"""


def opened(browser, url, **context):
    """A page in a context of its own, which records what goes wrong on it."""
    return watched(browser.new_context(**context).new_page(), url)


def watched(page, url):
    """The page, with a record of console errors and warnings, exceptions, and requests to other
    hosts than that of `url`; and of what it asks for."""
    page.troubles, page.asked = [], []
    page.on("request", lambda request: page.asked.append(request.url))
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
    page.evaluate(UNFOLDED)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(100)


def settled(page):
    """The sidebar slides when the width or the medium changes, colours fade in, and what scrolls
    is marked a frame later: what is measured on its way is not what a reader sees."""
    page.evaluate("""() => {
        document.getAnimations().forEach(each => each.finish());
        return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    }""")


def clipped(page, width, medium="screen"):
    """The page is hidden between a screen and paper, so that it is laid out once."""
    if medium == "print":
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.evaluate("document.body.style.display = 'none'")
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    page.emulate_media(media=medium)
    page.evaluate("document.body.style.display = ''")
    settled(page)
    return page.evaluate(CLIPPED, medium == "print")


def looked(page, at, *first):
    """The page as it opens, on either device, after some scripts."""
    page.goto(at)
    page.evaluate("document.fonts.ready.then(() => 0)")
    asked = list(page.asked)
    untold = page.evaluate(UNTOLD)
    for script in (*first, RENDERED):
        page.evaluate(script)
    return {
        "asked": asked,
        "untold": untold,
        "title": page.locator("main h1:visible").count(),
        "sideways": page.evaluate(SIDEWAYS),
        "buttons": page.locator(".lp-figure button").count(),
        "buttons shown": page.locator(".lp-figure button:visible").count(),
        "sliders": page.locator(".lp-figure input[type=range]").count(),
        "sliders shown": page.locator(".lp-figure input[type=range]:visible").count(),
        "moving": page.evaluate(MOVING),
    }


def unfolded_on(page, widths):
    """With everything unfolded: as wide as it is, and on these widths and on paper."""
    unfolded(page)
    found = {"sideways unfolded": page.evaluate(SIDEWAYS), "icon letters": page.evaluate(BOXES)}
    return found | fitting(page, widths)


def fitting(page, widths):
    """On these widths, and on paper."""
    found = {"clipped": {f"{width} px": clipped(page, width) for width in widths}}
    found["sideways on the last width"] = page.evaluate(SIDEWAYS)
    found["stuck"] = page.evaluate(STUCK)
    found["clipped"]["paper"] = clipped(page, PAPER, "print")
    return found


def by_axe(page):
    page.evaluate(THINNED)  # before all of it is laid out on a screen again
    page.emulate_media(media="screen")
    page.set_viewport_size(DESKTOP)
    settled(page)
    page.add_script_tag(path=AXE)
    found = {"structure": told_by_axe(page, STRUCTURE)}
    page.evaluate(ONE_OF_A_COLOUR)
    return found | {theme: contrast(page, theme) for theme in ("light", "dark")}


def contrast(page, theme):
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
    settled(page)
    return told_by_axe(page, CONTRAST)


def told_by_axe(page, rules):
    found = page.evaluate(
        "rules => axe.run(document, rules).then(r => r.violations)",
        rules | {"resultTypes": ["violations"], "preload": False},
    )
    return [
        (rule["id"], rule["help"], [node["html"][:160] for node in rule["nodes"][:3]])
        for rule in found
    ]


def on_desktop(page, at):
    """On two widths and, in the end, by axe, which asks for stylesheets at addresses of its own."""
    found = looked(page, at) | unfolded_on(page, (DESKTOP["width"], NARROW))
    return found | {"troubles": list(page.troubles), "axe": by_axe(page)}


def on_phone(page, at, only_there):
    """Where a page is opened nowhere else, with everything unfolded at once."""
    if only_there:
        found = looked(page, at, UNHEARD, UNFOLDED) | fitting(page, (PHONE["width"],))
    else:
        found = looked(page, at)
    return found | {"troubles": page.troubles}


def walked(browser, address, names, wholly):
    """{(page, device): what is found there}, the troubles of the page among it: each page on a
    phone, where there is least room, and those that are looked at wholly on a desktop first."""
    found = {}
    for device, size, motion, those in (
        ("desktop", DESKTOP, "no-preference", wholly),
        ("phone", PHONE, "reduce", names),
    ):
        context = browser.new_context(viewport=size, reduced_motion=motion)
        for name in those:
            page, at = watched(context.new_page(), address), f"{address}/{name}"
            found[name, device] = (
                on_desktop(page, at)
                if device == "desktop"
                else on_phone(page, at, name not in wholly)
            )
            page.close()
        context.close()
    return found
