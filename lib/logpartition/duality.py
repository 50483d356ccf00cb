"""Four duals of the log-partition function: entropy, evidence, attention's inverse, and boosting.

    maximum entropy     max {H(p) : <p, e> = U} = inf_beta log(sum_j exp(-beta (e_j - U)))
    evidence            log Z = ELBO(q) + KL(q || p(z | x)) >= ELBO(q)
    inverse attention   G*(m) = sup_q <q, m> - G(q), attained where attention is m, if anywhere
    boosting            min {KL+(q|q_0) : <q, m> = 0} = sup_alpha sum_i q_0i (1 - exp(-alpha m_i))

The first and the last are one problem where U is strictly between the least energy and the
largest. Under margins m_j = e_j - U and q_0 = 1 the loss is minimal at alpha = beta, and the
maximum entropy is the logarithm of the least loss. They part where all margins have one sign:
unnormalised weights can all vanish, probabilities cannot.

Leading dimensions broadcast, and NaN spoils what depends on it in its row, that of a
state or an example of weight 0 included. Everything is computed
in float64 and rounded to the dtype of the arguments, and differentiable to third order at least.
Which steps are taken depends on the data, so torch.func.vmap does not apply. Arguments of a wrong
dtype raise TypeError; shapes that do not fit and values out of range raise ValueError.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from ._arguments import check_count, check_leading, check_positive, check_shape, check_tensors
from .attention import attention, attention_covariance


class MaximumEntropy(NamedTuple):
    """Inverse temperature `beta` (...), `probabilities` (..., N) and their `entropy` (...)."""

    beta: Tensor
    probabilities: Tensor
    entropy: Tensor


class EvidenceLowerBound(NamedTuple):
    """log_evidence = elbo + kl, each (...)."""

    log_evidence: Tensor
    elbo: Tensor
    kl: Tensor


class InverseAttention(NamedTuple):
    """The query `solution` (..., L, d), its `residual` |attn(q) - mean| (..., L), whether the row
    has `converged` (..., L), and its number of `steps` (..., L)."""

    solution: Tensor
    residual: Tensor
    converged: Tensor
    steps: Tensor


class ExponentialLossDual(NamedTuple):
    """The minimiser `alpha`, the least `loss`, the projection's divergence `kl`; each (...)."""

    alpha: Tensor
    loss: Tensor
    kl: Tensor


def maximum_entropy(energies, mean_energy):
    """p_j = e^(-beta e_j) / Z with <p, e> = U: the law of largest entropy H with mean energy U.

    Shapes: energies e (..., N), N >= 1, mean_energy U (...) give a MaximumEntropy. beta = dH/dU is
    any real number: positive for U below the plain average of the energies, negative above.

    U lies between the least energy and the largest; rounding of 4 N units beyond is forgiven. At an
    end the law is even over the states with that energy, beta is inf or -inf, and derivatives are
    0. Where all energies are equal, beta is 0.
    Raises: TypeError; ValueError for energies that are infinite and for U out of range.
    Source: Jaynes (1957); Boyd and Vandenberghe (2004), sections 5.1.6 and 5.2.4,
    for the dual.
    Derived in: maxent-gap, largest-entropy

    >>> energies = torch.tensor([0.0, 1.0], dtype=torch.float64)
    >>> found = maximum_entropy(energies, torch.tensor(0.25, dtype=torch.float64))
    >>> found.probabilities, found.beta.exp().round(decimals=4)
    (tensor([0.7500, 0.2500], dtype=torch.float64), tensor(3., dtype=torch.float64))
    """
    check_tensors(energies=energies, mean_energy=mean_energy)
    check_shape("energies", energies, "N")
    check_leading(energies=energies.shape[:-1], mean_energy=mean_energy.shape)
    if energies.isinf().any():
        raise ValueError("energies has infinite entries, needs finite ones")
    low, high = energies.detach().double().aminmax(dim=-1)
    slack = 4 * energies.shape[-1] * torch.finfo(energies.dtype).eps * torch.maximum(-low, high)
    target = mean_energy.double()
    if ((target < low - slack) | (target > high + slack)).any():
        raise ValueError("mean_energy has entries that no law has, needs the range of energies")
    margins = energies.double() - target.maximum(low).minimum(high).unsqueeze(-1)
    beta, logits = _balance(margins, torch.zeros_like(margins))
    found = MaximumEntropy(beta, logits.softmax(-1), logits.logsumexp(-1))
    return MaximumEntropy(*(field.to(energies.dtype) for field in found))


