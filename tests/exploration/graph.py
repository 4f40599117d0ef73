"""An execution graph that grows by one event at a time, each after all that it depends on, and shrinks again.

Sets of events are bits of an integer; an event's number is its place in the order of growth. Initial writes are no
events: a read of one has the source -1. Starts and joins of threads, and waits at barriers, are events that only order
others ("s", "j", "b"). Choices ("c") and ends of objects ("d") order nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from porf.execution import Order

INITIAL = -1


@dataclass(frozen=True, slots=True)
class Event:
    thread: int
    index: int  # among the thread's listed events
    op: str  # r, w, u, f, c; s, j, b and d are not listed
    pointer: int
    order: Order
    source: int | None = None  # number of the writer, or INITIAL
    read: int | None = None
    written: int | None = None


class Graph:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.po: list[int] = []  # all that comes before in program order, across starts and joins of threads
        self.porf: list[int] = []  # all that comes before in (po | rf)+
        self.near: list[tuple[int, ...]] = []  # what comes right before in program order
        self.threads: list[list[int]] = []  # events of each thread, in program order

    def push(self, event: Event, near: tuple[int, ...]) -> int:
        number = len(self.events)
        po = porf = 0
        for p in near:
            po |= self.po[p] | 1 << p
            porf |= self.porf[p] | 1 << p
        if event.source is not None and event.source >= 0:
            porf |= self.porf[event.source] | 1 << event.source
        self.events.append(event)
        self.near.append(near)
        self.po.append(po)
        self.porf.append(porf)
        self.threads[event.thread].append(number)
        return number

    def pop(self) -> None:
        event = self.events.pop()
        self.near.pop()
        self.po.pop()
        self.porf.pop()
        self.threads[event.thread].pop()

    def writers(self, pointer: int) -> list[int]:
        return [n for n, e in enumerate(self.events) if e.pointer == pointer and e.op in "wu"]
