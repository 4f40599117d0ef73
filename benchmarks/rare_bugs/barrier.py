"""A barrier of a count and a round, used three times, whose last thread opens it with a relaxed store."""

import porf
from porf.programs.python import acq_rel, acquire, relaxed

THREADS = 3


def barrier() -> porf.ProgramBuilder:
    p = porf.program("barrier")
    count = p.int("count")
    opened = p.int("opened")
    data = [p.int(f"data{n}") for n in range(THREADS)]

    for me in range(THREADS):

        @p.thread
        def worker(me: int = me) -> None:
            for i in range(1, 4):
                data[me].store(i, relaxed)
                now = opened.load(relaxed)
                if count.fetch_add(1, acq_rel) + 1 == THREADS:
                    count.store(0, relaxed)
                    opened.store(now + 1, relaxed)
                else:
                    while opened.load(acquire) == now:
                        pass
                assert data[(me + 1) % THREADS].load(relaxed) >= i, "somebody went through too early"

    return p
