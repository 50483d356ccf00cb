"""Measurements: what they accept, and that they would have rejected something else."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from mpmath import mp
from mpmath.libmp import from_man_exp
from sympy import Float, Rational, sqrt

from logpartition.proof.errors import IllFormed, ProofError, Refuted, Unfalsifiable
from logpartition.proof.observe import fitted, observe, observe_bound, observe_rate, supported

from .test_record import derived, refuted

NAN, INF = float("nan"), float("inf")

VALUES = [
    # measured, predicted, how far and how large, what comes of it
    (0.51, 0.5, {"standard_error": 0.01}, None),
    (0.55, 0.5, {"standard_error": 0.01}, Refuted),
    (0.7, 0.5, {"standard_error": 0.1}, Unfalsifiable),
    (1.02, 1.0, {"tolerance": 0.1}, None),
    (1.0, 1.5, {"tolerance": 0.1}, Refuted),
    (1.0, 1.0, {"tolerance": 0.6}, Unfalsifiable),
    (1.0, 1.0, {"tolerance": 5}, Unfalsifiable),
    (1.02, 1.0, {"tolerance": 0.1, "scale": 2}, None),
    (1.02, 1.0, {"tolerance": 0.1, "scale": 0.5}, Unfalsifiable),
    # a prediction 0 has no size of its own
    (3e-16, 0, {"tolerance": 1e-14}, ValueError),
    (3e-16, 0, {"standard_error": 1e-14}, ValueError),
    (3e-16, 0, {"tolerance": 1e-14, "scale": 1}, None),
    (3e-16, 0, {"tolerance": 1e-14, "scale": 1e-14}, Unfalsifiable),
    (3e-16, 0, {"tolerance": 1e-14, "scale": 1e-13}, Unfalsifiable),
    (3e-16, 0, {"tolerance": 1e-14, "scale": 1.1e-13}, None),
    (0.4, 0, {"tolerance": 0.5, "scale": 1}, Unfalsifiable),
    (1e-3, 0, {"tolerance": 1e-6, "scale": 1}, Refuted),
    # numbers that are none
    (1.0, 1.0, {"tolerance": 0}, ProofError),
    (1.0, 1.0, {"tolerance": -1}, ProofError),
    (1.0, 1.0, {"tolerance": INF}, ProofError),
    (NAN, 1.0, {"tolerance": 0.1}, ProofError),
    (1.0, INF, {"tolerance": 0.1}, ProofError),
    (0.0, 0.0, {"tolerance": 0.1, "scale": NAN}, ProofError),
    (0.0, 0.0, {"tolerance": 0.1, "scale": -2}, ProofError),
    (1.0, 1.0, {}, ValueError),
    (None, 1.0, {"tolerance": 0.1}, ValueError),
    (1.0, 1j, {"tolerance": 0.1}, ValueError),
    ([1.0], 1.0, {"tolerance": 0.1}, ValueError),
    (1.0, 1.0, {"tolerance": "0.1"}, ValueError),
    (1.0, 1.0, {"standard_error": [0.1]}, ValueError),
    (1.0, 1.0, {"tolerance": 0.1, "scale": 1j}, ValueError),
    (10**400, 1.0, {"tolerance": 0.1}, ValueError),
    (1.797e308, 1.7e308, {"tolerance": 1e307}, None),
    (1.0, 1.0, {"tolerance": 0.1, "standard_error": 0.1}, ValueError),
]


@pytest.mark.parametrize("measured, predicted, more, error", VALUES)
def test_values(measured, predicted, more, error):
    if error:
        with pytest.raises(error):
            observe("seen", "text", measured=measured, predicted=predicted, **more)
    else:
        record = observe("seen", "text", measured=measured, predicted=predicted, **more).record
        assert record.verdict == "observed"
        assert record.mutants.tried == record.mutants.killed > 0


ROUNDED = [(1.1364347, 1.004, 0.13453), (5.5, 5.0, 0.5), (1.1 + 2.2, 3.2, 0.1 + 1e-12)]


@pytest.mark.parametrize("measured, predicted, tolerance", ROUNDED)
def test_no_rounding_says_that_a_tolerance_is_broken(measured, predicted, tolerance):
    m = observe("seen", "text", measured=measured, predicted=predicted, tolerance=tolerance,
                scale=20).record.measurement  # fmt: skip
    exact = [Fraction(repr(x)) for x in (m.measured, m.predicted, m.tolerance)]
    assert abs(exact[0] - exact[1]) <= exact[2]
    assert m.measured == pytest.approx(measured, abs=tolerance / 10)


def powers(exponent, factors=(1, 1, 1, 1)):
    grid = [1, 2, 4, 8][: len(factors)]
    return grid, [f * s**exponent for f, s in zip(factors, grid)]


RATES = {
    "a power": (powers(-2), {"exponent": -2, "tolerance": 0.1}, None),
    "a power, by its own scatter": (powers(-2), {"exponent": -2}, None),
    "nearly a power": (powers(-1, (1, 1.02, 0.99, 1)), {"exponent": -1, "tolerance": 0.1}, None),
    "nearly, by its own scatter": (powers(-1, (1, 1.02, 0.99, 1)), {"exponent": -1}, None),
    "at three sizes": (powers(0.5, (1, 1.01, 1)), {"exponent": 0.5, "tolerance": 0.1}, None),
    "a constant": (powers(0, (1, 1.01, 0.99, 1)), {"exponent": 0, "tolerance": 0.1}, None),
    "the wrong exponent": (powers(-1), {"exponent": -2, "tolerance": 0.1}, Refuted),
    "the wrong exponent, by scatter": (powers(-1), {"exponent": -2}, Refuted),
    "the wrong sign": (powers(-1), {"exponent": 1, "tolerance": 0.1}, Refuted),
    "no power at all": (([1, 2, 4], [1, 1e6, 0.25]), {"exponent": -1, "tolerance": 0.1}, Refuted),
    "no power, by scatter": (([1, 2, 4], [1, 1e6, 0.25]), {"exponent": -1}, Unfalsifiable),
    "no power, a wide tolerance": (
        ([1, 2, 4], [1, 1e6, 0.25]), {"exponent": -1, "tolerance": 50}, Unfalsifiable,
    ),
    "scatter beyond the tolerance": (
        powers(-1, (1, 1.3, 1.3, 1)), {"exponent": -1, "tolerance": 0.1}, Refuted,
    ),
    "a tolerance for two rates": (powers(-1), {"exponent": -1, "tolerance": 0.5}, Unfalsifiable),
    "a tolerance for half the rate": (
        powers(-0.25), {"exponent": -0.25, "tolerance": 0.2}, Unfalsifiable,
    ),
    "a power beside a constant": (
        ([10, 20, 40], [0.01 + 1 / s for s in (10, 20, 40)]),
        {"exponent": -1, "tolerance": 0.2},
        Refuted,
    ),
    "errors by their sizes": (
        ([1, 2, 4], {1: 9, 2: 9, 4: 9}), {"exponent": 1, "tolerance": 0.1}, ValueError,
    ),
    "two sizes": (([1, 2], [1, 0.5]), {"exponent": -1, "tolerance": 0.1}, ProofError),
    "one size thrice": (([1, 1, 1], [1, 1, 1]), {"exponent": -1, "tolerance": 0.1}, ProofError),
    "an error 0": (([1, 2, 4], [1, 0, 0.1]), {"exponent": -1, "tolerance": 0.1}, ProofError),
    "errors below all floats": (
        ([10, 20, 40], [Fraction(1, n * 10**400) for n in (1, 2, 4)]),
        {"exponent": -1, "tolerance": 0.1},
        ProofError,
    ),
    "sizes side by side": (
        ([1, 1.1, 1.2], [1, 1 / 1.1, 1 / 1.2]),
        {"exponent": -1, "tolerance": 0.1},
        ProofError,
    ),
    "sizes within a factor of 2": (
        ([10, 12, 14, 16, 18, 20], [math.exp(-s / 15) for s in (10, 12, 14, 16, 18, 20)]),
        {"exponent": -1, "tolerance": 0.2},
        ProofError,
    ),
    "two of three sizes side by side": (
        ([1, 1.0001, 2], [1, 0.99, 0.5]), {"exponent": -1, "tolerance": 0.2}, ProofError,
    ),
    "no number": (([1, 2, 4], [1, NAN, 0.1]), {"exponent": -1, "tolerance": 0.1}, ProofError),
    "an error short": (([1, 2, 4], [1, 0.5]), {"exponent": -1, "tolerance": 0.1}, ProofError),
}  # fmt: skip


@pytest.mark.parametrize("case", RATES)
def test_rates(case):
    (grid, errors), more, error = RATES[case]
    if error:
        with pytest.raises(error):
            observe_rate("rate", "text", grid, errors, **more)
    else:
        record = observe_rate("rate", "text", grid, errors, **more).record
        assert record.json()["measurement"]["sizes"] == grid
        assert record.mutants.killed == record.mutants.tried >= 2


def test_scatter_alone_does_not_pass_for_a_rate():
    """Of errors without any trend, a prediction that is 1/2 off is accepted almost never."""
    numbers, accepted = random.Random(0), 0
    for _ in range(400):
        errors = [math.exp(numbers.gauss(0, 1)) for _ in range(4)]
        try:
            observe_rate("rate", "text", [1, 2, 4, 8], errors, exponent=-0.5)
            accepted += 1
        except ProofError:
            pass
    assert accepted <= 8


def test_slope_and_its_standard_error():
    numbers = random.Random(1)
    grid = list(range(10))
    slopes = [fitted(grid, [2 * a + numbers.gauss(0, 1) for a in grid]) for _ in range(2000)]
    mean = sum(s for s, _ in slopes) / 2000
    deviation = math.sqrt(sum((s - mean) ** 2 for s, _ in slopes) / 2000)
    told = math.sqrt(sum(e**2 for _, e in slopes) / 2000)
    assert abs(mean - 2) < 0.01 and abs(told / deviation - 1) < 0.1


BOUNDS = {
    "at most": ({"measured": [0.1, 0.3, 0.2], "bound": 0.5, "scale": 1}, None),
    "at least": ({"measured": [3, 2], "bound": 1, "scale": 0, "at_least": True}, None),
    "broken once": ({"measured": [0.1, 0.6, 0.2], "bound": 0.5, "scale": 1}, Refuted),
    "broken from below": ({"measured": [3, 0], "bound": 1, "scale": 0, "at_least": True}, Refuted),
    "a bound that a failure keeps": ({"measured": [1, 2], "bound": 9, "scale": 5}, Unfalsifiable),
    "the wrong way": (
        {"measured": [1, 2], "bound": 3, "scale": 5, "at_least": True},
        Unfalsifiable,
    ),
    "a failure just beyond": ({"measured": [1, 1], "bound": 2, "scale": 2.1}, Unfalsifiable),
    "runs by their seeds": ({"measured": {0: 9, 1: 9}, "bound": 3, "scale": 5}, ValueError),
    "letters": ({"measured": "12", "bound": 3, "scale": 5}, ValueError),
    "one number": ({"measured": 0.1, "bound": 0.5, "scale": 1}, ValueError),
    "one run": ({"measured": [0.1], "bound": 0.5, "scale": 1}, ValueError),
    "runs of runs": ({"measured": [[0.1, 0.2], [0.3]], "bound": 0.5, "scale": 1}, ValueError),
    "nothing": ({"measured": None, "bound": 0.5, "scale": 1}, ValueError),
    "no scale": ({"measured": [0.1, 0.2], "bound": 0.5, "scale": None}, ValueError),
    "no number": ({"measured": [0.1, NAN], "bound": 0.5, "scale": 1}, ProofError),
}


@pytest.mark.parametrize("case", BOUNDS)
def test_bounds(case):
    arguments, error = BOUNDS[case]
    if error:
        with pytest.raises(error):
            observe_bound("bound", "text", **arguments)
    else:
        data = observe_bound("bound", "text", **arguments).record.json()
        worst = (min if arguments.get("at_least") else max)(arguments["measured"])
        assert data["measured"] == worst
        assert data["measurement"]["runs"] == len(arguments["measured"])
        assert data["measurement"]["relation"] == ("≥" if arguments.get("at_least") else "≤")


def test_numbers_are_kept_as_far_as_they_mean_something():
    data = observe("s", "", measured=0.51234567, predicted=0.5, standard_error=0.0123).record.json()
    assert (data["measured"], data["predicted"], data["tolerance"]) == (0.512, 0.5, 0.049)
    assert data["measurement"]["standard_error"] == 0.012
    for noise in (3.1e-16, -2.2e-16, 0.0):
        found = observe("s", "", measured=noise, predicted=0, tolerance=1e-14, scale=1).record
        assert found.json()["measured"] == 0


def test_what_is_shown_says_what_was_measured():
    large = {"measured": 12345678901.23, "predicted": 12345678901.25, "tolerance": 0.05}
    assert observe("s", "", **large).record.json()["predicted"] == 12345678901.25
    for runs, bound, less in (([0.99996, 0.1], 0.99998, False), ([-0.99996, 1], -0.99998, True)):
        scale = 2 - 4 * less
        found = observe_bound("s", "", measured=runs, bound=bound, scale=scale, at_least=less)
        assert (found.record.json()["measured"] >= bound) == less


@pytest.mark.parametrize(
    "bad",
    [
        np.complex128(1 + 7j),
        np.complex64(1),
        np.array(1 + 2j),
        torch.tensor(1 + 2j),
        torch.tensor(1 + 0j),
        2j,
        "1",
        np.array("1"),
        np.str_("1"),
    ],
    ids=repr,
)
def test_what_is_measured_is_a_real_number(bad):
    """`float` takes the real part of a complex number of NumPy's."""
    for attempt in (
        lambda: observe("overlap", "An overlap.", measured=bad, predicted=1, tolerance=0.01),
        lambda: observe("overlap", "An overlap.", measured=1, predicted=bad, tolerance=0.01),
        lambda: observe_bound("largest", "So.", measured=[0.5, bad], bound=1, scale=2),
        lambda: observe_rate("rate", "So.", [10, 20, 40, 80], [bad] * 4, exponent=-1),
    ):
        with pytest.raises(ValueError, match="needs a real number"):
            attempt()


