"""Mutexes that the program makes by plain writes, also more than once: the last making is the one that counts."""

from __future__ import annotations

from collections import Counter

import pytest

from porf.execution import Order
from porf.exploration.classes import classes as explored_classes
from porf.programs.assemble import Assembler
from porf.programs.form import Cell, Modify, Object, Opcode, Program, Start, Template, pointer
from tests.exploration.machine_programs import function
from tests.exploration.reference import classes

OBJECTS = (Object("m", 4, (Cell(0, 4, "m", None),)), Object("x", 4, (Cell(0, 4, "x"),)))


def make(a: Assembler) -> None:
    a.emit(Opcode.STORE, b=a.constant(pointer(0)), c=a.constant(0), width=4)


def lock(a: Assembler) -> None:
    a.emit(Opcode.LOCK, b=a.constant(pointer(0)), width=4)


def unlock(a: Assembler) -> None:
    a.emit(Opcode.UNLOCK, b=a.constant(pointer(0)), width=4)


def section(a: Assembler) -> None:
    lock(a)
    where, one = a.constant(pointer(1)), a.constant(1)
    a.emit(Opcode.RMW, a=a.register(), b=where, c=one, kind=Modify.ADD, width=4, order=Order.RLX)
    unlock(a)


def same(program: Program, model: str, strategy: str) -> None:
    found = explored_classes(program, model, strategy=strategy)
    for a, b in zip(found, classes(program, model), strict=True):
        assert Counter(a) == Counter(b)


def worker(times: int) -> Template:
    def code(a: Assembler) -> None:
        for _ in range(times):
            section(a)

    return function("worker", code)


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["ra", "sc", "rc11"])
@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("times", [1, 2])
def test_what_was_before_the_last_making_is_over(times: int, held: bool, model: str, strategy: str) -> None:
    def main(a: Assembler) -> None:
        make(a)
        lock(a)
        if not held:
            unlock(a)
        make(a)
        for _ in range(2):
            a.emit(Opcode.SPAWN, a=a.register(), c=0, d=a.arguments(()))
        section(a)

    same(Program("again", OBJECTS, (worker(times), function("main", main)), (Start(1),)), model, strategy)


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["ra", "sc", "rc11", "tso"])
def test_a_mutex_that_is_made_while_others_run_and_then_shown(model: str, strategy: str) -> None:
    flag = Object("flag", 4, (Cell(0, 4, "flag"),))

    def maker(a: Assembler) -> None:
        make(a)
        a.emit(Opcode.STORE, b=a.constant(pointer(2)), c=a.constant(1), width=4, order=Order.REL)
        section(a)

    def user(a: Assembler) -> None:
        seen, out = a.register(), a.label()
        a.emit(Opcode.LOAD, a=seen, b=a.constant(pointer(2)), width=4, order=Order.ACQ)
        a.jump_unless(seen, out)
        section(a)
        a.put(out)

    templates = (function("maker", maker), function("user", user))
    same(Program("shown", (*OBJECTS, flag), templates, (Start(1), Start(0), Start(1))), model, strategy)


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("model", ["ra", "sc", "rc11"])
@pytest.mark.parametrize("initial", [1, 7, -1])
def test_a_mutex_that_is_never_free(initial: int, model: str, strategy: str) -> None:
    """Nobody has it, and nobody gets it."""
    never = Object("m", 4, (Cell(0, 4, "m", initial),))
    same(Program("never", (never, OBJECTS[1]), (worker(1),), (Start(0), Start(0))), model, strategy)
