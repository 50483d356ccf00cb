"""Laws of one variable X, each given by its cumulant generating function K(t) = log E exp(<t, X>).

K is the log-partition of the exponential family that tilts the law by exp(<t, x>), so each family
here offers

    log_partition(t)    K(t), and +inf where the expectation diverges
    mean(t)             K'(t), the mean of the tilted law, and NaN where that expectation diverges
    variance(t)         K''(t), its variance (a matrix where X is a vector), and NaN likewise
    conjugate(m)        K*(m) = sup_t <t, m> - K(t), and +inf outside the closed range of the means
    cumulants(order)    the first `order` derivatives of K at 0, a list of exact SymPy expressions,
                        or arrays where X is a vector

The first four take a floating tensor of finite numbers and return one, elementwise for a real X,
and they are differentiable. Parameters of ordinary size and a large |t| or |m| make no overflow
before the value is one, as long as the products and quotients of t or m with a parameter are in the
dtype's range, and for variance and conjugate of Uniform, of half-width h, the squares of h, of h t,
and of the h t whose mean is m too (below 256 in float16); mean and variance of Empirical are NaN
where `attention` says so. Near t = 0, where K
is small, its error is a rounding of E |<t, X>|; that of K* near its zero is a rounding or two of 1
for Bernoulli and Categorical, of m (1 + |log m| + |log rate|) for Poisson, and else about a
rounding of 1 or of the terms of its formula, so that K* may come out slightly below 0. NaN stays
NaN; a t that is not a floating tensor raises TypeError.

Parameters are numbers, SymPy expressions or floating tensors. A tensor's shape broadcasts with t,
and gradients reach it, but they are NaN or infinite in a probability p that is 0 or 1, and in all
weights of an Empirical one of whose weights is 0. SymPy symbols serve `cumulants` only; elsewhere
they raise TypeError where the formula uses them, and in all of PointMass. For `cumulants` a float
is the binary fraction that it is (0.5 is 1/2, and 0.1 is 3602879701896397/36028797018963968;
Rational(1, 10) is 1/10), and a tensor needs one element, but for the atoms, weights and logits of
Empirical and Categorical. A parameter out of its range raises ValueError.
"""

import math
from functools import cache
from itertools import combinations, product

import sympy
import torch
from torch import Tensor

from ._checks import check_order
from ._hull import hull_conjugate
from ._parameters import (
    accurate,
    array,
    array_as_tensor,
    as_tensor,
    check_argument,
    entries,
    exact,
    fails,
    is_finite,
    map_nested,
    parameter,
    positive,
)
from .attention import attention, attention_covariance


class Bernoulli:
    """K(t) = log(1 - p + p e^t): X is 1 with probability p, else 0, for p in [0, 1].

    K*(m) = m log(m/p) + (1-m) log((1-m)/(1-p)) on [0, 1].
    Cumulants: kappa_1 = p, kappa_{n+1} = p (1-p) d kappa_n / dp.

    Source: Wainwright and Jordan (2008), table 3.1. Derived in: bernoulli-cumulants, eight-laws

    >>> Bernoulli(0.5).mean(torch.tensor(3.0, dtype=torch.float64).log())  # odds of three to one
    tensor(0.7500, dtype=torch.float64)
    >>> Bernoulli(0.5).cumulants(4)
    [1/2, 1/4, 0, -1/8]
    """

    def __init__(self, p):
        self.p = parameter("p", p, "a probability", lambda p: (p >= 0, p <= 1))

    def log_partition(self, t):
        p = as_tensor(self.p, t)
        return _piecewise(
            t,
            lambda t: torch.log1p(p * torch.expm1(t)),
            lambda t: torch.logaddexp(torch.log1p(-p), torch.log(p) + t),
        )

    def mean(self, t):
        return torch.sigmoid(t + torch.logit(as_tensor(self.p, t)))

    def variance(self, t):
        score = t + torch.logit(as_tensor(self.p, t))
        return torch.sigmoid(score) * torch.sigmoid(-score)

    def conjugate(self, mean):
        p = as_tensor(self.p, mean)
        return _on(
            (mean >= 0) & (mean <= 1),
            mean,
            lambda m: (
                _relative_entropy(m, torch.log(p)) + _relative_entropy(1 - m, torch.log1p(-p))
            ),
            safe=0.5,
        )

    def cumulants(self, order):
        order = check_order(order)
        p = sympy.Dummy("p")
        polynomials = [p]
        while len(polynomials) < order:
            polynomials.append(sympy.expand(p * (1 - p) * polynomials[-1].diff(p)))
        return [sympy.factor(polynomial).subs(p, exact(self.p)) for polynomial in polynomials]


