"""Parses calls, and what belongs to calls that may unwind."""

from porf.programs.c import ir
from porf.programs.c.text.operands import Operands
from porf.programs.c.text.tokens import Cursor, TextError, plain, words
from porf.record import replace

_ASSEMBLY_FLAGS = words("sideeffect alignstack inteldialect unwind")


class Calls:
    def __init__(self, operands: Operands) -> None:
        self._operands = operands

    def call(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        if opcode != "call":
            cursor.expect("call")
        return self._called(cursor, "call", result)

    def invoke(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        called = self._called(cursor, "invoke", result)
        cursor.expect("to")
        normal = self._label(cursor)
        cursor.expect("unwind")
        return replace(called, labels=(normal, self._label(cursor)))

    def landing(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        kind = self._operands.type(cursor)
        caught, kind_of_pad = [], ""
        while cursor.here not in ("", ","):
            if cursor.take("cleanup"):
                kind_of_pad = "cleanup"
            else:
                cursor.next()  # catch, filter
                caught.append(self._operands.typed(cursor))
        return ir.Instruction(opcode, result, kind, tuple(caught), kind=kind_of_pad)

    def _called(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._operands.attributes(cursor)  # floating-point flags, calling convention, attributes of the result
        kind = self._operands.type(cursor)
        fixed = self._parameters(cursor) if cursor.here == "(" else -1
        callee = self._callee(cursor)
        arguments, copied = self._arguments(cursor)
        while cursor.here[:1] == "#" or cursor.here[:1] == '"' or (cursor.here[:1].isalpha() and cursor.here != "to"):
            cursor.next()
            if cursor.take("="):
                cursor.next()
            elif cursor.here == "(":
                cursor.skip_group()
        if cursor.here == "[":
            cursor.skip_group()  # operand bundles
        return ir.Instruction(opcode, result, kind, arguments, callee=callee, fixed=fixed, copied=copied)

    def _parameters(self, cursor: Cursor) -> int:
        """How many parameters a function has that takes any number of arguments after them."""
        cursor.expect("(")
        count = 0
        while not cursor.take("..."):
            self._operands.type(cursor)
            cursor.expect(",")
            count += 1
        cursor.expect(")")
        return count

    def _callee(self, cursor: Cursor) -> ir.Operand:
        if cursor.take("asm"):
            start = cursor.at
            cursor.take_any(_ASSEMBLY_FLAGS)
            cursor.next()
            cursor.expect(",")
            cursor.next()
            return ir.Unsupported(ir.Pointer(), "asm " + " ".join(cursor.words[start : cursor.at]))
        return self._operands.operand(cursor, ir.Pointer())

    def _arguments(self, cursor: Cursor) -> tuple[tuple[ir.Operand, ...], tuple[ir.Type | None, ...]]:
        cursor.expect("(")
        found: list[ir.Operand] = []
        copied: list[ir.Type | None] = []
        while not cursor.take(")"):
            if found:
                cursor.expect(",")
            kind = self._operands.type(cursor)
            copied.append(self._operands.attributes(cursor))
            found.append(self._operands.operand(cursor, kind))
        return tuple(found), tuple(copied) if any(copied) else ()

    def _label(self, cursor: Cursor) -> str:
        cursor.expect("label")
        word = cursor.next()
        if word[0] != "%":
            raise TextError(f"unsupported: '{word}' where a label was expected")
        return plain(word)
