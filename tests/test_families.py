"""Families against formulas in many digits, scipy's laws, SymPy's series, and general laws."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.optimize
import scipy.stats
import sympy
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

from logpartition.attention import attention, attention_covariance, log_partition
from logpartition.families import (
    Bernoulli,
    Categorical,
    Empirical,
    Exponential,
    Gaussian,
    Laplace,
    PointMass,
    Poisson,
    Rademacher,
    Uniform,
)

INF, NAN = math.inf, math.nan
close = torch.testing.assert_close
ATOMS, WEIGHTS = [0.0, 1.0, 3.0], [1.0, 2.0, 0.5]


def vector(*values):
    return torch.tensor(values, dtype=torch.float64)


FAMILIES = {
    "Bernoulli": Bernoulli(0.3),
    "Gaussian": Gaussian(0.5, 2.0),
    "Poisson": Poisson(1.5),
    "Exponential": Exponential(4.0),
    "Laplace": Laplace(0.25, 0.3),
    "Uniform": Uniform(-1.0, 2.5),
    "Rademacher": Rademacher(),
    "PointMass": PointMass(1.5),
    "Empirical": Empirical(vector(*ATOMS), vector(*WEIGHTS)),
}
SCIPY = {  # the same laws; Empirical's atoms are integers
    "Bernoulli": scipy.stats.bernoulli(0.3),
    "Gaussian": scipy.stats.norm(0.5, math.sqrt(2)),
    "Poisson": scipy.stats.poisson(1.5),
    "Exponential": scipy.stats.expon(scale=0.25),
    "Laplace": scipy.stats.laplace(0.25, 0.3),
    "Uniform": scipy.stats.uniform(-1, 3.5),
    "Rademacher": scipy.stats.rv_discrete(values=([-1, 1], [0.5, 0.5])),
    "PointMass": None,
    "Empirical": scipy.stats.rv_discrete(values=([0, 1, 3], [w / sum(WEIGHTS) for w in WEIGHTS])),
}
DIGITS = {  # log E exp(tX) by the textbook, for mpmath
    "Bernoulli": lambda t: mpmath.log(1 - mpmath.mpf(0.3) + mpmath.mpf(0.3) * mpmath.exp(t)),
    "Gaussian": lambda t: t / 2 + t**2,
    "Poisson": lambda t: 1.5 * (mpmath.exp(t) - 1),
    "Exponential": lambda t: -mpmath.log(1 - t / 4),
    "Laplace": lambda t: t / 4 - mpmath.log(1 - (mpmath.mpf(0.3) * t) ** 2),
    "Uniform": lambda t: (
        mpmath.log((mpmath.exp(2.5 * t) - mpmath.exp(-t)) / (3.5 * t)) if t else mpmath.mpf(0)
    ),
    "Rademacher": lambda t: mpmath.log(mpmath.cosh(t)),
    "PointMass": lambda t: 1.5 * t,
    "Empirical": lambda t: mpmath.log((1 + 2 * mpmath.exp(t) + mpmath.exp(3 * t) / 2) / 3.5),
}
DOMAIN = {"Exponential": (-INF, 4.0), "Laplace": (-1 / 0.3, 1 / 0.3)}
SPECIAL = {"PointMass"}  # no density, constant conjugate

each_family = pytest.mark.parametrize("name", FAMILIES)
each_random_family = pytest.mark.parametrize(
    "name", [name for name in FAMILIES if name not in SPECIAL]
)
REAL_T = [-3.0, -1.7, -0.4, 0.0, 0.3, 1.0, 1.9, 3.0]


# Values


@each_family
def test_values_to_rounding(name):
    """K, K' and K'' in many digits, far out, near 0 and on both sides of where formulas change."""
    family, (low, high) = FAMILIES[name], DOMAIN.get(name, (-INF, INF))
    sizes = (1e-150, 1e-8, 1e-3, 0.1, 0.2857, 0.5, 0.572, 0.999, 1.0, 1.001, 3.3, 30.0, 300.0)
    points = [t for size in sizes for t in (size, -size) if low < t < high]
    result = [
        f(vector(*points)).tolist() for f in (family.log_partition, family.mean, family.variance)
    ]
    for i, t in enumerate(points):
        # the relative error that rounding t + log-odds makes in an exponential
        score = abs(t) * 2**-52
        with mpmath.workdps(400):
            for order, tolerance in ((0, 4e-15), (1, 4e-15 + score), (2, 2e-14 + score)):
                exact = float(
                    mpmath.diff(
                        DIGITS[name], t, order, h=mpmath.mpf(10) ** -120 * max(abs(t), 1e-150)
                    )
                )
                expected = pytest.approx(exact, rel=tolerance, abs=1e-300)
                assert result[order][i] == expected, (t, order)


