"""Arithmetic of C as instructions: promotions, conversions, wrapping, pointers that step over elements."""

from typing import NamedTuple

from porf.programs.form import Binary, Unary
from porf.programs.litmus.c.flow import Flow
from porf.programs.litmus.kinds import INT, LONG, Type, common, promoted
from porf.programs.litmus.source import Source

_KINDS = {
    "+": Binary.ADD,
    "-": Binary.SUB,
    "*": Binary.MUL,
    "/": Binary.DIV,
    "%": Binary.MOD,
    "&": Binary.AND,
    "|": Binary.OR,
    "^": Binary.XOR,
    "<<": Binary.SHL,
    ">>": Binary.SHR,
    "==": Binary.EQ,
    "!=": Binary.NE,
    "<": Binary.LT,
    "<=": Binary.LE,
    ">": Binary.GT,
    ">=": Binary.GE,
}
# Unsigned numbers of 64 bits do not fit a register's sign; narrower ones are never negative there.
_UNSIGNED = {
    Binary.DIV: Binary.UDIV,
    Binary.MOD: Binary.UMOD,
    Binary.SHR: Binary.USHR,
    Binary.LT: Binary.ULT,
    Binary.LE: Binary.ULE,
    Binary.GT: Binary.UGT,
    Binary.GE: Binary.UGE,
}
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_GROWING = frozenset({"+", "-", "*", "/", "<<"})  # whose result may leave the type


class Typed(NamedTuple):
    operand: int
    type: Type


class Arithmetic:
    """Emits arithmetic of one thread. `into` names the register that the result should be in, if that is easy."""

    def __init__(self, source: Source, asm: Flow, kernel: bool) -> None:
        self.source = source
        self.asm = asm
        self.kernel = kernel  # a thread of the Linux kernel: pointers are numbers, and plain accesses are plain

    def constant(self, value: int, kind: Type = INT) -> Typed:
        return Typed(self.asm.constant(value), kind)

    def convert(self, at: int, value: Typed, kind: Type, into: int | None = None, cast: bool = False) -> int:
        """The value as one of another type."""
        operand, have = value
        cast |= self.kernel
        if have == kind or (have.kind == kind.kind == "pointer"):
            return operand
        if kind.kind == "pointer" and not (cast or self.asm.known(operand) == 0):
            self.source.fail(at, f"a pointer is needed here, not {have.name}", "only 0 and NULL can be pointers")
        if have.kind == "pointer" and kind.is_number and not cast:
            self.source.fail(at, f"a number is needed here, not a pointer ({have.name})", "write *x for the value at x")
        if (known := self.asm.known(operand)) is not None:
            return self.asm.constant(kind.wrap(known))
        if kind.kind == "bool":
            return self.asm.binary(Binary.NE, operand, self.asm.constant(0), into=into)
        if kind.kind == "pointer" or kind.holds(have):
            return operand
        return self.asm.unary(Unary.WRAP, operand, kind.width, kind.signed, into)

    def unary(self, at: int, sign: str, value: Typed, into: int | None) -> Typed:
        """- + ~ and !"""
        if sign == "!":
            return Typed(self.asm.unary(Unary.NOT, value.operand, into=into), INT)
        if not value.type.is_number:
            self.source.fail(at, f"'{sign}' needs a number, not {value.type.name}")
        kind = promoted(value.type)
        if sign == "+":
            return Typed(value.operand, kind)
        operation = Unary.NEG if sign == "-" else Unary.INVERT
        return Typed(self.asm.unary(operation, value.operand, kind.width, kind.signed, into), kind)

    def binary(self, at: int, sign: str, left: Typed, right: Typed, into: int | None = None) -> Typed:
        """Arithmetic and comparisons."""
        if "pointer" in (left.type.kind, right.type.kind):
            return self._pointers(at, sign, left, right, into)
        kind = promoted(left.type) if sign in ("<<", ">>") else common(left.type, right.type)
        b = self.convert(at, left, kind)
        c = right.operand if sign in ("<<", ">>") else self.convert(at, right, kind)
        operation = _KINDS[sign]
        if kind.width == 8 and not kind.signed:
            operation = _UNSIGNED.get(operation, operation)
        result = self.asm.binary(operation, b, c, kind.width if sign in _GROWING else 0, kind.signed, into)
        return Typed(result, INT if sign in _COMPARISONS else kind)

    def _pointers(self, at: int, sign: str, left: Typed, right: Typed, into: int | None) -> Typed:
        if sign in _COMPARISONS:
            kind = left.type if left.type.kind == "pointer" else right.type
            b, c = self.convert(at, left, kind), self.convert(at, right, kind)
            return Typed(self.asm.binary(_KINDS[sign], b, c, into=into), INT)
        if sign == "+" and right.type.kind == "pointer":
            left, right = right, left
        if self.kernel and sign not in ("+", "-"):
            left, right = (Typed(side.operand, LONG) for side in (left, right))
            return self.binary(at, sign, left, right, into)
        target = left.type.target
        if sign not in ("+", "-") or target is None or target.width == 0:
            self.source.fail(at, f"'{sign}' makes no sense with a pointer", "write *x for the value at x")
        if right.type.kind == "pointer":
            if sign == "+":
                self.source.fail(at, "two pointers cannot be added", "write *x for the value at x")
            distance = self.asm.binary(Binary.SUB, left.operand, right.operand, into=into)
            return self.binary(at, "/", Typed(distance, LONG), self.constant(target.width, LONG), into)
        step = self._scaled(at, right, target.width)
        return Typed(self.asm.binary(_KINDS[sign], left.operand, step, into=into), left.type)

    def _scaled(self, at: int, index: Typed, width: int) -> int:
        """An index as a number of bytes."""
        return self.binary(at, "*", Typed(index.operand, LONG), self.constant(width, LONG)).operand
