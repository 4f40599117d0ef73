"""What the two line formats share in writing: which reads name their writer, and which events need an id."""

import json as jsonlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.errors import UsageError
from porf.execution import DEPENDENCIES, INITIAL, NO_VALUE, UNKNOWN, Execution, Int32, Int64, Op, UInt8
from porf.formats.names import check_names, pack
from porf.said import Hex, Notes, Spelling, Times, Written, is_number

_NO_TIMES: Int64 = np.empty(0, np.int64)
_NO_ROWS: Int32 = np.empty(0, np.int32)
_NO_STYLES: UInt8 = np.empty(0, np.uint8)


def printable(execution: Execution, json: bool) -> tuple[Any, ...]:
    """The arguments of the core's writer."""
    check_writable(execution)
    n = len(execution)
    read, written = column(execution.read_value, n), column(execution.written_value, n)
    given = np.ascontiguousarray(execution.rf, np.int32)
    by_value = _core.writers_by_value(
        execution.thread, execution.op, execution.loc, read, written, execution.init_value, given
    )
    if isinstance(by_value, _core.Fault):
        raise execution.error_of(by_value)
    # Nothing to say where the value determines the writer.
    rf = np.where(by_value == execution.rf, np.int32(_core.BY_VALUE), execution.rf)
    reads = reading(execution.op)
    rf[reads & (execution.rf == UNKNOWN) & ((read == NO_VALUE) | (by_value != UNKNOWN))] = _core.FROM_ANY
    pairs = [_sorted_pairs(execution, kind) for kind in DEPENDENCIES]
    mentioned = np.concatenate([rf[reads & (rf >= 0)], *(sources for sources, _ in pairs)])
    id_rows, id_names = _ids(execution, mentioned)
    quote = jsonlib.JSONEncoder(ensure_ascii=False).encode if json else str
    names = (map(quote, execution.thread_names), map(quote, execution.loc_names), map(quote, id_names))
    return (
        execution.thread,
        execution.op,
        execution.loc,
        execution.order,
        rf,
        read,
        written,
        *(pack(packed) for packed in (names if json else (execution.thread_names, execution.loc_names, id_names))),
        id_rows,
        pairs,
        np.empty(0, np.int32) if execution.tag is None else execution.tag,
        pack(jsonlib.dumps(words) if json else " ".join(words) for words in execution.tag_words),
        _said(execution, quote if json else None),
    )


def _said(execution: Execution, quote: Callable[[str], str] | None) -> _core.SaidAs:
    """What the core writes beside the graph; `quote` is for JSON."""
    spelling, times = execution.spelling or Spelling(), execution.times or Times(_NO_TIMES, _NO_TIMES)
    notes = execution.notes or Notes((), (), _NO_ROWS, _NO_ROWS, _NO_ROWS)
    say = quote or _core.escaped
    return _core.SaidAs(
        pack(spelling.names if quote is None else map(_json_value, spelling.names)),
        _NO_STYLES if spelling.read_style is None else spelling.read_style,
        _NO_STYLES if spelling.written_style is None else spelling.written_style,
        times.start,
        times.end,
        times.decimals,
        pack(notes.keys if quote is None else map(quote, notes.keys)),
        pack(map(say, notes.texts)),
        notes.row,
        notes.key,
        notes.text,
    )


def _json_value(name: str) -> str:
    """A named value as JSON has it: numbers as such, words as strings, without the quotes that only text needs."""
    if is_number(name):
        return name
    inner = name[1:-1]
    needless = name[:1] == '"' == name[-1:] and _core.word_of(inner) == name
    return jsonlib.dumps(inner if needless else name, ensure_ascii=False)


def json_value(value: Written | None) -> str:
    """A value as JSON has it."""
    if value is None:
        return "null"
    if isinstance(value, Hex):
        return f'"{value}"'
    return _json_value(str(value))


def initial_lines(execution: Execution) -> Iterator[tuple[str, Written | None]]:
    """The initial values to say: up to the last that is not 0 or whose location would get another number. None is for
    a start that nobody knows."""
    # Lines before the events number their locations first, and the others are numbered as they appear.
    first = np.full(execution.locations, len(execution))
    appears, rows = np.unique(execution.loc, return_index=True)
    first[appears[appears >= 0]] = rows[appears >= 0]
    needed = (execution.init_value != 0) | (first == len(execution))
    if execution.spelling is not None and execution.spelling.init_style is not None:
        needed |= execution.spelling.init_style != 0
    needed[:-1] |= first[:-1] > first[1:]
    last = int(np.flatnonzero(needed)[-1]) + 1 if needed.any() else 0
    return ((execution.loc_names[loc], execution.initial_value(loc)) for loc in range(last))


def check_writable(execution: Execution) -> None:
    if len(execution) == 0:
        raise UsageError("an execution without events cannot be written")
    unknown = np.flatnonzero(reading(execution.op) & (execution.rf == UNKNOWN))
    left_out = unknown[np.diff(execution.open_reads.start) == 0]
    if len(left_out):
        raise UsageError(
            f"{execution.name(int(left_out[0]))} reads from a write that is not part of the execution",
            hint="write the whole execution, or a restriction that keeps the writers",
        )
    check_names(execution.thread_names, execution.loc_names, execution.id_names)


def reading(op: UInt8) -> npt.NDArray[np.bool_]:
    return np.asarray((op == Op.READ) | (op == Op.UPDATE))


def writing(op: UInt8) -> npt.NDArray[np.bool_]:
    return np.asarray((op == Op.WRITE) | (op == Op.UPDATE))


def column(values: Int64 | None, n: int) -> Int64:
    return np.full(n, NO_VALUE, np.int64) if values is None else np.ascontiguousarray(values, np.int64)


def _sorted_pairs(execution: Execution, kind: str) -> tuple[Int32, Int32]:
    empty = np.empty(0, np.int32)
    sources, targets = execution.dependencies.get(kind, (empty, empty))
    by_target = np.argsort(targets, kind="stable")
    return np.ascontiguousarray(sources[by_target]), np.ascontiguousarray(targets[by_target])


def _ids(execution: Execution, mentioned: Int32) -> tuple[Int32, Any]:
    """The ids to write: the execution's own, and default names for the other rows that something mentions."""
    new = np.setdiff1d(mentioned[mentioned > INITIAL], execution.id_rows)
    if len(new) == 0:
        return execution.id_rows, execution.id_names
    rows = np.concatenate([execution.id_rows, new.astype(np.int32)])
    names = [*execution.id_names, *(execution.name(row) for row in new.tolist())]
    by_row = np.argsort(rows)
    return rows[by_row], [names[i] for i in by_row.tolist()]
