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
LINK = re.compile(r"\[\]\(#?(?:eq-)?([^\[)\s/.]+)\)")  # no pattern here looks beyond the next [


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
    points = "1 point" if least["of"] == 1 else f"{least['of']} points"
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
    what = "other predictions" if record["kind"] == "observation" else "deliberate errors"
    return f"{mutants['killed']} of {mutants['tried']} {what} rejected"


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
    found = record["counterexample"]
    printed = f"$${record['printed']}$$" if found else words(record["printed"])
    kind = "Misprinted" if record["misprint"] else "As stated"
    parts = [f"{kind} ({record['location']}):\n\n{printed}", _assumed(record)]
    if found:
        parts.append(_point(found))
    instead = words(record["correction"])
    of = f"`{record['corrected']}`"
    formula = instead.startswith("$$")  # in its own letters, which are those of its box
    true = f"As it is, as {of} has it with its assumptions:" if formula else f"As it is ({of}):"
    parts.append(true + (f"\n\n{instead}" if instead else ""))
    return [*parts, words(record["text"])]


def _point(found):
    at = ", ".join(f"${c['name']} = {c['latex']}$" for c in found["point"]) or "every point"
    if found["why"]:
        return f"False at {at}: {words(found['why'])}."
    left, right = (f"${found[side]['latex']}$" for side in ("left", "right"))
    return f"False at {at}: {left} on the left, {right} on the right."


def _observation(record):
    m = record["measurement"]
    expected = {"=": "predicted", "≤": "predicted at most", "≥": "predicted at least"}
    said = [
        f"Measured {measured(record)}",
        expected[m["relation"]] + f" ${_tex(record, 'predicted')}$",
    ]
    if m["form"] != "bound":
        said.append(f"tolerance ${_tex(record, 'tolerance')}$ ({m['allowance']})")
    if m["form"] == "rate" and m["standard_error"]:
        said.append(f"standard error of the slope ${number_tex(m['standard_error'])}$")
    if m["scale"] is not None:
        said.append(f"where a failure would show ${number_tex(m['scale'])}$")
    if m["runs"] is not None:
        said.append(f"the worst of {m['runs']} runs")
    table = ""
    if m["sizes"]:
        rows = zip(m["sizes"], m["errors"])
        table = "Errors: " + ", ".join(f"${number_tex(e)}$ at ${number_tex(s)}$" for s, e in rows)
    return [words(record["text"]), ", ".join(said) + ".", table and table + "."]


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
        lines.append("Assumes: " + "; ".join(map(words, record["assumptions"])) + ".")
    for h in record["hypotheses"]:
        if h["needed"]:
            lines.append(f"Without ${h['latex']}$: {words(h['witness'])}.")
        elif h["needed"] is None:
            lines.append(f"No point was found at which it fails without ${h['latex']}$.")
        else:
            lines.append(f"It holds without ${h['latex']}$ as well.")
    if record["where"]:
        lines.append("Where " + "; ".join(record["where"]) + ".")
    return "\n\n".join(lines)


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
    return words(": ".join(x for x in (s["reason"], s["remark"]) if x))


def width(tex):
    """About how many characters a formula is wide."""
    return len(re.sub(r"\\(left|right|begin|end|mathbb|frac|,)|[{}_^\s]", "", re.sub(
        r"\\(?!left|right|begin|end|mathbb|frac)[a-zA-Z]+", "x", tex)))  # fmt: skip


def _in_maths(reason):
    r"""Markdown inside a formula: words in \text, maths as it is, without marks for emphasis."""
    parts = []
    for n, piece in enumerate(reason.split("$")):
        if n % 2:
            parts.append(piece)
        elif piece:
            plain = re.sub(r"[`*]", "", piece)
            plain = re.sub(r"([%&#_{}])", r"\\\1", plain.replace("\\", ""))
            parts.append(rf"\text{{{plain}}}")
    return " ".join(parts)


OWN_LINES = re.compile(r"\\\\|&|\\(?:begin|end|tag|cr|newline)(?![a-zA-Z])")


def inline(text):
    """Whether the maths in some Markdown stays in its line."""
    return "$$" not in text and not any(map(OWN_LINES.search, text.split("$")[1::2]))


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
            lines.append(f"Rests on {verdict}: {', '.join(weak)}.")
    if record["oracles"]:
        lines.append(f"Believes SymPy on: {', '.join(record['oracles'])}.")
    if record["certifies"]:
        lines.append("Certifies " + ", ".join(f"`{name}`" for name in record["certifies"]) + ".")
    return [*lines, _numbers(record)]


def _numbers(record):
    """What the numeric route did."""
    tried = [s["numeric"] for s in record["steps"]]
    said = []
    if tried:
        points = list(dict.fromkeys(f"{n['points']} of {n['of']}" for n in tried))
        digits = min(n["digits"] for n in tried)
        links = "" if len(tried) < 2 else "links " if len(points) > 1 else "each link "
        said.append(f"{links}computed at {' and at '.join(points)} points to {digits} digits")
    if sizes_tried(record):
        said.append(f"tried at {sizes_tried(record)}")
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
