"""RC11's axiom about SC accesses and fences, for one modification order; updates are two events, as in its file."""

from __future__ import annotations

from porf.execution import Order
from tests.exploration.graph import INITIAL, Graph

Rows = list[int]  # a relation: of each node, the set of nodes that it leads to


def sc_holds(g: Graph, hb: list[int], mo: dict[int, tuple[int, ...]]) -> bool:
    """Node 2n is event n, or the read of update n; node 2n + 1 is the write of update n."""
    count = 2 * len(g.events)
    is_sc = [e.order is Order.SC for e in g.events]
    if sum(is_sc) < 1:
        return True
    nodes = [3 << 2 * n if e.op == "u" else 1 << 2 * n for n, e in enumerate(g.events)]
    write = [2 * n + (e.op == "u") for n, e in enumerate(g.events)]
    sc = sum(nodes[n] for n in range(len(nodes)) if is_sc[n])
    fences = sum(nodes[n] for n, e in enumerate(g.events) if is_sc[n] and e.op == "f")
    place = [0] * count
    for n, e in enumerate(g.events):
        same = sum(nodes[m] for m, f in enumerate(g.events) if e.pointer and f.pointer == e.pointer)
        place[2 * n] = place[2 * n + 1] = same

    def lifted(before: list[int]) -> Rows:
        """A relation of events as one of nodes; within an update the read comes before the write. Choices and ends of
        objects are none of the model's events."""
        rows = [0] * count
        seen = [n for n, e in enumerate(g.events) if e.op not in "cd"]
        for n in seen:
            for m in (m for m in _members(before[n]) if m in seen):
                rows[2 * m] |= nodes[n]
                rows[2 * m + 1] |= nodes[n]
            if g.events[n].op == "u":
                rows[2 * n] |= 2 << 2 * n
        return rows

    po, happens = lifted(g.po), lifted(hb)
    rf, order, fr = [0] * count, [0] * count, [0] * count
    for pointer, line in mo.items():
        for at, w in enumerate(line):
            order[write[w]] = sum(1 << write[v] for v in line[at + 1 :])
        for n, e in enumerate(g.events):
            if e.source is not None and e.pointer == pointer:
                first = 0 if e.source == INITIAL else line.index(e.source) + 1
                fr[2 * n] = sum(1 << write[v] for v in line[first:])
    for n, e in enumerate(g.events):
        if e.source is not None and e.source >= 0:
            rf[write[e.source]] |= 1 << 2 * n

    eco = _closure(_union(rf, order, fr))
    other = [row & ~same for row, same in zip(po, place, strict=True)]
    here = [row & same for row, same in zip(happens, place, strict=True)]
    scb = _union(po, _then(_then(other, happens), other), here, order, fr)
    into = [(row & fences) | (1 << n & sc) for n, row in enumerate(happens)]  # [SC] | hb?; [F & SC]
    onward = _then(scb, into)
    base = [onward[n] if sc >> n & 1 else 0 for n in range(count)]
    psc_f = _union(happens, _then(_then(happens, eco), happens))
    for n in _members(fences):
        for m in _members(happens[n]):
            base[n] |= onward[m]
        base[n] |= psc_f[n] & fences
    return all(not row >> n & 1 for n, row in enumerate(_closure(base)))


def _members(mask: int) -> list[int]:
    return [n for n in range(mask.bit_length()) if mask >> n & 1]


def _union(*relations: Rows) -> Rows:
    out = [0] * len(relations[0])
    for relation in relations:
        out = [a | b for a, b in zip(out, relation, strict=True)]
    return out


def _then(left: Rows, right: Rows) -> Rows:
    out = []
    for row in left:
        reached = 0
        for n in _members(row):
            reached |= right[n]
        out.append(reached)
    return out


def _closure(relation: Rows) -> Rows:
    out = list(relation)
    for n in range(len(out)):
        through = out[n]
        for m in range(len(out)):
            if out[m] >> n & 1:
                out[m] |= through
    return out
