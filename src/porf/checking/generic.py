"""The decision procedure for any model: search for a modification order, or prove that there is none.

The core searches and hands back a tree of refutations without cycles. Here the tree becomes a `Proof`: from
its closing cycle backwards, only the steps whose edges are used are kept, and only those get a cycle.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from porf import _core
from porf.checking.budget import LIMITS, Budget, Limit
from porf.checking.verdict import Answer, Outcome
from porf.evidence.data import Edge, Proof, Step, Witness
from porf.execution import Execution, initial_write
from porf.language.evaluation import Evaluation, evaluator, unsettled
from porf.language.model_file import ModelFile
from porf.models.registry import GENERIC, Model

Pair = tuple[int, int]

SPENT = "the budget was spent"
MEMORY_LIMIT = 4 << 30  # bytes of relations, unless said otherwise; beyond it the procedure does not start


def decide(execution: Execution, model: Model, budget: Budget) -> Outcome:
    """Decides any model."""
    memory = budget.bytes or MEMORY_LIMIT
    answer, evidence = search(
        execution, model.file, seconds=budget.seconds, steps=budget.steps, memory=memory, progress=budget.progress
    )
    if answer == Answer.UNDECIDED:
        interrupted = LIMITS[Limit.STOPPED] if budget.interrupted else None
        return Outcome(Answer.UNDECIDED, GENERIC, note=too_large(execution, model.file, memory) or interrupted or SPENT)
    if isinstance(evidence, Witness):
        return Outcome(Answer.CONSISTENT, GENERIC, witness=evidence)
    return Outcome(Answer.INCONSISTENT, GENERIC, proof=evidence)


def search(
    execution: Execution,
    model: ModelFile,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    memory: int = MEMORY_LIMIT,
    progress: Callable[[int], object] | None = None,
) -> tuple[Answer, Proof | Witness | None]:
    """Is there a modification order under which every axiom of the model holds?"""
    if too_large(execution, model, memory):
        return Answer.UNDECIDED, None
    core = evaluator(model, execution)
    try:
        found = core.search(_core.Budget(seconds or 0.0, steps or 0, 0, progress))
    except _core.Unsettled:
        raise unsettled(model) from None
    if found.answer == Answer.CONSISTENT:
        return found.answer, Witness(found.writes, found.start)
    if found.answer == Answer.INCONSISTENT:
        return found.answer, _Prover(execution, model, core, found.proofs).prove(found.root, ())[0]
    return Answer.UNDECIDED, None


def too_large(execution: Execution, model: ModelFile, memory: int = MEMORY_LIMIT) -> str | None:
    """Why the procedure does not even start, if it does not."""
    needed = _memory(execution, model)
    if needed <= memory:
        return None
    return f"the relations of {len(execution)} events would take {_mib(needed)} MiB, more than {_mib(memory)}"


def _mib(size: int) -> int:
    return -(-size >> 20)  # rounded up


def _memory(execution: Execution, model: ModelFile) -> int:
    events = 2 * len(execution) if model.view == "two" else len(execution)
    events += execution.locations
    relations = events * ((events + 63) // 64) * 8 * (len(model.compiled.code) + 8)
    # The search lists the pairs of writes of each location.
    writes = np.bincount(execution.loc[execution.writing]).astype(np.int64)
    return relations + int((writes * writes).sum()) * 4


@dataclass
class _Prover:
    execution: Execution
    model: ModelFile
    core: _core.Evaluator
    refutations: list[_core.ProofNode]

    def prove(self, node: int, known: tuple[Pair, ...]) -> tuple[Proof, set[Pair]]:
        """The proof of a refutation, and which of the known edges (steps, assumptions) it uses."""
        steps = self.refutations[node].steps
        edges = known + tuple((step.before, step.after) for step in steps)
        axiom = self.refutations[node].axiom
        cycle = Evaluation(self.model, self.execution, self.core, edges).cycle_at(axiom)
        # Where a cycle does not show all that breaks the axiom, every edge may be needed.
        whole = self.model.axioms[axiom].restrictable
        cycle = self._expanded(cycle, edges)
        used = self._support(cycle) if whole else set(edges)
        kept: list[Step] = []
        for at in range(len(steps) - 1, -1, -1):
            before, after = steps[at].before, steps[at].after
            if (before, after) not in used:
                continue
            used.discard((before, after))
            assumed = (after, before)
            proof, needs = self.prove(steps[at].refutation, (*edges[: len(known) + at], assumed))
            needs.discard(assumed)
            used |= needs
            kept.append(Step(before, after, proof))
        return Proof(self.model.axioms[axiom].name, cycle, tuple(reversed(kept))), used

    def _expanded(self, cycle: tuple[Edge, ...], edges: tuple[Pair, ...]) -> tuple[Edge, ...]:
        """The cycle with each mo edge that only follows from others replaced by them, so that each has its step."""
        out: list[Edge] = []
        for edge in cycle:
            pair = self._pair(edge)
            if pair is None or pair in edges or edge.relation.endswith("^-1"):
                out.append(edge)
                continue
            hops = [Edge(before, "mo", after) for before, after in _path(*pair, edges)]
            if edge.relation == "fr" and hops[0].target != edge.source:
                hops[0] = Edge(edge.source, "fr", hops[0].target)
            elif edge.relation == "fr":  # an update, by way of itself: nothing is from-read before itself
                hops.insert(0, Edge(edge.source, "rf^-1", hops[0].source))
            out.extend(hops)
        return tuple(out)

    def _support(self, cycle: tuple[Edge, ...]) -> set[Pair]:
        """The steps and assumptions on which the mo and fr edges of a cycle stand."""
        return {pair for edge in cycle if (pair := self._pair(edge)) is not None}

    def _pair(self, edge: Edge) -> Pair | None:
        """The mo edge that an edge stands on; none where it needs none, for the initial write comes first."""
        source, target = edge.source, edge.target
        relation = edge.relation.removesuffix("^-1")
        if relation != edge.relation:
            source, target = target, source
        if relation not in ("mo", "fr"):
            return None
        if relation == "fr":
            source = self.execution.writer(source)
        return None if source == initial_write(self.execution.location(target)) else (source, target)


def _path(source: int, target: int, edges: Iterable[Pair]) -> list[Pair]:
    """A shortest path in a set of edges."""
    onward: dict[int, list[int]] = {}
    for before, after in edges:
        onward.setdefault(before, []).append(after)
    came: dict[int, int] = {source: source}
    queue = deque([source])
    while queue and target not in came:
        event = queue.popleft()
        for after in onward.get(event, ()):
            if after not in came:
                came[after] = event
                queue.append(after)
    path: list[Pair] = []
    while target != source:
        path.append((came[target], target))
        target = came[target]
    return path[::-1]
