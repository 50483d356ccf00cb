"""Statements and their evidence: with this package, one writes a derivation whose every line is
decided when it is written."""

from .chain import derive
from .earlier import earlier
from .errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from .induction import induction
from .instance import instance
from .language import (
    Index,
    Size,
    Total,
    array,
    function,
    indices,
    inverse,
    named,
    sizes,
    unfold,
)
from .numeric.evaluate import value_at
from .observe import observe, observe_bound, observe_rate
from .record import Result
from .refute import refute
from .tactics.reasons import (
    average,
    by,
    definition,
    differentiate,
    induction_on,
    integrate,
    rearrange,
    sum_series,
    sum_states,
    take_limit,
)
from .tensors import (
    along,
    covariance,
    diag,
    grad,
    hessian,
    identity,
    mean,
    norm2,
    outer,
    total,
    trace,
)
from .words import cite, theorem

__all__ = [
    "IllFormed",
    "Index",
    "ProofError",
    "Refuted",
    "Result",
    "Size",
    "Total",
    "Undecided",
    "Unfalsifiable",
    "along",
    "array",
    "average",
    "by",
    "cite",
    "covariance",
    "definition",
    "derive",
    "diag",
    "differentiate",
    "earlier",
    "function",
    "grad",
    "hessian",
    "identity",
    "indices",
    "induction",
    "induction_on",
    "instance",
    "integrate",
    "inverse",
    "mean",
    "named",
    "norm2",
    "observe",
    "observe_bound",
    "observe_rate",
    "outer",
    "rearrange",
    "refute",
    "sizes",
    "sum_series",
    "sum_states",
    "take_limit",
    "theorem",
    "total",
    "trace",
    "unfold",
    "value_at",
]
