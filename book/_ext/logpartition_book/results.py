"""A result's record as a box on the page: statement, chain with its reasons, and the evidence behind a badge.

Every formula here comes out of the record that the verifier wrote. The box carries the equation label `eq-<label>`, so
that `{eq}` finds it from every chapter; what depends on other chapters is left to `index`.
"""

import re

from docutils import nodes

from .index import badge, deferred, verdict
from .markup import E, element, math, printed
from .records import MIME

RELATIONS = {"=": "=", "≤": r"\le", "≥": r"\ge"}


class ResultRenderer:
    """myst-nb's plugin for our MIME type; other types it leaves to myst-nb."""

    mime_priority_overrides = [("*", MIME, 1)]

    @staticmethod
    def handle_mime(renderer, data, inline: bool):
        if data.mime_type != MIME or inline:
            return None
        record = {**data.content, "seconds": data.output_metadata.get(MIME, {}).get("seconds")}
        return Box({**record, "title": record["title"] or record["label"], "steps": record.get("steps", [])}, renderer.renderer, data.line or 0).render()


class Box:
    """One record on one page."""

    def __init__(self, record: dict, myst, line: int):
        self.record, self.myst, self.line = record, myst, line
        self.label = record["label"]

    def markdown(self, text: str, inline: bool = True) -> list[nodes.Node]:
        """`text` as MyST, so that reasons may hold maths and references."""
        holder = nodes.Element()
        with self.myst.current_node_context(holder):
            self.myst.nested_render_text(text, self.line, inline=inline)
        return holder.children

    def render(self) -> list[nodes.Node]:
        record = self.record
        body = {"derivation": self.derivation, "refutation": self.refutation,
                "observation": self.observation, "citation": self.citation}[record["kind"]]()
        box = E("div", self.head(), *body, self.evidence(), id=f"eq-{self.label}", role="group",
                aria_label=record["title"], class_=f"lp-result lp-{verdict(record)}")
        return [box, self.on_paper()]

    def head(self) -> element:
        number = E("a", deferred(what="number", of=self.label), id=nodes.make_id(f"equation-eq-{self.label}"),
                   href=f"#eq-{self.label}", title="Link to this result", class_="lp-number")
        return E("div", E("p", self.record["title"], class_="lp-title"), number, class_="lp-head")

    # what each kind shows

    def derivation(self) -> list[nodes.Node]:
        record = self.record
        links = [f"{record['start']} {RELATIONS[step['relation']]} {step['latex']}" for step in record["steps"]]
        alone = len(links) == 1 and _squeezed(links[0]) == _squeezed(record["statement"])
        return [*self.words(), *([] if alone else self.display(record["statement"])), self.chain()]

    def refutation(self) -> list[nodes.Node]:
        """An equation is refuted at a point, words by the results that contradict them."""
        record, found = self.record, self.record.get("counterexample")
        printed_as = self.display(record["printed"]) if found else [E("p", *self.markdown(record["printed"]))]
        rows = [("As printed", [E("p", record["location"], class_="lp-location"), *printed_as])]
        if found:
            rows.append(("Counterexample", [counterexample(found, self.markdown)]))
        else:
            rows.append(("Contradicted by", [deferred(what="links", of=record["uses"])]))
        rows.append(("As it is", [deferred(what="statement", of=record["corrected"]), E("p", deferred(what="link", of=record["corrected"]))]))
        return [definitions(rows, "lp-erratum"), *self.words()]

    def observation(self) -> list[nodes.Node]:
        rows = [(name.capitalize(), self.markdown(_powers(self.record[name])))
                for name in ("measured", "predicted", "tolerance") if self.record.get(name)]
        return [*self.words(), *self.display(self.record["statement"]), definitions(rows, "lp-measurement")]

    def citation(self) -> list[nodes.Node]:
        source = E("p", *self.markdown(f"{{cite:t}}`{self.record['source']}`"), class_="lp-source")
        return [*self.words(), *self.display(self.record["statement"]), source]

    # parts

    def words(self) -> list[nodes.Node]:
        return [E("div", *self.markdown(self.record["text"], inline=False), class_="lp-words")] if self.record.get("text") else []

    def display(self, tex: str) -> list[nodes.Node]:
        return [E("div", math(tex, True), class_="lp-display")] if tex else []

    def chain(self) -> element:
        """One term a line, aligned at the relation signs, the reason beside each; a link with a `left` side begins anew."""
        rows, starts = [], [self.record["start"]]
        for step in self.record["steps"]:
            if step.get("left"):
                starts.append(step["left"])
            if not rows or step.get("left"):
                rows.append(E("div", math(starts[-1], True), class_="lp-start"))
            term = E("div", math(f"{{}}{RELATIONS[step['relation']]} {step['latex']}", True), class_="lp-term")
            rows.append(E("div", term, E("div", *self.markdown(step["reason"]), class_="lp-reason"), class_="lp-step"))
        chain = E("div", *rows, class_="lp-chain")
        chain["starts"] = starts
        return chain

    def evidence(self) -> element:
        """The badge, and on demand everything that it stands on."""
        record = self.record
        rows = [
            ("Assumes", [_list(map(self.markdown, record["assumptions"]))] if record["assumptions"] else []),
            ("Where", [_list(map(self.markdown, record["where"]))] if record.get("where") else []),
            ("Holds for", [record["scope"]] if record["kind"] == "derivation" else []),
            ("Sizes tried", [record["sizes"]] if record.get("sizes") and record["sizes"] != record["scope"] else []),
            ("Links", [self.routes()] if record["steps"] else []),
            ("Mutants", [_mutants(record["mutants"])] if record["mutants"].get("tried") else []),
            ("Time", [_seconds(record["seconds"])] if record["seconds"] is not None else []),
            ("Rests on", [deferred(what="links", of=record["uses"])]),
            ("Used by", [deferred(what="users", of=self.label)]),
            ("Answers", [deferred(what="claims", of=record["claims"])] if record["claims"] else []),
            ("Certifies", [_list([E("code", name)] for name in record["certifies"])] if record["certifies"] else []),
            ("Cite", [self.cite()]),
        ]
        return E("details", E("summary", badge(record)), definitions(rows, "lp-facts"), class_="lp-evidence")

    def routes(self) -> element:
        """What each route did for each link of the chain."""
        head = E("thead", E("tr", *(E("th", name, scope="col") for name in ("", "symbolic route", "numeric route", "mutants rejected"))))
        rows = []
        for i, step in enumerate(self.record["steps"], 1):
            numeric = step["numeric"] or {}
            cells = (step["symbolic"] or "undecided",
                     f"{numeric['points']} points, {numeric['digits']} digits" if numeric.get("points") else "none",
                     f"{step['mutants']['killed']} of {step['mutants']['tried']}")
            rows.append(E("tr", E("th", str(i), scope="row"), *(E("td", cell) for cell in cells)))
            if step.get("certificate"):
                rows.append(E("tr", E("td"), E("td", "the difference is ", math(step["certificate"]), colspan="3")))
        return E("table", head, E("tbody", *rows), class_="lp-routes")

    def cite(self) -> element:
        address = f"{self.myst.sphinx_env.docname}.html#eq-{self.label}"
        cited = f"“{self.record['title']}”, result "
        return E("p", cited, deferred(what="number", of=self.label), " of ", E("cite", "Attention Is a Gradient"), ", ",
                 E("a", address, href=f"#eq-{self.label}"))

    def on_paper(self) -> printed:
        """The same for a printed page; its labelled equation is also what numbers the box."""
        record, env = self.record, self.myst.sphinx_env
        label = f"eq-{self.label}"
        steps = r"\\ ".join(rf"{s.get('left', '')} &{RELATIONS[s['relation']]} {s['latex']}" for s in record["steps"])
        tex = f"{record['start']} {steps}" if steps else record["statement"] or record.get("printed") or r"\text{in words}"
        equation = nodes.math_block(tex, tex, label=label, nowrap=False, docname=env.docname, ids=[nodes.make_id(f"equation-{label}")])
        domain = env.get_domain("math")
        domain.note_equation(env.docname, label, location=(env.doc2path(env.docname), self.line))
        equation["number"] = domain.get_equation_number_for(label)
        words = self.markdown(record["text"], inline=False) if record.get("text") else []
        reasons = [nodes.list_item("", nodes.paragraph("", "", *self.markdown(step["reason"]))) for step in record["steps"]]
        title = nodes.paragraph("", "", nodes.strong("", record["title"]), nodes.Text(f" ({badge(record).astext()})"))
        return printed("", title, *words, equation, *([nodes.enumerated_list("", *reasons)] if reasons else []))


