"""Parameters of a law: numbers, SymPy expressions or tensors, seen as tensors or as exact."""

from numbers import Real

import sympy
import torch
from torch import Tensor


def parameter(name, value, need="a finite number", conditions=lambda value: ()):
    """The value of a named parameter as given, if it is real and finite and meets conditions."""
    if isinstance(value, Tensor):
        if not value.is_floating_point():
            raise TypeError(f"{name} has dtype {value.dtype}, needs a floating dtype")
    elif not isinstance(value, (Real, sympy.Expr)):
        raise TypeError(
            f"{name} is a {type(value).__name__}, "
            "needs a number, a SymPy expression or a floating tensor"
        )
    if fails(is_finite(value)) or any(map(fails, conditions(value))):
        raise ValueError(f"{name} is {value}, needs to be {need}")
    return value


def positive(name, value):
    return parameter(name, value, "positive and finite", lambda value: (value > 0,))


def fails(condition):
    """Whether a condition is false; one that SymPy leaves open, as p < 1 for a symbol p, is not."""
    if isinstance(condition, Tensor):
        return not condition.all()
    return condition == False  # noqa: E712


def is_finite(value):
    """Whether a number is real and finite, as far as SymPy can tell; of a tensor, which are."""
    if isinstance(value, Tensor):
        return value.isfinite()
    value = sympy.sympify(value)
    return value is not sympy.nan and value.is_finite is not False and value.is_real is not False


def check_argument(t):
    if not isinstance(t, Tensor):
        raise TypeError(f"argument is a {type(t).__name__}, needs a floating tensor")
    if not t.is_floating_point():
        raise TypeError(f"argument has dtype {t.dtype}, needs a floating dtype")


def accurate(t):
    """The argument in float32 at least, in which sums of many terms are made."""
    check_argument(t)
    return t.to(torch.promote_types(t.dtype, torch.float32))


def as_tensor(parameter, t):
    """A parameter as a tensor that goes with the argument t."""
    check_argument(t)
    return (
        parameter
        if isinstance(parameter, Tensor)
        else torch.tensor(_float(parameter), dtype=t.dtype, device=t.device)
    )


def array_as_tensor(array, t):
    check_argument(t)
    return (
        array.to(t)
        if isinstance(array, Tensor)
        else torch.tensor(map_nested(_float, array.tolist()), dtype=t.dtype, device=t.device)
    )


def array(name, values):
    """A floating tensor as it is, or a (nested) sequence as an exact SymPy array."""
    if not isinstance(values, Tensor):
        values = sympy.Array(values)
        return values.applyfunc(exact) if len(values) else values  # SymPy maps no empty array
    if not values.is_floating_point():
        raise TypeError(f"{name} has dtype {values.dtype}, needs a floating dtype")
    return values


def entries(values):
    """The expressions in an array; a tensor stands for all of its elements at once."""
    return [values] if isinstance(values, Tensor) else sympy.flatten(values.tolist())


def _float(value):
    try:
        return float(value)
    except TypeError:
        raise TypeError(f"{value} is symbolic, needs a number, except for cumulants") from None


def exact(value):
    """A number as SymPy's exact value of it."""
    if isinstance(value, Tensor):
        if value.numel() != 1:
            raise ValueError(
                f"a parameter has shape {tuple(value.shape)}, needs one element for exact cumulants"
            )
        value = value.item()
    value = sympy.sympify(value)
    return sympy.Rational(value) if value.is_Float and value.is_finite else value


def map_nested(function, nested):
    if isinstance(nested, list):
        return [map_nested(function, item) for item in nested]
    return function(nested)
