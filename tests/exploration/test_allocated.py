"""Allocated objects in several processes, with checkpoints, and under each strategy: the same reports and counts.

Each process numbers objects as it meets them, so nothing that is told may depend on numbers.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from porf.execution import Order
from porf.exploration import explore, share
from porf.exploration.classes import classes
from porf.exploration.found import Exploration
from porf.programs.assemble import Assembler
from porf.programs.form import Allocation, Modify, Opcode, Program, Start, pointer
from tests.exploration.machine_programs import function
from tests.exploration.random_heap import NODE, without_numbers
from tests.exploration.random_heap import random_heap as heap
from tests.exploration.random_programs import LOADS


def exchanges(threads: int, frees: bool) -> Program:
    """Each thread puts a node of its own in a place, twice, and frees what was there, or looks at it."""

    def code(a: Assembler) -> None:
        for n in range(2):
            node, old, out = a.register(), a.register(), a.label()
            a.emit(Opcode.ALLOCATE, a=node, b=a.constant(16), c=0, kind=Allocation.HEAP)
            a.emit(Opcode.STORE, b=node, c=a.constant(n), width=8, order=Order.RLX)
            where = a.constant(pointer(0))
            order = Order.ACQ_REL
            a.emit(Opcode.RMW, a=old, b=where, c=node, kind=Modify.EXCHANGE, width=8, order=order)
            a.jump_unless(old, out)
            a.emit(Opcode.LOAD, a=a.register(), b=old, width=8, order=LOADS[0])
            if frees:
                a.emit(Opcode.FREE, b=old)
            a.put(out)
            if not frees:
                a.emit(Opcode.FREE, b=node)

    shared = heap(0).objects[:1]
    return Program("exchanges", shared, (function("t", code),), (Start(0),) * threads, layouts=(NODE,))


def told(found: Exploration) -> tuple[object, ...]:
    bugs = [(b.kind, b.message, b.where, b.execution.words, b.token) for b in found.bugs]
    return found.verdict, found.executions, found.blocked, bugs


@pytest.mark.parametrize("frees", [True, False])
def test_several_processes_tell_the_same(frees: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    program = exchanges(3, frees)
    alone = explore(program, "rc11", keep_going=True, leaks=True, self_check=True)
    monkeypatch.setattr(share, "SLICE", 0.01)  # so that there is something to share
    shared = explore(program, "rc11", keep_going=True, leaks=True, self_check=True, jobs=2)
    assert told(shared) == told(alone)
    assert (alone.duplicates, shared.duplicates) == (0, 0)
    assert {b.kind for b in alone.bugs} == {"memory leak" if frees else "use after free"}


def test_the_first_bug_is_the_same_in_several_processes() -> None:
    program = exchanges(3, False)
    assert told(explore(program, "rc11", jobs=2))[3] == told(explore(program, "rc11"))[3]


def test_a_checkpoint_goes_on_where_it_was(tmp_path: Path) -> None:
    program, path = exchanges(2, True), tmp_path / "it.checkpoint"
    whole = explore(program, "rc11", keep_going=True, leaks=True)
    explore(program, "rc11", keep_going=True, leaks=True, checkpoint=path, limit=3)
    rest = explore(program, "rc11", keep_going=True, leaks=True, checkpoint=path)
    assert told(rest) == told(whole)


@pytest.mark.parametrize("model", ["ra", "sc", "tso", "rc20"])
def test_schedules_find_the_same_classes(model: str) -> None:
    for seed in range(20):
        program = heap(seed, sc=model != "rc20")
        for a, b in zip(classes(program, model), classes(program, model, strategy="tracer"), strict=True):
            named = [Counter(without_numbers(program, c) for c in found) for found in (a, b)]
            assert named[0] == named[1], (program.name, model)
