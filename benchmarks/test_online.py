"""Claim: in runs of `porf test`, incremental checking costs a small part of checking again by Algorithm 3, and grows no
faster than a modification order that is always closed, which it overtakes where orders arise late (Tunç et al. 2023,
§5.2, Table 2, Fig. 12). The programs in the folder online are those of Table 2 that can be written from their
descriptions, and the five patterns of rf_online.py as programs. Each run is made once; its events then go to the core's
monitor, to the kernel of Algorithm 3 again after each event, and to closed_mo.cpp.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import measuring
import numpy as np
from rf_online import PATTERNS, RA, Event, by_kernel, by_monitor, rows_of, small

import porf
from porf._core import ExploredEvent, Monitor
from porf.models.registry import find_model
from porf.programs.form import Program
from porf.testing.request import request_for, settings_of
from porf.testing.run import Plan, run

FOLDER = Path(__file__).parent / "online"
THREADS = {"control-flow": 24, "dq": 3, "iris": 12, "seqlock": 16, "exponential-bug": 3, "fib-bench": 2, "gcd": 2}
MOST = 20.0  # seconds that the closed order may take


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=64_000, help="of the longest run")
    parser.add_argument("--again", type=int, default=2000, help="events of the run that Algorithm 3 is run on again")
    parser.add_argument("--agree", type=int, default=500, help="how many small executions all three must agree on")
    parser.add_argument("--programs", help="some of them, with commas")
    parser.add_argument("--reading", default="uniform", help="which writes the runs read, as in porf test")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    with tempfile.TemporaryDirectory() as folder:
        closed = Closed(Path(folder))
        report.title(f"the same verdicts on {options.agree} small random executions")
        report.row(consistent=agree(closed, options.agree))
        report.title(
            "microseconds an event at the longest run; growth is the exponent of the cost of an event over three\n"
            "sizes; Algorithm 3 is run again after each event of a shorter run, and its ratio is of that one"
        )
        found = [compare(report, closed, name, runs_of(name, options), options) for name in names(options.programs)]
        report.title("the patterns as rf_online.py makes them: the worst order for a closed modification order")
        for pattern in () if options.programs else PATTERNS:
            made = (list(pattern(size, 8)) for size in sizes_of(options))
            compare(report, closed, pattern.__name__.replace("_", " "), ((events, None) for events in made), options)
    reached = [ratio for ratio in found if ratio is not None]
    report.title("closed / incremental in runs, geometric mean")
    report.row(programs=len(reached), ratio=statistics.geometric_mean(reached))


def names(wanted: str | None) -> list[str]:
    return wanted.split(",") if wanted else sorted(path.stem for path in FOLDER.glob("*.c"))


class Closed:
    """The baseline, compiled."""

    def __init__(self, folder: Path) -> None:
        library = folder / "closed_mo.so"
        source = Path(__file__).with_name("closed_mo.cpp")
        command = [
            os.environ.get("CXX", "c++"),
            "-std=c++20",
            "-O3",
            "-shared",
            "-fPIC",
            "-o",
            str(library),
            str(source),
        ]
        subprocess.run(command, check=True)
        self.follow = ctypes.CDLL(str(library)).follow
        self.follow.restype = ctypes.c_long

    def seconds(self, events: list[Event]) -> tuple[bool, float | None]:
        """Whether they are consistent, and the time; None if that was up."""
        table = np.array(events, np.int32)
        kinds = (np.int32, np.uint8, np.int32, np.uint8, np.int32)
        thread, op, loc, _, rf = (np.ascontiguousarray(table[:, n], kind) for n, kind in enumerate(kinds))
        spent = ctypes.c_double()
        pointers = [ctypes.c_void_p(column.ctypes.data) for column in (thread, op, loc, rf)]
        counts = [ctypes.c_int(int(column.max()) + 1) for column in (thread, loc)]
        most, size = ctypes.c_double(MOST), ctypes.c_long(len(events))
        done = self.follow(size, *counts, *pointers, most, ctypes.byref(spent))
        return done == len(events), spent.value if spent.value >= 0 else None


def agree(closed: Closed, count: int) -> int:
    """How many of some random executions are consistent."""
    consistent = 0
    for seed in range(count):
        events = rows_of(small(seed))
        answers = {by_monitor(events), by_kernel(events), closed.seconds(events)[0]}
        assert len(answers) == 1, f"seed {seed}: monitor, kernel and closed order differ"
        consistent += answers.pop()
    return consistent


def run_of(name: str, rounds: int, reading: str) -> tuple[list[ExploredEvent], float]:
    """The events of a run as it made them, none forgotten, and the processor time of a run that may forget."""
    program = porf.load_program(FOLDER / f"{name}.c", defines={"N": rounds, "K": THREADS.get(name, 8)})
    assert isinstance(program, Program)
    how = settings_of("uniform", 3, reading, 1, 1 << 40, 1)
    spent = measuring.once(lambda: run(request_for(program, find_model("ra"), keep_going=True), Plan(how=how, runs=1)))
    how.window = 1 << 30
    found = run(request_for(program, find_model("ra"), keep_going=True, collect=True), Plan(how=how, runs=1)).findings
    (rows,) = found.executions
    return rows, spent


def accesses(rows: list[ExploredEvent]) -> Iterator[Event]:
    """What the three are fed: reads, writes and updates."""
    place: dict[int, int] = {}
    locations: dict[int, int] = {}
    for n, row in enumerate(rows):
        if not (row.access and row.pointer):
            continue
        place[n] = len(place)
        loc = locations.setdefault(row.pointer, len(locations))
        yield row.thread, row.kind.value, loc, row.order, place[row.source] if row.source >= 0 else -1


def sizes_of(options: argparse.Namespace) -> list[int]:
    """The one for Algorithm 3, then those to fit exponents to."""
    return [options.again, options.events // 4, options.events // 2, options.events]


def runs_of(name: str, options: argparse.Namespace) -> Iterator[tuple[list[Event], float | None]]:
    """Runs of about these sizes, each with the processor time of one like it that may forget."""
    rounds, had = 16, len(list(accesses(run_of(name, 16, options.reading)[0])))
    for wanted in sizes_of(options):
        for _ in range(2):  # how many events there are in a round is known better then
            rounds = max(2, rounds * wanted // had)
            rows, spent = run_of(name, rounds, options.reading)
            events = list(accesses(rows))
            had = len(events)
        yield events, spent


def compare(
    report: measuring.Report,
    closed: Closed,
    name: str,
    runs: Iterator[tuple[list[Event], float | None]],
    options: argparse.Namespace,
) -> float | None:
    short, _ = next(runs)
    again = measuring.once(lambda: by_kernel(short)) / (incremental(short, options.repeat) * len(short))
    made = list(runs)
    sizes, costs, known = [], [], []
    for events, _ in made:
        assert by_monitor(events), f"the run of {name} is consistent"
        fine, seconds = closed.seconds(events)
        assert fine or seconds is None, f"the run of {name} is consistent"
        sizes.append(len(events))
        costs.append(incremental(events, options.repeat))
        if seconds is not None:
            known.append((len(events), seconds / len(events)))
    events, spent = made[-1]
    done = len(known) == len(sizes)
    ratio = known[-1][1] / costs[-1] if done else None
    report.row(
        program=f"{name:<28}",
        events=len(events),
        threads=max(e[0] for e in events) + 1,
        places=max(e[2] for e in events) + 1,
        us_test=1e6 * spent / len(events) if spent is not None else None,
        us_incremental=1e6 * costs[-1],
        growth=measuring.exponent(sizes, costs),
        us_closed=1e6 * known[-1][1] if done else None,
        growth_closed=measuring.exponent(*zip(*known, strict=True)) if len(known) > 1 else None,
        closed_ratio=ratio,
        again_ratio=again,
    )
    return ratio


def incremental(events: list[Event], repeat: int) -> float:
    """Seconds an event of the monitor, without those that the calls take."""

    def feed() -> Any:
        take = Monitor(RA).feed
        for event in events:
            take(*event)

    def call() -> Any:
        take = Monitor(RA).feed
        for event in events:
            _ = take, event

    return max((measuring.seconds(feed, repeat) - measuring.seconds(call, repeat)) / len(events), 1e-9)


if __name__ == "__main__":
    main()