class Gaussian:
    """K(t) = mean t + variance t^2 / 2: the normal law, variance > 0.

    K*(m) = (m - mean)^2 / (2 variance). Cumulants: mean, variance, 0, 0, ...

    Source: Wainwright and Jordan (2008), table 3.1. Derived in: eight-laws

    >>> Gaussian(1, 4).log_partition(torch.tensor(2.0, dtype=torch.float64))  # 2 + 4 * 4 / 2
    tensor(10., dtype=torch.float64)
    >>> Gaussian(1, 4).cumulants(3)
    [1, 4, 0]
    """

    def __init__(self, mean, variance):
        self.centre = parameter("mean", mean)
        self.spread = positive("variance", variance)

    def log_partition(self, t):
        return t * (as_tensor(self.centre, t) + as_tensor(self.spread, t) * t / 2)

    def mean(self, t):
        return as_tensor(self.centre, t) + as_tensor(self.spread, t) * t

    def variance(self, t):
        return as_tensor(self.spread, t) + 0.0 * t

    def conjugate(self, mean):
        offset = mean - as_tensor(self.centre, mean)
        return offset * (offset / as_tensor(self.spread, mean) / 2)  # no square to overflow

    def cumulants(self, order):
        order = check_order(order)
        return ([exact(self.centre), exact(self.spread)] + [sympy.Integer(0)] * order)[:order]


class Poisson:
    """K(t) = rate (e^t - 1): the law of counts, rate > 0.

    K*(m) = m log(m/rate) - m + rate for m >= 0. Cumulants: all equal to the rate.

    Source: Wainwright and Jordan (2008), table 3.1. Derived in: eight-laws

    >>> Poisson(2).mean(torch.tensor(3.0, dtype=torch.float64).log()).round(decimals=4)  # 2 * 3
    tensor(6., dtype=torch.float64)
    >>> Poisson(2).cumulants(3)
    [2, 2, 2]
    """

    def __init__(self, rate):
        self.rate = positive("rate", rate)

    def log_partition(self, t):
        rate = as_tensor(self.rate, t)
        return _piecewise(t, lambda t: rate * torch.expm1(t), lambda t: self.mean(t) - rate)

    def mean(self, t):
        root = torch.exp(t / 2)  # e^t may overflow where its product with a small rate does not
        return as_tensor(self.rate, t) * root * root

    variance = mean

    def conjugate(self, mean):
        rate = as_tensor(self.rate, mean)
        return _on(
            mean >= 0,
            mean,
            lambda m: _piecewise(
                m,
                lambda m: _relative_entropy(m, torch.log(rate)) - m + rate,
                lambda m: m * (torch.log(m) - torch.log(rate) - 1) + rate,
            ),
            safe=1.0,
        )

    def cumulants(self, order):
        order = check_order(order)
        return [exact(self.rate)] * order


class Exponential:
    """K(t) = -log(1 - t/rate) for t < rate, else +inf: the waiting time with mean 1/rate, rate > 0.

    K*(m) = rate m - 1 - log(rate m) for m > 0. Cumulants: kappa_n = (n-1)! / rate^n.

    Source: Wainwright and Jordan (2008), table 3.1. Derived in: exponential-cumulants, eight-laws

    >>> Exponential(2).mean(torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64))
    tensor([0.5000, 1.0000,    nan], dtype=torch.float64)
    >>> Exponential(2).cumulants(3)
    [1/2, 1/4, 1/4]
    """

    def __init__(self, rate):
        self.rate = positive("rate", rate)

    def log_partition(self, t):
        rate = as_tensor(self.rate, t)
        return _on(t < rate, t, lambda t: -torch.log1p(-t / rate))

    def mean(self, t):
        rate = as_tensor(self.rate, t)
        return _on(t < rate, t, lambda t: 1 / (rate - t), math.nan)

    def variance(self, t):
        return self.mean(t) ** 2

    def conjugate(self, mean):
        rate = as_tensor(self.rate, mean)
        return _on(mean > 0, mean, lambda m: rate * m - 1 - torch.log(rate * m), safe=1.0)

    def cumulants(self, order):
        order = check_order(order)
        return [sympy.factorial(n - 1) / exact(self.rate) ** n for n in range(1, order + 1)]


