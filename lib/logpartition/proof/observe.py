"""Observations: a measured number beside the one that was predicted, and a test that can fail.

A measurement supports a prediction only as far as it would have rejected others, so each form says
what a failure would look like, and refuses a tolerance that could not tell.
"""

import math
import numbers
import operator
import sys
from collections.abc import Mapping, Set
from fractions import Fraction
from numbers import Number as _Any

import sympy
from mpmath import mpf
from mpmath.libmp import to_rational

from .errors import ProofError, Refuted, Unfalsifiable
from .record import Finding, Measurement, Mutants, observation

STANDARD_ERRORS = 4


def observe(label, text, *, measured, predicted, standard_error=None, tolerance=None, scale=None,
            title="", uses=(), claims=(), certifies=()):  # fmt: skip
    """|measured − predicted| ≤ 4 standard errors, or ≤ a tolerance that the text accounts for.

    A prediction 0 has no size of its own: `scale` is the size that the number would have if the
    prediction were wrong, and has to be more than ten times the tolerance.
    Raises: Refuted where they disagree; Unfalsifiable where half, twice or minus the prediction,
    or one that is off by `scale`, would agree as well, or where `scale` is too small; ProofError
    where a number is not finite, or the tolerance or `scale` not positive; ValueError where
    arguments are missing or no numbers.
    """
    if (standard_error is None) == (tolerance is None):
        raise ValueError("give either standard_error or tolerance")
    _demand_measured_number(measured)
    measured, predicted = _finite(label, measured=measured, predicted=predicted)
    if tolerance is None:
        standard_error = _number("standard_error", standard_error)
        allowed = STANDARD_ERRORS * standard_error
    else:
        allowed = _number("tolerance", tolerance)
    scale = None if scale is None else _number("scale", scale)
    _positive(label, tolerance=allowed)
    _demand_scale(label, predicted, scale, allowed)
    others = _other_values(predicted, scale)
    _agrees(label, measured, predicted, allowed)
    killed = _falsified(label, measured, allowed, others)
    measured, predicted, allowed = _floats(allowed, measured=measured, predicted=predicted)
    m = Measurement(
        "value", "=", *_within(measured, predicted, _near(predicted, allowed), allowed),
        "stated" if standard_error is None else "4 standard errors",
        standard_error=None if standard_error is None else _digits(standard_error, 2),
        scale=None if scale is None else _digits(scale, 3),
    )  # fmt: skip
    return Finding(observation(label, text, m, killed, used=uses, title=title, claims=claims,
                               certifies=certifies))  # fmt: skip


def _floats(allowed, **numbers):
    """What a record holds of numbers, where a tolerance does not tell it from them."""
    for name, x in numbers.items():
        if (lost := abs(_exact(float(x)) - x)) > allowed / 10:
            raise ValueError(f"{name}: got a number that a float holds to {float(lost):.1e} only, "
                             f"and the tolerance is {float(allowed):.1e}")  # fmt: skip
    return [*map(float, numbers.values()), float(allowed)]


def observe_rate(label, text, sizes, errors, *, exponent, tolerance=None, title="", uses=(),
                 claims=(), certifies=()):  # fmt: skip
    """errors ~ C · sizes^exponent: the slope of log errors over log sizes, by least squares, from
    sizes of which at least three follow each other by a factor of 2 or more. A stated tolerance
    holds for the smaller and the larger half of the sizes as well.

    The scatter about the line makes the slope uncertain by its standard error; two of them have to
    lie within the tolerance, and without a tolerance four of them are it, or roundings, if these
    are more.
    """
    sizes, errors = _lists(sizes=sizes, errors=errors)
    points = _points(label, sizes, errors)
    slope, uncertain = fitted(*zip(*points))
    exponent = float(*_finite(label, exponent=exponent))
    allowed, allowance = max(
        (STANDARD_ERRORS * uncertain, "4 standard errors"), (_roundings(exponent), "roundings")
    )
    if tolerance is not None:
        allowed, allowance = float(_number("tolerance", tolerance)), "stated"
    _positive(label, tolerance=allowed)
    if tolerance is not None and 2 * uncertain > allowed:
        raise Refuted(f"{label}: the errors are not a power of the sizes: they scatter about the "
                      f"line, so that its slope {slope:.3g} is uncertain by {uncertain:.2g}, and "
                      f"the tolerance is {allowed:.2g}")  # fmt: skip
    _agrees(label, slope, exponent, allowed)
    if tolerance is not None:
        _demand_even(label, points, exponent, allowed)
    killed = _falsified(label, slope, allowed, _other_rates(exponent))
    m = Measurement(
        "rate", "=", *_within(slope, exponent, _digits(exponent, 10), allowed), allowance,
        standard_error=_at(uncertain, allowed),
        sizes=tuple(map(float, sizes)), errors=tuple(_digits(e, 3) for e in errors),
    )  # fmt: skip
    return Finding(observation(label, text, m, killed, used=uses, title=title, claims=claims,
                               certifies=certifies))  # fmt: skip


