"""The large form: a zip of numpy columns, read without a Python object per event, and checked by the core."""

import io
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import numpy as np

from porf import _core
from porf.architectures import words
from porf.errors import nearest
from porf.execution import (
    DEPENDENCIES,
    INITIAL,
    NO_VALUE,
    OP_LETTERS,
    ORDER_NAMES,
    UNKNOWN,
    Execution,
    Int32,
    Int64,
    Op,
    Order,
    UInt8,
)
from porf.formats import beside
from porf.formats.arrays import COLUMNS, VALUES, Array, Arrays
from porf.formats.faults import Fault, FaultCode
from porf.formats.lines import check_writable, reading, writing
from porf.formats.names import NumberedNames
from porf.formats.rules import ID_RULE, is_id
from porf.formats.text import recorded, tagged
from porf.record import replace
from porf.said import Spelling


def read(data: bytes, source: str) -> Execution:
    return read_file(io.BytesIO(data), source)


def read_file(file: BinaryIO, source: str) -> Execution:
    reader = Arrays(file, source)
    stored = {name: dtype for name, dtype in COLUMNS.items() if name in reader.present}
    columns: dict[str, Any] = {name: reader.integers(name, dtype) for name, dtype in stored.items()}
    n = len(columns["thread"])
    if n == 0:
        raise reader.error("no events", "each column has one entry per event")
    if n >= 2**31:
        raise reader.error(f"{n} events are more than 2147483647", "split the history")
    large: dict[int, int] = {}  # numbers beyond int64, and which name stands for each
    values = {name: reader.values(name, large) for name in VALUES if name in reader.present}
    for name, values_of in {**columns, **values}.items():
        if len(values_of) != n:
            raise reader.error(f"{name} has {len(values_of)} entries, thread has {n}", "one entry per event")
    threads = (
        reader.names("thread_names")
        if "thread_names" in reader.present
        else NumberedNames("T", reader.count("thread", columns["thread"]))
    )
    locations, init_value = _locations(reader, columns["loc"], large)
    if large and reader.has_any("value_names"):
        raise reader.error("values beyond int64 and value_names", "a column of uint64 has no names")
    none: Int64 = np.empty(0, np.int64)
    read_value, written_value = (values.get(name, none) for name in VALUES)
    if "rf" not in columns:
        columns["rf"] = _by_value(reader, columns, (read_value, written_value, init_value), len(threads))
    fault = _core.check_npz(
        **columns, read_value=read_value, written_value=written_value, init_value=init_value, threads=len(threads)
    )
    if fault is not None and fault.code != FaultCode.RF_VALUE:
        raise reader.error(*_words(fault, n, Spelling()))
    said = beside.read(reader, columns["thread"], len(init_value))
    if large:
        spelled = said.get("spelling", Spelling())
        said["spelling"] = replace(spelled, names=[str(number) for number in large])
    if fault is not None:
        raise reader.error(*_words(fault, n, said.get("spelling", Spelling())))
    id_rows, id_names = _ids(reader, n)
    return Execution(
        **columns,
        thread_names=threads,
        loc_names=locations,
        init_value=init_value,
        read_value=recorded(read_value),
        written_value=recorded(written_value),
        id_rows=id_rows,
        id_names=id_names,
        dependencies=_dependencies(reader, columns["thread"], columns["op"]),
        source=source,
        **_tags(reader, columns["op"], columns["order"]),
        **said,
    )


def write(execution: Execution) -> bytes:
    out = io.BytesIO()
    prepare(execution)(out)
    return out.getvalue()


def prepare(execution: Execution) -> Callable[[BinaryIO], None]:
    """The writer of a file, once all that may be wrong with the execution has been looked for."""
    arrays = _arrays_of(execution)
    return lambda file: np.savez(file, **arrays)  # type: ignore[arg-type]


def _arrays_of(execution: Execution) -> dict[str, Array]:
    """What the file holds, by name."""
    check_writable(execution)
    arrays: dict[str, Array] = {name: getattr(execution, name) for name in COLUMNS}
    for name in VALUES:
        if getattr(execution, name) is not None:
            arrays[name] = getattr(execution, name)
    arrays["init_value"] = execution.init_value
    used = int(execution.thread.max()) + 1
    for key, names, prefix in (("thread_names", execution.thread_names, "T"), ("loc_names", execution.loc_names, "x")):
        plain = isinstance(names, NumberedNames) and names.prefix == prefix
        if not plain or (key == "thread_names" and len(names) != used):
            arrays[key] = np.array(list(names), np.str_)
    if len(execution.id_rows):
        arrays["id_rows"] = execution.id_rows
        arrays["id_names"] = np.array(list(execution.id_names), np.str_)
    if execution.tag is not None:
        arrays["tag"] = execution.tag
        arrays["tag_names"] = np.array([" ".join(words) for words in execution.tag_words], np.str_)
    for kind, pair in execution.dependencies.items():
        arrays[kind] = np.stack(pair)
    return arrays | beside.arrays_of(execution)


