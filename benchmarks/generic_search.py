"""Generic decision procedure: eight writes a location, three locations, two dozen reads, every bundled model.

Claim: a verdict with its evidence takes milliseconds, consistent or not. Prints the median and the worst
time over random executions, and how many evaluations a second are possible from Python.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import numpy as np

from porf.checking.generic import search
from porf.execution import Execution
from porf.language import ModelFile, evaluate, load_model_file
from porf.language.model_file import BUNDLED

MODELS = ("sc", "tso", "pso", "rmo", "ra", "sra", "wra", "rc20", "relaxed")


def random_execution(rng: random.Random, locations: int, writes: int, reads: int) -> Execution:
    """Reads take the latest write of a random run; some of them any write instead."""
    threads = rng.choice((6, 8, 12, 16, 24))
    kinds = [(1, x) for x in range(locations) for _ in range(writes)]
    kinds += [(0, rng.randrange(locations)) for _ in range(reads)]
    rng.shuffle(kinds)
    loose = rng.choice((0.0, 0.1, 0.3, 1.0))
    run, latest = [], [-1] * locations
    for at, (op, x) in enumerate(kinds):
        anywhere = [k for k, kind in enumerate(kinds) if kind == (1, x)]
        rf = -1 if op == 1 else (rng.choice(anywhere) if rng.random() < loose else latest[x])
        run.append((rng.randrange(threads), op, x, rng.randrange(1, 5), rf))
        latest[x] = at if op == 1 else latest[x]
    # Rows thread by thread, so that row order gives no hint of the run.
    order = sorted(range(len(run)), key=lambda k: (run[k][0], k))
    row_of = {k: row for row, k in enumerate(order)}
    columns = list(zip(*(run[k] for k in order), strict=True))
    return Execution(
        thread=np.array(columns[0], np.int32),
        op=np.array(columns[1], np.uint8),
        loc=np.array(columns[2], np.int32),
        order=np.array(columns[3], np.uint8),
        rf=np.array([row_of.get(k, -1) for k in columns[4]], np.int32),
        thread_names=[f"T{t}" for t in range(threads)],
        loc_names=[f"x{x}" for x in range(locations)],
        init_value=np.zeros(locations, np.int64),
    )


def measure(model: ModelFile, executions: list[Execution]) -> tuple[int, list[float]]:
    consistent, seconds = 0, []
    for g in executions:
        start = time.perf_counter()
        verdict, _ = search(g, model)
        seconds.append(time.perf_counter() - start)
        consistent += verdict == "consistent"
    return consistent, seconds


def evaluations(model: ModelFile, g: Execution) -> float:
    """Evaluations a second, from Python, of a fresh evaluator each."""
    start, count = time.perf_counter(), 2000
    for _ in range(count):
        evaluate(model, g, [])
    return count / (time.perf_counter() - start)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--executions", type=int, default=300)
    count = options.parse_args().executions
    rng = random.Random(0)
    executions = [random_execution(rng, 3, 8, 24) for _ in range(count)]
    small = random_execution(rng, 2, 2, 4)
    print(f"{'model':<9}{'consistent':>12}{'median ms':>11}{'worst ms':>10}{'evaluations/s (8 events)':>26}")
    for name in MODELS:
        model = load_model_file(BUNDLED / f"{name}.cat")
        consistent, seconds = measure(model, executions)
        share = f"{consistent}/{count}"
        median, worst = 1e3 * statistics.median(seconds), 1e3 * max(seconds)
        print(f"{name:<9}{share:>12}{median:>11.2f}{worst:>10.2f}{evaluations(model, small):>26.0f}")


if __name__ == "__main__":
    main()
