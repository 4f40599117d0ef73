"""Budgets hold: what a file declares is asked for before it is allocated, and each algorithm ends when its time does.

Each case takes a minute, or gigabytes, where a limit is ignored; the bounds here only tell the two apart.
"""

from __future__ import annotations

import io
import random
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
import pytest

from porf import save
from porf.allowance import Allowance
from porf.errors import PorfError, UnfinishedError, most_jobs
from porf.generate import interleaving, sat
from porf.generate.dimacs import Formula
from tests.cli.calling import PORF, run

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures memory as Linux tells it")

SECONDS = 1.0
FAR_TOO_LATE = 20.0  # seconds, also where other tests keep the machine busy
MIB = 1 << 20


class Ended:
    """How a call ended, and what it took."""

    def __init__(self, *arguments: str, stdin: str | None = None) -> None:
        started = time.monotonic()
        source = subprocess.Popen(["yes", stdin], stdout=subprocess.PIPE) if stdin is not None else None
        given = source.stdout if source is not None else subprocess.DEVNULL
        with (
            TemporaryFile() as said,
            subprocess.Popen([PORF, *arguments], stdin=given, stdout=said, stderr=subprocess.STDOUT) as process,
        ):
            if source is not None and source.stdout is not None:
                source.stdout.close()
            self.bytes = 0
            while process.poll() is None:
                self.bytes = max(self.bytes, _most_resident(process.pid))
                time.sleep(0.005)
            said.seek(0)
            self.said = said.read().decode()
        if source is not None:
            source.wait()
        self.code = process.returncode
        self.seconds = time.monotonic() - started


def _most_resident(process: int) -> int:
    """The most memory that it has had, so far."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) << 10 if found else 0


def unfolds(path: Path, events: int) -> None:
    """A small file of many writes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, dtype, value in (("thread", "<i4", 0), ("op", "|u1", 1), ("loc", "<i4", 0), ("order", "|u1", 1)):
            _column(archive, name, dtype, value, events)
        _column(archive, "rf", "<i4", -1, events)


