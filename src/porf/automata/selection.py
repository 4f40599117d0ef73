"""What `&` and `\\` select: values that are not paths by themselves, and which meets and differences are regular."""

from collections.abc import Callable
from typing import Literal, TypeGuard

from porf.automata import expression as x
from porf.language import base
from porf.language import formula as f
from porf.record import Record

ANY = x.Step("any")
Near = Literal["larger", "smaller"]


class EventSet(Record):
    """A set of events."""

    formula: f.Formula


class Product(Record):
    """All pairs from one set into another; it only selects."""

    left: f.Formula
    right: f.Formula


class Selector(Record):
    """`loc`, `int` and `ext` select pairs of another relation; alone they are not steps."""

    name: str


Value = x.Regular | EventSet | Product | Selector

# What a step becomes when a selector cuts it; the last one is a step of whole updates (see halves.py).
MEETS = base.CUTS | {("po-far", "loc"): "po-loc-far"}


class Selection:
    """Meets and differences of values; None where the outcome is not regular."""

    def __init__(self, below: Callable[[str, str], bool], near: Near | None) -> None:
        self._below, self._near = below, near

    def nearest(self, left: Value, right: Value, meet: bool) -> Value | None:
        """Instead of a meet or a difference that is not regular: one side, or nothing."""
        if self._near == "smaller":
            return x.NOTHING
        sides = [left, right] if meet else [left]
        relations = [side for side in sides if is_relation(side)]
        return min(relations, key=x.size_of, default=None)

    def meet(self, left: Value, right: Value) -> Value | None:
        for one, other in ((left, right), (right, left)):
            found = self._meet_ordered(one, other)
            if found is not None:
                return found
        return None

    def _meet_ordered(self, one: Value, other: Value) -> Value | None:
        if isinstance(one, x.Union) and not x.is_outer(one):
            met = [self.meet(part, other) for part in one.parts]
            return None if any(part is None for part in met) else x.union(self._plain(part) for part in met)
        if one == x.NOTHING:
            return x.NOTHING
        match one, other:
            case x.Check(left), x.Check(right):
                return x.Check(f.conjunction(left, right))
            case Product(left, right), Product(more, further):
                return Product(f.conjunction(left, more), f.conjunction(right, further))
            case Selector(), Selector():
                return one if one == other else x.NOTHING if {one.name, other.name} == {"int", "ext"} else None
            case Product(left, right), _ if is_relation(other):
                return x.sequence((x.Check(left), other, x.Check(right)))
            case x.Check(True), x.Rotations():
                return x.Loops(other)
            case x.Check(), _ if is_relation(other):
                return x.Loops(x.sequence((one, other)))
            case x.Step(), Selector(cut):
                return self._cut(one, cut)
            case x.Sequence(parts), Selector("loc") if is_relation(one):
                keeps = [isinstance(part, x.Check) or self._keeps_location(part) for part in parts]
                if all(keeps):
                    return one
                if keeps.count(False) == 1:
                    at = keeps.index(False)
                    found = self.meet(parts[at], other)
                    return None if found is None else x.sequence((*parts[:at], self._plain(found), *parts[at + 1 :]))
                return None
            case x.Star(body), Selector("loc") if self._keeps_location(body):
                return one
            case x.Step(name, back), x.Step(other_name, other_back) if back == other_back:
                return one if self._below(name, other_name) else None
        if isinstance(other, x.Sequence) and is_relation(one):
            return _between(other, one)
        return one if other == ANY and is_relation(one) else None

    def _cut(self, step: x.Step, selector: str) -> x.Regular | None:
        """A step that a selector cuts."""
        cut = MEETS.get((step.name, selector))
        if cut is not None:
            return x.Step(cut, step.back)
        if selector == "int" and self._below(step.name, "po"):  # within a thread, but for the initial writes
            threads = x.Check(f.negation("IW"))
            return x.sequence((step, threads) if step.back else (threads, step))
        return step if selector == "loc" and self._below(step.name, "loc") else None

    def less(self, left: Value, right: Value) -> Value | None:
        if isinstance(left, x.Check) and isinstance(right, x.Check):
            return x.Check(f.conjunction(left.formula, f.negation(right.formula)))
        if isinstance(right, x.Sequence):
            ends = _ends(right)
            right = Product(*ends) if ends is not None else right
        if isinstance(right, Product) and is_relation(left):
            first = x.sequence((x.Check(f.negation(right.left)), left))
            return x.union((first, x.sequence((left, x.Check(f.negation(right.right))))))
        if isinstance(right, Product) and isinstance(left, Product):
            first = x.sequence((x.Check(f.negation(right.left)), self._plain(left)))
            return x.union((first, x.sequence((self._plain(left), x.Check(f.negation(right.right))))))
        if isinstance(right, Selector) and right.name in ("int", "ext"):
            return self.meet(left, Selector("ext" if right.name == "int" else "int"))
        if is_relation(left) and is_relation(right):
            return x.Minus(left, right)
        return None

    def _plain(self, value: Value | None) -> x.Regular:
        if isinstance(value, Product):
            return x.sequence((x.Check(value.left), ANY, x.Check(value.right)))
        if isinstance(value, Selector):
            return x.Step("loc") if value.name == "loc" else x.Step(value.name)
        assert value is not None and not isinstance(value, EventSet)
        return value

    def _keeps_location(self, node: x.Regular) -> bool:
        return all(self._below(step.name, "loc") for step in x.steps_of(node))


def is_value(value: Value) -> TypeGuard[x.Regular]:
    return not isinstance(value, EventSet | Product | Selector)


def is_relation(value: Value) -> TypeGuard[x.Regular]:
    """A relation that may stand inside operators."""
    return is_value(value) and not any(x.is_outer(part) for part in x.walk(value))


def _ends(node: x.Sequence) -> tuple[f.Formula, f.Formula] | None:
    """A and B of `[A];any;[B]`."""
    left: f.Formula = True
    right: f.Formula = True
    seen = False
    for part in node.parts:
        if part == ANY and not seen:
            seen = True
        elif isinstance(part, x.Check):
            left, right = (left, f.conjunction(right, part.formula)) if seen else (part.formula, right)
        else:
            return None
    return (left, right) if seen else None


def _between(node: x.Sequence, relation: x.Regular) -> x.Regular | None:
    """`r & ([A];any;[B])` is `[A];r;[B]`."""
    ends = _ends(node)
    return None if ends is None else x.sequence((x.Check(ends[0]), relation, x.Check(ends[1])))
