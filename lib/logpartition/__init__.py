"""Log-partition functions and the attention that is their gradient."""

from .attention import attention, attention_covariance, directional_cumulants, log_partition

__all__ = ["attention", "attention_covariance", "directional_cumulants", "log_partition"]
