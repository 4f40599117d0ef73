"""What the totality of an order adds to irreflexivity: Prop. 3.12 of the Kater paper, corrected.

Let r be a strict total order (a modification order: total on the writes of a location), and let the cycles of L be
impossible. If r;w is a cycle of L, then a path w from b to a cannot have r from a to b; so r leads from b to a, or b is
a. Hence a cycle of such paths and of r is a cycle of r, unless it stays at one event. The paper forgets the last case:
a cycle counts here only if one of its parts is r itself, or cannot be a loop because L has it.
"""

from collections.abc import Callable

from porf.automata import expression as x
from porf.automata.atoms import Atoms, bits
from porf.automata.guarded import Guarded, rotations_of
from porf.automata.insertion import classes
from porf.automata.located import within_location
from porf.automata.reduction import reduced
from porf.automata.saturation import Saturated
from porf.automata.theory import Theory

_MOST_PAIRS, _MOST_STATES = 2000, 1000


def total_cycles(right: Saturated, theory: Theory, atoms: Atoms, over: Callable[[], bool]) -> Guarded | None:
    """Cycles that the total orders of the theory make impossible, beside those of the right side; to be rotated.

    None where there is none, or where the automata are too large or it is `over`; then `right.cut` says so.
    """
    bodies = [reduced(automaton, len(atoms)) for automaton, rotate in right.parts() if rotate]
    if sum(len(body.final) ** 2 for body in bodies) > _MOST_PAIRS:
        right.cut.append("what the total orders say")
        return None
    forbidden = Guarded()
    for body in bodies:
        _add(forbidden, rotations_of(body, atoms.all))
    forbidden = reduced(forbidden, len(atoms))
    if len(forbidden.final) > _MOST_STATES:
        right.cut.append("what the total orders say")
        return None
    out = Guarded()
    for name in sorted(theory.total):
        found = _cycles_of(x.Step(name), forbidden, theory, atoms, over)
        if found is None:
            right.cut.append("what the total orders say")
            return None
        _add(out, found)
    return reduced(out, len(atoms)) if out.initial else None


def _add(into: Guarded, more: Guarded) -> None:
    shift = len(into.final)
    for moves, final in zip(more.moves, more.final, strict=True):
        into.moves.append({(target + shift, step): guard for (target, step), guard in moves.items()})
        into.final.append(final)
    into.initial += [state + shift for state in more.initial]


def _cycles_of(
    order: x.Step, forbidden: Guarded, theory: Theory, atoms: Atoms, over: Callable[[], bool]
) -> Guarded | None:
    """(r | E)* ; (r | E strict) ; (r | E)*, from a hub before the strict part to a hub after it; None if it is over."""
    domain, range_ = (atoms.mask(formula) for formula in theory.ends(order))
    kept = forbidden
    if x.Step("loc") in theory.above(order):
        kept = Guarded([], list(forbidden.final), list(forbidden.initial))
        for moves in forbidden.moves:
            kept.moves.append({(to, _located(step, theory)): guard for (to, step), guard in moves.items()})
    out = Guarded()
    before, after = out.state(), out.state(atoms.all)
    out.initial.append(before)
    echoes: list[tuple[int, int, int]] = []  # a state that goes on as a hub does, on some atoms
    for hub, following in ((before, before), (before, after), (after, after)):
        state = out.state()
        out.move(hub, domain, order, state)
        echoes.append((state, following, range_))
    for guard, ends in _shortcuts(order, kept, theory, domain & range_).items():
        if over():
            return None
        plain = Guarded([dict(moves) for moves in kept.moves], [final & guard for final in kept.final], ends)
        plain = reduced(plain, len(atoms))
        strict = reduced(_product(plain, forbidden, theory), len(atoms))
        for hub, following, part in ((before, before, plain), (after, after, plain), (before, after, strict)):
            shift = len(out.final)
            _add(out, Guarded(part.moves, [0] * len(part.final), []))
            for start in part.initial:
                for (target, step), own in part.moves[start].items():
                    out.move(hub, own & range_ & domain, step, target + shift)
            echoes += [(at + shift, following, final) for at, final in enumerate(part.final) if final]
    changed = True
    while changed:
        if over():
            return None
        changed = False
        for state, hub, guard in echoes:
            for (target, step), own in list(out.moves[hub].items()):
                changed |= out.move(state, own & guard, step, target)
            final = out.final[state] | (out.final[hub] & guard)
            changed |= final != out.final[state]
            out.final[state] = final
    return out


def _located(step: x.Step, theory: Theory) -> x.Step:
    return step if x.Step("loc") in theory.above(step) else within_location(step, theory)


def _shortcuts(order: x.Step, forbidden: Guarded, theory: Theory, ends: int) -> dict[int, list[int]]:
    """For kinds of events: the states after a step of the order from such an event."""
    above = theory.above(order)
    moves = [
        (guard & ends, 1 << target)
        for start in forbidden.initial
        for (target, step), guard in forbidden.moves[start].items()
        if step in above and guard & ends
    ]
    return {guard: bits(targets) for guard, targets in classes(moves).items()}


def _product(one: Guarded, other: Guarded, theory: Theory) -> Guarded:
    """The paths that both have, step for step; a step of the one may be known as another in the other."""
    out = Guarded()
    known: dict[tuple[int, int], int] = {}
    waiting: list[tuple[int, int]] = []

    def state(pair: tuple[int, int]) -> int:
        if pair not in known:
            known[pair] = out.state(one.final[pair[0]] & other.final[pair[1]])
            waiting.append(pair)
        return known[pair]

    out.initial = [state((left, right)) for left in one.initial for right in other.initial]
    while waiting:
        pair = waiting.pop()
        for (to, step), guard in one.moves[pair[0]].items():
            for (further, same), also in other.moves[pair[1]].items():
                if same in theory.above(step) and guard & also:
                    out.move(known[pair], guard & also, step, state((to, further)))
    return out
