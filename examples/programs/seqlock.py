"""A seqlock: readers are never blocked; they try again if a writer was at work, which they see by an odd number.

The data are atomic, for readers and writers do access them at the same time.

    porf explore examples/programs/seqlock.py --model rc20
"""

import porf
from porf.programs.python import acquire, assume, fence, relaxed, release


def seqlock(writes: int = 2) -> porf.ProgramBuilder:
    p = porf.program(f"seqlock({writes})")
    sequence = p.int("sequence")
    left = p.int("left")
    right = p.int("right")

    @p.thread
    def writer() -> None:
        for i in range(1, writes + 1):
            s = sequence.load(relaxed)
            sequence.store(s + 1, relaxed)
            fence(release)
            left.store(i, relaxed)
            right.store(i, relaxed)
            sequence.store(s + 2, release)

    @p.thread
    def reader() -> None:
        before = sequence.load(acquire)
        a = left.load(relaxed)
        b = right.load(relaxed)
        fence(acquire)
        after = sequence.load(relaxed)
        assume(before == after and before % 2 == 0)  # a real reader would try again
        assert a == b, "half of a write was read"

    return p
