"""What `porf explore` suggests for a bug: changes that make the program safe, or that no order helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porf
from porf._core import Order
from porf.cli import main
from porf.programs.fences import with_fence
from porf.programs.form import Program
from porf.programs.sites import Site, Strength, order_sites, with_orders
from porf.synthesis.repairs import repairs
from tests.synthesis.test_orders import LOST

SEEDED = [
    ("ttas-lock", 18, "memory_order_relaxed -> memory_order_acquire"),
    ("ttas-lock", 22, "memory_order_relaxed -> memory_order_release"),
    ("ticket-mutex", 17, "memory_order_relaxed -> memory_order_acquire"),
    ("mcs-lock", 41, "memory_order_relaxed -> memory_order_release"),
    ("clh", 26, "memory_order_relaxed -> memory_order_acquire"),
    ("ms-queue", 26, "memory_order_relaxed -> memory_order_release"),
    ("spsc-queue", 56, "memory_order_relaxed -> memory_order_release"),
    ("mutex", 20, "memory_order_relaxed -> memory_order_acquire"),
]


def loaded(name: str) -> tuple[Program, dict[Site, Strength]]:
    program = porf.load_program(f"benchmarks/programs/{name}.c", defines={} if name == "ms-queue" else {"N": 2})
    assert isinstance(program, Program)
    return program, porf.orders(program, "rc11").orders()


@pytest.mark.parametrize(("name", "line", "expected"), SEEDED)
def test_an_order_that_is_too_weak_is_named(name: str, line: int, expected: str) -> None:
    program, needed = loaded(name)
    site = next(site for site in needed if site.place.line == line)
    broken = with_orders(program, {**needed, site: site.legal()[0]})
    found = porf.explore(broken, "rc11")
    assert found.verdict == "unsafe"
    repair = repairs(broken, "rc11", found, seconds=60, liveness=True)
    assert [str(change) for change in repair.changes] == [f"benchmarks/programs/{name}.c:{line}: {expected}"]
    again = porf.explore(with_orders(program, needed), "rc11", liveness=True)
    assert again.verdict == "safe" and again.executions == repair.executions


def test_explore_prints_a_patch_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["explore", "examples/programs/treiber_stack.c", "-m", "rc11", "-D", "PUSH=memory_order_relaxed"]
    assert main(call) == 1
    expected = "treiber_stack.c:22: memory_order_relaxed -> memory_order_release (checked: safe, 108 executions)"
    assert expected in capsys.readouterr().out
    assert main([*call, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["repair"]
    assert found["checked"] == "safe" and [change["line"] for change in found["changes"]] == [22]
    assert main([*call, "--no-repair"]) == 1
    assert "Repair" not in capsys.readouterr().out


def test_changes_in_several_lines_are_checked_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "examples/programs/message_passing.py:message_passing_relaxed", "-m", "rc11"]) == 1
    out = capsys.readouterr().out
    assert "message_passing.py:36: relaxed -> release" in out and "message_passing.py:41: relaxed -> acquire" in out
    assert "(checked together: safe, 1 execution)" in out


def test_no_order_helps_against_a_mistake_under_sc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lost.c"
    path.write_text(LOST)
    assert main(["explore", str(path), "-m", "rc11"]) == 1
    out = capsys.readouterr().out
    assert "Repair: no order helps: it is a bug under sc, too" in out
    program = porf.load_program(path)
    assert isinstance(program, Program)
    repair = repairs(program, "rc11")
    assert repair.under_sc is not None and repair.under_sc.kind == "assertion"


FENCED = """
import porf
from porf.programs.python import relaxed


def broken() -> porf.ProgramBuilder:
    p = porf.program("broken")
    x, y, a, b = p.array("x", 2), p.array("y", 2), p.int("a"), p.int("b")

    @p.thread(args=[(x, y, a), (y, x, b)])
    def run(mine, other, seen):
        mine[0].store(1, relaxed)
        seen.store(other[0].load(relaxed) + other[1].load(relaxed), relaxed)

    @p.final
    def check():
        assert a.load(relaxed) + b.load(relaxed) > 0

    return p
"""


def test_one_fence_may_be_less_than_many_orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "broken.py"
    path.write_text(FENCED)
    program = porf.load_program(path)
    assert isinstance(program, Program)
    found = porf.explore(program, "rc11")
    assert found.verdict == "unsafe" and porf.explore(program, "sc").verdict == "safe"
    assert len(repairs(program, "rc11", found, seconds=60).changes) == 2
    monkeypatch.setattr("porf.synthesis.repairs.MANY", 1)
    repair = repairs(program, "rc11", found, seconds=60)
    (change,) = repair.changes
    assert str(change).endswith("broken.py:13: fence(seq_cst) before this access")
    place = next(i.place for t in program.templates for i in t.code if i.place and i.place.line == 13)
    assert porf.explore(with_fence(program, place, Order.SC), "rc11").executions == repair.executions
    assert porf.explore(with_fence(program, place, Order.ACQ_REL), "rc11").verdict == "unsafe"


def test_a_fence_before_an_access_is_met_whenever_that_is() -> None:
    program = porf.load_program("examples/programs/dekker.py:textbook")
    assert isinstance(program, Program)
    loads = [site for site in order_sites(program) if site.kind == "load"]
    fenced = with_fence(program, next(_places(program, loads[0])), Order.SC)
    kinds = [site.kind for site in order_sites(fenced)]
    assert kinds.count("fence") == [site.kind for site in order_sites(program)].count("fence") + 1
    assert porf.explore(fenced, "rc11").executions > 0


def _places(program: Program, site: Site):  # type: ignore[no-untyped-def]
    return (
        i.place
        for t in program.templates
        for i in t.code
        if i.place is not None and (i.place.line, i.place.column) == (site.place.line, site.place.column)
    )


def test_programs_without_orders_have_no_repair_by_orders() -> None:
    p = porf.program("plain")
    x = p.plain("x")

    @p.thread(copies=2)
    def run() -> None:
        x.value = 1

    repair = repairs(p.build(), "rc11")
    assert not repair.changes and "under sc, too" in repair.why
