"""The trusted part: only kernel/theorem.py makes theorems, and it imports little."""

import ast
import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from sympy import Abs, Eq, Ge, Gt, Le, S, Sum, exp

from logpartition import proof
from logpartition.proof import ProofError, Undecided
from logpartition.proof.kernel.context import ASSUMED, elaborate
from logpartition.proof.kernel.theorem import Theorem, certified, induct, prove
from logpartition.proof.record import Claim, Numeric, Record, from_chain, step

from .symbols import N, distributed, j, n, t, v, x, y

HERE = Path(proof.__file__).parent
SOURCES = sorted(HERE.rglob("*.py"))
TRUSTED = [
    HERE / "language.py",
    HERE / "assumed.py",
    HERE / "errors.py",
    *sorted((HERE / "kernel").glob("*.py")),
]
names = pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(HERE)))


def theorem(left=x * (1 + y), relation="=", right=x + x * y, given=()):
    context, core = elaborate([left, right], [(g, ASSUMED) for g in given])
    return prove(context, core[0], relation, core[1])


@pytest.mark.parametrize("left", [S.Zero, x**2, Abs(x), (n - 777) ** 2], ids=str)
def test_what_is_not_negative_may_be_0(left):
    with pytest.raises(Undecided):
        theorem(left, "≠", S.Zero)
    assert theorem(left + 1, "≠", S.Zero)


def test_a_number_that_python_does_not_print_is_undecided():
    with pytest.raises(Undecided, match="no rule decides whether the left side is = the right"):
        theorem(y + y * S(2) ** (-(10**5)), "=", y)


# --- the seal -------------------------------------------------------------------------------------

FORGED = {
    "made": lambda good: Theorem(None, good.context, x, "=", S.Zero, ()),
    "made with another seal": lambda good: Theorem(object(), good.context, x, "=", S.Zero, ()),
    "changed": lambda good: setattr(good, "right", S.Zero),
    "a copy with changes": lambda good: replace(good, right=S.Zero),
    "a shallow copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "pickled": lambda good: pickle.loads(pickle.dumps(good)),
}


@pytest.mark.parametrize("way", FORGED)
def test_a_theorem_is_made_by_the_kernel_only(way):
    good = theorem()
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        FORGED[way](good)
    assert (good.left, good.relation, good.right) == (x * (1 + y), "=", x * y + x)


RECORDS = {
    "changed": lambda good: setattr(good, "verdict", "proved"),
    "a copy with changes": lambda good: replace(good, label="other"),
    "made": lambda good: Record(**vars(good)),
}


@pytest.mark.parametrize("way", RECORDS)
def test_a_record_is_made_from_evidence_only(way):
    good = distributed().record
    with pytest.raises((TypeError, ValueError, FrozenInstanceError)):
        RECORDS[way](good)


def test_a_step_with_the_theorem_of_another_statement_is_not_proved():
    context, (left, right) = elaborate([x, S.Zero])
    made = step("=", S.Zero, "why", theorem=theorem(), numeric=Numeric(3, 3, 30))
    try:
        record = from_chain("forged", Claim(context, left, "=", right), start=x, steps=[made],
                            whole=Numeric(3, 3, 30))  # fmt: skip
    except (ProofError, TypeError, ValueError):
        return
    assert record.verdict != "proved"


def calls(path, name):
    """Where a source calls a name, or imports it from elsewhere."""
    for node in ast.walk(ast.parse(path.read_text())):
        function = node.func if isinstance(node, ast.Call) else None
        if name in (getattr(function, "id", None), getattr(function, "attr", None)):
            yield node.lineno
        imported = isinstance(node, (ast.Import, ast.ImportFrom)) and node.names
        if imported and name.startswith("_") and any(a.name == name for a in imported):
            yield node.lineno
        if isinstance(node, ast.Attribute) and node.attr == name and name.startswith("_"):
            yield node.lineno


@names
def test_the_seal_stays_where_it_is(path):
    assert not list(calls(path, "_SEAL"))
    if path != HERE / "kernel" / "theorem.py":
        assert not list(calls(path, "Theorem")) and "__new__(Theorem" not in path.read_text()


# --- layers ---------------------------------------------------------------------------------------

