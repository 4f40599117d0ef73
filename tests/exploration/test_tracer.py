"""The strategy with schedules finds what brute force and the stateless strategy find, each once; mutexes without
waiting; weak compare-exchanges; replays; what it does when it must stop."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from porf.errors import UsageError
from porf.execution import Order
from porf.exploration import explore
from porf.exploration.classes import classes as explored_classes
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Opcode, Program, pointer
from porf.programs.python import load_programs
from tests.exploration.known_programs import Code, ainc, assembled, fib_bench, load, store
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes

MODELS = ("ra", "rc20", "relaxed", "wra", "sc", "tso", "x86", "pso", "sra")
QUICK, MANY = 6, 650
FOLDER = Path(__file__).parents[2] / "examples" / "programs"


def same_as_brute_force(program: Program, model: str) -> None:
    complete, blocked = classes(program, model)
    found, stuck = explored_classes(program, model, strategy="tracer")
    assert Counter(found) == Counter(complete), (program.name, model)
    assert Counter(stuck) == Counter(blocked), (program.name, model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK):
        same_as_brute_force(random_program(seed, kind, sc=model != "rc20"), model)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_the_classes_of_many_random_programs(model: str, kind: str) -> None:
    for seed in range(QUICK, QUICK + MANY):
        same_as_brute_force(random_program(seed, kind, sc=model != "rc20"), model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["ra", "rc20", "sc"])
def test_the_strategies_agree_on_larger_programs(model: str, kind: str) -> None:
    for seed in range(1000, 1004):
        program = random_program(seed, kind, sc=model != "rc20", most=11)
        stateless = explored_classes(program, model)
        scheduled = explored_classes(program, model, strategy="tracer")
        for a, b in zip(stateless, scheduled, strict=True):
            assert Counter(a) == Counter(b), (program.name, model)


@pytest.mark.parametrize(
    ("name", "parameters", "executions"),
    [
        ("fib_bench", {"n": 4}, 34205),
        ("fib_bench", {"n": 5}, 525630),
        ("readers", {"n": 15}, 32768),
        ("ainc", {"n": 8}, 40320),
        ("indexer", {"n": 15}, 4096),
        ("lastzero", {"n": 15}, 147456),
        ("control_flow", {"n": 12}, 4121),
        ("pthread_demo", {"loops": 8}, 12870),
        ("filesystem", {"t": 22}, 512),
    ],
)
def test_numbers_of_executions(name: str, parameters: dict[str, int], executions: int) -> None:
    [program] = load_programs(str(FOLDER / f"{name}.py"), [name], parameters)
    found = explore(program, "ra", strategy="tracer", self_check=True)
    assert (found.verdict, found.executions, found.blocked, found.duplicates) == ("safe", executions, 0, 0)


# Mutexes

X, M, N = 0, 1, 2


def lines(*words: str) -> Code:
    """Code of a thread: lock m, try m (and jump over the rest if it fails), unlock m, Rx, Wx, assume (never holds)."""

    def emit(a: Assembler) -> None:
        out = a.label()
        for word in words:
            what, _, where = word.partition(" ")
            mutex = a.constant(pointer(N if where == "n" else M))
            if what == "lock":
                a.emit(Opcode.LOCK, b=mutex, width=8)
            elif what == "unlock":
                a.emit(Opcode.UNLOCK, b=mutex, width=8)
            elif what == "try":
                taken = a.register()
                a.emit(Opcode.TRYLOCK, a=taken, b=mutex, width=8)
                a.jump_unless(taken, out)
            elif what == "assume":
                a.emit(Opcode.ASSUME, b=a.constant(0))
            elif what == "Rx":
                load(a, X)
            else:
                store(a, X, a.constant(1))
        a.put(out)

    return emit


SECTION = ("lock m", "unlock m")


@pytest.mark.parametrize(
    "threads",
    [
        (("Rx",), SECTION, ("Wx",), ("lock m", "Rx", "unlock m")),  # a read in the section of another is swapped
        (("lock m", "assume"), SECTION),  # the mutex never comes back
        (("try m", "unlock m", "lock m"), ("Wx", *SECTION)),  # a trylock takes what a lock waits for
        (("try m", "unlock m"), ("try m", "unlock m"), SECTION),
        (("lock m", "lock n", "unlock n", "unlock m"), ("lock n", "lock m", "unlock m", "unlock n")),
        (SECTION, SECTION, SECTION, ("Rx", *SECTION)),
        (("lock m", "try m", "unlock m"), SECTION),
    ],
    ids=str,
)
@pytest.mark.parametrize("model", ["ra", "wra", "sc"])
def test_mutexes(model: str, threads: tuple[tuple[str, ...], ...]) -> None:
    program = assembled("mutexes", {"x": 0, "m": 0, "n": 0}, [lines(*words) for words in threads])
    same_as_brute_force(program, model)


# Weak compare-exchanges

Operation = tuple[str, int, int, int]  # what, where, expected, new


def weak(operations: list[Operation], spare: int | None) -> Code:
    """The operations; if `spare` is a place, a load of it and of those after it tells which compare-exchange fails."""

    def emit(a: Assembler) -> None:
        place = spare
        for what, target, old, new in operations:
            if what == "load":
                load(a, target)
                continue
            if what == "store":
                store(a, target, a.constant(new))
                continue
            end = a.label()
            if place is not None:
                succeeds, equal = a.label(), a.register()
                a.jump_unless(load(a, place), succeeds)
                place += 1
                a.emit(Opcode.BINARY, a=equal, b=load(a, target), c=a.constant(old), kind=Binary.EQ)
                a.emit(Opcode.ASSUME, b=equal)
                a.jump(end)
                a.put(succeeds)
            a.emit(
                Opcode.CAS,
                a=a.register(),
                b=a.constant(pointer(target)),
                c=a.constant(old),
                d=a.constant(new),
                e=a.register(),
                order=Order.ACQ_REL,
                failure=Order.ACQ,
                width=8,
                weak=place is None,
            )
            a.put(end)

    return emit


def test_weak_compare_exchanges_fail_for_no_reason_in_every_way() -> None:
    """As many executions as a program has in which another thread says of each whether it fails."""
    rng = random.Random(2)

    def operation() -> Operation:
        what = rng.choice(("cas", "cas", "store", "load"))
        return what, rng.randrange(2), rng.choice((0, 0, 1)), rng.randint(1, 2)

    more = 0
    for _ in range(150):
        threads = [[operation() for _ in range(rng.randint(1, 2))] for _ in range(3)]
        counts = [sum(what == "cas" for what, *_ in operations) for operations in threads]
        starts = [2 + sum(counts[:i]) for i in range(3)]
        names = {"x": 0, "y": 0}
        told = {**names, **{f"f{i}": 0 for i in range(sum(counts))}}
        tellers = [(lambda a, place=place: store(a, place, a.constant(1))) for place in range(2, 2 + sum(counts))]
        by_name = assembled("weak", names, [weak(operations, None) for operations in threads])
        by_thread = assembled("told", told, [*(weak(o, s) for o, s in zip(threads, starts, strict=True)), *tellers])
        found = explored_classes(by_name, "ra", strategy="tracer", spurious=True)[0]
        assert len(found) == len(set(found)) == len(explored_classes(by_thread, "ra")[0]), threads
        assert Counter(explored_classes(by_name, "ra", spurious=True)[0]) == Counter(found), threads
        more += len(found) > len(explored_classes(by_name, "ra", spurious=False)[0])
    assert more > 50


# Bugs and limits


def failing() -> Program:
    """The second thread's write is postponed: only a schedule lets the first read it."""

    def reader(a: Assembler) -> None:
        equal = a.register()
        a.emit(Opcode.BINARY, a=equal, b=load(a, 0), c=a.constant(0), kind=Binary.EQ)
        a.emit(Opcode.ASSERT, b=equal, c=a.constant(0))

    def writer(a: Assembler) -> None:
        load(a, 1)
        store(a, 0, a.constant(1))

    return assembled("failing", {"x": 0, "y": 0}, [reader, writer])