def evidence_lower_bound(log_joint, q):
    """log Z = ELBO(q) + KL(q || p(z | x)), Z = sum_z p(x, z), ELBO = sum_z q_z log(p(x, z) / q_z).

    Shapes: log_joint (..., K), the logs of p(x, z) for each value of z, and the probabilities q
    (..., K) give an EvidenceLowerBound. -ELBO is the variational free energy: the mean of
    -log p(x, z) under q, less the entropy of q. elbo and kl are computed apart from each other, so
    that their sum is a check.

    log_joint may be -inf: where q is not 0 there, elbo is -inf and kl is inf. Where it is -inf
    everywhere, log_evidence and elbo are -inf, and kl is NaN, as there is no posterior. A state
    with q = 0 is left out of elbo, and of the mean of logarithms in kl, and derivatives in that q
    are 0. Its log_joint still counts in log_evidence, and so in kl.
    Raises: TypeError; ValueError for K = 0, a log_joint of +inf, and for q that is negative or
    whose sum is not 1 to within 4 K units of rounding.
    Source: Jordan, Ghahramani, Jaakkola and Saul (1999).
    Derived in: elbo

    >>> log_joint = torch.tensor([0.125, 0.375], dtype=torch.float64).log()
    >>> found = evidence_lower_bound(log_joint, torch.tensor([0.5, 0.5], dtype=torch.float64))
    >>> found.log_evidence.exp(), (2 * found.kl).exp()  # 1/8 + 3/8, and 2 times 2/3
    (tensor(0.5000, dtype=torch.float64), tensor(1.3333, dtype=torch.float64))
    """
    check_tensors(log_joint=log_joint, q=q)
    check_shape("log_joint", log_joint, "K")
    check_shape("q", q, log_joint.shape[-1])
    check_leading(log_joint=log_joint.shape[:-1], q=q.shape[:-1])
    if (log_joint == math.inf).any():
        raise ValueError("log_joint has entries of +inf, needs less")
    rounding = 4 * q.shape[-1] * torch.finfo(q.dtype).eps
    if (q < 0).any() or ((q.detach().double().sum(-1) - 1).abs() > rounding).any():
        raise ValueError("q has rows that are no probabilities, needs entries >= 0 with sum 1")
    log_p, weights = log_joint.double(), q.double()
    empty = (log_p == -math.inf).all(-1, keepdim=True)
    top = torch.where(empty, 0.0, log_p.detach().amax(-1, keepdim=True))
    log_sum = (log_p - top).masked_fill(empty, 0.0).logsumexp(-1, keepdim=True)
    log_sum = log_sum.masked_fill(empty, -math.inf)
    absent = (weights == 0) & ~log_p.isnan()
    log_q = torch.where(absent, 1.0, weights).log()
    elbo = (weights * (torch.where(absent, 0.0, log_p) - log_q)).sum(-1)
    kl = (weights * (log_q - torch.where(absent, 0.0, log_p - top - log_sum))).sum(-1)
    found = EvidenceLowerBound((top + log_sum).squeeze(-1).expand_as(elbo), elbo, kl)
    return EvidenceLowerBound(*(field.to(q.dtype) for field in found))