SMALL = [1e-150, -1e-30, 1e-16, 1e-8, -1e-3, 0.1, 1.0, -5.0, 6.6, 19.9, 20.1, 300.0]


@pytest.mark.parametrize(
    "atoms, weights",
    [
        ([-1, 1], [1, 1]),
        ([-1, 0.5, 0.5], [1, 1, 1]),
        ([0.1, 0.2, -0.3], [1, 2, 3]),
        ([1e8, 1e8 + 1], [1, 3]),
        ([1, -1e-9], [1e-9, 1]),
    ],
)
def test_small_log_partitions_of_atoms(atoms, weights):
    """K against many digits: near 0 the error is a rounding of E |tX|, whatever K itself is."""
    family, logits = Empirical(atoms, weights), vector(*weights).log()
    with mpmath.workdps(400):
        p = [mpmath.mpf(w) / mpmath.fsum(map(mpmath.mpf, weights)) for w in weights]
        for t in SMALL:
            scores = [mpmath.mpf(t) * mpmath.mpf(x) for x in atoms]
            exact = mpmath.log(mpmath.fdot(p, map(mpmath.exp, scores)))
            size = mpmath.fdot(p, map(abs, scores)) if abs(t) < 1 else max(map(abs, scores))
            for result in (
                family.log_partition(vector(t)),
                Categorical(logits).log_partition(t * vector(*atoms)),
            ):
                assert abs(result.item() - exact) <= 2**-50 * (size + abs(exact)) + 5e-324


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_small_log_partitions_of_a_sign(dtype):
    """Without a mean K is t^2 / 2 and keeps all its digits."""
    t = torch.tensor([1e-2, -1e-5, 1e-8, 1e-15], dtype=dtype)
    exact = torch.special.log1p(2 * torch.sinh(t.double() / 2) ** 2)
    for result in (
        Empirical([-1, 1]).log_partition(t),
        Categorical([0, 0]).log_partition(torch.stack([t, -t], -1)),
    ):
        assert result.dtype == dtype
        close(result.double(), exact, rtol=4 * torch.finfo(dtype).eps, atol=0)


@each_random_family
def test_expectations_of_scipy(name):
    """E e^{tX} and the tilted mean and variance, by sums and quadrature over scipy's law."""
    family, law = FAMILIES[name], SCIPY[name]
    # Over a range that holds all but 1e-16 of the tilted mass, split where the laws have kinks.
    quadrature = {"lb": -60, "ub": 60, "points": [-1, 0, 0.25, 2.5]} if hasattr(law, "pdf") else {}
    for t in (-2.0, -0.3, 0.0, 0.8, 1.5):
        moments = [law.expect(lambda x: x**n * np.exp(t * x), **quadrature) for n in range(3)]
        mean = moments[1] / moments[0]
        assert family.log_partition(vector(t)).item() == pytest.approx(
            math.log(moments[0]), abs=1e-7
        )
        assert family.mean(vector(t)).item() == pytest.approx(mean, abs=1e-7)
        assert family.variance(vector(t)).item() == pytest.approx(
            moments[2] / moments[0] - mean**2, abs=1e-6
        )


@each_family
def test_derivatives(name):
    family = FAMILIES[name]
    t = vector(*REAL_T).requires_grad_()
    K = family.log_partition(t)
    (first,) = torch.autograd.grad(K.sum(), t, create_graph=True)
    second = torch.zeros_like(t)  # for a point mass, whose mean does not depend on t
    if first.requires_grad:
        (second,) = torch.autograd.grad(first.sum(), t)
    close(first, family.mean(t))
    close(second, family.variance(t).detach())
    assert gradcheck(family.log_partition, t)
    if name not in SPECIAL:
        assert gradgradcheck(family.log_partition, t)


@each_family
def test_large_and_low_precision_arguments(name):
    """No overflow where K is finite, and float32 to float32's rounding."""
    family, (low, high) = FAMILIES[name], DOMAIN.get(name, (-INF, INF))
    points = [
        t
        for t in (-2e4, -50.0, -0.25, 1e-4, 0.7, 60.0, 2e4)
        if low < t < high and not (name == "Poisson" and t > 80)
    ]
    double = family.log_partition(vector(*points))
    assert double.isfinite().all()
    for dtype in (torch.float32, torch.bfloat16):
        family = Empirical([0, 1, 3], [2, 4, 1]) if name == "Empirical" else family
        single = family.log_partition(vector(*points).to(dtype))
        assert single.dtype == dtype
        exact = family.log_partition(vector(*points).to(dtype).double())
        close(
            single.double(), exact, rtol=8 * torch.finfo(dtype).eps, atol=4 * torch.finfo(dtype).eps
        )


