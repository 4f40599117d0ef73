"""From a load, store, update or fence of LLVM to code, with its order."""

from porf._core import Order
from porf.programs.assemble import signed
from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.integers import wrap, zero_extend
from porf.programs.c.library.names import NEVER
from porf.programs.c.orders import ORDERS
from porf.programs.code import Code
from porf.programs.form import WIDTHS, Binary, Modify, Reading, Unary

UPDATES = {
    "xchg": Modify.EXCHANGE,
    "add": Modify.ADD,
    "sub": Modify.SUB,
    "and": Modify.AND,
    "or": Modify.OR,
    "xor": Modify.XOR,
    "nand": Modify.NAND,
    "max": Modify.MAX,
    "min": Modify.MIN,
    "umax": Modify.MAX,
    "umin": Modify.MIN,
    "fadd": Modify.FADD,
    "fsub": Modify.FSUB,
}


def load(frame: Frame, i: ir.Instruction) -> None:
    order = ORDERS[i.order]
    width = atomic_width(frame, i.type) if order is not Order.NA else 0
    pointer, leaves = frame.one(i.operands[0]), frame.leaves(i.type)
    if width == 16:
        frame.set(i.result, halves(frame.code, frame.code.load(pointer, 16, order)))
        return
    aligned = is_aligned(frame, i, i.type)
    operands = [load_scalar(frame, frame.code.add(pointer, offset), kind, order, aligned) for offset, kind in leaves]
    frame.set(i.result, tuple(operands))


def store(frame: Frame, i: ir.Instruction) -> None:
    value, target = i.operands
    if is_never(frame, value) and is_new(frame, target):
        return  # a new variable is not set anyway
    order = ORDERS[i.order]
    width = atomic_width(frame, value.type) if order is not Order.NA else 0
    aligned = is_aligned(frame, i, value.type)
    leaves = frame.leaves(value.type)
    operands, pointer = frame.all(value), frame.one(target)
    if width == 16:
        frame.code.store(pointer, paired(frame.code, operands), 16, order)
        return
    for (offset, kind), operand in zip(leaves, operands, strict=True):
        store_scalar(frame, frame.code.add(pointer, offset), operand, kind, order, aligned)


def load_scalar(frame: Frame, pointer: int, kind: ir.Type, order: Order, aligned: bool = False) -> int:
    """One scalar from memory; constant memory is read now."""
    code, bits = frame.code, frame.bits(kind)
    pieces = chunks(bits)
    known = constant(frame, pointer, sum(pieces))
    if known is not None:
        return wrap(code, code.constant(known), bits)
    if len(pieces) == 1:
        found = code.load(pointer, pieces[0], order, kind=reading(order), aligned=aligned)
        return found if bits == 8 * pieces[0] else wrap(code, found, bits)
    total, at = code.constant(0), 0
    for width in pieces:
        piece = code.load(code.add(pointer, at), width, is_signed=False, kind=reading(order))
        total = code.binary(Binary.OR, total, code.binary(Binary.SHL, piece, code.constant(8 * at)))
        at += width
    return wrap(code, total, bits)


def store_scalar(frame: Frame, pointer: int, operand: int, kind: ir.Type, order: Order, aligned: bool = False) -> None:
    code, bits = frame.code, frame.bits(kind)
    pieces = chunks(bits)
    if len(pieces) == 1:
        whole = operand if bits in (1, 8, 16, 32, 64) else zero_extend(code, operand, bits)
        code.store(pointer, whole, pieces[0], order, aligned=aligned)
        return
    whole, at = zero_extend(code, operand, bits), 0
    for width in pieces:
        code.store(code.add(pointer, at), code.binary(Binary.SHR, whole, code.constant(8 * at)), width)
        at += width


def is_aligned(frame: Frame, i: ir.Instruction, type: ir.Type) -> bool:
    """Whether an access must be aligned: not in a packed structure."""
    return i.align >= frame.unit.types.alignment(type) and "alignment" not in frame.unit.allowed


