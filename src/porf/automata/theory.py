"""A theory: the facts that statements are proved from. The base facts and a file's assumptions are sorted alike.

Each fact goes where it can be used: into what an event can be, into domains and ranges, into inclusions of steps, into
what a step may stand for, into what cannot happen. A fact that fits nowhere is an error, never ignored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import count

from porf.automata import expression as x
from porf.automata.atoms import Atoms, Clause, clauses_of
from porf.language import formula as f
from porf.record import Record

_VERSIONS = count()


class UnusableError(Exception):
    """An assumption of a shape that no elimination handles."""

    def __init__(self, why: str, hint: str) -> None:
        super().__init__(why)
        self.why, self.hint = why, hint


class Relation(Record):
    """A primitive relation: the events that it leads from and to."""

    domain: f.Formula = True
    range: f.Formula = True


class Insertion(Record):
    """A compilation scheme: where a step leads from an event of one kind to another, it can be done by this path."""

    source: f.Formula
    step: x.Step
    target: f.Formula
    path: tuple[x.Step, ...]
    between: tuple[f.Formula, ...]  # what the events between the steps of the path satisfy


@dataclass
class Theory:
    predicates: set[str] = field(default_factory=set)
    clauses: list[Clause] = field(default_factory=list)
    relations: dict[str, Relation] = field(default_factory=dict)
    included: set[tuple[x.Step, x.Step]] = field(default_factory=set)  # a step is also another one
    stands_for: dict[x.Step, list[x.Regular]] = field(default_factory=dict)  # e <= r: a path is also a step
    splits: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)  # r <= a | b
    impossible: list[x.Regular] = field(default_factory=list)  # e = 0
    irreflexive: list[x.Regular] = field(default_factory=list)  # e & id = 0
    nowhere: list[x.Regular] = field(default_factory=list)  # e <= id: leads nowhere
    insertions: list[Insertion] = field(default_factory=list)
    total: set[str] = field(default_factory=set)
    version: int = -1  # no two sets of facts have the same
    closures: dict[object, tuple[dict[str, x.Regular], set[str]]] = field(
        default_factory=dict
    )  # what was found out from a version; copies share it
    _above: dict[x.Step, frozenset[x.Step]] = field(default_factory=dict)

    def copy(self) -> Theory:
        kept = ("version", "closures")
        out = Theory(**{name: value.copy() for name, value in vars(self).items() if name not in kept})
        out.version, out.closures = self.version, self.closures
        out.stands_for = {step: list(paths) for step, paths in self.stands_for.items()}
        out.splits = {name: list(parts) for name, parts in self.splits.items()}
        out._above = {}
        return out

    # Inclusion of steps.

    def above(self, step: x.Step) -> frozenset[x.Step]:
        """Every step that this one also is, itself among them."""
        if step in self._above:
            return self._above[step]
        out, waiting = {step, x.Step("any"), x.Step("any", True)}, [step]
        while waiting:
            found = waiting.pop()
            for lower, upper in self.included:
                if (found.name, found.back) == (lower.name, lower.back):
                    more = upper
                elif (found.name, not found.back) == (lower.name, lower.back):
                    more = x.Step(upper.name, not upper.back)
                else:
                    continue
                if more not in out:
                    out.add(more)
                    waiting.append(more)
        self._above[step] = frozenset(out)
        return self._above[step]

    def include(self, lower: x.Step, upper: x.Step, fact: bool = True) -> None:
        """Every step along the one is a step along the other. No fact: the name is new, and means just this."""
        if fact:
            self.changed()
        self.included.add((lower, upper))
        self._above.clear()

    def changed(self) -> None:
        """Facts were added or taken away."""
        self.version = next(_VERSIONS)
        self._above.clear()

    def below(self, name: str, other: str) -> bool:
        return x.Step(other) in self.above(x.Step(name))

    def ends(self, step: x.Step) -> tuple[f.Formula, f.Formula]:
        """What the events at the beginning and at the end of a step satisfy."""
        domain: f.Formula = True
        range_: f.Formula = True
        for upper in self.above(step):
            relation = self.relations.get(upper.name, Relation())
            ends = (relation.domain, relation.range)
            domain = f.conjunction(domain, ends[1] if upper.back else ends[0])
            range_ = f.conjunction(range_, ends[0] if upper.back else ends[1])
        return domain, range_

    def atoms(self, predicates: set[str]) -> Atoms:
        return Atoms(predicates, self.clauses)

    # Facts.

    def forbid(self, formula: f.Formula) -> None:
        """No event satisfies it."""
        self.clauses.extend(clauses_of(f.negation(formula)))

    def assume(self, left: x.Regular, right: x.Regular) -> None:
        """`left <= right`, put where it is used; UnusableError where that is nowhere."""
        self.changed()
        for part in left.parts if isinstance(left, x.Union) else (left,):
            self._assume_part(part, right)

    def _assume_part(self, left: x.Regular, right: x.Regular) -> None:
        if left == right or left == x.NOTHING:
            return
        if isinstance(left, x.Minus):
            return self.assume(left.body, x.union((left.without, right)))
        if isinstance(left, x.Loops):
            if right == x.NOTHING:
                self.irreflexive.append(left.body)
                return
            raise UnusableError("an assumption about loops can only say that there are none", "write `r & id = 0`")
        if any(map(x.is_outer, (*x.walk(left), *x.walk(right)))):
            raise UnusableError("`rot`, `\\` and `& id` cannot be used in an assumption", "assume a plain inclusion")
        match right:
            case x.Check(formula):
                self._assume_test(left, formula)
            case x.Step():
                self._assume_step(left, right)
            case _:
                self._assume_path(left, right)

    def _assume_test(self, left: x.Regular, formula: f.Formula) -> None:
        if isinstance(left, x.Check):
            return self.forbid(f.conjunction(left.formula, f.negation(formula)))
        if formula is not False:
            self.nowhere.append(left)
        if formula is not True:
            self.impossible.append(x.sequence((left, x.Check(f.negation(formula)))))

    def _assume_step(self, left: x.Regular, right: x.Step) -> None:
        if isinstance(left, x.Step):
            self.include(left, right)
        elif right.back:
            self.stands_for.setdefault(x.Step(right.name), []).append(x.inverse(left))
        else:
            self.stands_for.setdefault(right, []).append(left)

    def _assume_path(self, left: x.Regular, right: x.Regular) -> None:
        source, step, target = _one_step(left)
        if step is None:
            raise UnusableError(
                "this assumption cannot be used: its right side is neither a step, nor `id`, nor 0",
                "shapes: e = 0, e <= id, e <= r, r <= [A];r;[B], [A];r;[B] <= [A];r;[C];r;[B], total r",
            )
        if isinstance(right, x.Union) and left in right.parts:
            return  # it says nothing
        if isinstance(right, x.Union) and left == step and not step.back:
            parts = [part for part in right.parts if isinstance(part, x.Step) and not part.back]
            if len(parts) == len(right.parts):
                self.splits.setdefault(step.name, []).append(tuple(part.name for part in parts))
                return
        if not isinstance(right, x.Sequence):
            raise UnusableError(
                "this assumption cannot be used: it does not say which of several paths there is",
                "the right side is one path: steps and tests joined by `;`",
            )
        if all(isinstance(part, x.Check) or part == step for part in right.parts) and right.parts.count(step) == 1:
            return self._assume_ends(left, step, right)
        self._assume_insertion(source, step, target, right)

    def _assume_ends(self, left: x.Regular, step: x.Step, right: x.Sequence) -> None:
        at = right.parts.index(step)
        first, last = x.sequence(right.parts[:at]), x.sequence(right.parts[at + 1 :])
        assert isinstance(first, x.Check) and isinstance(last, x.Check)
        if left != step:
            raise UnusableError(
                "this assumption cannot be used: it says what every such step leads to, not what is between",
                "did you mean a scheme: [A];r;[B] <= [A];r;[C];r;[B]? Or say what is impossible: [A];r;[B] = 0",
            )
        domain, range_ = (first.formula, last.formula) if not step.back else (last.formula, first.formula)
        known = self.relations.get(step.name, Relation())
        self.relations[step.name] = Relation(f.conjunction(known.domain, domain), f.conjunction(known.range, range_))

    def _assume_insertion(self, source: f.Formula, step: x.Step, target: f.Formula, right: x.Sequence) -> None:
        steps: list[x.Step] = []
        tests: list[f.Formula] = [True]
        for part in right.parts:
            if isinstance(part, x.Check):
                tests[-1] = f.conjunction(tests[-1], part.formula)
            elif isinstance(part, x.Step):
                steps.append(part)
                tests.append(True)
            else:
                raise UnusableError(
                    "this assumption cannot be used: it does not say which of several paths there is",
                    "the right side is one path: steps and tests joined by `;`",
                )
        for formula, at_end in ((tests[0], False), (tests[-1], True)):
            if formula is not True and formula != (target if at_end else source):
                wrong = x.Check(f.negation(formula))
                plain = (x.Check(source), step, x.Check(target))
                self.impossible.append(x.sequence((*plain, wrong) if at_end else (wrong, *plain)))
        self.insertions.append(Insertion(source, step, target, tuple(steps), tuple(tests[1:-1])))


def _one_step(node: x.Regular) -> tuple[f.Formula, x.Step | None, f.Formula]:
    """A, r and B of `[A];r;[B]`."""
    parts = node.parts if isinstance(node, x.Sequence) else (node,)
    tests: list[f.Formula] = [True]
    step: x.Step | None = None
    for part in parts:
        if isinstance(part, x.Step) and step is None:
            step = part
            tests.append(True)
        elif isinstance(part, x.Check):
            tests[-1] = f.conjunction(tests[-1], part.formula)
        else:
            return True, None, True
    return tests[0], step, tests[-1]


@cache
def base_theory(view: str) -> Theory:
    """The facts of theories/VIEW.kat."""
    from porf.automata.script import read_theory

    return read_theory(view)
