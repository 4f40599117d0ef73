"""What each instruction of the program form does in the core, at its edges: small programs, their results and bugs."""

from __future__ import annotations

import pytest

from porf._core import private_slots
from porf.execution import Order
from porf.exploration import explore
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Home, Local, Modify, Object, Opcode, Unary, pointer
from tests.exploration.machine_programs import (
    ARRAY,
    binary,
    bug,
    called,
    combined,
    function,
    load,
    private,
    program,
    results,
    store,
    verdict,
)


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
        computed, kept = a.register(), a.register()
        a.emit(Opcode.UNARY, a=computed, b=a.constant(value), kind=Unary.WRAP, width=width, signed=signed)
        where, order = a.constant(pointer(0)), Order.RLX
        a.emit(Opcode.STORE, b=where, c=a.constant(value), width=width, signed=signed, order=order)
        a.emit(Opcode.LOAD, a=kept, b=where, width=width, signed=signed, order=order)
        there = private(a, 0, 8)
        a.emit(Opcode.STORE, b=there, c=a.constant(value), width=width, signed=signed)
        return computed, kept, load(a, there, width, signed)

    shared = Object("x", 8, (Cell(0, width, "x"),))
    assert results(code, objects=(shared,)) == (wrapped, wrapped, wrapped)


def test_a_negative_number_of_four_bytes_is_less_than_zero() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        negative = a.register()
        a.emit(Opcode.BINARY, a=negative, b=a.constant(0), c=a.constant(1), kind=Binary.SUB, width=4)
        return (binary(a, negative, Binary.LT, 0),)

    assert results(code) == (1,)


def test_select() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        first, second = a.register(), a.register()
        for into, condition in ((first, -5), (second, 0)):
            a.emit(Opcode.SELECT, a=into, b=a.constant(condition), c=a.constant(7), d=a.constant(8))
        return first, second

    assert results(code) == (7, 8)


# Functions.


def sum_to(a: Assembler) -> None:
    """Of the numbers up to its parameter, which each call keeps in its private memory."""
    [n] = a.parameters
    kept, end, below = private(a, 0, 8), a.label(), a.register()
    store(a, kept, n, 8)
    a.jump_unless(n, end)
    a.emit(Opcode.CALL, a=below, c=0, d=a.arguments((binary(a, n, Binary.SUB, 1),)))
    a.emit(Opcode.RETURN, b=combined(a, below, Binary.ADD, load(a, kept, 8)))
    a.put(end)
    a.emit(Opcode.RETURN, b=a.constant(0))


@pytest.mark.parametrize("depth", [0, 1, 10, 500, 2000])
def test_recursion_has_the_room_that_it_needs(depth: int) -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        return (called(a, 0, a.constant(depth)),)

    assert results(code, functions=(function("sum_to", sum_to, ["n"], private_slots(8)),)) == (
        depth * (depth + 1) // 2,
    )


def test_recursion_without_end_is_cut() -> None:
    def forever(a: Assembler) -> None:
        a.emit(Opcode.CALL, a=a.register(), c=0, d=a.arguments(()))

    found = verdict(program(lambda a: called(a, 0), functions=(function("forever", forever),)))
    assert found.verdict == "undecided"
    assert found.executions == 0


def test_recursion_without_end_between_events_is_cut() -> None:
    def forever(a: Assembler) -> None:
        a.emit(Opcode.LOAD, a=a.register(), b=a.constant(pointer(0)), width=8, order=Order.RLX)
        a.emit(Opcode.CALL, a=a.register(), c=0, d=a.arguments(()))

    made = program(lambda a: called(a, 0), functions=(function("forever", forever),), objects=(Object("x", 8),))
    found = explore(made, "rc11", memory=1 << 27)
    assert (found.verdict, found.executions) == ("undecided", 0)


def test_a_call_begins_with_zeros_however_the_stack_was_used() -> None:
    def dirty(a: Assembler) -> None:
        for _ in range(3):
            a.emit(Opcode.MOVE, a=a.register(), b=a.constant(99))
        store(a, private(a, 0, 16), a.constant(99), 8)
        a.emit(Opcode.RETURN, b=a.constant(1))

    def clean(a: Assembler) -> None:
        untouched = a.register()
        kept = load(a, private(a, 0, 16), 8)
        a.emit(Opcode.RETURN, b=combined(a, untouched, Binary.ADD, kept))

    def code(a: Assembler) -> tuple[int, ...]:
        called(a, 0)
        return (called(a, 1),)

    both = tuple(function(name, body, slots=private_slots(16)) for name, body in (("dirty", dirty), ("clean", clean)))
    assert results(code, functions=both) == (0,)


