"""indexer: threads put four numbers each into a hash table of 128 places, by compare-exchange. Only some collide."""

import porf
from porf.programs.python import acq_rel

SIZE = 128


def indexer(n: int = 12) -> porf.ProgramBuilder:
    p = porf.program(f"indexer({n})")
    table = p.array("table", SIZE)

    @p.thread(args=range(n))
    def inserter(t: int) -> None:
        for i in range(4):
            w = 11 * i + t
            h = 7 * w % SIZE
            while not table[h].compare_exchange(0, w, acq_rel):
                h = (h + 1) % SIZE

    return p
