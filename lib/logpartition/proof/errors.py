"""What can go wrong in a proof, each said in one paragraph: the step, both sides, and a
counterexample where there is one."""


class ProofError(Exception):
    """A step that is not a proof. Jupyter shows the message alone."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class IllFormed(ProofError):
    """The statement says nothing definite: a free index, a shape that does not fit, a condition
    that nobody stated."""


class Refuted(ProofError):
    """The statement is false, or a side of it has no value: at a point of the domain, modulo a
    prime, or by a measurement."""

    def __init__(self, message, counterexample=None):
        super().__init__(message)
        self.counterexample = counterexample


class Undecided(ProofError):
    """Not refuted and not decided: no symbolic proof, or a point at which numbers say nothing."""


class Unfalsifiable(ProofError):
    """The check accepts statements that it ought to reject, so it checks nothing."""
