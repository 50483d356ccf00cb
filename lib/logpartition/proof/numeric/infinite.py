"""Integrals, infinite sums and limits. Each is computed so that its two runs (`variant` 0 and
1) see different nodes, and each result is made uncertain by what its own run knows of its error."""

import math
from contextlib import nullcontext, suppress
from functools import lru_cache

from mpmath import mp, mpc, mpf
from mpmath.calculus.quadrature import GaussLegendre

from .arithmetic import (
    Kink,
    Series,
    Undefined,
    Unreachable,
    add,
    finite,
    head,
    magnitude,
    mul,
    norm,
    rough,
    wobble,
)  # fmt: skip
from .edges import ALL, POSITIVE, PROBE, REAL, ZERO

FARTHER = (1, 2, 3, 5, 8)  # decimal digits between the end of a grid and what lies beyond
LEVELS, TERMS, WORK = 7, 6000, 25_000  # halvings of a step; terms; evaluations of an integrand
HIGH = 6  # numbers that a term of a series consists of under derivatives
BITS, NESTED_BITS = (56, 80), (36, 48)  # of an integral in either run; of one inside another


def size(x):
    """log₂ |x| as a float, for numbers of any size."""
    m = magnitude(x)
    if m is None:
        return -math.inf
    if abs(m) > 10**300:
        return 1e300 if m > 0 else -1e300
    return m + math.log2(float(mp.ldexp(norm(x), -m)))


# --- integrals -------------------------------------------------------------------------


def integral(f, low, high, critical, variant, bits=BITS[1], bumps=(), turns=(),
             waves=()):  # fmt: skip
    """∫ f between two numbers or infinities. `critical`: functions whose zeros split the
    range, and so do those of `turns`, if these get large; `bumps`: parts of f that may be narrow
    beside the rest of it; `waves`: the phases of parts that oscillate."""
    if low == high:
        return 0
    if low > high:
        return mul(-1, integral(f, high, low, critical, variant, bits, bumps, turns, waves))
    grid = _grid(low, high, variant)
    _demand_met([(f, 1), *((b, 1) for b in bumps), *((c, -1) for c in critical)], low, high, grid)
    critical = [*critical, *(c for c in turns if any(_steep(c(x)) for x in (grid[0], grid[-1])))]
    narrow = _narrow(bumps, grid)
    if not (mp.isinf(low) or mp.isinf(high) or critical or narrow or _many(waves, grid)):
        quick = _gauss(f, low, high, variant, bits)
        if quick is not None and not any(_steep_at_an_end(part, low, high) for part in (f, *bumps)):
            return quick
    sizes, between = [size(f(x)) for x in grid], grid
    if not (mp.isinf(low) or mp.isinf(high)):
        near = (high - low) / mpf(2) ** 60
        between = [low + near, *grid, high - near]
    cuts = [cut for c in critical for cut in _cuts(c, between)]
    if all(s == -math.inf for s in sizes) and not cuts:
        return 0
    peaks = _peaks(f, grid, sizes, 3 if bits in BITS else 1, cuts)
    peaks += [(p, w) for p, w in narrow if all(abs(p - c) > w for c in cuts)]
    cuts += [p for p, _ in peaks]
    width = min((w for _, w in peaks), default=mpf(1))
    if not cuts and mp.isinf(low) and mp.isinf(high):
        cuts = [mpf(5 * variant) / 7]
    ends = [low, *sorted(set(cuts)), high]
    pairs = list(zip(ends, ends[1:]))
    top = max(*sizes, *(size(f((a + b) / 2)) for a, b in pairs if not mp.isinf(a + b)))
    return add([_piece(f, a, b, width, variant, bits, top, waves) for a, b in pairs])


