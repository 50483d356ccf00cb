"""Attention and the log-partition, each against the log-sum-exp definition, closed forms, exact
arithmetic or autograd.
"""

import math
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import peak_memory
from torch.autograd import forward_ad, gradcheck, gradgradcheck
from torch.func import hessian, jacfwd, jacrev, vmap

from logpartition.attention import (
    _choose,
    attention,
    attention_covariance,
    directional_cumulants,
    log_partition,
)
from logpartition.families import Bernoulli, Empirical

INF, NAN = math.inf, math.nan
close = torch.testing.assert_close


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(
        shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
    ).to(dtype)


def definition(queries, keys, values, beta=1.0, log_weights=None, mask=None):
    """The log-partition and the mean of the values, in float64, by exponentials of scores less
    their maximum.
    """
    scores = beta * torch.einsum("...ld,...nd->...ln", queries.double(), keys.double())
    if log_weights is not None:
        scores = scores + log_weights[..., None, :]
    if mask is not None:
        scores = scores + (torch.where(mask, 0.0, -INF) if mask.dtype == torch.bool else mask)
    top = scores.amax(-1, keepdim=True)
    weights = torch.exp(scores - top)
    total = weights.sum(-1, keepdim=True)
    return ((top + total.log()) / beta).squeeze(-1), torch.einsum(
        "...ln,...ne->...le", weights / total, values.double()
    )


