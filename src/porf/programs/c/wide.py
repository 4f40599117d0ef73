"""Integers of 65 to 128 bits, in two registers: what programs do with them beside atomic accesses."""

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.integers import sign_extend, wrap, zero_extend
from porf.programs.c.types import is_wide
from porf.programs.code import Code
from porf.programs.form import Binary

BITWISE = {"and": Binary.AND, "or": Binary.OR, "xor": Binary.XOR}
ORDERS = {"lt": (Binary.LT, Binary.ULT), "gt": (Binary.GT, Binary.UGT)}  # signed and unsigned
Halves = tuple[int, int]


def computes(i: ir.Instruction) -> bool:
    """Whether an instruction computes with such integers."""
    return is_wide(i.type) or (len(i.operands) > 0 and is_wide(i.operands[0].type))


def arithmetic(frame: Frame, i: ir.Instruction) -> None:
    left, right = (halves_of(frame, o) for o in i.operands)
    code, rest = frame.code, high_bits(i.type)
    if i.opcode in BITWISE:
        low, high = (code.binary(BITWISE[i.opcode], a, b) for a, b in zip(left, right, strict=True))
    elif i.opcode in ("add", "sub"):
        low, high = summed(code, i.opcode == "add", left, right)
    elif i.opcode == "mul":
        low, high = product(code, left, right)
    elif i.opcode in ("shl", "lshr", "ashr") and (amount := code.known(right[0])) is not None:
        filled = zero_extend(code, left[1], rest) if i.opcode == "lshr" else left[1]
        low, high = shifted(code, i.opcode, (left[0], filled), amount % 128)
    else:
        raise frame.unsupported(f"'{i.opcode}' of integers of {rest + 64} bits")
    frame.set(i.result, (low, wrap(code, high, rest)))


def high_bits(type: ir.Type) -> int:
    """How many bits the second register has."""
    return type.bits - 64 if isinstance(type, ir.Integer) else 64


def halves_of(frame: Frame, operand: ir.Operand) -> Halves:
    low, high = frame.all(operand)
    return low, high


def summed(code: Code, add: bool, left: Halves, right: Halves) -> Halves:
    kind = Binary.ADD if add else Binary.SUB
    low = code.binary(kind, left[0], right[0])
    carry = code.binary(Binary.ULT, low, left[0]) if add else code.binary(Binary.ULT, left[0], right[0])
    return low, code.binary(kind, code.binary(kind, left[1], right[1]), carry)


def product(code: Code, left: Halves, right: Halves) -> Halves:
    """By halves of the halves; what is beyond 128 bits is lost."""
    half, mask = code.constant(32), code.constant((1 << 32) - 1)

    def times(a: int, b: int) -> int:
        return code.binary(Binary.MUL, a, b)

    def plus(*terms: int) -> int:
        total = terms[0]
        for term in terms[1:]:
            total = code.binary(Binary.ADD, total, term)
        return total

    def parts(a: int) -> Halves:
        return code.binary(Binary.AND, a, mask), code.binary(Binary.USHR, a, half)

    (a, b), (c, d) = parts(left[0]), parts(right[0])
    middle = plus(times(b, c), parts(times(a, c))[1])
    other = plus(times(a, d), parts(middle)[0])
    carried = plus(times(b, d), parts(middle)[1], parts(other)[1])
    return times(left[0], right[0]), plus(carried, times(left[0], right[1]), times(left[1], right[0]))


def overflowing(frame: Frame, opcode: str, is_signed: bool, operands: tuple[ir.Operand, ...]) -> tuple[int, ...]:
    """A sum or difference, and whether it had to be wrapped."""
    code, (left, right) = frame.code, (halves_of(frame, o) for o in operands)
    if opcode == "mul" or not is_signed or high_bits(operands[0].type) != 64:
        raise frame.unsupported(f"the overflow of '{opcode}' of integers of {high_bits(operands[0].type) + 64} bits")
    low, high = summed(code, opcode == "add", left, right)
    other = code.binary(Binary.XOR, right[1], high if opcode == "add" else left[1])
    changed = code.binary(Binary.AND, code.binary(Binary.XOR, left[1], high), other)
    return low, high, code.binary(Binary.LT, changed, code.constant(0))


def shifted(code: Code, opcode: str, value: Halves, amount: int) -> Halves:
    low, high = value
    kind = Binary.SHR if opcode == "ashr" else Binary.USHR
    by, rest = code.constant(amount % 64), code.constant(64 - amount % 64)  # a shift by 64 gives 0
    if opcode == "shl":
        if amount >= 64:
            return code.constant(0), code.binary(Binary.SHL, low, by)
        crossing = code.binary(Binary.USHR, low, rest)
        return code.binary(Binary.SHL, low, by), code.binary(Binary.OR, code.binary(Binary.SHL, high, by), crossing)
    if amount >= 64:
        filled = code.binary(Binary.SHR, high, code.constant(63)) if opcode == "ashr" else code.constant(0)
        return code.binary(kind, high, by), filled
    crossing = code.binary(Binary.SHL, high, rest)
    return code.binary(Binary.OR, code.binary(Binary.USHR, low, by), crossing), code.binary(kind, high, by)


def compare(frame: Frame, i: ir.Instruction) -> None:
    code, (left, right) = frame.code, (halves_of(frame, o) for o in i.operands)
    same_low, same_high = (code.binary(Binary.EQ, a, b) for a, b in zip(left, right, strict=True))
    equal = code.binary(Binary.AND, same_low, same_high)
    if i.kind in ("eq", "ne"):
        found = equal if i.kind == "eq" else code.binary(Binary.XOR, equal, code.constant(1))
    else:
        signed, unsigned = ORDERS[i.kind[1:2] + "t"]
        high = code.binary(signed if i.kind[0] == "s" else unsigned, left[1], right[1])
        low = code.binary(Binary.AND, same_high, code.binary(unsigned, left[0], right[0]))
        found = code.binary(Binary.OR, high, low)
        if i.kind.endswith("e"):
            found = code.binary(Binary.OR, found, equal)
    frame.set_one(i, found)


def convert(frame: Frame, i: ir.Instruction) -> None:
    """From or to a shorter integer."""
    code, (operand,) = frame.code, i.operands
    low, *more = frame.all(operand)
    unsigned = i.opcode == "zext"
    if not is_wide(i.type):
        frame.set_one(i, wrap(code, low, frame.bits(i.type)))
        return
    if more:
        high = (zero_extend if unsigned else sign_extend)(code, more[0], high_bits(operand.type))
    else:
        low = (zero_extend if unsigned else sign_extend)(code, low, frame.bits(operand.type))
        high = code.constant(0) if unsigned else code.binary(Binary.SHR, low, code.constant(63))
    frame.set(i.result, (low, wrap(code, high, high_bits(i.type))))