def _by_value(reader: Arrays, columns: dict[str, Any], values: tuple[Int64, Int64, Int64], threads: int) -> Int32:
    """Which write each read takes its value from, where no array says so."""
    n, none = len(columns["thread"]), np.empty(0, np.int64)
    read, written, init = (np.full(n, NO_VALUE) if at < 2 and len(v) == 0 else v for at, v in enumerate(values))
    rf: Int32 = np.full(n, INITIAL, np.int32)
    # Rows are looked at before anybody follows them.
    fault = _core.check_npz(**columns, rf=rf, read_value=none, written_value=written, init_value=init, threads=threads)
    if fault is not None:
        raise reader.error(*_words(fault, n, Spelling()))
    no_rows: Int32 = np.empty(0, np.int32)
    by_value: Int32 = np.full(n, _core.BY_VALUE, np.int32)
    where = (columns["thread"], columns["op"], columns["loc"], read, written, init)
    found = _core.resolve_names(*where, by_value, no_rows, [(no_rows, no_rows)] * len(DEPENDENCIES))
    if found.fault is None:
        return found.rf
    row = found.fault.where
    said = {
        FaultCode.RF_MISSING: f"nothing says what row {row} reads",
        FaultCode.VALUE_UNWRITTEN: f"nothing writes read_value[{row}] to its location",
    }
    message = said.get(found.fault.code, f"rf of row {row} cannot be found")
    raise reader.error(message, "an array rf says so: the row of the write, or -1 for the initial value")


def _locations(reader: Arrays, loc: Int32, large: dict[int, int]) -> tuple[Sequence[str], Int64]:
    names: Sequence[str] | None = reader.names("loc_names") if "loc_names" in reader.present else None
    if "init_value" in reader.present:
        init_value = reader.values("init_value", large)
    else:
        init_value = np.zeros(reader.count("loc", loc) if names is None else len(names), np.int64)
    if names is None:
        names = NumberedNames("x", len(init_value))
    if len(names) != len(init_value):
        message = f"loc_names has {len(names)} entries, init_value has {len(init_value)}"
        raise reader.error(message, "one entry per location")
    return names, init_value


def _ids(reader: Arrays, n: int) -> tuple[Int32, list[str]]:
    if not reader.present & {"id_rows", "id_names"}:
        return np.empty(0, np.int32), []
    if not {"id_rows", "id_names"} <= reader.present:
        raise reader.error("id_rows and id_names go together", "give both or none")
    rows, names = reader.integers("id_rows", np.int32), reader.strings("id_names")
    if len(rows) != len(names):
        raise reader.error(f"id_rows has {len(rows)} entries, id_names has {len(names)}", "one row per name")
    wrong = np.flatnonzero((rows < 0) | (rows >= n))
    if len(wrong):
        raise reader.error(
            f"id_rows[{wrong[0]}] = {rows[wrong[0]]} is out of range ({n} events)", "it is a row, from 0"
        )
    for at, name in enumerate(names):
        if not is_id(name):
            raise reader.error(f"id_names[{at}] = {name[:60]!r} is not an id", ID_RULE)
    by_row = np.argsort(rows, kind="stable")
    rows = rows[by_row]
    if len(rows) > 1 and not (np.diff(rows) > 0).all():
        twice = int(rows[1:][np.diff(rows) == 0][0])
        raise reader.error(f"id_rows has {twice} twice", "an event has one id")
    return rows, [names[i] for i in by_row.tolist()]


def _tags(reader: Arrays, op: UInt8, order: UInt8) -> dict[str, Any]:
    if not reader.present & {"tag", "tag_names"}:
        return {}
    if not {"tag", "tag_names"} <= reader.present:
        raise reader.error("tag and tag_names go together", "give both or none")
    tag, names = reader.integers("tag", np.int32), reader.strings("tag_names")
    if len(tag) != len(op):
        raise reader.error(f"tag has {len(tag)} entries, thread has {len(op)}", "one entry per event")
    wrong = np.flatnonzero((tag < -1) | (tag >= len(names)))
    if len(wrong):
        message = f"tag[{wrong[0]}] = {tag[wrong[0]]} is out of range ({len(names)} names)"
        raise reader.error(message, "it is a place in tag_names, -1 for none")
    ordered = np.flatnonzero((tag >= 0) & (order != Order.RLX))
    if len(ordered):
        message = f"order[{ordered[0]}] = {order[ordered[0]]}, but tag[{ordered[0]}] says what the event is"
        raise reader.error(
            message, "an event has an order or words of an architecture: with words, the order is 1 (rlx)"
        )
    for fence, rows in ((False, op != Op.FENCE), (True, op == Op.FENCE)):
        for at in np.unique(tag[rows & (tag >= 0)]).tolist():
            said, known = names[at].split(" "), words(fence)
            unknown = next((word for word in said if word not in known), None)
            if unknown is not None or (fence and len(said) > 1):
                what = "a fence" if fence else "an access"
                message = f"tag_names[{at}] = {names[at][:60]!r} is not what {what} may say"
                raise reader.error(message, nearest(unknown or names[at], known) or "see docs/formats.md")
    return tagged(tag, names)


