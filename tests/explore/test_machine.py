"""What each instruction of the program form does in the core, at its edges: small programs, their results and bugs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porf.execution import Order
from porf.explore import explore
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Object, Opcode, Program, Start, Template, Unary, Watch, pointer

Code = Callable[[Assembler], object]


def template(code: Code, name: str = "t") -> Template:
    a = Assembler(name)
    code(a)
    return a.template()


def results(code: Callable[[Assembler], tuple[int, ...]], *objects: Object) -> tuple[int, ...]:
    """The last values of some registers of a program of one thread, which has one execution."""
    a = Assembler("only")
    registers = code(a)
    made = a.template(registers)
    watched = tuple(Watch(0, r, f"r{r}") for r in registers)
    found = explore(Program("only", objects, (made,), (Start(0),), watched=watched), "ra")
    assert (found.verdict, found.executions) == ("safe", 1), found.bugs
    [state] = found.states
    return state


@pytest.mark.parametrize(
    ("value", "width", "signed", "wrapped"),
    [
        (-1, 1, True, -1),
        (-1, 1, False, 0xFF),
        (-1, 2, True, -1),
        (-1, 2, False, 0xFFFF),
        (-1, 4, True, -1),
        (-1, 4, False, 0xFFFFFFFF),
        (1 << 31, 4, True, -(1 << 31)),
        (1 << 31, 4, False, 1 << 31),
        (-1, 8, True, -1),
        ((1 << 40) + 5, 4, True, 5),
    ],
)
def test_numbers_wrap_to_their_width(value: int, width: int, signed: bool, wrapped: int) -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        computed, read = a.register(), a.register()
        a.emit(Opcode.UNARY, a=computed, b=a.constant(value), kind=Unary.WRAP, width=width, signed=signed)
        where, order = a.constant(pointer(0)), Order.RLX
        a.emit(Opcode.STORE, b=where, c=a.constant(value), width=width, signed=signed, order=order)
        a.emit(Opcode.LOAD, a=read, b=where, width=width, signed=signed, order=order)
        return computed, read

    assert results(code, Object("x", 8, (Cell(0, width, "x"),))) == (wrapped, wrapped)


def test_a_negative_number_of_four_bytes_is_less_than_zero() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        less, negative = a.register(), a.register()
        a.emit(Opcode.BINARY, a=negative, b=a.constant(0), c=a.constant(1), kind=Binary.SUB, width=4)
        a.emit(Opcode.BINARY, a=less, b=negative, c=a.constant(0), kind=Binary.LT)
        return (less,)

    assert results(code) == (1,)
