"""The monitor against the kernel: it breaks at the first inconsistent prefix, and may_read is exact."""

from __future__ import annotations

import doctest
import random
import sys
from collections.abc import Callable

import numpy as np
import pytest

from porf import INITIAL, Monitor, UsageError, check
from porf.execution import ORDER_NAMES, Execution, Op
from porf.models import MODELS
from tests.checking.small_executions import execution

KERNELS = ("relaxed", "rc20", "ra", "wra", "sra", "sc", "tso")
Row = tuple[int, int, int, int, int]  # thread, op, loc, order, rf


def random_rows(rng: random.Random, model: str) -> list[Row]:
    """A history in an order of po and rf; now and then an update that reads itself."""
    threads, locations = rng.randint(1, 4), rng.randint(1, 3)
    mix = (5, 4, 0 if model == "sra" else rng.choice((0, 1, 4)), 1)
    rows: list[Row] = []
    for row in range(rng.randint(2, 11)):
        op = rng.choices((0, 1, 2, 3), mix)[0]
        loc = -1 if op == Op.FENCE else rng.randrange(locations)
        writers = [at for at, (_, o, x, _, _) in enumerate(rows) if x == loc and o in (Op.WRITE, Op.UPDATE)]
        rf = INITIAL
        if op in (Op.READ, Op.UPDATE):
            rf = rng.choice([INITIAL, *writers, *writers[-2:] * 2])
            if op == Op.UPDATE and rng.random() < 0.01:
                rf = row
        rows.append((rng.randrange(threads), op, loc, rng.randrange(5), rf))
    return rows


def consistent(rows: list[Row], model: str) -> bool:
    return check(execution(rows, 5, 4), model, algorithm="kernel").consistent


def feed(monitor: Monitor, row: Row) -> int:
    thread, op, loc, order, rf = row
    name, place, said = f"T{thread}", f"x{loc}", ORDER_NAMES[order]
    if op == Op.READ:
        return monitor.read(name, place, rf=rf, order=said)
    if op == Op.WRITE:
        return monitor.write(name, place, order=said)
    if op == Op.UPDATE:
        return monitor.update(name, place, rf=rf, order=said)
    return monitor.fence(name, order=said)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", KERNELS)
def test_broken_at_is_the_first_inconsistent_prefix(model: str, seed: int) -> None:
    rng = random.Random(f"{model} {seed}")
    broken = 0
    for _ in range(300):
        rows = random_rows(rng, model)
        first = next((n for n in range(len(rows)) if not consistent(rows[: n + 1], model)), None)
        monitor = Monitor(model)
        for at, row in enumerate(rows):
            assert feed(monitor, row) == at
            expected = first if first is not None and first <= at else None
            assert (monitor.broken_at, monitor.consistent) == (expected, expected is None), (model, rows[: at + 1])
        assert len(monitor) == len(rows)
        assert monitor.verdict().consistent == (first is None)
        broken += first is not None
    assert 30 < broken < 290


READS_AND_UPDATES = [(model, update) for model in KERNELS for update in (False, True)]
READS_AND_UPDATES.remove(("sra", True))  # refused: sra is monitored only without updates


@pytest.mark.parametrize(("model", "update"), READS_AND_UPDATES)
def test_may_read_is_exactly_what_keeps_the_prefix_consistent(model: str, update: bool) -> None:
    rng = random.Random(f"may read {model} {update}")
    refused = allowed = 0
    for _ in range(350):
        rows = random_rows(rng, model)
        monitor = Monitor(model)
        fed: list[Row] = []
        for row in rows:
            thread, loc = rng.randrange(5), rng.randrange(4)  # new threads and new locations, too
            writers = [at for at, (_, o, x, _, _) in enumerate(fed) if x == loc and o in (Op.WRITE, Op.UPDATE)]
            candidates = [INITIAL, *writers]
            fine = [w for w in candidates if consistent([*fed, (thread, 2 if update else 0, loc, 1, w)], model)]
            found = monitor.may_read(f"T{thread}", f"x{loc}", update=update)
            assert sorted(found) == fine, (model, fed, thread, loc)
            assert len(set(found)) == len(found)
            allowed += len(fine)
            refused += len(candidates) - len(fine)
            feed(monitor, row)
            fed.append(row)
            if not monitor.consistent:
                assert monitor.may_read("T0", "x0") == []
                break
    assert allowed > 300
    assert refused > 100


