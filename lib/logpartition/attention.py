"""Softmax attention as the gradient of a log-partition function, and the derivatives above it.

A query q and the keys k_1, ..., k_N make scores s_j = beta <q, k_j> + log w_j + mask_j, and these make

    log-partition   G(q)    = log(sum_j exp s_j) / beta
    attention       dG/dq   = sum_j p_j k_j,        p = softmax(s)
    covariance      d2G/dq2 = beta Cov_p(k, k)
    cumulants       (d/dt)^n G(q + t u) at t = 0  is  beta^(n-1) kappa_n of <u, k> under p

Conventions of every function here. Queries are (..., L, d), keys (..., N, d), values (..., N, e); leading dimensions
broadcast. `beta` is a positive number; to differentiate in it, scale the queries. `log_weights` (..., N) are the logs of
the base measure's weights w; they default to log 1 = 0, so the base measure counts the keys and is not normalised.
`mask` broadcasts to (..., L, N): True where a query may attend, or floats that are added to the scores. Neither
log-weights nor a mask is multiplied by beta.

A row with no key left (N = 0, or everything masked) has G = -inf and attention 0: what PyTorch returns, and the gradient
of a constant. NaN in a query spoils its row; NaN in a key, a value or a log-weight spoils every row that shares it, masked
or not. Arguments that are not floating point, or not of one dtype, raise TypeError; shapes that do not fit, different
devices, and a beta that is not positive and finite raise ValueError.
"""

import math
from numbers import Real

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import forward_ad
from torch.nn.attention import SDPBackend, sdpa_kernel


def log_partition(queries, keys, *, beta=1.0, log_weights=None, mask=None):
    """G(q) = log(sum_j w_j exp(beta <q, k_j>)) / beta, whose gradient in q is `attention(queries, keys)` for every beta.

    Shapes: queries (..., L, d), keys (..., N, d), log_weights (..., N), mask (..., L, N) give (..., L). The sum is not
    divided by N. float16 and bfloat16 inputs are summed in float32, and the result is rounded to their dtype. Memory is
    O(LN): the scores are held.

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Wainwright and Jordan (2008), section 3. Derived in: softmax-gradient, exercise-base-weights
    """
    _check(queries, keys, None, beta, log_weights, mask)
    scores, empty = _scores(queries, keys, beta, _bias(log_weights, mask, queries.dtype))
    log_sum = scores.logsumexp(-1, keepdim=True).masked_fill(empty, -math.inf).squeeze(-1)
    return (log_sum / beta).to(queries.dtype)


def attention(queries, keys, values=None, *, beta=1.0, log_weights=None, mask=None):
    """attn(q) = sum_j p_j v_j with p_j proportional to w_j exp(beta <q, k_j>): the gradient of the log-partition when v = k.

    Shapes: queries (..., L, d), keys (..., N, d), values (..., N, e), log_weights (..., N), mask (..., L, N) give
    (..., L, e). Values default to the keys. In a transformer beta is 1 / sqrt(d); here it defaults to 1.

    The work is PyTorch's scaled_dot_product_attention, whose fused kernels need O(L + N) memory, forward and backward.
    Derivatives that they lack, second and higher orders, forward mode and torch.func transforms, go through its MATH
    kernel with O(LN) memory, and so does a bias that requires a gradient.

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Vaswani et al. (2017), equation (1). Derived in: softmax-gradient, values-gradient, exercise-base-weights
    """
    values = keys if values is None else values
    _check(queries, keys, values, beta, log_weights, mask)
    bias = _bias(log_weights, mask, queries.dtype)
    inputs = [queries, keys, values]
    if bias is not None:
        inputs.append(bias.expand(*bias.shape[:-2], queries.shape[-2], keys.shape[-2]))
    lead = torch.broadcast_shapes(*(x.shape[:-2] for x in inputs))
    batch = (math.prod(lead[:-1]), lead[-1] if lead else 1)  # the fused kernels take exactly two leading dimensions

    def fold(x):
        if x.ndim == 2:
            return x.expand(*batch, *x.shape)  # shared by the whole batch: a view, where a reshape would copy
        return x.expand(*lead, *x.shape[-2:]).reshape(*batch, *x.shape[-2:])

    mean = _kernel(*map(fold, inputs), scale=float(beta))
    return mean.reshape(*lead, queries.shape[-2], values.shape[-1])