POISSON_FAR = float(mpmath.mpf(2.57e305) * (mpmath.log(mpmath.mpf(2.57e305) / 100) - 1))


@pytest.mark.parametrize(
    "value, expected",
    [
        (Laplace(0, 1).conjugate(vector(1e160)), 1e160),
        (Laplace(0, 1).conjugate(torch.tensor(2e19)), 2e19),
        (Gaussian(0, 1e300).conjugate(vector(1e200)), 5e99),
        (Gaussian(0, 1).conjugate(torch.tensor(1e19)), 5e37),
        (Uniform(-1, 1).log_partition(vector(1e308)), 1e308),
        (Uniform(-1, 1).log_partition(torch.tensor(-3e38)), 3e38),
        (Uniform(-1, 1).mean(vector(1e308)), 1.0),
        (Bernoulli(0.3).log_partition(vector(1e308)), 1e308),
        (Rademacher().log_partition(vector(-1e308)), 1e308),
        (Categorical([0, 0]).log_partition(vector(1e308, -1e308)), 1e308),
        (Empirical([-1.0, 1.0]).log_partition(vector(1e308)), 1e308),
        (Poisson(0.1).log_partition(vector(710.0)), float(mpmath.exp(710) / 10)),
        (Poisson(0.1).mean(torch.tensor(89.0)), float(mpmath.exp(89) / 10)),
        (Poisson(100).conjugate(vector(2.57e305)), POISSON_FAR),
    ],
)
def test_no_overflow_before_the_value(value, expected):
    assert value.item() == pytest.approx(expected, rel=8 * torch.finfo(value.dtype).eps)


@pytest.mark.parametrize("low, high, sign", [(0, 2, -1), (-2, 0, 1)])
@pytest.mark.parametrize("size", [40.0, 1e6, 1e12])
def test_a_uniform_law_with_an_end_at_zero_keeps_its_digits(low, high, sign, size):
    """Far out K(t) is -log |2t| and the mean is -1/t: its terms may not cancel before that."""
    t = vector(sign * size)
    law = Uniform(low, high)
    exact = {"rtol": 8 * torch.finfo(t.dtype).eps, "atol": 0}
    close(law.log_partition(t), -torch.log(2 * t.abs()), **exact)
    close(law.mean(t), -1 / t, **exact)


def test_a_mean_whose_scores_are_out_of_range():
    """What `attention` does with such scores: NaN, though the mean would be 2.5."""
    assert Empirical([-2.5, 2.5]).mean(vector(1e308)).isnan()


# Laws

reals = st.floats(-3, 3)


@settings(max_examples=40)
@given(st.sampled_from(list(FAMILIES)), reals, reals, st.floats(0, 1))
def test_convexity_and_fenchel_young(name, s, t, weight):
    family = FAMILIES[name]
    at_s, at_t, between = family.log_partition(vector(s, t, weight * s + (1 - weight) * t)).tolist()
    assert between <= weight * at_s + (1 - weight) * at_t + 1e-12
    assert abs(family.log_partition(vector(0.0)).item()) <= 1e-15
    mean = family.mean(vector(s))
    conjugate = family.conjugate(mean).item()
    assert conjugate == pytest.approx(s * mean.item() - at_s, abs=1e-11)
    assert conjugate + at_t >= t * mean.item() - 1e-11
    assert conjugate >= -1e-14


@settings(max_examples=15)
@given(st.floats(-2, 2), st.floats(0.1, 3), reals)
@example(shift=0.3, scale=0.7, t=3.0)
def test_shifts_and_scales(shift, scale, t):
    """Conjugates are compared at means of the law, which are inside: a rounding moves the ends of
    its range, and at an end K* may be infinite."""
    pairs = [
        (Gaussian(1.0, 0.5), Gaussian(shift + scale, scale**2 / 2)),
        (Uniform(-1.0, 0.5), Uniform(shift - scale, shift + scale / 2)),
        (Laplace(1.0, 0.25), Laplace(shift + scale, scale / 4)),
        (PointMass(2.0), PointMass(shift + 2 * scale)),
        (Empirical(vector(*ATOMS)), Empirical(shift + scale * vector(*ATOMS))),
    ]
    for family, moved in pairs:
        if isinstance(family, Laplace):
            t = math.copysign(min(abs(t), 3.5 / scale), t)
        expected = shift * t + family.log_partition(vector(scale * t))
        close(moved.log_partition(vector(t)), expected)
        close(moved.mean(vector(t)), shift + scale * family.mean(vector(scale * t)))
        close(moved.variance(vector(t)), scale**2 * family.variance(vector(scale * t)))
        if not isinstance(family, PointMass):  # its range is one point, which rounding misses
            mean = family.mean(vector(scale * t))
            close(
                moved.conjugate(shift + scale * mean), family.conjugate(mean), atol=1e-9, rtol=1e-9
            )


