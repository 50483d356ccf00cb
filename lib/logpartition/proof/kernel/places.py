"""What stands below the line or in brackets in names such as x_j, f(2x) and G(q + t u), read as the
page shows it: to compare two that look like entries of one array, or values of one function."""

from sympy import Add, Expr, Mul, S, Symbol

from ..language import Array
from ..names import ALPHABET, UPRIGHT, entry, flat, tokens
from .terms import free

SIGNED = {"+": S.One, "-": S.NegativeOne}
MOST = 100  # terms of a product in a place, written out


def table_of(there, here, letters):
    """What comes into the places of one name to make another one of it, {letter: value}, where
    places are (arguments, indices). None where the one is no rule for the other, as its places are
    labels, or the other's are of another kind; False where nobody can say."""
    rule = _Rule(letters)
    told = rule.table(there, here)
    return rule.values if told else told


class _Rule:
    """What stands for each letter in the places of one name, read beside those of another."""

    def __init__(self, letters):
        self.letters, self.texts, self.values = letters, {}, {}

    def table(self, there, here):
        """Whether all places are read; None or False as in `table_of`."""
        if len(there[1]) == 1 and "".join(here[1]).isdigit():  # m_{12} beside m_{j}
            here = here[0], ("".join(here[1]),)
        if [*map(len, there)] != [*map(len, here)]:
            return None
        for below in (False, True):
            for place, text in zip(there[below], here[below]):
                if (told := self.into(below, place, text)) is not True:
                    return told
        return True

    def into(self, below, place, text):
        """Whether it is known what the text has where the place has letters; None or False as in
        `table_of`."""
        look, shown = flat(place), flat(text)
        old = self.letters.get(look)
        if not isinstance(old, (Symbol, Array)):
            return self.inside(below, place, text)
        if self.texts.setdefault(look, shown) != shown:
            return None
        if look == shown:
            return True
        if not any(map(str.isalnum, shown)):  # x_{+} is no entry
            return None
        if below and not old.is_integer:
            return None
        terms = read(shown, self.letters)
        if terms is None and (isinstance(old, Symbol) or shown in ALPHABET):
            return False
        self.values[old] = terms and placed(terms, old)
        return None if self.values[old] is None else True

    def inside(self, below, place, text):
        """The same of a place that is no letter, such as x_{j} in a norm: letter by letter."""
        one, other = entry(place), entry(text)
        if one and other and one[0] == other[0]:
            return self.table(one[1:], other[1:])
        one, other = (self.items(words) for words in (place, text))
        if len(one) != len(other):
            return None
        for a, b in zip(one, other):
            known = isinstance(self.letters.get(a), (Symbol, Array))
            if (told := self.into(below, a, b) if known else a == b or None) is not True:
                return told if b in ALPHABET else None
        return True

    def items(self, text):
        """The tokens of a place, in which a word in upright type is one."""
        words = UPRIGHT.findall(text)
        rest = [tokens(flat(part), self.letters) for part in UPRIGHT.split(text)]
        pairs = zip(rest, [[word] for word in words] + [[]])
        return [token for pair in pairs for part in pair for token in part]


def read(text, letters):
    """The terms of a sum such as 2x - y or 2 (x + 1), each as its factors; None where it is
    something else."""
    rest = tokens(flat(text), letters)[::-1]
    terms = _sum(rest, letters)
    return None if rest else terms


def _sum(rest, letters):
    """The terms up to the bracket that closes, of tokens that are taken from the end of `rest`."""
    terms, sign = [], S.One
    while not terms or rest and rest[-1] in SIGNED:
        if rest and rest[-1] in SIGNED:
            sign = SIGNED[rest.pop()]
        product = [[sign]]
        while rest and rest[-1] not in (*SIGNED, ")", "]"):
            token, factor = rest.pop(), None
            if token.isdigit() or token in letters:
                factor = [[S(int(token)) if token.isdigit() else letters[token]]]
            elif token in ("(", "["):
                factor = _sum(rest, letters)
                factor = factor if rest and rest.pop() in (")", "]") else None
            if factor is None or len(product) * len(factor) > MOST:
                return None
            product = [one + other for one in product for other in factor]
        if product == [[sign]]:
            return None
        terms += product
    return terms


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
    the shapes of the arrays in all arguments, or of all arrays where one cannot be read."""
    look, alone, shapes = entry(name), set(), set()
    for text in look[1] if look and "()" in look[0] else ():  # a norm is no value
        terms = read(text, letters)
        known = letters.values() if terms is None else [x for term in terms for x in term]
        alone |= {letters[flat(text)]} if flat(text) in letters else set()
        shapes |= {x.shape for x in known if isinstance(x, Array)}
    return alone, shapes


def shown_in(name, letters):
    """The letters that a name shows, but for those of words in upright type."""
    found = tokens(flat(UPRIGHT.sub("", name)), letters)
    return {letters[token] for token in found if token in letters}
