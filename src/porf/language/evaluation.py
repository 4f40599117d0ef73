"""A model's axioms on one execution under one modification order, and a shortest cycle for what fails."""

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from porf import _core
from porf.errors import ModelError, UsageError, nearest
from porf.evidence.data import Edge
from porf.execution import Execution, Int32
from porf.language import base
from porf.language.model_file import ModelFile, parse_model
from porf.record import replace

_EDGE_NAMES = {int(row.core): row.name for row in base.RELATIONS.values()} | {len(_core.BaseRelation): "any"}


def evaluator(model: ModelFile, execution: Execution) -> _core.Evaluator:
    """The core's view of a model on an execution; it serves any number of modification orders."""
    if model.looks_at_time:
        program, place = model.timed_program
        timed = dataclasses.replace(execution, dependencies={**execution.dependencies, place: _real_time(execution)})
        return _core.Evaluator(program, timed.core_on(model.architecture), two_events=False)
    return _core.Evaluator(model.program, execution.core_on(model.architecture), model.view == "two")


def _real_time(execution: Execution) -> tuple[Int32, Int32]:
    """The pairs of rows of which one had ended when the other began."""
    times = execution.times
    if times is None:
        return np.empty(0, np.int32), np.empty(0, np.int32)
    begun, ended = np.flatnonzero(times.begins), np.flatnonzero(times.ends)
    by_start = begun[np.argsort(times.start[begun], kind="stable")].astype(np.int32)
    first = np.searchsorted(times.start[by_start], times.end[ended], side="right")
    sources = np.repeat(ended, len(by_start) - first).astype(np.int32)
    targets = [by_start[at:] for at in first.tolist()]
    return sources, np.concatenate([*targets, np.empty(0, np.int32)])


def unsettled(model: ModelFile) -> ModelError:
    """The error for a recursion that the core gave up on."""
    return ModelError(
        "a recursive definition never reaches a fixpoint",
        source=str(model.path or model.name),
        hint="it removes pairs that it has added; look for `\\` or `~` over its own name",
    )


class Evaluation:
    """The outcome for one modification order. Cycles are computed when they are asked for.

    `core` serves one modification order at a time: the next Evaluation made with it replaces this one.
    """

    def __init__(
        self, model: ModelFile, execution: Execution, core: _core.Evaluator, mo: Sequence[tuple[int, int]]
    ) -> None:
        self.model = model
        self.execution = execution
        self._mo = mo
        self._core = core
        pairs = np.array(mo, np.int32).reshape(-1, 2)
        try:
            core.order(np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))
        except ValueError as error:
            raise UsageError(str(error)) from None
        except _core.Unsettled:
            raise unsettled(model) from None
        self._broken = core.broken()

    @property
    def violated(self) -> list[str]:
        """The axioms that fail, in file order; flags never do."""
        axioms = self.model.axioms
        return [axioms[k].name for k in self._broken if not axioms[k].flagged]

    @property
    def flags(self) -> list[str]:
        """Flags that are raised: `flag t` where t holds, `undefined_unless t` where it does not."""
        broken, out = set(self._broken), []
        for k, axiom in enumerate(self.model.axioms):
            if axiom.flagged and (k in broken) == (axiom.role == "undefined"):
                out.append(axiom.name)
        return out

    def relation(self, name: str) -> set[tuple[int, int]]:
        """The pairs of a relation that the model defines, or that is built in, as event references.

        A set is given as pairs of equal events.
        """
        if name not in self.model.relations:
            return self._built_in(name)
        kind, register = self.model.relations[name]
        if kind == "set":
            return {(ref, ref) for ref in self._core.members(register)}
        return set(self._core.pairs(register))

    def cycle(self, axiom: str) -> tuple[Edge, ...]:
        """The cycle of fewest base edges that breaks an axiom; for `empty`, a shortest path of a pair."""
        indices = [k for k in self._broken if self.model.axioms[k].name == axiom]
        if not indices:
            known = [self.model.axioms[k].name for k in self._broken]
            raise UsageError(f"no axiom '{axiom}' is violated here", hint=nearest(axiom, known))
        return self.cycle_at(indices[0])

    def cycle_at(self, index: int) -> tuple[Edge, ...]:
        edges = []
        for edge in self._core.breaking(index):
            if edge.source == edge.target and edge.relation == _core.BaseRelation.PO:
                continue  # the two halves of an update
            name = _EDGE_NAMES[edge.relation]
            if self.model.looks_at_time and name == self.model.timed_program[1]:
                name = "rt"
            name += "^-1" if edge.backwards else ""
            edges.append(Edge(edge.source, name, edge.target))
        return tuple(edges)

    def _built_in(self, name: str) -> set[tuple[int, int]]:
        on = self.model.architecture
        known = base.known_names(self.model.dialect, on) - {"_", "any", "each", *base.FUNCTIONS[self.model.dialect]}
        if name not in known:
            hint = nearest(name, known | set(self.model.relations))
            raise ModelError(f"model {self.model.name} has no '{name}'", hint=hint)
        text = f"let asked = {name}"
        probe = replace(
            parse_model(text, dialect=self.model.dialect, architecture=on.name if on else None), view=self.model.view
        )
        return evaluate(probe, self.execution, self._mo).relation("asked")


def evaluate(model: ModelFile, execution: Execution, mo: Iterable[tuple[int, int]]) -> Evaluation:
    """Evaluates a model under `mo`: pairs of event references, closed transitively, initial writes first."""
    return Evaluation(model, execution, evaluator(model, execution), list(mo))
