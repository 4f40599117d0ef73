"""What litmus tests in assembly share: instructions, which a machine's module spells; the rows of a history, written by
them; and the table of all threads.

A dependency is made real by the usual idioms: a register with itself gives 0, and a branch goes to the next instruction
whichever way it goes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from porf.architectures import ARCHITECTURES
from porf.errors import UsageError
from porf.execution import ORDER_NAMES, Op, Order
from porf.formats.litmus.mapping import MAPPINGS, Becomes
from porf.formats.litmus.outline import Outline


class Assembler(ABC):
    """A thread on its way to a column of the table, instruction by instruction. Registers are numbers."""

    architecture: str
    heading: str  # what a test begins with

    def __init__(self, number: int) -> None:
        self.number = number  # of the thread
        self.lines: list[str] = []
        self.settings: dict[str, str] = {}  # registers that have the address of a location at first
        self.successes: list[str] = []  # what the outcome says besides, of store-conditionals
        self._bases: dict[str, int] = {}
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
    def combine(self, operation: str, into: int, left: int, right: int) -> None:
        """One of add, sub, and, or, xor."""

    @abstractmethod
    def copy(self, into: int, source: int) -> None: ...
    @abstractmethod
    def add_number(self, into: int, left: int, value: int) -> None: ...
    @abstractmethod
    def branch(self, on: int, label: str) -> None:
        """To the label, or not, depending on a register."""

    @abstractmethod
    def compare(self, condition: str, left: int, right: int, label: str) -> None:
        """To the label if eq, ne, lt, le, gt or ge holds, of signed numbers."""

    @abstractmethod
    def jump(self, label: str) -> None: ...
    @abstractmethod
    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None: ...
    @abstractmethod
    def modify(self, operation: str, into: int, value: int, base: int, tags: tuple[str, ...]) -> None:
        """Exchanges, adds, ands, ors or xors in one step; the register becomes what was there before."""

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
        return f"LC{self.number}{self._labels - 1}"

    def refuse(self, what: str) -> UsageError:
        return UsageError(f"{ARCHITECTURES[self.architecture].title} has no instruction for {what}")

    def to_next(self, on: int) -> None:
        """A branch that depends on a register, and leads to what follows either way."""
        label = self.label()
        self.branch(on, label)
        self.line(f"{label}:")

    def base(self, location: str) -> int:
        """A register that holds the address of a location from the beginning."""
        if location not in self._bases:
            self._bases[location] = self.fresh()
            self.settings[self.register(self._bases[location])] = location
        return self._bases[location]


class _Rows:
    """The events of a thread as instructions."""

    def __init__(self, outline: Outline, out: Assembler) -> None:
        self.outline, self.execution, self.out = outline, outline.execution, out
        self.mapping = MAPPINGS[out.architecture]
        self.results: dict[int, str] = {}  # the register of each row that reads
        self._numbers: dict[int, int] = {}
        self._read: dict[int, int] = {}
        self._branched: set[int] = set()

    def row(self, row: int) -> None:
        """Writes one event. If the history says nothing of a machine, it is of C, and mapped to the machine."""
        g = self.execution
        self._control(row)
        op, order = Op(int(g.op[row])), Order(int(g.order[row]))
        mapped = g.tag is None and "lxsx" not in g.dependencies
        if op == Op.FENCE:
            for tag in self.mapping.fences.get(order, ()) if mapped else self._tags(row):
                self.out.fence(tag)
            return
        becomes = self.mapping.access(op, order) if mapped else Becomes(tags=self._tags(row))
        for tag in becomes.before:
            self.out.fence(tag)
        self._access(row, op, becomes.tags, mapped)
        if becomes.control:
            self.out.to_next(self._read[row])
        for tag in becomes.after:
            self.out.fence(tag)

    def _access(self, row: int, op: Op, tags: tuple[str, ...], mapped: bool) -> None:
        g, outline = self.execution, self.outline
        index = self._index(row)
        base = self.out.base(outline.locations[int(g.loc[row])])
        if op == Op.READ:
            self._read[row] = self.out.fresh()
            self.out.load(self._read[row], base, index, tags)
        else:
            value = self._value(row)
            if op == Op.UPDATE:
                self._read[row] = self.out.fresh()
                if mapped and self.mapping.paired:
                    self.out.load(self._read[row], base, index, ("EX",))
                    self.out.conditional(value, base, index, ("EX",))
                else:
                    self.out.update(self._read[row], value, base, index, tags)
            elif outline.depends("lxsx", row):
                self.out.conditional(value, base, index, tags)
            else:
                self.out.store(value, base, index, tags)
        if row in self._read:
            self.results[row] = self.out.register(self._read[row])

    def _tags(self, row: int) -> tuple[str, ...]:
        """The tags of the machine that the words of an event stand for."""
        g, machine = self.execution, ARCHITECTURES[self.out.architecture]
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
                self.out.to_next(self._read[source])

    def _index(self, row: int) -> int | None:
        """A register that is 0 and depends on what the address depends on."""
        return self._zero(self.outline.depends("addr", row))

    def _zero(self, sources: list[int]) -> int | None:
        total = None
        for source in sources:
            zero = self.out.fresh()
            self.out.nothing(zero, self._read[source])
            if total is not None:
                self.out.combine("add", zero, zero, total)
            total = zero
        return total

    def _value(self, row: int) -> int:
        stored = self.outline.stored[row]
        zero = self._zero(self.outline.depends("data", row))
        if zero is None:
            return self._number(stored)
        self.out.add_number(zero, zero, stored)
        return zero

    def _number(self, value: int) -> int:
        if value not in self._numbers:
            self._numbers[value] = self.out.fresh()
            self.out.set_number(self._numbers[value], value)
        return self._numbers[value]


def history(outline: Outline, machine: type[Assembler], name: str, title: str) -> str:
    """The test of an execution."""
    threads, results = [], dict[int, str]()
    for number, rows in enumerate(outline.threads()):
        threads.append(machine(number))
        writer = _Rows(outline, threads[-1])
        for row in rows:
            writer.row(row)
        results |= writer.results
    successes = [f"{one.number}:{said}" for one in threads for said in one.successes]
    outcome = f"exists ({outline.outcome(results, successes)})"
    values = dict(zip(outline.locations, outline.initial, strict=True))
    head = [*([f'"{title}"'] if title else []), *outline.comments()]
    return table(f"{machine.heading} {name}", head, values, threads, outcome)


def table(
    heading: str, head: Sequence[str], values: Mapping[str, int], threads: Sequence[Assembler], outcome: str
) -> str:
    """The whole test."""
    settings = [
        " " + " ".join(f"{one.number}:{register}={x};" for register, x in one.settings.items())
        for one in threads
        if one.settings
    ]
    initial = [f" {x}={value};" for x, value in values.items() if value]
    cells = [[f"P{one.number}", *one.lines] for one in threads]
    widths = [max(map(len, lines)) for lines in cells]
    lines = [
        " " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " ;"
        for row in zip_longest(*cells, fillvalue="")
    ]
    return "\n".join([heading, *head, "{", *initial, *settings, "}", *lines, "", outcome]) + "\n"
