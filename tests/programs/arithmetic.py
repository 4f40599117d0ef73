"""The arithmetic of the program form, for the interpreters that tests judge by; written from its text alone."""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.form import Binary, Modify, Unary


def wrap(value: int, width: int, signed: bool = True) -> int:
    """What is left of a number in so many bytes; 0 is that of a register."""
    bits = 8 * (width or 8)
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) and (signed or bits == 64) else value


def binary(kind: Binary, b: int, c: int) -> int:
    """Arithmetic on 64-bit integers, before wrapping."""
    if kind in (Binary.DIV, Binary.MOD, Binary.UDIV, Binary.UMOD, Binary.FLOORDIV, Binary.FLOORMOD) and c == 0:
        raise ZeroDivisionError
    ub, uc = b & (2**64 - 1), c & (2**64 - 1)
    truncated = abs(b) // abs(c or 1) * (1 if (b < 0) == (c < 0) else -1)
    of_kind: dict[Binary, Callable[[], int]] = {
        Binary.ADD: lambda: b + c,
        Binary.SUB: lambda: b - c,
        Binary.MUL: lambda: b * c,
        Binary.DIV: lambda: truncated,
        Binary.MOD: lambda: b - truncated * c,
        Binary.AND: lambda: b & c,
        Binary.OR: lambda: b | c,
        Binary.XOR: lambda: b ^ c,
        Binary.SHL: lambda: b << c if uc < 64 else 0,
        Binary.SHR: lambda: b >> min(uc, 63),
        Binary.USHR: lambda: ub >> c if uc < 64 else 0,
        Binary.EQ: lambda: b == c,
        Binary.NE: lambda: b != c,
        Binary.LT: lambda: b < c,
        Binary.LE: lambda: b <= c,
        Binary.GT: lambda: b > c,
        Binary.GE: lambda: b >= c,
        Binary.ULT: lambda: ub < uc,
        Binary.ULE: lambda: ub <= uc,
        Binary.UGT: lambda: ub > uc,
        Binary.UGE: lambda: ub >= uc,
        Binary.UDIV: lambda: ub // uc,
        Binary.UMOD: lambda: ub % uc,
        Binary.FLOORDIV: lambda: b // c,
        Binary.FLOORMOD: lambda: b % c,
        Binary.MIN: lambda: min(b, c),
        Binary.MAX: lambda: max(b, c),
    }
    return int(of_kind[kind]())


def unary(kind: Unary, b: int) -> int:
    return {Unary.NEG: -b, Unary.INVERT: ~b, Unary.NOT: int(b == 0), Unary.WRAP: b}[kind]


def modify(kind: Modify, old: int, c: int) -> int:
    return {
        Modify.EXCHANGE: c,
        Modify.ADD: old + c,
        Modify.SUB: old - c,
        Modify.AND: old & c,
        Modify.OR: old | c,
        Modify.XOR: old ^ c,
        Modify.NAND: ~(old & c),
        Modify.MIN: min(old, c),
        Modify.MAX: max(old, c),
    }[kind]
