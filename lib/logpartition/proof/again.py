"""Results decided again from their records alone, by the verifier that decided them first.

    again(record, book)        the result, made anew from what its record holds
    differences(record, book)  where its record is not the one that is stored

`book` has the records of all results by label. Of a stored record only words are taken as they
are: its title, its text, its remarks, where it is printed and whether it is a misprint, what it
claims to answer and to certify; and what is not decided, as an argument, what each of its parts is
for, and the numbers of a measurement, which have to support what was predicted. The rest is made
anew.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict

from sympy import Expr, S, Symbol
from sympy.core.relational import Relational

from .chain import Chain
from .earlier import Earlier, Stored, fingerprint_of
from .errors import IllFormed, ProofError
from .induction import induction
from .instance import instance
from .kernel.terms import substitute
from .language import Array, Index, Named
from .observe import supported
from .record import Mutants, Result, correction, said_in_words
from .recorded import operations
from .refute import refute
from .tactics import reasons
from .tensors import Tensor
from .terms import Reader

RULES = {
    rule.words: rule
    for rule in (
        reasons.rearrange, reasons.differentiate, reasons.integrate, reasons.take_limit,
        reasons.sum_series, reasons.sum_states, reasons.average, reasons.remark(""),
    )
}  # fmt: skip
WRITTEN = {"=": "eq", "≤": "le", "≥": "ge", "<": "lt", ">": "gt"}
TERM = (Expr, Tensor, Array)


def again(record, book):
    """The result of a record with `terms`, made anew."""
    data, words = record["terms"], {key: record[key] for key in ("title", "claims")}
    read = Reader(data["let"])
    used = [_used(read, use, book) for use in data.get("uses", ())]
    indices = tuple(read(i, Index) for i in data.get("indices", ()))
    read.calls = operations() | {
        "used": lambda n: used[int(n)],
        "by": reasons.by,
        "definition": lambda *names: reasons.definition(*(Named(n, S.Zero) for n in names)),
        "induction_on": reasons.induction_on,
    }
    given = _facts(read, data.get("given", ()))
    if record["kind"] == "refutation":
        return refute(
            record["label"], read(data["printed"], Relational),
            corrected=read(data["corrected"], Result), by=_facts(read, data.get("by", ())),
            given=given, location=record["location"], text=record["text"],
            misprint=record["misprint"], **words,
        )  # fmt: skip
    words["certifies"] = tuple(record["certifies"])
    if "claim" in data:
        middle = read(data["middle"]) if "middle" in data else None
        return induction(
            record["label"], read(data["claim"], Relational), read(data["over"], Symbol),
            reason=data["reason"], advance=None if middle is None else lambda _: middle,
            given=given, **words,
        )  # fmt: skip
    chain = Chain(record["label"], read(data["start"], TERM), indices, given,
                  rests_on=_facts(read, data.get("rests_on", ())), **words)  # fmt: skip
    for step, shown in zip(data["steps"], record["steps"], strict=True):
        chain = _linked(chain, read, step, shown["remark"])
    return chain


def _linked(chain, read, step, remark):
    why = reasons.Reason(())
    for part in step["why"]:
        said = read(part, (str, reasons.Reason))
        why += RULES[said] if isinstance(said, str) else said
    certificate = read(step["certificate"]) if "certificate" in step else None
    return getattr(chain, WRITTEN[step["relation"]])(
        read(step["term"], TERM), why(remark), using=_facts(read, step.get("using", ())),
        by=step.get("by"), **({} if certificate is None else {"certificate": certificate}),
    )  # fmt: skip


def _facts(read, texts):
    return tuple(read(text, (Relational, Result)) for text in texts)


def _used(read, use, book):
    """A used result: what the book holds under its label, with the statement that is used."""
    label = use["label"]
    if label not in book:
        raise IllFormed(f"it uses {label}, of which the book has no record")
    statement = read(use["statement"], Relational) if "statement" in use else None
    facts = tuple(read(fact, Relational) for fact in use.get("facts", ()))
    said = use["fingerprint"] if statement is None else fingerprint_of(statement, facts)
    in_words = statement is not None and book[label]["kind"] != "derivation"
    if in_words or not said == use["fingerprint"] == book[label]["fingerprint"]:
        raise IllFormed(f"what it uses of {label} is not what the record of {label} says")
    made = Earlier(Stored(json.dumps(book[label])), statement, facts)
    for values in use.get("at", ()):
        made = instance(made, dict(map(_value, read(values, tuple))))
    return made


def _value(given):
    old, *probes, body = given
    if not isinstance(body, Expr):
        raise IllFormed(f"{body} is no value")
    if not probes:
        return old, body
    (probes,) = probes
    return old, lambda *places: substitute(body, dict(zip(probes, places)))


def differences(record, book):
    """What of a record is not what its terms give, each as (place, stored, made anew); of one that
    no terms decide, what is not as it follows from its own parts and from the book."""
    if not decidable(record):
        return list(_apart("", record, {**record, **_following(record, book)}))
    if "terms" not in record:
        return [("terms", "none", "so nothing decides it")]
    try:
        anew = again(record, book).record.json()
    except ProofError as error:
        return [("terms", "they stand", str(error))]
    except Exception as error:  # whatever is written there, it is said of this record
        return [("terms", "they stand", f"they cannot be read: {error!r}")]
    return list(_apart("", record, anew))


def decidable(record):
    """Whether a formula of the record is proved, checked or refuted."""
    words = record["kind"] == "refutation" and not record["counterexample"] and record["against"]
    return record["kind"] in ("derivation", "refutation") and not words


def _following(record, book):
    """What a record in words, or of a measurement, has to say of itself."""
    kind, uses = record["kind"], record["uses"]
    if kind == "theorem":
        uses = [part["label"] for part in record["parts"]]
    if kind == "refutation":
        uses = list(dict.fromkeys([record["corrected"], *record["against"], *uses]))
    if kind == "citation":
        uses = []
    pairs = []
    for label in uses:
        if (other := book.get(label, {"verdict": "refuted"}))["verdict"] == "refuted":
            return {"uses": f"{label} is refuted, or not in the book"}
        own = {"label": label, "verdict": other["verdict"]}
        pairs += ([] if other["verdict"] == "proved" else [own]) + other["rests"]
    rests = [pair for n, pair in enumerate(pairs) if pair not in pairs[:n]]
    return {"uses": uses, "rests": rests, **_bare(record), **_said(record, book)}


def _bare(record):
    """What only a record with a formula has, and the others do not."""
    none = {"statement": "", "scope": "", "sizes": {}, "hypotheses": [], "where": [], "steps": [],
            "oracles": [], "mutants": asdict(Mutants())}  # fmt: skip
    return none | ({"terms": "none"} if "terms" in record else {})


def _said(record, book):
    """What follows from the words or the numbers of a record."""
    assumed = record["assumptions"] if record["kind"] == "theorem" else []
    said = {"assumptions": assumed, "fingerprint": ""}
    if record["kind"] in ("theorem", "citation"):
        said["fingerprint"] = said_in_words(record["text"], assumed)
    if record["kind"] in ("refutation", "citation"):
        said["certifies"] = []
    if record["kind"] == "refutation":
        said["correction"] = correction(book[record["corrected"]])
    if record["kind"] == "observation":
        try:
            said["mutants"] = asdict(supported(record))
        except ProofError as error:
            said["verdict"] = str(error)
    return said


def _apart(place, stored, anew):
    if isinstance(stored, Mapping) and isinstance(anew, Mapping):
        for key in sorted({*stored, *anew}):
            yield from _apart(f"{place}.{key}".strip("."), stored.get(key), anew.get(key))
    elif isinstance(stored, list) and isinstance(anew, list) and len(stored) == len(anew):
        for n, pair in enumerate(zip(stored, anew), 1):
            yield from _apart(f"{place} {n}", *pair)
    elif json.dumps(stored) != json.dumps(anew):
        yield place, stored, anew
