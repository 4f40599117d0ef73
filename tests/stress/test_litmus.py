"""Litmus tests on the machine's own cores: what is counted, what models say of it, and what is refused.

What the machine shows is its own affair, except where a promise is of x86.
"""

from __future__ import annotations

import json
import os
import platform
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from porf import UsageError, check, explore, load
from porf.cli import main
from porf.errors import ProgramError
from porf.programs.c.compiler import which
from porf.programs.litmus import LitmusTest, read_litmus
from porf.stress import Seen, stress_test
from porf.stress.allowed import violation
from porf.stress.native import compiled
from porf.stress.source import source_of
from tests.cli.calling import PORF, refused

pytestmark = pytest.mark.skipif(which("cc") is None, reason="there is no C compiler")
linux = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs to see which processes there are")
on_x86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the promise is of x86")

LITMUS = Path(os.environ.get("PORF_LITMUS", Path(__file__).parents[3] / "shared" / "litmus")) / "c"
RUNS = 20_000


def two(first: str, second: str, condition: str, state: str = "") -> str:
    parameters = "(atomic_int* x, atomic_int* y)"
    return f"C test {{{state}}}\nP0 {parameters} {{ {first} }}\nP1 {parameters} {{ {second} }}\n{condition}\n"


def w(location: str, order: str = "relaxed", value: int = 1) -> str:
    return f"atomic_store_explicit({location}, {value}, memory_order_{order});"


def r(register: str, location: str, order: str = "relaxed") -> str:
    return f"int {register} = atomic_load_explicit({location}, memory_order_{order});"


FENCE = "atomic_thread_fence(memory_order_seq_cst);"
SB = two(w("x") + r("r0", "y"), w("y") + r("r0", "x"), r"exists (0:r0=0 /\ 1:r0=0)")
SB_FENCES = two(w("x") + FENCE + r("r0", "y"), w("y") + FENCE + r("r0", "x"), r"exists (0:r0=0 /\ 1:r0=0)")
MP = two(w("x") + w("y"), r("r0", "y") + r("r1", "x"), r"exists (1:r0=1 /\ 1:r1=0)")
TWO_TWO_W = two(w("x", value=2) + w("y"), w("y", value=2) + w("x"), r"exists ([x]=2 /\ [y]=2)")


def run(text: str, *models: str, runs: int = RUNS, layout: str = "both") -> Seen:
    return stress_test(read_litmus(text), models or ("relaxed",), runs=runs, layout=layout)


@pytest.mark.parametrize("condition", ["", "exists (true)"])
def test_a_test_whose_end_nobody_looks_at_is_refused(condition: str) -> None:
    with pytest.raises(ProgramError, match="ends in no state") as error:
        run(two(w("x"), w("y"), condition))
    assert error.value.hint is not None and "exists" in error.value.hint


def states(seen: Seen) -> dict[str, int]:
    return {seen.observation.line(state): count for state, count in seen.observation.states.items()}


@on_x86
def test_a_store_buffer_shows() -> None:
    found = run(SB, "sc", "x86", "tso", "rc11", runs=2_000_000)
    assert states(found)["0:r0=0; 1:r0=0;"] > 0
    assert (found.exit_code, found.forbidden) == (1, [(0, 0)])
    assert found.headline() == "test: a state that sc forbids in 2,000,000 runs"
    assert found.history is not None
    assert found.history.inconsistent
    found.history.verify()
    assert "0:r0=0; 1:r0=0;  forbidden  allowed    allowed    allowed\n" in found.report()


@on_x86
@pytest.mark.parametrize("text", [SB_FENCES, MP], ids=["SB+fences", "MP"])
@pytest.mark.parametrize("layout", ["spread", "packed"])
def test_what_x86_forbids_is_never_seen(text: str, layout: str) -> None:
    found = run(text, "sc", "x86", runs=500_000, layout=layout)
    assert (found.exit_code, found.observation.positive) == (0, 0)
    assert found.headline() == "test: no forbidden state in 500,000 runs"


