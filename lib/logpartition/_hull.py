"""The conjugate of the log-partition over finitely many atoms: what a mean costs their law."""

import math

import torch

from .attention import attention, attention_covariance, log_partition


def hull_conjugate(means, atoms, log_weights, tolerance=1e-8):
    """sup_t <t, m> - log(sum_j w_j exp(<t, x_j>)) for each row m of means; +inf off the hull.

    RuntimeError where a row is neither reached by a tilt nor separated from the atoms by one.
    """
    try:
        return _conjugate(means, atoms, log_weights, tolerance)
    except torch.linalg.LinAlgError:
        raise RuntimeError(UNDECIDED) from None


UNDECIDED = "conjugate: rounding hides whether a mean is in the hull of the atoms"


def _conjugate(means, atoms, log_weights, tolerance):
    finite = means.isfinite().all(-1)
    origin = atoms.detach().mean(0)
    bound = torch.finfo(atoms.dtype).eps * atoms.detach().abs().max()
    _, sizes, axes = torch.linalg.svd(atoms.detach() - origin, full_matrices=False)
    # of the affine span, in which the variance is not singular
    axes = axes[sizes > max(atoms.shape) * bound]
    offsets = torch.where(finite.unsqueeze(-1), means - origin, 0.0)
    x, y = (atoms - origin) @ axes.mT, offsets @ axes.mT

    def mean_and_variance(tilt):
        options = {"log_weights": log_weights}
        return attention(tilt, x, **options), attention_covariance(tilt, x, **options)

    with torch.no_grad():
        size = x.norm(dim=-1).max()
        tilt = _newton(y, x, mean_and_variance, tolerance * size)
        reached, variance = mean_and_variance(tilt)
        in_hull = (offsets - reached @ axes).norm(dim=-1) <= tolerance * size + 8 * bound
        in_span = (offsets - y @ axes).norm(dim=-1) <= tolerance * size + 8 * bound
        apart = _separates(tilt, y, x) | _separates(y - reached, y, x)
        if (finite & in_span & ~in_hull & ~apart).any():
            raise RuntimeError(UNDECIDED)
        interior = in_hull & (torch.linalg.eigvalsh(variance) > 1e-12 * size**2).all(-1)
        start = torch.where(interior.unsqueeze(-1), tilt, 0.0)
        average, _ = mean_and_variance(torch.zeros_like(start))

    # Each Newton step that autograd sees doubles the order of the error: derivatives in m to 3.
    target = torch.where(interior.unsqueeze(-1), y, average)
    polished = start
    for _ in range(2):
        reached, variance = mean_and_variance(polished)
        polished = polished + torch.linalg.solve(variance, target - reached)
    tilt = torch.where(interior.unsqueeze(-1), polished, tilt)
    value = (tilt * y).sum(-1) - log_partition(tilt, x, log_weights=log_weights)
    value = torch.where(finite & in_hull, value, math.inf)
    return torch.where(means.isnan().any(-1), math.nan, value)


def _beyond(tilt, y, x):
    """By how much a tilt separates y from all atoms, times its length."""
    return (tilt * y).sum(-1, keepdim=True) - (tilt @ x.mT).amax(-1, keepdim=True)


def _separates(tilt, y, x):
    rounding = 8 * torch.finfo(x.dtype).eps * tilt.norm(dim=-1) * x.norm(dim=-1).max()
    return _beyond(tilt, y, x).squeeze(-1) > rounding


def _newton(y, x, mean_and_variance, margin, max_steps=500):
    """The tilts whose means are the rows of y, or as near to them as rounding, and a pseudo-inverse
    that drops the variances below d eps of the largest, allow.

    A row that is not in the hull of x is given up once its tilt separates it by the margin.

    A Newton step that moves the scores by up to r is shortened to log(1 + r) / r of its length,
    which makes damped Newton's method converge for log-partitions, as their third derivative is at
    most (range of the scores) x (second).
    """
    tilt, active = torch.zeros_like(y), True
    for _ in range(max_steps):
        mean, variance = mean_and_variance(tilt)
        step = (torch.linalg.pinv(variance, hermitian=True) @ (y - mean).unsqueeze(-1)).squeeze(-1)
        scores = step @ x.mT
        r = scores.amax(-1, keepdim=True) - scores.amin(-1, keepdim=True)
        # beyond, all weight is on one atom, or the weights are too far apart
        active = active & (r > 0) & (r < 1e150)
        tilt = tilt + torch.where(active, step * torch.log1p(r) / r, 0.0)
        # Near the solution this is twice the step's gain, and the square root of the next one's.
        active = active & (((y - mean) * step).sum(-1, keepdim=True) > 1e-14)
        active = active & (_beyond(tilt, y, x) <= margin * tilt.norm(dim=-1, keepdim=True))
        if not active.any():
            return tilt
    raise RuntimeError(f"conjugate: no convergence in {max_steps} Newton steps")
