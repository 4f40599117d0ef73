"""Histories of a cache-coherence protocol: random clients on a simulated machine, sound or with a known bug.

The machine is in the core (core/generate/coherence.hpp). It stands in for the hardware simulators from which such
histories are taken (Zennou et al. 2019, Section 6).
"""

import numpy as np

from porf import _core
from porf._core import ProtocolFault
from porf.errors import UsageError, check_options, nearest
from porf.execution import Execution, Order
from porf.formats.names import NumberedNames
from porf.generate.runs import unique_values
from porf.record import Record

PROTOCOLS = tuple(protocol.name.lower() for protocol in _core.Protocol)
MEMORIES = ("sc", "tso")

_MOST_CPUS = 64
_MOST_COPIES = 1 << 24  # lines of all caches together


class Fault(Record):
    """A bug of the protocol: where it makes sense, and how often it occurs by default."""

    meaning: str
    rate: float
    protocols: tuple[str, ...] = PROTOCOLS
    memories: tuple[str, ...] = MEMORIES


_SHARING = ("mesi", "moesi")

FAULTS: dict[str, Fault] = {
    "lost-invalidation": Fault("a sharer acknowledges an invalidation and keeps its copy", 0.05, _SHARING),
    "early-store-hit": Fault("a store completes before all invalidations are acknowledged", 1.0, _SHARING),
    "stale-data": Fault("memory answers although an owner has newer data", 0.05),
    "reordered-ack": Fault("an invalidation overtakes data sent before it, and is acknowledged first", 1.0, _SHARING),
    "lost-writeback": Fault("the data of an evicted line does not reach memory", 0.05),
    "stale-forward": Fault("an owner that gave its data to a reader still writes as if alone", 0.5, ("moesi",)),
    "buffer-bypass": Fault("a load does not look into its cpu's store buffer", 0.02, memories=("tso",)),
    "buffer-reorder": Fault("a store leaves the buffer before an older one of another line", 0.5, memories=("tso",)),
}


def coherence(
    operations: int,
    cpus: int = 4,
    addresses: int = 16,
    *,
    protocol: str = "mesi",
    memory: str = "sc",
    fault: str | None = None,
    fault_rate: float | None = None,
    reads: float = 0.7,
    lines: int | None = None,
    seed: int = 0,
) -> Execution:
    """A run of random clients, cpu after cpu, as a tester records it: what each load read, and no order in time.

    Without a fault it is consistent under `memory`: sc, or tso, where stores go through a buffer. A cache holds
    `lines` addresses (three quarters of them by default, at most 64), so lines are evicted and written back. Values
    are unique.
    """
    _check_numbers(operations, cpus, addresses, reads, seed)
    if lines is None:
        lines = max(1, min(64, 3 * addresses // 4))
    if not 1 <= lines < 2**31:
        raise UsageError(f"lines is {lines}", hint="a cache holds at least one")
    _known("protocol", protocol, PROTOCOLS)
    _known("memory", memory, MEMORIES)
    code, rate = _fault(fault, fault_rate, protocol, memory)
    run = _core.run_coherence(
        protocol=_core.Protocol[protocol.upper()],
        fault=code,
        fault_rate=rate,
        store_buffers=memory == "tso",
        cpus=cpus,
        operations=operations,
        lines=addresses,
        capacity=lines,
        reads=reads,
        seed=seed,
    )
    read_value, written_value = unique_values(run.op, run.rf)
    return Execution(
        thread=run.thread,
        op=run.op,
        loc=_core.number_by_appearance(run.loc, addresses),
        order=np.full(len(run.op), Order.RLX, np.uint8),
        rf=run.rf,
        thread_names=NumberedNames("P", int(run.thread[-1]) + 1),
        loc_names=NumberedNames("x", addresses),
        init_value=np.zeros(addresses, np.int64),
        read_value=read_value,
        written_value=written_value,
        source=f"<{protocol} over {memory}{f' with {fault}' if fault else ''}, seed {seed}>",
    )


def _check_numbers(operations: int, cpus: int, addresses: int, reads: float, seed: int) -> None:
    if not 1 <= cpus <= _MOST_CPUS:
        raise UsageError(f"cpus is {cpus}", hint=f"it is between 1 and {_MOST_CPUS}")
    for name, value in (("operations", operations), ("addresses", addresses)):
        if not 1 <= value < 2**31:
            raise UsageError(f"{name} is {value}", hint="it is at least 1 and below 2^31")
    if cpus * addresses > _MOST_COPIES:
        hint = f"the caches keep a state for each address: use at most {_MOST_COPIES // cpus} addresses"
        raise UsageError(f"{addresses} addresses on {cpus} cpus take too much memory", hint=hint)
    if not 0 <= reads <= 1:
        raise UsageError(f"reads is {reads}", hint="it is a share between 0 and 1")
    check_options(seed=seed)


def _known(what: str, name: str, known: tuple[str, ...]) -> str:
    if name not in known:
        raise UsageError(f"unknown {what} '{name}'", hint=nearest(name, known) or "it is one of " + " ".join(known))
    return name


def _fault(name: str | None, rate: float | None, protocol: str, memory: str) -> tuple[ProtocolFault, float]:
    """The core's fault, and how often it strikes."""
    if name is None:
        if rate is not None:
            raise UsageError("a fault rate without a fault", hint="name a fault: " + " ".join(FAULTS))
        return ProtocolFault.NONE, 0.0
    fault = FAULTS[_known("fault", name, tuple(FAULTS))]
    if protocol not in fault.protocols:
        hint = f"{fault.meaning}; it is possible with {' or '.join(fault.protocols)}"
        raise UsageError(f"{protocol} cannot have the fault {name}", hint=hint)
    if memory not in fault.memories:
        raise UsageError(f"the fault {name} needs a store buffer", hint=f"{fault.meaning}; use memory tso")
    if rate is None:
        rate = fault.rate
    if not 0 <= rate <= 1:
        raise UsageError(f"the fault rate is {rate}", hint="it is a probability between 0 and 1")
    return ProtocolFault[name.upper().replace("-", "_")], rate
