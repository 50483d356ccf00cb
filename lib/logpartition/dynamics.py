"""Flows of points that attend to one another: x_i <- normalize(x_i + h attn(x_i)).

The points are keys and values too. The normaliser tells the flows apart. On the sphere it gives
each token norm 1 (`sphere_step`, and `sphere_flow` for its limit of small steps); for samples on a
line or in space it restores the mean and the mean square deviation of all of them together
(`standardized_flow`). Without a normaliser and with frozen keys the steps are gradient ascent
(`ascend`). Projections are the identity throughout: Q = K = I, and V = I or -I.

Flows take float32 and float64 tensors: in a coarser dtype, steps smaller than a rounding would move
nothing. NaN in a point spoils every point that attends to it. Every function has derivatives of all
orders in its points.
"""

import math
from functools import lru_cache
from numbers import Real
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ._checks import check_attention, check_integer, check_number
from .attention import attention


class Flow(NamedTuple):
    """`times` (T,) and the `points` (T, ..., n, d) at those times, the start among them."""

    times: Tensor
    points: Tensor


def layer_norm(x):
    """(x - mean(x)) / std(x) over the last axis.

    This projects x to the hyperplane sum = 0 and there to the sphere of radius sqrt(d). Shapes: x
    (..., d) gives (..., d). The standard deviation is the biased one, there is no epsilon, gain or
    bias. float16 and bfloat16 rows are normalised in float32, and the result is rounded to their
    dtype.
    Raises: TypeError where x is no floating tensor; ValueError for d < 2 and for a row whose
    entries are all equal, which has no direction. NaN or an infinity spoils its
    row.
    Source: Ba, Kiros and Hinton (2016). Derived in: layer-norm-is-a-sphere

    >>> layer_norm(torch.tensor([0.0, 0.0, 3.0], dtype=torch.float64))  # (-1, -1, 2) / sqrt(2)
    tensor([-0.7071, -0.7071,  1.4142], dtype=torch.float64)
    """
    _check_points("x", x, 1, or_half=True)
    if x.shape[-1] < 2:
        raise ValueError(f"x has shape {tuple(x.shape)}, needs (..., d) with d at least 2")
    if (x == x[..., :1]).all(-1).any():
        raise ValueError("x has a row of equal entries, which no scale makes a unit deviation")
    x, dtype = x.to(torch.promote_types(x.dtype, torch.float32)), x.dtype
    # a sum of huge entries may overflow, a mean of tiny ones vanish; a power of two rounds nothing
    # that matters beside them
    top, room = x.detach().abs().amax(-1, keepdim=True), 2.0 ** (64 if x.itemsize == 4 else 512)
    huge = top > 1e-20 * torch.finfo(x.dtype).max
    x = torch.where(huge, x * 2.0**-64, torch.where(top * room < 1, x * room, x))
    deviation = _centred(x, -1)
    return (deviation / _root_mean_square(deviation, -1)).to(dtype)


def ascend(keys, x, steps):
    """x_{t+1} = x_t + attn(x_t): ascent, by unit steps, of the log-partition of keys that stay.

    Shapes: keys (..., N, d), x (..., L, d) give a Flow with points (steps + 1, ..., L, d).
    Raises: TypeError where steps is no integer or x is not float32 or float64, ValueError where
    steps is negative; otherwise as `attention` does, whose queries are x.
    Source: draft notes, section 3.1. Derived in: ascent-by-attention

    >>> keys = torch.tensor([[0.0], [1.0]], dtype=torch.float64)
    >>> ascend(keys, torch.zeros(1, 1, dtype=torch.float64), 1).points.flatten()
    tensor([0.0000, 0.5000], dtype=torch.float64)
    """
    _check_points("x", x, 2)
    check_attention(x, keys, None, 1.0, None, None)
    start = x.expand(*torch.broadcast_shapes(x.shape[:-2], keys.shape[:-2]), *x.shape[-2:])
    steps = check_integer("steps", steps, 0)
    return _iterate(lambda x: x + attention(x, keys), start, steps)