def _column(archive: zipfile.ZipFile, name: str, dtype: str, value: int, events: int) -> None:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": dtype, "fortran_order": False, "shape": (events,)})
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        file.write(head.getvalue())
        file.write(np.full(events, value, dtype).tobytes())


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history that leads every algorithm for SC and TSO astray: a formula of 150 variables at the threshold."""
    rng = random.Random(1)
    clauses = [tuple(v * rng.choice((1, -1)) for v in rng.sample(range(1, 151), 3)) for _ in range(640)]
    path = tmp_path_factory.mktemp("hard") / "hard.npz"
    save(sat(Formula(150, tuple(clauses)), "sc"), path)
    return path


@pytest.mark.parametrize("algorithm", ["auto", "row-order"])
def test_what_a_file_unfolds_to_is_asked_for_first(tmp_path: Path, algorithm: str) -> None:
    unfolds(tmp_path / "small.npz", 20_000_000)
    found = Ended("check", str(tmp_path / "small.npz"), "-m", "ra", "--memory", "128", "--algorithm", algorithm)
    assert (found.code, "more memory" in found.said) == (3, True)
    assert found.bytes < 160 * MIB


@pytest.mark.parametrize(("line", "format"), [("T0 w x 1", "text"), ('{"thread":"T0","op":"w","loc":"x"}', "jsonl")])
def test_a_stream_without_end_ends_with_the_memory(line: str, format: str) -> None:
    found = Ended("check", "-", "-m", "ra", "--memory", "96", "--format", format, stdin=line)
    assert (found.code, "more memory" in found.said) == (3, True)
    assert found.bytes < 128 * MIB


def test_a_stream_without_end_ends_with_the_time() -> None:
    found = Ended("check", "-", "-m", "ra", "--seconds", str(SECONDS), "--memory", "4000", stdin="T0 w x 1")
    assert (found.code, "undecided: " in found.said) == (3, True)
    assert found.seconds < FAR_TOO_LATE


def test_a_stream_that_is_followed_ends_with_the_memory_or_the_time() -> None:
    found = Ended("check", "-", "--follow", "-m", "ra", "--memory", "120", stdin="T0 w x 1")
    assert found.code == 3 and "more memory than it is allowed; the first " in found.said, found.said
    assert found.bytes < 132 * MIB
    found = Ended("check", "-", "--follow", "-m", "ra", "--seconds", str(SECONDS), stdin="T0 w x 1")
    assert found.code == 3 and "the time is up; the first " in found.said, found.said
    assert found.seconds < FAR_TOO_LATE


def test_what_a_call_of_generate_asks_for_is_not_tried_if_it_is_too_much(tmp_path: Path) -> None:
    found = Ended("generate", "interleaving", "-n", "2000000000", "-o", str(tmp_path / "large.npz"))
    assert (found.code, "more memory" in found.said) == (3, True)
    assert found.bytes < 256 * MIB and not (tmp_path / "large.npz").exists()


@pytest.mark.parametrize("algorithm", ["auto", "kernel", "frontier", "sat", "gradual", "gradual-sat", "datalog"])
def test_every_algorithm_ends_with_its_time(hard: Path, algorithm: str) -> None:
    if algorithm == "datalog":
        pytest.importorskip("clingo")
    found = Ended("check", str(hard), "-m", "tso", "--seconds", str(SECONDS), "--algorithm", algorithm)
    assert found.code == 3, found.said
    assert re.search(r"undecided( in tso)?: .*the time is up", found.said), found.said  # perhaps in reading already
    assert found.seconds < FAR_TOO_LATE


@pytest.mark.parametrize("model", ["sc", "ra", "rc20", "wra"])
def test_thousands_of_threads_end_with_the_memory(tmp_path: Path, model: str) -> None:
    save(interleaving(40_000, 10_000, 20, group_by_thread=True), tmp_path / "threads.npz")
    found = Ended("check", str(tmp_path / "threads.npz"), "-m", model, "--memory", "200")
    assert (found.code, "more memory" in found.said) == (3, True)
    assert found.bytes < 230 * MIB


@pytest.mark.parametrize(
    "arguments",
    [
        ("models", "--check", "power", "--seconds", "0.5"),
        ("compare", "imm", "power", "--seconds", "0.5", "--events", "8"),
    ],
)
def test_what_is_said_of_models_ends_with_its_time(arguments: tuple[str, ...]) -> None:
    found = Ended(*arguments)
    assert "bug in porf" not in found.said and "Traceback" not in found.said
    assert found.seconds < FAR_TOO_LATE


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("algorithm", ["kernel", "sat"])
def test_whoever_ends_a_check_is_heard(hard: Path, name: str, algorithm: str) -> None:
    call = [PORF, "check", str(hard), "-m", "tso", "--algorithm", algorithm]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(2)
        assert process.poll() is None, "the check was not long"
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=FAR_TOO_LATE)
    assert (process.returncode, "interrupted" in err, "Traceback" in err) == (3, True, False)
    assert not out or out.splitlines()[0].split(" in tso: ")[1].startswith("interrupted")


def test_models_that_nobody_has_told_apart_yet_are_not_called_equal() -> None:
    found = Ended("models", "--hierarchy", "--recompute", "--seconds", "0.5")
    assert found.code == 3 and found.said.startswith("undecided: the time is up; "), found.said
    assert " = " not in found.said
    assert found.seconds < FAR_TOO_LATE


def test_what_is_converted_keeps_to_the_budget_and_leaves_no_file(tmp_path: Path) -> None:
    unfolds(tmp_path / "small.npz", 20_000_000)
    for limit, word in ((("--memory", "128"), "more memory"), (("--seconds", "0.2"), "the time is up")):
        found = Ended("convert", str(tmp_path / "small.npz"), str(tmp_path / "large.txt"), *limit)
        assert (found.code, word in found.said) == (3, True), found.said
        assert found.seconds < FAR_TOO_LATE and not (tmp_path / "large.txt").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("interleaving", "-n", "100000000", "-o", "out"),
        ("coherence", "-n", "100000000", "-o", "out"),
        (
            "litmus",
            "--arch",
            "aarch64",
            "--edges",
            "Rfe Fre Coe Pod** DMB.SYd** DpAddrdR DpCtrldW",
            "--size",
            "9",
            "-o",
            "out",
        ),
    ],
)
def test_what_is_generated_ends_with_the_time(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = Ended("generate", *arguments, "--seconds", str(SECONDS))
    assert (found.code, "the time is up" in found.said) == (3, True), found.said
    assert found.seconds < FAR_TOO_LATE
    assert not (tmp_path / "out").is_file() and not (tmp_path / "out" / "@all").exists()


MEMSET = """#include <pthread.h>
#include <string.h>
static char big[30000000];
static void* fill(void* p) { memset(big, 1, sizeof big); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fill, 0);
  memset(big, 2, sizeof big);
  return pthread_join(t, 0);
}
"""
LONG_STRETCHES = """#include <pthread.h>
#include <stdatomic.h>
static atomic_uint x;
static void* work(void* p) {
  for (unsigned n = 0; n < 10000000; n++) {
    unsigned s = n;
    for (int i = 0; i < 100000; i++) s = s * 1103515245u + 12345u;
    x = s;
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  return pthread_join(t, 0);
}
"""
SLOW_TO_COMPILE = """constexpr long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main() { constexpr long a = fib(45); return (int)a; }
"""


@pytest.mark.parametrize("text", [MEMSET, LONG_STRETCHES])
@pytest.mark.parametrize("verb", ["explore", "test"])
def test_what_a_program_does_between_events_ends_with_the_time(tmp_path: Path, verb: str, text: str) -> None:
    (tmp_path / "program.c").write_text(text)
    found = Ended(verb, str(tmp_path / "program.c"), "--seconds", str(SECONDS))
    assert found.code in (1, 3), found.said
    assert found.seconds < FAR_TOO_LATE


def test_a_module_that_does_not_end_ends_with_the_time(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("while True:\n    pass\n")
    found = Ended("explore", str(tmp_path / "program.py"), "--seconds", str(SECONDS))
    assert (found.code, found.said.strip()) == (3, f"{tmp_path}/program.py: undecided: the time is up")


def test_a_compiler_ends_with_the_time(tmp_path: Path) -> None:
    (tmp_path / "slow.cpp").write_text(SLOW_TO_COMPILE)
    steps = ("--", "-fconstexpr-steps=2000000000")
    found = Ended("explore", str(tmp_path / "slow.cpp"), "--seconds", str(SECONDS), *steps)
    assert (found.code, "undecided: the time is up" in found.said) == (3, True), found.said
    assert found.seconds < FAR_TOO_LATE


def test_more_jobs_than_a_machine_can_use_are_refused() -> None:
    for verb in ("explore", "test"):
        done = run(verb, "examples/programs/fib_bench.py", "-m", "sc", "--jobs", "100000")
        assert done.returncode == 2
        assert f"100000 jobs are more than {most_jobs()}" in done.stderr and "hint: " in done.stderr


def test_a_limit_is_no_fault_of_the_input() -> None:
    from porf import UnfinishedError, check

    with pytest.raises(UnfinishedError, match="the time is up") as raised:
        check("examples/histories/iriw.txt", "ra", seconds=1e-9)
    assert isinstance(raised.value, PorfError)


def test_a_limit_does_not_end_work_within_a_finaliser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would print the error there, with a traceback, and go on."""
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    class Slow:
        ended = False

        def __del__(self) -> None:
            until = time.monotonic() + 0.5
            while time.monotonic() < until:
                pass
            Slow.ended = True

    with pytest.raises(UnfinishedError), Allowance(0.05, what="a test"):
        Slow()
        assert Slow.ended
        until = time.monotonic() + FAR_TOO_LATE
        while time.monotonic() < until:
            pass
    assert not lost
