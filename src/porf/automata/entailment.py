"""One model implies another: every axiom of the weaker follows from those of the stronger.

An axiom that says that a relation is irreflexive follows if each of its cycles is a cycle of the stronger model's
axioms, begun anywhere (Prop. 3.11 of the Kater paper), or breaks a fact of executions. Both models speak of one
modification order, so what is proved is more than is asked. What is not regular in the weaker model is made larger, in
the stronger one smaller. A stronger model that sees an update as one event may stand against one that sees two.
"""

import time
from pathlib import Path

from porf._core import Check
from porf.automata import expression as x
from porf.automata.elaborate import Elaborator
from porf.automata.halves import collapsing, in_halves, of_one_event
from porf.automata.inclusion import Question, decide
from porf.automata.prove import read as read_kat
from porf.automata.saturation import Component
from porf.automata.selection import Near
from porf.automata.theory import Relation, Theory, base_theory
from porf.checking.budget import Budget
from porf.errors import ModelError
from porf.language import base
from porf.language import formula as f
from porf.models.registry import Model
from porf.record import Record

_ORDERED = base.SETS["geNA"].predicate
# Relations within a thread, that agree with program order once the stronger model has shown it.
_INTERNAL = {"rf": "rfi", "mo": "moi", "fr": "fri"}


class Proof(Record):
    """That all axioms of the weaker model follow."""

    axioms: int
    states: int
    nodes: int
    seconds: float

    def __str__(self) -> str:
        axioms = "its axiom follows" if self.axioms == 1 else f"each of its {self.axioms} axioms follows"
        return f"proved, {axioms} ({self.states} states, {self.nodes} pairs, {self.seconds:.2f} s)"


class _Axioms(Record):
    """A model as a pair of lists: what has no cycles, and what is empty. `whole`: nothing of it is left out."""

    irreflexive: tuple[x.Regular, ...]
    empty: tuple[x.Regular, ...]
    whole: bool


def prove_stronger(strong: Model, weak: Model, assume: str | Path | None, budget: Budget) -> Proof | None:
    """A proof that `weak` allows everything that `strong` allows; None if none is found."""
    views = (strong.header.view, weak.header.view)
    if views == ("two", "one"):
        return None
    started = time.monotonic()
    theory = _theory(strong, weak)
    left, right = _axioms(strong, theory, "smaller"), _axioms(weak, theory, "larger")
    if not right.whole:
        return None
    if assume is not None:
        if views != ("two", "two"):
            return None
        theory = read_kat(Path(assume), theory).theory
    if views == ("one", "two"):
        collapsing(theory)
        left = _Axioms(tuple(map(of_one_event, left.irreflexive)), (), left.whole)
        right = _Axioms(tuple(map(in_halves, right.irreflexive)), tuple(map(in_halves, right.empty)), True)
    prover = _Prover(theory, left, budget, started)
    prover.learn(views)
    for expression in right.irreflexive:
        if not prover.irreflexive(expression):
            return None
    for expression in right.empty:
        if not prover.empty(expression):
            return None
    count = len(right.irreflexive) + len(right.empty)
    return Proof(count, prover.states, prover.nodes, time.monotonic() - started)


class _Prover:
    def __init__(self, theory: Theory, axioms: _Axioms, budget: Budget, started: float) -> None:
        self.theory, self._axioms, self._budget, self._started = theory, axioms, budget, started
        self.theory.impossible += axioms.empty
        self.theory.irreflexive += [x.Step("po"), x.Step("mo")]
        self.theory.total.add("mo")
        self.states = self.nodes = 0

    def learn(self, views: tuple[str, str]) -> None:
        """Facts that hold of the executions that the stronger model allows."""
        far = "-far" if views == ("one", "two") else ""
        po, fr = x.Step("po" + far), x.Step("fr" + far)
        for name, internal in _INTERNAL.items():
            outer = fr if name == "fr" else x.Step(name)
            if self.irreflexive(x.sequence((outer, po))):
                inner = x.Step(internal + far) if name == "fr" else x.Step(internal)
                self.theory.include(inner, x.Step("po-loc" + far))
        atomic = x.sequence((fr, x.Step("mo")))
        if views[0] == "one" and self.irreflexive(atomic):
            self.theory.assume(atomic, fr)

    def irreflexive(self, expression: x.Regular) -> bool:
        right = tuple(Component(x.without_empty(axiom), True) for axiom in self._axioms.irreflexive)
        if x.empty_paths(expression) is not False:
            return False
        return self._decided(Question(x.without_empty(expression), True, right))

    def empty(self, expression: x.Regular) -> bool:
        return self._decided(Question(expression, False, ()))

    def _decided(self, question: Question) -> bool:
        if self._budget.over(self._started):
            return False
        answer = decide(question, self.theory, self._budget.since(self._started))
        self.states = max(self.states, answer.states)
        self.nodes += answer.nodes
        return answer.holds is True


def _theory(strong: Model, weak: Model) -> Theory:
    """The base facts, less those that only hold of some executions; only operations that both models interpret."""
    view = weak.header.view
    theory = base_theory(view).copy()
    for internal in _INTERNAL.values():
        theory.included.discard((x.Step(internal), x.Step("po-loc")))
    theory.included.discard((x.Step("po"), x.Step("same-thread")))  # initial writes are before all, in no thread
    theory.changed()
    for name in ("ctrl", "addr", "data"):
        theory.relations[name] = Relation()
    if view == "two":
        theory.predicates.add("IW")
        theory.forbid(f.conjunction("IW", f.negation("W")))
        theory.forbid(f.conjunction("IW", f.disjunction("EXCL", _ORDERED)))
        theory.forbid(f.negation(f.disjunction(f.disjunction("R", "W"), "F")))
        theory.forbid(f.negation(f.disjunction("IW", _ORDERED)))
        theory.forbid(f.conjunction(f.disjunction("R", "W"), f.negation(f.disjunction("EXCL", "NEXCL"))))
    both = set(strong.header.interprets) & set(weak.header.interprets)
    if "updates" not in both:
        theory.forbid("U" if view == "one" else "EXCL")
    if "fences" not in both:
        theory.forbid("F")
    return theory


def _axioms(model: Model, theory: Theory, near: Near) -> _Axioms:
    """The axioms of a model, as regular ones."""
    irreflexive, empty, whole = [], [], True
    view = model.header.view
    elaborator = Elaborator(theory, view, names=base_theory(view), cuts=True, near=near)
    for axiom in model.file.axioms:
        if axiom.flagged:
            continue
        is_empty = axiom.check == Check.EMPTY
        try:
            value = elaborator.empty(axiom.node) if is_empty else elaborator.relation(axiom.node)
        except ModelError:  # not regular
            whole = False
            continue
        if axiom.negated:
            whole = False
        elif isinstance(value, x.Loops) and is_empty:
            irreflexive.append(value.body)
        elif any(map(x.is_outer, x.walk(value))):
            whole = False
        elif is_empty:
            empty.append(value)
        else:
            irreflexive.append(x.plus(value) if axiom.check == Check.ACYCLIC else value)
    return _Axioms(tuple(irreflexive), tuple(empty), whole)
