"""Bugs that an exploration found: what, where, and the execution that shows it."""

from collections.abc import Sequence
from typing import Any

from porf._core import Blame, BugKind, BugReport, EventKind, ExploredEvent, HappensBefore, bug_facts
from porf.exploration.allocated import with_allocated
from porf.exploration.graph import Shown, execution_of, prefix_of
from porf.exploration.printed import printed_lines
from porf.exploration.sources import line_of, place_text
from porf.exploration.telling import Telling
from porf.exploration.token import encode, target_of
from porf.exploration.weakness import Weakness, weakness
from porf.exploration.why import PAIRS, Why, why
from porf.exploration.words import Words
from porf.programs.form import Place, Program
from porf.programs.lower import instruction
from porf.record import Record

NO_PATH = -1  # of an execution in which program order and reads-from form a cycle: no replay leads there


class Bug(Record):
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
    report: BugReport | None = None  # what the core said of it, with all events
    why: Why | None = None

    def record(self, file: str) -> dict[str, Any]:
        """As JSON: the execution as lines of the text format."""
        from porf.formats import dumps

        return {
            "kind": self.kind,
            "message": self.message,
            "where": [{"thread": name, "place": place_text(place, file)} for name, place in self.where],
            "execution": dumps(self.execution).decode().splitlines() if len(self.execution) else [],
            "steps": [self.step(row, file) for row in range(len(self.execution))],
            "why": None if self.why is None else self.why.record(),
            "replay": self.token,
        }

    def step(self, row: int, file: str) -> dict[str, str]:
        """An event, and where in the source it comes from."""
        e, place = self.execution, self.places[row]
        return {
            "event": e.name(row),
            "thread": e.thread_names[int(e.thread[row])],
            "what": e.describe(row),
            "place": place_text(place, file),
            "source": line_of(place, file).strip(),
        }


def bug_of(
    program: Program,
    report: BugReport,
    head: str,
    values: Sequence[int] = (),
    sync: HappensBefore | None = None,
) -> Bug:
    """A bug as people see it, from the core's report; `head` is that of its token. If a final state is at fault, its
    values are given. `sync` says how happens-before arises, if that is known."""
    program = with_allocated(program, report.objects)
    rows = report.events
    names = thread_names(program, rows)
    kind = report.kind
    if kind is BugKind.NOWHERE and program.nearest(report.detail) is not None:
        kind = BugKind.OUT_OF_BOUNDS  # just before the first object
    facts = bug_facts(kind)
    waiting = [n for n, row in enumerate(rows) if row.waits] if kind is BugKind.DEADLOCK else []
    at_fault = waiting or [n for n in (report.event, report.other) if n >= 0]
    whole = facts.blame in (Blame.EXECUTION, Blame.NOBODY)
    part = range(len(rows)) if whole else prefix_of(rows, at_fault)
    weak = Weakness()
    if report.whole and facts.blame in (Blame.THREAD, Blame.NOBODY) and kind not in (BugKind.UNKNOWN, *PAIRS):
        weak = weakness(rows, part)
    execution, kept = execution_of(program, rows, names, part, report.thread, weak.order)
    telling = Telling(program, rows, names, {n: position for position, n in enumerate(kept)})
    words = Words(program, report, rows, names, [rows[n] for n in at_fault], values)
    places = [(report.thread, report.pc)]
    if facts.blame is Blame.NOBODY:
        places = []
    elif waiting or len(at_fault) == 2:
        places = [(rows[n].thread, rows[n].pc) for n in at_fault]
    return Bug(
        kind=facts.name,
        message=words.say(facts.message),
        where=tuple((names[t], instruction(program, pc)[1].place) for t, pc in places),
        execution=execution,
        places=execution.places,
        token="" if report.path == [NO_PATH] else encode(head, target_of(program, report)),
        marked=tuple(position for position, n in enumerate(kept) if n in at_fault),
        end=words.say(facts.end),
        thread=list(execution.thread_names).index(names[report.thread]),
        printed=printed_lines(program, report.printed, names),
        report=report,
        why=why(kind, rows, at_fault, sync, weak, telling) if report.whole else None,
    )


def thread_names(program: Program, rows: Sequence[ExploredEvent]) -> list[str]:
    """The name of each thread in reports: its start's name, or that of its code and how it was started."""
    found = {n: start.name or program.templates[start.template].name for n, start in enumerate(program.starts)}
    taken = list(found.values())
    for n in [n for n in found if taken.count(found[n]) > 1]:
        found[n] = f"{found[n]}@{n}"
    for row in rows:
        if row.kind == EventKind.SPAWN and row.other not in found:
            template = program.templates[row.written].name
            number = 1 + sum(name == template or name.startswith(f"{template}@") for name in found.values())
            found[row.other] = template if number == 1 else f"{template}@{number}"
    return [found.get(n, f"T{n}") for n in range(max([*found, *(r.thread for r in rows)], default=-1) + 1)]
