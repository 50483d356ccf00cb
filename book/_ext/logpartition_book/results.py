"""A result's record as a box on the page: statement, chain with its reasons, and the evidence
behind a badge.

Every formula here comes out of the record that the verifier wrote. The box carries the equation
label `eq-<label>`, so that `{eq}` finds it from every chapter; what depends on other chapters is
left to `index`.
"""

import re
import unicodedata
from pathlib import Path

from docutils import nodes

from logpartition.proof.display import (
    FORMULA,
    RELATIONS,
    WORDS,
    allowance,
    announced,
    as_assumed,
    assumed,
    counted,
    failure,
    measured,
    number_tex,
    rule,
    sizes_tried,
    trusted,
)

from .index import address, badge, deferred, permanent, titled, verdict, words
from .markup import E, element, math, printed
from .programs import in_a_page
from .records import MIME
from .reproduce import CHECK, cell, does, heavy, untried


class ResultRenderer:
    """myst-nb's plugin for our MIME type; other types it leaves to myst-nb."""

    mime_priority_overrides = [("*", MIME, 1)]

    @staticmethod
    def handle_mime(renderer, data, inline: bool):
        if data.mime_type != MIME or inline:
            return None
        seconds = data.output_metadata.get(MIME, {}).get("seconds")
        return Box(
            titled({**data.content, "seconds": seconds}), renderer.renderer, data.line or 0
        ).render()


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
        body = {
            "derivation": self.derivation,
            "theorem": self.theorem,
            "refutation": self.refutation,
            "observation": self.observation,
            "citation": self.citation,
        }[record["kind"]]()
        box = E(
            "div",
            self.head(),
            *body,
            *self.attempt(),
            self.evidence(),
            self.imprint(),
            id=f"eq-{self.label}",
            role="group",
            aria_label=record["title"],
            class_=f"lp-result lp-{verdict(record)}",
        )
        return [*self.former(), box, self.on_paper()]

    def attempt(self) -> list[nodes.Node]:
        """A button that opens the result's program in the page, or why there is none."""
        env, notebook = self.myst.sphinx_env, self.notebook()
        if why := untried(self.record, heavy(notebook, self.label)):
            return [E("small", why, class_="lp-untried")]
        if self.label not in in_a_page(notebook):
            return []
        broken = self.record["kind"] == "refutation"
        opener = "Open its program" if broken else "Try to break it"
        return [
            E("button", opener, type="button", class_="lp-try-open", hidden=True,
              aria_expanded="false", data_try=self.label, data_chapter=env.docname)
        ]  # fmt: skip

    def former(self) -> list[nodes.Node]:
        """The addresses on this page whose results this one has taken the place of."""
        here = f"{self.myst.sphinx_env.docname}#"
        return [
            E("span", id=f"eq-{old.removeprefix(here)}")
            for old, new in self.myst.sphinx_env.logpartition_redirects.items()
            if old.startswith(here) and new == here + self.label
        ]

    def head(self) -> element:
        number = E(
            "a",
            deferred(what="number", of=self.label),
            id=nodes.make_id(f"equation-eq-{self.label}"),
            href=f"#eq-{self.label}",
            title="Link to this result",
            class_="lp-number",
        )
        title = E(
            "p", self.record["title"], class_="lp-title", role="heading", aria_level="3"
        )  # index.Resolve sets the level
        return E("div", title, number, class_="lp-head")

    # what each kind shows

    def derivation(self) -> list[nodes.Node]:
        record = self.record
        return [
            *self.words(),
            *([] if alone(record) else self.display(record["statement"])),
            self.chain(),
            *self.entries(),
        ]

    def theorem(self) -> list[nodes.Node]:
        """What it says, under which hypotheses, and the argument in words that joins the results it
        rests on."""
        record = self.record
        rows = [
            (
                "Given",
                [_list(map(self.markdown, record["assumptions"]))] if record["assumptions"] else [],
            ),
            ("Argument", self.markdown(record["argument"], inline=False)),
            ("From", [_list(map(self.part, record["parts"]))]),
        ]
        return [*self.words(), definitions(rows, "lp-argument")]

    def correct(self) -> list[nodes.Node]:
        """What the result that a correction names assumes, and what its symbols are."""
        if self.record["kind"] != "refutation":
            return []
        env = self.myst.sphinx_env
        true = env.app.logpartition.results[self.record["corrected"]]
        env.note_dependency(env.doc2path(true["chapter"]))
        said = [*true["assumptions"], *true["where"]]
        return [_list(map(self.markdown, said))] if said else []

    def part(self, part: dict) -> list[nodes.Node]:
        """A result that a theorem rests on, and what for."""
        link = deferred(what="link", of=part["label"])
        return [link, nodes.Text(": "), *self.markdown(part["purpose"])]

    def refutation(self) -> list[nodes.Node]:
        """An equation is refuted at a point, words by the results that contradict them."""
        return [definitions(correction(self.record, self.markdown), "lp-erratum"), *self.words()]

    def observation(self) -> list[nodes.Node]:
        rows = [(name, self.markdown(text)) for name, text in measurement(self.record) if text]
        return [*self.words(), definitions(rows, "lp-measurement")]

    def citation(self) -> list[nodes.Node]:
        said = f"{{cite:t}}`{self.record['source']}`, {self.record['number']}"
        source = E("p", *self.markdown(said), class_="lp-source")
        return [*self.words(), *self.display(self.record["statement"]), source]

    # parts

    def words(self) -> list[nodes.Node]:
        return (
            [E("div", *self.markdown(self.record["text"], inline=False), class_="lp-words")]
            if self.record["text"]
            else []
        )

    def display(self, tex: str) -> list[nodes.Node]:
        return [E("div", math(tex, True), class_="lp-display")] if tex else []

    def chain(self) -> element:
        """One term a line, aligned at the relation signs, the reason beside each; a link with a
        `left` side begins anew."""
        rows, starts = [], [self.record["start"]]
        for step in self.record["steps"]:
            if step.get("left"):
                starts.append(step["left"])
            if not rows or step.get("left"):
                rows.append(E("div", math(starts[-1], True), class_="lp-start"))
            rows.append(E("div", _term(step, step["latex"]), self.reason(step), class_="lp-step"))
        chain = E("div", *rows, class_="lp-chain")
        chain["starts"] = starts
        return chain

    def reason(self, step: dict) -> element:
        """What closed the link, in the words of the rule, and below it what the author adds."""
        remarks = [E("span", *self.markdown(text), class_="lp-remark") for text in remark(step)]
        return E("div", *self.markdown(rule(step)), *remarks, class_="lp-reason")

    def entries(self) -> list[nodes.Node]:
        """The same chain written out in indices, for the links that have such a form."""
        if not any(step["entries"] for step in self.record["steps"]):
            return []
        rows = [
            E("div", _term(step, step["entries"] or step["latex"]), class_="lp-step")
            for step in self.record["steps"]
        ]
        return [
            E(
                "details",
                E("summary", "entries"),
                E("div", *rows, class_="lp-chain"),
                class_="lp-entries",
            )
        ]

    def evidence(self) -> element:
        """The badge, and on demand everything that it stands on."""
        record = self.record
        derived, proved = record["kind"] == "derivation", record["verdict"] == "proved"
        tried = sizes_tried(record)
        paper = [
            (
                assumed(record),
                [_list(map(self.markdown, record["assumptions"]))]
                if record["assumptions"] and record["kind"] != "theorem"
                else [],
            ),
            ("Where", [_list(map(self.markdown, record["where"]))] if record["where"] else []),
            ("For what is correct", self.correct()),
            ("Holds for", [record["scope"]] if record["scope"] and proved else []),
            (
                "Tried at",
                [tried or "sampled points"] if derived and not proved else [],
            ),
            (
                "Hypotheses",
                [_list(map(self.hypothesis, record["hypotheses"]))] if record["hypotheses"] else [],
            ),
            ("Rests on", self.foundation()),
            *(
                (
                    f"Rests on {kind} results",
                    ["directly or through others: ", deferred(what="links", of=labels)],
                )
                for kind, labels in unproved(record).items()
            ),
            ("Trusts", [trusted(record["oracles"])] if record["oracles"] else []),
        ]
        screen = [
            ("Used by", [deferred(what="users", of=self.label)]),
            ("Sizes tried", [tried] if proved and tried else []),
            ("Links", [self.routes()] if record["steps"] else []),
            ("Mutants", [_mutants(record)] if record["mutants"]["tried"] else []),
            ("Time of the check", [_seconds(record["seconds"])] if self.timed() else []),
            ("Answers", [deferred(what="claims", of=self.label)] if record["claims"] else []),
            ("See also", [deferred(what="besides", of=self.label)] if record["claims"] else []),
            (
                "Certifies",
                [_list([self.function(name)] for name in record["certifies"])]
                if record["certifies"]
                else [],
            ),
            ("Reproduce", [self.again()]),
            ("Page of its own", [E("a", own := f"result/{self.label}.html", href=own)]),
            ("Cite", [self.cite()]),
        ]
        facts = definitions(paper, "lp-facts"), definitions(screen, "lp-facts lp-screen")
        return E("details", E("summary", badge(record)), *facts, class_="lp-evidence")

    def timed(self) -> bool:
        """Whether a program decides the result, and the run noted how long that took."""
        untimed = ("citation", "theorem", "observation")
        stated = self.record["kind"] in untimed or self.record.get("against")
        return not stated and self.record["seconds"] is not None

    def function(self, name: str) -> element:
        """A function of the library, linked to what the book says of it."""
        env = self.myst.sphinx_env
        known = "library" in env.found_docs
        return E("a", E("code", name), href=f"library.html#{name}") if known else E("code", name)

    def foundation(self) -> list[nodes.Node]:
        """The results that it uses, but for those that the box itself shows."""
        record = self.record
        if record["kind"] == "theorem":
            return []
        shown = (record.get("corrected"), *record.get("against", ()))
        labels = [label for label in record["uses"] if label not in shown]
        return [deferred(what="links", of=labels)] if labels or not record["uses"] else []

    def hypothesis(self, item: dict) -> list[nodes.Node]:
        """A hypothesis, and what became of the statement without it."""
        said = {
            True: ", needed: without it the statement fails ",
            None: ", without it no failure was found at the points tried",
        }[item["needed"]]
        if item.get("valued") is False:
            said = ", without which it is not known that both sides have values"
        witness = self.markdown(item["witness"]) if item["witness"] else []
        shown = as_assumed(item["latex"], self.record["assumptions"])
        return [math(shown), nodes.Text(said), *witness]

    def numbered(self, said: str) -> str:
        """What the symbolic route did, with results by their numbers."""
        used = "|".join(map(re.escape, self.record["uses"])) or "(?!)"
        return re.sub(f"`({used})`", r"{eq}`eq-\1`", said) or "not asked"

    def routes(self) -> element:
        """What each route did for each link of the chain."""
        head = E(
            "thead",
            E(
                "tr",
                *(
                    E("th", name, scope="col")
                    for name in ("link", "symbolic route", "numeric route", "mutants rejected")
                ),
            ),
        )
        rows = []
        for i, step in enumerate(self.record["steps"], 1):
            besides = f", trusting {trusted(step['oracles'])}" if step["oracles"] else ""
            cells = (
                [*self.markdown(self.numbered(step["symbolic"])), nodes.Text(besides)],
                [_points(step["numeric"])],
                [_rejected(step["mutants"])],
            )
            rows.append(E("tr", E("th", str(i), scope="row"), *(E("td", *cell) for cell in cells)))
            if step["certificate"]:
                said = "the difference is ", math(step["certificate"])
                rows.append(E("tr", E("td"), E("td", *said, colspan="3")))
        if len(self.record["steps"]) > 1:
            own = _own_mutants(self.record)
            cells = E("td"), E("td", _points(self.record["whole"])), E("td", own)
            rows.append(E("tr", E("th", "whole", scope="row"), *cells))
        return E("table", head, E("tbody", *rows), class_="lp-routes")

    def again(self) -> element:
        """Where the result comes from, and how to have it decided anew, or stated, where no program
        decides it."""
        slug, mark = self.myst.sphinx_env.docname, self.record["fingerprint"]
        known = [" (fingerprint ", E("code", mark[:16]), ")"] if mark else []
        alone = E("code", f"{CHECK} {self.label}")
        number = cell(self.notebook(), self.label)
        return E(
            "p",
            E("a", f"Code cell {number}", href=f"#cell-{number}"),
            " of ",
            deferred(what="origin", of=slug),
            E("code", f"make run CHAPTERS={slug}"),
            f" {does(self.record)} it anew",
            *known,
            *([", and ", alone, " from its record alone"] if "terms" in self.record else []),
            ".",
        )

    def notebook(self) -> Path:
        env = self.myst.sphinx_env
        return Path(env.doc2path(env.docname))

    def cite(self) -> element:
        """A sentence to cite by, which holds in every edition; and what the page's script makes
        entries of bibliographies, and TeX, of."""
        record, env = self.record, self.myst.sphinx_env
        title = "".join(map(in_tex, record["title"]))
        return E(
            "div",
            E(
                "p",
                f"“{record['title']}”, {words(record)}, ",
                E("cite", env.config.html_title),
                ", ",
                deferred(what="edition", of=env.docname),
                E("a", self.address(), href=f"#eq-{self.label}", class_="lp-address"),
            ),
            E(
                "p",
                class_="lp-copiers",
                hidden=True,
                data_tex=self.tex() or None,
                data_title=title != record["title"] and title,
            ),
        )

    def address(self) -> str:
        """The result's permanent address; where the site is, the page's script knows if the build
        doesn't."""
        env = self.myst.sphinx_env
        return permanent(env.config, address(env.docname, self.label))

    def imprint(self) -> element:
        """On paper: which book, which edition, where."""
        config = self.myst.sphinx_env.config
        edition = f", version {config.version}" if config.version else ""
        return E(
            "p",
            deferred(what="number", of=self.label),
            f" of {config.html_title}{edition}: ",
            E("span", self.address(), class_="lp-address"),
            class_="lp-imprint",
        )

    def tex(self) -> str:
        """The links of the chain, a line each, aligned at the relation; or the statement where
        there is no chain."""
        record = self.record
        starts = [record.get("start", ""), *[""] * len(record["steps"])]
        lines = [
            f"{step.get('left', start)} &{RELATIONS[step['relation']]} {step['latex']}".strip()
            for start, step in zip(starts, record["steps"])
        ]
        return "\n".join(lines) or record["statement"]

    def on_paper(self) -> printed:
        """The same for a printed page; its labelled equation is also what numbers the box."""
        record, env = self.record, self.myst.sphinx_env
        label = f"eq-{self.label}"
        steps = r"\\ ".join(
            rf"{s.get('left', '')} &{RELATIONS[s['relation']]} {s['latex']}"
            for s in record["steps"]
        )
        tex = (
            f"{record['start']} {steps}"
            if steps
            else record["statement"] or record.get("printed") or r"\text{in words}"
        )
        equation = nodes.math_block(
            tex,
            tex,
            label=label,
            nowrap=False,
            docname=env.docname,
            ids=[nodes.make_id(f"equation-{label}")],
        )
        domain = env.get_domain("math")
        domain.note_equation(env.docname, label, location=(env.doc2path(env.docname), self.line))
        equation["number"] = domain.get_equation_number_for(label)
        words = [
            node
            for key in ("text", "argument")
            if record.get(key)
            for node in self.markdown(record[key], inline=False)
        ]
        reasons = [
            nodes.list_item("", nodes.paragraph("", "", *self.markdown(_said(step))))
            for step in record["steps"]
        ]
        title = nodes.paragraph(
            "", "", nodes.strong("", record["title"]), nodes.Text(f" ({badge(record).astext()})")
        )
        return printed(
            "", title, *words, equation, *([nodes.enumerated_list("", *reasons)] if reasons else [])
        )


