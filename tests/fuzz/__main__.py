"""`python -m tests.fuzz`: fuzzes for a while, and keeps each input that fails with the call that shows it again."""

from __future__ import annotations

import argparse
import os
import random
import shlex
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz import limits
from tests.fuzz.judge import complaint
from tests.fuzz.targets import TARGETS, call_of

SLICE = 400  # inputs of a target before it is another one's turn


def check(target: str, seed: int, number: int) -> str | None:
    """What is wrong with what comes of one input."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call = call_of(target, seed, number, folder)
        here = Path.cwd()
        os.chdir(folder)
        try:
            return complaint(call.arguments, call.given)
        finally:
            os.chdir(here)


def kept(target: str, seed: int, failure: limits.Failure, folder: Path) -> None:
    """The files of an input that failed, and its call."""
    place = folder / f"{target}-{seed}-{failure.number}"
    place.mkdir(parents=True, exist_ok=True)
    call = call_of(target, seed, failure.number, place)
    (place / "call").write_text(shlex.join(["porf", *call.arguments]) + "\n", errors="backslashreplace")
    (place / "stdin").write_bytes(call.given)
    (place / "what").write_text(failure.what + "\n", errors="backslashreplace")
    last = failure.what.strip().splitlines()[-1][:150] if failure.what.strip() else ""
    print(f"{target} {seed} {failure.number}: {last}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="for all targets together (60)")
    parser.add_argument("--inputs", type=int, metavar="N", help="so many of each target, however long they take")
    parser.add_argument("--seed", type=int, help="makes other inputs; a new one by default")
    parser.add_argument("--only", metavar="TARGET", action="append", choices=TARGETS, help=", ".join(TARGETS))
    parser.add_argument("--number", type=int, help="one input again, in this process")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), metavar="FOLDER", help="for what fails")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
    if given.number is not None:
        said = check(given.only[0], seed, given.number)
        print(said or "nothing is wrong")
        return int(said is not None)
    print(f"seed {seed}", flush=True)
    begun = dict.fromkeys(given.only or TARGETS, 0)
    spent = dict.fromkeys(begun, 0.0)
    failed = 0
    until = time.monotonic() + given.seconds
    while True:
        left = [t for t in begun if given.inputs is None or begun[t] < given.inputs]
        if not left or (given.inputs is None and time.monotonic() > until):
            break
        target = min(left, key=lambda t: spent[t] / TARGETS[t].share)
        started = time.monotonic()
        count = SLICE if given.inputs is None else min(SLICE, given.inputs - begun[target])
        numbers = range(begun[target], begun[target] + (count if begun[target] else min(count, 20)))

        def one(number: int, target: str = target) -> str | None:
            return check(target, seed, number)

        for failure in limits.run(numbers, one):
            kept(target, seed, failure, given.keep)
            failed += 1
        begun[target] = numbers.stop
        spent[target] += time.monotonic() - started
    for target, count in begun.items():
        print(f"{target:12} {count:7} inputs, {1000 * spent[target] / max(1, count):7.1f} ms each")
    print(f"{sum(begun.values())} inputs, {failed} failures" + (f", kept in {given.keep}" if failed else ""))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
