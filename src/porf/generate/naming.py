"""Names of tests, as diy gives them: the family that a cycle is of, and what each of its threads is made of.

MP+dmb.sy+addr is message passing with a fence in its first thread and an address dependency in its second.
"""

from __future__ import annotations

from collections.abc import Iterator

from porf.generate.cycles import Cycle
from porf.generate.edges import Edge
from porf.record import replace

# By the threads' first and last events and the communications between them (Maranget et al. 2012, and herd's tests).
FAMILIES = {
    "WW Rf RR Fr": "MP",
    "WR Fr WR Fr": "SB",
    "RW Rf RW Rf": "LB",
    "WW Rf RW Co": "S",
    "WW Co WR Fr": "R",
    "WW Co WW Co": "2+2W",
    "WR Fr WR Fr WR Fr": "3.SB",
    "RW Rf RW Rf RW Rf": "3.LB",
    "WW Co WW Co WW Co": "3.2W",
    "WW Rf RW Rf RR Fr": "ISA2",
    "W Rf RW Rf RR Fr": "WRC",
    "W Rf RR Fr WR Fr": "RWC",
    "W Rf RR Fr WW Co": "WRR+2W",
    "W Rf RW Co WW Co": "WRW+2W",
    "W Rf RW Co WR Fr": "WRW+WR",
    "W Rf RW Rf RW Co": "WWC",
    "WW Rf RR Fr WR Fr": "W+RWC",
    "WW Rf RW Co WR Fr": "Z6.0",
    "WW Co WW Rf RW Co": "Z6.1",
    "WW Rf RW Rf RW Co": "Z6.2",
    "WW Co WW Rf RR Fr": "Z6.3",
    "WW Co WR Fr WR Fr": "Z6.4",
    "WW Co WW Co WR Fr": "Z6.5",
    "W Rf RR Fr W Rf RR Fr": "IRIW",
    "W Rf RR Fr W Rf RW Co": "IRRWIW",
    "W Rf RW Co W Rf RW Co": "IRWIW",
}
_TARGETS = {"rf": "R", "fr": "W", "co": "W", "rmw": "W"}  # edges that say by themselves where they lead
_SOURCES = {"rf", "fr", "co", "rmw", "addr", "data", "ctrl"}  # and where they begin
# One location: by the whole cycle.
_COHERENCE = {
    "W Rf RR Fr": "CoRR",
    "WW Co": "CoWW",
    "WR Fr": "CoWR",
    "W Co WR Fr": "CoWR",
    "W Rf RW Co": "CoRW2",
}


def rotations(cycle: Cycle) -> Iterator[Cycle]:
    """The cycle, and begun at each of its other threads."""
    edges = cycle.edges
    for at in range(-1, len(edges) - 1):
        if edges[at].external:
            yield replace(cycle, edges=(*edges[at + 1 :], *edges[: at + 1]))


def canonical(cycle: Cycle) -> Cycle:
    """One of all rotations, always the same: to tell whether two cycles are one."""
    return min(rotations(cycle), key=str)


def named(cycle: Cycle) -> tuple[str, Cycle]:
    """The name of a cycle's test, and the cycle as its name has it: begun at the first thread of its family."""
    for turned in rotations(cycle):
        family = _families(turned).get(_shape(turned))
        if family is not None:
            return _with_parts(family, turned), turned
    turned = max(rotations(cycle), key=_shape)
    return _with_parts(_shape(turned).replace(" ", "-"), turned), turned


def _families(cycle: Cycle) -> dict[str, str]:
    return _COHERENCE if all(edge.same for edge in cycle.edges) else FAMILIES


def _threads(cycle: Cycle) -> list[list[Edge]]:
    return [[cycle.edges[at] for at in thread] for thread in cycle.threads()]


def _shape(cycle: Cycle) -> str:
    """WW Rf RR Fr: each thread's first and last event, and how the next one is reached."""
    out = []
    for thread in _threads(cycle):
        first, last = thread[0], thread[-1]
        out += [first.source + (last.source if len(thread) > 1 else ""), last.kind.capitalize()]
    return " ".join(out)


def _with_parts(family: str, cycle: Cycle) -> str:
    threads = _threads(cycle)
    parts = [_part(thread[:-1], cycle) for thread in threads if len(thread) > 1]
    alone = [_order(thread[0].orders[0], cycle) for thread in threads if len(thread) == 1]
    if len(parts) > 1 and len(set(parts)) == 1:
        parts = [] if parts[0] == "po" else [f"{parts[0]}s"]
    elif parts == ["po"] or parts == ["pos"]:
        parts = []
    if any(thread[0].orders[0] not in ("", cycle.words.plain) for thread in threads if len(thread) == 1) or (
        cycle.words.language == "c" and any(cycle.orders())
    ):
        parts += ["".join(alone)] if alone else []
    return "+".join([family, *parts])


def _part(edges: list[Edge], cycle: Cycle) -> str:
    """Of the edges within a thread: addrR-po; a direction is said where the edges beside it leave it open."""
    out = []
    for at, edge in enumerate(edges):
        after = edges[at + 1] if at + 1 < len(edges) else None
        open_ = after is not None and edge.kind not in _TARGETS and after.kind not in _SOURCES
        out.append(edge.short + (edge.target if open_ else "") + _orders(edge, cycle))
    return "-".join(out)


def _orders(edge: Edge, cycle: Cycle) -> str:
    plain = cycle.words.plain
    if edge.orders == ("", "") or (set(edge.orders) == {plain} and cycle.words.language != "c"):
        return ""
    return "".join(edge.orders).lower()


def _order(order: str, cycle: Cycle) -> str:
    return cycle.words.shown if order in ("", cycle.words.plain) else order
