"""Each dual against its primal: scipy's optimisers, forty-digit roots, enumeration, and the
families' conjugates."""

import math

import mpmath
import numpy as np
import pytest
import scipy.optimize
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck
from torch.func import jacfwd, jacrev

from logpartition.attention import attention, log_partition
from logpartition.duality import (
    evidence_lower_bound,
    exponential_loss_dual,
    inverse_attention,
    maximum_entropy,
)
from logpartition.families import Empirical

NAN, INF = math.nan, math.inf
laws = settings(deadline=None, max_examples=25, derandomize=True)
seeds = st.integers(0, 2**31)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def uniform(*shape, seed=0):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def vector(*values):
    return torch.tensor(values, dtype=torch.float64)


def bisect(function, low, high):
    """The root of a falling function of mpmath's, to its digits."""
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    assert function(low) > 0 > function(high)
    while high - low > mpmath.eps * max(abs(low), abs(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low


def entropy(p):
    return torch.special.entr(p).sum(-1)


# Maximum entropy


def test_jaynes_dice():
    """Jaynes's die with mean 4.5 in place of 3.5: 0.05435, 0.07877, 0.11416, 0.16545, 0.23977,
    0.34749."""
    found = maximum_entropy(torch.arange(1, 7, dtype=torch.float64), vector(4.5)[0])
    printed = [0.05435, 0.07877, 0.11416, 0.16545, 0.23977, 0.34749]
    assert found.probabilities.tolist() == pytest.approx(printed, abs=6e-6)
    assert found.beta.item() == pytest.approx(-0.37105, abs=5e-6)
    assert found.entropy.item() == pytest.approx(1.61358, abs=5e-6)


@pytest.mark.parametrize(
    "energies, mean",
    [
        ([0.0, 1.0, 3.5, 3.5], 0.7),
        ([-2.0, 5.0], 4.999),
        ([1.0, 2.0, 4.0, 8.0], 1.0001),
        ([1e6, 1e6 + 1, 1e6 + 3], 1e6 + 1.25),
        ([1e-9, 2e-9, 5e-9], 3e-9),
    ],
)
def test_forty_digits(energies, mean):
    with mpmath.workdps(60):
        e, size = [mpmath.mpf(x) for x in energies], mpmath.mpf(max(energies) - min(energies))

        def excess(b):
            weights = [mpmath.exp(-b / size * (x - e[0])) for x in e]
            return mpmath.fdot(weights, e) / sum(weights) - mpmath.mpf(mean)

        b = bisect(excess, -100, 100)
        weights = [mpmath.exp(-b / size * (x - e[0])) for x in e]
        p = [w / sum(weights) for w in weights]
        exact = [float(b / size), [float(x) for x in p], float(-sum(x * mpmath.log(x) for x in p))]
    found = maximum_entropy(vector(*energies), vector(mean)[0])
    assert found.beta.item() == pytest.approx(exact[0], rel=1e-12)
    assert found.probabilities.tolist() == pytest.approx(exact[1], rel=1e-11)
    assert found.entropy.item() == pytest.approx(exact[2], rel=1e-11)


def test_primal_by_scipy():
    """Sequential quadratic programming over the simplex knows nothing of Boltzmann."""
    energies, mean = np.array([0.0, 0.4, 1.1, 2.0, 2.5]), 0.8
    best = scipy.optimize.minimize(
        lambda p: (p * np.log(p)).sum(),
        np.full(5, 0.2),
        jac=lambda p: 1 + np.log(p),
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        options={"ftol": 1e-15, "maxiter": 500},
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ energies - mean},
        ],
    )
    found = maximum_entropy(torch.from_numpy(energies), vector(mean)[0])
    assert found.entropy.item() == pytest.approx(-best.fun, abs=1e-10)
    assert found.probabilities.tolist() == pytest.approx(best.x.tolist(), abs=1e-6)


