"""The pages of the built site as they are, before a browser does anything: the book's, and those of
a sample that has a result of every kind."""

import json
import re
import unicodedata
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

from browser import on_the_book, on_the_sample
from bs4 import BeautifulSoup
from jsonschema import Draft202012Validator
from walk import DESKTOP, NARROW, PHONE, STRUCTURE, opened
from whole import PAGES

from logpartition_book import leaves, readings, records

ROOT = Path(__file__).parents[1]
ADDRESSES = {"href", "src"}
ENTRY = re.compile("<pre>.*?</pre>", re.DOTALL)  # of a bibliography, which has TeX
TAGS, MATHML = re.compile("<[^>]*>"), re.compile(r"(<math\b[^>]*>).*?</math>", re.DOTALL)


def test_every_page_of_the_contents_is_there(site, pages):
    root = ROOT if site.is_relative_to(ROOT) else site.parents[1] / "root"
    assert {f"{slug}.html" for slug in ["index", *records.slugs(root)]} <= set(pages)


def test_each_result_has_a_page_of_its_own(site, trees):
    """It needs no script but for the theme, says what the box says in formulas without their TeX,
    and leads to the box; a former label leads on."""
    results = json.loads((site / "results.json").read_text())["results"]
    # of the book, whose pages take long to read, a part, unless its site is to be published
    few = ROOT in site.parents and not PAGES
    for result in results[:: 15 if few else 1]:
        path = site / result["page"]
        text = path.read_text(encoding="utf-8")
        said = ENTRY.sub("", text.partition("<main")[2])
        assert not re.search(r"[$\\]", TAGS.sub("", said)), path
        tree = BeautifulSoup(MATHML.sub(r"\1</math>", text), "html.parser")
        assert [one.get_text() for one in tree.find_all("script")] == [leaves.THEME] and tree.h1
        assert not [c for c in tree.find(property="og:description")["content"] if signless(c)]
        shown = tree.main.find_all(class_=["display", "chain"])
        assert bool(result["statement"]) <= any(one.math for one in shown)
        assert len(tree.main.find_all(class_="term")) in (0, len(result["chain"]))
        to = [link["href"] for link in tree.main.find_all("a")]
        assert f"../{result['address']}" in to
        assert all((path.parent / urldefrag(link)[0]).exists() for link in to)
    moved = site / "result" / "former.html"
    assert not moved.exists() or 'url=coin.html"' in moved.read_text()


def signless(char):
    """Whether no font has this character."""
    return unicodedata.category(char) in ("Co", "Cn", "Cc", "Cf")


