"""Pictures with controls: what they hold without a browser, and how they answer the keyboard in
one."""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from notebooks import code, notebook, shown, store

from logpartition import _figure
from logpartition.figures import Explorer, Plane, Slider
from logpartition_book import live
from logpartition_book.files import ROOT


def drawing(text):
    plane = Plane((0, 4), (0, 2), width=400)
    plane.text((1, 1), text)
    return plane


def explorer(**options):
    frames = {
        (law, step): drawing(f"law {law} step {step}") for law in range(2) for step in range(3)
    }
    return Explorer(
        frames,
        [("law", ["normal", "two atoms"], "choice"), ("step", ["0", "1", "many"], "time")],
        alt="What is found",
        **options,
    )


def test_scales_are_equal_unless_a_height_is_given():
    assert Plane((0, 4), (0, 2), width=400).height == 200
    assert Plane((0, 4), (0, 2), width=400, height=50).height == 50


def test_pixels_run_from_the_upper_left():
    plane = Plane((0, 4), (0, 2), width=400)
    np.testing.assert_allclose(
        plane.pixel([[0, 2], [4, 0], [2, 1]]), [[0, 0], [400, 200], [200, 100]]
    )


def test_an_arrow_ends_at_its_head():
    plane = Plane((0, 4), (0, 4), width=400)
    plane.arrows([[1, 1]], [[1, 0]])
    assert "M100.0 300.0L200.0 300.0" in plane.svg()


def test_contours_lie_on_their_level():
    plane = Plane((-1, 1), (-1, 1), width=200)
    axis = np.linspace(-1, 1, 81)
    plane.contours(axis, axis, np.add.outer(axis**2, axis**2), [0.25])
    points = np.array(
        [
            [float(x) for x in pair.split()]
            for pair in plane.svg().split('d="M')[1].split('"')[0].split("L")
        ]
    )
    radius = np.hypot(*(points - 100).T)
    np.testing.assert_allclose(radius, 50, atol=0.3)


def test_a_page_shows_one_drawing_without_script_and_the_finding_is_said():
    soup = BeautifulSoup(_figure.live(explorer(start=(1, 2))._repr_html_()), "html.parser")
    assert not soup.select("img, style, [hidden]")
    shown = [g for g in soup.select("g.frame") if not g.has_attr("display")]
    assert [g.text for g in shown] == ["law 1 step 2"]
    assert soup.svg["role"] == "img" and soup.svg["aria-label"] == "What is found"
    assert soup.select_one("option[selected]").text == "two atoms" and soup.output.text == "many"
    assert all(control.find_parent("label") for control in soup.select("input, select"))
    assert not soup.select("label output, label button")
    controls = soup.select("input, select, button")
    assert len(controls) == 3 and all(c["data-lm-suppress-shortcuts"] for c in controls)


def test_a_notebook_shows_the_start_until_its_script_runs(browser):
    """Without the scripts, as a viewer that trusts nobody has it, in the style of the file."""
    stored = explorer(start=(1, 2), backdrop=drawing("under"))._repr_html_()
    soup = BeautifulSoup(stored, "html.parser")
    [script.decompose() for script in soup.select("script")]
    assert soup.img["alt"] == "What is found" and not soup.select("svg, select, input, style")
    page = browser.new_page()
    page.set_content(f"<html><body>{soup}</body></html>")
    assert page.evaluate("[document.images[0].naturalWidth, document.images[0].height]") == [
        400,
        200,
    ]
    page.goto(soup.img["src"])  # it is XML, on white, of one frame
    assert page.eval_on_selector_all("text", "all => all.map(e => e.textContent)") == [
        "under",
        "law 1 step 2",
    ]
    assert page.eval_on_selector("text", "e => getComputedStyle(e).fontSize") == "14px"
    assert page.get_attribute("rect", "fill") == "#fff"
    page = browser.new_page()
    page.set_content(f"<html><body>{stored}</body></html>")
    assert page.locator("img").count() == 0 and page.locator("g.frame").count() == 6


def test_a_picture_that_is_another_one_until_its_script_runs_is_noticed():
    stored = explorer()._repr_html_()
    other = explorer(start=(1, 2))._repr_html_()
    image = lambda html: re.search("<img [^>]*>", html)[0]
    assert not _figure.forged(stored) and not _figure.forged(_figure.live(stored))
    assert _figure.forged(stored.replace(image(stored), image(other)))
    assert _figure.forged(stored.replace("<style>", "<style>.label{display:none}"))


def test_the_same_picture_has_the_same_text():
    assert explorer()._repr_html_() == explorer()._repr_html_()
    assert repr(explorer()) == "a picture with controls: What is found"


def test_what_is_not_drawn_is_refused():
    with pytest.raises(ValueError, match="needs one for each of the 6 settings"):
        Explorer(
            {(0, 0): drawing("")},
            [("law", ["a", "b"], "choice"), ("step", ["0", "1", "2"], "range")],
            alt="",
        )
    with pytest.raises(ValueError, match=r"start: got \(5, 0\)"):
        explorer(start=(5, 0))
    with pytest.raises(ValueError, match="names: got 1, needs one for each of the 2 frames"):
        Slider([drawing(""), drawing("")], ["a"], control="β", alt="")
    with pytest.raises(ValueError, match="frames: got 0 drawings"):
        Slider([], [], control="β", alt="")


def test_controls_answer_the_keyboard(browser):
    page = browser.new_page()
    page.set_content(f"<html><body>{explorer()._repr_html_()}</body></html>")
    shown = lambda: page.eval_on_selector_all(
        "g.frame:not([display])", "all => all.map(e => e.textContent)"
    )
    assert shown() == ["law 0 step 0"]
    page.focus("select")
    page.keyboard.press("ArrowDown")
    assert shown() == ["law 1 step 0"]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert shown() == ["law 1 step 2"] and page.inner_text("output") == "many"
    assert page.get_attribute("input", "aria-valuetext") == "many"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # plays from the start, and stops at the end by itself
    assert page.get_attribute("button", "aria-pressed") == "true"
    page.wait_for_selector('button[aria-pressed="false"]')
    assert shown() == ["law 1 step 2"]


def test_a_page_takes_the_picture_that_it_names(tmp_path):
    """By the words of its alt text, whichever picture comes first."""

    def drawn(alt):
        figure = Explorer({(0,): drawing(alt)}, [("law", ["normal"], "choice")], alt=alt)
        return code("draw()", outputs=[shown(html=figure._repr_html_(), plain=alt)])

    path = tmp_path / "one.ipynb"
    store(notebook(drawn("Other keys"), drawn('Keys <and> a "bar" that moves')), path)
    number, html = live.picture(path, 'Keys <and> a "bar"')
    assert number == 2 and 'aria-label="Keys &lt;and' in html
    number, html = live.picture(path, "Other")
    assert number == 1 and 'aria-label="Other' in html
    assert live.picture(path, "keys") == live.picture(path, "The keys") == (0, "")


def test_the_front_page_shows_a_picture_that_is_there():
    source = (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    ((slug, words),) = re.findall(r"```\{live\} (\S+) (.+)\n", source)
    assert live.picture(ROOT / "book" / f"{slug}.ipynb", words)[0]
