"""The models once more, by hand, over sets of events as bits: which modification orders make a graph consistent.

Written from the papers' axioms, in the shape that brute force likes: what each pair of accesses of a place, one of
which happens before the other, says of the order of two writes; then every order that keeps to it. `test_reference`
holds this to the model files. Starts and joins of threads, and barriers, order like fences that have no order of their
own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from porf.execution import Order
from tests.exploration.graph import INITIAL, Graph
from tests.exploration.sc_order import sc_holds

MODELS = ("sc", "tso", "x86", "pso", "ra", "sra", "wra", "rc20", "relaxed", "rc11", "cpp20")
BUFFERS = ("tso", "x86", "pso")
C11 = ("rc11", "cpp20")  # with non-atomic accesses that pass nothing on, and SC accesses
RELEASE = (Order.REL, Order.ACQ_REL, Order.SC)
ACQUIRE = (Order.ACQ, Order.ACQ_REL, Order.SC)
ModificationOrder = dict[int, tuple[int, ...]]  # pointer -> writers, the first first


def consistent(g: Graph, model: str) -> bool:
    if model == "wra":
        return _weakly_coherent(g, g.porf)
    return next(modification_orders(g, model), None) is not None


def modification_orders(g: Graph, model: str) -> Iterator[ModificationOrder]:
    """Every choice of one total order of the writes of each place under which the model's axioms hold."""
    hb = happens_before(g, model)
    if model == "wra":
        yield from _any_order(g) if _weakly_coherent(g, hb) else ()
        return
    must = _precedence(g, hb)
    if must is None:
        return
    pointers = sorted({e.pointer for e in g.events if e.op in "wu"})
    lines = []
    for x in pointers:
        lines.append(list(_lines(g, x, must)))
        if not lines[-1]:
            return
    for choice in itertools.product(*lines):
        mo = dict(zip(pointers, choice, strict=True))
        if _global_axiom_holds(g, model, hb, mo):
            yield mo


def happens_before(g: Graph, model: str) -> list[int]:
    """Of each event, all that happens before it, as far as the model's coherence looks."""
    if model in ("relaxed", *BUFFERS):
        return g.po
    return _synchronised(g, model) if model in ("rc20", *C11) else g.porf


def _synchronised(g: Graph, model: str) -> list[int]:
    hb: list[int] = []
    for n, e in enumerate(g.events):
        before = 0
        for p in g.near[n]:
            before |= hb[p] | 1 << p
        if e.order in ACQUIRE:
            readers = [r for r in own(g, n) if g.events[r].op in "ru"] if e.op == "f" else [n]
            for r in readers:
                before |= _handed(g, hb, r, model)
        hb.append(before)
    return hb


def _handed(g: Graph, hb: list[int], reader: int, model: str) -> int:
    """What an acquire by way of this read learns: releases of the writes in the chain of updates that it reads; under
    RC11, also releases of the same place that the thread of such a write made before it."""
    learned = 0
    atomic = model not in C11 or g.events[reader].order is not Order.NA
    w = g.events[reader].source
    while atomic and w is not None and w >= 0:
        e = g.events[w]
        if model not in C11 or e.order is not Order.NA:
            if e.order in RELEASE:
                learned |= hb[w] | 1 << w
            for f in own(g, w):
                earlier = g.events[f]
                sequence = model == "rc11" and earlier.op in "wu" and earlier.pointer == e.pointer
                if (earlier.op == "f" or sequence) and earlier.order in RELEASE:
                    learned |= hb[f] | 1 << f
        w = e.source
    return learned


def own(g: Graph, event: int) -> Iterator[int]:
    """What comes before an event in its thread."""
    return (n for n in bits(g.po[event]) if g.events[n].thread == g.events[event].thread)


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _precedence(g: Graph, hb: list[int]) -> dict[int, int] | None:
    """Of each write, the writes of its place that must come before it; None if the graph is incoherent at once.

    What stands in a place never goes back: neither along happens-before, nor from a write to its update.
    """
    must: dict[int, int] = {}
    updated: set[tuple[int, int]] = set()
    for n, e in enumerate(g.events):
        if e.op not in "rwu":
            continue
        target = n if e.op == "w" else e.source
        assert target is not None
        if e.op == "u":
            if (e.pointer, target) in updated:
                return None
            updated.add((e.pointer, target))
        for a in bits(hb[n]):
            earlier = g.events[a]
            if earlier.pointer != e.pointer or earlier.op not in "rwu":
                continue
            value = earlier.source if earlier.op == "r" else a
            assert value is not None
            if value in (target, INITIAL):
                continue
            if target == INITIAL:
                return None
            must[target] = must.get(target, 0) | 1 << value
    return must


