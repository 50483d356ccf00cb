"""The contrastive loss against cross-entropy and exact chances; Bessel ratios against forty digits,
quadrature, scipy."""

import math

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.stats
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck
from torch.func import hessian, jacfwd

from logpartition.attention import attention
from logpartition.contrastive import info_nce, von_mises_fisher_mean

INF, NAN = math.inf, math.nan


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def vector(*values):
    return torch.tensor(values, dtype=torch.float64)


# InfoNCE


@pytest.mark.parametrize("shape", [(5,), (4, 5), (2, 3, 5)])
def test_cross_entropy(shape):
    scores, temperature = normal(*shape), 0.3
    positive = torch.randint(5, shape[:-1], generator=torch.Generator().manual_seed(1))
    expected = F.cross_entropy(
        scores.reshape(-1, 5) / temperature, positive.reshape(-1), reduction="none"
    ).reshape(shape[:-1])
    torch.testing.assert_close(info_nce(scores, positive, temperature=temperature), expected)


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32, torch.uint16])
def test_an_index_may_be_of_a_dtype_that_does_not_hold_the_number_of_keys(dtype):
    loss = info_nce(torch.zeros(1, 300), torch.tensor([100]).to(dtype), temperature=1.0)
    assert loss.item() == pytest.approx(math.log(300))


def test_forty_digits():
    scores, exact = [3.0, -1.5, 0.25, 40.0], []
    with mpmath.workdps(40):
        weights = [mpmath.exp(mpmath.mpf(s) / mpmath.mpf(0.7)) for s in scores]
        exact = [float(-mpmath.log(w / sum(weights))) for w in weights]
    loss = info_nce(vector(*scores), torch.arange(4), temperature=0.7)
    assert loss.tolist() == pytest.approx(exact, rel=1e-14, abs=1e-15)


def test_gradient_is_the_softmax_less_the_positive():
    scores, positive, temperature = normal(3, 6).requires_grad_(), torch.tensor([0, 5, 2]), 0.4
    loss = info_nce(scores, positive, temperature=temperature)
    (gradient,) = torch.autograd.grad(loss.sum(), scores)
    p = (scores.detach() / temperature).softmax(-1)
    torch.testing.assert_close(gradient, (p - F.one_hot(positive, 6)) / temperature)
    function = lambda scores: info_nce(scores, positive, temperature=temperature)  # noqa: E731
    assert gradcheck(function, scores) and gradgradcheck(function, scores)


def test_gradient_in_the_query_is_attention_less_the_positive_key():
    query, keys = normal(1, 4).requires_grad_(), normal(6, 4, seed=1)
    loss = info_nce(query @ keys.mT, torch.tensor([2]), temperature=0.5)
    (gradient,) = torch.autograd.grad(loss.sum(), query)
    mean = attention(query.detach(), keys, beta=2.0)
    torch.testing.assert_close(gradient, 2.0 * (mean - keys[2]))


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.integers(1, 8), st.floats(1e-3, 1e3), st.floats(-1e6, 1e6), st.integers(0, 2**31))
def test_laws(count, temperature, shift, seed):
    """Positive, invariant under a shift of all scores, and the chances of all positives sum to
    one."""
    scores = normal(count, seed=seed)
    loss = info_nce(scores, torch.arange(count), temperature=temperature)
    assert loss.shape == (count,) and (loss >= 0).all()
    assert torch.exp(-loss).sum().item() == pytest.approx(1, abs=1e-14)
    moved = scores + shift
    torch.testing.assert_close(
        info_nce(moved, torch.arange(count), temperature=temperature),
        info_nce(moved - shift, torch.arange(count), temperature=temperature),
        rtol=0,
        atol=8 * count * 2**-52 * max(abs(shift), 1) / temperature,
    )