def alone(record: dict) -> bool:
    """Whether the chain is one link, which is the statement."""
    links = [f"{record['start']} {RELATIONS[step['relation']]} {step['latex']}"
             for step in record["steps"]]  # fmt: skip
    return len(links) == 1 and _squeezed(links[0]) == _squeezed(record["statement"])


SIGNS = {
    "≤": r"\le",
    "≥": r"\ge",
    "√": r"\surd",
    "²": "^2",
    "−": "-",
    "‖": r"\Vert",
    "±": r"\pm",
    "ᵀ": r"^{\top}",
}


def in_tex(char: str) -> str:
    """A character of a title as TeX sets it, which has no Greek letters and few signs in text."""
    name = unicodedata.name(char, "")
    if name.startswith("GREEK"):
        letter = name.removesuffix(" SYMBOL").split()[-1].lower().replace("lamda", "lambda")
        return rf"$\{letter.capitalize() if 'CAPITAL' in name else letter}$"
    return f"${SIGNS[char]}$" if char in SIGNS else re.sub("[&%_]", r"\\\g<0>", char)


def remark(step: dict) -> list[str]:
    return [step["remark"]] if step["remark"] else []


def _said(step: dict) -> str:
    return ": ".join(filter(None, (rule(step), *remark(step))))


def _points(numeric: dict) -> str:
    points, of, digits = numeric["points"], numeric["of"], numeric["digits"]
    return f"{points} of {counted(of, 'point')}, {digits} digits" if of else "none"


