"""Compilation schemes on an automaton: where it can walk the inserted path, it may take the step instead.

The events that a scheme inserts are known by one test alone, so the automaton must be able to go on from each of them,
whatever else they are, and must come to the same state.
"""

from __future__ import annotations

from dataclasses import dataclass

from porf.automata.atoms import Atoms, bits
from porf.automata.expression import Regular, Step
from porf.automata.guarded import Guarded, automaton_of
from porf.automata.theory import Insertion, Theory

_MOST_STATES = 20_000


@dataclass(frozen=True)
class _Echo:
    """A state that goes on as another one does, on some atoms."""

    state: int
    model: int
    guard: int


class Inserter:
    """Adds to one automaton what the schemes allow, until nothing is new."""

    def __init__(self, body: Guarded, theory: Theory, atoms: Atoms, closure: dict[Step, Regular]) -> None:
        self.body, self._theory, self._atoms, self._closure = body, theory, atoms, closure
        self._echoes: list[_Echo] = []
        self._restricted: dict[tuple[int, int], int] = {}
        self._entries: dict[tuple[Step, int], dict[int, tuple[int, Step]]] = {}
        self.cut = False

    def run(self, insertions: list[Insertion]) -> None:
        changed = True
        while changed and not self.cut:
            changed = self._echo()
            for scheme in insertions:
                if self._apply(scheme):
                    changed = True
            self.cut = len(self.body.final) > _MOST_STATES

    def _echo(self) -> bool:
        changed = False
        for echo in self._echoes:
            for (target, step), guard in list(self.body.moves[echo.model].items()):
                changed |= self.body.move(echo.state, guard & echo.guard, step, target)
            final = self.body.final[echo.state] | self.body.final[echo.model] & echo.guard
            changed |= final != self.body.final[echo.state]
            self.body.final[echo.state] = final
        return changed

    def _apply(self, scheme: Insertion) -> bool:
        domain, range_ = self._theory.ends(scheme.step)
        source = self._atoms.mask(scheme.source) & self._atoms.mask(domain)
        target = self._atoms.mask(scheme.target)
        whole_range = self._atoms.mask(range_)
        between = []
        for at, formula in enumerate(scheme.between):
            _, after = self._theory.ends(scheme.path[at])
            before, _ = self._theory.ends(scheme.path[at + 1])
            between.append(bits(self._atoms.mask(formula) & self._atoms.mask(after) & self._atoms.mask(before)))
        changed = False
        for state in range(len(self.body.final)):
            for guard, targets in self._walks(state, source, scheme.path, between).items():
                for end in bits(targets):
                    if whole_range & ~target:
                        end = self._restrict(end, target)
                    for entry, (own, step) in self._entry(scheme.step, end).items():
                        changed |= self.body.move(state, guard & own, step, entry)
        return changed

    def _walks(self, state: int, source: int, path: tuple[Step, ...], between: list[list[int]]) -> dict[int, int]:
        """From a state: sets of atoms to begin with, and the states (as bits) in which every walk can end."""
        above = self._theory.above(path[0])
        moves = [(guard & source, 1 << to) for (to, step), guard in self.body.moves[state].items() if step in above]
        out: dict[int, int] = {}
        for guard, reached in classes([move for move in moves if move[0]]).items():
            targets = self._rest(reached, path[1:], between)
            if targets:
                out[guard] = targets
        return out

    def _rest(self, states: int, path: tuple[Step, ...], between: list[list[int]]) -> int:
        if not path:
            return states
        common = -1
        above = self._theory.above(path[0])
        for atom in between[0]:
            reached = 0
            for state in bits(states):
                for (to, step), guard in self.body.moves[state].items():
                    if guard >> atom & 1 and step in above:
                        reached |= 1 << to
            if reached:
                reached = self._rest(reached, path[1:], between[1:])
            common &= reached
            if not common:
                return 0
        return common if common != -1 else 0

    def _restrict(self, state: int, guard: int) -> int:
        """The state that goes on as another one, if the next event is one of these."""
        key = (state, guard)
        if key not in self._restricted:
            new = self.body.state()
            self._restricted[key] = new
            self._restricted[new, guard] = new
            self._echoes.append(_Echo(new, state, guard))
        return self._restricted[key]

    def _entry(self, step: Step, end: int) -> dict[int, tuple[int, Step]]:
        """States that begin a path that stands for the step and then goes on as `end` does."""
        key = (step, end)
        if key not in self._entries:
            part = automaton_of(self._closure[step], self._atoms)
            states = [self.body.state() for _ in part.final]
            for source, moves in enumerate(part.moves):
                for (target, own), guard in moves.items():
                    self.body.move(states[source], guard, own, states[target])
                if part.final[source] and source not in part.initial:
                    self._echoes.append(_Echo(states[source], end, part.final[source]))
            begin = part.moves[part.initial[0]]
            self._entries[key] = {states[to]: (guard, own) for (to, own), guard in begin.items()}
            for entry in self._entries[key]:
                self._entries.setdefault((step, entry), self._entries[key])
        return self._entries[key]


def classes(moves: list[tuple[int, int]]) -> dict[int, int]:
    """Atoms that allow the same moves, together: guard -> targets."""
    out: dict[int, int] = {}
    for guard, to in moves:
        for known in list(out):
            both = known & guard
            if not both:
                continue
            targets = out.pop(known)
            out[both] = out.get(both, 0) | targets | to
            if known & ~both:
                out[known & ~both] = targets
            guard &= ~both
        if guard:
            out[guard] = out.get(guard, 0) | to
    return out
