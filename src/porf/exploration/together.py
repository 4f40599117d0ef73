"""Many litmus tests at once: each is the work of one of several processes, and results come in their order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from porf.errors import PorfError, UnfinishedError
from porf.processes import DiedError, Process, Processes, ready

T = TypeVar("T")
_LOOK_EVERY = 0.1  # seconds between two reports of progress


def together(
    names: Sequence[str], work: Callable[[int], T], jobs: int, progress: Callable[[int, int], object]
) -> Generator[T | PorfError, None, None]:
    """What `work` finds for each place in `names`, in order; the error of a process that died in its stead. `progress`
    is told how many are done, of how many."""
    done: dict[int, T | PorfError] = {}
    running: dict[Process, int] = {}
    dealt = shown = 0
    processes = Processes(min(jobs, len(names)), work)
    with processes as started:
        while shown < len(names):
            for process in started:
                if process not in running and dealt < len(names):
                    running[process] = dealt
                    process.give(dealt)
                    dealt += 1
            for process in ready(running, _LOOK_EVERY):
                at = running.pop(process)
                try:
                    done[at] = process.answer()
                except DiedError:
                    processes.replace(process)
                    done[at] = UnfinishedError("the process that explored it was ended", source=names[at])
                except PorfError as error:
                    done[at] = error
            progress(shown + len(done), len(names))
            while shown in done:
                yield done.pop(shown)
                shown += 1
