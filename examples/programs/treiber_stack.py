"""Treiber's stack: a list whose head is exchanged. Nodes are elements of an array, 0 is the end of the list.

porf explore examples/programs/treiber_stack.py -D n=2 --model ra
"""

import porf
from porf.programs.python import acq_rel, acquire, relaxed, release


def treiber_stack(n: int = 2) -> porf.ProgramBuilder:
    p = porf.program(f"treiber_stack({n})")
    head = p.int("head")
    next_node = p.array("next", n + 1)
    value = p.array("value", n + 1, plain=True)

    @p.function
    def push(node: int, new: int) -> None:
        value[node].value = new
        while True:
            top = head.load(acquire)
            next_node[node].store(top, relaxed)
            if head.compare_exchange(top, node, release, relaxed):
                return

    @p.function
    def pop() -> int:
        """The value on top, or 0 if there is none."""
        while True:
            top = head.load(acquire)
            if top == 0:
                return 0
            below = next_node[top].load(relaxed)
            if head.compare_exchange(top, below, acq_rel, relaxed):
                return value[top].value

    @p.thread(args=range(1, n + 1))
    def worker(i: int) -> None:
        push(i, 10 + i)
        found = pop()
        assert 10 < found <= 10 + n, "a pushed value is lost"

    @p.final
    def empty() -> None:
        assert head.load(relaxed) == 0, "the stack is not empty"

    return p
