"""What a record, a claim and the audit look like, and what in them has to add up.

Records may have more keys than these: only what is wrong is refused. Each function gives what is
wrong, in words.
"""

from collections import Counter

from jsonschema import Draft202012Validator

from .index import ERRATA, SOURCES

VERDICTS = {  # the verdicts that a kind of result can earn
    "derivation": ("proved", "checked"),
    "theorem": ("argued",),
    "refutation": ("refuted",),
    "observation": ("observed",),
    "citation": ("cited",),
}
SLUG = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
WORDS = {"type": "string", "minLength": 1}
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}


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


MUTANTS = entry({"tried": COUNT, "killed": COUNT}, {"equivalent": COUNT})
STEP = entry(
    {"latex": WORDS, "relation": either("=", "≤", "≥", "<", ">", "→", "∼"), "reason": TEXT},
    {
        "left": TEXT,
        "mutants": MUTANTS,
        "numeric": {"anyOf": [{"type": "null"}, entry({"points": COUNT, "digits": COUNT})]},
    },
)
RECORD = entry(
    {
        "label": SLUG,
        "kind": either(*VERDICTS),
        "verdict": either(*sorted({v for found in VERDICTS.values() for v in found})),
        "statement": TEXT,
        "scope": TEXT,
        "assumptions": every(WORDS),
        "mutants": MUTANTS,
        "uses": every(SLUG),
        "claims": every(WORDS),
        "certifies": every({"type": "string", "pattern": r"^logpartition(\.\w+)+$"}),
    },
    {
        "title": {"anyOf": [{"type": "null"}, TEXT]},
        "text": TEXT,
        "steps": every(STEP),
        "where": every(WORDS),
        "sizes": TEXT,
    },
)
KINDS = {  # what a kind has besides
    "derivation": entry(
        {"start": WORDS, "statement": WORDS, "steps": {**every(STEP), "minItems": 1}}
    ),
    "theorem": entry({"uses": {**every(SLUG), "minItems": 1}}),
    "refutation": entry(
        {"printed": WORDS, "location": WORDS, "corrected": SLUG},
        {
            "counterexample": {
                "anyOf": [
                    {"type": "null"},
                    entry({"point": every(WORDS), "left": WORDS, "right": WORDS}),
                ]
            }
        },
    ),
    "observation": entry({"measured": WORDS, "predicted": WORDS, "tolerance": WORDS}),
    "citation": entry({"source": WORDS}),
}
OUTLINE = {
    "id": {"type": "string", "pattern": r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"},
    "statement": WORDS,
    "proof": WORDS,
}
CLAIM_VERDICTS = ("CORRECT", "QUESTION", "EMPIRICAL", "PROSE", *ERRATA)
AUDIT = entry(
    {
        "chapters": {"type": "object", "additionalProperties": WORDS},
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
    found = list(wrong(record, RECORD)) or list(wrong(record, KINDS[record["kind"]]))
    return found or list(inconsistent(record))


def inconsistent(record):
    """Verdicts that the record's own evidence does not carry, and counts that do not add up."""
    kind, verdict, steps, mutants = (
        record["kind"],
        record["verdict"],
        record.get("steps", []),
        record["mutants"],
    )
    if verdict not in VERDICTS[kind]:
        yield f"a {kind} is {' or '.join(VERDICTS[kind])}, and this one says {verdict}"
    if verdict == "proved" and (
        open_links := [str(i) for i, step in enumerate(steps, 1) if not step.get("symbolic")]
    ):
        yield f"says proved, and its link {', '.join(open_links)} has no symbolic route"
    for number, step in enumerate(steps, 1):
        if not step.get("symbolic") and not (step.get("numeric") or {}).get("points"):
            yield f"its link {number} was decided by neither route"
    if mutants["killed"] != mutants["tried"]:
        yield (
            f"{mutants['tried'] - mutants['killed']} of its {mutants['tried']} mutants live: a"
            " check that accepts a mutant checks nothing"
        )
    counted = [step["mutants"] for step in steps if "mutants" in step]
    for key in ("tried", "killed"):
        if counted and sum(count[key] for count in counted) != mutants[key]:
            yield (
                f"its mutants {key} are {mutants[key]}, and those of its links add up to"
                f" {sum(count[key] for count in counted)}"
            )
    if kind == "derivation" and not mutants["tried"]:
        yield "none of its links was mutated"
    if kind == "refutation" and not record.get("counterexample") and not record["uses"]:
        yield "has neither a counterexample nor results that contradict the words"
    for key in ("uses", "claims", "certifies"):
        if twice := [name for name, count in Counter(record[key]).items() if count > 1]:
            yield f"names {twice[0]!r} twice in its {key}"


def wrong_claims(content):
    """What is wrong with the contents of claims.yaml."""
    chapters = content.get("chapters") if isinstance(content, dict) else None
    outline = {**OUTLINE, "chapter": either(*chapters or ())}
    optional = {"corrected": WORDS, "conditions": WORDS}
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


def wrong_audit(content):
    """What is wrong with the contents of audit.json by itself."""
    found = list(wrong(content, AUDIT))
    yield from found
    if not found:
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