def inverse_attention(mean, keys, *, tolerance=1e-6, max_steps=200):
    """The q with attn(q) = mean, the maximiser of <q, mean> - log(sum_j exp(<q, k_j>)).

    Shapes: mean (..., L, d), keys (..., N, d) give an InverseAttention. Where attention has a
    temperature, the query is q / beta. There is such a query exactly for means in the relative
    interior of the hull of the keys. It is unique where the keys affinely span R^d; otherwise this
    is the shortest, which lies in the span of the differences of the keys.

    Damped Newton steps. A row has converged when a full step would change no difference of two
    scores by more than the tolerance, rounding included, and that step and two more, which are then
    taken, reach the mean to rounding. Derivatives of orders up to three are exact in mean and keys,
    the rank of whose differences is taken as fixed. Keys that differ in some direction by rounding
    of float64 only are taken to agree in it; keys that differ by rounding of float32 are not. A row
    that has not converged, such as, at the default tolerance, any for a mean that is on the
    relative boundary of a hull not thinner than 1e-7 of its length, or outside by more than
    rounding, is a constant: its last iterate. Not to have converged is no proof that there is no
    query: long ones may fail too, as under keys 0 and 1, at the default tolerance, those for means
    within 3e-10 of an end. A mean that is not finite, and keys that are not, give NaN.

    Raises: TypeError; ValueError for N = 0, a tolerance that is not between 0 and 1, max_steps < 1.
    Source: Wainwright and Jordan (2008), theorem 3.3; Sun and Tran-Dinh (2019) for the damped step.
    Derived in: inverse-attention

    >>> mean = torch.tensor([[0.75]], dtype=torch.float64)
    >>> keys = torch.tensor([[0.0], [1.0]], dtype=torch.float64)
    >>> inverse_attention(mean, keys).solution.exp().round(decimals=4)  # odds of three to one
    tensor([[3.]], dtype=torch.float64)
    """
    check_tensors(mean=mean, keys=keys)
    check_shape("keys", keys, "N", "D")
    check_shape("mean", mean, "l", keys.shape[-1])
    check_leading(mean=mean.shape[:-2], keys=keys.shape[:-2])
    check_positive(tolerance=tolerance)
    if tolerance >= 1:
        raise ValueError(f"tolerance is {tolerance}, needs to be below 1, where steps are good")
    check_count(1, max_steps=max_steps)
    proper = keys.isfinite().all((-2, -1), keepdim=True)
    finite = (mean.isfinite().all(-1, keepdim=True) & proper).squeeze(-1)
    x = torch.where(proper, keys, 0.0).double()
    origin, top = x.detach().mean(-2, keepdim=True), x.detach().abs().amax((-2, -1), keepdim=True)
    scale = (x.detach() - origin).abs().amax((-2, -1), keepdim=True)
    scale = scale + (scale == 0)
    x, top = (x - origin) / scale, top / scale
    y = (torch.where(finite.unsqueeze(-1), mean.double(), origin) - origin) / scale
    accepted = 16 * torch.finfo(mean.dtype).eps * top.squeeze(-1)
    found = _solve(y, x, 8 * top[..., 0, 0], accepted, float(tolerance), max_steps)
    solution = torch.where(finite.unsqueeze(-1), found.solution / scale, math.nan).to(mean.dtype)
    residual = torch.where(finite, found.residual * scale.squeeze(-1), math.nan).to(mean.dtype)
    return InverseAttention(solution, residual, found.converged & finite, found.steps)


def exponential_loss_dual(margins, prior=None):
    """inf_alpha sum_i q_0i e^(-alpha m_i) = sum_i q_0i - min {KL(q || q_0) : <q, m> = 0}.

    Shapes: margins m (..., N), N >= 1, and the weights q_0 = prior (..., N), nonnegative and 1 by
    default, give an ExponentialLossDual. KL is the generalised one, the sum of
    q_i log(q_i / q_0i) - q_i + q_0i, and least at q_i = q_0i e^(-alpha m_i). For margins 1 and -1,
    alpha is AdaBoost's half log-odds. The loss is the sum of those q_i, and kl their divergence, so
    that the equation is a check. An example with q_0i = 0 is left out: derivatives in its margin
    are 0, and in that weight, by convention, 0 of alpha and loss and 1 of kl.

    The minimum is attained where margins of both signs have a weight. Where all are of one sign, or
    0, alpha is inf or -inf, the limits are loss = sum of q_0 over m = 0 and kl = sum of q_0
    elsewhere, and derivatives in m are 0. Where all are 0, so is alpha.
    Raises: TypeError; ValueError for margins that are infinite and for weights that are negative or
    infinite.
    Source: Collins, Schapire and Singer (2002); Lebanon and Lafferty (2001), who compare it
    with the same problem for normalised q.
    Derived in: boosting-gap, boosting-duality, exercise-half-log-odds

    >>> margins = torch.tensor([1.0, 1.0, 1.0, -1.0], dtype=torch.float64)
    >>> found = exponential_loss_dual(margins)
    >>> (2 * found.alpha).exp().round(decimals=4)  # odds of three to one
    tensor(3., dtype=torch.float64)
    >>> found.loss.square().round(decimals=4)  # 4 times 3 times 1
    tensor(12., dtype=torch.float64)
    """
    prior = torch.ones_like(margins) if prior is None and isinstance(margins, Tensor) else prior
    check_tensors(margins=margins, prior=prior)
    check_shape("margins", margins, "N")
    check_shape("prior", prior, margins.shape[-1])
    check_leading(margins=margins.shape[:-1], prior=prior.shape[:-1])
    if margins.isinf().any():
        raise ValueError("margins has infinite entries, needs finite ones")
    if (prior < 0).any() or prior.isinf().any():
        raise ValueError("prior has entries that are negative or infinite")
    m, weights = torch.broadcast_tensors(margins.double(), prior.double())
    log_weights = _log(weights)
    alpha, log_ratio = _balance(m, log_weights)  # of q / q_0
    q = (log_weights + log_ratio).exp()
    kl = (q * torch.where(log_ratio.isinf(), 0.0, log_ratio) - q + weights).sum(-1)
    return ExponentialLossDual(*(field.to(margins.dtype) for field in (alpha, q.sum(-1), kl)))


