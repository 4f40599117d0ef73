"""Every small execution without its orders and dependencies, one of each up to the names of threads and locations."""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porf.execution import INITIAL, Op


class Skeleton(NamedTuple):
    """Columns as in Execution; rows are thread after thread."""

    thread: tuple[int, ...]
    op: tuple[int, ...]
    loc: tuple[int, ...]
    rf: tuple[int, ...]


def skeletons(events: int, operations: Sequence[int]) -> Iterator[Skeleton]:
    """All of so many events with these operations; reads take any write of their location, or the initial one."""
    for lengths in _partitions(events, events):
        thread = tuple(t for t, length in enumerate(lengths) for _ in range(length))
        for op in _words(lengths, operations):
            for loc in _locations(lengths, op):
                for rf in itertools.product(*_writers(op, loc)):
                    yield Skeleton(thread, op, loc, rf)


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """The lengths of threads, longest first."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        for rest in _partitions(total - first, first):
            yield (first, *rest)


def _words(lengths: tuple[int, ...], operations: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The operations of all events; threads of one length in ascending order."""
    if not lengths:
        yield ()
        return
    groups = [(length, len(list(group))) for length, group in itertools.groupby(lengths)]
    choices = []
    for length, threads in groups:
        words = list(itertools.product(operations, repeat=length))
        choices.append(itertools.combinations_with_replacement(words, threads))
    for chosen in itertools.product(*choices):
        yield tuple(op for group in chosen for word in group for op in word)


def _locations(lengths: tuple[int, ...], op: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Locations numbered as they appear; of those that differ by an exchange of like threads, the least."""
    exchanges = list(_exchanges(lengths, op))
    accesses = [row for row, kind in enumerate(op) if kind != Op.FENCE]
    for numbers in _growth(len(accesses)):
        loc = [-1] * len(op)
        for row, number in zip(accesses, numbers, strict=True):
            loc[row] = number
        if all(_renumbered([loc[row] for row in rows]) >= loc for rows in exchanges):
            yield tuple(loc)


def _exchanges(lengths: tuple[int, ...], op: tuple[int, ...]) -> Iterator[list[int]]:
    """The rows in every order of threads that leaves the operations as they are."""
    starts = list(itertools.accumulate(lengths, initial=0))
    words = [op[start : start + length] for start, length in zip(starts, lengths, strict=False)]
    alike = [list(group) for _, group in itertools.groupby(range(len(lengths)), lambda t: words[t])]
    for choice in itertools.product(*(itertools.permutations(group) for group in alike)):
        yield [row for group in choice for t in group for row in range(starts[t], starts[t] + lengths[t])]


def _growth(length: int) -> Iterator[tuple[int, ...]]:
    """Restricted growth strings: every partition of so many places, once."""

    def grow(prefix: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == length:
            yield prefix
            return
        for number in range(used + 1):
            yield from grow((*prefix, number), max(used, number + 1))

    return grow((), 0)


def _renumbered(loc: list[int]) -> list[int]:
    numbers: dict[int, int] = {-1: -1}
    return [numbers.setdefault(x, len(numbers) - 1) for x in loc]


def _writers(op: tuple[int, ...], loc: tuple[int, ...]) -> list[list[int]]:
    """What each event may read from."""
    writes: dict[int, list[int]] = {}
    for row, kind in enumerate(op):
        if kind in (Op.WRITE, Op.UPDATE):
            writes.setdefault(loc[row], []).append(row)
    return [
        [INITIAL, *(w for w in writes.get(loc[row], ()) if w != row)] if kind in (Op.READ, Op.UPDATE) else [INITIAL]
        for row, kind in enumerate(op)
    ]
