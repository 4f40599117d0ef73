"""Claim: the RA kernel leaves the O(n^3) closure behind, as in Tunç et al. 2023, Table 1 (36 times on average).

Both decide the same executions in one run: first thousands of small ones, on which they must agree, then weak runs of
growing size, for the ratio and for the exponents.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import closure_baseline
import measuring

from porf import UsageError, check, generate
from porf.execution import Execution


def small(seed: int) -> Execution:
    """A random execution of a few dozen events at most: a run, a weak run, or either with up to three reads moved."""
    rng = random.Random(seed)
    make = rng.choice((generate.interleaving, generate.weak))
    g = make(
        rng.randint(1, 40),
        rng.randint(1, 6),
        rng.randint(1, 3),
        updates=rng.choice((0.0, 0.1, 0.3)),
        orders="ra",
        group_by_thread=rng.random() < 0.5,
        seed=seed,
    )
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        try:
            g = generate.broken(g, seed=rng.randrange(1000))
        except UsageError:  # no read can be moved
            break
    return g


def agreement(count: int) -> Counter[str]:
    """How often each verdict was given; both procedures must give it."""
    found: Counter[str] = Counter()
    for seed in range(count):
        g = small(seed)
        answer = check(g, "ra", algorithm="kernel").answer
        closed = "consistent" if closure_baseline.consistent(g) else "inconsistent"
        assert answer == closed, f"seed {seed}: the kernel says {answer}, the closure {closed}"
        found[answer] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=4000, help="the largest n")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--locations", type=int, default=4)
    parser.add_argument("--agree", type=int, default=2000, help="how many small executions both must agree on")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measuring.Report(options.json)
    report.title("the same verdicts on small random executions")
    report.row(**agreement(options.agree))
    report.title(f"weak runs; {options.threads} threads, {options.locations} locations")
    sizes = sorted({n for n in (100, 250, 500, 1000, 2000, 4000, 8000) if n < options.events} | {options.events})
    kernel, closure = [], []
    for n in sizes:
        g = generate.weak(n, options.threads, options.locations, group_by_thread=True, seed=n)
        assert check(g, "ra", algorithm="kernel").consistent
        assert closure_baseline.consistent(g)
        kernel.append(measuring.seconds(lambda g=g: check(g, "ra", algorithm="kernel"), 4 * options.repeat + 1))
        closure.append(measuring.seconds(lambda g=g: closure_baseline.consistent(g), options.repeat))
        report.row(n=n, kernel_ms=1e3 * kernel[-1], closure_ms=1e3 * closure[-1], ratio=closure[-1] / kernel[-1])
    half = len(sizes) // 2
    report.title("exponents, over the larger half of the sizes")
    report.row(
        kernel=measuring.exponent(sizes[half:], kernel[half:]),
        closure=measuring.exponent(sizes[half:], closure[half:]),
    )


if __name__ == "__main__":
    main()
