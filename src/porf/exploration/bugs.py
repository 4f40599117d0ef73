"""Bugs that an exploration found: what, where, and the execution that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from porf.exploration.allocated import with_allocated
from porf.exploration.graph import SPAWN, Row, Shown, execution_of, prefix_of, rows_of
from porf.exploration.messages import (
    CONFLICTS,
    NAMES,
    UNSUPPORTED,
    Kind,
    end_of,
    message_of,
    message_of_state,
    nearest_object,
)
from porf.exploration.printed import told_printed
from porf.exploration.sources import line_of, told
from porf.exploration.token import Target, encode
from porf.programs.form import Place, Program
from porf.programs.lower import instruction


@dataclass(frozen=True)
class Bug:
    """One bug. `where` is the place of each thread that takes part in it: the thread's name, and the place.

    The execution has what comes before the bug, and nothing else.
    """

    kind: str
    message: str
    where: tuple[tuple[str, Place | None], ...]
    execution: Shown  # accesses and fences; threads and locations by name
    places: tuple[Place | None, ...]  # of its rows
    token: str
    marked: tuple[int, ...] = ()  # rows of the execution that are at fault
    end: str = ""  # what the thread fails to do, if that is no row
    thread: int = 0  # the column of the execution that `end` belongs to
    printed: tuple[str, ...] = ()  # lines, each with its thread
    supported: bool = True  # False: the program does what porf cannot explain, and that may be no bug

    def record(self, file: str) -> dict[str, Any]:
        """As JSON: the execution as lines of the text format."""
        from porf.formats import dumps

        return {
            "kind": self.kind,
            "message": self.message,
            "where": [{"thread": name, "place": told(place, file)} for name, place in self.where],
            "execution": dumps(self.execution).decode().splitlines() if len(self.execution) else [],
            "steps": [self.step(row, file) for row in range(len(self.execution))],
            "replay": self.token,
        }

    def step(self, row: int, file: str) -> dict[str, str]:
        """An event, and where in the source it comes from."""
        e, place = self.execution, self.places[row]
        return {
            "event": e.name(row),
            "thread": e.thread_names[int(e.thread[row])],
            "what": e.describe(row),
            "place": told(place, file),
            "source": line_of(place, file).strip(),
        }


def bug_of(program: Program, report: dict[str, Any], head: str) -> Bug:
    """A bug as people meet it, from the core's report; `head` is that of its token."""
    kind = Kind(report["bug"])
    program = with_allocated(program, report["objects"])
    rows = rows_of(report["events"])
    names = thread_names(program, rows)
    thread, pc, detail = report["thread"], report["pc"], report["detail"]
    waiting = [n for n, row in enumerate(rows) if row.waits] if kind is Kind.DEADLOCK else []
    at_fault = waiting or [n for n in (report["event"], report["other"]) if n >= 0]
    several = waiting or (kind in CONFLICTS and len(at_fault) == 2)
    places = [(rows[n].thread, rows[n].pc) for n in at_fault] if several else [(thread, pc)]
    if kind is Kind.CONDITION:
        places = []  # it is nobody's fault
    whole = kind in (Kind.DEADLOCK, Kind.CONDITION, Kind.LEAK)
    part = range(len(rows)) if whole else prefix_of(rows, at_fault)
    execution, kept = execution_of(program, rows, names, part, thread)
    if kind is Kind.NOWHERE and nearest_object(program, detail) is not None:
        kind = Kind.OUT_OF_BOUNDS  # just before the first object
    return Bug(
        kind=NAMES[kind],
        message=message_of_state(program, report["state"])
        if kind is Kind.CONDITION
        else message_of(program, kind, pc, detail, [rows[n] for n in at_fault], rows, names),
        where=tuple((names[t], instruction(program, p)[1].place) for t, p in places),
        execution=execution,
        places=tuple(instruction(program, rows[n].pc)[1].place for n in kept),
        token=encode(head, Target(report["bug"], pc, report["path"])),
        marked=tuple(position for position, n in enumerate(kept) if n in at_fault),
        end=end_of(program, kind, pc, detail),
        thread=list(execution.thread_names).index(names[thread]),
        printed=told_printed(program, report["printed"], names),
        supported=kind not in UNSUPPORTED,
    )


def thread_names(program: Program, rows: Sequence[Row]) -> list[str]:
    """What people call each thread: its start's name, or that of its code and how it was started."""
    found = {n: start.name or program.templates[start.template].name for n, start in enumerate(program.starts)}
    taken = list(found.values())
    for n in [n for n in found if taken.count(found[n]) > 1]:
        found[n] = f"{found[n]}@{n}"
    for row in rows:
        if row.op == SPAWN and row.other not in found:
            template = program.templates[row.written].name
            number = 1 + sum(name == template or name.startswith(f"{template}@") for name in found.values())
            found[row.other] = template if number == 1 else f"{template}@{number}"
    return [found.get(n, f"T{n}") for n in range(max([*found, *(r.thread for r in rows)], default=-1) + 1)]
