"""Rounds of a stress test: each draws a program, runs it on the cores, and is an execution like any other."""

from collections.abc import Iterator

import numpy as np

from porf import _core
from porf.errors import UsageError
from porf.execution import Execution
from porf.formats.names import NumberedNames
from porf.stress.plan import Plan

_SEEDS = 2**32


def usable_cores() -> int:
    """How many cores this process may use."""
    return _core.usable_cores()


def refuse_seed(seed: int) -> None:
    if not 0 <= seed < _SEEDS:
        raise UsageError(f"the seed is {seed}", hint="it is at least 0 and below 2^32")


class Rounds(Iterator[Execution]):
    """An endless iterator. The seed fixes what the threads do, never what they see.

    Threads are made once, each on a core of its own as far as there are cores. Every write writes its own value, its
    row and one, so the value that a read saw says which write it took.
    """

    def __init__(self, plan: Plan, seed: int = 0) -> None:
        refuse_seed(seed)
        self.plan = plan
        self.seed = seed
        self.done = 0
        try:
            self._harness = _core.Harness(plan.threads)
        except RuntimeError as error:
            raise UsageError(f"{plan.threads} threads cannot be started: {error}", hint="ask for fewer") from error

    def __next__(self) -> Execution:
        plan, number = self.plan, self.done
        packed = number % 2 == 1 if plan.layout == "both" else plan.layout == "packed"
        seed = (self.seed * _SEEDS + number) % 2**64
        found = self._harness.run(plan.ops, plan.locations, plan.mix, plan.burst, packed, seed)
        locations = found.locations
        self.done += 1
        return Execution(
            thread=found.thread,
            op=found.op,
            loc=found.loc,
            order=found.order,
            rf=found.rf,
            read_value=found.read_value,
            written_value=found.written_value,
            thread_names=NumberedNames("T", plan.threads),
            loc_names=NumberedNames("x", locations),
            init_value=np.zeros(locations, np.int64),
            source=f"<stress, seed {self.seed}, round {self.done}>",
        )
