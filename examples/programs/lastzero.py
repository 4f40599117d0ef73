"""lastzero: each writer stores one more than its left neighbour; a reader looks for the last zero, from the right."""

import porf
from porf.programs.python import acquire, release


def lastzero(n: int = 5) -> porf.ProgramBuilder:
    p = porf.program(f"lastzero({n})")
    a = p.array("a", n + 1)

    @p.thread
    def reader() -> None:
        i = n
        while a[i].load(acquire) != 0:
            i -= 1

    @p.thread(args=range(1, n + 1))
    def writer(j: int) -> None:
        a[j].store(a[j - 1].load(acquire) + 1, release)

    return p
