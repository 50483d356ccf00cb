"""Retrieval against scalar equations, unrolled iterations and published bounds; the law against
quadrature and scipy."""

import math

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import scipy.special
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck
from torch.func import jacfwd, jacrev

from logpartition.attention import attention, attention_covariance
from logpartition.hopfield import capacity_base, energy, log_normalizer, mixture_weights, retrieve

NAN, INF = math.nan, math.inf
laws = settings(deadline=None, max_examples=25, derandomize=True)
seeds = st.integers(0, 2**31)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def vector(*values):
    return torch.tensor(values, dtype=torch.float64)


def weights(state, patterns, beta):
    return (beta * state @ patterns.mT).softmax(-1)


# Energy


def test_energy_by_forty_digits():
    state, patterns, beta = normal(3), normal(5, 3, seed=1), 0.7
    with mpmath.workdps(40):
        terms = [
            mpmath.exp(mpmath.mpf(beta) * mpmath.fdot(state.tolist(), w)) for w in patterns.tolist()
        ]
        half = mpmath.fdot(state.tolist(), state.tolist()) / 2
        exact = float(half - mpmath.log(sum(terms)) / mpmath.mpf(beta))
    assert energy(state, patterns, beta=beta).item() == pytest.approx(exact, rel=1e-14)


def test_gradient_is_the_state_less_attention():
    state, patterns = normal(4, 3).requires_grad_(), normal(5, 3, seed=1).requires_grad_()
    (gradient,) = torch.autograd.grad(energy(state, patterns, beta=2.0).sum(), state)
    torch.testing.assert_close(gradient, (state - attention(state, patterns, beta=2.0)).detach())
    function = lambda *inputs: energy(*inputs, beta=2.0)  # noqa: E731
    assert gradcheck(function, (state, patterns)) and gradgradcheck(function, (state, patterns))


@laws
@given(st.integers(1, 6), st.integers(1, 4), st.floats(0.01, 50), seeds)
def test_ramsauer_bounds(count, dim, beta, seed):
    """0 <= E + log(N)/beta + M^2/2 <= 2 M^2 on the ball of radius M, and (|x| - M)^2 / 2 <= it
    everywhere."""
    patterns = normal(count, dim, seed=seed)
    largest = patterns.norm(dim=-1).max()
    direction = torch.nn.functional.normalize(normal(20, dim, seed=seed + 1), dim=-1)
    radius = torch.linspace(0, 2, 20, dtype=torch.float64).unsqueeze(-1) * largest
    raised = (
        energy(radius * direction, patterns, beta=beta) + math.log(count) / beta + largest**2 / 2
    )
    radius, rounding = radius.squeeze(-1), 1e-12 * (1 + largest**2)
    assert (raised >= (radius - largest) ** 2 / 2 - rounding).all()
    assert (raised <= (radius + largest) ** 2 / 2 + rounding).all()


@laws
@given(st.integers(1, 6), st.integers(1, 4), st.floats(0.05, 20), seeds)
def test_descent_is_a_square_and_a_divergence(count, dim, beta, seed):
    """E(x) - E(x') = |x - x'|^2 / 2 + KL(p || p') / beta."""
    state, patterns = normal(8, dim, seed=seed), normal(count, dim, seed=seed + 1)
    new = attention(state, patterns, beta=beta)
    p, log_p = weights(state, patterns, beta), (beta * state @ patterns.mT).log_softmax(-1)
    divergence = (p * (log_p - (beta * new @ patterns.mT).log_softmax(-1))).sum(-1)
    drop = energy(state, patterns, beta=beta) - energy(new, patterns, beta=beta)
    expected = (state - new).square().sum(-1) / 2 + divergence / beta
    torch.testing.assert_close(drop, expected, rtol=1e-10, atol=1e-12 / min(beta, 1))


# Retrieval


def pair(scale):
    return vector(scale, -scale).unsqueeze(-1)


