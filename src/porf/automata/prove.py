"""Statements of a kat file, each proved, refuted by a counterexample, or left open with the reason."""

from __future__ import annotations

import os
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porf.allowance import Allowance, SpentError, look
from porf.automata import expression as x
from porf.automata.chase import ContradictionError
from porf.automata.counterexample import Counterexample, refutation
from porf.automata.inclusion import Answer, Question, Word, decide, questions_of
from porf.automata.saturation import Component
from porf.automata.script import Claim, Script, read_script, read_source
from porf.automata.theory import Theory
from porf.checking.budget import Budget
from porf.errors import check_options, wrong_type
from porf.evidence.svg import draw
from porf.formats.litmus import find_language
from porf.language import formula as f
from porf.language import syntax as s
from porf.record import replace as replaced
from porf.result import Case, Exit, Finding, Spot, nothing_to_draw

_VACUOUS = "the left side is always empty: the theory rules out every path of it"
_TRIES = 12  # words that no graph confirms are left out, so often


@dataclass(frozen=True, repr=False)
class Judgement:
    """What became of one assertion: it holds, it fails with a counterexample, or it is unknown.

    >>> import porf
    >>> porf.prove("examples/proofs/eco_eco2.kat")[0]
    <Judgement examples/proofs/eco_eco2.kat:5: holds: eco::eco = eco2::eco>
    """

    file: str
    line: int
    statement: str
    verdict: str  # holds fails unknown
    counterexample: Counterexample | None
    seconds: float
    why: str = ""  # of unknown: what was cut
    note: str = ""  # of holds: that there is nothing of which it could fail
    states: int = 0
    nodes: int = 0

    def __repr__(self) -> str:
        return f"<Judgement {self.headline()}>"

    @property
    def exit_code(self) -> int:
        return {"holds": Exit.HOLDS, "fails": Exit.FAILS}.get(self.verdict, Exit.UNDECIDED)

    def written_in(self, language: str) -> Judgement:
        """The same, with its counterexample's litmus test in this language: c, x86, aarch64, ppc, riscv."""
        if self.counterexample is None:
            return self
        return replace(self, counterexample=replaced(self.counterexample, language=find_language(language)))

    def headline(self) -> str:
        return f"{self.file}:{self.line}: {self.verdict}: {self.statement}"

    def report(self) -> str:
        """The headline, then why it is unknown or what shows that it fails."""
        parts = [self.headline()]
        parts += [f"  note: {self.note}"] if self.note else []
        parts += [f"  because: {self.why}"] if self.why else []
        parts += [textwrap.indent(self.counterexample.report(), "  ")] if self.counterexample else []
        return "\n".join(parts)

    def draw(self) -> str:
        if self.counterexample is None or self.counterexample.execution is None:
            raise nothing_to_draw("no execution shows that a statement fails")
        return draw(self.counterexample.execution, title=f"not {self.statement}")

    def case(self) -> Case:
        found = self.counterexample
        where = Spot(self.file, self.line, 1)
        about = "a statement that some execution makes false"
        shown = () if found is None else tuple(found.report().splitlines())
        wrong = (Finding("statement-fails", f"fails: {self.statement}", where, about, shown),)
        name = f"{self.file}:{self.line}: {self.statement}"
        return Case(name, self.file, self.seconds, wrong if self.verdict == "fails" else ())

    def record(self) -> dict[str, Any]:
        """As `--json` prints it."""
        out: dict[str, Any] = {
            "file": self.file,
            "line": self.line,
            "statement": self.statement,
            "verdict": self.verdict,
            "counterexample": None if self.counterexample is None else self.counterexample.record(),
            "seconds": round(self.seconds, 6),
            "states": self.states,
            "nodes": self.nodes,
        }
        for name in ("why", "note"):
            if getattr(self, name):
                out[name] = getattr(self, name)
        return out


@dataclass
class _Sum:
    states: int = 0
    nodes: int = 0
    why: list[str] = field(default_factory=list)
    vacuous: bool = False

    def add(self, answer: Answer) -> None:
        self.states = max(self.states, answer.states)
        self.nodes += answer.nodes


def prove(path: str | Path, *, seconds: float | None = None, memory: int | None = None) -> list[Judgement]:
    """Decides every assertion of a kat file, in order; seconds and bytes of memory are for reading it, and for each.

    >>> import porf
    >>> [result.verdict for result in porf.prove("examples/proofs/c11_to_tso.kat")]
    ['holds', 'holds']
    """
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("prove", "the path of a kat file", path)
    check_options(seconds=seconds, memory=memory)
    with Allowance(seconds, memory, what=str(path)):
        script = read(Path(path))
    return list(proofs(script, Budget(seconds=seconds, bytes=memory)))


