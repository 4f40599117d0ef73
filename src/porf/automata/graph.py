"""Small graphs on which expressions are evaluated: events with predicates, relations as rows of bits."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from porf.automata import expression as x
from porf.automata.atoms import bits
from porf.language import formula as f

Rows = list[int]  # bit b of row a: the pair (a, b)


@dataclass
class Graph:
    events: list[frozenset[str]] = field(default_factory=list)
    relations: dict[str, Rows] = field(default_factory=dict)
    changes: int = 0
    _known: dict[x.Regular, Rows] = field(default_factory=dict)
    _known_at: tuple[int, int] = (-1, -1)

    def rows(self, name: str) -> Rows:
        return self.relations.setdefault(name, [0] * len(self.events))

    def event(self, held: frozenset[str]) -> int:
        self.events.append(held)
        for rows in self.relations.values():
            rows.append(0)
        return len(self.events) - 1

    def add(self, step: x.Step, source: int, target: int) -> None:
        if step.back:
            source, target = target, source
        rows = self.rows(step.name)
        if not rows[source] >> target & 1:
            rows[source] |= 1 << target
            self.changes += 1

    def evaluate(self, node: x.Regular) -> Rows:
        """The pairs of an expression. Equal parts are evaluated once, until the graph grows."""
        size = (len(self.events), self.changes)
        if self._known_at != size:
            self._known, self._known_at = {}, size
        if node not in self._known:
            self._known[node] = self._evaluate(node)
        return self._known[node]

    def _evaluate(self, node: x.Regular) -> Rows:
        count = len(self.events)
        match node:
            case x.Check(formula):
                return [1 << at if f.satisfied(formula, held) else 0 for at, held in enumerate(self.events)]
            case x.Step("any", _):
                return [(1 << count) - 1] * count
            case x.Step(name, back):
                return transposed(self.rows(name)) if back else list(self.rows(name))
            case x.Union(parts):
                out = [0] * count
                for part in parts:
                    out = [one | more for one, more in zip(out, self.evaluate(part), strict=True)]
                return out
            case x.Sequence(parts):
                out = self.evaluate(parts[0])
                for part in parts[1:]:
                    out = composed(out, self.evaluate(part))
                return out
            case x.Star(body):
                return [row | 1 << at for at, row in enumerate(closed(self.evaluate(body)))]
            case x.Plus(body):
                return closed(self.evaluate(body))
            case x.Loops(body):
                return [row & 1 << at for at, row in enumerate(self.evaluate(body))]
            case x.Minus(body, without):
                both = zip(self.evaluate(body), self.evaluate(without), strict=True)
                return [one & ~less for one, less in both]
            case x.Rotations(body):
                # Where some cycle of it is, every event of that cycle begins one: for implications between
                # irreflexivities it is enough that there is one.
                loops = any(row >> at & 1 for at, row in enumerate(self.evaluate(body)))
                return [1 << at if loops else 0 for at in range(count)]


def transposed(rows: Rows) -> Rows:
    out = [0] * len(rows)
    for source, row in enumerate(rows):
        for target in bits(row):
            out[target] |= 1 << source
    return out


def composed(left: Rows, right: Rows) -> Rows:
    out = []
    for row in left:
        reached = 0
        for middle in bits(row):
            reached |= right[middle]
        out.append(reached)
    return out


def closed(rows: Rows) -> Rows:
    """The transitive closure."""
    out = list(rows)
    for middle in range(len(out)):
        for at, row in enumerate(out):
            if row >> middle & 1:
                out[at] = row | out[middle]
    return out


def pairs(rows: Rows) -> list[tuple[int, int]]:
    return [(source, target) for source, row in enumerate(rows) for target in bits(row)]


def extensions(
    members: list[int], before: Rows, together: Mapping[int, int] = MappingProxyType({})
) -> Iterator[list[int]]:
    """Total orders of the members that keep a partial one; what is together with an event comes right after it."""
    if not members:
        yield []
        return
    whole = closed(before)
    after = {at: [other for other in members if whole[at] >> other & 1] for at in members}
    waits = {at: sum(at in others for others in after.values()) for at in members}

    def go(chosen: list[int], waiting: dict[int, int]) -> Iterator[list[int]]:
        if len(chosen) == len(members):
            yield list(chosen)
            return
        must = together.get(chosen[-1]) if chosen else None
        for at in [must] if must in waiting else list(waiting):
            if at is None or waiting[at]:
                continue
            rest = {other: count - (other in after[at]) for other, count in waiting.items() if other != at}
            yield from go([*chosen, at], rest)

    yield from go([], waits)
