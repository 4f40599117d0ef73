"""Arithmetic of C as instructions: promotions, conversions, wrapping, pointers that step over elements."""

from __future__ import annotations

from typing import NamedTuple

from porf.programs.form import Binary, Opcode, Unary
from porf.programs.litmus.flow import Flow
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

    def __init__(self, source: Source, asm: Flow) -> None:
        self.source = source
        self.asm = asm
        self._constants: dict[int, int] = {}  # operand -> value

    def constant(self, value: int, kind: Type = INT) -> Typed:
        operand = self.asm.constant(value)
        self._constants[operand] = LONG.wrap(value)
        return Typed(operand, kind)

    def register(self, into: int | None) -> int:
        return self.asm.register() if into is None else into

    def convert(self, at: int, value: Typed, kind: Type, into: int | None = None, cast: bool = False) -> int:
        """The value as one of another type."""
        operand, have = value
        if have == kind or (have.kind == kind.kind == "pointer"):
            return operand
        if kind.kind == "pointer" and not (cast or self._constants.get(operand) == 0):
            self.source.fail(at, f"a pointer is needed here, not {have.name}", "only 0 and NULL become pointers")
        if have.kind == "pointer" and kind.is_number and not cast:
            self.source.fail(at, f"a number is needed here, not a pointer ({have.name})", "write *x for the value at x")
        if operand in self._constants:
            return self.constant(kind.wrap(self._constants[operand])).operand
        if kind.kind == "bool":
            result = self.register(into)
            self.asm.emit(Opcode.BINARY, a=result, b=operand, c=self.constant(0).operand, kind=Binary.NE)
            return result
        if kind.kind == "pointer" or kind.holds(have):
            return operand
        result = self.register(into)
        self.asm.emit(Opcode.UNARY, a=result, b=operand, kind=Unary.WRAP, width=kind.width, signed=kind.signed)
        return result

    def unary(self, at: int, sign: str, value: Typed, into: int | None) -> Typed:
        """- + ~ and !"""
        if sign == "!":
            result = self.register(into)
            self.asm.emit(Opcode.UNARY, a=result, b=value.operand, kind=Unary.NOT)
            return Typed(result, INT)
        if not value.type.is_number:
            self.source.fail(at, f"'{sign}' needs a number, not {value.type.name}")
        kind = promoted(value.type)
        if sign == "+":
            return Typed(value.operand, kind)
        known = self._constants.get(value.operand)
        if known is not None:
            return self.constant(kind.wrap(-known if sign == "-" else ~known), kind)
        result = self.register(into)
        operation = Unary.NEG if sign == "-" else Unary.INVERT
        self.asm.emit(Opcode.UNARY, a=result, b=value.operand, kind=operation, **_wrapping(kind))
        return Typed(result, kind)

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
        result = self.register(into)
        wrapping = _wrapping(kind) if sign in _GROWING else {}
        self.asm.emit(Opcode.BINARY, a=result, b=b, c=c, kind=operation, **wrapping)
        return Typed(result, INT if sign in _COMPARISONS else kind)

    def _pointers(self, at: int, sign: str, left: Typed, right: Typed, into: int | None) -> Typed:
        if sign in _COMPARISONS:
            kind = left.type if left.type.kind == "pointer" else right.type
            b, c = self.convert(at, left, kind), self.convert(at, right, kind)
            result = self.register(into)
            self.asm.emit(Opcode.BINARY, a=result, b=b, c=c, kind=_KINDS[sign])
            return Typed(result, INT)
        if sign == "+" and right.type.kind == "pointer":
            left, right = right, left
        target = left.type.target
        if sign not in ("+", "-") or target is None or target.width == 0:
            self.source.fail(at, f"'{sign}' makes no sense with a pointer", "write *x for the value at x")
        if right.type.kind == "pointer":
            if sign == "+":
                self.source.fail(at, "two pointers cannot be added", "write *x for the value at x")
            distance = self.register(into)
            self.asm.emit(Opcode.BINARY, a=distance, b=left.operand, c=right.operand, kind=Binary.SUB)
            return self.binary(at, "/", Typed(distance, LONG), self.constant(target.width, LONG), into)
        step = self._scaled(at, right, target.width)
        result = self.register(into)
        self.asm.emit(Opcode.BINARY, a=result, b=left.operand, c=step, kind=_KINDS[sign])
        return Typed(result, left.type)

    def _scaled(self, at: int, index: Typed, width: int) -> int:
        """An index as a number of bytes."""
        known = self._constants.get(index.operand)
        if known is not None:
            return self.constant(known * width).operand
        return self.binary(at, "*", Typed(index.operand, LONG), self.constant(width, LONG)).operand


def _wrapping(kind: Type) -> dict[str, int | bool]:
    """How a result is wrapped; 64 bits need no wrapping."""
    return {"width": kind.width, "signed": kind.signed} if kind.width < 8 else {}
