"""The softmax and the log-partition as they are defined, by all scores at once, and what decides a row without a value."""

import math

import torch
import torch.nn.functional as F
from torch.autograd import forward_ad


def with_a_key(keys, values, log_weights, mask):
    """Keys, values and what is added to the scores, (..., 1 or L, N) or None; where N = 0, one key that is masked."""
    bias = None if log_weights is None else log_weights.unsqueeze(-2)
    if mask is not None:
        if mask.dtype == torch.bool:
            mask = torch.zeros_like(mask, dtype=keys.dtype).masked_fill(~mask, -math.inf)
        mask = torch.atleast_2d(mask)
        bias = mask if bias is None else mask + bias
    if keys.shape[-2]:
        return keys, values, bias
    bias = keys.new_full((1, 1), -math.inf) if bias is None else F.pad(bias, (0, 1), value=-math.inf)
    return F.pad(keys, (0, 0, 0, 1)), None if values is None else F.pad(values, (0, 0, 0, 1)), bias


def accumulator(dtype):
    return torch.promote_types(dtype, torch.float32)


def scores(queries, keys, bias, beta):
    """s_j = beta <q, k_j> + bias_j in float32 at least, and which rows have no key: there the bias is left out, because
    autograd makes NaN of rows that are all -inf."""
    dtype = accumulator(queries.dtype)
    inner = (beta * queries.to(dtype)) @ keys.to(dtype).mT
    if bias is None:
        return inner, torch.tensor(False, device=inner.device)
    empty = (bias == -math.inf).all(-1, keepdim=True)
    return inner + bias.masked_fill(empty, 0.0), empty


def weights(queries, keys, bias, beta):
    """p = softmax(s), and 0 in rows that have no key."""
    s, empty = scores(queries, keys, bias, beta)
    return s.softmax(-1).masked_fill(empty, 0.0)


def log_partition(queries, keys, bias, beta):
    """log(sum_j exp s_j) / beta, and -inf in rows that have no key."""
    s, empty = scores(queries, keys, bias, beta)
    return s.logsumexp(-1, keepdim=True).masked_fill(empty, -math.inf).squeeze(-1) / beta


def one_or_nan(queries, keys, bias, beta):
    """1 for each row (..., L, 1) whose scores are numbers, else NaN: for any that may be NaN or above the dtype's range.

    No score exceeds beta |q|_1 max_j |k_j|_1 + max_j bias_j. Where that overflows, fused kernels may return 0.
    """
    def size(x):
        return x.detach().to(accumulator(x.dtype)).abs().sum(-1)

    bound = beta * size(queries) * size(keys).amax(-1, keepdim=True)
    if bias is not None:
        bound = bound + bias.detach().amax(-1)
    return torch.where(bound < math.inf, 1.0, math.nan).to(bound.dtype).unsqueeze(-1)


def is_transformed(x):
    """Whether x belongs to a torch.func transform, is a batch of gradients (is_grads_batched) or has a forward tangent."""
    unwrapped = torch.func.debug_unwrap(x, recurse=False)
    batched = torch._C._functorch.is_legacy_batchedtensor(x)
    return unwrapped is not x or batched or forward_ad.unpack_dual(x).tangent is not None


def fold(x, lead):
    """(..., rows, columns) with its leading dimensions expanded to `lead`, and these folded to two."""
    batch = (math.prod(lead[:-1]), lead[-1] if lead else 1)
    if x.ndim == 2:
        return x.expand(*batch, *x.shape)  # shared by the whole batch: a view, where a reshape would copy
    return x.expand(*lead, *x.shape[-2:]).reshape(*batch, *x.shape[-2:])