@pytest.mark.parametrize("coupling", [1.05, 1.5, 4.0, 30.0])
def test_two_patterns_against_a_scalar_equation(coupling):
    """Patterns a and -a: a fixed point is a z with z = tanh(beta a^2 z), which scipy's bisection
    solves."""
    scale, beta = 0.8, coupling / 0.64
    z = scipy.optimize.brentq(lambda z: math.tanh(coupling * z) - z, 1e-3, 1, xtol=1e-15)
    start = vector(1.0, 0.01, -0.01, -3.0).unsqueeze(-1)
    found = retrieve(start, pair(scale), beta=beta, tolerance=1e-14, max_steps=5000)
    assert found.converged.all() and (found.residual <= 1e-14).all()
    rate = coupling * (1 - z * z)
    expected = vector(z, z, -z, -z).unsqueeze(-1) * scale
    torch.testing.assert_close(found.solution, expected, rtol=0, atol=2e-14 / (1 - rate))


def test_pitchfork():
    """Up to beta a^2 = 1 all starts come to 0; beyond it they leave, by the square root of three
    times the excess."""
    for coupling in (0.5, 0.9, 0.99):
        found = retrieve(
            vector(-2.0, 0.3).unsqueeze(-1),
            pair(1.0),
            beta=coupling,
            tolerance=1e-12,
            max_steps=5000,
        )
        assert found.converged.all() and (found.solution.abs() <= 1e-12 / (1 - coupling)).all()
    excess = vector(0.01, 0.02, 0.04)
    scale = (1 + excess).sqrt()
    patterns = torch.stack([scale, -scale], -1).unsqueeze(-1)  # one pair a row, at beta = 1
    start = (3 * excess).sqrt().unsqueeze(-1)
    found = retrieve(start, patterns, tolerance=1e-11, max_steps=10**4)
    assert found.converged.all()
    z = found.solution.squeeze(-1) / scale
    ratio = (z / (3 * excess).sqrt()).tolist()
    # extrapolated to no excess
    assert np.polyfit(excess, ratio, 2)[2] == pytest.approx(1, abs=1e-4)
    near, far = (z.log().diff() / excess.log().diff()).tolist()
    assert 2 * near - far == pytest.approx(0.5, abs=2e-3)


def test_where_valleys_merge_it_has_not_converged_and_says_so():
    """At beta a^2 = 1 the iteration z <- tanh z falls as sqrt(3 / (2 t)), with residuals of order
    t^(-3/2)."""
    steps = [100, 200, 400, 800]
    found = [retrieve(vector(1.0), pair(1.0), tolerance=1e-12, max_steps=t) for t in steps]
    assert not any(f.converged for f in found) and [f.steps.item() for f in found] == steps
    states, residuals = (
        torch.stack(x).flatten() for x in ([f.solution for f in found], [f.residual for f in found])
    )
    assert np.polyfit(np.log(steps), states.log(), 1)[0] == pytest.approx(-0.5, abs=0.01)
    assert np.polyfit(np.log(steps), residuals.log(), 1)[0] == pytest.approx(-1.5, abs=0.02)
    torch.testing.assert_close(residuals, states - torch.tanh(states))
    # A loose tolerance is met, while the fixed point 0 is 500 times farther than it.
    loose = retrieve(vector(1.0), pair(1.0), tolerance=1e-4, max_steps=10**4)
    assert loose.converged and loose.residual <= 1e-4 and loose.solution.item() > 0.05


def test_rate_is_the_norm_of_the_jacobian():
    patterns, beta = normal(6, 3, seed=3), 0.6
    fixed = retrieve(
        vector(0.5, 0.1, 0), patterns, beta=beta, tolerance=1e-15, max_steps=10**3
    ).solution
    rate = torch.linalg.eigvalsh(beta * attention_covariance(fixed[None], patterns, beta=beta)[0])[
        -1
    ].item()
    assert 0.7 < rate < 0.8
    residuals = [
        retrieve(
            fixed + 1e-3 * normal(3, seed=3), patterns, beta=beta, tolerance=1e-30, max_steps=t
        ).residual.item()
        for t in (30, 31)
    ]
    assert residuals[1] / residuals[0] == pytest.approx(rate, rel=1e-6)


