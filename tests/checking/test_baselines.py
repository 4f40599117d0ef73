"""The comparison procedures, SAT and Datalog, against the generic procedure and the kernels; their evidence."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from porf import Execution, PorfError, UsageError, check, load, loads
from porf.checking.order_graph import StoreOrders, closure, topological
from porf.generate import broken, interleaving
from porf.language.store_order import store_order_problem
from porf.models import MODELS, find_model
from tests.checking.small_executions import execution, litmus_execution, random_execution, reads_and_writes
from tests.seeds import seeds

STORE_ORDER = ("sc", "tso", "pso", "rmo")
CRITERIA = ("cc", "ccv", "cm", "ccm", "wccm")
BAD = "T0 w x 1\nT0 w x 2\nT1 r x 2\nT1 r x 1\n"


@pytest.mark.parametrize("seed", seeds(3, 6))
def test_sat_agrees_with_the_generic_procedure(seed: int) -> None:
    """With updates, fences and dependencies."""
    rng = random.Random(seed)
    answers: Counter[tuple[str, str]] = Counter()
    for at in range(90):
        g = litmus_execution(rng) if at % 3 else random_execution(rng, rng.randint(1, 10), rng.randint(1, 4), 2)
        for model in STORE_ORDER:
            verdict = check(g, model, algorithm="sat", verify=True)
            assert verdict.answer == check(g, model, algorithm="generic").answer, (model, at)
            answers[model, verdict.answer] += 1
    assert all(answers[model, answer] > 5 for model in STORE_ORDER for answer in ("consistent", "inconsistent"))


@pytest.mark.parametrize("seed", seeds(2, 4))
def test_datalog_agrees_with_the_generic_procedure_and_the_kernels(seed: int) -> None:
    rng = random.Random(seed)
    answers: Counter[tuple[str, str]] = Counter()
    for _ in range(30):
        g = reads_and_writes(rng)
        for model in ("sc", "tso", *CRITERIA):
            verdict = check(g, model, algorithm="datalog", verify=True)
            assert verdict.answer == check(g, model, algorithm="generic").answer, model
            assert verdict.answer == check(g, model, algorithm="kernel").answer, model
            answers[model, verdict.answer] += 1
    models = ("sc", "tso", *CRITERIA)
    assert all(answers[model, answer] > 2 for model in models for answer in ("consistent", "inconsistent")), answers


def medium(seed: int, updates: float = 0.0, fences: float = 0.0) -> Execution:
    sizes = random.Random(seed)
    g = interleaving(
        sizes.randint(60, 150),
        sizes.randint(2, 5),
        sizes.randint(2, 8),
        updates=updates,
        fences=fences,
        group_by_thread=True,
        seed=seed,
    )
    return broken(g, seed) if seed % 2 else g


@pytest.mark.parametrize("seed", range(6))
def test_sat_on_histories_of_some_size(seed: int) -> None:
    g = medium(seed, updates=0.1, fences=0.05)
    for model in STORE_ORDER:
        verdict = check(g, model, algorithm="sat", verify=True)
        assert verdict.answer == check(g, model).answer
        assert seed % 2 or verdict.consistent


@pytest.mark.parametrize("seed", range(4))
def test_datalog_on_histories_of_some_size(seed: int) -> None:
    g = medium(seed)
    for model in ("sc", "tso", "cc", "ccm"):
        verdict = check(g, model, algorithm="datalog", verify=True)
        assert verdict.answer == check(g, model).answer
        assert seed % 2 or verdict.consistent


def test_sat_takes_any_model_of_that_shape(tmp_path: Path) -> None:
    coherence = tmp_path / "coherence.cat"
    coherence.write_text("acyclic po-loc | rf | mo | fr as coherence\n")
    assert check(loads(BAD), coherence, algorithm="sat", verify=True).inconsistent
    other = tmp_path / "other.cat"
    other.write_text("irreflexive mo; po as other\n")
    with pytest.raises(UsageError, match="sat does not decide other") as caught:
        check(loads(BAD), find_model(other), algorithm="sat")
    assert "acyclic B | mo | fr" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="sat does not decide wra"):
        check(loads(BAD), "wra", algorithm="sat")  # it asks nothing of mo


def test_datalog_is_for_built_in_models_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="datalog does not decide ra"):
        check(loads(BAD), "ra", algorithm="datalog")
    mine = tmp_path / "sc.cat"
    mine.write_text("acyclic po | rf | mo | fr as sc\n")
    with pytest.raises(UsageError, match="datalog does not decide sc"):
        check(loads(BAD), mine, algorithm="datalog")


@pytest.mark.parametrize("algorithm", ["datalog", "gradual", "gradual-sat"])
def test_updates_and_fences_are_named(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "update.txt"
    path.write_text("T0 w x 1\nT1 u x 1->2 id=up\nT1 f sc\n")
    with pytest.raises(PorfError, match=f"{algorithm} handles only reads and writes: up is 'u x 1->2'") as caught:
        check(load(path), "sc", algorithm=algorithm)
    assert (caught.value.line, caught.value.column) == (2, 4)


@pytest.mark.parametrize(
    ("algorithm", "package", "extra"),
    [("datalog", "clingo", "datalog")],
)
def test_a_missing_package_is_named(algorithm: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match="is missing") as caught:
        check(loads(BAD), "sc", algorithm=algorithm)
    assert f"pip install 'porf[{extra}]'" in (caught.value.hint or "")


@pytest.mark.parametrize("algorithm", ["sat", "datalog"])
def test_no_time_is_undecided(algorithm: str) -> None:
    verdict = check(medium(2), "tso", algorithm=algorithm, seconds=1e-6)
    assert verdict.answer == "undecided"
    assert (verdict.note or "").startswith("the time is up")


def test_sat_keeps_to_its_memory() -> None:
    verdict = check(medium(2), "tso", algorithm="sat", memory=1000)
    assert verdict.answer == "undecided"
    assert "MiB" in (verdict.note or "")
    verdict = check(medium(2), "tso", algorithm="sat", memory=900_000)  # enough for the relations, not for the clauses
    assert verdict.answer == "undecided"
    assert "more memory" in (verdict.note or "")


def test_sat_says_how_large_the_encoding_is() -> None:
    verdict = check(medium(2), "sc", algorithm="sat")
    assert "variables" in (verdict.note or "") and "clauses" in (verdict.note or "")


@pytest.mark.parametrize("algorithm", ["sat", "datalog", "gradual", "gradual-sat"])
def test_executions_with_little_in_them(algorithm: str) -> None:
    texts = ("T0 w x 1\n", "T0 r x 0\n", "T0 w x 1\nT1 w x 2\n", "init x 3\nT0 r x 3\n")
    for g in (execution([], 0, 0), *map(loads, texts)):
        for model in ("sc", "tso"):
            assert check(g, model, algorithm=algorithm, verify=True).consistent


def test_closures_are_what_paths_make() -> None:
    rng = random.Random(8)
    cyclic = 0
    for _ in range(200):
        g = random_execution(rng, rng.randint(1, 12), 3, 2)
        problem = store_order_problem(MODELS["sc"].file, g)
        assert problem is not None
        graph = StoreOrders(g).with_initial(problem.graphs[0])
        naive = graph.copy()
        for _ in range(len(graph)):
            naive |= (naive.astype(int) @ naive.astype(int)) > 0
        found, order = closure(graph), topological(graph)
        if naive.diagonal().any():
            cyclic += 1
            assert found is None and order is None
        else:
            assert found is not None and order is not None
            assert (found == naive).all()
            place = {int(node): at for at, node in enumerate(order)}
            assert all(place[a] < place[b] for a, b in zip(*graph.nonzero(), strict=True))
    assert 0 < cyclic < 200
