"""Events one at a time: views of an execution's rows, executions made of events, and both as graphs and as tables.

An execution is columns. What is here makes an object an event, which is for people and for small histories.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from operator import index
from typing import Any

import numpy as np

from porf._core import escaped
from porf.architectures import words
from porf.errors import UsageError, wrong_type
from porf.execution import (
    DEPENDENCIES,
    INITIAL,
    NO_VALUE,
    OP_LETTERS,
    ORDER_NAMES,
    UNKNOWN,
    Execution,
    Int64,
    Op,
    Order,
)
from porf.formats.rules import ANY
from porf.said import Hex, Written

Value = Written | tuple[Written | None, Written | None] | None


@dataclass(frozen=True, repr=False)
class Event:
    """One event, in the words of the text format; an execution iterates over its events.

    >>> import porf
    >>> execution = porf.load("examples/histories/message-passing.txt")
    >>> execution["c"]
    <Event c: T1 r flag 1 acq rf=b>
    >>> [event.location for event in execution if event.op == "w"]
    ['data', 'flag']
    """

    thread: str
    op: str  # r w u f
    location: str | None = None  # None for a fence
    value: Value = None  # of an update: what it reads and what it writes; None where it was not recorded
    order: str = "rlx"
    rf: str | None = None  # the name of the write that is read, "init" for the initial value, "?" if nobody knows
    name: str | None = None
    addr: tuple[str, ...] = ()  # dependencies: the names of the events that this one depends on
    data: tuple[str, ...] = ()
    ctrl: tuple[str, ...] = ()
    lxsx: tuple[str, ...] = ()  # of a store-conditional: its load
    tags: tuple[str, ...] = ()  # in the words of an architecture: a fence's name, what an access is besides
    time: str | None = None  # when it ran: "5..7", "5.." if its end was not recorded, or "5"
    notes: tuple[tuple[str, str], ...] = ()  # keys, which are "src" or "note:…", and texts

    def __post_init__(self) -> None:
        for field, kind, known in (("op", Op, OP_LETTERS), ("order", Order, ORDER_NAMES)):
            given = getattr(self, field)
            if isinstance(given, kind):
                object.__setattr__(self, field, known[int(given)])
        for said in (self.thread, self.op, self.order):
            if not isinstance(said, str):
                raise wrong_type("an event", "the name of a thread, an operation and an order", said)

    def __repr__(self) -> str:
        return f"<Event {self.name + ': ' if self.name else ''}{self}>"

    def __str__(self) -> str:
        """As a line of the text format, without its id."""
        value: str | None
        if isinstance(self.value, tuple):
            value = "->".join("_" if part is None else str(part) for part in self.value)
        else:
            value = None if self.op.startswith("f") else "_" if self.value is None else str(self.value)
        order = self.order if self.order != "rlx" else None
        words = [self.thread, self.op, self.location, value, order, *self.tags]
        keys = {"rf": self.rf} | {kind: ",".join(getattr(self, kind)) for kind in DEPENDENCIES}
        keys |= {"time": self.time} | {key: escaped(text) for key, text in self.notes}
        return " ".join([*(word for word in words if word), *(f"{key}={said}" for key, said in keys.items() if said)])

    @property
    def read(self) -> Written | None:
        """The value that it reads, if it was recorded."""
        return self.value[0] if isinstance(self.value, tuple) else self.value if self.op[:1] == "r" else None

    @property
    def written(self) -> Written | None:
        """The value that it writes, if it was recorded."""
        return self.value[1] if isinstance(self.value, tuple) else self.value if self.op[:1] == "w" else None


def events(execution: Execution, rows: Iterable[int]) -> Iterator[Event]:
    """The events of these rows."""
    mentions: dict[int, dict[str, tuple[str, ...]]] = {}
    for kind, pairs in execution.dependencies.items():
        for source, target in zip(*(column.tolist() for column in pairs), strict=True):
            known = mentions.setdefault(target, {})
            known[kind] = (*known.get(kind, ()), execution.name(source))
    for row in rows:
        op, loc = int(execution.op[row]), int(execution.loc[row])
        values = execution.values(row)
        reads = op in (Op.READ, Op.UPDATE)
        yield Event(
            thread=execution.thread_names[int(execution.thread[row])],
            op=OP_LETTERS[op],
            location=execution.loc_names[loc] if loc >= 0 else None,
            value=values if op == Op.UPDATE else values[0] if reads else values[1],
            order=ORDER_NAMES[int(execution.order[row])],
            rf=_writer(execution, row) if reads else None,
            name=execution.name(row),
            tags=execution.tags_of(row),
            time=execution.times.word(row) if execution.times else None,
            notes=tuple(execution.notes.of(row).items()) if execution.notes else (),
            **mentions.get(row, {}),
        )


def _writer(execution: Execution, row: int) -> str | None:
    """The writer of a read as the formats name it; None in a part that does not have it."""
    rf = int(execution.rf[row])
    if rf == UNKNOWN:
        return ANY if len(execution.open_reads.of_row(row)) else None
    return "init" if rf == INITIAL else execution.name(rf)


def made_of(
    given: Iterable[Event | tuple[Any, ...]], init: Mapping[str, Written | None] | None, source: str
) -> Execution:
    """An execution, read as JSON Lines are: whatever is wrong is shown at its event, whose line is its number."""
    from porf.formats import loads

    if not isinstance(given, Iterable) or isinstance(given, str):
        raise wrong_type("from_events", "a list of events or tuples", given)
    if not isinstance(init, Mapping | None):
        raise TypeError(f"init is a mapping from locations to values, not {init!r}")
    if init is None:
        init = _initial(given) if isinstance(given, Execution) else {}
    made = [_event(item) for item in given]
    names = {event.name for event in made}
    said = [(event.rf, *(name for kind in DEPENDENCIES for name in getattr(event, kind))) for event in made]
    mentioned = {name for names_of in said for name in names_of} - names
    lines = []
    for row, event in enumerate(made):
        name = event.name or (f"e{row}" if f"e{row}" in mentioned else None)
        lines.append(json.dumps(_fields(event, name), default=_number))
    lines += [json.dumps({"init": name, "value": _plain(value)}, default=_number) for name, value in init.items()]
    return _without_default_ids(loads("\n".join(lines), "jsonl", source))


def of_frame(frame: Any, mapping: Any, source: str) -> Execution:
    """An execution from a table in memory."""
    from porf.formats.logs.frame import read_frame

    return read_frame(frame, mapping, source)


def _initial(execution: Execution) -> dict[str, Written | None]:
    pairs = ((name, execution.initial_value(loc)) for loc, name in enumerate(execution.loc_names))
    return {name: value for name, value in pairs if value != 0 or isinstance(value, Hex)}


def _plain(value: object) -> object:
    """A value as JSON has it."""
    return str(value) if isinstance(value, Hex) else value


def _without_default_ids(execution: Execution) -> Execution:
    """The same, but an id that is what its event would be called anyway is left out."""
    ids = list(zip(execution.id_rows.tolist(), execution.id_names, strict=True))
    kept = [(row, name) for row, name in ids if name != f"e{row}"]
    if any(name[0] == "e" and name[1:].isdigit() for _, name in kept):
        return execution
    return replace(execution, id_rows=np.array([row for row, _ in kept], np.int32), id_names=[n for _, n in kept])


def _number(given: Any) -> int:
    """What JSON does not know: numbers of numpy."""
    try:
        return index(given)
    except TypeError:
        raise wrong_type("an event", "names and whole numbers", given) from None


def _event(given: Event | tuple[Any, ...]) -> Event:
    """An event as it was given; a tuple has the words of the text format."""
    if isinstance(given, Event):
        return given
    if not isinstance(given, tuple | list):
        raise wrong_type("from_events", "events and tuples", given)
    if not 2 <= len(given) <= 7:
        raise UsageError(
            f"{given!r} is not an event", hint="an event is ('T0', 'w', 'x', 1), a fence ('T0', 'f', 'sc')"
        )
    if given[1] in ("f", "fence") and len(given) == 3:
        return Event(given[0], given[1], order=given[2])
    return Event(*given)


def _fields(event: Event, name: str | None) -> dict[str, Any]:
    """The object of JSON Lines that says the same."""
    fields: dict[str, Any] = {"thread": event.thread, "op": event.op, "loc": event.location, "order": event.order}
    if isinstance(event.value, tuple | list):
        fields |= dict(zip(("read", "write"), map(_plain, event.value), strict=False))
    else:
        fields["value"] = _plain(event.value)
    if event.order not in ORDER_NAMES and all(word in words(event.op[:1] == "f") for word in event.order.split()):
        fields |= {"order": None, "tags": event.order.split()}  # where tuples have an order
    elif event.tags:
        fields |= {"order": None if event.order == "rlx" else event.order, "tags": list(event.tags)}
    fields |= {"rf": event.rf, "id": name} | {kind: list(getattr(event, kind)) or None for kind in DEPENDENCIES}
    fields |= {"time": event.time} | dict(event.notes)
    return {key: said for key, said in fields.items() if said is not None}


def to_networkx(execution: Execution) -> Any:
    """The graph: one node per event, po, rf and dependencies as edges."""
    graph = _extra("networkx").MultiDiGraph(name=execution.source)
    for loc, name in enumerate(execution.loc_names):
        value = execution.initial_value(loc)
        graph.add_node(f"init({name})", thread=None, op="w", location=name, read=None, written=value, order=None)
    last: dict[str, str | None] = {}
    made = list(events(execution, range(len(execution))))
    for event in made:
        said = {key: getattr(event, key) for key in ("thread", "op", "location", "read", "written", "order")}
        graph.add_node(event.name, **said, **({"time": event.time} if event.time else {}), **dict(event.notes))
    for event in made:
        if event.thread in last:
            graph.add_edge(last[event.thread], event.name, key="po", relation="po")
        last[event.thread] = event.name
        if event.rf not in (None, ANY):
            graph.add_edge(
                f"init({event.location})" if event.rf == "init" else event.rf, event.name, key="rf", relation="rf"
            )
        for kind in DEPENDENCIES:
            for source in getattr(event, kind):
                graph.add_edge(source, event.name, key=kind, relation=kind)
    return graph


def to_dataframe(execution: Execution) -> Any:
    """The table: one row per event, whose label is its name."""
    pandas = _extra("pandas")
    categories = pandas.Categorical.from_codes
    reading = np.isin(execution.op, (int(Op.READ), int(Op.UPDATE))) & (execution.rf >= INITIAL)
    writers = (
        ("init" if rf == INITIAL else execution.name(rf)) if reads else None
        for rf, reads in zip(execution.rf.tolist(), reading.tolist(), strict=True)
    )
    said: dict[str, Any] = {}
    if execution.times is not None:
        said["time"] = [execution.times.word(row) for row in range(len(execution))]
    if execution.notes is not None:
        for key in execution.notes.keys:
            said[key] = [execution.notes.of(row).get(key) for row in range(len(execution))]
    return pandas.DataFrame(
        {
            "thread": categories(execution.thread, list(execution.thread_names)),
            "op": categories(execution.op, list(OP_LETTERS)),
            "location": categories(execution.loc, list(execution.loc_names)),
            "read": _values(pandas, execution, 0, execution.read_value),
            "written": _values(pandas, execution, 1, execution.written_value),
            "order": categories(execution.order, list(ORDER_NAMES)),
            "rf": list(writers),
            **said,
        },
        index=pandas.Index([execution.name(row) for row in range(len(execution))], name="event"),
    )


def _values(pandas: Any, execution: Execution, side: int, column: Int64 | None) -> Any:
    """Numbers of int64 as such; other values as objects, as they were written."""
    if execution.spelling is not None:
        return pandas.Series([execution.values(row)[side] for row in range(len(execution))], dtype=object).array
    values = np.full(len(execution), NO_VALUE) if column is None else column
    return pandas.arrays.IntegerArray(values, values == NO_VALUE)


def _extra(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed", hint=f"pip install 'porf[{name}]'") from None
