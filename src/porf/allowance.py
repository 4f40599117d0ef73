"""What work may use, whoever does it: until when, and how much memory.

The core's budgets and loops obey an allowance by themselves, and stop where they can say how far they got. All else is
stopped from outside: the main thread looks at the clock and at the memory some times a second, and raises `SpentError`
a moment later wherever it is. Other threads have only the core's looks, and their own (`look`).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from types import FrameType, TracebackType

from porf import _core
from porf._core import Limit as Limit
from porf.errors import LIMIT_WORDS, UnfinishedError
from porf.errors import SpentError as SpentError

LIMITS = {limit: LIMIT_WORDS[limit.name] for limit in Limit}
_TICK = 0.05  # seconds between two looks
_GRACE = 0.1  # seconds, and the share of the memory, after which work that does not look is stopped
_QUIET = 0.25  # seconds between two such ends: what is left to do after the first one, to say so, takes less
_LEAST_ROOM = 16 << 20  # bytes beyond what the process has already: so that it can say that these are not enough

_quiet_until = 0.0

look: Callable[[], None] = _core.Allowance.look


def most_of_memory() -> int:
    """Three quarters of the machine's memory: better undecided than swapping or killed."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    except (ValueError, OSError, AttributeError):
        return 8 << 30


class Allowance:
    """So many seconds from when it is made, and so many bytes; None means no limit.

    It holds inside of its `with` blocks, and of those around them the tightest counts. Bytes are those of the whole
    process, or come on top of what it has in use when the allowance is made. At the end of a block, a `SpentError`
    becomes an error that people see, if `what` says for what there was not enough.
    """

    def __init__(
        self,
        seconds: float | None,
        memory: int | None = None,
        *,
        whole: bool = False,
        what: str | None = None,
    ) -> None:
        self._until = None if seconds is None else time.monotonic() + seconds
        used = _core.resident_bytes() if memory is not None else 0
        self._bytes = 0 if memory is None else max(memory if whole else used + memory, used + _LEAST_ROOM)
        self._what = what
        self._ticking = seconds is not None or memory is not None

    def without_ticks(self) -> Allowance:
        """The same for work that looks often enough by itself, and has more to say then."""
        calm = copy(self)
        calm._ticking = False
        return calm

    @property
    def seconds(self) -> float | None:
        """What is left of them, also by the allowances around; at least a moment."""
        own = 0.0 if self._until is None else max(1e-6, self._until - time.monotonic())
        return _core.Allowance.at_most(own) or None

    def __enter__(self) -> Allowance:
        self._before = _core.Allowance.current()
        self._ticks = _Ticks() if self._ticking else None
        _core.Allowance.narrow(self.seconds or 0.0, self._bytes)
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        try:
            if self._ticks is not None:
                self._ticks.end()
        finally:  # also after Ctrl-C
            self._before.restore()
        if isinstance(error, MemoryError) and self._bytes:
            error = SpentError(Limit.MEMORY)
            if self._what is None:
                raise error from None
        if isinstance(error, SpentError) and self._what is not None:
            raise UnfinishedError(LIMITS[error.limit], source=self._what) from None


class _Ticks:
    """Looks from a timer of the system, until its end; nowhere but in the main thread, and not if others have it."""

    def __init__(self) -> None:
        global _quiet_until
        self._ours = False
        with suppress(ValueError, AttributeError):  # another thread; a system without timers
            if signal.getsignal(signal.SIGALRM) == signal.SIG_DFL:
                signal.signal(signal.SIGALRM, _tick)
                _quiet_until = 0.0
                signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
                self._ours = True

    def end(self) -> None:
        if self._ours:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


# Where blocks begin and end: an error there would leave a limit, or the timer, to whatever comes after the block. In a
# finaliser Python would print it, and go on: the next look comes in a moment.
_UNDISTURBED = (Allowance.__enter__.__code__, Allowance.__exit__.__code__)


def _tick(_: int, frame: FrameType | None) -> None:
    global _quiet_until
    limit = _core.Allowance.exceeded(_GRACE)
    if limit is not Limit.NONE and time.monotonic() > _quiet_until:
        while frame is not None:
            if frame.f_code in _UNDISTURBED or frame.f_code.co_name == "__del__":
                return
            frame = frame.f_back
        _quiet_until = time.monotonic() + _QUIET
        raise SpentError(limit)
