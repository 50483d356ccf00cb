"""Log-partition functions and the attention that is their gradient."""

from .attention import attention, attention_covariance, directional_cumulants, log_partition
from .families import (
    Bernoulli, Categorical, Empirical, Exponential, Gaussian, Laplace, PointMass, Poisson, Rademacher, Uniform)

__all__ = [
    "Bernoulli", "Categorical", "Empirical", "Exponential", "Gaussian", "Laplace", "PointMass", "Poisson", "Rademacher",
    "Uniform", "attention", "attention_covariance", "directional_cumulants", "log_partition",
]