def _solve(y, x, units, accepted, tolerance, max_steps):
    """Queries whose attention over x is y, x being centred and of size 1; units are of rounding."""
    rounding = max(x.shape[-2:]) * torch.finfo(x.dtype).eps * units
    basis, beside = _whitening(x.detach(), rounding)
    w, z = y @ basis, x @ basis
    query, near, steps = _newton(w.detach(), z.detach(), beside, tolerance, max_steps)
    solution = _implicit(query, near.unsqueeze(-1), w, z, beside) @ basis.mT
    missed = (attention(solution, x) - y).detach().norm(dim=-1)
    converged = near & (missed <= accepted)
    if x.shape[-2] <= x.shape[-1] or beside.any():
        solution = _moving_with_the_span(solution, x, rounding)
    solution = torch.where(converged.unsqueeze(-1), solution, query @ basis.mT)
    residual = (attention(solution, x) - y).detach().norm(dim=-1)
    return InverseAttention(solution, residual, converged, steps)


def _moving_with_the_span(query, x, rounding):
    """The query, with the derivatives of its projection to the span of the differences of keys."""
    centred = x - x.mean(-2, keepdim=True)
    projected = query @ torch.linalg.pinv(centred, atol=rounding) @ centred
    return query.detach() + projected - projected.detach()


def _whitening(x, rounding):
    """The map (d, k) to coordinates in which evenly weighted keys have the covariance 1, and 0 in
    those coordinates in which keys agree to rounding; and the matrix (1, k, k) with 1 in these.

    Newton's method does not depend on coordinates, but its rounding does.
    """
    _, sizes, axes = torch.linalg.svd(x - x.mean(-2, keepdim=True), full_matrices=False)
    spread = sizes > rounding.unsqueeze(-1)
    stretch = torch.where(spread, math.sqrt(x.shape[-2]) / torch.where(spread, sizes, 1.0), 0.0)
    return axes.mT * stretch.unsqueeze(-2), torch.diag_embed((~spread).to(x.dtype)).unsqueeze(-3)


@torch.no_grad()
def _newton(y, x, beside, tolerance, max_steps):
    """Queries whose attention over x is near y, which have converged, and how many steps they took.

    A Newton step that moves the scores apart by up to r is shortened to log(1 + r) / r of its
    length, with which Newton's method converges from everywhere, as the third derivative is at most
    (range of the scores) x (second). A row whose query separates y from all of x has no solution
    and is given up.
    """
    lead = torch.broadcast_shapes(y.shape[:-2], x.shape[:-2])
    query = y.new_zeros(*lead, *y.shape[-2:])
    steps = torch.zeros(query.shape[:-1], dtype=torch.int64, device=y.device)
    noise = 8 * torch.finfo(y.dtype).eps * x.square().sum(-1).amax(-1, keepdim=True)
    for left in range(max_steps, -1, -1):
        values, vectors = torch.linalg.eigh(attention_covariance(query, x) + beside)
        gap = y - attention(query, x)
        inverse = torch.where(values > 0, 1 / values, 0.0)
        step = torch.einsum("...ij,...j,...kj,...k->...i", vectors, inverse, vectors, gap)
        scores = step @ x.mT
        r = scores.amax(-1) - scores.amin(-1)
        near = (r <= tolerance) & (noise <= tolerance * values[..., 0])
        beyond = (query * y).sum(-1) - (query @ x.mT).amax(-1)
        active = ~near & (r > 0) & r.isfinite() & (beyond <= 1e-12 * query.norm(dim=-1))
        if not left or not active.any():
            return torch.where(near.unsqueeze(-1), query + step, query), near, steps
        damped = (r.log1p() / r).unsqueeze(-1) * step
        query = torch.where(active.unsqueeze(-1), query + damped, query)
        steps += active