def read(path: Path, theory: Theory | None = None) -> Script:
    """The claims of a kat file, and a theory (the base theory, unless another is given) with its assumptions."""
    return read_script(path, _follows, theory)


def prove_text(text: str, name: str = "text", budget: Budget | None = None) -> list[Judgement]:
    """Like `prove`, for a text; includes are looked up among the bundled models."""
    return list(proofs(read_source(s.Source(f"<{name}>", text, "kat"), None, _follows), budget or Budget()))


def proofs(script: Script, budget: Budget) -> Iterator[Judgement]:
    for claim in script.claims:
        yield prove_claim(claim, script.theory, budget)


def _follows(theory: Theory, left: x.Regular, right: x.Regular) -> bool:
    look()  # that a limit left it open is no reason to refuse what is assumed
    return all(decide(question, theory, Budget(seconds=10)).holds for question in questions_of(left, right))


def prove_claim(claim: Claim, theory: Theory, budget: Budget) -> Judgement:
    """Decides an assertion within the budget; what takes longer is unknown."""
    started = time.monotonic()
    total = _Sum()
    try:
        with Allowance(budget.seconds, budget.bytes):
            verdict, found = _proved(claim, theory, budget, total)
    except SpentError as spent:
        verdict, found = "unknown", None
        total.why.append(str(spent))
    return Judgement(
        claim.place.source.name,
        claim.line,
        claim.statement,
        verdict,
        found,
        time.monotonic() - started,
        "; ".join(dict.fromkeys(total.why)) if verdict == "unknown" else "",
        _VACUOUS if verdict == "holds" and total.vacuous else "",
        states=total.states,
        nodes=total.nodes,
    )


def _proved(claim: Claim, theory: Theory, budget: Budget, total: _Sum) -> tuple[str, Counterexample | None]:
    """The verdict, and what shows that a statement fails."""
    started = time.monotonic()
    directions = [(claim.left, claim.right)]
    if claim.both_ways:
        directions.append((claim.right, claim.left))
    verdict = "holds"
    for left, right in directions:
        holds, counterexample = _prove_direction(left, right, theory, budget.since(started), total)
        if holds is False:
            return "fails", counterexample
        if holds is None:
            verdict = "unknown"
    return verdict, None


def _prove_direction(
    left: x.Regular, right: x.Regular, theory: Theory, budget: Budget, total: _Sum
) -> tuple[bool | None, Counterexample | None]:
    started = time.monotonic()
    holds: bool | None = True
    for question in questions_of(left, right):
        answer, found = _prove_question(question, theory, budget.since(started), total)
        if answer is False:
            return False, found
        if answer is None:
            holds = None
    return holds, None


def _prove_question(
    question: Question, theory: Theory, budget: Budget, total: _Sum
) -> tuple[bool | None, Counterexample | None]:
    """A word that no graph confirms is left out and another one is asked for; one that is no execution, too."""
    started = time.monotonic()
    answer = decide(question, theory, budget)
    total.add(answer)
    if answer.holds:
        nothing_asked = all(component.body == x.NOTHING for component in question.right)
        if answer.nodes == 0 and not nothing_asked and decide(_of_nothing(question), theory, budget).holds:
            total.vacuous = True
        return True, None
    left, right = question.sides()
    abstract: Counterexample | None = None
    why: list[str] = []
    for _ in range(_TRIES):
        if answer.word is None:
            break
        try:
            found = refutation(answer.word, left, right, theory)
            if found.real:
                return False, found
            abstract = abstract or found
            if any("::" in step.name for step in x.steps_of(question.left)):
                break  # relations of the file's own are in no execution
        except ContradictionError as error:
            why += [f"{cut} was cut" for cut in answer.cut] or [str(error)]
        if budget.over(started):
            break
        question = _without(question, answer.word)
        answer = decide(question, theory, budget.since(started))
        total.add(answer)
    if abstract is not None:
        return False, abstract
    total.why += why or [answer.why]
    return None, None


def _of_nothing(question: Question) -> Question:
    return Question(question.left, question.loops, ())


def _without(question: Question, word: Word) -> Question:
    """The same, but for this word."""
    parts: list[x.Regular] = []
    for at, held in enumerate(word.events):
        formula: f.Formula = True
        for name in sorted(word.tracked):
            formula = f.conjunction(formula, name if name in held else f.negation(name))
        parts.append(x.Check(formula))
        if at < len(word.steps):
            parts.append(word.steps[at])
    return Question(question.left, question.loops, (*question.right, Component(x.sequence(parts), question.loops)))
