"""Which model is stronger than which, for all pairs at once: proved, separated by an execution, or neither.

The table of the built-in models is stored beside them. It is shown as it is; computing it anew takes minutes.
"""

import itertools
import json
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from porf.allowance import Allowance, SpentError
from porf.checking.budget import Budget
from porf.comparison.compare import QUICK, better, prove
from porf.comparison.separate import separate
from porf.comparison.vocabulary import Lens, Question, interpreted
from porf.errors import ModelError
from porf.evidence.svg import draw
from porf.execution import Execution
from porf.formats import dumps, loads
from porf.models.registry import FOLDER, MODELS, Model
from porf.record import Record, replace
from porf.result import Exit, nothing_to_draw

STORED = FOLDER / "hierarchy.json"
SECONDS = 600.0
MOST_EVENTS = 5
_TO_PROVE = 10.0  # seconds a pair


class Entry(Record):
    """Does `weak` allow everything that `strong` allows? At most one of proof and execution is given."""

    strong: str
    weak: str
    proof: str | None = None
    execution: Execution | None = None  # that only `strong` allows
    smallest: bool = False  # there is none of fewer events
    events: int = 0  # executions up to this size were all looked at
    left_out: tuple[str, ...] = ()  # operations that only one of the two interprets
    cut: bool = False  # the time was up before anything was found, or all was looked at

    @property
    def included(self) -> bool:
        """As far as is known."""
        return self.execution is None

    @property
    def verdict(self) -> str:
        known = "separated" if self.execution is not None else "proved" if self.proof else None
        return known or ("undecided" if self.cut else "not separated")

    @property
    def exit_code(self) -> Exit:
        return Exit.UNDECIDED if self.cut else Exit.HOLDS

    @property
    def history(self) -> str | None:
        """The execution in the text format."""
        return None if self.execution is None else dumps(self.execution).decode()

    def headline(self) -> str:
        return f"{self.weak} allows everything that {self.strong} allows: {self.verdict}"

    def report(self) -> str:
        found = [] if self.history is None else textwrap.indent(self.history.rstrip(), "  ").splitlines()
        return "\n".join([self.headline(), *([f"  {self.proof}"] if self.proof else found)])

    def draw(self) -> str:
        if self.execution is None:
            raise nothing_to_draw("no execution separates the models")
        return draw(self.execution, title=f"allowed by {self.strong}, forbidden by {self.weak}")

    def record(self) -> dict[str, Any]:
        out: dict[str, Any] = {"stronger": self.strong, "weaker": self.weak, "verdict": self.verdict}
        out |= {"proof": self.proof, "history": self.history}
        out |= {"smallest": self.smallest} if self.history else {}
        return out | {"events": self.events, "not_compared": list(self.left_out)}


