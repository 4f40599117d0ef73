"""The nine models written by hand over sets of pairs, from the papers and not from the model files."""

from __future__ import annotations

from functools import cached_property

from porf.execution import Execution, Op
from tests.checking.small_executions import modification_orders

Pairs = frozenset[tuple[int, int]]
MODELS = ("sc", "tso", "pso", "rmo", "ra", "sra", "wra", "rc20", "relaxed")


def seq(*relations: Pairs) -> Pairs:
    left = relations[0]
    for right in relations[1:]:
        onward: dict[int, list[int]] = {}
        for a, b in right:
            onward.setdefault(a, []).append(b)
        left = frozenset((a, c) for a, b in left for c in onward.get(b, ()))
    return left


def plus(relation: Pairs) -> Pairs:
    while True:
        more = relation | seq(relation, relation)
        if more == relation:
            return relation
        relation = more


def irreflexive(relation: Pairs) -> bool:
    return all(a != b for a, b in relation)


def acyclic(relation: Pairs) -> bool:
    alive = {e for pair in relation for e in pair}
    while True:
        sources = {a for a, b in relation if a in alive and b in alive}
        if not sources:
            return True
        if sources == alive:
            return False
        alive = sources


class ByHand:
    """One execution with the relations that do not depend on mo."""

    def __init__(self, g: Execution) -> None:
        self.g = g
        self.rows = list(range(len(g)))
        self.everything = [*self.rows, *(~x for x in range(g.locations))]
        self.id = frozenset((e, e) for e in self.everything)
        self.u = {e for e in self.rows if g.op[e] == Op.UPDATE}
        self.f = {e for e in self.rows if g.op[e] == Op.FENCE}
        self.r = {e for e in self.everything if g.reads(e)}
        self.w = {e for e in self.everything if g.writes(e)}
        self.po = frozenset(
            (a, b) for a in self.everything for b in self.rows if a < 0 or (a < b and g.thread[a] == g.thread[b])
        )
        self.rf = frozenset((g.writer(e), e) for e in self.r if g.rf[e] != -2)
        self.po_loc = frozenset((a, b) for a, b in self.po if self.loc(a) == self.loc(b) >= 0)
        self.rfe = frozenset((a, b) for a, b in self.rf if a < 0 or g.thread[a] != g.thread[b])
        self.dp = frozenset(
            (int(a), int(b))
            for kind in ("addr", "data")
            for a, b in zip(*g.dependencies.get(kind, ((), ())), strict=True)
            if int(a) in self.r
        )

    def loc(self, e: int) -> int:
        return self.g.location(e)

    def only(self, events: set[int]) -> Pairs:
        return frozenset((e, e) for e in events)

    def opt(self, relation: Pairs) -> Pairs:
        return relation | self.id

    @cached_property
    def causal(self) -> Pairs:
        return plus(self.po | self.rf)

    @cached_property
    def fenced(self) -> Pairs:
        return seq(self.po, self.only(self.f), self.po)

    @cached_property
    def rc20_hb(self) -> Pairs:
        release = self.only({e for e in self.rows if self.g.order[e] in (3, 4, 5)})
        acquire = self.only({e for e in self.rows if self.g.order[e] in (2, 4, 5)})
        fence = self.only(self.f)
        sw = seq(
            release,
            self.opt(seq(fence, self.po)),
            plus(self.rf),
            self.opt(seq(self.po, fence)),
            acquire,
        )
        return plus(self.po | sw)

    def happens_before(self, model: str) -> Pairs:
        return {"rc20": self.rc20_hb, "relaxed": self.po}.get(model, self.causal)

    def order(self, choice: list[tuple[int, ...]]) -> Pairs:
        out = set()
        for x, line in enumerate(choice):
            full = (~x, *line)
            out |= {(full[i], full[j]) for i in range(len(full)) for j in range(i + 1, len(full))}
        return frozenset(out)

    def holds(self, model: str, mo: Pairs) -> bool:
        fr = seq(frozenset((b, a) for a, b in self.rf), mo) - self.id
        if model == "sc":
            return acyclic(self.po | self.rf | mo | fr)
        if model in ("tso", "pso", "rmo"):
            return self._store_order(model, mo, fr)
        if not acyclic(self.po | self.rf):
            return False
        hb = self.happens_before(model)
        if model == "wra":
            bad = {(a, b) for a, b in hb if self.loc(a) == self.loc(b) >= 0 and b in self.w}
            shared = [w for w, e in self.rf if e in self.u]
            coherent = irreflexive(seq(frozenset(bad), hb, frozenset((b, a) for a, b in self.rf)))
            return coherent and len(shared) == len(set(shared))
        rf_opt = self.opt(self.rf)
        coherent = acyclic(hb | mo) if model == "sra" else irreflexive(seq(mo, rf_opt, self.opt(hb)))
        return coherent and irreflexive(seq(fr, rf_opt, hb)) and irreflexive(seq(fr, mo))

    def _store_order(self, model: str, mo: Pairs, fr: Pairs) -> bool:
        plain_w, plain_r = self.w - self.u, self.r - self.u
        if model == "tso":
            ppo = frozenset((a, b) for a, b in self.po if not (a in plain_w and b in plain_r))
        elif model == "pso":
            memory = self.r | self.w
            ppo = frozenset((a, b) for a, b in self.po if not (a in plain_w and b in memory)) | self.fenced
        else:
            ppo = self.dp | self.fenced
        same = self.po_loc
        if model == "rmo":
            same = frozenset((a, b) for a, b in same if not (a in plain_r and b in plain_r))
            if not acyclic(self.dp | self.rf):
                return False
        return acyclic(same | self.rf | mo | fr) and acyclic(ppo | self.rfe | mo | fr)

    def consistent(self) -> set[str]:
        """The models that some modification order satisfies."""
        open_models, out = set(MODELS), set()
        for choice in modification_orders(self.g):
            mo = self.order(choice)
            found = {model for model in open_models if self.holds(model, mo)}
            out |= found
            open_models -= found
            if not open_models:
                break
        return out
