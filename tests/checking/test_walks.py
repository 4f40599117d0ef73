"""Models whose axioms are walks: against the model file over all modification orders and the generic procedure, against
kernels where models coincide, and on histories that no matrix could hold."""

from __future__ import annotations

import random
from dataclasses import replace as with_columns
from pathlib import Path

import numpy as np
import pytest

import porf
from porf._core import Answer
from porf.architectures import ARCHITECTURES
from porf.checking import check
from porf.checking.budget import Budget
from porf.checking.generic import search
from porf.checking.walks import solve, walks
from porf.evidence.verify import verify
from porf.execution import Execution, Op, Order
from porf.generate import broken, interleaving, weak
from porf.language.model_file import parse_model
from porf.language.walks import walks_of
from porf.models import ALL_MODELS, ARCHITECTURE_MODELS, MODELS
from porf.record import replace
from tests.checking.brute_force import hard_execution, orders, satisfiable
from tests.checking.small_executions import litmus_execution, random_execution
from tests.seeds import seeds

OF_C = ("rc11", "cpp20", "imm", "arm8", "power", "x86")
OF_MACHINES = ("x86tso", "aarch64", "arm", "ppc", "riscv")


def shown(g: Execution) -> str:
    lines = [f"{g.describe(row)} {' '.join(g.tags_of(row))} rf={g.rf[row]}" for row in range(len(g))]
    pairs = {kind: list(zip(a.tolist(), b.tolist(), strict=True)) for kind, (a, b) in g.dependencies.items()}
    return "\n".join([*lines, str(pairs)])


def with_sc(rng: random.Random, g: Execution, share: float = 0.4) -> Execution:
    """Some of its events SC."""
    chosen = np.array([rng.random() < share for _ in range(len(g))], np.bool_)
    return with_columns(g, order=np.where(chosen, int(Order.SC), g.order).astype(np.uint8))


def any_execution(rng: random.Random) -> Execution:
    """With updates, fences and dependencies of all kinds; a third each near the models' borders."""
    kind = rng.randrange(3)
    if kind == 0:
        return with_sc(rng, litmus_execution(rng))
    if kind == 1:
        return with_sc(rng, hard_execution(rng))
    return with_sc(rng, random_execution(rng, rng.randint(4, 11), rng.choice((2, 3, 4)), rng.choice((1, 2, 3))))


def on_machine(rng: random.Random, g: Execution, name: str) -> Execution:
    """The execution with an architecture's fences and tags instead of orders, and pairs of exclusives."""
    machine = ARCHITECTURES[name]
    known = [(word,) for word in (*machine.fences, *machine.accesses)]
    tag = np.full(len(g), -1, np.int32)
    for row in range(len(g)):
        if g.op[row] == Op.FENCE:
            tag[row] = rng.randrange(len(machine.fences))
        elif rng.random() < 0.4:
            tag[row] = len(machine.fences) + rng.randrange(len(machine.accesses))
    exclusives = [
        (row, row + 1)
        for row in range(len(g) - 1)
        if (g.op[row], g.op[row + 1]) == (Op.READ, Op.WRITE) and g.thread[row] == g.thread[row + 1]
    ]
    chosen = np.array([pair for pair in exclusives if rng.random() < 0.5], np.int32).reshape(-1, 2)
    dependencies = dict(g.dependencies) | ({"lxsx": (chosen[:, 0].copy(), chosen[:, 1].copy())} if len(chosen) else {})
    order = np.full(len(g), int(Order.NA), np.uint8)
    return with_columns(g, order=order, tag=tag, tag_words=known, dependencies=dependencies)


def agrees(g: Execution, name: str, *, all_orders: bool) -> tuple[bool, bool]:
    """Whether walks decide the execution, and say that it is consistent; fails if anyone else says otherwise."""
    model = ALL_MODELS[name]
    found = solve(g, model, Budget())
    if found is None:
        return False, False
    expected = satisfiable(g, model.file) if all_orders else check(g, name, algorithm="generic").consistent
    assert found.answer == (Answer.CONSISTENT if expected else Answer.INCONSISTENT), (name, shown(g))
    if expected:
        verify(g, model, "consistent", found.witness, None)
    return True, expected


