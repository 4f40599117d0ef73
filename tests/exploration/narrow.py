"""Plain accesses of 8 bytes as the two accesses of 4 bytes that they are: brute force knows no others."""

from __future__ import annotations

from dataclasses import replace

from porf.execution import Order
from porf.programs.assemble import with_live
from porf.programs.form import Binary, Instruction, Opcode, Program, Template

JUMPS = {Opcode.JUMP: "a", Opcode.JUMP_IF: "a", Opcode.JUMP_UNLESS: "a", Opcode.BACK: "c"}


def narrow(program: Program) -> Program:
    """The program without plain accesses of 8 bytes; it must mean each of them for two cells."""
    return replace(program, templates=tuple(_narrow(t) for t in program.templates))


def _is_wide(i: Instruction) -> bool:
    return i.opcode in (Opcode.LOAD, Opcode.STORE) and i.order is Order.NA and i.width == 8


def _narrow(template: Template) -> Template:
    if not any(_is_wide(i) for i in template.code):
        return template
    pool = (*template.pool, 4, 32, 0xFFFFFFFF)
    four, shift, mask = (~(len(template.pool) + n) for n in range(3))
    where, high = template.registers, template.registers + 1
    code: list[Instruction] = []
    moved: list[int] = []

    def binary(a: int, b: int, kind: Binary, c: int) -> None:
        code.append(Instruction(Opcode.BINARY, a=a, b=b, c=c, kind=kind))

    for i in template.code:
        moved.append(len(code))
        if not _is_wide(i):
            code.append(i)
            continue
        binary(where, i.b, Binary.ADD, four)
        half = replace(i, width=4)
        if i.opcode is Opcode.STORE:
            binary(high, i.c, Binary.SHR, shift)
            code += [half, replace(half, b=where, c=high)]
        else:
            code += [half, replace(half, a=high, b=where)]
            binary(i.a, i.a, Binary.AND, mask)
            binary(high, high, Binary.SHL, shift)
            binary(i.a, i.a, Binary.OR, high)
    code = [
        replace(i, **{JUMPS[i.opcode]: moved[getattr(i, JUMPS[i.opcode])]}) if i.opcode in JUMPS else i for i in code
    ]
    return with_live(replace(template, code=tuple(code), pool=pool, registers=template.registers + 2))
