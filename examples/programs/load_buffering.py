"""Load buffering: a store that others see before the load that comes before it. C and C++ forbid that as it is;
hardware need not, unless the store depends on the load.

porf explore examples/programs/load_buffering.py --model imm
"""

import porf
from porf.programs.python import relaxed

p = porf.program("load_buffering")
x = p.int("x")
y = p.int("y")


@p.thread
def early() -> None:
    seen = x.load(relaxed)
    y.store(1, relaxed)
    assert seen == 0


@p.thread
def copies() -> None:
    x.store(y.load(relaxed), relaxed)
