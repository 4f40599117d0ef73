"""Sound protocols never break their model; each fault breaks it nearly always; and calls that make no sense say so."""

from __future__ import annotations

import numpy as np
import pytest

import porf
from porf import formats
from porf.cli import main
from porf.errors import UsageError
from porf.execution import INITIAL, Execution, Op
from porf.generate import FAULTS, MEMORIES, PROTOCOLS, coherence

MACHINES = [(protocol, memory) for protocol in PROTOCOLS for memory in MEMORIES]
BROKEN = [
    (protocol, memory, name)
    for name, fault in FAULTS.items()
    for protocol in fault.protocols
    for memory in fault.memories
]


def answer(execution: Execution, model: str) -> str:
    return porf.check(execution, model).answer


@pytest.mark.parametrize(("protocol", "memory"), MACHINES)
def test_sound_protocols_keep_their_model(protocol: str, memory: str) -> None:
    """Small machines of every shape: tiny caches, so that lines come and go in every state."""
    for seed in range(600):
        cpus, addresses, lines = 1 + seed % 6, 1 + seed % 5, 1 + seed % 3
        reads = (0.3, 0.5, 0.7)[seed % 3]
        execution = coherence(
            10 + seed % 70, cpus, addresses, protocol=protocol, memory=memory, lines=lines, reads=reads, seed=seed
        )
        assert answer(execution, memory) == "consistent", (seed, cpus, addresses, lines, reads)


@pytest.mark.parametrize(("protocol", "memory"), MACHINES)
@pytest.mark.parametrize(("cpus", "addresses", "lines"), [(8, 16, 4), (3, 4, 4), (8, 200, 30)])
def test_large_runs_of_sound_protocols_keep_their_model(
    protocol: str, memory: str, cpus: int, addresses: int, lines: int
) -> None:
    execution = coherence(20_000, cpus, addresses, protocol=protocol, memory=memory, lines=lines, seed=cpus)
    verdict = porf.check(execution, memory, verify=memory == "sc")
    assert verdict.answer == "consistent"


@pytest.mark.parametrize(("protocol", "memory"), MACHINES)
def test_many_cpus_do_not_break_the_model(protocol: str, memory: str) -> None:
    """So many threads may be too many to decide, but no violation may be found, and a weaker model is decided."""
    execution = coherence(5000, 64, 8, protocol=protocol, memory=memory, lines=2, seed=1)
    assert porf.check(execution, memory, steps=100_000).answer != "inconsistent"
    assert answer(execution, "sra") == "consistent"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_store_buffers_show(protocol: str) -> None:
    answers = [answer(coherence(200, 3, 3, protocol=protocol, memory="tso", seed=seed), "sc") for seed in range(20)]
    assert answers.count("inconsistent") > 10


@pytest.mark.parametrize(("protocol", "memory", "fault"), BROKEN)
def test_faults_break_the_model(protocol: str, memory: str, fault: str) -> None:
    seeds = range(12)
    runs = [coherence(10_000, protocol=protocol, memory=memory, fault=fault, seed=seed) for seed in seeds]
    assert [answer(run, memory) for run in runs].count("inconsistent") >= 9


@pytest.mark.parametrize(("protocol", "memory", "fault"), BROKEN)
def test_a_fault_strikes_now_and_then(protocol: str, memory: str, fault: str) -> None:
    """At rate 0 it is as if it were not there, and however often it strikes, the machine does not hang."""
    off = coherence(2000, 5, 6, protocol=protocol, memory=memory, fault=fault, fault_rate=0.0, seed=1)
    assert answer(off, memory) == "consistent"
    for seed in range(30):
        for lines in (1, 2, 4):
            always = coherence(
                300, 5, 4, protocol=protocol, memory=memory, fault=fault, fault_rate=1, lines=lines, seed=seed
            )
            assert len(always) == 300


def test_reordered_stores_are_kept_apart_by_location() -> None:
    """The fault buffer-reorder turns TSO into PSO, no more."""
    found = 0
    for seed in range(300):
        run = coherence(24, 3, 3, memory="tso", fault="buffer-reorder", fault_rate=1.0, seed=seed)
        if answer(run, "tso") == "inconsistent":
            found += 1
            assert answer(run, "pso") == "consistent"
    assert found >= 3


