"""Results decided again from their records alone, by the verifier that decided them first.

    again(record, book)        the result, made anew from what its record holds
    in_words(record, book)     the same for one that no terms decide
    differences(record, book)  where its record is not the one that is stored

`book` has the records of all results by label. Of a stored record only words are taken as they
are: its title, its text, its remarks, where it is printed and whether it is a misprint, what it
claims to answer and to certify; and what is not decided, as an argument, what each of its parts is
for, and the numbers of a measurement, which have to support what was predicted. The rest is made
anew.
"""

import json
from collections.abc import Mapping

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
from .record import Finding, Measurement, Result, observation
from .recorded import operations
from .refute import refute
from .tactics import reasons
from .tensors import Tensor, common, own_names
from .terms import Reader
from .words import cite, theorem

RULES = {
    rule.words: rule
    for rule in (
        reasons.rearrange, reasons.differentiate, reasons.integrate, reasons.take_limit,
        reasons.sum_series, reasons.sum_states, reasons.average, reasons.remark(""),
    )
}  # fmt: skip
WRITTEN = {"=": "eq", "≤": "le", "≥": "ge", "<": "lt", ">": "gt"}
TERM = (Expr, Tensor, Array)
MEASURED = ("measured", "predicted", "tolerance")


def again(record, book):
    """The result of a record with `terms`, made anew."""
    data, words = record["terms"], {key: record[key] for key in ("title", "claims")}
    read = Reader(data["let"], operations())
    used = [_used(read, use, book) for use in data.get("uses", ())]
    indices = tuple(read(i, Index) for i in data.get("indices", ()))
    read.calls |= {
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
    start = read(data["start"], TERM)
    if indices != common(start):
        raise IllFormed(f"the indices {indices} are not those at which the entries are compared, "
                        f"{common(start)}")  # fmt: skip
    chain = Chain(record["label"], start, indices, given,
                  rests_on=_facts(read, data.get("rests_on", ())), **words)  # fmt: skip
    for step, shown in zip(data["steps"], record["steps"], strict=True):
        chain = _linked(chain, read, step, shown["remark"])
    return chain


def _linked(chain, read, step, remark):
    why = reasons.Reason(())
    for part in step["why"]:
        said = read(part, (str, reasons.Reason))
        why += RULES[said] if isinstance(said, str) else said
    more = {"certificate": read(step["certificate"])} if "certificate" in step else {}
    more |= {"by": step["by"]} if step.get("by") else {}
    return getattr(chain, WRITTEN[step["relation"]])(
        read(step["term"], TERM), why(remark), using=_facts(read, step.get("using", ())), **more
    )


def _facts(read, texts):
    return tuple(read(text, (Relational, Result)) for text in texts)


def _used(read, use, book):
    """A used result: what the book holds under its label, with the statement that is used."""
    label = use["label"]
    if label not in book:
        raise IllFormed(f"it uses {label}, of which the book has no record")
    statement = read(use["statement"], Relational) if "statement" in use else None
    facts = tuple(read(fact, Relational) for fact in use.get("facts", ()))
    axes = tuple(read(pair, tuple) for pair in use.get("ranges", ()))
    if not all([isinstance(*x) for x in zip(pair, (Index, Expr))] == [True, True] for pair in axes):
        raise IllFormed(f"what it uses of {label} says of no index how far it runs")
    said = use["fingerprint"] if statement is None else fingerprint_of(statement, facts, axes)
    in_words = statement is not None and book[label]["kind"] != "derivation"
    if in_words or not said == use["fingerprint"] == book[label]["fingerprint"]:
        raise IllFormed(f"what it uses of {label} is not what the record of {label} says")
    made = Earlier(Stored(json.dumps(book[label])), statement, facts, axes=axes)
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
    no terms decide, what is not as its own words and numbers and the book make it."""
    make, place = (again, "terms") if decidable(record) else (in_words, "its words")
    if make is again and "terms" not in record:
        return [("terms", "none", "so nothing decides it")]
    try:
        with own_names():
            return list(_apart("", record, make(record, book).record.json()))
    except (ProofError, ValueError) as error:
        return [(place, "they stand", str(error))]
    except Exception as error:  # whatever is written there, it is said of this record
        return [(place, "they stand", f"they cannot be read: {error!r}")]


def decidable(record):
    """Whether a formula of the record is proved, checked or refuted."""
    words = record["kind"] == "refutation" and not record["counterexample"] and record["against"]
    return record["kind"] in ("derivation", "refutation") and not words


def in_words(record, book):
    """The result of a record in words, or of a measurement: stated anew in its own words, of parts
    that the book holds."""

    def held(labels):
        if unknown := [label for label in labels if label not in book]:
            raise IllFormed(f"it uses {unknown[0]}, of which the book has no record")
        return [Earlier(Stored(json.dumps(book[label]))) for label in labels]

    label, text, kind = record["label"], record["text"], record["kind"]
    said = {key: record[key] for key in ("title", "claims")}
    if kind == "citation":
        return cite(label, text, source=record["source"], number=record["number"], **said)
    if kind == "refutation":
        return refute(label, record["printed"], corrected=held([record["corrected"]])[0],
                      by=held(record["against"]), location=record["location"], text=text,
                      misprint=record["misprint"], **said)  # fmt: skip
    said["certifies"] = record["certifies"]
    if kind == "theorem":
        parts = record["parts"]
        by = zip(held([p["label"] for p in parts]), [p["purpose"] for p in parts])
        return theorem(label, text, by=by, argument=record["argument"],
                       given=record["assumptions"], **said)  # fmt: skip
    m = Measurement(**record["measurement"], **{key: record[key] for key in MEASURED})
    killed, used = supported(record), held(record["uses"])
    return Finding(observation(label, text, m, killed, used=used, **said))


def _apart(place, stored, anew):
    if isinstance(stored, Mapping) and isinstance(anew, Mapping):
        for key in sorted({*stored, *anew}):
            there = f"{place}.{key}".strip(".")
            if key in stored and key in anew:
                yield from _apart(there, stored[key], anew[key])
            else:
                yield there, stored.get(key, "none"), anew.get(key, "none")
    elif isinstance(stored, list) and isinstance(anew, list) and len(stored) == len(anew):
        for n, pair in enumerate(zip(stored, anew), 1):
            yield from _apart(f"{place} {n}", *pair)
    elif json.dumps(stored) != json.dumps(anew):
        yield place, stored, anew
