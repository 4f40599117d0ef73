"""Makes the run that shows a bug simple. Of some runs that show it, the lightest is taken. A run is a list of choices,
and 0 is the plain one: to go on with the same thread, to read the newest write. So a run is made simpler by leaving out
choices, and by making them smaller, as long as the same bug is found."""

from __future__ import annotations

import time
from copy import copy
from itertools import pairwise

from porf._core import BugKind, BugReport
from porf.exploration.graph import prefix_of
from porf.exploration.token import target_of
from porf.record import replace
from porf.testing.request import TestRequest
from porf.testing.run import Plan, run, same_bug

SEEDS_APART = 0x9E3779B97F4A7C15
SECONDS = 2.0  # that it may take,
OTHERS = 0.25  # of which in the search for other runs with the bug:
TRIES, TURNS = 24, 1000  # so many, each among so many runs
LONGEST = 5_000  # choices; a longer run is shown as it is


def minimised(request: TestRequest, plan: Plan, report: BugReport, seconds: float | None = None) -> BugReport:
    """A report of the same bug, by a run that is as simple as can be found in a short time, and in what is left."""
    if len(report.path) > LONGEST or report.kind is BugKind.CONDITION:
        return report
    search = _Search(request, plan, report, min(SECONDS, seconds or SECONDS))
    search.look_around()
    search.shrink()
    return search.best


class _Search:
    def __init__(self, request: TestRequest, plan: Plan, report: BugReport, seconds: float) -> None:
        self.request = request
        self.plan = replace(plan, progress=None, runs=1)
        self.target = target_of(request.program, report)
        self.best = report
        self.weight = _weight(report)
        self.until = time.monotonic() + seconds
        self.first_until = time.monotonic() + OTHERS * seconds

    def look_around(self) -> None:
        """Other runs may show the bug with less before it, as no smaller choices of the first one would."""
        how = self.plan.how
        for n in range(1, TRIES + 1):
            left = self.first_until - time.monotonic()
            if left <= 0:
                return
            other = copy(how)
            other.seed, other.jobs = (how.seed + n * SEEDS_APART) % 2**64, 1
            found = run(self.request, replace(self.plan, how=other, runs=TURNS, seconds=left)).bugs
            self._keep(same_bug(self.request.program, self.target, found))

    def shrink(self) -> None:
        size = max(1, len(self.best.path) // 2)
        while time.monotonic() < self.until:
            before = self.weight
            self._pass(size)
            if size == 1 and self.weight == before:
                return
            size = max(1, size // 2)

    def _pass(self, size: int) -> None:
        """Tries each part of so many choices, from the end on: without them, with plain ones, with smaller ones."""
        at = len(self.best.path)
        while (at := at - size) > -size and time.monotonic() < self.until:
            path, first = self.best.path, max(0, at)
            part = path[first : first + size]
            if not part:
                continue
            simpler = [path[:first] + path[first + size :]]
            if any(part):
                simpler.append(path[:first] + [0] * len(part) + path[first + size :])
            if size == 1 and part[0] > 1:
                simpler.append([*path[:first], part[0] - 1, *path[first + 1 :]])
            for candidate in simpler:
                if self._take(candidate):
                    break

    def _take(self, path: list[int]) -> bool:
        while path and path[-1] == 0:
            path = path[:-1]
        plan = replace(self.plan, seconds=max(1e-3, self.until - time.monotonic()))
        return self._keep(same_bug(self.request.program, self.target, run(self.request, plan, path).bugs))

    def _keep(self, found: list[BugReport]) -> bool:
        """Takes the first of these reports of the bug, if it is lighter."""
        if not found or (weight := _weight(found[0])) >= self.weight:
            return False
        self.best, self.weight = found[0], weight
        while self.best.path and self.best.path[-1] == 0:
            self.best.path = self.best.path[:-1]
        return True


def _weight(report: BugReport) -> tuple[int, int, int, list[int]]:
    """What makes a run hard to read: events that the bug needs, changes of threads among them, choices."""
    rows = report.events
    ends = [n for n in (report.event, report.other) if n >= 0]
    needed = sorted(prefix_of(rows, ends)) if ends else list(range(len(rows)))
    switches = sum(rows[a].thread != rows[b].thread for a, b in pairwise(needed))
    path = [*report.path]
    while path and path[-1] == 0:
        path.pop()
    return len(needed), switches, sum(map(bool, path)), path