def _seconds(seconds: float) -> str:
    return f"{seconds} s" if seconds >= 0.1 else "less than 0.1 s"


def _squeezed(tex: str) -> str:
    return re.sub(r"\\([lg])eq\b", r"\\\1e", tex).replace(" ", "")


def counterexample(found: dict, markdown) -> element:
    """The point at which a statement fails, and its two sides there; `markdown` parses the coordinates."""
    point = [node for part in found["point"] for node in (*markdown(part), nodes.Text(", "))][:-1]
    sides = ("the left side is ", value(found["left"]), ", the right side ", value(found["right"]))
    return E("p", *(("At ", *point, ": ") if point else ()), *sides)


def value(text: str) -> nodes.Node:
    """A side of a counterexample: a number as it is, anything with TeX in it as maths."""
    text = _powers(text).strip("$")
    return math(text) if any(sign in text for sign in "\\^_{") else E("span", text.replace("-", "−"), class_="lp-value")


def _powers(text: str) -> str:
    """`2.5e-07` as $2.5 \\times 10^{-7}$."""
    power = re.sub(r"(-?\d[\d.]*)e([+-]?\d+)", lambda m: rf"${m[1]} \times 10^{{{int(m[2])}}}$", text)
    return power.replace(r"$1 \times ", "$")


def _list(items) -> element:
    return E("ul", *(E("li", *item) for item in items))


def definitions(rows, class_: str) -> element:
    """A description list of the rows that have something to say."""
    pairs = [(E("dt", name), E("dd", *content)) for name, content in rows if content]
    return E("dl", *(node for pair in pairs for node in pair), class_=f"simple {class_}")


def _mutants(mutants: dict) -> str:
    equivalent = mutants.get("equivalent")
    spared = f"; {equivalent} more turned out to say the same as the original" if equivalent else ""
    return f"{mutants['killed']} of {mutants['tried']} deliberate errors rejected{spared}"
