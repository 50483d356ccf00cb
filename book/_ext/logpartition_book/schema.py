"""What a record, a claim and the audit look like, and what in them has to add up.

The form of a record is the verifier's to say; here stands what the book asks of one besides. Each
function gives what is wrong, in words.
"""

import math
import re
from collections import Counter

from jsonschema import Draft202012Validator

from logpartition.proof.record import problems

from .index import ERRATA, INSTEAD, QUESTIONS, SOURCES
from .seal import digest

SLUG = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
WORDS = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
CODE = r"logpartition(\.\w+)+"
ROUNDED = 1.11  # times a tolerance of two digits, of which the measured number has a tenth
DIGITS = 5e-4  # of a number that is kept to four of them


def entry(required, optional=(), closed=False):
    """An object with these keys; `closed` when there may be no others."""
    found = {
        "type": "object",
        "required": list(required),
        "properties": {**required, **dict(optional)},
    }
    return {**found, "additionalProperties": False} if closed else found


def every(item):
    return {"type": "array", "items": item}


def either(*values):
    return {"enum": list(values)}


OUTLINE = {
    "id": {"type": "string", "pattern": r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"},
    "statement": WORDS,
    "proof": WORDS,
}
CLAIM_VERDICTS = ("CORRECT", "EMPIRICAL", "PROSE", *QUESTIONS, *ERRATA)
AUDIT = entry(
    {
        "chapters": {"type": "object", "additionalProperties": WORDS},
        "digest": WORDS,
        "tried": COUNT,
        "killed": COUNT,
        "results": {
            "type": "object",
            "additionalProperties": entry(
                {"tried": COUNT, "killed": COUNT, "chapter": SLUG},
                {"equivalent": COUNT},
                closed=True,
            ),
        },
    },
    closed=True,
)


def wrong(content, schema):
    """Where `content` departs from the schema."""
    for error in Draft202012Validator(schema).iter_errors(content):
        place = ".".join(map(str, error.absolute_path))
        yield f"{place + ': ' if place else ''}{error.message}"


def wrong_record(record):
    """What is wrong with one stored record by itself."""
    return problems(record) or [*misnamed(record), *inconsistent(record)]


def misnamed(record):
    """Labels that are no addresses, functions that are not of the library, and names given
    twice.
    """
    for label in (record["label"], *record["uses"]):
        if not re.fullmatch(SLUG["pattern"], label):
            yield f"{label!r} is no label: it needs small letters, digits and hyphens"
    for name in record["certifies"]:
        if not re.fullmatch(CODE, name):
            yield f"certifies {name!r}, which is no name in logpartition"
    for key in ("uses", "claims", "certifies"):
        if twice := [name for name, count in Counter(record[key]).items() if count > 1]:
            yield f"names {twice[0]!r} twice in its {key}"


def inconsistent(record):
    """Verdicts that the record's own evidence does not carry, and counts that do not add up."""
    yield from mutated(record)
    yield from {
        "derivation": links,
        "theorem": joined,
        "refutation": contradicted,
        "observation": agrees,
        "citation": lambda record: (),
    }[record["kind"]](record)


def mutated(record):
    """No mutant lives, and the links have as many as the whole; an induction has some besides."""
    total, counted = record["mutants"], [step["mutants"] for step in record["steps"]]
    for count in (total, *counted):
        if count["killed"] != count["tried"]:
            yield (
                f"{count['tried'] - count['killed']} of its {count['tried']} mutants live: a check"
                " that accepts a mutant checks nothing"
            )
    anew = any("left" in step for step in record["steps"])
    for key in ("tried", "killed"):
        links = sum(count[key] for count in counted)
        if counted and (links > total[key] if anew else links != total[key]):
            yield f"its mutants {key} are {total[key]}, and those of its links add up to {links}"


def links(record):
    """A proved chain has every link proved, and known at every point tried; every link of any chain
    was decided and mutated.
    """
    if not record["steps"]:
        yield "a derivation without a link states nothing"
    elif not record["mutants"]["tried"]:
        yield "none of its links was mutated"
    proved = record["verdict"] == "proved"
    for number, step in enumerate(record["steps"], 1):
        if not step["symbolic"] and not step["numeric"]["points"]:
            yield f"its link {number} was decided by neither route"
        elif proved and not step["symbolic"]:
            yield f"says proved, and its link {number} has no symbolic route"
    parts = {f"link {n}": step["numeric"] for n, step in enumerate(record["steps"], 1)}
    for name, numeric in {**parts, "whole": record["whole"]}.items():
        if numeric["points"] > numeric["of"]:
            yield f"its {name} was known at {numeric['points']} of {numeric['of']} points"
        elif proved and not numeric["points"] == numeric["of"] > 0:
            yield (
                f"says proved, and its {name} is known at {numeric['points']} of {numeric['of']}"
                " points"
            )


def joined(record):
    if not record["parts"]:
        yield "a theorem that rests on no result"
    if [part["label"] for part in record["parts"]] != record["uses"]:
        yield "its parts are not the results that it uses"


def contradicted(record):
    if not record["counterexample"] and not record["against"]:
        yield "has neither a counterexample nor results that contradict the words"
    for label in (record["corrected"], *record["against"]):
        if label not in record["uses"]:
            yield f"names {label!r}, and does not say that it uses it"


def agrees(record):
    """The measured number lies where the prediction and the tolerance put it."""
    m, measured, predicted = record["measurement"], record["measured"], record["predicted"]
    shown = [measured, predicted, record["tolerance"], m["standard_error"], m["scale"]]
    if not all(math.isfinite(x) for x in (*shown, *m["sizes"], *m["errors"]) if x is not None):
        yield "has a number that is not finite"
    beyond = {"=": abs(measured - predicted), "≤": measured - predicted, "≥": predicted - measured}
    rounded = DIGITS * abs(measured) if m["form"] == "bound" else ROUNDED * record["tolerance"]
    if beyond[m["relation"]] > rounded:
        yield f"measured {measured}, and predicted {m['relation']} {predicted}"
    if len(m["sizes"]) != len(m["errors"]):
        yield f"has {len(m['sizes'])} sizes, and {len(m['errors'])} errors"


def wrong_claims(content):
    """What is wrong with the contents of claims.yaml."""
    chapters = content.get("chapters") if isinstance(content, dict) else None
    outline = {**OUTLINE, "chapter": either(*chapters if isinstance(chapters, list) else ())}
    see = {**every(SLUG), "minItems": 1, "uniqueItems": True}
    optional = {"corrected": WORDS, "conditions": WORDS, "see": see}
    claim = entry(
        {**outline, "seed": either(*SOURCES), "where": WORDS, "verdict": either(*CLAIM_VERDICTS)},
        optional,
        closed=True,
    )
    beyond = entry({**outline, "title": WORDS}, optional, closed=True)
    found = list(
        wrong(
            content,
            entry(
                {"chapters": every(SLUG), "claims": every(claim), "beyond": every(beyond)},
                closed=True,
            ),
        )
    )
    yield from found
    if not found:
        ids = Counter(entry["id"] for part in ("claims", "beyond") for entry in content[part])
        yield from (
            f"the id {name!r} is given to {count} claims"
            for name, count in ids.items()
            if count > 1
        )
        for claim in content["claims"]:
            if claim["verdict"] == "CORRECT-COND" and "conditions" not in claim:
                yield f"{claim['id']} is true under a condition, and no conditions say which"
            if claim["verdict"] == "CORRECT" and "conditions" in claim:
                yield f"{claim['id']} is true as stated, and has conditions"
            if claim["verdict"] in INSTEAD and "corrected" not in claim:
                yield (
                    f"{claim['id']} is {claim['verdict']}, and no `corrected` has the answer, or"
                    " what is true instead"
                )


def wrong_audit(content):
    """What is wrong with the contents of audit.json by itself."""
    found = list(wrong(content, AUDIT))
    yield from found
    if not found:
        if content["digest"] != digest({key: content[key] for key in content if key != "digest"}):
            yield "was edited after the audit"
        for label, counts in content["results"].items():
            if counts["killed"] != counts["tried"]:
                yield (
                    f"{counts['tried'] - counts['killed']} of {counts['tried']} mutants of {label}"
                    " live"
                )
        for key in ("tried", "killed"):
            if (total := sum(counts[key] for counts in content["results"].values())) != content[
                key
            ]:
                yield f"{key} is {content[key]}, and the results add up to {total}"
