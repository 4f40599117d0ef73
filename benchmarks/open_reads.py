"""Claim: histories whose values repeat are decided in seconds, under SC and TSO.

Runs of a simulated machine, sound and with each of its bugs: 2,000 operations of four cores, with values from a pool of
16. Target: 95 of 100 are decided within 10 s. Seconds are of the processor.
"""

from __future__ import annotations

import argparse
import resource

from porf import check
from porf.generate import FAULTS, coherence, pooled

_SECONDS = 10.0


def spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=2_000)
    parser.add_argument("--values", type=int, default=16)
    parser.add_argument("--addresses", type=int, default=16)
    parser.add_argument("--histories", type=int, default=100, help="for each model, half of them sound")
    options = parser.parse_args()
    for model in ("sc", "tso"):
        faults = [name for name, fault in FAULTS.items() if model in fault.memories]
        took, answers = [], []
        for seed in range(options.histories):
            fault = None if seed % 2 == 0 else faults[seed // 2 % len(faults)]
            protocol = "moesi" if fault == "stale-forward" else "mesi"
            made = coherence(
                options.operations, addresses=options.addresses, protocol=protocol, memory=model, fault=fault, seed=seed
            )
            history = pooled(made, options.values, seed)
            began = spent()
            verdict = check(history, model, seconds=20 * _SECONDS)
            took.append(spent() - began)
            answers.append(str(verdict.answer))
            print(
                f"{model:4} {fault or 'sound':18} {len(history.open_reads):6} open {took[-1]:8.2f} s  {answers[-1]}",
                flush=True,
            )
        in_time = sum(t <= _SECONDS and answer != "undecided" for t, answer in zip(took, answers, strict=True))
        print(f"{model}: {in_time} of {len(took)} in {_SECONDS:.0f} s; median {sorted(took)[len(took) // 2]:.2f} s\n")


if __name__ == "__main__":
    main()
