"""The table of what a proof trusts: the modules of the verifier's kernel and those that they
import, each with the first sentence of its text and its lines, read from the sources."""

import ast
from pathlib import Path

from sphinx.util.docutils import SphinxDirective

import logpartition.proof

from . import docstrings
from .markup import E

PROOF = Path(logpartition.proof.__file__).parent


def modules():
    """(name, first sentence, lines) of each module that is trusted."""
    for path in docstrings.trusted(PROOF):
        source = path.read_text(encoding="utf-8")
        text = ast.get_docstring(ast.parse(source)) or ""
        if source.strip():
            home = PROOF if PROOF in path.parents else PROOF.parents[1]
            yield (
                path.relative_to(home).with_suffix("").as_posix(),
                " ".join(text.split()).split(". ")[0].rstrip(".") + ".",
                len(source.splitlines()),
            )


class Trusted(SphinxDirective):
    """What is trusted, module by module, and how long it is."""

    def run(self):
        for path in docstrings.trusted(PROOF):
            self.env.note_dependency(str(path))
        found = list(modules())
        head = E("tr", *(E("th", word) for word in ("module", "what it is about", "length")))
        rows = [
            E("tr", E("td", E("code", name)), E("td", says), E("td", f"{lines}\u00a0lines"))
            for name, says, lines in found
        ]
        total = sum(lines for *_, lines in found)
        last = E("tr", E("td", "together"), E("td", ""), E("td", str(total)))
        return [E("div", E("table", E("thead", head), E("tbody", *rows, last)), class_="lp-table")]


def setup(app):
    app.add_directive("trusted", Trusted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
