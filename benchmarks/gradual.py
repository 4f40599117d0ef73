"""SC and TSO by every procedure that decides them (seed 004, Figures 4 and 6): 100 to 500 operations of 4 threads.

Claim: gradual checking beats the SAT encoding, both beat the rules run by clingo, and the kernel beats them all.
Prints processor milliseconds, the mean over valid histories, rows thread by thread; the last column is the share of
pairs of writes that the partial store order leaves open. Datalog is asked once a size, and only while that is short.
"""

from __future__ import annotations

import argparse
import time

from porf import Execution, check
from porf.check.causal import partial_store_order
from porf.generate import interleaving
from porf.models import MODELS

ALGORITHMS = ("kernel", "gradual", "gradual-sat", "sat")
CRITERION = {"sc": "ccm", "tso": "wccm"}


def mean(model: str, algorithm: str, histories: list[Execution]) -> float:
    start = time.process_time()
    for history in histories:
        assert check(history, model, algorithm=algorithm).consistent
    return 1000 * (time.process_time() - start) / len(histories)


def unordered(model: str, histories: list[Execution]) -> float:
    found = [partial_store_order(history, MODELS[CRITERION[model]]) for history in histories]
    return 1 - sum(order.ordered for order in found) / sum(order.pairs for order in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=5)
    parser.add_argument("--locations", type=int, default=10)
    parser.add_argument("--datalog", type=float, default=1.5, help="seconds that one history may take")
    options = parser.parse_args()
    print(f"{'model':6} {'n':>4} " + " ".join(f"{name:>12}" for name in (*ALGORITHMS, "datalog", "open pairs")))
    for model in CRITERION:
        small = [interleaving(20, 4, 4, updates=0, group_by_thread=True, seed=0)]
        for algorithm in (*ALGORITHMS, "datalog"):
            mean(model, algorithm, small)  # imports, and the model file
        last = 0.0
        for n in range(100, 501, 100):
            histories = [
                interleaving(n, 4, options.locations, updates=0, group_by_thread=True, seed=seed)
                for seed in range(options.histories)
            ]
            row = [f"{mean(model, algorithm, histories):12.1f}" for algorithm in ALGORITHMS]
            last = mean(model, "datalog", histories[:1]) if last < 1000 * options.datalog else float("inf")
            row.append(f"{last:12.1f}" if last != float("inf") else f"{'-':>12}")
            print(f"{model:6} {n:4} {' '.join(row)} {100 * unordered(model, histories):10.1f} %", flush=True)


if __name__ == "__main__":
    main()
