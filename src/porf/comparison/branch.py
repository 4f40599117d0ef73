"""Orders and dependencies under which one model allows a skeleton and another forbids it, by branch and bound.

Where more of them can only forbid more, two decorations bound all that are left to try: with the rest at its weakest
the first model must allow the skeleton, and with the rest at its strongest the second must forbid it.
"""

import itertools
from collections.abc import Callable, Sequence

from porf.comparison.skeletons import Skeleton
from porf.comparison.small import Columns
from porf.comparison.vocabulary import Decoration, Dependency, Question, extremes
from porf.execution import Op, Order

_POLL = 256  # decorations between two looks at the clock
Over = Callable[[], bool]


class TimeIsUpError(Exception):
    """Not every decoration was tried."""


def find_decoration(question: Question, skeleton: Skeleton, columns: Columns, over: Over) -> Decoration | None:
    if question.allows.grows and question.forbids.grows:
        return _Branches(question, skeleton, columns, over).search((), ())
    for tried, decoration in enumerate(question.decorations(skeleton), 1):
        if tried % _POLL == 0 and over():
            raise TimeIsUpError
        allowed = columns.allowed(question.allows, decoration)
        if allowed and not columns.allowed(question.forbids, decoration):
            return decoration
    return None


class _Branches:
    """Choices are made row by row, then dependency by dependency: first the weakest."""

    def __init__(self, question: Question, skeleton: Skeleton, columns: Columns, over: Over) -> None:
        self._question, self._columns, self._over = question, columns, over
        self._options = [sorted(question.orders[op]) for op in skeleton.op]
        bottom = [_below(options, op) for options, op in zip(self._options, skeleton.op, strict=True)]
        self._bottom, self._top = bottom, [extremes(options, strong=True)[0] for options in self._options]
        sets = list(question.dependency_choices(skeleton))
        self._fixed = tuple(itertools.chain.from_iterable(choice[0] for choice in sets if len(choice) == 1))
        self._open = [
            single for choice in sets if len(choice) > 1 for some in choice if len(some) == 1 for single in some
        ]
        self._tried = 0

    def search(self, orders: tuple[int, ...], chosen: tuple[bool, ...]) -> Decoration | None:
        self._tried += 1
        if self._tried % _POLL == 0 and self._over():
            raise TimeIsUpError
        allows, forbids = self._question.allows, self._question.forbids
        low = self._filled(orders, self._bottom, chosen, False)
        high = self._filled(orders, self._top, chosen, True)
        if not self._columns.allowed(allows, low) or self._columns.allowed(forbids, high):
            return None
        if self._columns.allowed(allows, high):
            return high
        if len(orders) < len(self._options):
            branches = ((*orders, order) for order in self._options[len(orders)])
            found = (self.search(branch, chosen) for branch in branches)
        elif len(chosen) < len(self._open):
            found = (self.search(orders, (*chosen, choice)) for choice in (False, True))
        else:
            return None
        return next((decoration for decoration in found if decoration is not None), None)

    def _filled(self, orders: tuple[int, ...], rest: Sequence[int], chosen: tuple[bool, ...], more: bool) -> Decoration:
        """What is chosen so far; the rest as it is given."""
        flags = itertools.chain(chosen, itertools.repeat(more))
        some: tuple[Dependency, ...] = tuple(d for d, flag in zip(self._open, flags, strict=False) if flag)
        return (*orders, *rest[len(orders) :]), self._fixed + some


def _below(options: Sequence[int], op: int) -> int:
    """An order that all the options include; of fences none of them need do."""
    least = extremes(options, strong=False)
    if len(least) == 1:
        return least[0]
    return int(Order.RLX if op in (Op.FENCE, Op.UPDATE) else Order.NA)
