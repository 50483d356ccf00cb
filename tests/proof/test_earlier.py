"""Results of other chapters: the same statement, or a refusal that says what was found where."""

import json
import sys
from functools import cache

import pytest
from sympy import Derivative, Eq, Gt, Integer, KroneckerDelta, Le, cos, sin

from logpartition.proof import by, derive, differentiate
from logpartition.proof.again import differences
from logpartition.proof.display import MIME
from logpartition.proof.earlier import book_folders, earlier
from logpartition.proof.errors import IllFormed, ProofError
from logpartition.proof.language import array, inverse, named
from logpartition.proof.tensors import tensor
from logpartition.proof.words import theorem

from .symbols import N, a, b, d, j, t, v
from .test_record import derived, everything, x, y

MATRIX = array("S", d, d, domain="definite")
INVERSE = inverse(MATRIX, "P")
RATIO = Eq((x + y) / y, 1 + x / y)
ENTRY = Eq(INVERSE[a, b] * x, x * KroneckerDelta(a, b))
UNIT = Eq(MATRIX[a, b], KroneckerDelta(a, b))
SCALED, SCALE = Eq(MATRIX[a, b], t * KroneckerDelta(a, b)), Eq(INVERSE[a, b] * t, UNIT.rhs)


@cache
def held():
    return [
        *everything(),
        derived("conditional", RATIO, given=[Gt(y, 0)]),
        derived("unit", ENTRY, given=[UNIT]),
        derived("scaled", SCALE, given=[SCALED, Gt(t, 1)]),
    ]


def notebook(*records):
    outputs = [[{"data": {MIME: data}}, {"name": "stdout", "text": ""}] for data in records]
    cells = [{"cell_type": "code", "outputs": found} for found in outputs]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": ""}, *cells]})


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "chapter.ipynb").write_text(notebook(*(r.record.json() for r in held())))
    return folder


TRUE = Eq(x * (1 + y), x + x * y)
FOUND = {
    "in words": ("distributed", None, []),
    "with its statement": ("distributed", TRUE, []),
    "with other names": ("distributed", Eq(named("A", 1 + y) * x, x + x * y), []),
    "under its hypothesis": ("conditional", RATIO, [Gt(y, 0)]),
    "an inverse of what is defined": ("unit", ENTRY, [UNIT]),
    "with a bound for it": ("scaled", SCALE, [SCALED, Gt(t, 1)]),
    "a theorem by its words": ("joined", "Words.", []),
    "an observation": ("seen", None, []),
}


@pytest.mark.parametrize("case", FOUND)
def test_found(case, book):
    label, statement, given = FOUND[case]
    result = earlier(label, statement, book, given=given)
    made = next(r for r in held() if r.label == label)
    assert (result.label, result.record.verdict) == (label, made.record.verdict)
    assert result.record.json() == made.record.json() and result.facts == tuple(given)
    assert repr(result) == repr(made)
    assert result.statement == (statement if not isinstance(statement, str) else None)


