"""A program under way: the graph so far and where each thread stands; one step forward, one step back."""

from __future__ import annotations

from collections.abc import Iterable

from porf.programs.form import Opcode, Program
from tests.explore.graph import INITIAL, Event, Graph
from tests.explore.interpreter import Interpreter, State, Stop

Name = tuple[int, int]  # thread and index among its listed events
Listed = tuple[str, int, int, Name | None, int | None, int | None]
Class = tuple[tuple[Listed, ...], ...]
Written = tuple[tuple[int, tuple[Name, ...]], ...]  # of each place that is written: its writers in modification order


class Run:
    def __init__(self, program: Program) -> None:
        self.interpreter = Interpreter(program)
        self.graph = Graph()
        self.stops: list[Stop] = []
        self._origins: list[int | None] = []  # the event that started each thread
        self._undo: list[tuple[int, Stop]] = []
        for start in program.starts:
            self._begin(self.interpreter.start(start.template, start.arguments), None)

    def _begin(self, state: State, origin: int | None) -> None:
        self.stops.append(self.interpreter.stop(state))
        self.graph.threads.append([])
        self._origins.append(origin)

    def threads(self) -> range:
        return range(len(self.stops))

    def sources(self, thread: int) -> list[int]:
        """The writes that the thread's next event, a reading one, may take: a lock takes only a free mutex."""
        stop = self.stops[thread]
        everything = [INITIAL, *self.graph.writers(stop.pointer)]
        if stop.instruction.opcode is not Opcode.LOCK:
            return everything
        return [w for w in everything if self.value(stop, w) == 0]

    def value(self, stop: Stop, source: int) -> int:
        written = self.interpreter.initial(stop.pointer) if source == INITIAL else self.graph.events[source].written
        assert written is not None
        return self.interpreter.seen(stop, written)

    def ready(self, thread: int) -> bool:
        """Is there an event to come, and one that need not wait for the end of another thread?"""
        stop = self.stops[thread]
        joins = stop.kind == "event" and stop.instruction.opcode is Opcode.JOIN
        return stop.kind == "event" and (not joins or self.stops[stop.pointer].kind == "end")

    def step(self, thread: int, source: int | None = None, plain: bool = False) -> int:
        """The thread's next event happens, and reads this write; its number. If plain, an update only reads."""
        stop, opcode = self.stops[thread], self.stops[thread].instruction.opcode
        read = None if source is None else self.value(stop, source)
        op, order, written = self.interpreter.effect(stop, read or 0)
        if plain and op == "u":
            op, written = "r", None
        near = self._last(thread) + (self._last(stop.pointer) if opcode is Opcode.JOIN else ())
        index = sum(self.graph.events[n].op in "rwuf" for n in self.graph.threads[thread])
        pointer = stop.pointer if op in "rwu" else 0
        number = self.graph.push(Event(thread, index, op, pointer, order, source, read, written), near)
        value = read or 0
        if opcode is Opcode.SPAWN:
            value = len(self.stops)
            self._begin(self.interpreter.start(stop.instruction.c, stop.values), number)
        if opcode is Opcode.JOIN:
            value = self.stops[stop.pointer].values[0]
        self._undo.append((thread, stop))
        if opcode is Opcode.LOCK and read != 0:
            self.stops[thread] = Stop(
                stop.state, "stuck", stop.instruction, stop.pointer
            )  # somebody else has the mutex
        else:
            self.stops[thread] = self.interpreter.stop(self.interpreter.after(stop, value))
        return number

    def _last(self, thread: int) -> tuple[int, ...]:
        """What the thread's next event comes right after in program order."""
        events = self.graph.threads[thread]
        if events:
            return (events[-1],)
        origin = self._origins[thread]
        return () if origin is None else (origin,)

    def back(self) -> None:
        thread, stop = self._undo.pop()
        if stop.instruction.opcode is Opcode.SPAWN:
            for column in (self.stops, self.graph.threads, self._origins):
                column.pop()  # type: ignore[attr-defined]
        self.stops[thread] = stop
        self.graph.pop()

    def opcode(self, number: int) -> Opcode:
        """Of the instruction that made the event."""
        return self._undo[number][1].instruction.opcode

    def complete(self) -> bool:
        return all(stop.kind == "end" for stop in self.stops)

    def others_may_write(self, thread: int, pointer: int) -> bool:
        """May a thread other than this one still write there, by its code?"""
        for other, stop in enumerate(self.stops):
            if other != thread and stop.kind == "event":
                places = self.interpreter.may_write(stop.state)
                if places is None or pointer in places:
                    return True
        return False

    def name(self, number: int) -> Name:
        return self.graph.events[number].thread, self.graph.events[number].index

    def as_class(self) -> Class:
        def listed(e: Event) -> Listed:
            source = None if e.source is None or e.source == INITIAL else self.name(e.source)
            return e.op, e.pointer, int(e.order), source, e.read, e.written

        events = self.graph.events
        return tuple(tuple(listed(events[n]) for n in line if events[n].op in "rwuf") for line in self.graph.threads)

    def as_written(self, mo: Iterable[tuple[int, tuple[int, ...]]]) -> Written:
        return tuple((pointer, tuple(self.name(w) for w in line)) for pointer, line in sorted(mo))
