"""The five causal criteria of Zennou et al. 2019 over sets of pairs, word for word from Sections 2, 3.1, 3.2 and 4.1.

One happens-before for each operation o, kept to the past of o as the paper has it; nothing is shared with the model
files, which take shorter ways. Initial writes precede every event in po, and are external to all.
"""

from __future__ import annotations

from functools import cached_property

from porf.execution import Execution

Pairs = set[tuple[int, int]]
MODELS = ("cc", "ccv", "cm", "ccm", "wccm")


def plus(relation: Pairs) -> Pairs:
    """The transitive closure."""
    after: dict[int, set[int]] = {}
    for a, b in relation:
        after.setdefault(a, set()).add(b)
    for via in list(after):
        for ends in after.values():
            if via in ends:
                ends |= after[via]
    return {(a, b) for a, ends in after.items() for b in ends}


def cyclic(relation: Pairs) -> bool:
    return any(a == b for a, b in plus(relation))


class CausalByHand:
    """One execution of reads and writes.

    `full_rf`: rule 2 of wCCM's happens-before takes the full rf, as printed; otherwise only rf between threads, as the
    sentence before it says. `initial_external`: rf from initial writes is external; otherwise not, since they precede
    all in po.
    """

    def __init__(self, g: Execution, full_rf: bool = True, initial_external: bool = True) -> None:
        rows = range(len(g))
        self.g = g
        self.full_rf = full_rf
        self.operations = [*rows, *(~x for x in range(g.locations))]
        self.po = {(a, b) for a in self.operations for b in rows if a < 0 or (a < b and g.thread[a] == g.thread[b])}
        self.rf = {(g.writer(e), e) for e in rows if g.reads(e)}
        together = {(a, b) for a, b in self.rf if (a < 0 and not initial_external) or (a >= 0 and self.same(a, b))}
        self.rfe = self.rf - together
        self.ppo = {(a, b) for a, b in self.po if not (g.writes(a) and g.reads(b))}
        self.po_loc = {(a, b) for a, b in self.po if g.location(a) == g.location(b)}
        self.causal = plus(self.po | self.rf)

    def same(self, a: int, b: int) -> bool:
        return bool(self.g.thread[a] == self.g.thread[b])

    def ww(self, relation: Pairs) -> Pairs:
        """The projection on pairs of writes of the same variable."""
        g = self.g
        return {(a, b) for a, b in relation if g.writes(a) and g.writes(b) and g.location(a) == g.location(b)}

    def rw(self, relation: Pairs) -> Pairs:
        """Definition 2."""
        return {(r, w2) for w1, w2 in self.ww(relation) for w, r in self.rf if w == w1}

    def cf(self, relation: Pairs, rf: Pairs) -> Pairs:
        """Definition 3, and cf_e. A write does not conflict with itself."""
        return {
            (w1, w2)
            for w1, r in relation
            if self.g.writes(w1) and self.g.location(w1) == self.g.location(r)
            for w2, read in rf
            if read == r and w1 != w2
        }

    def hb_of(self, o: int, pi: Pairs, causal: Pairs, rf: Pairs) -> Pairs:
        """The smallest transitive relation with rules 1 and 2."""
        past = {a for a, b in causal if b == o}
        hb = {(a, b) for a, b in causal if a in past and (b in past or b == o)}
        done = {r for r in range(len(self.g)) if self.g.reads(r) and (r == o or (r, o) in pi)}
        while True:
            found = self.cf({(w, r) for w, r in hb if r in done}, rf)
            if found <= hb:
                return hb
            hb = plus(hb | found)

    @cached_property
    def causal_memory(self) -> list[Pairs]:
        return [self.hb_of(o, self.po, self.causal, self.rf) for o in self.operations]

    def weak_happens_before(self, pi: Pairs) -> Pairs:
        causal = plus(pi | self.rfe)
        rf = self.rf if self.full_rf else self.rfe
        return plus(set().union(*(self.hb_of(o, pi, causal, rf) for o in self.operations)))

    @cached_property
    def pww(self) -> Pairs:
        hb = plus(set().union(*self.causal_memory))
        return plus(self.ww(hb) | self.cf(hb, self.rf))

    @cached_property
    def wpww(self) -> Pairs:
        hb_ppo, hb_loc = self.weak_happens_before(self.ppo), self.weak_happens_before(self.po_loc)
        return plus(self.ww(plus(hb_ppo | hb_loc)) | self.cf(hb_loc, self.rfe) | self.cf(hb_ppo, self.rfe))

    # The criteria.

    def cc(self) -> bool:
        """Not as printed: see docs/errata.md."""
        stale = any((w, r) in self.causal for r, w in self.rw(self.causal))
        return not cyclic(self.causal) and not stale

    def ccv(self) -> bool:
        return self.cc() and not cyclic(self.po | self.rf | self.cf(self.causal, self.rf))

    def cm(self) -> bool:
        return self.cc() and not any(cyclic(hb) for hb in self.causal_memory)

    def ccm(self) -> bool:
        return not cyclic(self.po | self.rf | self.pww | self.rw(self.pww))

    def wccm(self) -> bool:
        order = self.rfe | self.wpww | self.rw(self.wpww)
        return not cyclic(self.ppo | order) and not cyclic(self.po_loc | order)

    def consistent(self) -> set[str]:
        return {name for name in MODELS if getattr(self, name)()}
