"""Small programs with one bug each. The lines that a report must name end in `# here`."""

from __future__ import annotations

import porf
from porf.programs.python import acquire, address, assume, at, plain_at, relaxed, release


def assertion() -> porf.ProgramBuilder:
    p = porf.program("assertion")
    x, y = p.int("x"), p.int("y")

    @p.thread
    def left() -> None:
        x.store(1, release)
        assert y.load(acquire) == 0, "left was first"  # here

    @p.thread
    def right() -> None:
        y.store(1, release)

    return p


def race_of_read_and_write() -> porf.ProgramBuilder:
    p = porf.program("race_of_read_and_write")
    data = p.plain("data")
    flag = p.int("flag")

    @p.thread
    def writer() -> None:
        data.value = 1  # here
        flag.store(1, relaxed)

    @p.thread
    def reader() -> None:
        if flag.load(acquire) == 1:
            data.load()  # here

    return p


def race_of_writes() -> porf.ProgramBuilder:
    p = porf.program("race_of_writes")
    data = p.plain("data")

    @p.thread
    def left() -> None:
        data.value = 1  # here

    @p.thread
    def right() -> None:
        data.value = 2  # here

    return p


def race_with_an_atomic() -> porf.ProgramBuilder:
    p = porf.program("race_with_an_atomic")
    x = p.int("x")

    @p.thread
    def atomic() -> None:
        x.store(1, release)  # here

    @p.thread
    def plain() -> None:
        plain_at(address(x)).load()  # here

    return p


def deadlock() -> porf.ProgramBuilder:
    p = porf.program("deadlock")
    a, b = p.mutex("a"), p.mutex("b")

    @p.thread
    def left() -> None:
        with a:
            b.lock()  # here
            b.unlock()

    @p.thread
    def right() -> None:
        with b:
            a.lock()  # here
            a.unlock()

    return p


def locked_twice() -> porf.ProgramBuilder:
    p = porf.program("locked_twice")
    m = p.mutex("m")

    @p.thread
    def only() -> None:
        m.lock()
        m.lock()  # here

    return p


def uninitialised() -> porf.ProgramBuilder:
    p = porf.program("uninitialised")
    data = p.int("data", uninitialised=True)
    flag = p.int("flag")

    @p.thread
    def writer() -> None:
        data.store(1, relaxed)
        flag.store(1, relaxed)

    @p.thread
    def reader() -> None:
        if flag.load(relaxed):
            data.load(relaxed)  # here

    return p


def out_of_bounds() -> porf.ProgramBuilder:
    p = porf.program("out_of_bounds")
    a = p.array("a", 3)
    i = p.int("i", 2)

    @p.thread
    def counter() -> None:
        i.fetch_add(1, relaxed)

    @p.thread
    def writer() -> None:
        a[i.load(relaxed)].store(7, relaxed)  # here

    return p


def before_the_first() -> porf.ProgramBuilder:
    p = porf.program("before_the_first")
    a = p.array("a", 3)
    i = p.int("i", -1)

    @p.thread
    def reader() -> None:
        a[i.load(relaxed)].load(relaxed)  # here

    return p


def null_pointer() -> porf.ProgramBuilder:
    p = porf.program("null_pointer")
    x, q = p.int("x"), p.int("q")

    @p.thread
    def publisher() -> None:
        q.store(address(x), release)

    @p.thread
    def user() -> None:
        at(q.load(acquire)).store(1, relaxed)  # here

    return p


def not_held() -> porf.ProgramBuilder:
    p = porf.program("not_held")
    m = p.mutex("m")

    @p.thread
    def owner() -> None:
        with m:
            pass

    @p.thread
    def thief() -> None:
        m.unlock()  # here

    return p


def division() -> porf.ProgramBuilder:
    p = porf.program("division")
    x = p.int("x", 1)

    @p.thread
    def zero() -> None:
        x.store(0, relaxed)

    @p.thread
    def divider() -> None:
        10 // x.load(relaxed)  # here

    return p


def endless() -> porf.ProgramBuilder:
    p = porf.program("endless")
    x = p.int("x")

    @p.thread
    def starter() -> None:
        x.store(1, relaxed)

    @p.thread
    def runner() -> None:
        if x.load(relaxed):
            while True:  # here
                pass

    return p


def several() -> porf.ProgramBuilder:
    """Three distinct bugs, two of them in one execution."""
    p = porf.program("several")
    x, y = p.int("x"), p.int("y")
    data = p.plain("data")

    @p.thread
    def left() -> None:
        x.store(1, relaxed)
        data.value = 1
        assert y.load(relaxed) == 0, "y is 0"

    @p.thread
    def right() -> None:
        y.store(1, relaxed)
        data.value = 2
        assert x.load(relaxed) == 0, "x is 0"

    return p


def parametric(n: int = 1, wanted: int = 7) -> porf.ProgramBuilder:
    """Fails after n rounds of a loop, when the flag has the wanted value."""
    p = porf.program(f"parametric({n})")
    flag = p.int("flag")

    @p.thread(args=range(2))
    def writer(number: int) -> None:
        flag.store(wanted + number, release)

    @p.thread
    def reader() -> None:
        last = 0
        for _ in range(n):
            last = flag.load(acquire)
        assume(last != wanted + 1)
        assert last != wanted, "the flag has it"

    return p
