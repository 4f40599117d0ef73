"""Conditions of litmus tests: `explore` judges them as `porf explore` does, and shows the execution that breaks one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.exploration import explore
from porf.programs.litmus import read_litmus

STORE_BUFFERING = """C sb
{ }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_release);
  int r0 = atomic_load_explicit(y, memory_order_acquire);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_release);
  int r0 = atomic_load_explicit(x, memory_order_acquire);
}
"""
SEEN, UNSEEN = "(0:r0=0 /\\ 1:r0=0)", "(0:r0=2)"

# condition -> the verdict, what is observed, whether an execution breaks it
CONDITIONS = {
    f"exists {SEEN}": ("safe", "Sometimes", False),
    f"exists {UNSEEN}": ("safe", "Never", False),
    f"~exists {SEEN}": ("unsafe", "Sometimes", True),
    f"~exists {UNSEEN}": ("safe", "Never", False),
    f"forall {SEEN}": ("unsafe", "Sometimes", True),
    "forall (0:r0=0 \\/ 0:r0=1)": ("safe", "Always", False),
    f"filter (0:r0=1)\n~exists {SEEN}": ("safe", "Never", False),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_explore_says_what_the_command_says(condition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict, observation, broken = CONDITIONS[condition]
    path = tmp_path / "sb.litmus"
    path.write_text(STORE_BUFFERING + condition)
    for found in (explore(path, "ra"), porf.explore(read_litmus(path.read_text(), str(path)), "ra")):
        assert found.verdict == verdict
        assert found.observation is not None and found.observation.observation == observation
        assert [bug.kind for bug in found.bugs] == ["condition"] * broken
        assert main(["explore", str(path), "--model", "ra", "--json"]) == (verdict == "unsafe")
        record, said = found.record(), json.loads(capsys.readouterr().out)
        for ours, theirs in zip(record["errors"], said["errors"], strict=True):
            assert ours.pop("again") == f'porf.explore(…, replay="{ours["replay"]}")'
            assert theirs.pop("again") == f"porf explore {path} --model ra --replay {theirs['replay']}"
        assert {**record, "seconds": 0} == {**said, "seconds": 0}
        assert said["observation"] == observation


def test_the_execution_that_breaks_a_condition_is_part_of_the_answer() -> None:
    test = read_litmus(f"{STORE_BUFFERING}~exists {SEEN}", "sb.litmus")
    [bug] = explore(test, "ra").bugs
    assert bug.where == () and bug.message == "an execution ends with 0:r0=0; 1:r0=0;"
    reads = [row for row in range(len(bug.execution)) if bug.execution.reads(row)]
    assert [bug.execution.rf[row] for row in reads] == [porf.INITIAL] * 2
    again = explore(test, "ra", replay=bug.token)
    assert again.replayed and again.verdict == "unsafe"
    assert [(b.message, b.execution.words) for b in again.bugs] == [(bug.message, bug.execution.words)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_and_checkpoints_show_the_same_execution(jobs: int, tmp_path: Path) -> None:
    threads = "".join(f"P{n} (atomic_int* x) {{ int r = atomic_fetch_add(x, 1); }}\n" for n in range(6))
    test = read_litmus(f"C many\n{{ }}\n{threads}~exists (0:r=5 /\\ 5:r=0)\n", "many.litmus")
    [whole] = explore(test, "ra").bugs
    explore(test, "ra", jobs=jobs, checkpoint=tmp_path / "half", limit=300)
    parts = explore(test, "ra", jobs=jobs, checkpoint=tmp_path / "half")
    assert (parts.finished, parts.executions) == (True, 720)
    assert [bug.token for bug in parts.bugs] == [whole.token]


def test_many_excluded_states_are_no_burden() -> None:
    threads = "".join(f"P{n} (atomic_int* x) {{ int r = atomic_fetch_add(x, 1); }}\n" for n in range(7))
    unseen = " /\\ ".join(f"{n}:r=7" for n in range(7))
    test = read_litmus(f"C many\n{{ }}\n{threads}forall ({unseen})\n", "many.litmus")
    found = explore(test, "ra")
    assert (found.verdict, len(found.states), len(found.bugs)) == ("unsafe", 5040, 1)


def test_what_is_left_may_change_the_observation() -> None:
    test = read_litmus(f"{STORE_BUFFERING}~exists {UNSEEN}", "sb.litmus")
    found = explore(test, "ra", limit=1)
    assert found.verdict == "undecided" and found.record()["observation"] is None


def test_tracer_has_the_verdict_without_an_execution() -> None:
    test = read_litmus(f"{STORE_BUFFERING}~exists {SEEN}", "sb.litmus")
    found = explore(test, "ra", strategy="tracer")
    assert (found.verdict, found.bugs) == ("unsafe", ())
