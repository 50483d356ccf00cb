"""The line that runs a chapter, its notebook for Colab, and released versions beside the newest."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import nbformat
import pytest
import yaml
from browser import serving
from bs4 import BeautifulSoup
from notebooks import built, code, make_book, printed, result
from walk import AXE, DESKTOP, PHONE, SIDEWAYS, STRUCTURE, opened, told_by_axe

from logpartition_book import book_gates, build, launch, versions
from logpartition_book.files import ROOT, zipped

AT = "someone/a.book"


def git(root, *words):
    return subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def configured(root, url):
    path = root / "_config.yml"
    path.write_text(path.read_text().replace('url: ""', f'url: "{url}"'))


# the repository


@pytest.mark.parametrize(
    "url, at",
    [
        ("https://github.com/someone/a.book", AT),
        ("https://github.com/someone/a.book/", AT),
        ("https://github.com/someone/a.book.git", AT),
        ("https://name:secret@github.com/someone/a.book.git", AT),
        ("git@github.com:someone/a.book.git", AT),
        ("ssh://git@github.com/someone/a.book", AT),
        ("", ""),
        ("/somewhere/github.com/someone/a.book", ""),
        ("https://github.com/someone", ""),
        ("https://github.com/someone/a.book/tree/main", ""),
        ("https://github.com.example.org/someone/a.book", ""),
        ("https://example.org/github.com/someone/a.book", ""),
        ("git@example.org:someone/a.book.git", ""),
    ],
)
def test_the_repository_is_that_of_origin(tmp_path, url, at):
    (tmp_path / "_config.yml").write_text('repository: {url: ""}\n')
    git(tmp_path, "init")
    if url:
        git(tmp_path, "remote", "add", "origin", url)
    assert launch.repository(tmp_path) == at


def test_the_settings_come_before_origin(tmp_path):
    git(tmp_path, "init")
    git(tmp_path, "remote", "add", "origin", "https://github.com/someone/else")
    (tmp_path / "_config.yml").write_text("repository: {url: https://github.com/someone/a.book}\n")
    assert launch.repository(tmp_path) == AT
    (tmp_path / "_config.yml").write_text("repository: {url: https://example.org/a/b}\n")
    assert launch.repository(tmp_path) == ""


def test_another_origin_is_another_site(tmp_path):
    git(tmp_path, "init")
    before = build.sources(tmp_path)
    git(tmp_path, "remote", "add", "origin", "https://github.com/someone/a.book")
    assert build.sources(tmp_path) != before


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://x.org/a b", "proved by us"])
def test_a_gate_reads_the_address(tmp_path, url):
    (tmp_path / "_config.yml").write_text((ROOT / "_config.yml").read_text())
    assert list(book_gates.settings(tmp_path)) == []
    configured(tmp_path, url)
    [finding] = book_gates.settings(tmp_path)
    assert f"sets repository.url to {url!r}" in finding.message


@pytest.mark.parametrize(
    "baseurl, url, at",
    [
        ("", "", ""),
        ("", "https://github.com/someone/a.book", "/a.book/"),
        ("", "https://github.com/someone/Someone.github.io", "/"),
        ("https://example.org", "https://github.com/someone/a.book", "/"),
        ("https://example.org/a/b/", "", "/a/b/"),
    ],
)
def test_where_the_site_is_known_to_stand(tmp_path, baseurl, url, at):
    (tmp_path / "_config.yml").write_text(f'repository: {{url: "{url}"}}\n')
    git(tmp_path, "init")
    config = SimpleNamespace(html_baseurl=baseurl)
    app = SimpleNamespace(config=config, srcdir=tmp_path / "book")
    assert launch.prefix(app) == at


def test_a_page_at_a_lost_address_says_where_the_site_stands(book, browser):
    """Under its prefix without scripts, and elsewhere with them."""
    lost = (book[1] / "404.html").read_text(encoding="utf-8")
    assert parsed(book[1] / "404.html").base["href"] == "/a.book/"
    (book[1].parent / "served").mkdir()
    (book[1].parent / "served" / "a.book").symlink_to(book[1])
    weight = "getComputedStyle(document.querySelector('h1')).fontWeight"
    with serving(book[1].parent / "served") as address:
        for scripts in (True, False):
            page = browser.new_context(java_script_enabled=scripts).new_page()
            page.route(
                "**/far/**", lambda route: route.fulfill(body=lost, content_type="text/html")
            )
            page.goto(f"{address}/a.book/no/far/page.html")
            front = page.get_by_role("link", name="front page")
            assert page.evaluate(weight) == "600"
            assert front.evaluate("a => a.href") == f"{address}/a.book/index.html"


# a book with a repository


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Root and site of a book of two chapters, of a repository at github.com."""
    folder = tmp_path_factory.mktemp("launched")
    cells = {"one": ["Text.", code(outputs=[printed("1\n")])], "two": ["More.", result("sum")]}
    root = make_book(folder / "root", cells)
    (root / "requirements.txt").write_text("numpy==1.0\nsympy==1.2.3\nmpmath==1.3.0  # digits\n")
    configured(root, f"https://github.com/{AT}")
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "all")
    assert built(root, folder / "out") == (0, "")
    return root, folder / "out" / "html"


def parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_a_chapter_can_be_run(book):
    """By a line of links directly under its title; pages that are no notebooks have none."""
    found = parsed(book[1] / "one.html").select(".lp-launch")
    assert [line.find_previous_sibling().name for line in found] == ["h1"]
    assert [link["href"] for link in found[0].select("a")] == [
        f"https://mybinder.org/v2/gh/{AT}/HEAD?urlpath=lab/tree/book/one.ipynb",
        f"https://colab.research.google.com/github/{AT}/blob/colab/one.ipynb",
        "one.ipynb",
        "notebooks.zip",
    ]
    said = "Run in Binder or Colab, or download this notebook or all, with the library."
    assert found[0].get_text() == said
    assert not parsed(book[1] / "index.html").select(".lp-launch")
    loaded = parsed(book[1] / "one.html").select("[src], link[href]")
    assert not [tag for tag in loaded if "://" in tag.get("src", tag.get("href", ""))]


def test_all_notebooks_and_what_they_need_are_in_a_zip(book):
    root, site = book
    with ZipFile(site / "notebooks.zip") as found:
        names = set(found.namelist())
        project = tomllib.loads(found.read("pyproject.toml").decode())
        assert found.read("book/one.ipynb") == (site / "one.ipynb").read_bytes()
        commands = re.search(r"```sh\n(.*?)```", found.read("README.md").decode(), re.DOTALL)[1]
    assert {name for name in names if name.startswith("book/")} == {
        "book/one.ipynb",
        "book/two.ipynb",
        "book/references.bib",
    }
    assert (site / "references.bib").exists()
    assert project["project"]["dependencies"] == ["mpmath==1.3.0", "numpy==1.0", "sympy==1.2.3"]
    assert ".venv/bin/jupyter lab book" in commands
    again = site.parent / "again.zip"
    notebooks = {path.name: path.read_bytes() for path in site.glob("*.ipynb")}
    zipped(launch.together(root, notebooks), again)
    assert again.read_bytes() == (site / "notebooks.zip").read_bytes()
    assert parsed(site / "one.html").select(".lp-colophon a[href='notebooks.zip']")


def test_the_notebooks_in_the_zip_find_the_library_there(tmp_path):
    """Of the book: its chapters, what they import, and no file of another package."""
    notebooks = {path.name: path.read_bytes() for path in (ROOT / "book").glob("*.ipynb")}
    zipped(launch.together(ROOT, notebooks), tmp_path / "all.zip")
    with ZipFile(tmp_path / "all.zip") as found:
        found.extractall(tmp_path)
    assert (tmp_path / "all.zip").stat().st_size < 3e6
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    asked = {need.partition("==")[0] for need in project["dependencies"]}
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {*own["dependencies"], "scipy", "ipykernel"} == asked
    code = "import logpartition; print(logpartition.__file__)"
    path = {**os.environ, "PYTHONPATH": str(tmp_path / "lib")}
    done = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True)
    assert done.stdout.startswith(str(tmp_path / "lib")), done.stderr


