"""Log-partition functions, attention as their gradient, the laws they generate, flows they drive.

Names are imported when they are first used, so that `logpartition.proof` needs no PyTorch.
"""

import sys
from importlib import import_module
from types import ModuleType

_MODULES = {
    "attention": ("attention", "attention_covariance", "directional_cumulants", "log_partition"),
    "dynamics": (
        "Flow",
        "ascend",
        "circle_attention",
        "layer_norm",
        "sphere_flow",
        "sphere_step",
        "standardized_flow",
    ),
    "families": (
        "Bernoulli",
        "Categorical",
        "Empirical",
        "Exponential",
        "Gaussian",
        "Laplace",
        "PointMass",
        "Poisson",
        "Rademacher",
        "Uniform",
    ),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name):
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, *_MODULES})


class _Package(ModuleType):
    def __setattr__(self, name, value):
        """A submodule, when it is imported, does not hide the function of its name: attention."""
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
