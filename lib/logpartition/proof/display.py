"""How a result looks: one record, as JSON data, in three forms.

The site draws the JSON record; JupyterLab, Binder and GitHub show the Markdown, with display maths
that plain KaTeX and MathJax know; a terminal shows the line.
"""

import re

MIME = "application/vnd.logpartition.result+json"
RELATIONS = {"=": "=", "≤": r"\le", "≥": r"\ge", "<": "<", ">": ">"}
LONG_REASON, LONG_LINE = 40, 90  # in characters
MATHS = re.compile(r"(\$\$.*?\$\$|\$[^$]*\$)", re.DOTALL)
NAME = re.compile(r"(?<![\\\w^_])\{([a-z0-9][\w-]*)\}(?!`)")
LINK = re.compile(r"\[\]\(#?(?:eq-)?([^\[)\s/.]+)\)")  # it looks no further than the next [
QUOTATION = re.compile(r'“[^“”]*”|"[^"]*"')

# how a statement of a source is announced
WORDS = "In its words"
FORMULA = "Its formula, as read here"
IN_OURS = "What it says, in our words"

ORACLES = {
    "SymPy: gammasimp": "SymPy's rewriting of Gamma functions (gammasimp)",
    "SymPy: limit": "SymPy's limits",
}


def bundle(record):
    """The three forms of a record."""
    return {MIME: record, "text/markdown": markdown(record), "text/plain": line(record)}


# --- in a few words --------------------------------------------------------------------


def badge(record):
    """The verdict in honest words."""
    record = data(record)
    if record["verdict"] == "proved":
        return f"proved for {record['scope']}" if record["scope"] else "proved"
    if record["verdict"] == "checked":
        return _checked(record)
    if record["verdict"] == "refuted":
        return f"corrects {record['location']}"
    return record["verdict"]


def _checked(record):
    """How far numbers went; or, where each step is proved, what it rests on that is not."""
    steps = record["steps"]
    tried = [s["numeric"] for s in steps if not s["symbolic"] or _unknown(s["numeric"])]
    tried += [record["whole"]] if _unknown(record["whole"]) else []
    if not tried and record["rests"]:
        weak = [f"{r['label']} ({r['verdict']})" for r in record["rests"]]
        return f"proved from what is not proved: {', '.join(weak)}"
    if all(s["symbolic"] for s in steps) and not any(n["points"] for n in tried):
        return "proved in symbols, not computed"
    least = min(tried, key=lambda n: (n["points"], -n["of"]))
    points = counted(least["of"], "point")
    words = f"{least['points']} of {points}" if _unknown(least) else points
    sizes = sizes_tried(record)
    return f"checked numerically at {words}" + (f", {sizes}" if sizes else "")


def _unknown(numeric):
    return numeric["points"] < numeric["of"] or not numeric["of"]


def sizes_tried(record):
    """The numbers that stood for each size: N = 1, 2, 3; d = 1, 2. Of a size for which none did,
    nothing is said."""
    listed = data(record)["sizes"].items()
    return "; ".join(f"{name} = {', '.join(map(str, tried))}" for name, tried in listed if tried)


def line(record):
    """One line of plain text."""
    record = data(record)
    errors = _errors(record)
    return f"{record['label']}: {badge(record)}" + (f"; {errors}" if errors else "")


def _errors(record):
    mutants = record["mutants"]
    if not mutants["tried"]:
        return ""
    what = "other prediction" if record["kind"] == "observation" else "deliberate error"
    return f"{mutants['killed']} of {counted(mutants['tried'], what)} rejected"


def counted(n, what):
    """A number of things: 1 point, 2 points."""
    return f"{n} {what}" + "s" * (n != 1)


# --- Markdown --------------------------------------------------------------------------


def markdown(record):
    """A record for readers without the site: bold words, and display maths with nothing special."""
    record = data(record)
    title = f"**{record['title']}** `{record['label']}`"
    head = title if record["title"] else f"**{record['label']}**"
    body = {
        "derivation": _derivation, "theorem": _theorem, "refutation": _refutation,
        "observation": _observation, "citation": _citation,
    }[record["kind"]](record)  # fmt: skip
    parts = [f"{head} ({badge(record)})", *body, *_stands_on(record)]
    return "\n\n".join(part for part in parts if part)


