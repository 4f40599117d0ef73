"""What a test has found, as one value: bugs, the condition of a litmus test, and why it may be undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porf._core import BugReport, FinalState, Limit
from porf.exploration.bugs import Bug, bug_of
from porf.exploration.judge import places_of, refuse_unsupported
from porf.models.registry import Model
from porf.record import replace
from porf.testing.coverage import Coverage
from porf.testing.minimise import LONGEST
from porf.testing.request import TestRequest
from porf.testing.run import Plan, Totals, condition_at
from porf.testing.tested import Testing

if TYPE_CHECKING:
    from porf.programs.litmus import LitmusTest

ANY_THREADS = ("sc", "tso", "wra")  # models whose long runs may have as many threads as explored programs


def judge(
    request: TestRequest,
    model: Model,
    plan: Plan,
    totals: Totals,
    *,
    seconds: float,
    replayed: bool,
    test: LitmusTest | None,
) -> Testing:
    program, found = request.program, totals.findings
    states = {tuple(state.values): state.executions for state in found.states}
    reports = totals.bugs if request.settings.keep_going else totals.bugs[:1]
    by_seed = any(len(report.path) > LONGEST for report in reports)
    bugs = [_bug(request, report, found.states) for report in reports]
    observation, allowed = None, None
    if test is not None and not replayed:
        from porf.programs.litmus import observe, offending
        from porf.testing.states import allowed_states

        observation, allowed = observe(test, states), allowed_states(test, model)
        broken = set(offending(test, states))
        ends = [state for state in found.states if tuple(state.values) in broken]
        if ends:
            first = min(ends, key=lambda state: len(state.path))
            bugs.append(_bug(request, condition_at(request, plan, first.path), [first]))
    if not bugs:
        refuse_unsupported(request, found.refused)
    return Testing(
        program=program,
        model=request.model,
        bugs=tuple(bugs),
        runs=totals.runs,
        events=totals.events,
        complete=found.complete,
        blocked=found.blocked,
        cut=found.cut,
        erroneous=found.erroneous,
        dead=found.dead,
        states=states,
        coverage=Coverage.of(totals.coverage, found.complete),
        seconds=seconds,
        how=plan.how,
        interrupted=totals.limit is Limit.STOPPED,
        replayed=replayed,
        reasons=tuple(_reasons(request, totals, plan, replayed)),
        assumptions=places_of(program, found.assumptions),
        spins=places_of(program, found.spin_loops),
        observation=observation,
        allowed=allowed,
        by_seed=by_seed,
    )


def _bug(request: TestRequest, report: BugReport, states: list[FinalState]) -> Bug:
    values = states[0].values if states and report.kind.name == "CONDITION" else []
    long = len(report.path) > LONGEST
    if long:
        report.path = []
    bug = bug_of(request.program, report, request.token_head, values, request.synchronising)
    return replace(bug, token="") if long else bug


def _reasons(request: TestRequest, totals: Totals, plan: Plan, replayed: bool) -> list[str]:
    """Why a test without a bug says even less than others."""
    reasons = []
    if replayed:
        reasons.append("one run was replayed")
    if totals.too_large:
        reasons.append(
            "a run is too long for a program with several widths of one place, or with more than 64 threads: "
            f"{', '.join(ANY_THREADS)} keep any number of threads"
        )
    if totals.limit is Limit.MEMORY:
        reasons.append("the memory is used up")
    if totals.limit is Limit.STOPPED:
        reasons.append("it was interrupted")
    if totals.findings.cut:
        reasons.append(f"{totals.findings.cut} of {totals.runs} runs were cut after {plan.how.most_events} events")
    if totals.waiting:
        whether = "" if request.settings.liveness else ": --liveness says whether for ever"
        reasons.append(f"{totals.waiting} of {totals.runs} runs ended in a loop that waits{whether}")
    if not totals.runs and not reasons:
        reasons.append("the time was up before the first run had ended")
    return reasons