SHAPES = {  # queries, keys, values
    "unbatched": ((5, 3), (7, 3), (7, 3)),
    "one leading dimension": ((2, 5, 3), (2, 7, 3), (2, 7, 3)),
    "two": ((2, 4, 5, 3), (2, 4, 7, 3), (2, 4, 7, 3)),
    "three": ((2, 2, 4, 5, 3), (2, 2, 4, 7, 3), (2, 2, 4, 7, 3)),
    "shared keys": ((2, 3, 4, 5, 3), (7, 3), (7, 3)),
    "broadcast keys": ((2, 1, 5, 3), (4, 7, 3), (4, 7, 3)),
    "narrow values": ((2, 5, 3), (2, 7, 3), (2, 7, 1)),
    "wide values": ((5, 3), (7, 3), (4, 7, 6)),
    "no dimensions": ((5, 0), (7, 0), (7, 2)),
    "no queries": ((0, 3), (7, 3), (7, 3)),
    "no batch": ((0, 5, 3), (0, 7, 3), (0, 7, 3)),
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_definition(shapes):
    queries, keys, values = (normal(*shape, seed=i) for i, shape in enumerate(shapes))
    log_weights = normal(7, seed=3)
    mask = torch.rand(shapes[0][-2], 7, generator=torch.Generator().manual_seed(4)) < 0.7
    mask[:, 0] = True
    for options in (
        {},
        {"log_weights": log_weights},
        {"mask": mask},
        {"mask": normal(shapes[0][-2], 7, seed=5), "log_weights": log_weights, "beta": 0.3},
    ):
        log_sum, mean = definition(queries, keys, values, **options)
        close(
            log_partition(queries, keys, **options),
            log_sum.expand(
                torch.broadcast_shapes(queries.shape[:-2], keys.shape[:-2]) + queries.shape[-2:-1]
            ),
        )
        close(attention(queries, keys, values, **options), mean)


@pytest.mark.parametrize("mask_shape", [(), (7,), (1, 7), (5, 1), (2, 5, 7), (2, 1, 1, 7)])
def test_masks_broadcast(mask_shape):
    queries, keys = normal(5, 3), normal(7, 3, seed=1)
    mask = normal(*mask_shape, seed=2)
    log_sum, mean = definition(queries, keys, keys, mask=mask)
    close(attention(queries, keys, mask=mask), mean)
    close(log_partition(queries, keys, mask=mask), log_sum)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_low_precision(dtype):
    queries, keys, values = (normal(2, 4, 33, 16, seed=i, dtype=dtype) for i in range(3))
    log_sum, mean = definition(queries, keys, values, beta=0.25)
    eps = torch.finfo(dtype).eps
    result = log_partition(queries, keys, beta=0.25)
    assert result.dtype == dtype
    close(result.double(), log_sum, rtol=eps, atol=8 * torch.finfo(torch.float32).eps)
    result = attention(queries, keys, values, beta=0.25)
    assert result.dtype == dtype
    # Weights are rounded before they meet the values, an error of at most eps times the largest,
    # and the sum once more.
    close(result.double(), mean, rtol=0, atol=4 * eps * values.double().abs().max().item())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_scores_of_ten_thousand(dtype):
    queries, keys = (
        torch.tensor([[1.0]], dtype=dtype),
        torch.tensor([[8192.0], [-8192.0], [8192.0]], dtype=dtype),
    )
    assert (
        log_partition(queries, keys).item()
        == torch.tensor(8192.0 + math.log(2), dtype=dtype).item()
    )
    assert log_partition(-queries, keys).item() == 8192.0
    assert attention(queries, keys).item() == 8192.0 and attention(-queries, keys).item() == -8192.0


def test_base_measure_is_not_normalised_and_beta_does_not_multiply_it():
    zeros, keys = torch.zeros(1, 2), torch.zeros(5, 2)
    assert log_partition(zeros, keys, beta=2.0).item() == pytest.approx(math.log(5) / 2)
    log_weights = torch.full((5,), -math.log(5))
    assert log_partition(zeros, keys, beta=2.0, log_weights=log_weights).item() == pytest.approx(
        0, abs=1e-7
    )


# Blocks: more than 2^18 scores are never held at a time


def gradients(function, inputs):
    """Of a sum with different weights."""
    inputs = [x.detach().requires_grad_() for x in inputs]
    result = function(*inputs)
    weights = (torch.arange(result.numel()).reshape(result.shape) % 5 + 1) / 4  # exact in any dtype
    return torch.autograd.grad(result, inputs, weights.to(result.dtype))


def simple(queries, keys, bias=0.0, beta=0.3):
    return torch.logsumexp(beta * queries @ keys.mT + bias, -1) / beta


BATCHES = {  # queries, keys and a mask; several blocks of rows, of heads, or of batches
    "rows": ((700, 3), (900, 3), (900,)),
    "one row of a mask each": ((700, 3), (900, 3), (700, 900)),
    "few queries": ((3, 2), (100_000, 2), ()),
    "few keys": ((100_000, 2), (3, 2), (3,)),
    "heads": ((3, 5, 200, 3), (3, 5, 300, 3), (5, 1, 300)),
    "shared keys": ((40, 3, 2), (3000, 2), (1, 3000)),
    "keys of a batch, queries shared": ((200, 3), (4, 2, 500, 3), (2, 200, 1)),
    "broadcast both ways": ((3, 1, 200, 3), (1, 4, 500, 3), (3, 1, 1, 500)),
    "a third dimension": ((2, 2, 3, 100, 3), (2, 1, 1, 400, 3), (100, 400)),
}


@pytest.mark.parametrize("shapes", BATCHES.values(), ids=BATCHES)
def test_blocks(shapes):
    """Values and gradients in queries, keys and mask are those of the sum that holds all scores."""
    inputs = [normal(*shape, seed=i) for i, shape in enumerate(shapes)]

    def by_blocks(queries, keys, mask):
        return log_partition(queries, keys, mask=mask, beta=0.3)

    close(by_blocks(*inputs), simple(*inputs))
    for result, exact in zip(gradients(by_blocks, inputs), gradients(simple, inputs)):
        assert result.shape == exact.shape
        close(result, exact)
    without = gradients(lambda *inputs: log_partition(*inputs, beta=0.3), inputs[:2])
    close(without, gradients(simple, inputs[:2]))


@pytest.mark.parametrize("wanted", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
def test_blocks_with_some_gradients(wanted, again):
    queries, keys, log_weights = normal(600, 3), normal(500, 3, seed=1), normal(500, seed=2)
    for x, need in zip((queries, log_weights), wanted):
        x.requires_grad_(need)
    inputs = [x for x in (queries, log_weights) if x.requires_grad]
    results = []
    for value in (
        log_partition(queries, keys, beta=0.3, log_weights=log_weights),
        simple(queries, keys, log_weights),
    ):
        first = torch.autograd.grad(value.sin().sum(), inputs, create_graph=again)
        results.append(
            torch.autograd.grad(sum((x**2).sum() for x in first), inputs) if again else first
        )
    close(*results)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_gradients_in_low_precision(dtype):
    """Summed in float32, where a weight errs by as many roundings as its score is large; then
    rounded once. Weights that are normalised for the gradient keep scores of 10^4 in order.
    """
    queries, keys = normal(500, 8, dtype=dtype), normal(700, 8, seed=1, dtype=dtype)
    exact = gradients(simple, (queries.double(), keys.double()))
    results = gradients(lambda *x: log_partition(*x, beta=0.3), (queries, keys))
    top = 0.3 * (queries.float() @ keys.float().mT).abs().max().item()
    for result, x in zip(results, exact):
        assert result.dtype == dtype
        error = 2 * top * torch.finfo(torch.float32).eps * x.abs().max().item()
        close(result.double(), x, rtol=torch.finfo(dtype).eps, atol=error)
    query, keys = torch.ones(1, 1, dtype=dtype), torch.tensor([[8192.0], [8192], [0]], dtype=dtype)
    (slope,) = gradients(lambda q: log_partition(q, keys), [query])
    assert slope.item() == 8192 / 4


def test_layouts():
    base = normal(80, 60)
    for queries, keys in (
        (base[:4].mT, base[4:8].mT),
        (base[::3, ::7], base.flip(0, 1)[::2, :9]),
        (base[:1, :5].expand(7, 5), base[:, 5:10]),
    ):
        assert not queries.is_contiguous()
        for result, exact in zip(
            gradients(lambda *x: log_partition(*x, beta=0.3), (queries, keys)),
            gradients(simple, (queries, keys)),
        ):
            close(result, exact)


def test_memory_is_linear():
    """Forward and backward hold a constant and what grows with the inputs."""
    peaks, sizes = [], []
    for length in (2048, 4096):
        inputs = [normal(length, n, seed=n, dtype=torch.float32) for n in (32, 32, 1)]
        queries, keys, log_weights = (x.requires_grad_() for x in inputs)

        def forward_and_backward():
            log_sum = log_partition(queries, keys, log_weights=log_weights.squeeze(-1))
            torch.autograd.grad(log_sum.sum(), (queries, keys, log_weights))

        peaks.append(peak_memory(forward_and_backward))
        sizes.append(sum(x.nbytes for x in inputs))
    assert peaks[1] - peaks[0] < 2 * (sizes[1] - sizes[0])
    assert peaks[1] < 4096**2 * 4 / 10
    held = peak_memory(lambda: torch.logsumexp(queries @ keys.mT, -1))
    assert held > 4096**2 * 4  # the account sees scores that are held


# Laws

sizes = st.integers(1, 6)
betas = st.floats(0.05, 5)
seeds = st.integers(0, 2**31)


@settings(max_examples=30)
@given(sizes, sizes, betas, seeds, st.booleans(), st.booleans())
def test_attention_is_the_gradient_of_the_log_partition(count, dim, beta, seed, weighted, masked):
    queries, keys = normal(4, dim, seed=seed).requires_grad_(), normal(count, dim, seed=seed + 1)
    options = {"beta": beta, "log_weights": normal(count, seed=seed + 2) if weighted else None}
    if masked:
        options["mask"] = torch.rand(4, count, generator=torch.Generator().manual_seed(seed)) < 0.5
    log_sum = log_partition(queries, keys, **options)
    (gradient,) = torch.autograd.grad(log_sum, queries, torch.ones_like(log_sum))
    close(gradient, attention(queries.detach(), keys, **options))


@settings(max_examples=30)
@given(sizes, sizes, betas, seeds)
def test_laws(count, dim, beta, seed):
    queries, keys, shift = (
        normal(4, dim, seed=seed),
        normal(count, dim, seed=seed + 1),
        normal(dim, seed=seed + 2),
    )
    G, mean = log_partition(queries, keys, beta=beta), attention(queries, keys, beta=beta)
    covariance = attention_covariance(queries, keys, beta=beta)

    close(log_partition(queries, keys + shift, beta=beta), G + queries @ shift)
    close(attention(queries, keys + shift, beta=beta), mean + shift)
    close(attention_covariance(queries, keys + shift, beta=beta), covariance)

    twice = torch.cat([keys, keys[:1]])
    log_weights = torch.zeros(count, dtype=torch.float64).index_fill(
        0, torch.tensor([0]), math.log(2)
    )
    close(
        log_partition(queries, twice, beta=beta),
        log_partition(queries, keys, beta=beta, log_weights=log_weights),
    )
    close(
        attention(queries, twice, beta=beta),
        attention(queries, keys, beta=beta, log_weights=log_weights),
    )
    close(
        attention_covariance(queries, twice, beta=beta),
        attention_covariance(queries, keys, beta=beta, log_weights=log_weights),
    )

    top = (queries @ keys.mT).amax(-1)
    assert (G >= top - 1e-12).all() and (G <= top + math.log(count) / beta + 1e-12).all()
    assert (
        G[0] + G[1] >= 2 * log_partition(queries[:2].mean(0, keepdim=True), keys, beta=beta) - 1e-12
    ).all()
    assert (torch.linalg.eigvalsh(covariance) >= -1e-14).all()


# Derivatives


@pytest.mark.parametrize(
    "mask",
    [None, torch.tensor([[True, False, True], [False, False, False]])],
    ids=["all", "masked"],
)
@pytest.mark.parametrize("width", [None, 1, 3])
def test_attention_gradients(mask, width):
    inputs = [normal(2, 2).requires_grad_(), normal(3, 2, seed=1).requires_grad_()]
    if width:
        inputs.append(normal(3, width, seed=2).requires_grad_())

    def function(*inputs):
        return attention(*inputs, beta=0.7, mask=mask)

    assert gradcheck(function, inputs, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, inputs, check_fwd_over_rev=True)


def test_gradients_where_one_tensor_is_query_key_and_value():
    x = normal(3, 2).requires_grad_()
    assert gradcheck(lambda x: attention(x, x), x) and gradgradcheck(lambda x: attention(x, x), x)


def test_gradients_in_log_weights_and_additive_masks():
    inputs = [normal(2, 1), normal(2, 1, seed=1), normal(2, seed=2), normal(2, 2, seed=3)]
    inputs = [x.requires_grad_() for x in inputs]
    for function in (attention, log_partition):

        def of_bias(queries, keys, log_weights, mask):
            return function(queries, keys, log_weights=log_weights, mask=mask, beta=0.7)

        assert gradcheck(of_bias, inputs, check_forward_ad=True) and gradgradcheck(of_bias, inputs)


@pytest.mark.parametrize(
    "function",
    [
        lambda q, k: log_partition(q, k, beta=0.7),
        lambda q, k: log_partition(
            q, k, mask=torch.tensor([[True, False, True], [True, True, True]])
        ),
        lambda q, k: attention_covariance(q, k, beta=0.7),
        lambda q, k: attention_covariance(q, k, k**2, beta=0.7),
        lambda q, k: directional_cumulants(q, k, k[0], 4, beta=0.7),
    ],
)
def test_other_gradients(function):
    inputs = [normal(2, 2).requires_grad_(), normal(3, 2, seed=1).requires_grad_()]
    assert gradcheck(function, inputs, check_forward_ad=True, check_batched_grad=True)
    assert gradgradcheck(function, inputs)


TRANSFORMS = {
    "jacrev": jacrev,
    "jacfwd": jacfwd,
    "hessian": hessian,
    "jacrev of jacfwd": lambda f: jacrev(jacfwd(f)),
    "jacrev, three times": lambda f: jacrev(jacrev(jacrev(f))),
    "vmap": vmap,
    "vmap of hessian": lambda f: vmap(hessian(f)),
    "jacrev of vmap": lambda f: jacrev(vmap(f)),
}


@pytest.mark.parametrize("transform", TRANSFORMS.values(), ids=TRANSFORMS)
def test_transforms(transform):
    queries, keys = normal(3, 1, 2), normal(4, 2, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # PyTorch warns where it loops over a batch
        # inside PyTorch's forward mode
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        close(
            transform(lambda q: attention(q, keys))(queries),
            transform(lambda q: definition(q, keys, keys)[1])(queries),
        )
        close(
            transform(lambda q: log_partition(q, keys))(queries),
            transform(lambda q: definition(q, keys, keys)[0])(queries),
        )


def test_attention_of_constants_inside_a_transform():
    queries, keys = normal(2, 3).requires_grad_(), normal(4, 3, seed=1)
    for function in (attention, log_partition):
        result = vmap(lambda x: x * function(queries, keys))(torch.arange(3.0, dtype=torch.float64))
        close(result[2], 2 * function(queries, keys))


def test_batches_of_gradients():
    """PyTorch's other vmap, that of is_grads_batched."""
    queries, keys = normal(3, 2).requires_grad_(), normal(4, 2, seed=1)
    log_sum, unit = log_partition(queries, keys), torch.eye(3, dtype=torch.float64)
    (result,) = torch.autograd.grad(log_sum, queries, unit, is_grads_batched=True)
    close(result, unit.unsqueeze(-1) * attention(queries.detach(), keys))


def test_dual_numbers():
    queries, keys, tangent = normal(2, 3), normal(4, 3, seed=1), normal(2, 3, seed=2)
    with forward_ad.dual_level():
        derivative = forward_ad.unpack_dual(
            attention(forward_ad.make_dual(queries, tangent), keys)
        ).tangent
    covariance = attention_covariance(queries, keys)
    close(derivative, (covariance @ tangent.unsqueeze(-1)).squeeze(-1))


@pytest.mark.parametrize("width", [8, 2, 11], ids=["e = d", "e < d", "e > d"])
def test_fused_kernels_do_the_work(width):
    queries, keys, values = (
        normal(5, 64, n, seed=i).requires_grad_() for i, n in enumerate((8, 8, width))
    )
    with torch.profiler.profile() as profile:
        attention(
            queries, keys, values, mask=torch.ones(64, 64, dtype=torch.bool).tril()
        ).sum().backward()
    calls = {event.key: event.count for event in profile.key_averages()}
    assert calls["aten::_scaled_dot_product_flash_attention_for_cpu"] == 1
    assert calls["aten::_scaled_dot_product_flash_attention_for_cpu_backward"] == 1
    assert not {"aten::softmax", "aten::_scaled_dot_product_attention_math"} & calls.keys()


# The covariance


def test_covariance_is_the_jacobian_over_beta():
    queries, keys, values, log_weights = (
        normal(2, 3, 4),
        normal(3, 5, 4, seed=1)[:2],
        normal(5, 2, seed=2),
        normal(5, seed=3),
    )
    beta = 0.7

    def one(q, k):
        return attention(q[None], k, values, beta=beta, log_weights=log_weights)[0]

    jacobian = torch.stack(
        [torch.stack([jacfwd(one)(q, k) for q in rows]) for rows, k in zip(queries, keys)]
    )
    result = attention_covariance(queries, keys, values, beta=beta, log_weights=log_weights)
    assert result.shape == (2, 3, 2, 4)
    close(beta * result, jacobian)


def test_a_tiny_covariance_keeps_its_digits():
    """Two keys at distance 2 and gap g of the scores: p (1 - p) 4 with p = 1 / (1 + e^-g), far
    below rounding of the keys.
    """
    keys, gap = torch.tensor([[1.0], [-1.0]], dtype=torch.float64), 80.0
    exact = 4 * math.exp(-gap) / (1 + math.exp(-gap)) ** 2
    assert attention_covariance(
        torch.tensor([[gap / 2]], dtype=torch.float64), keys
    ).item() == pytest.approx(exact, rel=1e-14)


# Directional cumulants


def test_cumulants_are_derivatives_of_the_log_partition():
    queries, keys, direction, beta = normal(2, 3, 4), normal(5, 4, seed=1), normal(4, seed=2), 0.7
    cumulants = directional_cumulants(queries, keys, direction, np.int64(4), beta=beta)
    assert cumulants.shape == (2, 3, 4)

    def derivative(t):
        return log_partition(queries + t * direction, keys, beta=beta)

    for n in range(1, 5):
        derivative = jacfwd(derivative)
        close(
            beta ** (n - 1) * cumulants[..., n - 1],
            derivative(torch.zeros((), dtype=torch.float64)),
            rtol=1e-11,
            atol=1e-11,
        )


def test_first_cumulants_are_attention_and_its_covariance():
    queries, keys, direction = normal(3, 4), normal(5, 4, seed=1), normal(4, seed=2)
    mean, variance = directional_cumulants(queries, keys, direction, 2).unbind(-1)
    close(mean, attention(queries, keys) @ direction)
    close(variance, attention_covariance(queries, keys) @ direction @ direction)


def test_cumulants_of_two_keys_are_bernoulli():
    """At a gap of log 2 between the scores p = 1/3, and <u, k> is 5 + 2 Bernoulli(p)."""
    keys, order = torch.tensor([[5.0], [7.0]], dtype=torch.float64), 10
    query = torch.tensor([[-math.log(2) / 2]], dtype=torch.float64)
    result = directional_cumulants(query, keys, torch.ones(1, dtype=torch.float64), order)[
        0
    ].tolist()
    exact = [
        2**n * kappa
        for n, kappa in enumerate(Bernoulli(sympy.Rational(1, 3)).cumulants(order), start=1)
    ]
    exact[0] += 5
    assert result == pytest.approx([float(kappa) for kappa in exact], rel=1e-12)


@pytest.mark.parametrize("order", [68, 70, 170])
def test_a_coin_s_cumulants_of_high_order(order):
    """Those of 1 and -1 with equal weights are 2^n (2^n - 1) B_n / n, by Bernoulli numbers."""
    keys = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    found = directional_cumulants(0 * keys[:1], keys, torch.ones(1, dtype=torch.float64), order)
    exact = 2**order * (2**order - 1) * sympy.bernoulli(order) / order
    assert found[0, -1].item() == pytest.approx(float(exact), rel=1e-13)


def test_a_cumulant_beyond_the_range_of_the_dtype_is_no_number():
    keys = torch.tensor([[1.0], [-1.0]], dtype=torch.float32)
    found = directional_cumulants(0 * keys[:1], keys, torch.ones(1), 60)[0]
    assert not found[-2:].isfinite().all() and found[37].isfinite()
    assert _choose(1100, 550) == math.inf


@pytest.mark.parametrize("offset", [0, 2**20])
def test_cumulants_against_exact_arithmetic(offset):
    """Keys that are multiples of 1/64 shift without rounding, so that only the sums can lose
    digits.
    """
    atoms = (normal(6, seed=1) * 64).round() / 64 + offset
    result = directional_cumulants(
        torch.zeros(1, 1, dtype=torch.float64),
        atoms[:, None],
        torch.ones(1, dtype=torch.float64),
        8,
    )[0]
    exact = [float(kappa) for kappa in Empirical(atoms).cumulants(8)]
    moments = [((atoms - exact[0]) ** n).abs().mean().item() for n in range(9)]
    for n in range(2, 9):
        tolerance = 1e-14 * math.factorial(n) * moments[n]
        assert result[n - 1].item() == pytest.approx(exact[n - 1], rel=0, abs=tolerance)


@pytest.mark.parametrize("shift", [0.0, 1e4, 1e8])
def test_far_keys_cost_what_rounding_them_costs(shift):
    """Cumulants and covariance of the keys as they are stored, against exact arithmetic."""
    keys, direction = normal(6, 2, seed=1) + shift, normal(2, seed=2)
    query = torch.tensor([[0.3, -0.2]], dtype=torch.float64)
    with mpmath.workdps(60):
        numbers = [[mpmath.mpf(x) for x in row] for row in keys.tolist()]
        scores = [mpmath.fdot(query[0].tolist(), row) for row in numbers]
        weights = [mpmath.exp(score - scores[0]) for score in scores]
        slopes = [mpmath.fdot(direction.tolist(), row) for row in numbers]
        mean = mpmath.fdot(weights, slopes) / sum(weights)
        moments, sizes = (
            [
                mpmath.fsum(w * f(x - mean) ** n for w, x in zip(weights, slopes)) / sum(weights)
                for n in range(6)
            ]
            for f in (lambda x: x, abs)
        )
    exact = [
        mean,
        moments[2],
        moments[3],
        moments[4] - 3 * moments[2] ** 2,
        moments[5] - 10 * moments[2] * moments[3],
    ]
    result = directional_cumulants(query, keys, direction, 5)[0].tolist()
    assert result[0] == pytest.approx(float(mean), rel=1e-14, abs=1e-14)
    for n in range(2, 6):
        assert abs(result[n - 1] - exact[n - 1]) <= 2e-15 * math.factorial(n) * sizes[n]
    variance = direction @ attention_covariance(query, keys)[0] @ direction
    assert variance.item() == pytest.approx(float(moments[2]), rel=1e-14)


def test_a_low_cumulant_of_zero_is_rounding_of_the_absolute_moment():
    keys = torch.tensor([[1000.0], [-1000.0]], dtype=torch.float64)
    query, direction = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, dtype=torch.float64)
    third, fifth = directional_cumulants(query, keys, direction, 5)[0, 2::2].tolist()
    assert abs(third) <= 1e-15 * 1000**3 and abs(fifth) <= 1e-14 * 1000**5


def test_a_high_cumulant_is_rounding_of_the_terms_of_its_recursion():
    """Order 24 of a coin, beside a zero of it: the terms are far larger than the absolute moment,
    which is below one.
    """
    score, order = math.log(0.4487 / 0.5513), 24
    query, keys = torch.tensor([[score]], dtype=torch.float64), torch.tensor([[0.0], [1.0]])
    result = directional_cumulants(query, keys.double(), torch.ones(1, dtype=torch.float64), order)[
        0, -1
    ].item()
    with mpmath.workdps(60):
        p = 1 / (1 + mpmath.exp(-mpmath.mpf(score)))
        moments = [p * (1 - p) ** n + (1 - p) * (-p) ** n for n in range(order + 1)]
        cumulants, terms = [None, 0], []
        for n in range(2, order + 1):
            terms = [
                mpmath.binomial(n - 1, i - 1) * cumulants[i] * moments[n - i]
                for i in range(2, n - 1)
            ]
            cumulants.append(moments[n] - mpmath.fsum(terms))
        largest = max(abs(term) for term in terms)
    assert 1 < largest
    assert abs(result - cumulants[order]) <= 1e-13 * largest


# Another device


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
class TestCuda:
    """Its fused kernels are others than the CPU's."""

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
    @pytest.mark.parametrize("width", [16, 1, 20])
    def test_agrees_with_the_definition(self, dtype, width):
        inputs = [normal(2, 4, 33, n, seed=i, dtype=dtype) for i, n in enumerate((16, 16, width))]
        mask = torch.ones(33, 33, dtype=torch.bool).tril()
        log_sum, mean = definition(*inputs, beta=0.25, mask=mask)
        queries, keys, values = (x.cuda().requires_grad_() for x in inputs)
        result = attention(queries, keys, values, beta=0.25, mask=mask.cuda())
        atol = 4 * torch.finfo(dtype).eps * values.abs().max().item()
        close(result.cpu().double(), mean, rtol=0, atol=atol)
        result = log_partition(queries, keys, beta=0.25, mask=mask.cuda())
        eps = torch.finfo(dtype).eps
        close(
            result.cpu().double(),
            log_sum,
            rtol=eps,
            atol=8 * max(eps**2, torch.finfo(torch.float32).eps),
        )
        gradients = torch.autograd.grad(result.sum(), (queries, keys))
        assert all(gradient.isfinite().all() for gradient in gradients)

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
    def test_edges(self, dtype):
        queries, keys = (
            normal(3, 16, dtype=dtype).cuda(),
            normal(40, 16, seed=1, dtype=dtype).cuda(),
        )
        mask = torch.ones(3, 40, dtype=torch.bool, device="cuda")
        mask[0] = False
        assert (attention(queries, keys, mask=mask)[0] == 0).all() and log_partition(
            queries, keys, mask=mask
        )[0] == -INF
        assert (attention(queries, keys[:0]) == 0).all() and (
            log_partition(queries, keys[:0]) == -INF
        ).all()
        queries[1] = NAN
        assert attention(queries, keys).isnan().any(-1).tolist() == [False, True, False]
        assert attention(queries, keys * NAN).isnan().all()

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
    def test_second_derivatives_and_transforms(self, dtype):
        """The Hessian of a fused attention, by four routes, against the definition's on the CPU."""
        queries, keys = normal(2, 8, dtype=dtype), normal(3, 8, seed=1, dtype=dtype)
        exact = hessian(lambda q: (definition(q, keys, keys)[1] ** 2).sum())(queries.double())
        keys, queries = keys.cuda(), queries.cuda().requires_grad_()

        def function(q):
            return (attention(q, keys).float() ** 2).sum()

        (first,) = torch.autograd.grad(function(queries), queries, create_graph=True)
        rows = [
            torch.autograd.grad(first.flatten()[i], queries, retain_graph=True)[0]
            for i in range(16)
        ]
        for result in (
            torch.stack(rows).reshape(2, 8, 2, 8),
            hessian(function)(queries),
            jacrev(jacrev(function))(queries),
        ):
            close(
                result.cpu().double(),
                exact,
                rtol=0,
                atol=40
                * max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
                * exact.abs().max().item(),
            )
        batched = vmap(lambda q: attention(q[None], keys)[0])(queries)
        close(batched, attention(queries, keys), rtol=0, atol=8 * torch.finfo(dtype).eps)


# Edges: what is decided in the module's first lines


@pytest.mark.parametrize(
    "options",
    [
        {"mask": torch.tensor([[False] * 4, [True] * 4])},
        {"mask": torch.tensor([[-INF] * 4, [0.0] * 4], dtype=torch.float64)},
        {
            "mask": torch.tensor([[True, False] * 2, [True] * 4]),
            "log_weights": torch.tensor([-INF, 0.0] * 2, dtype=torch.float64),
        },
    ],
    ids=["boolean", "additive", "with weights"],
)
def test_rows_without_keys(options):
    queries, keys = normal(2, 3).requires_grad_(), normal(4, 3, seed=1).requires_grad_()
    log_sum, mean = log_partition(queries, keys, **options), attention(queries, keys, **options)
    assert log_sum[0] == -INF and log_sum[1].isfinite()
    assert (mean[0] == 0).all() and mean[1].isfinite().all()
    for output in (log_sum, mean):
        gradients = torch.autograd.grad(
            output, (queries, keys), torch.ones_like(output), create_graph=True
        )
        assert (
            all(gradient.isfinite().all() for gradient in gradients)
            and (gradients[0][0] == 0).all()
        )
        second = torch.autograd.grad(gradients[0].sum(), (queries, keys))
        assert all(gradient.isfinite().all() for gradient in second)


def test_weights_of_zero_leave_keys_out():
    queries, keys = normal(2, 3), normal(4, 3, seed=1)
    log_weights = torch.tensor([0.0, -INF, 0.0, -INF], dtype=torch.float64)
    for function in (log_partition, attention, attention_covariance):
        close(function(queries, keys, log_weights=log_weights), function(queries, keys[::2]))
    nothing = torch.full((4,), -INF, dtype=torch.float64)
    assert (attention_covariance(queries, keys, log_weights=nothing) == 0).all()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mask": torch.zeros(3, 0)},
        {"mask": torch.zeros(3, 1, dtype=torch.bool)},
        {"mask": torch.full((1, 1), NAN)},
        {"log_weights": torch.zeros(0)},
    ],
    ids=["nothing", "mask", "column", "NaN of no entry", "log-weights"],
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_nan_without_keys(options, dtype):
    """A NaN query spoils its row and no other, where it has no keys as where it has some."""
    options = {name: x if x.dtype == torch.bool else x.to(dtype) for name, x in options.items()}
    queries, keys = normal(3, 4, dtype=dtype), normal(0, 4, dtype=dtype)
    queries[1, 2] = NAN
    log_sum, mean = log_partition(queries, keys, **options), attention(queries, keys, **options)
    assert log_sum.isnan().tolist() == [False, True, False] and (log_sum[[0, 2]] == -INF).all()
    assert mean.isnan().all(-1).tolist() == [False, True, False] and (mean[[0, 2]] == 0).all()
    if "mask" not in options:
        matrix = attention_covariance(queries, keys, **options)
        assert matrix.isnan().flatten(1).all(-1).tolist() == [False, True, False]
    if not options:
        cumulants = directional_cumulants(queries, keys, queries[0], 3)
        assert cumulants.isnan().all(-1).tolist() == [False, True, False]
        assert (cumulants[[0, 2]] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_scores_beyond_the_range_are_not_hidden(dtype):
    """A fused kernel makes 0 of them."""
    huge = torch.finfo(dtype).max ** 0.75
    queries = torch.tensor([[huge, 0], [-huge, 0], [1, 1], [INF, 0]], dtype=dtype)
    keys = torch.tensor([[huge, 0], [huge / 2, 1]], dtype=dtype)
    options = {"log_weights": torch.tensor([0, INF], dtype=dtype)}
    for function in (log_partition, attention, attention_covariance):
        result = function(queries, keys).reshape(4, -1)
        assert result.isnan().all(-1)[[0, 1, 3]].all()
        assert function(queries[2:3], keys / huge, **options).isnan().all()
    assert (
        log_partition(queries[2:3], keys).isfinite()
        and attention(queries[2:3], keys).isfinite().all()
    )
    tiny = torch.tensor([[1 / huge, 0]], dtype=dtype)
    close(attention(tiny, keys), attention(tiny * huge, keys / huge) * huge)


def test_numbers_of_other_types():
    queries, keys = normal(2, 3), normal(4, 3, seed=1)
    for half in (Fraction(1, 2), np.float32(0.5), sympy.Rational(1, 2)):
        for function in (log_partition, attention, attention_covariance):
            close(function(queries, keys, beta=half), function(queries, keys, beta=0.5))
    direction = normal(3, seed=2)
    for order in (np.int64(3), sympy.Integer(3)):
        assert directional_cumulants(queries, keys, direction, order).shape == (2, 3)


def test_no_keys():
    queries, keys = normal(2, 3).requires_grad_(), normal(0, 3)
    log_sum, mean = log_partition(queries, keys), attention(queries, keys, normal(0, 5))
    assert (log_sum == -INF).all() and mean.shape == (2, 5) and (mean == 0).all()
    assert (torch.autograd.grad(mean.sum(), queries)[0] == 0).all()
    assert (attention_covariance(queries, keys) == 0).all() and attention_covariance(
        queries, keys
    ).shape == (2, 3, 3)
    assert (directional_cumulants(queries, keys, normal(3), 3) == 0).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("count, dim", [(4, 3), (5, 8), (600, 16)])
def test_nan_is_not_hidden(dtype, count, dim):
    queries, keys = normal(3, dim, dtype=dtype), normal(count, dim, seed=1, dtype=dtype)

    def spoil(x, *index):
        x = x.clone()
        x[index] = NAN
        return x

    for function in (log_partition, attention, attention_covariance):
        result = function(spoil(queries, 1, 0), keys)
        assert result[1].isnan().all() and result[[0, 2]].isfinite().all()
        assert function(queries, spoil(keys, count - 1, 0)).isnan().any(-1).all()
        assert function(queries, keys * NAN).isnan().all()
        assert (
            function(queries, keys, log_weights=spoil(torch.zeros(count, dtype=dtype), 0))
            .isnan()
            .all()
        )
    masked = torch.ones(3, count, dtype=torch.bool)
    masked[:, 0] = False
    for function in (log_partition, attention):
        assert function(queries, spoil(keys, 0), mask=masked).isnan().all()
        bad = function(queries, keys, mask=torch.full((3, count), NAN, dtype=dtype))
        assert bad.isnan().all()
    assert attention(queries, keys, spoil(keys, 0), mask=masked).isnan().all()
    assert directional_cumulants(spoil(queries, 1, 0), keys, keys[0], 3)[1].isnan().all()


Q, K = normal(5, 3), normal(7, 3)
WRONG = [
    (TypeError, r"queries is a list, needs a floating tensor", lambda: attention([[1.0]], K)),
    (
        TypeError,
        r"queries has dtype torch.int64, needs a floating tensor",
        lambda: log_partition(Q.long(), K),
    ),
    (
        TypeError,
        r"keys has dtype torch.float32, needs torch.float64, that of queries",
        lambda: attention(Q, K.float()),
    ),
    (TypeError, r"values has dtype torch.bool", lambda: attention(Q, K, K > 0)),
    (
        TypeError,
        r"mask has dtype torch.int64, needs a floating tensor, or a boolean one",
        lambda: attention(Q, K, mask=torch.ones(5, 7, dtype=torch.int64)),
    ),
    (
        TypeError,
        r"mask has dtype torch.float32, needs torch.float64",
        lambda: attention(Q, K, mask=torch.zeros(5, 7)),
    ),
    (
        TypeError,
        r"log_weights has dtype torch.float32",
        lambda: log_partition(Q, K, log_weights=torch.zeros(7)),
    ),
    (
        TypeError,
        r"direction has dtype torch.float32",
        lambda: directional_cumulants(Q, K, torch.zeros(3), 2),
    ),
    (
        TypeError,
        r"beta is a Tensor, needs a number; .* scale the queries",
        lambda: attention(Q, K, beta=torch.tensor(1.0)),
    ),
    (TypeError, r"order is 2.0, needs an integer", lambda: directional_cumulants(Q, K, K[0], 2.0)),
    (
        TypeError,
        r"order is True, needs an integer",
        lambda: directional_cumulants(Q, K, K[0], True),
    ),
    (TypeError, r"beta is a bool, needs a number", lambda: log_partition(Q, K, beta=True)),
    (
        ValueError,
        r"beta is 1e-300, needs to be positive and finite in torch.float32",
        lambda: log_partition(Q.float(), K.float(), beta=1e-300),
    ),
    (
        ValueError,
        r"leading dimensions do not broadcast: queries \(\), keys \(3,\), direction \(2,\)",
        lambda: directional_cumulants(Q, K.expand(3, 7, 3), K[:2], 2),
    ),
    (ValueError, r"order is 0, needs at least 1", lambda: directional_cumulants(Q, K, K[0], 0)),
    (ValueError, r"beta is 0", lambda: log_partition(Q, K, beta=0)),
    (ValueError, r"beta is -1", lambda: attention_covariance(Q, K, beta=-1)),
    (ValueError, r"beta is inf", lambda: attention(Q, K, beta=INF)),
    (ValueError, r"beta is nan", lambda: directional_cumulants(Q, K, K[0], 1, beta=NAN)),
    (
        ValueError,
        r"queries has shape \(3,\), needs 2 dimensions or more",
        lambda: attention(Q[0], K),
    ),
    (ValueError, r"keys has shape \(7, 2\), needs \(..., N, 3\)", lambda: attention(Q, K[:, :2])),
    (ValueError, r"values has shape \(6, 3\), needs \(..., 7, e\)", lambda: attention(Q, K, K[:6])),
    (
        ValueError,
        r"log_weights has shape \(5,\), needs \(..., 7\)",
        lambda: log_partition(Q, K, log_weights=Q[:, 0]),
    ),
    (
        ValueError,
        r"mask has shape \(7, 5\), needs one that broadcasts to \(..., 5, 7\)",
        lambda: attention(Q, K, mask=(Q @ K.mT).mT),
    ),
    (
        ValueError,
        r"mask has shape \(5, 7\), needs one that broadcasts to \(..., 1, 7\)",
        lambda: attention(Q[:1], K, mask=Q @ K.mT),
    ),
    (
        ValueError,
        r"direction has shape \(7, 2\), needs \(..., 3\)",
        lambda: directional_cumulants(Q, K, K[:, :2], 2),
    ),
    (
        ValueError,
        r"leading dimensions do not broadcast: queries \(2,\), keys \(3,\)",
        lambda: attention(Q.expand(2, 5, 3), K.expand(3, 7, 3)),
    ),
    (
        ValueError,
        r"keys is on meta, needs cpu, the device of queries",
        lambda: attention(Q, K.to("meta")),
    ),
]


@pytest.mark.parametrize("error, message, call", WRONG, ids=[message for _, message, _ in WRONG])
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_definition_itself():
    """The reference of this file, against forty digits."""
    queries, keys = normal(2, 3), normal(4, 3, seed=1)
    log_sum, mean = definition(queries, keys, keys, beta=0.7)
    with mpmath.workdps(40):
        weights = [
            mpmath.exp(mpmath.mpf(0.7) * mpmath.fdot(queries[0].tolist(), key))
            for key in keys.tolist()
        ]
        assert log_sum[0].item() == pytest.approx(
            float(mpmath.log(sum(weights)) / mpmath.mpf(0.7)), rel=1e-14
        )
        first = mpmath.fdot(weights, keys[:, 0].tolist()) / sum(weights)
        assert mean[0, 0].item() == pytest.approx(float(first), rel=1e-13)