def _rejected(mutants: dict) -> str:
    return f"{mutants['killed']} of {mutants['tried']}" if mutants["tried"] else "none"


def _own_mutants(record: dict) -> str:
    """Those of the statement as a whole, as an induction has them: all that no link has."""
    tried, killed = (
        record["mutants"][key] - sum(step["mutants"][key] for step in record["steps"])
        for key in ("tried", "killed")
    )
    return f"{killed} of {tried}" if tried else ""


def unproved(record: dict) -> dict[str, list[str]]:
    """What a result rests on, near or far, that is not proved, by verdict."""
    found = {}
    for one in record["rests"]:
        found.setdefault(one["verdict"], []).append(one["label"])
    return found


def measurement(record: dict) -> list[tuple[str, str]]:
    """What was measured, what was predicted, and what a failure would have looked like."""
    m, tex = record["measurement"], lambda x: "" if x is None else f"${number_tex(x)}$"
    worst = f", the worst of {m['runs']} runs" if m["runs"] not in (None, 1) else ""
    expected = {"=": "", "≤": "at most ", "≥": "at least "}[m["relation"]]
    allowed = f"{tex(record['tolerance'])} ({allowance(record)})" if m["form"] != "bound" else ""
    errors = [f"{tex(error)} at {tex(size)}" for size, error in zip(m["sizes"], m["errors"])]
    return [
        ("Measured", measured(record) + worst),
        ("Predicted", expected + tex(record["predicted"])),
        ("Tolerance", allowed),
        ("Standard error", m["standard_error"] and f"about {tex(m['standard_error'])}"),
        ("A failure would show", tex(m["scale"])),
        ("Errors", ", ".join(errors)),
    ]


