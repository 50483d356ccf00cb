"""The log-partition in O(L + N) memory: scores are made in blocks, and again for the backward pass.

With p = softmax(s), that pass is dG/dq = sum_j p_j k_j, which is attention, and its companions
dG/dk_j = p_j q and dG/dbias_j = p_j / beta.
"""

import torch

from . import _definition as definition


def log_partition(queries, keys, bias, beta):
    """log(sum_j exp s_j) / beta, (..., L), in float32 at least.

    What a block's backward pass cannot do goes through the definition, O(LN): derivatives of it,
    forward mode and torch.func transforms.
    """
    tensors = [x for x in (queries, keys, bias) if x is not None]
    if any(map(definition.is_transformed, tensors)):
        return definition.log_partition(queries, keys, bias, beta)
    lead = torch.broadcast_shapes(*(x.shape[:-2] for x in tensors))
    shape = *lead, queries.shape[-2]
    if keys.ndim == 2 and (bias is None or bias.ndim == 2 and bias.shape[0] == 1):
        lead, tensors[0] = (), queries.flatten(0, -2)  # sharing keys, the queries are one list
    folded = [definition.fold(x, lead) for x in tensors]
    return _Blocks.apply(beta, *folded, *[None] * (3 - len(folded))).reshape(shape)


def _blocks(queries, keys):
    """The heads and the rows of each block of scores.

    2^18 scores, 1 MiB of float32, fit a processor's cache; an accelerator needs more at a time.
    Sixteen rows at the least keep a product of matrices one.
    """
    size = 2**18 if queries.device.type == "cpu" else 2**24
    batch, heads, length, count = *queries.shape[:-1], keys.shape[-2]
    rows = max(16, size // count)
    group = max(1, size // (count * max(1, min(rows, length))))
    for i in range(batch):
        for head in range(0, heads, group):
            for row in range(0, length, rows):
                yield (i, slice(head, head + group)), slice(row, row + rows)


def _rows(bias, head, rows):
    if bias is None:
        return None
    return bias[head] if bias.shape[-2] == 1 else bias[head][:, rows]


class _Blocks(torch.autograd.Function):
    """G of queries (A, H, L, d), keys (A, H, N, d) and a bias (A, H, 1 or L, 1 or N) or None.

    The backward pass is the one by blocks. Where its own graph is asked for (create_graph, which
    autograd announces by grad mode being on) or it is itself transformed, it is the definition's.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(beta, queries, keys, bias):
        dtype = definition.accumulator(queries.dtype)
        result, keys = queries.new_empty(queries.shape[:-1], dtype=dtype), keys.to(dtype)
        for head, rows in _blocks(queries, keys):
            result[head][:, rows] = definition.log_partition(
                queries[head][:, rows], keys[head], _rows(bias, head, rows), beta
            )
        return result

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.beta, *tensors = inputs
        ctx.save_for_backward(*tensors)

    @staticmethod
    def backward(ctx, gradient):
        beta, inputs = ctx.beta, ctx.saved_tensors
        if torch.is_grad_enabled() or definition.is_transformed(gradient):
            tensors = [x for x in inputs if x is not None]
            _, pull_back = torch.func.vjp(
                lambda q, k, b=None: definition.log_partition(q, k, b, beta), *tensors
            )
            return None, *pull_back(gradient), *[None] * (3 - len(tensors))
        return None, *_pull_back(gradient, beta, ctx.needs_input_grad[1:], *inputs)


def _pull_back(gradient, beta, wanted, queries, keys, bias):
    dtype, inputs = gradient.dtype, (queries, keys, bias)
    results = [
        x.new_zeros(x.shape, dtype=dtype) if need else None for x, need in zip(inputs, wanted)
    ]
    keys = keys.to(dtype)
    for head, rows in _blocks(queries, keys):
        g, q = gradient[head][:, rows].unsqueeze(-1), queries[head][:, rows].to(dtype)
        p = definition.weights(q, keys[head], _rows(bias, head, rows), beta)
        if wanted[0]:
            results[0][head][:, rows] = g * (p @ keys[head])
        if wanted[1]:
            results[1][head].baddbmm_(p.mT, g * q)
        if wanted[2]:
            part = _rows(results[2], head, rows)
            part += (p.mul_(g) / beta).sum_to_size(part.shape)
    return [None if x is None else x.to(queries.dtype) for x in results]
