"""Model expressions over sets of pairs, as slowly and plainly as possible: what the engine is compared with.

An expression is a nested tuple, an operator and its operands; a string is a base name.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from porf.execution import Execution, Op

Pairs = set[tuple[int, int]]
Values = set[Any]
GE = {"RLX": (1, 2, 3, 4, 5), "ACQ": (2, 4, 5), "REL": (3, 4, 5), "ACQ_REL": (4, 5), "SC": (5,)}


class Naive:
    def __init__(self, g: Execution, mo: Pairs) -> None:
        self.g = g
        rows = list(range(len(g)))
        self.events = [*rows, *(~x for x in range(g.locations))]
        self.sets: dict[str, set[int]] = {
            "_": set(self.events),
            "R": {e for e in rows if g.op[e] in (Op.READ, Op.UPDATE)},
            "W": {e for e in self.events if e < 0 or g.op[e] in (Op.WRITE, Op.UPDATE)},
            "F": {e for e in rows if g.op[e] == Op.FENCE},
            "U": {e for e in rows if g.op[e] == Op.UPDATE},
            "IW": {e for e in self.events if e < 0},
        }
        self.sets["M"] = self.sets["R"] | self.sets["W"]
        for number, name in enumerate(("NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC")):
            self.sets[name] = {e for e in rows if g.order[e] == number}
        for name, orders in GE.items():
            self.sets[f"ge{name}"] = {e for e in rows if g.order[e] in orders}
        self.relations = self._relations(rows, mo)

    def _relations(self, rows: list[int], mo: Pairs) -> dict[str, Pairs]:
        g = self.g
        every = [(a, b) for a in self.events for b in self.events]
        mo = mo | {(~x, e) for x in range(g.locations) for e in rows if g.writes(e) and g.loc[e] == x}
        while more := {(a, d) for a, b in mo for c, d in mo if b == c} - mo:
            mo = mo | more
        rf = {(g.writer(e), e) for e in rows if g.reads(e) and g.rf[e] != -2}
        same = {(a, b) for a, b in every if a == b or (a >= 0 and b >= 0 and g.thread[a] == g.thread[b])}
        out = {
            "id": {(e, e) for e in self.events},
            "po": {(a, b) for a, b in every if b >= 0 and (a < 0 or (a < b and (a, b) in same))},
            "rf": rf,
            "mo": mo,
            "fr": {(r, v) for w, r in rf for u, v in mo if u == w and r != v},
            "loc": {(a, b) for a, b in every if g.location(a) == g.location(b) >= 0},
            "int": same,
            "ext": set(every) - same,
            "rmw": {(e, e) for e in self.sets["U"]},
        }
        for kind in ("addr", "data", "ctrl"):
            sources, targets = g.dependencies.get(kind, ((), ()))
            out[kind] = {(int(a), int(b)) for a, b in zip(sources, targets, strict=True)}
        for name, of, part in (
            ("rfe", "rf", "ext"),
            ("fri", "fr", "int"),
            ("moe", "mo", "ext"),
            ("coi", "mo", "int"),
        ):
            out[name] = out[of] & out[part]
        out["po-loc"], out["co"] = out["po"] & out["loc"], mo
        return out

    def set(self, e: Any) -> set[int]:
        if isinstance(e, str):
            return self.sets[e]
        if e[0] == "each" and e[3] == "set":
            return set().union(*self._for_each(e, self.set))
        match e[0]:
            case "|":
                return self.set(e[1]) | self.set(e[2])
            case "&":
                return self.set(e[1]) & self.set(e[2])
            case "\\":
                return self.set(e[1]) - self.set(e[2])
            case "domain":
                return {a for a, _ in self.relation(e[1])}
            case "range":
                return {b for _, b in self.relation(e[1])}
        raise AssertionError(e)

    def relation(self, e: Any) -> Pairs:
        if isinstance(e, str):
            return self.relations[e]
        if e[0] == "[]":
            return {(a, a) for a in self.set(e[1])}
        if e[0] == "each":
            return set().union(*self._for_each(e, self.relation))
        if e[0] == "rec":
            return self._least(e)
        if e[0] == "product":
            return {(a, b) for a in self.set(e[1]) for b in self.set(e[2])}
        if e[0] == "fencerel":
            return {
                (a, d) for a, b in self.relations["po"] for c, d in self.relations["po"] if b == c in self.set(e[1])
            }
        left = self.relation(e[1])
        match e[0]:
            case "^-1":
                return {(b, a) for a, b in left}
            case "?":
                return left | self.relations["id"]
            case "~":
                return {(a, b) for a in self.events for b in self.events} - left
            case "+":
                return self.closure(left)
            case "*":
                return self.closure(left) | self.relations["id"]
            case "|":
                return left | self.relation(e[2])
            case "&":
                return left & self.relation(e[2])
            case "\\":
                return left - self.relation(e[2])
            case ";":
                right = self.relation(e[2])
                return {(a, d) for a, b in left for c, d in right if b == c}
        raise AssertionError(e)

    def _for_each(self, e: Any, value: Callable[[Any], Values]) -> list[Values]:
        """("each", set, body, kind): the body with the set "o" of one event at a time."""
        outer = self.sets.get("o", set())
        out = []
        for event in self.set(e[1]):
            self.sets["o"] = {event}
            out.append(value(e[2]))
            self.sets["o"] = outer
        return out

    def _least(self, e: Any) -> Pairs:
        """("rec", start, step): the least relation v = start | v; step."""
        start, step = self.relation(e[1]), self.relation(e[2])
        found: Pairs = set()
        while (more := start | {(a, d) for a, b in found for c, d in step if b == c}) != found:
            found = more
        return found

    @staticmethod
    def closure(r: Pairs) -> Pairs:
        while more := {(a, d) for a, b in r for c, d in r if b == c} - r:
            r = r | more
        return r


BASE = (
    "po",
    "rf",
    "mo",
    "fr",
    "loc",
    "int",
    "ext",
    "id",
    "rmw",
    "addr",
    "data",
    "ctrl",
    "rfe",
    "fri",
    "moe",
    "coi",
    "po-loc",
)
SETS = (
    "R",
    "W",
    "F",
    "U",
    "M",
    "IW",
    "_",
    "RLX",
    "ACQ",
    "REL",
    "ACQ_REL",
    "geRLX",
    "geACQ",
    "geREL",
    "geACQ_REL",
)


def random_set(rng: random.Random, depth: int, inside: bool = False) -> Any:
    """`inside` the body of an `each`, whose event is the set "o"."""
    if inside and rng.random() < 0.3:
        return "o"
    if depth == 0 or rng.random() < 0.5:
        return rng.choice(SETS)
    operator = rng.choice(("|", "&", "\\", "domain", "range", "each"))
    if operator == "each":
        body = random_set(rng, depth - 1, True)
        body = "M" if body == "_" else body  # alone, `_` would be taken for a relation
        return (operator, random_set(rng, depth - 1, inside), body, "set")
    if operator in ("domain", "range"):
        return (operator, random_relation(rng, depth - 1, inside))
    return (operator, random_set(rng, depth - 1, inside), random_set(rng, depth - 1, inside))


def random_relation(rng: random.Random, depth: int, inside: bool = False) -> Any:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(BASE)
    operators = ("|", "&", "\\", ";", ";", "+", "*", "?", "^-1", "~", "[]", "product", "fencerel", "each", "rec")
    operator = rng.choice(operators)
    if operator in ("[]", "fencerel"):
        return (operator, random_set(rng, depth - 1, inside))
    if operator == "product":
        return (operator, random_set(rng, depth - 1, inside), random_set(rng, depth - 1, inside))
    if operator == "each":
        return (operator, random_set(rng, depth - 1, inside), random_relation(rng, depth - 1, True), "relation")
    if operator in ("+", "*", "?", "^-1", "~"):
        return (operator, random_relation(rng, depth - 1, inside))
    return (operator, random_relation(rng, depth - 1, inside), random_relation(rng, depth - 1, inside))


def text_of(e: Any) -> str:
    """The expression in cat, with every bracket."""
    if isinstance(e, str):
        return e
    parts = [text_of(part) for part in e[1:]]
    match e[0]:
        case "[]":
            return f"[{parts[0]}]"
        case "domain" | "range" | "fencerel":
            return f"{e[0]}({parts[0]})"
        case "each":
            return f"(let f(o) = {parts[1]} in each({parts[0]}, f))"
        case "rec":
            return f"(let rec v = ({parts[0]}) | v;({parts[1]}) in v)"
        case "~":
            return f"(~({parts[0]}))"
        case "+" | "*" | "?" | "^-1":
            return f"(({parts[0]}){e[0]})"
        case "product":
            return f"(({parts[0]})*({parts[1]}))"
    return f"(({parts[0]}) {e[0]} ({parts[1]}))"