def _term(step: dict, tex: str) -> element:
    return E("div", math(f"{{}}{RELATIONS[step['relation']]} {tex}", True), class_="lp-term")


def correction(record: dict, markdown) -> list[tuple[str, list[nodes.Node]]]:
    """What a source says and where, the point at which it fails or what contradicts it, and what is
    true instead."""
    found, says, kind = record["counterexample"], record["printed"], announced(record)
    if kind == FORMULA:
        source = E("div", math(says, True), class_="lp-display")
    else:
        source = quotation(markdown(says)) if kind == WORDS else E("p", *markdown(says))
    against = (
        ("Fails", [E("p", *markdown(failure(found)))])
        if found
        else ("Contradicted by", [deferred(what="links", of=record["against"])])
    )
    instead = record["correction"]
    said = (
        [E("div", math(instead[2:-2], True), class_="lp-display")]
        if instead.startswith("$$")
        else [E("p", *markdown(instead))]
    )
    misprint = ", a misprint" if record["misprint"] else ""
    return [
        ("Place", [E("p", record["location"] + misprint)]),
        (kind, [source]),
        against,
        ("Correct", [*said, E("p", deferred(what="link", of=record["corrected"]))]),
    ]


def quotation(words: list[nodes.Node]) -> element:
    return E("blockquote", E("p", *words), class_="lp-quote")


def _seconds(seconds: float) -> str:
    return f"{seconds} s" if seconds >= 0.1 else "less than 0.1 s"


def _squeezed(tex: str) -> str:
    return re.sub(r"\\([lg])eq\b", r"\\\1e", tex).replace(" ", "")


def _list(items) -> element:
    return E("ul", *(E("li", *item) for item in items))


def definitions(rows, class_: str) -> element:
    """A description list of the rows that have something to say."""
    pairs = [(E("dt", name), E("dd", *content)) for name, content in rows if content]
    return (
        E("dl", *(node for pair in pairs for node in pair), class_=f"simple {class_}")
        if pairs
        else nodes.Text("")
    )


def _mutants(record: dict) -> str:
    """How many deliberate errors were rejected; of a measurement, other predictions."""
    killed, tried, equivalent = (
        record["mutants"][key] for key in ("killed", "tried", "equivalent")
    )
    errors = "other prediction" if record["kind"] == "observation" else "deliberate error"
    spared = f"; {equivalent} more turned out to say the same as the original" if equivalent else ""
    return f"{killed} of {counted(tried, errors)} rejected{spared}"
