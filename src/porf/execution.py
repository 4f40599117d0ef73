"""Execution: a recorded execution graph as columns of events, one row per event; everything else is a view of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from porf import _core, architectures
from porf._core import Op as Op
from porf._core import Order as Order
from porf.architectures import ARCHITECTURES, Architecture
from porf.errors import UsageError
from porf.record import Record
from porf.said import NO_VALUE as NO_VALUE
from porf.said import Int32 as Int32
from porf.said import Int64 as Int64
from porf.said import Notes, Spelling, Times, Written
from porf.said import UInt8 as UInt8

if TYPE_CHECKING:
    from porf.events import Event
    from porf.formats.logs.mapping import Mapping as LogMapping

OP_LETTERS = "rwuf"
ORDER_NAMES = ("na", "rlx", "acq", "rel", "acq_rel", "sc")
DEPENDENCIES = ("addr", "data", "ctrl", "lxsx")

INITIAL = -1  # in the rf column: the read takes the initial value of its location
UNKNOWN = -2  # in the rf column: nobody knows the writer, and of a restriction: it was left out
_NO_ROWS: Int32 = np.empty(0, np.int32)


def initial_write(loc: int) -> int:
    """The reference of a location's initial write; rows are their own references."""
    return ~loc


@dataclass(frozen=True, eq=False, repr=False)
class Execution:
    """Events in program order per thread; rows of different threads interleave freely.

    >>> import porf
    >>> porf.load("examples/histories/message-passing.txt")
    <Execution examples/histories/message-passing.txt: 4 events, 2 threads, 2 locations>
    >>> for event in porf.Execution.from_events([("T0", "w", "x", 1), ("T1", "r", "x", 1, "acq")]):
    ...     print(event)
    T0 w x 1
    T1 r x 1 acq rf=e0

    An event *reference* is a row, or `initial_write(loc)` for the implicit initial write of a location.
    """

    thread: Int32
    op: UInt8
    loc: Int32  # -1 for a fence
    order: UInt8
    rf: Int32  # the writer's row, INITIAL, or UNKNOWN; -1 where the event reads nothing
    thread_names: Sequence[str]
    loc_names: Sequence[str]
    init_value: Int64  # one a location; NO_VALUE where nobody knows
    read_value: Int64 | None = None
    written_value: Int64 | None = None
    id_rows: Int32 = field(default_factory=lambda: np.empty(0, np.int32))  # ascending
    id_names: Sequence[str] = ()
    dependencies: Mapping[str, tuple[Int32, Int32]] = field(default_factory=dict)  # kind -> (from rows, to rows)
    source: str = "<memory>"
    tag: Int32 | None = None  # what events say beyond their order: a place in `tag_words`, -1 for nothing
    tag_words: Sequence[tuple[str, ...]] = ()  # the words of an architecture, as they were written
    spelling: Spelling | None = None  # of values that are not written as plain numbers
    times: Times | None = None
    notes: Notes | None = None

    def __repr__(self) -> str:
        sizes = ((len(self), "event"), (self.threads, "thread"), (self.locations, "location"))
        counts = ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in sizes)
        return f"<Execution {self.source}: {counts}>"

    def __len__(self) -> int:
        return len(self.thread)

    def __iter__(self) -> Iterator[Event]:
        from porf.events import events

        return events(self, range(len(self)))

    @overload
    def __getitem__(self, at: SupportsIndex | str) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: SupportsIndex | str | slice) -> Event | list[Event]:
        """The event in a row or with a name, or those of a slice."""
        from porf.events import events

        if isinstance(at, slice):
            return list(events(self, range(len(self))[at]))
        if isinstance(at, str) and at not in self._row_of_name:
            raise KeyError(f"no event is called '{at}'")
        row = self._row_of_name[at] if isinstance(at, str) else range(len(self))[at]
        return next(events(self, [row]))

    @cached_property
    def _row_of_name(self) -> dict[str, int]:
        return {self.name(row): row for row in range(len(self))}

    @classmethod
    def from_events(
        cls,
        events: Iterable[Event | tuple[Any, ...]],
        *,
        init: Mapping[str, Written | None] | None = None,
        source: str = "<events>",
    ) -> Execution:
        """An execution from events, or from tuples of their fields: thread, op, location, value, order, rf, name.

        `("T0", "w", "x", 1)`, `("T0", "u", "x", (0, 1), "acq_rel")` and `("T0", "f", "sc")` are a write, an update and
        a fence. A read without `rf` reads a write of its value. `init` has the initial values that are not 0, None if
        nobody knows; "*" is for all others.
        """
        from porf.events import made_of

        return made_of(events, init, source)

    @classmethod
    def from_frame(
        cls, frame: Any, mapping: LogMapping | Mapping[str, str] | None = None, *, source: str = "<frame>"
    ) -> Execution:
        """An execution from a table with a row an event: a frame of pandas or polars, records of numpy, a dictionary of
        arrays. A `porf.Mapping`, or a dictionary such as `{"thread": "core"}`, says what its columns are; without one
        their names do.

        >>> import porf
        >>> porf.Execution.from_frame({"core": [0, 1], "kind": ["ST", "LD"], "addr": ["0x80"] * 2, "value": [1, 1]})
        <Execution <frame>: 2 events, 2 threads, 1 location>
        """
        from porf.events import of_frame

        return of_frame(frame, mapping, source)

    def to_networkx(self) -> Any:
        """A `networkx.MultiDiGraph` with one edge per pair of po (next in its thread), rf and dependencies."""
        from porf.events import to_networkx

        return to_networkx(self)

    def to_dataframe(self) -> Any:
        """A `pandas.DataFrame` with one row per event."""
        from porf.events import to_dataframe

        return to_dataframe(self)

    @property
    def threads(self) -> int:
        return len(self.thread_names)

    @property
    def locations(self) -> int:
        return len(self.loc_names)

    @cached_property
    def core(self) -> _core.Execution:
        """What the core takes: a view of the columns."""
        given = self.dependencies
        pairs = [given.get(kind, (_NO_ROWS, _NO_ROWS)) for kind in DEPENDENCIES] if given else None
        return _core.Execution(self.thread, self.op, self.loc, self.order, self.rf, self.threads, self.locations, pairs)

    @property
    def timing(self) -> tuple[Int64, Int64] | None:
        """When rows began and ended, as the core takes it."""
        return None if self.times is None else self.times.columns

    def core_on(self, architecture: Architecture | None) -> _core.Execution:
        """The same, with the tags that the events' words stand for on an architecture. It must know the words."""
        if architecture is None or (self.tag is None and not architecture.updates):
            return self.core
        core = self._cores.get(architecture.name)
        if core is None:
            bits = self.tags_on(architecture)
            given = self.dependencies
            pairs = [given.get(kind, (_NO_ROWS, _NO_ROWS)) for kind in DEPENDENCIES] if given else None
            tags = (bits, architecture.kept("read"), architecture.kept("write"))
            columns = (self.thread, self.op, self.loc, self.order, self.rf, self.threads, self.locations)
            core = self._cores[architecture.name] = _core.Execution(*columns, pairs, tags)
        return core

    def tags_on(self, architecture: Architecture) -> npt.NDArray[np.uint64]:
        """The tags of each row on an architecture, as bits."""
        bits = np.zeros(len(self), np.uint64)
        if self.tag is not None:
            masks = [0] * (len(self.tag_words) + 1)  # the last is of events without words
            fences = np.isin(np.arange(len(self.tag_words)), self.tag[self.op == Op.FENCE])
            for at, (words, fence) in enumerate(zip(self.tag_words, fences.tolist(), strict=True)):
                masks[at] = architecture.mask(tag for word in words for tag in architecture.meant(word, fence) or ())
            bits = np.array(masks, np.uint64)[self.tag]
        bits[self.op == Op.UPDATE] |= np.uint64(architecture.mask(architecture.updates))
        return bits

    @cached_property
    def _cores(self) -> dict[str, _core.Execution]:
        return {}

    def tags_of(self, row: int) -> tuple[str, ...]:
        """What an event says beyond its order."""
        return () if self.tag is None or self.tag[row] < 0 else self.tag_words[int(self.tag[row])]

    @cached_property
    def fitting(self) -> list[str]:
        """The architectures that know every word that an event says; all, if none says any."""
        if self.tag is None:
            return list(ARCHITECTURES)
        return architectures.fitting(self.said)

    @cached_property
    def said(self) -> list[tuple[bool, str]]:
        """The words that events say beyond their orders, each of a fence or of an access."""
        if self.tag is None:
            return []
        rows = np.flatnonzero(self.tag >= 0)
        kinds = np.unique(np.stack([self.tag[rows], self.op[rows] == Op.FENCE]), axis=1).T.tolist()
        return [(bool(fence), word) for tag, fence in kinds for word in self.tag_words[tag]]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("core", "_cores")}

    @property
    def writing(self) -> npt.NDArray[np.bool_]:
        """Which rows write: plain writes and updates."""
        mask: npt.NDArray[np.bool_] = (self.op == Op.WRITE) | (self.op == Op.UPDATE)
        return mask

    @cached_property
    def _default_prefix(self) -> str:
        prefix, taken = "e", set(self.id_names)
        while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in taken):
            prefix = "_" + prefix
        return prefix

    def name(self, ref: int) -> str:
        """The event's name in reports: its id, `e<row>` if it has none, `init(x)` for an initial write."""
        if ref < 0:
            return f"init({self.loc_names[~ref]})"
        at = bisect_left(self.id_rows, ref)
        if at < len(self.id_rows) and self.id_rows[at] == ref:
            return self.id_names[at]
        return f"{self._default_prefix}{ref}"

    @cached_property
    def open_reads(self) -> OpenReads:
        """The events that read from nobody knows whom, and the writes that each may have read."""
        reading = (self.op == Op.READ) | (self.op == Op.UPDATE)
        if not bool((reading & (self.rf == UNKNOWN)).any()):
            return OpenReads(_NO_ROWS, np.zeros(1, np.int64), _NO_ROWS)
        none = np.full(len(self), NO_VALUE, np.int64)
        read, written = (none if column is None else column for column in (self.read_value, self.written_value))
        found = _core.candidates(
            self.thread, self.op, self.loc, read, written, self.init_value, np.ascontiguousarray(self.rf, np.int32)
        )
        if isinstance(found, _core.Fault):
            raise self.error_of(found)
        rows, end, writers = found
        return OpenReads(rows, np.concatenate((np.zeros(1, np.int64), end)), writers)

    def error_of(self, fault: _core.Fault) -> UsageError:
        """What the core finds wrong when it looks for writers: two reads of a start that nobody knows do not agree."""
        one, other = fault.first, fault.where
        starts = " and ".join(str(self.values(row)[0]) for row in (one, other))
        message = f"{self.loc_names[int(self.loc[other])]} cannot have started with both {starts}"
        hint = f"{self.name(one)} and {self.name(other)} read them, and nobody wrote them"
        return UsageError(message, source=self.source, hint=hint)

    def location(self, ref: int) -> int:
        return ~ref if ref < 0 else int(self.loc[ref])

    def writer(self, row: int) -> int:
        """The reference of the write that a reading row takes its value from (or UNKNOWN's sentinel row)."""
        rf = int(self.rf[row])
        return initial_write(int(self.loc[row])) if rf == INITIAL else rf

    def reads(self, ref: int) -> bool:
        return ref >= 0 and int(self.op[ref]) in (Op.READ, Op.UPDATE)

    def writes(self, ref: int) -> bool:
        return ref < 0 or int(self.op[ref]) in (Op.WRITE, Op.UPDATE)

    def describe(self, ref: int) -> str:
        """One event in the words of the text format, without its thread: `w x 1 rel`."""
        if ref < 0:
            start = self.initial_value(~ref)
            return f"init {self.loc_names[~ref]} {'_' if start is None else start}"
        op = int(self.op[ref])
        order = ORDER_NAMES[int(self.order[ref])]
        words = self.tags_of(ref)
        if op == Op.FENCE:
            return f"f {' '.join(words) or order}"
        parts = [OP_LETTERS[op], self.loc_names[int(self.loc[ref])]]
        read, written = ("_" if value is None else value for value in self.values(ref))
        value = f"{read}->{written}" if op == Op.UPDATE else (read if op == Op.READ else written)
        if value not in ("_", "_->_"):
            parts.append(str(value))
        if self.order[ref] != Order.RLX:
            parts.append(order)
        return " ".join([*parts, *words])

    def said_of(self, ref: int) -> dict[str, str]:
        """What the history says of an event beside the graph: its time and its notes."""
        if ref < 0:
            return {}
        time = self.times.word(ref) if self.times else None
        return ({"time": time} if time else {}) | (self.notes.of(ref) if self.notes else {})

    def remarks(self, ref: int) -> str:
        """The same in one line: `time=5..7 src=queue.c:12`."""
        return " ".join(f"{key}={' '.join(text.split())}" for key, text in self.said_of(ref).items())

    def place(self, ref: int) -> str:
        """FILE:LINE of the source that an event comes from; empty if that is not known."""
        return ""

    def values(self, row: int) -> tuple[Written | None, Written | None]:
        """The values that an event reads and writes, as they were written; None where there is none."""
        spelling = self.spelling
        styles = (spelling.read_style, spelling.written_style) if spelling else (None, None)
        columns = zip((self.read_value, self.written_value), styles, strict=True)
        read, written = (self._written(column, style, row) for column, style in columns)
        return read, written

    def initial_value(self, loc: int) -> Written | None:
        """The value that a location starts with, as it was written; None if nobody knows."""
        style = self.spelling.init_style if self.spelling else None
        return self._written(self.init_value, style, loc)

    def _written(self, column: Int64 | None, style: UInt8 | None, at: int) -> Written | None:
        if column is None or column[at] == NO_VALUE:
            return None
        code = int(column[at])
        return code if self.spelling is None else self.spelling.value(code, 0 if style is None else int(style[at]))

    def restrict(self, rows: Iterable[int]) -> Part:
        """The sub-execution on some rows, with only the threads and locations that occur there.

        A read whose writer is left out gets UNKNOWN. The cost depends on the size of the part, not of the whole.
        """
        kept = np.unique(np.fromiter(rows, np.int32) if not isinstance(rows, np.ndarray) else rows).astype(np.int32)
        threads, thread = np.unique(self.thread[kept], return_inverse=True)
        locs = np.unique(self.loc[kept])
        locs = locs[locs >= 0]
        loc = np.where(self.loc[kept] < 0, -1, np.searchsorted(locs, self.loc[kept]))
        rf = self.rf[kept]
        named = _position(kept, self.id_rows)
        dependencies = {}
        for kind, (sources, targets) in self.dependencies.items():
            new_sources, new_targets = _position(kept, sources), _position(kept, targets)
            inside = (new_sources >= 0) & (new_targets >= 0)
            dependencies[kind] = (new_sources[inside], new_targets[inside])
        part = Execution(
            thread=thread.astype(np.int32),
            op=self.op[kept],
            loc=loc.astype(np.int32),
            order=self.order[kept],
            rf=np.where(rf < 0, rf, _position(kept, rf)).astype(np.int32),
            thread_names=[self.thread_names[t] for t in threads],
            loc_names=[self.loc_names[x] for x in locs],
            init_value=self.init_value[locs],
            read_value=None if self.read_value is None else self.read_value[kept],
            written_value=None if self.written_value is None else self.written_value[kept],
            id_rows=named[named >= 0],
            id_names=[self.id_names[int(i)] for i in np.flatnonzero(named >= 0)],
            dependencies=dependencies,
            source=self.source,
            tag=None if self.tag is None else self.tag[kept],
            tag_words=self.tag_words,
            spelling=self.spelling and self.spelling.restrict(kept, locs),
            times=self.times and self.times.restrict(kept),
            notes=self.notes and self.notes.restrict(kept),
        )
        return Part(part, kept, locs.astype(np.int32), threads.astype(np.int32))