class Laplace:
    """K(t) = mean t - log(1 - scale^2 t^2) for |t| < 1/scale, else +inf: Laplace's law, scale > 0.

    Its density is exp(-|x - mean|/scale) / (2 scale). With s = sqrt(1 + (m - mean)^2 / scale^2),
    K*(m) = s - 1 - log((s + 1)/2). Cumulants: the mean, then kappa_n = (1 + (-1)^n) (n-1)! scale^n.

    Source: Kotz, Kozubowski and Podgorski (2001), The Laplace Distribution and Generalizations,
    section 2.1.
    Derived in: exponential-cumulants, eight-laws

    >>> Laplace(0, 1).log_partition(torch.tensor(0.5, dtype=torch.float64)).exp()  # 1 / (1 - 1/4)
    tensor(1.3333, dtype=torch.float64)
    >>> Laplace(0, 1).cumulants(4)
    [0, 2, 0, 12]
    """

    def __init__(self, mean, scale):
        self.centre = parameter("mean", mean)
        self.scale = positive("scale", scale)

    def log_partition(self, t):
        centre, scale = as_tensor(self.centre, t), as_tensor(self.scale, t)
        inside = (scale * t).abs() < 1
        return _on(inside, t, lambda t: centre * t - torch.log1p(-((scale * t) ** 2)))

    def mean(self, t):
        centre, scale = as_tensor(self.centre, t), as_tensor(self.scale, t)
        x = scale * t
        return centre + scale * _on(x.abs() < 1, x, lambda x: 2 * x / (1 - x * x), math.nan)

    def variance(self, t):
        scale = as_tensor(self.scale, t)
        x = scale * t
        slope = _on(x.abs() < 1, x, lambda x: 2 * (1 + x * x) / (1 - x * x) ** 2, math.nan)
        return scale**2 * slope

    def conjugate(self, mean):
        z = (mean - as_tensor(self.centre, mean)) / as_tensor(self.scale, mean)
        # s - 1 without cancellation, and without a square that overflows
        excess = z * (z / (1 + torch.hypot(torch.ones_like(z), z)))
        return excess - torch.log1p(excess / 2)

    def cumulants(self, order):
        order = check_order(order)
        scale = exact(self.scale)
        return [exact(self.centre)] + [
            (1 + (-1) ** n) * sympy.factorial(n - 1) * scale**n for n in range(2, order + 1)
        ]


class Uniform:
    """K(t) = c t + log(sinh(h t) / (h t)): the uniform law from c - h = low to c + h = high > low.

    K*(m) is +inf at the ends and beyond; between them it has no closed form, and x = h t is found
    from coth x - 1/x = (m - c)/h by Newton's method. Cumulants: c, then, with the Bernoulli numbers
    B_n, kappa_n = B_n (high - low)^n / n.

    Source: Cohen (1991), A Pade approximant to the inverse Langevin function, Rheologica Acta 30,
    270-273, for Newton's start.
    Derived in: eight-laws

    >>> Uniform(0, 1).mean(torch.tensor(0.0, dtype=torch.float64))
    tensor(0.5000, dtype=torch.float64)
    >>> Uniform(0, 1).cumulants(4)
    [1/2, 1/12, 0, -1/120]
    """

    def __init__(self, low, high):
        self.low = parameter("low", low)
        self.high = parameter("high", high, "a finite number above low", lambda high: (high > low,))

    def _centre_and_half(self, t):
        low, high = as_tensor(self.low, t), as_tensor(self.high, t)
        return (low + high) / 2, (high - low) / 2

    def _end(self, t):
        """The end to which the tilt by t draws the law."""
        return torch.where(t > 0, as_tensor(self.high, t), as_tensor(self.low, t))

    # Where |h t| >= 1 both are taken from that end, since c + h may cancel against it.
    def log_partition(self, t):
        centre, half = self._centre_and_half(t)
        end = self._end(t) / half
        return _piecewise(
            half * t,
            lambda x: centre / half * x + _log_sinhc(x),
            lambda x: end * x + _log_mean_exp_from_end(x),
        )

    def mean(self, t):
        centre, half = self._centre_and_half(t)
        end = self._end(t)
        return _piecewise(
            half * t,
            lambda x: centre + half * _langevin(x),
            lambda x: end + half * (2 * torch.sign(x) / torch.expm1(2 * x.abs()) - 1 / x),
        )

    def variance(self, t):
        _, half = self._centre_and_half(t)
        return half**2 * _langevin_slope(half * t)

    def conjugate(self, mean):
        centre, half = self._centre_and_half(mean)

        def inside(y):
            # within 5 % of the solution; each Newton step squares the error
            x = y * (3 - y * y) / (1 - y * y)
            for _ in range(7):  # five for the value, two for its derivatives
                x = x + (y - _langevin(x)) / _langevin_slope(x)
            return x * y - _log_sinhc(x)

        y = (mean - centre) / half
        return _on(y.abs() < 1, y, inside)

    def cumulants(self, order):
        order = check_order(order)
        low, high = exact(self.low), exact(self.high)
        return [(low + high) / 2] + [
            sympy.bernoulli(n) * (high - low) ** n / n for n in range(2, order + 1)
        ]


