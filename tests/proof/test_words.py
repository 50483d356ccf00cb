"""Results in words: citations, and theorems that join results by an argument."""

import pytest
from sympy import Gt, Symbol

from logpartition.proof.display import linked
from logpartition.proof.errors import IllFormed
from logpartition.proof.observe import observe
from logpartition.proof.words import cite, theorem

from .test_record import derived, refuted, x

PLACES = {
    "Theorem 2.7": True, "section 3.1": True, "equation (4)": True, "Théorème 2 bis": True,
    "chapter IV": True, "Theorem A": True, "a I": False, "see A": False,
    "": False, "main theorem": False, "see there": False,
}  # fmt: skip


@pytest.mark.parametrize("number", PLACES)
def test_a_citation_has_a_number(number):
    if PLACES[number]:
        record = cite("known", "It is convex.", source="brown1986", number=number).record
        assert (record.verdict, record.kind) == ("cited", "citation")
        assert record.json()["source"] == "brown1986" and record.json()["number"] == number
    else:
        with pytest.raises(IllFormed, match="number"):
            cite("known", "It is convex.", source="brown1986", number=number)


@pytest.mark.parametrize("more, error", [
    ({}, TypeError), ({"source": "brown1986"}, TypeError), ({"number": "Theorem 1"}, TypeError),
    ({"source": "Brown (1986)", "number": "Theorem 1"}, IllFormed),
    ({"source": "brown1986", "number": "Theorem 1", "using": [derived()]}, TypeError),
])  # fmt: skip
def test_a_citation_is_somebodys_theorem(more, error):
    with pytest.raises(error):
        cite("known", "It is convex.", **more)


weak = derived("weak", sealed=False)
known = cite("known", "It is convex.", source="brown1986", number="Theorem 1.13")
seen = observe("seen", "a coin", measured=0.51, predicted=0.5, standard_error=0.01)
proved = derived()


def joined(label="joined", says="The law is unique.", **more):
    return theorem(label, says, **{
        "by": {proved: "the algebra"}, "argument": "Multiply out by {distributed}.", **more,
    })  # fmt: skip


def test_a_theorem_is_argued():
    record = joined().record
    data = record.json()
    assert (record.verdict, data["kind"], data["uses"]) == ("argued", "theorem", ["distributed"])
    assert data["parts"] == [{"label": "distributed", "purpose": "the algebra"}]
    assert data["argument"] == "Multiply out by {eq}`eq-distributed`." and data["rests"] == []


RESTS = {
    "what is proved": ({proved: "a"}, "{distributed}", []),
    "a citation": ({known: "a"}, "{known}", [("known", "cited")]),
    "several": (
        {proved: "a", known: "b", weak: "c", seen: "d"}, "{distributed} {known} {weak} {seen}",
        [("known", "cited"), ("weak", "checked"), ("seen", "observed")],
    ),
    "a theorem that rests on a citation": (
        {joined("inner", by={known: "a"}, argument="{known}"): "b"}, "{inner}",
        [("inner", "argued"), ("known", "cited")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", RESTS)
def test_what_a_theorem_rests_on_is_listed(case):
    by, argument, rests = RESTS[case]
    assert list(joined(by=by, argument=argument).record.rests) == rests


REFUSED = {
    "no words": (IllFormed, "nothing is said", {"says": " "}),
    "no argument": (IllFormed, "nothing is said", {"argument": ""}),
    "no results": (IllFormed, "rests on results", {"by": {}}),
    "a list without purposes": (TypeError, "used for", {"by": [proved]}),
    "a result without a purpose": (IllFormed, "used for", {"by": {proved: ""}}),
    "a label instead of a result": (TypeError, "results", {"by": {"distributed": "the algebra"}}),
    "a result twice": (IllFormed, "twice", {"by": [(proved, "a"), (proved, "b")]}),
    "a refuted result": (
        IllFormed, "refuted", {"by": {refuted(): "all"}, "argument": "By {wrong}."},
    ),
    "a part that is not referred to": (
        IllFormed, "where known comes in", {"by": {proved: "a", known: "b"}},
    ),
    "a reference to no part": (
        IllFormed, "refers to known", {"argument": "By {distributed} and {known}."},
    ),
    "a link to no part": (
        IllFormed, "refers to known", {"argument": "By {distributed} and [so](#eq-known)."},
    ),
    "a citation in passing": (
        IllFormed, "refers to brown1986", {"argument": "By {distributed} and {cite}`brown1986`."},
    ),
    "a theorem in passing": (
        IllFormed, "refers to known", {"argument": "By {distributed} and {prf:ref}`known`."},
    ),
    "a link to another page": (
        IllFormed, "refers to known", {"argument": "By {distributed}, [so](other.md#eq-known)."},
    ),
    "a link in HTML": (
        IllFormed, "refers to known", {"argument": 'By {distributed}, <a href="#known">so</a>.'},
    ),
    "a link with its target apart": (
        IllFormed, "refers to known", {"argument": "By {distributed} and [so][known]."},
    ),
    "a link with its target below": (
        IllFormed, "refers to known", {"argument": "By {distributed}, [so].\n\n[so]: #eq-known"},
    ),
    "a purpose that rests on more": (
        IllFormed, "refers to known", {"by": {proved: "the algebra, with {known}"}},
    ),
    "a part in a comment": (
        IllFormed, "where distributed comes in", {"argument": "Clear. <!-- [](#distributed) -->"},
    ),
    "itself": (IllFormed, "itself", {"label": "distributed"}),
    "a label inside maths only": (
        IllFormed, "where distributed", {"argument": "As $x_{distributed}$ shows."},
    ),
    "a result among the hypotheses": (TypeError, "by", {"given": [proved]}),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    error, words, change = REFUSED[case]
    with pytest.raises(error, match=words):
        joined(**change)


@pytest.mark.parametrize("text, shown", [
    ("by {a-b}", "by {eq}`eq-a-b`"), ("by [](#a-b)", "by {eq}`eq-a-b`"),
    ("by [](#eq-a-b)", "by {eq}`eq-a-b`"), ("by [this](#eq-a-b)", "by [this](#eq-a-b)"),
    ("by {eq}`eq-a`", "by {eq}`eq-a`"), (r"on $\mathbb{r}^{n}$", r"on $\mathbb{r}^{n}$"),
    (r"$$x_{a}$$ by {a}", r"$$x_{a}$$ by {eq}`eq-a`"),
])  # fmt: skip
def test_references_are_those_of_the_site(text, shown):
    assert linked(text) == shown


def test_hypotheses_are_words_or_relations():
    given = [Gt(x, 0), "the law has a density"]
    assumed = joined(given=given).record.json()["assumptions"]
    assert assumed[-1] == "the law has a density" and any(
        "x > 0" in a or "0 < x" in a for a in assumed
    )
    assert any("real" in a for a in assumed)
    with pytest.raises(TypeError, match="given"):
        joined(given=[Symbol("x")])


@pytest.mark.parametrize("wrong", [{"number": 7}, {"title": None}, {"source": 1}])
def test_what_is_no_text_is_named(wrong):
    with pytest.raises(TypeError, match=f"{next(iter(wrong))}: got .*, needs a text"):
        cite("known", "It is so.", **{"source": "a1", "number": "Theorem 1"} | wrong)


def test_one_hypothesis_is_a_list_of_one():
    part = derived("part")
    made = theorem("t", "It is so.", by={part: "all"}, argument="By {part}.", given="x is positive")
    assert made.record.json()["assumptions"] == ["x is positive"]
