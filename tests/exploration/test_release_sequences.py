"""Where RC11 and C++20 differ: whether later writes of a thread carry on what its release of that place began.

Both have an engine for programs without SC accesses; with them, the model file is evaluated. Brute force judges all.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from porf._core import Engine
from porf.exploration import explore
from porf.exploration.classes import classes as explored_classes
from porf.exploration.engines import engine_of
from porf.models.registry import FOLDER, find_model
from porf.programs.assemble import Assembler
from porf.programs.form import Program, Template
from porf.programs.python import ProgramBuilder, acquire, fence, relaxed, release, seq_cst, spawn
from tests.exploration import random_programs
from tests.exploration.reference import classes

MODELS = ("rc11", "cpp20")
PROGRAMS = 120


class Maker(random_programs.Maker):
    """Message passing at random: a thread writes the first place, and the second one several times; others read, or
    update, mostly the second and then the first."""

    def thread(self, number: int, budget: int, mutexes: int) -> Template:
        a = Assembler(f"t{number}")
        read: list[int] = []
        choose = self.rng.choice
        if number == 0:
            self.at(a, read, 0, "store")
            for _ in range(self.rng.randint(2, 4)):
                self.at(a, read, choose((0, 1, 1, 1, 1)), choose((*("store",) * 4, "update", "fence")))
        else:
            self.at(a, read, choose((0, 1, 1, 1)), choose(("load", "load", "load", "update")))
            if self.rng.random() < 0.3:
                self.at(a, read, 1, choose(("load", "fence")))
            self.at(a, read, choose((0, 0, 0, 1)), "load")
        return a.template(tuple(read))

    def at(self, a: Assembler, read: list[int], place: int, what: str) -> None:
        self.last = place
        self.access(a, read, what)


def random_program(seed: int, sc: bool) -> Program:
    maker = Maker(random.Random(f"sequences {seed} {sc}"), "plain", sc, 9, random_programs.Mix(turns=0, flow=0.1))
    maker.coarse, maker.places = False, 2
    return maker.program(f"sequences-{seed}")


@pytest.mark.parametrize("strategy", ["trust", "tracer"])
def test_random_programs_with_many_writes_of_a_thread_to_one_place(strategy: str) -> None:
    different = 0
    for seed in range(PROGRAMS):
        program = random_program(seed, sc=False)
        found = {}
        for model in MODELS:
            assert engine_of(find_model(model), program) is not Engine.AXIOMS
            found[model] = Counter(explored_classes(program, model, strategy)[0])
            assert found[model] == Counter(classes(program, model)[0]), (program.name, model)
        assert found["rc11"] <= found["cpp20"]
        different += found["rc11"] != found["cpp20"]
    assert different >= PROGRAMS // 24


@pytest.mark.parametrize("model", MODELS)
def test_files_and_sc_accesses(model: str) -> None:
    for seed in range(PROGRAMS // 4):
        program = random_program(seed, sc=True)
        found = Counter(explored_classes(program, FOLDER / f"{model}.cat")[0])
        assert found == Counter(classes(program, model)[0]), (program.name, model)


SEPARATING = Path(__file__).parents[2] / "examples" / "litmus" / "MP+rel-rlx.litmus"


def test_the_smallest_litmus_test_between_them() -> None:
    seen = {model: explore(SEPARATING, model).observation for model in MODELS}
    found = [o.observation for o in seen.values() if o is not None]
    assert found == ["Never", "Sometimes"]


@pytest.mark.parametrize("sc", [False, True])
def test_races_follow_the_release_sequence(sc: bool) -> None:
    """With an SC access the model file is evaluated; races are still those of the model."""
    p = ProgramBuilder("handover")
    data, ready, other = p.plain("data"), p.int("ready"), p.int("other")
    order = seq_cst if sc else relaxed

    @p.thread
    def sender() -> None:
        other.store(1, order)
        data.value = 1
        ready.store(1, release)
        ready.store(2, relaxed)

    @p.thread
    def receiver() -> None:
        if ready.load(acquire) == 2:
            assert data.value == 1

    assert explore(p, "rc11").verdict == "safe"
    [race] = explore(p, "cpp20").bugs
    assert race.kind == "data race"


@pytest.mark.parametrize("sc", [False, True])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("fenced", [False, True])
def test_nothing_is_carried_on_by_another_thread(fenced: bool, model: str, sc: bool) -> None:
    """What a thread released before it started another one is no affair of that one's relaxed writes."""
    p = ProgramBuilder("started")
    data, ready, other = p.int("data"), p.int("ready"), p.int("other")
    order = seq_cst if sc else relaxed

    @p.function
    def child() -> None:
        ready.store(2, relaxed)

    if fenced:

        @p.thread
        def parent() -> None:
            data.store(1, relaxed)
            fence(release)
            spawn(child)

    else:

        @p.thread
        def parent() -> None:
            data.store(1, relaxed)
            ready.store(1, release)
            spawn(child)

    @p.thread
    def receiver() -> None:
        other.store(1, order)
        if ready.load(acquire) == 2:
            assert data.load(relaxed) == 1

    assert explore(p, model).verdict == "unsafe"