class Rademacher:
    """K(t) = log cosh t: X is 1 or -1, each with probability 1/2.

    K*(m) = ((1+m) log(1+m) + (1-m) log(1-m)) / 2 on [-1, 1]. Cumulants: 0, then, with the Bernoulli
    numbers B_n, kappa_n = 2^n (2^n - 1) B_n / n.

    Source: Wainwright and Jordan (2008), table 3.1, Bernoulli with values 1 and -1.
    Derived in: eight-laws

    >>> Rademacher().mean(torch.tensor(3.0, dtype=torch.float64).log())  # (3 - 1/3) / (3 + 1/3)
    tensor(0.8000, dtype=torch.float64)
    >>> Rademacher().cumulants(4)
    [0, 1, 0, -2]
    """

    def log_partition(self, t):
        return _piecewise(
            t,
            lambda t: torch.log1p(2 * torch.sinh(t / 2) ** 2),
            lambda t: t.abs() + torch.log1p(torch.exp(-2 * t.abs())) - math.log(2),
        )

    def mean(self, t):
        check_argument(t)
        return torch.tanh(t)

    def variance(self, t):
        check_argument(t)
        return 4 * torch.sigmoid(2 * t) * torch.sigmoid(-2 * t)  # 1 - tanh^2 without cancellation

    def conjugate(self, mean):
        check_argument(mean)
        return Bernoulli(0.5).conjugate((1 + mean) / 2)

    def cumulants(self, order):
        order = check_order(order)
        return [sympy.Integer(0)] + [
            2**n * (2**n - 1) * sympy.bernoulli(n) / n for n in range(2, order + 1)
        ]


class PointMass:
    """K(t) = value t: X is certain.

    K*(m) = 0 at m = value, else +inf. Cumulants: value, 0, 0, ...

    Source: the definition. Derived in: eight-laws

    >>> PointMass(3).conjugate(torch.tensor([2.0, 3.0], dtype=torch.float64))
    tensor([inf, 0.], dtype=torch.float64)
    >>> PointMass(3).cumulants(3)
    [3, 0, 0]
    """

    def __init__(self, value):
        self.value = parameter("value", value)

    def log_partition(self, t):
        return as_tensor(self.value, t) * t

    def mean(self, t):
        return as_tensor(self.value, t) + 0.0 * t

    def variance(self, t):
        return 0.0 * self.mean(t)

    def conjugate(self, mean):
        return _on(mean == as_tensor(self.value, mean), mean, lambda m: 0.0 * m)

    def cumulants(self, order):
        order = check_order(order)
        return [exact(self.value)] + [sympy.Integer(0)] * (order - 1)


