"""How a result looks: LaTeX from the verified objects, and the three representations of a record."""

import functools

from sympy import Add, Derivative, Indexed, Integer, Integral, Mul, Piecewise, Pow, Product, Subs, Sum, Symbol, exp, fraction, log
from sympy.printing.latex import LatexPrinter

from .language import Index, Named, Size, differentiated, free, unfold

MIME = "application/vnd.logpartition.result+json"
RELATIONS = {"=": "=", "≤": r"\le", "≥": r"\ge"}
TALL = (Sum, Product, Integral, Derivative, Subs)
VERDICTS = {"proved": "proved for all sizes", "checked": "checked numerically", "refuted": "refuted", "observed": "observed", "cited": "cited"}


class Printer(LatexPrinter):
    """LaTeX in the book's notation: k_{ja} for entries, partial derivatives of names as fractions."""

    def _print_Indexed(self, e):
        names = [self._print(i) for i in e.indices]
        separator = "" if all(len(n) == 1 for n in names) else " " if all(not n.isdigit() for n in names) else ","
        return f"{self._print(e.base.label)}_{{{separator.join(names)}}}"

    def _print_Derivative(self, e):
        order = sum(c for _, c in e.variable_count)
        curly = "d" if not unfold(e.expr).atoms(Indexed) and len([s for s in unfold(e.expr).free_symbols if not isinstance(s, (Size, Index))]) < 2 else r"\partial"
        power = "" if order == 1 else f"^{{{self._print(order)}}}"
        below = r" \, ".join(f"{curly} {self._print(v)}" + ("" if c == 1 else f"^{{{self._print(c)}}}") for v, c in e.variable_count)
        if isinstance(e.expr, (Named, Symbol, Indexed)):
            return rf"\frac{{{curly}{power} {self._print(e.expr)}}}{{{below}}}"
        return rf"\frac{{{curly}{power}}}{{{below}}} {self.parenthesize(e.expr, 60, strict=True)}"

    def _print_Mul(self, e):
        """Numbers, then symbols, entries, functions; sums, integrals and derivatives last and outside the fraction."""
        if e.could_extract_minus_sign():
            return f"- {self._factor(-e)}"
        below = [f for f in Mul.make_args(e) if isinstance(f, Pow) and not isinstance(f, exp) and f.exp.could_extract_minus_sign()]
        numerator, denominator = fraction(Mul(*(f for f in Mul.make_args(e) if f not in below)), exact=True)
        denominator = Mul(denominator, *(1 / f for f in below))
        factors = sorted(Mul.make_args(numerator), key=_rank)
        tall = [f for f in factors if isinstance(f, TALL)]
        flat = [f for f in factors if not isinstance(f, TALL)]
        if denominator == 1:
            return self._product(flat + tall)
        if not tall or len(tall) == 1 and not flat and not denominator.is_number and isinstance(tall[0], (Sum, Product)):
            return rf"\frac{{{self._product(flat + tall)}}}{{{self._print(denominator)}}}"
        return rf"\frac{{{self._product(flat)}}}{{{self._print(denominator)}}} {self._product(tall)}"

    def _product(self, factors):
        factors = [f for f in factors if f != 1] or [Integer(1)]
        if len(factors) == 1:
            return self._print(factors[0])
        last = len(factors) - 1
        words = [self._factor(f, last=n == last) for n, f in enumerate(factors)]
        return functools.reduce(lambda x, y: x + (r" \cdot " if x[-1].isdigit() and y[0].isdigit() else r" \, ") + y, words)

    def _factor(self, f, last=True):
        text = self._print(f)
        open_ended = isinstance(f, (Sum, Product, Integral, Derivative, log)) and not last
        bare_log = isinstance(f, log) and last
        if isinstance(f, (Add, Piecewise)) or (open_ended and not bare_log) or f.could_extract_minus_sign() and not isinstance(f, Mul):
            return rf"\left({text}\right)"
        return text

    def _as_ordered_terms(self, e, order=None):
        """SymPy's order, but beginning with a term that has no minus sign, if there is one."""
        terms = super()._as_ordered_terms(e, order=order)
        first = next((t for t in terms if not t.could_extract_minus_sign()), terms[0])
        return [first, *(t for t in terms if t is not first)]

    def _print_Sum(self, e):
        nested = any(free(limit) & set(e.bound_symbols) - {limit[0]} for limit in e.limits)
        limits = reversed(e.limits) if nested else e.limits
        signs = "".join(rf"\sum_{{{self._print(i)}={self._print(low)}}}^{{{self._print(high)}}} " for i, low, high in limits)
        return signs + self._factor(e.function)

    def _print_log(self, e, exponent=None):
        argument = self._print(e.args[0])
        body = rf"\log {argument}" if isinstance(e.args[0], (Named, Symbol, Indexed)) else rf"\log\left({argument}\right)"
        return body if exponent is None else rf"\left({body}\right)^{{{exponent}}}"


_PRINTER = Printer()