def _dependencies(reader: Arrays, thread: Int32, op: UInt8) -> dict[str, tuple[Int32, Int32]]:
    out: dict[str, tuple[Int32, Int32]] = {}
    for kind in DEPENDENCIES:
        if kind not in reader.present:
            continue
        pairs = reader.integers(kind, np.int32, dimensions=2)
        if pairs.shape[0] != 2:
            raise reader.error(f"{kind} has shape {pairs.shape}", "it must be (2, m): sources, then targets")
        sources, targets = pairs
        fault = _core.check_dependency(thread, sources, targets)
        if fault is not None:
            target = f"{kind}[1,{fault.where}] = {fault.second}"
            side, said = {
                FaultCode.BAD_SOURCE_ROW: (0, f"is out of range ({len(thread)} events)"),
                FaultCode.BAD_TARGET_ROW: (1, f"is out of range ({len(thread)} events)"),
                FaultCode.DEPENDENCY_ACROSS_THREADS: (0, f"and {target} are of different threads"),
                FaultCode.DEPENDENCY_ON_LATER: (0, f"does not come before {target}"),
            }[fault.code]
            hint = "dependencies go from an earlier event of the thread to a later one"
            raise reader.error(f"{kind}[{side},{fault.where}] = {fault.first} {said}", hint)
        wrong = ~reading(op[sources]) | ~writing(op[targets])
        if kind == "lxsx" and wrong.any():
            at = int(wrong.argmax())
            message = f"lxsx[0,{at}] = {sources[at]} and lxsx[1,{at}] = {targets[at]} are not a load and a store"
            raise reader.error(message, "lxsx goes from a load to the store that depends on it")
        if len(sources):
            by_target = np.argsort(targets, kind="stable")
            out[kind] = (sources[by_target], targets[by_target])
    return out


def _words(fault: Fault, n: int, spelling: Spelling) -> tuple[str, str | None]:
    """The message and hint for what the core found wrong with the columns."""
    operations, orders = (
        " ".join(f"{i} {word}" for i, word in enumerate(words)) for words in (OP_LETTERS, ORDER_NAMES)
    )
    column, message, hint = {
        FaultCode.BAD_THREAD_NUMBER: (
            "thread",
            f"is out of range ({fault.second} threads)",
            "threads are numbered from 0",
        ),
        FaultCode.BAD_OP_NUMBER: ("op", "is not an operation", f"the operations are {operations}"),
        FaultCode.BAD_ORDER_NUMBER: ("order", "is not an order", f"the orders are {orders}"),
        FaultCode.LOCATION_OF_FENCE: ("loc", "but the event is a fence", "a fence has location -1"),
        FaultCode.NO_LOCATION: ("loc", "but the event is not a fence", "only a fence has location -1"),
        FaultCode.BAD_LOCATION_NUMBER: (
            "loc",
            f"is out of range ({fault.second} locations)",
            "locations are numbered from 0",
        ),
        FaultCode.BAD_RF_ROW: (
            "rf",
            f"is out of range ({n} events)",
            "rf is the row of the write, -1 for the initial value, or -2 if nobody knows",
        ),
        FaultCode.RF_NOT_A_WRITE: (
            "rf",
            "is not a write",
            "rf is the row of a write or an update, or -1 for the initial value",
        ),
        FaultCode.RF_OTHER_LOCATION: (
            "rf",
            "is a write to another location",
            "a read reads from a write to its own location",
        ),
        FaultCode.RF_VALUE: (
            "read_value",
            f"but the write it reads from writes {spelling.value(fault.second)}",
            "correct rf or the values",
        ),
        FaultCode.VALUE_UNWRITTEN: ("rf", "but nothing writes what is read", "-2 is for one of several writes"),
        FaultCode.START_TWICE: (
            "read_value",
            f"was never written, nor what row {fault.first} reads",
            "a location starts with one value, even if nobody knows it",
        ),
    }[fault.code]
    value = {FaultCode.RF_VALUE: spelling.value(fault.first), FaultCode.VALUE_UNWRITTEN: UNKNOWN}.get(
        fault.code, fault.first
    )
    if fault.code == FaultCode.START_TWICE:
        return f"{column}[{fault.where}] {message}", hint
    return f"{column}[{fault.where}] = {value} {message}", hint
