"""Guarded automata: a state reads what the current event is (an atom) and the step that leaves it.

Made from an expression by positions: a state is an occurrence of a step, and has just been taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from porf import _core
from porf.automata.atoms import Atoms
from porf.automata.expression import Check, Plus, Regular, Sequence, Star, Step, Union, size_of

Edge = tuple[int, Step]  # target and step; its guard is kept beside it


MOST_MOVES = 1_000_000


class TooLargeError(Exception):
    """An automaton with more transitions than are worth the memory."""


@dataclass
class Guarded:
    """`moves[q][target, step]` is the guard of a transition; `final[q]` the atoms on which q accepts."""

    moves: list[dict[Edge, int]] = field(default_factory=list)
    final: list[int] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)

    def state(self, final: int = 0) -> int:
        self.moves.append({})
        self.final.append(final)
        return len(self.final) - 1

    def move(self, source: int, guard: int, step: Step, target: int) -> bool:
        """Adds a transition; returns whether it is new."""
        if not guard:
            return False
        known = self.moves[source].get((target, step), 0)
        self.moves[source][target, step] = known | guard
        return guard & ~known != 0

    def alphabet(self) -> frozenset[Step]:
        return frozenset(step for moves in self.moves for _, step in moves)

    def core(self, letters: dict[Step, int], atoms: int) -> _core.GuardedAutomaton:
        rows = [
            (source, letters[step], target, guard)
            for source, moves in enumerate(self.moves)
            for (target, step), guard in moves.items()
            if step in letters
        ]
        source, letter, target = (np.array([row[k] for row in rows], np.int32) for k in range(3))
        return _core.GuardedAutomaton(
            len(self.final),
            atoms,
            np.array(self.initial, np.int32),
            source,
            letter,
            target,
            words_of((row[3] for row in rows), atoms),
            words_of(self.final, atoms),
        )


def words_of(masks: Iterable[int], atoms: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Sets of atoms as the core stores them: words of 64 bits, lowest first."""
    size = 8 * ((atoms + 63) // 64)
    return np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint64)


@dataclass
class _Part:
    """A part of an expression: first steps with guards, last ones with what must hold after, and the empty path."""

    empty: int
    first: dict[int, int]
    last: dict[int, int]


def automaton_of(node: Regular, atoms: Atoms) -> Guarded:
    """Positions of the expression as states; state 0 is the start."""
    if size_of(node) > MOST_MOVES:
        raise TooLargeError
    out = Guarded()
    begin = out.state()
    out.initial.append(begin)
    step_at: list[Step | None] = [None]
    joined = 0

    def join(before: dict[int, int], after: dict[int, int]) -> None:
        nonlocal joined
        joined += len(before) * len(after)
        if joined > MOST_MOVES:
            raise TooLargeError
        for source, left in before.items():
            for target, right in after.items():
                step = step_at[target]
                assert step is not None
                out.move(source, left & right, step, target)

    def build(part: Regular) -> _Part:
        match part:
            case Check(formula):
                return _Part(atoms.mask(formula), {}, {})
            case Step():
                at = out.state()
                step_at.append(part)
                return _Part(0, {at: atoms.all}, {at: atoms.all})
            case Union(parts):
                built = [build(one) for one in parts]
                whole = _Part(0, {}, {})
                for one in built:
                    whole.empty |= one.empty
                    whole.first |= one.first
                    whole.last |= one.last
                return whole
            case Sequence(parts):
                whole = _Part(atoms.all, {}, {})
                for one in map(build, parts):
                    join(whole.last, one.first)
                    _merge(whole.first, one.first, whole.empty)
                    whole.last = {at: guard & one.empty for at, guard in whole.last.items() if guard & one.empty}
                    whole.last |= one.last
                    whole.empty &= one.empty
                return whole
            case Star(body):
                one = build(body)
                join(one.last, one.first)
                return _Part(atoms.all, one.first, one.last)
            case Plus(body):
                one = build(body)
                join(one.last, one.first)
                return one
            case _:
                raise AssertionError("operators of the outside are taken apart before")

    whole = build(node)
    join({begin: atoms.all}, whole.first)
    out.final[begin] = whole.empty
    for at, guard in whole.last.items():
        out.final[at] |= guard
    return out


def _merge(into: dict[int, int], more: dict[int, int], guard: int) -> None:
    for at, own in more.items():
        if own & guard:
            into[at] = into.get(at, 0) | (own & guard)


def rotations_of(body: Guarded, atoms: int) -> Guarded:
    """The cycles of an automaton, begun anywhere: a state guesses where in the original the cycle begins."""
    out = Guarded([dict(moves) for moves in body.moves], list(body.final), list(body.initial))
    count = len(body.final)
    for begin in range(count):
        if not body.moves[begin]:
            continue
        first = [out.state() for _ in range(count)]  # from `begin` to an end of the original
        second = [out.state() for _ in range(count)]  # from its beginning on to `begin`
        for source in range(count):
            for (target, step), guard in body.moves[source].items():
                out.move(first[source], guard, step, first[target])
                out.move(second[source], guard, step, second[target])
            if body.final[source]:
                for start in body.initial:
                    for (target, step), guard in body.moves[start].items():
                        out.move(first[source], guard & body.final[source], step, second[target])
        out.final[second[begin]] = atoms
        out.initial.append(first[begin])
    return out
