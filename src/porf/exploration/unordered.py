"""Why two events are not ordered by happens-before: the chain of reads that leads from one to the other, and what its
links lack to synchronise."""

from collections.abc import Sequence
from heapq import heappop, heappush

from porf._core import EventKind, ExploredEvent, HappensBefore, Order
from porf.exploration.graph import before_at_once
from porf.exploration.knowledge import ACQUIRES, RELEASES, Knowledge
from porf.record import Record

NO_ATOMIC = 16  # what an access costs that is not even atomic: another chain is better


class Link(Record):
    """A read that sees a write of another thread, directly or by a chain of updates, and does not synchronise."""

    write: int
    read: int
    lacks_release: bool
    lacks_acquire: bool


class Chain(Record):
    """What leads from an event to another one."""

    path: tuple[int, ...]  # rows
    links: tuple[Link, ...]  # those that do not synchronise
    enough: bool  # if they did, the first would happen before the last


def chain_between(rows: Sequence[ExploredEvent], sync: HappensBefore, a: int, b: int) -> Chain | None:
    """The chain from a to b that lacks least; nothing if no read leads there. A fence before a write, or after a read,
    is of no use where it comes before a, or after b: then accesses must synchronise by themselves."""
    chain = _chain(rows, sync, a, b, fences=True)
    return chain if chain is None or chain.enough else _chain(rows, sync, a, b, fences=False)


def _chain(rows: Sequence[ExploredEvent], sync: HappensBefore, a: int, b: int, *, fences: bool) -> Chain | None:
    known = Knowledge(rows, sync)
    after = _steps(rows, known, fences)
    best: dict[int, tuple[int, int]] = {a: (0, 0)}
    came: dict[int, tuple[int, bool]] = {}
    heap = [((0, 0), a)]
    while heap:
        cost, n = heappop(heap)
        if n == b:
            break
        if cost > best[n]:
            continue
        for m, price, is_read in after[n]:
            total = cost[0] + price, cost[1] + 1
            if m not in best or total < best[m]:
                best[m] = total
                came[m] = n, is_read
                heappush(heap, (total, m))
    if b not in came:
        return None
    path, reads = [b], []
    while path[-1] != a:
        n, is_read = came[path[-1]]
        if is_read:
            reads.append((n, path[-1]))
        path.append(n)
    links = [link for w, r in reversed(reads) if (link := _link(rows, known, w, r, fences)) is not None]
    stronger = {}
    for link in links:
        stronger[link.write] = _released(rows[link.write])
        stronger[link.read] = _acquired(rows[link.read], stronger.get(link.read))
    return Chain(tuple(reversed(path)), tuple(links), Knowledge(rows, sync, stronger).before(a, b))


def _steps(rows: Sequence[ExploredEvent], known: Knowledge, fences: bool) -> list[list[tuple[int, int, bool]]]:
    """For each row those that come at once after it, what that lacks, and whether it is by a read of a write."""
    after: list[list[tuple[int, int, bool]]] = [[] for _ in rows]
    for n, needed in enumerate(before_at_once(rows)):
        for m in needed:
            if m != rows[n].source or rows[m].thread == rows[n].thread:
                after[m].append((n, 0, False))
    for n, row in enumerate(rows):
        w = row.source if row.reads else -1
        while w >= 0:
            link = _link(rows, known, w, n, fences)
            after[w].append((n, 0 if link is None else _price(rows, link), True))
            w = rows[w].source if rows[w].kind == EventKind.UPDATE else -1
    return after


def _link(rows: Sequence[ExploredEvent], known: Knowledge, w: int, r: int, fences: bool) -> Link | None:
    """What keeps a read from synchronising with a write; nothing if it does."""
    if known.before(w, r) and rows[w].thread != rows[r].thread:
        return None
    release = known.releases(w) or (fences and not known.silent(w) and fence_of(rows, w, RELEASES, back=True) >= 0)
    acquire = known.acquires(r) or (fences and not known.silent(r) and fence_of(rows, r, ACQUIRES, back=False) >= 0)
    if release and acquire:
        return None
    return Link(w, r, not release, not acquire)


def fence_of(rows: Sequence[ExploredEvent], n: int, orders: Sequence[Order], back: bool) -> int:
    """The fence before a write, or after a read, that makes it synchronise: the nearest; -1 if there is none."""
    at = rows[n]
    fences = [
        m
        for m, row in enumerate(rows)
        if row.kind == EventKind.FENCE
        and row.thread == at.thread
        and row.order in orders
        and (row.index < at.index if back else row.index > at.index)
    ]
    return min(fences, key=lambda m: abs(rows[m].index - at.index), default=-1)


def through(rows: Sequence[ExploredEvent], w: int, r: int) -> list[int]:
    """The write, the updates by which a read sees it, one after the other, and the read."""
    path = [r]
    while path[-1] != w:
        path.append(rows[path[-1]].source)
    return path[::-1]


def _price(rows: Sequence[ExploredEvent], link: Link) -> int:
    plain = (rows[link.write].order == Order.NA) + (rows[link.read].order == Order.NA)
    return link.lacks_release + link.lacks_acquire + NO_ATOMIC * plain


def _released(row: ExploredEvent) -> Order:
    if row.order == Order.SC:
        return Order.SC
    return Order.ACQ_REL if row.kind == EventKind.UPDATE and row.order in (Order.ACQ, Order.ACQ_REL) else Order.REL


def _acquired(row: ExploredEvent, already: Order | None) -> Order:
    order = Order(row.order) if already is None else already
    if order == Order.SC:
        return Order.SC
    return Order.ACQ_REL if row.kind == EventKind.UPDATE and order in (Order.REL, Order.ACQ_REL) else Order.ACQ
