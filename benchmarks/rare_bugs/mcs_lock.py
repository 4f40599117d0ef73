"""A queue lock (MCS) of two threads that is handed over by a relaxed store, after rounds without a contender."""

import porf
from porf.programs.python import acq_rel, acquire, relaxed, release


def mcs_lock() -> porf.ProgramBuilder:
    p = porf.program("mcs_lock")
    tail = p.int("tail")
    after = [p.int(f"after{n}") for n in range(3)]
    waits = [p.int(f"waits{n}") for n in range(3)]
    data = p.int("data")

    for me in (1, 2):

        @p.thread
        def worker(me: int = me) -> None:
            for _ in range(3):
                after[me].store(0, relaxed)
                waits[me].store(1, relaxed)
                before = tail.exchange(me, acq_rel)
                if before != 0:
                    after[3 - me].store(me, release)
                    while waits[me].load(acquire) == 1:
                        pass
                found = data.load(relaxed)
                data.store(found + 1, relaxed)
                if after[me].load(acquire) == 0:
                    if tail.compare_exchange(me, 0, acq_rel, relaxed):
                        continue
                    while after[me].load(acquire) == 0:
                        pass
                waits[3 - me].store(0, relaxed)

    @p.final
    def all_counted() -> None:
        assert data.load(relaxed) == 6, "an increment was lost"

    return p
