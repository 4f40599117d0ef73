"""What threads do with each other: spawn, join, locks, references, pointers, narrow cells; over all interleavings."""

from __future__ import annotations

import pytest

import porf
from porf.execution import Order
from porf.programs.form import Opcode, Program
from porf.programs.python import (
    Mutex,
    SharedInt,
    acq_rel,
    acquire,
    address,
    assume,
    at,
    fence,
    join,
    plain_at,
    relaxed,
    release,
    seq_cst,
    spawn,
)
from tests.programs.interpreter import Outcome, run


def outcome(p: porf.ProgramBuilder) -> Outcome:
    return run(p.build())


def orders(program: Program) -> list[Order]:
    return [i.order for t in program.templates for i in t.code if i.opcode >= Opcode.LOAD]


def test_orders_and_their_defaults() -> None:
    p = porf.program("orders")
    x, d = p.int("x"), p.plain("d")

    @p.thread
    def t() -> None:
        x.store(x.load(acquire), release)
        x.store(x.load())
        d.value = d.value + d.load()
        x.fetch_add(1, relaxed)
        x.compare_exchange(0, 1, acq_rel)
        x.compare_exchange_weak(0, 1, release, seq_cst)
        fence(acquire)
        fence()

    program = p.build()
    sc, na = Order.SC, Order.NA
    expected = [Order.ACQ, Order.REL, sc, sc, na, na, na, Order.RLX, Order.ACQ_REL, Order.REL, Order.ACQ, sc]
    assert orders(program) == expected
    exchanges = [i for i in program.templates[0].code if i.opcode is Opcode.CAS]
    assert [(i.failure, i.weak) for i in exchanges] == [(Order.ACQ, False), (Order.SC, True)]


def test_spawn_and_join() -> None:
    p = porf.program("spawn")
    x, total = p.int("x"), p.int("total")

    @p.function
    def worker(cell: SharedInt, n: int) -> int:
        cell.fetch_add(n, acq_rel)
        return n * n

    @p.thread
    def main() -> None:
        first = spawn(worker, x, 2)
        second = spawn(worker, x, 3)
        total.store(first.join() + join(second), release)
        assert x.load(acquire) == 5

    result = outcome(p)
    assert result.bugs == set()
    assert result.values("total") == {13}
    assert len(p.build().templates) == 2
    assert len(result.complete) == 2


def test_threads_that_start_can_be_joined() -> None:
    p = porf.program("join")
    x = p.int("x")

    @p.thread(copies=2)
    def adder() -> None:
        x.fetch_add(1, acq_rel)

    @p.thread
    def single() -> int:
        return 40

    @p.thread
    def main() -> None:
        adder.join()  # type: ignore[attr-defined]
        assert join(single) + x.load(acquire) == 42

    assert outcome(p).bugs == set()


def test_the_final_function_runs_last() -> None:
    p = porf.program("final")
    x = p.int("x")

    @p.thread(args=[1, 2])
    def writer(n: int) -> None:
        x.store(n, release)

    @p.final
    def check() -> None:
        assert x.load(relaxed) != 0, "nothing was written"
        assert x.load(relaxed) == 2, "one came later"

    result = outcome(p)
    assert result.bugs == {"one came later"}
    assert [s.name for s in p.build().starts] == ["writer(1)", "writer(2)", "check"]


def test_a_held_lock_is_given_back_on_every_way_out() -> None:
    p = porf.program("locks")
    m, n, x = p.mutex("m"), p.mutexes("n", 2), p.int("x")

    @p.function
    def early(i: int) -> int:
        with n[i], m:
            if x.load(acquire) == i:
                return 1
            x.store(i, release)
        return 0

    @p.thread(args=range(2))
    def worker(i: int) -> None:
        for k in range(3):
            with m:
                if k == 0:
                    continue
                if k == 1:
                    break
        early(i)
        with m:
            return

    result = outcome(p)
    assert (result.bugs, result.blocked) == (set(), set())
    assert result.complete


def test_deadlock_trylock_and_unlock_of_what_is_not_held() -> None:
    p = porf.program("deadlock")
    a, b = p.mutex("a"), p.mutex("b")

    @p.thread(args=[(a, b), (b, a)])
    def worker(first: Mutex, second: Mutex) -> None:
        first.lock()
        second.lock()
        second.unlock()
        first.unlock()

    result = outcome(p)
    assert len(result.blocked) == 1
    assert [s.name for s in p.build().starts] == ["worker(a,b)", "worker(b,a)"]
    assert len(p.build().templates) == 1

    q = porf.program("trylock")
    m = q.mutex("m")

    @q.thread(copies=2)
    def one() -> None:
        if m.trylock():
            m.unlock()
        else:
            m.unlock()

    assert outcome(q).bugs == {"unlock of a mutex that is not held"}


