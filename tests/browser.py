"""Chromium over localhost, for the tests of the built site."""

import functools
import http.server
import shutil
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


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


@contextmanager
def chromium():
    """A headless Chromium; skips, loudly, where there is none."""
    found = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if found is None:
        message = (
            "NO CHROMIUM ON THIS MACHINE: THE BUILT SITE WAS NOT TESTED IN A BROWSER"
            " (Debian: apt-get install chromium)"
        )
        warnings.warn(message, stacklevel=2)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


CLIPPED = (Path(__file__).parent / "clipped.js").read_text(encoding="utf-8")
