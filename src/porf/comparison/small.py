"""Small executions, decided by the axioms of the model file: no evidence, no kernel, a few microseconds each."""

import itertools
from collections.abc import Iterable

import numpy as np

from porf import _core
from porf.allowance import SpentError
from porf.comparison.skeletons import Skeleton
from porf.comparison.vocabulary import Decoration, Lens
from porf.execution import DEPENDENCIES, INITIAL, NO_VALUE, Execution, Op
from porf.formats.text import recorded
from porf.language.model_file import ModelFile
from porf.record import Record

LETTERS = "xyzabcdefgh"


class Small(Record):
    """A skeleton and its decoration: one execution."""

    skeleton: Skeleton
    decoration: Decoration

    def __len__(self) -> int:
        return len(self.skeleton.op)

    def execution(self, source: str = "<search>") -> Execution:
        """For people: named threads and locations, and a value of its own for each write of a location."""
        thread, op, loc, rf = self.skeleton
        orders, dependencies = self.decoration
        written, read = [NO_VALUE] * len(op), [NO_VALUE] * len(op)
        counts: dict[int, itertools.count[int]] = {}
        for row, kind in enumerate(op):
            if kind in (Op.WRITE, Op.UPDATE):
                written[row] = next(counts.setdefault(loc[row], itertools.count(1)))
        for row, kind in enumerate(op):
            if kind in (Op.READ, Op.UPDATE):
                read[row] = 0 if rf[row] == INITIAL else written[rf[row]]
        locations = max(loc, default=-1) + 1
        return Execution(
            thread=np.array(thread, np.int32),
            op=np.array(op, np.uint8),
            loc=np.array(loc, np.int32),
            order=np.array(orders, np.uint8),
            rf=np.array(rf, np.int32),
            thread_names=[f"T{t}" for t in range(max(thread, default=-1) + 1)],
            loc_names=[LETTERS[x] if locations <= len(LETTERS) else f"x{x}" for x in range(locations)],
            init_value=np.zeros(locations, np.int64),
            read_value=recorded(np.array(read, np.int64)),
            written_value=recorded(np.array(written, np.int64)),
            dependencies={
                kind: (
                    np.array([a for k, a, _ in dependencies if k == kind], np.int32),
                    np.array([b for k, _, b in dependencies if k == kind], np.int32),
                )
                for kind in dict.fromkeys(k for k, _, _ in dependencies)
            },
            source=source,
        )


def from_execution(execution: Execution) -> Small:
    """Threads one after the other, threads and locations numbered as they appear there."""
    rows = sorted(range(len(execution)), key=lambda row: (int(execution.thread[row]), row))
    at = {row: new for new, row in enumerate(rows)} | {INITIAL: INITIAL}
    skeleton = Skeleton(
        tuple(_numbered(execution.thread[rows].tolist())),
        tuple(execution.op[rows].tolist()),
        tuple(_numbered(execution.loc[rows].tolist())),
        tuple(at[rf] for rf in execution.rf[rows].tolist()),
    )
    dependencies = [
        (kind, at[int(a)], at[int(b)])
        for kind, pairs in execution.dependencies.items()
        for a, b in zip(*pairs, strict=True)
    ]
    return Small(skeleton, (tuple(execution.order[rows].tolist()), tuple(dependencies)))


def _numbered(values: Iterable[int]) -> list[int]:
    numbers = {-1: -1}
    return [numbers.setdefault(value, len(numbers) - 1) for value in values]


class Columns:
    """A skeleton as the core takes it, asked of several models; answers are kept."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._thread = np.array(skeleton.thread, np.int32)
        self._op = np.array(skeleton.op, np.uint8)
        self._loc = np.array(skeleton.loc, np.int32)
        self._rf = np.array(skeleton.rf, np.int32)
        self._threads = max(skeleton.thread, default=-1) + 1
        self._locations = max(skeleton.loc, default=-1) + 1
        self._plain = np.ones(len(skeleton.op), np.uint8)
        self._known: dict[tuple[Lens, Decoration], bool] = {}

    def allowed(self, lens: Lens, decoration: Decoration) -> bool:
        """Whether the model allows the execution under some modification order."""
        seen = lens.seen(decoration)
        answer = self._known.get((lens, seen))
        if answer is None:
            counts = lens.assumed is None or self._search(lens.assumed, seen)
            answer = self._known[lens, seen] = counts and self._search(lens.file, seen)
        return answer

    def _search(self, file: ModelFile, seen: Decoration) -> bool:
        orders, dependencies = seen
        pairs = None
        if dependencies:
            own = [[(a, b) for k, a, b in dependencies if k == kind] for kind in DEPENDENCIES]
            pairs = [[np.array([pair[end] for pair in of], np.int32) for end in (0, 1)] for of in own]
        execution = _core.Execution(
            self._thread,
            self._op,
            self._loc,
            np.array(orders, np.uint8) if orders else self._plain,
            self._rf,
            self._threads,
            self._locations,
            pairs,
        )
        budget = _core.Budget()
        found = _core.Evaluator(file.program, execution, file.view == "two").search(budget)
        if found.answer == _core.Answer.UNDECIDED:
            raise SpentError(budget.limit)
        return found.answer == _core.Answer.CONSISTENT


def allowed(lens: Lens, small: Small) -> bool:
    return Columns(small.skeleton).allowed(lens, small.decoration)
