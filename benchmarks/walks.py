"""Claim: RC11 with SC accesses and fences, IMM, and models of hardware are decided in near-linear time by walks.

Histories of a machine whose writes take place in row order: an SC access takes the last write, any other a write that
is as stale as release, acquire and the SC fences before it allow. Rows are in that order, or thread by thread, where
the order of the writes is to be found again. Each model is asked for the verdict alone. Targets: RC11 with a fifth of
its accesses SC, 100,000 events in 2 s, exponent at most 1.3; arm8 and power, 10,000 events in 5 s.
"""

from __future__ import annotations

import argparse
import random
import time

import measuring
import numpy as np

from porf import check
from porf.checking.verdict import Verdict
from porf.execution import Execution, Op, Order

THREADS, EACH, STALE = 8, 50, 6  # threads; events a location; how many writes back a read may go
PLAIN = (Order.RLX, Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL)


def stale(
    events: int, sc: float, *, fences: float = 0.02, updates: float = 0.05, seed: int = 0
) -> list[tuple[int, ...]]:
    """Rows (thread, op, loc, order, rf) of a run of the machine."""
    rng = random.Random(seed)
    locations = max(4, events // EACH)
    written: list[list[int]] = [[-1] for _ in range(locations)]  # rows, in modification order
    carried: dict[int, dict[int, int]] = {}  # what a release hands on: places in `written`, by location
    seen: list[dict[int, int]] = [{} for _ in range(THREADS)]
    pending: list[dict[int, int]] = [{} for _ in range(THREADS)]  # for the next acquire fence
    released: list[dict[int, int]] = [{} for _ in range(THREADS)]  # by the last release fence
    fenced: dict[int, int] = {}  # by SC fences
    begun: dict[tuple[int, int], dict[int, int]] = {}  # by a thread's last release of a location
    rows: list[tuple[int, ...]] = []

    def learn(view: dict[int, int], other: dict[int, int]) -> None:
        for loc, at in other.items():
            if view.get(loc, 0) < at:
                view[loc] = at

    for row in range(events):
        t = rng.randrange(THREADS)
        view = seen[t]
        if rng.random() < fences:
            order = rng.choice((Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC))
            if order != Order.REL:
                learn(view, pending[t])
                pending[t] = {}
            if order == Order.SC:
                learn(view, fenced)
                learn(fenced, view)
            if order != Order.ACQ:
                released[t] = dict(view)
            rows.append((t, Op.FENCE, -1, order, -1))
            continue
        loc = int(rng.random() ** 2 * locations)
        op = Op.UPDATE if rng.random() < updates else Op.READ if rng.random() < 0.55 else Op.WRITE
        strong = rng.random() < sc
        order = Order.SC if strong else rng.choice(PLAIN)
        last = len(written[loc]) - 1
        rf, handed = -1, dict[int, int]()
        if op != Op.WRITE:
            oldest = last if strong or op == Op.UPDATE else max(view.get(loc, 0), last - STALE)
            at = rng.randint(oldest, last)
            rf, view[loc] = written[loc][at], at
            handed = carried.get(rf, {})
            learn(view if order in (Order.ACQ, Order.ACQ_REL, Order.SC) else pending[t], handed)
        if op != Op.READ:
            view[loc] = len(written[loc])
            written[loc].append(row)
            if order == Order.SC:
                fenced[loc] = view[loc]
            out = dict(view if order >= Order.REL else released[t])
            learn(out, begun.get((t, loc), {}))  # later writes of the thread are in its release sequence
            begun[t, loc] = out
            if op == Op.UPDATE:
                learn(out, handed)
            carried[row] = out
            if len(written[loc]) > STALE + 2:
                carried.pop(written[loc][-STALE - 2], None)
        rows.append((t, op, loc, order, rf))
    return rows


def made(rows: list[tuple[int, ...]], *, by_thread: bool) -> Execution:
    """The execution of rows, as they are or thread by thread."""
    thread, op, loc, order, rf = (np.array(column, np.int32) for column in zip(*rows, strict=True))
    if by_thread:
        kept = np.argsort(thread, kind="stable")
        place = np.empty(len(rows), np.int32)
        place[kept] = np.arange(len(rows), dtype=np.int32)
        rf = np.where(rf >= 0, place[rf], -1).astype(np.int32)[kept]
        thread, op, loc, order = thread[kept], op[kept], loc[kept], order[kept]
    locations = int(loc.max()) + 1
    return Execution(
        thread=thread,
        op=op.astype(np.uint8),
        loc=loc,
        order=order.astype(np.uint8),
        rf=rf,
        thread_names=[f"T{t}" for t in range(THREADS)],
        loc_names=[f"x{x}" for x in range(locations)],
        init_value=np.zeros(locations, np.int64),
    )


def decided(execution: Execution, model: str) -> tuple[Verdict, float]:
    start = time.process_time()
    verdict = check(execution, model, seconds=120)
    return verdict, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=200_000, help="events of the longest history")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = measuring.Report(arguments.json)
    for model, sc, most in (
        ("rc11", 0.2, arguments.most),
        ("cpp20", 0.2, arguments.most),
        ("imm", 0.2, arguments.most // 4),
        ("arm8", 0.2, arguments.most // 4),
        ("power", 0.2, arguments.most // 10),
    ):
        for by_thread in (False, True):
            report.title(f"{model}, rows {'thread by thread' if by_thread else 'as they happened'}")
            sizes, times = measuring.powers(most // 16, most), []
            for size in sizes:
                execution = made(stale(size, sc), by_thread=by_thread)
                verdict, taken = decided(execution, model)
                times.append(taken)
                report.row(events=size, seconds=taken, answer=str(verdict.answer), by=verdict.algorithm)
            report.row(exponent=measuring.exponent(sizes, times))


if __name__ == "__main__":
    main()
