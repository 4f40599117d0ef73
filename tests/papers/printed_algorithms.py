"""Tunç et al. 2023's Algorithms 1 to 4 and the search of Theorem 1.3, line by line and naive, as printed or corrected.

For executions in which every read has a writer, as in the paper: it has no initial writes. A lookup that finds nothing
(the paper's ⊥) is None, and is skipped: the paper does not say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from porf.execution import Execution, Op

Sync = Literal["po", "orders", "rf"]  # hb of Relaxed, of RC20, of RA and its variants
Graph = Literal["line 16", "printed", "own thread", "own thread, reads"]
Pairs = set[tuple[int, int]]
RELEASES, ACQUIRES = (3, 4, 5), (2, 4, 5)


class Partial:
    """A partial execution with the auxiliary functions of Section 3."""

    def __init__(self, g: Execution, sync: Sync) -> None:
        self.g = g
        self.sync = sync
        self.rows = range(len(g))
        self.threads = range(g.threads)
        self.tid = [int(t) for t in g.thread]
        self.op = [Op(int(op)) for op in g.op]
        self.rf = {e: int(g.rf[e]) for e in self.rows if self.op[e] in (Op.READ, Op.UPDATE)}
        assert all(w >= 0 for w in self.rf.values()), "the paper has no initial writes"
        self.po = {(a, b) for a in self.rows for b in self.rows if a < b and self.tid[a] == self.tid[b]}
        self.rf_pairs = {(w, e) for e, w in self.rf.items()}
        self.index = [sum(self.tid[f] == self.tid[e] for f in range(e + 1)) for e in self.rows]

    def writes(self, e: int) -> bool:
        return self.op[e] in (Op.WRITE, Op.UPDATE)

    @cached_property
    def hb(self) -> Pairs:
        between = {"po": set(), "rf": self.rf_pairs}.get(self.sync)
        return closure(self.po | (self._sw() if between is None else between))

    def _sw(self) -> Pairs:
        """[REL]; ([F]; po)?; rf+; (po; [F])?; [ACQ]"""
        order, out = self.g.order, set()
        for w, r in closure(self.rf_pairs):
            sources = [w, *(f for f, b in self.po if b == w and self.op[f] == Op.FENCE)]
            targets = [r, *(f for a, f in self.po if a == r and self.op[f] == Op.FENCE)]
            out |= {(a, b) for a in sources for b in targets if order[a] in RELEASES and order[b] in ACQUIRES}
        return out

    @cached_property
    def timestamp(self) -> list[list[int]]:
        """HB[e][t]: how many events of thread t are hb-before or equal to e."""
        return [
            [sum(self.tid[f] == t and (f == e or (f, e) in self.hb) for f in self.rows) for t in self.threads]
            for e in self.rows
        ]

    def last_write_before(self, t: int, x: int, c: int) -> int | None:
        return self._last((e for e in self.rows if self.writes(e)), t, x, c)

    def last_read_before(self, t: int, x: int, c: int) -> int | None:
        return self._last(self.rf, t, x, c)

    def _last(self, events: Iterable[int], t: int, x: int, c: int) -> int | None:
        found = [e for e in events if self.tid[e] == t and self.g.loc[e] == x and self.index[e] <= c]
        return max(found, default=None)

    def chain(self, e: int) -> list[int]:
        """From the top of e's rf-chain to e."""
        return [e] if self.op[e] == Op.WRITE else [*self.chain(self.rf[e]), e]

    def top(self, e: int) -> int:
        return self.chain(e)[0]

    def position(self, e: int) -> int:
        return len(self.chain(e)) - 1

    def refused_at_once(self) -> bool:
        """Line 1: po ∪ rf is cyclic, or two different updates read one write."""
        writers = [self.rf[e] for e in self.rows if self.op[e] == Op.UPDATE]
        return cyclic(self.po | self.rf_pairs) or len(writers) != len(set(writers))


def closure(pairs: Pairs) -> Pairs:
    out = set(pairs)
    while True:
        more = {(a, d) for a, b in out for c, d in pairs if b == c} - out
        if not more:
            return out
        out |= more


def cyclic(pairs: Pairs) -> bool:
    left = set(pairs)
    while left:
        targets = {b for _, b in left}
        kept = {(a, b) for a, b in left if a in targets}
        if kept == left:
            return True
        left = kept
    return False


def algorithm_1(g: Execution, *, line_9: Literal["printed", "corrected"]) -> bool:
    """WRA."""
    p = Partial(g, "rf")
    if p.refused_at_once():
        return False
    hb = p.timestamp
    for e, w in p.rf.items():
        t, x, home = p.tid[e], int(g.loc[e]), p.tid[w]
        c = hb[w][home]
        for u in p.threads:
            c_u = hb[e][u] - (p.op[e] == Op.UPDATE and u == t)
            w_u = p.last_write_before(t if line_9 == "printed" else u, x, c_u)
            if w_u is not None and hb[w_u][home] >= c and (u != home or hb[w_u][home] > c):
                return False
    return True


