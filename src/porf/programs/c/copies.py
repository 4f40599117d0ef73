"""memcpy, memmove, memset: accesses of whole places, however wide these are.

If a type says what is there, each scalar of it is accessed. Else the accesses are as wide as both addresses and the
size allow: a place of so many bytes is aligned to them, and no place is accessed in part. A plain access of several
narrower places is one of each of them.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.integers import zero_extend
from porf.programs.form import WIDTHS, Binary

FEW = 64  # accesses that are written out; more are a loop
Step = Callable[[int, int], None]  # what happens at an offset (an operand) with a width


def copy(frame: Frame, i: ir.Instruction) -> None:
    transfer(frame, i, overlapping=False)


def move(frame: Frame, i: ir.Instruction) -> None:
    transfer(frame, i, overlapping=True)


def transfer(frame: Frame, i: ir.Instruction, overlapping: bool) -> None:
    target, source, size = (frame.one(o) for o in i.operands[:3])
    places = plan(frame, i, frame.code.known(size), i.operands[:2])
    transfer_bytes(frame, target, source, size, places, overlapping)
    frame.set_one(i, target)


def transfer_bytes(
    frame: Frame, target: int, source: int, size: int, places: list[tuple[int, int]] | None, overlapping: bool
) -> None:
    """Copies; with `overlapping` as if all was read before anything is written."""
    code = frame.code
    if places is not None:
        values = []
        for offset, width in places:
            values.append(code.load(code.add(source, offset), width))
            if not overlapping:
                code.store(code.add(target, offset), values[-1], width)
        if overlapping:
            for (offset, width), value in zip(places, values, strict=True):
                code.store(code.add(target, offset), value, width)
        return

    def step(offset: int, width: int) -> None:
        value = code.load(code.binary(Binary.ADD, source, offset), width)
        code.store(code.binary(Binary.ADD, target, offset), value, width)

    if not overlapping:
        by_width(frame, [target, source], size, step)
        return
    backwards, end = code.label(), code.label()
    code.jump_if(code.binary(Binary.UGT, target, source), backwards)
    by_width(frame, [target, source], size, step)
    code.jump(end)
    code.put(backwards)
    by_width(frame, [target, source], size, step, backwards=True)
    code.put(end)


def fill(frame: Frame, i: ir.Instruction) -> None:
    code = frame.code
    target, value, size = (frame.one(o) for o in i.operands[:3])
    places = plan(frame, i, code.known(size), i.operands[:1])
    byte = zero_extend(code, code.binary(Binary.AND, value, code.constant(255)), 8)
    words = code.binary(Binary.MUL, byte, code.constant(0x0101010101010101))
    if places is not None:
        for offset, width in places:
            code.store(code.add(target, offset), words, width)
    else:
        by_width(frame, [target], size, lambda o, w: code.store(code.binary(Binary.ADD, target, o), words, w))
    frame.set_one(i, target)


def by_width(frame: Frame, pointers: list[int], size: int, step: Step, backwards: bool = False) -> None:
    """Steps through so many bytes, each as wide as the pointers and the size allow."""
    code, end = frame.code, frame.code.label()
    common = size
    for pointer in pointers:
        common = code.binary(Binary.OR, common, pointer)
    for width in reversed(WIDTHS):
        narrower = code.label()
        if width > 1:
            code.jump_if(code.binary(Binary.AND, common, code.constant(width - 1)), narrower)
        loop(frame, size, width, step, backwards)
        code.jump(end)
        code.put(narrower)
    code.put(end)


def loop(frame: Frame, size: int, width: int, step: Step, backwards: bool) -> None:
    """Offsets from 0 up to the size, or down. It ends for sure, so it is none that iterations are compared of."""
    code = frame.code
    offset, head, end = code.register(), code.label(), code.label()
    code.copy(offset, size if backwards else code.constant(0))
    code.put(head)
    if backwards:
        code.jump_unless(offset, end)
        code.copy(offset, code.binary(Binary.SUB, offset, code.constant(width)))
        step(offset, width)
    else:
        code.jump_unless(code.binary(Binary.ULT, offset, size), end)
        step(offset, width)
        code.copy(offset, code.binary(Binary.ADD, offset, code.constant(width)))
    code.jump(head)
    code.put(end)


def plan(
    frame: Frame, i: ir.Instruction, size: int | None, operands: tuple[ir.Operand, ...]
) -> list[tuple[int, int]] | None:
    """(offset, width) of each access, if that is known now and they are few."""
    if size is None:
        return None
    if i.fields and all(width in WIDTHS and offset % width == 0 for offset, width in i.fields):
        return list(i.fields)
    for operand in operands:
        type = pointed(frame, operand)
        if type is not None and (places := scalars(frame, type, size)) is not None:
            return places
    return [] if size == 0 else None


def scalars(frame: Frame, type: ir.Type, size: int) -> list[tuple[int, int]] | None:
    """The scalars in the first bytes of a type; None if it is shorter, or some are cut, or they are many."""
    types = frame.unit.types
    if types.size(type) < size or types.size(type) > size + 64 * FEW:
        return None
    places = []
    for offset, kind in types.leaves(type):
        width = types.size(kind)
        if offset >= size:
            break
        if width not in WIDTHS or offset % width or offset + width > size:
            return None
        places.append((offset, width))
    return places if len(places) <= FEW else None


def pointed(frame: Frame, operand: ir.Operand) -> ir.Type | None:
    """The type of what a pointer points to, as far as the code that makes it says."""
    types = frame.unit.types
    match operand:
        case ir.Symbol(name=name):
            found = frame.unit.module.globals.get(name)
            return found.type if found is not None else None
        case ir.Expression(opcode="getelementptr", source=source, operands=operands):
            indices = operands[1:]
        case ir.Register(name=name):
            maker = frame.makers.get(name)
            if maker is None or maker.source is None or maker.opcode not in ("alloca", "getelementptr"):
                return None
            if maker.opcode == "alloca":
                return maker.source if maker.operands in ((), (ir.Number(ir.Integer(32), 1),)) else None
            source, indices = maker.source, maker.operands[1:]
        case _:
            return None
    inner = source
    for index in indices[1:]:
        if inner is None or not isinstance(inner, ir.Array | ir.Struct):
            return None
        number = index.value if isinstance(index, ir.Number) else 0
        inner = types.element(inner, number)
    return inner if inner != ir.Integer(8) else None
