"""Chromium over localhost, for the tests of the built site."""

import functools
import http.server
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

from logpartition_book import paper


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextmanager
def serving(folder: Path):
    """The address under which `folder` is served on this machine."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def installed():
    """The path of a Chromium; skips, loudly, where there is none."""
    if found := paper.chromium():
        return found
    message = (
        "NO CHROMIUM ON THIS MACHINE: THE BUILT SITE WAS NOT TESTED IN A BROWSER"
        " (Debian: apt-get install chromium)"
    )
    warnings.warn(message, stacklevel=2)
    pytest.skip(message)


@contextmanager
def chromium():
    """A headless Chromium."""
    path = installed()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=paper.FLAGS)
        yield browser
        browser.close()


CLIPPED = (Path(__file__).parent / "clipped.js").read_text(encoding="utf-8")
