"""What functions ask of their arguments. Errors name the argument, what it had, what it needs."""

import math
from numbers import Integral, Real

import torch
from torch import Tensor


def check_tensors(**tensors):
    """Floating tensors, of the dtype and on the device of the first."""
    (first, reference), *_ = tensors.items()
    for name, x in tensors.items():
        if not isinstance(x, Tensor):
            raise TypeError(f"{name} is a {type(x).__name__}, needs a floating tensor")
        if not x.is_floating_point():
            raise TypeError(f"{name} has dtype {x.dtype}, needs a floating dtype")
        if x.dtype != reference.dtype:
            raise TypeError(f"{name} has dtype {x.dtype}, needs {reference.dtype}, that of {first}")
        if x.device != reference.device:
            device = reference.device
            raise ValueError(f"{name} is on {x.device}, needs {device}, the device of {first}")


def check_shape(name, x, *sizes):
    """The last dimensions of x: numbers are sizes, small letters any sizes, capitals any but 0."""

    def fits(size, need):
        return size == need if isinstance(need, int) else size > 0 or need.islower()

    if x.ndim < len(sizes) or not all(map(fits, x.shape[x.ndim - len(sizes) :], sizes)):
        needs = ", ".join(["...", *map(str, sizes)])
        least = [f"{need} >= 1" for need in sizes if isinstance(need, str) and need.isupper()]
        with_least = f" with {', '.join(least)}" if least else ""
        raise ValueError(f"{name} has shape {tuple(x.shape)}, needs ({needs}){with_least}")


def check_leading(**shapes):
    """Leading dimensions that broadcast."""
    try:
        return torch.broadcast_shapes(*shapes.values())
    except RuntimeError:
        found = ", ".join(f"{name} {tuple(shape)}" for name, shape in shapes.items())
        raise ValueError(f"leading dimensions do not broadcast: {found}") from None


def check_positive(**numbers):
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{name} is a {type(value).__name__}, needs a number")
        if not 0 < _float(value) < math.inf:
            raise ValueError(f"{name} is {value}, needs to be positive and finite")


def check_count(least, **counts):
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(f"{name} is {value!r}, needs an integer")
        if value < least:
            raise ValueError(f"{name} is {value}, needs at least {least}")


def _float(value):
    try:
        return float(value)
    except OverflowError:
        return math.inf
