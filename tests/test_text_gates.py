"""What texts say of results, pictures and functions that stand elsewhere or beside them."""

import pytest
from notebooks import code, notebook, result, shown, store

from logpartition_book import gates, text_gates
from logpartition_book.files import ROOT

CAPTION = (
    "*Level curves of the energy over the plane of queries, the five keys as rings, $x$ from 0.*"
)
VERDICTS = {"p": "proved", "a": "argued", "c": "checked", "o": "observed", "r": "refuted"}
VERDICTS |= {"q": "cited"}


def drawn(alt, data="<path d='M0 0'/>"):
    return code(outputs=[shown(html=f"<svg role='img' aria-label='{alt}'>{data}</svg>")])


def plotted(alt, png=""):
    return code(outputs=[shown(png=png, plain="f")], mystnb={"image": {"alt": alt}})


@pytest.fixture
def book(tmp_path):
    """Writes a book of these chapters, each a list of cells, and this module of the library."""

    def write(chapters, module='"""Words."""\n'):
        (tmp_path / "book").mkdir()
        (tmp_path / "lib" / "logpartition").mkdir(parents=True)
        (tmp_path / "lib" / "logpartition" / "stats.py").write_text(module)
        (tmp_path / "_toc.yml").write_text(
            "root: index\nchapters:\n" + "".join(f"- file: {slug}\n" for slug in chapters)
        )
        for slug, made in chapters.items():
            store(notebook(*made), tmp_path / "book" / f"{slug}.ipynb")
        return tmp_path

    return write


def findings(gate, root):
    return [str(found) for found in gates.run([gate], root)]


# results and places


