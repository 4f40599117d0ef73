"""The stateless exploration in plain Python, slow and close to its pseudocode: each class once, nothing remembered.

After TruSt (Kokologiannakis et al., POPL 2022), without modification orders: what is deleted when a read is revisited
must have been read canonically, that is, as a function of the graph alone chooses. An event is named by its thread
and its place there. A graph is the order in which events were added and the source of each that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from porf.programs.form import Opcode, Program
from tests.explore.consistency import bits, consistent
from tests.explore.graph import INITIAL
from tests.explore.run import Class, Run

Key = tuple[int, int]
INIT: Key = (-1, 0)


@dataclass(frozen=True)
class State:
    order: tuple[Key, ...]
    sources: dict[Key, Key]

    def plus(self, key: Key, source: Key | None = None) -> State:
        return State((*self.order, key), self.sources if source is None else {**self.sources, key: source})

    def only(self, keys: Iterable[Key]) -> State:
        kept = set(keys)
        return State(
            tuple(k for k in self.order if k in kept), {k: w for k, w in self.sources.items() if k in kept}
        )


class Built:
    """A state's graph, and the threads as they stand after it. `plain` is an update that only reads for now."""

    def __init__(self, program: Program, state: State, plain: Key | None = None) -> None:
        self.run = Run(program)
        self.number: dict[Key, int] = {INIT: INITIAL}
        left = set(state.order)
        while left:
            before = len(left)
            for thread in self.run.threads():
                while (key := (thread, len(self.run.graph.threads[thread]))) in left:
                    source = state.sources.get(key)
                    if not self.run.ready(thread) or (source is not None and source not in self.number):
                        break
                    number = None if source is None else self.number[source]
                    self.number[key] = self.run.step(thread, number, plain=key == plain)
                    left.remove(key)
            assert len(left) < before, "not a graph"
        self.key = {n: k for k, n in self.number.items()}

    def event(self, key: Key):  # type: ignore[no-untyped-def]
        return self.run.graph.events[self.number[key]]

    def instruction(self, key: Key) -> Opcode:
        return self.run._undo[self.number[key]][1].instruction.opcode

    def prefix(self, key: Key) -> set[Key]:
        return {self.key[n] for n in bits(self.run.graph.porf[self.number[key]])}

    def next_key(self, thread: int) -> Key:
        return thread, len(self.run.graph.threads[thread])


