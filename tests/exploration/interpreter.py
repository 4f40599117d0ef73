"""Runs one thread of a program from event to event, by the text of the program form alone.

A thread's state is a value: whoever holds one can go on from it any number of times, with any value read.
"""

from __future__ import annotations

from dataclasses import dataclass

from porf.execution import Order
from porf.programs.form import Allocation, Binary, Instruction, Modify, Opcode, Program, Unary
from tests.programs.arithmetic import binary, modify, unary, wrap

Made = tuple[tuple[int, int, int], ...]  # objects that a thread has allocated: instruction, size, kind
# template, instruction, registers, (loop, live values, effects) of the iterations under way, effects so far, the
# thread and what it has allocated
State = tuple[int, int, tuple[int, ...], tuple[tuple[int, tuple[int, ...], int], ...], int, int, Made]
READING = (Opcode.LOAD, Opcode.RMW, Opcode.CAS, Opcode.LOCK, Opcode.TRYLOCK)
# Events that are not accesses: they are seen in the order of others, or not at all.
LETTERS = {
    Opcode.FENCE: "f",
    Opcode.SPAWN: "s",
    Opcode.JOIN: "j",
    Opcode.FREE: "d",
    Opcode.CHOOSE: "c",
    Opcode.BARRIER: "b",
}
WRITING = (Opcode.STORE, Opcode.RMW, Opcode.CAS, Opcode.LOCK, Opcode.TRYLOCK, Opcode.UNLOCK)


class ErrorReached(Exception):  # noqa: N818 (it is the program's error, and an outcome here)
    """The program did what it must not: an assertion failed, or something is divided by zero."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a thread stands: before an event, at its end, where it waits forever, or where it went wrong."""

    state: State
    kind: str  # "event", "end", "stuck", or the name of a bug
    instruction: Instruction
    pointer: int = 0
    values: tuple[int, ...] = ()  # of the operands, as the opcode names them; the result at the end

    @property
    def reads(self) -> bool:
        return self.kind == "event" and self.instruction.opcode in READING


