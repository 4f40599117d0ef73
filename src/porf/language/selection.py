"""Tests of single events as bits: which kinds of event (operation and order) a set has, and what else it asks."""

from __future__ import annotations

from porf._core import Order
from porf.language import base
from porf.language import relation as r
from porf.record import Record

KINDS = ("read", "write", "update-read", "update-write", "update", "fence")
ORDERS = len(Order)
EVERY = (1 << len(KINDS) * ORDERS) - 1


def kind_of(kind: str, order: int) -> int:
    """The number of a kind of event."""
    return KINDS.index(kind) * ORDERS + order


def _kinds(*kinds: str) -> int:
    return sum(1 << kind_of(kind, order) for kind in kinds for order in range(ORDERS))


def _ordered(orders: frozenset[Order]) -> int:
    return sum(1 << kind_of(kind, order) for kind in KINDS for order in orders)


_READS = _kinds("read", "update-read", "update")
_WRITES = _kinds("write", "update-write", "update")
_KNOWN = {
    "_": EVERY,
    "R": _READS,
    "W": _WRITES,
    "F": _kinds("fence"),
    "U": _kinds("update-read", "update-write", "update"),
    "IW": 0,  # initial writes are on no walk that comes back
    **{name: _ordered(orders) for name, orders in base.ORDER_SETS.items()},
}


class Selection(Record):
    """Events of these kinds (bits) that are in all other sets, too."""

    kinds: int
    others: frozenset[r.Node] = frozenset()

    def both(self, other: Selection) -> Selection:
        return Selection(self.kinds & other.kinds, self.others | other.others)


ALL = Selection(EVERY)


class Selections:
    """What sets of a model select, in its view of updates."""

    def __init__(self, two_events: bool) -> None:
        left_out = ("update",) if two_events else ("update-read", "update-write")
        self._there = EVERY & ~_kinds(*left_out)

    def of(self, events: r.Node) -> Selection:
        exact, kinds = self._bounds(events)
        return Selection(kinds & self._there, frozenset() if exact else frozenset({events}))

    def ends(self, step: str) -> tuple[Selection, Selection]:
        """Which events a step can start from, and which it can lead to."""
        reads, writes = Selection(_READS & self._there), Selection(_WRITES & self._there)
        accesses = Selection((_READS | _WRITES) & self._there)
        match step:
            case "rf" | "rfe" | "rfi":
                return writes, reads
            case "mo" | "moe" | "own":
                return writes, writes
            case "fr" | "fre":
                return reads, writes
            case "changed-read" | "same-read":
                return reads, reads
            case "rmw" | "amo" | "lxsx":
                return reads, writes
            case "next-at" | "hb-at":
                return accesses, accesses
        return Selection(self._there), Selection(self._there)

    def _bounds(self, events: r.Node) -> tuple[bool, int]:
        """Whether the kinds say it all, and the kinds that it may have."""
        match r.plain(events):
            case r.Base(name) if name in _KNOWN:
                return True, _KNOWN[name]
            case r.Empty():
                return True, 0
            case r.Universe():
                return True, EVERY
            case r.Union(operands):
                parts = [self._bounds(one) for one in operands]
                kinds = 0
                for _, some in parts:
                    kinds |= some
                return all(exact for exact, _ in parts), kinds
            case r.Intersection(left, right):
                (a, one), (b, other) = self._bounds(left), self._bounds(right)
                return a and b, one & other
            case r.Difference(left, right):
                (a, one), (b, other) = self._bounds(left), self._bounds(right)
                return (a and b, one & ~other) if b else (False, one)
            case r.Unary("complement", body):
                exact, kinds = self._bounds(body)
                return exact, EVERY & ~kinds if exact else EVERY
            case r.Unary("domain"):
                return False, EVERY
            case r.Unary("range"):
                return False, EVERY
        return False, EVERY