class Categorical:
    """K(t) = log(sum_i p_i e^(t_i)): X is the one-hot vector e_i with probability p_i.

    These are p = softmax(logits). X, t and the mean are vectors (..., N), and the variance is
    diag(r) - r r^T, (..., N, N), at r = softmax(logits + t), which is the mean. K*(m) = sum_i m_i
    log(m_i/p_i) on the simplex; m counts as summing to one within 4 N units of rounding. The n-th
    cumulant is the SymPy array, N in each of n directions, of the joint cumulants of the
    coordinates.

    `logits` is a floating tensor (..., N), or a sequence of N numbers or SymPy expressions; -inf
    makes p_i = 0.

    Source: Wainwright and Jordan (2008), section 3; the book has the mean and the variance.
    Derived in: empirical-family, family-hessian

    >>> Categorical([0, 0]).mean(torch.tensor([1.0, 3.0], dtype=torch.float64).log())
    tensor([0.2500, 0.7500], dtype=torch.float64)
    """

    def __init__(self, logits):
        self.logits = array("logits", logits)
        if not self.logits.shape or self.logits.shape[-1] == 0:
            raise ValueError(
                f"logits have shape {tuple(self.logits.shape)}, need (..., N) with N >= 1"
            )
        if not isinstance(self.logits, Tensor):
            finite = [logit for logit in self.logits if logit != -sympy.oo]
            proper = finite and not any(fails(is_finite(logit)) for logit in finite)
        else:
            proper = self.logits.logsumexp(-1).isfinite().all()
        if not proper:
            raise ValueError(
                "logits hold NaN, +inf or what is not real, or are all -inf; they need a finite "
                "log-sum-exp"
            )

    def log_partition(self, t):
        wide = accurate(t)
        return _log_mean_exp(wide, torch.log_softmax(self._logits(wide), -1)).to(t.dtype)

    def mean(self, t):
        return torch.softmax(self._logits(t) + t, -1)

    def variance(self, t):
        p = self.mean(t)
        return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)

    def conjugate(self, mean):
        logits = self._logits(mean)
        rounding = 4 * mean.shape[-1] * torch.finfo(mean.dtype).eps
        in_simplex = (mean >= 0).all(-1) & ((mean.sum(-1) - 1).abs() <= rounding)
        log_p = torch.log_softmax(logits, -1)
        total = _on(mean >= 0, mean, lambda m: _relative_entropy(m, log_p), safe=0.5).sum(-1)
        return torch.where(in_simplex | total.isnan(), total, math.inf)

    def cumulants(self, order):
        order = check_order(order)
        if len(self.logits.shape) != 1:
            raise ValueError(
                f"logits have shape {tuple(self.logits.shape)}, need (N,) for exact cumulants"
            )
        weights = [sympy.exp(logit) for logit in map_nested(exact, self.logits.tolist())]
        weights = [weight / sum(weights) for weight in weights]
        return _joint_cumulants(sympy.eye(len(weights)).tolist(), weights, order)

    def _logits(self, t):
        logits = array_as_tensor(self.logits, t)
        if not t.ndim or t.shape[-1] != logits.shape[-1]:
            raise ValueError(
                f"argument has shape {tuple(t.shape)}, needs (..., {logits.shape[-1]})"
            )
        return logits


