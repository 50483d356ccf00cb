"""What arguments have to be; an error names the argument, what it has and what it needs."""

import math
from numbers import Integral, Real

import torch
from torch import Tensor


def check_attention(queries, keys, values, beta, log_weights, mask):
    """beta as a float; TypeError or ValueError where the arguments do not fit each other."""
    check_tensor("queries", queries, None, 2)
    check_tensor("keys", keys, queries, 2)
    (length, dim), count = queries.shape[-2:], keys.shape[-2]
    needs = {"keys": (keys, f"(..., N, {dim})", keys.shape[-1] == dim)}
    if values is not None:
        check_tensor("values", values, queries, 2)
        needs["values"] = values, f"(..., {count}, e)", values.shape[-2] == count
    if log_weights is not None:
        check_tensor("log_weights", log_weights, queries, 1)
        needs["log_weights"] = log_weights, f"(..., {count})", log_weights.shape[-1] == count
    if mask is not None:
        check_tensor("mask", mask, queries, 0, or_boolean=True)
        rows, columns = (1, 1, *mask.shape)[-2:]
        fits = rows in (1, length) and columns in (1, count)
        needs["mask"] = mask, f"one that broadcasts to (..., {length}, {count})", fits
    for name, (x, need, fits) in needs.items():
        if not fits:
            raise ValueError(f"{name} has shape {tuple(x.shape)}, needs {need}")
    leading = {"queries": queries.shape[:-2]} | {
        name: x.shape[:-1] if name == "log_weights" else x.shape[:-2]
        for name, (x, _, _) in needs.items()
    }
    check_leading(leading)
    return _check_beta(beta, torch.promote_types(queries.dtype, torch.float32))


def check_leading(shapes):
    try:
        torch.broadcast_shapes(*shapes.values())
    except RuntimeError:
        listed = ", ".join(f"{name} {tuple(shape)}" for name, shape in shapes.items())
        raise ValueError(f"leading dimensions do not broadcast: {listed}") from None


def check_integer(name, value, least):
    """The value as an int: NumPy's and SymPy's integers are integers, booleans are not."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} is {value!r}, needs an integer")
    if value < least:
        raise ValueError(f"{name} is {value}, needs at least {least}")
    return int(value)


def check_order(order):
    return check_integer("order", order, 1)


def check_number(name, value, hint=""):
    """The value as a float that is positive and finite."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is a {type(value).__name__}, needs a number{hint}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise ValueError(f"{name} is {value}, needs to be positive and finite")
    return number


def _check_beta(beta, dtype):
    number = check_number("beta", beta, "; to differentiate in it, scale the queries")
    limits = torch.finfo(dtype)
    if not limits.tiny * limits.eps <= number <= limits.max:
        raise ValueError(f"beta is {beta}, needs to be positive and finite in {dtype}")
    return number


def check_tensor(name, x, queries, ndim, *, or_boolean=False):
    """Needs a floating tensor of ndim dimensions or more, like the queries in dtype and device."""
    kinds = "a floating tensor, or a boolean one" if or_boolean else "a floating tensor"
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} is a {type(x).__name__}, needs {kinds}")
    if not (x.is_floating_point() or or_boolean and x.dtype == torch.bool):
        raise TypeError(f"{name} has dtype {x.dtype}, needs {kinds}")
    if queries is not None and x.dtype not in (queries.dtype, torch.bool):
        raise TypeError(f"{name} has dtype {x.dtype}, needs {queries.dtype}, that of queries")
    if queries is not None and x.device != queries.device:
        raise ValueError(f"{name} is on {x.device}, needs {queries.device}, the device of queries")
    if x.ndim < ndim:
        raise ValueError(f"{name} has shape {tuple(x.shape)}, needs {ndim} dimensions or more")