def test_sums_of_independent_variables():
    t = vector(*REAL_T)
    close(
        Poisson(0.5).log_partition(t) + Poisson(2.0).log_partition(t), Poisson(2.5).log_partition(t)
    )
    close(
        Gaussian(1.0, 0.5).log_partition(t) + Gaussian(-3.0, 2.0).log_partition(t),
        Gaussian(-2.0, 2.5).log_partition(t),
    )
    difference = Exponential(4.0).log_partition(t) + Exponential(4.0).log_partition(-t)
    close(difference, Laplace(0.0, 0.25).log_partition(t))
    close(2 * t * 0.5 + Rademacher().log_partition(t), Bernoulli(0.5).log_partition(2 * t))


# Domains


def test_outside_the_natural_parameter_space():
    for family, inside, outside in (
        (Exponential(4.0), [3.999, -1e6], [4.0, 4.001, 1e6, INF]),
        (Laplace(0.25, 0.5), [1.999, -1.999], [2.0, -2.0, 2.5, -1e6, INF, -INF]),
    ):
        assert family.log_partition(vector(*inside)).isfinite().all()
        t = vector(*outside).requires_grad_()
        K = family.log_partition(t)
        assert (K == INF).all()
        assert torch.autograd.grad(K.sum(), t)[0].isfinite().all()
        assert family.mean(t).isnan().all() and family.variance(t).isnan().all()


@each_family
def test_nan_stays(name):
    family, points = FAMILIES[name], vector(NAN, 1.5)
    for function in (family.log_partition, family.mean, family.variance, family.conjugate):
        assert function(points).isnan().tolist() == [True, False]


# Conjugates

BOUNDARY = {  # mean: K*(mean)
    "Bernoulli": {
        0.0: -math.log(0.7),
        1.0: -math.log(0.3),
        -1e-9: INF,
        1 + 1e-9: INF,
        INF: INF,
        -INF: INF,
    },
    "Gaussian": {0.5: 0.0, 2.5: 1.0},
    "Poisson": {0.0: 1.5, -1e-9: INF, -INF: INF},
    "Exponential": {0.0: INF, -1.0: INF, 0.25: 0.0, -INF: INF},
    "Laplace": {0.25: 0.0, 0.25 + 0.3 * math.sqrt(3): 1 - math.log(1.5)},
    "Uniform": {-1.0: INF, 2.5: INF, 0.75: 0.0, 3.0: INF, -INF: INF},
    "Rademacher": {1.0: math.log(2), -1.0: math.log(2), 1.01: INF, 0.0: 0.0},
    "PointMass": {1.5: 0.0, 1.4: INF, INF: INF},
    "Empirical": {
        0.0: -math.log(1 / 3.5),
        3.0: -math.log(0.5 / 3.5),
        -1e-6: INF,
        3 + 1e-6: INF,
        -INF: INF,
        INF: INF,
    },
}


@each_family
def test_conjugate_at_the_boundary_and_beyond(name):
    means, values = vector(*BOUNDARY[name]), vector(*BOUNDARY[name].values())
    close(FAMILIES[name].conjugate(means), values, rtol=1e-13, atol=1e-13)


