"""When the lives of objects on the stack begin and end, so that an access after the end is a bug, if another thread
could see the object.

LLVM marks the lives of the variables of a function that it has inlined. A variable without marks ends when its function
returns; those of main never do, because the program ends with it.
"""

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.library import Call, find
from porf.programs.form import Allocation, Binary, Home, Life, Storage


def marked(function: ir.Function) -> frozenset[str]:
    """The allocas whose lives begin at a mark."""
    return frozenset(
        operand.name
        for block in function.blocks
        for i in block.instructions
        if isinstance(i.callee, ir.Symbol) and (record := find(i.callee.name)) is not None and record.emit is begin
        for operand in i.operands
        if isinstance(operand, ir.Register)
    )


def stack_object(frame: Frame, i: ir.Instruction) -> None:
    """An alloca: private memory if no other thread can see it, otherwise an object of its own."""
    assert i.source is not None
    size = frame.unit.types.size(i.source)
    count = frame.one(i.operands[0]) if i.operands else frame.code.constant(1)
    known = frame.code.known(count)
    if i.result in frame.unit.private.get(frame.function.name, ()) and known is not None:
        frame.set_private(i.result, size * known, Home.MARKED)
        if i.result not in frame.marked:
            slot = frame.private_slot(i.result)
            assert slot is not None
            frame.code.life(*slot, Life.BEGIN)
        return
    result = frame.code.register()
    frame.set_one(i, result)
    layout = frame.unit.memory.alloca_layout(frame.function, i)
    if i.result in frame.marked and known is not None:
        frame.shared_stack[i.result] = (result, size * known, layout)
        frame.code.copy(result, frame.code.constant(0))
        return
    amount = frame.code.binary(Binary.MUL, count, frame.code.constant(size))
    frame.code.allocate(amount, layout, Allocation.STACK, into=result)
    frame.unmarked.append(result)


def begin(call: Call) -> None:
    """LLVM's mark of a beginning."""
    code = call.code
    for slot, size in private(call):
        code.life(slot, size, Life.BEGIN)
    for register, size, layout in shared(call):
        code.allocate(code.constant(size), layout, Allocation.STACK, into=register)


def end(call: Call) -> None:
    """LLVM's mark of an end."""
    for slot, size in private(call):
        call.code.life(slot, size, Life.END)
    for register, _, _ in shared(call):
        call.code.free(register, Storage.STACK)


def shared(call: Call) -> list[tuple[int, int, int]]:
    """The objects that a mark names, of those that other threads may see."""
    names = [operand.name for operand in call.operands if isinstance(operand, ir.Register)]
    return [call.frame.shared_stack[name] for name in names if name in call.frame.shared_stack]


def private(call: Call) -> list[tuple[int, int]]:
    """Slots and sizes of the objects that a mark names, of those that only this thread can see."""
    names = [operand.name for operand in call.operands if isinstance(operand, ir.Register)]
    return [found for name in names if (found := call.frame.private_slot(name)) is not None]


def end_all(frame: Frame) -> None:
    """The function ends here, or its thread."""
    if not frame.is_main:
        for register in frame.unmarked:
            frame.code.free(register, Storage.STACK)