@pytest.mark.parametrize(
    "bad",
    [
        2**53 + 1,
        np.int64(2**53 + 1),
        torch.tensor(2**53 + 1),
        Fraction(10**20 + 1, 10**20),
        Rational(10**20 + 1, 10**20),
        Decimal("1.00000000000000000001"),
        mp.make_mpf(from_man_exp(2**60 + 1, -60)),
        np.longdouble(1) + np.longdouble(1e-18),
        Float("1.00000000000000000001", 30),
    ],
    ids=repr,
)
def test_numbers_are_compared_as_they_are(bad):
    with pytest.raises(Refuted, match="differ by more than 1e-21"):
        observe("o", "So.", measured=bad, predicted=float(bad), tolerance=1e-21)
    with pytest.raises(ValueError, match="measured: got a number that a float holds to"):
        observe("o", "So.", measured=bad, predicted=bad, tolerance=1e-21)
    with pytest.raises(Refuted, match="run 1 of 2 measured"):
        observe_bound("b", "So.", measured=[bad, 0], bound=float(bad), scale=2**60)
    assert observe_bound("b", "So.", measured=[bad, 0], bound=bad, scale=2**60)


def test_what_is_shown_agrees_where_the_numbers_do():
    third, off = Fraction(1, 3), Fraction(1, 30)
    found = observe("o", "So.", measured=third + off, predicted=third, tolerance=off)
    assert supported(found.record.json()) == found.record.mutants


