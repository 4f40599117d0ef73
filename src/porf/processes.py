"""Processes that work for this one: copies of it, each with a pipe for what it is given and one for its answers.

They have all that this process has when they start, so nothing is sent but work and answers. None outlives it, however
that ends. The standard library's pools of processes can do more, and take longer to import than a small exploration
takes.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from mmap import mmap
from types import TracebackType
from typing import IO, Any, TypeVar

from porf import _core
from porf.allowance import Limit, SpentError, look
from porf.errors import UsageError

T = TypeVar("T")

_LOOK_EVERY = 0.05  # seconds, while a process is waited for
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Flag:
    """A bit that this process and those that it starts later share."""

    def __init__(self) -> None:
        self._memory = mmap(-1, 1)

    @property
    def is_up(self) -> bool:
        return self._memory[0] != 0

    def raise_if(self, condition: bool) -> None:
        self._memory[0] = condition


class DiedError(Exception):
    """A process ended in the middle of its work: the system ended it, for its memory perhaps, or somebody did."""


class Process:
    """One of them. It does one piece of work at a time."""

    def __init__(self, work: Callable[..., object], others: Collection[Process]) -> None:
        reads, gives = os.pipe()
        answers, says = os.pipe()
        parent = os.getpid()
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *ENDING})  # until it knows what to do then
        try:
            self.number = os.fork()
        except OSError as error:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
            for end in (reads, gives, answers, says):
                os.close(end)
            raise UsageError(f"no process can be started: {error.strerror}", hint="fewer jobs") from None
        if self.number == 0:
            others_ends = (end.fileno() for other in others for end in (other._given, other._answers))
            _serve(work, (reads, says), (gives, answers, *others_ends), heard, parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        os.close(reads)
        os.close(says)
        self._given: IO[bytes] = os.fdopen(gives, "wb")
        self._answers: IO[bytes] = os.fdopen(answers, "rb")

    def fileno(self) -> int:
        """For `select`: an answer can be read there."""
        return self._answers.fileno()

    def give(self, *work: object) -> None:
        """Raises DiedError if it is there no longer."""
        try:
            pickle.dump(work, self._given, 5)
            self._given.flush()
        except OSError:
            raise DiedError from None

    def answer(self) -> Any:
        """What it answers, once it does; an error of its work is raised here, or DiedError."""
        try:
            is_answer, found = pickle.load(self._answers)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise DiedError from None
        if not is_answer:
            raise found
        return found

    def end(self) -> int:
        """Ends it, if it is still there. Returns the signal that ended it, or 0."""
        os.kill(self.number, signal.SIGKILL)
        _, status = os.waitpid(self.number, 0)
        for end in (self._given, self._answers):
            with suppress(OSError):  # what it was given last did not reach it
                end.close()
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def _serve(
    work: Callable[..., object],
    own: tuple[int, int],
    others: Iterable[int],
    heard: Iterable[int],
    parent: int,
) -> None:
    """What such a process does: it never returns to what its parent was doing."""
    try:
        _core.end_with_parent()
        for end in others:
            os.close(end)  # what others hold open does not end
        given, says = os.fdopen(own[0], "rb"), os.fdopen(own[1], "wb")
        # Ctrl-C ends a piece of work; the parent, who hears it too, wants to know how far that got.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for ending in ENDING:
            signal.signal(ending, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        while os.getppid() == parent:
            arguments = pickle.load(given)
            try:
                answer: tuple[bool, object] = True, work(*arguments)
            except Exception as error:
                answer = False, error
            except SpentError as error:
                answer = False, error
            pickle.dump(answer, says, 5)
            says.flush()
    except BaseException:  # the parent has gone, or does not listen
        pass
    os._exit(1)


class Processes:
    """So many of them, while the block runs. `work` is called in each with what it is given."""

    def __init__(self, count: int, work: Callable[..., object]) -> None:
        self._count = count
        self._work = work

    def __enter__(self) -> list[Process]:
        self._started: list[Process] = []
        try:
            for _ in range(self._count):
                self._started.append(Process(self._work, self._started))
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self._started

    def replace(self, process: Process) -> int:
        """Another one in the place of one that died. Returns the signal that ended that, or 0."""
        at = self._started.index(process)
        ended_by = process.end()
        del self._started[at]
        self._started.insert(at, Process(self._work, self._started))
        return ended_by

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        for process in self._started:
            process.end()


def ready(processes: Collection[Process], seconds: float) -> list[Process]:
    """Those that have an answer, as soon as there are any; none if it takes longer than this."""
    found, _, _ = select.select(list(processes), [], [], seconds)
    return found


def apart(work: Callable[[], T], memory: int | None = None) -> T:
    """What `work` returns, in a process of its own that is ended when a limit of this one is reached, or that memory is
    in use there: for libraries that look at no clock. Raises DiedError if it ends otherwise."""
    if not hasattr(os, "fork"):
        return work()
    with Processes(1, work) as (process,):
        process.give()
        while not ready([process], _LOOK_EVERY):
            look()
            if memory is not None and _core.resident_bytes(process.number) > memory:
                raise SpentError(Limit.MEMORY)
        found: T = process.answer()
        return found