def test_common_offset_costs_no_digits():
    scores = vector(0, -1, 3)
    expected = info_nce(scores, torch.tensor(0), temperature=0.01)
    assert info_nce(scores + 2.0**50, torch.tensor(0), temperature=0.01) == expected


def test_mutual_information_bound_by_enumeration():
    """Query and key uniform on m symbols and equal: I = log m. With score s on equality and N - 1
    independent negatives of which k equal the query, E L is a binomial sum, and the bound log N - E
    L stays below I, and below log N."""
    m, temperature = 4, 1.0
    for count in (2, 5, 40):
        for score in (0.5, 2.0, math.log(m), 30.0):
            expected = 0.0
            for equal in range(count):
                row = [score] * (1 + equal) + [0.0] * (count - 1 - equal)
                loss = info_nce(vector(*row), torch.tensor(0), temperature=temperature).item()
                expected += scipy.stats.binom.pmf(equal, count - 1, 1 / m) * loss
            assert 0 <= math.log(count) - expected <= min(math.log(m), math.log(count)) + 1e-12
    gap = []
    for count in (100, 200, 400):
        equal = np.arange(count)
        rows = torch.where(torch.arange(count) <= torch.arange(count)[:, None], 30.0, 0.0).double()
        losses = info_nce(rows, torch.zeros(count, dtype=torch.int64), temperature=1.0).numpy()
        mean = (scipy.stats.binom.pmf(equal, count - 1, 1 / m) * losses).sum()
        gap.append(math.log(m) - (math.log(count) - mean))
    # With the best score, the bound is attained as N grows, with a gap of order 1/N.
    slope = np.polyfit(np.log([100, 200, 400]), np.log(gap), 1)[0]
    assert slope == pytest.approx(-1, abs=0.02)


def test_scores_of_minus_infinity():
    scores = vector(-INF, 1, 2, -INF).requires_grad_()
    loss = info_nce(scores, torch.tensor(1), temperature=1.0)
    assert loss.item() == pytest.approx(math.log1p(math.e))
    assert torch.autograd.grad(loss, scores)[0].isfinite().all()
    assert info_nce(scores, torch.tensor(0), temperature=1.0) == INF
    assert info_nce(vector(-INF, -INF), torch.tensor(0), temperature=1.0).isnan()
    assert info_nce(vector(-INF), torch.tensor(0), temperature=1.0).isnan()
    assert info_nce(vector(7), torch.tensor(0), temperature=1.0) == 0


def test_nan_spoils_its_row():
    scores = normal(3, 4)
    scores[1, 3] = NAN
    loss = info_nce(scores, torch.zeros(3, dtype=torch.int64), temperature=1.0)
    assert loss.isnan().tolist() == [False, True, False]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_low_precision(dtype):
    scores = normal(6, 50).to(dtype)
    positive = torch.arange(6, dtype=torch.int32)
    loss = info_nce(scores, positive, temperature=0.1)
    assert loss.dtype == dtype
    exact = info_nce(scores.double(), positive, temperature=0.1)
    torch.testing.assert_close(loss.double(), exact, rtol=2 * torch.finfo(dtype).eps, atol=1e-5)


def test_leading_dimensions_broadcast():
    scores = normal(2, 1, 5)
    loss = info_nce(scores, torch.arange(3), temperature=1.0)
    assert loss.shape == (2, 3)
    assert loss[1, 2] == info_nce(scores[1, 0], torch.tensor(2), temperature=1.0)
    assert info_nce(scores[0, 0], torch.arange(3), temperature=1.0).shape == (3,)
    assert info_nce(normal(0, 5), torch.zeros(0, dtype=torch.int64), temperature=1.0).shape == (0,)


# The mean of von Mises and Fisher

KAPPAS = (1e-300, 1e-8, 1e-3, 0.1, 0.999, 1.0, 1.001, 3.0, 10.0, 21.5, 33.0, 100.0, 1000.0, 1e5)
DIMS = (1, 2, 3, 4, 7, 20, 75, 1000)


