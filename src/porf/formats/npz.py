"""The large form: a zip of numpy columns, read without a Python object an event and checked by the core."""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.errors import FormatError, nearest
from porf.execution import DEPENDENCIES, OP_LETTERS, ORDER_NAMES, Execution, Int32, Int64
from porf.formats.faults import Fault
from porf.formats.lines import check_writable
from porf.formats.names import ID_RULE, RULE, NumberedNames, is_id, is_name
from porf.formats.text import no_events, recorded

Array = npt.NDArray[Any]

_COLUMNS: dict[str, type[np.integer[Any]]] = {
    "thread": np.int32,
    "op": np.uint8,
    "loc": np.int32,
    "order": np.uint8,
    "rf": np.int32,
}
_VALUES = ("read_value", "written_value")
_NAMES = ("thread_names", "loc_names", "id_names")
_KNOWN = (*_COLUMNS, *_VALUES, *_NAMES, "id_rows", "init_value", *DEPENDENCIES)
# Everything that reading a damaged zip or a damaged array header is known to raise.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    OSError,
    EOFError,
    KeyError,
    IndexError,
    TypeError,
    SyntaxError,
    tokenize.TokenError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    MemoryError,
)


def read(data: bytes, source: str) -> Execution:
    return read_file(io.BytesIO(data), source)


def read_file(file: BinaryIO, source: str) -> Execution:
    reader = _Reader(file, source)
    columns: dict[str, Any] = {name: reader.integers(name, dtype) for name, dtype in _COLUMNS.items()}
    n = len(columns["thread"])
    if n == 0:
        raise no_events(source)
    if n >= 2**31:
        raise reader.error(f"{n} events are more than 2147483647", None)
    values = {name: reader.integers(name, np.int64) for name in _VALUES if name in reader.present}
    for name, values_of in {**columns, **values}.items():
        if len(values_of) != n:
            raise reader.error(f"{name} has {len(values_of)} entries, thread has {n}", "one entry an event")
    threads = (
        reader.names("thread_names")
        if "thread_names" in reader.present
        else NumberedNames("T", reader.count("thread", columns["thread"]))
    )
    locations, init_value = _locations(reader, columns["loc"])
    none: Int64 = np.empty(0, np.int64)
    read_value, written_value = (values.get(name, none) for name in _VALUES)
    fault = _core.check_npz(
        **columns,
        read_value=read_value,
        written_value=written_value,
        init_value=init_value,
        threads=len(threads),
    )
    if fault is not None:
        raise reader.error(*_words(fault, n))
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
        dependencies=_dependencies(reader, columns["thread"]),
        source=source,
    )


def write(execution: Execution) -> bytes:
    out = io.BytesIO()
    write_file(execution, out)
    return out.getvalue()


def write_file(execution: Execution, file: BinaryIO) -> None:
    check_writable(execution)
    arrays: dict[str, Array] = {name: getattr(execution, name) for name in _COLUMNS}
    for name in _VALUES:
        if getattr(execution, name) is not None:
            arrays[name] = getattr(execution, name)
    arrays["init_value"] = execution.init_value
    used = int(execution.thread.max()) + 1
    for key, names, prefix in (
        ("thread_names", execution.thread_names, "T"),
        ("loc_names", execution.loc_names, "x"),
    ):
        plain = isinstance(names, NumberedNames) and names.prefix == prefix
        if not plain or (key == "thread_names" and len(names) != used):
            arrays[key] = np.array(list(names), np.str_)
    if len(execution.id_rows):
        arrays["id_rows"] = execution.id_rows
        arrays["id_names"] = np.array(list(execution.id_names), np.str_)
    for kind, pair in execution.dependencies.items():
        arrays[kind] = np.stack(pair)
    np.savez(file, **arrays)  # type: ignore[arg-type]


class _Reader:
    """The arrays of one zip, each read once and turned into the type it must have."""

    def __init__(self, file: BinaryIO, source: str) -> None:
        self.source = source
        try:
            self.zip = zipfile.ZipFile(file)
            stored = [name.removesuffix(".npy") for name in self.zip.namelist()]
        except _DAMAGE as error:
            raise self.error("this is not an npz file, or it is damaged", str(error) or None) from None
        self.present = set(stored)
        for name in stored:
            if name not in _KNOWN:
                hint = nearest(name, _KNOWN) or "the arrays are " + " ".join(_KNOWN)
                raise self.error(f"unknown array '{name[:60]}'", hint)
        missing = [name for name in _COLUMNS if name not in self.present]
        if missing:
            hint = "the columns are " + " ".join(_COLUMNS)
            raise self.error(f"missing column{'s'[: len(missing) > 1]}: {', '.join(missing)}", hint)

    def error(self, message: str, hint: str | None) -> FormatError:
        return FormatError(message, source=self.source, hint=hint)

    def array(self, name: str, dimensions: int = 1) -> Array:
        try:
            with self.zip.open(f"{name}.npy") as file:
                array: Array = np.lib.format.read_array(file, allow_pickle=False)
        except _DAMAGE as error:
            raise self.error(f"the array '{name}' cannot be read: {str(error)[:200]}", None) from None
        if array.ndim != dimensions:
            raise self.error(f"{name} has {array.ndim} dimensions instead of {dimensions}", None)
        return np.ascontiguousarray(array)

    def integers(self, name: str, dtype: type[np.integer[Any]], dimensions: int = 1) -> Array:
        array = self.array(name, dimensions)
        if array.dtype == dtype:
            return array
        if array.dtype.kind not in "iu":
            raise self.error(f"{name} is of type {array.dtype}", f"it must be {np.dtype(dtype)}")
        limits, flat = np.iinfo(dtype), array.reshape(-1)
        wrong = np.flatnonzero((flat < limits.min) | (flat > limits.max))
        if len(wrong):
            at = int(wrong[0])
            raise self.error(f"{name}[{at}] = {flat[at]} does not fit {limits.dtype}", None)
        return array.astype(dtype)

    def count(self, name: str, numbers: Int32) -> int:
        """How many threads or locations there are where no names say so."""
        highest, at = int(numbers.max()), int(numbers.argmax())
        if highest >= len(numbers):
            hint = f"number from 0 without gaps, or give {name}_names"
            raise self.error(f"{name}[{at}] = {highest} is out of range ({len(numbers)} events)", hint)
        return highest + 1

    def names(self, name: str) -> list[str]:
        names = self.strings(name)
        for at, one in enumerate(names):
            if not is_name(one) or (name == "thread_names" and one == "init"):
                raise self.error(f"{name}[{at}] = {one[:60]!r} is not a name", RULE)
        return names

    def strings(self, name: str) -> list[str]:
        array = self.array(name)
        if array.dtype.kind != "U":
            raise self.error(f"{name} is of type {array.dtype}", "names are an array of unicode strings")
        try:
            names: list[str] = array.tolist()
        except ValueError as error:  # a code point past U+10FFFF
            raise self.error(f"the array '{name}' cannot be read: {error}", None) from None
        if len(set(names)) != len(names):
            twice = next(one for at, one in enumerate(names) if one in names[:at])
            raise self.error(f"{name} has {twice[:60]!r} twice", "names are distinct")
        return names


