"""The words that threads are written in: orders, fences, assumptions, spawning, pointers. None of them is ever run."""

from collections.abc import Callable
from typing import Any

from porf._core import Order
from porf.programs.python.shared import SharedInt, only_in_threads

relaxed = Order.RLX
acquire = Order.ACQ
release = Order.REL
acq_rel = Order.ACQ_REL
seq_cst = Order.SC

ORDER_WORDS = {
    Order.RLX: "relaxed",
    Order.ACQ: "acquire",
    Order.REL: "release",
    Order.ACQ_REL: "acq_rel",
    Order.SC: "seq_cst",
}


class ThreadHandle:
    """A thread that was spawned."""

    def join(self) -> int:
        """Waits until the thread has ended; what it returned (0 if nothing)."""
        only_in_threads("join")


def fence(order: Order = seq_cst) -> None:
    """A fence."""
    only_in_threads("fence")


def assume(condition: object) -> None:
    """Executions where the condition is false end here, and count as blocked."""
    only_in_threads("assume")


def spawn(function: Callable[..., Any], *arguments: Any) -> ThreadHandle:
    """Starts a thread that runs a function decorated with @p.function."""
    only_in_threads("spawn")


def join(thread: ThreadHandle | Callable[..., Any]) -> int:
    """Waits for a spawned thread, or for all threads of a function decorated with @p.thread."""
    only_in_threads("join")


def address(shared: SharedInt) -> int:
    """The pointer to a shared integer: a number that can be stored and compared. 0 points nowhere."""
    only_in_threads("address")


def at(pointer: int, type: str = "int64") -> SharedInt:
    """The atomic integer that a pointer points to."""
    only_in_threads("at")


def plain_at(pointer: int, type: str = "int64") -> SharedInt:
    """The plain integer that a pointer points to."""
    only_in_threads("plain_at")
