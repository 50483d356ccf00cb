"""Chromium over localhost, for the tests of the built site."""

import functools
import gzip
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


COMPRESSED = {".css", ".html", ".js", ".json", ".svg"}


@functools.cache
def sent(path: Path) -> bytes:
    """What a server that compresses sends of a file: text as gzip makes it, the rest as it is."""
    content = path.read_bytes()
    return gzip.compress(content, 6, mtime=0) if path.suffix in COMPRESSED else content


class Compressing(Quiet):
    """Text is compressed, and a connection kept, as on the servers that a book is read from."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        content = sent(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        if path.suffix in COMPRESSED:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(folder: Path, handler=Quiet):
    """The address under which `folder` is served on this machine."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=str(folder))
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


# the list that opens under the address bar is two pages, which each context loads and nobody sees,
# and which take longer than those of the sample; the others are what Playwright turns off, whose
# own list this one takes the place of
WITHOUT = """WebUIOmniboxPopup WebUIOmniboxAimPopup WebUIOmniboxFullPopup AimEnabled
AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync
DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter
NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch
ThirdPartyStoragePartitioning""".split()
FLAGS = [*paper.FLAGS, f"--disable-features={','.join(WITHOUT)}"]


@contextmanager
def chromium():
    """A headless Chromium."""
    path = installed()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


# what a script or a stylesheet does whatever a page holds is tried on the sample, whose pages are
# small
on_the_sample = pytest.mark.parametrize("site", ["sample"], indirect=True)
on_the_book = pytest.mark.parametrize("site", ["book"], indirect=True)
CLIPPED = (Path(__file__).parent / "clipped.js").read_text(encoding="utf-8")
