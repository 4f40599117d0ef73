"""Smaller code that does the same: jumps that lead on, code that nothing reaches, values that nobody needs.

Accesses of memory stay, whether their values are needed or not: they are what others see.
"""

from collections.abc import Iterable, Mapping, Sequence

from porf.programs.delays import without_delays
from porf.programs.form import FACTS, Binary, Instruction, Opcode, Reading, Sort, Template, sort_of
from porf.programs.liveness import successors, uses
from porf.record import replace

GUARDED = (Opcode.CHECKED, Opcode.WITHIN)  # they set a register, and may be an error
INVERSE = {Opcode.JUMP_IF: Opcode.JUMP_UNLESS, Opcode.JUMP_UNLESS: Opcode.JUMP_IF}
JUMPS = frozenset({Opcode.JUMP, *INVERSE})  # they do nothing but jump, always or on a condition


def tidy(template: Template) -> Template:
    """The template with less code; its registers keep their numbers, and its loops theirs."""
    code = [decided(template, i, n) for n, i in enumerate(template.code)]
    code = without_delays([threaded(code, i) if i.opcode in JUMPS else i for i in code], template)
    code = [threaded(code, i) if i.opcode in JUMPS else i for i in code]
    kept = reachable(code)
    drop_unneeded(code, template.argument_lists, kept)
    drop_jumps(code, kept, may_be_unset(template))
    return compact(template, code, kept)


def decided(template: Template, instruction: Instruction, n: int) -> Instruction:
    """A jump whose condition is a constant always goes the same way."""
    if instruction.opcode in INVERSE and instruction.b < 0:
        jumps = (template.pool[~instruction.b] != 0) == (instruction.opcode is Opcode.JUMP_IF)
        return Instruction(Opcode.JUMP, a=instruction.a if jumps else n + 1, place=instruction.place)
    return instruction


def threaded(code: Sequence[Instruction], instruction: Instruction) -> Instruction:
    """A jump to a jump goes where that one goes."""
    target, seen = instruction.a, set()
    while code[target].opcode is Opcode.JUMP and target not in seen:
        seen.add(target)
        target = code[target].a
    return instruction.with_target(lambda _: target)


def reachable(code: Sequence[Instruction]) -> list[bool]:
    """Whether each instruction can be reached from the first."""
    found, waiting = [False] * len(code), [0]
    while waiting:
        n = waiting.pop()
        while n < len(code) and not found[n]:
            found[n] = True
            following = successors(code[n], n)
            waiting += following[1:]
            n = following[0] if following else len(code)
    return found


def drop_unneeded(code: Sequence[Instruction], lists: Sequence[tuple[int, ...]], kept: list[bool]) -> None:
    """Keeps of the pure instructions those that others need, directly or not; a value that needs only itself goes.

    So does a counter that nobody looks at, although it may overflow: no execution is that long.
    """
    makers: dict[int, list[int]] = {}
    waiting: list[int] = []
    guarded: list[int] = []
    for n, instruction in enumerate(code):
        if not kept[n]:
            continue
        if instruction.opcode in GUARDED:
            guarded.append(n)
        if is_pure(instruction) or instruction.opcode in GUARDED:
            makers.setdefault(instruction.a, []).append(n)
        else:
            waiting += uses(instruction, lists)
            for field in FACTS[instruction.opcode].counters:
                waiting += range(getattr(instruction, field), getattr(instruction, field) + 2)
    made_of = {register: [r for n in places for r in uses(code[n], lists)] for register, places in makers.items()}
    needed = _closure(made_of, waiting)
    for n in guarded:
        if code[n].a not in needed and code[n].a not in _closure(made_of, uses(code[n], lists)):
            needed |= _closure(made_of, [code[n].a])
    for register, places in makers.items():
        if register not in needed:
            for n in places:
                kept[n] = False


def _closure(made_of: Mapping[int, list[int]], registers: Iterable[int]) -> set[int]:
    """These registers, and all that they are made of."""
    found: set[int] = set()
    waiting = list(registers)
    while waiting:
        register = waiting.pop()
        if register not in found:
            found.add(register)
            waiting += made_of.get(register, ())
    return found


def is_pure(instruction: Instruction) -> bool:
    """Whether it does nothing but set its register. A division may be an error."""
    if instruction.opcode is Opcode.BINARY and sort_of(Binary(instruction.kind)) is Sort.DIVISION:
        return False
    return FACTS[instruction.opcode].pure


def may_be_unset(template: Template) -> bool:
    """Whether a register may hold a value that was never set: a jump that depends on it is an error."""
    return template.parameters > 0 or any(
        i.opcode is Opcode.UNSET or (i.opcode is Opcode.LOAD and i.kind == Reading.COPIES) for i in template.code
    )


def drop_jumps(code: list[Instruction], kept: list[bool], careful: bool) -> None:
    """Removes jumps to what comes next anyway, and turns jumps around other jumps. If `careful`, a jump that tests
    something stays, wherever it leads."""
    skip = list(range(1, len(code) + 2))  # shortcuts over what is gone

    def standing(n: int) -> int:
        """The first kept instruction from here on."""
        passed = []
        while n < len(code) and not kept[n]:
            passed.append(n)
            n = skip[n]
        for p in passed:
            skip[p] = n
        return n

    targets = {standing(i.a) for n, i in enumerate(code) if kept[n] and i.opcode in JUMPS}
    for n in reversed(range(len(code))):
        i = code[n]
        if not kept[n] or i.opcode not in JUMPS:
            continue
        other = standing(n + 1)
        leads_on = other < len(code) and code[other].opcode is Opcode.JUMP and other not in targets
        if leads_on and i.opcode in INVERSE and standing(i.a) == standing(other + 1):
            code[n] = i = replace(i, opcode=INVERSE[i.opcode], a=code[other].a)
            kept[other] = False
        if standing(i.a) == standing(n + 1) and not (careful and i.opcode is not Opcode.JUMP):
            kept[n] = False


def compact(template: Template, code: Sequence[Instruction], kept: Sequence[bool]) -> Template:
    """The template with the kept instructions alone."""
    place, count = [], 0
    for stays in kept:
        place.append(count)
        count += stays
    place.append(count)
    code = tuple(i.with_target(place.__getitem__) for n, i in enumerate(code) if kept[n])
    return replace(template, code=code)


def moves(template: Template) -> list[tuple[int, int]]:
    """The registers that are copied into others."""
    return [(i.a, i.b) for i in template.code if i.opcode is Opcode.MOVE and i.b >= 0]