def test_references_pointers_and_helpers_with_shared_arguments() -> None:
    p = porf.program("references")
    a, d = p.array("a", 3, type="i32"), p.plain("d", 4, type="u8")
    cells = [a[2], a[0]]

    @p.function
    def put(cell: SharedInt, value: int, order: Order) -> int:
        cell.store(value, order)
        return value

    @p.thread
    def t() -> None:
        i = 1
        here = a[i]
        put(here, 7, release)
        pointer = address(here)
        assert pointer == address(a[0]) + 4
        assert at(pointer, "i32").load(acquire) == 7
        put(a[0], put(at(pointer, type="i32"), 8, relaxed) + 1, seq_cst)
        plain_at(address(d), "u8").value += 255
        for cell in a:
            cell.fetch_add(1, acq_rel)
        for n, cell in enumerate(cells):
            cell.fetch_add(10 * n, acq_rel)
        cells[i].fetch_add(100, acq_rel)
        assert len(a) + len(cells) == 5

    result = outcome(p)
    assert result.bugs == set()
    assert [result.values(v) for v in ("a[0]", "a[1]", "a[2]", "d")] == [{120}, {9}, {1}, {3}]


def test_narrow_cells_wrap_and_compare_as_c_does() -> None:
    p = porf.program("narrow")
    u, i, b = p.int("u", 255, type="u8"), p.int("i", 127, type="i8"), p.int("b", 1, type="bool")

    @p.thread
    def t() -> None:
        k = -1
        assert u.compare_exchange(k, k, acq_rel), "the expected value is wrapped"
        assert u.fetch_add(2, acq_rel) == 255
        i.fetch_add(1, acq_rel)
        assert i.load(acquire) == -128
        ok, old = b.compare_exchange(0, 5, acq_rel)  # type: ignore[misc]  # in a thread, it can be unpacked
        assert not ok and old == 1  # type: ignore[has-type]

    result = outcome(p)
    assert result.bugs == set()
    assert (result.values("u"), result.values("i"), result.values("b")) == ({1}, {-128}, {1})


def test_assume_blocks_and_loops_without_effect_wait() -> None:
    p = porf.program("assume")
    x, y = p.int("x"), p.int("y")

    @p.thread
    def writer() -> None:
        x.store(1, release)

    @p.thread
    def reader() -> None:
        assume(x.load(acquire))
        y.store(1, release)

    @p.thread
    def spinner() -> None:
        while not x.load(acquire):
            pass

    result = outcome(p)
    assert (len(result.complete), len(result.blocked)) == (1, 3)
    assert result.values("y") == {1}


BUGS = ["out of bounds: a[-1]", "out of bounds: a[2]", "uninitialised: u", "index out of range: table[n]"]
BUGS += ["division by zero", "n < 5"]


@pytest.mark.parametrize(("which", "bug"), list(enumerate(BUGS)))
def test_bugs_that_are_found(which: int, bug: str) -> None:
    p = porf.program("bugs")
    a, u = p.array("a", 2), p.int("u", uninitialised=True)
    table = (1, 2)

    @p.thread(args=[which])
    def t(n: int) -> None:
        if n == 0:
            a[n - 1].load(acquire)
        elif n == 1:
            a[n + 1].load(acquire)
        elif n == 2:
            u.load(acquire)
        elif n == 3:
            a[0].store(table[n])
        elif n == 4:
            a[0].store(1 // (n - 4))
        else:
            assert n < 5

    assert outcome(p).bugs == {bug}


def test_registers_are_used_again() -> None:
    p = porf.program("registers")
    x = p.int("x")

    @p.function
    def twice(n: int) -> int:
        m = n + n
        return m

    @p.thread
    def t() -> None:
        for _ in range(3):
            x.store(twice(twice(x.load(acquire))) + twice(1) * twice(2), release)
            x.store(twice(x.load(acquire)) + twice(3), release)

    value = 0
    for _ in range(3):
        value = 2 * (4 * value + 8) + 6
    assert outcome(p).values("x") == {value}
    [code] = p.build().templates
    assert code.registers <= 14
    assert set(code.names.values()) == {"m"}  # `_` is never read, and n is the argument itself
