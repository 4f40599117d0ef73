"""Reading a history line by line as it is written: each event is resolved against those before it.

The lines are text or JSON Lines. In a stream a write comes before its readers, an id before its mentions, and
an initial value before its location. A value that one write has written so far decides; that another write
repeats it later cannot be known, and is no error.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from porf import _core
from porf._core import Initial, NamedEvent
from porf.architectures import words
from porf.errors import FormatError
from porf.execution import DEPENDENCIES, INITIAL, NO_VALUE, Op
from porf.formats.faults import Fault, FaultCode, Place, Resolution, error_at, parse_error, place_in_line
from porf.formats.names import unpack
from porf.formats.objects import Record, parse_line, place_of_field
from porf.formats.rules import ANY, REST
from porf.formats.text import BOM, field_in_line
from porf.said import Spelling


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the execution that the stream would be; `rf` is a row, or INITIAL."""

    row: int
    thread: int
    op: int
    loc: int
    order: int
    rf: int
    read_value: int
    written_value: int
    id: str | None
    dependencies: tuple[tuple[int, int], ...]  # (index into DEPENDENCIES, the row depended on)
    line: int
    time: str | None = None  # in the words of the text format
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Writes:
    """The writes of one value to one location: the first two by row and line, and how many there are."""

    rows: tuple[int, ...]
    lines: tuple[int, ...]
    count: int = 1

    def add(self, row: int, line: int) -> None:
        self.count += 1
        if len(self.rows) < 2:
            self.rows, self.lines = (*self.rows, row), (*self.lines, line)


