"""A stream of events through a monitor: reads until the model breaks or the stream ends."""

from __future__ import annotations

from collections.abc import Iterable

from porf.checking.monitor import Monitor
from porf.checking.verdict import Verdict
from porf.errors import UsageError
from porf.execution import ORDER_NAMES, Op, Order
from porf.formats.stream import Event, Stream
from porf.formats.text import no_events


def follow(lines: Iterable[bytes], model: str, source: str) -> tuple[Verdict, Event | None]:
    """The verdict on the stream, and the event at which it was broken."""
    stream = Stream(lines, source)
    monitor = Monitor(model)
    threads: list[str] = []
    locs: list[str] = []
    for event in stream:
        _extend(threads, stream.threads)
        _extend(locs, stream.locations)
        try:
            _feed(monitor, event, threads, locs)
        except UsageError as error:  # this model cannot take such an event
            field = "order" if event.order == Order.SC else "op"
            raise stream.error_here(field, error.message, error.hint) from None
        if not monitor.consistent:
            return monitor.verdict(source=source, init_value=_initial(monitor, stream)), event
    if not len(monitor):
        raise no_events(source)
    return monitor.verdict(source=source, init_value=_initial(monitor, stream)), None


def _feed(monitor: Monitor, event: Event, threads: list[str], locs: list[str]) -> None:
    thread, order = threads[event.thread], ORDER_NAMES[event.order]
    if event.op == Op.FENCE:
        monitor.fence(thread, order=order)
    elif event.op == Op.READ:
        monitor.read(thread, locs[event.loc], rf=event.rf, order=order, value=event.read_value)
    elif event.op == Op.WRITE:
        monitor.write(thread, locs[event.loc], order=order, value=event.written_value)
    else:
        loc, read, written = locs[event.loc], event.read_value, event.written_value
        monitor.update(thread, loc, rf=event.rf, order=order, read=read, value=written)
    if event.id is not None:
        monitor.name(event.row, event.id)


def _extend(names: list[str], table: dict[str, int]) -> None:
    """The table only grows, at its end."""
    if len(names) < len(table):
        names.extend(list(table)[len(names) :])


def _initial(monitor: Monitor, stream: Stream) -> list[int]:
    """The initial values of the locations that the monitor has met, in its order."""
    return [stream.init_value[stream.locations[name]] for name in monitor.locations]
