"""Speed beside what a user would write instead: in each group of the table the number in brackets is the ratio to the fastest."""

import pytest
import torch
import torch.nn.functional as F
from logpartition.attention import attention, log_partition

SCALE = 0.125


@pytest.fixture(params=(256, 2048), ids=lambda length: f"L={length}")
def tokens(request):
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(4, request.param, 64, generator=generator) for _ in range(3)]


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda q, k, v: attention(q, k, v, beta=SCALE), id="attention"),
        pytest.param(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=SCALE), id="scaled_dot_product_attention"),
        pytest.param(lambda q, k, v: torch.softmax(SCALE * q @ k.mT, -1) @ v, id="softmax by hand"),
    ],
)
def test_attention(benchmark, tokens, work):
    benchmark.group = f"attention, L = {tokens[0].shape[1]}"
    benchmark(work, *tokens)


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda q, k, v: log_partition(q, k, beta=SCALE), id="log_partition"),
        pytest.param(lambda q, k, v: torch.logsumexp(SCALE * q @ k.mT, -1) / SCALE, id="logsumexp by hand"),
    ],
)
def test_log_partition(benchmark, tokens, work):
    benchmark.group = f"log-partition, L = {tokens[0].shape[1]}"
    benchmark(work, *tokens)