@laws
@given(st.integers(2, 12), st.integers(1, 10), st.floats(0.2, 10), seeds)
def test_one_step_error_bounds(count, dim, beta, seed):
    """|f(x) - w_i| <= D (N-1) e^(-beta delta) / (1 + (N-1) e^(-beta delta)), D the largest distance
    to w_i, and Ramsauer's theorem 5, 2 M (N-1) e^(-beta delta), where delta = min_j <x, w_i - w_j>
    is positive."""
    patterns = normal(count, dim, seed=seed)
    states = patterns + 0.1 * normal(count, dim, seed=seed + 1)
    scores = states @ patterns.mT
    own = scores.diagonal()
    delta = own - scores.masked_fill(torch.eye(count, dtype=torch.bool), -INF).amax(-1)
    new = retrieve(states, patterns, beta=beta, tolerance=1e-300, max_steps=1).solution
    error, odds = (new - patterns).norm(dim=-1), (count - 1) * torch.exp(-beta * delta)
    far = torch.cdist(patterns, patterns).amax(-1)
    assert (error <= far * odds / (1 + odds) + 1e-12).all()
    assert (error <= 2 * patterns.norm(dim=-1).max() * odds + 1e-12)[delta > 0].all()


def test_retrieved_state_is_in_the_hull():
    patterns = normal(4, 6)
    state = retrieve(
        normal(6, seed=1), patterns, beta=0.5, tolerance=1e-10, max_steps=1000
    ).solution
    stacked = np.vstack([patterns.numpy().T, np.ones(4)])
    found = scipy.optimize.nnls(stacked, np.append(state.numpy(), 1))
    # the relative interior: all weights are positive
    assert found[1] < 1e-12 and (found[0] > 0).all()


def test_rows_stop_by_themselves():
    patterns, states = 2 * normal(6, 3), normal(5, 3, seed=1)
    options = {"beta": 0.8, "tolerance": 1e-11, "max_steps": 500}
    together = retrieve(states, patterns, **options)
    assert together.converged.all() and len(set(together.steps.tolist())) > 1
    for i in range(5):
        alone = retrieve(states[i], patterns, **options)
        torch.testing.assert_close(alone.solution, together.solution[i], rtol=0, atol=1e-14)
        assert alone.steps == together.steps[i] and alone.residual.shape == ()
        again = retrieve(alone.solution, patterns, **options)
        assert again.steps == 0 and (again.solution == alone.solution).all()
    short = retrieve(
        states, patterns, beta=0.8, tolerance=1e-11, max_steps=together.steps.min().item()
    )
    assert short.converged.tolist() == (together.steps == together.steps.min()).tolist()


SHAPES = [
    ((3,), (5, 3)),
    ((4, 3), (5, 3)),
    ((2, 4, 3), (5, 3)),
    ((2, 3), (2, 5, 3)),
    ((3,), (2, 5, 3)),
    ((4, 1, 3), (2, 5, 3)),
    ((0, 3), (5, 3)),
    ((2, 0), (5, 0)),
]


@pytest.mark.parametrize("state, patterns", SHAPES)
def test_shapes(state, patterns):
    state, patterns = normal(*state), normal(*patterns, seed=1)
    lead = torch.broadcast_shapes(state.shape[:-1], patterns.shape[:-2])
    assert energy(state, patterns).shape == lead
    found = retrieve(state, patterns, beta=0.2, tolerance=1e-8, max_steps=1000)
    assert found.solution.shape == lead + state.shape[-1:]
    assert found.residual.shape == found.converged.shape == found.steps.shape == lead
    assert found.converged.all() and found.steps.dtype == torch.int64
    if state.numel():
        states = state.expand(*lead, -1).reshape(-1, 3)
        batches = patterns.expand(*lead, 5, 3).reshape(-1, 5, 3)
        for x, w, value, end in zip(
            states, batches, energy(state, patterns).reshape(-1), found.solution.reshape(-1, 3)
        ):
            torch.testing.assert_close(energy(x, w), value)
            torch.testing.assert_close(
                retrieve(x, w, beta=0.2, tolerance=1e-8, max_steps=1000).solution, end
            )


# Derivatives of the fixed point


def test_implicit_derivatives():
    patterns, states = (2 * normal(5, 2)).requires_grad_(), vector(1, 1, -1, 0.2).reshape(2, 2)

    def solution(patterns):
        return retrieve(states, patterns, beta=0.9, tolerance=1e-13, max_steps=5000).solution

    assert gradcheck(solution, patterns) and gradgradcheck(solution, patterns, fast_mode=True)
    unrolled = states
    for _ in range(400):
        unrolled = attention(unrolled, patterns, beta=0.9)
    expected = torch.autograd.grad(unrolled.sum(), patterns)[0]
    torch.testing.assert_close(torch.autograd.grad(solution(patterns).sum(), patterns)[0], expected)
    for jacobian in (jacrev, jacfwd):
        torch.testing.assert_close(jacobian(solution)(patterns.detach()).sum((0, 1)), expected)


