"""What a decision may spend, and who hears of its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """None means no limit. When a limit is reached the answer is undecided, never a guess."""

    seconds: float | None = None
    steps: int | None = None
    bytes: int | None = None
    progress: Callable[[int], object] | None = None
