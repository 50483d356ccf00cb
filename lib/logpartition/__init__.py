"""Log-partition functions and the attention that is their gradient."""
