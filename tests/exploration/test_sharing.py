"""Work that several processes share: dealt out evenly, handed back when another one has nothing to do, done once."""

from __future__ import annotations

import os

import pytest

from porf import _core
from porf._core import Limit, Task
from porf.exploration import explore
from porf.exploration.processes import Flag, Processes, ready
from porf.exploration.request import request_of
from porf.exploration.run import _Slice, dealt
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.programs.lower import lower
from tests.exploration import known_programs as known


def flag(is_up: bool) -> Flag:
    found = Flag()
    found.raise_if(is_up)
    return found


def fibonacci(n: int) -> Program:
    return known.fib_bench(n)


def test_tasks_are_dealt_out_one_by_one() -> None:
    tasks = [Task([n], 1) for n in range(5)]
    assert [[task.path[0] for task in hand] for hand in dealt(tasks, 2)] == [[0, 2, 4], [1, 3]]
    assert [[task.path[0] for task in hand] for hand in dealt(tasks[:1], 3)] == [[0]]
    assert dealt([], 2) == []


def test_a_slice_ends_when_another_process_has_nothing_to_do() -> None:
    """Slice after slice, each with all that the one before it has left: nothing is lost, and nothing is done twice."""
    request = request_of(fibonacci(4), find_model("ra"))
    program, tasks, complete, slices = lower(request.program), [Task([], 0)], 0, 0
    whole = explore(fibonacci(4), "ra").executions
    while tasks:
        stop = _Slice(flag(True), 0.0)
        found = _core.explore(program, request.settings, sorted(tasks), limit=0, seconds=0, bytes=0, progress=stop)
        assert (found.limit is Limit.STOPPED) == stop.interrupted == bool(found.remaining)
        complete += found.findings.complete
        tasks = found.remaining
        slices += 1
    assert complete == whole and slices > 1


@pytest.mark.parametrize(("wanted", "least"), [(False, 0.0), (True, 3600.0)])
def test_a_slice_goes_on_if_nobody_waits_or_it_has_only_begun(wanted: bool, least: float) -> None:
    request = request_of(fibonacci(4), find_model("ra"))
    stop = _Slice(flag(wanted), least)
    program = lower(request.program)
    found = _core.explore(program, request.settings, [Task([], 0)], limit=0, seconds=0, bytes=0, progress=stop)
    assert not stop.interrupted and not found.remaining


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_find_together_what_one_finds(jobs: int) -> None:
    alone, shared = (explore(fibonacci(4), "rc11", jobs=n, self_check=True) for n in (1, jobs))
    assert (shared.verdict, shared.executions, shared.blocked) == (alone.verdict, alone.executions, alone.blocked)
    assert shared.record()["duplicates"] == 0


def test_processes_answer_what_they_are_given_and_raise_what_they_raise() -> None:
    up = Flag()

    def halved(number: int) -> tuple[int, bool]:
        if number == 7:
            os._exit(3)
        return 100 // number, up.is_up

    with Processes(2, halved) as (one, two):
        one.give(5)
        while not ready([one, two], 0.01):
            pass
        assert one.answer() == (20, False)
        up.raise_if(True)
        one.give(2)
        two.give(0)
        assert one.answer() == (50, True)
        with pytest.raises(ZeroDivisionError):
            two.answer()
        two.give(4)
        assert two.answer() == (25, True) and ready([one, two], 0) == []
        two.give(7)
        with pytest.raises(RuntimeError, match="ended before its work"):
            two.answer()
    with pytest.raises(ChildProcessError):
        os.waitpid(one.number, 0)
