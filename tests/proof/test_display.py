"""What readers without the site see: a badge, a line, and Markdown that hides nothing."""

import re
import time

import pytest
from sympy import Eq, Gt, Sum

from logpartition.proof.display import (
    DOLLAR,
    MIME,
    badge,
    inline,
    line,
    linked,
    markdown,
    number_tex,
    sizes_tried,
    width,
    words,
)  # fmt: skip
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.kernel.theorem import prove
from logpartition.proof.language import named
from logpartition.proof.observe import observe, observe_bound, observe_rate
from logpartition.proof.record import (
    Claim,
    Finding,
    Hypothesis,
    Mutants,
    Numeric,
    from_chain,
    refutation,
    step,
)  # fmt: skip
from logpartition.proof.words import _targets, cite, theorem

from .test_record import ALL, N, count, d, derived, everything, j, refuted, x, y

P = named("p", x + y)

UNITS = ("[", "[](", "[a](#", "][", "<!--", "<#", "\n[", "$", "$$", "`", "{eq}`", "{a", "{a}`<")


@pytest.mark.parametrize("unit", UNITS)
def test_long_words_are_read_at_once(unit):
    begun = time.perf_counter()
    for read in (words, linked, inline, _targets):
        read("x" + unit * (60_000 // len(unit)))
    assert time.perf_counter() - begun < 5


def long(*reasons, sealed=True, **more):
    """Σ_j x p = N x p = x N p under x > 0, with these reasons (and remarks)."""
    terms = [Sum(x * P, (j, 1, N)), N * x * P, x * N * (y + x)]
    context, core = elaborate(terms, [(Gt(x, 0), ASSUMED)])
    links = []
    for n, reason in enumerate(reasons, 1):
        reason, remark = reason if isinstance(reason, tuple) else (reason, "")
        sealing = prove(context, core[n - 1], "=", core[n]) if sealed else None
        links.append(step("=", terms[n], reason, theorem=sealing, remark=remark, numeric=ALL,
                          mutants=Mutants(2, 2), certificate=x**2 if n == 2 else None,
                          entries="x_{j}" if n == 2 else None))  # fmt: skip
    end = Claim(context, core[0], "=", core[len(links)])
    return Finding(from_chain(
        "long", end, start=terms[0], steps=links, used=[derived()],
        **{"whole": ALL, "expressions": terms, "title": "A long one", "sizes": {N: [1, 2, 3]},
           **more},
    ))  # fmt: skip


def in_words(**more):
    corrected = theorem("right", "Some are.", by={derived(): "all"}, argument="{distributed}.")
    return Finding(refutation("wrong-words", "“all are”", corrected=corrected, by=[derived()],
                              location="003, end", **more))  # fmt: skip


CHECKED = "checked numerically at"
BADGES = {
    "proved": (derived(), "proved"),
    "for all sizes": (derived("q", count), "proved for all sizes"),
    "for a size": (derived("q", count, [Eq(N, 2)]), "proved for N = 2"),
    "for some sizes": (derived("q", count, [N >= 2]), "proved for N ≥ 2"),
    "checked": (derived(sealed=False), f"{CHECKED} 12 points"),
    "checked at some": (
        derived("q", count, sealed=False, numeric=Numeric(9, 12, 30), sizes={N: [1, 2, 3]}),
        f"{CHECKED} 9 of 12 points, N = 1, 2, 3",
    ),
    "proved, and not known everywhere": (
        derived(whole=Numeric(5, 6, 30)), f"{CHECKED} 5 of 6 points",
    ),
    "proved, and never computed": (
        derived(numeric=Numeric(), whole=Numeric()), "proved in symbols, not computed",
    ),
    "from what is checked": (
        derived(used=[derived("weak", sealed=False)]),
        "proved from what is not proved: weak (checked)",
    ),
    "argued": (in_words().record.used and theorem(
        "a", "So.", by={derived(): "all"}, argument="{distributed}"), "argued"),
    "refuted": (refuted(), "corrects 000, eq. (1)"),
    "observed": (observe("o", "", measured=1, predicted=1, tolerance=0.1), "observed"),
    "cited": (cite("c", "It is.", source="a1", number="Theorem 1"), "cited"),
}  # fmt: skip


@pytest.mark.parametrize("case", BADGES)
def test_badges(case):
    result, said = BADGES[case]
    assert badge(result.record) == badge(result.record.json()) == said
    label = result.record.label
    assert line(result.record).startswith(f"{label}: {said}") and "\n" not in line(result.record)


def test_a_line_counts_deliberate_errors():
    assert line(derived().record) == "distributed: proved; 3 of 3 deliberate errors rejected"
    seen = observe("o", "", measured=1, predicted=1, tolerance=0.1).record
    assert line(seen) == "o: observed; 3 of 3 other predictions rejected"


def test_a_size_that_no_number_stood_for_is_left_out():
    """As where a formula fails at the first point."""
    some = long("count", sizes={N: [1, 2], d: []}, sealed=False)
    assert sizes_tried(some.record) == some.record.scope == "N = 1, 2"
    assert badge(some.record) == f"{CHECKED} 12 points, N = 1, 2"
    none = long("count", sizes={N: [], d: []}, sealed=False)
    assert sizes_tried(none.record) == none.record.scope == ""
    assert badge(none.record) == f"{CHECKED} 12 points"
    at_once = refuted(sizes={N: [], d: []})
    assert markdown(at_once.record).rstrip() == markdown(refuted().record).rstrip()
    assert "= ;" not in markdown(at_once.record) and " = ." not in markdown(at_once.record)


SHOWN = {
    "a title and a label": (long("count"), "**A long one** `long` (proved for all sizes)\n"),
    "a label alone": (derived(), "**distributed** (proved)\n"),
    "types": (long("count"), "$x$ real"),
    "hypotheses": (long("count"), "Assumes: "),
    "a witness": (
        long("count", hypotheses=[Hypothesis("x > 0", "at $x = -1$, the left side is 1")]),
        "Without $0 < x$ it fails at $x = -1$, the left side is 1.",
    ),
    "a hypothesis that may not be needed": (
        long("count", hypotheses=[Hypothesis("x > 0")]),
        "No point was found at which it fails without $0 < x$",
    ),
    "a hypothesis that gives values": (
        long("count", hypotheses=[Hypothesis("x > 0", valued=False)]),
        "Without $0 < x$ it is not known that both sides have values.",
    ),
    "names": (long("count"), "Where $p = x + y$."),
    "the statement of a chain": (long("count", "expand"), "$$\\sum"),
    "certificates": (long("count", "expand"), "The difference in step 2 is $x^{2}$."),
    "entries": (long("count", "expand"), "In entries, step 2 ends at $x_{j}$."),
    "uses": (long("count"), "Rests on `distributed`."),
    "certified functions": (
        long("count", certifies=["logpartition.attention"]), "Certifies `logpartition.attention`.",
    ),
    "a point": (
        derived(numeric=Numeric(1, 1, 30)), "Computed at 1 of 1 point to 30 digits; 3 of 3"),
    "points": (
        long("count"), "Computed at 12 of 12 points to 30 digits; tried at N = 1, 2, 3; 2 of 2"),
    "a remark of no rule": (long(("compute", "as usual")), r"\text{as usual}"),
    "a remark": (long(("count", "as usual")), r"\text{count: as usual}"),
    "a formula as read": (refuted(), "Its formula, as read here (000, eq. (1)):\n\n$$"),
    "a misprint": (
        refuted(misprint=True), "Its formula, as read here (000, eq. (1), a misprint):\n\n$$"),
    "a counterexample": (refuted(), r"False at $x = 1$, $v_{2} = -\frac{3}{2}$: $2$ on the left"),
    "what a search tried": (
        refuted(sizes={N: [1, 2]}), "\n\nA counterexample was looked for at N = 1, 2."),
    "the formula instead": (
        refuted(), "True instead (`distributed`, with what that assumes):\n\n$$x"),
    "words as stated": (in_words(), "In its words (003, end):\n\n“all are”"),
    "the words instead": (in_words(), "True instead (`right`):\n\nSome are."),
    "what contradicts words": (in_words(), "Contradicted by `distributed`."),
    "a source": (cite("c", "It is.", source="a1", number="Theorem 1"), "Source: a1, Theorem 1."),
    "an argument": (
        theorem("a", "So.", by={derived(): "the sum"}, argument="By {distributed}."),
        "*Argument.* By `distributed`.\n\nRests on `distributed` (the sum).",
    ),
    "what is only cited": (
        theorem("a", "So.", by={cite("c", "It is.", source="a1", number="Theorem 1"): "all"},
                argument="By {c}."), "Directly or through others, rests on cited results: `c`.",
    ),
    "what is only checked": (
        derived(used=[derived("weak", sealed=False)]),
        "Directly or through others, rests on checked results: `weak`.",
    ),
    "a measurement": (
        observe("o", "", measured=0.51, predicted=0.5, standard_error=0.01),
        "Measured $0.51$, predicted $0.5$, tolerance $0.04$ (4 standard errors).",
    ),
    "noise": (
        observe("o", "", measured=3e-16, predicted=0, tolerance=1e-14, scale=1),
        "Measured below $10^{-14}$ in size, predicted $0$, tolerance $10^{-14}$ (chosen), "
        "where a failure would show $1$.",
    ),
    "a rate": (
        observe_rate("o", "", [1, 2, 4], [1, 0.5, 0.25], exponent=-1, tolerance=0.1),
        "tolerance $0.1$ (chosen).\n\nErrors: $1$ at $1$, $0.5$ at $2$, $0.25$ at $4$.",
    ),
    "a bound": (
        observe_bound("o", "", measured=[1, 2], bound=3, scale=5),
        "Measured $2$, predicted at most $3$, where a failure would show $5$, the worst of 2 runs.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_markdown_shows(case):
    result, said = SHOWN[case]
    assert said in markdown(result.record)


LONG = "this reason is so long that it would run past the edge of the page, since $x > 0$"
REASONS = {
    "short": ("count", [r"\text{count}"], ""),
    "with maths": ("as $x > 0$ here", [r"\text{as } x > 0 \text{ here}"], ""),
    "with marks": ("*now* 100% `a_b` & c", [r"\text{now 100\% a\_b \& c}"], ""),
    "with a sign of rows": (r"$a \& b$", [r"a \& b"], ""),
    "with a dollar": (r"it costs \$5", [r"\text{it costs \$5}"], ""),
    "with a power": ("by x^2", [r"\text{by x}{}^{\wedge}\text{2}"], ""),
    "with a reference": ("by {eq}`eq-other`", [r"\text{by other}"], ""),
    "with a link": ("by [Jensen](#eq-jensen)", [r"\text{by Jensen}"], ""),
    "by a result": ("by [](other-one)", [r"\text{by other-one}"], ""),
    "long": (LONG, [r"&& \text{(1)}"], f"\n\n(1) {LONG}\n\n"),
}


@pytest.mark.parametrize("case", REASONS)
def test_reasons(case):
    reason, inside, below = REASONS[case]
    shown = markdown(long(reason).record)
    formula = shown.split("$$")[1]
    assert all(part in formula for part in inside) and below in shown
    assert LONG[:20] not in formula and not DOLLAR.search(formula)


def test_a_wide_formula_sends_its_reason_below():
    wide = derived("q", Eq(x * sum(y**n for n in range(30)), sum(x * y**n for n in range(30))))
    assert "\n\n(1) multiply out" in markdown(wide.record)


EVERYTHING = [*everything(), long("count", LONG), in_words(), refuted(misprint=True)]


@pytest.mark.parametrize("result", EVERYTHING, ids=lambda result: result.record.label)
def test_markdown_is_plain(result):
    """Display maths that KaTeX and MathJax know without extensions, and no roles."""
    shown = markdown(result.record)
    assert result.record.label in shown
    for word in (r"\label", r"\tag", r"\eqref", r"\require", r"\class", "{eq}", "{cite", "None"):
        assert word not in shown
    assert shown.count("$$") % 2 == 0 and "\n\n\n" not in shown
    for maths in re.findall(r"\$\$(.*?)\$\$", shown, re.DOTALL):
        assert maths.strip() and "$" not in maths and "\n\n" not in maths
        assert balanced(maths)


def balanced(maths):
    depth = 0
    for mark in re.findall(r"(?<!\\)[{}]", maths):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            return False
    return depth == 0 and maths.count(r"\left") == maths.count(r"\right")


@pytest.mark.parametrize("result", EVERYTHING, ids=lambda result: result.record.label)
def test_three_forms(result):
    shown, metadata = result._repr_mimebundle_()
    record = result.record
    assert shown == {MIME: record.json(), "text/markdown": markdown(record),
                     "text/plain": line(record)}  # fmt: skip
    assert repr(result) == line(record) and metadata == {MIME: {"seconds": 0}}


@pytest.mark.parametrize("number, shown", [
    (0, "0"), (0.25, "0.25"), (-2, "-2"), (200000.0, "200000"), (1e-14, "10^{-14}"),
    (-1e-14, "-10^{-14}"), (2.5e-7, r"2.5 \times 10^{-7}"), (3e12, r"3 \times 10^{12}"),
])  # fmt: skip
def test_numbers(number, shown):
    assert number_tex(number) == shown


@pytest.mark.parametrize("text, shown", [
    ("{eq}`eq-a-b`", "`a-b`"), ("{eq}`a-b`", "`a-b`"), ("{cite}`brown1986`", "brown1986"),
    ("{cite:t}`brown1986`", "brown1986"), ("[](#eq-a)", "`a`"), ("[so](#eq-a)", "so"),
    ("[so](https://a.b)", "[so](https://a.b)"), ("$x_{a}$", "$x_{a}$"),
])  # fmt: skip
def test_references_become_words(text, shown):
    assert words(text) == shown


@pytest.mark.parametrize("tex, characters", [
    ("x", 1), (r"\alpha + \beta", 3), (r"\frac{a}{b}", 2), (r"\left(x\right)", 3),
])  # fmt: skip
def test_width(tex, characters):
    assert width(tex) == characters
