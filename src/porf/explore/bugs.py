"""Bugs that an exploration found: what, where, and the execution that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from porf.execution import Execution, Order
from porf.explore.graph import SPAWN, Row, execution_of, rows_of
from porf.explore.token import encode
from porf.programs.form import Place, Program
from porf.programs.lower import instruction


class Kind(IntEnum):
    """The core's numbers of bugs."""

    NONE = 0
    ASSERTION = 1
    RACE = 2
    DEADLOCK = 3
    UNINITIALISED = 4
    NOWHERE = 5
    OUT_OF_BOUNDS = 6
    MISALIGNED = 7
    MIXED_WIDTH = 8
    NOT_HELD = 9
    DIVISION = 10
    NO_THREAD = 11
    ENDLESS = 12


NAMES = {
    Kind.ASSERTION: "assertion",
    Kind.RACE: "data race",
    Kind.DEADLOCK: "deadlock",
    Kind.UNINITIALISED: "uninitialised read",
    Kind.NOWHERE: "invalid pointer",
    Kind.OUT_OF_BOUNDS: "out of bounds",
    Kind.MISALIGNED: "misaligned access",
    Kind.MIXED_WIDTH: "mixed-size access",
    Kind.NOT_HELD: "unlock of a mutex not held",
    Kind.DIVISION: "division by zero",
    Kind.NO_THREAD: "join of no thread",
    Kind.ENDLESS: "endless loop",
}


@dataclass(frozen=True)
class Bug:
    """One bug. `where` is the place of each thread that takes part in it: the thread's name, and the place."""

    kind: str
    message: str
    where: tuple[tuple[str, Place | None], ...]
    execution: Execution  # accesses and fences; threads and locations by name
    places: tuple[Place | None, ...]  # of its rows
    token: str
    marked: tuple[int, ...] = ()  # rows of the execution that are at fault

    def record(self, file: str) -> dict[str, Any]:
        """As JSON: the execution as lines of the text format."""
        return {
            "kind": self.kind,
            "message": self.message,
            "where": [{"thread": name, "place": told(place, file)} for name, place in self.where],
            "execution": [
                f"{self.execution.thread_names[self.execution.thread[row]]} {self.execution.describe(row)}"
                for row in range(len(self.execution))
            ],
            "replay": self.token,
        }


def told(place: Place | None, file: str) -> str:
    """file:line, as editors like it."""
    return file if place is None else f"{place.file or file}:{place.line}"


def bug_of(program: Program, model: str, report: dict[str, Any]) -> Bug:
    """A bug as people meet it, from the core's report."""
    kind = Kind(report["bug"])
    rows = rows_of(report["events"])
    names = thread_names(program, rows)
    execution, kept = execution_of(program, rows, names)
    thread, pc, detail = report["thread"], report["pc"], report["detail"]
    where = [(names[thread], instruction(program, pc)[1].place)]
    marked = [n for n in (report["event"], report["other"]) if n >= 0]
    if report["other"] >= 0:
        other = rows[report["other"]]
        where.append((names[other.thread], instruction(program, other.pc)[1].place))
    if kind is Kind.DEADLOCK:
        where = [(names[t], instruction(program, p)[1].place) for t, p in waiting(program, rows)] or where
    return Bug(
        kind=NAMES[kind],
        message=_message(program, kind, pc, detail, [rows[n] for n in marked], names),
        where=tuple(where),
        execution=execution,
        places=tuple(instruction(program, rows[n].pc)[1].place for n in kept),
        token=encode(program, model, report["path"]),
        marked=tuple(position for position, n in enumerate(kept) if n in marked),
    )


def thread_names(program: Program, rows: Sequence[Row]) -> list[str]:
    """What people call each thread: its start's name, or that of its code and how it was started."""
    found = {n: start.name or program.templates[start.template].name for n, start in enumerate(program.starts)}
    taken = list(found.values())
    for n in [n for n in found if taken.count(found[n]) > 1]:
        found[n] = f"{found[n]}#{n}"
    for row in rows:
        if row.op == SPAWN and row.other not in found:
            template = program.templates[instruction(program, row.pc)[1].c].name
            number = 1 + sum(name == template or name.startswith(f"{template}#") for name in found.values())
            found[row.other] = template if number == 1 else f"{template}#{number}"
    return [found.get(n, f"T{n}") for n in range(max([*found, *(r.thread for r in rows)], default=-1) + 1)]


def waiting(program: Program, rows: Sequence[Row]) -> list[tuple[int, int]]:
    """The threads that wait for a mutex, and for which instruction."""
    return [(row.thread, row.pc) for row in rows if row.waits]


def _message(program: Program, kind: Kind, pc: int, detail: int, marked: list[Row], names: list[str]) -> str:
    template, at = instruction(program, pc)
    match kind:
        case Kind.ASSERTION:
            text = program.messages[detail] if 0 <= detail < len(program.messages) else ""
            return f"assertion failed: {text}" if text else "assertion failed"
        case Kind.RACE:
            a, b = marked
            return (
                f"{_access(program, a)} by {names[a.thread]} and {_access(program, b)} by {names[b.thread]} "
                "are not ordered by happens-before"
            )
        case Kind.DEADLOCK:
            return "no thread can go on"
        case Kind.UNINITIALISED:
            return f"{program.label(marked[-1].pointer)} is read before anything was written to it"
        case Kind.NOWHERE:
            return "the null pointer is accessed" if detail == 0 else f"{detail:#x} points to no object"
        case Kind.OUT_OF_BOUNDS:
            index, offset = (detail >> 32) - 1, detail & 0xFFFFFFFF
            shared = program.objects[index]
            return f"byte {offset} of {shared.name} is accessed, which has {shared.size}"
        case Kind.MISALIGNED:
            return f"{program.label(detail)} is not aligned to {at.width} bytes"
        case Kind.MIXED_WIDTH:
            return f"{program.label(detail)} is accessed with different widths, which no model here explains"
        case Kind.NOT_HELD:
            return "the thread does not hold the mutex that it unlocks"
        case Kind.DIVISION:
            return "division by zero"
        case Kind.NO_THREAD:
            return "what is joined is no thread"
        case Kind.ENDLESS:
            return f"{template.name} runs forever without touching shared memory"
    return NAMES.get(kind, "")


def _access(program: Program, row: Row) -> str:
    plain = " (not atomic)" if row.order == Order.NA else ""
    return f"{('a read', 'a write', 'an update')[row.op]} of {program.label(row.pointer)}{plain}"