def test_excerpts_and_descriptions_have_characters_that_fonts_have(site, trees):
    """The descriptions of pages, and the index of the search, which holds no TeX where it shows,
    but for docstrings."""
    text = (site / "_static" / "search-index.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("const BOOK = ").rstrip(";\n"))
    said = [entry["text"] for entry in index if not entry["to"].startswith("library.html")]
    assert not [one for one in said if re.search(r"\\[a-zA-Z]|\$|\]\(|\{eq\}", one)]
    said += [tree.find(property="og:description")["content"] for tree in trees.values()]
    assert not [one for one in said if any(map(signless, one))]
    assert any(entry["code"] for entry in index)


@on_the_sample
def test_a_former_address_leads_on(site, trees):
    """To the result itself, to another page's, and to a page."""
    page = trees["cumulants.html"]
    assert page.find(id="eq-former").find_next(class_="lp-result")["id"] == "eq-coin"
    links = [page.find(id=f"eq-{name}").a["href"] for name in ("gone", "elsewhere")]
    assert links == ["softmax-gradient.html#eq-softmax-gradient", "errata.html"]
    assert "gone: in its place there is (2.1)" in page.find(class_="lp-moved").get_text()


def test_formulas_are_set_and_keep_their_tex(trees):
    for name, tree in trees.items():
        for formula in tree.find_all(class_="math"):
            assert formula.find(class_="katex-html") and formula.math.find("annotation"), name
        assert not tree.find(class_="katex-error"), name


def test_links_and_anchors_resolve(site, pages, trees):
    anchors = {name: {tag["id"] for tag in tree.find_all(id=True)} for name, tree in trees.items()}
    broken = []
    for name, tree in trees.items():
        for tag in tree.find_all(lambda tag: tag.name != "base" and ADDRESSES & tag.attrs.keys()):
            target, anchor = urldefrag(urljoin(name, tag.get("href") or tag.get("src")))
            if urlsplit(target).scheme:
                continue
            target = urlsplit(target).path or name
            if not (site / target).is_file():
                broken.append(f"{name}: no file {target}")
            elif anchor and target in anchors and anchor not in anchors[target]:
                broken.append(f"{name}: no anchor {target}#{anchor}")
    assert broken == []


def test_what_nobody_has_read_says_so(site, trees):
    """Under the title, with a link to it, and there; and on each page that leads to it."""
    root = ROOT if site.is_relative_to(ROOT) else site.parents[1] / "root"
    found = readings.by_page(readings.unread(root))
    notes = {name: tree.find(class_="lp-unread-note") for name, tree in trees.items()}
    noted = {name.removesuffix(".html") for name, note in notes.items() if note}
    assert noted >= set(found)
    for page, passages in found.items():
        note, tree = notes[f"{page}.html"], trees[f"{page}.html"]
        assert note.find_previous_sibling().name == "h1"
        said = [one.get_text() for one in note("li")]
        assert f"{len(said)} passage" in note.summary.get_text()
        assert said[: len(passages)] == [passage.begins for passage in passages]
        assert all(tree.find(id=link["href"][1:]) for link in note.ul("a"))
        lines = [passage.place for passage in passages if isinstance(passage.place, int)]
        assert {link["href"] for link in note("a")} >= {f"#unread-{line}" for line in lines}
        for line in lines:
            assert "Not read since it changed" in tree.find(id=f"unread-{line}").get_text()
    if root != ROOT:
        assert set(found) == {"softmax-gradient", "trust", "ledger", "references", "index"}
        assert notes["ledger.html"].a["href"] == "#claim-s0-eq9"
        assert notes["errata.html"].a["href"] == "#erratum-s0-eq9"
        apart = trees["softmax-gradient.html"](class_="lp-unread")
        assert [bool(one.find(class_="lp-result")) for one in apart] == [False, False, True]
        assert apart[0].figcaption and not apart[1].figcaption
        assert apart[1].find_previous_sibling("h2").get_text().startswith("2. The Hessian")
        assert "or of what it leads to" in notes["graph.html"].summary.get_text()
        begun = {passage.place: passage.begins for each in found.values() for passage in each}
        (made,) = (said for said in begun.values() if said.startswith("hessian = "))
        for name, tree in trees.items():
            leads = tree.article.find(href=re.compile("#(equation-)?eq-hessian$"))
            told = notes[name] and made in notes[name].get_text()
            assert bool(told) == bool(leads), name
        for label in (record["label"] for record in records.all_records(root / "book")):
            text = (site / "result" / f"{label}.html").read_text(encoding="utf-8")
            leads = label == "hessian" or 'href="hessian.html"' in text
            assert (made in unescape(text)) is leads


def test_ids_are_unique(trees):
    for name, tree in trees.items():
        ids = [tag["id"] for tag in tree.find_all(id=True)]
        assert len(ids) == len(set(ids)), f"{name}: {[i for i in ids if ids.count(i) > 1]}"


BLOCKS = "address article aside blockquote details div dl fieldset figure footer form header main"
BLOCKS = f"{BLOCKS} nav ol p pre section table ul h1 h2 h3 h4 h5 h6".split()
LINES = set("b button code em i label p pre q s small span strong sub summary sup".split())
LINES |= {f"h{n}" for n in range(1, 7)}


def test_elements_stand_where_html_allows_them(trees):
    """A block in no line, a style in the head alone, one control to a label, and none of HTML's
    attributes on a drawing: what was wrong by the standard's rules, and a browser makes good."""
    for name, tree in trees.items():
        found = [
            f"<{tag.name}> in <{tag.parent.name}>"
            for tag in tree.find_all(BLOCKS)
            if tag.parent.name in LINES
            and not (tag.parent.name == "summary" and tag.name[0] == "h")
        ]
        found += [f"<style> in <{tag.parent.name}>" for tag in tree.body.find_all("style")]
        controls = ["button", "input", "meter", "output", "progress", "select", "textarea"]
        for label in tree.find_all("label"):
            found += ["several controls in a label"] if len(label.find_all(controls)) > 1 else []
        for drawing in tree.find_all("svg"):
            found += [f"<{tag.name} hidden>" for tag in drawing.find_all(hidden=True)]
        assert not found, f"{name}: {set(found)}"


def test_a_chapter_says_first_what_it_uses_and_how_long_it_takes(site, trees):
    """The chapters whose results its own rest on, and the first steps; minutes from what is seen
    of its words and formulas; and pages lead from one to the next of the contents."""
    found = {
        one["label"]: one for one in json.loads((site / "results.json").read_text())["results"]
    }
    for name, tree in trees.items():
        line, slug = tree.find(class_="lp-before"), name.removesuffix(".html")
        if not (site / f"{slug}.ipynb").exists():
            assert not line, name
            continue
        used = {
            found[label]["chapter"]
            for one in found.values()
            if one["chapter"] == slug
            for label in one["uses"]
        }
        first = {"first-steps"} if "first-steps.html" in trees else set()
        assert {link["href"] for link in line("a")} == {
            f"{s}.html" for s in (used | first) - {slug}
        }
        said = re.search(
            r"About (\d+) minutes: some ([\d,]+) words .* and (\d+) displayed", line.text
        )
        minutes, words, formulas = (int(number.replace(",", "")) for number in said.groups())
        assert abs(minutes - words / 200 - formulas / 3) <= 1
        terms = tree.select(".lp-term, .lp-display, .bd-article div.math")
        assert formulas == sum(not term.find_parent("details") for term in terms)
    root = ROOT if site.is_relative_to(ROOT) else site.parents[1] / "root"
    order = [f"{slug}.html" for slug in ["index", *records.slugs(root)]]
    for page, following in zip(order, order[1:], strict=False):
        assert trees[page].select_one("a.right-next")["href"] == following
        assert trees[following].select_one("a.left-prev")["href"] == page


def test_the_page_on_access_says_what_is_tested():
    said = (ROOT / "book" / "access.md").read_text(encoding="utf-8")
    rules, last = STRUCTURE["runOnly"][:-1], STRUCTURE["runOnly"][-1]
    assert f"{', '.join(f'`{rule}`' for rule in rules)} and `{last}`" in " ".join(said.split())
    assert NARROW == 320 and "three hundred and twenty pixels" in said and "four times" in said
    assert DESKTOP["width"] > NARROW and PHONE["width"] > NARROW


def test_results_are_data(site, trees):
    """As the schema beside them says, each at an address that is there, and all of them."""
    data, schema = (
        json.loads((site / name).read_text(encoding="utf-8"))
        for name in ("results.json", "results.schema.json")
    )
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(data)
    boxes = {
        f"{name}#{box['id']}": box
        for name, tree in trees.items()
        for box in tree.select(".lp-result")
    }
    assert {result["address"] for result in data["results"]} == set(boxes)
    for result in data["results"]:
        number = boxes[result["address"]].find(class_="lp-number").text
        assert f"({result['number']})" in number


def test_a_page_without_contents_has_no_button_for_them(trees):
    for name, tree in trees.items():
        assert len(tree.select(".secondary-toggle")) == len(
            tree.select("#pst-secondary-sidebar")
        ), name


def test_chapters_have_one_name(trees):
    """That of the sidebar, in the table of the front page."""
    front = trees["index.html"]
    names = {
        link["href"]: re.sub(r"^[\d.]+\s+", "", link.get_text().strip())
        for link in front.select("#pst-primary-sidebar a[href]")
    }
    for link in front.select(".bd-article td:first-child a[href$='.html']"):
        assert link.get_text() == names[link["href"]]


@on_the_book
def test_printed_sentences_are_broken_and_columns_are_not(browser, address, site, trees):
    page = opened(browser, address, viewport=PHONE)
    kept = {"sentences": "pre-wrap", "many-columns": "pre"}
    for kind, space in kept.items():
        found = [n for n, tree in trees.items() if tree.select(f".cell_output .{kind} pre")]
        for name in sorted(found, key=lambda name: (site / name).stat().st_size)[:1]:
            page.goto(f"{address}/{name}")
            output = page.locator(f".cell_output .{kind} pre").first
            assert output.evaluate("e => getComputedStyle(e).whiteSpace") == space


@on_the_sample
def test_a_page_is_light_where_no_script_says_otherwise(trees):
    assert {tree.html["data-theme"] for tree in trees.values()} == {"light"}
