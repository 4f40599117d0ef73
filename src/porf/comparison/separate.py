"""The search for a smallest execution that one model allows and another forbids.

Known shapes come first, made small event by event. Then all executions by size: the first found is a smallest one, and
where none is found up to a size, that is said. Many questions are asked in one pass, since they share the executions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from porf.allowance import SpentError
from porf.checking.budget import Budget
from porf.comparison.branch import Over, TimeIsUpError, find_decoration
from porf.comparison.minimize import minimize
from porf.comparison.shapes import SHAPES, variants
from porf.comparison.skeletons import Skeleton, skeletons
from porf.comparison.small import Columns, Small
from porf.comparison.vocabulary import Lens, Question
from porf.execution import Op, Order
from porf.record import Record

MOST_EVENTS = 8  # in practice the time is up before that
_PLAIN = frozenset({Op.READ, Op.WRITE})
_GLIMPSE = 0.1  # seconds for a shape and a question
_GLANCE = 256  # executions between two looks at the clock


class Answer(Record):
    """What the search found. All executions of at most `complete` events were looked at."""

    found: Small | None = None
    complete: int = 0
    cut: bool = False  # the time was up before `most_events`

    @property
    def smallest(self) -> bool:
        """Whether no execution of fewer events would do."""
        return self.found is not None and self.complete >= len(self.found) - 1


def separate(
    questions: Sequence[Question], most_events: int = MOST_EVENTS, budget: Budget | None = None
) -> dict[Question, Answer]:
    """An answer for each question, within the budget for them all."""
    hunt = _Hunt(budget or Budget(), {question: Answer() for question in questions})
    try:
        if most_events > 0:
            hunt.shapes()
        for events in range(1, most_events + 1):
            if not hunt.all_of(events):
                break
    except SpentError:
        hunt.cut()
    return hunt.answers


class _Hunt:
    def __init__(self, budget: Budget, answers: dict[Question, Answer]) -> None:
        self.answers = answers
        self._budget = budget
        self._started = time.monotonic()
        self._looked = 0

    def shapes(self) -> None:
        for name in SHAPES:
            if self._budget.over(self._started):
                return
            shared: dict[Skeleton, Columns] = {}
            for question, answer in self.answers.items():
                if answer.found is not None and len(answer.found) <= 4:
                    continue
                for skeleton in variants(name, question.operations):
                    columns = shared.setdefault(skeleton, Columns(skeleton))
                    small = self._glimpse(question, skeleton, columns)
                    if small is not None:
                        self._keep(question, small)
                        break

    def _glimpse(self, question: Question, skeleton: Skeleton, columns: Columns) -> Small | None:
        """A shape with many decorations does not keep the others waiting."""
        until = time.monotonic() + _GLIMPSE
        try:
            return hit(question, skeleton, columns, lambda: time.monotonic() > until or self._time_is_up())
        except TimeIsUpError:
            return None

    def _keep(self, question: Question, small: Small) -> None:
        small = smallest_part(question, small)
        known = self.answers[question].found
        if known is None or len(small) < len(known):
            self.answers[question] = replace(self.answers[question], found=small)

    def cut(self) -> None:
        for question, answer in self.answers.items():
            self.answers[question] = replace(answer, cut=True)

    def all_of(self, events: int) -> bool:
        """Looks at all executions of so many events; False when there is nothing more to do, or no time for it."""
        pending = _Open([q for q, a in self.answers.items() if a.found is None or len(a.found) > events])
        if not pending.operations:
            return False
        try:
            for skeleton in _plain_first(events, pending.operations):
                self._look(skeleton, pending)
        except TimeIsUpError:
            for question in pending:
                self.answers[question] = replace(self.answers[question], cut=True)
            return False
        for question, answer in self.answers.items():
            if answer.found is None or len(answer.found) >= events:
                self.answers[question] = replace(answer, complete=events)
        return True

    def _look(self, skeleton: Skeleton, pending: _Open) -> None:
        self._looked += 1
        if self._looked % _GLANCE == 0 and self._time_is_up():
            raise TimeIsUpError
        columns = Columns(skeleton)
        for question in pending.candidates(skeleton, columns):
            small = hit(question, skeleton, columns, self._time_is_up)
            if small is not None:
                pending.close(question)
                small = smallest_part(question, small)
                self.answers[question] = replace(self.answers[question], found=small)

    def _time_is_up(self) -> bool:
        if self._budget.progress is not None:
            self._budget.progress(self._looked)
        return self._budget.over(self._started)


def _plain_first(events: int, operations: tuple[int, ...]) -> Iterator[Skeleton]:
    """Reads and writes are easier to read than updates and fences."""
    plain = tuple(op for op in operations if op in _PLAIN)
    yield from skeletons(events, plain)
    if plain != operations:
        yield from (s for s in skeletons(events, operations) if not _PLAIN.issuperset(s.op))


class _Open:
    """Questions without an answer yet, found quickly from who can allow an execution and who can forbid it."""

    def __init__(self, questions: Sequence[Question]) -> None:
        lenses = dict.fromkeys(lens for q in questions for lens in (q.allows, q.forbids))
        self._bit = {lens: 1 << at for at, lens in enumerate(lenses)}
        self._question = {(q.allows, self._bit[q.forbids]): q for q in questions}
        self._wanted: dict[Lens, int] = dict.fromkeys(lenses, 0)
        for question in questions:
            self._wanted[question.allows] |= self._bit[question.forbids]
        self.operations = tuple(sorted({op for q in questions for op in q.operations}))

    def __iter__(self) -> Iterator[Question]:
        return (self._question[a, bit] for a, bits in self._wanted.items() for bit in _bits(bits))

    def close(self, question: Question) -> None:
        self._wanted[question.allows] &= ~self._bit[question.forbids]

    def candidates(self, skeleton: Skeleton, columns: Columns) -> list[Question]:
        """Those whose first model may allow the execution in some decoration, and whose second may forbid it."""
        used = set(skeleton.op)
        fitting = [lens for lens in self._bit if used <= lens.operations]
        forbidding = wanted = 0
        allowing = []
        for lens in fitting:
            if self._wanted[lens] and may_allow(lens, skeleton, columns):
                allowing.append(lens)
                wanted |= self._wanted[lens]
        for lens in fitting:
            if self._bit[lens] & wanted and may_forbid(lens, skeleton, columns):
                forbidding |= self._bit[lens]
        return [self._question[a, bit] for a in allowing for bit in _bits(self._wanted[a] & forbidding)]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def may_allow(lens: Lens, skeleton: Skeleton, columns: Columns) -> bool:
    weakest = lens.weakest(skeleton)
    return not weakest or any(columns.allowed(lens, decoration) for decoration in weakest)


def may_forbid(lens: Lens, skeleton: Skeleton, columns: Columns) -> bool:
    strongest = lens.strongest(skeleton)
    return not strongest or any(not columns.allowed(lens, decoration) for decoration in strongest)


def hit(question: Question, skeleton: Skeleton, columns: Columns, over: Over) -> Small | None:
    """The skeleton with a decoration that the first model allows and the second forbids."""
    if not (may_allow(question.allows, skeleton, columns) and may_forbid(question.forbids, skeleton, columns)):
        return None
    decoration = find_decoration(question, skeleton, columns, over)
    return None if decoration is None else Small(skeleton, decoration)


def separates(question: Question, small: Small) -> bool:
    columns = Columns(small.skeleton)
    allowed = columns.allowed(question.allows, small.decoration)
    return allowed and not columns.allowed(question.forbids, small.decoration)


def smallest_part(question: Question, small: Small) -> Small:
    """Nothing can be taken away, and no order weakened, without losing the difference; atomic where that is enough."""
    seen = bool(question.allows.order_sets | question.forbids.order_sets)
    small = minimize(small, lambda other: separates(question, other), weaken=seen)
    for row, order in enumerate(small.decoration[0]):
        if order == Order.NA:
            orders, dependencies = small.decoration
            atomic = Small(small.skeleton, ((*orders[:row], int(Order.RLX), *orders[row + 1 :]), dependencies))
            small = atomic if separates(question, atomic) else small
    return small
