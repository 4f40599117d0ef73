"""`a[i]` with a computed index: a cell of a shared array, or one of several things that are known."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from porf.programs.form import Binary, Opcode
from porf.programs.python.expressions import as_number, number, value
from porf.programs.python.frame import Frame
from porf.programs.python.shared import Mutex, Shared, SharedArray, SharedInt
from porf.programs.python.values import Known, Number, Reference, Value


def element(frame: Frame, node: ast.Subscript) -> Value:
    """Compiles `a[i]`."""
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        raise frame.error(node.slice, "an index is one number")
    container = value(frame, node.value)
    items = container.value if isinstance(container, Known) else None
    if isinstance(items, SharedArray):
        width = items.declaration.type.width
        operand, register = number(frame, node.slice), frame.unit.temporary()
        if width > 1:
            frame.asm.emit(Opcode.BINARY, a=register, b=operand, c=frame.asm.constant(width), kind=Binary.MUL)
            operand = register
        base = frame.pointer(node.value, items)
        frame.asm.emit(Opcode.BINARY, a=register, b=base, c=operand, kind=Binary.ADD)
        return Reference(register, items.declaration.type)
    if isinstance(items, tuple | list) and items:
        return select(frame, node, items)
    raise frame.error(node, f"'{ast.unparse(node.value)}' has no elements", "shared arrays are made with p.array")


def select(frame: Frame, node: ast.Subscript, items: Sequence[object]) -> Value:
    """One of several numbers or shared cells, by a computed index; an index that is out of range is an error."""
    if all(isinstance(i, SharedInt | Mutex) for i in items):
        shared = [i for i in items if isinstance(i, Shared)]
        types = {s.declaration.type for s in shared}
        if len(types) > 1:
            raise frame.error(node, f"the elements of '{ast.unparse(node.value)}' have different types")
        type, operands = types.pop(), [frame.pointer(node.value, s) for s in shared]
    else:
        type, operands = None, [as_number(frame, node, Known(i)) for i in items]
    index, register, same = number(frame, node.slice), frame.unit.temporary(), frame.unit.temporary()
    end = frame.asm.label()
    for n, operand in enumerate(operands):
        frame.asm.emit(Opcode.MOVE, a=register, b=operand)
        frame.asm.emit(Opcode.BINARY, a=same, b=index, c=frame.asm.constant(n), kind=Binary.EQ)
        frame.asm.jump_if(same, end)
    frame.asm.emit(Opcode.FAIL, c=frame.unit.linker.message(f"index out of range: {ast.unparse(node)}"))
    frame.asm.put(end)
    return Number(register) if type is None else Reference(register, type)
