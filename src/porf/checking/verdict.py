"""A verdict and its evidence, as one value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from porf._core import Answer as Answer
from porf.evidence.data import Core, Proof, Refusal, Witness
from porf.execution import Execution
from porf.models import Model
from porf.record import Record
from porf.result import Case, Exit, Finding, Spot

MOST_REMARKS = 1000  # references of the evidence that a record looks at
REFUTED = {Answer.CONSISTENT: False, Answer.INCONSISTENT: True, Answer.UNDECIDED: None}


def ordered_share(ordered: int, pairs: int) -> str | None:
    """How much of the order of writes is known, in words."""
    if pairs == 0:
        return None
    return f"{100 * ordered / pairs:.1f} % of {pairs} pair{'' if pairs == 1 else 's'} of writes ordered"


class Outcome(Record, eq=False):
    """What a decision procedure found."""

    answer: Answer
    algorithm: str
    witness: Witness | None = None
    proof: Proof | None = None
    core: Core | None = None
    note: str | None = None  # what a person should know of how it was decided, or why it was not
    chosen: Execution | None = None  # the history with the writers that were chosen, where it leaves some open
    refusal: Refusal | None = None  # or why no choice is consistent


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """Does this execution satisfy this model? `bool(verdict)` is refused: undecided is neither yes nor no.

    >>> import porf
    >>> verdict = porf.check("examples/histories/lost-update.txt", "wra")
    >>> verdict
    <Verdict examples/histories/lost-update.txt: inconsistent in wra: weak-atomicity>
    >>> verdict.answer == "inconsistent", verdict.axiom
    (True, 'weak-atomicity')
    >>> print(verdict.explain())  # doctest: +ELLIPSIS
    this path breaks the axiom weak-atomicity of wra:
    ...
    """

    execution: Execution
    model: Model
    answer: Answer
    algorithm: str
    seconds: float
    witness: Witness | None = None
    proof: Proof | None = None
    core: Core | None = None
    note: str | None = None
    chosen: Execution | None = None  # the history with the writers that were chosen, if it leaves some open
    refusal: Refusal | None = None  # or why no choice of them is consistent

    @classmethod
    def of(cls, execution: Execution, model: Model, outcome: Outcome, seconds: float) -> Verdict:
        found = (outcome.answer, outcome.algorithm, seconds, outcome.witness, outcome.proof, outcome.core, outcome.note)
        return cls(execution, model, *found, outcome.chosen, outcome.refusal)

    def __repr__(self) -> str:
        reason = f": {self.axiom}" if self.axiom else ""
        return f"<Verdict {self.execution.source}: {self.answer} in {self.model.name}{reason}>"

    def __bool__(self) -> bool:
        raise TypeError("a verdict is consistent, inconsistent or undecided: look at .answer")

    @property
    def consistent(self) -> bool:
        return self.answer == Answer.CONSISTENT

    @property
    def inconsistent(self) -> bool:
        return self.answer == Answer.INCONSISTENT

    @property
    def exit_code(self) -> int:
        return {"consistent": Exit.HOLDS, "inconsistent": Exit.FAILS}.get(self.answer, Exit.UNDECIDED)

    @property
    def axiom(self) -> str | None:
        """The axiom that the evidence breaks."""
        return self.proof.axiom if self.proof else None

    @property
    def _order(self) -> Witness | None:
        """The witness, if it says anything: an order of writes that the model asks for, or an interleaving."""
        witness = self.witness
        return witness if witness and (self.model.orders_writes or witness.interleaving is not None) else None

    def headline(self) -> str:
        """The verdict in one line: `inconsistent in ra: read-coherence (coherence, 6 events, 0.2 ms)`."""
        reason = self.axiom or self.note
        middle = f": {reason}" if reason else ""
        events = len(self.execution)
        size = f"{events} event{'' if events == 1 else 's'}, {self.seconds * 1000:.1f} ms"
        return f"{self.answer} in {self.model.name}{middle} ({self.algorithm}, {size})"

    def explain(self) -> str:
        """The evidence in words: the cycle and its reasons, or the modification order."""
        from porf.evidence.choices import describe_choices, describe_starts, explain_refusal
        from porf.evidence.words import describe_core, describe_witness, explain

        if self.refusal is not None:
            return explain_refusal(self.execution, self.refusal, self.model.name)
        if self.proof is not None:
            return explain(self._graph, self.proof, self.model.name)
        if self.witness is not None:
            said = [describe_choices(self.execution, self._graph), describe_starts(self._graph)]
            said += [describe_witness(self._graph, self._order)] if self._order is not None else []
            return "\n".join(filter(None, said)) or "its axioms hold, and need no order of writes"
        if self.core is not None:
            return describe_core(self._graph, self.core)
        return ""

    @property
    def _graph(self) -> Execution:
        """The history that the evidence is about: with the writers that were chosen, if any were."""
        if self.chosen is not None:
            return self.chosen
        if self.witness is not None and self.witness.rf is not None:
            return replace(self.execution, rf=self.witness.rf)
        return self.execution

    def report(self) -> str:
        """What `porf check` prints: the headline, then the evidence, indented."""
        lines = [f"{self.execution.source}: {self.headline()}"]
        if self.axiom and self.note:
            lines.append(f"  ({self.note})")
        lines += [f"  {line}" if line else "" for line in self.explain().splitlines()]
        return "\n".join(lines)

    def draw(self, limit: int = 60) -> str:
        """The execution and the evidence as an SVG picture."""
        from porf.evidence.choices import drawn
        from porf.evidence.svg import draw

        title = f"{self.answer} in {self.model.name}"
        if self.refusal is not None:
            return draw(*drawn(self.execution, self.refusal), title=title, limit=limit)
        return draw(self._graph, self.proof, self._order, self.core, title=title, limit=limit)

    def verify(self) -> None:
        """Checks the evidence independently of what produced it; raises EvidenceError if it does not hold."""
        from porf.evidence.verify import verify
        from porf.evidence.verify_choices import verify_chosen, verify_refusal

        if self.refusal is not None:
            return verify_refusal(self.execution, self.model, self.refusal)
        if self.chosen is not None:
            verify_chosen(self.execution, self.chosen)
        graph = self.execution if self.chosen is None else self.chosen  # who is read is part of what a witness says
        verify(graph, self.model, self.answer, self.witness, self.proof, self.core)

    def case(self) -> Case:
        source = self.execution.source
        name = f"{source} under {self.model.name}"
        if not self.inconsistent:
            return Case(name, source, self.seconds)
        from porf.formats.locate import lines_of

        proof, graph = self.proof, self._graph
        refs = [] if proof is None else [edge.source for edge in proof.cycle]
        rows = list(dict.fromkeys([*(ref for ref in refs if ref >= 0), *(self.core.rows if self.core else ())]))
        lines = lines_of(self.execution, rows)
        spots = [Spot(source, lines[row], 1, graph.describe(row)) for row in rows if row in lines]
        said = tuple(self.explain().splitlines())
        message = f"inconsistent in {self.model.name}" + (f": {self.axiom}" if self.axiom else "")
        about = f"a history that the model {self.model.name} forbids"
        where = spots[0] if spots else Spot(source)
        wrong = Finding(f"inconsistent-in-{self.model.name}", message, where, about, said, related=tuple(spots[1:]))
        return Case(name, source, self.seconds, (wrong,))

    def record(self) -> dict[str, Any]:
        """The verdict as one JSON-able object, as in `porf check --json`."""
        from porf.evidence.choices import chosen_record, refusal_record
        from porf.evidence.record import core_record, cycle_record, witness_record

        execution = self.execution
        out: dict[str, Any] = {
            "source": execution.source,
            "model": self.model.name,
            "model_file": self.model.shown_path,
            "verdict": self.answer,
            "axiom": self.axiom,
            "cycle": cycle_record(self._graph, self.proof) if self.proof else None,
            "witness": witness_record(execution, self._order) if self.witness else None,
            "algorithm": self.algorithm,
            "events": len(execution),
            "threads": execution.threads,
            "seconds": round(self.seconds, 6),
        }
        if self.core:
            out["core"] = core_record(execution, self.core)
        if self.refusal is not None:
            out["refusal"] = refusal_record(execution, self.refusal)
        elif self.witness is not None:
            out |= chosen_record(execution, self._graph)
        remarks = self._remarks()
        if remarks:
            out["remarks"] = remarks
        if self.note:
            out["note"] = self.note
        return out

    def _remarks(self) -> dict[str, dict[str, str]]:
        """Time and notes of the events that the evidence names, where the history says some."""
        execution, rows = self.execution, list(self.core.rows if self.core else ())
        rows += [ref for edge in (self.proof.cycle if self.proof else ()) for ref in (edge.source, edge.target)]
        out = {}
        for row in dict.fromkeys(rows[:MOST_REMARKS]):
            said = execution.said_of(row)
            if said:
                out[execution.name(row)] = said
        return out
