"""The sparse steps of an execution that walks are made of, and its events as nodes: columns that the core takes.

Under coherence a thread's accesses of a location show where it stands in the modification order, and that is what makes
some relations sparse: reads of one write are next to each other, and a write between two threads shows in what is read.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from porf import _core
from porf.execution import UNKNOWN, Execution, Int32, Op, Order
from porf.language import relation as r
from porf.language.automaton import DYNAMIC, Letter, Step, Walk
from porf.language.model_file import ModelFile
from porf.language.selection import KINDS, ORDERS, Selection, Selections
from porf.language.walks import WalkModel
from porf.record import Record

Mask = npt.NDArray[np.bool_]
Pairs = tuple[Int32, Int32]

_NONE, _FIRST = -2, -1
_MOST_TESTS = 64
_DYNAMIC: tuple[Step, ...] = ("mo", "fr", "moe", "fre")  # as the core numbers them


class UnsuitedError(Exception):
    """An execution with something that walks do not know."""


class Events:
    """The events of an execution as a model sees them: an update is one node, or two."""

    def __init__(self, execution: Execution, model: ModelFile, walks: WalkModel) -> None:
        if (execution.rf == UNKNOWN).any():
            raise UnsuitedError
        self._x = execution
        self._model = model
        self._walks = walks
        two = model.view == "two"
        updates = execution.op == Op.UPDATE
        counts = 1 + (updates if two else np.zeros(len(execution), np.bool_)).astype(np.int64)
        self.last = (np.cumsum(counts) - 1).astype(np.int32)  # of a row: the node that writes
        self.first = (self.last - counts + 1).astype(np.int32)
        self.row = np.repeat(np.arange(len(execution), dtype=np.int32), counts)
        second = np.arange(len(self.row)) > self.first[self.row]
        self.thread = execution.thread[self.row]
        self.loc = np.where(execution.op == Op.FENCE, -1, execution.loc).astype(np.int32)[self.row]
        self.kind = self._kinds(two, second)
        is_read, is_write, is_either = ("read", "update-read"), ("write", "update-write"), ("update",)
        operation = self.kind // ORDERS
        self.reads = np.isin(operation, [KINDS.index(k) for k in (*is_read, *is_either)])
        self.writes = np.isin(operation, [KINDS.index(k) for k in (*is_write, *is_either)])
        writer = execution.rf[self.row]
        taken = np.where(writer >= 0, self.last[np.maximum(writer, 0)], _FIRST) if len(writer) else writer
        self.rf = np.where(self.reads, taken, _NONE).astype(np.int32)
        self._tests: dict[bytes, int] = {}
        self._columns: list[Mask] = []
        self._numbers: dict[Selection, int] = {}

    def __len__(self) -> int:
        return len(self.row)

    def _kinds(self, two: bool, second: Mask) -> npt.NDArray[np.int64]:
        op, order = self._x.op[self.row].astype(np.int64), self._x.order[self.row].astype(np.int64)
        names = ("read", "write", "update-read" if two else "update", "fence")
        kind = np.array([KINDS.index(name) for name in names], np.int64)[op]
        if two:
            update = op == Op.UPDATE
            kind[update & second] = KINDS.index("update-write")
            both = update & (order == Order.ACQ_REL)
            order[both] = np.where(second[both], int(Order.REL), int(Order.ACQ))
            # The half that an order says nothing of is relaxed.
            order[update & second & (order == Order.ACQ)] = Order.RLX
            order[update & ~second & (order == Order.REL)] = Order.RLX
        return kind * ORDERS + order

    def nodes(self) -> _core.WalkNodes:
        """The core's nodes, with all tests that were numbered so far."""
        selects = np.zeros(len(self), np.uint64)
        for test, column in enumerate(self._columns):
            selects |= column.astype(np.uint64) << np.uint64(test)
        return _core.WalkNodes(
            self.thread,
            self.loc,
            self.writes.astype(np.uint8),
            self.rf,
            self.follows,
            selects,
            self._x.threads,
            self._x.locations,
        )

    @cached_property
    def follows(self) -> Int32:
        """Of a write: the write that it comes right after."""
        out = np.full(len(self), _NONE, np.int32)
        if not self._walks.atomic:
            return out
        updates = np.flatnonzero(self._x.op == Op.UPDATE)
        out[self.last[updates]] = self.rf[self.first[updates]]
        loads, stores = self._x.dependencies.get("lxsx", (_NO_ROWS, _NO_ROWS))
        same = self._x.loc[loads] == self._x.loc[stores] if len(loads) else np.empty(0, np.bool_)
        loads, stores = loads[same], stores[same]
        if len(loads):
            own = np.full(len(self), -1, np.int32)
            before, after = self.steps("own")
            own[after] = before
            between = (own[self.last[stores]] > self.first[loads]) | (self._x.op[stores] != Op.WRITE)
            if between.any() or len(np.unique(stores)) < len(stores):
                raise UnsuitedError
            out[self.last[stores]] = self.rf[self.first[loads]]
        return out

    def test(self, selection: Selection) -> int:
        """The number of a test; -1 where it holds everywhere."""
        if selection not in self._numbers:
            table = np.array([selection.kinds >> k & 1 for k in range(len(KINDS) * ORDERS)], np.bool_)
            column = table[self.kind]
            for other in selection.others:
                column = column & self.members(other)
            key = column.tobytes()
            if column.all():
                self._tests[key] = -1
            elif key not in self._tests:
                if len(self._columns) == _MOST_TESTS:
                    raise UnsuitedError
                self._tests[key] = len(self._columns)
                self._columns.append(column)
            self._numbers[selection] = self._tests[key]
        return self._numbers[selection]

    def members(self, events: r.Node) -> Mask:
        """Which nodes are in a set."""
        events = r.plain(events)
        match events:
            case r.Union(operands):
                out = np.zeros(len(self), np.bool_)
                for one in operands:
                    out |= self.members(one)
                return out
            case r.Intersection(left, right):
                return self.members(left) & self.members(right)
            case r.Difference(left, right):
                return self.members(left) & ~self.members(right)
            case r.Unary("complement", body):
                return ~self.members(body)
            case r.Unary("domain" | "range" as end, body):
                return self._end(body, end)
            case r.Tagged(_, tag):
                return self._tagged(tag)
        selection = Selections(self._model.view == "two").of(events)
        if selection.others:
            raise UnsuitedError
        return np.array([selection.kinds >> k & 1 for k in range(len(KINDS) * ORDERS)], np.bool_)[self.kind]

    def _end(self, node: r.Node, end: str) -> Mask:
        sources, targets = self._related(node)
        out = np.zeros(len(self), np.bool_)
        out[sources[sources >= 0] if end == "domain" else targets] = True
        return out

    def _related(self, node: r.Node) -> Pairs:
        """A relation that has few pairs; an initial write is -1."""
        match r.plain(node):
            case r.Base("rf"):
                readers = np.flatnonzero(self.reads).astype(np.int32)
                return self.rf[readers], readers
            case r.Base("rmw" | "amo" | "lxsx" | "addr" | "data" | "ctrl" as name):
                return self.steps(name)
            case r.Intersection(left, r.Base("ext" | "int" as where)):
                sources, targets = self._related(left)
                inside = (sources >= 0) & (self.thread[sources] == self.thread[targets])
                kept = inside if where == "int" else ~inside
                return sources[kept], targets[kept]
            case r.Sequence((r.Unary("test", events), rest)):
                sources, targets = self._related(rest)
                kept = (sources >= 0) & self.members(events)[sources]
                return sources[kept], targets[kept]
            case r.Sequence((rest, r.Unary("test", events))):
                sources, targets = self._related(rest)
                kept = self.members(events)[targets]
                return sources[kept], targets[kept]
        raise UnsuitedError

    def _tagged(self, tag: str) -> Mask:
        architecture = self._model.architecture
        if architecture is None:
            return np.zeros(len(self), np.bool_)
        bits = self._x.tags_on(architecture)[self.row]
        half = self._x.op[self.row] == Op.UPDATE
        if self._model.view == "two":
            bits = np.where(half & self.reads, bits & np.uint64(architecture.kept("read")), bits)
            bits = np.where(half & self.writes, bits & np.uint64(architecture.kept("write")), bits)
        wanted: Mask = (bits >> np.uint64(architecture.tags.index(tag)) & np.uint64(1)) != 0
        return wanted

    def steps(self, name: str) -> Pairs:
        """The pairs of a step that is not dynamic and not happens-before."""
        match name:
            case "next":
                return _neighbours(np.argsort(self.thread, kind="stable"), self.thread)
            case "next-at":
                return self._at(self.loc >= 0)
            case "own":
                return self._at(self.writes)
            case "next-other":
                _, begin, after = self._runs
                there = after >= 0
                return begin[there], after[there]
            case "last-other":
                before, begin, _ = self._runs
                there = before >= 0
                return before[there], begin[there]
            case "changed-read":
                return self._changed()
            case "same-read":
                one, other = self.steps("next-at")
                same = self.reads[one] & self.reads[other] & (self.rf[one] == self.rf[other])
                return one[same], other[same]
            case "rf" | "rfe" | "rfi":
                readers = np.flatnonzero(self.rf >= 0).astype(np.int32)
                writers = self.rf[readers]
                inside = self.thread[writers] == self.thread[readers]
                kept = inside if name == "rfi" else ~inside if name == "rfe" else np.ones(len(readers), np.bool_)
                return writers[kept], readers[kept]
            case "amo" | "rmw":
                updates = np.flatnonzero(self._x.op == Op.UPDATE)
                halves = self.first[updates], self.last[updates]
                return halves if name == "amo" else _joined(halves, self.steps("lxsx"))
            case "lxsx" | "addr" | "data" | "ctrl":
                sources, targets = self._x.dependencies.get(name, (_NO_ROWS, _NO_ROWS))
                into = self.first[sources], self.last[targets]
                if name in ("lxsx", "data"):  # data is what is written
                    return into
                halves = self.first[targets] != self.last[targets]
                return _joined(into, (self.first[sources[halves]], self.first[targets[halves]]))
        raise AssertionError(f"no step is called {name}")

    def _at(self, which: Mask) -> Pairs:
        """From each of these to the next of its thread and location."""
        chosen = np.flatnonzero(which)
        order = chosen[np.lexsort((chosen, self.loc[chosen], self.thread[chosen]))]
        return _neighbours(order, self.thread, self.loc)

    @cached_property
    def _runs(self) -> tuple[Int32, Int32, Int32]:
        """Per event: the last one of its thread before it that is not of its location, itself, and the next such."""
        order = np.argsort(self.thread, kind="stable").astype(np.int32)
        thread, loc = self.thread[order], self.loc[order]
        breaks = np.ones(len(order), np.bool_)
        breaks[1:] = (thread[1:] != thread[:-1]) | (loc[1:] != loc[:-1]) | (loc[1:] < 0)
        run = np.cumsum(breaks) - 1
        starts = np.append(np.flatnonzero(breaks), len(order))
        before, after = starts[run] - 1, starts[run + 1]
        ok_before = (before >= 0) & (thread[np.maximum(before, 0)] == thread)
        ok_after = (after < len(order)) & (thread[np.minimum(after, len(order) - 1)] == thread)
        named_before = np.where(ok_before, order[np.maximum(before, 0)], -1).astype(np.int32)
        named_after = np.where(ok_after, order[np.minimum(after, len(order) - 1)], -1).astype(np.int32)
        return named_before, order, named_after

    def _changed(self) -> Pairs:
        chosen = np.flatnonzero(self.reads)
        order = chosen[np.lexsort((chosen, self.loc[chosen], self.thread[chosen]))].astype(np.int32)
        if not len(order):
            return _NO_ROWS, _NO_ROWS
        key = [column[order] for column in (self.thread, self.loc, self.rf)]
        breaks = np.ones(len(order), np.bool_)
        breaks[1:] = np.any([column[1:] != column[:-1] for column in key], axis=0)
        starts = np.append(np.flatnonzero(breaks), len(order))
        after = starts[np.cumsum(breaks)]
        inside = after < len(order)
        to = np.minimum(after, len(order) - 1)
        inside &= (key[0][to] == key[0]) & (key[1][to] == key[1])
        return order[inside], order[to[inside]]


