"""Executions next to an execution: a prefix, an extension, a thread split in two, a weaker order.

Kokologiannakis et al. 2023, Section 3.8, asks of a model that the one be allowed whenever the other is.
"""

import itertools
from collections.abc import Iterator

from porf.comparison.minimize import restricted
from porf.comparison.skeletons import Skeleton
from porf.comparison.small import Small
from porf.comparison.vocabulary import Lens, distinct_orders, fits
from porf.execution import INITIAL, Op, Order
from porf.language.base import at_least


def prefixes(small: Small, _: Lens) -> Iterator[list[Small]]:
    """One event less: the last of a thread, if no event reads from it."""
    thread, rf = small.skeleton.thread, small.skeleton.rf
    for row in range(len(small)):
        if row not in rf and thread[row] not in thread[row + 1 :]:
            yield [restricted(small, {row}, rf)]


def splits(small: Small, _: Lens) -> Iterator[list[Small]]:
    """A thread cut in two, where no dependency is cut: merging the two gives back the execution."""
    thread = small.skeleton.thread
    dependencies = small.decoration[1]
    for row in range(1, len(small)):
        if thread[row] != thread[row - 1]:
            continue
        behind = [later for later in range(row, len(small)) if thread[later] == thread[row]]
        if any((a < row) and b in behind for _, a, b in dependencies if thread[a] == thread[row]):
            continue
        cut = tuple(max(thread) + 1 if at in behind else t for at, t in enumerate(thread))
        yield [Small(small.skeleton._replace(thread=cut), small.decoration)]


def weakenings(small: Small, lens: Lens) -> Iterator[list[Small]]:
    """One order made weaker, as far as the model distinguishes orders."""
    orders, dependencies = small.decoration
    for row, op in enumerate(small.skeleton.op):
        for order in distinct_orders(op, lens.order_sets, lens.refuses_sc):
            if order != orders[row] and at_least(Order(orders[row]), Order(order)):
                yield [Small(small.skeleton, ((*orders[:row], order, *orders[row + 1 :]), dependencies))]


def extensions(small: Small, lens: Lens) -> Iterator[list[Small]]:
    """For each event that a thread could do next, the execution with it, for every write that it could read from."""
    skeleton = small.skeleton
    threads, locations = max(skeleton.thread) + 1, max(skeleton.loc) + 1
    for thread, op in itertools.product(range(threads + 1), sorted(lens.operations)):
        for loc in (-1,) if op == Op.FENCE else range(locations + 1):
            for order in distinct_orders(op, lens.order_sets, lens.refuses_sc):
                for dependent in (False, True) if lens.kinds else (False,):
                    yield [
                        _extended(small, lens, thread, op, loc, order, dependent, rf) for rf in _writers(small, op, loc)
                    ]


def _writers(small: Small, op: int, loc: int) -> list[int]:
    if op not in (Op.READ, Op.UPDATE):
        return [INITIAL]
    skeleton = small.skeleton
    pairs = enumerate(zip(skeleton.op, skeleton.loc, strict=True))
    return [INITIAL, *(row for row, (kind, x) in pairs if x == loc and kind in (Op.WRITE, Op.UPDATE))]


def _extended(small: Small, lens: Lens, thread: int, op: int, loc: int, order: int, dependent: bool, rf: int) -> Small:
    skeleton, (orders, dependencies) = small.skeleton, small.decoration
    row = len(small)
    more = tuple(
        (kind, source, row)
        for source in range(row)
        if dependent and skeleton.thread[source] == thread and skeleton.op[source] in (Op.READ, Op.UPDATE)
        for kind in lens.kinds
        if fits(kind, op)
    )
    columns = zip(skeleton, (thread, op, loc, rf), strict=True)
    return Small(Skeleton(*((*column, value) for column, value in columns)), ((*orders, order), dependencies + more))
