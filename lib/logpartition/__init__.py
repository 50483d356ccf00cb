"""Log-partition functions, the attention that is their gradient, and the flows that it drives."""

from .attention import attention, attention_covariance, directional_cumulants, log_partition
from .dynamics import Flow, ascend, circle_attention, layer_norm, sphere_flow, sphere_step, standardized_flow

__all__ = ["Flow", "ascend", "attention", "attention_covariance", "circle_attention", "directional_cumulants", "layer_norm",
           "log_partition", "sphere_flow", "sphere_step", "standardized_flow"]