@laws
@given(st.integers(2, 8), seeds, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_laws_of_maximum_entropy(count, seed, scale, shift):
    """The constraint holds; H_max - H(p) = KL(p || p_beta) for every p with that mean; shifts and
    scales of the energies."""
    energies, p = scale * normal(count, seed=seed) + shift, normal(count, seed=seed + 1).softmax(-1)
    mean = p @ energies
    found = maximum_entropy(energies, mean)
    rounding = 1e-13 * (scale + abs(shift))
    assert (found.probabilities @ energies - mean).abs() < 4 * rounding
    assert found.entropy.item() == pytest.approx(entropy(found.probabilities).item(), abs=1e-13)
    gap = (p * (p.log() - found.probabilities.log())).sum()
    assert (found.entropy - entropy(p)).item() == pytest.approx(
        gap.item(), abs=1e-10 * (1 + abs(shift) / scale)
    )
    assert gap >= -1e-12 and found.entropy <= math.log(count) + 1e-14
    assert (found.beta > 0) == (mean < energies.mean()) or abs(found.beta * scale) < 1e-9
    moved = maximum_entropy(2 * energies, 2 * mean)
    torch.testing.assert_close(moved.beta, found.beta / 2)
    negative = maximum_entropy(-energies, -mean)
    torch.testing.assert_close(negative.beta, -found.beta)
    torch.testing.assert_close(negative.probabilities, found.probabilities)


def test_derivatives_of_maximum_entropy():
    energies, mean = normal(2, 4).requires_grad_(), vector(0.1, -0.2).requires_grad_()
    function = lambda *inputs: tuple(maximum_entropy(*inputs))  # noqa: E731
    assert gradcheck(function, (energies, mean))
    assert gradgradcheck(function, (energies, mean), fast_mode=True)
    found = maximum_entropy(energies, mean)
    slope = torch.autograd.grad(found.entropy.sum(), (energies, mean), retain_graph=True)
    torch.testing.assert_close(slope[1], found.beta.detach())  # dH/dU
    torch.testing.assert_close(slope[0], (-found.beta.unsqueeze(-1) * found.probabilities).detach())
    for jacobian in (jacrev, jacfwd):
        result = jacobian(lambda U: maximum_entropy(energies.detach(), U).entropy)(mean.detach())
        torch.testing.assert_close(result.diagonal(), found.beta.detach())


def test_derivatives_of_beta_are_cumulants_inverted():
    """U = K'(-beta): beta' = -1/k2, beta'' = k3/k2^3, beta''' = -(3 k3^2 - k2 k4)/k2^5, cumulants
    of the energies at p."""
    energies, mean = vector(0, 1, 3, 4), vector(1.7)[0].requires_grad_()
    beta = maximum_entropy(energies, mean).beta
    p = maximum_entropy(energies, mean.detach()).probabilities
    _, k2, k3, k4 = (float(k) for k in Empirical(energies, p).cumulants(4))
    for expected in (-1 / k2, k3 / k2**3, -(3 * k3**2 - k2 * k4) / k2**5):
        (beta,) = torch.autograd.grad(beta, mean, create_graph=True)
        assert beta.item() == pytest.approx(expected, rel=1e-10)


def test_ends_of_the_range():
    energies = vector(1, 0, 0, 5).requires_grad_()
    mean = vector(0, 5, 1.5).requires_grad_()
    found = maximum_entropy(energies, mean)
    assert found.beta.tolist() == [INF, -INF, pytest.approx(0, abs=1e-15)]
    assert found.probabilities.tolist()[:2] == [[0, 0.5, 0.5, 0], [0, 0, 0, 1]]
    assert found.entropy.tolist() == pytest.approx([math.log(2), 0, math.log(4)])
    gradients = torch.autograd.grad(
        found.entropy.sum() + found.probabilities[:, 0].sum(), (energies, mean)
    )
    assert all(g.isfinite().all() for g in gradients) and gradients[1][:2].tolist() == [0, 0]
    flat = maximum_entropy(vector(0.1, 0.1, 0.1), vector(0.1, 0.1 + 2e-17))
    assert flat.beta.tolist() == [0, 0]
    assert flat.probabilities.unique().tolist() == pytest.approx([1 / 3])
    one = maximum_entropy(vector(7), vector(7)[0])
    assert one.beta == 0 and one.probabilities.tolist() == [1] and one.entropy == 0


def test_approach_to_an_end_by_its_exponent():
    """With a gap of 2 between levels, U = 2 e^(-2 beta) (2/1) to first order: beta grows as
    -log(U)/2, H as U log(1/U)/2."""
    mean = torch.logspace(-12, -8, 5, dtype=torch.float64)
    found = maximum_entropy(vector(0, 2, 2), mean)
    assert np.polyfit(mean.log(), found.beta, 1)[0] == pytest.approx(-0.5, abs=1e-6)
    torch.testing.assert_close(found.beta, -(mean / 4).log() / 2, rtol=0, atol=1e-8)
    torch.testing.assert_close(
        found.entropy, mean / 2 * (1 + math.log(4) - mean.log()), rtol=1e-7, atol=1e-15
    )
    # beta overflows, and the law does not
    subnormal = maximum_entropy(vector(0, 1e-310, 3e-310), vector(1e-310)[0])
    exact = maximum_entropy(vector(0, 1, 3), vector(1)[0])
    assert subnormal.beta == INF
    assert subnormal.entropy.item() == pytest.approx(exact.entropy.item(), rel=1e-12)
    torch.testing.assert_close(subnormal.probabilities, exact.probabilities)
    tiny = maximum_entropy(vector(0, 1e-10, 1), vector(1e-300, 1e-12))
    torch.testing.assert_close(tiny.probabilities[:, 1], vector(1e-290, 1e-2), rtol=1e-12, atol=0)
    wide = maximum_entropy(vector(-1e300, 1e300), vector(0.5e300)[0])
    torch.testing.assert_close(wide.probabilities, vector(0.25, 0.75))


def test_shapes_nan_and_precision_of_maximum_entropy():
    found = maximum_entropy(normal(2, 1, 5), torch.zeros(3, dtype=torch.float64))
    assert found.beta.shape == found.entropy.shape == (2, 3)
    assert found.probabilities.shape == (2, 3, 5)
    one = maximum_entropy(normal(2, 1, 5)[1, 0], vector(0)[0])
    torch.testing.assert_close(found.probabilities[1, 2], one.probabilities)
    assert maximum_entropy(normal(0, 5), torch.zeros(0, dtype=torch.float64)).beta.shape == (0,)
    energies = vector(0, 1, 0, NAN, 0, 1).reshape(3, 2)
    found = maximum_entropy(energies, vector(0.5, 0.5, NAN))
    for field in (found.beta, found.probabilities[:, 0], found.entropy):
        assert field.isnan().tolist() == [False, True, True]
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        energies, mean = vector(0, 0.5, 2).to(dtype), vector(0.75)[0].to(dtype)
        single, double = (
            maximum_entropy(energies, mean),
            maximum_entropy(energies.double(), mean.double()),
        )
        for a, b in zip(single, double):
            assert a.dtype == dtype and torch.equal(a, b.to(dtype))


# Evidence


def test_evidence_by_forty_digits():
    log_joint, q = [-3.0, -700.0, 2.5, -1.0], [0.1, 0.2, 0.3, 0.4]
    with mpmath.workdps(40):
        joint = [mpmath.exp(x) for x in log_joint]
        evidence = sum(joint)
        elbo = sum(
            mpmath.mpf(w) * (mpmath.mpf(x) - mpmath.log(mpmath.mpf(w)))
            for w, x in zip(q, log_joint)
        )
        kl = sum(mpmath.mpf(w) * mpmath.log(mpmath.mpf(w) * evidence / j) for w, j in zip(q, joint))
        exact = [float(mpmath.log(evidence)), float(elbo), float(kl)]
    assert [
        x.item() for x in evidence_lower_bound(vector(*log_joint), vector(*q))
    ] == pytest.approx(exact, rel=1e-14)


@laws
@given(st.integers(1, 8), seeds, st.floats(0.1, 100))
def test_evidence_is_the_bound_and_a_divergence(count, seed, scale):
    log_joint, q = (
        scale * normal(count, seed=seed),
        (scale * normal(count, seed=seed + 1)).softmax(-1),
    )
    log_evidence, elbo, kl = evidence_lower_bound(log_joint, q)
    rounding = 1e-14 * (1 + scale) * count
    assert (elbo + kl - log_evidence).abs() <= rounding and kl >= -rounding
    assert log_evidence.item() == pytest.approx(log_joint.logsumexp(-1).item())
    free_energy = -(q * log_joint).sum() - entropy(q)  # <E> - H
    assert -elbo.item() == pytest.approx(free_energy.item(), abs=rounding)
    exact = evidence_lower_bound(log_joint, log_joint.softmax(-1))
    assert exact.kl.abs() <= rounding and (exact.elbo - exact.log_evidence).abs() <= rounding


def test_divergence_is_quadratic_at_the_posterior():
    """q = p + t u with sum u = 0: KL = t^2 sum u^2 / (2 p) to second order."""
    log_joint = normal(4)
    p, u, sizes = (
        log_joint.softmax(-1),
        vector(1, -1, 2, -2),
        torch.logspace(-3.5, -2.5, 5, dtype=torch.float64),
    )
    kl = evidence_lower_bound(log_joint, p + sizes.unsqueeze(-1) * u * p.min()).kl
    assert np.polyfit(sizes.log(), kl.log(), 1)[0] == pytest.approx(2, abs=0.01)
    assert (kl[0] / sizes[0] ** 2).item() == pytest.approx(
        (u**2 / p).sum().item() * p.min().item() ** 2 / 2, rel=1e-2
    )


def test_impossible_states():
    log_joint = vector(0, -INF, 0, -INF).requires_grad_()
    q = vector(0.5, 0, 0.5, 0, 0.5, 0.5, 0, 0).reshape(2, 4).requires_grad_()
    found = evidence_lower_bound(log_joint, q)
    assert found.log_evidence.tolist() == pytest.approx([math.log(2)] * 2)
    assert found.elbo.tolist() == pytest.approx([math.log(2), -INF])
    assert found.kl.tolist() == pytest.approx([0, INF])
    for output in (found.elbo[0], found.kl[0]):
        gradients = torch.autograd.grad(output, (log_joint, q), retain_graph=True)
        assert gradients[0].isfinite().all() and gradients[1][0].isfinite().all()
        assert gradients[1][0, 1] == 0
    nothing = vector(-INF, -INF).requires_grad_()
    found = evidence_lower_bound(nothing, vector(0.5, 0.5))
    assert found.log_evidence == found.elbo == -INF and found.kl.isnan()
    assert torch.autograd.grad(found.log_evidence, nothing)[0].tolist() == [0, 0]


def test_derivatives_of_the_bound():
    log_joint, logits = normal(2, 4).requires_grad_(), normal(4, seed=1).requires_grad_()
    function = lambda log_joint, logits: tuple(evidence_lower_bound(log_joint, logits.softmax(-1)))
    assert gradcheck(function, (log_joint, logits))
    assert gradgradcheck(function, (log_joint, logits), fast_mode=True)
    q = normal(4, seed=1).softmax(-1)
    (gradient,) = torch.autograd.grad(evidence_lower_bound(log_joint, q).elbo.sum(), log_joint)
    torch.testing.assert_close(gradient, q.expand(2, 4))


def test_shapes_nan_and_precision_of_the_bound():
    found = evidence_lower_bound(normal(2, 1, 4), normal(3, 4).softmax(-1))
    assert all(field.shape == (2, 3) for field in found)
    log_joint = normal(3, 2)
    log_joint[1, 0] = NAN
    for field in evidence_lower_bound(log_joint, vector(0, 1)):
        assert field.isnan().tolist() == [False, True, False]
    assert evidence_lower_bound(vector(0, 0), vector(NAN, 0.5)).elbo.isnan()
    for dtype in (torch.float32, torch.bfloat16):
        log_joint, q = normal(4).to(dtype), vector(0.125, 0.125, 0.5, 0.25).to(dtype)
        single, double = (
            evidence_lower_bound(log_joint, q),
            evidence_lower_bound(log_joint.double(), q.double()),
        )
        assert all(a.dtype == dtype and torch.equal(a, b.to(dtype)) for a, b in zip(single, double))
    # a common offset costs kl no digits
    far = evidence_lower_bound(vector(-1e15, -1e15 + 1), vector(0.5, 0.5))
    assert far.kl.item() == pytest.approx(math.log(math.cosh(0.5)), rel=1e-14)
    softmaxes = normal(50, 1000).float().softmax(-1)  # rounding of a sum of a thousand is forgiven
    assert evidence_lower_bound(torch.zeros(1000), softmaxes).kl.isfinite().all()


# The inverse of attention


@laws
@given(st.integers(1, 4), st.integers(2, 9), seeds, st.floats(0.01, 4))
def test_round_trip(dim, extra, seed, size):
    """attn(q) leads back to q, and q is the gradient of the conjugate, which another solver
    finds."""
    keys, queries = normal(dim + extra, dim, seed=seed), size * normal(3, dim, seed=seed + 1)
    mean = attention(queries, keys)
    found = inverse_attention(mean, keys)
    sure = found.converged
    assert (found.residual[sure] <= 1e-13).all()
    torch.testing.assert_close(found.solution[sure], queries[sure], rtol=1e-6, atol=1e-6)
    if size <= 1:
        assert sure.all()
        conjugate = Empirical(keys).conjugate(mean) - math.log(dim + extra)
        value = (found.solution * mean).sum(-1) - log_partition(found.solution, keys)
        torch.testing.assert_close(value, conjugate, rtol=1e-9, atol=1e-9)


def test_by_scipy():
    keys = normal(6, 3)
    mean = vector(0.1, 0.3, 0.05, 0.2, 0.25, 0.1) @ keys
    weights = lambda q: np.exp(keys.numpy() @ q) / np.exp(keys.numpy() @ q).sum()  # noqa: E731
    root = scipy.optimize.root(
        lambda q: weights(q) @ keys.numpy() - mean.numpy(), np.zeros(3), tol=1e-14
    )
    found = inverse_attention(mean[None], keys)
    assert found.converged.all()
    assert found.solution[0].tolist() == pytest.approx(root.x.tolist(), abs=1e-11)


def test_closed_forms():
    """Keys 1 and -1: q = artanh m. Corners of a cube, {0, 1}^3: log-odds of each coordinate."""
    mean = vector(-0.999999, -0.5, 0, 1e-8, 0.3, 0.9999999).unsqueeze(-1)
    found = inverse_attention(mean, vector(1, -1).unsqueeze(-1))
    assert found.converged.all()
    torch.testing.assert_close(found.solution, torch.atanh(mean), rtol=1e-9, atol=1e-16)
    weighted = torch.cat([torch.ones(9999, 1), -torch.ones(1, 1)]).double()
    found = inverse_attention(vector(0.2).unsqueeze(0), weighted)  # full steps would leap over it
    assert found.converged.all()
    assert found.solution.item() == pytest.approx(math.atanh(0.2) - math.log(9999) / 2, rel=1e-11)
    cube = torch.cartesian_prod(*[vector(0, 1)] * 3)
    mean = 0.001 + 0.998 * uniform(20, 3)
    found = inverse_attention(mean, cube)
    assert found.converged.all()
    torch.testing.assert_close(found.solution, torch.logit(mean), rtol=1e-10, atol=1e-10)


def test_exists_exactly_inside():
    """On the boundary and outside no row converges, even where its residual is rounding; near it,
    as far as digits go."""
    triangle = vector(0, 0, 1, 0, 0, 1).reshape(3, 2)
    outside = vector(-0.1, 0.2, 2, 2, 0.5, 0.5001, 1e6, -1e6, 1 + 1e-9, 0).reshape(5, 2)
    boundary = vector(0, 0, 1, 0, 0.5, 0.5, 0.25, 0, 0, 0.9).reshape(5, 2)
    for means in (outside, boundary):
        found = inverse_attention(means, triangle)
        assert not found.converged.any() and found.solution.isfinite().all()
    assert found.residual.min() < 1e-9  # a small residual is no convergence
    # Barycentric weights 1 - a - b, a, b: the query is (log(a / c), log(b / c)).
    for gap in (1e-2, 1e-4, 1e-6):
        a, b, c = 0.3, gap, 0.7 - gap
        found = inverse_attention(vector(a, b)[None], triangle)
        assert found.converged.all()
        assert found.solution[0].tolist() == pytest.approx(
            [math.log(a / c), math.log(b / c)], rel=1e-7
        )
    assert not inverse_attention(vector(0.3, 1e-14)[None], triangle).converged.any()


def test_keys_that_do_not_span():
    """The shortest query: its differences of scores are logs of ratios of barycentric weights."""
    keys, p = normal(3, 5), vector(0.2, 0.5, 0.3)
    found = inverse_attention((p @ keys)[None], keys)
    assert found.converged.all()
    edges = keys[1:] - keys[:1]
    shortest = torch.linalg.lstsq(edges, (p[1:] / p[0]).log(), driver="gelsd").solution
    torch.testing.assert_close(found.solution[0], shortest)
    off = p @ keys + 1e-6 * normal(5, seed=3)
    assert not inverse_attention(off[None], keys).converged.any()
    same = keys[:1].expand(4, 5)
    found = inverse_attention(torch.stack([keys[0], keys[1]]), same)
    assert found.converged.tolist() == [True, False] and (found.solution[0] == 0).all()
    far = 1e6 + normal(6, 2)  # a shift of the keys changes no query, and costs its digits only
    query = normal(2, 2, seed=1)
    found = inverse_attention(attention(query, far), far)
    assert found.converged.all()
    torch.testing.assert_close(found.solution, query, rtol=1e-7, atol=1e-7)


def test_coordinates_do_not_matter():
    """A linear map of the keys maps queries by its inverse transpose, also one that stretches by
    1e9; a thin triangle."""
    keys, query = normal(8, 2), vector(0.3, 0.2).unsqueeze(0)
    for stretch in (1e-9, 1e-4, 1e5, 1e9):
        scale = vector(1, stretch)
        found = inverse_attention(attention(query / scale, keys * scale), keys * scale)
        assert found.converged.all()
        torch.testing.assert_close(found.solution * scale, query, rtol=1e-9, atol=1e-9)
        (gradient,) = torch.autograd.functional.jacobian(
            lambda k: inverse_attention(attention(query / scale, k), k).solution.sum(),
            (keys * scale,),
        )
        # attn and back is no function of the keys
        assert (gradient.abs() * scale <= 1e-6 / scale.min()).all()
    triangle = vector(0, 0, 1, 0, 0.3, 1e-9).reshape(3, 2)
    found = inverse_attention(vector(1, 1, 1) @ triangle[None] / 3, triangle)
    assert found.converged.all() and (found.solution @ triangle.mT).abs().max() < 1e-6


def test_evidence_of_the_solver():
    keys, mean = normal(6, 2), vector(0.6, -0.4, 0, 0).reshape(2, 2)
    full = inverse_attention(mean, keys)
    assert full.converged.all() and (full.steps > 1).all() and full.steps.dtype == torch.int64
    short = inverse_attention(mean, keys, max_steps=1)
    assert not short.converged[0] and short.steps.tolist() == [1, 1]
    for found in (full, short):
        torch.testing.assert_close(
            found.residual,
            (attention(found.solution, keys) - mean).norm(dim=-1),
            rtol=0,
            atol=1e-15,
        )
    strict = inverse_attention(mean, keys, tolerance=1e-15)
    assert not strict.converged.any()  # rounding moves the scores by more than that
    many = normal(5000, 3, seed=4)
    queries = normal(4, 3, seed=5)
    found = inverse_attention(attention(queries, many), many)
    assert found.converged.all()
    torch.testing.assert_close(found.solution, queries, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("tolerance", [0.99, 0.1, 0.01, 1e-6])
def test_the_residual_is_that_of_the_query_that_is_returned(tolerance):
    keys = torch.tensor([[0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    mean = torch.tensor([[0.97, 1e-9], [0.97, 0.0], [0.5, 0.1]], dtype=torch.float64)
    found = inverse_attention(mean, keys, tolerance=tolerance)
    missed = (attention(found.solution, keys) - mean).norm(dim=-1)
    torch.testing.assert_close(found.residual, missed, rtol=1e-9, atol=1e-15)


def test_derivatives_of_the_inverse():
    keys = normal(6, 2).requires_grad_()
    mean = attention(normal(3, 2, seed=1), keys).detach().requires_grad_()
    function = lambda *inputs: inverse_attention(*inputs).solution  # noqa: E731
    assert gradcheck(function, (mean, keys))
    assert gradgradcheck(function, (mean, keys), fast_mode=True)
    for jacobian in (jacrev, jacfwd):
        inverse = jacobian(lambda m: inverse_attention(m[None], keys.detach()).solution[0])(
            mean.detach()[0]
        )
        forward = jacrev(lambda q: attention(q[None], keys.detach())[0])(
            function(mean, keys).detach()[0]
        )
        torch.testing.assert_close(inverse @ forward, torch.eye(2, dtype=torch.float64))


def test_derivatives_where_keys_do_not_span():
    """attn and back is the projection to the span of differences, which moves with the keys."""
    keys, query = normal(3, 4).requires_grad_(), normal(2, 4, seed=1).requires_grad_()

    def project(query, keys):
        edges = keys[1:] - keys[:1]
        return query @ torch.linalg.pinv(edges) @ edges

    def back(query, keys):
        return inverse_attention(attention(query, keys), keys).solution

    torch.testing.assert_close(back(query, keys), project(query, keys))
    weights = normal(2, 4, seed=2)
    for exact, found in zip(
        *(
            torch.autograd.grad((weights * f(query, keys)).sum(), (query, keys))
            for f in (project, back)
        )
    ):
        torch.testing.assert_close(found, exact)
    assert gradcheck(back, (query, keys))
    assert gradgradcheck(back, (query, keys), fast_mode=True)


def test_third_derivative_of_the_inverse():
    """artanh' = 1/(1-m^2), and so on, at m = 0.3."""
    mean = vector(0.3).requires_grad_()
    value = inverse_attention(mean.unsqueeze(-1), vector(1, -1).unsqueeze(-1)).solution.sum()
    m = 0.3
    for expected in (1 / (1 - m * m), 2 * m / (1 - m * m) ** 2, (2 + 6 * m * m) / (1 - m * m) ** 3):
        (value,) = torch.autograd.grad(value.sum(), mean, create_graph=True)
        assert value.item() == pytest.approx(expected, rel=1e-12)


def test_rows_without_a_solution_leave_the_gradients_of_others():
    keys = normal(5, 2).requires_grad_()
    mean = torch.stack(
        [keys.detach().mean(0), vector(50, 50), vector(NAN, 0), vector(0, INF)]
    ).requires_grad_()
    found = inverse_attention(mean, keys)
    assert found.converged.tolist() == [True, False, False, False]
    assert found.solution[1].isfinite().all()
    assert found.solution[2:].isnan().all() and found.residual[2:].isnan().all()
    gradients = torch.autograd.grad(found.solution[0].sum(), (mean, keys), retain_graph=True)
    alone = inverse_attention(mean[:1], keys).solution.sum()
    for g, e in zip(gradients, torch.autograd.grad(alone, (mean, keys))):
        torch.testing.assert_close(g, e)
    assert torch.autograd.grad(found.solution[1].sum(), mean)[0].tolist() == [[0, 0]] * 4
    bad = normal(2, 5, 2)
    bad[1, 0, 0] = INF
    found = inverse_attention(torch.zeros(3, 2, dtype=torch.float64), bad)
    assert found.converged[0].all()
    assert not found.converged[1].any() and found.solution[1].isnan().all()


@pytest.mark.parametrize(
    "mean, keys",
    [
        ((1, 2), (5, 2)),
        ((2, 3, 2), (5, 2)),
        ((3, 2), (2, 5, 2)),
        ((2, 1, 3, 2), (4, 5, 2)),
        ((0, 2), (5, 2)),
        ((0, 3, 2), (5, 2)),
    ],
)
def test_shapes_of_the_inverse(mean, keys):
    keys = normal(*keys)
    mean = 0.1 * normal(*mean, seed=1) + keys.mean(-2, keepdim=True)
    found = inverse_attention(mean, keys)
    assert found.solution.shape == mean.shape and found.converged.all()
    assert found.residual.shape == found.steps.shape == mean.shape[:-1]
    torch.testing.assert_close(attention(found.solution, keys), mean)


def test_scales_and_precision_of_the_inverse():
    keys, query = normal(6, 2), normal(3, 2, seed=1)
    mean = attention(query, keys)
    for scale in (1e-200, 1e-8, 1e8, 1e200):
        found = inverse_attention(scale * mean, scale * keys)
        assert found.converged.all()
        torch.testing.assert_close(scale * found.solution, query, rtol=1e-10, atol=1e-10)
    for dtype, error in ((torch.float32, 1e-5), (torch.bfloat16, 0.2), (torch.float16, 2e-2)):
        found = inverse_attention(mean.to(dtype), keys.to(dtype))
        assert found.solution.dtype == found.residual.dtype == dtype and found.converged.all()
        exact = inverse_attention(mean.to(dtype).double(), keys.to(dtype).double())
        assert torch.equal(found.solution, exact.solution.to(dtype))
        torch.testing.assert_close(found.solution.double(), query, rtol=error, atol=error)
    # a plane, and means that rounding takes off it
    flat = torch.cat([normal(6, 2), torch.zeros(6, 1)], -1).float()
    rotation = torch.linalg.qr(normal(3, 3, seed=5))[0].float()
    found = inverse_attention(attention(normal(4, 3).float(), flat), flat)
    assert found.converged.all() and (found.solution[:, 2] == 0).all()
    assert not inverse_attention(flat[:1] @ rotation + 1e-2, flat @ rotation).converged.any()


# The exponential loss


def test_adaboost():
    """Margins 1 and -1: alpha = log(W+/W-)/2, loss 2 sqrt(W+ W-), KL of the projection (sqrt W+ -
    sqrt W-)^2."""
    margins, prior = torch.where(normal(30) > -0.5, 1.0, -1.0).double(), uniform(30, seed=1)
    right, wrong = prior[margins > 0].sum(), prior[margins < 0].sum()
    found = exponential_loss_dual(margins, prior)
    torch.testing.assert_close(found.alpha, (right / wrong).log() / 2)
    torch.testing.assert_close(found.loss, 2 * (right * wrong).sqrt())
    torch.testing.assert_close(found.kl, (right.sqrt() - wrong.sqrt()) ** 2)


def test_primal_and_dual_by_scipy():
    margins, prior = normal(6).numpy(), uniform(6, seed=2).numpy()
    found = exponential_loss_dual(torch.from_numpy(margins), torch.from_numpy(prior))
    best = scipy.optimize.minimize_scalar(
        lambda a: (prior * np.exp(-a * margins)).sum(), options={"xtol": 1e-12}
    )
    assert found.loss.item() == pytest.approx(best.fun, rel=1e-12)
    assert found.alpha.item() == pytest.approx(best.x, abs=1e-6)
    primal = scipy.optimize.minimize(
        lambda q: (q * np.log(q / prior) - q + prior).sum(),
        prior,
        jac=lambda q: np.log(q / prior),
        method="SLSQP",
        bounds=[(1e-12, None)] * 6,
        options={"ftol": 1e-16, "maxiter": 1000},
        constraints=[{"type": "eq", "fun": lambda q: q @ margins}],
    )
    assert found.kl.item() == pytest.approx(primal.fun, abs=1e-9)


@laws
@given(st.integers(2, 12), seeds, st.floats(1e-6, 1e6), st.floats(0, 30))
def test_strong_duality(count, seed, scale, spread):
    """kl = sum of the prior less the loss, each by its own formula, with <q, m> = 0; scale of
    margins and of priors."""
    margins, prior = (
        scale * normal(count, seed=seed),
        torch.exp(spread * (uniform(count, seed=seed + 1) - 1)),
    )
    margins[0], margins[1] = margins[0].abs(), -margins[1].abs()
    alpha, loss, kl = exponential_loss_dual(margins, prior)
    assert (kl + loss - prior.sum()).abs() <= 1e-12 * prior.sum()
    q = prior * torch.exp(-alpha * margins)
    assert (q @ margins).abs() <= 1e-11 * (q @ margins.abs())
    assert kl >= -1e-13 * prior.sum() and loss <= prior.sum() * (1 + 1e-13)
    doubled = exponential_loss_dual(2 * margins, 3 * prior)
    torch.testing.assert_close(doubled.alpha, alpha / 2, rtol=1e-11, atol=1e-11 / scale)
    torch.testing.assert_close(doubled.loss, 3 * loss)


@laws
@given(st.integers(2, 8), seeds)
def test_maximum_entropy_is_the_logarithm_of_the_loss(count, seed):
    """With margins e - U and weights 1: alpha = beta, log(loss) = H_max, q / loss = p."""
    energies = normal(count, seed=seed)
    mean = normal(count, seed=seed + 1).softmax(-1) @ energies
    beta, p, most = maximum_entropy(energies, mean)
    alpha, loss, kl = exponential_loss_dual(energies - mean)
    torch.testing.assert_close(alpha, beta)
    torch.testing.assert_close(loss.log(), most)
    torch.testing.assert_close(torch.exp(-alpha * (energies - mean)) / loss, p)
    assert kl.item() == pytest.approx(count - math.exp(most), abs=1e-12)


def test_where_the_minimum_is_not_attained():
    margins = (
        vector(1, 2, 0, 0, -1, -2, 0, -1, 0, 0, 0, 0, 1, 2, 3, 4).reshape(4, 4).requires_grad_()
    )
    prior = vector(0.5, 1, 2, 4).requires_grad_()
    found = exponential_loss_dual(margins, prior)
    assert found.alpha.tolist() == [INF, -INF, 0, INF]
    assert found.loss.tolist() == [6, 2, 7.5, 0] and found.kl.tolist() == [1.5, 5.5, 0, 7.5]
    gradients = torch.autograd.grad((found.loss + 2 * found.kl).sum(), (margins, prior))
    assert (gradients[0] == 0).all()
    assert gradients[1].tolist() == [2 + 2 + 1 + 2, 2 + 2 + 1 + 2, 1 + 1 + 1 + 2, 1 + 2 + 1 + 2]
    # The limit along which it is approached: the loss at growing alpha.
    for row, direction in ((0, 1), (1, -1), (3, 1)):
        losses = [
            (prior * torch.exp(-direction * a * margins[row])).sum().item()
            for a in (5.0, 50.0, 500.0)
        ]
        assert (
            losses[0] > losses[1] >= losses[2] == pytest.approx(found.loss[row].item(), abs=1e-15)
        )
    # A weight of zero leaves an example out: the only negative margin, and then nothing.
    zero = exponential_loss_dual(vector(1, 2, -1), vector(1, 1, 0))
    assert zero.alpha == INF and zero.loss == 0 and zero.kl == 2
    assert [x.item() for x in exponential_loss_dual(vector(1, -1), vector(0, 0))] == [0, 0, 0]


def test_derivatives_of_the_exponential_loss():
    margins, prior = normal(2, 5).requires_grad_(), uniform(5, seed=1).requires_grad_()
    function = lambda *inputs: tuple(exponential_loss_dual(*inputs))  # noqa: E731
    assert gradcheck(function, (margins, prior))
    assert gradgradcheck(function, (margins, prior), fast_mode=True)
    alpha, loss, kl = function(margins, prior)
    q = (prior * torch.exp(-alpha.unsqueeze(-1) * margins)).detach()
    gradients = torch.autograd.grad(loss.sum(), (margins, prior), retain_graph=True)
    # the envelope theorem
    torch.testing.assert_close(gradients[0], (-alpha.unsqueeze(-1) * q).detach())
    torch.testing.assert_close(gradients[1], (q / prior).sum(0).detach())
    torch.testing.assert_close(torch.autograd.grad(kl.sum(), margins)[0], -gradients[0])


def test_extreme_margins_and_priors():
    found = exponential_loss_dual(vector(1e-10, -1, 1e10, -1e-10), vector(3, 1e-300, 1e-300, 1))
    with mpmath.workdps(60):
        m = [mpmath.mpf(x) for x in (1e-10, -1.0, 1e10, -1e-10)]
        w = [mpmath.mpf(x) for x in (3.0, 1e-300, 1e-300, 1.0)]
        slope = lambda a: sum(x * y * mpmath.exp(-a * x) for x, y in zip(m, w))  # noqa: E731
        alpha = bisect(slope, 600, 800)
        loss = sum(y * mpmath.exp(-alpha * x) for x, y in zip(m, w))
    assert found.alpha.item() == pytest.approx(float(alpha), rel=1e-12)
    assert found.loss.item() == pytest.approx(float(loss), rel=1e-14)
    # 1e308 e^(-1e308 a) = 1e-308, whose ratio is no double
    found = exponential_loss_dual(vector(1e308, -1e-308))
    assert found.alpha.item() == pytest.approx(616 * math.log(10) / 1e308, rel=1e-12)
    for scale in (1e-300, 1e300):
        found = exponential_loss_dual(scale * vector(1, -1), vector(3, 1))
        assert found.alpha.item() * scale == pytest.approx(math.log(3) / 2)
        assert found.loss.item() == pytest.approx(math.sqrt(12))


def test_shapes_nan_and_precision_of_the_exponential_loss():
    assert all(x.shape == (2, 3) for x in exponential_loss_dual(normal(2, 1, 4), uniform(3, 4)))
    assert exponential_loss_dual(normal(0, 4)).alpha.shape == (0,)
    margins, prior = normal(3, 4), torch.ones(3, 4, dtype=torch.float64)
    margins[1, 2], prior[2, 0] = NAN, NAN
    for field in exponential_loss_dual(margins, prior):
        assert field.isnan().tolist() == [False, True, True]
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        margins = normal(6).to(dtype)
        single, double = exponential_loss_dual(margins), exponential_loss_dual(margins.double())
        assert all(a.dtype == dtype and torch.equal(a, b.to(dtype)) for a, b in zip(single, double))


# Errors

E, U, K = normal(2, 3), torch.zeros(2, dtype=torch.float64), normal(5, 3)
WRONG = [
    (TypeError, "energies is a list, needs a floating tensor", lambda: maximum_entropy([1.0], U)),
    (TypeError, "energies has dtype torch.int64", lambda: maximum_entropy(E.long(), U)),
    (TypeError, "mean_energy is a float", lambda: maximum_entropy(E, 0.5)),
    (
        TypeError,
        "mean_energy has dtype torch.float32, needs torch.float64, that of energies",
        lambda: maximum_entropy(E, U.float()),
    ),
    (
        ValueError,
        r"energies has shape \(2, 0\), needs \(..., N\) with N >= 1",
        lambda: maximum_entropy(E[:, :0], U),
    ),
    (ValueError, r"energies has shape \(\)", lambda: maximum_entropy(E.sum(), U)),
    (
        ValueError,
        r"do not broadcast: energies \(2,\), mean_energy \(3,\)",
        lambda: maximum_entropy(E, torch.zeros(3).double()),
    ),
    (
        ValueError,
        "energies has infinite entries",
        lambda: maximum_entropy(vector(0, INF), vector(1)[0]),
    ),
    (
        ValueError,
        "mean_energy has entries that no law has",
        lambda: maximum_entropy(vector(0, 1), vector(1 + 1e-12)[0]),
    ),
    (
        ValueError,
        "mean_energy has entries that no law has",
        lambda: maximum_entropy(vector(0, 1), vector(-INF)[0]),
    ),
    (ValueError, "mean_energy is on meta, needs cpu", lambda: maximum_entropy(E, U.to("meta"))),
    (
        TypeError,
        "q has dtype torch.float32",
        lambda: evidence_lower_bound(E, E.softmax(-1).float()),
    ),
    (TypeError, "log_joint is a NoneType", lambda: evidence_lower_bound(None, E)),
    (ValueError, r"q has shape \(2,\), needs \(..., 3\)", lambda: evidence_lower_bound(E, U)),
    (ValueError, r"log_joint has shape \(2, 0\)", lambda: evidence_lower_bound(E[:, :0], E[:, :0])),
    (
        ValueError,
        "q has rows that are no probabilities",
        lambda: evidence_lower_bound(E, E.softmax(-1) * (1 + 1e-13)),
    ),
    (
        ValueError,
        "q has rows that are no probabilities",
        lambda: evidence_lower_bound(vector(0, 0), vector(1.5, -0.5)),
    ),
    (
        ValueError,
        "q has rows that are no probabilities",
        lambda: evidence_lower_bound(vector(0, 0), vector(0, 0)),
    ),
    (
        ValueError,
        "q has rows that are no probabilities",
        lambda: evidence_lower_bound(vector(0, 0), vector(INF, 0)),
    ),
    (
        ValueError,
        r"log_joint has entries of \+inf",
        lambda: evidence_lower_bound(vector(0, INF), vector(1, 0)),
    ),
    (
        TypeError,
        "keys has dtype torch.float32, needs torch.float64, that of mean",
        lambda: inverse_attention(E, K.float()),
    ),
    (TypeError, "mean is a tuple", lambda: inverse_attention((0.0,), K)),
    (
        TypeError,
        "max_steps is 1000.0, needs an integer",
        lambda: inverse_attention(E, K, max_steps=1e3),
    ),
    (ValueError, r"mean has shape \(3,\), needs \(..., l, 3\)", lambda: inverse_attention(E[0], K)),
    (
        ValueError,
        r"mean has shape \(2, 2\), needs \(..., l, 3\)",
        lambda: inverse_attention(E[:, :2], K),
    ),
    (
        ValueError,
        r"keys has shape \(0, 3\), needs \(..., N, D\) with N >= 1, D >= 1",
        lambda: inverse_attention(E, K[:0]),
    ),
    (ValueError, r"keys has shape \(5, 0\)", lambda: inverse_attention(E[:, :0], K[:, :0])),
    (
        ValueError,
        "tolerance is 0, needs to be positive",
        lambda: inverse_attention(E, K, tolerance=0),
    ),
    (
        ValueError,
        "tolerance is 1, needs to be below 1",
        lambda: inverse_attention(E, K, tolerance=1),
    ),
    (ValueError, "tolerance is -1e-06", lambda: inverse_attention(E, K, tolerance=-1e-6)),
    (ValueError, "max_steps is 0, needs at least 1", lambda: inverse_attention(E, K, max_steps=0)),
    (
        ValueError,
        r"do not broadcast: mean \(2,\), keys \(3,\)",
        lambda: inverse_attention(E.expand(2, 2, 3), K.expand(3, 5, 3)),
    ),
    (TypeError, "margins is a list", lambda: exponential_loss_dual([1.0, -1.0])),
    (
        TypeError,
        "margins has dtype torch.int64",
        lambda: exponential_loss_dual(torch.tensor([1, -1])),
    ),
    (TypeError, "prior is a list", lambda: exponential_loss_dual(U, [1.0, 1.0])),
    (
        ValueError,
        r"prior has shape \(3,\), needs \(..., 2\)",
        lambda: exponential_loss_dual(U, vector(1, 1, 1)),
    ),
    (
        ValueError,
        r"margins has shape \(0,\), needs \(..., N\) with N >= 1",
        lambda: exponential_loss_dual(U[:0]),
    ),
    (ValueError, "margins has infinite entries", lambda: exponential_loss_dual(vector(1, -INF))),
    (
        ValueError,
        "prior has entries that are negative or infinite",
        lambda: exponential_loss_dual(U, vector(1, -1)),
    ),
    (
        ValueError,
        "prior has entries that are negative or infinite",
        lambda: exponential_loss_dual(U, vector(1, INF)),
    ),
]


IDS = [f"{i} {message}" for i, (_, message, _) in enumerate(WRONG)]


@pytest.mark.parametrize("error, message, call", WRONG, ids=IDS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()
