"""How long a reader waits for a chapter: on a desktop, and as on a telephone, which is four times
slower and has 1.6 Mbit/s with 150 ms to an answer.

Each visit is the first to the built site, which is served compressed. A line a chapter and device:
the kB that came until five seconds after it was loaded; when something was painted, when the first
formula of the article was painted in its fonts, and for how long the main thread was held up, which
is what its tasks took beyond 50 ms each. These are in ms, and beside them stands the share of the
budget where there is one. Each is the least of several visits, by itself. No time fails: it is that
of the machine, and of what else it does. What a visit fetches has its limit in test_walk.py.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import Compressing, chromium, serving
from walk import DESKTOP, PHONE

from logpartition_book import records
from logpartition_book.files import ROOT

SITE = ROOT / "_build" / "html"
VISITS = 3
BUDGET = {"desktop": {"kB": 350, "formula": 500}, "telephone": {"formula": 1500, "held up": 1000}}
LINE = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}

# once a frame the first formula is looked for, and its fonts asked after; the frame after that in
# which they are there has painted it
SEEN = """
    window.held = 0;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) held += duration - 50;
    }).observe({ type: "longtask", buffered: true });
    const there = () => {
        const formula = document.querySelector(".bd-article .katex-html");
        return formula && [...formula.querySelectorAll("*")].every((e) => {
            const { fontStyle, fontWeight, fontFamily } = getComputedStyle(e);
            return !e.textContent.trim()
                || document.fonts.check(`${fontStyle} ${fontWeight} 16px ${fontFamily}`);
        });
    };
    const look = () => {
        if (!there()) requestAnimationFrame(look);
        else requestAnimationFrame(() => setTimeout(() => { window.seen = performance.now(); }));
    };
    requestAnimationFrame(look);
"""
TOLD = """() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    formula: seen,
    "held up": held,
})"""


def visit(browser, at, device):
    """A first visit, with a cache of its own."""
    slow = device == "telephone"
    context = browser.new_context(viewport=PHONE if slow else DESKTOP, is_mobile=slow)
    page = context.new_page()
    wire, received = context.new_cdp_session(page), []
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    if slow:
        wire.send("Network.emulateNetworkConditions", {"offline": False, **LINE})
        wire.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(SEEN)
    page.goto(at)
    page.wait_for_timeout(5000)
    told = page.evaluate(TOLD)
    context.close()
    return {"kB": sum(received) / 1000, **told}


def least(browser, at, device):
    found = [visit(browser, at, device) for _ in range(VISITS)]
    return {key: min(one[key] for one in found) for key in found[0]}


def told(name, measured, budget):
    share = f" ({measured / budget:.2f})" if budget else ""
    return f"{name} {measured:.0f}{share}"


@pytest.mark.parametrize("slug", [path.stem for path in records.notebooks(ROOT)])
def test_reading(capsys, slug):
    if not SITE.exists():
        pytest.skip("there is no built site: call make book")
    with chromium() as browser, serving(SITE, Compressing) as address:
        for device, budget in BUDGET.items():
            found = least(browser, f"{address}/{slug}.html", device)
            parts = (told(name, value, budget.get(name)) for name, value in found.items())
            with capsys.disabled():
                print(f"\n{slug}, {device}: {', '.join(parts)}", end="")
