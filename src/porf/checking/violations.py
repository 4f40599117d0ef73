"""What went wrong in an inconsistent history: the event at which it did, all places where it did, and the least part.

Prefixes and parts are closed: they hold the writers of their reads. What is left out of a consistent history leaves a
consistent one, so the first inconsistent prefix is found by halving.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from porf.checking import check
from porf.checking.budget import Budget
from porf.checking.shrink import mentioned, minimal_rows
from porf.checking.verdict import REFUTED, Answer, Verdict
from porf.errors import UsageError
from porf.execution import Execution, Int32, Part
from porf.models.registry import Model
from porf.record import Record
from porf.said import NO_VALUE

_MOST = 100  # disjoint violations that are listed
_SECONDS = 60.0  # for all of a search, unless the budget says less


class First(Record, eq=False):
    """The event at which a history became inconsistent."""

    verdict: Verdict
    row: int
    by_time: bool
    sure: bool = True  # all prefixes that were looked at were decided

    def report(self) -> str:
        execution = self.verdict.execution
        thread = execution.thread_names[int(execution.thread[self.row])]
        order = "time" if self.by_time else "the order of the rows"
        said = f"{thread} {execution.describe(self.row)} {execution.remarks(self.row)}".rstrip()
        what = "what comes before it is consistent" if self.sure else "what comes before it was not all decided"
        return f"  first in {order}: {execution.name(self.row)} ({said}); {what}"


class Shrunk(Record, eq=False):
    """The least part of a history that is inconsistent, and why."""

    whole: Execution
    part: Part
    minimal: bool  # no event of it can be left out
    verdict: Verdict  # on the part

    @property
    def exit_code(self) -> int:
        return self.verdict.exit_code

    def headline(self) -> str:
        kept, all_, name = len(self.part.rows), len(self.whole), self.verdict.model.name
        if not self.verdict.inconsistent:
            return f"{self.whole.source}: {self.verdict.headline()}; there is nothing to shrink"
        said = "and none can be left out" if self.minimal else "perhaps fewer would be, too"
        return f"{self.whole.source}: {kept} of {all_} events are inconsistent in {name}, {said}"

    def report(self) -> str:
        from porf.formats import dumps

        if not self.verdict.inconsistent:
            return self.headline()
        text = dumps(self.part.execution).decode().rstrip()
        lines = [f"  {line}" if line else "" for line in self.verdict.explain().splitlines()]
        return "\n".join([self.headline(), "", text, "", *lines])

    def record(self) -> dict[str, Any]:
        names = [self.whole.name(row) for row in self.part.rows.tolist()]
        return {**self.verdict.record(), "events": names, "minimal": self.minimal, "of": len(self.whole)}

    def draw(self) -> str:
        return self.verdict.draw()


def first_event(verdict: Verdict, *, seconds: float | None = None) -> First:
    """The first event, in time or else in the order of the rows, with which a history is inconsistent."""
    execution, model = verdict.execution, verdict.model
    _refuse_open(execution)
    order, by_time = _order(execution)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    deadline = time.monotonic() + (seconds or _SECONDS)
    low, high, sure = 0, _upper(verdict, place), True  # the first `low` events are consistent, the first `high` are not
    while high - low > 1:
        middle = (low + high) // 2
        part = execution.restrict(_closed(execution, order[:middle]))
        left = deadline - time.monotonic()
        found = check(part.execution, model, seconds=left) if left > 0 and len(part.rows) else None
        if found is not None and found.inconsistent:
            high = int(min(middle, _upper(found, place[part.rows])))
        else:
            sure &= found is None or found.answer == Answer.CONSISTENT
            if left <= 0:
                return First(verdict, int(order[high - 1]), by_time, False)
            low = middle
    return First(verdict, int(order[high - 1]), by_time, sure)


def _order(execution: Execution) -> tuple[Int32, bool]:
    """The rows in the order in which their operations ended; without times, as they are."""
    rows = np.arange(len(execution), dtype=np.int32)
    times = execution.times
    if times is None or not times.begins.all():
        return rows, False
    ends = np.where(times.end == NO_VALUE, np.iinfo(np.int64).max, times.end)
    return np.argsort(ends, kind="stable").astype(np.int32), True


def _upper(verdict: Verdict, place: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """How many events, in their order, hold what the evidence is about."""
    rows = evidence_rows(verdict)
    if not len(rows):
        return int(place.max()) + 1
    return int(place[rows].max()) + 1


def evidence_rows(verdict: Verdict) -> Int32:
    """The rows that the evidence of an inconsistent verdict is about, with the writes that they read."""
    execution = verdict.execution
    if verdict.core is not None:
        return np.array(verdict.core.rows, np.int32)
    if verdict.proof is None:
        return np.arange(len(execution), dtype=np.int32)
    return mentioned(execution, verdict.proof)


def _closed(execution: Execution, rows: Int32) -> Int32:
    """These rows but reads of others, and readers of those."""
    kept = np.zeros(len(execution), np.bool_)
    kept[rows] = True
    reading = execution.rf >= 0
    writer = np.where(reading, execution.rf, 0)
    while (orphans := kept & reading & ~kept[writer]).any():
        kept[orphans] = False
    return np.flatnonzero(kept).astype(np.int32)


def violations(verdict: Verdict, *, seconds: float | None = None) -> Iterator[Verdict]:
    """Verdicts on what is left when the events of those before are left out, as long as it is inconsistent."""
    _refuse_open(verdict.execution)
    deadline = time.monotonic() + (seconds or _SECONDS)
    execution, found = verdict.execution, verdict
    left = np.arange(len(execution), dtype=np.int32)
    for _ in range(_MOST):
        yield found
        gone = evidence_rows(found)
        # The writes stay where others read them; the reads are what was wrong.
        reads = gone[[bool(found.execution.reads(row)) for row in gone.tolist()]]
        gone = reads if len(reads) else gone
        kept = np.setdiff1d(np.arange(len(found.execution), dtype=np.int32), gone)
        part = _named(found.execution, found.execution.restrict(_closed(found.execution, kept)))
        left = left[part.rows]
        remaining = deadline - time.monotonic()
        if not len(left) or remaining <= 0:
            return
        found = check(part.execution, verdict.model, seconds=remaining)
        if not found.inconsistent:
            return


def shrink(execution: Execution, model: str | Model, *, strict: bool = False, seconds: float | None = None) -> Shrunk:
    """The least part of an inconsistent history that is inconsistent: no event of it can be left out.

    >>> import porf
    >>> history = porf.load("examples/histories/iriw.txt")
    >>> len(shrink(history, "sc").part.rows)
    6
    """
    started = time.monotonic()
    verdict = check(execution, model, strict=strict, seconds=seconds)
    everything = execution.restrict(np.arange(len(execution), dtype=np.int32))
    if not verdict.inconsistent:
        return Shrunk(execution, everything, False, verdict)
    _refuse_open(execution)
    left = Budget(seconds=seconds or _SECONDS).since(started)
    begin = execution.restrict(evidence_rows(verdict))
    if not check(begin.execution, verdict.model, seconds=left.seconds).inconsistent:
        begin = everything

    def inconsistent(part: Execution) -> bool | None:
        return REFUTED[check(part, verdict.model, seconds=left.since(started).seconds or None).answer]

    inner, minimal = minimal_rows(begin.execution, inconsistent, left.since(started))
    part = _named(execution, execution.restrict(begin.rows[inner]))
    return Shrunk(execution, part, minimal, check(part.execution, verdict.model))


def _named(whole: Execution, part: Part) -> Part:
    """The part with its events under the names that they have in the whole."""
    names = [whole.name(row) for row in part.rows.tolist()]
    rows = np.arange(len(names), dtype=np.int32)
    return Part(dataclasses.replace(part.execution, id_rows=rows, id_names=names), part.rows, part.locs, part.threads)


def _refuse_open(execution: Execution) -> None:
    if len(execution.open_reads):
        message = "several writes may be what some events of this history read"
        hint = "the verdict itself shows a smallest part of such a history"
        raise UsageError(message, source=execution.source, hint=hint)
