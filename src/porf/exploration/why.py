"""Why an execution has its bug, as data and in sentences: the synchronisation that is missing, the cycle that no
interleaving has, or the circle in which threads wait."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from porf._core import BugKind, EventKind, ExploredEvent, HappensBefore, Order
from porf.exploration.graph import prefix_of
from porf.exploration.knowledge import ACQUIRES, RELEASES, Knowledge
from porf.exploration.telling import Telling
from porf.exploration.unordered import Chain, Link, chain_between, fence_of, through
from porf.exploration.weakness import Weakness, weakness
from porf.record import Record

PAIRS = (BugKind.RACE, BugKind.DANGLING, BugKind.TWICE_FREED)
MEANT = {  # edges of a cycle in words, between the event before and the event after
    "po": "comes before",
    "rf": "is read by",
    "mo": "is overwritten by",
    "fr": "reads an older value than that of",
    "start": "starts the thread of",
    "join": "is waited for by",
}


class Why(Record):
    """The reason of a bug. Edges are between rows of the execution that is shown."""

    kind: str  # "unordered", "ordered", "not an interleaving", "an interleaving", "circle"
    words: tuple[str, ...]
    edges: tuple[tuple[int, str, int], ...] = ()
    lacking: tuple[dict[str, Any], ...] = ()  # links that would synchronise if they were stronger

    def record(self) -> dict[str, Any]:
        edges = [{"from": f"e{a}", "relation": name, "to": f"e{b}"} for a, name, b in self.edges]
        return {"kind": self.kind, "words": list(self.words), "edges": edges, "lacking": list(self.lacking)}


def why(
    kind: BugKind,
    rows: Sequence[ExploredEvent],
    at_fault: Sequence[int],
    sync: HappensBefore | None,
    weak: Weakness,
    telling: Telling,
) -> Why | None:
    """Nothing if there is nothing to say. `sync` is how happens-before arises, if that is known."""
    if kind in PAIRS and len(at_fault) == 2:
        return None if sync is None else _of_two(rows, at_fault, sync, telling)
    if kind is BugKind.UNKNOWN and at_fault:
        first = _published(rows, at_fault[-1])
        return None if sync is None or first is None else _of_two(rows, [at_fault[-1], first], sync, telling)
    if kind is BugKind.DEADLOCK:
        return _circle(rows, at_fault, telling)
    if weak.cycle:
        return _of_cycle(rows, weak, telling)
    if weak.is_interleaving:
        said = "this is an interleaving of the threads: sequential consistency allows it as well, so it is the logic of"
        return Why("an interleaving", (f"{said} the program that fails, and no stronger order would help",))
    return None


def _published(rows: Sequence[ExploredEvent], n: int) -> int | None:
    """The first access, by another thread, of an object that is accessed without knowing of its allocation."""
    from porf.programs.form import object_of

    wanted, own = object_of(rows[n].pointer), rows[n].thread
    others = [
        m
        for m, row in enumerate(rows)
        if row.thread != own
        and ((row.pointer and object_of(row.pointer) == wanted) or (row.writes and object_of(row.written) == wanted))
    ]
    return min(others, key=lambda m: rows[m].index, default=None)


def _of_two(rows: Sequence[ExploredEvent], pair: Sequence[int], sync: HappensBefore, telling: Telling) -> Why:
    a, b = pair
    known = Knowledge(rows, sync)
    if known.before(b, a):
        a, b = b, a
    if known.before(a, b):
        chain = chain_between(rows, sync, a, b)
        path = chain.path if chain is not None else (a, b)
        said = f"{telling.event(a)} happens before {telling.event(b)}"
        steps = [telling.event(n) for n in path[1:-1] if n in telling.numbers]
        words = [f"{said}, by {', '.join(steps)}" if steps else said]
        return Why("ordered", tuple(words), _shown([(a, "hb", b)], telling))
    chains = [c for c in (chain_between(rows, sync, b, a), chain_between(rows, sync, a, b)) if c is not None]
    usable = sorted((c for c in chains if c.enough and c.links), key=_effort)
    words = []
    lacking = []
    edges: list[tuple[int, str, int]] = []
    weak = Weakness()
    if not usable or any(Order.NA in (rows[link.write].order, rows[link.read].order) for link in usable[0].links):
        weak = weakness(rows, prefix_of(rows, pair))
    if weak.cycle:
        return _of_cycle(rows, weak, telling)
    if usable:
        for link in usable[0].links:
            edges += [(m, "rf", n) for m, n in pairwise(through(rows, link.write, link.read))]
        for link in usable[0].links:
            words.append(_missing(link, telling))
            lacking.append(_facts(link, telling))
        first, last = usable[0].path[0], usable[0].path[-1]
        many = "all of these are needed: " if len(words) > 1 else ""
        words.append(f"{many}then {telling.event(first)} would happen before {telling.event(last)}")
    else:
        words.append(
            "in this execution nothing leads from one to the other: no read of what was written, no lock, no join"
        )
        free = any(rows[n].kind == EventKind.FREE for n in pair)
        remedy = "one of them must wait for the other" + ("" if free else ", or both need the same lock")
        sc = "it is an interleaving of the threads, so stronger orders do not help: " if weak.is_interleaving else ""
        words.append(sc + remedy)
    words += _sides(known, a, b, telling)
    return Why("unordered", tuple(words), _shown(edges, telling), tuple(lacking))


def _effort(chain: Chain) -> tuple[int, int]:
    return sum(link.lacks_release + link.lacks_acquire for link in chain.links), len(chain.path)


def _missing(link: Link, telling: Telling) -> str:
    w, r = telling.event(link.write), telling.event(link.read)
    writer, reader = telling.noun(link.write), telling.noun(link.read)
    same = telling.place(link.write) == telling.place(link.read)
    if writer == reader and not same:
        writer, reader = f"{writer}{telling.at(link.write)}", f"{reader}{telling.at(link.read)}"
    between = [telling.event(n) for n in through(telling.rows, link.write, link.read)[1:-1]]
    it = f"it through {' and '.join(between)}" if between else "it"
    written, read = telling.order(link.write), telling.order(link.read)
    if link.lacks_release and link.lacks_acquire:
        said = f"{w} is {written}, and so is {r}, which reads {it}"
        if written != read:
            said = f"{w} is {written}; {r}, which reads {it}, is {read}"
        needed = f"that {writer} were acq_rel" if same else f"the {writer} were release and the {reader} acquire"
    elif link.lacks_release:
        said = f"{w} is {written}; {r} reads {it} and acquires{_by(link.read, telling, ACQUIRES, back=False)}"
        needed = f"the {writer} were release"
    else:
        said = f"{w} releases{_by(link.write, telling, RELEASES, back=True)}; {r}, which reads {it}, is {read}"
        needed = f"that {reader} were acquire as well (acq_rel)" if same else f"the {reader} were acquire"
    atomic = " (both must be atomic for that)" if "not atomic" in (written, read) else ""
    return f"{said}: they would synchronise if {needed}{atomic}"


def _by(n: int, telling: Telling, orders: Sequence[Order], back: bool) -> str:
    """The fence by which an access synchronises, if it does not do so by itself."""
    fence = -1 if telling.rows[n].order in orders else fence_of(telling.rows, n, orders, back)
    return "" if fence < 0 else f" by {telling.event(fence)}"


def _facts(link: Link, telling: Telling) -> dict[str, Any]:
    found: dict[str, Any] = {"write": telling.place(link.write), "read": telling.place(link.read)}
    found["lacks"] = [
        word for word, lacks in (("release", link.lacks_release), ("acquire", link.lacks_acquire)) if lacks
    ]
    return found


def _sides(known: Knowledge, a: int, b: int, telling: Telling) -> list[str]:
    """What each of the two knows of the other's thread."""
    said = []
    for one, other in ((a, b), (b, a)):
        last = known.last_of(known.rows[one].thread, other, lambda row: row.access)
        if last is not None:
            thread = telling.thread(one)
            said.append(f"{thread} up to {telling.event(last)} happens before {telling.event(other)}, and no further")
    return said or ["nothing that one of the two threads does happens before what the other does"]


