"""The one door: which procedure answers, what a verdict is, users' own models, and executions with little in them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from porf import Execution, FormatError, UsageError, Verdict, check, loads
from porf.checking.verdict import Verdict as VerdictClass
from porf.generate import interleaving
from porf.language.header import OPERATIONS
from porf.models import MODELS, Model, find_model
from tests.checking.brute_force import hard_execution, satisfiable
from tests.checking.small_executions import execution, reads_and_writes

KERNELS = ("sc", "tso", "relaxed", "rc20", "ra", "wra", "sra", "cc", "ccv", "cm", "ccm", "wccm")
BAD = "T0 w x 1 id=a\nT0 w x 2 id=b\nT1 r x 2 id=c\nT1 r x 1 id=d\n"
WEAK = "T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0\n"


def user_model(tmp_path: Path, text: str, name: str = "mine") -> Model:
    path = tmp_path / f"{name}.cat"
    path.write_text(f'"{name}"\n{text}\n')
    return find_model(path)


# Who decides


@pytest.mark.parametrize("model", MODELS)
def test_the_row_order_is_tried_first(model: str) -> None:
    last = "T1 u x 1->2\n" if "updates" in MODELS[model].header.interprets else "T1 w x 2\n"
    verdict = check(loads(f"T0 w x 1\nT1 r x 1\n{last}"), model, verify=True)
    assert (verdict.answer, verdict.algorithm) == ("consistent", "row-order")
    assert verdict.witness is not None
    assert verdict.witness.interleaving is not None


@pytest.mark.parametrize("model", MODELS)
def test_then_the_kernel_and_then_the_generic_procedure(model: str) -> None:
    verdict = check(loads(WEAK), model, verify=True)
    weaker_than_tso = model in ("pso", "rmo")  # what TSO allows they allow
    by = "generic" if MODELS[model].decided_by == "walks" else MODELS[model].decided_by  # for it is small
    assert verdict.algorithm == ("global-order" if weaker_than_tso else by)
    assert verdict.consistent == (model not in ("sc", "ccm"))
    assert check(loads(WEAK), model, algorithm="generic").answer == verdict.answer


def test_the_row_order_alone_never_says_inconsistent() -> None:
    verdict = check(loads(BAD), "ra", algorithm="row-order")
    assert verdict.answer == "undecided"
    assert verdict.note
    shuffled = loads("T1 r x 1 rf=a\nT0 w x 1 id=a\n")  # an interleaving, but not in the order of the rows
    assert check(shuffled, "sc", algorithm="row-order").answer == "undecided"
    assert check(shuffled, "sc").consistent


def test_a_kernel_is_not_invented(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mine has no kernel") as caught:
        check(loads(WEAK), user_model(tmp_path, "acyclic po | rf as causality"), algorithm="kernel")
    assert "generic" in (caught.value.hint or "")
    with pytest.raises(UsageError, match="unknown algorithm 'kernal'"):
        check(loads(WEAK), "ra", algorithm="kernal")


def test_memory_is_a_budget_too() -> None:
    verdict = check(loads(WEAK), "pso", algorithm="generic", memory=1)
    assert verdict.answer == "undecided"
    assert "MiB" in (verdict.note or "")
    assert check(loads(WEAK), "sc", memory=1).answer == "undecided"


def test_the_generic_procedure_has_a_memory_limit_of_its_own() -> None:
    """Whatever the machine has: relations of so many events would be built for minutes before the first step."""
    verdict = check(interleaving(100_000, 4, 20, group_by_thread=True, seed=0), "pso", algorithm="generic")
    assert verdict.answer == "undecided"
    assert "MiB" in (verdict.note or "")


def long_search() -> Execution:
    """A thousand writes of one location to be put in order."""
    return interleaving(2000, 4, 1, updates=0.0, group_by_thread=True, seed=0)


def test_progress_is_reported() -> None:
    seen: list[int] = []
    verdict = check(long_search(), "pso", algorithm="generic", seconds=1, progress=seen.append)
    assert verdict.answer == "undecided"
    assert seen
    assert seen == sorted(seen)


def test_an_error_in_the_progress_callback_comes_out() -> None:
    def stop(steps: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        check(long_search(), "pso", progress=stop)


# What a verdict is


@pytest.mark.parametrize("text", [WEAK, BAD])
def test_a_verdict_is_neither_true_nor_false(text: str) -> None:
    assert Verdict is VerdictClass
    verdict = check(loads(text), "ra")
    with pytest.raises(TypeError, match="consistent, inconsistent or undecided"):
        bool(verdict)
    with pytest.raises(TypeError):
        assert not verdict


def test_a_verdict_carries_its_evidence() -> None:
    good, bad = check(loads(WEAK), "ra"), check(loads(BAD), "ra")
    assert (good.consistent, good.inconsistent, good.axiom, good.proof) == (True, False, None, None)
    assert (bad.consistent, bad.inconsistent, bad.axiom, bad.witness) == (False, True, "write-coherence", None)
    assert good.headline().startswith("consistent in ra (coherence, 4 events, ")
    assert bad.headline().startswith("inconsistent in ra: write-coherence (coherence, 4 events, ")
    assert good.explain() == "mo x: e0\nmo y: e2"
    for verdict in (good, bad):
        assert verdict.report().startswith(f"<text>: {verdict.headline()}\n  ")
        assert verdict.draw().startswith("<svg")
        assert verdict.seconds >= 0
        verdict.verify()


def test_names_paths_and_models_are_the_same_door(tmp_path: Path) -> None:
    g = loads(WEAK)
    for model in ("ra", "RA", MODELS["ra"]):
        assert check(g, model).model is MODELS["ra"]
    mine = user_model(tmp_path, "acyclic po | rf as causality")
    for same in (mine.path, str(mine.path), mine):
        verdict = check(g, same)
        assert (verdict.answer, verdict.model.name, verdict.algorithm) == ("consistent", "mine", "generic")


# Users' models


@pytest.mark.parametrize("name", MODELS)
def test_a_copy_of_a_model_file_gives_the_same_verdicts(name: str, tmp_path: Path) -> None:
    """Under its own name, too: only the bundled file has a kernel and knows interleavings."""
    copy = tmp_path / f"{name}.cat"
    copy.write_text(MODELS[name].text)
    rng = random.Random(name)
    draw = hard_execution if MODELS[name].header.interprets == tuple(OPERATIONS) else reads_and_writes
    for _ in range(60):
        g = draw(rng)
        verdict = check(g, copy, verify=True)
        assert verdict.algorithm == "generic"
        assert verdict.answer == check(g, name).answer
    if name == "rc20":
        with pytest.raises(FormatError, match="rc20 has no sc access"):
            check(loads("T0 w x 1 sc\n"), copy)


def test_a_users_model_may_forbid_interleavings(tmp_path: Path) -> None:
    g = loads("T0 w x 1\nT1 r x 1\n")
    verdict = check(g, user_model(tmp_path, "empty rf as silence"), verify=True)
    assert (verdict.answer, verdict.axiom, verdict.algorithm) == ("inconsistent", "silence", "generic")
    assert check(g, user_model(tmp_path, "empty rf as silence"), algorithm="row-order").answer == "undecided"


ODD_MODELS = {
    "total": "empty ((W * W) & loc) \\ (mo | mo^-1 | id) as total",
    "last write is read": "let last = W \\ domain(mo)\nempty [last] \\ (rf; rf^-1) as read-last",
    "no po in mo": "empty mo & po as against",
    "not acyclic": "~acyclic po | mo as must-turn",
    "somebody reads": "~empty rf as reads",
    "immediate": "let next = mo \\ (mo; mo)\nirreflexive next; po as step-back\nempty next & po as apart",
    "flags only": "flag ~empty rf as reads",
}


@pytest.mark.parametrize("name", ODD_MODELS)
def test_a_model_that_more_order_may_mend(name: str, tmp_path: Path) -> None:
    """Axioms that are not monotone: the generic procedure against all modification orders, with its evidence."""
    model = user_model(tmp_path, ODD_MODELS[name])
    rng = random.Random(name)
    answers = set()
    for _ in range(150):
        g = hard_execution(rng, most_events=7)
        verdict = check(g, model, verify=True)
        expected = "consistent" if satisfiable(g, model.file) else "inconsistent"
        assert verdict.answer == expected, (name, g.thread.tolist(), g.op.tolist(), g.loc.tolist(), g.rf.tolist())
        assert verdict.explain() is not None
        assert verdict.record()["verdict"] == expected
        answers.add(expected)
    assert answers == ({"consistent"} if name in ("total", "flags only") else {"consistent", "inconsistent"})


# Executions with little in them


Rows = tuple[list[tuple[int, int, int, int, int]], int, int]


def columns(rows: list[tuple[int, int, int, int, int]], threads: int, locations: int) -> Execution:
    return execution(rows, threads, locations)


FINE: dict[str, Rows] = {
    "no events": ([], 0, 0),
    "no events but names": ([], 3, 2),
    "one write": ([(0, 1, 0, 1, -1)], 1, 1),
    "one read": ([(0, 0, 0, 1, -1)], 1, 1),
    "one update": ([(0, 2, 0, 1, -1)], 1, 1),
    "one fence": ([(0, 3, -1, 4, -1)], 1, 0),
    "only fences": ([(0, 3, -1, 4, -1), (1, 3, -1, 2, -1), (0, 3, -1, 3, -1)], 2, 0),
    "only reads": ([(0, 0, 0, 1, -1), (1, 0, 0, 1, -1), (1, 0, 1, 1, -1)], 2, 2),
    "one thread": ([(0, 1, 0, 1, -1), (0, 0, 0, 1, 0), (0, 1, 0, 1, -1), (0, 0, 0, 1, 2)], 1, 1),
    "unused threads and locations": ([(2, 1, 1, 1, -1), (4, 0, 1, 1, 0)], 6, 4),
    "a reader first": ([(0, 0, 0, 1, 1), (1, 1, 0, 1, -1)], 2, 1),
}
CYCLES: dict[str, Rows] = {
    "an update that reads itself": ([(0, 2, 0, 1, 0)], 1, 1),
    "two updates that read each other": ([(0, 2, 0, 1, 1), (1, 2, 0, 1, 0)], 2, 1),
    "load buffering": ([(0, 0, 0, 1, 3), (0, 1, 1, 1, -1), (1, 0, 1, 1, 1), (1, 1, 0, 1, -1)], 2, 2),
    "a read of its own future": ([(0, 0, 0, 1, 1), (0, 1, 0, 1, -1)], 1, 1),
}


def interpreted(executions: dict[str, Rows]) -> list[tuple[str, str]]:
    """Each execution with each model that interprets all of its events."""
    out = []
    for name, (rows, _, _) in executions.items():
        needed = {word for word, op in OPERATIONS.items() if any(op == row[1] for row in rows)}
        out += [(name, model) for model in MODELS if needed <= set(MODELS[model].header.interprets)]
    return out


@pytest.mark.parametrize(("name", "model"), interpreted(FINE))
def test_little_executions_are_consistent(name: str, model: str) -> None:
    g = columns(*FINE[name])
    for algorithm in ("auto", "generic", *(["kernel"] if model in KERNELS else [])):
        verdict = check(g, model, algorithm=algorithm, verify=True)
        assert verdict.answer == "consistent", algorithm
        verdict.explain()
        assert verdict.record()["events"] == len(g)
        verdict.draw()


@pytest.mark.parametrize(("name", "model"), interpreted(CYCLES))
def test_cycles_of_po_and_rf_are_verdicts_not_errors(name: str, model: str) -> None:
    g = columns(*CYCLES[name])
    expected = satisfiable(g, MODELS[model].file)
    for algorithm in ("auto", "generic", *(["kernel"] if model in KERNELS else [])):
        verdict = check(g, model, algorithm=algorithm, verify=True)
        assert verdict.consistent == expected, algorithm
        if not expected:
            assert verdict.record()["cycle"]
            verdict.explain()
            verdict.draw()
    allowed = {"load buffering": {"rmo", "c11", "imm", "arm8", "power"}, "a read of its own future": {"wccm"}}
    assert expected == (model in allowed.get(name, ()))


def test_orders_are_only_looked_at_where_the_model_has_them() -> None:
    message = "T0 w x 1\nT0 w y 1 {}\nT1 r y 1 {}\nT1 r x 0\n"
    plain, synchronised = loads(message.format("rlx", "rlx")), loads(message.format("rel", "acq"))
    assert check(plain, "rc20").consistent
    assert check(synchronised, "rc20").inconsistent
    assert check(plain, "ra").inconsistent
    assert check(synchronised, "relaxed").consistent


def test_columns_are_not_changed_by_checking() -> None:
    g = loads(BAD)
    before = [np.array(column) for column in (g.thread, g.op, g.loc, g.order, g.rf)]
    for model in MODELS:
        check(g, model, verify=True)
    after = [np.array(column) for column in (g.thread, g.op, g.loc, g.order, g.rf)]
    assert all(np.array_equal(now, then) for now, then in zip(after, before, strict=True))
