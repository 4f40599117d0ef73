"""pthread-demo: two threads count under a lock, L times each. C(2L, L) executions."""

import porf
from porf.programs.python import acquire, release


def pthread_demo(loops: int = 4) -> porf.ProgramBuilder:
    p = porf.program(f"pthread_demo({loops})")
    m = p.mutex("m")
    counter = p.int("counter")

    @p.thread(copies=2)
    def worker() -> None:
        for _ in range(loops):
            with m:
                counter.store(counter.load(acquire) + 1, release)

    return p
