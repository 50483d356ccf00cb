"""A result at particular values of its symbols and arrays."""

from sympy import Derivative, Gt, Indexed, Le, Ne, Symbol, sympify
from sympy.logic.boolalg import BooleanAtom

from .errors import IllFormed, ProofError
from .kernel.context import KINDS, RELATIONS, domain_facts, elaborate, kind
from .kernel.defined import undefined
from .kernel.normal import Normal
from .kernel.terms import demand_honest, free, substitute
from .kernel.theorem import prove
from .language import Array, Index, Size, unfold
from .record import Result
from .tensors import fresh_index


class Instance(Result):
    """The statement of a result at some values, under what its hypotheses become there."""

    seconds = 0.0

    def __init__(self, of, values, statement, facts):
        self.of, self.values = of, values
        self.label, self.record = of.label, of.record
        self.statement, self.facts, self.ranges = statement, facts, of.ranges


def instance(result, values):
    """A result at values of its symbols and arrays: `instance(tangent, {t: x - y})`,
    `instance(jensen, {p: lambda j: w[j]})`.

    Its hypotheses, and what the types of the symbols say of the values, are proved here, or
    become hypotheses of what uses the instance.
    """
    if result.statement is None:
        raise IllFormed(f"{result.label}: it is said in words, so it has no symbols to replace")
    table = {old: _value(result.label, old, new) for old, new in values.items()}
    _demand_about(result, table)
    _demand_no_length(result, table)
    _demand_apart(result, table)
    _demand_names_under_derivatives(result, table)
    sides = [substitute(unfold(side), table) for side in result.statement.args]
    statement = result.statement.func(*sides, evaluate=False)
    owed = [
        f.func(*(substitute(unfold(x), table) for x in f.args), evaluate=False)
        for f in result.facts
    ]
    taken = {str(x) for r in (statement, *owed) for x in r.atoms(Symbol)}
    for old, new in table.items():
        owed += _membership(result.label, old, new, table, taken)
    return Instance(result, table, statement, tuple(f for f in owed if not _holds(f)))


def _value(label, old, new):
    if isinstance(old, Array):
        if not callable(new):
            raise IllFormed(f"{label}: {old} is an array; give its entries, {old}: lambda j: …")
        return _entries(label, old, new)
    if not isinstance(old, Symbol) or isinstance(old, (Index, Size)):
        raise IllFormed(
            f"{label}: {old} is not a number that varies by itself, so it has no value to take"
        )
    demand_honest(sympify(new))
    return unfold(new)


def _entries(label, old, new):
    """The entries of an array as a function of the indices that mentions what it depends on."""
    probes = tuple(
        Index(f"place{n}of{old.label}", integer=True, positive=True) for n in range(len(old.shape))
    )
    try:
        body = sympify(new(*probes))
    except TypeError as error:
        raise IllFormed(f"{label}: {old} has {len(probes)} indices: {error}") from None
    demand_honest(body)
    body = unfold(body)

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
    coming = set().union(
        *(
            getattr(new, "mentions", None) or free(new)
            for new in table.values()
            if not callable(new) or new.mentions
        )
    )
    for f in result.facts:
        for i in set().union(*(free(unfold(side)) for side in f.args)) & coming:
            if isinstance(i, Index):
                raise IllFormed(
                    f"{result.label}: the hypothesis {f} is meant for all {i}, which a value "
                    "mentions; write another letter there"
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
    whose letters are not taken."""
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
        facts = [r for r, _ in domain_facts(old, names)]
        return signs + [
            r.func(*(substitute(x, table) for x in r.args), evaluate=False) for r in facts
        ]
    known = KINDS[kind(old)]
    _demand_value(label, old, new, real=known and not known.get("integer"))
    if known.get("integer") and not new.is_integer:
        raise IllFormed(f"{label}: {old} is an integer there, and nothing says that {new} is")
    found = [Gt(new, 0, evaluate=False)] if known.get("positive") else []
    found += [Le(0, new, evaluate=False)] if known.get("nonnegative") else []
    found += [Gt(0, new, evaluate=False)] if known.get("negative") else []
    found += [Le(new, 0, evaluate=False)] if known.get("nonpositive") else []
    return found + ([Ne(new, 0, evaluate=False)] if known.get("nonzero") else [])


def _demand_value(label, old, value, ranges=(), real=True):
    """What is put in has a value everywhere: SymPy may cancel what has none, as in x (1/x)."""
    context, (core,) = elaborate([value], (), ranges)
    normal = Normal(context)
    if (missing := undefined(core, normal)) is not None:
        raise IllFormed(f"{label}: {value} is put in the place of {old}. {missing}")
    if real and not normal.signs.real(core):
        raise IllFormed(f"{label}: {old} is real there, and nothing says that {value} is")


def _holds(relation):
    """Whether a relation is proved without hypotheses."""
    if isinstance(relation, BooleanAtom):
        return bool(relation)
    try:
        context, (left, right) = elaborate(relation.args)
        prove(context, left, RELATIONS[type(relation)], right)
        return True
    except (ProofError, KeyError):
        return False
