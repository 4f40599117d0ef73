"""What litmus tests in assembly share: a thread written row by row, and the table of all threads.

A machine's module derives `Column` and says how each thing is spelled. A dependency is made real by the usual idioms: a
register with itself gives 0, and a branch goes to the next instruction whichever way it goes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import zip_longest

from porf.architectures import ARCHITECTURES
from porf.errors import UsageError
from porf.execution import ORDER_NAMES, Op, Order
from porf.formats.litmus.mapping import MAPPINGS, Becomes
from porf.formats.litmus.outline import Outline


class Column(ABC):
    """A thread on its way to a column of the table."""

    architecture: str
    heading: str  # what a test begins with

    def __init__(self, outline: Outline, number: int) -> None:
        self.outline, self.execution, self.number_of_thread = outline, outline.execution, number
        self.lines: list[str] = []
        self.settings: dict[str, str] = {}  # registers that have a value at first
        self.results: dict[int, str] = {}  # the register of each row that reads
        self.successes: list[str] = []  # what the outcome says besides, of store-conditionals
        self._bases: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._read: dict[int, int] = {}
        self._branched: set[int] = set()
        self._used = 0
        self._labels = 0

    # What a machine says.

    @abstractmethod
    def register(self, at: int) -> str:
        """The name of a register in conditions and initial states; an IndexError if there is none."""

    @abstractmethod
    def set_number(self, into: int, value: int) -> None: ...
    @abstractmethod
    def nothing(self, into: int, source: int) -> None:
        """Makes 0 of a register with itself."""

    @abstractmethod
    def add(self, into: int, left: int, right: int) -> None: ...
    @abstractmethod
    def add_number(self, into: int, left: int, value: int) -> None: ...
    @abstractmethod
    def branch(self, on: int, label: str) -> None:
        """To the label, or not, depending on a register."""

    @abstractmethod
    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def conditional(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        """A store-conditional; adds to `successes`."""

    @abstractmethod
    def fence(self, tag: str) -> None: ...

    # What is common.

    def fresh(self) -> int:
        self._used += 1
        try:
            self.register(self._used - 1)
        except IndexError:
            title = ARCHITECTURES[self.architecture].title
            raise UsageError(f"a thread of this test needs more registers than {title} has") from None
        return self._used - 1

    def line(self, text: str) -> None:
        self.lines.append(text)

    def label(self) -> str:
        self._labels += 1
        return f"LC{self.number_of_thread}{self._labels - 1}"

    def refuse(self, what: str) -> UsageError:
        return UsageError(f"{ARCHITECTURES[self.architecture].title} has no instruction for {what}")

    def row(self, row: int) -> None:
        """Writes one event. If the history says nothing of a machine, it is of C, and mapped to the machine."""
        g = self.execution
        self._control(row)
        op, order = Op(int(g.op[row])), Order(int(g.order[row]))
        mapped = g.tag is None and "lxsx" not in g.dependencies
        if op == Op.FENCE:
            for tag in MAPPINGS[self.architecture].fences.get(order, ()) if mapped else self._tags(row):
                self.fence(tag)
            return
        becomes = MAPPINGS[self.architecture].access(op, order) if mapped else Becomes(tags=self._tags(row))
        for tag in becomes.before:
            self.fence(tag)
        self._access(row, op, becomes.tags, mapped)
        if becomes.control:
            self.to_next(self._read[row])
        for tag in becomes.after:
            self.fence(tag)

    def _access(self, row: int, op: Op, tags: tuple[str, ...], mapped: bool) -> None:
        g, outline = self.execution, self.outline
        index = self._index(row)
        base = self._base(int(g.loc[row]))
        if op == Op.READ:
            self._read[row] = self.fresh()
            self.load(self._read[row], base, index, tags)
        else:
            value = self._value(row)
            if op == Op.UPDATE:
                self._read[row] = self.fresh()
                if mapped and MAPPINGS[self.architecture].paired:
                    self.load(self._read[row], base, index, ("EX",))
                    self.conditional(value, base, index, ("EX",))
                else:
                    self.update(self._read[row], value, base, index, tags)
            elif outline.depends("lxsx", row):
                self.conditional(value, base, index, tags)
            else:
                self.store(value, base, index, tags)
        if row in self._read:
            self.results[row] = self.register(self._read[row])

    def _tags(self, row: int) -> tuple[str, ...]:
        """The tags of the machine that the words of an event stand for."""
        g, machine = self.execution, ARCHITECTURES[self.architecture]
        fence = g.op[row] == Op.FENCE
        words = g.tags_of(row)
        found = [machine.meant(word, bool(fence)) for word in words]
        if None in found or (fence and not words) or g.order[row] not in (Order.NA, Order.RLX):
            said = " ".join(words) or ORDER_NAMES[int(g.order[row])]
            raise UsageError(
                f"{machine.title} has no '{said}', which {g.name(row)} says", hint="porf convert --to names a machine"
            )
        return tuple(tag for tags in found for tag in tags or ())

    def _control(self, row: int) -> None:
        """Branches on what the row depends on and no earlier one did."""
        for source in self.outline.depends("ctrl", row):
            if source not in self._branched:
                self._branched.add(source)
                self.to_next(self._read[source])

    def to_next(self, on: int) -> None:
        """A branch that depends on a register, and leads to what follows either way."""
        label = self.label()
        self.branch(on, label)
        self.line(f"{label}:")

    def _index(self, row: int) -> int | None:
        """A register that is 0 and depends on what the address depends on."""
        return self._zero(self.outline.depends("addr", row))

    def _zero(self, sources: list[int]) -> int | None:
        total = None
        for source in sources:
            zero = self.fresh()
            self.nothing(zero, self._read[source])
            if total is not None:
                self.add(zero, zero, total)
            total = zero
        return total

    def _value(self, row: int) -> int:
        stored = self.outline.stored[row]
        zero = self._zero(self.outline.depends("data", row))
        if zero is None:
            return self._number(stored)
        self.add_number(zero, zero, stored)
        return zero

    def _number(self, value: int) -> int:
        if value not in self._numbers:
            self._numbers[value] = self.fresh()
            self.set_number(self._numbers[value], value)
        return self._numbers[value]

    def _base(self, loc: int) -> int:
        """A register that holds the address of a location from the beginning."""
        if loc not in self._bases:
            self._bases[loc] = self.fresh()
            self.settings[self.register(self._bases[loc])] = self.outline.locations[loc]
        return self._bases[loc]


def table(outline: Outline, column: type[Column], name: str, title: str) -> str:
    """The whole test."""
    columns = []
    for number, rows in enumerate(outline.threads()):
        columns.append(column(outline, number))
        for row in rows:
            columns[-1].row(row)
    results = {row: register for one in columns for row, register in one.results.items()}
    successes = [f"{one.number_of_thread}:{said}" for one in columns for said in one.successes]
    outcome = outline.outcome(results, successes)
    settings = [
        " " + " ".join(f"{one.number_of_thread}:{register}={x};" for register, x in one.settings.items())
        for one in columns
        if one.settings
    ]
    values = [f" {x}={value};" for x, value in zip(outline.locations, outline.initial, strict=True) if value]
    cells = [[f"P{one.number_of_thread}", *one.lines] for one in columns]
    widths = [max(map(len, lines)) for lines in cells]
    lines = [
        " " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " ;"
        for row in zip_longest(*cells, fillvalue="")
    ]
    head = [f"{column.heading} {name}", *([f'"{title}"'] if title else []), *outline.comments()]
    return "\n".join([*head, "{", *values, *settings, "}", *lines, "", f"exists ({outcome})"]) + "\n"
