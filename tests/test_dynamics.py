"""Flows of tokens against exact recursions, closed forms, ODE solvers, the quadratic sum, rotations
and permutations.
"""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ive
from scipy.stats import norm
from torch.autograd import gradcheck, gradgradcheck
from torch.func import jacfwd, jacrev

from logpartition import dynamics
from logpartition.attention import attention
from logpartition.dynamics import (
    ascend,
    circle_attention,
    layer_norm,
    sphere_flow,
    sphere_step,
    standardized_flow,
)

INF, NAN = math.inf, math.nan
EPS = {dtype: torch.finfo(dtype).eps for dtype in (torch.float64, torch.float32)}

close = torch.testing.assert_close
seeds = st.integers(0, 2**31)
betas = st.floats(0.05, 5)


def normal(*shape, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)


def on_sphere(*shape, seed=0, dtype=torch.float64):
    x = normal(*shape, seed=seed)
    return (x / x.norm(dim=-1, keepdim=True)).to(dtype)


def circle(angles):
    angles = torch.as_tensor(angles, dtype=torch.float64)
    return torch.stack([angles.cos(), angles.sin()], -1)


def rotation(dim, seed):
    return torch.linalg.qr(normal(dim, dim, seed=seed)).Q


def exponent(steps, errors):
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


# Invariances


