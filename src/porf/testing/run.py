"""Runs a test, or one run of it that is known by its token."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from porf import _core
from porf._core import BugKind, BugReport, Findings, Limit, TestSettings
from porf.exploration.replay import is_broken
from porf.exploration.token import Target, decode, gone, target_of
from porf.programs.form import Program
from porf.programs.lower import lower
from porf.record import Record, replace
from porf.testing.coverage import Coverage
from porf.testing.request import TestRequest

if TYPE_CHECKING:
    from porf.programs.litmus import LitmusTest


class Plan(Record):
    """How to choose, and for how long."""

    how: TestSettings
    runs: int = 0  # 0: any number
    seconds: float | None = None
    bytes: int = 0
    progress: Callable[[int, int, Coverage], object] | None = None


class Totals(Record, frozen=False):
    """What was found."""

    findings: Findings
    bugs: list[BugReport]
    coverage: _core.Coverage
    runs: int
    events: int
    waiting: int
    limit: Limit
    too_large: bool


class _Shown:
    """Progress. The core sets `interrupted` at Ctrl-C, and stops."""

    def __init__(self, progress: Callable[[int, int, Coverage], object] | None) -> None:
        self.progress = progress
        self.interrupted = False

    def __call__(self, runs: int, events: int, seen: _core.Coverage) -> None:
        if self.progress is not None:
            self.progress(runs, events, Coverage.of(seen, runs))  # which of them are complete is known in the end


def run(request: TestRequest, plan: Plan, path: list[int] | None = None) -> Totals:
    """All runs that the plan allows; or one, with the choices of a path."""
    shown = _Shown(plan.progress)
    found = _core.test(
        lower(request.program),
        request.settings,
        plan.how,
        runs=plan.runs,
        seconds=plan.seconds or 0.0,
        bytes=plan.bytes,
        path=path,
        progress=shown,
    )
    limit = Limit.STOPPED if shown.interrupted else found.limit
    findings = found.findings
    return Totals(
        findings,
        list(findings.bugs),
        found.coverage,
        found.runs,
        found.events,
        found.waiting,
        limit,
        found.too_large,
    )


def replayed(request: TestRequest, plan: Plan, token: str, test: LitmusTest | None) -> Totals:
    """The run of a token, with its bug and no other. A litmus test says which final states are bugs."""
    target = decode(request.token_head, token, f"{request.program.name} under {request.model}")
    totals = run(request, plan, target.path)
    if target.kind is BugKind.CONDITION:
        if not is_broken(test, totals.findings):
            raise gone(token)
        totals.bugs = [condition_at(request, plan, target.path)]
        return totals
    totals.bugs = same_bug(request.program, target, totals.bugs)[:1]
    if not totals.bugs:
        raise gone(token)
    return totals


def same_bug(program: Program, target: Target, reports: list[BugReport]) -> list[BugReport]:
    """The reports of the same kind at the same place."""
    there = [(target_of(program, report), report) for report in reports]
    return [
        r for found, r in there if (found.kind, found.line, found.column) == (target.kind, target.line, target.column)
    ]


def condition_at(request: TestRequest, plan: Plan, path: list[int]) -> BugReport:
    """The execution of a path, whose final state is reported as the bug."""
    from copy import copy

    settings = copy(request.settings)
    settings.collect = True
    found = run(replace(request, settings=settings), plan, path).findings
    report = BugReport()
    report.kind, report.thread, report.path = BugKind.CONDITION, 0, path
    report.events = found.executions[0] if found.executions else []
    return report