def deadlocking() -> Program:
    threads = [lines("lock m", "lock n", "unlock n", "unlock m"), lines("lock n", "lock m", "unlock m", "unlock n")]
    return assembled("deadlocking", {"x": 0, "m": 0, "n": 0}, threads)


def racing() -> Program:
    def accesses(a: Assembler) -> None:
        load(a, 1)
        store(a, 0, a.constant(1), Order.NA)

    return assembled("racing", {"x": 0, "y": 0}, [accesses, accesses])


@pytest.mark.parametrize("program", [failing(), deadlocking(), racing()], ids=lambda p: str(p.name))
def test_a_bug_is_replayed(program: Program) -> None:
    found = explore(program, "ra", strategy="tracer")
    assert found.verdict == "unsafe"
    [bug] = found.bugs
    [again] = explore(program, "ra", strategy="tracer", replay=bug.token).bugs
    assert (again.kind, again.message, again.token) == (bug.kind, bug.message, bug.token)
    [stateless] = explore(program, "ra").bugs
    assert stateless.kind == bug.kind


def test_a_limit_leaves_something() -> None:
    found = explore(fib_bench(4), "ra", strategy="tracer", limit=100)
    assert (found.executions, found.finished, found.verdict) == (100, False, "undecided")


def test_schedules_count_as_memory() -> None:
    found = explore(ainc(8), "ra", strategy="tracer", memory=100_000)
    assert found.verdict == "undecided" and found.reasons == ("the memory is used up",)
    assert explore(ainc(8), "ra", strategy="tracer", memory=10_000_000).executions == 40320


def test_the_share_of_the_tree_that_is_done_grows() -> None:
    shares: list[float] = []
    explore(fib_bench(4), "ra", strategy="tracer", progress=lambda complete, blocked, share: shares.append(share))
    assert len(shares) > 5 and shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1 + 1e-9


def test_no_jobs_and_no_checkpoints(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither jobs nor checkpoints"):
        explore(ainc(2), "ra", strategy="tracer", jobs=2)
    with pytest.raises(UsageError, match="neither jobs nor checkpoints"):
        explore(ainc(2), "ra", strategy="tracer", checkpoint=tmp_path / "c.json")
