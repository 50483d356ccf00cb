"""The time of attention and the log-partition over that of what a user would write instead, in the
same run.

    attention       over F.scaled_dot_product_attention   forward, and forward with backward
                    over softmax(QK^T) V                  the same, which holds the scores
    log_partition   over torch.logsumexp(QK^T)            forward, and forward with backward
                    over F.scaled_dot_product_attention   the latter, at 2,048 and 8,192 keys

For the last the ratio of peak memory is printed as well.

Each ratio is printed: the least time of several rounds over the peer's, the rounds interleaved, on
one thread. Where a limit stands beside a comparison, a ratio above it fails from L = 2048 on;
shorter runs are all overhead and noise.
"""

import time

import pytest
import torch
import torch.nn.functional as F
from memory import peak_memory

from logpartition.attention import attention, log_partition

BETA, WIDTH = 0.125, 64


def softmax_attention(queries, keys, values):
    return torch.softmax(BETA * queries @ keys.mT, -1) @ values


def fused(queries, keys, values):
    return F.scaled_dot_product_attention(queries, keys, values, scale=BETA)


def ours(queries, keys, values):
    return attention(queries, keys, values, beta=BETA)


def logsumexp(queries, keys, _):
    return torch.logsumexp(BETA * queries @ keys.mT, -1) / BETA


def our_log_partition(queries, keys, _):
    return log_partition(queries, keys, beta=BETA)


COMPARISONS = {  # function, peer, width of the values, limit of the ratio
    "attention / SDPA": (ours, fused, WIDTH, 1.5),
    # there SDPA alone takes its unfused kernel
    "attention / SDPA, values of width 8": (ours, fused, 8, 1.0),
    "attention / softmax(QK')V": (ours, softmax_attention, WIDTH, 1.0),
    "log_partition / logsumexp(QK')": (our_log_partition, logsumexp, WIDTH, 1.5),
}


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "forward and backward"])
@pytest.mark.parametrize("length", [256, 2048])
@pytest.mark.parametrize("name", COMPARISONS)
def test_time(benchmark, capsys, name, length, backward):
    function, peer, width, limit = COMPARISONS[name]
    generator = torch.Generator().manual_seed(0)
    inputs = [
        torch.randn(1, 4, length, n, generator=generator).requires_grad_(backward)
        for n in (WIDTH, WIDTH, width)
    ]

    def run(f):
        result = f(*inputs)
        if backward:
            torch.autograd.grad(result.sum(), inputs, allow_unused=True)

    measured = ratio(lambda: run(function), lambda: run(peer), rounds=30 if length < 1000 else 7)
    benchmark.extra_info["ratio"] = measured
    benchmark.pedantic(run, [function], rounds=3, warmup_rounds=1)
    with capsys.disabled():
        passes = "forward and backward" if backward else "forward"
        print(f"\n{name}, L = {length}, {passes}: {measured:.2f}", end="")
    assert length < 2048 or measured < limit


def ratio(function, peer, rounds):
    times = {function: [], peer: []}
    for _ in range(rounds):
        for f in times:
            start = time.perf_counter()
            f()
            times[f].append(time.perf_counter() - start)
    return min(times[function]) / min(times[peer])


@pytest.mark.parametrize(
    "function, width, least, most",
    [(ours, WIDTH, 1, 2.2), (ours, 8, 1, 2.2), (softmax_attention, WIDTH, 3.5, 4.5)],
)
def test_memory(function, width, least, most):
    """Twice the length at most doubles what attention holds; softmax(QK')V holds four times as
    much, and shows that the account is right.
    """
    peaks = []
    for length in (1024, 2048):
        inputs = [torch.randn(1, 1, length, n).requires_grad_() for n in (WIDTH, WIDTH, width)]
        peaks.append(peak_memory(lambda: torch.autograd.grad(function(*inputs).sum(), inputs)))
    assert least < peaks[1] / peaks[0] < most


@pytest.mark.parametrize("length", [2048, 8192])
def test_log_partition_beside_attention(capsys, length):
    """Forward and backward in at most twice the time of SDPA and 1.05 times its memory."""
    generator = torch.Generator().manual_seed(0)
    inputs = [
        torch.randn(1, 1, length, WIDTH, generator=generator).requires_grad_() for _ in range(3)
    ]

    def run(function, *inputs):
        return torch.autograd.grad(function(*inputs).sum(), inputs)

    def our_gradients():
        return run(lambda queries, keys: log_partition(queries, keys, beta=BETA), *inputs[:2])

    def their_gradients():
        return run(fused, *inputs)

    time_ratio = ratio(our_gradients, their_gradients, rounds=5)
    memory_ratio = peak_memory(our_gradients) / peak_memory(their_gradients)
    with capsys.disabled():
        print(
            f"\nlog_partition / SDPA, L = {length}, forward and backward: "
            f"{time_ratio:.2f} of its time, {memory_ratio:.2f} of its memory",
            end="",
        )
    assert time_ratio < 2
    assert length < 8192 or memory_ratio < 1.05