def _derivation(record):
    formula, below = _chain(record)
    told = len(record["steps"]) > 1 or record["text"]  # of an induction no link is the statement
    statement = f"$${record['statement']}$$" if told else ""
    shown = [words(record["text"]), statement, _assumed(record), formula]
    return [*shown, *below, _certificates(record)]


def _theorem(record):
    return [words(record["text"]), _assumed(record), "*Argument.* " + words(record["argument"])]


def _refutation(record):
    """As on the site, what a source says is announced as what it is: words of its own, or a formula
    as it is read here, which the source need not print."""
    found = record["counterexample"]
    kind = announced(record)
    printed = f"$${record['printed']}$$" if kind == FORMULA else words(record["printed"])
    place = record["location"] + ", a misprint" * record["misprint"]
    parts = [f"{kind} ({place}):\n\n{printed}", _assumed(record)]
    if found:
        parts.append(_point(found))
    instead = words(record["correction"])
    of = f"`{record['corrected']}`"
    formula = instead.startswith("$$")  # in its own letters, which are those of its box
    true = f"True instead ({of}, with what that assumes):"
    true = true if formula else f"True instead ({of}):"
    parts.append(true + (f"\n\n{instead}" if instead else ""))
    return [*parts, words(record["text"])]


def announced(record):
    """What stands before that which a refutation refutes: words, or a formula as TeX."""
    if quoted(record["printed"]):
        return WORDS
    return FORMULA if record["counterexample"] else IN_OURS


def quoted(text):
    """Whether it is somebody's words, letter by letter: then it is one quotation, from end to
    end."""
    return bool(QUOTATION.fullmatch(text))


def _point(found):
    at = _where(found) or "every point"
    if found["why"]:
        return f"False at {at}: {words(found['why'])}."
    left, right = (f"${found[side]['latex']}$" for side in ("left", "right"))
    return f"False at {at}: {left} on the left, {right} on the right."


def _where(found):
    return ", ".join(f"${one['name']} = {one['latex']}$" for one in found["point"])


def failure(found):
    """The point at which a statement fails, and its two sides there, or why a side has no value;
    as Markdown."""
    point = _where(found)
    sides = (f"${found[side]['latex']}$" for side in ("left", "right"))
    said = found["why"] or "the left side is {}, the right side {}".format(*sides)
    return f"At {point}: {said}" if point else said


def _observation(record):
    m = record["measurement"]
    expected = {"=": "predicted", "≤": "predicted at most", "≥": "predicted at least"}
    said = [
        f"Measured {measured(record)}",
        expected[m["relation"]] + f" ${_tex(record, 'predicted')}$",
    ]
    if m["form"] != "bound":
        said.append(f"tolerance ${_tex(record, 'tolerance')}$ ({allowance(record)})")
    if m["form"] == "rate" and m["standard_error"]:
        said.append(f"standard error of the slope ${number_tex(m['standard_error'])}$")
    if m["scale"] is not None:
        said.append(f"where a failure would show ${number_tex(m['scale'])}$")
    if m["runs"] is not None:
        said.append(f"the worst of {counted(m['runs'], 'run')}")
    table = ""
    if m["sizes"]:
        rows = zip(m["sizes"], m["errors"])
        table = "Errors: " + ", ".join(f"${number_tex(e)}$ at ${number_tex(s)}$" for s, e in rows)
    return [words(record["text"]), ", ".join(said) + ".", table and table + "."]


def allowance(record):
    """Where a tolerance comes from."""
    said = record["measurement"]["allowance"]
    return "chosen" if said == "stated" else said


def measured(record):
    """The measured number; what lies below the tolerance of a prediction 0 is noise, no number."""
    record = data(record)
    if record["measured"] == 0 and record["measurement"]["form"] == "value":
        return f"below ${_tex(record, 'tolerance')}$ in size"
    return f"${_tex(record, 'measured')}$"


def _tex(record, key):
    return number_tex(record[key])


def _citation(record):
    source = f"Source: {record['source']}, {words(record['number'])}."
    statement = f"$${record['statement']}$$" if record["statement"] else ""
    return [words(record["text"]), statement, source]


