"""Claim: the monitor's cost an event stays flat where that of a closed order grows (Tunç et al. 2023, §5.2, Fig. 12).

Five patterns in the spirit of Fig. 11 (whose drawing is not in the paper's text; these follow §5.2 and B.2), each
fed an event at a time to (a) the core's monitor, (b) the offline kernel, run again after each event, and (c) a
baseline that keeps the modification order closed. All three answer after every event.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

import measuring
import numpy as np
from closed_mo_baseline import ClosedMonitor

from porf import UsageError, _core, generate
from porf.execution import INITIAL, Execution, Op, Order

Event = tuple[int, int, int, int, int]  # thread, op, location, order, rf
Pattern = Callable[[int, int], Iterator[Event]]  # of so many events and threads
RA = _core.CoherenceModel.RA


def write(thread: int, loc: int) -> Event:
    return thread, Op.WRITE, loc, Order.REL, INITIAL


def read(thread: int, loc: int, rf: int) -> Event:
    return thread, Op.READ, loc, Order.ACQ, rf


def update(thread: int, loc: int, rf: int) -> Event:
    return thread, Op.UPDATE, loc, Order.ACQ_REL, rf


def readers_of_a_growing_chain(n: int, k: int) -> Iterator[Event]:
    """One thread grows a chain of updates; the others each read every link of it."""
    yield write(0, 0)
    newest, at = 0, 1
    while at < n:
        for reader in range(1, k):
            yield read(reader, 0, newest)
        yield update(0, 0, newest)
        newest, at = at + k - 1, at + k


def stale_reads_of_many_writers(n: int, k: int) -> Iterator[Event]:
    """Half of the threads write one location, unseen; the other half then read all of it, oldest first, in turn."""
    writers = max(k // 2, 1)
    rows = n // (1 + max(k - writers, 1))
    for at in range(rows):
        yield write(at % writers, 0)
    for at in range(rows):
        for reader in range(writers, k):
            yield read(reader, 0, at)


def a_chain_of_updates(n: int, k: int) -> Iterator[Event]:
    """All threads increment one counter by turns, and each also writes and reads a place of its own."""
    newest, at = INITIAL, 0
    while at < n:
        thread = at // 3 % k
        yield update(thread, 0, newest)
        newest = at
        yield write(thread, 1 + thread)
        yield read(thread, 1 + thread, at + 1)
        at += 3


def late_edges_into_long_threads(n: int, k: int) -> Iterator[Event]:
    """Two threads have written at length when readers order their writes pairwise, the latest pairs first: each
    edge is then inherited by all writes that follow in program order.
    """
    pairs, readers = n // 4, max(k - 2, 1)
    for at in range(2 * pairs):
        yield write(at % 2, 0)
    part = -(-pairs // readers)
    for reader in reversed(range(readers)):
        for pair in range(reader * part, min((reader + 1) * part, pairs)):
            yield read(2 + reader, 0, 2 * pair)
            yield read(2 + reader, 0, 2 * pair + 1)


def messages_from_all_to_all(n: int, k: int) -> Iterator[Event]:
    """Rounds in which each thread writes a letter to each, then takes the letters of all."""
    for start in range(0, n, 2 * k * k):
        for at in range(k * k):
            yield write(at // k, at)
        for at in range(k * k):
            to, sender = divmod(at, k)
            yield read(to, sender * k + to, start + sender * k + to)


PATTERNS: tuple[Pattern, ...] = (
    readers_of_a_growing_chain,
    stale_reads_of_many_writers,
    a_chain_of_updates,
    late_edges_into_long_threads,
    messages_from_all_to_all,
)


def by_monitor(events: list[Event]) -> bool:
    feed = _core.Monitor(RA).feed
    return {feed(*event) for event in events} <= {True}


def by_closure(events: list[Event]) -> bool:
    feed = ClosedMonitor().feed
    return {feed(*event) for event in events} <= {True}


def by_kernel(events: list[Event]) -> bool:
    """The offline kernel on each prefix; the columns are made once and sliced."""
    table = np.array(events)
    kinds = (np.int32, np.uint8, np.int32, np.uint8, np.int32)
    columns = [np.ascontiguousarray(table[:, at], kind) for at, kind in enumerate(kinds)]
    threads, locations = int(table[:, 0].max()) + 1, int(table[:, 2].max()) + 1
    fine = True
    for end in range(1, len(events) + 1):
        part = [column[:end] for column in columns]
        execution = _core.Execution(*part, threads, locations)
        fine = fine and _core.run_kernel("ra", execution, _core.Budget()).answer == "consistent"
    return fine


def agree(count: int) -> int:
    """How many of some random executions are consistent; the three must say the same."""
    consistent = 0
    for seed in range(count):
        events = rows_of(small(seed))
        answers = {by_monitor(events), by_closure(events), by_kernel(events)}
        assert len(answers) == 1, f"seed {seed}: monitor, closure and kernel differ"
        consistent += answers.pop()
    return consistent


def small(seed: int) -> Execution:
    rng = random.Random(seed)
    threads, locations, updates = rng.randint(1, 5), rng.randint(1, 3), rng.choice((0.0, 0.2, 0.4))
    g = generate.weak(rng.randint(1, 30), threads, locations, updates=updates, seed=seed)
    for _ in range(rng.choice((0, 1, 2))):
        try:
            moved = generate.broken(g, seed=rng.randrange(1000))
        except UsageError:  # no read can be moved
            break
        if (moved.rf < np.arange(len(moved))).all():  # a monitor's events come after what they read
            g = moved
    return g


def rows_of(g: Execution) -> list[Event]:
    return list(zip(*(getattr(g, name).tolist() for name in ("thread", "op", "loc", "order", "rf")), strict=True))


def compare(report: measuring.Report, pattern: Pattern, options: argparse.Namespace) -> None:
    """Times each procedure as far as it goes, and compares them at the size that the slow ones reach."""

    def times(decide: Callable[[list[Event]], bool], sizes: list[int]) -> list[float]:
        found = []
        for n in sizes:
            events = list(pattern(n, options.threads))
            assert decide(events), f"{pattern.__name__} is consistent"
            found.append(measuring.seconds(lambda e=events: decide(e), options.repeat) / len(events))
        return found

    slow = measuring.powers(options.baseline_events // 4, options.baseline_events)
    fast = measuring.powers(options.events // 4, options.events)
    monitor, closed, kernel = times(by_monitor, fast), times(by_closure, slow), times(by_kernel, slow)
    same = times(by_monitor, slow[-1:])[0]
    report.row(
        pattern=pattern.__name__.replace("_", " "),
        us_monitor=1e6 * monitor[-1],
        growth=measuring.exponent(fast, monitor),
        us_small=1e6 * same,
        us_closed=1e6 * closed[-1],
        growth_closed=measuring.exponent(slow, closed),
        us_offline=1e6 * kernel[-1],
        growth_offline=measuring.exponent(slow, kernel),
        closed_ratio=closed[-1] / same,
        offline_ratio=kernel[-1] / same,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=80_000, help="the largest n for the monitor")
    parser.add_argument("--baseline-events", type=int, default=2000, help="the largest n for the two baselines")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--agree", type=int, default=500, help="how many small executions the three must agree on")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    report.title(f"the same verdicts on {options.agree} small random executions")
    report.row(consistent=agree(options.agree))
    report.title(
        f"microseconds an event, {options.threads} threads: the monitor at {options.events:,} events, then all three "
        f"at {options.baseline_events:,};\ngrowth is the exponent of the cost of one event, ratios are to the monitor"
    )
    for pattern in PATTERNS:
        compare(report, pattern, options)


if __name__ == "__main__":
    main()