@pytest.mark.parametrize("runs", [1, 15, 16, 17, 1000, 100_001])
def test_as_many_runs_as_asked_for_are_counted(runs: int) -> None:
    found = run(SB, runs=runs)
    assert found.counts.runs == sum(found.observation.states.values()) == runs


def test_time_ends_a_test() -> None:
    found = stress_test(read_litmus(SB), ["relaxed"], seconds=0.05)
    assert found.counts.runs > 0


# Each program has one final state, whatever the machine does: the code must mean what it means in an exploration.
ALONE = {
    "arithmetic": ("int a = 7; int b = a / -2; int c = a % -2; int d = -7 / 2; unsigned e = 0u - 1u;", "0:b=0"),
    "shifts": ("int a = 1 << 30; int b = a * 4; long c = 1L << 40; int d = -8 >> 1; int e = 5 ^ 3 | 8;", "0:b=0"),
    "narrow": ("char a = 200; unsigned char b = 300; short c = 70000; bool d = 7;", "0:a=0"),
    "logic": ("int a = 3 && 0 || !0; int b = a ? 5 : 6; int c = ~a; int d = (1, 2);", "0:b=0"),
    "updates": (
        "int a = atomic_fetch_add(x, 5); int b = atomic_fetch_sub(x, 2); int c = atomic_exchange(x, 12);"
        "int d = atomic_fetch_or(x, 3); int e = atomic_fetch_and(x, 9); int f = atomic_fetch_xor(x, 1); *x += 2;",
        "0:c=0",
    ),
    "compare": (
        "int e = 3; int a = atomic_compare_exchange_strong(x, &e, 9); int b = e;"
        "int c = atomic_compare_exchange_strong(x, &e, 8);",
        "0:c=0",
    ),
    "loops": ("int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; }", "0:s=0"),
    "arrays": ("int i = *x; a[i + 1] = 4; int b = a[1]; int c = a[0];", "0:b=0"),
    "pointers": ("int b = **p; *p = y; int c = **p; **p = 6; int d = (*p == y);", "0:b=0"),
}


@pytest.mark.parametrize("name", ALONE)
def test_code_means_what_it_means_in_an_exploration(name: str) -> None:
    code, condition = ALONE[name]
    registers = sorted({f"0:{word}" for word in "abcdefs" if f" {word} = " in f" {code}"})
    text = (
        "C alone { x = 0; y = 5; int a[3] = {7, 8, 9}; int* p = &y; }\n"
        f"P0 (atomic_int* x, int* y, int* a, int** p) {{ {code} }}\n"
        f"locations [{'; '.join(registers)}; x; y; a[0]; a[1]; p;]\nexists ({condition})\n"
    )
    if name != "arrays":
        text = text.replace("int* a, ", "").replace(" int a[3] = {7, 8, 9};", "").replace(" a[0]; a[1];", "")
    test = read_litmus(text)
    known = explore(test, "sc").observation
    assert known is not None and len(known.states) == 1
    assert stress_test(test, ["sc"], runs=100).observation.states.keys() == known.states.keys()


def test_a_lock_excludes() -> None:
    code = "pthread_mutex_lock(m); int r0 = *x; *x = r0 + 1; pthread_mutex_unlock(m);"
    threads = "\n".join(f"P{n} (pthread_mutex_t* m, int* x) {{ {code} }}" for n in range(3))
    found = run(f"C locked {{}}\n{threads}\nexists ([x]=3)", "sc")
    assert states(found) == {"[x]=3;": RUNS}
    assert found.exit_code == 0


def test_what_waits_is_woken_or_cut() -> None:
    spin = "while (!atomic_load_explicit(x, memory_order_acquire)) {} " + r("r0", "y")
    woken = run(two(w("y") + w("x", "release"), spin, "exists (1:r0=0)"), "rc11", runs=2000)
    assert states(woken) == {"1:r0=1;": 2000}
    never = stress_test(read_litmus(two("", spin, "exists (1:r0=0)")), ["rc11"], seconds=0.5)
    assert (never.exit_code, never.observation.states) == (3, {})
    assert "no run has ended" in never.headline()