# parts


def _assumed(record):
    """Hypotheses, what became of the statement without them, and what the names stand for."""
    lines = []
    if record["assumptions"]:
        given = "; ".join(map(words, record["assumptions"]))
        lines.append(f"{assumed(record)}: {given}.")
    for h in record["hypotheses"]:
        without = f"${as_assumed(h['latex'], record['assumptions'])}$"
        if h["needed"]:
            lines.append(f"Without {without} it fails {words(h['witness'])}.")
        elif h.get("valued") is False:
            lines.append(f"Without {without} it is not known that both sides have values.")
        else:
            lines.append(f"No point was found at which it fails without {without}.")
    if record["where"]:
        lines.append("Where " + "; ".join(record["where"]) + ".")
    return "\n\n".join(lines)


def assumed(record):
    """The name of the list of what a result assumes; a correction's is about what it refutes."""
    return "For what is refuted" if record["kind"] == "refutation" else "Assumes"


def as_assumed(latex, assumptions):
    """A hypothesis from the side from which the assumptions say it."""
    for sign, turned in ((r"\ge", r"\le"), (">", "<")):
        left, found, right = latex.partition(f" {sign} ")
        said = f"{right} {turned} {left}"
        if found and any(one.startswith(f"${said}$") for one in assumptions):
            return said
    return latex


def _chain(record):
    """The chain as one aligned formula, and the reasons that are too long to stand in it."""
    rows, below = [], []
    for n, s in enumerate(record["steps"], 1):
        left = record["start"] if n == 1 else s.get("left", "")
        row = f"{left} &{RELATIONS[s['relation']]} {s['latex']}"
        reason = _said(s)
        room = width(left or record["start"]) + width(s["latex"]) + len(reason)
        if len(reason) > LONG_REASON or room > LONG_LINE:
            below.append(f"({n}) {reason}")
            reason = f"({n})"
        rows.append(f"{row} && {_in_maths(reason)}")
    body = " \\\\\n".join(rows)
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$", below


def _said(s):
    """The reason of a step, and the author's remark."""
    return words(": ".join(x for x in (rule(s), s["remark"]) if x))


def rule(step):
    """The words of the rule; nothing where there is a remark and no rule in particular."""
    return "" if step["remark"] and step["reason"] == "compute" else step["reason"]


def width(tex):
    """About how many characters a formula is wide."""
    return len(re.sub(r"\\(left|right|begin|end|mathbb|frac|,)|[{}_^\s]", "", re.sub(
        r"\\(?!left|right|begin|end|mathbb|frac)[a-zA-Z]+", "x", tex)))  # fmt: skip


def _in_maths(reason):
    r"""Markdown inside a formula: words in \text, maths as it is, without its asterisks and marks
    of code."""
    parts = []
    for n, piece in enumerate(DOLLAR.split(reason)):
        if n % 2:
            parts.append(piece)
        elif piece:
            plain = re.sub(r"[`*]", "", piece)
            plain = re.sub(r"([%&#_{}$])", r"\\\1", plain.replace("\\", ""))
            plain = plain.replace("^", r"}{}^{\wedge}\text{")  # which no text in maths has
            parts.append(rf"\text{{{plain}}}")
    return " ".join(parts)


DOLLAR = re.compile(r"(?<!\\)\$")
OWN_LINES = re.compile(r"\\\\|(?<!\\)&|\\(?:begin|end|tag|cr|newline)(?![a-zA-Z])")


def inline(text):
    """Whether the maths in some Markdown is seen to stay in its line; with $$ it is not."""
    return "$$" not in text and not any(map(OWN_LINES.search, DOLLAR.split(text)[1::2]))


LONE = re.compile(r"(?<!\\)(?:\\\\)*%")
BRACE = re.compile(r"(?<!\\)(?:\\\\)*([{}])")


def whole(text):
    """Whether the maths in some Markdown ends at its dollar sign: a % takes what follows, and so
    does a brace that is open."""
    for piece in DOLLAR.split(text)[1::2]:
        depths = [0]
        for brace in BRACE.findall(piece):
            depths.append(depths[-1] + (1 if brace == "{" else -1))
        if LONE.search(piece) or min(depths) < 0 or depths[-1]:
            return False
    return True