class Empirical:
    """K(t) = log(sum_j w_j exp(<t, x_j>)): X is the atom x_j with probability w_j.

    The weights are scaled to sum to one, so this is the log-partition of attention over the keys
    x_j with `log_weights` log w_j, for equal weights log N below the one without. The mean is that
    attention; its error is about a rounding of E |X| under the tilted law, times the largest
    modulus of a logit <t, x_j> + log w_j where that is above one. Atoms are (N,) for a real X and
    (N, d) for a vector, N >= 1; t is (...) or (..., d), the variance (...) or (..., d, d).
    `weights` (N,) are nonnegative with a positive sum, and equal where they are left out. The n-th
    cumulant of a vector X is the SymPy array, d in each of n directions, of the joint cumulants of
    its coordinates. Atoms and weights are floating tensors, or (nested) sequences of numbers or
    SymPy expressions.

    K*(m) is the least KL(q || w) over q with mean m, finite on the convex hull of the atoms with a
    positive weight. In the hull's relative interior the t that attains the supremum is a tilt with
    mean m, found by damped Newton steps in float64; on the boundary there is none. The hull is
    known up to 1e-8 of its size: a point nearer to it than that counts as on it. Derivatives in m
    are exact to third order in the interior, as long as the variance of the tilt is above 1e-12 of
    the squared size in every direction of the hull; below that the first is, and higher ones are
    zero. Where the hull is thinner than 1e-6 of its size, rounding can hide a direction from the
    steps: the value may then be too low, and the first derivative wrong. RuntimeError where 500
    steps are not enough, which now and then happens for m on the boundary, or where rounding hides
    whether m is in the hull, as it may where weights differ by large factors. The iteration depends
    on the data, so torch.func.vmap does not apply (batches of m do).

    Source: Wainwright and Jordan (2008), section 3; Sun and Tran-Dinh (2019), Mathematical
    Programming 178, 145-213, for the damped step; the book has the mean and the variance.
    Derived in: empirical-family, family-hessian

    >>> Empirical([0, 1], [1, 3]).mean(torch.tensor(0.0, dtype=torch.float64))
    tensor(0.7500, dtype=torch.float64)
    >>> Empirical([0, 1, 2]).cumulants(2)
    [1, 2/3]
    """

    def __init__(self, atoms, weights=None):
        self.atoms = array("atoms", atoms)
        if len(self.atoms.shape) not in (1, 2) or self.atoms.shape[0] == 0:
            raise ValueError(
                f"atoms have shape {tuple(self.atoms.shape)}, need (N,) or (N, d) with N >= 1"
            )
        if any(fails(is_finite(atom)) for atom in entries(self.atoms)):
            raise ValueError("atoms need to be finite")
        count = self.atoms.shape[0]
        self.weights = array("weights", [1] * count if weights is None else weights)
        if tuple(self.weights.shape) != (count,):
            raise ValueError(f"weights have shape {tuple(self.weights.shape)}, need ({count},)")
        total = self.weights.sum() if isinstance(self.weights, Tensor) else sum(self.weights)
        proper = not any(fails(is_finite(w)) or fails(w >= 0) for w in entries(self.weights))
        if not proper or fails(total > 0):
            raise ValueError("weights need to be finite and nonnegative with a positive sum")

    def log_partition(self, t):
        queries, atoms, log_weights, batch = self._as_attention(accurate(t))
        return _log_mean_exp(queries @ atoms.mT, log_weights).reshape(batch).to(t.dtype)

    def mean(self, t):
        queries, atoms, log_weights, _ = self._as_attention(t)
        return attention(queries, atoms, log_weights=log_weights).reshape(t.shape)

    def variance(self, t):
        queries, atoms, log_weights, batch = self._as_attention(t)
        covariance = attention_covariance(queries, atoms, log_weights=log_weights)
        return covariance.reshape(batch + tuple(self.atoms.shape[1:]) * 2)

    def conjugate(self, mean):
        check_argument(mean)
        means, atoms, log_weights, batch = self._as_attention(mean.double())
        present = log_weights > -math.inf
        value = hull_conjugate(means, atoms[present], log_weights[present])
        return value.reshape(batch).to(mean.dtype)

    def cumulants(self, order):
        order = check_order(order)
        weights = map_nested(exact, self.weights.tolist())
        weights = [weight / sum(weights) for weight in weights]
        if len(self.atoms.shape) == 2:
            return _joint_cumulants(map_nested(exact, self.atoms.tolist()), weights, order)
        atoms = [[atom] for atom in map_nested(exact, self.atoms.tolist())]
        arrays = _joint_cumulants(atoms, weights, order)
        return [array[(0,) * n] for n, array in enumerate(arrays, start=1)]

    def _as_attention(self, t):
        """t as queries (M, d), atoms (N, d), their log-probabilities (N,), the shape of the M."""
        check_argument(t)
        event = tuple(self.atoms.shape[1:])
        batch = tuple(t.shape[: t.ndim - len(event)])
        if tuple(t.shape) != batch + event:
            raise ValueError(f"argument has shape {tuple(t.shape)}, needs (..., {event[0]})")
        atoms, weights = array_as_tensor(self.atoms, t), array_as_tensor(self.weights, t)
        dim = event[0] if event else 1
        log_weights = torch.log(weights / weights.sum())
        return t.reshape(math.prod(batch), dim), atoms.reshape(-1, dim), log_weights, batch


def _joint_cumulants(atoms, weights, order):
    """The first `order` joint cumulants, an array each, of exact atoms (rows) and weights."""

    @cache
    def moment(index):
        return sum(
            weight * sympy.prod(atom[i] for i in index) for atom, weight in zip(atoms, weights)
        )

    @cache
    def cumulant(index):
        """The moment less cumulant times moment, over the proper subsets with the first index."""
        first, *rest = index
        total = moment(index)
        for size in range(len(rest)):
            for chosen in combinations(range(len(rest)), size):
                others = tuple(rest[i] for i in range(len(rest)) if i not in chosen)
                total -= cumulant((first, *(rest[i] for i in chosen))) * moment(others)
        return sympy.factor(total)

    dim = len(atoms[0])

    def array(n):
        indices = product(range(dim), repeat=n)
        return sympy.Array([cumulant(tuple(sorted(index))) for index in indices], (dim,) * n)

    return [array(n) for n in range(1, order + 1)]