def bessel_ratio(kappa, dim):
    kappa, dim = mpmath.mpf(kappa), mpmath.mpf(dim)
    return mpmath.besseli(dim / 2, kappa) / mpmath.besseli(dim / 2 - 1, kappa)


@pytest.mark.parametrize("dim", DIMS)
def test_bessel_ratio_to_rounding(dim):
    """The value, and two derivatives from A' = 1 - A^2 - (d-1) A / kappa, against sixty digits."""
    kappa = vector(*KAPPAS).requires_grad_()
    value = von_mises_fisher_mean(kappa, dim)
    (first,) = torch.autograd.grad(value.sum(), kappa, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), kappa)
    for i, k in enumerate(KAPPAS):
        with mpmath.workdps(60 if k > 1e-4 else 700):
            A, k = bessel_ratio(k, dim), mpmath.mpf(k)
            slope = 1 - A**2 - (dim - 1) * A / k
            bend = -2 * A * slope - (dim - 1) * (slope / k - A / k**2)
        assert value[i].item() == pytest.approx(float(A), rel=1e-15)
        # In one dimension the slope 1 - tanh^2 is exponentially small, and right to rounding of 1.
        noise = 1e-15 if dim == 1 else 0
        assert first[i].item() == pytest.approx(float(slope), rel=1e-12, abs=noise)
        noise = 1e-15 if dim == 1 else 1e-13 * float(slope)
        assert second[i].item() == pytest.approx(float(bend), rel=1e-11, abs=noise)


def test_mean_by_quadrature():
    """The first coordinate of an even spread on the sphere has the density (1 - x^2)^((d-3)/2);
    scipy integrates."""
    for dim in (3, 4, 9, 30):
        for kappa in (0.2, 2.0, 25.0):
            moments = [
                scipy.integrate.quad(
                    lambda x: x**n * (1 - x * x) ** ((dim - 3) / 2) * math.exp(kappa * (x - 1)),
                    -1,
                    1,
                    epsabs=0,
                    epsrel=1e-11,
                    limit=200,
                )[0]
                for n in (0, 1)
            ]
            assert von_mises_fisher_mean(vector(kappa), dim).item() == pytest.approx(
                moments[1] / moments[0], rel=1e-9
            )


def test_attention_over_evenly_spread_keys():
    """Regular polygons on the circle, to rounding; draws on the sphere, to four standard errors of
    self-normalised weights."""
    angles = 2 * math.pi * torch.arange(64, dtype=torch.float64) / 64
    circle = torch.stack([angles.cos(), angles.sin()], -1)
    query = vector(2.0, -1.5).unsqueeze(0)
    radius = query.norm()
    expected = von_mises_fisher_mean(radius, 2) * query / radius
    torch.testing.assert_close(attention(query, circle), expected)
    for dim in (3, 8):
        keys = F.normalize(normal(40_000, dim, seed=dim), dim=-1)
        query = 3 * F.normalize(normal(1, dim, seed=1), dim=-1)
        weights = (query @ keys.mT).softmax(-1)
        expected = von_mises_fisher_mean(vector(3), dim) * query / 3
        # its variance is divided by the effective size
        error = ((weights.mT * (keys - expected)) ** 2).sum(0).sqrt()
        assert 1 / weights.square().sum() > 4000
        assert ((attention(query, keys) - expected).abs() < 4 * error).all()


def test_known_cases():
    kappa = vector(0, 0.3, 2, 50, 700, 1e6)
    torch.testing.assert_close(
        von_mises_fisher_mean(kappa, 1), torch.tanh(kappa), rtol=1e-15, atol=0
    )
    langevin = 1 / torch.tanh(kappa[1:]) - 1 / kappa[1:]
    torch.testing.assert_close(von_mises_fisher_mean(kappa[1:], 3), langevin, rtol=1e-14, atol=0)
    ratio = scipy.special.ive(1, kappa.numpy()) / scipy.special.ive(0, kappa.numpy())
    torch.testing.assert_close(
        von_mises_fisher_mean(kappa, 2), torch.from_numpy(ratio), rtol=1e-14, atol=0
    )
    variance = scipy.stats.vonmises_fisher([1, 0, 0, 0], 5).rvs(20_000, random_state=1)[:, 0]
    mean, error = variance.mean(), variance.std() / math.sqrt(len(variance))
    assert abs(von_mises_fisher_mean(vector(5), 4).item() - mean) < 4 * error


