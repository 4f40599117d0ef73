"""From a graph to an execution that a program could have: threads, locations, values, one modification order.

Not every graph is one: none has a cycle of program order, or an event that is neither read, write nor fence. What the
graph leaves open (the order of unrelated writes, say) is tried in every way, a few at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from typing import Any

from porf.automata.graph import Graph, closed, extensions, pairs, transposed
from porf.events import Event
from porf.execution import DEPENDENCIES, Execution

_KINDS = ("R", "W", "F")
_ORDERS = ("NA", "RLX", "ACQ", "REL", "SC")
_ABLE = {"R": ("RLX", "ACQ", "SC", "NA"), "W": ("RLX", "REL", "SC", "NA"), "F": ("RLX", "ACQ", "REL", "ACQ_REL", "SC")}
_MEANS = {"ACQ_REL": {"ACQ", "REL"}, "SC": {"ACQ", "REL", "SC"}}
_LETTERS = "xyzuvw"
_MOST_TRIED = 400


class NoExecutionError(Exception):
    """No program has such a graph; the text says why."""


@dataclass
class Realized:
    """An execution in the two-event view: the graph by definition, and the rows that people see."""

    graph: Graph
    kinds: list[str]
    orders: list[str]
    threads: list[list[int]]
    locations: dict[int, int]
    writer: dict[int, int | None]  # of a read: the write, or None for the initial value
    mo: list[list[int]]
    updates: dict[int, int]  # the read half -> the write half
    dependencies: list[tuple[str, int, int]] = field(default_factory=list)


def realizations(graph: Graph, tracked: frozenset[str]) -> Iterator[Realized]:
    """Executions that have the graph's events and steps, and no more than they must."""
    count = len(graph.events)
    if _loop(closed(graph.rows("po"))):
        raise NoExecutionError("program order has a cycle")
    kinds = [_kind(graph, at, tracked) for at in range(count)]
    orders = [_order(graph.events[at], kinds[at], tracked) for at in range(count)]
    locations = _locations(graph, kinds)
    updates = dict(pairs(graph.rows("rmw")))
    _check_updates(graph, updates, tracked)
    for read, write in updates.items():
        _joined(orders[read], orders[write])
    writer = _writers(graph, kinds)
    threads = [list(islice(extensions(members, graph.rows("po"), updates), 6)) for members in _threads(graph)]
    writes: dict[int, list[int]] = {}
    for at, kind in enumerate(kinds):
        if kind == "W":
            writes.setdefault(locations[at], []).append(at)
    before = _known_mo(graph, writer)
    orders_of = [list(islice(extensions(members, before), 24)) for members in writes.values()]
    if not all(orders_of) or not all(threads):
        raise NoExecutionError("the writes of a location cannot be ordered")
    dependencies = [(name, a, b) for name in ("addr", "data", "ctrl") for a, b in pairs(graph.rows(name))]
    for choice in islice(product(product(*threads), product(*orders_of)), _MOST_TRIED):
        line_up, mo = [list(one) for one in choice[0]], [list(one) for one in choice[1]]
        parts = (kinds, orders, line_up, locations, writer, mo, updates, dependencies)
        yield Realized(_defined(*parts), *parts)


def reordered(realized: Realized) -> Iterator[Realized]:
    """The same execution under other modification orders."""
    for mo in islice(product(*(permutations(line) for line in realized.mo)), _MOST_TRIED):
        yield _remade(realized, mo=[list(line) for line in mo])


def observed(realized: Realized) -> Realized:
    """With one more thread for every location with several writes, which reads them in order."""
    out = realized
    for line in realized.mo:
        if len(line) > 1:
            first = len(out.kinds)
            reads = range(first, first + len(line))
            out = _remade(
                out,
                kinds=[*out.kinds, *("R" for _ in line)],
                orders=[*out.orders, *("RLX" for _ in line)],
                threads=[*out.threads, list(reads)],
                locations={**out.locations, **dict.fromkeys(reads, out.locations[line[0]])},
                writer={**out.writer, **dict(zip(reads, line, strict=True))},
            )
    return out


def _remade(realized: Realized, **changes: Any) -> Realized:
    names = ("kinds", "orders", "threads", "locations", "writer", "mo", "updates", "dependencies")
    parts = {name: changes.get(name, getattr(realized, name)) for name in names}
    return Realized(_defined(**parts), **parts)


def _loop(rows: list[int]) -> bool:
    return any(row >> at & 1 for at, row in enumerate(rows))


