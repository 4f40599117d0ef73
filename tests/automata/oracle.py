"""The independent judge of `porf prove`: is there a small execution graph on which a statement is false?

Graphs of 1, 2, 3, … events are searched completely, by a SAT solver. What it finds is built and evaluated once more by
plain means: a refutation never rests on the encoding. That there is none of up to n events does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pysat.solvers import Solver

from tests.automata import graphs as g
from tests.automata.formula import TRUE, AllGraphs, Matrix
from tests.automata.meaning import File, Judged, Judgement, Vocabulary, judge, read


@dataclass(frozen=True)
class Refutation:
    """A graph that satisfies every assumption and breaks the assertion."""

    line: int
    statement: str
    events: int
    graph: dict[str, Any]


def refute(text: str, line: int | None = None, *, most: int = 6, folder: Path | None = None) -> Refutation | None:
    """The smallest graph that refutes the assertion on the line, or the first that has one."""
    file = read(text, folder=folder)
    lines = None if line is None else {line}
    for refutation in refutations(file, range(1, most + 1), lines=lines):
        return refutation
    return None


def refutations(
    file: File, sizes: Iterable[int], *, lines: set[int] | None = None, effort: int | None = None
) -> Iterator[Refutation]:
    """For each assertion a graph that refutes it, of the first of these numbers of events for which there is one.

    With an effort, a search that meets so many conflicts is given up: then none found is not none there.
    """
    known: set[int] = set()
    for events in sizes:
        search = Search(file, events)
        for number, assertion in enumerate(search.judgement.assertions):
            if number in known or (lines is not None and assertion.line not in lines):
                continue
            columns = search.solve(assertion, effort)
            if columns is not None:
                known.add(number)
                yield _evaluated(file, number, columns)


def _evaluated(file: File, number: int, columns: g.Columns) -> Refutation:
    plain = g.Graphs(columns)
    judgement = judge(file, plain)
    assertion = judgement.assertions[number]
    assert not any(broken[0] for broken in judgement.assumptions), "the encoding lost an assumption"
    assert assertion.violated[0], "the encoding sees a refutation where there is none"
    return Refutation(assertion.line, assertion.statement, plain.n, plain.picture(0))


class Search:
    """All graphs of so many events that satisfy the assumptions of a file."""

    def __init__(self, file: File, events: int) -> None:
        self.vocabulary = file.vocabulary
        self.graphs = AllGraphs(events, file.vocabulary)
        self.judgement: Judgement = judge(file, self.graphs)
        for broken in self.judgement.assumptions:
            self.graphs.formula.say(-broken)
        self._solver = Solver(name="cadical153", bootstrap_with=self.graphs.formula.clauses)

    def solve(self, assertion: Judged, effort: int | None = None) -> g.Columns | None:
        """A graph that breaks the assertion."""
        if effort is not None:
            self._solver.conf_budget(effort)
        if not self._solver.solve_limited(assumptions=[assertion.violated]):
            return None
        model = self._solver.get_model()
        assert model is not None
        return _columns(self.graphs, frozenset(each for each in model if each > 0) | {TRUE}, self.vocabulary)


def _columns(graphs: AllGraphs, true: frozenset[int], vocabulary: Vocabulary) -> g.Columns:
    """The graph of a model of the formula."""
    n = graphs.n

    def holds(literal: int) -> bool:
        return literal in true if literal > 0 else -literal not in true

    def events(name: str) -> g.Bits:
        return np.array([holds(each) for each in graphs.sets[name]])

    def pairs(matrix: Matrix) -> g.Bits:
        return np.array([[holds(cell) for cell in row] for row in matrix])

    def classes(matrix: Matrix) -> list[int]:
        related = pairs(matrix)
        return [next((i for i in range(j) if related[i, j]), j) for j in range(n)]

    rf, mo, rmw = (pairs(graphs.relations[name]) for name in ("rf", "mo", "rmw"))
    kind = np.select([events("R"), events("W"), events("F")], [g.READ, g.WRITE, g.FENCE], g.OTHER)
    names = ("SC", "ACQ", "REL", "NA", "RLX")
    sc, acq, rel, na, rlx = (events(name) for name in names)
    mode = np.select([sc, acq & rel, acq, rel, na, rlx], [g.SC, g.ACQ_REL, g.ACQ, g.REL, g.NA, g.RLX], g.NO_MODE)
    excl = np.select([events("EXCL"), events("NEXCL")], [g.EXCL, g.NEXCL], g.NEITHER)
    picked = ["ctrl", "addr", "data", *(f"{r}{end}" for r in vocabulary.relations for end in ("", "-loc"))]
    return g.Columns(
        thread=np.array([classes(graphs.relations["po"])]),
        kind=kind[None],
        loc=np.array([classes(graphs.same_loc)]),
        mode=mode[None],
        excl=excl[None],
        rf=np.asarray(np.where(rf.any(axis=0), rf.argmax(axis=0), -1))[None],
        rank=mo.sum(axis=0)[None],
        update=np.asarray(rmw.any(axis=1))[None],
        picks={name: pairs(graphs.relations[name])[None] for name in picked},
        sets={name: events(name)[None] for name in vocabulary.predicates},
    )
