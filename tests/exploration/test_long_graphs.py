"""Long graphs: what a thread does alone, before others race, changes nothing but the length of the graph.

Revisits of such a graph cut off its end and put it back, where those of short ones copy all of it. Engines that order
all events leave out those that are settled, until another thread makes them contested.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import porf
from porf.execution import Order
from porf.exploration.classes import classes
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Object, Opcode, Program, Start, pointer
from tests.exploration.consistency import MODELS
from tests.exploration.random_heap import random_heap
from tests.exploration.random_kinds import random_program as random_newer_program
from tests.exploration.random_programs import Maker, random_program
from tests.exploration.random_sc import random_program as random_sc_program
from tests.exploration.random_sections import random_sections

ALONE = 200  # events of a thread by itself
SETTLED = 8  # of a thread before and after each access


def lengthened(program: Program) -> Program:
    """With one more thread, which writes and reads two places of its own before any thread reads another's."""
    a = Assembler("alone")
    places = [a.constant(pointer(len(program.objects), 4 * n)) for n in (0, 1)]
    for n in range(ALONE):
        a.emit(Opcode.STORE, b=places[n % 2], c=a.constant(n), width=4)
    a.emit(Opcode.LOAD, a=a.register(), b=places[0], width=4)
    objects = (*program.objects, Object("alone", 8, (Cell(0, 4, "alone"), Cell(4, 4, "alone'"))))
    templates = (*program.templates, a.template())
    return replace(program, objects=objects, templates=templates, starts=(*program.starts, Start(len(templates) - 1)))


class Filled(Maker):
    """Around each access of a random program, the thread uses a place of its own and reads a table."""

    own = ("t0", "t1", "t2", "t3", "main")
    first = 5  # the number of the object of the first of these
    table = 10

    def program(self, name: str) -> Program:
        program = super().program(name)
        more = [Object("", 4, (Cell(0, 4, f"own {n}"),)) for n in range(len(program.objects), self.table + 1)]
        return replace(program, objects=(*program.objects, *more))

    def access(self, a: Assembler, read: list[int], what: str = "") -> int:
        self.fill(a)
        spent = super().access(a, read, what)
        self.fill(a)
        return spent

    def fill(self, a: Assembler) -> None:
        table, own = a.constant(pointer(self.table)), a.constant(pointer(self.first + self.own.index(a.name)))
        for n in range(SETTLED):
            a.emit(Opcode.STORE, b=own, c=a.constant(n), width=4)
            a.emit(Opcode.LOAD, a=a.register(), b=own if n % 2 else table, width=4)


def begun(program: Program) -> Program:
    """One thread writes all places, over and over, and starts all others; if it can join them all, it does so again."""
    a = Assembler("begin")
    cells = [(pointer(n, c.offset), c.width) for n, o in enumerate(program.objects) for c in o.cells]

    def alone() -> None:
        for n in range(ALONE):
            place, width = cells[n % len(cells)]
            a.emit(Opcode.STORE, b=a.constant(place), c=a.constant(0), width=width)
            a.emit(Opcode.LOAD, a=a.register(), b=a.constant(place), width=width)

    alone()
    handles = [a.register() for _ in program.starts]
    for handle, start in zip(handles, program.starts, strict=True):
        a.emit(Opcode.SPAWN, a=handle, c=start.template, d=a.arguments(()))
    if all(i.opcode is not Opcode.SPAWN for t in program.templates for i in t.code):
        for handle in handles:
            a.emit(Opcode.JOIN, a=a.register(), b=handle)
        alone()
    templates = (*program.templates, a.template())
    return replace(program, templates=templates, starts=(Start(len(templates) - 1),))


def check(program: Program, model: str, longer: Program | None = None) -> None:
    short, long = classes(program, model), classes(longer or lengthened(program), model)
    for expected, found in zip(short, long, strict=True):
        assert len(found) == len(expected), (program.name, model)
        assert max(Counter(found).values(), default=1) == 1, (program.name, model)