def _kind(graph: Graph, at: int, tracked: frozenset[str]) -> str:
    held = graph.events[at]
    for kind in _KINDS:
        if kind in held:
            return kind
    free = [kind for kind in _KINDS if kind not in tracked]
    if "LOC" in tracked and "LOC" not in held:
        free = [kind for kind in free if kind == "F"]
    elif "LOC" in held:
        free = [kind for kind in free if kind != "F"]
    if not free or held & {"TC", "TB", "TJ", "TK", "TE", "ALLOC", "FREE", "HPRET", "HPPROT"}:
        raise NoExecutionError("one of its events is neither a read, a write nor a fence")
    return "W" if "W" in free else free[0]


def _order(held: frozenset[str], kind: str, tracked: frozenset[str]) -> str:
    able = {
        "R": ("NA", "RLX", "ACQ", "SC"),
        "W": ("NA", "RLX", "REL", "SC"),
        "F": ("ACQ", "REL", "ACQ_REL", "SC", "RLX"),
    }
    meaning = {
        "NA": {"NA"},
        "RLX": {"RLX"},
        "ACQ": {"ACQ"},
        "REL": {"REL"},
        "ACQ_REL": {"ACQ", "REL"},
        "SC": {"ACQ", "REL", "SC"},
    }
    for name in sorted(able[kind], key=lambda name: name != "RLX"):
        if meaning[name] & tracked == held & set(_ORDERS) & tracked:
            return name
    raise NoExecutionError("no access has the order that one of its events has")


def _locations(graph: Graph, kinds: list[str]) -> dict[int, int]:
    same = graph.rows("loc")
    out: dict[int, int] = {}
    for at, kind in enumerate(kinds):
        if kind == "F":
            if same[at] & ~(1 << at):
                raise NoExecutionError("a fence has no location")
            continue
        known = [out[other] for other in range(at) if other in out and same[at] >> other & 1]
        out[at] = known[0] if known else max(out.values(), default=-1) + 1
    return out


def _check_updates(graph: Graph, updates: dict[int, int], tracked: frozenset[str]) -> None:
    if len(set(updates.values())) != len(updates) or len(updates) != len(pairs(graph.rows("rmw"))):
        raise NoExecutionError("an update is one read and one write")
    halves = {*updates, *updates.values()}
    for at, held in enumerate(graph.events):
        if ("EXCL" in held and at not in halves) or ("NEXCL" in held and at in halves):
            raise NoExecutionError("half of an update is missing")
        if "NEXCL" in tracked and "NEXCL" not in held and at not in halves and held & {"R", "W"}:
            raise NoExecutionError("an access cannot be part of an update and also not")


def _writers(graph: Graph, kinds: list[str]) -> dict[int, int | None]:
    sources = transposed(graph.rows("rf"))
    out: dict[int, int | None] = {}
    for at, kind in enumerate(kinds):
        if kind == "R":
            found = [write for write in range(len(kinds)) if sources[at] >> write & 1]
            if len(found) > 1:
                raise NoExecutionError("a read takes its value from one write")
            out[at] = found[0] if found else None
    return out


def _threads(graph: Graph) -> list[list[int]]:
    """Events that program order relates, in either direction and over others."""
    count = len(graph.events)
    there = graph.rows("po")
    related = closed([row | back for row, back in zip(there, transposed(there), strict=True)])
    related = [row | more for row, more in zip(related, graph.rows("same-thread"), strict=True)]
    seen, out = 0, []
    for at in range(count):
        if not seen >> at & 1:
            members = related[at] | 1 << at
            seen |= members
            out.append([other for other in range(count) if members >> other & 1])
    return out


def _known_mo(graph: Graph, writer: dict[int, int | None]) -> list[int]:
    rows = list(graph.rows("mo"))
    for read, write in pairs(graph.rows("fr")):
        source = writer.get(read)
        if source is not None:
            rows[source] |= 1 << write
    return rows


