"""Why an execution has its bug, and whether what is shown is the lightest: against exploration and against counting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porf import _core, load_program, program
from porf._core import BugKind, HappensBefore, Task
from porf.exploration import explore
from porf.exploration.bugs import Bug
from porf.exploration.graph import prefix_of
from porf.exploration.knowledge import Knowledge
from porf.exploration.picture import draw_bug
from porf.exploration.request import request_of
from porf.exploration.unordered import chain_between
from porf.exploration.weakness import weakness
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.programs.lower import lower
from porf.programs.python import fence, relaxed, release
from tests.exploration import buggy_programs as buggy
from tests.exploration.random_programs import random_program
from tests.seeds import seeds

KINDS = ("litmus", "updates", "fences", "threads", "locks")
WHOLE = [Task([], 0)]


def findings(program: Program, model: str, **flags: Any) -> _core.Findings:
    request = request_of(
        program, find_model(model), keep_going=True, lightest=True, symmetry=False, commuting=False, **flags
    )
    found = _core.explore(
        lower(request.program), request.settings, WHOLE, limit=0, seconds=0.0, bytes=1 << 31, progress=None
    )
    return found.findings


def bug_of(program: object, model: str = "cpp20") -> Bug:
    return explore(program, model).bugs[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", seeds(60, 600))
@pytest.mark.parametrize("kind", KINDS)
def test_an_execution_is_an_interleaving_if_sc_has_it(seed: int, kind: str) -> None:
    """As many of the executions of a weak model are interleavings as there are executions under sc."""
    program = random_program(seed, kind, sc=False, most=6)
    rows = findings(program, "ra", collect=True).executions
    weak = [weakness(execution, range(len(execution))) for execution in rows]
    assert all(w.is_interleaving != bool(w.cycle) for w in weak)
    assert sum(w.is_interleaving for w in weak) == findings(program, "sc", collect=True).complete


@pytest.mark.parametrize("seed", seeds(60, 600))
@pytest.mark.parametrize("kind", KINDS)
def test_a_race_has_a_reason(seed: int, kind: str) -> None:
    """What the core finds unordered is so in Python as well; a chain that would be enough is, and nothing less is."""
    program = plain(random_program(seed, kind, sc=False, most=6))
    for model, sync in (("rc20", HappensBefore.ATOMIC_ORDERS), ("ra", HappensBefore.ATOMIC)):
        for report in findings(program, model).bugs:
            if report.other < 0 or report.event < 0:
                continue
            known = Knowledge(report.events, sync)
            assert not known.before(report.event, report.other)
            assert not known.before(report.other, report.event)
            for a, b in ((report.event, report.other), (report.other, report.event)):
                chain = chain_between(report.events, sync, a, b)
                assert chain is None or chain.links or chain.enough is False
                assert (chain is not None) == (a in prefix_of(report.events, [b]))


@pytest.mark.parametrize("seed", seeds(40, 400))
@pytest.mark.parametrize("kind", KINDS)
def test_the_lightest_report_is_kept(seed: int, kind: str) -> None:
    """Its weight is what counting says, however the work is divided, and no random run has a lighter one."""
    program = plain(random_program(seed, kind, sc=False, most=6))
    reports = findings(program, "rc20").bugs
    for report in reports:
        if report.kind is BugKind.DEADLOCK:
            waiting = sum(row.waits for row in report.events)  # some of them are events of the graph
            assert len(report.events) - waiting <= report.weight.events <= len(report.events)
        elif report.event >= 0:
            ends = [n for n in (report.event, report.other) if n >= 0]
            assert report.weight.events == len(prefix_of(report.events, ends))
    first = explore(program, "rc20", first=True).bugs
    light = explore(program, "rc20").bugs
    assert [bug.kind for bug in first] == [bug.kind for bug in light]
    for one, other in zip(first, light, strict=True):
        assert len(other.execution) <= len(one.execution)


def plain(program: Program) -> Program:
    """The program with its relaxed accesses made plain, so that it has races."""
    from porf._core import Order
    from porf.programs.form import Opcode
    from porf.record import replace

    def weaker(i: Any) -> Any:
        is_access = i.opcode in (Opcode.LOAD, Opcode.STORE) and i.order is Order.RLX
        return replace(i, order=Order.NA) if is_access else i

    return replace(
        program, templates=tuple(replace(t, code=tuple(weaker(i) for i in t.code)) for t in program.templates)
    )


def test_the_missing_release_is_named() -> None:
    bug = bug_of(buggy.race_of_read_and_write())
    assert bug.why is not None and bug.why.kind == "unordered"
    assert "would synchronise if the store were release" in bug.why.words[0]
    assert [link["lacks"] for link in bug.why.lacking] == [["release"]]


def test_two_writes_that_nothing_relates() -> None:
    bug = bug_of(buggy.race_of_writes())
    assert bug.why is not None
    assert "nothing leads from one to the other" in bug.why.words[0]
    assert "both need the same lock" in bug.why.words[1]


def test_an_assertion_that_fails_in_an_interleaving() -> None:
    bug = bug_of(buggy.assertion())
    assert bug.why is not None and bug.why.kind == "an interleaving"


def test_a_deadlock_is_a_circle() -> None:
    bug = bug_of(buggy.deadlock())
    assert bug.why is not None and bug.why.kind == "circle"
    assert len(bug.why.edges) == 2


def seeded(tmp_path: Path, name: str, old: str, new: str) -> Bug:
    """The bug of a program of the benchmarks in which a text is replaced."""
    text = Path(f"benchmarks/seeded/{name}.c").read_text()
    assert old in text
    (tmp_path / f"{name}.c").write_text(text.replace(old, new))
    return bug_of(load_program(str(tmp_path / f"{name}.c")))


RELAXED = "memory_order_relaxed"


def test_a_fence_before_the_access_is_no_synchronisation_of_it(tmp_path: Path) -> None:
    """The reader's fence comes before what it reads: its store must be release by itself."""
    bug = seeded(tmp_path, "rcu", "&inside, 0, memory_order_release", f"&inside, 0, {RELAXED}")
    assert bug.kind == "use after free" and bug.why is not None
    assert bug.why.words[0].startswith("the store at rcu.c:14 ") and "if the store were release" in bug.why.words[0]
    assert [link["lacks"] for link in bug.why.lacking] == [["release"]]