def sphere_step(tokens, *, beta, step_size):
    """x_i <- (x_i + h attn(x_i)) / |x_i + h attn(x_i)|, the tokens being the keys and the values.

    For x = sqrt(d) tokens whose entries sum to 0, layer normalisation of x + attn(x) is sqrt(d)
    times this step with beta d in the place of beta and h = 1.
    Shapes: tokens (..., n, d), rows of norm 1, give (..., n, d). In the plane (d = 2), where there
    are more than 10 sqrt(beta) tokens, the sums over keys are Fourier series in O(nK), see
    `circle_attention`; elsewhere they are PyTorch's attention.
    Raises: TypeError; ValueError for no tokens, for d < 2, for rows that are not of norm 1 to
    within 1e-3, for beta or step_size that is not positive and finite. A token that its step takes
    to 0 has no direction: it becomes NaN if the computed sum is 0, and else a direction that is
    made of roundings.
    Source: Geshkovski, Letrouit, Polyanskiy and Rigollet (2025). Derived in: two-tokens-on-a-circle

    >>> tokens = torch.eye(2, dtype=torch.float64)
    >>> first = sphere_step(tokens, beta=math.log(3), step_size=1.0)[0]  # 1 + 3/4, and 1/4
    >>> (first / first[1]).round(decimals=4)
    tensor([7., 1.], dtype=torch.float64)
    """
    beta, step_size = check_number("beta", beta), check_number("step_size", step_size)
    x = _on_sphere(tokens)
    return _unit(torch.add(x, _self_attention(x, beta), alpha=step_size))


def sphere_flow(tokens, *, beta, time, step_size):
    """dx_i/dt = (I - x_i x_i^T) attn(x_i) on the sphere, by Runge and Kutta's method of order 4.

    Shapes: tokens (..., n, d), rows of norm 1, give a Flow with points (steps + 1, ..., n, d) at
    equal times from 0 to `time`; the step is the largest that is at most step_size and divides
    `time`. The global error is O(step^4).
    Raises: as `sphere_step` does, and ValueError for a time that is not positive and finite or
    needs over a million steps, which are all kept.
    Source: Geshkovski, Letrouit, Polyanskiy and Rigollet (2025). Derived in: orthogonal-start

    >>> tokens = torch.eye(2, dtype=torch.float64)
    >>> flow = sphere_flow(tokens, beta=1e-9, time=1.0, step_size=0.1)
    >>> flow.points[-1, 0] @ flow.points[-1, 1]  # tanh(1), where beta is 0
    tensor(0.7616, dtype=torch.float64)
    """
    beta, time = check_number("beta", beta), check_number("time", time)
    start = _on_sphere(tokens)
    steps = _count_steps(time, check_number("step_size", step_size))
    h = time / steps

    def field(x):
        x = _unit(x)
        force = _self_attention(x, beta)
        return force - (x * force).sum(-1, keepdim=True) * x

    def step(x):
        k1 = field(x)
        k2 = field(x + h / 2 * k1)
        k3 = field(x + h / 2 * k2)
        k4 = field(x + h * k3)
        return _unit(x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))

    flow = _iterate(step, start, steps)
    times = torch.linspace(0, time, steps + 1, dtype=start.dtype, device=start.device)
    return Flow(times, flow.points)


def standardized_flow(samples, steps, *, sign=+1):
    """x_i <- m + s (y_i - mean y) / rms(y - mean y) with y = x + sign attn(x).

    The law keeps its mean m and its deviation s. The deviation s is the root mean square of the
    samples' deviations from the mean, over all samples and all coordinates: sqrt(d) s is the root
    mean square distance to the mean. `sign` is that of the value matrix, V = I or V = -I.
    Shapes: samples (n,) or (n, d) give a Flow with points (steps + 1, n) or (steps + 1, n, d).
    Where a score overflows, all samples become NaN.
    Raises: TypeError; ValueError for fewer than 2 samples, samples that are all equal, a step from
    which y has no spread beyond rounding (as x - attn(x) has where each sample attends to itself
    alone), a sign that is not 1 or -1, a negative number of steps.
    Source: the question is that of the draft notes, section 3.1; the normaliser is the book's.
    Derived in: fixed-law-on-a-line

    >>> flow = standardized_flow(torch.tensor([-1.0, 1.0], dtype=torch.float64), 3)
    >>> flow.points[-1].round(decimals=4)  # two atoms are a fixed law
    tensor([-1.,  1.], dtype=torch.float64)
    """
    _check_points("samples", samples, 1)
    if samples.ndim > 2 or samples.shape[0] < 2:
        raise ValueError(
            f"samples has shape {tuple(samples.shape)}, needs (n,) or (n, d) with n at least 2"
        )
    if not isinstance(sign, Real) or sign not in (1, -1):
        raise ValueError(f"sign is {sign!r}, needs to be 1 or -1")
    if (samples == samples[0]).all():
        raise ValueError("samples are all equal, and no scale gives them a deviation")
    start = samples.unsqueeze(-1) if samples.ndim == 1 else samples
    centre, scale = start.mean(0), _root_mean_square(_centred(start, 0), (0, 1))

    def step(x):
        deviation = _centred(x + sign * attention(x, x), 0)
        spread = _root_mean_square(deviation, (0, 1))
        if spread <= 4 * torch.finfo(x.dtype).eps * x.abs().max():
            raise ValueError(
                f"samples have a spread of {spread.item():.1e} after a step, which is rounding"
            )
        unit = torch.ldexp(torch.ones_like(spread), torch.frexp(spread.detach()).exponent)
        return centre + scale * (deviation / unit) / (spread / unit)  # no product underflows

    flow = _iterate(step, start, check_integer("steps", steps, 0))
    return flow if samples.ndim == 2 else Flow(flow.times, flow.points.squeeze(-1))


