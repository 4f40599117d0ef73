"""The stateless exploration in plain Python, slow and close to its pseudocode: each class once, nothing remembered.

After TruSt (Kokologiannakis et al., POPL 2022), without modification orders: what is deleted when a read is revisited
must have been read *canonically*, that is, as a function of the graph alone chooses. An event is named by its thread
and its place there. A graph is the order in which events were added, and the source of each that reads.

A lock takes only a free mutex. Where none can be had, its thread waits, and nothing is added. But a lock that was added
is revisited by another one that takes the mutex before it: then it is *asleep*, and reads from that other lock, until
the unlock comes and wakes it. `tests/exploration/test_prototype.py` says what each rule is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from porf.programs.form import Opcode, Program
from tests.exploration.consistency import bits, consistent
from tests.exploration.graph import INITIAL, Event
from tests.exploration.run import Class, Run

Key = tuple[int, int]
INIT: Key = (-1, 0)


@dataclass(frozen=True)
class Plan:
    """A graph by its names alone."""

    order: tuple[Key, ...] = ()
    sources: dict[Key, Key] | None = None

    def source(self, key: Key) -> Key | None:
        return (self.sources or {}).get(key)

    def plus(self, key: Key, source: Key | None = None) -> Plan:
        return Plan((*self.order, key), self.sources).reading({} if source is None else {key: source})

    def only(self, keys: Iterable[Key]) -> Plan:
        kept = set(keys)
        return Plan(
            tuple(k for k in self.order if k in kept), {k: w for k, w in (self.sources or {}).items() if k in kept}
        )

    def reading(self, sources: dict[Key, Key]) -> Plan:
        return Plan(self.order, {**(self.sources or {}), **sources})


class Built:
    """A plan carried out: its graph, and where the threads stand. `plain` is an update that only reads for now."""

    def __init__(self, program: Program, plan: Plan, plain: Key | None = None) -> None:
        self.plan = plan
        self.run = Run(program)
        self.number: dict[Key, int] = {INIT: INITIAL}
        left = set(plan.order)
        while left:
            before = len(left)
            for thread in self.run.threads():
                while (key := self.next_key(thread)) in left and self.run.ready(thread):
                    source = plan.source(key)
                    if source is not None and source not in self.number:
                        break
                    number = None if source is None else self.number[source]
                    self.number[key] = self.run.step(thread, number, plain=key == plain)
                    left.remove(key)
            assert len(left) < before, "not a graph"
        self.key = {n: k for k, n in self.number.items()}

    def event(self, key: Key) -> Event:
        return self.run.graph.events[self.number[key]]

    def prefix(self, key: Key) -> set[Key]:
        return {self.key[n] for n in bits(self.run.graph.porf[self.number[key]])}

    def next_key(self, thread: int) -> Key:
        return thread, len(self.run.graph.threads[thread])

    def sources(self, thread: int) -> list[Key]:
        return [self.key[w] for w in self.run.sources(thread)]

    # Mutexes

    def is_lock(self, key: Key) -> bool:
        return self.run.opcode(self.number[key]) is Opcode.LOCK

    def is_unlock(self, key: Key | None) -> bool:
        return key not in (None, INIT) and self.run.opcode(self.number[key]) is Opcode.UNLOCK

    def asleep(self) -> list[Key]:
        return [k for k in self.plan.order if self.is_lock(k) and self.event(k).op == "r"]

    def lock_of(self, unlock: Key) -> Key:
        """The lock that an unlock ends."""
        place = self.event(unlock).pointer
        mine = [(unlock[0], n) for n in range(unlock[1])]
        return max(k for k in mine if self.event(k).op == "u" and self.event(k).pointer == place)

    def holder(self, place: int) -> Key | None:
        """The lock whose mutex has not been given back."""
        events = [(self.event(k), k) for k in self.plan.order]
        taken = {k for e, k in events if e.pointer == place and e.op == "u"}
        given = {self.lock_of(k) for e, k in events if e.pointer == place and self.is_unlock(k)}
        return max(taken - given, default=None)

    def overslept(self) -> bool:
        """Does a lock sleep although the mutex was given back?"""
        awaited = {self.plan.source(k) for k in self.asleep()}
        return any(self.is_unlock(u) and self.lock_of(u) in awaited for u in self.plan.order)


class Explorer:
    def __init__(self, program: Program, model: str) -> None:
        self._program, self._model = program, model
        self.complete: list[Class] = []
        self.blocked: list[Class] = []
        self.visits = 0

    def explore(self) -> Explorer:
        self._visit(Plan())
        return self

    def _build(self, g: Plan, plain: Key | None = None) -> Built:
        return Built(self._program, g, plain)

    def _consistent(self, g: Plan, plain: Key | None = None) -> bool:
        return consistent(self._build(g, plain).run.graph, self._model)

    def _visit(self, g: Plan) -> None:
        self.visits += 1
        built = self._build(g)
        if built.overslept():
            return
        thread = self._next(built)
        if thread is None:
            self._end(built)
        elif built.run.stops[thread].reads:
            key = built.next_key(thread)
            for source in built.sources(thread):
                self._read(g.plus(key, source), key)
        else:
            self._add(g.plus(built.next_key(thread)), built.next_key(thread))

    def _add(self, g: Plan, key: Key) -> None:
        """An event that does not read."""
        if self._consistent(g):
            self._visit(g)
        if self._build(g).event(key).op == "w":
            self._revisits(g, key)

    def _read(self, g: Plan, key: Key) -> None:
        """First the read alone; if it is one of an update, then the write, too."""
        if not self._consistent(g, plain=key):
            return
        if self._build(g).event(key).op != "u":
            self._visit(g)
            return
        if self._consistent(g):
            self._visit(g)
        self._revisits(g, key)

    def _revisits(self, g: Plan, a: Key) -> None:
        """Reads that are there already take the new write, and what depended on them goes."""
        built = self._build(g)
        pre = self._prefix(built, a)
        for at, r in enumerate(g.order):
            e = built.event(r)
            if e.op not in "ru" or e.pointer != built.event(a).pointer or r == a or r in pre:
                continue
            deleted = [k for k in g.order[at + 1 :] if k not in pre and k != a]
            # An update is there as a plain read: its write is not.
            kept = {*g.order[:at], *pre} | ({a} if built.event(a).op == "u" else set())
            sleepers = self._sleepers(built, kept, {r, *deleted})
            if sleepers is not None and self._canonical(built, a, [r, *deleted], kept, sleepers):
                h = g.only(set(g.order) - set(deleted)).reading({**sleepers, r: a})
                self._read(h, r)

    def _sleepers(self, built: Built, kept: set[Key], gone: set[Key]) -> dict[Key, Key] | None:
        """Kept locks whose unlock goes, each with the lock that it sleeps on then; None if other reads lose theirs."""
        out = {}
        for k in kept:
            w = built.plan.source(k)
            if w in gone:
                if not (built.is_lock(k) and built.is_unlock(w)) or built.lock_of(w) in gone:
                    return None
                out[k] = built.lock_of(w)
        lost = any(built.plan.source(k) in out or out.get(k) in out for k in kept)
        return None if lost else out

    def _canonical(self, built: Built, a: Key, gone: list[Key], there: set[Key], sleepers: dict[Key, Key]) -> bool:
        """Was each of these, in this order, read as the graph before it chooses?"""
        sleepers = dict(sleepers)
        for d in gone:
            source = built.plan.source(d)
            if source is not None:
                if source in gone and source not in there and built.is_lock(d) and built.is_unlock(source):
                    source = sleepers[d] = built.lock_of(source)  # it was woken later
                g = built.plan.only(there).reading({k: w for k, w in sleepers.items() if k != d})
                if source != self._canon(g, d, a):
                    return False
            there = there | {d}
            sleepers = {k: w for k, w in sleepers.items() if built.plan.source(k) != d}
        return True

    def _canon(self, g: Plan, d: Key, a: Key) -> Key | None:
        built = self._build(g, plain=a)
        good = [w for w in built.sources(d[0]) if self._good(g, d, a, w)]
        return max(good) if good else built.holder(built.run.stops[d[0]].pointer)

    def _good(self, g: Plan, d: Key, a: Key, w: Key) -> bool:
        return self._consistent(g.plus(d, w), plain=a)

    def _prefix(self, built: Built, a: Key) -> set[Key]:
        """What a depends on."""
        return built.prefix(a)

    def _next(self, built: Built) -> int | None:
        """The thread that goes on: one that keeps a sleeper waiting, or else the first that can."""
        threads = [t for k in built.asleep() for t in self._waited_for(built, built.plan.source(k))]
        return next((t for t in (*threads, *built.run.threads()) if self._enabled(built, t)), None)

    def _waited_for(self, built: Built, holder: Key | None) -> Iterator[int]:
        """The thread that has the mutex, the one that it waits for itself, and so on."""
        seen: set[int] = set()
        while holder is not None and holder[0] not in seen:
            seen.add(holder[0])
            yield holder[0]
            stop = built.run.stops[holder[0]]
            if stop.instruction.opcode is Opcode.JOIN:
                holder = (stop.pointer, 0)
            else:
                holder = built.holder(stop.pointer) if stop.instruction.opcode is Opcode.LOCK else None

    def _enabled(self, built: Built, thread: int) -> bool:
        if not built.run.ready(thread) or built.run.stops[thread].instruction.opcode is not Opcode.LOCK:
            return built.run.ready(thread)
        key = built.next_key(thread)
        return any(self._consistent(built.plan.plus(key, w)) for w in built.sources(thread))

    def _end(self, built: Built) -> None:
        """Nobody goes on. A lock that waits was not there to revisit others: now it is, and sleeps then."""
        g, run = built.plan, built.run
        waiting = [t for t in run.threads() if run.ready(t)]
        if waiting:
            key = built.next_key(waiting[0])
            for source in built.sources(waiting[0]):
                self._read(g.plus(key, source), key)
            holder = built.holder(run.stops[waiting[0]].pointer)
            assert holder is not None
            self._visit(g.plus(key, holder))
        elif run.complete():
            self.complete.append(run.as_class())
        else:
            awake = self._build(g.only(set(g.order) - set(built.asleep())))
            self.blocked.append(awake.run.as_class())
