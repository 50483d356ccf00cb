"""The softmax and the log-partition by all scores at once, and which rows have none."""

import math

import torch
import torch.nn.functional as F
from torch.autograd import forward_ad


def with_a_key(keys, values, log_weights, mask):
    """Keys, values and what is added to the scores, (..., 1 or L, 1 or N) or None.

    Where N = 0, one key of zeros that is masked, so that having no keys is having all masked.
    """
    bias = None if log_weights is None else log_weights.unsqueeze(-2)
    if mask is not None:
        if mask.dtype == torch.bool:
            mask = torch.zeros_like(mask, dtype=keys.dtype).masked_fill(~mask, -math.inf)
        mask = torch.atleast_2d(mask)
        bias = mask if bias is None else mask + bias
    if keys.shape[-2]:
        return keys, values, bias
    bias = keys.new_zeros(1, 0) if bias is None else bias[..., :0]
    values = None if values is None else F.pad(values, (0, 0, 0, 1))
    return F.pad(keys, (0, 0, 0, 1)), values, F.pad(bias, (0, 1), value=-math.inf)


def accumulator(dtype):
    return torch.promote_types(dtype, torch.float32)


def scores(queries, keys, bias, beta):
    """s_j = beta <q, k_j> + bias_j in float32 at least, and which rows have no key, None if none.

    In such a row the bias is left out, because autograd makes NaN of rows that are all -inf.
    """
    dtype = accumulator(queries.dtype)
    inner = (beta * queries.to(dtype)) @ keys.to(dtype).mT
    if bias is None:
        return inner, None
    empty = (bias == -math.inf).all(-1, keepdim=True)
    return inner + bias.masked_fill(empty, 0.0), empty


def weights(queries, keys, bias, beta):
    """p = softmax(s), and 0 in rows that have no key."""
    s, empty = scores(queries, keys, bias, beta)
    p = s.softmax(-1)
    return p if empty is None else p.masked_fill(empty, 0.0)


def log_partition(queries, keys, bias, beta):
    """log(sum_j exp s_j) / beta, and -inf in rows that have no key."""
    s, empty = scores(queries, keys, bias, beta)
    log_sum = s.logsumexp(-1)
    if empty is not None:
        log_sum = log_sum.masked_fill(empty.squeeze(-1), -math.inf)
    return log_sum / beta


def one_or_nan(queries, keys, bias, beta):
    """(..., L, 1): NaN for a row with scores that may be NaN or beyond the dtype's range, else 1.

    No score exceeds beta |q|_1 max_j |k_j|_1 + max_j bias_j. Where that is not finite, a fused
    kernel may return 0.
    """

    def size(x):
        return x.detach().to(accumulator(x.dtype)).abs().sum(-1)

    bound = beta * size(queries) * size(keys).amax(-1, keepdim=True)
    if bias is not None:
        bound = bound + bias.detach().amax(-1)
    return torch.where(bound < math.inf, 1.0, math.nan).to(bound.dtype).unsqueeze(-1)


def is_transformed(x):
    """Whether x is in a torch.func transform, a batch of gradients, or has a forward tangent."""
    unwrapped = torch.func.debug_unwrap(x, recurse=False)
    batched = torch._C._functorch.is_legacy_batchedtensor(x)
    return unwrapped is not x or batched or forward_ad.unpack_dual(x).tangent is not None


def fold(x, lead):
    """x (..., rows, columns) with its leading dimensions expanded to `lead`, folded to two."""
    batch = (math.prod(lead[:-1]), lead[-1] if lead else 1)
    if x.ndim == 2:
        return x.expand(*batch, *x.shape)  # a view, where a reshape would copy
    return x.expand(*lead, *x.shape[-2:]).reshape(*batch, *x.shape[-2:])