class Stream:
    """Iterate over it to get the events; the tables of names and initial values grow on the way."""

    def __init__(self, lines: Iterable[bytes | str], source: str = "<stdin>") -> None:
        self.source = source
        self.threads: dict[str, int] = {}
        self.locations: dict[str, int] = {}
        self.init_value: list[int] = []
        self.rows = 0
        self._lines = lines
        self._values = _core.Said()  # numbers for values that are none, as in an execution
        self._started: dict[int, tuple[Fraction, int]] = {}  # of each thread: when it started last, and the line
        self._json: bool | None = None
        self._number = 0
        self._raw = b""
        self._gone: int | None = None  # some event that was forgotten
        self._fixed: set[int] = set()  # locations whose initial value can no longer be said
        self._said: set[int] = set()
        self._ids: dict[str, tuple[Event, int]] = {}  # with the location's number
        self._writes: dict[tuple[int, int], _Writes] = {}

    @property
    def thread_names(self) -> list[str]:
        return list(self.threads)

    @property
    def loc_names(self) -> list[str]:
        return list(self.locations)

    def __iter__(self) -> Iterator[Event]:
        for line in self._lines:
            self._number += 1
            self._raw = line.encode(errors="surrogatepass") if isinstance(line, str) else line
            if self._number == 1:
                self._raw = self._raw.removeprefix(BOM)
            record = self._record()
            if record is None:
                continue
            if isinstance(record, Initial):
                self._initial(record.loc, record.value)
            else:
                yield self._event(record)

    def _record(self) -> Record | None:
        if self._json is None:
            if not self._raw.strip():
                return None
            self._json = self._raw.lstrip().startswith(b"{")
        if self._json:
            return parse_line(self._raw, self._number, self.source)
        record = _core.parse_line(self._raw, words(fence=False), words(fence=True))
        if isinstance(record, Fault):
            place = place_in_line(self._raw, self._number, record.where, record.width)
            raise parse_error(self.source, record, place)
        return record

    def _location(self, name: str | None) -> int:
        if name is None:
            return -1
        loc = self.locations.setdefault(name, len(self.locations))
        if loc == len(self.init_value):
            self.init_value.append(0)
        return loc

    def _value(self, word: str | None) -> int:
        return NO_VALUE if word is None else self._values.value(word)

    def spelling(self) -> Spelling | None:
        """The names that values stand for so far."""
        names = unpack(self._values.names())
        return Spelling(names) if names else None

    def forget(self, kept: Collection[int]) -> None:
        """Forgets the writes and the ids of all events but these. A read of one of them is a read of some event that
        is not kept."""
        gone = next((row for row in range(self.rows) if row not in kept), None)
        if gone is None:
            return
        self._gone = gone
        self._writes = {key: writes for key, writes in self._writes.items() if any(row in kept for row in writes.rows)}
        self._ids = {name: said for name, said in self._ids.items() if said[0].row in kept}

    def _check_time(self, record: NamedEvent, thread: int) -> None:
        if record.time is None:
            return
        found = _core.read_time(record.time)
        assert isinstance(found, tuple)
        start, end, decimals = found
        if end not in (start, NO_VALUE) and end < start:
            raise self._error(Fault(FaultCode.TIME_ENDS_EARLY))
        began = Fraction(start, 10**decimals)
        if thread in self._started and began < self._started[thread][0]:
            raise self._error(Fault(FaultCode.TIME_RUNS_BACKWARDS, first=self._started[thread][1]))
        self._started[thread] = began, self._number

    def _initial(self, name: str, word: str | None) -> None:
        loc = self._location(name)
        if loc in self._said or loc in self._fixed:
            twice = loc in self._said
            message = f"'{name}' already has an initial value" if twice else f"'{name}' was already used"
            hint = "in a stream an initial value comes once, before the first event of its location"
            raise error_at(self.source, self._place(0, "init", 0), message, hint)
        if word is None or name == REST:
            message = "in a stream the start of each location is known"
            hint = "say the values one by one; a history that is a file may leave them open"
            raise error_at(self.source, self._place(0, "init", 0), message, hint)
        self._said.add(loc)
        self.init_value[loc] = self._value(word)

    def _event(self, record: NamedEvent) -> Event:
        if record.tags:
            message = "what an architecture says of events has no meaning in a stream"
            raise error_at(self.source, self._place(0, "order", 0), message, "check the history as a file")
        op, name = record.op, record.id
        read_value, written_value = self._value(record.read), self._value(record.written)
        thread = self.threads.setdefault(record.thread, len(self.threads))
        loc = self._location(record.loc)
        self._fixed.add(loc)
        row = self.rows
        if name is not None and name in self._ids:
            hint = f"line {self._ids[name][0].line} has it; each id names one event"
            raise error_at(self.source, self._place(0, "id", 0), f"the id '{name}' is already taken", hint)
        writer = INITIAL
        if op in (Op.READ, Op.UPDATE):
            own = (name, written_value) if op == Op.UPDATE else (None, NO_VALUE)
            writer = self._writer(row, loc, read_value, record.rf, own)
        mentions = record.mentions
        dependencies = self._dependencies(thread, mentions, name) if mentions else ()
        self._check_time(record, thread)
        where = (row, thread, op, loc, record.order, writer, read_value, written_value, name, dependencies)
        event = Event(*where, self._number, record.time, tuple(record.notes))
        if name is not None:
            self._ids[name] = (event, loc)
        if op in (Op.WRITE, Op.UPDATE) and written_value != NO_VALUE:
            known = self._writes.get((loc, written_value))
            if known is None:
                self._writes[loc, written_value] = _Writes((row,), (self._number,))
            else:
                known.add(row, self._number)
        self.rows += 1
        return event

    def _writer(self, row: int, loc: int, value: int, rf: str | None, own: tuple[str | None, int]) -> int:
        if rf is not None:
            return self._named_writer(row, loc, value, rf, own)
        if value == NO_VALUE:
            raise self._error(Fault(FaultCode.RF_MISSING))
        initial = self.init_value[loc] == value
        known = self._writes.get((loc, value))
        count = (known.count if known else 0) + initial
        if count == 1:
            return known.rows[0] if known else INITIAL
        if known:
            lines = (INITIAL, known.lines[0]) if initial else known.lines
            raise self._error(Fault(FaultCode.VALUE_AMBIGUOUS, 0, count, lines[0], lines[1]))
        if own[1] == value:
            return row
        if self._gone is not None:
            return self._gone
        raise self._error(Fault(FaultCode.STREAM_UNWRITTEN))

    def _named_writer(self, row: int, loc: int, value: int, rf: str, own: tuple[str | None, int]) -> int:
        if rf == ANY:
            message, hint = "in a stream each read says whom from", "a history that is a file may leave it open"
            raise error_at(self.source, self._place(0, "rf", 0), message, hint)
        if rf == "init":
            writer, line, wrote = INITIAL, INITIAL, self.init_value[loc]
        elif rf == own[0]:
            writer, line, wrote = row, self._number, own[1]
        elif rf not in self._ids:
            raise self._error(Fault(FaultCode.STREAM_UNKNOWN))
        else:
            event, written_loc = self._ids[rf]
            writer, line, wrote = event.row, event.line, event.written_value
            if event.op not in (Op.WRITE, Op.UPDATE):
                raise self._error(Fault(FaultCode.RF_NOT_A_WRITE, first=line))
            if written_loc != loc:
                raise self._error(Fault(FaultCode.RF_OTHER_LOCATION, first=line))
        if NO_VALUE not in (wrote, value) and wrote != value:
            raise self._error(Fault(FaultCode.RF_VALUE, first=line))
        return writer

    def _dependencies(
        self, thread: int, mentions: Iterable[tuple[int, str]], own: str | None
    ) -> tuple[tuple[int, int], ...]:
        out: list[tuple[int, int]] = []
        item = [0] * len(DEPENDENCIES)
        for kind, name in mentions:
            found = self._ids.get(name)
            if name == own or found is None:
                code = FaultCode.DEPENDENCY_ON_ITSELF if name == own else FaultCode.DEPENDENCY_UNKNOWN
                raise self._error(Fault(code, 0, item[kind], 0 if name == own else -1, kind))
            if found[0].thread != thread:
                raise self._error(Fault(FaultCode.DEPENDENCY_ACROSS_THREADS, 0, item[kind], found[0].line, kind))
            out.append((kind, found[0].row))
            item[kind] += 1
        return tuple(out)

    def error_here(self, field: str, message: str, hint: str | None) -> FormatError:
        """An error about a field ("op", "order") of the event that came last."""
        return error_at(self.source, self._place(0, field, 0), message, hint)

    def _place(self, _row: int, field: str, item: int) -> Place:
        if self._json:
            return place_of_field(self._raw, self._number, field, item)
        return place_in_line(self._raw, self._number, *field_in_line(self._raw, field, item))

    def _error(self, fault: Fault) -> FormatError:
        say_rf, say_init = ('"rf": "ID"', 'an "init" line') if self._json else ("rf=ID", "a line `init LOCATION VALUE`")
        # Other events are known by their lines here, so a fault's rows are lines already.
        return Resolution(self.source, self._place, lambda line: line, self._ids, say_rf, f"{say_init} says so").error(
            fault
        )
