"""The kinds of bugs, and what is said of each."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from porf.execution import INITIAL, Order
from porf.exploration.graph import FREE, Row, told_value
from porf.programs.form import Object, Opcode, Program, pointer
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
    DANGLING = 13
    TWICE_FREED = 14
    NOT_HEAP = 15
    NO_FUNCTION = 16
    LEAK = 17
    CROWDED = 18
    NO_BARRIER = 19
    UNKNOWN = 20
    SIZE = 21
    CONDITION = 64  # not the core's: a final state that the condition of a litmus test excludes


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
    Kind.DANGLING: "use after free",
    Kind.TWICE_FREED: "double free",
    Kind.NOT_HEAP: "invalid free",
    Kind.NO_FUNCTION: "call of no function",
    Kind.LEAK: "memory leak",
    Kind.CROWDED: "crowded barrier",
    Kind.NO_BARRIER: "wait at no barrier",
    Kind.UNKNOWN: "unpublished memory",
    Kind.SIZE: "invalid size",
    Kind.CONDITION: "condition",
}
CONFLICTS = (Kind.RACE, Kind.DANGLING, Kind.TWICE_FREED)  # of two events
UNSUPPORTED = (Kind.MIXED_WIDTH, Kind.CROWDED)  # no bugs of the program: nothing can be said of it
PRIVATE = 1 << 62  # of a pointer to private memory


def message_of(
    program: Program, kind: Kind, pc: int, detail: int, at_fault: list[Row], rows: Sequence[Row], names: Sequence[str]
) -> str:
    """One sentence. `detail` is the core's: a pointer, or the number of a message."""
    template, at = instruction(program, pc)
    match kind:
        case Kind.ASSERTION:
            text = program.messages[detail] if 0 <= detail < len(program.messages) else ""
            return f"assertion failed: {text}" if text else "assertion failed"
        case Kind.RACE:
            a, b = sorted(at_fault, key=lambda row: row.op == 0)  # the write first
            both = f"{names[a.thread]} {_access(a)} {program.label(a.pointer)} and {names[b.thread]} {_access(b)} it"
            return f"{both}, and neither happens before the other"
        case Kind.DANGLING | Kind.TWICE_FREED if len(at_fault) == 2:
            return _gone(program, at_fault, names)
        case Kind.DANGLING:
            return "a local variable of a function that has returned is accessed"
        case Kind.NOT_HEAP:
            return f"{_told_pointer(program, detail)} is freed, but malloc did not give it"
        case Kind.NO_FUNCTION:
            return f"{_told_pointer(program, detail)} is called, but it is no function"
        case Kind.LEAK:
            object_ = nearest_object(program, detail)
            return f"{object_.name if object_ else 'memory'} is never freed"
        case Kind.UNKNOWN:
            row = at_fault[-1]
            told = f"{names[row.thread]} {_access(row)} {program.label(row.pointer)}"
            return f"{told}, and nothing says that this is after its allocation"
        case Kind.SIZE:
            return f"memory of {detail % 2**64} bytes is asked for"
        case Kind.NO_BARRIER:
            return f"{template.name} waits at {program.label(detail)}, which is not initialised, or was destroyed"
        case Kind.CROWDED:
            return f"more threads wait at the barrier {program.label(detail)} than it was made for"
        case Kind.DEADLOCK:
            waiting = [_waits(program, row, rows, names) for row in at_fault if row.waits]
            return "; ".join(waiting) or _stands(program, pc, at_fault, names)
        case Kind.UNINITIALISED:
            return f"{program.label(at_fault[-1].pointer)} is read before anything was written to it"
        case Kind.NOWHERE:
            return "the null pointer is accessed" if detail == 0 else f"{detail:#x} points to no object"
        case Kind.OUT_OF_BOUNDS if detail & PRIVATE:
            return f"byte {detail & 0xFFFFFFFF} of a local variable is accessed, which is not that long"
        case Kind.OUT_OF_BOUNDS:
            return f"{program.label(detail)} is accessed, but {_extent(program, detail)}"
        case Kind.MISALIGNED:
            return f"{program.label(detail)} is not aligned to {at.width} bytes"
        case Kind.MIXED_WIDTH:
            return f"{program.label(detail)} is accessed with different widths, which no model here explains"
        case Kind.NOT_HELD:
            return f"{template.name} unlocks {program.label(detail)} without holding it"
        case Kind.NO_THREAD:
            return "what is joined is no thread"
        case Kind.ENDLESS:
            return f"{template.name} runs forever without touching shared memory"
    return NAMES[kind]


