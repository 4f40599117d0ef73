"""A cycle of edges as an execution: the smallest that has it, with the modification order that it asks for.

Events take their directions and orders from the edges beside them, threads change at external communications, and
locations at edges to a different location. Within a location the cycle's order is the modification order; a read takes
the write that comes before it. So each communication of the cycle is there, and nothing else is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from porf.errors import UsageError
from porf.events import Event
from porf.execution import Execution
from porf.generate.edges import BOTH, Edge, Vocabulary, read_edges
from porf.record import Record, replace

_NAMES = "xyzabcdefgh"


class Cycle(Record):
    """Edges whose directions and orders fit together; the last one is external, so a thread begins with the first."""

    words: Vocabulary
    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.edges))

    def orders(self) -> list[str]:
        """Of each event, the one that edge leaves: its order, empty if it is the plain one."""
        return [edge.orders[0] for edge in self.edges]

    def threads(self) -> list[list[int]]:
        """The edges of each thread, its outgoing communication included."""
        out: list[list[int]] = [[]]
        for at, edge in enumerate(self.edges):
            out[-1].append(at)
            if edge.external:
                out.append([])
        return out[:-1]


def read_cycle(text: str, words: Vocabulary) -> Cycle:
    """A cycle from its edges in words."""
    edges: list[Edge] = []
    alone: dict[int, str] = {}
    for item in read_edges(text, words):
        if isinstance(item, Edge):
            edges.append(item)
        elif alone.setdefault(len(edges), item) != item:
            raise UsageError(f"'{alone[len(edges)]}' and '{item}' stand for one event in '{text}'")
    if not edges:
        raise UsageError("a cycle has edges", hint="porf generate litmus 'PodWW Rfe PodRR Fre' --arch aarch64")
    for at, order in alone.items():
        here, before = at % len(edges), (at - 1) % len(edges)
        edges[here] = replace(edges[here], orders=(_order(edges[here].orders[0], order, text), edges[here].orders[1]))
        edges[before] = replace(
            edges[before], orders=(edges[before].orders[0], _order(edges[before].orders[1], order, text))
        )
    return cycle_of(edges, words)


def _order(said: str, order: str, text: str) -> str:
    if said and said != order:
        raise UsageError(f"'{said}' and '{order}' are said of one event in '{text}'")
    return order


def cycle_of(edges: Sequence[Edge], words: Vocabulary) -> Cycle:
    """A cycle of these edges, each end of an edge as its neighbour has it. Raises UsageError if they do not meet."""
    shown = " ".join(map(str, edges))
    known = list(edges)
    for at, edge in enumerate(known):
        before = known[at - 1]
        direction = _meet(before.target, edge.source)
        if direction is None:
            raise UsageError(
                f"{before} ends in {_WORDS[before.target]} and {edge} begins with {_WORDS[edge.source]}, in '{shown}'",
                hint="the direction in which an edge ends is that in which the next begins, all around",
            )
        if direction == BOTH:
            raise UsageError(
                f"whether the event between {before} and {edge} is R or W is not said", hint="PodRW, not Pod**"
            )
        order = _meet(before.orders[1] or BOTH, edge.orders[0] or BOTH)
        if order is None:
            raise UsageError(f"{before} and {edge} say different orders of the event between them")
        order = "" if order == BOTH else order
        if order in (words.reads if direction == "W" else words.writes):
            raise UsageError(f"{_WORDS[direction]} cannot be {order}, between {before} and {edge}")
        known[at - 1] = replace(before, target=direction, orders=(before.orders[0], order))
        known[at] = replace(known[at], source=direction, orders=(order, known[at].orders[1]))
    if sum(edge.external for edge in known) < 2:
        raise UsageError(f"'{shown}' stays within one thread", hint="a cycle has at least two of Rfe, Fre, Coe")
    if sum(not edge.same for edge in known) == 1:
        raise UsageError(
            f"'{shown}' changes its location once, so it does not come back",
            hint="a cycle changes its location never or at least twice",
        )
    if all(edge.kind in ("rf", "fr", "co", "rmw") for edge in known):
        raise UsageError(f"'{shown}' has no two events in program order", hint="add edges such as PodWW, PosRR")
    while not known[-1].external:
        known = [*known[1:], known[0]]
    return Cycle(words, tuple(_said(known, words)))


_WORDS = {"R": "a read", "W": "a write", BOTH: "either"}


def _meet(one: str, other: str) -> str | None:
    if BOTH in (one, other):
        return other if one == BOTH else one
    return one if one == other else None


def _said(edges: list[Edge], words: Vocabulary) -> list[Edge]:
    """The edges with the orders of both ends, as diy says them: in C all if there is any, on machines those of which
    one is not plain."""
    some = any(order for edge in edges for order in edge.orders)
    out = []
    for edge in edges:
        orders = (edge.orders[0] or words.plain, edge.orders[1] or words.plain)
        shown = some if words.language == "c" else set(orders) != {words.plain}
        out.append(replace(edge, orders=orders if shown else ("", "")))
    return out


class Made(Record, eq=False):
    """The execution of a cycle, and its modification order: rows, a location."""

    execution: Execution
    mo: list[list[int]]


def execution_of(cycle: Cycle, observed: int = 3) -> Made:
    """The execution that has the cycle and nothing besides, but for observers of locations with so many writes."""
    return _Maker(cycle).made(observed)


class _Maker:
    def __init__(self, cycle: Cycle) -> None:
        self.cycle, self.edges = cycle, cycle.edges
        self.count = len(self.edges)
        self.merged = {
            at + 1: at for at, edge in enumerate(self.edges) if edge.kind == "rmw" and not edge.exclusive
        }  # writes that are one event with their reads
        self.locations = self._locations()
        self.writer: dict[int, int | None] = {}  # of each read
        self.written: list[list[int]] = [[] for _ in range(max(self.locations) + 1)]
        self._communicate()

    def _locations(self) -> list[int]:
        """Of each event. The first location goes on after the last change."""
        changes = sum(not edge.same for edge in self.edges)
        out, now = [], 0
        for edge in self.edges:
            out.append(now % max(changes, 1))
            now += not edge.same
        return out

    def _start(self) -> int:
        """An event at which a location begins; if there is only one location, one that program order leads to."""
        changes = [at for at, edge in enumerate(self.edges) if not edge.same]
        within = [at for at, edge in enumerate(self.edges) if edge.kind not in ("rf", "fr", "co", "rmw")]
        return ((changes or within)[0] + 1) % self.count

    def _communicate(self) -> None:
        start = self._start()
        for step in range(self.count):
            at = (start + step) % self.count
            order = self.written[self.locations[at]]
            if self.edges[at].source == "W":
                if self._updates(at):
                    self.writer.setdefault(at, order[-1] if order else None)
                order.append(at)
            else:
                self.writer[at] = order[-1] if order else None

    def _updates(self, at: int) -> bool:
        """Whether a write is one that only exists with a read: an xchg of x86."""
        said = self.cycle.words.orders.get(self.edges[at].orders[0], ())
        return self.cycle.words.language == "x86" and "X" in said and at not in self.merged

    def made(self, observed: int) -> Made:
        values = {at: n + 1 for order in self.written for n, at in enumerate(order)}
        events: list[Event] = []
        for number, thread in enumerate(self.cycle.threads()):
            events += self._thread(f"P{number}", thread, values)
        for loc, order in enumerate(self.written):
            if len(order) >= observed:
                name = f"P{len(self.cycle.threads()) + loc}"
                events += [
                    Event(name, "r", _location(loc), values[at], rf=self._name(at), name=f"o{loc}.{at}")
                    for at in (order[:-1] if len(order) > 2 else order)
                ]
        execution = Execution.from_events(events, source=f"<{self.cycle}>")
        rows = dict(zip(execution.id_names, execution.id_rows.tolist(), strict=True))
        by_name = {_location(loc): [rows[self._name(at)] for at in order] for loc, order in enumerate(self.written)}
        return Made(execution, [by_name[name] for name in execution.loc_names])

    def _name(self, at: int) -> str:
        return f"n{self.merged.get(at, at)}"

    def _thread(self, name: str, thread: list[int], values: dict[int, int]) -> list[Event]:
        """The events of a thread, with the fences between them."""
        out: list[Event] = []
        control: list[str] = []
        for at in thread:
            if at not in self.merged:
                out.append(self._event(name, at, values, control))
            edge = self.edges[at]
            if edge.kind == "ctrl":
                control.append(self._name(at))
            if edge.fence and self.cycle.words.language == "c":
                out.append(Event(name, "f", order=edge.fence, ctrl=tuple(control)))
            elif edge.fence:
                out.append(Event(name, "f", ctrl=tuple(control), tags=(edge.fence,)))
        return out

    def _event(self, name: str, at: int, values: dict[int, int], control: list[str]) -> Event:
        edge, before = self.edges[at], self.edges[at - 1]
        merged = at + 1 in self.merged
        updates = merged or (edge.source == "W" and self._updates(at))
        reads = edge.source == "R" or updates
        words = list(self._orders(at))
        pairs = before.kind == "rmw" and before.exclusive
        if pairs or (edge.kind == "rmw" and edge.exclusive):
            words.append("EX")
        order = "rlx"
        if self.cycle.words.language == "c":
            order, words = _of_update(words) if merged else (words[0] if words else "rlx"), []
        writer = self.writer[at] if reads else None
        seen = 0 if writer is None else values[writer]
        own = values.get(at + 1 if merged else at)
        ends = (self._name(at - 1),)
        return Event(
            name,
            "u" if updates else edge.source.lower(),
            _location(self.locations[at]),
            (seen, own) if updates else seen if reads else own,
            order,
            None if not reads else "init" if writer is None else self._name(writer),
            self._name(at),
            addr=ends if before.kind == "addr" else (),
            data=ends if before.kind == "data" else (),
            ctrl=tuple(control),
            lxsx=ends if pairs else (),
            tags=tuple(words),
        )

    def _orders(self, at: int) -> tuple[str, ...]:
        """The words of an event; an update has those of its write as well."""
        said = self.cycle.words.orders.get(self.edges[at].orders[0], ())
        if at + 1 in self.merged:
            said = (*said, *self.cycle.words.orders.get(self.edges[(at + 1) % self.count].orders[0], ()))
        return tuple(dict.fromkeys(said))


def _of_update(words: list[str]) -> str:
    """The order in C of an update from those of its two halves."""
    found = set(words) - {"rlx", "na"}
    if "sc" in found:
        return "sc"
    if {"acq", "rel"} <= found or "acq_rel" in found:
        return "acq_rel"
    return next(iter(found), "rlx")


def _location(loc: int) -> str:
    return _NAMES[loc] if loc < len(_NAMES) else f"l{loc}"
