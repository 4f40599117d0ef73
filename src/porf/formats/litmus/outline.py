"""What is the same of a litmus test in every language: its threads, names and values, what depends on what, and the
outcome.

Each write of a location stores a different value, so the values of the reads say what was read from where.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from porf.errors import UsageError
from porf.execution import DEPENDENCIES, NO_VALUE, Execution, Op
from porf.formats.lines import check_writable

MOST_EVENTS = 1000  # a litmus test is read by people, and run by tools that enumerate
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Names that some language takes for something else: registers of C's tests and of x86, threads, words of C.
_TAKEN = re.compile(
    r"r\d+[dwb]?|[re]?[a-d]x|[re]?[sd]i|[re]?[sb]p|[a-d]l|[sd]il|[sb]pl|P\d+|int|if|exists|forall|not|true|false"
    r"|locations|filter|atomic_\w+|memory_order_\w+",
    re.ASCII,
)


class Outline:
    """An execution on its way to a test. `notes` are what people should know: comments of the test."""

    def __init__(
        self, execution: Execution, mo: Sequence[Sequence[int]] | None = None, values: range | None = None
    ) -> None:
        """`values`: those that a language can write into an instruction; None if it takes any."""
        check_writable(execution)
        if len(execution.open_reads):
            message = f"a litmus test says which write {execution.name(int(execution.open_reads.rows[0]))} reads"
            hint = "give the read its writer, rf=ID: porf check names writers with which the history is consistent"
            raise UsageError(message, source=execution.source, hint=hint)
        if len(execution) > MOST_EVENTS:
            raise UsageError(
                f"{len(execution)} events are too many for a litmus test (at most {MOST_EVENTS})",
                hint="porf check finds the part that matters, and `restrict` cuts it out",
            )
        self.execution = execution
        self.mo = mo
        self.notes: list[str] = []
        self.locations = _identifiers(execution.loc_names)
        self.initial, self.stored = _values(execution, values)
        self.sources = {kind: self._sources(kind) for kind in DEPENDENCIES}

    @property
    def name(self) -> str:
        stem = Path(self.execution.source).stem.strip("<>")
        return re.sub(r"[^\w+.-]", "_", stem, flags=re.ASCII) or "test"

    def threads(self) -> Iterator[list[int]]:
        """The rows of each thread."""
        threads = self.execution.thread.tolist()
        for number in range(self.execution.threads):
            yield [row for row, thread in enumerate(threads) if thread == number]

    def _sources(self, kind: str) -> dict[int, list[int]]:
        """Rows with a dependency of one kind, each with the rows that it depends on, as far as a program can say
        that."""
        g = self.execution
        out: dict[int, set[int]] = {}
        for source, target in zip(*g.dependencies.get(kind, ((), ())), strict=True):
            s, t = int(source), int(target)
            if g.reads(s) and (kind in ("ctrl", "lxsx") or g.op[t] != Op.FENCE):
                out.setdefault(t, set()).add(s)
            else:
                what = "fences do not depend on values" if g.reads(s) else "it reads nothing"
                self.notes.append(f"left out: the {kind} dependency of {g.name(t)} on {g.name(s)}: {what}")
        return {target: sorted(found) for target, found in out.items()}

    def depends(self, kind: str, row: int) -> list[int]:
        """The reads that a row depends on. All that a load can use of a value is an address."""
        found = self.sources[kind].get(row, [])
        if kind == "addr" and self.execution.op[row] == Op.READ:
            return sorted({*found, *self.sources["data"].get(row, [])})
        return [] if kind == "data" and self.execution.op[row] == Op.READ else found

    def read(self, row: int) -> int:
        """The value that a row reads."""
        writer = self.execution.writer(row)
        return self.initial[~writer] if writer < 0 else self.stored[writer]

    def outcome(self, registers: Mapping[int, str], others: Sequence[str] = ()) -> str:
        """The proposition: what reads have seen, by the register of each row, what else must be so, and final
        values."""
        g = self.execution
        terms = [f"{g.thread[row]}:{register}={self.read(row)}" for row, register in registers.items()]
        terms += others
        for x, order in zip(self.locations, self.mo or (), strict=self.mo is not None):
            values = [self.stored[int(row)] for row in order]
            if len(values) > 1:
                terms.append(f"[{x}]={values[-1]}")
            if len(values) > 2 and not self._is_shown(order):
                line = " < ".join(map(str, values))
                self.notes.append(f"of the orders of stores with this final value, this one is meant: {x}: {line}")
        return " /\\ ".join(terms) or "true"

    def _is_shown(self, order: Sequence[int]) -> bool:
        """Whether a thread reads all of these writes but the last, in this order."""
        g = self.execution
        wanted = [int(row) for row in order[:-1]]
        for rows in self.threads():
            seen = [g.writer(row) for row in rows if g.op[row] == Op.READ and int(g.rf[row]) in wanted]
            if list(dict.fromkeys(seen)) == wanted:
                return True
        return False

    def comments(self) -> list[str]:
        return [f"(* {note} *)" for note in dict.fromkeys(self.notes)]


def _identifiers(names: Sequence[str]) -> list[str]:
    """The names of locations, those that tests would not take replaced."""
    fine = [bool(_IDENTIFIER.fullmatch(name)) and not _TAKEN.fullmatch(name) for name in names]
    out = []
    for at, name in enumerate(names):
        new = f"x{at}"
        while new in names:
            new = "x" + new
        out.append(name if fine[at] else new)
    return out


def _values(g: Execution, known: range | None) -> tuple[list[int], dict[int, int]]:
    """The initial value of each location and what each row stores: as recorded where those differ and are known to the
    language, else counted."""
    rows: list[list[int]] = [[] for _ in range(g.locations)]
    for row in g.writing.nonzero()[0].tolist():
        rows[int(g.loc[row])].append(row)
    initial = [0 if value == NO_VALUE else int(value) for value in g.init_value]
    stored: dict[int, int] = {}
    for loc, writes in enumerate(rows):
        recorded = [NO_VALUE if g.written_value is None else int(g.written_value[row]) for row in writes]
        named = g.spelling is not None and g.spelling.are_names(np.array([initial[loc], *recorded])).any()
        unfit = known is not None and not all(value in known for value in (initial[loc], *recorded))
        strange = unfit or g.init_value[loc] == NO_VALUE
        if named or strange:
            initial[loc] = 0
        if named or strange or NO_VALUE in recorded or len({initial[loc], *recorded}) <= len(recorded):
            recorded = [initial[loc] + 1 + at for at in range(len(writes))]
        stored |= dict(zip(writes, recorded, strict=True))
    return initial, stored
