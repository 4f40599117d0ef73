"""What models distinguish: the operations they interpret, the orders and dependencies that their axioms look at.

A search for an execution that one model allows and another forbids need only vary what one of the two sees. What only
the first sees can be taken at its weakest, and what only the second sees at its strongest, as long as more of it can
only forbid more.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from porf.architectures import ARCHITECTURES
from porf.comparison.polarity import grows_with_orders, polarity
from porf.comparison.skeletons import Skeleton
from porf.errors import UsageError
from porf.execution import DEPENDENCIES, Op, Order
from porf.language import relation as r
from porf.language.base import ORDER_SETS, at_least
from porf.language.header import OPERATIONS
from porf.language.model_file import ModelFile
from porf.models.registry import Model
from porf.record import Record

Dependency = tuple[str, int, int]
"""A kind, the row it is from and the row it is to."""
Decoration = tuple[tuple[int, ...], tuple[Dependency, ...]]
"""The order of each row, and the dependencies."""

# The orders that each operation can have in C, the plainest first: of those that look the same, the first is taken.
_ORDERS = {
    Op.READ: (Order.RLX, Order.ACQ, Order.SC, Order.NA),
    Op.WRITE: (Order.RLX, Order.REL, Order.SC, Order.NA),
    Op.UPDATE: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC),
    Op.FENCE: (Order.SC, Order.ACQ_REL, Order.ACQ, Order.REL),
}


SC_ORDERS = "sc orders"


def _refuses_sc(model: Model) -> bool:
    return "sc" not in model.header.orders


def interpreted(model: Model) -> frozenset[str]:
    """What a model has a meaning for: operations, and whether sc orders."""
    return frozenset({*model.header.interprets, *([] if _refuses_sc(model) else [SC_ORDERS])})


class Lens(Record, eq=False):
    """A model as the search sees it."""

    name: str
    file: ModelFile
    operations: frozenset[int]
    refuses_sc: bool = False
    assumed: ModelFile | None = None  # what executions that count satisfy

    @classmethod
    def of(cls, model: Model) -> Lens:
        if model.header.architecture is not None:
            title = ARCHITECTURES[model.header.architecture].title
            message = f"{model.name} is a model of {title}, whose fences and accesses are not those of C"
            raise UsageError(message, hint="ask of a model of what C says, such as arm8, power and x86")
        interpreted = frozenset(int(OPERATIONS[word]) for word in model.header.interprets)
        return cls(model.name, model.file, interpreted, refuses_sc=_refuses_sc(model))

    @cached_property
    def _names(self) -> set[str]:
        files = [self.file] if self.assumed is None else [self.file, self.assumed]
        return {name for file in files for name in polarity(file).names}

    @cached_property
    def order_sets(self) -> frozenset[str]:
        return frozenset(self._names & set(ORDER_SETS) - {"geNA"})

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Of dependencies."""
        return tuple(kind for kind in DEPENDENCIES if kind in self._names)

    @cached_property
    def orders_grow(self) -> bool:
        return self.assumed is None and grows_with_orders(self.file)

    @cached_property
    def dependencies_grow(self) -> bool:
        return self.assumed is None and polarity(self.file).positive(*self.kinds)

    @cached_property
    def joins_data_and_addr(self) -> bool:
        """Whether the axioms never look at one of the two alone: each stands only in their union."""
        if self.assumed is not None:
            return False
        both = {r.Base(name, "relation") for name in ("addr", "data")}
        axioms = [axiom.node for axiom in self.file.axioms]
        users = [node for node in r.walk(*axioms) if both & set(node.below)]
        return both.isdisjoint(axioms) and all(isinstance(n, r.Union) and set(n.below) == both for n in users)

    def weakest(self, skeleton: Skeleton) -> list[Decoration]:
        """Decorations such that one of them is allowed if any is; none where that is not known."""
        return self._extreme(skeleton, strong=False) if self.grows else []

    def strongest(self, skeleton: Skeleton) -> list[Decoration]:
        """Decorations such that one of them is forbidden if any is; none where that is not known."""
        return self._extreme(skeleton, strong=True) if self.grows else []

    @cached_property
    def grows(self) -> bool:
        """Whether stronger orders and more dependencies can only forbid more."""
        return self.orders_grow and self.dependencies_grow

    def _extreme(self, skeleton: Skeleton, strong: bool) -> list[Decoration]:
        pairs = _pairs(skeleton) if strong and self.kinds else ()
        dependencies = tuple((kind, a, b) for a, b in pairs for kind in self.kinds if fits(kind, skeleton.op[b]))
        if not self.order_sets:
            return [((), dependencies)]
        choices = [_extreme_orders(op, self.order_sets, self.refuses_sc, strong) for op in skeleton.op]
        return [(orders, dependencies) for orders in itertools.product(*choices)]

    def seen(self, decoration: Decoration) -> Decoration:
        """The part of a decoration that the model looks at."""
        orders, dependencies = decoration
        return orders if self.order_sets else (), tuple(d for d in dependencies if d[0] in self.kinds)