def _log_mean_exp(scores, log_weights):
    """log(sum_j w_j e^(s_j)) for weights that sum to one.

    Near s = 0 it is a + log(1 + sum_j w_j (e^(y_j) - 1 - y_j)) with a = sum_j w_j s_j and y = s -
    a, where no term but a can be negative: its error is a rounding of sum_j w_j |s_j|.
    """
    weights = log_weights.exp()
    spread = scores - (weights * scores).sum(-1, keepdim=True)
    near = ((spread > -math.inf) & (spread < 20)).all(-1)
    s = torch.where(near.unsqueeze(-1), scores, 0.0)
    a = (weights * s).sum(-1, keepdim=True)
    excess = (weights * _exp_beyond_first_order(s - a)).sum(-1)
    far = torch.logsumexp(scores + log_weights, -1)
    return torch.where(near, a.squeeze(-1) + torch.log1p(excess), far)


def _exp_beyond_first_order(x):
    """e^x - 1 - x."""
    return _piecewise(x, lambda x: x * x * _polynomial(_EXP[2:], x), lambda x: torch.expm1(x) - x)


def _relative_entropy(m, log_p):
    """m log(m / p), with 0 log 0 = 0; +inf where m < 0."""
    return -torch.special.entr(m) - m * torch.where(m == 0, 0.0, log_p)


def _on(domain, x, formula, otherwise=math.inf, safe=0.0):
    """formula(x) on the domain and `otherwise` off it; NaN stays NaN.

    The formula sees a safe argument off the domain: where() alone would let its NaN gradients
    through.
    """
    off = ~domain & ~x.isnan()
    return torch.where(off, otherwise, formula(torch.where(off, safe, x)))


def _piecewise(x, near, far):
    """near(x) for |x| < 1 and far(x) elsewhere, each computed on its own side only."""
    check_argument(x)
    is_near = x.abs() < 1
    value = near(torch.where(is_near, x, 0.0))
    return torch.where(is_near, value, far(torch.where(is_near, 1.0, x)))


_EXP = [1 / math.factorial(k) for k in range(21)]  # e^x in powers of x, to rounding for |x| < 1
# sinh(x) / x in powers of x^2, to rounding for |x| < 1
_SINHC = [1 / math.factorial(2 * k + 1) for k in range(11)]


def _polynomial(coefficients, y):
    value = torch.zeros_like(y)
    for coefficient in reversed(coefficients):
        value = value * y + coefficient
    return value


def _log_sinhc(x):
    """log(sinh(x) / x)."""
    return _piecewise(
        x,
        lambda x: torch.log1p(x * x * _polynomial(_SINHC[1:], x * x)),
        lambda x: x.abs() + _log_mean_exp_from_end(x),
    )


def _log_mean_exp_from_end(x):
    """log(sinh(x) / x) - |x|, for |x| of ordinary size."""
    return torch.log(-torch.expm1(-2 * x.abs())) - math.log(2) - torch.log(x.abs())


def _langevin(x):
    """coth x - 1/x, the derivative of log(sinh(x) / x)."""
    slopes = [k * c for k, c in enumerate(_SINHC)][1:]
    return _piecewise(
        x,
        lambda x: 2 * x * _polynomial(slopes, x * x) / _polynomial(_SINHC, x * x),
        lambda x: 1 / torch.tanh(x) - 1 / x,
    )


def _langevin_slope(x):
    """1/x^2 - 1/sinh(x)^2, the derivative of coth x - 1/x."""
    # the second derivative of sinh(x) / x
    odd = [(2 * k + 1) * 2 * (k + 1) * c for k, c in enumerate(_SINHC[1:])]
    return _piecewise(
        x,
        lambda x: _polynomial(odd, x * x) / _polynomial(_SINHC, x * x) - _langevin(x) ** 2,
        lambda x: 1 / (x * x) - 4 * torch.exp(-2 * x.abs()) / torch.expm1(-2 * x.abs()) ** 2,
    )
