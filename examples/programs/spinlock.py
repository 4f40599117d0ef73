"""A lock that spins until a compare-exchange takes it. N threads count under it, and no step is lost.

A failed compare-exchange writes nothing, so the loop has no effect until it ends, and needs no bound.

porf explore examples/programs/spinlock.py -D n=3 --model ra
"""

import porf
from porf.programs.python import acquire, relaxed, release


def spinlock(n: int = 3) -> porf.ProgramBuilder:
    p = porf.program(f"spinlock({n})")
    taken = p.int("taken", type="bool")
    count = p.plain("count")

    @p.function
    def lock() -> None:
        while not taken.compare_exchange(0, 1, acquire, relaxed):
            pass

    @p.function
    def unlock() -> None:
        taken.store(0, release)

    @p.thread(copies=n)
    def counter() -> None:
        lock()
        count.value += 1
        unlock()

    @p.final
    def all_counted() -> None:
        assert count.value == n

    return p