LANGUAGE = {"language", "names", "errors"}
KERNEL = {f"kernel.{p.stem}" for p in (HERE / "kernel").glob("*.py")}
NUMERIC = {f"numeric.{p.stem}" for p in (HERE / "numeric").glob("*.py")}
MAY = {
    "language": {"names", "assumed", "errors"},
    "assumed": set(),
    "names": {"errors"},
    "errors": set(),
    "kernel": LANGUAGE | KERNEL,
    "numeric": LANGUAGE | NUMERIC | {"kernel.terms", "kernel.context"},
    "tactics": LANGUAGE | KERNEL | {"tactics.reasons"},
}


def imported(path):
    """The modules of this package that a source imports, by their names below it."""
    package = path.relative_to(HERE).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.module and node.module.startswith("logpartition"):
            yield node.module
        if node.level:
            base = (*package[: len(package) - node.level + 1], *(node.module or "").split("."))
            base = ".".join(filter(None, base))
            inside = (HERE / base.replace(".", "/")).is_dir()
            yield from [f"{base}.{a.name}".strip(".") for a in node.names] if inside else [base]


@names
def test_layers(path):
    room = path.relative_to(HERE).with_suffix("").parts[0]
    if room in MAY:
        assert set(imported(path)) <= MAY[room]


def test_sympy_and_mpmath_are_enough_for_what_is_trusted():
    known = {"sympy", "mpmath", "math", "dataclasses", "functools", "itertools", "fractions",
             "contextlib", "collections", "operator", "hashlib", "bisect", "copy",
             "sys"}  # fmt: skip
    for path in TRUSTED:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert {a.name.split(".")[0] for a in node.names} <= known, path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert node.module.split(".")[0] in known, path


# --- size -----------------------------------------------------------------------------------------


@names
def test_functions_fit_on_a_screen(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < 60, f"{node.name} in {path}"


@names
def test_lines_are_short(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        assert len(line) <= 100, f"{path}:{number}"


def test_the_trusted_part_in_lines():
    """Lines that are code: neither blank, comment nor docstring."""
    count = {str(p.relative_to(HERE)): code_lines(p) for p in TRUSTED}
    for name, lines in count.items():
        print(f"{name:24}{lines:6}")
    print(f"{'trusted':24}{sum(count.values()):6}")
    assert 0 < sum(count.values()) < sum(map(code_lines, SOURCES)) / 2


def code_lines(path):
    source = path.read_text()
    strings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings |= set(range(node.lineno, node.end_lineno + 1))
    return sum(bool(line.strip()) and not line.strip().startswith("#") and number not in strings
               for number, line in enumerate(source.splitlines(), 1))  # fmt: skip


# --- what the functions of the kernel refuse ------------------------------------------------------


def test_a_relation_is_proved_as_it_stands():
    assert theorem(exp(x), ">", S.Zero).relation == ">"
    for relation in ("=", "<", ">"):
        with pytest.raises(Undecided):
            theorem(x**2, relation, S.Zero)
    assert theorem(y, "≤", S.One, [Le(y, 1)]).context.facts


def test_a_certificate_has_to_be_the_difference_and_of_one_sign():
    context, (left, right, good, other, bad) = elaborate(
        [2 * x * y, x**2 + y**2, (x - y) ** 2, (x + y) ** 2, x * y])  # fmt: skip
    assert certified(context, left, "≤", right, good)
    for certificate in (other, bad):
        with pytest.raises(Undecided, match="certificate"):
            certified(context, left, "≤", right, certificate)
    with pytest.raises(ProofError):
        certified(context, left, "<", right, good)


def test_induction_begins_at_the_least_number_and_knows_nothing_of_the_next():
    context, (left, right) = elaborate([(1 + t**2) ** n, 1 + n * t**2])
    assert induct(context, left, "≥", right, n, 1).relation == "≥"
    with pytest.raises(ProofError, match="begin there"):
        induct(context, left, "≥", right, n, 0)
    with pytest.raises(ProofError):
        induct(context, left, "≥", right + t**2, n, 1)
    context, (left, right) = elaborate([Sum(v[j], (j, 1, N)), S.Zero])
    with pytest.raises(ProofError, match="length of an array"):
        induct(context, left, "=", right, N, 1)
    context, (left, right) = elaborate([n * t, t], [(Ge(t, n), ASSUMED), (Gt(t, 0), ASSUMED)])
    with pytest.raises(ProofError, match="mentions n"):
        induct(context, left, "=", right, n, 1)


def test_a_theorem_remembers_what_it_was_proved_from():
    context, (left, right) = elaborate([x * y, S.Zero], [(Eq(x, 0), ASSUMED)])
    assert prove(context, left, "=", right).context is context
