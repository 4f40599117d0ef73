"""`porf orders`, as people call it: safe and unsafe programs, several clients, costs, limits, bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porf
from porf.cli import main
from porf.cli.command import parser_of
from porf.programs.sites import order_sites

LOCK = """
#ifndef LOCK_H
#define LOCK_H
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int word;
static void lock(void) {
    while (atomic_exchange(&word, 1))
        ;
}
static void unlock(void) {
    atomic_store(&word, 0);
}
#endif
"""
CLIENT = """
#include "lock.h"
static int shared;
static void *run(void *unused) {
    lock();
    BODY;
    unlock();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""
LOST = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *unused) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, seen + 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&x) == 2);
    return 0;
}
"""


@pytest.fixture
def clients(tmp_path: Path) -> list[Path]:
    (tmp_path / "lock.h").write_text(LOCK)
    paths = [tmp_path / "counts.c", tmp_path / "nothing.c"]
    for path, body in zip(paths, ("shared++", "(void)shared"), strict=True):
        path.write_text(CLIENT.replace("BODY", body))
    return paths


def needed(found: porf.Orders) -> list[str]:
    return [str(strength) for strength in found.orders().values()]


def test_a_lock_must_be_safe_in_all_clients(clients: list[Path]) -> None:
    assert needed(porf.orders(clients[1], "rc11")) == ["relaxed", "relaxed"]
    assert needed(porf.orders(clients[0], "rc11")) == ["acquire", "release"]
    both = porf.orders(clients, "rc11")
    assert needed(both) == ["acquire", "release"] and len(both.programs) == 2
    assert {site.place.file.rpartition("/")[2] for site in both.space.sites} == {"lock.h"}


def test_what_is_kept_stays(clients: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    found = porf.orders(clients[0], "rc11", keep=["lock.h:9"])
    assert needed(found) == ["seq_cst", "release"]
    assert main(["orders", str(clients[0]), "-m", "rc11", "--keep", "lock.h:9"]) == 0
    out = capsys.readouterr().out
    assert "(kept)" in out and "+    atomic_store_explicit(&word, 0, memory_order_release);" in out


def test_an_unsafe_program_gets_the_least_stronger_orders(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["orders", "examples/litmus/MP+relaxed.litmus", "-m", "rc11"]) == 1
    out = capsys.readouterr().out
    assert "unsafe under rc11, and safe with 2 stronger orders" in out
    assert "+  atomic_store_explicit(y, 1, memory_order_release);" in out
    assert "+  int r0 = atomic_load_explicit(y, memory_order_acquire);" in out
    assert "As it is written:" in out and "r x 0 <- init" in out


def test_a_mistake_under_sc_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lost.c"
    path.write_text(LOST)
    assert main(["orders", str(path), "-m", "rc11"]) == 1
    out = capsys.readouterr().out
    assert "no order saves it: assertion under sc, too" in out and "Under sc:" in out
    found = porf.orders(path, "rc11")
    assert not found.choices and found.under_sc is not None and found.under_sc.verdict == "unsafe"


def test_all_choices_and_what_they_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "benchmarks/programs/treiber-stack.c"
    found = porf.orders(path, "rc11", every=True)
    assert len(found.choices) == 2 and found.complete
    assert main(["orders", path, "-m", "rc11", "--all", "--cost", "aarch64"]) == 0
    out = capsys.readouterr().out
    assert "cost by aarch64" in out and "1 other choice that is minimal" in out
    rows = [
        f"{kind} {order} 1 {20 if order == 'release' else 5 if order == 'seq_cst' else 1}" for kind, order in COSTED
    ]
    table = tmp_path / "costs"
    table.write_text("\n".join(["# of two machines", "kind order one two", *rows]))
    assert main(["orders", path, "-m", "rc11", "--cost", f"{table}:two", "--json"]) == 0
    (choice,) = json.loads(capsys.readouterr().out)["choices"]
    assert choice["orders"][-1]["needed"] != "release, acquire"  # which costs more here


COSTED = [
    *((kind, order) for kind in ("load",) for order in ("relaxed", "acquire", "seq_cst")),
    *((kind, order) for kind in ("store",) for order in ("relaxed", "release", "seq_cst")),
    *(
        (kind, order)
        for kind in ("update", "compare-exchange")
        for order in ("relaxed", "acquire", "release", "acq_rel", "seq_cst")
    ),
]


def test_waiting_in_vain_is_a_bug_unless_that_is_not_asked() -> None:
    path = "benchmarks/programs/mcs-lock.c"
    strict, loose = porf.orders(path, "rc11"), porf.orders(path, "rc11", liveness=False)
    assert strict.space.cost(strict.choices[0]) > loose.space.cost(loose.choices[0])
    sites = strict.space.sites
    assert list(order_sites(porf.load_program(path))) == sites  # type: ignore[arg-type]


def test_time_that_is_up_leaves_accesses_open(capsys: pytest.CaptureFixture[str]) -> None:
    program = porf.load_program("benchmarks/programs/ms-queue.c", defines={"BOTH": 3})
    found = porf.orders(program, "rc11", seconds=1e-3)
    assert found.verdict == "undecided" and found.exit_code == 3
    assert any("time" in reason for reason in found.reasons)


def test_a_loop_that_is_cut_off_leaves_accesses_open(tmp_path: Path) -> None:
    path = tmp_path / "counts.py"
    path.write_text(
        "import porf\np = porf.program('counts')\nx = p.int('x')\ny = p.plain('y')\n"
        "@p.thread\ndef a():\n    y.value = 1\n    x.store(1)\n"
        "@p.thread\ndef b():\n    n = 0\n    while x.load() == 0:\n        n = n + 1\n"
        "    assert y.value == 1 and n < 99\n"
    )
    found = porf.orders(path, "rc11", unroll=5)
    assert found.verdict == "undecided" and any("cut off" in reason for reason in found.reasons)


def test_a_checkpoint_has_what_was_learnt(tmp_path: Path) -> None:
    path, kept = "benchmarks/programs/ms-queue.c", tmp_path / "kept.json"
    first = porf.orders(path, "rc11", checkpoint=kept)
    again = porf.orders(path, "rc11", checkpoint=kept)
    assert first.explored > 5 and again.explored == 0
    assert again.orders() == first.orders() and again.executions == first.executions
    with pytest.raises(porf.UsageError, match="another search"):
        porf.orders(path, "cpp20", checkpoint=kept)
    kept.write_text(kept.read_text().replace('"bounds": [[', '"bounds": [[0, '))
    with pytest.raises(porf.UsageError, match="damaged"):
        porf.orders(path, "rc11", checkpoint=kept)


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["plain.c"], "there are no orders to change", "atomic accesses and fences"),
        (["lost.c", "--keep", "other.c:1"], "no order is in such a file", "lost.c"),
        (["lost.c", "--keep", "lost.c:1"], "no order is there", "lines 7, 8, 17"),
        (["lost.c", "--keep", "lost.c"], "all orders are kept", "--keep"),
        (["lost.c", "--cost", "x87"], "no costs are known of 'x87'", "did you mean 'x86'?"),
        (["lost.c", "--cost", "lost.c"], "the first line names the columns", "kind order x86"),
        (["missing.c"], "no such file", "directory"),
        (["lost.c", "-m", "aarch64"], "model of AArch64", "imm"),
        (["lost.c", "-m", "rc20"], "rc20 has no SC accesses", "acquire and release"),
        (["lost.c", "-m", "rc11,ra", "--checkpoint", "c.json"], "one search", "one model"),
        ([str(Path("examples/litmus/assembly/LB+data+po.litmus").resolve())], "has no orders of C", "tests in C"),
        ([str(Path("examples/histories/iriw.txt").resolve())], "history, not a program", "porf check"),
    ],
)
def test_bad_input(
    arguments: list[str],
    message: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lost.c").write_text(LOST)
    Path("plain.c").write_text("int x;\nint main(void) { x = 1; return 0; }\n")
    assert main(["orders", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error and f"hint: {hint}"[6:] in error and "Traceback" not in error


def test_json_has_choices_and_a_patch(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["orders", "examples/litmus/MP.litmus", "-m", "rc11", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "safe" and found["patch"] == ""
    orders = found["choices"][0]["orders"]
    assert [order["needed"] for order in orders] == ["relaxed", "release", "acquire", "relaxed"]
    assert {"file", "line", "column", "what", "written", "needed", "kept"} == set(orders[0])


def test_orders_make_no_difference_under_models_without_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["orders", "examples/litmus/MP.litmus", "-m", "ra"]) == 0
    assert "the orders of accesses make no difference" in capsys.readouterr().out


def test_programs_that_share_nothing_are_looked_at_by_themselves(
    clients: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    tests = ["examples/litmus/MP.litmus", "examples/litmus/SB.litmus"]
    assert main(["orders", *map(str, clients), *tests, "-m", "rc11", "--keep", "MP.litmus:7"]) == 1
    heads = [line for line in capsys.readouterr().out.splitlines() if "under rc11" in line]
    assert [line.partition(": ")[0] for line in heads] == ["counts, nothing", "MP", "SB"]
    assert main(["orders", *tests, "--keep", "IRIW.litmus:7"]) == 2
    assert "no order is in such a file" in capsys.readouterr().err


def test_several_programs_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["orders", "examples/programs/message_passing.py", "-m", "rc11", "--apart"]) == 1
    out = capsys.readouterr().out
    assert "message_passing: safe under rc11" in out and "message_passing_relaxed: unsafe under rc11" in out


def test_a_patch_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch = tmp_path / "repair.patch"
    assert main(["orders", "examples/litmus/MP+relaxed.litmus", "-m", "rc11", "-o", str(patch)]) == 1
    lines = patch.read_text().splitlines()
    assert lines[0] == "--- a/examples/litmus/MP+relaxed.litmus" and sum(line[:1] == "+" for line in lines) == 3
    assert main(["check", "examples/histories/iriw.txt", "-m", "ra", "-o", str(tmp_path / "none.patch")]) == 0
    assert "only porf orders makes patches" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["orders", "robust"])
def test_every_option_is_explained(verb: str) -> None:
    page = Path("docs/orders.md").read_text(encoding="utf-8")
    [verbs] = (action for action in parser_of()._actions if action.choices and verb in action.choices)
    assert isinstance(verbs.choices, dict)
    options = {o for action in verbs.choices[verb]._actions for o in action.option_strings if o.startswith("--")}
    assert options - {"--help", "--output"} <= set(re.findall(r"--[a-z-]+", page))
