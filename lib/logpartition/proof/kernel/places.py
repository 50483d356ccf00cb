"""What stands in the places of names such as x_{j + 1}, f(2x) and G(q + t u), read as it is shown:
to compare two names that look like entries of one array, or like values of one function."""

from sympy import Add, Expr, Mul, S, Symbol

from ..language import Array
from ..names import ALPHABET, entry, tokens
from .terms import free


def table_of(there, here, letters):
    """What comes into the places of one name to make another one of it, {letter: value}, where
    places are (arguments, indices). None where the one is no rule for the other, as its places are
    labels, or the other's are of another kind; False where nobody can say."""
    table = {}
    pairs = [(False, *pair) for pair in zip(there[0], here[0])]
    pairs += [(True, *pair) for pair in zip(there[1], here[1])]
    for below, place, text in pairs:
        old = letters.get(place)
        if place.isdigit() and place == text:
            continue
        if not isinstance(old, (Symbol, Array)) or old in table or below and not old.is_integer:
            return None
        terms = read(text, letters)
        if terms is None and (isinstance(old, Symbol) or text in ALPHABET):
            return False
        table[old] = terms and placed(terms, old)
        if table[old] is None:
            return None
    return table


def read(text, letters):
    """The terms of a sum such as 2x - y, each as its factors; None where it is something else."""
    terms = [[S.One]]
    for token in tokens(text, letters):
        if token in ("+", "-"):
            terms.append([S.One if token == "+" else S.NegativeOne])
        elif token.isdigit() or token in letters:
            terms[-1].append(S(int(token)) if token.isdigit() else letters[token])
        else:
            return None
    terms = terms[len(terms) > 1 == len(terms[0]) :]  # a sign at the beginning
    return terms if all(len(term) > 1 for term in terms) else None


def placed(terms, old):
    """The sum as a value of a letter: for an array a function of the indices, of arrays as large;
    None where it is of another kind."""
    if not all(isinstance(x, Expr) for term in terms for x in term):
        return None
    arrays = [[x for x in term if isinstance(x, Array)] for term in terms]
    if isinstance(old, Symbol):
        return None if any(arrays) else Add(*(Mul(*term) for term in terms))
    alike = all([x.shape for x in found] == [old.shape] for found in arrays)
    if not alike and terms != [[S.One, S.Zero]]:
        return None

    def entry(*places):
        return Add(*(Mul(*(x[places] if isinstance(x, Array) else x for x in t)) for t in terms))

    entry.mentions = frozenset().union(*(free(x) for term in terms for x in term))
    return entry


def arguments(name, letters):
    """What a name looks like a value at, as G(q, 2u): the letters that are an argument alone, and
    the shapes of the arrays in the others, which are those of all where one cannot be read."""
    look, alone, shapes = entry(name), set(), set()
    for text in look[1] if look else ():
        terms = read(text, letters)
        known = letters.values() if terms is None else [x for term in terms for x in term]
        alone |= {letters[text]} if text in letters else set()
        shapes |= {x.shape for x in known if isinstance(x, Array)}
    return alone, shapes
