"""A candidate execution as people see it: the bug that a litmus test's condition is broken, with what shows it."""

from __future__ import annotations

import numpy as np

from porf import _core
from porf.architectures import ARCHITECTURES
from porf.execution import INITIAL, NO_VALUE, OP_LETTERS, ORDER_NAMES, Order
from porf.exploration.bugs import Bug
from porf.exploration.graph import Shown, shown_value
from porf.programs.form import pointer
from porf.programs.litmus import LitmusTest, Observation
from porf.programs.lower import instruction


def broken_condition(test: LitmusTest, state: _core.CandidateState, observation: Observation) -> Bug:
    """That an execution ends in a state that the condition excludes."""
    execution, pcs = execution_of(test, state.first)
    visible = tuple(state.values[n] for n in test.shown)
    return Bug(
        kind="condition",
        message=f"an execution ends with {observation.line(visible)}",
        where=(),
        execution=execution,
        places=tuple(instruction(test.program, pc)[1].place for pc in pcs),
        token="",
    )


def execution_of(test: LitmusTest, candidate: _core.Candidate) -> tuple[Shown, list[int]]:
    """The execution, thread after thread, and where in the code its events are."""
    program = test.program
    places = [(pointer(n, cell.offset), cell) for n, item in enumerate(program.objects) for cell in item.cells]
    used = sorted({loc for loc in candidate.loc if loc >= 0})
    reads = [op in (_core.Op.READ, _core.Op.UPDATE) for op in candidate.op]
    writes = [op in (_core.Op.WRITE, _core.Op.UPDATE) for op in candidate.op]
    shown = Shown(
        thread=np.array(candidate.thread, np.int32),
        op=np.array(candidate.op, np.uint8),
        loc=np.array([used.index(loc) if loc >= 0 else -1 for loc in candidate.loc], np.int32),
        order=np.array(candidate.order, np.uint8),
        rf=np.array([rf if r else INITIAL for rf, r in zip(candidate.rf, reads, strict=True)], np.int32),
        thread_names=[start.name for start in program.starts[: test.threads]],
        loc_names=[places[loc][1].label for loc in used],
        init_value=np.array([places[loc][1].initial or 0 for loc in used], np.int64),
        read_value=np.array([v if r else NO_VALUE for v, r in zip(candidate.read, reads, strict=True)], np.int64),
        written_value=np.array(
            [v if w else NO_VALUE for v, w in zip(candidate.written, writes, strict=True)], np.int64
        ),
        source=program.source or program.name,
        words=tuple(_words(test, candidate, row) for row in range(len(candidate.op))),
    )
    return shown, candidate.pc


def _words(test: LitmusTest, candidate: _core.Candidate, row: int) -> str:
    """An event in the words of the text format."""
    program, op = test.program, candidate.op[row]
    tags = [name.lower() for n, name in enumerate(_tags(test)) if candidate.tags[row] >> n & 1]
    order = candidate.order[row]
    said = tags or ([ORDER_NAMES[order]] if order != Order.RLX and not test.architecture else [])
    if op == _core.Op.FENCE:
        return " ".join(["f", *said])
    places = [pointer(n, cell.offset) for n, item in enumerate(program.objects) for cell in item.cells]
    read, written = shown_value(program, candidate.read[row]), shown_value(program, candidate.written[row])
    value = f"{read}->{written}" if op == _core.Op.UPDATE else read if op == _core.Op.READ else written
    return " ".join([OP_LETTERS[op], program.label(places[candidate.loc[row]]), value, *said])


def _tags(test: LitmusTest) -> tuple[str, ...]:
    return ARCHITECTURES[test.architecture].tags if test.architecture else ()
