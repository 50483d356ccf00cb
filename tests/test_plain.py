"""Words of a result without their dress, as characters and as HTML."""

from logpartition_book import plain

TEXT = "By {cite:t}`bal2020` *all* `keys` < $x^2$."


def test_formulas_are_told_from_words():
    assert list(plain.parts("a *b* $c*d$")) == [("a b ", False), ("c*d", True), ("", False)]


def test_characters_in_a_row():
    assert plain.text(TEXT) == "By bal2020 all keys < x^2."


def test_html():
    found = plain.html(TEXT)
    assert found.startswith("By bal2020 all keys &lt; <math") and "<annotation" not in found


def test_a_wide_formula_is_marked():
    assert "lp-wide" in plain.html(f"${'+'.join('abcdefghijklm')}$")
    assert "lp-wide" not in plain.html("$a + b$")


def test_paragraphs():
    assert plain.paragraphs("One.\n\n Two.\n\n") == "<p>One.</p><p>Two.</p>"
    assert plain.paragraphs("") == ""


def test_references():
    text = "By {eq}`eq-a-b`, $x$."
    assert plain.text(plain.referred(text, lambda label: f"no. {label}")) == "By (no. a-b), x."
    found = plain.html(text, formula=str.upper, link=lambda label: f"<a>{label}</a>")
    assert found == "By <a>a-b</a>, X."
