"""Arithmetic that LLVM has functions for: extremes, bits, overflow, saturation."""

from collections.abc import Callable

from porf.programs.c import bits, wide
from porf.programs.c.integers import wrap, zero_extend
from porf.programs.c.library.record import Call, Emit, function
from porf.programs.c.types import is_wide
from porf.programs.form import Binary, Unary


@function("llvm.abs")
def absolute(call: Call) -> int:
    value = call.argument(0)
    larger = call.code.binary(Binary.MAX, value, call.code.unary(Unary.NEG, value))
    return wrap(call.code, larger, call.frame.bits(call.type))


def extreme(kind: Binary) -> Emit:
    return lambda call: call.code.binary(kind, call.argument(0), call.argument(1))


def unsigned_extreme(kind: Binary) -> Emit:
    def emit(call: Call) -> int:
        left, right = call.arguments(2)
        return call.code.select(call.code.binary(kind, left, right), left, right)

    return emit


function("llvm.smax")(extreme(Binary.MAX))
function("llvm.smin")(extreme(Binary.MIN))
function("llvm.ptrmask", gives_back=(0,))(extreme(Binary.AND))
function("llvm.umax")(unsigned_extreme(Binary.UGT))
function("llvm.umin")(unsigned_extreme(Binary.ULT))


def three_way(more: Binary, less: Binary) -> Emit:
    def emit(call: Call) -> int:
        code = call.code
        left, right = call.arguments(2)
        return code.binary(Binary.SUB, code.binary(more, left, right), code.binary(less, left, right))

    return emit


function("llvm.scmp")(three_way(Binary.GT, Binary.LT))
function("llvm.ucmp")(three_way(Binary.UGT, Binary.ULT))


def counted(count: Callable[..., int]) -> Emit:
    def emit(call: Call) -> int:
        width = call.frame.bits(call.type)
        value = zero_extend(call.code, call.argument(0), width)
        return wrap(call.code, count(call.code, value, width), width)

    return emit


function("llvm.ctpop")(counted(bits.ones))
function("llvm.ctlz")(counted(bits.leading_zeros))
function("llvm.cttz")(counted(bits.trailing_zeros))
function("llvm.bswap")(counted(bits.swapped_bytes))
function("llvm.bitreverse")(counted(bits.reversed_bits))


@function("llvm.fshl", "llvm.fshr")
def funnel(call: Call) -> int:
    high, low, amount = call.arguments(3)
    left = call.name.startswith("llvm.fshl")
    return bits.funnel_shift(call.code, left, high, low, amount, call.frame.bits(call.type))


def overflowing(opcode: str, is_signed: bool) -> Emit:
    """The result, and whether it had to be wrapped."""

    def emit(call: Call) -> tuple[int, ...]:
        if is_wide(call.operands[0].type):
            return wide.overflowing(call.frame, opcode, is_signed, call.operands[:2])
        width = call.frame.bits(call.operands[0].type)
        return bits.overflowing(call.code, opcode, is_signed, call.argument(0), call.argument(1), width)

    return emit


def saturating(opcode: str, is_signed: bool) -> Emit:
    def emit(call: Call) -> int:
        width, code = call.frame.bits(call.type), call.code
        left, right = call.arguments(2)
        value, over = bits.overflowing(code, opcode, is_signed, left, right, width)
        if is_signed:
            least, most = code.constant(-(1 << width - 1)), code.constant((1 << width - 1) - 1)
            limit = code.select(code.binary(Binary.LT, left, code.constant(0)), least, most)
        else:
            limit = code.constant(-1 if opcode == "add" else 0)
        return code.select(over, limit, value)

    return emit


for opcode in ("add", "sub", "mul"):
    for sign in "su":
        function(f"llvm.{sign}{opcode}.with.overflow")(overflowing(opcode, sign == "s"))
        if opcode != "mul":
            function(f"llvm.{sign}{opcode}.sat")(saturating(opcode, sign == "s"))


@function("llvm.objectsize")
def object_size(call: Call) -> int:
    """Not known; the second operand says what to return then."""
    return call.code.constant(0 if call.number(1) else -1)
