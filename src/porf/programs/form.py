"""The program form: threads of register-machine code over shared objects. Front ends make it, and the core runs it.

A *register* holds a 64-bit signed integer, at first 0. An *operand* is a register (0, 1, ...) or a constant (~0, ~1,
...: a place in the template's pool). A *pointer* is an integer that names an object and a byte of it; 0 points
nowhere. An access has a width in bytes, and is aligned to it; every access of a place has one and the same width. Only
a plain access may be wider than the cells that its object declares: it is an access of each cell, one after the other.

A template is a function: every call of it has registers, and private memory, of its own. *Private memory* is plain
bytes that only its thread can reach: accesses of it are no events. Pointers to it must not be given to other threads.

The instructions are those of the core: core/explore/instructions.def has a row for each, and `FACTS` what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from porf._core import LOOP_COUNTERS as LOOP_COUNTERS
from porf._core import (
    Allocation,
    Assumption,
    Back,
    Binary,
    Callee,
    Effect,
    Exclusive,
    Handle,
    Home,
    Life,
    Modify,
    Onward,
    Opcode,
    Order,
    Reading,
    Sort,
    Storage,
    Unary,
    instruction_facts,
    is_private,
    kind_of,
    nearest_object,
    object_of,
    offset_of,
    pointer,
    sort_of,
)
from porf.record import Record, field, replace

__all__ = [
    "FACTS", "KINDS", "LOOP_COUNTERS", "WIDTHS", "Access", "Allocation", "Assumption", "Back", "Binary", "Callee",
    "Cell", "Effect", "Exclusive", "Facts", "Handle", "Home", "Instruction", "Life", "Local", "Modify", "Object",
    "Onward", "Opcode", "Place", "Program", "Reading", "Retry", "Sort", "Start", "Storage", "Template", "Unary",
    "Watch", "is_private", "nearest_object", "object_of", "offset_of", "pointer", "sort_of",
]  # fmt: skip

WIDTHS = (1, 2, 4, 8)
KINDS = {opcode: kind_of(opcode) for opcode in Opcode}


class Facts(Record):
    """What the core's table says of an instruction, as plain values, for they are asked for all the time. Fields are
    named by their letters."""

    text: str
    effect: Effect
    reads: str
    sets: str
    list: str
    counters: str
    target: str
    onward: Onward
    pure: bool
    falls_through: bool
    calls: bool  # a callee is read only if it is a pointer


def _facts(opcode: Opcode) -> Facts:
    row = instruction_facts(opcode)
    return Facts(
        *(row.text, row.effect, row.reads, row.sets, row.list, row.counters, row.target, row.onward),
        pure=row.effect is Effect.PURE,
        falls_through=row.onward in (Onward.NEXT, Onward.BRANCH),
        calls=KINDS[opcode] is Callee,
    )


FACTS = {opcode: _facts(opcode) for opcode in Opcode}


class Place(Record):
    """A place in a source file; line and column count from 1."""

    line: int
    column: int = 1
    file: str = ""
    internal: bool = False  # what stands there calls a library, and the place is of something inside of that
    hidden: bool = False  # nobody read this file to make the program: its lines are not shown


class Access(Record):
    """An access or a fence as far as its source says: where it is, what it does, its order, and for a compare-exchange
    that of a failure."""

    place: Place | None
    opcode: Opcode
    order: Order
    failure: Order = Order.NA


class Retry(Record):
    """A loop that only retries a compare-exchange, after loads have given it what it expects."""

    loads: tuple[Access, ...]
    trial: Access
    only: bool  # it has no other events, and only a success ends it

    def back(self) -> Back:
        """What an iteration must leave as it was, for the next one to be left out: docs/design/exploration.md."""
        failed, succeeded = _STRENGTH[self.trial.failure], _ACQUIRING.get(self.trial.order, 0) if self.only else 0
        covered = all(_STRENGTH[load.order] <= max(failed, succeeded) for load in self.loads)
        return Back.VISIBLE if covered else Back.WITHOUT_ORDERS


_STRENGTH = {Order.RLX: 0, Order.ACQ: 1, Order.SC: 2}  # of a load, and of a try that fails
_ACQUIRING = {Order.ACQ: 1, Order.ACQ_REL: 1, Order.SC: 2}  # of a success, as far as its read is concerned


class Instruction(Record):
    """One instruction; FACTS say which of its fields mean what. Memory is accessed with width and signed."""

    opcode: Opcode
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    kind: int = 0
    width: int = 0
    signed: bool = True
    order: Order = Order.NA
    failure: Order = Order.NA  # of a compare-exchange that fails
    weak: bool = False  # a compare-exchange that may fail for no reason; a choice whether something does
    aligned: bool = False  # an access whose address must be a multiple of its width, in private memory, too
    # On the program's architecture: the tags of its event, as bits; and a load-linked, or a compare-exchange that is a
    # store-conditional, and compares nothing.
    tags: int = 0
    exclusive: Exclusive = Exclusive.NONE
    place: Place | None = None

    def __str__(self) -> str:
        facts, kind = FACTS[self.opcode], KINDS[self.opcode]
        shown: dict[str, object] = {"kind": kind(self.kind).name.lower() if kind is not None else ""}
        for letter in "abcde":
            value = getattr(self, letter)
            is_operand = letter in facts.reads + facts.sets + facts.counters
            shown[letter] = value if not is_operand else f"r{value}" if value >= 0 else f"#{~value}"
        return facts.text.format(**shown)

    @property
    def target(self) -> int | None:
        """The instruction that it may jump to."""
        field = FACTS[self.opcode].target
        return self.__dict__[field] if field else None

    def with_target(self, moved: Callable[[int], int]) -> Instruction:
        """The instruction with its target, if it has one, elsewhere."""
        field = FACTS[self.opcode].target
        if not field:
            return self
        before = self.__dict__[field]
        after = moved(before)
        return self if after == before else replace(self, **{field: after})

    def operands(self, lists: Sequence[tuple[int, ...]]) -> list[int]:
        """The registers and constants that it reads. A callee is one of them only if it is a pointer."""
        fields = self.__dict__
        facts = FACTS[fields["opcode"]]
        reads = "" if facts.calls and fields["kind"] != Callee.POINTER else facts.reads
        operands = [fields[field] for field in reads]
        return [*operands, *lists[fields[facts.list]]] if facts.list else operands


class Object(Record):
    """A piece of shared memory, or a function. `cells` are its places that have a name or an initial value.

    As a layout, it is what allocated objects look like: `size` is that of one element, and elements repeat; what the
    cells hold at first says the allocation.
    """

    name: str
    size: int  # bytes
    cells: tuple[Cell, ...] = ()
    place: Place | None = None
    template: int = -1  # of a function: what a call of a pointer to it runs
    constant: bool = False  # writing to it is an error


class Cell(Record):
    """A place in an object: what it is called, and what it holds at first (None: nothing; to read that is an error)."""

    offset: int
    width: int
    label: str
    initial: int | None = 0
    signed: bool = True


class Template(Record):
    """The code of a thread, or of a function. Its parameters are its first registers."""

    name: str
    code: tuple[Instruction, ...]
    registers: int
    private: int = 0  # slots of private memory: for each private object one, and one for each 8 bytes of it
    pool: tuple[int, ...] = ()  # constants
    parameters: int = 0
    signature: int = -1  # the type of a function, by number: a call through a pointer of another type is an error
    argument_lists: tuple[tuple[int, ...], ...] = ()  # operands, for SPAWN
    live: tuple[tuple[int, ...], ...] = ()  # loop -> the registers whose values matter when an iteration begins
    names: dict[int, str] = field(default_factory=dict)  # register -> what its source calls it
    loops: tuple[Place | None, ...] = ()  # loop -> where it stands
    retries: dict[int, Retry] = field(default_factory=dict)  # the loops that only retry a compare-exchange


class Local(Record):
    """An object that each thread has for itself, in its private memory; slots are counted as in a template."""

    slot: int
    size: int  # bytes
    words: tuple[int, ...]  # what it holds at first, 8 bytes each, little end first


class Start(Record):
    """A thread that runs from the beginning. Its handle is its position among them."""

    template: int
    arguments: tuple[int, ...] = ()
    name: str = ""


class Watch(Record):
    """A register of a starting thread whose last value is part of an execution's final state."""

    thread: int
    register: int
    label: str


