"""Fewer registers and less code: the same executions, and no more of either than before."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from porf.execution import Order
from porf.programs.assemble import Assembler, with_live
from porf.programs.colour import colour
from porf.programs.form import Binary, Cell, Instruction, Object, Opcode, Program, Start, Template, pointer
from porf.programs.liveness import live_at, sets, successors, uses
from porf.programs.tidy import tidy
from tests.programs.interpreter import run


def naive_live(template: Template, point: int) -> set[int]:
    """Registers that some path reads before it sets them; one path after the other."""
    found: set[int] = set()
    for register in range(template.registers):
        waiting, seen = [point], set()
        while waiting:
            n = waiting.pop()
            if n in seen or n >= len(template.code):
                continue
            seen.add(n)
            if register in uses(template.code[n], template.argument_lists):
                found.add(register)
                break
            if register not in sets(template.code[n]):
                waiting += successors(template.code[n], n)
    return found


def random_code(seed: int) -> Template:
    """Arithmetic, branches and counted loops over a few variables; what they are in the end is stored."""
    pick = random.Random(seed)
    asm = Assembler(f"t{seed}")
    variables = [asm.register() for _ in range(6)]
    for n, register in enumerate(variables):
        asm.emit(Opcode.MOVE, a=register, b=asm.constant(n))

    def step(depth: int) -> None:
        kind = pick.randrange(5 if depth else 3)
        if kind < 2:
            fresh = asm.register()
            b, c = pick.choice(variables), pick.choice([*variables, asm.constant(pick.randrange(9))])
            asm.emit(Opcode.BINARY, a=fresh, b=b, c=c, kind=pick.choice((Binary.ADD, Binary.XOR, Binary.LT)))
            asm.emit(Opcode.MOVE, a=pick.choice(variables), b=fresh)
        elif kind == 2:
            asm.emit(Opcode.MOVE, a=pick.choice(variables), b=pick.choice(variables))
        elif kind == 3:
            no, end = asm.label(), asm.label()
            asm.jump_unless(pick.choice(variables), no)
            block(depth - 1)
            asm.jump(end)
            asm.put(no)
            block(depth - 1)
            asm.put(end)
        else:
            counter, test, end = asm.register(), asm.register(), asm.label()
            asm.emit(Opcode.MOVE, a=counter, b=asm.constant(0))
            loop = asm.loop()
            asm.emit(Opcode.BINARY, a=test, b=counter, c=asm.constant(3), kind=Binary.LT)
            asm.jump_unless(test, end)
            block(depth - 1)
            asm.emit(Opcode.BINARY, a=counter, b=counter, c=asm.constant(1), kind=Binary.ADD)
            asm.again(loop)
            asm.put(end)

    def block(depth: int) -> None:
        for _ in range(pick.randint(1, 3)):
            step(depth)

    for _ in range(5):
        step(2)
    for n in range(3):
        asm.emit(Opcode.STORE, b=asm.constant(pointer(0, 8 * n)), c=variables[n], width=8, order=Order.RLX)
    return asm.draft()


def stored(template: Template) -> object:
    """What is in memory when the code has run alone."""
    cells = tuple(Cell(8 * n, 8, f"x{n}") for n in range(3))
    return run(Program("p", (Object("x", 24, cells),), (template,), (Start(0, name="t"),))).finals


@pytest.mark.parametrize("seed", range(40))
def test_code_means_the_same_with_fewer_registers(seed: int) -> None:
    draft = random_code(seed)
    small = colour(tidy(draft))
    assert stored(small) == stored(with_live(draft))
    assert small.registers <= draft.registers and len(small.code) <= len(draft.code)


@pytest.mark.parametrize("seed", range(20))
def test_liveness_is_what_paths_say(seed: int) -> None:
    draft = random_code(seed)
    points = range(0, len(draft.code), 3)
    assert live_at(draft.code, draft.argument_lists, points) == [naive_live(draft, p) for p in points]


def test_a_counter_that_nobody_reads_is_dropped() -> None:
    asm = Assembler("t")
    counter, seen = asm.register(), asm.register()
    asm.emit(Opcode.MOVE, a=counter, b=asm.constant(0))
    loop = asm.loop()
    asm.emit(Opcode.LOAD, a=seen, b=asm.constant(pointer(0)), width=4)
    asm.emit(Opcode.BINARY, a=counter, b=counter, c=asm.constant(1), kind=Binary.ADD)
    end = asm.label()
    asm.jump_if(seen, end)
    asm.again(loop)
    asm.put(end)
    small = colour(tidy(asm.draft()))
    assert small.live == ((),)
    assert [i.opcode for i in small.code if i.opcode is Opcode.BINARY] == []


def test_loops_one_after_the_other_share_their_counters() -> None:
    asm = Assembler("t")
    for _ in range(5):
        end = asm.label()
        loop = asm.loop()
        seen = asm.register()
        asm.emit(Opcode.LOAD, a=seen, b=asm.constant(pointer(0)), width=4)
        asm.jump_if(seen, end)
        asm.again(loop)
        asm.put(end)
    assert colour(tidy(asm.draft())).registers <= 5


def test_parameters_stay_first_and_a_division_stays() -> None:
    asm = Assembler("f", ["a", "b"])
    unused, sum_ = asm.register(), asm.register()
    asm.emit(Opcode.BINARY, a=unused, b=1, c=0, kind=Binary.DIV)
    asm.emit(Opcode.BINARY, a=sum_, b=0, c=1, kind=Binary.ADD)
    asm.emit(Opcode.RETURN, b=sum_)
    small = colour(tidy(asm.draft()))
    assert [replace(i, place=None) for i in small.code[:1]] == [
        Instruction(Opcode.BINARY, a=small.code[0].a, b=1, c=0, kind=Binary.DIV)
    ]
    assert small.parameters == 2 and small.code[0].a not in (0, 1)