@pytest.mark.parametrize("seed", seeds(1, 80))
@pytest.mark.parametrize("name", OF_C)
def test_random_executions(seed: int, name: str) -> None:
    rng = random.Random(f"{name} {seed}")
    decided = [agrees(g, name, all_orders=orders(g) <= 12) for g in (any_execution(rng) for _ in range(100))]
    assert sum(by_walks for by_walks, _ in decided) >= 95  # only updates that read in circles are left to others
    assert 0.2 < sum(consistent for _, consistent in decided) / len(decided) < 0.95


@pytest.mark.parametrize("seed", seeds(1, 80))
@pytest.mark.parametrize("name", OF_MACHINES)
def test_random_executions_of_machines(seed: int, name: str) -> None:
    rng = random.Random(f"{name} {seed}")
    machine = ALL_MODELS[name].header.architecture
    assert machine is not None
    made = (on_machine(rng, any_execution(rng), machine) for _ in range(60))
    decided = [agrees(g, name, all_orders=orders(g) <= 12) for g in made]
    assert sum(by_walks for by_walks, _ in decided) >= 50
    assert 0.2 < sum(consistent for _, consistent in decided) / len(decided) < 0.95


@pytest.mark.parametrize("name", OF_C)
def test_evidence_verifies(name: str) -> None:
    rng = random.Random(f"evidence {name}")
    answers = {check(any_execution(rng), name, algorithm="kernel", verify=True).answer for _ in range(25)}
    assert answers == {Answer.CONSISTENT, Answer.INCONSISTENT}


@pytest.mark.parametrize("seed", range(3))
def test_with_sc_accesses_alone_rc11_is_sc(seed: int) -> None:
    """Lahav et al. 2017, Section 3: SC accesses restore sequential consistency."""
    rng = random.Random(seed)
    answers = set()
    for at in range(8):
        g = interleaving(300, 4, 6, orders="sc", group_by_thread=True, seed=100 * seed + at)
        if at % 2:
            g = broken(g, seed=at)
        expected = check(g, "sc", seconds=20).answer
        found = solve(g, MODELS["rc11"], Budget(seconds=20))
        assert found is not None
        assert found.answer == expected
        answers.add(expected)
        short = with_sc(rng, hard_execution(rng), 1.0)
        of_short = solve(short, MODELS["rc11"], Budget())
        assert of_short is None or of_short.answer == check(short, "sc").answer
    assert answers == {Answer.CONSISTENT, Answer.INCONSISTENT}


@pytest.mark.parametrize("seed", range(3))
def test_without_sc_accesses_cpp20_is_rc20(seed: int) -> None:
    answers = set()
    for at in range(10):
        history = weak(1000, 4, 8, fences=0.05, updates=0.2, orders="mixed", seed=100 * seed + at)
        g = broken(history, seed=at) if at % 2 else history
        found = solve(g, MODELS["cpp20"], Budget(seconds=20))
        assert found is not None
        assert found.answer == check(g, "rc20").answer
        answers.add(found.answer)
    assert answers == {Answer.CONSISTENT, Answer.INCONSISTENT}


@pytest.mark.parametrize("name", ["x86", "x86tso"])
def test_without_fences_x86_is_tso(name: str) -> None:
    answers = set()
    for seed in range(8):
        g = interleaving(400, 4, 8, orders="rlx", group_by_thread=True, seed=seed)
        g = broken(g, seed=seed) if seed % 2 else g
        found = solve(g, ALL_MODELS[name], Budget(seconds=20))
        assert found is not None
        assert found.answer == check(g, "tso").answer
        answers.add(found.answer)
    assert answers == {Answer.CONSISTENT, Answer.INCONSISTENT}


@pytest.mark.parametrize("name", [*OF_C, *OF_MACHINES])
def test_large_histories_are_decided(name: str) -> None:
    g = interleaving(20_000, 4, 200, updates=0.05, orders="rlx", group_by_thread=True, seed=1)
    verdict = check(g, name, seconds=60)
    assert (verdict.answer, verdict.algorithm) == (Answer.CONSISTENT, "walks")
    assert verdict.witness is not None
    assert np.array_equal(np.sort(verdict.witness.writes), np.flatnonzero(g.writing))


