"""`a[i]` with a computed index: a cell of a shared array, or one of several things that are known."""

import ast
from collections.abc import Sequence

from porf.programs.form import Binary
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
        operand, register = number(frame, node.slice), frame.asm.result()
        if width > 1:
            operand = frame.asm.binary(Binary.MUL, operand, frame.asm.constant(width), into=register)
        base = frame.pointer(node.value, items)
        return Reference(frame.asm.binary(Binary.ADD, base, operand, into=register), items.declaration.type)
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
    index, register, same = number(frame, node.slice), frame.asm.result(), frame.asm.result()
    end = frame.asm.label()
    for n, operand in enumerate(operands):
        frame.asm.copy(register, operand)
        frame.asm.jump_if(frame.asm.binary(Binary.EQ, index, frame.asm.constant(n), into=same), end)
    frame.asm.fail(frame.unit.linker.message(f"index out of range: {ast.unparse(node)}"))
    frame.asm.put(end)
    return Number(register) if type is None else Reference(register, type)
