"""Robustness: the verdict is that of classes compared one by one, and what is shown is an execution that is not SC."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.exploration.classes import classes
from porf.programs.litmus import read_litmus
from tests.synthesis.random_tests import random_test


def is_robust(test: porf.programs.litmus.LitmusTest, model: str) -> bool:
    ours, theirs = (classes(test.program, name) for name in (model, "sc"))
    return set(ours[0]) == set(theirs[0]) and set(ours[1]) == set(theirs[1])


@pytest.mark.parametrize("model", ["rc11", "cpp20", "ra", "tso", "relaxed", "x86"])
def test_random_tests(model: str) -> None:
    met = set()
    for seed in range(40):
        text = f"{random_test(random.Random(seed), most=5)}\n\nexists (x=0)\n"
        if model in ("ra", "relaxed"):
            text = text.replace("seq_cst", "relaxed").replace(
                "fence(memory_order_relaxed", "fence(memory_order_acq_rel"
            )
        test = read_litmus(text, "random.litmus")
        found = porf.robust(test, model)
        assert found.verdict == ("robust" if is_robust(test, model) else "not robust"), text
        met.add(found.verdict)
        if found.evidence is not None:
            found.evidence.verify()
            assert found.smallest
            assert porf.check(found.evidence.execution, "sc", algorithm="kernel").inconsistent
            assert porf.check(found.evidence.execution, model).consistent
    assert met == {"robust", "not robust"}


@pytest.mark.parametrize(
    ("name", "events", "cycle"),
    [
        ("SB", 4, ["po", "fr", "po", "fr"]),
        ("IRIW", 6, ["rf", "po", "fr", "rf", "po", "fr"]),
        ("MP+relaxed", 4, ["po", "rf", "po", "fr"]),
    ],
)
def test_the_smallest_execution_and_its_cycle(name: str, events: int, cycle: list[str]) -> None:
    found = porf.robust(f"examples/litmus/{name}.litmus", "rc11")
    assert found.evidence is not None and found.evidence.proof is not None
    assert len(found.evidence.execution) == events
    relations = [edge.relation for edge in found.evidence.proof.cycle]
    assert any(relations[n:] + relations[:n] == cycle for n in range(len(cycle)))
    assert f"examples/litmus/{name}.litmus:6:3" in found.report()


SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *left(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return (void *)(long)atomic_load_explicit(&y, memory_order_acquire);
}
int main(void) {
    pthread_t a;
    atomic_store_explicit(&x, 7, memory_order_relaxed);
    pthread_create(&a, 0, left, 0);
    atomic_store_explicit(&y, 1, memory_order_release);
    FENCE
    int seen = atomic_load_explicit(&x, memory_order_acquire);
    pthread_join(a, 0);
    return seen > 8;
}
"""


def test_threads_that_are_started_and_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "start.c"
    path.write_text(SOURCE)
    assert main(["robust", str(path), "-m", "rc11", "-D", "FENCE=", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "not robust" and len(found["cycle"]) >= 4
    assert main(["robust", str(path), "-m", "sc,tso", "-D", "FENCE="]) == 1
    out = capsys.readouterr().out
    assert "robust under sc: all" in out and "not robust under tso" in out
    text = SOURCE.replace("    return (void", "    atomic_thread_fence(memory_order_seq_cst);\n    return (void")
    path.write_text(text.replace("FENCE", "atomic_thread_fence(memory_order_seq_cst);"))
    assert main(["robust", str(path), "-m", "rc11,tso"]) == 0


def test_a_bug_that_only_the_model_shows_is_found() -> None:
    found = porf.robust("examples/programs/dekker.py:textbook", "rc11")
    assert found.verdict == "not robust" and found.exit_code == 1


def test_errors_under_sc_hide_what_comes_after(tmp_path: Path) -> None:
    path = tmp_path / "lost.py"
    path.write_text(
        "import porf\np = porf.program('lost')\nx = p.int('x')\n@p.thread(copies=2)\ndef run():\n"
        "    x.store(x.load() + 1)\n@p.final\ndef check():\n    assert x.load() == 2\n"
    )
    found = porf.robust(path, "rc11")
    assert found.verdict == "undecided" and "errors" in found.reasons[0] and found.exit_code == 3


def test_limits_and_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robust", "examples/litmus/MP.litmus", "-m", "imm"]) == 2
    assert "cycles of program order and reads-from" in capsys.readouterr().err
    assert main(["robust", "examples/litmus/assembly/LB+data+po.litmus"]) == 2
    assert main(["robust", "missing.c"]) == 2
    program = porf.load_program("benchmarks/programs/treiber-stack.c", defines={"BOTH": 4})
    found = porf.robust(program, "rc11", seconds=0.05)
    assert found.verdict == "undecided" and "time" in found.reasons[0]
    path = tmp_path / "long.py"
    path.write_text(
        "import porf\np = porf.program('long')\nx = p.int('x')\n@p.thread\ndef a():\n    x.store(1)\n"
        "@p.thread\ndef b():\n    n = 0\n    while x.load() == 0:\n        n = n + 1\n"
    )
    found = porf.robust(path, "rc11", unroll=3)
    assert found.verdict == "undecided" and "cut off" in found.reasons[0]


def test_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "sb.svg"
    assert main(["robust", "examples/litmus/SB.litmus", "-m", "rc11", "-o", str(picture)]) == 1
    assert picture.read_text().startswith("<svg")
