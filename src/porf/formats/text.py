"""The text format, one event per line: the core parses and resolves, this module locates errors."""

import re
from collections.abc import Sequence
from typing import Any

from porf import _core
from porf.architectures import words
from porf.errors import FormatError
from porf.execution import DEPENDENCIES, NO_VALUE, Execution, Int32, Int64
from porf.formats.faults import Fault, FaultCode, Place, Resolution, parse_error, place_in_data, place_in_line
from porf.formats.lines import initial_lines, printable
from porf.formats.names import unpack
from porf.said import Notes, Spelling, Times

BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(rb"[^\s#]+")


def read(data: bytes, source: str) -> Execution:
    data = data.removeprefix(BOM)
    parsed = _core.parse_text(data, words(fence=False), words(fence=True))
    if parsed.parse_fault is not None:
        raise _parse_error(data, source, parsed.parse_fault, parsed.line)
    if parsed.resolve_fault is not None:
        raise _resolution(data, source, parsed).error(parsed.resolve_fault)
    if len(parsed.thread) == 0:
        raise no_events(source)
    return executed(parsed, source)


def executed(parsed: _core.Parsed, source: str) -> Execution:
    """The execution of what the core has parsed."""
    pairs = dict(zip(DEPENDENCIES, parsed.dependencies, strict=True))
    return Execution(
        thread=parsed.thread,
        op=parsed.op,
        loc=parsed.loc,
        order=parsed.order,
        rf=parsed.rf,
        thread_names=unpack(parsed.thread_names),
        loc_names=unpack(parsed.loc_names),
        init_value=parsed.init_value,
        read_value=recorded(parsed.read_value),
        written_value=recorded(parsed.written_value),
        id_rows=parsed.id_rows,
        id_names=unpack(parsed.id_names),
        dependencies={kind: pair for kind, pair in pairs.items() if len(pair[0])},
        source=source,
        **tagged(parsed.tag, unpack(parsed.tag_names)),
        **said(parsed.said),
    )


def said(columns: _core.SaidColumns) -> dict[str, Any]:
    """The fields of an execution for what its events say beside the graph."""
    out: dict[str, Any] = {}
    columns_of = (columns.read_style, columns.written_style, columns.init_style)
    read, written, init = (column if len(column) else None for column in columns_of)
    names = unpack(columns.values)
    if names or any(len(column) for column in columns_of):
        out["spelling"] = Spelling(names, read, written, init)
    if len(columns.start):
        out["times"] = Times(columns.start, columns.end, columns.decimals)
    if len(columns.note_row):
        keys, texts = unpack(columns.note_keys), unpack(columns.note_texts)
        out["notes"] = Notes(keys, texts, columns.note_row, columns.note_key, columns.note_text)
    return out


def tagged(tag: Int32, names: Sequence[str]) -> dict[str, Any]:
    """The fields of an execution for what its events say beyond their orders."""
    return {"tag": tag, "tag_words": [tuple(name.split(" ")) for name in names]} if len(tag) else {}


def write(execution: Execution) -> bytes:
    lines = printable(execution, json=False)
    starts = ((name, "_" if value is None else value) for name, value in initial_lines(execution))
    inits = "".join(f"init {name} {value}\n" for name, value in starts)
    out = inits.encode() + _core.write_lines(False, *lines)
    return b"\n" + out if out.startswith(BOM) else out  # a first name that looks like a mark is a name


def no_events(source: str) -> FormatError:
    return FormatError("no events", source=source, hint="an event is a line such as `T0 w x 1`")


def recorded(values: Int64) -> Int64 | None:
    """A value column, or None where it records nothing."""
    return values if bool((values != NO_VALUE).any()) else None


def _parse_error(data: bytes, source: str, fault: Fault, line: Int32) -> FormatError:
    first = int(line[fault.first]) if fault.code == FaultCode.DUPLICATE_ID else None
    return parse_error(source, fault, place_in_data(data, fault.where, fault.width), first)


def _resolution(data: bytes, source: str, parsed: _core.Parsed) -> Resolution:
    def line_of(row: int) -> int:
        return int(parsed.line[row])

    def place(row: int, field: str, item: int) -> Place:
        raw = line_number(data, line_of(row))
        return place_in_line(raw, line_of(row), *field_in_line(raw, field, item))

    return Resolution(source, place, line_of, unpack(parsed.id_names), "rf=ID", "a line `init LOCATION VALUE` says so")


def line_number(data: bytes, number: int) -> bytes:
    begin = 0
    for _ in range(number - 1):
        begin = data.find(b"\n", begin) + 1
    end = data.find(b"\n", begin)
    return data[begin : len(data) if end < 0 else end]


def field_in_line(raw: bytes, field: str, item: int) -> tuple[int, int]:
    """Where a field of a well-formed event line is: its byte offset and width."""
    tokens = [(m.start(), m.group()) for m in _TOKEN.finditer(raw.split(b"#", 1)[0])]
    if field == "init":
        return tokens[1][0], len(tokens[1][1])
    if field in ("op", "order"):
        fence = tokens[1][1] == b"f"
        begin, token = tokens[1 if field == "op" else 2 if fence else 4]
        return begin, len(token)
    if field == "value":
        begin, token = tokens[3]
        return begin, len(token.split(b"->")[0])
    key = field.encode() + b"="
    begin, token = next((b, t) for b, t in tokens if t.startswith(key))
    items = token[len(key) :].split(b",") if field in DEPENDENCIES else [token[len(key) :]]
    return begin + len(key) + sum(len(part) + 1 for part in items[:item]), len(items[item])
