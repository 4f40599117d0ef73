"""Races under a user's model file: those of its `hb`, if it defines one; otherwise those of C++20."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import porf
from porf.execution import Order
from porf.exploration import explore
from porf.models.registry import FOLDER, find_model
from porf.programs.form import Instruction, Opcode, Program
from porf.programs.python import ProgramBuilder, acquire, relaxed, release
from tests.exploration.random_heap import random_heap
from tests.exploration.random_programs import random_program

Bugs = set[tuple[str, frozenset[object]]]
# What says the same of the same events, but can be judged only when an execution has ended.
LATE = {
    "as it is": "",
    "of the modification order": "let hb = hb | (mo & 0)",
    "of what comes later": "let hb = hb | (0; rf^-1)",
}


def bugs(program: Program, model: str | Path, strategy: str) -> Bugs:
    found = explore(program, model, keep_going=True, strategy=strategy)
    return {(bug.kind, frozenset(bug.where)) for bug in found.bugs}


def some_plain(program: Program, seed: int) -> Program:
    """The program with half of its loads and stores not atomic."""
    rng = random.Random(seed)

    def weaker(i: Instruction) -> Instruction:
        plain = i.opcode in (Opcode.LOAD, Opcode.STORE) and rng.random() < 0.5
        return replace(i, order=Order.NA) if plain else i

    return replace(program, templates=tuple(replace(t, code=tuple(map(weaker, t.code))) for t in program.templates))


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
@pytest.mark.parametrize("form", LATE)
@pytest.mark.parametrize("model", ["rc11", "cpp20"])
def test_a_copy_of_a_file_has_the_bugs_of_the_model(model: str, form: str, strategy: str, tmp_path: Path) -> None:
    path = tmp_path / "copy.cat"
    path.write_text(f"{(FOLDER / f'{model}.cat').read_text()}\n{LATE[form]}\n")
    met: set[str] = set()
    for seed in range(20):
        kind = random.Random(seed).choice(("plain", "updates", "fences", "threads"))
        for program in (random_heap(seed, sc=False), some_plain(random_program(seed, kind, sc=False, most=7), seed)):
            built_in, copied = bugs(program, model, strategy), bugs(program, path, strategy)
            met |= {kind for kind, _ in built_in}
            if form == "as it is":
                assert copied == built_in, program.name
            else:  # of an execution that has ended, one conflict is told, and perhaps another one
                assert bool(copied) == bool(built_in), program.name
    assert {"data race", "use after free", "unpublished memory"} <= met


def message_passing(reading: Order = acquire) -> ProgramBuilder:
    p = ProgramBuilder("passing")
    data, ready = p.plain("data"), p.int("ready")

    @p.thread
    def sender() -> None:
        data.value = 1
        ready.store(1, release)

    @p.thread
    def receiver() -> None:
        if ready.load(reading) == 1:
            assert data.value == 1

    return p


AXIOMS = """
acyclic po | rf
irreflexive fr; mo
irreflexive mo; rf?; (po | rf)*
irreflexive fr; rf?; (po | rf)+
"""


@pytest.mark.parametrize(
    ("hb", "order", "verdict"),
    [
        ("(po | rf)+", acquire, "safe"),
        ("(po | rf)+", relaxed, "safe"),
        ("po", acquire, "unsafe"),
        ("(po | ([REL]; rf; [ACQ]))+", acquire, "safe"),
        ("(po | ([REL]; rf; [ACQ]))+", relaxed, "unsafe"),
        ("(po | rf | mo | fr)+", relaxed, "safe"),
        ("(po | (mo?; rf))+", relaxed, "safe"),
        ("po | mo", acquire, "unsafe"),
    ],
)
@pytest.mark.parametrize("strategy", ["trust", "tracer"])
def test_races_are_those_of_hb(strategy: str, hb: str, order: Order, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    path.write_text(f'"mine"\nlet hb = {hb}\n{AXIOMS}')
    found = explore(message_passing(order), path, strategy=strategy)
    assert found.verdict == verdict
    assert {bug.kind for bug in found.bugs} == ({"data race"} if verdict == "unsafe" else set())
    assert f"data races are judged by `hb` of {path}" in found.report()
    for bug in found.bugs:
        again = explore(message_passing(order), path, strategy=strategy, replay=bug.token)
        assert [b.message for b in again.bugs] == [bug.message]


def test_writes_that_hb_orders_by_mo_do_not_race(tmp_path: Path) -> None:
    p = ProgramBuilder("writers")
    data = p.plain("data")

    @p.thread(copies=2)
    def writer() -> None:
        data.value = 1

    path = tmp_path / "mine.cat"
    path.write_text(f'"mine"\nlet hb = po | mo\n{AXIOMS}')
    assert explore(p, path).verdict == "safe"
    path.write_text(f'"mine"\nlet hb = po | (mo & int)\n{AXIOMS}')
    assert explore(p, path).verdict == "unsafe"


@pytest.mark.parametrize(("order", "verdict"), [(acquire, "safe"), (relaxed, "unsafe")])
def test_without_hb_they_are_those_of_cpp20(order: Order, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    path.write_text(f'"mine"\n{AXIOMS}')
    found = explore(message_passing(order), path)
    assert found.verdict == verdict
    assert f"data races are judged as in C++20: {path} defines no `hb`" in found.report()
    assert found.record()["notes"] == [f"data races are judged as in C++20: {path} defines no `hb`"]
    assert "judged" not in explore(message_passing(order), "cpp20").report()


def test_the_default_is_cpp20() -> None:
    p = message_passing()
    assert porf.explore(p).headline() == "passing: safe under cpp20"
    assert find_model("cpp20").races is not None
