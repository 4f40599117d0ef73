"""Many litmus tests among processes: the same results, in the same order, whatever happens to a process."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from porf.cli import main
from porf.errors import PorfError, UnfinishedError, UsageError
from porf.exploration.together import together
from porf.generate import litmus_tests, save_tests


def test_results_come_in_order() -> None:
    told: list[tuple[int, int]] = []
    names = [f"t{n}" for n in range(20)]
    found = list(together(names, lambda at: at * at, 3, lambda done, of: told.append((done, of))))
    assert found == [at * at for at in range(20)]
    assert told[-1] == (20, 20)


def test_a_process_that_dies_or_fails_loses_its_own_test_only() -> None:
    def work(at: int) -> int:
        if at == 2:
            os._exit(9)
        if at == 4:
            raise UsageError("not this one")
        return at

    found = list(together([f"t{n}" for n in range(7)], work, 2, lambda *_: None))
    assert isinstance(found[2], UnfinishedError) and "t2" in str(found[2])
    assert isinstance(found[4], PorfError) and found[4].message == "not this one"
    assert [found[n] for n in (0, 1, 3, 5, 6)] == [0, 1, 3, 5, 6]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_verb_says_the_same(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_tests(litmus_tests("riscv", edges="Rfe Fre Coe Pod** Fence.rw.rwd**"), tmp_path)
    (tmp_path / "wrong.litmus").write_text("RISCV wrong\n{ }\n P0 ;\n lx x5,0(x6) ;\nexists (0:x5=1)\n")
    (tmp_path / "in-c.litmus").write_text("C in-c\n{ }\nP0 (atomic_int* x) { *x = 1; }\n~exists (x=1)\n")
    said = []
    for jobs in ("1", "2"):
        code = main(["explore", str(tmp_path), "--model", "riscv,sc", "--jobs", jobs, *more])
        printed = capsys.readouterr()
        out = re.sub(r'(?m)^Time .*$|"seconds": [\d.e-]+|\(\S+, [\d.]+ s\)|--jobs \d', "", printed.out)
        said.append((code, out, printed.err))
    assert said[0][0] == 2  # one of them is wrong
    assert said[0] == said[1]
    if more:
        assert all(json.loads(line) for line in printed.out.splitlines())


def test_a_table_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_tests(litmus_tests(between=("ppc", "sc")), tmp_path)
    table = tmp_path / "expected.tsv"
    table.write_text(table.read_text(encoding="utf-8").replace("Sometimes", "Never", 1), encoding="utf-8")
    call = ["explore", f"@{tmp_path / '@all'}", "--model", "ppc,sc", "--expect", str(table)]
    assert (main(call), alone := capsys.readouterr().out) == (1, alone)
    assert main([*call, "--jobs", "3"]) == 1
    assert capsys.readouterr().out == alone
    assert ", 1 different" in alone