def test_arguments_that_are_not_given_are_zero_and_too_many_are_ignored() -> None:
    def both(a: Assembler) -> None:
        a.emit(Opcode.RETURN, b=combined(a, a.parameters[0], Binary.SUB, a.parameters[1]))

    def code(a: Assembler) -> tuple[int, ...]:
        one, two, three = a.constant(9), a.constant(4), a.constant(1)
        return called(a, 0, one), called(a, 0, one, two), called(a, 0, one, two, three)

    assert results(code, functions=(function("both", both, ["p", "q"]),)) == (9, 5, 5)


def test_exit_in_a_function_ends_the_thread() -> None:
    def leave(a: Assembler) -> None:
        a.emit(Opcode.EXIT, b=a.constant(5))

    def code(a: Assembler) -> tuple[int, ...]:
        result = a.register()
        handle = a.register()
        a.emit(Opcode.SPAWN, a=handle, c=1, d=a.arguments(()))
        a.emit(Opcode.JOIN, a=result, b=handle)
        return (result,)

    def child(a: Assembler) -> None:
        called(a, 0)
        a.emit(Opcode.FAIL, c=0)

    assert results(code, functions=(function("leave", leave), function("child", child))) == (5,)


@pytest.mark.parametrize("opcode", [Opcode.CALL, Opcode.SPAWN])
@pytest.mark.parametrize("where", [0, pointer(0), pointer(1, 1), pointer(99), -1, 1 << 62])
def test_what_is_no_function_cannot_be_called(opcode: Opcode, where: int) -> None:
    def code(a: Assembler) -> None:
        a.emit(opcode, a=a.register(), b=a.constant(where), d=a.arguments(()), kind=Home.THREAD)

    functions = (function("f", lambda a: None),)
    assert bug(program(code, functions=functions, objects=(ARRAY,))) == "call of no function"


def test_functions_by_pointers_are_called_and_started() -> None:
    def double(a: Assembler) -> None:
        a.emit(Opcode.RETURN, b=binary(a, a.parameters[0], Binary.MUL, 2))

    def code(a: Assembler) -> tuple[int, ...]:
        here, there, handle = a.register(), a.register(), a.register()
        given = a.arguments((a.constant(21),))
        a.emit(Opcode.CALL, a=here, b=a.constant(pointer(0)), d=given, kind=Home.THREAD)
        a.emit(Opcode.SPAWN, a=handle, b=a.constant(pointer(0)), d=given, kind=Home.THREAD)
        a.emit(Opcode.JOIN, a=there, b=handle)
        return here, there

    assert results(code, functions=(function("double", double, ["n"]),)) == (42, 42)


# Private memory.


def test_bytes_of_private_memory() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        where = private(a, 0, 8)
        store(a, where, a.constant(0x1122334455667788), 8)
        at = [binary(a, where, Binary.ADD, n) for n in range(8)]
        store(a, at[3], a.constant(-1), 1)
        return load(a, at[0], 1), load(a, at[0], 2), load(a, at[4], 4), load(a, where, 8), load(a, at[1], 4)

    assert results(code) == (0x88 - 0x100, 0x7788, 0x11223344, 0x11223344FF667788, 0x44FF6677)


def test_updates_of_private_memory() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        where = private(a, 0, 4)
        store(a, where, a.constant(-2), 4)
        old, first, wrote, second, failed = (a.register() for _ in range(5))
        a.emit(Opcode.RMW, a=old, b=where, c=a.constant(5), kind=Modify.ADD, width=4, order=Order.SC)
        given = {"b": where, "c": a.constant(3), "d": a.constant(7), "width": 4}
        a.emit(Opcode.CAS, a=first, e=wrote, order=Order.SC, failure=Order.SC, **given)
        a.emit(Opcode.CAS, a=second, e=failed, order=Order.SC, failure=Order.SC, **given)
        return old, first, wrote, second, failed, load(a, where, 4)

    assert results(code) == (-2, 3, 1, 7, 0, 7)


@pytest.mark.parametrize("offset", [1, 5, 8, 1 << 20, -1, -8])
@pytest.mark.parametrize("opcode", [Opcode.LOAD, Opcode.STORE])
def test_private_memory_has_bounds(opcode: Opcode, offset: int) -> None:
    def code(a: Assembler) -> None:
        private(a, private_slots(8), 8)
        where = binary(a, private(a, 0, 8), Binary.ADD, offset)
        a.emit(opcode, a=a.register(), b=where, c=a.constant(1), width=8)

    assert bug(program(code, slots=2 * private_slots(8))) in ("out of bounds", "invalid pointer")


