"""Claim: `porf test` finds rare bugs in seconds, whatever the seed. Programs with one known bug each, in the folder
rare_bugs: runs and seconds to the first find over 20 seeds, for each scheduler and for some ways to read.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

import measuring

import porf

FOLDER = Path(__file__).parent / "rare_bugs"
WAYS = {  # the scheduler, and how reads choose
    "mix": ("mix", "mix"),
    "uniform": ("uniform", "uniform"),
    "pct": ("pct", "uniform"),
    "sticky": ("sticky", "uniform"),
    "old": ("uniform", "old"),
    "unseen": ("uniform", "unseen"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="cpp20")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--programs", help="some of them, with commas")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    for path in sorted([*FOLDER.glob("*.c"), *FOLDER.glob("*.py")]):
        if options.programs and path.stem not in options.programs.split(","):
            continue
        program = porf.load_program(path) if path.suffix == ".c" else path
        for way in options.ways.split(","):
            scheduler, reading = WAYS[way]
            tests = [
                porf.test(
                    program,
                    options.model,
                    seed=seed,
                    seconds=options.seconds,
                    minimise=False,
                    scheduler=scheduler,
                    reading=reading,
                )
                for seed in range(1, options.seeds + 1)
            ]
            report.row(
                program=path.stem,
                way=way,
                found=sum(bool(test.bugs) for test in tests),
                median_runs=int(statistics.median(test.runs for test in tests)),
                most_runs=max(test.runs for test in tests),
                median_s=statistics.median(test.seconds for test in tests),
                most_s=max(test.seconds for test in tests),
            )


if __name__ == "__main__":
    main()