@each_random_family
def test_conjugate_is_the_supremum(name):
    """The supremum as scipy's optimiser finds it, from the forty-digit K."""
    low, high = DOMAIN.get(name, (-60.0, 60.0))
    low, high = max(low, -60.0) + 1e-9, high - 1e-9
    for t in (-1.2, 0.1, 2.0):
        mean = FAMILIES[name].mean(vector(t)).item()
        best = scipy.optimize.minimize_scalar(
            lambda s: float(DIGITS[name](mpmath.mpf(s)) - s * mean),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert FAMILIES[name].conjugate(vector(mean)).item() == pytest.approx(-best.fun, abs=1e-9)


@each_random_family
def test_conjugate_derivatives(name):
    """K*' inverts K', its derivative is the inverse variance, and the third one follows."""
    family, t = FAMILIES[name], vector(-2.0, -0.5, 0.3, 1.5)
    mean = family.mean(t).requires_grad_()
    (tilt,) = torch.autograd.grad(family.conjugate(mean).sum(), mean, create_graph=True)
    close(tilt, t)
    (curvature,) = torch.autograd.grad(tilt.sum(), mean, create_graph=True)
    close(curvature, 1 / family.variance(t))
    if name != "Gaussian":
        t = t.requires_grad_()
        (slope,) = torch.autograd.grad(family.variance(t).sum(), t)
        (third,) = torch.autograd.grad(curvature.sum(), mean)
        close(third, -slope / family.variance(t).detach() ** 3)


# Cumulants

T, P, A, B = sympy.symbols("t, p, a, b")
R = sympy.Symbol("r", positive=True)
SYMBOLIC = {
    "Bernoulli": (Bernoulli(P), sympy.log(1 - P + P * sympy.exp(T))),
    "Gaussian": (Gaussian(A, R), A * T + R * T**2 / 2),
    "Poisson": (Poisson(R), R * (sympy.exp(T) - 1)),
    "Exponential": (Exponential(R), -sympy.log(1 - T / R)),
    "Laplace": (Laplace(A, R), A * T - sympy.log(1 - R**2 * T**2)),
    "Uniform": (Uniform(A, B), None),
    "Rademacher": (Rademacher(), sympy.log(sympy.cosh(T))),
    "PointMass": (PointMass(A), A * T),
    "Empirical": (Empirical([0, A], [1, 2]), sympy.log((1 + 2 * sympy.exp(A * T)) / 3)),
}


@each_family
def test_cumulants_are_derivatives_at_zero(name):
    family, K = SYMBOLIC[name]
    order = 6
    # log(sinh x / x) at 0 is a limit: expand the mean of e^{tX} and then its logarithm
    if name == "Uniform":
        ends = {A: sympy.Rational(-1, 3), B: sympy.Rational(5, 2)}
        moments = [
            ((B ** (n + 1) - A ** (n + 1)) / (n + 1) / (B - A)).subs(ends) for n in range(order + 1)
        ]
        y = sum(moment * T**n / sympy.factorial(n) for n, moment in enumerate(moments)) - 1
        K = sympy.expand(sum((-1) ** (n + 1) * y**n / n for n in range(1, order + 1)))
        exact = [K.coeff(T, n) * sympy.factorial(n) for n in range(1, order + 1)]
        family = Uniform(ends[A], ends[B])
    else:
        exact = [sympy.diff(K, T, n).subs(T, 0) for n in range(1, order + 1)]
    result = family.cumulants(order)
    assert len(result) == order
    assert all(sympy.simplify(a - b) == 0 for a, b in zip(result, exact))


@each_random_family
def test_cumulants_of_scipy(name):
    mean, variance, skewness, excess = (float(x) for x in SCIPY[name].stats(moments="mvsk"))
    exact = [mean, variance, skewness * variance**1.5, excess * variance**2]
    assert [float(x) for x in FAMILIES[name].cumulants(4)] == pytest.approx(
        exact, rel=1e-9, abs=1e-9
    )


def test_cumulants_to_high_order():
    assert Rademacher().cumulants(10)[-1] == 7936  # tangent numbers 1, 2, 16, 272, 7936
    assert Exponential(1).cumulants(30)[-1] == sympy.factorial(29)
    assert Laplace(0, 1).cumulants(21)[-2:] == [2 * sympy.factorial(19), 0]
    half = Bernoulli(sympy.Rational(1, 2))
    assert half.cumulants(12)[-1] == Rademacher().cumulants(12)[-1] / sympy.Integer(2) ** 12
    assert len(Poisson(1).cumulants(np.int64(3))) == len(PointMass(1).cumulants(np.int32(3))) == 3
    assert (Bernoulli(P).cumulants(4)[3].subs(P, (3 + sympy.sqrt(3)) / 6)).simplify() == 0


def test_exactness():
    tenth = sympy.Rational(3602879701896397, 36028797018963968)
    assert Poisson(0.1).cumulants(2) == [tenth, tenth] == Poisson(vector(0.1)).cumulants(2)
    assert (
        Poisson(Fraction(1, 10)).cumulants(1)
        == Poisson(sympy.Rational(1, 10)).cumulants(1)
        == [sympy.Rational(1, 10)]
    )
    assert Empirical(vector(0, 1)).cumulants(2) == [sympy.Rational(1, 2), sympy.Rational(1, 4)]


# Vectors


@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 5, 3)])
def test_categorical(shape):
    logits, generator = vector(0.3, -1.0, 2.0), torch.Generator().manual_seed(0)
    t = torch.randn(shape, generator=generator, dtype=torch.float64)
    family = Categorical(logits)
    atoms = Empirical(torch.eye(3, dtype=torch.float64), torch.exp(logits))
    close(family.log_partition(t), torch.log((torch.softmax(logits, 0) * torch.exp(t)).sum(-1)))
    for function in ("log_partition", "mean", "variance"):
        close(getattr(family, function)(t), getattr(atoms, function)(t))
    mean = family.mean(t)
    conjugate = family.conjugate(mean)
    close(conjugate, (t * mean).sum(-1) - family.log_partition(t))
    close(conjugate, atoms.conjugate(mean))
    t = t.requires_grad_()
    assert gradcheck(family.log_partition, t) and gradgradcheck(family.log_partition, t)