def test_asking_changes_nothing() -> None:
    monitor = Monitor("ra")
    monitor.write("T0", "x")
    assert monitor.may_read("T9", "nowhere") == [INITIAL]
    g = monitor.execution()
    assert (len(g), list(g.thread_names), list(g.loc_names)) == (1, ["T0"], ["x"])
    assert monitor.read("T8", "elsewhere", rf=INITIAL) == 1
    assert monitor.may_read("T8", "x") == [INITIAL, 0]


def test_a_long_run_of_updates_stays_exact() -> None:
    monitor = Monitor("rc20")
    last = INITIAL
    for at in range(2000):
        assert monitor.may_read(f"T{at % 3}", "x", update=True) == [last]
        last = monitor.update(f"T{at % 3}", "x", rf=last, order="acq_rel")
    assert monitor.consistent
    monitor.update("T0", "x", rf=5)
    assert monitor.broken_at == 2000
    monitor.write("T0", "x")
    assert monitor.broken_at == 2000


@pytest.mark.parametrize("model", ["pso", "rmo", "cm"])
def test_models_without_a_kernel_cannot_be_monitored(model: str) -> None:
    with pytest.raises(UsageError, match="cannot be monitored") as caught:
        Monitor(model)
    assert "ra" in (caught.value.hint or "")


def test_wrong_calls_are_told_and_leave_no_trace() -> None:
    monitor = Monitor("ra")
    a = monitor.write("T0", "x")
    r = monitor.read("T0", "x", rf=a)
    wrong_calls: list[Callable[[], object]] = [
        lambda: monitor.read("T1", "x", rf=7),  # a later row
        lambda: monitor.read("T1", "x", rf=r + 1),  # itself, and a read writes nothing
        lambda: monitor.read("T1", "y", rf=a),  # of another location
        lambda: monitor.read("T1", "x", rf=r),  # not a write
        lambda: monitor.read("T1", "x", rf=-2),  # neither a row nor INITIAL
        lambda: monitor.write("T1", "z", order="release"),
        lambda: monitor.fence("T1", order="full"),
    ]
    for wrong in wrong_calls:
        with pytest.raises(UsageError):
            wrong()
    g = monitor.execution()
    assert (len(monitor), list(g.thread_names), list(g.loc_names)) == (2, ["T0"], ["x"])
    assert monitor.verdict().consistent


def test_an_update_may_read_itself_and_that_is_a_cycle() -> None:
    monitor = Monitor("relaxed")
    assert monitor.update("T0", "x", rf=0) == 0
    assert monitor.broken_at == 0
    assert monitor.verdict().axiom == "po-rf"


def test_rc20_refuses_sc_and_sra_refuses_updates() -> None:
    monitor = Monitor("rc20")
    wrong_calls: list[Callable[[], object]] = [
        lambda: monitor.write("T0", "x", order="sc"),
        lambda: monitor.fence("T0", order="sc"),
    ]
    for wrong in wrong_calls:
        with pytest.raises(UsageError, match="rc20 has no sc") as caught:
            wrong()
        assert caught.value.hint
    with pytest.raises(UsageError, match="only without updates"):
        Monitor("sra").update("T0", "x", rf=INITIAL)
    assert Monitor(MODELS["ra"]).write("T0", "x", order="sc") == 0


def test_the_execution_keeps_names_and_values() -> None:
    monitor = Monitor("ra")
    a = monitor.write("P", "flag", value=3, order="rel")
    monitor.name(a, "raise")
    monitor.read("Q", "flag", rf=a, value=3, order="acq")
    g = monitor.execution(source="here")
    assert isinstance(g, Execution)
    assert (g.source, g.name(0), g.name(1)) == ("here", "raise", "e1")
    assert (g.describe(0), g.describe(1)) == ("w flag 3 rel", "r flag 3 acq")
    assert np.array_equal(g.rf, [-1, 0])


