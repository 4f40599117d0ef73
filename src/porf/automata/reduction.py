"""Smaller automata with the same paths: unreachable and useless states go, equivalent states become one."""

from porf import _core
from porf.automata.guarded import Guarded


def reduced(body: Guarded, atoms: int) -> Guarded:
    """States with the same future become one, then states with the same past."""
    return _merged(_merged(_trimmed(body), atoms, forwards=True), atoms, forwards=False)


def _trimmed(body: Guarded) -> Guarded:
    reached = _closure(set(body.initial), [{to for to, _ in moves} for moves in body.moves])
    back: list[set[int]] = [set() for _ in body.final]
    for source, moves in enumerate(body.moves):
        for to, _ in moves:
            back[to].add(source)
    useful = _closure({state for state, final in enumerate(body.final) if final}, back)
    number = {state: at for at, state in enumerate(sorted(reached & useful))}
    out = Guarded(initial=[number[state] for state in body.initial if state in number])
    for state in number:
        out.state(body.final[state])
    for state, at in number.items():
        kept = ((to, step, guard) for (to, step), guard in body.moves[state].items() if to in number)
        out.moves[at] = {(number[to], step): guard for to, step, guard in kept}
    return out


def _closure(found: set[int], next_to: list[set[int]]) -> set[int]:
    waiting = list(found)
    while waiting:
        for state in next_to[waiting.pop()]:
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def _merged(body: Guarded, atoms: int, forwards: bool) -> Guarded:
    letters = {step: at for at, step in enumerate(body.alphabet())}
    part = _core.partition(body.core(letters, atoms), forwards).tolist()
    out = Guarded()
    for _ in range(max(part, default=-1) + 1):
        out.state()
    for state, moves in enumerate(body.moves):
        out.final[part[state]] |= body.final[state]
        merged = out.moves[part[state]]
        for (to, step), guard in moves.items():
            key = (part[to], step)
            merged[key] = merged.get(key, 0) | guard
    out.initial = sorted({part[state] for state in body.initial})
    return out