class Explorer:
    def __init__(self, program: Program, model: str, variant: str = "") -> None:
        self.program, self.model = program, model
        self.variant = set(variant.split())
        self.complete: list[Class] = []
        self.blocked: list[Class] = []
        self.visits = 0

    def explore(self) -> Explorer:
        self.visit(State((), {}))
        return self

    def build(self, state: State, plain: Key | None = None) -> Built:
        return Built(self.program, state, plain)

    def consistent(self, state: State, plain: Key | None = None) -> bool:
        return consistent(self.build(state, plain).run.graph, self.model)

    def visit(self, g: State) -> None:
        self.visits += 1
        built = self.build(g)
        if self.overslept(g, built):
            return
        thread = self.next_thread(g, built)
        if thread is None:
            self.end(g, built)
            return
        key, stop = built.next_key(thread), built.run.stops[thread]
        if not stop.reads:
            self.add(g, key)
            return
        for w in built.run.sources(thread):
            self.read(g.plus(key, built.key[w]), key)

    def read(self, g: State, key: Key) -> None:
        if not self.consistent(g, plain=key):
            return
        if self.build(g).event(key).op == "u":
            self.finish(g, key)
        else:
            self.visit(g)

    def finish(self, g: State, key: Key) -> None:
        """An update that reads becomes one that writes, too."""
        if self.consistent(g):
            self.visit(g)
        self.revisits(g, key)

    def add(self, g: State, key: Key) -> None:
        g = g.plus(key)
        built = self.build(g)
        if self.consistent(g):
            self.visit(g)
        if built.event(key).op == "w":
            self.revisits(g, key)

    def overslept(self, g: State, built: Built) -> bool:
        """Does a lock wait although the mutex was given back?"""
        waits_for = {g.sources[k] for k in g.order if self.waits(built, k)}
        return any(built.instruction(u) is Opcode.UNLOCK and self.lock_of(built, u) in waits_for for u in g.order)

    def waits(self, built: Built, k: Key) -> bool:
        return built.instruction(k) is Opcode.LOCK and built.event(k).op == "r"

    def lock_of(self, built: Built, u: Key) -> Key:
        """The lock that an unlock ends."""
        e = built.event(u)
        return max(
            k
            for n in built.run.graph.threads[u[0]]
            if (k := built.key[n]) < u and built.event(k).op == "u" and built.event(k).pointer == e.pointer
        )

    def revisits(self, g: State, a: Key) -> None:
        built = self.build(g)
        pre = built.prefix(a)
        for r in g.order:
            e = built.event(r)
            if e.op not in "ru" or e.pointer != built.event(a).pointer or r == a or r in pre or g.sources[r] == a:
                continue
            at = g.order.index(r)
            deleted = [k for k in g.order[at + 1 :] if k not in pre and k != a]
            # An update is there as a plain read: its write is not.
            p = set(g.order[:at]) | pre | ({a} if built.event(a).op == "u" else set())
            asleep = self.asleep(g, built, p, {r, *deleted})
            if asleep is not None and self.maximal(g, a, r, deleted, p, asleep):
                kept = g.only(set(g.order) - set(deleted))
                self.read(State(kept.order, {**kept.sources, **asleep, r: a}), r)

    def asleep(self, g: State, built: Built, p: set[Key], gone: set[Key]) -> dict[Key, Key] | None:
        """Locks that stay but whose unlock goes wait again; None if another read that stays loses its source."""
        out = {}
        for k in p:
            w = g.sources.get(k)
            if w not in gone:
                continue
            if built.instruction(k) is not Opcode.LOCK or built.instruction(w) is not Opcode.UNLOCK:
                return None
            out[k] = self.lock_of(built, w)
            if out[k] in gone:
                return None
        return None if any(w in out for k, w in (g.sources | out).items() if k in p) else out

    def maximal(self, g: State, a: Key, r: Key, deleted: list[Key], p: set[Key], asleep: dict[Key, Key]) -> bool:
        built = self.build(g)
        asleep = dict(asleep)
        for d in [r, *deleted]:
            if d in g.sources:
                source = g.sources[d]
                # It waited here until the unlock came.
                if source in deleted and source not in p and built.event(d).op == "u" and built.instruction(d) is Opcode.LOCK:
                    source = asleep[d] = self.lock_of(built, source)
                now = g.only(p)
                if source != self.canon(State(now.order, {**now.sources, **asleep}), d, a):
                    return False
            p = p | {d}
            asleep = {k: w for k, w in asleep.items() if g.sources[k] != d}
        return True

    def canon(self, g: State, d: Key, a: Key) -> Key | None:
        built = self.build(g, plain=a)
        sources = [built.key[w] for w in built.run.sources(d[0])]
        good = [w for w in sources if self.consistent(g.plus(d, w), plain=a)]
        if good:
            return max(good)
        return self.holder(built, built.run.stops[d[0]].pointer)

    # Mutexes

    def holder(self, built: Built, pointer: int) -> Key | None:
        """The lock whose mutex has not been given back."""
        held: Key | None = None
        for t in built.run.threads():
            mine: Key | None = None
            for n in built.run.graph.threads[t]:
                e = built.run.graph.events[n]
                if e.pointer == pointer and e.op in "wu":
                    mine = built.key[n] if e.op == "u" else None
            held = mine or held
        return held

    def enabled(self, g: State, built: Built, thread: int) -> bool:
        if not built.run.ready(thread):
            return False
        if built.run.stops[thread].instruction.opcode is not Opcode.LOCK:
            return True
        key = built.next_key(thread)
        return any(self.consistent(g.plus(key, built.key[w])) for w in built.run.sources(thread))

    def next_thread(self, g: State, built: Built) -> int | None:
        for k in g.order if "prefer" in self.variant else ():
            if not self.waits(built, k):
                continue
            seen = set()
            t = g.sources[k][0]
            while t not in seen:
                seen.add(t)
                if self.enabled(g, built, t):
                    return t
                stop = built.run.stops[t]
                if stop.instruction.opcode is Opcode.JOIN:
                    t = stop.pointer
                elif stop.instruction.opcode is Opcode.LOCK:
                    h = self.holder(built, stop.pointer)
                    t = h[0] if h else t
        return next((t for t in built.run.threads() if self.enabled(g, built, t)), None)

    def end(self, g: State, built: Built) -> None:
        if built.run.complete():
            self.complete.append(built.run.as_class())
            return
        kept = [k for k in g.order if not (built.instruction(k) is Opcode.LOCK and built.event(k).op == "r")]
        if "deadlocks" in self.variant:
            for t in built.run.threads():
                stop = built.run.stops[t]
                if stop.kind == "event" and stop.instruction.opcode is Opcode.LOCK:
                    h = self.holder(built, stop.pointer)
                    for w in built.run.sources(t):
                        key = built.next_key(t)
                        if self.consistent(g.plus(key, built.key[w]), plain=key):
                            self.revisits(g.plus(key, built.key[w]), key)
                    if h is not None:
                        self.visit(g.plus(built.next_key(t), h))
                    return
        self.blocked.append(self.build(g.only(kept)).run.as_class())
