"""A formula in one line of characters says what the formula says."""

import unicodedata

import pytest

from logpartition_book import katex, plain, records
from logpartition_book.files import ROOT

LINES = {
    # fractions
    r"\frac{a}{b}": "a/b",
    r"\frac{a+b}{c}": "(a + b)/c",
    r"\frac{a}{bc}": "a/(bc)",
    r"\frac{ab}{c}": "ab/c",
    r"\frac{a}{\frac{b}{c}}": "a/(b/c)",
    r"\frac{\frac{a}{b}}{c}": "(a/b)/c",
    r"\frac12 x": "(1/2) x",
    r"x\frac12": "x (1/2)",
    r"\frac12\Vert x\Vert^2": "(1/2) ‖x‖^2",
    r"-\frac{a}{b} + \frac{c}{d}": "−a/b + c/d",
    r"\left(\frac{a}{b}\right)^2": "(a/b)^2",
    r"{\frac{a}{b}}^2": "(a/b)^2",
    r"\frac{\log Z}{\beta}": "(log Z)/β",
    r"\frac{\log\left(x\right)}{\beta}": "log(x)/β",
    r"\log\frac{a}{b}": "log(a/b)",
    r"\log\frac{a}{b}+c": "log(a/b) + c",
    r"\log\frac12(a+b)": "log((1/2) (a + b))",
    r"\log\frac12x": "log (1/2) x",
    r"\frac{1}{\varphi(x)}": "1/(φ(x))",
    r"\frac{\partial G}{\partial q_b}": "∂G/∂q_b",
    r"\frac{\partial}{\partial t} \log Z": "(∂/∂t) log Z",
    r"\frac{\mathrm{d}}{\mathrm{d} u} f": "(d/du) f",
    r"\frac{\sum_j a_j}{Z}": "(∑_j a_j)/Z",
    r"\left. \frac{a}{b} \right|_{x=0}": "(a/b)|_(x=0)",
    r"\binom{n}{k}": "(n choose k)",
    # roots
    r"\sqrt L": "√L",
    r"\sqrt{ab}": "√(ab)",
    r"\sqrt{x_j}": "√(x_j)",
    r"\sqrt{\frac{a}{b}}": "√(a/b)",
    r"2\sqrt2": "2√2",
    r"\sqrt xy": "√x y",
    r"\sqrt x(a+b)": "√x (a + b)",
    r"{\sqrt x}^2": "(√x)^2",
    r"\sqrt[3]{x}": "∛(x)",
    r"\sqrt[n]{x+y}": "(x + y)^(1/n)",
    # exponents and indices
    "x^2": "x^2",
    "x^{n+1}": "x^(n+1)",
    "x^{(n)}": "x^((n))",
    "e^{tx_j}": "e^(tx_j)",
    r"e^{-\frac{x}{2}}": "e^(−x/2)",
    "e^{x^2}y": "e^(x^2) y",
    "(a+b)^2c": "(a + b)^2 c",
    "{(x^2)}^3": "(x^2)^3",
    "{x^2}^3": "(x^2)^3",
    "k_{ja}q_a": "k_ja q_a",
    "x_{i+1}": "x_(i+1)",
    "x_{j_i}": "x_(j_i)",
    "{x_i}_j": "(x_i)_j",
    "x_j^2y": "x_j^2 y",
    "x_j t": "x_j t",
    "q'_b": "q′_b",
    "K''(t)": "K′′(t)",
    r"W^{\top}W": "W^⊤ W",
    # signs
    r"k_i\ne k_j": "k_i ≠ k_j",
    r"a\neq0": "a ≠ 0",
    r"a\not=b": "a ≠ b",
    r"a\notin A": "a ∉ A",
    r"a\not\le b": "a ≰ b",
    "a-b": "a − b",
    "(-1)": "(−1)",
    "a=-b": "a = −b",
    r"\pm a\times b\cdot c": "±a × b ⋅ c",
    "f(x,y)": "f(x, y)",
    "n!": "n!",
    "x{^{}}": "x",
    "a/b": "a/b",
    r"\mathbb{E}[x\mid y]": "𝔼[x | y]",
    r"\mathrm{KL}(p\,\|\,p')": "KL(p ‖ p′)",
    r"\mathrm{KL}(p\|q)+\mathrm{KL}(q\|p)": "KL(p ‖ q) + KL(q ‖ p)",
    r"|a||b|": "|a| |b|",
    r"\lVert \nabla_{q} G \rVert^{2}": "‖∇_q G‖^2",
    # sums, limits, names
    r"\sum_{j=1}^{N} x_j": "∑_(j=1)^N x_j",
    r"\sum_j\sum_l a_{jl}": "∑_j ∑_l a_jl",
    r"\int_{-\infty}^{\infty} f \, \mathrm{d} v": "∫_(−∞)^∞ f dv",
    r"\lim_{n\to\infty} a_n": "lim_(n→∞) a_n",
    r"\max_j x_j": "max_j x_j",
    r"\limsup H_a": "lim sup H_a",
    r"\beta\log Z": "β log Z",
    r"\operatorname{Re} z": "Re z",
    r"\bar k_a + \hat x": "k̄_a + x̂",
    r"\overline{xy}": "overline(xy)",
    # tables
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}": "(a, b; c, d)",
    r"\begin{cases}a&\text{if }x>0\\b&\text{else}\end{cases}": "{a, if x > 0; b, else}",
    r"\begin{aligned}a&=b\\&=c\end{aligned}": "a = b = c",
    r"\sqrt[n+1]{a} + \sqrt[2n]{b}": "a^(1/(n+1)) + b^(1/(2n))",
    r"\begin{aligned}a&=b\\&-c\\&\le d\end{aligned}": "a = b − c ≤ d",
    r"10^{-n!} + x_{n!}": "10^(−n!) + x_(n!)",
    r"f'^2 + f^{\prime 2}": "f′^2 + f′^2",
    r"|a - |b||": "|a − |b||",
    r"||x|-|y||": "||x| − |y||",
    r"\begin{aligned}a&=b\\c&=d\end{aligned}": "a = b; c = d",
}


@pytest.mark.parametrize("tex", LINES)
def test_a_line_says_what_the_formula_says(tex):
    assert katex.text(tex) == unicodedata.normalize("NFC", LINES[tex])


def formulas(record):
    """All TeX of a record that a text of the site may show."""
    texts = [record["text"], record.get("argument", ""), record.get("correction", "")]
    texts += record["assumptions"] + record["where"]
    texts += [step[key] for step in record["steps"] for key in ("reason", "remark")]
    yield from [record["statement"], *(step["latex"] for step in record["steps"])]
    found = []
    for text in texts:
        plain.paragraphs(text, formula=lambda tex: found.append(tex) or "")
    yield from found


def test_every_formula_of_the_book_has_a_line():
    """Without a character that no font has, a bracket that is not closed, and a lost minus, stroke
    or sign of a relation."""
    found = {tex for one in records.all_records(ROOT / "book") for tex in formulas(one) if tex}
    assert len(found) > 1000
    for tex in found:
        line = katex.text(tex)
        assert line and not [c for c in line if unicodedata.category(c)[0] == "C"], tex
        assert all(line.count(a) == line.count(b) for a, b in ("()", "[]", "⟨⟩")) or "[" in tex, tex
        for name, sign in ((r"\ne", "≠"), (r"\sqrt", "√"), (r"\le", "≤"), (r"\frac", "/")):
            assert line.count(sign) >= tex.count(f"{name} ") + tex.count(f"{name}{{"), tex
