"""From the program form to the core's program: all code in one array, and registers for what loops remember."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from porf._core import Program as CoreProgram
from porf.programs.form import Instruction, Object, Opcode, Program, Template

FIELDS = ("opcode", "kind", "width", "signed", "order", "failure", "weak", "a", "b", "c", "d", "e")
JUMPS = (Opcode.JUMP, Opcode.JUMP_IF, Opcode.JUMP_UNLESS)


def lower(program: Program) -> CoreProgram:
    """The program as the core runs it. Instructions keep their order: template after template."""
    rows: list[list[int]] = []
    templates = []
    for template in program.templates:
        entry = len(rows)
        rows += [[int(getattr(moved(i, entry), f)) for f in FIELDS] for i in template.code]
        templates.append(parts(template, entry))
    return CoreProgram(
        np.array(rows, dtype=np.int32).reshape(len(rows), len(FIELDS)),
        templates,
        objects(program.objects),
        objects(program.layouts),
        [(o.slot, o.size, list(o.words)) for o in program.locals],
        [(s.template, list(s.arguments)) for s in program.starts],
        [(w.thread, w.register) for w in program.watched],
    )


def objects(items: Iterable[Object]) -> list[tuple[int, int, list[tuple[int, int, bool, int]]]]:
    """Objects, or layouts, as the core takes them."""
    return [
        (o.size, o.template, [(c.offset, c.width, c.initial is not None, c.initial or 0) for c in o.cells])
        for o in items
    ]


def instruction(program: Program, pc: int) -> tuple[Template, Instruction]:
    """The instruction at a place in the core's array, and whose it is."""
    for template in program.templates:
        if pc < len(template.code):
            return template, template.code[pc]
        pc -= len(template.code)
    raise IndexError(pc)


def moved(instruction: Instruction, entry: int) -> Instruction:
    """The instruction with its targets counted from the beginning of all code."""
    if instruction.opcode in JUMPS:
        return replace(instruction, a=instruction.a + entry)
    if instruction.opcode is Opcode.BACK:
        return replace(instruction, c=instruction.c + entry)
    return instruction


def parts(
    template: Template, entry: int
) -> tuple[int, int, int, int, list[int], list[list[int]], list[tuple[list[int], int]]]:
    """A template as the core takes it; each loop gets registers for the values at the beginning of an iteration.

    Loops that share their counters are never in progress at the same time, so they share these registers, too.
    """
    counters = {i.a: i.b for i in template.code if i.opcode is Opcode.HEAD}
    sizes: dict[int, int] = {}
    for loop, first in counters.items():
        sizes[first] = max(sizes.get(first, 0), len(template.live[loop]))
    registers, places = template.registers, dict[int, int]()
    for first, size in sizes.items():
        places[first] = registers
        registers += size
    loops = [(list(live), places[counters[n]] if n in counters else 0) for n, live in enumerate(template.live)]
    lists = [list(operands) for operands in template.argument_lists]
    return entry, registers, template.private, template.parameters, list(template.pool), lists, loops
