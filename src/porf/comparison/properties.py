"""What holds of a model whatever the execution (Kokologiannakis et al. 2023, Sections 3.8 and 5.2.1).

Each property holds for a reason, fails with executions that show it, or is not known. Reasons are read off the axioms:
which names they use, and with which sign. Where that does not settle it, small executions are searched.
"""

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from porf._core import Check
from porf.allowance import Allowance, SpentError
from porf.checking.budget import Budget
from porf.comparison.compare import prove
from porf.comparison.forward import only_forward
from porf.comparison.minimize import minimize
from porf.comparison.polarity import grows_with_orders, polarity
from porf.comparison.separate import separate
from porf.comparison.shapes import SHAPES, variants
from porf.comparison.skeletons import Skeleton, skeletons
from porf.comparison.small import Columns, Small, allowed
from porf.comparison.transformations import extensions, prefixes, splits, weakenings
from porf.comparison.vocabulary import Lens, Question
from porf.evidence.svg import draw
from porf.execution import Execution
from porf.formats import dumps
from porf.language import relation as r
from porf.language.base import ORDER_SETS
from porf.models.registry import Model, find_model
from porf.record import Record, replace
from porf.result import Exit, nothing_to_draw

SECONDS = 30.0
MOST_EVENTS = 4
_AFTER_SHAPES = 3  # events
_MOST_DECORATIONS = 1000  # that are tried of a skeleton larger than all that are tried
_LARGEST_SHAPE = 8
_Neighbours = Callable[[Small, Lens], Iterator[list[Small]]]


class Finding(Record, eq=False):
    """One property of one model. `allowed` and `forbidden` are executions that show a failure."""

    name: str
    meaning: str
    holds: bool | None
    reason: str
    allowed: Execution | None = None
    forbidden: tuple[Execution, ...] = ()
    model: str = ""

    @property
    def exit_code(self) -> int:
        return {True: Exit.HOLDS, False: Exit.FAILS, None: Exit.UNDECIDED}[self.holds]

    def headline(self) -> str:
        return f"{self.name}: {self.verdict}"

    def draw(self) -> str:
        if self.allowed is None:
            raise nothing_to_draw("no execution shows a failure")
        return draw(self.allowed, title=f"{self.model} is not {self.name}")

    @property
    def verdict(self) -> str:
        return "unknown" if self.holds is None else "holds" if self.holds else "fails"

    def report(self) -> str:
        lines = [self.headline(), f"  {self.meaning}", f"  {self.reason}"]
        if self.allowed is not None:
            lines += ["", "  allowed:", *_lines(self.allowed)]
        for at, execution in enumerate(self.forbidden):
            lines += ["", "  forbidden:" if at == 0 else "  and:", *_lines(execution)]
        return "\n".join(lines)

    def record(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "property": self.name,
            "verdict": self.verdict,
            "reason": self.reason,
            "allowed": None if self.allowed is None else _text(self.allowed),
            "forbidden": [_text(execution) for execution in self.forbidden],
        }


def _text(execution: Execution) -> str:
    return dumps(execution).decode() if len(execution) else "# no events\n"


def _lines(execution: Execution) -> list[str]:
    return [f"    {line}" for line in _text(execution).splitlines()]


def check_properties(
    model: str | Path | Model,
    *,
    seconds: float | None = SECONDS,
    events: int = MOST_EVENTS,
    progress: Callable[[int], object] | None = None,
) -> list[Finding]:
    """Every property of a model; searches look at all executions up to so many events, and then at known shapes."""
    found = find_model(model)
    lens = Lens.of(found)
    budget = Budget(seconds=None if seconds is None else seconds / 6, progress=progress)
    findings = [
        prefix_closed(lens, events, budget),
        extensible(lens, events, budget),
        _closed("monotone under thread merging", _MERGING, _merging_reason(lens), splits, lens, events, budget),
        _closed("monotone under stronger orders", _STRONGER, _orders_reason(lens), weakenings, lens, events, budget),
        without_cycles(found, lens, "no thin air", _THIN_AIR, "addr | data | ctrl | rf", budget),
        without_cycles(found, lens, "(ppo | rf)-acyclic", _PPORF, "ppo | rf" if _has_ppo(lens) else "po | rf", budget),
    ]
    return [replace(finding, model=found.name) for finding in findings]


