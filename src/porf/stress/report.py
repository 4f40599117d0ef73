"""A stress run in words and records: each model's first violation, and what became of each model in the end."""

from __future__ import annotations

from typing import Any

from porf.checking.verdict import Verdict
from porf.record import Record
from porf.result import Exit, nothing_to_draw
from porf.stress.hunt import Hunt, Tally
from porf.stress.rounds import usable_cores


class Violation(Record, eq=False):
    """The first round that breaks a model, as `porf check` would report it."""

    verdict: Verdict
    round: int

    exit_code = Exit.FAILS

    @classmethod
    def of(cls, tally: Tally) -> Violation:
        assert tally.first is not None
        return cls(tally.first, tally.first_round)

    def headline(self) -> str:
        return self.verdict.headline()

    def report(self) -> str:
        return self.verdict.report()

    def record(self) -> dict[str, Any]:
        return {"kind": "violation", "round": self.round, **self.verdict.record()}

    def draw(self) -> str:
        return self.verdict.draw()


class Summary(Record, eq=False):
    """What became of one model."""

    hunt: Hunt
    tally: Tally

    @property
    def exit_code(self) -> int:
        if self.tally.violations:
            return Exit.FAILS
        return Exit.UNDECIDED if self.tally.undecided else Exit.HOLDS

    def headline(self) -> str:
        return self.tally.headline()

    def report(self) -> str:
        return self.headline()

    def record(self) -> dict[str, Any]:
        hunt, tally = self.hunt, self.tally
        return {
            "kind": "summary",
            "model": tally.model.name,
            "violations": tally.violations,
            "first_round": tally.first_round or None,
            "rounds": tally.rounds,
            "operations": tally.operations,
            "undecided": tally.undecided,
            "threads": hunt.plan.threads,
            "cores": usable_cores(),
            "seed": hunt.rounds.seed,
            "seconds": round(hunt.seconds, 6),
        }

    def draw(self) -> str:
        if self.tally.first is None:
            raise nothing_to_draw("no model was violated")
        return self.tally.first.draw()


def opening(hunt: Hunt) -> str:
    """What is about to run."""
    plan, cores = hunt.plan, usable_cores()
    used = min(cores, plan.threads)
    threads, places = _some(plan.threads, "thread"), f"{used} of {_some(cores, 'core')}"
    out = f"{threads} on {places}, {_some(plan.locations, 'location')}, rounds of {plan.ops:,} operations"
    out += f", seed {hunt.rounds.seed}"
    if used == 1:
        out += "\nonly one core takes part: nothing runs in parallel, so no store buffer can show"
    return out


def progress(hunt: Hunt) -> str:
    found = ", ".join(f"{tally.model.name} {tally.violations}" for tally in hunt.tallies)
    return f"{hunt.operations:,} operations, {hunt.seconds:.0f} s; violations: {found}"


def speed(hunt: Hunt) -> str:
    millions = hunt.operations / max(hunt.seconds, 1e-9) / 1e6
    return f"{hunt.operations:,} operations in {hunt.seconds:.1f} s: {millions:.2f} million per second"


def _some(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
