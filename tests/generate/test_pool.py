"""Histories whose values come from a pool: the same graph, of which values no longer say all."""

import numpy as np
import pytest

import porf
from porf.cli import main
from porf.errors import UsageError
from porf.execution import INITIAL, UNKNOWN
from porf.generate import coherence, interleaving, pooled


@pytest.mark.parametrize("seed", range(3))
def test_the_writers_that_made_it_are_a_choice(seed: int) -> None:
    execution = interleaving(60, threads=3, locations=2, updates=0.2, seed=seed)
    made = pooled(execution, 3, seed)
    assert made.written_value is not None
    assert set(made.written_value[made.writing].tolist()) <= {1, 2, 3}
    assert len(made.open_reads) > 5
    for row in np.flatnonzero(np.isin(made.op, (0, 2))).tolist():
        writer = int(execution.rf[row])
        offered = made.open_reads.of_row(row).tolist() if made.rf[row] == UNKNOWN else [int(made.rf[row])]
        assert writer in offered
    verdict = porf.check(made, "sc")
    assert verdict.consistent
    verdict.verify()


def test_a_run_of_a_protocol_is_decided() -> None:
    made = pooled(coherence(200, addresses=4, seed=3), 16)
    for model in ("sc", "tso"):
        verdict = porf.check(made, model)
        assert verdict.consistent
        verdict.verify()


def test_it_is_an_option_of_generate(tmp_path: object) -> None:
    path = f"{tmp_path}/h.txt"
    assert main(["generate", "coherence", "-n", "60", "--values", "4", "-o", path]) == 0
    assert len(porf.load(path).open_reads) > 0
    assert main(["check", "-m", "sc", path]) == 0
    with pytest.raises(SystemExit) as refused:
        main(["generate", "coherence", "-n", "60", "--values", "0", "-o", path])
    assert refused.value.code == 2


def test_what_is_open_already_is_refused() -> None:
    with pytest.raises(UsageError, match="say who is read"):
        pooled(porf.loads("T0 w x 1\nT0 w x 1\nT1 r x 1"), 2)
    with pytest.raises(UsageError, match="values is 0"):
        pooled(porf.loads("T0 w x 1"), 0)
    assert pooled(porf.loads("T0 w x 1\nT1 r x 0"), 2).rf.tolist() == [-1, INITIAL]
