"""Log-partition functions, the attention that is their gradient, the laws that they generate, and the flows that it drives."""

from .attention import attention, attention_covariance, directional_cumulants, log_partition
from .dynamics import Flow, ascend, circle_attention, layer_norm, sphere_flow, sphere_step, standardized_flow
from .families import (Bernoulli, Categorical, Empirical, Exponential, Gaussian, Laplace, PointMass, Poisson, Rademacher,
                       Uniform)

__all__ = ["Bernoulli", "Categorical", "Empirical", "Exponential", "Flow", "Gaussian", "Laplace", "PointMass", "Poisson",
           "Rademacher", "Uniform", "ascend", "attention", "attention_covariance", "circle_attention",
           "directional_cumulants", "layer_norm", "log_partition", "sphere_flow", "sphere_step", "standardized_flow"]
