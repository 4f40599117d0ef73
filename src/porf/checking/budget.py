"""What a decision may spend, who is told of its progress, and how to say which limit ended it."""

from __future__ import annotations

import time
from collections.abc import Callable

from porf import _core
from porf._core import Limit as Limit
from porf.allowance import LIMITS as LIMITS
from porf.allowance import most_of_memory
from porf.record import Record, replace


class Budget(Record):
    """None means no limit; of memory, the procedure's own. When a limit is reached the answer is undecided."""

    seconds: float | None = None
    steps: int | None = None
    bytes: int | None = None
    progress: Callable[[int], object] | None = None

    def start(self) -> _core.Budget:
        """The budget of one computation of the core; its clock starts now."""
        return _core.Budget(self.seconds or 0.0, self.steps or 0, self.bytes or most_of_memory(), self.progress)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended a computation of the core; it tells the progress callback, if that wants to know."""
        return bool(getattr(self.progress, "interrupted", False))

    def over(self, started: float) -> bool:
        """Whether nothing more should be begun: it was interrupted, or the seconds since then are up."""
        return self.interrupted or (self.seconds is not None and time.monotonic() - started >= self.seconds)

    def since(self, started: float) -> Budget:
        """What is left of the seconds, from when a decision started (`time.monotonic`); at least a moment."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(0.001, self.seconds - (time.monotonic() - started)))
