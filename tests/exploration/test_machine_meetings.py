"""Choices and barriers: every number once, and everybody at once; what is refused and what is not decided."""

from __future__ import annotations

import pytest

from porf.errors import ProgramError, UsageError
from porf.execution import Order
from porf.exploration import explore
from porf.exploration.classes import classes
from porf.programs.assemble import Assembler
from porf.programs.form import Cell, Modify, Object, Opcode, Program, pointer
from tests.exploration.machine_programs import (
    bug,
    program,
    thread,
    verdict,
)


@pytest.mark.parametrize(("low", "high", "count"), [(0, 0, 1), (-1, 1, 3), (5, 4, 0), (1, 200, 200)])
def test_every_number_is_chosen_once(low: int, high: int, count: int) -> None:
    def code(a: Assembler) -> int:
        into = a.register()
        a.emit(Opcode.CHOOSE, a=into, b=a.constant(low), c=a.constant(high))
        return into

    complete, blocked = classes(program(code), "rc11")
    assert sorted(c[0][0][4] for c in complete) == list(range(low, high + 1))
    assert (len(complete), len(blocked)) == (count, 0 if count else 1)


@pytest.mark.parametrize(("low", "high"), [(0, 1 << 40), (-(1 << 63), (1 << 63) - 1)])
def test_too_many_numbers_to_choose_from_are_cut(low: int, high: int) -> None:
    found = verdict(program(lambda a: a.emit(Opcode.CHOOSE, a=a.register(), b=a.constant(low), c=a.constant(high))))
    assert found.verdict == "undecided"


def waits(a: Assembler) -> int:
    into = a.register()
    a.emit(Opcode.BARRIER, a=into, b=a.constant(pointer(0)), width=4)
    return into


def meeting(places: int, threads: int, times: int = 1) -> Program:
    def code(a: Assembler) -> None:
        for _ in range(times):
            chosen = waits(a)
            where = a.constant(pointer(1))
            a.emit(Opcode.RMW, a=a.register(), b=where, c=chosen, kind=Modify.ADD, width=4, order=Order.RLX)

    objects = (Object("b", 4, (Cell(0, 4, "b", places),)), Object("x", 4, (Cell(0, 4, "x"),)))
    return thread(code, threads, objects)


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
def test_choices_and_barriers_are_followed_by_one_strategy_only(strategy: str) -> None:
    chooses = program(lambda a: a.emit(Opcode.CHOOSE, a=a.register(), b=a.constant(0), c=a.constant(1)))
    for one in (chooses, meeting(2, 2)):
        if strategy == "trust":
            assert explore(one, "ra", strategy=strategy).verdict == "safe"
            continue
        with pytest.raises(UsageError, match=r"tracer does not support (choices|barriers)"):
            explore(one, "ra", strategy=strategy)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("times", [1, 2])
def test_one_of_those_who_meet_is_told_so(threads: int, times: int) -> None:
    for line in classes(meeting(threads, threads, times), "sc")[0]:
        added = [w - r for events in line for _, _, _, _, r, w in events if r is not None and w is not None]
        assert (len(added), sum(added)) == (threads * times, times)


def test_a_barrier_for_fewer_threads_than_come_is_not_explained() -> None:
    with pytest.raises(ProgramError, match="more threads wait at the barrier b than it was initialised for"):
        explore(meeting(2, 3), "rc11")


@pytest.mark.parametrize("places", [3, 0, -1])
def test_a_barrier_for_other_numbers_of_threads(places: int) -> None:
    if places > 0:
        assert bug(meeting(places, 2)) == "deadlock"
        return
    assert bug(meeting(places, 2)) == "wait at no barrier"


@pytest.mark.parametrize("model", ["ra", "sc", "rc11"])
def test_who_holds_a_mutex_waits_at_a_barrier_as_others_do(model: str) -> None:
    """Both want the mutex, and go to the barrier with it: only one can, and the barrier is for two."""

    def code(a: Assembler) -> None:
        a.emit(Opcode.LOCK, b=a.constant(pointer(1)), width=4)
        waits(a)
        a.emit(Opcode.UNLOCK, b=a.constant(pointer(1)), width=4)

    objects = (Object("b", 4, (Cell(0, 4, "b", 2),)), Object("m", 4, (Cell(0, 4, "m"),)))
    made = thread(code, 2, objects)
    assert [b.kind for b in explore(made, model).bugs] == ["deadlock"]
    assert [len(found) for found in classes(made, model)] == [0, 2]
