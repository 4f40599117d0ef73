"""The second part of an exploration under a model that allows cycles of program order and reads-from: the executions
that have one."""

from __future__ import annotations

import time

from porf import _core
from porf._core import BugKind, Engine, KeptOrder, Limit, Order, Task
from porf.errors import UsageError
from porf.exploration.request import Request
from porf.exploration.run import Plan, Totals, executions_left
from porf.programs.lower import instruction, lower
from porf.record import replace

NO_RACES = "data races are not looked for in executions in which program order and reads-from form a cycle"
NOT_JUDGED = (
    "there may be executions with a cycle of program order and reads-from in which threads wait, meet, access a place "
    "with several widths or are very long: these are not judged"
)
_SYNCHRONISE = (
    KeptOrder.DATA | KeptOrder.ADDRESS | KeptOrder.CONTROL | KeptOrder.ACQUIRE | KeptOrder.RELEASE
    | KeptOrder.FENCE << Order.ACQ | KeptOrder.FENCE << Order.REL | KeptOrder.FENCE << Order.ACQ_REL
)  # fmt: skip


def refuse_with_cycles(request: Request, plan: Plan) -> None:
    """What is not there for such models."""
    for given, option in (
        (plan.checkpoint is not None, "checkpoint"),
        (request.settings.strategy is _core.Strategy.TRACER, "strategy tracer"),
    ):
        if given:
            raise UsageError(
                f"--{option} is not for {request.model}, which allows cycles of program order and reads-from",
                hint=f"leave out --{option}",
            )


def _reads(request: Request, totals: Totals) -> list[int]:
    """The reads of which cycles can be made, by their instructions. Without a data race none is plain, if accesses and
    fences that synchronise keep order, too."""
    reads = totals.early.reads_of_cycles()
    races = any(bug.kind is BugKind.RACE for bug in totals.findings.bugs)
    if races or (request.settings.kept & _SYNCHRONISE) != _SYNCHRONISE:
        return reads
    return [pc for pc in reads if instruction(request.program, pc)[1].order is not Order.NA]


def add_cycles(request: Request, plan: Plan, totals: Totals, started: float) -> Request:
    """Adds what such executions show, if there can be some and all others were explored; and notes that."""
    reads = _reads(request, totals)
    if not reads or totals.remaining or totals.too_large or (totals.findings.bugs and not plan.keep_going):
        return request
    if plan.limit and totals.done - totals.earlier >= plan.limit:
        totals.remaining = [Task([], 0)]
        return request
    left = None if plan.seconds is None else max(1e-3, plan.seconds - (time.perf_counter() - started))
    asked = request.asking(engine=Engine.AXIOMS, foreseeing=reads, symmetry=False, commuting=False)
    before, stopped = totals.findings, False

    def progress(complete: int, blocked: int, share: float) -> None:
        if plan.progress is not None:
            plan.progress(before.complete + complete, before.blocked + blocked, share)

    try:
        found = _core.explore(
            lower(request.program),
            asked.settings,
            [Task([], 0)],
            limit=executions_left(totals, plan),
            seconds=left or 0.0,
            bytes=plan.bytes,
            progress=progress,
        )
    except KeyboardInterrupt:
        totals.limit, totals.remaining, stopped = Limit.STOPPED, [Task([], 0)], True
    if not stopped:
        totals.findings.add(found.findings)
        totals.remaining, totals.limit, totals.too_large = found.remaining, found.limit, found.too_large
        totals.unjudged = bool(found.unjudged)
    return replace(request, program=replace(request.program, notes=(*request.program.notes, NO_RACES)))
