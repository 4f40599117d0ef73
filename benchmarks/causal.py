"""Claim: the causal criteria are decided in near-linear time, and CCM leaves few pairs of writes unordered (seed 004).

Interleavings with rows grouped by thread, decided by the kernels: nanoseconds an event and the fitted exponents in n
and in k; the same with one read moved, so that most are violations, proof included. Then the share of pairs of writes
of one location that causal convergence, CCM and weak CCM leave unordered; the paper's Section 5 has 6.6 % for CCM.
"""

from __future__ import annotations

import argparse

import measuring

from porf import check, generate
from porf.check.causal import partial_store_order
from porf.execution import Execution
from porf.models import MODELS

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


def unordered(report: measuring.Report) -> None:
    report.title("pairs of writes of one location left unordered, in percent; means of 10 interleavings")
    for threads in (2, 4, 8):
        for events in (100, 400, 4000):
            shares: dict[str, list[float]] = {"ccv": [], "ccm": [], "wccm": []}
            for seed in range(10):
                g = execution(events, threads, 4, seed)
                for model in ("ccm", "wccm"):
                    order = partial_store_order(g, MODELS[model])
                    shares[model].append(100 * (1 - order.ordered / order.pairs))
                if order.converged is not None:
                    shares["ccv"].append(100 * (1 - order.converged / order.pairs))
            means = {model: sum(values) / len(values) for model, values in shares.items()}
            report.row(threads=threads, events=events, **means)


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
    unordered(report)


if __name__ == "__main__":
    main()
