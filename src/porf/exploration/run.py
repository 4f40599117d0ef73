"""Runs an exploration: in one go, in several processes, or with a checkpoint; and adds up what they found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.exploration.graph import COLUMNS
from porf.exploration.token import digest
from porf.programs.form import Program
from porf.programs.lower import lower

Task = tuple[list[int], int]  # choices from the root, and how many of them are fixed
WHOLE: Task = ([], 0)
SLICE = 0.5  # seconds that a process works on a task before it hands back what is left
SAVE_EVERY = 20.0  # seconds between checkpoints
COUNTS = ("complete", "blocked", "cut", "erroneous", "dead", "graphs", "spins")
NO_LIMIT, TIME, MEMORY, STOPPED = 0, 2, 3, 4  # the core's reasons to stop
TOO_LARGE = 5


@dataclass
class Request:
    """What the core is asked for; every process gets the same."""

    program: Program
    model: str
    arguments: dict[str, Any]  # of _core.explore, but for the tasks and the budget

    def digest(self, options: Iterable[str] | None = None) -> str:
        """What it depends on, as a word: the program, the model, and these of the arguments, or all."""
        known = {k: v for k, v in self.arguments.items() if k != "file" and (options is None or k in options)}
        if "file" in self.arguments:
            known["file"] = self.arguments["file"].__getstate__()
        return digest(self.program, self.model, known)


@dataclass
class Totals:
    """What was found so far."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    explored: float = 0.0
    states: dict[tuple[int, ...], int] = field(default_factory=dict)
    bugs: list[dict[str, Any]] = field(default_factory=list)
    spin_loops: set[int] = field(default_factory=set)
    cut_loops: set[int] = field(default_factory=set)
    executions: list[npt.NDArray[np.int64]] = field(default_factory=list)
    stuck: list[npt.NDArray[np.int64]] = field(default_factory=list)
    orders: list[npt.NDArray[np.int32]] = field(default_factory=list)
    fingerprints: list[npt.NDArray[np.uint64]] = field(default_factory=list)
    remaining: list[Task] = field(default_factory=list)
    limit: int = NO_LIMIT
    earlier: int = 0  # executions that a checkpoint already had

    def add(self, found: Mapping[str, Any]) -> None:
        for name in COUNTS:
            self.counts[name] += found[name]
        self.explored += found["explored"]
        for state, count in found["states"].items():
            self.states[state] = self.states.get(state, 0) + count
        self._add_bugs(found["bugs"])
        self.spin_loops.update(found["spin_loops"])
        self.cut_loops.update(found["cut_loops"])
        self.executions += found["executions"]
        self.stuck += found["stuck"]
        self.orders += found["orders"]
        self.fingerprints.append(found["fingerprints"])

    def _add_bugs(self, bugs: Iterable[dict[str, Any]]) -> None:
        """Of reports of the same bug, the one that one process alone would meet first; all in that order."""
        known = {_identity(bug): bug for bug in self.bugs}
        for bug in bugs:
            other = known.get(_identity(bug))
            if other is None or bug["path"] < other["path"]:
                known[_identity(bug)] = bug
        self.bugs = sorted(known.values(), key=lambda bug: bug["path"])

    @property
    def done(self) -> int:
        """How many executions were met, whatever became of them."""
        return sum(self.counts[name] for name in ("complete", "blocked", "cut", "erroneous"))

    def duplicates(self) -> int:
        """How many executions were met again, by their fingerprints."""
        if not self.fingerprints:
            return 0
        pairs = np.concatenate(self.fingerprints).reshape(-1, 2)
        return len(pairs) - len(np.unique(pairs, axis=0))


def _identity(bug: Mapping[str, Any]) -> tuple[int, int, int]:
    """What makes two reports the same bug: the kind and the instructions."""
    other = -1 if bug["other"] < 0 else int(bug["events"].reshape(-1, COLUMNS)[bug["other"]][8])
    a, b = sorted((bug["pc"], other))
    return bug["bug"], a, b


@dataclass(frozen=True)
class Plan:
    """How to run it."""

    jobs: int = 1
    checkpoint: Path | None = None
    seconds: float | None = None
    bytes: int = 0
    limit: int = 0  # executions; 0: all
    keep_going: bool = False
    stop_at_cut: bool = False
    progress: Callable[[int, int, float], object] | None = None


def run(request: Request, plan: Plan, tasks: list[Task] | None = None) -> Totals:
    """Everything that the tasks cover, or as much as the plan allows."""
    from porf.exploration.checkpoint import load_checkpoint, save_checkpoint

    totals = Totals()
    totals.remaining = list(tasks) if tasks is not None else [WHOLE]
    if plan.jobs == 1 and plan.checkpoint is None:
        _take(totals, request, plan, plan.seconds)
        return totals
    if plan.checkpoint is not None:
        load_checkpoint(plan.checkpoint, request, totals)
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    saved = time.monotonic()
    slices = _alone(request, plan, totals, deadline) if plan.jobs == 1 else _shared(request, plan, totals, deadline)
    for _ in slices:
        if plan.checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
            save_checkpoint(plan.checkpoint, request, totals)
            saved = time.monotonic()
    if plan.checkpoint is not None:
        save_checkpoint(plan.checkpoint, request, totals)
    return totals


