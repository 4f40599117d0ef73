"""Memory from the heap, in C and in C++."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.copies import transfer
from porf.programs.c.frame import Frame
from porf.programs.c.threads import argument, done
from porf.programs.form import Allocation, Binary, Opcode, Unary


def allocate(frame: Frame, i: ir.Instruction, size: int, kind: Allocation = Allocation.HEAP) -> int:
    """A new object; returns the pointer to it."""
    result = frame.code.register()
    layout = frame.unit.memory.heap_layout(frame.function, i)
    frame.code.emit(Opcode.ALLOCATE, a=result, b=size, c=layout, kind=kind)
    return result


def sized(index: int) -> Callable[[Frame, ir.Instruction], None]:
    """The argument with this number is how many bytes."""

    def emit(frame: Frame, i: ir.Instruction) -> None:
        frame.set_one(i, allocate(frame, i, argument(frame, i, index)))

    return emit


def zeroed(frame: Frame, i: ir.Instruction) -> None:
    size = frame.code.binary(Binary.MUL, argument(frame, i, 0), argument(frame, i, 1))
    frame.set_one(i, allocate(frame, i, size, Allocation.ZEROED))


def aligned(frame: Frame, i: ir.Instruction) -> None:
    """posix_memalign; every object is aligned as far as accesses need it."""
    target, size = argument(frame, i, 0), argument(frame, i, 2)
    frame.code.store(target, allocate(frame, i, size), 8)
    done(frame, i)


def again(frame: Frame, i: ir.Instruction) -> None:
    """realloc: always a new object, with a copy of what fits."""
    code, old, size = frame.code, argument(frame, i, 0), argument(frame, i, 1)
    new = allocate(frame, i, size)
    room = code.unary(Unary.ROOM, old)
    transfer(frame, new, old, code.select(code.binary(Binary.ULT, room, size), room, size))
    code.emit(Opcode.FREE, b=old)
    frame.set_one(i, new)


def free(frame: Frame, i: ir.Instruction) -> None:
    frame.code.emit(Opcode.FREE, b=argument(frame, i, 0))
    done(frame, i)


NEW = ("_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t")
NEW_ALIGNED = tuple(f"_Z{word}mSt11align_val_t{nothrow}" for word in ("nw", "na") for nothrow in ("", "RKSt9nothrow_t"))
DELETE = tuple(
    f"_Z{word}Pv{rest}"
    for word in ("dl", "da")
    for rest in (
        "",
        "m",
        "St11align_val_t",
        "mSt11align_val_t",
        "RKSt9nothrow_t",
        "St11align_val_tRKSt9nothrow_t",
    )
)
TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "malloc": sized(0),
    "calloc": zeroed,
    "aligned_alloc": sized(1),
    "memalign": sized(1),
    "valloc": sized(0),
    "posix_memalign": aligned,
    "realloc": again,
    "free": free,
    "cfree": free,
    **dict.fromkeys((*NEW, *NEW_ALIGNED), sized(0)),
    **dict.fromkeys(DELETE, free),
}