def test_third_derivative_of_two_patterns():
    """z = tanh(c z) with c = a^2 beta: derivatives of z in a from the equation, by mpmath's
    differences. The fourth is off, as the docstring says."""

    def exact(scale):
        return mpmath.findroot(lambda z: mpmath.tanh(scale**2 * z) - z, 0.95) * scale

    scale = vector(1.4)[0].requires_grad_()
    patterns = torch.stack([scale, -scale]).unsqueeze(-1)
    x = retrieve(vector(1.0), patterns, tolerance=1e-15, max_steps=1000).solution[0]
    with mpmath.workdps(40):
        for order in range(5):
            expected = float(mpmath.diff(exact, mpmath.mpf(1.4), order))
            assert (x.item() == pytest.approx(expected, rel=1e-11)) == (order < 4)
            if order < 4:
                (x,) = torch.autograd.grad(x, scale, create_graph=True)


def test_rows_that_have_not_converged_are_constants():
    patterns = pair(1.0).requires_grad_()
    found = retrieve(
        vector(1.0, 0.0).unsqueeze(-1), 2 * patterns, beta=0.3, tolerance=1e-12, max_steps=3
    )
    assert found.converged.tolist() == [False, True]
    (gradient,) = torch.autograd.grad(found.solution[0].sum(), patterns, retain_graph=True)
    assert (gradient == 0).all()
    (gradient,) = torch.autograd.grad(found.solution[1].sum(), patterns)
    expected = 2 * 0.5 / (1 - 0.3 * 2**2)  # at 0 both weights are 1/2, and the covariance is 2^2
    assert gradient.flatten().tolist() == pytest.approx([expected, expected])


def test_no_derivative_where_valleys_merge():
    patterns = pair(1.0).requires_grad_()
    with pytest.raises(RuntimeError, match="retrieve: I - beta Cov_p is singular"):
        retrieve(vector(0.0), patterns, tolerance=1e-12, max_steps=1)
    assert retrieve(vector(0.0), patterns.detach(), tolerance=1e-12, max_steps=1).converged


# The law


@pytest.mark.parametrize("dim", [1, 2])
def test_log_normalizer_by_quadrature(dim):
    patterns = 1.5 * normal(4, dim)
    grid = torch.linspace(-14, 14, 1401, dtype=torch.float64)
    points = torch.cartesian_prod(*[grid] * dim).reshape(-1, dim)
    # spectrally exact for a smooth rapid decay
    total = torch.exp(-energy(points, patterns)).sum() * 0.02**dim
    assert log_normalizer(patterns).item() == pytest.approx(total.log().item(), rel=1e-13)


def test_law_is_a_mixture_and_the_update_its_denoiser():
    patterns, points = normal(5, 3), normal(7, 3, seed=1).requires_grad_()
    log_density = -energy(points, patterns) - log_normalizer(patterns)
    mixture = sum(
        w * scipy.stats.multivariate_normal(m, np.eye(3)).pdf(points.detach().numpy())
        for w, m in zip(mixture_weights(patterns).tolist(), patterns.numpy())
    )
    assert log_density.exp().tolist() == pytest.approx(mixture.tolist(), rel=1e-12)
    (score,) = torch.autograd.grad(log_density.sum(), points)
    torch.testing.assert_close((points + score).detach(), attention(points, patterns).detach())
    printed = (patterns.square().sum(-1) / 2).exp() / log_normalizer(patterns).exp()
    assert printed.sum().item() == pytest.approx((2 * math.pi) ** -1.5)


@laws
@given(st.integers(1, 8), st.integers(1, 6), seeds)
def test_mixture_weights(count, dim, seed):
    """Softmax of half the squared norms, and within e^-Delta/N and e^Delta/N, Delta the range of
    these."""
    patterns = normal(count, dim, seed=seed)
    half = [sum(x * x for x in row) / 2 for row in patterns.tolist()]
    total = math.fsum(map(math.exp, half))
    found = mixture_weights(patterns).tolist()
    assert found == pytest.approx([math.exp(h) / total for h in half], rel=1e-13)
    spread = math.exp(max(half) - min(half))
    assert all(
        1 / spread <= w * count * (1 + 1e-12) and w * count <= spread * (1 + 1e-12) for w in found
    )


