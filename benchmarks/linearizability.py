"""Claim: linearizability of registers whose values are unique is decided in near-linear time.

Clients run reads, writes and compare-and-swaps on registers; each operation takes effect at one moment between its
start and its end. One history in two has a stale read in its middle: it takes a value that had been overwritten when
it began. Target: 1,000,000 operations of 16 clients on 1,000 registers in 5 s, right or with one stale read.
"""

from __future__ import annotations

import argparse
import random
from functools import partial

import measuring
import numpy as np

from porf import check
from porf.execution import Execution, Op
from porf.said import Times

CLIENTS, REGISTERS = 16, 1000


def registers(operations: int, *, stale: bool = False, clients: int = CLIENTS, seed: int = 0) -> Execution:
    """A history of correct registers, in the order in which operations began; perhaps with one stale read."""
    rng = random.Random(seed)
    free = [0] * clients  # when each can begin its next operation
    planned = []
    for number in range(operations):
        client = number % clients
        start = free[client] + rng.randrange(1, 20)
        end = start + rng.randrange(1, 100)
        free[client] = end + 1
        planned.append((rng.randint(start, end), start, end, client, rng.randrange(REGISTERS), rng.random()))
    planned.sort()
    count = len(planned)
    moment, start, end, client, loc, chance = (np.array(column) for column in zip(*planned, strict=True))
    op = np.where(chance < 0.5, Op.READ, np.where(chance < 0.8, Op.WRITE, Op.UPDATE)).astype(np.uint8)
    rf = np.full(count, -1, np.int32)
    last: dict[int, list[tuple[int, int]]] = {}  # of each register: its writes, and when they were there
    for row in range(count):
        written = last.setdefault(int(loc[row]), [])
        if op[row] != Op.WRITE:
            rf[row] = written[-1][0] if written else -1
        if op[row] == Op.READ and stale and 2 * row > count:
            there = [w for w, at in written if end[w] < start[row]]
            if len(there) > 2:  # two writes had ended, one after the other
                old = [w for w in there if end[w] < start[there[-1]]]
                if old:
                    rf[row], stale = old[-1], False
        if op[row] != Op.READ:
            written.append((row, int(moment[row])))
    order = np.argsort(start, kind="stable")
    place = np.empty(count, np.int32)
    place[order] = np.arange(count, dtype=np.int32)
    return Execution(
        thread=client[order].astype(np.int32),
        op=op[order],
        loc=loc[order].astype(np.int32),
        order=np.ones(count, np.uint8),
        rf=np.where(rf[order] >= 0, place[rf[order]], -1).astype(np.int32),
        thread_names=[f"C{t}" for t in range(clients)],
        loc_names=[f"r{x}" for x in range(REGISTERS)],
        init_value=np.zeros(REGISTERS, np.int64),
        times=Times(start[order].astype(np.int64), end[order].astype(np.int64)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1_000_000, help="operations of the longest history")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = measuring.Report(arguments.json)
    for model, strict in (("lin", False), ("sc", True)):
        for stale in (False, True):
            said = f"{model}{' --strict' if strict else ''}, {'one stale read' if stale else 'right'}"
            most = arguments.most if model == "lin" else arguments.most // 10
            report.title(said)
            sizes, times = measuring.powers(most // 8, most), []
            for size in sizes:
                execution = registers(size, stale=stale)
                times.append(measuring.seconds(partial(check, execution, model, strict=strict)))
                answer = str(check(execution, model, strict=strict).answer)
                report.row(operations=size, seconds=times[-1], answer=answer)
            report.row(exponent=measuring.exponent(sizes, times))


if __name__ == "__main__":
    main()