class OpenReads(Record, eq=False):
    """Events that read from nobody knows whom: of `rows[i]`, the candidates are `writers[start[i]:start[i+1]]`."""

    rows: Int32  # ascending
    start: Int64
    writers: Int32  # rows, or INITIAL

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, at: int) -> Int32:
        return self.writers[int(self.start[at]) : int(self.start[at + 1])]

    def of_row(self, row: int) -> Int32:
        """The candidates of a row; none if it is not open."""
        at = int(np.searchsorted(self.rows, row))
        return self.of(at) if at < len(self.rows) and self.rows[at] == row else _NO_ROWS


class Part(Record, eq=False):
    """A restriction, and which row, location and thread of the whole each of its own is."""

    execution: Execution
    rows: Int32
    locs: Int32
    threads: Int32

    def outward(self, ref: int) -> int:
        """A reference of the part, in the whole."""
        return int(self.rows[ref]) if ref >= 0 else initial_write(int(self.locs[~ref]))

    def inward(self, ref: int) -> int:
        """A reference of the whole whose event (or location) the part has, in the part."""
        if ref >= 0:
            return int(np.searchsorted(self.rows, ref))
        return initial_write(int(np.searchsorted(self.locs, ~ref)))


def _position(kept: Int32, rows: Int32) -> Int32:
    """Where each row stands among the kept ones, UNKNOWN where it does not."""
    if len(kept) == 0:
        return np.full(len(rows), UNKNOWN, np.int32)
    at = np.minimum(np.searchsorted(kept, rows), len(kept) - 1)
    return np.where(kept[at] == rows, at, UNKNOWN).astype(np.int32)