def message_of_state(program: Program, state: Sequence[int]) -> str:
    """What is said of a final state that must not be."""
    values = zip((watch.label for watch in program.watched), state, strict=True)
    return f"an execution ends with {' '.join(f'{label}={told_value(program, value)};' for label, value in values)}"


def end_of(program: Program, kind: Kind, pc: int, detail: int) -> str:
    """What the thread was about to do, where that is no event of the execution."""
    match kind:
        case Kind.RACE | Kind.DEADLOCK | Kind.UNINITIALISED | Kind.CONDITION | Kind.LEAK | Kind.UNKNOWN:
            return ""
        case Kind.SIZE:
            return "allocation"
        case Kind.DANGLING | Kind.TWICE_FREED if not detail:
            return "free" if instruction(program, pc)[1].opcode is Opcode.FREE else ""
        case Kind.NOT_HEAP:
            return f"free {_told_pointer(program, detail)}"
        case Kind.NO_FUNCTION:
            return f"call {_told_pointer(program, detail)}"
        case Kind.ASSERTION:
            return "assertion fails"
        case Kind.NOT_HELD:
            return f"unlock {program.label(detail)}"
        case Kind.NO_BARRIER | Kind.CROWDED:
            return f"wait at {program.label(detail)}"
        case Kind.DIVISION:
            return "division by zero"
        case Kind.NO_THREAD:
            return "join"
        case Kind.ENDLESS:
            return "loops forever"
    word = {Opcode.LOAD: "r", Opcode.STORE: "w"}.get(instruction(program, pc)[1].opcode, "u")
    return f"{word} {_told_pointer(program, detail)}"


def nearest_object(program: Program, where: int) -> Object | None:
    """The object that a pointer is in, or nearest to."""
    index = ((where + 2**31) >> 32) - 1
    return program.objects[index] if 0 <= index < len(program.objects) else None


def _extent(program: Program, where: int) -> str:
    shared = nearest_object(program, where)
    assert shared is not None
    if len(shared.cells) < 2:
        return f"{shared.name} has {shared.size} bytes"
    base = pointer(program.objects.index(shared))
    return f"{shared.name} goes from {program.label(base)} to {program.label(base + shared.cells[-1].offset)}"


def _told_pointer(program: Program, where: int) -> str:
    if where & PRIVATE:
        return "a local variable"
    return program.label(where) if where else "null"


def _gone(program: Program, at_fault: list[Row], names: Sequence[str]) -> str:
    """Two events, of which one frees an object, and the other does, too, or accesses it."""
    last, first = at_fault
    if last.op == FREE and first.op == FREE:
        name = program.label(pointer(last.other - 1))
        return f"{names[last.thread]} frees {name}, which {names[first.thread]} frees, too"
    free, access = (last, first) if last.op == FREE else (first, last)
    told = f"{names[access.thread]} {_access(access)} {program.label(access.pointer)}"
    if free is first:
        return f"{told}, which {names[free.thread]} has freed"
    name = program.label(pointer(free.other - 1))
    return f"{names[free.thread]} frees {name}, and nothing says that this is after {told}"


def _waits(program: Program, row: Row, rows: Sequence[Row], names: Sequence[str]) -> str:
    name = names[row.thread]
    if row.source is None or row.source == INITIAL:
        return f"{name} waits for {program.label(row.pointer)}"
    holder = rows[row.source].thread
    held = "it holds itself" if holder == row.thread else f"{names[holder]} holds"
    return f"{name} waits for {program.label(row.pointer)}, which {held}"


def _stands(program: Program, pc: int, at_fault: list[Row], names: Sequence[str]) -> str:
    """What a thread waits for that is no mutex."""
    name = names[at_fault[-1].thread] if at_fault else instruction(program, pc)[0].name
    match instruction(program, pc)[1].opcode:
        case Opcode.ASSUME | Opcode.BACK:
            seen = f" of {program.label(at_fault[-1].pointer)}" if at_fault and at_fault[-1].reads else ""
            return f"{name} waits for a change{seen} that never comes"
        case Opcode.BARRIER:
            return f"{name} waits at a barrier to which too few others come"
    return "threads wait for each other to end"


def _access(row: Row) -> str:
    plain = "" if row.order == Order.NA else "atomically "
    return plain + ("reads", "writes", "updates")[row.op]
