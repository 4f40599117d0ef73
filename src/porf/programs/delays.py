"""Loops that only count, as a back-off does between two tries: nothing depends on what they compute, so they go.

Then what says how long they run is needed by nobody either, and the loop around them can wait like one without them.
"""

from collections.abc import Callable, Sequence
from functools import cache

from porf.programs.form import FACTS, Binary, Instruction, Opcode, Reading, Sort, Template, sort_of
from porf.programs.liveness import Flow, bits, sets, successors

STEPS = (Binary.ADD, Binary.SUB)
GO_ON = (Binary.LT, Binary.GT, Binary.ULT, Binary.UGT, Binary.NE)  # what does not hold for ever
END = (Binary.GE, Binary.LE, Binary.UGE, Binary.ULE, Binary.EQ)
COMPUTES = (Opcode.BINARY, Opcode.CHECKED)
UNKNOWN = (Opcode.UNSET, Opcode.CALL, Opcode.JOIN)
JUMPS = (Opcode.JUMP, Opcode.JUMP_IF, Opcode.JUMP_UNLESS)


def without_delays(code: Sequence[Instruction], template: Template) -> list[Instruction]:
    """Code of the template with a jump to where such a loop ends in the place of its head."""
    out = list(code)
    heads = [n for n, i in enumerate(out) if i.opcode is Opcode.HEAD]
    if not heads:
        return out
    unset = cache(lambda: _unset(code, template))  # seldom asked for
    backs: dict[int, list[int]] = {}  # loop -> where its iterations end
    for n, i in enumerate(out):
        if i.opcode is Opcode.BACK:
            backs.setdefault(i.a, []).append(n)
    while True:
        before: list[list[int]] = [[] for _ in out]
        for n, i in enumerate(out):
            for target in successors(i, n):
                if target < len(out):
                    before[target].append(n)
        ends = ((head, _end(out, template, head, backs.get(out[head].a, []), before, unset)) for head in heads)
        found = next(((head, end) for head, end in ends if end is not None), None)
        if found is None:
            return out
        head, end = found
        out[head] = Instruction(Opcode.JUMP, a=end, place=out[head].place)
        heads.remove(head)


def _unset(code: Sequence[Instruction], template: Template) -> set[int]:
    """The registers that may hold a value that was never set: a jump that depends on one is an error, and stays."""
    waiting = list(range(template.parameters))
    made_of: dict[int, list[int]] = {}  # register -> the registers that are computed of it
    for i in code:
        if i.opcode in UNKNOWN or (i.opcode is Opcode.LOAD and i.kind == Reading.COPIES):
            waiting += sets(i)
        elif FACTS[i.opcode].pure or i.opcode in COMPUTES:
            for operand in i.operands(template.argument_lists):
                made_of.setdefault(operand, []).extend(sets(i))
    found: set[int] = set()
    while waiting:
        register = waiting.pop()
        if register not in found:
            found.add(register)
            waiting += made_of.get(register, ())
    return found


def _end(
    code: Sequence[Instruction],
    template: Template,
    head: int,
    backs: Sequence[int],
    before: Sequence[Sequence[int]],
    unset: Callable[[], set[int]],
) -> int | None:
    """Where a loop leads if it only counts."""
    body, waiting = {head}, list(backs)
    while waiting:
        n = waiting.pop()
        if n not in body:
            if n == 0 or not _only_counts(code[n]):
                return None
            body.add(n)
            waiting += before[n]
    if 0 in body:
        return None
    ends = {target for n in body for target in successors(code[n], n) if target not in body}
    if len(ends) != 1 or not _counts(code, template.pool, body, unset):
        return None
    end = ends.pop()
    made = bits(register for n in body for register in sets(code[n]))
    return end if end < len(code) and not made & Flow(code, template.argument_lists).before(end) else None


def _only_counts(i: Instruction) -> bool:
    if i.opcode in COMPUTES:  # a counter that overflows would have run for longer than any execution
        return sort_of(Binary(i.kind)) is not Sort.DIVISION
    return i.opcode in (Opcode.MOVE, Opcode.UNARY, Opcode.SELECT, Opcode.BACK, *JUMPS)


def _counts(code: Sequence[Instruction], pool: Sequence[int], body: set[int], unset: Callable[[], set[int]]) -> bool:
    """Whether the loop ends when a counter, which every turn changes by the same number, reaches what stays."""
    makers: dict[int, list[Instruction]] = {}
    for n in body:
        for register in sets(code[n]):
            makers.setdefault(register, []).append(code[n])

    def only(register: int) -> Instruction | None:
        found = makers.get(register, [])
        return found[0] if len(found) == 1 else None

    def is_counter(register: int) -> bool:
        """A value, or the next one, of `i = i + 1`."""
        seen = set()
        steps = 0
        while register >= 0 and register not in seen:
            seen.add(register)
            maker = only(register)
            if maker is None:
                return False
            if maker.opcode in COMPUTES and maker.kind in STEPS and maker.c < 0 and abs(pool[~maker.c]) == 1:
                steps += 1
            elif maker.opcode is not Opcode.MOVE:
                return False
            register = maker.b
        return steps == 1 and register >= 0

    branches = [n for n in body if code[n].opcode in (Opcode.JUMP_IF, Opcode.JUMP_UNLESS)]
    if len(branches) != 1:  # a turn may leave something out
        return False
    branch = code[branches[0]]
    if branch.b < 0 or branch.b in unset():
        return False
    if is_counter(branch.b):
        return True
    test = only(branch.b)
    ends = (branch.opcode is Opcode.JUMP_IF) == (branch.target not in body)  # if the condition holds
    if test is None or test.opcode is not Opcode.BINARY or test.kind not in (END if ends else GO_ON):
        return False
    operands = test.b, test.c
    return sum(map(is_counter, operands)) == 1 and any(o < 0 or o not in makers for o in operands)
