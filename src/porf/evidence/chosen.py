"""Reads that do not say whom they read, and writers that a witness chooses for them."""

import dataclasses

import numpy as np
import numpy.typing as npt

from porf import _core
from porf._core import NAMED
from porf.errors import EvidenceError
from porf.evidence.data import Witness
from porf.execution import INITIAL, NO_VALUE, UNKNOWN, Execution, Int32, Int64, Op
from porf.formats.names import unpack
from porf.said import UNLIKE


def reading(execution: Execution) -> npt.NDArray[np.bool_]:
    mask: npt.NDArray[np.bool_] = (execution.op == Op.READ) | (execution.op == Op.UPDATE)
    return mask


def values_of(execution: Execution) -> tuple[Int64, Int64]:
    """What each row reads and writes; NO_VALUE where it is not recorded."""
    none = np.full(len(execution), NO_VALUE, np.int64)
    read, written = execution.read_value, execution.written_value
    return none if read is None else read, none if written is None else written


def excluded(execution: Execution, rows: Int32) -> Int64:
    """The value that each of these rows did not find, if it says no more than that: `!3`."""
    out = np.full(len(rows), NO_VALUE, np.int64)
    spelling, read = execution.spelling, execution.read_value
    if spelling is None or read is None or not any(name.startswith(UNLIKE) for name in spelling.names):
        return out
    codes = {name: NAMED + at for at, name in enumerate(spelling.names)}
    for at, row in enumerate(rows.tolist()):
        code = int(read[row])
        if execution.rf[row] == UNKNOWN and NAMED <= code < NAMED + len(spelling.names):
            name = spelling.names[code - NAMED]
            if name.startswith(UNLIKE):
                out[at] = _code(name.removeprefix(UNLIKE), codes, code)
    return out


def _code(word: str, codes: dict[str, int], otherwise: int) -> int:
    """The entry for a value in a column whose names have these codes; `otherwise` if no value of the history is it."""
    if word in codes:
        return codes[word]
    said = _core.Said()
    try:
        code = said.value(word)
    except ValueError:  # no number, though it looks like one: such values are words in quotes
        return codes.get(f'"{word}"', otherwise)
    names = unpack(said.names())
    return codes.get(names[0], otherwise) if names else code


def closed(execution: Execution, witness: Witness) -> tuple[Execution, Witness]:
    """The execution with the writers that the witness chooses, and the witness of that. Leaves out what had no effect:
    updates without an end that nobody reads."""
    if witness.rf is None:
        if (reading(execution) & (execution.rf == UNKNOWN)).any():
            raise EvidenceError("the witness does not say who is read")
        return execution, witness
    rf = witness.rf
    _check_choice(execution, rf)
    whole = dataclasses.replace(execution, rf=rf)
    idle = reading(execution) & (rf == UNKNOWN)
    if not idle.any():
        return whole, Witness(witness.writes, witness.start)
    part = whole.restrict(np.flatnonzero(~idle))
    place = np.full(len(execution), -1, np.int32)
    place[part.rows] = np.arange(len(part.rows), dtype=np.int32)
    writes = place[witness.writes]
    if (writes < 0).any():
        raise EvidenceError("the order of writes has one that had no effect")
    counts = np.bincount(part.execution.loc[writes], minlength=part.execution.locations)
    return part.execution, Witness(writes, np.concatenate(([0], np.cumsum(counts))).astype(np.int64))


def _check_choice(execution: Execution, rf: Int32) -> None:
    reads = reading(execution)
    known = execution.rf != UNKNOWN
    if len(rf) != len(execution) or not np.array_equal(rf[known], execution.rf[known]):
        raise EvidenceError("the witness chooses a writer where the history names one")
    read, written = values_of(execution)
    rows = np.flatnonzero(reads & ~known).astype(np.int32)
    unlike = excluded(execution, rows)
    for at, row in enumerate(rows.tolist()):
        writer = int(rf[row])
        if writer == UNKNOWN:
            times = execution.times
            if execution.op[row] == Op.READ or times is None or times.ends[row] or (rf == row).any():
                raise EvidenceError(f"the witness chooses nobody for {execution.name(row)}")
            continue
        if writer != INITIAL and not (0 <= writer < len(execution) and execution.writes(writer)):
            raise EvidenceError(f"the witness chooses no write for {execution.name(row)}")
        loc = int(execution.loc[row])
        value = int(execution.init_value[loc] if writer == INITIAL else written[writer])
        same = writer == INITIAL or int(execution.loc[writer]) == loc
        fits = value != unlike[at] if unlike[at] != NO_VALUE else read[row] in (value, NO_VALUE)
        if not same or not fits:
            raise EvidenceError(f"{execution.name(row)} cannot have read what the witness chooses")
