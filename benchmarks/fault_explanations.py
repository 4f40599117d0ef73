"""Claim: violations of 10,000 operations are found and explained by at most 20 events within 10 s, 95 of 100.

Runs of the simulated machine with each fault of each protocol in turn, over both memories, that violate the memory's
model: 4 cpus, 16 addresses, faults as frequent as by default. The size of an explanation is the number of distinct
events that its proof names, or of its core where there is no proof.
"""

from __future__ import annotations

import argparse
import itertools
from dataclasses import dataclass
from statistics import median

import measuring
from simulated import Run, faulty, places

from porf import check
from porf.checking.verdict import Verdict
from porf.generate import MEMORIES

FEW, SOON = 20, 10.0  # events, seconds


@dataclass(frozen=True)
class Explained:
    run: Run
    verdict: Verdict
    seconds: float
    events: int | None

    @property
    def well(self) -> bool:
        return self.events is not None and self.events <= FEW and self.seconds <= SOON


def explained(run: Run) -> Explained:
    found: list[Verdict] = []
    seconds = measuring.once(lambda: found.append(check(run.history, run.memory)))
    verdict = found[0]
    verdict.verify()
    return Explained(run, verdict, seconds, size(verdict))


def size(verdict: Verdict) -> int | None:
    if verdict.proof is not None:
        return len(set(verdict.proof.events()))
    return None if verdict.core is None else len(verdict.core.rows)


def violations(operations: int, cpus: int, addresses: int, count: int) -> list[Run]:
    """The memories share the count as they share the places where a fault can be."""
    of_sc = round(count * len(places("sc")) / sum(len(places(memory)) for memory in MEMORIES))
    streams = (
        itertools.islice(faulty(memory, cpus, addresses, sizes=(operations,)), share)
        for memory, share in (("sc", of_sc), ("tso", count - of_sc))
    )
    return list(itertools.chain.from_iterable(streams))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--cpus", type=int, default=4)
    parser.add_argument("--addresses", type=int, default=16)
    parser.add_argument("--all", action="store_true", help="a row for each history, not for each fault")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    found = list(map(explained, violations(options.operations, options.cpus, options.addresses, options.histories)))
    report.title(f"violations of {options.operations:,} operations, {options.cpus} cpus, {options.addresses} addresses")
    groups: dict[tuple[str, ...], list[Explained]] = {}
    for one in found:
        key = (
            (one.run.memory, one.run.fault, one.run.history.source) if options.all else (one.run.memory, one.run.fault)
        )
        groups.setdefault(key, []).append(one)
    for (memory, fault, *source), group in groups.items():
        sizes = [one.events for one in group if one.events is not None]
        report.row(
            model=memory,
            fault=f"{fault:20}",
            histories=len(group),
            drawn=sum(one.run.drawn for one in group),
            worst_seconds=max(one.seconds for one in group),
            median_events=median(sizes) if sizes else None,
            most_events=max(sizes, default=None),
            explained=sum(one.well for one in group),
            algorithms=" ".join(sorted({one.verdict.algorithm for one in group})) + "".join(f" {s}" for s in source),
        )
    report.title(f"explained by at most {FEW} events within {SOON:.0f} s")
    report.row(histories=len(found), explained=sum(one.well for one in found))


if __name__ == "__main__":
    main()