def circle_attention(tokens, beta):
    """sum_j z_j e^(beta cos(a_i - a_j)) / sum_j e^(beta cos(a_i - a_j)) by Fourier series.

    The series is e^(beta cos a) = sum_k I_k(beta) e^(i k a). With z = e^(i a) and c_k = sum_j
    z_j^(-k), the denominator is S(a) = sum_k I_k c_k z^k; seen from token i, the numerator has the
    component dS/dbeta along the token and (1/beta) dS/da across it. These are three series in the
    same powers, in O(n K) time and memory. K follows from beta: with it the series is the kernel
    e^(beta (cos a - 1)) to within a float64 rounding of its largest value, 1. Only rounding
    remains, up to n times that of S where a token is far from all others, so float32 tokens are
    summed in float64 too.
    Shapes: tokens (..., n, 2), rows of norm 1, give (..., n, 2).
    Raises: as `sphere_step` does, and ValueError for d > 2.
    Source: Abramowitz and Stegun, 9.6.34. Derived in: circle-force

    >>> circle_attention(torch.eye(2, dtype=torch.float64), math.log(3))
    tensor([[0.7500, 0.2500],
            [0.2500, 0.7500]], dtype=torch.float64)
    """
    beta = check_number("beta", beta)
    x = _on_sphere(tokens)
    if x.shape[-1] != 2:
        raise ValueError(f"tokens has shape {tuple(x.shape)}, needs (..., n, 2)")
    return _fourier_attention(x, beta)


def _fourier_attention(x, beta):
    # high powers need a norm of 1 to float64's rounding
    unit = x if x.dtype == torch.float64 else _unit(x.double())
    z = torch.view_as_complex(unit.contiguous())
    constant, series = (
        torch.from_numpy(array).to(z.device) for array in _fourier_series(max(beta, 1e-100))
    )  # less is the same, and 1 / beta is finite
    powers = z.unsqueeze(-1).expand(*z.shape, series.shape[-1]).cumprod(-1)
    weights = series * powers.sum(-2, keepdim=True)
    total, along, across, _ = (x.shape[-2] * constant + _real(weights) @ _real(powers).mT).unbind(
        -2
    )
    return torch.view_as_real(z * torch.complex(along / total, across / total)).to(x.dtype)


@lru_cache(maxsize=64)
def _fourier_series(beta):
    """S, dS/dbeta and (1/beta) dS/da: factors (4, 1) of c_0, conjugate ones (4, K) of c_k z^k.

    The terms of -k and k are conjugate to each other, so their sum is twice the real part. A fourth
    row is zero, because products with four rows were the faster ones when timed. Arrays, not
    tensors, are what is kept: a tensor made in inference mode, or in a transform, could not be used
    outside of it.
    """
    bessel = np.array(_bessel(beta, _order(beta) + 1))
    order, inner = np.arange(1, len(bessel) - 1), bessel[1:-1]
    slope = (bessel[:-2] + bessel[2:]) / 2  # I_k'
    constant = np.array([[bessel[0]], [bessel[1]], [0.0], [0.0]])
    return constant, 2 * np.stack([inner + 0j, slope + 0j, -1j * order * inner / beta, 0j * inner])


