"""How much of a program's executions a test has seen, and how much there may be."""

from __future__ import annotations

from typing import Any

from porf import _core
from porf.record import Record

LAST = 3  # rates that are shown while runs are made


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
            once=seen.once,
            twice=seen.twice,
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

    @property
    def rates(self) -> tuple[tuple[float, float], ...]:
        """How the rate of new ones falls: new classes and new edges a run, from each row of `growth` to the next."""
        steps = zip(((0, 0, 0), *self.growth), self.growth, strict=False)
        return tuple(
            ((classes - some) / (runs - before), (edges - few) / (runs - before))
            for (before, some, few), (runs, classes, edges) in steps
        )

    def record(self) -> dict[str, Any]:
        return {
            "classes": self.classes,
            "estimate": round(self.estimate, 1),
            "new_class_probability": round(self.unseen, 6),
            "edges": self.edges,
            "growth": [
                {
                    "runs": runs,
                    "classes": classes,
                    "edges": edges,
                    "new_classes_per_run": round(new, 6),
                    "new_edges_per_run": round(new_edges, 6),
                }
                for (runs, classes, edges), (new, new_edges) in zip(self.growth, self.rates, strict=True)
            ],
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

    def line(self) -> str:
        """While runs are made: how many classes, of about how many, and in how many of the runs there was a new one:
        in the last of those that doubled their number, then by Good and Turing's estimate of the next."""
        about = f" of about {self.estimate:,.0f}" if self.once else ""
        fell = [f"{new:.2g}" for new, _ in self.rates[-LAST:]]
        rate = f"new a run: {', '.join(fell)}, now {self.unseen:.2g}"
        return f"{self.classes:,} class{'' if self.classes == 1 else 'es'}{about}, {rate}; {self.edges:,} rf edges"
