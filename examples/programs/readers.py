"""readers: one writer stores x, and N readers load it. 2^N executions."""

import porf
from porf.programs.python import acquire, release


def readers(n: int = 8) -> porf.ProgramBuilder:
    p = porf.program(f"readers({n})")
    x = p.int("x")

    @p.thread
    def writer() -> None:
        x.store(1, release)

    @p.thread(copies=n)
    def reader() -> None:
        x.load(acquire)

    return p
