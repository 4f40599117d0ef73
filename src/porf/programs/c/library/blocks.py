"""Blocks of memory, copied and filled, by the C library's names and by LLVM's."""

from porf._core import BugKind
from porf.programs.c.copies import backwards, each_place, transfer
from porf.programs.c.events import is_never, is_new
from porf.programs.c.library.record import Call, function
from porf.programs.form import Binary


@function("memcpy", "llvm.memcpy", forgets=(1,), gives_back=(0,))
def copy(call: Call) -> int:
    target, source, size = call.arguments(3)
    if (
        call.name == "memcpy"
    ):  # of the program; the compiler's own copies are of different objects, or of one onto itself
        refuse_overlap(call, target, source, size)
    transfer(call.frame, target, source, size)
    return target


def refuse_overlap(call: Call, target: int, source: int, size: int) -> None:
    code, apart = call.code, call.code.label()
    below = code.binary(Binary.ULE, code.binary(Binary.ADD, target, size), source)
    above = code.binary(Binary.ULE, code.binary(Binary.ADD, source, size), target)
    code.jump_if(code.binary(Binary.OR, below, above), apart)
    code.fail(call.message(""), BugKind.OVERLAP)
    code.put(apart)


@function("__porf_overlap")
def overlap(call: Call) -> None:
    call.code.fail(call.message(""), BugKind.OVERLAP)


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
    if is_never(call.frame, call.operands[1]) and is_new(call.frame, call.operands[0]):
        return call.argument(0)  # a new variable is not set anyway
    target, value, size = call.arguments(3)
    byte = code.binary(Binary.AND, value, code.constant(255))
    word = code.binary(Binary.MUL, byte, code.constant(0x0101010101010101))
    each_place(call.frame, [target], size, lambda o, w: code.store(code.binary(Binary.ADD, target, o), word, w))
    return target
