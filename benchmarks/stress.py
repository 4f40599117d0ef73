"""`porf stress` gathers and checks (TSO) a million operations a second on two cores, end to end, in flat memory.

Rounds of 10,000 operations. Wall time, unlike elsewhere: several threads work, and what counts is how long a person
waits; the processor time of all threads, barriers included, stands beside it. The second table counts how often the
machine shows that it is not sequentially consistent.
"""

from __future__ import annotations

import argparse
import time

from measuring import Report, reset_peak

from porf.stress import Hunt, Plan, usable_cores


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--seconds", type=float, default=20.0, help="of the first table; the second table takes a fifth of it"
    )
    options.add_argument("--json", action="store_true", help="one JSON object a line")
    given = options.parse_args()
    report = Report(given.json)

    report.title(f"TSO, 2 threads, {usable_cores()} cores: operations a second, and resident memory before and after")
    warm = Hunt(models=["tso"], rounds=20)
    warm.run()
    hunt = Hunt(models=["tso"], seconds=given.seconds)
    before, started = reset_peak(), time.process_time()
    hunt.run()
    after, spent = reset_peak(), time.process_time() - started
    report.row(
        operations=hunt.operations,
        seconds=hunt.seconds,
        operations_a_second=hunt.operations / hunt.seconds,
        cpu_ns_an_operation=1e9 * spent / hunt.operations,
        MiB_before=before / 2**20,
        MiB_after=after / 2**20,
        violations=hunt.tallies[0].violations,
    )

    report.title("SC: rounds that violate it, by layout and by operations from one common start to the next")
    for layout in ("spread", "packed"):
        for burst in (8, 32, 128):
            plan = Plan(layout=layout, burst=burst)
            hunt = Hunt(plan, ["sc"], seconds=given.seconds / 30, count=True)
            hunt.run()
            tally = hunt.tallies[0]
            report.row(
                layout=layout,
                burst=burst,
                rounds=tally.rounds,
                violated=tally.violations,
                violated_a_second=tally.violations / hunt.seconds,
            )


if __name__ == "__main__":
    main()