def _rank(f):
    """Where a factor stands in a product."""
    base = f.base if isinstance(f, Pow) and not isinstance(f, exp) else f
    order = [lambda x: x.is_number, lambda x: isinstance(x, Symbol), lambda x: isinstance(x, Named), lambda x: isinstance(x, Indexed),
             lambda x: isinstance(x, Add), lambda x: not isinstance(x, TALL)]
    return next((n for n, is_kind in enumerate(order) if is_kind(base)), len(order)), str(f)


def tex(e):
    """LaTeX of an expression in the book's notation."""
    return _PRINTER.doprint(e)


def assumptions(domain, facts=()):
    """What is assumed of everything that varies, a line of Markdown each."""
    lines = []
    if domain.sizes:
        lines.append(f"${', '.join(map(tex, domain.sizes))} \\ge 1$ integers")
    for a in domain.arrays:
        power = r" \times ".join(map(tex, a.shape))
        rows = "" if len(a.shape) == 1 else "each row of "
        name = tex(a.label)
        if a.domain == "inverse":
            lines.append(f"${name} = {tex(a.of.label)}^{{-1}}$")
            continue
        lines.append({"real": rf"${name} \in \mathbb{{R}}^{{{power}}}$",
                      "symmetric": rf"${name} \in \mathbb{{R}}^{{{power}}}$ symmetric",
                      "definite": rf"${name} \in \mathbb{{R}}^{{{power}}}$ symmetric and positive definite",
                      "positive": rf"${name} \in \mathbb{{R}}_{{>0}}^{{{power}}}$",
                      "simplex": rf"{rows}${name} \in \mathbb{{R}}_{{>0}}^{{{power}}}$ sums to 1",
                      "sphere": rf"{rows}${name} \in \mathbb{{R}}^{{{power}}}$ has norm 1"}[a.domain])
    for s in domain.symbols:
        kind = "an integer" if s.is_integer else "real" if s.is_real else "complex"
        sign = " > 0" if s.is_positive and not s.is_integer else r" \ge 1" if s.is_positive else r" \ge 0" if s.is_nonnegative else " < 0" if s.is_negative else ""
        lines.append(f"${tex(s)}{sign}$ {kind}" if not sign or s.is_integer else f"${tex(s)}{sign}$")
    return lines + [_hypothesis(f) for f in facts]


def _hypothesis(fact):
    universal = sorted({tex(i) for side in fact.args for i in free(side) if isinstance(i, Index)} | set(map(tex, differentiated(fact))))
    return f"${tex(fact)}$" + (f" for all ${', '.join(universal)}$" if universal else "")


def abbreviations(expressions):
    """What the names on the page stand for, a line of Markdown each, each after those that it uses."""
    lines, seen = [], set()

    def visit(e):
        for n in sorted(e.atoms(Named), key=lambda n: n.name):
            if n.name not in seen:
                seen.add(n.name)
                visit(n.meaning)
                lines.append(f"${n.name} = {tex(n.meaning)}$")
    for e in expressions:
        visit(e)
    return lines


def markdown(record):
    """A record for readers without our renderer: bold text and bare display maths."""
    head = f"**{record['title'] or record['label']}** ({badge(record)})"
    parts = [head]
    if record["text"]:
        parts.append(record["text"])
    if record.get("printed"):
        printed = f"$${record['printed']}$$" if record.get("counterexample") else record["printed"]
        parts.append(f"As printed ({record['location']}):\n\n{printed}")
    if record.get("counterexample"):
        c = record["counterexample"]
        parts.append("False at " + ", ".join(c["point"]) + f": {c['left']} on the left, {c['right']} on the right.")
    if record.get("steps"):
        lefts = [record["start"], *(s.get("left", "") for s in record["steps"][1:])]
        rows = [rf"{left} &{RELATIONS[s['relation']]} {s['latex']} && \text{{{_plain_reason(s['reason'])}}}" for left, s in zip(lefts, record["steps"])]
        parts.append("$$\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}$$")
    if record["kind"] == "observation":
        parts.append(f"measured {record['measured']}, predicted {record['predicted']}, tolerance {record['tolerance']}")
    return "\n\n".join(parts)


def badge(record):
    """The verdict in a few words."""
    if record["verdict"] == "checked":
        return f"checked numerically, {record['sizes']}" if record["sizes"] else "checked numerically"
    if record["verdict"] == "proved" and record["scope"] != "all sizes":
        return f"proved for {record['scope']}"
    if record["verdict"] == "proved" and not record["sizes"]:
        return "proved"
    return VERDICTS[record["verdict"]]


def line(record):
    """One line of plain text."""
    killed = record["mutants"]
    tail = f"; {killed['killed']} of {killed['tried']} mutants rejected" if killed["tried"] else ""
    return f"{record['label']}: {badge(record)}{tail}"


def _plain_reason(reason):
    """Reasons are Markdown; inside \\text only maths survives."""
    return reason.replace("`", "").replace("*", "").replace("%", r"\%").replace("&", r"\&")
