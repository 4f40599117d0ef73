"""Claim: SC, TSO and PSO are decided in O*(2^k) time and space, k writes (Chini and Saivasan 2020, Theorem 1).

Unsatisfiable formulas of three literals a clause as histories: the table over all sets of writes (`--algorithm
subsets`), and the search over those sets that remain when what the reads force is known (what PSO's kernel does).
Seconds and memory, each size in a process of its own, and the fitted base of the growth: for the table at most 2.
Target at 22 writes: 20 s and 1 GB. The most sets are reached with one variable in clauses: `--variables 1`.
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import linear_regression

import measuring
import unsatisfiable

from porf.checking import store_order
from porf.checking.budget import Budget
from porf.models import MODELS

REDUCTIONS = ("sc", "tso", "pso")


@dataclass(frozen=True)
class Point:
    seconds: float
    peak: int  # bytes resident, the interpreter included
    sets: int


def measure(model: str, writes: int, variables: int, forced: bool, repeat: int) -> Point:
    history = unsatisfiable.inconsistent(writes, model, variables)
    measuring.reset_peak()
    found = store_order.run(history, MODELS[model], Budget(), forced=forced)
    assert found.answer == "inconsistent"
    peak = measuring.peak()
    spent = measuring.seconds(lambda: store_order.run(history, MODELS[model], Budget(), forced=forced), repeat)
    return Point(spent, peak, found.subsets)


def apart(model: str, writes: int, variables: int, forced: bool, repeat: int) -> Point:
    """Measures in a fresh process, so that memory is this size's alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, model, writes, variables, forced, repeat).result()


def base(writes: list[int], values: list[float]) -> float:
    """The b of the best a·b^writes."""
    return math.exp(linear_regression(writes, [math.log(value) for value in values]).slope)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=28, help="the most, even; the table takes up to 28")
    parser.add_argument("--variables", type=int, default=3, help="that are in clauses, and literals a clause")
    parser.add_argument("--model", choices=REDUCTIONS, action="append", help="all unless told")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    sizes = list(range(22, options.writes + 1, 2))
    growth = []
    for search, forced in (("table", False), ("forced", True)):
        for model in options.model or REDUCTIONS:
            report.title(f"{model}, {search}: {options.variables} variables in clauses")
            points = [apart(model, writes, options.variables, forced, options.repeat) for writes in sizes]
            for writes, point in zip(sizes, points, strict=True):
                report.row(
                    search=search,
                    model=model,
                    writes=writes,
                    seconds=point.seconds,
                    peak_MB=point.peak / 1e6,
                    sets=point.sets,
                    percent_of_all=100 * point.sets / 2**writes,
                )
            if all(point.sets for point in points):
                growth.append((search, model, points))
    report.title(f"fitted base of the growth, {sizes[0]} to {sizes[-1]} writes")
    for search, model, points in growth:
        of_seconds = base(sizes, [point.seconds for point in points])
        report.row(search=search, model=model, of_seconds=of_seconds, of_sets=base(sizes, [p.sets for p in points]))


if __name__ == "__main__":
    main()
