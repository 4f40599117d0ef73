"""Tables in memory as logs: frames of pandas and polars, tables of Arrow, records of numpy, and dictionaries of arrays.

Columns go to the core as arrays of numbers, or as numbers of words; no object is made for an event.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Table
from typing import Any

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.errors import FormatError, UsageError, nearest, wrong_type
from porf.execution import Execution
from porf.formats.faults import Fault, Place, Resolution
from porf.formats.logs.faults import words_for
from porf.formats.logs.guess import columns_by_name
from porf.formats.logs.lines import Shape, check_roles, meaning_of
from porf.formats.logs.mapping import Mapping, role
from porf.formats.names import pack, unpack
from porf.formats.text import executed

_NO_WORDS = (b"", np.zeros(1, np.int64))
_NO_MASK: npt.NDArray[np.uint8] = np.empty(0, np.uint8)


def read_frame(frame: Any, mapping: Mapping | Table[str, str] | None, source: str) -> Execution:
    """The history that a frame holds, a row an event, by a mapping or by the names of its columns."""
    columns = _columns_of(frame)
    if isinstance(mapping, dict):
        mapping = Mapping(columns=mapping)
    if not isinstance(mapping, Mapping | None):
        raise wrong_type("from_frame", "a porf.Mapping, or a dictionary of columns", mapping)
    mapping = mapping or Mapping()
    named = mapping.columns or columns_by_name(tuple(columns))
    names: list[str] = []
    roles: dict[str, int] = {}
    for what, given in named.items():
        name = _name(given, columns)
        if name not in names:
            names.append(name)
        roles[role(what)] = names.index(name)
    try:
        check_roles(roles)
    except UsageError as error:
        error.hint = f"porf.Mapping(columns={{…}}) says it; the columns are {' '.join(columns)[:200]}"
        raise
    log = _core.Log.frame(len(names), meaning_of(mapping, roles, Shape("frame"), 0))
    arrays = [_column(columns[name]) for name in names]
    lengths = {len(array.values) for array in arrays}
    if len(lengths) > 1:
        raise UsageError("the columns have different lengths", source=source)
    rows = lengths.pop()
    fault = log.read_frame([_core.FrameColumn(a.values, a.words, a.missing) for a in arrays], rows)
    if fault is not None:
        raise _error(fault, log.line, names, columns, mapping, source)
    for location, value in mapping.init.items():
        if not log.initial(location, str(value)):
            raise UsageError(f"'{value}' is no initial value of {location}, or another is said already", source=source)
    parsed = log.finish()
    if parsed.resolve_fault is not None:
        raise _resolution(parsed, roles, names, columns, source).error(parsed.resolve_fault)
    if rows == 0:
        raise FormatError("no events", source=source, hint="a row is an event")
    return executed(parsed, source)


def _columns_of(frame: Any) -> dict[str, Any]:
    """The columns by their names."""
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return {name: frame[name] for name in frame.dtype.names}
    if isinstance(frame, Table):
        return {str(name): column for name, column in frame.items()}
    if hasattr(frame, "column_names") and hasattr(frame, "column"):  # Arrow
        return {name: frame.column(name) for name in frame.column_names}
    if not hasattr(frame, "columns") or not hasattr(frame, "__getitem__"):
        raise wrong_type("from_frame", "a frame of pandas or polars, or records of numpy", frame)
    out = {str(name): frame[name] for name in frame.columns}
    index = getattr(getattr(frame, "index", None), "name", None)
    if index == "event" and "id" not in out:  # as Execution.to_dataframe calls its rows
        out["id"] = frame.index.to_series()
    return out


def _name(given: str | int, columns: dict[str, Any]) -> str:
    if str(given) in columns:
        return str(given)
    number = int(given) if str(given).isdigit() else 0
    if 1 <= number <= len(columns):
        return list(columns)[number - 1]
    hint = nearest(str(given), columns) or "the columns are " + " ".join(columns)[:200]
    raise UsageError(f"no column is called '{given}'", hint=hint)


class _Array:
    """A column as the core takes it."""

    def __init__(self, values: Any, words: Any = _NO_WORDS, missing: Any = _NO_MASK) -> None:
        self.values, self.words, self.missing = values, words, missing


def _coded(codes: Any, words: Iterable[Any]) -> _Array:
    return _Array(np.ascontiguousarray(codes, np.int32), pack([str(word) for word in words]))


def _column(column: Any) -> _Array:
    library = type(column).__module__.partition(".")[0]
    if library == "pandas":
        return _of_pandas(column)
    if library == "polars":
        return _of_polars(column)
    if hasattr(column, "dictionary_encode"):
        return _of_arrow(column)
    return _of_numpy(np.asarray(column))


def _of_numpy(column: npt.NDArray[Any], missing: Any = _NO_MASK) -> _Array:
    if column.ndim != 1:
        raise UsageError("a column has more than one dimension", hint="a row is an event")
    kind = column.dtype.kind
    if kind in "mM":
        lost = np.isnat(column).astype(np.uint8)
        return _Array(np.ascontiguousarray(column.view(np.int64)), missing=lost if lost.any() else missing)
    if kind in "iuf":
        wide = {"i": np.int64, "u": np.uint64, "f": np.float64}[kind]
        return _Array(np.ascontiguousarray(column, wide), missing=missing)
    if kind == "b":
        return _Array(np.ascontiguousarray(column, np.int32), pack(["false", "true"]), missing)
    if kind in "US":
        words, codes = np.unique(column, return_inverse=True)
        return _coded(codes, [word.decode(errors="replace") if kind == "S" else word for word in words.tolist()])
    known: dict[Any, int] = {}
    codes = np.fromiter((-1 if _is_nothing(x) else known.setdefault(x, len(known)) for x in column), np.int32)
    return _coded(codes, known)


def _is_nothing(item: Any) -> bool:
    return item is None or item != item


def _of_pandas(column: Any) -> _Array:
    from pandas import factorize  # type: ignore[import-untyped, unused-ignore]

    if hasattr(column, "cat"):
        return _coded(column.cat.codes.to_numpy(), column.cat.categories)
    kind = column.dtype.kind
    if kind in "iufbmM":
        lost = column.isna().to_numpy(np.uint8)
        if kind in "iub" and lost.any():  # a column of pandas' own kind
            column = column.fillna(False if kind == "b" else 0)
        if kind in "mM":
            plain = column.to_numpy()
            return _of_numpy(plain if plain.dtype.kind in "mM" else plain.astype("datetime64[ns]"))
        whole = {"i": np.int64, "u": np.uint64, "f": np.float64, "b": np.bool_}[kind]
        return _of_numpy(column.to_numpy(whole), lost if lost.any() else _NO_MASK)
    codes, words = factorize(column)
    return _coded(codes, words)


def _of_polars(column: Any) -> _Array:
    import polars  # type: ignore[import-not-found, unused-ignore]

    if column.dtype.is_temporal():
        column = column.to_physical()
    lost = column.is_null().to_numpy().astype(np.uint8)
    if column.dtype.is_numeric() or column.dtype == polars.Boolean:
        filled = column.fill_null(False if column.dtype == polars.Boolean else 0)
        return _of_numpy(filled.to_numpy(), lost if lost.any() else _NO_MASK)
    words = column.cast(polars.String).drop_nulls().unique(maintain_order=True)
    codes = column.cast(polars.String).cast(polars.Enum(words)).to_physical().cast(polars.Int32).fill_null(-1)
    return _coded(codes.to_numpy(), words.to_list())


def _of_arrow(column: Any) -> _Array:
    if column.null_count == 0 and str(column.type).startswith(("int", "uint", "float", "double", "timestamp")):
        return _of_numpy(column.to_numpy())
    encoded = column.dictionary_encode()
    encoded = encoded.combine_chunks() if hasattr(encoded, "combine_chunks") else encoded
    return _coded(encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


def _error(
    fault: Fault, row: int, names: list[str], columns: dict[str, Any], mapping: Mapping, source: str
) -> FormatError:
    at = fault.where if 0 <= fault.where < len(names) else None
    token = "" if at is None else _shown(columns[names[at]], row - 1)
    message, hint = words_for(fault, token, mapping, first=False)
    hint = (hint or "").replace("--ops ", "in the mapping, ops: ").split("; --skip-bad")[0].split(" (--sort")[0]
    where = f"row {row - 1}" + ("" if at is None else f", column '{names[at]}'")
    return FormatError(f"{where}: {message}", source=source, hint=hint or None)


def _resolution(
    parsed: _core.Parsed, roles: dict[str, int], names: list[str], columns: dict[str, Any], source: str
) -> Resolution:
    def place(row: int, field: str, item: int) -> Place:
        number = int(parsed.line[row])
        for name in (field, "read", "start") if field in ("value", "time") else (field,):
            if name in roles:
                return Place(number, roles[name] + 1, token=_shown(columns[names[roles[name]]], number - 1))
        return Place(number)

    lines: Any = parsed.line
    rf, init = "a column for rf", "the mapping's init says so"
    return Resolution(source, place, lambda row: int(lines[row]), unpack(parsed.id_names), rf, init)


def _shown(column: Any, row: int) -> str:
    return str(column.iloc[row] if hasattr(column, "iloc") else column[row])[:60]
