"""Cycles and locations: a step is within one location if all other steps of its cycle keep the location.

On the left, a lone step that need not keep it becomes one that does. On the right, a step of `po-loc` may stand for a
run of several steps of `po`, if all steps outside the run keep the location.
"""

from porf.automata import expression as x
from porf.automata.guarded import Guarded
from porf.automata.selection import MEETS
from porf.automata.theory import Relation, Theory

# How many steps of a cycle so far need not keep the location.
_NONE, _CUT, _NOWHERE, _ONE, _MORE = range(5)


_WIDER = {"po-loc": "po", "po-loc-far": "po-far"}  # transitive: a run of such steps is one of them


def with_runs(body: Guarded, theory: Theory, atoms: int) -> Guarded | None:
    """The cycles in which a run of steps stands for one step within a location; None where no such step is."""
    out = Guarded()
    count = len(body.final)
    for _ in range(2 * count):  # before the run, and after it
        out.state()
    inside: dict[tuple[int, x.Step], int] = {}
    for state, moves in enumerate(body.moves):
        for (target, step), guard in moves.items():
            kept = step
            if x.Step("loc") not in theory.above(step):
                name = MEETS.get((step.name, "loc"))
                if name is None:
                    continue
                kept = x.Step(name, step.back)
            for shift in (0, count):
                out.move(state + shift, guard, kept, target + shift)
            if kept.name not in _WIDER:
                continue
            wide = x.Step(_WIDER[kept.name], kept.back)
            key = (target, wide)
            if key not in inside:
                inside[key] = out.state()
                out.move(inside[key], atoms, wide, inside[key])
                out.move(inside[key], atoms, wide, target + count)
            out.move(state, guard, wide, inside[key])
    if not inside:
        return None
    out.initial = list(body.initial)
    for state, final in enumerate(body.final):
        out.final[state + count] = final
    return out


def within_location(step: x.Step, theory: Theory) -> x.Step:
    """The step between events of one location; known to the theory from now on."""
    name = MEETS.get((step.name, "loc"), f"{step.name}&loc")
    if name not in theory.relations:
        own = x.Step(name)
        theory.relations[name] = theory.relations.get(step.name, Relation())
        theory.include(own, x.Step(step.name), fact=False)
        theory.include(own, x.Step("loc"), fact=False)
        if theory.below(step.name, "po"):
            theory.include(own, x.Step("po-loc"), fact=False)
    return x.Step(name, step.back)


def locate(body: Guarded, theory: Theory, has_location: int, atoms: int) -> Guarded:
    """The same cycles, where a lone step that need not keep the location is known to keep it."""
    out = Guarded()
    count = len(body.final)
    for _ in range(5 * count):
        out.state()

    def at(state: int, phase: int) -> int:
        return phase * count + state

    cuts: dict[x.Step, x.Step | None] = {}  # None: it keeps the location anyway
    for state, moves in enumerate(body.moves):
        for (target, step), guard in moves.items():
            if step not in cuts:
                keeps = x.Step("loc") in theory.above(step)
                cuts[step] = None if keeps else within_location(step, theory)
            cut = cuts[step]
            if cut is None:
                for phase in range(5):
                    out.moves[at(state, phase)][at(target, phase), step] = guard
                continue
            out.move(at(state, _NONE), guard & has_location, cut, at(target, _CUT))
            out.move(at(state, _NONE), guard & atoms & ~has_location, step, at(target, _NOWHERE))
            for phase, following in ((_NONE, _ONE), (_ONE, _MORE), (_MORE, _MORE)):
                out.moves[at(state, phase)][at(target, following), step] = guard
        for phase in (_NONE, _CUT, _NOWHERE, _MORE):
            out.final[at(state, phase)] = body.final[state]
    out.initial = [at(state, _NONE) for state in body.initial]
    return out
