"""A reference interpreter of the program form: every interleaving, one step at a time, as plainly as can be."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from porf.programs.form import Binary, Instruction, Modify, Opcode, Program, Template, Unary
from tests.programs.arithmetic import binary, modify, unary, wrap

Writer = tuple[str, int]  # a thread's name and the number of its event
INITIAL: Writer = ("init", 0)


class BugError(Exception):
    """The program does something that it must not do."""


@dataclass
class Thread:
    name: str
    template: Template
    registers: list[int]
    pc: int = 0
    ended: bool = False
    waits: bool = False  # forever: an assumption failed, or a loop cannot go on
    result: int = 0
    events: list[tuple[object, ...]] = field(default_factory=list)
    heads: dict[int, tuple[object, ...]] = field(default_factory=dict)

    def value(self, operand: int) -> int:
        return self.registers[operand] if operand >= 0 else self.template.pool[~operand]


@dataclass
class Machine:
    threads: list[Thread]
    memory: dict[int, int | None]
    writers: dict[int, Writer]
    held: dict[int, int] = field(default_factory=dict)


@dataclass
class Outcome:
    """What all interleavings come to: classes of executions by (po, rf), and what is in memory at their ends."""

    complete: set[object] = field(default_factory=set)
    blocked: set[object] = field(default_factory=set)
    bugs: set[str] = field(default_factory=set)
    finals: set[tuple[tuple[str, int | None], ...]] = field(default_factory=set)

    def values(self, label: str) -> set[int | None]:
        return {dict(final)[label] for final in self.finals}


def run(program: Program) -> Outcome:
    memory, names = {}, {}
    for number, item in enumerate(program.objects):
        for cell in item.cells:
            memory[(number + 1) << 32 | cell.offset] = cell.initial
            names[(number + 1) << 32 | cell.offset] = cell.label
    threads = [start(program, s.template, s.arguments, s.name) for s in program.starts]
    outcome, seen = Outcome(), set()
    stack = [Machine(threads, memory, {})]
    while stack:
        machine = stack.pop()
        try:
            for thread in machine.threads:
                run_local(program, thread)
        except BugError as bug:
            outcome.bugs.add(str(bug))
            continue
        if (key := identity(machine)) in seen:
            continue
        seen.add(key)
        ready = [n for n, t in enumerate(machine.threads) if is_ready(machine, t)]
        for n in ready:
            after = copied(machine)
            try:
                step(program, after, n)
                stack.append(after)
            except BugError as bug:
                outcome.bugs.add(str(bug))
        if not ready and all(t.ended for t in machine.threads):
            outcome.complete.add(key[0])
            outcome.finals.add(tuple((names[p], v) for p, v in machine.memory.items()))
        elif not ready:
            outcome.blocked.add(key[0])
    return outcome


def start(program: Program, template: int, arguments: tuple[int, ...], name: str) -> Thread:
    code = program.templates[template]
    assert len(arguments) == code.parameters
    return Thread(name, code, [*arguments, *[0] * (code.registers - len(arguments))])


def identity(machine: Machine) -> tuple[object, object]:
    events = frozenset((t.name, *t.events) for t in machine.threads)
    return events, frozenset(machine.writers.items())


def copied(machine: Machine) -> Machine:
    threads = [copy.copy(t) for t in machine.threads]
    for t in threads:
        t.registers, t.events, t.heads = list(t.registers), list(t.events), dict(t.heads)
    return Machine(threads, dict(machine.memory), dict(machine.writers), dict(machine.held))


def run_local(program: Program, thread: Thread) -> None:
    """Up to the next instruction that other threads can see."""
    for _ in range(100_000):
        if thread.ended or thread.waits:
            return
        instruction = thread.template.code[thread.pc]
        if instruction.opcode >= Opcode.LOAD:
            return
        thread.pc += 1
        local(program, thread, instruction)
    raise AssertionError("a thread runs forever")


def local(program: Program, thread: Thread, i: Instruction) -> None:
    value = thread.value
    match i.opcode:
        case Opcode.MOVE:
            thread.registers[i.a] = value(i.b)
        case Opcode.BINARY:
            try:
                result = binary(Binary(i.kind), value(i.b), value(i.c))
            except ZeroDivisionError:
                raise BugError("division by zero") from None
            thread.registers[i.a] = wrap(result, i.width, i.signed)
        case Opcode.UNARY:
            thread.registers[i.a] = wrap(unary(Unary(i.kind), value(i.b)), i.width, i.signed)
        case Opcode.JUMP:
            thread.pc = i.a
        case Opcode.JUMP_IF if value(i.b):
            thread.pc = i.a
        case Opcode.JUMP_UNLESS if not value(i.b):
            thread.pc = i.a
        case Opcode.HEAD:
            thread.heads[i.a] = snapshot(thread, i.a)
        case Opcode.BACK if thread.heads[i.a] == snapshot(thread, i.a):
            thread.waits = True
        case Opcode.BACK:
            thread.pc = i.c
        case Opcode.ASSUME if not value(i.b):
            thread.waits = True
        case Opcode.ASSERT if not value(i.b):
            raise BugError(program.messages[i.c])
        case Opcode.FAIL:
            raise BugError(program.messages[i.c])
        case Opcode.EXIT:
            thread.ended, thread.result = True, value(i.b)


def snapshot(thread: Thread, loop: int) -> tuple[object, ...]:
    """What an iteration must change to have had an effect: live registers, or memory."""
    effects = sum(event[0] not in ("read", "fence") for event in thread.events)
    return effects, *(thread.registers[r] for r in thread.template.live[loop])


def is_ready(machine: Machine, thread: Thread) -> bool:
    if thread.ended or thread.waits:
        return False
    instruction = thread.template.code[thread.pc]
    if instruction.opcode is Opcode.JOIN:
        return machine.threads[thread.value(instruction.b)].ended
    return instruction.opcode is not Opcode.LOCK or thread.value(instruction.b) not in machine.held


def step(program: Program, machine: Machine, number: int) -> None:
    """One instruction that others can see."""
    thread = machine.threads[number]
    i = thread.template.code[thread.pc]
    thread.pc += 1
    value, at = thread.value, thread.value(i.b)
    if i.opcode in (Opcode.LOAD, Opcode.STORE, Opcode.RMW, Opcode.CAS):
        if at not in machine.memory:
            raise BugError(f"out of bounds: {program.label(at)}")
        if i.opcode is not Opcode.STORE and machine.memory[at] is None:
            raise BugError(f"uninitialised: {program.label(at)}")
    old = machine.memory.get(at) or 0
    match i.opcode:
        case Opcode.LOAD:
            thread.registers[i.a] = wrap(old, i.width, i.signed)
            thread.events.append(("read", at, machine.writers.get(at, INITIAL)))
        case Opcode.STORE:
            write(machine, thread, i, at, value(i.c), "write")
        case Opcode.RMW:
            new = modify(Modify(i.kind), old, value(i.c))
            thread.registers[i.a] = old
            write(machine, thread, i, at, new, "update", machine.writers.get(at, INITIAL))
        case Opcode.CAS:
            written, desired = old == value(i.c), value(i.d)
            thread.registers[i.a], thread.registers[i.e] = old, int(written)
            if written:
                write(machine, thread, i, at, desired, "update", machine.writers.get(at, INITIAL))
            else:
                thread.events.append(("read", at, machine.writers.get(at, INITIAL)))
        case Opcode.FENCE:
            thread.events.append(("fence", i.order))
        case Opcode.SPAWN:
            arguments = tuple(value(o) for o in thread.template.argument_lists[i.d])
            thread.registers[i.a] = len(machine.threads)
            thread.events.append(("spawn",))
            name = f"{thread.name}/{len(thread.events)}"
            machine.threads.append(start(program, i.c, arguments, name))
        case Opcode.JOIN:
            thread.registers[i.a] = machine.threads[at].result
            thread.events.append(("join",))
        case Opcode.LOCK | Opcode.TRYLOCK:
            free = at not in machine.held
            if i.opcode is Opcode.TRYLOCK:
                thread.registers[i.a] = int(free)
            if free:
                machine.held[at] = number
            last = machine.writers.get(at, INITIAL)
            thread.events.append(("lock" if free else "read", at, last))
            if free:
                machine.writers[at] = (thread.name, len(thread.events))
        case Opcode.UNLOCK:
            if machine.held.pop(at, None) != number:
                raise BugError("unlock of a mutex that is not held")
            thread.events.append(("unlock", at))
            machine.writers[at] = (thread.name, len(thread.events))


def write(machine: Machine, thread: Thread, i: Instruction, at: int, value: int, what: str, *read: Writer) -> None:
    thread.events.append((what, at, *read))
    machine.memory[at] = wrap(value, i.width, i.signed)
    machine.writers[at] = (thread.name, len(thread.events))
