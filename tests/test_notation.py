"""The notation's expressions and the library's functions are the same functions."""

import pytest
import torch

from logpartition import attention, attention_covariance, log_partition, notation
from logpartition.notation import a, b, beta, i, j, k, o, q, v, x
from logpartition.proof import unfold, value_at
from logpartition.proof.language import Named

GENERATOR = torch.Generator().manual_seed(0)
KEYS, VALUES, QUERY = (
    torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)
    for shape in ((5, 3), (5, 2), (3,))
)
AT = {k: KEYS, v: VALUES, q: QUERY, x: QUERY, beta: 0.75}


@pytest.mark.parametrize("query", [q, x])
def test_log_partition(query):
    assert value_at(notation.log_partition(query), AT) == pytest.approx(
        log_partition(QUERY[None], KEYS, beta=0.75).item(), rel=1e-14
    )


def test_weights():
    weights = torch.softmax(0.75 * KEYS @ QUERY, 0)
    assert [value_at(notation.weight(i), AT | {i: n + 1}) for n in range(5)] == pytest.approx(
        weights.tolist(), rel=1e-13
    )


def test_mean_is_attention():
    expected = attention(QUERY[None], KEYS, VALUES, beta=0.75)[0]
    assert [value_at(notation.mean(v[j, o]), AT | {o: n + 1}) for n in range(2)] == pytest.approx(
        expected.tolist(), rel=1e-13
    )


def test_covariance():
    expected = attention_covariance(QUERY[None], KEYS, VALUES, beta=0.75)[0, 1, 2].item()
    assert value_at(notation.covariance(v[j, o], k[j, a]), AT | {o: 2, a: 3}) == pytest.approx(
        expected, rel=1e-12
    )


def test_names_say_where_they_are_taken():
    assert notation.partition().name == "Z" and notation.partition(x).name == "Z(x)"
    assert notation.mean(k[j, b], x).name == r"\mathbb{E}_{j \sim p(x)}[k_{jb}]"
    assert not unfold(notation.covariance(k[j, a], k[j, b])).has(Named)


def test_a_value_needs_arrays_that_fit():
    with pytest.raises(ValueError, match="got 2 for N, which is 5 elsewhere"):
        value_at(notation.mean(v[j, o]), AT | {v: VALUES[:2], o: 1})
    with pytest.raises(ValueError, match="k: got 1 axes, needs 2"):
        value_at(notation.log_partition(), AT | {k: QUERY})
