"""Exploration: every consistent execution of a program under a model, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porf.exploration.found import Exploration
    from porf.models.registry import Model
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder

DEFAULT_MODEL = "cpp20"  # what C and C++ say today


def explore(
    program: str | Path | ProgramBuilder | Program | LitmusTest,
    model: str | Path | Model = DEFAULT_MODEL,
    *,
    strategy: str = "trust",
    equivalence: str = "rf",
    unroll: int | None = None,
    keep_going: bool = False,
    first: bool = False,
    self_check: bool = False,
    spurious: bool = True,
    symmetry: bool = True,
    lock_orders: bool = False,
    leaks: bool = False,
    liveness: bool = False,
    limit: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    checkpoint: str | Path | None = None,
    replay: str | None = None,
    progress: Callable[[int, int, float], object] | None = None,
) -> Exploration:
    """All executions of a program, one per class of (po, rf).

    >>> import porf
    >>> found = porf.explore("examples/programs/ticket_lock.py", "ra")
    >>> found.verdict, found.executions
    ('safe', 6)

    The default model is that of C++20. The program is the path of a C or C++ source file, a litmus test or a Python
    file; or it is a program that `porf.program` builds or `porf.load_program` reads. All executions of a litmus test
    are explored, whatever bugs they have, and its condition is judged: an execution that it excludes is a bug. `memory`
    is in bytes. Reading a program and what is to be known of a model counts towards the seconds, too. With `leaks`,
    memory that is never freed is a bug; with `liveness`, so is a loop that waits forever. Without `spurious`, weak
    compare-exchanges fail only if they find another value than they expect. Of executions that differ by a permutation
    of threads that nothing tells apart, one is explored, and all are counted; without `symmetry`, all are explored.
    Executions that differ in the order of critical sections are different only if these sections share what they
    access, or if a program is not free of races; with `lock_orders`, they always are. After the first bug, an execution
    with the same bug that is easier to read is looked for, for a moment; with `first`, the first one is shown.
    """
    from porf import _core
    from porf.allowance import Allowance, most_of_memory
    from porf.errors import check_options
    from porf.exploration.judge import judge
    from porf.exploration.replay import replay_token
    from porf.exploration.request import doubts_of, name_of, opened, refuse_plan, request_of
    from porf.exploration.run import Plan, run
    from porf.models.registry import find_model
    from porf.record import replace

    check_options(
        unroll=unroll, limit=limit, seconds=seconds, memory=memory, jobs=jobs, checkpoint=checkpoint, replay=replay
    )
    allowance = Allowance(seconds, memory, what=f"{name_of(program)} under {model}")
    with allowance:
        known = find_model(model)
        form, test = opened(program, assembly=True)
        if test is not None and test.as_kernel is not None and known.header.architecture == "lkmm":
            test = test.as_kernel()
            form = test.program
        if test is not None:
            from porf.exploration.candidates import by_candidates, explore_candidates, refuse_options

            if by_candidates(test, known):
                refuse_options(jobs=jobs > 1, checkpoint=checkpoint, replay=replay, limit=limit)
                return explore_candidates(test, known, unroll=unroll, seconds=seconds, memory=memory, progress=progress)
        keep_going = keep_going or test is not None
        request = request_of(
            form,
            known,
            strategy=strategy,
            equivalence=equivalence,
            unroll=unroll,
            keep_going=keep_going,
            lightest=keep_going,
            self_check=self_check,
            spurious=spurious,
            symmetry=symmetry,
            commuting=not lock_orders,
            leaks=leaks,
            liveness=liveness,
        )
        doubts = doubts_of(request, known)
    plan = Plan(
        jobs=jobs,
        checkpoint=Path(checkpoint) if checkpoint is not None else None,
        seconds=allowance.seconds,
        bytes=memory or most_of_memory(),
        limit=limit or 0,
        keep_going=keep_going,
        stop_at_cut=unroll is None,
        progress=progress,
    )
    refuse_plan(request, plan, replay)
    started = time.perf_counter()
    try:
        with allowance.without_ticks():
            totals = run(request, plan) if replay is None else replay_token(request, plan, replay, test)
            if replay is None and request.settings.kept >= 0:
                from porf.exploration.cycles import add_cycles

                request = add_cycles(request, plan, totals, started)
            if replay is None and totals.findings.bugs and not first:
                from porf.exploration.lighter import lighten

                lighten(request, plan, totals, time.perf_counter() - started)
        spent = time.perf_counter() - started
        said = replace(plan, seconds=seconds)
        return judge(request, said, totals, seconds=spent, replayed=replay is not None, doubts=doubts, test=test)
    except _core.Unsettled:
        from porf.language.evaluation import unsettled

        raise unsettled(known.file) from None
    except _core.NoSuchPath:  # those of a token are looked after where it is read
        from porf.exploration.checkpoint import damaged

        raise damaged(Path(str(checkpoint))) from None


__all__ = ["DEFAULT_MODEL", "explore"]
