"""JSON Lines: one object per line with the fields of the text format, resolved by the same core function."""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Iterable

import numpy as np

from porf import _core
from porf._core import Initial
from porf.execution import DEPENDENCIES, INITIAL, NO_VALUE, Execution, Int32
from porf.formats.faults import Place, Resolution
from porf.formats.lines import initial_lines, json_value, printable
from porf.formats.names import unpack
from porf.formats.objects import Record, WrongFieldError, large_time, parse_line, place_of_field, wrong_at
from porf.formats.rules import ANY, REST
from porf.formats.text import BOM, executed, line_number, no_events, recorded, said, tagged


def read(data: bytes, source: str) -> Execution:
    """The core reads what programs write; what it leaves, and what is wrong, is read here with patience."""
    data = data.removeprefix(BOM)
    parsed = _core.parse_jsonl(data)
    if parsed.parse_fault is not None:
        offset = parsed.parse_fault.where
        end = data.find(b"\n", offset) + 1 or len(data)
        parse_line(data[offset:end], parsed.parse_fault.first, source)  # most often the line alone shows what is wrong
        return read_patiently(data, source)
    if parsed.resolve_fault is not None:
        raise _resolution(data, source, parsed.line, unpack(parsed.id_names)).error(parsed.resolve_fault)
    if len(parsed.thread) == 0:
        raise no_events(source)
    return executed(parsed, source)


def read_patiently(data: bytes, source: str) -> Execution:
    columns = _Columns()
    for number, raw in enumerate(io.BytesIO(data), 1):
        record = parse_line(raw, number, source)
        if record is None:
            continue
        try:
            columns.add(record, number)
        except WrongFieldError as wrong:
            raise wrong_at(wrong, raw, number, source) from None
    if not columns.thread:
        raise no_events(source)
    return columns.resolved(data, source)


def write(execution: Execution) -> bytes:
    lines = printable(execution, json=True)
    inits = "".join(
        f'{{"init":{json.dumps(name)},"value":{json_value(value)}}}\n' for name, value in initial_lines(execution)
    )
    return inits.encode() + _core.write_lines(True, *lines)


_WRITERS = {"init": INITIAL, ANY: _core.FROM_ANY}  # what is written where an id could stand


class _Columns:
    """The columns as they grow, a few bytes an event."""

    def __init__(self) -> None:
        self.thread, self.loc, self.rf, self.line = array("i"), array("i"), array("i"), array("i")
        self.op, self.order = array("B"), array("B")
        self.read, self.written = array("q"), array("q")
        self.threads: dict[str, int] = {}
        self.locations: dict[str, int] = {}
        self.symbols: dict[str, int] = {}
        self.id_row: dict[str, int] = {}
        self.init: dict[str, str | None] = {}
        self.said = _core.Said()
        self.tag, self.tags = array("i"), {"": -1}
        self.mentions = [(array("i"), array("i")) for _ in DEPENDENCIES]

    def add(self, record: Record, number: int) -> None:
        if isinstance(record, Initial):
            if record.loc in self.init:
                raise WrongFieldError(f"'{record.loc}' already has an initial value", "init", "keep one per location")
            self.init[record.loc] = record.value
            if record.loc != REST:
                self.locations.setdefault(record.loc, len(self.locations))
            return
        row, name, rf = len(self.thread), record.loc, record.rf
        self.thread.append(self.threads.setdefault(record.thread, len(self.threads)))
        self.op.append(record.op)
        self.loc.append(-1 if name is None else self.locations.setdefault(name, len(self.locations)))
        self.order.append(record.order)
        self.read.append(NO_VALUE if record.read is None else self.said.read(row, record.read))
        self.written.append(NO_VALUE if record.written is None else self.said.written(row, record.written))
        self._beside(record, row)
        self.rf.append(_core.BY_VALUE if rf is None else _WRITERS[rf] if rf in _WRITERS else self._symbol(rf))
        self.line.append(number)
        self.tag.append(self.tags.setdefault(" ".join(record.tags), len(self.tags) - 1))
        if record.id is not None:
            if record.id in self.id_row:
                first = self.line[self.id_row[record.id]]
                raise WrongFieldError(f"the id '{record.id}' is already taken", "id", f"line {first} has it")
            self.id_row[record.id] = row
        for kind, mentioned in record.mentions:
            self.mentions[kind][0].append(self._symbol(mentioned))
            self.mentions[kind][1].append(row)

    def _beside(self, record: _core.NamedEvent, row: int) -> None:
        if record.time is not None and self.said.time(row, record.time) is not None:
            raise WrongFieldError(*large_time(record.time))
        for key, text in record.notes:
            self.said.note(row, key, text)

    def _symbol(self, name: str) -> int:
        return self.symbols.setdefault(name, len(self.symbols))

    def _start(self, loc: int, name: str) -> int:
        value = self.init.get(name, self.init.get(REST, "0"))
        return NO_VALUE if value is None else self.said.initial(loc, value)

    def resolved(self, data: bytes, source: str) -> Execution:
        init_value = np.array([self._start(loc, name) for name, loc in self.locations.items()], np.int64)
        defined_at = np.array([self.id_row.get(name, -1) for name in self.symbols], np.int32)
        thread: Int32 = np.frombuffer(self.thread, np.int32)
        op = np.frombuffer(self.op, np.uint8)
        loc: Int32 = np.frombuffer(self.loc, np.int32)
        read, written = np.frombuffer(self.read, np.int64), np.frombuffer(self.written, np.int64)
        mentions = [(np.array(names, np.int32), np.array(rows, np.int32)) for names, rows in self.mentions]
        found = _core.resolve_names(
            thread, op, loc, read, written, init_value, np.frombuffer(self.rf, np.int32), defined_at, mentions
        )
        beside = self.said.finish(len(thread), len(self.locations))
        fault = found.fault or (_core.check_times(thread, beside.start, beside.end) if len(beside.start) else None)
        if fault is not None:
            raise _resolution(data, source, self.line, self.id_row).error(fault)
        pairs = {
            kind: (sources, rows)
            for kind, sources, (_, rows) in zip(DEPENDENCIES, found.sources, mentions, strict=True)
            if len(rows)
        }
        return Execution(
            thread=thread,
            op=op,
            loc=loc,
            order=np.frombuffer(self.order, np.uint8),
            rf=found.rf,
            thread_names=list(self.threads),
            loc_names=list(self.locations),
            init_value=init_value,
            read_value=recorded(read),
            written_value=recorded(written),
            id_rows=np.fromiter(self.id_row.values(), np.int32, len(self.id_row)),
            id_names=list(self.id_row),
            dependencies=pairs,
            source=source,
            **tagged(np.frombuffer(self.tag if len(self.tags) > 1 else b"", np.int32), list(self.tags)[1:]),
            **said(beside),
        )


def _resolution(data: bytes, source: str, line: array[int] | Int32, ids: Iterable[str]) -> Resolution:
    def place(row: int, field: str, item: int) -> Place:
        number = int(line[row])
        return place_of_field(line_number(data, number), number, field, item)

    return Resolution(source, place, lambda row: int(line[row]), ids, '"rf": "ID"', 'an "init" line says so')
