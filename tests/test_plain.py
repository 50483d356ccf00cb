"""Words of a result where no page of a chapter sets them, as characters and as HTML: read as the
chapter reads them.
"""

import pytest

from logpartition_book import plain

TEXT = "By {cite:t}`bal2020` *all* `keys` < $x^2$."


def test_characters_in_a_row():
    assert plain.text(TEXT) == "By bal2020 all keys < x^2."


def test_html():
    found = plain.html(TEXT)
    assert found.startswith("By bal2020 <em>all</em> <code>keys</code> &lt; <math")
    assert "<annotation" not in found


@pytest.mark.parametrize(
    "markdown, text, html",
    [
        ("So `2**10` keys.", "So 2**10 keys.", "So <code>2**10</code> keys."),
        ("So a*b is less.", "So a*b is less.", "So a*b is less."),
        ("So k* is fixed.", "So k* is fixed.", "So k* is fixed."),
        ("`$E[k] = 7$`", "$E[k] = 7$", "<code>$E[k] = 7$</code>"),
        (r"It costs \$5 \*a\*.", "It costs $5 *a*.", "It costs $5 *a*."),
        ("The [*bound*](https://x.org/a).", "The bound.", "The <em>bound</em>."),
        ("A <b>word</b>.", "A <b>word</b>.", "A &lt;b&gt;word&lt;/b&gt;."),
        ("One\nline.", "One line.", "One\nline."),
    ],
)
def test_it_is_read_as_the_chapter_reads_it(markdown, text, html):
    assert plain.text(markdown) == text
    assert plain.html(markdown) == html


def test_a_wide_formula_is_marked():
    assert "lp-wide" in plain.html(f"${'+'.join('abcdefghijklm')}$")
    assert "lp-wide" not in plain.html("$a + b$")


def test_paragraphs_and_lists():
    assert plain.paragraphs("One.\n\n Two.\n\n") == "<p>One.</p>\n<p>Two.</p>"
    assert plain.paragraphs("- one\n- two") == "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"
    assert plain.text("So:\n\n- one\n- two") == "So: one two"
    assert plain.paragraphs("") == ""


def test_references():
    text = "By {eq}`eq-a-b` and {cite}`c`, $x$."
    assert plain.text(text, "{}: {}".format) == "By eq: eq-a-b and cite: c, x."
    found = plain.html(text, str.upper, "<a>{} {}</a>".format)
    assert found == "By <a>eq eq-a-b</a> and <a>cite c</a>, X."
