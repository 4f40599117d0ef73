"""Progress of long work: on a terminal's last line, and nowhere if nobody is watching."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porf.testing.coverage import Coverage


class Progress:
    """Called with the number of steps so far.

    The core sets `interrupted` on Ctrl-C instead of raising, so that the result can say how far the work got.
    """

    def __init__(self, unit: str = "steps") -> None:
        self.interrupted = False
        self.unit = unit
        self._watched = sys.stderr.isatty()
        self._dirty = False  # something stands on the terminal's last line
        self._started = self._shown = time.monotonic()

    def begin(self) -> None:
        """A new piece of work, with its own clock."""
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def __call__(self, steps: int) -> None:
        self.say(f"{steps} {self.unit}, {self.seconds:.0f} s")

    def executions(self, complete: int, blocked: int, _share: float) -> None:
        """For an exploration: how many executions, and how fast. How many are left is not known."""
        stuck = f", {blocked} blocked" if blocked else ""
        self.say(f"{complete} executions{stuck}, {complete / max(self.seconds, 1e-9):,.0f}/s")

    def runs(self, runs: int, events: int, seen: Coverage) -> None:
        """For a test: how many runs, how fast, and what they have seen."""
        seconds = max(self.seconds, 1e-9)
        rate = f"{runs / seconds:,.0f}/s" if runs >= 10 * seconds else f"{events / seconds:,.0f} events/s"
        self.say(f"{runs:,} runs, {rate}; {seen.line()}")

    def orders(self, explored: int, known: int) -> None:
        """For a search of orders: how many choices were explored, and of how many that was not needed."""
        self.say(f"{explored} choices of orders explored, {known} told by kept executions, {self.seconds:.0f} s")

    def tests(self, done: int, of: int) -> None:
        """For a campaign of litmus tests."""
        self.say(f"{done} of {of} tests, {done / max(self.seconds, 1e-9):,.0f}/s")

    def say(self, text: str) -> None:
        """Shows this, unless the work has only just begun or something was shown a moment ago."""
        now = time.monotonic()
        if self._watched and now - self._started > 1 and now - self._shown > 0.1:
            self._shown, self._dirty = now, True
            _put(f"\r{text[: _columns() - 2]} \x1b[K\r")

    def clear(self) -> None:
        if self._dirty:
            self._dirty = False
            _put("\r\x1b[K")


def _columns() -> int:
    """Of the terminal: a longer text would go on in the next line, and stay there."""
    try:
        return max(os.get_terminal_size(sys.stderr.fileno()).columns or 80, 20)
    except (OSError, ValueError):
        return 80


def _put(text: str) -> None:
    with suppress(OSError):  # the terminal may be gone
        print(text, end="", file=sys.stderr, flush=True)