def prefix_closed(lens: Lens, events: int, budget: Budget) -> Finding:
    return _closed("prefix-closed", _PREFIX, _prefix_reason(lens), prefixes, lens, events, budget)


def extensible(lens: Lens, events: int, budget: Budget) -> Finding:
    return _closed("extensible", _EXTENSIBLE, _extension_reason(lens), extensions, lens, events, budget)


_PREFIX = "an allowed execution stays allowed without an event that no other depends on"
_EXTENSIBLE = "whatever a thread does next, some way to do it is allowed"
_MERGING = "running threads one after the other in one thread shows nothing new"
_STRONGER = "stronger access orders show nothing new"
_THIN_AIR = "dependencies and reads-from have no cycle"
_PPORF = "preserved program order (program order if the model defines none) and reads-from have no cycle"


def _prefix_reason(lens: Lens) -> str | None:
    if lens.file.monotone:
        return "more events can only break more axioms: nothing is subtracted that depends on more than the pair itself"
    return None


def _extension_reason(lens: Lens) -> str | None:
    if only_forward(lens.file):
        return "every axiom forbids cycles of forward steps, and no step leads on from the very last event"
    return None


def _merging_reason(lens: Lens) -> str | None:
    used = polarity(lens.file)
    if "ext" in used.names or not used.positive("po", "int"):
        return None
    if "int" in used.names:
        return "no axiom asks whether two events are in different threads, and po and int are used only positively"
    return "no axiom asks whether two events are in one thread, and po is used only positively"


def _orders_reason(lens: Lens) -> str | None:
    if not grows_with_orders(lens.file):
        return None
    used = sorted(polarity(lens.file).sets.keys() & ORDER_SETS.keys())
    if not used:
        return "no axiom depends on orders"
    return f"of orders only {', '.join(used)} are used, none so that a stronger order forbids less"


def _closed(
    name: str, meaning: str, reason: str | None, near: _Neighbours, lens: Lens, events: int, budget: Budget
) -> Finding:
    """A property of the form: if an execution is allowed, so is one of each list of its neighbours."""
    if reason is not None:
        return Finding(name, meaning, True, reason)
    try:
        with Allowance(budget.seconds):
            return _searched(name, meaning, near, lens, events, budget)
    except SpentError as spent:
        return _left_open(name, meaning, spent)


def _left_open(name: str, meaning: str, spent: SpentError) -> Finding:
    return Finding(name, meaning, None, f"the axioms do not show it, and {spent}")


def _searched(name: str, meaning: str, near: _Neighbours, lens: Lens, events: int, budget: Budget) -> Finding:
    search = _Search(lens, near, events, budget)
    complete = 0
    for size, skeleton in _candidates(tuple(sorted(lens.operations)), events):
        if search.over:
            return Finding(name, meaning, None, _nothing_up_to(complete))
        if (shown := search.failure(skeleton)) is not None:
            return _failure(name, meaning, *shown)
        complete = max(complete, size - 1)
    return Finding(name, meaning, None, _nothing_up_to(events))


def _candidates(operations: tuple[int, ...], events: int) -> Iterator[tuple[int, Skeleton]]:
    """All of few events, then known shapes, then all of more; with the size up to which they are all of them."""
    for size in range(1, events + 1):
        if size == _AFTER_SHAPES:
            for shape in SHAPES:
                yield from ((size, s) for s in variants(shape, operations) if len(s.op) <= _LARGEST_SHAPE)
        yield from ((size, skeleton) for skeleton in skeletons(size, operations))


def _nothing_up_to(events: int) -> str:
    return f"the axioms do not show it, and no execution of up to {events} events says otherwise"


def _failure(name: str, meaning: str, small: Small, others: list[Small]) -> Finding:
    shown = tuple(other.execution() for other in others)
    return Finding(name, meaning, False, "these executions show it", small.execution(), shown)


