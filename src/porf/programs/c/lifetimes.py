"""When objects on the stack begin and end. Who accesses one that has ended is told so, if another thread could.

A function that LLVM has put where it is called marks the lives of its variables. What has no marks ends when its
function returns; the variables of main never do, for the program ends with it.
"""

from __future__ import annotations

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.form import Allocation, Binary, Opcode

STACK = 1  # of FREE


def marked(function: ir.Function) -> frozenset[str]:
    """The allocas whose lives begin at a mark."""
    return frozenset(
        operand.name
        for block in function.blocks
        for i in block.instructions
        if i.opcode == "call" and isinstance(i.callee, ir.Symbol) and i.callee.name.startswith("llvm.lifetime.start")
        for operand in i.operands
        if isinstance(operand, ir.Register)
    )


def stack_object(frame: Frame, i: ir.Instruction) -> None:
    """An alloca: private memory if nobody else can see it, else an object of its own."""
    assert i.source is not None
    size = frame.unit.types.size(i.source)
    count = frame.one(i.operands[0]) if i.operands else frame.code.constant(1)
    known = frame.code.known(count)
    if i.result in frame.unit.private.get(frame.function.name, ()) and known is not None:
        frame.set_private(i.result, size * known)
        frame.one(ir.Register(i.type, i.result))  # it is there from now on
        return
    result = frame.code.register()
    frame.set_one(i, result)
    layout = frame.unit.memory.alloca_layout(frame.function, i)
    if i.result in frame.marked and known is not None:
        frame.shared_stack[i.result] = (result, size * known, layout)
        frame.code.copy(result, frame.code.constant(0))
        return
    amount = frame.code.binary(Binary.MUL, count, frame.code.constant(size))
    frame.code.emit(Opcode.ALLOCATE, a=result, b=amount, c=layout, kind=Allocation.STACK)
    frame.unmarked.append(result)


def begin(frame: Frame, i: ir.Instruction) -> None:
    for operand in i.operands:
        if isinstance(operand, ir.Register) and operand.name in frame.shared_stack:
            register, size, layout = frame.shared_stack[operand.name]
            code = frame.code
            code.emit(Opcode.ALLOCATE, a=register, b=code.constant(size), c=layout, kind=Allocation.STACK)


def end(frame: Frame, i: ir.Instruction) -> None:
    for operand in i.operands:
        if isinstance(operand, ir.Register) and operand.name in frame.shared_stack:
            frame.code.emit(Opcode.FREE, b=frame.shared_stack[operand.name][0], kind=STACK)


def end_all(frame: Frame) -> None:
    """The function ends here, or its thread."""
    if not frame.is_main:
        for register in frame.unmarked:
            frame.code.emit(Opcode.FREE, b=register, kind=STACK)
