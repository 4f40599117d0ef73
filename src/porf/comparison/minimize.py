"""Makes an execution smaller while a claim about it stays true: fewer events, fewer dependencies, weaker orders."""

from collections.abc import Callable, Iterator

from porf.comparison.skeletons import Skeleton
from porf.comparison.small import Small
from porf.comparison.vocabulary import Decoration
from porf.execution import INITIAL, Op, Order

_WEAKER = {
    Order.SC: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL),
    Order.ACQ_REL: (Order.RLX, Order.ACQ, Order.REL),
    Order.ACQ: (Order.RLX,),
    Order.REL: (Order.RLX,),
}
_FITTING = {Op.READ: (Order.RLX, Order.ACQ), Op.WRITE: (Order.RLX, Order.REL), Op.FENCE: tuple(Order)[2:]}


def minimize(small: Small, holds: Callable[[Small], bool], weaken: bool = True) -> Small:
    """No single step of those below leads on from the result. `weaken`: try weaker orders, too."""
    while True:
        smaller = next((other for other in _steps(small, weaken) if holds(other)), None)
        if smaller is None:
            return small
        small = smaller


def _steps(small: Small, weaken: bool) -> Iterator[Small]:
    for row in range(len(small)):
        yield from without(small, row)
    orders, dependencies = small.decoration
    for at in range(len(dependencies)):
        yield Small(small.skeleton, (orders, dependencies[:at] + dependencies[at + 1 :]))
    for row, op in enumerate(small.skeleton.op):
        if op == Op.UPDATE:
            yield from _plain(small, row)
        for weaker in _WEAKER.get(Order(orders[row]), ()) if weaken else ():
            if weaker in _FITTING.get(Op(op), tuple(Order)):
                yield Small(small.skeleton, ((*orders[:row], int(weaker), *orders[row + 1 :]), dependencies))


def without(small: Small, row: int) -> Iterator[Small]:
    """An event removed; who read from it reads what it read, or the initial value, or is removed as well."""
    skeleton = small.skeleton
    readers = [r for r, w in enumerate(skeleton.rf) if w == row]
    if not readers:
        yield restricted(small, {row}, skeleton.rf)
        return
    yield restricted(small, {row, *readers}, skeleton.rf)
    for source in {INITIAL, skeleton.rf[row]}:
        yield restricted(small, {row}, tuple(source if w == row else w for w in skeleton.rf))


def _plain(small: Small, row: int) -> Iterator[Small]:
    """An update as a mere write, or (where nobody reads it) as a mere read."""
    skeleton, (orders, dependencies) = small.skeleton, small.decoration
    for op, fitting in ((Op.WRITE, (Order.RLX, Order.REL)), (Op.READ, (Order.RLX, Order.ACQ))):
        if op == Op.READ and row in skeleton.rf:
            continue
        rf = skeleton.rf if op == Op.READ else _put(skeleton.rf, row, INITIAL)
        kept = tuple(d for d in dependencies if (d[1] != row if op == Op.WRITE else d[::2] != ("data", row)))
        order = orders[row] if orders[row] in fitting else int(Order.RLX)
        decoration: Decoration = (_put(orders, row, order), kept)
        yield Small(skeleton._replace(op=_put(skeleton.op, row, int(op)), rf=rf), decoration)


def _put(column: tuple[int, ...], row: int, value: int) -> tuple[int, ...]:
    return (*column[:row], value, *column[row + 1 :])


def restricted(small: Small, gone: set[int], rf: tuple[int, ...]) -> Small:
    """The rows that are not gone, with what each reads from; threads and locations numbered anew."""
    skeleton, (orders, dependencies) = small.skeleton, small.decoration
    kept = [row for row in range(len(small)) if row not in gone]
    at = {row: new for new, row in enumerate(kept)} | {INITIAL: INITIAL}
    threads: dict[int, int] = {}
    locations = {-1: -1}
    return Small(
        Skeleton(
            tuple(threads.setdefault(skeleton.thread[row], len(threads)) for row in kept),
            tuple(skeleton.op[row] for row in kept),
            tuple(locations.setdefault(skeleton.loc[row], len(locations) - 1) for row in kept),
            tuple(at.get(rf[row], INITIAL) for row in kept),
        ),
        (
            tuple(orders[row] for row in kept),
            tuple((kind, at[a], at[b]) for kind, a, b in dependencies if a in at and b in at),
        ),
    )
