"""Whether an event that is added last can break an axiom: only if some step of it leads away from that event.

An event that nothing follows in po, rf, mo or fr has no step to another event in these, nor in what is made of them
forwards. Such a relation is *forward*. It is *strict* if it has no step from the event to itself either.
"""

from __future__ import annotations

from dataclasses import dataclass

from porf.language import base
from porf.language import program as p
from porf.language.model_file import ModelFile

_AWAY = frozenset({"loc", "int", "ext"})  # lead from every event to others, whoever came last


@dataclass(frozen=True)
class _Steps:
    forward: bool
    strict: bool
    settled: bool = True  # pairs of other events are as before: of a set, its other members


_UNKNOWN = _Steps(False, False, False)


def only_forward(model: ModelFile) -> bool:
    """Whether every axiom that can reject speaks of cycles of strictly forward relations, or of atomicity."""
    known: list[_Steps] = []
    for op, a, b, _, _ in model.compiled.code:
        known.append(_steps(op, a, b, known))
    for axiom, test in zip(model.axioms, model.tests, strict=True):
        if axiom.kind == "empty":
            fine = _atomicity(model.compiled.code, test.register, known)
        else:
            fine = _strictly_forward(known[test.register])
        if not ((fine and not axiom.negated) or axiom.flagged):
            return False
    return True


def _strictly_forward(steps: _Steps) -> bool:
    return steps.forward and steps.strict and steps.settled


def _atomicity(code: list[tuple[int, int, int, int, int]], register: int, known: list[_Steps]) -> bool:
    """Whether this is `rmw & (a; b)`, both strictly forward. It stays empty: before the write of a new update was
    there, its read was the last event, and had no step a. As one event, the update has no step at all."""
    op, one, other, _, _ = code[register]
    rmw = (p.BASE_RELATION, base.RELATIONS.index("rmw"))
    if op != p.INTERSECTION or rmw not in (code[one][:2], code[other][:2]):
        return False
    step, first, second, _, _ = code[other if code[one][:2] == rmw else one]
    return step == p.COMPOSE and _strictly_forward(known[first]) and _strictly_forward(known[second])


def _steps(op: int, a: int, b: int, known: list[_Steps]) -> _Steps:
    """Of one instruction, from those of its operands."""
    if op == p.BASE_RELATION:
        name = base.RELATIONS[a]
        return _Steps(forward=name not in _AWAY, strict=name not in ("id", "loc", "int", "rmw"))
    if op == p.BASE_SET or op == p.UNIVERSE:
        return _Steps(forward=False, strict=False)
    if op == p.EMPTY:
        return _Steps(forward=True, strict=True)
    if op == p.PRODUCT:
        return _Steps(False, False, known[a].settled and known[b].settled)
    if op == p.IDENTITY:
        return _Steps(True, False, known[a].settled)
    if op == p.COMPLEMENT:
        return _Steps(False, False, known[a].settled)
    if op == p.DIFFERENCE:
        return _Steps(known[a].forward, known[a].strict, known[a].settled and known[b].settled)
    if op in (p.UNION, p.INTERSECTION):
        one, other = known[a], known[b]
        join = all if op == p.UNION else any
        settled = one.settled and other.settled
        return _Steps(join((one.forward, other.forward)), join((one.strict, other.strict)), settled)
    if op == p.COMPOSE and known[a].forward and known[b].forward:
        return _Steps(True, known[a].strict or known[b].strict, known[a].settled and known[b].settled)
    if op == p.PLUS and known[a].forward:
        return known[a]
    if op in (p.STAR, p.OPTIONAL) and known[a].forward:
        return _Steps(True, False, known[a].settled)
    return _UNKNOWN