def _locations(reader: _Reader, loc: Int32) -> tuple[Sequence[str], Int64]:
    names: Sequence[str] | None = reader.names("loc_names") if "loc_names" in reader.present else None
    if "init_value" in reader.present:
        init_value = reader.integers("init_value", np.int64)
    else:
        init_value = np.zeros(reader.count("loc", loc) if names is None else len(names), np.int64)
    if names is None:
        names = NumberedNames("x", len(init_value))
    if len(names) != len(init_value):
        message = f"loc_names has {len(names)} entries, init_value has {len(init_value)}"
        raise reader.error(message, "one entry a location")
    return names, init_value


def _ids(reader: _Reader, n: int) -> tuple[Int32, list[str]]:
    if not reader.present & {"id_rows", "id_names"}:
        return np.empty(0, np.int32), []
    if not {"id_rows", "id_names"} <= reader.present:
        raise reader.error("id_rows and id_names go together", "give both or none")
    rows, names = reader.integers("id_rows", np.int32), reader.strings("id_names")
    if len(rows) != len(names):
        raise reader.error(f"id_rows has {len(rows)} entries, id_names has {len(names)}", "one row a name")
    wrong = np.flatnonzero((rows < 0) | (rows >= n))
    if len(wrong):
        raise reader.error(f"id_rows[{wrong[0]}] = {rows[wrong[0]]} is out of range ({n} events)", None)
    for at, name in enumerate(names):
        if not is_id(name):
            raise reader.error(f"id_names[{at}] = {name[:60]!r} is not an id", ID_RULE)
    by_row = np.argsort(rows, kind="stable")
    rows = rows[by_row]
    if len(rows) > 1 and not (np.diff(rows) > 0).all():
        twice = int(rows[1:][np.diff(rows) == 0][0])
        raise reader.error(f"id_rows has {twice} twice", "an event has one id")
    return rows, [names[i] for i in by_row.tolist()]


def _dependencies(reader: _Reader, thread: Int32) -> dict[str, tuple[Int32, Int32]]:
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
            side, problem = fault[0].split(":")
            words = {
                "range": f"is out of range ({len(thread)} events)",
                "thread": f"and {kind}[1,{fault[1]}] = {fault[4]} are of different threads",
                "later": f"does not come before {kind}[1,{fault[1]}] = {fault[4]}",
            }
            hint = "dependencies go from an earlier event of the thread to a later one"
            raise reader.error(f"{kind}[{side},{fault[1]}] = {fault[3]} {words[problem]}", hint)
        if len(sources):
            by_target = np.argsort(targets, kind="stable")
            out[kind] = (sources[by_target], targets[by_target])
    return out


def _words(fault: Fault, n: int) -> tuple[str, str | None]:
    """The message and hint for what the core found wrong with the columns."""
    code, index, _, value, other = fault
    name = code.split(":")[0]
    numbered = " ".join(
        f"{i} {word}" for i, word in enumerate(ORDER_NAMES if name == "order" else OP_LETTERS)
    )
    message, hint = {
        "thread:range": (f"is out of range ({other} threads)", "threads are numbered from 0"),
        "op:unknown": ("is not an operation", f"the operations are {numbered}"),
        "order:unknown": ("is not an order", f"the orders are {numbered}"),
        "loc:fence": ("but the event is a fence", "a fence has location -1"),
        "loc:missing": ("but the event is no fence", "only a fence has location -1"),
        "loc:range": (f"is out of range ({other} locations)", "locations are numbered from 0"),
        "rf:range": (
            f"is out of range ({n} events)",
            "rf is the row of the write, or -1 for the initial value",
        ),
        "rf:not-a-write": (
            "is not a write",
            "rf is the row of a write or an update, or -1 for the initial value",
        ),
        "rf:other-location": (
            "is a write to another location",
            "a read reads from a write to its own location",
        ),
        "read_value:other": (f"but the write it reads from writes {other}", "correct rf or the values"),
        "init_value:none": ("stands for no value", "an initial value must be known"),
    }[code]
    return f"{name}[{index}] = {value} {message}", hint
