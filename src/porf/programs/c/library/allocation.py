"""Memory from the heap, in C and in C++."""

from porf.programs.c.copies import transfer
from porf.programs.c.library.record import Call, function
from porf.programs.form import Allocation, Binary, Storage, Unary

TOO_LARGE = 1 << 62  # bytes: more than there are
ALIGNED, NOTHROW = "St11align_val_t", "RKSt9nothrow_t"
NEW, NEW_ARRAY = ([f"_Zn{word}m{rest}" for rest in ("", NOTHROW, ALIGNED, ALIGNED + NOTHROW)] for word in "wa")
DELETE, DELETE_ARRAY = (
    [f"_Zd{word}Pv{rest}" for rest in ("", "m", ALIGNED, "m" + ALIGNED, NOTHROW, ALIGNED + NOTHROW)] for word in "la"
)


def allocate(call: Call, size: int, kind: Allocation = Allocation.HEAP) -> int:
    """A new object; returns the pointer to it."""
    return call.code.allocate(size, call.frame.unit.memory.heap_layout(call.frame.function, call.instruction), kind)


@function("malloc", "valloc", allocates=(0,))
@function("memalign", allocates=(1,))
def sized(call: Call) -> int:
    """Every object is aligned as far as accesses need it."""
    return allocate(call, call.argument(call.record.allocates[0]))


@function(*NEW, allocates=(0,))
def new(call: Call) -> int:
    return allocate(call, call.argument(0), Allocation.NEW)


@function(*NEW_ARRAY, allocates=(0,))
def new_array(call: Call) -> int:
    return allocate(call, call.argument(0), Allocation.NEW_ARRAY)


@function("aligned_alloc", allocates=(1,))
def aligned(call: Call) -> int:
    """Null if the alignment is not a power of two. The size need not be a multiple of it, as since C17."""
    code, alignment = call.code, call.argument(0)
    less = code.binary(Binary.SUB, alignment, code.constant(1))
    others = code.binary(Binary.AND, alignment, less)
    wrong = code.select(alignment, others, code.constant(1))
    return allocate(call, code.select(wrong, code.constant(TOO_LARGE), call.argument(1)))


@function("calloc", allocates=(0, 1))
def zeroed(call: Call) -> int:
    size = call.code.binary(Binary.MUL, call.argument(0), call.argument(1))
    return allocate(call, size, Allocation.ZEROED)


@function("realloc", allocates=(1,))
def again(call: Call) -> int:
    """Always a new object, with a copy of what fits."""
    code, old, size = call.code, call.argument(0), call.argument(1)
    new = allocate(call, size)
    room = code.unary(Unary.ROOM, old)
    transfer(call.frame, new, old, code.select(code.binary(Binary.ULT, room, size), room, size))
    code.free(old)
    return new


@function("free", "cfree")
def free(call: Call) -> None:
    call.code.free(call.argument(0))


@function(*DELETE)
def delete(call: Call) -> None:
    call.code.free(call.argument(0), Storage.NEW)


@function(*DELETE_ARRAY)
def delete_array(call: Call) -> None:
    call.code.free(call.argument(0), Storage.NEW_ARRAY)
