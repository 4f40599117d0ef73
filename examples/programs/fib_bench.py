"""fib-bench: two threads add up each other's numbers, and a third checks that no number is too large.

Executions for N = 4, 5, 6: 34205, 525630, 8149694 under ra, and 19605, 218243, 2364418 under sc.
"""

import porf
from porf.programs.python import acquire, release


def fibonacci(n: int) -> int:
    """This runs when the program is made; threads only see its result."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fib_bench(n: int = 4) -> porf.ProgramBuilder:
    p = porf.program(f"fib_bench({n})")
    x = p.int("x", 1)
    y = p.int("y", 1)
    largest = fibonacci(2 * (n + 1))

    @p.thread
    def left() -> None:
        for _ in range(n):
            x.store(x.load(acquire) + y.load(acquire), release)

    @p.thread
    def right() -> None:
        for _ in range(n):
            y.store(x.load(acquire) + y.load(acquire), release)

    @p.thread
    def check() -> None:
        i = x.load(acquire)
        j = y.load(acquire)
        assert i <= largest and j <= largest, "too large"

    return p
