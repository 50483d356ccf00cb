"""Shares in words: forty percent, twelve of the twenty runs, two thirds of the draws. They measure
as those in digits do, and are read as these are.
"""

import re

PERCENT = r"(?:\s*|-)(?:%|per\s?cent(?:s|age)?\b|pct\b)"
TRIES = r"(?:case|draw|point|run|sample|seed|start|time|trial)s?"
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
PARTED = "half third quarter fifth sixth seventh eighth ninth tenth".split()
SPELLED = rf"(?:(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(UNITS[1:10])}))?|{'|'.join(UNITS[3:])}"
SPELLED += r"|(?:(?:a|one)\s+)?hundred)"
PORTION = re.compile(  # what measures in words; one and two of some are no measurement
    rf"(?i)\b(?P<share>{SPELLED})(?={PERCENT})|\b(?:(?P<some>{SPELLED}|\d+)"
    rf"(?P<of>\s+(?:{TRIES}\s+)?(?:(?:out\s+)?of|from|among)\s+(?:(?:the|all)\s+)*)"
    rf"(?P<all>(?!(?:{'|'.join(UNITS[3:10])})\b){SPELLED}|\d+)\b)"
    rf"|\b(?:(?P<parts>an?|{'|'.join(UNITS[1:10])})[\s-](?P<part>{'|'.join(PARTED)})s?(?=\s+of\b)"
    r"|(?P<half>half))(?=(?:\s+of)?(?:\s+(?:the|all|our|its|these))*"
    r"\s+(?:case|draw|run|sample|seed|start|trial)s?\b)"
)
CUE = re.compile(
    rf"per\s?cent|%|pct|\b{TRIES}\b|\b(?:of|from|among)\s+(?:(?:the|all)\s+)*(?:\d|{SPELLED}\b)"
)


def figures(text):
    """The text with its shares in digits: forty percent, two thirds of the runs."""
    return PORTION.sub(in_figures, text) if CUE.search(text.lower()) else text


def in_figures(found):
    if found["share"]:
        return figure(found["share"])
    if found["some"]:
        return f"{figure(found['some'])}{found['of']}{figure(found['all'])}"
    part = found["half"] or found["part"]
    return f"{figure(found['parts'] or 'one')}/{PARTED.index(part.lower()) + 2}"


def figure(words):
    """The number that a few words say, in digits, as digits are already."""
    if words.isdigit():
        return words
    parts = re.split(r"[\s-]", words.lower())
    if parts[-1] == "hundred":
        return "100"
    tens = [10 * TENS.index(part) + 20 for part in parts if part in TENS]
    return str(sum(tens) + sum(UNITS.index(part) for part in parts if part in UNITS) or 1)
