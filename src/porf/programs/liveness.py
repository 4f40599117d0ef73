"""Which registers' values still matter at given instructions: backward data flow over the code of one thread."""

from __future__ import annotations

from collections.abc import Sequence

from porf.programs.form import Instruction, Opcode

# Which of an instruction's fields are operands that it reads, and registers that it sets.
READS: dict[Opcode, str] = {
    Opcode.MOVE: "b",
    Opcode.BINARY: "bc",
    Opcode.UNARY: "b",
    Opcode.SELECT: "bcd",
    Opcode.JUMP_IF: "b",
    Opcode.JUMP_UNLESS: "b",
    Opcode.ASSUME: "b",
    Opcode.ASSERT: "b",
    Opcode.EXIT: "b",
    Opcode.RETURN: "b",
    Opcode.ALLOCATE: "b",
    Opcode.LOAD: "b",
    Opcode.STORE: "bc",
    Opcode.RMW: "bc",
    Opcode.CAS: "bcd",
    Opcode.JOIN: "b",
    Opcode.LOCK: "b",
    Opcode.UNLOCK: "b",
    Opcode.TRYLOCK: "b",
    Opcode.FREE: "b",
    Opcode.CHOOSE: "bc",
    Opcode.BARRIER: "b",
}
SETS: dict[Opcode, str] = {
    Opcode.MOVE: "a",
    Opcode.BINARY: "a",
    Opcode.UNARY: "a",
    Opcode.SELECT: "a",
    Opcode.CALL: "a",
    Opcode.ADDRESS: "a",
    Opcode.ALLOCATE: "a",
    Opcode.SELF: "a",
    Opcode.LOAD: "a",
    Opcode.RMW: "a",
    Opcode.CAS: "ae",
    Opcode.SPAWN: "a",
    Opcode.JOIN: "a",
    Opcode.TRYLOCK: "a",
    Opcode.CHOOSE: "a",
    Opcode.BARRIER: "a",
}


def live_at(
    code: Sequence[Instruction],
    lists: Sequence[tuple[int, ...]],
    points: Sequence[int],
    observed: Sequence[int] = (),
) -> list[set[int]]:
    """The live registers before each of these instructions. The hidden counters of loops are never among them."""
    live: list[set[int]] = [set() for _ in code]
    changed = True
    while changed:
        changed = False
        for n in reversed(range(len(code))):
            after = set().union(*(live[s] for s in successors(code[n], n)))
            before = uses(code[n], lists, observed) | (after - sets(code[n]))
            if before != live[n]:
                live[n], changed = before, True
    return [live[p] for p in points]


def successors(instruction: Instruction, n: int) -> tuple[int, ...]:
    """The instructions that may come next."""
    match instruction.opcode:
        case Opcode.JUMP:
            return (instruction.a,)
        case Opcode.JUMP_IF | Opcode.JUMP_UNLESS:
            return (n + 1, instruction.a)
        case Opcode.BACK:
            return (instruction.c,)
        case Opcode.EXIT | Opcode.FAIL | Opcode.RETURN:
            return ()
    return (n + 1,)


def uses(instruction: Instruction, lists: Sequence[tuple[int, ...]], observed: Sequence[int]) -> set[int]:
    """The registers that an instruction reads."""
    operands = [getattr(instruction, field) for field in READS.get(instruction.opcode, "")]
    if instruction.opcode in (Opcode.CALL, Opcode.SPAWN, Opcode.PRINT):
        operands += lists[instruction.d]
    if instruction.opcode in (Opcode.CALL, Opcode.SPAWN) and instruction.kind == 1:
        operands.append(instruction.b)
    if instruction.opcode is Opcode.EXIT:
        operands += observed
    return {o for o in operands if o >= 0}


def sets(instruction: Instruction) -> set[int]:
    """The registers that an instruction sets."""
    return {getattr(instruction, field) for field in SETS.get(instruction.opcode, "")}