def test_limits_by_their_exponents():
    """A = kappa/d - kappa^3 / (d^2 (d+2)) + O(kappa^5), and 1 - (d-1)/(2 kappa) + O(kappa^-2)."""
    for dim in (2, 3, 10):
        kappa = torch.logspace(-2, -1, 5, dtype=torch.float64)
        rest = von_mises_fisher_mean(kappa, dim) - kappa / dim
        assert np.polyfit(kappa.log(), (-rest).log(), 1)[0] == pytest.approx(3, abs=0.01)
        rest = rest + kappa**3 / (dim**2 * (dim + 2))
        assert np.polyfit(kappa.log(), rest.log(), 1)[0] == pytest.approx(5, abs=0.01)
        kappa = torch.logspace(3, 4, 5, dtype=torch.float64)
        rest = 1 - von_mises_fisher_mean(kappa, dim)
        assert np.polyfit(kappa.log(), rest.log(), 1)[0] == pytest.approx(-1, abs=0.01)
        assert (rest[-1] * kappa[-1]).item() == pytest.approx((dim - 1) / 2, rel=1e-3)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.integers(1, 10**6), st.floats(0, 1e12))
def test_bessel_laws(dim, kappa):
    """The recurrence, Amos's bounds, and A_d falling in d and rising in kappa."""
    A, above = (von_mises_fisher_mean(vector(kappa), n).item() for n in (dim, dim + 2))
    assert A * (dim + kappa * above) == pytest.approx(kappa, rel=4e-15)
    low = kappa / (dim / 2 + math.hypot(kappa, dim / 2)) if kappa else 0.0
    half = (dim - 1) / 2
    high = kappa / (half + math.hypot(kappa, half)) if kappa else 0.0
    assert low * (1 - 1e-15) <= A <= high * (1 + 1e-15)
    assert above <= A <= 1
    assert von_mises_fisher_mean(vector(1.01 * kappa), dim).item() >= A


