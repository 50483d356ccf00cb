"""The time of 500 steps of 1,000 tokens on the circle over that of the quadratic sums, in the same
run on one thread.

    sphere_step   over softmax(beta x x^T) x in PyTorch and in NumPy, and PyTorch's fused attention

How many times faster it is gets printed, by the least time of 50 steps in a row of each, the routes
taking turns. At beta = 1, less than 20 times faster than the explicit sum in the same framework
fails, and so does one step that is farther than 1e-12 from any other route's. NumPy's exponential
is the quickest on some machines, so its sum is a harder peer. The difference that 500 steps leave,
each route going its own way, is printed beside that between the two explicit sums.
"""

import math
import time

import numpy as np
import pytest
import torch

from logpartition.attention import attention
from logpartition.dynamics import sphere_step

COUNT, STEPS, STEP_SIZE, TURN = 1000, 500, 0.05, 50


def series(x, beta):
    return sphere_step(x, beta=beta, step_size=STEP_SIZE)


def softmax_sum(x, beta):
    y = x + STEP_SIZE * (torch.softmax(beta * (x @ x.mT), -1) @ x)
    return y / y.norm(dim=-1, keepdim=True)


def numpy_sum(x, beta):
    weights = np.exp(beta * (x @ x.T))
    y = x + STEP_SIZE * ((weights @ x) / weights.sum(1, keepdims=True))
    return y / np.linalg.norm(y, axis=1, keepdims=True)


def fused(x, beta):
    y = x + STEP_SIZE * attention(x, x, beta=beta)
    return y / y.norm(dim=-1, keepdim=True)


@pytest.mark.parametrize("beta", [1.0, 4.0])
def test_steps_on_the_circle(benchmark, capsys, beta):
    generator = torch.Generator().manual_seed(0)
    angles = 2 * math.pi * torch.rand(COUNT, generator=generator, dtype=torch.float64)
    start = torch.stack([angles.cos(), angles.sin()], -1)
    routes = {
        "sphere_step": series,
        "softmax(xx')x": softmax_sum,
        "the same in NumPy": numpy_sum,
        "SDPA": fused,
    }
    points = {name: start.numpy() if f is numpy_sum else start for name, f in routes.items()}
    exact = series(start, beta)
    first = {name: distance(f(points[name], beta), exact) for name, f in routes.items()}
    least = dict.fromkeys(routes, math.inf)
    for _ in range(STEPS // TURN):
        for name, f in routes.items():
            begin = time.perf_counter()
            for _ in range(TURN):
                points[name] = f(points[name], beta)
            least[name] = min(least[name], (time.perf_counter() - begin) / TURN)
    last = {name: distance(points[name], points["sphere_step"]) for name in routes}
    ratios = {name: least[name] / least["sphere_step"] for name in routes}
    between = distance(points["softmax(xx')x"], points["the same in NumPy"])
    benchmark.extra_info |= {"ratios": ratios, "one step": first, "all steps": last}
    benchmark.pedantic(series, [start, beta], rounds=20, warmup_rounds=1)
    with capsys.disabled():
        step = least["sphere_step"] * 1e6
        print(f"\nsphere_step, {COUNT} tokens, beta = {beta}: {step:.0f} us a step")
        for name in list(routes)[1:]:
            print(
                f"    {ratios[name]:5.1f} times faster than {name}; "
                f"apart {first[name]:.1e} after one step, {last[name]:.1e} after {STEPS}"
            )
        print(f"    the two explicit sums are {between:.1e} apart after {STEPS}", end="")
    assert beta > 1 or ratios["softmax(xx')x"] > 20
    assert max(first.values()) < 1e-12


def distance(x, y):
    return np.abs(np.asarray(x) - np.asarray(y)).max()
