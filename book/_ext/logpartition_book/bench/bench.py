"""What a reader's page runs: `check` decides a program with the verifier, and says what became of
it.

It is part of the site, not of the book's tools: it needs `logpartition.proof` and no more.
"""

import ast
import io
import json
from contextlib import redirect_stdout

from logpartition.proof.display import RELATIONS
from logpartition.proof.errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from logpartition.proof.record import Result

SAID = {
    Refuted: "Refuted.",
    Undecided: "Undecided.",
    Unfalsifiable: "Refused: a check that cannot fail.",
    IllFormed: "Not understood.",
}
_ready = {}  # the names that the last setup made


def check(setup: str, text: str) -> str:
    """Run `text` after `setup`, and return what became of it as JSON: the results that it shows or
    makes, what it prints, and what went wrong."""
    said = io.StringIO()
    answer = {"results": [], "trouble": None}
    try:
        with redirect_stdout(said):
            names = dict(_made(setup))
            value = _run(text, names, "the program")
        answer["results"] = [shown(value)] if isinstance(value, Result) else []
    except Exception as error:
        answer["trouble"] = trouble(error)
    answer["printed"] = said.getvalue()
    return json.dumps(answer, ensure_ascii=False)


def _made(setup):
    if setup not in _ready:
        names = {"__name__": "__main__"}
        _run(setup, names, "what it needs")
        _ready.clear()
        _ready[setup] = names
    return _ready[setup]


def _run(text, names, place):
    """The value of the last statement, of an expression or of what it is assigned to."""
    body = ast.parse(text, place).body
    if not body:
        return None
    *first, last = body
    exec(compile(ast.Module(first, []), place, "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), place, "eval"), names)
    exec(compile(ast.Module([last], []), place, "exec"), names)
    target = last.targets[-1] if isinstance(last, ast.Assign) else None
    return names.get(target.id) if isinstance(target, ast.Name) else None


def shown(result) -> dict:
    """A result for the page: formulas in TeX, words in Markdown."""
    record = result.record.json()
    return {
        "title": record["title"],
        "verdict": record["verdict"],
        "statement": record["statement"],
        "text": record["text"],
        "start": record.get("start", ""),
        "steps": [
            {
                "relation": RELATIONS[step["relation"]],
                "tex": step["latex"],
                "left": step.get("left", ""),
                "reason": ": ".join(filter(None, (step["reason"], step["remark"]))),
            }
            for step in record["steps"]
        ],
        "evidence": repr(result),
    }


def trouble(error: Exception) -> dict:
    """An error in words, with the line of the reader's that it comes from."""
    if isinstance(error, ProofError):
        return {"head": SAID.get(type(error), "Refused."), "said": str(error)}
    if isinstance(error, SyntaxError):
        line, place = error.lineno, error.filename
        return {"head": f"Python cannot read line {line} of {place}.", "said": error.msg}
    trace, place, line = error.__traceback__, "", 0
    while trace:
        if trace.tb_frame.f_code.co_filename in ("the program", "what it needs"):
            place, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return {"head": f"{type(error).__name__} in line {line} of {place}.", "said": str(error)}
