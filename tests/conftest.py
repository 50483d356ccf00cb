"""Tests run in the environment of the chapters, and property tests on the same examples again."""

import gc
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from browser import chromium, serving
from bs4 import BeautifulSoup
from hypothesis import settings
from notebooks import built
from whole import CASES, without_slow

from logpartition_book import build
from logpartition_book.files import ROOT, in_turn
from logpartition_book.run import SELDOM, settle

HERE = Path(__file__).resolve().parents[1]
if ROOT != HERE:  # a copied environment, whose code is another folder's
    pytest.exit(f"this Python has the code of {ROOT}, and these are the tests of {HERE}", 3)
# those that take long begin first, so that no worker is left alone with one at the end, and the
# chapters next; none waits for the site of the book, which is built meanwhile for the first
LONG = """site build results pages walk seen refused proved run paper programs gates reach launch
chain again"""
LONG = [f"test_{name}.py" for name in LONG.split()]
SPOKEN = re.compile("(<semantics>).*?(?=<annotation )", re.DOTALL)
SPAN = re.compile("<span|</span>")
settle()
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(config, items):
    if not CASES:
        items[:] = without_slow(config, items)
    last = len(LONG)
    order = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: order.get(item.path.name, last + (item.path.suffix == ".py")))


def pytest_collection_finish():
    """What was imported stays, and need not be looked through for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


@pytest.fixture(scope="session")
def running():
    """One Chromium for all tests that need one."""
    with chromium() as found:
        yield found


@pytest.fixture
def browser(running):
    """That Chromium; whatever a test opened in it is closed after the test, since a page that is
    open goes on working."""
    yield running
    for context in running.contexts:
        context.close()


@pytest.fixture(scope="session", params=["book", "sample"])
def site(request, tmp_path_factory):
    """Folder of a site, built once for all workers; the book's own build is the one that `make
    book` keeps."""
    build.install(ROOT / "book" / "_ext")
    if request.param == "book":
        with in_turn(ROOT / "_build" / ".tested"):  # by another worker, perhaps
            return build.build(ROOT, ROOT / "_build", quiet=True).parent
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "sample"
    with in_turn(folder / ".tested"):
        if not (folder / "root").exists():
            from sample import make  # which proves what its pages show

            make(folder / "root")
        assert built(folder / "root", folder / "_build") == (0, "")
        return folder / "_build" / "html"


@pytest.fixture(scope="session")
def pages(site):
    return sorted(path.name for path in site.glob("*.html"))


@pytest.fixture(scope="session")
def address(site):
    with serving(site) as found:
        yield found


@pytest.fixture(scope="session")
def trees(site, pages):
    return Trees(site, pages)


class Trees(Mapping):
    """The pages, without most of what formulas are drawn and read aloud of, which is most of their
    elements; each is read when it is asked for."""

    def __init__(self, site, pages):
        self.site, self.pages, self.known = site, pages, {}

    def __getitem__(self, name):
        if name not in self.known:
            html = (self.site / name).read_text(encoding="utf-8")
            self.known[name] = BeautifulSoup(SPOKEN.sub(r"\1", undrawn(html)), "html.parser")
        return self.known[name]

    def __contains__(self, name):
        return name in self.pages

    def __iter__(self):
        return iter(self.pages)

    def __len__(self):
        return len(self.pages)


def undrawn(html):
    kept, after = [], 0
    for drawn in re.finditer('<span class="katex-html"[^>]*>', html):
        kept.append(html[after : drawn.end()])
        depth, after = 1, drawn.end()
        while depth:
            tag = SPAN.search(html, after)
            depth, after = depth + (1 if tag[0] == "<span" else -1), tag.end()
        after = tag.start()
    return "".join([*kept, html[after:]])
