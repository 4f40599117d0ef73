"""control-flow: what a thread does depends on what it reads. 2^N + 2N + 1 executions."""

import porf
from porf.programs.python import acquire, release


def control_flow(n: int = 6) -> porf.ProgramBuilder:
    p = porf.program(f"control_flow({n})")
    x, y, z = p.int("x"), p.int("y"), p.int("z")

    @p.thread(copies=n)
    def reader() -> None:
        x.load(acquire)

    @p.thread(copies=n)
    def writer() -> None:
        y.store(1, release)

    @p.thread
    def first() -> None:
        if y.load(acquire) == 0:
            z.store(1, release)

    @p.thread
    def second() -> None:
        if z.load(acquire) == 1 and y.load(acquire) == 0:
            x.store(1, release)

    return p