class Question(Record, eq=False):
    """Is there an execution that `allows` allows and `forbids` forbids, of what both interpret?"""

    allows: Lens
    forbids: Lens

    @cached_property
    def operations(self) -> tuple[int, ...]:
        return tuple(sorted(self.allows.operations & self.forbids.operations))

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Operations and orders that one of the two interprets and the other does not."""
        differ = self.allows.operations ^ self.forbids.operations
        words = [word for word, op in OPERATIONS.items() if op in differ]
        return (*words, *([SC_ORDERS] if self.allows.refuses_sc != self.forbids.refuses_sc else []))

    @property
    def shared(self) -> bool:
        """Whether both look at orders, or both at dependencies: then many decorations have to be tried."""
        return bool(self.allows.order_sets and self.forbids.order_sets) or bool(
            self.allows.kinds and self.forbids.kinds
        )

    @cached_property
    def orders(self) -> dict[int, tuple[int, ...]]:
        """The orders to try for each operation."""
        return {op: self._orders(op) for op in self.operations}

    def _orders(self, op: int) -> tuple[int, ...]:
        refused = self.allows.refuses_sc or self.forbids.refuses_sc
        orders = distinct_orders(op, self.allows.order_sets | self.forbids.order_sets, refused)
        if not self.forbids.order_sets and self.allows.orders_grow:
            return extremes(orders, strong=False)
        if not self.allows.order_sets and self.forbids.orders_grow:
            return extremes(orders, strong=True)
        return orders

    def decorations(self, skeleton: Skeleton) -> Iterator[Decoration]:
        """All that have to be tried; those with few dependencies first."""
        orders = [self.orders[op] for op in skeleton.op]
        for dependencies in itertools.product(*self.dependency_choices(skeleton)):
            flat = tuple(itertools.chain.from_iterable(dependencies))
            for chosen in itertools.product(*orders):
                yield chosen, flat

    def dependency_choices(self, skeleton: Skeleton) -> Iterator[Sequence[tuple[Dependency, ...]]]:
        """For each pair of events of a thread, the first one reading, the sets of dependencies to try."""
        ours, theirs = self.allows.kinds, self.forbids.kinds
        if not theirs and self.allows.dependencies_grow:
            return
        all_at_once = not ours and self.forbids.dependencies_grow
        for a, b in _pairs(skeleton):
            kinds = [(kind, a, b) for kind in self._kinds(skeleton.op[b])]
            if not kinds:
                continue
            if all_at_once:
                yield (tuple(kinds),)
            else:
                yield [some for size in range(len(kinds) + 1) for some in itertools.combinations(kinds, size)]

    def _kinds(self, op: int) -> list[str]:
        """The kinds of dependencies on which the two could differ, into such an operation."""
        known = {*self.allows.kinds, *self.forbids.kinds}
        kinds: list[str] = [kind for kind in ("data", "addr", "ctrl") if kind in known and fits(kind, op)]
        if kinds[:2] == ["data", "addr"] and self.allows.joins_data_and_addr and self.forbids.joins_data_and_addr:
            kinds.remove("addr")
        return kinds


def distinct_orders(op: int, sets: frozenset[str], without_sc: bool) -> tuple[int, ...]:
    """The orders of an operation that these sets tell apart, one of each class."""
    classes: dict[tuple[bool, ...], int] = {}
    for order in _ORDERS[Op(op)]:
        if not (without_sc and order == Order.SC):
            classes.setdefault(tuple(order in ORDER_SETS[name] for name in sorted(sets)), int(order))
    return tuple(classes.values())


@cache
def _extreme_orders(op: int, sets: frozenset[str], without_sc: bool, strong: bool) -> tuple[int, ...]:
    return extremes(distinct_orders(op, sets, without_sc), strong)


def extremes(orders: Sequence[int], strong: bool) -> tuple[int, ...]:
    """The strongest of some orders, or the weakest; there may be several."""

    def beyond(one: int, other: int) -> bool:
        strong_one, weak_one = (one, other) if strong else (other, one)
        return one != other and at_least(Order(strong_one), Order(weak_one))

    return tuple(order for order in orders if not any(beyond(other, order) for other in orders))


def fits(kind: str, op: int) -> bool:
    """What can depend on a read, and how: a value that is written, an address, or whether a thing happens at all."""
    return kind == "ctrl" or (op != Op.FENCE and (kind == "addr" or op != Op.READ))


def _pairs(skeleton: Skeleton) -> Iterator[tuple[int, int]]:
    """Two events of a thread in program order, the first one reading."""
    for a, b in itertools.combinations(range(len(skeleton.op)), 2):
        if skeleton.thread[a] == skeleton.thread[b] and skeleton.op[a] in (Op.READ, Op.UPDATE):
            yield a, b
