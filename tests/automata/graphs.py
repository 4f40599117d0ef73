"""Small execution graphs in bulk: columns of many graphs of n events, and the algebra of their relations.

A relation of k graphs is an array of k by n rows, a row being the bits of the events that it leads to. Whatever numbers
stand in the columns, they say a well-formed execution.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.automata.meaning import Vocabulary

Rows = npt.NDArray[np.uint16]
Bits = npt.NDArray[np.bool_]
SETS = {"R", "W", "F", "MEM", "LOC", "DEP", "NA", "RLX", "ACQ", "REL", "SC", "EXCL", "NEXCL", "UR", "UW"}
READ, WRITE, FENCE, OTHER = range(4)
NO_MODE, NA, RLX, ACQ, REL, ACQ_REL, SC = range(7)
NEITHER, EXCL, NEXCL = range(3)


@dataclass
class Columns:
    """k graphs of n events. Events of a thread stand in program order; rows of different threads mix freely."""

    thread: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]
    loc: npt.NDArray[np.int64]  # of reads and writes
    mode: npt.NDArray[np.int64]
    excl: npt.NDArray[np.int64]
    rf: npt.NDArray[np.int64]  # the writer a read wants; counts if it is a write of the location
    rank: npt.NDArray[np.int64]  # a permutation; orders the writes of a location
    update: Bits  # a read and the write right after it, of one location and both exclusive, are one update
    picks: dict[str, Bits] = field(default_factory=dict)  # k by n by n: which pairs of ctrl, addr, data, r and r-loc
    sets: dict[str, Bits] = field(default_factory=dict)  # k by n: declared predicates


def random_columns(rng: np.random.Generator, k: int, n: int, vocabulary: Vocabulary) -> Columns:
    """Random graphs; how many threads, locations and kinds of events there are differs from call to call."""
    shape = (k, n)
    kinds = rng.dirichlet([2, 2, 0.7, 0.3])
    modes = rng.dirichlet([0.5, 0.5, 1, 1, 1, 0.5, 1.5])
    picks = {name: rng.random((k, n, n)) < rng.choice([0.2, 0.5, 0.9]) for name in ("ctrl", "addr", "data")}
    for name in vocabulary.relations:
        picks[name] = rng.random((k, n, n)) < rng.choice([1 / n, 0.3, 0.6])
        picks[f"{name}-loc"] = rng.random((k, n, n)) < rng.choice([0.5, 1])
    sets = {name: rng.random(shape) < rng.choice([0.3, 0.5, 0.8]) for name in vocabulary.predicates}
    for group in vocabulary.disjoint:
        owner = rng.integers(len(group), size=shape)
        for number, name in enumerate(group):
            if name in sets:
                sets[name] &= owner == number
    return Columns(
        thread=rng.integers(rng.integers(1, n + 1), size=shape),
        kind=rng.choice(4, size=shape, p=kinds),
        loc=rng.integers(rng.integers(1, 4), size=shape),
        mode=rng.choice(7, size=shape, p=modes),
        excl=rng.choice(3, size=shape, p=[0.1, 0.45, 0.45]),
        rf=rng.integers(n, size=shape),
        rank=rng.permuted(np.broadcast_to(np.arange(n), shape), axis=1),
        update=rng.random(shape) < 0.7,
        picks=picks,
        sets=sets,
    )


def _rows(pairs: Bits) -> Rows:
    weights = 1 << np.arange(pairs.shape[2], dtype=np.uint16)
    return np.asarray((pairs * weights).sum(axis=2, dtype=np.uint16))


class Graphs:
    """The algebra of relations on the graphs of some columns."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.k, self.n = columns.kind.shape
        self._names: dict[str, Rows] = {name: _rows(pairs) for name, pairs in self._pairs().items()}

    def _pairs(self) -> dict[str, Bits]:
        c, n = self.columns, self.n
        earlier = np.triu(np.ones((n, n), dtype=bool), 1)
        reads, writes = c.kind == READ, c.kind == WRITE
        located = reads | writes
        po = (c.thread[:, :, None] == c.thread[:, None, :]) & earlier
        same_loc = (c.loc[:, :, None] == c.loc[:, None, :]) & located[:, :, None] & located[:, None, :]
        wanted = c.rf[:, None, :] == np.arange(n)[None, :, None]
        out = {"any": np.ones_like(po), "po": po, "po-loc": po & same_loc}
        out["rf"] = wanted & same_loc & writes[:, :, None] & reads[:, None, :]
        ordered = c.rank[:, :, None] < c.rank[:, None, :]
        out["mo"] = ordered & same_loc & writes[:, :, None] & writes[:, None, :]
        out["fr"] = np.einsum("kwr,kwv->krv", out["rf"], out["mo"])
        between = np.einsum("kij,kjl->kil", po, po)
        exclusive = c.excl == EXCL
        joined = (reads & exclusive & c.update)[:, :, None] & (writes & exclusive)[:, None, :]
        out["rmw"] = po & ~between & same_loc & joined
        for name in ("rf", "mo", "fr"):
            out[f"{name}i"], out[f"{name}e"] = out[name] & po, out[name] & ~po
        out["detour"] = np.einsum("kij,kjl->kil", out["moe"], out["rfe"]) & po
        for name in ("ctrl", "addr", "data"):
            out[name] = c.picks[name] & po & reads[:, :, None]
        for name in c.picks:
            if name not in out and not name.endswith("-loc"):
                out[name] = c.picks[name]
                out[f"{name}-loc"] = c.picks[name] & c.picks[f"{name}-loc"] & same_loc
        one = np.eye(n, dtype=bool)
        for name, events in {**self._sets(reads, writes, located), **c.sets}.items():
            out[name] = events[:, :, None] & one
        for end in ("", "e", "i"):
            out[f"co{end}"] = out[f"mo{end}"]
        return out

    def _sets(self, reads: Bits, writes: Bits, located: Bits) -> dict[str, Bits]:
        c = self.columns
        out = {"R": reads, "W": writes, "F": c.kind == FENCE, "MEM": located, "LOC": located, "DEP": reads}
        out |= {"NA": c.mode == NA, "RLX": c.mode == RLX, "SC": c.mode == SC}
        out |= {"ACQ": np.isin(c.mode, (ACQ, ACQ_REL, SC)), "REL": np.isin(c.mode, (REL, ACQ_REL, SC))}
        out |= {"EXCL": c.excl == EXCL, "NEXCL": c.excl == NEXCL}
        out |= {"UR": reads & out["EXCL"], "UW": writes & out["EXCL"]}
        assert out.keys() == SETS
        return out

    # The algebra.

    def base(self, name: str) -> Rows | None:
        return self._names.get(name)

    def is_set(self, name: str) -> bool:
        return name in SETS or name in self.columns.sets

    def zero(self) -> Rows:
        return np.zeros((self.k, self.n), dtype=np.uint16)

    def identity(self) -> Rows:
        return np.broadcast_to(1 << np.arange(self.n, dtype=np.uint16), (self.k, self.n))

    def union(self, a: Rows, b: Rows) -> Rows:
        return a | b

    def meet(self, a: Rows, b: Rows) -> Rows:
        return a & b

    def minus(self, a: Rows, b: Rows) -> Rows:
        return a & ~b

    def compose(self, a: Rows, b: Rows) -> Rows:
        out = np.zeros_like(a)
        for middle in range(self.n):
            out |= ((a >> middle) & 1) * b[:, middle, None]
        return out

    def inverse(self, a: Rows) -> Rows:
        bits = (a[:, :, None] >> np.arange(self.n, dtype=np.uint16)) & 1
        return _rows(bits.transpose(0, 2, 1).astype(bool))

    def plus(self, a: Rows) -> Rows:
        out = np.array(a)
        for middle in range(self.n):
            out |= ((out >> middle) & 1) * out[:, middle, None]
        return out

    def some(self, a: Rows) -> Bits:
        return np.asarray(a.any(axis=1))

    def both(self, a: Bits, b: Bits) -> Bits:
        return a & b

    def negate(self, a: Bits) -> Bits:
        return ~a

    def rounds(self, names: int) -> int:
        return int(names * self.n * self.n + 1)

    def picture(self, graph: int) -> dict[str, Any]:
        """One graph in words: the events of each set and the pairs of each relation, as far as there are any."""
        out: dict[str, Any] = {}
        for name, rows in self._names.items():
            pairs = [(i, j) for i in range(self.n) for j in range(self.n) if rows[graph, i] >> j & 1]
            if pairs and name != "any":
                out[name] = [i for i, _ in pairs] if self.is_set(name) else pairs
        return out
