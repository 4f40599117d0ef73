"""Random runs: numpy draws what each thread does, a machine in the core decides what each read reads."""

import numpy as np

from porf import _core
from porf.errors import UsageError, check_options, nearest
from porf.execution import INITIAL, NO_VALUE, Execution, Int32, Int64, Op, Order, UInt8
from porf.formats.names import NumberedNames

# How orders are chosen: for each operation (read, write, update, fence) the orders to draw from.
ORDERS: dict[str, tuple[tuple[Order, ...], ...]] = {
    "rlx": ((Order.RLX,), (Order.RLX,), (Order.RLX,), (Order.ACQ_REL,)),
    "ra": ((Order.ACQ,), (Order.REL,), (Order.ACQ_REL,), (Order.ACQ_REL,)),
    "sc": ((Order.SC,), (Order.SC,), (Order.SC,), (Order.SC,)),
    "mixed": (
        (Order.RLX, Order.ACQ),
        (Order.RLX, Order.REL),
        (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL),
        (Order.ACQ, Order.REL, Order.ACQ_REL),
    ),
}

_EVENT = 64  # bytes that an event takes, at least, while it is made
_MOST_VIEWS = 4 << 30  # bytes


def interleaving(
    events: int,
    threads: int = 4,
    locations: int = 4,
    *,
    reads: float = 0.5,
    updates: float = 0.1,
    fences: float = 0.0,
    orders: str = "rlx",
    group_by_thread: bool = False,
    seed: int = 0,
) -> Execution:
    """A random sequential interleaving: each read takes the last write, so every model accepts it.

    `reads`, `updates` and `fences` are shares of the events; the rest are writes. Values are unique.
    """
    check_options(seed=seed)
    random = np.random.Generator(np.random.PCG64(seed))
    thread, op, loc = _steps(random, events, threads, locations, reads, updates, fences)
    rf = _core.run_sequential(thread, op, loc, threads, locations)
    order = _draw_orders(random, op, orders)
    return _execution(thread, op, loc, order, rf, threads, locations, group_by_thread, f"interleaving, seed {seed}")


def weak(
    events: int,
    threads: int = 4,
    locations: int = 4,
    *,
    reads: float = 0.5,
    updates: float = 0.1,
    fences: float = 0.0,
    orders: str = "ra",
    window: int = 8,
    group_by_thread: bool = False,
    seed: int = 0,
) -> Execution:
    """A run of the release/acquire machine, with stale reads and late writes: always consistent under RA.

    `window` is how many of a location's newest writes each event chooses from; 1 gives an interleaving.
    """
    if 4 * locations * (threads + window * locations) > _MOST_VIEWS:
        hint = f"it keeps what {window} messages per location have seen of every location; use fewer locations"
        raise UsageError(f"a weak run over {locations} locations takes too much memory", hint=hint)
    if window < 1:
        raise UsageError(f"window is {window}", hint="it is at least 1")
    check_options(seed=seed)
    random = np.random.Generator(np.random.PCG64(seed))
    thread, op, loc = _steps(random, events, threads, locations, reads, updates, fences)
    choices = random.integers(0, 2**32, events, np.uint32)
    rf = _core.run_release_acquire(thread, op, loc, threads, locations, choices, window)
    order = _draw_orders(random, op, orders)
    return _execution(thread, op, loc, order, rf, threads, locations, group_by_thread, f"weak run, seed {seed}")


def _steps(
    random: np.random.Generator, events: int, threads: int, locations: int, reads: float, updates: float, fences: float
) -> tuple[Int32, UInt8, Int32]:
    for name, value in (("events", events), ("threads", threads), ("locations", locations)):
        if not 1 <= value < 2**31:
            raise UsageError(f"{name} is {value}", hint="it is at least 1 and below 2^31")
    _core.Allowance.claim(_EVENT * events)
    shares = (reads, 1 - reads - updates - fences, updates, fences)
    if not (all(share >= 0 for share in (reads, updates, fences)) and shares[1] >= -1e-9):
        hint = "each is between 0 and 1, and together they are at most 1"
        raise UsageError(f"the shares are reads {reads}, updates {updates}, fences {fences}", hint=hint)
    thread = random.integers(0, threads, events, np.int32)
    borders = np.cumsum(shares)[:3]
    op = np.searchsorted(borders, random.random(events, np.float32), side="right").astype(np.uint8)
    loc = random.integers(0, locations, events, np.int32)
    loc[op == Op.FENCE] = -1
    return thread, op, loc


def _draw_orders(random: np.random.Generator, op: UInt8, orders: str) -> UInt8:
    if orders not in ORDERS:
        hint = nearest(orders, ORDERS) or "they are one of " + " ".join(ORDERS)
        raise UsageError(f"unknown orders '{orders}'", hint=hint)
    choices = ORDERS[orders]
    width = max(map(len, choices))
    table = np.array([[kind[i % len(kind)] for i in range(width * 6)] for kind in choices], np.uint8)
    if width == 1:
        return np.ascontiguousarray(table[:, 0][op])
    return np.ascontiguousarray(table[op, random.integers(0, table.shape[1], len(op), np.uint8)])


def _execution(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    group_by_thread: bool,
    source: str,
) -> Execution:
    # Threads and locations are numbered as they appear, as in the line formats, so that these lose nothing.
    thread = _core.number_by_appearance(thread, threads)
    if group_by_thread:
        rows = np.argsort(thread, kind="stable")
        new_row = np.empty(len(rows), np.int32)
        new_row[rows] = np.arange(len(rows), dtype=np.int32)
        thread, op, loc, order, rf = thread[rows], op[rows], loc[rows], order[rows], rf[rows]
        rf = np.where(rf == INITIAL, rf, new_row[rf]).astype(np.int32)
    read_value, written_value = unique_values(op, rf)
    return Execution(
        thread=thread,
        op=op,
        loc=_core.number_by_appearance(loc, locations),
        order=order,
        rf=rf,
        thread_names=NumberedNames("T", threads),
        loc_names=NumberedNames("x", locations),
        init_value=np.zeros(locations, np.int64),
        read_value=read_value,
        written_value=written_value,
        source=f"<{source}>",
    )


def unique_values(op: UInt8, rf: Int32) -> tuple[Int64, Int64]:
    """Read and written values in which every write has its own, from 1, and initial values are 0."""
    writes = (op == Op.WRITE) | (op == Op.UPDATE)
    reads = (op == Op.READ) | (op == Op.UPDATE)
    written = np.where(writes, np.cumsum(writes, dtype=np.int64), NO_VALUE)
    read = np.where(rf == INITIAL, 0, written[rf])
    return np.where(reads, read, NO_VALUE), written
