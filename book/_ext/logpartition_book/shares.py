"""Shares in words: forty percent, twelve of the twenty runs, two thirds of the draws. They measure
as those in digits do, and are read as these are.
"""

import re

PERCENT = r"(?:\s*|-)(?:%|per[\s-]?cent(?:s|age)?\b|pct\b)"
TRIES = r"(?:case|draw|point|run|sample|seed|start|time|trial)s?"
TRIED = r"(?:case|draw|run|sample|seed|start|trial)s\b"  # what is counted, and nothing else
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
PARTS = dict(half=2, third=3, quarter=4, fourth=4, fifth=5, sixth=6, eighth=8, ninth=9, tenth=10)
FEW, SMALL = "|".join(UNITS[1:10]), "|".join(UNITS[3:10])
SPELLED = rf"(?:(?:{'|'.join(TENS)})(?:[\s-](?:{FEW}))?|(?:(?:a|{FEW})\s+)?hundred"
SPELLED += rf"|{'|'.join(UNITS[3:])})"
WHOSE = r"(?:the|all|our|its|these|those)"
PORTION = re.compile(  # what measures in words; one and two of some are no measurement
    rf"(?i)\b(?P<share>{SPELLED})(?={PERCENT})|\b(?:(?P<some>{SPELLED}|\d+)"
    rf"(?P<of>(?P<tries>\s+{TRIES})?\s+(?:(?:out\s+)?of|from|among)\s+(?:{WHOSE}\s+)*)"
    rf"(?P<all>(?!(?:{SMALL})\b(?(tries)|(?!\s+{TRIED}))){SPELLED}|\d+)\b)"
    rf"|\b(?:(?P<parts>an?|{FEW})[\s-](?P<part>{'|'.join(PARTS)})s?(?=\s+of\b)"
    r"|(?<!first\s)(?<!second\s)(?<!last\s)(?<!other\s)(?P<half>half))"
    rf"(?=(?:\s+of)?(?:\s+(?:{WHOSE}|{SPELLED}|\d+))*\s+{TRIED})"
)
CUE = re.compile(
    rf"per[\s-]?cent|%|pct|\b{TRIES}\b|\b(?:of|from|among)\s+(?:{WHOSE}\s+)*(?:\d|{SPELLED}\b)"
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
    return f"{figure(found['parts'] or 'one')}/{PARTS[part.lower()]}"


def figure(words):
    """The number that a few words say, in digits, as digits are already."""
    if words.isdigit():
        return words
    parts = re.split(r"[\s-]", words.lower())
    tens = sum(10 * TENS.index(part) + 20 for part in parts if part in TENS)
    number = tens + sum(UNITS.index(part) for part in parts if part in UNITS) or 1
    return str(100 * number if parts[-1] == "hundred" else number)
