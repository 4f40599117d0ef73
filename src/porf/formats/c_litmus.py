"""An execution as a C litmus test: a program for herd and other tools, and the outcome that singles it out.

Written only. Each write of a location stores a different value, so the values of the reads say what was read from
where. A dependency is made real by the usual idioms, which leave values and addresses as they are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from porf.errors import UsageError
from porf.execution import DEPENDENCIES, NO_VALUE, ORDER_NAMES, Execution, Op, Order
from porf.formats.lines import check_writable

MOST_EVENTS = 1000  # a litmus test is read by people, and run by tools that enumerate
_ORDERS = ("relaxed", "relaxed", "acquire", "release", "acq_rel", "seq_cst")
# What C has for each operation; another order is written as the strongest of these that it includes.
_IN_C = {
    Op.READ: (Order.NA, Order.RLX, Order.ACQ, Order.SC),
    Op.WRITE: (Order.NA, Order.RLX, Order.REL, Order.SC),
    Op.UPDATE: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC),
    Op.FENCE: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC),
}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_TAKEN = re.compile(r"r\d+|P\d+|int|if|exists|forall|atomic_\w+|memory_order_\w+", re.ASCII)


def write(execution: Execution) -> bytes:
    return litmus_test(execution).encode()


def litmus_test(execution: Execution, name: str | None = None, mo: Sequence[Sequence[int]] | None = None) -> str:
    """The test as text. With a modification order (rows, a location), the outcome also has the final values."""
    check_writable(execution)
    if len(execution) > MOST_EVENTS:
        raise UsageError(
            f"{len(execution)} events are too many for a litmus test (at most {MOST_EVENTS})",
            hint="porf check finds the part that matters, and `restrict` cuts it out",
        )
    if execution.tag is not None or "lxsx" in execution.dependencies:
        raise UsageError("C has no words for what this history says of a machine", hint="keep it as a text file")
    return _Test(execution, mo).text(name or _name(execution))


def _name(execution: Execution) -> str:
    return re.sub(r"[^\w+.-]", "_", Path(execution.source).stem.strip("<>"), flags=re.ASCII) or "test"


@dataclass
class _Test:
    execution: Execution
    mo: Sequence[Sequence[int]] | None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        g = self.execution
        self.locations = _identifiers(g.loc_names)
        self.initial, self.stored = _values(g)
        self.registers: dict[int, str] = {}
        for rows in self._threads():
            reading = [row for row in rows if g.reads(row)]
            self.registers |= {row: f"r{at}" for at, row in enumerate(reading)}
        self.sources = {kind: self._sources(kind) for kind in DEPENDENCIES}

    def _threads(self) -> Iterator[list[int]]:
        threads = self.execution.thread.tolist()
        for number in range(self.execution.threads):
            yield [row for row, thread in enumerate(threads) if thread == number]

    def _sources(self, kind: str) -> dict[int, list[int]]:
        """Rows with a dependency of one kind, each with the rows that it depends on, as far as C can say that."""
        g = self.execution
        out: dict[int, set[int]] = {}
        for source, target in zip(*g.dependencies.get(kind, ((), ())), strict=True):
            s, t = int(source), int(target)
            if s in self.registers and (kind == "ctrl" or g.op[t] != Op.FENCE):
                out.setdefault(t, set()).add(s)
            else:
                what = "fences do not depend on values" if s in self.registers else "it reads nothing"
                self.notes.append(f"left out: the {kind} dependency of {g.name(t)} on {g.name(s)}: {what}")
        return {target: sorted(found) for target, found in out.items()}

    def text(self, name: str) -> str:
        threads = [self._thread(number, rows) for number, rows in enumerate(self._threads())]
        outcome = self._outcome()
        inits = " ".join(f"[{x}] = {value};" for x, value in zip(self.locations, self.initial, strict=True))
        notes = [f"(* {note} *)" for note in dict.fromkeys(self.notes)]
        return "\n\n".join([f"C {name}", *notes, f"{{ {inits} }}", *threads, f"exists ({outcome})"]) + "\n"

    def _thread(self, number: int, rows: list[int]) -> str:
        """One function: accesses under the same control dependencies share an `if`."""
        g = self.execution
        used = dict.fromkeys(int(g.loc[row]) for row in rows if g.loc[row] >= 0)
        parameters = ", ".join(f"{self._type(loc)}* {self.locations[loc]}" for loc in sorted(used))
        guarded = [row for row in rows if g.reads(row) and row in self.sources["ctrl"]]
        lines = [f"  int {self.registers[row]};" for row in guarded]
        for sources, group in groupby(rows, lambda row: tuple(self.sources["ctrl"].get(row, ()))):
            indent = "    " if sources else "  "
            if sources:
                tests = " && ".join(f"{self.registers[s]} == {self._read(s)}" for s in sources)
                lines.append(f"  if ({tests}) {{")
            for row in group:
                lines.append(indent + self._statement(row, declared=row in guarded))
            if sources:
                lines.append("  }")
        return "\n".join([f"P{number} ({parameters}) {{", *lines, "}"])

    def _type(self, loc: int) -> str:
        g = self.execution
        plain = {bool(order == Order.NA) for order in g.order[g.loc == loc].tolist()}
        if plain == {True, False}:
            self.notes.append(f"plain and atomic accesses of {self.locations[loc]}")
        return "int" if plain == {True} and not (g.op[g.loc == loc] == Op.UPDATE).any() else "atomic_int"

    def _statement(self, row: int, declared: bool) -> str:
        g = self.execution
        op = Op(int(g.op[row]))
        order = self._order(row, op)
        memory_order = f"memory_order_{_ORDERS[order]}"
        if op == Op.FENCE:
            return f"atomic_thread_fence({memory_order});"
        place = self.locations[int(g.loc[row])] + self._nothing("addr", row)
        value = ""
        if op == Op.READ:
            place += self._nothing("data", row)  # all that a load can use of a value is an address
        else:
            value = f"{self.stored[row]}{self._nothing('data', row)}"
        if op == Op.WRITE:
            plain = f"*{place} = {value};" if " " not in place else f"*({place}) = {value};"
            return plain if order == Order.NA else f"atomic_store_explicit({place}, {value}, {memory_order});"
        target = f"{'' if declared else 'int '}{self.registers[row]} = "
        if op == Op.UPDATE:
            return f"{target}atomic_exchange_explicit({place}, {value}, {memory_order});"
        if order == Order.NA:
            return f"{target}*{place};" if " " not in place else f"{target}*({place});"
        return f"{target}atomic_load_explicit({place}, {memory_order});"

    def _order(self, row: int, op: Op) -> Order:
        order = Order(int(self.execution.order[row]))
        if order in _IN_C[op]:
            return order
        weaker = Order.RLX
        if order == Order.ACQ_REL:
            weaker = Order.ACQ if op == Op.READ else Order.REL
        what = ("load", "store", "exchange", "fence")[op]
        self.notes.append(f"C has no {ORDER_NAMES[order]} {what}: {self.execution.name(row)} is {ORDER_NAMES[weaker]}")
        return weaker

    def _nothing(self, kind: str, row: int) -> str:
        """Terms that are 0 and mention the registers that the access depends on."""
        return "".join(f" + ({self.registers[s]} ^ {self.registers[s]})" for s in self.sources[kind].get(row, ()))

    def _read(self, row: int) -> int:
        writer = self.execution.writer(row)
        return self.initial[~writer] if writer < 0 else self.stored[writer]

    def _outcome(self) -> str:
        g = self.execution
        terms = [f"{g.thread[row]}:{register}={self._read(row)}" for row, register in self.registers.items()]
        for x, order in zip(self.locations, self.mo or (), strict=self.mo is not None):
            values = [self.stored[int(row)] for row in order]
            if len(values) > 1:
                terms.append(f"[{x}]={values[-1]}")
            if len(values) > 2:
                line = " < ".join(map(str, values))
                self.notes.append(f"of the orders of stores with this final value, this one is meant: {x}: {line}")
        return " /\\ ".join(terms) or "true"


def _identifiers(names: Sequence[str]) -> list[str]:
    """The names of locations, those that C would not take replaced."""
    fine = [bool(_IDENTIFIER.fullmatch(name)) and not _TAKEN.fullmatch(name) for name in names]
    out = []
    for at, name in enumerate(names):
        new = f"x{at}"
        while new in names:
            new = "x" + new
        out.append(name if fine[at] else new)
    return out


def _values(g: Execution) -> tuple[list[int], dict[int, int]]:
    """The initial value of each location and what each row stores: as recorded where those differ, else counted."""
    rows: list[list[int]] = [[] for _ in range(g.locations)]
    for row in g.writing.nonzero()[0].tolist():
        rows[int(g.loc[row])].append(row)
    initial = [int(value) for value in g.init_value]
    stored: dict[int, int] = {}
    for loc, writes in enumerate(rows):
        recorded = [NO_VALUE if g.written_value is None else int(g.written_value[row]) for row in writes]
        if NO_VALUE in recorded or len({initial[loc], *recorded}) <= len(recorded):
            recorded = [initial[loc] + 1 + at for at in range(len(writes))]
        stored |= dict(zip(writes, recorded, strict=True))
    return initial, stored
