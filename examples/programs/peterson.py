"""Peterson's lock for two threads: with an update, with a fence, and as textbooks print it, which fails under ra.

porf explore examples/programs/peterson.py:with_update --model ra
porf explore examples/programs/peterson.py:with_fence --model rc11
porf explore examples/programs/peterson.py:textbook --model ra
"""

import porf
from porf.programs.python import acq_rel, acquire, fence, release, seq_cst


def peterson(name: str, update: bool = False, fenced: bool = False) -> porf.ProgramBuilder:
    p = porf.program(name)
    flag = p.array("flag", 2)
    turn = p.int("turn")
    inside = p.int("inside")

    @p.thread(args=range(2))
    def thread(me: int) -> None:
        other = 1 - me
        flag[me].store(1, release)
        if update:  # of two updates the second sees all that came before the first
            turn.exchange(other, acq_rel)
        else:
            turn.store(other, release)
        if fenced:  # of two such fences likewise
            fence(seq_cst)
        while flag[other].load(acquire) and turn.load(acquire) == other:
            pass
        inside.store(me, release)
        assert inside.load(acquire) == me, "two threads in the critical section"
        flag[me].store(0, release)

    return p


with_update = peterson("with_update", update=True)
with_fence = peterson("with_fence", fenced=True)
textbook = peterson("textbook")
