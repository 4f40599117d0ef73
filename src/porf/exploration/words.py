"""Words for bugs: what the core's table of bugs (core/explore/bugs.hpp) leaves in braces, said of one execution."""

from collections.abc import Sequence
from typing import Any

from porf._core import BugReport, EventKind, ExploredEvent, Order
from porf.exploration.graph import shown_value
from porf.programs.form import Opcode, Program, is_private, object_of, offset_of, pointer
from porf.programs.lower import instruction
from porf.record import Record

ACCESSES = {EventKind.READ: "reads", EventKind.WRITE: "writes", EventKind.UPDATE: "updates"}


class Words(Record):
    """The words of a report; a pattern of the table names them by their attributes. The report's detail is a pointer,
    a size, or the number of a message."""

    program: Program
    report: BugReport
    rows: Sequence[ExploredEvent]
    names: Sequence[str]  # of threads
    at_fault: Sequence[ExploredEvent]
    values: Sequence[int] = ()  # of the final state that is at fault

    def __getitem__(self, word: str) -> Any:
        return getattr(self, word)

    def say(self, pattern: str) -> str:
        return pattern.format_map(self)

    @property
    def assertion(self) -> str:
        """The program's own message, if there is one."""
        return f": {self.message}" if self.message else ""

    @property
    def message(self) -> str:
        messages, number = self.program.messages, self.report.detail
        return messages[number] if 0 <= number < len(messages) else ""

    @property
    def function(self) -> str:
        """The function, or the code of a thread, that the instruction belongs to."""
        return instruction(self.program, self.report.pc)[0].name

    @property
    def width(self) -> int:
        return instruction(self.program, self.report.pc)[1].width

    @property
    def place(self) -> str:
        return self.program.label(self.report.detail)

    @property
    def pointer(self) -> str:
        where = self.report.detail
        if is_private(where):
            return "a local variable"
        return self.program.label(where) if where else "null"

    @property
    def object(self) -> str:
        found = self.program.nearest(self.report.detail)
        return found.name if found else "memory"

    @property
    def size(self) -> int:
        return self.report.detail % 2**64

    @property
    def state(self) -> str:
        watched = zip(self.program.watched, self.values, strict=True)
        return " ".join(f"{watch.label}={shown_value(self.program, value)};" for watch, value in watched)

    @property
    def access(self) -> str:
        """The letter of the access that the instruction is."""
        opcode = instruction(self.program, self.report.pc)[1].opcode
        return {Opcode.LOAD: "r", Opcode.STORE: "w"}.get(opcode, "u")

    @property
    def last_place(self) -> str:
        return self.program.label(self.at_fault[-1].pointer)

    @property
    def last_access(self) -> str:
        return self._accesses(self.at_fault[-1])

    @property
    def last_use(self) -> str:
        """What fails to use an object that is gone, if that is no access among the events."""
        if self.report.detail:
            return f"{self.access} {self.pointer}"
        return "free" if instruction(self.program, self.report.pc)[1].opcode is Opcode.FREE else ""

    @property
    def race(self) -> str:
        """Two accesses, the write first."""
        a, b = sorted(self.at_fault, key=lambda row: row.kind == EventKind.READ)
        return f"{self._accesses(a)} and {self.names[b.thread]} {_verb(b)} it"

    @property
    def dangling(self) -> str:
        """One event frees an object, and the other frees it too, or accesses it."""
        if len(self.at_fault) < 2:
            return "a local variable is accessed after its life has ended"
        last, first = self.at_fault
        if last.kind == first.kind == EventKind.FREE:
            return f"{self._frees(last)}, which {self.names[first.thread]} frees as well"
        if first.kind == EventKind.FREE:
            return f"{self._accesses(last)}, which {self.names[first.thread]} has freed"
        return f"{self._frees(last)}, and nothing ensures that this happens after {self._accesses(first)}"

    @property
    def nowhere(self) -> str:
        where = self.report.detail
        return f"{where:#x} does not point to any object" if where else "the null pointer is accessed"

    @property
    def outside(self) -> str:
        """An access outside an object, and how far that reaches."""
        where = self.report.detail
        if is_private(where):
            offset = offset_of(where)
            if offset >> 31:  # counted from the end of all offsets
                return "memory before a local variable is accessed"
            return f"byte {offset} of a local variable is accessed, but it is not that long"
        shared = self.program.nearest(where)
        assert shared is not None
        reach = f"has {shared.size} bytes"
        if len(shared.cells) > 1:
            base = pointer(self.program.objects.index(shared))
            first, last = self.program.label(base), self.program.label(base + shared.cells[-1].offset)
            reach = f"goes from {first} to {last}"
        return f"{self.place} is accessed, but {shared.name} {reach}"

    @property
    def unset(self) -> str:
        """What was never set: a place in memory, or a variable that the front end knows by name."""
        origin = self.report.detail
        if object_of(origin) >= 0:
            return self.program.label(origin)
        name = self.program.messages[instruction(self.program, origin)[1].c] if origin >= 0 else ""
        return f"'{name}'" if name else "a value"

    @property
    def waiting(self) -> str:
        """What each thread of a deadlock waits for: a mutex, or else what one of them is at."""
        locks = [self._waits(row) for row in self.at_fault if row.waits]
        if locks:
            return "; ".join(locks)
        name = self.names[self.at_fault[-1].thread] if self.at_fault else self.function
        match instruction(self.program, self.report.pc)[1].opcode:
            case Opcode.ASSUME | Opcode.BACK:
                seen = f" of {self.last_place}" if self.at_fault and self.at_fault[-1].reads else ""
                return f"{name} waits for a change{seen} that never comes"
            case Opcode.BARRIER:
                return f"{name} waits at a barrier that too few other threads reach"
        return "threads wait for each other to end"

    def _waits(self, row: ExploredEvent) -> str:
        waits = f"{self.names[row.thread]} waits for {self.program.label(row.pointer)}"
        if row.source < 0:
            return waits
        holder = self.rows[row.source].thread
        return f"{waits}, which " + ("it holds itself" if holder == row.thread else f"{self.names[holder]} holds")

    def _accesses(self, row: ExploredEvent) -> str:
        return f"{self.names[row.thread]} {_verb(row)} {self.program.label(row.pointer)}"

    def _frees(self, row: ExploredEvent) -> str:
        return f"{self.names[row.thread]} frees {self.program.label(pointer(row.other - 1))}"


def _verb(row: ExploredEvent) -> str:
    return ("" if row.order == Order.NA else "atomically ") + ACCESSES[row.kind]
