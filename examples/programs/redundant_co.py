"""redundant-co: two writers store to x N times each, and one reader loads x twice. 3N² + 3N + 1 executions."""

import porf
from porf.programs.python import acquire, release


def redundant_co(n: int = 5) -> porf.ProgramBuilder:
    p = porf.program(f"redundant_co({n})")
    x = p.int("x")

    @p.thread(args=range(2))
    def writer(i: int) -> None:
        for k in range(n):
            x.store(2 * k + i + 1, release)

    @p.thread
    def reader() -> None:
        x.load(acquire)
        x.load(acquire)

    return p
