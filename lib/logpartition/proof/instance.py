"""A result at particular values of its symbols and arrays."""

from sympy import Derivative, Eq, Expr, Gt, Indexed, Le, Ne, Symbol, sympify
from sympy.logic.boolalg import BooleanAtom

from .errors import IllFormed, ProofError
from .kernel.context import KINDS, RELATIONS, domain_facts, elaborate, general, kind
from .kernel.normal import Normal
from .kernel.terms import demand_honest, free, says, substitute
from .kernel.theorem import missing_of, prove
from .language import Array, Index, Size, unfold
from .printer import with_letters
from .record import Result
from .tensors import fresh_index, lengths


class Instance(Result):
    """The statement of a result at some values, under what its hypotheses become there. An index
    runs as far as it does in the result, or in the values."""

    seconds, ranges = 0.0, ()

    def __init__(self, of, values, statement, facts, ranges):
        self.of, self.values = of, values
        self.label, self.record = of.label, of.record
        self.statement, self.facts, self.ranges = statement, facts, ranges


def instance(result, values):
    """A result at values of its symbols and arrays: `instance(tangent, {t: x - y})`,
    `instance(jensen, {p: lambda j: w[j]})`.

    Its hypotheses, and what the types of the symbols say of the values, are proved here, or
    become hypotheses of what uses the instance.
    """
    if not isinstance(result, Result):
        raise TypeError(f"result: got {result!r}, needs a result of this package")
    if not isinstance(values, dict):
        raise TypeError(f"{result.label}. values: got {values!r}, needs {{symbol: value}}")
    if result.statement is None:
        raise IllFormed(f"{result.label}: it is said in words, so it has no symbols to replace")
    table = {old: _value(result.label, old, new) for old, new in values.items()}
    _demand_about(result, table)
    _demand_no_length(result, table)
    _demand_apart(result, table)
    _demand_definitions(result, table)
    _demand_names_under_derivatives(result, table)
    statement, *owed = (
        r.func(*(substitute(unfold(x), table) for x in r.args), evaluate=False)
        for r in (result.statement, *result.facts)
    )
    ranges = _ranges(result, table)
    for old, new in table.items():
        symbols = (x for r in (statement, *owed) for x in r.atoms(Symbol))
        taken = {str(x) for x in (*ranges, *symbols)}
        facts, places = _membership(result.label, old, new, table, taken)
        owed += facts
        ranges |= places
    facts = tuple(f for f in owed if not _holds(f, tuple(ranges.items())))
    _demand_full(result, table, statement, facts, ranges)
    left = _indices(statement, *facts)
    ranges = tuple((i, n) for i, n in ranges.items() if i in left)
    return Instance(result, table, statement, facts, ranges)


def _value(label, old, new):
    if isinstance(old, Array):
        if not callable(new):
            raise IllFormed(f"{label}: {old} is an array; give its entries, {old}: lambda j: …")
        return _entries(label, old, new)
    if not isinstance(old, Symbol) or isinstance(old, (Index, Size)):
        raise IllFormed(
            f"{label}: {old} is not a number that varies by itself, so it has no value to take"
        )
    return unfold(_number(label, old, new))


def _number(label, old, new):
    """A value as an expression."""
    if isinstance(new, (Expr, int, float)) and not isinstance(new, (bool, Array)):
        demand_honest(new := sympify(new))
        return new
    raise IllFormed(f"{label}: the value of {old} is an expression, not {new}")


def _entries(label, old, new):
    """The entries of an array as a function of the indices that mentions what it depends on."""
    probes = tuple(
        Index(f"place{n}of{old.label}", integer=True, positive=True) for n in range(len(old.shape))
    )
    try:
        body = new(*probes)
    except TypeError as error:
        raise IllFormed(f"{label}: {old} has {len(probes)} indices: {error}") from None
    body = unfold(_number(label, old, body))

    def entry(*places):
        return substitute(body, dict(zip(probes, places)))

    entry.mentions = free(body) - set(probes)
    entry.probes = probes
    return entry


def _demand_about(result, table):
    """Every symbol that gets a value occurs in the result."""
    sides = (side for r in (result.statement, *result.facts) for side in r.args)
    about = set().union(*(free(unfold(side)) for side in sides))
    if other := [str(old) for old in table if old not in about]:
        raise IllFormed(f"{result.label}: {other[0]} does not occur in it, so it takes no value")


def _demand_no_length(result, table):
    """No symbol in the length of an array gets a value: the array keeps its length."""
    sides = (unfold(side) for r in (result.statement, *result.facts) for side in r.args)
    arrays = sorted(set().union(*(side.atoms(Array) for side in sides)), key=str)
    found = [(f"the length of {a}", n) for a in arrays for n in a.shape]
    found += [(f"how far {i} runs", n) for i, n in result.ranges]
    for words, length in found:
        if taken := sorted(map(str, free(length) & set(table))):
            raise IllFormed(
                f"{result.label}: {words} depends on {taken[0]}, so {taken[0]} takes no value; "
                "derive the result for the value"
            )


def _demand_apart(result, table):
    """No value depends on an index for all of whose values a hypothesis of the result is meant."""
    coming = _coming(table)
    for f in result.facts:
        varies = general(*(unfold(side) for side in f.args))
        for v in sorted((varies | _indices(f)) & coming, key=str):
            raise IllFormed(
                f"{result.label}: the hypothesis {f} is meant for all {v}, which a value "
                "mentions; write another letter there"
            )
        for v in sorted(varies & set(table), key=str):
            raise IllFormed(
                f"{result.label}: the hypothesis {f} is meant for all {v}, so {v} takes no value; "
                "derive the result for the value"
            )


