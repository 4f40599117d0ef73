"""Which of two models is stronger, and what is the evidence? A proof, or an execution that only one of them allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from porf.allowance import Allowance, SpentError
from porf.automata.entailment import prove_stronger
from porf.checking.budget import Budget
from porf.comparison.assumptions import assumptions_of, constrained
from porf.comparison.difference import Difference
from porf.comparison.separate import Answer, separate
from porf.comparison.structural import implied
from porf.comparison.vocabulary import Lens, Question, interpreted
from porf.errors import UsageError, check_options
from porf.formats.litmus import find_language
from porf.models.registry import ALL_MODELS, MODELS, Model, find_model
from porf.record import Record
from porf.record import replace as replaced
from porf.result import Case, Exit, Finding, Spot, nothing_to_draw

Relation = Literal["equal", "stronger", "weaker", "incomparable", "unknown"]
SECONDS = 20.0
MOST_EVENTS = 5
_HOP = 5.0  # seconds for a proof on the way to another
QUICK = 4  # events that are tried before a proof is


class Direction(Record, eq=False):
    """Does `weak` allow everything that `strong` allows? A proof, a counterexample, or how far the search got."""

    strong: Model
    weak: Model
    proof: str | None = None
    counterexample: Difference | None = None
    complete: int = 0  # no execution of so many events or fewer is a counterexample
    cycles: bool = False  # of executions, only those of critical cycles were searched

    @property
    def holds(self) -> bool | None:
        if self.counterexample is not None:
            return False
        return True if self.proof is not None else None

    def report(self) -> str:
        strong, weak = self.strong.name, self.weak.name
        if self.counterexample is not None:
            return self.counterexample.report()
        claim = f"{weak} allows everything that {strong} allows"
        if self.proof is not None:
            return f"{claim}: {self.proof}"
        return f"it is not known whether {claim}: {self.bound}"

    @property
    def bound(self) -> str:
        if self.complete == 0:
            return "no proof was found, and no execution was searched for"
        events = f"{self.complete} event{'' if self.complete == 1 else 's'}"
        what = "critical cycle" if self.cycles else "execution"
        return f"no {what} of up to {events} says otherwise, and no proof was found"

    def record(self) -> dict[str, Any]:
        return {
            "stronger": self.strong.name,
            "weaker": self.weak.name,
            "holds": self.holds,
            "proof": self.proof,
            "searched_events": self.complete,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """How two models relate, each direction with a proof, a counterexample, or how far the search got.

    >>> import porf
    >>> comparison = porf.compare("ra", "tso")
    >>> comparison
    <Comparison: ra is weaker than tso>
    >>> print(comparison.counterexamples[0].execution.describe(1))
    u y 0->1
    """

    left: Model
    right: Model
    forth: Direction  # of what the left one allows, in what the right one allows
    back: Direction
    left_out: tuple[str, ...]  # operations that only one of the two interprets
    seconds: float
    taken: tuple[str, ...] = ()  # what of one machine is taken for what of the other

    def __repr__(self) -> str:
        return f"<Comparison: {self.headline()}>"

    @property
    def relation(self) -> Relation:
        """The left model is … the right one. `stronger` may turn out to be equal if `back` is not known."""
        match self.forth.holds, self.back.holds:
            case True, True:
                return "equal"
            case True, _:
                return "stronger"
            case False, True:
                return "weaker"
            case False, False:
                return "incomparable"
        return "unknown"

    def written_in(self, language: str) -> Comparison:
        """The same, with the litmus tests of its counterexamples in this language: c, x86, aarch64, ppc, riscv."""
        language = find_language(language)
        if self.forth.cycles:
            raise UsageError("the tests of models of machines are in their own words", hint="leave out --to")
        directions = [
            direction
            if direction.counterexample is None
            else replaced(direction, counterexample=replaced(direction.counterexample, language=language))
            for direction in (self.forth, self.back)
        ]
        return replace(self, forth=directions[0], back=directions[1])

    @property
    def counterexamples(self) -> list[Difference]:
        return [i.counterexample for i in (self.forth, self.back) if i.counterexample is not None]

    @property
    def exit_code(self) -> int:
        """Whether the right model allows everything that the left one does."""
        return {True: Exit.HOLDS, False: Exit.FAILS, None: Exit.UNDECIDED}[self.forth.holds]

    def case(self) -> Case:
        file = next((str(model.path) for model in (self.left, self.right) if model.name not in ALL_MODELS), "")
        said = tuple(self.forth.report().splitlines())
        about = "a model that allows what another forbids, where it was to be at least as strong"
        wrong = (Finding("not-stronger", self.headline(), Spot(file), about, said),)
        name = f"{self.left.name} against {self.right.name}"
        return Case(name, file, self.seconds, wrong if self.exit_code == Exit.FAILS else ())

    def draw(self) -> str:
        """An execution that separates the models: one that only the left one allows, if there is one."""
        if not self.counterexamples:
            raise nothing_to_draw("no execution separates the models")
        return self.counterexamples[0].forbidden.draw()

    def headline(self) -> str:
        left, right = self.left.name, self.right.name
        words = {
            "equal": f"{left} and {right} are equal",
            "stronger": f"{left} is stronger than {right}" + (", or equal" if self.back.holds is None else ""),
            "weaker": f"{left} is weaker than {right}",
            "incomparable": f"{left} and {right} are incomparable",
            "unknown": f"how {left} and {right} compare is not known",
        }
        if self.relation == "unknown" and False in (self.forth.holds, self.back.holds):
            than = "weaker" if self.forth.holds is False else "stronger"
            return f"{left} is {than} than {right}, or incomparable with it"
        return words[self.relation]

    def report(self) -> str:
        """What `porf compare` prints."""
        parts = [self.headline()]
        if self.left_out:
            parts[0] += f", where both apply: only one of them interprets {' and '.join(self.left_out)}"
        if self.taken:
            parts.append(f"taken for one another: {', '.join(self.taken)}")
        return "\n\n".join([*parts, self.forth.report(), self.back.report()])

    def record(self) -> dict[str, Any]:
        """One JSON-able object, as in `porf compare --json`."""
        return {
            "left": self.left.name,
            "right": self.right.name,
            "relation": self.relation,
            "counterexamples": [found.record() for found in self.counterexamples],
            "inclusions": [self.forth.record(), self.back.record()],
            "not_compared": list(self.left_out),
            **({"taken": list(self.taken)} if self.taken else {}),
            "seconds": round(self.seconds, 3),
        }


def compare(
    left: str | Path | Model,
    right: str | Path | Model,
    *,
    assume: str | Path | None = None,
    seconds: float | None = SECONDS,
    events: int = MOST_EVENTS,
    progress: Callable[[int], object] | None = None,
) -> Comparison:
    """Compares two models, given by name or by the path of a model file.

    >>> import porf
    >>> porf.compare("sc", "tso").relation
    'stronger'

    `assume` is a kat file: only executions that satisfy its assumptions count. The search for counterexamples goes up
    to that many events or seconds; a proof gets what is left of the seconds.
    """
    check_options(seconds=seconds, events=events, assume=assume)
    started = time.monotonic()
    allowance, reading = Allowance(seconds), Allowance(seconds, what=f"{left} and {right}")
    budget = Budget(seconds=seconds, progress=progress)
    with reading:
        a, b = find_model(left), find_model(right)
        machines = any(model.header.architecture is not None for model in (a, b))
    if machines:
        return _of_machines(a, b, assume, events, allowance, budget)
    with reading:
        lenses = [Lens.of(model) for model in (a, b)]
        allowing = lenses
        if assume is not None:
            assumed = assumptions_of(assume)
            if assumed is None:
                events = 0  # no execution can be known to count
            else:
                allowing = [constrained(lens, assumed) for lens in lenses]
        questions = [Question(allowing[0], lenses[1]), Question(allowing[1], lenses[0])]
    proofs: dict[Question, str] = {}
    with allowance:
        answers = separate(questions, min(events, QUICK), budget)
    with suppress(SpentError), allowance:
        for question, pair in zip(questions, ((a, b), (b, a)), strict=True):
            if answers[question].found is None:
                proof = prove(*pair, assume, budget.since(started))
                if proof is None and assume is None:
                    proof = _by_way_of(*pair, budget.since(started))
                if proof is not None:
                    proofs[question] = proof
    unknown = [q for q in questions if q not in proofs and not answers[q].smallest]
    if unknown and events > QUICK and not budget.over(started):
        with allowance:
            deeper = separate(unknown, events, budget.since(started))
        answers |= {q: better(answers[q], answer) for q, answer in deeper.items()}
    forth, back = (
        _direction(*pair, answers[question], proofs.get(question))
        for question, pair in zip(questions, ((a, b), (b, a)), strict=True)
    )
    return Comparison(a, b, forth, back, questions[0].left_out, time.monotonic() - started)


def _of_machines(
    a: Model, b: Model, assume: str | Path | None, events: int, allowance: Allowance, budget: Budget
) -> Comparison:
    """Models of machines: by critical cycles, each in the words of both."""
    from porf.comparison.machines import search

    started = time.monotonic()
    if assume is not None:
        raise UsageError("assumptions are for models of what C says", hint="leave out --assume")
    with allowance:
        found = search(a, b, events, budget)
    directions = []
    for pair in ((a, b), (b, a)):
        difference, proof = found.differences.get(pair[0]), None
        with suppress(SpentError), allowance:
            proof = None if difference is not None else prove(*pair, None, budget.since(started))
        directions.append(Direction(*pair, proof, difference, found.complete, cycles=True))
    return Comparison(a, b, directions[0], directions[1], (), time.monotonic() - started, found.taken)


def better(quick: Answer, deep: Answer) -> Answer:
    """What two searches for the same know together."""
    found = deep.found or quick.found
    return replace(deep, found=found, complete=max(quick.complete, deep.complete))


def _direction(strong: Model, weak: Model, answer: Answer, proof: str | None) -> Direction:
    counterexample = None
    if answer.found is not None:
        counterexample = Difference.of(strong, weak, answer.found, answer.smallest)
    return Direction(strong, weak, proof, counterexample, answer.complete)


def _by_way_of(strong: Model, weak: Model, budget: Budget) -> str | None:
    """By two proofs: a built-in model between the two, which interprets all that both do."""
    started = time.monotonic()
    needed = interpreted(strong) & interpreted(weak)
    fitting = [m for m in MODELS.values() if m not in (strong, weak) and needed <= interpreted(m)]
    lenses = {model: Lens.of(model) for model in (strong, weak, *fitting)}
    hops = {m: (Question(lenses[strong], lenses[m]), Question(lenses[m], lenses[weak])) for m in fitting}
    answers = separate([hop for pair in hops.values() for hop in pair], 2, budget)
    for model in fitting:
        if any(answers[hop].found is not None for hop in hops[model]) or budget.over(started):
            continue
        hop = replace(budget.since(started), seconds=_HOP)
        if prove(strong, model, None, hop) and prove(model, weak, None, hop):
            return f"proved via {model.name}"
    return None


def prove(strong: Model, weak: Model, assume: str | Path | None, budget: Budget) -> str | None:
    """Why one model allows everything that the other allows, in a few words; None if that is not proved."""
    if strong.path.resolve() == weak.path.resolve():
        return "they are the same file"
    if strong.path == MODELS["sc"].path and weak.allows_sequential:
        return "it allows every sequential interleaving"
    if assume is None and (reason := implied(strong, weak)) is not None:
        return reason
    proof = prove_stronger(strong, weak, assume, budget)
    return str(proof) if proof else None
