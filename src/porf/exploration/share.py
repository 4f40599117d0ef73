"""Processes share an exploration. When one has nothing left, the others hand back what is left of theirs, and all that
is dealt out again. What a process was given counts only when it answers: if it dies, another one begins it again.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from porf import _core
from porf._core import ExploreResult, Guess, Limit, Task
from porf.exploration.request import Request
from porf.exploration.run import Guesses, Plan, Totals, executions_left, is_over, only_earlier
from porf.processes import ENDING, DiedError, Flag, Process, Processes, ready
from porf.programs.lower import lower

SLICE = 2.0  # seconds that a process works on tasks before it hands back what is left, even if nobody wants it
# A slice lasts at least so many seconds, and at least this share of the whole time: handing back takes time, too.
LEAST_SLICE, LEAST_SHARE = 0.01, 0.02
PATIENCE = 0.3  # seconds after the end of the time, or after Ctrl-C, until those that do not answer are ended
# A task that its process dies of again and again is left: after a few crashes, or more ends that somebody or something
# outside of the process brought about.
MOST_DEATHS, CRASH, ENDED = 8, 4, 1
OUTSIDE = (signal.SIGKILL, *ENDING)


class Slice:
    """Tells the core to stop when another process has nothing to do, unless this slice has only just begun; and when
    nobody waits for the answer any more."""

    def __init__(self, wanted: Flag, least: float) -> None:
        self.interrupted = False
        self._wanted = wanted
        self._until = time.monotonic() + least
        self._parent = os.getppid()

    def __call__(self, complete: int, blocked: int, share: float) -> None:
        enough = self._wanted.is_up and time.monotonic() > self._until
        self.interrupted = enough or os.getppid() != self._parent


def shared(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Explores what remains; comes back whenever something was added to the totals."""
    wanted = Flag()
    program = lower(request.program)
    memory = plan.bytes // plan.jobs

    def work(tasks: list[Task], guesses: Guesses, limit: int, seconds: float, least: float) -> ExploreResult:
        stop, asked = Slice(wanted, least), guesses.settings(request.settings)
        return _core.explore(program, asked, tasks, limit=limit, seconds=seconds, bytes=memory, progress=stop)

    processes = Processes(plan.jobs, work)
    with processes as started:
        sharing = _Sharing(request, plan, totals, deadline, wanted)
        try:
            while sharing.goes_on():
                sharing.deal(started)
                wanted.raise_if(len(sharing.running) < plan.jobs)
                for process in ready(sharing.running, sharing.wait()):
                    if not sharing.take(process):
                        sharing.again(process, processes.replace(process))
                sharing.add_up()
                if plan.progress is not None:
                    found = totals.findings
                    plan.progress(found.complete, found.blocked, found.explored)
                yield
        except KeyboardInterrupt:
            totals.limit = Limit.STOPPED
            wanted.raise_if(True)
            sharing.collect(PATIENCE)
        sharing.add_up()


class _Sharing:
    def __init__(self, request: Request, plan: Plan, totals: Totals, deadline: float | None, wanted: Flag) -> None:
        self._request, self._plan, self._totals, self._deadline, self._wanted = request, plan, totals, deadline, wanted
        self._started = time.monotonic()
        self._todo = sorted(totals.remaining)
        self._outdated: set[Process] = set()  # they work under a guess that is known to be wrong
        self._deaths: dict[tuple[int, ...], int] = {}  # of those that had a task, by its path
        self.running: dict[Process, list[Task]] = {}

    def goes_on(self) -> bool:
        """Whether there is anything to be dealt out or waited for."""
        totals = self._totals
        if totals.findings.bugs and not self._plan.keep_going:
            self._todo = only_earlier(self._todo, totals)
        self._left = SLICE if self._deadline is None else min(SLICE, self._deadline - time.monotonic())
        self._stops = self._left <= 0 or is_over(totals, self._plan)
        if self._stops and (not self.running or self._left < -PATIENCE):
            totals.limit = Limit.TIME if self._left <= 0 else totals.limit
            return False
        return bool(self.running) or bool(self._todo)

    def wait(self) -> float:
        """How long for an answer: a look at the clock is due then."""
        return max(0.01, min(SLICE, self._left + PATIENCE))

    def deal(self, processes: Iterable[Process]) -> None:
        """Gives work to those that have none. A task that another one died of goes alone."""
        if not self._todo or self._stops:
            return
        least = max(LEAST_SLICE, (time.monotonic() - self._started) * LEAST_SHARE)
        idle = [process for process in processes if process not in self.running]
        doubtful = [task for task in self._todo if self._died(task)][: len(idle)]
        hands = [[task] for task in doubtful]
        if len(hands) < len(idle):
            hands += dealt([task for task in self._todo if not self._died(task)], len(idle) - len(hands))
        given = [task for hand in hands for task in hand]
        self._todo = [task for task in self._todo if task not in given] if len(given) < len(self._todo) else []
        for process, hand in zip(idle, hands, strict=False):
            self.running[process] = hand
            # What others died of is done in small pieces: what is done then is not done in vain.
            slice_ = max(LEAST_SLICE, self._left / 2 ** max(map(self._died, hand)))
            with suppress(DiedError):  # there is no answer then
                process.give(hand, self._totals.guesses, executions_left(self._totals, self._plan), slice_, least)

    def _died(self, task: Task) -> int:
        return self._deaths.get(tuple(task.path), 0) if self._deaths else 0

    def take(self, process: Process) -> bool:
        """What a process found; False if it has died."""
        totals = self._totals
        try:
            found: ExploreResult = process.answer()
        except DiedError:
            return False
        del self.running[process]
        if process in self._outdated:
            self._outdated.discard(process)
            return True
        if found.wrong is not Guess.NONE:
            totals.begin_again(found)
            self._todo, self._outdated = totals.remaining, {*self.running}
            self._deaths.clear()
            return True
        totals.findings.add(found.findings)
        totals.early.add(found.early)
        totals.keep_sections(found)
        self._todo = sorted(self._todo + found.remaining)
        totals.too_large |= found.too_large
        if found.limit is Limit.MEMORY:
            totals.limit = Limit.MEMORY
        return True

    def again(self, process: Process, ended_by: int) -> None:
        """The tasks of a process that a signal ended are begun again, unless it is clear which one it dies of."""
        batch = self.running.pop(process)
        if process in self._outdated:
            self._outdated.discard(process)
            return
        for task in batch:
            path = tuple(task.path)
            self._deaths[path] = self._died(task) + (ENDED if ended_by in OUTSIDE else CRASH)
        if len(batch) == 1 and self._died(batch[0]) > MOST_DEATHS:
            self._totals.deadly += batch
        else:
            self._todo = sorted(self._todo + batch)

    def collect(self, seconds: float) -> None:
        """The answers that come within so many seconds."""
        until = time.monotonic() + seconds
        while self.running and (left := until - time.monotonic()) > 0:
            for process in ready(self.running, left):
                if not self.take(process):
                    self.again(process, 0)

    def add_up(self) -> None:
        """What remains, wherever it is."""
        working = [task for p, batch in self.running.items() if p not in self._outdated for task in batch]
        self._totals.remaining = self._todo + working + self._totals.deadly


def dealt(tasks: list[Task], hands: int) -> list[list[Task]]:
    """Tasks dealt out like cards: in their order, those close to the root come last, and have most below them."""
    return [hand for n in range(hands) if (hand := tasks[n::hands])]