REFUSED = {
    "another right side": ("distributed", Eq(x * (1 + y), x + 2 * x * y), [], "not the one"),
    "another relation": ("distributed", Le(x * (1 + y), x + x * y), [], "not the one"),
    "a hypothesis too many": ("distributed", TRUE, [Gt(y, 0)], "not the one"),
    "a hypothesis too few": ("conditional", RATIO, [], "not the one"),
    "another hypothesis": ("conditional", RATIO, [Gt(x, 0)], "under .*y"),
    "an inverse of anything": ("unit", ENTRY, [], "not the one"),
    "an inverse of twice that": ("unit", ENTRY, [Eq(MATRIX[a, b], 2 * UNIT.rhs)], "not the one"),
    "with another bound": ("scaled", SCALE, [SCALED, Gt(t, 0)], "not the one"),
    "with none": ("scaled", SCALE, [SCALED], "not the one"),
    "other words": ("joined", "Other words.", [], "which is Words"),
    "what is refuted": ("wrong", Eq(x, y), [], "not the one"),
    "an unknown label": ("distribute", None, [], "it has distributed"),
    "nothing like it": ("zzz", None, [], "book has a result with this label$"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, book):
    label, statement, given, words = REFUSED[case]
    with pytest.raises(IllFormed, match=words) as caught:
        earlier(label, statement, book, given=given)
    assert label in str(caught.value)
    if words == "not the one":
        assert "chapter.ipynb, cell " in str(caught.value)


good = derived().record.json()
BROKEN = {
    "no JSON": ("{", "chapter.ipynb is not a notebook"),
    "no cells": ("{}", "chapter.ipynb is not a notebook"),
    "no outputs": ('{"cells": [{"outputs": [3]}]}', "chapter.ipynb, cell 1: no outputs"),
    "a record that is a word": (notebook(good, "distributed"), "chapter.ipynb, cell 3"),
    "a record of another version": (
        notebook({k: v for k, v in good.items() if k != "version"}), "cell 2: .* run that chapter",
    ),
    "a record without a verdict": (
        notebook({k: v for k, v in good.items() if k != "verdict"}), "cell 2: .*no verdict",
    ),
    "an edited verdict": (notebook({**good, "verdict": "certain"}), "cell 2: .*'certain'"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_notebooks(case, tmp_path):
    text, words = BROKEN[case]
    (tmp_path / "chapter.ipynb").write_text(text)
    with pytest.raises(ProofError, match=words):
        earlier("elsewhere" if "is a word" in case else "distributed", None, tmp_path)


def test_an_index_of_no_array_runs_as_far_as_is_said(tmp_path):
    """The entries at j, for j up to N, of a result in which no array stands."""
    made = derive("slope", tensor("f", (N,), lambda at: Derivative(sin(at * x), x))).eq(
        tensor("g", (N,), lambda at: at * cos(at * x)), differentiate
    )
    record = json.loads(json.dumps(made.record.json()))
    (tmp_path / "chapter.ipynb").write_text(notebook(record))
    for ranges, words in (((), "how far it runs"), (((j, d),), "not the one")):
        with pytest.raises(IllFormed, match=words):
            earlier("slope", made.statement, tmp_path, ranges=ranges)
    found = earlier("slope", made.statement, tmp_path, ranges=[(j, N)])
    assert found.ranges == made.ranges == ((j, N),)
    for result in (made, found):
        slope = Derivative(sin(j * x), x)
        used = derive("used", slope * v[j]).eq(j * cos(j * x) * v[j], by(result))
        again = json.loads(json.dumps(used.record.json()))
        assert not differences(again, {"slope": record})
        for forged in (["(j, d)"], ["(v[j], N)"], ["(j,)"], ["(j, 'N')"], []):
            again["terms"]["uses"][0]["ranges"] = forged
            assert differences(again, {"slope": record})


def test_a_range_is_a_pair_of_an_index_and_a_length(tmp_path):
    made = derive("five", tensor("f", (5,), lambda at: x + at)).lt(
        tensor("g", (5,), lambda at: x + at + 1), "one more")  # fmt: skip
    record = json.loads(json.dumps(made.record.json()))
    (tmp_path / "chapter.ipynb").write_text(notebook(record))
    at = made.indices[0]
    found = earlier("five", made.statement, tmp_path, ranges=[(at, 5)])
    assert found.ranges == ((at, Integer(5)),)
    for wrong in ({at: N}, (at, 5), [(at, "5")], [(at,)], [(at, 5, 5)], [(x, 5)], N, [5]):
        with pytest.raises(TypeError, match=r"ranges: .*\(j, N\)"):
            earlier("five", made.statement, tmp_path, ranges=wrong)


def test_one_relation_is_given(book):
    assert earlier("conditional", RATIO, book, given=Gt(y, 0)).facts == (Gt(y, 0),)


def test_only_relations_are_given(book):
    with pytest.raises(TypeError, match="relations"):
        earlier("conditional", RATIO, book, given=[derived()])


def test_words_have_their_own_hypotheses(book):
    with pytest.raises(TypeError, match="goes with a relation"):
        earlier("conditional", "It is so.", book, given=[Gt(y, 0)])


def test_the_book_is_found_from_inside_and_beside(book, tmp_path, monkeypatch):
    (book / "notes").mkdir()
    for place in (book, tmp_path, book / "notes"):
        monkeypatch.chdir(place)
        assert book_folders()[0] == book
        assert earlier("distributed").label == "distributed"


def test_the_message_names_the_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules["logpartition.proof.earlier"], "HERE", tmp_path)
    with pytest.raises(IllFormed, match="no folder with notebooks"):
        earlier("distributed")


def test_an_earlier_result_is_a_result(book):
    rests = earlier("joined", folder=book)
    weak = earlier("numbers", folder=book)
    made = theorem("last", "Words.", by={rests: "a", weak: "b"}, argument="{joined} {numbers}")
    assert made.record.rests == (("joined", "argued"), ("numbers", "checked"))
    assert derived("next", used=[rests]).record.verdict == "proved"
    assert derived("next", used=[weak]).record.verdict == "checked"
    with pytest.raises(IllFormed, match="refuted"):
        theorem("last", "Words.", by={earlier("wrong", folder=book): "a"}, argument="{wrong}")


def test_a_stored_record_is_read_only(book):
    record = earlier("distributed", folder=book).record
    record.json()["verdict"] = "observed"
    assert record.verdict == "proved"