def _defined(
    kinds: list[str],
    orders: list[str],
    threads: list[list[int]],
    locations: dict[int, int],
    writer: dict[int, int | None],
    mo: list[list[int]],
    updates: dict[int, int],
    dependencies: list[tuple[str, int, int]],
) -> Graph:
    """Every relation by its definition; initial writes come last and are before everything of their location."""
    halves = {*updates, *updates.values()}
    events = []
    for at, kind in enumerate(kinds):
        held = {kind} | _MEANS.get(orders[at], {orders[at]})
        if kind != "F":
            held |= {"LOC", "EXCL" if at in halves else "NEXCL"}
        if kind == "R":
            held.add("DEP")
        events.append(frozenset(held))
    initial = {location: len(events) + k for k, location in enumerate(sorted(set(locations.values())))}
    events += [frozenset({"W", "LOC", "NEXCL", "NA"})] * len(initial)
    graph = Graph(events)
    count = len(events)
    place = {**locations, **{at: location for location, at in initial.items()}}
    rows: dict[str, list[int]] = {name: [0] * count for name in ("po", "rf", "mo", "fr", "loc", "same-thread", "rmw")}
    for at, one in place.items():
        rows["loc"][at] = sum(1 << other for other, location in place.items() if location == one)
    for thread in threads:
        for k, at in enumerate(thread):
            rows["po"][at] = sum(1 << other for other in thread[k + 1 :])
            rows["same-thread"][at] = sum(1 << other for other in thread)
    for at in initial.values():
        rows["same-thread"][at] = 1 << at
    for line in mo:
        full = [initial[place[line[0]]], *line]
        for k, at in enumerate(full):
            rows["mo"][at] = sum(1 << other for other in full[k + 1 :])
    for read, write in writer.items():
        source = initial[place[read]] if write is None else write
        rows["rf"][source] |= 1 << read
        rows["fr"][read] = rows["mo"][source]
    for read, write in updates.items():
        rows["rmw"][read] = 1 << write
    for name in ("addr", "data", "ctrl"):
        rows[name] = [0] * count
    for name, source, target in dependencies:
        rows[name][source] |= 1 << target
    for name in ("rf", "mo", "fr"):
        rows[name + "i"] = [a & b for a, b in zip(rows[name], rows["po"], strict=True)]
        rows[name + "e"] = [a & ~b for a, b in zip(rows[name], rows["po"], strict=True)]
    rows["po-loc"] = [a & b for a, b in zip(rows["po"], rows["loc"], strict=True)]
    external = [0] * count
    for source, middle in pairs(rows["moe"]):
        external[source] |= rows["rfe"][middle]
    rows["detour"] = [a & b for a, b in zip(external, rows["po"], strict=True)]
    graph.relations = rows
    return graph


def event_ids(realized: Realized) -> dict[int, str]:
    """Letters for the events; the halves of an update share one."""
    halves = set(realized.updates.values())
    ids: dict[int, str] = {}
    for thread in realized.threads:
        for at in thread:
            if at not in halves:
                ids[at] = chr(ord("a") + len(ids)) if len(ids) < 26 else f"e{len(ids)}"
    return ids | {write: ids[read] for read, write in realized.updates.items()}


def execution(realized: Realized) -> Execution:
    """Its events with ids, and with values that say which write is which in its modification order."""
    names = {at: _LETTERS[one] if one < len(_LETTERS) else f"x{one}" for at, one in realized.locations.items()}
    value = {at: k + 1 for line in realized.mo for k, at in enumerate(line)}
    halves, ids = set(realized.updates.values()), event_ids(realized)
    events = []
    for number, thread in enumerate(realized.threads):
        for at in thread:
            if at in halves:
                continue
            kind, order, source = realized.kinds[at], realized.orders[at].lower(), realized.writer.get(at)
            taken = 0 if source is None else value[source]
            said: int | tuple[int | None, int | None] | None = taken if kind == "R" else value.get(at)
            if at in realized.updates:
                write = realized.updates[at]
                kind, said, order = "U", (taken, value[write]), _joined(realized.orders[at], realized.orders[write])
            depends: dict[str, dict[str, None]] = {name: {} for name in DEPENDENCIES}
            for name, a, b in realized.dependencies:
                if ids.get(b) == ids[at]:
                    depends[name][ids[a]] = None
            sources: dict[str, Any] = {name: tuple(found) for name, found in depends.items()}
            reads = None if at not in realized.writer else "init" if source is None else ids[source]
            events.append(Event(f"T{number}", kind.lower(), names.get(at), said, order, reads, ids[at], **sources))
    return Execution.from_events(events, source="<counterexample>")


def _joined(read: str, write: str) -> str:
    """The order of an update from those of its halves."""
    if "SC" in (read, write):
        if read != write:
            raise NoExecutionError("the halves of an update must have the same order")
        return "sc"
    acquire, release = read == "ACQ", write == "REL"
    if "NA" in (read, write):
        raise NoExecutionError("an update is atomic")
    return "acq_rel" if acquire and release else "acq" if acquire else "rel" if release else "rlx"
