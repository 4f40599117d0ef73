"""How much of a program's executions a test has seen, and how much there may be."""

from __future__ import annotations

from typing import Any

from porf import _core
from porf.record import Record


class Coverage(Record):
    """Distinct classes of (po, rf) among complete runs, and reads-from edges between instructions."""

    classes: int
    edges: int
    once: int  # classes that were met once,
    twice: int  # and twice
    complete: int  # runs
    full: bool  # there were more classes than are told apart
    growth: tuple[tuple[int, int, int], ...]  # runs, classes, edges

    @staticmethod
    def of(seen: _core.Coverage, complete: int) -> Coverage:
        return Coverage(
            classes=seen.classes,
            edges=seen.edges,
            once=seen.met(1),
            twice=seen.met(2),
            complete=complete,
            full=seen.full,
            growth=tuple((m.runs, m.classes, m.edges) for m in seen.milestones),
        )

    @property
    def estimate(self) -> float:
        """About how many classes there are, at the least: Chao's estimator of species (Chao 1984), with its correction
        of bias. It knows of what was seen once and twice alone."""
        return self.classes + self.once * (self.once - 1) / (2 * (self.twice + 1))

    @property
    def unseen(self) -> float:
        """About how likely the next complete run is of a class that was not seen: Good and Turing's estimate."""
        return self.once / self.complete if self.complete else 1.0

    def record(self) -> dict[str, Any]:
        return {
            "classes": self.classes,
            "estimate": round(self.estimate, 1),
            "new_class_probability": round(self.unseen, 6),
            "edges": self.edges,
            "growth": [{"runs": runs, "classes": classes, "edges": edges} for runs, classes, edges in self.growth],
            **({"full": True} if self.full else {}),
        }

    def text(self) -> str:
        at_least = "more than " if self.full else ""
        known = f"{at_least}{self.classes:,} class{'' if self.classes == 1 else 'es'} of (po, rf)"
        rate = (
            f"the next run is of a new one with probability {self.unseen:.2g}" if self.once else "none seen only once"
        )
        about = f"about {self.estimate:,.0f} in all" if self.once else "perhaps all"
        return f"{known}, {about} ({rate}); {self.edges:,} reads-from edge{'' if self.edges == 1 else 's'}"