def reading(order: Order) -> Reading:
    """What is not set may be copied, but not by an atomic access."""
    return Reading.COPIES if order is Order.NA else Reading.USES


def is_never(frame: Frame, value: ir.Operand) -> bool:
    """Whether a value is one that was never set."""
    maker = frame.makers.get(value.name) if isinstance(value, ir.Register) else None
    return maker is not None and isinstance(maker.callee, ir.Symbol) and maker.callee.name.startswith(NEVER)


def is_new(frame: Frame, target: ir.Operand) -> bool:
    """Whether a pointer is that of a variable which nothing is set of when it begins."""
    maker = frame.makers.get(target.name) if isinstance(target, ir.Register) else None
    return maker is not None and maker.opcode == "alloca"


def chunks(bits: int) -> list[int]:
    """The widths of the accesses for an integer in memory: a single one, except for widths such as 24 bits."""
    left, found = (bits + 7) // 8, []
    for width in (8, 4, 2, 1):
        while left >= width:
            found.append(width)
            left -= width
    return found


def constant(frame: Frame, pointer: int, size: int) -> int | None:
    """The contents of a place, if they are known and never change."""
    data = frame.constant_bytes(pointer)
    return signed(int.from_bytes(data[:size], "little")) if data is not None and size <= len(data) else None


def update(frame: Frame, i: ir.Instruction) -> None:
    kind, width = UPDATES.get(i.kind), atomic_width(frame, i.operands[1].type)
    if kind is None or (width == 16 and kind is not Modify.EXCHANGE):
        raise frame.unsupported(f"'atomicrmw {i.kind}'" + (" of 16 bytes" if width == 16 else ""))
    order, pointer = ORDERS[i.order], frame.one(i.operands[0])
    if width == 16:
        new = paired(frame.code, frame.all(i.operands[1]))
        frame.set(i.result, halves(frame.code, frame.code.modify(kind, pointer, new, width, order)))
        return
    value = frame.one(i.operands[1])
    if i.kind in ("umax", "umin") and width < 8:
        found = frame.code.modify(kind, pointer, value, width, order, is_signed=False)
        frame.set_one(i, wrap(frame.code, found, 8 * width))
        return
    frame.set_one(i, frame.code.modify(kind, pointer, value, width, order, is_signed=i.kind not in ("umax", "umin")))


def compare_exchange(frame: Frame, i: ir.Instruction) -> None:
    width = atomic_width(frame, i.operands[1].type)
    orders = ORDERS[i.order], ORDERS[i.failure or i.order]
    pointer, expected, new = (paired(frame.code, frame.all(o)) for o in i.operands)
    old, done = frame.code.compare_exchange(pointer, expected, new, width, orders, weak=i.weak)
    frame.set(i.result, (*(halves(frame.code, old) if width == 16 else (old,)), done))


def paired(code: Code, operands: tuple[int, ...]) -> int:
    """A scalar; one of two registers by the number that events know it by."""
    return code.binary(Binary.PAIR, *operands) if len(operands) == 2 else operands[0]


def halves(code: Code, number: int) -> tuple[int, int]:
    return code.unary(Unary.LOW, number), code.unary(Unary.HIGH, number)


def atomic_width(frame: Frame, type: ir.Type) -> int:
    """The width in bytes of an atomic access of this type."""
    size = -(-type.bits // 8) if isinstance(type, ir.Integer) else frame.unit.types.size(type)
    return check_width(frame, size, not isinstance(type, ir.Array | ir.Struct))


def check_width(frame: Frame, size: int | None, scalar: bool = True) -> int:
    """A width in bytes, if an atomic access can have it."""
    if size not in (*WIDTHS, 16) or not scalar:
        raise frame.unsupported(
            f"an atomic access of {size} bytes", "accesses of 1, 2, 4, 8 and 16 bytes are supported"
        )
    assert size is not None
    return size


def fence(frame: Frame, i: ir.Instruction) -> None:
    """A fence between a thread and its signal handlers orders nothing that other threads see."""
    if i.kind != "singlethread":
        frame.code.fence(ORDERS[i.order])
