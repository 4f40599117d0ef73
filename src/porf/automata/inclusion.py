"""One inclusion, decided: the left side as it is, the right side saturated, the core compares them."""

import time
from dataclasses import dataclass, field

import numpy as np

from porf import _core
from porf._core import Included, Limit
from porf.automata import expression as x
from porf.automata.atoms import Atoms, TooManyAtomsError, all_predicates
from porf.automata.dominance import without_detours
from porf.automata.guarded import MOST_MOVES, Guarded, TooLargeError, automaton_of, rotations_of, words_of
from porf.automata.located import locate, with_runs
from porf.automata.reduction import reduced
from porf.automata.saturation import Component, Saturated, saturate
from porf.automata.theory import Relation, Theory
from porf.automata.totality import total_cycles
from porf.checking.budget import LIMITS, Budget
from porf.record import Record

_MOST_STEPS = 30_000


class Word(Record):
    """A path: the predicates that hold of each event, and the steps between. A loop ends where it began."""

    events: tuple[frozenset[str], ...]
    steps: tuple[x.Step, ...]
    loop: bool
    tracked: frozenset[str]  # the predicates that tell the events apart


@dataclass
class Answer:
    """`holds` None: not decided, and `why`."""

    holds: bool | None
    word: Word | None = None
    why: str = ""
    cut: list[str] = field(default_factory=list)
    states: int = 0  # of the right side
    nodes: int = 0  # pairs that were compared


class Question(Record):
    """Paths of `left` (only its loops, perhaps) against alternatives on the right."""

    left: x.Regular
    loops: bool
    right: tuple[Component, ...]

    def sides(self) -> tuple[x.Regular, x.Regular]:
        """The two sides as expressions, to be evaluated on a graph."""
        right = x.union(x.Rotations(one.body) if one.rotate else one.body for one in self.right)
        return x.Loops(self.left) if self.loops else self.left, right


def questions_of(left: x.Regular, right: x.Regular) -> list[Question]:
    """A statement taken apart: its outermost operators decide how paths are compared.

    Of loops only paths of at least one step are compared: `A & id <= B` asks whether a cycle of A is a cycle of B. A
    rotation speaks of cycles, so that `A <= rot B` is `A & id <= rot B`.
    """
    components, at_ends = [], []
    for part in right.parts if isinstance(right, x.Union) else (right,):
        match part:
            case x.Loops(body):
                at_ends.append(Component(body))
            case x.Rotations(body):
                components.append(Component(body, True))
            case _:
                components.append(Component(part))
    cyclic = any(component.rotate for component in components)
    plain: list[Question] = []
    walking, looping = [], []
    for part in left.parts if isinstance(left, x.Union) else (left,):
        match part:
            case x.Minus(body, without) if cyclic:
                plain += _loops(body, [Component(without), *components])
            case x.Minus(body, without):
                plain.append(Question(body, False, (Component(without), *components)))
            case x.Loops(body):
                looping.append(body)
            case _ if cyclic or isinstance(part, x.Rotations):
                looping.append(part)
            case _:
                walking.append(part)
    if walking:
        plain.append(Question(x.union(walking), False, tuple(components)))
    out: list[Question] = []
    for question in plain:
        out += _at_most_loops(question, at_ends) if at_ends and not question.loops else [question]
    turned = [part for part in looping if isinstance(part, x.Rotations)]
    others = [part for part in looping if not isinstance(part, x.Rotations)]
    for body in [*turned, x.union(others)] if others else turned:
        out += _loops(body, [*components, *at_ends])
    return out


def _loops(left: x.Regular, right: list[Component]) -> list[Question]:
    standing = x.empty_paths(left)
    out = [Question(x.Check(standing), False, tuple(right))] if standing is not False else []
    if not isinstance(left, x.Rotations):
        left = x.without_empty(left)
    bodies = [Component(x.without_empty(component.body), component.rotate) for component in right]
    return [*out, Question(left, True, tuple(bodies))]


def _at_most_loops(question: Question, at_ends: list[Component]) -> list[Question]:
    """`A <= B & id` says that A leads nowhere, and that its loops are in B."""
    if question.right:
        return [question]  # each path by the other alternatives: less than is meant, but never too much
    nowhere = Question(question.left, False, (Component(x.IDENTITY),))
    return [nowhere, *_loops(question.left, at_ends)]


def decide(question: Question, theory: Theory, budget: Budget) -> Answer:
    """Whether the theory puts every path of the left side into the right one."""
    try:
        return _decide(question, theory, budget)
    except TooManyAtomsError:
        return Answer(None, why="too many independent predicates")
    except TooLargeError:
        return Answer(None, why=f"an automaton would have more than {MOST_MOVES:,} transitions")


def _decide(question: Question, theory: Theory, budget: Budget) -> Answer:
    started = time.monotonic()
    if x.size_of(question.left) > _MOST_STEPS:
        return Answer(None, why=f"the left side has more than {_MOST_STEPS:,} steps")
    theory = theory.copy()
    left = _split(question, theory)
    rotated = isinstance(left, x.Rotations)
    body = left.body if isinstance(left, x.Rotations) else left
    if rotated and question.loops and all(component.rotate for component in question.right):
        rotated = False
    atoms = theory.atoms(_predicates(body, question, theory))
    automaton = reduced(without_detours(automaton_of(body, atoms), theory), len(atoms))
    if rotated:
        automaton = rotations_of(automaton, atoms.all)
    if question.loops and "loc" in theory.relations:
        automaton = locate(automaton, theory, atoms.mask("LOC"), atoms.all)
    alphabet = automaton.alphabet()

    def included(smaller: x.Regular, larger: x.Regular) -> bool:
        right = Saturated([automaton_of(larger, atoms)], [False])
        found, _ = _compare(automaton_of(smaller, atoms), right, False, theory, atoms, budget.since(started))
        return found.included == Included.HOLDS

    def over() -> bool:
        return budget.over(started)

    right = saturate(list(question.right), theory, atoms, alphabet, question.loops, included, over)
    if over():
        return Answer(None, why=LIMITS[Limit.TIME], cut=right.cut)
    answer = _answer(automaton, right, question.loops, theory, atoms, budget.since(started))
    if answer.holds is not False or not question.loops:
        return answer
    # What is seldom needed: more cycles that are none of an execution.
    cycles = total_cycles(right, theory, atoms, over) if theory.total and any(right.rotate) else None
    more = _add_runs(right, theory, atoms)
    if cycles is not None:
        right.add(cycles, True)
    if (more or cycles is not None) and not over():
        answer = _answer(automaton, right, True, theory, atoms, budget.since(started))
    return answer


