"""The conjugate of the log-partition over finitely many atoms: the cost of tilting their law to a given mean."""

import math

import torch

from .attention import attention, attention_covariance, log_partition


def hull_conjugate(means, atoms, log_weights, tolerance=1e-8):
    """sup_t <t, m> - log(sum_j w_j exp(<t, x_j>)) for each row m of means; +inf outside the hull of the atoms."""
    finite = means.isfinite().all(-1)
    origin, bound = atoms.detach().mean(0), torch.finfo(atoms.dtype).eps * atoms.detach().abs().max()
    _, sizes, axes = torch.linalg.svd(atoms.detach() - origin, full_matrices=False)
    axes = axes[sizes > max(atoms.shape) * bound]  # of the affine span, in which the variance is not singular
    offsets = torch.where(finite.unsqueeze(-1), means - origin, 0.0)
    x, y = (atoms - origin) @ axes.mT, offsets @ axes.mT

    def mean_and_variance(tilt):
        return attention(tilt, x, log_weights=log_weights), attention_covariance(tilt, x, log_weights=log_weights)

    with torch.no_grad():
        size = x.norm(dim=-1).max()
        tilt = _newton(y, x, mean_and_variance, tolerance * size)
        reached, variance = mean_and_variance(tilt)
        in_hull = (offsets - reached @ axes).norm(dim=-1) <= tolerance * size + 8 * bound
        interior = in_hull & (torch.linalg.eigvalsh(variance) > 1e-12 * size**2).all(-1)
        start = torch.where(interior.unsqueeze(-1), tilt, 0.0)
        average, _ = mean_and_variance(torch.zeros_like(start))

    # Each Newton step that autograd sees doubles the order to which derivatives in m are right.
    target = torch.where(interior.unsqueeze(-1), y, average)
    polished = start
    for _ in range(2):
        reached, variance = mean_and_variance(polished)
        polished = polished + torch.linalg.solve(variance, target - reached)
    tilt = torch.where(interior.unsqueeze(-1), polished, tilt)
    value = (tilt * y).sum(-1) - log_partition(tilt, x, log_weights=log_weights)
    return torch.where(means.isnan().any(-1), math.nan, torch.where(finite & in_hull, value, math.inf))


def _newton(y, x, mean_and_variance, margin, max_steps=500):
    """The tilts whose means are the rows of y, or come as near as rounding allows where y is not inside the hull of x; a row
    that its tilt separates from all of x by the margin is given up.

    A Newton step that moves the scores by up to r is shortened to log(1 + r) / r of its length, which makes damped
    Newton's method converge for log-partitions, as their third derivative is at most (range of the scores) x (second).
    """
    tilt, active = torch.zeros_like(y), True
    for _ in range(max_steps):
        mean, variance = mean_and_variance(tilt)
        step = (torch.linalg.pinv(variance, hermitian=True) @ (y - mean).unsqueeze(-1)).squeeze(-1)
        scores = step @ x.mT
        r = scores.amax(-1, keepdim=True) - scores.amin(-1, keepdim=True)
        active = active & (r > 0) & (r < 1e150)  # beyond, all weight is on one atom, and y is outside
        tilt = tilt + torch.where(active, step * torch.log1p(r) / r, 0.0)
        # Near the solution this is twice what the step gained, and the square root of what the next one would.
        active = active & (((y - mean) * step).sum(-1, keepdim=True) > 1e-14)
        beyond = (tilt * y).sum(-1, keepdim=True) - (tilt @ x.mT).amax(-1, keepdim=True)
        active = active & (beyond <= margin * tilt.norm(dim=-1, keepdim=True))
        if not active.any():
            return tilt
    raise RuntimeError(f"conjugate: no convergence in {max_steps} Newton steps")
