"""How fast logs become histories: lines a second of every shape, and how the time grows; seconds of one processor."""

from __future__ import annotations

import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import porf
from porf import formats, generate
from porf.execution import Execution
from porf.formats.logs.mapping import Mapping

HEADER = ("ts", "core", "kind", "addr", "val")
COLUMNS = {"thread": "core", "op": "kind", "location": "addr", "value": "val", "time": "ts"}
Row = tuple[int, int, str, str, int]
SHAPES: dict[str, tuple[str, str, Mapping]] = {
    "CSV": (",".join(HEADER), "{},{},{},{},{}", Mapping(columns=COLUMNS)),
    "CSV, quoted": (",".join(HEADER), '"{}","{}","{}","{}","{}"', Mapping(columns=COLUMNS)),
    "words": (" ".join(HEADER), "{}  {} {} {} {}", Mapping(columns=COLUMNS)),
    "JSON Lines": (
        "",
        '{{"ts": {}, "core": {}, "kind": "{}", "addr": "{}", "val": {}}}',
        Mapping(columns=COLUMNS),
    ),
    "templates": (
        "",
        "{}: cpu{}: 0x400 @main : ld x5 : {} : A={} D={}",
        Mapping(lines=("{time}: {thread}: {*} : {op} : A={location} D={value}",)),
    ),
}


def rows_of(execution: Execution) -> list[Row]:
    """Loads and stores, at one moment each."""
    assert execution.read_value is not None
    assert execution.written_value is not None
    loads = execution.op == 0
    values = np.where(loads, execution.read_value, execution.written_value)
    kinds = np.where(loads, "LD", "ST").tolist()
    addresses = [f"{0x80000000 + 8 * loc:#x}" for loc in execution.loc.tolist()]
    return list(zip(range(len(kinds)), execution.thread.tolist(), kinds, addresses, values.tolist(), strict=True))


def converted(log: Path, mapping: Mapping, out: Path) -> float:
    """The seconds that it takes, the better of two times."""
    taken = []
    for _ in range(2):
        start = time.process_time()
        formats.save(porf.load(log, mapping=mapping), out)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    sizes = [most // 4, most // 2, most]
    rows = rows_of(generate.interleaving(most, 8, 1000, updates=0, seed=1))
    with tempfile.TemporaryDirectory() as folder:
        log, out = Path(folder, "log"), Path(folder, "history.npz")
        for name, (header, line, mapping) in SHAPES.items():
            taken = []
            for size in sizes:
                log.write_text("\n".join([header, *(line.format(*row) for row in rows[:size])]) + "\n")
                taken.append(converted(log, mapping, out))
            slope = math.log(taken[-1] / taken[0]) / math.log(sizes[-1] / sizes[0])
            rate = sizes[-1] / taken[-1] / 1e6
            print(f"{name:<12} {most:>10,} lines to npz {taken[-1]:>7.2f} s {rate:>6.2f} M/s   exponent {slope:.2f}")


if __name__ == "__main__":
    main()
