"""Claim: a run of `porf test` costs the same an event however long it is, at most linear in the threads, and memory
does not grow, if old writes die. Threads pass tokens in a ring (long_runs/ring.c; ring_sc.c has SC accesses), and
consistency is kept at every read."""

from __future__ import annotations

import argparse

import measuring

import porf
from porf.programs.form import Program

FOLDER = measuring.Path(__file__).parent / "long_runs"
RINGS = {  # the program for a model, and how many events it has in a round
    "ra": ("ring.c", 2),
    "rc20": ("ring.c", 2),
    **dict.fromkeys(("relaxed", "wra", "rc11", "cpp20", "sc", "tso"), ("ring_sc.c", 3)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=4_000_000, help="of the longest run")
    parser.add_argument("--threads", type=int, default=32, help="at most")
    parser.add_argument("--models", default=",".join(RINGS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    for model in options.models.split(","):
        report.title(f"{model}: 4 threads, longer and longer runs")
        lengths = measuring.powers(250_000, options.events)
        times = [row(report, model, 4, length) for length in lengths]
        report.row(model=model, exponent_in_events=measuring.exponent(lengths, times))
        report.title(f"{model}: 250,000 events, more and more threads")
        threads = measuring.powers(2, options.threads)
        times = [row(report, model, k, 250_000) for k in threads]
        report.row(model=model, exponent_in_threads=measuring.exponent(threads, times))


def row(report: measuring.Report, model: str, threads: int, events: int) -> float:
    source, of_round = RINGS[model]
    program = porf.load_program(FOLDER / source, defines={"K": threads, "N": events // (of_round * threads)})
    assert isinstance(program, Program)
    before = measuring.reset_peak()
    seconds = measuring.seconds(lambda: porf.test(program, model, runs=1, events=1 << 40, scheduler="uniform"))
    megabytes = (measuring.peak() - before) / 1e6
    rate = events / seconds
    report.row(model=model, threads=threads, events=events, seconds=seconds, events_a_second=rate, megabytes=megabytes)
    return seconds


if __name__ == "__main__":
    main()
