"""Claim: CCM orders most pairs of writes of one location (Zennou et al. 2019, Section 5.1).

The share of pairs that CCv, CCM and weak CCM leave unordered, on valid runs of the simulated cache protocols: in
percent, the mean over histories. The paper has 57.75 % for CCv and 6.6 % for CCM, on 200 histories of 200 operations.
It does not say what CCv orders: `ccv` counts (co | cf)+ as ordered, `cf` the conflict relation alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from statistics import fmean

import measuring
import numpy as np
from simulated import valid

from porf.checking.causal import PartialStoreOrder, partial_store_order
from porf.execution import Execution, Op
from porf.models import MODELS


def shares(histories: list[Execution]) -> Iterator[tuple[str, float]]:
    """Of each criterion, the mean share of pairs that it leaves open."""
    strong = [partial_store_order(history, MODELS["ccm"]) for history in histories]
    weak = [partial_store_order(history, MODELS["wccm"]) for history in histories]
    yield "cf", left_open(strong, [conflicts(history) for history in histories])
    yield "ccv", left_open(strong, [order.converged for order in strong])
    yield "ccm", left_open(strong, [order.ordered for order in strong])
    yield "wccm", left_open(weak, [order.ordered for order in weak])


def conflicts(history: Execution) -> int:
    """How many pairs of writes cf relates: one is causally before a read of the other. Sets of rows are bits."""
    writes, reads = (np.flatnonzero(history.op == op).tolist() for op in (Op.WRITE, Op.READ))
    before = [0] * len(history)
    for row in range(1, len(history)):
        before[row] |= int(history.thread[row] == history.thread[row - 1]) << (row - 1)  # rows are cpu by cpu
    for read in reads:
        before[read] |= 1 << history.rf[read].item() if history.rf[read] >= 0 else 0
    for middle in range(len(before)):
        past = before[middle]
        before = [rows | past if rows >> middle & 1 else rows for rows in before]
    seen = [0] * len(history)
    for read in reads:
        if history.rf[read] >= 0:
            seen[history.rf[read]] |= before[read]
    together = ((a, b) for a in writes for b in writes if a < b and history.loc[a] == history.loc[b])
    return sum((seen[a] >> b | seen[b] >> a) & 1 for a, b in together)


def left_open(orders: list[PartialStoreOrder], ordered: Sequence[int | None]) -> float:
    found = [(order.pairs, count) for order, count in zip(orders, ordered, strict=True) if order.pairs]
    assert all(count is not None for _, count in found), "a valid history is convergent"
    return 100 * fmean(1 - (count or 0) / pairs for pairs, count in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--operations", type=int, default=200)
    parser.add_argument("--reads", type=float, default=0.7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    report.title(f"percent unordered; {options.histories} histories of {options.operations} operations")
    for addresses in (4, 16, 64):
        for cpus in (2, 4, 6):
            runs = [
                valid(options.operations, cpus, addresses, "sc", seed, options.reads)
                for seed in range(options.histories)
            ]
            report.row(addresses=addresses, cpus=cpus, **dict(shares(runs)))


if __name__ == "__main__":
    main()