def test_categorical_conjugate_off_the_simplex():
    family = Categorical(vector(0.0, 0.0, -INF, math.log(2)))
    means = vector(
        1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 1, 0, 0.5, 0.6, 0, 0, 1.5, -0.5, 0, 0, NAN, 0.5, 0, 0.5
    ).reshape(6, 4)
    values = vector(math.log(4), math.log(2), INF, INF, INF, NAN)
    close(family.conjugate(means), values, equal_nan=True)
    close(Categorical([0, 0, -sympy.oo, sympy.log(2)]).conjugate(means), values, equal_nan=True)


def test_categorical_cumulants():
    family = Categorical([0, sympy.log(2)])
    first, second, third = family.cumulants(3)
    p = sympy.Rational(2, 3)
    variance = p * (1 - p)
    assert list(first) == [1 - p, p]
    assert second.tolist() == [[variance, -variance], [-variance, variance]]
    assert third[1, 1, 1] == Bernoulli(p).cumulants(3)[2] == -third[0, 1, 1]
    t = vector(0.0, 0.0)
    jacobian = torch.autograd.functional.jacobian(family.variance, t)
    close(jacobian, torch.tensor(third.tolist(), dtype=torch.float64))
    e = sympy.symbols("e")
    symbolic = Categorical([0, e]).cumulants(2)[1][0, 1]
    assert sympy.simplify(symbolic + sympy.exp(e) / (1 + sympy.exp(e)) ** 2) == 0


def test_empirical_is_attention():
    generator = torch.Generator().manual_seed(0)
    atoms, t = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((6, 3), (2, 4, 3))
    )
    weights = torch.rand(6, generator=generator, dtype=torch.float64)
    family, log_weights = Empirical(atoms, weights), torch.log(weights / weights.sum())
    close(family.log_partition(t), torch.log(torch.exp(t @ atoms.mT) @ (weights / weights.sum())))
    close(family.log_partition(t), log_partition(t, atoms, log_weights=log_weights))
    equal = Empirical(atoms).log_partition(t)
    close(equal, log_partition(t, atoms) - math.log(6))
    close(family.mean(t), attention(t, atoms, log_weights=log_weights))
    close(family.variance(t), attention_covariance(t, atoms, log_weights=log_weights))
    t = t[0, :2].requires_grad_()
    assert gradcheck(family.log_partition, t) and gradgradcheck(family.log_partition, t)
    mean = family.mean(t).detach().requires_grad_()
    close(family.conjugate(mean), (t * mean).sum(-1) - family.log_partition(t))
    assert gradcheck(family.conjugate, mean) and gradgradcheck(family.conjugate, mean)


def test_empirical_cumulants_of_a_vector():
    kappa = Empirical([[0, 0], [0, 1], [1, 1]]).cumulants(3)
    family = Empirical(torch.tensor([[0, 0], [0, 1], [1, 1]], dtype=torch.float64))
    zero = torch.zeros(2, dtype=torch.float64)
    for array, function in zip(kappa, (family.mean, family.variance)):
        close(function(zero), torch.tensor(array.tolist(), dtype=torch.float64))
    jacobian = torch.autograd.functional.jacobian(family.variance, zero)
    close(jacobian, torch.tensor(kappa[2].tolist(), dtype=torch.float64))


def test_conjugate_on_the_faces_of_a_cube():
    """Coordinates are independent under the uniform law on {0,1}^3: K* is a sum of Bernoulli's."""
    cube = torch.cartesian_prod(*[vector(0, 1)] * 3)
    means = torch.cartesian_prod(*[vector(0, 1e-6, 0.2, 0.5, 0.99, 1)] * 3)
    close(Empirical(cube).conjugate(means), Bernoulli(0.5).conjugate(means).sum(-1))
    outside = means.index_fill(1, torch.tensor([1]), 1 + 1e-6)
    assert (Empirical(cube).conjugate(outside) == INF).all()


