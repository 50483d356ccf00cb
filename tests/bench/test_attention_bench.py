"""The time of attention and the log-partition over that of what a user would write instead, in the same run.

    attention       over F.scaled_dot_product_attention   forward, and forward with backward
                    over softmax(QK^T) V                  the same, which holds the scores
    log_partition   over torch.logsumexp(QK^T)            forward, and forward with backward

Each ratio is printed: the least time of several rounds over the peer's, the rounds interleaved, on one thread. Where a
limit stands beside a comparison, a ratio above it fails from L = 2048 on; shorter runs are all overhead and noise.
"""

import time

import pytest
import torch
import torch.nn.functional as F

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
    "attention / SDPA, values of width 8": (ours, fused, 8, 1.0),  # there SDPA alone takes its unfused kernel
    "attention / softmax(QK')V": (ours, softmax_attention, WIDTH, 1.0),
    "log_partition / logsumexp(QK')": (our_log_partition, logsumexp, WIDTH, 1.5),
}


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "forward and backward"])
@pytest.mark.parametrize("length", [256, 2048])
@pytest.mark.parametrize("name", COMPARISONS)
def test_time(benchmark, capsys, name, length, backward):
    function, peer, width, limit = COMPARISONS[name]
    generator = torch.Generator().manual_seed(0)
    inputs = [torch.randn(1, 4, length, n, generator=generator).requires_grad_(backward) for n in (WIDTH, WIDTH, width)]

    def run(f):
        result = f(*inputs)
        if backward:
            torch.autograd.grad(result.sum(), inputs, allow_unused=True)

    measured = ratio(lambda: run(function), lambda: run(peer), rounds=30 if length < 1000 else 7)
    benchmark.extra_info["ratio"] = measured
    benchmark.pedantic(run, [function], rounds=3, warmup_rounds=1)
    with capsys.disabled():
        print(f"\n{name}, L = {length}, {'forward and backward' if backward else 'forward'}: {measured:.2f}", end="")
    assert length < 2048 or measured < limit


def ratio(function, peer, rounds):
    times = {function: [], peer: []}
    for _ in range(rounds):
        for f in times:
            start = time.perf_counter()
            f()
            times[f].append(time.perf_counter() - start)
    return min(times[function]) / min(times[peer])


def peak_memory(function):
    """Bytes that the function allocated at its peak, by PyTorch's own account."""
    with torch.profiler.profile(profile_memory=True) as profile:
        function()
    events = [event for event in profile.profiler.kineto_results.events() if event.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak


@pytest.mark.parametrize("function, width, least, most", [
    (ours, WIDTH, 1, 2.2), (ours, 8, 1, 2.2), (softmax_attention, WIDTH, 3.5, 4.5)])
def test_memory(function, width, least, most):
    """Twice the length at most doubles what attention holds; softmax(QK')V holds four times as much, and shows that the
    account is right."""
    peaks = []
    for length in (1024, 2048):
        inputs = [torch.randn(1, 1, length, n).requires_grad_() for n in (WIDTH, WIDTH, width)]
        peaks.append(peak_memory(lambda: torch.autograd.grad(function(*inputs).sum(), inputs)))
    assert least < peaks[1] / peaks[0] < most
