"""Brute force: every execution of a small program as a class of (po, rf), filtered by a model's axioms.

`every_graph` adds events in all ways and remembers where it has been. `classes` finds the same and is faster: it
builds each graph in one order only, in which always the first thread runs whose next event has its source. So a read
takes a write that is there, or waits for one that is not there yet, and then never takes an earlier one. What is
inconsistent is dropped at once, since (po | rf)-prefixes of consistent graphs are consistent in all of these models.

An execution is *complete* if every thread has ended. It is *blocked* if some thread has not and none can go on: it
waits for a mutex that is never free, for a thread that never ends, at a barrier, or its assumption failed.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.programs.form import Opcode, Program
from tests.exploration.consistency import BUFFERS, consistent, happens_before, modification_orders
from tests.exploration.run import Class, Run, Written


def classes(program: Program, model: str) -> tuple[set[Class], set[Class]]:
    """The complete executions that the model allows, and the blocked ones."""
    found: tuple[list[Class], list[Class]] = ([], [])

    def report(run: Run) -> None:
        if not run.wrong():
            found[not run.complete()].append(run.as_class())

    Search(program, model, report).explore()
    complete, blocked = set(found[0]), set(found[1])
    assert len(complete) == len(found[0]) and len(blocked) == len(found[1])
    return complete, blocked


def ordered_classes(program: Program, model: str) -> set[tuple[Class, Written]]:
    """The complete executions with every modification order that the model allows them."""
    found: set[tuple[Class, Written]] = set()

    def report(run: Run) -> None:
        if run.complete():
            for mo in modification_orders(run.graph, model):
                found.add((run.as_class(), run.as_written(mo.items())))

    Search(program, model, report).explore()
    return found


def errors(program: Program, model: str) -> set[str]:
    """The names of all bugs of threads by themselves, and of memory that is freed, or is not."""
    found: set[str] = set()

    def report(run: Run) -> None:
        found.update(run.wrong(), freed_wrongly(run, model))
        if run.complete() and run.heap() - {e.pointer >> 32 for e in run.graph.events if e.op == "d"}:
            found.add("memory leak")

    Search(program, model, report).explore()
    return found


def freed_wrongly(run: Run, model: str) -> set[str]:
    """An object is freed once, and after all accesses of it have happened."""
    g = run.graph
    before = g.porf if model in BUFFERS else happens_before(g, model)
    found = set()
    for n, free in enumerate(g.events):
        if free.op != "d":
            continue
        for m, e in enumerate(g.events):
            if e.pointer >> 32 != free.pointer >> 32 or m == n:
                continue
            if e.op == "d":
                found.add("double free")
            elif not before[n] >> m & 1:
                found.add("use after free")
    return found


class Search:
    def __init__(self, program: Program, model: str, report: Callable[[Run], object]) -> None:
        self._run = Run(program)
        self._model = model
        self._report = report
        self._asked: dict[int, int] = {}  # thread that waits for a write -> how many events there were

    def explore(self) -> None:
        thread = next((t for t in self._run.threads() if self._ripe(t)), None)
        if thread is None:
            self._end()
        elif not self._run.stops[thread].reads:
            for option in self._run.options(thread):
                self._run.step(thread, option)
                self.explore()
                self._run.back()
        else:
            self._read(thread)

    def _ripe(self, thread: int) -> bool:
        """Has the thread something new to do?"""
        run = self._run
        if thread not in self._asked:
            return run.ready(thread)
        return any(w >= self._asked[thread] for w in run.sources(thread))

    def _read(self, thread: int) -> None:
        run, stop = self._run, self._run.stops[thread]
        asked = self._asked.pop(thread, None)
        for w in run.sources(thread):
            if asked is not None and w < asked:
                continue
            run.step(thread, w)
            if consistent(run.graph, self._model):
                self.explore()
            run.back()
        if stop.instruction.opcode is Opcode.LOCK or run.others_may_write(thread, stop.pointer):
            self._asked[thread] = len(run.graph.events)
            self.explore()
            del self._asked[thread]
        if asked is not None:
            self._asked[thread] = asked

    def _end(self) -> None:
        """Nobody goes on. Whoever waits for a write in vain should not have, unless it is a mutex that is taken."""
        run = self._run
        if not consistent(run.graph, self._model):
            return
        for thread in self._asked:
            if run.stops[thread].instruction.opcode is not Opcode.LOCK or can_lock(run, thread, self._model):
                return
        self._report(run)


def can_lock(run: Run, thread: int, model: str) -> bool:
    """Can the thread take the mutex that it waits for?"""
    for w in run.sources(thread):
        run.step(thread, w)
        taken = consistent(run.graph, model)
        run.back()
        if taken:
            return True
    return False


def every_graph(program: Program, model: str) -> tuple[set[Class], set[Class]]:
    """The same as `classes`, by adding any event with any source anywhere. Slow; only complete graphs are judged."""
    run = Run(program)
    visited: set[object] = set()
    complete: set[Class] = set()
    blocked: set[Class] = set()

    def explore() -> None:
        # Starts and joins are not listed; the stops tell how far the threads are.
        key = (run.as_class(), tuple(stop.state for stop in run.stops))
        if key in visited:
            return
        visited.add(key)
        maximal = True
        for thread in run.threads():
            if not run.ready(thread):
                continue
            locks = run.stops[thread].instruction.opcode is Opcode.LOCK
            maximal = maximal and locks and not can_lock(run, thread, model)
            for option in run.options(thread):
                run.step(thread, option)
                explore()
                run.back()
        if maximal and not run.wrong() and consistent(run.graph, model):
            (complete if run.complete() else blocked).add(key[0])

    explore()
    return complete, blocked