def test_weights_of_many_patterns():
    """Of a hundred standard normal patterns in 64 dimensions, a handful carry all the weight."""
    effective = [
        1 / mixture_weights(normal(100, 64, seed=seed)).square().sum().item() for seed in range(20)
    ]
    assert 1 <= min(effective) and max(effective) < 10
    patterns = torch.nn.functional.normalize(normal(100, 64), dim=-1)
    torch.testing.assert_close(
        mixture_weights(patterns), torch.full((100,), 0.01, dtype=torch.float64)
    )


def test_derivatives_of_the_law():
    patterns = normal(4, 3).requires_grad_()
    for function in (mixture_weights, log_normalizer):
        assert gradcheck(function, patterns) and gradgradcheck(function, patterns)
    (gradient,) = torch.autograd.grad(log_normalizer(patterns), patterns)
    torch.testing.assert_close(
        gradient, (mixture_weights(patterns).unsqueeze(-1) * patterns).detach()
    )


# Capacity


def by_scipy(beta, radius, dim, failure):
    a = 2 / (dim - 1) * (1 + math.log(2 * beta * radius**2 * failure * (dim - 1)))
    b = 2 * radius**2 * beta / 5
    return b / scipy.special.lambertw(math.exp(a + math.log(b))).real, a + math.log(b)


def test_published_capacities():
    """Ramsauer et al. (2021), theorem 3: c >= 3.1546 and 1.3718, with a + ln b > 1.27 and <
    -0.94."""
    for options, printed, low, high in (
        ((1, 3, 20, 0.001), 3.1546, 1.27, 1.28),
        ((1, 1, 75, 0.001), 1.3718, -0.95, -0.94),
    ):
        assert capacity_base(*options) == pytest.approx(printed, abs=1e-4)
        exact, exponent = by_scipy(*options)
        assert capacity_base(*options) == pytest.approx(exact, rel=1e-14) and low < exponent < high


@laws
@given(st.floats(1e-3, 1e3), st.floats(0.05, 50), st.integers(2, 10**4), st.floats(1e-9, 1))
def test_capacity_against_scipy(beta, radius, dim, failure):
    expected, exponent = by_scipy(beta, radius, dim, failure)
    least = (2 / math.sqrt(failure)) ** (4 / (dim - 1))
    if beta * radius**2 * (dim - 1) < 1:
        with pytest.raises(ValueError, match="only one pattern can be stored"):
            capacity_base(beta, radius, dim, failure)
    elif expected < least * (1 - 1e-9):
        with pytest.raises(ValueError, match="needs"):
            capacity_base(beta, radius, dim, failure)
    elif expected > least * (1 + 1e-9):
        found = capacity_base(beta, radius, dim, failure)
        assert found == pytest.approx(expected, rel=1e-11)
        a, b = exponent - math.log(2 * radius**2 * beta / 5), 2 * radius**2 * beta / 5
        assert b / found * math.exp(b / found) == pytest.approx(b * math.exp(a), rel=1e-10)


def test_theorem_3_says_too_much_of_a_contraction():
    """At beta = 0.001, K = 1, d = 20, p = 0.001 its condition holds, and it promises three
    patterns; there is one fixed point, because beta M^2 = 0.019 bounds the norm of the Jacobian."""
    expected, _ = by_scipy(0.001, 1, 20, 0.001)
    assert expected > (2 / math.sqrt(0.001)) ** (4 / 19)
    assert math.sqrt(0.001) * expected ** (19 / 4) > 3.1
    patterns = math.sqrt(19) * torch.nn.functional.normalize(normal(200, 3, 20), dim=-1)
    for stored in patterns:
        found = retrieve(stored, stored, beta=0.001, tolerance=1e-13, max_steps=50)
        assert found.converged.all()
        assert (found.solution - found.solution[0]).abs().max() < 1e-12
    with pytest.raises(ValueError, match="only one pattern"):
        capacity_base(0.001, 1, 20, 0.001)


