"""Blocks of memory, copied and filled, by the C library's names and by LLVM's."""

from porf.programs.c.copies import backwards, each_place, transfer
from porf.programs.c.library.record import Call, function
from porf.programs.form import Binary


@function("memcpy", "llvm.memcpy", forgets=(1,), gives_back=(0,))
def copy(call: Call) -> int:
    target, source, size = call.arguments(3)
    transfer(call.frame, target, source, size)
    return target


@function("memmove", "llvm.memmove", forgets=(1,), gives_back=(0,))
def move(call: Call) -> int:
    """As if everything was read before anything is written: from the end on, if the target is behind the source."""
    code = call.code
    target, source, size = call.arguments(3)
    forwards, end = code.label(), code.label()
    code.jump_if(code.binary(Binary.ULE, target, source), forwards)
    backwards(call.frame, target, source, size)
    code.jump(end)
    code.put(forwards)
    transfer(call.frame, target, source, size)
    code.put(end)
    return target


@function("memset", "llvm.memset", gives_back=(0,))
def fill(call: Call) -> int:
    code = call.code
    target, value, size = call.arguments(3)
    byte = code.binary(Binary.AND, value, code.constant(255))
    word = code.binary(Binary.MUL, byte, code.constant(0x0101010101010101))
    each_place(call.frame, [target], size, lambda o, w: code.store(code.binary(Binary.ADD, target, o), word, w))
    return target