def test_conjugate_of_atoms_that_do_not_span():
    line = Empirical(torch.tensor([[0.0, 0], [1, 1], [2, 2]], dtype=torch.float64))
    means = vector(0, 0, 1, 1, 0.1, 0.1, 1, 1.001, 0.5, 0.4).reshape(5, 2)
    real = Empirical(vector(0, 1, 2)).conjugate(vector(0, 1, 0.1))
    close(line.conjugate(means), torch.cat([real, vector(INF, INF)]))
    point = Empirical(vector(2, 2))
    close(point.conjugate(vector(2, 1)), vector(0, INF))
    close(
        Empirical(vector(1, 2, 9), vector(1, 1, 0)).conjugate(vector(1, 3)),
        vector(math.log(2), INF),
    )


@settings(max_examples=15)
@given(st.integers(1, 8), st.integers(1, 3), st.integers(0, 2**31), st.floats(0.01, 30))
# a point so little beyond a vertex that Newton's steps turn in circles
@example(count=5, dim=2, seed=4793, size=1.0)
def test_conjugate_of_random_atoms(count, dim, seed, size):
    """Steep tilts of random atoms: Fenchel and Young's equality, on the hull's edge to rounding."""
    generator = torch.Generator().manual_seed(seed)
    atoms, t = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((count, dim), (5, dim))
    )
    family, t = Empirical(atoms), size * t
    mean = family.mean(t)
    close(
        family.conjugate(mean),
        (t * mean).sum(-1) - family.log_partition(t),
        rtol=1e-9,
        atol=1e-7 * size,
    )
    centre = atoms.mean(0)
    assert (
        family.conjugate(centre + 1.001 * (atoms[atoms.norm(dim=-1).argmax()] - centre)) > 0
    ) or count == 1


# Parameters


def test_tensor_parameters_broadcast_and_have_gradients():
    t = vector(-0.5, 0.2, 0.7)
    for make, parameters in (
        (Bernoulli, [vector(0.3, 0.6)]),
        (Gaussian, [vector(0.3, 0.6), vector(1, 2)]),
        (Poisson, [vector(0.3, 0.6)]),
        (Exponential, [vector(3, 2)]),
        (Laplace, [vector(0, 1), vector(0.5, 1)]),
        (Uniform, [vector(0, 1), vector(2, 3)]),
        (PointMass, [vector(0.3, 0.6)]),
        (lambda p: Categorical(p[:, 0]), [vector(0.3, 0.6, 1.2)]),
        (lambda x, w: Empirical(x[:, 0], w[:, 0]), [vector(0.3, 0.6), vector(1, 2)]),
    ):
        columns = [parameter.unsqueeze(-1).requires_grad_() for parameter in parameters]
        assert gradcheck(lambda *columns: make(*columns).log_partition(t), columns)
    result = Gaussian(vector(0.3, 0.6).unsqueeze(-1), 1.0).log_partition(t)
    assert result.shape == (2, 3)


def test_gradients_at_the_ends_of_a_parameter_range_are_not_finite():
    t = vector(-1.5, 0.3)
    for p in (0, 1):
        for function in ("log_partition", "mean", "variance", "conjugate"):
            at = torch.tensor(float(p), dtype=torch.float64, requires_grad=True)
            value = getattr(Bernoulli(at), function)(t if function != "conjugate" else vector(0.3))
            assert not torch.autograd.grad(value.sum(), at)[0].isfinite().any(), (p, function)
    for function in ("log_partition", "mean", "variance", "conjugate"):
        weights = vector(0.5, 0.5, 0).requires_grad_()
        value = getattr(Empirical(vector(0, 1, 2), weights), function)(vector(0.3))
        assert not torch.autograd.grad(value.sum(), weights)[0].isfinite().any(), function


def test_degenerate_bernoulli():
    t = vector(-2000, -0.5, 0, 0.5, 2000)
    assert (Bernoulli(0).log_partition(t) == 0).all() and (Bernoulli(1).log_partition(t) == t).all()
    assert (Bernoulli(0.0).mean(t) == 0).all() and (Bernoulli(1).variance(t) == 0).all()
    close(Bernoulli(0).conjugate(vector(0, 0.5, 1)), vector(0, INF, INF))