def attention_covariance(queries, keys, values=None, *, beta=1.0, log_weights=None):
    """Cov_p(v, k) = sum_j p_j (v_j - E_p v)(k_j - E_p k)^T; the Jacobian of attention in q is beta times it.

    Shapes: queries (..., L, d), keys (..., N, d), values (..., N, e), log_weights (..., N) give (..., L, e, d), rows for
    values and columns for keys; beta is in the weights p and not in front. Values default to the keys, and then the
    matrix is symmetric and positive semidefinite. Keys are centred before they are multiplied, so that a covariance far
    smaller than the keys keeps its digits; this takes O(LN(d + e)) memory.

    Raises: TypeError, ValueError, and values on empty rows and NaN, as the module says.
    Source: Wainwright and Jordan (2008), proposition 3.1. Derived in: softmax-hessian, values-jacobian
    """
    _check(queries, keys, values, beta, log_weights, None)
    weights = _weights(queries, keys, beta, _bias(log_weights, None, queries.dtype))

    def centred(x):
        x = x.to(weights.dtype)
        return x.unsqueeze(-3) - (weights @ x).unsqueeze(-2)  # (..., L, N, d)

    deviation = centred(keys)
    covariance = (weights.unsqueeze(-1) * (deviation if values is None else centred(values))).mT @ deviation
    return covariance.to(queries.dtype)


def directional_cumulants(queries, keys, direction, order, *, beta=1.0):
    """kappa_n of <u, k> under p = softmax(beta <q, k>), n = 1, ..., order; (d/dt)^n G(q + t u) at 0 is beta^(n-1) kappa_n.

    Shapes: queries (..., L, d), keys (..., N, d), direction u (..., d), one for all queries of a batch element, give
    (..., L, order). The first is <u, attn(q)>, the second the variance of <u, k>.

    No derivative is taken: centred moments m_n = E_p (<u, k> - E_p <u, k>)^n give the cumulants by

        kappa_n = m_n - sum_{i=2}^{n-2} C(n-1, i-1) kappa_i m_{n-i},    n >= 2,

    exact at every order. Centring first keeps the digits that a shift of the keys would cost; what rounding remains is
    relative to m_n, so a cumulant much smaller than the moment of its order has fewer digits.

    Raises: ValueError for order < 1, TypeError where it is no integer; otherwise as the module says.
    Source: Smith (1995), The American Statistician 49, 217-218. Derived in: directional-cumulants, moments-and-cumulants
    """
    _check(queries, keys, None, beta, None, None)
    _check_tensor("direction", direction, queries, 1)
    if direction.shape[-1] != keys.shape[-1]:
        raise ValueError(f"direction has shape {tuple(direction.shape)}, needs (..., {keys.shape[-1]})")
    _check_order(order)
    weights = _weights(queries, keys, beta, None)
    slopes = keys.to(weights.dtype) @ direction.to(weights.dtype).unsqueeze(-1)  # (..., N, 1)
    mean = weights @ slopes
    deviation = slopes.mT - mean  # (..., L, N)
    deviation = deviation - (weights * deviation).sum(-1, keepdim=True)  # the rounding of a mean far from zero
    cumulants, moments = [None, mean.squeeze(-1)], [None, None]
    power = weights * deviation
    for n in range(2, order + 1):
        power = power * deviation
        moments.append(power.sum(-1))
        cumulants.append(moments[n] - sum(
            math.comb(n - 1, i - 1) * cumulants[i] * moments[n - i] for i in range(2, n - 1)))
    return torch.stack(cumulants[1:], dim=-1).to(queries.dtype)


