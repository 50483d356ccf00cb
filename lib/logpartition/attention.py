"""Softmax attention as the gradient of a log-partition function, and the derivatives above it.

A query q and keys k_1, ..., k_N make logits a_j = beta <q, k_j> + log w_j + mask_j, and these make

    log-partition   G(q)    = log(sum_j exp a_j) / beta
    attention       dG/dq   = sum_j p_j k_j,        p = softmax(a)
    covariance      d2G/dq2 = beta Cov_p(k, k)
    cumulants       (d/dt)^n G(q + t u) at t = 0  is  beta^(n-1) kappa_n of <u, k> under p

Conventions of every function here. Queries are (..., L, d), keys (..., N, d), values (..., N, e);
leading dimensions broadcast. `beta` is a positive number; to differentiate in it, scale the
queries, and divide `log_partition` by it. `log_weights` (..., N) are the logs of the base measure's
weights w; they default to log 1 = 0, so the base measure counts the keys and is not normalised.
`mask` broadcasts to (..., L, N): True where a query may attend, or floats that are added to the
logits. Neither log-weights nor a mask is multiplied by beta. A logit a is rounded to some eps |a|,
more where the inner product cancels, and that is the relative error of its weight: logits in the
thousands cost three digits or more.

A row with no key left (N = 0, everything masked, or all log-weights -inf) has G = -inf and
attention, covariance and cumulants 0: the derivatives of a constant, and for attention what
scaled_dot_product_attention returns. NaN in a query spoils its row; NaN in a key or a log-weight
spoils every row that shares it, masked or not, and so does NaN in the mask; NaN or an infinity in
one coordinate of a value spoils that coordinate of these rows. Everything masked makes no
exception, nor do no keys, except that a mask then has no entry for a NaN. A row is NaN as well
where scores may be beyond the range of the dtype (float32's for smaller ones), which is decided by
the bound beta |q|_1 max_j |k_j|_1 + max_j (log w_j + mask_j), for covariance and cumulants after
the keys are centred.

Tensors that are not floating point, or not of one dtype, and a beta that is no Python number raise
TypeError; shapes that do not fit, different devices, and a beta that is not positive and finite, in
float32 for smaller dtypes too, raise ValueError.
"""

import math

import torch

from . import _blocks, _definition, _fused
from ._checks import check_attention, check_leading, check_order, check_tensor


def log_partition(queries, keys, *, beta=1.0, log_weights=None, mask=None):
    """G(q) = log(sum_j w_j exp(beta <q, k_j>)) / beta, whose gradient in q is attention.

    That is `attention` with these arguments, beta and mask included. The sum is not divided by N.

    Shapes: queries (..., L, d), keys (..., N, d), log_weights (..., N), mask (..., L, N) give
    (..., L). float16 and bfloat16 inputs are summed in float32, and the result is rounded to their
    dtype.

    Beside the arguments it takes O(L + N) memory, forward and backward, where there is no mask of L
    rows: scores are made in blocks, and again for the gradient. A boolean mask is copied to floats,
    and log-weights are added to a mask, at the size that it has with them, which may be O(LN).
    Derivatives of the gradient, forward mode and torch.func transforms hold all scores, O(LN).

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Wainwright and Jordan (2008), section 3.
    Derived in: softmax-gradient, values-gradient

    >>> query = torch.ones(1, 1, dtype=torch.float64)
    >>> keys = torch.tensor([[0.0], [math.log(3)]], dtype=torch.float64)
    >>> log_partition(query, keys).exp().round(decimals=4)  # 1 + 3
    tensor([4.], dtype=torch.float64)
    """
    beta = check_attention(queries, keys, None, beta, log_weights, mask)
    keys, _, bias = _definition.with_a_key(keys, None, log_weights, mask)
    value = _blocks.log_partition(queries, keys, bias, beta)
    value = value * _definition.one_or_nan(queries, keys, bias, beta).squeeze(-1)
    return value.to(queries.dtype)


