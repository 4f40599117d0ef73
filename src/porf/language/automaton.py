"""Automata over steps, made of expressions by Glushkov's construction: a state is an occurrence of a step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from porf.language import relation as r
from porf.language.selection import ALL, Selection, Selections
from porf.record import Record

MOST_POSITIONS = 400

Step = Literal[
    "next",  # in the thread
    "next-at",  # in the thread, of the location
    "next-other",  # from an access to the next event that is not of its location
    "last-other",  # to an access, from the last event before it that is not of its location
    "changed-read",  # from a read to the next read of the thread and location that takes another write
    "same-read",  # from a read to the next access of the thread and location, if that reads the same
    "rf",
    "rfe",
    "rfi",
    "rmw",
    "amo",
    "lxsx",
    "addr",
    "data",
    "ctrl",
    "mo",  # from a write to those that come next
    "fr",  # from a read to the writes that come next after what it took
    "moe",  # from a write to each other thread's next write
    "fre",  # from a read to each other thread's next write after what it took
    "own",  # from a write to the next of its thread and location
    "hb",  # a generating edge of happens-before
    "hb-at",  # between accesses of a location in different threads, by happens-before: the last ones
]
DYNAMIC = frozenset({"mo", "fr", "moe", "fre"})


class Letter(Record):
    step: Step
    closure: int = -1  # of hb and hb-at: which happens-before


Move = tuple[int, Selection, int]


class Walk(Record):
    """An automaton whose states are steps that were just taken, and one more, the *hub*, where the relation begins and
    ends: a walk from the hub back to the hub of the same event is a cycle."""

    axiom: str
    letters: tuple[Letter, ...]
    moves: tuple[Move, ...]  # from a step (or the hub), for events of a selection, to a step (or the hub)
    repeats: bool  # acyclic; otherwise irreflexive: the hub is passed only once
    forces: bool = False  # what a path of it excludes is excluded

    @property
    def dynamic(self) -> bool:
        return any(letter.step in DYNAMIC for letter in self.letters)


class UnwalkableError(Exception):
    """A shape that no automaton here is for."""


class Part(Record, eq=False):
    """An expression: for which events it may be empty, where it begins, where it ends."""

    empty: tuple[Selection, ...]
    first: tuple[tuple[Selection, int], ...]
    last: tuple[tuple[int, Selection], ...]


NOTHING = Part((), (), ())
EMPTY = Part((ALL,), (), ())


class Positions:
    """The positions of one expression, and how they follow each other."""

    def __init__(self, sets: Selections) -> None:
        self.sets = sets
        self.letters: list[Letter] = []
        self._moves: dict[tuple[int, int], tuple[Selection, ...]] = {}

    def walk(self, name: str, whole: Part, *, repeats: bool, forces: bool) -> Walk:
        """The automaton of an expression."""
        hub = len(self.letters)
        if whole.empty:
            raise UnwalkableError  # broken by every event
        for selection, at in whole.first:
            self._move(hub, selection, at)
        for at, selection in whole.last:
            self._move(at, selection, hub)
        letters, moves = _merged(self.letters, self._moves)
        return Walk(name, letters, moves, repeats, forces and repeats)

    def letter(self, step: Step, closure: int = -1) -> Part:
        if len(self.letters) >= MOST_POSITIONS:
            raise UnwalkableError
        at = len(self.letters)
        self.letters.append(Letter(step, closure))
        starts, ends = self.sets.ends(step)
        return Part((), ((starts, at),), ((at, ends),))

    def _move(self, source: int, selection: Selection, target: int) -> None:
        if selection.kinds:
            known = self._moves.get((source, target), ())
            self._moves[source, target] = _either((*known, selection))

    def join(self, one: Part, other: Part) -> None:
        for at, ends in one.last:
            for begins, to in other.first:
                self._move(at, ends.both(begins), to)

    def then(self, one: Part, other: Part) -> Part:
        self.join(one, other)
        first = one.first + tuple((e.both(s), at) for e in one.empty for s, at in other.first if e.both(s).kinds)
        last = other.last + tuple((at, s.both(e)) for at, s in one.last for e in other.empty if s.both(e).kinds)
        empty = tuple(a.both(b) for a in one.empty for b in other.empty if a.both(b).kinds)
        return Part(_either(empty), first, last)

    def between(self, before: r.Node | Selection, part: Part, after: r.Node | Selection) -> Part:
        return self.then(self.then(self.tested(before), part), self.tested(after))

    def tested(self, events: r.Node | Selection) -> Part:
        selection = events if isinstance(events, Selection) else self.sets.of(events)
        return Part((selection,), (), ()) if selection.kinds else NOTHING

    def again(self, part: Part) -> Part:
        self.join(part, part)
        return part

    @staticmethod
    def optional(part: Part) -> Part:
        return Part((ALL,), part.first, part.last)

    @staticmethod
    def any(parts: Iterable[Part]) -> Part:
        made = list(parts)
        empty = _either(tuple(s for part in made for s in part.empty))
        return Part(empty, tuple(f for p in made for f in p.first), tuple(e for p in made for e in p.last))


def _either(selections: tuple[Selection, ...]) -> tuple[Selection, ...]:
    """A union with as few parts as are easily seen to do."""
    joined: dict[frozenset[r.Node], int] = {}
    for one in selections:
        joined[one.others] = joined.get(one.others, 0) | one.kinds
    kept = [Selection(kinds, others) for others, kinds in joined.items()]
    return tuple(
        one
        for one in kept
        if one.kinds
        and not any(o is not one and o.others <= one.others and o.kinds | one.kinds == o.kinds for o in kept)
    )


def _merged(
    letters: list[Letter], moves: dict[tuple[int, int], tuple[Selection, ...]]
) -> tuple[tuple[Letter, ...], tuple[Move, ...]]:
    """Positions of one step from which the same follows are one; those that nothing leads to or from are none."""
    hub = len(letters)
    useful = _reached(hub, moves, forwards=True) & _reached(hub, moves, forwards=False)
    moves = {pair: tests for pair, tests in moves.items() if pair[0] in useful and pair[1] in useful}
    group: dict[int, int] = {}
    signature: dict[int, object] = {at: letters[at] if at < hub else None for at in useful}
    count = 0
    while True:
        numbers: dict[object, int] = {}
        group = {at: numbers.setdefault(signature[at], len(numbers)) for at in sorted(useful)}
        if len(numbers) == count:
            break
        count = len(numbers)
        onward: dict[int, dict[int, tuple[Selection, ...]]] = {at: {} for at in useful}
        for (source, target), tests in moves.items():
            known = onward[source].get(group[target], ())
            onward[source][group[target]] = _either((*known, *tests))
        signature = {
            at: (group[at], frozenset((to, frozenset(tests)) for to, tests in onward[at].items())) for at in useful
        }
    named = {number: at for at, number in sorted(group.items(), reverse=True)}  # the first of each
    order = sorted(at for at in named.values() if at < hub)
    renamed = {group[at]: k for k, at in enumerate(order)}
    if hub in group:
        renamed[group[hub]] = len(order)
    made: dict[tuple[int, int], tuple[Selection, ...]] = {}
    for (source, target), tests in moves.items():
        if named[group[source]] == source:
            pair = renamed[group[source]], renamed[group[target]]
            made[pair] = _either((*made.get(pair, ()), *tests))
    flat = tuple((a, test, b) for (a, b), tests in sorted(made.items()) for test in tests)
    return tuple(letters[at] for at in order), flat


def _reached(start: int, moves: Iterable[tuple[int, int]], *, forwards: bool) -> set[int]:
    onward: dict[int, list[int]] = {}
    for a, b in moves:
        onward.setdefault(a if forwards else b, []).append(b if forwards else a)
    seen, waiting = {start}, [start]
    while waiting:
        for at in onward.get(waiting.pop(), ()):
            if at not in seen:
                seen.add(at)
                waiting.append(at)
    return seen
