"""A smaller left side: a path that takes two steps where one would do says less, and can be dropped.

If t is transitive, then a path with t;t implies the one with t in its place. Where the automaton has both, only the
shorter one need be shown to be in the right side.
"""

from porf.automata import expression as x
from porf.automata.guarded import Guarded
from porf.automata.theory import Theory


def without_detours(body: Guarded, theory: Theory) -> Guarded:
    """Leaves out moves along a transitive relation that every path to their source could have avoided."""
    transitive = {step.name for step, paths in theory.stands_for.items() if x.sequence((step, step)) in paths}
    before: list[list[tuple[int, x.Step, int]]] = [[] for _ in body.final]
    for source, moves in enumerate(body.moves):
        for (target, step), guard in moves.items():
            before[target].append((source, step, guard))
    initial = set(body.initial)
    out = Guarded([], list(body.final), list(body.initial))
    for middle, moves in enumerate(body.moves):
        kept = {}
        for (target, step), guard in moves.items():
            spared = (
                step.name in transitive
                and middle not in initial
                and before[middle]
                and all(
                    step in theory.above(first) and not own & ~body.moves[source].get((target, step), 0)
                    for source, first, own in before[middle]
                )
            )
            if not spared:
                kept[target, step] = guard
        out.moves.append(kept)
    return out