@settings(max_examples=12)
@given(st.integers(1, 7), st.integers(2, 5), betas, st.floats(0.05, 2), seeds)
def test_the_sphere_has_no_preferred_axes_and_tokens_no_order(count, dim, beta, step, seed):
    x, turn = on_sphere(count, dim, seed=seed), rotation(dim, seed + 1)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))

    def flow(x):
        return sphere_flow(x, beta=beta, time=3 * step, step_size=step).points[-1]

    for function in (lambda x: sphere_step(x, beta=beta, step_size=step), flow):
        y = function(x)
        close(y.norm(dim=-1), torch.ones(count, dtype=torch.float64), rtol=0, atol=1e-14)
        close(function(x @ turn), y @ turn, rtol=0, atol=1e-12)
        close(function(x[order]), y[order], rtol=0, atol=1e-12)
        close(function(torch.stack([x, x @ turn])), torch.stack([y, y @ turn]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("steps", [1, 2, 17])
def test_layer_norm_of_a_row_that_spans_a_few_subnormals_is_on_its_sphere(dtype, steps):
    least = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    rows = torch.randint(0, steps + 1, (50, 4), generator=torch.Generator().manual_seed(0))
    rows[:, 0], rows[:, 1] = 0, steps
    for x in (rows.to(dtype) * least, rows.to(dtype) * least + 100 * least):
        found, exact = layer_norm(x).double(), layer_norm(rows.double())
        assert (found - exact).abs().max() < 4 * torch.finfo(dtype).eps


@pytest.mark.parametrize("dtype, step_size", [(torch.float32, 1e30), (torch.float64, 1e300)])
def test_a_step_whose_square_overflows_still_ends_on_the_sphere(dtype, step_size):
    tokens = torch.nn.functional.normalize(torch.randn(5, 3, dtype=dtype), dim=-1)
    ends = dynamics.sphere_step(tokens, beta=1.0, step_size=step_size)
    assert (ends.norm(dim=-1) - 1).abs().max() < 1e-6


@settings(max_examples=25)
@given(st.integers(2, 8), st.integers(1, 3), st.sampled_from([1, -1]), seeds)
def test_standardized_flow_has_no_preferred_axes_and_samples_no_order(count, dim, sign, seed):
    x, turn = normal(count, dim, seed=seed) / 2, rotation(dim, seed + 1)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    flow = standardized_flow(x, 3, sign=sign).points
    close(standardized_flow(x @ turn, 3, sign=sign).points, flow @ turn, rtol=0, atol=1e-10)
    close(standardized_flow(x[order], 3, sign=sign).points, flow[:, order], rtol=0, atol=1e-10)
    close(flow.mean(1), x.mean(0).expand(4, dim), rtol=0, atol=1e-13)
    close(
        flow.var(1, correction=0).sum(-1),
        x.var(0, correction=0).sum().expand(4),
        rtol=1e-12,
        atol=0,
    )


@settings(max_examples=25)
@given(st.integers(2, 8), seeds, st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_layer_norm_is_a_direction_in_a_hyperplane(dim, seed, shift, scale):
    x = normal(3, dim, seed=seed)
    order = torch.randperm(dim, generator=torch.Generator().manual_seed(seed))
    y = layer_norm(x)
    close(y.mean(-1), torch.zeros(3, dtype=torch.float64), rtol=0, atol=1e-13)
    close(y.norm(dim=-1), torch.full((3,), dim**0.5, dtype=torch.float64))
    close(layer_norm(shift + scale * x), y, rtol=0, atol=1e-8)
    close(layer_norm(-x), -y)
    close(layer_norm(x[:, order]), y[:, order])
    ones = torch.full((dim, 1), dim**-0.5, dtype=torch.float64)
    basis = torch.linalg.qr(torch.cat([ones, normal(dim, dim - 1, seed=seed + 1)], 1)).Q
    inner = torch.block_diag(torch.ones(1, 1, dtype=torch.float64), rotation(dim - 1, seed + 2))
    turn = basis @ inner @ basis.T  # a rotation that leaves (1, ..., 1) where it is
    close(layer_norm(x @ turn), y @ turn, rtol=0, atol=1e-11)


# Layer norm


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_layer_norm_is_pytorchs(dtype):
    x = normal(4, 5, 16, dtype=dtype) + 3
    y = layer_norm(x)
    assert y.dtype == dtype
    exact = torch.nn.functional.layer_norm(x.double(), (16,), eps=0.0)
    close(
        y.double(), exact, rtol=torch.finfo(dtype).eps, atol=20 * EPS.get(dtype, EPS[torch.float32])
    )


def test_layer_norm_jacobian():
    """(I - 11^T/d - y y^T/d) / sigma, by three routes."""
    x, d = normal(5), 5
    y, sigma = layer_norm(x), x.std(correction=0)
    exact = (torch.eye(d, dtype=torch.float64) - 1 / d - torch.outer(y, y) / d) / sigma
    for jacobian in (jacrev, jacfwd, lambda f: lambda x: torch.autograd.functional.jacobian(f, x)):
        close(jacobian(layer_norm)(x), exact)
    x = normal(2, 4).requires_grad_()
    assert gradcheck(layer_norm, x) and gradgradcheck(layer_norm, x)


@pytest.mark.parametrize(
    "dtype, scale",
    [
        (torch.float64, 1e-250),
        (torch.float64, 1e200),
        (torch.float32, 1e-30),
        (torch.float32, 1e30),
    ],
)
def test_layer_norm_of_tiny_and_huge_rows(dtype, scale):
    x = normal(3, 6, dtype=dtype)
    close(layer_norm(x * scale), layer_norm(x))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_layer_norm_of_rows_whose_sum_overflows(dtype):
    x = torch.tensor([15.0, 14.0, -10.0, 15.5], dtype=dtype)
    huge = x * (torch.finfo(dtype).max / 16)
    assert huge.isfinite().all() and (huge[0] + huge[1]).isinf()
    close(layer_norm(huge), layer_norm(x), rtol=0, atol=4 * torch.finfo(dtype).eps)


def test_layer_norm_of_rows_far_from_zero():
    """2^52 + (0, 1, 3) has the directions of (0, 1, 3): nothing but the input may lose digits."""
    x = torch.tensor([0.0, 1.0, 3.0], dtype=torch.float64)
    close(layer_norm(x + 2.0**52), layer_norm(x), rtol=0, atol=1e-15)


# Frozen keys


def test_ascent_goes_up_the_log_partition():
    keys, x = normal(7, 3), normal(2, 4, 3, seed=1)
    times, points = ascend(keys, x, 3)
    assert times.tolist() == [0, 1, 2, 3] and points.shape == (4, 2, 4, 3)
    close(points[0], x, rtol=0, atol=0)
    close(points[2], points[1] + torch.softmax(points[1] @ keys.mT, -1) @ keys)
    values = torch.logsumexp(points @ keys.mT, -1)
    assert (values.diff(dim=0) > 0).all()
    batch = ascend(normal(5, 7, 3), x[0], 2).points
    assert batch.shape == (3, 5, 4, 3)
    close(batch[:, 2], ascend(normal(5, 7, 3)[2], x[0], 2).points)


# Exact recursions on the circle


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("beta", [1e-3, 0.3, 1.0, 4.0, 30.0])
def test_two_tokens(dim, beta):
    angle = torch.tensor([0.1, 0.7, 1.2, 1.5], dtype=torch.float64)
    x = circle(torch.stack([angle, -angle], -1))
    x = torch.cat([x, torch.zeros(4, 2, dim - 2, dtype=torch.float64)], -1)
    tangent = angle.tan()
    for _ in range(10):
        x = sphere_step(x, beta=beta, step_size=1)
        tangent = tangent / (1 + torch.exp(beta * (torch.cos(2 * tangent.atan()) - 1)))
        close(x[:, 0, 1] / x[:, 0, 0], tangent, rtol=1e-11, atol=0)
        close(x[:, 1, 1] / x[:, 1, 0], -tangent, rtol=1e-11, atol=0)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 60])
@pytest.mark.parametrize("beta", [0.1, 1.0, 9.0])
def test_regular_polygons_stay(count, beta):
    x = circle(0.3 + 2 * math.pi * torch.arange(count, dtype=torch.float64) / count)
    close(sphere_step(x, beta=beta, step_size=0.7), x, rtol=0, atol=1e-14)
    close(sphere_flow(x, beta=beta, time=1, step_size=0.25).points[-1], x, rtol=0, atol=1e-14)


def test_a_token_taken_to_the_origin_has_no_direction():
    """Four tokens, three opposite the first: at beta = 0+ it goes to x + 2 (1 - 3) / 4 x = 0."""
    x = torch.tensor([[1.0, 0, 0], [-1, 0, 0], [-1, 0, 0], [-1, 0, 0]], dtype=torch.float64)
    y = sphere_step(x, beta=1e-300, step_size=2)
    assert y[0].isnan().all() and (y[1:] == x[1:]).all()


# The flow on the sphere


def reference(tokens, beta, time):
    """The end of the flow by scipy, its field written out as sums."""
    shape = tokens.shape

    def field(_, x):
        x = x.reshape(shape)
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
        weights = np.exp(beta * (x @ x.T))
        force = weights @ x / weights.sum(1, keepdims=True)
        return (force - (force * x).sum(1, keepdims=True) * x).ravel()

    solution = solve_ivp(
        field, (0, time), tokens.numpy().ravel(), method="DOP853", rtol=1e-13, atol=1e-14
    )
    end = solution.y[:, -1].reshape(shape)
    return torch.from_numpy(end / np.linalg.norm(end, axis=1, keepdims=True))


@pytest.mark.parametrize("count, dim, beta", [(30, 2, 1.0), (5, 2, 4.0), (6, 3, 2.0)])
def test_global_error_is_of_order_four(count, dim, beta):
    x = on_sphere(count, dim)
    exact = reference(x, beta, 2.0)
    steps = [0.4, 0.2, 0.1, 0.05]
    ends = [sphere_flow(x, beta=beta, time=2.0, step_size=h).points[-1] for h in steps]
    errors = [(end - exact).abs().max().item() for end in ends]
    assert errors[-1] < 1e-5
    assert exponent(steps[1:], errors[1:]) == pytest.approx(4, abs=0.25)


@pytest.mark.parametrize("count, dim", [(30, 2), (6, 3)])
def test_local_error_of_a_step_is_of_order_two(count, dim):
    x = on_sphere(count, dim)
    steps = [0.04, 0.02, 0.01, 0.005]
    ends = [sphere_flow(x, beta=1.5, time=h, step_size=h / 4).points[-1] for h in steps]
    errors = [
        (sphere_step(x, beta=1.5, step_size=h) - end).abs().max().item()
        for h, end in zip(steps, ends)
    ]
    assert exponent(steps, errors) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("count, beta", [(2, 1.0), (5, 3.0), (12, 0.3)])
def test_orthogonal_start(count, beta):
    """Inner products stay equal to each other and follow one equation; for two tokens in the plane
    too.
    """

    def slope(_, g):
        total = np.exp(beta) + (count - 1) * np.exp(beta * g)
        return 2 * np.exp(beta * g) * (1 - g) * ((count - 1) * g + 1) / total

    for dim in {count, count + 3}:
        start = torch.eye(count, dim, dtype=torch.float64)
        times, points = sphere_flow(start, beta=beta, time=4.0, step_size=0.04)
        gram = points @ points.mT
        inner = gram[:, ~torch.eye(count, dtype=torch.bool)]
        exact = solve_ivp(
            slope, (0, 4), [0.0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times.numpy()
        ).y[0]
        assert exact[-1] > 0.9
        close(inner, torch.from_numpy(exact)[:, None].expand_as(inner), rtol=0, atol=1e-8)


@settings(max_examples=12)
@given(st.integers(2, 20), st.integers(2, 4), betas, seeds)
def test_interaction_energy_never_falls(count, dim, beta, seed):
    points = sphere_flow(on_sphere(count, dim, seed=seed), beta=beta, time=3, step_size=0.1).points
    energy = torch.exp(beta * (points @ points.mT - 1)).mean((-1, -2))
    assert (energy.diff() >= -4 * EPS[torch.float64] * beta).all()
    assert energy[-1] > energy[0]


def test_flow_has_its_start_its_times_and_its_shape():
    x = on_sphere(3, 5, 2)
    times, points = sphere_flow(x, beta=1.0, time=1.0, step_size=0.3)
    close(times, torch.tensor([0, 0.25, 0.5, 0.75, 1], dtype=torch.float64))
    assert points.shape == (5, 3, 5, 2)
    close(points[0], x, rtol=0, atol=EPS[torch.float64])
    over = 2.1, 0.3, 7
    assert over[0] / over[1] > over[2]  # a quotient that is rounded up makes no step more
    for time, step, count in (
        over,
        (0.3, 0.1, 3),
        (0.7, 0.1, 7),
        (1, 1, 1),
        (0.1, 5, 1),
        (1.0, 1 / 3, 3),
        (1e-300, 1e300, 1),
    ):
        times, points = sphere_flow(x, beta=1.0, time=time, step_size=step)
        assert len(times) == len(points) == count + 1 and times[-1] == time
    assert sphere_flow(x.float(), beta=1.0, time=1.0, step_size=0.5).times.dtype == torch.float32


# Standardised samples


def quantiles(law, count):
    return torch.from_numpy(law.ppf((np.arange(count) + 0.5) / count))


def test_attention_of_a_gaussian_is_affine():
    """mu + s^2 x as the samples fill the law: the error of midpoint quantiles falls by about
    1/count.
    """
    mean, scale, counts = 0.3, 0.6, [250, 1000, 4000]
    errors = []
    for count in counts:
        x = quantiles(norm(mean, scale), count)[:, None]
        inner = x[(x - mean).abs().squeeze() < scale]
        errors.append((attention(inner, x) - mean - scale**2 * inner).abs().max().item())
    assert errors[-1] < 1e-3 and -1.2 < exponent(counts, errors) < -0.8


@pytest.mark.parametrize("sign", [1, -1])
def test_gaussian_samples_move_less_the_more_they_are(sign):
    """A step moves them by less than half as much when they are four times as many."""
    moved = []
    for count in (250, 1000, 4000):
        x = quantiles(norm(0.3, 0.6), count)
        flow = standardized_flow(x, 1, sign=sign).points
        moved.append((flow[1] - x)[(x - 0.3).abs() < 0.6].abs().max().item())
    assert moved[0] < 2e-3 and moved[1] < moved[0] / 2 and moved[2] < moved[1] / 2


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("order", [3, 4, 5])
def test_hermite_modes_grow_or_fall_by_their_multipliers(sign, order):
    """1 + sign n s^(2n-2) / (1 + sign s^2): a displacement He_{n-1} of Gaussian samples."""
    s, epsilon, counts, errors = 0.5, 1e-5, [500, 2000], []
    multiplier = 1 + sign * order * s ** (2 * order - 2) / (1 + sign * s**2)
    for count in counts:
        z = quantiles(norm, count)
        coefficients = [0] * (order - 1) + [1]
        mode = torch.from_numpy(np.polynomial.hermite_e.hermeval(z.numpy(), coefficients))
        ends = [
            standardized_flow(s * z + e * mode, 1, sign=sign).points[1] for e in (epsilon, -epsilon)
        ]
        response = (ends[0] - ends[1]) / (2 * epsilon)
        basis = torch.from_numpy(np.polynomial.hermite_e.hermevander(z.numpy(), order - 1))
        fitted = torch.linalg.lstsq(basis, response[:, None]).solution[-1].item()
        errors.append(abs(fitted - multiplier))
    assert errors[1] < min(1e-2, errors[0] / 1.5)  # the tails are what few samples lack


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "samples",
    [
        [-1, 1],
        [0.2, 0.9],
        [-0.5, -0.5, -0.5, 1.25],
        [-0.7, 0, 0.7],
        [-1, -1, 0, 0, 0, 1, 1],
        [[0.3, 0.4], [-0.3, -0.4]],
        [[0.6, 0.8], [0.6, 0.8], [0.1, -0.2]],
    ],
)
def test_two_atoms_and_three_symmetric_ones_stay(samples, sign):
    x = torch.tensor(samples, dtype=torch.float64)
    close(standardized_flow(x, 5, sign=sign).points, x.expand(6, *x.shape), rtol=0, atol=1e-13)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "dtype, size",
    [
        (torch.float64, 1e-300),
        (torch.float64, 1e-161),
        (torch.float64, 1e150),
        (torch.float32, 1e-35),
        (torch.float32, 1e-22),
        (torch.float32, 1e15),
    ],
)
def test_deviations_of_any_size_are_kept(dtype, size, sign):
    x = torch.tensor([0.0, size], dtype=dtype)
    points = standardized_flow(x, 2, sign=sign).points
    close(points / size, (x / size).expand(3, 2), rtol=0, atol=4 * torch.finfo(dtype).eps)


