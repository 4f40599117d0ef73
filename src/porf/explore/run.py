"""Runs an exploration: in one go, in several processes, or with a checkpoint; and adds up what they found."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.errors import UsageError
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
    arguments: dict[str, Any]  # of _core.explore, but for the tasks and the budget


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

    def add(self, found: Mapping[str, Any]) -> None:
        for name in COUNTS:
            self.counts[name] += found[name]
        self.explored += found["explored"]
        for state, count in found["states"].items():
            self.states[state] = self.states.get(state, 0) + count
        known = {_identity(bug) for bug in self.bugs}
        self.bugs += [bug for bug in found["bugs"] if _identity(bug) not in known]
        self.spin_loops.update(found["spin_loops"])
        self.cut_loops.update(found["cut_loops"])
        self.executions += found["executions"]
        self.stuck += found["stuck"]
        self.orders += found["orders"]
        self.fingerprints.append(found["fingerprints"])

    @property
    def done(self) -> int:
        return self.counts["complete"] + self.counts["blocked"]

    def duplicates(self) -> int:
        """How many executions were met again, by their fingerprints."""
        if not self.fingerprints:
            return 0
        pairs = np.concatenate(self.fingerprints).reshape(-1, 2)
        return len(pairs) - len(np.unique(pairs, axis=0))


def _identity(bug: Mapping[str, Any]) -> tuple[int, int, int]:
    """What makes two reports the same bug: the kind and the instructions."""
    from porf.explore.graph import COLUMNS

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
    progress: Callable[[int, int, float], object] | None = None


def run(request: Request, plan: Plan, tasks: list[Task] | None = None) -> Totals:
    """Everything that the tasks cover, or as much as the plan allows."""
    totals = Totals()
    todo = list(tasks) if tasks is not None else [WHOLE]
    if plan.checkpoint is not None and plan.checkpoint.exists():
        todo = load_checkpoint(plan.checkpoint, request, totals)
    if plan.jobs == 1 and plan.checkpoint is None:
        _take(totals, request, plan, todo, plan.seconds)
        return totals
    deadline = None if plan.seconds is None else time.monotonic() + plan.seconds
    saved = time.monotonic()
    totals.remaining = todo
    slices = _alone(request, plan, totals, deadline) if plan.jobs == 1 else _shared(request, plan, totals, deadline)
    for _ in slices:
        if plan.checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
            save_checkpoint(plan.checkpoint, request, totals)
            saved = time.monotonic()
    if plan.checkpoint is not None:
        save_checkpoint(plan.checkpoint, request, totals)
    return totals


def _take(totals: Totals, request: Request, plan: Plan, tasks: list[Task], seconds: float | None) -> None:
    """One call of the core, in this process."""
    limit = max(0, plan.limit - totals.done) if plan.limit else 0
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
        tasks=tasks,
        limit=limit,
        seconds=seconds or 0.0,
        bytes=plan.bytes,
        progress=shown,
        **request.arguments,
    )
    totals.add(found)
    totals.remaining = [(list(path), floor) for path, floor in found["remaining"]]
    totals.limit = TOO_LARGE if found["too_large"] else found["limit"]
    if shown.interrupted:
        totals.limit = STOPPED


def _alone(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Slice after slice, so that a checkpoint can be saved in between."""
    while totals.remaining:
        seconds = SAVE_EVERY if deadline is None else min(SAVE_EVERY, deadline - time.monotonic())
        if seconds <= 0:
            totals.limit = TIME
            return
        _take(totals, request, plan, totals.remaining, seconds)
        if _over(totals, plan):
            return
        totals.limit = NO_LIMIT
        yield


def _over(totals: Totals, plan: Plan) -> bool:
    if totals.bugs and not plan.keep_going:
        return True
    if plan.limit and totals.done >= plan.limit:
        return True
    return totals.limit in (MEMORY, STOPPED, TOO_LARGE)


