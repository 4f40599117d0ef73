"""Processes that work for this one: copies of it, each with a pipe for what it is given and one for its answers.

They have all that this process has when they start, so nothing is sent but work and answers. The standard library's
pools of processes can do more, and take longer to import than a small exploration takes.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable, Collection
from mmap import mmap
from types import TracebackType
from typing import IO, Any


class Flag:
    """A bit that this process and those that it starts later share."""

    def __init__(self) -> None:
        self._memory = mmap(-1, 1)

    @property
    def is_up(self) -> bool:
        return self._memory[0] != 0

    def raise_if(self, condition: bool) -> None:
        self._memory[0] = condition


class Process:
    """One of them. It does one piece of work at a time."""

    def __init__(self, work: Callable[..., object], others: Collection[Process]) -> None:
        reads, gives = os.pipe()
        answers, says = os.pipe()
        self.number = os.fork()
        if self.number == 0:
            for end in (gives, answers, *(end.fileno() for other in others for end in (other._given, other._answers))):
                os.close(end)  # what others hold open does not end
            _serve(work, os.fdopen(reads, "rb"), os.fdopen(says, "wb"))
        os.close(reads)
        os.close(says)
        self._given: IO[bytes] = os.fdopen(gives, "wb")
        self._answers: IO[bytes] = os.fdopen(answers, "rb")

    def fileno(self) -> int:
        """For `select`: an answer can be read there."""
        return self._answers.fileno()

    def give(self, *work: object) -> None:
        pickle.dump(work, self._given, 5)
        self._given.flush()

    def answer(self) -> Any:
        """What it answers, once it does; an error of its work is raised here."""
        try:
            is_answer, found = pickle.load(self._answers)
        except EOFError:
            raise RuntimeError("a process that explores has ended before its work") from None
        if not is_answer:
            raise found
        return found

    def end(self) -> None:
        os.kill(self.number, signal.SIGKILL)
        os.waitpid(self.number, 0)
        self._given.close()
        self._answers.close()


def _serve(work: Callable[..., object], given: IO[bytes], says: IO[bytes]) -> None:
    """What such a process does: it never returns to what its parent was doing."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops us
        while True:
            arguments = pickle.load(given)
            try:
                answer: tuple[bool, object] = True, work(*arguments)
            except Exception as error:
                answer = False, error
            pickle.dump(answer, says, 5)
            says.flush()
    except BaseException:  # the parent has gone, or does not listen
        os._exit(1)


class Processes:
    """So many of them, while the block runs. `work` is called in each with what it is given."""

    def __init__(self, count: int, work: Callable[..., object]) -> None:
        self._count = count
        self._work = work

    def __enter__(self) -> list[Process]:
        self._started: list[Process] = []
        for _ in range(self._count):
            self._started.append(Process(self._work, self._started))
        return self._started

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        for process in self._started:
            process.end()


def ready(processes: Collection[Process], seconds: float) -> list[Process]:
    """Those that have an answer, as soon as there are any; none if it takes longer than this."""
    found, _, _ = select.select(list(processes), [], [], seconds)
    return found