def test_capacity_of_extremes():
    """Where e^(a + log b) overflows, W(e^z) = z - log z + log(z) / z up to (log z / z)^2."""
    log_scale = 300 * math.log(10)
    a, log_b = 2 / 99 * (1 + math.log(99) + log_scale), math.log(0.4) + log_scale
    z = a + log_b
    w = z - math.log(z) + math.log(z) / z
    found = capacity_base(1e100, 1e100, 100, 0.5)
    assert math.log(found) == pytest.approx(log_b - math.log(w), abs=(math.log(z) / z) ** 2)
    assert capacity_base(1e300, 1e300, 100, 0.5) == INF
    with pytest.raises(ValueError, match="only one pattern"):
        capacity_base(1e-300, 1e-100, 2, 1e-300)
    # Where the dimension is beyond a float, a = 0 and anything above 1 will do.
    assert capacity_base(1, 1, 10**400, 5e-324) == pytest.approx(
        0.4 / scipy.special.lambertw(0.4).real
    )


# Edges


def test_extremes():
    patterns = vector(1, 0, 0, 1).reshape(2, 2)
    found = retrieve(vector(0.6, 0.4), patterns, beta=1e6, tolerance=1e-12, max_steps=5)
    assert found.converged and found.solution.tolist() == [1, 0]
    assert energy(vector(0.6, 0.4), patterns, beta=1e300).item() == pytest.approx(0.26 - 0.6)
    assert energy(vector(0.6, 0.4), patterns, beta=1e-300).item() == pytest.approx(
        -math.log(2) * 1e300
    )
    big = retrieve(vector(1e200, -1e200), patterns, tolerance=1e-9, max_steps=100)
    assert big.converged.all() and big.solution.isfinite().all()
    one = retrieve(vector(5, 5), patterns[:1], tolerance=1e-12, max_steps=3)
    assert one.solution.tolist() == [1, 0] and one.steps == 1
    assert mixture_weights(1e3 * patterns).tolist() == [0.5, 0.5]
    assert log_normalizer(1e3 * patterns).item() == pytest.approx(5e5 + math.log(4 * math.pi))


def test_nan_and_infinity():
    patterns, states = normal(4, 3), normal(3, 3, seed=1)
    states[1, 0], states[2, 2] = NAN, INF
    found = retrieve(states, patterns, beta=0.3, tolerance=1e-9, max_steps=500)
    assert found.converged.tolist() == [True, False, False] and found.residual[0] <= 1e-9
    assert not (found.residual[1:] <= 1e-9).any()
    assert energy(states, patterns)[0].isfinite() and energy(states, patterns)[1].isnan()
    patterns[2, 1] = NAN
    found = retrieve(states, patterns, tolerance=1e-9, max_steps=50)
    assert not found.converged.any() and energy(states, patterns).isnan().all()
    assert mixture_weights(patterns).isnan().all() and log_normalizer(patterns).isnan()