def _take(totals: Totals, request: Request, plan: Plan, seconds: float | None) -> None:
    """One call of the core, in this process, for all that remains. In the order of paths, so that the first bug is
    the same however often the work was interrupted."""
    before = dict(totals.counts)
    explored = totals.explored
    progress = plan.progress

    class Shown:
        interrupted = False

        def __call__(self, complete: int, blocked: int, share: float) -> None:
            if progress is not None:
                progress(before["complete"] + complete, before["blocked"] + blocked, explored + share)

    shown = Shown()
    found = _core.explore(
        lower(request.program),
        tasks=sorted(totals.remaining),
        limit=_left(totals, plan),
        seconds=seconds or 0.0,
        bytes=plan.bytes,
        progress=shown,
        **request.arguments,
    )
    totals.add(found)
    totals.remaining = _tasks(found)
    totals.limit = STOPPED if shown.interrupted else _limit(found)


def _tasks(found: Mapping[str, Any]) -> list[Task]:
    return [(list(path), floor) for path, floor in found["remaining"]]


def _limit(found: Mapping[str, Any]) -> int:
    return TOO_LARGE if found["too_large"] else int(found["limit"])


def _left(totals: Totals, plan: Plan) -> int:
    """How many executions may still be met; 0: any number."""
    return max(1, plan.limit - (totals.done - totals.earlier)) if plan.limit else 0


def _alone(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Slice after slice, so that a checkpoint can be saved in between."""
    while totals.remaining and not _over(totals, plan):
        seconds = SAVE_EVERY if deadline is None else min(SAVE_EVERY, deadline - time.monotonic())
        if seconds <= 0:
            totals.limit = TIME
            return
        _take(totals, request, plan, seconds)
        if totals.limit == TIME:
            totals.limit = NO_LIMIT  # only this slice's
        yield


def _over(totals: Totals, plan: Plan) -> bool:
    if totals.bugs and not plan.keep_going:
        return not _earlier_than_bugs(totals.remaining, totals)
    if plan.limit and totals.done - totals.earlier >= plan.limit:
        return True
    if plan.stop_at_cut and totals.counts["cut"]:
        return True
    return totals.limit in (MEMORY, STOPPED, TOO_LARGE)


def _earlier_than_bugs(tasks: list[Task], totals: Totals) -> list[Task]:
    """Tasks in which one process alone would look before it met the first bug that is known."""
    return [task for task in tasks if task[0] < totals.bugs[0]["path"]]


_worker: tuple[Any, dict[str, Any]] | None = None


def _begin(request: Request) -> None:
    import signal

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us
    _worker = lower(request.program), request.arguments


def _work(tasks: list[Task], limit: int, seconds: float, bytes_: int) -> dict[str, Any]:
    assert _worker is not None
    program, arguments = _worker
    return _core.explore(program, tasks=tasks, limit=limit, seconds=seconds, bytes=bytes_, progress=None, **arguments)


def _shared(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Processes take tasks from one list, and put back what a slice of time left of them."""
    with ProcessPoolExecutor(plan.jobs, initializer=_begin, initargs=(request,)) as pool:
        running: dict[Future[dict[str, Any]], list[Task]] = {}
        todo = sorted(totals.remaining, reverse=True)
        try:
            while todo or running:
                if totals.bugs and not plan.keep_going:
                    todo = _earlier_than_bugs(todo, totals)
                slice_ = SLICE if deadline is None else min(SLICE, deadline - time.monotonic())
                late = slice_ <= 0
                stop = late or _over(totals, plan)
                if stop and not running:
                    totals.limit = TIME if late else totals.limit
                    break
                while todo and len(running) < plan.jobs and not stop:
                    share = max(1, len(todo) // (2 * plan.jobs))
                    batch, todo = sorted(todo[-share:]), todo[:-share]
                    running[pool.submit(_work, batch, _left(totals, plan), slice_, plan.bytes)] = batch
                for future in wait(running, timeout=SLICE, return_when=FIRST_COMPLETED).done:
                    del running[future]
                    found = future.result()
                    totals.add(found)
                    todo = sorted(todo + _tasks(found), reverse=True)
                    if _limit(found) in (MEMORY, TOO_LARGE):
                        totals.limit = _limit(found)
                totals.remaining = todo + [task for batch in running.values() for task in batch]
                if plan.progress is not None:
                    plan.progress(totals.counts["complete"], totals.counts["blocked"], totals.explored)
                yield
        except KeyboardInterrupt:
            totals.limit = STOPPED
            for future in [*running]:  # their slices are short
                del running[future]
                totals.add(future.result())
                todo += _tasks(future.result())
        totals.remaining = todo + [task for batch in running.values() for task in batch]