@pytest.mark.parametrize("kind", ["updates", "control", "locks", "threads"])
@pytest.mark.parametrize("model", MODELS)
def test_random_programs_after_a_long_beginning(model: str, kind: str) -> None:
    for seed in range(8):
        check(random_program(seed, kind, sc=model != "rc20"), model)


@pytest.mark.parametrize("kind", ["choices", "barriers", "made"])
@pytest.mark.parametrize("model", ["sc", "tso", "ra", "rc11"])
def test_newer_random_programs_after_a_long_beginning(model: str, kind: str) -> None:
    for seed in range(8):
        check(random_newer_program(seed, kind), model)


@pytest.mark.parametrize("style", ["fences", "both", "few"])
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_random_programs_with_sc_events_after_a_long_beginning(model: str, style: str) -> None:
    for seed in range(8):
        check(random_sc_program(seed, "chaos", style), model)


@pytest.mark.parametrize("model", ["sc", "ra", "rc11"])
def test_random_programs_that_allocate_after_a_long_beginning(model: str) -> None:
    for seed in range(8):
        check(random_heap(seed), model)


def test_locks_that_went_to_sleep_have_not_arrived_in_their_place() -> None:
    check(random_sections(509, 9), "rc11")


@pytest.mark.parametrize("kind", ["litmus", "updates", "fences", "control", "locks", "threads"])
@pytest.mark.parametrize("model", MODELS)
def test_random_programs_with_settled_accesses_in_between(model: str, kind: str) -> None:
    for seed in range(4):
        rng = f"{kind} {seed} settled"
        programs = [make(random.Random(rng), kind, model != "rc20", 7).program(rng) for make in (Maker, Filled)]
        check(programs[0], model, programs[1])


@pytest.mark.parametrize("kind", ["litmus", "updates", "control", "threads"])
@pytest.mark.parametrize("model", MODELS)
def test_random_programs_after_what_is_done_before_the_first_start(model: str, kind: str) -> None:
    for seed in range(4):
        program = random_program(seed, kind, sc=model != "rc20", most=7)
        check(program, model, begun(program))


def counting(turns: int) -> Program:
    """Store buffering, where each thread first counts, so often, in a place of its own."""
    templates = []
    for t in (0, 1):
        a = Assembler(f"t{t}")
        count, over, out = a.register(), a.register(), a.label()
        a.emit(Opcode.MOVE, a=count, b=a.constant(0))
        loop = a.loop()
        a.emit(Opcode.BINARY, a=count, b=count, c=a.constant(1), kind=Binary.ADD)
        a.emit(Opcode.RMW, a=a.register(), b=a.constant(pointer(2 + t)), c=count, width=4)
        a.emit(Opcode.BINARY, a=over, b=count, c=a.constant(turns), kind=Binary.GE)
        a.jump_if(over, out)
        a.again(loop)
        a.put(out)
        a.emit(Opcode.STORE, b=a.constant(pointer(t)), c=a.constant(1), width=4, order=Order.REL)
        a.emit(Opcode.LOAD, a=a.register(), b=a.constant(pointer(1 - t)), width=4, order=Order.ACQ)
        templates.append(a.template())
    objects = [Object(name, 4, (Cell(0, 4, name),)) for name in ("x", "y", "own", "own'")]
    return Program("counting", tuple(objects), tuple(templates), (Start(0), Start(1)))


@pytest.mark.parametrize(
    ("model", "executions"), [("sc", 3), ("tso", 4), ("x86", 4), ("pso", 4), ("sra", 4), ("ra", 4), ("rc11", 4)]
)
def test_a_thread_of_more_events_than_16_bits_count(model: str, executions: int) -> None:
    found = porf.explore(counting(66_000), model, unroll=100_000)
    assert (found.verdict, found.executions) == ("safe", executions)
