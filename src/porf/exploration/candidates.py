"""Candidate executions of litmus tests: every choice of what reads see and of the order of writes, each once, against
the axioms of a model. For tests in assembly, and for models under which program order and reads-from may form a cycle:
such executions cannot be built one event at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from porf import _core
from porf.allowance import most_of_memory
from porf.architectures import ARCHITECTURES
from porf.errors import ProgramError, UsageError
from porf.exploration.adapt import adapt
from porf.exploration.found import CANDIDATES, Exploration
from porf.exploration.sources import line_of, place_text
from porf.programs.form import Place, Program, Start, Template
from porf.programs.lower import instruction, lowered, objects, raw
from porf.record import replace

if TYPE_CHECKING:
    from porf.language.model_file import ModelFile
    from porf.models.registry import Model
    from porf.programs.litmus import LitmusTest

NO_RACES = "data races are not looked for among candidate executions"
UNROLL = 4  # turns of a loop that each change something

_REFUSED = {
    _core.WhyRefused.INSTRUCTION: "this has no candidate executions: only accesses, fences, arithmetic and branches do",
    _core.WhyRefused.TOO_LONG: "this thread has more than 64 events, or 256 registers",
    _core.WhyRefused.MIXED_WIDTH: "this location is accessed with different widths, which no model here explains",
}


def by_candidates(test: LitmusTest, model: Model) -> bool:
    """Whether a test has to be explored in this way."""
    if test.architecture:
        return True
    from porf.exploration.engines import engine_of

    if model.header.architecture is None and engine_of(model, test.program) is not _core.Engine.AXIOMS:
        return False
    from porf.exploration.requirements import has_cycles, require

    if model.header.architecture is not None:
        require(model)  # which refuses it: the test is of C
    return has_cycles(model)


def explore_candidates(
    test: LitmusTest,
    model: Model,
    *,
    unroll: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Callable[[int, int, float], object] | None = None,
) -> Exploration:
    """The exploration of a litmus test as one value."""
    from porf.exploration.axioms import refuse_operations

    on = model.on(test.architecture or None)
    file = on.file
    program = test.program if test.architecture else adapt(test.program, model)
    refuse_operations(program, on)
    starts = program.starts[: test.threads]
    code, marks, templates = _lowered(program, starts)
    seen = [
        _core.Seen(-1 if w.thread is None else w.thread, w.where, w.type.width, w.type.signed) for w in test.watched
    ]
    form = _core.Program(
        code, templates, objects(program.objects), [], [], [_core.Start(s.template, list(s.arguments)) for s in starts],
        [_core.Watch(w.thread, w.where) for w in test.watched if w.thread is not None],
    )  # fmt: skip
    budget = _core.Budget(
        seconds or 0.0, 0, memory or most_of_memory(), None if progress is None else lambda _: progress(0, 0, 0)
    )
    started = time.perf_counter()
    try:
        found = _core.explore_candidates(
            form, marks, file.program, file.view == "two", *_kept(test.architecture), unroll or UNROLL, seen, budget
        )
    except _core.Unsettled:
        from porf.language.evaluation import unsettled

        raise unsettled(file) from None
    notes = [note for note in (file.note, None if test.architecture else NO_RACES) if note]
    noted = replace(test, program=replace(test.program, notes=(*test.program.notes, *notes))) if notes else test
    judged = _judged(noted, model, found, time.perf_counter() - started, unroll or UNROLL, seconds)
    return replace(judged, flags=_flags(file, found))


def _flags(file: ModelFile, found: _core.Candidates) -> dict[str, int]:
    """Those that are raised: `flag t` where t holds, `undefined_unless t` where it does not."""
    out: dict[str, int] = {}
    for axiom, holds in zip(file.axioms, found.flags, strict=False):
        times = holds if axiom.role == "flag" else found.executions - holds
        if axiom.flagged and times:
            out[axiom.name] = out.get(axiom.name, 0) + times
    return out


def _kept(architecture: str) -> tuple[int, int]:
    """The tags that the halves of an update keep."""
    if not architecture:
        return 0, 0
    known = ARCHITECTURES[architecture]
    return known.kept("read"), known.kept("write")


Marks = list[tuple[int, _core.Exclusive]]


def _lowered(program: Program, starts: Sequence[Start]) -> tuple[list[_core.Instruction], Marks, list[_core.Template]]:
    code: list[_core.Instruction] = []
    marks: Marks = []
    templates = []
    for template in _of(program, starts):
        entry = len(code)
        for i in template.code:
            code.append(raw(i.with_target(entry.__add__)))
            marks.append((i.tags, i.exclusive))
        templates.append(lowered(template, entry))
    return code, marks, templates


def _of(program: Program, starts: Sequence[Start]) -> Sequence[Template]:
    """The templates without that of the thread which only observes: it comes last."""
    return program.templates[: 1 + max((start.template for start in starts), default=-1)]


def _judged(
    test: LitmusTest, model: Model, found: _core.Candidates, spent: float, unroll: int, seconds: float | None
) -> Exploration:
    from porf.programs.litmus import observe, offending

    program = test.program
    if found.refused is not None:
        why, pc = found.refused
        _refuse(program, pc, _REFUSED[why])
    if found.nowhere is not None:
        _refuse(program, found.nowhere, "an execution accesses an address here that is no location")
    states = {tuple(state.values): state.executions for state in found.states}
    observation = observe(test, states)
    reasons = _reasons(program, found, unroll, seconds)
    broken = set(offending(test, states))
    bugs = []
    if broken:
        from porf.exploration.shown import broken_condition

        first = next(state for state in found.states if tuple(state.values) in broken)
        bugs = [broken_condition(test, first, observation)]
    return Exploration(
        program=program,
        model=model.name,
        verdict="unsafe" if broken else "undecided" if reasons else "safe",
        executions=found.executions,
        blocked=0,
        bugs=tuple(bugs),
        states=states,
        observation=observation,
        algorithm=CANDIDATES,
        seconds=spent,
        finished=found.limit is _core.Limit.NONE,
        interrupted=found.limit is _core.Limit.STOPPED,
        reasons=tuple(reasons),
        cuts=tuple(_place(program, pc) for pc in sorted(found.cuts)),
        turns=2 * unroll,
        statistics={"dead": 0, "candidates": found.candidates},
    )


def _reasons(program: Program, found: _core.Candidates, unroll: int, seconds: float | None) -> list[str]:
    if found.limit is _core.Limit.TIME:
        return [f"the time is up ({seconds:g} s)"]
    if found.limit is _core.Limit.MEMORY:
        return ["the memory is used up"]
    if found.limit is not _core.Limit.NONE:
        return ["it was interrupted"]
    where = (place_text(_place(program, pc), program.source or program.name) for pc in sorted(found.cuts))
    return [f"the loop at {loop} was cut off after {unroll} turns" for loop in where]


def _place(program: Program, pc: int) -> Place | None:
    return instruction(program, pc)[1].place


def _refuse(program: Program, pc: int, message: str) -> None:
    place = _place(program, pc)
    raise ProgramError(
        message,
        source=program.source or program.name,
        line=place.line if place else None,
        column=place.column if place else None,
        text=line_of(place, program.source) or None,
    )


def refuse_options(**given: object) -> None:
    """Options that candidate executions have no use for."""
    for name, value in given.items():
        if value:
            raise UsageError(
                f"--{name} is not for tests whose candidate executions are explored", hint=f"leave out --{name}"
            )
