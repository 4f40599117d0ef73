"""A reference interpreter of the program form: all interleavings, one instruction at a time; so it is SC only.

It is slow and plain. Threads that cannot go on (a failed assumption, a lock that never comes) end nothing: such a
path has no final state. A loop is a loop, and states that were seen before are not visited again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from porf.programs.form import Binary, Instruction, Modify, Opcode, Program, Unary
from tests.programs.arithmetic import binary, modify, unary, wrap

Memory = tuple[tuple[int, int], ...]
Threads = tuple[tuple[int, int, tuple[int, ...]], ...]  # template, instruction (-1: ended), registers
State = tuple[Threads, Memory]


@dataclass
class Runs:
    """What all interleavings come to: final states (values of what is watched), and messages of errors."""

    states: set[tuple[int, ...]] = field(default_factory=set)
    errors: set[str] = field(default_factory=set)
    stuck: int = 0  # states in which no thread can go on, though not all have ended


def run(program: Program) -> Runs:
    """Visits every reachable state once."""
    runs = Runs()
    threads = tuple((s.template, 0, _registers(program, s.template, s.arguments)) for s in program.starts)
    memory = {(n + 1) << 32 | c.offset: c.initial for n, o in enumerate(program.objects) for c in o.cells}
    first: State = (threads, tuple(sorted((p, v) for p, v in memory.items() if v is not None)))
    seen, todo = {first}, [first]
    while todo:
        state = todo.pop()
        threads = state[0]
        if all(at < 0 for _, at, _ in threads):
            runs.states.add(tuple(threads[w.thread][2][w.register] for w in program.watched))
            continue
        after = [s for n in range(len(threads)) for s in _steps(program, state, n, runs)]
        runs.stuck += not after
        for s in after:
            if s not in seen:
                seen.add(s)
                todo.append(s)
    return runs


def _registers(program: Program, template: int, arguments: tuple[int, ...]) -> tuple[int, ...]:
    return arguments + (0,) * (program.templates[template].registers - len(arguments))


def _steps(program: Program, state: State, thread: int, runs: Runs) -> Iterator[State]:
    """The states that one step of a thread leads to: none if it has ended or waits, two after a weak exchange."""
    threads, cells = state
    number, at, values = threads[thread]
    if at < 0:
        return
    template = program.templates[number]
    i: Instruction = template.code[at]
    registers, memory = list(values), dict(cells)

    def get(operand: int) -> int:
        return registers[operand] if operand >= 0 else template.pool[~operand]

    def result(next_at: int = at + 1) -> State:
        after = (number, next_at, tuple(registers))
        return (*threads[:thread], after, *threads[thread + 1 :]), tuple(sorted(memory.items()))

    match i.opcode:
        case Opcode.MOVE:
            registers[i.a] = get(i.b)
        case Opcode.BINARY:
            registers[i.a] = wrap(binary(Binary(i.kind), get(i.b), get(i.c)), i.width or 8, i.signed)
        case Opcode.UNARY:
            registers[i.a] = wrap(unary(Unary(i.kind), get(i.b)), i.width or 8, i.signed)
        case Opcode.JUMP:
            yield result(i.a)
            return
        case Opcode.JUMP_IF:
            yield result(i.a if get(i.b) else at + 1)
            return
        case Opcode.JUMP_UNLESS:
            yield result(at + 1 if get(i.b) else i.a)
            return
        case Opcode.HEAD | Opcode.FENCE:
            pass
        case Opcode.BACK:
            yield result(i.c)
            return
        case Opcode.ASSUME:
            if not get(i.b):
                return
        case Opcode.ASSERT:
            if not get(i.b):
                runs.errors.add(program.messages[i.c])
                return
        case Opcode.EXIT:
            yield result(-1)
            return
        case Opcode.LOAD:
            registers[i.a] = memory[get(i.b)]
        case Opcode.STORE:
            assert get(i.b) in memory
            memory[get(i.b)] = wrap(get(i.c), i.width, i.signed)
        case Opcode.RMW:
            place, operand = get(i.b), get(i.c)
            registers[i.a] = memory[place]
            memory[place] = wrap(modify(Modify(i.kind), memory[place], operand), i.width, i.signed)
        case Opcode.CAS:
            place, expected, desired = get(i.b), get(i.c), get(i.d)
            found = memory[place]
            registers[i.a], registers[i.e] = found, 0
            if found == expected:
                if i.weak:
                    yield result()
                registers[i.e], memory[place] = 1, wrap(desired, i.width, i.signed)
        case Opcode.JOIN:
            if threads[get(i.b)][1] >= 0:
                return
        case Opcode.LOCK:
            if memory[get(i.b)]:
                return
            memory[get(i.b)] = 1
        case Opcode.UNLOCK:
            memory[get(i.b)] = 0
        case Opcode.TRYLOCK:
            registers[i.a] = int(not memory[get(i.b)])
            memory[get(i.b)] = 1
        case _:
            raise NotImplementedError(i.opcode)
    yield result()
