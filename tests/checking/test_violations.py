"""The first event of a violation against all prefixes, least parts against all parts with an event less."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from porf.checking import check
from porf.checking.violations import evidence_rows, first_event, shrink, violations
from porf.cli.command import main
from porf.execution import Execution, Op
from porf.formats import load, loads
from tests.checking.brute_force import hard_execution
from tests.seeds import seeds

MODELS = ("sc", "tso", "ra", "rc11", "pso")


def closed(g: Execution, rows: list[int]) -> Execution | None:
    """These rows without the reads whose writers are gone; None if nothing is left."""
    kept = set(rows)
    while orphans := {row for row in kept if g.rf[row] >= 0 and g.reads(row) and int(g.rf[row]) not in kept}:
        kept -= orphans
    return g.restrict(np.array(sorted(kept), np.int32)).execution if kept else None


def inconsistent(g: Execution | None, model: str) -> bool:
    return g is not None and check(g, model).inconsistent


@pytest.mark.parametrize("seed", seeds(3, 10))
@pytest.mark.parametrize("model", MODELS)
def test_first_event_and_least_part(model: str, seed: int) -> None:
    rng = random.Random(f"{model} {seed}")
    found = 0
    for _ in range(60):
        g = hard_execution(rng)
        verdict = check(g, model)
        if not verdict.inconsistent:
            continue
        found += 1
        prefixes = (n for n in range(1, len(g) + 1) if inconsistent(closed(g, list(range(n))), model))
        first = first_event(verdict)
        assert first.sure
        assert first.row == next(prefixes) - 1
        small = shrink(g, model)
        assert small.minimal
        assert small.verdict.inconsistent
        rows = small.part.rows.tolist()
        for row in rows:
            assert not inconsistent(closed(g, [other for other in rows if other != row]), model)
    assert found > 5


def test_first_in_time() -> None:
    g = loads("T0 w x 1 time=0..1\nT0 w x 2 time=2..3\nT1 r x 1 time=8..9\nT2 r x 1 time=5..6\n")
    first = first_event(check(g, "lin"))
    assert (first.row, first.by_time) == (3, True)
    assert "first in time: e3 (T2 r x 1 time=5..6)" in first.report()


def test_disjoint_violations() -> None:
    lines = []
    for at in range(3):
        lines += [f"T0 w x{at} 1", f"T0 w x{at} 2", f"T1 r x{at} 2", f"T1 r x{at} 1"]
    g = loads("\n".join(lines))
    found = list(violations(check(g, "sc")))
    reads = [
        {v.execution.name(row) for row in evidence_rows(v).tolist() if v.execution.op[row] == Op.READ} for v in found
    ]
    assert len(found) == 3
    assert not reads[0] & reads[1] | reads[0] & reads[2] | reads[1] & reads[2]


def test_shrink_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, small, picture = tmp_path / "h.txt", tmp_path / "small.txt", tmp_path / "small.svg"
    path.write_text("T0 w x 1 id=a\nT1 w y 1\nT0 w x 2 id=b\nT1 r x 2 id=c\nT1 r x 1 id=d\n")
    assert main(["shrink", str(path), "-m", "sc", "-o", str(small)]) == 1
    assert "4 of 5 events are inconsistent in sc, and none can be left out" in capsys.readouterr().out
    part = load(small)
    assert [part.name(row) for row in range(len(part))] == ["a", "b", "c", "d"]
    assert main(["shrink", str(path), "-m", "sc", "-o", str(picture)]) == 1
    assert picture.read_text().startswith("<svg")
    assert main(["shrink", str(path), "-m", "sc", "-o", str(tmp_path / "small.litmus")]) == 1
    path.write_text("T0 w x 1\n")
    assert main(["shrink", str(path), "-m", "sc", "-o", str(tmp_path / "none.txt")]) == 0
    assert not (tmp_path / "none.txt").exists()
    assert main(["shrink", str(path), "-m", "scc"]) == 2