def _demand_met(parts, low, high, grid):
    """Complain where a part of an integrand rises at the end of the grid and falls later on, or is
    so far below 1 that its rise is lost: its bump lies farther away than all that is looked at. Of
    what splits the range, with the sign −1, that is said of the zeros."""
    for end, place, inner in ((low, grid[0], grid[1]), (high, grid[-1], grid[-2])):
        for part, sign in parts if mp.isinf(end) else ():
            last, now = (sign * size(part(x)) for x in (inner, place))
            if last == now and -math.inf < now < -1_000 and sign == 1:
                if max(size(part(x)) for x in grid[:: len(grid) // 2]) < -1_000:
                    raise Unreachable("an integrand is too small where it is looked at")
            for k in FARTHER if now > last else ():
                try:
                    last, now = now, sign * size(part(place * 10**k))
                except (Undefined, Unreachable):
                    break
                if now < last:
                    raise Unreachable("an integrand has a bump beyond all that is looked at")


MOVES = (
    "a derivative moves a place where the integrand may jump or have no value: take the integral "
    "first, or put such a place at an end of the range"
)
TOUCH = 40  # binary digits that something falls by next to a zero
BEYOND = 24, 40, 100, 1000  # log₂ of places in an infinite range where no integrand is looked at


def demand_still(parts, low, high, variant):
    """Complain where what is integrated may jump, bend or have no value at a place in the range
    that moves, which a derivative under the integral sign does not see. `parts`: pairs of what is
    asked and a function of which it is asked."""
    low, high = min(low, high), max(low, high)
    grid, seen = _grid(low, high, variant), []
    far = [side * mp.ldexp(1, k) for side, end in ((1, high), (-1, low)) if mp.isinf(end)
           for k in BEYOND]  # fmt: skip
    for asked, part in sorted(parts, key=lambda p: p[0] == PROBE):
        moves = type(part(grid[len(grid) // 2])) is Series
        if not moves or asked == PROBE and not seen:
            continue
        values = [part(x) for x in (grid if asked != ALL else ())]
        if asked == PROBE:
            _demand_apart(seen, part, grid, values)
        elif asked == ALL or _meets(asked, part, grid, values, _known(part, far)):
            raise Unreachable(MOVES)
        elif asked != REAL:
            if _leaves(part, low, high) or _leaves(part, high, low):
                raise Unreachable(MOVES)
            seen.append((part, values))


def _known(part, places):
    """The values of a part at those places where it can be computed."""
    found = []
    for x in places:
        try:
            found.append(part(x))
        except ArithmeticError:
            continue
    return found


def _meets(asked, part, grid, values, more):
    """Whether a part, of whose zeros all are looked for, does not meet what is asked."""
    heads = [mp.mpmathify(head(v)) for v in [*values, *more]]
    off = any(abs(mp.im(x)) > mp.ldexp(abs(x), -mp.prec // 2) for x in heads)
    if asked == REAL or asked != ZERO and off:
        return off
    least, most = min(map(mp.re, heads)), max(map(mp.re, heads))
    if least <= 0 and (asked == POSITIVE or most >= 0):
        return True
    sizes = [size(x) for x in heads]

    def high(x):
        found = norm(head(part(x)))
        return 1 / found if found else mp.ldexp(1, 10**6)

    lows = [k for k in range(1, len(grid) - 1) if sizes[k] < min(sizes[k - 1], sizes[k + 1])]
    return any(
        -size(high(_climb(high, grid[k - 1], grid[k + 1])))
        < min(sizes[k - 1], sizes[k + 1]) - TOUCH for k in lows
    )  # fmt: skip


def _leaves(part, end, other):
    """Whether a zero at an end of the range moves: next to it, the part changes by more and more of
    itself."""
    if mp.isinf(end):
        return False
    inwards = mp.sign(other) if mp.isinf(other) else other - end
    try:
        near, nearer = (part(end + mp.ldexp(inwards, -k)) for k in (20, 40))
        there, closer = (size(v) - size(head(v)) for v in (near, nearer))
    except Undefined:
        return False
    return size(head(near)) - size(head(nearer)) > 8 and closer > there + 8


def _demand_apart(seen, part, grid, values):
    """Complain where other parts that move have zeros, or other signs, at the zeros of a part: a
    narrow dip lies there, if anywhere."""
    heads = [head(v) for v in values]
    for k in range(len(grid) - 1):
        if not any(isinstance(x, mpc) for x in heads[k : k + 2]) and heads[k] * heads[k + 1] < 0:
            root = _root(part, grid[k], grid[k + 1])
            for other, around in seen:
                try:
                    found = head(other(root))
                except (Kink, Unreachable):
                    raise Unreachable(MOVES) from None
                beside = [head(v) for v in around[k : k + 2]]
                least = min(map(size, beside)) - TOUCH
                if mp.re(found) * mp.re(beside[0]) <= 0 or size(found) < least:
                    raise Unreachable(MOVES)


STEP, FEW = 5, 80  # of a phase: between two nodes of a rule, and over a range for Gauss's rules


def _many(waves, grid):
    """Whether there are more waves in a range than the nodes of Gauss's rules can see."""
    return any(step * len(grid) > FEW for step, _ in _steps(waves, grid))


def _steps(waves, places):
    """How far a phase moves between two places that follow each other, and the second of these."""
    for phase in waves:
        try:
            values = [mp.re(head(phase(x))) for x in places]
        except Undefined:  # as the entry of an array at an end of an empty sum
            continue
        for before, value, place in zip(values, values[1:], range(1, len(places))):
            yield abs(value - before), place


def _unseen(waves, nodes):
    """The size of the largest term at which a wave passes between two nodes unseen: what is left of
    it looks like rounding, and settles."""
    nodes = sorted(nodes)
    passed = [k for step, k in _steps(waves, [x for x, _ in nodes]) if step > STEP]
    return max((min(nodes[k - 1][1], nodes[k][1]) for k in passed), default=-math.inf)


def _steep_at_an_end(f, low, high):
    """Whether f is larger next to an end of a range than at all nodes of Gauss's rules."""
    reach = high - low
    seen = max(size(f(low + reach * (1 + x) / 2)) for x, _ in _legendre(4, mp.prec))
    near = (mp.ldexp(reach, -k) for k in range(6, 60, 3))
    return any(size(f(x)) > seen + 1 for step in near for x in (low + step, high - step))


def _steep(x):
    """Whether a function of x has turned into another one far before x: tanh(x) is 1."""
    return norm(head(x)) > 16


def _narrow(bumps, grid):
    """The peaks of parts of an integrand that fit between neighbours of the grid."""
    found = []
    for bump in bumps:
        for peak, width in _peaks(bump, grid, [size(bump(x)) for x in grid], 1, []):
            around = [x for x in grid if abs(x - peak) < 4 * width]
            found += [(peak, width)] if len(around) < 6 else []
    return found


def _gauss(f, low, high, variant, bits):
    """The integral by two of Gauss's rules, with 24, 48 or 96 nodes, where they agree."""
    cut = low + (high - low) * mpf(variant) / 3
    pieces = ((low, cut), (cut, high)) if variant else ((low, high),)
    before = None
    for degree in (4, 5, 6):
        total, largest = [], mpf(0)
        for a, b in pieces:
            middle, reach = (a + b) / 2, (b - a) / 2
            terms = [mul(w, f(middle + reach * x)) for x, w in _legendre(degree, mp.prec)]
            total.append(mul((b - a) / 2, add(terms)))
            largest = max(largest, (b - a) * max(map(norm, terms)))
        now = add(total)
        if before is not None:
            error = norm(add([now, mul(-1, before)]))
            if error <= mp.ldexp(largest, 12 - bits):
                return _uncertain(now, error + mp.ldexp(largest, -bits), variant)
        before = now
    return None


@lru_cache(20)
def _legendre(degree, precision):
    return GaussLegendre(mp).calc_nodes(degree, precision)


def _grid(low, high, variant):
    shift = mpf(3 + 2 * variant) / 11
    if not (mp.isinf(low) or mp.isinf(high)):
        inner = [low + (high - low) * (k + shift) / 48 for k in range(48)]
        near = [(high - low) * mpf(10) ** -k * (1 + shift) for k in range(2, 7)]
        return sorted([low + x for x in near] + inner + [high - x for x in near])
    away = [mpf(10) ** (mpf(k + shift) / 4) for k in range(-16, 25)]
    away += [k + shift for k in range(2, 12)]
    if mp.isinf(low) and mp.isinf(high):
        return sorted([-x for x in away] + [shift / 10**9] + away)
    return sorted(low + x for x in away) if mp.isinf(high) else sorted(high - x for x in away)


def _cuts(c, places):
    """The zeros of c between places, and where it comes nearest to 0 without another sign at any
    place: two zeros may lie there, or one of an even order."""
    pairs = list(zip(places, places[1:]))
    change = [_changes(c, a, b) for a, b in pairs]
    found = [_root(c, a, b) for (a, b), changes in zip(pairs, change) if changes]
    sizes = [size(c(x)) for x in places]
    for k in range(1, len(places) - 1):
        dips = sizes[k] <= min(sizes[k - 1], sizes[k + 1]) < math.inf
        if not dips or max(sizes[k - 1 : k + 2]) == sizes[k] or change[k - 1] or change[k]:
            continue
        low, high = places[k - 1], places[k + 1]
        dip = _nearest_to_0(c, low, high)
        found.append(dip)
        found += [_root(c, a, b) for a, b in ((low, dip), (dip, high)) if _changes(c, a, b)]
    return found


def _nearest_to_0(c, low, high):
    """By golden section the least value of a function between two places where it is above 0, or
    the greatest where it is below."""
    sign, golden = mp.sign(mp.re(mp.mpmathify(head(c(low))))), mpf(618034) / 10**6

    def value(x):
        return sign * mp.re(mp.mpmathify(head(c(x))))

    for _ in range(70):
        inner = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, inner[1]) if value(inner[0]) <= value(inner[1]) else (inner[0], high)
    return (low + high) / 2


def _changes(c, a, b):
    left, right = head(c(a)), head(c(b))
    return not isinstance(left, mpc) and not isinstance(right, mpc) and left * right < 0


def _root(c, low, high):
    """A zero between two points of different sign, by bisection."""

    def value(x):
        return mp.re(mp.mpmathify(head(c(x))))

    with suppress(Undefined, Unreachable):
        if low < 0 < high and value(mpf(0)) == 0:
            return mpf(0)
    for _ in range(mp.prec + 20):
        middle = (low + high) / 2
        if value(low) * value(middle) <= 0:
            high = middle
        else:
            low = middle
    return high


def _peaks(f, grid, sizes, number, cuts):
    """The highest local maxima of |f| inside the grid, each with its width."""
    tops = [k for k in range(1, len(grid) - 1) if sizes[k] >= max(sizes[k - 1], sizes[k + 1])]
    tops = [k for k in tops if not any(grid[k - 1] <= c <= grid[k + 1] for c in cuts)]
    found = []
    for k in sorted(tops, key=lambda k: -sizes[k])[:number]:
        if sizes[k] > max(sizes) - 10**9:
            peak = _climb(f, grid[k - 1], grid[k + 1])
            top, width = size(f(peak)), (grid[k + 1] - grid[k - 1]) / mpf(2) ** 60
            while width < 10**9 and all(size(f(peak + s * width)) > top - 1 for s in (1, -1)):
                width *= 2
            found.append((top, peak, width))
    # the grid may meet one of two equal peaks much higher up than the other
    floor = max((top for top, _, _ in found), default=0) - 200
    return [(peak, width) for top, peak, width in found if top >= floor]


def _climb(f, low, high):
    """A maximum of |f| by golden section on its logarithm."""
    golden = mpf(618034) / 10**6
    inner = [high - golden * (high - low), low + golden * (high - low)]
    values = [size(f(x)) for x in inner]
    for _ in range(70):
        if values[0] >= values[1]:
            high, inner = inner[1], [inner[1] - golden * (inner[1] - low), inner[0]]
            values = [size(f(inner[0])), values[0]]
        else:
            low, inner = inner[0], [inner[1], inner[0] + golden * (high - inner[0])]
            values = [values[1], size(f(inner[1]))]
        # on both sides of a high peak they may be as large as each other, far below it
        if abs(values[0] - values[1]) < 1e-3 and size(f(sum(inner) / 2)) < max(values) + 1e-2:
            break
    return inner[0]


def _piece(f, low, high, width, variant, wanted, top, waves=()):
    """Trapezoids after a double-exponential substitution, halved until they settle. Where f is so
    far below 2^top, its size elsewhere, that it may be what rounding left of 0, it is lost."""
    lost = -math.inf
    if not (mp.isinf(low) or mp.isinf(high)):
        lost = top + size(high - low) - 2 * wanted
    total, count, step, offset, errors, sums = 0, 0, mpf(1) / 2, mpf(variant) / 3, [], []
    largest, far, nodes = -math.inf, {}, []
    for level in range(LEVELS):
        shift = offset if level == 0 else offset + mpf(1) / 2
        new, largest = _trapezoids(f, low, high, width, step, shift, largest, wanted, lost, far,
                                    nodes)  # fmt: skip
        total = add([total, new])
        count = step if level == 0 else step / 2
        if level:
            step, offset = step / 2, (2 * offset) % 1
        sums.append(mul(count, total))
        if largest == -math.inf and level > 2:
            return 0
        if largest < lost and level > 2:
            return mp.make_mpf(wobble(int(lost), 0))
        if len(sums) > 1:
            difference = norm(add([sums[-1], mul(-1, sums[-2])]))
            errors.append(size(difference) - max(largest, size(sums[-1])))
        if len(errors) > 1 and (errors[-1] < -wanted - 5 or _estimate(errors, waves) < -wanted):
            break
    bits = -_estimate(errors, waves)
    if bits < 20:
        raise Unreachable("the quadrature does not settle")
    if waves:
        bits = min(bits, largest - _unseen(waves, nodes))
    if bits < 20:
        raise Unreachable("an integrand has more waves than the nodes of its integral can see")
    noise = mpf(2) ** int(max(largest, size(sums[-1])) - min(bits, wanted))
    return _uncertain(sums[-1], noise, variant)


def _uncertain(x, error, variant):
    """x with an error of some size to one side in one run and to the other side in the other, so
    that their difference shows it."""
    return add([x, (3, -3)[variant] * error])


def _estimate(errors, waves=()):
    """log₂ of the relative error that is left, if the errors fall as they did. Beside a part that
    settles fast, waves may have hardly begun to."""
    if waves:
        return errors[-1]
    last, before = errors[-1], errors[-2] if len(errors) > 1 else -1
    rate = min(1.6, last / before) if before < -2 and last < 0 else 1
    return last * max(rate, 1)


@lru_cache(20_000)
def _node(kind, t, precision):
    """(how far from the end, weight): the substitution at t."""
    if kind == "finite":  # x = s (high − low), near 0 for t → −∞
        s = 1 / (1 + mp.exp(-mp.pi * mp.sinh(t)))
        return s, mp.pi * mp.cosh(t) * s / (1 + mp.exp(mp.pi * mp.sinh(t)))
    s = mp.exp(mp.pi / 2 * mp.sinh(t))
    return s, mp.pi / 2 * mp.cosh(t) * s


def _trapezoids(f, low, high, width, step, shift, largest, wanted, lost, far, nodes):
    """Σ over nodes t = (k + shift) step, outwards until the terms are small, and not before `far`:
    how far they are large on either side."""
    ends = mp.isinf(low), mp.isinf(high)

    def term(t):
        if any(ends):
            s, w = _node("half", t, mp.prec)
            x, scale = (low + width * s, width) if ends[1] else (high - width * s, width)
        else:
            s, w = _node("finite", -abs(t), mp.prec)
            scale = high - low
            x = low + scale * s if t < 0 else high - scale * s
        return x, mul(scale * w, f(x))

    inside = mp.prec * (0.4 if any(ends) else 0.2)  # not nearer to an end than its last digit
    edges = [high if (side == 1) != ends[0] else low for side in (1, -1)]
    limits = [7 if mp.isinf(end) or end == 0 else math.asinh(inside) for end in edges]
    if not far:  # what is small in the middle may not be at an end
        probes = [(size(term(side * limit * mpf(k) / 16)[1]), side, limit * mpf(k) / 16)
                  for side, limit in zip((1, -1), limits) for k in range(1, 16)]  # fmt: skip
        top = max(p[0] for p in probes)
        far.update({s: max((t for p, o, t in probes if o == s and p > top - wanted), default=0)
                    for s in (1, -1)})  # fmt: skip
    found = []
    for side, end, limit in zip((1, -1), edges, limits):
        k = 0 if side == 1 else 1
        sizes, t = [], (k + shift) * step if side == 1 else (shift - k) * step
        while abs(t) < limit:
            x, value = term(t)
            found.append(value)
            sizes.append(size(value))
            nodes.append((x, sizes[-1]))
            largest = max(largest, sizes[-1])
            small = all(s < largest - 1.4 * wanted for s in sizes[-2:])
            if abs(t) > max(1, far[side]) and small and (len(sizes) < 2 or sizes[-1] <= sizes[-2]):
                break
            t += side * step
        else:
            small = max(lost, largest - min(wanted, 60))
            _tail(f, sizes, small, step, found, end, low if end == high else high, abs(t) - step)
    return add(found), largest


STEEP = 10_000  # binary digits before the point: no pole comes near to that
EDGE = 5  # binary digits by which terms have to grow faster than those of 1/x for that to be sure
SLOWLY = "the integral converges too slowly, if at all"


def _tail(f, sizes, small, step, terms, end, other, last):
    """Complain where the terms are not small at the end of the range, at t = last. They grow as
    cosh t where f does as 1/x, which is where the integral begins to diverge."""
    back = int(1 / step) + 1
    if step < mpf(1) / 5 and len(sizes) > back and sizes[-1] >= max(small, -(10**15)):
        if sizes[-1] >= sizes[-1 - back]:
            ending = [head(x) for x in terms[-back:]]
            if any(isinstance(x, mpc) for x in ending) or min(ending) < 0 < max(ending):
                raise Unreachable("the integral converges by cancelling, if at all")
            if sizes[-1] > STEEP and not mp.isinf(end):
                raise Unreachable("the integrand is too steep at an end of the range")
            growth = sizes[-1] - sizes[-1 - back]
            growth -= math.log2(math.cosh(last) / math.cosh(last - back * step))
            if growth < -1e-9 or not _lasts(f, end, other, sure=growth > EDGE):
                raise Unreachable(SLOWLY)
            raise Undefined("the integral diverges")
        raise Unreachable("the integral converges too slowly")


def _lasts(f, end, other, sure):
    """Whether f falls no faster than 1/x from where it is looked at to the end of the range, as far
    as numbers go: x^(−1 − ε) does fall, however small ε is. `sure`: where nothing is known."""
    if not (mp.isinf(end) or end == 0):
        return sure
    side, sign = (mp.sign(end), 1) if mp.isinf(end) else (mp.sign(other), -1)
    before = -math.inf
    for k in (10, *REMOTE):
        x = side * mp.ldexp(1, sign * 2**k)
        try:
            now = size(mul(x, f(x)))
        except (ArithmeticError, ValueError, MemoryError):
            return sure
        if now < before - 1e-3:
            return False
        before = now
    return True


# --- infinite sums ---------------------------------------------------------------------


def series(term, low, variant, parts=(), waves=False, finer=nullcontext):
    """Σ term(n) for n = low, low + 1, …; `parts` are what a term is the sum of. Of terms that come
    in `waves` a few do not say whether it diverges; of others they do where they say so with the
    digits that they have inside `finer` too."""
    try:
        slow = _slow(term, low)
    except Undefined:
        if waves:
            raise Unreachable("a series whose terms come in waves") from None
        with finer():
            _slow(term, low, REMOTE)
        raise Unreachable("the terms of the series are rounded to those of another one") from None
    if slow:
        return _accelerated(term, low, variant, parts)
    block, tops, found, largest = 8 + 3 * variant, [], [], -math.inf
    risen, reach = None, _reach(term, low)
    for n in range(low, low + reach, block):
        new = [term(n + k) for k in range(block)]
        found += new
        tops.append(max(map(size, new)))
        largest = max(largest, tops[-1])
        if largest > -math.inf and len(tops) >= 4 and tops[-1] < largest - 140:
            if risen is None:
                risen = _rises(parts or [term], n)
                if any(_at(term, 2**e, -math.inf) > largest - 140 for e in REMOTE):
                    raise Unreachable("the terms of the series get large again, much later")
            if risen > low + reach:
                raise Unreachable("the terms of the series get large again, much later")
            if n < risen:
                continue
            if tops[-1] <= tops[-2] - 1 or tops[-1] == -math.inf:
                noise = 0 if tops[-1] == -math.inf else mpf(2) ** int(tops[-1] + 3)
                return add([*found, rough(noise, 0) if noise else 0])
        if largest == -math.inf and n > low + 500:
            if any(size(term(low + 2**k + k)) > -math.inf for k in range(9, 30)):
                raise Unreachable("the first terms of the series are all 0")
            return add(found)
    raise Unreachable("the series converges too slowly")


def _reach(term, low):
    """How many terms there is time for: under derivatives fewer, and none where the last of these
    is larger than all that are looked at before."""
    long = coefficients(term(low + 1))
    if long == 1:
        return TERMS
    if long > HIGH:
        raise Unreachable("a series under a derivative of a high order")
    reach = max(TERMS // (5 * long), 200)
    last = max(size(term(low + reach + k)) for k in range(2))
    if last >= max(size(term(low + reach // 2**k + i)) for k in range(1, 5) for i in range(2)):
        if last > -math.inf:
            raise Unreachable("the series under a derivative converges too slowly")
    return reach


def coefficients(x):
    """Of how many numbers a series of a derivative consists."""
    return sum(map(coefficients, x.c)) if isinstance(x, Series) else 1


def _rises(parts, n):
    """The place after the last of some far ones at which a part of the terms is larger than at the
    one before: 0 where all of them only get smaller, for the second one may come much later."""
    found = 0
    for part in parts:
        before, place = math.inf, max(n, 8)
        while place < 2**20:
            try:
                now = max(size(part(place + k)) for k in range(2))
            except Unreachable:
                break
            rose, before, place = now > before, now, place * 5 // 4 + 1
            found = max(found, place) if rose else found
    return found


def _slow(term, low, remote=()):
    """Whether far terms are not small; an error where they do not vanish at all, nor get smaller at
    remote places, of which the log₂ are given."""
    try:
        near, far = ([size(term(max(low, 0) + n + k)) for k in (0, 1)] for n in (2**14, 2**24))
    except Unreachable:
        return False
    if max(near) < -200:
        return False
    if max(far) > max(near) - 0.2 and max(far) > -30:
        later = max(size(term(2**40 + k)) for k in (0, 1))
        before = (max(far) - max(near)) / (2**24 - 2**14)
        after = (later - max(far)) / (2**40 - 2**24)
        flat = max(far) < max(near) + 0.2
        sizes = [_at(term, 2**e, -math.inf if flat else math.inf) for e in remote]
        sizes += [_at(term, mp.ldexp(1, 2**e), max(far)) for e in remote]
        turned = any(s < max(far) for s in sizes) or flat and any(s > max(far) + 4 for s in sizes)
        if later < max(far) or after < before - 1e-3 or turned:  # n! may be on the way
            raise Unreachable("the terms of the series are large for very long")
        raise Undefined("the series diverges: its terms do not go to 0")
    if max(far) < -2000:
        raise Unreachable("the terms of the series get small too late")
    _compare_with_harmonic(term, remote)
    return True


REMOTE = (60, 100, 200, 400, 1400)  # log₂ of where terms that seem to stay large are looked at


def _at(term, n, unknown):
    """The size of a term, or what is taken for it where it cannot be computed."""
    try:
        return size(term(n))
    except (Unreachable, ArithmeticError, ValueError, MemoryError):
        return unknown


def _compare_with_harmonic(term, remote):
    """n a(n) does not get small, at remote places neither, and the terms keep their sign: the
    series diverges."""
    values = [[head(term(2**e + k)) for k in (0, 1, 2)] for e in (12, 24, 36)]
    flat = [v for row in values for v in row]
    if any(isinstance(v, mpc) for v in flat) or not (min(flat) > 0 or max(flat) < 0):
        return
    sizes = [size(row[0]) + e for row, e in zip(values, (12, 24, 36))]
    if sizes[2] > sizes[0] - 0.1 and sizes[1] - sizes[2] <= max(0, sizes[0] - sizes[1]) / 4:
        places = [n for e in remote for n in (2**e, mp.ldexp(1, 2**e))]
        if any(_at(lambda n: mul(n, term(n)), n, -math.inf) < sizes[2] - 0.1 for n in places):
            raise Unreachable("the terms of the series are those of Σ 1/n for very long")
        raise Undefined("the series diverges, as Σ 1/n does")


def _accelerated(term, low, variant, parts):
    """Levin's transformation of the partial sums, one at a time or in pairs, from where all parts
    of the terms get smaller."""
    pair, risen = 1 + variant, _rises(parts or [term], low)
    if risen > TERMS:
        raise Unreachable("the terms of the series get large again, much later")
    with mp.workprec(mp.prec * 3):
        first = [term(low + k) for k in range(max(6 + 4 * variant, 2 * risen - low))]
        start, partial, value, error = low + len(first), add(first), None, mp.inf
        if any(isinstance(x, Series) for x in first):
            raise Unreachable("a slow series under a derivative")
        levin, sums = mp.levin(method="levin", variant="u"), []
        partial = mp.mpmathify(partial)
        for k in range(100):
            partial += sum(mp.mpmathify(term(start + pair * k + i)) for i in range(pair))
            sums.append(partial)
            try:
                value, error = levin.update_psum(sums)
            except (ZeroDivisionError, ValueError):
                raise Unreachable("the series is not accelerated") from None
            if k > 8 and error < abs(value) * mpf(2) ** -BITS[variant]:
                break
    bits = -size(error) + size(value) if value else 0
    if not bits > 40:
        raise Unreachable("the series converges too slowly")
    return _uncertain(value, mp.ldexp(norm(value), -int(min(bits, BITS[variant]))), variant)


# --- limits ----------------------------------------------------------------------------


def limit(f, target, side, whole, variant):
    """The limit of f at ±∞, or at a number from one side, along a sequence that converges fast and
    that no period fits. `target()` and f are computed to whatever precision is at work."""
    goal = target()
    endless = mp.isinf(goal)
    if endless:
        side = int(mp.sign(goal))

    def at(e):
        place = e.bit_length() + variant
        if whole:
            return f(side * ((1 + 2 * variant) * 2**e + place))
        away = mp.sqrt(place) * mpf(2) ** (e if endless else -e)
        return f(side * away if endless else target() + side * away)

    values, precision = [], mp.prec
    far = _far(f, side, endless, whole) if endless or goal == 0 else None
    for e in (16, 32, 64, 128, 256):
        with mp.workprec(precision + 4 * e):
            values.append(at(e))
    values = [rough(v) for v in values]
    steps = [size(add([b, mul(-1, a)])) for a, b in zip(values, values[1:])]
    if not all(finite(v) for v in values):
        raise Undefined("the limit is infinite")
    if steps[-1] == -math.inf:
        return _lasting(values[-1], far)
    if all(b > a for a, b in zip(steps, steps[1:])) and steps[-1] > 8:
        if far is not None and size(far) < 2 * size(values[-1]) + 64:
            raise Unreachable("the limit is approached too slowly, if at all")
        raise Undefined("there is no finite limit")
    gain = min(0, steps[-1] - max(steps[-2], steps[-3]))
    if gain > -2 and steps[-1] > size(values[-1]) - precision + 20:
        raise Unreachable("the limit is approached too slowly")
    found = _uncertain(values[-1], mpf(2) ** int(steps[-1] + gain + 3), variant)
    return _lasting(found, far, int(steps[-1] + gain + 6))


FAR = 2**10, 2**16  # binary digits of the integer or number where a limit is looked at once more


def _far(f, side, endless, whole):
    """The value of f far beyond its sequence, where all roundings give the same."""
    place = side * (2 ** FAR[0] + 1) if whole else mpf(side) * mpf(2) ** (FAR[1] * (-1, 1)[endless])
    values = []
    for more in (0, 20, 50, 90):
        try:
            with mp.workprec(mp.prec + more):
                values.append(head(f(place)))
        except (ArithmeticError, ValueError, MemoryError):
            return None
    apart = max(norm(add([v, mul(-1, values[0])])) for v in values)
    known = all(map(finite, values)) and apart <= mp.ldexp(1 + norm(values[0]), -30)
    return values[0] if known else None


def _lasting(found, far, error=-30):
    """A limit, if it is not another one that the function tends to farther away."""
    if far is not None and type(found) is not Series:
        apart = norm(add([far, mul(-1, found)]))
        if apart > mp.ldexp(1 + norm(found), max(error, -30)):
            raise Unreachable("the function turns away from its limit later on")
    return found
