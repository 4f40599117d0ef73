"""exponential-bug: three threads, some of it under a lock; the executions where y = 3 is read are few among many."""

import porf
from porf.programs.python import acquire, release


def exponential_bug(n: int = 6) -> porf.ProgramBuilder:
    p = porf.program(f"exponential_bug({n})")
    m = p.mutex("m")
    x, y = p.int("x"), p.int("y")

    @p.thread
    def first() -> None:
        for _ in range(2):
            with m:
                x.store(1, release)
                for _ in range(n):
                    y.store(1, release)

    @p.thread
    def second() -> None:
        for _ in range(2):
            with m:
                x.store(0, release)
            if x.load(acquire) > 0:
                y.store(y.load(acquire) + 1, release)
                x.store(2, release)

    @p.thread
    def third() -> None:
        for _ in range(2):
            if x.load(acquire) > 1:
                if y.load(acquire) == 3:
                    return
                y.store(2, release)

    return p
