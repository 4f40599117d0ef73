"""The recorder porf.h: what threads of real programs do, in C and C++, becomes a history that means what they did."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import porf
from porf import formats
from porf.execution import Execution
from tests.cli.calling import run

ROOT = Path(__file__).parents[2]
QUEUE = ROOT / "examples" / "recorder" / "queue.c"
STRICT = ("-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread")

# Every operation once, by one thread and then another, in C and in C++.
EACH = """
#include <porf.h>
#ifdef __cplusplus
#define SHARED(type) std::atomic<type>
#define ORDER(name) std::memory_order_##name
static SHARED(int*) pointer;
#else
#define SHARED(type) _Atomic type
#define ORDER(name) memory_order_##name
static int* _Atomic pointer;
#endif
static SHARED(int) x;
static SHARED(uint64_t) y;
static SHARED(bool) flag;
static int plain, target;

int main(int count, char** arguments) {
  porf_recorder* recorder = porf_open();
  porf_name(recorder, &x, "x");
  porf_name(recorder, &y, "y");
  porf_name(recorder, &flag, "flag");
  porf_name(recorder, &plain, "plain one");
  porf_initial(recorder, &y, 7);
  y = 7;
  porf_thread* one = porf_start(recorder, "first");
  porf_thread* other = porf_start(recorder, NULL);
  int expected = 0;
  porf_store(one, &x, -1, ORDER(release));
  if (porf_load(other, &x, ORDER(acquire)) != -1) return 1;
  if (porf_exchange(other, &y, 0xFFFFFFFFFFFFFFFFu, ORDER(seq_cst)) != 7) return 2;
  if (porf_fetch_add(one, &x, 3, ORDER(acq_rel)) != -1) return 3;
  if (porf_compare_exchange(one, &x, &expected, 5, ORDER(acq_rel)) || expected != 2) return 4;
  if (!porf_compare_exchange(one, &x, &expected, 5, ORDER(relaxed))) return 5;
  porf_fence(one, ORDER(seq_cst));
  porf_store(one, &flag, true, ORDER(relaxed));
  if (!porf_load(other, &flag, ORDER(consume))) return 6;
  porf_write(one, &plain, 9);
  if (porf_read(other, &plain) != 9) return 7;
  porf_store(one, &pointer, &target, ORDER(relaxed));
  if (porf_load(other, &pointer, ORDER(relaxed)) != &target) return 8;
  if (porf_unique(one) == porf_unique(other) || porf_unique(one) == porf_unique(one)) return 9;
  if (porf_unique32(one) == porf_unique32(other) || porf_unique32(one) == porf_unique32(one)) return 10;
  if (porf_save(recorder, "/nowhere/at/all.npz") == 0 || !*porf_error(recorder)) return 11;
  if (count < 2 || porf_save(recorder, arguments[1])) return 12;
  porf_close(recorder);
  return 0;
}
"""
DONE = [
    "first w x -1 rel",
    "T1 r x -1 acq rf=e0",
    "T1 u y 7->18446744073709551615 sc rf=init",
    "first u x -1->2 acq_rel rf=e0",
    "first r x 2 acq rf=e3",
    "first u x 2->5 rf=e3",
    "first f sc",
    "first w flag 1",
    "T1 r flag 1 acq rf=e7",
    "first w plain_one 9 na",
    "T1 r plain_one 9 na rf=e9",
]


def compiler(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


def built(source: Path, out: Path, *options: str) -> Path:
    command = [compiler(options[0]), *options[1:], f"-I{porf.include()}", str(source), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return out


def recorded(program: Path, out: Path) -> Execution:
    done = subprocess.run([str(program), str(out)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return porf.load(out)


@pytest.mark.parametrize(
    ("options", "suffix"),
    [
        (("gcc", "-std=c11"), ".c"),
        (("gcc", "-std=c17", "-DPORF_TIME=0"), ".c"),
        (("g++", "-std=c++11"), ".cpp"),
        (("g++", "-std=c++20", "-DPORF_TIME=0"), ".cpp"),
        (("clang", "-std=c11"), ".c"),
        (("clang++", "-std=c++17"), ".cpp"),
    ],
)
def test_every_operation_is_recorded_as_what_it_was(options: tuple[str, ...], suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"each{suffix}"
    source.write_text(EACH)
    execution = recorded(built(source, tmp_path / "each", *options, *STRICT), tmp_path / "h.npz")
    timed = "-DPORF_TIME=0" not in options
    assert (execution.times is not None) == timed
    lines = sorted(str(event).split(" time=")[0] for event in execution if not (event.location or "").startswith("0x"))
    if timed:  # without times, the rows of a thread stand together, and have other names
        assert lines == sorted(DONE)
    else:
        assert sorted(line.split(" rf=")[0] for line in lines) == sorted(line.split(" rf=")[0] for line in DONE)
    pointers = [event for event in execution if (event.location or "").startswith("0x")]
    assert sorted(event.op for event in pointers) == ["r", "w"]
    assert pointers[0].value == pointers[1].value
    assert porf.check(execution, "sc", verify=True).consistent
    for kind in formats.BOTH:
        assert len(formats.loads(formats.dumps(execution, kind), kind)) == len(execution)


def test_a_real_queue_is_recorded_and_checked(tmp_path: Path) -> None:
    out = tmp_path / "queue.npz"
    execution = recorded(built(QUEUE, tmp_path / "queue", "gcc", "-std=c11", *STRICT), out)
    assert execution.threads == 4
    messages = [at for at, name in enumerate(execution.loc_names) if name.startswith("message")]
    taken = np.isin(execution.loc, messages) & (execution.op == int(porf.Op.READ))
    assert int(taken.sum()) == 10_000
    assert len(set(execution.rf[taken].tolist())) == 10_000  # each message once
    assert porf.check(execution, "ra", verify=True).consistent
    assert run("check", str(out), "-m", "tso,rc11").returncode == 0
    # A message that is read twice is found.
    rows = np.flatnonzero(taken)
    loc = execution.loc[rows[-1]]
    again = next(int(row) for row in rows if execution.loc[row] == loc)
    forged = execution.rf.copy()
    forged[rows[-1]] = execution.rf[again]
    from dataclasses import replace

    assert porf.check(replace(execution, rf=forged), "ra").inconsistent


def test_many_events_go_over_many_chunks(tmp_path: Path) -> None:
    source = tmp_path / "many.c"
    source.write_text(
        "#include <porf.h>\nstatic _Atomic int cells[5000];\nint main(int n, char** a) {\n"
        "porf_recorder* r = porf_open(); porf_thread* t = porf_start(r, 0);\n"
        "for (int i = 0; i < 100000; ++i) porf_store(t, &cells[i % 5000], i, memory_order_relaxed);\n"
        "int failed = n < 2 || porf_save(r, a[1]); porf_close(r); return failed; }\n"
    )
    options: tuple[str, ...] = ("gcc", "-std=c11", "-fsanitize=address,undefined", "-fno-sanitize-recover", *STRICT)
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    command = [compiler("gcc"), "-fsanitize=address,undefined", str(probe), "-o", str(tmp_path / "probe")]
    if subprocess.run(command, capture_output=True).returncode != 0:
        options = ("gcc", "-std=c11", *STRICT)
    execution = recorded(built(source, tmp_path / "many", *options), tmp_path / "h.npz")
    assert (len(execution), execution.locations) == (100_000, 5000)
    assert execution.written_value is not None
    assert execution.written_value.tolist() == list(range(100_000))


def test_the_folder_of_the_header_is_printed() -> None:
    folder = Path(run("--include-dir").stdout.strip())
    assert folder == Path(porf.include())
    assert (folder / "porf.h").exists()


def columns(**more: object) -> bytes:
    import io

    out = io.BytesIO()
    given = {
        "thread": np.array([0, 1, 1], np.int32),
        "op": np.array([1, 0, 0], np.uint8),
        "loc": np.zeros(3, np.int32),
        "order": np.ones(3, np.uint8),
        "written_value": np.array([2**64 - 1, 5, 5], np.uint64),
        "read_value": np.array([5, 2**64 - 1, 2**63], np.uint64),
        "init_value": np.array([2**63], np.uint64),
    }
    np.savez(out, **(given | more))  # type: ignore[arg-type]
    return out.getvalue()


def test_npz_without_rf_is_resolved_by_its_values() -> None:
    execution = formats.loads(columns(), "npz")
    assert [str(event) for event in execution] == [
        "T0 w x0 18446744073709551615",
        "T1 r x0 18446744073709551615 rf=e0",
        "T1 r x0 9223372036854775808 rf=init",
    ]
    assert formats.dumps(formats.loads(formats.dumps(execution, "npz"), "npz")) == formats.dumps(execution)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"read_value": np.array([0, 9, 9], np.uint64)}, r"nothing writes read_value\[1\]"),
        ({"loc": np.array([0, 3, 0], np.int32)}, r"loc\[1\] = 3"),
        ({"op": np.array([1, 9, 0], np.uint8)}, r"op\[1\] = 9"),
        ({"rf": np.array([-1, -1, -1], np.int32)}, r"read_value\[1\]"),
    ],
)
def test_npz_without_rf_that_cannot_be_resolved(more: dict[str, object], message: str) -> None:
    with pytest.raises(porf.FormatError, match=message):
        formats.loads(columns(**more), "npz")
