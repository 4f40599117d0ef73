"""Claim: SC and TSO are monitored in bounded memory, whatever the length of the stream.

A store is right: threads run reads, writes, fences and updates at random on a memory, under TSO with buffers of writes,
and the monitor is told of each event through `porf.Monitor`. Target: 300,000 events a second, memory flat.
"""

from __future__ import annotations

import argparse
import random
import time

import measuring

from porf import INITIAL, Monitor

THREADS, DEEPEST = 4, 8


def events(number: int, locations: int, tso: bool, seed: int = 0) -> list[tuple[int, str, int, int]]:
    """Thread, kind, location and whom it reads."""
    rng = random.Random(seed)
    memory = [INITIAL] * locations
    buffers: list[list[tuple[int, int]]] = [[] for _ in range(THREADS)]
    out: list[tuple[int, str, int, int]] = []
    for row in range(number):
        thread, loc, kind = rng.randrange(THREADS), rng.randrange(locations), rng.random()
        if kind < 0.6:
            own = [write for write, place in buffers[thread] if place == loc]
            out.append((thread, "r", loc, own[-1] if own else memory[loc]))
        elif kind < 0.95:
            out.append((thread, "w", loc, INITIAL))
            buffers[thread].append((row, loc))
        else:
            while buffers[thread]:
                write, place = buffers[thread].pop(0)
                memory[place] = write
            out.append((thread, "u", loc, memory[loc]))
            memory[loc] = row
        for buffer in buffers:
            while buffer and (not tso or len(buffer) > DEEPEST or rng.random() < 0.5):
                write, place = buffer.pop(0)
                memory[place] = write
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=400_000, help="events of the longest stream")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = measuring.Report(arguments.json)
    for model in ("sc", "tso"):
        for locations in (64, 1000):
            report.title(f"{model}, {locations} locations")
            for size in measuring.powers(arguments.most // 4, arguments.most):
                stream = [(f"T{t}", kind, f"x{x}", rf) for t, kind, x, rf in events(size, locations, model == "tso")]
                monitor = Monitor(model)
                start = time.process_time()
                for thread, kind, loc, rf in stream:
                    if kind == "r":
                        monitor.read(thread, loc, rf=rf)
                    elif kind == "w":
                        monitor.write(thread, loc)
                    else:
                        monitor.update(thread, loc, rf=rf)
                taken = time.process_time() - start
                report.row(events=size, per_second=size / taken, kept=len(monitor.kept), fine=str(monitor.consistent))


if __name__ == "__main__":
    main()
