"""A first guess at who is read, from when things may have happened: by recorded times, by rows, by progress."""

import numpy as np
import numpy.typing as npt

from porf.allowance import look
from porf.evidence.data import Choice
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Int32, Op

_A_LOOK = 1 << 14  # events between two looks at the clock


def replayed(execution: Execution) -> Int32 | None:
    """The writers if the rows are an interleaving as they stand: each read takes the last write of its location above
    it; None if some read does not have that value, or reads from another."""
    rf = execution.rf.copy()
    candidates = {row: set(execution.open_reads.of_row(row).tolist()) for row in execution.open_reads.rows.tolist()}
    last = [INITIAL] * execution.locations
    starts: dict[int, int] = {}  # values that are read of starts that nobody knows
    for row, (op, loc) in enumerate(zip(execution.op.tolist(), execution.loc.tolist(), strict=True)):
        if row % _A_LOOK == 0:
            look()
        if op in (Op.READ, Op.UPDATE):
            writer = last[loc]
            if rf[row] == UNKNOWN and writer in candidates[row]:
                rf[row] = writer
            if rf[row] != writer or not _one_start(execution, row, loc, writer, starts):
                return None
        if op in (Op.WRITE, Op.UPDATE):
            last[loc] = row
    return rf


def _one_start(execution: Execution, row: int, loc: int, writer: int, starts: dict[int, int]) -> bool:
    if writer != INITIAL or execution.init_value[loc] != NO_VALUE or execution.read_value is None:
        return True
    value = int(execution.read_value[row])
    return value == NO_VALUE or starts.setdefault(loc, value) == value


def guessed(execution: Execution, hidden: set[Choice]) -> list[int]:
    """For each open read, the candidate that may have been there: the last before it, else the next after it; none of
    those that are hidden, if there are others."""
    when = _when(execution)
    out = []
    for at, row in enumerate(execution.open_reads.rows.tolist()):
        writers = execution.open_reads.of(at)
        own = (writers >= row) & (execution.thread[writers] == execution.thread[row])
        times = np.where(writers < 0, -1.0, when[writers])
        out_of_sight = np.array([(row, writer) in hidden for writer in writers.tolist()], np.bool_)
        times = np.where((own & (writers >= 0)) | out_of_sight, np.inf, times)
        before = np.flatnonzero(times <= when[row])
        best = before[np.argmax(times[before])] if len(before) else np.argmin(times)
        out.append(int(writers[best]))
    return out


def _when(execution: Execution) -> npt.NDArray[np.float64]:
    """A guess at when each event took place."""
    times, n = execution.times, len(execution)
    if times is not None and bool((times.start != NO_VALUE).all()):
        return times.start.astype(np.float64)
    turns = np.count_nonzero(np.diff(execution.thread))
    if turns >= 2 * execution.threads:
        return np.arange(n, dtype=np.float64)
    # Thread after thread: as if all had gone at the same pace.
    by_thread = np.argsort(execution.thread, kind="stable")
    counts = np.bincount(execution.thread, minlength=execution.threads)
    first = np.cumsum(counts) - counts
    when = np.empty(n, np.float64)
    when[by_thread] = (np.arange(n) - np.repeat(first, counts)) / np.repeat(np.maximum(counts, 1), counts)
    return when