_worker: tuple[Any, dict[str, Any]] | None = None


def _begin(request: Request) -> None:
    import signal

    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us
    _worker = lower(request.program), request.arguments


def _work(tasks: list[Task], limit: int, bytes_: int) -> dict[str, Any]:
    assert _worker is not None
    program, arguments = _worker
    return _core.explore(program, tasks=tasks, limit=limit, seconds=SLICE, bytes=bytes_, progress=None, **arguments)


def _shared(request: Request, plan: Plan, totals: Totals, deadline: float | None) -> Iterator[None]:
    """Processes take tasks from one list, and put back what a slice of time left of them."""
    with ProcessPoolExecutor(plan.jobs, initializer=_begin, initargs=(request,)) as pool:
        running: dict[Future[dict[str, Any]], list[Task]] = {}
        todo = totals.remaining
        try:
            while todo or running:
                stop = _over(totals, plan) or (deadline is not None and time.monotonic() > deadline)
                if stop and not running:
                    if deadline is not None and time.monotonic() > deadline:
                        totals.limit = TIME
                    break
                while todo and len(running) < plan.jobs and not stop:
                    share = max(1, len(todo) // (2 * plan.jobs))
                    batch, todo = todo[-share:], todo[:-share]
                    left = max(1, plan.limit - totals.done) if plan.limit else 0
                    running[pool.submit(_work, batch, left, plan.bytes)] = batch
                for future in wait(running, timeout=SLICE, return_when=FIRST_COMPLETED).done:
                    del running[future]
                    found = future.result()
                    totals.add(found)
                    if found["too_large"]:
                        totals.limit = TOO_LARGE
                    todo += [(list(path), floor) for path, floor in found["remaining"]]
                totals.remaining = todo + [task for batch in running.values() for task in batch]
                if plan.progress is not None:
                    plan.progress(totals.counts["complete"], totals.counts["blocked"], totals.explored)
                yield
        except KeyboardInterrupt:
            totals.limit = STOPPED
        totals.remaining = todo + [task for batch in running.values() for task in batch]


def save_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """What was found and what is left, written whole or not at all."""
    bugs = [{**bug, "events": bug["events"].tolist()} for bug in totals.bugs]
    data = {
        "porf": "checkpoint",
        "of": _signature(request),
        "counts": totals.counts,
        "explored": totals.explored,
        "states": [[list(state), count] for state, count in totals.states.items()],
        "bugs": bugs,
        "spin_loops": sorted(totals.spin_loops),
        "cut_loops": sorted(totals.cut_loops),
        "remaining": totals.remaining,
    }
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(data))
    part.replace(path)


def load_checkpoint(path: Path, request: Request, totals: Totals) -> list[Task]:
    """Fills the totals from a checkpoint; the tasks that are left."""
    wrong = f"'{path}' is no checkpoint of this exploration"
    hint = "resume with the program, model and options that it was begun with, or name a file that does not exist"
    try:
        data = json.loads(path.read_text())
        if data["of"] != _signature(request):
            raise UsageError(wrong, hint=hint)
        totals.counts = {name: int(data["counts"][name]) for name in COUNTS}
        totals.explored = float(data["explored"])
        totals.states = {tuple(state): count for state, count in data["states"]}
        totals.bugs = [{**bug, "events": np.array(bug["events"], np.int64)} for bug in data["bugs"]]
        totals.spin_loops = set(data["spin_loops"])
        totals.cut_loops = set(data["cut_loops"])
        return [(list(path_), int(floor)) for path_, floor in data["remaining"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(wrong, hint=hint) from error


def _signature(request: Request) -> str:
    import hashlib

    options = {k: v for k, v in request.arguments.items() if isinstance(v, int | bool | str)}
    if "file" in request.arguments:
        options["file"] = repr(request.arguments["file"].__getstate__())
    return hashlib.sha256(repr((request.program, sorted(options.items()))).encode()).hexdigest()[:16]
