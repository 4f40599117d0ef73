"""RA consistency by transitive closure, O(n^3): the writes-before order of Lahav and Vafeiadis (2015), as TruSt has it.

A baseline to compare with, written straight from the definitions and sharing nothing with the kernels. Relations are
bit matrices (64 pairs a word) closed by Warshall's algorithm, so it is some 64 times ahead of a plain triple loop.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from porf.execution import INITIAL, Execution, Op

Bits = npt.NDArray[np.uint64]
Int = npt.NDArray[np.int64]


def empty(nodes: int) -> Bits:
    return np.zeros((nodes, (nodes + 63) // 64), np.uint64)


def add(matrix: Bits, sources: Int, targets: Int) -> None:
    bits = np.uint64(1) << (targets % 64).astype(np.uint64)
    np.bitwise_or.at(matrix, (sources, targets // 64), bits)


def close(matrix: Bits) -> None:
    """Warshall: whatever reaches a node reaches what the node does."""
    for node in range(len(matrix)):
        reaches = (matrix[:, node // 64] >> np.uint64(node % 64)) & np.uint64(1)
        matrix[reaches.astype(bool)] |= matrix[node]


def dense(matrix: Bits, rows: Int) -> npt.NDArray[np.bool_]:
    """The part of a relation on some nodes, one byte a pair."""
    bits = np.unpackbits(matrix[rows].view(np.uint8), axis=1, bitorder="little")
    return bits[:, rows].astype(bool)


def reflexive_somewhere(matrix: Bits) -> bool:
    nodes = np.arange(len(matrix))
    return bool(((matrix[nodes, nodes // 64] >> (nodes % 64).astype(np.uint64)) & np.uint64(1)).any())


def consistent(g: Execution) -> bool:
    """Whether some modification order makes the execution RA consistent."""
    hb = happens_before(g)
    if reflexive_somewhere(hb):
        return False
    chains = rmw_chains(g)
    return chains is not None and all(ordered(g, hb, loc, *chains) for loc in range(g.locations))


def happens_before(g: Execution) -> Bits:
    """(po ∪ rf)+ over the rows; initial writes precede everything and are left out."""
    hb = empty(len(g))
    by_thread = np.argsort(g.thread, kind="stable")
    same = g.thread[by_thread[1:]] == g.thread[by_thread[:-1]]
    add(hb, by_thread[:-1][same], by_thread[1:][same])
    readers = np.flatnonzero(g.rf != INITIAL)
    add(hb, g.rf[readers].astype(np.int64), readers)
    close(hb)
    return hb


def rmw_chains(g: Execution) -> tuple[Int, Int] | None:
    """Each write's chain, named by its first write (~loc for the initial one), and its place there.

    None when two updates read one write: no order can then put both right after it.
    """
    chain, place = np.arange(len(g), dtype=np.int64), np.zeros(len(g), np.int64)
    follower: dict[int, int] = {}
    for row in np.flatnonzero(g.op == Op.UPDATE):
        writer = g.writer(int(row))
        if follower.setdefault(writer, int(row)) != row:
            return None
    tops = [~loc for loc in range(g.locations)] + np.flatnonzero(g.op == Op.WRITE).tolist()
    for top in tops:
        write, depth = top, 0
        while (write := follower.get(write, INITIAL - g.locations - 1)) >= 0:
            depth += 1
            chain[write], place[write] = top, depth
    return chain, place


def ordered(g: Execution, hb: Bits, loc: int, chain: Int, place: Int) -> bool:
    """Whether writes-before is acyclic on a location: w' wb w if w' (rf?;hb) e and e writes w or reads it."""
    accesses = np.flatnonzero(g.loc == loc)
    first, second = (accesses[i] for i in np.nonzero(dense(hb, accesses)))
    writes = (g.op == Op.WRITE) | (g.op == Op.UPDATE)
    left = np.where(writes[first], first, g.rf[first])
    target = np.where(g.op[second] == Op.WRITE, second, g.rf[second])
    from_chain, from_place = (np.where(left < 0, at, of[left]) for of, at in ((chain, ~loc), (place, 0)))
    to_chain, to_place = (np.where(target < 0, at, of[target]) for of, at in ((chain, ~loc), (place, 0)))
    same = from_chain == to_chain
    if (from_place[same] > to_place[same]).any() or (to_chain[~same] == ~loc).any():
        return False
    # An order relates whole chains, since nothing may come between an update and what it reads.
    nodes = np.unique(chain[accesses[writes[accesses]]])
    inner = ~same & (from_chain >= 0)
    wb = empty(len(nodes))
    add(wb, np.searchsorted(nodes, from_chain[inner]), np.searchsorted(nodes, to_chain[inner]))
    close(wb)
    return not reflexive_somewhere(wb)
