"""Rounds on the machine's own cores are valid executions. What they show is the machine's affair: no test needs it."""

from __future__ import annotations

import platform

import numpy as np
import pytest

from porf import UsageError, check, loads
from porf.execution import INITIAL, NO_VALUE, Execution, Op, Order
from porf.formats import dumps
from porf.stress import Plan, Rounds, parse_mix, usable_cores

SHAPES = [
    Plan(),
    Plan(threads=1, ops=500),
    Plan(threads=3, ops=1000, locations=1),
    Plan(threads=4, ops=1001, locations=9, burst=1, layout="packed"),
    Plan(threads=7, ops=7, locations=50, layout="spread"),
    Plan(ops=2000, locations=2, burst=10**7, mix=(1.0, 0.0, 1.0, 0.0)),
    Plan(ops=300, mix=(0.0, 0.0, 0.0, 1.0)),
]

on_x86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the promise is of x86")


def columns(execution: Execution) -> list[list[int]]:
    return [column.tolist() for column in (execution.thread, execution.op, execution.loc, execution.order)]


@pytest.mark.parametrize("plan", SHAPES, ids=str)
def test_a_round_is_a_valid_execution(plan: Plan) -> None:
    rounds = Rounds(plan, seed=3)
    for execution in (next(rounds), next(rounds)):
        assert len(execution) == plan.ops
        assert execution.threads == plan.threads
        reads = (execution.op == Op.READ) | (execution.op == Op.UPDATE)
        writes = (execution.op == Op.WRITE) | (execution.op == Op.UPDATE)
        rows = np.arange(plan.ops)
        assert execution.written_value is not None
        assert np.array_equal(execution.written_value, np.where(writes, rows + 1, NO_VALUE))
        assert (execution.rf[~reads] == INITIAL).all()
        taken = reads & (execution.rf != INITIAL)
        writer = execution.rf[taken]
        assert writes[writer].all()
        assert (execution.loc[writer] == execution.loc[taken]).all()
        assert execution.read_value is not None
        assert (execution.read_value[taken] == writer + 1).all()
        assert (execution.read_value[reads & ~taken] == 0).all()
        assert (execution.read_value[~reads] == NO_VALUE).all()
        assert (execution.order == np.where(execution.op == Op.FENCE, Order.SC, Order.RLX)).all()
        # The readers of all formats validate everything, and lose nothing.
        for format in ("text", "npz"):
            again = loads(dumps(execution, format), format)
            assert columns(again) == columns(execution)
            assert again.rf.tolist() == execution.rf.tolist()


def test_one_thread_reads_its_own_last_writes() -> None:
    execution = next(Rounds(Plan(threads=1, ops=5000)))
    verdict = check(execution, "sc", algorithm="row-order", verify=True)
    assert verdict.consistent


@on_x86
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_what_x86_shows_satisfies_tso(threads: int) -> None:
    rounds = Rounds(Plan(threads=threads, ops=4000, mix=parse_mix("r=40,w=40,u=10,f=10")))
    for _ in range(10):
        assert check(next(rounds), "tso", verify=True).consistent


@on_x86
def test_updates_alone_are_sequentially_consistent() -> None:
    """No update waits in a store buffer."""
    rounds = Rounds(Plan(ops=2000, locations=2, mix=parse_mix("u=1")))
    assert check(next(rounds), "sc", verify=True).consistent


def test_the_seed_and_the_round_fix_what_threads_do() -> None:
    first, again, other = Rounds(Plan(), seed=5), Rounds(Plan(), seed=5), Rounds(Plan(), seed=6)
    one, two = next(first), next(first)
    assert columns(one) == columns(next(again))
    assert columns(two) == columns(next(again))
    assert columns(one) != columns(two)
    assert columns(one) != columns(next(other))
    assert (one.source, two.source) == ("<stress, seed 5, round 1>", "<stress, seed 5, round 2>")


def test_the_mix_is_what_is_drawn() -> None:
    execution = next(Rounds(Plan(ops=40_000, mix=parse_mix("w=1,r=2,f=1"))))
    shares = np.bincount(execution.op, minlength=4) / len(execution)
    assert shares == pytest.approx([0.5, 0.25, 0, 0.25], abs=0.02)
    used = np.bincount(execution.loc[execution.loc >= 0]) / (execution.loc >= 0).sum()
    assert used == pytest.approx([0.25] * 4, abs=0.02)


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threads": 0}, "threads is 0"),
        ({"threads": 1000}, "threads is 1000"),
        ({"ops": 0}, "ops is 0"),
        ({"locations": 0}, "locations is 0"),
        ({"burst": 0}, "burst is 0"),
        ({"threads": 5, "ops": 4}, "5 threads share 4 operations"),
        ({"layout": "pakced"}, "unknown layout"),
        ({"mix": (0.0, 0.0, 0.0, 0.0)}, "the mix is"),
        ({"mix": (1.0, -1.0, 1.0, 0.0)}, "the mix is"),
        ({"mix": (float("nan"), 1.0, 1.0, 0.0)}, "the mix is"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words) as error:
        Plan(**options)  # type: ignore[arg-type]
    assert error.value.hint


@pytest.mark.parametrize("text", ["", "r", "r=", "x=1", "r=one", "r=1;w=1"])
def test_a_mix_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_mix(text)
    assert "r=47,w=47,u=3,f=3" in str(error.value.hint)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(UsageError, match="the seed is"):
        Rounds(Plan(), seed)