def _add_runs(right: Saturated, theory: Theory, atoms: Atoms) -> bool:
    """Whether there are steps within a location that a run of others may stand for; they are added."""
    if "loc" not in theory.relations:
        return False
    made = [(with_runs(automaton, theory, atoms.all), rotate) for automaton, rotate in right.parts()]
    for automaton, rotate in made:
        if automaton is not None:
            right.add(reduced(automaton, len(atoms)), rotate)
    return any(automaton is not None for automaton, _ in made)


def _answer(left: Guarded, right: Saturated, loops: bool, theory: Theory, atoms: Atoms, budget: Budget) -> Answer:
    found, word = _compare(left, right, loops, theory, atoms, budget)
    states = sum(len(automaton.final) for automaton in right.automata)
    holds = {Included.HOLDS: True, Included.FAILS: False}.get(found.included)
    out = Answer(holds, why=LIMITS[found.limit], cut=right.cut, states=states, nodes=found.nodes)
    if found.included == Included.FAILS:
        events = tuple(atoms.members[at] for at in found.atoms)
        out.word = Word(events, tuple(word), loops, frozenset(atoms.predicates))
    return out


def _compare(
    left: Guarded, right: Saturated, loops: bool, theory: Theory, atoms: Atoms, budget: Budget
) -> tuple[_core.Inclusion, list[x.Step]]:
    """What the core finds, and the word that shows it, in steps."""
    steps = sorted(left.alphabet().union(*(automaton.alphabet() for automaton in right.automata)), key=repr)
    letters = {step: at for at, step in enumerate(steps)}
    below = np.array([[upper in theory.above(step) for upper in steps] for step in steps], np.uint8).reshape(-1)
    ends = [theory.ends(step) for step in steps]
    count = len(atoms)
    found = _core.include(
        left.core(letters, count),
        [automaton.core(letters, count) for automaton in right.automata],
        right.rotate,
        loops,
        len(steps),
        below,
        words_of((atoms.mask(domain) for domain, _ in ends), count),
        words_of((atoms.mask(range_) for _, range_ in ends), count),
        budget.start(),
    )
    return found, [steps[at] for at in found.letters]


def _split(question: Question, theory: Theory) -> x.Regular:
    """Left steps that are known to be one of several others, where the right side looks at those."""
    names = _mentioned(question, theory)

    def leaf(part: x.Check | x.Step, above: frozenset[str] = frozenset()) -> x.Regular:
        if isinstance(part, x.Check) or part.name in above:
            return part
        for parts in theory.splits.get(part.name, ()):
            if _worth(part.name, parts, names, theory):
                return x.union(leaf(_both(part, name, theory), above | {part.name}) for name in parts)
        return part

    return x.rebuild(question.left, leaf)


def _mentioned(question: Question, theory: Theory) -> set[str]:
    """The relations that the right side looks at, also by what its steps may stand for."""
    paths = [component.body for component in question.right]
    paths += [*theory.impossible, *theory.irreflexive, *theory.nowhere]
    names: set[str] = set()
    while paths:
        found = {step.name for path in paths for step in x.steps_of(path)} - names
        names |= found
        paths = [
            path
            for step, rules in theory.stands_for.items()
            if any(theory.below(step.name, name) for name in found)
            for path in rules
        ]
    return names


def _worth(name: str, parts: tuple[str, ...], mentioned: set[str], theory: Theory) -> bool:
    above = [{step.name for step in theory.above(x.Step(part))} & mentioned for part in parts]
    own = {step.name for step in theory.above(x.Step(name))}
    return all(above) and any(names - own for names in above)


def _both(step: x.Step, name: str, theory: Theory) -> x.Step:
    """A step along two relations at once."""
    if theory.below(name, step.name):
        return x.Step(name, step.back)
    joint = f"{step.name}&{name}"
    if joint not in theory.relations:
        theory.relations[joint] = Relation()
        theory.include(x.Step(joint), x.Step(step.name), fact=False)
        theory.include(x.Step(joint), x.Step(name), fact=False)
    return x.Step(joint, step.back)


def _predicates(left: x.Regular, question: Question, theory: Theory) -> set[str]:
    """Every predicate that a test or an end of a step asks for."""
    paths = [left, *(component.body for component in question.right)]
    paths += [*theory.impossible, *theory.irreflexive, *theory.nowhere]
    paths += [path for rules in theory.stands_for.values() for path in rules]
    formulas = {formula for path in paths for formula in x.tests_of(path)}
    steps = {step for path in paths for step in x.steps_of(path)} | theory.stands_for.keys()
    for scheme in theory.insertions:
        formulas |= {scheme.source, scheme.target, *scheme.between}
        steps |= {scheme.step, *scheme.path}
    for step in steps:
        formulas |= set(theory.ends(step))
    found = all_predicates(formulas)
    return found | ({"LOC"} if "LOC" in theory.predicates else set())