def attention(queries, keys, values=None, *, beta=1.0, log_weights=None, mask=None):
    """attn(q) = sum_j p_j v_j with p_j proportional to w_j exp(beta <q, k_j>).

    Where v = k this is the gradient of the log-partition in q.

    Shapes: queries (..., L, d), keys (..., N, d), values (..., N, e), log_weights (..., N), mask
    (..., L, N) give (..., L, e). Values default to the keys. In a transformer beta is 1 / sqrt(d);
    here it defaults to 1.

    The work is PyTorch's scaled_dot_product_attention, whose fused kernels need O(L + N) memory,
    forward and backward, where there is no mask of L rows. A boolean mask is copied to floats, and
    log-weights are added to a mask, at the size that it has with them, which may be O(LN).
    Derivatives that they lack, second and higher orders, forward mode and torch.func transforms, go
    through its MATH kernel with O(LN) memory, and so does, on the CPU, a bias that requires a
    gradient.

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Vaswani et al. (2017), equation (1).
    Derived in: softmax-gradient, values-gradient

    >>> query = torch.ones(1, 1, dtype=torch.float64)
    >>> keys = torch.tensor([[0.0], [math.log(3)]], dtype=torch.float64)
    >>> attention(query, keys, torch.eye(2, dtype=torch.float64))  # the weights
    tensor([[0.2500, 0.7500]], dtype=torch.float64)
    """
    values = keys if values is None else values
    beta = check_attention(queries, keys, values, beta, log_weights, mask)
    keys, values, bias = _definition.with_a_key(keys, values, log_weights, mask)
    inputs = [queries, keys, values]
    if bias is not None:
        inputs.append(bias.expand(*bias.shape[:-2], queries.shape[-2], keys.shape[-2]))
    lead = torch.broadcast_shapes(*(x.shape[:-2] for x in inputs))
    folded = [_definition.fold(x, lead) for x in inputs]
    mean = _fused.attention(*folded[:3], *folded[3:] or [None], beta)
    mean = mean.reshape(*lead, queries.shape[-2], values.shape[-1])
    return mean * _definition.one_or_nan(queries, keys, bias, beta).to(mean.dtype)


def attention_covariance(queries, keys, values=None, *, beta=1.0, log_weights=None):
    """Cov_p(v, k) = sum_j p_j (v_j - E_p v)(k_j - E_p k)^T.

    The Jacobian of attention in q is beta times it.

    Shapes: queries (..., L, d), keys (..., N, d), values (..., N, e), log_weights (..., N) give
    (..., L, e, d), rows for values and columns for keys; beta is in the weights p and not in front.
    Values default to the keys, and then the matrix is symmetric and positive semidefinite, to
    rounding. Keys are centred at the middle of their range before anything else, and values before
    they are multiplied: a covariance far smaller than a common offset of the keys keeps its digits.
    One far smaller than the square of their range need not, even where the far keys have no weight.
    This takes O(LN(d + e)) memory beside the result.

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Wainwright and Jordan (2008), proposition 3.1.
    The derivations have no log_weights, which enter p alone.
    Derived in: softmax-hessian, values-jacobian

    >>> query = torch.zeros(1, 1, dtype=torch.float64)
    >>> keys = torch.tensor([[-1.0], [1.0]], dtype=torch.float64)
    >>> attention_covariance(query, keys)  # of 1 and -1 with equal weights
    tensor([[[1.]]], dtype=torch.float64)
    """
    beta = check_attention(queries, keys, values, beta, log_weights, None)
    keys, values, bias = _definition.with_a_key(keys, values, log_weights, None)
    keys, _ = _centred(keys)
    weights = _weights(queries, keys, bias, beta)

    def deviation(x):
        x = x.to(weights.dtype)
        return x.unsqueeze(-3) - (weights @ x).unsqueeze(-2)  # (..., L, N, d)

    of_keys = deviation(keys)
    of_values = of_keys if values is None else deviation(values)
    return ((weights.unsqueeze(-1) * of_values).mT @ of_keys).to(queries.dtype)


