"""Peterson's lock for two threads: with an update, with two fences, and two versions that fail under weak memory.

porf explore examples/programs/peterson.py:with_update --model ra
porf explore examples/programs/peterson.py:with_fences --model rc20
porf explore examples/programs/peterson.py:one_fence --model rc20
porf explore examples/programs/peterson.py:textbook --model ra
"""

import porf
from porf.programs.python import acq_rel, acquire, fence, release, seq_cst


def peterson(name: str, update: bool = False, fences: int = 0) -> porf.ProgramBuilder:
    p = porf.program(name)
    flag = p.array("flag", 2)
    turn = p.int("turn")
    inside = p.int("inside")

    @p.thread(args=range(2))
    def thread(me: int) -> None:
        other = 1 - me
        flag[me].store(1, release)
        if fences == 2:  # who does not see the other's flag was first, so the other's turn is the last
            fence(seq_cst)
        if update:  # of two updates the second sees all that came before the first
            turn.exchange(other, acq_rel)
        else:
            turn.store(other, release)
        if fences:
            fence(seq_cst)
        while flag[other].load(acquire) and turn.load(acquire) == other:
            pass
        inside.store(me, release)
        assert inside.load(acquire) == me, "two threads in the critical section"
        flag[me].store(0, release)

    return p


with_update = peterson("with_update", update=True)
with_fences = peterson("with_fences", fences=2)
one_fence = peterson("one_fence", fences=1)
textbook = peterson("textbook")
