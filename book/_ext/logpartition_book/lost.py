"""`404.html`, which servers of static sites show for an address that leads nowhere.

It is shown under that address, so what it loads and links to would be looked for there. Where the
site is known to stand, it says so; and a script finds out where that is not so: it asks folder by
folder, upwards, for what lies beside the front page.
"""

from . import launch

TITLE = "Nothing is at this address"
KNOWN = '<base href="{0}" />'
SEARCHED = """
    <script>
      {{
        const known = document.querySelector("base"), path = location.pathname;
        const there = (folder) => {{
          const request = new XMLHttpRequest();
          request.open("HEAD", new URL(`${{folder}}results.json`, location.href), false);
          try {{ request.send(); }} catch {{ return false; }}
          return request.status === 200;
        }};
        if (location.protocol === "file:" || path.endsWith("/404.html")) known?.remove();
        else if (!(known && path.startsWith("{0}"))) {{
          const base = known ?? document.head.appendChild(document.createElement("base"));
          const ups = path.split("/").slice(1).map((_, depth) => "../".repeat(depth) || "./");
          base.href = new URL(ups.find(there) ?? "./", location.href).pathname;
        }}
      }}
    </script>"""


def page(app):
    yield "404", {"title": TITLE}, "404.html"


def based(app, pagename: str, templatename: str, context: dict, doctree) -> None:
    """The address that all others of the page start from has to stand before them."""
    if pagename == "404":
        at = launch.prefix(app)
        tags = f"{KNOWN if at else ''}{SEARCHED}".format(at)
        context["metatags"] = tags + context.get("metatags", "")


def setup(app) -> dict:
    app.connect("html-collect-pages", page)
    app.connect("html-page-context", based, priority=900)  # after theme.describe
    return {"parallel_read_safe": True, "parallel_write_safe": True}
