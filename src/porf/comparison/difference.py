"""An execution that one model allows and another forbids, with the evidence for both, and as a program."""

from __future__ import annotations

from typing import Any

from porf.checking import check
from porf.checking.verdict import Verdict
from porf.comparison.small import Small
from porf.errors import EvidenceError
from porf.execution import Execution
from porf.formats import dumps
from porf.formats.litmus import litmus_test
from porf.models.registry import Model
from porf.record import Record


class Difference(Record, eq=False):
    execution: Execution
    allowed: Verdict
    forbidden: Verdict
    smallest: bool  # no execution of fewer events would do
    language: str | None = None  # of its test; by default that of the execution
    tests: tuple[str, ...] = ()  # as programs, if these are known already
    counterpart: Execution | None = None  # what the model that forbids it was asked of, if that is of another machine

    @classmethod
    def of(cls, allows: Model, forbids: Model, small: Small, smallest: bool) -> Difference:
        """Decided again by the models' own procedures, whose evidence is verified."""
        execution = small.execution(f"{allows.name}-not-{forbids.name}")
        allowed, forbidden = (check(execution, model, verify=True) for model in (allows, forbids))
        if not (allowed.consistent and forbidden.inconsistent):
            text = dumps(execution).decode()
            raise EvidenceError(
                f"the search found an execution that {allows.name} allows and {forbids.name} forbids, but "
                f"porf check says {allowed.answer} and {forbidden.answer}:\n{text}"
            )
        return cls(execution, allowed, forbidden, smallest)

    @property
    def history(self) -> str:
        """In the text format."""
        return dumps(self.execution).decode()

    def litmus(self) -> str:
        """As a litmus test; where the model orders writes, with the final values of its order."""
        if self.tests and self.language is None:
            return "\n".join(self.tests)
        witness, mo = self.allowed.witness, None
        if witness is not None and self.allowed.model.orders_writes:
            mo = [witness.of(loc).tolist() for loc in range(self.execution.locations)]
        return litmus_test(self.execution, self.execution.source, mo, self.language)

    def headline(self) -> str:
        events = len(self.execution)
        least = "; none is smaller" if self.smallest else ""
        return (
            f"{self.allowed.model.name} allows this, {self.forbidden.model.name} forbids it ({events} events{least}):"
        )

    def report(self) -> str:
        parts = [
            self.history.rstrip("\n"),
            *(f"and its counterpart:\n\n{dumps(g).decode().rstrip()}" for g in (self.counterpart,) if g is not None),
            f"{self.allowed.headline()}\n{_indented(self.allowed.explain())}",
            f"{self.forbidden.headline()}\n{_indented(self.forbidden.explain())}",
            f"as a program:\n\n{_indented(self.litmus().rstrip())}",
        ]
        return "\n".join([self.headline(), "", _indented("\n\n".join(parts))])

    def record(self) -> dict[str, Any]:
        return {
            "allowed_by": self.allowed.model.name,
            "forbidden_by": self.forbidden.model.name,
            "events": len(self.execution),
            "smallest": self.smallest,
            "history": self.history,
            **({} if self.counterpart is None else {"counterpart": dumps(self.counterpart).decode()}),
            "litmus": self.litmus(),
            "verdicts": [self.allowed.record(), self.forbidden.record()],
        }


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
