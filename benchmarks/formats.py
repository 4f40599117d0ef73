"""How fast histories are read and written, and executions generated: events a second, as n doubles."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from porf import formats, generate
from porf.execution import Execution


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def row(label: str, events: int, seconds: float) -> None:
    print(f"{label:<28} {events:>10,} events {seconds:>8.2f} s {events / seconds / 1e6:>8.2f} M/s")


def files(folder: Path, events: int) -> None:
    execution: Execution = generate.interleaving(events, 8, 50, orders="mixed", seed=1)
    for extension in (".txt", ".jsonl", ".npz"):
        path = folder / f"history{extension}"
        row(f"write {extension}", events, timed(lambda p=path: formats.save(execution, p)))
        row(f"read {extension}", events, timed(lambda p=path: formats.load(p)))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for events in (250_000, 500_000, 1_000_000):
            files(Path(folder), events)
    for events in (1_000_000, 2_000_000, 4_000_000):
        row("generate interleaving", events, timed(lambda n=events: generate.interleaving(n, 8, 50)))
        row("generate weak", events, timed(lambda n=events: generate.weak(n, 8, 50)))
    for nodes in (2_000, 4_000, 8_000):
        graph = generate.random_graph(nodes, 20 / nodes)
        seconds = timed(lambda g=graph: generate.triangle(g))
        row(f"generate triangle, {nodes} nodes", len(generate.triangle(graph)), seconds)


if __name__ == "__main__":
    main()