def test_a_pair_that_no_interleaving_has_is_told_by_its_cycle(tmp_path: Path) -> None:
    """A fence would exclude the execution, although no stronger order would order the two accesses in it."""
    bug = seeded(tmp_path, "hazard", f"p, {RELAXED});\n  atomic_thread_fence(memory_order_seq_cst);", f"p, {RELAXED});")
    assert bug.kind == "use after free" and bug.why is not None
    assert bug.why.kind == "not an interleaving" and len(bug.why.edges) == 4
    assert not any("no stronger order" in line or "it takes a lock" in line for line in bug.why.words)


def test_an_update_that_lacks_both_sides_is_named_once(tmp_path: Path) -> None:
    bug = seeded(tmp_path, "refcount", "1, memory_order_acq_rel", f"1, {RELAXED}")
    assert bug.why is not None and bug.why.words[0].endswith("they would synchronise if that update were acq_rel")
    bug = seeded(tmp_path, "refcount", "1, memory_order_acq_rel", "1, memory_order_release")
    assert bug.why is not None and bug.why.words[0].endswith("if that update were acquire as well (acq_rel)")


def test_the_fence_of_the_other_side_is_named(tmp_path: Path) -> None:
    bug = seeded(tmp_path, "fences", "  atomic_thread_fence(memory_order_release);", "")
    assert bug.why is not None and "acquires by the fence at fences.c:19 (e3)" in bug.why.words[0]
    bug = seeded(tmp_path, "fences", "  atomic_thread_fence(memory_order_acquire);", "")
    assert bug.why is not None and "releases by the fence at fences.c:11 (e1)" in bug.why.words[0]


def test_a_read_through_updates_names_them() -> None:
    """The read sees the release by an update of a third thread; both reads-from edges are in the picture."""
    p = program("through")
    data, x = p.plain("data"), p.int("x")

    @p.thread
    def releases() -> None:
        data.value = 1
        x.store(1, release)

    @p.thread
    def adds() -> None:
        x.fetch_add(1, relaxed)

    @p.thread
    def reads() -> None:
        if x.load(relaxed) == 2:
            data.value = 2

    bug = bug_of(p)
    assert bug.why is not None and "which reads it through the update at" in bug.why.words[0]
    assert [name for _, name, _ in bug.why.edges] == ["rf", "rf"]
    e = bug.execution
    assert all(e.rf[b] == a for a, _, b in bug.why.edges)


def test_a_fence_does_not_make_a_plain_write_release() -> None:
    p = program("plain_write")
    x, data = p.plain("x"), p.plain("data")

    @p.thread
    def writes() -> None:
        data.value = 1
        fence(release)
        x.value = 1

    @p.thread
    def reads() -> None:
        if x.load() == 1:
            data.value = 2

    for bug in explore(p, "cpp20", keep_going=True).bugs:
        assert bug.why is not None
        assert not any("releases" in line for line in bug.why.words)


def test_what_is_freed_too_early_needs_no_lock(tmp_path: Path) -> None:
    (tmp_path / "early.c").write_text(EARLY)
    bug = bug_of(load_program(str(tmp_path / "early.c")))
    assert bug.kind == "use after free" and bug.why is not None
    assert any("one of them must wait for the other" in line for line in bug.why.words)
    assert not any("same lock" in line for line in bug.why.words)


EARLY = """#include <pthread.h>
#include <stdlib.h>
static void *user(void *shared) {
  *(int *)shared = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof(int));
  pthread_create(&t, 0, user, p);
  free(p);
  pthread_join(t, 0);
}
"""


def test_a_picture_has_the_whole_cycle(tmp_path: Path) -> None:
    """The last step was cut from the caption."""
    bug = seeded(tmp_path, "hazard", f"p, {RELAXED});\n  atomic_thread_fence(memory_order_seq_cst);", f"p, {RELAXED});")
    assert bug.why is not None and len(bug.why.words) == 5
    svg = draw_bug([bug], "hazard", "cpp20", "hazard.c")
    assert all(word.strip() in svg for word in bug.why.words)