def observe_bound(label, text, *, measured, bound, scale, at_least=False, title="", uses=(),
                  claims=(), certifies=()):  # fmt: skip
    """The worst of several measured numbers is at most the bound (or at least it).

    `scale` is what would be measured if the claim were false, and has to break the bound.
    """
    if isinstance(measured, _Any) or getattr(measured, "ndim", 1) == 0:
        raise ValueError("measured: got one number; a bound is measured in several runs")
    (runs,) = _lists(measured=measured)
    if len(runs) < 2:
        raise ValueError(f"measured: got {len(runs)} runs; a bound is measured in several")
    _finite(label, **{f"run {n}": v for n, v in enumerate(runs, 1)})
    bound, scale = _finite(label, bound=bound, scale=scale)
    broken = operator.lt if at_least else operator.gt
    word = "least" if at_least else "most"
    _demand_breaking(label, bound, scale, broken, 0.1)
    worst = min(runs) if at_least else max(runs)
    if broken(worst, bound):
        n = runs.index(worst) + 1
        raise Refuted(f"{label}: run {n} of {len(runs)} measured {float(worst):.6g}, which is not "
                      f"at {word} {float(bound):.6g}")  # fmt: skip
    m = Measurement(
        "bound", "≥" if at_least else "≤", *_apart(float(worst), float(bound), broken), 0.0,
        "bound",
        scale=_digits(scale, 3), runs=len(runs),
    )  # fmt: skip
    return Finding(observation(label, text, m, Mutants(1, 1), used=uses, title=title, claims=claims,
                               certifies=certifies))  # fmt: skip


FITTING = {  # of each form: its relations, its allowances, what else it has, and what it may have
    "value": ("=", ("stated", "4 standard errors"), set(), {"scale"}),
    "rate": ("=", ("stated", "4 standard errors", "roundings"),
             {"standard_error", "sizes", "errors"}, set()),
    "bound": ("≤≥", ("bound",), {"scale", "runs"}, set()),
}  # fmt: skip
ROUNDED = 0.0051  # how far an error of a rate, which has three digits, is off in its logarithm


def supported(record):
    """How many other predictions the numbers of a stored observation reject; an error where they do
    not support their own. They are rounded, so they reject what nine tenths of the tolerance do."""
    m, label = record["measurement"], record["label"]
    measured, predicted, allowed = map(
        _exact, map(record.get, ("measured", "predicted", "tolerance"))
    )
    scale = None if m["scale"] is None else _exact(m["scale"])
    _demand_fitting(label, m, allowed)
    if m["form"] == "bound":
        broken = operator.lt if m["relation"] == "≥" else operator.gt
        _demand_breaking(label, predicted, scale, broken, Fraction(9, 100))
        if broken(measured, predicted):
            raise Refuted(f"{label}: its numbers do not say that the bound holds")
        return Mutants(1, 1)
    if m["form"] == "rate":
        _demand_measured(label, m, measured, predicted, allowed)
    else:
        _demand_scale(label, predicted, scale, allowed * 9 / 10)
    _agrees(label, measured, predicted, allowed)
    others = _other_rates(predicted) if m["form"] == "rate" else _other_values(predicted, scale)
    return _falsified(label, measured, allowed * 9 / 10, others)


