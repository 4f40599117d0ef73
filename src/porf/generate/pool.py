"""Histories whose values repeat: the values of a history replaced by random ones of a small pool."""

from dataclasses import replace

import numpy as np

from porf import _core
from porf.errors import UsageError, check_options
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Op
from porf.said import Spelling


def pooled(execution: Execution, values: int, seed: int = 0) -> Execution:
    """The same history, but each write stores a random value from 1 to `values`. Only the values say who is read, so
    that most reads are open; writers that made the history are a choice of those."""
    check_options(seed=seed)
    if not 1 <= values < 2**31:
        raise UsageError(f"values is {values}", hint="it is the size of a pool, at least 1")
    if len(execution.open_reads) or bool((execution.init_value == NO_VALUE).any()):
        raise UsageError("values are replaced in histories that say who is read", source=execution.source)
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = random.integers(1, values + 1, len(execution))
    written = np.where(execution.writing, drawn, NO_VALUE).astype(np.int64)
    reading = np.isin(execution.op, (int(Op.READ), int(Op.UPDATE)))
    start = np.append(execution.init_value, 0)[execution.loc]
    seen = np.where(execution.rf == INITIAL, start, written[execution.rf])
    read = np.where(reading, seen, NO_VALUE).astype(np.int64)
    rf = np.where(reading, UNKNOWN, INITIAL).astype(np.int32)
    fault = _core.settle_rf(execution.thread, execution.op, execution.loc, read, written, execution.init_value, rf)
    assert fault is None, "a read has the value of its own writer"
    source = f"{execution.source}, values from a pool of {values}"
    old = execution.spelling
    spelling = None if old is None else Spelling(old.names, None, None, old.init_style)
    return replace(execution, rf=rf, read_value=read, written_value=written, spelling=spelling, source=source)
