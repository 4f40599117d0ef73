"""The assembler as the translator of C uses it: arithmetic gives operands back, and what is known is not computed."""

from __future__ import annotations

from collections.abc import Callable

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Modify, Opcode, Unary

MASK = (1 << 64) - 1


def signed(value: int, bytes: int = 8) -> int:
    """The number that so many bytes stand for, in two's complement."""
    half = 1 << (8 * bytes - 1)
    return (value + half) % (2 * half) - half


FOLD: dict[Binary, Callable[[int, int], int]] = {
    Binary.ADD: lambda b, c: b + c,
    Binary.SUB: lambda b, c: b - c,
    Binary.MUL: lambda b, c: b * c,
    Binary.AND: lambda b, c: b & c,
    Binary.OR: lambda b, c: b | c,
    Binary.XOR: lambda b, c: b ^ c,
    Binary.SHL: lambda b, c: b << c if 0 <= c < 64 else 0,
    Binary.SHR: lambda b, c: b >> (c if 0 <= c < 64 else 63),
    Binary.USHR: lambda b, c: (b & MASK) >> c if 0 <= c < 64 else 0,
    Binary.EQ: lambda b, c: b == c,
    Binary.NE: lambda b, c: b != c,
    Binary.LT: lambda b, c: b < c,
    Binary.LE: lambda b, c: b <= c,
    Binary.GT: lambda b, c: b > c,
    Binary.GE: lambda b, c: b >= c,
    Binary.ULT: lambda b, c: (b & MASK) < (c & MASK),
    Binary.ULE: lambda b, c: (b & MASK) <= (c & MASK),
    Binary.UGT: lambda b, c: (b & MASK) > (c & MASK),
    Binary.UGE: lambda b, c: (b & MASK) >= (c & MASK),
    Binary.MIN: min,
    Binary.MAX: max,
}
FOLD_ONE: dict[Unary, Callable[[int], int]] = {
    Unary.NEG: lambda b: -b,
    Unary.INVERT: lambda b: ~b,
    Unary.NOT: lambda b: int(b == 0),
    Unary.WRAP: lambda b: b,
}


BITWISE = (Binary.AND, Binary.OR, Binary.XOR)
COMPARISONS = frozenset(range(Binary.EQ, Binary.UGE + 1))


class Code(Assembler):
    """Writes the code of one function."""

    def __init__(self, name: str, parameters: int) -> None:
        super().__init__(name, [""] * parameters)
        self._truths: set[int] = set()  # registers that are 0 or 1

    def is_truth(self, operand: int) -> bool:
        """Whether an operand is known to be 0 or 1."""
        return operand in self._truths or self.known(operand) in (0, 1)

    def known(self, operand: int) -> int | None:
        """The number that an operand is, if it is a constant."""
        return self.constants[~operand] if operand < 0 else None

    def binary(self, kind: Binary, b: int, c: int, width: int = 0, is_signed: bool = True) -> int:
        """b kind c, wrapped to width bytes (0: not wrapped)."""
        left, right = self.known(b), self.known(c)
        if left is not None and right is not None and kind in FOLD:
            return self._wrapped(int(FOLD[kind](left, right)), width, is_signed)
        result = self.register()
        if kind in COMPARISONS or (kind in BITWISE and self.is_truth(b) and self.is_truth(c)):
            self._truths.add(result)
        self.emit(Opcode.BINARY, a=result, b=b, c=c, kind=kind, width=width, signed=is_signed)
        return result

    def unary(self, kind: Unary, b: int, width: int = 0, is_signed: bool = True) -> int:
        value = self.known(b)
        if value is not None and kind in FOLD_ONE:
            return self._wrapped(FOLD_ONE[kind](value), width, is_signed)
        result = self.register()
        self.emit(Opcode.UNARY, a=result, b=b, kind=kind, width=width, signed=is_signed)
        return result

    def _wrapped(self, value: int, width: int, is_signed: bool) -> int:
        if width:
            value = signed(value, width) if is_signed else value % (1 << 8 * width)
        return self.constant(value)

    def select(self, condition: int, yes: int, no: int) -> int:
        value = self.known(condition)
        if value is not None:
            return yes if value else no
        if yes == no:
            return yes
        result = self.register()
        self.emit(Opcode.SELECT, a=result, b=condition, c=yes, d=no)
        return result

    def add(self, b: int, offset: int) -> int:
        """A pointer so many bytes further on."""
        return self.binary(Binary.ADD, b, self.constant(offset)) if offset else b

    def truth(self) -> int:
        """A register that an instruction sets to 0 or 1."""
        register = self.register()
        self._truths.add(register)
        return register

    def copy(self, register: int, operand: int) -> None:
        self.emit(Opcode.MOVE, a=register, b=operand)

    def load(self, pointer: int, width: int, order: Order = Order.NA, is_signed: bool = True, kind: int = 0) -> int:
        result = self.register()
        self.emit(Opcode.LOAD, a=result, b=pointer, kind=kind, width=width, order=order, signed=is_signed)
        return result

    def store(self, pointer: int, value: int, width: int, order: Order = Order.NA) -> None:
        self.emit(Opcode.STORE, b=pointer, c=value, width=width, order=order)

    def modify(self, kind: Modify, pointer: int, value: int, width: int, order: Order, is_signed: bool = True) -> int:
        result = self.register()
        self.emit(Opcode.RMW, a=result, b=pointer, c=value, kind=kind, width=width, order=order, signed=is_signed)
        return result
