"""RC11 and C++20 on programs full of SC accesses and fences: brute force, the evaluated file and the engine agree.

`random_sc` makes the programs. Brute force has the axioms by hand; the file by its path is a user's file, whose axioms
are evaluated, and can be asked about larger programs.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from porf.execution import Order
from porf.exploration import explore
from porf.exploration.classes import classes as explored_classes
from porf.models.registry import FOLDER
from porf.programs.form import Program
from porf.programs.litmus import observe, read_litmus
from tests.exploration.consistency import C11, happens_before, modification_orders
from tests.exploration.random_sc import SHAPES, STYLES, random_program
from tests.exploration.reference import Search
from tests.exploration.run import Class, Run, Written
from tests.exploration.sc_order import sc_holds

QUICK, MANY = 10, 400  # programs of each shape and style


def is_racy(run: Run, model: str) -> bool:
    """Two accesses of a place, one plain and one a write, that happens-before leaves unordered."""
    events, hb = run.graph.events, happens_before(run.graph, model)
    for a, b in combinations(range(len(events)), 2):
        one, other = events[a], events[b]
        conflict = one.op in "rwu" and one.pointer == other.pointer and {one.op, other.op} != {"r"}
        if conflict and Order.NA in (one.order, other.order) and not hb[b] >> a & 1:
            return True
    return False


def judged(program: Program, model: str) -> tuple[Counter[Class], Counter[tuple[Class, Written]], bool]:
    """By brute force: all executions, these with their modification orders, and whether one has a race."""
    found, ordered = Counter[Class](), Counter[tuple[Class, Written]]()
    races = []

    def report(run: Run) -> None:
        assert run.complete()
        races.append(is_racy(run, model))
        found[run.as_class()] += 1
        for mo in modification_orders(run.graph, model):
            ordered[run.as_class(), run.as_written(mo.items())] += 1

    Search(program, model, report).explore()
    return found, ordered, any(races)


def same(program: Program, model: str) -> None:
    expected, ordered, races = judged(program, model)
    found, stuck = explored_classes(program, model)
    assert Counter(found) == expected and not stuck, (program.name, model)
    if sum(ordered.values()) <= 2000:
        assert Counter(explored_classes(program, model, equivalence="mo")[0]) == ordered, (program.name, model)
    bugs = explore(program, model, keep_going=True).bugs
    assert {bug.kind for bug in bugs} == ({"data race"} if races else set()), (program.name, model)


def same_as_file(program: Program, model: str, equivalence: str) -> None:
    path = FOLDER / f"{model}.cat"
    native, file = (Counter(explored_classes(program, m, equivalence=equivalence)[0]) for m in (model, path))
    assert native == file, (program.name, model)
    first, copied = (explore(program, m, keep_going=True) for m in (model, path))
    bugs = [{(bug.kind, frozenset(bug.where)) for bug in found.bugs} for found in (first, copied)]
    assert bugs[0] == bugs[1], (program.name, model)
    assert (first.executions, first.blocked) == (copied.executions, copied.blocked)


EVERYTHING = [(shape, style) for shape in SHAPES for style in STYLES]


@pytest.mark.parametrize("model", C11)
@pytest.mark.parametrize(("shape", "style"), EVERYTHING)
def test_random_programs_have_the_executions_that_the_axioms_allow(shape: str, style: str, model: str) -> None:
    for seed in range(QUICK):
        same(random_program(seed, shape, style), model)


@pytest.mark.full
@pytest.mark.parametrize("model", C11)
@pytest.mark.parametrize(("shape", "style"), EVERYTHING)
def test_many_random_programs_have_the_executions_that_the_axioms_allow(shape: str, style: str, model: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same(random_program(seed, shape, style), model)


@pytest.mark.parametrize("model", C11)
@pytest.mark.parametrize(("shape", "style"), EVERYTHING)
def test_the_evaluated_file_has_the_same_executions(shape: str, style: str, model: str) -> None:
    for seed in range(1000, 1000 + QUICK // 2):
        same_as_file(random_program(seed, shape, style, most=9), model, "mo")


@pytest.mark.full
@pytest.mark.parametrize("model", C11)
@pytest.mark.parametrize(("shape", "style"), EVERYTHING)
def test_the_evaluated_file_has_the_same_executions_of_larger_programs(shape: str, style: str, model: str) -> None:
    for seed in range(2000, 2000 + MANY // 10):
        same_as_file(random_program(seed, shape, style, most=11), model, "rf")


def test_the_axiom_on_sc_events_matters_to_the_programs() -> None:
    """Of each shape and style: programs with an execution that only it forbids; with an execution of which it forbids
    some modification order; and with one of which it forbids the first that comes to mind."""
    met: dict[str, Counter[str]] = {}
    for shape, style in EVERYTHING:
        for seed in range(15):
            for what in met_by(random_program(seed, shape, style, most=8)):
                for name in (shape, style):
                    met.setdefault(name, Counter())[what] += 1
    assert all(min(met[name].values()) >= 4 for name in met if name != "chaos"), met
    assert all(min(met[name].values()) >= 8 for name in ("cycle", "split", "tree")), met


def met_by(program: Program) -> set[str]:
    """RC20 is C++20 without that axiom."""
    met = set[str]()

    def report(run: Run) -> None:
        hb = happens_before(run.graph, "rc20")
        allowed = [sc_holds(run.graph, hb, mo) for mo in modification_orders(run.graph, "rc20")]
        if not any(allowed):
            met.add("forbids all")
        elif not all(allowed):
            met.update({"forbids some"} if allowed[0] else {"forbids some", "forbids the first"})

    Search(program, "rc20", report).explore()
    return met


def litmus(condition: str, *threads: str) -> str:
    """Of each thread its events: "Wx sc" writes 1, "Wx=2 rlx" writes 2, "Ua acq" adds 1, "Rx acq" reads into the next
    of the registers r0, r1, ..."""
    code = []
    for n, thread in enumerate(threads):
        lines, registers = [], 0
        for event in thread.split("; "):
            what, order = event.split()
            place, _, value = what[1:].partition("=")
            order = f"memory_order_{ORDERS[order]}"
            if what == "F":
                lines.append(f"atomic_thread_fence({order});")
            elif what[0] == "W":
                lines.append(f"atomic_store_explicit({place}, {value or 1}, {order});")
            else:
                call = (
                    f"atomic_load_explicit({place}, " if what[0] == "R" else f"atomic_fetch_add_explicit({place}, 1, "
                )
                lines.append(f"int r{registers} = {call}{order});")
                registers += 1
        code.append(f"P{n} (atomic_int* x, atomic_int* y, atomic_int* z) {{ {' '.join(lines)} }}")
    return "C test\n{}\n" + "\n".join(code) + f"\nexists ({condition})\n"


ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
SB = "0:r0=0 /\\ 1:r0=0"
IRIW = "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=1 /\\ 2:r1=0"
RWC = "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0"
# Lahav et al. 2017 discuss most of these. What each is, whether it may be observed, and the test.
CLASSICS = {
    "SB": ("Never", SB, "Wx sc; Ry sc", "Wy sc; Rx sc"),
    "SB, a weaker write": ("Sometimes", SB, "Wx rel; Ry sc", "Wy sc; Rx sc"),
    "SB, a weaker read": ("Sometimes", SB, "Wx sc; Ry acq", "Wy sc; Rx sc"),
    "SB+fences": ("Never", SB, "Wx rlx; F sc; Ry rlx", "Wy rlx; F sc; Rx rlx"),
    "SB, a fence and accesses": ("Never", SB, "Wx sc; Ry sc", "Wy rlx; F sc; Rx rlx"),
    "SB, a weaker fence": ("Sometimes", SB, "Wx rlx; F sc; Ry rlx", "Wy rlx; F ar; Rx rlx"),
    "SB of updates": ("Never", SB, "Wx sc; Uy sc", "Wy sc; Ux sc"),
    "2+2W": ("Never", "x=1 /\\ y=1", "Wx sc; Wy=2 sc", "Wy sc; Wx=2 sc"),
    "2+2W, a weaker write": ("Sometimes", "x=1 /\\ y=1", "Wx sc; Wy=2 sc", "Wy sc; Wx=2 rel"),
    "2+2W+fences": ("Never", "x=1 /\\ y=1", "Wx rlx; F sc; Wy=2 rlx", "Wy rlx; F sc; Wx=2 rlx"),
    "R": ("Never", "1:r0=0 /\\ y=2", "Wx sc; Wy sc", "Wy=2 sc; Rx sc"),
    "R, a weaker write": ("Sometimes", "1:r0=0 /\\ y=2", "Wx sc; Wy rel", "Wy=2 sc; Rx sc"),
    "R+fences": ("Never", "1:r0=0 /\\ y=2", "Wx rlx; F sc; Wy rlx", "Wy=2 rlx; F sc; Rx rlx"),
    "S": ("Never", "1:r0=1 /\\ x=2", "Wx=2 sc; Wy sc", "Ry sc; Wx sc"),
    "S, relaxed": ("Sometimes", "1:r0=1 /\\ x=2", "Wx=2 rlx; Wy rlx", "Ry sc; Wx sc"),
    "S+fences": ("Never", "1:r0=1 /\\ x=2", "Wx=2 rlx; F sc; Wy rlx", "Ry rlx; F sc; Wx rlx"),
    "IRIW": ("Never", IRIW, "Wx sc", "Rx sc; Ry sc", "Ry sc; Rx sc", "Wy sc"),
    "IRIW-acq-sc": ("Sometimes", IRIW, "Wx sc", "Rx acq; Ry sc", "Ry acq; Rx sc", "Wy sc"),
    "IRIW+fences": ("Never", IRIW, "Wx rlx", "Rx rlx; F sc; Ry rlx", "Ry rlx; F sc; Rx rlx", "Wy rlx"),
    "IRIW, a weaker fence": ("Sometimes", IRIW, "Wx rlx", "Rx rlx; F sc; Ry rlx", "Ry rlx; F ar; Rx rlx", "Wy rlx"),
    "RWC": ("Never", RWC, "Wx sc", "Rx sc; Ry sc", "Wy sc; Rx sc"),
    "RWC+fences": ("Never", RWC, "Wx rlx", "Rx rlx; F sc; Ry rlx", "Wy rlx; F sc; Rx rlx"),
    "W+RWC": ("Never", RWC, "Wz sc; Wx rel", "Rx acq; Ry sc", "Wy sc; Rz sc"),
    "W+RWC+fences": ("Never", RWC, "Wz rlx; Wx rel", "Rx acq; F sc; Ry rlx", "Wy rlx; F sc; Rz rlx"),
    "Z6.U": ("Sometimes", "1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0", "Wx sc; Wy rel", "Uy sc; Ry rlx", "Wy=3 sc; Rx sc"),
    "Z6.U, stronger": ("Never", "1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0", "Wx sc; Wy sc", "Uy sc; Ry rlx", "Wy=3 sc; Rx sc"),
}


@pytest.mark.parametrize("model", C11)
@pytest.mark.parametrize("name", CLASSICS)
def test_litmus_tests_with_sc_events(name: str, model: str) -> None:
    expected, condition, *threads = CLASSICS[name]
    test = read_litmus(litmus(condition, *threads))
    found = explore(test, model)
    assert found.finished and observe(test, found.states).observation == expected