def test_three_atoms_without_symmetry_move():
    x = torch.tensor([-1.0, 0.2, 1.0], dtype=torch.float64)
    assert (standardized_flow(x, 1).points[1] - x).abs().max() > 1e-3


def test_plus_minus_one_attracts_by_its_multiplier():
    """Pairs at ±1 ± d shrink by (1 + sech^2 1) / (1 + tanh 1), and a pair about 0 grows.

    It grows by 2 / (1 + tanh 1), with an error in proportion to its share of the law.
    """
    d = 1e-5
    pairs = torch.tensor([-1 - d, -1 + d, 1 - d, 1 + d], dtype=torch.float64)
    points = standardized_flow(pairs, 20).points
    shrinkage = (points[-1, 3] - points[-1, 2]) / (2 * d)
    multiplier = (1 + 1 / math.cosh(1) ** 2) / (1 + math.tanh(1))
    assert shrinkage.item() == pytest.approx(multiplier**20, rel=1e-5)
    errors = []
    for count in (100, 1000):
        x = torch.tensor([-1.0] * count + [-d, d] + [1.0] * count, dtype=torch.float64)
        growth = standardized_flow(x, 1).points[1, count + 1] / d
        errors.append(abs(growth.item() - 2 / (1 + math.tanh(1))))
    assert errors[1] < 1e-3 and errors[0] / errors[1] == pytest.approx(10, rel=0.05)