def test_rows_are_what_a_tester_sees() -> None:
    run = coherence(1003, 8, 5, seed=4)
    assert len(run) == 1003
    assert (np.diff(run.thread) >= 0).all()
    assert np.bincount(run.thread).tolist() == [126] * 3 + [125] * 5
    reads = run.op == Op.READ
    assert set(run.op.tolist()) == {Op.READ, Op.WRITE}
    written = run.written_value
    assert written is not None and run.read_value is not None
    assert len(set(written[~reads].tolist())) == (~reads).sum()
    inside = reads & (run.rf != INITIAL)
    assert (run.read_value[inside] == written[run.rf[inside]]).all()
    assert (run.loc[inside] == run.loc[run.rf[inside]]).all()
    again = formats.loads(formats.dumps(run, "text"))
    assert (again.rf == run.rf).all()
    shares = [coherence(20_000, reads=share, seed=2).op.tolist().count(Op.READ) / 20_000 for share in (0.0, 0.25, 1.0)]
    assert np.allclose(shares, [0, 0.25, 1], atol=0.02)


def test_seeds_reproduce_on_every_platform() -> None:
    run = coherence(40, 3, 4, protocol="moesi", memory="tso", seed=7)
    # fmt: off
    assert run.rf[run.op == Op.READ].tolist() == [
        -1, -1, -1, -1, -1, -1, 6, -1, 6, 6, 22, 33, -1, 15, -1, 15, -1, 15, 15, -1, -1, 23, -1, -1, -1, 29, 29, 33,
        35, -1, -1,
    ]
    # fmt: on
    other = coherence(40, 3, 4, protocol="moesi", memory="tso", seed=8)
    assert formats.dumps(run) != formats.dumps(other)


def test_more_cpus_than_operations() -> None:
    assert coherence(3, 8, seed=1).threads == 3
    assert len(coherence(1, 1, 1)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"operations": 0}, "operations is 0"),
        ({"operations": 2**31}, "operations is 2147483648"),
        ({"cpus": 0}, "cpus is 0"),
        ({"cpus": 65}, "cpus is 65"),
        ({"addresses": 0}, "addresses is 0"),
        ({"addresses": 10**7}, "too much memory"),
        ({"lines": 0}, "lines is 0"),
        ({"reads": 1.5}, "reads is 1.5"),
        ({"reads": float("nan")}, "reads is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"protocol": "mosi"}, "unknown protocol 'mosi'"),
        ({"memory": "pso"}, "unknown memory 'pso'"),
        ({"fault": "lost-inv"}, "unknown fault 'lost-inv'"),
        ({"fault_rate": 0.5}, "a fault rate without a fault"),
        ({"fault": "stale-data", "fault_rate": -1.0}, "the fault rate is -1"),
        ({"fault": "lost-invalidation", "protocol": "mi"}, "mi cannot have the fault lost-invalidation"),
        ({"fault": "stale-forward"}, "mesi cannot have the fault stale-forward"),
        ({"fault": "buffer-bypass"}, "needs a store buffer"),
    ],
)
def test_calls_that_make_no_sense(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        coherence(**{"operations": 10, **arguments})  # type: ignore[arg-type]
    assert caught.value.hint


def test_the_command(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "coherence", "--help"])
    shown = capsys.readouterr().out
    for name, fault in FAULTS.items():
        assert name in shown and fault.meaning in shown
    path = f"{tmp_path}/run.npz"
    call = ["generate", "coherence", "--protocol", "moesi", "--cpus", "8", "--ops", "3000", "--addresses", "12"]
    assert main([*call, "--memory", "tso", "--fault", "buffer-reorder", "--seed", "2", "-o", path]) == 0
    assert len(porf.load(path)) == 3000
    assert main([*call, "--fault", "buffer-reorder"]) == 2
    assert "use memory tso" in capsys.readouterr().err
