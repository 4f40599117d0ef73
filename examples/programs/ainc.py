"""ainc: N threads increment x atomically. They come in any order: N! executions."""

import porf
from porf.programs.python import acq_rel, relaxed


def ainc(n: int = 5) -> porf.ProgramBuilder:
    p = porf.program(f"ainc({n})")
    x = p.int("x")

    @p.thread(copies=n)
    def incrementer() -> None:
        x.fetch_add(1, acq_rel)

    return p


def ainc_checked(n: int = 3) -> porf.ProgramBuilder:
    """The same, and no increment is lost."""
    p = porf.program(f"ainc_checked({n})")
    x = p.int("x")

    @p.thread(copies=n)
    def incrementer() -> None:
        x.fetch_add(1, acq_rel)

    @p.final
    def all_counted() -> None:
        assert x.load(relaxed) == n

    return p