def _lines(g: Graph, pointer: int, must: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Every order of a place's writes that keeps to `must`, and in which an update comes right after its source."""
    writers = g.writers(pointer)
    update_of = {g.events[w].source: w for w in writers if g.events[w].op == "u"}
    plain = [w for w in writers if g.events[w].op == "w"]

    def extend(line: tuple[int, ...], placed: int) -> Iterator[tuple[int, ...]]:
        if len(line) == len(writers):
            yield line
            return
        update = update_of.get(line[-1] if line else INITIAL)
        for w in plain if update is None else [update]:
            if not placed >> w & 1 and not must.get(w, 0) & ~placed:
                yield from extend((*line, w), placed | 1 << w)

    yield from extend((), 0)


def _global_axiom_holds(g: Graph, model: str, hb: list[int], mo: ModificationOrder) -> bool:
    """The axioms that look at all places at once; none in the models that are coherence alone."""
    if model == "sc":
        return _acyclic(g, g.porf, mo, from_reads=True)
    if model == "sra":
        return _acyclic(g, g.porf, mo, from_reads=False)
    if model in BUFFERS:
        return _acyclic(g, _preserved(g, model), mo, from_reads=True)
    return model not in C11 or sc_holds(g, hb, mo)


def _preserved(g: Graph, model: str) -> list[int]:
    """Program order that store buffers keep, and reads from other threads: of each event, what comes before it.

    Compiled to x86, an SC write is followed by a fence, and only SC fences are there."""
    delayed = fences = 0
    for n, e in enumerate(g.events):
        delayed |= (e.op == "w" and not (model == "x86" and e.order is Order.SC)) << n
        fences |= (e.op in "fsjb") << n
    out = []
    for n, e in enumerate(g.events):
        before = g.po[n]
        nothing = model == "x86" and e.op == "f" and e.order not in (Order.SC, Order.NA)
        if e.op in "rcd" or nothing or (model == "pso" and e.op in "wu"):
            before &= ~delayed
        if model == "pso":
            for f in bits(g.po[n] & fences):
                before |= g.po[f]
        if e.source is not None and e.source >= 0 and g.events[e.source].thread != e.thread:
            before |= 1 << e.source
        out.append(before)
    return out


def _acyclic(g: Graph, before: list[int], mo: ModificationOrder, from_reads: bool) -> bool:
    before = list(before)
    for line in mo.values():
        for earlier, later in itertools.pairwise((INITIAL, *line)):
            if earlier >= 0:
                before[later] |= 1 << earlier
            if from_reads:
                for n, e in enumerate(g.events):
                    if e.source == earlier and n != later and e.pointer == g.events[later].pointer:
                        before[later] |= 1 << n
    left, todo = (1 << len(before)) - 1, list(range(len(before)))
    while todo:
        stay = []
        for n in todo:
            if before[n] & left:
                stay.append(n)
            else:
                left ^= 1 << n
        if len(stay) == len(todo):
            return False
        todo = stay
    return True


def _weakly_coherent(g: Graph, hb: list[int]) -> bool:
    """No read of a write that another one, by happens-before, has overwritten; no two updates of one write."""
    updated: set[tuple[int, int | None]] = set()
    for n, e in enumerate(g.events):
        if e.source is None:
            continue
        if e.op == "u" and (e.pointer, e.source) in updated:
            return False
        if e.op == "u":
            updated.add((e.pointer, e.source))
        for w in bits(hb[n]):
            between = g.events[w].pointer == e.pointer and g.events[w].op in "wu" and w != e.source
            if between and (e.source == INITIAL or hb[w] >> e.source & 1):
                return False
    return True


def _any_order(g: Graph) -> Iterator[ModificationOrder]:
    pointers = sorted({e.pointer for e in g.events if e.op in "wu"})
    for choice in itertools.product(*(itertools.permutations(g.writers(x)) for x in pointers)):
        yield dict(zip(pointers, choice, strict=True))
