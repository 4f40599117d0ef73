"""The causal criteria of seed 004, letter by letter: one happens-before for each operation, initial writes as events.

A relation is a list of bit masks, one a row. Slow, and written from the paper, not from the model files or kernels.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.execution import Execution, Op

Relation = list[int]


def closure(r: Relation) -> Relation:
    out = list(r)
    for middle in range(len(out)):
        onward = out[middle]
        for a in range(len(out)):
            if out[a] >> middle & 1:
                out[a] |= onward
    return out


def union(*relations: Relation) -> Relation:
    out = list(relations[0])
    for relation in relations[1:]:
        out = [a | b for a, b in zip(out, relation, strict=True)]
    return out


def compose(r: Relation, s: Relation) -> Relation:
    out = []
    for row in r:
        mask = 0
        for b in range(len(s)):
            if row >> b & 1:
                mask |= s[b]
        out.append(mask)
    return out


def acyclic(r: Relation) -> bool:
    return not any(row >> a & 1 for a, row in enumerate(closure(r)))


class History:
    """The operations of an execution, its initial writes first."""

    def __init__(self, g: Execution) -> None:
        first = g.locations
        self.size = first + len(g)
        self.thread = [-1] * first + g.thread.tolist()
        self.var = [*range(first), *g.loc.tolist()]
        self.write = [True] * first + [op == Op.WRITE for op in g.op.tolist()]
        self.po = self.relation(lambda a, b: a < first <= b or (first <= a < b and self.thread[a] == self.thread[b]))
        wr = {(first + rf if rf >= 0 else int(g.loc[r]), first + r) for r, rf in enumerate(g.rf) if g.op[r] == Op.READ}
        self.wr = self.relation(lambda a, b: (a, b) in wr)
        self.wr_inverse = self.relation(lambda a, b: (b, a) in wr)
        external = {(a, b) for a, b in wr if not self.po[a] >> b & 1 and not self.po[b] >> a & 1}
        self.wr_e = self.relation(lambda a, b: (a, b) in external)
        self.wr_e_inverse = self.relation(lambda a, b: (b, a) in external)
        same = self.relation(lambda a, b: a != b and self.var[a] == self.var[b])
        self.ppo = self.relation(lambda a, b: bool(self.po[a] >> b & 1) and (not self.write[a] or self.write[b]))
        self.po_loc = [a & b for a, b in zip(self.po, same, strict=True)]
        self.both_write = self.relation(lambda a, b: bool(same[a] >> b & 1) and self.write[a] and self.write[b])
        self.write_read = self.relation(lambda a, b: bool(same[a] >> b & 1) and self.write[a] and not self.write[b])
        self.co = closure(union(self.po, self.wr))

    def relation(self, holds: Callable[[int, int], bool]) -> Relation:
        return [sum(1 << b for b in range(self.size) if holds(a, b)) for a in range(self.size)]

    def ww(self, r: Relation) -> Relation:
        return [a & b for a, b in zip(r, self.both_write, strict=True)]

    def rw(self, r: Relation) -> Relation:
        return compose(self.wr_inverse, self.ww(r))

    def cf(self, r: Relation, inverse: Relation) -> Relation:
        reads = [a & b for a, b in zip(r, self.write_read, strict=True)]
        return [row & ~(1 << a) for a, row in enumerate(compose(reads, inverse))]

    def hb_at(self, o: int, pi: Relation, co: Relation) -> Relation:
        """hb_o, rule 1 and then rule 2 until nothing is new."""
        past = sum(1 << a for a in range(self.size) if co[a] >> o & 1)
        hb = [co[a] & (past | 1 << o) if past >> a & 1 else 0 for a in range(self.size)]
        reads = sum(1 << r for r in range(self.size) if not self.write[r] and (r == o or pi[r] >> o & 1))
        while True:
            seen = [row & reads for row in hb]
            more = closure(union(hb, self.cf(seen, self.wr_inverse)))
            if more == hb:
                return hb
            hb = more

    def hb(self, pi: Relation, co: Relation) -> Relation:
        return closure(union(*(self.hb_at(o, pi, co) for o in range(self.size))))


def cc(h: History) -> bool:
    return acyclic(h.co) and not any(row >> a & 1 for a, row in enumerate(compose(h.rw(h.co), h.co)))


def ccv(h: History) -> bool:
    return acyclic(union(h.po, h.wr, h.cf(h.co, h.wr_inverse)))


def cm(h: History) -> bool:
    return cc(h) and all(acyclic(h.hb_at(o, h.po, h.co)) for o in range(h.size))


def pww(h: History) -> Relation:
    hb = h.hb(h.po, h.co)
    return closure(union(h.ww(hb), h.cf(hb, h.wr_inverse)))


def ccm(h: History) -> bool:
    order = pww(h)
    return acyclic(union(h.po, h.wr, order, h.rw(order)))


def wpww(h: History) -> Relation:
    near = h.hb(h.po_loc, closure(union(h.po_loc, h.wr_e)))
    far = h.hb(h.ppo, closure(union(h.ppo, h.wr_e)))
    whb = closure(union(near, far))
    return closure(union(h.ww(whb), h.cf(near, h.wr_e_inverse), h.cf(far, h.wr_e_inverse)))


def wccm(h: History) -> bool:
    order = wpww(h)
    rest = union(h.wr_e, order, h.rw(order))
    return acyclic(union(h.ppo, rest)) and acyclic(union(h.po_loc, rest))


CRITERIA: dict[str, Callable[[History], bool]] = {"cc": cc, "ccv": ccv, "cm": cm, "ccm": ccm, "wccm": wccm}
