"""A program under way: the graph so far and where each thread stands; one step forward, one step back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porf.programs.form import Opcode, Program
from tests.exploration.graph import INITIAL, Event, Graph
from tests.exploration.interpreter import Interpreter, State, Stop

Name = tuple[int, int]  # thread and index among its listed events
Listed = tuple[str, int, int, Name | None, int | None, int | None]
Class = tuple[tuple[Listed, ...], ...]
LISTED = "rwufc"  # starts, joins, barriers and frees are not
Written = tuple[tuple[int, tuple[Name, ...]], ...]  # of each place that is written: its writers in modification order


class Run:
    def __init__(self, program: Program) -> None:
        self.interpreter = Interpreter(program)
        self.graph = Graph()
        self.stops: list[Stop] = []
        self._origins: list[int | None] = []  # the event that started each thread
        self._undo: list[tuple[int, Stop]] = []
        for thread, start in enumerate(program.starts):
            self._begin(self.interpreter.start(start.template, start.arguments, thread), None)

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
        if written is None:
            written = 0  # nothing; whoever reads it is wrong
        return self.interpreter.seen(stop, written)

    def options(self, thread: int) -> Sequence[int | None]:
        """The ways in which the thread's next event can happen: what it reads from, or the number that it chooses."""
        stop = self.stops[thread]
        if stop.instruction.opcode is Opcode.CHOOSE:
            return range(stop.values[0], stop.values[1] + 1)
        return self.sources(thread) if stop.reads else [None]

    def ready(self, thread: int) -> bool:
        """Is there an event to come, and one that need not wait for another thread?"""
        stop = self.stops[thread]
        if stop.kind != "event":
            return False
        if stop.instruction.opcode is Opcode.JOIN:
            return self.stops[stop.pointer].kind == "end"
        return stop.instruction.opcode is not Opcode.BARRIER or len(self._meeting(thread)) == self._places(stop.pointer)

    def _meeting(self, thread: int) -> list[tuple[int, ...]]:
        """Of each thread that is, or was, at the barrier as often as this one: what it did right before that."""
        barrier = self.stops[thread].pointer
        waited = len(self._waits(thread, barrier))
        found = []
        for other, stop in enumerate(self.stops):
            waits = self._waits(other, barrier)
            if len(waits) > waited:
                [*before] = (p for p in self.graph.near[waits[waited]] if self._precedes(p, other))
                found.append(tuple(before))
            elif len(waits) == waited and stop.kind == "event" and stop.instruction.opcode is Opcode.BARRIER:
                found += [self._last(other)] if stop.pointer == barrier else []
        return found

    def _waits(self, thread: int, barrier: int) -> list[int]:
        """The events with which the thread passed the barrier."""
        events = self.graph.events
        return [n for n in self.graph.threads[thread] if events[n].op == "b" and events[n].pointer == barrier]

    def _precedes(self, event: int, thread: int) -> bool:
        return self.graph.events[event].thread == thread or event == self._origins[thread]

    def _places(self, barrier: int) -> int:
        """How many the barrier is for."""
        writers = self.graph.writers(barrier)
        return (self.graph.events[writers[-1]].written if writers else self.interpreter.initial(barrier)) or 0

    def step(self, thread: int, source: int | None = None, plain: bool = False) -> int:
        """The thread's next event happens, and is this one of its options; its number. If plain, an update only
        reads."""
        stop, opcode = self.stops[thread], self.stops[thread].instruction.opcode
        chosen = source if opcode is Opcode.CHOOSE else None
        source = source if stop.reads else None
        read = chosen if source is None else self.value(stop, source)
        op, order, written = self.interpreter.effect(stop, read or 0)
        if plain and op == "u":
            op, written = "r", None
        near = self._last(thread) + (self._last(stop.pointer) if opcode is Opcode.JOIN else ())
        if opcode is Opcode.BARRIER:
            near = tuple(sorted({*near, *(n for before in self._meeting(thread) for n in before)}))
        index = sum(self.graph.events[n].op in LISTED for n in self.graph.threads[thread])
        pointer = stop.pointer if op in "rwudb" else 0
        number = self.graph.push(Event(thread, index, op, pointer, order, source, read, written), near)
        value = read or 0
        if opcode is Opcode.SPAWN:
            value = len(self.stops)
            self._begin(self.interpreter.start(stop.instruction.c, stop.values, value), number)
        if opcode is Opcode.JOIN:
            value = self.stops[stop.pointer].values[0]
        self._undo.append((thread, stop))
        if opcode is Opcode.LOCK and read != 0:
            self.stops[thread] = Stop(
                stop.state, "stuck", stop.instruction, stop.pointer
            )  # somebody else has the mutex
        elif source == INITIAL and self.interpreter.initial(stop.pointer) is None:
            self.stops[thread] = Stop(stop.state, "uninitialised read", stop.instruction)
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
                column.pop()
        self.stops[thread] = stop
        self.graph.pop()

    def opcode(self, number: int) -> Opcode:
        """Of the instruction that made the event."""
        return self._undo[number][1].instruction.opcode

    def complete(self) -> bool:
        return all(stop.kind == "end" for stop in self.stops)

    def wrong(self) -> set[str]:
        """What went wrong in threads, each by itself."""
        return {stop.kind for stop in self.stops} - {"event", "end", "stuck"}

    def heap(self) -> set[int]:
        """The upper halves of pointers to all that the threads have got from the heap."""
        return {number for stop in self.stops for number in self.interpreter.heap_objects(stop.state)}

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
        return tuple(tuple(listed(events[n]) for n in line if events[n].op in LISTED) for line in self.graph.threads)

    def as_written(self, mo: Iterable[tuple[int, tuple[int, ...]]]) -> Written:
        return tuple((pointer, tuple(self.name(w) for w in line)) for pointer, line in sorted(mo))
