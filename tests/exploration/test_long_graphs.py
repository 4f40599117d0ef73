"""Long graphs: what a thread does alone, before others race, changes nothing but the length of the graph.

Revisits of such a graph cut off its end and put it back, where those of short ones copy all of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from porf.exploration.classes import classes
from porf.programs.assemble import Assembler
from porf.programs.form import Cell, Object, Opcode, Program, Start, pointer
from tests.exploration.consistency import MODELS
from tests.exploration.random_heap import random_heap
from tests.exploration.random_kinds import random_program as random_newer_program
from tests.exploration.random_programs import random_program
from tests.exploration.random_sc import random_program as random_sc_program

ALONE = 300  # events of a thread by itself


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


def check(program: Program, model: str) -> None:
    short, long = classes(program, model), classes(lengthened(program), model)
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