_NO_ROWS: Int32 = np.empty(0, np.int32)


def _neighbours(order: npt.NDArray[np.int64], *keys: Int32) -> Pairs:
    one, other = order[:-1].astype(np.int32), order[1:].astype(np.int32)
    same = np.ones(len(one), np.bool_)
    for key in keys:
        same &= key[one] == key[other]
    return one[same], other[same]


def _joined(one: Pairs, other: Pairs) -> Pairs:
    return np.concatenate((one[0], other[0])), np.concatenate((one[1], other[1]))


class Prepared(Record, eq=False):
    """A problem for the core; None if happens-before is cyclic already."""

    events: Events
    problem: _core.WalkProblem | None


class _Preparation:
    """Numbers letters and tests, and finds out what happens before what."""

    def __init__(self, execution: Execution, model: ModelFile, walks: WalkModel, budget: _core.Budget) -> None:
        self._events = Events(execution, model, walks)
        self._walks = walks
        self._budget = budget
        self._lists: list[Pairs] = []
        self._number: dict[Letter, int] = {Letter(name): at for at, name in enumerate(_DYNAMIC)}
        self._found: list[_core.WalkClocks] = []

    def run(self) -> Prepared | None:
        """None: the budget ended."""
        events = self._events
        for closure in self._walks.closures:
            automaton = self._automaton(closure)
            found = _core.happens_before(events.nodes(), automaton, self._lists, self._budget)
            if self._budget.limit != _core.Limit.NONE:
                return None
            if found.unsuited:
                # Walks go round within a repetition: updates may read each other in a circle, which breaks coherence.
                probe = _core.WalkProblem(events.nodes(), [], [], events.steps("next-at"))
                if probe.begin(self._budget) == _core.Answer.INCONSISTENT:
                    return Prepared(events, None)
                raise UnsuitedError
            if found.cyclic and self._walks.coherence == len(self._found):
                return Prepared(events, None)
            if found.cyclic:
                raise UnsuitedError
            self._found.append(found)
        automata = [self._automaton(walk) for walk in self._walks.walks]
        ordered = events.steps("next-at")
        if self._walks.coherence is not None:
            ordered = _joined(ordered, self._found[self._walks.coherence].at())
        return Prepared(events, _core.WalkProblem(events.nodes(), automata, self._lists, ordered))

    def _automaton(self, walk: Walk) -> _core.WalkAutomaton:
        letters = [self._letter(letter) for letter in walk.letters]
        moves = [(a, self._events.test(selection), b) for a, selection, b in walk.moves]
        return _core.WalkAutomaton(letters, moves, walk.repeats, walk.forces)

    def _letter(self, letter: Letter) -> int:
        if letter not in self._number:
            self._number[letter] = len(DYNAMIC) + len(self._lists)
            self._lists.append(self._pairs(letter))
        return self._number[letter]

    def _pairs(self, letter: Letter) -> Pairs:
        if letter.step == "hb":
            return _joined(self._events.steps("next"), self._found[letter.closure].generating())
        if letter.step == "hb-at":
            return self._found[letter.closure].at()
        return self._events.steps(letter.step)


def prepare(execution: Execution, model: ModelFile, walks: WalkModel, budget: _core.Budget) -> Prepared | None:
    """The problem of an execution under a model; None if the budget ended. May raise UnsuitedError."""
    return _Preparation(execution, model, walks, budget).run()
