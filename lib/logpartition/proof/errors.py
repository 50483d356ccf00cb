"""What can go wrong in a proof, each said in one paragraph: the step, both sides, and a
counterexample where there is one."""

import re
from string import ascii_letters

INNER = re.compile(r"(?<![A-Za-z0-9_}])_\d+_\d+(?!\w)")  # a bound variable in canonical form
LETTERS = (*"jlmnabcruvwk", *ascii_letters)


class ProofError(Exception):
    """A step that is not a proof. Jupyter shows the message alone."""

    def __init__(self, message=""):
        super().__init__(lettered(str(message)))

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class IllFormed(ProofError):
    """The statement says nothing definite: a free index, a shape that does not fit, a condition
    that nobody stated."""


class Refuted(ProofError):
    """The numeric route found a point of the domain where the statement is false."""

    def __init__(self, message, counterexample=None):
        super().__init__(message)
        self.counterexample = counterexample


class Undecided(ProofError):
    """No counterexample was found, and no symbolic proof either."""


class Unfalsifiable(ProofError):
    """The check accepts statements that it ought to reject, so it checks nothing."""


def lettered(message):
    """A message whose bound variables have letters, as an author writes them."""
    inner = dict.fromkeys(INNER.findall(message))
    taken = set(re.findall(r"[A-Za-z]\w*", message))
    letters = (letter for letter in LETTERS if letter not in taken)
    table = dict(zip(inner, letters))
    return INNER.sub(lambda found: table.get(found[0], found[0]), message)
