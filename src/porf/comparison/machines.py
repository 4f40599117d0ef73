"""Models of machines compared: critical cycles in the words of both, until each direction has one that separates them.

What one machine calls a fence or an order the other may call otherwise. The table says what is taken for what; a model
of what C says is asked in the words of C.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from porf.allowance import SpentError, look
from porf.checking import check
from porf.checking.budget import Budget
from porf.comparison.difference import Difference
from porf.errors import UsageError
from porf.formats.litmus import LANGUAGES
from porf.generate.between import allows
from porf.generate.critical import critical, edges_of
from porf.generate.cycles import Cycle, cycle_of, execution_of
from porf.generate.edges import Edge, Vocabulary, vocabulary
from porf.generate.litmus import made
from porf.models.registry import MODELS, WITHOUT_FENCES, Model
from porf.record import Record, field, replace

# Fences and orders, each row those that are taken for one another.
FENCES = (
    {"c": "FenceSc", "x86": "MFence", "aarch64": "DMB.SY", "ppc": "Sync", "riscv": "Fence.rw.rw"},
    {"c": "FenceAR", "ppc": "LwSync", "riscv": "Fence.tso"},
    {"c": "FenceAcq", "aarch64": "DMB.LD", "riscv": "Fence.r.rw"},
    {"aarch64": "DMB.ST", "ppc": "Eieio", "riscv": "Fence.w.w"},
    {"aarch64": "Isb", "ppc": "Isync"},  # after a branch
)
ORDERS = (
    {"c": "Rlx", "x86": "Na", "aarch64": "P", "ppc": "P", "riscv": "P"},
    {"aarch64": "A", "riscv": "Aq"},
    {"c": "Sc", "aarch64": "A"},  # of reads
    {"c": "Acq", "aarch64": "Q"},
    {"c": "Acq", "riscv": "Aq"},
    {"c": "Rel", "aarch64": "L", "riscv": "Rl"},
)


class Found(Record, eq=False):
    """By the model that allows it, a difference. All cycles of at most `complete` events were looked at."""

    differences: dict[Model, Difference] = field(default_factory=dict)
    complete: int = 0
    taken: tuple[str, ...] = ()


def search(a: Model, b: Model, events: int, budget: Budget) -> Found:
    """The smallest critical cycles that one of the two allows and the other forbids, within the budget."""
    started = time.monotonic()
    ours, theirs = vocabulary(_language(a, b)), vocabulary(_language(b, a))
    differences: dict[Model, Difference] = {}
    complete = 0
    with suppress(SpentError):
        for number, (size, cycle) in enumerate(_cycles(ours, theirs, events) if a is not b else ()):
            if budget.over(started) or len(differences) == 2:
                break
            look()
            if budget.progress is not None:
                budget.progress(number)
            complete = max(complete, size - 1)
            if cycle is not None:
                _look_at(cycle, a, b, theirs, differences)
    return Found(differences, complete, tuple(_taken(ours, theirs)))


def _language(model: Model, other: Model) -> str:
    """In whose words a model is asked."""
    own = model.header.architecture
    if own is not None and own not in LANGUAGES:
        known = ", ".join(name for name in LANGUAGES if name != "c")
        raise UsageError(
            f"{model.name} cannot be compared: no cycles are made for its machine", hint=f"they are made for {known}"
        )
    if own is not None:
        return own
    neutral = model.name in WITHOUT_FENCES or MODELS.get(model.name) is not model
    return other.header.architecture or "c" if neutral else "c"


def _cycles(ours: Vocabulary, theirs: Vocabulary, events: int) -> Iterator[tuple[int, Cycle | None]]:
    """Each cycle that both have words for, with its size, small ones first; at the end the size not reached."""
    edges = [edge for edge in edges_of(None, ours) if counterpart(edge, ours, theirs) is not None]
    if theirs is not ours:
        back = (counterpart(edge, theirs, ours) for edge in edges_of(None, theirs))
        edges += [edge for edge in back if edge is not None]
    for cycle in critical(dict.fromkeys(edges), events, ours):
        yield len(cycle.edges), cycle
    yield events + 1, None


def counterpart(edge: Edge, ours: Vocabulary, theirs: Vocabulary) -> Edge | None:
    """The edge of the other machine that it is taken for."""
    if ours is theirs:
        return edge
    orders = tuple("" if not order else _row(ORDERS, order, ours, theirs) for order in edge.orders)
    ends = zip((edge.source, edge.target), orders, strict=True)
    if None in orders or any(order in (theirs.reads if end == "W" else theirs.writes) for end, order in ends):
        return None
    spelled, fence = edge.spelled, ""
    if edge.fence:
        control = edge.kind == "ctrl"
        name = _row(FENCES, spelled.removeprefix("DpCtrl"), ours, theirs)
        fences = theirs.barriers if control else theirs.fences
        if name is None or name not in fences:
            return None
        spelled, fence = f"DpCtrl{name}" if control else name, fences[name]
    if edge.kind == "rmw":
        return None
    return replace(edge, orders=(orders[0] or "", orders[1] or ""), spelled=spelled, fence=fence)


def _row(rows: tuple[dict[str, str], ...], name: str, ours: Vocabulary, theirs: Vocabulary) -> str | None:
    known = (row.get(theirs.language) for row in rows if row.get(ours.language) == name)
    return next((other for other in known if other is not None), None)


def _taken(ours: Vocabulary, theirs: Vocabulary) -> Iterator[str]:
    """What is taken for what, in words."""
    for row in () if ours is theirs else (*FENCES, *ORDERS[1:]):
        if ours.language in row and theirs.language in row:
            yield f"{row[ours.language]} and {row[theirs.language]}"


def _look_at(cycle: Cycle, a: Model, b: Model, theirs: Vocabulary, differences: dict[Model, Difference]) -> None:
    translated = [counterpart(edge, cycle.words, theirs) for edge in cycle.edges]
    if None in translated:
        return
    other = cycle_of([edge for edge in translated if edge is not None], theirs)
    verdicts = allows(a, execution_of(cycle)), allows(b, execution_of(other))
    if verdicts[0] == verdicts[1]:
        return
    weak, strong = ((a, cycle), (b, other)) if verdicts[0] else ((b, other), (a, cycle))
    if weak[0] not in differences:
        found = _difference(*weak, *strong)
        if found is not None:
            differences[weak[0]] = found


def _difference(weak: Model, allowed: Cycle, strong: Model, forbidden: Cycle) -> Difference | None:
    """Decided again by the models' own procedures, whose evidence is verified. Observers pin the modification order; a
    model for which they make a difference has no such execution."""
    one, other = execution_of(allowed, observed=2).execution, execution_of(forbidden, observed=2).execution
    verdicts = check(one, weak, verify=True), check(other, strong, verify=True)
    if not (verdicts[0].consistent and verdicts[1].inconsistent):
        return None
    tests = [made(allowed).text]
    same = allowed.words is forbidden.words
    if not same:
        tests.append(made(forbidden).text)
    return Difference(one, *verdicts, smallest=False, tests=tuple(tests), counterpart=None if same else other)
