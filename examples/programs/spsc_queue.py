"""A queue for one producer and one consumer: a ring, with one index for each of them.

porf explore examples/programs/spsc_queue.py -D items=3 -D size=2 --model ra
"""

import porf
from porf.programs.python import acquire, relaxed, release


def spsc_queue(items: int = 3, size: int = 2) -> porf.ProgramBuilder:
    p = porf.program(f"spsc_queue({items},{size})")
    ring = p.array("ring", size, plain=True, uninitialised=True)
    written = p.int("written")
    taken = p.int("taken")

    @p.thread
    def producer() -> None:
        for i in range(items):
            while i - taken.load(acquire) == size:
                pass
            ring[i % size].value = i * i
            written.store(i + 1, release)

    @p.thread
    def consumer() -> None:
        for i in range(items):
            while written.load(acquire) <= i:
                pass
            assert ring[i % size].value == i * i
            taken.store(i + 1, release)

    @p.final
    def all_taken() -> None:
        assert taken.load(relaxed) == items

    return p