def test_nan_in_one_row_leaves_the_gradients_of_others():
    states, patterns = normal(2, 3), normal(4, 3, seed=1).requires_grad_()
    states[1, 0] = NAN
    found = retrieve(states, patterns, beta=0.3, tolerance=1e-12, max_steps=500)
    (gradient,) = torch.autograd.grad(found.solution[0].sum(), patterns, retain_graph=True)
    alone = retrieve(states[0], patterns, beta=0.3, tolerance=1e-12, max_steps=500)
    torch.testing.assert_close(gradient, torch.autograd.grad(alone.solution.sum(), patterns)[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_low_precision(dtype):
    state, patterns = normal(3).to(dtype), normal(5, 3, seed=1).to(dtype)
    eps = torch.finfo(dtype).eps
    for function in (
        lambda x, w: energy(x, w, beta=0.5),
        lambda x, w: mixture_weights(w),
        lambda x, w: log_normalizer(w),
    ):
        result = function(state, patterns)
        assert result.dtype == dtype
        torch.testing.assert_close(
            result.double(), function(state.double(), patterns.double()), rtol=4 * eps, atol=4 * eps
        )
    if dtype == torch.float32:
        found = retrieve(state, patterns, beta=0.5, tolerance=1e-6, max_steps=100)
        exact = retrieve(
            state.double(), patterns.double(), beta=0.5, tolerance=1e-12, max_steps=500
        )
        assert found.converged and found.solution.dtype == dtype
        torch.testing.assert_close(found.solution.double(), exact.solution, rtol=0, atol=1e-5)
        assert not retrieve(state, patterns, beta=0.5, tolerance=1e-30, max_steps=3).converged


X, W = normal(2, 3), normal(4, 3, seed=1)
SOLVE = {"tolerance": 1e-9, "max_steps": 10}
WRONG = [
    (TypeError, "state is a list, needs a floating tensor", lambda: energy([1.0], W)),
    (TypeError, "state has dtype torch.int64, needs a floating dtype", lambda: energy(X.long(), W)),
    (
        TypeError,
        "patterns has dtype torch.float32, needs torch.float64, that of state",
        lambda: energy(X, W.float()),
    ),
    (
        TypeError,
        "patterns has dtype torch.complex128",
        lambda: log_normalizer(W.to(torch.complex128)),
    ),
    (TypeError, "patterns is a NoneType", lambda: mixture_weights(None)),
    (TypeError, "beta is a Tensor, needs a number", lambda: energy(X, W, beta=torch.tensor(1.0))),
    (TypeError, "beta is a bool", lambda: energy(X, W, beta=True)),
    (
        TypeError,
        "state has dtype torch.float16, needs float32 or float64",
        lambda: retrieve(X.half(), W.half(), **SOLVE),
    ),
    (
        TypeError,
        "max_steps is 2.0, needs an integer",
        lambda: retrieve(X, W, tolerance=1.0, max_steps=2.0),
    ),
    (
        TypeError,
        "required keyword-only arguments: 'tolerance' and 'max_steps'",
        lambda: retrieve(X, W),
    ),
    (TypeError, "tolerance is a str", lambda: retrieve(X, W, tolerance="small", max_steps=2)),
    (ValueError, "beta is 0, needs to be positive", lambda: energy(X, W, beta=0)),
    (ValueError, "beta is -1", lambda: retrieve(X, W, beta=-1, **SOLVE)),
    (ValueError, "beta is nan", lambda: energy(X, W, beta=NAN)),
    (
        ValueError,
        "tolerance is 0, needs to be positive",
        lambda: retrieve(X, W, tolerance=0, max_steps=2),
    ),
    (
        ValueError,
        "max_steps is 0, needs at least 1",
        lambda: retrieve(X, W, tolerance=1.0, max_steps=0),
    ),
    (
        ValueError,
        r"patterns has shape \(0, 3\), needs \(..., N, d\) with N >= 1",
        lambda: energy(X, W[:0]),
    ),
    (ValueError, r"patterns has shape \(3,\), needs \(..., N, d\)", lambda: log_normalizer(W[0])),
    (ValueError, r"state has shape \(2, 2\), needs \(..., 3\)", lambda: energy(X[:, :2], W)),
    (ValueError, r"state has shape \(\), needs \(..., 3\)", lambda: energy(X.sum(), W)),
    (
        ValueError,
        r"do not broadcast: state \(2,\), patterns \(3,\)",
        lambda: energy(X, W.expand(3, 4, 3)),
    ),
    (
        ValueError,
        "patterns is on meta, needs cpu, the device of state",
        lambda: energy(X, W.to("meta")),
    ),
    (TypeError, "dim is 20.0, needs an integer", lambda: capacity_base(1, 3, 20.0, 0.001)),
    (TypeError, "radius is a Tensor", lambda: capacity_base(1, torch.tensor(3.0), 20, 0.001)),
    (ValueError, "dim is 1, needs at least 2", lambda: capacity_base(1, 3, 1, 0.001)),
    (ValueError, "failure is 1.5, needs to be a probability", lambda: capacity_base(1, 3, 20, 1.5)),
    (ValueError, "failure is 0, needs to be positive", lambda: capacity_base(1, 3, 20, 0)),
    (ValueError, "radius is -3", lambda: capacity_base(1, -3, 20, 0.001)),
    (
        ValueError,
        r"give c = 7.1703, needs .* = 63.246 or more",
        lambda: capacity_base(1, 1, 5, 0.001),
    ),
]


IDS = [f"{i} {message}" for i, (_, message, _) in enumerate(WRONG)]


@pytest.mark.parametrize("error, message, call", WRONG, ids=IDS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()