def _coming(table):
    """What the values mention."""
    return frozenset().union(
        *(new.mentions if callable(new) else free(new) for new in table.values())
    )


def _indices(*relations):
    """The indices that are free in some relations."""
    found = set().union(*(free(unfold(side)) for r in relations for side in r.args))
    return {i for i in found if isinstance(i, Index)}


def _demand_definitions(result, table):
    """What a hypothesis defines stays defined where a derivative is taken of it: at a value it
    would be one number, whose derivative is 0."""
    targets = {getattr(f.lhs, "base", f.lhs) for f in result.facts if isinstance(f, Eq)}
    sides = [unfold(x) for r in (result.statement, *result.facts) for x in r.args]
    for derivative in sorted(set().union(*(x.atoms(Derivative) for x in sides)), key=str):
        if targets & free(derivative.expr):
            variables = {getattr(v, "base", v) for v, _ in derivative.variable_count}
            for v in sorted((targets | variables) & (set(table) | _coming(table)), key=str):
                raise IllFormed(
                    f"{result.label}: {derivative} is of what a hypothesis defines, so no value is "
                    f"put in the place of {v}, and none mentions it; derive the result for the "
                    "value"
                )


def _ranges(result, table):
    """How far each index runs in the result, and in what the values mention."""
    found = dict(result.ranges)
    for new in table.values():
        probes, value = (new.probes, new(*new.probes)) if callable(new) else ((), new)
        for i, ends in lengths(value).items():
            for n in sorted(ends, key=str) if i not in probes else ():
                if found.setdefault(i, n) != n:
                    raise IllFormed(
                        f"{result.label}: the index {i} runs to {found[i]} there, and to {n} in a "
                        "value; write another letter in the value"
                    )
    return found


def _demand_full(result, table, statement, facts, ranges):
    """An index that stands in the statement no longer, or that a value brought to the hypotheses
    alone, has a value: else the instance says something where the result says nothing."""
    left = _indices(result.statement) | _coming(table) & _indices(*facts)
    for i in sorted(left - _indices(statement), key=str):
        if i not in ranges or not says(ranges[i] - 1, "nonnegative"):
            raise IllFormed(
                f"{result.label}: at these values the index {i} is left out of the statement, and "
                f"it may have no value, as it runs to {ranges.get(i, 'no length that is known')}; "
                "put in values that keep it there"
            )


def _demand_names_under_derivatives(result, table):
    """A derivative in an entry is one in an entry of another array, one for one, or stays."""
    sides = [unfold(x) for r in (result.statement, *result.facts) for x in r.args]
    for derivative in set().union(*(x.atoms(Derivative) for x in sides)):
        for variable, _ in derivative.variable_count:
            base = variable.base if isinstance(variable, Indexed) else None
            if base in table:
                entry = table[base](*table[base].probes)
                if not isinstance(entry, Indexed) or entry.indices != table[base].probes:
                    raise IllFormed(
                        f"{result.label}: a derivative is taken in the entries of {base}, so what "
                        f"takes their place has to be the entries of an array, not {entry}"
                    )


def _membership(label, old, new, table, taken):
    """What is assumed of a symbol, or of the entries of an array, said of its value, for indices
    whose letters are not taken; and how far these run."""
    if isinstance(old, Array):
        if old.domain not in ("real", "positive", "nonnegative", "simplex", "sphere"):
            raise IllFormed(f"{label}: {old} is {old.domain}, so no other entries can be put in")
        names = taken | {str(x) for x in new.mentions}
        places = []
        for length in old.shape:
            places.append(fresh_index(length, names, map(str, places)))
        value = new(*places)
        _demand_value(label, old, value, tuple(zip(places, old.shape)))
        positive = old.domain in ("positive", "simplex")
        signs = [Gt(value, 0, evaluate=False)] if positive else []
        signs += [Le(0, value, evaluate=False)] if old.domain == "nonnegative" else []
        facts, ranges = domain_facts(old, names), dict(zip(places, old.shape))
        for _, indices in facts:
            ranges |= dict(zip(indices, old.shape))
        return signs + [
            r.func(*(substitute(x, table) for x in r.args), evaluate=False) for r, _ in facts
        ], ranges
    known = KINDS[kind(old)]
    _demand_value(label, old, new, real=known and not known.get("integer"))
    if known.get("integer") and not new.is_integer:
        raise IllFormed(f"{label}: {old} is an integer there, and nothing says that {new} is")
    found = [Gt(new, 0, evaluate=False)] if known.get("positive") else []
    found += [Le(0, new, evaluate=False)] if known.get("nonnegative") else []
    found += [Gt(0, new, evaluate=False)] if known.get("negative") else []
    found += [Le(new, 0, evaluate=False)] if known.get("nonpositive") else []
    return found + ([Ne(new, 0, evaluate=False)] if known.get("nonzero") else []), {}


def _demand_value(label, old, value, ranges=(), real=True):
    """What is put in has a value everywhere: SymPy may cancel what has none, as in x (1/x)."""
    context, (core,) = elaborate([value], (), ranges)
    normal = Normal(context)
    if (missing := missing_of(normal, core)) is not None:
        missing = with_letters(missing, (value,))
        raise IllFormed(f"{label}: {value} is put in the place of {old}. {missing}")
    if real and not normal.signs.real(core):
        raise IllFormed(f"{label}: {old} is real there, and nothing says that {value} is")


def _holds(relation, ranges):
    """Whether a relation is proved without hypotheses, for indices that run so far."""
    if isinstance(relation, BooleanAtom):
        return bool(relation)
    try:
        context, (left, right) = elaborate(relation.args, (), ranges)
        prove(context, left, RELATIONS[type(relation)], right)
        return True
    except (ProofError, KeyError):
        return False