@pytest.mark.parametrize("dim", [1, 2, 50])
def test_derivatives(dim):
    kappa = vector(0.3, 0.97, 1.5, 8, 60).requires_grad_()
    function = lambda kappa: von_mises_fisher_mean(kappa, dim)  # noqa: E731
    assert gradcheck(function, kappa) and gradgradcheck(function, kappa)
    zero = vector(0).requires_grad_()
    (slope,) = torch.autograd.grad(function(zero).sum(), zero, create_graph=True)
    assert slope.item() == pytest.approx(1 / dim) and torch.autograd.grad(slope.sum(), zero)[0] == 0
    torch.testing.assert_close(
        jacfwd(function)(kappa.detach()[0]), torch.autograd.grad(function(kappa).sum(), kappa)[0][0]
    )
    one = vector(1)[0]
    A = function(one).item()
    slope = 1 - A * A - (dim - 1) * A
    assert hessian(function)(one).item() == pytest.approx(
        -2 * A * slope - (dim - 1) * (slope - A), abs=1e-15 * dim**2
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_extremes(dtype):
    big = torch.finfo(dtype).max
    kappa = torch.tensor(
        [0, torch.finfo(dtype).tiny, 1, big, INF, NAN], dtype=dtype
    ).requires_grad_()
    for dim in (1, 2, 3, 10**9):
        value = von_mises_fisher_mean(kappa, dim)
        assert value.dtype == dtype
        assert value[0] == 0 and value[3] == value[4] == 1 and value[5].isnan()
        (slope,) = torch.autograd.grad(value.sum(), kappa)
        assert slope[:5].isfinite().all() and slope[3] == slope[4] == 0 and slope[5].isnan()
    assert von_mises_fisher_mean(torch.zeros(2, 0, 3), 3).shape == (2, 0, 3)


# Errors

S, I = normal(2, 3), torch.zeros(2, dtype=torch.int64)
WRONG = [
    (
        TypeError,
        "scores is a list, needs a floating tensor",
        lambda: info_nce([1.0], I, temperature=1.0),
    ),
    (
        TypeError,
        "scores has dtype torch.int64, needs a floating dtype",
        lambda: info_nce(S.long(), I, temperature=1.0),
    ),
    (
        TypeError,
        "positive is a int, needs a tensor of integers",
        lambda: info_nce(S, 0, temperature=1.0),
    ),
    (
        TypeError,
        "positive has dtype torch.float64, needs an integer",
        lambda: info_nce(S, I.double(), temperature=1.0),
    ),
    (TypeError, "positive has dtype torch.bool", lambda: info_nce(S, I > 0, temperature=1.0)),
    (
        TypeError,
        "temperature is a Tensor, needs a number",
        lambda: info_nce(S, I, temperature=torch.tensor(1.0)),
    ),
    (TypeError, "missing 1 required keyword-only argument: 'temperature'", lambda: info_nce(S, I)),
    (
        ValueError,
        "temperature is -1, needs to be positive and finite",
        lambda: info_nce(S, I, temperature=-1),
    ),
    (ValueError, "temperature is 0", lambda: info_nce(S, I, temperature=0)),
    (ValueError, "temperature is nan", lambda: info_nce(S, I, temperature=NAN)),
    (
        ValueError,
        r"scores has shape \(2, 0\), needs \(..., N\) with N >= 1",
        lambda: info_nce(S[:, :0], I, temperature=1.0),
    ),
    (
        ValueError,
        r"scores has shape \(\), needs \(..., N\)",
        lambda: info_nce(S.sum(), I, temperature=1.0),
    ),
    (
        ValueError,
        "positive has indices outside 0, ..., 2",
        lambda: info_nce(S, I + 3, temperature=1.0),
    ),
    (
        ValueError,
        "positive has indices outside 0, ..., 2",
        lambda: info_nce(S, I - 1, temperature=1.0),
    ),
    (
        ValueError,
        r"do not broadcast: scores \(2,\), positive \(3,\)",
        lambda: info_nce(S, torch.zeros(3, dtype=torch.int64), temperature=1.0),
    ),
    (
        ValueError,
        "positive is on meta, needs cpu",
        lambda: info_nce(S, I.to("meta"), temperature=1.0),
    ),
    (
        TypeError,
        "concentration is a float, needs a floating tensor",
        lambda: von_mises_fisher_mean(1.0, 3),
    ),
    (TypeError, "concentration has dtype torch.int64", lambda: von_mises_fisher_mean(I, 3)),
    (TypeError, "dim is 3.0, needs an integer", lambda: von_mises_fisher_mean(S[0].abs(), 3.0)),
    (TypeError, "dim is True, needs an integer", lambda: von_mises_fisher_mean(S[0].abs(), True)),
    (ValueError, "dim is 0, needs at least 1", lambda: von_mises_fisher_mean(S[0].abs(), 0)),
    (ValueError, "dim is beyond the range", lambda: von_mises_fisher_mean(S[0].abs(), 10**400)),
    (
        ValueError,
        "concentration has -1, needs at least 0",
        lambda: von_mises_fisher_mean(vector(0, -1), 3),
    ),
]


IDS = [f"{i} {message}" for i, (_, message, _) in enumerate(WRONG)]


@pytest.mark.parametrize("error, message, call", WRONG, ids=IDS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()
