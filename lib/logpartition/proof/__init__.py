"""Statements and their evidence: with this package, one writes a derivation whose every line is decided when it is written."""

from .errors import IllFormed, ProofError, Refuted, Undecided, Unfalsifiable
from .language import Index, Named, Size, array, indices, inverse, named, sizes, unfold
from .evaluate import value_at
from .results import Result, cite, derive, earlier, induction, instance, observe, observe_rate, refute

__all__ = ["IllFormed", "Index", "Named", "ProofError", "Refuted", "Result", "Size", "Undecided", "Unfalsifiable", "array", "cite", "derive",
           "earlier", "indices", "induction", "instance", "inverse", "named", "observe", "observe_rate", "refute", "sizes", "unfold",
           "value_at"]
