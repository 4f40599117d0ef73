"""Testing: random executions of a program under a model, each of them consistent, until a bug is found."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from porf.exploration import DEFAULT_MODEL

if TYPE_CHECKING:
    from porf.models.registry import Model
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder
    from porf.testing.coverage import Coverage
    from porf.testing.tested import Testing

DEFAULT_RUNS, DEFAULT_SECONDS = 100_000, 10.0  # whichever comes first, if neither is given
DEFAULT_EVENTS = 1_000_000  # of a run


def test(
    program: str | Path | ProgramBuilder | Program | LitmusTest,
    model: str | Path | Model = DEFAULT_MODEL,
    *,
    runs: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    scheduler: str = "mix",
    depth: int = 3,
    reading: str = "mix",
    events: int | None = None,
    minimise: bool = True,
    keep_going: bool = False,
    spurious: bool = True,
    leaks: bool = False,
    liveness: bool = False,
    memory: int | None = None,
    replay: str | None = None,
    progress: Callable[[int, int, Coverage], object] | None = None,
) -> Testing:
    """Runs a program again and again, with random schedules and random sources of reads that the model allows.

    >>> import porf
    >>> porf.test("examples/programs/message_passing.py:message_passing_relaxed", "rc20", runs=1000).bugs[0].kind
    'data race'

    Without `runs` and `seconds`, there are 100,000 runs, or as many as 10 seconds allow. That no bug was found says
    nothing of other runs. A run that has more than `events` events is cut. A bug is shown by a run that is as simple as
    `minimise` could make it. `scheduler` is one of uniform, pct (with its `depth`), sticky and mix; `reading` is one of
    uniform, old, new, unseen and mix.
    """
    from porf.allowance import Allowance, most_of_memory
    from porf.errors import UsageError, check_options
    from porf.exploration.request import name_of, opened
    from porf.models.registry import find_model
    from porf.record import replace
    from porf.testing.judge import judge
    from porf.testing.minimise import minimised
    from porf.testing.request import request_for, settings_of
    from porf.testing.run import Plan, replayed, run

    check_options(runs=runs, seconds=seconds, seed=seed, jobs=jobs, depth=depth, memory=memory, replay=replay)
    if events is not None and events < 1:
        raise UsageError(f"a run of {events} events is none", hint="events=1000000")
    allowance = Allowance(seconds, memory, what=f"{name_of(program)} under {model}")
    with allowance:
        known = find_model(model)
        form, litmus = opened(program)
        request = request_for(
            form, known, keep_going=keep_going or litmus is not None, spurious=spurious, leaks=leaks, liveness=liveness
        )
    if runs is None and seconds is None:
        runs, seconds = DEFAULT_RUNS, DEFAULT_SECONDS
    how = settings_of(scheduler, depth, reading, seed, events or DEFAULT_EVENTS, jobs)
    left = allowance.seconds if allowance.seconds is not None else seconds
    plan = Plan(how=how, runs=runs or 0, seconds=left, bytes=memory or most_of_memory(), progress=progress)
    started = time.perf_counter()
    if replay is None:
        totals = run(request, plan)
        spent = time.perf_counter() - started
        if minimise:
            totals.bugs = [minimised(request, plan, report, allowance.seconds) for report in totals.bugs]
    else:
        totals = replayed(request, plan, replay, litmus)
        spent = time.perf_counter() - started
    return judge(
        request, known, replace(plan, seconds=seconds), totals, seconds=spent, replayed=replay is not None, test=litmus
    )


__all__ = ["DEFAULT_MODEL", "test"]
