"""Whether programs are safe with a choice of orders: each program is explored with it, unless a choice that was judged
before says what comes of that.

An execution with a bug is kept as a *bound*: it stays an execution, with the same bug, if orders are weaker, and
whatever the orders are of sites that have no part in it. So it tells of all choices within the bound, at the cost of a
few comparisons of numbers. That is true in a model in which stronger orders and more fences only forbid more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porf._core import BugReport, Op, Order
from porf.exploration import explore
from porf.programs.form import Instruction, Opcode
from porf.programs.lower import instruction
from porf.programs.sites import shared_place
from porf.record import Record, replace
from porf.synthesis.choices import Bound, Choice, Space, is_within, with_one
from porf.synthesis.clients import Client
from porf.synthesis.executions import kept

if TYPE_CHECKING:
    from porf.exploration.found import Exploration
    from porf.models.registry import Model

QUICK = 0.2  # seconds that an exploration may have taken, for others like it to be done just to learn more


@lru_cache(maxsize=64)
def is_monotone(model: Model) -> bool:
    """Whether the axioms show that stronger orders, and more fences, only forbid more."""
    from porf.comparison.polarity import grows_with_orders

    return bool(grows_with_orders(model.file) and model.file.monotone)


class Answer(Record, eq=False):
    """Of one choice: safe, unsafe or undecided; with what was explored, if it was."""

    verdict: str
    found: Exploration | None = None  # the one that decided
    client: Client | None = None
    bound: Bound | None = None  # of an unsafe one
    executions: int = 0  # of a safe one, in all clients

    @property
    def reasons(self) -> tuple[str, ...]:
        return self.found.reasons if self.found is not None else ()


class Judge:
    """Keeps what it has learnt. `options` are those of `porf.explore`."""

    def __init__(
        self,
        clients: Sequence[Client],
        space: Space,
        model: Model,
        *,
        seconds: float | None = None,
        progress: Callable[[int, int], object] | None = None,
        **options: Any,
    ) -> None:
        self.clients = list(clients)
        self.space = space
        self.model = model
        self.options = options
        self.monotone = is_monotone(model)
        self.until = None if seconds is None else time.monotonic() + seconds
        self._half = None if seconds is None else time.monotonic() + seconds / 2
        self.progress = progress
        self.executions: dict[Choice, int] = {}  # of safe choices
        self.bounds: list[Bound] = []  # of unsafe executions, the one that was of use last comes last
        self.safe: list[Choice] = []
        self.explored = 0  # choices that were explored,
        self.known = 0  # and those of which an execution that was kept, or a safe choice, told
        self.slowest = 0.0  # seconds of an exploration
        self.checked = 0  # how often an execution was asked about with other orders
        self.interrupted = False
        self._answers: dict[tuple[int, Choice], Answer] = {}

    @property
    def spent(self) -> bool:
        return self.interrupted or (self.until is not None and time.monotonic() >= self.until)

    @property
    def half_spent(self) -> bool:
        return self._half is not None and time.monotonic() >= self._half

    def told(self, choice: Choice) -> bool | None:
        """Whether it is safe, as far as that is known without exploring anything."""
        if not self.monotone:
            return None
        for at in range(len(self.bounds) - 1, -1, -1):
            if is_within(choice, self.bounds[at]):
                self.bounds.append(self.bounds.pop(at))
                self.known += 1
                return False
        if any(self.space.is_below(safe, choice) for safe in self.safe):
            self.known += 1
            return True
        return None

    def ask(self, choice: Choice) -> Answer:
        """Explores all clients with it, up to the first one with a bug."""
        self.explored += 1
        undecided: Answer | None = None
        executions = 0
        for client in list(self.clients):
            answer = self._ask(client, choice)
            executions += answer.executions
            if answer.verdict == "unsafe":
                self.clients.remove(client)  # it may be the one that notices the next time, too
                self.clients.insert(0, client)
                assert answer.bound is not None
                self.bounds.append(answer.bound)
                return answer
            if answer.verdict == "undecided":
                undecided = undecided or answer
        if undecided is not None:
            return undecided
        self.safe.append(choice)
        self.executions[choice] = executions
        return Answer("safe", executions=executions)

    def _ask(self, client: Client, choice: Choice) -> Answer:
        key = id(client), tuple(choice[n] for n in client.own)
        if key not in self._answers:
            answer = self._explored(client, choice)
            if self.spent and answer.verdict == "undecided":
                return answer
            self._answers[key] = answer
        return self._answers[key]

    def _explored(self, client: Client, choice: Choice) -> Answer:
        found = self.explore(client, choice)
        if found.verdict != "unsafe":
            return Answer(found.verdict, found, client, executions=found.executions)
        return Answer("unsafe", found, client, self._largest(client, choice, found))

    def learn(self, client: Client, choice: Choice, found: Exploration) -> None:
        """What somebody else has explored: unsafe with a choice."""
        self.bounds.append(self._largest(client, choice, found))

    def _largest(self, client: Client, choice: Choice, found: Exploration) -> Bound:
        bound = self.bound_of(client, choice, found)
        if self.monotone and found.bugs and found.bugs[0].report is not None:
            bound = self._grown(client, choice, found, bound)
        return bound

    def _grown(self, client: Client, choice: Choice, found: Exploration, bound: Bound) -> Bound:
        """A bound with stronger orders under which the execution is still one, and still has the bug."""
        bug = found.bugs[0]
        assert bug.report is not None
        execution = kept(bug.report, bug.kind, self.model)
        if execution is None:
            return self._grown_by_exploring(client, choice, bound)
        place = {n: shared_place(client.form, i.place) for n, i in self._instructions(client, bug.report) if i.place}
        rows: dict[Any, list[int]] = {}
        for row, n in enumerate(execution.origin):
            if n in place:
                rows.setdefault(place[n], []).append(row)
        orders: dict[int, Order] = {}
        for n in client.own:
            domain = self.space.domains[n]
            strength = domain.strengths[choice[n]]
            if bound[n] == domain.everything or strength.order is Order.NA:
                continue
            for stronger in reversed(domain.stronger(choice[n])):
                other = domain.strengths[stronger]
                asked = {
                    row: other.failure
                    if domain.site.opcode is Opcode.CAS and execution.history.op[row] != Op.UPDATE
                    else other.order
                    for row in rows.get(domain.site.place, ())
                }
                self.checked += 1
                if execution.stays({**orders, **asked}):
                    orders |= asked
                    bound = with_one(bound, n, bound[n] | domain.below[stronger])
                    break
        return bound

    def _grown_by_exploring(self, client: Client, choice: Choice, bound: Bound) -> Bound:
        """The same where nobody but an exploration can say whether there is still a bug."""
        if self.slowest > QUICK:
            return bound
        tops = self.space.highest
        irrelevant = [inside == domain.everything for inside, domain in zip(bound, self.space.domains, strict=True)]
        highest = tuple(top if free else n for n, top, free in zip(choice, tops, irrelevant, strict=True))
        for n in client.own:
            if irrelevant[n] or highest[n] == tops[n] or self.spent:
                continue
            raised = with_one(highest, n, tops[n])
            found = self.explore(client, raised)
            self.explored += 1
            if found.verdict == "unsafe":
                highest, bound = raised, self.bound_of(client, raised, found)
        return bound

    def _instructions(self, client: Client, report: BugReport) -> Iterator[tuple[int, Instruction]]:
        return ((n, instruction(client.form, row.pc)[1]) for n, row in enumerate(report.events))

    def explore(self, client: Client, choice: Choice, model: str | None = None) -> Exploration:
        """A client with a choice, in what is left of the time."""
        left = None if self.until is None else max(1e-3, self.until - time.monotonic())
        if self.progress is not None:
            self.progress(self.explored, self.known)
        found = explore(
            client.with_orders(self.space, choice), model or self.model, seconds=left, first=True, **self.options
        )
        self.interrupted |= found.interrupted
        self.slowest = max(self.slowest, found.seconds)
        return found

    def bound_of(self, client: Client, choice: Choice, found: Exploration) -> Bound:
        """What the first bug of an exploration says of other choices."""
        space = self.space
        if not self.monotone:
            return tuple(1 << n for n in choice)  # itself and nothing else
        bound = list(space.bound_of(choice))
        for n, domain in enumerate(space.domains):
            if n not in client.own:
                bound[n] = domain.everything
        if not found.bugs or not len(found.bugs[0].execution):
            return tuple(bound)
        bug = found.bugs[0]
        met: dict[Any, set[int]] = {}
        for row, place in enumerate(bug.places):
            if place is not None:
                met.setdefault(shared_place(client.form, place), set()).add(int(bug.execution.op[row]))
        for n in client.own:
            domain = space.domains[n]
            strength = domain.strengths[choice[n]]
            if strength.order is Order.NA:
                continue  # nobody sees whether the execution came past a fence that is not there
            operations = met.get(domain.site.place, set())
            if not operations:
                bound[n] = domain.everything
            elif domain.site.opcode is Opcode.CAS:
                succeeds, fails = Op.UPDATE in operations, bool(operations - {int(Op.UPDATE)})
                bound[n] = sum(
                    1 << k
                    for k, other in enumerate(domain.strengths)
                    if (not succeeds or domain.site.is_as_strong(strength, replace(other, failure=strength.failure)))
                    and (not fails or domain.site.is_as_strong(strength, replace(other, order=strength.order)))
                )
        return tuple(bound)
