"""Loops that wait, in functions and with private memory: each is known by what can change in its iterations."""

from __future__ import annotations

import pytest

from porf._core import private_slots
from porf.execution import Order
from porf.exploration.found import Exploration
from porf.programs.assemble import Assembler
from porf.programs.form import Allocation, Binary, Cell, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.machine_programs import ARRAY, binary, called, function, load, private, store, verdict

FLAG = Object("flag", 4, (Cell(0, 4, "flag"),))


def read_flag(a: Assembler) -> int:
    into = a.register()
    a.emit(Opcode.LOAD, a=into, b=a.constant(pointer(0)), width=4, order=Order.ACQ)
    return into


def with_writer(waiter: Template, *functions: Template) -> Exploration:
    """The waiter, and a thread that sets the flag."""

    def code(a: Assembler) -> None:
        a.emit(Opcode.STORE, b=a.constant(pointer(0)), c=a.constant(1), width=4, order=Order.REL)

    templates = (*functions, waiter, function("writer", code))
    starts = (Start(len(functions)), Start(len(functions) + 1))
    return verdict(Program("waits", (FLAG,), templates, starts, layouts=(ARRAY,)))


def waits(a: Assembler, body: object = None) -> None:
    """Reads the flag until it is set; what else an iteration does is said by the body."""
    out = a.label()
    loop = a.loop()
    a.jump_if(read_flag(a), out)
    if callable(body):
        body(a)
    a.again(loop)
    a.put(out)


def test_a_loop_in_a_function_waits() -> None:
    def wait(a: Assembler) -> None:
        waits(a)
        a.emit(Opcode.RETURN, b=a.constant(0))

    found = with_writer(function("waiter", lambda a: called(a, 0)), function("wait", wait))
    assert (found.verdict, found.executions, found.blocked, len(found.spins)) == ("safe", 1, 0, 1)


def test_a_loop_that_calls_waits() -> None:
    def look(a: Assembler) -> None:
        store(a, private(a, 0, 8), a.constant(7), 8)  # what is gone with the call does not matter
        a.emit(Opcode.RETURN, b=read_flag(a))

    def wait(a: Assembler) -> None:
        out = a.label()
        loop = a.loop()
        a.jump_if(called(a, 0), out)
        a.again(loop)
        a.put(out)

    found = with_writer(function("waiter", wait), function("look", look, slots=private_slots(8)))
    assert (found.verdict, found.executions, found.blocked, len(found.spins)) == ("safe", 1, 0, 1)


def test_the_loop_of_a_function_is_one_of_each_call() -> None:
    """A function that waits is called twice, in a loop that counts to two: neither is taken for the other."""

    def wait(a: Assembler) -> None:
        waits(a)
        a.emit(Opcode.RETURN, b=a.constant(1))

    def twice(a: Assembler) -> None:
        count, out = a.register(), a.label()
        loop = a.loop()
        a.emit(Opcode.BINARY, a=count, b=count, c=called(a, 0), kind=Binary.ADD)
        a.jump_if(binary(a, count, Binary.GE, 2), out)
        a.again(loop)
        a.put(out)

    found = with_writer(function("waiter", twice), function("wait", wait))
    # The flag is set once: whoever saw it sees it again.
    assert (found.verdict, found.executions, found.blocked, len(found.spins)) == ("safe", 1, 0, 1)


def counts(a: Assembler, where: int) -> None:
    store(a, where, binary(a, load(a, where, 8), Binary.ADD, 1), 8)


def test_private_memory_that_changes_keeps_a_loop_going() -> None:
    def wait(a: Assembler) -> None:
        where = private(a, 0, 8)
        waits(a, lambda a: counts(a, where))

    found = with_writer(function("waiter", wait, slots=private_slots(8)))
    assert (found.verdict, found.blocked) == ("undecided", 0)


def test_private_memory_that_changes_and_changes_back_does_not() -> None:
    def wait(a: Assembler) -> None:
        where = private(a, 0, 8)

        def there_and_back(a: Assembler) -> None:
            counts(a, where)
            store(a, where, a.constant(0), 8)

        waits(a, there_and_back)

    found = with_writer(function("waiter", wait, slots=private_slots(8)))
    assert (found.verdict, found.executions, found.blocked) == ("safe", 1, 1)


@pytest.mark.parametrize(("size", "changes"), [(8, True), (1 << 62, False)])
def test_an_object_a_turn_keeps_a_loop_going(size: int, changes: bool) -> None:
    def wait(a: Assembler) -> None:
        def allocate(a: Assembler) -> None:
            a.emit(Opcode.ALLOCATE, a=a.register(), b=a.constant(size), c=0, kind=Allocation.STACK)

        waits(a, allocate)

    found = with_writer(function("waiter", wait))
    assert found.verdict == ("undecided" if changes else "safe")


def test_a_choice_a_turn_does_not_keep_a_loop_going() -> None:
    def wait(a: Assembler) -> None:
        out, chosen = a.label(), a.register()
        loop = a.loop()
        a.emit(Opcode.CHOOSE, a=chosen, b=a.constant(0), c=a.constant(1))
        a.jump_if(chosen, out)
        a.again(loop)
        a.put(out)

    found = with_writer(function("waiter", wait))
    assert (found.verdict, found.executions, found.blocked) == ("safe", 1, 1)


def test_a_loop_that_changes_only_private_memory_is_cut() -> None:
    def forever(a: Assembler) -> None:
        where = private(a, 0, 8)
        loop = a.loop()
        counts(a, where)
        a.again(loop)

    assert with_writer(function("waiter", forever, slots=private_slots(8))).verdict == "undecided"
