"""Smaller automata with the same paths: unreachable and useless states go, states alike become one."""

from __future__ import annotations

from porf.automata.guarded import Guarded


def reduced(body: Guarded) -> Guarded:
    """States with the same future become one, then states with the same past."""
    return _merged(_merged(_trimmed(body), forwards=True), forwards=False)


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
        for (to, step), guard in body.moves[state].items():
            if to in number:
                out.move(at, guard, step, number[to])
    return out


def _closure(found: set[int], next_to: list[set[int]]) -> set[int]:
    waiting = list(found)
    while waiting:
        for state in next_to[waiting.pop()]:
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def _merged(body: Guarded, forwards: bool) -> Guarded:
    """Partition refinement: states stay together while their steps lead to (or come from) the same parts."""
    around = body.moves
    initial = set(body.initial)
    if not forwards:
        around = [{} for _ in body.final]
        for source, moves in enumerate(body.moves):
            for (to, step), guard in moves.items():
                around[to][source, step] = guard
    part = _numbered([final if forwards else (state in initial) for state, final in enumerate(body.final)])
    count = 0
    rows = [[(other, step, guard) for (other, step), guard in moves.items()] for moves in around]
    while max(part, default=-1) + 1 != count:
        count = max(part, default=-1) + 1
        signatures: list[object] = []
        for state, row in enumerate(rows):
            guards: dict[object, int] = {}
            for other, step, guard in row:
                key = (part[other], step)
                guards[key] = guards.get(key, 0) | guard
            signatures.append((part[state], frozenset(guards.items())))
        part = _numbered(signatures)
    out = Guarded()
    for _ in range(count):
        out.state()
    for state, moves in enumerate(body.moves):
        out.final[part[state]] |= body.final[state]
        for (to, step), guard in moves.items():
            out.move(part[state], guard, step, part[to])
    out.initial = sorted({part[state] for state in body.initial})
    return out


def _numbered(signatures: list[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(signature, len(numbers)) for signature in signatures]
