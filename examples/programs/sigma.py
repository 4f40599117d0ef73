"""sigma: main counts `index` up, and after each step creates a thread that stores to array[index]. N! executions."""

import porf
from porf.programs.python import acq_rel, acquire, release, spawn


def sigma(n: int = 5) -> porf.ProgramBuilder:
    p = porf.program(f"sigma({n})")
    index = p.int("index", -1)
    array = p.array("array", n)

    @p.function
    def worker() -> None:
        array[index.load(acquire)].store(1, release)

    @p.thread
    def main() -> None:
        for _ in range(n):
            index.fetch_add(1, acq_rel)
            spawn(worker)

    return p
