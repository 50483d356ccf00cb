"""Machines against enumeration of all their states, exact transition laws for their chains, and
scipy's laws for K."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

from logpartition.families import (
    Bernoulli,
    Categorical,
    Empirical,
    Exponential,
    Gaussian,
    Laplace,
    PointMass,
    Poisson,
    Rademacher,
    Uniform,
)
from logpartition.hidden_units import RestrictedBoltzmannMachine, effective_energy
from logpartition.hopfield import energy as hopfield_energy

NAN, INF = math.nan, math.inf
laws = settings(deadline=None, max_examples=30, derandomize=True)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def vector(*values):
    return torch.tensor(values, dtype=torch.float64)


def states(count):
    return torch.tensor(list(itertools.product([0.0, 1.0], repeat=count)), dtype=torch.float64)


def parameters(visible, hidden, seed=0):
    return (
        normal(visible, hidden, seed=seed),
        normal(visible, seed=seed + 1),
        normal(hidden, seed=seed + 2),
    )


def joint(weights, visible_bias, hidden_bias):
    """exp(-E(v, h)) for all v (rows) and h (columns), summed entry by entry."""
    v, h = states(weights.shape[0]), states(weights.shape[1])
    return torch.exp(
        torch.einsum("ai,i->a", v, visible_bias)[:, None]
        + torch.einsum("bm,m->b", h, hidden_bias)[None]
        + torch.einsum("ai,im,bm->ab", v, weights, h)
    )


# Sums over hidden units


@pytest.mark.parametrize("visible, hidden", [(4, 3), (3, 5), (1, 1), (4, 0), (0, 3)])
def test_enumeration(visible, hidden):
    """Energy, log Z and both conditional means from the table of all exp(-E(v, h))."""
    machine, table = (
        RestrictedBoltzmannMachine(*parameters(visible, hidden)),
        joint(*parameters(visible, hidden)),
    )
    v, h = states(visible), states(hidden)
    torch.testing.assert_close(machine.energy(v), -table.sum(1).log())
    torch.testing.assert_close(machine.log_partition(), table.sum().log())
    torch.testing.assert_close(machine.hidden_mean(v), table @ h / table.sum(1, keepdim=True))
    torch.testing.assert_close(machine.visible_mean(h), table.mT @ v / table.sum(0).unsqueeze(-1))
    p = torch.exp(-machine.energy(v) - machine.log_partition())
    assert p.sum().item() == pytest.approx(1, rel=1e-14)


def test_forty_digits():
    weights, visible_bias, hidden_bias = (10 * x for x in parameters(3, 2))
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for v in itertools.product([0, 1], repeat=3):
            for h in itertools.product([0, 1], repeat=2):
                score = mpmath.fdot(v, visible_bias.tolist()) + mpmath.fdot(h, hidden_bias.tolist())
                score += sum(
                    v[i] * h[m] * mpmath.mpf(weights[i, m].item())
                    for i in range(3)
                    for m in range(2)
                )
                total += mpmath.exp(score)
        exact = float(mpmath.log(total))
    machine = RestrictedBoltzmannMachine(weights, visible_bias, hidden_bias)
    assert machine.log_partition().item() == pytest.approx(exact, rel=1e-15)


def test_log_partition_without_coupling_and_in_pairs():
    """No weights: a product over units. A diagonal of weights: a product over pairs. 2^16 states,
    four chunks of 2^14."""
    _, a, b = parameters(16, 17)
    product = torch.log1p(a.exp()).sum() + torch.log1p(b.exp()).sum()
    for sides in ((a, b), (b, a)):
        machine = RestrictedBoltzmannMachine(
            torch.zeros(*map(len, sides), dtype=torch.float64), *sides
        )
        torch.testing.assert_close(machine.log_partition(), product)
    weights = torch.diag(normal(16, seed=5))
    pairs = torch.log(1 + a.exp() + b[:16].exp() + (a + b[:16] + weights.diagonal()).exp()).sum()
    torch.testing.assert_close(
        RestrictedBoltzmannMachine(weights, a, b[:16]).log_partition(), pairs
    )


def test_softplus_to_rounding():
    """PyTorch's softplus is off by up to 2e-9 above its threshold of 20; a field of 21 to 60 is
    right to rounding."""
    for field in (19.5, 21.0, 30.0, 39.9, 40.1, 60.0, 1e4):
        machine = RestrictedBoltzmannMachine(vector(field).reshape(1, 1))
        with mpmath.workdps(50):
            exact = float(-mpmath.log1p(mpmath.exp(field)))
        assert machine.energy(vector(1)).item() == exact
    assert RestrictedBoltzmannMachine(vector(-800).reshape(1, 1)).energy(vector(1)).item() == 0


def test_derivatives_of_log_partition_are_means():
    inputs = [x.requires_grad_() for x in parameters(4, 3)]
    table = joint(*(x.detach() for x in inputs))
    v, h, p = states(4), states(3), table / table.sum()
    expected = [torch.einsum("ai,ab,bm->im", v, p, h), p.sum(1) @ v, p.sum(0) @ h]
    log_sum = RestrictedBoltzmannMachine(*inputs).log_partition()
    for found, exact in zip(torch.autograd.grad(log_sum, inputs), expected):
        torch.testing.assert_close(found, exact)

    def log_partition(*inputs):
        return RestrictedBoltzmannMachine(*inputs).log_partition()

    assert gradcheck(log_partition, inputs) and gradgradcheck(log_partition, inputs)

    def likelihood(weights, visible_bias, hidden_bias, visible):
        return RestrictedBoltzmannMachine(weights, visible_bias, hidden_bias).energy(visible)

    inputs.append(normal(2, 4, seed=7).requires_grad_())
    assert gradcheck(likelihood, inputs) and gradgradcheck(likelihood, inputs)


def test_gradient_of_the_energy_is_less_the_hidden_mean():
    machine = RestrictedBoltzmannMachine(*parameters(4, 3))
    visible = normal(5, 4, seed=9).requires_grad_()
    (gradient,) = torch.autograd.grad(machine.energy(visible).sum(), visible)
    expected = -machine.visible_bias - machine.hidden_mean(visible.detach()) @ machine.weights.mT
    torch.testing.assert_close(gradient, expected)


@laws
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**31), st.floats(0.1, 30))
def test_laws(visible, hidden, seed, scale):
    """Z is the same from both sides; a flip of a unit, h -> 1 - h, moves its weights into the
    biases."""
    weights, a, b = (scale * x for x in parameters(visible, hidden, seed))
    log_sum = RestrictedBoltzmannMachine(weights, a, b).log_partition()
    other = RestrictedBoltzmannMachine(weights.mT, b, a).log_partition()
    torch.testing.assert_close(log_sum, other, rtol=1e-13, atol=1e-13)
    column = torch.zeros(hidden, dtype=torch.float64)
    column[0] = 1
    flipped = RestrictedBoltzmannMachine(
        weights * (1 - 2 * column), a + weights @ column, b * (1 - 2 * column)
    )
    torch.testing.assert_close(flipped.log_partition() + b[0], log_sum, rtol=1e-12, atol=1e-12)


def test_batches_of_machines():
    weights, a, b = normal(3, 1, 4, 2), normal(4, seed=1), normal(2, 2, seed=2)
    machines, visible, hidden = (
        RestrictedBoltzmannMachine(weights, a, b),
        states(4)[5],
        states(2)[1],
    )
    assert machines.log_partition().shape == machines.energy(visible).shape == (3, 2)
    assert machines.hidden_mean(visible).shape == (3, 2, 2)
    assert machines.visible_mean(hidden).shape == (3, 2, 4)
    sample = machines.sample(visible, 2, generator=torch.Generator().manual_seed(0))
    assert sample.visible.shape == (3, 2, 4) and sample.hidden.shape == (3, 2, 2)
    for i, j in itertools.product(range(3), range(2)):
        one = RestrictedBoltzmannMachine(weights[i, 0], a, b[j])
        torch.testing.assert_close(machines.log_partition()[i, j], one.log_partition())
        torch.testing.assert_close(machines.energy(visible)[i, j], one.energy(visible))
        torch.testing.assert_close(machines.visible_mean(hidden)[i, j], one.visible_mean(hidden))
    one = RestrictedBoltzmannMachine(weights[0, 0], a, b[0])
    assert one.energy(normal(5, 1, 2, 4)).shape == (5, 1, 2)
    assert one.energy(normal(0, 4)).shape == (0,)


def test_a_machine_follows_its_parameters():
    """Contrastive divergence in place: one machine, whose parameters an optimiser moves, learns a
    law of two states."""
    data = vector(1, 1, 0, 0, 0, 1).reshape(2, 3)
    weights, bias = (
        (0.1 * normal(3, 2)).requires_grad_(),
        torch.zeros(3, dtype=torch.float64, requires_grad=True),
    )
    machine, generator = RestrictedBoltzmannMachine(weights, bias), torch.Generator().manual_seed(0)
    optimiser = torch.optim.SGD([weights, bias], lr=0.5)
    losses, chains = [], data.repeat(50, 1)
    for _ in range(150):
        losses.append((machine.energy(data).mean() + machine.log_partition()).item())
        chains = machine.sample(chains, 1, generator=generator).visible
        optimiser.zero_grad()
        (machine.energy(data).mean() - machine.energy(chains).mean()).backward()
        optimiser.step()
    assert losses[0] == pytest.approx(math.log(8), abs=0.1)
    assert math.log(2) < losses[-1] < 0.5 * losses[0]


# Gibbs sampling


def transition(table):
    """P(v' | v) = sum_h p(h | v) p(v' | h)."""
    return (table / table.sum(1, keepdim=True)) @ (table / table.sum(0)).mT


def code(visible):
    return (
        visible @ (2.0 ** torch.arange(visible.shape[-1] - 1, -1, -1, dtype=visible.dtype))
    ).long()


def test_transition_keeps_the_law_and_one_step_has_it():
    """The exact matrix is stationary and reversible for p; from each start, draws of one step have
    its row as their law. Chi-square over 8 x 8 cells, at a level of 1e-4."""
    machine, table = RestrictedBoltzmannMachine(*parameters(3, 2)), joint(*parameters(3, 2))
    p, matrix, count = table.sum(1) / table.sum(), transition(table), 4000
    torch.testing.assert_close(p @ matrix, p)
    torch.testing.assert_close(p[:, None] * matrix, (p[:, None] * matrix).mT)
    starts = states(3).unsqueeze(1).expand(8, count, 3)
    after = code(machine.sample(starts, 1, generator=torch.Generator().manual_seed(1)).visible)
    seen = torch.stack([row.bincount(minlength=8) for row in after])
    chi_square = ((seen - count * matrix) ** 2 / (count * matrix)).sum().item()
    assert chi_square < scipy.stats.chi2(8 * 7).ppf(1 - 1e-4)
    # The table's own rows are told apart: the same test fails for draws of two steps.
    after = code(machine.sample(starts, 2, generator=torch.Generator().manual_seed(1)).visible)
    seen = torch.stack([row.bincount(minlength=8) for row in after])
    assert ((seen - count * matrix) ** 2 / (count * matrix)).sum().item() > scipy.stats.chi2(
        8 * 7
    ).ppf(1 - 1e-4)
    expected = count * torch.linalg.matrix_power(matrix, 2)
    assert ((seen - expected) ** 2 / expected).sum().item() < scipy.stats.chi2(8 * 7).ppf(1 - 1e-4)


def test_joint_law_of_parallel_chains():
    """Independent chains, so the effective sample size is their number: (v, h) after 40 steps
    against exp(-E) / Z."""
    machine, table, count = (
        RestrictedBoltzmannMachine(*parameters(3, 2)),
        joint(*parameters(3, 2)),
        40_000,
    )
    end = machine.sample(
        torch.zeros(count, 3, dtype=torch.float64), 40, generator=torch.Generator().manual_seed(2)
    )
    distance = torch.linalg.matrix_power(transition(table), 40)[0] - table.sum(1) / table.sum()
    assert distance.abs().max() < 1e-9
    seen = (4 * code(end.visible) + code(end.hidden)).bincount(minlength=32)
    expected = (count * table / table.sum()).flatten()
    assert ((seen - expected) ** 2 / expected).sum().item() < scipy.stats.chi2(31).ppf(1 - 1e-4)


def test_one_long_chain_by_its_effective_sample_size():
    """Means of one chain within 4 standard errors, which batch means give with the chain's own
    correlations."""
    machine, table = RestrictedBoltzmannMachine(*parameters(4, 3)), joint(*parameters(4, 3))
    generator, state, chain = (
        torch.Generator().manual_seed(3),
        torch.zeros(4, dtype=torch.float64),
        [],
    )
    for _ in range(2500):
        state = machine.sample(state, 1, generator=generator).visible
        chain.append(state)
    chain = torch.stack(chain)[100:].reshape(24, 100, 4).mean(1)
    exact = table.sum(1) / table.sum() @ states(4)
    error = chain.std(0) / math.sqrt(24)
    assert ((chain.mean(0) - exact).abs() < 4 * error).all() and (error < 0.05).all()


def test_samples_come_from_the_generator_alone():
    machine, start = (
        RestrictedBoltzmannMachine(*parameters(5, 4)),
        torch.ones(7, 5, dtype=torch.float64),
    )
    draws = [
        machine.sample(start, 3, generator=torch.Generator().manual_seed(s)) for s in (0, 0, 1)
    ]
    assert torch.equal(draws[0].visible, draws[1].visible)
    assert torch.equal(draws[0].hidden, draws[1].hidden)
    assert not torch.equal(draws[0].visible, draws[2].visible)
    before = torch.get_rng_state()
    machine.sample(start, 3, generator=torch.Generator().manual_seed(0))
    assert torch.equal(before, torch.get_rng_state())
    certain = RestrictedBoltzmannMachine(
        torch.full((2, 2), 1e6), torch.full((2,), -1e5), torch.full((2,), 1e3)
    )
    end = certain.sample(torch.zeros(2), 1, generator=torch.Generator())
    assert end.hidden.tolist() == [1, 1] and end.visible.tolist() == [1, 1]
    weights = normal(2, 2).requires_grad_()
    assert (
        not RestrictedBoltzmannMachine(weights)
        .sample(vector(0, 1), 1, generator=torch.Generator())
        .visible.requires_grad
    )


# Other laws of the hidden units

UNIFORM = scipy.stats.uniform(-1, 3.5)
FAMILIES = {  # a law with its scipy twin
    "Bernoulli": (Bernoulli(0.3), scipy.stats.bernoulli(0.3)),
    "Gaussian": (Gaussian(0.5, 2.0), scipy.stats.norm(0.5, math.sqrt(2))),
    "Poisson": (Poisson(1.5), scipy.stats.poisson(1.5)),
    "Exponential": (Exponential(4.0), scipy.stats.expon(scale=0.25)),
    "Laplace": (Laplace(0.25, 0.3), scipy.stats.laplace(0.25, 0.3)),
    "Uniform": (Uniform(-1.0, 2.5), UNIFORM),
    "Rademacher": (Rademacher(), scipy.stats.rv_discrete(values=([-1, 1], [0.5, 0.5]))),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_marginal_by_integration(name):
    """exp(-E(v)) = e^<a, v> prod_mu E exp(h_mu <w_mu, v>), the expectations by scipy."""
    family, law = FAMILIES[name]
    weights, bias, visible = 0.5 * normal(3, 2), normal(3, seed=1), states(3)
    options = {"lb": -60, "ub": 60, "points": [-1, 0, 0.25, 2.5]} if hasattr(law, "pdf") else {}
    expected = []
    for v in visible:
        fields = (v @ weights).tolist()
        factors = [law.expect(lambda h: np.exp(h * field), **options) for field in fields]
        expected.append(-(v @ bias).item() - sum(map(math.log, factors)))
    found = effective_energy(visible, weights, family, visible_bias=bias)
    assert found.tolist() == pytest.approx(expected, abs=1e-7)


def test_closed_forms():
    """Bal (2020): Gaussian units make Hopfield's quadratic energy, Poisson units an exponential
    one, up to their number."""
    weights, bias, v = 0.2 * normal(4, 3), normal(4, seed=1), states(4)
    fields, linear = v @ weights, v @ bias
    quadratic = -linear - 0.5 * torch.einsum("ai,ij,aj->a", v, weights @ weights.mT, v)
    options = {"visible_bias": bias}
    torch.testing.assert_close(effective_energy(v, weights, Gaussian(0, 1), **options), quadratic)
    poisson = -linear - fields.exp().sum(-1) + 3
    torch.testing.assert_close(effective_energy(v, weights, Poisson(1), **options), poisson)
    exponential = -linear + (1 - fields).log().sum(-1)
    assert (fields.abs() < 1).all()
    torch.testing.assert_close(effective_energy(v, weights, Exponential(1), **options), exponential)
    laplace = -linear + (1 - fields**2).log().sum(-1)
    torch.testing.assert_close(effective_energy(v, weights, Laplace(0, 1), **options), laplace)
    frozen = effective_energy(v, weights, PointMass(1), **options)
    torch.testing.assert_close(frozen, -linear - fields.sum(-1))


def test_binary_units_are_the_machine_less_its_constant():
    weights, a, b = parameters(4, 3)
    machine, v = RestrictedBoltzmannMachine(weights, a, b), states(4)
    found = effective_energy(v, weights, Bernoulli(torch.sigmoid(b)), visible_bias=a)
    torch.testing.assert_close(found - torch.log1p(b.exp()).sum(), machine.energy(v))


def test_one_hot_unit_is_a_modern_hopfield_network():
    """One hidden unit with N states: E = |v|^2/2 - lse(W^T v) after the Gaussian term of v and log
    N are added."""
    weights, v = normal(4, 6), normal(5, 4, seed=1)
    found = (
        effective_energy(v, weights, Categorical([0] * 6)) + v.square().sum(-1) / 2 - math.log(6)
    )
    torch.testing.assert_close(found, hopfield_energy(v, weights.mT))
    atoms = Empirical(torch.eye(6, dtype=torch.float64))
    torch.testing.assert_close(
        effective_energy(v, weights, atoms), effective_energy(v, weights, Categorical([0] * 6))
    )
    batch = Categorical(normal(3, 6, seed=2))  # three machines
    assert effective_energy(v[0], weights, batch).shape == (3,)
    per_unit = effective_energy(v, weights, Poisson(torch.linspace(1, 2, 6, dtype=torch.float64)))
    torch.testing.assert_close(
        per_unit, -(torch.linspace(1, 2, 6, dtype=torch.float64) * torch.expm1(v @ weights)).sum(-1)
    )
    real = Empirical(vector(0, 1), vector(0.7, 0.3))
    torch.testing.assert_close(
        effective_energy(v, weights, real), effective_energy(v, weights, Bernoulli(0.3))
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_cumulants_weight_the_interactions(name):
    """What two cumulants leave of the energy is of third order in the weights, of fourth for
    symmetric laws."""
    family, _ = FAMILIES[name]
    first, second, third, fourth = (float(k) for k in family.cumulants(4))
    weights, v = normal(3, 2), vector(1, 1, 0)
    sizes = torch.logspace(-2.5, -2, 4, dtype=torch.float64)
    energies = torch.stack([effective_energy(v, s * weights, family) for s in sizes])
    fields = sizes.unsqueeze(-1) * (v @ weights)
    rest = energies + first * fields.sum(-1) + second / 2 * fields.square().sum(-1)
    if name == "Gaussian":
        assert (rest.abs() < 1e-15).all()
    else:
        order = 4 if abs(third) < 1e-12 else 3
        assert np.polyfit(sizes.log(), rest.abs().log(), 1)[0] == pytest.approx(order, abs=0.05)
        leading = {3: third / 6, 4: fourth / 24}[order] * (fields[0] ** order).sum()
        assert rest[0].item() == pytest.approx(-leading.item(), rel=0.05)


def test_a_third_cumulant_of_zero_still_couples_three_units():
    """Fair coins have no third cumulant, and three visible units with unit weights the third
    difference -0.0856."""
    coin, weights = Bernoulli(0.5), torch.ones(3, 1, dtype=torch.float64)
    assert coin.cumulants(3)[2] == 0
    v = states(3)
    sign = (-1) ** (3 - v.sum(-1))
    difference = (sign * effective_energy(v, weights, coin)).sum().item()
    kernel = [math.log((1 + math.exp(n)) / 2) for n in range(4)]
    assert difference == pytest.approx(-(kernel[3] - 3 * kernel[2] + 3 * kernel[1]), rel=1e-12)
    assert difference == pytest.approx(0.0856, abs=5e-5)


def test_divergent_expectations():
    weights, v = torch.ones(2, 1, dtype=torch.float64), states(2).requires_grad_()
    found = effective_energy(v, weights, Exponential(2.0))
    assert found.tolist()[:3] == pytest.approx([0, math.log(0.5), math.log(0.5)])
    assert found[3] == -INF
    assert torch.autograd.grad(found.sum(), v)[0].isfinite().all()


def test_derivatives_of_the_effective_energy():
    weights, bias, v = (
        (0.5 * normal(3, 2)).requires_grad_(),
        normal(3, seed=1).requires_grad_(),
        normal(2, 3, seed=2),
    )
    for family in (Gaussian(0.5, 2.0), Bernoulli(0.3), Poisson(1.5), Categorical([0, 1])):

        def function(v, weights, bias):
            return effective_energy(v, weights, family, visible_bias=bias)

        assert gradcheck(function, (v.requires_grad_(), weights, bias))
        assert gradgradcheck(function, (v, weights, bias))


def test_shapes_of_the_effective_energy():
    assert effective_energy(
        normal(2, 1, 3), normal(4, 3, 5), Rademacher(), visible_bias=normal(4, 3)
    ).shape == (2, 4)
    assert effective_energy(normal(3), normal(3, 0), Rademacher()).item() == 0
    assert effective_energy(normal(0, 3), normal(3, 2), Rademacher()).shape == (0,)


# Edges


def test_nan_spoils_its_row():
    machine, v = RestrictedBoltzmannMachine(*parameters(3, 2)), states(3)[:4].clone()
    v[1, 0] = NAN
    for result in (
        machine.energy(v),
        machine.hidden_mean(v).sum(-1),
        effective_energy(v, machine.weights, Poisson(1)),
    ):
        assert result.isnan().tolist() == [False, True, False, False]
    assert machine.visible_mean(vector(NAN, 1)).isnan().all()


def test_extreme_parameters():
    machine = RestrictedBoltzmannMachine(
        vector(1e6, -1e6, 1e6, 1e6).reshape(2, 2), vector(-1e6, 1e6), vector(1e3, -1e3)
    )
    table = torch.einsum("ai,im,bm->ab", states(2), machine.weights, states(2))
    table = table + (states(2) @ machine.visible_bias)[:, None] + states(2) @ machine.hidden_bias
    torch.testing.assert_close(machine.log_partition(), table.logsumexp((0, 1)), rtol=1e-15, atol=0)
    torch.testing.assert_close(machine.energy(states(2)), -table.logsumexp(1), rtol=1e-15, atol=0)
    assert RestrictedBoltzmannMachine(torch.zeros(20, 1)).log_partition().item() == pytest.approx(
        21 * math.log(2)
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_low_precision(dtype):
    inputs, v = [x.to(dtype) for x in parameters(6, 5)], states(6).to(dtype)
    single, double = (
        RestrictedBoltzmannMachine(*(x.to(t) for x in inputs)) for t in (dtype, torch.float64)
    )
    eps = torch.finfo(dtype).eps
    for function in (
        lambda m, v: m.energy(v),
        lambda m, v: m.hidden_mean(v),
        lambda m, v: m.log_partition(),
        lambda m, v: effective_energy(v, m.weights, Rademacher()),
    ):
        found = function(single, v)
        assert found.dtype == dtype
        torch.testing.assert_close(
            found.double(), function(double, v.double()), rtol=2 * eps, atol=max(2 * eps**2, 4e-6)
        )
    draw = single.sample(v, 2, generator=torch.Generator().manual_seed(0))
    assert draw.visible.dtype == draw.hidden.dtype == dtype


M, V, G = RestrictedBoltzmannMachine(*parameters(3, 2)), states(3), torch.Generator()
RBM = RestrictedBoltzmannMachine
WRONG = [
    (TypeError, "weights is a list, needs a floating tensor", lambda: RBM([[1.0]])),
    (TypeError, "weights has dtype torch.int64", lambda: RBM(torch.ones(2, 2, dtype=torch.int64))),
    (
        TypeError,
        "visible_bias has dtype torch.float32, needs torch.float64, that of weights",
        lambda: RBM(normal(3, 2), torch.zeros(3)),
    ),
    (TypeError, "hidden_bias is a float", lambda: RBM(normal(3, 2), None, 0.5)),
    (ValueError, r"weights has shape \(3,\), needs \(..., v, h\)", lambda: RBM(normal(3))),
    (
        ValueError,
        r"visible_bias has shape \(2,\), needs \(..., 3\)",
        lambda: RBM(normal(3, 2), normal(2)),
    ),
    (
        ValueError,
        r"hidden_bias has shape \(\), needs \(..., 2\)",
        lambda: RBM(normal(3, 2), None, vector(1)[0]),
    ),
    (
        ValueError,
        "weights has entries that are not finite",
        lambda: RBM(vector(1, NAN).reshape(1, 2)),
    ),
    (
        ValueError,
        "hidden_bias has entries that are not finite",
        lambda: RBM(normal(3, 2), None, vector(0, INF)),
    ),
    (
        ValueError,
        r"do not broadcast: weights \(2,\), visible_bias \(3,\)",
        lambda: RBM(normal(2, 3, 2), normal(3, 3)),
    ),
    (
        ValueError,
        "visible_bias is on meta, needs cpu",
        lambda: RBM(normal(3, 2), normal(3).to("meta")),
    ),
    (TypeError, "visible has dtype torch.bool", lambda: M.energy(V > 0)),
    (
        TypeError,
        "visible has dtype torch.float32, needs torch.float64",
        lambda: M.hidden_mean(V.float()),
    ),
    (ValueError, r"visible has shape \(8, 2\), needs \(..., 3\)", lambda: M.energy(V[:, :2])),
    (ValueError, r"hidden has shape \(8, 3\), needs \(..., 2\)", lambda: M.visible_mean(V)),
    (
        ValueError,
        r"do not broadcast: weights \(2,\), visible \(8,\)",
        lambda: RBM(normal(2, 3, 2)).energy(V),
    ),
    (ValueError, r"needs min\(V, H\) <= 20", lambda: RBM(torch.zeros(30, 21)).log_partition()),
    (TypeError, "generator is a int, needs a torch.Generator", lambda: M.sample(V, 1, generator=0)),
    (TypeError, "required keyword-only argument: 'generator'", lambda: M.sample(V, 1)),
    (TypeError, "steps is 1.5, needs an integer", lambda: M.sample(V, 1.5, generator=G)),
    (ValueError, "steps is 0, needs at least 1", lambda: M.sample(V, 0, generator=G)),
    (
        ValueError,
        "visible has entries other than 0 and 1",
        lambda: M.sample(V - 0.5, 1, generator=G),
    ),
    (
        ValueError,
        "visible has entries other than 0 and 1",
        lambda: M.sample(V * NAN, 1, generator=G),
    ),
    (
        TypeError,
        "hidden is 'Poisson', needs a family",
        lambda: effective_energy(V, M.weights, "Poisson"),
    ),
    (
        TypeError,
        "hidden is <class .*Rademacher.*>, needs a family",
        lambda: effective_energy(V, M.weights, Rademacher),
    ),
    (
        TypeError,
        "weights has dtype torch.float32, needs torch.float64, that of visible",
        lambda: effective_energy(V, M.weights.float(), Rademacher()),
    ),
    (
        TypeError,
        "visible_bias is a int",
        lambda: effective_energy(V, M.weights, Rademacher(), visible_bias=1),
    ),
    (
        ValueError,
        r"visible has shape \(8, 2\), needs \(..., 3\)",
        lambda: effective_energy(V[:, 1:], M.weights, Rademacher()),
    ),
    (
        ValueError,
        "hidden has parameters that do not fit 2 units",
        lambda: effective_energy(V, M.weights, Poisson(vector(1, 2, 3))),
    ),
    (
        ValueError,
        "hidden has parameters that do not fit 1 units",
        lambda: effective_energy(V, M.weights[:, :1], Poisson(vector(1, 2, 3))),
    ),
    (
        ValueError,
        r"argument has shape \(8, 2\), needs \(..., 3\)",
        lambda: effective_energy(V, M.weights, Categorical([0, 0, 0])),
    ),
]


IDS = [f"{i} {message}" for i, (_, message, _) in enumerate(WRONG)]


@pytest.mark.parametrize("error, message, call", WRONG, ids=IDS)
def test_errors(error, message, call):
    with pytest.raises(error, match=message):
        call()
