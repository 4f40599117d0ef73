"""Compilation schemes on an automaton: where it can walk the inserted path, it may take the step instead.

The events that a scheme inserts are known by one test alone, so the automaton must be able to go on from each of them,
whatever else they are, and must come to the same state.
"""

from collections.abc import Callable

from porf.automata.atoms import Atoms, bits
from porf.automata.expression import Regular, Step
from porf.automata.guarded import Guarded, automaton_of
from porf.automata.theory import Insertion, Theory
from porf.record import Record

_MOST_STATES = 20_000


class _Echo(Record):
    """A state that goes on as another one does, on some atoms."""

    state: int
    model: int
    guard: int


class Inserter:
    """Adds to one automaton what the schemes allow, until nothing is new."""

    def __init__(
        self, body: Guarded, theory: Theory, atoms: Atoms, closure: dict[Step, Regular], over: Callable[[], bool]
    ) -> None:
        """`over` says when to give up."""
        self.body, self._theory, self._atoms, self._closure, self._over = body, theory, atoms, closure, over
        self._echoes: list[_Echo] = []
        self._restricted: dict[tuple[int, int], int] = {}
        self._base: dict[int, tuple[int, int]] = {}  # of a restricted state
        # Of the last states of a path that stands for a step: the state that it goes on as, and on which atoms.
        self._goes_on_as: dict[int, tuple[int, int]] = {}
        self._rests: dict[tuple[int, int], int] = {}  # of the scheme at hand
        self._entries: dict[tuple[Step, int], dict[int, tuple[int, Step]]] = {}
        self.cut = False
        self._tick = 0
        self._changed: dict[int, int] = {}  # when the moves of a state last grew
        self._looked: dict[tuple[Insertion, int], int] = {}  # when a scheme was last tried at a state

    def run(self, insertions: list[Insertion]) -> None:
        changed = True
        while changed and not self.cut:
            changed = self._echo()
            for scheme in insertions:
                if self._apply(scheme):
                    changed = True
            self.cut = len(self.body.final) > _MOST_STATES or self._over()

    def _echo(self) -> bool:
        changed = False
        for echo in self._echoes:
            for (target, step), guard in list(self.body.moves[echo.model].items()):
                changed |= self._move(echo.state, guard & echo.guard, step, target)
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
        self._rests.clear()
        between = [self._told_apart(atoms) for atoms in between]
        changed = False
        for state in range(len(self.body.final)):
            if state % 64 == 0 and self._over():
                break
            if not self._news(scheme, state):
                continue
            for guard, targets in self._walks(state, source, scheme.path, between).items():
                for end, own_guard in {self._goes_on_as.get(end, (end, -1)) for end in bits(targets)}:
                    if whole_range & ~(target & own_guard):
                        end = self._restrict(end, target & own_guard)
                    for entry, (own, step) in self._entry(scheme.step, end).items():
                        changed |= self._move(state, guard & own, step, entry)
        return changed

    def _move(self, source: int, guard: int, step: Step, target: int) -> bool:
        grown = self.body.move(source, guard, step, target)
        if grown:
            self._changed[source] = self._tick
        return grown

    def _news(self, scheme: Insertion, state: int) -> bool:
        """Whether a state, or one that it leads to in so many steps, has grown since the scheme was tried there."""
        self._tick += 1
        last = self._looked.get((scheme, state), -1)
        self._looked[scheme, state] = self._tick
        near, seen = {state}, {state}
        for _ in scheme.path[1:]:
            near = {target for one in near for target, _ in self.body.moves[one]}
            seen |= near
        return any(self._changed.get(one, 0) > last for one in seen)

    def _told_apart(self, atoms: list[int]) -> list[int]:
        """One atom of each kind that the guards of the automaton tell apart."""
        guards = {guard for moves in self.body.moves for guard in moves.values()}
        kinds = {tuple(guard >> atom & 1 for guard in guards): atom for atom in atoms}
        return list(kinds.values())

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
        if (states, len(path)) in self._rests:
            return self._rests[states, len(path)]
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
                break
        self._rests[states, len(path)] = common if common != -1 else 0
        return self._rests[states, len(path)]

    def _restrict(self, state: int, guard: int) -> int:
        """The state that goes on as another one, if the next event is one of these."""
        state, known = self._base.get(state, (state, -1))
        key = (state, guard & known)
        if key not in self._restricted:
            self._restricted[key] = self.body.state()
            self._base[self._restricted[key]] = key
            self._echoes.append(_Echo(self._restricted[key], *key))
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
                    self._goes_on_as[states[source]] = (end, part.final[source])
            begin = part.moves[part.initial[0]]
            self._entries[key] = {states[to]: (guard, own) for (to, own), guard in begin.items()}
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
