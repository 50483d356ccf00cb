"""Modern Hopfield networks: retrieval of stored patterns by attention, and the law whose energy it
descends.

    energy      E(x) = |x|^2 / 2 - log(sum_j exp(beta <k_j, x>)) / beta
    update      x <- x - grad E(x) = sum_j p_j k_j = attn(x),  p = softmax(beta <k_j, x>)
    law         e^-E / Z = sum_j softmax(|k_j|^2 / 2)_j N(k_j, I) at beta = 1

Conventions are those of `attention`. A state x is (..., d), patterns k_j are the rows of (..., N,
d); leading dimensions broadcast, and with patterns that are shared, (N, d), a state may be (d,) or
any batch. `beta` is a positive number. NaN in a state spoils its row, NaN in a pattern every row
that shares it; of a Retrieval that is the residual, while the solution is the state as it was
given. Arguments of a wrong dtype raise TypeError; N = 0, shapes that do not fit and numbers out of
range raise ValueError.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from ._arguments import check_count, check_leading, check_positive, check_shape, check_tensors
from ._definition import is_transformed
from .attention import attention, attention_covariance, log_partition


class Retrieval(NamedTuple):
    """The state `solution` (..., d), its `residual` |attn(x) - x| (...), whether that `converged`
    (...), and the number of `steps` (...) that led to it."""

    solution: Tensor
    residual: Tensor
    converged: Tensor
    steps: Tensor


def energy(state, patterns, *, beta=1.0):
    """E(x) = |x|^2 / 2 - log(sum_j exp(beta <k_j, x>)) / beta, whose gradient is x - attn(x).

    Shapes: state (..., d), patterns (..., N, d) give (...). No constant is added: Ramsauer et al.
    add log(N) / beta + M^2 / 2 with M the largest norm of a pattern, and then 0 <= E <= 2 M^2 where
    |x| <= M. At beta = 1 the logarithm of the normaliser of the law e^-E is
    `log_normalizer(patterns)`.

    Raises: as the module says.
    Source: Ramsauer et al. (2021), equation (2); Bal (2020), section 2.
    Derived in: hopfield-update

    >>> patterns = torch.tensor([[-1.0], [1.0]], dtype=torch.float64)
    >>> energy(torch.zeros(1, dtype=torch.float64), patterns).neg().exp().round(decimals=4)
    tensor(2., dtype=torch.float64)
    """
    queries = _queries(state, patterns, beta)
    wide = state.to(torch.promote_types(state.dtype, torch.float32))
    log_sum = log_partition(queries.to(wide.dtype), patterns.to(wide.dtype), beta=float(beta))
    log_sum = log_sum if queries is state else log_sum.squeeze(-1)
    return (wide.square().sum(-1) / 2 - log_sum).to(state.dtype)


def retrieve(state, patterns, *, beta=1.0, tolerance, max_steps):
    """x <- attn(x) until |attn(x) - x| <= tolerance, or max_steps times.

    Shapes: state (..., d), patterns (..., N, d) give a Retrieval; each row stops by itself. Every
    step lowers the energy, by |x - x'|^2 / 2 + KL(p || p') / beta. The residual is not the distance
    to a fixed point: where the update contracts by a factor of rate, that is up to
    residual / (1 - rate), and where valleys merge the rate is 1. A fixed point need not be a
    minimum: a start on the ridge between two patterns stays there.

    Derivatives are those of the fixed point in the patterns, by the implicit function theorem, not
    of the iteration: near a fixed point where the eigenvalues of beta Cov_p(k) are below 1, the
    limit does not change with the start. Orders up to three are exact at the returned state, and as
    derivatives at the fixed point off by what its distance from there makes of them; that distance
    may be far larger than the residual. Orders four and more are in general wrong, and nothing
    warns of it. A row that has not converged is a constant, if its patterns are finite. Where I -
    beta Cov_p(k) is singular there is no derivative: RuntimeError is raised if the solver finds it
    singular, but rounding can hide that and leave enormous numbers.

    Raises: TypeError where dtypes are not float32 or float64; ValueError for a tolerance that is
    not positive and finite, or max_steps < 1; otherwise as the module says.
    Source: Ramsauer et al. (2021), equation (3) and theorems 1 and 2.
    Derived in: descent, retrieval-converges

    >>> patterns = torch.tensor([[-1.0], [1.0]], dtype=torch.float64)
    >>> start = torch.tensor([0.5], dtype=torch.float64)
    >>> found = retrieve(start, patterns, beta=2.0, tolerance=1e-9, max_steps=100)
    >>> found.solution, (2 * found.solution).tanh()
    (tensor([0.9575], dtype=torch.float64), tensor([0.9575], dtype=torch.float64))
    """
    queries = _queries(state, patterns, beta)
    if state.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"state has dtype {state.dtype}, needs float32 or float64")
    check_positive(tolerance=tolerance)
    check_count(1, max_steps=max_steps)
    beta, tolerance = float(beta), float(tolerance)
    x, change, steps = _iterate(queries.detach(), patterns.detach(), beta, tolerance, max_steps)
    residual = change.norm(dim=-1)
    converged = residual <= tolerance
    if torch.is_grad_enabled() and patterns.requires_grad or is_transformed(patterns):
        x = _implicit(x, change, converged, patterns, beta)
    if queries is not state:
        x = x.squeeze(-2)
        residual, converged, steps = (field.squeeze(-1) for field in (residual, converged, steps))
    return Retrieval(x, residual, converged, steps)


def mixture_weights(patterns):
    """pi_j = softmax(|k_j|^2 / 2)_j, the weight of N(k_j, I) in the law e^-E / Z at beta = 1.

    Shapes: patterns (..., N, d) give (..., N).
    Raises: as the module says.
    Source: Bal (2020), section 2, whose weights, as printed, sum to (2 pi)^(-d/2).
    Derived in: law-of-the-energy

    >>> patterns = torch.tensor([[0.0], [math.sqrt(2 * math.log(3))]], dtype=torch.float64)
    >>> mixture_weights(patterns)
    tensor([0.2500, 0.7500], dtype=torch.float64)
    """
    return _half_squares(patterns).softmax(-1).to(patterns.dtype)


def log_normalizer(patterns):
    """log Z = (d/2) log(2 pi) + log(sum_j exp(|k_j|^2 / 2)), Z = integral of e^-E at beta = 1.

    Shapes: patterns (..., N, d) give (...).
    Raises: as the module says.
    Source: Bal (2020), section 2.
    Derived in: law-of-the-energy

    >>> log_normalizer(torch.zeros(1, 2, dtype=torch.float64)).exp()  # 2 pi
    tensor(6.2832, dtype=torch.float64)
    """
    log_sum = _half_squares(patterns).logsumexp(-1)
    return (patterns.shape[-1] / 2 * math.log(2 * math.pi) + log_sum).to(patterns.dtype)


def capacity_base(beta, radius, dim, failure):
    """c = b / W(e^(a + log b)), a = 2 (1 + log(2 beta K^2 p (d-1))) / (d-1), b = 2 K^2 beta / 5, W
    Lambert's function.

    With probability 1 - p at least sqrt(p) c^((d-1)/4) random patterns on the sphere of radius K
    sqrt(d-1) are stored, where c >= (2 / sqrt(p))^(4/(d-1)). Stored means that each has a sphere
    around it with one fixed point inside, to which all points of the sphere converge, and that the
    spheres are disjoint. Numbers in and out: beta > 0, the radius K > 0, the integer dim d >= 2,
    the probability of failure p in (0, 1].

    Raises: TypeError; ValueError for numbers out of range, where c is smaller than that, and where
    beta K^2 (d-1) < 1: there the update contracts, and all patterns share one fixed point.
    Source: Ramsauer et al. (2021), theorem 3.

    >>> round(capacity_base(1, 3, 20, 0.001), 3)
    3.155
    """
    check_positive(beta=beta, radius=radius, failure=failure)
    check_count(2, dim=dim)
    if failure > 1:
        raise ValueError(f"failure is {failure}, needs to be a probability")
    log_scale = 2 * math.log(radius) + math.log(beta)  # of beta K^2, which itself may overflow
    a = 2 / (dim - 1) * (1 + math.log(2) + log_scale + math.log(failure) + math.log(dim - 1))
    log_b = math.log(2 / 5) + log_scale
    if log_scale + math.log(dim - 1) < 0:
        raise ValueError("beta radius^2 (dim - 1) is below 1, where only one pattern can be stored")
    log_base = log_b - _log_lambert(a + log_b)
    least = 4 / (dim - 1) * math.log(2 / math.sqrt(failure))
    if log_base < least:
        raise ValueError(
            f"beta, radius, dim, failure give c = {_exp(log_base):.5g}, needs "
            f"(2 / sqrt(failure))^(4 / (dim - 1)) = {_exp(least):.5g} or more"
        )
    return _exp(log_base)


def _exp(x):
    return math.exp(x) if x < 709 else math.inf


def _log_lambert(z):
    """log W(e^z): the u with u + e^u = z, by Newton's method from above, where it descends to u
    without overshooting."""
    u = min(z, math.log(max(z, 1.0)))
    while True:
        step = (u + math.exp(u) - z) / (1 + math.exp(u))
        if step <= 4 * math.ulp(max(abs(u), 1.0)):
            return u - step
        u -= step


def _half_squares(patterns):
    check_tensors(patterns=patterns)
    check_shape("patterns", patterns, "N", "d")
    return patterns.to(torch.promote_types(patterns.dtype, torch.float32)).square().sum(-1) / 2


def _queries(state, patterns, beta):
    """The state as queries (..., L, d): as it is where a batch shares the patterns, else with L =
    1."""
    check_positive(beta=beta)
    check_tensors(state=state, patterns=patterns)
    check_shape("patterns", patterns, "N", "d")
    check_shape("state", state, patterns.shape[-1])
    check_leading(state=state.shape[:-1], patterns=patterns.shape[:-2])
    return state if patterns.ndim == 2 and state.ndim > 1 else state.unsqueeze(-2)


@torch.no_grad()
def _iterate(x, patterns, beta, tolerance, max_steps):
    """The last x, attn(x) - x, and how many steps each row took."""
    lead = torch.broadcast_shapes(x.shape[:-2], patterns.shape[:-2])
    x = x.expand(*lead, *x.shape[-2:])
    steps = torch.zeros(x.shape[:-1], dtype=torch.int64, device=x.device)
    for left in range(max_steps, -1, -1):
        change = attention(x, patterns, beta=beta) - x
        active = change.norm(dim=-1) > tolerance
        if not left or not active.any():
            return x, change, steps
        x = torch.where(active.unsqueeze(-1), x + change, x)
        steps += active


def _implicit(x, change, converged, patterns, beta):
    """x with the derivatives of the solution of x = attn(x) - change, which it is to rounding.

    Each of two Newton steps that autograd sees doubles the order of the error, so derivatives are
    right to the third; in value the steps are zero.
    """
    row = converged.unsqueeze(-1)
    identity = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
    fixed = torch.where(row, x, 0.0)
    for _ in range(2):
        excess = torch.where(row, attention(fixed, patterns, beta=beta) - change - fixed, 0.0)
        jacobian = beta * attention_covariance(fixed, patterns, beta=beta)
        matrix = identity - torch.where(row.unsqueeze(-1), jacobian, 0.0)
        step, info = torch.linalg.solve_ex(matrix, excess.unsqueeze(-1))
        if info.any():
            raise RuntimeError("retrieve: I - beta Cov_p is singular, and there is no derivative")
        fixed = fixed + step.squeeze(-1)
    return torch.where(row, fixed, x)