def test_no_number_is_too_large_for_a_sentence():
    with pytest.raises(ProofError, match="the tolerance is inf"):
        observe("o", "So.", measured=1e308, predicted=1e308, standard_error=1e308)
    with pytest.raises(Unfalsifiable, match="also accepts the prediction"):
        observe("o", "So.", measured=1.5e308, predicted=1e308, tolerance=1e308)


def test_an_irrational_number_is_predicted_and_not_measured():
    assert observe("o", "So.", measured=2**0.5, predicted=sqrt(2), tolerance=1e-15)
    with pytest.raises(Refuted, match="differ by more than 1e-25"):
        observe("o", "So.", measured=2**0.5, predicted=sqrt(2), tolerance=1e-25)
    for ask in (
        lambda: observe("o", "So.", measured=sqrt(2), predicted=sqrt(2), tolerance=0.1),
        lambda: observe_bound("b", "So.", measured=[sqrt(2), 1], bound=sqrt(2), scale=2),
        lambda: observe_bound("b", "So.", measured=iter([sqrt(2), 1]), bound=3, scale=4),
    ):
        with pytest.raises(ValueError, match=r"measured: got sqrt\(2\); a measured number is"):
            ask()


def test_a_third_is_measured():
    for third in (Fraction(1, 3), Rational(1, 3), Decimal("0.1")):
        observe("o", "So.", measured=third, predicted=float(third), tolerance=0.01)


def test_observations_rest_on_results():
    used = observe("s", "", measured=1, predicted=1, tolerance=0.1, uses=[derived()]).record
    assert used.uses == ("distributed",)
    with pytest.raises(IllFormed, match="refuted"):
        observe("s", "", measured=1, predicted=1, tolerance=0.1, uses=[refuted()])
    with pytest.raises(TypeError, match="needs a result"):
        observe("s", "", measured=1, predicted=1, tolerance=0.1, uses=["distributed"])
