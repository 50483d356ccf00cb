"""`404.html`, which servers of static sites show for an address that leads nowhere.

It is shown under that address, so what it loads and links to would be looked for there; the pages
of results are the one folder deep in which a reader can be.
"""

from .leaves import FOLDER

TITLE = "Nothing is at this address"
BASE = f"""
    <script>
      if (/\\/{FOLDER}\\/[^/]*$/.test(location.pathname))
        document.head.append(Object.assign(document.createElement("base"), {{ href: "../" }}));
    </script>"""


def page(app):
    yield "404", {"title": TITLE}, "404.html"


def based(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """The address that all others of the page start from has to stand before them."""
    if pagename == "404":
        context["metatags"] = BASE + context.get("metatags", "")


def setup(app) -> dict:
    app.connect("html-collect-pages", page)
    app.connect("html-page-context", based, priority=900)  # after theme.describe
    return {"parallel_read_safe": True, "parallel_write_safe": True}
