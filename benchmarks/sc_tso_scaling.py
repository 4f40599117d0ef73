"""Claim: SC and TSO of valid histories of cache protocols are decided in near-linear time, up to a million operations.

Runs of the simulated MESI machine on 8 cpus, over plain memory and over store buffers, rows cpu by cpu, decided by
default: seconds, memory (each size in a process of its own) and the fitted exponent in n. The addresses are few, many,
or grow with n. Targets: exponent at most 1.3, 100,000 operations in 10 s and 2 GB, a million in 2 minutes.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import measuring

from porf import check, generate

GROWING, EACH = 0, 250  # instead of a number of addresses: one for so many operations
ADDRESSES = (16, 256, 4096, GROWING)


@dataclass(frozen=True)
class Point:
    seconds: float
    peak: int  # bytes resident
    algorithm: str


def measure(memory: str, operations: int, cpus: int, addresses: int, repeat: int) -> Point:
    history = generate.coherence(operations, cpus, addresses, memory=memory, seed=operations)
    measuring.reset_peak()
    verdict = check(history, memory)
    peak = measuring.peak()
    assert verdict.answer == "consistent", verdict.headline()
    return Point(measuring.seconds(lambda: check(history, memory), repeat), peak, verdict.algorithm)


def apart(memory: str, operations: int, cpus: int, addresses: int, repeat: int) -> Point:
    """Measures in a fresh process, so that memory is this size's alone."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, memory, operations, cpus, addresses, repeat).result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=1_000_000, help="the largest n; the smallest is 10,000")
    parser.add_argument("--cpus", type=int, default=8)
    parser.add_argument("--addresses", type=int, action="append", help=f"0: n/{EACH}; unless told {ADDRESSES}")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    sizes = [n for n in (10_000, 31_623, 100_000, 316_228, 1_000_000, 10_000_000) if n <= options.operations]
    for memory in generate.MEMORIES:
        report.title(f"{memory}, {options.cpus} cpus, n from {sizes[0]:,}; addresses fixed, or growing with n")
        for addresses in options.addresses or ADDRESSES:
            counts = [n // EACH if addresses == GROWING else addresses for n in sizes]
            points = [
                apart(memory, n, options.cpus, count, options.repeat) for n, count in zip(sizes, counts, strict=True)
            ]
            report.row(
                model=memory,
                addresses=f"n/{EACH}" if addresses == GROWING else str(addresses),
                n=sizes[-1],
                seconds=points[-1].seconds,
                peak_MB=points[-1].peak / 1e6,
                exponent_in_n=measuring.exponent(sizes, [point.seconds for point in points]),
                algorithm=" ".join(sorted({point.algorithm for point in points})),
                seconds_by_n=" ".join(f"{point.seconds:.2g}" for point in points),
                MB_by_n=" ".join(f"{point.peak / 1e6:.0f}" for point in points),
            )


if __name__ == "__main__":
    main()
