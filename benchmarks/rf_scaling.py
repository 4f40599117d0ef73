"""Claim: every kernel of the C11 family is linear in the events and at most linear in the threads (Tunç et al. 2023).

Interleavings with their rows grouped by thread, so that no order of the rows helps, decided by the kernel: events a
second, peak memory (each size in a process of its own) and the fitted exponents in n and in k. Last, the time
beside numpy's stable sort of the same file's locations: a measure of work that the machine's speed cancels from.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import measuring
import numpy as np

from porf import check, generate, load, save
from porf.execution import Execution


@dataclass(frozen=True)
class Case:
    label: str
    model: str
    orders: str
    updates: float = 0.1
    at_most: int = 2**31  # events: a search is measured on few
    target: float | None = None  # of the ratio to a sort


CASES = (
    Case("relaxed", "relaxed", "rlx", target=3),
    Case("rc20", "rc20", "mixed", target=6),
    Case("ra", "ra", "ra", target=6),
    Case("wra", "wra", "ra"),
    Case("sra", "sra", "ra", updates=0.0),
    Case("sra+upd", "sra", "ra", at_most=4000),
)


@dataclass(frozen=True)
class Point:
    seconds: float
    peak: int  # bytes resident
    working: int  # of these, beyond the loaded execution


def execution(case: Case, events: int, threads: int, locations: int) -> Execution:
    return generate.interleaving(
        events, threads, locations, updates=case.updates, orders=case.orders, group_by_thread=True, seed=events
    )


def measure(case: Case, events: int, threads: int, locations: int, repeat: int) -> Point:
    g = execution(case, events, threads, locations)
    resident = measuring.reset_peak()
    decide(g, case)
    peak = measuring.peak()
    return Point(measuring.seconds(lambda: decide(g, case), repeat), peak, peak - resident)


def decide(g: Execution, case: Case) -> None:
    verdict = check(g, case.model, algorithm="kernel")
    assert verdict.answer == "consistent", f"{case.label}: {verdict.answer}"


def apart(case: Case, events: int, threads: int, locations: int, repeat: int) -> Point:
    """Measures in a fresh process, so that memory is this size's alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, case, events, threads, locations, repeat).result()


def in_events(report: measuring.Report, options: argparse.Namespace) -> None:
    report.title(f"n doubles; {options.threads} threads, {options.locations} locations")
    for case in CASES:
        largest = min(options.events, case.at_most)
        events = measuring.powers(largest // 8, largest)
        if options.full and case.at_most > 10_000_000:
            events.append(10_000_000)
        points = [apart(case, n, options.threads, options.locations, options.repeat) for n in events]
        last = points[-1]
        report.row(
            kernel=case.label,
            n=events[-1],
            seconds=last.seconds,
            Mevents_per_s=events[-1] / last.seconds / 1e6,
            ns_per_event=" ".join(f"{1e9 * p.seconds / n:.0f}" for n, p in zip(events, points, strict=True)),
            exponent_in_n=measuring.exponent(events, [p.seconds for p in points]),
            peak_MB=last.peak / 1e6,
            bytes_per_event=last.working / events[-1],
        )


def in_threads(report: measuring.Report, options: argparse.Namespace) -> None:
    events = options.events // 4
    report.title(
        f"k doubles, 2…64; {events:,} events (at most {CASES[-1].at_most:,} for sra+upd), {options.locations} locations"
    )
    counts = measuring.powers(2, 64)
    for case in CASES:
        n = min(events, case.at_most)
        times = [measure(case, n, k, options.locations, options.repeat).seconds for k in counts]
        report.row(
            kernel=case.label,
            exponent_in_k=measuring.exponent(counts, times),
            last_doubling=times[-1] / times[-2],
            ns_per_event=" ".join(f"{1e9 * t / n:.0f}" for t in times),
        )


def beside_a_sort(report: measuring.Report, options: argparse.Namespace) -> None:
    report.title("beside numpy.argsort(loc, kind='stable'): 1,000,000 events, 8 threads, 1000 locations, from .npz")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if case.at_most < 1_000_000:
                continue
            path = Path(folder) / f"{case.label}.npz"
            save(execution(case, 1_000_000, 8, 1000), path)
            g = load(path)
            pairs = []
            for _ in range(2 * options.repeat + 1):
                sort = measuring.once(lambda g=g: np.argsort(g.loc, kind="stable"))
                pairs.append((measuring.once(lambda g=g, case=case: decide(g, case)), sort))
            ratio = statistics.median(kernel / sort for kernel, sort in pairs)
            report.row(
                kernel=case.label,
                seconds=statistics.median(kernel for kernel, _ in pairs),
                sort_s=statistics.median(sort for _, sort in pairs),
                ratio=ratio,
                target=case.target,
                met=None if case.target is None else "yes" if ratio <= case.target else "NO",
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, help="the largest n; the smallest is an eighth")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--locations", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--full", action="store_true", help="adds 10,000,000 events")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    in_events(report, options)
    in_threads(report, options)
    beside_a_sort(report, options)


if __name__ == "__main__":
    main()