def _demand_fitting(label, m, allowed):
    """What a stored measurement has fits its form, and its uncertainty its tolerance."""
    relations, allowances, needs, may = FITTING[m["form"]]
    error, bound = m["standard_error"], m["form"] == "bound"
    needs = needs | ({"standard_error"} if m["allowance"] == "4 standard errors" else set())
    has = {k for k in ("standard_error", "scale", "runs", "sizes", "errors")
           if m[k] not in (None, [])}  # fmt: skip
    fits = (
        m["relation"] in relations and m["allowance"] in allowances and needs <= has <= needs | may
    )
    if not fits or bound and m["runs"] < 2 or bound != (not allowed):
        with_these = ", ".join(sorted(has)) or "nothing else"
        raise Refuted(f"{label}: a {m['form']} is not measured in this form: {m['relation']}, "
                      f"{m['allowance']}, with {with_these}")  # fmt: skip
    if error is None:
        return
    most = 2 if m["allowance"] == "stated" else STANDARD_ERRORS
    widest = Fraction(5, 4) * allowed  # both are rounded
    least = Fraction(3, 4) * allowed if m["allowance"] == "4 standard errors" else 0
    if not (error >= 0 and least <= most * _exact(error) <= widest):
        raise Refuted(f"{label}: its standard error and its tolerance do not fit")


def _demand_measured(label, m, measured, exponent, allowed):
    """The slope of a stored rate, and its standard error, are those of its errors."""
    points = _points(label, m["sizes"], m["errors"])
    slope, uncertain = fitted(*zip(*points))
    off = float(allowed) / 10 + _off(points, ROUNDED)
    if max(abs(float(measured) - slope), abs(m["standard_error"] - uncertain)) > off:
        raise Refuted(f"{label}: the slope of its errors is {slope:.3g}, uncertain by "
                      f"{uncertain:.2g}")  # fmt: skip
    if m["allowance"] == "stated":
        _demand_even(label, points, exponent, allowed * Fraction(21, 20), ROUNDED)
    if m["allowance"] == "roundings" and abs(allowed / _exact(_roundings(exponent)) - 1) > 0.1:
        raise Refuted(f"{label}: {float(allowed):.2g} is more than roundings are")


def fitted(x, y):
    """The slope of the least-squares line and its standard error, from the residuals."""
    n, mean_x, mean_y, slope = len(x), sum(x) / len(x), sum(y) / len(y), inclination(x, y)
    spread = sum((a - mean_x) ** 2 for a in x)
    residual = sum((b - mean_y - slope * (a - mean_x)) ** 2 for a, b in zip(x, y))
    return slope, math.sqrt(residual / (n - 2) / spread)