class Program(Record):
    """A whole program. `watched` is what its final states consist of; empty if they are not needed."""

    name: str
    objects: tuple[Object, ...]
    templates: tuple[Template, ...]
    starts: tuple[Start, ...]
    messages: tuple[str, ...] = ()
    watched: tuple[Watch, ...] = ()
    source: str = ""  # the file it was read from, if any
    layouts: tuple[Object, ...] = ()
    locals: tuple[Local, ...] = ()
    notes: tuple[str, ...] = ()  # what people should know about how their source was read
    call: tuple[str, ...] = ()  # the arguments of `porf explore` that read it from its file
    hints: dict[str, str] = field(default_factory=dict)  # a message on what is not supported -> what to do about it

    def nearest(self, where: int) -> Object | None:
        """The object that a pointer is in, or next to."""
        index = nearest_object(where)
        return self.objects[index] if 0 <= index < len(self.objects) else None

    def label(self, where: int) -> str:
        """What people call the place that a pointer points to."""
        item = self.nearest(where)
        if item is None:
            return f"{where:#x}"
        offset = where - pointer(nearest_object(where))
        for cell in item.cells:
            if cell.offset == offset:
                return cell.label
        if item.cells and item.cells[0].label == f"{item.name}[0]" and offset % item.cells[0].width == 0:
            return f"{item.name}[{offset // item.cells[0].width}]"
        return f"{item.name}{offset:+d}"