class _Search:
    def __init__(self, lens: Lens, near: _Neighbours, events: int, budget: Budget) -> None:
        self._lens, self._near, self._events, self._budget = lens, near, events, budget
        self._all = Question(lens, lens)
        self._started = time.monotonic()

    @property
    def over(self) -> bool:
        return self._budget.over(self._started)

    def failure(self, skeleton: Skeleton) -> tuple[Small, list[Small]] | None:
        """The skeleton in a decoration that is allowed, and neighbours of which none is."""
        columns = Columns(skeleton)
        most = _MOST_DECORATIONS if len(skeleton.op) > self._events else None
        for decoration in itertools.islice(self._all.decorations(skeleton), most):
            if columns.allowed(self._lens, decoration):
                small = Small(skeleton, decoration)
                if self._alone(small) is not None:
                    small = minimize(small, self._fails, weaken=bool(self._lens.order_sets))
                    return small, self._alone(small) or []
            if self.over:
                return None
        return None

    def _fails(self, small: Small) -> bool:
        return len(small) > 0 and allowed(self._lens, small) and self._alone(small) is not None

    def _alone(self, small: Small) -> list[Small] | None:
        """Neighbours of which none is allowed."""
        for others in self._near(small, self._lens):
            if not any(allowed(self._lens, other) for other in others):
                return others
        return None


def _has_ppo(lens: Lens) -> bool:
    return "ppo" in lens.file.relations


def without_cycles(model: Model, lens: Lens, name: str, meaning: str, union: str, budget: Budget) -> Finding:
    """A relation that no execution of the model may have a cycle of: an axiom says so, a proof, or a search."""
    axiom = _axiom_over(lens, {"po", "rf"})
    if axiom is not None:
        return Finding(
            name, meaning, True, f"the axiom {axiom} forbids cycles of po and rf, and this is a part of them"
        )
    try:
        with Allowance(budget.seconds):
            return _without_cycles(model, lens, name, meaning, union, budget)
    except SpentError as spent:
        return _left_open(name, meaning, spent)


def _without_cycles(model: Model, lens: Lens, name: str, meaning: str, union: str, budget: Budget) -> Finding:
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{model.name}-acyclic.cat"
        include = f'(* Events: {lens.file.view} *)\ninclude "{model.path.resolve()}"\n'
        path.write_text(f"{include}acyclic {union} as asked\n", encoding="utf-8")
        asked = Model(f"{model.name} without cycles of {union}", path, folder=model.path.resolve().parent)
        question = Question(lens, Lens(asked.name, asked.file, lens.operations, lens.refuses_sc))
        # A proof is found in moments, if there is one, and the search for a counterexample takes seconds without one.
        half = budget if budget.seconds is None else replace(budget, seconds=budget.seconds / 2)
        proof = prove(model, asked, None, half)
        if proof is not None:
            return Finding(name, meaning, True, proof)
        answer = separate([question], MOST_EVENTS, budget.since(started))[question]
        if answer.found is not None:
            return Finding(name, meaning, False, f"this has a cycle of {union}", answer.found.execution())
    return Finding(name, meaning, None, _nothing_up_to(answer.complete))


def _axiom_over(lens: Lens, names: set[str]) -> str | None:
    """An axiom that forbids cycles of a union with all these names in it."""
    for axiom in lens.file.axioms:
        node, check = r.plain(axiom.node), axiom.check
        cyclic = check == Check.ACYCLIC or (
            check == Check.IRREFLEXIVE and isinstance(node, r.Unary) and node.operator == "plus"
        )
        if cyclic and not axiom.flagged and not axiom.negated and names <= _parts(node):
            return axiom.name
    return None


def _parts(node: r.Node) -> set[str]:
    """The built-in relations that are parts of a union (or of the closure of one)."""
    match r.plain(node):
        case r.Base(name):
            return {name}
        case r.Unary("plus" | "star" | "optional", body):
            return _parts(body)
        case r.Union() as union:
            return set().union(*map(_parts, r.operands(union)))
    return set()