def _order(beta):
    """The least K for which Chernoff's bound shows 2 sum_{k >= K} e^(-beta) I_k(beta) < eps.

    e^(-beta) I_k(beta) is the probability that the difference of two independent Poisson variables
    of mean beta / 2 is k. Its cumulant generating function is beta (cosh t - 1), and so
    log P(difference >= k) <= -max_t (k t - beta (cosh t - 1)).
    """
    needed, order = math.log(2 / torch.finfo(torch.float64).eps), 1
    while order * math.asinh(order / beta) - order**2 / (math.hypot(order, beta) + beta) < needed:
        order += 1
    return order


def _bessel(beta, order):
    """e^(-beta) I_k(beta) for k = 0, ..., order, by Miller's recurrence.

    It goes downward, and is then scaled to sum to 1 over all k.

    The error is that of leaving out what follows, and rounding.
    """
    values = [0.0, 1e-200]
    for k in range(order, 0, -1):
        values.append(values[-2] + 2 * k / beta * values[-1])
    values = values[:0:-1]
    total = values[0] + 2 * math.fsum(values[1:])
    return [value / total for value in values]


def _real(x):
    """(..., 2K) real of (..., K) complex: inner products are real parts of the complex ones."""
    return torch.view_as_real(x).flatten(-2)


def _self_attention(x, beta):
    """attn(x_i) over the x. From about 10 sqrt(beta) tokens on, the series is the faster route."""
    count, dim = x.shape[-2:]
    if dim == 2 and count > 10 * math.sqrt(beta):
        return _fourier_attention(x, beta)
    return attention(x, x, beta=beta)


def _iterate(step, start, steps):
    points = [start]
    for _ in range(steps):
        points.append(step(points[-1]))
    times = torch.arange(steps + 1, dtype=start.dtype, device=start.device)
    return Flow(times, torch.stack(points))


def _unit(x):
    top = x.detach().abs().amax(-1, keepdim=True)
    x = x / torch.where(top > 1e15, top, 1.0)  # whose squares may overflow
    return x / torch.linalg.vector_norm(x, dim=-1, keepdim=True)


def _on_sphere(tokens):
    """The tokens, as rows of norm 1 to rounding."""
    _check_points("tokens", tokens, 2)
    if tokens.shape[-1] < 2 or tokens.shape[-2] < 1:
        raise ValueError(
            f"tokens has shape {tuple(tokens.shape)}, "
            "needs (..., n, d) with n at least 1 and d at least 2"
        )
    norm = torch.linalg.vector_norm(tokens, dim=-1, keepdim=True)
    known = norm.detach()[~norm.isnan()]
    if known.numel():
        least, most = known.aminmax()
        if least < 1 - 1e-3 or most > 1 + 1e-3:
            raise ValueError(
                f"tokens has rows of norms from {least.item():.4g} to {most.item():.4g}, needs 1"
            )
    return tokens / norm


def _centred(x, dim):
    deviation = x - x.mean(dim, keepdim=True)
    # the rounding of a mean far from zero
    return deviation - deviation.mean(dim, keepdim=True)


def _root_mean_square(x, dim):
    # squares may overflow or vanish; the derivative is that without it
    top = x.detach().abs().amax(dim, keepdim=True)
    top = top + (top == 0)
    return top * (x / top).square().mean(dim, keepdim=True).sqrt()


def _check_points(name, x, axes, *, or_half=False):
    needs = "a floating tensor" if or_half else "a float32 or float64 tensor"
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} is a {type(x).__name__}, needs {needs}")
    if not (x.is_floating_point() if or_half else x.dtype in (torch.float32, torch.float64)):
        raise TypeError(f"{name} has dtype {x.dtype}, needs {needs}")
    if x.ndim < axes:
        raise ValueError(f"{name} has shape {tuple(x.shape)}, needs {axes} dimensions or more")


def _count_steps(time, step_size):
    """The least number of equal steps to `time` that are at most step_size, but for rounding."""
    ratio = time / step_size
    if ratio > 1e6:
        raise ValueError(f"time / step_size is {ratio:.3g}, needs to be at most a million")
    return max(1, math.ceil(ratio * (1 - 1e-12)))
