"""A program with one fence more: before each access of a place in its source."""

from __future__ import annotations

from porf._core import Order
from porf.programs.form import Back, Instruction, Opcode, Place, Program, Template
from porf.record import replace

ACCESSES = (Opcode.LOAD, Opcode.STORE, Opcode.RMW, Opcode.CAS)


def with_fence(program: Program, place: Place, order: Order) -> Program:
    """The program with a fence of this order before each access of the place."""
    return replace(program, templates=tuple(_fenced(template, place, order) for template in program.templates))


def _fenced(template: Template, place: Place, order: Order) -> Template:
    moved, code = [], list[Instruction]()
    for i in template.code:
        moved.append(len(code))  # who jumps to the access comes past the fence, too
        if i.place == place and i.opcode in ACCESSES:
            code.append(Instruction(Opcode.FENCE, order=order, place=place))
        code.append(i)
    moved.append(len(code))
    if len(code) == len(template.code):
        return template
    # A loop that retries has more events now; to follow it is always right.
    code = [replace(i, kind=Back.EXACT) if i.opcode is Opcode.BACK and i.a in template.retries else i for i in code]
    return replace(template, code=tuple(i.with_target(moved.__getitem__) for i in code), retries={})