def test_colab_gets_the_library_first(book):
    root, site = book
    offered = nbformat.read(site / "one.ipynb", 4)
    assert sorted(path.name for path in (site / "colab").iterdir()) == ["one.ipynb", "two.ipynb"]
    notebook = nbformat.read(site / "colab" / "one.ipynb", 4)
    nbformat.validate(notebook)
    assert notebook.cells[1:] == offered.cells
    assert notebook.cells[0].source.splitlines()[1:] == [
        "import os",
        "if os.getcwd().endswith('/a.book/book'):",
        "    %cd -q ../..",
        "if not os.path.isdir('a.book'):",
        f"    !git clone --quiet https://github.com/{AT}",
        f"!git -C a.book checkout --quiet {git(root, 'rev-parse', 'HEAD')}",
        "%pip install --quiet ./a.book scipy sympy==1.2.3 mpmath==1.3.0",
        "%cd a.book/book",
    ]


RUN = """
import os, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.register_magic_function(lambda line: print("pip", line), magic_name="pip")
for start in sys.argv[2:]:
    os.chdir(start or ".")
    shell.run_cell(sys.argv[1], silent=True).raise_error()
    assert not shell.user_ns["_exit_code"]
    print(os.getcwd())
"""


def test_the_first_cell_on_colab_may_be_run_again(book, tmp_path):
    """Where it ended, and from the start, as after a restart."""
    root, site = book
    cell = nbformat.read(site / "colab" / "one.ipynb", 4).cells[0].source
    here = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{root.as_uri()}.insteadOf",
            "GIT_CONFIG_VALUE_0": f"https://github.com/{AT}", "HOME": str(tmp_path),
            "IPYTHONDIR": str(tmp_path / "ipython"), "PATH": os.environ["PATH"]}  # fmt: skip
    content = tmp_path / "content"
    content.mkdir()
    command = [sys.executable, "-c", RUN, cell, str(content), "", str(content)]
    done = subprocess.run(command, env=here, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "fatal" not in done.stdout + done.stderr, done
    assert done.stdout.splitlines().count(f"{content}/a.book/book") >= 3
    assert [path.name for path in content.iterdir()] == ["a.book"]
    assert not (content / "a.book" / "book" / "a.book").exists()


def test_the_line_fits_a_phone_and_serves_a_keyboard(browser, book):
    with serving(book[1]) as address:
        page = opened(browser, address, viewport=PHONE)
        page.goto(f"{address}/one.html")
        line = page.locator(".lp-launch")
        assert line.bounding_box()["height"] < 45 and not page.evaluate(SIDEWAYS)
        focused = "document.activeElement.textContent"
        line.locator("a").first.focus()
        assert page.evaluate(focused) == "Binder"
        page.keyboard.press("Tab")
        assert page.evaluate(focused) == "Colab"
        page.emulate_media(media="print")
        assert not line.is_visible()


def test_a_book_without_a_repository_has_no_line(tmp_path):
    root = make_book(tmp_path / "root", {"one": ["Text."]})
    assert built(root, tmp_path / "out") == (0, "")
    site = tmp_path / "out" / "html"
    assert not parsed(site / "one.html").select(".lp-launch") and not (site / "colab").exists()


def test_a_site_that_is_published_has_its_address(book, tmp_path, monkeypatch):
    """Pages, their pictures and citations, also where the site before it was built without."""
    shutil.copytree(book[1].parent, tmp_path / "out")
    monkeypatch.setenv("LOGPARTITION_PUBLISHED", "1")
    assert built(book[0], tmp_path / "out") == (0, "")
    at, site = "https://someone.github.io/a.book", tmp_path / "out" / "html"
    for name in ("two.html", "result/sum.html"):
        page = parsed(site / name)
        assert page.find(rel="canonical")["href"] == f"{at}/{name}"
        assert page.find(property="og:url")["content"] == f"{at}/{name}"
        assert page.find(property="og:image")["content"] == f"{at}/_static/picture.png"
    cited = parsed(site / "two.html").select("#eq-sum .lp-address")
    again = parsed(site / "two.html").select("#eq-sum .lp-screen dd a")
    assert [link.get_text() for link in again][:4] == [
        "Code cell 1",
        "two.ipynb",
        "Binder",
        "Colab",
    ]
    assert {one.get_text() for one in cited} == {f"{at}/two.html#eq-sum"} and len(cited) == 2
    assert f"{at}/result/sum.html</p>" in (site / "result" / "sum.html").read_text()
    former = versions.placed((site / "two.html").read_text(), "v0.1.0")
    assert former.count(f"{at}/v0.1.0/") == former.count(at) > 4
    unpublished = (book[1] / "two.html").read_text()
    assert versions.placed(unpublished, "v0.1.0") == unpublished and at not in unpublished


@pytest.mark.parametrize("name", ["publish", "release"])
def test_what_is_published_is_built_so(name):
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    (step,) = (s for s in flow["jobs"]["build"]["steps"] if "make book" in s.get("run", ""))
    assert step["env"] == {"LOGPARTITION_PUBLISHED": "1"}


# versions


@pytest.fixture(scope="module")
def site(book, tmp_path_factory):
    """The site, with itself as version 0.1.0, which had one page more."""
    _, newest = book
    folder = tmp_path_factory.mktemp("versions")
    (folder / "zips").mkdir()
    with ZipFile(folder / "zips" / "v0.1.0.zip", "w") as archive:
        for path in sorted(newest.rglob("*")):
            if path.suffix == ".html":
                page = re.sub(r"\(version [^,)]+", "(version 0.1.0", path.read_text())
                archive.writestr(str(path.relative_to(newest)), page)
            elif "python" not in path.parts:
                archive.write(path, path.relative_to(newest))
        archive.write(newest / "two.html", "result/former.html")
    done = run(folder / "zips", newest)
    assert (done.returncode, done.stdout) == (0, "released versions: 1\n"), done.stderr
    return newest


def run(*arguments):
    command = [sys.executable, "-m", "logpartition_book.versions", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_former_version_says_so_on_each_page(site):
    pages = [page for page in (site / "v0.1.0").rglob("*.html") if "_static" not in page.parts]
    assert len(pages) > 3
    for page in pages:
        tree = parsed(page)
        [line] = tree.select("aside[aria-label=Version]")
        assert line.get_text().startswith("This is version 0.1.0. ")
        assert tree.select_one("meta[name=robots]")["content"] == "noindex"
        there = (page.parent / line.a["href"]).resolve()
        same = site / page.relative_to(site / "v0.1.0")
        assert there == (same if same.exists() else site / "index.html")
    assert not [page for page in site.glob("*.html") if "noindex" in page.read_text()]


def test_a_former_version_runs_as_it_was(site):
    links = parsed(site / "v0.1.0" / "one.html").select(".lp-launch a")
    assert [re.sub(r".*github?/|.*/gh/", "", link["href"]) for link in links] == [
        f"{AT}/v0.1.0?urlpath=lab/tree/book/one.ipynb",
        f"{AT}/blob/colab/v0.1.0/one.ipynb",
        "one.ipynb",
        "notebooks.zip",
    ]
    assert (site / "colab" / "v0.1.0" / "one.ipynb").exists()
    assert not (site / "v0.1.0" / "colab").exists()
    data = (site / "v0.1.0" / "results.json").read_bytes()
    assert data == (site / "results.json").read_bytes()


def test_the_line_of_a_version_in_a_browser(browser, site):
    """It takes one line on a phone, after the link that skips to the text, and leads on."""
    with serving(site) as address:
        page = opened(browser, address, viewport=PHONE)
        page.goto(f"{address}/v0.1.0/one.html")
        line = page.locator("aside[aria-label=Version]")
        box = line.bounding_box()
        assert box["y"] == 0 and box["height"] < 45 and not page.evaluate(SIDEWAYS)
        page.set_viewport_size(DESKTOP)
        page.add_script_tag(path=AXE)
        assert told_by_axe(page, STRUCTURE) == []
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.hash") == "#main-content"
        page.keyboard.press("Tab")  # the first link, while focused, lies over the line
        page.keyboard.press("Enter")
        page.wait_for_url(f"{address}/one.html")
        assert page.troubles == []


PAGE = {"index.html": "<body></body>"}


@pytest.mark.parametrize(
    "name, members, why",
    [
        ("site.zip", PAGE, "its name is not that of a version"),
        ("v1.2.zip", PAGE, "its name is not that of a version"),
        ("v1.2.3", PAGE, "its name is not that of a version"),
        ("v1.2.3.zip", {}, "it has no front page"),
        *(
            (
                "v1.2.3.zip",
                PAGE | {"one.html": f'<section class="lp-colophon"><p>x (version {said}, so)'},
                f"a page in it says that it is version {said}",
            )
            for said in ("0.1.0", "1.2.3.dev", "1.2.30")
        ),
        *(
            ("v1.2.3.zip", PAGE | {member: "x"}, f"{member!r} is no file of a site")
            for member in ("../x", "a/../../x", "/x", "a//x", "..", "a\\x", "C:x", "a b", "é")
        ),
        ("v1.2.3.zip", PAGE | {"a": "x", "a/b": "x"}, "two files in it have one name"),
        ("v1.2.3.zip", PAGE | {"a.html": b"\xff"}, "it cannot be read: 'utf-8' codec"),
    ],
)
def test_odd_zips_are_refused(tmp_path, name, members, why):
    assert told(tmp_path, name, members.items()).startswith(f"{name}: {why}")


def test_links_in_zips_are_refused(tmp_path):
    link = ZipInfo("link.html")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "'link.html' is no file" in told(
        tmp_path, "v1.2.3.zip", [*PAGE.items(), (link, "/etc/hostname")]
    )


def told(folder: Path, name, members) -> str:
    """What is said of a zip that is refused, with nothing written, beside one that would do."""
    zips, site = folder / "zips", folder / "site"
    zips.mkdir()
    site.mkdir()
    (site / "index.html").write_text("newest")
    for path, held in ((zips / "v0.0.1.zip", PAGE.items()), (zips / name, members)):
        with ZipFile(path, "w") as archive:
            for member, text in held:
                archive.writestr(member, text)
    done = run(zips, site)
    assert done.returncode == 1 and [path.name for path in site.iterdir()] == ["index.html"]
    return done.stderr


@pytest.mark.parametrize("how", [ZIP_STORED, ZIP_DEFLATED])
def test_a_damaged_zip_is_refused_before_anything_is_written(tmp_path, how):
    (tmp_path / "zips").mkdir()
    (tmp_path / "index.html").write_text("newest")
    path = tmp_path / "zips" / "v1.2.3.zip"
    with ZipFile(path, "w", how) as archive:
        archive.writestr("index.html", "<body>A page of some length.</body>")
    content = bytearray(path.read_bytes())
    content[len("index.html") + 34] ^= 0xFF
    path.write_bytes(content)
    done = run(tmp_path / "zips", tmp_path)
    assert done.returncode == 1 and re.match(r"v1\.2\.3\.zip: .*\n$", done.stderr), done.stderr
    assert sorted(one.name for one in tmp_path.iterdir()) == ["index.html", "zips"]


def test_what_is_no_zip_and_no_site_is_refused(tmp_path):
    (tmp_path / "zips").mkdir()
    (tmp_path / "zips" / "v1.2.3.zip").write_text("text")
    assert "there is no site in" in run(tmp_path / "zips", tmp_path).stderr
    (tmp_path / "index.html").write_text("")
    assert (
        run(tmp_path / "zips", tmp_path).stderr
        == "v1.2.3.zip: it cannot be read: File is not a zip file\n"
    )
    assert "there is no folder" in run(tmp_path / "none", tmp_path).stderr
    (tmp_path / "zips" / "v1.2.3.zip").unlink()
    (tmp_path / "zips" / "v1.2.3.zip").mkdir()
    assert run(tmp_path / "zips", tmp_path).stderr.startswith("v1.2.3.zip: it cannot be read: ")


def test_a_file_in_the_place_of_a_version_gives_way(tmp_path):
    (tmp_path / "zips").mkdir()
    for name in ("index.html", "v1.2.3"):
        (tmp_path / name).write_text("newest")
    with ZipFile(tmp_path / "zips" / "v1.2.3.zip", "w") as archive:
        archive.writestr("index.html", "<body></body>")
    assert run(tmp_path / "zips", tmp_path).returncode == 0
    assert (tmp_path / "v1.2.3" / "index.html").exists()
