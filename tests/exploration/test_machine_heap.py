"""Objects that threads allocate and free: what they hold, how large they may be, and every wrong use of them."""

from __future__ import annotations

import pytest

from porf._core import private_slots
from porf.execution import Order
from porf.exploration import explore
from porf.programs.assemble import Assembler
from porf.programs.form import Allocation, Binary, Opcode, pointer
from tests.exploration.machine_programs import (
    ARRAY,
    Code,
    binary,
    bug,
    combined,
    function,
    load,
    private,
    program,
    results,
    store,
    verdict,
)


def allocated(a: Assembler, size: int, kind: Allocation = Allocation.HEAP) -> int:
    into = a.register()
    a.emit(Opcode.ALLOCATE, a=into, b=a.constant(size), c=0, kind=kind)
    return into


@pytest.mark.parametrize("size", [(1 << 31) + 1, 1 << 62])
def test_what_is_too_large_is_null(size: int) -> None:
    assert results(lambda a: (allocated(a, size),), layouts=(ARRAY,)) == (0,)


def test_an_object_of_no_bytes_is_one() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        first, second = allocated(a, 0), allocated(a, 0)
        a.emit(Opcode.FREE, b=first)
        a.emit(Opcode.FREE, b=second)
        return combined(a, first, Binary.NE, second), binary(a, first, Binary.NE, 0)

    assert results(code, layouts=(ARRAY,)) == (1, 1)


def test_a_large_object_costs_only_what_is_used_of_it() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        where = binary(a, allocated(a, 1 << 31, Allocation.ZEROED), Binary.ADD, 1 << 12)
        store(a, where, a.constant(3), 4)
        return (load(a, where, 4),)

    assert results(code, layouts=(ARRAY,)) == (3,)


def free(a: Assembler, where: int) -> None:
    a.emit(Opcode.FREE, b=where)


def free_twice(a: Assembler) -> None:
    node = allocated(a, 8)
    free(a, node)
    free(a, node)


def use_freed(a: Assembler) -> None:
    node = allocated(a, 8, Allocation.ZEROED)
    free(a, node)
    load(a, node, 4)


WRONG: dict[str, tuple[Code, str]] = {
    "the middle": (lambda a: free(a, binary(a, allocated(a, 8), Binary.ADD, 4)), "invalid free"),
    "the stack": (lambda a: free(a, allocated(a, 8, Allocation.STACK)), "invalid free"),
    "a local": (lambda a: free(a, private(a, 0, 8)), "invalid free"),
    "a variable": (lambda a: free(a, a.constant(pointer(0))), "invalid free"),
    "a number": (lambda a: free(a, a.constant(77)), "invalid free"),
    "nothing left": (lambda a: free(a, a.constant(-1)), "invalid free"),
    "twice": (free_twice, "double free"),
    "use": (use_freed, "use after free"),
    "nothing written": (lambda a: load(a, allocated(a, 8), 4), "uninitialised read"),
    "nothing written on the stack": (lambda a: load(a, allocated(a, 8, Allocation.STACK), 4), "uninitialised read"),
    "the end": (lambda a: load(a, binary(a, allocated(a, 8), Binary.ADD, 8), 4), "out of bounds"),
    "no bytes": (lambda a: load(a, allocated(a, 0), 1), "out of bounds"),
    "half of a cell": (lambda a: load(a, binary(a, allocated(a, 8), Binary.ADD, 2), 4), "misaligned access"),
    "null": (lambda a: load(a, a.constant(0), 4), "invalid pointer"),
    "not yet there": (lambda a: load(a, a.constant(pointer(5)), 4), "invalid pointer"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_uses_of_memory(name: str) -> None:
    code, kind = WRONG[name]
    wrong = program(code, objects=(ARRAY,), layouts=(ARRAY,), slots=private_slots(8))
    assert bug(wrong) == kind


def test_free_of_null_is_nothing() -> None:
    assert verdict(program(lambda a: free(a, a.constant(0)))).executions == 1


def test_memory_that_is_kept_is_a_leak_only_if_asked_for() -> None:
    keeps = program(lambda a: allocated(a, 8), layouts=(ARRAY,))
    assert explore(keeps, "rc11").verdict == "safe"
    found = explore(keeps, "rc11", leaks=True)
    assert [b.kind for b in found.bugs] == ["memory leak"]
    stack = program(lambda a: allocated(a, 8, Allocation.STACK), layouts=(ARRAY,))
    assert explore(stack, "rc11", leaks=True).verdict == "safe"


@pytest.mark.parametrize("second", ["free", "load"])
def test_a_free_and_something_else_at_the_same_time(second: str) -> None:
    def main(a: Assembler) -> None:
        node = allocated(a, 8, Allocation.ZEROED)
        for t in (0, 1):
            a.emit(Opcode.SPAWN, a=a.register(), c=t, d=a.arguments((node,)))

    def other(a: Assembler) -> None:
        if second == "free":
            free(a, a.parameters[0])
        else:
            a.emit(Opcode.LOAD, a=a.register(), b=a.parameters[0], width=4, order=Order.RLX)

    functions = (function("first", lambda a: free(a, a.parameters[0]), ["p"]), function("second", other, ["p"]))
    kind = "double free" if second == "free" else "use after free"
    assert bug(program(main, functions=functions, layouts=(ARRAY,))) == kind


def test_objects_of_different_turns_of_a_loop_are_different() -> None:
    def code(a: Assembler) -> tuple[int, ...]:
        before, count, same, out = a.register(), a.register(), a.register(), a.label()
        loop = a.loop()
        new = allocated(a, 8, Allocation.STACK)
        a.emit(Opcode.BINARY, a=same, b=same, c=combined(a, new, Binary.EQ, before), kind=Binary.ADD)
        a.emit(Opcode.MOVE, a=before, b=new)
        a.emit(Opcode.BINARY, a=count, b=count, c=a.constant(1), kind=Binary.ADD)
        a.jump_if(binary(a, count, Binary.GE, 5), out)
        a.again(loop)
        a.put(out)
        return same, count

    assert results(code, layouts=(ARRAY,)) == (0, 5)


@pytest.mark.parametrize("size", [-1, -(1 << 63)])
def test_a_size_below_zero_is_a_bug(size: int) -> None:
    def code(a: Assembler) -> None:
        allocated(a, size)

    assert bug(program(code, layouts=(ARRAY,))) == "invalid size"
