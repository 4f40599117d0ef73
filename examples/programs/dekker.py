"""Dekker's idea: each thread raises its flag and enters only if the other's is down. It needs a fence between the two.

porf explore examples/programs/dekker.py:with_fence --model rc20
porf explore examples/programs/dekker.py:textbook --model ra
"""

import porf
from porf.programs.python import acquire, fence, release, seq_cst


def dekker(name: str, fenced: bool) -> porf.ProgramBuilder:
    p = porf.program(name)
    flag = p.array("flag", 2)
    shared = p.plain("shared")

    @p.thread(args=range(2))
    def thread(me: int) -> None:
        flag[me].store(1, release)
        if fenced:
            fence(seq_cst)
        if flag[1 - me].load(acquire) == 0:
            shared.value = me
            assert shared.value == me, "two threads in the critical section"

    return p


with_fence = dekker("with_fence", fenced=True)
textbook = dekker("textbook", fenced=False)
