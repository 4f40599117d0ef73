"""What an SC access means where there are store buffers: under tso it is like any other, under x86, as compilers do it.

That the engine is its file's, and the file what brute force says, is in test_axioms, test_exactness and test_reference.
"""

from __future__ import annotations

import pytest

from porf.execution import Order
from porf.exploration import explore
from porf.programs.python import ProgramBuilder, acq_rel, acquire, fence, relaxed, release, seq_cst


def store_buffering(write: Order, read: Order, fenced: Order | None) -> ProgramBuilder:
    p = ProgramBuilder("SB")
    x, y = p.int("x"), p.int("y")
    seen = p.array("seen", 2, plain=True)

    if fenced is None:

        @p.thread
        def one() -> None:
            x.store(1, write)
            seen[0].value = y.load(read)

        @p.thread
        def other() -> None:
            y.store(1, write)
            seen[1].value = x.load(read)

    else:

        @p.thread
        def one() -> None:
            x.store(1, write)
            fence(fenced)
            seen[0].value = y.load(read)

        @p.thread
        def other() -> None:
            y.store(1, write)
            fence(fenced)
            seen[1].value = x.load(read)

    @p.final
    def check() -> None:
        assert seen[0].value + seen[1].value > 0

    return p


# Orders of the writes, the reads and the fences, and whether it is safe under tso, x86 and cpp20.
CASES = [
    ((seq_cst, seq_cst, None), "unsafe", "safe", "safe"),
    ((seq_cst, relaxed, None), "unsafe", "safe", "unsafe"),  # the machine does more than the language asks for
    ((release, seq_cst, None), "unsafe", "unsafe", "unsafe"),
    ((relaxed, relaxed, seq_cst), "safe", "safe", "safe"),
    ((relaxed, relaxed, acq_rel), "safe", "unsafe", "unsafe"),
    ((release, acquire, release), "safe", "unsafe", "unsafe"),
]


@pytest.mark.parametrize(("orders", "tso", "x86", "cpp20"), CASES)
def test_store_buffering(orders: tuple[Order, Order, Order | None], tso: str, x86: str, cpp20: str) -> None:
    program = store_buffering(*orders)
    found = [explore(program, model).verdict for model in ("tso", "x86", "cpp20")]
    assert found == [tso, x86, cpp20]