class Interpreter:
    def __init__(self, program: Program) -> None:
        self.program = program
        self._stops: dict[State, Stop] = {}
        self._writes: dict[tuple[int, int], frozenset[int] | None] = {}
        self._initial = {
            (n + 1) << 32 | cell.offset: cell.initial for n, o in enumerate(program.objects) for cell in o.cells
        }

        self._made: list[tuple[int, Made]] = []  # allocated objects, after those of the program

    def initial(self, pointer: int) -> int | None:
        """What a place holds at first; None: nothing, and to read that is an error."""
        made = self.made(pointer)
        if made is None:
            return self._initial[pointer]
        return 0 if made[2] == Allocation.ZEROED else None

    def made(self, pointer: int) -> tuple[int, int, int] | None:
        """The allocated object that a pointer points to."""
        index = (pointer >> 32) - 1 - len(self.program.objects)
        return self._made[index][1][-1] if 0 <= index < len(self._made) else None

    def heap_objects(self, state: State) -> list[int]:
        """The upper halves of pointers to what a thread has got from the heap."""
        chains = [(state[5], state[6][: n + 1]) for n, made in enumerate(state[6]) if made[2] != Allocation.STACK]
        return [len(self.program.objects) + 1 + self._made.index(chain) for chain in chains]

    def start(self, template: int, arguments: tuple[int, ...], thread: int) -> State:
        registers = self.program.templates[template].registers
        return template, 0, arguments + (0,) * (registers - len(arguments)), (), 0, thread, ()

    def operand(self, state: State, operand: int) -> int:
        return state[2][operand] if operand >= 0 else self.program.templates[state[0]].pool[~operand]

    def stop(self, state: State) -> Stop:
        """Runs on without others seeing it."""
        if state not in self._stops:
            self._stops[state] = self._run(state)
        return self._stops[state]

    def _run(self, state: State) -> Stop:
        template = self.program.templates[state[0]]
        while True:
            i = template.code[state[1]]
            nothing = i.opcode is Opcode.FREE and self.operand(state, i.b) == 0
            if i.opcode >= Opcode.LOAD and not nothing:
                return self._before_event(state, i)
            if i.opcode is Opcode.EXIT:
                return Stop(state, "end", i, 0, (self.operand(state, i.b),))
            if i.opcode is Opcode.ASSUME and not self.operand(state, i.b):
                return Stop(state, "stuck", i)
            if i.opcode is Opcode.FAIL or (i.opcode is Opcode.ASSERT and not self.operand(state, i.b)):
                raise ErrorReached(self.program.messages[i.c])
            if i.opcode is Opcode.BACK:
                before = next(head for head in reversed(state[3]) if head[0] == i.a)
                if before[1:] == (tuple(state[2][r] for r in template.live[i.a]), state[4]):
                    return Stop(state, "stuck", i)
            state = self._local(state, i)

    def _local(self, state: State, i: Instruction) -> State:
        template, pc, registers, heads, effects, thread, made = state
        value, target = None, pc + 1
        if i.opcode is Opcode.MOVE:
            value = self.operand(state, i.b)
        elif i.opcode is Opcode.BINARY:
            try:
                result = binary(Binary(i.kind), self.operand(state, i.b), self.operand(state, i.c))
            except ZeroDivisionError:
                raise ErrorReached("division by zero") from None
            value = wrap(result, i.width, i.signed)
        elif i.opcode is Opcode.UNARY:
            value = wrap(unary(Unary(i.kind), self.operand(state, i.b)), i.width, i.signed)
        elif i.opcode is Opcode.ALLOCATE:
            made = (*made, (pc, self.operand(state, i.b), i.kind))
            effects += 1
            if (thread, made) not in self._made:
                self._made.append((thread, made))
            value = (len(self.program.objects) + 1 + self._made.index((thread, made))) << 32
        elif i.opcode is Opcode.HEAD:
            live = tuple(registers[r] for r in self.program.templates[template].live[i.a])
            heads = (*(head for head in heads if head[0] != i.a), (i.a, live, effects))
        elif (
            i.opcode is Opcode.JUMP
            or (i.opcode is Opcode.JUMP_IF and self.operand(state, i.b))
            or (i.opcode is Opcode.JUMP_UNLESS and not self.operand(state, i.b))
        ):
            target = i.a
        elif i.opcode is Opcode.BACK:
            target = i.c
        if value is not None:
            registers = (*registers[: i.a], value, *registers[i.a + 1 :])
        return template, target, registers, heads, effects, thread, made

    def _before_event(self, state: State, i: Instruction) -> Stop:
        b = 0 if i.opcode in (Opcode.FENCE, Opcode.SPAWN) else self.operand(state, i.b)
        if i.opcode is Opcode.SPAWN:
            operands = self.program.templates[state[0]].argument_lists[i.d]
            return Stop(state, "event", i, 0, tuple(self.operand(state, o) for o in operands))
        wrong = self._wrong(i, b)
        if wrong:
            return Stop(state, wrong, i)
        values = {Opcode.STORE: (i.c,), Opcode.RMW: (i.c,), Opcode.CAS: (i.c, i.d), Opcode.CHOOSE: (i.b, i.c)}.get(
            i.opcode, ()
        )
        given = tuple(self.operand(state, o) for o in values)
        nothing = i.opcode is Opcode.CHOOSE and given[0] > given[1]
        return Stop(state, "stuck" if nothing else "event", i, b, given)

    def _wrong(self, i: Instruction, where: int) -> str:
        """What is wrong with an event before it happens."""
        made = self.made(where)
        if i.opcode is Opcode.FREE:
            heap = made is not None and made[2] != Allocation.STACK and where & 0xFFFFFFFF == 0
            return "" if heap else "invalid free"
        if i.opcode in (Opcode.FENCE, Opcode.JOIN, Opcode.CHOOSE) or 0 < where >> 32 <= len(self.program.objects):
            return ""
        if made is None:
            return "invalid pointer"
        return "" if (where & 0xFFFFFFFF) + i.width <= made[1] else "out of bounds"

    def effect(self, stop: Stop, read: int) -> tuple[str, Order, int | None]:
        """What event it becomes if it reads this (if it reads): letter, order, the value that it writes."""
        i = stop.instruction
        if i.opcode is Opcode.LOAD:
            return "r", i.order, None
        if i.opcode is Opcode.STORE:
            return "w", i.order, wrap(stop.values[0], i.width, i.signed)
        if i.opcode is Opcode.RMW:
            operand = wrap(stop.values[0], i.width, i.signed)
            return "u", i.order, wrap(modify(Modify(i.kind), read, operand), i.width, i.signed)
        if i.opcode is Opcode.CAS:
            written = read == stop.values[0]
            return ("u", i.order, wrap(stop.values[1], i.width, i.signed)) if written else ("r", i.failure, None)
        if i.opcode in (Opcode.LOCK, Opcode.TRYLOCK):
            return ("u", Order.ACQ, 1) if read == 0 else ("r", Order.ACQ, None)
        if i.opcode is Opcode.UNLOCK:
            return "w", Order.REL, 0
        return LETTERS[i.opcode], i.order, None

    def after(self, stop: Stop, value: int) -> State:
        """The state after the event; `value` is what was read, the new thread's handle, or the joined one's result."""
        template, pc, registers, heads, effects, thread, made = stop.state
        i = stop.instruction
        letter, _, written = self.effect(stop, value)
        held = list(registers)
        if i.opcode in (Opcode.LOAD, Opcode.RMW, Opcode.CAS, Opcode.SPAWN, Opcode.JOIN, Opcode.CHOOSE):
            held[i.a] = value
        if i.opcode is Opcode.CAS:
            held[i.e] = int(letter == "u")
        if i.opcode is Opcode.TRYLOCK:
            held[i.a] = int(letter == "u")
        effects += letter in "wsdb" or (letter == "u" and written != value)
        return template, pc + 1, tuple(held), heads, effects, thread, made

    def seen(self, stop: Stop, value: int) -> int:
        """A value in memory, as the width and the sign of a reading instruction show it."""
        i = stop.instruction
        return wrap(value, i.width, i.signed)

    def may_write(self, state: State) -> frozenset[int] | None:
        """The places that the thread, or one that it starts, may still write, by its code; None: any place."""
        key = state[0], state[1]
        if key not in self._writes:
            self._writes[key] = self._places(*key)
        return self._writes[key]

    def _places(self, template: int, pc: int) -> frozenset[int] | None:
        places: set[int] = set()
        todo, done = [(template, pc)], set()
        while todo:
            at = todo.pop()
            if at in done:
                continue
            done.add(at)
            t = self.program.templates[at[0]]
            i = t.code[at[1]]
            if i.opcode in WRITING:
                if i.b >= 0:
                    return None
                places.add(t.pool[~i.b])
            if i.opcode is Opcode.SPAWN:
                todo.append((i.c, 0))
            if i.opcode in (Opcode.JUMP, Opcode.JUMP_IF, Opcode.JUMP_UNLESS):
                todo.append((at[0], i.a))
            if i.opcode is Opcode.BACK:
                todo.append((at[0], i.c))
            if i.opcode not in (Opcode.JUMP, Opcode.BACK, Opcode.EXIT, Opcode.FAIL):
                todo.append((at[0], at[1] + 1))
        return frozenset(places)
