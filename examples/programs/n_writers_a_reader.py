"""n-writers-a-reader: writer i stores i to x, and one reader loads x. N + 1 executions."""

import porf
from porf.programs.python import acquire, release


def n_writers_a_reader(n: int = 5) -> porf.ProgramBuilder:
    p = porf.program(f"n_writers_a_reader({n})")
    x = p.int("x")

    @p.thread(args=range(1, n + 1))
    def writer(i: int) -> None:
        x.store(i, release)

    @p.thread
    def reader() -> None:
        x.load(acquire)

    return p
