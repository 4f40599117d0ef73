"""The reader of logs: blocks of bytes go to the core, and what is wrong comes back as errors with their places."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import BinaryIO

from porf import _core
from porf.allowance import look
from porf.errors import FormatError, UsageError, nearest
from porf.execution import Execution
from porf.formats.compressed import whole
from porf.formats.faults import Fault, Place, Resolution, error_at, place_in_line
from porf.formats.logs.faults import words_for
from porf.formats.logs.guess import guessed
from porf.formats.logs.lines import HEAD, Plan, plan_of, shape_of
from porf.formats.logs.mapping import Mapping, with_words
from porf.formats.names import unpack
from porf.formats.rules import is_note
from porf.formats.text import executed
from porf.record import Record

_BLOCK = 1 << 23  # bytes read at a time
_LONGEST = 1 << 26  # of a line
_FIELDS = {"value": ("read", "value"), "time": ("time", "start"), "init": ("location",)}  # as roles
Again = Callable[[], AbstractContextManager[BinaryIO]]


class Imported(Record):
    """What a log says, and what was left out of it."""

    execution: Execution
    bad: int = 0
    first_bad: int = 0  # the number of the first line that was left out as wrong

    def remark(self) -> str | None:
        """What people should know of it."""
        if not self.bad:
            return None
        lines = "1 line was" if self.bad == 1 else f"{self.bad} lines were"
        return f"{self.execution.source}: {lines} left out as wrong, the first of them line {self.first_bad}"


def read(data: bytes, source: str) -> Execution:
    """A log that says by itself what its columns are."""
    return read_log(io.BytesIO(data), source).execution


def read_file(file: BinaryIO, source: str) -> Execution:
    return read_log(file, source).execution


def read_log(file: BinaryIO, source: str, mapping: Mapping | None = None, may_be_bad: int = 0) -> Imported:
    """A log from a file, by a mapping or by what its header says; up to so many wrong lines are left out. A file is
    read once more if something is wrong with it that only the whole shows."""
    with whole(source):
        head = file.read(HEAD)
    mapping = mapping or Mapping()
    if not mapping.columns and not mapping.lines:
        guess = guessed(head, source, certain=True, said=mapping).mapping
        mapping = with_words(mapping, columns=guess.columns, lines=guess.lines, others=guess.others or mapping.others)
        mapping = with_words(mapping, unless=mapping.unless or guess.unless)
    plan = _planned(head, mapping, source)
    log = plan.log(may_be_bad)
    reader = _Reader(log, plan, source)
    with whole(source):
        reader.feed(head, file)
    for location, value in mapping.init.items():
        if not log.initial(location, value):
            message = f"'{value}' is no initial value of {location}, or another is said already"
            raise UsageError(message, source=mapping.source)
    parsed = log.finish()
    if parsed.resolve_fault is not None:
        raise _resolution(file, source, plan, parsed).error(parsed.resolve_fault)
    if len(parsed.thread) == 0:
        raise FormatError("no events", source=source, hint="are all lines left out by the mapping?")
    return Imported(executed(parsed, source), log.bad, log.first_bad)


def _planned(head: bytes, mapping: Mapping, source: str) -> Plan:
    shape = shape_of(head, mapping)
    try:
        plan = plan_of(shape, mapping, source)
    except FormatError:
        raise
    except UsageError as error:
        error.source = error.source or mapping.source or source
        raise
    if shape.kind == "json":
        _check_keys(head, plan, source)
    return plan


def _check_keys(head: bytes, plan: Plan, source: str) -> None:
    """A key that no line has, where it must or where another is nearly the same, is a mistake in the mapping."""
    known: dict[str, None] = {}
    first: tuple[int, bytes] | None = None
    for number, line in enumerate(head.split(b"\n")[:1000], 1):
        try:
            said = json.loads(line.strip().strip(b"[],"))
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            first = first or (number, line)
            known.update(dict.fromkeys(_paths(said)))
    if first is None:
        return
    for name, cell in plan.roles.items():
        key = str(plan.cells[cell])
        near = nearest(key, [other for other in known if other not in plan.cells])
        if key in known or (name not in ("thread", "op", "location") and (near is None or is_note(name))):
            continue
        hint = f"{near} " if near else ""
        hint += "the keys are " + " ".join(known)[:200]
        raise error_at(source, place_in_line(first[1], first[0], 0, 1), f"no line has a key '{key}'", hint)


def _paths(said: dict[str, object], outer: str = "") -> list[str]:
    out = []
    for key, inner in said.items():
        out += _paths(inner, f"{outer}{key}.") if isinstance(inner, dict) else [outer + key]
    return out


class _Reader:
    """Blocks on their way to the core."""

    def __init__(self, log: _core.Log, plan: Plan, source: str) -> None:
        self.log, self.plan, self.source = log, plan, source

    def feed(self, head: bytes, file: BinaryIO) -> None:
        block = head.removeprefix(b"\xef\xbb\xbf")
        while True:
            more = file.read(_BLOCK)
            done = self.log.read(block, not more)
            if isinstance(done, Fault):
                raise self._error(done, block)
            look()
            if not more:
                return
            block = block[done:] + more
            if len(block) > _LONGEST and done == 0:
                hint = "is this a log? its lines are too long"
                raise FormatError(f"a line of more than {_LONGEST >> 20} MiB", source=self.source, hint=hint)

    def _error(self, fault: Fault, block: bytes) -> FormatError:
        # A record in quotes may go over several lines.
        line = self.log.line + block.count(b"\n", self.log.begins, fault.where)
        begin = max(block.rfind(b"\n", 0, fault.where) + 1, self.log.begins)
        end = block.find(b"\n", fault.where)
        raw = block[begin : len(block) if end < 0 else end]
        place = place_in_line(raw, line, fault.where - begin, fault.width)
        shape = self.plan.shape
        first = self.log.line == shape.header_line + 1 and shape.header is None and shape.kind != "json"
        message, hint = words_for(fault, place.token, self.plan.mapping, first and shape.kind != "lines")
        return error_at(self.source, place, message, hint)


def _resolution(file: BinaryIO, source: str, plan: Plan, parsed: _core.Parsed) -> Resolution:
    def line_of(row: int) -> int:
        return int(parsed.line[row])

    def place(row: int, name: str, item: int) -> Place:
        number = line_of(row)
        raw = _line_again(file, number)
        if raw is None:
            return Place(number, token="this value" if name == "value" else name)
        found = plan.log(0).places(raw)
        for wanted in _FIELDS.get(name, (name,)):
            if found is not None and wanted in plan.roles and found[plan.roles[wanted]][2]:
                begin, width, _ = found[plan.roles[wanted]]
                return place_in_line(raw, number, begin, width)
        return place_in_line(raw, number, 0, 1)

    say_rf = "a column for rf (--columns rf=…)"
    return Resolution(source, place, line_of, unpack(parsed.id_names), say_rf, "--init LOCATION=VALUE says so")


def _line_again(file: BinaryIO, number: int) -> bytes | None:
    """A line of a file that has been read."""
    if not file.seekable():
        return None
    file.seek(0)
    for at, line in enumerate(file, 1):
        if at == number:
            return line.rstrip(b"\r\n")
        if at % 65536 == 0:
            look()
    return None
