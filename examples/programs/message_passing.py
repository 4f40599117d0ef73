"""Message passing: data that is not atomic is handed over by a flag. Safe; without release and acquire it is a race.

porf explore examples/programs/message_passing.py --model rc20
"""

import porf
from porf.programs.python import acquire, relaxed, release

p = porf.program("message_passing")
data = p.plain("data")
ready = p.int("ready")


@p.thread
def sender() -> None:
    data.value = 42
    ready.store(1, release)


@p.thread
def receiver() -> None:
    while ready.load(acquire) == 0:
        pass
    assert data.value == 42


# The same with relaxed accesses: nothing orders the two threads, and the accesses to `data` race.
broken = porf.program("message_passing_relaxed")
its_data = broken.plain("data")
its_ready = broken.int("ready")


@broken.thread
def relaxed_sender() -> None:
    its_data.value = 42
    its_ready.store(1, relaxed)


@broken.thread
def relaxed_receiver() -> None:
    while its_ready.load(relaxed) == 0:
        pass
    assert its_data.value == 42