def _bias(log_weights, mask, dtype):
    """What is added to the scores, broadcastable to (..., L, N), or None."""
    bias = None if log_weights is None else log_weights.unsqueeze(-2)
    if mask is None:
        return bias
    if mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=dtype).masked_fill(~mask, -math.inf)
    mask = torch.atleast_2d(mask)
    return mask if bias is None else mask + bias


def _scores(queries, keys, beta, bias):
    """s_j = beta <q, k_j> + bias_j in float32 at least, and which rows have no key: there the bias is left out, because
    autograd makes NaN of rows that are all -inf."""
    dtype = torch.promote_types(queries.dtype, torch.float32)
    scores = (beta * queries.to(dtype)) @ keys.to(dtype).mT
    if bias is None:
        return scores, torch.tensor(False, device=scores.device)
    empty = (bias == -math.inf).all(-1, keepdim=True)
    return scores + bias.masked_fill(empty, 0.0), empty


def _weights(queries, keys, beta, bias):
    """p = softmax(s), and 0 in rows that have no key."""
    scores, empty = _scores(queries, keys, beta, bias)
    return scores.softmax(-1).masked_fill(empty, 0.0)


def _kernel(queries, keys, values, bias=None, *, scale):
    """softmax(scale q k^T + bias) v by a fused kernel, or by MATH where one cannot: in a transform, or of nothing.

    Given an empty tensor, a fused kernel may end the process: on the CPU it divides by the sizes.
    """
    inputs = queries, keys, values, bias
    tensors = [x for x in inputs if x is not None]
    if any(x.numel() == 0 or _is_transformed(x) for x in tensors):
        return _math(*inputs, scale)
    if not torch.is_grad_enabled() or not any(x.requires_grad for x in tensors):
        return _fused(*inputs, scale)
    return _Differentiable.apply(_FusedGraph(inputs, scale), *inputs)


def _is_transformed(x):
    """Whether x belongs to a torch.func transform or carries a forward-mode tangent."""
    return torch.func.debug_unwrap(x, recurse=False) is not x or forward_ad.unpack_dual(x).tangent is not None


def _math(queries, keys, values, bias, scale):
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(queries, keys, values, attn_mask=bias, scale=scale)


def _fused(queries, keys, values, bias, scale):
    width = max(keys.shape[-1], values.shape[-1])  # fused kernels take one width; a column of zeros changes no score

    def pad(x):
        return x if x.shape[-1] == width else F.pad(x, (0, width - x.shape[-1]))

    mean = F.scaled_dot_product_attention(pad(queries), pad(keys), pad(values), attn_mask=bias, scale=scale)
    mean = mean[..., :values.shape[-1]]
    return mean * _nan_rows(queries, keys, bias) if mean.device.type == "cpu" else mean


def _nan_rows(queries, keys, bias):
    """NaN where every score of a row may be NaN, else 1: from such a row the CPU's fused kernels may return 0."""
    nan = queries.detach().sum(-1, keepdim=True).isnan() | keys.detach().sum((-1, -2)).isnan()[..., None, None]
    if bias is not None:  # a sum finds NaN eight times faster than isnan().any() does
        nan = nan | bias.detach().sum(-1, keepdim=True).isnan()
    return torch.where(nan, math.nan, 1.0).to(queries.dtype)


class _FusedGraph:
    """A fused kernel's output, and its own backward pass, which ends at views of the inputs."""

    def __init__(self, inputs, scale):
        self.scale = scale
        self.views = [None if x is None else x.view_as(x) for x in inputs]
        self.mean = _fused(*self.views, scale)

    def pull_back(self, gradient):
        wanted = [x for x in self.views if x is not None and x.requires_grad]
        gradients = iter(torch.autograd.grad(self.mean, wanted, gradient, retain_graph=True))
        return [next(gradients) if x is not None and x.requires_grad else None for x in self.views]