WRONG = [
    (ValueError, "p is 1.5, needs to be a probability", lambda: Bernoulli(1.5)),
    (ValueError, "p is nan", lambda: Bernoulli(NAN)),
    (ValueError, "p is tensor", lambda: Bernoulli(vector(0.5, -0.1))),
    (ValueError, "variance is 0, needs to be positive", lambda: Gaussian(0, 0)),
    (ValueError, "mean is inf, needs to be a finite number", lambda: Gaussian(INF, 1)),
    (ValueError, "rate is -1, needs to be positive", lambda: Poisson(sympy.Integer(-1))),
    (ValueError, "rate is inf", lambda: Exponential(INF)),
    (ValueError, "scale is -r", lambda: Laplace(0, -R)),
    (ValueError, "high is 1, needs to be a finite number above low", lambda: Uniform(1, 1)),
    (ValueError, "value is I", lambda: PointMass(sympy.I)),
    (TypeError, "rate is a str, needs a number", lambda: Poisson("1")),
    (TypeError, "rate has dtype torch.int64", lambda: Poisson(torch.tensor(1))),
    (
        TypeError,
        "p is symbolic, needs a number, except for cumulants",
        lambda: Bernoulli(P).mean(vector(0.0)),
    ),
    (
        TypeError,
        "argument is a float, needs a floating tensor",
        lambda: Poisson(1).log_partition(0.5),
    ),
    (TypeError, "argument has dtype torch.int64", lambda: Rademacher().mean(torch.tensor(1))),
    (
        TypeError,
        "argument has dtype torch.int64",
        lambda: Gaussian(0, 1).conjugate(torch.tensor(1)),
    ),
    (TypeError, "argument has dtype torch.int64", lambda: Rademacher().conjugate(torch.tensor(1))),
    (TypeError, "argument is a list", lambda: Empirical([1]).conjugate([0.5])),
    (ValueError, "order is 0", lambda: Poisson(1).cumulants(0)),
    (TypeError, "order is 1.5", lambda: Categorical([0]).cumulants(1.5)),
    (
        ValueError,
        r"shape \(2,\), needs one element for exact cumulants",
        lambda: Poisson(vector(1, 2)).cumulants(2),
    ),
    (
        ValueError,
        r"logits have shape \(\), need \(..., N\)",
        lambda: Categorical(torch.tensor(1.0)),
    ),
    (ValueError, "logits hold NaN", lambda: Categorical(vector(NAN, 0))),
    (ValueError, "logits hold NaN", lambda: Categorical([-sympy.oo])),
    (ValueError, "logits hold NaN, .inf or what is not real", lambda: Categorical([sympy.I, 0])),
    (ValueError, "what is not real", lambda: Categorical([1j, 0])),
    (ValueError, "what is not real", lambda: Categorical([sympy.zoo, 0])),
    (ValueError, r"logits have shape \(0,\)", lambda: Categorical([])),
    (
        ValueError,
        r"logits have shape \(2, 2\), need \(N,\)",
        lambda: Categorical(torch.zeros(2, 2)).cumulants(1),
    ),
    (TypeError, "logits has dtype torch.int64", lambda: Categorical(torch.tensor([1]))),
    (
        ValueError,
        r"argument has shape \(2,\), needs \(..., 3\)",
        lambda: Categorical([0, 0, 0]).mean(vector(0, 0)),
    ),
    (
        ValueError,
        r"argument has shape \(3,\), needs \(..., 2\)",
        lambda: Empirical([[0, 1]]).mean(vector(0, 0, 0)),
    ),
    (ValueError, r"atoms have shape \(0,\)", lambda: Empirical(vector())),
    (ValueError, r"atoms have shape \(0,\)", lambda: Empirical([])),
    (ValueError, r"weights have shape \(0,\), need \(1,\)", lambda: Empirical([1], [])),
    (ValueError, r"atoms have shape \(1, 1, 1\)", lambda: Empirical(torch.zeros(1, 1, 1))),
    (ValueError, "atoms need to be finite", lambda: Empirical(vector(0, INF))),
    (ValueError, r"weights have shape \(2,\), need \(1,\)", lambda: Empirical([1], [1, 2])),
    (ValueError, "weights need to be finite and nonnegative", lambda: Empirical([1, 2], [1, -1])),
    (
        ValueError,
        "weights need to be finite and nonnegative",
        lambda: Empirical([1, 2], vector(0, 0)),
    ),
]


@pytest.mark.parametrize(
    "error, message, call", WRONG, ids=[f"{i} {message}" for i, (_, message, _) in enumerate(WRONG)]
)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    "atoms, weights, mean",
    [
        ([[0, 0], [1, 0], [0, 1]], [1, 1, 1e-17], (0.4, 0.3)),
        ([0, 1], [1, 1e-151], 0.5),
        ([[0, 0], [1, 2e-7], [2, 2e-7], [3, 0]], [0.49, 0.01, 0.01, 0.49], (1.5, 1e-7)),
    ],
)
def test_a_mean_that_rounding_hides_is_an_error(atoms, weights, mean):
    """It is in the hull, and no tilt of double precision has it."""
    law = Empirical(torch.tensor(atoms, dtype=torch.float64), vector(*weights))
    with pytest.raises(RuntimeError, match="rounding hides whether a mean is in the hull"):
        law.conjugate(torch.tensor(mean, dtype=torch.float64))
