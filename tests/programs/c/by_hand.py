"""Modules made by hand, for the tests of what is computed from them."""

from __future__ import annotations

from porf.programs.c import ir

I1, I8, I16, I32, I64, PTR = ir.Integer(1), ir.Integer(8), ir.Integer(16), ir.Integer(32), ir.Integer(64), ir.Pointer()


class Debug:
    """Debug information: a list of types."""

    def __init__(self, *types: ir.DebugType) -> None:
        self.types = types

    def type(self, number: int) -> ir.DebugType:
        return self.types[number]


INT = ir.DebugType("integer", "int", 4)
UNSIGNED = ir.DebugType("integer", "unsigned int", 4, signed=False)
CHAR = ir.DebugType("integer", "char", 1)


def register(name: str, type: ir.Type = PTR) -> ir.Register:
    return ir.Register(type, name)


def number(value: int, type: ir.Type = I32) -> ir.Number:
    return ir.Number(type, value)


def symbol(name: str) -> ir.Symbol:
    return ir.Symbol(PTR, name)


def alloca(name: str, type: ir.Type = I32) -> ir.Instruction:
    return ir.Instruction("alloca", name, PTR, (number(1),), source=type)


def call(callee: str | ir.Operand, *arguments: ir.Operand, result: str = "") -> ir.Instruction:
    called = symbol(callee) if isinstance(callee, str) else callee
    return ir.Instruction("call", result, PTR if result else ir.Void(), arguments, callee=called)


def load(pointer: ir.Operand, type: ir.Type = I32, order: str = "", result: str = "value") -> ir.Instruction:
    return ir.Instruction("load", result, type, (pointer,), source=type, order=order)


def store(value: ir.Operand, pointer: ir.Operand, order: str = "") -> ir.Instruction:
    return ir.Instruction("store", operands=(value, pointer), order=order)


def gep(name: str, source: ir.Type, *operands: ir.Operand) -> ir.Instruction:
    return ir.Instruction("getelementptr", name, PTR, operands, source=source)


def ret(*values: ir.Operand) -> ir.Instruction:
    return ir.Instruction("ret", operands=values)


def function(
    name: str, *code: ir.Instruction, parameters: tuple[str, ...] = (), variables: dict[str, ir.Variable] | None = None
) -> ir.Function:
    blocks = (ir.Block("entry", code),) if code else ()
    return ir.Function(name, PTR, tuple(map(register, parameters)), blocks=blocks, variables=variables or {})


def module(
    *items: ir.Function | ir.Global, structs: dict[str, ir.Struct] | None = None, debug: ir.Debug | None = None
) -> ir.Module:
    return ir.Module(
        structs or {},
        {i.name: i for i in items if isinstance(i, ir.Global)},
        {i.name: i for i in items if isinstance(i, ir.Function)},
        debug or Debug(),
    )