def test_private_memory_is_gone_with_its_call() -> None:
    def local(a: Assembler) -> None:
        a.emit(Opcode.RETURN, b=private(a, 0, 8))

    def code(a: Assembler) -> None:
        load(a, called(a, 0), 8)

    assert bug(program(code, functions=(function("local", local, slots=private_slots(8)),))) == "use after free"


@pytest.mark.parametrize("opcode", [Opcode.LOCK, Opcode.TRYLOCK, Opcode.BARRIER])
def test_mutexes_and_barriers_are_shared(opcode: Opcode) -> None:
    def code(a: Assembler) -> None:
        a.emit(opcode, a=a.register(), b=private(a, 0, 8), width=4)

    assert bug(program(code, slots=private_slots(8))) == "invalid pointer"


def test_what_a_function_is_handed_it_can_change() -> None:
    def fill(a: Assembler) -> None:
        store(a, a.parameters[0], a.constant(0x0102), 2)
        a.emit(Opcode.RETURN, b=load(a, a.parameters[0], 1))

    def code(a: Assembler) -> tuple[int, ...]:
        where = private(a, 0, 8)
        result = called(a, 0, where)
        return result, load(a, where, 8)

    assert results(code, functions=(function("fill", fill, ["p"]),)) == (2, 0x0102)


def test_each_thread_has_its_own_locals() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        where, handle, other = a.register(), a.register(), a.register()
        a.emit(Opcode.ADDRESS, a=where, c=0, d=12, kind=Home.THREAD)
        store(a, where, a.constant(5), 4)
        a.emit(Opcode.SPAWN, a=handle, c=0, d=a.arguments(()))
        a.emit(Opcode.JOIN, a=other, b=handle)
        last = load(a, binary(a, where, Binary.ADD, 8), 4)
        return other, load(a, where, 4), last

    def child(a: Assembler) -> None:
        where = a.register()
        a.emit(Opcode.ADDRESS, a=where, c=0, d=12, kind=Home.THREAD)
        a.emit(Opcode.RETURN, b=load(a, where, 8))

    made = Local(0, 12, (3 << 32 | 7, 9))
    assert results(code, functions=(function("child", child),), locals_=(made,)) == (3 << 32 | 7, 5, 9)


def test_locals_have_bounds() -> None:
    def code(a: Assembler) -> None:
        where = a.register()
        a.emit(Opcode.ADDRESS, a=where, c=0, d=12, kind=Home.THREAD)
        load(a, binary(a, where, Binary.ADD, 8), 8)

    assert bug(program(code, locals_=(Local(0, 12, (1, 2)),))) == "out of bounds"


# The thread itself.


def test_self_is_what_the_one_who_started_it_got() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        first, handle, second, me = (a.register() for _ in range(4))
        a.emit(Opcode.SPAWN, a=handle, c=0, d=a.arguments(()))
        a.emit(Opcode.JOIN, a=first, b=handle)
        a.emit(Opcode.SPAWN, a=second, c=0, d=a.arguments(()))
        a.emit(Opcode.SELF, a=me)
        return combined(a, first, Binary.EQ, handle), combined(a, second, Binary.NE, handle), me

    def child(a: Assembler) -> None:
        me = a.register()
        a.emit(Opcode.SELF, a=me)
        a.emit(Opcode.RETURN, b=me)

    assert results(code, functions=(function("child", child),)) == (1, 1, 0)


def test_what_was_printed_is_told_with_the_bug() -> None:
    def code(a: Assembler) -> None:
        a.emit(Opcode.PRINT, c=0, d=a.arguments((a.constant(3), a.constant(-1))))
        a.emit(Opcode.CALL, a=a.register(), c=0, d=a.arguments((a.constant(8),)))
        a.emit(Opcode.FAIL, c=2)

    def says(a: Assembler) -> None:
        a.emit(Opcode.LOAD, a=a.register(), b=a.constant(pointer(0)), width=4, order=Order.RLX)
        a.emit(Opcode.PRINT, c=1, d=a.arguments((a.parameters[0],)))
        a.emit(Opcode.RETURN, b=a.constant(0))

    messages = ("a %d\nb %u\n", "in %x", "wrong")
    prints = program(code, functions=(function("says", says, ["n"]),), objects=(ARRAY,), messages=messages)
    [found] = explore(prints, "rc11").bugs
    assert found.printed == ("main: a 3", "main: b 4294967295", "main: in 8")
    [again] = explore(prints, "rc11", replay=found.token).bugs
    assert again.printed == found.printed