class _Differentiable(torch.autograd.Function):
    """A fused kernel's output, with a backward pass that can be differentiated again.

    A first derivative goes through the kernel's own backward pass. That pass has no derivative, so where the graph of the
    gradient is asked for (create_graph, which autograd announces by grad mode being on during the backward pass), the
    gradient is computed through MATH instead.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(graph, *inputs):
        return graph.mean.detach()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.graph, *tensors = inputs
        ctx.save_for_backward(*tensors)

    @staticmethod
    def backward(ctx, gradient):
        if not torch.is_grad_enabled():
            return None, *ctx.graph.pull_back(gradient)
        inputs, scale = ctx.saved_tensors, ctx.graph.scale
        if inputs[-1] is None:
            _, pull_back = torch.func.vjp(lambda q, k, v: _math(q, k, v, None, scale), *inputs[:-1])
            return None, *pull_back(gradient), None
        _, pull_back = torch.func.vjp(lambda *inputs: _math(*inputs, scale), *inputs)
        return None, *pull_back(gradient)


def _check(queries, keys, values, beta, log_weights, mask):
    _check_beta(beta)
    _check_tensor("queries", queries, None, 2)
    _check_tensor("keys", keys, queries, 2)
    (length, dim), count = queries.shape[-2:], keys.shape[-2]
    needs = {"keys": (keys, f"(..., N, {dim})", keys.shape[-1] == dim)}
    if values is not None:
        _check_tensor("values", values, queries, 2)
        needs["values"] = values, f"(..., {count}, e)", values.shape[-2] == count
    if log_weights is not None:
        _check_tensor("log_weights", log_weights, queries, 1)
        needs["log_weights"] = log_weights, f"(..., {count})", log_weights.shape[-1] == count
    if mask is not None:
        _check_tensor("mask", mask, queries, 0, or_boolean=True)
        rows, columns = (1, 1, *mask.shape)[-2:]
        fits = rows in (1, length) and columns in (1, count)
        needs["mask"] = mask, f"one that broadcasts to (..., {length}, {count})", fits
    for name, (x, need, fits) in needs.items():
        if not fits:
            raise ValueError(f"{name} has shape {tuple(x.shape)}, needs {need}")
    leading = {"queries": queries.shape[:-2]} | {
        name: x.shape[:-1] if name == "log_weights" else x.shape[:-2] for name, (x, _, _) in needs.items()}
    try:
        torch.broadcast_shapes(*leading.values())
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(shape)}" for name, shape in leading.items())
        raise ValueError(f"leading dimensions do not broadcast: {shapes}") from None


def _check_beta(beta):
    if not isinstance(beta, Real):
        raise TypeError(f"beta is a {type(beta).__name__}, needs a number; to differentiate in it, scale the queries")
    if not 0 < beta < math.inf:
        raise ValueError(f"beta is {beta}, needs to be positive and finite")


def _check_order(order):
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"order is {order!r}, needs an integer")
    if order < 1:
        raise ValueError(f"order is {order}, needs at least 1")


def _check_tensor(name, x, queries, ndim, *, or_boolean=False):
    """A floating tensor with at least ndim dimensions, of the dtype and on the device of the queries."""
    kinds = "a floating tensor, or a boolean one" if or_boolean else "a floating tensor"
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} is a {type(x).__name__}, needs {kinds}")
    if not (x.is_floating_point() or or_boolean and x.dtype == torch.bool):
        raise TypeError(f"{name} has dtype {x.dtype}, needs {kinds}")
    if queries is not None and x.dtype not in (queries.dtype, torch.bool):
        raise TypeError(f"{name} has dtype {x.dtype}, needs {queries.dtype}, that of queries")
    if queries is not None and x.device != queries.device:
        raise ValueError(f"{name} is on {x.device}, needs {queries.device}, the device of queries")
    if x.ndim < ndim:
        raise ValueError(f"{name} has shape {tuple(x.shape)}, needs {ndim} dimensions or more")