def inclination(x, y):
    """The slope of the least-squares line."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread


def _doublings(sizes):
    """How many of some sizes one can take so that each is at least twice the one before."""
    found, last = 0, 0
    for size in sorted(sizes):
        if size >= 2 * last:
            found, last = found + 1, size
    return found


# --- parts -----------------------------------------------------------------------------


def _demand_scale(label, predicted, scale, allowed):
    """A prediction 0 has a scale, and the tolerance is small against it."""
    if predicted == 0 and scale is None:
        raise ValueError(f"{label}: the prediction is 0, which has no size of its own; say with "
                         "scale=… how large the number would be if the prediction were "
                         "wrong")  # fmt: skip
    if scale is not None:
        _positive(label, scale=scale)
        if not float(allowed) < float(scale) / 10:
            raise Unfalsifiable(f"{label}: the tolerance {float(allowed):.2g} is not small against "
                                f"{float(scale):.2g}, the size of a failure")  # fmt: skip


def _demand_breaking(label, bound, scale, broken, share):
    """What would be measured if a claim were false breaks its bound, by a share of the larger."""
    said = f"{label}: {float(scale):.6g}, which would be measured if the claim were false, is"
    if not broken(scale, bound):
        word = "most" if broken is operator.gt else "least"
        raise Unfalsifiable(f"{said} at {word} {float(bound):.6g} as well")
    if abs(scale - bound) < share * max(abs(scale), abs(bound)):
        raise Unfalsifiable(f"{said} within a tenth of the bound {float(bound):.6g}")


def _points(label, sizes, errors):
    """The logarithms of sizes and errors, where they can show a rate."""
    bad = [v for v in (*sizes, *errors) if not (float(v) > 0 and math.isfinite(v))]
    if len(sizes) != len(errors) or bad:
        raise ProofError(f"{label}: got sizes {sizes} and errors {errors}; a rate needs an error "
                         "for each size, all of them positive")  # fmt: skip
    if (steps := _doublings(sizes)) < 3:
        raise ProofError(f"{label}: of the sizes {sizes} at most {steps} follow each other by a "
                         "factor of 2; a rate needs three that do, such as 10, 20, 40")  # fmt: skip
    return sorted(zip(map(math.log, sizes), map(math.log, errors)))


def _roundings(exponent):
    return 1e-9 * max(1, abs(float(exponent)))


def _off(points, rounded):
    """How far the slope of points, and its standard error, can be off where each of them is."""
    x = [a for a, _ in points]
    mean = sum(x) / len(x)
    return rounded * math.sqrt(len(x) / sum((a - mean) ** 2 for a in x))


def _demand_even(label, points, exponent, allowed, rounded=0.0):
    """The smaller and the larger half of the points have the slope as well."""
    half = (len(points) + 1) // 2
    for part in (points[:half], points[-half:]):
        if not part[0][0] < part[-1][0]:
            continue
        local = inclination(*zip(*part))
        if abs(local - exponent) > allowed + _off(part, rounded):
            raise Refuted(f"{label}: the errors are not a power of the sizes: over half of them "
                          f"the slope is {local:.3g}; the tolerance is "
                          f"{float(allowed):.2g}")  # fmt: skip


def _number(name, x):
    """A real number, exactly: a float is the decimal number that Python writes for it, and one of
    SymPy's that is irrational has 50 digits. What is infinite, or no number, is a float."""
    complex_ = isinstance(x, numbers.Complex) and not isinstance(x, numbers.Real)
    complex_ = complex_ or getattr(getattr(x, "dtype", None), "is_complex", False)  # PyTorch's
    said = getattr(getattr(x, "dtype", None), "kind", "f") not in "biuf"  # NumPy's texts and others
    try:
        texts = isinstance(x, (str, bytes, bytearray))
        found = None if complex_ or said or texts else float(x)
    except (TypeError, ValueError, RuntimeError):
        found = None
    except OverflowError:
        raise ValueError(f"{name}: got a number above {sys.float_info.max:.3g}, the largest that "
                         "can be measured") from None  # fmt: skip
    if found is None:
        raise ValueError(f"{name}: got a {type(x).__name__}, needs a real number")
    exact = x.item() if hasattr(x, "item") else x
    if not math.isfinite(found):
        return found
    if isinstance(exact, mpf):
        return Fraction(*map(int, to_rational(exact._mpf_)))
    if isinstance(exact, sympy.Basic):
        rational = exact.is_Rational
        return Fraction(int(exact.p), int(exact.q)) if rational else Fraction(str(exact.evalf(50)))
    if isinstance(exact, float) or not hasattr(exact, "as_integer_ratio"):
        return _exact(found)
    return Fraction(*exact.as_integer_ratio())


def _demand_measured_number(value):
    """An irrational number is no measurement: beside another it would be compared by its digits."""
    if isinstance(value, sympy.Basic) and not isinstance(value, sympy.Number):
        raise ValueError(f"measured: got {value}; a measured number is a float or a fraction")


def _finite(label, **numbers):
    found = []
    for name, value in numbers.items():
        found.append(_number(name, value))
        if not math.isfinite(found[-1]):
            raise ProofError(f"{label}: {name} is {found[-1]}, and has to be finite")
    return found


