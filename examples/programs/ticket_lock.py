"""A ticket lock: threads draw numbers and are served in that order.

porf explore examples/programs/ticket_lock.py -D n=3 --model ra
"""

import porf
from porf.programs.python import acquire, relaxed, release


def ticket_lock(n: int = 3) -> porf.ProgramBuilder:
    p = porf.program(f"ticket_lock({n})")
    drawn = p.int("drawn", type="u32")
    served = p.int("served", type="u32")
    count = p.plain("count")

    @p.thread(copies=n)
    def counter() -> None:
        ticket = drawn.fetch_add(1, relaxed)
        while served.load(acquire) != ticket:
            pass
        count.value += 1
        served.store(ticket + 1, release)

    @p.final
    def all_counted() -> None:
        assert count.value == n

    return p
