"""Attention by PyTorch's fused kernels, with the derivatives that these lack by its MATH kernel."""

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from ._definition import is_transformed


def attention(queries, keys, values, bias, scale):
    """softmax(scale q k^T + bias) v for tensors of four dimensions.

    By a fused kernel, or by MATH where one cannot: in a transform, or of nothing.

    Given an empty tensor, a fused kernel may end the process: on the CPU it divides by the sizes.
    """
    inputs = queries, keys, values, bias
    tensors = [x for x in inputs if x is not None]
    if any(x.numel() == 0 or is_transformed(x) for x in tensors):
        return _math(*inputs, scale)
    if not torch.is_grad_enabled() or not any(x.requires_grad for x in tensors):
        return _fused(*inputs, scale)
    return _Differentiable.apply(_FusedGraph(inputs, scale), *inputs)


def _math(queries, keys, values, bias, scale):
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(queries, keys, values, attn_mask=bias, scale=scale)


def _fused(queries, keys, values, bias, scale):
    # kernels take one width; a column of zeros changes no score
    width = max(keys.shape[-1], values.shape[-1])

    def pad(x):
        return x if x.shape[-1] == width else F.pad(x, (0, width - x.shape[-1]))

    mean = F.scaled_dot_product_attention(
        pad(queries), pad(keys), pad(values), attn_mask=bias, scale=scale
    )
    return mean[..., : values.shape[-1]]


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

    A first derivative goes through the kernel's own backward pass. That pass has no derivative, so
    where the graph of the gradient is asked for (create_graph, which autograd announces by grad
    mode being on during the backward pass), the gradient is computed through MATH instead.
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
