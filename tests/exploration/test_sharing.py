"""Work that several processes share: dealt out evenly, handed back when another one has nothing to do, done once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from porf import _core
from porf._core import Limit, Task
from porf.allowance import Allowance, SpentError
from porf.exploration import explore
from porf.exploration.request import request_of
from porf.exploration.share import Slice, dealt
from porf.models.registry import find_model
from porf.processes import DiedError, Flag, Processes, apart, ready
from porf.programs.form import Program
from porf.programs.lower import lower
from tests.cli.calling import PORF
from tests.exploration import known_programs as known

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")


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
        stop = Slice(flag(True), 0.0)
        found = _core.explore(program, request.settings, sorted(tasks), limit=0, seconds=0, bytes=0, progress=stop)
        assert (found.limit is Limit.STOPPED) == stop.interrupted == bool(found.remaining)
        complete += found.findings.complete
        tasks = found.remaining
        slices += 1
    assert complete == whole and slices > 1


@pytest.mark.parametrize(("wanted", "least"), [(False, 0.0), (True, 3600.0)])
def test_a_slice_goes_on_if_nobody_waits_or_it_has_only_begun(wanted: bool, least: float) -> None:
    request = request_of(fibonacci(4), find_model("ra"))
    stop = Slice(flag(wanted), least)
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
        with pytest.raises(DiedError):
            two.answer()
    with pytest.raises(ChildProcessError):
        os.waitpid(one.number, 0)


def workers_of(parent: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    return [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def exploring() -> Iterator[subprocess.Popen[str]]:
    """An exploration that two processes share, at work."""
    program = "examples/programs/fib_bench.py"
    call = [PORF, "explore", program, "-m", "ra", "-D", "n=6", "--jobs", "2", "--seconds", "60"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 20
        while len(workers_of(process.pid)) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        yield process
        process.kill()


@linux
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT", "exit"])
def test_what_a_process_was_doing_when_it_died_is_done_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the first few that begin work ends in the middle of it."""
    deaths = Flag()
    real = _core.explore

    def explore_or_die(*arguments: Any, **named: Any) -> Any:
        if os.getpid() != parent and not deaths.is_up:
            deaths.raise_if(True)
            if name == "exit":
                os._exit(1)
            os.kill(os.getpid(), getattr(signal, name))
        return real(*arguments, **named)

    parent = os.getpid()
    alone = explore(fibonacci(4), "rc11")
    monkeypatch.setattr(_core, "explore", explore_or_die)
    shared = explore(fibonacci(4), "rc11", jobs=2, self_check=True)
    assert deaths.is_up
    assert (shared.verdict, shared.executions, shared.blocked) == (alone.verdict, alone.executions, alone.blocked)
    assert shared.record()["duplicates"] == 0


@linux
def test_work_that_every_process_dies_of_is_left_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    monkeypatch.setattr(_core, "explore", lambda *_, **__: os._exit(1) if os.getpid() != parent else None)
    found = explore(fibonacci(3), "ra", jobs=2)
    assert (found.verdict, found.finished, found.exit_code) == ("undecided", False, 3)
    assert any("ended every process that tried it" in reason for reason in found.reasons)


@linux
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])
def test_no_process_outlives_the_one_that_started_it(exploring: subprocess.Popen[str], name: str) -> None:
    started = workers_of(exploring.pid)
    assert len(started) == 2
    exploring.send_signal(getattr(signal, name))
    exploring.communicate(timeout=20)
    assert exploring.returncode == (-signal.SIGKILL if name == "SIGKILL" else 3)
    until = time.monotonic() + 10
    while any(map(alive, started)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, started))


def test_what_takes_too_long_is_ended_in_its_own_process() -> None:
    started = time.monotonic()
    with pytest.raises(SpentError), Allowance(0.2):
        apart(lambda: time.sleep(600))
    assert time.monotonic() - started < 60
    assert apart(lambda: os.getpid()) != os.getpid()
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 // 0)
    with pytest.raises(DiedError):
        apart(lambda: os._exit(3))


class _Slow:
    """Does in a while what another one does at once."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def _while(self) -> None:
        until = time.monotonic() + 0.4
        while time.monotonic() < until:
            pass

    def restore(self) -> None:
        self._while()
        self._real.restore()

    def end(self) -> None:
        self._while()
        self._real.end()


def test_a_limit_is_not_heard_while_its_block_ends() -> None:
    """It was, and left the limit and its timer to what came after the block."""
    allowance: Any = Allowance(0.01)
    with allowance:
        allowance._before, allowance._ticks = _Slow(allowance._before), _Slow(allowance._ticks)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert _core.Allowance.exceeded(0) is _core.Limit.NONE
