"""Runs of the simulated cache protocols, valid or with each fault in turn, for several benchmarks. Not a script."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porf import check
from porf.execution import Execution
from porf.generate.coherence import FAULTS, PROTOCOLS, coherence


def valid(operations: int, cpus: int, addresses: int, memory: str, seed: int, reads: float = 0.7) -> Execution:
    """A run without a fault; the protocol goes round with the seed."""
    protocol = PROTOCOLS[seed % len(PROTOCOLS)]
    return coherence(operations, cpus, addresses, protocol=protocol, memory=memory, reads=reads, seed=seed)


@dataclass(frozen=True, eq=False)
class Run:
    """A run with a fault that is a violation, and how many runs with that fault it took to find one."""

    history: Execution
    protocol: str
    memory: str
    fault: str
    drawn: int


def places(memory: str) -> list[tuple[str, str]]:
    """Every protocol with every fault that it can have over a memory."""
    return [
        (protocol, name)
        for name, fault in FAULTS.items()
        for protocol in PROTOCOLS
        if protocol in fault.protocols and memory in fault.memories
    ]


def faulty(memory: str, cpus: int, addresses: int, sizes: Sequence[int]) -> Iterator[Run]:
    """The violations among runs without end: sizes, faults and protocols in turn, faults as frequent as by default.

    A fault that seldom shows in short runs is seldom among them.
    """
    drawn: Counter[tuple[str, str]] = Counter()
    for seed, (size, place) in enumerate(itertools.cycle(itertools.product(sizes, places(memory)))):
        protocol, fault = place
        drawn[place] += 1
        history = coherence(size, cpus, addresses, protocol=protocol, memory=memory, fault=fault, seed=seed)
        if check(history, memory).inconsistent:
            yield Run(history, protocol, memory, fault, drawn.pop(place))
