"""Numbers that are typed in the code, and drawn, printed or fitted as if they were measured."""

import pytest
from notebooks import code, notebook

from logpartition_book import chapter_gates
from logpartition_book.files import ROOT

TYPED = """
losses = [2.31, 1.87, 1.52, 1.33]
ax.plot([1, 2, 3, 4], losses)
---
steps, losses = [1, 2, 3, 4], [2.31, 1.87, 1.52, 1.33]
ax.semilogy(steps, losses, "o-", label="training")
---
plt.plot(range(4), np.array([2.31, 1.87, 1.52, 1.33]))
---
plt.bar(["a", "b", "c"], [0.91, 0.47, 0.29])
---
plt.bar(names, height=[0.91, 0.47, 0.29])
---
rows = [(8, 0.213), (16, 0.111), (32, 0.054)]
xs, ys = zip(*rows)
plt.loglog(xs, ys)
---
rows = [(8, 0.213), (16, 0.111), (32, 0.054)]
plt.loglog(*zip(*rows))
---
acc = {8: 0.613, 16: 0.711, 32: 0.784}
plt.plot(list(acc), list(acc.values()))
---
acc = {8: 0.613, 16: 0.711, 32: 0.784}
for n, a in acc.items():
    print(n, a)
---
for n, a in zip((8, 16, 32), (0.613, 0.711, 0.784)):
    print(f"{n:3d} {a:.3f}")
---
data = '''8 0.213
16 0.111
32 0.054'''
rows = [list(map(float, line.split())) for line in data.splitlines()]
data = np.array(rows)
plt.plot(data[:, 0], data[:, 1])
---
losses = [2.31, 1.87, 1.52, 1.33]
def draw(ax, y):
    ax.plot(y)
draw(axes, losses)
---
LOSSES = [2.31, 1.87, 1.52, 1.33]
def draw(ax):
    ax.plot(range(4), LOSSES)
draw(axes)
---
e = np.array([0.213, 0.111, 0.054])
slope, _ = np.polyfit(np.log([8, 16, 32]), np.log(e), 1)
---
from scipy.stats import linregress
fit = linregress([8, 16, 32], [0.213, 0.111, 0.054])
print(fit.slope)
---
from scipy.optimize import curve_fit
sizes, errors = np.array([8, 16, 32]), np.array([0.213, 0.111, 0.054])
popt, _ = curve_fit(lambda x, a: a / x, sizes, errors)
---
e = torch.tensor([0.213, 0.111, 0.054])
plt.plot(sizes, 100 * e)
---
e = torch.tensor([0.213, 0.111, 0.054])
plt.plot(sizes, np.log(e))
---
plt.errorbar(sizes, [0.213, 0.111, 0.054], yerr=[0.01, 0.02, 0.01])
---
runs = {"a": [0.213, 0.111, 0.054], "b": [0.313, 0.211, 0.154]}
for name, e in runs.items():
    ax.plot(sizes, e, label=name)
---
for i, loss in enumerate([2.31, 1.87, 1.52]):
    print(i, loss)
---
print(np.array([2.31, 1.87, 1.52]))
---
print("losses:", *[2.31, 1.87, 1.52])
---
table = [["softmax", 0.913], ["linear", 0.871], ["none", 0.442]]
for name, a in table:
    print(f"{name:10s} {a}")
---
print("\\n".join(f"{a:.2f}" for a in [2.31, 1.87, 1.52]))
---
losses = [2.31, 1.87, 1.52]
print(f"final loss {losses[-1]}")
---
plane.line(np.column_stack([range(3), [2.31, 1.87, 1.52]]))
---
measured = (2.31, 1.87, 1.52)
axes[0].step(range(3), measured)
---
hist = [0.113, 0.24, 0.31, 0.22]
ax.bar(np.arange(4), hist, width=0.4)
---
losses = [2.31, 1.87, 1.52, 1.33]
losses

---
import torch
e = torch.tensor([0.213, 0.111, 0.054], dtype=torch.float64)
plt.plot([1, 2, 3], e)
---
import numpy as np
e = np.array([0.213, 0.111, 0.054]).astype(np.float64)
plt.plot([1, 2, 3], e)
---
import torch
print(torch.tensor([[0.213, 0.111, 0.054]], dtype=torch.float64))
---
sizes = [8, 16, 32]
for n, a in zip(sizes, (0.613, 0.711, 0.784)):
    print(f"{n:3d} {a:.3f}")
---
import math
losses = []
for t in (2.31, 1.87, 1.52):
    losses.append(t)
plt.plot(losses)
---
rates = dict(zip("abc", [2.31, 1.87, 1.52]))
print(rates)
---
ax.bar(["a", "b", "c"], [91, 87, 44])
---
acc: list = [0.613, 0.711, 0.784]
plt.plot(acc)
---
xs, ys = np.array([[8, 0.613], [16, 0.711], [32, 0.784]]).T
ax.plot(xs, ys)
---
runs = [{"n": 8, "acc": 0.613}, {"n": 16, "acc": 0.711}, {"n": 32, "acc": 0.784}]
ax.plot([r["n"] for r in runs], [r["acc"] for r in runs])
---
def measured():
    return [0.613, 0.711, 0.784]
plt.plot(measured())
---
plt.plot(sizes, sorted([0.613, 0.711, 0.784]))
---
plt.plot(sizes, np.array([0.613, 0.711, 0.784]) / 0.784)
---
print("| n | acc |")
for n, acc in {8: 0.613, 16: 0.711, 32: 0.784}.items():
    print("|", n, "|", acc, "|")
---
print("acc %s" % [0.613, 0.711, 0.784])
---
from scipy import stats
stats.linregress(np.log([8, 16, 32]), np.log([0.613, 0.711, 0.784]))
---
rows = np.array("8 0.613 16 0.711 32 0.784".split(), float).reshape(3, 2)
plt.plot(rows[:, 0], rows[:, 1])
---
sklearn.linear_model.LinearRegression().fit([[8], [16], [32]], [0.613, 0.711, 0.784])
---
plt.hist([0.613, 0.711, 0.784, 0.512])
---
LOSS = [2.31, 1.87, 1.52]
def show():
    for n, loss in enumerate(LOSS):
        print(n, loss)
show()
"""
COMPUTED = """
betas = [0.3, 0.7, 1.3]
plt.plot(betas, [f(b) for b in betas])
---
x = np.array([1.1, 1.3, 1.7])
plt.plot(x, np.exp(x))
---
x = [1.1, 1.3, 1.7]
plt.plot(x, [v**2 for v in x])
---
for beta in (0.7, 1.3, 2.1):
    print(beta, f(beta))
---
for beta in (0.7, 1.3, 2.1):
    print(beta, beta**2)
---
keys = torch.tensor([[2.2, 0.4], [1.0, 1.9], [-1.6, 1.2]])
ax.plot(*keys.T, "o")
plane.dots(keys.numpy())
print(keys.mean(0))
---
keys = torch.tensor([[2.2, 0.4], [1.0, 1.9], [-1.6, 1.2]])
p = torch.softmax(keys @ q, 0)
print(p)
ax.bar(range(3), p)
---
keys = [2.2, 0.4, 1.9, 1.7]
errors = [run(k) for k in keys]
np.polyfit(keys, errors, 1)
---
ax.plot([0.13, 0.71], [0.22, 0.91])
---
plt.plot([0, 1, 2], [1, 4, 9])
---
for level in (0.31, 0.47, 0.62):
    ax.axhline(level)
---
xs = [1.1, 1.3, 1.7]
ys = torch.logsumexp(torch.tensor(xs), 0)
ax.plot(xs, ys)
---
for b, style in zip((0.31, 0.47, 0.62), "abc"):
    ax.plot(x, np.tanh(b * x), style, label=f"{b}")
---
losses = [2.31, 1.87, 1.52]
losses = [train(n) for n in sizes]
ax.plot(sizes, losses)
---
truth = [2.31, 1.87, 1.52]
found = run()
print(max(abs(a - b) for a, b in zip(truth, found)))
---
minimize(f, [2.31, 1.87, 1.52])
---
for n, want in zip((1, 2, 3), (1.645, 1.202, 1.082)):
    print(n, want, zeta(n))
---
start = [1.13, 2.71, 0.43]
path = [start]
for _ in range(9):
    path.append(step(path[-1]))
ax.plot(path)
---
def f(x, n=3):
    return f(x - 1) if n else [0.613, 0.711, 0.784]
plt.plot(f(torch.rand(3)))
---
r = run(9)
s = [h(r) for r in (0.613, 0.711, 0.784)]
ax.plot(r)
---
for beta in (0.31, 0.47, 0.62):
    rows.append((beta, f(beta)))
for beta, value in rows:
    print(beta, value)
---
keys = np.array([[2.2, 0.4], [1.0, 1.9], [-1.6, 1.2]])
weights = np.exp(keys @ query)
weights /= weights.sum()
ax.bar(range(3), weights)
---
grid = np.linspace(-2.31, 1.87, 152)
ax.plot(grid, np.tanh(1.31 * grid))
---
fig.subplots_adjust(0.113, 0.211, 0.984)
---
print([f(b) for b in (0.31, 0.47, 0.62)])
---
q = torch.tensor([0.31, 0.47, 0.62])
print(q.softmax(0))
---
known = {2: 1.645, 4: 1.0823, 6: 1.0173}
for n, value in known.items():
    print(n, value, abs(value - zeta(n)))
---
assert np.allclose(run(), [0.31, 0.47, 0.62])
---
x, y = np.meshgrid(np.linspace(-1.2, 2.3, 41), np.linspace(-3.4, 4.5, 41))
ax.contour(x, y, x * y, levels=[0.31, 0.47, 0.62])
---
ax.plot([0.31, 0.47, 0.62], [square(v) for v in (0.31, 0.47, 0.62)], "o-")
---
print("sizes:", [8, 16, 32, 64])
---
losses = [2.31, 1.87, 1.52]
assert losses == train()
---
m = measure([13, 27, 54])
print(m)
---
keys, query = np.array([[2.2, 0.4], [1.0, 1.9], [-1.6, 1.2]]), np.array([1, 2])
weights = np.exp(keys @ query)
weights /= weights.sum()
ax.bar(range(3), weights)
"""


def findings(*sources):
    return [said for _, said in chapter_gates.typed_data(notebook(*map(code, sources)), ROOT)]


@pytest.mark.parametrize("source", TYPED.strip().split("\n---\n"))
def test_typed_data_that_are_drawn_printed_or_fitted_are_found(source):
    found = findings(source)
    assert found and " numbers that are typed in the code: " in found[0]


@pytest.mark.parametrize("source", COMPUTED.strip().split("\n---\n"))
def test_what_is_computed_of_typed_numbers_passes(source):
    assert findings(source) == []


def test_data_of_another_cell_are_followed():
    (found,) = findings("losses = [2.31, 1.87, 1.52]", "plt.plot(losses)")
    assert found == "draws numbers that are typed in the code: plt.plot(losses)"
