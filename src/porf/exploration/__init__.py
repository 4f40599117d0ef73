"""Exploration: every consistent execution of a program under a model, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug
    from porf.exploration.found import Exploration
    from porf.exploration.graph import Class
    from porf.exploration.run import Plan, Request, Totals
    from porf.models.registry import Model
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.python import ProgramBuilder

STRATEGIES = ("trust", "tracer")  # by the core's numbers
DEFAULT_UNROLL = 10_000  # iterations; a loop that runs longer ends the exploration


def explore(
    program: str | Path | ProgramBuilder | Program | LitmusTest,
    model: str | Path | Model = "rc11",
    *,
    strategy: str = "trust",
    equivalence: str = "rf",
    unroll: int | None = None,
    keep_going: bool = False,
    self_check: bool = False,
    spurious: bool = False,
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
    """All executions of a program, one for each class of (po, rf).

    >>> import porf
    >>> found = porf.explore("examples/programs/ticket_lock.py", "ra")
    >>> found.verdict, found.executions
    ('safe', 6)

    The program is the path of a source of C or C++, of a litmus test or of a Python file; or it is a program that
    `porf.program` builds or `porf.load_program` reads. `memory` is in bytes. With `leaks`, memory that is not given
    back is a bug; with `liveness`, a loop that waits for what never comes.
    """
    from porf.checking.budget import most_of_memory
    from porf.exploration.replay import replay_token
    from porf.exploration.run import Plan, run
    from porf.models.registry import find_model

    known = find_model(model)
    form = _form(program)
    request = _request(
        form,
        known,
        strategy=strategy,
        equivalence=equivalence,
        unroll=unroll,
        keep_going=keep_going,
        self_check=self_check,
        spurious=spurious,
        leaks=leaks,
        liveness=liveness,
    )
    plan = Plan(
        jobs=jobs,
        checkpoint=Path(checkpoint) if checkpoint is not None else None,
        seconds=seconds,
        bytes=memory or most_of_memory(),
        limit=limit or 0,
        keep_going=keep_going,
        stop_at_cut=unroll is None,
        progress=progress,
    )
    _refuse(strategy, plan, replay, self_check)
    undecided = _unsuited(known) if "file" in request.arguments else []
    started = time.perf_counter()
    try:
        totals = run(request, plan) if replay is None else replay_token(request, plan, replay)
    except RuntimeError as error:
        if "does not settle" in str(error):
            raise _unsettled(known) from None
        raise
    return _exploration(request, known, totals, time.perf_counter() - started, plan, unroll, replay, undecided)


def with_state(found: Exploration, states: Collection[tuple[int, ...]]) -> Exploration:
    """The same, made unsafe by an execution that ends in one of these states, which must not be."""
    from dataclasses import replace

    from porf.exploration.bugs import bug_of
    from porf.exploration.replay import head_of
    from porf.exploration.witness import first_with_state

    assert found.request is not None and found.plan is not None
    report = None
    if found.request.arguments["strategy"] == 0:
        report = first_with_state(found.request, found.plan, states, seconds=2 + 3 * found.seconds)
    if report is None:  # tracer has no places to go on from
        return replace(found, verdict="unsafe")
    bug = bug_of(found.request.program, report, head_of(found.request))
    return replace(found, verdict="unsafe", bugs=(*found.bugs, bug))


def fits(
    token: str, program: Any, model: str | Path, *, strategy: str, unroll: int | None = None, spurious: bool = False
) -> bool:
    """Whether a token may be one of this program under this model."""
    from porf.exploration.replay import head_of
    from porf.models.registry import find_model

    request = _request(
        _form(program),
        find_model(model),
        strategy=strategy,
        equivalence="rf",
        keep_going=False,
        unroll=unroll,
        spurious=spurious,
    )
    return token.partition("-")[0] == head_of(request)


def classes(
    program: Program, model: str | Path, strategy: str = "trust", equivalence: str = "rf", spurious: bool = False
) -> tuple[list[Any], list[Class]]:
    """Every complete and every blocked execution as it was met, for tests and for small programs.

    A complete one is a class; where modification orders are told apart, it is a class and its order.
    """
    from porf.exploration.graph import class_of, written_of
    from porf.exploration.run import Plan, run
    from porf.models.registry import find_model

    request = _request(
        program,
        find_model(model),
        strategy=strategy,
        equivalence=equivalence,
        keep_going=True,
        spurious=spurious,
        collect=True,
    )
    totals = run(request, Plan(keep_going=True))
    if totals.counts["dead"]:
        raise AssertionError(f"{totals.counts['dead']} graphs could not go on")
    complete: list[Any] = [class_of(program, c) for c in totals.executions]
    if equivalence == "mo":
        pairs = zip(complete, totals.executions, totals.orders, strict=True)
        complete = [(c, written_of(rows, order)) for c, rows, order in pairs]
    return complete, [class_of(program, c) for c in totals.stuck]


def _unsuited(model: Model) -> list[str]:
    """What could not be decided of a model file; one that cannot be explored is refused."""
    from porf.exploration.requirements import require

    return require(model)


def _unsettled(model: Model) -> Exception:
    from porf.language.evaluation import unsettled

    return unsettled(model.file)


def _form(program: str | Path | ProgramBuilder | Program | LitmusTest) -> Program:
    from porf.programs import given_program
    from porf.programs.form import Program

    given = given_program(program)
    return given if isinstance(given, Program) else given.program


def _request(
    program: Program,
    model: Model,
    *,
    strategy: str,
    equivalence: str,
    keep_going: bool,
    unroll: int | None = None,
    self_check: bool = False,
    spurious: bool = False,
    leaks: bool = False,
    liveness: bool = False,
    collect: bool = False,
) -> Request:
    from porf.errors import UsageError
    from porf.exploration.adapt import adapt, with_backs
    from porf.exploration.engines import FILE, engine_of
    from porf.exploration.run import Request

    if equivalence == "mo" and not model.orders_writes:
        raise UsageError(f"{model.name} has no modification order to tell apart", hint="--equivalence rf")
    if strategy not in STRATEGIES:
        raise UsageError(f"unknown strategy '{strategy}'", hint=f"one of {', '.join(STRATEGIES)}")
    _refuse_opcodes(program, strategy)
    form = adapt(program, model.name)
    engine = engine_of(model, form, to_the_first_bug=not keep_going)
    form = with_backs(form, engine.orders)
    arguments = {
        "model": engine.code,
        "strategy": STRATEGIES.index(strategy),
        "race_sync": int(engine.races),
        "unroll": unroll or DEFAULT_UNROLL,
        "spurious": spurious,
        "keep_going": keep_going,
        "self_check": self_check,
        "collect": collect,
        "states": bool(form.watched),
        "ordered": equivalence == "mo",
        "stop_at_cut": unroll is None,
        "leaks": leaks,
        "liveness": liveness,
    }
    if engine is FILE:
        from porf.exploration.axioms import file_arguments, refuse_operations

        refuse_operations(form, model)
        arguments |= file_arguments(model)
    return Request(form, model.name, arguments)


def _refuse_opcodes(program: Program, strategy: str) -> None:
    """What only the stateless strategy follows."""
    from porf.errors import UsageError
    from porf.programs.form import Opcode

    used = {i.opcode for template in program.templates for i in template.code}
    for opcode, what in ((Opcode.CHOOSE, "choices"), (Opcode.BARRIER, "barriers")):
        if strategy == "tracer" and opcode in used:
            raise UsageError(f"tracer knows no {what}, and {program.name} has some", hint="--strategy trust does")


def _refuse(strategy: str, plan: Plan, replay: str | None, self_check: bool) -> None:
    from porf.errors import UsageError

    if plan.checkpoint is not None and (self_check or replay is not None):
        what = "a replay" if replay is not None else "the self-check"
        raise UsageError(f"{what} has no checkpoints", hint="leave out --checkpoint")

    if strategy == "tracer" and (plan.jobs > 1 or plan.checkpoint is not None):
        raise UsageError(
            "tracer keeps schedules in memory: it has no jobs and no checkpoints", hint="--strategy trust has"
        )


def _exploration(
    request: Request,
    model: Model,
    totals: Totals,
    seconds: float,
    plan: Plan,
    unroll: int | None,
    replay: str | None,
    undecided: list[str],
) -> Exploration:
    from porf.exploration.bugs import bug_of
    from porf.exploration.engines import engine_of
    from porf.exploration.found import Exploration
    from porf.exploration.graph import is_call, place_of
    from porf.exploration.replay import head_of
    from porf.exploration.run import STOPPED

    program = request.program
    finished = not totals.remaining and replay is None and (plan.keep_going or not totals.bugs)
    reasons = _reasons(program, totals, plan, unroll, replay) + undecided
    reports = totals.bugs if plan.keep_going else totals.bugs[:1]  # two can be met by one event
    bugs = tuple(bug_of(program, bug, head_of(request)) for bug in reports)
    _refuse_unsupported(bugs, program)
    verdict = "unsafe" if bugs else "undecided" if reasons else "safe"
    strategy = STRATEGIES[request.arguments["strategy"]]
    total = None if finished or not totals.explored else totals.counts["complete"] / totals.explored
    return Exploration(
        program=program,
        model=model.name,
        verdict=verdict,
        executions=totals.counts["complete"],
        blocked=totals.counts["blocked"],
        bugs=bugs,
        states=totals.states,
        algorithm=f"{strategy}/{engine_of(model, program, not plan.keep_going).name}",
        seconds=seconds,
        finished=finished,
        interrupted=totals.limit == STOPPED,
        replayed=replay is not None,
        reasons=tuple(reasons),
        spins=tuple(dict.fromkeys(place_of(program, pc) for pc in sorted(totals.spin_loops))),
        cuts=tuple(dict.fromkeys(place_of(program, pc) for pc in sorted(totals.cut_loops) if not is_call(program, pc))),
        duplicates=totals.duplicates() if request.arguments["self_check"] else None,
        estimate=total,
        statistics=dict(totals.counts),
        request=request,
        plan=plan,
    )


def _refuse_unsupported(bugs: Iterable[Bug], program: Program) -> None:
    """What no model here explains is neither a bug nor none."""
    from porf.errors import ProgramError
    from porf.exploration.sources import line_of

    for bug in bugs:
        if bug.supported:
            continue
        place = bug.where[0][1]
        raise ProgramError(
            f"unsupported: {bug.kind}: {bug.message}",
            source=(place.file if place else "") or program.source or program.name,
            line=place.line if place else None,
            column=place.column if place else None,
            text=line_of(place, program.source) if place else None,
        )


def _reasons(program: Program, totals: Totals, plan: Plan, unroll: int | None, replay: str | None) -> list[str]:
    """Why nothing can be said of all executions."""
    from porf.exploration.graph import is_call
    from porf.exploration.run import MEMORY, STOPPED, TIME, TOO_LARGE

    reasons = []
    if replay is not None:
        reasons.append("one execution was replayed")
    elif totals.limit == TIME:
        reasons.append(f"the time is up ({plan.seconds:g} s)")
    elif totals.limit == MEMORY:
        reasons.append("the memory is used up")
    elif totals.limit == TOO_LARGE:
        reasons.append("an execution has more events, writes of a location or threads than the engine can hold")
    elif totals.limit == STOPPED:
        reasons.append("it was interrupted")
    elif plan.limit and totals.remaining:
        reasons.append(f"the limit of {plan.limit} executions is reached")
    elif totals.remaining and not totals.bugs and not totals.counts["cut"]:
        reasons.append("something is left to explore")
    if totals.counts["dead"]:
        reasons.append(f"the model does not let threads go on in {totals.counts['dead']} graphs: it is not extensible")
    if totals.counts["cut"] and any(is_call(program, pc) for pc in totals.cut_loops):
        reasons.append("calls are too deep")
    elif totals.counts["cut"]:
        reasons.append(f"a loop was cut after {unroll} iterations" if unroll else f"a loop ran {DEFAULT_UNROLL} times")
    return reasons


__all__ = ["classes", "explore", "fits", "with_state"]