def test_normal_samples_flow_to_plus_minus_one():
    start = quantiles(norm, 200)
    points = standardized_flow(start, 200).points
    close(points[-1], start.sign() * start.std(correction=0), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "law", [scipy.stats.uniform, scipy.stats.laplace, scipy.stats.expon], ids=lambda law: law.name
)
def test_repelled_samples_become_gaussian(law):
    """With V = -I and s = 0.4 the distance to the Gaussian of the same mean and deviation falls at
    every step.
    """
    s, count = 0.4, 300
    start = quantiles(law, count)
    start = s * (start - start.mean()) / start.std(correction=0)
    points = standardized_flow(start, 200, sign=-1).points
    distance = (points - quantiles(norm(0, s), count)).square().mean(1).sqrt()
    assert (distance.diff() < 0).all() and distance[-1] < 0.45 * distance[0]


# Sums over keys on the circle


def quadratic(tokens, beta):
    """The two sums, from angles and in float64."""
    tokens = tokens.double()
    angles = torch.atan2(tokens[..., 1], tokens[..., 0])
    weights = torch.exp(beta * (torch.cos(angles.unsqueeze(-1) - angles.unsqueeze(-2)) - 1))
    return weights @ circle(angles) / weights.sum(-1, keepdim=True)


ARRANGEMENTS = {
    "anywhere": lambda n: 4 * normal(n),
    "regular": lambda n: 2 * math.pi * torch.arange(n, dtype=torch.float64) / n,
    "one cluster": lambda n: 1 + 1e-3 * normal(n),
    "one far from the others": (
        lambda n: torch.where(torch.arange(n) == 0, math.pi, 0.0) + 1e-2 * normal(n)
    ),
}