def _implicit(query, near, y, x, beside):
    """The queries nearer to the solution, with its derivatives; rows that are not near stay as they
    are, constant.

    Each of two Newton steps that autograd sees doubles the number of Taylor coefficients that are
    right.
    """
    identity = torch.eye(y.shape[-1], dtype=y.dtype, device=y.device)
    for _ in range(2):
        gap = torch.where(near, y - attention(query, x), 0.0)
        matrix = attention_covariance(query, x) + beside
        matrix = torch.where(near.unsqueeze(-1), matrix, identity)
        query = query + torch.linalg.solve(matrix, gap.unsqueeze(-1)).squeeze(-1)
    return query


def _balance(margins, log_weights):
    """The a with sum_i w_i m_i e^(-a m_i) = 0, where sum_i w_i e^(-a m_i) is least, and -a m_i.

    Where the sum decreases for ever, a is inf or -inf, and the exponents are their limits.

    The log of the ratio of the positive terms to the negative ones falls in a, with a slope between
    the sum of their least sizes and that of their largest, negated. This brackets a, and 50
    bisections of log |a| leave 1e-12 of the widest bracket there is. Each of the two Newton steps
    that follow doubles the number of Taylor coefficients that autograd gets right.
    """
    weighty = log_weights > -math.inf
    positive, negative = (margins > 0) & weighty, (margins < 0) & weighty
    inside = (positive.any(-1) & negative.any(-1)).unsqueeze(-1)
    scale = margins.detach().abs().amax(-1, keepdim=True)
    scale = scale + (scale == 0)
    sides = []
    for sign, on in ((1, positive), (-1, negative)):
        used = on & inside
        size = torch.where(used, sign * margins, scale)
        log_size = torch.where(used, log_weights, 0.0) + size.log() - scale.log()
        sides.append((sign, on | ~inside, size / scale, log_size))

    def log_ratio(a):
        """The log of the ratio, and minus its slope."""
        ratio = slope = 0
        for sign, on, size, log_size in sides:
            terms = torch.where(on, log_size - sign * a * size, -math.inf)
            ratio = ratio + sign * terms.logsumexp(-1, keepdim=True)
            slope = slope + (terms.softmax(-1) * size).sum(-1, keepdim=True)
        return ratio, slope

    with torch.no_grad():
        start, _ = log_ratio(torch.zeros_like(scale))
        least = sum(size.where(on, math.inf).amin(-1, keepdim=True) for _, on, size, _ in sides)
        low, high = start.abs() / 2, (start.abs() / least).clamp(max=1e300)
        for _ in range(50):
            middle = low.sqrt() * high.sqrt()
            short = start.sign() * log_ratio(start.sign() * middle)[0] > 0
            low, high = torch.where(short, middle, low), torch.where(short, high, middle)
        a = (start.sign() * low.sqrt() * high.sqrt()).detach()
    for _ in range(2):
        ratio, slope = log_ratio(a)
        a = a + ratio / slope
    end = torch.where(positive.any(-1), math.inf, torch.where(negative.any(-1), -math.inf, 0.0))
    end = end.unsqueeze(-1)
    limit = torch.where((margins == 0) | (end == 0), 0.0, -math.inf)
    exponents = torch.where(inside, -a * (margins / scale), limit)
    nan = (margins + log_weights).isnan().any(-1, keepdim=True)
    a = torch.where(nan, math.nan, torch.where(inside, a / scale, end)).squeeze(-1)
    return a, torch.where(nan, math.nan, exponents)


def _log(x):
    """log x, with derivative 0 at 0."""
    return torch.where(x == 0, -math.inf, torch.where(x == 0, 1.0, x.double()).log())
