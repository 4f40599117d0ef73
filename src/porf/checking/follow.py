"""A stream of events through a monitor: reads until the model breaks or the stream ends."""

import time
from collections.abc import Iterable
from typing import Any

from porf.allowance import LIMITS, Allowance, SpentError
from porf.checking.monitor import Monitor
from porf.checking.verdict import Answer, Verdict
from porf.errors import UnfinishedError, UsageError
from porf.execution import ORDER_NAMES, Op, Order
from porf.formats import FORMATS, format_of_name, open_lines
from porf.formats.stream import Event, Stream
from porf.formats.text import no_events
from porf.record import Record
from porf.result import Case

_FORGET_EVERY = 1 << 15  # events, of a monitor that forgets
_TO_REPORT = 5  # the part of the memory that is left for the verdict


class Followed(Record, eq=False):
    """The verdict on a stream, and the event that broke the model, if one did."""

    verdict: Verdict
    event: Event | None = None

    @property
    def exit_code(self) -> int:
        return self.verdict.exit_code

    def headline(self) -> str:
        return self.verdict.headline()

    def report(self) -> str:
        verdict, event = self.verdict, self.event
        if event is None:
            return verdict.report()
        e = verdict.execution
        name = event.id or (e.name(event.row) if event.row < len(e) else f"e{event.row}")
        said = "breaks" if verdict.inconsistent else "may break"
        return f"{e.source}:{event.line}: {name} {said} {verdict.model.name}\n{verdict.report()}"

    def record(self) -> dict[str, Any]:
        return self.verdict.record()

    def case(self) -> Case:
        return self.verdict.case()

    def draw(self) -> str:
        return self.verdict.draw()


def follow(
    path: str, model: str, format: str | None = None, seconds: float | None = None, memory: int | None = None
) -> Followed:
    """Reads a file (`-`: standard input) as its lines come. Ctrl-C ends it, and so do the time and the memory of the
    process: undecided, whatever came so far."""
    kind = format or format_of_name(path)
    if kind and FORMATS[kind].binary:
        hint = "porf convert makes text or JSON Lines of it"
        raise UsageError(f"{kind} cannot be followed, only text and JSON Lines", hint=hint)
    source = "<stdin>" if path == "-" else path
    with open_lines(path) as lines:
        return follow_lines(lines, model, source, seconds, memory)


def follow_lines(
    lines: Iterable[bytes], model: str, source: str, seconds: float | None = None, memory: int | None = None
) -> Followed:
    stream = Stream(lines, source)
    monitor = Monitor(model)
    known = _Known(monitor)
    started = time.monotonic()
    try:
        with Allowance(seconds, memory and memory - memory // _TO_REPORT, whole=True):
            event = _breaking(stream, known)
    except (KeyboardInterrupt, SpentError) as end:
        if not known.consistent:
            if isinstance(end, SpentError):
                raise UnfinishedError(LIMITS[end.limit], source=source) from None
            raise
        ended = LIMITS[end.limit] if isinstance(end, SpentError) else "interrupted"
        note = f"{ended}; the first {known.consistent} events are consistent"
        initial = _initial(monitor, stream)
        execution = monitor.execution(source=source, init_value=initial, spelling=stream.spelling())
        spent = time.monotonic() - started
        return Followed(Verdict(execution, monitor.model, Answer.UNDECIDED, "monitor", spent, note=note))
    if not len(monitor):
        raise no_events(source)
    verdict = monitor.verdict(source=source, init_value=_initial(monitor, stream), spelling=stream.spelling())
    return Followed(verdict, event)


class _Known(Record, frozen=False):
    """A monitor, and how many events it has seen to be consistent."""

    monitor: Monitor
    consistent: int = 0


def _breaking(stream: Stream, known: _Known) -> Event | None:
    """The first event that the model does not allow after those before it."""
    threads: list[str] = []
    locs: list[str] = []
    monitor = known.monitor
    for event in stream:
        _extend(threads, stream.threads)
        _extend(locs, stream.locations)
        try:
            _feed(monitor, event, threads, locs)
        except UsageError as error:  # this model cannot take such an event
            field = "order" if event.order == Order.SC else "op"
            raise stream.error_here(field, error.message, error.hint) from None
        if not monitor.consistent:
            return event
        known.consistent += 1
        if event.row % _FORGET_EVERY == 0 and len(monitor.kept) < event.row:
            stream.forget(monitor.kept)
    return None


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