@pytest.mark.parametrize("arrangement", ARRANGEMENTS.values(), ids=ARRANGEMENTS)
@pytest.mark.parametrize("beta", [5e-324, 1e-3, 1.0, 30.0, 1e3])
@pytest.mark.parametrize("count", [1, 2, 3, 500])
def test_circle_attention(arrangement, beta, count):
    x = circle(arrangement(count))
    result = circle_attention(x, beta)
    close(result, attention(x, x, beta=beta), rtol=0, atol=1e-12)
    close(result, quadratic(x, beta), rtol=0, atol=1e-12)
    # In float32 the tokens are other tokens, but these have an attention to float32's rounding.
    x = x.float()
    result = circle_attention(x, beta)
    assert result.dtype == torch.float32
    exact = quadratic(x, beta)
    close(result.double(), exact, rtol=0, atol=1.5 * EPS[torch.float32])


@settings(max_examples=25)
@given(st.integers(1, 40), st.floats(-7, 7), seeds)
def test_circle_attention_of_any_tokens(count, log_beta, seed):
    x, beta = on_sphere(2, 3, count, 2, seed=seed), math.exp(log_beta)
    close(circle_attention(x, beta), attention(x, x, beta=beta), rtol=0, atol=1e-12)


@pytest.mark.parametrize("beta", [5e-324, 1e-300, 1e-3, 0.5, 1.0, 10.0, 1e3, 1e5])
def test_bessel_functions(beta):
    order = dynamics._order(beta)
    values = np.array(dynamics._bessel(max(beta, 1e-100), order + 1))
    exact = ive(np.arange(order + 200), max(beta, 1e-100))
    assert np.abs(values - exact[: order + 2]).sum() < 4e-15 * max(1, beta**0.25)
    assert 2 * exact[order:].sum() < 2**-52  # Chernoff's bound holds
    assert beta < 1e-99 or 2 * exact[order * 3 // 4 :].sum() > 2**-52  # and is not far off


def test_gradients_on_the_circle():
    x = on_sphere(2, 4, 2).requires_grad_()

    def by_quadratic_sum(x):
        unit = x / x.norm(dim=-1, keepdim=True)
        return attention(unit, unit, beta=1.7)

    def by_series(x):
        return circle_attention(x, 1.7)

    (gradient,) = torch.autograd.grad((by_series(x) ** 3).sum(), x)
    (exact,) = torch.autograd.grad((by_quadratic_sum(x) ** 3).sum(), x)
    close(gradient, exact, rtol=0, atol=1e-13)
    assert gradcheck(by_series, x, check_forward_ad=True) and gradgradcheck(by_series, x)
    for jacobian in (jacrev, jacfwd):
        close(
            jacobian(by_series)(x.detach()[0]),
            jacobian(by_quadratic_sum)(x.detach()[0]),
            rtol=0,
            atol=1e-13,
        )


@pytest.mark.parametrize("dim", [2, 3])
def test_gradients_of_flows(dim):
    x = on_sphere(9, dim).requires_grad_()
    assert gradcheck(lambda x: sphere_step(x, beta=0.8, step_size=0.5), x)
    assert gradcheck(lambda x: sphere_flow(x, beta=0.8, time=0.5, step_size=0.25).points[-1], x)
    assert gradcheck(lambda x: standardized_flow(x, 2).points, x)
    assert gradgradcheck(
        lambda x: sphere_step(x, beta=0.8, step_size=0.5), x[:3].detach().requires_grad_()
    )


def test_what_is_kept_belongs_to_no_mode():
    x = on_sphere(20, 2)

    def gradient():
        leaf = x.clone().requires_grad_()
        squares = sphere_step(leaf, beta=0.123, step_size=0.1).square().sum(0)
        return torch.autograd.grad(squares[0], leaf)[0]

    first = gradient()
    kept = [array.copy() for array in dynamics._fourier_series(0.123)]

    def inference():
        with torch.inference_mode():
            sphere_step(x, beta=0.123, step_size=0.1)

    def no_grad():
        with torch.no_grad():
            sphere_step(x, beta=0.123, step_size=0.1)

    def transform():
        jacrev(jacfwd(lambda x: sphere_step(x, beta=0.123, step_size=0.1)))(x[:5])

    def from_float32():
        sphere_step(x.float(), beta=0.123, step_size=0.1)

    for poison in (inference, no_grad, transform, from_float32):
        dynamics._fourier_series.cache_clear()
        poison()
        close(gradient(), first, rtol=0, atol=0)
        for array, before in zip(dynamics._fourier_series(0.123), kept):
            assert (array == before).all()


def test_inputs_are_left_as_they_are():
    x, samples = on_sphere(20, 2), normal(20)
    before, samples_before = x.clone(), samples.clone()
    sphere_flow(x, beta=1.0, time=1.0, step_size=0.5)
    sphere_step(x, beta=1.0, step_size=1)
    circle_attention(x, 1.0)
    standardized_flow(samples, 2)
    layer_norm(samples)
    ascend(x, x, 2)
    assert (x == before).all() and (samples == samples_before).all()


# Precision, layout, threads


@pytest.mark.parametrize("dim", [2, 3])
def test_float32(dim):
    """One step to rounding; a flow to the rounding of its steps, which may grow as the flow spreads
    tokens.
    """
    x = on_sphere(50, dim, dtype=torch.float32)
    step = sphere_step(x, beta=2.0, step_size=0.5)
    flow = sphere_flow(x, beta=2.0, time=2, step_size=0.1).points
    assert step.dtype == flow.dtype == torch.float32
    close(
        step.double(),
        sphere_step(x.double(), beta=2.0, step_size=0.5),
        rtol=0,
        atol=8 * EPS[torch.float32],
    )
    exact = sphere_flow(x.double(), beta=2.0, time=2, step_size=0.1).points
    close(flow.double(), exact, rtol=0, atol=20 * 8 * EPS[torch.float32])
    samples = normal(50, dim, dtype=torch.float32) / 2
    for sign in (1, -1):
        points = standardized_flow(samples, 3, sign=sign).points
        assert points.dtype == torch.float32
        close(
            points.double(),
            standardized_flow(samples.double(), 3, sign=sign).points,
            rtol=0,
            atol=1e-4,
        )


@pytest.mark.parametrize("dim", [2, 3])
def test_layout_does_not_matter(dim):
    x = on_sphere(dim, 40).mT / on_sphere(dim, 40).mT.norm(dim=-1, keepdim=True)
    wide = torch.zeros(80, 2 * dim, dtype=torch.float64)
    wide[::2, ::2] = x
    plain = x.contiguous()
    for view in (x, wide[::2, ::2]):
        assert not view.is_contiguous()
        close(
            sphere_step(view, beta=1.0, step_size=0.5),
            sphere_step(plain, beta=1.0, step_size=0.5),
            rtol=0,
            atol=1e-15,
        )
        close(layer_norm(view), layer_norm(plain), rtol=0, atol=1e-15)
        close(
            standardized_flow(view, 1).points,
            standardized_flow(plain, 1).points,
            rtol=0,
            atol=1e-14,
        )
    expanded = x[:1].expand(30, dim)  # stride 0: one token, thirty times
    close(sphere_step(expanded, beta=1.0, step_size=0.5), expanded, rtol=0, atol=1e-15)


@pytest.mark.parametrize("dim", [2, 3])
def test_threads_do_not_matter(dim):
    x, threads = on_sphere(2000, dim), torch.get_num_threads()
    results = []
    try:
        for count in (1, 2, 4, 1):
            torch.set_num_threads(count)
            results.append(
                [
                    sphere_step(x, beta=4.0, step_size=0.5),
                    standardized_flow(x, 2).points,
                    layer_norm(x),
                ]
            )
    finally:
        torch.set_num_threads(threads)
    for result in results[1:]:
        for a, b in zip(result, results[0]):
            close(a, b, rtol=0, atol=1e-14)
    for a, b in zip(results[3], results[0]):
        assert (a == b).all()  # and the same number of threads gives the same bits


# Edges


def test_nan_is_not_hidden():
    for dim in (2, 3):
        x = on_sphere(12, dim)
        x[3, 0] = NAN
        assert sphere_step(x, beta=1.0, step_size=0.5).isnan().all()
        assert sphere_flow(x, beta=1.0, time=1, step_size=0.5).points[1:].isnan().all()
        batch = torch.stack([x, on_sphere(12, dim)])
        y = sphere_step(batch, beta=1.0, step_size=0.5)
        assert y[0].isnan().all() and y[1].isfinite().all()
        assert standardized_flow(x, 2).points[1:].isnan().all()
        assert ascend(x, x[:3], 2).points[1:].isnan().all()
        assert layer_norm(x).isnan().any(-1).tolist() == [i == 3 for i in range(12)]
    assert layer_norm(torch.full((3,), NAN)).isnan().all()
    assert layer_norm(torch.tensor([INF, 0.0, 1.0])).isnan().all()


def test_no_tokens_in_a_batch():
    assert sphere_step(torch.zeros(0, 5, 2), beta=1.0, step_size=0.5).shape == (0, 5, 2)
    flow = sphere_flow(torch.zeros(0, 5, 3), beta=1.0, time=1, step_size=0.5)
    assert flow.points.shape == (3, 0, 5, 3)
    assert layer_norm(torch.zeros(0, 4)).shape == (0, 4)


def test_no_steps():
    x = normal(5)
    flow = standardized_flow(x, 0)
    assert flow.times.tolist() == [0] and (flow.points == x).all() and flow.points.shape == (1, 5)
    assert ascend(normal(3, 2), normal(4, 2), 0).points.shape == (1, 4, 2)
    assert ascend(normal(3, 2), normal(4, 2), np.int64(2)).points.shape == (3, 4, 2)


def test_numbers_of_other_types():
    x = on_sphere(4, 2)
    exact = sphere_step(x, beta=0.5, step_size=1)
    pairs = (Fraction(1, 2), 1), (np.float32(0.5), np.int64(1)), (np.float64(0.5), Fraction(1))
    for half, one in pairs:
        close(sphere_step(x, beta=half, step_size=one), exact, rtol=0, atol=0)
        close(
            sphere_flow(x, beta=half, time=one, step_size=half).points,
            sphere_flow(x, beta=0.5, time=1.0, step_size=0.5).points,
            rtol=0,
            atol=0,
        )


X, S = on_sphere(4, 3), normal(6)
OPTIONS = {"beta": 1.0, "step_size": 0.1}
FLOW = OPTIONS | {"time": 1.0}


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: sphere_step([[1.0, 0.0]], **OPTIONS), TypeError, "tokens is a list"),
        (lambda: sphere_step(X.numpy(), **OPTIONS), TypeError, "tokens is a ndarray"),
        (
            lambda: sphere_step(torch.eye(3, dtype=torch.int64), **OPTIONS),
            TypeError,
            "tokens has dtype torch.int64",
        ),
        (
            lambda: sphere_step(X.bfloat16(), **OPTIONS),
            TypeError,
            "tokens has dtype torch.bfloat16, needs a float32 or float64",
        ),
        (lambda: sphere_step(X.half(), **OPTIONS), TypeError, "torch.float16"),
        (lambda: sphere_step(X.to(torch.complex128), **OPTIONS), TypeError, "torch.complex128"),
        (lambda: sphere_step(X[0], **OPTIONS), ValueError, r"\(3,\), needs 2 dimensions"),
        (lambda: sphere_step(X[:, :1].sign(), **OPTIONS), ValueError, "d at least 2"),
        (lambda: sphere_step(X[:0], **OPTIONS), ValueError, "n at least 1"),
        (lambda: sphere_step(2 * X, **OPTIONS), ValueError, "norms from 2 to 2, needs 1"),
        (
            lambda: sphere_step(torch.cat([NAN * X[:1], 2 * X]), **OPTIONS),
            ValueError,
            "norms from 2 to 2",
        ),
        (lambda: sphere_step(X * 1.002, **OPTIONS), ValueError, "needs 1"),
        (
            lambda: sphere_step(X * torch.tensor([[1.0], [1], [0], [1]]), **OPTIONS),
            ValueError,
            "norms from 0 to 1",
        ),
        (lambda: sphere_step(X * INF, **OPTIONS), ValueError, "inf"),
        (
            lambda: sphere_step(X, beta=0.0, step_size=0.1),
            ValueError,
            "beta is 0.0, needs to be positive",
        ),
        (lambda: sphere_step(X, beta=-1, step_size=0.1), ValueError, "beta is -1"),
        (lambda: sphere_step(X, beta=INF, step_size=0.1), ValueError, "beta is inf"),
        (lambda: sphere_step(X, beta=NAN, step_size=0.1), ValueError, "beta is nan"),
        (
            lambda: sphere_step(X, beta=torch.tensor(1.0), step_size=0.1),
            TypeError,
            "beta is a Tensor, needs a number",
        ),
        (lambda: sphere_step(X, beta="1", step_size=0.1), TypeError, "beta is a str"),
        (lambda: sphere_step(X, beta=1.0, step_size=0), ValueError, "step_size is 0"),
        (lambda: sphere_step(X, beta=1.0, step_size=-0.1), ValueError, "step_size is -0.1"),
        (lambda: sphere_step(X, beta=1.0, step_size=True), TypeError, "step_size is a bool"),
        (lambda: sphere_flow(2 * X, **FLOW), ValueError, "needs 1"),
        (lambda: sphere_flow(X, **FLOW | {"time": -1.0}), ValueError, "time is -1.0"),
        (lambda: sphere_flow(X, **FLOW | {"time": INF}), ValueError, "time is inf"),
        (lambda: sphere_flow(X, **FLOW | {"step_size": NAN}), ValueError, "step_size is nan"),
        (
            lambda: sphere_flow(X, **FLOW | {"time": 1e9, "step_size": 1e-9}),
            ValueError,
            "needs to be at most a million",
        ),
        (
            lambda: sphere_flow(X, **FLOW | {"time": 1e300, "step_size": 1e-300}),
            ValueError,
            "needs to be at most a million",
        ),
        (lambda: circle_attention(X, 1.0), ValueError, r"\(4, 3\), needs \(..., n, 2\)"),
        (lambda: circle_attention(circle([1.0]), 0), ValueError, "beta is 0"),
        (lambda: circle_attention(2 * circle([1.0]), 1.0), ValueError, "needs 1"),
        (lambda: standardized_flow(S.tolist(), 1), TypeError, "samples is a list"),
        (lambda: standardized_flow(S.long(), 1), TypeError, "torch.int64"),
        (lambda: standardized_flow(S.bfloat16(), 1), TypeError, "needs a float32 or float64"),
        (lambda: standardized_flow(S[0], 1), ValueError, "needs 1 dimensions or more"),
        (lambda: standardized_flow(S[:1], 1), ValueError, "n at least 2"),
        (
            lambda: standardized_flow(S.reshape(1, 2, 3), 1),
            ValueError,
            r"\(1, 2, 3\), needs \(n,\) or \(n, d\)",
        ),
        (lambda: standardized_flow(torch.full((3,), 0.1), 1), ValueError, "all equal"),
        (
            lambda: standardized_flow(torch.full((7,), 0.1, dtype=torch.float64), 1),
            ValueError,
            "all equal",
        ),
        (lambda: standardized_flow(X[:1].expand(3, 3), 1), ValueError, "all equal"),
        (
            lambda: standardized_flow(100 * torch.tensor([-1.0, 1]), 1, sign=-1),
            ValueError,
            "spread of .* rounding",
        ),
        (lambda: standardized_flow(S, 1, sign=0), ValueError, "sign is 0, needs to be 1 or -1"),
        (lambda: standardized_flow(S, 1, sign=0.5), ValueError, "sign is 0.5"),
        (lambda: standardized_flow(S, 1, sign=torch.tensor([1, -1])), ValueError, "sign is tensor"),
        (lambda: standardized_flow(S, -1), ValueError, "steps is -1, needs at least 0"),
        (lambda: standardized_flow(S, 2.0), TypeError, "steps is 2.0, needs an integer"),
        (lambda: standardized_flow(S, True), TypeError, "steps is True"),
        (lambda: ascend(X, X, -1), ValueError, "steps is -1"),
        (lambda: ascend(X, X, 1.5), TypeError, "steps is 1.5"),
        (lambda: ascend(X.float(), X, 0), TypeError, "keys has dtype torch.float32"),
        (lambda: ascend(X[:, :2], X, 0), ValueError, "keys has shape"),
        (lambda: ascend(X, X.bfloat16(), 0), TypeError, "x has dtype torch.bfloat16"),
        (lambda: ascend(normal(2, 4, 3), normal(3, 4, 3), 1), ValueError, "do not broadcast"),
        (
            lambda: layer_norm(S.long()),
            TypeError,
            "x has dtype torch.int64, needs a floating tensor",
        ),
        (lambda: layer_norm(1.0), TypeError, "x is a float"),
        (lambda: layer_norm(S[0]), ValueError, "needs 1 dimensions"),
        (lambda: layer_norm(S[:1]), ValueError, "d at least 2"),
        (lambda: layer_norm(torch.zeros(2, 3)), ValueError, "row of equal entries"),
        (
            lambda: layer_norm(torch.tensor([[1.0, 2, 3], [0.1, 0.1, 0.1]])),
            ValueError,
            "row of equal entries",
        ),
    ],
)
def test_refusals(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_rows_close_to_norm_one_are_taken():
    close(sphere_step(X * 1.0009, **OPTIONS), sphere_step(X, **OPTIONS), rtol=0, atol=1e-15)


def test_steps_make_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sphere_step(on_sphere(20, 2).requires_grad_(), beta=1.0, step_size=0.5).sum().backward()
        standardized_flow(S.clone().requires_grad_(), 2).points.sum().backward()
