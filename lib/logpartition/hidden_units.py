"""Hidden units that are summed out, and the energy that they leave to the visible units.

    joint         E(v, h) = -<a, v> - <b, h> - <v, W h>
    effective     E(v) = -log(sum_h exp(-E(v, h)))
                       = -<a, v> - sum_mu log(1 + exp(b_mu + <w_mu, v>)) for binary h
    other laws    E(v) = -<a, v> - sum_mu K_mu(<w_mu, v>), K_mu(t) = log E exp(t h_mu)

w_mu is the column of W for hidden unit mu: weights are visible by hidden. Leading dimensions
broadcast, NaN in a visible or hidden vector spoils its row, float16 and bfloat16 are computed in
float32 and rounded. Arguments of a wrong dtype raise TypeError; shapes that do not fit, different
devices and values out of range raise ValueError.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from ._arguments import check_count, check_leading, check_shape, check_tensors
from .families import Categorical, Empirical

_MOST, _CHUNK = 20, 2**14  # units whose states are enumerated, and states at a time


class GibbsState(NamedTuple):
    """The `visible` (..., V) and `hidden` (..., H) units, zeros and ones."""

    visible: Tensor
    hidden: Tensor


class RestrictedBoltzmannMachine:
    """p(v, h) = exp(<a, v> + <b, h> + <v, W h>) / Z for v in {0, 1}^V and h in {0, 1}^H.

    Shapes: weights W (..., V, H), visible_bias a (..., V), hidden_bias b (..., H); biases default
    to 0. Leading dimensions are a batch of machines, and broadcast with those of visible and hidden
    vectors.

    Raises: TypeError, ValueError as the module says, and ValueError for parameters that are not
    finite.
    Source: Smolensky (1986); Hinton (2002) for block Gibbs sampling.

    >>> machine = RestrictedBoltzmannMachine(torch.tensor([[3.0]], dtype=torch.float64).log())
    >>> machine.log_partition().exp().round(decimals=4)  # 1 + 1 + 1 + 3
    tensor(6., dtype=torch.float64)
    >>> machine.hidden_mean(torch.ones(1, dtype=torch.float64))
    tensor([0.7500], dtype=torch.float64)
    """

    def __init__(self, weights, visible_bias=None, hidden_bias=None):
        check_tensors(weights=weights)
        check_shape("weights", weights, "v", "h")
        visible, hidden = weights.shape[-2:]
        self.weights = weights
        self.visible_bias = weights.new_zeros(visible) if visible_bias is None else visible_bias
        self.hidden_bias = weights.new_zeros(hidden) if hidden_bias is None else hidden_bias
        check_tensors(weights=weights, visible_bias=self.visible_bias, hidden_bias=self.hidden_bias)
        check_shape("visible_bias", self.visible_bias, visible)
        check_shape("hidden_bias", self.hidden_bias, hidden)
        lead = check_leading(
            weights=weights.shape[:-2],
            visible_bias=self.visible_bias.shape[:-1],
            hidden_bias=self.hidden_bias.shape[:-1],
        )
        for name, shape in (
            ("weights", (visible, hidden)),
            ("visible_bias", (visible,)),
            ("hidden_bias", (hidden,)),
        ):
            x = getattr(self, name)
            if not x.isfinite().all():
                raise ValueError(f"{name} has entries that are not finite, needs finite ones")
            if x.shape != (*lead, *shape):
                setattr(self, name, x.expand(*lead, *shape))

    def energy(self, visible):
        """E(v) = -<a, v> - sum_mu log(1 + exp(b_mu + <w_mu, v>)), and p(v) = e^-E(v) / Z.

        Shapes: visible (..., V) gives (...). No constant is dropped. Any real v is taken.
        Raises: as the class says.
        Source: Hinton (2002); the sum over h factorises. Derived in: hidden-bits-summed-out
        """
        self._check("visible", visible, -2)
        log_sum = self._log_sum(visible, self.weights, self.visible_bias, self.hidden_bias)
        return -log_sum.to(visible.dtype)

    def log_partition(self):
        """log Z = log(sum_v exp(-E(v))), exactly, by all 2^min(V, H) states of the smaller layer.

        Shapes: gives (...), the machines' leading dimensions. Where derivatives are recorded, all
        states are held.
        Raises: ValueError where min(V, H) > 20.
        Source: Smolensky (1986); the sum over the larger layer factorises.
        """
        visible, hidden = self.weights.shape[-2:]
        count = min(visible, hidden)
        if count > _MOST:
            raise ValueError(
                f"weights has shape {tuple(self.weights.shape)}, needs min(V, H) <= "
                f"{_MOST}, for 2^min(V, H) states are enumerated"
            )
        sides = self.weights, self.visible_bias, self.hidden_bias
        if visible > hidden:
            sides = self.weights.mT, self.hidden_bias, self.visible_bias
        weights, own, other = (x.unsqueeze(-3 if x is sides[0] else -2) for x in sides)
        powers = torch.arange(count, device=weights.device)
        parts = []
        for start in range(0, 2**count, _CHUNK):
            codes = torch.arange(start, min(start + _CHUNK, 2**count), device=weights.device)
            states = (codes.unsqueeze(-1) >> powers & 1).to(weights.dtype)
            parts.append(self._log_sum(states, weights, own, other).logsumexp(-1))
        return torch.stack(parts, -1).logsumexp(-1).to(weights.dtype)

    def hidden_mean(self, visible):
        """P(h_mu = 1 | v) = 1 / (1 + exp(-b_mu - <w_mu, v>)), the mean of h given v.

        Shapes: visible (..., V) gives (..., H).
        Raises: as the class says.
        Source: Hinton (2002); hidden units are independent given v. Derived in: hidden-bit
        """
        self._check("visible", visible, -2)
        return _field(visible, self.weights, self.hidden_bias).sigmoid().to(visible.dtype)

    def visible_mean(self, hidden):
        """P(v_i = 1 | h) = 1 / (1 + exp(-a_i - (W h)_i)), the mean of v given h.

        Shapes: hidden (..., H) gives (..., V).
        Raises: as the class says.
        Source: Hinton (2002); visible units are independent given h.
        """
        self._check("hidden", hidden, -1)
        return _field(hidden, self.weights.mT, self.visible_bias).sigmoid().to(hidden.dtype)

    @torch.no_grad()
    def sample(self, visible, steps, *, generator):
        """h ~ p(h | v), then v ~ p(v | h), `steps` times: block Gibbs, which keeps the law p(v, h).

        Shapes: visible (..., V), zeros and ones, one chain a row, gives a GibbsState: the last
        visible vectors and the hidden ones that they were drawn from. The generator is a
        torch.Generator on the device of the weights. No derivative is taken, and nothing is said
        about how near the chains are to their stationary law.

        Raises: TypeError; ValueError for a start with other entries, and for steps < 1.
        Source: Hinton (2002). Derived in: block-gibbs
        """
        self._check("visible", visible, -2)
        check_count(1, steps=steps)
        if not isinstance(generator, torch.Generator):
            raise TypeError(f"generator is a {type(generator).__name__}, needs a torch.Generator")
        if generator.device.type != self.weights.device.type:
            device = self.weights.device
            raise ValueError(f"generator is on {generator.device}, needs {device}, that of weights")
        if not ((visible == 0) | (visible == 1)).all():
            raise ValueError("visible has entries other than 0 and 1")
        for _ in range(steps):
            hidden = torch.bernoulli(self.hidden_mean(visible), generator=generator)
            visible = torch.bernoulli(self.visible_mean(hidden), generator=generator)
        return GibbsState(visible, hidden)

    def _check(self, name, x, dim):
        check_tensors(weights=self.weights, **{name: x})
        check_shape(name, x, self.weights.shape[dim])
        check_leading(weights=self.weights.shape[:-2], **{name: x.shape[:-1]})

    @staticmethod
    def _log_sum(states, weights, own, other):
        """log(sum over the other layer of exp(-E)), for states of one layer."""
        linear = (_wide(states) * _wide(own)).sum(-1)
        return linear + F.softplus(_field(states, weights, other), threshold=40).sum(-1)


def effective_energy(visible, weights, hidden, *, visible_bias=None):
    """E(v) = -<a, v> - sum_mu K(<w_mu, v>), K(t) = log E exp(t h) the log-partition of `hidden`.

    Shapes: visible (..., V), weights (..., V, H), visible_bias (..., V), 0 by default, give (...).
    `hidden` is a family of logpartition.families, one law for all units, or one each where its
    parameters are tensors (..., H). Where its variable is a vector, a Categorical or an Empirical
    over vectors, it is one hidden vector with H coordinates, and E(v) = -<a, v> - K(W^T v): a
    one-hot one gives a log-sum-exp.

    The law is normalised, K(0) = 0. A RestrictedBoltzmannMachine has Bernoulli units with
    p = sigmoid(b), and its energy, which drops no constant, is less by sum_mu log(1 + e^b_mu).
    Where an expectation diverges, as of Exponential units for <w_mu, v> >= rate, the energy is
    -inf: there is no law of v if such v have positive measure.

    Raises: TypeError, also where hidden is no family; ValueError as the module says. Entries that
    are not finite are not refused.
    Source: Bal (2020), section 2; Mehta et al. (2019), on restricted Boltzmann machines.
    Derived in: hidden-bits-summed-out, dictionary

    >>> from logpartition.families import Bernoulli
    >>> weights = torch.tensor([[3.0]], dtype=torch.float64).log()
    >>> visible = torch.ones(1, dtype=torch.float64)
    >>> energy = effective_energy(visible, weights, Bernoulli(0.5))
    >>> energy.neg().exp().round(decimals=4)  # the mean of 1 and 3
    tensor(2., dtype=torch.float64)
    """
    check_tensors(visible=visible, weights=weights)
    check_shape("weights", weights, "v", "h")
    count, units = weights.shape[-2:]
    check_shape("visible", visible, count)
    bias = weights.new_zeros(count) if visible_bias is None else visible_bias
    check_tensors(visible=visible, visible_bias=bias)
    check_shape("visible_bias", bias, count)
    check_leading(
        visible=visible.shape[:-1], weights=weights.shape[:-2], visible_bias=bias.shape[:-1]
    )
    if isinstance(hidden, type) or not callable(getattr(hidden, "log_partition", None)):
        raise TypeError(f"hidden is {hidden!r}, needs a family of logpartition.families")
    fields = _field(visible, weights, weights.new_zeros(units))
    misfit = ValueError(f"hidden has parameters that do not fit {units} units")
    try:
        generating = hidden.log_partition(fields)
    except RuntimeError as error:
        raise misfit from error
    if not _is_vector(hidden):
        if generating.shape[-1] != units:
            raise misfit
        generating = generating.sum(-1)
    return -((_wide(visible) * _wide(bias)).sum(-1) + generating).to(visible.dtype)


def _is_vector(family):
    return isinstance(family, Categorical) or (
        isinstance(family, Empirical) and len(family.atoms.shape) == 2
    )


def _field(states, weights, bias):
    """b + W^T v, which broadcasts over machines as over states."""
    return (_wide(states).unsqueeze(-2) @ _wide(weights)).squeeze(-2) + _wide(bias)


def _wide(x):
    return x.to(torch.promote_types(x.dtype, torch.float32))