def test_a_spent_budget_is_undecided() -> None:
    g = interleaving(5000, 4, 50, orders="sc", group_by_thread=True, seed=1)
    verdict = check(g, "rc11", steps=20)
    assert verdict.answer == Answer.UNDECIDED
    assert "steps" in (verdict.note or "")


def test_which_models_are_walks() -> None:
    assert {name for name, model in ALL_MODELS.items() if model.decided_by == "walks"} == {*OF_C, *OF_MACHINES}
    for name in (*OF_C, *OF_MACHINES):
        assert walks(ALL_MODELS[name].file) is not None, name
    for name in ("c11", "lkmm", "wra", "ccm"):  # a happens-before with mo, plain accesses, and no coherence as such
        assert walks({**MODELS, **ARCHITECTURE_MODELS}[name].file) is None, name


COHERENT = "acyclic po-loc | rf | mo | fr as coherence\n"


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("acyclic [W]; po; [W] | rfe | moe | fre", True),
        ("let rec s = data | (s; s)\nacyclic s | rfe", True),
        ("let rec s = data | (s; addr; s)\nacyclic s | rfe", False),
        ("let rec a = data | (a; b) and b = addr | (b; b)\nacyclic a | rfe", True),
        ("let rec a = data | (a; b) and b = addr | (a; a)\nacyclic a | rfe", False),
        ("empty rf; mo", False),
        ("acyclic po & (rf; rf)", False),
        ("acyclic (po \\ loc) | rf", False),
        ("~empty rf", False),
    ],
)
def test_which_files_are_walks(text: str, taken: bool) -> None:
    assert (walks_of(parse_model(COHERENT + text)) is not None) == taken


SHAPES = [
    "acyclic [W]; po; [W] | rfe | moe | fre",
    "let rec s = data | ctrl | (s; s)\nacyclic s | rfe | fre",
    "irreflexive fre; [geACQ]; po; rfe | moe; po; fre",
    "acyclic (po \\ (W * R)) & ((M * M) \\ (U * U)) | rf | mo | fr",
    "acyclic ([W]; (po-loc \\ (po-loc; [W]; po-loc)); [R] | po; [F]; po | fre | rfe)+",
    "acyclic (po \\ (po?; [F]; po)); [W] | fr | rfe",
    "let hb = (po | [geREL]; rf; [geACQ])+\n"
    "acyclic [SC]; (hb & loc | (po \\ loc); hb | hb; (po \\ loc) | mo | fr); [SC]",
    "acyclic po-loc & (fre; rfe) | po & (moe; rfe) | po; [F]; po | rfe | fri; rfi",
    "acyclic ([R]; (po-loc \\ (po-loc?; [W]; po-loc)); [R]) \\ (rf^-1; rf) | rfe | fr",
    "acyclic mo; rf? | fr; po",
]


@pytest.mark.parametrize("seed", seeds(1, 20))
@pytest.mark.parametrize("text", SHAPES)
@pytest.mark.parametrize("view", ["one", "two"])
def test_files_of_other_shapes(text: str, seed: int, view: str) -> None:
    """Each shape that is taken, in both views of updates, against the file itself."""
    atomicity = "" if view == "one" else "empty rmw & (fr; mo) as atomicity\n"
    file = parse_model(f"(* Title: T\n Events: {view} *)\n{COHERENT}{atomicity}{text}", "mine")
    assert walks_of(file) is not None
    model = replace(MODELS["sc"], name="mine", path=Path("mine.cat"), kernel=None)
    vars(model)["file"] = file
    rng = random.Random(f"{text} {seed}")
    consistent = 0
    for _ in range(60):
        g = any_execution(rng)
        found = solve(g, model, Budget())
        if found is None:
            continue
        expected = search(g, file)[0]
        assert found.answer == expected, shown(g)
        consistent += expected == Answer.CONSISTENT
    assert 0 < consistent < 60


def test_a_product_asks_for_both_ends_of_a_step() -> None:
    """`po & (EX * EX)`: the last accesses of both threads are none."""
    g = porf.loads("T0 w x 1 EX\nT0 w y 2\nT1 w y 1 EX\nT1 w x 2\nT2 r x 2\nT2 r x 1\nT3 r y 2\nT3 r y 1")
    found = solve(g, ALL_MODELS["arm"], Budget())
    assert found is not None
    assert found.answer == check(g, "arm", algorithm="generic").answer == Answer.CONSISTENT
