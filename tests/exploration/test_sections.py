"""Critical sections that commute are not put in order: against the whole exploration, in which each order is one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from porf._core import ExploredEvent, Role
from porf.exploration.classes import class_of
from porf.exploration.request import request_of
from porf.exploration.run import Plan, Totals, run
from porf.models.registry import find_model
from porf.programs.form import Program
from tests.exploration.random_sections import random_sections


def explored(program: Program, model: str, commuting: bool) -> Totals:
    known = find_model(model)
    request = request_of(program, known, keep_going=True, collect=True, commuting=commuting, symmetry=False)
    return run(request, Plan(keep_going=True))


class Section(NamedTuple):
    """From which access of its thread on a thread has a mutex, and up to which; equal ones are counted."""

    thread: int
    mutex: int
    begin: int
    end: int
    number: int


class Told:
    """An execution: what threads can tell of it, and the order of sections that it has."""

    def __init__(self, rows: Sequence[ExploredEvent]) -> None:
        self.rows = rows
        self.names: dict[int, tuple[int, int]] = {}  # of accesses that are neither locks nor unlocks
        self.sections: dict[int, Section] = {}  # by the row of the lock
        ended: dict[int, int] = {}  # unlock -> its lock
        threads = defaultdict(list)
        for n in sorted((n for n, r in enumerate(rows) if r.access and not r.waits), key=lambda n: rows[n].index):
            threads[rows[n].thread].append(n)
        for thread, listed in threads.items():
            count, begun = 0, dict[int, tuple[int, int]]()
            numbers: dict[tuple[int, int, int], int] = defaultdict(int)

            def close(lock: int, begin: int, end: int, thread: int = thread, numbers: Any = numbers) -> None:
                key = (rows[lock].pointer, begin, end)
                self.sections[lock] = Section(thread, *key, numbers[key])
                numbers[key] += 1

            for n in listed:
                row = rows[n]
                if row.role == Role.NONE:
                    self.names[n] = (thread, count)
                    count += 1
                elif row.role == Role.UNLOCK:
                    lock, begin = begun.pop(row.pointer)
                    ended[n] = lock
                    close(lock, begin, count)
                elif row.writes:
                    begun[row.pointer] = (n, count)
            for lock, begin in begun.values():
                close(lock, begin, 1 << 30)
        # Sections, each with the one before it, of the same mutex or of the same part of one.
        self.before = {lock: ended[rows[lock].source] for lock in self.sections if rows[lock].source in ended}

    def image(self) -> Any:
        rows = self.rows
        read = (
            (name, rows[n].pc, rows[n].pointer, self.names.get(rows[n].source), rows[n].read)
            for n, name in self.names.items()
        )
        return tuple(sorted(read, key=lambda item: item[0]))

    def place(self, lock: int) -> int:
        """How many had the mutex before."""
        count = 0
        while lock in self.before:
            lock, count = self.before[lock], count + 1
        return count

    def covers(self, section: Section) -> int:
        """The place of the section here in which a section of another execution is."""
        [found] = [
            lock
            for lock, mine in self.sections.items()
            if mine == section or (mine[:2] == section[:2] and mine.begin <= section.begin < section.end == mine.end)
        ]
        return self.place(found)

    def stands_for(self, whole: Told) -> bool:
        """Is all that is in order here so there?"""
        return all(
            whole.covers(self.sections[first]) < whole.covers(self.sections[second])
            for second, first in self.before.items()
        )


def stand_for(every: Sequence[Sequence[ExploredEvent]], some: Sequence[Sequence[ExploredEvent]]) -> None:
    """Each of all executions is one that exactly one of the explored ones stands for, and none stands for nothing."""
    by_image = defaultdict(list)
    for told in map(Told, some):
        by_image[told.image()].append(told)
    met = set()
    for told in map(Told, every):
        [found] = [r for r in by_image[told.image()] if r.stands_for(told)]
        met.add(id(found))
    assert len(met) == len(some)


def compare(program: Program, model: str) -> tuple[int, int]:
    """How many executions there are with all orders, and how many without those that nobody can tell."""
    whole, fewer = explored(program, model, False), explored(program, model, True)
    a, b = whole.findings, fewer.findings
    assert {bug.kind for bug in a.bugs} == {bug.kind for bug in b.bugs}
    assert [bug.path for bug in a.bugs] == [bug.path for bug in b.bugs]
    assert (a.cut, a.erroneous, a.dead, b.dead) == (b.cut, b.erroneous, 0, 0)
    for every, some in ((a.executions, b.executions), (a.stuck, b.stuck)):
        assert fewer.commuting or len(every) == len(some)
        if Counter(class_of(program, e) for e in every) != Counter(class_of(program, e) for e in some):
            stand_for(every, some)
    return a.complete, b.complete


@pytest.mark.parametrize(("model", "seeds"), [("rc11", 400), ("ra", 100), ("sc", 100), ("tso", 100)])
def test_each_execution_is_one_of_those_that_an_explored_one_stands_for(model: str, seeds: int) -> None:
    every = fewer = 0
    for seed in range(seeds):
        a, b = compare(random_sections(seed), model)
        every, fewer = every + a, fewer + b
    assert fewer < 0.9 * every
