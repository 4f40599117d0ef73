"""Updates as one event, seen where they are two: a model of the one kind in terms of the other.

A cycle of halves becomes a cycle of whole events: `rmw`, from half to half, leads nowhere. Every other step leads from
one event to another if it is *far*, that is no step from half to half. So the steps of the one-event model are the far
ones, with `rmw` there and back allowed anywhere between them.
"""

from functools import lru_cache

from porf.automata import expression as x
from porf.automata.theory import Relation, Theory
from porf.language import formula as f

_RMW = x.Step("rmw")
_FAR = ("po", "po-loc", "fr", "fri", "ctrl", "addr", "data")  # those that may lead from half to half
# Tests of a whole event, at one of its halves: what surely means it, and what it surely means.
_EITHER: dict[str, f.Formula] = {"R": f.disjunction("R", "EXCL"), "W": f.disjunction("W", "EXCL"), "U": "EXCL"}
_EXACT = ("F", "IW", "LOC", "SC", "NA")


def collapsing(theory: Theory) -> None:
    """Far steps, and facts about them: nothing is between the halves of an update."""
    for name in _FAR:
        far = x.Step(f"{name}-far")
        theory.relations[far.name] = Relation()
        theory.include(far, x.Step(name))
        if theory.below(name, "po"):
            theory.include(far, x.Step("po-far"))
    theory.include(x.Step("po-loc-far"), x.Step("po-far"))
    theory.include(x.Step("fri-far"), x.Step("fr-far"))
    theory.include(x.Step("fre"), x.Step("fr-far"))
    for name in ("po-far", "po-loc-far"):
        step = x.Step(name)
        for path in ((step, step), (_RMW, step), (step, _RMW)):
            theory.assume(x.sequence(path), step)
    theory.assume(x.sequence((x.Step("rf"), x.Step("fr-far"))), x.Step("mo"))
    theory.nowhere += [_RMW, x.Step("rmw", True)]


def in_halves(axiom: x.Regular) -> x.Regular:
    """An axiom of the two-event view, each step far or from half to half."""

    def leaf(part: x.Check | x.Step) -> x.Regular:
        if isinstance(part, x.Step) and part.name in _FAR:
            return x.union((x.Step(f"{part.name}-far", part.back), x.Step("rmw", part.back)))
        return part

    return x.rebuild(axiom, leaf)


def of_one_event(axiom: x.Regular) -> x.Regular:
    """An axiom of the one-event view, by far steps; its tests are asked of a half."""

    def leaf(part: x.Check | x.Step) -> x.Regular:
        if isinstance(part, x.Check):
            return x.Check(_surely(part.formula, True))
        return x.Step(f"{part.name}-far", part.back) if part.name in _FAR else part

    return x.rebuild(axiom, leaf)


@lru_cache(maxsize=1 << 12)
def _surely(formula: f.Formula, holds: bool) -> f.Formula:
    """A test of a half that implies the test of the whole (or, not `holds`, that it implies)."""
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, str):
        if formula in _EITHER:
            return _EITHER[formula]
        if formula in _EXACT:
            return formula
        # Acquire, release and relaxed: a half may lack what the whole has, and be relaxed where the whole is not.
        if holds:
            return f.conjunction(formula, f.negation("EXCL")) if formula == "RLX" else formula
        return f.disjunction(formula, "EXCL")
    if formula.operator == "not":
        return f.negation(_surely(formula.parts[0], not holds))
    return f.Compound(formula.operator, tuple(_surely(part, holds) for part in formula.parts))
