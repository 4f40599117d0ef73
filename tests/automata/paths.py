"""Relations that know which of their pairs come from the empty path: tests apart from paths of some steps.

Statements about cycles (`A & id <= B`, `A & id <= rot B`) compare cycles of at least one step, so that an optional part
on the right does not make them trivial. Everything else only sees the union of the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Relation = Any
Truth = Any


class Paths(NamedTuple):
    tests: Relation  # within the identity
    steps: Relation


class PathAlgebra:
    """Paths over the relations of another algebra."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._zero = Paths(inner.zero(), inner.zero())
        self._one = Paths(inner.identity(), inner.zero())

    def whole(self, a: Paths) -> Relation:
        return self._inner.union(a.tests, a.steps)

    def base(self, name: str) -> Paths | None:
        value = self._inner.base(name)
        if value is None:
            return None
        return Paths(value, self._inner.zero()) if self._inner.is_set(name) else Paths(self._inner.zero(), value)

    def zero(self) -> Paths:
        return self._zero

    def identity(self) -> Paths:
        return self._one

    def union(self, a: Paths, b: Paths) -> Paths:
        return Paths(self._inner.union(a.tests, b.tests), self._inner.union(a.steps, b.steps))

    def meet(self, a: Paths, b: Paths) -> Paths:
        """`A & id` is the cycles of A. Else a test stays a test, whatever it is met with."""
        i = self._inner
        if b is self._one or a is self._one:
            paths = a if b is self._one else b
            return Paths(paths.tests, i.meet(paths.steps, self._one.tests))
        return Paths(i.union(i.meet(a.tests, self.whole(b)), i.meet(a.steps, b.tests)), i.meet(a.steps, b.steps))

    def minus(self, a: Paths, b: Paths) -> Paths:
        return Paths(self._inner.minus(a.tests, self.whole(b)), self._inner.minus(a.steps, self.whole(b)))

    def compose(self, a: Paths, b: Paths) -> Paths:
        i = self._inner
        steps = i.union(i.compose(a.steps, self.whole(b)), i.compose(a.tests, b.steps))
        return Paths(i.meet(a.tests, b.tests), steps)

    def inverse(self, a: Paths) -> Paths:
        return Paths(a.tests, self._inner.inverse(a.steps))

    def plus(self, a: Paths) -> Paths:
        return Paths(a.tests, self._inner.plus(a.steps))

    def rounds(self, names: int) -> int:
        out: int = self._inner.rounds(names)
        return out

    # Claims.

    def some(self, a: Paths) -> Truth:
        return self._inner.some(self.whole(a))

    def exceeds(self, a: Paths, b: Paths) -> Truth:
        """Some pair of a is none of b."""
        return self._inner.some(self._inner.minus(self.whole(a), self.whole(b)))

    def cycles_exceed(self, a: Paths, b: Paths) -> Truth:
        """Some cycle of a is at an event where b has none, or some test of a is not in b at all."""
        i = self._inner
        cycles = i.minus(i.meet(a.steps, self._one.tests), b.steps)
        return i.some(i.union(cycles, i.minus(a.tests, self.whole(b))))

    def cyclic_without(self, a: Paths, b: Paths) -> Truth:
        """a has a cycle and b has none, or some test of a is not in b at all."""
        i = self._inner
        acyclic = i.negate(i.some(i.meet(b.steps, self._one.tests)))
        cyclic = i.both(i.some(i.meet(a.steps, self._one.tests)), acyclic)
        return self.either(cyclic, i.some(i.minus(a.tests, self.whole(b))))

    def either(self, a: Truth, b: Truth) -> Truth:
        i = self._inner
        return i.negate(i.both(i.negate(a), i.negate(b)))