class Hierarchy(Record):
    models: tuple[str, ...]
    entries: dict[tuple[str, str], Entry]

    @property
    def cut(self) -> bool:
        return any(entry.cut for entry in self.entries.values())

    @property
    def exit_code(self) -> Exit:
        return Exit.UNDECIDED if self.cut else Exit.HOLDS

    def headline(self) -> str:
        entries = self.entries.values()
        separated = sum(not entry.included for entry in entries)
        proved = sum(entry.verdict == "proved" for entry in entries)
        counts = (
            f"{proved} inclusions proved, {separated} refuted by an execution, {len(entries) - proved - separated} open"
        )
        return f"{'undecided: the time is up; ' if self.cut else ''}{len(entries)} ordered pairs: {counts}"

    def report(self) -> str:
        from porf.comparison.show_hierarchy import hierarchy_table

        if self.cut:  # models that nobody has told apart yet would look like equal ones
            return self.headline()
        return hierarchy_table(self)

    def draw(self) -> str:
        from porf.comparison.show_hierarchy import draw_hierarchy

        if self.cut:
            raise nothing_to_draw("the time was up before the models were told apart")
        return draw_hierarchy(self)

    def record(self) -> dict[str, Any]:
        """As it is stored: each execution once, and a row for each model with what is known of it and the others."""
        histories = list(dict.fromkeys(e.history for e in self.entries.values() if e.history is not None))
        rows: dict[str, dict[str, Any]] = {model: {} for model in self.models}
        for (strong, weak), entry in self.entries.items():
            known = {
                key: said for key in ("proof", "smallest", "events", "left_out", "cut") if (said := getattr(entry, key))
            }
            rows[strong][weak] = known | ({} if entry.history is None else {"history": histories.index(entry.history)})
        return {"models": list(self.models), "histories": histories, "pairs": rows}

    def included(self, strong: str, weak: str) -> bool:
        return strong == weak or self.entries[strong, weak].included

    def equals(self) -> list[tuple[str, ...]]:
        """The models in classes that no execution separates, on what both interpret."""
        classes: list[tuple[str, ...]] = []
        for model in self.models:
            for at, known in enumerate(classes):
                if all(self.included(model, other) and self.included(other, model) for other in known):
                    classes[at] = (*known, model)
                    break
            else:
                classes.append((model,))
        return classes

    def covers(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Classes next to each other: the second allows more, and nothing is between them."""
        classes = self.equals()
        below = {(a, b) for a, b in itertools.permutations(classes, 2) if self._under(a, b)}
        return [(a, b) for a, b in sorted(below) if not any((a, c) in below and (c, b) in below for c in classes)]

    def _under(self, strong: tuple[str, ...], weak: tuple[str, ...]) -> bool:
        return all(self.included(a, b) for a in strong for b in weak)

    def proved(self, strong: tuple[str, ...], weak: tuple[str, ...]) -> bool:
        """Whether every inclusion between two classes is proved."""
        return all(self.entries[a, b].proof is not None for a in strong for b in weak)


def compute(
    models: Sequence[Model] | None = None,
    *,
    seconds: float | None = SECONDS,
    events: int = MOST_EVENTS,
    progress: Callable[[int], object] | None = None,
) -> Hierarchy:
    """Searches for executions that separate the models, proves what it can of the other pairs, then searches on."""
    started = time.monotonic()
    allowance = Allowance(seconds)
    budget = Budget(seconds=seconds, progress=progress)
    chosen = list(MODELS.values()) if models is None else list(models)
    lenses = {model: Lens.of(model) for model in chosen}
    questions = {(a, b): Question(lenses[a], lenses[b]) for a, b in itertools.permutations(chosen, 2)}
    with allowance:
        answers = separate(list(questions.values()), min(events, QUICK), budget)
    alike = [pair for pair, question in questions.items() if answers[question].found is None]
    proofs: dict[_Pair, str] = {}
    with suppress(SpentError), allowance:
        _prove(alike, proofs, budget, started)
    _prove_by_way(alike, chosen, proofs)
    unknown = [q for pair, q in questions.items() if pair not in proofs and not answers[q].smallest]
    for some in ([q for q in unknown if not q.shared], [q for q in unknown if q.shared]) if events > QUICK else ():
        if budget.over(started):
            break
        with allowance:
            deeper = separate(some, events, budget.since(started))
        answers |= {question: better(answers[question], answer) for question, answer in deeper.items()}
    entries = {}
    for (strong, weak), question in questions.items():
        answer, proof = answers[question], proofs.get((strong, weak))
        execution = None if answer.found is None else answer.found.execution()
        cut = proof is None and execution is None and answer.complete < events
        entries[strong.name, weak.name] = Entry(
            strong.name, weak.name, proof, execution, answer.smallest, answer.complete, question.left_out, cut
        )
    return Hierarchy(tuple(model.name for model in chosen), entries)


_Pair = tuple[Model, Model]


def _prove(pairs: Sequence[_Pair], proofs: dict[_Pair, str], budget: Budget, started: float) -> None:
    """Adds the proofs of pairs, each by itself, as far as the time goes."""
    for pair in pairs:
        if budget.over(started):
            return
        left = budget.since(started)
        proof = prove(*pair, None, replace(left, seconds=min(_TO_PROVE, left.seconds or _TO_PROVE)))
        if proof is not None:
            proofs[pair] = proof.split(" (")[0]  # figures in brackets differ from run to run


def _prove_by_way(pairs: Iterable[_Pair], models: Sequence[Model], proofs: dict[_Pair, str]) -> None:
    """Adds those by way of a model between the two."""
    while True:
        more = {pair: way for pair in pairs if pair not in proofs and (way := _by_way_of(pair, models, proofs))}
        if not more:
            return
        proofs |= more


def _by_way_of(pair: _Pair, models: Sequence[Model], proofs: Collection[_Pair]) -> str | None:
    """A model that interprets all that both do."""
    strong, weak = pair
    needed = interpreted(strong) & interpreted(weak)
    for model in models:
        if needed <= interpreted(model) and (strong, model) in proofs and (model, weak) in proofs:
            return f"proved via {model.name}"
    return None


def stored(path: Path = STORED) -> Hierarchy:
    """The table that comes with the models."""
    try:
        table = json.loads(path.read_text("utf-8"))
        executions = [loads(history) for history in table["histories"]]
        entries = {}
        for strong, row in table["pairs"].items():
            for weak, known in row.items():
                execution = executions[known.pop("history")] if "history" in known else None
                left_out = tuple(known.pop("left_out", ()))
                entries[strong, weak] = Entry(strong, weak, **known, execution=execution, left_out=left_out)
        return Hierarchy(tuple(table["models"]), entries)
    except (OSError, ValueError, LookupError, AttributeError, TypeError) as error:
        hint = "porf models --hierarchy --recompute"
        raise ModelError(f"the table of the hierarchy cannot be read: {error}", source=str(path), hint=hint) from None