NO_LIST = (Mapping, Set, str, bytes, sympy.IndexedBase)  # SymPy's arrays have entries without end


def _lists(**given):
    """Lists of numbers; of a mapping one would get the keys, and of words the letters."""
    for name, values in given.items():
        try:
            given[name] = () if isinstance(values, NO_LIST) else list(values)
        except TypeError:
            given[name] = ()
        if given[name] == ():
            raise ValueError(f"{name}: got a {type(values).__name__}, needs a list of numbers")
        for value in given[name]:
            _demand_measured_number(value)
    return [[_number(f"{name}[{n}]", v) for n, v in enumerate(values)]
            for name, values in given.items()]  # fmt: skip


def _positive(label, **numbers):
    for name, value in numbers.items():
        size = math.inf if abs(value) > sys.float_info.max else value
        if not 0 < size < math.inf:
            raise ProofError(f"{label}: the {name} is {float(size)}, and has to be finite and "
                             "positive")  # fmt: skip


def _agrees(label, measured, predicted, allowed):
    if abs(_exact(measured) - _exact(predicted)) > _exact(allowed):
        measured, predicted, allowed = map(float, (measured, predicted, allowed))
        raise Refuted(f"{label}: measured {measured:.6g}, predicted {predicted:.6g}; they differ "
                      f"by more than {allowed:.2g}")  # fmt: skip


def _other_values(predicted, scale):
    """What could have been predicted instead of a value."""
    others = [-predicted, 2 * predicted, predicted / 2] if predicted else []
    return others + ([predicted - scale, predicted + scale] if scale is not None else [])


def _other_rates(exponent):
    """What could have been predicted instead of a rate."""
    half = Fraction(1, 2)
    others = {exponent - half, exponent + half, -exponent, 2 * exponent, exponent / 2}
    return sorted(others - {exponent})


def _falsified(label, measured, allowed, others):
    """Other predictions are rejected by the same measurement."""
    accepted = [other for other in others if abs(measured - other) <= allowed]
    if accepted:
        other = max(-sys.float_info.max, min(accepted[0], sys.float_info.max))
        raise Unfalsifiable(f"{label}: the tolerance {float(allowed):.2g} also accepts the "
                            f"prediction {float(other):.6g}, so the measurement decides "
                            "nothing")  # fmt: skip
    return Mutants(len(others), len(others))


def _at(value, allowed, n=2):
    """Rounded to a tenth of the tolerance: what lies below differs between machines. With more
    digits n of the tolerance, to a tenth of their last but one."""
    try:
        return round(value, n - 1 - math.floor(math.log10(allowed)))
    except OverflowError:  # next to the largest float
        return value


def _within(measured, predicted, short, allowed):
    """To a tenth of the tolerance, as it stands, and to two digits; or to as many as do not say
    that the tolerance is broken."""
    for n in range(2, 18):
        shown = _at(measured, allowed, n), short, _digits(allowed, n)
        if abs(_exact(shown[0]) - _exact(short)) <= _exact(shown[2]):
            return shown
    while abs(_exact(measured) - _exact(predicted)) > _exact(allowed):  # by a rounding of them
        allowed = math.nextafter(allowed, math.inf)
    return measured, predicted, allowed


def _exact(x):
    """The number that the page writes."""
    return x if isinstance(x, Fraction) else Fraction(repr(x))


def _near(predicted, allowed):
    """To ten digits, or to as many as the tolerance tells apart."""
    shown = (_digits(predicted, n) for n in range(10, 18))
    return next(v for v in shown if abs(v - predicted) <= allowed / 10 or v == predicted)


def _apart(worst, bound, broken):
    """To four digits and to ten, or to as many as do not say that the bound is broken."""
    shown = ((_digits(worst, n), _digits(bound, max(n, 10))) for n in range(4, 18))
    return next(pair for pair in shown if not broken(*pair))


def _digits(value, n):
    return float(f"{float(value):.{n}g}")
