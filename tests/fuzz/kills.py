"""`python -m tests.fuzz.kills`: explorations whose processes are killed at random, and begun again from a checkpoint.

Whoever dies, and however, what is found in the end is what an exploration finds that nobody disturbs, and no process is
left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.calling import PORF

PROGRAM = Path(__file__).parents[2] / "examples" / "programs" / "fib_bench.py"
ENDS = ("SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
LONGEST = 300.0  # seconds for an exploration, or for its last process to go
COUNTS = ("verdict", "executions", "blocked")


def call(size: int, jobs: int, checkpoint: Path | None) -> list[str]:
    words = [PORF, "explore", str(PROGRAM), "-m", "ra", "-D", f"n={size}", "--json"]
    return [*words, f"--jobs={jobs}", *([] if checkpoint is None else [f"--checkpoint={checkpoint}"])]


def children(process: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def there(process: int) -> bool:
    """Whether it is, and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill_one(process: int, draw: random.Random) -> str:
    """Kills the process that was called, or one of its workers."""
    workers = children(process)
    name = draw.choice(ENDS)
    target, who = (draw.choice(workers), "a worker") if workers and draw.random() < 0.6 else (process, "the parent")
    try:
        os.kill(target, getattr(signal, name))
    except ProcessLookupError:
        return "nobody"
    return f"{who}, {name}"


def disturbed(size: int, jobs: int, checkpoint: Path, most: int, draw: random.Random, done: list[str]) -> str:
    """One exploration to its end: up to so many kills, then in peace. Returns its last output."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        with subprocess.Popen(call(size, jobs, checkpoint), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            seen: set[int] = set()
            while running.poll() is None and len(done) < most:
                try:
                    running.wait(draw.uniform(0.2, 1.5))
                except subprocess.TimeoutExpired:
                    seen.update(children(running.pid))
                    done.append(kill_one(running.pid, draw))
            out, said = running.communicate(timeout=LONGEST)
        left = time.monotonic() + 10
        while any(map(there, seen)) and time.monotonic() < left:
            time.sleep(0.02)
        if stay := [process for process in seen if there(process)]:
            raise SystemExit(f"{stay} are still there after {done[-1]}")
        if running.returncode not in (0, 3, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
            raise SystemExit(f"exit code {running.returncode} after {done[-1]}: {said.decode()}")
        if running.returncode == 0:
            return out.decode()
    raise SystemExit(f"{LONGEST} s are up")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="(100)")
    parser.add_argument("--size", type=int, default=6, metavar="N", help="of the program: how long it takes (6)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    draw = random.Random(given.seed)
    peaceful = json.loads(subprocess.run(call(given.size, 1, None), stdout=subprocess.PIPE, check=True).stdout)
    expected = {name: peaceful[name] for name in COUNTS}
    done: list[str] = []
    explorations = 0
    while len(done) < given.kills:
        with tempfile.TemporaryDirectory() as folder:
            jobs = 1 + explorations % 2
            found = json.loads(disturbed(given.size, jobs, Path(folder, "checkpoint"), given.kills, draw, done))
        if {name: found[name] for name in COUNTS} != expected:
            raise SystemExit(f"{found} is not {expected}")
        explorations += 1
    for what in sorted(set(done)):
        print(f"{done.count(what):4} {what}")
    print(f"{len(done)} kills in {explorations} explorations: {expected}, and nothing is left running")
    return 0


if __name__ == "__main__":
    sys.exit(main())