@pytest.mark.parametrize(
    "said, message",
    [
        ("It is proved in {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("So (proved above, {eq}`eq-a`) it is.", "says 'proved' of a, which is argued"),
        ("By the bound, proved {eq}`eq-o`, it is.", "says 'proved' of o, which is observed"),
        ("The bound\nwas proven in\n{eq}`eq-q`.", "says 'proven' of q, which is cited"),
        ("Here {eq}`eq-c` is proved.", "says 'proved' of c, which is checked"),
        ("The bound ({eq}`eq-r`) was clearly proved.", "says 'proved' of r, which is refuted"),
        ("{eq}`eq-o` proves the bound.", "says 'proves' of o, which is observed"),
        ("Proved in [the other](two.ipynb#eq-c).", "says 'Proved' of c, which is checked"),
        ("It is refuted in {eq}`eq-p`.", "says 'refuted' of p, which is proved"),
        ("It is cited in {eq}`eq-p`.", "says 'cited' of p, which is proved"),
        ("It is checked in {eq}`eq-q`.", "says 'checked' of q, which is cited"),
        ("It is proved by {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("It is *proved* in {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("Proved: {eq}`eq-c`.", "says 'Proved' of c, which is checked"),
        ("It is proved in {eq}`eq-p` and {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("It is proved in {eq}`eq-p`, {eq}`eq-o`, and {eq}`eq-c`.", "says 'proved' of o"),
        ("Both {eq}`eq-c` and {eq}`eq-p` are proved.", "says 'proved' of c, which is checked"),
        ("A proof is in {eq}`eq-c`.", "says 'proof is in' of c, which is checked"),
        ("We prove this in {eq}`eq-a`.", "says 'prove this in' of a, which is argued"),
        ("| {eq}`eq-c` | proved in full |", "says 'proved' of c, which is checked"),
        ("{eq}`eq-c`: proved, for all numbers.", "says 'proved' of c, which is checked"),
        ("By {eq}`eq-o` — checked at five points.", "says 'checked' of o, which is observed"),
        ("| proved | {eq}`eq-c` |", "says 'proved' of c, which is checked"),
        ("By the theorem {eq}`eq-c` it is.", "says 'theorem' of c, which is checked"),
        ("The *lemma* ({eq}`eq-o`) says so.", "says 'lemma' of o, which is observed"),
        ("| theorem | {eq}`eq-c` |", "says 'theorem' of c, which is checked"),
        ("The theorem (see {eq}`eq-c`) says so.", "says 'theorem' of c, which is checked"),
        ("So {eq}`eq-c` is our main theorem.", "says 'theorem' of c, which is checked"),
        ("By {eq}`eq-o`, a lemma, it is.", "says 'lemma' of o, which is observed"),
        (
            "By the theorems {eq}`eq-p` and {eq}`eq-c`.",
            "says 'theorem' of c, which is checked",
        ),
        ("The bound is proved, see {eq}`eq-c`.", "says 'proved' beside c, which is checked"),
        ("{eq}`eq-o`, proved above, says so.", "says 'proved' beside o, which is observed"),
        ("We prove in {eq}`eq-c` that it holds.", "says 'prove' beside c, which is checked"),
        ("{eq}`eq-c` has a proof in two lines.", "says 'proof' beside c, which is checked"),
        ("| {eq}`eq-c` | a bound | proved |", "says 'proved' beside c, which is checked"),
        ("It is not hard to prove {eq}`eq-c`.", "says 'prove' beside c, which is checked"),
        ("It is unconditionally proved in {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("{eq}`eq-c`, which is not difficult to prove, holds.", "says 'prove' beside c, which is"),
        ("Nothing is missing from the proof of {eq}`eq-c`.", "says 'proof' of c, which is checked"),
        ("{eq}`eq-c` is no less proved than others.", "says 'proved' beside c, which is checked"),
        ("No doubt it is proved in {eq}`eq-c`.", "says 'proved' of c, which is checked"),
        ("Under these hypotheses it is proved in {eq}`eq-c`.", "says 'proved' of c, which is"),
        ("See chapter 4.", "(chapter 4)"),
        ("See ch. 4, or sec. 3.", "(ch. 4)"),
        ("By Prop. 4 it is.", "(Prop. 4)"),
        ("By Thm. 2 and Lem. 2 it is.", "(Thm. 2)"),
        ("As in exercise 3, it is.", "(exercise 3)"),
        ("As in example 3, it is.", "(example 3)"),
        ("See footnote 1 on page 12.", "(footnote 1)"),
        ("One notes, by chapter 4, that it is.", "(chapter 4)"),
        ("See Fig. 2, and so on.", "(Fig. 2)"),
        ("By equation (3.7) it is.", "(equation (3.7))"),
        ("By the equation (3) it is.", "(the equation (3))"),
        ("By (3.7) it is.", "(By (3.7))"),
        ("That is the identity (2.4).", "(identity (2.4))"),
        ("As in § 3 it is.", "(§ 3)"),
        ("By eq. 3.7 it is.", "(eq. 3.7)"),
        ("See sections 2 and 3, {eq}`eq-p`.", "(sections 2"),
        ("| see Table 3 |", "(Table 3)"),
    ],
)
def test_a_wrong_verdict_and_a_typed_place_are_found(said, message):
    (paragraph,) = text_gates.paragraphs(said)
    found = list(text_gates.misplaced(paragraph, VERDICTS))
    assert any(message in one for one in found), found


@pytest.mark.parametrize(
    "said",
    [
        "It is proved in {eq}`eq-p`, and checked in {eq}`eq-c`.",
        "It is not proved in {eq}`eq-c`.",
        "By the theorem {eq}`eq-p`, the lemma {eq}`eq-a` and the theorem of others {eq}`eq-q`.",
        "It is no theorem: {eq}`eq-c`. There is no theorem {eq}`eq-c`.",
        "By Sanov's theorem, and {eq}`eq-c` shows it.",
        "Nothing is proved of it {eq}`eq-o`.",
        "The proof uses {eq}`eq-p`, and the numbers {eq}`eq-c`.",
        "The proof of {eq}`eq-p` goes on where {eq}`eq-c` ends.",
        "What was measured, {eq}`eq-o`, agrees with what is proved.",
        "Prove what was only checked {eq}`eq-c`.",
        "It is proved by {eq}`eq-p`, {eq}`eq-p` and what was proved.",
        "It is proved in {eq}`eq-p`, and {eq}`eq-c` shows it.",
        "It is proved in {eq}`eq-p` and {eq}`eq-c` shows it.",
        "From {eq}`eq-c` and {eq}`eq-p` it is proved.",
        "From {eq}`eq-c`, {eq}`eq-p` is proved.",
        "There is no proof of it in {eq}`eq-c`.",
        "Nobody has proved {eq}`eq-c`.",
        "{eq}`eq-c` lacks a proof, or awaits one.",
        "{eq}`eq-c` is far from proved, and a proof of {eq}`eq-o` is an open problem.",
        "Can {eq}`eq-c` be proved? It is hard to prove {eq}`eq-c`.",
        "Exercise: prove {eq}`eq-c` for two keys.",
        "We do not prove it in {eq}`eq-c`.",
        "| {eq}`eq-c` | checked | {eq}`eq-p` | proved |",
        "| {eq}`eq-p` | a bound | proved |\n| {eq}`eq-c` | a bound | checked |",
        "Here {eq}`eq-c` is not proved. What is proved is {eq}`eq-p`.",
        "As we observed in {eq}`eq-p`, it is.",
        "This is what {eq}`eq-a` says of what is proved.",
        "It was proved, and {eq}`eq-c` shows it.",
        "It is proved in {eq}`eq-of-no-one`.",
        "By {cite:t}`hinton2002`, equation (3), it is.",
        "These are equations (5) and (6) of the draft notes.",
        "Their Theorem 2 says so.",
        "As the lecture notes say on page 3.",
        "For example 3 of 4 keys, for example 2, and each exercise 3 times.",
        "By Billingsley's Theorem 30.1 they determine the law.",
        "Ramsauer et al. have it in equation (3).",
        "In this section 3 keys are drawn, each figure 2 times.",
        "The value falls from 3.5 (at 2) to 1 (the mean).",
        "With `chapter 4` and $n=3$.",
        "In figures, 43 runs.",
        "The two chapters before this one have 3 keys.",
        "At the origin (0.5) it is.",
    ],
)
def test_other_words_beside_a_result_pass(said):
    assert not [
        one for p in text_gates.paragraphs(said) for one in text_gates.misplaced(p, VERDICTS)
    ]


@pytest.mark.parametrize(
    "said, message",
    [
        ("See the [next chapter](two.ipynb).", ""),
        ("[The last chapter](zero.ipynb#a) has it.", ""),
        ("See [the chapter on keys](zero.ipynb).", ""),
        ("See the [next chapter](zero.ipynb).", "calls zero the next chapter, which it is not"),
        ("See the [next chapter](gone.ipynb).", "calls gone the next chapter"),
        ("[The previous chapter](two.ipynb) has it.", "calls two the previous chapter"),
        ("See [an earlier chapter](zero.ipynb) and the [later chapter](two.ipynb#a).", ""),
        ("An [exercise](zero.ipynb) of an earlier chapter.", ""),
        ("They are of a later chapter {eq}`eq-b`.", ""),
        ("[An earlier chapter](two.ipynb#a) has it.", "calls two an earlier chapter, which it is"),
        ("See [a later\nchapter](zero.ipynb).", "calls zero a later chapter, which it is not"),
        ("See [a later chapter](one.ipynb).", "calls one a later chapter, which it is not"),
        ("An [exercise](two.ipynb) of an earlier\nchapter.", "calls two an earlier chapter"),
        ("They are of an earlier chapter {eq}`eq-b`.", "calls two an earlier chapter"),
        ("A [proof](zero.ipynb#a) of the next chapter.", "calls zero the next chapter"),
        ("The [bound](zero.ipynb#a) is used in a later chapter.", ""),
        ("| [](zero.ipynb) | a |\n| [](one.ipynb) | b |", ""),
        ("| [](one.ipynb) | a |\n| [](zero.ipynb) | b |", "in another order than _toc.yml"),
    ],
)
def test_a_chapter_is_next_where_the_table_of_contents_has_it(said, message, book):
    root = book({"zero": ["Zero."], "one": [said], "two": [result("b")]})
    found = findings(text_gates.neighbours, root)
    assert [message in one for one in found] == [True] * bool(message)


def test_pages_and_the_words_of_results_are_read(book):
    root = book(
        {"one": ["See chapter 4.", result("a", verdict="checked"), result("b", text="By (3.7).")]}
    )
    (root / "book" / "page.md").write_text("# P\n\nProved in {eq}`eq-a`.\n")
    found = findings(text_gates.referring, root)
    assert [one.split(": ")[0] for one in found] == [
        "book/page.md",
        "book/one.ipynb, cell 1",
        "book/one.ipynb",
    ]


# pictures


@pytest.mark.parametrize(
    "cells",
    [
        [drawn("A."), code("print(1)"), CAPTION],
        [drawn("A."), f"A text.\n\n{CAPTION}"],
        [drawn("A."), CAPTION, CAPTION],
        ["A text.", CAPTION],
        [CAPTION],
        [code(), CAPTION.replace("*", "_")],
    ],
)
def test_a_caption_without_its_picture_is_found(cells):
    found = [said for _, said in text_gates.captions(notebook(*cells), ROOT)]
    assert any("no picture is directly before it" in said for said in found)


@pytest.mark.parametrize(
    "cells",
    [
        [drawn("A."), CAPTION],
        [plotted("A."), f"{CAPTION}\n\nA text."],
        ["*Groups* are parts of the cloud with a gap of more than a quarter between *them*"],
        ["*Is it so?*"],
        [code("print(1)"), "**Words in bold from end to end are no caption of a picture at all.**"],
        [drawn("A."), "A text."],
    ],
)
def test_a_caption_with_its_picture_passes(cells):
    assert list(text_gates.captions(notebook(*cells), ROOT)) == []


@pytest.mark.parametrize(
    "chapters",
    [
        {"one": [drawn("Five keys."), drawn("Five keys.", "<path d='M1 1'/>")]},
        {"one": [drawn("Five keys.")], "two": [drawn("five  keys.", "<path d='M1 1'/>")]},
        {"one": [plotted("Five keys.")], "two": [plotted("Five keys.", "x")]},
        {"one": [drawn("A."), CAPTION, drawn("B."), CAPTION]},
        {"one": [drawn("A.")], "two": [plotted("A.")]},
    ],
)
def test_words_of_another_picture_are_found(chapters, book):
    (found,) = findings(text_gates.copied, book(chapters))
    assert "says of its picture what one, cell 1 says" in found


@pytest.mark.parametrize(
    "first, second",
    [
        ([drawn("A."), CAPTION], [drawn("A."), CAPTION.replace("energy", "loss")]),
        ([plotted("A.", "x")], [plotted("B.", "x")]),
    ],
)
def test_other_words_of_one_picture_are_found(first, second, book):
    [found] = [said for said in findings(text_gates.copied, book({"one": first, "two": second}))
               if "shows the picture of one, cell 1, and says: " in said]  # fmt: skip
    assert "two.ipynb, cell 1" in found


def test_a_picture_that_is_shown_again_without_its_caption_passes(book):
    assert findings(text_gates.copied, book({"one": [drawn("A."), CAPTION, drawn("A.")]})) == []


@pytest.mark.parametrize(
    "said", ["```{try} b\n```", "```{live} one\n```", "::::{note}\n:::{try} b\n:::\n::::"]
)
def test_what_another_chapter_has_to_try_is_found(said):
    ((cell, found),) = text_gates.borrowed(notebook(result("a"), said), ROOT)
    assert cell == 2 and "a chapter shows what is its own" in found


def test_a_result_of_the_chapter_may_be_tried():
    said = "```{try} a\n```\n\nThe directive `{try}` of others."
    assert list(text_gates.borrowed(notebook(result("a"), said), ROOT)) == []


def test_a_picture_that_is_shown_twice_and_labels_of_controls_pass(book):
    control = "<input aria-label='speed'>"
    first = [drawn("A.", f"</svg>{control}<svg>"), CAPTION]
    other = [drawn("B.", f"</svg>{control}<svg>"), "Words.", *first]
    assert findings(text_gates.copied, book({"one": first, "two": other})) == []


# what is there twice


def test_a_result_under_two_labels_is_found(book):
    root = book({"one": [result("a", fingerprint="f")], "two": [result("b", fingerprint="f")]})
    (found,) = findings(text_gates.repeated, root)
    assert "result b: states what a states" in found


@pytest.mark.parametrize(
    "said",
    [
        "Then $a + b$ equals $b + a$.",
        "$G(q + k)$ is at most $G(q) + G(k)$.",
        "It follows: $a + b$ is bounded by $2a + 7$.",
        "For all keys, $a + b$ tends to\n$b + 7$.",
        "We know that $a + b$ is exactly the same as $b + a$.",
        "| $a + b$ is $b + a$ |",
        "- *$a + b$ does not exceed $b + 7c$.*",
        "Here the sum $a + b$ can be at most $b + 7c$.",
        "It is so, and $a + b$ is approximately $b + 7c$.",
    ],
)
def test_an_equation_in_words_is_found(said, book):
    (found,) = findings(text_gates.worded, book({"one": [f"By {{eq}}`eq-a`.\n\n{said}"]}))
    assert "one.ipynb, cell 1: an equation in words: " in found


@pytest.mark.parametrize(
    "said",
    [
        "By {eq}`eq-a`, $a + b$ equals $b + a$.",
        "The derivative of $a + b$ is $b + a$.",
        "The values, $a + b$, are $b + a$ at most.",
        "If $a + b$ is at most $b + 7$, and $Z$ is $a + b$, it is.",
        "Let $x$ be such that $a + b$ is $b + 7$.",
        "Show that $a + b$ equals $b + a$. Suppose that $a + b$ is $b + 7$.",
        "The product of $x$ and $a + b$ is $b + 7$, and that of\n$a + b$ is $c + 7$.",
        "So $a + b$ is small, and $d$ is at least $2$.",
    ],
)
def test_words_between_formulas_pass(said, book):
    assert findings(text_gates.worded, book({"one": [said]})) == []


@pytest.mark.parametrize(
    "rows, name",
    [
        (["| $N$ | keys |", "| $d$ | size |", "| $N$ | queries |"], "$N$"),
        (["| $Z = a + b$ | sum |", "| $Z=a-b$ | sum |"], "Z"),
        (["| $Z$ | sum |", "| $Z$ | sum |", "| $Z$ | mean |"], "$Z$"),
    ],
)
def test_a_symbol_with_two_meanings_in_the_notation_is_found(rows, name, book):
    root = book({})
    (root / "book" / "notation.md").write_text("\n".join(["| symbol | meaning |", *rows]))
    (found,) = findings(text_gates.renamed, root)
    assert f"notation.md: defines {name} a second time" in found


@pytest.mark.parametrize("change", [{"fingerprint": ""}, {"verdict": "checked"}, {"steps": []}])
def test_another_verdict_or_another_way_is_another_result(change, book):
    keys = {"fingerprint": "f"}
    if "fingerprint" in change:
        keys = change
    assert (
        findings(
            text_gates.repeated, book({"one": [result("a", **keys), result("b", **keys | change)]})
        )
        == []
    )


def definition(said, title=""):
    return f"```{{prf:definition}} {title}\n:label: d\n\n{said}\n```"


@pytest.mark.parametrize(
    "first, second, name",
    [
        ("$$G(q) = \\log Z$$", "$$G(q) = \\frac{1}{\\beta} \\log Z$$", "G ( q )"),
        ("Let $K(t)=\\log M(t)$.", "Let $K(t)=\\log M(-t)$.", "K ( t )"),
    ],
)
def test_a_symbol_with_two_meanings_is_found(first, second, name):
    (found,) = text_gates.redefined(notebook(definition(first), "x", definition(second)), ROOT)
    assert found == (3, f"defines {name} a second time, as something else")


def test_a_name_with_two_meanings_is_found():
    cells = definition("One thing.", "The mean"), definition("Another.", "The Mean")
    ((_, said),) = text_gates.redefined(notebook(*cells), ROOT)
    assert "defines the mean a second time" in said


@pytest.mark.parametrize(
    "first, second",
    [
        ("$$G(q) = \\log Z$$", "$$G(q)=\\log\\, Z$$"),
        ("$$G(q) = \\log Z$$", "$$G(s) = \\log \\sum_j e^{s_j}$$"),
        ("Let $x = 0$.", "Let $x = y$."),
        ("$$y = a + b$$ or $$y = a - b$$", "Let $x$ be."),
    ],
)
def test_a_symbol_with_one_meaning_passes(first, second):
    cells = notebook(definition(first), definition(second))
    assert list(text_gates.redefined(cells, ROOT)) == []


# the library


@pytest.mark.parametrize(
    "said, message",
    [
        ("The mean. Proved for all sizes.", "says what a badge says: Proved for all sizes"),
        ("The mean.\n\n    proved", "says what a badge says"),
        ("Theorem 1. It converges.", "says what a badge says"),
        ("The mean.\n\n    >>> 1 + 1  # doctest: +SKIP\n    3", "tells its example not to be run"),
        ("The mean of {eq}`eq-mean`.", "has a role: {eq}`"),
        ("The mean, $\\frac{a}$.", "has TeX, which its page does not set"),
        ("The mean, \\frac{a}.", "has TeX, which its page does not set"),
        ("The mean (2.4). By (2.4) it is.", "names a place by a number (By (2.4))"),
        ("As in chapter 3.", "names a place by a number (chapter 3)"),
        ("The mean. TODO: more", "has a note: TODO"),
        ("The mean, as in /home/ann/notes.txt", "names a folder: /home/"),
        ("The mean.\n<<<<<<< ours\nA.\n=======\nB.\n>>>>>>> theirs", "has the marks of a merge"),
    ],
)
@pytest.mark.parametrize("form", ['"""{}"""\n', 'def mean(x):\n    """{}"""\n'])
def test_a_docstring_that_is_more_than_words_is_found(said, message, form, book):
    assert any(
        message in found
        for found in findings(
            text_gates.documented, book({}, form.format(said.replace("\\", "\\\\")))
        )
    )


@pytest.mark.parametrize(
    "said",
    [
        "The mean, 2.25 for 43% of them, in `x[1]` and `r'\\\\d$'`.",
        "m = sum_j p_j k_j.\n\nSource: Ann (2020), equation (3) and theorems 1 and 2.",
        "What is proved, and what is checked; a badge of `proved` is in `record/verdict`.",
    ],
)
def test_a_docstring_of_words_and_code_passes(said, book):
    root = book({}, f'def mean(x):\n    """{said}"""\n')
    assert findings(text_gates.documented, root) == []


def test_the_first_sentence_of_a_module_of_the_kernel_is_read(book):
    root = book({})
    path = root / "lib" / "logpartition" / "proof" / "kernel" / "laws.py"
    path.parent.mkdir(parents=True)
    path.write_text('"""Sums, proved for all sizes. More."""\n')
    (found,) = findings(text_gates.documented, root)
    assert "kernel/laws.py" in found and "says what a badge says" in found
