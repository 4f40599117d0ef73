"""The orders that locks, queues and stacks need, started from seq_cst everywhere, beside those they are published with.

Each program of benchmarks/programs has the orders of its publication, or of its usual implementation. All of them are
made seq_cst; then `porf orders` looks for the weakest, under RC11. CPU seconds are of this process, reading left out.
`weaker`, `same` and `other` count the orders that are weaker than the published ones, the same, or neither: a choice
that is minimal in another way, which the search shows safe just as well.
"""

from __future__ import annotations

import argparse
import time

import porf
from porf.programs.form import Program
from porf.programs.sites import order_sites, with_orders

# Program, macros, and what that is.
PROGRAMS = (
    ("ttas-lock", {"N": 3}, "TTAS lock, 3 threads"),
    ("ticket-mutex", {"N": 3}, "ticket lock, 3 threads"),
    ("mcs-lock", {"N": 2}, "MCS lock, 2 threads"),
    ("mcs-lock", {"N": 3}, "MCS lock, 3 threads"),
    ("clh", {"N": 2, "ROUNDS": 2}, "CLH lock, 2 threads, twice"),
    ("clh", {"N": 3}, "CLH lock, 3 threads"),
    ("treiber-stack", {"BOTH": 2}, "Treiber stack, 2 threads"),
    ("treiber-stack", {"BOTH": 3}, "Treiber stack, 3 threads"),
    ("ms-queue", {"BOTH": 2}, "Michael-Scott queue, 2 threads"),
    ("ms-queue", {"BOTH": 0, "WRITERS": 2, "READERS": 1}, "Michael-Scott queue, 3 threads"),
    ("spsc-queue", {"N": 3}, "SPSC queue, 3 items"),
    ("buf-ring", {}, "ring buffer"),
    ("seqlock", {"N": 3}, "seqlock, 1 writer, 2 readers"),
    ("seqlock", {"N": 2, "MIXED": 1}, "seqlock, 2 threads that do both"),
    ("chase-lev", {"N": 2}, "Chase-Lev deque, 2 thieves"),
    ("chase-lev", {"N": 1, "ITEMS": 3, "TAKES": 3}, "Chase-Lev deque, 3 items"),
    ("mutex", {"N": 2}, "mutex by hand, 2 threads"),
    ("twa-lock", {"N": 2}, "TWA lock, 2 threads"),
    ("dekker", {}, "Dekker's algorithm"),
    ("linux-rwlocks", {}, "readers and writers, as in Linux"),
)


def strongest(program: Program) -> Program:
    return with_orders(program, {site: site.legal()[-1] for site in order_sites(program)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="rc11")
    parser.add_argument("--all", action="store_true", help="all minimal choices")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    head = f"{'program':34} {'sites':>5} {'explored':>8} {'told':>5} {'checked':>7} {'CPU s':>6}"
    print(f"{head} {'weaker':>6} {'same':>5} {'other':>5} {'minimal':>8}  {'executions':>10}")
    for name, defines, title in PROGRAMS:
        program = porf.load_program(f"benchmarks/programs/{name}.c", defines=defines)
        assert isinstance(program, Program)
        published = {site.place: site.strength for site in order_sites(program)}
        started = time.process_time()
        found = porf.orders(strongest(program), options.model, every=options.all, seconds=options.seconds)
        spent = time.process_time() - started
        cells = f"{len(published):5} {found.explored:8} {found.known:5} {found.checked:7} {spent:6.2f}"
        if found.verdict != "safe":
            print(f"{title:34} {cells} {found.headline()}", flush=True)
            continue
        weaker = same = other = 0
        for site, strength in found.orders().items():
            before = published[site.place]
            same += strength == before
            weaker += strength != before and site.is_as_strong(before, strength)
            other += not site.is_as_strong(before, strength)
        minimal = f"{len(found.choices)}{'' if found.complete or not options.all else '+'}" if options.all else ""
        print(f"{title:34} {cells} {weaker:6} {same:5} {other:5} {minimal:>8}  {found.executions:10}", flush=True)


if __name__ == "__main__":
    main()