def test_an_assumption_drops_runs() -> None:
    found = run(two("assume(0);", w("x"), "exists ([x]=1)"), runs=50)
    assert (found.counts.dropped, found.observation.states, found.exit_code) == (50, {}, 3)


@pytest.mark.parametrize(
    ("code", "words"),
    [("int r0 = 1; assert(r0 == 2);", "assertion failed"), ("int r0 = *x; int r1 = 3 / r0;", "a division by zero")],
)
def test_a_run_that_fails_is_a_finding(code: str, words: str) -> None:
    found = run(two(code, w("y"), "exists ([y]=1)"), runs=50)
    assert found.exit_code == 1
    assert "50 runs failed: " in found.report()
    assert words in found.report()


def test_a_race_leaves_everything_open() -> None:
    text = "C race {}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; }\nexists (1:r0=1)"
    found = run(text, "rc11")
    assert found.exit_code == 0
    assert "note: rc11 says nothing" in found.report()


# Histories of states that models forbid, whether or not this machine shows them.
@pytest.mark.parametrize(
    ("text", "model", "state"),
    [
        (SB, "sc", (0, 0)),
        (MP, "sc", (1, 0)),
        (MP, "x86", (1, 0)),
        (MP, "tso", (1, 0)),
        (TWO_TWO_W, "sc", (2, 2)),
        (TWO_TWO_W, "x86", (2, 2)),
    ],
)
def test_a_forbidden_state_has_a_history_that_is_rejected(text: str, model: str, state: tuple[int, ...]) -> None:
    from porf.models import find_model

    verdict = violation(read_litmus(text), find_model(model), state)
    assert verdict is not None
    assert verdict.inconsistent
    verdict.verify()
    assert check(verdict.execution, "relaxed").consistent


def test_coherence_has_no_history() -> None:
    from porf.models import find_model

    text = two(w("x"), r("r0", "x") + r("r1", "x"), r"exists (1:r0=1 /\ 1:r1=0)")
    assert violation(read_litmus(text), find_model("sc"), (1, 0)) is None


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "sb.litmus").write_text(SB)
    return str(tmp_path / "sb.litmus")


def test_json_has_states_with_counts(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["stress", file, "--runs", "1000", "--model", "x86,rc11", "--json"])
    record = json.loads(capsys.readouterr().out)
    assert code == 0
    assert (record["kind"], record["test"], record["runs"], record["forbidden"]) == ("litmus", "test", 1000, [])
    assert sum(state["count"] for state in record["states"]) == 1000
    assert len(record["states"]) == 4  # those that are allowed, seen or not
    assert all(state["allowed"] == {"x86": True, "rc11": True} for state in record["states"])
    assert record["states"][0]["state"] == {"0:r0": 0, "1:r0": 0}


