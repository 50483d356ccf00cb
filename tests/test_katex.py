"""Maths at build time."""

import subprocess

import pytest
from bs4 import BeautifulSoup

from logpartition_book import katex


def test_html_for_the_eye_and_mathml_for_the_ear():
    html = katex.render(r"\frac{\partial G}{\partial q_b}")
    assert "<math" in html and "<mfrac>" in html and 'class="katex-html" aria-hidden="true"' in html


@pytest.mark.parametrize("tex", [r"\foo", r"\frac{1}", "x^", "Größe"])
def test_tex_that_cannot_be_set_is_an_error(tex):
    with pytest.raises(katex.TeXError):
        katex.render(tex)


def test_an_error_leaves_the_process_usable():
    with pytest.raises(katex.TeXError):
        katex.render(r"\bar\foo")
    assert "<math" in katex.render("a + b")


def test_a_package_that_is_not_there_is_a_sentence(monkeypatch, tmp_path, capfd):
    """And nothing of Node's, which would look for it."""
    monkeypatch.setattr(katex, "PACKAGE", tmp_path / "none")
    with pytest.raises(SystemExit, match="KaTeX is not installed: call make book"):
        katex._node.__wrapped__()
    assert capfd.readouterr() == ("", "")


def test_a_process_that_ended_is_a_sentence(monkeypatch):
    ended = subprocess.Popen(["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    monkeypatch.setattr(katex, "_node", lambda: ended)
    with pytest.raises(SystemExit, match="KaTeX does not run: remove book/_ext/node_modules"):
        katex.render("a + b + c + d + e")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a", "a"),
        (r"a &= b \\ &= c", r"\begin{split}a &= b \\ &= c\end{split}"),
        ("a\n\nb", r"\begin{aligned}&a\\&b\end{aligned}"),
        (r"\begin{cases} a \\ b \end{cases}", r"\begin{cases} a \\ b \end{cases}"),
    ],
)
def test_lines_become_a_split_and_paragraphs_an_aligned(text, expected):
    assert katex.display_form(text) == expected
    assert "<math" in katex.render(katex.display_form(text), True)


def test_the_widest_part_is_what_no_line_break_divides():
    assert katex.widest("a + b") == 2 < katex.widest(r"\left(a + b\right)") == 5


def test_a_formula_as_words_and_as_mathml():
    assert katex.text(r"\beta D^2") == "βD^2" and katex.text(r"\foo") == ""
    assert katex.mathml("a + b").startswith("<math") and "annotation" not in katex.mathml("a + b")


def test_width_grows_with_what_is_seen():
    short, long = (
        r"\frac{\partial G}{\partial q_b}",
        r"\sum_{j=1}^{N} p_j \left(k_{ja} - \bar k_a\right)\left(k_{jb} - \bar k_b\right)",
    )
    assert katex.width(short) < 10 < 20 < katex.width(long)
    assert katex.width(r"\mathrm{x}") == katex.width("x") == 1


@pytest.mark.parametrize(
    "tex, spaced",
    [
        (r"p \log p", "p~log~p"),
        (r"-\log(x)", "−log(x)"),
        (r"2\log_2 n", "2~log2~n"),
        (r"\operatorname{Var}_p(k) = 0", "Varp(k)=0"),
    ],
)
def test_the_name_of_a_function_stands_apart(tex, spaced):
    found = BeautifulSoup(katex.mathml(tex), "html.parser")
    for space in found.find_all("mspace"):
        space.replace_with("~")
    assert found.get_text().replace("\u2061", "") == spaced


@pytest.mark.parametrize(
    "tex, letters",
    [
        (r"\mathbb{REZ1}", "ℝ𝔼ℤ𝟙"),
        (r"\mathbf{e1}", "𝐞𝟏"),
        (r"\boldsymbol{\mu}", "𝝁"),
        (r"\mathcal{NL}", "𝒩ℒ"),
        (r"\mathfrak{gC}", "𝔤ℭ"),
        (r"\mathrm{d}x", "dx"),
    ],
)
def test_letters_of_a_style_are_characters_of_their_own(tex, letters):
    found = BeautifulSoup(katex.mathml(tex), "html.parser")
    assert found.get_text() == letters
    assert {one["mathvariant"] for one in found.select("[mathvariant]")} <= {"normal"}
