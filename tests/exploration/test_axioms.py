"""Exploration under model files: the axioms, evaluated, against engines by hand, brute force and known litmus tests."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from porf._core import Engine
from porf.errors import ModelError, ProgramError
from porf.execution import Order
from porf.exploration import explore
from porf.exploration.adapt import only_sc
from porf.exploration.classes import classes
from porf.exploration.engines import engine_of
from porf.exploration.requirements import check_requirements, unmet_requirements
from porf.models import MODELS
from porf.models.registry import FOLDER, find_model
from porf.programs.assemble import Assembler
from porf.programs.form import Opcode, Program, pointer
from porf.programs.litmus import observe, read_litmus
from tests.exploration import known_programs as known
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes as brute_force
from tests.exploration.reference import ordered_classes

BY_HAND = ("relaxed", "rc20", "ra", "wra", "sra", "sc", "tso", "x86", "pso")


def model(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.cat"
    path.write_text(f'"mine"\n{text}\n')
    return path


def one_thread(*instructions: tuple[Opcode, Order]) -> Program:
    def code(a: Assembler) -> None:
        for opcode, order in instructions:
            a.emit(opcode, b=a.constant(pointer(0)), c=a.constant(1), width=8, order=order)

    return known.assembled("one-thread", {"x": 0}, [code])


@pytest.mark.parametrize("name", BY_HAND)
def test_a_file_and_its_engine_explore_the_same(name: str) -> None:
    """By its path, a built-in file is one like any other."""
    path = FOLDER / f"{name}.cat"
    for kind in KINDS:
        for seed in range(12):
            program = random_program(seed, kind, sc=name != "rc20", most=7)
            assert engine_of(find_model(path), program) is Engine.AXIOMS
            assert engine_of(find_model(name), program) is not Engine.AXIOMS
            evaluated, by_hand = classes(program, path), classes(program, name)
            assert Counter(evaluated[0]) == Counter(by_hand[0]), program.name
            assert Counter(evaluated[1]) == Counter(by_hand[1]), program.name


@pytest.mark.parametrize(("name", "strategy"), [("rc11", "trust"), ("rc11", "tracer"), ("cpp20", "trust")])
@pytest.mark.parametrize("kind", KINDS)
def test_rc11_with_sc_events(kind: str, name: str, strategy: str) -> None:
    for seed in range(100, 120):
        program = random_program(seed, kind, most=8)
        complete, blocked = brute_force(program, name)
        found, stuck = classes(program, FOLDER / f"{name}.cat", strategy=strategy)
        assert Counter(found) == Counter(complete), program.name
        assert Counter(stuck) == Counter(blocked), program.name


@pytest.mark.parametrize("name", ["rc11", "tso"])
def test_modification_orders(name: str) -> None:
    for kind in KINDS:
        for seed in range(8):
            program = random_program(seed, kind, most=6)
            found = classes(program, FOLDER / f"{name}.cat", equivalence="mo")[0]
            assert Counter(found) == Counter(ordered_classes(program, name)), program.name


# Not all axioms of a file, or not of every file, are walks of an automaton: these say nothing new, but are none.
OTHERWISE = {
    "always": "~empty [_] as always",
    "not regular": "acyclic (mo; rf?) & (mo; rf?) & (po | rf | mo | fr)+ as never",
}


@pytest.mark.parametrize("form", OTHERWISE)
@pytest.mark.parametrize("name", ["rc11", "ra", "tso", "sra"])
def test_walks_of_automata_and_evaluation_agree(name: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.cat"
    view = find_model(name).file.view
    path.write_text(f'(* Events: {view} *)\n"mine"\ninclude "{name}.cat"\n{OTHERWISE[form]}\n')
    assert find_model(name).file.program.letters() and not find_model(path).file.program.letters()
    for kind in KINDS:
        for seed in range(200, 206):
            program = random_program(seed, kind, most=8)
            walked, evaluated = classes(program, FOLDER / f"{name}.cat"), classes(program, path)
            assert Counter(walked[0]) == Counter(evaluated[0]), program.name
            assert Counter(walked[1]) == Counter(evaluated[1]), program.name


def test_graphs_that_are_too_large_for_walks() -> None:
    """The tables of walks end at some size; then axioms are evaluated."""
    lines = 60

    def writer(a: Assembler) -> None:
        for n in range(lines):
            known.store(a, n % 2, a.constant(n + 1), Order.SC)

    def reader(a: Assembler) -> None:
        known.load(a, 0, Order.SC)

    program = known.assembled("long", {"x": 0, "y": 0}, [writer, writer, reader])
    assert explore(program, FOLDER / "rc11.cat").executions == lines + 1


def litmus(threads: list[str], condition: str) -> str:
    code = "\n".join(f"P{n} (atomic_int* x, atomic_int* y) {{ {thread} }}" for n, thread in enumerate(threads))
    return f"C test\n{{}}\n{code}\nexists ({condition})\n"


def load(register: str, place: str, order: str) -> str:
    return f"int {register} = atomic_load_explicit({place}, memory_order_{order});"


def store(place: str, value: int, order: str) -> str:
    return f"atomic_store_explicit({place}, {value}, memory_order_{order});"


SB = "0:r=0 /\\ 1:r=0"
FENCE = "atomic_thread_fence(memory_order_seq_cst);"
LITMUS = {
    "SB of sc accesses": (
        [store("x", 1, "seq_cst") + load("r", "y", "seq_cst"), store("y", 1, "seq_cst") + load("r", "x", "seq_cst")],
        SB,
        "Never",
    ),
    "SB where one access is not sc": (
        [store("x", 1, "release") + load("r", "y", "seq_cst"), store("y", 1, "seq_cst") + load("r", "x", "seq_cst")],
        SB,
        "Sometimes",
    ),
    "SB of sc fences": (
        [
            store("x", 1, "relaxed") + FENCE + load("r", "y", "relaxed"),
            store("y", 1, "relaxed") + FENCE + load("r", "x", "relaxed"),
        ],
        SB,
        "Never",
    ),
    "2+2W of sc writes": (
        [store("x", 1, "seq_cst") + store("y", 2, "seq_cst"), store("y", 1, "seq_cst") + store("x", 2, "seq_cst")],
        "x=1 /\\ y=1",
        "Never",
    ),
    "2+2W of release writes": (
        [store("x", 1, "release") + store("y", 2, "release"), store("y", 1, "release") + store("x", 2, "release")],
        "x=1 /\\ y=1",
        "Sometimes",
    ),
    # PLDI 2017, Fig. 1: compilers to Power show it, C11 forbade it.
    "Z6.U": (
        [
            store("x", 1, "seq_cst") + store("y", 1, "release"),
            "int r = atomic_fetch_add_explicit(y, 1, memory_order_seq_cst);" + load("s", "y", "relaxed"),
            store("y", 3, "seq_cst") + load("r", "x", "seq_cst"),
        ],
        "1:r=1 /\\ 1:s=3 /\\ 2:r=0",
        "Sometimes",
    ),
}


@pytest.mark.parametrize("name", LITMUS)
def test_litmus_tests_under_rc11(name: str) -> None:
    threads, condition, expected = LITMUS[name]
    test = read_litmus(litmus(threads, condition))
    found = explore(test, FOLDER / "rc11.cat")
    assert found.algorithm == "trust/axioms" and found.verdict == "safe"
    assert observe(test, found.states).observation == expected


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    """RC11 whose fences order everything, as on x86."""
    path = model(tmp_path, 'include "rc11.cat"\nacyclic po; [F]; po | rf | mo | fr as strong-fences')
    path.write_text("(* Events: two *)\n" + path.read_text())
    weak = [store("x", 1, "relaxed") + "atomic_thread_fence(memory_order_acq_rel);" + load("r", "y", "relaxed")]
    weak += [store("y", 1, "relaxed") + "atomic_thread_fence(memory_order_acq_rel);" + load("r", "x", "relaxed")]
    test = read_litmus(litmus(weak, SB))
    assert observe(test, explore(test, "rc11").states).observation == "Sometimes"
    assert observe(test, explore(test, path).states).observation == "Never"


NOT_ACYCLIC = {"rmo", "wccm", "c11", "imm", "arm8", "power"}
SURE = {"sc", "tso", "x86", "pso", "sra", "ra", "rc20", "relaxed", "rc11", "cpp20"}


@pytest.mark.parametrize("name", MODELS)
def test_requirements_of_the_built_in_models(name: str) -> None:
    unmet = unmet_requirements(name)
    fails = {u.name for u in unmet if u.fails}
    assert fails == ({"(po | rf)-acyclic"} if name in NOT_ACYCLIC else set())
    if name in SURE:
        assert check_requirements(name) == []
    for one in unmet:
        assert name in one.text and one.name in one.text
        assert ("not known" in one.text) is not one.fails


def test_what_a_model_lacks_is_named(tmp_path: Path) -> None:
    sb = known.readers(2)
    weak = model(tmp_path, "acyclic (po & loc) | rf | co | fr as coherent")
    with pytest.raises(ModelError, match=r"mine allows values out of thin air.*(?s:.*)T1 w x 1(?s:.*)hint: add"):
        explore(sb, weak)
    some = model(tmp_path, "acyclic po | rf as porf\n~empty [F] as some-fence\nempty [F] \\ [F] as nothing")
    with pytest.raises(ModelError, match="mine is not prefix-closed"):
        explore(sb, some)


@pytest.mark.parametrize("lacks", ["empty [F]", "empty [W]; po; [W]; po; [W]; po; [W]"])
def test_a_model_that_is_not_extensible(lacks: str, tmp_path: Path) -> None:
    path = model(tmp_path, f"acyclic po | rf | mo | fr as sc\n{lacks} as less")
    assert [u.fails for u in unmet_requirements(path) if u.name == "extensible"] in ([True], [False])
    write, fence = (Opcode.STORE, Order.RLX), (Opcode.FENCE, Order.SC)
    fine = explore(one_thread(write, write), path)
    assert (fine.verdict, fine.executions) == ("safe", 1)
    stuck = explore(one_thread(write, write, fence, write), path)
    assert stuck.verdict == "undecided" and "not extensible" in stuck.reasons[0]


def test_operations_that_a_model_does_not_interpret() -> None:
    with pytest.raises(ProgramError, match="cc does not interpret updates"):
        explore(known.ainc(2), "cc")
    assert explore(known.readers(3), "cc").executions == 8


def test_a_recursion_that_does_not_settle(tmp_path: Path) -> None:
    path = model(tmp_path, "acyclic po | rf\nlet rec odd = po \\ odd\nacyclic odd | mo as odd")
    with pytest.raises(ModelError, match="never reaches a fixpoint"):
        explore(known.readers(2), path)


def test_other_processes_get_the_file() -> None:
    program = MODELS["rc11"].file.program
    assert pickle.loads(pickle.dumps(program)).__getstate__() == program.__getstate__()
    fib = known.fib_bench(2)
    alone, shared = (explore(fib, FOLDER / "rc11.cat", jobs=jobs) for jobs in (1, 2))
    assert alone.executions == shared.executions == explore(fib, "ra").executions


def test_a_budget_ends_a_check() -> None:
    found = explore(known.fib_bench(6), FOLDER / "rc11.cat", seconds=0.05)
    assert found.verdict == "undecided" and not found.finished


@pytest.mark.parametrize("kind", ["plain", "updates", "fences", "control", "loops", "locks", "threads"])
@pytest.mark.parametrize("name", ["rc11", "cpp20"])
def test_with_sc_accesses_alone_it_is_sc(name: str, kind: str) -> None:
    """The engine that looks for the first bug finds what the axioms do, and the judge."""
    tried = 0
    for seed in range(400):
        program = all_sc(random_program(seed, kind))
        if not only_sc(program):
            continue
        tried += 1
        first, every = (explore(program, name, lock_orders=True, keep_going=keep_going) for keep_going in (False, True))
        assert (first.algorithm, every.algorithm) == ("trust/order", "trust/partial-sc")
        assert first.verdict == every.verdict
        if first.verdict == "safe":
            complete, blocked = map(len, brute_force(program, name))
            assert first.executions == every.executions == complete
            assert max(first.blocked, every.blocked) <= blocked
        if tried == 25:
            return
    assert tried > 10


def all_sc(program: Program) -> Program:
    """The program with every atomic access and fence sequentially consistent."""

    def strong(order: Order) -> Order:
        return order if order is Order.NA else Order.SC

    templates = tuple(
        replace(t, code=tuple(replace(i, order=strong(i.order), failure=strong(i.failure)) for i in t.code))
        for t in program.templates
    )
    return replace(program, templates=templates)