def _of_cycle(rows: Sequence[ExploredEvent], weak: Weakness, telling: Telling) -> Why:
    words = ["no interleaving of the threads does this; in sequential consistency these would form a cycle:"]
    for a, relation, b in weak.cycle:
        if a < 0 or b < 0:
            continue
        named = relation
        if relation == "rf" and rows[a].kind == EventKind.SPAWN:
            named = "start"
        elif relation == "rf" and rows[b].kind == EventKind.JOIN:
            named = "join"
        words.append(f"  {telling.event(a)} {MEANT.get(named, named)} {telling.event(b)}")
    return Why("not an interleaving", tuple(words), _shown(weak.cycle, telling))


def _circle(rows: Sequence[ExploredEvent], waiting: Sequence[int], telling: Telling) -> Why | None:
    edges = [(n, "waits", rows[n].source) for n in waiting if rows[n].waits and rows[n].source >= 0]
    if not edges:
        return None
    words = []
    for n, _, holder in edges:
        which = telling.program.label(rows[n].pointer)
        whose = "itself" if rows[n].thread == rows[holder].thread else telling.thread(holder)
        words.append(f"{telling.event(n)} by {telling.thread(n)} waits for {which}; {telling.event(holder)} took it")
        words[-1] += f", and {whose} has not given it back"
    return Why("circle", tuple(words), _shown(edges, telling))


def _shown(edges: Sequence[tuple[int, str, int]], telling: Telling) -> tuple[tuple[int, str, int], ...]:
    at = telling.numbers
    return tuple((at[a], name, at[b]) for a, name, b in edges if a in at and b in at)
