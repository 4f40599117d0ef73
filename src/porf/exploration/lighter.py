"""After the first bug: an execution with the same bug that is easier to read. Those around it are explored for a short
time, all of them if there are few, and the core keeps the lightest: fewest events before the bug, then fewest changes
of threads, then fewest reads of old values."""

from __future__ import annotations

from porf._core import BugKind, BugReport, Limit, NoSuchPath, Strategy, Task
from porf.exploration.request import Request
from porf.exploration.run import Plan, Totals, run
from porf.record import replace

SECONDS = 0.6  # that it may take
EARLY = 0.5  # of that: if the bug was found so soon, all is explored from the beginning


def lighten(request: Request, plan: Plan, totals: Totals, spent: float) -> None:
    """Puts the lightest report of the first bug in its place."""
    found = totals.findings.bugs
    if not found or plan.keep_going or request.settings.strategy is Strategy.TRACER:
        return
    seconds = SECONDS if plan.seconds is None else min(SECONDS, plan.seconds - spent)
    if seconds <= 0 or found[0].kind is BugKind.CONDITION:
        return
    around = None if spent < EARLY * seconds else [Task(found[0].path, len(found[0].path)), *totals.remaining]
    settings = totals.guesses.settings(request.settings)
    asked = replace(request, settings=settings).asking(keep_going=True, lightest=True, stop_at_cut=False)
    try:
        more = run(asked, replace(plan, seconds=seconds, jobs=1, checkpoint=None, limit=0, progress=None), around)
    except NoSuchPath:  # it was found by what paths do not know
        return
    if more.limit is Limit.STOPPED:
        totals.limit = Limit.STOPPED
    same = [report for report in more.findings.bugs if identity(report) == identity(found[0])]
    if same:
        totals.findings.bugs = [same[0], *found[1:]]


def identity(report: BugReport) -> tuple[BugKind, int, int]:
    """As the core tells bugs apart."""
    return report.kind, max(report.pc, report.other_pc), min(report.pc, report.other_pc)