def _certificates(record):
    lines = []
    for n, s in enumerate(record["steps"], 1):
        if s["certificate"]:
            lines.append(f"The difference in step {n} is ${s['certificate']}$.")
        if s["entries"]:
            lines.append(f"In entries, step {n} ends at ${s['entries']}$.")
    return "\n\n".join(lines)


def _stands_on(record):
    """What the result rests on, and what tried to break it."""
    lines, parts = [], {p["label"]: p["purpose"] for p in record.get("parts", ())}
    against = record.get("against", ())
    if against:
        lines.append("Contradicted by " + ", ".join(f"`{label}`" for label in against) + ".")
    others = [u for u in record["uses"] if u not in (*against, record.get("corrected"))]
    uses = [f"`{u}`" + (f" ({words(parts[u])})" if parts.get(u) else "") for u in others]
    if uses:
        lines.append(f"Rests on {', '.join(uses)}.")
    for verdict in ("argued", "checked", "observed", "cited"):
        weak = [f"`{r['label']}`" for r in record["rests"] if r["verdict"] == verdict]
        if weak and record["kind"] != "refutation":
            lines.append(
                f"Directly or through others, rests on {verdict} results: {', '.join(weak)}."
            )
    if record["oracles"]:
        lines.append(f"Trusts {trusted(record['oracles'])}.")
    if record["certifies"]:
        lines.append("Certifies " + ", ".join(f"`{name}`" for name in record["certifies"]) + ".")
    return [*lines, _numbers(record)]


def trusted(oracles):
    """What a proof takes from SymPy on trust, in words."""
    return ", ".join(ORACLES.get(name, name) for name in oracles)


def _numbers(record):
    """What the numeric route did."""
    tried = [s["numeric"] for s in record["steps"]]
    said = []
    if tried:
        points = list(dict.fromkeys((n["points"], n["of"]) for n in tried))
        digits = min(n["digits"] for n in tried)
        links = "" if len(tried) < 2 else "links " if len(points) > 1 else "each link "
        at = " and at ".join(f"{some} of {of}" for some, of in points)
        what = "point" + "s" * (points[-1][1] != 1)
        said.append(f"{links}computed at {at} {what} to {digits} digits")
    if sizes_tried(record):
        what = "a counterexample was looked for" if record["kind"] == "refutation" else "tried"
        said.append(f"{what} at {sizes_tried(record)}")
    said += [_errors(record)] if _errors(record) else []
    text = "; ".join(said)
    return text[:1].upper() + text[1:] + "." if text else ""


# --- words and numbers -----------------------------------------------------------------


def words(text):
    """Markdown whose references to results and sources are the names of these, since nothing
    outside the site resolves them."""
    text = re.sub(r"\{(?:eq|ref|numref)\}`(?:eq-)?([^`]+)`", r"`\1`", text)
    text = re.sub(r"\{cite(?::\w+)?\}`([^`]+)`", r"\1", text)
    text = LINK.sub(r"`\1`", text)
    return re.sub(r"\[([^\[\]]+)\]\(#[^\[)\s]+\)", r"\1", text).strip()


def linked(text):
    """Markdown with each {label} and [](#label) as the reference that the site resolves."""
    pieces = MATHS.split(text)
    for n in range(0, len(pieces), 2):
        pieces[n] = LINK.sub(r"{eq}`eq-\1`", NAME.sub(r"{eq}`eq-\1`", pieces[n]))
    return "".join(pieces)


def number_tex(x):
    """A real number, or digits of one, with the digits that it has: 0.25, 200000, 2.5 × 10⁻⁷."""
    text = x if isinstance(x, str) else _shortest(x)
    if "e" not in text:
        return text
    mantissa, power = text.split("e")
    factor = {"1": "", "-1": "-"}.get(mantissa, mantissa + r" \times ")
    return rf"{factor}10^{{{int(power)}}}"


def _shortest(x):
    """The fewest digits, from ten on, that tell a number from all others; zeros at its end left
    out."""
    return next(t for t in (f"{x:.{n}g}" for n in range(10, 18)) if float(t) == x)


def data(record):
    """A record as JSON data."""
    return record.json() if hasattr(record, "json") else record
