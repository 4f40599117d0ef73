"""Which built-in names the axioms of a model rest on, and whether more of each can only break them, or only mend them.

Worked out on the relation program, where every name is replaced by its definition. A name has the sign + where more of
it means more that is forbidden, and - under a complement or on the right of a difference. It may have both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from porf.execution import Order
from porf.language import base
from porf.language import program as p
from porf.language.model_file import ModelFile

_ONE_OPERAND = (p.INVERSE, p.PLUS, p.STAR, p.OPTIONAL, p.IDENTITY, p.DOMAIN, p.RANGE, p.MEMBER)
_TWO_OPERANDS = (p.UNION, p.INTERSECTION, p.COMPOSE, p.PRODUCT, p.GATHER)


def includes(strong: Order, weak: Order) -> bool:
    """Whether one order promises all that another does."""
    return strong == weak or (strong > weak and {strong, weak} != {Order.ACQ, Order.REL})


ORDER_SETS = {order.name: frozenset({order}) for order in Order} | {
    f"ge{least.name}": frozenset(order for order in Order if includes(order, least)) for least in Order
}
"""What each set of orders holds."""


@dataclass(frozen=True)
class Polarity:
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
    seen: set[tuple[int, int]] = set()
    code = model.compiled.code
    values: dict[int, list[int]] = {}  # of a variable of a recursion
    for op, a, b, _, _ in code:
        if op == p.UPDATE:
            values.setdefault(a, []).append(b)

    stack = [
        (test.register, -1 if axiom.negated else 1)
        for axiom, test in zip(model.axioms, model.tests, strict=True)
        if not axiom.flagged
    ]
    while stack:
        register, sign = stack.pop()
        if (register, sign) in seen:
            continue
        seen.add((register, sign))
        op, a, b, _, _ = code[register]
        if op == p.BASE_RELATION:
            found.relations.setdefault(base.RELATIONS[a], set()).add(sign)
        elif op == p.BASE_SET:
            found.sets.setdefault(base.SETS[a], set()).add(sign)
        elif op == p.VARIABLE:
            stack += [(value, sign) for value in values.get(register, ())]
        elif op == p.COMPLEMENT:
            stack.append((a, -sign))
        elif op == p.DIFFERENCE:
            stack += [(a, sign), (b, -sign)]
        elif op in _ONE_OPERAND:
            stack.append((a, sign))
        elif op in _TWO_OPERANDS:
            stack += [(a, sign), (b, sign)]
    return found


def grows_with_orders(model: ModelFile) -> bool:
    """Whether a stronger order can only forbid more: sets of orders are used upwards, or downwards under a negation."""
    used = polarity(model).sets
    return all(_fits(ORDER_SETS[name], signs) for name, signs in used.items() if name in ORDER_SETS)


def _fits(members: frozenset[Order], signs: set[int]) -> bool:
    upward = all(stronger in members for order in members for stronger in Order if includes(stronger, order))
    downward = all(weaker in members for order in members for weaker in Order if includes(order, weaker))
    return (upward or 1 not in signs) and (downward or -1 not in signs)