def test_an_empty_monitor_is_consistent() -> None:
    assert Monitor("ra").verdict().consistent


def test_the_documentation_runs() -> None:
    result = doctest.testmod(sys.modules[Monitor.__module__])
    assert result.attempted > 3
    assert result.failed == 0


class Store:
    """A machine with a buffer of writes for each thread, or without, and a monitor that is told what it does."""

    def __init__(self, model: str, seed: int, locations: int) -> None:
        self.rng, self.model = random.Random(seed), model
        self.monitor = Monitor(model)
        self.memory = [INITIAL] * locations
        self.old = [INITIAL] * locations  # what was there before
        self.buffers: list[list[tuple[int, int]]] = [[] for _ in range(4)]

    def put(self, loc: int, write: int) -> None:
        self.old[loc], self.memory[loc] = self.memory[loc], write

    def leave(self, thread: int) -> None:
        write, loc = self.buffers[thread].pop(0)
        self.put(loc, write)

    def step(self) -> None:
        rng, thread = self.rng, self.rng.randrange(4)
        loc = rng.randrange(len(self.memory))
        own = [write for write, place in self.buffers[thread] if place == loc]
        kind = rng.random()
        if kind < 0.5:
            self.monitor.read(f"T{thread}", f"x{loc}", rf=own[-1] if own else self.memory[loc])
        elif kind < 0.9:
            self.buffers[thread].append((self.monitor.write(f"T{thread}", f"x{loc}"), loc))
            if self.model == "sc":
                self.leave(thread)
        else:
            while self.buffers[thread]:
                self.leave(thread)
            if kind < 0.95:
                self.monitor.fence(f"T{thread}", order="sc")
            else:
                self.put(loc, self.monitor.update(f"T{thread}", f"x{loc}", rf=self.memory[loc]))
        for other in range(4):
            if self.buffers[other] and rng.random() < 0.4:
                self.leave(other)


@pytest.mark.parametrize(("model", "locations"), [("sc", 5), ("tso", 5), ("tso", 50)])
def test_a_right_store_is_followed_in_bounded_memory(model: str, locations: int) -> None:
    store = Store(model, 1, locations)
    kept = []
    for _ in range(5):
        for _ in range(6000):
            store.step()
        assert store.monitor.consistent
        kept.append(len(store.monitor.kept))
    assert max(kept) < 12_000 < len(store.monitor) == 30_000
    assert not store.monitor.verdict().inconsistent


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_a_stale_read_is_found_at_once(model: str) -> None:
    for seed in range(3):
        store = Store(model, seed, 5)
        for _ in range(9000):
            store.step()
        monitor = store.monitor
        # One thread sees a write, another overwrites it, the first sees that, and then the old one again.
        one = monitor.write("T0", "x0")
        monitor.fence("T0", order="sc")
        monitor.read("T1", "x0", rf=one)
        two = monitor.update("T1", "x0", rf=one)
        monitor.read("T0", "x0", rf=two)
        assert monitor.consistent
        wrong = monitor.read("T0", "x0", rf=one)
        assert monitor.broken_at == wrong
        verdict = monitor.verdict()
        verdict.verify()
        assert verdict.inconsistent
        assert len(verdict.execution) < len(monitor)


def test_what_is_forgotten_proves_nothing() -> None:
    store = Store("sc", 0, 2)
    first = store.monitor.write("T9", "x0")
    store.put(0, first)
    for _ in range(9000):
        store.step()
    monitor = store.monitor
    monitor.write("T9", "x0")
    for _ in range(9000):
        monitor.write("T9", "x1")
    monitor.read("T3", "x0", rf=first)
    assert monitor.broken_at == len(monitor) - 1
    assert monitor.verdict().answer == "undecided"