def algorithm_2(g: Execution) -> bool:
    """SRA without updates."""
    p = Partial(g, "rf")
    if p.refused_at_once():
        return False
    mo = set()
    for e, w in p.rf.items():
        for u in p.threads:
            w_u = p.last_write_before(u, int(g.loc[e]), p.timestamp[e][u])
            if w_u is not None and w_u != w:
                mo.add((w_u, w))
    return not cyclic(p.hb | mo)


def algorithm_3(g: Execution, sync: Sync, *, line_10: Literal["printed", "corrected"], graph: Graph) -> bool:
    """RC20, and so RA and Relaxed by their own hb."""
    p = Partial(g, sync)
    if p.refused_at_once():
        return False
    hb, mo = p.timestamp, set()
    for e, w in p.rf.items():
        t, x = p.tid[e], int(g.loc[e])
        for u in p.threads:
            itself = u == t and (line_10 == "corrected" or p.op[e] == Op.UPDATE)
            c_u = hb[e][u] - itself
            reader = p.last_read_before(u, x, c_u)
            for w_u in (p.last_write_before(u, x, c_u), None if reader is None else p.rf[reader]):
                if w_u is None:
                    continue
                if p.top(w) != p.top(w_u) or p.position(w) < p.position(w_u):
                    mo.add((w_u, p.top(w)))
    if graph == "line 16":
        return not any(cyclic(_at(p, x, p.rf_pairs | p.hb) | _at(p, x, mo)) for x in range(g.locations))
    return not any(cyclic(_graph(p, x, graph) | _at(p, x, mo)) for x in range(g.locations))


def _at(p: Partial, x: int, pairs: Pairs) -> Pairs:
    return {(a, b) for a, b in pairs if p.g.loc[a] == p.g.loc[b] == x}


def _graph(p: Partial, x: int, graph: Graph) -> Pairs:
    """G_x of Section 4.4 without mo: writes and updates only, with rf and a last write (and read) of each thread."""
    nodes = [e for e in p.rows if p.writes(e) and p.g.loc[e] == x]
    edges = {(p.rf[e], e) for e in nodes if e in p.rf}
    for e in nodes:
        for t in p.threads:
            c = p.timestamp[e][t] - (graph == "printed" or t == p.tid[e])
            before = [p.last_write_before(t, x, c)]
            if graph == "own thread, reads":
                reader = p.last_read_before(t, x, c)
                before.append(None if reader is None else p.rf[reader])
            edges |= {(w, e) for w in before if w is not None}
    return edges


def algorithm_4(g: Execution, *, line_12: Literal["inside", "outside"]) -> bool:
    """Relaxed. Line 12 moves LW to what was read: inside the `if` of line 10, or after it."""
    p = Partial(g, "po")
    if p.refused_at_once():
        return False
    mo: Pairs = set()
    for x in range(g.locations):
        last: dict[int, int] = {}
        for e in _in_order(p):
            if g.loc[e] != x:
                continue
            t = p.tid[e]
            if e in p.rf:
                w, before = p.rf[e], last.get(t)
                ordered = False
                if before is not None and (p.top(w) != p.top(before) or p.position(w) < p.position(before)):
                    ordered = True
                    mo.add((before, p.top(w)))
                if ordered or line_12 == "outside" or before is None:
                    last[t] = w
            if p.writes(e):
                last[t] = e
        if cyclic(_at(p, x, p.po | p.rf_pairs | mo)):
            return False
    return True


def _in_order(p: Partial) -> list[int]:
    """All events in a po ∪ rf order."""
    left, out, before = set(p.rows), [], p.po | p.rf_pairs
    while left:
        e = min(e for e in left if not any(b == e and a in left for a, b in before))
        left.remove(e)
        out.append(e)
    return out


def frontier_search(g: Execution) -> bool:
    """Theorem 1.3: SRA, also with updates, by which downward-closed sets can be reached."""
    p = Partial(g, "rf")
    if p.refused_at_once():
        return False
    triplets = [
        (w, r, v) for r, w in p.rf.items() for v in p.rows if p.writes(v) and v not in (w, r) and g.loc[v] == g.loc[w]
    ]

    def executable(e: int, done: frozenset[int]) -> bool:
        if any(b == e and a not in done for a, b in p.hb):
            return False
        for w, r, v in triplets:
            if w == e and (v, r) in p.hb and v not in done:
                return False
            if v == e and p.op[r] == Op.UPDATE and r not in done and w in done:
                return False
        return True

    seen, stack = {frozenset[int]()}, [frozenset[int]()]
    while stack:
        done = stack.pop()
        if len(done) == len(g):
            return True
        for e in p.rows:
            more = done | {e}
            if e not in done and more not in seen and executable(e, done):
                seen.add(more)
                stack.append(more)
    return False
