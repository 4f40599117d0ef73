"""The arguments of `porf stress`, and what it prints."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf.errors import UsageError

if TYPE_CHECKING:
    from porf.stress import Hunt, Tally


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--model", "-m", default="sc,tso", metavar="M[,M…]", help="default: sc,tso")
    verb.add_argument("--seconds", type=float, help="stop after so long (default: 5, unless --rounds is given)")
    verb.add_argument("--rounds", type=int, help="stop after so many rounds")
    verb.add_argument("--threads", "-k", type=int, default=2, help="default: 2")
    verb.add_argument("--ops", "-n", type=int, default=10_000, help="of all threads, a round (default: 10000)")
    verb.add_argument("--locations", "-d", type=int, default=4, help="default: 4")
    verb.add_argument("--mix", metavar="WEIGHTS", help="of reads, writes, updates, fences: r=47,w=47,u=3,f=3")
    verb.add_argument("--burst", type=int, default=32, help="operations from one common start to the next (32)")
    verb.add_argument(
        "--layout", default="both", help="locations in a cache line each (spread), in one (packed), or both"
    )
    verb.add_argument("--seed", type=int, default=0, help="of what the threads do, not of what they see")
    verb.add_argument("--count", action="store_true", help="go on after a model's first violation, and count")
    verb.add_argument("--save", metavar="FILE", help="the history of the violation found last; else of the last round")
    verb.add_argument("--picture", metavar="OUT.svg", help="draw the violation found last")
    verb.add_argument("--json", action="store_true", help="one JSON object a line")
    verb.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from porf.cli import EXIT_INTERRUPTED
    from porf.stress import Hunt, Plan, parse_mix

    mix = {} if options.mix is None else {"mix": parse_mix(options.mix)}
    plan = Plan(options.threads, options.ops, options.locations, burst=options.burst, layout=options.layout, **mix)
    names = [name for name in options.model.split(",") if name]
    if not names:
        raise UsageError("no model is named", hint="--model tso, or --model sc,tso")
    _refuse_unwritable(options)
    limits = {"rounds": options.rounds, "seconds": options.seconds}
    hunt = Hunt(plan, names, **limits, seed=options.seed, count=options.count)
    if not options.json:
        print(_opening(hunt), flush=True)
    try:
        hunt.run(_teller(options.json), _progress())
    except KeyboardInterrupt:
        _close(hunt, options)
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    _close(hunt, options)
    return _code(hunt)


def _refuse_unwritable(options: argparse.Namespace) -> None:
    """Where a file cannot go is said before the hunt, not after it."""
    from porf.formats import format_of_name

    for path in (options.save, options.picture):
        if path is None:
            continue
        if path == "-":
            raise UsageError("standard output is for the report", hint="name a file")
        if not Path(path).parent.is_dir():
            raise UsageError("cannot be written: no such directory", source=path, hint="make the directory first")
    if options.save is not None and format_of_name(options.save) is None:
        raise UsageError("its name says no format", source=options.save, hint="end it in .txt, .jsonl or .npz")


def _opening(hunt: Hunt) -> str:
    from porf.stress import usable_cores

    plan, cores = hunt.plan, usable_cores()
    threads = f"{plan.threads} thread{'' if plan.threads == 1 else 's'}"
    places = f"{min(cores, plan.threads)} of {cores} core{'' if cores == 1 else 's'}"
    where = f"{plan.locations} location{'' if plan.locations == 1 else 's'}"
    out = f"{threads} on {places}, {where}, rounds of {plan.ops:,} operations, seed {hunt.rounds.seed}"
    if min(cores, plan.threads) == 1:
        out += "\nonly one core takes part: nothing runs at the same time, so no store buffer can show itself"
    return out


def _teller(as_json: bool) -> Callable[[Tally], None]:
    """Prints a model's first violation when it is found: its cycle, as porf check does."""

    def tell(tally: Tally) -> None:
        assert tally.first is not None
        _clear()
        if as_json:
            record = {"kind": "violation", "round": tally.first_round, **tally.first.record()}
            print(json.dumps(record, ensure_ascii=False), flush=True)
        else:
            print(tally.first.report(), flush=True)

    return tell


def _progress() -> Callable[[Hunt], None] | None:
    """A live count on a terminal's last line; nothing where nobody watches."""
    if not sys.stderr.isatty():
        return None
    shown = 0.0

    def show(hunt: Hunt) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown > 0.1:
            shown = now
            found = ", ".join(f"{tally.model.name} {tally.violations}" for tally in hunt.tallies)
            line = f"{hunt.operations:,} operations, {hunt.seconds:.0f} s; violations: {found}"
            print(f"\r{line} \x1b[K\r", end="", file=sys.stderr, flush=True)

    return show


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _close(hunt: Hunt, options: argparse.Namespace) -> None:
    """The summary, and the files that were asked for."""
    from porf.formats import save, write_text

    _clear()
    violated = [tally for tally in hunt.tallies if tally.first is not None]
    chosen = max(violated, key=lambda tally: tally.first_round).first if violated else None
    history = chosen.execution if chosen is not None else hunt.last
    if options.json:
        for tally in hunt.tallies:
            print(json.dumps(_record(hunt, tally), ensure_ascii=False), flush=True)
    else:
        for tally in hunt.tallies:
            print(tally.headline())
        speed = hunt.operations / max(hunt.seconds, 1e-9) / 1e6
        print(f"{hunt.operations:,} operations in {hunt.seconds:.1f} s: {speed:.2f} million a second", flush=True)
    if options.save is not None and history is not None:
        save(history, options.save)
        if not options.json:
            print(f"{history.source} saved in {options.save}")
    if options.picture is not None and chosen is not None:
        write_text(options.picture, chosen.draw())
        if not options.json:
            print(f"{chosen.execution.source} drawn in {options.picture}")


def _record(hunt: Hunt, tally: Tally) -> dict[str, Any]:
    from porf.stress import usable_cores

    return {
        "kind": "summary",
        "model": tally.model.name,
        "violations": tally.violations,
        "first_round": tally.first_round or None,
        "rounds": tally.rounds,
        "operations": tally.operations,
        "undecided": tally.undecided,
        "threads": hunt.plan.threads,
        "cores": usable_cores(),
        "seed": hunt.rounds.seed,
        "seconds": round(hunt.seconds, 6),
    }


def _code(hunt: Hunt) -> int:
    from porf.cli import EXIT_FAILS, EXIT_HOLDS, EXIT_UNDECIDED

    if any(tally.violations for tally in hunt.tallies):
        return EXIT_FAILS
    return EXIT_UNDECIDED if any(tally.undecided for tally in hunt.tallies) else EXIT_HOLDS
