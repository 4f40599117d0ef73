"""Counting, swapping and shifting bits, and detecting overflow, by sequences of plain arithmetic."""

from porf.programs.c.integers import arithmetic, wrap, zero_extend
from porf.programs.code import Code
from porf.programs.form import Binary, Unary

# Every second bit, pair, ... of 64.
MASKS = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF)


def ones(code: Code, value: int, width: int) -> int:
    """How many bits are set in an unsigned number."""
    for place, mask in enumerate((*MASKS, 0x00000000FFFFFFFF)):
        operand = code.constant(mask)
        shifted = code.binary(Binary.USHR, value, code.constant(1 << place))
        low, high = code.binary(Binary.AND, value, operand), code.binary(Binary.AND, shifted, operand)
        value = code.binary(Binary.ADD, low, high)
    return value


def leading_zeros(code: Code, value: int, width: int) -> int:
    for place in range(6):
        value = code.binary(Binary.OR, value, code.binary(Binary.USHR, value, code.constant(1 << place)))
    return code.binary(Binary.SUB, code.constant(width), ones(code, value, width))


def trailing_zeros(code: Code, value: int, width: int) -> int:
    below = code.binary(Binary.SUB, value, code.constant(1))
    return ones(code, zero_extend(code, code.binary(Binary.AND, code.unary(Unary.INVERT, value), below), width), width)


def swapped_bytes(code: Code, value: int, width: int) -> int:
    return _swapped(code, value, range(3, 6), width)


def reversed_bits(code: Code, value: int, width: int) -> int:
    return _swapped(code, value, range(6), width)


def _swapped(code: Code, value: int, places: range, width: int) -> int:
    """Swaps neighbours of 2^place bits. A shorter number ends up in the high bits, and is shifted down."""
    for place in places:
        shift = code.constant(1 << place)
        if place == 5:
            low, high = code.binary(Binary.SHL, value, shift), code.binary(Binary.USHR, value, shift)
        else:
            mask = code.constant(MASKS[place])
            low = code.binary(Binary.SHL, code.binary(Binary.AND, value, mask), shift)
            high = code.binary(Binary.AND, code.binary(Binary.USHR, value, shift), mask)
        value = code.binary(Binary.OR, low, high)
    return code.binary(Binary.USHR, value, code.constant(64 - width))


def funnel_shift(code: Code, left: bool, high: int, low: int, amount: int, width: int) -> int:
    """The high (left) or low (right) half of high:low, shifted by amount modulo the width."""
    if width & (width - 1):
        unsigned = zero_extend(code, amount, width)
        amount = code.binary(Binary.UMOD, unsigned, code.constant(width))
    else:
        amount = code.binary(Binary.AND, amount, code.constant(width - 1))
    rest = code.binary(Binary.SUB, code.constant(width), amount)
    by_high, by_low = (amount, rest) if left else (rest, amount)
    upper = code.binary(Binary.SHL, high, by_high)  # a shift by 64 gives 0
    lower = code.binary(Binary.USHR, zero_extend(code, low, width), by_low)
    return wrap(code, code.binary(Binary.OR, upper, lower), width)


def overflowing(code: Code, opcode: str, is_signed: bool, b: int, c: int, width: int) -> tuple[int, int]:
    """b opcode c, wrapped, and whether it overflowed."""
    result = arithmetic(code, opcode, b, c, width)
    if width <= 32 and is_signed:
        exact = arithmetic(code, opcode, b, c, 64)
        return result, code.binary(Binary.NE, exact, result)
    if opcode != "mul":
        return result, _sum_overflows(code, opcode == "add", is_signed, b, c, result)
    if is_signed and width < 64:  # by way of 64 bits, where the product may overflow, too
        long, over = overflowing(code, opcode, True, b, c, 64)
        return result, code.binary(Binary.OR, over, code.binary(Binary.NE, long, result))
    if is_signed:
        return result, _signed_product_overflows(code, b, c, result)
    b, c = zero_extend(code, b, width), zero_extend(code, c, width)
    product = code.binary(Binary.MUL, b, c)
    divisor = code.select(b, b, code.constant(1))
    long = code.binary(Binary.NE, code.binary(Binary.UDIV, product, divisor), code.select(b, c, code.constant(0)))
    high = code.binary(Binary.NE, zero_extend(code, product, width), product)
    return result, code.binary(Binary.OR, long, high)


def _sum_overflows(code: Code, add: bool, is_signed: bool, b: int, c: int, result: int) -> int:
    """A signed sum overflows if its sign differs from both operands'; a difference is a sum of the negated c."""
    if not is_signed:
        return code.binary(Binary.ULT, result, b) if add else code.binary(Binary.ULT, b, c)
    other = code.binary(Binary.XOR, c, result if add else b)
    changed = code.binary(Binary.AND, code.binary(Binary.XOR, b, result), other)
    return code.binary(Binary.LT, changed, code.constant(0))


def _signed_product_overflows(code: Code, b: int, c: int, product: int) -> int:
    """Division gives the factor back unless there was an overflow, except for -1 times the least number."""
    divisor = code.select(b, b, code.constant(1))
    back = code.binary(Binary.DIV, product, divisor)
    lost = code.binary(Binary.NE, back, code.select(b, c, code.constant(0)))
    least = code.constant(-(1 << 63))
    is_minus = code.binary(Binary.EQ, b, code.constant(-1))
    special = code.binary(Binary.AND, is_minus, code.binary(Binary.EQ, c, least))
    return code.binary(Binary.OR, lost, special)
