"""The verdict of an exploration: its bugs, the condition of a litmus test, and why it may be undecided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from porf._core import BugKind, BugReport, FinalState, Limit, Strategy
from porf.errors import ProgramError
from porf.exploration.found import Exploration
from porf.exploration.replay import execution_at
from porf.exploration.request import Request
from porf.exploration.run import NUMBERS, Plan, Totals
from porf.exploration.sources import line_of, place_text
from porf.programs.form import Opcode, Place, Program
from porf.programs.lower import instruction
from porf.record import replace

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug
    from porf.programs.litmus import LitmusTest

_TO_SHOW = 0.3  # seconds, to run one execution again, where time is limited
FEW_TURNS = 5  # of loops that do not end


def judge(
    request: Request,
    plan: Plan,
    totals: Totals,
    *,
    seconds: float,
    replayed: bool,
    doubts: Iterable[str] = (),
    test: LitmusTest | None = None,
) -> Exploration:
    """The exploration as one value. Doubts are what is not known of the model."""
    program, found = request.program, totals.findings
    states = {tuple(state.values): state.executions for state in found.states}
    bugs = _bugs(request, plan, totals)
    observation, broken = None, set[tuple[int, ...]]()
    if test is not None:
        from porf.programs.litmus import observe, offending

        observation = observe(test, states)
        broken = set() if replayed else set(offending(test, states))
    if broken:
        bugs += _broken_condition(request, plan, [s for s in found.states if tuple(s.values) in broken])
    if not bugs:
        refuse_unsupported(request, found.refused)
    reasons = (*_reasons(request, plan, totals, replayed), *doubts)
    finished = not totals.remaining and not replayed and (plan.keep_going or not found.bugs)
    return Exploration(
        program=program,
        model=request.model,
        verdict="unsafe" if bugs or broken else "undecided" if reasons else "safe",
        executions=found.complete,
        blocked=found.blocked,
        bugs=tuple(bugs),
        states=states,
        observation=observation,
        algorithm=request.asking(engine=totals.guesses.settings(request.settings).engine).algorithm,
        seconds=seconds,
        finished=finished,
        interrupted=totals.limit is Limit.STOPPED,
        replayed=replayed,
        reasons=reasons,
        unsaved=totals.unsaved,
        spins=places_of(program, found.spin_loops),
        assumptions=places_of(program, found.assumptions),
        turns=FEW_TURNS if plan.stop_at_cut else 2 * request.settings.unroll,
        cuts=places_of(program, (pc for pc in found.cut_loops if _is_back(program, pc))),
        up_to_symmetry=found.distinct if found.distinct != found.complete else None,
        duplicates=found.duplicates() if request.settings.self_check else None,
        up_to_lock_orders=totals.commuting,
        statistics={name: getattr(found, name) for name in NUMBERS if name != "explored"},
    )


def _bugs(request: Request, plan: Plan, totals: Totals) -> list[Bug]:
    found = totals.findings
    reports = found.bugs if plan.keep_going else found.bugs[:1]  # two can be met by one event
    if not reports:
        return []
    from porf.exploration.bugs import bug_of

    program, head, sync = request.program, request.token_head, request.synchronising
    return [bug_of(program, report, head, _values(report, totals), sync) for report in reports]


def _values(report: BugReport, totals: Totals) -> list[int]:
    """The final state that is at fault: a replay has no other."""
    return totals.findings.states[0].values if report.kind is BugKind.CONDITION else []


def _broken_condition(request: Request, plan: Plan, states: list[FinalState]) -> list[Bug]:
    """The first execution that ends in a state that the condition of a litmus test excludes."""
    if request.settings.strategy is Strategy.TRACER:
        return []  # it has no paths to final states
    first = min(states, key=lambda state: state.path)
    again = execution_at(request, replace(plan, seconds=plan.seconds and _TO_SHOW), first.path)
    return _bugs(request, plan, again) if again is not None else []


def refuse_unsupported(request: Request, reports: Sequence[BugReport]) -> None:
    """What porf does not support is neither a bug nor none; it counts if none of the executions has a bug."""
    for report in reports[:1]:
        from porf.exploration.bugs import bug_of

        program, bug = request.program, bug_of(request.program, report, request.token_head)
        place = bug.where[0][1]
        raise ProgramError(
            ": ".join(dict.fromkeys(("unsupported", bug.kind, bug.message))),
            source=(place.file if place else "") or program.source or program.name,
            line=place.line if place else None,
            column=place.column if place else None,
            text=line_of(place, program.source) or None,
            hint=program.hints.get(bug.message),
        )


def _reasons(request: Request, plan: Plan, totals: Totals, replayed: bool) -> list[str]:
    """Why nothing can be said of all executions."""
    reasons = []
    found = totals.findings
    if replayed:
        reasons.append("one execution was replayed")
    elif totals.too_large:
        reasons.append("an execution has more events, threads or writes to one location than the engine supports")
    elif totals.deadly:
        parts = f"{len(totals.deadly)} parts" if len(totals.deadly) > 1 else "a part"
        reasons.append(f"{parts} of the exploration ended every process that tried it, perhaps for its memory")
    elif totals.limit is Limit.TIME:
        reasons.append(f"the time is up ({plan.seconds:g} s)")
    elif totals.limit is Limit.MEMORY:
        reasons.append("the memory is used up")
    elif totals.limit is Limit.STOPPED:
        reasons.append("it was interrupted")
    elif plan.limit and totals.remaining:
        reasons.append(f"the limit of {plan.limit} executions was reached")
    elif totals.remaining and not found.bugs and not found.cut:
        reasons.append("there is more to explore")
    if totals.unjudged:
        from porf.exploration.cycles import NOT_JUDGED

        reasons.append(NOT_JUDGED)
    if found.dead:
        reasons.append(f"the model does not let threads continue in {found.dead} graphs: it is not extensible")
    for place in places_of(request.program, (pc for pc in found.cut_loops if instruction(request.program, pc)[1].weak)):
        where = place_text(place, request.program.source or request.program.name)
        reasons.append(
            f"what may fail spuriously at {where} changes something each time: --no-spurious leaves that out"
        )
    if found.cut and any(_is_call(request.program, pc) for pc in found.cut_loops):
        reasons.append("calls are too deep")
    elif found.cut:
        places = places_of(request.program, (pc for pc in found.cut_loops if _is_back(request.program, pc)))
        how = "ran {} times" if plan.stop_at_cut else "was cut off after {} turns"
        for loop in (place_text(place, request.program.source or request.program.name) for place in places):
            reasons.append(f"the loop at {loop} {how.format(request.settings.unroll)}")
        if not places:
            reasons.append("a choice is among too many numbers")
    return reasons


def _is_call(program: Program, pc: int) -> bool:
    return instruction(program, pc)[1].opcode is Opcode.CALL


def _is_back(program: Program, pc: int) -> bool:
    return instruction(program, pc)[1].opcode is Opcode.BACK


def places_of(program: Program, pcs: Iterable[int]) -> tuple[Place | None, ...]:
    return tuple(dict.fromkeys(instruction(program, pc)[1].place for pc in sorted(pcs)))
