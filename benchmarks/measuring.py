"""What the benchmarks share: process time, medians, fitted exponents, peak memory, and the two ways to print."""

from __future__ import annotations

import contextlib
import ctypes
import json
import math
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

_STATUS = Path("/proc/self/status")


def seconds(action: Callable[[], object], repeat: int = 3) -> float:
    """The median processor time of an action: other processes' work does not count."""
    return statistics.median(once(action) for _ in range(repeat))


def once(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return max(time.process_time() - start, 1e-9)


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The b of the best a·size^b: the slope of the least-squares line through the logarithms."""
    return statistics.linear_regression([math.log(s) for s in sizes], [math.log(v) for v in values]).slope


def reset_peak() -> int:
    """Forgets the peak of the resident memory, where the system can, and returns what is resident now.

    What was freed goes back to the system first: else it stays resident, serves what follows, and hides its cost.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return 0
    return _status("VmRSS")


def peak() -> int:
    """The peak of the resident memory, in bytes: since `reset_peak` where the system can, else ever."""
    return _status("VmHWM") if _STATUS.exists() else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _status(name: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name + ":"))
    return int(line.split()[1]) * 1024


def powers(first: int, last: int) -> list[int]:
    """first, twice first, … up to last."""
    sizes = [first]
    while 2 * sizes[-1] <= last:
        sizes.append(2 * sizes[-1])
    return sizes


class Report:
    """Rows of a benchmark: aligned columns for people, one JSON object a line for programs."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._widths: dict[str, int] = {}

    def title(self, text: str) -> None:
        self._widths = {}
        if not self._as_json:
            print(f"\n{text}")

    def row(self, **fields: object) -> None:
        if self._as_json:
            print(json.dumps(fields), flush=True)
            return
        if self._widths.keys() != fields.keys():
            self._widths = {name: _width(name, value) for name, value in fields.items()}
            print("  ".join(f"{name.replace('_', ' '):>{width}}" for name, width in self._widths.items()))
        print("  ".join(f"{_shown(value):>{self._widths[name]}}" for name, value in fields.items()), flush=True)


def _width(name: str, first: object) -> int:
    """Numbers are narrow; the words of a first row leave room for longer ones."""
    return max(9, len(name), len(first) + 4 if isinstance(first, str) else 0)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
