"""Boolean formulas over predicates of events: a name, True, False, or an operator over formulas.

Equal formulas are one node, so that what a file shares is shared here, too, and nothing needs to be unfolded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeVar

from porf.language import once

T = TypeVar("T")


class _Compound(once.Node):
    __slots__ = ("depth",)
    depth: int  # how many operators are inside each other

    def settle(self) -> None:
        parts: tuple[Formula, ...] = getattr(self, "parts")  # noqa: B009
        self.depth = 1 + max(part.depth if isinstance(part, Compound) else 0 for part in parts)


class Compound(_Compound, metaclass=once.Once):
    operator: Literal["and", "or", "not"]
    parts: tuple[Formula, ...]


Formula = bool | str | Compound


def conjunction(left: Formula, right: Formula) -> Formula:
    if left is False or right is False:
        return False
    if left is True or left == right:
        return right
    return left if right is True else Compound("and", (left, right))


def disjunction(left: Formula, right: Formula) -> Formula:
    if left is True or right is True:
        return True
    if left is False or left == right:
        return right
    return left if right is False else Compound("or", (left, right))


def negation(formula: Formula) -> Formula:
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, Compound) and formula.operator == "not":
        return formula.parts[0]
    return Compound("not", (formula,))


@lru_cache(maxsize=1 << 12)
def walk(formula: Formula) -> tuple[Formula, ...]:
    """Every different part, each after all that it is made of; no nesting is too deep for it."""
    done: dict[Formula, None] = {}
    waiting = [(formula, False)]
    while waiting:
        part, ready = waiting.pop()
        if part in done:
            continue
        if ready or not isinstance(part, Compound):
            done[part] = None
            continue
        waiting.append((part, True))
        waiting += [(one, False) for one in reversed(part.parts) if one not in done]
    return tuple(done)


def folded(formula: Formula, known: dict[Formula, T], leaf: Callable[[bool | str], T], node: Callable[..., T]) -> T:
    """A value of each part, from those of its parts: `node(operator, values)`. `known` keeps them."""
    for part in walk(formula):
        if part not in known:
            known[part] = (
                node(part.operator, [known[one] for one in part.parts]) if isinstance(part, Compound) else leaf(part)
            )
    return known[formula]


def predicates_of(formula: Formula) -> set[str]:
    return {part for part in walk(formula) if isinstance(part, str)}


def satisfied(formula: Formula, held: frozenset[str]) -> bool:
    """Whether an event of which these predicates hold satisfies it."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, str):
        return formula in held
    return folded(formula, {}, lambda name: name if isinstance(name, bool) else name in held, _truth)


def _truth(operator: str, values: list[bool]) -> bool:
    return not values[0] if operator == "not" else all(values) if operator == "and" else any(values)


def text_of(formula: Formula, outer: bool = True) -> str:
    if isinstance(formula, bool):
        return "id" if formula else "0"
    if isinstance(formula, str):
        return formula
    if formula.operator == "not":
        return f"~{text_of(formula.parts[0], False)}"
    inner = (" ; " if formula.operator == "and" else " | ").join(text_of(part, False) for part in formula.parts)
    return inner if outer else f"({inner})"