def directional_cumulants(queries, keys, direction, order, *, beta=1.0):
    """kappa_n of <u, k> under p = softmax(beta <q, k>), for n = 1, ..., order.

    The n-th derivative of G(q + t u) at t = 0 is beta^(n-1) kappa_n.

    Shapes: queries (..., L, d), keys (..., N, d), direction u (..., d), one for all queries of a
    batch element, give (..., L, order). The first is <u, attn(q)>, the second the variance of
    <u, k>.

    No derivative is taken: centred moments m_n = E_p (<u, k> - E_p <u, k>)^n give the cumulants by

        kappa_n = m_n - sum_{i=2}^{n-2} C(n-1, i-1) kappa_i m_{n-i},    n >= 2,

    exact at every order but for rounding and the range of the dtype: a term beyond the range is
    infinite, and what rests on it infinite or NaN. What rounding leaves at order n is relative to
    E_p |<u, k> - E_p <u, k>|^n and to the products in the sum, and to these come what the errors of
    lower cumulants make in the products: where <u, k> is nearly normal some hundred roundings of
    the first at n = 20, some hundred thousand at n = 40. A cumulant much smaller than all this has
    fewer digits. At high orders the products can outgrow the first: for <u, k>
    = 1 and -1 of equal weight that is 1, and for even n >= 4 the modulus of kappa_n is nearly
    2 (n-1)! (2/pi)^n. Keys are centred before anything else: moving all of them costs the cumulants
    from the second on what rounding the moved keys costs, and no more, and the first is rounded as
    <u, k> is; a range of keys far above their spread under p costs digits in the same way, even
    where the far keys have no weight. NaN or an infinity in the direction makes NaN of every row of
    its batch element, also where there is no key.

    Raises: ValueError for order < 1, TypeError where it is no integer; else as the module says.
    Source: Smith (1995), The American Statistician 49, 217-218.
    Derived in: directional-cumulants, cumulant-recursion

    >>> query = torch.zeros(1, 1, dtype=torch.float64)
    >>> keys = torch.tensor([[-1.0], [1.0]], dtype=torch.float64)
    >>> directional_cumulants(query, keys, torch.ones(1, dtype=torch.float64), 4)
    tensor([[ 0.,  1.,  0., -2.]], dtype=torch.float64)
    """
    beta = check_attention(queries, keys, None, beta, None, None)
    check_tensor("direction", direction, queries, 1)
    if direction.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"direction has shape {tuple(direction.shape)}, needs (..., {keys.shape[-1]})"
        )
    check_leading(
        {"queries": queries.shape[:-2], "keys": keys.shape[:-2], "direction": direction.shape[:-1]}
    )
    order = check_order(order)
    keys, _, bias = _definition.with_a_key(keys, None, None, None)
    keys, centre = _centred(keys)
    weights = _weights(queries, keys, bias, beta)
    direction = direction.to(weights.dtype).unsqueeze(-1)
    slopes = keys @ direction  # (..., N, 1)
    mean = weights @ slopes
    deviation = slopes.mT - mean  # (..., L, N)
    deviation = deviation - (weights * deviation).sum(-1, keepdim=True)  # the rounding of the mean
    cumulants, moments = [None, (mean + centre @ direction).squeeze(-1)], [None, None]
    power = weights * deviation
    for n in range(2, order + 1):
        power = power * deviation
        moments.append(power.sum(-1))
        cumulants.append(
            moments[n]
            - sum(_choose(n - 1, i - 1) * cumulants[i] * moments[n - i] for i in range(2, n - 1))
        )
    return torch.stack(cumulants[1:], dim=-1).to(queries.dtype)


def _choose(n, k):
    """C(n, k) as a float, infinite where it is beyond the range of one."""
    count = math.comb(n, k)
    return float(count) if count.bit_length() < 1024 else math.inf


def _centred(keys):
    """Keys less the middle of their range, and that middle: no weight changes, nor a covariance."""
    keys = keys.to(_definition.accumulator(keys.dtype))
    middle = keys.detach().amax(-2, keepdim=True) / 2 + keys.detach().amin(-2, keepdim=True) / 2
    return keys - middle, middle


def _weights(queries, keys, bias, beta):
    weights = _definition.weights(queries, keys, bias, beta)
    return weights * _definition.one_or_nan(queries, keys, bias, beta)
