"""Which built-in names the axioms of a model rest on, and whether more of each can only break them, or only mend them.

A name has the sign + where more of it means more that is forbidden, and - under a complement or on the right of a
difference. It may have both.
"""

from functools import lru_cache

from porf.execution import Order
from porf.language import relation as r
from porf.language.base import ORDER_SETS, at_least
from porf.language.model_file import ModelFile
from porf.record import Record, field


class Polarity(Record):
    """Signs (1, -1) by name."""

    relations: dict[str, set[int]] = field(default_factory=dict)
    sets: dict[str, set[int]] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        return {*self.relations, *self.sets}

    def positive(self, *names: str) -> bool:
        """Whether none of these names is used negatively."""
        return all(self.relations.get(name, self.sets.get(name, set())) <= {1} for name in names)


@lru_cache(maxsize=256)
def polarity(model: ModelFile) -> Polarity:
    """Of the axioms that can reject."""
    found = Polarity()
    stack: list[_Use] = [(axiom.node, -1 if axiom.negated else 1, {}) for axiom in model.axioms if not axiom.flagged]
    seen: set[tuple[r.Node, int, tuple[r.Recursion, ...]]] = set()
    while stack:
        node, sign, bound = stack.pop()
        key = (node, sign, tuple(bound.values()) if node.free else ())
        if key in seen:
            continue
        seen.add(key)
        match node:
            case r.Base(name, kind):
                names = found.sets if kind == "set" else found.relations
                names.setdefault(name, set()).add(sign)
            case r.Unary("complement", body):
                stack.append((body, -sign, bound))
            case r.Difference(left, right):
                stack += [(left, sign, bound), (right, -sign, bound)]
            case r.Component(recursion, index):
                stack.append((recursion.bodies[index], sign, {**bound, recursion.depth: recursion}))
            case r.Variable(depth, index):
                stack.append((bound[depth].bodies[index], sign, bound))
            case _:
                stack += [(part, sign, bound) for part in node.below]
    return found


_Use = tuple[r.Node, int, dict[int, r.Recursion]]
"""A node, the sign with which it is used, and the recursions that it stands in, by depth."""


def grows_with_orders(model: ModelFile) -> bool:
    """Whether a stronger order can only forbid more: sets of orders are used upwards, or downwards under a negation."""
    used = polarity(model).sets
    return all(_fits(ORDER_SETS[name], signs) for name, signs in used.items() if name in ORDER_SETS)


def _fits(members: frozenset[Order], signs: set[int]) -> bool:
    upward = all(stronger in members for order in members for stronger in Order if at_least(stronger, order))
    downward = all(weaker in members for order in members for weaker in Order if at_least(order, weaker))
    return (upward or 1 not in signs) and (downward or -1 not in signs)