@on_x86
def test_the_history_is_saved(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "seen.txt"
    assert main(["stress", file, "--runs", "2000000", "--model", "sc", "--history", str(history)]) == 1
    assert f"the history is saved in {history}" in capsys.readouterr().out
    assert check(load(history), "sc").inconsistent
    assert check(load(history), "tso").consistent


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ops", "30"], "--ops is for random programs"),
        (["--mix", "r=1"], "--mix is for random programs"),
        (["--count"], "--count is for random programs"),
        (["--rounds", "3"], "--rounds is for random programs"),
        (["--runs", "0"], "not positive"),
        (["--seconds", "0"], "'0' is not a positive number"),
        (["--layout", "spred"], "did you mean 'spread'?"),
        (["--seed", "-1"], "'-1' is no seed"),
        (["--model", "tos"], "did you mean 'tso'?"),
        (["--history", "nowhere/out.txt"], "cannot be written"),
    ],
)
def test_a_wrong_call_is_refused(
    arguments: list[str], words: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused(capsys, "stress", file, *arguments)


def test_runs_need_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--runs is for litmus tests" in refused(capsys, "stress", "--runs", "10")


def test_a_file_that_is_wrong_is_shown_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.litmus"
    path.write_text("C wrong\n{}\nP0 (atomic_int* x) { atomic_stoer(x, 1); }\nexists ([x]=1)\n")
    assert f"{path}:3:22: the function 'atomic_stoer' is not known" in refused(capsys, "stress", str(path))
    program = tmp_path / "program.py"
    program.write_text("import porf\n@porf.program\ndef p(p):\n    x = p.atomic('x')\n")
    assert main(["stress", str(program), "--runs", "1"]) == 2


def test_too_many_threads_are_refused() -> None:
    threads = "\n".join(f"P{n} (atomic_int* x) {{ *x = 1; }}" for n in range(65))
    with pytest.raises(ProgramError, match="has 65 threads"):
        from porf.stress.native import run_native

        run_native(source_of(read_litmus(f"C many {{}}\n{threads}\nexists ([x]=1)").program), runs=1)


def test_without_a_compiler_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(UsageError, match="CC is 'no-such-compiler'") as error:
        run(SB)
    assert error.value.hint
    monkeypatch.delenv("CC")
    monkeypatch.setattr("porf.stress.native.which", lambda name: None)
    monkeypatch.setattr("porf.stress.native.find_compiler", _none)
    with pytest.raises(UsageError, match="there is no C compiler") as error:
        run(SB)
    assert "install gcc or clang" in str(error.value.hint)


def _none() -> None:
    raise UsageError("no clang")


@linux
def test_ctrl_c_prints_what_was_counted(file: str) -> None:
    call = [PORF, "stress", file, "--model", "relaxed", "--seconds", "60"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        _started_by(running)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        out, said = running.communicate(timeout=30)
    assert running.returncode == 3
    assert out.startswith("test: no forbidden state in ")
    assert said == "interrupted\n"


@linux
def test_a_test_does_not_outlive_porf(file: str) -> None:
    with subprocess.Popen([PORF, "stress", file, "--seconds", "60"], stdout=subprocess.DEVNULL) as running:
        test = _started_by(running)
        running.kill()
    until = time.monotonic() + 10
    while _command(test) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _command(test)


def _started_by(running: subprocess.Popen[Any]) -> str:
    """The process of a test, once porf has started it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for child in Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split():
            if "/test\0" in _command(child):
                return child
        time.sleep(0.05)
    raise AssertionError("no test was started")


def _command(process: str) -> str:
    """Of a process that is there; nothing if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def test_all_threads_of_a_test_see_its_end_in_the_same_round(tmp_path: Path) -> None:
    """Where one saw it and another did not, that one waited for ever: in 21 of 300 ends."""
    test = read_litmus(
        "C t {}\n" + "".join(f"P{n} (atomic_int* x) {{ {w('x')} }}\n" for n in range(4)) + "exists ([x]=1)\n"
    )
    harness = tmp_path / "test"
    harness.write_bytes(compiled(source_of(test.program).text))
    harness.chmod(0o700)
    draw = random.Random(0)
    for _ in range(100):
        with subprocess.Popen([harness, "0", "60", "3", "0"], stdout=subprocess.PIPE) as running:
            time.sleep(draw.uniform(0.01, 0.03))
            running.send_signal(signal.SIGTERM)
            try:
                out, _ = running.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                running.kill()
                raise
        assert running.returncode in (0, -signal.SIGTERM)  # before it listens
        assert running.returncode or out.splitlines()[-1].startswith(b"end ")


@on_x86
@pytest.mark.skipif(not LITMUS.is_dir(), reason="the tests are not here")
def test_nothing_that_rc11_forbids_is_seen_in_a_sample_of_diy_tests() -> None:
    for path in sorted(LITMUS.glob("*.litmus"))[::25]:
        test = read_litmus(path.read_text(), str(path))
        assert isinstance(test, LitmusTest)
        assert stress_test(test, ["x86", "rc11"], runs=RUNS).exit_code == 0, path
