"""LLVM's own functions: arithmetic, blocks of memory, and much that says nothing to a memory model."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.c import bits, copies, ir
from porf.programs.c.frame import Frame
from porf.programs.c.integers import wrap, zero_extend
from porf.programs.c.lifetimes import begin, end
from porf.programs.form import Binary, Opcode, Unary

Emitter = Callable[[Frame, ir.Instruction], None]


def intrinsic(frame: Frame, i: ir.Instruction, name: str) -> None:
    """The names end with types, which the operands say, too."""
    stem = name.removeprefix("llvm.")
    while stem and stem not in TABLE:
        stem = stem.rpartition(".")[0]
    if not stem:
        raise frame.unsupported(f"a call of '{name}'")
    TABLE[stem](frame, i)


def nothing(frame: Frame, i: ir.Instruction) -> None:
    frame.set(i.result, tuple(frame.code.constant(0) for _ in frame.leaves(i.type)))


def first(frame: Frame, i: ir.Instruction) -> None:
    frame.set(i.result, frame.all(i.operands[0]))


def trap(frame: Frame, i: ir.Instruction) -> None:
    frame.code.emit(Opcode.FAIL, c=frame.unit.message("trap"))


def absolute(frame: Frame, i: ir.Instruction) -> None:
    value, code = frame.one(i.operands[0]), frame.code
    larger = code.binary(Binary.MAX, value, code.unary(Unary.NEG, value))
    frame.set_one(i, wrap(code, larger, frame.bits(i.type)))


def extreme(kind: Binary) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        left, right = (frame.one(o) for o in i.operands)
        frame.set_one(i, frame.code.binary(kind, left, right))

    return emit


def unsigned_extreme(kind: Binary) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        left, right = (frame.one(o) for o in i.operands)
        frame.set_one(i, frame.code.select(frame.code.binary(kind, left, right), left, right))

    return emit


def counted(count: Callable[..., int]) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        width = frame.bits(i.type)
        value = zero_extend(frame.code, frame.one(i.operands[0]), width)
        frame.set_one(i, wrap(frame.code, count(frame.code, value, width), width))

    return emit


def funnel(left: bool) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        width, code = frame.bits(i.type), frame.code
        high, low, amount = (frame.one(o) for o in i.operands)
        frame.set_one(i, bits.funnel_shift(code, left, high, low, amount, width))

    return emit


def overflowing(opcode: str, is_signed: bool) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        width = frame.bits(i.operands[0].type)
        left, right = (frame.one(o) for o in i.operands)
        frame.set(i.result, bits.overflowing(frame.code, opcode, is_signed, left, right, width))

    return emit


def saturating(opcode: str, is_signed: bool) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        width, code = frame.bits(i.type), frame.code
        left, right = (frame.one(o) for o in i.operands)
        value, over = bits.overflowing(code, opcode, is_signed, left, right, width)
        if is_signed:
            least, most = code.constant(-(1 << width - 1)), code.constant((1 << width - 1) - 1)
            limit = code.select(code.binary(Binary.LT, left, code.constant(0)), least, most)
        else:
            limit = code.constant(-1 if opcode == "add" else 0)
        frame.set_one(i, code.select(over, limit, value))

    return emit


def object_size(frame: Frame, i: ir.Instruction) -> None:
    """Not known; the second operand says what to give then."""
    frame.set_one(i, frame.code.constant(0 if frame.number(i.operands[1]) else -1))


def three_way(is_signed: bool) -> Emitter:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        code = frame.code
        left, right = (frame.one(o) for o in i.operands)
        more, less = (Binary.GT, Binary.LT) if is_signed else (Binary.UGT, Binary.ULT)
        difference = code.binary(Binary.SUB, code.binary(more, left, right), code.binary(less, left, right))
        frame.set_one(i, difference)

    return emit


def masked(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, frame.code.binary(Binary.AND, frame.one(i.operands[0]), frame.one(i.operands[1])))


def arguments(frame: Frame, i: ir.Instruction) -> None:
    raise frame.unsupported("a function with a variable number of arguments", "only printf-like calls may have them")


IGNORED = {
    "dbg.declare",
    "dbg.value",
    "dbg.assign",
    "dbg.label",
    "assume",
    "stacksave",
    "stackrestore",
    "is.constant",
    "invariant.start",
    "invariant.end",
    "prefetch",
    "donothing",
    "experimental.noalias.scope.decl",
    "var.annotation",
    "frameaddress",
    "returnaddress",
    "x86.sse2.pause",
    "pseudoprobe",
    "va_end",
    "readcyclecounter",
    "fake.use",
}
TABLE: dict[str, Emitter] = {
    **dict.fromkeys(IGNORED, nothing),
    "lifetime.start": begin,
    "lifetime.end": end,
    "expect": first,
    "expect.with.probability": first,
    "launder.invariant.group": first,
    "strip.invariant.group": first,
    "ssa.copy": first,
    "threadlocal.address": first,
    "ptr.annotation": first,
    "annotation": first,
    "ptrmask": masked,
    "trap": trap,
    "debugtrap": trap,
    "ubsantrap": trap,
    "abs": absolute,
    "smax": extreme(Binary.MAX),
    "smin": extreme(Binary.MIN),
    "umax": unsigned_extreme(Binary.UGT),
    "umin": unsigned_extreme(Binary.ULT),
    "scmp": three_way(True),
    "ucmp": three_way(False),
    "ctpop": counted(bits.ones),
    "ctlz": counted(bits.leading_zeros),
    "cttz": counted(bits.trailing_zeros),
    "bswap": counted(bits.swapped_bytes),
    "bitreverse": counted(bits.reversed_bits),
    "fshl": funnel(True),
    "fshr": funnel(False),
    **{
        f"{sign}{opcode}.with.overflow": overflowing(opcode, sign == "s")
        for sign in "su"
        for opcode in ("add", "sub", "mul")
    },
    **{f"{sign}{opcode}.sat": saturating(opcode, sign == "s") for sign in "su" for opcode in ("add", "sub")},
    "objectsize": object_size,
    "memcpy": copies.copy,
    "memcpy.inline": copies.copy,
    "memmove": copies.move,
    "memset": copies.fill,
    "memset.inline": copies.fill,
    "va_start": arguments,
    "va_copy": arguments,
}
