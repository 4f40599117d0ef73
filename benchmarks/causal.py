"""Claim: the causal criteria of Zennou et al. 2019 are decided in near-linear time.

Interleavings with rows grouped by thread, decided by the kernels: nanoseconds an event and the fitted exponents in n
and in k; the same with one read moved, so that most are violations, proof included.
"""

from __future__ import annotations

import argparse

import measuring

from porf import check, generate
from porf.execution import Execution

CRITERIA = ("cc", "ccv", "cm", "ccm", "wccm")


def execution(events: int, threads: int, locations: int, seed: int = 1) -> Execution:
    return generate.interleaving(events, threads, locations, updates=0.0, group_by_thread=True, seed=seed)


def seconds(g: Execution, model: str, repeat: int) -> float:
    return measuring.seconds(lambda: check(g, model, algorithm="kernel"), repeat)


def in_events(report: measuring.Report, options: argparse.Namespace, broken: bool) -> None:
    what = "one read moved" if broken else "consistent"
    report.title(f"n doubles, {what}; {options.threads} threads, {options.locations} locations")
    for model in CRITERIA:
        last = options.events if model not in ("cc", "ccv") else 4 * options.events
        sizes = measuring.powers(last // 8, last)
        times, answers = [], []
        for n in sizes:
            g = execution(n, options.threads, options.locations)
            g = generate.broken(g, n) if broken else g
            answers.append(check(g, model, algorithm="kernel").answer)
            times.append(seconds(g, model, options.repeat))
        assert broken or set(answers) == {"consistent"}
        report.row(
            criterion=model,
            n=sizes[-1],
            seconds=times[-1],
            exponent_in_n=measuring.exponent(sizes, times),
            inconsistent=f"{answers.count('inconsistent')} of {len(answers)}",
            ns_per_event=" ".join(f"{1e9 * t / n:.0f}" for n, t in zip(sizes, times, strict=True)),
        )


def in_threads(report: measuring.Report, options: argparse.Namespace) -> None:
    events = options.events // 4
    report.title(f"k doubles, 2…32; {events:,} events, {options.locations} locations")
    counts = measuring.powers(2, 32)
    for model in CRITERIA:
        times = []
        for k in counts:
            g = execution(events, k, options.locations)
            times.append(seconds(g, model, options.repeat))
        report.row(
            criterion=model,
            exponent_in_k=measuring.exponent(counts, times),
            ns_per_event=" ".join(f"{1e9 * t / events:.0f}" for t in times),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=100_000, help="the largest n; four times that for cc and ccv")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--locations", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    in_events(report, options, broken=False)
    in_events(report, options, broken=True)
    in_threads(report, options)


if __name__ == "__main__":
    main()
