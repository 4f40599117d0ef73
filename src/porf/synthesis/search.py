"""The weakest choices that are safe. All choices that no unsafe execution tells of are known by the least of them, the
*candidates*; the cheapest is judged next. If it is safe, nothing weaker is, for all that is weaker was told unsafe; if
it is not, its execution is one more that tells. (Reiter 1987 finds diagnoses so, by hitting sets; here a set is hit by
an order that is strong enough.)"""

from __future__ import annotations

from collections.abc import Callable

from porf.record import Record, field
from porf.synthesis.choices import Bound, Choice, Space, is_within
from porf.synthesis.judge import Answer, Judge

MOST = 3000  # candidates that are kept: the cheapest; what is then found is made weaker one by one


class Found(Record, frozen=False):
    """What a search has found so far."""

    minimal: list[Choice] = field(default_factory=list)  # safe, and nothing weaker is, but perhaps what is left open
    open: list[tuple[int, Choice]] = field(default_factory=list)  # not decided: sites, with choices that are weaker
    complete: bool = False  # there are no others that are minimal


class Candidates:
    """The least choices that no bound has within."""

    def __init__(self, space: Space, least: Choice, most: Choice) -> None:
        self.space = space
        self.most = most
        self.choices: dict[Choice, float] = {least: space.cost(least)}
        self.dropped = False

    def refuse(self, bound: Bound) -> None:
        """No choice within this bound counts any more."""
        inside = [choice for choice in self.choices if is_within(choice, bound)]
        if not inside:
            return
        for choice in inside:
            del self.choices[choice]
        below = self.space.is_below
        fresh = {escape for choice in inside for escape in self.space.escapes(choice, bound)}
        fresh = {escape for escape in fresh if below(escape, self.most)}
        for choice in sorted(fresh, key=self.space.cost):
            if not any(below(other, choice) for other in self.choices):
                self.choices[choice] = self.space.cost(choice)
        if len(self.choices) > MOST:
            self.dropped = True
            self.choices = dict(sorted(self.choices.items(), key=lambda item: item[1])[:MOST])

    def cheapest(self, without: set[Choice]) -> Choice | None:
        return min((c for c in self.choices if c not in without), key=lambda c: (self.choices[c], c), default=None)


class Search:
    """Among choices that are nowhere weaker than `least`, and nowhere stronger than `most`. If that is known to be
    safe, it is made weaker site by site when half of the time is over. `step` is called when more is known."""

    def __init__(self, judge: Judge, least: Choice, most: Choice, *, every: bool, step: Callable[[], object]) -> None:
        self.judge = judge
        self.least = least
        self.most = most
        self.start = most if most in judge.safe else None
        self.every = every
        self.step = step
        self.found = Found()

    def run(self) -> Found:
        """A weakest safe choice (the cheapest, unless there were too many candidates), or all of them."""
        if self.judge.monotone or self.start is None:
            self._rise()
        if self.start is not None and not self.found.minimal:
            self.found.minimal = [self._lowered(self.start)]
        return self.found

    def _rise(self) -> None:
        """From the weakest choice up."""
        judge, found = self.judge, self.found
        candidates = Candidates(judge.space, self.least, self.most)
        for bound in judge.bounds:
            candidates.refuse(bound)
        done: set[Choice] = set()
        while not judge.spent and not (self.start is not None and judge.half_spent):
            choice = candidates.cheapest(done)
            if choice is None:
                found.complete = not candidates.dropped and not found.open
                break
            answer = Answer("safe") if choice in judge.safe else judge.ask(choice)
            self.step()
            if answer.verdict == "unsafe":
                assert answer.bound is not None
                candidates.refuse(answer.bound)
            elif answer.verdict == "undecided":
                candidates.refuse(tuple(1 << n for n in choice))  # itself and nothing else
            else:
                done.add(choice)
                lowered = self._lowered(choice)
                if lowered not in found.minimal:
                    found.minimal.append(lowered)
                if not self.every:
                    break

    def _weaker(self, choice: Choice) -> list[tuple[int, Choice]]:
        space = self.judge.space
        return [(at, weaker) for at, weaker in space.weaker(choice) if space.is_below(self.least, weaker)]

    def _lowered(self, choice: Choice) -> Choice:
        """A safe choice, made weaker at one site after the other as far as that is safe. What is not decided is left
        open. Mostly, all that is weaker is already known to be unsafe."""
        left = self._weaker(choice)
        undecided: list[tuple[int, Choice]] = []
        while left:
            at, weaker = left.pop(0)
            is_safe = self.judge.told(weaker)
            if is_safe is None:
                answer = None if self.judge.spent else self.judge.ask(weaker)
                self.step()
                if answer is None or answer.verdict == "undecided":
                    undecided.append((at, weaker))
                    continue
                is_safe = answer.verdict == "safe"
            if is_safe:
                choice, left, undecided = weaker, self._weaker(weaker), []
        self.found.open += undecided
        return choice
