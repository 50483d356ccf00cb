"""Flows of points that attend to one another: x_i <- normalize(x_i + h attn(x_i)), the points being keys and values too.

The normaliser tells the flows apart. On the sphere it gives each token norm 1 (`sphere_step`, and `sphere_flow` for its
limit of small steps); for samples on a line or in space it restores the mean and the mean square deviation of all of them
together (`standardized_flow`). Without a normaliser and with frozen keys the steps are gradient ascent (`ascend`).
Projections are the identity throughout: Q = K = I, and V = I or -I.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import torch
from mpmath import besseli, mp
from torch import Tensor

from .attention import attention


class Flow(NamedTuple):
    """`times` (T,) and the `points` (T, ..., n, d) at those times, the start among them."""

    times: Tensor
    points: Tensor


def layer_norm(x):
    """(x - mean(x)) / std(x) over the last axis: the projection of x to the sphere of radius sqrt(d) in the hyperplane sum = 0.

    Shapes: x (..., d) gives (..., d). The standard deviation is the biased one, there is no epsilon, gain or bias.
    Raises: TypeError where x is no floating tensor; ValueError for d < 2 and for a row whose entries are all equal, which
    has no direction. NaN spoils its row.
    Source: Ba, Kiros and Hinton (2016). Derived in: layer-norm-is-a-sphere
    """
    _check_points("x", x, 1)
    if x.shape[-1] < 2:
        raise ValueError(f"x has shape {tuple(x.shape)}, needs (..., d) with d at least 2")
    deviation = x - x.mean(-1, keepdim=True)
    scale = deviation.square().mean(-1, keepdim=True).sqrt()
    if (scale == 0).any():
        raise ValueError("x has a row of equal entries, which no scale makes a unit deviation")
    return deviation / scale


def ascend(keys, x, steps):
    """x_{t+1} = x_t + attn(x_t): gradient ascent, with unit steps, on the log-partition of keys that stay where they are.

    Shapes: keys (..., N, d), x (..., L, d) give a Flow with points (steps + 1, ..., L, d).
    Raises: ValueError for a negative number of steps; otherwise as `attention` does. NaN propagates.
    Source: draft notes, section 3.1. Derived in: ascent-by-attention
    """
    return _iterate(lambda x: x + attention(x, keys), x, _check_steps(steps))


def sphere_step(tokens, *, beta, step_size):
    """x_i <- (x_i + h attn(x_i)) / |x_i + h attn(x_i)|, the tokens being the keys and the values.

    Shapes: tokens (..., n, d), rows of norm 1, give (..., n, d). In the plane (d = 2) the sums over keys are Fourier
    series and cost O(n), see `circle_attention`; in other dimensions they are PyTorch's attention.
    Raises: TypeError, ValueError for d < 2, for rows that are not of norm 1 to within 1e-3, for beta or step_size that is not
    positive and finite. NaN propagates.
    Source: Geshkovski, Letrouit, Polyanskiy and Rigollet (2023). Derived in: two-tokens-on-a-circle
    """
    _check_sphere(tokens)
    _check_positive(beta=beta, step_size=step_size)
    return _unit(tokens + step_size * _self_attention(_unit(tokens), beta))


def sphere_flow(tokens, *, beta, time, step_size):
    """dx_i/dt = (I - x_i x_i^T) attn(x_i) on the sphere, by the classical Runge-Kutta method of order 4.

    Shapes: tokens (..., n, d), rows of norm 1, give a Flow with points (steps + 1, ..., n, d) at equal times from 0 to
    `time`; the step is the largest that is at most step_size and divides `time`. The global error is O(step^4).
    Raises: as `sphere_step` does, and ValueError for a time that is not positive and finite.
    Source: Geshkovski, Letrouit, Polyanskiy and Rigollet (2023). Derived in: orthogonal-start
    """
    _check_sphere(tokens)
    _check_positive(beta=beta, time=time, step_size=step_size)
    steps = math.ceil(time / step_size * (1 - 1e-12))
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

    flow = _iterate(step, _unit(tokens), steps)
    return Flow(flow.times * h, flow.points)


def standardized_flow(samples, steps, *, sign=+1):
    """x_i <- m + s (y_i - mean y) / rms(y - mean y) with y = x + sign attn(x): the law keeps its mean m and deviation s.

    The deviation s is the root mean square distance to the mean, summed over the coordinates. `sign` is that of the value
    matrix, V = I or V = -I.
    Shapes: samples (n,) on a line or (n, d) give a Flow with points (steps + 1, n) or (steps + 1, n, d).
    Raises: TypeError; ValueError for fewer than 2 samples, samples that are all equal (at the start or later), a sign
    that is not 1 or -1, a negative number of steps. NaN propagates.
    Source: draft notes, section 3.1. Derived in: gaussian-is-fixed
    """
    _check_points("samples", samples, 1)
    if samples.ndim > 2 or samples.shape[0] < 2:
        raise ValueError(f"samples has shape {tuple(samples.shape)}, needs (n,) or (n, d) with n at least 2")
    if sign not in (1, -1):
        raise ValueError(f"sign is {sign}, needs to be 1 or -1")
    start = samples.unsqueeze(-1) if samples.ndim == 1 else samples
    centre, scale = start.mean(0), _spread(start)

    def step(x):
        y = x + sign * attention(x, x)
        return centre + scale * (y - y.mean(0)) / _spread(y)

    flow = _iterate(step, start, _check_steps(steps))
    return flow if samples.ndim == 2 else Flow(flow.times, flow.points.squeeze(-1))


def circle_attention(tokens, beta):
    """sum_j z_j e^(beta cos(a_i - a_j)) / sum_j e^(beta cos(a_i - a_j)), by e^(beta cos a) = sum_k I_k(beta) e^(i k a).

    With z = e^(i a) and c_k = sum_j z_j^(-k), the denominator is S(a) = sum_k I_k c_k z^k; seen from token i, the numerator
    has the component dS/dbeta along the token and (1/beta) dS/da across it. These are three series in the same powers, in
    O(n K) time and memory. K is the first order beyond which they are below a rounding of the dtype, even n-fold; what
    remains is rounding, a few n ulps.
    Shapes: tokens (..., n, 2), rows of norm 1, give (..., n, 2).
    Source: Abramowitz and Stegun, 9.6.34. Derived in: jacobi-anger
    """
    z = torch.view_as_complex(tokens.contiguous())
    constant, series = _series(float(beta), tokens.shape[-2], tokens.dtype, tokens.device)
    powers = _powers(z, series.shape[-1])
    moments = powers.sum(-1).conj().unsqueeze(-2)
    total, along, across = (constant + ((series * moments) @ powers).real).unbind(-2)
    return torch.view_as_real(z * torch.complex(along, across) / total)


@lru_cache(maxsize=64)
def _series(beta, count, dtype, device):
    """S, dS/dbeta and (1/beta) dS/da as constants (3, 1) and coefficients (3, K) of c_k z^k; -k adds the conjugate of k."""
    bessel = torch.tensor(_bessel(beta, count, torch.finfo(dtype).eps), dtype=torch.float64)
    order = torch.arange(1, len(bessel) - 1, dtype=torch.float64)
    slope = (bessel[:-2] + bessel[2:]) / 2                      # I_k' = (I_{k-1} + I_{k+1}) / 2
    constant = count * torch.stack([bessel[0], bessel[1], torch.tensor(0.0, dtype=torch.float64)]).unsqueeze(-1)    # I_0' = I_1
    series = 2 * torch.stack([bessel[1:-1] + 0j, slope + 0j, 1j * order * bessel[1:-1] / beta])
    return constant.to(dtype=dtype, device=device), series.to(dtype=dtype.to_complex(), device=device)


def _bessel(beta, count, epsilon):
    """e^(-beta) I_k(beta) for k = 0, ..., K + 1, where count times all that follow is below epsilon."""
    values = []
    with mp.workdps(30):
        scale = mp.exp(-beta)
        while len(values) <= beta / 2 + 2 or values[-1] * count * 4 > epsilon:      # ratios are below 1/2 beyond 2k = beta
            values.append(float(besseli(len(values), beta) * scale))
    return values


def _powers(z, count):
    """z, z^2, ..., z^count as rows: the second half is the first times its last."""
    if count == 1:
        return z.unsqueeze(-2)
    half = _powers(z, (count + 1) // 2)
    return torch.cat([half, half[..., :count // 2, :] * half[..., -1:, :]], -2)


def _self_attention(tokens, beta):
    return circle_attention(tokens, beta) if tokens.shape[-1] == 2 else attention(tokens, tokens, beta=beta)


def _iterate(step, start, steps):
    points = [start]
    for _ in range(steps):
        points.append(step(points[-1]))
    return Flow(torch.arange(steps + 1, dtype=start.dtype, device=start.device), torch.stack(points))


def _unit(x):
    return x / x.norm(dim=-1, keepdim=True)


def _spread(x):
    spread = (x - x.mean(0)).square().sum(-1).mean().sqrt()
    if spread == 0:
        raise ValueError("samples are all equal, and no scale gives them back their deviation")
    return spread


def _check_points(name, x, axes):
    if not isinstance(x, Tensor) or not x.is_floating_point():
        raise TypeError(f"{name} is {x.dtype if isinstance(x, Tensor) else type(x).__name__}, needs a floating tensor")
    if x.ndim < axes:
        raise ValueError(f"{name} has shape {tuple(x.shape)}, needs at least {axes} axes")


def _check_sphere(tokens):
    _check_points("tokens", tokens, 2)
    if tokens.shape[-1] < 2 or tokens.shape[-2] < 1:
        raise ValueError(f"tokens has shape {tuple(tokens.shape)}, needs (..., n, d) with n at least 1 and d at least 2")
    if ((tokens.norm(dim=-1) - 1).abs() > 1e-3).any():
        raise ValueError("tokens has rows that are not of norm 1")


def _check_positive(**numbers):
    for name, value in numbers.items():
        if not (isinstance(value, (int, float)) and 0 < value < math.inf):
            raise ValueError(f"{name} is {value}, needs to be a positive finite number")


def _check_steps(steps):
    if not isinstance(steps, int) or steps < 0:
        raise ValueError(f"steps is {steps}, needs to be an integer that is not negative")
    return steps
